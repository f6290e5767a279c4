/* Spheres: which contacts are theirs, one alone is solved exactly, and the measure in lanes is that
 * of the problem. */
#include "solvers/fc_local.h"
#include "solvers/fc_pile.h"
#include "solvers/fc_residual.h"
#include "support/check.h"
#include "support/piles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 12 };

/* A pile with what it takes to work on it. */
typedef struct bench {
    pile a;
    sp_fc_stack stack;
    sp_fc_pile q;
    double *x;
} bench;

/* Spheres with masses over two decades (the inertia with them, as long as they stay spheres). */
static void set_up(bench *b, uint64_t seed, int spheres)
{
    rng r = {seed};
    memset(b, 0, sizeof *b);
    b->a = pile_spheres(2, 2, 0.3, seed, 0);
    double *M_inv = (double *)(size_t)b->a.p.F.M_inv;
    for (int k = 0; k < b->a.n_body; k++) {
        const double f = pow(10.0, rng_in(&r, -1.0, 1.0));
        for (int e = 0; e < 36; e++) {
            M_inv[b->a.p.F.inverse[k] + (size_t)e] *= f;
        }
    }
    if (!spheres) {
        M_inv[b->a.p.F.inverse[0] + 21] *= 1.5;
    }
    sp_arena_init(&b->stack.arena, NULL, 0);
    assert_int_equal(1, sp_fc_pile_build(&b->a.p, 1, &b->stack, &b->q));
    assert_int_equal(spheres, b->q.spheres != NULL);
    b->x = aligned_alloc(64, ((size_t)b->q.n_four * ROOM * sizeof *b->x + 63) & ~(size_t)63);
}

static void tear_down(bench *b)
{
    free(b->x);
    sp_arena_free(&b->stack.arena);
    pile_free(&b->a);
}

/* After the sweep over a colour its contacts fulfil their law: the others have not moved their
 * bodies since. */
static void a_contact_of_spheres_is_solved_exactly(void **ctx)
{
    (void)ctx;
    int closed = 0, slipping = 0;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        bench b;
        set_up(&b, seed, 1);
        const sp_fc *p = &b.a.p;
        double *xi = calloc((size_t)p->n, sizeof *xi);
        double *scratch = calloc(2 * (size_t)p->F.dof[p->F.n_body], sizeof *scratch);
        sp_fc_pile_enter(&b.q, b.a.P, b.x);
        sp_fc_pile_gather(&b.q, b.x);
        for (int c = 0; c < 3 * b.q.n_colour; c++) {
            const int at = c % b.q.n_colour;
            sp_fc_pile_sweep(&b.q, b.q.colour[at], b.q.colour[at + 1], b.x);
            sp_fc_pile_leave(&b.q, b.x, b.a.P);
            sp_fc_velocity(p, b.a.P, xi, scratch);
            for (int k = 4 * b.q.colour[at]; k < 4 * b.q.colour[at + 1]; k++) {
                const int i = b.q.more[k / 4].contact[k % 4];
                if (i < 0) {
                    continue;
                }
                const double *P = b.a.P + p->row[i], *u = xi + p->row[i];
                const double radius = 0.3 * P[0], force = hypot(P[1], P[2]), v = hypot(u[1], u[2]);
                assert_true(P[0] >= 0.0 && u[0] >= -1e-15 && force <= radius * (1.0 + 1e-12));
                assert_near(P[0] * u[0], 0.0, 1e-17);
                assert_near(radius * v + P[1] * u[1] + P[2] * u[2], 0.0, 1e-17);
                closed += P[0] > 0.0;
                slipping += P[0] > 0.0 && v > 1e-9;
            }
        }
        free(xi), free(scratch);
        tear_down(&b);
    }
    assert_true(closed > 500 && slipping > 100);
}

static void sweeps_over_spheres_are_those_with_g(void **ctx)
{
    (void)ctx;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        bench b;
        set_up(&b, seed, 1);
        sp_fc with_G = b.a.p;
        double *P = calloc((size_t)with_G.n, sizeof *P), size = 0.0;
        assert_int_equal(SP_OK, sp_fc_form(&with_G, &b.a.arena, NULL));
        sp_fc_pile_enter(&b.q, b.a.P, b.x);
        sp_fc_pile_gather(&b.q, b.x);
        for (int k = 0; k < 10; k++) {
            for (int c = 0; c < b.q.n_colour; c++) {
                sp_fc_pile_sweep(&b.q, b.q.colour[c], b.q.colour[c + 1], b.x);
            }
            pile_plain_sweep(&b.q, &with_G, P);
        }
        sp_fc_pile_leave(&b.q, b.x, b.a.P);
        for (int k = 0; k < with_G.n; k++) {
            size = fmax(size, fabs(P[k]));
        }
        for (int k = 0; k < with_G.n; k++) {
            assert_near_scaled(P[k], b.a.P[k], size, 1e-9);
        }
        free(P);
        tear_down(&b);
    }
}

/* Both measures from the lanes and from the problem itself. */
static void the_measure_in_lanes_is_that_of_the_problem(void **ctx)
{
    (void)ctx;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        bench b;
        set_up(&b, seed, seed % 2 == 0);
        const sp_fc *p = &b.a.p;
        double *xi = calloc((size_t)p->n, sizeof *xi), *terms = calloc((size_t)p->n_contact, 8);
        double *rho = calloc((size_t)p->n_contact, sizeof *rho), c2 = 0.0, scaled, fclib;
        double *scratch = calloc(2 * (size_t)p->F.dof[p->F.n_body], sizeof *scratch);
        sp_fc_pile_enter(&b.q, b.a.P, b.x);
        sp_fc_pile_gather(&b.q, b.x);
        for (int k = 0; k < (int)seed * b.q.n_colour; k++) {
            const int c = k % b.q.n_colour;
            sp_fc_pile_sweep(&b.q, b.q.colour[c], b.q.colour[c + 1], b.x);
        }
        sp_fc_pile_leave(&b.q, b.x, b.a.P);
        const double worth = sp_fc_scales(p, rho, NULL);
        sp_fc_velocity_terms(p, b.a.P, xi, terms, scratch);
        sp_fc_residuals(p, b.a.P, xi, terms, rho, worth, &scaled, &fclib);
        for (int k = 0; k < p->n; k++) {
            c2 += p->c[k] * p->c[k];
        }
        sp_fc_sum s = {SP_FC_SCALED, b.q.worth, p->xi_scale, 0.0, 0.0};
        sp_fc_pile_measure(&b.q, 0, b.q.n_four, b.x, &s);
        assert_near_scaled(s.worst + s.sum, scaled, scaled, 1e-9);
        sp_fc_sum t = {SP_FC_FCLIB, b.q.worth, p->xi_scale, 0.0, 0.0};
        sp_fc_pile_measure(&b.q, 0, b.q.n_four, b.x, &t);
        assert_near_scaled(sqrt(t.sum) / sqrt(c2), fclib, fclib, 1e-9);
        assert_true(scaled > 1e-9 && fclib > 1e-9);
        free(xi), free(terms), free(rho), free(scratch);
        tear_down(&b);
    }
}

static void arms_beside_the_normal_are_not_those_of_spheres(void **ctx)
{
    (void)ctx;
    int refused = 0;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        rng r = {seed};
        pile a = pile_random(&r); /* arms point anywhere */
        sp_fc_spheres f;
        sp_fc_four_more more;
        sp_fc_bodies y[9] = {{0.0}};
        for (int b = 0; b < a.n_body; b++) {
            y[b][6] = y[b][7] = 1.0;
        }
        for (int i = 0; i < a.p.n_contact; i++) {
            refused += !sp_fc_spheres_fill(&a.p, i, 0, (const sp_fc_bodies *)y, &f, &more);
        }
        pile_free(&a);
    }
    assert_true(refused > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_contact_of_spheres_is_solved_exactly),
        cmocka_unit_test(sweeps_over_spheres_are_those_with_g),
        cmocka_unit_test(the_measure_in_lanes_is_that_of_the_problem),
        cmocka_unit_test(arms_beside_the_normal_are_not_those_of_spheres),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
