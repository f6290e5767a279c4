/* solvers/fc_island.h - one island of coupled contacts, scaled, and how good an iterate of it is.
 *
 * With d_i = 1 / sqrt(largest diagonal entry of G_ii): P_i = d_i p_i, G_ij <- d_i G_ij d_j,
 * c_i <- d_i c_i, so that p, c and xi are roots of energies whatever the units and masses are. */
#ifndef SP_SOLVERS_FC_ISLAND_H
#define SP_SOLVERS_FC_ISLAND_H

#include "solvers/fc.h"
#include "solvers/fc_stack.h"

#include <math.h>

/* Velocities are not known better than this part of their terms: percussions so large that c drowns
 * in their rounding solve nothing. */
#define SP_FC_ROUNDING 0x1p-53

/* Numbers of the largest block of two contacts with up to three rows each.  Sets of laws/ball.h may
 * have more; they are met by the sweeps and by fc_natural.c only. */
enum { SP_FC_BLOCK = 9 };

typedef struct sp_fc_island {
    int n_contact, n, n_block;
    const int *contact;         /* n_contact: numbers in the whole problem                     */
    sp_set *set;                /* n_contact, limits and shifts scaled                         */
    int *row;                   /* n_contact + 1                                               */
    double *c;                  /* n                                                           */
    int *start, *column, *diag; /* block rows as in sp_fc_matrix; diag: block (i, i)           */
    int *at;                    /* n_block + 1                                                 */
    double *G, *d;              /* blocks; n_contact: scales                                   */
    double *stick;              /* SP_FC_BLOCK per contact: inverse of G_ii (dim x dim)        */
    double worth;               /* what c of the whole problem is worth, see sp_fc_scales      */
    double xi_scale;            /* size of the terms of c, in units                            */
    int threes;                 /* 1: all contacts have three rows                             */
} sp_fc_island;

/* What is asked of an island, and what it has cost. */
typedef struct sp_fc_goal {
    sp_fc_measure measure;
    double tol;      /* of the measure                                               */
    double enough;   /* where methods come no nearer with their usual effort         */
    double c_norm;   /* FCLIB: an error counts over this                             */
    double effort;   /* limits of iterations times this                              */
    double deadline; /* in seconds of sp_fc_clock, 0: none                           */
    long sweeps, steps, factorisations;
} sp_fc_goal;

/* What is asked of n of n_all contacts: their share of FCLIB's sum, so that the whole is below tol;
 * g is what is asked of all. */
static inline sp_fc_goal sp_fc_share(sp_fc_goal g, int n, int n_all)
{
    if (g.measure == SP_FC_FCLIB) {
        g.tol *= n == n_all ? 0.9 : 0.9 * sqrt((double)n / (double)n_all);
    }
    return g;
}

/* The larger of a and b; b does not count if it is not a number. */
static inline double sp_fc_larger(double a, double b)
{
    return b > a ? b : a;
}

/* Wall clock in seconds. */
double sp_fc_clock(void);

/* 1 if the goal's time is over. */
int sp_fc_late(const sp_fc_goal *g);

/* Islands of p: order holds the contacts island by island (first[k] .. first[k+1]-1), local the
 * place of each contact in its island.  Arrays of n_contact, first of n_contact + 1; parent is
 * scratch.  Returns the number of islands. */
int sp_fc_islands(const sp_fc_matrix *G, int n_contact, int *parent, int *order, int *first,
                  int *local);

/* Extract the island of these contacts; memory from the stack.  0: out of memory. */
int sp_fc_island_take(const sp_fc *p, int n_contact, const int *contact, const int *local,
                      double worth, sp_fc_stack *stack, sp_fc_island *l);

/* u = G p + c. */
void sp_fc_island_velocity(const sp_fc_island *l, const double *p, double *u);

/* The measure of p with u = G p + c; NaN if a number is not finite. */
double sp_fc_island_error(const sp_fc_island *l, const sp_fc_goal *g, const double *p,
                          const double *u);

/* One contact, scaled: the largest of |p - prox(p - u)|; and the square of
 * |P - prox_K(P - xi~)| in the problem's own units, d (p - prox(p - u~ / d^2)). */
double sp_fc_natural_defect(const sp_set *s, int dim, const double *p, const double *u);
double sp_fc_unit_defect2(const sp_set *s, int dim, double d, const double *p, const double *u);

/* Both: u from p, then the measure. */
double sp_fc_island_judge(const sp_fc_island *l, const sp_fc_goal *g, const double *p, double *u);

/* p (with this error) or the trial (n, is moved into the sets), whichever is better, into p; its
 * error.  What is not a number never is better.  u: n, scratch. */
double sp_fc_island_keep(const sp_fc_island *l, const sp_fc_goal *g, double *trial, double *u,
                         double error, double *p);

/* Move p into the sets. */
void sp_fc_island_project(const sp_fc_island *l, double *p);

/* What a contact does: the piece of the natural map that p - u is on. */
unsigned char sp_fc_contact_status(const sp_set *s, const double *p, const double *u);

/* 1 if a set of the island is one of laws/ball.h. */
int sp_fc_any_ball(const sp_fc_island *l);

/* dim x dim matrix A (row-major) <- its inverse; 0 if singular (then A is left as it was). */
int sp_fc_invert(int dim, double *A);

#endif
