/* Coins under time stepping: on each other, on boxes, under rods; closed forms and statics. */
#include "integrators/event.h"
#include "support/check.h"
#include "support/run.h"

#include <string.h>

#define GRAVITY 9.81

/* Certificates as in test_space_contact.c. */
#define TOL_CERTIFIED 1e-9

static void check_steps(const rig *r)
{
    assert_true(r->worst.complementarity < TOL_CERTIFIED);
    assert_true(r->worst.cone < 1e-12);
    assert_true(r->worst.momentum < 1e-12);
    assert_true(r->worst.gap < 1e-9);
}

/* Three coins, the second turned against the others, the third to the side: 10 s, no drift. */
static void three_coins_on_each_other_stand(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(
        "specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\nparameters: {r: 12 mm, l: 2 mm}\n"
        "bodies:\n"
        "  ground: {contours: {table: {plane: [0, 0, 1]}}}\n"
        "  coin:\n    count: 3\n    mass: 7 g\n"
        "    inertia: [2.5e-7 kg*m^2, 2.5e-7 kg*m^2, 5e-7 kg*m^2]\n"
        "    contours: {edge: {disc: r, length: l}}\n"
        "contacts: {pile: {between: [coin, [coin, ground.table]], law: {mu: 0.3}}}\n"
        "start: {coin.z: l/2 + (i - 1)*l, coin.2.turn: {z: 0.3 rad}, coin.3.x: 5 mm}\n"
        "run: {until: 10 s, method: moreau, step: 10 ms}\n");
    double q[3 * 7];
    for (int i = 0; i < r.m->n_q; i++) {
        q[i] = r.x->q[i];
    }
    rig_steps(&r, SP_METHOD_MOREAU, 1e-2, 1000);
    check_steps(&r);
    for (int i = 0; i < r.m->n_q; i++) {
        assert_near(r.x->q[i], q[i], 1e-9);
    }
    rig_free(&r);
}

/* v = g (sin a - mu cos a) t on a tilted box, from any place of the coin on it. */
static void a_coin_slides_down_a_box_as_a_block_does(void **ctx)
{
    (void)ctx;
    const double slope = 0.5, mu = 0.3, t = 0.3;
    for (int k = 0; k < 3; k++) {
        rig r =
            rig_of_text("specht: 1\nspace: spatial\ngravity: [%.17g m/s^2, 0, %.17g m/s^2]\n"
                        "bodies:\n"
                        "  ground: {contours: {block: {box: [4 m, 1 m, 0.2 m]}}}\n"
                        "  coin: {mass: 30 g, inertia: [3e-6 kg*m^2, 3e-6 kg*m^2, 6e-6 kg*m^2],\n"
                        "         contours: {edge: {disc: 20 mm, length: 4 mm}}}\n"
                        "contacts: {slide: {between: [coin, ground.block], law: {mu: %.17g}}}\n"
                        "start: {coin.z: 0.102 m, coin.x: -1 m, coin.y: %.17g m}\n"
                        "run: {until: 1 s, method: moreau, step: 1 ms}\n",
                        GRAVITY * sin(slope), -GRAVITY * cos(slope), mu,
                        0.2451 * k); /* 490 mm: over the edge */
        rig_steps(&r, SP_METHOD_MOREAU, 1e-3, 300);
        check_steps(&r);
        assert_near(r.x->u[rig_dof(&r, "coin.joint.x")],
                    GRAVITY * (sin(slope) - mu * cos(slope)) * t, 1e-12);
        assert_near(r.x->q[rig_dof(&r, "coin.joint.z")], 0.102, 1e-12);
        rig_free(&r);
    }
}

/* A coin dropped flat on another: v_0 = sqrt(2 g h), then up with eps v_0 by Newton's law, and no
 * spin but what its place asks for, which is none in the middle. */
static void a_coin_dropped_flat_on_a_coin_rebounds_flat(void **ctx)
{
    (void)ctx;
    const double eps = 0.5, v_0 = 1.0, dt = 1e-3;
    rig r = rig_of_text(
        "specht: 1\nspace: spatial\ngravity: 0\n"
        "bodies:\n"
        "  ground: {contours: {coin: {disc: 20 mm, length: 4 mm}}}\n"
        "  coin: {mass: 30 g, inertia: [3e-6 kg*m^2, 3e-6 kg*m^2, 6e-6 kg*m^2],\n"
        "         contours: {edge: {disc: 12 mm, length: 4 mm}}}\n"
        "contacts: {hit: {between: [coin, ground.coin], law: {mu: 0.2, eps_N: %.17g}}}\n"
        "start: {coin.z: 14.3 mm, coin.vz: %.17g m/s, coin.x: 3 mm, coin.turn: {z: 0.2 rad}}\n"
        "run: {until: 1 s, method: moreau, step: 1 ms}\n",
        eps, -v_0);
    rig_steps(&r, SP_METHOD_MOREAU, dt, 20);
    check_steps(&r);
    assert_near(r.x->u[rig_dof(&r, "coin.joint.z")], eps * v_0, 1e-12);
    for (int i = 3; i < 6; i++) {
        assert_near(r.x->u[i], 0.0, 1e-10);
    }
    rig_free(&r);
}

/* A rod hinged to the ground lies on the rim of a coin: its weight's moment about the hinge is that
 * of the contact, across the rod. */
static void a_rod_across_a_rim_presses_as_its_weight_asks(void **ctx)
{
    (void)ctx;
    const double R = 0.02, top = 0.01, a = 0.003, d = 0.08, m = 0.1, dt = 1e-3, half = 0.05;
    /* the axis of the rod passes the rim at (R, top) at the distance a, and the hinge at (d, 0) */
    const double way = hypot(d - R, top), phi = atan2(top, d - R) + asin(a / way);
    const double arm = sqrt(way * way - a * a), N = m * GRAVITY * half * cos(phi) / arm;
    rig r = rig_of_text(
        "specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\n"
        "bodies:\n"
        "  ground: {contours: {coin: {disc: %.17g m, length: %.17g m, at: [0, 0, %.17g m]}}}\n"
        "  rod: {mass: 0.1 kg, center: [-50 mm, 0, 0], inertia: 1e-4 kg*m^2,\n"
        "        joint: {revolute: ground, axis: [0, 1, 0], at: [%.17g m, 0, 0]},\n"
        "        contours: {skin: {capsule: 3 mm, length: 100 mm, axis: [1, 0, 0],\n"
        "                          at: [-50 mm, 0, 0]}}}\n"
        "contacts: {lean: {between: [rod, ground.coin], law: {mu: 0}}}\n"
        "start: {rod.joint.phi: %.17g rad}\n"
        "run: {until: 1 s, method: moreau, step: 1 ms}\n",
        R, top, 0.5 * top, d, phi + 1e-12);
    rig_steps(&r, SP_METHOD_MOREAU, dt, 200);
    check_steps(&r);
    assert_near(r.x->q[0], phi, 1e-9);
    double P = 0.0;
    for (int i = 0; i < r.w->n_hit; i++) {
        P += r.w->hit[i].P[0];
    }
    assert_near_scaled(P / dt, N, N, 1e-6);
    rig_free(&r);
}

/* A rod that falls over a coin comes to rest on its rim and on the table, and touches both. */
static void a_rod_leans_on_a_rim_and_the_table(void **ctx)
{
    (void)ctx;
    const double R = 0.02, top = 0.01, a = 0.003;
    rig r = rig_of_text(
        "specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\n"
        "bodies:\n"
        "  ground: {contours: {table: {plane: [0, 0, 1]},\n"
        "                      coin: {disc: 20 mm, length: 10 mm, at: [0, 0, 5 mm]}}}\n"
        "  rod: {mass: 0.1 kg, inertia: [8.3e-5 kg*m^2, 8.3e-5 kg*m^2, 5e-7 kg*m^2],\n"
        "        contours: {skin: {capsule: 3 mm, length: 100 mm}}}\n"
        "contacts: {lean: {between: [rod, [ground.table, ground.coin]], law: {mu: 0.8}}}\n"
        "start: {rod.x: 20 mm, rod.z: 23 mm, rod.turn: {y: 1.37 rad}}\n"
        "run: {until: 1 s, method: moreau, step: 0.5 ms}\n");
    rig_steps(&r, SP_METHOD_MOREAU, 5e-4, 2000);
    check_steps(&r);
    for (int i = 0; i < 6; i++) {
        assert_near(r.x->u[i], 0.0, 1e-9);
    }
    /* the axis (sin, 0, cos) of the rod passes the rim at the distance a, its end the table */
    const double *q = r.x->q, s = 2.0 * q[3] * q[5], c = 1.0 - 2.0 * q[5] * q[5];
    const double low = q[2] - 0.05 * fabs(c);
    assert_near(low, a, 1e-9);
    assert_near(fabs((R - q[0]) * c - (top - q[2]) * s), a, 1e-9);
    rig_free(&r);
}

/* Event-driven runs do not follow the rims of coins on each other: the message names the two. */
static void events_refuse_coins_on_each_other_by_name(void **ctx)
{
    (void)ctx;
    sp_error err;
    rig r =
        rig_of_text("specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\n"
                    "bodies:\n"
                    "  ground: {contours: {coin: {disc: 20 mm}}}\n"
                    "  coin: {mass: 30 g, inertia: 1e-6 kg*m^2, contours: {edge: {disc: 12 mm}}}\n"
                    "contacts: {hit: {between: [coin, ground.coin], law: {mu: 0.2}}}\n"
                    "start: {coin.z: 10 mm}\n"
                    "run: {until: 1 s, method: moreau, step: 1 ms}\n");
    assert_int_equal(sp_events_check(r.m, 1e-9, &err), SP_E_INPUT);
    assert_non_null(strstr(err.text, "'coin.edge' against 'ground.coin'"));
    rig_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_coins_on_each_other_stand),
        cmocka_unit_test(a_coin_slides_down_a_box_as_a_block_does),
        cmocka_unit_test(a_coin_dropped_flat_on_a_coin_rebounds_flat),
        cmocka_unit_test(a_rod_across_a_rim_presses_as_its_weight_asks),
        cmocka_unit_test(a_rod_leans_on_a_rim_and_the_table),
        cmocka_unit_test(events_refuse_coins_on_each_other_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
