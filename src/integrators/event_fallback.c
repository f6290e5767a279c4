/* integrators/event_fallback.c - where events make no progress or cannot be passed, short steps
 * with error control (adaptive.h) go on for a while.   theory (13.10), (47.1), (47.2),
 * (67.1), (67.2) */
#include "base/status.h"
#include "contact/motion.h"
#include "integrators/adaptive.h"
#include "integrators/clock.h"
#include "integrators/event_parts.h"
#include "integrators/moreau.h"
#include "integrators/moreau_parts.h"

#include <math.h>
#include <string.h>

enum {
    STEPS = 20, /* of the shortest length that error control takes: how long it is done at first  */
    GROWS = 4,  /* times longer, where it is needed again within ...                             */
    AGAIN = 10, /* ... so many times that length                                                 */
    STATES = 4  /* of a contact: with more events of each at one time some state comes back      */
};
#define SHRINKS       0.002 /* intervals between events that get shorter by this are gone through  */
#define SMALL_MACHINE 10.0  /* contacts: with more an event costs as their square  */
#define CHEAPER       4e3 /* events in the machine's time with which steps are cheaper           */
#define MOST          5e6 /* the same, or steps: minutes of computing for that time              */
#define STANDS_STILL  SP_NOISE /* s, or of the time: the clock has not moved */

/* The time in which what moves fastest goes as far as its size, s.   theory (27.1) */
static double time_of(const sp_events *e)
{
    return fmin(SP_EVENT_LONG, sp_smooth_scale(e->s));
}

/* ---- progress -------------------------------------------------------------------------------- */

/* How much a bucket holds: intervals that shrink with every event are below the tolerance then.
 * theory (31.2) */
static double capacity(const sp_events *e)
{
    return fmax(1.0, -log(e->s->tolerance)) / SHRINKS;
}

/* What an event costs against one of a machine with few contacts.   theory (47.1) */
static double cost(const sp_model *m)
{
    const double n = (double)m->n_slot / SMALL_MACHINE;
    return n > 1.0 ? n * n : 1.0;
}

/* Fill a bucket, from which time takes `rate` in the machine's time; whether it runs over.
 * theory (47.2) */
static bool fill(const sp_events *e, sp_bucket *b, double t, double rate, double more)
{
    const double level = fmax(0.0, b->level - rate * (t - b->t) / time_of(e)) + more;
    b->level = fmin(level, capacity(e));
    b->t = t;
    return level > b->level;
}

/* Whether stability and not accuracy keeps steps short: |dt lambda| near 6 (math/rk8.h). */
static bool is_stiff(const sp_events *e)
{
    return !e->s->driver && e->s->rk->stiffness > 2.0;
}

void sp_fallback_forgive(sp_events *e, double n)
{
    e->fallback.events.level = fmax(0.0, e->fallback.events.level - n * cost(e->s->m));
}

/* The first contact that slides with friction, SP_NONE if there is none. */
static int slides_roughly(const sp_events *e)
{
    const sp_smooth *s = e->s;
    for (int a = 0; a < s->closed.n; a++) {
        const int slot = s->closed.slot[a], law = s->m->slot[slot].law;
        if (law != SP_NONE && s->num->law[law].mu > 0.0 && sp_smooth_slides(s, a)) {
            return slot;
        }
    }
    return SP_NONE;
}

bool sp_fallback_is_needed(sp_events *e, const sp_state *x)
{
    sp_fallback *f = &e->fallback;
    const bool event = e->located.trigger != SP_TRIGGER_NONE;
    const bool moves = !event || x->t > f->t_event + STANDS_STILL * (1.0 + fabs(x->t));
    f->again = !moves;
    f->t_event = moves ? x->t : f->t_event;
    const double each = f->again ? capacity(e) / (STATES * (e->s->m->n_slot + 1)) : cost(e->s->m);
    const bool many = event && fill(e, &f->events, x->t, f->rate, each);
    const bool slow = fill(e, &f->steps, x->t, MOST, event ? 0.0 : 1.0) || f->failed;
    const int slot = slow ? slides_roughly(e) : SP_NONE;
    if (slot != SP_NONE) { /* to be reported */
        sp_event_set_trigger(e, e->located.trigger, slot, 0);
    }
    return many || slow;
}

/* ---- poles of forces ------------------------------------------------------------------------- */

#define NEARER 64.0 /* how much shorter the second step is                                   */
#define STEEP  16.0 /* by that much at least: as 1/s^p with p > 2/3, behind the pole         */
#define NOISE  SP_AT_REST /* of the velocities: less than this in such a step is no force */
#define RISES  4.0 /* and from there to where the motion has come                           */

/* The largest of |M^-1 h| over the size of its velocity, 1/s, in the middle of a step of dt from x;
 * NaN if there is none.  Writes frames, terms and the factor of M in w, and w->q, w->b. */
static double push(const sp_events *e, const sp_state *x, double dt)
{
    const sp_smooth *s = e->s;
    const sp_model *m = s->m;
    sp_work *w = s->w;
    sp_error err;
    double most = 0.0;
    memcpy(w->q, x->q, (size_t)m->n_q * sizeof(double));
    sp_kin_advance(m, 0.5 * dt, x->u, w->q);
    sp_motion_place(m, x->t + 0.5 * dt, &w->dyn, w->q);
    w->dyn.z = x->z;
    sp_dyn_terms(m, x->numbers, x->t + 0.5 * dt, w->q, x->u, &w->kin, &w->dyn);
    if ((m->n_motion > 0 ? sp_dyn_factor_held(m, w->held, &w->dyn, &err)
                         : sp_dyn_factor(m, &w->dyn, &err)) != SP_OK) {
        return NAN;
    }
    for (int k = 0; k < m->n_dof; k++) {
        w->b[k] = w->dyn.h[SP_CONSERVATIVE][k];
        for (int share = SP_DAMPERS; share < SP_SHARES; share++) {
            w->b[k] += w->dyn.acts[share] ? w->dyn.h[share][k] : 0.0;
        }
        w->b[k] = m->n_motion > 0 && w->held[k] ? 0.0 : w->b[k];
    }
    sp_dyn_solve_LT(m, &w->dyn, w->b);
    sp_dyn_solve_D_L(m, &w->dyn, w->b);
    for (int k = 0; k < m->n_dof; k++) {
        const double a = fabs(w->b[k]) / s->size.u[s->kind[k]];
        most = a <= most ? most : a; /* NaN stays */
    }
    return most;
}

/* Whether forces, contacts apart, grow beyond all bounds ahead of x, so that their work is without
 * bound, too: those in the middle of a step of dt and of a shorter one show it.   theory (61.3) */
static bool meets_pole(const sp_events *e, const sp_state *x, double dt)
{
    const double here = push(e, x, 0.0), near = push(e, x, dt / NEARER), far = push(e, x, dt);
    if (!isfinite(here + near + far) || far * dt > 1.0) {
        return true;
    }
    return near * dt > NOISE && near >= STEEP * far && here >= RISES * near;
}

/* Whether friction of what slides is the cause that the integrator comes no further at x, and no
 * pole of other forces. */
static bool slip_explains(const sp_events *e, const sp_state *x)
{
    return slides_roughly(e) != SP_NONE && !meets_pole(e, x, SP_ADAPTIVE_FINEST * sp_event_long(e));
}

void sp_fallback_note_failure(sp_events *e, const sp_state *x)
{
    e->fallback.failed = !e->s->driver && slip_explains(e, x);
}

/* ---- from events to steps and back ----------------------------------------------------------- */

/* Sizes so far, by the same units, and a first step as short as there are. */
static void give_sizes(const sp_smooth *s, double dt, sp_control *c)
{
    *c = (sp_control){.dt = dt};
    for (int i = 0; i < s->n_kind; i++) {
        c->size_q[i] = s->size.q[i];
        c->size_u[i] = s->size.u[i];
    }
}

/* Contacts as steps know them: closed or open; their forces are decided anew. */
static void give_contacts(sp_events *e, sp_state *x)
{
    sp_smooth *s = e->s;
    sp_work *w = s->w;
    s->closed = (sp_smooth_closed){.n = 0};
    w->con.hold = NULL; /* steps take what is nearest */
    w->con.still = false;
    if (s->m->n_pool > 0 || s->m->layout.seams) {
        sp_con_remember(s->m, x->contact, &w->con);
    }
    sp_kin_positions(s->m, s->num, x->q, &w->kin);
    sp_con_at(x->t, 0.0, x->q, x->u, &w->con);
    sp_con_gaps(s->m, s->num, &w->kin, &w->con);
    memcpy(x->g, w->con.g, (size_t)s->m->n_slot * sizeof(double));
    x->n_touched = 0;
    for (int i = 0; i < s->m->n_slot; i++) {
        sp_contact_memory *c = &x->contact[i];
        c->status = SP_STATUS_UNKNOWN;
        c->reach = sp_event_touches(e, i);
        c->lift = c->P_N = c->P_T = 0.0;
        c->active = c->crossed = c->freed = 0;
        x->n_touched += c->state != SP_STATE_OPEN;
    }
}

/* The state of contact i as steps have left it; of dry friction that slides by the bound that its
 * force is at.  Thresholds, and contacts in space, are decided anew. */
static unsigned char state_of(const sp_events *e, const sp_state *x, int i)
{
    const sp_contact_memory *c = &x->contact[i];
    const bool known = c->status == SP_SLIP_POS || c->status == SP_SLIP_NEG;
    if (c->state != SP_STATE_SLIP) {
        return c->state == SP_STATE_OPEN ? SP_OPEN : SP_STICK;
    }
    if (e->s->m->slot[i].is.dry) {
        return c->P_N > 0.0 ? SP_SLIP_NEG : SP_SLIP_POS;
    }
    return known && !sp_event_in_space(e, i) && !sp_event_is_interval(e->s, i) ? c->status
                                                                               : SP_STICK;
}

sp_status sp_fallback_begin(sp_events *e, sp_state *x, sp_error *err)
{
    sp_fallback *f = &e->fallback;
    const int slot = sp_events_slot(e);
    const double T = time_of(e);
    if (e->s->driver) {
        return SP_FAIL(err, SP_E_NOT_CONVERGED,
                       "t = %.15g s, contact '%s': events follow each other without end, and steps "
                       "across them (handover) are not supported for stiff machines; take a "
                       "smaller tolerance, method 'event', or less restitution",
                       x->t, e->s->m->slot[slot].name);
    }
    if (f->steps.level >= capacity(e) && !slip_explains(e, x)) {
        return SP_FAIL(err, SP_E_NOT_CONVERGED, "t = %.15g s: no progress in %.0f steps: %s", x->t,
                       f->steps.level,
                       is_stiff(e)
                           ? "forces are too stiff for explicit steps; take method 'stiff', "
                             "or 'moreau' with a step, or smaller stiffness and damping"
                           : "forces jump or grow beyond all bounds (limit them), or a "
                             "contact chatters over a kink of its gap; or take method "
                             "'moreau' with a step");
    }
    const bool again = x->t - f->ended <= AGAIN * f->span;
    f->span = again ? fmin(GROWS * f->span, T) : STEPS * SP_ADAPTIVE_FINEST * T;
    f->until = x->t + f->span;
    f->on = true;
    f->failed = false;
    f->error = f->steps.level = 0.0;
    f->slot = slot;
    const sp_contact_state state = sp_event_public(e, slot, e->settle.state[slot]);
    sp_event_report(e->s->w, x, SP_EVENT_HANDOVER, slot, state, state)->lasts = f->span;
    e->s->rk->dt =
        0.0; /* steps that have shrunk to nothing are no guess for what follows  (53.6) */
    give_contacts(e, x);
    give_sizes(e->s, SP_ADAPTIVE_FINEST * T, &x->control);
    return SP_OK;
}

/* The events of a step that began at t, with those that were deferred: by rising time, and none
 * before t, although a step notes a touch in the one after. */
static void put_in_order(sp_events *e, double t, double now)
{
    sp_work *w = e->s->w;
    for (int i = 0; i < w->n_event; i++) {
        w->event[i].t = fmax(w->event[i].t, t);
    }
    sp_zeno_report(e, now);
    sp_step_sort_events(w);
}

/* One plain step where contact problems of smaller ones are not solved: nor need that one be to the
 * end, and it may go across a switch of time.   theory (30.2) */
static sp_status step_plainly(sp_events *e, sp_state *x, double t_stop, sp_error *err)
{
    const sp_smooth *s = e->s;
    const sp_step_rule *moreau = sp_step_rule_of(SP_METHOD_MOREAU);
    sp_step_rule lenient = *moreau;
    const bool at_switch = t_stop >= sp_clocks_next(s->w->clocks, x->t).left;
    const double end = at_switch ? e->until : t_stop;
    const double t = fmin(x->t + e->fallback.span / STEPS, end);
    lenient.effort = SP_EFFORT_LENIENT;
    lenient.implicit = false;
    SP_TRY(sp_moreau_solve(s->m, x, s->w, &lenient, t - x->t, err));
    SP_TRY(sp_moreau_finish(s->m, x, s->w, moreau, t - x->t, err));
    x->t = t;
    return SP_OK;
}

sp_status sp_fallback_step(sp_events *e, sp_state *x, double t_stop, sp_error *err)
{
    sp_fallback *f = &e->fallback;
    sp_smooth *s = e->s;
    sp_adaptive_taken taken = {.error = INFINITY};
    const double t = x->t, before = f->error, tolerance = s->tolerance;
    const double finest = fmax(tolerance, SP_SMOOTH_STANDARD);
    s->w->con.kink = NULL; /* steps take sides as they are */
    sp_status status = isinf(f->error)
                           ? SP_E_NOT_CONVERGED /* as the step before */
                           : sp_adaptive_step(s->m, x, s->w, finest, t_stop, &taken, err);
    if (status == SP_E_NOT_CONVERGED || status == SP_E_INFEASIBLE) {
        status = step_plainly(e, x, t_stop, err);
        taken.error = INFINITY;
    }
    SP_TRY(status);
    const bool foreign = taken.impact && (s->m->impact.poisson || s->m->impact.scale_gain);
    f->error += foreign ? INFINITY : taken.error; /* steps have Newton's law of impacts */
    if (f->error > tolerance && !(before > tolerance)) {
        sp_work_doubt(s->w, SP_DOUBT_HANDOVER, x->t, f->error / tolerance,
                      s->m->slot[f->slot].name);
    }
    fill(e, &f->events, x->t, f->rate, s->w->n_event * cost(s->m));
    put_in_order(e, t, x->t);
    return SP_OK;
}

sp_status sp_fallback_end(sp_events *e, sp_state *x, sp_error *err)
{
    const sp_smooth *s = e->s;
    e->fallback.on = false;
    e->fallback.ended = e->fallback.steps.t = x->t;
    if (s->m->n_pool > 0) {
        sp_con_remember(s->m, x->contact, &s->w->con);
    }
    sp_step_pass_seams(s->m, x, s->w);
    for (int i = 0; i < s->m->n_slot; i++) {
        sp_settle_forget(e, i, state_of(e, x, i));
        sp_zeno_forget(e, i);
    }
    sp_event_forget_prediction(e); /* what was predicted before is outdated */
    sp_event_set_trigger(e, SP_TRIGGER_TOUCH, SP_NONE, 0);
    return sp_event_resolve(e, x, err);
}

void sp_fallback_prepare(sp_events *e, double t, bool cheap)
{
    e->fallback = (sp_fallback){.ended = -INFINITY,
                                .t_event = t,
                                .events.t = t,
                                .steps.t = t,
                                .rate = cheap ? CHEAPER : MOST};
}
