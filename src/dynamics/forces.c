/* dynamics/forces.c - springs, dampers, applied forces, torques and drives, in the plane and in
 * space alike. */
#include "dynamics/forces.h"
#include "model/pulls.h"

#include "dynamics/mixed.h"
#include "kinematics/flex.h"

/* ---- how elements act ------------------------------------------------------------------------ */

/* Keep what an element does, for booking. */
static void note(const sp_acting *a, sp_action action)
{
    if (action.share != SP_CONSERVATIVE && a->dyn->acts[action.share]) {
        action.line = a->line;
        a->dyn->action[a->dyn->n_action++] = action;
    }
}

void sp_spot_push(const sp_kin *kin, const sp_spot *s, sp_vec3 force, sp_vec3 moment,
                  sp_share share, sp_dyn *dyn)
{
    if (!dyn->acts[share]) {
        return;
    }
    if (s->bends) {
        const sp_path *p = &kin->path[0];
        const sp_body *b = &kin->flex->m->body[s->body];
        sp_flex_shape(kin, s, p->v, p->w);
        for (int k = 0; k < b->n_own; k++) {
            dyn->h[share][b->dof + b->n_dof + k] +=
                sp_inner3(p->v[k], force) + sp_inner3(p->w[k], moment);
        }
    }
    if (kin->frame3) { /* about the pivot */
        const sp_vec3 arm = sp_add3(kin->frame3[s->body].own, s->r);
        sp_wrench3 *w = &dyn->wrench3[share][s->body];
        w->f = sp_add3(w->f, force);
        w->m = sp_add3(w->m, sp_add3(sp_cross3(arm, force), moment));
    } else {
        const sp_vec f = sp_spot_flat(force);
        const sp_vec arm = sp_add(kin->frame[s->body].own, sp_spot_flat(s->r));
        sp_wrench *w = &dyn->wrench[share][s->body];
        w->f = sp_add(w->f, f);
        w->m += sp_cross(arm, f) + moment.z;
    }
}

/* Push, and keep that for booking. */
static void push(const sp_acting *a, const sp_spot *s, sp_vec3 force, sp_vec3 moment,
                 sp_share share)
{
    sp_spot_push(a->from->kin, s, force, moment, share, a->dyn);
    note(a, (sp_action){.share = share, .at = *s, .force = force, .moment = moment});
}

static const sp_vec3 none = {0.0, 0.0, 0.0};

void sp_force_push(const sp_acting *a, const sp_spot *s, sp_vec3 force, sp_share share)
{
    push(a, s, force, none, share);
    a->out->power[share] += sp_inner3(force, sp_spot_velocity(a->from->kin, s));
}

void sp_force_twist(const sp_acting *a, const sp_spot *s, sp_vec3 moment, sp_share share)
{
    push(a, s, none, moment, share);
    a->out->power[share] += sp_inner3(moment, sp_spot_spin(a->from->kin, s));
}

void sp_force_on_dof(const sp_acting *a, int dof, double force, sp_share share)
{
    if (a->dyn->acts[share]) {
        a->dyn->h[share][dof] += force;
    }
    note(a,
         (sp_action){.share = share, .at.body = SP_NONE, .dof = dof, .force = {force, 0.0, 0.0}});
    a->out->power[share] += force * a->from->u[dof];
}

double sp_force_law(const sp_acting *a, int k)
{
    const double value = sp_func_value(&a->f->law[k], a->from, a->dyn->in, a->dyn->work);
    if (!isfinite(value)) {
        a->dyn->bad = (sp_bad_force){a->f, k, value, a->from->t};
    }
    return value;
}

double sp_force_limited(double value, double limit)
{
    return value > limit ? limit : value < -limit ? -limit : value;
}

/* ---- measures -------------------------------------------------------------------------------- */

/* Two points: where they are, how far apart, how fast that grows. */
static sp_measure between_points(const sp_force_numbers *n, const sp_kin *kin)
{
    sp_measure x = {.drift = 0.0};
    sp_vec3 v[2];
    for (int k = 0; k < 2; k++) {
        x.at[k] = sp_spot_of(kin, &n->mark[k]);
        v[k] = sp_spot_velocity(kin, &x.at[k]);
    }
    const sp_vec3 d = sp_sub3(x.at[1].x, x.at[0].x);
    x.x = sp_length3(d);
    x.direction = x.x > 0.0 ? sp_scale3(1.0 / x.x, d) : (sp_vec3){0.0, 0.0, 0.0};
    x.rate = sp_inner3(x.direction, sp_sub3(v[1], v[0]));
    return x;
}

bool sp_force_is_driven(const sp_force *f)
{
    for (int k = 0; k < f->measure.n_signal; k++) {
        if (f->measure.signal[k].kind == SP_SIG_TIME) {
            return true;
        }
    }
    return false;
}

/* Unit vector of component 0, 1, 2. */
static sp_vec3 unit(int k)
{
    return (sp_vec3){k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0};
}

/* An entry of a body's axes, ex.x to ez.z: its rate is moment . omega.  False: another signal. */
static bool axis_entry(const sp_signal *signal, const sp_kin *kin, sp_vec3 *moment)
{
    const int entry = (int)signal->kind - SP_SIG_EX_X;
    if (entry < 0 || entry > SP_SIG_EZ_Z - SP_SIG_EX_X) {
        return false;
    }
    const sp_spot s = sp_spot_of(kin, &signal->mark);
    const sp_rot3 R = sp_spot_axes(kin, &s);
    const sp_vec3 e = entry < 3 ? R.x : entry < 6 ? R.y : R.z;
    *moment = sp_cross3(e, unit(entry % 3)); /* (omega x e) . i = omega . (e x i) */
    return true;
}

/* Rate of a position signal; NaN for what is none. */
static double signal_rate(const sp_signal *signal, const sp_signal_source *from)
{
    sp_signal rate = *signal;
    const sp_spot s = sp_spot_of(from->kin, &signal->mark);
    sp_vec3 moment;
    switch (signal->kind) {
    case SP_SIG_TIME:
        return 1.0;
    case SP_SIG_Q:
        return signal->dof == SP_NONE ? NAN : from->u[signal->dof];
    case SP_SIG_X:
        rate.kind = SP_SIG_VX;
        break;
    case SP_SIG_Y:
        rate.kind = SP_SIG_VY;
        break;
    case SP_SIG_Z:
        rate.kind = SP_SIG_VZ;
        break;
    case SP_SIG_PHI:
        rate.kind = SP_SIG_OMEGA;
        break;
    default:
        return axis_entry(signal, from->kin, &moment)
                   ? sp_inner3(moment, sp_spot_spin(from->kin, &s))
                   : NAN;
    }
    return sp_signal_value(&rate, from);
}

/* The force conjugate to one signal: on a coordinate, at a point, or a moment.  Power is booked by
 * who pulls. */
static void push_signal(const sp_acting *a, const sp_signal *signal, double force, sp_share share)
{
    const sp_spot s = sp_spot_of(a->from->kin, &signal->mark);
    sp_vec3 moment;
    if (signal->kind == SP_SIG_Q) {
        a->dyn->h[share][signal->dof] += force;
        note(a, (sp_action){.share = share,
                            .at.body = SP_NONE,
                            .dof = signal->dof,
                            .force = {force, 0.0, 0.0}});
    } else if (signal->kind == SP_SIG_X || signal->kind == SP_SIG_Y || signal->kind == SP_SIG_Z) {
        const int k = signal->kind == SP_SIG_X ? 0 : signal->kind == SP_SIG_Y ? 1 : 2;
        push(a, &s, sp_scale3(force, unit(k)), none, share);
    } else if (signal->kind == SP_SIG_PHI || axis_entry(signal, a->from->kin, &moment)) {
        moment = signal->kind == SP_SIG_PHI ? sp_spot_lift_spin(force) : sp_scale3(force, moment);
        push(a, &s, none, moment, share);
    }
}

/* x(q), x' = sum dx/ds_k s_k' of an expression. */
static sp_measure by_expression(const sp_acting *a)
{
    const sp_func *f = &a->f->measure;
    sp_measure x = {.x = sp_func_grad(f, a->from, a->dyn->in, a->dyn->grad, a->dyn->work)};
    for (int k = 0; k < f->n_signal; k++) {
        const double rate = a->dyn->grad[k] * signal_rate(&f->signal[k], a->from);
        x.rate += rate;
        x.drift += f->signal[k].kind == SP_SIG_TIME ? rate : 0.0;
    }
    return x;
}

sp_measure sp_force_measure(const sp_acting *a, bool by_points)
{
    const sp_measure x = by_points ? between_points(a->n, a->from->kin) : by_expression(a);
    if (!isfinite(x.x)) {
        a->dyn->bad = (sp_bad_force){a->f, SP_NONE, x.x, a->from->t};
    }
    a->from->measure = a->out->measure = x.x;
    a->from->rate = a->out->rate = x.rate;
    return x;
}

void sp_force_pull(const sp_acting *a, bool by_points, const sp_measure *x, double pull,
                   sp_share share)
{
    const sp_func *f = &a->f->measure;
    if (pull == 0.0 || !a->dyn->acts[share]) {
        return;
    }
    a->out->force += pull;
    a->out->power[share] -= pull * (x->rate - x->drift);
    for (int k = 0; k < f->n_signal && !by_points; k++) {
        push_signal(a, &f->signal[k], -pull * a->dyn->grad[k], share);
    }
    for (int k = 0; k < 2 && by_points; k++) {
        push(a, &x->at[k], sp_scale3(k == 0 ? pull : -pull, x->direction), none, share);
    }
}

/* ---- springs and applied forces -------------------------------------------------------------- */

/* A spring by shares: stiffness and preload, damping, or its law.   theory (3.8), (3.40) */
static void spring(const sp_acting *a, bool by_points)
{
    const sp_force_numbers *n = a->n;
    const sp_measure x = sp_force_measure(a, by_points);
    const bool driven = !by_points && sp_force_is_driven(a->f);
    sp_force_pull(a, by_points, &x, n->stiffness * (x.x - n->rest) + n->preload,
                  driven ? SP_APPLIED : SP_CONSERVATIVE);
    sp_force_pull(a, by_points, &x, n->damping * x.rate, driven ? SP_APPLIED : SP_DAMPERS);
    if (a->f->has_law) {
        sp_force_pull(a, by_points, &x, sp_force_law(a, 0), SP_APPLIED);
    }
}

/* The vector that the element's three expressions give, in world axes. */
static sp_vec3 law_vector(const sp_acting *a, const sp_spot *s)
{
    const sp_vec3 v = {sp_force_law(a, 0), sp_force_law(a, 1), sp_force_law(a, 2)};
    return a->f->own_frame ? sp_rotate3(sp_spot_axes(a->from->kin, s), v) : v;
}

/* Applied forces, torques and drives: the value of their expressions.   theory (3.9) */
static void applied(const sp_acting *a)
{
    const sp_force *f = a->f;
    const sp_spot s = sp_spot_of(a->from->kin, &a->n->mark[0]);
    if (f->kind == SP_FORCE_FORCE) {
        const sp_vec3 force = law_vector(a, &s);
        a->out->force = sp_length3(force);
        sp_force_push(a, &s, force, SP_APPLIED);
    } else if (f->kind == SP_FORCE_TORQUE) {
        const sp_vec3 moment =
            a->from->kin->frame3 ? law_vector(a, &s) : sp_spot_lift_spin(sp_force_law(a, 0));
        a->out->moment = a->from->kin->frame3 ? sp_length3(moment) : moment.z;
        sp_force_twist(a, &s, moment, SP_APPLIED);
    } else { /* drive */
        a->out->force = sp_force_limited(sp_force_law(a, 0), a->n->limit);
        a->out->rate = a->from->u[f->dof];
        sp_force_on_dof(a, f->dof, a->out->force, SP_APPLIED);
    }
}

/* ---- springs of joints ----------------------------------------------------------------------- */

/* Rotation vector of the ball that degree of freedom k is part of. */
static sp_vec3 ball_angle(const sp_model *m, const double *q, int k)
{
    return sp_quat_log(sp_quat_unit(sp_quat_of(q + m->dof[k].q)));
}

/* The coordinate that the spring of degree of freedom k sees: of a ball one component of its
 * rotation vector.   theory (3.41) */
static double joint_angle(const sp_model *m, const double *q, int k)
{
    if (m->dof[k].move != SP_MOVE_BALL) {
        return q[m->dof[k].q];
    }
    const sp_vec3 a = ball_angle(m, q, k);
    return m->dof[k].part == 0 ? a.x : m->dof[k].part == 1 ? a.y : a.z;
}

/* Spring and damper in the joint at degree of freedom k, which has this line. */
static void joint_spring(const sp_model *m, const sp_numbers *num, const double *q, const double *u,
                         int k, int line, sp_dyn *dyn)
{
    const sp_dof_numbers *n = &num->dof[k];
    double *h = dyn->h[SP_CONSERVATIVE];
    const double pull = n->stiffness * (joint_angle(m, q, k) - n->rest);
    if (n->damping != 0.0) {
        const double force = -n->damping * u[k];
        dyn->h[SP_DAMPERS][k] += force;
        dyn->action[dyn->n_action++] = (sp_action){.line = line,
                                                   .share = SP_DAMPERS,
                                                   .at.body = SP_NONE,
                                                   .dof = k,
                                                   .force = {force, 0.0, 0.0}};
    }
    if (m->dof[k].move != SP_MOVE_BALL) {
        h[k] -= pull;
    } else if (pull != 0.0) {
        const int part = m->dof[k].part;
        const sp_vec3 moment = sp_log_rate(ball_angle(m, q, k), sp_scale3(pull, unit(part)), -1.0);
        h[k - part] -= moment.x;
        h[k - part + 1] -= moment.y;
        h[k - part + 2] -= moment.z;
    }
}

double sp_dyn_joint_energy(const sp_model *m, const sp_numbers *num, const double *q, int k)
{
    if (!m->dof[k].spring) {
        return 0.0;
    }
    const double x = joint_angle(m, q, k) - num->dof[k].rest;
    return 0.5 * num->dof[k].stiffness * x * x;
}

/* ---- all of them ----------------------------------------------------------------------------- */

void sp_dyn_element_shares(const sp_force *f, const sp_force_numbers *n, bool acts[SP_SHARES])
{
    const bool driven = sp_force_is_driven(f);
    switch (f->kind) {
    case SP_FORCE_SPRING_POINTS:
    case SP_FORCE_SPRING_MEASURE:
        acts[SP_DAMPERS] |= n->damping != 0.0;
        acts[SP_APPLIED] |= f->has_law || driven;
        break;
    case SP_FORCE_PULL:
        acts[SP_DAMPERS] |= f->pull->damps && !driven;
        acts[SP_APPLIED] |= driven;
        break;
    case SP_FORCE_BUSHING:
        for (int k = 0; k < 6; k++) {
            acts[SP_DAMPERS] |= n->bushing.damping[k] != 0.0;
        }
        break;
    case SP_FORCE_DRAG:
        acts[f->has_law ? SP_APPLIED : SP_DAMPERS] = true;
        break;
    default:
        acts[SP_APPLIED] = true;
        break;
    }
}

void sp_dyn_force_elements(const sp_model *m, const sp_numbers *num, const sp_kin *kin, double t,
                           const double *q, const double *u, sp_dyn *dyn)
{
    dyn->n_action = 0;
    for (int i = 0; i < m->layout.n_spring; i++) {
        joint_spring(m, num, q, u, m->layout.spring[i], m->n_force + i, dyn);
    }
    sp_signal_source from = {
        .kin = kin, .q = q, .u = u, .t = t, .kink = dyn->kink, .mean = dyn->mean};
    if (dyn->mean) {
        from.t = fmin(t, dyn->t_last);
    }
    for (int i = 0; i < m->n_force; i++) {
        sp_element out = {.force = 0.0};
        const sp_acting a = {&m->force[i], &num->force[i], &from, dyn, &out, i};
        const sp_force_kind kind = a.f->kind;
        if (kind <= SP_FORCE_SPRING_MEASURE) {
            spring(&a, kind == SP_FORCE_SPRING_POINTS);
        } else if (kind <= SP_FORCE_DRIVE) {
            applied(&a);
        } else {
            sp_force_element(m, num, &a);
        }
        if (dyn->element) {
            dyn->element[i] = out;
        }
    }
}

/* ---- energies -------------------------------------------------------------------------------- */

double sp_dyn_element_energy(const sp_model *m, const sp_numbers *num, const sp_kin *kin, double t,
                             const double *q, const double *u, int i, sp_dyn *dyn)
{
    const sp_force *f = &m->force[i];
    const sp_force_numbers *n = &num->force[i];
    const bool spring_like = f->kind <= SP_FORCE_SPRING_MEASURE, pulls = f->kind == SP_FORCE_PULL;
    if (f->kind == SP_FORCE_BUSHING) {
        return sp_force_bushing_energy(n, kin);
    }
    if (!(spring_like || pulls) || sp_force_is_driven(f) ||
        (spring_like && n->stiffness == 0.0 && n->preload == 0.0)) {
        return 0.0;
    }
    const sp_signal_source from = {.kin = kin, .q = q, .u = u, .t = t};
    const bool by_points = spring_like ? f->kind == SP_FORCE_SPRING_POINTS : f->by_points;
    const double x = by_points ? between_points(n, kin).x
                               : sp_func_value(&f->measure, &from, dyn->in, dyn->work);
    return pulls ? f->pull->at(n, x, 0.0).energy
                 : (0.5 * n->stiffness * (x - n->rest) + n->preload) * (x - n->rest);
}

double sp_dyn_threshold_energy(const sp_model *m, const sp_kin *kin, double t, const double *q,
                               int slot, sp_dyn *dyn)
{
    const sp_signal_source from = {.kin = kin, .q = q, .t = t};
    const sp_rule *r = &m->rule[m->slot[slot].rule];
    return r->limit.constant * fabs(sp_func_value(&r->measure, &from, dyn->in, dyn->work));
}

/* Energy F |x| of preloads that are exceeded.   theory (3.47) */
static double threshold_energy(const sp_model *m, const sp_kin *kin, double t, const double *q,
                               sp_dyn *dyn)
{
    double V = 0.0;
    for (int i = 0; i < m->layout.n_rule_slot; i++) {
        const int slot = m->layout.rule_slot[i];
        if (m->slot[slot].is.stores) {
            V += sp_dyn_threshold_energy(m, kin, t, q, slot, dyn);
        }
    }
    return V;
}

double sp_dyn_spring_energy(const sp_model *m, const sp_numbers *num, const sp_kin *kin, double t,
                            const double *q, const double *u, sp_dyn *dyn)
{
    double V = m->layout.mixed ? sp_mixed_stored(m, q, dyn) : 0.0;
    for (int i = 0; i < m->layout.n_spring; i++) {
        V += sp_dyn_joint_energy(m, num, q, m->layout.spring[i]);
    }
    for (int i = 0; i < m->n_force; i++) {
        V += sp_dyn_element_energy(m, num, kin, t, q, u, i, dyn);
    }
    return m->layout.n_threshold > 0 ? V + threshold_energy(m, kin, t, q, dyn) : V;
}
