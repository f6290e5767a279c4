/* solvers/solutions_slip.c - contacts in space that begin to slide, in a direction that is to be
 * found.
 *
 *     p_T = -mu e p_N,   e = mu x_T/|mu x_T|   (row by row, so that ellipses are discs)
 *
 * One of them: after all others are eliminated x_T times the pivot is linear in e, so that
 * e x (mu x_T) = 0 is a trigonometric polynomial of second degree with four zeros at most, all of
 * which are found.  Several: Newton's method in the angles.   theory (36.6), (36.7) */
#include "solvers/solutions_parts.h"

#include <math.h>
#include <string.h>

enum { ROWS = SP_SOLUTIONS_ROWS, STEPS = 30, TRIES = 4, SLIPS = 8 };
static const double PI = 3.14159265358979323846;

/* ---- polynomials ---------------------------------------------------------------------------- */

/* a[0] + a[1] t + .. + a[n] t^n. */
static double value(int n, const double *a, double t)
{
    double sum = a[n];
    for (int k = n - 1; k >= 0; k--) {
        sum = sum * t + a[k];
    }
    return sum;
}

/* The sum of its terms without signs. */
static double terms(int n, const double *a, double t)
{
    double sum = fabs(a[n]);
    for (int k = n - 1; k >= 0; k--) {
        sum = sum * fabs(t) + fabs(a[k]);
    }
    return sum;
}

/* The zero between two places where the polynomial has different signs, by halves. */
static double zero_between(int n, const double *a, double low, double high)
{
    const bool rises = value(n, a, low) < 0.0;
    for (int k = 0; k < 200; k++) {
        const double middle = 0.5 * (low + high);
        if (middle == low || middle == high) {
            break;
        }
        if ((value(n, a, middle) < 0.0) == rises) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return 0.5 * (low + high);
}

/* All real zeros of a polynomial of degree 4 at most with a[4] != 0 inside of -bound..bound,
 * rising: those of each derivative are between those of the next one.  A place where it touches
 * zero counts as well. */
static int real_zeros(const double *a, double bound, double *zero)
{
    double before[6] = {0.0};
    int n = 0;
    for (int degree = 1; degree <= 4; degree++) {
        double b[5], end[6];
        for (int k = 0; k <= degree; k++) { /* derivative number 4 - degree */
            b[k] = a[k + 4 - degree];
            for (int j = 1; j <= 4 - degree; j++) {
                b[k] *= (double)(k + j);
            }
        }
        end[0] = -bound;
        memcpy(end + 1, before, (size_t)n * sizeof *end);
        end[n + 1] = bound;
        const int places = n + 1;
        n = 0;
        for (int k = 0; k < places; k++) {
            const double low = value(degree, b, end[k]), high = value(degree, b, end[k + 1]);
            if ((low < 0.0) != (high < 0.0)) {
                zero[n++] = zero_between(degree, b, end[k], end[k + 1]);
            } else if (k + 1 < places && fabs(high) <= 1e-14 * terms(degree, b, end[k + 1])) {
                zero[n++] = end[k + 1];
            }
            n = n > 4 ? 4 : n;
        }
        memcpy(before, zero, (size_t)n * sizeof *zero);
    }
    return n;
}

/* All angles with h_0 + h_1 cos + h_2 sin + h_3 cos 2 + h_4 sin 2 = 0, by t = tan(angle/2); -1 if
 * it is zero everywhere. */
static int zero_angles(const double *h, double *angle)
{
    double size = 0.0;
    for (int k = 0; k < 5; k++) {
        size += fabs(h[k]);
    }
    double turn = 0.0, most = -1.0;
    for (int k = 0; k < 7; k++) { /* t is infinite at turn + pi: that must be no zero */
        const double at = 0.9 * (double)k, o = at + PI;
        const double there =
            fabs(h[0] + h[1] * cos(o) + h[2] * sin(o) + h[3] * cos(2.0 * o) + h[4] * sin(2.0 * o));
        if (there > most) {
            most = there;
            turn = at;
        }
    }
    if (!(most > 1e-13 * size)) {
        return -1;
    }
    const double c = cos(turn), s = sin(turn), c2 = cos(2.0 * turn), s2 = sin(2.0 * turn);
    const double p = h[1] * c + h[2] * s, q = h[2] * c - h[1] * s;
    const double P = h[3] * c2 + h[4] * s2, Q = h[4] * c2 - h[3] * s2;
    /* times (1 + t^2)^2 */
    const double a[5] = {h[0] + p + P, 2.0 * q + 4.0 * Q, 2.0 * h[0] - 6.0 * P, 2.0 * q - 4.0 * Q,
                         h[0] - p + P};
    const double bound =
        1.0 + fmax(fmax(fabs(a[0]), fabs(a[1])), fmax(fabs(a[2]), fabs(a[3]))) / fabs(a[4]);
    double t[5];
    const int n = real_zeros(a, bound, t);
    for (int k = 0; k < n; k++) {
        angle[k] = turn + 2.0 * atan(t[k]);
    }
    return n;
}

/* ---- one contact ---------------------------------------------------------------------------- */

/* What is left of contact i when the unknowns u of all others do what they can. */
typedef struct rest {
    double G[3][3], c[3]; /* of its rows                              */
    double x[ROWS][4];    /* unknowns: for p = 0, and per p of each row */
} rest;

/* The others eliminated; false if their equations are singular. */
static bool reduce(const sp_island *k, const sp_unknowns *u, int i, rest *g)
{
    double B[ROWS * ROWS] = {0.0}, R[ROWS * ROWS] = {0.0};
    const int N = k->row[i];
    for (int a = 0; a < u->n; a++) {
        for (int v = 0; v < u->n; v++) {
            B[a * ROWS + v] = sp_modes_answer(k, u, u->row[a], v);
        }
        R[a * ROWS] = -u->c[u->row[a]];
        for (int b = 0; b < 3; b++) {
            R[a * ROWS + 1 + b] = -k->A[u->row[a] * k->n + N + b];
        }
    }
    if (!sp_island_solve(u->n, B, 4, R)) {
        return false;
    }
    for (int a = 0; a < 3; a++) {
        g->c[a] = u->c[N + a];
        memcpy(g->G[a], k->A + (N + a) * k->n + N, sizeof g->G[a]);
        for (int v = 0; v < u->n; v++) {
            const double by = sp_modes_answer(k, u, N + a, v);
            g->c[a] += by * R[v * ROWS];
            for (int b = 0; b < 3; b++) {
                g->G[a][b] += by * R[v * ROWS + 1 + b];
            }
        }
    }
    for (int v = 0; v < u->n; v++) {
        memcpy(g->x[v], R + v * ROWS, sizeof g->x[v]);
    }
    return true;
}

/* h of e x (mu x_T) times the pivot, x_T = c_T + (G_TN - G_TT mu e) p_N, p_N = -c_N/pivot,
 * pivot = G_NN - G_NT mu e.   theory (36.6) */
static void find_polynomial(const rest *g, const double *mu, double *h)
{
    double v0[2], V[2][2];
    for (int a = 0; a < 2; a++) { /* mu x_T pivot = v0 + V e */
        v0[a] = mu[a] * (g->c[a + 1] * g->G[0][0] - g->c[0] * g->G[a + 1][0]);
        for (int b = 0; b < 2; b++) {
            V[a][b] = mu[a] * mu[b] * (g->c[0] * g->G[a + 1][b + 1] - g->c[a + 1] * g->G[0][b + 1]);
        }
    }
    h[0] = 0.5 * (V[1][0] - V[0][1]);
    h[1] = v0[1];
    h[2] = -v0[0];
    h[3] = 0.5 * (V[1][0] + V[0][1]);
    h[4] = 0.5 * (V[1][1] - V[0][0]);
}

/* Offer the solution in which contact i slides in this direction. */
static void offer_angle(const sp_island *k, const sp_unknowns *u, int i, const rest *g,
                        double angle, const unsigned char *status, sp_motions *m)
{
    const int N = k->row[i];
    const double f[3] = {1.0, -k->mu[N + 1] * cos(angle), -k->mu[N + 2] * sin(angle)};
    const double pivot = g->G[0][0] + f[1] * g->G[0][1] + f[2] * g->G[0][2];
    double p[ROWS] = {0.0};
    if (!(fabs(pivot) > SP_SOLUTIONS_NOTHING)) { /* no force, or any */
        m->complete = false;
        return;
    }
    const double p_N = -g->c[0] / pivot;
    for (int v = 0; v < u->n; v++) {
        const double *x = g->x[v], now = x[0] + p_N * (x[1] + f[1] * x[2] + f[2] * x[3]);
        p[u->row[v]] = now;
        if (u->f[v][0] != 0.0) {
            p[u->row[v] + 1] = u->f[v][0] * now;
        }
    }
    for (int a = 0; a < 3; a++) {
        p[N + a] = f[a] * p_N;
    }
    sp_modes_put_bounds(k, status, p);
    sp_island_offer(k, p, status, m);
}

void sp_slips_one(const sp_island *k, const sp_unknowns *u, int i, const unsigned char *status,
                  sp_motions *m)
{
    rest g;
    double h[5], angle[4];
    if (!reduce(k, u, i, &g)) {
        m->complete = false; /* the whole may be regular where the others are not */
        return;
    }
    find_polynomial(&g, k->mu + k->row[i] + 1, h);
    const int n = zero_angles(h, angle);
    for (int a = 0; a < n; a++) {
        offer_angle(k, u, i, &g, angle[a], status, m);
    }
    if (n < 0) { /* every direction is one that does not turn */
        const int before = m->n;
        offer_angle(k, u, i, &g, 0.0, status, m);
        m->complete = m->complete && m->n == before;
    }
}

/* ---- several contacts ----------------------------------------------------------------------- */

/* Newton's method in the angles of the contacts that slide. */
typedef struct search {
    const sp_island *k;
    sp_unknowns u; /* those of all others, then the normal forces of what slides */
    int n_slip, first;
    const int *slip;
    double angle[SLIPS];
    double x[ROWS], dx[ROWS][SLIPS]; /* unknowns, and what they change by with the angles */
} search;

/* Directions of friction from the angles. */
static void turn(search *s)
{
    for (int j = 0; j < s->n_slip; j++) {
        const double *mu = s->k->mu + s->k->row[s->slip[j]];
        s->u.f[s->first + j][0] = -mu[1] * cos(s->angle[j]);
        s->u.f[s->first + j][1] = -mu[2] * sin(s->angle[j]);
    }
}

/* What row r changes by, per angle of slip j and normal force. */
static double turned(const search *s, int j, int r)
{
    const int N = s->k->row[s->slip[j]];
    const double *mu = s->k->mu + N, *A = s->k->A + r * s->k->n + N;
    return mu[1] * sin(s->angle[j]) * A[1] - mu[2] * cos(s->angle[j]) * A[2];
}

/* Forces for the angles at hand, and what they change by; false if singular. */
static bool push(search *s)
{
    double B[ROWS * ROWS] = {0.0}, R[ROWS * ROWS] = {0.0};
    const int n = s->u.n;
    turn(s);
    for (int a = 0; a < n; a++) {
        for (int v = 0; v < n; v++) {
            B[a * ROWS + v] = sp_modes_answer(s->k, &s->u, s->u.row[a], v);
        }
        R[a * ROWS] = -s->u.c[s->u.row[a]];
        for (int j = 0; j < s->n_slip; j++) {
            R[a * ROWS + 1 + j] = -turned(s, j, s->u.row[a]);
        }
    }
    if (!sp_island_solve(n, B, 1 + s->n_slip, R)) {
        return false;
    }
    for (int v = 0; v < n; v++) {
        s->x[v] = R[v * ROWS];
    }
    for (int v = 0; v < n; v++) {
        for (int j = 0; j < s->n_slip; j++) {
            s->dx[v][j] = R[v * ROWS + 1 + j] * s->x[s->first + j];
        }
    }
    return true;
}

/* Velocity of slip i across its direction, e x (mu x_T), into F, and its derivatives into J. */
static void deviate(const search *s, int i, double *F, double *J)
{
    const int T = s->k->row[s->slip[i]] + 1;
    const double *mu = s->k->mu + T, c = cos(s->angle[i]), sine = sin(s->angle[i]);
    double y[2], dy[2][SLIPS];
    for (int a = 0; a < 2; a++) {
        y[a] = s->u.c[T + a];
        for (int j = 0; j < s->n_slip; j++) {
            dy[a][j] = turned(s, j, T + a) * s->x[s->first + j];
        }
        for (int v = 0; v < s->u.n; v++) {
            const double by = sp_modes_answer(s->k, &s->u, T + a, v);
            y[a] += by * s->x[v];
            for (int j = 0; j < s->n_slip; j++) {
                dy[a][j] += by * s->dx[v][j];
            }
        }
    }
    *F = c * mu[1] * y[1] - sine * mu[0] * y[0];
    for (int j = 0; j < s->n_slip; j++) {
        J[j] = c * mu[1] * dy[1][j] - sine * mu[0] * dy[0][j];
    }
    J[i] -= sine * mu[1] * y[1] + c * mu[0] * y[0];
}

/* One step of Newton's method; the largest change of an angle, NaN if there is none. */
static double step(search *s)
{
    double J[ROWS * ROWS], R[ROWS * ROWS], most = 0.0;
    if (!push(s)) {
        return NAN;
    }
    for (int i = 0; i < s->n_slip; i++) {
        deviate(s, i, &R[i * ROWS], J + i * ROWS);
        double size = fabs(R[i * ROWS]);
        for (int j = 0; j < s->n_slip; j++) {
            size = fmax(size, fabs(J[i * ROWS + j]));
        }
        for (int j = 0; j < s->n_slip && size > 0.0; j++) {
            J[i * ROWS + j] /= size;
        }
        R[i * ROWS] = size > 0.0 ? -R[i * ROWS] / size : 0.0;
    }
    if (!sp_island_solve(s->n_slip, J, 1, R)) {
        return NAN;
    }
    for (int i = 0; i < s->n_slip; i++) {
        most = fmax(most, fabs(R[i * ROWS]));
    }
    const double part = most > 0.7 ? 0.7 / most : 1.0;
    for (int i = 0; i < s->n_slip; i++) {
        s->angle[i] += part * R[i * ROWS];
    }
    return most;
}

/* Offer what the angles lead to. */
static void offer(search *s, const unsigned char *status, sp_motions *m)
{
    double p[ROWS] = {0.0};
    if (!push(s)) {
        return;
    }
    for (int v = 0; v < s->u.n; v++) {
        const int r = s->u.row[v];
        p[r] = s->x[v];
        for (int a = 0; a < 2; a++) {
            if (s->u.f[v][a] != 0.0) {
                p[r + 1 + a] = s->u.f[v][a] * s->x[v];
            }
        }
    }
    sp_modes_put_bounds(s->k, status, p);
    sp_island_offer(s->k, p, status, m);
}

/* Where start number `try` begins: along the free velocities, against them, then anywhere, but
 * always the same. */
static void begin(search *s, int try)
{
    for (int j = 0; j < s->n_slip; j++) {
        const int T = s->k->row[s->slip[j]] + 1;
        const double along = atan2(s->k->mu[T + 1] * s->u.c[T + 1], s->k->mu[T] * s->u.c[T]);
        const double spread = 2.399963229728653 * (double)(1 + j) * (double)(try - 1);
        s->angle[j] = try == 0 ? along : try == 1 ? along + PI : spread;
    }
}

void sp_slips_many(const sp_island *k, const sp_unknowns *u, int n_slip, const int *slip,
                   const unsigned char *status, sp_motions *m)
{
    search s = {.k = k, .u = *u, .n_slip = n_slip, .first = u->n, .slip = slip};
    m->complete = false;
    for (int j = 0; j < n_slip; j++) {
        s.u.row[s.u.n++] = k->row[slip[j]];
    }
    for (int try = 0; try < TRIES && m->newtons > 0 && n_slip <= SLIPS; try++) {
        double change = INFINITY;
        m->newtons--;
        begin(&s, try);
        for (int n = 0; n < STEPS && change > 1e-13; n++) {
            change = step(&s);
        }
        if (change <= 1e-9) {
            offer(&s, status, m);
        }
    }
}
