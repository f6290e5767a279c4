/* contact/multiplier_parts.h - what the files of contact/multiplier.h share. */
#ifndef SP_CONTACT_MULTIPLIER_PARTS_H
#define SP_CONTACT_MULTIPLIER_PARTS_H

#include "contact/multiplier.h"
#include "contact/multiplier_apart.h"

#include <math.h>

/* Weight of a row that holds, of 1/G_rr: a correction leaves 1/(1 + weight lambda) of what a row is
 * off by, lambda an eigenvalue of G with unit diagonal, and 1e-16 weight of round-off.
 * theory (76.4) */
#define SP_MULTIPLIER_WEIGHT 1e7

/* A law is broken by more than this part of the scale of its row. */
#define SP_MULTIPLIER_WRONG 1e-11

/* dP = e - C W^T dx of a contact, the side to which it slips, and the state that it goes to. */
typedef struct sp_multiplier_block {
    int n; /* rows, 0: P is what it is */
    double C[3][3], e[3];
    double along;
    unsigned char to;
} sp_multiplier_block;

static inline bool sp_multiplier_free(const sp_set *s)
{
    return s->kind == SP_SET_FREE ||
           (s->kind == SP_SET_INTERVAL && s->lo == -INFINITY && s->hi == INFINITY);
}

static inline bool sp_multiplier_friction(const sp_set *s)
{
    return s->kind == SP_SET_PLANAR || s->kind == SP_SET_DISC;
}

static inline int sp_multiplier_n(const sp_con *con, int a)
{
    return con->row[a + 1] - con->row[a];
}

/* The block of contact a in its state.   theory (76.2) */
void sp_multiplier_fill(const sp_con *con, int a, const sp_solution *x, sp_multiplier *s);

/* xi = c + W^T A^-1 W P */
void sp_multiplier_velocities(const sp_multiplier_ask *ask, const sp_con *con, const double *P,
                              sp_multiplier *s);

/* Fill all blocks, and factor A_rho; false: it has no factor. */
bool sp_multiplier_factor(const sp_multiplier_ask *ask, const sp_con *con, const sp_solution *x,
                          sp_multiplier *s);

/* The same for the blocks as they are. */
bool sp_multiplier_factor_blocks(const sp_multiplier_ask *ask, const sp_con *con, sp_multiplier *s);

/* dP = e - C W^T dx with A_rho dx = W e, into s->dP, and W^T dx, into s->v.   theory (76.3) */
void sp_multiplier_step(const sp_con *con, sp_multiplier *s);

/* xi = c + W^T A^-1 W P */
void sp_multiplier_velocities(const sp_multiplier_ask *ask, const sp_con *con, const double *P,
                              sp_multiplier *s);

/* How Newton's method is tried. */
typedef struct sp_multiplier_plan {
    int steps;     /* at most                                   */
    bool told;     /* the first one in the states of x          */
    double weight; /* of rows that hold, of 1/G_rr              */
} sp_multiplier_plan;

/* Newton's method on the natural map from x->P; what the laws are broken by in the end.   theory
 * (76.9) */
double sp_multiplier_newton(const sp_multiplier_ask *ask, const sp_con *con,
                            const sp_multiplier_plan *plan, sp_multiplier *s, sp_solution *x);

/* How far P is from the natural map at xi, the largest part.   theory (76.9) */
double sp_multiplier_defect(const sp_con *con, const sp_multiplier *s, const sp_solution *x);

/* Problems with discs: Newton's method from the last solution, else behind interior points. */
bool sp_multiplier_discs(const sp_multiplier_ask *ask, const sp_con *con, sp_multiplier *s,
                         sp_solution *x);

/* States to begin with, where there is no history; P that a state knows, the rest zero. */
void sp_multiplier_begin(const sp_con *con, const double *c, sp_solution *x);
void sp_multiplier_impose(const sp_con *con, sp_multiplier *s, sp_solution *x);

/* The largest part by which a law is broken; contacts without friction slip to the side that they
 * go to; wrong contacts change their state, how many do. */
double sp_multiplier_violation(const sp_con *con, const sp_multiplier *s, const sp_solution *x);
void sp_multiplier_name(const sp_con *con, const sp_multiplier *s, sp_solution *x);
int sp_multiplier_change(const sp_con *con, sp_multiplier *s, sp_solution *x);

/* States of the problem whose rows give way by 1/weight, by Newton's method along which a minimum
 * is searched, from the solution for the states at hand, or again, with the forces that it found;
 * how many factors that took, SP_NONE: there is one that does not exist.
 * theory (76.5), (76.8) */
int sp_multiplier_search(const sp_multiplier_ask *ask, const sp_con *con, bool again,
                         sp_multiplier *s, sp_solution *x);

#endif
