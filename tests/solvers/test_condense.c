#include "solvers/condense.h"

#include "math/dense.h"
#include "solvers/problem.h"
#include "support/check.h"

#include <stdlib.h>
#include <string.h>

#include "random_problem.h"

enum { LINKS = 72, MOST = 64 };

/* A machine of free rows first, then planar contacts. */
typedef struct linkage {
    sp_problem p;
    sp_set set[MOST];
    int row[MOST], n_free, dof;
    double G[MOST * MOST], c[MOST], P[MOST], W[MOST][LINKS], inverse[LINKS], u[LINKS];
    unsigned char status[MOST];
    sp_solution s;
} linkage;

/* Sets and rows; W, masses and velocities of random numbers, rows in unlike units. */
static linkage *make(uint64_t *state, int n_free, int n_contact, int dof)
{
    linkage *l = (linkage *)calloc(1, sizeof *l);
    l->n_free = n_free;
    l->dof = dof;
    for (int i = 0; i < n_free + n_contact; i++) {
        l->set[i] = i < n_free ? sp_set_free() : sp_set_planar(0.4);
        l->row[i] = l->p.n;
        l->status[i] = SP_STATUS_UNKNOWN;
        l->p.n += sp_set_dim(&l->set[i]);
    }
    for (int d = 0; d < dof; d++) {
        l->inverse[d] = pow(10.0, 4.0 * uniform(state) - 2.0);
        l->u[d] = bell(state);
        for (int k = 0; k < l->p.n; k++) {
            const double unit = k % 3 == 0 ? 1e3 : k % 3 == 1 ? 1.0 : 1e-3; /* mm, m, km */
            l->W[k][d] = unit * bell(state);
        }
    }
    l->p.n_contact = n_free + n_contact;
    l->p.ld = l->p.n;
    l->p.set = l->set;
    l->p.row = l->row;
    l->p.G = l->G;
    l->p.c = l->c;
    l->s.P = l->P;
    l->s.status = l->status;
    return l;
}

/* The last n free rows become combinations of the first. */
static void make_redundant(uint64_t *state, linkage *l, int n)
{
    const int rank = l->n_free - n;
    for (int k = rank; k < l->n_free; k++) {
        memset(l->W[k], 0, sizeof l->W[k]);
        for (int j = 0; j < rank; j++) {
            const double factor = bell(state);
            for (int d = 0; d < l->dof; d++) {
                l->W[k][d] += factor * l->W[j][d] * (j % 3 == 0 ? 1e-3 : j % 3 == 1 ? 1.0 : 1e3);
            }
        }
    }
}

/* G = W M^-1 W', c = W u. */
static void fill(linkage *l)
{
    for (int a = 0; a < l->p.n; a++) {
        l->c[a] = 0.0;
        for (int d = 0; d < l->dof; d++) {
            l->c[a] += l->W[a][d] * l->u[d];
        }
        for (int b = 0; b < l->p.n; b++) {
            double sum = 0.0;
            for (int d = 0; d < l->dof; d++) {
                sum += l->W[a][d] * l->inverse[d] * l->W[b][d];
            }
            l->G[a * l->p.n + b] = sum;
        }
    }
}

static sp_status solve(linkage *l)
{
    void *work = malloc(sp_solve_work(l->p.n_contact, l->p.n));
    const sp_status status = sp_solve(&l->p, &l->s, work, NULL);
    free(work);
    return status;
}

/* Largest |xi_k| of the free rows over the size of its terms. */
static double opened(const linkage *l)
{
    double worst = 0.0;
    for (int k = 0; k < l->n_free; k++) {
        double xi = l->c[k], size = fabs(l->c[k]);
        for (int j = 0; j < l->p.n; j++) {
            xi += l->G[k * l->p.n + j] * l->P[j];
            size += fabs(l->G[k * l->p.n + j] * l->P[j]);
        }
        worst = check_worse(worst, fabs(xi) / size);
    }
    return worst;
}

static void linkages_with_many_redundant_loops_are_solved(void **ctx)
{
    (void)ctx;
    uint64_t state = 99;
    for (int k = 0; k < 60; k++) {
        const int n_contact = whole(&state, 0, 4), n_free = whole(&state, 10, 56);
        linkage *l = make(&state, n_free, n_contact, n_free + 2 * n_contact);
        make_redundant(&state, l, whole(&state, 1, 8));
        fill(l);
        assert_int_equal(SP_OK, solve(l));
        assert_int_equal(SP_SOLVED, l->s.result);
        assert_true(l->s.residual <= SP_SOLVE_TOL);
        assert_true(opened(l) < 1e-11);
        free(l);
    }
}

/* The same wish for the motion as once: redundant rows change forces, never velocities. */
static void redundant_loops_do_not_change_the_motion(void **ctx)
{
    (void)ctx;
    uint64_t state = 100;
    for (int k = 0; k < 100; k++) {
        const uint64_t start = state;
        linkage *once = make(&state, 6, 2, 12);
        state = start;
        linkage *twice = make(&state, 6, 2, 12);
        /* the last two free rows of once are removed by making them equal to the first ... */
        for (int a = 4; a < 6; a++) {
            memcpy(twice->W[a], twice->W[a - 4], sizeof twice->W[a]);
            memset(once->W[a], 0, sizeof once->W[a]);
        }
        fill(once);
        fill(twice);
        assert_int_equal(SP_OK, solve(twice));
        memcpy(once->status, twice->status, sizeof once->status); /* some have several motions */
        assert_int_equal(SP_OK, solve(once)); /* rows of zeros with c = 0: redundant too */
        for (int d = 0; d < 12; d++) {
            double a = once->u[d], b = twice->u[d], size = 0.0;
            for (int r = 0; r < once->p.n; r++) {
                a += once->inverse[d] * once->W[r][d] * once->P[r];
                b += twice->inverse[d] * twice->W[r][d] * twice->P[r];
                size += fabs(twice->inverse[d] * twice->W[r][d] * twice->P[r]);
            }
            assert_near_scaled(a, b, size + 1.0, 1e-9);
        }
        for (int a = 4; a < 6; a++) { /* equal rows share alike: the least norm */
            assert_near_scaled(twice->P[a], twice->P[a - 4], fabs(twice->P[a]) + 1e-9, 1e-9);
        }
        free(once);
        free(twice);
    }
}

static void contradicting_loops_are_proved_infeasible(void **ctx)
{
    (void)ctx;
    uint64_t state = 101;
    for (int k = 0; k < 60; k++) {
        const int n_free = whole(&state, 6, 30), n_contact = whole(&state, 0, 3);
        linkage *l = make(&state, n_free, n_contact, n_free + 2 * n_contact);
        make_redundant(&state, l, 2);
        fill(l);
        l->c[n_free - 1] += 0.1 * fabs(l->c[n_free - 1]) + 1e-3;
        assert_int_equal(SP_E_INFEASIBLE, solve(l));
        assert_int_equal(SP_INFEASIBLE, l->s.result);
        double power = 0.0;
        for (int j = 0; j < l->p.n; j++) { /* y'G = 0, c'y < 0 */
            double g = 0.0, size = 0.0;
            for (int a = 0; a < l->p.n; a++) {
                g += l->P[a] * l->G[a * l->p.n + j];
                size += fabs(l->P[a] * l->G[a * l->p.n + j]);
            }
            assert_true(fabs(g) <= 1e-10 * size);
            power += l->c[j] * l->P[j];
        }
        assert_true(power < 0.0);
        free(l);
    }
}

/* Four-bar of a square, side 1, in space: three moving bars of mass 1, four revolute joints.  Three
 * of them are used up by the tree (angles a, b, c about z); the fourth closes the loop with five
 * rows, of which the position along z and the turns about x and y are zero rows or repeat. */
static void a_planar_four_bar_in_space_has_redundant_rows(void **ctx)
{
    (void)ctx;
    uint64_t state = 5;
    linkage *l = make(&state, 12, 1, 12); /* two loops of the kind, one contact */
    for (int k = 0; k < l->p.n; k++) {
        memset(l->W[k], 0, sizeof l->W[k]);
    }
    for (int loop = 0; loop < 2; loop++) {
        double(*W)[LINKS] = &l->W[6 * loop];
        /* velocity of the end point for unit joint speeds at (0,0), (0,1), (1,1); end (1,0) */
        const double x[3] = {0.0, 1.0, 1.0}, y[3] = {1.0, 0.0, 0.0};
        for (int j = 0; j < 3; j++) {
            W[0][3 * loop + j] = x[j];
            W[1][3 * loop + j] = y[j];
            W[2][3 * loop + j] = x[j] + y[j]; /* the same in a turned direction */
            W[3][3 * loop + j] = x[j] - y[j];
        } /* rows 4 and 5: nothing can violate them */
    }
    l->W[12][0] = 1.0;
    l->W[12][3] = -1.0; /* bars of both loops touch */
    l->W[13][1] = 1.0;
    l->W[13][4] = -1.0;
    fill(l);
    assert_int_equal(SP_OK, solve(l));
    assert_true(l->s.residual < 1e-12);
    for (int k = 0; k < 12; k++) {
        double xi = l->c[k];
        for (int j = 0; j < l->p.n; j++) {
            xi += l->G[k * l->p.n + j] * l->P[j];
        }
        assert_near_scaled(xi, 0.0, 10.0, 1e-12);
    }
    for (int loop = 0; loop < 2; loop++) { /* rows that do nothing get no force */
        assert_true(l->P[6 * loop + 4] == 0.0 && l->P[6 * loop + 5] == 0.0);
    }
    free(l);
}

/* The equations of the header, by hand: 2 free rows, 1 half line. */
static void the_rest_is_what_elimination_by_hand_gives(void **ctx)
{
    (void)ctx;
    const sp_set set[3] = {sp_set_free(), sp_set_half_line(), sp_set_free()};
    const int row[3] = {0, 1, 2};
    const double G[9] = {2, 1, 0, 1, 3, 1, 0, 1, 4}, c[3] = {2, -5, 4};
    const sp_problem p = {3, 3, set, row, G, 3, c, 0.0, NULL, 0};
    const unsigned char guess[3] = {SP_STICK, SP_STICK, SP_STICK};
    void *memory = malloc(sp_condense_bytes(3, 3)), *scratch = malloc(sp_lu_bytes(3));
    sp_condensed k;
    assert_int_equal(SP_CONDENSED, sp_condense(&p, 1e-10, guess, &k, memory, scratch));
    assert_int_equal(1, k.p.n);
    assert_near(k.p.G[0], 3.0 - 0.5 - 0.25, 1e-15);
    assert_near(k.p.c[0], -5.0 - 1.0 - 1.0, 1e-15);
    k.s.P[0] = 2.0;
    double P[3];
    unsigned char status[3];
    sp_condense_expand(&k, P, status);
    assert_near(P[0], -(2.0 + 2.0) / 2.0, 1e-15);
    assert_near(P[1], 2.0, 1e-15);
    assert_near(P[2], -(4.0 + 2.0) / 4.0, 1e-15);
    free(memory);
    free(scratch);
}

static void redundant_rows_that_contacts_see_are_left_alone(void **ctx)
{
    (void)ctx;
    /* two equal free rows of an unsymmetric G, but the contact pushes them apart */
    const sp_set set[3] = {sp_set_free(), sp_set_free(), sp_set_half_line()};
    const int row[3] = {0, 1, 2};
    const double G[9] = {1, 1, 0.5, 1, 1, -0.5, 0, 0, 1}, c[3] = {1, 1, -1};
    const sp_problem p = {3, 3, set, row, G, 3, c, 0.0, NULL, 0};
    const unsigned char guess[3] = {SP_STICK, SP_STICK, SP_STICK};
    void *memory = malloc(sp_condense_bytes(3, 3)), *scratch = malloc(sp_lu_bytes(3));
    sp_condensed k;
    assert_int_equal(SP_CONDENSE_COUPLED, sp_condense(&p, 1e-10, guess, &k, memory, scratch));
    free(memory);
    free(scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linkages_with_many_redundant_loops_are_solved),
        cmocka_unit_test(redundant_loops_do_not_change_the_motion),
        cmocka_unit_test(contradicting_loops_are_proved_infeasible),
        cmocka_unit_test(a_planar_four_bar_in_space_has_redundant_rows),
        cmocka_unit_test(the_rest_is_what_elimination_by_hand_gives),
        cmocka_unit_test(redundant_rows_that_contacts_see_are_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
