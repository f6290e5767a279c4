/* contact/manifold_round.c - a disc or a frustum against a polytope, a capsule or another disc.
 *
 * Pairs of features that have a common normal n offer it, with the points where they meet along
 * it.  Of all offers the n along which the two are farthest apart, or least deep, is the best; the
 * touches are all offers whose n is nearly the best and that are inside their features.
 * theory (39.6), (39.7) */
#include "contact/manifold_round.h"

#define PARALLEL 1e-6 /* sine: below, two directions have no product */
#define RISE     0.03 /* sine: lines that rise above an end by more do not lie on it             */

/* A side of a disc that is b or a. */
typedef struct part {
    const sp_round *disc;
    bool is_b;
} part;

/* An offer of a feature of `disc`, at y, and of one of the other shape, at x, n out of the disc. */
static sp_offer offer_of(part disc, sp_vec3 n, sp_vec3 x, sp_touch_side of_other, sp_vec3 y,
                         sp_touch_side of_disc)
{
    return disc.is_b
               ? (sp_offer){.n = n, .x = x, .y = y, .side = {of_other, of_disc}}
               : (sp_offer){.n = sp_scale3(-1.0, n), .x = y, .y = x, .side = {of_disc, of_other}};
}

/* The same, where both features are given: is it wanted. */
static bool wanted_of(const sp_round_scene *s, part disc, int of_other, int of_disc)
{
    return disc.is_b ? sp_round_wanted(s, of_other, of_disc)
                     : sp_round_wanted(s, of_disc, of_other);
}

/* Side of a touch on a rim, n out of its disc. */
static sp_touch_side rim_side(const sp_rim *rim, int feature, const sp_rim_place *at, sp_vec3 n)
{
    return (sp_touch_side){.kind = SP_SIDE_LINE,
                           .feature = feature,
                           .kappa = sp_inner3(n, at->e) / rim->r,
                           .d = at->t};
}

/* ---- points ---------------------------------------------------------------------------------- */

/* A point of the other shape, with a radius, over one feature of a disc.   theory (35.1) */
static void point_on_feature(sp_round_scene *s, part disc, const sp_core *point, int number,
                             int feature)
{
    sp_touch t;
    if (!wanted_of(s, disc, number, feature) ||
        !sp_touch_hold_on_disc(point, disc.disc->shape, &disc.disc->pose, feature, &t)) {
        return;
    }
    const sp_vec3 y = sp_axpy3(t.point[1], -t.side[1].r, t.n);
    sp_offer o = offer_of(disc, t.n, point->pose.x, t.side[0], y, t.side[1]);
    o.side[disc.is_b ? 0 : 1].feature = number;
    o.reach = sp_touch_reach_on_disc(point, disc.disc->shape, &disc.disc->pose, feature);
    if (feature >= SP_ROUND_RIM && feature < SP_ROUND_SIDE) {
        o.sharp = point->r == 0.0;
        o.reach = o.sharp ? o.reach : fmin(o.reach, sp_core_reach_about_corner(s->core, number, y));
    }
    sp_round_take(s, &o);
}

/* A point over all features of a disc. */
static void point_on_disc(sp_round_scene *s, part disc, sp_vec3 x, double r, int number)
{
    const sp_core point = {.pose = {x, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}}, .r = r};
    for (int f = SP_ROUND_END; f <= SP_ROUND_SIDE; f++) {
        point_on_feature(s, disc, &point, number, f);
    }
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* An edge of a. */
typedef struct line {
    sp_vec3 at, u; /* u of unit length */
    double length;
    int feature;
    sp_touch_side side;
} line;

/* Edge e of a core. */
static line line_of(const sp_core *c, int e)
{
    const sp_vec3 d = sp_core_edge(c, e);
    const double l = sp_length3(d);
    return (line){sp_core_vertex(c, c->h->edge[e][0]), sp_scale3(1.0 / l, d), l,
                  sp_core_edge_feature(c, e), sp_core_line_side(c, e)};
}

/* n of two curves that meet: along the product of their directions, or along the way between them
 * where they go the same way. */
static void set_normal(sp_offer *o, sp_vec3 d_a, sp_vec3 d_b)
{
    const sp_vec3 d = sp_cross3(d_a, d_b), way = sp_sub3(o->x, o->y);
    const double size = sp_length3(d), l = sp_length3(way);
    o->turn = size > PARALLEL;
    o->sharp = !o->turn && !(o->side[0].r + o->side[1].r > 0.0);
    o->n = o->turn ? sp_scale3(1.0 / size, d) : sp_scale3(l > 0.0 ? 1.0 / l : 0.0, way);
}

/* An edge of a and the tip of a cone. */
static void line_on_tip(sp_round_scene *s, const line *l, int i)
{
    const sp_vec3 y = s->b.rim[i].center;
    const double along = sp_inner3(l->u, sp_sub3(y, l->at));
    const sp_vec3 x = sp_axpy3(l->at, along, l->u), way = sp_sub3(x, y);
    const double size = sp_length3(way);
    sp_offer o = {.n = sp_scale3(size > 0.0 ? 1.0 / size : 0.0, way), .x = x, .y = y};
    o.side[0] = l->side;
    o.side[1] = (sp_touch_side){.kind = SP_SIDE_CORNER, .feature = SP_ROUND_RIM + i};
    o.reach = fmin(along, l->length - along);
    o.sharp = !(l->side.r > 0.0);
    sp_round_take(s, &o);
}

/* An edge of a and a rim of b where they are nearest.   theory (39.1) */
static void line_on_rim(sp_round_scene *s, const line *l, int i)
{
    const sp_rim *rim = &s->b.rim[i];
    const sp_partner p = {.kind = SP_PARTNER_LINE, .at = l->at, .u = l->u};
    double phi[SP_RIM_NEAREST];
    if (!(rim->r > 0.0)) {
        line_on_tip(s, l, i);
        return;
    }
    if (!sp_round_wanted(s, l->feature, SP_ROUND_RIM + i) &&
        !sp_round_wanted(s, l->feature, SP_ROUND_RIM_OUT + i)) {
        return;
    }
    const int n = sp_rim_nearest(rim, &p, phi);
    for (int k = 0; k < n; k++) {
        const sp_rim_place at = sp_rim_at(rim, phi[k]);
        const sp_foot f = sp_partner_foot(&p, at.x);
        const bool in = sp_inner3(l->u, at.e) < 0.0;
        sp_offer o = {.x = f.y, .y = at.x, .side = {l->side}};
        set_normal(&o, l->u, at.t);
        o.side[1] = rim_side(rim, (in ? SP_ROUND_RIM : SP_ROUND_RIM_OUT) + i, &at, o.n);
        o.reach = fmin(f.rho, l->length - f.rho);
        sp_round_take(s, &o);
    }
}

/* A touch where an edge that lies on an end crosses its rim, but too nearly along it to have a
 * product with it that is across the end: n is that of the end.   theory (39.7) */
static void line_over_rim(sp_round_scene *s, const line *l, int i)
{
    const sp_rim *rim = &s->b.rim[i];
    const sp_partner p = {.kind = SP_PARTNER_LINE, .at = l->at, .u = l->u};
    const double up = sp_inner3(s->best.n, s->b.axis) > 0.0 ? 1.0 : -1.0;
    const sp_vec3 n = sp_scale3(up, s->b.axis);
    double phi[2];
    if (!(rim->r > 0.0) || fabs(sp_inner3(l->u, n)) > RISE) {
        return;
    }
    const int n_cross = sp_rim_crossings(rim, &p, phi);
    for (int k = 0; k < n_cross; k++) {
        const int feature = (k == 0 ? SP_ROUND_RIM : SP_ROUND_RIM_OUT) + i;
        const sp_rim_place at = sp_rim_at(rim, phi[k]);
        const sp_vec3 flat = sp_axpy3(l->u, -sp_inner3(l->u, n), n);
        const double along = sp_inner3(flat, sp_sub3(at.x, l->at)) / sp_inner3(flat, flat);
        if (sp_round_known(s, l->feature, feature) || along <= s->tol ||
            along >= l->length - s->tol) {
            continue;
        }
        const sp_vec3 x = sp_axpy3(l->at, along, l->u);
        sp_offer o = {.n = n, .x = x, .y = at.x, .side = {l->side}};
        o.side[1] = rim_side(rim, feature, &at, n);
        sp_round_add(s, &o, SP_CARRIED_BY_B);
    }
}

/* The ruling of a round side in the direction e from the axis, and its side of a touch at `along`
 * from below: a tube as thick as the side is round there. */
typedef struct ruling {
    sp_vec3 at, d, n;
} ruling;

/* The ruling on the side of the axis that the unit vector e, across the axis, points to. */
static ruling ruling_of(const sp_round *d, sp_vec3 e)
{
    return (ruling){sp_axpy3(d->rim[0].center, d->rim[0].r, e),
                    sp_axpy3(sp_scale3(d->g_rho, e), d->g_z, d->axis),
                    sp_axpy3(sp_scale3(d->g_z, e), -d->g_rho, d->axis)};
}

/* The side of a touch on a ruling, `along` from its lower end: its radius is that of curvature
 * there. */
static sp_touch_side round_side(const sp_round *d, const ruling *l, double along, int feature)
{
    const double r = fmax(d->rim[0].r + along * d->g_rho, 0.0) / d->g_z;
    return (sp_touch_side){.kind = SP_SIDE_LINE, .feature = feature, .r = r, .d = l->d};
}

/* An edge of a on the round side of b: n is across both.   theory (39.4) */
static void line_on_side(sp_round_scene *s, const line *l)
{
    const sp_round *b = &s->b;
    const double u_z = sp_inner3(l->u, b->axis);
    const sp_vec3 flat = sp_axpy3(l->u, -u_z, b->axis);
    const double u_p = sp_length3(flat), c = b->g_rho * u_z / (b->g_z * u_p);
    if (!(b->length > 0.0 && u_p > PARALLEL && fabs(c) <= 1.0)) {
        return;
    }
    const sp_vec3 p = sp_scale3(1.0 / u_p, flat), q = sp_cross3(b->axis, p);
    for (int k = 0; k < 2; k++) {
        const double sine = (k == 0 ? 1.0 : -1.0) * sqrt(1.0 - c * c);
        const ruling r = ruling_of(b, sp_axpy3(sp_scale3(c, p), sine, q));
        const sp_vec3 d = sp_cross3(r.d, l->u);
        double along, t;
        if (!sp_round_wanted(s, l->feature, k == 0 ? SP_ROUND_SIDE : SP_ROUND_SIDE_BACK) ||
            !(sp_length3(d) > PARALLEL)) {
            continue;
        }
        sp_lines_nearest(l->at, l->u, r.at, r.d, &along, &t);
        const sp_touch_side side =
            round_side(b, &r, t, k == 0 ? SP_ROUND_SIDE : SP_ROUND_SIDE_BACK);
        sp_offer o = {.n = r.n, .x = sp_axpy3(l->at, along, l->u), .side = {l->side, side}};
        o.y = sp_axpy3(sp_axpy3(r.at, t, r.d), -side.r, r.n);
        o.reach = fmin(fmin(along, l->length - along), fmin(t, b->length - t));
        sp_round_take(s, &o);
    }
}

/* ---- faces ----------------------------------------------------------------------------------- */

/* A flat face of the other shape, n out of it: at distance d along n from the origin. */
typedef struct face {
    sp_vec3 n;
    double d;
    const sp_core *core;   /* NULL: the end of a disc */
    const sp_round *round; /* ... of this one         */
    double r;              /* its radius              */
    int i, feature;
} face;

/* How far x is inside of the sides of a face. */
static double reach_on(const face *f, sp_vec3 x)
{
    if (f->core) {
        return sp_core_reach_on_face(f->core, f->i, x);
    }
    const sp_vec3 d = sp_sub3(x, f->round->pose.x);
    return f->r - sp_length3(sp_axpy3(d, -sp_inner3(d, f->round->axis), f->round->axis));
}

/* A place of a rim or a tip on a face; tilted by so much it has reach beyond `up`. */
static void place_on_face(sp_round_scene *s, part disc, const face *f, sp_vec3 y,
                          sp_touch_side side, double up)
{
    const double h = sp_inner3(f->n, y) - f->d;
    const sp_vec3 x = sp_axpy3(y, -h, f->n);
    const sp_touch_side flat = {.kind = SP_SIDE_FACE, .feature = f->feature};
    sp_offer o = offer_of(disc, sp_scale3(-1.0, f->n), x, flat, y, side);
    o.reach = fmin(reach_on(f, x), s->task == SP_ROUND_HOLD ? up : INFINITY);
    sp_round_take(s, &o);
}

/* Whether a place of the list is taken: fixed points of two rims may lie on each other. */
static bool is_taken(const sp_round_scene *s, sp_vec3 x)
{
    for (int k = s->first; s->list && k < s->list->n && k < s->list->room; k++) {
        const sp_touch *t = &s->list->touch[k];
        const bool fixed = t->side[0].kind == SP_SIDE_CORNER || t->side[1].kind == SP_SIDE_CORNER;
        const sp_vec3 d = sp_sub3(x, t->point[0]);
        if (fixed && sp_length3(sp_axpy3(d, -sp_inner3(d, t->n), t->n)) <= 2.0 * s->tol) {
            return true;
        }
    }
    return false;
}

/* Fixed points of a rim on a face, while the disc lies nearly flat. */
static void points_on_face(sp_round_scene *s, part disc, const face *f, int i, double tilt)
{
    const sp_rim *rim = &disc.disc->rim[i];
    for (int k = 0; k < SP_RIM_POINTS && (tilt < SP_TILT_LYING || s->task == SP_ROUND_HOLD); k++) {
        const int number = SP_ROUND_POINT + SP_RIM_POINTS * i + k;
        const sp_touch_side corner = {.kind = SP_SIDE_CORNER, .feature = number};
        const sp_vec3 x =
            sp_axpy3(rim->center, k < 2 ? rim->r : -rim->r, k % 2 == 0 ? rim->ex : rim->ey);
        if (wanted_of(s, disc, f->feature, number) && !is_taken(s, x)) {
            place_on_face(s, disc, f, x, corner, rim->r * (SP_TILT_FLAT - tilt));
        }
    }
}

/* A rim over a face: its lowest point, and fixed points where it lies on it.   theory (39.8) */
static void rim_on_face(sp_round_scene *s, part disc, const face *f, int i)
{
    const sp_rim *rim = &disc.disc->rim[i];
    double tilt;
    if (!(rim->r > 0.0)) {
        const sp_touch_side tip = {.kind = SP_SIDE_CORNER, .feature = SP_ROUND_RIM + i};
        if (wanted_of(s, disc, f->feature, SP_ROUND_RIM + i)) {
            place_on_face(s, disc, f, rim->center, tip, INFINITY);
        }
        return;
    }
    const sp_rim_place at = sp_rim_lowest(rim, f->n, &tilt);
    if (wanted_of(s, disc, f->feature, SP_ROUND_RIM + i) &&
        (tilt > SP_TILT_UPRIGHT || s->task != SP_ROUND_LIST)) {
        sp_touch_side side = rim_side(rim, SP_ROUND_RIM + i, &at, sp_scale3(-1.0, f->n));
        place_on_face(s, disc, f, at.x, side, rim->r * (tilt - SP_TILT_FLAT));
    }
    if (s->task != SP_ROUND_MEASURE &&
        (disc.disc->n_rim == 1 || (sp_inner3(f->n, disc.disc->axis) > 0.0) == (i == 0))) {
        points_on_face(s, disc, f, i, tilt);
    }
}

/* ---- shapes ---------------------------------------------------------------------------------- */

/* Whether an edge is near enough to the disc to matter. */
static bool is_near(const sp_round_scene *s, const line *l)
{
    const double r = fmax(s->b.rim[0].r, s->b.rim[1].r);
    const double most = hypot(r, s->b.shape->half) + s->margin + l->side.r;
    const sp_vec3 d = sp_sub3(s->b.pose.x, l->at);
    const double at = fmin(fmax(sp_inner3(l->u, d), 0.0), l->length);
    return sp_length3(sp_axpy3(d, -at, l->u)) <= most;
}

/* Offers of the corners and edges of a polytope or a capsule with a disc. */
static void core_on_disc(sp_round_scene *s)
{
    const sp_core *c = s->core;
    const part b = {&s->b, true};
    for (int i = 0; i < c->h->n_vertex; i++) {
        point_on_disc(s, b, sp_core_vertex(c, i), c->r, i);
    }
    for (int e = 0; e < c->h->n_edge; e++) {
        const line l = line_of(c, e);
        if (!sp_round_wanted(s, l.feature, -1) || (s->task != SP_ROUND_HOLD && !is_near(s, &l))) {
            continue;
        }
        for (int i = 0; i < s->b.n_rim; i++) {
            line_on_rim(s, &l, i);
        }
        line_on_side(s, &l);
    }
}

/* Offers of the rims of a disc on the faces of a polytope. */
static void disc_on_core(sp_round_scene *s)
{
    const sp_core *c = s->core;
    for (int k = 0; k < c->h->n_face; k++) {
        const sp_vec3 n = sp_core_normal(c, k);
        const face f = {.n = n,
                        .d = c->h->offset[k] + sp_inner3(n, c->pose.x),
                        .core = c,
                        .i = k,
                        .feature = sp_core_face_feature(c, k)};
        for (int i = 0; i < s->b.n_rim && sp_round_wanted(s, f.feature, -1); i++) {
            rim_on_face(s, (part){&s->b, true}, &f, i);
        }
    }
}

/* An end of a disc as a face. */
static face end_of(const sp_round *d, int up)
{
    const sp_vec3 n = up ? d->axis : sp_scale3(-1.0, d->axis);
    const sp_rim *rim = &d->rim[up];
    return (face){.n = n,
                  .d = sp_inner3(n, rim->center),
                  .round = d,
                  .r = rim->r,
                  .i = up,
                  .feature = SP_ROUND_END + up};
}

/* A rim of one disc on the round side of another.   theory (39.3) */
static void rim_on_side(sp_round_scene *s, part disc, const sp_round *other, int i)
{
    const sp_rim *rim = &disc.disc->rim[i];
    const sp_partner p = {.kind = SP_PARTNER_SIDE, .round = other, .far = s->far};
    double phi[SP_RIM_NEAREST];
    if (!(rim->r > 0.0 && other->length > 0.0) ||
        !wanted_of(s, disc, SP_ROUND_SIDE, SP_ROUND_RIM + i)) {
        return;
    }
    const int n = sp_rim_nearest(rim, &p, phi);
    for (int k = 0; k < n; k++) {
        const sp_rim_place at = sp_rim_at(rim, phi[k]);
        const sp_foot f = sp_partner_foot(&p, at.x);
        const sp_vec3 e = sp_cross3(f.d, other->axis);
        const ruling l = ruling_of(other, e);
        const double along = sp_inner3(l.d, sp_sub3(f.y, l.at));
        const sp_touch_side tube = round_side(other, &l, along, SP_ROUND_SIDE);
        const sp_vec3 n_rim = sp_scale3(-1.0, f.w);
        sp_offer o = offer_of(disc, n_rim, sp_axpy3(f.y, -tube.r, f.w), tube, at.x,
                              rim_side(rim, SP_ROUND_RIM + i, &at, n_rim));
        o.reach = fmin(along, other->length - along);
        sp_round_take(s, &o);
    }
}

/* One disc over the other: rims on ends and on the round side, tips on everything. */
static void disc_on_disc(sp_round_scene *s, part disc, const sp_round *other)
{
    for (int i = 0; i < disc.disc->n_rim; i++) {
        for (int up = 0; up < 2; up++) {
            const face f = end_of(other, up);
            if (f.r > 0.0) {
                rim_on_face(s, disc, &f, i);
            }
        }
        rim_on_side(s, disc, other, i);
        if (!(disc.disc->rim[i].r > 0.0)) {
            const part onto = {other, !disc.is_b};
            point_on_disc(s, onto, disc.disc->rim[i].center, 0.0, SP_ROUND_RIM + i);
        }
    }
}

/* Two rims where they are nearest.   theory (39.2) */
static void rim_on_rim(sp_round_scene *s, int i, int j)
{
    const sp_rim *a = &s->a.rim[i], *b = &s->b.rim[j];
    const sp_partner p = {.kind = SP_PARTNER_RIM, .rim = b, .far = s->far};
    double phi[SP_RIM_NEAREST];
    if (!(a->r > 0.0 && b->r > 0.0) ||
        (!sp_round_wanted(s, SP_ROUND_RIM + i, SP_ROUND_RIM + j) &&
         !sp_round_wanted(s, SP_ROUND_RIM + i, SP_ROUND_RIM_OUT + j))) {
        return;
    }
    const int n = sp_rim_nearest(a, &p, phi);
    for (int k = 0; k < n; k++) {
        const sp_rim_place at = sp_rim_at(a, phi[k]);
        const sp_foot f = sp_partner_foot(&p, at.x);
        const sp_vec3 e = sp_cross3(f.d, s->b.axis);
        const sp_rim_place on_b = {e, f.d, f.y};
        const bool in = sp_inner3(at.t, e) < 0.0;
        sp_offer o = {.x = at.x, .y = f.y, .reach = INFINITY};
        set_normal(&o, at.t, f.d);
        o.side[0] = rim_side(a, SP_ROUND_RIM + i, &at, sp_scale3(-1.0, o.n));
        o.side[1] = rim_side(b, (in ? SP_ROUND_RIM : SP_ROUND_RIM_OUT) + j, &on_b, o.n);
        sp_round_take(s, &o);
    }
}

/* The crossing of two rims of ends that lie on each other, too nearly along each other to have a
 * product across the ends: n is that of b's.   theory (39.7) */
static void rim_over_rim(sp_round_scene *s, int i, int j)
{
    const sp_rim *a = &s->a.rim[i], *b = &s->b.rim[j];
    const sp_partner p = {.kind = SP_PARTNER_RIM, .rim = b};
    const double up = sp_inner3(s->best.n, s->b.axis) > 0.0 ? 1.0 : -1.0;
    const sp_vec3 n = sp_scale3(up, s->b.axis);
    double phi[2];
    const bool flat = fabs(sp_inner3(s->a.axis, n)) >= SP_LIES_ON;
    const int n_cross = flat && a->r > 0.0 && b->r > 0.0 ? sp_rim_crossings(a, &p, phi) : 0;
    for (int k = 0; k < n_cross; k++) {
        const int feature = (k == 0 ? SP_ROUND_RIM : SP_ROUND_RIM_OUT) + j;
        sp_rim_place at;
        sp_foot f;
        if (sp_round_known(s, SP_ROUND_RIM + i, feature) ||
            !sp_rim_crosses(a, &p, phi[k], &at, &f)) {
            continue;
        }
        const sp_rim_place on_b = {sp_cross3(f.d, s->b.axis), f.d, f.y};
        sp_offer o = {.n = n, .x = at.x, .y = f.y};
        o.side[0] = rim_side(a, SP_ROUND_RIM + i, &at, sp_scale3(-1.0, n));
        o.side[1] = rim_side(b, feature, &on_b, n);
        sp_round_add(s, &o, SP_CARRIED_BY_B);
    }
}

/* Two round sides: n is across both.   theory (39.5) */
static void side_on_side(sp_round_scene *s)
{
    const sp_round *a = &s->a, *b = &s->b;
    const sp_vec3 w = sp_cross3(a->axis, b->axis);
    const double c = sp_inner3(a->axis, b->axis), det = sp_inner3(w, w);
    const double p = (a->g_rho + c * b->g_rho) / det, q = -(b->g_rho + c * a->g_rho) / det;
    const double rest = (1.0 - p * p - q * q - 2.0 * p * q * c) / det;
    if (!(a->length > 0.0 && b->length > 0.0 && det > PARALLEL * PARALLEL && rest >= 0.0)) {
        return;
    }
    for (int k = 0; k < 2; k++) {
        const int feature = k == 0 ? SP_ROUND_SIDE : SP_ROUND_SIDE_BACK;
        const sp_vec3 flat = sp_axpy3(sp_scale3(p, a->axis), q, b->axis),
                      n = sp_axpy3(flat, k == 0 ? sqrt(rest) : -sqrt(rest), w);
        const ruling l =
            ruling_of(a, sp_scale3(-1.0 / a->g_z, sp_axpy3(n, -sp_inner3(n, a->axis), a->axis)));
        const ruling m =
            ruling_of(b, sp_scale3(1.0 / b->g_z, sp_axpy3(n, -sp_inner3(n, b->axis), b->axis)));
        double at, on;
        if (!sp_round_wanted(s, SP_ROUND_SIDE, feature) ||
            !(sp_length3(sp_cross3(l.d, m.d)) > PARALLEL)) {
            continue;
        }
        sp_lines_nearest(l.at, l.d, m.at, m.d, &at, &on);
        sp_offer o = {.n = n};
        o.side[0] = round_side(a, &l, at, SP_ROUND_SIDE);
        o.side[1] = round_side(b, &m, on, feature);
        o.x = sp_axpy3(sp_axpy3(l.at, at, l.d), o.side[0].r, n);
        o.y = sp_axpy3(sp_axpy3(m.at, on, m.d), -o.side[1].r, n);
        o.reach = fmin(fmin(at, a->length - at), fmin(on, b->length - on));
        sp_round_take(s, &o);
    }
}

void sp_round_offer(sp_round_scene *s)
{
    if (s->core) {
        core_on_disc(s);
        disc_on_core(s);
        return;
    }
    disc_on_disc(s, (part){&s->a, false}, &s->b);
    disc_on_disc(s, (part){&s->b, true}, &s->a);
    for (int i = 0; i < s->a.n_rim; i++) {
        for (int j = 0; j < s->b.n_rim; j++) {
            rim_on_rim(s, i, j);
        }
    }
    side_on_side(s);
    s->far = s->task != SP_ROUND_HOLD && s->best_s < 0.0;
    for (int i = 0; s->far && i < 2; i++) {
        if (i < s->a.n_rim) {
            rim_on_side(s, (part){&s->a, false}, &s->b, i);
        }
        if (i < s->b.n_rim) {
            rim_on_side(s, (part){&s->b, true}, &s->a, i);
        }
        for (int j = 0; i < s->a.n_rim && j < s->b.n_rim; j++) {
            rim_on_rim(s, i, j);
        }
    }
    s->far = false;
}

void sp_round_crossings(sp_round_scene *s)
{
    const double up = sp_inner3(s->best.n, s->b.axis);
    if (fabs(up) < SP_LIES_ON) {
        return;
    }
    const int j = s->b.n_rim == 2 && up > 0.0;
    for (int e = 0; s->core && e < s->core->h->n_edge; e++) {
        const line l = line_of(s->core, e);
        line_over_rim(s, &l, j);
    }
    for (int i = 0; !s->core && i < s->a.n_rim; i++) {
        rim_over_rim(s, i, j);
    }
}
