/* A family with known answers: a block on a rough floor, pushed by one pulse of 1 us to 1 s at a
 * random time, rectangular, from a table or smooth.
 *
 * With I and K the first and second integral of the force, R = mu m g, and t_a where F reaches R:
 *
 *     m v = I(t) - I(t_a) - R (t - t_a),   m x = K(t) - K(t_a) - I(t_a)(t - t_a) - R (t - t_a)^2/2
 *
 * until v = 0.  Run by the default method and by coarse steps: no answer is silently wrong. */
#include "support/check.h"
#include "support/run.h"

#include <stdio.h>

#define UNTIL 20.0
#define STEP  0.01

typedef struct pulse {
    int kind; /* 0: rectangle, 1: triangle by a table, 2: bell */
    double t, w, J, m, mu;
} pulse;

/* F, I and K at s from the middle of the pulse. */
static void integrate(const pulse *p, double s, double *F, double *I, double *K)
{
    const double F0 = p->J / p->w, w = p->w;
    *F = *I = *K = 0.0;
    if (p->kind == 2) {
        const double z = s / w, bell = exp(-z * z), PI = 3.14159265358979323846;
        *F = F0 / sqrt(PI) * bell;
        *I = 0.5 * p->J * erfc(-z);
        *K = 0.5 * p->J * (s * erfc(-z) + w / sqrt(PI) * bell);
        return;
    }
    const double half = p->kind == 0 ? 0.5 * w : w;
    if (s > half) {
        integrate(p, half, F, I, K);
        *F = 0.0;
        *K += *I * (s - half);
        return;
    }
    const double a = s + half;
    if (a > 0.0 && p->kind == 0) {
        *F = F0;
        *I = F0 * a;
        *K = 0.5 * F0 * a * a;
    } else if (a > 0.0 && s <= 0.0) {
        *F = F0 * a / w;
        *I = 0.5 * F0 * a * a / w;
        *K = F0 * a * a * a / w / 6.0;
    } else if (a > 0.0) {
        const double b = w - s;
        *F = F0 * b / w;
        *I = p->J - 0.5 * F0 * b * b / w;
        *K = p->J * w / 6.0 + p->J * s - F0 / (6.0 * w) * (w * w * w - b * b * b);
    }
}

/* How far the block comes, and the largest speed. */
static double exact(const pulse *p, double *v_most)
{
    const double R = p->mu * p->m * 9.81, far = p->kind == 2 ? 40.0 * p->w : p->w;
    double F, I, K, F_a, I_a, K_a;
    integrate(p, 0.0, &F, &I, &K);
    *v_most = p->J / p->m;
    if (F <= R) {
        return 0.0;
    }
    double lo = -far, hi = 0.0; /* t_a */
    for (int k = 0; k < 200; k++) {
        const double s = 0.5 * (lo + hi);
        integrate(p, s, &F, &I, &K);
        *(F < R ? &lo : &hi) = s;
    }
    const double a = hi;
    integrate(p, a, &F_a, &I_a, &K_a);
    double begin = 0.0, end = far + 1.0 + p->J / R; /* v = 0 behind the middle */
    for (int k = 0; k < 200; k++) {
        const double s = 0.5 * (begin + end);
        integrate(p, s, &F, &I, &K);
        *(I - I_a - R * (s - a) > 0.0 ? &begin : &end) = s;
    }
    integrate(p, end, &F, &I, &K);
    const double d = end - a;
    return (K - K_a - I_a * d - 0.5 * R * d * d) / p->m;
}

static rig block(const pulse *p, const char *settings)
{
    char table[400] = "", force[200];
    const double F0 = p->J / p->w, half = 0.5 * p->w;
    if (p->kind == 0) {
        snprintf(force, sizeof force, "if(t > %.17g s and t < %.17g s, %.17g N, 0 N)", p->t - half,
                 p->t + half, F0);
    } else if (p->kind == 1) {
        snprintf(table, sizeof table,
                 "functions: {F: {points: [[0 s, 0 N], [%.17g s, 0 N], [%.17g s, %.17g N], [%.17g "
                 "s, 0 N], [100 s, 0 N]], by: linear}}\n",
                 p->t - p->w, p->t, F0, p->t + p->w);
        snprintf(force, sizeof force, "F(t)");
    } else {
        snprintf(force, sizeof force, "%.17g N * exp(-((t - %.17g s)/(%.17g s))^2)",
                 F0 / sqrt(3.14159265358979323846), p->t, p->w);
    }
    return rig_of_text("specht: 1\nspace: planar\ngravity: 9.81 m/s^2\n%s"
                       "bodies:\n  ground: {contours: {floor: {line: [0, 1]}}}\n"
                       "  b: {mass: %.17g kg, inertia: 1, contours: {c: {box: [0.3, 0.1]}}}\n"
                       "contacts: {f: {between: [b, ground], law: {mu: %.17g}}}\n"
                       "forces: {push: {force: ['%s', 0], on: b}}\n"
                       "start: {b.y: 0.05 m}\nrun: {until: %g s%s}\n",
                       table, p->m, p->mu, force, UNTIL, settings);
}

static pulse random_pulse(rng *r)
{
    pulse p = {.kind = rng_int(r, 3)};
    p.w = pow(10.0, rng_in(r, -6.0, 0.0));
    p.t = rng_in(r, 1.1, 4.0) + (p.kind == 2 ? 6.0 * p.w : 0.0);
    p.m = pow(10.0, rng_in(r, -1.0, 1.0));
    p.mu = rng_in(r, 0.1, 0.8);
    p.J = p.m * pow(10.0, rng_in(r, -1.0, 0.8));
    return p;
}

/* One of them by one method; how far it is off, of what is allowed. */
static double judge(const pulse *p, const char *settings, bool coarse)
{
    double v;
    const double x = exact(p, &v);
    const double allowed =
        coarse ? 1.5 * v * STEP + p->mu * 9.81 * STEP * STEP + 1e-9 : 1e-6 * (x + 1e-3);
    rig r = block(p, settings);
    sp_run_options o;
    sp_run_summary summary;
    sp_error err = {.text = ""};
    assert_int_equal(sp_run_options_default(r.m, &o, &err), SP_OK);
    o.output_step = UNTIL;
    if (sp_integrate(r.m, r.x, r.w, &o, NULL, 0, &summary, &err) != SP_OK) {
        fail_msg("pulse %d of %g s at %g s: %s", p->kind, p->w, p->t, err.text);
    }
    const double off = fabs(r.x->q[0] - x) / allowed;
    if (!(off <= 1.0)) {
        print_message("pulse %d, w = %g s, t = %.9g s, J = %g, m = %g, mu = %g%s: x = %.9g, "
                      "expected %.9g\n",
                      p->kind, p->w, p->t, p->J, p->m, p->mu, settings, r.x->q[0], x);
    }
    rig_free(&r);
    return off;
}

static void blocks_are_pushed_by_pulses_of_any_length(void **ctx)
{
    (void)ctx;
    const int n = check_cases(40, 500);
    for (int seed = 1; seed <= 2; seed++) {
        int wrong[2] = {0, 0};
        rng r = {(uint64_t)seed};
        for (int k = 0; k < n / (seed == 1 ? 1 : n > 40 ? 1 : 4); k++) {
            const pulse p = random_pulse(&r);
            wrong[0] += !(judge(&p, "", false) <= 1.0);
            wrong[1] += !(judge(&p, ", method: moreau, step: 10 ms", true) <= 1.0);
        }
        print_message("seed %d: %d wrong by default, %d by coarse steps\n", seed, wrong[0],
                      wrong[1]);
        assert_int_equal(wrong[0] + wrong[1], 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_pushed_by_pulses_of_any_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
