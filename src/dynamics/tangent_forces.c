/* dynamics/tangent_forces.c - force elements in dual numbers (dynamics/forces.inc); signals and
 * expressions with their derivatives along a direction. */
#include "dynamics/algebra_dual.h"
#include "kinematics/flex.h"
#include "model/aspect.h"
#include "model/pulls.h"

/* What one element is computed from. */
typedef struct acting {
    const sp_model *m;
    const sp_numbers *num;
    const sp_force *f;
    const sp_force_numbers *n;
    sp_tangent *from;
} acting;

/* An angle is turned by the spin of the direction. */
static real angle_of(const sp_tangent *to, int body)
{
    return (real){sp_spot_angle(to->at.kin, body), to->body[body].R.theta.z};
}

#include "kinematics/signal.inc"

/* ---- signals and expressions ----------------------------------------------------------------- */

/* A coordinate; one of a quaternion goes along with the turn of its ball, q' = 1/2 q (0, dq). */
static real coordinate_signal(const sp_tangent *to, const sp_signal *s)
{
    const double *q = to->at.q;
    const sp_coord *c = &to->m->coord[s->index];
    if (c->dof != SP_NONE) {
        return (real){q[s->index], to->dq[c->dof]};
    }
    const sp_body *b = &to->m->body[c->body];
    for (int k = b->dof; k < b->dof + b->n_dof; k++) {
        const sp_dof *dof = &to->m->dof[k];
        if (dof->move == SP_MOVE_BALL && dof->part == 0) {
            double rate[4];
            sp_quat_store(sp_quat_rate(sp_quat_of(q + dof->q), sp_vec3_of(to->dq + k)), rate);
            return (real){q[s->index], rate[s->index - dof->q]};
        }
    }
    return (real){q[s->index], NAN};
}

static real signal_value(const sp_tangent *to, const sp_signal *s)
{
    const sp_aspect a = sp_aspect_of(s->kind);
    switch (a.from) {
    case SP_FROM_TIME:
        return r_of(to->at.t);
    case SP_FROM_CLOCK:
        return r_of(sp_program_value(s->clock, &to->at.t, to->work));
    case SP_FROM_Q:
        return coordinate_signal(to, s);
    case SP_FROM_U:
        return to->u[s->index];
    case SP_FROM_STATE: /* held */
        return to->at.z ? r_of(to->at.z[s->index]) : (real){NAN, NAN};
    case SP_FROM_BODY:
        return body_signal(to, s, a);
    case SP_FROM_MEASURE:
        return to->measure[a.part];
    case SP_FROM_CONTACT: /* no force reads these */
    case SP_FROM_ENERGY:
    case SP_FROM_LOADS:
        break;
    }
    return (real){NAN, NAN};
}

static void gather(sp_tangent *to, const sp_func *f)
{
    for (int k = 0; k < f->n_signal; k++) {
        const real s = signal_value(to, &f->signal[k]);
        to->in[k] = s.v;
        to->in_d[k] = s.d;
    }
}

/* g ds; what a derivative that is zero is multiplied with does not matter. */
static double times_slope(double g, double d)
{
    return g != 0.0 ? g * d : 0.0;
}

real sp_tangent_value(sp_tangent *to, const sp_func *f)
{
    if (!f->program) {
        return r_of(f->constant);
    }
    gather(to, f);
    real x = r_of(sp_program_grad(f->program, to->in, to->grad, to->work));
    for (int k = 0; k < f->n_signal; k++) {
        x.d += times_slope(to->grad[k], to->in_d[k]);
    }
    return x;
}

real sp_tangent_slopes(sp_tangent *to, const sp_func *f)
{
    if (!f->program) {
        return r_of(f->constant);
    }
    gather(to, f);
    real x = r_of(sp_program_hess(f->program, to->in, to->grad, to->hess, to->work));
    for (int k = 0; k < f->n_signal; k++) {
        to->slope[k] = r_of(to->grad[k]);
        x.d += times_slope(to->grad[k], to->in_d[k]);
        for (int j = 0; j < f->n_signal; j++) {
            const size_t hi = (size_t)(k > j ? k : j), lo = (size_t)(k > j ? j : k);
            to->slope[k].d += times_slope(to->hess[hi * (hi + 1) / 2 + lo], to->in_d[j]);
        }
    }
    return x;
}

/* ---- what elements read and do --------------------------------------------------------------- */

static real law_value(const acting *a, int k)
{
    return sp_tangent_value(a->from, &a->f->law[k]);
}

static real pull_at(const acting *a, real x, real v)
{
    const sp_pull p = a->f->pull->at(a->n, x.v, v.v);
    return (real){p.force, p.d_x * x.d + p.d_v * v.d};
}

static void keep_measure(const acting *a, real x, real rate)
{
    a->from->measure[0] = x;
    a->from->measure[1] = rate;
}

static double aux_state(const acting *a, int aux)
{
    return aux != SP_NONE && a->from->at.z ? a->from->at.z[aux] : 0.0;
}

/* How the line through the material of a beam's side turns; a spot that goes on by a way along the
 * beam that is zero in value. */
static real line_turn(const sp_tangent *to, const sp_mark *mark)
{
    return (real){0.0, sp_flex_line_spin(&to->step, mark)};
}

static spot slid(const spot *s, real way, vec by)
{
    spot next = *s;
    next.at.d.x += way.d;
    next.x = add(next.x, by);
    return next;
}

/* The side on which a slider is, 0: it sticks. */
static double slider_side(const acting *a, double e, double v)
{
    return fabs(e) >= a->n->limit / a->n->stiffness && e * v > 0.0 ? copysign(1.0, e) : 0.0;
}

static real coordinate(const acting *a, int k)
{
    return (real){a->from->at.q[a->m->dof[k].q], a->from->dq[k]};
}

/* Rotation vector of the ball whose first degree of freedom is k. */
static vec ball_angle(const acting *a, int k)
{
    const sp_vec3 x = sp_quat_log(sp_quat_unit(sp_quat_of(a->from->at.q + a->m->dof[k].q)));
    return (vec){x, sp_log_rate(x, sp_vec3_of(a->from->dq + k), 1.0)};
}

/* Rotation vector from A to B: its rate is that of the turn of B against A, in the axes of B. */
static vec turn_between(rot A, rot B)
{
    const sp_vec3 x = sp_quat_log(sp_quat_of_rot3(sp_rot3_mul_back(A.R, B.R)));
    const sp_vec3 turn = sp_rotate_back3(B.R, sp_sub3(B.theta, A.theta));
    return (vec){x, sp_log_rate(x, turn, 1.0)};
}

static rot spot_mark_axes(const sp_tangent *to, const spot *s, const sp_mark *mark)
{
    const rot R = sp_tangent_axes(to, s);
    return mark->turned ? (rot){sp_rot3_mul(R.R, sp_rot3_of(mark->axes)), R.theta} : R;
}

#define kin_of(to)                       ((to)->at.kin)
#define v_value(a)                       ((a).v)
#define acts(a, share)                   ((void)(share), true)
#define func_slopes(a, func)             sp_tangent_slopes((a)->from, func)
#define slope(a, k)                      ((a)->from->slope[k])
#define velocity(to, k)                  ((to)->u[k])
#define push(a, s, force, moment, share) (void)(share), sp_tangent_push((a)->from, s, force, moment)
#define push_at(a, s, force, share)      sp_tangent_push((a)->from, s, force, no_vec)
#define twist_at(a, s, moment, share)    sp_tangent_push((a)->from, s, no_vec, moment)
#define push_dof(a, k, force, share)     sp_tangent_on_dof((a)->from, k, force)
#define drive_dof(a, k, force, share)    sp_tangent_on_dof((a)->from, k, force)
#define weigh(a, field)                  ((a)->from->g = add((a)->from->g, field))

/* Outputs and books are kept in numbers only. */
#define keep_force(a, value)         (void)(value)
#define keep_side(a, value)          (void)(value)
#define keep_moment(a, value)        (void)(value)
#define keep_power(a, value, share)  (void)(share)
#define keep_rate(a, value)          (void)(value)
#define keep_measure_out(a, value)   (void)(value)
#define keep_aux_rate(a, aux, value) (void)(value)

#include "dynamics/forces.inc"

/* ---- all of them ----------------------------------------------------------------------------- */

void sp_tangent_push_signal(sp_tangent *to, const sp_signal *s, real force)
{
    const acting a = {.m = to->m, .num = to->num, .from = to};
    push_signal(&a, s, force, SP_APPLIED);
}

void sp_tangent_forces(sp_tangent *to)
{
    const sp_model *m = to->m;
    acting a = {.m = m, .num = to->num, .from = to};
    for (int i = 0; i < m->layout.n_spring; i++) {
        joint_spring(&a, m->layout.spring[i]);
    }
    for (int i = 0; i < m->n_force; i++) {
        a.f = &m->force[i];
        a.n = &to->num->force[i];
        element(&a);
    }
}
