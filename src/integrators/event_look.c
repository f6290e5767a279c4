/* integrators/event_look.c - indicators of events at a state.   theory (13.1) */
#include "base/status.h"
#include "contact/rule.h"
#include "integrators/event_parts.h"

#include <math.h>

#define ACCEL_FLOOR 1e-3 /* of the largest accelerations so far: forces are measured by no less */

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
    const double aside = pool ? con->outside[slot] + e->aside[slot] : -INFINITY;
    const double g = con->g[slot];
    *rate = con->barred[slot] || aside > g ? 0.0 : gamma;
    return (aside > g || isnan(aside) ? aside : g) - e->below[slot];
}

/* Indicators of a contact that is open. */
static void watch_open(const sp_events *e, int slot, double gamma, double *node)
{
    node[SP_MAIN] = sp_event_open_gap(e, slot, gamma, &node[SP_RATE]);
    if (e->s->m->slot[slot].is.one_way) {
        node[SP_MAIN] = gamma;
    }
}

/* Indicators of contact a of w->con that is an interval: dry friction or a preload. */
static void watch_interval(const sp_events *e, int slot, int a, double gamma, double *node)
{
    const sp_smooth *s = e->s;
    const sp_set *set = &s->w->con.set[a];
    const unsigned char state = e->state[slot];
    if (state == SP_STICK) {
        const double lambda = s->w->sol.P[s->w->con.row[a]];
        node[SP_SECOND] =
            e->shared[slot] ? 1.0 : worth(e, a) * fmin(lambda - set->lo, set->hi - lambda);
    } else if (s->m->slot[slot].is.dry) { /* without a limit nothing is noticed */
        node[SP_SECOND] = set->hi > set->lo ? sp_event_along(state, gamma) : 1.0;
    } else {
        const double x = sp_rule_gap(s->m, s->num, &s->w->con, slot);
        node[SP_MAIN] = sp_event_along(state, x) - e->below[slot];
        node[SP_RATE] = sp_event_along(state, gamma);
    }
}

/* Indicators of contact a of w->con that is closed. */
static void watch_closed(const sp_events *e, int slot, int a, const double gamma[2], double *node)
{
    const sp_con *con = &e->s->w->con;
    const unsigned char state = e->state[slot];
    const int r = con->row[a];
    const double *P = e->s->w->sol.P;
    node[SP_MAIN] = e->shared[slot] ? 1.0 : worth(e, a) * P[r];
    node[SP_RATE] =
        e->hold[slot] > 0 ? sp_con_reach(e->s->m, e->s->num, con, slot) : 1.0; /* (4.1c) */
    if (con->row[a + 1] == r + 1) {
        return;
    }
    if (state != SP_STICK) {
        node[SP_SECOND] = sp_event_along(state, gamma[1]);
    } else if (!e->shared[slot]) {
        node[SP_SECOND] = worth(e, a) * (con->set[a].mu * P[r] - fabs(P[r + 1]));
    }
    if (state == SP_STICK && e->s->lu.rank < e->s->lu.n && con->set[a].mu > 0.0) {
        node[SP_SECOND] = fmin(node[SP_SECOND], sp_event_stillness(e, a));
    }
}

/* SP_E_NONFINITE if an indicator is not a number: searches for roots take it for neither side. */
static sp_status check_nodes(const sp_events *e, double t, sp_error *err)
{
    const sp_model *m = e->s->m;
    for (int i = 0; i <= m->n_slot; i++) {
        bool sound = true;
        for (int k = 0; k < SP_INDICATORS; k++) {
            sound = sound && !isnan(e->node[i][k]);
        }
        if (!sound) {
            return SP_FAIL(err, SP_E_NONFINITE,
                           "t = %.15g s, contact '%s': its gap, velocities or forces are not "
                           "numbers",
                           t, i < m->n_slot ? m->slot[i].name : "(all that share forces)");
        }
    }
    return SP_OK;
}

sp_status sp_event_look_at(sp_events *e, double t, const double *y, sp_error *err)
{
    sp_smooth *s = e->s;
    sp_work *w = s->w;
    SP_TRY(sp_smooth_accelerate(s, t, y + s->q, y + s->u, y + s->z, err));
    if (s->accel_scale == 0.0 && w->con.n_active > 0) {
        s->accel_scale = fmax(w->sol.xi_scale, ACCEL_FLOOR * s->accel_size);
    }
    sp_event_share(e);
    sp_kin_velocities(s->m, w->u_E, &w->kin);
    sp_con_at(t, 1.0, w->q, w->u_E, &w->con);
    sp_con_gaps(s->m, s->num, &w->kin, &w->con);
    for (int i = 0, a = 0; i < s->m->n_slot; i++) {
        double gamma[3], *node = e->node[i];
        sp_con_slot_gamma(s->m, s->num, &w->con, i, gamma);
        node[SP_MAIN] = node[SP_SECOND] = node[SP_THIRD] = 1.0;
        node[SP_RATE] = 0.0;
        if (e->state[i] == SP_OPEN) {
            watch_open(e, i, gamma[0], node);
        } else if (sp_event_is_interval(s, i)) {
            watch_interval(e, i, a++, gamma[0], node);
        } else if (sp_event_in_space(e, i)) {
            sp_event_watch_space(e, a, worth(e, a));
            a++;
        } else {
            watch_closed(e, i, a++, gamma, node);
        }
    }
    double *all = e->node[s->m->n_slot];
    all[SP_MAIN] = e->margin;
    all[SP_RATE] = 0.0;
    all[SP_SECOND] = all[SP_THIRD] = 1.0;
    return check_nodes(e, t, err);
}
