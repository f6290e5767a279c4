/* Whole problems of few contacts: what is told about them, and what is left to others. */
#include "solvers/fc_few.h"
#include "solvers/fc_residual.h"
#include "support/piles.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 8 };

/* Options of all tests here. */
static sp_fc_options options(sp_fc_measure measure)
{
    return (sp_fc_options){.measure = measure};
}

/* Residuals, states, islands by the code for problems of any size. */
static void compare_with_the_general_code(const pile *a, const sp_fc_solution *s)
{
    double rho[MOST], terms[MOST], xi[3 * MOST], scaled, fclib;
    int diag[MOST], parent[MOST], order[MOST], first[MOST + 1], local[MOST];
    const double worth = sp_fc_scales(&a->p, rho, diag);
    sp_fc_velocity_terms(&a->p, a->P, xi, terms, NULL);
    sp_fc_residuals(&a->p, a->P, xi, terms, rho, worth, &scaled, &fclib);
    assert_near_scaled(s->residual, scaled, 1e-12, 1e-3); /* 1e-15 is rounding */
    assert_near_scaled(s->residual_fclib, fclib, 1e-12, 1e-3);
    for (int i = 0; i < a->p.n_contact; i++) {
        const int k = a->p.row[i], dim = sp_set_dim(&a->p.set[i]);
        for (int e = 0; e < dim; e++) {
            xi[k + e] *= rho[i];
        }
        assert_int_equal(sp_fc_contact_status(&a->p.set[i], a->P + k, xi + k), s->status[i]);
    }
    const int n = sp_fc_islands(&a->p.G, a->p.n_contact, parent, order, first, local);
    int largest = 0;
    for (int k = 0; k < n; k++) {
        largest = first[k + 1] - first[k] > largest ? first[k + 1] - first[k] : largest;
    }
    assert_int_equal(largest, s->largest);
    assert_true(s->n_island <= n);
}

static void what_it_tells_is_what_the_general_code_finds(void **ctx)
{
    (void)ctx;
    const int cases = check_cases(3000, 60000);
    int solved = 0, several = 0;
    for (int k = 0; k < cases; k++) {
        rng r = {(uint64_t)k + 7};
        pile one = k % 2 ? pile_random_planar(&r) : pile_random(&r);
        const sp_fc_measure measure = k % 4 < 2 ? SP_FC_SCALED : SP_FC_FCLIB;
        const sp_fc_options o = options(measure);
        sp_fc_solution s = {.P = one.P, .status = one.status};
        if (sp_fc_solve_few(&one.p, &o, 1e-9, &s)) {
            compare_with_the_general_code(&one, &s);
            assert_true((measure == SP_FC_SCALED ? s.residual : s.residual_fclib) <= 1e-9);
            assert_int_equal(SP_FC_SOLVED, s.result);
            solved++;
            several += s.n_island > 1;
        }
        pile_free(&one);
    }
    printf("few: %d of %d problems solved, %d of several islands\n", solved, cases, several);
    assert_true(solved > 9 * cases / 10 && several > cases / 20);
}

/* One thing wrong at a time: nothing is solved, nothing is written but P of the start. */
static void what_is_malformed_or_not_finite_is_left_to_the_check(void **ctx)
{
    (void)ctx;
    const double bad[3] = {NAN, INFINITY, -INFINITY};
    const sp_fc_options o = options(SP_FC_SCALED);
    for (int k = 0; k < 600; k++) {
        rng r = {(uint64_t)k / 10 + 1};
        pile a = k % 20 < 10 ? pile_random(&r) : pile_random_planar(&r);
        const int nc = a.p.n_contact, n = a.p.n, blocks = a.p.G.start[nc];
        int start[MOST + 1], column[MOST * MOST], row[MOST];
        sp_set set[MOST];
        double *value = (double *)(size_t)a.p.G.value, *c = (double *)(size_t)a.p.c;
        memcpy(start, a.p.G.start, ((size_t)nc + 1) * sizeof *start);
        memcpy(column, a.p.G.column, (size_t)blocks * sizeof *column);
        memcpy(row, a.p.row, (size_t)nc * sizeof *row);
        memcpy(set, a.p.set, (size_t)nc * sizeof *set);
        const int i = rng_int(&r, nc), b = rng_int(&r, blocks), dim = sp_set_dim(&set[0]);
        switch (k % 10) {
        case 0:
            value[a.p.G.at[b] + (size_t)rng_int(&r, dim * dim)] = bad[rng_int(&r, 3)];
            break;
        case 1:
            c[rng_int(&r, n)] = bad[rng_int(&r, 3)];
            break;
        case 2:
            column[b] = rng_flip(&r) ? nc : -1;
            break;
        case 3: /* twice the same, or the diagonal missing */
            column[start[i]] = column[start[i + 1] - 1];
            start[i + 1] -= start[i + 1] - start[i] == 1;
            break;
        case 4:
            row[i] += 1;
            break;
        case 5:
            set[i].mu = rng_flip(&r) ? -1.0 : bad[rng_int(&r, 3)];
            break;
        case 6:
            set[i].kind = rng_flip(&r) ? SP_SET_INTERVAL : (sp_set_kind)77;
            break;
        case 7:
            a.p.n += rng_flip(&r) ? 1 : -1;
            break;
        case 8:
            start[0] = 1;
            break;
        default:
            set[i].shifted = 1;
            break;
        }
        a.p.set = set;
        a.p.row = row;
        a.p.G.start = start;
        a.p.G.column = column;
        sp_fc_solution s = {.P = a.P, .status = a.status};
        assert_int_equal(0, sp_fc_solve_few(&a.p, &o, 1e-10, &s));
        pile_free(&a);
    }
}

static void a_start_that_is_not_finite_counts_as_none(void **ctx)
{
    (void)ctx;
    rng r = {5};
    pile a = pile_random(&r);
    sp_fc_options o = {.warm = 1};
    for (int k = 0; k < a.p.n; k++) {
        a.P[k] = k % 2 ? NAN : 0.5;
    }
    sp_fc_begin(&a.p, &o, a.P);
    for (int k = 0; k < a.p.n; k++) {
        assert_true(a.P[k] == (k % 2 ? 0.0 : 0.5));
    }
    o.warm = 0;
    sp_fc_begin(&a.p, &o, a.P);
    for (int k = 0; k < a.p.n; k++) {
        assert_true(a.P[k] == 0.0);
    }
    pile_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_it_tells_is_what_the_general_code_finds),
        cmocka_unit_test(what_is_malformed_or_not_finite_is_left_to_the_check),
        cmocka_unit_test(a_start_that_is_not_finite_counts_as_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
