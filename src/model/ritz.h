/* model/ritz.h - elastic bodies by Ritz functions: what their kind (kinematics/ritz.c) knows of
 * them.  theory section 72 */
#ifndef SP_MODEL_RITZ_H
#define SP_MODEL_RITZ_H

#include "base/arena.h"
#include "model/bodies.h"

#include <stdbool.h>

/* ---- functions of one variable ----------------------------------------------------------------
 */

typedef enum sp_beam_end { SP_END_FREE, SP_END_CLAMPED, SP_END_PINNED, SP_END_GUIDED } sp_beam_end;

/* A condition: derivative number `order` is zero at xi, 0 <= xi <= 1. */
typedef struct sp_ritz_end {
    int order;
    double xi;
} sp_ritz_end;

enum {
    SP_RITZ_ENDS = 4,
    SP_RITZ_MOST = 100,               /* functions of a body           */
    SP_RITZ_NODES = SP_RITZ_MOST + 8, /* nodes of a line that bends    */
    SP_RITZ_ROW = 2 * SP_RITZ_MOST + SP_RITZ_NODES
};

/* Functions on 0 <= xi <= 1 with the stiffness of their derivative number `order` (1: stretch, 2:
 * bending) that meet some conditions.   theory (72.7)-(72.9) */
typedef struct sp_ritz_want {
    int order, n; /* how many functions                              */
    bool modes;   /* those of the lowest frequencies; else all polynomials of the lowest degrees */
    int n_end;
    sp_ritz_end end[SP_RITZ_ENDS];
} sp_ritz_want;

/* How many coefficients they have. */
int sp_ritz_size(const sp_ritz_want *want);

/* coef: n x n_coef coefficients of Legendre's polynomials of 2 xi - 1, zero behind the size of the
 * functions; their mean square is 1.  lambda: n, the squares of their frequencies for unit mass and
 * stiffness, rising.  False: no memory. */
bool sp_ritz_functions(sp_arena *scratch, const sp_ritz_want *want, int n_coef, double *coef,
                       double *lambda);

/* P_0 ... P_(n-1) at 2 xi - 1; derivative by xi of such a sum, in place. */
void sp_legendre(int n, double xi, double *P);
void sp_legendre_derive(int n, double *coef);

/* Nodes and weights of Gauss' formula on [0, 1]. */
void sp_gauss_legendre(int n, double *xi, double *weight);

/* ---- beams ------------------------------------------------------------------------------------
 */

typedef enum sp_ritz_frame {
    SP_RITZ_TANGENT,
    SP_RITZ_CHORD,
    SP_RITZ_MEAN,
    SP_RITZ_HELD /* by the ends */
} sp_ritz_frame;

/* What a beam is made of. */
typedef struct sp_beam {
    double length, area, inertia, edge; /* m, m^2, m^4, m: from the axis to the edge        */
    double young, density;              /* N/m^2, kg/m^3                                    */
    int n_bend, n_stretch;
    sp_beam_end end[2];
    sp_ritz_frame frame;
    bool modes;
    double damping; /* ratio of each function                                            */
    double from;    /* place of the joint on the beam, m                                 */
} sp_beam;

/* An elastic body.  Its coordinates e: bending, then stretch.  Functions are sums of n_coef
 * Legendre polynomials on the beam; lines that bend are integrals over n_node Gauss nodes. theory
 * (72.1)-(72.6) */
typedef struct sp_ritz {
    sp_beam beam;
    int n, n_bend, n_coef, n_node, n_point;
    const double *value, *slope, *curve; /* n x n_coef: functions, derivatives by x            */
    const double *reach;      /* n_node x (n_node + 1): sums that are a_h(x)                   */
    const double *node_slope; /* n_node x n_bend: angle there per unit of e                    */
    const double *one, *x;    /* n_point: points of the mass, scaled with its roots ...        */
    int stride;               /* length of rows of the two below, n_point used                 */
    const double *shape;      /* n x n_point                                                   */
    const double *reach_at;   /* n_node x n_point                                              */
    double mass;              /* kg                                                            */
    const double *stiffness, *damping, *omega; /* n: N/m, N s/m, rad/s                         */
} sp_ritz;

/* The form of a beam in an arena; NULL: no memory. */
const sp_ritz *sp_ritz_of_beam(sp_arena *arena, sp_arena *scratch, const sp_beam *beam);

/* Rigid motions of bending that the ends leave: 0, 1, 2. */
int sp_beam_loose(const sp_beam *beam);

/* What a place x needs: functions (n), slopes (n), a_h (n_node); how many numbers in all. */
int sp_ritz_row_size(const sp_ritz *form);
void sp_ritz_row(const sp_ritz *form, double x, double *row);

/* Such a row for a place of a body, NULL for one that has no form. */
const double *sp_ritz_shape(sp_arena *arena, const sp_body *body, const double *at, bool *failed);

/* axial, shear, moment, stress at x.   theory (72.12) */
void sp_ritz_section(const sp_ritz *form, double x, const double *e, double section[4]);

/* Its kind (kinematics/ritz.c). */
extern const struct sp_body_kind sp_ritz_kind;

#endif
