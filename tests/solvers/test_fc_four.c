/* Four contacts in lanes against the local solver, one after the other. */
#include "solvers/fc_four.h"
#include "solvers/fc_island.h"
#include "solvers/fc_local.h"
#include "support/check.h"

#include <string.h>

enum { DOF = SP_FC_BODY_DOF, BODIES = 8, GROUND = BODIES };

/* A four between random bodies; every fourth second side is the ground. */
static void draw(rng *r, sp_fc_four *f, sp_fc_four_more *more, int discs)
{
    static const int row[6] = {0, 0, 0, 1, 1, 2}, column[6] = {0, 1, 2, 1, 2, 2};
    memset(f, 0, sizeof *f);
    memset(more, 0, sizeof *more);
    more->plain = discs;
    for (int l = 0; l < 4; l++) {
        double A[9];
        const int kind = discs ? 0 : rng_int(r, 3);
        more->set[l] = kind == 0   ? sp_set_disc(rng_in(r, 0.0, 1.0))
                       : kind == 1 ? sp_set_planar(rng_in(r, 0.0, 1.0))
                                   : sp_set_half_line();
        more->dim[l] = sp_set_dim(&more->set[l]);
        more->contact[l] = l;
        f->mu[l] = more->set[l].mu;
        f->body[0][l] = l;
        f->body[1][l] = rng_int(r, 4) ? 4 + l : GROUND;
        for (int a = 0; a < more->dim[l]; a++) {
            f->c[a][l] = rng_in(r, -1.0, a ? 1.0 : 0.3);
            for (int k = 0; k < 2 * DOF; k++) {
                f->H[k / DOF][a][k % DOF][l] =
                    f->body[k / DOF][l] == GROUND ? 0.0 : rng_in(r, -1.0, 1.0);
            }
        }
        for (int e = 0; e < 6; e++) {
            double sum = row[e] == column[e] && row[e] >= more->dim[l] ? 1.0 : 0.0;
            for (int k = 0; k < 2 * DOF; k++) {
                sum += f->H[k / DOF][row[e]][k % DOF][l] * f->H[k / DOF][column[e]][k % DOF][l];
            }
            f->G[e][l] = sum;
            A[3 * row[e] + column[e]] = A[3 * column[e] + row[e]] = sum;
        }
        assert_int_equal(1, sp_fc_invert(3, A)); /* rows that are not used are those of the unit */
        for (int e = 0; e < 6; e++) {
            f->stick[e][l] = A[3 * row[e] + column[e]];
        }
    }
}

/* p and y of lane l after one step, from the definition. */
static void step_lane(const sp_fc_four *f, const sp_fc_four_more *more, int l, sp_fc_bodies *y,
                      double *p)
{
    static const int at[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
    double b[3], G[9], S[9], x[3];
    const int dim = more->dim[l];
    for (int a = 0; a < dim; a++) {
        b[a] = f->c[a][l];
        x[a] = p[4 * a + l];
        for (int k = 0; k < DOF; k++) {
            b[a] += f->H[0][a][k][l] * y[f->body[0][l]][k] + f->H[1][a][k][l] * y[f->body[1][l]][k];
        }
        for (int e = 0; e < dim; e++) {
            b[a] -= f->G[at[a][e]][l] * p[4 * e + l];
            G[a * dim + e] = f->G[at[a][e]][l];
            S[a * dim + e] = G[a * dim + e];
        }
    }
    sp_fc_invert(dim, S);
    sp_fc_local(&more->set[l], G, S, b, x);
    for (int a = 0; a < dim; a++) {
        for (int k = 0; k < 2 * DOF; k++) {
            y[f->body[k / DOF][l]][k % DOF] += f->H[k / DOF][a][k % DOF][l] * (x[a] - p[4 * a + l]);
        }
        p[4 * a + l] = x[a];
    }
}

/* Twelve sweeps: the direction of slip is exact in the limit only, so the last ones are compared.
 */
static void lanes_do_what_contacts_alone_do(void **ctx)
{
    (void)ctx;
    int slips = 0, open = 0;
    for (int k = 0; k < check_cases(2000, 50000); k++) {
        rng r = {(uint64_t)k + 1};
        sp_fc_four f;
        sp_fc_four_more more;
        _Alignas(32) sp_fc_bodies y[BODIES + 1] = {{0.0}}, z[BODIES + 1] = {{0.0}};
        _Alignas(32) double p[12] = {0.0}, q[12] = {0.0};
        draw(&r, &f, &more, k % 4 != 0);
        for (int sweep = 0; sweep < 12; sweep++) {
            sp_fc_four_sweep(1, &f, &more, GROUND, y, p);
            for (int l = 0; l < 4; l++) {
                step_lane(&f, &more, l, z, q);
            }
        }
        for (int l = 0; l < 4; l++) {
            for (int a = 0; a < more.dim[l]; a++) {
                assert_near(p[4 * a + l], q[4 * a + l], 1e-10);
            }
            open += q[l] == 0.0;
            slips += more.dim[l] == 3 && q[l] > 0.0 &&
                     hypot(q[4 + l], q[8 + l]) > 0.999 * f.mu[l] * q[l];
        }
        for (int e = 0; e < (BODIES + 1) * DOF; e++) {
            assert_near(y[e / DOF][e % DOF], z[e / DOF][e % DOF], 1e-9);
            assert_true(e < BODIES * DOF || y[e / DOF][e % DOF] == 0.0);
        }
    }
    assert_true(slips > 500 && open > 500);
}

/* y from p is the sum of all pushes; u is H y + c. */
static void pushes_and_velocities_are_products(void **ctx)
{
    (void)ctx;
    rng r = {7};
    sp_fc_four f;
    sp_fc_four_more more;
    _Alignas(32) sp_fc_bodies y[BODIES + 1] = {{0.0}};
    _Alignas(32) double p[12], u[12];
    draw(&r, &f, &more, 1);
    for (int e = 0; e < 12; e++) {
        p[e] = rng_in(&r, -1.0, 1.0);
    }
    sp_fc_four_push(1, &f, GROUND, y, p);
    sp_fc_four_see(&f, (const sp_fc_bodies *)y, u);
    for (int l = 0; l < 4; l++) {
        for (int a = 0; a < 3; a++) { /* alone, H y = H H' p = G p */
            static const int at[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
            double sum = f.c[a][l];
            for (int e = 0; e < 3; e++) {
                sum += f.G[at[a][e]][l] * p[4 * e + l];
            }
            assert_near(u[4 * a + l], sum, 1e-13);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_do_what_contacts_alone_do),
        cmocka_unit_test(pushes_and_velocities_are_products),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
