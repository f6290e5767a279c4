/* The tippe-top of the examples: Jellett's integral, and when the stick comes to the floor. */
#include "support/check.h"
#include "support/events.h"
#include "support/run.h"

#include "support/points.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    const sp_vec3 axis = point_axes(kin, TOP).z, omega = point_spin(kin, TOP);
    const sp_vec3 a = {A_1 * axis.x, A_1 * axis.y, A_1 * axis.z - R_1};
    const sp_vec3 L = sp_axpy3(sp_scale3(I_1, omega), (I_3 - I_1) * sp_inner3(axis, omega), axis);
    *height = point_origin(kin, TOP).z;
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

/* The stick touches at 1.37080929 s, from event to event and with steps: rk4 is off
 * by 2.8e-5, 1.4e-5, 0.7e-5 s at 12.5, 6.25, 3.1 us, hence of first order; here by 1e-4 s.  The top
 * has turned by more than a right angle then. */
static void the_top_turns_over_onto_its_stick_at_the_same_time_by_steps_and_by_events(void **ctx)
{
    (void)ctx;
    double t[2];
    for (int k = 0; k < 2; k++) {
        rig e = rig_of_file(example, NULL);
        events_go(&e, 1.38, k == 0 ? 1e-9 : 1e-11);
        t[k] = events_get(&e, SP_EVENT_IMPACT, "stick", 0)->t;
        rig_free(&e);
    }
    assert_near(t[0], t[1], 1e-8);
    assert_near(t[1], 1.370809293, 2e-9);
    rig r = rig_of_file(example, NULL);
    const sp_event *touch = NULL;
    while (!touch && r.x->t < 1.6) {
        rig_steps(&r, SP_METHOD_RK4, 1e-4, 100);
        touch = rig_event(&r, SP_EVENT_IMPACT, STICK, 0);
    }
    assert_non_null(touch);
    assert_near(touch->t, t[1], 1e-4);
    assert_true(point_axes(&r.w->kin, TOP).z.z < 0.0);
    assert_true(r.worst.complementarity < 1e-9 && r.worst.closure < 1e-13);
    rig_free(&r);
}

/* Angle between the top's axis and the vertical, head up or down, after `until`, over that at the
 * start; its spin is held about the vertical by a drive. */
static double leaning(double spin, bool stick, double roll, double until)
{
    char words[3][64];
    const double tilt = 1e-3;
    snprintf(words[0], sizeof words[0], "spin=%.17g rad/s", spin);
    snprintf(words[1], sizeof words[1], "tilt=%.17g rad", stick ? acos(-1.0) - tilt : tilt);
    snprintf(words[2], sizeof words[2], "roll=%.17g rad/s", roll * tilt);
    const char *const override[] = {words[0], words[1], words[2], NULL};
    rig r = rig_of_file("examples/tippe_top/held_spin.yaml", override);
    events_go(&r, until, 1e-8);
    sp_kin_positions(r.m, r.x->numbers, r.x->q, &r.w->kin);
    const sp_vec3 axis = point_axes(&r.w->kin, TOP).z;
    assert_true(stick ? axis.z < 0.0 : axis.z > 0.0);
    rig_free(&r);
    return hypot(axis.x, axis.y) / tilt;
}

/* Within 5 % of 21.6998 rad/s the swing that gets lost or grows (its axis goes round with Omega
 * r/h, so that the contact rolls) falls or grows; head down, near 88.107 rad/s, both that are slow
 * do. */
static void held_spins_bracket_where_the_top_leaves_body_and_stick(void **ctx)
{
    (void)ctx;
    const double body = 21.6998, on_stick = 88.107, h = R_1 - A_1;
    assert_true(leaning(0.95 * body, false, 0.95 * body * R_1 / h, 4.0) < 0.96);
    assert_true(leaning(1.05 * body, false, 1.05 * body * R_1 / h, 4.0) > 1.04);
    assert_true(leaning(0.95 * on_stick, true, 0.0, 1.2) > 20.0);
    assert_true(leaning(1.05 * on_stick, true, 0.0, 1.2) < 0.3);
}

/* ---- which steps ----------------------------------------------------------------------------- */

/* What is left of n values, a thousandth of a second apart, beside a parabola: sqrt(2) times its
 * mean square, by Legendre's polynomials on the grid. */
static double amplitude(int n, const double *value)
{
    double left[128], square = 0.0, basis[3][128];
    memcpy(left, value, (size_t)n * sizeof *left);
    for (int k = 0; k < 3; k++) {
        double size2 = 0.0, along = 0.0;
        for (int i = 0; i < n; i++) {
            basis[k][i] = pow(2.0 * i / (n - 1) - 1.0, k);
        }
        for (int j = 0; j < k; j++) { /* Gram and Schmidt */
            double inner = 0.0;
            for (int i = 0; i < n; i++) {
                inner += basis[j][i] * basis[k][i];
            }
            for (int i = 0; i < n; i++) {
                basis[k][i] -= inner * basis[j][i];
            }
        }
        for (int i = 0; i < n; i++) {
            size2 += basis[k][i] * basis[k][i];
        }
        for (int i = 0; i < n; i++) {
            basis[k][i] /= sqrt(size2);
            along += basis[k][i] * left[i];
        }
        for (int i = 0; i < n; i++) {
            left[i] -= along * basis[k][i];
        }
    }
    for (int i = 0; i < n; i++) {
        square += left[i] * left[i];
    }
    return sqrt(2.0 * square / n);
}

/* Amplitude of the nutation in Euler angles from 0.4 to 0.5 s, with steps. */
static double nutation(sp_method method, double dt)
{
    const char *const implicit[] = {"run.theta=1", NULL};
    rig r = rig_of_file("examples/tippe_top/euler_angles.yaml",
                        method == SP_METHOD_THETA ? implicit : NULL);
    const int theta = 3, n = 101;
    const long each = lround(1e-3 / dt);
    double value[128];
    rig_steps(&r, method, dt, 400 * each);
    for (int i = 0; i < n; i++) {
        value[i] = r.x->q[theta];
        if (i < n - 1) {
            rig_steps(&r, method, dt, each);
        }
    }
    rig_free(&r);
    return amplitude(n, value);
}

/* Leine and Glocker (2003): classical stepping makes nutation grow, the fully implicit one deadens
 * it, Runge-Kutta stepping keeps it; the first two by as much as their step is long. */
static void classical_steps_lose_the_nutation_and_runge_kutta_steps_keep_it(void **ctx)
{
    (void)ctx;
    const double exact = nutation(SP_METHOD_RK4, 2.5e-5);
    double grows[2], dies[2];
    for (int k = 0; k < 2; k++) {
        const double dt = k == 0 ? 1e-4 : 5e-5;
        grows[k] = nutation(SP_METHOD_MOREAU, dt) / exact;
        dies[k] = nutation(SP_METHOD_THETA, dt) / exact;
    }
    print_message("nutation: moreau %.4f %.4f, theta = 1 %.4f %.4f\n", grows[0], grows[1], dies[0],
                  dies[1]);
    assert_true(grows[0] > 1.25 && dies[0] < 0.88); /* a tenth of a millisecond: 31 and -16 % */
    assert_near(log(grows[0]) / log(grows[1]), 2.0, 0.25); /* exp(c dt t): first order */
    assert_near(log(dies[0]) / log(dies[1]), 2.0, 0.25);
    assert_near(nutation(SP_METHOD_RK4, 2e-4) / exact, 1.0, 1e-4);
}

/* ---- late events by steps -------------------------------------------------------------------- */

enum { RETURNS, BOTH, LEAVES, N_LATE };

/* By steps of rk4: body returns; both contacts have closed (no gap above 1 nm for a tenth of a
 * second); stick leaves. */
static void late_times(double dt, double *t)
{
    const double closed = 1e-9, A_2 = 16e-3, R_2 = 5e-3;
    rig r = rig_of_file(example, NULL);
    double open = 0.0;
    bool both = false;
    t[LEAVES] = 0.0;
    while (t[LEAVES] == 0.0 && r.x->t < 6.0) {
        rig_step(&r, SP_METHOD_RK4, dt);
        sp_kin_positions(r.m, r.x->numbers, r.x->q, &r.w->kin);
        const double z = point_origin(&r.w->kin, TOP).z, axis = point_axes(&r.w->kin, TOP).z.z;
        const double body = z + A_1 * axis - R_1, stick = z + A_2 * axis - R_2;
        if (both) {
            t[LEAVES] = stick > closed ? r.x->t : 0.0;
        } else if (fmax(body, stick) > closed) {
            open = r.x->t;
        } else if (r.x->t > open + 0.1) {
            both = true;
        }
    }
    t[RETURNS] = events_get(&r, SP_EVENT_IMPACT, "body", 0)->t;
    t[BOTH] = open;
    rig_free(&r);
}

/* Hertz: rk4 is of first order here, so that half a step halves the error, and what two steps
 * differ by is the error of the shorter one; the times are those of test_event_spot.c. */
static void late_events_of_steps_are_those_of_events_within_their_error(void **ctx)
{
    (void)ctx;
    static const double exact[N_LATE] = {4.75149369363, 4.89745476319, 5.57422119669};
    double coarse[N_LATE], fine[N_LATE];
    if (!getenv("SPECHT_FULL")) {
        skip();
    }
    late_times(25e-6, coarse);
    late_times(12.5e-6, fine);
    for (int i = 0; i < N_LATE; i++) {
        print_message("late event %d: off by %.2e and %.2e s\n", i, coarse[i] - exact[i],
                      fine[i] - exact[i]);
        assert_true(fabs(fine[i] - exact[i]) < 1.5 * fabs(fine[i] - coarse[i]));
        assert_true(fabs(fine[i] - exact[i]) < 0.015);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jellett_s_integral_falls_by_the_drilling_torque_alone),
        cmocka_unit_test(the_top_turns_over_onto_its_stick_at_the_same_time_by_steps_and_by_events),
        cmocka_unit_test(classical_steps_lose_the_nutation_and_runge_kutta_steps_keep_it),
        cmocka_unit_test(late_events_of_steps_are_those_of_events_within_their_error),
        cmocka_unit_test(held_spins_bracket_where_the_top_leaves_body_and_stick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
