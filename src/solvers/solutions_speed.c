/* solvers/solutions_speed.c - all statuses of an island whose friction depends on the speed of
 * sliding.
 *
 *     at rest |p_T| <= mu_0 p_N,    sliding p_T = -mu(|x_T|) p_N x_T/|x_T|          theory (16.2)
 *
 * A contact of that kind is open, sticks, slides (speeds: solutions_scan.c), or is at the limit
 * mu_0 without sliding, which is a corner of the forces of one that sticks.   theory section 52 */
#include "solvers/solutions_parts.h"

#include <math.h>
#include <string.h>

enum { ROWS = SP_SOLUTIONS_ROWS, EDGE = 16 /* at mu_0: added to the status */ };
#define ALIKE 1e-9 /* of a row of length 1: rows along that differ by less are one */
#define ROUGH                                                                                      \
    1.25 /* times the steepest chord of samples: how steep friction may fall between them */

/* ---- what the island has -------------------------------------------------------------------- */

/* root = sqrt(c.A^+ c) for symmetric semidefinite A, by the largest pivots; false if c is no sum of
 * columns.  dependent: whether columns are sums of others. */
static bool find_root(const sp_island *k, double *root, bool *dependent)
{
    double S[ROWS * ROWS], b[ROWS], sum = 0.0;
    bool done[ROWS] = {false};
    const int n = k->n;
    memcpy(S, k->A, (size_t)(n * n) * sizeof *S);
    memcpy(b, k->c, (size_t)n * sizeof *b);
    for (int pass = 0; pass < n; pass++) {
        int best = -1;
        for (int r = 0; r < n; r++) {
            if (!done[r] && S[r * n + r] > (best < 0 ? SP_SOLUTIONS_NOTHING : S[best * n + best])) {
                best = r;
            }
        }
        if (best < 0) {
            break;
        }
        done[best] = true;
        sum += b[best] * b[best] / S[best * n + best];
        for (int a = 0; a < n; a++) {
            const double l = done[a] ? 0.0 : S[a * n + best] / S[best * n + best];
            for (int j = 0; j < n && l != 0.0; j++) {
                S[a * n + j] -= l * S[best * n + j];
            }
            b[a] -= l * b[best];
        }
    }
    bool within = true;
    *root = sqrt(sum);
    *dependent = false;
    for (int a = 0; a < n; a++) {
        *dependent = *dependent || !done[a];
        within = within && (done[a] || fabs(b[a]) <= SP_SOLUTIONS_TOL * k->size);
    }
    return within;
}

/* Whether rows a and b are the same but for the factor sense. */
static bool is_like(const sp_island *k, int a, int b, double sense)
{
    for (int j = 0; j < k->n; j++) {
        if (!(fabs(k->A[a * k->n + j] - sense * k->A[b * k->n + j]) <= ALIKE)) {
            return false;
        }
    }
    return fabs(k->c[a] - sense * k->c[b]) <= ALIKE * k->size;
}

/* Which contacts slide as one. */
static void find_likes(const sp_island *k, sp_island_speeds *v)
{
    for (int i = 0; i < k->n_contact; i++) {
        v->like[i] = i;
        v->sense[i] = 1.0;
        for (int j = 0; j < i && v->by[i] && v->like[i] == i; j++) {
            const int a = k->row[i] + 1, b = k->row[j] + 1;
            for (int t = 0; t < 2 && v->by[j] && v->like[j] == j && v->like[i] == i; t++) {
                const double sense = t == 0 ? 1.0 : -1.0;
                if (is_like(k, a, b, sense)) {
                    v->like[i] = j;
                    v->sense[i] = sense;
                }
            }
        }
    }
}

bool sp_speeds_gather(sp_island *k, const sp_speeds *law, sp_island_speeds *v)
{
    bool any = false;
    double root = 0.0;
    v->law = law;
    for (int i = 0; i < k->n_contact; i++) {
        const double mu_0 = law->mu_0[k->who[i]];
        const int N = k->row[i];
        v->by[i] = k->set[i].kind == SP_SET_PLANAR && !isnan(mu_0);
        v->mu_0[i] = v->by[i] ? mu_0 * k->d[N] / k->d[N + 1] : 0.0;
        if (v->by[i]) {
            k->set[i].mu = mu_0;
            k->mu[N + 1] = v->mu_0[i];
        }
        any = any || v->by[i];
    }
    if (!any) {
        return false;
    }
    v->bounded = find_root(k, &root, &v->dependent) && k->symmetric;
    root = v->bounded ? root : fmax(root, 10.0 * k->size);
    for (int i = 0; i < k->n_contact; i++) { /* theory (52.2) */
        const int T = k->row[i] + 1;
        v->most[i] = v->by[i] ? fabs(k->c[T]) + sqrt(fmax(k->A[T * k->n + T], 0.0)) * root : 0.0;
    }
    find_likes(k, v);
    return true;
}

double sp_speeds_mu(const sp_island *k, const sp_island_speeds *s, int i, double v)
{
    const int N = k->row[i];
    return s->law->mu(s->law->ctx, k->who[i], v / k->d[N + 1]) * k->d[N] / k->d[N + 1];
}

/* ---- one motion, by a bound ----------------------------------------------------------------- */

/* The steepest chord by which the coefficient of contact i falls with speed, from m at the speed v
 * to any other one, in samples; most: the largest coefficient that there is.   theory (52.5) */
static double steepest(const sp_island *k, const sp_island_speeds *s, int i, double m, double v,
                       double *most)
{
    double steep = v > 0.0 ? (s->mu_0[i] - m) / v : 0.0;
    *most = s->mu_0[i];
    for (int j = -2; j <= SP_SPEED_SAMPLES; j++) { /* two beside v: the slope there */
        const double part = (double)j / SP_SPEED_SAMPLES;
        const double w = j < 0 ? v * (1.0 + 1e-3 * (2.0 * j + 3.0)) : s->most[i] * part * part;
        const double mu = sp_speeds_mu(k, s, i, w);
        if (w != v) {
            steep = fmax(steep, (m - mu) / (w - v));
        } else if (!(v > 0.0) && m > mu) { /* it rests by more than the slowest sliding has */
            return INFINITY;
        }
        *most = fmax(*most, mu);
    }
    return ROUGH * fmax(steep, 0.0);
}

bool sp_speeds_alone(const sp_island *k, const sp_island_speeds *s, const double *p,
                     const double *x)
{
    sp_island with = *k;
    double sum = 0.0;
    if (!k->symmetric || !s->bounded) {
        return false;
    }
    for (int i = 0; i < k->n_contact && sum < 1.0; i++) {
        const int N = k->row[i], T = N + 1;
        if (!s->by[i]) {
            continue;
        }
        const bool slides = fabs(x[T]) > SP_SOLUTIONS_TOL * k->size;
        const double v = slides ? fabs(x[T]) : 0.0, push = fmax(p[N], 0.0);
        const double m = slides     ? sp_speeds_mu(k, s, i, v)
                         : push > 0 ? fmin(fabs(p[T]) / push, s->mu_0[i])
                                    : 0.0;
        double most;
        const double steep = steepest(k, s, i, m, v, &most);
        with.mu[T] = with.set[i].mu = most;
        sum += push > 0.0 ? push * steep * k->A[T * k->n + T] : 0.0;
    }
    return sum < 1.0 && sp_island_bound(&with, 1.0) + sum < 1.0;
}

/* ---- all statuses --------------------------------------------------------------------------- */

/* The states of contact i; how many.  Where no rows depend on others, forces have no corners. */
static int states(const sp_island *k, const sp_island_speeds *s, int i, unsigned char *list)
{
    static const unsigned char all[] = {SP_OPEN,     SP_STICK,           SP_SLIP_POS,
                                        SP_SLIP_NEG, SP_SLIP_POS + EDGE, SP_SLIP_NEG + EDGE};
    if (!s->by[i]) {
        return sp_modes_states(&k->set[i], list);
    }
    memcpy(list, all, sizeof all);
    return s->dependent ? 6 : 4;
}

int sp_speeds_count(const sp_island *k, const sp_island_speeds *s)
{
    int total = 1;
    unsigned char list[6];
    for (int i = 0; i < k->n_contact; i++) {
        if (sp_set_dim(&k->set[i]) > 2) {
            return 0;
        }
        total *= states(k, s, i, list);
        total = total > SP_SOLUTIONS_STATUSES ? SP_SOLUTIONS_STATUSES + 1 : total;
    }
    return total;
}

/* Status number code, with coefficients in k: those of rest where nothing slides. */
static void decode(const sp_island_speeds *s, int code, sp_island *k, sp_speed_status *q)
{
    q->n_slip = q->n_edge = 0;
    for (int i = 0; i < k->n_contact; i++) {
        unsigned char list[6];
        const int n = states(k, s, i, list);
        q->status[i] = list[code % n];
        code /= n;
        if (!s->by[i]) {
            continue;
        }
        k->mu[k->row[i] + 1] = s->mu_0[i];
        if (q->status[i] >= EDGE) {
            q->status[i] = (unsigned char)(q->status[i] - EDGE);
            q->edge[q->n_edge++] = i;
        } else if (q->status[i] == SP_SLIP_POS || q->status[i] == SP_SLIP_NEG) {
            q->slip[q->n_slip++] = i;
        }
    }
}

void sp_speeds_try(const sp_island *k, const sp_island_speeds *s, sp_motions *m)
{
    const int total = sp_speeds_count(k, s);
    sp_island now = *k;
    m->newtons = SP_SPEED_NEWTONS;
    m->starts = 2 * SP_SPEED_NEWTONS / total; /* in about every other status several slide */
    m->starts = m->starts < 4 ? 4 : m->starts > SP_SPEED_STARTS ? SP_SPEED_STARTS : m->starts;
    m->solves = SP_SPEED_SOLVES;
    for (int code = 0; code < total; code++) {
        sp_speed_status q;
        decode(s, code, &now, &q);
        sp_scan_status(&now, s, &q, m);
    }
}
