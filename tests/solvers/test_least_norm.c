/* Percussions of least norm, against singular values; sets that end on the way; what must not move.
 */
#include "solvers/least_norm.h"

#include "math/dense.h"
#include "support/check.h"

#include <stdlib.h>
#include <string.h>

enum { CORNERS = 4, ROWS = 3 * CORNERS, DOFS = 6 };

/* A block of 1 kg on its four lower corners. */
typedef struct block {
    double W[ROWS][DOFS]; /* rows N, T1, T2 of each corner: its velocity by v and omega */
    double G[ROWS * ROWS];
    sp_set set[CORNERS];
    int row[CORNERS];
    unsigned char status[CORNERS];
    double c[ROWS];
    sp_problem p;
} block;

/* The corner (x, y, z) moves with v + omega x r; inverse masses 1, moments of inertia j. */
static void make(block *b, double mu, const double j[3])
{
    memset(b, 0, sizeof *b);
    for (int i = 0; i < CORNERS; i++) {
        const double x = i & 1 ? 0.4 : -0.5, y = i & 2 ? 0.3 : -0.35, z = -0.2;
        const double arm[3][6] = {{0, 0, 1, y, -x, 0}, {1, 0, 0, 0, z, -y}, {0, 1, 0, -z, 0, x}};
        for (int a = 0; a < 3; a++) {
            for (int k = 0; k < DOFS; k++) {
                b->W[3 * i + a][k] = arm[a][k] / (k < 3 ? 1.0 : sqrt(j[k - 3]));
            }
        }
        b->set[i] = (sp_set){.kind = SP_SET_DISC, .mu = mu};
        b->row[i] = 3 * i;
        b->status[i] = SP_STICK;
    }
    for (int r = 0; r < ROWS; r++) {
        for (int s = 0; s < ROWS; s++) {
            for (int k = 0; k < DOFS; k++) {
                b->G[r * ROWS + s] += b->W[r][k] * b->W[s][k];
            }
        }
    }
    b->p = (sp_problem){.n_contact = CORNERS,
                        .n = ROWS,
                        .set = b->set,
                        .row = b->row,
                        .G = b->G,
                        .ld = ROWS,
                        .c = b->c};
}

/* Let P be a solution at which all velocities are zero. */
static void hold(block *b, const double *P)
{
    for (int r = 0; r < ROWS; r++) {
        b->c[r] = 0.0;
        for (int s = 0; s < ROWS; s++) {
            b->c[r] -= b->G[r * ROWS + s] * P[s];
        }
    }
}

/* Largest change of a velocity between two percussions. */
static double moved(const block *b, const double *P, const double *Q)
{
    double worst = 0.0;
    for (int r = 0; r < ROWS; r++) {
        double sum = 0.0;
        for (int s = 0; s < ROWS; s++) {
            sum += b->G[r * ROWS + s] * (P[s] - Q[s]);
        }
        worst = check_worse(worst, fabs(sum));
    }
    return worst;
}

/* The norm in units where G has a unit diagonal. */
static double norm(const block *b, const double *P)
{
    double sum = 0.0;
    for (int r = 0; r < ROWS; r++) {
        sum += b->G[r * ROWS + r] * P[r] * P[r];
    }
    return sqrt(sum);
}

/* Q = the least norm among all P with the same velocities, by singular values. */
static void by_singular_values(const block *b, const double *P, double *Q)
{
    double A[ROWS * ROWS], v[ROWS], work[ROWS * ROWS + ROWS];
    for (int r = 0; r < ROWS; r++) {
        v[r] = 0.0;
        for (int s = 0; s < ROWS; s++) {
            A[r * ROWS + s] = b->G[r * ROWS + s] / sqrt(b->G[s * ROWS + s]);
            v[r] += b->G[r * ROWS + s] * P[s];
        }
    }
    assert_int_equal(sp_svd_solve(ROWS, ROWS, A, v, Q, 1e-12, work), DOFS);
    for (int s = 0; s < ROWS; s++) {
        Q[s] /= sqrt(b->G[s * ROWS + s]);
    }
}

/* Percussions inside of the cones, with friction that cancels itself. */
static void strained(rng *state, double mu, double *P)
{
    for (int i = 0; i < CORNERS; i++) {
        P[3 * i] = 1.0 + rng_in(state, 0.0, 1.0);
        P[3 * i + 1] = 0.4 * mu * (2.0 * rng_in(state, 0.0, 1.0) - 1.0);
        P[3 * i + 2] = 0.4 * mu * (2.0 * rng_in(state, 0.0, 1.0) - 1.0);
    }
}

static void what_sticks_gets_the_least_norm(void **ctx)
{
    (void)ctx;
    rng state = {12};
    double before[ROWS], P[ROWS], Q[ROWS], worst = 0.0;
    void *work = malloc(sp_least_norm_bytes(ROWS));
    for (int k = 0; k < 100; k++) {
        const double j[3] = {0.1 + rng_in(&state, 0.0, 1.0), 0.2, 0.1 + rng_in(&state, 0.0, 1.0)};
        block b;
        make(&b, 1.0, j);
        strained(&state, 1.0, before);
        hold(&b, before);
        memcpy(P, before, sizeof P);
        sp_least_norm(&b.p, b.status, P, work);
        by_singular_values(&b, before, Q);
        assert_true(norm(&b, P) < norm(&b, before));
        assert_true(moved(&b, P, before) < 1e-12);
        for (int r = 0; r < ROWS; r++) {
            worst = check_worse(worst, fabs(P[r] - Q[r]));
        }
        memcpy(before, P, sizeof P); /* it is the least: nothing is left to do */
        sp_least_norm(&b.p, b.status, P, work);
        for (int r = 0; r < ROWS; r++) {
            assert_true(fabs(P[r] - before[r]) < 1e-13);
        }
    }
    print_message("least norm against singular values: off by %.1e\n", worst);
    assert_true(worst < 1e-12);
    free(work);
}

/* Three corners carry nothing along: the fourth has friction at its limit, and the norm without
 * limits would ask the others for more than they may bear. */
static void cones_end_the_way_and_are_not_left(void **ctx)
{
    (void)ctx;
    rng state = {5};
    int stopped = 0;
    void *work = malloc(sp_least_norm_bytes(ROWS));
    for (int k = 0; k < 200; k++) {
        const double j[3] = {0.3, 0.2, 0.4}, mu = 0.3;
        double before[ROWS] = {0}, P[ROWS], Q[ROWS];
        block b;
        make(&b, mu, j);
        for (int i = 0; i < CORNERS; i++) {
            before[3 * i] = 0.01 + 2.0 * rng_in(&state, 0.0, 1.0) * rng_in(&state, 0.0, 1.0);
            before[3 * i + 1] = i == 3 ? -mu * before[9] : 0.0;
        }
        hold(&b, before);
        memcpy(P, before, sizeof P);
        sp_least_norm(&b.p, b.status, P, work);
        by_singular_values(&b, before, Q);
        double off = 0.0;
        for (int i = 0; i < CORNERS; i++) {
            assert_true(hypot(P[3 * i + 1], P[3 * i + 2]) <= mu * P[3 * i] + 1e-13);
            off = check_worse(off, fabs(P[3 * i] - Q[3 * i]));
        }
        stopped += off > 1e-9;
        assert_true(norm(&b, P) <= norm(&b, before));
        assert_true(moved(&b, P, before) < 1e-12);
    }
    print_message("the cones ended the way in %d of 200\n", stopped);
    assert_true(stopped > 10 && stopped < 190);
    free(work);
}

static void open_and_sliding_contacts_and_unique_percussions_stay(void **ctx)
{
    (void)ctx;
    rng state = {7};
    const double j[3] = {0.3, 0.2, 0.4};
    double before[ROWS], P[ROWS];
    block b;
    void *work = malloc(sp_least_norm_bytes(ROWS));
    make(&b, 1.0, j);
    strained(&state, 1.0, before);
    memcpy(P, before, sizeof P);
    hold(&b, before);
    b.c[1] += 1e-6; /* the first corner slides */
    b.status[0] = SP_SLIP_POS;
    b.status[1] = SP_SLIP_NEG; /* on its limit, as one may say, but at rest */
    sp_least_norm(&b.p, b.status, P, work);
    assert_memory_equal(P, before, 3 * sizeof *P);
    assert_true(norm(&b, P) < norm(&b, before)); /* three corners have three forces too many */
    assert_true(moved(&b, P, before) < 1e-12);
    assert_int_equal(b.status[0], SP_SLIP_POS);
    assert_int_equal(b.status[1], SP_STICK);
    memcpy(P, before, sizeof P);
    b.c[3] += 1e-6; /* the second opens, the third slides */
    b.c[8] += 1e-6;
    sp_least_norm(&b.p, b.status, P, work);
    assert_memory_equal(P, before, sizeof P); /* one corner has none */
    free(work);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_sticks_gets_the_least_norm),
        cmocka_unit_test(cones_end_the_way_and_are_not_left),
        cmocka_unit_test(open_and_sliding_contacts_and_unique_percussions_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
