#include "math/eigen.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum { SWEEPS = 60, STEPS_PER_VALUE = 60 };

typedef double _Complex number;

/* ---- symmetric ------------------------------------------------------------------------------- */

/* Rotate columns p and q of a matrix by cosine c and sine s. */
static void turn_columns(int n, double *A, int p, int q, double c, double s)
{
    for (int i = 0; i < n; i++) {
        double *row = A + (size_t)i * (size_t)n;
        const double a = row[p], b = row[q];
        row[p] = c * a - s * b;
        row[q] = s * a + c * b;
    }
}

/* The same for rows. */
static void turn_rows(int n, double *A, int p, int q, double c, double s)
{
    double *row_p = A + (size_t)p * (size_t)n, *row_q = A + (size_t)q * (size_t)n;
    for (int j = 0; j < n; j++) {
        const double a = row_p[j], b = row_q[j];
        row_p[j] = c * a - s * b;
        row_q[j] = s * a + c * b;
    }
}

/* Make A_pq vanish; false if it does already, beside the diagonal. */
static bool annihilate(int n, double *A, double *V, int p, int q)
{
    const size_t N = (size_t)n;
    const double A_pp = A[(size_t)p * N + (size_t)p], A_qq = A[(size_t)q * N + (size_t)q];
    const double A_pq = A[(size_t)p * N + (size_t)q];
    if (!(fabs(A_pq) > DBL_EPSILON * 0.125 * sqrt(fabs(A_pp) * fabs(A_qq))) ||
        !(fabs(A_pq) > DBL_MIN)) {
        return false;
    }
    const double theta = (A_qq - A_pp) / (2.0 * A_pq);
    const double t = (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + hypot(theta, 1.0));
    const double c = 1.0 / hypot(t, 1.0), s = t * c;
    turn_columns(n, A, p, q, c, s);
    turn_rows(n, A, p, q, c, s);
    A[(size_t)p * N + (size_t)q] = A[(size_t)q * N + (size_t)p] = 0.0;
    turn_columns(n, V, p, q, c, s);
    return true;
}

/* Put the eigenvalues into rising order, their vectors with them. */
static void sort_ascending(int n, double *V, double *w)
{
    for (int k = 0; k < n; k++) {
        int least = k;
        for (int j = k + 1; j < n; j++) {
            least = w[j] < w[least] ? j : least;
        }
        const double value = w[k];
        w[k] = w[least];
        w[least] = value;
        for (int i = 0; i < n && least != k; i++) {
            double *row = V + (size_t)i * (size_t)n;
            const double entry = row[k];
            row[k] = row[least];
            row[least] = entry;
        }
    }
}

void sp_eigen_symmetric(int n, double *A, double *V, double *w)
{
    memset(V, 0, (size_t)n * (size_t)n * sizeof *V);
    for (int k = 0; k < n; k++) {
        V[(size_t)k * (size_t)n + (size_t)k] = 1.0;
    }
    bool turned = true;
    for (int sweep = 0; sweep < SWEEPS && turned; sweep++) {
        turned = false;
        for (int p = 0; p < n; p++) {
            for (int q = p + 1; q < n; q++) {
                turned |= annihilate(n, A, V, p, q);
            }
        }
    }
    for (int k = 0; k < n; k++) {
        w[k] = A[(size_t)k * (size_t)n + (size_t)k];
    }
    sort_ascending(n, V, w);
}

/* C = op(A) B of n x n matrices; turned: op is the transpose. */
static void product(int n, bool turned, const double *A, const double *B, double *C)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++) {
                sum += A[turned ? k * n + i : i * n + k] * B[k * n + j];
            }
            C[i * n + j] = sum;
        }
    }
}

void sp_eigen_pair(int n, const double *M, const double *K, double *work, double *V, double *w)
{
    double *A = work, *Q = work + n * n, *L = work + 2 * n * n;
    memcpy(A, M, (size_t)n * (size_t)n * sizeof *A);
    sp_eigen_symmetric(n, A, Q, w);
    for (int i = 0; i < n * n; i++) { /* L = M^(-1/2) but for a rotation */
        L[i] = Q[i] / sqrt(w[i % n]);
    }
    product(n, false, K, L, Q);
    product(n, true, L, Q, A);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            A[i * n + j] = A[j * n + i] = 0.5 * (A[i * n + j] + A[j * n + i]);
        }
    }
    sp_eigen_symmetric(n, A, Q, w);
    product(n, false, L, Q, V);
}

/* ---- general --------------------------------------------------------------------------------- */

static double size_of(number z)
{
    return fabs(creal(z)) + fabs(cimag(z));
}

/* A = I - 2 v v^H from both sides, Q from the right; v lives on rows first .. n - 1. */
static void reflect(int n, number *A, number *Q, const number *v, int first)
{
    for (int j = 0; j < n; j++) {
        number sum = 0.0;
        for (int i = first; i < n; i++) {
            sum += conj(v[i]) * A[i * n + j];
        }
        for (int i = first; i < n; i++) {
            A[i * n + j] -= 2.0 * sum * v[i];
        }
    }
    for (int pass = 0; pass < 2; pass++) {
        number *B = pass == 0 ? A : Q;
        for (int i = 0; i < n; i++) {
            number sum = 0.0;
            for (int j = first; j < n; j++) {
                sum += B[i * n + j] * v[j];
            }
            for (int j = first; j < n; j++) {
                B[i * n + j] -= 2.0 * sum * conj(v[j]);
            }
        }
    }
}

/* Q^H A Q with zeroes below the first subdiagonal; v is scratch. */
static void make_hessenberg(int n, number *A, number *Q, number *v)
{
    for (int k = 0; k + 2 < n; k++) {
        double length2 = 0.0;
        for (int i = k + 1; i < n; i++) {
            v[i] = A[i * n + k];
            length2 += creal(v[i] * conj(v[i]));
        }
        const double length = sqrt(length2), head = cabs(v[k + 1]);
        if (length == 0.0 || length2 == head * head) {
            continue;
        }
        v[k + 1] += head > 0.0 ? v[k + 1] / head * length : length;
        const double norm = sqrt(2.0 * length * (length + head));
        for (int i = k + 1; i < n; i++) {
            v[i] /= norm;
        }
        reflect(n, A, Q, v, k + 1);
        for (int i = k + 2; i < n; i++) {
            A[i * n + k] = 0.0;
        }
    }
}

/* Eigenvalue of the last 2 x 2 block that is nearer to its last entry. */
static number wilkinson(const number *A, int n, int end)
{
    const number a = A[(end - 1) * n + end - 1], b = A[(end - 1) * n + end];
    const number c = A[end * n + end - 1], d = A[end * n + end];
    const number half = 0.5 * (a - d), bc = b * c;
    number root = csqrt(half * half + bc);
    root = creal(conj(half) * root) >= 0.0 ? root : -root;
    const number larger = half + root;
    return larger == 0.0 ? d : d - bc / larger;
}

/* [c s; -conj(s) c] that turns (x, y) into (r, 0), c real. */
static void find_rotation(number x, number y, double *c, number *s)
{
    const double X = cabs(x), r = hypot(X, cabs(y));
    if (r == 0.0) {
        *c = 1.0;
        *s = 0.0;
    } else {
        const number sign = X > 0.0 ? x / X : 1.0;
        *c = X / r;
        *s = sign * conj(y) / r;
    }
}

/* One QR step with a shift on rows begin .. end, A - shift = Q R, A <- R Q + shift, done by one
 * rotation after the other: the first begins it, the others chase what it puts below. */
static void qr_step(int n, number *A, number *Q, int begin, int end, number shift)
{
    number x = A[begin * n + begin] - shift, y = A[(begin + 1) * n + begin];
    for (int k = begin; k < end; k++) {
        double c;
        number s;
        if (k > begin) {
            x = A[k * n + k - 1];
            y = A[(k + 1) * n + k - 1];
        }
        find_rotation(x, y, &c, &s);
        for (int j = k > begin ? k - 1 : begin; j < n; j++) {
            const number a = A[k * n + j], b = A[(k + 1) * n + j];
            A[k * n + j] = c * a + s * b;
            A[(k + 1) * n + j] = -conj(s) * a + c * b;
        }
        const int last = k + 2 <= end ? k + 2 : end;
        for (int i = 0; i <= last; i++) {
            const number a = A[i * n + k], b = A[i * n + k + 1];
            A[i * n + k] = c * a + conj(s) * b;
            A[i * n + k + 1] = -s * a + c * b;
        }
        for (int i = 0; i < n; i++) {
            const number a = Q[i * n + k], b = Q[i * n + k + 1];
            Q[i * n + k] = c * a + conj(s) * b;
            Q[i * n + k + 1] = -s * a + c * b;
        }
        if (k > begin) {
            A[(k + 1) * n + k - 1] = 0.0;
        }
    }
}

/* Triangular form by QR steps on the part that is not done yet. */
static bool make_triangular(int n, number *A, number *Q)
{
    int end = n - 1, steps = 0;
    while (end > 0) {
        int begin = end;
        for (; begin > 0; begin--) { /* split where a subdiagonal entry vanishes */
            const double beside =
                size_of(A[(begin - 1) * n + begin - 1]) + size_of(A[begin * n + begin]);
            const double below = size_of(A[begin * n + begin - 1]);
            if (!(below > 0.5 * DBL_EPSILON * beside) && below == below) {
                A[begin * n + begin - 1] = 0.0;
                break;
            }
        }
        if (begin == end) {
            end--;
            steps = 0;
            continue;
        }
        if (++steps > STEPS_PER_VALUE) {
            return false;
        }
        const number shift = steps % 12 == 11 ? A[end * n + end] + size_of(A[end * n + end - 1])
                                              : wilkinson(A, n, end);
        qr_step(n, A, Q, begin, end, shift);
    }
    return true;
}

/* Eigenvector k of the triangular T into x: substitution upwards; equal eigenvalues are taken apart
 * by round-off. */
static void substitute(int n, const number *T, int k, double smallest, number *x)
{
    for (int i = n - 1; i > k; i--) {
        x[i] = 0.0;
    }
    x[k] = 1.0;
    for (int i = k - 1; i >= 0; i--) {
        number sum = 0.0;
        for (int j = i + 1; j <= k; j++) {
            sum += T[i * n + j] * x[j];
        }
        number pivot = T[i * n + i] - T[k * n + k];
        pivot = size_of(pivot) < smallest ? smallest : pivot;
        x[i] = -sum / pivot;
    }
}

/* V_k = Q x of length 1. */
static void turn_back(int n, const number *Q, const number *x, int k, sp_complex *V)
{
    double length2 = 0.0;
    for (int i = 0; i < n; i++) {
        number sum = 0.0;
        for (int j = 0; j <= k; j++) {
            sum += Q[i * n + j] * x[j];
        }
        V[i * n + k] = (sp_complex){creal(sum), cimag(sum)};
        length2 += creal(sum) * creal(sum) + cimag(sum) * cimag(sum);
    }
    const double scale = 1.0 / sqrt(length2);
    for (int i = 0; i < n; i++) {
        V[i * n + k].re *= scale;
        V[i * n + k].im *= scale;
    }
}

size_t sp_eigen_work(int n)
{
    return (2 * (size_t)n + 1) * (size_t)n * sizeof(number) + sizeof(number);
}

bool sp_eigen_general(int n, const double *A, sp_complex *w, sp_complex *V, void *work)
{
    number *T = work, *Q = T + (size_t)n * (size_t)n, *x = Q + (size_t)n * (size_t)n;
    double largest = 0.0;
    for (int i = 0; i < n * n; i++) {
        T[i] = A[i];
        Q[i] = i % (n + 1) == 0 ? 1.0 : 0.0;
        largest = fabs(A[i]) > largest ? fabs(A[i]) : largest;
    }
    make_hessenberg(n, T, Q, x);
    if (!make_triangular(n, T, Q)) {
        return false;
    }
    for (int k = 0; k < n; k++) {
        w[k] = (sp_complex){creal(T[k * n + k]), cimag(T[k * n + k])};
        substitute(n, T, k, DBL_EPSILON * largest + DBL_MIN, x);
        turn_back(n, Q, x, k, V);
    }
    return true;
}
