#include "model/surface.h"

#include <math.h>

/* r and its five derivatives, as they are called: r, r_u, r_v, r_uu, r_uv, r_vv. */
enum { R, R_U, R_V, R_UU, R_UV, R_VV, N_DERIVATIVE };

size_t sp_surface_work(const sp_surface *s)
{
    size_t most = s->curve ? sp_curve_work(s->curve) : 0;
    for (int k = 0; k < 3 && s->kind == SP_SURFACE_FORMULA; k++) {
        const size_t n = sp_program_work(s->program[k], 2);
        most = n > most ? n : most;
    }
    return most;
}

/* ---- the kinds, in their own frames ---------------------------------------------------------- */

static void eval_plane(double u, double v, sp_vec3 *d)
{
    d[R] = (sp_vec3){u, v, 0.0};
    d[R_U] = (sp_vec3){1.0, 0.0, 0.0};
    d[R_V] = (sp_vec3){0.0, 1.0, 0.0};
    d[R_UU] = d[R_UV] = d[R_VV] = (sp_vec3){0.0, 0.0, 0.0};
}

/* (rho(v) cos u, rho(v) sin u, z(v)) from the derivatives of rho and z. */
static void eval_round(double u, const double rho[3], const double z[3], sp_vec3 *d)
{
    const double c = cos(u), s = sin(u);
    d[R] = (sp_vec3){rho[0] * c, rho[0] * s, z[0]};
    d[R_U] = (sp_vec3){-rho[0] * s, rho[0] * c, 0.0};
    d[R_V] = (sp_vec3){rho[1] * c, rho[1] * s, z[1]};
    d[R_UU] = (sp_vec3){-rho[0] * c, -rho[0] * s, 0.0};
    d[R_UV] = (sp_vec3){-rho[1] * s, rho[1] * c, 0.0};
    d[R_VV] = (sp_vec3){rho[2] * c, rho[2] * s, z[2]};
}

/* A unit sphere, stretched; in chart 1 its pole is along x. */
static void eval_ellipsoid(const sp_surface *s, const sp_surface_at *at, sp_vec3 *d)
{
    const double c = cos(at->v), n = sin(at->v);
    const double rho[3] = {c, -n, -c}, z[3] = {n, c, -n};
    eval_round(at->u, rho, z, d);
    for (int k = 0; k < N_DERIVATIVE; k++) {
        if (at->chart == 1) {
            d[k] = (sp_vec3){d[k].z, d[k].x, d[k].y};
        }
        d[k] = (sp_vec3){s->size[0] * d[k].x, s->size[1] * d[k].y, s->size[2] * d[k].z};
    }
}

/* At a pole, z as a function of x and y through w = rho(x, y): with z' = dz/dw, z'' = d2z/dw2 along
 * the profile,
 *
 *     z_x = z' x/w,   z_xx = z'' (x/w)^2 + z'/w (y/w)^2,   z_xy = (z'' - z'/w) x y/w^2     (20.4)
 *
 * and z'/w -> z'' where w -> 0. */
static bool eval_pole(const sp_surface *s, const sp_surface_at *at, double *work, sp_vec3 *d)
{
    const sp_curve *c = s->curve;
    const double w = hypot(at->u, at->v);
    double param = at->chart < 0 ? c->lo : c->hi;
    sp_curve_at p;
    for (int k = 0; k < 30; k++) { /* rho(param) = w by Newton, from the pole */
        if (!sp_curve_eval(c, param, work, &p)) {
            return false;
        }
        const double step = (w - p.r.x) / p.d.x;
        param += step;
        if (!(fabs(step) > 1e-15 * (c->hi - c->lo))) {
            break;
        }
    }
    if (!sp_curve_eval(c, param, work, &p)) {
        return false;
    }
    const double slope = p.d.y / p.d.x;
    const double bend = (p.dd.y - slope * p.dd.x) / (p.d.x * p.d.x);
    const bool tip = w <= 1e-8 * c->size; /* below, z'/w has lost its digits */
    const double x = tip ? 0.0 : at->u / w, y = tip ? 0.0 : at->v / w;
    const double ratio = tip ? bend : slope / w;
    d[R] = (sp_vec3){at->u, at->v, p.r.y};
    d[R_U] = (sp_vec3){1.0, 0.0, tip ? bend * at->u : slope * x};
    d[R_V] = (sp_vec3){0.0, 1.0, tip ? bend * at->v : slope * y};
    d[R_UU] = (sp_vec3){0.0, 0.0, tip ? bend : bend * x * x + ratio * y * y};
    d[R_UV] = (sp_vec3){0.0, 0.0, tip ? 0.0 : (bend - ratio) * x * y};
    d[R_VV] = (sp_vec3){0.0, 0.0, tip ? bend : bend * y * y + ratio * x * x};
    return true;
}

static bool eval_revolved(const sp_surface *s, const sp_surface_at *at, double *work, sp_vec3 *d)
{
    sp_curve_at p;
    if (at->chart != 0) {
        return eval_pole(s, at, work, d);
    }
    if (!sp_curve_eval(s->curve, at->v, work, &p)) {
        return false;
    }
    eval_round(at->u, (double[3]){p.r.x, p.d.x, p.dd.x}, (double[3]){p.r.y, p.d.y, p.dd.y}, d);
    return true;
}

static bool eval_extruded(const sp_surface *s, const sp_surface_at *at, double *work, sp_vec3 *d)
{
    sp_curve_at p;
    if (!sp_curve_eval(s->curve, at->u, work, &p)) {
        return false;
    }
    d[R] = (sp_vec3){p.r.x, p.r.y, at->v};
    d[R_U] = (sp_vec3){p.d.x, p.d.y, 0.0};
    d[R_V] = (sp_vec3){0.0, 0.0, 1.0};
    d[R_UU] = (sp_vec3){p.dd.x, p.dd.y, 0.0};
    d[R_UV] = d[R_VV] = (sp_vec3){0.0, 0.0, 0.0};
    return true;
}

/* One coordinate by a program of u, v or both. */
static void eval_program(const sp_program *p, bool v_first, const sp_surface_at *at, double *work,
                         double f[N_DERIVATIVE])
{
    const int n = sp_program_n_input(p);
    const double in[2] = {v_first ? at->v : at->u, v_first ? at->u : at->v};
    double grad[2] = {0.0, 0.0}, hess[3] = {0.0, 0.0, 0.0};
    f[R] = sp_program_hess(p, in, grad, hess, work);
    f[R_U] = f[R_V] = f[R_UU] = f[R_VV] = 0.0;
    for (int k = 0; k < n; k++) {
        const bool v = (k == 0) == v_first;
        f[v ? R_V : R_U] = grad[k];
        f[v ? R_VV : R_UU] = hess[k == 0 ? 0 : 2];
    }
    f[R_UV] = n == 2 ? hess[1] : 0.0;
}

static void eval_formula(const sp_surface *s, const sp_surface_at *at, double *work, sp_vec3 *d)
{
    double f[3][N_DERIVATIVE];
    for (int i = 0; i < 3; i++) {
        eval_program(s->program[i], s->v_first[i], at, work, f[i]);
    }
    for (int k = 0; k < N_DERIVATIVE; k++) {
        d[k] = (sp_vec3){f[0][k], f[1][k], f[2][k]};
    }
}

/* All derivatives in the own frame. */
static bool eval_own(const sp_surface *s, const sp_surface_at *at, double *work, sp_vec3 *d)
{
    switch (s->kind) {
    case SP_SURFACE_PLANE:
        eval_plane(at->u, at->v, d);
        return true;
    case SP_SURFACE_ELLIPSOID:
        eval_ellipsoid(s, at, d);
        return true;
    case SP_SURFACE_CYLINDER:
    case SP_SURFACE_CONE: {
        const double rise = (s->size[1] - s->size[0]) / (s->hi[1] - s->lo[1]);
        const double slope = s->kind == SP_SURFACE_CONE ? rise : 0.0;
        const double radius = s->size[0] + slope * (at->v - s->lo[1]);
        eval_round(at->u, (double[3]){radius, slope, 0.0}, (double[3]){at->v, 1.0, 0.0}, d);
        return true;
    }
    case SP_SURFACE_TORUS: {
        const double x = s->size[1] * cos(at->v), y = s->size[1] * sin(at->v);
        eval_round(at->u, (double[3]){s->size[0] + x, -y, -x}, (double[3]){y, x, -y}, d);
        return true;
    }
    case SP_SURFACE_REVOLVED:
        return eval_revolved(s, at, work, d);
    case SP_SURFACE_EXTRUDED:
        return eval_extruded(s, at, work, d);
    case SP_SURFACE_FORMULA:
        eval_formula(s, at, work, d);
        return true;
    case SP_SURFACE_FACE:
        if (s->bent) {
            s->bent(s->now, s->face, at->u, at->v, d);
        } else {
            sp_face_at_rest(s->face, at->u, at->v, d);
        }
        return true;
    default:
        sp_surface_eval_grid(&s->grid, at->u, at->v, d);
        return true;
    }
}

/* ---- what follows for all -------------------------------------------------------------------- */

/* At the upper pole x, y of the own frame see the surface from outside, at the lower one inside. */
static double chart_sign(const sp_surface *s, const sp_surface_at *at)
{
    return s->kind == SP_SURFACE_REVOLVED && at->chart < 0 ? -1.0 : 1.0;
}

/* Normal, fundamental forms, orthonormal tangents and curvature from the derivatives.
 * theory (20.5), (20.6) */
static bool finish_patch(double side, sp_surface_patch *p)
{
    const sp_vec3 cross = sp_cross3(p->r_u, p->r_v);
    const double area = sp_length3(cross);
    p->E = sp_inner3(p->r_u, p->r_u);
    p->F = sp_inner3(p->r_u, p->r_v);
    p->G = sp_inner3(p->r_v, p->r_v);
    if (!(area * area > 1e-20 * p->E * p->G)) { /* a pole, or the parameters run along each other */
        return false;
    }
    p->n = sp_scale3(side / area, cross);
    p->L = sp_inner3(p->n, p->r_uu);
    p->M = sp_inner3(p->n, p->r_uv);
    p->N = sp_inner3(p->n, p->r_vv);
    const double a = sqrt(p->E);
    p->e[0] = sp_scale3(1.0 / a, p->r_u);
    p->e[1] = sp_cross3(p->n, p->e[0]);
    const double b = sp_inner3(p->e[0], p->r_v), d = sp_inner3(p->e[1], p->r_v), c = b / a;
    p->T[0] = a;
    p->T[1] = b;
    p->T[2] = d;
    p->K[0] = -p->L / p->E;
    p->K[1] = -(p->M - c * p->L) / (a * d);
    p->K[2] = -(p->N - c * (2.0 * p->M - c * p->L)) / (d * d);
    return isfinite(p->K[0]) && isfinite(p->K[1]) && isfinite(p->K[2]) && isfinite(p->r.x) &&
           isfinite(p->r.y) && isfinite(p->r.z);
}

bool sp_surface_eval(const sp_surface *s, const sp_surface_at *at, double *work,
                     sp_surface_patch *out)
{
    sp_vec3 d[N_DERIVATIVE];
    if (!eval_own(s, at, work, d)) {
        return false;
    }
    out->r = sp_add3(s->at, sp_rotate3(s->turn, d[R]));
    out->r_u = sp_rotate3(s->turn, d[R_U]);
    out->r_v = sp_rotate3(s->turn, d[R_V]);
    out->r_uu = sp_rotate3(s->turn, d[R_UU]);
    out->r_uv = sp_rotate3(s->turn, d[R_UV]);
    out->r_vv = sp_rotate3(s->turn, d[R_VV]);
    return finish_patch(s->side * chart_sign(s, at), out);
}

/* ---- charts ---------------------------------------------------------------------------------- */

static const double TURN = 6.283185307179586;

/* An ellipsoid's place in the chart whose pole is farther away. */
static void wrap_ellipsoid(sp_surface_at *at)
{
    const double c = cos(at->v), z = sin(at->v);
    const sp_vec3 e = {c * cos(at->u), c * sin(at->u), z}; /* in the chart's own axes */
    if (fabs(z) > 0.9) {
        /* chart 0 has (x, y, z), chart 1 (y, z, x) in these places */
        const sp_vec3 f = at->chart == 0 ? (sp_vec3){e.y, e.z, e.x} : (sp_vec3){e.z, e.x, e.y};
        *at = (sp_surface_at){!at->chart, atan2(f.y, f.x), asin(fmin(fmax(f.z, -1.0), 1.0))};
    } else if (fabs(at->v) > 0.25 * TURN) {
        at->u = atan2(e.y, e.x);
        at->v = asin(z);
    }
}

/* A revolved surface changes to (x, y) near a pole, and back farther away. */
static void wrap_revolved(const sp_surface *s, sp_surface_at *at, double *work)
{
    const sp_curve *c = s->curve;
    const double length = c->hi - c->lo;
    sp_curve_at p;
    if (at->chart == 0) {
        const bool low = s->pole[0] && at->v < c->lo + 0.1 * length;
        const bool high = s->pole[1] && at->v > c->hi - 0.1 * length;
        if ((low || high) && sp_curve_eval(c, at->v, work, &p)) {
            *at = (sp_surface_at){low ? -1 : 1, p.r.x * cos(at->u), p.r.x * sin(at->u)};
        }
        return;
    }
    const double w = hypot(at->u, at->v), middle = c->lo + 0.5 * length;
    const double border = at->chart < 0 ? c->lo + 0.2 * length : c->hi - 0.2 * length;
    if (!sp_curve_eval(c, border, work, &p) || w <= p.r.x) {
        return;
    }
    double low = border, high = middle; /* rho grows from the border to the middle, or ends there */
    for (int k = 0; k < 60 && sp_curve_eval(c, 0.5 * (low + high), work, &p); k++) {
        *(p.r.x < w ? &low : &high) = 0.5 * (low + high);
    }
    *at = (sp_surface_at){0, atan2(at->v, at->u), 0.5 * (low + high)};
}

/* Over the pole of a formula or a grid: half a turn of u and back in v, as good a guess as any. */
static void wrap_over(const sp_surface *s, sp_surface_at *at)
{
    const bool low = s->pole[0] && at->v < s->lo[1], high = s->pole[1] && at->v > s->hi[1];
    if (low || high) {
        at->v = 2.0 * (low ? s->lo[1] : s->hi[1]) - at->v;
        at->u += 0.5 * (s->hi[0] - s->lo[0]);
    }
}

/* One parameter into its range; false if it is outside. */
static bool wrap_one(const sp_surface *s, int k, double *x)
{
    const double lo = s->lo[k], hi = s->hi[k];
    if (s->closed[k]) {
        *x -= (hi - lo) * floor((*x - lo) / (hi - lo));
        return true;
    }
    const double given = *x;
    *x = given < lo ? lo : given > hi ? hi : given;
    return *x == given;
}

bool sp_surface_wrap(const sp_surface *s, sp_surface_at *at, double *work)
{
    if (s->kind == SP_SURFACE_ELLIPSOID) {
        wrap_ellipsoid(at);
    } else if (s->kind == SP_SURFACE_REVOLVED) {
        wrap_revolved(s, at, work);
        if (at->chart != 0) {
            return true;
        }
    } else if (s->closed[0]) {
        wrap_over(s, at);
    }
    const bool u = wrap_one(s, 0, &at->u);
    return wrap_one(s, 1, &at->v) && u;
}
