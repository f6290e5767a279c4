/* integrators/event_fallback.c - where events follow each other without end, a stepper goes on for
 * a short time, and the log says so.   theory (13.10) */
#include "base/status.h"
#include "integrators/event_parts.h"
#include "integrators/moreau.h"

#include <math.h>
#include <string.h>

enum { STEPS = 20 };
#define SHORT 1e-6 /* of what counts as long: the first steps that are tried */
#define LONG  1e-4 /* and the longest                                        */

double sp_event_over_first(const sp_events *e)
{
    return SHORT * sp_event_long(e);
}

void sp_event_over_begin(sp_events *e, const sp_state *x)
{
    const double span = sp_event_long(e);
    const bool again = x->t - e->over_last <= 10.0 * STEPS * e->over_dt;
    e->over_dt = again ? fmin(4.0 * e->over_dt, LONG * span) : sp_event_over_first(e);
    e->over_left = STEPS;
    const int slot = sp_events_slot(e);
    sp_event *event = sp_event_report(e->s->w, x, SP_EVENT_HANDOVER, slot,
                                      sp_event_public(e, slot, e->state[slot]),
                                      sp_event_public(e, slot, e->state[slot]));
    event->lasts = STEPS * e->over_dt;
    e->n_still = e->n_recent = e->n_step = 0;
    e->since = e->mark = e->begun = x->t;
    if (!e->s->driver) {
        e->s->rk->dt =
            0.0; /* steps that have shrunk to nothing are no guess for what follows   (53.6) */
    }
}

void sp_event_to_steps(sp_events *e, sp_state *x)
{
    sp_smooth *s = e->s;
    sp_work *w = s->w;
    s->closed = (sp_smooth_closed){.n = 0};
    w->con.hold = NULL; /* a stepper takes what is nearest */
    w->con.still = false;
    if (s->m->n_pool > 0 || s->m->layout.seams) {
        sp_con_remember(s->m, x->contact, &w->con);
    }
    memset(e->hold, 0, (size_t)s->m->n_slot * sizeof *e->hold);
    sp_kin_positions(s->m, s->num, x->q, &w->kin);
    sp_con_at(x->t, 0.0, x->q, x->u, &w->con);
    sp_con_gaps(s->m, s->num, &w->kin, &w->con);
    memcpy(x->g, w->con.g, (size_t)s->m->n_slot * sizeof(double));
    x->n_touched = 0;
    for (int i = 0; i < s->m->n_slot; i++) {
        sp_contact_memory *c = &x->contact[i];
        c->status = SP_STATUS_UNKNOWN;
        c->reach = sp_event_touches(e, i);
        c->lift = 0.0;
        c->active = c->crossed = c->freed = 0;
        x->n_touched += c->state != SP_STATE_OPEN;
    }
}

/* The same for time steps, which forget the forces: they are decided anew. */
static void prepare(sp_events *e, sp_state *x)
{
    for (int i = 0; i < e->s->m->n_slot; i++) {
        x->contact[i].P_N = x->contact[i].P_T = 0.0;
    }
    sp_event_to_steps(e, x);
}

void sp_event_from_steps(sp_events *e, const sp_state *x)
{
    for (int i = 0; i < e->s->m->n_slot; i++) {
        const bool open = x->contact[i].state == SP_STATE_OPEN;
        e->state[i] = open ? SP_OPEN : SP_STICK;
        e->left[i] = -INFINITY;
        e->hops[i] = (sp_hops){.t_hit = -INFINITY};
        e->work[i] = 0.0;
    }
}

/* The state of a contact that a stepper has left sliding; of dry friction by the bound that its
 * force is at.  Thresholds, and contacts in space, are decided anew. */
static unsigned char slip_of(const sp_events *e, const sp_state *x, int slot)
{
    const sp_contact_memory *c = &x->contact[slot];
    const bool known = c->status == SP_SLIP_POS || c->status == SP_SLIP_NEG;
    if (e->s->m->slot[slot].is.dry) {
        return c->P_N > 0.0 ? SP_SLIP_NEG : SP_SLIP_POS;
    }
    return known && !sp_event_in_space(e, slot) && !sp_event_is_interval(e->s, slot)
               ? c->status
               : e->state[slot];
}

void sp_event_keep_slip(sp_events *e, const sp_state *x)
{
    for (int i = 0; i < e->s->m->n_slot; i++) {
        if (x->contact[i].state == SP_STATE_SLIP) {
            e->state[i] = slip_of(e, x, i);
        }
    }
}

/* The events of a step that began at t, with those that were to be told later: by rising time, and
 * none before t, although a stepper notes a touch in the step after. */
static void put_in_order(sp_events *e, double t, double now)
{
    sp_work *w = e->s->w;
    for (int i = 0; i < w->n_event; i++) {
        w->event[i].t = fmax(w->event[i].t, t);
    }
    sp_zeno_report(e, now);
    for (int i = 1; i < w->n_event; i++) {
        const sp_event event = w->event[i];
        int k = i;
        for (; k > 0 && w->event[k - 1].t > event.t; k--) {
            w->event[k] = w->event[k - 1];
        }
        w->event[k] = event;
    }
}

sp_status sp_event_over_step(sp_events *e, sp_state *x, sp_error *err)
{
    sp_smooth *s = e->s;
    if (e->over_left == STEPS) {
        prepare(e, x);
    }
    const double left = e->until - x->t, dt = fmin(e->over_dt, left);
    if (dt > 0.0) {
        const double t = dt == left ? e->until : x->t + dt;
        const sp_step_rule *moreau = sp_step_rule_of(SP_METHOD_MOREAU);
        sp_step_rule lenient = *moreau; /* theory (30.2) */
        lenient.effort = SP_EFFORT_LENIENT;
        SP_TRY(sp_moreau_solve(s->m, x, s->w, &lenient, dt, err));
        const double begin = x->t;
        SP_TRY(sp_moreau_finish(s->m, x, s->w, moreau, dt, err));
        x->t = t;
        put_in_order(e, begin, t);
    }
    e->over_last = x->t;
    e->since = e->mark = e->begun = x->t;
    e->over_left = x->t < e->until ? e->over_left - 1 : 0;
    return sp_smooth_restart(s, x, err);
}

sp_status sp_event_over_end(sp_events *e, sp_state *x, sp_error *err)
{
    if (e->s->m->n_pool > 0) {
        sp_con_remember(e->s->m, x->contact, &e->s->w->con);
    }
    sp_step_pass_seams(e->s->m, x, e->s->w);
    sp_event_from_steps(e, x);
    e->ahead = false; /* what was foreseen before the handover is old */
    e->trigger = SP_TRIGGER_TOUCH;
    e->slot = SP_NONE;
    const sp_status status = sp_event_resolve(e, x, err);
    e->trigger = SP_TRIGGER_NONE;
    return status;
}
