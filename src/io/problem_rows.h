/* io/problem_rows.h - a contact problem in the terms of FCLIB, which knows contacts with friction
 * of one dimension (two or three rows each) and bilateral rows with a symmetric coupling.
 *
 *     set of the problem                in the file
 *     half line, planar, disc           a contact; rows it lacks couple to nothing
 *     moved by s                        the same for P - s, with c + G s
 *     [m - w, m + w]                    row T of a contact with mu = 1 whose normal force is w
 *     [s, inf), (-inf, s]               contact without friction for P - s, s - P
 *     free                              bilateral row; if G is unsymmetric there: two contacts that
 *                                       push against each other, P = P_1 - P_2 */
#ifndef SP_IO_PROBLEM_ROWS_H
#define SP_IO_PROBLEM_ROWS_H

#include "io/problem_file.h"

typedef struct sp_problem_rows {
    const sp_fc *p;
    int dim, n_contact, n_free; /* as in the file; rows of contacts first                         */
    int *place, *twin;        /* rows of p: row in the file; second one that stands for it or -1 */
    int *source;              /* rows of the file: row of p, -1: none                           */
    double *sign;             /* rows of the file: 1 or -1, xi = sign xi of the source           */
    double *diagonal, *fixed; /* rows of the file without source: W_kk and r_k, q_k = -W_kk r_k  */
    double *mu;               /* n_contact                                                      */
    double *shift;            /* rows of p: P of the file is that of p less this                */
} sp_problem_rows;

/* Find all of it for a problem with blocks; memory from the arena.  SP_E_INPUT: a set that has no
 * counterpart there. */
sp_status sp_problem_rows_find(const sp_fc *p, sp_arena *arena, sp_problem_rows *w, sp_error *err);

/* Rows of the file. */
int sp_problem_rows_count(const sp_problem_rows *w);

/* All entries of the matrix at their places in the file. */
sp_status sp_problem_rows_entries(const sp_problem_rows *w, sp_arena *arena, sp_entries *e,
                                  sp_error *err);

/* q, r and u in the rows of the file; P (rows of p) is a solution.  NULL: no memory. */
double *sp_problem_rows_q(const sp_problem_rows *w, sp_arena *arena);
double *sp_problem_rows_r(const sp_problem_rows *w, const double *P, sp_arena *arena);
double *sp_problem_rows_u(const sp_problem_rows *w, const double *P, sp_arena *arena);

#endif
