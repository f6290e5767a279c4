/* solvers/solutions_scan.c - the speeds at which contacts with friction by speed slide in a status.
 *
 * For given speeds, hence coefficients, a status is a linear system B p = -c, and
 *
 *     det B (s x_T - v) = 0                                                    theory (52.3)
 *
 * is a continuous function of the speed v, also where B is singular.  One speed: all its zeros, by
 * halves, as far as chords show.  Several: Newton's method from many starts.   theory (52.4) */
#include "solvers/solutions_parts.h"

#include <math.h>
#include <string.h>

enum {
    ROWS = SP_SOLUTIONS_ROWS,
    PIECES = 32, /* of the speeds that are possible, shorter at the slow end */
    DEEP = 5,    /* halves of a piece                                        */
    HALVES = 80, /* to find a zero                                           */
    STEPS = 25   /* of Newton's method                                       */
};
#define TINY 1e-14 /* of a row of length 1: pivots are no less */

/* A status, and what its contacts do at the speeds that are tried. */
typedef struct scan {
    sp_island *k;
    const sp_island_speeds *s;
    const sp_speed_status *q;
    sp_motions *m;
    sp_unknowns u;
    int n_group;
    int of[ROWS], at[ROWS]; /* n_slip: its group, its unknown                     */
    int first[ROWS];        /* n_group: the first contact of the group            */
    double x[ROWS];         /* unknowns                                           */
    double y[ROWS];         /* n_group: the speed that comes out, in its sense    */
    double det, least;      /* of the equations: determinant, smallest pivot      */
} scan;

/* 1 if contact i is to slide forwards, -1 backwards. */
static double way(const scan *c, int i)
{
    return c->q->status[i] == SP_SLIP_POS ? 1.0 : -1.0;
}

/* Whether contact i holds its row along at rest. */
static bool holds(const scan *c, int i)
{
    bool edge = c->q->status[i] == SP_STICK;
    for (int j = 0; j < c->q->n_edge; j++) {
        edge = edge || c->q->edge[j] == i;
    }
    return edge;
}

/* Contacts that slide as one have one speed; false if they contradict each other, or another one
 * like them is at rest. */
static bool group(scan *c)
{
    const sp_island_speeds *s = c->s;
    c->n_group = 0;
    for (int j = 0; j < c->q->n_slip; j++) {
        const int i = c->q->slip[j];
        for (int l = 0; l < c->k->n_contact; l++) {
            if (s->by[l] && s->like[l] == s->like[i] && holds(c, l)) {
                return false;
            }
        }
        int g = 0;
        while (g < c->n_group && s->like[c->first[g]] != s->like[i]) {
            g++;
        }
        c->of[j] = g;
        if (g == c->n_group) {
            c->first[c->n_group++] = i;
        } else if (s->sense[i] * way(c, i) != s->sense[c->first[g]] * way(c, c->first[g])) {
            return false;
        }
    }
    return true;
}

/* Where the unknowns of what slides are. */
static void place(scan *c)
{
    int round[ROWS];
    sp_modes_list(c->k, c->q->status, &c->u, round);
    for (int j = 0; j < c->q->n_slip; j++) {
        for (int v = 0; v < c->u.n; v++) {
            c->at[j] = c->u.row[v] == c->k->row[c->q->slip[j]] ? v : c->at[j];
        }
    }
}

/* B x = R by elimination, with its determinant; pivots of nothing are taken for TINY ones. */
static void eliminate(scan *c, double *B, double *R)
{
    const int n = c->u.n;
    c->det = c->least = 1.0;
    for (int j = 0; j < n; j++) {
        int best = j;
        for (int i = j + 1; i < n; i++) {
            best = fabs(B[i * ROWS + j]) > fabs(B[best * ROWS + j]) ? i : best;
        }
        for (int a = j; a < n && best != j; a++) {
            const double t = B[j * ROWS + a];
            B[j * ROWS + a] = B[best * ROWS + a];
            B[best * ROWS + a] = t;
        }
        const double t = R[j];
        R[j] = R[best];
        R[best] = t;
        double *pivot = &B[j * ROWS + j];
        *pivot = fabs(*pivot) > TINY ? *pivot : *pivot < 0.0 ? -TINY : TINY;
        c->det *= best != j ? -*pivot : *pivot;
        c->least = fmin(c->least, fabs(*pivot));
        for (int i = j + 1; i < n; i++) {
            const double l = B[i * ROWS + j] / *pivot;
            for (int a = j + 1; a < n && l != 0.0; a++) {
                B[i * ROWS + a] -= l * B[j * ROWS + a];
            }
            R[i] -= l * R[j];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) {
            R[i] -= B[i * ROWS + j] * R[j];
        }
        R[i] /= B[i * ROWS + i];
    }
    memcpy(c->x, R, (size_t)n * sizeof *R);
}

/* What row r moves with. */
static double velocity(const scan *c, int r)
{
    double sum = c->u.c[r];
    for (int v = 0; v < c->u.n; v++) {
        sum += sp_modes_answer(c->k, &c->u, r, v) * c->x[v];
    }
    return sum;
}

/* Forces and speeds for the coefficients that belong to the speeds v (n_group). */
static void solve(scan *c, const double *v)
{
    double B[ROWS * ROWS], R[ROWS];
    c->m->solves--;
    for (int j = 0; j < c->q->n_slip; j++) {
        const int i = c->q->slip[j];
        const double mu = sp_speeds_mu(c->k, c->s, i, v[c->of[j]]);
        c->k->mu[c->k->row[i] + 1] = mu;
        c->u.f[c->at[j]][0] = -way(c, i) * mu;
    }
    for (int a = 0; a < c->u.n; a++) {
        for (int b = 0; b < c->u.n; b++) {
            B[a * ROWS + b] = sp_modes_answer(c->k, &c->u, c->u.row[a], b);
        }
        R[a] = -c->u.c[c->u.row[a]];
    }
    eliminate(c, B, R);
    for (int g = 0; g < c->n_group; g++) {
        c->y[g] = way(c, c->first[g]) * velocity(c, c->k->row[c->first[g]] + 1);
    }
}

/* Offer the forces at hand; what is at the limit of rest must not move. */
static void offer(scan *c)
{
    double p[ROWS] = {0.0};
    for (int j = 0; j < c->q->n_edge; j++) {
        if (!(fabs(velocity(c, c->k->row[c->q->edge[j]] + 1)) <= SP_SOLUTIONS_TOL * c->k->size)) {
            return;
        }
    }
    for (int v = 0; v < c->u.n; v++) {
        p[c->u.row[v]] = c->x[v];
        if (c->u.f[v][0] != 0.0) {
            p[c->u.row[v] + 1] = c->u.f[v][0] * c->x[v];
        }
    }
    sp_modes_put_bounds(c->k, c->q->status, p);
    sp_island_offer(c->k, p, c->q->status, c->m);
}

/* The equations are singular whatever the speed: nothing to find, or a corner does.  (36.5) */
static void pass_singular(scan *c)
{
    c->m->complete = c->m->complete && !sp_modes_move(c->k, &c->u);
}

/* ---- one speed ------------------------------------------------------------------------------ */

/* The function whose zeros are sought.   theory (52.3) */
static double deviation(scan *c, double v)
{
    solve(c, &v);
    return c->det * (c->y[0] - v);
}

/* Offer the zero between two speeds at which the function has different signs. */
static void offer_zero(scan *c, double low, double high, bool rises)
{
    for (int j = 0; j < HALVES; j++) {
        const double middle = 0.5 * (low + high);
        if (middle == low || middle == high) {
            break;
        }
        *((deviation(c, middle) < 0.0) == rises ? &low : &high) = middle;
    }
    (void)deviation(c, 0.5 * (low + high));
    if (c->least > SP_SOLUTIONS_NOTHING) {
        offer(c);
    }
}

/* A part of the speeds, with the function at its ends. */
typedef struct part {
    double a, b, f_a, f_b;
    int level;
} part;

/* Whether the function may be zero between two places h apart, if nowhere steeper than slope. */
static bool may_vanish(double f_a, double f_b, double h, double slope)
{
    return (f_a < 0.0) != (f_b < 0.0) || !(fabs(f_a) + fabs(f_b) > slope * h);
}

/* All zeros in a part: halves of it, as long as twice its chords do not exclude one.  (52.4) */
static void search(scan *c, part whole)
{
    part todo[2 * DEEP + 2];
    int n = 0;
    todo[n++] = whole;
    while (n > 0) {
        const part p = todo[--n];
        const double m = 0.5 * (p.a + p.b), h = 0.5 * (p.b - p.a), f_m = deviation(c, m);
        const double slope = 2.0 * fmax(fabs(f_m - p.f_a), fabs(p.f_b - f_m)) / h;
        const part half[2] = {{p.a, m, p.f_a, f_m, p.level + 1}, {m, p.b, f_m, p.f_b, p.level + 1}};
        for (int j = 0; j < 2; j++) {
            const part *t = &half[j];
            if (t->level < DEEP && may_vanish(t->f_a, t->f_b, h, slope)) {
                todo[n++] = *t;
            } else if ((t->f_a < 0.0) != (t->f_b < 0.0)) {
                offer_zero(c, t->a, t->b, t->f_a < 0.0);
            }
        }
    }
}

/* All speeds of one group. */
static void scan_one(scan *c)
{
    const double most = c->s->most[c->first[0]];
    double v[PIECES + 1], f[PIECES + 1], regular = 0.0;
    for (int j = 0; j <= PIECES; j++) {
        const double t = (double)j / PIECES;
        v[j] = most * t * t * (1.0 + SP_SOLUTIONS_TOL);
        f[j] = deviation(c, v[j]);
        regular = fmax(regular, c->least);
    }
    if (!(regular > SP_SOLUTIONS_NOTHING)) {
        pass_singular(c);
        return;
    }
    for (int j = 0; j < PIECES && most > 0.0; j++) {
        search(c, (part){v[j], v[j + 1], f[j], f[j + 1], 0});
    }
    c->m->complete = c->m->complete && c->s->bounded;
}

/* ---- several speeds ------------------------------------------------------------------------- */

/* One step of Newton's method; the largest change over the fastest speed, NaN if there is none. */
static double step(scan *c, double *v)
{
    double J[ROWS * ROWS], R[ROWS * ROWS], y[ROWS], most = 0.0;
    const int n = c->n_group;
    solve(c, v);
    memcpy(y, c->y, (size_t)n * sizeof *y);
    for (int h = 0; h < n; h++) {
        const double span = c->s->most[c->first[h]], old = v[h], dv = 1e-7 * (old + 1e-3 * span);
        v[h] = old + dv;
        solve(c, v);
        v[h] = old;
        for (int g = 0; g < n; g++) {
            J[g * ROWS + h] = (c->y[g] - y[g]) / dv - (g == h ? 1.0 : 0.0);
        }
        R[h * ROWS] = v[h] - y[h];
    }
    if (!sp_island_solve(n, J, 1, R)) {
        return NAN;
    }
    for (int g = 0; g < n; g++) {
        const double span = c->s->most[c->first[g]];
        const double next = fmin(fmax(v[g] + R[g * ROWS], 0.0), span);
        most = fmax(most, span > 0.0 ? fabs(next - v[g]) / span : 0.0);
        v[g] = next;
    }
    return most;
}

/* Start number `try` of Newton's method: always the same places, more of them at slow speeds. */
static void begin(const scan *c, int try, double *v)
{
    for (int g = 0; g < c->n_group; g++) {
        const double turn = 0.6180339887498949 / (1.0 + 0.3247179572447460 * g);
        const double t = fmod(0.5 + turn * (double)(try * (g + 1)), 1.0);
        v[g] = c->s->most[c->first[g]] * t * t;
    }
}

/* Some speeds of several groups. */
static void scan_several(scan *c)
{
    c->m->complete = false;
    for (int try = 0; try < c->m->starts && c->m->newtons > 0; try++) {
        double v[ROWS], change = INFINITY;
        begin(c, try, v);
        c->m->newtons--;
        for (int j = 0; j < STEPS && change > 1e-14; j++) {
            change = step(c, v);
        }
        if (!(change <= 1e-9)) {
            continue;
        }
        solve(c, v);
        if (c->least > SP_SOLUTIONS_NOTHING) {
            offer(c);
        }
    }
}

/* ---- the status ----------------------------------------------------------------------------- */

void sp_scan_status(sp_island *k, const sp_island_speeds *s, const sp_speed_status *q,
                    sp_motions *m)
{
    scan c = {.k = k, .s = s, .q = q, .m = m};
    if (!group(&c)) {
        return;
    }
    place(&c);
    if (m->solves <= 0) {
        m->complete = false;
    } else if (c.n_group == 1) {
        scan_one(&c);
    } else if (c.n_group > 1) {
        scan_several(&c);
    } else {
        solve(&c, NULL);
        if (c.least > SP_SOLUTIONS_NOTHING) {
            offer(&c);
        } else {
            pass_singular(&c);
        }
    }
}
