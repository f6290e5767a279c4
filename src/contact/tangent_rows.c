/* contact/tangent_rows.c - forces of held rows with their derivatives: the directions of contacts,
 * loops and couplings turn as the machine moves. */
#include "contact/con3.h"
#include "contact/rule.h"
#include "contact/tangent_parts.h"
#include "kinematics/point.h"
#include "model/loop_rows.h"

/* ---- loops ----------------------------------------------------------------------------------- */

/* One axis of a joint's frame on a body. */
static sp_dual3 axis_of(const sp_tangent *to, int body, const double turn[9], int axis)
{
    const sp_vec3 local = {turn[axis], turn[3 + axis], turn[6 + axis]};
    return sp_dual_rotate(to->body[body].R, sp_dual3_of(local));
}

/* Rows of place push along a_i at p_B, rows of direction twist about a_i x b_j.   theory (4.15) */
static void loop_row(const sp_tangent_look_at *l, const sp_slot *s, double lambda)
{
    sp_tangent *to = l->to;
    const sp_loop *loop = &l->m->loop[s->rule];
    const sp_loop_numbers *n = &l->num->loop[s->rule];
    const sp_row_kind kind = sp_loop_rows_of(loop->joint, l->m->dim)->row[s->part];
    const int A = loop->body[0], B = loop->body[1];
    const sp_dual3 a = axis_of(to, A, n->turn[0], kind.a);
    if (kind.b == SP_NONE) {
        const sp_dual3 p = sp_tangent_place(to, B, sp_vec3_of(n->at[1]));
        sp_tangent_push(to, B, p, sp_dual3_scale(lambda, a));
        sp_tangent_push(to, A, p, sp_dual3_scale(-lambda, a));
    } else {
        const sp_dual3 b = axis_of(to, B, n->turn[1], kind.b), m = sp_dual3_cross(a, b);
        sp_tangent_twist(to, A, sp_dual3_scale(lambda, m));
        sp_tangent_twist(to, B, sp_dual3_scale(-lambda, m));
    }
}

/* ---- rows by expressions --------------------------------------------------------------------- */

/* A rate that a slip velocity is made of. */
static bool is_velocity(sp_signal_kind kind)
{
    return kind == SP_SIG_U || kind == SP_SIG_VX || kind == SP_SIG_VY || kind == SP_SIG_VZ ||
           kind == SP_SIG_OMEGA || (kind >= SP_SIG_OMEGA_X && kind <= SP_SIG_OMEGA_OWN_Z);
}

static void rule_row(const sp_tangent_look_at *l, const sp_slot *s, int part, double lambda)
{
    const sp_rule *r = &l->m->rule[s->rule];
    const sp_func *f = part == 0 ? &r->measure : &r->slip;
    const double k = part == 0 ? r->sign * lambda : lambda;
    sp_tangent_gradient(l, f);
    for (int i = 0; i < f->n_signal; i++) {
        if (is_velocity(f->signal[i].kind) == (part != 0)) {
            const sp_dual slope = {l->to->grad[i], l->to->grad_d[i]};
            sp_tangent_pull_signal(l, &f->signal[i], sp_dual_scale(k, slope));
        }
    }
}

/* ---- contacts between contours --------------------------------------------------------------- */

/* n where b is straight: carried by b.  Where it is round: along the line between the centres,
 * which both bodies carry. */
static sp_dual3 normal(const sp_tangent *to, const sp_slot *s, const sp_contact_frame *f)
{
    const sp_vec3 n = sp_point_lift(f->n), c_a = sp_point_lift(f->center);
    if (f->inv_distance == 0.0) {
        return (sp_dual3){n, sp_cross3(to->body[s->body_b].R.theta, n)};
    }
    const double sign = s->kind == SP_SLOT_HOLLOW ? -1.0 : 1.0;
    const sp_vec3 c_b = sp_axpy3(c_a, -sign / f->inv_distance, n);
    const sp_vec3 d =
        sp_sub3(sp_tangent_carried(to, s->body_a, c_a).d, sp_tangent_carried(to, s->body_b, c_b).d);
    const sp_vec3 across = sp_axpy3(d, -sp_inner3(n, d), n);
    return (sp_dual3){n, sp_scale3(sign * f->inv_distance, across)};
}

/* Force along n or t at the place where the contours touch, on both sides. */
static void contour_row(const sp_tangent_look_at *l, int slot, int part, double lambda)
{
    sp_tangent *to = l->to;
    const sp_slot *s = &l->m->slot[slot];
    const sp_contact_frame f = sp_con_frame(l->m, l->num, l->at->con, slot);
    const sp_dual3 n = normal(to, s, &f);
    const sp_dual3 t = {{s->sign_t * n.v.y, -s->sign_t * n.v.x, 0.0},
                        {s->sign_t * n.d.y, -s->sign_t * n.d.x, 0.0}};
    const sp_dual3 center = sp_tangent_carried(to, s->body_a, sp_point_lift(f.center));
    const sp_dual3 x = sp_dual3_sub(center, sp_dual3_scale(f.radius, n));
    const sp_dual3 force = sp_dual3_scale(lambda, part == 0 ? n : t);
    const sp_vec3 foot = sp_point_lift(f.point[1]); /* where b is met; the gap is wherever it is */
    const sp_vec3 apart = sp_sub3(sp_tangent_carried(to, s->body_a, x.v).d,
                                  sp_tangent_carried(to, s->body_b, foot).d);
    const sp_dual gap = {f.g_N, sp_inner3(n.v, apart)};
    sp_tangent_push(to, s->body_a, x, force);
    sp_tangent_push(to, s->body_b, sp_dual3_sub(x, sp_dual3_times(gap, n)),
                    sp_dual3_scale(-1.0, force));
}

/* The same in space: part 1 is along t1, part 2 along t2; parts 3, 4, 5 are torques about n, t1,
 * t2. */
static void space_row(const sp_tangent_look_at *l, int slot, int part, double lambda)
{
    sp_tangent *to = l->to;
    sp_contact_frame3 f;
    int a, b;
    if (!sp_con3_pair(l->m, l->at->con, slot, &a, &b)) {
        return;
    }
    sp_con3_frame(l->m, l->num, l->at->con, slot, &f);
    const sp_frame3_rates r = sp_frame3_motion(&to->step, &f);
    const sp_vec3 e = part % 3 == 0 ? f.n : f.t[part % 3 - 1];
    const sp_dual3 force = sp_dual3_scale(lambda, (sp_dual3){e, sp_cross3(r.spin, e)});
    for (int k = 0; k < 2; k++) {
        if (part >= 3) {
            sp_tangent_twist(to, f.body[k], sp_dual3_scale(k == 0 ? 1.0 : -1.0, force));
            continue;
        }
        const sp_dual3 x = {f.point[k], sp_add3(r.v[k], r.wander[k])};
        sp_tangent_push(to, f.body[k], x, sp_dual3_scale(k == 0 ? 1.0 : -1.0, force));
    }
}

void sp_tangent_rows(sp_tangent_look_at *l)
{
    for (int i = 0; i < l->at->n_row; i++) {
        const sp_held_row *row = &l->at->row[i];
        const sp_slot *s = &l->m->slot[row->slot];
        if (row->lambda == 0.0) {
            continue;
        }
        if (s->kind == SP_SLOT_LOOP) {
            loop_row(l, s, row->lambda);
        } else if (sp_con_by_rule(s)) {
            rule_row(l, s, row->part, row->lambda);
        } else if (sp_con_in_space(s)) {
            space_row(l, row->slot, row->part, row->lambda);
        } else {
            contour_row(l, row->slot, row->part, row->lambda);
        }
    }
}
