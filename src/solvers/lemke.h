/* solvers/lemke.h - complementary pivoting: w = A z + q, 0 <= w perp z >= 0, with bilateral rows.
 *
 * The dictionary  basic = T nonbasic + beta  starts with basic = (w, xi_F), nonbasic = (z, z0,
 * P_F). Variables are numbered: w_k = k, z_k = m + k, z0 = 2 m, then the n_free forces P_F, then
 * the n_free velocities xi_F, which are zero. */
#ifndef SP_SOLVERS_LEMKE_H
#define SP_SOLVERS_LEMKE_H

#include <stddef.h>

typedef struct sp_lemke {
    int m, n_free; /* complementary pairs, bilateral rows                          */
    int ld;        /* m + 1 + n_free columns: z, z0, P_F                           */
    double *T;     /* (m + n_free) x ld, row-major; the caller fills z and P_F in  */
    double *beta;  /* m + n_free: q, c_F                                           */
    int *basic;    /* m + n_free: variable of each row                             */
    int *nonbasic; /* ld: variable of each column                                  */
    int *where;    /* variable -> row, or -1 - column                              */
    int entering;  /* column that found no pivot, if a ray was met                 */
    int pivots;    /* exchanges so far                                             */
} sp_lemke;

typedef enum { SP_LEMKE_SOLVED, SP_LEMKE_RAY, SP_LEMKE_LIMIT } sp_lemke_end;

/* Bytes for dictionaries with m + n_free <= size. */
size_t sp_lemke_bytes(int size);

/* Point into memory, zero T and beta, number the variables, z0 with covering vector 1. */
void sp_lemke_start(sp_lemke *l, int m, int n_free, void *memory);

/* Exchange xi_F with P_F as far as the rank goes; pivots below tol count as zero. */
void sp_lemke_eliminate_free(sp_lemke *l, double tol);

/* Lemke's method with the lexicographic rule, which cannot cycle.  T and beta should be of order
 * one; pivots below tol count as zero. */
sp_lemke_end sp_lemke_solve(sp_lemke *l, double tol, int pivots_max);

/* Value of a variable, and its rate along the ray that was met. */
double sp_lemke_value(const sp_lemke *l, int variable);
double sp_lemke_ray(const sp_lemke *l, int variable);

#endif
