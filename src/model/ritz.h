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
    SP_RITZ_GIVEN = 42,               /* polynomials of given functions */
    SP_RITZ_NODES = SP_RITZ_MOST + 8, /* nodes of a line that bends    */
    SP_RITZ_STATIC = 8,               /* places with a function of their load */
    SP_RITZ_LANES = 4,                /* rows of numbers are padded with zeros to such blocks */
    SP_RITZ_ROW = 2 * SP_RITZ_MOST + SP_RITZ_NODES
};

/* Functions on 0 <= xi <= 1 with the stiffness of their derivative number `order` (1: stretch, 2:
 * bending) that meet some conditions.   theory (72.7)-(72.9) */
typedef struct sp_ritz_want {
    int order, n; /* how many functions                              */
    bool modes;   /* those of the lowest frequencies; else all polynomials of the lowest degrees */
    double shear, rotary; /* of bending: EI/(k G A L^2), I/(A L^2); 0: no shear   theory (97.6) */
    int n_end;
    sp_ritz_end end[SP_RITZ_ENDS];
    const double *given; /* n x SP_RITZ_GIVEN coefficients: the span of these; NULL: no           */
    int n_static;        /* the last functions are what modes leave of loads at these places */
    double at[SP_RITZ_STATIC];
} sp_ritz_want;

/* How many coefficients they have. */
int sp_ritz_size(const sp_ritz_want *want);

/* coef: n x n_coef coefficients of Legendre's polynomials of 2 xi - 1, zero behind the size of the
 * functions; their mean square is 1.  turn: likewise the angles of sections with shear (their
 * derivatives without), whose share `rotary` of the mean square is in the 1; may be NULL.  lambda:
 * n, the squares of their frequencies for unit mass and stiffness, rising.  False: no memory. */
bool sp_ritz_functions(sp_arena *scratch, const sp_ritz_want *want, int n_coef, double *coef,
                       double *turn, double *lambda);

/* A function by its values and second derivatives by xi at Gauss' nodes and by its value and
 * derivative at xi = 0: coefficients (SP_RITZ_GIVEN).  Its curvature is the polynomial nearest to
 * the given one.   theory (97.14) */
enum { SP_RITZ_SAMPLES = 80 };
void sp_ritz_given(double at_0, double slope_0, const double *curvature, double *coef);

/* How far n such functions are from depending on each other, and from motions without bending: the
 * smallest eigenvalues of their products and of those of their curvatures, relative to the largest.
 */
bool sp_ritz_judge(sp_arena *scratch, int n, const double *given, double *apart, double *bends);

/* P_0 ... P_(n-1) at 2 xi - 1; of such numbers, or of their derivatives, the next derivative by xi,
 * in place; derivative by xi of a sum of them, in place. */
void sp_legendre(int n, double xi, double *P);
void sp_legendre_slopes(int n, double *P);
void sp_legendre_derive(int n, double *coef);

/* Mean over the beam of a product of two such sums. */
double sp_legendre_mean(int n, const double *a, const double *b);

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

/* What a function does, in the order of the coordinates: it bends the beam along y (turning
 * sections about z), along z (about -y; in space), twists it (in space), stretches it. */
typedef enum sp_ritz_part {
    SP_RITZ_Y,
    SP_RITZ_Z,
    SP_RITZ_TWIST,
    SP_RITZ_STRETCH,
    SP_RITZ_PARTS
} sp_ritz_part;

enum { SP_BEAM_MASSES = 16 };

/* What a beam is made of. */
typedef struct sp_beam {
    double length, area;                  /* m, m^2                                         */
    double inertia[3];                    /* m^4: of torsion, about y, about z              */
    double polar;                         /* m^4: of the mass about the axis                */
    double edge[2];                       /* m: from the axis to the edge along y, z        */
    double young, shear_modulus, density; /* N/m^2, N/m^2, kg/m^3                           */
    double shear; /* coefficient of shear, its area over the section's; 0: no shear         */
    const double *given; /* bending functions by expressions, as in sp_ritz_want; NULL: none */
    int n_mass; /* point masses on it: place, m, and kg                                   */
    double mass[SP_BEAM_MASSES][2];
    int n_static; /* places whose loads have functions, m, beside the others in all parts */
    double at[SP_RITZ_STATIC];
    bool round;             /* edge[0] in all directions                      */
    int n[SP_RITZ_PARTS];   /* functions                                      */
    sp_beam_end end[2][2];  /* of bending along y, z: at x = 0, at the end    */
    sp_ritz_frame frame[2]; /* likewise                                       */
    bool modes;
    double damping; /* ratio of each function                                            */
    double from;    /* place of the joint on the beam, m                                 */
} sp_beam;

/* An elastic body.  Its coordinates e: bending along y, along z, torsion, stretch.  Functions are
 * sums of n_coef Legendre polynomials on the beam; lines that bend are integrals over n_node Gauss
 * nodes.   theory (72.1)-(72.6), (72.13)-(72.19) */
typedef struct sp_ritz {
    sp_beam beam;
    int n, n_turn; /* all; those that turn sections stand first     */
    int n_coef, n_node, n_point;
    const unsigned char *part;   /* n: sp_ritz_part                               */
    const double *value, *slope; /* n x n_coef: way along x, y or z, derivative   */
    const double *angle, *curve; /* likewise: angle about z, y or x, derivative   */
    const double *reach;         /* n_node x (n_node + 1): sums that are a_h(x)                   */
    int nodes;                   /* length of rows of the two below and of a_h: n_node, padded    */
    const double *node_angle;    /* n_turn x nodes: angle there per unit of e                     */
    const double *node_curve;    /* likewise: its derivative; space                               */
    const double *node_weight;   /* n_node: lengths of the beam that they stand for, m           */
    const double *one, *x;       /* n_point: points of the mass, scaled with its roots ...        */
    int stride;                  /* length of rows of these and the two below, padded             */
    const double *shape;         /* n x stride                                                    */
    const double *reach_at;      /* n_node x stride                                               */
    const int *first_node;       /* of each block of points: nodes below move nothing there       */
    double mass, line;           /* kg: all, and without point masses */
    double spin[3];              /* kg m: inertia of sections about their x, y, z, per length     */
    const double
        *spin_mass; /* n_turn x n_turn: of sections over the own velocities, small angles */
    const double *spin_mean; /* n_turn: ... over the spin of the frame                        */
    double rigid[3];         /* N m^2: stiffness against the curvatures about x, y, z         */
    const double *stiffness, *damping, *omega; /* n: N/m, N s/m, rad/s                         */
} sp_ritz;

/* Where a part moves the axis (0: x, ...; -1: nowhere), and about which axis it turns sections. */
static inline int sp_ritz_along(sp_ritz_part part)
{
    static const int along[SP_RITZ_PARTS] = {1, 2, -1, 0};
    return along[part];
}

static inline int sp_ritz_about(sp_ritz_part part)
{
    static const int about[SP_RITZ_PARTS] = {2, 1, 0, -1};
    return about[part];
}

/* The form of a beam in an arena; NULL: no memory. */
const sp_ritz *sp_ritz_of_beam(sp_arena *arena, sp_arena *scratch, const sp_beam *beam);

/* Rigid motions that the ends of bending along y (0), z (1) leave: 0, 1, 2. */
int sp_beam_loose(const sp_beam *beam, int side);

/* What a place x needs: functions (n), angles (n), a_h (nodes); how many numbers in all. */
int sp_ritz_row_size(const sp_ritz *form);

/* The place of the beam that carries what is at x: beyond an end that end. */
double sp_ritz_on(const sp_ritz *form, double x);
void sp_ritz_row(const sp_ritz *form, double x, double *row);

/* Such a row (0) and its first and second derivatives by x; beyond the ends the axis goes on with
 * their curvature.   theory (97.4) */
enum { SP_RITZ_SLOPES = 3 };
void sp_ritz_rows(const sp_ritz *form, double x, double row[SP_RITZ_SLOPES][SP_RITZ_ROW]);

/* Such a row for a place of a body, NULL for one that has no form. */
const double *sp_ritz_shape(sp_arena *arena, const sp_body *body, const double *at, bool *failed);

/* Section forces at x.   theory (72.12) */
typedef struct sp_ritz_forces {
    double axial, shear[2], torque, moment[2]; /* shear along y, z; moment about y, z         */
    double stress;                             /* the largest one along the axis, N/m^2       */
} sp_ritz_forces;

sp_ritz_forces sp_ritz_section(const sp_ritz *form, double x, const double *e);

/* Its kinds in the plane and in space (kinematics/ritz.c, ritz_space.c). */
extern const struct sp_body_kind sp_ritz_kind, sp_ritz_space_kind;

#endif
