/* math/basis.h - orthonormal bases of what rows span and of what they leave free. */
#ifndef SP_MATH_BASIS_H
#define SP_MATH_BASIS_H

/* Rows of A (m x n, row-major), each of any size, are made orthonormal by Gram and Schmidt with
 * pivoting, twice; rows that are off the span of the others by less than tol of their own length
 * count as dependent.
 *   A  (m x n)  in, overwritten
 *   Q  (n x n)  out, by rows: the first `rank` span the rows of A, the others their complement
 * Returns the rank. */
int sp_basis_split(int m, int n, double *A, double tol, double *Q);

/* A = L L^T of a symmetric matrix (n x n, row-major), L below and on the diagonal in place of A.
 * Returns n, or the first k whose pivot is not above tol times its entry of A. */
int sp_cholesky(int n, double *A, double tol);

/* x <- L^-1 x and x <- L^-T x. */
void sp_cholesky_forward(int n, const double *L, double *x);
void sp_cholesky_back(int n, const double *L, double *x);

#endif
