/* solvers/fc_dense.h - dense systems of some tens to some hundreds of unknowns, quickly. */
#ifndef SP_SOLVERS_FC_DENSE_H
#define SP_SOLVERS_FC_DENSE_H

/* Rows are padded to a multiple of this. */
enum { SP_FC_PAD = 4 };

/* Leading dimension for n columns. */
static inline int sp_fc_padded(int n)
{
    return (n + SP_FC_PAD - 1) / SP_FC_PAD * SP_FC_PAD;
}

/* sum a_k b_k in four parts, which do not wait for each other. */
static inline double sp_fc_dot(int n, const double *a, const double *b)
{
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    int k = 0;
    for (; k + 4 <= n; k += 4) {
        s0 += a[k] * b[k];
        s1 += a[k + 1] * b[k + 1];
        s2 += a[k + 2] * b[k + 2];
        s3 += a[k + 3] * b[k + 3];
    }
    for (; k < n; k++) {
        s0 += a[k] * b[k];
    }
    return (s0 + s1) + (s2 + s3);
}

/* a . b in four lanes of a vector. */
static inline __attribute__((always_inline)) double sp_fc_dot4(int n, const double *a,
                                                               const double *b)
{
    typedef double lanes __attribute__((vector_size(32), aligned(8), may_alias));
    lanes s = {0.0, 0.0, 0.0, 0.0}, t = s;
    int k = 0;
    for (; k + 8 <= n; k += 8) {
        s += *(const lanes *)(const void *)(a + k) * *(const lanes *)(const void *)(b + k);
        t += *(const lanes *)(const void *)(a + k + 4) * *(const lanes *)(const void *)(b + k + 4);
    }
    s += t;
    for (; k < n; k++) {
        s[0] += a[k] * b[k];
    }
    return (s[0] + s[1]) + (s[2] + s[3]);
}

/* x = A^-1 b of few unknowns (n <= SP_FC_GAUSS), with partial pivoting: A n x n with b as column n,
 * row-major, ld = sp_fc_padded(n + 1), spoilt; what is in the padding must be finite.  Returns the
 * smallest |pivot|; NaN if a number is not finite. */
enum { SP_FC_GAUSS = 36 };
double sp_fc_gauss(int n, double *A, double *x);

/* A = P L U with partial pivoting, in place; A n x n, row-major, ld = sp_fc_padded(n), 16-byte
 * aligned; what is in the padding does not matter, but it must be finite.  pivot (n): row exchanged
 * with row k.  Returns the smallest |pivot|; NaN if a number is not finite. */
double sp_fc_lu(int n, double *A, int *pivot);

/* The same for the first n_pivot unknowns only, with pivots among the first n_pivot rows: the rest
 * of A becomes the matrix of what is left. */
double sp_fc_lu_front(int n, int n_pivot, double *A, int *pivot);

/* x <- A^-1 x with the factors. */
void sp_fc_lu_solve(int n, const double *A, const int *pivot, double *x);

#endif
