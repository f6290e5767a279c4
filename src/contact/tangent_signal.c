/* contact/tangent_signal.c - signals and expressions with their derivatives along a direction. */
#include "contact/tangent_parts.h"
#include "kinematics/aspect.h"
#include "kinematics/signal.h"

static sp_vec3 unit(int k)
{
    return (sp_vec3){k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0};
}

/* An axis of a body in the world. */
static sp_dual3 axis_of(const sp_tangent *to, int body, int axis)
{
    return sp_dual_rotate(to->body[body].R, sp_dual3_of(unit(axis)));
}

/* A coordinate; one of a quaternion goes along with the turn of its ball, q' = 1/2 q (0, dq). */
static sp_dual coordinate(const sp_tangent_look_at *l, const sp_signal *s)
{
    const double *q = l->at->q;
    const sp_coord *c = &l->m->coord[s->index];
    if (c->dof != SP_NONE) {
        return (sp_dual){q[s->index], l->to->dq[c->dof]};
    }
    const sp_body *b = &l->m->body[c->body];
    for (int k = b->dof; k < b->dof + b->n_dof; k++) {
        const sp_dof *dof = &l->m->dof[k];
        if (dof->move == SP_MOVE_BALL && dof->part == 0) {
            double rate[4];
            sp_quat_store(sp_quat_rate(sp_quat_of(q + dof->q), sp_vec3_of(l->to->dq + k)), rate);
            return (sp_dual){q[s->index], rate[s->index - dof->q]};
        }
    }
    return (sp_dual){q[s->index], NAN};
}

/* Signals that belong to no body. */
static sp_dual other(const sp_tangent_look_at *l, const sp_signal *s)
{
    switch (s->kind) {
    case SP_SIG_TIME:
        return sp_dual_of(l->at->t);
    case SP_SIG_CLOCK:
        return sp_dual_of(sp_program_value(s->clock, &l->at->t, l->to->work));
    case SP_SIG_Q:
        return coordinate(l, s);
    case SP_SIG_U:
        return (sp_dual){l->at->u[s->index], l->to->du[s->index]};
    case SP_SIG_MEASURE:
        return l->measure;
    case SP_SIG_RATE:
        return l->rate;
    default: /* of contacts and energies: no force reads them */
        return (sp_dual){NAN, NAN};
    }
}

sp_dual sp_tangent_signal(const sp_tangent_look_at *l, const sp_signal *s)
{
    const sp_tangent *to = l->to;
    const sp_aspect a = sp_aspect_of(s->kind);
    const sp_tangent_body *b = a.of == SP_ASPECT_OTHER ? NULL : &to->body[s->index];
    if (a.of == SP_ASPECT_POINT) {
        const sp_dual3 x = sp_tangent_place(to, &s->mark);
        return sp_dual3_part(a.is_rate ? sp_tangent_velocity(to, s->index, x) : x, a.part);
    }
    if (a.of == SP_ASPECT_AXIS) {
        return sp_dual3_part(axis_of(to, s->index, a.axis), a.part);
    }
    if (a.of == SP_ASPECT_ANGLE) {
        return (sp_dual){sp_spot_angle(l->at->kin, s->index), b->R.theta.z};
    }
    if (a.of == SP_ASPECT_SPIN || a.of == SP_ASPECT_OWN_SPIN) {
        return sp_dual3_part(
            a.of == SP_ASPECT_SPIN ? b->omega : sp_dual_rotate_back(b->R, b->omega), a.part);
    }
    return other(l, s);
}

sp_dual sp_tangent_rate(const sp_tangent_look_at *l, const sp_signal *s)
{
    const sp_tangent *to = l->to;
    const sp_aspect a = sp_aspect_of(s->kind);
    if (a.of == SP_ASPECT_POINT && !a.is_rate) {
        const sp_dual3 x = sp_tangent_place(to, &s->mark);
        return sp_dual3_part(sp_tangent_velocity(to, s->index, x), a.part);
    }
    if (a.of == SP_ASPECT_ANGLE) {
        return sp_dual3_part(to->body[s->index].omega, 2);
    }
    if (a.of == SP_ASPECT_AXIS) {
        const sp_dual3 e = axis_of(to, s->index, a.axis);
        return sp_dual3_part(sp_dual3_cross(to->body[s->index].omega, e), a.part);
    }
    if (s->kind == SP_SIG_TIME) {
        return sp_dual_of(1.0);
    }
    const bool simple = s->kind == SP_SIG_Q && s->dof != SP_NONE;
    return simple ? (sp_dual){l->at->u[s->dof], to->du[s->dof]} : (sp_dual){NAN, NAN};
}

void sp_tangent_pull_signal(const sp_tangent_look_at *l, const sp_signal *s, sp_dual force)
{
    sp_tangent *to = l->to;
    const sp_aspect a = sp_aspect_of(s->kind);
    const sp_dual3 along = sp_dual3_times(force, sp_dual3_of(unit(a.part)));
    if (a.of == SP_ASPECT_POINT) {
        sp_tangent_push(to, s->index, sp_tangent_place(to, &s->mark), along);
    } else if (a.of == SP_ASPECT_AXIS) { /* (omega x e).i = omega.(e x i) */
        sp_tangent_twist(to, s->index, sp_dual3_cross(axis_of(to, s->index, a.axis), along));
    } else if (a.of == SP_ASPECT_ANGLE || a.of == SP_ASPECT_SPIN) {
        sp_tangent_twist(to, s->index, along);
    } else if (a.of == SP_ASPECT_OWN_SPIN) {
        sp_tangent_twist(to, s->index, sp_dual_rotate(to->body[s->index].R, along));
    } else if (s->kind == SP_SIG_Q || s->kind == SP_SIG_U) {
        sp_tangent_on_dof(to, s->kind == SP_SIG_Q ? s->dof : s->index, force);
    }
}

/* ---- expressions ----------------------------------------------------------------------------- */

static void gather(const sp_tangent_look_at *l, const sp_func *f)
{
    for (int k = 0; k < f->n_signal; k++) {
        const sp_dual s = sp_tangent_signal(l, &f->signal[k]);
        l->to->in[k] = s.v;
        l->to->in_d[k] = s.d;
    }
}

/* sum_k g_k ds_k; what a derivative that is zero is multiplied with does not matter. */
static double along(int n, const double *g, const double *d)
{
    double sum = 0.0;
    for (int k = 0; k < n; k++) {
        sum += g[k] != 0.0 ? g[k] * d[k] : 0.0;
    }
    return sum;
}

sp_dual sp_tangent_value(const sp_tangent_look_at *l, const sp_func *f)
{
    sp_tangent *to = l->to;
    if (!f->program) {
        return sp_dual_of(f->constant);
    }
    gather(l, f);
    const double value = sp_program_grad(f->program, to->in, to->grad, to->work);
    return (sp_dual){value, along(f->n_signal, to->grad, to->in_d)};
}

sp_dual sp_tangent_gradient(const sp_tangent_look_at *l, const sp_func *f)
{
    sp_tangent *to = l->to;
    if (!f->program) {
        return sp_dual_of(f->constant);
    }
    gather(l, f);
    const double value = sp_program_hess(f->program, to->in, to->grad, to->hess, to->work);
    for (int k = 0; k < f->n_signal; k++) {
        double sum = 0.0;
        for (int j = 0; j < f->n_signal; j++) {
            const int hi = k > j ? k : j, lo = k > j ? j : k;
            const double H = to->hess[(size_t)hi * (size_t)(hi + 1) / 2 + (size_t)lo];
            sum += H != 0.0 ? H * to->in_d[j] : 0.0;
        }
        to->grad_d[k] = sum;
    }
    return (sp_dual){value, along(f->n_signal, to->grad, to->in_d)};
}
