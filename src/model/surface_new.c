/* model/surface_new.c - surfaces are checked and sampled. */
#include "base/status.h"
#include "model/surface.h"

#include <math.h>

enum {
    N_U = SP_SURFACE_N_U,
    N_V = SP_SURFACE_N_V,
    TILE_U = SP_SURFACE_TILE_U,
    TILE_V = SP_SURFACE_TILE_V,
    N_TILE = N_U / TILE_U * (N_V / TILE_V)
};

static const double PI = 3.14159265358979323846;

sp_surface sp_surface_of(sp_surface_kind kind, const double size[3])
{
    sp_surface s = {.kind = kind,
                    .side = 1.0,
                    .lo = {-INFINITY, -INFINITY},
                    .hi = {INFINITY, INFINITY},
                    .size = {size[0], size[1], size[2]},
                    .turn = sp_rot3_one()};
    if (kind != SP_SURFACE_PLANE) {
        s.lo[0] = -PI;
        s.hi[0] = PI;
        s.closed[0] = true;
    }
    switch (kind) {
    case SP_SURFACE_ELLIPSOID:
        s.lo[1] = -0.5 * PI;
        s.hi[1] = 0.5 * PI;
        s.pole[0] = s.pole[1] = true;
        break;
    case SP_SURFACE_CYLINDER:
        s.lo[1] = -0.5 * size[2];
        s.hi[1] = 0.5 * size[2];
        s.size[1] = size[0];
        break;
    case SP_SURFACE_CONE:
        s.lo[1] = 0.0;
        s.hi[1] = size[2];
        break;
    case SP_SURFACE_TORUS:
        s.lo[1] = -PI;
        s.hi[1] = PI;
        s.closed[1] = true;
        break;
    default:
        break;
    }
    return s;
}

/* ---- checks ---------------------------------------------------------------------------------- */

static bool positive(double x)
{
    return x > 0.0 && x < 1e100;
}

/* Sizes that make a surface. */
static sp_status check_size(const sp_surface *s, sp_error *err)
{
    const double *size = s->size, length = s->hi[1] - s->lo[1];
    switch (s->kind) {
    case SP_SURFACE_ELLIPSOID:
        for (int k = 0; k < 3; k++) {
            if (!positive(size[k])) {
                return SP_FAIL(err, SP_E_INPUT, "half axis %d is %g m, expected > 0", k + 1,
                               size[k]);
            }
        }
        return SP_OK;
    case SP_SURFACE_CYLINDER:
        return positive(size[0]) && positive(length)
                   ? SP_OK
                   : SP_FAIL(err, SP_E_INPUT, "radius %g m and length %g m, expected both > 0",
                             size[0], length);
    case SP_SURFACE_CONE:
        return size[0] >= 0.0 && size[1] >= 0.0 && positive(size[0] + size[1]) && positive(length)
                   ? SP_OK
                   : SP_FAIL(err, SP_E_INPUT,
                             "radii %g m and %g m, length %g m; expected radii >= 0, not both "
                             "0, and a length > 0",
                             size[0], size[1], length);
    case SP_SURFACE_TORUS:
        return positive(size[1]) && positive(size[0] - size[1])
                   ? SP_OK
                   : SP_FAIL(err, SP_E_INPUT,
                             "radius %g m of the ring and %g m of the tube: the torus runs into "
                             "itself, expected 0 < tube < ring",
                             size[0], size[1]);
    default:
        return SP_OK;
    }
}

/* A profile stays on its side of the axis and meets it square, if at all. */
static sp_status check_profile(sp_surface *s, sp_error *err)
{
    const sp_curve *c = s->curve;
    const int n = c->n_sample;
    for (int k = 0; k < n; k++) {
        const double rho = c->sample[k].r.x;
        const bool end = !c->closed && (k == 0 || k == n - 1);
        if (end && fabs(rho) <= 1e-12 * c->size) {
            s->pole[k != 0] = true;
        } else if (!(rho > 0.0)) {
            return SP_FAIL(err, SP_E_INPUT,
                           "the profile is %g m from the axis at parameter %g, expected > 0 "
                           "except at its ends",
                           rho, c->sample[k].s);
        }
    }
    return SP_OK;
}

static sp_status check_tips(const sp_surface *s, double *work, sp_error *err)
{
    for (int k = 0; k < 2; k++) {
        sp_curve_at p;
        if (s->pole[k] &&
            (!sp_curve_eval(s->curve, k == 0 ? s->curve->lo : s->curve->hi, work, &p) ||
             fabs(p.t.y) > 1e-6)) {
            return SP_FAIL(err, SP_E_INPUT,
                           "the profile meets the axis at an angle and makes a tip there, expected "
                           "a right angle; end it before the axis");
        }
    }
    return SP_OK;
}

/* ---- formula and grid: which directions close ----------------------------------------------- */

static double distance_of(const sp_surface_patch *a, const sp_surface_patch *b)
{
    return sp_length3(sp_sub3(a->r, b->r));
}

/* Place with parameter k at x, the other one at the part y of its range. */
static sp_surface_at place_of(const sp_surface *s, int k, double x, double y)
{
    const double other = s->lo[1 - k] + y * (s->hi[1 - k] - s->lo[1 - k]);
    return k == 0 ? (sp_surface_at){0, x, other} : (sp_surface_at){0, other, x};
}

/* Whether the surface at hi of parameter k is that at lo again, with two derivatives. */
static bool closes(const sp_surface *s, int k, double *work)
{
    for (int j = 0; j < 5; j++) {
        const sp_surface_at lo = place_of(s, k, s->lo[k], 0.13 + 0.19 * j);
        const sp_surface_at hi = place_of(s, k, s->hi[k], 0.13 + 0.19 * j);
        sp_surface_patch a, b;
        if (!sp_surface_eval(s, &lo, work, &a) || !sp_surface_eval(s, &hi, work, &b)) {
            return false;
        }
        const double size = s->reach, bend = fabs(a.K[0]) + fabs(a.K[2]) + 1.0 / size;
        if (!(distance_of(&a, &b) <= 1e-9 * size) || !(sp_inner3(a.n, b.n) > 1.0 - 1e-12) ||
            !(sp_length3(sp_sub3(a.e[0], b.e[0])) <= 1e-7) ||
            !(fabs(a.K[0] - b.K[0]) + fabs(a.K[1] - b.K[1]) + fabs(a.K[2] - b.K[2]) <=
              1e-6 * bend)) {
            return false;
        }
    }
    return true;
}

/* Whether all points at the end x of v are one: a place nearby is compared for different u. */
static bool collapses(const sp_surface *s, double x, double inward, double *work)
{
    sp_surface_patch first;
    for (int j = 0; j < 5; j++) {
        const double small = 1e-7 * inward * (s->hi[1] - s->lo[1]);
        const sp_surface_at at = place_of(s, 1, x + small, 0.13 + 0.19 * j);
        sp_surface_patch p;
        if (!sp_surface_eval(s, &at, work, &p)) {
            return false;
        }
        if (j > 0 && !(distance_of(&p, &first) <= 1e-5 * s->reach)) {
            return false;
        }
        first = j == 0 ? p : first;
    }
    return true;
}

/* ---- samples -------------------------------------------------------------------------------- */

/* Cells of the mesh that the samples make: in closed directions round about. */
static int n_cell(const sp_surface *s, int k)
{
    return (k == 0 ? N_U : N_V) - (s->closed[k] ? 0 : 1);
}

static const sp_vec3 *node(const sp_surface *s, int i, int j)
{
    return &s->sample[(i % N_U) * N_V + j % N_V].r;
}

/* Whether the way from p to q goes through the triangle a, b, c. */
static bool pierces(sp_vec3 p, sp_vec3 q, sp_vec3 a, sp_vec3 b, sp_vec3 c)
{
    const sp_vec3 ab = sp_sub3(b, a), ac = sp_sub3(c, a), way = sp_sub3(q, p);
    const sp_vec3 n = sp_cross3(ab, ac), from = sp_sub3(p, a);
    const double down = -sp_inner3(way, n), height = sp_inner3(from, n);
    if (fabs(down) <= 1e-12 * sp_length3(way) * sp_length3(n)) {
        return false;
    }
    const double part = height / down;
    const sp_vec3 e = sp_cross3(way, from);
    const double v = -sp_inner3(ac, e) / down, w = sp_inner3(ab, e) / down;
    return part >= 0.0 && part <= 1.0 && v >= 0.0 && w >= 0.0 && v + w <= 1.0;
}

/* Whether cells i and k are neighbours in a direction of n cells. */
static bool near_cells(int i, int k, int n, bool closed)
{
    const int apart = i > k ? i - k : k - i;
    return apart <= 1 || (closed && apart >= n - 1);
}

/* Whether an edge of cell (i, j) goes through cell (k, l). */
static bool cell_crosses(const sp_surface *s, int i, int j, int k, int l)
{
    const sp_vec3 p = *node(s, i, j), q[2] = {*node(s, i + 1, j), *node(s, i, j + 1)};
    const sp_vec3 a = *node(s, k, l), b = *node(s, k + 1, l), c = *node(s, k, l + 1),
                  d = *node(s, k + 1, l + 1);
    for (int e = 0; e < 2; e++) {
        if (pierces(p, q[e], a, b, c) || pierces(p, q[e], d, c, b)) {
            return true;
        }
    }
    return false;
}

/* Surfaces by formulas and grids may run through themselves. */
static sp_status check_crossing(const sp_surface *s, sp_error *err)
{
    const int n_u = n_cell(s, 0), n_v = n_cell(s, 1), n = n_u * n_v;
    for (int a = 0; a < n; a++) {
        for (int b = 0; b < n; b++) {
            const int i = a / n_v, j = a % n_v, k = b / n_v, l = b % n_v;
            if (near_cells(i, k, n_u, s->closed[0]) && near_cells(j, l, n_v, s->closed[1])) {
                continue;
            }
            if (cell_crosses(s, i, j, k, l)) {
                const sp_surface_at at = s->sample[i * N_V + j].at;
                return SP_FAIL(err, SP_E_INPUT,
                               "the surface runs through itself near u = %.4g, v = %.4g, expected "
                               "one that does not; narrow the ranges of u and v",
                               at.u, at.v);
            }
        }
    }
    return SP_OK;
}

/* Places in the middle of the cells of the chart, the poles' neighbourhood among them. */
static sp_status take_samples(sp_surface *s, sp_surface_sample *sample, double *work, sp_error *err)
{
    sp_vec3 sum = {0.0, 0.0, 0.0};
    for (int k = 0; k < N_U * N_V; k++) {
        sp_surface_at at = {0, s->lo[0] + (s->hi[0] - s->lo[0]) * ((k / N_V + 0.5) / N_U),
                            s->lo[1] + (s->hi[1] - s->lo[1]) * ((k % N_V + 0.5) / N_V)};
        sp_surface_patch p;
        if (!sp_surface_eval(s, &at, work, &p)) {
            return SP_FAIL(err, SP_E_INPUT,
                           "at u = %.6g, v = %.6g the surface has no normal or is not finite, "
                           "expected one that is smooth; narrow the ranges of u and v",
                           at.u, at.v);
        }
        sp_surface_wrap(s, &at, work);
        sample[k] = (sp_surface_sample){at, p.r, p.n};
        sum = sp_add3(sum, p.r);
    }
    s->n_sample = N_U * N_V;
    s->sample = sample;
    s->middle = sp_scale3(1.0 / s->n_sample, sum);
    s->reach = 0.0;
    for (int k = 0; k < s->n_sample; k++) {
        s->reach = fmax(s->reach, sp_length3(sp_sub3(sample[k].r, s->middle)));
    }
    return positive(s->reach) ? SP_OK : SP_FAIL(err, SP_E_INPUT, "the surface has no extent");
}

/* Balls around tiles of samples, for searches that pass over most of them. */
static bool make_tiles(sp_arena *a, sp_surface *s)
{
    sp_surface_tile *tile = SP_NEW(a, sp_surface_tile, N_TILE);
    for (int k = 0; k < N_TILE && tile; k++) {
        sp_surface_tile *t = &tile[k];
        const int u = k / (N_V / TILE_V) * TILE_U, v = k % (N_V / TILE_V) * TILE_V;
        for (int i = 0; i < TILE_U * TILE_V; i++) {
            t->sample[i] = (u + i / TILE_V) * N_V + v + i % TILE_V;
            t->middle = sp_axpy3(t->middle, 1.0 / (TILE_U * TILE_V), s->sample[t->sample[i]].r);
        }
        for (int i = 0; i < TILE_U * TILE_V; i++) {
            const sp_vec3 r = s->sample[t->sample[i]].r;
            t->reach = fmax(t->reach, sp_length3(sp_sub3(r, t->middle)));
        }
    }
    s->n_tile = N_TILE;
    s->tile = tile;
    return tile != NULL;
}

/* Ranges that a chart of a formula can have. */
static sp_status check_ranges(const sp_surface *s, sp_error *err)
{
    for (int k = 0; k < 2; k++) {
        if (!isfinite(s->lo[k]) || !isfinite(s->hi[k]) || !(s->hi[k] > s->lo[k])) {
            return SP_FAIL(err, SP_E_INPUT, "%s goes from %g to %g, expected a range that rises",
                           k == 0 ? "u" : "v", s->lo[k], s->hi[k]);
        }
    }
    return SP_OK;
}

sp_status sp_surface_finish(sp_arena *a, sp_surface *s, double *work, sp_error *err)
{
    SP_TRY(check_size(s, err));
    if (s->kind == SP_SURFACE_PLANE) {
        s->reach = INFINITY;
        s->middle = s->at;
        return SP_OK;
    }
    SP_TRY(check_ranges(s, err));
    if (s->kind == SP_SURFACE_REVOLVED || s->kind == SP_SURFACE_EXTRUDED) {
        SP_TRY(sp_curve_check(s->curve, err));
    }
    if (s->kind == SP_SURFACE_REVOLVED) {
        SP_TRY(check_profile(s, err));
        SP_TRY(check_tips(s, work, err));
    }
    sp_surface_sample *sample = SP_NEW(a, sp_surface_sample, N_U * N_V);
    if (!sample) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory for a surface");
    }
    SP_TRY(take_samples(s, sample, work, err));
    if (!make_tiles(a, s)) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory for a surface");
    }
    if (s->kind == SP_SURFACE_EXTRUDED) {
        SP_TRY(sp_surface_find_arcs(a, s, work, err));
    }
    if (s->kind == SP_SURFACE_FORMULA || s->kind == SP_SURFACE_GRID) {
        s->closed[0] = s->closed[0] || closes(s, 0, work);
        s->closed[1] = s->closed[1] || closes(s, 1, work);
        s->pole[0] = s->closed[0] && collapses(s, s->lo[1], 1.0, work);
        s->pole[1] = s->closed[0] && collapses(s, s->hi[1], -1.0, work);
        SP_TRY(check_crossing(s, err));
    }
    return SP_OK;
}
