/* dynamics/forces.c - force elements in numbers (dynamics/forces.inc), what they book, and their
 * energies. */
#include "dynamics/bushing_plane.h"
#include "dynamics/mixed.h"
#include "kinematics/algebra_real.h"
#include "kinematics/flex.h"
#include "model/aspect.h"
#include "model/pulls.h"
#include <stdio.h>

/* Everything one element is computed from and writes to. */
typedef struct acting {
    const sp_model *m;
    const sp_numbers *num;
    const sp_force *f;
    const sp_force_numbers *n;
    sp_signal_source *from; /* kin, q, u, t; measure and rate are set on the way */
    sp_dyn *dyn;
    sp_element *out;
    int line; /* its line of the ledger */
} acting;

/* ---- how elements act ------------------------------------------------------------------------ */

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

/* Keep what an element does, for booking. */
static void note(const acting *a, sp_action action)
{
    if (action.share != SP_CONSERVATIVE && a->dyn->acts[action.share]) {
        action.line = a->line;
        a->dyn->action[a->dyn->n_action++] = action;
    }
}

static void push(const acting *a, const spot *s, vec force, vec moment, sp_share share)
{
    sp_spot_push(a->from->kin, s, force, moment, share, a->dyn);
    note(a, (sp_action){.share = share, .at = *s, .force = force, .moment = moment});
}

static void push_dof(const acting *a, int dof, double force, sp_share share)
{
    if (a->dyn->acts[share]) {
        a->dyn->h[share][dof] += force;
    }
    note(a,
         (sp_action){.share = share, .at.body = SP_NONE, .dof = dof, .force = {force, 0.0, 0.0}});
}

/* The same with the power that is known at once. */
static void push_at(const acting *a, const spot *s, vec force, sp_share share)
{
    push(a, s, force, no_vec, share);
    a->out->power[share] += inner(force, spot_velocity(a->from, s));
}

static void twist_at(const acting *a, const spot *s, vec moment, sp_share share)
{
    push(a, s, no_vec, moment, share);
    a->out->power[share] += inner(moment, spot_spin(a->from, s));
}

static void drive_dof(const acting *a, int dof, double force, sp_share share)
{
    push_dof(a, dof, force, share);
    a->out->power[share] += force * a->from->u[dof];
}

/* Weight of all bodies in a field that changes with time: an applied force.  That of bodies that
 * deform acts on their shape, too.   theory (69.3) */
static void weigh(const acting *a, vec g)
{
    const sp_kin *kin = a->from->kin;
    for (int i = 1; i < a->m->n_body; i++) {
        const sp_body *b = &a->m->body[i];
        const spot origin = sp_spot_origin(kin, i);
        if (!b->kind) {
            const spot center = sp_spot_on(kin, i, add(origin.x, sp_spot_center(kin, i)));
            push_at(a, &center, scale(a->num->body[i].mass, g), SP_APPLIED);
            continue;
        }
        const rot R = spot_axes(a->from, &origin);
        const double *F = sp_mixed_weight(a->m, a->num, kin, i, rotate_back(R, g), a->dyn);
        push_at(a, &origin, rotate(R, sp_vec3_of(F)), SP_APPLIED);
        twist_at(a, &origin, rotate(R, sp_vec3_of(F + 3)), SP_APPLIED);
        for (int k = 0; k < b->n_own; k++) {
            drive_dof(a, b->dof + b->n_dof + k, F[6 + k], SP_APPLIED);
        }
    }
}

/* ---- what elements read ---------------------------------------------------------------------- */

static double law_value(const acting *a, int k)
{
    const double value = sp_func_value(&a->f->law[k], a->from, a->dyn->in, a->dyn->work);
    if (!isfinite(value)) {
        a->dyn->bad = (sp_bad_force){a->f, k, value, a->from->t};
    }
    return value;
}

static void keep_measure(const acting *a, double x, double rate)
{
    if (!isfinite(x)) {
        a->dyn->bad = (sp_bad_force){a->f, SP_NONE, x, a->from->t};
    }
    a->from->measure = a->out->measure = x;
    a->from->rate = a->out->rate = rate;
}

static double aux_state(const acting *a, int aux)
{
    return aux != SP_NONE && a->dyn->z ? a->dyn->z[aux] : 0.0;
}

static void keep_aux_rate(const acting *a, int aux, double rate)
{
    if (aux != SP_NONE && a->dyn->z_rate) {
        a->dyn->z_rate[aux] = rate;
    }
}

/* The side on which a slider is, 0: it sticks; kinks that are held say it.   theory (99.2) */
static double slider_side(const acting *a, double e, double v)
{
    const double most = a->n->limit / a->n->stiffness;
    sp_kink own = {.side = NAN}, *k = a->from->kink ? &a->from->kink[a->f->kink] : &own;
    if (isnan(k->side)) {
        k->side = fabs(e) >= most && e * v > 0.0 ? copysign(1.0, e) : 0.0;
    }
    k->other = k->side == 0.0 ? copysign(1.0, e) : 0.0;
    k->phi = k->side == 0.0 ? 1.0 - fabs(e) / most : k->side * v;
    return k->side;
}

/* Rotation vector of a ball. */
static vec ball_vector(const double *q)
{
    return sp_quat_log(sp_quat_unit(sp_quat_of(q)));
}

#define acts(a, share) ((a)->dyn->acts[share])
#define func_slopes(a, func)                                                                       \
    sp_func_grad(func, (a)->from, (a)->dyn->in, (a)->dyn->grad, (a)->dyn->work)
#define slope(a, k)                 ((a)->dyn->grad[k])
#define pull_at(a, x, v)            ((a)->f->pull->at((a)->n, x, v).force)
#define keep_force(a, value)        ((a)->out->force += (value))
#define keep_side(a, value)         ((a)->out->side = (value))
#define keep_moment(a, value)       ((a)->out->moment += (value))
#define keep_power(a, value, share) ((a)->out->power[share] += (value))
#define keep_rate(a, value)         ((a)->out->rate = (value))
#define keep_measure_out(a, value)  ((a)->out->measure = (value))
#define coordinate(a, k)            ((a)->from->q[(a)->m->dof[k].q])
#define velocity(from, k)           ((from)->u[k])
#define ball_angle(a, k)            ball_vector((a)->from->q + (a)->m->dof[k].q)
#define kin_of(from)                ((from)->kin)
#define v_value(a)                  (a)
#define line_turn(from, mark)       ((void)(from), (void)(mark), 0.0)
#define slid(s, way, by)            ((void)(way), (void)(by), *(s))
#define turn_between(A, B)          sp_quat_log(sp_quat_of_rot3(sp_rot3_mul_back(A, B)))

#include "dynamics/forces.inc"

/* ---- all of them ----------------------------------------------------------------------------- */

void sp_dyn_element_shares(const sp_force *f, const sp_force_numbers *n, bool acts[SP_SHARES])
{
    const bool driven = is_driven(f);
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
    case SP_FORCE_SLIDER:
        acts[driven ? SP_APPLIED : SP_DAMPERS] = true;
        break;
    case SP_FORCE_DRAG:
        acts[f->has_law ? SP_APPLIED : SP_DAMPERS] = true;
        break;
    case SP_FORCE_FORCE:
    case SP_FORCE_TORQUE:
    case SP_FORCE_DRIVE:
    case SP_FORCE_MOTOR:
    case SP_FORCE_TYRE:
    case SP_FORCE_PRESS:
    case SP_FORCE_GRAVITY:
        acts[SP_APPLIED] = true;
        break;
    }
}

void sp_dyn_force_elements(const sp_model *m, const sp_numbers *num, const sp_kin *kin, double t,
                           const double *q, const double *u, sp_dyn *dyn)
{
    sp_signal_source from = {.kin = kin,
                             .q = q,
                             .u = u,
                             .z = dyn->z,
                             .t = dyn->mean ? fmin(t, dyn->t_last) : t,
                             .kink = dyn->kink,
                             .mean = dyn->mean};
    sp_element out;
    acting a = {.m = m, .num = num, .from = &from, .dyn = dyn, .out = &out};
    dyn->n_action = 0;
    for (int i = 0; i < m->layout.n_spring; i++) {
        a.line = m->n_force + i;
        joint_spring(&a, m->layout.spring[i]);
    }
    for (int i = 0; i < m->n_force; i++) {
        a.f = &m->force[i];
        a.n = &num->force[i];
        a.line = i;
        out = (sp_element){.force = 0.0};
        if (a.f->kind == SP_FORCE_BUSHING && sp_bushing_plane_takes(kin, a.n)) {
            sp_bushing_plane(kin, a.n, i, dyn, &out);
        } else {
            element(&a);
        }
        if (dyn->element) {
            dyn->element[i] = out;
        }
    }
    for (int k = 0; k < m->n_state && dyn->z_rate; k++) {
        dyn->z_rate[k] = sp_func_value(&m->state[k].rate, &from, dyn->in, dyn->work);
    }
}

void sp_dyn_sliders_step(const sp_model *m, const sp_numbers *num, const sp_signal_source *at,
                         double h, double *z, sp_dyn *dyn)
{
    sp_signal_source from = *at;
    acting a = {.m = m, .num = num, .from = &from, .dyn = dyn};
    for (int i = 0; i < m->n_force && m->n_slider > 0; i++) {
        a.f = &m->force[i];
        a.n = &num->force[i];
        if (a.f->kind == SP_FORCE_SLIDER) {
            const double most = a.n->limit / a.n->stiffness;
            z[a.f->aux] = limited(z[a.f->aux] + h * by_expression(&a).rate, most);
        }
    }
}

/* ---- energies -------------------------------------------------------------------------------- */

static double bushing_energy(const source *from, const sp_force_numbers *n)
{
    if (sp_bushing_plane_takes(from->kin, n)) {
        return sp_bushing_plane_energy(from->kin, n);
    }
    const bushing_frames b = frames_of_bushing(from, n);
    return 0.5 * (inner(b.x, each(n->bushing.stiffness, b.x)) +
                  inner(b.theta, each(n->bushing.stiffness + 3, b.theta)));
}

/* The coordinate that the spring of degree of freedom k sees: of a ball one component of its
 * rotation vector.   theory (3.41) */
static double joint_angle(const sp_model *m, const double *q, int k)
{
    const sp_dof *dof = &m->dof[k];
    return dof->move == SP_MOVE_BALL ? part(ball_vector(q + dof->q), dof->part) : q[dof->q];
}

double sp_dyn_joint_energy(const sp_model *m, const sp_numbers *num, const double *q, int k)
{
    if (!m->dof[k].spring) {
        return 0.0;
    }
    const double x = joint_angle(m, q, k) - num->dof[k].rest;
    return 0.5 * num->dof[k].stiffness * x * x;
}

double sp_dyn_element_energy(const sp_model *m, const sp_numbers *num, const sp_kin *kin, double t,
                             const double *q, const double *u, int i, sp_dyn *dyn)
{
    const sp_force *f = &m->force[i];
    const sp_force_numbers *n = &num->force[i];
    const sp_signal_source from = {.kin = kin, .q = q, .u = u, .z = dyn->z, .t = t};
    const bool pulls = f->kind == SP_FORCE_PULL, on_points = f->kind == SP_FORCE_SPRING_POINTS;
    const bool springs = on_points || f->kind == SP_FORCE_SPRING_MEASURE;
    if (f->kind == SP_FORCE_BUSHING) {
        return bushing_energy(&from, n);
    }
    if (!(springs || pulls) || is_driven(f) ||
        (springs && n->stiffness == 0.0 && n->preload == 0.0)) {
        return 0.0;
    }
    const double x = on_points || (pulls && f->by_points)
                         ? between_points(&from, n).x
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
    double V = 0.0;
    for (int i = 1; i < m->n_body && m->layout.mixed; i++) {
        V += sp_mixed_stored(m, i, q, dyn);
    }
    for (int i = 0; i < m->layout.n_spring; i++) {
        V += sp_dyn_joint_energy(m, num, q, m->layout.spring[i]);
    }
    for (int i = 0; i < m->n_force; i++) {
        V += sp_dyn_element_energy(m, num, kin, t, q, u, i, dyn);
    }
    return m->layout.n_threshold > 0 ? V + threshold_energy(m, kin, t, q, dyn) : V;
}

void sp_bad_force_part(const sp_model *m, const sp_bad_force *bad, char *text, size_t size)
{
    const sp_force_kind kind = bad->force->kind;
    const bool vector = kind == SP_FORCE_FORCE || (kind == SP_FORCE_TORQUE && m->dim == 3);
    if (bad->law != SP_NONE && vector) {
        snprintf(text, size, "the %c component of its %s", "xyz"[bad->law],
                 kind == SP_FORCE_FORCE ? "force" : "torque");
    } else {
        snprintf(text, size, "its %s", bad->law == SP_NONE ? "measure" : "expression");
    }
}
