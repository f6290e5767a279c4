/* solvers/condense.h - the bilateral rows taken out of a problem first, redundant ones included.
 *
 * With F the free rows, R the rest, and G_FF^+ from a rank-revealing factor of D G_FF D,
 * D = diag(1/sqrt(G_kk)), so that rows in m and in rad count alike:
 *
 *     P_F  = -G_FF^+ (c_F + G_FR P_R)             of least norm in scaled units, xi_F = 0
 *     xi_R = (G_RR - G_RF G_FF^+ G_FR) P_R + c_R - G_RF G_FF^+ c_F               theory (5.11)
 *
 * This needs that redundant free rows are redundant to all contacts too: n'G_FF = 0 => n'G_FR = 0,
 * G_FF m = 0 => G_RF m = 0.  G = W'M^-1 W has it, also if friction of sliding contacts makes it
 * unsymmetric; it is checked.  A vector n with n'c_F != 0 then proves that there is no solution. */
#ifndef SP_SOLVERS_CONDENSE_H
#define SP_SOLVERS_CONDENSE_H

#include "solvers/problem.h"

typedef struct sp_condensed {
    sp_problem p;  /* what is left: the contacts that are not free                   */
    sp_solution s; /* of it; P and status have room, status is filled from the guess */
    const sp_problem *whole;
    int n_free, rank;
    int *free_row; /* n_free: rows of the whole                                      */
    int *contact;  /* p.n_contact: contacts of the whole                             */
    int *rest_row; /* p.n: rows of the whole                                         */
    sp_set *set;   /* p.set                                                          */
    int *row;      /* p.row                                                          */
    double *G, *c; /* p.G, p.c                                                       */
    double *X;     /* n_free x p.n: G_FF^+ G_FR                                      */
    double *g;     /* n_free: G_FF^+ c_F                                             */
    double *d;     /* n_free: diagonal of D                                          */
    double *b;     /* n, scratch; the proof                                          */
} sp_condensed;

typedef enum {
    SP_CONDENSED,           /* p is ready                                                    */
    SP_CONDENSE_COUPLED,    /* redundant free rows that contacts see: solve the whole        */
    SP_CONDENSE_CONTRADICTS /* free rows contradict each other; b holds the proof            */
} sp_condense_end;

size_t sp_condense_bytes(int n_contact, int n);

/* Take the free rows out of whole.  Pivots of the scaled G_FF below tol count as zero.  guess:
 * status of all contacts; scratch: sp_lu_bytes(n). */
sp_condense_end sp_condense(const sp_problem *whole, double tol, const unsigned char *guess,
                            sp_condensed *k, void *memory, void *scratch);

/* P and status of the whole from those of the rest. */
void sp_condense_expand(const sp_condensed *k, double *P, unsigned char *status);

/* y of the whole from the proof that the rest has no solution; 1 if it holds (it does for symmetric
 * G). */
int sp_condense_proof(const sp_condensed *k, double *y);

#endif
