/* kinematics/ritz.c - the kind of elastic bodies in the plane: beams by Ritz functions of their
 * angle.  theory (72.1)-(72.5) */
#include "model/ritz.h"

#include "kinematics/kind.h"
#include "kinematics/two.h"

#include <math.h>
#include <string.h>

enum { DIM = 2, AXES = 1, FRAME = 6, NODES = SP_RITZ_NODES };

/* What the angles at the nodes add to places: f = (cos - 1, sin - theta), its derivative by the
 * angle, its second derivative by time for e'' = 0. */
typedef struct bent {
    double f[DIM][NODES], by[AXES][DIM][NODES], bias[DIM][NODES];
    double rate[AXES][NODES]; /* of the angles */
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

/* sin x - x by its series below 1/2, where this loses no digits. */
#define SERIES 0.5

static two small_sine(two x)
{
    static const double odd[] = {1.0 / 210.0, 1.0 / 156.0, 1.0 / 110.0, 1.0 / 72.0,
                                 1.0 / 42.0,  1.0 / 20.0,  1.0 / 6.0};
    const two s = two_mul(two_mul(x, x), two_of(-1.0));
    two d = two_of(0.0);
    UNROLL
    for (int k = 0; k < 7; k++) { /* d = s odd (1 + d) */
        const two next = two_mul(s, two_of(odd[k]));
        d = two_axpy(next, next, d);
    }
    return two_mul(x, d);
}

/* f at the angles theta: cos - 1 and sin - theta, which are small differences.  |cos| is known by
 * the sine. */
static void fill_turns(const sp_ritz *form, const double *theta, bent *b)
{
    bool small = true;
    for (int h = 0; h < form->n_node; h++) {
        small = small && fabs(theta[h]) < SERIES;
    }
    for (int h = 0; h < form->nodes && small; h += 2) {
        two_put(small_sine(two_at(theta + h)), b->f[1] + h);
    }
    for (int h = 0; h < form->nodes; h++) {
        const double s = small ? theta[h] + b->f[1][h] : 0.0;
        b->f[0][h] = -s * s / (1.0 + sqrt(1.0 - s * s));
    }
    for (int h = 0; h < form->nodes && !small; h++) {
        b->f[0][h] = cos(theta[h]) - 1.0;
        b->f[1][h] = sin(theta[h]) - theta[h];
    }
}

/* Sums of the angles at the nodes. */
static void add_angles(const sp_ritz *form, const double *e, double *theta)
{
    for (int h = 0; h < form->nodes; h += 2) {
        const double *angle = form->node_angle + h;
        two sum = two_of(0.0);
        for (int k = 0; k < form->n_turn; k++, angle += form->nodes) {
            sum = two_axpy(sum, two_at(angle), two_of(e[k]));
        }
        two_put(sum, theta + h);
    }
}

static void bend(const sp_ritz *form, const double *e, bent *b)
{
    double theta[NODES];
    add_angles(form, e, theta);
    fill_turns(form, theta, b);
    memcpy(b->by[0][1], b->f[0], (size_t)form->nodes * sizeof(double));
    for (int h = 0; h < form->nodes; h += 2) {
        const two sine = two_add(two_at(theta + h), two_at(b->f[1] + h));
        two_put(two_mul(sine, two_of(-1.0)), b->by[0][0] + h);
    }
}

static void bend_rates(const sp_ritz *form, const double *u, bent *b)
{
    add_angles(form, u, b->rate[0]);
    for (int h = 0; h < form->nodes; h += 2) {
        const two r = two_at(b->rate[0] + h), square = two_mul(r, r);
        const two less = two_mul(square, two_of(-1.0));
        two_put(two_axpy(less, less, two_at(b->f[0] + h)), b->bias[0] + h);
        two_put(two_mul(two_at(b->by[0][0] + h), square), b->bias[1] + h);
    }
}

static turned turn(const double theta[AXES], const double rate[AXES])
{
    const bool small = fabs(theta[0]) < SERIES;
    const double s = small ? theta[0] + 0.5 * two_sum(small_sine(two_of(theta[0]))) : sin(theta[0]);
    const double c = small ? sqrt(1.0 - s * s) : cos(theta[0]);
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

/* Their momentum at the spin omega of the frame.   theory (72.17) */
static void spin_sections(const sp_ritz *form, const bent *b, const double *e, const double *u,
                          sp_vec3 omega, sp_momentum *out)
{
    (void)b, (void)e;
    double L = form->spin[2] * form->beam.length * omega.z, own = 0.0, mixed = 0.0;
    for (int k = 0; k < form->n_turn && form->spin[2] > 0.0; k++) {
        mixed += form->spin_mean[k] * u[k];
        for (int j = 0; j < form->n_turn; j++) {
            own += u[k] * u[j] * form->spin_mass[k * form->n_turn + j];
        }
    }
    out->L.z += L + mixed;
    out->own += own + mixed * omega.z;
    out->kinetic += 0.5 * (own + omega.z * (L + 2.0 * mixed));
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
    const double all[SP_SECTION] = {f.axial, f.shear[0], f.moment[1], f.stress};
    memcpy(out, all, sizeof all);
}

const struct sp_body_kind sp_ritz_kind = {.name = "elastic",
                                          .memo = sizeof(memory),
                                          .place = place,
                                          .inertia = inertia,
                                          .forces = forces,
                                          .damps = damps,
                                          .momentum = momentum,
                                          .energy = energy,
                                          .slide = slide,
                                          .section = section,
                                          .stiffness = stiffness,
                                          .axis = axis};
