#include "solvers/reduced.h"

#include "support/check.h"

#include <stdlib.h>

#include "random_problem.h"

/* Do P and xi = G P + c satisfy the equations of the status?  Largest error over the terms. */
static double error_of_status(const sp_problem *p, const unsigned char *status, const double *P)
{
    double worst = 0.0;
    for (int i = 0; i < p->n_contact; i++) {
        const sp_set *s = &p->set[i];
        for (int a = 0; a < sp_set_dim(s); a++) {
            const int k = p->row[i] + a;
            double xi = p->c[k], size = fabs(p->c[k]);
            for (int j = 0; j < p->n; j++) {
                xi += p->G[k * p->ld + j] * P[j];
                size += fabs(p->G[k * p->ld + j] * P[j]);
            }
            const int open = status[i] == SP_OPEN && s->kind != SP_SET_FREE;
            const int slips = a == 1 && (status[i] > SP_STICK || s->mu == 0.0);
            const double sign = status[i] == SP_SLIP_POS ? -1.0 : 1.0;
            const double error = open    ? fabs(P[k])
                                 : slips ? fabs(P[k] - sign * s->mu * P[k - 1])
                                         : fabs(xi) / size;
            worst = check_worse(worst, error);
        }
    }
    return worst;
}

static void both_ways_satisfy_the_equations_of_the_status(void **ctx)
{
    (void)ctx;
    uint64_t state = 4711;
    int fast = 0, careful = 0;
    void *memory = malloc(sp_reduced_bytes(CONTACTS, ROWS));
    for (int k = 0; k < 4000; k++) {
        random_problem r;
        random_make(&state, &r);
        unsigned char status[CONTACTS];
        double P[ROWS];
        for (int i = 0; i < r.p.n_contact; i++) {
            status[i] = (unsigned char)whole(&state, 0, 3);
        }
        sp_reduced w;
        sp_reduced_place(&w, r.p.n_contact, r.p.n, memory);
        sp_reduced_unknowns(&r.p, status, &w);
        if (sp_reduced_fast(&r.p, &w)) {
            sp_reduced_expand(&r.p, &w, P);
            assert_true(error_of_status(&r.p, status, P) < 1e-9);
            fast++;
        }
        if (sp_reduced_careful(&r.p, &w, 1e-10, 0, P) == 0) {
            assert_true(error_of_status(&r.p, status, P) < 1e-9);
            careful++;
        }
    }
    free(memory);
    assert_true(fast > 1000 && careful > 2000);
}

static void dependent_sticking_contacts_share_evenly(void **ctx)
{
    (void)ctx;
    /* a box on two corners, both sticking: the tangential rows are equal, rank 3 of 4 */
    const sp_set set[2] = {sp_set_planar(0.5), sp_set_planar(0.5)};
    const int row[2] = {0, 2};
    const double a = 0.05, b = 0.025, m = 0.076, J = 2.7e-6;
    const double W[4][3] = {{0, 1, -a}, {1, 0, b}, {0, 1, a}, {1, 0, b}};
    const double inverse[3] = {1.0 / m, 1.0 / m, 1.0 / J}, u[3] = {0.1, -0.8, 0.0};
    double G[16] = {0.0}, c[4] = {0.0}, P[4];
    for (int k = 0; k < 16; k++) {
        for (int d = 0; d < 3; d++) {
            G[k] += W[k / 4][d] * inverse[d] * W[k % 4][d];
            c[k / 4] += 0.25 * W[k / 4][d] * u[d];
        }
    }
    const sp_problem p = {2, 4, set, row, G, 4, c, 0.0, NULL, 0};
    const unsigned char status[2] = {SP_STICK, SP_STICK};
    void *memory = malloc(sp_reduced_bytes(2, 4));
    sp_reduced w;
    sp_reduced_place(&w, 2, 4, memory);
    sp_reduced_unknowns(&p, status, &w);
    assert_int_equal(0, sp_reduced_fast(&p, &w));
    assert_int_equal(1, sp_reduced_careful(&p, &w, 1e-10, 0, P));
    assert_near_scaled(P[1], P[3], m * 0.1, 1e-14);
    assert_near_scaled(P[1] + P[3], -m * 0.1, m * 0.1, 1e-13); /* stops the sliding */
    assert_near_scaled(P[0] + P[2], m * 0.8, m * 0.8, 1e-13);  /* and the falling   */
    free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_ways_satisfy_the_equations_of_the_status),
        cmocka_unit_test(dependent_sticking_contacts_share_evenly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
