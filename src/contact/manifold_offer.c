/* contact/manifold_offer.c - what becomes of the touches that pairs of features of round shapes
 * offer. theory (39.6) */
#include "contact/manifold_round.h"

/* The gap that an offer has. */
static double gap_of(const sp_offer *o)
{
    return sp_inner3(o->n, sp_sub3(o->x, o->y)) - o->side[0].r - o->side[1].r;
}

/* How far the shapes are apart along n.   theory (39.6) */
static double apart(const sp_round_scene *s, sp_vec3 n)
{
    const double low =
        s->core ? sp_core_lowest(s->core, n) - s->core->r : sp_round_lowest(&s->a, n);
    return low - sp_round_highest(&s->b, n);
}

/* Keep an offer that is better than the best so far: the shapes are farther apart along its n, and
 * by its points; of those that are as good the one that is farther inside of its features. */
static void measure(sp_round_scene *s, const sp_offer *o)
{
    const double g = gap_of(o), least = s->best_s - s->tol;
    if (!(g >= least)) { /* two of their points are nearer: n cannot be better */
        return;
    }
    const double d = apart(s, o->n);
    const bool better = d > s->best_s + s->tol || (d >= least && o->reach > s->best.reach);
    if (better && g <= d + SP_NEARLY * fabs(d) + s->tol) { /* no other points are nearer */
        s->best_s = d;
        s->best = *o;
    }
}

sp_touch *sp_round_known(const sp_round_scene *s, int feature_a, int feature_b)
{
    for (int k = s->first; k < s->list->n && k < s->list->room; k++) {
        sp_touch *t = &s->list->touch[k];
        if (t->side[0].feature == feature_a && t->side[1].feature == feature_b) {
            return t;
        }
    }
    return NULL;
}

void sp_round_add(sp_round_scene *s, const sp_offer *o, sp_touch_carrier carrier)
{
    const sp_cores c = {.a.r = o->side[0].r, .b.r = o->side[1].r};
    sp_touch *old = sp_round_known(s, o->side[0].feature, o->side[1].feature);
    if (!old) {
        sp_touches_add(s->list, &c, o->n, o->x, o->y, o->side[0], o->side[1], carrier);
    } else if (gap_of(o) < old->g_N) {
        sp_touches one = {.touch = old, .room = 1, .margin = INFINITY, .least = INFINITY};
        sp_touches_add(&one, &c, o->n, o->x, o->y, o->side[0], o->side[1], carrier);
        s->list->least = fmin(s->list->least, one.least);
    }
}

/* List an offer that is nearly along the best n and inside of its features.   theory (39.7) */
static void list(sp_round_scene *s, const sp_offer *o)
{
    if (!o->sharp && o->reach >= -s->tol && sp_inner3(o->n, s->best.n) >= SP_LIES_ON) {
        sp_round_add(s, o, SP_CARRIED_BY_FEATURES);
    }
}

/* Middle of a shape. */
static sp_vec3 middle_of(const sp_round_scene *s, bool of_b)
{
    return of_b      ? s->b.pose.x
           : s->core ? sp_pose3_place(&s->core->pose, s->core->h->center)
                     : s->a.pose.x;
}

/* Let n of an offer point the other way; normals of rims turn the other way then. */
static void turn_round(sp_offer *o)
{
    o->n = sp_scale3(-1.0, o->n);
    o->side[0].kappa = -o->side[0].kappa;
    o->side[1].kappa = -o->side[1].kappa;
}

/* Keep the offer of the features that are held, of several the nearest one; where n may point
 * either way it goes from the middle of b to that of a. */
static void hold(sp_round_scene *s, const sp_offer *o)
{
    if (o->side[0].feature != s->only[0] || o->side[1].feature != s->only[1] || o->sharp ||
        (s->found && !(fabs(gap_of(o)) < fabs(gap_of(&s->best))))) {
        return;
    }
    const sp_vec3 way = sp_sub3(middle_of(s, false), middle_of(s, true));
    s->best = *o;
    s->found = true;
    if (o->turn && sp_inner3(o->n, way) < 0.0) {
        turn_round(&s->best);
    }
}

void sp_round_take(sp_round_scene *s, sp_offer *o)
{
    if (s->task == SP_ROUND_HOLD) {
        hold(s, o);
        return;
    }
    for (int k = 0; k < (o->turn ? 2 : 1); k++) {
        if (s->task == SP_ROUND_MEASURE) {
            measure(s, o);
        } else {
            list(s, o);
        }
        turn_round(o);
    }
}

bool sp_round_wanted(const sp_round_scene *s, int feature_a, int feature_b)
{
    return s->task != SP_ROUND_HOLD || ((feature_a < 0 || s->only[0] == feature_a) &&
                                        (feature_b < 0 || s->only[1] == feature_b));
}

/* The two shapes in places counted from b's origin. */
static sp_round_scene scene_of(const sp_core *core, const sp_shape3 *a, const sp_pose3 *pose_a,
                               const sp_shape3 *b, const sp_pose3 *pose_b, double tol)
{
    sp_round_scene s = {.core = core, .tol = tol, .margin = INFINITY, .best_s = -INFINITY};
    const sp_pose3 here = {{0.0, 0.0, 0.0}, pose_b->R},
                   there = {sp_sub3(pose_a->x, pose_b->x), pose_a->R};
    s.b = sp_round_of(b, &here);
    if (!core) {
        s.a = sp_round_of(a, &there);
    }
    return s;
}

/* The smallest gap of the touches found here. */
static double least_of(const sp_round_scene *s)
{
    double least = INFINITY;
    for (int k = s->first; k < s->list->n && k < s->list->room; k++) {
        least = fmin(least, s->list->touch[k].g_N);
    }
    return least;
}

/* Whether x is in a polytope or a capsule, within tol. */
static bool is_in_core(const sp_core *c, sp_vec3 x, double tol)
{
    if (c->h->n_face == 0) { /* one edge */
        const sp_vec3 d = sp_sub3(x, sp_core_vertex(c, 0)), u = sp_core_edge(c, 0);
        const double s = fmin(fmax(sp_inner3(u, d) / sp_inner3(u, u), 0.0), 1.0);
        return sp_length3(sp_axpy3(d, -s, u)) <= c->r + tol;
    }
    double out = -INFINITY;
    for (int f = 0; f < c->h->n_face; f++) {
        const double h = sp_inner3(sp_core_normal(c, f), sp_sub3(x, c->pose.x)) - c->h->offset[f];
        out = fmax(out, h);
    }
    return out <= c->r + tol;
}

/* The same of a disc or frustum. */
static bool is_in_round(const sp_round *d, sp_vec3 x, double tol)
{
    const sp_vec3 v = sp_sub3(x, d->rim[0].center);
    const double z = sp_inner3(v, d->axis), high = d->length * d->g_z;
    const double rho = sp_length3(sp_axpy3(v, -z, d->axis));
    const double r = d->rim[0].r + (d->length > 0.0 ? z / d->g_z * d->g_rho : 0.0);
    return z >= -tol && z <= high + tol && rho <= r + tol;
}

/* Whether the best offer shows that the shapes are in each other: one of its points is in the other
 * shape.  Edges that were left out as too far may be between them otherwise. */
static bool is_proven(const sp_round_scene *s)
{
    const sp_offer *o = &s->best;
    return !s->core || s->best_s >= -s->tol ||
           is_in_round(&s->b, sp_axpy3(o->x, -o->side[0].r, o->n), s->tol) ||
           is_in_core(s->core, sp_axpy3(o->y, o->side[1].r, o->n), s->tol);
}

void sp_touches_round(const sp_core *core, const sp_shape3 *a, const sp_pose3 *pose_a,
                      const sp_shape3 *b, const sp_pose3 *pose_b, double tol, sp_touches *list)
{
    sp_round_scene s = scene_of(core, a, pose_a, b, pose_b, tol);
    s.margin = list->margin > 0.0 ? list->margin : 0.0;
    s.first = list->n;
    s.list = list;
    sp_round_offer(&s);
    if (!(s.best.reach >= -tol) || !is_proven(&s)) { /* far edges may be what is nearest */
        s.margin = INFINITY;
        sp_round_offer(&s);
    }
    if (!(s.best_s <= list->margin && s.best_s > -INFINITY) ||
        (s.best_s > tol && s.best.reach < -tol)) { /* what is nearest is farther than the margin */
        return;
    }
    s.task = SP_ROUND_LIST;
    sp_round_offer(&s);
    sp_round_crossings(&s);
    const double nearly = s.best_s + SP_NEARLY * fabs(s.best_s) + tol;
    if (!(least_of(&s) <= nearly)) { /* sharp, or deep and past the ends of its features */
        sp_round_add(&s, &s.best, SP_CARRIED_BY_FEATURES);
    }
}

bool sp_touch_hold_round(const sp_core *core, const sp_shape3 *a, const sp_pose3 *pose_a,
                         const sp_shape3 *b, const sp_pose3 *pose_b, const int feature[2],
                         sp_touch *touch, double *reach)
{
    sp_touches one = {.touch = touch, .room = 1, .margin = INFINITY, .least = INFINITY};
    sp_round_scene s = scene_of(core, a, pose_a, b, pose_b, 0.0);
    s.task = SP_ROUND_HOLD;
    s.only[0] = feature[0];
    s.only[1] = feature[1];
    s.list = &one;
    sp_round_offer(&s);
    if (!s.found) {
        return false;
    }
    sp_round_add(&s, &s.best, SP_CARRIED_BY_FEATURES);
    *reach = s.best.reach;
    return one.n == 1;
}
