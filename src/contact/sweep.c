#include "contact/sweep.h"

#include "kinematics/spot.h"

#include <math.h>

enum { LOOKS_MOST = 10000 };
#define NEAR 1e-7 /* of the two sizes: nearer they may touch                          */
#define LESS 1e-6 /* of a piece: smaller by this they are apart where they just touch */

void sp_sweep_poses(const sp_model *m, const sp_kin *kin, sp_sweep_pose *pose)
{
    for (int i = 0; i < m->n_body; i++) {
        const sp_spot origin = sp_spot_origin(kin, i);
        pose[i] = (sp_sweep_pose){.x = origin.x,
                                  .R = sp_spot_axes(kin, &origin),
                                  .angle = m->dim == 3 ? 0.0 : sp_spot_angle(kin, i)};
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
    double angle; /* |turn| */
} mover;

static mover mover_of(const sp_sweep *s, const sp_sweep_way *way, int contour, const sp_convex *c)
{
    const int body = s->m->contour[contour].body;
    const sp_sweep_pose *from = &way->from[body], *to = &way->to[body];
    const sp_vec3 x = sp_add3(from->x, sp_rotate3(from->R, c->centre));
    const sp_vec3 y = sp_add3(to->x, sp_rotate3(to->R, c->centre));
    const sp_vec3 turn = turn_of(s->m, from, to);
    return (mover){c, x, sp_sub3(y, x), turn, from->R, sp_length3(turn)};
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

/* Distance and n where two pieces touch; those that overlap a little face each other as they do
 * when they are drawn together a little. */
static void face_each_other(const mover *a, const mover *b, sp_sweep_found *found)
{
    const sp_vec3 still = {0.0, 0.0, 0.0};
    sp_convex_at p = place(a, found->at), q = place(b, found->at);
    double apart = -INFINITY;
    for (double less = 0.0; less < 1.0 && !(apart > 0.0); less = less > 0.0 ? 4.0 * less : LESS) {
        p.less = q.less = less;
        sp_convex_clear(&p, &q, still, INFINITY, &found->n, &apart);
        found->distance = less > 0.0 ? 0.0 : fmax(apart, 0.0);
        apart += a->c->r + b->c->r; /* balls may overlap */
    }
    found->piece[0] = a->c;
    found->piece[1] = b->c;
}

/* Two that touch when the way begins and part, to the side that they are on: from where they are
 * apart; 0 if they do not touch, or stay so. */
static double leaving(const mover *a, const mover *b, double near, sp_sweep_found *found)
{
    found->at = 0.0;
    face_each_other(a, b, found);
    const sp_vec3 n = found->n;
    for (double at = 1.0 / (1 << 24); at < 1.0 && found->distance <= near; at *= 2.0) {
        const sp_convex_at p = place(a, at), q = place(b, at);
        const double apart = sp_convex_apart(&p, &q, n);
        if (apart > 2.0 * near || !(apart > -near)) {
            return apart > 0.0 ? at : 0.0;
        }
    }
    return 0.0;
}

/* Along the way of two pieces as far as it is proven: `at` goes on by parts that are as long as the
 * bound allows.   theory (66.5) */
static sp_sweep_end sweep_pieces(const mover *a, const mover *b, double slack,
                                 sp_sweep_found *found)
{
    const sp_vec3 go = sp_sub3(a->go, b->go);
    const double swing = a->angle * a->c->size + b->angle * b->c->size;
    const double size = a->c->size + a->c->r + b->c->size + b->c->r;
    const double near = NEAR * size, rate = sp_length3(go) + swing;
    double at = leaving(a, b, near, found), part = 1.0 - at;
    for (int look = 0; at < 1.0; look++) {
        const double half = 0.5 * part;
        const sp_convex_at p = place(a, at + half), q = place(b, at + half);
        const bool clear = sp_convex_clear(&p, &q, sp_scale3(half, go), swing * half + slack,
                                           &found->n, &found->distance);
        if (clear) {
            at = at + part < 1.0 ? at + part : 1.0;
            part = fmin(2.0 * part, 1.0 - at);
            continue;
        }
        if (rate * half <= near || look > LOOKS_MOST) {
            found->at = at;
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

double sp_sweep_ball(const sp_sweep *s, const sp_sweep_pose *pose, int contour, sp_vec3 *centre)
{
    const sp_sweep_cover *c = &s->cover[contour];
    const sp_sweep_pose *p = &pose[s->m->contour[contour].body];
    *centre = sp_add3(p->x, sp_rotate3(p->R, c->centre));
    return c->radius;
}

/* Whether the balls around two contours stay apart. */
static bool far_apart(const sp_sweep *s, const sp_sweep_way *way, int a, int b)
{
    sp_vec3 a0, a1, b0, b1;
    const double r = sp_sweep_ball(s, way->from, a, &a0) + sp_sweep_ball(s, way->from, b, &b0);
    sp_sweep_ball(s, way->to, a, &a1);
    sp_sweep_ball(s, way->to, b, &b1);
    const sp_vec3 x = sp_sub3(a0, b0), y = sp_sub3(a1, b1);
    return balls_apart(x, sp_sub3(y, x), r + way->slack);
}

bool sp_sweep_is_far(const sp_sweep *s, sp_sweep_pose *const *pose, int n_way, int a, int b)
{
    bool far = true;
    for (int k = 0; k < n_way && far && s->cover[a].n > 0 && s->cover[b].n > 0; k++) {
        far = far_apart(s, &(sp_sweep_way){.from = pose[k], .to = pose[k + 1]}, a, b);
    }
    return far;
}

double sp_sweep_turned(const sp_sweep *s, const sp_sweep_pose *from, const sp_sweep_pose *to,
                       int contour)
{
    const int body = s->m->contour[contour].body;
    return sp_length3(turn_of(s->m, &from[body], &to[body]));
}

sp_sweep_end sp_sweep_piece(const sp_sweep *s, const sp_sweep_way *way, int a, int b,
                            const sp_convex *piece, sp_sweep_found *found)
{
    const sp_sweep_cover *B = &s->cover[b];
    const mover p = mover_of(s, way, a, piece);
    *found = (sp_sweep_found){.end = SP_SWEEP_CLEAR, .a = a, .b = b, .at = 1.0};
    for (int j = 0; j < B->n; j++) {
        const mover q = mover_of(s, way, b, &B->piece[j]);
        const double r = p.c->size + p.c->r + q.c->size + q.c->r + way->slack;
        if (balls_apart(sp_sub3(p.middle, q.middle), sp_sub3(p.go, q.go), r)) {
            continue;
        }
        sp_sweep_found one = {.a = a, .b = b};
        one.end = sweep_pieces(&p, &q, way->slack, &one);
        if (one.end != SP_SWEEP_CLEAR && (found->end == SP_SWEEP_CLEAR || one.at < found->at)) {
            *found = one;
        }
    }
    return found->end;
}

sp_sweep_end sp_sweep_contours(const sp_sweep *s, const sp_sweep_way *way, int a, int b,
                               sp_sweep_found *found)
{
    *found = (sp_sweep_found){.end = SP_SWEEP_CLEAR, .a = a, .b = b, .at = 1.0};
    for (int i = 0; i < s->cover[a].n && !far_apart(s, way, a, b); i++) {
        sp_sweep_found one;
        const sp_sweep_end end = sp_sweep_piece(s, way, a, b, &s->cover[a].piece[i], &one);
        if (end != SP_SWEEP_CLEAR && (found->end == SP_SWEEP_CLEAR || one.at < found->at)) {
            *found = one;
        }
    }
    return found->end;
}

/* The farthest that two contours can come together on a way. */
static double come_together(const sp_sweep *s, const sp_sweep_way *way, int a, int b)
{
    sp_vec3 a0, a1, b0, b1;
    const double r_a = sp_sweep_ball(s, way->from, a, &a0),
                 r_b = sp_sweep_ball(s, way->from, b, &b0);
    sp_sweep_ball(s, way->to, a, &a1);
    sp_sweep_ball(s, way->to, b, &b1);
    return sp_length3(sp_sub3(sp_sub3(a1, a0), sp_sub3(b1, b0))) +
           sp_sweep_turned(s, way->from, way->to, a) * r_a +
           sp_sweep_turned(s, way->from, way->to, b) * r_b;
}

bool sp_sweep_is_slow(const sp_sweep *s, sp_sweep_pose *const *pose, int n_way, int a, int b)
{
    const sp_sweep_cover *A = &s->cover[a], *B = &s->cover[b];
    const double thin = fmin(A->thin, B->thin);
    const double seen = A->ball + B->ball + (thin < INFINITY ? 0.5 * thin : 0.0);
    double most = 0.0;
    for (int k = 0; k < n_way; k++) {
        const double way =
            come_together(s, &(sp_sweep_way){.from = pose[k], .to = pose[k + 1]}, a, b);
        most = way > most || isnan(way) ? way : most;
    }
    return 2.0 * most < seen; /* the rest of this way, and as much of the next */
}

double sp_sweep_depth(const sp_sweep *s, const sp_sweep_way *way, const sp_sweep_found *found,
                      double at)
{
    const mover a = mover_of(s, way, found->a, found->piece[0]);
    const mover b = mover_of(s, way, found->b, found->piece[1]);
    const sp_convex_at p = place(&a, at), q = place(&b, at);
    return -sp_convex_apart(&p, &q, found->n);
}

double sp_sweep_seen(const sp_sweep *s, const sp_sweep_way *way, const sp_sweep_found *found)
{
    double least = INFINITY, sum = 0.0;
    for (int k = 0; k < 2; k++) {
        const mover p = mover_of(s, way, k ? found->b : found->a, found->piece[k]);
        const sp_convex_at q = place(&p, found->at);
        sum += p.c->r;
        if (p.c->size > 0.0) {
            least = fmin(least, sp_convex_width(&q, found->n));
        }
    }
    return sum + (least < INFINITY ? 0.5 * least : 0.0);
}
