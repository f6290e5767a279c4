/* dynamics/tangent.c - inverse dynamics in dual numbers. */
#include "dynamics/algebra_dual.h"
#include "dynamics/load.inc"
#include "kinematics/flex.h"
#include "kinematics/motion.inc"

#include "expr/taylor.h"

/* ---- memory ---------------------------------------------------------------------------------- */

bool sp_tangent_alloc(sp_arena *arena, const sp_model *m, sp_tangent *to)
{
    const size_t n = (size_t)m->expr_input;
    const sp_program *T = m->formula.kinetic.program; /* its third derivatives are needed */
    const size_t taylor = T ? sp_program_taylor_work(T) / sizeof(double) + 1 : 0;
    *to = (sp_tangent){.body = SP_NEW(arena, sp_tangent_body, m->n_body),
                       .wrench = SP_NEW(arena, sp_tangent_wrench, m->n_body),
                       .axis = SP_NEW(arena, sp_tangent_axis, m->n_dof),
                       .r = SP_NEW(arena, sp_dual, m->n_dof),
                       .u = SP_NEW(arena, sp_dual, m->n_dof),
                       .a = SP_NEW(arena, sp_dual, m->n_dof),
                       .slope = SP_NEW(arena, sp_dual, n),
                       .in = SP_NEW(arena, double, n),
                       .in_d = SP_NEW(arena, double, n),
                       .grad = SP_NEW(arena, double, n),
                       .hess = SP_NEW(arena, double, m->expr_hess),
                       .along = SP_NEW(arena, double, 3 * n),
                       .work = SP_NEW(arena, double, m->expr_work + taylor),
                       .path = SP_NEW(arena, sp_taylor, n)};
    return sp_kin_alloc(arena, m, &to->step) &&
           (!m->layout.mixed || sp_tangent_kinds_alloc(arena, m, to)) && to->body && to->wrench &&
           to->axis && to->r && to->u && to->a && to->slope && to->in && to->in_d && to->grad &&
           to->hess && to->along && to->work && to->path;
}

/* ---- spots ----------------------------------------------------------------------------------- */

/* A vector that something carries. */
static vec turned(rot R, sp_vec3 a)
{
    return (vec){a, sp_cross3(R.theta, a)};
}

/* A spot with its displacement; its arm turns with the material. */
static spot displaced(const sp_tangent *to, const sp_spot *s)
{
    spot d = {.body = s->body, .x = {s->x, sp_spot_velocity(&to->step, s)}, .bends = s->bends};
    if (s->bends) {
        d.at = v_of(s->at);
        d.guest = s->guest;
        if (s->guest != SP_GROUND) {
            d.at.d.x = to->dq[to->m->body[s->guest].dof];
        }
        d.d = (vec){s->d, sp_cross3(sp_spot_spin(&to->step, s), s->d)};
        d.shape = s->shape;
    }
    return d;
}

spot sp_tangent_spot_of(const sp_tangent *to, const sp_mark *mark)
{
    const sp_spot s = sp_spot_of(to->at.kin, mark);
    return displaced(to, &s);
}

spot sp_tangent_arm(const sp_tangent *to, const spot *s, vec x)
{
    spot arm = {.body = s->body, .x = x, .d = no_vec};
    if (s->bends) {
        arm = *s;
        arm.d = add(s->d, sub(x, s->x));
        arm.x = x;
    }
    (void)to;
    return arm;
}

spot sp_tangent_fixed(const sp_tangent *to, const sp_mark *mark, vec x)
{
    const spot s = sp_tangent_spot_of(to, mark);
    return sp_tangent_arm(to, &s, x);
}

vec sp_tangent_carried(const sp_tangent *to, const sp_mark *mark, sp_vec3 x)
{
    const sp_spot s = sp_mark_spot(to->at.kin, mark, x);
    return displaced(to, &s).x;
}

/* The same in numbers, for its axes. */
rot sp_tangent_axes(const sp_tangent *to, const spot *s)
{
    const sp_spot at = {
        .body = s->body, .bends = s->bends, .at = s->at.v, .shape = s->shape, .guest = s->guest};
    return s->bends ? (rot){sp_spot_axes(to->at.kin, &at), sp_spot_spin(&to->step, &at)}
                    : to->body[s->body].R;
}

vec sp_tangent_velocity(const sp_tangent *to, const spot *s)
{
    const frame *b = &to->body[s->body];
    const vec v = add(b->v, cross(b->omega, sub(s->x, b->x)));
    vec more[4];
    if (s->bends) {
        sp_tangent_relative(to, s, more);
    }
    return s->bends ? add(v, more[0]) : v;
}

vec sp_tangent_spin(const sp_tangent *to, const spot *s)
{
    vec more[4];
    if (s->bends) {
        sp_tangent_relative(to, s, more);
    }
    return s->bends ? add(to->body[s->body].omega, more[1]) : to->body[s->body].omega;
}

void sp_tangent_push(sp_tangent *to, const spot *s, vec force, vec moment)
{
    wrench *w = &to->wrench[s->body];
    w->f = add(w->f, force);
    w->m = add(w->m, add(moment, cross(sub(s->x, to->body[s->body].pivot), force)));
    if (s->bends) {
        sp_tangent_bend(to, s, force, moment);
    }
}

void sp_tangent_on_dof(sp_tangent *to, int dof, real force)
{
    to->r[dof] = sp_dual_sub(to->r[dof], force);
}

/* ---- places and motion ----------------------------------------------------------------------- */

/* The mark of a body on a parent that deforms, with an arm to where the frame is that it hangs on.
 */
static spot hung_spot(const sp_tangent *to, int i)
{
    return displaced(to, &to->at.kin->flex->hung[i].at);
}

/* The frame that body i hangs on.   theory (2.27), (2.29) */
static frame carrier_of(const sp_tangent *to, int i)
{
    const int parent = to->m->body[i].parent;
    const frame *b = &to->body[parent];
    if (!to->step.deforms || !to->step.deforms[parent]) {
        return *b;
    }
    const spot s = hung_spot(to, i);
    const vec r = sub(s.x, b->x);
    vec more[4];
    sp_tangent_relative(to, &s, more);
    const vec a = add(add(b->a0, whirled(b->alpha0, b->omega, r)), more[2]);
    return (frame){.R = sp_tangent_axes(to, &s),
                   .x = s.x,
                   .v = add(add(b->v, cross(b->omega, r)), more[0]),
                   .omega = add(b->omega, more[1]),
                   .a0 = add(a, scale(2.0, cross(b->omega, more[0]))),
                   .alpha0 = add(add(b->alpha0, cross(b->omega, more[1])), more[3])};
}

/* Place and axes of body i from its frame and its displacement. */
static void place_body(sp_tangent *to, int i, const frame *on)
{
    const sp_kin *kin = to->at.kin;
    const sp_spot s = sp_spot_origin(kin, i);
    frame *b = &to->body[i];
    b->R = (rot){sp_spot_axes(kin, &s), sp_spot_spin(&to->step, &s)};
    b->x = displaced(to, &s).x;
    b->own = turned(b->R, sp_sub3(s.x, sp_spot_pivot(kin, i)));
    b->pivot = sub(b->x, b->own);
    b->arm = sub(b->pivot, on->x);
    b->c = turned(b->R, sp_spot_center(kin, i));
}

/* The axes of the joint of body i: carried by what it hangs on and by the turns before them in the
 * joint, those of a ball by the body. */
static void place_axes(sp_tangent *to, int i, const frame *on)
{
    const sp_model *m = to->m;
    const sp_body *b = &m->body[i];
    rot R = on->R;
    for (int k = b->dof; k < b->dof + b->n_dof; k++) {
        const bool ball = m->dof[k].move == SP_MOVE_BALL;
        sp_tangent_axis *a = &to->axis[k];
        if (sp_body_follows(m->body, i, k)) { /* what it hangs on moves: hung_spot */
            *a = (sp_tangent_axis){.w = no_vec, .s = no_vec, .p = to->body[i].pivot};
            continue;
        }
        const sp_axis3 world = sp_spot_axis(m, to->at.kin, k);
        a->w = turned(ball ? to->body[i].R : R, world.w);
        a->s = turned(R, world.s);
        a->p = to->body[i].pivot;
        if (b->track) { /* it turns along its way */
            const sp_spot_curve c = sp_spot_curve_of(m, to->at.kin, k, to->at.q[m->dof[k].q]);
            a->s.d = sp_axpy3(a->s.d, to->dq[k], c.bend);
            a->bend = turned(R, c.bend);
            a->bend.d = sp_axpy3(a->bend.d, to->dq[k], c.slope);
        }
        R.theta = sp_axpy3(R.theta, to->dq[k], world.w);
    }
}

void sp_tangent_begin(const sp_model *m, const sp_numbers *num, const sp_tangent_at *at,
                      const double *dq, const double *du, sp_tangent *to)
{
    const double *g = num->gravity;
    to->m = m;
    to->num = num;
    to->at = *at;
    to->dq = dq;
    to->du = du;
    to->g = v_of(((sp_vec3){g[0], g[1], m->dim == 3 ? g[2] : 0.0}));
    for (int k = 0; k < m->n_dof; k++) {
        to->r[k] = r_of(0.0);
        to->u[k] = (real){at->u[k], du[k]};
        to->a[k] = r_of(at->a[k]);
    }
    sp_kin_positions(m, num, at->q, &to->step);
    sp_kin_velocities(m, dq, &to->step);
    to->body[SP_GROUND] = (frame){.R = {.R = sp_rot3_one()}};
    to->wrench[SP_GROUND] = (wrench){.f = no_vec, .m = no_vec};
    for (int i = 1; i < m->n_body; i++) {
        const frame on = carrier_of(to, i);
        to->wrench[i] = (wrench){.f = no_vec, .m = no_vec};
        place_body(to, i, &on);
        place_axes(to, i, &on);
        body_move(m, to->u, i, false, &on, to);
        body_bend(m, to->u, to->a, i, false, &on, to);
    }
    sp_tangent_forces(to);
}

/* ---- all that acts --------------------------------------------------------------------------- */

/* Inertia and weight of body i. */
static void load_body(sp_tangent *to, int i)
{
    const sp_numbers *num = to->num;
    const frame *f = &to->body[i];
    const moments J = {f->R, num->space ? sp_sym3_of(num->space[i].inertia)
                                        : (sp_sym3){.zz = num->body[i].inertia}};
    to->wrench[i] =
        pass_on(body_force(num->body[i].mass, J, to->g, f, false), no_vec, to->wrench[i]);
}

/* From the leaves to the roots: r of each joint, then all that hangs on the parent; on one that
 * deforms it acts on its shape, too. */
void sp_tangent_end(sp_tangent *to)
{
    const sp_model *m = to->m;
    for (int i = m->n_body - 1; i > 0; i--) {
        const sp_body *b = &m->body[i];
        if (b->kind) {
            sp_tangent_load_kind(to, i);
        } else {
            load_body(to, i);
        }
        const wrench w = to->wrench[i];
        for (int k = b->dof; k < b->dof + b->n_dof; k++) {
            sp_tangent_on_dof(to, k, along(&to->axis[k], w));
        }
        const vec d = sub(to->body[i].pivot, to->body[b->parent].pivot);
        to->wrench[b->parent] = pass_on(w, d, to->wrench[b->parent]);
        if (to->step.deforms && to->step.deforms[b->parent]) {
            const spot s = hung_spot(to, i), at = sp_tangent_arm(to, &s, to->body[i].pivot);
            sp_tangent_bend(to, &at, w.f, w.m);
        }
    }
    if (m->formula.n > 0) {
        sp_tangent_formula(to);
    }
}

sp_vec3 sp_tangent_joint_moment(const sp_tangent *to, int body)
{
    const sp_tangent_body *b = &to->body[body];
    const sp_wrench3 w = {to->wrench[body].f.v, to->wrench[body].m.v};
    if (to->m->dim == 3) {
        return w.m;
    }
    const double *from = to->num->body[body].from;
    const sp_vec3 place = sp_add3(b->x.v, sp_rotate3(b->R.R, (sp_vec3){from[0], from[1], 0.0}));
    return sp_sub3(w.m, sp_cross3(sp_sub3(place, b->pivot.v), w.f));
}
