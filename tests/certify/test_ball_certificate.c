/* Both certificates on sets of laws/ball.h: solutions made from the law itself pass, and every way
 * to be wrong shows. */
#include "certify/certificate.h"
#include "certify/fc_certificate.h"
#include "laws/contensou.h"
#include "support/check.h"

#include <string.h>

enum { DIM = SP_SET_DIM_MAX };

/* A slip of one contact with Contensou's ball and rolling torques, made from its velocity: P from
 * the law's derivatives, G the unit matrix, c = xi - P. */
typedef struct slip {
    sp_set set;
    double G[DIM * DIM], c[DIM], P[DIM], xi[DIM];
} slip;

static slip make(rng *r, int kind)
{
    slip s = {.set = sp_set_contensou(rng_in(r, 0.1, 1.0), (sp_pressure)(kind % 2),
                                      rng_in(r, 0.1, 2.0), kind > 1 ? 0.3 : 0.0)};
    s.set.kind = SP_SET_CONTENSOU_ROLLING;
    s.set.mu_2 = rng_in(r, 0.1, 1.0);
    const double N = rng_in(r, 0.5, 2.0), R = s.set.R + s.set.R_N * cbrt(N);
    s.P[0] = N;
    for (int a = 1; a < DIM; a++) {
        s.xi[a] = rng_in(r, -1.0, 1.0);
        s.G[a * DIM + a] = 1.0;
    }
    s.G[0] = 1.0;
    const double v = hypot(s.xi[1], s.xi[2]), roll = hypot(s.xi[4], s.xi[5]);
    const sp_contensou at = sp_contensou_at(s.set.pressure, v, R * fabs(s.xi[3]));
    for (int a = 1; a < 3; a++) {
        s.P[a] = -s.set.mu * N * at.f * s.xi[a] / v;
        s.P[3 + a] = -s.set.mu_2 * N * s.xi[3 + a] / roll;
    }
    s.P[3] = -copysign(s.set.mu * N * R * at.m, s.xi[3]);
    for (int a = 0; a < DIM; a++) {
        s.c[a] = s.xi[a] - s.P[a];
    }
    return s;
}

static sp_fc_certificate judge(const slip *s, const double *P)
{
    const int row = 0, start[2] = {0, 1}, column = 0;
    const size_t at = 0;
    const sp_fc p = {.n_contact = 1,
                     .n = DIM,
                     .set = &s->set,
                     .row = &row,
                     .c = s->c,
                     .G = {start, &column, &at, s->G}};
    double scratch[DIM + 2];
    sp_fc_certificate c;
    sp_certify_fc(&p, P, scratch, &c);
    return c;
}

static void solutions_from_the_law_pass(void **ctx)
{
    (void)ctx;
    rng r = {31};
    for (int k = 0; k < 500; k++) {
        const slip s = make(&r, k % 4);
        const sp_fc_certificate c = judge(&s, s.P);
        assert_true(c.scaled < 1e-14 && c.cone < 1e-14 && c.dissipation < 1e-14);
        assert_true(c.penetration < 1e-15 && c.gap_work < 1e-15 && c.fclib < 1e-14);
        double work = 0.0;
        for (int a = 1; a < DIM; a++) {
            work += s.P[a] * s.xi[a];
        }
        assert_near(c.work, work, 1e-13);
    }
}

static void wrong_percussions_show(void **ctx)
{
    (void)ctx;
    rng r = {32};
    for (int k = 0; k < 500; k++) {
        const slip s = make(&r, k % 4);
        double more[DIM], less[DIM], turned[DIM];
        memcpy(more, s.P, sizeof more);
        memcpy(less, s.P, sizeof less);
        memcpy(turned, s.P, sizeof turned);
        for (int a = 1; a < DIM; a++) {
            more[a] *= 1.0 + 1e-6;
            less[a] *= 1.0 - 1e-6;
        }
        turned[1] = -s.P[2];
        turned[2] = s.P[1];
        assert_true(judge(&s, more).cone > 1e-9);   /* outside of the ball */
        assert_true(judge(&s, less).scaled > 1e-9); /* inside, though it slips */
        assert_true(judge(&s, less).dissipation > 1e-9 && judge(&s, less).cone < 1e-14);
        assert_true(judge(&s, turned).scaled > 1e-4 && judge(&s, turned).dissipation > 1e-4);
        more[0] = NAN;
        assert_true(isnan(judge(&s, more).scaled));
    }
}

/* The certificate of small dense problems says the same. */
static void the_dense_certificate_agrees(void **ctx)
{
    (void)ctx;
    rng r = {33};
    for (int k = 0; k < 200; k++) {
        const slip s = make(&r, k % 4);
        double wrong[DIM];
        const int row = 0;
        const double rho = 1.0;
        sp_certificate good, bad;
        sp_certify_contacts(1, &s.set, &row, s.P, s.xi, &rho, 2.0, &good);
        memcpy(wrong, s.P, sizeof wrong);
        wrong[3] += copysign(0.01, s.P[3]);
        sp_certify_contacts(1, &s.set, &row, wrong, s.xi, &rho, 2.0, &bad);
        assert_true(good.complementarity < 1e-14 && good.cone < 1e-14 && good.dissipation < 1e-14);
        assert_true(bad.complementarity > 1e-6 && bad.cone > 1e-6 && bad.dissipation > 1e-6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solutions_from_the_law_pass),
        cmocka_unit_test(wrong_percussions_show),
        cmocka_unit_test(the_dense_certificate_agrees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
