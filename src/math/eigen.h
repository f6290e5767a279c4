/* math/eigen.h - eigenvalues and eigenvectors of small dense matrices. */
#ifndef SP_MATH_EIGEN_H
#define SP_MATH_EIGEN_H

#include <stdbool.h>
#include <stddef.h>

#include "specht/base.h"

/* A x = w x for a symmetric matrix by Jacobi's rotations.
 *   A  (n x n)  in, overwritten
 *   V  (n x n)  out: column k is the eigenvector of w[k], orthonormal
 *   w  (n)      out, rising */
void sp_eigen_symmetric(int n, double *A, double *V, double *w);

/* K x = w M x for symmetric matrices, M positive definite: by M^(-1/2).
 *   work  (3 n x n)
 *   V     (n x n)  out: column k belongs to w[k], V^T M V = 1
 *   w     (n)      out, rising */
void sp_eigen_pair(int n, const double *M, const double *K, double *work, double *V, double *w);

/* A x = w x for any real matrix: Hessenberg form by reflections, triangular form by QR steps with
 * Wilkinson's shift, eigenvectors by substitution.   [GolubVanLoan] chapter 7
 *   A     (n x n)  in
 *   w     (n)      out, in no order
 *   V     (n x n)  out: column k is the eigenvector of w[k], of length 1
 *   work  sp_eigen_work(n) bytes, aligned as double
 * False if the QR steps do not converge (a matrix with NaN, for instance). */
bool sp_eigen_general(int n, const double *A, sp_complex *w, sp_complex *V, void *work);
size_t sp_eigen_work(int n);

#endif
