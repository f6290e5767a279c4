/* solvers/fc_interior_parts.h - what a step of the interior points is made of.   theory (29.1),
 * (29.2) */
#ifndef SP_SOLVERS_FC_INTERIOR_PARTS_H
#define SP_SOLVERS_FC_INTERIOR_PARTS_H

#include "solvers/fc_cone.h"
#include "solvers/fc_linear.h"

/* A place on the way: x, z, p and sigma. */
typedef struct sp_fc_place {
    double *at; /* 3 n */
    double gap;
} sp_fc_place;

typedef struct sp_fc_interior {
    double *x, *z, *p, *r;           /* n: iterate, what G p + c lacks       */
    double *dx, *dz, *dp, *b;        /* n: direction, right-hand side        */
    double *tx, *tz, *tp;            /* n: tangent of the path by log sigma  */
    double *u, *trial;               /* n                                    */
    sp_fc_scaling *scale;            /* n_contact                            */
    double size, gap, eps, polished; /* worth of c, mean x.z, smoothing, error at the last polish */
    sp_fc_place last, before;        /* where steps were long                */
    int follows, calm, turned;       /* along the path: 1; steps onto it; past a turning point */
    int waited, jams, polishes;      /* short steps in a row; beginnings; trials of Newton      */
    double reach;                    /* along the path: see REACH             */
    int sense, sign;                 /* of the determinant: where it was left, and now         */
    double jam, least;               /* sigma where steps became short, before the turn        */
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

/* dp, dx, dz of the right-hand side in b. */
void sp_fc_interior_direction(const sp_fc_island *l, sp_fc_interior *w);

/* How far to go along dx and dz, 1 at most. */
double sp_fc_interior_reach(const sp_fc_island *l, const sp_fc_interior *w);

/* Mean of x.z over the cones after a step. */
double sp_fc_interior_gap(const sp_fc_island *l, const sp_fc_interior *w, double step);

#endif
