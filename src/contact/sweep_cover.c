/* contact/sweep_cover.c - convex pieces that cover contours, and the pairs that are swept. */
#include "contact/sweep.h"

#include "base/status.h"
#include "base/worse.h"
#include "contact/pool3.h"
#include "model/sides.h"

#include <math.h>

enum { GROUP = 16 }; /* pieces: as many groups as pieces in one for the longest of usual curves */

/* Pieces under construction. */
typedef struct coverer {
    sp_arena *arena;
    const sp_model *m;
    bool failed;
} coverer;

/* Room for n pieces. */
static sp_convex *pieces(coverer *k, int n, sp_sweep_cover *cover)
{
    sp_convex *p = SP_NEW(k->arena, sp_convex, n);
    k->failed = k->failed || !p;
    cover->piece = p;
    cover->n = p ? n : 0;
    return p;
}

/* The corners of one contour as one piece. */
static void cover_corners(coverer *k, int n, int stride, const double *corner, double r,
                          sp_sweep_cover *cover)
{
    sp_convex *p = pieces(k, 1, cover);
    if (p) {
        *p = (sp_convex){.n = n, .stride = stride, .corner = corner, .r = r};
    }
}

/* How far a curve is from the chord between two of its places: |r''| h^2 / 8; of splines r'' is
 * linear between knots, of expressions it is sampled.   theory (66.6) */
static double bulge(const sp_curve *c, double a, double b, double *work)
{
    double most = 0.0;
    for (int i = 0; i <= 4; i++) {
        sp_curve_at at;
        const bool found = sp_curve_eval(c, a + 0.25 * i * (b - a), work, &at);
        const double bend = found ? sp_length(at.dd) : INFINITY;
        most = sp_worse(most, bend);
    }
    return (c->kind == SP_CURVE_FORMULA ? 2.0 : 1.0) * most * (b - a) * (b - a) / 8.0;
}

/* How deep below sample i of a curve a place has no other part of it nearer, by half of what all
 * samples give; near an end the law sees no deeper than the way to that.   theory (66.29), (54.5)
 */
static double deep_at(const sp_curve *c, int i, double *work)
{
    const sp_vec r = c->sample[i].r, lo = c->sample[0].r, hi = c->sample[c->n_sample - 1].r;
    const double to_end = fmin(sp_length(sp_sub(r, lo)), sp_length(sp_sub(r, hi)));
    double least = c->closed ? c->size : fmin(c->size, 0.5 * to_end);
    sp_curve_at at;
    if (!sp_curve_eval(c, c->sample[i].s, work, &at)) {
        return 0.0;
    }
    for (int k = 0; k < c->n_sample; k++) {
        const sp_vec d = sp_sub(r, c->sample[k].r);
        const double below = sp_inner(at.n, d);
        least = below > 0.0 ? fmin(least, 0.25 * sp_inner(d, d) / below) : least;
    }
    return least;
}

/* A curve by the chords between its samples. */
static void cover_curve(coverer *k, const sp_curve *c, sp_sweep_cover *cover)
{
    const int n = c->n_sample - 1;
    double *x = SP_NEW(k->arena, double, 4 * (size_t)n),
           *work = SP_NEW(k->arena, double, sp_curve_work(c) + 1);
    sp_convex *p = pieces(k, n, cover);
    k->failed = k->failed || !x || !work;
    double deep[2] = {k->failed ? 0.0 : deep_at(c, 0, work), 0.0};
    for (int i = 0; !k->failed && i < n; i++) {
        const sp_curve_sample *a = &c->sample[i], *b = &c->sample[i + 1];
        const double corner[4] = {a->r.x, a->r.y, b->r.x, b->r.y};
        for (int e = 0; e < 4; e++) {
            x[4 * i + e] = corner[e];
        }
        deep[1] = deep_at(c, i + 1, work);
        p[i] = (sp_convex){.n = 2,
                           .stride = 2,
                           .corner = x + 4 * i,
                           .r = bulge(c, a->s, b->s, work),
                           .deep = fmin(deep[0], deep[1])};
        deep[0] = deep[1];
        cover->wide = fmax(cover->wide, 2.0 * p[i].r);
    }
}

/* The triangles of a mesh. */
static void cover_mesh(coverer *k, const sp_trimesh *mesh, sp_sweep_cover *cover)
{
    double *x = SP_NEW(k->arena, double, 9 * (size_t)mesh->n_tri);
    sp_convex *p = pieces(k, mesh->n_tri, cover);
    k->failed = k->failed || !x;
    for (int i = 0; !k->failed && i < mesh->n_tri; i++) {
        for (int j = 0; j < 3; j++) {
            const sp_vec3 v = mesh->vertex[mesh->tri[i][j]];
            const double corner[3] = {v.x, v.y, v.z};
            for (int e = 0; e < 3; e++) {
                x[9 * i + 3 * j + e] = corner[e];
            }
        }
        p[i] = (sp_convex){.n = 3, .stride = 3, .corner = x + 9 * (size_t)i};
    }
}

/* Corners of a hull, or the ends of a capsule or disc. */
static void cover_shape(coverer *k, const sp_contour_numbers *num, const sp_shape3 *shape,
                        sp_sweep_cover *cover)
{
    const bool hull = shape->kind == SP_SHAPE3_HULL;
    const int n = hull ? shape->hull->n_vertex : 2;
    double *x = SP_NEW(k->arena, double, 3 * (size_t)n);
    k->failed = k->failed || !x;
    for (int i = 0; !k->failed && i < n; i++) {
        const sp_vec3 end = sp_axpy3(sp_vec3_of(num->mark.at), i ? shape->half : -shape->half,
                                     sp_vec3_of(num->axis));
        const sp_vec3 v = hull ? shape->hull->vertex[i] : end;
        x[3 * i] = v.x;
        x[3 * i + 1] = v.y;
        x[3 * i + 2] = v.z;
    }
    const bool disc = shape->kind == SP_SHAPE3_DISC;
    cover_corners(k, n, 3, x, hull || disc ? 0.0 : shape->radius, cover);
    if (!k->failed && disc) { /* a frustum: radius at its middle or lower end, either is inside */
        sp_convex *p = (sp_convex *)cover->piece;
        p->disc = true;
        p->axis = sp_vec3_of(num->axis);
        p->rim[0] = shape->radius;
        p->rim[1] = shape->radius + shape->taper;
    }
}

/* A cylinder or cone with a length: the hull of its two rims. */
static void cover_round(coverer *k, const sp_surface *s, sp_sweep_cover *cover)
{
    double *x = SP_NEW(k->arena, double, 6);
    k->failed = k->failed || !x;
    for (int i = 0; !k->failed && i < 2; i++) {
        const sp_vec3 end = sp_axpy3(s->at, i ? s->hi[1] : s->lo[1], s->turn.z);
        x[3 * i] = end.x;
        x[3 * i + 1] = end.y;
        x[3 * i + 2] = end.z;
    }
    cover_corners(k, 2, 3, x, 0.0, cover);
    if (!k->failed) {
        sp_convex *p = (sp_convex *)cover->piece;
        p->disc = true;
        p->axis = s->turn.z;
        p->rim[0] = s->size[0];
        p->rim[1] = s->size[s->kind == SP_SURFACE_CONE];
    }
}

/* A smooth surface: what is known of how it moves.   theory (66.29) */
static void cover_smooth(coverer *k, const sp_surface *s, sp_sweep_cover *cover)
{
    double *x = SP_NEW(k->arena, double, 3);
    k->failed = k->failed || !x;
    if (!k->failed) {
        x[0] = s->middle.x;
        x[1] = s->middle.y;
        x[2] = s->middle.z;
        cover->smooth = s;
        cover_corners(k, 1, 3, x, 0.0, cover);
    }
}

/* Smooth surfaces are looked for by their nearest points; lines, planes and everything hollow keep
 * the sign of their gaps. */
static void cover_contour(coverer *k, int contour, sp_sweep_cover *cover)
{
    const sp_contour *c = &k->m->contour[contour];
    const sp_contour_numbers *num = &k->m->numbers.contour[contour];
    const double *vertex =
        k->m->dim == 3 || c->n_vertex == 0 ? NULL : k->m->numbers.vertex[c->vertex];
    switch (c->kind) {
    case SP_CONTOUR_POINT:
    case SP_CONTOUR_SPHERE:
    case SP_CONTOUR_CIRCLE: {
        const double r = c->kind == SP_CONTOUR_POINT ? 0.0 : num->radius;
        cover_corners(k, 1, vertex ? 2 : 3, vertex ? vertex : num->mark.at, r, cover);
        break;
    }
    case SP_CONTOUR_CYLINDER:
        cover_corners(k, 1, 3, num->mark.at, num->radius, cover);
        if (!k->failed) {
            ((sp_convex *)cover->piece)->endless = true;
            ((sp_convex *)cover->piece)->axis = sp_vec3_of(num->axis);
        }
        break;
    case SP_CONTOUR_SEGMENT:
    case SP_CONTOUR_POLYGON:
        cover_corners(k, c->n_vertex, 2, vertex, 0.0, cover);
        break;
    case SP_CONTOUR_CURVE:
        if (k->m->curve[c->form - 1]->kind != SP_CURVE_BENT) { /* no piece of it keeps its shape */
            cover_curve(k, k->m->curve[c->form - 1], cover);
        }
        break;
    case SP_CONTOUR_CAPSULE:
    case SP_CONTOUR_HULL:
    case SP_CONTOUR_DISC:
        cover_shape(k, num, c->shape, cover);
        break;
    case SP_CONTOUR_RULED: {
        const sp_surface *s = k->m->surface[c->form - 1];
        if (s->kind == SP_SURFACE_CYLINDER || s->kind == SP_SURFACE_CONE) {
            cover_round(k, s, cover);
        }
        break;
    }
    case SP_CONTOUR_SURFACE:
    case SP_CONTOUR_RULED_HOLLOW:
    case SP_CONTOUR_EXTRUDED:
        cover_smooth(k, k->m->surface[c->form - 1], cover);
        break;
    case SP_CONTOUR_MESH:
        cover_mesh(k, c->shape->mesh, cover);
        break;
    case SP_CONTOUR_GROOVE:
    case SP_CONTOUR_ROCKER:
    case SP_CONTOUR_LINE:
    case SP_CONTOUR_HOLLOW:
    case SP_CONTOUR_PLANE:
    case SP_CONTOUR_HOLLOW_SPHERE:
    case SP_CONTOUR_BORE:
    case SP_CONTOUR_FACE:
        break;
    }
}

/* The corners of the pieces of a contour, each as a piece; discs as a whole. */
static void cover_singly(coverer *k, sp_sweep_cover *cover)
{
    int n = 0;
    for (int i = 0; i < cover->n && !cover->smooth; i++) {
        n += cover->piece[i].disc || cover->piece[i].endless ? 1 : cover->piece[i].n;
    }
    sp_convex *corner = SP_NEW(k->arena, sp_convex, n);
    k->failed = k->failed || !corner;
    for (int i = 0; i < cover->n && n > 0 && !k->failed; i++) {
        const sp_convex *p = &cover->piece[i];
        if (p->disc || p->endless) {
            corner[cover->n_corner++] = *p;
        }
        for (int j = 0; j < p->n && !p->disc && !p->endless; j++) {
            sp_convex *c = &corner[cover->n_corner++];
            *c = (sp_convex){.n = 1,
                             .stride = p->stride,
                             .corner = p->corner + j * p->stride,
                             .r = p->r,
                             .deep = p->deep};
            sp_convex_measure(c);
        }
    }
    cover->corner = corner;
}

/* Radius of the largest ball in the hull of two flat discs about one axis: the least of its
 * distances from both and from the side has its maximum where two of them are equal.  (66.9b) */
static double ball_between_discs(const sp_convex *p)
{
    const double *x = p->corner, *y = p->corner + p->stride;
    const double L = sp_length3(sp_sub3(sp_vec3_of(y), sp_vec3_of(x)));
    const double fall = p->rim[1] - p->rim[0], side = hypot(L, fall);
    const double z[] = {0.5 * L, L * p->rim[0] / (side - fall),
                        L * (side - p->rim[0]) / (side + fall)};
    double most = 0.0;
    for (int i = 0; i < 3 && L > 0.0; i++) {
        const double to_side = (L * p->rim[0] + fall * z[i]) / side;
        most = fmax(most, fmin(fmin(z[i], L - z[i]), to_side));
    }
    return most;
}

/* Radius of the least ball that touches a surface from inside at one sample and goes through
 * another: half of how deep something may be for its nearest place to be where it came in.
 * theory (66.27) */
static double least_ball(const sp_surface *s)
{
    double least = INFINITY;
    for (int i = 0; i < s->n_sample; i++) {
        for (int j = 0; j < s->n_sample; j++) {
            const sp_vec3 d = sp_sub3(s->sample[j].r, s->sample[i].r);
            const double behind = -sp_inner3(s->sample[i].n, d), d2 = sp_inner3(d, d);
            if (2.0 * behind * least > d2) {
                least = d2 / (2.0 * behind);
            }
        }
    }
    return least;
}

/* The least width of a polygon in the plane is across one of its edges; a hull has a ball inside.
 * What is neither is thin. */
static double width_of(const sp_contour *c, const sp_sweep_cover *cover, const sp_convex *p)
{
    const sp_convex_at at = {.c = p, .R = sp_rot3_one()};
    if (cover->smooth) {
        return least_ball(cover->smooth);
    }
    if (p->n == 1) {
        return INFINITY;
    }
    if (c->kind == SP_CONTOUR_HULL) {
        return 2.0 * c->shape->hull->inner;
    }
    if (p->disc) {
        return 2.0 * ball_between_discs(p);
    }
    double least = c->kind == SP_CONTOUR_POLYGON ? INFINITY : 0.0;
    for (int i = 0; i < p->n && c->kind == SP_CONTOUR_POLYGON; i++) {
        const double *x = p->corner + 2 * i, *y = p->corner + 2 * ((i + 1) % p->n);
        const double length = hypot(y[0] - x[0], y[1] - x[1]);
        const sp_vec3 n = {(y[1] - x[1]) / length, (x[0] - y[0]) / length, 0.0};
        least = fmin(least, sp_convex_width(&at, n));
    }
    return least;
}

/* Middles and sizes of the pieces, and the ball around all of them. */
static void measure(const sp_contour *contour, sp_sweep_cover *cover)
{
    sp_convex *p = (sp_convex *)cover->piece;
    sp_vec3 sum = {0.0, 0.0, 0.0};
    cover->ball = cover->thin = INFINITY;
    for (int i = 0; i < cover->n; i++) {
        sp_convex_measure(&p[i]);
        p[i].size = cover->smooth ? cover->smooth->reach : p[i].size;
        sum = sp_axpy3(sum, 1.0 / cover->n, p[i].centre);
        cover->ball = fmin(cover->ball, p[i].r);
        cover->thin = fmin(cover->thin, width_of(contour, cover, &p[i]));
    }
    cover->centre = sum;
    for (int i = 0; i < cover->n; i++) {
        const double to = sp_length3(sp_sub3(p[i].centre, sum)) + p[i].size + p[i].r;
        cover->radius = fmax(cover->radius, p[i].endless ? INFINITY : to);
    }
}

/* Pieces one after the other in balls. */
static void group_pieces(coverer *k, sp_sweep_cover *cover)
{
    const int n = (cover->n + GROUP - 1) / GROUP;
    sp_sweep_group *group = SP_NEW(k->arena, sp_sweep_group, n);
    k->failed = k->failed || !group;
    for (int g = 0; g < n && !k->failed; g++) {
        const int first = g * GROUP, end = first + GROUP < cover->n ? first + GROUP : cover->n;
        group[g] = (sp_sweep_group){.first = first, .end = end};
        for (int i = first; i < end; i++) {
            group[g].centre =
                sp_axpy3(group[g].centre, 1.0 / (end - first), cover->piece[i].centre);
        }
        for (int i = first; i < end; i++) {
            const sp_convex *p = &cover->piece[i];
            const double to = sp_length3(sp_sub3(p->centre, group[g].centre)) + p->size + p->r;
            group[g].radius = fmax(group[g].radius, p->endless ? INFINITY : to);
        }
    }
    cover->group = group;
    cover->n_group = k->failed ? 0 : n;
}

/* Whether a slot is between two contours, either way round. */
static bool is_between(const sp_slot *s, int a, int b)
{
    return (s->contour_a == a && s->contour_b == b) || (s->contour_a == b && s->contour_b == a);
}

/* Whether a slot is of contours that can go through each other, and the first of the two. */
static bool begins_pair(const sp_model *m, const sp_sweep_cover *cover, int i)
{
    const sp_slot *s = &m->slot[i];
    if (s->is.rule || s->is.pooled || cover[s->contour_a].n == 0 || cover[s->contour_b].n == 0 ||
        sp_owner_of(m, s->contour_a) == sp_owner_of(m, s->contour_b)) {
        return false;
    }
    for (int k = m->contact[s->contact].slot; k < i; k++) {
        if (is_between(&m->slot[k], s->contour_a, s->contour_b)) {
            return false;
        }
    }
    return true;
}

/* The pairs of slots that are not of pools; room in both for n_slot. */
static int list_pairs(const sp_model *m, const sp_sweep_cover *cover, sp_sweep_pair *pair,
                      int *slot)
{
    int n = 0;
    for (int i = 0; i < m->n_slot; i++) {
        const sp_slot *s = &m->slot[i];
        const int end = m->contact[s->contact].slot + m->contact[s->contact].n_slot;
        if (!begins_pair(m, cover, i)) {
            continue;
        }
        pair[n] = (sp_sweep_pair){.a = s->contour_a, .b = s->contour_b, .slot = slot};
        for (int j = i; j < end; j++) {
            if (is_between(&m->slot[j], s->contour_a, s->contour_b)) {
                *slot++ = j;
                pair[n].n++;
            }
        }
        n++;
    }
    return n;
}

/* Scratch for the largest surface. */
static double *surface_work(coverer *k)
{
    size_t n = 1;
    for (int i = 0; i < k->m->n_surface; i++) {
        const size_t own = sp_surface_work(k->m->surface[i]);
        n = own > n ? own : n;
    }
    double *work = SP_NEW(k->arena, double, n);
    k->failed = k->failed || !work;
    return work;
}

const sp_sweep *sp_sweep_new(sp_arena *arena, const sp_model *m)
{
    coverer k = {.arena = arena, .m = m};
    sp_sweep *s = SP_NEW(arena, sp_sweep, 1);
    sp_sweep_cover *cover = SP_NEW(arena, sp_sweep_cover, m->n_contour);
    sp_sweep_pair *pair = SP_NEW(arena, sp_sweep_pair, m->n_slot);
    int *slot = SP_NEW(arena, int, m->n_slot);
    if (!s || !cover || !pair || !slot) {
        return NULL;
    }
    for (int i = 0; i < m->n_contour && !k.failed; i++) {
        cover_contour(&k, i, &cover[i]);
        if (!k.failed) {
            measure(&m->contour[i], &cover[i]);
            cover_singly(&k, &cover[i]);
            group_pieces(&k, &cover[i]);
        }
    }
    *s = (sp_sweep){.m = m, .cover = cover, .pair = pair, .work = surface_work(&k)};
    s->n_pair = k.failed ? 0 : list_pairs(m, cover, pair, slot);
    return k.failed ? NULL : s;
}

bool sp_sweep_needed(const sp_sweep *s)
{
    return s->n_pair > 0 || s->m->n_pool > 0;
}
