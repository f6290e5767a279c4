/* Shapes with edges as contours of a model, under time stepping: closed forms, and ways that must
 * agree. */
#include "contact/shape_slot.h"
#include "support/check.h"
#include "support/run.h"

#include <string.h>

#define GRAVITY 9.81

static const char falling[] =
    "specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\n"
    "bodies:\n"
    "  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
    "  box: {density: 1000 kg/m^3, shape: {box: [0.3 m, 0.2 m, 0.1 m]}, contours: {%s}}\n"
    "contacts: {floor: {between: [box, ground], law: {mu: 0.3, eps_N: 0.2}}}\n"
    "start: {box.z: 0.3 m, box.omega_x: 1 rad/s, box.omega_y: 2 rad/s}\n"
    "run: {until: 1 s, method: moreau, step: 1 ms}\n";

static void a_box_falls_like_its_corners(void **ctx)
{
    (void)ctx;
    rig box = rig_of_text(falling, "skin: {box: [0.3 m, 0.2 m, 0.1 m]}");
    rig points = rig_of_text(
        falling, "a: {point: [-0.15 m, -0.1 m, -0.05 m]}, b: {point: [0.15 m, -0.1 m, -0.05 m]}, "
                 "c: {point: [-0.15 m, 0.1 m, -0.05 m]}, d: {point: [0.15 m, 0.1 m, -0.05 m]}, "
                 "e: {point: [-0.15 m, -0.1 m, 0.05 m]}, f: {point: [0.15 m, -0.1 m, 0.05 m]}, "
                 "g: {point: [-0.15 m, 0.1 m, 0.05 m]}, h: {point: [0.15 m, 0.1 m, 0.05 m]}");
    for (int k = 0; k < 300; k++) { /* fifteen impacts */
        rig_step(&box, SP_METHOD_MOREAU, 1e-3);
        rig_step(&points, SP_METHOD_MOREAU, 1e-3);
        for (int i = 0; i < box.m->n_q; i++) {
            assert_near(box.x->q[i], points.x->q[i], 1e-9);
        }
    }
    assert_true(rig_count(&box, SP_EVENT_IMPACT, -1) > 5);
    assert_int_equal(rig_count(&box, SP_EVENT_IMPACT, -1), rig_count(&points, SP_EVENT_IMPACT, -1));
    rig_free(&box);
    rig_free(&points);
}

static void a_stack_of_boxes_does_not_move(void **ctx)
{
    (void)ctx;
    rig r =
        rig_of_text("specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\n"
                    "bodies:\n"
                    "  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
                    "  box: {count: 5, density: 1000 kg/m^3, shape: {box: [0.3 m, 0.2 m, 0.1 m]},\n"
                    "        contours: {skin: {box: [0.3 m, 0.2 m, 0.1 m]}}}\n"
                    "contacts:\n"
                    "  floor: {between: [box, ground], law: {mu: 0.3}}\n"
                    "  stack: {between: [box, box], law: {mu: 0.3}}\n"
                    "start: {box.1.z: 0.05 m, box.2.z: 0.15 m, box.3.z: 0.25 m, box.4.z: 0.35 m,\n"
                    "        box.5.z: 0.45 m, box.3.x: 0.04 m, box.4.y: 0.02 m}\n"
                    "run: {until: 1 s, method: moreau, step: 1 ms}\n");
    double q[35];
    assert_int_equal(r.m->n_q, 35);
    memcpy(q, r.x->q, sizeof q);
    rig_steps(&r, SP_METHOD_MOREAU, 1e-3, check_cases(300, 10000));
    for (int i = 0; i < 35; i++) {
        assert_near(r.x->q[i], q[i], 1e-10);
    }
    assert_int_equal(rig_count(&r, SP_EVENT_CLOSE, -1), 20); /* at the start, and all stay closed */
    assert_int_equal(rig_count(&r, SP_EVENT_OPEN, -1), 0);
    assert_int_equal(rig_count(&r, SP_EVENT_IMPACT, -1), 0);
    rig_free(&r);
}

/* v = g (sin - mu cos) t along a slope of 1 : 5, whatever triangles it is made of; no contact
 * changes at the seam. */
static void a_box_slides_over_a_seam_of_a_mesh(void **ctx)
{
    (void)ctx;
    rig r = rig_of_file("tests/data/good/space_slide.yaml", NULL);
    const double slope = atan(0.2), a = GRAVITY * (sin(slope) - 0.1 * cos(slope));
    rig_steps(&r, SP_METHOD_MOREAU, 1e-3, 1000);
    assert_near(r.x->u[rig_dof(&r, "box.joint.y")], -a, 1e-12); /* the joint is turned */
    assert_near(r.x->u[rig_dof(&r, "box.joint.z")], 0.0, 1e-12);
    assert_int_equal(r.n_event, 4);
    rig_free(&r);
}

/* A disc on its side slides with v_0 and rolls with 2/3 v_0, a capsule of the same inertia too. */
static void discs_and_capsules_slide_and_roll(void **ctx)
{
    (void)ctx;
    static const char *const shape[] = {"disc: 0.1 m, length: 0.2 m",
                                        "capsule: 0.1 m, length: 0.2 m"};
    for (int k = 0; k < 2; k++) {
        rig r = rig_of_text(
            "specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\n"
            "bodies:\n"
            "  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
            "  roll: {mass: 2 kg, inertia: {principal: [0.02 kg*m^2, 0.01 kg*m^2, 0.02 kg*m^2]},\n"
            "         contours: {skin: {%s, axis: [0, 1, 0]}}}\n"
            "contacts: {floor: {between: [roll, ground], law: {mu: 0.2}}}\n"
            "start: {roll.z: 0.1 m, roll.vx: 3 m/s}\n"
            "run: {until: 1 s, method: moreau, step: 1 ms}\n",
            shape[k]);
        rig_steps(&r, SP_METHOD_MOREAU, 1e-3, 600); /* it rolls from v_0/(3 mu g) = 0.51 s on */
        assert_near(r.x->u[rig_dof(&r, "roll.joint.x")], 2.0, 1e-9);
        assert_near(r.x->q[rig_dof(&r, "roll.joint.z")], 0.1, 1e-9);
        rig_free(&r);
    }
}

/* A cone on its side rolls round its tip with Omega for ever: nothing does work.  Angle and place
 * are of first order, since a step leads along a tangent and back to the floor. */
static void a_cone_rolls_round_its_tip(void **ctx)
{
    (void)ctx;
    double error[2], off[2];
    for (int k = 0; k < 2; k++) {
        rig r = rig_of_text(
            "specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\n"
            "parameters: {R: 5 cm, h: 10 cm, alpha: atan(R/h), Omega: 3 rad/s}\n"
            "bodies:\n"
            "  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
            "  cone: {density: 1000 kg/m^3, shape: {cone: R, length: h},\n"
            "         contours: {skin: {frustum: [R, 0], length: h}}}\n"
            "contacts: {floor: {between: [cone, ground], law: {mu: 0.5}}}\n"
            "start: {cone.x: h*cos(alpha), cone.z: h*sin(alpha), cone.turn: {y: -90 deg - alpha},\n"
            "        cone.vy: Omega*h*cos(alpha), cone.omega_x: -Omega/tan(alpha)}\n"
            "run: {until: 1 s, method: moreau-mean, step: 1 ms}\n");
        const double step = k == 0 ? 5e-4 : 2.5e-4;
        rig_steps(&r, SP_METHOD_MOREAU_MEAN, step, (int)lround(0.5 / step));
        const double *x = r.x->q + rig_dof(&r, "cone.joint.x");
        error[k] = 3.0 * 0.5 - atan2(x[1], x[0]);
        assert_near(x[2], 0.1 * sin(atan(0.5)), 2e-6);
        off[k] = hypot(x[0], x[1]) - 0.1 * cos(atan(0.5)); /* how far the tip has crept */
        rig_free(&r);
    }
    print_message("cone: behind by %.2e and %.2e rad, tip crept %.2e and %.2e m\n", error[0],
                  error[1], off[0], off[1]);
    assert_true(fabs(error[0]) < 2e-3);
    assert_true(fabs(error[1]) < 0.6 * fabs(error[0]));
    assert_true(fabs(off[1]) < 0.6 * fabs(off[0]) && fabs(off[0]) < 1e-4);
}

/* All kinds of pairs of the good file: slots in the order of their keys, none twice. */
static void features_of_all_pairs_are_numbered_apart(void **ctx)
{
    (void)ctx;
    rig r = rig_of_file("tests/data/good/space_shapes.yaml", NULL);
    sp_touch t[SP_SHAPE_TOUCHES];
    int pairs = 0;
    rig_step(&r, SP_METHOD_MOREAU, 1e-3);
    for (int a = 0; a < r.m->n_contour; a++) {
        for (int b = 0; b < r.m->n_contour; b++) {
            if (!sp_shape_slot(r.m, a, b) || r.m->contour[a].body == r.m->contour[b].body ||
                sp_sides_of(r.m->contour[a].kind, r.m->contour[b].kind) <= 0) {
                continue;
            }
            const int n =
                sp_shape_slot_touches(r.m, &r.m->numbers, &r.w->kin, a, b, 10.0, r.w->con.work, t);
            assert_true(n >= 1 && n <= SP_SHAPE_TOUCHES);
            for (int i = 0; i < n; i++) {
                assert_true(i == 0 ||
                            sp_shape_slot_feature(&t[i]) > sp_shape_slot_feature(&t[i - 1]));
                assert_true(t[i].side[0].feature < 1 << SP_SHAPE_A_BITS);
                assert_true(t[i].side[1].feature < 1 << SP_SHAPE_B_BITS);
            }
            pairs++;
        }
    }
    assert_true(pairs > 30);
    rig_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_falls_like_its_corners),
        cmocka_unit_test(a_stack_of_boxes_does_not_move),
        cmocka_unit_test(a_box_slides_over_a_seam_of_a_mesh),
        cmocka_unit_test(discs_and_capsules_slide_and_roll),
        cmocka_unit_test(a_cone_rolls_round_its_tip),
        cmocka_unit_test(features_of_all_pairs_are_numbered_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
