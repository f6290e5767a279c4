/* model/ritz.c - Ritz functions in Legendre's polynomials by their strains or curvatures.
 * theory (72.7)-(72.9) */
#include "model/ritz.h"

#include "math/dense.h"
#include "math/eigen.h"

#include <math.h>
#include <string.h>

enum { MORE = 12, RIGID = 2 }; /* polynomials beyond 2 n: theory section 72 */
enum { LOADED = 80 };          /* polynomials where loads have functions    */

/* ---- Legendre's polynomials -------------------------------------------------------------------
 */

void sp_legendre(int n, double xi, double *P)
{
    const double z = 2.0 * xi - 1.0;
    P[0] = 1.0;
    if (n > 1) {
        P[1] = z;
    }
    for (int j = 2; j < n; j++) {
        P[j] = ((2.0 * j - 1.0) * z * P[j - 1] - (j - 1.0) * P[j - 2]) / j;
    }
}

/* P_j' = P_(j-2)' + 2 (2 j - 1) P_(j-1), which holds for all derivatives. */
void sp_legendre_slopes(int n, double *P)
{
    double before = 0.0; /* P_(j-1) as it was */
    for (int j = 0; j < n; j++) {
        const double was = P[j];
        P[j] = j == 0 ? 0.0 : 2.0 * (2.0 * j - 1.0) * before + (j > 1 ? P[j - 2] : 0.0);
        before = was;
    }
}

/* Of P_(k+1) - P_(k-1) the derivative by xi is 2 (2 k + 1) P_k. */
void sp_legendre_derive(int n, double *coef)
{
    double a = coef[n - 1];
    coef[n - 1] = 0.0;
    for (int k = n - 1; k > 0; k--) {
        const double next = coef[k - 1], above = k + 1 < n ? coef[k + 1] / (2.0 * k + 3.0) : 0.0;
        coef[k - 1] = (2.0 * k - 1.0) * (2.0 * a + above);
        a = next;
    }
}

/* The integral of such a sum, one coefficient longer. */
static void integrate(int n, const double *from, double *to)
{
    memset(to, 0, ((size_t)n + 1) * sizeof *to);
    for (int j = 0; j < n; j++) {
        const double half = 0.5 * from[j] / (2.0 * j + 1.0);
        to[j + 1] += half;
        to[j > 0 ? j - 1 : 0] += j > 0 ? -half : half;
    }
}

double sp_legendre_mean(int n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int j = 0; j < n; j++) {
        sum += a[j] * b[j] / (2.0 * j + 1.0);
    }
    return sum;
}

/* Newton's method on P_n; weights 1/(n P_(n-1) P_n') .   [AbramowitzStegun] 25.4.29 */
void sp_gauss_legendre(int n, double *xi, double *weight)
{
    for (int i = 0; i < n; i++) {
        double z = -cos(3.141592653589793 * (i + 0.75) / (n + 0.5)), slope = 1.0;
        for (int k = 0; k < 20; k++) {
            double low = 1.0, p = z;
            for (int j = 2; j <= n; j++) {
                const double next = ((2.0 * j - 1.0) * z * p - (j - 1.0) * low) / j;
                low = p;
                p = next;
            }
            slope = n * (low - z * p) / (1.0 - z * z);
            z -= p / slope;
        }
        xi[i] = 0.5 * (1.0 + z);
        weight[i] = 1.0 / ((1.0 - z * z) * slope * slope);
    }
}

/* ---- functions --------------------------------------------------------------------------------
 */

/* Work on n_base integrals I_j and the rigid motions P_0, P_1; a row of conditions is over both. */
typedef struct span {
    const sp_ritz_want *want;
    int n_curve, n_base, size, n_row; /* strains P_j, with those of shear; size: coefficients */
    double *level[3]; /* n_base x size: P_j/n_j, its integral, the next one; of shear 0,
                       * 0, its integral                                         */
    double *row;      /* (SP_RITZ_ENDS + RIGID) x (n_base + RIGID)               */
    int pivot[RIGID]; /* row that gives a rigid motion, -1: none                 */
} span;

static int n_curve_of(const sp_ritz_want *want)
{
    const int held = want->n_end > want->order ? want->n_end - want->order : 0;
    const int modes = 2 * want->n + MORE;
    return want->n_static > 0 && modes < LOADED ? LOADED
           : want->n_static > 0 || want->modes  ? modes
                                                : want->n + held;
}

int sp_ritz_size(const sp_ritz_want *want)
{
    return want->given ? SP_RITZ_GIVEN : n_curve_of(want) + want->order;
}

static double *row_of(const span *s, int i)
{
    return s->row + (size_t)i * (size_t)(s->n_base + RIGID);
}

static double *integral_of(const span *s, int level, int j)
{
    return s->level[level] + (size_t)j * (size_t)s->size;
}

static void fill_levels(const span *s)
{
    const int n = s->n_curve;
    for (int j = 0; j < n; j++) {
        integral_of(s, 0, j)[j] = sqrt(2.0 * j + 1.0);
        for (int k = 1; k <= s->want->order; k++) {
            integrate(n + k - 1, integral_of(s, k - 1, j), integral_of(s, k, j));
        }
        for (int i = 0; i < s->size && s->n_base > n; i++) {
            integral_of(s, 2, n + j)[i] = sqrt(s->want->shear) * integral_of(s, 1, j)[i];
        }
    }
}

/* The row of a condition at an end. */
static void end_row(span *s, sp_ritz_end end, double *P)
{
    double *row = row_of(s, s->n_row++), slope[RIGID] = {0.0, 2.0};
    sp_legendre(s->size, end.xi, P);
    for (int j = 0; j < s->n_base; j++) {
        row[j] = sp_dot_n(s->size, integral_of(s, s->want->order - end.order, j), P);
    }
    for (int r = 0; r < s->want->order; r++) {
        row[s->n_base + r] = end.order == 0 ? P[r] : slope[r];
    }
}

/* The row by which no function has a part of the rigid motion d (two coefficients), whose sections
 * turn by 2 d_1. */
static void rigid_row(span *s, const double d[RIGID])
{
    double *row = row_of(s, s->n_row++);
    const int order = s->want->order;
    const double turns = order == 2 ? 2.0 * s->want->rotary * d[1] : 0.0;
    for (int j = 0; j < s->n_base; j++) {
        row[j] = sp_legendre_mean(RIGID, integral_of(s, order, j), d);
        row[j] += turns != 0.0 ? turns * integral_of(s, order - 1, j)[0] : 0.0;
    }
    for (int r = 0; r < order; r++) {
        row[s->n_base + r] = d[r] / (2.0 * r + 1.0) + (r == 1 ? 2.0 * turns : 0.0);
    }
    for (int r = 0; r < s->want->order; r++) {
        const double by = s->pivot[r] >= 0 ? row[s->n_base + r] : 0.0;
        for (int k = 0; k < s->n_base + RIGID && by != 0.0; k++) {
            row[k] -= by * row_of(s, s->pivot[r])[k];
        }
    }
}

static bool is_pivot(const span *s, int row)
{
    return row == s->pivot[0] || row == s->pivot[1];
}

/* Let the best row that is left give rigid motion r, and take it out of all others. */
static void eliminate(span *s, int r)
{
    const int column = s->n_base + r;
    int best = -1;
    for (int i = 0; i < s->n_row; i++) {
        const double size = fabs(row_of(s, i)[column]);
        if (!is_pivot(s, i) && size > 1e-9 && (best < 0 || size > fabs(row_of(s, best)[column]))) {
            best = i;
        }
    }
    s->pivot[r] = best;
    for (int i = -1; i < s->n_row && best >= 0; i++) { /* the row itself first */
        double *row = row_of(s, i < 0 ? best : i);
        const double by = i < 0 ? 1.0 - 1.0 / row[column] : row[column];
        for (int k = 0; k < s->n_base + RIGID && i != best; k++) {
            row[k] -= by * row_of(s, best)[k];
        }
    }
}

/* Conditions until all rigid motions are given. */
static void hold(span *s, double *P)
{
    const int n = s->want->order;
    for (int i = 0; i < s->want->n_end; i++) {
        end_row(s, s->want->end[i], P);
    }
    for (int r = 0; r < n; r++) {
        eliminate(s, r);
    }
    for (int r = 0; r < n; r++) {
        double d[RIGID] = {0.0, 0.0}; /* unit motion r with what the other row says to it */
        if (s->pivot[r] >= 0) {
            continue;
        }
        d[r] = 1.0;
        if (s->pivot[1 - r] >= 0 && n > 1) {
            d[1 - r] = -row_of(s, s->pivot[1 - r])[s->n_base + r];
        }
        rigid_row(s, d);
    }
    for (int r = 0; r < n; r++) {
        if (s->pivot[r] < 0) {
            eliminate(s, r);
        }
    }
}

/* Functions that meet the rows with pivots: I_j minus rigid motions.   theory (72.7) */
static void join_rigid(const span *s)
{
    for (int j = 0; j < s->n_base; j++) {
        for (int r = 0; r < s->want->order; r++) {
            integral_of(s, s->want->order, j)[r] -= row_of(s, s->pivot[r])[j];
        }
        if (s->want->order == 2) {
            integral_of(s, 1, j)[0] -= 2.0 * row_of(s, s->pivot[1])[j];
        }
    }
}

/* Turn the functions so that the other rows are met by all but the first ones: reflections
 * H = 1 - 2 v v^T/v^2 that bring row after row onto one axis.  How many of the first ones to leave
 * out. */
static int meet_rows(const span *s)
{
    const int order = s->want->order;
    int done = 0;
    for (int i = 0; i < s->n_row; i++) {
        double *v = row_of(s, i) + done;
        const int n = s->n_base - done;
        const double length = sqrt(sp_dot_n(n, v, v));
        if (is_pivot(s, i) || !(length > 1e-12)) {
            continue;
        }
        v[0] += v[0] < 0.0 ? -length : length;
        const double over = 2.0 / sp_dot_n(n, v, v);
        for (int k = 0; k < order * s->size; k++) { /* columns of the functions and derivatives */
            double *f = s->level[order - k / s->size] + k % s->size, sum = 0.0;
            for (int j = 0; j < n; j++) {
                sum += v[j] * f[(size_t)(done + j) * (size_t)s->size];
            }
            for (int j = 0; j < n; j++) {
                f[(size_t)(done + j) * (size_t)s->size] -= over * sum * v[j];
            }
        }
        for (int later = i + 1; later < s->n_row; later++) {
            double *w = row_of(s, later) + done;
            const double sum = over * sp_dot_n(n, v, w);
            for (int j = 0; j < n; j++) {
                w[j] -= sum * v[j];
            }
        }
        done++;
    }
    return done;
}

/* Ends at which a function rises are positive there. */
static double sign_of(int n, const double *f, double *P)
{
    sp_legendre(n, 1.0, P);
    double end = sp_dot_n(n, f, P), size = 0.0;
    for (int j = 0; j < n; j++) {
        size += fabs(f[j]);
    }
    if (fabs(end) < 1e-6 * size) { /* the slope at the beginning */
        end = 0.0;
        for (int j = 0; j < n; j++) {
            end += (j % 2 ? 1.0 : -1.0) * j * (j + 1.0) * f[j];
        }
    }
    return end < 0.0 ? -1.0 : 1.0;
}

/* to = factor sum y_j f_j of the m functions from number `first` on. */
static void join(const span *s, int level, int first, int m, const double *y, double factor,
                 double *to)
{
    for (int j = 0; j < m; j++) {
        const double part = factor * y[(size_t)j * (size_t)m];
        for (int i = 0; i < s->size; i++) {
            to[i] += part * integral_of(s, level, first + j)[i];
        }
    }
}

/* Inner products of the functions, with those of their sections. */
static void fill_mass(const span *s, int first, int m, double *M)
{
    const int order = s->want->order;
    const double rotary = s->want->rotary;
    for (int i = 0; i < m * m; i++) {
        const int a = first + i / m, b = first + i % m;
        M[i] = sp_legendre_mean(s->size, integral_of(s, order, a), integral_of(s, order, b));
        M[i] += rotary > 0.0 ? rotary * sp_legendre_mean(s->size, integral_of(s, order - 1, a),
                                                         integral_of(s, order - 1, b))
                             : 0.0;
    }
}

/* What unit forces at places leave of their displacements beyond the first `kept` modes, into the
 * first columns of V; their lambda.  False: no memory.   theory (72.21) */
static bool add_static(sp_arena *scratch, const span *s, int first, int m, int kept, double *V,
                       const double *w, double *lambda)
{
    const sp_ritz_want *want = s->want;
    const int n = want->n_static;
    double M[SP_RITZ_STATIC * SP_RITZ_STATIC] = {0.0}, K[SP_RITZ_STATIC * SP_RITZ_STATIC];
    double A[SP_RITZ_STATIC * SP_RITZ_STATIC], work[3 * SP_RITZ_STATIC * SP_RITZ_STATIC];
    double *c = SP_NEW(scratch, double, n *m), *P = SP_NEW(scratch, double, s->size);
    if (!c || !P) {
        return false;
    }
    for (int r = 0; r < n; r++) {
        double *f = c + (size_t)r * (size_t)m;
        sp_legendre(s->size, want->at[r], P);
        for (int j = 0; j < m; j++) {
            f[j] = sp_dot_n(s->size, integral_of(s, want->order, first + j), P);
        }
        for (int k = 0; k < kept; k++) {
            double part = 0.0;
            for (int j = 0; j < m; j++) {
                part += V[j * m + m - 1 - k] * f[j];
            }
            for (int j = 0; j < m; j++) {
                f[j] -= part * V[j * m + m - 1 - k];
            }
        }
    }
    for (int i = 0; i < n * n; i++) {
        const double *f = c + (size_t)(i / n * m), *g = c + (size_t)(i % n * m);
        K[i] = sp_dot_n(m, f, g);
        for (int k = 0; k < m; k++) {
            double a = 0.0, z = 0.0;
            for (int j = 0; j < m; j++) {
                a += V[j * m + k] * f[j];
                z += V[j * m + k] * g[j];
            }
            M[i] += w[k] * a * z;
        }
    }
    sp_eigen_pair(n, M, K, work, A, lambda);
    for (int j = 0; j < m; j++) {
        for (int r = 0; r < n; r++) {
            V[j * m + r] = 0.0;
            for (int i = 0; i < n; i++) {
                V[j * m + r] += A[i * n + r] * c[i * m + j];
            }
        }
    }
    return true;
}

/* ---- given functions --------------------------------------------------------------------------
 */

void sp_ritz_given(double at_0, double slope_0, const double *curvature, double *coef)
{
    enum { N = SP_RITZ_GIVEN, CURVE = N - 2 };
    double xi[SP_RITZ_SAMPLES], weight[SP_RITZ_SAMPLES], P[N], c[3][N + 1] = {{0.0}};
    sp_gauss_legendre(SP_RITZ_SAMPLES, xi, weight);
    for (int i = 0; i < SP_RITZ_SAMPLES; i++) {
        sp_legendre(CURVE, xi[i], P);
        for (int j = 0; j < CURVE; j++) {
            c[0][j] += (2.0 * j + 1.0) * weight[i] * curvature[i] * P[j];
        }
    }
    sp_legendre(N, 0.0, P);
    for (int k = 1; k < 3; k++) { /* integrals, with the value at the beginning */
        integrate(CURVE + k - 1, c[k - 1], c[k]);
        c[k][0] += (k == 1 ? slope_0 : at_0) - sp_dot_n(CURVE + k, c[k], P);
    }
    memcpy(coef, c[2], N * sizeof *coef);
}

/* Products of given functions (M) and of their curvatures (K), without their rigid parts. */
static void given_products(int n, const double *given, double *M, double *K)
{
    enum { N = SP_RITZ_GIVEN };
    for (int i = 0; i < n * n; i++) {
        double side[2][N];
        for (int s = 0; s < 2; s++) {
            memcpy(side[s], given + (size_t)(s == 0 ? i / n : i % n) * N, sizeof side[s]);
        }
        M[i] = sp_legendre_mean(N, side[0], side[1]);
        for (int s = 0; s < 2; s++) {
            sp_legendre_derive(N, side[s]);
            sp_legendre_derive(N, side[s]);
        }
        K[i] = sp_legendre_mean(N, side[0], side[1]);
    }
}

bool sp_ritz_judge(sp_arena *scratch, int n, const double *given, double *apart, double *bends)
{
    double *M = SP_NEW(scratch, double, n *n), *K = SP_NEW(scratch, double, n *n);
    double *V = SP_NEW(scratch, double, n *n), *w = SP_NEW(scratch, double, n);
    if (!M || !K || !V || !w) {
        return false;
    }
    given_products(n, given, M, K);
    for (int k = 0; k < 2; k++) { /* each function of size 1 */
        double *A = k == 0 ? M : K;
        for (int i = 0; i < n; i++) {
            w[i] = 1.0 / sqrt(fmax(M[i * n + i], 1e-300));
        }
        for (int i = 0; i < n * n && k == 0; i++) {
            K[i] *= w[i / n] * w[i % n];
        }
        for (int i = 0; i < n * n; i++) {
            A[i] *= k == 0 ? w[i / n] * w[i % n] : 1.0;
        }
        sp_eigen_symmetric(n, A, V, w);
        *(k == 0 ? apart : bends) = w[0] / (k == 0 ? w[n - 1] : 1.0);
    }
    return true;
}

/* The modes of their span. */
static bool modes_of_given(sp_arena *scratch, const sp_ritz_want *want, int n_coef, double *coef,
                           double *turn, double *lambda)
{
    const int n = want->n;
    double *M = SP_NEW(scratch, double, n *n), *K = SP_NEW(scratch, double, n *n);
    double *V = SP_NEW(scratch, double, n *n), *work = SP_NEW(scratch, double, 3 * n * n);
    double P[SP_RITZ_GIVEN];
    if (!M || !K || !V || !work) {
        return false;
    }
    given_products(n, want->given, M, K);
    sp_eigen_pair(n, M, K, work, V, lambda);
    for (int k = 0; k < n; k++) {
        double *f = coef + (size_t)k * (size_t)n_coef, *g = turn + (size_t)k * (size_t)n_coef;
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < SP_RITZ_GIVEN; i++) {
                f[i] += V[j * n + k] * want->given[j * SP_RITZ_GIVEN + i];
            }
        }
        const double sign = sign_of(SP_RITZ_GIVEN, f, P);
        for (int i = 0; i < SP_RITZ_GIVEN; i++) {
            f[i] *= sign;
        }
        memcpy(g, f, SP_RITZ_GIVEN * sizeof *g);
        sp_legendre_derive(SP_RITZ_GIVEN, g);
    }
    return true;
}

bool sp_ritz_functions(sp_arena *scratch, const sp_ritz_want *want, int n_coef, double *coef,
                       double *turn, double *lambda)
{
    if (want->given) {
        return modes_of_given(scratch, want, n_coef, coef, turn, lambda);
    }
    span s = {.want = want, .n_curve = n_curve_of(want), .pivot = {-1, -1}};
    s.size = s.n_curve + want->order;
    s.n_base = want->shear > 0.0 ? 2 * s.n_curve : s.n_curve;
    const int n = s.n_base;
    for (int k = 0; k <= want->order; k++) {
        s.level[k] = SP_NEW(scratch, double, n *s.size);
    }
    s.row = SP_NEW(scratch, double, (SP_RITZ_ENDS + RIGID) * (n + RIGID));
    double *P = SP_NEW(scratch, double, s.size), *M = SP_NEW(scratch, double, n *n);
    double *V = SP_NEW(scratch, double, n *n), *w = SP_NEW(scratch, double, n);
    if (!s.level[0] || !s.level[1] || !s.level[want->order] || !s.row || !P || !M || !V || !w) {
        return false;
    }
    fill_levels(&s);
    hold(&s, P);
    join_rigid(&s);
    const int first = meet_rows(&s), m = n - first;
    fill_mass(&s, first, m, M);
    sp_eigen_symmetric(m, M, V, w);
    const int kept = want->n - want->n_static;
    for (int k = 0; k < kept; k++) { /* the largest last */
        lambda[k] = 1.0 / w[m - 1 - k];
    }
    if (want->n_static > 0 && !add_static(scratch, &s, first, m, kept, V, w, lambda + kept)) {
        return false;
    }
    for (int k = 0; k < want->n; k++) {
        double *f = coef + (size_t)k * (size_t)n_coef;
        const double *y = V + (k < kept ? m - 1 - k : k - kept);
        const double size = k < kept ? sqrt(lambda[k]) : 1.0;
        join(&s, want->order, first, m, y, size, f);
        const double sign = sign_of(s.size, f, P);
        for (int i = 0; i < s.size; i++) {
            f[i] *= sign;
        }
        if (turn) {
            join(&s, want->order - 1, first, m, y, sign * size, turn + (size_t)k * (size_t)n_coef);
        }
    }
    return true;
}
