/* Inverse dynamics in dual numbers on random trees in plane and space: its values against M a - h
 * by the passes of a step, its slopes against differences of those.   theory (14.1), (69.1) */
#include "dynamics/tangent.h"

#include "support/space.h"
#include "support/tree.h"

#include <string.h>

#define VALUE 1e-12 /* other sums of the same terms, scaled */
#define STEP  1e-3
#define SLOPE                                                                                      \
    1e-9 /* of differences of order 4: (size STEP)^4/30 of the function, 1e-12/STEP of             \
          * round-off, scaled by the largest term                                      */

/* A machine and where it is. */
typedef struct bench {
    const sp_model *m;
    const sp_numbers *num;
    sp_kin *kin;
    sp_dyn *dyn;
    const double *q, *u, *a;
} bench;

/* r = M a - h at (q, u); the largest term. */
static double residual(const bench *b, const double *q, const double *u, double *r)
{
    double size = 0.0;
    sp_dyn_terms(b->m, b->num, 0.0, q, u, b->kin, b->dyn);
    sp_dyn_multiply(b->m, b->dyn, b->a, r);
    for (int k = 0; k < b->m->n_dof; k++) {
        size = fmax(size, fabs(r[k]));
        for (int s = 0; s < SP_SHARES; s++) {
            const double h = b->dyn->acts[s] ? b->dyn->h[s][k] : 0.0;
            r[k] -= h;
            size = fmax(size, fabs(h));
        }
    }
    return size;
}

/* Its derivative along (dq, du), by four differences over a step. */
static void difference(const bench *b, const double *dq, const double *du, double *dr)
{
    static const double weight[4] = {1.0, -8.0, 8.0, -1.0}, at[4] = {-2.0, -1.0, 1.0, 2.0};
    double q[SPACE_Q], u[SPACE_DOFS], r[SPACE_DOFS];
    memset(dr, 0, (size_t)b->m->n_dof * sizeof *dr);
    for (int i = 0; i < 4; i++) {
        memcpy(q, b->q, (size_t)b->m->n_q * sizeof *q);
        sp_kin_advance(b->m, at[i] * STEP, dq, q);
        for (int k = 0; k < b->m->n_dof; k++) {
            u[k] = b->u[k] + at[i] * STEP * du[k];
        }
        residual(b, q, u, r);
        for (int k = 0; k < b->m->n_dof; k++) {
            dr[k] += weight[i] * r[k] / (12.0 * STEP);
        }
    }
}

/* The worst relative errors of values and slopes along a random direction. */
static void compare(const bench *b, rng *r, double worst[2])
{
    const int n = b->m->n_dof;
    double dq[SPACE_DOFS], du[SPACE_DOFS], want[SPACE_DOFS], want_d[SPACE_DOFS];
    sp_arena arena;
    sp_tangent to;
    sp_arena_init(&arena, NULL, 0);
    assert_true(sp_tangent_alloc(&arena, b->m, &to));
    double length = 0.0;
    for (int k = 0; k < n; k++) {
        dq[k] = rng_in(r, -1.0, 1.0);
        du[k] = rng_in(r, -1.0, 1.0);
        length += dq[k] * dq[k] + du[k] * du[k];
    }
    for (int k = 0; k < n; k++) { /* deep trees turn by all of them */
        dq[k] /= sqrt(length);
        du[k] /= sqrt(length);
    }
    difference(b, dq, du, want_d);
    double size = residual(b, b->q, b->u, want);
    sp_kin_velocities(b->m, b->u, b->kin);
    const sp_tangent_at at = {0.0, b->q, b->u, b->a, NULL, b->kin};
    sp_tangent_begin(b->m, b->num, &at, dq, du, &to);
    sp_tangent_end(&to);
    for (int k = 0; k < n; k++) {
        size = fmax(size, fabs(want_d[k]));
    }
    for (int k = 0; k < n; k++) {
        worst[0] = check_worse(worst[0], fabs(to.r[k].v - want[k]) / size);
        worst[1] = check_worse(worst[1], fabs(to.r[k].d - want_d[k]) / size);
    }
    sp_arena_free(&arena);
}

static void judge(const double worst[2])
{
    print_message("values %.1e, slopes %.1e\n", worst[0], worst[1]);
    assert_true(worst[0] < VALUE);
    assert_true(worst[1] < SLOPE);
}

static void trees_in_the_plane(void **ctx)
{
    (void)ctx;
    rng r = {1801};
    double worst[2] = {0.0, 0.0};
    for (int c = 0; c < check_cases(60, 1000); c++) {
        tree t = tree_random(&r, 1 + rng_int(&r, 10), rng_in(&r, 0.0, 1.0));
        machine x = tree_compile(&t, &r);
        double q[TREE_DOFS], u[TREE_DOFS], a[TREE_DOFS];
        for (int k = 0; k < x.m->n_dof; k++) {
            q[k] = rng_in(&r, -1.0, 1.0);
            u[k] = rng_in(&r, -2.0, 2.0);
            a[k] = rng_in(&r, -5.0, 5.0);
        }
        sp_dyn_init(x.m, x.num, &x.w->dyn);
        compare(&(bench){x.m, x.num, &x.w->kin, &x.w->dyn, q, u, a}, &r, worst);
        machine_free(&x);
    }
    judge(worst);
}

static void trees_in_space(void **ctx)
{
    (void)ctx;
    static space s;
    rng r = {1802};
    double worst[2] = {0.0, 0.0};
    for (int c = 0; c < check_cases(60, 1000); c++) {
        space_random(&s, &r, 1 + rng_int(&r, 10), rng_in(&r, 0.0, 1.0), -1);
        compare(&(bench){&s.m, &s.m.numbers, &s.kin, &s.dyn, s.q, s.u, s.a}, &r, worst);
        space_free(&s);
    }
    judge(worst);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_in_the_plane),
        cmocka_unit_test(trees_in_space),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
