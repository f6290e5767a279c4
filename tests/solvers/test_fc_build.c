#include "solvers/fc.h"

#include "support/check.h"
#include "support/piles.h"

#include <stdlib.h>
#include <string.h>

/* Dense G of a problem in block form, row-major. */
static double *dense_of(const sp_fc *p)
{
    double *D = calloc((size_t)p->n * (size_t)p->n, sizeof *D);
    for (int i = 0; i < p->n_contact; i++) {
        for (int b = p->G.start[i]; b < p->G.start[i + 1]; b++) {
            const int j = p->G.column[b], cols = sp_set_dim(&p->set[j]);
            for (int e = 0; e < sp_set_dim(&p->set[i]) * cols; e++) {
                D[(p->row[i] + e / cols) * p->n + p->row[j] + e % cols] =
                    p->G.value[p->G.at[b] + (size_t)e];
            }
        }
    }
    return D;
}

static void the_blocks_of_bodies_are_h_m_inverse_h_transposed(void **ctx)
{
    (void)ctx;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        rng r = {seed};
        pile a = pile_random(&r);
        const int n = a.p.n, n_dof = a.p.F.dof[a.n_body];
        double *H = calloc((size_t)(n * n_dof), sizeof *H), *D = dense_of(&a.p), size = 0.0;
        for (int i = 0; i < a.p.n_contact; i++) {
            for (int k = a.p.F.start[i]; k < a.p.F.start[i + 1]; k++) {
                for (int e = 0; e < 18; e++) {
                    H[(a.p.row[i] + e / 6) * n_dof + a.p.F.dof[a.p.F.body[k]] + e % 6] =
                        a.p.F.H[a.p.F.at[k] + (size_t)e];
                }
            }
        }
        for (int k = 0; k < n * n; k++) {
            size = fmax(size, fabs(D[k]));
        }
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                double sum = 0.0;
                for (int k = 0; k < n_dof; k++) {
                    sum += H[i * n_dof + k] * H[j * n_dof + k] *
                           a.p.F.M_inv[a.p.F.inverse[k / 6] + (size_t)(7 * (k % 6))];
                }
                assert_near_scaled(D[i * n + j], sum, size, 1e-14);
            }
        }
        free(H), free(D);
        pile_free(&a);
    }
}

static void dense_and_entries_give_the_same_blocks(void **ctx)
{
    (void)ctx;
    rng r = {7};
    pile a = pile_random(&r);
    const int n = a.p.n;
    double *D = dense_of(&a.p);
    sp_fc p = a.p, q = a.p;
    assert_int_equal(SP_OK, sp_fc_from_dense(&p, D, (size_t)n, 1, &a.arena, NULL));
    double *back = dense_of(&p);
    assert_memory_equal(D, back, (size_t)(n * n) * sizeof *D);
    free(back);
    /* entries in two halves that are added, in reverse */
    const size_t entries = 2 * (size_t)(n * n);
    int *row = malloc(entries * sizeof *row), *column = malloc(entries * sizeof *column);
    double *value = malloc(entries * sizeof *value);
    for (size_t e = 0; e < entries; e++) {
        const int k = n * n - 1 - (int)(e / 2);
        row[e] = k / n;
        column[e] = k % n;
        value[e] = 0.5 * D[k];
    }
    assert_int_equal(SP_OK, sp_fc_from_entries(&q, entries, row, column, value, &a.arena, NULL));
    back = dense_of(&q);
    assert_memory_equal(D, back, (size_t)(n * n) * sizeof *D);
    row[3] = n;
    sp_error err;
    assert_int_equal(SP_E_INPUT,
                     sp_fc_from_entries(&q, entries, row, column, value, &a.arena, &err));
    assert_non_null(strstr(err.text, "entry ("));
    free(back), free(row), free(column), free(value), free(D);
    pile_free(&a);
}

static void column_by_column_is_the_transpose(void **ctx)
{
    (void)ctx;
    const sp_set set[2] = {sp_set_half_line(), sp_set_half_line()};
    const int row[2] = {0, 1};
    const double D[4] = {1.0, 2.0, 3.0, 4.0}; /* columns (1, 2), (3, 4) */
    sp_arena arena;
    sp_arena_init(&arena, NULL, 0);
    sp_fc p;
    memset(&p, 0, sizeof p);
    p.n_contact = p.n = 2;
    p.set = set;
    p.row = row;
    assert_int_equal(SP_OK, sp_fc_from_dense(&p, D, 1, 2, &arena, NULL));
    assert_true(p.G.value[p.G.at[1]] == 3.0 && p.G.value[p.G.at[2]] == 2.0);
    sp_arena_free(&arena);
}

/* The global form of a pile with full mass blocks, as entries. */
typedef struct global_form {
    sp_fc_global g;
    int M_row[400], M_column[400], H_row[600], H_column[600];
    double M[400], H[600], f[24], w[24];
} global_form;

static void the_global_form_gives_the_same_problem(void **ctx)
{
    (void)ctx;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        rng r = {seed};
        pile a = pile_random(&r);
        global_form G;
        memset(&G, 0, sizeof G);
        G.g.n_dof = a.p.F.dof[a.n_body];
        for (int k = 0; k < G.g.n_dof; k++) { /* M is diagonal here; couple two of a body: still */
            G.M_row[k] = G.M_column[k] = k;   /* the inverse of its block */
            G.M[k] = 1.0 / a.p.F.M_inv[36 * (k / 6) + 7 * (k % 6)];
            G.f[k] = rng_in(&r, -1.0, 1.0) * G.M[k];
        }
        G.g.M_entries = (size_t)G.g.n_dof;
        for (int i = 0; i < a.p.n_contact; i++) {
            for (int k = a.p.F.start[i]; k < a.p.F.start[i + 1]; k++) {
                for (int e = 0; e < 18; e++) {
                    const size_t m = G.g.H_entries++;
                    G.H_row[m] = a.p.F.dof[a.p.F.body[k]] + e % 6;
                    G.H_column[m] = a.p.row[i] + e / 6;
                    G.H[m] = a.p.F.H[a.p.F.at[k] + (size_t)e];
                }
            }
        }
        for (int k = 0; k < a.p.n; k++) {
            G.w[k] = rng_in(&r, -1.0, 1.0);
        }
        G.g.M_row = G.M_row, G.g.M_column = G.M_column, G.g.M_value = G.M;
        G.g.H_row = G.H_row, G.g.H_column = G.H_column, G.g.H_value = G.H;
        G.g.f = G.f, G.g.w = G.w;
        sp_fc p = a.p;
        assert_int_equal(SP_OK, sp_fc_from_global(&p, &G.g, &a.arena, NULL));
        assert_int_equal(SP_OK, sp_fc_form(&p, &a.arena, NULL));
        double *D = dense_of(&a.p), *E = dense_of(&p), size = 0.0;
        for (int k = 0; k < a.p.n * a.p.n; k++) {
            size = fmax(size, fabs(D[k]));
        }
        for (int k = 0; k < a.p.n * a.p.n; k++) {
            assert_near_scaled(D[k], E[k], size, 1e-13);
        }
        for (int k = 0; k < a.p.n; k++) { /* c = H'M^-1 f + w */
            double c = G.w[k];
            for (size_t m = 0; m < G.g.H_entries; m++) {
                c += G.H_column[m] == k ? G.H[m] * G.f[G.H_row[m]] / G.M[G.H_row[m]] : 0.0;
            }
            assert_near(p.c[k], c, 1e-12);
        }
        G.M[0] = -1.0;
        sp_error err;
        assert_int_equal(SP_E_INPUT, sp_fc_from_global(&p, &G.g, &a.arena, &err));
        assert_non_null(strstr(err.text, "not positive definite"));
        free(D), free(E);
        pile_free(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_blocks_of_bodies_are_h_m_inverse_h_transposed),
        cmocka_unit_test(dense_and_entries_give_the_same_blocks),
        cmocka_unit_test(column_by_column_is_the_transpose),
        cmocka_unit_test(the_global_form_gives_the_same_problem),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
