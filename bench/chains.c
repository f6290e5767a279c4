/* chains.c - chains on two pulleys: processor time per step against plain loops, how it grows with
 * the number of links, and against MuJoCo.
 *
 *     bench_chains [rounds]
 *
 * plates    links with elastic plates, explicit steps of 5 us and implicit ones of 20 us, against
 * the loops of chains_plain.c hinges    rigid links on hinges, steps of 20 us, against
 * peer_chains_mujoco where it is there
 *
 * Least of the rounds.  Exit code 1 if a limit is missed. */
#include "bench.h"
#include "chains_plain.h"

#include "specht/load.h"
#include "specht/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_SIZE = 5, TEXT = 6000 };
static const int size_of[N_SIZE] = {63, 126, 252, 500, 1000};
#define CERTIFIED 1e-8
#define PATIENCE  30.0 /* s: what would take longer, by the third power of links, is not run */

typedef enum kind { EXPLICIT, IMPLICIT, HINGES, N_KIND } kind;

static const struct {
    const char *name;
    double step, until, exponent, ratio; /* ... at most: to the plain loop */
} kind_of[N_KIND] = {{"plates, explicit", 5e-6, 3e-3, 1.15, 8.0},
                     {"plates, implicit", 2e-5, 6e-3, 1.15, 5.0},
                     {"hinges", 2e-5, 3e-3, 1.2, 0.0}};

/* ---- models -----------------------------------------------------------------------------------
 */

static const char parameters[] =
    "specht: 1\nname: chain\nspace: planar\ngravity: 0\n"
    "parameters:\n"
    "  N: %d\n  p: 9.85 mm\n  a: (N/63)*(155 mm)\n  r: (N*p - 2*a)/(2*pi)\n  R: r - 0.02 mm\n"
    "  W: (63/N)*(1500 rpm)\n  F: 5.7 kN\n  T: (N/63)*(120 J)\n"
    "functions:\n"
    "  ramp(u): \"if(u < 1, u^2*(3 - 2*u), 1)\"\n"
    "  X(s): \"if(s < a, s, if(s < a + pi*r, a + r*sin((s - a)/r), if(s < 2*a + pi*r, 2*a + pi*r - "
    "s, -r*sin((s - 2*a - pi*r)/r))))\"\n"
    "  Y(s): \"if(s < a, r, if(s < a + pi*r, r*cos((s - a)/r), if(s < 2*a + pi*r, -r, "
    "-r*cos((s - 2*a - pi*r)/r))))\"\n"
    "  turn(s): \"if(s < a, 0, if(s < a + pi*r, -(s - a)/r, if(s < 2*a + pi*r, -pi, -pi - (s - 2*a "
    "- pi*r)/r)))\"\n"
    "  arc(s): \"if(s < a, 0, if(s < a + pi*r, 1, if(s < 2*a + pi*r, 0, 1)))\"\n"
    "laws: {pin: {mu: 0.47}}\n"
    "run: {until: %g s, method: moreau, step: %g s, start: project, implicit: %s, output_step: 1 "
    "s}\n"
    "forces:\n  tension: {force: [F, 0], on: carriage}\n"
    "  load: {torque: T*ramp(t/(20 ms)), on: driven}\n";

static const char pulleys[] =
    "bodies:\n"
    "  driving: {mass: 4 kg, inertia: 8e-3 kg*m^2, joint: {revolute: ground, speed: -W}, contours: "
    "{rim: {circle: R}}}\n"
    "  carriage: {mass: 4 kg, joint: {prismatic: ground, at: [a, 0], axis: [1, 0], damping: 2e4 "
    "N*s/m}}\n"
    "  driven: {mass: 4 kg, inertia: 8e-3 kg*m^2, joint: {revolute: carriage}, contours: {rim: "
    "{circle: R}}}\n";

static const char plates[] = "  plates: {count: N, bushing: [link.(i).front, link.(i mod n + "
                             "1).back], stiffness: [8e7, 8e7, "
                             "0], damping: [800, 800, 2e-4]}\n";

static const char free_links[] =
    "  link: {count: N, mass: 15 g, inertia: 4e-7 kg*m^2, center: [p/2, 0], joint: {free: ground}, "
    "points: {front: [p, 0], back: [0, 0]}, contours: {pin: {point: [0, 0]}}}\n"
    "contacts: {pins: {between: [link, [driving, driven]], law: pin}}\n"
    "near:\n"
    "  link.x: X((i - 1)*p)\n  link.y: Y((i - 1)*p)\n  link.phi: turn((i - 0.5)*p)\n"
    "  link.vx: W*Y((i - 1)*p)\n"
    "  link.vy: \"-W*(X((i - 1)*p) - if(X((i - 1)*p) > a, a, if(X((i - 1)*p) > 0 m, X((i - 1)*p), "
    "0 "
    "m)))\"\n"
    "  link.omega: -W*arc((i - 0.5)*p)\n  driven.omega: -W\n";

static const char hinged_links[] =
    "  head: {mass: 15 g, inertia: 4e-7 kg*m^2, center: [p/2, 0], points: {back: [0, 0]}, "
    "contours: "
    "{pin: {point: [0, 0]}}}\n"
    "  link: {count: N - 1, mass: 15 g, inertia: 4e-7 kg*m^2, center: [p/2, 0], joint: {revolute: "
    "link.(i-1), first: head, at: [p, 0], damping: 2e-4 N*m*s/rad}, points: {front: [p, 0]}, "
    "contours: {pin: {point: [0, 0]}}}\n"
    "joints: {close: {revolute: [link.%d.front, head.back]}}\n"
    "contacts: {pins: {between: [[head, link], [driving, driven]], law: pin}}\n"
    "near:\n"
    "  head.x: X(0 mm)\n  head.y: Y(0 mm)\n  head.phi: turn(p/2)\n  link.phi: turn((i + 0.5)*p)\n"
    "  head.vx: W*r\n  head.omega: 0\n  link.omega: -W*arc((i + 0.5)*p)\n  driven.omega: -W\n";

static void write_model(kind k, int n, char text[TEXT])
{
    char *at = text + snprintf(text, TEXT, parameters, n, kind_of[k].until, kind_of[k].step,
                               k == EXPLICIT ? "no" : "auto");
    const size_t used = (size_t)(at - text);
    if (k == HINGES) {
        at += snprintf(at, TEXT - used, "%s", pulleys);
        snprintf(at, TEXT - (size_t)(at - text), hinged_links, n - 1);
    } else {
        snprintf(at, TEXT - used, "%s%s%s", plates, pulleys, free_links);
    }
}

/* ---- runs -------------------------------------------------------------------------------------
 */

typedef struct timing {
    double seconds, residual; /* per step; the worst of the certificate */
    double until;             /* s that were simulated                  */
} timing;

static bool fail(const char *what, const sp_error *err)
{
    fprintf(stderr, "bench_chains: %s: %s\n", what, err->text);
    return false;
}

static bool run_once(kind k, int n, timing *t)
{
    static char text[TEXT];
    sp_error err = {.status = SP_OK};
    sp_model *m = NULL;
    sp_state *x = NULL;
    sp_work *w = NULL;
    sp_run_options o;
    sp_run_outcome outcome;
    write_model(k, n, text);
    sp_spec *spec = sp_spec_new(NULL);
    if (!spec || sp_spec_load_text(spec, "chain.yaml", text, strlen(text), NULL, &err) ||
        sp_model_build(spec, NULL, &m, &err) || sp_state_new(m, NULL, &x, &err) ||
        sp_work_new(m, NULL, &w, &err) || sp_run_options_default(m, &o, &err)) {
        return fail("model", &err);
    }
    const double start = bench_processor();
    const sp_status status = sp_run(m, x, w, &o, NULL, &outcome, &err);
    const double seconds = bench_processor() - start;
    const bool ok = status == SP_OK && outcome.steps > 0;
    *t = (timing){seconds / (double)(outcome.steps > 0 ? outcome.steps : 1),
                  fmax(fmax(outcome.complementarity, outcome.cone), outcome.momentum), outcome.t};
    sp_work_free(w);
    sp_state_free(x);
    sp_model_free(m);
    sp_spec_free(spec);
    return ok || fail(outcome.message, &err);
}

/* Seconds of a plain step. */
static double time_plain(kind k)
{
    plain_chain *c = plain_chain_new(size_of[0], kind_of[k].step);
    const long n = lround(kind_of[k].until / kind_of[k].step);
    double worst = 0.0;
    const double start = bench_processor();
    for (long i = 0; c && i < n; i++) {
        (k == EXPLICIT ? plain_chain_explicit : plain_chain_implicit)(c);
        worst = fmax(worst, plain_chain_look(c).defect);
    }
    const double seconds = bench_processor() - start;
    plain_chain_free(c);
    return worst <= CERTIFIED ? seconds / (double)n : NAN;
}

/* ---- judgement --------------------------------------------------------------------------------
 */

static int judge(bool good, const char *format, const char *name, double value, double limit)
{
    printf("  %s  ", good ? "PASS" : "FAIL");
    printf(format, name, value, limit);
    printf("\n");
    return !good;
}

/* Slope of the straight line through (log links, log seconds). */
static double exponent(const timing t[N_SIZE])
{
    double x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
    for (int i = 0; i < N_SIZE; i++) {
        const double a = log(size_of[i]), b = log(t[i].seconds);
        x += a / N_SIZE;
        y += b / N_SIZE;
        xx += a * a / N_SIZE;
        xy += a * b / N_SIZE;
    }
    return (xy - x * y) / (xx - x * x);
}

/* Time all sizes, as long as that ends soon; the shorter time of the rounds stays. */
static bool time_kind(kind k, bool again, timing t[N_SIZE])
{
    for (int i = 0; i < N_SIZE; i++) {
        const double more = i > 0 ? pow((double)size_of[i] / size_of[i - 1], 3.0) : 0.0;
        timing now = {INFINITY, INFINITY, 0.0};
        if (i > 0 && more * t[i - 1].seconds * kind_of[k].until / kind_of[k].step > PATIENCE) {
            t[i] = now;
            continue;
        }
        if (!run_once(k, size_of[i], &now)) {
            return false;
        }
        t[i] = again && t[i].seconds < now.seconds ? t[i] : now;
    }
    return true;
}

/* Against MuJoCo with the same step: processor time per step. */
static int judge_mujoco(double own)
{
    const char *folder = getenv("SPECHT_BENCH_DIR");
    char path[1024];
    bench_result r;
    snprintf(path, sizeof path, "%s/peer_chains_mujoco", folder ? folder : ".");
    if (!bench_run_peer(path, lround(kind_of[HINGES].until / kind_of[HINGES].step), 1, &r)) {
        printf("  skipped: mujoco\n");
        return 0;
    }
    const double ratio = r.seconds / (double)r.steps / own;
    return judge(ratio >= 5.0, "%s, 63 links: %.1f times faster than mujoco, at least %g",
                 kind_of[HINGES].name, ratio, 5.0);
}

static void print_times(timing t[N_KIND][N_SIZE], const double *plain, long rounds)
{
    printf("microseconds per step of a chain on two pulleys, least of %ld\n\n  links", rounds);
    for (kind k = EXPLICIT; k < N_KIND; k++) {
        printf(" %20s", kind_of[k].name);
    }
    for (int i = 0; i < N_SIZE; i++) {
        printf("\n  %5d", size_of[i]);
        for (kind k = EXPLICIT; k < N_KIND; k++) {
            printf(" %20.1f", 1e6 * t[k][i].seconds);
        }
    }
    printf("\n  plain %20.1f %20.1f, 63 links\n\n", 1e6 * plain[EXPLICIT], 1e6 * plain[IMPLICIT]);
}

static int judge_kind(kind k, const timing t[N_SIZE], const double *plain)
{
    double worst = 0.0;
    for (int i = 0; i < N_SIZE; i++) {
        if (t[i].seconds == INFINITY) {
            printf("  FAIL  %s: %d links take too long to be run\n", kind_of[k].name, size_of[i]);
            return 1;
        }
        worst = fmax(worst, t[i].residual);
    }
    int missed = judge(worst <= CERTIFIED, "%s: worst residual %.0e, at most %g", kind_of[k].name,
                       worst, CERTIFIED);
    const double p = exponent(t);
    missed += judge(p <= kind_of[k].exponent, "%s: cost of a step ~ links^%.2f, at most %g",
                    kind_of[k].name, p, kind_of[k].exponent);
    if (k < HINGES) {
        const double ratio = t[0].seconds / plain[k];
        missed += judge(ratio <= kind_of[k].ratio, "%s: %.1f times the plain loop, at most %g",
                        kind_of[k].name, ratio, kind_of[k].ratio);
    }
    return missed;
}

int main(int argc, char **argv)
{
    static timing t[N_KIND][N_SIZE];
    const long rounds = bench_argument(argc, argv, 1, 1);
    double plain[HINGES];
    int missed = 0;
    if (rounds < 0) {
        fprintf(stderr, "usage: bench_chains [rounds]\n");
        return 2;
    }
    for (long round = 0; round < rounds; round++) {
        for (kind k = EXPLICIT; k < N_KIND; k++) {
            if (!time_kind(k, round > 0, t[k])) {
                return 1;
            }
            if (k < HINGES) {
                const double now = time_plain(k);
                plain[k] = round > 0 && plain[k] < now ? plain[k] : now;
            }
        }
    }
    print_times(t, plain, rounds);
    for (kind k = EXPLICIT; k < N_KIND; k++) {
        missed += judge_kind(k, t[k], plain);
    }
    return (missed + judge_mujoco(t[HINGES][0].seconds)) > 0;
}
