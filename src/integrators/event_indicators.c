/* integrators/event_indicators.c - indicators of events at a state: all of them, or those that need
 * no accelerations.   theory (13.1), (65.1) */
#include "base/status.h"
#include "contact/motion.h"
#include "contact/rule.h"
#include "integrators/event_parts.h"

#include <math.h>
#include <string.h>

#define WELL_INSIDE 10.0 /* times the tolerance of places: a contact so far inside its features */
#define ACCEL_FLOOR                                                                                \
    SP_SMALL /* of the largest accelerations so far: forces are measured by no less */

/* What a force of contact a does to its own row, of the accelerations in this step: forces in these
 * units are compared with round-off. */
static double worth(const sp_events *e, int a)
{
    const sp_con *con = &e->s->w->con;
    const int r = con->row[a];
    return e->s->accel_scale > 0.0 ? con->G[r * con->n_row + r] / e->s->accel_scale : 1.0;
}

double sp_event_open_gap(const sp_events *e, int slot, double gamma, double *rate)
{
    const sp_con *con = &e->s->w->con;
    const bool pool = e->s->m->slot[slot].is.pooled;
    const double aside = pool ? con->outside[slot] + e->indicator.inset[slot] : -INFINITY;
    const double g = con->g[slot];
    *rate = con->barred[slot] || aside > g ? 0.0 : gamma;
    return (aside > g || isnan(aside) ? aside : g) - e->indicator.below[slot];
}

/* Whether the indicator of a slot is its gap, or the way of a preload. */
static bool is_gap(const sp_events *e, int slot)
{
    const sp_slot_traits is = e->s->m->slot[slot].is;
    return !is.one_way &&
           (e->settle.state[slot] == SP_OPEN || (is.stores && e->settle.state[slot] != SP_STICK));
}

double sp_event_gap(const sp_events *e, int slot, double gamma, double *rate)
{
    const sp_smooth *s = e->s;
    if (e->settle.state[slot] == SP_OPEN) {
        return sp_event_open_gap(e, slot, gamma, rate);
    }
    *rate = sp_event_along(e->settle.state[slot], gamma);
    return sp_event_along(e->settle.state[slot], sp_rule_gap(s->m, s->num, &s->w->con, slot)) -
           e->indicator.below[slot];
}

/* Indicators of contact a of w->con that is an interval: dry friction or a preload. */
static void evaluate_interval(const sp_events *e, int slot, int a, double gamma, double *node)
{
    const sp_smooth *s = e->s;
    const sp_set *set = &s->w->con.set[a];
    const unsigned char state = e->settle.state[slot];
    if (state == SP_STICK) {
        const double lambda = s->w->sol.P[s->w->con.row[a]];
        node[SP_SECOND] =
            e->shared.is[slot] ? 1.0 : worth(e, a) * fmin(lambda - set->lo, set->hi - lambda);
    } else if (s->m->slot[slot].is.dry) { /* without a limit nothing is noticed */
        node[SP_SECOND] = set->hi > set->lo ? sp_event_along(state, gamma) : 1.0;
    }
}

/* Indicators of contact a of w->con that is closed. */
static void evaluate_closed(const sp_events *e, int slot, int a, const double gamma[2],
                            double *node)
{
    const sp_con *con = &e->s->w->con;
    const unsigned char state = e->settle.state[slot];
    const int r = con->row[a];
    const double *P = e->s->w->sol.P;
    node[SP_MAIN] = e->shared.is[slot] ? 1.0 : worth(e, a) * P[r];
    node[SP_RATE] =
        e->settle.hold[slot] > 0 ? sp_con_reach(e->s->m, e->s->num, con, slot) : 1.0; /* (4.1c) */
    if (con->row[a + 1] == r + 1) {
        return;
    }
    if (state != SP_STICK) {
        node[SP_SECOND] = sp_event_along(state, gamma[1]);
    } else if (!e->shared.is[slot]) {
        node[SP_SECOND] = worth(e, a) * (con->set[a].mu * P[r] - fabs(P[r + 1]));
    }
    if (state == SP_STICK && e->s->lu.rank < e->s->lu.n && con->set[a].mu > 0.0) {
        node[SP_SECOND] = fmin(node[SP_SECOND], sp_event_stillness(e, a));
    }
}

/* SP_E_NONFINITE if an indicator of slots first..last is not a number: searches for roots take it
 * for neither side. */
static sp_status check_nodes(const sp_events *e, double t, int first, int last, sp_error *err)
{
    const sp_model *m = e->s->m;
    for (int i = first; i <= last; i++) {
        const double *node = e->indicator.node[i];
        if (isunordered(node[SP_MAIN], node[SP_RATE]) ||
            isunordered(node[SP_SECOND], node[SP_THIRD])) {
            return SP_FAIL(err, SP_E_NONFINITE,
                           "t = %.15g s, contact '%s': its gap, velocities or forces are not "
                           "numbers",
                           t, i < m->n_slot ? m->slot[i].name : "(all that share forces)");
        }
    }
    return SP_OK;
}

/* Indicators of a slot that need no accelerations; rows, forces and velocities are not there. */
static void evaluate_free(sp_events *e, int slot)
{
    const sp_smooth *s = e->s;
    double gamma[3], rate, *node = e->indicator.node[slot];
    if (is_gap(e, slot)) {
        node[SP_MAIN] = sp_event_gap(e, slot, 0.0, &rate);
    } else if (e->settle.state[slot] == SP_OPEN) {
        sp_kin_velocities(s->m, s->w->u_E, &s->w->kin);
        sp_con_slot_gamma(s->m, s->num, &s->w->con, slot, gamma);
        node[SP_MAIN] = gamma[0];
    }
}

/* The same of a closed one, contact a of w->con, that need them. */
static void evaluate_forces(sp_events *e, int slot, int a)
{
    const sp_smooth *s = e->s;
    double gamma[3];
    if (sp_event_in_space(e, slot)) {
        sp_event_evaluate_space(e, a, worth(e, a), e->indicator.node[slot]);
        return;
    }
    sp_con_slot_gamma(s->m, s->num, &s->w->con, slot, gamma);
    if (sp_event_is_interval(s, slot)) {
        evaluate_interval(e, slot, a, gamma[0], e->indicator.node[slot]);
    } else {
        evaluate_closed(e, slot, a, gamma, e->indicator.node[slot]);
    }
}

/* Gaps at the frames in w, then the indicators of slots first..last that are not closed. */
static void evaluate_gaps(sp_events *e, double t, int first, int last)
{
    const sp_smooth *s = e->s;
    sp_work *w = s->w;
    sp_con_at(t, 1.0, w->q, w->u_E, &w->con);
    sp_con_search_gaps(s->m, s->num, &w->kin, first == last ? first : SP_NONE, &w->con);
    for (int i = first; i <= last; i++) {
        double *node = e->indicator.node[i];
        node[SP_MAIN] = node[SP_SECOND] = node[SP_THIRD] = 1.0;
        node[SP_RATE] = 0.0;
        evaluate_free(e, i);
    }
}

sp_status sp_event_evaluate_positions(sp_events *e, double t, const double *y, int slot,
                                      sp_error *err)
{
    const sp_smooth *s = e->s;
    const int first = slot == SP_NONE ? 0 : slot, last = slot == SP_NONE ? s->m->n_slot - 1 : slot;
    sp_work *w = s->w;
    memcpy(w->q, y + s->q, (size_t)s->m->n_q * sizeof(double));
    memcpy(w->u_E, y + s->u, (size_t)s->m->n_dof * sizeof(double));
    if (s->m->n_motion > 0) {
        sp_motion_place(s->m, t, &w->dyn, w->q);
        sp_motion_move(s->m, t, &w->dyn, w->u_E);
    }
    sp_kin_positions(s->m, s->num, w->q, &w->kin);
    evaluate_gaps(e, t, first, last);
    return check_nodes(e, t, first, last, err);
}

sp_status sp_event_evaluate(sp_events *e, double t, const double *y, sp_error *err)
{
    sp_smooth *s = e->s;
    sp_work *w = s->w;
    SP_TRY(sp_smooth_accelerate_at(s, t, y, err));
    if (s->accel_scale == 0.0 && w->con.n_active > 0) {
        s->accel_scale = fmax(w->sol.xi_scale, ACCEL_FLOOR * s->accel_size);
    }
    sp_event_share(e);
    evaluate_gaps(e, t, 0, s->m->n_slot - 1);
    for (int i = 0, a = 0; i < s->m->n_slot; i++) {
        if (e->settle.state[i] != SP_OPEN) {
            evaluate_forces(e, i, a++);
        }
    }
    double *all = e->indicator.node[s->m->n_slot];
    all[SP_MAIN] = e->shared.margin;
    all[SP_RATE] = 0.0;
    all[SP_SECOND] = all[SP_THIRD] = 1.0;
    return check_nodes(e, t, 0, s->m->n_slot, err);
}

void sp_event_note_terms(sp_events *e, const sp_state *x)
{
    const sp_model *m = e->s->m;
    const sp_con *con = &e->s->w->con;
    for (int a = 0; a < con->n_active && con->active[a] < m->n_slot; a++) {
        const int slot = con->active[a], *sup = sp_con_sup(con, a);
        const double *W = sp_con_row(con, con->W, con->row[a]);
        double sum = 0.0;
        for (int k = 0; k < con->n_sup[a] && m->slot[slot].is.rule; k++) {
            const sp_dof *dof = &m->dof[sup[k]];
            sum += fabs(W[k]) * (dof->move == SP_MOVE_BALL ? 1.0 : fabs(x->q[dof->q]));
        }
        e->indicator.terms[slot] = fmax(e->indicator.terms[slot], sum);
    }
}

void sp_event_forget_depths(sp_events *e)
{
    memset(e->indicator.below, 0, (size_t)e->s->m->n_slot * sizeof(double));
}

void sp_event_note_insets(sp_events *e)
{
    const sp_con *con = &e->s->w->con;
    for (int i = 0; i < e->s->m->n_slot && e->s->m->n_pool > 0; i++) {
        if (e->s->m->slot[i].is.pooled) {
            const bool inside = con->outside[i] < -WELL_INSIDE * con->tol[i];
            e->indicator.inset[i] = inside ? con->tol[i] : -con->tol[i];
        }
    }
}

void sp_event_note_depths(sp_events *e, double error)
{
    const sp_smooth *s = e->s;
    for (int i = 0; i < s->m->n_slot; i++) {
        const sp_slot_traits is = s->m->slot[i].is;
        const bool way = is.stores ? e->settle.state[i] != SP_STICK
                                   : !is.one_way && e->settle.state[i] == SP_OPEN;
        const double g = e->indicator.node[i][SP_MAIN];
        if (way && g < 0.0 && g > -fmax(sp_event_touches(e, i), error)) {
            e->indicator.below[i] = g;
            e->indicator.node[i][SP_MAIN] = 0.0;
        }
    }
}
