/* integrators/event_dense.c - how densely events come, and the way from events to adaptive steps.
 *
 * A bucket holds one for every event and leaks with time; where it runs over, events come more
 * densely than adaptive steps look at them, however long that lasts.   theory (47.1)-(47.4) */
#include "base/status.h"
#include "integrators/event_parts.h"

#define SHRINKS 0.01 /* intervals between events that get shorter by this are gone through */
#define PAYS    4e3  /* events in the machine's time that are cheap, if contacts are few     */
#define SMALL_MACHINE                                                                              \
    10.0              /* contacts: with more an event costs as their square                   */
#define PATIENCE 5.0  /* budgets of changes that are gone through before, if contacts are few */
#define PART     1e-2 /* of the machine's time: how long forces are taken to last            */

/* How many events may come without a pause: intervals that shrink by a hundredth with every event
 * are below the tolerance then.   theory (31.2) */
static double budget(double tolerance)
{
    return fmax(1.0, -log(tolerance)) / SHRINKS;
}

/* What an event costs against one of a machine with few contacts.   theory (47.1) */
static double weight(const sp_model *m)
{
    const double n = (double)m->n_slot / SMALL_MACHINE;
    return n > 1.0 ? n * n : 1.0;
}

/* With how many events in the machine's time steps are cheaper than going from event to event.
 * theory (47.1) */
static double pays(const sp_model *m)
{
    return PAYS / weight(m);
}

/* The time in which what moves fastest goes as far as its size, s.   theory (27.1), (31.1) */
static double scale_of(const sp_events *e)
{
    return fmin(SP_EVENT_LONG, sp_smooth_scale(e->s));
}

void sp_event_dense_count(sp_events *e, const sp_state *x)
{
    sp_dense *d = &e->dense;
    d->level = fmax(0.0, d->level - pays(e->s->m) * (x->t - d->last) / scale_of(e));
    d->last = x->t;
    if (d->level == 0.0) {
        d->since = x->t;
        d->n = 0.0;
    }
    d->level += 1.0;
    d->n += 1.0;
}

void sp_event_dense_forgive(sp_events *e, int slot)
{
    e->dense.level = fmax(0.0, e->dense.level - e->hops[slot].row);
    e->hops[slot].row = 0.0;
}

/* What the bucket holds: what adaptive steps take to find out that changes come without a pause, in
 * events; an accumulation at least.   theory (47.2) */
static double capacity(const sp_events *e, double tolerance)
{
    return budget(tolerance) * fmax(1.0, PATIENCE / weight(e->s->m));
}

bool sp_events_dense(const sp_events *e, double tolerance, double *rate)
{
    const sp_dense *d = &e->dense;
    const double lasts = d->last - d->since;
    *rate = lasts > 0.0 ? d->n / lasts : INFINITY;
    return d->level > capacity(e, tolerance) && e->over_left == 0 && e->n_late == 0;
}

/* What step control goes on with: sizes so far, by the same units. */
static void hand_sizes(const sp_smooth *s, double dt, sp_control *c)
{
    _Static_assert((int)SP_KINDS == (int)SP_CONTROL_KINDS, "units are sorted alike");
    *c = (sp_control){.dt_last = dt};
    for (int i = 0; i < s->n_kind; i++) {
        c->size_q[i] = s->size.q[i];
        c->size_u[i] = s->size.u[i];
    }
}

sp_status sp_events_leave(sp_events *e, sp_state *x, double tolerance, sp_error *err)
{
    const double dt = PART * scale_of(e);
    SP_TRY(sp_events_forces(e, x, dt, err));
    sp_event_to_steps(e, x);
    hand_sizes(e->s, dt, &x->control);
    x->control.t_change = x->t;
    x->control.pause = scale_of(e) * budget(tolerance) / pays(e->s->m);
    return SP_OK;
}
