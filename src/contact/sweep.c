#include "contact/sweep.h"

#include "base/worse.h"
#include "contact/surface_pair.h"
#include "kinematics/spot.h"
#include "model/sides.h"

#include <math.h>

enum { LOOKS_MOST = 10000 };
#define LESS 1e-6 /* of a piece: smaller by this they are apart where they just touch */
#define THIN 1e-4 /* of their sizes: what has no width may turn and go so far while it touches */

void sp_sweep_poses(const sp_model *m, const sp_kin *kin, sp_sweep_pose *pose)
{
    for (int i = 0; i < m->n_contour; i++) {
        const sp_mark *mark = &m->numbers.contour[i].mark;
        const sp_pose3 p = sp_mark_pose(kin, mark);
        pose[i] = (sp_sweep_pose){p.x, p.R, m->dim == 3 ? 0.0 : sp_mark_angle(kin, mark)};
    }
}

void sp_sweep_bends(const sp_model *m, const sp_kin_bound *bound, sp_sweep_bend *bend)
{
    for (int i = 0; i < m->n_body; i++) {
        const sp_kin_bound *b = &bound[i];
        bend[i] = (sp_sweep_bend){.place = b->a,
                                  .arm = b->alpha + b->omega * b->omega,
                                  .size = (m->dim == 3 ? 4.0 : 1.0) * b->alpha};
    }
}

/* How a body turns from one pose to the next, world axes: in the plane through whole turns, in
 * space the shorter way. */
static sp_vec3 turn_of(const sp_model *m, const sp_sweep_pose *from, const sp_sweep_pose *to)
{
    if (m->dim != 3) {
        return (sp_vec3){0.0, 0.0, to->angle - from->angle};
    }
    return sp_quat_log(
        sp_quat_of_rot3(sp_rot3_mul(to->R, (sp_rot3){{from->R.x.x, from->R.y.x, from->R.z.x},
                                                     {from->R.x.y, from->R.y.y, from->R.z.y},
                                                     {from->R.x.z, from->R.y.z, from->R.z.z}})));
}

/* One piece on its way: its middle goes straight by `go`, its body turns by `turn`. */
typedef struct mover {
    const sp_convex *c;
    sp_vec3 middle, go, turn;
    sp_rot3 R;
    double angle; /* |turn|                           */
    double size;  /* of the piece; of a line without ends the farthest place on it that counts, m */
    double bent;  /* it may be so far from there, m   */
    const sp_surface *surface; /* NULL: a ball, where the other one is a surface ...              */
    bool smooth;               /* ... that has no pieces                                          */
    double *work;
} mover;

/* How far what has such an arm and size may be from an even motion.   theory (66.22) */
static double bent_by(const sp_sweep_way *way, int body, double arm, double size)
{
    if (!way->bend) {
        return 0.0;
    }
    const sp_sweep_bend *b = &way->bend[body];
    return 0.125 * way->dt * way->dt * (b->place + arm * b->arm + size * b->size);
}

static mover mover_of_size(const sp_sweep *s, const sp_sweep_way *way, int contour,
                           const sp_convex *c, double size)
{
    const sp_sweep_pose *from = &way->from[contour], *to = &way->to[contour];
    const sp_vec3 x = sp_add3(from->x, sp_rotate3(from->R, c->centre));
    const sp_vec3 y = sp_add3(to->x, sp_rotate3(to->R, c->centre));
    const sp_vec3 turn = turn_of(s->m, from, to);
    const sp_contour *own = &s->m->contour[contour];
    return (mover){.c = c,
                   .middle = x,
                   .go = sp_sub3(y, x),
                   .turn = turn,
                   .R = from->R,
                   .angle = sp_length3(turn),
                   .size = size,
                   .bent = bent_by(way, own->body, sp_length3(c->centre), size),
                   .surface = sp_sides_is_surface(own->kind) ? s->m->surface[own->form - 1] : NULL,
                   .smooth = s->cover[contour].smooth != NULL,
                   .work = s->work};
}

static mover mover_of(const sp_sweep *s, const sp_sweep_way *way, int contour, const sp_convex *c)
{
    return mover_of_size(s, way, contour, c, c->size);
}

/* Where a piece is at `at` of its way. */
static sp_convex_at place(const mover *p, double at)
{
    sp_rot3 R = p->R;
    if (p->angle > 0.0) {
        const double turned = at * p->angle;
        R = sp_rot3_mul(sp_rot3_about(sp_scale3(1.0 / p->angle, p->turn), cos(turned), sin(turned)),
                        R);
    }
    const sp_vec3 middle = sp_axpy3(p->middle, at, p->go);
    return (sp_convex_at){p->c, sp_sub3(middle, sp_rotate3(R, p->c->centre)), R, 0.0};
}

/* ---- what two movers are asked for ----------------------------------------------------------- */

static bool is_smooth(const mover *a, const mover *b)
{
    return a->smooth || b->smooth;
}

/* The gap of nearest points at `at`, and n from b to a there; NaN: none are found, they cross. */
static double nearest_points(const mover *a, const mover *b, double at, sp_vec3 *n)
{
    const bool swap = !b->surface;
    const mover *first = swap ? b : a, *second = swap ? a : b;
    const sp_convex_at p = place(first, at), q = place(second, at);
    const sp_surface_side side[] = {{first->surface, p.x, p.R}, {second->surface, q.x, q.R}};
    sp_surface_contact c;
    if (first->surface) {
        sp_surface_meet(&side[0], &side[1], NULL, a->work, &c);
    } else {
        sp_surface_meet_ball(sp_convex_support(&p, first->middle), first->c->r, &side[1], a->work,
                             &c);
    }
    *n = swap ? sp_scale3(-1.0, c.n) : c.n;
    return c.g;
}

/* How far they are apart along n at `at`, which nearest points tell only as long as they are on the
 * side of n.   theory (66.26) */
static double apart_along(const mover *a, const mover *b, double at, sp_vec3 n)
{
    if (is_smooth(a, b)) {
        sp_vec3 own;
        const double g = nearest_points(a, b, at, &own);
        return sp_inner3(own, n) > 0.0 ? g : -INFINITY;
    }
    const sp_convex_at p = place(a, at), q = place(b, at);
    return sp_convex_apart(&p, &q, n);
}

/* Whether a support plane at its nearest point has it on one side. */
static bool is_convex(const mover *p)
{
    return !p->surface || (p->surface->kind == SP_SURFACE_ELLIPSOID && p->surface->side > 0.0);
}

/* Distance and n where two touch; pieces that overlap a little face each other as they do when they
 * are drawn together a little. */
static void face_each_other(const mover *a, const mover *b, sp_sweep_found *found)
{
    found->piece[0] = a->c;
    found->piece[1] = b->c;
    found->smooth = is_smooth(a, b);
    if (found->smooth) {
        found->distance = fmax(nearest_points(a, b, found->at, &found->n), 0.0);
        return;
    }
    const sp_vec3 still = {0.0, 0.0, 0.0};
    sp_convex_at p = place(a, found->at), q = place(b, found->at);
    double apart = -INFINITY;
    for (double less = 0.0; less < 1.0 && !(apart > 0.0); less = less > 0.0 ? 4.0 * less : LESS) {
        p.less = q.less = less;
        sp_convex_clear(&p, &q, still, INFINITY, &found->n, &apart);
        found->distance = less > 0.0 ? 0.0 : fmax(apart, 0.0);
        apart += a->c->r + b->c->r; /* balls may overlap */
    }
}

/* Two that touch when the way begins and part, to the side that they are on: from where they are
 * apart; 0 if they do not touch, or stay so. */
static double leaving(const mover *a, const mover *b, double near, sp_sweep_found *found)
{
    const double slack = a->bent + b->bent;
    found->at = 0.0;
    face_each_other(a, b, found);
    const sp_vec3 n = found->n;
    for (double at = 1.0 / (1 << 24); at < 1.0 && found->distance <= near; at *= 2.0) {
        const double apart = apart_along(a, b, at, n);
        if (apart > 2.0 * near + slack || !(apart > -near)) {
            return apart > 0.0 ? at : 0.0;
        }
    }
    return 0.0;
}

/* No deeper than along a normal of an edge: a point on a segment is apart along no other. */
static double depth_by_edges(const mover *a, const mover *b, double at, sp_vec3 n)
{
    const sp_convex_at set_a = place(a, at), set_b = place(b, at), *p = &set_a, *q = &set_b;
    double least = -apart_along(a, b, at, n);
    for (int k = 0; k < 2; k++) {
        const sp_convex_at *set = k ? q : p;
        for (int i = 0; set->c->stride == 2 && set->c->n > 1 && i < set->c->n; i++) {
            const double *x = set->c->corner + 2 * (size_t)i,
                         *y = set->c->corner + 2 * (size_t)((i + 1) % set->c->n);
            const sp_vec3 e = sp_rotate3(set->R, (sp_vec3){x[1] - y[1], y[0] - x[0], 0.0});
            const sp_vec3 unit = sp_scale3(1.0 / sp_length3(e), e);
            least = fmin(least, -sp_convex_apart(p, q, unit)); /* NaN: no edge */
            least = fmin(least, -sp_convex_apart(p, q, sp_scale3(-1.0, unit)));
        }
    }
    return least;
}

/* How deep the law sees what came through a piece of a curve; 0: of others, and of two curves.
 * theory (66.29) */
static double seen_through(const sp_convex *piece, const sp_convex *other)
{
    return other->deep > 0.0 ? 0.0 : piece->deep;
}

/* How deep two may be in each other along n for the law to see them from the side that they came
 * from.   theory (66.7) */
static double seen_of(const mover *a, const mover *b, double at, sp_vec3 n)
{
    double least = INFINITY;
    if (is_smooth(a, b)) { /* the normal tells   (66.26) */
        return a->c->size + a->c->r + b->c->size + b->c->r;
    }
    for (int k = 0; k < 2; k++) {
        const sp_convex_at p = place(k ? b : a, at);
        const double width = p.c->size > 0.0 ? sp_convex_width(&p, n) : INFINITY;
        least = fmin(least, fmax(width, 2.0 * seen_through(p.c, (k ? a : b)->c)));
    }
    return a->c->r + b->c->r + (least < INFINITY ? 0.5 * least : 0.0);
}

/* Whether two that touch when a way begins, along found->n, do so in its middle and at its end, no
 * deeper than the law allows, and cannot have gone through each other and come back between:
 * contours are thinner than their pieces by `wide`.   theory (66.23) */
static bool stay_in_touch(const mover *a, const mover *b, double reach, double wide,
                          const sp_sweep_found *found)
{
    const double size = a->c->size + a->c->r + b->c->size + b->c->r, slack = a->bent + b->bent;
    const double near = SP_SWEEP_NEAR * size;
    const double most = fmax(seen_of(a, b, 0.0, found->n), THIN * size);
    bool stay = fabs(sp_inner3(found->n, sp_sub3(a->go, b->go))) + reach + slack <= most;
    for (int k = 1; k <= 2 && stay; k++) {
        sp_sweep_found at = {.at = 0.5 * k};
        const double off = 2.0 * near + (k == 1 ? slack : 0.0);
        face_each_other(a, b, &at);
        stay = at.distance <= off &&
               (at.distance > 0.0 || depth_by_edges(a, b, at.at, at.n) - wide <= off);
    }
    return stay;
}

/* How fast two come together along n, the normal of their nearest points, per whole way: of convex
 * ones along it, as the plane between them parts them; of others in any direction. */
static double fall_of(const mover *a, const mover *b, sp_vec3 n)
{
    const sp_vec3 go = sp_sub3(a->go, b->go);
    const double swing = a->angle * a->size + b->angle * b->size;
    const bool plane = is_convex(a) && is_convex(b);
    return (plane ? fmax(-sp_inner3(n, go), 0.0) : sp_length3(go)) + swing;
}

/* Along the way of two, one of them a smooth surface, always as far as they may go before their
 * nearest points can meet: where a gap is looked at they have not touched.   theory (66.26) */
static sp_sweep_end sweep_surfaces(const mover *a, const mover *b, bool rests,
                                   sp_sweep_found *found)
{
    const double slack = a->bent + b->bent;
    const double size = a->c->size + a->c->r + b->c->size + b->c->r;
    const double near = SP_SWEEP_NEAR * size;
    double at = leaving(a, b, near, found);
    if (rests && at == 0.0 && found->distance <= near &&
        stay_in_touch(a, b, a->angle * a->size + b->angle * b->size, 0.0, found)) {
        return SP_SWEEP_CLEAR;
    }
    for (int look = 0; at < 1.0; look++) {
        found->at = at;
        face_each_other(a, b, found);
        const double fall = fall_of(a, b, found->n);
        if (!(found->distance > fmax(near, slack)) || look > LOOKS_MOST) {
            found->slack = slack;
            found->approach = -sp_inner3(found->n, sp_sub3(a->go, b->go)) + a->angle * a->size +
                              b->angle * b->size;
            return look > LOOKS_MOST ? SP_SWEEP_UNPROVEN : SP_SWEEP_TOUCH;
        }
        at += fall > 0.0 ? (found->distance - slack) / fall : 1.0;
    }
    return SP_SWEEP_CLEAR;
}

/* Along the way of two pieces as far as it is proven: `at` goes on by parts that are as long as the
 * bound allows.   theory (66.5) */
static sp_sweep_end sweep_pieces(const mover *a, const mover *b, bool rests, double wide,
                                 sp_sweep_found *found)
{
    const double slack = a->bent + b->bent;
    const sp_vec3 go = sp_sub3(a->go, b->go);
    const double swing = a->angle * a->size + b->angle * b->size;
    const double size = a->c->size + a->c->r + b->c->size + b->c->r;
    const double near = SP_SWEEP_NEAR * size, rate = sp_length3(go) + swing;
    double at = leaving(a, b, near, found), part = 1.0 - at;
    const double thin = rests ? wide : 0.0; /* deeper than that pieces of curves touch */
    if (rests && at == 0.0 && found->distance <= near) {
        if (stay_in_touch(a, b, swing, wide, found)) {
            return SP_SWEEP_CLEAR;
        }
        if (wide <= near) {
            return SP_SWEEP_TOUCH;
        }
    }
    for (int look = 0; at < 1.0; look++) {
        const double half = 0.5 * part;
        const sp_convex_at p = place(a, at + half), q = place(b, at + half);
        const bool clear = sp_convex_clear(&p, &q, sp_scale3(half, go), swing * half + slack - thin,
                                           &found->n, &found->distance);
        if (clear) {
            at = at + part < 1.0 ? at + part : 1.0;
            part = fmin(2.0 * part, 1.0 - at);
            continue;
        }
        if (rate * half <= fmax(near, slack) || look > LOOKS_MOST) {
            found->at = at;
            found->slack = slack;
            face_each_other(a, b, found);
            found->approach = -sp_inner3(found->n, go) + swing;
            return look > LOOKS_MOST ? SP_SWEEP_UNPROVEN : SP_SWEEP_TOUCH;
        }
        part = half;
    }
    return SP_SWEEP_CLEAR;
}

/* Whether two balls that go straight stay apart: |x + t go| > r for 0 <= t <= 1. */
static bool balls_apart(sp_vec3 x, sp_vec3 go, double r)
{
    const double go2 = sp_inner3(go, go);
    const double t = go2 > 0.0 ? fmin(1.0, fmax(0.0, -sp_inner3(x, go) / go2)) : 0.0;
    return sp_length3(sp_axpy3(x, t, go)) > r;
}

/* Where the middle of a ball of a contour is. */
static sp_vec3 middle_of(const sp_sweep_pose *pose, int contour, sp_vec3 centre)
{
    return sp_add3(pose[contour].x, sp_rotate3(pose[contour].R, centre));
}

/* A ball around a contour, or around some of its pieces. */
typedef struct ball {
    int contour;
    sp_vec3 centre; /* body's frame */
    double radius;
} ball;

static ball ball_of(const sp_sweep *s, int contour)
{
    return (ball){contour, s->cover[contour].centre, s->cover[contour].radius};
}

/* Whether two balls stay apart; theirs turn about their middles, which costs nothing. */
static bool far_apart(const sp_sweep *s, const sp_sweep_way *way, const ball *a, const ball *b)
{
    const sp_vec3 x = sp_sub3(middle_of(way->from, a->contour, a->centre),
                              middle_of(way->from, b->contour, b->centre)),
                  y = sp_sub3(middle_of(way->to, a->contour, a->centre),
                              middle_of(way->to, b->contour, b->centre));
    const double bent = bent_by(way, s->m->contour[a->contour].body, sp_length3(a->centre), 0.0) +
                        bent_by(way, s->m->contour[b->contour].body, sp_length3(b->centre), 0.0);
    return balls_apart(x, sp_sub3(y, x), a->radius + b->radius + bent);
}

bool sp_sweep_is_far(const sp_sweep *s, const sp_sweep_way *way, int n_way, int a, int b)
{
    const ball A = ball_of(s, a), B = ball_of(s, b);
    bool far = true;
    for (int k = 0; k < n_way && far && s->cover[a].n > 0 && s->cover[b].n > 0; k++) {
        far = far_apart(s, &way[k], &A, &B);
    }
    return far;
}

double sp_sweep_farthest(const sp_sweep *s, const sp_sweep_way *way, int contour)
{
    const sp_sweep_cover *c = &s->cover[contour];
    const double bent = bent_by(way, s->m->contour[contour].body, sp_length3(c->centre), c->radius);
    return sp_length3(sp_sub3(middle_of(way->to, contour, c->centre),
                              middle_of(way->from, contour, c->centre))) +
           c->radius * sp_length3(turn_of(s->m, &way->from[contour], &way->to[contour])) + bent;
}

/* Keep the earlier of two. */
static void keep_first(const sp_sweep_found *one, sp_sweep_found *found)
{
    if (one->end != SP_SWEEP_CLEAR && (found->end == SP_SWEEP_CLEAR || one->at < found->at)) {
        *found = *one;
    }
}

/* A piece of a against a group of b. */
static void sweep_group(const sp_sweep *s, const sp_sweep_way *way, mover p,
                        const sp_sweep_group *group, sp_sweep_found *found)
{
    const double thin[2] = {s->cover[found->a].thin, s->cover[found->b].thin};
    for (int j = group->first; j < group->end; j++) {
        const sp_convex *piece = &s->cover[found->b].piece[j];
        const double seen = fmax(fmin(seen_through(piece, p.c), 0.5 * thin[0]),
                                 fmin(seen_through(p.c, piece), 0.5 * thin[1]));
        if (way->slow > 0.0 && way->slow < seen) {
            continue;
        }
        mover q = mover_of(s, way, found->b, &s->cover[found->b].piece[j]);
        const sp_vec3 x = sp_sub3(p.middle, q.middle), go = sp_sub3(p.go, q.go);
        const double r = p.c->size + p.c->r + q.c->size + q.c->r + p.bent + q.bent;
        if (p.c->endless || q.c->endless) {
            const double lever = sp_length3(x) + sp_length3(go) + p.c->size + q.c->size;
            p = mover_of_size(s, way, found->a, p.c, p.c->endless ? lever : p.size);
            q = mover_of_size(s, way, found->b, q.c, q.c->endless ? lever : q.size);
        } else if (balls_apart(x, go, r)) {
            continue;
        }
        sp_sweep_found one = {.a = found->a, .b = found->b};
        one.end = is_smooth(&p, &q) ? sweep_surfaces(&p, &q, way->rests, &one)
                                    : sweep_pieces(&p, &q, way->rests,
                                                   sp_sweep_wide(s, found->a, found->b), &one);
        keep_first(&one, found);
    }
}

/* The same against all groups that come near. */
static void sweep_piece(const sp_sweep *s, const sp_sweep_way *way, const sp_convex *piece,
                        sp_sweep_found *found)
{
    const sp_sweep_cover *B = &s->cover[found->b];
    const mover p = mover_of(s, way, found->a, piece);
    const ball A = {found->a, piece->centre, piece->size + piece->r};
    for (int g = 0; g < B->n_group; g++) {
        const ball G = {found->b, B->group[g].centre, B->group[g].radius};
        if (B->n_group == 1 || !far_apart(s, way, &A, &G)) {
            sweep_group(s, way, p, &B->group[g], found);
        }
    }
}

sp_sweep_end sp_sweep_piece(const sp_sweep *s, const sp_sweep_way *way, int a, int b,
                            const sp_convex *piece, sp_sweep_found *found)
{
    *found = (sp_sweep_found){.end = SP_SWEEP_CLEAR, .a = a, .b = b, .at = 1.0};
    sweep_piece(s, way, piece, found);
    return found->end;
}

sp_sweep_end sp_sweep_contours(const sp_sweep *s, const sp_sweep_way *way, int a, int b,
                               sp_sweep_found *found)
{
    const sp_sweep_cover *A = &s->cover[a];
    const ball all_a = ball_of(s, a), all_b = ball_of(s, b);
    *found = (sp_sweep_found){.end = SP_SWEEP_CLEAR, .a = a, .b = b, .at = 1.0};
    for (int g = 0; g < A->n_group && !far_apart(s, way, &all_a, &all_b); g++) {
        const ball G = {a, A->group[g].centre, A->group[g].radius};
        for (int i = A->group[g].first; i < A->group[g].end && !far_apart(s, way, &G, &all_b);
             i++) {
            sweep_piece(s, way, &A->piece[i], found);
        }
    }
    return found->end;
}

double sp_sweep_come(const sp_sweep *s, const sp_sweep_way *way, int a, int b)
{
    const sp_sweep_cover *A = &s->cover[a], *B = &s->cover[b];
    const sp_vec3 go_a =
                      sp_sub3(middle_of(way->to, a, A->centre), middle_of(way->from, a, A->centre)),
                  go_b =
                      sp_sub3(middle_of(way->to, b, B->centre), middle_of(way->from, b, B->centre));
    return sp_length3(sp_sub3(go_a, go_b)) +
           A->radius * sp_length3(turn_of(s->m, &way->from[a], &way->to[a])) +
           B->radius * sp_length3(turn_of(s->m, &way->from[b], &way->to[b]));
}

double sp_sweep_together(const sp_sweep *s, const sp_sweep_way *way, int n_way, int a, int b)
{
    double most = 0.0;
    for (int k = 0; k < n_way; k++) {
        most = sp_worse(most, sp_sweep_come(s, &way[k], a, b));
    }
    return 2.0 * most; /* the rest of this way, and as much of the next */
}

bool sp_sweep_is_slow(const sp_sweep *s, const sp_sweep_way *way, int n_way, int a, int b)
{
    const sp_sweep_cover *A = &s->cover[a], *B = &s->cover[b];
    const double thin = fmin(A->thin, B->thin);
    const double seen = A->ball + B->ball + (thin < INFINITY ? 0.5 * thin : 0.0);
    return sp_sweep_together(s, way, n_way, a, b) < seen;
}

double sp_sweep_depth(const sp_sweep *s, const sp_sweep_way *way, const sp_sweep_found *found,
                      double at)
{
    const mover a = mover_of(s, way, found->a, found->piece[0]);
    const mover b = mover_of(s, way, found->b, found->piece[1]);
    return -apart_along(&a, &b, at, found->n);
}

double sp_sweep_distance(const sp_sweep *s, const sp_sweep_way *way, const sp_sweep_found *found,
                         double at)
{
    const mover a = mover_of(s, way, found->a, found->piece[0]);
    const mover b = mover_of(s, way, found->b, found->piece[1]);
    sp_sweep_found there = {.at = at};
    face_each_other(&a, &b, &there);
    return there.distance;
}

double sp_sweep_approach(const sp_sweep *s, const sp_sweep_way *way, const sp_sweep_found *found,
                         double at)
{
    const mover a = mover_of(s, way, found->a, found->piece[0]);
    const mover b = mover_of(s, way, found->b, found->piece[1]);
    sp_sweep_found there = {.at = at};
    face_each_other(&a, &b, &there);
    return -sp_inner3(there.n, sp_sub3(a.go, b.go));
}

double sp_sweep_overlap(const sp_sweep *s, const sp_sweep_pose *pose, int a, int b)
{
    const sp_sweep_way still = {.from = pose, .to = pose};
    const sp_sweep_cover *A = &s->cover[a];
    double deepest = -INFINITY;
    const bool left_out = sp_sweep_is_smooth(s, a, b); /* their gaps tell */
    for (int i = 0; i < A->n && !left_out && !sp_sweep_is_far(s, &still, 1, a, b); i++) {
        sp_sweep_found found;
        if (sp_sweep_piece(s, &still, a, b, &A->piece[i], &found) != SP_SWEEP_CLEAR) {
            const mover p = mover_of(s, &still, found.a, found.piece[0]);
            const mover q = mover_of(s, &still, found.b, found.piece[1]);
            deepest = fmax(deepest, depth_by_edges(&p, &q, 0.0, found.n));
        }
    }
    return deepest - sp_sweep_wide(s, a, b);
}

double sp_sweep_seen(const sp_sweep *s, const sp_sweep_way *way, const sp_sweep_found *found)
{
    const mover a = mover_of(s, way, found->a, found->piece[0]);
    const mover b = mover_of(s, way, found->b, found->piece[1]);
    return seen_of(&a, &b, found->at, found->n);
}
