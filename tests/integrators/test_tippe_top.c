/* The tippe-top of the examples: Jellett's integral, and when the stick comes to the floor. */
#include "support/check.h"
#include "support/run.h"

#include "kinematics/point.h"

enum { TOP = 1, BODY = 0, STICK = 1 };
static const char example[] = "examples/tippe_top/tippe_top.yaml";
static const double I_1 = 8e-7, I_3 = 7e-7, A_1 = 3e-3, R_1 = 15e-3;

/* L.a with the moment of momentum L about the centre of mass and a from there to the floor:
 * -Jellett's integral; height is that of the centre. */
static double jellett(rig *r, double *height)
{
    sp_kin *kin = &r->w->kin;
    sp_kin_positions(r->m, r->x->numbers, r->x->q, kin);
    sp_kin_velocities(r->m, r->x->u, kin);
    const sp_vec3 axis = sp_point_axes(kin, TOP).z, omega = sp_point_spin(kin, TOP);
    const sp_vec3 a = {A_1 * axis.x, A_1 * axis.y, A_1 * axis.z - R_1};
    const sp_vec3 L = sp_axpy3(sp_scale3(I_1, omega), (I_3 - I_1) * sp_inner3(axis, omega), axis);
    *height = sp_point_origin(kin, TOP).z;
    return sp_inner3(L, a);
}

/* Friction through the point of contact does not change L.a of a top that is round about its axis;
 * the drilling torque does, (L.a)' = -tau height.  Over 0.5 s of turning over on the body, with
 * a large spot. */
static void jellett_s_integral_falls_by_the_drilling_torque_alone(void **ctx)
{
    (void)ctx;
    static const char *const pressure[] = {"laws.wood.pressure=uniform",
                                           "laws.wood.pressure=hertz"};
    for (int p = 0; p < 2; p++) {
        const char *const override[] = {pressure[p], "R=2 mm", NULL};
        rig r = rig_of_file(example, override);
        const double dt = 1e-4, lever = r.x->numbers->law[r.m->slot[BODY].law].lever;
        double height, torque = 0.0;
        const double start = jellett(&r, &height);
        for (int n = 0; n < 5000; n++) {
            const double before = height;
            rig_step(&r, SP_METHOD_RK4, dt);
            jellett(&r, &height);
            torque -= lever * r.x->contact[BODY].P_S[0] * 0.5 * (before + height);
        }
        const double end = jellett(&r, &height);
        assert_true(fabs(end - start) > 0.01 * fabs(start)); /* it does fall */
        assert_near_scaled(end - start, torque, fabs(start), 1e-7);
        assert_true(r.worst.complementarity < 1e-9 && r.worst.closure < 1e-13);
        assert_int_equal(rig_count(&r, SP_EVENT_OPEN, BODY), 0);
        rig_free(&r);
    }
}

/* The stick touches at 1.37081 s: adaptive steps of tolerance 1e-7 say 1.370809, steps of 1e-4,
 * 5e-5, 2.5e-5 and 1.25e-5 s say 1.370728, 1.370724, 1.370758 and 1.370781.  The top has turned by
 * more than a right angle then. */
static void the_top_turns_over_onto_its_stick(void **ctx)
{
    (void)ctx;
    rig r = rig_of_file(example, NULL);
    const sp_event *touch = NULL;
    while (!touch && r.x->t < 1.6) {
        rig_steps(&r, SP_METHOD_RK4, 1e-4, 100);
        touch = rig_event(&r, SP_EVENT_IMPACT, STICK, 0);
    }
    assert_non_null(touch);
    assert_near(touch->t, 1.37081, 1e-4);
    assert_true(sp_point_axes(&r.w->kin, TOP).z.z < 0.0);
    assert_true(r.worst.complementarity < 1e-9 && r.worst.closure < 1e-13);
    rig_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jellett_s_integral_falls_by_the_drilling_torque_alone),
        cmocka_unit_test(the_top_turns_over_onto_its_stick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
