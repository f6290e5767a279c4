/* kinematics/ritz.c - the kind of elastic bodies in the plane: beams by Ritz functions of their
 * angle.  theory (72.1)-(72.5) */
#include "model/ritz.h"

#include "kinematics/kind.h"

#include <math.h>
#include <string.h>

enum { DIM = 2, AXES = 1, FRAME = 6, NODES = SP_RITZ_NODES };

/* What the angles at the nodes add to places: f = (cos - 1, sin - theta), its derivative by the
 * angle, its second derivative by time for e'' = 0. */
typedef struct bent {
    double f[DIM][NODES], by[AXES][DIM][NODES], bias[DIM][NODES];
} bent;

/* A section. */
typedef struct turned {
    sp_rot3 R;
    sp_vec3 spin[AXES], w, bias; /* spin per unit of the rate, at the rates, for e'' = 0 */
} turned;

static inline int axis_of(const sp_ritz *form, int k)
{
    (void)form;
    (void)k;
    return 0;
}

/* cos x - 1 and sin x - x by their series below 1/2, where these lose no digits. */
static void small_turn(double x, double *cosine, double *sine)
{
    static const double even[] = {1.0 / 240.0, 1.0 / 182.0, 1.0 / 132.0, 1.0 / 90.0,
                                  1.0 / 56.0,  1.0 / 30.0,  1.0 / 12.0,  1.0 / 2.0};
    static const double odd[] = {1.0 / 272.0, 1.0 / 210.0, 1.0 / 156.0, 1.0 / 110.0,
                                 1.0 / 72.0,  1.0 / 42.0,  1.0 / 20.0,  1.0 / 6.0};
    const double s = -x * x;
    double c = 0.0, d = 0.0;
    for (int k = 0; k < 8; k++) {
        c = s * even[k] * (1.0 + c);
        d = s * odd[k] * (1.0 + d);
    }
    *cosine = c;
    *sine = x * d;
}

static void bend(const sp_ritz *form, const double *e, const double *u, bent *b)
{
    const double *angle = form->node_angle;
    for (int h = 0; h < form->n_node; h++, angle += form->n_turn) {
        double theta = 0.0, rate = 0.0;
        for (int k = 0; k < form->n_turn; k++) {
            theta += angle[k] * e[k];
            rate += u ? angle[k] * u[k] : 0.0;
        }
        double c, less;
        if (fabs(theta) < 0.5) {
            small_turn(theta, &c, &less);
        } else {
            c = cos(theta) - 1.0;
            less = sin(theta) - theta;
        }
        const double sine = theta + less;
        b->f[0][h] = c;
        b->f[1][h] = less;
        b->by[0][0][h] = -sine;
        b->by[0][1][h] = c;
        b->bias[0][h] = -(1.0 + c) * rate * rate;
        b->bias[1][h] = -sine * rate * rate;
    }
}

static turned turn(const double theta[AXES], const double rate[AXES])
{
    const double c = cos(theta[0]), s = sin(theta[0]);
    return (turned){.R = {{c, s, 0.0}, {-s, c, 0.0}, {0.0, 0.0, 1.0}},
                    .spin = {{0.0, 0.0, 1.0}},
                    .w = {0.0, 0.0, rate[0]}};
}

/* Inertia of sections about z: of a sum of rates, which no angle changes.   theory (72.17) */
static void add_sections(const sp_ritz *form, const bent *b, double *M)
{
    const int all = FRAME + form->n;
    (void)b;
    M[5 * all + 5] += form->spin[2] * form->beam.length;
    for (int k = 0; k < form->n_turn && form->spin[2] > 0.0; k++) {
        double *row = M + (size_t)(FRAME + k) * (size_t)all;
        row[5] += form->spin_mean[k];
        for (int j = 0; j <= k; j++) {
            row[FRAME + j] += form->spin_mass[k * form->n_turn + j];
        }
    }
}

static void push_sections(const sp_ritz *form, const bent *b, const double *e, const double *u,
                          sp_vec3 omega, double *h)
{
    (void)form, (void)b, (void)e, (void)u, (void)omega, (void)h; /* none: theory (72.17) */
}

static double coupled_energy(const sp_ritz *form, const double *e)
{
    (void)form, (void)e;
    return 0.0;
}

#include "kinematics/ritz.inc"

static void section(const void *of, const double *at, const double *e, double out[SP_SECTION])
{
    const sp_ritz_forces f = sp_ritz_section(of, at[0], e);
    const double all[SP_SECTION] = {f.axial, f.shear[0], f.moment[1], 0.0, f.stress};
    memcpy(out, all, sizeof all);
}

const struct sp_body_kind sp_ritz_kind = {"elastic", place,   inertia,   forces, energy,
                                          slide,     section, stiffness, axis};
