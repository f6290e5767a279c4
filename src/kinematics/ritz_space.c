/* kinematics/ritz_space.c - the kind of elastic bodies in space: beams by Ritz functions of the
 * rotation vector of their sections.  theory (72.13)-(72.19) */
#include "model/ritz.h"

#include "kinematics/kind.h"
#include "kinematics/two.h"

#include <math.h>
#include <string.h>

enum { DIM = 3, AXES = 3, FRAME = 6, NODES = SP_RITZ_NODES };

/* A section. */
typedef struct turned {
    sp_vec3 theta;
    double c_1, c_2, d_1, d_2;
    sp_rot3 R;
    sp_vec3 spin[AXES], w, bias; /* spin per unit of each rate, at the rates, for e'' = 0 */
} turned;

/* What the rotation vectors at the nodes add to places: f = R e_x - e_x - theta x e_x, its
 * derivatives by theta, its second derivative by time for e'' = 0; and the sections there. */
typedef struct bent {
    double f[DIM][NODES], by[AXES][DIM][NODES], bias[DIM][NODES];
    double rate[AXES][NODES]; /* of the rotation vectors */
    turned at[NODES];
    double e[SP_RITZ_MOST];
} bent;

static inline int axis_of(const sp_ritz *form, int k)
{
    return sp_ritz_about((sp_ritz_part)form->part[k]);
}

static const sp_vec3 e_of[AXES] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};

/* ---- rotation vectors -------------------------------------------------------------------------
 */

/* c_1 = (1 - cos x)/x^2, c_2 = (x - sin x)/x^3, d = c'/x: by series below x = 1.  theory (72.13) */
static void fill_coefficients(turned *t)
{
    const double s = sp_inner3(t->theta, t->theta), x = sqrt(s);
    if (s < 1.0) {
        double term = 0.5; /* (-s)^k/(2 k + 2)! */
        t->c_1 = t->c_2 = t->d_1 = t->d_2 = 0.0;
        for (int k = 0; k < 10; k++) {
            const double next = -term / ((2.0 * k + 3.0) * (2.0 * k + 4.0));
            t->c_1 += term;
            t->c_2 += term / (2.0 * k + 3.0);
            t->d_1 += (2.0 * k + 2.0) * next;
            t->d_2 += (2.0 * k + 2.0) * next / (2.0 * k + 5.0);
            term = s * next;
        }
        return;
    }
    t->c_1 = (1.0 - cos(x)) / s;
    t->c_2 = (x - sin(x)) / (s * x);
    t->d_1 = (sin(x) / x - 2.0 * t->c_1) / s;
    t->d_2 = (t->c_1 - 3.0 * t->c_2) / s;
}

/* a + p theta x a + q theta x (theta x a) */
static inline sp_vec3 turn_by(const turned *t, sp_vec3 a, double p, double q)
{
    const sp_vec3 once = sp_cross3(t->theta, a);
    return sp_axpy3(sp_axpy3(a, p, once), q, sp_cross3(t->theta, once));
}

static turned turn(const double theta[AXES], const double rate[AXES])
{
    turned t = {.theta = sp_vec3_of(theta)};
    const sp_vec3 r = sp_vec3_of(rate), none = {0.0, 0.0, 0.0};
    fill_coefficients(&t);
    const double s = sp_inner3(t.theta, t.theta), along = sp_inner3(t.theta, r);
    const double sine = 1.0 - s * t.c_2; /* sin x/x */
    sp_vec3 *const column[] = {&t.R.x, &t.R.y, &t.R.z};
    t.w = none;
    for (int a = 0; a < AXES; a++) {
        *column[a] = turn_by(&t, e_of[a], sine, t.c_1);
        t.spin[a] = turn_by(&t, e_of[a], t.c_1, t.c_2);
        t.w = sp_axpy3(t.w, rate[a], t.spin[a]);
    }
    const sp_vec3 once = sp_cross3(t.theta, r);
    t.bias = sp_scale3(along * t.d_1, once);
    t.bias = sp_axpy3(t.bias, along * t.d_2, sp_cross3(t.theta, once));
    t.bias = sp_axpy3(t.bias, t.c_2, sp_cross3(r, once));
    return t;
}

/* ---- lines that bend --------------------------------------------------------------------------
 */

static void put(double to[DIM][NODES], int h, sp_vec3 v)
{
    to[0][h] = v.x;
    to[1][h] = v.y;
    to[2][h] = v.z;
}

static void fill_nodes(const sp_ritz *form, const double *e, const double *u, bent *b)
{
    const sp_vec3 e_x = e_of[0], none = {0.0, 0.0, 0.0};
    for (int h = 0; h < form->n_node; h++) {
        const double *angle = form->node_angle + h;
        double theta[AXES] = {0.0}, rate[AXES] = {0.0};
        for (int k = 0; k < form->n_turn; k++, angle += form->nodes) {
            theta[axis_of(form, k)] += *angle * e[k];
            rate[axis_of(form, k)] += u ? *angle * u[k] : 0.0;
        }
        const turned t = b->at[h] = turn(theta, rate);
        put(b->rate, h, sp_vec3_of(rate));
        const sp_vec3 once = sp_cross3(t.theta, e_x);
        const double s = sp_inner3(t.theta, t.theta);
        put(b->f, h, sp_axpy3(sp_scale3(-s * t.c_2, once), t.c_1, sp_cross3(t.theta, once)));
        for (int a = 0; a < AXES; a++) {
            put(b->by[a], h, sp_sub3(sp_cross3(t.spin[a], t.R.x), sp_cross3(e_of[a], e_x)));
        }
        put(b->bias, h, sp_add3(sp_cross3(t.bias, t.R.x), sp_spin_twice3(t.w, t.R.x)));
    }
    for (int h = form->n_node; h < form->nodes; h++) {
        put(b->f, h, none);
        put(b->bias, h, none);
        put(b->rate, h, none);
        for (int a = 0; a < AXES; a++) {
            put(b->by[a], h, none);
        }
    }
}

static void bend(const sp_ritz *form, const double *e, bent *b)
{
    fill_nodes(form, e, NULL, b);
    memcpy(b->e, e, (size_t)form->n_turn * sizeof *e);
}

static void bend_rates(const sp_ritz *form, const double *u, bent *b)
{
    fill_nodes(form, b->e, u, b);
}

/* ---- sections ---------------------------------------------------------------------------------
 */

static inline sp_vec3 times(const double k[3], sp_vec3 a)
{
    return (sp_vec3){k[0] * a.x, k[1] * a.y, k[2] * a.z};
}

/* Spin in the axes of the section per unit of the rate about axis a. */
static inline sp_vec3 own_spin(const turned *t, int a)
{
    return turn_by(t, e_of[a], -t->c_1, t->c_2);
}

/* What the functions have at node h, of rows over the nodes. */
static void at_node(const sp_ritz *form, const double *rows, int h, double *to)
{
    for (int k = 0; k < form->n_turn; k++) {
        to[k] = rows[k * form->nodes + h];
    }
}

/* Inertia of the sections at node h, with what it is without angles taken away: about the axis.
 * theory (72.17) */
static void add_section(const sp_ritz *form, int h, const turned *t, double *M)
{
    const double twist[3] = {form->spin[0], 0.0, 0.0};
    const int all = FRAME + form->n;
    double angle[SP_RITZ_MOST], own[AXES][AXES], cross[AXES][3];
    at_node(form, form->node_angle, h, angle);
    for (int a = 0; a < AXES; a++) {
        const sp_vec3 frame = sp_rotate3(t->R, times(twist, sp_rotate_back3(t->R, e_of[a])));
        const sp_vec3 L = times(twist, own_spin(t, a)), l = sp_rotate3(t->R, L);
        const double w = form->node_weight[h];
        memcpy(cross[a], (double[3]){w * l.x, w * l.y, w * l.z}, sizeof cross[a]);
        for (int c = 0; c < AXES; c++) {
            own[a][c] = w * (sp_inner3(L, own_spin(t, c)) - (a == c ? twist[a] : 0.0));
            M[(3 + a) * all + 3 + c] += w * sp_inner3(frame, e_of[c]);
        }
    }
    for (int k = 0; k < form->n_turn; k++) {
        const int a = axis_of(form, k);
        double *row = M + (size_t)(FRAME + k) * (size_t)all;
        for (int c = 0; c < 3; c++) {
            row[3 + c] += angle[k] * cross[a][c];
        }
        for (int j = 0; j <= k; j++) {
            row[FRAME + j] += angle[k] * angle[j] * own[a][axis_of(form, j)];
        }
    }
}

static void add_sections(const sp_ritz *form, const bent *b, double *M)
{
    const int all = FRAME + form->n;
    for (int a = form->n_node == 0 ? 0 : 1; a < AXES; a++) { /* straight; across: (97.8) */
        M[(3 + a) * all + 3 + a] += form->spin[a] * form->beam.length;
    }
    for (int k = 0; k < form->n_turn; k++) {
        const int a = axis_of(form, k);
        M[(FRAME + k) * all + 3 + a] += a > 0 ? form->spin_mean[k] : 0.0;
    }
    for (int h = 0; h < form->n_node; h++) {
        add_section(form, h, &b->at[h], M);
    }
    for (int k = 0; k < form->n_turn; k++) {
        for (int j = 0; j <= k; j++) {
            M[(FRAME + k) * all + FRAME + j] += form->spin_mass[k * form->n_turn + j];
        }
    }
}

/* Curvatures in the axes of the section, and their derivatives by the rotation vector about each
 * axis.   theory (72.18) */
static sp_vec3 curvature(const turned *t, sp_vec3 slope, sp_vec3 by[AXES])
{
    const sp_vec3 once = sp_cross3(t->theta, slope), twice = sp_cross3(t->theta, once);
    const double *theta = (const double[3]){t->theta.x, t->theta.y, t->theta.z};
    for (int a = 0; a < AXES && by; a++) {
        const sp_vec3 turned_slope = sp_cross3(e_of[a], slope);
        const sp_vec3 mixed = sp_add3(sp_cross3(e_of[a], once), sp_cross3(t->theta, turned_slope));
        by[a] = sp_scale3(-theta[a] * t->d_1, once);
        by[a] = sp_axpy3(by[a], theta[a] * t->d_2, twice);
        by[a] = sp_axpy3(by[a], -t->c_1, turned_slope);
        by[a] = sp_axpy3(by[a], t->c_2, mixed);
    }
    return sp_axpy3(sp_axpy3(slope, -t->c_1, once), t->c_2, twice);
}

static sp_vec3 slope_at(const sp_ritz *form, int h, const double *e)
{
    double slope[AXES] = {0.0};
    for (int k = 0; k < form->n_turn; k++) {
        slope[axis_of(form, k)] += form->node_curve[k * form->nodes + h] * e[k];
    }
    return sp_vec3_of(slope);
}

/* Inertia of the sections at node h, and what the strain energy has beyond the square of e. */
static void push_section(const sp_ritz *form, int h, const turned *t, const double *e,
                         sp_vec3 omega, double *out)
{
    const double twist[3] = {form->spin[0], 0.0, 0.0};
    const double w = form->node_weight[h];
    double angle[SP_RITZ_MOST], curve[SP_RITZ_MOST];
    at_node(form, form->node_angle, h, angle);
    at_node(form, form->node_curve, h, curve);
    const sp_vec3 spin = sp_rotate_back3(t->R, sp_add3(omega, t->w));
    const sp_vec3 alpha = sp_rotate_back3(t->R, sp_add3(sp_cross3(omega, t->w), t->bias));
    const sp_vec3 m = sp_add3(times(twist, alpha), sp_cross3(spin, times(twist, spin)));
    const sp_vec3 moment = sp_rotate3(t->R, m), slope = slope_at(form, h, e);
    out[3] -= w * moment.x;
    out[4] -= w * moment.y;
    out[5] -= w * moment.z;
    sp_vec3 by[AXES];
    const sp_vec3 bending = times(form->rigid, curvature(t, slope, by));
    const sp_vec3 flat = times(form->rigid, slope);
    double by_angle[AXES], by_curve[AXES];
    for (int a = 0; a < AXES; a++) {
        by_angle[a] = w * (sp_inner3(own_spin(t, a), m) + sp_inner3(by[a], bending));
        by_curve[a] = w * (sp_inner3(own_spin(t, a), bending) - sp_inner3(e_of[a], flat));
    }
    for (int k = 0; k < form->n_turn; k++) {
        const int a = axis_of(form, k);
        out[FRAME + k] -= angle[k] * by_angle[a] + curve[k] * by_curve[a];
    }
}

/* Sections: against the turning of their momentum with the frame about which axes, those of the
 * straight beam or those across it, and node by node.   theory (72.17), (97.8) */
static void push_sections(const sp_ritz *form, const bent *b, const double *e, const double *u,
                          sp_vec3 omega, double *h)
{
    const double straight = form->n_node == 0 ? form->spin[0] : 0.0;
    const double j[3] = {straight, form->spin[1], form->spin[2]};
    sp_vec3 L = sp_scale3(form->beam.length, times(j, omega));
    for (int k = 0; k < form->n_turn; k++) {
        const int a = axis_of(form, k);
        L = sp_axpy3(L, a > 0 ? form->spin_mean[k] * u[k] : 0.0, e_of[a]);
    }
    const sp_vec3 m = sp_cross3(L, omega);
    h[3] += m.x;
    h[4] += m.y;
    h[5] += m.z;
    for (int i = 0; i < form->n_node; i++) {
        push_section(form, i, &b->at[i], e, omega, h);
    }
}

/* The rate of the rotation vector about the axis at node h. */
static double twist_rate(const sp_ritz *form, int h, const double *u)
{
    double rate = 0.0;
    for (int k = 0; k < form->n_turn; k++) {
        rate += axis_of(form, k) == 0 ? form->node_angle[k * form->nodes + h] * u[k] : 0.0;
    }
    return rate;
}

/* Momentum of the sections at the spin omega of the frame, and of what small twist has beyond their
 * sum over the nodes.   theory (72.17), (97.8) */
static void spin_sections(const sp_ritz *form, const bent *b, const double *e, const double *u,
                          sp_vec3 omega, sp_momentum *out)
{
    const double twist[3] = {form->spin[0], 0.0, 0.0};
    const double j[3] = {form->n_node == 0 ? form->spin[0] : 0.0, form->spin[1], form->spin[2]};
    const sp_vec3 L = sp_scale3(form->beam.length, times(j, omega));
    double own_2 = 0.0; /* u^T J_0 u less what the nodes have of it */
    (void)e;
    out->L = sp_add3(out->L, L);
    out->kinetic += 0.5 * sp_inner3(L, omega);
    for (int k = 0; k < form->n_turn; k++) {
        const int a = axis_of(form, k);
        const double mean = a > 0 ? form->spin_mean[k] * u[k] : 0.0;
        const double power = mean * sp_inner3(e_of[a], omega);
        out->L = sp_axpy3(out->L, mean, e_of[a]);
        out->kinetic += power;
        out->own += power;
        for (int i = 0; i < form->n_turn; i++) {
            own_2 += u[k] * u[i] * form->spin_mass[k * form->n_turn + i];
        }
    }
    for (int h = 0; h < form->n_node; h++) {
        const turned *t = &b->at[h];
        const double w = form->node_weight[h];
        const sp_vec3 rate = sp_rotate_back3(t->R, t->w);
        const sp_vec3 spin = sp_add3(sp_rotate_back3(t->R, omega), rate);
        const sp_vec3 momentum_h = times(twist, spin);
        out->L = sp_axpy3(out->L, w, sp_rotate3(t->R, momentum_h));
        out->own += w * sp_inner3(rate, momentum_h);
        out->kinetic += 0.5 * w * sp_inner3(spin, momentum_h);
        own_2 -= w * twist[0] * twist_rate(form, h, u) * twist_rate(form, h, u);
    }
    out->own += own_2;
    out->kinetic += 0.5 * own_2;
}

/* What curvatures store beyond the square of e.   theory (72.18) */
static double coupled_energy(const sp_ritz *form, const double *e)
{
    double U = 0.0;
    bent b;
    bend(form, e, &b);
    for (int h = 0; h < form->n_node; h++) {
        const sp_vec3 slope = slope_at(form, h, e), kappa = curvature(&b.at[h], slope, NULL);
        U += 0.5 * form->node_weight[h] *
             (sp_inner3(kappa, times(form->rigid, kappa)) -
              sp_inner3(slope, times(form->rigid, slope)));
    }
    return U;
}

#include "kinematics/ritz.inc"

/* ---- material -------------------------------------------------------------------------------- */

/* Acceleration of an arm on a section of the spin w that changes by alpha. */
static sp_vec3 swing(sp_vec3 w, sp_vec3 alpha, sp_vec3 arm)
{
    return sp_add3(sp_cross3(alpha, arm), sp_spin_twice3(w, arm));
}

/* The velocity gradient at an arm on the section of the axis point p, whose rotation vector has the
 * derivative slope by x: sections as they go in time, and in time and along the beam at once. */
static void strain_rate(const sp_ritz *form, double row[][SP_RITZ_ROW], const axis_point *by_x,
                        const turned *along, const double slope[AXES], const double *u,
                        const sp_vec3 arm, sp_vec3 rate[3])
{
    const int n = form->n;
    double now[AXES], by[AXES], both[2][AXES];
    sp_vec3 w_x = {0.0, 0.0, 0.0};
    sum_angles(form, row[0] + n, u, now);
    sum_angles(form, row[1] + n, u, by);
    for (int a = 0; a < AXES; a++) {
        both[0][a] = now[a] + slope[a];
        both[1][a] = now[a] - slope[a];
        w_x = sp_axpy3(w_x, by[a], along->spin[a]);
    }
    const double *theta = (const double[3]){along->theta.x, along->theta.y, along->theta.z};
    const turned in_time = turn(theta, now), sum = turn(theta, both[0]),
                 less = turn(theta, both[1]);
    const sp_vec3 twice = sp_sub3(swing(sum.w, sum.bias, arm), swing(less.w, less.bias, arm));
    rate[0] = sp_axpy3(sp_cross3(w_x, arm), 0.25, twice);
    rate[1] = sp_cross3(in_time.w, along->R.y);
    rate[2] = sp_cross3(in_time.w, along->R.z);
    for (int k = 0; k < n; k++) {
        rate[0] = sp_axpy3(rate[0], u[k], sp_vec3_of(by_x->p[k]));
    }
}

/* Sections go along the beam by x as they go in time: derivatives of rotation vectors move them as
 * rates do.   theory (72.13), (98.6) */
static void strain(const void *of, void *memo, const double *at, const double *e, const double *u,
                   sp_strained *out)
{
    enum { ROWS = SP_RITZ_SLOPES };
    const sp_ritz *form = of;
    const int n = form->n;
    const double x[ROWS] = {at[0], 1.0, 0.0};
    double row[ROWS][SP_RITZ_ROW], theta[ROWS][AXES];
    bent own_b;
    axis_point p[ROWS];
    const bent *b = bent_at(form, memo, e, NULL, &own_b);
    sp_ritz_rows(form, at[0], row);
    for (int d = 0; d < ROWS; d++) {
        look_at_axis(form, b, x[d], row[d], e, &p[d]);
        sum_angles(form, row[d] + n, e, theta[d]);
    }
    const turned t = turn(theta[0], theta[1]);
    const sp_vec3 arm = sp_rotate3(t.R, (sp_vec3){0.0, at[1], at[2]});
    sp_vec3 k_x = t.bias;
    for (int a = 0; a < AXES; a++) {
        k_x = sp_axpy3(k_x, theta[2][a], t.spin[a]);
    }
    *out = (sp_strained){.at = sp_add3(sp_vec3_of(p[0].at), arm),
                         .by = {sp_add3(sp_vec3_of(p[1].at), sp_cross3(t.w, arm)), t.R.y, t.R.z}};
    out->bend[0] = sp_add3(sp_vec3_of(p[2].at), swing(t.w, k_x, arm));
    out->bend[3] = sp_cross3(t.w, t.R.y);
    out->bend[4] = sp_cross3(t.w, t.R.z);
    if (u) {
        strain_rate(form, row, &p[1], &t, theta[1], u, arm, out->rate);
    }
}

static void section(const void *of, const double *at, const double *e, double out[SP_SECTION])
{
    const sp_ritz_forces f = sp_ritz_section(of, at[0], e);
    const double all[SP_SECTION] = {f.axial,
                                    hypot(f.shear[0], f.shear[1]),
                                    hypot(f.moment[0], f.moment[1]),
                                    f.stress,
                                    f.torque,
                                    f.shear[0],
                                    f.shear[1],
                                    f.moment[0],
                                    f.moment[1]};
    memcpy(out, all, sizeof all);
}

const struct sp_body_kind sp_ritz_space_kind = {.name = "elastic",
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
                                                .axis = axis,
                                                .strain = strain};
