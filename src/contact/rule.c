#include "contact/rule.h"

#include "base/status.h"
#include "contact/loop.h"
#include "model/aspect.h"

#include <float.h>
#include <math.h>

#define ROUND_OFF (8.0 * DBL_EPSILON) /* of its terms: a slip of its own that is none */

/* One component of a vector. */
static double part(sp_vec3 a, int k)
{
    return k == 0 ? a.x : k == 1 ? a.y : a.z;
}

static sp_signal_source source_of(const sp_con *con)
{
    return (sp_signal_source){.kin = con->kin,
                              .q = con->q,
                              .u = con->u,
                              .z = *con->states,
                              .t = con->t,
                              .kink = con->kink};
}

/* An axis that the material at a spot carries. */
static sp_vec3 axis_of(const sp_kin *kin, const sp_spot *s, int axis)
{
    const sp_rot3 R = sp_spot_axes(kin, s);
    return axis == 0 ? R.x : axis == 1 ? R.y : R.z;
}

/* What an aspect measures of a velocity v and a spin w at a spot. */
static double measured(const sp_kin *kin, const sp_spot *s, sp_aspect a, sp_vec3 v, sp_vec3 w)
{
    switch (a.of) {
    case SP_ASPECT_POINT:
        return part(v, a.part);
    case SP_ASPECT_AXIS:
        return part(sp_cross3(w, axis_of(kin, s, a.which)), a.part);
    case SP_ASPECT_OWN_SPIN:
        return part(sp_rotate_back3(sp_spot_axes(kin, s), w), a.part);
    case SP_ASPECT_ANGLE:
    case SP_ASPECT_SPIN:
        break;
    }
    return part(w, a.part);
}

/* z += factor d(rate of the signal)/du, over the degrees of freedom that move it. */
static void add_column(const sp_model *m, const sp_con *con, const sp_signal *s, double factor,
                       double *z)
{
    const sp_aspect a = sp_aspect_of(s->kind);
    if (s->kind == SP_SIG_Q || s->kind == SP_SIG_U) {
        z[s->kind == SP_SIG_Q ? s->dof : s->index] += factor;
    } else if (a.from == SP_FROM_BODY) {
        const sp_path *p = &con->kin->path[0];
        const sp_spot spot = sp_spot_of(con->kin, &s->mark);
        const int n = sp_spot_columns(m, con->kin, &spot, p->sup, p->v, p->w);
        for (int i = 0; i < n; i++) {
            z[p->sup[i]] += factor * measured(con->kin, &spot, a, p->v[i], p->w[i]);
        }
    }
}

/* Rate of a position signal, or the value of a velocity signal. */
static double rate_of(const sp_con *con, const sp_signal *s)
{
    const sp_kin *kin = con->kin;
    const sp_aspect a = sp_aspect_of(s->kind);
    if (a.from != SP_FROM_BODY) {
        return s->kind == SP_SIG_Q   ? con->u[s->dof]
               : s->kind == SP_SIG_U ? con->u[s->index]
                                     : 1.0; /* time */
    }
    const sp_spot spot = sp_spot_of(kin, &s->mark);
    return measured(kin, &spot, a, sp_spot_velocity(kin, &spot), sp_spot_spin(kin, &spot));
}

/* Derivative by time of that rate for u' = 0. */
static double bias_of(const sp_con *con, const sp_signal *s)
{
    const sp_kin *kin = con->kin;
    const sp_aspect a = sp_aspect_of(s->kind);
    if (a.from != SP_FROM_BODY) {
        return 0.0;
    }
    const sp_spot spot = sp_spot_of(kin, &s->mark);
    const double bias =
        measured(kin, &spot, a, sp_spot_bias(kin, &spot), sp_spot_spin_bias(kin, &spot));
    if (a.of != SP_ASPECT_AXIS) {
        return bias;
    }
    const sp_vec3 e = axis_of(kin, &spot, a.which), omega = sp_spot_spin(kin, &spot);
    return bias + part(sp_cross3(omega, sp_cross3(omega, e)), a.part);
}

/* ---- one expression -------------------------------------------------------------------------- */

/* Derivatives of a func into con->grad, and con->hess if second; its value. */
static double differentiate(const sp_func *f, const sp_con *con, bool second)
{
    const sp_signal_source from = source_of(con);
    return second ? sp_func_hess(f, &from, con->in, con->grad, con->hess, con->work)
                  : sp_func_grad(f, &from, con->in, con->grad, con->work);
}

/* Row of W on the support: sign * sum of the derivatives by position signals (velocity signals if
 * `velocities`) times their columns.  con->z is zero and becomes zero again. */
static void row_of(const sp_model *m, const sp_con *con, const sp_func *f, bool velocities,
                   double sign, const sp_rule *rule, double *W)
{
    for (int k = 0; k < f->n_signal; k++) {
        if (sp_aspect_of(f->signal[k].kind).is_rate == velocities &&
            f->signal[k].kind != SP_SIG_TIME) {
            add_column(m, con, &f->signal[k], sign * con->grad[k], con->z);
        }
    }
    for (int i = 0; i < rule->n_sup; i++) {
        W[i] = con->z[rule->sup[i]];
        con->z[rule->sup[i]] = 0.0;
    }
}

/* Derivative of a func by explicit time, from con->grad. */
static double by_time(const sp_func *f, const sp_con *con)
{
    double sum = 0.0;
    for (int k = 0; k < f->n_signal; k++) {
        sum += f->signal[k].kind == SP_SIG_TIME ? con->grad[k] : 0.0;
    }
    return sum;
}

/* x'' for u' = 0:  sum x_kl s_k' s_l' + sum x_k s_k''.   theory (4.13) */
static double measure_bias(const sp_func *f, const sp_con *con)
{
    double sum = 0.0;
    differentiate(f, con, true);
    for (int k = 0; k < f->n_signal; k++) {
        const double rate = rate_of(con, &f->signal[k]);
        const double *H = con->hess + (size_t)k * (size_t)(k + 1) / 2;
        for (int l = 0; l < k; l++) {
            sum += 2.0 * H[l] * rate * rate_of(con, &f->signal[l]);
        }
        sum += H[k] * rate * rate + con->grad[k] * bias_of(con, &f->signal[k]);
    }
    return sum;
}

/* Derivative by time of a slip velocity for u' = 0:  sum f_k (s_k' or bias of the velocity).
 * theory (4.13) */
static double slip_bias(const sp_func *f, const sp_con *con)
{
    double sum = 0.0;
    differentiate(f, con, false);
    for (int k = 0; k < f->n_signal; k++) {
        const sp_signal *s = &f->signal[k];
        sum += con->grad[k] * (sp_aspect_of(s->kind).is_rate ? bias_of(con, s) : rate_of(con, s));
    }
    return sum;
}

/* ---- slots ----------------------------------------------------------------------------------- */

double sp_rule_measure(const sp_rule *r, const sp_con *con)
{
    const sp_signal_source from = source_of(con);
    return sp_func_value(&r->measure, &from, con->in, con->work);
}

double sp_rule_gap(const sp_model *m, const sp_numbers *num, const sp_con *con, int slot)
{
    const sp_slot *s = &m->slot[slot];
    if (s->is.loop) {
        return sp_loop_error(&(sp_loop_at){m, num, con->kin, con->loops, s->rule}, s->part);
    }
    const sp_rule *r = &m->rule[s->rule];
    return r->sign * sp_rule_measure(r, con) + r->offset;
}

int sp_rule_support(const sp_model *m, int slot, const int **sup)
{
    const sp_slot *s = &m->slot[slot];
    const bool loop = s->is.loop;
    *sup = loop ? m->loop[s->rule].sup : m->rule[s->rule].sup;
    return loop ? m->loop[s->rule].n_sup : m->rule[s->rule].n_sup;
}

void sp_rule_directions(const sp_model *m, const sp_numbers *num, const sp_con *con, int slot,
                        double *W, int stride, double w_tilde[3])
{
    const sp_slot *s = &m->slot[slot];
    w_tilde[0] = w_tilde[1] = w_tilde[2] = 0.0;
    if (s->is.loop) {
        sp_loop_row(&(sp_loop_at){m, num, con->kin, con->loops, s->rule}, s->part, W);
        return;
    }
    const sp_rule *r = &m->rule[s->rule];
    differentiate(&r->measure, con, false);
    w_tilde[0] = r->sign * by_time(&r->measure, con);
    row_of(m, con, &r->measure, false, r->sign, r, W);
    for (int k = 0; k < r->n_slip; k++) {
        double *W_T = W + (size_t)(k + 1) * (size_t)stride;
        double rest = differentiate(&r->slip[k], con, false), terms = fabs(rest);
        row_of(m, con, &r->slip[k], true, 1.0, r, W_T);
        for (int i = 0; i < r->n_sup; i++) { /* w_tilde = gamma_T - W_T^T u */
            rest -= W_T[i] * con->u[r->sup[i]];
            terms += fabs(W_T[i] * con->u[r->sup[i]]);
        }
        w_tilde[k + 1] = fabs(rest) <= ROUND_OFF * terms ? 0.0 : rest; /* NaN stays */
    }
}

void sp_rule_bias(const sp_model *m, const sp_numbers *num, const sp_con *con, int slot,
                  double w_bar[3])
{
    const sp_slot *s = &m->slot[slot];
    w_bar[1] = w_bar[2] = 0.0;
    if (s->is.loop) {
        w_bar[0] = sp_loop_bias(&(sp_loop_at){m, num, con->kin, con->loops, s->rule}, s->part);
        return;
    }
    const sp_rule *r = &m->rule[s->rule];
    w_bar[0] = r->sign * measure_bias(&r->measure, con);
    for (int k = 0; k < r->n_slip; k++) {
        w_bar[k + 1] = slip_bias(&r->slip[k], con);
    }
}

/* Whether a slot has a place, by an expression. */
static bool has_place(const sp_slot *slot)
{
    return slot->is.rule && !slot->is.loop && (!slot->is.gapless || slot->is.stores);
}

void sp_rule_note(const sp_model *m, const sp_numbers *num, const sp_con *con)
{
    for (int i = 0; i < m->n_slot + m->n_bond; i++) {
        con->noted[i] = has_place(&m->slot[i]) ? sp_rule_gap(m, num, con, i) : 0.0;
    }
}

sp_status sp_rule_check(const sp_model *m, const sp_numbers *num, const sp_con *con, double share,
                        sp_error *err)
{
    for (int i = 0; i < m->n_slot + m->n_bond; i++) {
        const double a = con->noted[i],
                     b = has_place(&m->slot[i]) ? sp_rule_gap(m, num, con, i) : a;
        if (fabs(b - a) > share * fmax(fmax(fabs(a), fabs(b)), m->extent.gap)) {
            return SP_FAIL(err, SP_E_INPUT,
                           "t = %.9g s: the gap of '%s' jumps from %.6g to %.6g, which takes an "
                           "infinite velocity; let it take a time or a way, as with ramp(t, t_0, "
                           "t_1)",
                           con->t, m->slot[i].name, a, b);
        }
    }
    return SP_OK;
}

sp_status sp_rule_check_time(const sp_model *m, const sp_numbers *num, sp_con *con, double t,
                             double share, sp_error *err)
{
    sp_rule_note(m, num, con);
    con->t = t;
    return sp_rule_check(m, num, con, share, err);
}

void sp_rule_look(const sp_model *m, const sp_con *con)
{
    const sp_signal_source from = source_of(con);
    for (int i = 0; i < m->n_rule; i++) {
        const sp_rule *r = &m->rule[i];
        const sp_func *const func[] = {&r->measure, &r->slip[0], &r->slip[1], &r->limit};
        for (int k = 0; k < 4; k++) {
            if (func[k]->n_kink > 0) {
                sp_func_value(func[k], &from, con->in, con->work);
            }
        }
    }
}

void sp_rule_sides(const sp_model *m, const sp_numbers *num, sp_kin *kin, sp_dyn *dyn, sp_con *con,
                   sp_kink *kink)
{
    for (int i = 0; i < m->n_kink; i++) {
        kink[i] = (sp_kink){.side = NAN, .phi = INFINITY};
    }
    dyn->kink = con->kink = kink;
    sp_dyn_terms(m, num, con->t, con->q, con->u, kin, dyn);
    sp_kin_velocities(m, con->u, kin);
    con->kin = kin;
    sp_rule_look(m, con);
    dyn->kink = con->kink = NULL;
}

int sp_rule_switched(const sp_model *m, const sp_kink *a, const sp_kink *b)
{
    for (int i = 0; i < m->n_kink; i++) {
        if (a[i].side < b[i].side ||
            a[i].side > b[i].side) { /* one that nobody asked for has none */
            return i;
        }
    }
    return SP_NONE;
}

double sp_rule_limit(const sp_model *m, const sp_con *con, int slot)
{
    const sp_signal_source from = source_of(con);
    const double limit =
        sp_func_value(&m->rule[m->slot[slot].rule].limit, &from, con->in, con->work);
    return (limit < 0.0 ? 0.0 : limit) + con->grip[slot]; /* below zero means: no friction */
}

void sp_rule_gamma(const sp_model *m, const sp_numbers *num, const sp_con *con, int slot,
                   double gamma[3])
{
    const sp_slot *s = &m->slot[slot];
    gamma[0] = gamma[1] = gamma[2] = 0.0;
    if (s->is.loop) {
        gamma[0] = sp_loop_rate(&(sp_loop_at){m, num, con->kin, con->loops, s->rule}, s->part);
        return;
    }
    const sp_rule *r = &m->rule[s->rule];
    differentiate(&r->measure, con, false);
    for (int k = 0; k < r->measure.n_signal; k++) {
        gamma[0] += r->sign * con->grad[k] * rate_of(con, &r->measure.signal[k]);
    }
    for (int k = 0; k < r->n_slip; k++) {
        gamma[k + 1] = differentiate(&r->slip[k], con, false);
    }
}
