/* solvers/chain.h - the chain of methods for one small problem without shifted sets: guess the
 * status and solve the linear system that is left; flip what is violated; Lemke on the 3n form;
 * Lemke on the 4n form; prove that there is nothing; start again elsewhere; try everything. */
#ifndef SP_SOLVERS_CHAIN_H
#define SP_SOLVERS_CHAIN_H

#include "solvers/lcp.h"
#include "solvers/problem.h"
#include "solvers/reduced.h"

/* A residual this small needs no second look. */
#define SP_SOLVE_CLEAN 1e-13

/* All scratch of one chain. */
typedef struct sp_chain {
    sp_reduced reduced;
    double *xi, *size;     /* n: G P + c, sum of its terms' absolute values        */
    double *P;             /* n: a candidate                                       */
    double *raw;           /* n: the last candidate before it was moved into sets  */
    double *alt, *alt_raw; /* n: another candidate, and before it was moved        */
    unsigned char *status; /* n_contact: of the candidate P                        */
    void *lcp_memory;
    int fits; /* sp_planar_fits */
    int lost; /* unknowns minus rank of the status that was tried last */
} sp_chain;

size_t sp_chain_bytes(int n_contact_max, int n_max);

/* Let the arrays point into memory for p. */
void sp_chain_place(sp_chain *w, const sp_problem *p, void *memory);

/* Solve p; arguments and status as sp_solve, which checked p.  SP_E_INFEASIBLE comes without words:
 * s->P is the proof. */
sp_status sp_chain_solve(const sp_problem *p, sp_solution *s, sp_chain *w, sp_error *err);

/* A solution that is good enough but not clean may be of another status than the one it was found
 * with: refine it within its own. */
void sp_chain_improve(const sp_problem *p, sp_solution *s, sp_chain *w);

#endif
