/* contact/curve_edges.c - a curve against a polygon or a segment.   theory (115.1)-(115.4)
 *
 * The curve touches an edge with the point that is farthest against its normal, or a corner with
 * the point that is nearest to that.  Of a curve that bulges everywhere one slot has both; else
 * hills touch edges, each with a slot of its own, and each corner has one for the whole curve. */
#include "base/worse.h"
#include "contact/curve_parts.h"
#include "contact/edges.h"

#include <math.h>

#define TIE 1e-9 /* of the size, or rad: level with an edge a corner can touch, too */

static const sp_slot whole = {.places = NULL}; /* all of a curve, with its back as it is */

/* A stretch of the curve, as if each had a slot of its own: a slot may have several, of which the
 * farthest along a line need not be what is over an edge. */
typedef struct stretch_view {
    sp_slot slot;
    sp_places places;
} stretch_view;

static void view(const sp_curve_edges *e, int stretch, stretch_view *v)
{
    v->slot = *e->slot;
    if (v->slot.places) {
        v->places = *v->slot.places;
        v->places.n = v->places.n_stretch;
        v->slot.places = &v->places;
        v->slot.part = stretch;
    }
}

/* Whether corners have slots of their own. */
static bool has_corner_slots(const sp_curve_edges *e)
{
    return e->slot->n_part > e->slot->n_hill;
}

/* Whether gap and reach of what was found are numbers. */
static bool is_finite(const sp_meeting *l)
{
    return isfinite(l->g) && isfinite(l->reach);
}

/* Where a stretch of the curve is over edge j as a line. */
static bool meet_edge(const sp_curve_edges *e, int stretch, int j, sp_meeting *out)
{
    const sp_edge edge = sp_edge_of(e->b, e->vertex, j);
    stretch_view v;
    view(e, stretch, &v);
    if (!sp_curve_meet_line(e->a, &v.slot, edge.n, edge.from, false, e->work, out)) {
        return false;
    }
    const double s = sp_inner(edge.along, sp_sub(out->point[1], edge.from));
    out->feature = j;
    out->reach = fmin(s, edge.length - s);
    return is_finite(out);
}

/* How far n, out of corner j, is inside the normals of the edges that end there: for each of the
 * two the sine of the angle times the size of the curve.   theory (115.2) */
static void sector(const sp_curve_edges *e, int j, sp_vec n, double inside[2])
{
    const sp_probe p = sp_probe_of(e->b, e->vertex, e->b->vertex + j, 0.0, 0);
    for (int k = 0; k < 2; k++) {
        inside[k] = e->a.curve->size * sp_inner(n, p.side[k]) / sp_length(p.side[k]);
    }
}

/* Where the curve is nearest to corner j. */
static bool meet_corner(const sp_curve_edges *e, int j, sp_meeting *out)
{
    const int held = e->held > 0 ? 1 + SP_CURVE_ALONG : 0;
    if (!sp_curve_meet_disc(e->vertex[e->b->vertex + j], 0.0, e->a, &whole, held, e->work, out)) {
        return false;
    }
    double inside[2];
    const double from_end = out->reach + 2.0 * SP_BESIDE;
    out->corner[0] = true;
    sp_curve_swap(out);
    sector(e, j, out->n, inside);
    out->feature = e->b->n_vertex + j;
    out->reach = fmin(from_end, fmin(inside[0], inside[1]));
    return is_finite(out);
}

/* Whether the curve bulges at its place, or ends there. */
static bool bulges(const sp_curve_edges *e, const sp_meeting *l)
{
    return l->corner[0] || l->bend[0] * e->a.curve->size > SP_PLACES_FLAT;
}

/* Whether a place under an edge is in the polygon, or in the strip behind a segment. */
static bool is_within(const sp_curve_edges *e, const sp_meeting *l)
{
    bool within = true;
    if (e->b->kind == SP_CONTOUR_SEGMENT) {
        return l->g >= -SP_STRIP * sp_edge_of(e->b, e->vertex, 0).length;
    }
    for (int j = 0; j < e->b->n_vertex && within; j++) {
        const sp_edge edge = sp_edge_of(e->b, e->vertex, j);
        within = j == l->feature ||
                 sp_inner(edge.n, sp_sub(l->point[0], edge.from)) <= TIE * edge.length;
    }
    return within;
}

/* Whether what was found at an edge is over it or as little under it, and faces it. */
static bool is_over(const sp_curve_edges *e, const sp_meeting *l)
{
    const bool stands = l->corner[0] ? l->at_end : !l->back; /* not where an arc is cut off */
    return stands && l->reach >= -SP_BESIDE && (l->g >= 0.0 || is_within(e, l));
}

/* Whether neither neighbour of a corner is nearer to the curve than it is. */
static bool is_ahead(const sp_curve_edges *e, const sp_meeting *l)
{
    double inside[2];
    sector(e, l->feature - e->b->n_vertex, l->n, inside);
    return fmin(inside[0], inside[1]) >= -TIE * e->a.curve->size;
}

/* No contact: a gap that is not closed. */
static void bar(double g, sp_meeting *out)
{
    out->g = sp_worse(g, SP_BESIDE);
    out->barred = true;
}

/* The corner of a slot; level with a neighbour it leaves the edge between them to a hill. */
static bool meet_own_corner(const sp_curve_edges *e, sp_meeting *out)
{
    if (!meet_corner(e, e->slot->part - e->slot->n_hill, out)) {
        return false;
    }
    if (e->held == 0 && fabs(out->g) <= SP_BESIDE && !is_ahead(e, out)) {
        bar(SP_BESIDE, out);
    }
    return true;
}

/* Keep what is nearer to touching. */
static void keep(const sp_meeting *found, sp_meeting *best)
{
    if (!(fabs(found->g) >= fabs(best->g))) {
        *best = *found;
    }
}

/* What of a stretch and of all edges, and of corners without slots of their own, is nearest, kept
 * if nothing before it was nearer.  near: the nearest of what cannot touch.  False: one of them was
 * not found.   theory (115.3) */
static bool meet_stretch(const sp_curve_edges *e, int stretch, double *near, sp_meeting *out)
{
    const int n = e->b->n_vertex, n_edge = e->b->kind == SP_CONTOUR_SEGMENT ? 1 : n;
    sp_meeting l = {.barred = false};
    for (int j = 0; j < n_edge; j++) {
        if (!meet_edge(e, stretch, j, &l)) {
            return false;
        }
        const bool flat = has_corner_slots(e) && fabs(l.g) <= SP_BESIDE && !bulges(e, &l);
        if (is_over(e, &l) && !flat) {
            keep(&l, out);
        } else {
            *near = fmin(*near, hypot(fmax(0.0, l.g), fmax(0.0, -l.reach)));
        }
    }
    for (int j = 0; j < n && !has_corner_slots(e); j++) {
        if (!meet_corner(e, j, &l)) {
            return false;
        }
        if (is_ahead(e, &l)) {
            keep(&l, out);
        }
    }
    return true;
}

/* How far a stretch is from the polygon at least, by balls around both. */
static double far_from(const sp_curve_edges *e, int stretch)
{
    const int n = e->b->n_vertex;
    const sp_vec *v = e->vertex + e->b->vertex;
    if (!e->slot->places) {
        return 0.0;
    }
    const sp_curve_stretch *s = &e->slot->places->stretch[stretch];
    const sp_vec middle = sp_pose2_place(&e->a.frame, s->middle);
    double least = INFINITY, size = 0.0;
    for (int j = 0; j < n; j++) {
        least = fmin(least, sp_length(sp_sub(v[j], middle)));
        size = fmax(size, sp_length(sp_sub(v[j], v[0])));
    }
    return least - size - s->reach;
}

static int n_stretch(const sp_curve_edges *e)
{
    return e->slot->places ? e->slot->places->n_stretch : e->slot->part + 1;
}

static int n_slot(const sp_curve_edges *e)
{
    return e->slot->places ? e->slot->places->n : 1;
}

/* What of the hills of a slot and of all edges and corners is nearest.  Of two convex bodies apart
 * there is one such pair, of two that overlap the one that is least deep counts.  theory (115.3) */
static bool meet_hill(const sp_curve_edges *e, sp_meeting *out)
{
    double near = INFINITY;
    *out = (sp_meeting){.g = INFINITY, .n = {0.0, 1.0}, .point = {e->a.frame.x, e->a.frame.x}};
    for (int i = e->slot->part; i < n_stretch(e); i += n_slot(e)) {
        const double far = far_from(e, i);
        if (far > fabs(out->g)) {
            near = fmin(near, far);
        } else if (!meet_stretch(e, i, &near, out)) {
            return false;
        }
    }
    if (isinf(out->g)) {
        bar(near, out);
    }
    return isfinite(out->g);
}

/* The same for what a closed contact is held at: of the stretches of its slot the one that is
 * nearest to the edge, not to its line. */
static bool meet_held(const sp_curve_edges *e, int held, sp_meeting *out)
{
    const int n = e->b->n_vertex;
    double least = INFINITY;
    if (held >= n) {
        return meet_corner(e, held - n, out);
    }
    for (int i = e->slot->part; i < n_stretch(e); i += n_slot(e)) {
        sp_meeting l = {.barred = false};
        if (!meet_edge(e, i, held, &l)) {
            return false;
        }
        const double away = fabs(l.g) + fmax(0.0, -l.reach);
        if (away < least) {
            least = away;
            *out = l;
        }
    }
    return isfinite(least);
}

bool sp_curve_meet_edges(const sp_curve_edges *e, sp_meeting *out)
{
    out->barred = false;
    return e->held > 0                       ? meet_held(e, e->held - 1, out)
           : e->slot->part < e->slot->n_hill ? meet_hill(e, out)
                                             : meet_own_corner(e, out);
}

int sp_curve_next_edge(const sp_curve_edges *e)
{
    const int n = e->b->n_vertex, held = e->held - 1;
    const bool segment = e->b->kind == SP_CONTOUR_SEGMENT;
    sp_meeting l = {.feature = SP_CURVE_ALONG};
    double inside[2];
    if (has_corner_slots(e) || held < 0 || !sp_curve_meet_edges(e, &l)) {
        return SP_NONE; /* another slot goes on */
    }
    if (held < n) {
        const sp_edge edge = sp_edge_of(e->b, e->vertex, held);
        const double s = sp_inner(edge.along, sp_sub(l.point[1], edge.from));
        return n + (2.0 * s < edge.length ? held : (held + 1) % n);
    }
    sector(e, held - n, l.n, inside);
    if (l.reach < fmin(inside[0], inside[1])) { /* past the end of the curve */
        return SP_NONE;
    }
    return inside[0] <= inside[1] ? (segment ? 0 : held - n)
           : segment              ? SP_NONE
                                  : (held - n + n - 1) % n;
}
