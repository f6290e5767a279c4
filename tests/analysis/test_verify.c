/* Two kinds of methods compared: they agree where the machine lets them, part where it is chaotic,
 * and contradict each other where the machines differ. */
#include "support/check.h"
#include "support/run.h"

#include "analysis/verify.h"

#include <stdio.h>
#include <string.h>

/* Compare two methods, n of them by name. */
static sp_verify_report verify_by(const rig *a, const rig *b, double until, double step, int n,
                                  sp_method first, sp_method second)
{
    sp_error err = {.status = SP_OK};
    sp_verify_report report;
    sp_verify_options o = sp_verify_options_default(NULL);
    o.until = until;
    o.step = step;
    o.samples = 200;
    o.n_method = n;
    o.method[0] = first;
    o.method[1] = second;
    assert_int_equal(sp_verify(a->m, b->m, &o, NULL, &report, &err), SP_OK);
    print_message(
        "  trust %.4g of %.4g s, compared %.4g, apart %.1e, order %.2f, matched %d of %d, "
        "conflict %d%s%s\n",
        report.trust, until, report.compared, report.apart[2], report.order, report.matched,
        report.impacts[0], report.contradicts, report.failed[0] ? ", " : "", report.failed);
    return report;
}

/* Compare the methods that are taken by themselves. */
static sp_verify_report verify(const rig *a, const rig *b, double until, double step)
{
    return verify_by(a, b, until, step, 0, SP_METHOD_EVENT, SP_METHOD_EVENT);
}

static void slider_crank_agrees(void **ctx)
{
    (void)ctx;
    rig r = rig_slider_crank(0.0);
    const sp_verify_report v = verify(&r, &r, 0.02, 1e-5);
    assert_true(v.reference.method == SP_METHOD_EVENT && !v.contradicts && v.failed[0] == '\0');
    assert_true(v.trust == 0.02 && v.compared == 0.02);
    assert_true(v.apart[2] < 1e-3 && v.apart[2] < v.apart[0]);
    assert_true(v.matched >= 6);
    rig_free(&r);
}

static void woodpecker_agrees(void **ctx)
{
    (void)ctx;
    rig r = rig_of_file("examples/woodpecker/woodpecker.yaml", NULL);
    const sp_verify_report v = verify(&r, &r, 0.3, 2e-5);
    assert_true(!v.contradicts && v.trust > 0.1);
    assert_true(v.apart[2] < 1e-2);
    rig_free(&r);
}

/* A pendulum. */
static rig pendulum(double g)
{
    return rig_of_text("specht: 1\nunits: off\nspace: planar\ngravity: %.17g\nbodies:\n"
                       "  p: {mass: 1, inertia: 0.1, joint: {revolute: ground}, center: [0.5, 0]}\n"
                       "start: {p.phi: 0.3}\n",
                       g);
}

/* The stepped pendulum has another gravity by 3e-8 of it: too little for a contradiction, and no
 * step brings its runs nearer.  With the same gravity they converge. */
static void a_floor_is_told_beside_agreement(void **ctx)
{
    (void)ctx;
    rig a = pendulum(9.81), b = pendulum(9.81 * (1.0 + 3e-8));
    const sp_verify_report v = verify_by(&a, &b, 1.0, 1e-3, 2, SP_METHOD_SMOOTH, SP_METHOD_RK4);
    assert_true(!v.contradicts && !v.unsettled && v.gain == SP_VERIFY_FLOOR);
    assert_true(v.apart[2] > 1e-9 && v.gain_all < 2.0);
    const sp_verify_report twice = verify_by(&a, &a, 1.0, 1e-3, 2, SP_METHOD_SMOOTH, SP_METHOD_RK4);
    assert_true(twice.gain == SP_VERIFY_GAINS || twice.gain == SP_VERIFY_EXACT);
    rig_free(&a);
    rig_free(&b);
}

/* Two bars that rattle on a shelf as one: both ends come to rest at the same time, which is one. */
static void clatter_counts_by_its_times(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text("specht: 1\nunits: off\nspace: planar\ngravity: 10\nbodies:\n"
                        "  ground: {contours: {floor: {line: [0, 1]}}}\n"
                        "  a: {mass: 1, joint: {prismatic: ground, axis: [0, 1]},\n"
                        "      contours: {tip: {point: [0, 0]}}}\n"
                        "  b: {mass: 2, joint: {prismatic: ground, axis: [0, 1]},\n"
                        "      contours: {tip: {point: [0, 0]}}}\n"
                        "contacts: {c: {between: [a, ground], law: {eps_N: 0.5}},\n"
                        "           d: {between: [b, ground], law: {eps_N: 0.5}}}\n"
                        "start: {a.joint.s: 0.2, b.joint.s: 0.2}\n");
    const sp_verify_report v = verify(&r, &r, 1.0, 1e-3);
    assert_int_equal(v.zeno, 1);
    assert_int_equal(v.alone[0] + v.alone[1], 0);
    rig_free(&r);
}

/* A block that a motion draws over the floor is where it should be whatever friction there is: what
 * friction takes tells them apart.  With the same friction it is m g mu v t = 6 J, and both agree;
 * positions are exact, and have no order. */
static void energies_tell_what_positions_do_not(void **ctx)
{
    (void)ctx;
    static const char text[] = "specht: 1\nunits: off\nspace: planar\ngravity: 10\n"
                               "bodies:\n"
                               "  ground: {contours: {floor: {line: [0, 1]}}}\n"
                               "  sled: {mass: 1, joint: {prismatic: ground, axis: [1, 0],\n"
                               "         motion: {s: 2*t}}}\n"
                               "  block: {mass: 1, joint: {prismatic: sled, axis: [0, 1]},\n"
                               "          contours: {foot: {point: [0, 0]}}}\n"
                               "contacts: {c: {between: [block, ground], law: {mu: %s}}}\n";
    char rough[sizeof text + 8], smooth[sizeof text + 8];
    snprintf(rough, sizeof rough, text, "0.3");
    snprintf(smooth, sizeof smooth, text, "0.2");
    rig a = rig_of_text("%s", rough), b = rig_of_text("%s", smooth);
    const sp_verify_report same = verify(&a, &a, 1.0, 1e-3), other = verify(&a, &b, 1.0, 1e-3);
    assert_true(!same.unsettled && same.energy.lost < 1e-9 && isnan(same.order));
    assert_true(other.apart[2] < 1e-9 && !other.contradicts);
    assert_true(other.unsettled && other.other_energy && other.energy.lost > 0.1);
    rig_free(&a);
    rig_free(&b);
}

/* A plank on three feet, the middle one rough, slows down by one of a continuum (31.6) until it
 * sticks; both methods take the same.  Beside it a ball falls, stepped with another restitution,
 * and meets the floor at 0.25 s while the plank slides, or at 0.5 s when it stands: what is told of
 * the plank excuses neither. */
static void what_is_told_of_other_bodies_or_earlier_excuses_nothing(void **ctx)
{
    (void)ctx;
    static const char text[] =
        "specht: 1\nunits: off\nspace: planar\ngravity: 10\nbodies:\n"
        "  ground: {contours: {floor: {line: [0, 1]}}}\n"
        "  plank: {mass: 1, inertia: 0.1, contours: {a: {point: [-0.5, 0]}, b: {point: [0, 0]},\n"
        "          c: {point: [0.5, 0]}}}\n"
        "  ball: {mass: 1, joint: {prismatic: ground, axis: [0, 1]},\n"
        "         contours: {p: {point: [0, 0]}}}\n"
        "contacts:\n"
        "  ends: {between: [[plank.a, plank.c], ground], law: {mu: 0}}\n"
        "  rough: {between: [plank.b, ground], law: {mu: 0.4}}\n"
        "  hop: {between: [ball, ground], law: {eps_N: %s}}\n"
        "start: {plank.vx: 1, ball.joint.s: %s}\n";
    const char *const height[] = {"0.3125", "1.25"};
    const double hit[] = {0.25, 0.5};
    for (int k = 0; k < 2; k++) {
        char one[sizeof text + 16], two[sizeof text + 16];
        snprintf(one, sizeof one, text, "0.5", height[k]);
        snprintf(two, sizeof two, text, "0.6", height[k]);
        rig a = rig_of_text("%s", one), b = rig_of_text("%s", two);
        const sp_verify_report same = verify(&a, &a, 0.6, 1e-4), other = verify(&a, &b, 0.6, 1e-4);
        assert_true(!same.contradicts && !same.several && same.choice.n_found < 0);
        assert_true(other.contradicts && !other.several);
        assert_true(other.choice.n_found == 0 && other.choice.t == 0.0); /* told, and no excuse */
        assert_near(other.t_parted, hit[k], 0.6 / 200 + 1e-9);
        assert_int_equal(isinf(other.choice.t_end), 0);
        rig_free(&a);
        rig_free(&b);
    }
}

/* A compound pendulum has no contact to fall anywhere in a step: both halvings say 2. */
static void a_pendulum_is_of_second_order(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text("specht: 1\nspace: planar\ngravity: 9.81 m/s^2\n"
                        "bodies:\n"
                        "  a: {mass: 1 kg, inertia: 0.01 kg*m^2, center: [1, 0],\n"
                        "      joint: {revolute: ground}}\n"
                        "start: {a.phi: 1 rad}\nrun: {until: 1 s}\n");
    const sp_verify_report v = verify(&r, &r, 1.0, 1e-3);
    assert_true(v.reference.method == SP_METHOD_SMOOTH && !v.contradicts && v.compared == 1.0);
    assert_near(v.order, 2.0, 0.01);
    assert_near(v.order_u, 2.0, 0.01);
    assert_true(v.spread < 0.01 && v.spread_u < 0.01);
    assert_true(v.mean[0] < v.apart[0] && v.mean[2] < v.apart[2]);
    rig_free(&r);
}

static void bouncing_ball_agrees_with_first_order(void **ctx)
{
    (void)ctx;
    rig r = rig_of_file("tests/data/good/bouncing_ball.yaml", NULL);
    const sp_verify_report v = verify(&r, &r, 2.0, 1e-3);
    assert_true(!v.contradicts && v.trust == 2.0);
    assert_true(v.impacts[0] == v.matched && v.matched >= 2);
    assert_true(v.energy.kept < 1e-2);
    rig_free(&r);
}

/* The same ball, but stepped with another restitution: each method converges, to different things.
 */
static void different_machines_contradict_each_other(void **ctx)
{
    (void)ctx;
    const char *const other[] = {"contacts.bounce.law.eps_N=0.85", NULL};
    rig a = rig_of_file("tests/data/good/bouncing_ball.yaml", NULL);
    rig b = rig_of_file("tests/data/good/bouncing_ball.yaml", other);
    const sp_verify_report v = verify(&a, &b, 2.0, 1e-3);
    assert_true(v.contradicts);
    assert_true(v.t_contradicts > 0.4 &&
                v.t_contradicts < 0.6);     /* the first bounce is at 0.4515 s */
    assert_true(v.off > 20.0 * v.off_self); /* at that time, not the largest of the whole run */
    rig_free(&a);
    rig_free(&b);
}

/* Two bodies on a ball joint, whose feet hit the floor 1.6e-7 s after each other: steps of 7.5e-6 s
 * to 3e-5 s take that for one impact and agree on another motion, shorter ones do not. */
static void impacts_within_one_step_are_no_contradiction(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(
        "specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\n"
        "bodies:\n"
        "  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
        "  a: {mass: 1.752 kg, inertia: [0.00108616 kg*m^2, 0.00353638 kg*m^2, 0.00337307 "
        "kg*m^2],\n"
        "      contours: {skin: {ellipsoid: [0.09116 m, 0.03629 m, 0.04222 m]}}}\n"
        "  b: {mass: 0.2165 kg, inertia: [0.000381156 kg*m^2, 0.000410412 kg*m^2, 0.000147857 "
        "kg*m^2],\n"
        "      joint: {spherical: a, at: [0.25 m, 0, 0], from: [-0.05 m, 0, 0]},\n"
        "      contours: {skin: {ellipsoid: [0.04522 m, 0.03701 m, 0.08622 m]}}}\n"
        "contacts: {floor: {between: [[a, b], ground.floor], law: {mu: 0.09061, eps_N: 0.4171}}}\n"
        "start: {a.x: 0.05 m, a.z: 0.1103 m, a.vx: -0.8713 m/s, a.vy: -0.9346 m/s, a.vz: -0.06991 "
        "m/s,\n"
        "        a.omega_x: -4.285 rad/s, a.omega_y: -6.71 rad/s, a.omega_z: -0.5401 rad/s}\n"
        "run: {until: 0.3 s}\n");
    const sp_verify_report v = verify(&r, &r, 0.3, 3e-5);
    assert_true(!v.contradicts && v.trust == 0.3);
    assert_true(v.other.grain[0] < 4e-6 && v.apart[2] < 1e-3);
    rig_free(&r);
}

/* A double pendulum thrown about: no method can be trusted for long, and none contradicts. */
static void chaos_ends_trust_without_contradiction(void **ctx)
{
    (void)ctx;
    rig r =
        rig_of_text("specht: 1\nspace: planar\ngravity: 9.81 m/s^2\n"
                    "bodies:\n"
                    "  ground: {contours: {floor: {line: [0, 1], at: [0, -1.2]}}}\n"
                    "  a: {mass: 1 kg, inertia: 0.01 kg*m^2, joint: {revolute: ground}}\n"
                    "  b: {mass: 1 kg, inertia: 0.01 kg*m^2, center: [1, 0],\n"
                    "      joint: {revolute: a, at: [1, 0]}, contours: {tip: {point: [1, 0]}}}\n"
                    "contacts: {hit: {between: [b, ground], law: {eps_N: 0.9}}}\n"
                    "start: {a.phi: 2 rad, b.phi: 1 rad}\n"
                    "run: {until: 20 s}\n");
    sp_error err = {.status = SP_OK};
    sp_verify_report v;
    sp_verify_options o = sp_verify_options_default(NULL);
    o.until = 12.0;
    o.tolerance = 1e-7;
    o.step = 2e-3;
    assert_int_equal(sp_verify(r.m, r.m, &o, NULL, &v, &err), SP_OK);
    print_message("  trust %.3g s, compared %.3g s, conflict %d %s\n", v.trust, v.compared,
                  v.contradicts, v.failed);
    assert_true(v.trust > 0.2 && v.trust < 12.0);
    assert_true(v.compared <= v.trust && !v.contradicts);
    rig_free(&r);
}

/* A ball dropped from 1 m onto a floor, eps_N = 0.9, for 3 s: with steps of 15, 7.5 and 3.75 ms the
 * runs come no nearer, though none contradicts; a thirtieth of that settles it.  All runs are
 * certified.   theory (31.7) */
static void runs_that_come_no_nearer_are_not_settled(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text("specht: 1\nunits: off\nspace: planar\ngravity: 10\nbodies:\n"
                        "  ground: {contours: {floor: {line: [0, 1]}}}\n"
                        "  ball: {mass: 1, joint: {prismatic: ground, axis: [0, 1]}, contours: {t: "
                        "{point: [0, 0]}}}\n"
                        "contacts: {bounce: {between: [ball, ground], law: {eps_N: 0.9}}}\n"
                        "start: {ball.joint.s: 1}\n");
    const sp_verify_report coarse = verify(&r, &r, 3.0, 1.5e-2), fine = verify(&r, &r, 3.0, 5e-4);
    assert_true(coarse.unsettled && !coarse.contradicts);
    assert_true(coarse.apart[2] > 1e-3 && coarse.apart[2] > 0.5 * coarse.apart[0]);
    assert_true(!fine.unsettled && !fine.contradicts && fine.apart[2] < 1e-2);
    for (int k = 0; k < 2; k++) {
        assert_true(!fine.uncertified && fine.worst[k].complementarity <= SP_CERTIFIED);
        assert_true(fine.worst[k].momentum <= SP_CERTIFIED);
    }
    rig_free(&r);
}

/* Two methods with steps: the reference ends finer than the other, and finds what differs. */
static void methods_with_steps_are_compared_too(void **ctx)
{
    (void)ctx;
    const char *const other[] = {"contacts.bounce.law.eps_N=0.85", NULL};
    rig a = rig_of_file("tests/data/good/bouncing_ball.yaml", NULL);
    rig b = rig_of_file("tests/data/good/bouncing_ball.yaml", other);
    const sp_verify_report same =
        verify_by(&a, &a, 2.0, 1e-3, 2, SP_METHOD_MOREAU, SP_METHOD_MOREAU_MEAN);
    assert_true(same.reference.method == SP_METHOD_MOREAU && same.reference.stepped);
    assert_near(same.reference.grain[1], 0.125e-3, 1e-15);
    assert_near(same.other.grain[2], 0.25e-3, 1e-15);
    assert_true(!same.contradicts && same.trust == 2.0 && same.n_left == 0);
    const sp_verify_report differ =
        verify_by(&a, &b, 2.0, 1e-3, 2, SP_METHOD_MOREAU, SP_METHOD_MOREAU_MEAN);
    assert_true(differ.contradicts && differ.t_contradicts > 0.4 && differ.t_contradicts < 0.6);
    rig_free(&a);
    rig_free(&b);
}

/* By tolerance against by tolerance; the one with steps is never the reference of one without. */
static void the_order_of_names_does_not_matter(void **ctx)
{
    (void)ctx;
    rig r = rig_of_file("tests/data/good/bouncing_ball.yaml", NULL);
    const sp_verify_report one = verify_by(&r, &r, 1.0, 1e-3, 1, SP_METHOD_RK2, SP_METHOD_EVENT);
    assert_true(one.reference.method == SP_METHOD_EVENT && one.other.method == SP_METHOD_RK2);
    const sp_verify_report two =
        verify_by(&r, &r, 1.0, 1e-3, 2, SP_METHOD_THETA, SP_METHOD_ADAPTIVE);
    assert_true(two.reference.method == SP_METHOD_ADAPTIVE && two.other.method == SP_METHOD_THETA);
    const sp_verify_report fine =
        verify_by(&r, &r, 1.0, 1e-3, 2, SP_METHOD_EVENT, SP_METHOD_ADAPTIVE);
    assert_true(!fine.other.stepped && fine.apart[2] < 1e-5 && !fine.contradicts);
    rig_free(&r);
}

static void options_out_of_range_are_refused(void **ctx)
{
    (void)ctx;
    rig r = rig_slider_crank(0.0);
    sp_error err = {.status = SP_OK};
    sp_verify_report v;
    sp_verify_options o = sp_verify_options_default(NULL);
    assert_int_equal(sp_verify(r.m, r.m, &o, NULL, &v, &err), SP_E_INPUT);
    assert_non_null(strstr(err.text, "until"));
    o.until = 1.0;
    o.samples = 3;
    assert_int_equal(sp_verify(r.m, r.m, &o, NULL, &v, &err), SP_E_INPUT);
    o.samples = 20;
    o.n_method = 2;
    o.method[0] = o.method[1] = SP_METHOD_EVENT;
    assert_int_equal(sp_verify(r.m, r.m, &o, NULL, &v, &err), SP_E_INPUT);
    assert_non_null(strstr(err.text, "'event' is named twice"));
    rig_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slider_crank_agrees),
        cmocka_unit_test(woodpecker_agrees),
        cmocka_unit_test(a_floor_is_told_beside_agreement),
        cmocka_unit_test(energies_tell_what_positions_do_not),
        cmocka_unit_test(what_is_told_of_other_bodies_or_earlier_excuses_nothing),
        cmocka_unit_test(clatter_counts_by_its_times),
        cmocka_unit_test(a_pendulum_is_of_second_order),
        cmocka_unit_test(bouncing_ball_agrees_with_first_order),
        cmocka_unit_test(different_machines_contradict_each_other),
        cmocka_unit_test(impacts_within_one_step_are_no_contradiction),
        cmocka_unit_test(chaos_ends_trust_without_contradiction),
        cmocka_unit_test(runs_that_come_no_nearer_are_not_settled),
        cmocka_unit_test(methods_with_steps_are_compared_too),
        cmocka_unit_test(the_order_of_names_does_not_matter),
        cmocka_unit_test(options_out_of_range_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
