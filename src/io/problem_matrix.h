/* io/problem_matrix.h - what there is to know about the matrix of a contact problem before anybody
 * solves it. */
#ifndef SP_IO_PROBLEM_MATRIX_H
#define SP_IO_PROBLEM_MATRIX_H

#include "solvers/fc.h"

#include <stdbool.h>

typedef struct sp_matrix_facts {
    double asymmetry; /* |G - G'| / |G|, Frobenius                                               */
    int rank;         /* of (G + G') / 2 at 1e-8 of its largest diagonal entry, -1: not counted  */
    int n_island;     /* parts that do not couple                                                */
    double lowest;    /* lowest pivot met, in units of the largest diagonal entry                */
    bool indefinite;  /* clearly: a negative diagonal entry, minor or pivot                      */
    char why[160];    /* "row 4 (contact 1): diagonal entry -2", if indefinite                   */
} sp_matrix_facts;

/* Find out about p->G.  The rank is counted by Cholesky factorisations with pivoting, island by
 * island, as long as that takes less than `flops` multiplications (1e9: about a second). */
sp_status sp_problem_inspect(const sp_fc *p, double flops, sp_matrix_facts *facts, sp_error *err);

#endif
