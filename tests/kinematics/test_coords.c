/* Coordinates moved along velocities: exact for balls, unit quaternions for ever.   theory (2.9) */
#include "support/space.h"

#include <string.h>

static space s;

/* One step of a constant u turns each ball by |u| dt about u, whatever the size of the step. */
static void a_step_turns_a_ball_by_the_exponential_of_its_velocity(void **ctx)
{
    (void)ctx;
    rng r = {921};
    for (int c = 0; c < check_cases(100, 2000); c++) {
        space_random(&s, &r, 1 + rng_int(&r, 8), 0.5, -1);
        double q[SPACE_Q], in_two[SPACE_Q];
        const double dt = rng_in(&r, -3.0, 3.0);
        memcpy(q, s.q, sizeof q);
        memcpy(in_two, s.q, sizeof q);
        sp_kin_advance(&s.m, dt, s.u, q);
        sp_kin_advance(&s.m, 0.25 * dt, s.u, in_two);
        sp_kin_advance(&s.m, 0.75 * dt, s.u, in_two);
        for (int k = 0; k < s.m.n_dof; k++) {
            const sp_dof *d = &s.dof[k];
            if (d->move != SP_MOVE_BALL) {
                assert_true(q[d->q] == s.q[d->q] + dt * s.u[k]);
                continue;
            }
            /* Rodrigues: R(q) R(q_0)^T e = e for the axis, and the angle by the trace */
            const sp_rot3 A = sp_rot3_of_quat(sp_quat_of(s.q + d->q));
            const sp_rot3 B = sp_rot3_of_quat(sp_quat_of(q + d->q)), D = sp_rot3_mul_back(A, B);
            const sp_vec3 u = sp_vec3_of(s.u + k - d->part);
            const double angle = dt * sp_length3(u);
            assert_near(D.x.x + D.y.y + D.z.z, 1.0 + 2.0 * cos(angle), 1e-14);
            assert_near(sp_length3(sp_sub3(sp_rotate3(D, u), u)), 0.0, 1e-14);
            /* the sense: (D - D^T)/2 = sin(angle) e x */
            assert_near(0.5 * (D.x.y - D.y.x), sin(angle) * u.z / sp_length3(u), 1e-14);
            assert_near(q[d->q + d->part], in_two[d->q + d->part], 1e-14);
        }
        space_free(&s);
    }
}

/* The rate is the derivative of the step. */
static void rates_of_coordinates_are_the_slope_of_a_step(void **ctx)
{
    (void)ctx;
    rng r = {922};
    double worst = 0.0;
    for (int c = 0; c < check_cases(100, 2000); c++) {
        space_random(&s, &r, 1 + rng_int(&r, 8), 0.5, -1);
        double rate[SPACE_Q], side[2][SPACE_Q];
        const double h = 1e-5;
        sp_kin_rate(&s.m, s.q, s.u, rate);
        for (int i = 0; i < 2; i++) {
            memcpy(side[i], s.q, sizeof side[i]);
            sp_kin_advance(&s.m, i == 0 ? -h : h, s.u, side[i]);
        }
        for (int k = 0; k < s.m.n_q; k++) {
            const double e = (side[1][k] - side[0][k]) / (2.0 * h) - rate[k];
            worst = check_worse(worst, fabs(e));
        }
        space_free(&s);
    }
    print_message("slope: worst %.1e\n", worst); /* h^2/24 |u|^3 + eps/h */
    assert_true(worst < 2e-10);
}

static void quaternions_stay_unit_over_a_million_steps(void **ctx)
{
    (void)ctx;
    rng r = {923};
    space_random(&s, &r, 1, 1.0, SP_JOINT_FREE);
    double worst = 0.0;
    for (long k = 0; k < check_cases(200000, 2000000); k++) {
        sp_kin_advance(&s.m, 0.01, s.u, s.q);
        worst = check_worse(worst, fabs(sp_quat_norm2(sp_quat_of(s.q + 3)) - 1.0));
    }
    print_message("length: worst %.1e\n", worst);
    assert_true(worst < 1e-15);
    space_free(&s);
}

/* In the plane q is moved straight on; memory is made for the one kind of frames. */
static void planar_models_keep_their_frames_and_coordinates(void **ctx)
{
    (void)ctx;
    sp_dof dof[2] = {{.move = SP_MOVE_SLIDE, .q = 0}, {.move = SP_MOVE_TURN, .q = 1}};
    sp_model m = {.dim = 2, .n_body = 2, .n_dof = 2, .n_q = 2, .dof = dof};
    sp_arena arena;
    sp_kin kin;
    sp_arena_init(&arena, NULL, 0);
    assert_true(sp_kin_alloc(&arena, &m, &kin));
    assert_true(kin.frame && kin.axis && !kin.frame3 && !kin.axis3);
    assert_true(kin.frame[SP_GROUND].R.c == 1.0);
    m.dim = 3;
    assert_true(sp_kin_alloc(&arena, &m, &kin));
    assert_true(!kin.frame && !kin.axis && kin.frame3 && kin.axis3);
    assert_true(kin.frame3[SP_GROUND].R.z.z == 1.0);
    double q[2] = {1.0, 2.0}, rate[2];
    const double u[2] = {3.0, -4.0};
    sp_kin_advance(&m, 0.5, u, q);
    sp_kin_rate(&m, q, u, rate);
    assert_true(q[0] == 2.5 && q[1] == 0.0 && rate[0] == 3.0 && rate[1] == -4.0);
    sp_arena_free(&arena);
    sp_arena_init(&arena, NULL, 64); /* too little */
    m.n_body = 1000;
    assert_false(sp_kin_alloc(&arena, &m, &kin));
    sp_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_turns_a_ball_by_the_exponential_of_its_velocity),
        cmocka_unit_test(rates_of_coordinates_are_the_slope_of_a_step),
        cmocka_unit_test(quaternions_stay_unit_over_a_million_steps),
        cmocka_unit_test(planar_models_keep_their_frames_and_coordinates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
