/* integrators/events.c - what a step did to the contacts, as events and as memory.
 *
 * A stepper sees contacts flicker: in one step loaded, in the next not.  A contact is said to be
 * open only when its gap has grown beyond what its resting speed makes in a step.  theory section 9
 */
#include "integrators/friction.h"
#include "integrators/moreau.h"
#include "integrators/moreau_parts.h"

#include <math.h>
#include <string.h>

/* When the gap was zero: known from the last step, or on the straight line to the middle of this
 * one.
 */
static double touch_time(const sp_state *x, const sp_hit *hit, double dt)
{
    const sp_contact_memory *c = &x->contact[hit->slot];
    const double g_A = x->g[hit->slot], g_M = hit->g_M;
    if (c->crossed) {
        return c->t_cross;
    }
    return g_A > 0.0 && g_M < g_A ? x->t + 0.5 * dt * fmin(1.0, g_A / (g_A - g_M)) : x->t;
}

static sp_event *add_event(sp_work *w, sp_event_kind kind, int slot, double t,
                           sp_contact_state before, sp_contact_state after)
{
    sp_event *e = &w->event[w->n_event++];
    *e = (sp_event){.t = t,
                    .kind = kind,
                    .slot = slot,
                    .key = w->con.key ? w->con.key[slot] : 0,
                    .before = before,
                    .after = after};
    return e;
}

static void describe_impact(const sp_hit *hit, bool space, int id, sp_event *e)
{
    e->impact_id = id;
    e->Lambda_N = hit->P[0];
    e->Lambda_T[0] = hit->P[1];
    e->Lambda_T[1] = hit->P[2];
    e->gamma_N_before = hit->gamma_A[0];
    e->gamma_N_after = hit->gamma_E[0];
    e->gamma_T_before = space ? hypot(hit->gamma_A[1], hit->gamma_A[2]) : hit->gamma_A[1];
    e->gamma_T_after = space ? hypot(hit->gamma_E[1], hit->gamma_E[2]) : hit->gamma_E[1];
    e->energy_lost = -hit->work;
}

/* When the impact of this step was: at the first touch of the contacts that approached. */
static double impact_time(const sp_state *x, const sp_work *w, double dt)
{
    double first = x->t + dt;
    for (int k = 0; k < w->n_hit; k++) {
        if (w->hit[k].impact && w->hit[k].gamma_A[0] < -w->hit[k].v_rest) {
            const double t = touch_time(x, &w->hit[k], dt);
            first = t < first ? t : first;
        }
    }
    return first;
}

/* When a contact came to rest in this step: with an impact that it is coupled to, if there was one.
 * theory (59.2) */
static double rest_time(const sp_state *x, const sp_work *w, const sp_hit *hit, double dt)
{
    return hit->struck ? impact_time(x, w, dt) : x->t + dt;
}

/* Events of a contact that took part in the problem; returns its new state. */
static sp_contact_state hit_events(const sp_state *x, const sp_hit *hit, sp_contact_state loaded,
                                   int id, double dt, sp_work *w)
{
    const sp_contact_memory *c = &x->contact[hit->slot];
    const sp_contact_state before = (sp_contact_state)c->state;
    const bool passive = hit->impact && !(hit->gamma_A[0] < -hit->v_rest); /* only takes part */
    const double t_touch = passive ? impact_time(x, w, dt) : touch_time(x, hit, dt);
    if (hit->impact) {
        const bool leaves = hit->gamma_E[0] > hit->v_rest;
        const sp_contact_state after = leaves ? SP_STATE_OPEN : loaded;
        describe_impact(hit, w->con.disc, id,
                        add_event(w, SP_EVENT_IMPACT, hit->slot, t_touch, before, after));
        if ((before == SP_STATE_OPEN) != leaves) {
            add_event(w, leaves ? SP_EVENT_OPEN : SP_EVENT_CLOSE, hit->slot, t_touch, before,
                      after);
        }
        return after;
    }
    if (before == SP_STATE_OPEN) {
        if (!hit->dry) { /* dry friction is never open, it only begins so */
            add_event(w, SP_EVENT_CLOSE, hit->slot, t_touch, before, loaded);
        }
    } else if (before != loaded) {
        const bool rests = loaded == SP_STATE_STICK;
        add_event(w, rests ? SP_EVENT_STICK : SP_EVENT_SLIP, hit->slot,
                  rests ? rest_time(x, w, hit, dt) : x->t + dt, before, loaded);
    }
    return loaded;
}

void sp_step_sort_events(sp_work *w)
{
    for (int i = 1; i < w->n_event; i++) {
        const sp_event e = w->event[i];
        int k = i;
        for (; k > 0 && w->event[k - 1].t > e.t; k--) {
            w->event[k] = w->event[k - 1];
        }
        w->event[k] = e;
    }
}

/* How a contact that is open, or was, passed zero in this step: when, and how far it was lifted. */
static void note_penetration(const sp_state *x, const sp_work *w, int i, const sp_hit *hit,
                             double dt, sp_contact_memory *c)
{
    const double g_A = x->g[i], g_E = w->corrected ? w->g_E[i] : w->con.g[i];
    c->crossed = !hit && g_A > 0.0 && g_E <= 0.0 &&
                 !w->con.aside[i]; /* after the middle: the next step will hit it */
    if (c->crossed) {
        c->t_cross = x->t + (g_A < INFINITY ? dt * g_A / (g_A - g_E) : dt); /* or just lent */
    }
    if (g_E < 0.0 && w->con.g[i] > g_E) {
        c->lift = w->con.g[i] - g_E;
    } else if (!hit) {
        c->lift = 0.0;
    }
}

/* A contact that is open, remembers nothing and stays clear of the other side: most are. */
static inline bool is_idle(const sp_contact_memory *c, double g_E)
{
    return g_E > 0.0 && c->state == SP_STATE_OPEN && !c->active && !c->crossed && !(c->lift > 0.0);
}

/* A one-way clutch has no gap to show that it opens: it does when it is not loaded and moves, by
 * more than round-off.  Where rows look at the end of the step the velocity shows it of all
 * contacts, before there is a gap. */
static bool lets_go(const sp_work *w, const sp_step_rule *rule, int i, const sp_hit *hit)
{
    if (!hit || hit->dry) {
        return false;
    }
    return w->con.g[i] == -INFINITY ? hit->gamma_E[0] > SP_SLIP_NOISE * w->sol.xi_scale
                                    : rule->lasting_at_end && sp_hit_leaves(w, hit);
}

/* One contact: its events, then what it remembers. */
static void update_contact(sp_state *x, const sp_step_rule *rule, int i, const sp_hit *hit, int id,
                           double dt, sp_work *w)
{
    sp_contact_memory *c = &x->contact[i];
    if (hit && (hit->bears || hit->dry)) {
        c->state = (unsigned char)hit_events(x, hit, hit->slides ? SP_STATE_SLIP : SP_STATE_STICK,
                                             id, dt, w);
    } else if (c->state != SP_STATE_OPEN &&
               (w->con.g[i] > c->reach || (hit && hit->tears) || lets_go(w, rule, i, hit))) {
        add_event(w, SP_EVENT_OPEN, i, x->t + dt, (sp_contact_state)c->state, SP_STATE_OPEN);
        c->state = SP_STATE_OPEN;
    }
    c->active = hit != NULL;
    c->hit = hit && hit->impact;
    c->freed = 0;
    c->P_N = hit ? hit->P[0] : 0.0;
    c->P_T = hit ? hit->P[1] : 0.0;
    c->P_T2 = hit ? hit->P[2] : 0.0;
    for (int k = 0; w->con.disc && k < 3; k++) {
        c->P_S[k] = hit ? hit->P[3 + k] : 0.0;
    }
    if (hit) {
        c->status = hit->status;
        c->reach = hit->reach;
    }
    note_penetration(x, w, i, hit, dt, c);
    x->n_touched += c->active || c->crossed || c->lift > 0.0 || c->state != SP_STATE_OPEN;
}

void sp_step_events(const sp_model *m, sp_state *x, sp_work *w, const sp_step_rule *rule, double dt)
{
    w->n_event = 0;
    if (w->n_hit > 0 || x->n_touched > 0 || w->corrected || w->con.least <= 0.0) {
        bool any_impact = false;
        for (int k = 0; k < w->n_hit; k++) {
            any_impact |= w->hit[k].impact;
        }
        const int id = x->n_impact += any_impact;
        const double *g_E = w->corrected ? w->g_E : w->con.g;
        x->n_touched = 0;
        for (int i = 0, k = 0; i < m->n_slot; i++) { /* slots and hits both rise */
            const sp_hit *hit = k < w->n_hit && w->hit[k].slot == i ? &w->hit[k++] : NULL;
            if (hit || !is_idle(&x->contact[i], g_E[i])) {
                update_contact(x, rule, i, hit, id, dt, w);
            }
        }
        sp_friction_log(m, x, rule, w);
        sp_step_sort_events(w);
    }
    if (m->layout.remembers) {
        sp_con_remember(m, NULL, &w->con);
        sp_con_keep(m, &w->con, x->g, x->contact);
    } else {
        memcpy(x->g, w->con.g, (size_t)m->n_slot * sizeof(double));
    }
}
