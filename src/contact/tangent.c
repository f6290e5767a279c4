#include "contact/tangent_parts.h"

#include "expr/taylor.h"

#include <assert.h>

/* ---- memory ---------------------------------------------------------------------------------- */

/* The largest needs of any expression. */
typedef struct needs {
    size_t input, work, taylor;
} needs;

static void need(needs *n, const sp_func *f)
{
    if (!f->program) {
        return;
    }
    const size_t work = sp_program_work(f->program, 2), taylor = sp_program_taylor_work(f->program);
    n->input = (size_t)f->n_signal > n->input ? (size_t)f->n_signal : n->input;
    n->work = work > n->work ? work : n->work;
    n->taylor = taylor > n->taylor ? taylor : n->taylor;
}

static needs find_needs(const sp_model *m)
{
    needs n = {0, 0, 0};
    const sp_formula *f = &m->formula;
    for (int i = 0; i < m->n_force; i++) {
        need(&n, &m->force[i].measure);
        for (int k = 0; k < 3; k++) {
            need(&n, &m->force[i].law[k]);
        }
    }
    for (int i = 0; i < m->n_rule; i++) {
        need(&n, &m->rule[i].measure);
        need(&n, &m->rule[i].slip);
    }
    for (int i = 0; i < m->n_clock; i++) {
        const size_t work = sp_program_work(m->clock[i].program, 0);
        n.work = work > n.work ? work : n.work;
    }
    need(&n, &f->kinetic);
    need(&n, &f->potential);
    need(&n, &f->dissipation);
    for (int i = 0; i < f->n; i++) {
        need(&n, f->force ? &f->force[i] : &f->potential);
        need(&n, f->M ? &f->h[i] : &f->potential);
    }
    for (int i = 0; i < f->n * (f->n + 1) / 2 && f->M; i++) {
        need(&n, &f->M[i]);
    }
    return n;
}

bool sp_tangent_alloc(sp_arena *arena, const sp_model *m, sp_tangent *tangent)
{
    const needs n = find_needs(m);
    *tangent = (sp_tangent){.body = SP_NEW(arena, sp_tangent_body, m->n_body),
                            .axis = SP_NEW(arena, sp_tangent_axis, m->n_dof),
                            .r = SP_NEW(arena, sp_dual, m->n_dof),
                            .in = SP_NEW(arena, double, n.input),
                            .in_d = SP_NEW(arena, double, n.input),
                            .grad = SP_NEW(arena, double, n.input),
                            .grad_d = SP_NEW(arena, double, n.input),
                            .hess = SP_NEW(arena, double, n.input *(n.input + 1) / 2),
                            .along = SP_NEW(arena, double, 3 * n.input),
                            .work = SP_NEW(arena, double, n.work + n.taylor / sizeof(double) + 1),
                            .path = SP_NEW(arena, sp_taylor, n.input)};
    return sp_kin_alloc(arena, m, &tangent->step) && tangent->body && tangent->axis && tangent->r &&
           tangent->in && tangent->in_d && tangent->grad && tangent->grad_d && tangent->hess &&
           tangent->along && tangent->work && tangent->path;
}

/* ---- places ---------------------------------------------------------------------------------- */

/* Displacement of the point of a body at world place x. */
static sp_vec3 displacement(const sp_tangent *to, int body, sp_vec3 x)
{
    const sp_spot s = sp_spot_on(&to->step, body, x);
    return sp_spot_velocity(&to->step, &s);
}

/* A vector that a body carries. */
static sp_dual3 turned(sp_dual_rot R, sp_vec3 a)
{
    return (sp_dual3){a, sp_cross3(R.theta, a)};
}

/* Place and axes of body i from its frame and its displacement. */
static void place_body(const sp_model *m, const sp_kin *kin, int i, sp_tangent *to)
{
    sp_tangent_body *b = &to->body[i];
    const int parent = m->body[i].parent;
    const sp_spot s = sp_spot_origin(kin, i);
    b->R = (sp_dual_rot){sp_spot_axes(kin, &s), sp_spot_spin(&to->step, &s)};
    b->x = (sp_dual3){s.x, displacement(to, i, s.x)};
    b->own = turned(b->R, sp_sub3(s.x, sp_spot_pivot(kin, i)));
    b->pivot = sp_dual3_sub(b->x, b->own);
    b->arm = parent == SP_NONE ? b->pivot : sp_dual3_sub(b->pivot, to->body[parent].x);
    b->c = turned(b->R, sp_spot_center(kin, i));
}

/* The axes of the joint of body i: carried by the parent and by the turns before them in the joint,
 * those of a ball by the body. */
static void place_axes(const sp_model *m, const sp_tangent_point *at, int i, sp_tangent *to)
{
    const sp_body *b = &m->body[i];
    sp_dual_rot R = to->body[b->parent].R;
    for (int k = b->dof; k < b->dof + b->n_dof; k++) {
        const bool ball = m->dof[k].move == SP_MOVE_BALL;
        sp_tangent_axis *a = &to->axis[k];
        const sp_axis3 axis = sp_spot_axis(m, at->kin, k);
        a->w = turned(ball ? to->body[i].R : R, axis.w);
        a->s = turned(R, axis.s);
        a->p = to->body[i].pivot;
        if (m->body[i].track) { /* it turns along its way */
            const sp_spot_curve c = sp_spot_curve_of(m, at->kin, k, at->q[m->dof[k].q]);
            a->s.d = sp_axpy3(a->s.d, to->dq[k], c.bend);
            a->bend = turned(R, c.bend);
            a->bend.d = sp_axpy3(a->bend.d, to->dq[k], c.slope);
        }
        R.theta = sp_axpy3(R.theta, to->dq[k], axis.w);
    }
}

/* ---- motion ---------------------------------------------------------------------------------- */

/* Velocities and accelerations of body i at u and a, as sp_body3_move and sp_body3_bend, with u'.
 */
static void move_body(const sp_model *m, const sp_tangent_point *at, int i, sp_tangent *to)
{
    const sp_body *b = &m->body[i];
    const sp_tangent_body *parent = &to->body[b->parent];
    sp_tangent_body *f = &to->body[i];
    sp_dual3 omega = parent->omega, alpha = parent->alpha, none = {0}, slip = none, push = none;
    for (int k = b->dof; k < b->dof + b->n_dof;) {
        const int n = m->dof[k].move == SP_MOVE_BALL ? 3 : 1;
        const sp_dual3 before = omega;
        sp_dual3 spin = none, gain = none;
        for (const int end = k + n; k < end; k++) {
            const sp_dual u = {at->u[k], to->du[k]}, a = {at->a[k], 0.0};
            spin = sp_dual3_axpy(spin, u, to->axis[k].w);
            gain = sp_dual3_axpy(gain, a, to->axis[k].w);
            slip = sp_dual3_axpy(slip, u, to->axis[k].s);
            push = sp_dual3_axpy(push, a, to->axis[k].s);
            if (b->track) {
                push = sp_dual3_axpy(push, sp_dual_mul(u, u), to->axis[k].bend);
            }
        }
        omega = sp_dual3_add(omega, spin);
        alpha = sp_dual3_add(sp_dual3_add(alpha, gain), sp_dual3_cross(before, spin));
    }
    const sp_dual3 round = sp_dual3_cross(parent->omega, f->arm);
    sp_dual3 v = sp_dual3_add(sp_dual3_add(parent->v, round), slip);
    sp_dual3 acc =
        sp_dual3_add(sp_dual3_add(parent->acc, sp_dual3_cross(parent->alpha, f->arm)), push);
    acc = sp_dual3_add(
        acc, sp_dual3_cross(parent->omega, sp_dual3_add(round, sp_dual3_scale(2.0, slip))));
    const sp_dual3 turn = sp_dual3_cross(omega, f->own);
    f->omega = omega;
    f->alpha = alpha;
    f->v = sp_dual3_add(v, turn);
    f->acc =
        sp_dual3_add(acc, sp_dual3_add(sp_dual3_cross(alpha, f->own), sp_dual3_cross(omega, turn)));
}

/* What inertia takes less weight, about the pivot. */
static void load_body(const sp_model *m, const sp_numbers *num, int i, sp_tangent *to)
{
    sp_tangent_body *f = &to->body[i];
    const double *g = num->gravity, mass = num->body[i].mass;
    const sp_sym3 J =
        num->space ? sp_sym3_of(num->space[i].inertia) : (sp_sym3){.zz = num->body[i].inertia};
    const sp_vec3 weight = {g[0], g[1], m->dim == 3 ? g[2] : 0.0};
    sp_dual3 acc = sp_dual3_add(f->acc, sp_dual3_cross(f->alpha, f->c));
    acc = sp_dual3_add(acc, sp_dual3_cross(f->omega, sp_dual3_cross(f->omega, f->c)));
    f->force = sp_dual3_scale(mass, sp_dual3_sub(acc, sp_dual3_of(weight)));
    const sp_dual3 spin = sp_dual_turned_mul(f->R, J, f->omega);
    f->moment = sp_dual3_add(sp_dual_turned_mul(f->R, J, f->alpha), sp_dual3_cross(f->omega, spin));
    f->moment = sp_dual3_add(f->moment, sp_dual3_cross(sp_dual3_add(f->own, f->c), f->force));
}

/* ---- what others ask for --------------------------------------------------------------------- */

sp_dual3 sp_tangent_place(const sp_tangent *to, const sp_mark *mark)
{
    const sp_tangent_body *b = &to->body[mark->body];
    return sp_dual3_add(b->x, turned(b->R, sp_rotate3(b->R.R, sp_vec3_of(mark->at))));
}

sp_dual3 sp_tangent_carried(const sp_tangent *to, int body, sp_vec3 x)
{
    return (sp_dual3){x, displacement(to, body, x)};
}

sp_dual3 sp_tangent_velocity(const sp_tangent *to, int body, sp_dual3 x)
{
    const sp_tangent_body *b = &to->body[body];
    return sp_dual3_add(b->v, sp_dual3_cross(b->omega, sp_dual3_sub(x, b->x)));
}

void sp_tangent_push(sp_tangent *to, int body, sp_dual3 x, sp_dual3 force)
{
    sp_tangent_body *b = &to->body[body];
    b->force = sp_dual3_sub(b->force, force);
    b->moment = sp_dual3_sub(b->moment, sp_dual3_cross(sp_dual3_sub(x, b->pivot), force));
}

void sp_tangent_twist(sp_tangent *to, int body, sp_dual3 moment)
{
    to->body[body].moment = sp_dual3_sub(to->body[body].moment, moment);
}

void sp_tangent_on_dof(sp_tangent *to, int dof, sp_dual force)
{
    to->r[dof] = sp_dual_sub(to->r[dof], force);
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* From the leaves to the roots: r of each joint, then all that hangs on the parent. */
static void gather(const sp_model *m, sp_tangent *to)
{
    for (int i = m->n_body - 1; i > 0; i--) {
        const sp_body *b = &m->body[i];
        const sp_tangent_body *f = &to->body[i];
        sp_tangent_body *parent = &to->body[b->parent];
        for (int k = b->dof; k < b->dof + b->n_dof; k++) {
            const sp_dual along = sp_dual_add(sp_dual3_inner(to->axis[k].w, f->moment),
                                              sp_dual3_inner(to->axis[k].s, f->force));
            to->r[k] = sp_dual_add(to->r[k], along);
        }
        const sp_dual3 reach = sp_dual3_sub(f->pivot, parent->pivot);
        parent->moment =
            sp_dual3_add(parent->moment, sp_dual3_add(f->moment, sp_dual3_cross(reach, f->force)));
        parent->force = sp_dual3_add(parent->force, f->force);
    }
}

void sp_tangent_look(const sp_model *m, const sp_numbers *num, const sp_tangent_point *at,
                     const double *dq, const double *du, sp_tangent *tangent)
{
    assert(!m->layout.mixed); /* its inverse dynamics knows rigid bodies only */
    sp_tangent_look_at l = {.m = m, .num = num, .at = at, .to = tangent};
    tangent->dq = dq;
    tangent->du = du;
    for (int k = 0; k < m->n_dof; k++) {
        tangent->r[k] = sp_dual_of(0.0);
    }
    sp_kin_positions(m, num, at->q, &tangent->step);
    sp_kin_velocities(m, dq, &tangent->step);
    tangent->body[SP_GROUND] = (sp_tangent_body){.R = {.R = sp_rot3_one()}};
    place_body(m, at->kin, SP_GROUND, tangent);
    for (int i = 1; i < m->n_body; i++) {
        place_body(m, at->kin, i, tangent);
        place_axes(m, at, i, tangent);
        move_body(m, at, i, tangent);
        load_body(m, num, i, tangent);
    }
    sp_tangent_forces(&l);
    sp_tangent_rows(&l);
    gather(m, tangent);
    if (m->formula.n > 0) {
        sp_tangent_formula(&l);
    }
}
