/* contact/surface_rim.c - the border of one surface nearest to the inside of another.
 *
 * A border c(s) is an edge of the material.  Over a surface with normal n_f and curvature K_f its
 * point has the height d(s), and where that is least the two are nearest:
 *
 *     d' = n_f.c' = 0,     d'' = n_f.c'' + c'.K_f (1 + d K_f)^-1 c'                 theory (42.1)
 */
#include "contact/surface_parts.h"

enum { PIECES = 4, SPLIT = 24, ROUNDS = 60 };

/* Gap that two borders keep which are nearest to each other, in parts of the smaller surface: they
 * are no contact. */
#define APART 1e-2

#define LEAN  1e-9 /* of the normal on the way out of a surface that counts as none */
#define SLOPE 1e-6 /* of the height along a border that counts as none: found to 1e-9 or never */

/* One piece of a border: of parameter `fixed` the lower or upper end, the other runs. */
typedef struct piece {
    const sp_surface_side *edge, *face;
    int fixed; /* 0: u, 1: v */
    double end;
    double lo, hi; /* of the parameter that runs */
    bool closed;
} piece;

/* A point of a piece and what is nearest to it on the face. */
typedef struct look {
    double s, d, slope, bend; /* height over the face and its derivatives */
    bool inside;              /* the nearest point is none of the face's border */
    sp_surface_at at;
    sp_surface_patch p;      /* of the edge           */
    sp_surface_contact foot; /* of the face, as b     */
    sp_vec3 c1, c2;          /* c' and c'', world     */
    double lean;             /* n_f along the way out of the edge's surface: > 0, inside is lower */
} look;

/* Piece k of the border of a side, false if that side has none there. */
static bool piece_of(const sp_surface_side *edge, const sp_surface_side *face, int k, piece *out)
{
    const sp_surface *s = edge->surface;
    const int fixed = k / 2, run = 1 - fixed;
    if (s->kind == SP_SURFACE_PLANE || s->closed[fixed] || (fixed == 1 && s->pole[k % 2])) {
        return false;
    }
    *out = (piece){edge,       face,       fixed,         k % 2 == 0 ? s->lo[fixed] : s->hi[fixed],
                   s->lo[run], s->hi[run], s->closed[run]};
    return true;
}

/* Slope and bend of the height of an edge over the inside of a face.   theory (42.1) */
static void differentiate(look *at)
{
    const sp_surface_contact *f = &at->foot;
    const sp_mat2 K = sp_mat2_of(f->K[1]);
    const sp_mat2 P = {1.0 + at->d * K.a, at->d * K.b, at->d * K.c, 1.0 + at->d * K.d};
    const double step[2] = {sp_inner3(f->e[1][0], at->c1), sp_inner3(f->e[1][1], at->c1)};
    double foot[2], turn[2];
    sp_mat2_solve(P, step, foot);
    sp_mat2_apply(K, foot, turn);
    at->slope = sp_inner3(f->n, at->c1);
    at->bend = sp_inner3(f->n, at->c2) + step[0] * turn[0] + step[1] * turn[1];
}

/* n_f along the direction in the edge's surface, across the border, that leads out of it. */
static double lean_of(const piece *e, const look *at)
{
    const sp_vec3 across = sp_rotate3(e->edge->R, e->fixed == 0 ? at->p.r_u : at->p.r_v);
    const double sign = e->end == e->edge->surface->lo[e->fixed] ? -1.0 : 1.0;
    const sp_vec3 way = sp_cross3(at->c1, at->p.n);
    const double turn = sp_inner3(way, across) > 0.0 ? sign : -sign;
    return turn * sp_inner3(at->foot.n, way) / sp_length3(way);
}

/* Look at the point s of a piece.  False if it or its nearest point is none. */
static bool look_at(const piece *e, double s, double *work, look *out)
{
    const sp_rot3 R = e->edge->R;
    out->s = s;
    out->at = e->fixed == 0 ? (sp_surface_at){0, e->end, s} : (sp_surface_at){0, s, e->end};
    if (!sp_pair_look(e->edge, &out->at, work, &out->p)) {
        return false;
    }
    sp_surface_meet_ball(out->p.r, 0.0, e->face, work, &out->foot);
    out->c1 = sp_rotate3(R, e->fixed == 0 ? out->p.r_v : out->p.r_u);
    out->c2 = sp_rotate3(R, e->fixed == 0 ? out->p.r_vv : out->p.r_uu);
    out->d = out->foot.g;
    out->inside = out->foot.fit == SP_FIT_POINT || out->foot.fit == SP_FIT_FLAT;
    out->lean = lean_of(e, out);
    if (out->inside) {
        differentiate(out);
    } else {
        out->slope = sp_inner3(out->foot.n, out->c1);
        out->bend = 0.0;
    }
    return isfinite(out->d) && isfinite(out->slope) && isfinite(out->bend);
}

/* Between lo and hi, around `at`, the least height: Newton's method within a bracket that the
 * slope's sign narrows.  Ends count as corners. */
static bool narrow(const piece *e, double lo, double hi, double *work, look *at)
{
    const double range = e->hi - e->lo;
    for (int k = 0; k < ROUNDS; k++) {
        if ((at->slope > 0.0 && at->s <= lo) || (at->slope < 0.0 && at->s >= hi)) {
            return true;
        }
        lo = at->slope < 0.0 ? at->s : lo;
        hi = at->slope > 0.0 ? at->s : hi;
        double next = at->s - at->slope / at->bend;
        const bool newton = at->bend > 0.0 && next >= lo && next <= hi;
        next = newton            ? next
               : at->slope > 0.0 ? fmax(lo, 0.5 * (lo + at->s))
                                 : fmin(hi, 0.5 * (hi + at->s));
        if (fabs(next - at->s) <= 1e-15 * range) {
            return true;
        }
        if (!look_at(e, next, work, at)) {
            return false;
        }
    }
    return true;
}

/* Whether point k of a piece is as low as its neighbours; the last of a closed one is the first. */
static bool is_dip(const piece *e, const double *d, int k)
{
    const int before = k > 0 ? k - 1 : e->closed ? SPLIT - 1 : k, after = k < SPLIT ? k + 1 : k;
    return d[k] < INFINITY && d[k] <= d[before] && d[k] <= d[after] && !(e->closed && k == SPLIT);
}

/* The place of a piece nearest to the face: from every dip of its points downhill, the lowest. */
static bool lowest(const piece *e, double *work, look *out)
{
    const double cell = (e->hi - e->lo) / SPLIT;
    double d[SPLIT + 1], s[SPLIT + 1];
    bool found = false;
    look at;
    for (int k = 0; k <= SPLIT; k++) {
        s[k] = k == SPLIT ? e->hi : e->lo + k * cell;
        d[k] = look_at(e, s[k], work, &at) ? at.d : INFINITY;
    }
    for (int k = 0; k <= SPLIT; k++) {
        const double lo = e->closed ? s[k] - cell : fmax(e->lo, s[k] - cell),
                     hi = e->closed ? s[k] + cell : fmin(e->hi, s[k] + cell);
        if (is_dip(e, d, k) && look_at(e, s[k], work, &at) && narrow(e, lo, hi, work, &at) &&
            (!found || at.d < out->d)) {
            *out = at;
            found = true;
        }
    }
    return found;
}

/* The end of a piece that is not closed. */
static bool is_corner(const piece *e, const look *at)
{
    return !e->closed && (at->s == e->lo || at->s == e->hi);
}

/* Nearest to the inside of the face.  Where the foot leaves it, the height is least with a kink:
 * there one border is nearest to the other. */
static bool is_met(const piece *e, const look *at)
{
    return at->inside && (is_corner(e, at) || fabs(at->slope) <= SLOPE * sp_length3(at->c1));
}

/* What was found as a contact of a on b; the border is that of side `edge`. */
static void finish(const piece *e, int edge, const look *at, sp_surface_contact *out)
{
    const int face = 1 - edge;
    const double sign = edge == 0 ? 1.0 : -1.0, speed = sp_length3(at->c1);
    const bool corner = is_corner(e, at);
    out->fit = SP_FIT_RIM;
    out->rim_of = edge;
    out->g = at->d;
    out->n = sp_scale3(sign, at->foot.n);
    out->point[edge] = at->p.r;
    out->point[face] = at->foot.point[1];
    sp_pair_keep(&at->p, &at->at, edge, out);
    out->at[face] = at->foot.at[1];
    out->residual = at->foot.residual;
    for (int k = 0; k < 3; k++) {
        out->K[face][k] = at->foot.K[1][k];
    }
    out->e[face][0] = at->foot.e[1][0];
    out->e[face][1] = at->foot.e[1][1];
    out->rim = corner ? (sp_vec3){0.0, 0.0, 0.0} : sp_scale3(1.0 / speed, at->c1);
    out->rim_bend = corner ? 0.0 : sp_inner3(out->n, at->c2) / (speed * speed);
}

/* Bits of the pieces of the border of a side. */
enum { ALL = (1 << 2 * PIECES) - 1 };

static void meet_pieces(const sp_surface_side *a, const sp_surface_side *b, bool outer,
                        unsigned which, double *work, sp_surface_contact *out)
{
    const double size = fmin(a->surface->reach, b->surface->reach);
    double least = INFINITY, apart = INFINITY;
    for (int k = 0; k < 2 * PIECES; k++) {
        const int edge = k / PIECES;
        piece e;
        look at;
        if (!(which >> k & 1u) || !piece_of(edge == 0 ? a : b, edge == 0 ? b : a, k % PIECES, &e) ||
            !lowest(&e, work, &at)) {
            continue;
        }
        const bool met = is_met(&e, &at);
        if (met && at.d < least && !(outer && at.lean > LEAN)) {
            least = at.d;
            finish(&e, edge, &at, out);
        } else if (!met) {
            apart = fmin(apart, at.d);
        }
    }
    if (!(least < INFINITY) && apart < INFINITY) { /* border beside border */
        out->fit = SP_FIT_PAST;
        out->g = fmax(apart, APART * size);
    }
}

void sp_surface_meet_rim(const sp_surface_side *a, const sp_surface_side *b, bool outer,
                         double *work, sp_surface_contact *out)
{
    meet_pieces(a, b, outer, ALL, work, out);
}

void sp_surface_meet_peg(const sp_surface_side *a, const sp_surface_side *b, int rim, double *work,
                         sp_surface_contact *out)
{
    const int side = rim / 2, end = rim % 2;
    *out = (sp_surface_contact){.fit = SP_FIT_LOST, .g = NAN};
    meet_pieces(a, b, true, 1u << (side * PIECES + 2 + end), work, out);
    if (out->fit == SP_FIT_LOST) { /* a tip, or a rim that leans out of the other: no contact */
        out->fit = SP_FIT_PAST;
        out->g = APART * fmin(a->surface->reach, b->surface->reach);
    }
}
