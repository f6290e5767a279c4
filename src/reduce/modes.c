#include "reduce/modes.h"

#include "math/dense.h"
#include "math/eigen.h"

#include <math.h>
#include <string.h>

double sp_dot(size_t n, const double *a, const double *b)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

void sp_add_scaled(size_t n, double k, const double *a, double *to)
{
    for (size_t i = 0; i < n; i++) {
        to[i] += k * a[i];
    }
}

/* ---- statics ----------------------------------------------------------------------------------
 */

/* A shift far below the lowest elastic eigenvalue and far above round-off: eigenvalues of meshes
 * lie below max K_ii/M_ii, and those of interest above 1e-8 of it. */
static double shift_of(const sp_sym *K, const sp_sym *M)
{
    double most = 0.0;
    for (int j = 0; j < K->n; j++) {
        double k = 0.0, m = 1.0;
        for (size_t e = K->start[j]; e < K->start[j + 1]; e++) {
            k = K->row[e] == j ? K->value[e] : k;
        }
        for (size_t e = M->start[j]; e < M->start[j + 1]; e++) {
            m = M->row[e] == j ? M->value[e] : m;
        }
        most = fmax(most, k / m);
    }
    return 1e-9 * most;
}

/* Rigid motions orthonormal with M. */
static bool take_rigid(sp_arena *arena, int n_rigid, const double *rigid, sp_statics *s)
{
    const size_t n = (size_t)s->K->n;
    s->R = SP_NEW(arena, double, n *(size_t)n_rigid);
    s->MR = SP_NEW(arena, double, n *(size_t)n_rigid);
    if (!s->R || !s->MR) {
        return false;
    }
    memcpy(s->R, rigid, n * (size_t)n_rigid * sizeof *s->R);
    for (int k = 0; k < n_rigid; k++) {
        double *r = s->R + (size_t)k * n, *Mr = s->MR + (size_t)k * n;
        for (int again = 0; again < 2; again++) {
            for (int j = 0; j < k; j++) {
                sp_add_scaled(n, -sp_dot(n, s->MR + (size_t)j * n, r), s->R + (size_t)j * n, r);
            }
        }
        sp_sym_times(s->M, 1, r, Mr);
        const double size = 1.0 / sqrt(sp_dot(n, r, Mr));
        for (size_t i = 0; i < n; i++) {
            r[i] *= size;
            Mr[i] *= size;
        }
    }
    s->n_rigid = n_rigid;
    return true;
}

sp_status sp_statics_new(sp_arena *arena, int n_rigid, const double *rigid, sp_statics *s, int *bad,
                         sp_error *err)
{
    sp_sym shifted = *s->K;
    s->scratch = SP_NEW(arena, double, 2 * (size_t)s->K->n * (size_t)s->most);
    if (!s->scratch || (n_rigid > 0 && !take_rigid(arena, n_rigid, rigid, s))) {
        return SP_E_MEMORY;
    }
    if (n_rigid > 0) {
        s->shift = shift_of(s->K, s->M);
        if (!sp_sym_sum(arena, s->K, s->shift, s->M, &shifted)) {
            return SP_E_MEMORY;
        }
    }
    return sp_factor_new(&shifted, &s->factor, bad, err);
}

void sp_statics_free(sp_statics *s)
{
    sp_factor_free(s->factor);
    s->factor = NULL;
}

/* Without the part of rigid motions: f - M R R^T f, u - R R^T M u. */
static void strip(const sp_statics *s, int m, bool forces, double *X)
{
    const size_t n = (size_t)s->K->n;
    for (int c = 0; c < m; c++) {
        for (int k = 0; k < s->n_rigid; k++) {
            const double *R = s->R + (size_t)k * n, *MR = s->MR + (size_t)k * n;
            double *x = X + (size_t)c * n;
            sp_add_scaled(n, -sp_dot(n, forces ? R : MR, x), forces ? MR : R, x);
        }
    }
}

/* K u = f of a free part by repeating (K + shift M) u = f + shift M u.   theory (93.12) */
static void solve_free(sp_statics *s, int m, double *X)
{
    enum { ROUNDS = 40 };
    const size_t all = (size_t)s->K->n * (size_t)m;
    double *f = s->scratch, *Mu = s->scratch + all;
    strip(s, m, true, X);
    memcpy(f, X, all * sizeof *f);
    sp_factor_solve(s->factor, m, X);
    strip(s, m, false, X);
    for (int round = 0; round < ROUNDS; round++) {
        double change = 0.0, size = 0.0;
        sp_sym_times(s->M, m, X, Mu);
        for (size_t i = 0; i < all; i++) {
            Mu[i] = f[i] + s->shift * Mu[i];
        }
        sp_factor_solve(s->factor, m, Mu);
        strip(s, m, false, Mu);
        for (size_t i = 0; i < all; i++) {
            change = fmax(change, fabs(Mu[i] - X[i]));
            size = fmax(size, fabs(Mu[i]));
            X[i] = Mu[i];
        }
        if (!(change > 1e-12 * size)) {
            break;
        }
    }
}

void sp_statics_solve(sp_statics *s, int m, double *X)
{
    const size_t n = (size_t)s->K->n, r = (size_t)s->n_row;
    if (s->n_rigid > 0) {
        solve_free(s, m, X);
    } else {
        sp_factor_solve(s->factor, m, X);
    }
    for (int c = 0; c < m && r > 0; c++) { /* u - S C^T (C S C^T)^-1 C u */
        double *x = X + (size_t)c * n, Cx[256];
        for (size_t i = 0; i < r; i++) {
            Cx[i] = sp_dot(n, s->C + i * n, x);
        }
        for (size_t i = 0; i < r; i++) {
            sp_add_scaled(n, -sp_dot(r, s->inverse + i * r, Cx), s->SC + i * n, x);
        }
    }
}

bool sp_statics_hold(sp_arena *arena, sp_statics *s, int n_row, const double *C)
{
    const size_t n = (size_t)s->K->n, r = (size_t)n_row;
    s->n_row = 0;
    if (n_row == 0) {
        return true;
    }
    s->C = SP_NEW(arena, double, r *n);
    s->SC = SP_NEW(arena, double, r *n);
    s->inverse = SP_NEW(arena, double, r *r);
    void *memory = SP_NEW(arena, char, sp_lu_bytes(n_row));
    double *x = SP_NEW(arena, double, 2 * r);
    if (!s->C || !s->SC || !s->inverse || !memory || !x) {
        return false;
    }
    memcpy(s->C, C, r * n * sizeof *s->C);
    memcpy(s->SC, C, r * n * sizeof *s->SC);
    for (int first = 0; first < n_row; first += s->most) {
        sp_statics_solve(s, n_row - first < s->most ? n_row - first : s->most,
                         s->SC + (size_t)first * n);
    }
    sp_lu f;
    sp_lu_place(&f, n_row, memory);
    for (size_t i = 0; i < r * r; i++) {
        f.LU[i] = sp_dot(n, s->C + i / r * n, s->SC + i % r * n);
    }
    if (sp_lu_factor(&f, 1e-13) < n_row) {
        return false;
    }
    for (size_t i = 0; i < r; i++) {
        memset(x, 0, r * sizeof *x);
        x[i] = 1.0;
        sp_lu_solve(&f, x, x + r);
        for (size_t k = 0; k < r; k++) {
            s->inverse[k * r + i] = x[r + k];
        }
    }
    s->n_row = n_row;
    return true;
}

/* ---- eigenvectors -----------------------------------------------------------------------------
 */

/* X <- the combinations of Z (p vectors) by the columns of V. */
static void combine(size_t n, int p, const double *Z, const double *V, double *X)
{
    memset(X, 0, n * (size_t)p * sizeof *X);
    for (int k = 0; k < p; k++) {
        for (int j = 0; j < p; j++) {
            sp_add_scaled(n, V[j * p + k], Z + (size_t)j * n, X + (size_t)k * n);
        }
    }
}

/* One round: Z = S M X, then the best combinations.   theory (93.11) */
static void improve(sp_statics *s, int p, double *X, double *Y, double *Z, double *small,
                    double *lambda)
{
    const size_t n = (size_t)s->K->n, pp = (size_t)p * (size_t)p;
    double *A = small, *B = small + pp, *V = small + 2 * pp;
    sp_sym_times(s->M, p, X, Y);
    memcpy(Z, Y, n * (size_t)p * sizeof *Z);
    sp_statics_solve(s, p, Z);
    for (int k = 0; k < p;
         k++) { /* of length one with K: their order of size is that of 1/omega^2 */
        const double size = 1.0 / sqrt(sp_dot(n, Z + (size_t)k * n, Y + (size_t)k * n));
        for (size_t i = 0; i < n; i++) {
            Z[(size_t)k * n + i] *= size;
            Y[(size_t)k * n + i] *= size;
        }
    }
    for (int i = 0; i < p; i++) {
        for (int j = 0; j <= i; j++) {
            A[i * p + j] = A[j * p + i] = 0.5 * (sp_dot(n, Z + (size_t)i * n, Y + (size_t)j * n) +
                                                 sp_dot(n, Z + (size_t)j * n, Y + (size_t)i * n));
        }
    }
    sp_sym_times(s->M, p, Z, Y);
    for (int i = 0; i < p; i++) {
        for (int j = 0; j <= i; j++) {
            B[i * p + j] = B[j * p + i] = sp_dot(n, Z + (size_t)i * n, Y + (size_t)j * n);
        }
    }
    sp_eigen_pair(p, B, A, small + 3 * pp, V, lambda);
    combine(n, p, Z, V, X);
}

int sp_statics_modes(sp_arena *arena, sp_statics *s, int n, int p, double tol, double *X,
                     double *lambda)
{
    enum { ROUNDS = 60 };
    const size_t all = (size_t)s->K->n * (size_t)p;
    double *Y = SP_NEW(arena, double, all), *Z = SP_NEW(arena, double, all);
    double *small = SP_NEW(arena, double, 6 * (size_t)(p * p)), *last = SP_NEW(arena, double, p);
    if (!Y || !Z || !small || !last) {
        return 0;
    }
    for (int round = 1; round <= ROUNDS; round++) {
        improve(s, p, X, Y, Z, small, lambda);
        double change = round == 1 ? INFINITY : 0.0;
        for (int k = 0; k < n; k++) {
            const double d = fabs(lambda[k] - last[k]) / fabs(lambda[k]);
            change = !(d <= change) ? d : change;
            last[k] = lambda[k];
        }
        if (change < tol) {
            return round;
        }
    }
    return 0;
}
