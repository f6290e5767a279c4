#include "contact/curve_pair.h"

#include <math.h>

enum { NEWTON_MAX = 40, START_MAX = 3 };
enum { ALONG, AT_LO, AT_HI }; /* features of a curve: itself, and its ends as corners */

/* Two nearest points, world. */
typedef struct meeting {
    double g;
    sp_vec n;        /* out of b towards a                                            */
    sp_vec point[2]; /* on a and b                                                    */
    double bend[2];  /* curvatures, of convex material positive                       */
    bool corner[2];  /* the end of a curve: no curvature, n is the way to it          */
    int feature;     /* of the curve that a disc is on: the nearest                   */
    double reach;    /* how far it is from the end of that, or of what it is held at  */
} meeting;

/* A curve and where its body is. */
typedef struct side {
    const sp_curve *curve;
    const sp_frame *frame;
} side;

static side side_of(const sp_model *m, const sp_con *con, int contour)
{
    const sp_contour *c = &m->contour[contour];
    return (side){m->curve[c->form - 1], &con->kin->frame[c->body]};
}

/* ---- disc on a curve ---------------------------------------------------------------------------
 */

/* The point nearest to x, of a whole curve or of the stretches that belong to a slot. */
static bool nearest(const sp_curve *c, const sp_slot *s, sp_vec x, double *work,
                    sp_curve_foot *foot)
{
    sp_curve_search search = {.nearest = true, .x = x, .least = INFINITY};
    if (!s || !s->places) {
        return sp_curve_nearest(c, x, work, foot);
    }
    const bool found = sp_places_look(s->places, s->part, work, &search);
    *foot = search.foot;
    return found;
}

/* The end of a curve that a parameter is at, if any. */
static int feature_at(const sp_curve *c, double s)
{
    return c->closed || (s > c->lo && s < c->hi) ? ALONG : s <= c->lo ? AT_LO : AT_HI;
}

#define NARROWS 0.1 /* the material of an open curve, on each side, of its depth   (48.2b) */

/* Whether a point at this depth below an open curve is beyond its material, which is between lines
 * at about right angles to the chord from end to end.   theory (48.2b) */
static bool is_beyond(const sp_curve *c, sp_vec x, double depth)
{
    const sp_vec lo = c->sample[0].r, chord = sp_sub(c->sample[c->n_sample - 1].r, lo);
    const double length = sp_length(chord), along = sp_inner(chord, sp_sub(x, lo)) / length;
    return !(along >= NARROWS * depth && along <= length - NARROWS * depth);
}

/* The way from a point of a curve to the nearer one of its ends. */
static double from_ends(const sp_curve *c, sp_vec x)
{
    const double lo = sp_length(sp_sub(x, c->sample[0].r));
    const double hi = sp_length(sp_sub(x, c->sample[c->n_sample - 1].r));
    return c->closed ? INFINITY : fmin(lo, hi);
}

/* How deep something at a foot of an open curve still counts as in its material, wherever that is:
 * as deep as the disc reaches, a point as far as the next end is.   theory (48.2b), (54.5) */
static double reach_of(const sp_curve *c, sp_vec foot, double radius)
{
    return radius > 0.0 ? radius : from_ends(c, foot);
}

/* Whether x is in the material by the place of all that is nearest to it. */
static bool is_behind(const sp_curve *c, const sp_curve_foot *nearest, sp_vec x, double radius,
                      double *work)
{
    sp_curve_at p;
    if (feature_at(c, nearest->s) != ALONG || !sp_curve_eval(c, nearest->s, work, &p)) {
        return false;
    }
    const sp_vec way = sp_sub(x, p.r);
    const double depth = sp_length(way);
    return sp_inner(p.n, way) < 0.0 &&
           (c->closed || depth <= reach_of(c, p.r, radius) || !is_beyond(c, x, depth));
}

/* Whether the centre of a disc is in the material; foot: the nearest place of the whole curve, or,
 * of a slot with places, of that slot. */
static bool is_inside(const sp_curve *c, const sp_slot *s, const sp_curve_foot *foot, sp_vec x,
                      double radius, double *work)
{
    sp_curve_search all = {.nearest = true, .x = x, .least = INFINITY};
    if (!s->places) {
        return is_behind(c, foot, x, radius, work);
    }
    for (int slot = 0; slot < s->places->n; slot++) {
        sp_places_look(s->places, slot, work, &all);
    }
    return is_behind(c, &all.foot, x, radius, work);
}

/* A disc at this height over a place of the curve, n out of it (both in the frame of its body). */
static void stand(side b, sp_vec place, sp_vec n, double height, double radius, meeting *out)
{
    out->g = height - radius;
    out->n = sp_rotate(b.frame->R, n);
    out->bend[0] = 0.0;
    out->corner[0] = false;
    out->point[1] = sp_kin_place(b.frame, place);
    out->point[0] = sp_axpy(out->point[1], out->g, out->n);
}

/* A disc that is held at an end as a corner: it is there as long as its centre is beyond the end.
 * theory (54.8) */
static bool meet_end(sp_vec own, double radius, side b, int feature, double *work, meeting *out)
{
    const sp_curve *c = b.curve;
    sp_curve_at p;
    if (!sp_curve_eval(c, feature == AT_LO ? c->lo : c->hi, work, &p)) {
        return false;
    }
    const sp_vec way = sp_sub(own, p.r);
    const double distance = sp_length(way), along = sp_inner(p.t, way);
    out->corner[1] = distance > 0.0;
    out->bend[1] = 0.0;
    out->feature = feature;
    out->reach = feature == AT_LO ? -along : along;
    stand(b, p.r, out->corner[1] ? sp_scale(1.0 / distance, way) : p.n, distance, radius, out);
    return true;
}

/* A disc that is held at a curve and has come past its end p: the curve goes on as its circle of
 * curvature there.  False if the centre is at the middle of that.   theory (54.7) */
static bool meet_past_end(sp_vec own, double radius, side b, const sp_curve_at *p, meeting *out)
{
    const sp_vec way = sp_sub(own, p->r);
    const double k = p->curvature, x = sp_inner(p->t, way), y = sp_inner(p->n, way);
    const double far = hypot(1.0 + k * y, k * x);
    if (!(1.0 + k * y > 1e-3)) {
        return false;
    }
    const double height = (k * (x * x + y * y) + 2.0 * y) / (1.0 + far);
    const sp_vec n = sp_scale(1.0 / far, sp_axpy(sp_scale(1.0 + k * y, p->n), k * x, p->t));
    out->corner[1] = false;
    out->bend[1] = k;
    out->reach = -fabs(x);
    stand(b, sp_axpy(own, -height, n), n, height, radius, out);
    return true;
}

/* Centre and radius of the disc against the point of the curve nearest to it; s: of a slot's
 * places, NULL: of all, whose back is material everywhere.  A place of a slot that is seen from
 * behind is a corner, unless the centre is in the material.  held: a feature that it stays at, plus
 * 1.   theory (20.16), (48.2a) */
static bool meet_disc(sp_vec center, double radius, side b, const sp_slot *s, int held,
                      double *work, meeting *out)
{
    const sp_vec own = sp_rotate_back(b.frame->R, sp_sub(center, b.frame->x));
    sp_curve_foot foot;
    sp_curve_at p;
    if (held > 1 + ALONG) {
        return meet_end(own, radius, b, held - 1, work, out);
    }
    if (!nearest(b.curve, s, own, work, &foot) || !sp_curve_eval(b.curve, foot.s, work, &p)) {
        return false;
    }
    out->feature = feature_at(b.curve, foot.s);
    if (held > 0 && out->feature != ALONG && meet_past_end(own, radius, b, &p, out)) {
        return true;
    }
    const sp_vec way = sp_sub(own, p.r);
    const double height = sp_inner(p.n, way);
    const bool behind = s && height < 0.0;
    const bool inside = behind && is_inside(b.curve, s, &foot, own, radius, work);
    const double distance = inside ? -sp_length(way) : sp_length(way);
    out->corner[1] = (foot.end != 0 || (behind && distance > 0.0)) && distance != 0.0;
    out->bend[1] = p.curvature;
    out->reach = from_ends(b.curve, p.r);
    stand(b, p.r, out->corner[1] ? sp_scale(1.0 / distance, way) : p.n,
          out->corner[1] ? distance : height, radius, out);
    return true;
}

/* ---- curve on a line
 * ----------------------------------------------------------------------------- */

/* The point farthest along e, of a whole curve or of the stretches that belong to a slot. */
static bool farthest(const sp_curve *c, const sp_slot *s, sp_vec e, double *work,
                     sp_curve_foot *foot)
{
    sp_curve_search search = {.nearest = false, .e = e, .least = INFINITY};
    if (!s->places) {
        return sp_curve_farthest(c, e, work, foot);
    }
    const bool found = sp_places_look(s->places, s->part, work, &search);
    *foot = search.foot;
    return found;
}

/* The point of curve a farthest against the normal n of a line through x.   theory (20.17) */
static bool meet_line(side a, const sp_slot *s, sp_vec n, sp_vec x, double *work, meeting *out)
{
    const sp_vec down = sp_scale(-1.0, sp_rotate_back(a.frame->R, n));
    sp_curve_foot foot;
    sp_curve_at p;
    if (!farthest(a.curve, s, down, work, &foot) || !sp_curve_eval(a.curve, foot.s, work, &p)) {
        return false;
    }
    out->n = n;
    out->point[0] = sp_kin_place(a.frame, p.r);
    out->g = sp_inner(n, sp_sub(out->point[0], x));
    out->point[1] = sp_axpy(out->point[0], -out->g, n);
    out->bend[0] = p.curvature;
    out->bend[1] = 0.0;
    out->corner[0] = foot.end != 0;
    out->corner[1] = false;
    return true;
}

/* ---- two curves
 * ---------------------------------------------------------------------------------- */

/* Both curves at parameters s, in the world. */
typedef struct look {
    sp_curve_at p[2];
    double g, facing, f, h; /* gap; -n_a.n_b; n_a along t_b; r_a - r_b along t_b */
} look;

static bool look_at(const side c[2], const double s[2], double *work, look *l)
{
    for (int k = 0; k < 2; k++) {
        sp_curve_at *p = &l->p[k];
        if (!sp_curve_eval(c[k].curve, s[k], work, p)) {
            return false;
        }
        p->r = sp_kin_place(c[k].frame, p->r);
        p->t = sp_rotate(c[k].frame->R, p->t);
        p->n = sp_rotate(c[k].frame->R, p->n);
    }
    const sp_vec way = sp_sub(l->p[0].r, l->p[1].r);
    l->g = sp_inner(l->p[1].n, way);
    l->facing = -sp_inner(l->p[0].n, l->p[1].n);
    l->f = sp_inner(l->p[0].n, l->p[1].t);
    l->h = sp_inner(way, l->p[1].t);
    return true;
}

/* Move a parameter by a way along the curve, no farther than the normal turns by 0.6 rad. */
static void advance(const sp_curve *c, const sp_curve_at *p, double way, double *s)
{
    const double turn = fabs(p->curvature * way), part = turn > 0.6 ? 0.6 / turn : 1.0;
    *s = sp_curve_wrap(c, *s + part * way / p->speed);
}

/* Newton on [Pfeiffer99 eq 26]: with c = t_b.t_a,                                 theory (20.18)
 *
 *     (k_a (1 + g k_b) + facing k_b) x_b = k_a h - f,     c x_a = (1 + g k_b) x_b - h
 *
 * False if it goes astray, an open curve ends before, or it is no contact. */
static bool follow(const side c[2], const double start[2], double size, double *work, look *l)
{
    double s[2] = {start[0], start[1]}, last = INFINITY;
    for (int k = 0; k < NEWTON_MAX; k++) {
        if (!look_at(c, s, work, l) || !(l->facing > 0.1)) {
            return false;
        }
        const double residual = fmax(fabs(l->f), fabs(l->h) / size);
        const double k_a = l->p[0].curvature, k_b = l->p[1].curvature, reach = 1.0 + l->g * k_b;
        if (residual < 1e-15 || (residual < 1e-9 && residual >= 0.5 * last)) {
            return reach > 1e-6 && k_a * reach + k_b > 0.0;
        }
        last = residual;
        const double A = k_a * reach + l->facing * k_b, right = k_a * l->h - l->f;
        const double x_b = A * right / (A * A + 1e-24 * (k_a * k_a + k_b * k_b) + 1e-300);
        const double x_a = (reach * x_b - l->h) / sp_inner(l->p[0].t, l->p[1].t);
        advance(c[0].curve, &l->p[0], x_a, &s[0]);
        advance(c[1].curve, &l->p[1], x_b, &s[1]);
    }
    return false;
}

/* For every sample of a the nearest of b; the best ones that are apart on a, and the smallest
 * distance of all. */
static int find_starts(const side c[2], double start[START_MAX][2], double *smallest)
{
    const sp_curve *a = c[0].curve, *b = c[1].curve;
    double score[START_MAX];
    int n = 0;
    *smallest = INFINITY;
    for (int i = 0; i < a->n_sample; i++) {
        const sp_vec world = sp_kin_place(c[0].frame, a->sample[i].r);
        const sp_vec r = sp_rotate_back(c[1].frame->R, sp_sub(world, c[1].frame->x));
        double least = INFINITY, at = 0.0;
        for (int j = 0; j < b->n_sample; j++) {
            const sp_vec d = sp_sub(b->sample[j].r, r);
            const double square = sp_inner(d, d);
            at = square < least ? b->sample[j].s : at;
            least = square < least ? square : least;
        }
        *smallest = fmin(*smallest, sqrt(least));
        int k = 0; /* a place in the list: that of a start nearby, a free one, or the worst */
        while (k < n && fabs(start[k][0] - a->sample[i].s) > 0.2 * (a->hi - a->lo)) {
            k++;
        }
        if (k == START_MAX) {
            k = 0;
            for (int w = 1; w < n; w++) {
                k = score[w] > score[k] ? w : k;
            }
        }
        if (k == n || least < score[k]) {
            n = k == n ? n + 1 : n;
            score[k] = least;
            start[k][0] = a->sample[i].s;
            start[k][1] = at;
        }
    }
    return n;
}

/* The nearest points found so far: of all, and of those that penetrate. */
typedef struct best {
    meeting all, deep;
    bool any, any_deep;
} best;

static void keep(const meeting *found, best *b)
{
    if (!b->any || fabs(found->g) < fabs(b->all.g)) {
        b->all = *found;
        b->any = true;
    }
    if (found->g <= 0.0 && (!b->any_deep || found->g > b->deep.g)) {
        b->deep = *found;
        b->any_deep = true;
    }
}

/* Ends of an open curve as corners against the other curve; swap: they belong to b. */
static void meet_ends(side ends, side other, bool swap, double *work, best *b)
{
    for (int k = 0; k < 2 && !ends.curve->closed; k++) {
        const sp_vec end = ends.curve->sample[k == 0 ? 0 : ends.curve->n_sample - 1].r;
        meeting l;
        if (!meet_disc(sp_kin_place(ends.frame, end), 0.0, other, NULL, 0, work, &l)) {
            continue;
        }
        l.corner[0] = true;
        if (swap) {
            const meeting m = l;
            l.n = sp_scale(-1.0, m.n);
            l.point[0] = m.point[1];
            l.point[1] = m.point[0];
            l.corner[0] = m.corner[1];
            l.corner[1] = true;
            l.bend[0] = m.bend[1];
        }
        keep(&l, b);
    }
}

/* The nearest of all pairs of points found, ends among them.  Where two samples are nearer than
 * that, the curves cross and the least penetration counts.  False if there is none. */
static bool meet_curve(const side c[2], double *work, meeting *out)
{
    const double size = fmin(c[0].curve->size, c[1].curve->size);
    double start[START_MAX][2], least;
    const int n = find_starts(c, start, &least);
    best b = {.any = false};
    for (int k = 0; k < n; k++) {
        look l;
        if (follow(c, start[k], size, work, &l)) {
            const meeting found = {.g = l.g,
                                   .n = l.p[1].n,
                                   .point = {sp_axpy(l.p[1].r, l.g, l.p[1].n), l.p[1].r},
                                   .bend = {l.p[0].curvature, l.p[1].curvature}};
            keep(&found, &b);
        }
    }
    meet_ends(c[0], c[1], false, work, &b);
    meet_ends(c[1], c[0], true, work, &b);
    const bool crossing = b.any && b.all.g > least * (1.0 + 1e-9);
    *out = crossing ? b.deep : b.all;
    return crossing ? b.any_deep : b.any;
}

/* ---- slots
 * --------------------------------------------------------------------------------------- */

static bool meet(const sp_model *m, const sp_numbers *num, const sp_con *con, int slot,
                 meeting *out)
{
    const sp_slot *s = &m->slot[slot];
    const sp_frame *frame = con->kin->frame, *b = &frame[s->body_b];
    if (s->kind == SP_SLOT_CURVE) {
        const sp_vec center = sp_kin_place(&frame[s->body_a], sp_vec_of(num->vertex[s->vertex_a]));
        return meet_disc(center, num->radius[s->vertex_a], side_of(m, con, s->contour_b), s,
                         con->hold ? con->hold[slot] : 0, con->work, out);
    }
    const side a = side_of(m, con, s->contour_a);
    if (s->kind == SP_SLOT_CURVE_LINE) {
        const sp_vec n = sp_rotate(b->R, sp_vec_of(num->contour[s->contour_b].normal));
        const sp_vec x = sp_kin_place(b, sp_vec_of(num->vertex[m->contour[s->contour_b].vertex]));
        return meet_line(a, s, n, x, con->work, out);
    }
    const side both[2] = {a, side_of(m, con, s->contour_b)};
    return meet_curve(both, con->work, out);
}

double sp_curve_gap(const sp_model *m, const sp_numbers *num, const sp_con *con, int slot,
                    int *feature)
{
    meeting l = {.feature = ALONG};
    const bool found = meet(m, num, con, slot, &l);
    *feature = l.feature;
    return found ? l.g : NAN;
}

bool sp_curve_has_ends(const sp_model *m, int slot)
{
    const sp_slot *s = &m->slot[slot];
    return s->kind == SP_SLOT_CURVE && !m->curve[m->contour[s->contour_b].form - 1]->closed;
}

double sp_curve_reach(const sp_model *m, const sp_numbers *num, const sp_con *con, int slot)
{
    meeting l = {.reach = 0.0};
    return meet(m, num, con, slot, &l) ? l.reach : NAN;
}

int sp_curve_beyond(const sp_model *m, const sp_numbers *num, const sp_con *con, int slot)
{
    const sp_curve *c = m->curve[m->contour[m->slot[slot].contour_b].form - 1];
    meeting l;
    if (con->hold[slot] != 1 + ALONG || !meet(m, num, con, slot, &l)) {
        return ALONG;
    }
    const sp_frame *b = &con->kin->frame[m->slot[slot].body_b];
    const sp_vec lo = sp_kin_place(b, c->sample[0].r);
    const sp_vec hi = sp_kin_place(b, c->sample[c->n_sample - 1].r);
    return sp_length(sp_sub(l.point[1], lo)) < sp_length(sp_sub(l.point[1], hi)) ? AT_LO : AT_HI;
}

/* Radius of curvature; a part that is flat counts as bent a little, a millionth of the size. */
static double radius_of(double bend, double size)
{
    const double least = 1e-6 / size;
    return 1.0 / (fabs(bend) > least ? bend : least);
}

void sp_curve_frame(const sp_model *m, const sp_numbers *num, const sp_con *con, int slot,
                    sp_contact_frame *f)
{
    const sp_slot *s = &m->slot[slot];
    meeting l;
    if (!meet(m, num, con, slot, &l)) {
        l = (meeting){.g = NAN, .n = {0.0, 1.0}};
    }
    const bool disc = s->kind == SP_SLOT_CURVE;
    f->g_N = l.g;
    f->n = l.n;
    f->feature = 0;
    f->point[0] = l.point[0];
    f->point[1] = l.point[1];
    f->radius = disc ? num->radius[s->vertex_a]
                : l.corner[0]
                    ? 0.0
                    : radius_of(l.bend[0], m->curve[m->contour[s->contour_a].form - 1]->size);
    f->center = sp_axpy(l.point[0], f->radius, l.n);
    const double distance = l.g + f->radius; /* of a's centre from b's point */
    const double bent = 1.0 + l.bend[1] * distance;
    f->inv_distance = l.corner[1] ? 1.0 / distance : fabs(bent) > 1e-12 ? l.bend[1] / bent : 0.0;
}
