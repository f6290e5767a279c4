/* solvers/solutions_alone.c - friction that is too weak for a second motion.
 *
 * Two solutions differ by L in the forces and by d = A L in the velocities, and their laws ask for
 *
 *     L.A L <= sum_i |mu_i d_Ti| |L_Ni|                                        theory (36.1)
 *
 * where both factors are bounded by the root of the left hand side, so that L.A L = 0. */
#include "solvers/solutions_parts.h"

#include <math.h>
#include <string.h>

enum { ROWS = SP_SOLUTIONS_ROWS };
#define CERTAIN 1e-6 /* of a row of length 1: more than that is left where G is not symmetric */

/* Whether contact i has friction in rows along. */
static bool is_rough(const sp_island *k, int i)
{
    const sp_set *s = &k->set[i];
    return sp_set_dim(s) > 1 && (s->mu > 0.0 || s->mu_2 > 0.0);
}

/* One step of the elimination in S (n x n, symmetric): the rows that are left lose what row r can
 * do, which is done. */
static void eliminate(int n, int r, double *S, bool *done)
{
    done[r] = true;
    for (int a = 0; a < n; a++) {
        const double l = done[a] ? 0.0 : S[a * n + r] / S[r * n + r];
        for (int b = 0; b < n && l != 0.0; b++) {
            S[a * n + b] -= l * S[r * n + b];
        }
    }
}

/* What the rows that are not `spared` can do is taken from the others, the largest first, as long
 * as something is left of them. */
static void reduce(int n, const bool *spared, double nothing, double *S, bool *done)
{
    for (int pass = 0; pass < n; pass++) {
        int best = -1;
        for (int r = 0; r < n; r++) {
            if (!spared[r] && !done[r] &&
                S[r * n + r] > (best < 0 ? nothing : S[best * n + best])) {
                best = r;
            }
        }
        if (best < 0) {
            return;
        }
        eliminate(n, best, S, done);
    }
}

/* (S^-1)_rr of row r, infinite if it depends on the others. */
static double inverse_at(int n, const double *A, int r)
{
    double S[ROWS * ROWS];
    bool done[ROWS] = {false}, spared[ROWS] = {false};
    memcpy(S, A, (size_t)(n * n) * sizeof *S);
    spared[r] = true;
    reduce(n, spared, SP_SOLUTIONS_NOTHING, S, done);
    return S[r * n + r] > SP_SOLUTIONS_NOTHING ? 1.0 / S[r * n + r] : INFINITY;
}

/* The largest eigenvalue of (a b; b c). */
static double largest(double a, double b, double c)
{
    return 0.5 * (a + c) + hypot(0.5 * (a - c), b);
}

/* H = A_T S^-1 A_T^T of rows along T and T + 1 (leading dimension 2), S positive definite. */
static bool find_answers(const sp_island *k, const double *S, int T, int n_along, double *H)
{
    double B[ROWS * ROWS], R[ROWS * ROWS];
    for (int a = 0; a < k->n; a++) {
        memcpy(B + a * ROWS, S + a * k->n, (size_t)k->n * sizeof *B);
        for (int b = 0; b < n_along; b++) {
            R[a * ROWS + b] = k->A[(T + b) * k->n + a];
        }
    }
    if (!sp_island_solve(k->n, B, n_along, R)) {
        return false;
    }
    for (int a = 0; a < n_along; a++) {
        for (int b = 0; b < n_along; b++) {
            H[2 * a + b] = 0.0;
            for (int j = 0; j < k->n; j++) {
                H[2 * a + b] += k->A[(T + a) * k->n + j] * R[j * ROWS + b];
            }
        }
    }
    return true;
}

/* The most that |mu d_T| of contact i can be, over the root of L.A L; infinite if not known.
 * theory (36.3) */
static double most_along(const sp_island *k, const double *S, int i)
{
    const int T = k->row[i] + 1, n_along = sp_set_dim(&k->set[i]) - 1;
    const double *mu = k->mu + T;
    double H[4] = {0.0};
    if (n_along > 2) {
        return INFINITY; /* drilling and rolling */
    }
    if (!k->symmetric) {
        if (!find_answers(k, S, T, n_along, H)) {
            return INFINITY;
        }
    } else {
        for (int a = 0; a < n_along; a++) {
            for (int b = 0; b < n_along; b++) {
                H[2 * a + b] = k->A[(T + a) * k->n + T + b];
            }
        }
    }
    return n_along == 1
               ? mu[0] * sqrt(fmax(H[0], 0.0))
               : sqrt(largest(mu[0] * mu[0] * H[0], mu[0] * mu[1] * H[1], mu[1] * mu[1] * H[3]));
}

/* Whether no row of S is left with less than nothing when the others do what they can: L.S L >= 0;
 * strictly: with less than something, L.S L > 0. */
static bool is_definite(int n, const double *A, bool strictly)
{
    double S[ROWS * ROWS];
    bool done[ROWS] = {false}, definite = true;
    const bool spared[ROWS] = {false};
    memcpy(S, A, (size_t)(n * n) * sizeof *S);
    reduce(n, spared, strictly ? CERTAIN : SP_SOLUTIONS_NOTHING, S, done);
    for (int r = 0; r < n; r++) {
        definite =
            definite && (done[r] || (!strictly && fabs(S[r * n + r]) <= SP_SOLUTIONS_NOTHING));
    }
    return definite;
}

/* S = (A + A^T)/2. */
static void make_symmetric(const sp_island *k, double *S)
{
    for (int a = 0; a < k->n; a++) {
        for (int b = 0; b < k->n; b++) {
            S[a * k->n + b] = 0.5 * (k->A[a * k->n + b] + k->A[b * k->n + a]);
        }
    }
}

bool sp_island_rests(const sp_island *k, const double *p, const double *x)
{
    double S[ROWS * ROWS], without[ROWS];
    memcpy(without, p, (size_t)k->n * sizeof *p);
    for (int i = 0; i < k->n_contact; i++) {
        for (int a = 1; a < sp_set_dim(&k->set[i]) && is_rough(k, i); a++) {
            const int r = k->row[i] + a;
            without[r] = 0.0;
            if (!(fabs(x[r]) <= SP_SOLUTIONS_TOL * k->size)) {
                return false;
            }
        }
    }
    for (int r = 0; r < k->n; r++) { /* friction that moves something is needed */
        double change = 0.0;
        for (int j = 0; j < k->n; j++) {
            change += k->A[r * k->n + j] * (without[j] - p[j]);
        }
        if (!(fabs(change) <= SP_SOLUTIONS_TOL * k->size)) {
            return false;
        }
    }
    make_symmetric(k, S);
    return is_definite(k->n, S, !k->symmetric);
}

double sp_island_bound(const sp_island *k, double more)
{
    double S[ROWS * ROWS], sum = 0.0;
    make_symmetric(k, S);
    if (!is_definite(k->n, S, !k->symmetric)) {
        return INFINITY;
    }
    for (int i = 0; i < k->n_contact && sum < 1.0; i++) {
        if (is_rough(k, i)) {
            sum += more * most_along(k, S, i) * sqrt(inverse_at(k->n, S, k->row[i]));
        }
    }
    return sum;
}

bool sp_island_is_alone(const sp_island *k, double more)
{
    return sp_island_bound(k, more) < 1.0;
}
