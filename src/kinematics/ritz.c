/* kinematics/ritz.c - the kind of elastic bodies: beams in the plane by Ritz functions of their
 * angle.  theory (72.1)-(72.5) */
#include "model/ritz.h"

#include "kinematics/kind.h"

#include <math.h>
#include <string.h>

enum { FRAME = 6, MOST = SP_RITZ_MOST, NODES = SP_RITZ_NODES };

/* ---- lines that bend --------------------------------------------------------------------------
 */

/* Angles at the nodes: what the integrals of cos - 1 and sin - theta need of them. */
typedef struct bent {
    double c[NODES], s[NODES];   /* cos - 1, sin - theta           */
    double sine[NODES];          /* sin                            */
    double bx[NODES], by[NODES]; /* second derivatives of c and s for e'' = 0 */
} bent;

static void bend(const sp_ritz *form, const double *e, const double *u, bent *b)
{
    const double *slope = form->node_slope;
    for (int h = 0; h < form->n_node; h++, slope += form->n_bend) {
        double theta = 0.0, rate = 0.0;
        for (int k = 0; k < form->n_bend; k++) {
            theta += slope[k] * e[k];
            rate += u ? slope[k] * u[k] : 0.0;
        }
        const double sine = sin(theta), half = sin(0.5 * theta);
        b->c[h] = -2.0 * half * half;
        b->s[h] = sine - theta;
        b->sine[h] = sine;
        b->bx[h] = -(1.0 + b->c[h]) * rate * rate;
        b->by[h] = -sine * rate * rate;
    }
}

/* Some places of the axis, or points of the mass: where they are, their derivatives by e, their
 * acceleration at u for e'' = 0.   theory (72.1), (72.3) */
enum { BLOCK = 16 };
typedef struct line_points {
    int n;
    double X[BLOCK], Y[BLOCK], bx[BLOCK], by[BLOCK];
    double px[MOST][BLOCK], py[MOST][BLOCK];
} line_points;

/* Without bending: at x with the functions `value`, whose numbers are `stride` apart. */
static void look_straight(const sp_ritz *form, const double *x, const double *value, int stride,
                          const double *e, line_points *p)
{
    for (int i = 0; i < p->n; i++) {
        p->X[i] = x[i];
        p->Y[i] = p->bx[i] = p->by[i] = 0.0;
    }
    for (int k = 0; k < form->n; k++, value += stride) {
        const bool bends = k < form->n_bend;
        double *at = bends ? p->Y : p->X, *p_k = bends ? p->py[k] : p->px[k],
               *other = bends ? p->px[k] : p->py[k];
        for (int i = 0; i < p->n; i++) {
            at[i] += value[i] * e[k];
            p_k[i] = value[i];
            other[i] = 0.0;
        }
    }
}

/* With what bending adds; reaches a_h likewise. */
static void look(const sp_ritz *form, const bent *b, const double *x, const double *value,
                 const double *reach, int stride, const double *e, line_points *p)
{
    look_straight(form, x, value, stride, e, p);
    for (int h = 0; h < form->n_node; h++, reach += stride) {
        const double *slope = form->node_slope + (size_t)h * (size_t)form->n_bend;
        for (int i = 0; i < p->n; i++) {
            p->X[i] += reach[i] * b->c[h];
            p->Y[i] += reach[i] * b->s[h];
            p->bx[i] += reach[i] * b->bx[h];
            p->by[i] += reach[i] * b->by[h];
        }
        for (int k = 0; k < form->n_bend; k++) {
            const double by_x = -b->sine[h] * slope[k], by_y = b->c[h] * slope[k];
            for (int i = 0; i < p->n; i++) {
                p->px[k][i] += reach[i] * by_x;
                p->py[k][i] += reach[i] * by_y;
            }
        }
    }
}

/* The points of the mass from number g on, as many as fit. */
static void look_at_mass(const sp_ritz *form, const bent *b, int g, const double *e, line_points *p)
{
    const int left = form->n_point - g;
    p->n = left < BLOCK ? left : BLOCK;
    look(form, b, form->x + g, form->shape + g, form->reach_at + g, form->stride, e, p);
}

static double dot(int n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* ---- places -----------------------------------------------------------------------------------
 */

static void place(const void *of, const double *at, const double *shape, const double *e,
                  const double *u, sp_deformed *out)
{
    const sp_ritz *form = of;
    const int n = form->n;
    double own[SP_RITZ_ROW], theta = 0.0, spin = 0.0;
    bent b;
    line_points p;
    if (!shape) {
        sp_ritz_row(form, at[0], own);
    }
    const double *row = shape ? shape : own;
    bend(form, e, u, &b);
    p.n = 1;
    look(form, &b, at, row, row + 2 * n, 1, e, &p);
    for (int k = 0; k < n; k++) {
        const double slope = k < form->n_bend ? row[n + k] : 0.0;
        theta += slope * e[k];
        spin += slope * u[k];
        out->phi[k] = (sp_vec3){p.px[k][0], p.py[k][0], 0.0};
        out->psi[k] = (sp_vec3){0.0, 0.0, slope};
    }
    const double c = cos(theta), s = sin(theta);
    const sp_vec3 arm = {-s * at[1], c * at[1], 0.0}; /* beside the axis */
    for (int k = 0; k < n && at[1] != 0.0; k++) {
        out->phi[k] = sp_add3(out->phi[k], sp_cross3(out->psi[k], arm));
    }
    out->at = (sp_vec3){p.X[0] + arm.x, p.Y[0] + arm.y, at[2]};
    out->R = (sp_rot3){{c, s, 0.0}, {-s, c, 0.0}, {0.0, 0.0, 1.0}};
    out->bias = sp_axpy3((sp_vec3){p.bx[0], p.by[0], 0.0}, -spin * spin, arm);
    out->spin_bias = (sp_vec3){0.0, 0.0, 0.0};
}

/* ---- inertia ----------------------------------------------------------------------------------
 */

/* The share of some points in the rows of the own velocities and in the moments of the frame.
 * theory (72.4) */
static void add_points(const sp_ritz *form, const double *one, const line_points *p, double *M,
                       double moment[5])
{
    const int n = form->n, all = FRAME + n;
    moment[0] += dot(p->n, one, p->X);
    moment[1] += dot(p->n, one, p->Y);
    moment[2] += dot(p->n, p->X, p->X);
    moment[3] += dot(p->n, p->X, p->Y);
    moment[4] += dot(p->n, p->Y, p->Y);
    for (int k = 0; k < n; k++) {
        double *row = M + (size_t)(FRAME + k) * (size_t)all;
        row[0] += dot(p->n, one, p->px[k]);
        row[1] += dot(p->n, one, p->py[k]);
        row[5] += dot(p->n, p->X, p->py[k]) - dot(p->n, p->Y, p->px[k]);
        for (int j = 0; j <= k; j++) {
            row[FRAME + j] += dot(p->n, p->px[k], p->px[j]) + dot(p->n, p->py[k], p->py[j]);
        }
    }
}

static void inertia(const void *of, const double *e, double *M)
{
    const sp_ritz *form = of;
    const int all = FRAME + form->n;
    double s[5] = {0.0}; /* of x, y, xx, xy, yy */
    bent b;
    line_points p;
    bend(form, e, NULL, &b);
    memset(M, 0, (size_t)(all * all) * sizeof *M);
    for (int g = 0; g < form->n_point; g += BLOCK) {
        look_at_mass(form, &b, g, e, &p);
        add_points(form, form->one + g, &p, M, s);
    }
    const double m = form->mass;
    const double frame[FRAME][FRAME] = {
        {m, 0.0, 0.0, 0.0, 0.0, -s[1]},      {0.0, m, 0.0, 0.0, 0.0, s[0]},
        {0.0, 0.0, m, s[1], -s[0], 0.0},     {0.0, 0.0, s[1], s[4], -s[3], 0.0},
        {0.0, 0.0, -s[0], -s[3], s[2], 0.0}, {-s[1], s[0], 0.0, 0.0, 0.0, s[2] + s[4]}};
    for (int i = 0; i < FRAME; i++) {
        memcpy(M + (size_t)(i * all), frame[i], sizeof frame[i]);
    }
    for (int k = FRAME; k < all; k++) {
        for (int j = 0; j < k; j++) {
            M[j * all + k] = M[k * all + j];
        }
    }
}

/* ---- forces -----------------------------------------------------------------------------------
 */

/* Forces of inertia of some points: against their accelerations.   theory (72.5) */
static void push_points(const sp_ritz *form, const double *one, const line_points *p,
                        const double *u, sp_vec3 omega, double *h)
{
    double fx[BLOCK], fy[BLOCK], fz[BLOCK];
    for (int i = 0; i < p->n; i++) {
        sp_vec3 slip = {0.0, 0.0, 0.0};
        for (int k = 0; k < form->n; k++) {
            slip.x += p->px[k][i] * u[k];
            slip.y += p->py[k][i] * u[k];
        }
        const sp_vec3 turn = sp_add3(sp_spin_twice3(omega, (sp_vec3){p->X[i], p->Y[i], 0.0}),
                                     sp_scale3(2.0, sp_cross3(omega, slip)));
        fx[i] = -turn.x - p->bx[i];
        fy[i] = -turn.y - p->by[i];
        fz[i] = -turn.z;
    }
    h[0] += dot(p->n, one, fx);
    h[1] += dot(p->n, one, fy);
    h[2] += dot(p->n, one, fz);
    h[3] += dot(p->n, p->Y, fz);
    h[4] -= dot(p->n, p->X, fz);
    h[5] += dot(p->n, p->X, fy) - dot(p->n, p->Y, fx);
    for (int k = 0; k < form->n; k++) {
        h[FRAME + k] += dot(p->n, p->px[k], fx) + dot(p->n, p->py[k], fy);
    }
}

static void forces(const void *of, const double *e, const double *u, sp_vec3 omega, double *h,
                   double *d)
{
    const sp_ritz *form = of;
    bent b;
    line_points p;
    bend(form, e, u, &b);
    for (int g = 0; g < form->n_point; g += BLOCK) {
        look_at_mass(form, &b, g, e, &p);
        push_points(form, form->one + g, &p, u, omega, h);
    }
    for (int k = 0; k < form->n; k++) { /* theory (72.10) */
        h[FRAME + k] -= form->stiffness[k] * e[k];
        d[FRAME + k] -= form->damping[k] * u[k];
    }
}

static double energy(const void *of, const double *e)
{
    const sp_ritz *form = of;
    double U = 0.0;
    for (int k = 0; k < form->n; k++) {
        U += 0.5 * form->stiffness[k] * e[k] * e[k];
    }
    return U;
}

static void section(const void *of, const double *at, const double *e, double out[4])
{
    sp_ritz_section(of, at[0], e, out);
}

const struct sp_body_kind sp_ritz_kind = {"elastic", place, inertia, forces, energy, section, NULL};
