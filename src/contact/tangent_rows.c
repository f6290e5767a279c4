/* contact/tangent_rows.c - forces of held rows with their derivatives: the directions of contacts,
 * loops and couplings turn as the machine moves. */
#include "contact/con3.h"
#include "contact/rule.h"
#include "contact/tangent.h"
#include "model/aspect.h"
#include "model/loop_rows.h"

/* What one row is computed from. */
typedef struct rows_at {
    const sp_model *m;
    const sp_numbers *num;
    const sp_tangent_point *at;
    sp_tangent *to;
} rows_at;

static const sp_dual3 none = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};

/* A force on one body at a spot and its opposite on another at another. */
static void push_apart(sp_tangent *to, const sp_tangent_spot *a, const sp_tangent_spot *b,
                       sp_dual3 force)
{
    sp_tangent_push(to, a, force, none);
    sp_tangent_push(to, b, sp_dual3_scale(-1.0, force), none);
}

static void twist_apart(sp_tangent *to, const sp_tangent_spot *a, const sp_tangent_spot *b,
                        sp_dual3 moment)
{
    sp_tangent_push(to, a, none, moment);
    sp_tangent_push(to, b, none, sp_dual3_scale(-1.0, moment));
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* One axis of a joint's frame at its mark. */
static sp_dual3 axis_of(const sp_tangent *to, const sp_tangent_spot *s, const sp_mark *mark,
                        int axis)
{
    const sp_vec3 local = {mark->axes[axis], mark->axes[3 + axis], mark->axes[6 + axis]};
    return sp_dual_rotate(sp_tangent_axes(to, s), sp_dual3_of(local));
}

/* Rows of place push along a_i at p_B, rows of direction twist about a_i x b_j.   theory (4.15) */
static void loop_row(const rows_at *l, const sp_slot *s, double lambda)
{
    sp_tangent *to = l->to;
    const sp_mark *mark = l->num->loop[s->rule].mark;
    const sp_row_kind kind = sp_loop_rows_of(l->m->loop[s->rule].joint, l->m->dim)->row[s->part];
    const sp_tangent_spot A = sp_tangent_spot_of(to, &mark[0]),
                          B = sp_tangent_spot_of(to, &mark[1]);
    const sp_dual3 a = axis_of(to, &A, &mark[0], kind.a);
    if (kind.b == SP_NONE) {
        const sp_tangent_spot there = sp_tangent_arm(to, &A, B.x);
        push_apart(to, &B, &there, sp_dual3_scale(lambda, a));
    } else {
        const sp_dual3 b = axis_of(to, &B, &mark[1], kind.b), m = sp_dual3_cross(a, b);
        twist_apart(to, &A, &B, sp_dual3_scale(lambda, m));
    }
}

/* ---- rows by expressions --------------------------------------------------------------------- */

static void rule_row(const rows_at *l, const sp_slot *s, int part, double lambda)
{
    const sp_rule *r = &l->m->rule[s->rule];
    const sp_func *f = part == 0 ? &r->measure : &r->slip[part - 1];
    const double k = part == 0 ? r->sign * lambda : lambda;
    sp_tangent_slopes(l->to, f);
    for (int i = 0; i < f->n_signal; i++) {
        if (sp_aspect_of(f->signal[i].kind).is_rate == (part != 0)) {
            sp_tangent_push_signal(l->to, &f->signal[i], sp_dual_scale(k, l->to->slope[i]));
        }
    }
}

/* ---- contacts between contours --------------------------------------------------------------- */

/* n where b is straight: carried by b.  Where it is round: along the line between the centres,
 * which both bodies carry. */
static sp_dual3 normal(const sp_tangent *to, const sp_slot *s, const sp_contact_frame *f)
{
    const sp_vec3 n = sp_spot_lift(f->n), c_a = sp_spot_lift(f->center);
    if (f->inv_distance == 0.0) {
        const sp_tangent_spot b = sp_tangent_spot_of(to, f->mark[1]);
        return (sp_dual3){n, sp_cross3(sp_tangent_axes(to, &b).theta, n)};
    }
    const double sign = s->kind == SP_SLOT_HOLLOW ? -1.0 : 1.0;
    const sp_vec3 c_b = sp_axpy3(c_a, -sign / f->inv_distance, n);
    const sp_vec3 d = sp_sub3(sp_tangent_carried(to, f->mark[0], c_a).d,
                              sp_tangent_carried(to, f->mark[1], c_b).d);
    const sp_vec3 across = sp_axpy3(d, -sp_inner3(n, d), n);
    return (sp_dual3){n, sp_scale3(sign * f->inv_distance, across)};
}

/* Force along n or t at the place where the contours touch, on both sides. */
static void contour_row(const rows_at *l, int slot, int part, double lambda)
{
    sp_tangent *to = l->to;
    const sp_slot *s = &l->m->slot[slot];
    const sp_contact_frame f = sp_con_frame(l->m, l->num, l->at->con, slot);
    const sp_dual3 n = normal(to, s, &f);
    const sp_dual3 t = {{s->sign_t * n.v.y, -s->sign_t * n.v.x, 0.0},
                        {s->sign_t * n.d.y, -s->sign_t * n.d.x, 0.0}};
    const sp_dual3 center = sp_tangent_carried(to, f.mark[0], sp_spot_lift(f.center));
    const sp_dual3 x = sp_dual3_sub(center, sp_dual3_scale(f.radius, n));
    const sp_dual3 force = sp_dual3_scale(lambda, part == 0 ? n : t);
    const sp_vec3 foot = sp_spot_lift(f.point[1]); /* where b is met; the gap is wherever it is */
    const sp_vec3 apart = sp_sub3(sp_tangent_carried(to, f.mark[0], x.v).d,
                                  sp_tangent_carried(to, f.mark[1], foot).d);
    const sp_dual gap = {f.g_N, sp_inner3(n.v, apart)};
    const sp_tangent_spot a = sp_tangent_fixed(to, f.mark[0], x);
    const sp_tangent_spot b =
        sp_tangent_fixed(to, f.mark[1], sp_dual3_sub(x, sp_dual3_times(gap, n)));
    push_apart(to, &a, &b, force);
}

/* A contact in space: its six directions and both points, carried along. */
typedef struct space_contact {
    sp_tangent_spot s[2];
    sp_dual3 e[3]; /* n, t1, t2 */
} space_contact;

/* False if the slot is a free one of a pool. */
static bool space_contact_of(const rows_at *l, int slot, space_contact *c)
{
    sp_contact_frame3 f;
    int a, b;
    if (!sp_con3_pair(l->m, l->at->con, slot, &a, &b)) {
        return false;
    }
    sp_con3_frame(l->m, l->num, l->at->con, slot, &f);
    const sp_frame3_rates r = sp_frame3_motion(&l->to->step, &f);
    for (int k = 0; k < 3; k++) {
        const sp_vec3 e = k == 0 ? f.n : f.t[k - 1];
        c->e[k] = (sp_dual3){e, sp_cross3(r.spin, e)};
    }
    for (int k = 0; k < 2; k++) {
        const sp_dual3 x = {f.point[k], sp_add3(r.v[k], r.wander[k])};
        c->s[k] = sp_tangent_fixed(l->to, f.mark[k], x);
    }
    return true;
}

/* A force along, or a torque about, one of the directions, on both sides: parts 1 and 2 are along
 * t1 and t2, parts 3, 4, 5 torques about n, t1, t2. */
static void space_force(sp_tangent *to, const space_contact *c, int part, sp_dual lambda)
{
    const sp_dual3 force = sp_dual3_times(lambda, c->e[part % 3]);
    if (part >= 3) {
        twist_apart(to, &c->s[0], &c->s[1], force);
    } else {
        push_apart(to, &c->s[0], &c->s[1], force);
    }
}

/* The velocity of side a against side b of one part.   theory (18.7), (19.26) */
static sp_dual space_velocity(const sp_tangent *to, const space_contact *c, int part)
{
    const sp_tangent_spot *a = &c->s[0], *b = &c->s[1];
    const sp_dual3 v = part >= 3
                           ? sp_dual3_sub(sp_tangent_spin(to, a), sp_tangent_spin(to, b))
                           : sp_dual3_sub(sp_tangent_velocity(to, a), sp_tangent_velocity(to, b));
    return sp_dual3_inner(v, c->e[part % 3]);
}

/* One held row of a contact in space; its velocity into gamma, if that is asked for. */
static void space_row(const rows_at *l, const sp_held_row *row, sp_dual *gamma)
{
    space_contact c;
    if (space_contact_of(l, row->slot, &c)) {
        space_force(l->to, &c, row->part, sp_dual_of(row->lambda));
        if (gamma) {
            *gamma = space_velocity(l->to, &c, row->part);
        }
    }
}

/* Friction that follows the velocities.   theory (24.2) */
static void slide(const rows_at *l, const sp_slide *s)
{
    space_contact c;
    double d[SP_SLIDE_ROWS];
    if (!space_contact_of(l, s->slot, &c)) {
        return;
    }
    for (int i = 0; i < SP_SLIDE_ROWS; i++) {
        d[i] = space_velocity(l->to, &c, 1 + i).d;
    }
    for (int i = 0; i < SP_SLIDE_ROWS; i++) {
        sp_dual lambda = sp_dual_of(s->lambda[i]);
        for (int j = 0; j < SP_SLIDE_ROWS; j++) {
            lambda.d += s->slope[SP_SLIDE_ROWS * i + j] * d[j];
        }
        space_force(l->to, &c, 1 + i, lambda);
    }
}

/* A torque about a fixed axis that holds the spin of a body. */
static void spin_row(const rows_at *l, const sp_spin_row *s, sp_dual *gamma)
{
    const sp_dual3 axis = sp_dual3_of(s->axis);
    const sp_tangent_spot at = {.body = s->body, .x = l->to->body[s->body].x};
    sp_tangent_push(l->to, &at, none, sp_dual3_scale(s->lambda, axis));
    if (gamma) {
        *gamma = sp_dual3_inner(l->to->body[s->body].omega, axis);
    }
}

static void rows(const rows_at *l)
{
    for (int i = 0; i < l->at->n_row; i++) {
        const sp_held_row *row = &l->at->row[i];
        const sp_slot *s = &l->m->slot[row->slot];
        sp_dual *gamma = l->at->gamma ? &l->at->gamma[i] : NULL;
        if (gamma) {
            *gamma = sp_dual_of(0.0);
        }
        if (row->lambda == 0.0 && !gamma) {
            continue;
        }
        if (s->is.loop) {
            loop_row(l, s, row->lambda);
        } else if (s->is.rule) {
            rule_row(l, s, row->part, row->lambda);
        } else if (s->is.space) {
            space_row(l, row, gamma);
        } else {
            contour_row(l, row->slot, row->part, row->lambda);
        }
    }
    for (int i = 0; i < l->at->n_slide; i++) {
        slide(l, &l->at->slide[i]);
    }
    for (int i = 0; i < l->at->n_spin; i++) {
        spin_row(l, &l->at->spin[i], l->at->gamma ? &l->at->gamma[l->at->n_row + i] : NULL);
    }
}

void sp_tangent_look(const sp_model *m, const sp_numbers *num, const sp_tangent_point *at,
                     const double *dq, const double *du, sp_tangent *to)
{
    const rows_at l = {m, num, at, to};
    sp_tangent_begin(m, num, &at->at, dq, du, to);
    rows(&l);
    sp_tangent_end(to);
}
