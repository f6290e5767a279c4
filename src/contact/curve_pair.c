#include "contact/curve_pair.h"

#include "contact/curve_parts.h"
#include "contact/edges.h"
#include "contact/skin.h"
#include "model/teeth.h"

#include <math.h>

static sp_curve_side side_of(const sp_model *m, const sp_numbers *num, const sp_con *con,
                             int contour)
{
    return (sp_curve_side){sp_skin_curve(m, con, contour),
                           sp_skin_is(con, contour)
                               ? sp_skin_pose(con->kin, m->contour[contour].body)
                               : sp_mark_pose2(con->kin, &num->contour[contour].mark)};
}

/* The end of a curve that a parameter is at, if any. */
static int feature_at(const sp_curve *c, double s)
{
    return c->closed || (s > c->lo && s < c->hi) ? SP_CURVE_ALONG
           : s <= c->lo                          ? SP_CURVE_AT_LO
                                                 : SP_CURVE_AT_HI;
}

/* ---- places of a slot ------------------------------------------------------------------------ */

/* The way from one place of a curve to another. */
static double way_between(const sp_curve *c, double from, double to, double *work)
{
    sp_curve_at a, b;
    return sp_curve_eval(c, from, work, &a) && sp_curve_eval(c, to, work, &b)
               ? sp_length(sp_sub(b.r, a.r))
               : 0.0;
}

/* The best place on the stretches of a slot; one that is followed goes on over the seam that it is
 * at.   theory (58.1), (58.2) */
static bool look(const sp_slot *s, bool followed, double *work, sp_curve_search *search,
                 sp_meeting *out)
{
    const sp_curve *c = s->places->curve;
    if (!sp_places_look(s->places, s->part, work, search)) {
        return false;
    }
    const sp_curve_foot seam = search->foot;
    if (seam.end == 0 || feature_at(c, seam.s) != SP_CURVE_ALONG) {
        return true;
    }
    out->beyond = sp_places_beyond(s->places, search->on, seam.end) + 1;
    if (followed && !sp_curve_walk(c, seam.s, seam.end, work, search)) {
        return false;
    }
    out->past = followed ? way_between(c, seam.s, search->foot.s, work) : 0.0;
    return true;
}

#define LEVEL                                                                                      \
    1e-9 /* rad by which what is seen from a seam is off the normal there: a place of both */

/* Whether a seam is no corner for what is seen in a direction: the curve goes on at right angles to
 * it. */
static bool is_along(sp_vec t, sp_vec direction)
{
    return fabs(sp_inner(t, direction)) <= LEVEL * sp_length(direction);
}

/* ---- disc on a curve ------------------------------------------------------------------------- */

/* The point nearest to x, of a whole curve or of the stretches that belong to a slot. */
static bool nearest(const sp_curve *c, const sp_slot *s, sp_vec x, bool followed, double *work,
                    sp_curve_foot *foot, sp_meeting *out)
{
    sp_curve_search search = {.nearest = true, .x = x, .least = INFINITY};
    if (!s || !s->places) {
        return sp_curve_nearest(c, x, work, foot);
    }
    const bool found = look(s, followed, work, &search, out);
    *foot = search.foot;
    return found;
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

/* How deep the material behind the side of a beam is: down to the axis, behind the axis itself a
 * tenth of the length.   theory (98.5) */
static double depth_of_beam(const sp_curve *c)
{
    return c->height != 0.0 ? fabs(c->height) : 0.1 * c->hi;
}

bool sp_curve_is_behind(const sp_curve *c, const sp_curve_foot *nearest, sp_vec x, double radius,
                        double *work)
{
    sp_curve_at p;
    if (feature_at(c, nearest->s) != SP_CURVE_ALONG || !sp_curve_eval(c, nearest->s, work, &p)) {
        return false;
    }
    const sp_vec way = sp_sub(x, p.r);
    const double depth = sp_length(way);
    if (c->kind == SP_CURVE_BENT) {
        return sp_inner(p.n, way) < 0.0 && depth <= fmax(radius, depth_of_beam(c));
    }
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
        return sp_curve_is_behind(c, foot, x, radius, work);
    }
    for (int slot = 0; slot < s->places->n; slot++) {
        sp_places_look(s->places, slot, work, &all);
    }
    return sp_curve_is_behind(c, &all.foot, x, radius, work);
}

/* A disc at this height over a place of the curve, n out of it (both in the frame of its body). */
static void stand(sp_curve_side b, sp_vec place, sp_vec n, double height, double radius,
                  sp_meeting *out)
{
    out->g = height - radius;
    out->n = sp_rotate(b.frame.R, n);
    out->bend[0] = 0.0;
    out->corner[0] = false;
    out->point[1] = sp_pose2_place(&b.frame, place);
    out->point[0] = sp_axpy(out->point[1], out->g, out->n);
}

/* A disc that is held at an end as a corner: it is there as long as its centre is beyond the end.
 * theory (54.8) */
static bool meet_end(sp_vec own, double radius, sp_curve_side b, int feature, double *work,
                     sp_meeting *out)
{
    const sp_curve *c = b.curve;
    sp_curve_at p;
    if (!sp_curve_eval(c, feature == SP_CURVE_AT_LO ? c->lo : c->hi, work, &p)) {
        return false;
    }
    const sp_vec way = sp_sub(own, p.r);
    const double distance = sp_length(way), along = sp_inner(p.t, way);
    out->corner[1] = distance > 0.0;
    out->bend[1] = 0.0;
    out->feature = feature;
    out->reach = feature == SP_CURVE_AT_LO ? -along : along;
    stand(b, p.r, out->corner[1] ? sp_scale(1.0 / distance, way) : p.n, distance, radius, out);
    return true;
}

/* A disc that is held at a curve and has come past its end p: the curve goes on as its circle of
 * curvature there.  False if the centre is at the middle of that.   theory (54.7) */
static bool meet_past_end(sp_vec own, double radius, sp_curve_side b, const sp_curve_at *p,
                          sp_meeting *out)
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

#define FAR 2.0 /* tip radii of a sprocket: from there on it is round   (70.16) */

/* A disc far from a sprocket is over the circle through its tips. */
static bool meet_far(sp_vec own, double radius, sp_curve_side b, sp_meeting *out)
{
    const sp_curve *c = b.curve;
    if (c->kind != SP_CURVE_TEETH) {
        return false;
    }
    const sp_vec way = sp_sub(own, c->at);
    const double far = sp_length(way), tip = c->teeth->tip;
    if (!(far > FAR * tip)) {
        return false;
    }
    const sp_vec n = sp_scale(1.0 / far, way);
    out->feature = SP_CURVE_ALONG;
    out->corner[1] = false;
    out->bend[1] = 1.0 / tip;
    out->reach = INFINITY;
    stand(b, sp_axpy(c->at, tip, n), n, far - tip, radius, out);
    return true;
}

bool sp_curve_meet_disc(sp_vec center, double radius, sp_curve_side b, const sp_slot *s, int held,
                        double *work, sp_meeting *out)
{
    const sp_vec own = sp_rotate_back(b.frame.R, sp_sub(center, b.frame.x));
    sp_curve_foot foot;
    sp_curve_at p;
    out->beyond = 0;
    out->past = 0.0;
    if (held > 1 + SP_CURVE_ALONG) {
        return meet_end(own, radius, b, held - 1, work, out);
    }
    if (meet_far(own, radius, b, out)) {
        return true;
    }
    if (!nearest(b.curve, s, own, held != 0, work, &foot, out) ||
        !sp_curve_eval(b.curve, foot.s, work, &p)) {
        return false;
    }
    out->feature = feature_at(b.curve, foot.s);
    if (held > 0 && out->feature != SP_CURVE_ALONG && meet_past_end(own, radius, b, &p, out)) {
        return true;
    }
    const sp_vec way = sp_sub(own, p.r);
    const double height = sp_inner(p.n, way);
    const bool ends = foot.end != 0 && !(out->beyond > 0 && is_along(p.t, way));
    const bool behind = s && height < 0.0;
    const bool inside = behind && is_inside(b.curve, s, &foot, own, radius, work);
    const double distance = inside ? -sp_length(way) : sp_length(way);
    const bool back = behind && distance > 0.0; /* hollow from there, where it bulges */
    out->corner[1] = ends && distance != 0.0;
    out->bend[1] = back ? -p.curvature : p.curvature;
    out->reach = from_ends(b.curve, p.r);
    const bool along_way = out->corner[1] || back;
    stand(b, p.r, along_way ? sp_scale(1.0 / distance, way) : p.n, along_way ? distance : height,
          radius, out);
    return true;
}

/* ---- curve on a line
 * ----------------------------------------------------------------------------- */

/* The point farthest along e, of a whole curve or of the stretches that belong to a slot. */
static bool farthest(const sp_curve *c, const sp_slot *s, sp_vec e, bool followed, double *work,
                     sp_curve_foot *foot, sp_meeting *out)
{
    sp_curve_search search = {.nearest = false, .e = e, .least = INFINITY};
    if (!s->places) {
        return sp_curve_farthest(c, e, work, foot);
    }
    const bool found = look(s, followed, work, &search, out);
    *foot = search.foot;
    return found;
}

bool sp_curve_meet_line(sp_curve_side a, const sp_slot *s, sp_vec n, sp_vec x, bool followed,
                        double *work, sp_meeting *out)
{
    const sp_vec down = sp_scale(-1.0, sp_rotate_back(a.frame.R, n));
    sp_curve_foot foot;
    sp_curve_at p;
    out->beyond = 0;
    out->past = 0.0;
    if (!farthest(a.curve, s, down, followed, work, &foot, out) ||
        !sp_curve_eval(a.curve, foot.s, work, &p)) {
        return false;
    }
    out->n = n;
    out->point[0] = sp_pose2_place(&a.frame, p.r);
    out->g = sp_inner(n, sp_sub(out->point[0], x));
    out->point[1] = sp_axpy(out->point[0], -out->g, n);
    out->at_end = feature_at(a.curve, foot.s) != SP_CURVE_ALONG;
    out->back = sp_inner(p.n, down) < 0.0;
    out->bend[0] = out->back ? -p.curvature : p.curvature;
    out->bend[1] = 0.0;
    out->corner[0] = foot.end != 0 && !(out->beyond > 0 && is_along(p.t, down));
    out->corner[1] = false;
    return true;
}

/* ---- slots
 * --------------------------------------------------------------------------------------- */

/* What the place of a slot is held at, plus 1; SP_CURVE_FOLLOWED: it is the contact of before,
 * wherever on the curve that goes. */
static int held_of(const sp_con *con, int slot)
{
    return con->hold ? con->hold[slot] : con->hint[slot] > 0 ? SP_CURVE_FOLLOWED : 0;
}

static sp_curve_edges edges_of(const sp_model *m, const sp_numbers *num, const sp_con *con,
                               int slot)
{
    const sp_slot *s = &m->slot[slot];
    return (sp_curve_edges){.a = side_of(m, num, con, s->contour_a),
                            .b = &m->contour[s->contour_b],
                            .vertex = con->vertex,
                            .slot = s,
                            .held = held_of(con, slot),
                            .work = con->work};
}

static bool meet(const sp_model *m, const sp_numbers *num, const sp_con *con, int slot,
                 sp_meeting *out)
{
    const sp_slot *s = &m->slot[slot];
    const int held = held_of(con, slot);
    if (s->kind == SP_SLOT_CURVE) {
        const sp_pose2 p = sp_mark_pose2(con->kin, &num->contour[s->contour_a].mark);
        const sp_vec center = sp_pose2_place(&p, sp_vec_of(num->vertex[s->vertex_a]));
        return sp_curve_meet_disc(center, num->radius[s->vertex_a],
                                  side_of(m, num, con, s->contour_b), s, held, con->work, out);
    }
    const sp_curve_side a = side_of(m, num, con, s->contour_a);
    if (s->kind == SP_SLOT_CURVE_LINE) {
        const sp_pose2 b = sp_mark_pose2(con->kin, &num->contour[s->contour_b].mark);
        const sp_vec n = sp_rotate(b.R, sp_vec_of(num->contour[s->contour_b].normal));
        const sp_vec x =
            sp_pose2_place(&b, sp_vec_of(num->vertex[m->contour[s->contour_b].vertex]));
        return sp_curve_meet_line(a, s, n, x, held != 0, con->work, out);
    }
    if (s->kind == SP_SLOT_CURVE_EDGES) {
        const sp_curve_edges e = edges_of(m, num, con, slot);
        return sp_curve_meet_edges(&e, out);
    }
    const sp_curve_side both[2] = {a, side_of(m, num, con, s->contour_b)};
    return sp_curve_meet_two(both, s, held != 0, con->work, out);
}

#define PASSED 1e-9 /* m past a seam: a place that is so far is handed on        (58.4) */
#define SAME   1e-6 /* of a curve's size: places that are nearer are one         (58.3) */

/* Which side of a slot has its places: of points on the other one, two that are apart on the curve
 * may be one.   theory (58.3) */
static int side_with_places(const sp_model *m, const sp_slot *s)
{
    const bool first = s->kind == SP_SLOT_CURVE_LINE || s->kind == SP_SLOT_CURVE_EDGES ||
                       (s->kind == SP_SLOT_CURVES &&
                        !sp_curve_is_round(m->curve[m->contour[s->contour_a].form - 1]));
    return first ? 0 : 1;
}

double sp_curve_gap(const sp_model *m, const sp_numbers *num, sp_con *con, int slot)
{
    sp_meeting l = {.feature = SP_CURVE_ALONG};
    const bool found = meet(m, num, con, slot, &l);
    const bool is_here = held_of(con, slot) != 0 && !(l.past > PASSED);
    con->feature[slot] = l.feature;
    con->beyond[slot] = found && !is_here ? l.beyond : 0;
    con->place[slot] = l.point[side_with_places(m, &m->slot[slot])];
    con->barred[slot] = l.barred;
    return found ? l.g : NAN;
}

/* Whether two slots of one pair are at the same place. */
static bool is_same(const sp_con *con, int i, int j, double size)
{
    return sp_length(sp_sub(con->place[i], con->place[j])) <= SAME * size;
}

/* Size of the curve whose places are those of the slots of a pair. */
static double size_of(const sp_model *m, const sp_slot *s)
{
    const int side = side_with_places(m, s);
    return m->curve[m->contour[side == 0 ? s->contour_a : s->contour_b].form - 1]->size;
}

/* Whether a slot that is not held has no contact of its own: another one of its pair has the place,
 * or the place is at a seam and the nearer ones are behind it.  Of two that are not held and have
 * the same place the first has it.   theory (58.3) */
static bool is_aside(const sp_model *m, const sp_con *con, int slot)
{
    const sp_slot *s = &m->slot[slot];
    const int first = slot - s->part;
    const double size = size_of(m, s);
    bool aside = con->beyond[slot] > 0;
    for (int j = first; j < first + s->n_part; j++) {
        if (j == slot || con->barred[j] || !is_same(con, slot, j, size)) {
            continue;
        }
        if (held_of(con, j) != 0) {
            return true;
        }
        if (con->beyond[slot] > 0 && con->beyond[j] > 0) { /* both at one seam: a tie */
            aside = j < slot;
        } else if (j < slot && con->beyond[j] == 0 && !s->is.edged) {
            return true;
        }
    }
    return aside;
}

/* Whether a slot that stands aside does so for one that is held: that has its place, or is the one
 * behind the seam. */
static bool is_for_held(const sp_model *m, const sp_con *con, int slot)
{
    const sp_slot *s = &m->slot[slot];
    const int first = slot - s->part;
    const double size = size_of(m, s);
    bool any = false;
    for (int j = first; j < first + s->n_part; j++) {
        const bool near = j == first + con->beyond[slot] - 1 || is_same(con, slot, j, size);
        any = any || (j != slot && held_of(con, j) != 0 && near);
    }
    return any;
}

void sp_curve_part_slots(const sp_model *m, int last, sp_con *con)
{
    const sp_slot *s = &m->slot[last];
    if (s->part + 1 < s->n_part || s->n_part < 2) {
        return;
    }
    for (int i = last - s->part; i <= last; i++) {
        con->aside[i] = held_of(con, i) == 0 && !con->barred[i] && is_aside(m, con, i);
        const bool hides = con->aside[i] && con->g[i] < SP_BESIDE &&
                           (con->g[i] > -SP_BESIDE || is_for_held(m, con, i));
        con->barred[i] = con->barred[i] || hides;
        con->g[i] = hides ? SP_BESIDE : con->g[i];
    }
}

bool sp_curve_has_seams(const sp_model *m, int slot)
{
    return m->slot[slot].is.curved && m->slot[slot].places != NULL && !m->slot[slot].is.edged;
}

bool sp_curve_has_ends(const sp_model *m, int slot)
{
    const sp_slot *s = &m->slot[slot];
    return s->kind == SP_SLOT_CURVE && !m->curve[m->contour[s->contour_b].form - 1]->closed;
}

double sp_curve_reach(const sp_model *m, const sp_numbers *num, const sp_con *con, int slot)
{
    const sp_slot *s = &m->slot[slot];
    sp_meeting l = {.reach = 0.0};
    if (s->kind != SP_SLOT_CURVE_EDGES && !sp_curve_has_ends(m, slot)) {
        return 1.0; /* held at the curve wherever it goes */
    }
    const bool point = s->kind == SP_SLOT_CURVE && !(num->radius[s->vertex_a] > 0.0);
    return !meet(m, num, con, slot, &l) ? NAN : point ? l.reach + 2.0 * SP_BESIDE : l.reach;
}

int sp_curve_beyond(const sp_model *m, const sp_numbers *num, const sp_con *con, int slot)
{
    const sp_slot *s = &m->slot[slot];
    if (s->kind == SP_SLOT_CURVE_EDGES) {
        const sp_curve_edges e = edges_of(m, num, con, slot);
        return sp_curve_next_edge(&e);
    }
    if (!(num->radius[s->vertex_a] > 0.0)) {
        return SP_NONE;
    }
    const sp_curve_side b = side_of(m, num, con, s->contour_b);
    const sp_curve *c = b.curve;
    sp_meeting l = {.feature = SP_CURVE_ALONG};
    if (con->hold[slot] != 1 + SP_CURVE_ALONG || !meet(m, num, con, slot, &l)) {
        return SP_CURVE_ALONG;
    }
    const sp_vec lo = sp_pose2_place(&b.frame, c->sample[0].r);
    const sp_vec hi = sp_pose2_place(&b.frame, c->sample[c->n_sample - 1].r);
    return sp_length(sp_sub(l.point[1], lo)) < sp_length(sp_sub(l.point[1], hi)) ? SP_CURVE_AT_LO
                                                                                 : SP_CURVE_AT_HI;
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
    sp_meeting l = {.feature = SP_CURVE_ALONG};
    if (!meet(m, num, con, slot, &l)) {
        l = (sp_meeting){.g = NAN, .n = {0.0, 1.0}};
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
    for (int k = 0; k < 2; k++) {
        if (sp_skin_is(con, k == 0 ? s->contour_a : s->contour_b)) {
            f->mark[k] = sp_skin_mark(m, con, slot, k, l.point[k]);
        }
    }
    const double distance = l.g + f->radius; /* of a's centre from b's point */
    const double bent = 1.0 + l.bend[1] * distance;
    f->inv_distance = l.corner[1]          ? (distance != 0.0 ? 1.0 / distance : 0.0)
                      : fabs(bent) > 1e-12 ? l.bend[1] / bent
                                           : 0.0;
}
