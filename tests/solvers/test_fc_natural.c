#include "certify/fc_certificate.h"
#include "random_ball.h"
#include "solvers/fc.h"
#include "solvers/fc_auto.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONTACTS = 5, ROWS = 6 * CONTACTS, DOF = 18 };

/* Contacts of up to three free bodies with each other and with the ground. */
typedef struct scene {
    sp_fc p;
    sp_set set[CONTACTS];
    int row[CONTACTS];
    double W[DOF][ROWS], inverse_mass[DOF], G[ROWS * ROWS], c[ROWS];
    int n_dof;
} scene;

/* A random orthonormal frame. */
static void random_frame(rng *r, double e[3][3])
{
    double len = 0.0;
    for (int a = 0; a < 3; a++) {
        e[0][a] = rng_in(r, -1.0, 1.0);
        e[1][a] = rng_in(r, -1.0, 1.0);
        len += e[0][a] * e[0][a];
    }
    double dot = 0.0, len1 = 0.0;
    for (int a = 0; a < 3; a++) {
        e[0][a] /= sqrt(len);
        dot += e[0][a] * e[1][a];
    }
    for (int a = 0; a < 3; a++) {
        e[1][a] -= dot * e[0][a];
        len1 += e[1][a] * e[1][a];
    }
    for (int a = 0; a < 3; a++) {
        e[1][a] /= sqrt(len1);
    }
    for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3, c = (a + 2) % 3;
        e[2][a] = e[0][b] * e[1][c] - e[0][c] * e[1][b];
    }
}

/* Velocity rows of one contact on one body: force directions, then lever times the spins. */
static void add_body(scene *s, int i, int body, double sign, double e[3][3], const double *arm,
                     double lever)
{
    const sp_set *set = &s->set[i];
    const int drill = set->kind != SP_SET_ROLLING;
    for (int a = 0; a < sp_set_dim(set); a++) {
        const int k = s->row[i] + a;
        const double *d = e[a < 3 ? a : (a - 3 + (drill ? 0 : 1))];
        for (int b = 0; b < 3; b++) {
            const int b1 = (b + 1) % 3, b2 = (b + 2) % 3;
            s->W[6 * body + b][k] += a < 3 ? sign * d[b] : 0.0;
            s->W[6 * body + 3 + b][k] +=
                sign * (a < 3 ? arm[b1] * d[b2] - arm[b2] * d[b1] : lever * d[b]);
        }
    }
}

/* Any set, balls mostly. */
static sp_set any_set(rng *r)
{
    const int k = rng_int(r, 9);
    sp_set s = k < 6    ? random_ball(r, k)
               : k == 6 ? sp_set_disc(rng_in(r, 0.0, 1.0))
               : k == 7 ? sp_set_planar(rng_in(r, 0.0, 1.0))
                        : sp_set_half_line();
    return rng_int(r, 5) == 0 ? sp_set_adhere(s, rng_in(r, 0.0, 0.5)) : s;
}

static void random_scene(rng *r, scene *s)
{
    memset(s, 0, sizeof *s);
    const int n_body = 1 + rng_int(r, 3);
    s->n_dof = 6 * n_body;
    s->p.n_contact = 1 + rng_int(r, CONTACTS);
    for (int i = 0; i < s->p.n_contact; i++) {
        s->set[i] = any_set(r);
    }
    s->p.n = sp_fc_rows(s->p.n_contact, s->set, s->row);
    for (int b = 0; b < n_body; b++) {
        const double mass = pow(10.0, rng_in(r, -1.0, 1.0)), size = rng_in(r, 0.2, 1.0);
        for (int a = 0; a < 3; a++) {
            s->inverse_mass[6 * b + a] = 1.0 / mass;
            s->inverse_mass[6 * b + 3 + a] = 1.0 / (mass * size * size * rng_in(r, 0.3, 0.5));
        }
    }
    for (int i = 0; i < s->p.n_contact; i++) {
        const int a = rng_int(r, n_body), b = rng_int(r, n_body + 1);
        double e[3][3], arm[3], lever = rng_in(r, 0.05, 0.5);
        random_frame(r, e);
        for (int side = 0; side < 2; side++) {
            for (int k = 0; k < 3; k++) {
                arm[k] = rng_in(r, -1.0, 1.0);
            }
            if (side == 0 || (b < n_body && b != a)) {
                add_body(s, i, side == 0 ? a : b, side == 0 ? 1.0 : -1.0, e, arm, lever);
            }
        }
    }
    double u[DOF];
    for (int d = 0; d < s->n_dof; d++) {
        u[d] = rng_in(r, -2.0, 2.0);
    }
    for (int k = 0; k < s->p.n; k++) {
        for (int d = 0; d < s->n_dof; d++) {
            s->c[k] += s->W[d][k] * u[d];
        }
        for (int l = 0; l < s->p.n; l++) {
            for (int d = 0; d < s->n_dof; d++) {
                s->G[k * s->p.n + l] += s->W[d][k] * s->inverse_mass[d] * s->W[d][l];
            }
        }
    }
    s->p.set = s->set;
    s->p.row = s->row;
    s->p.c = s->c;
}

/* The certificate of P, from the definition; press: the largest |P_i| / (rho_i size_i), at least 1.
 * Works are P times velocities, so that a defect 1e-10 of a velocity is press times that of a work.
 */
static sp_fc_certificate certify(const sp_fc *p, const double *P, double *press)
{
    double scratch[ROWS + 2 * CONTACTS], *size = scratch + p->n, *rho = size + p->n_contact;
    sp_fc_certificate c;
    sp_certify_fc(p, P, scratch, &c);
    *press = 1.0;
    for (int i = 0; i < p->n_contact; i++) {
        for (int a = 0; a < sp_set_dim(&p->set[i]); a++) {
            const double shift = p->set[i].shifted ? p->set[i].shift[a] : 0.0;
            *press = fmax(*press, fabs(P[p->row[i] + a] - shift) / (rho[i] * size[i]));
        }
    }
    return c;
}

static void mixed_problems_are_solved_and_certified(void **ctx)
{
    (void)ctx;
    rng r = {21};
    static scene s;
    const int cases = check_cases(600, 60000);
    int solved = 0, several = 0;
    double worst = 0.0, work = 0.0;
    sp_fc_work w = {0};
    for (int k = 0; k < cases; k++) {
        sp_arena arena;
        double P[ROWS] = {0.0};
        unsigned char status[CONTACTS];
        const sp_fc_options o = {.tol = 1e-11};
        sp_fc_solution f = {.P = P, .status = status};
        random_scene(&r, &s);
        sp_arena_init(&arena, NULL, 0);
        assert_int_equal(SP_OK, sp_fc_from_dense(&s.p, s.G, (size_t)s.p.n, 1, &arena, NULL));
        if (sp_fc_solve(&s.p, &o, &f, &w, NULL) == SP_OK) {
            double press;
            const sp_fc_certificate c = certify(&s.p, P, &press);
            assert_true(c.scaled <= 1e-10 && c.cone <= 1e-10 && c.penetration <= 1e-10);
            assert_true(fmax(c.dissipation, c.gap_work) <= 1e-10 * press);
            worst = fmax(worst, fmax(c.scaled, fmax(c.dissipation / press, c.cone)));
            work = fmax(work, c.work);
            solved++;
            several += s.p.n_contact > 2;
        }
        sp_arena_free(&arena);
    }
    sp_fc_work_free(&w);
    printf("%d of %d solved, worst certificate %.1e, largest work of friction %.1e\n", solved,
           cases, worst, work);
    assert_true(solved >= cases - cases / 10000 && several > cases / 3);
}

/* Both methods that know balls give the same motion. */
static void two_methods_agree(void **ctx)
{
    (void)ctx;
    rng r = {22};
    static scene s;
    const char *name[2] = {"nsgs", "natural"};
    sp_fc_work w = {0};
    int both = 0;
    for (int k = 0; k < check_cases(100, 5000); k++) {
        sp_arena arena;
        double P[2][ROWS] = {{0.0}}, xi[2][ROWS];
        unsigned char status[CONTACTS];
        int ok = 1;
        random_scene(&r, &s);
        for (int i = 0; i < s.p.n_contact; i++) {
            s.set[i].mu *= 0.2; /* one solution only */
            s.set[i].mu_2 *= 0.2;
        }
        sp_arena_init(&arena, NULL, 0);
        assert_int_equal(SP_OK, sp_fc_from_dense(&s.p, s.G, (size_t)s.p.n, 1, &arena, NULL));
        for (int m = 0; m < 2; m++) {
            const sp_fc_options o = {.solver = name[m], .tol = 1e-12};
            sp_fc_solution f = {.P = P[m], .status = status};
            ok = ok && sp_fc_solve(&s.p, &o, &f, &w, NULL) == SP_OK;
            sp_fc_velocity(&s.p, P[m], xi[m], NULL);
        }
        for (int a = 0; ok && a < s.p.n; a++) {
            assert_near(xi[0][a], xi[1][a], 1e-7);
        }
        both += ok;
        sp_arena_free(&arena);
    }
    sp_fc_work_free(&w);
    assert_true(both > check_cases(80, 4000));
}

/* sp_solve with the dense matrix, as the integrators call it. */
static void the_dense_call_takes_balls_too(void **ctx)
{
    (void)ctx;
    rng r = {24};
    static scene s;
    sp_fc_work w = {0};
    for (int k = 0; k < 100; k++) {
        sp_arena arena;
        double P[ROWS] = {0.0};
        unsigned char status[CONTACTS];
        random_scene(&r, &s);
        const sp_problem q = {.n_contact = s.p.n_contact,
                              .n = s.p.n,
                              .set = s.set,
                              .row = s.row,
                              .G = s.G,
                              .ld = s.p.n,
                              .c = s.c,
                              .space = &w};
        sp_solution f = {.P = P, .status = status};
        void *work = malloc(sp_solve_work(s.p.n_contact, s.p.n));
        memset(status, SP_STATUS_UNKNOWN, sizeof status);
        assert_int_equal(SP_OK, sp_solve(&q, &f, work, NULL));
        assert_int_equal(SP_OK, sp_solve(&q, &f, work, NULL)); /* from the last solution */
        assert_true(f.residual <= 1e-10);
        sp_arena_init(&arena, NULL, 0);
        assert_int_equal(SP_OK, sp_fc_from_dense(&s.p, s.G, (size_t)s.p.n, 1, &arena, NULL));
        double press;
        assert_true(certify(&s.p, P, &press).scaled <= 1e-10);
        sp_arena_free(&arena);
        free(work);
    }
    sp_fc_work_free(&w);
}

static void methods_for_discs_say_that_they_cannot(void **ctx)
{
    (void)ctx;
    const sp_set set = sp_set_contensou(0.3, SP_PRESSURE_UNIFORM, 1.0, 0.0);
    const int row = 0;
    const double c[4] = {-1.0, 1.0, 0.0, 1.0}, G[16] = {1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0,
                                                        0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0};
    sp_fc p = {.n_contact = 1, .n = 4, .set = &set, .row = &row, .c = c};
    sp_arena arena;
    sp_arena_init(&arena, NULL, 0);
    assert_int_equal(SP_OK, sp_fc_from_dense(&p, G, 4, 1, &arena, NULL));
    double P[4] = {0.0};
    unsigned char status;
    sp_fc_solution s = {.P = P, .status = &status};
    sp_fc_work w = {0};
    const char *text;
    for (int k = 0; sp_fc_solver_name(k, &text); k++) {
        const sp_fc_options o = {.solver = sp_fc_solver_name(k, &text)};
        sp_error err;
        const int knows = k == SP_FC_AUTO || k == SP_FC_NSGS || k == SP_FC_NATURAL;
        assert_int_equal(knows ? SP_OK : SP_E_INPUT, sp_fc_solve(&p, &o, &s, &w, &err));
        if (knows) {
            assert_int_equal(SP_SLIP_POS, status);
        } else {
            assert_non_null(strstr(err.text, "knows discs only"));
        }
    }
    sp_set bad = set;
    bad.R = -1.0;
    p.set = &bad;
    const sp_fc_options o = {.tol = 0.0};
    assert_int_equal(SP_E_INPUT, sp_fc_solve(&p, &o, &s, &w, NULL));
    sp_fc_work_free(&w);
    sp_arena_free(&arena);
}

/* Numbers of any size and matrices of any kind: the solver ends, and what it calls solved is. */
static void garbage_is_survived(void **ctx)
{
    (void)ctx;
    rng r = {23};
    static scene s;
    sp_fc_work w = {0};
    int solved = 0, cases = check_cases(60, 2000);
    for (int k = 0; k < cases; k++) {
        sp_arena arena;
        double P[ROWS] = {0.0};
        unsigned char status[CONTACTS];
        const sp_fc_options o = {.effort = 0.05};
        sp_fc_solution f = {.P = P, .status = status};
        random_scene(&r, &s);
        const double size = rng_flip(&r) ? 1.0 : pow(10.0, rng_in(&r, -100.0, 100.0));
        const int kind = rng_int(&r, 3);
        for (int e = 0; e < s.p.n * s.p.n; e++) {
            s.G[e] = size * (kind == 0 ? s.G[e] : kind == 1 ? rng_in(&r, -1.0, 1.0) : 0.0);
        }
        for (int i = 0; i < s.p.n_contact; i++) {
            s.set[i].mu *= rng_flip(&r) ? 1.0 : pow(10.0, rng_in(&r, -100.0, 100.0));
            s.set[i].mu_2 *= rng_flip(&r) ? 1.0 : pow(10.0, rng_in(&r, -50.0, 50.0));
            s.set[i].R *= rng_flip(&r) ? 1.0 : pow(10.0, rng_in(&r, -50.0, 50.0));
        }
        sp_arena_init(&arena, NULL, 0);
        assert_int_equal(SP_OK, sp_fc_from_dense(&s.p, s.G, (size_t)s.p.n, 1, &arena, NULL));
        const sp_status end = sp_fc_solve(&s.p, &o, &f, &w, NULL);
        if (end == SP_OK) {
            assert_true(f.residual <= 1e-10);
            solved++;
        } else {
            assert_true(end == SP_E_NOT_CONVERGED || end == SP_E_INFEASIBLE);
        }
        sp_arena_free(&arena);
    }
    sp_fc_work_free(&w);
    printf("%d of %d solved\n", solved, cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mixed_problems_are_solved_and_certified),
        cmocka_unit_test(two_methods_agree),
        cmocka_unit_test(the_dense_call_takes_balls_too),
        cmocka_unit_test(methods_for_discs_say_that_they_cannot),
        cmocka_unit_test(garbage_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
