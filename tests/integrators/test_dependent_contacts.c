/* Contacts that depend on each other: stacks, columns, guides that are filled, contacts listed
 * twice. */
#include "support/check.h"
#include "support/run.h"

#include <string.h>

static const sp_method methods[2] = {SP_METHOD_MOREAU, SP_METHOD_MOREAU_MEAN};
static const double g = 9.81;

#define HEAD "specht: 1\nspace: planar\ngravity: 9.81 m/s^2\n"

/* ---- dependent contacts -----------------------------------------------------------------------
 */

/* Boxes one upon the other, the first on the floor; width of each. */
static rig stack(const double width[3], double mu, double eps)
{
    return rig_of_text(HEAD "bodies:\n  ground: {contours: {floor: {line: [0, 1]}}}\n"
                            "  a: {mass: 3 kg, inertia: 0.03 kg*m^2, contours: {hull: {box: [%g m, "
                            "0.1 m]}}}\n"
                            "  b: {mass: 2 kg, inertia: 0.02 kg*m^2, contours: {hull: {box: [%g m, "
                            "0.1 m]}}}\n"
                            "  c: {mass: 1 kg, inertia: 0.01 kg*m^2, contours: {hull: {box: [%g m, "
                            "0.1 m]}}}\n"
                            "laws: {l: {mu: %g, eps_N: %g}}\n"
                            "contacts: {f: {between: [a, ground], law: l}, ab: {between: [a, b], "
                            "law: l}, bc: {between: [b, c], law: l}}\n"
                            "start: {a.y: 0.05 m, b.y: 0.15 m, c.y: 0.25 m}\n",
                       width[0], width[1], width[2], mu, eps);
}

/* A second at rest: places, velocities, what the floor carries, no flood of events. */
static void check_stack(const double width[3], double mu, double eps)
{
    rig r = stack(width, mu, eps);
    double start[9], moved = 0.0, speed = 0.0, floor = 0.0;
    memcpy(start, r.x->q, sizeof start);
    rig_steps(&r, SP_METHOD_MOREAU, 1e-3, 1000);
    for (int k = 0; k < 9; k++) {
        moved = check_worse(moved, fabs(r.x->q[k] - start[k]));
        speed = check_worse(speed, fabs(r.x->u[k]));
    }
    for (int k = 0; k < r.m->n_slot; k++) {
        floor += strncmp(r.m->slot[k].name, "f.", 2) == 0 ? r.x->contact[k].P_N : 0.0;
    }
    print_message("stack %g %g %g mu %g eps %g: moved %.1e, speed %.1e, floor carries %.6f N, %d "
                  "events, complementarity %.1e, gap %.1e\n",
                  width[0], width[1], width[2], mu, eps, moved, speed, floor / 1e-3, r.n_event,
                  r.worst.complementarity, r.worst.gap);
    assert_true(moved < 1e-9);
    assert_true(speed < 1e-9);
    assert_near(floor / 1e-3, 6.0 * g, 1e-6);
    assert_true(r.n_event <= 3 * r.m->n_slot);
    assert_true(r.worst.complementarity < 1e-10);
    rig_free(&r);
}

static void stack_of_boxes_stays_at_rest(void **ctx)
{
    (void)ctx;
    static const double width[][3] = {{0.3, 0.2, 0.1}, {0.1, 0.2, 0.3}, {0.2, 0.3, 0.1}};
    for (int i = 0; i < 12; i++) {
        check_stack(width[i % 3], i / 3 % 2 == 0 ? 0.0 : 0.3, i < 6 ? 0.0 : 0.5);
    }
}

/* Corner lies on corner. */
static void stack_of_equal_boxes_stays_at_rest(void **ctx)
{
    (void)ctx;
    static const double width[3] = {0.2, 0.2, 0.2};
    check_stack(width, 0.3, 0.0);
    check_stack(width, 0.0, 0.5);
}

/* A box dropped on a box of its size, a little to the side, must lie on it in the end. */
static void box_dropped_on_an_equal_box_stays_on_it(void **ctx)
{
    (void)ctx;
    static const double aside[] = {1e-2, 1e-3, 1e-4, 1e-6, 0.0};
    double height[5];
    for (int i = 0; i < 5; i++) {
        rig r = rig_of_text(
            HEAD "bodies:\n  ground: {contours: {floor: {line: [0, 1]}}}\n"
                 "  a: {mass: 3 kg, inertia: 0.03 kg*m^2, contours: {hull: {box: [0.2 m, "
                 "0.1 m]}}}\n"
                 "  b: {mass: 2 kg, inertia: 0.02 kg*m^2, contours: {hull: {box: [0.2 m, "
                 "0.1 m]}}}\n"
                 "laws: {l: {mu: 0.3}}\n"
                 "contacts: {f: {between: [a, ground], law: l}, ab: {between: [a, b], "
                 "law: l}}\n"
                 "start: {a.y: 0.05 m, b.y: 0.25 m, b.x: %g m}\n",
            aside[i]);
        rig_steps(&r, SP_METHOD_MOREAU, 1e-3, 1000);
        height[i] = r.x->q[rig_dof(&r, "b.joint.y")];
        print_message("dropped %g m aside: lies at %.6f m, %d events, complementarity %.1e\n",
                      aside[i], height[i], r.n_event, r.worst.complementarity);
        rig_free(&r);
    }
    for (int i = 0; i < 5; i++) {
        assert_near(height[i], 0.15, 1e-6);
    }
}

/* Balls one upon the other: contact k carries the balls above it. */
static void column_of_balls_carries_its_weight(void **ctx)
{
    (void)ctx;
    enum { N = 12 };
    rig r = rig_of_text(HEAD "bodies:\n  ground: {contours: {floor: {line: [0, 1]}}}\n"
                             "  ball: {count: %d, mass: i*0.1 kg, joint: {prismatic: ground, axis: "
                             "[0, 1]}, contours: {skin: {circle: 0.05 m}}}\n"
                             "contacts:\n  c: {count: %d, between: [ball.(i), ball.(i-1)], first: "
                             "[ball.1, ground], law: {eps_N: 0.2}}\n"
                             "start: {ball.y: (i - 0.5)*0.1 m}\n",
                        N, N);
    rig_steps(&r, SP_METHOD_MOREAU, 1e-3, 500);
    assert_int_equal(r.m->n_slot, N);
    double worst = 0.0;
    for (int k = 0; k < N; k++) {
        double above = 0.0;
        for (int j = k; j < N; j++) {
            above += 0.1 * (j + 1) * g;
        }
        worst = check_worse(worst, fabs(r.x->contact[k].P_N / 1e-3 / above - 1.0));
        assert_near_scaled(r.x->q[k], 0.1 * (k + 0.5), 1.0, 1e-10);
    }
    print_message("column of %d balls: forces off by %.1e, %d events\n", N, worst, r.n_event);
    assert_true(worst < 1e-9);
    assert_true(r.n_event <= N);
    rig_free(&r);
}

/* Two equal balls with eps_N = 1 exchange their velocities; with 0 they share them. */
static void two_balls_share_their_velocities(void **ctx)
{
    (void)ctx;
    const double eps[] = {1.0, 0.5, 0.0};
    for (int i = 0; i < 3; i++) {
        rig r = rig_of_text("specht: 1\nspace: planar\ngravity: 0\n"
                            "bodies:\n  a: {mass: 1 kg, inertia: 1e-3 kg*m^2, contours: {s: "
                            "{circle: 0.1 m}}}\n"
                            "  b: {mass: 1 kg, inertia: 1e-3 kg*m^2, contours: {s: {circle: 0.1 "
                            "m}}}\n"
                            "contacts: {c: {between: [a, b], law: {mu: 0.3, eps_N: %g}}}\n"
                            "start: {a.x: -0.3 m, b.x: 0.2 m, a.vx: 2 m/s, b.vx: -1 m/s}\n",
                            eps[i]);
        rig_steps(&r, SP_METHOD_MOREAU, 7e-4, 300);
        const double mean = 0.5, apart = eps[i] * 3.0;
        assert_near(r.x->u[rig_dof(&r, "a.joint.x")], mean - 0.5 * apart, 1e-12);
        assert_near(r.x->u[rig_dof(&r, "b.joint.x")], mean + 0.5 * apart, 1e-12);
        assert_int_equal(rig_count(&r, SP_EVENT_IMPACT, -1), 1);
        assert_near(rig_event(&r, SP_EVENT_IMPACT, -1, 0)->energy_lost,
                    0.25 * (1.0 - eps[i] * eps[i]) * 9.0, 1e-12);
        rig_free(&r);
    }
}

/* A block that fills its guide: all four corners closed.  What the walls press against each other
 * is not determined, what moves is. */
static void block_that_fills_its_guide_slides_straight(void **ctx)
{
    (void)ctx;
    const double mu[] = {0.0, 0.2}, eps[] = {0.0, 0.4};
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 2; k++) {
            rig r = rig_of_text(
                HEAD "bodies:\n"
                     "  ground: {contours: {upper: {line: [0, -1], at: [0, 25 mm]}, lower: {line: "
                     "[0, 1], at: [0, -25 mm]}}}\n"
                     "  block: {mass: 1 kg, inertia: 1e-3 kg*m^2, contours: {hull: {box: [100 mm, "
                     "50 mm]}}}\n"
                     "contacts: {c: {between: [block, ground], law: {mu: %g, eps_N: %g}}}\n"
                     "start: {block.vx: 3 m/s}\n",
                mu[i % 2], eps[i / 2]);
            rig_steps(&r, methods[k], 1e-4, 1000);
            const double vx = r.x->u[0];
            assert_near_scaled(r.x->q[1], 0.0, 1.0, 1e-10);
            assert_near_scaled(r.x->q[2], 0.0, 1.0, 1e-9);
            assert_near_scaled(r.x->u[1], 0.0, 1.0, 1e-9);
            if (mu[i % 2] == 0.0) {
                assert_near(vx, 3.0, 1e-12);
            } else { /* at least the weight is carried; pressed walls brake more */
                assert_true(vx <= 3.0 - 0.2 * g * 0.1 + 1e-9 && vx >= 0.0);
            }
            assert_true(r.worst.complementarity < 1e-10);
            assert_true(r.worst.closure < 1e-12);
            assert_true(r.worst.gap < 1e-9);
            rig_free(&r);
        }
    }
}

/* Without play and friction the slider-crank is the mechanism of the textbooks: the rod's angle
 * follows the crank's, sin(th2) = -l1/l2 sin(th1). */
static void slider_crank_without_play_is_the_ideal_mechanism(void **ctx)
{
    (void)ctx;
    const char *const override[] = {"c=0 mm",       "mu=0",         "eps=0",        "outputs.y1=0",
                                    "outputs.y2=0", "outputs.y3=0", "outputs.y4=0", NULL};
    rig r = rig_of_file("examples/slider_crank/slider_crank.yaml", override);
    double worst = 0.0, turn = 0.0;
    for (int k = 0; k < 5000; k++) {
        double th[CRANK_N];
        rig_step(&r, SP_METHOD_MOREAU_MEAN, 1e-5);
        crank_absolute(r.x->q, th);
        worst = check_worse(worst, fabs(sin(th[1]) + 0.5 * sin(th[0])));
        turn = check_worse(turn, fabs(th[2]));
    }
    print_message("no play: sin(th2) off by %.1e, slider turns by %.1e rad, gap %.1e m, "
                  "complementarity %.1e, closure %.1e\n",
                  worst, turn, r.worst.gap, r.worst.complementarity, r.worst.closure);
    assert_true(worst < 1e-8);
    assert_true(turn < 1e-7);
    assert_true(r.worst.complementarity < 1e-10);
    assert_true(r.worst.closure < 1e-12);
    assert_true(r.worst.gap < 1e-9);
    rig_free(&r);
}

/* The same pair in two contact elements: percussions are shared, the motion is that of one. */
static void contacts_listed_twice_move_like_contacts_listed_once(void **ctx)
{
    (void)ctx;
    static const char *const more[] = {
        "", ", d: {between: [block, ground], law: l}",
        ", d: {between: [block, ground], law: l}, e: {between: [block, ground], law: l}"};
    double q[3][3], u[3][3];
    for (int i = 0; i < 3; i++) {
        rig r = rig_of_text(HEAD "bodies:\n  ground: {contours: {floor: {line: [0, 1]}}}\n"
                                 "  block: {mass: 1 kg, inertia: 0.01 kg*m^2, contours: {hull: "
                                 "{box: [0.2 m, 0.1 m]}}}\n"
                                 "laws: {l: {mu: 0.3, eps_N: 0.4}}\n"
                                 "contacts: {c: {between: [block, ground], law: l}%s}\n"
                                 "start: {block.y: 0.5 m, block.phi: 0.3, block.vx: 2 m/s}\n",
                            more[i]);
        rig_steps(&r, SP_METHOD_MOREAU, 5e-4, 2000);
        assert_int_equal(r.m->n_slot, 4 * (i + 1));
        memcpy(q[i], r.x->q, sizeof q[i]);
        memcpy(u[i], r.x->u, sizeof u[i]);
        print_message("listed %d times: x %.12f, phi %.12f, complementarity %.1e\n", i + 1, q[i][0],
                      q[i][2], r.worst.complementarity);
        for (int k = 0; k < 3; k++) {
            assert_near(q[i][k], q[0][k], 1e-8);
            assert_near(u[i][k], u[0][k], 1e-8);
        }
        assert_true(r.worst.complementarity < 1e-10);
        assert_true(r.worst.closure < 1e-12);
        rig_free(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stack_of_boxes_stays_at_rest),
        cmocka_unit_test(stack_of_equal_boxes_stays_at_rest),
        cmocka_unit_test(box_dropped_on_an_equal_box_stays_on_it),
        cmocka_unit_test(column_of_balls_carries_its_weight),
        cmocka_unit_test(two_balls_share_their_velocities),
        cmocka_unit_test(block_that_fills_its_guide_slides_straight),
        cmocka_unit_test(slider_crank_without_play_is_the_ideal_mechanism),
        cmocka_unit_test(contacts_listed_twice_move_like_contacts_listed_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
