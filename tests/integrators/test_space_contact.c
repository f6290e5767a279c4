/* Contacts in space under time stepping: closed forms, invariants, and ways that must agree. */
#include "contact/con3.h"
#include "support/check.h"
#include "support/run.h"

#include <string.h>

#define GRAVITY 9.81

/* Certificates: the solver promises 1e-11 of at least a hundredth of the terms of velocities, which
 * are up to 1000 times the velocities that certificates are relative to. */
#define TOL_CERTIFIED 1e-9
#define TOL_LEDGER    1e-13

static const char ball_on_floor[] =
    "specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\n"
    "bodies:\n"
    "  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
    "  ball: {density: 1000 kg/m^3, shape: {sphere: 0.1 m}, contours: {skin: {sphere: 0.1 m}}}\n"
    "contacts: {rest: {between: [ball.skin, ground.floor], law: {mu: %g, eps_N: %g}}}\n"
    "start: {ball.z: %.17g, ball.vx: %.17g, ball.vy: %.17g}\n"
    "run: {until: 1 s, step: 1 ms, method: moreau}\n";

/* What every step has to keep. */
static void check_steps(const rig *r)
{
    assert_true(r->worst.complementarity < TOL_CERTIFIED);
    assert_true(r->worst.cone < 1e-12);
    assert_true(r->worst.momentum < 1e-12);
    assert_true(r->worst.closure < TOL_LEDGER);
    assert_true(r->worst.gap < 1e-9);
}

/* x at t of a ball that slides with v_0 and rolls from 2 v_0 / (7 mu g) on with 5/7 v_0. */
static double rolled(double v_0, double mu, double t)
{
    const double t_s = 2.0 * v_0 / (7.0 * mu * GRAVITY);
    return v_0 * t_s - 0.5 * mu * GRAVITY * t_s * t_s + 5.0 / 7.0 * v_0 * (t - t_s);
}

static void a_sliding_ball_rolls_with_five_sevenths_of_its_speed(void **ctx)
{
    (void)ctx;
    const double v_0 = 2.0, mu = 0.2, t = 0.5, t_s = 2.0 * v_0 / (7.0 * mu * GRAVITY);
    double dt[7], err[7];
    for (int k = 0; k < 7; k++) {
        const int n = 40 << k;
        rig r = rig_of_text(ball_on_floor, mu, 0.0, 0.1, v_0, 0.0);
        dt[k] = t / n;
        rig_steps(&r, SP_METHOD_MOREAU, dt[k], n);
        check_steps(&r);
        err[k] = fabs(r.x->q[rig_dof(&r, "ball.joint.x")] - rolled(v_0, mu, t));
        assert_near(r.x->u[rig_dof(&r, "ball.joint.x")], 5.0 / 7.0 * v_0, 1e-9);
        const sp_event *stick = rig_event(&r, SP_EVENT_STICK, 0, 0);
        assert_non_null(stick);
        assert_true(stick->t >= t_s && stick->t <= t_s + 1.001 * dt[k]);
        rig_free(&r);
    }
    /* the end of sliding falls anywhere into a step: second order in the place, never below first
     */
    assert_true(check_order(7, dt, err) > 1.2);
    assert_true(err[6] < 1e-5);
}

/* The disc knows no direction: the same motion along any other. */
static void friction_does_not_depend_on_the_direction_of_sliding(void **ctx)
{
    (void)ctx;
    rng random = {5};
    rig a = rig_of_text(ball_on_floor, 0.3, 0.2, 0.15, 1.5, 0.0);
    rig_steps(&a, SP_METHOD_MOREAU, 1e-3, 400);
    const int x = rig_dof(&a, "ball.joint.x"), y = rig_dof(&a, "ball.joint.y");
    for (int k = 0; k < 5; k++) {
        const double phi = rng_in(&random, 0.0, 6.0), c = cos(phi), s = sin(phi);
        rig b = rig_of_text(ball_on_floor, 0.3, 0.2, 0.15, 1.5 * c, 1.5 * s);
        rig_steps(&b, SP_METHOD_MOREAU, 1e-3, 400);
        assert_near(b.x->q[x], c * a.x->q[x], 1e-9);
        assert_near(b.x->q[y], s * a.x->q[x], 1e-9);
        assert_near(a.x->ledger.friction, b.x->ledger.friction, 1e-8);
        rig_free(&b);
    }
    check_steps(&a);
    rig_free(&a);
}

static void a_dropped_ball_comes_back_with_eps_times_its_speed(void **ctx)
{
    (void)ctx;
    const double eps = 0.7, height = 0.2, v = sqrt(2.0 * GRAVITY * height);
    rig r = rig_of_text(ball_on_floor, 0.0, eps, 0.1 + height, 0.0, 0.0);
    rig_steps(&r, SP_METHOD_MOREAU, 1e-4, 4000);
    const sp_event *hit = rig_event(&r, SP_EVENT_IMPACT, 0, 0);
    assert_non_null(hit);
    assert_near(hit->gamma_N_before, -v, 1e-3);
    assert_near(hit->gamma_N_after, -eps * hit->gamma_N_before, 1e-9);
    assert_near(hit->t, sqrt(2.0 * height / GRAVITY), 1e-3);
    check_steps(&r);
    rig_free(&r);
}

/* Tangential restitution reverses slip where friction suffices:  gamma_T+ = -eps_T gamma_T-. */
static void an_oblique_impact_reverses_slip_in_both_directions(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(
        "specht: 1\nspace: spatial\ngravity: 0\n"
        "bodies:\n"
        "  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
        "  ball: {density: 1000 kg/m^3, shape: {sphere: 0.1 m}, contours: {skin: {sphere: 0.1 "
        "m}}}\n"
        "contacts: {hit: {between: [ball, ground], law: {mu: 2, eps_N: 0.9, eps_T: 0.5}}}\n"
        "start: {ball.z: 0.101, ball.vz: -3 m/s, ball.vx: 0.3 m/s, ball.vy: -0.4 m/s}\n"
        "run: {until: 1 s, step: 1 ms, method: moreau}\n");
    rig_steps(&r, SP_METHOD_MOREAU, 1e-4, 20);
    const double *u = r.x->u;
    const double slip_x =
        u[rig_dof(&r, "ball.joint.x")] - 0.1 * u[4]; /* turned by next to nothing */
    const double slip_y = u[rig_dof(&r, "ball.joint.y")] + 0.1 * u[3];
    assert_near(u[rig_dof(&r, "ball.joint.z")], 2.7, 1e-9);
    assert_near(slip_x, -0.15, 1e-4);
    assert_near(slip_y, 0.2, 1e-4);
    const sp_event *hit = rig_event(&r, SP_EVENT_IMPACT, 0, 0);
    assert_near(hypot(hit->Lambda_T[0], hit->Lambda_T[1]) * hypot(0.3, -0.4),
                fabs(hit->Lambda_T[0] * 0.3 - hit->Lambda_T[1] * 0.4), 1e-9); /* along the slip */
    assert_near(hit->gamma_T_before, 0.5, 1e-9);
    assert_near(hit->gamma_T_after, 0.25, 1e-9);
    rig_free(&r);
}

/* A ball that rolls in a bowl swings with  omega^2 = 5 g / (7 (R - r)). */
static void a_ball_rolls_in_a_bowl_with_the_frequency_of_a_pendulum(void **ctx)
{
    (void)ctx;
    const double R = 0.5, radius = 0.1, swing = 0.01, length = R - radius;
    const double omega = sqrt(5.0 * GRAVITY / (7.0 * length)),
                 quarter = 0.5 * 3.141592653589793 / omega;
    rig r = rig_of_text("specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\n"
                        "bodies:\n"
                        "  ground: {contours: {bowl: {sphere: 0.5 m, inside: yes}}}\n"
                        "  ball: {density: 1000 kg/m^3, shape: {sphere: 0.1 m}, contours: {skin: "
                        "{sphere: 0.1 m}}}\n"
                        "contacts: {bowl: {between: [ball, ground], law: {mu: 0.5}}}\n"
                        "start: {ball.x: %.17g, ball.z: %.17g}\n"
                        "run: {until: 1 s, step: 1 ms, method: moreau}\n",
                        length * sin(swing), -length * cos(swing));
    const int x = rig_dof(&r, "ball.joint.x"), n = 1000;
    rig_steps(&r, SP_METHOD_MOREAU, quarter / n, n);
    assert_near_scaled(r.x->q[x], 0.0, length * swing, 2e-3); /* amplitude^2 / 16 and the step */
    assert_near(r.x->u[x], -omega * length * swing, 2e-3);
    rig_steps(&r, SP_METHOD_MOREAU, quarter / n, n);
    assert_near(r.x->q[x], -length * sin(swing), 2e-3);
    check_steps(&r);
    assert_true(r.x->ledger.friction <= 0.0);
    rig_free(&r);
}

/* v' = -g (mu^2 v_1, mu_2^2 v_2) / sqrt(mu^2 v_1^2 + mu_2^2 v_2^2): the force of an ellipse that
 * takes most energy; classical Runge-Kutta. */
static void slide_over_grain(double mu, double mu_2, double t, double v[2])
{
    const int n = 20000;
    const double dt = t / n, weight[4] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    const double ahead[4] = {0.0, 0.5, 0.5, 1.0};
    for (int i = 0; i < n; i++) {
        double k[2] = {0.0, 0.0}, sum[2] = {0.0, 0.0};
        for (int stage = 0; stage < 4; stage++) {
            const double a = v[0] + ahead[stage] * dt * k[0], b = v[1] + ahead[stage] * dt * k[1];
            const double s = sqrt(mu * mu * a * a + mu_2 * mu_2 * b * b);
            k[0] = -GRAVITY * mu * mu * a / s;
            k[1] = -GRAVITY * mu_2 * mu_2 * b / s;
            sum[0] += weight[stage] * k[0];
            sum[1] += weight[stage] * k[1];
        }
        v[0] += dt * sum[0];
        v[1] += dt * sum[1];
    }
}

static void anisotropic_friction_turns_the_path_towards_the_smooth_direction(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text("specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\n"
                        "bodies:\n"
                        "  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
                        "  puck: {mass: 1 kg, inertia: 1, joint: {free: ground, only: [x, y, z]},\n"
                        "         contours: {tip: {point: [0, 0, 0]}}}\n"
                        "contacts: {floor: {between: [puck, ground], law: {mu: 0.4, mu_2: 0.1}}}\n"
                        "start: {puck.vx: 1 m/s, puck.vy: 0.7 m/s}\n"
                        "run: {until: 1 s, step: 1 ms, method: moreau}\n");
    double v[2] = {1.0, 0.7};
    rig_steps(&r, SP_METHOD_MOREAU, 1e-4, 2000);
    slide_over_grain(0.4, 0.1, 0.2, v);
    assert_near(r.x->u[0], v[0], 1e-4); /* first order in the step */
    assert_near(r.x->u[1], v[1], 1e-4);
    assert_true(v[1] / v[0] > 1.0); /* it began with 0.7 */
    check_steps(&r);
    rig_free(&r);
}

/* ---- many balls --------------------------------------------------------------------------------
 */

/* n x n x n balls over a floor between walls, and how the pairs of balls are told. */
static rig heap(int n, const char *room)
{
    return rig_of_text("specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\nseed: 3\n"
                       "parameters: {r: 1 cm, a: %g cm, d: 2.2 cm}\n"
                       "bodies:\n"
                       "  ground: {contours: {floor: {plane: [0, 0, 1]}, left: {plane: [1, 0, 0], "
                       "at: [-a, 0, 0]},\n"
                       "    right: {plane: [-1, 0, 0], at: [a, 0, 0]}, front: {plane: [0, 1, 0], "
                       "at: [0, -a, 0]},\n"
                       "    back: {plane: [0, -1, 0], at: [0, a, 0]}}}\n"
                       "  ball: {count: %d, density: 2500 kg/m^3, shape: {sphere: r}, contours: "
                       "{skin: {sphere: r}}}\n"
                       "contacts:\n"
                       "  walls: {between: [ball, ground], law: {mu: 0.4}}\n"
                       "  balls: {between: [ball, ball], law: {mu: 0.4}%s}\n"
                       "start:\n"
                       "  ball.x: (((i - 1) mod %d) - %g)*d + (rand - 0.5)*1 mm\n"
                       "  ball.y: ((floor((i - 1)/%d) mod %d) - %g)*d + (rand - 0.5)*1 mm\n"
                       "  ball.z: 1.05*r + floor((i - 1)/%d)*d\n"
                       "run: {until: 1 s, step: 1 ms, method: moreau}\n",
                       1.15 * n, n * n * n, room, n, 0.5 * (n - 1), n, n, 0.5 * (n - 1), n * n);
}

/* How far two runs of the same machine are apart in their coordinates. */
static double apart(const rig *a, const rig *b)
{
    double most = 0.0;
    for (int k = 0; k < a->m->n_q; k++) {
        most = check_worse(most, fabs(a->x->q[k] - b->x->q[k]));
    }
    return most;
}

static void lent_slots_give_the_motion_of_slots_of_their_own(void **ctx)
{
    (void)ctx;
    rig own = heap(2, ""), lent = heap(2, ", room: 20");
    assert_int_equal(own.m->n_pool, 0);
    assert_int_equal(lent.m->n_pool, 1);
    assert_int_equal(lent.m->n_slot, 60);
    for (int k = 0; k < 60; k++) {
        rig_step(&own, SP_METHOD_MOREAU, 1e-3);
        rig_step(&lent, SP_METHOD_MOREAU, 1e-3);
        assert_true(apart(&own, &lent) < 1e-9);
    }
    assert_true(own.worst.solves > 40);
    check_steps(&own);
    check_steps(&lent);
    rig_free(&own);
    rig_free(&lent);
}

static void a_problem_without_a_dense_matrix_has_the_same_solution(void **ctx)
{
    (void)ctx;
    rig dense = heap(3, ", room: 80"), sparse = heap(3, "");
    assert_non_null(dense.w->con.G);
    assert_null(sparse.w->con.G);
    for (int k = 0; k < 25; k++) { /* falling balls touch the floor and each other */
        rig_step(&dense, SP_METHOD_MOREAU, 1e-3);
        rig_step(&sparse, SP_METHOD_MOREAU, 1e-3);
        assert_true(apart(&dense, &sparse) < 1e-8);
    }
    check_steps(&dense);
    check_steps(&sparse);
    rig_free(&dense);
    rig_free(&sparse);
}

/* Vertical percussion of floor and walls on the balls in the last step: along n, t1 and t2. */
static double carried(rig *r)
{
    double sum = 0.0;
    for (int i = 0; i < r->m->n_slot; i++) {
        const sp_contact_memory *c = &r->x->contact[i];
        if (r->m->slot[i].kind == SP_SLOT_SPACE && c->active) {
            sp_contact_frame3 f;
            sp_con3_frame(r->m, r->x->numbers, &r->w->con, i, &f);
            sum += c->P_N * f.n.z + c->P_T * f.t[0].z + c->P_T2 * f.t[1].z;
        }
    }
    return sum;
}

static void a_heap_comes_to_rest_and_the_floor_carries_it(void **ctx)
{
    (void)ctx;
    rig r = heap(2, ", room: 20");
    const double dt = 1e-3, mass = 2500.0 * 4.0 / 3.0 * 3.141592653589793 * 1e-6;
    double P = 0.0;
    rig_steps(&r, SP_METHOD_MOREAU, dt, 600);
    for (int k = 0; k < 200; k++) {
        rig_step(&r, SP_METHOD_MOREAU, dt);
        P += carried(&r);
    }
    /* what is left of the motion, m v against the weight over 0.2 s */
    assert_true(r.x->ledger.kinetic < 1e-5);
    const double moving = sqrt(2.0 * 8.0 * mass * r.x->ledger.kinetic);
    assert_near_scaled(P, 8.0 * mass * GRAVITY * 0.2, 1.0, 2.0 * moving + 1e-4);
    check_steps(&r);
    rig_free(&r);
}

static void wiping_the_work_between_steps_changes_no_bit(void **ctx)
{
    (void)ctx;
    rig a = heap(2, ", room: 20"), b = heap(2, ", room: 20");
    for (int k = 0; k < 80; k++) {
        rig_step(&a, SP_METHOD_MOREAU, 1e-3);
        rig_step(&b, SP_METHOD_MOREAU, 1e-3);
        sp_work_free(b.w);
        assert_int_equal(sp_work_new(b.m, NULL, &b.w, NULL), SP_OK);
        assert_memory_equal(a.x->q, b.x->q, (size_t)a.m->n_q * sizeof(double));
        assert_memory_equal(a.x->u, b.x->u, (size_t)a.m->n_dof * sizeof(double));
    }
    rig_free(&a);
    rig_free(&b);
}

static void more_pairs_than_room_are_told(void **ctx)
{
    (void)ctx;
    rig r = heap(2, ", room: 2");
    sp_error err = {.text = ""};
    sp_status status = SP_OK;
    for (int k = 0; k < 600 && status == SP_OK; k++) {
        status = sp_step(r.m, r.x, r.w, SP_METHOD_MOREAU, 1e-3, NULL, &err);
    }
    assert_int_equal(status, SP_E_CAPACITY);
    assert_non_null(strstr(err.text, "give the contact more with 'room: n'"));
    rig_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sliding_ball_rolls_with_five_sevenths_of_its_speed),
        cmocka_unit_test(friction_does_not_depend_on_the_direction_of_sliding),
        cmocka_unit_test(a_dropped_ball_comes_back_with_eps_times_its_speed),
        cmocka_unit_test(an_oblique_impact_reverses_slip_in_both_directions),
        cmocka_unit_test(a_ball_rolls_in_a_bowl_with_the_frequency_of_a_pendulum),
        cmocka_unit_test(anisotropic_friction_turns_the_path_towards_the_smooth_direction),
        cmocka_unit_test(lent_slots_give_the_motion_of_slots_of_their_own),
        cmocka_unit_test(a_problem_without_a_dense_matrix_has_the_same_solution),
        cmocka_unit_test(a_heap_comes_to_rest_and_the_floor_carries_it),
        cmocka_unit_test(wiping_the_work_between_steps_changes_no_bit),
        cmocka_unit_test(more_pairs_than_room_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
