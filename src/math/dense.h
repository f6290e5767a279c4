/* math/dense.h - products; small dense systems that may be singular: the solution of least norm. */
#ifndef SP_MATH_DENSE_H
#define SP_MATH_DENSE_H

#include <stdbool.h>
#include <stddef.h>

/* a.b, summed from the first entry on. */
static inline double sp_dot_n(int n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* x (n) <- A^-1 x by elimination with pivots from the column; A (n x n) is spoilt, entries that are
 * zero cost nothing.  False, and x is NaN, if a pivot is no larger than least. */
bool sp_eliminate(int n, double *A, double least, double *x);

/* P A Q = [L11; L21] [U11 U12] with complete pivoting, stopped at the numerical rank.  The arrays
 * are the caller's; sp_lu_bytes says how many bytes they need in total, sp_lu_place hands them out.
 */
typedef struct sp_lu {
    int n, rank;
    double *LU;       /* n x n, row-major: A in, factors out             */
    double *V;        /* rank x (n - rank): U11^-1 U12                   */
    double *S;        /* (n - rank)^2: Cholesky factor of I + V'V        */
    double *y;        /* n, scratch                                      */
    int *prow, *pcol; /* n: row prow[k] and column pcol[k] were pivot k */
} sp_lu;

size_t sp_lu_bytes(int n);

/* Let f's arrays point into memory (alignment of double). */
void sp_lu_place(sp_lu *f, int n, void *memory);

/* Factor f->LU; pivots below tol times the largest count as zero.  Returns the rank. */
int sp_lu_factor(sp_lu *f, double tol);

/* x = the least-norm solution of A x = b.  If A is rank deficient and b outside its range, the
 * equations that were no pivots stay unsatisfied: check the residual.  x and b may be one array. */
void sp_lu_solve(const sp_lu *f, const double *b, double *x);

#endif
