/* solvers/fc_interior_parts.h - what a step of the interior points is made of.   theory (29.1),
 * (29.2) */
#ifndef SP_SOLVERS_FC_INTERIOR_PARTS_H
#define SP_SOLVERS_FC_INTERIOR_PARTS_H

#include "solvers/fc_cone.h"
#include "solvers/fc_linear.h"

/* Places that are remembered. */
enum { SP_FC_PLACES = 8 };

/* A place on the way: x, z, p and sigma. */
typedef struct sp_fc_place {
    double *at; /* 3 n */
    double gap;
} sp_fc_place;

/* A direction of x, z and p; n numbers each. */
typedef struct sp_fc_direction {
    double *x, *z, *p;
} sp_fc_direction;

typedef struct sp_fc_interior {
    double *x, *z, *p, *r;   /* n: iterate, what G p + c lacks       */
    double *b, *u, *trial;   /* n: right-hand side, scratch          */
    sp_fc_direction d, t, s; /* step; first and second derivative of the path by log sigma */
    unsigned char *status;   /* n_contact                            */
    sp_fc_scaling *scale;    /* n_contact                            */
    double size, gap, eps, polished; /* worth of c, mean x.z, smoothing, error at the last polish */
    int ended;                       /* the end of the path was polished, last digits are missing */
    int waited, jams, polishes;      /* short steps in a row; beginnings; trials of Newton      */
    double fell;                     /* sigma where it was last halved off the path             */
    int slow;                        /* steps since then                                        */
    double highest;                  /* sigma where it began, twice                             */
    double deepest;                  /* least sigma so far                                      */
    int since;                       /* iterations since it was halved                          */

    /* along the path */
    sp_fc_place last, place[SP_FC_PLACES]; /* the last one on it; where steps were long           */
    int n_place, follows, onto;            /* 1 along it; steps onto it, 0 once there             */
    int sign;                              /* of the determinant                                  */
    double reach, jam, least;              /* see REACH; sigma where steps became short, and where
                                            * it turned first                                     */
    double mark;                    /* least sigma of the turn that others are held against */
    int turns, look, falls, closed; /* turns so far, the one that is the next mark; sigma
                                     * falls; it came back to where it was                 */
    sp_fc_linear linear;
} sp_fc_interior;

/* Rows of a cone: those of the contact, 0 for a row that nothing bounds. */
static inline int sp_fc_cone_rows(const sp_fc_island *l, int i)
{
    return l->set[i].kind == SP_SET_FREE ? 0 : l->row[i + 1] - l->row[i];
}

/* x_0 = scale p_N. */
static inline double sp_fc_first_scale(const sp_fc_island *l, int i)
{
    return l->row[i + 1] - l->row[i] > 1 ? l->set[i].mu : 1.0;
}

/* sqrt(|z_T|^2 + eps^2). */
static inline double sp_fc_slip(int dim, const double *z, double eps)
{
    const double slip2 = dim == 3 ? z[1] * z[1] + z[2] * z[2] : dim == 2 ? z[1] * z[1] : 0.0;
    return sqrt(slip2 + eps * eps);
}

/* r = G p + c - u(z). */
void sp_fc_interior_defect(const sp_fc_island *l, sp_fc_interior *w);

/* Factor G + U H D + eta; 0 if it is singular. */
int sp_fc_interior_factor(const sp_fc_island *l, sp_fc_goal *g, sp_fc_interior *w);

/* b = sigma x^-1 - z, corrected if `second`. */
void sp_fc_interior_aim(const sp_fc_island *l, sp_fc_interior *w, double sigma, int second);

/* b and r with which the direction is the derivative of the path by log sigma.   theory (32.1) */
void sp_fc_interior_first(const sp_fc_island *l, sp_fc_interior *w);

/* The same for the second, d being the first.   theory (32.4) */
void sp_fc_interior_second(const sp_fc_island *l, sp_fc_interior *w);

/* The direction d of the right-hand side in b and r. */
void sp_fc_interior_direction(const sp_fc_island *l, sp_fc_interior *w);

/* How far to go along d, 1 at most. */
double sp_fc_interior_reach(const sp_fc_island *l, const sp_fc_interior *w);

/* Mean of x.z over the cones after a step. */
double sp_fc_interior_gap(const sp_fc_island *l, const sp_fc_interior *w, double step);

/* Go a step of this length along d; returns it. */
double sp_fc_interior_go(const sp_fc_island *l, sp_fc_interior *w, double step);

/* Remember where the iterate is, if sigma has fallen enough since the last time. */
void sp_fc_interior_remember(const sp_fc_island *l, sp_fc_interior *w);

/* Go back to the last place remembered, to follow the path from there; 0 if there is none. */
int sp_fc_interior_go_back(const sp_fc_island *l, sp_fc_interior *w);

/* A step to the path and along it: where the determinant is negative sigma grows.  Returns its
 * length, 0 if there was none.   theory (32.3) */
double sp_fc_interior_follow(const sp_fc_island *l, sp_fc_goal *g, sp_fc_interior *w);

#endif
