/* reduce/modes.h - statics and eigenvectors of a part: held, or free. */
#ifndef SP_REDUCE_MODES_H
#define SP_REDUCE_MODES_H

#include "reduce/sparse.h"

/* Displacements of n unknowns under forces, with rows C u = 0 that hold it beyond what K does.  Of
 * a free part the rigid motions are taken out of forces and displacements.   theory (93.10)-(93.12)
 */
typedef struct sp_statics {
    const sp_sym *K, *M;
    sp_factor *factor; /* of K + shift M             */
    double shift;
    int n_rigid;
    double *R, *MR; /* n_rigid x n: R^T M R = 1   */
    int n_row;
    double *C, *SC, *inverse; /* n_row x n twice; (C S C^T)^-1 */
    double *scratch;          /* n x most, twice               */
    int most;                 /* vectors at once               */
} sp_statics;

/* s has K, M and most; rigid: n_rigid x n or NULL.  *bad: the unknown without stiffness. */
sp_status sp_statics_new(sp_arena *arena, int n_rigid, const double *rigid, sp_statics *s, int *bad,
                         sp_error *err);
void sp_statics_free(sp_statics *s);

/* Hold rows C (n_row x n) to zero from now on; n_row 0: none.  False: no memory, or rows that
 * depend on each other. */
bool sp_statics_hold(sp_arena *arena, sp_statics *s, int n_row, const double *C);

/* X <- S X for m vectors. */
void sp_statics_solve(sp_statics *s, int m, double *X);

/* The n lowest eigenvectors of K x = lambda M x in X (p x n_unknown, p > n of them used, whose
 * content is where it begins), M-orthonormal; lambda: p.  Subspace iteration until n eigenvalues
 * stand still to tol; how many rounds, 0: they did not. */
int sp_statics_modes(sp_arena *arena, sp_statics *s, int n, int p, double tol, double *X,
                     double *lambda);

double sp_dot(size_t n, const double *a, const double *b);
void sp_add_scaled(size_t n, double k, const double *a, double *to);

#endif
