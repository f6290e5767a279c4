/* integrators/event_locate.c - the first event of a step, and landing on it.
 *
 * Indicators along a step are functions of one variable: they are interpolated at a few nodes of
 * its polynomial, and the interpolation is searched (math/cheb.h).  Gaps need positions alone, so
 * that they cost no evaluation of forces; what closed contacts are watched for does.
 * theory (13.2), (65.1)-(65.9) */
#include "base/status.h"
#include "contact/rule.h"
#include "integrators/event_parts.h"
#include "integrators/swept.h"
#include "math/cheb.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    GAP_DEGREE = SP_EVENT_NODES - 1, /* of the interpolation of gaps, ways and one-way rows      */
    FORCE_DEGREE = 4,                /* of what needs accelerations, at every second node         */
    NOISE_BITS = 4, /* round-offs of a machine's length, or its turns: so wrong are gaps (65.1) */
    LANDINGS = 8,   /* times that a step which ended beside its event is looked through again    */
    LATE = 12       /* times that a step is where an event was found late   (44.2)               */
};
#define NEAR                                                                                       \
    0x1p-30 /* of a step: so near its polynomial places an event, before it is landed on           \
             */
#define STILL   SP_TINY /* of its extent: a gap within this of zero stays as it is              */
#define CLEARLY 1e-6    /* of its size: so far below zero an indicator is looked at ahead      */
#define CLEAR   CLEARLY /* and at least so far                                                  */
#define IN_ERROR                                                                                   \
    10.0               /* times the error of a step of an integrator for stiff machines: a gap     \
                          so far below zero is closed                                          */
#define RISES SP_NOISE /* of velocities: slip that starts at zero has risen above this         */
#define ZERO  SP_TINY  /* of its size: an indicator so small is landed on                      */

/* The first event of a step. */
typedef struct found_event {
    sp_trigger kind;
    int slot;
    double t;
    int which;       /* of the indicators of the slot                      */
    double slope;    /* of it there                                        */
    double t_beyond; /* a time after t at which the indicator is negative ... */
    double beyond;   /* ... this much                                      */
    double size;     /* of the indicator in the step                       */
} found_event;

/* One indicator as a function of time. */
typedef struct indicator {
    sp_events *e;
    int slot, which;
    bool forces;  /* it needs accelerations                                                 */
    double slope; /* of a falling one near its root, for landing                            */
    double value; /* of it where it was nearest to its root in time, ...                    */
    double off;   /* ... and how far that is from there, s; 0: it was not asked for landing */
} indicator;

/* ---- indicators along a step ----------------------------------------------------------------- */

/* All indicators, or those that need no accelerations (of one slot, or SP_NONE: of all), at t on
 * the polynomial of the last step, or on its cubic. */
static sp_status evaluate(sp_events *e, double t, bool forces, int slot, sp_error *err)
{
    sp_smooth *s = e->s;
    if (e->located.by_cubic) {
        sp_rk8_cubic(s->rk, fmin(t, s->t), s->work, s->y);
    } else {
        SP_TRY(sp_smooth_dense(s, t, s->work, s->y, err));
    }
    return forces ? sp_event_evaluate(e, t, s->y, err)
                  : sp_event_evaluate_positions(e, t, s->y, slot, err);
}

static sp_status value_at(void *ctx, double t, double *g, sp_error *err)
{
    const indicator *q = ctx;
    SP_TRY(evaluate(q->e, t, q->forces, q->slot, err));
    *g = q->e->indicator.node[q->slot][q->which];
    return SP_OK;
}

/* Keep the value that is nearest to the root: it is there that sp_smooth_land ends the step. */
static void note_landing(indicator *q, double value, double rate)
{
    const double off = -value / rate;
    if (q->off == 0.0 || fabs(off) < fabs(q->off)) {
        q->value = value;
        q->off = off;
    }
}

/* The same for landing: a gap, or the way of a preload, at a state. */
static sp_status gap_at(void *ctx, double t, const double *y, const double *dydt, double *g,
                        double *g_rate, sp_error *err)
{
    indicator *q = ctx;
    sp_smooth *s = q->e->s;
    sp_work *w = s->w;
    double gamma[3];
    (void)dydt;
    sp_kin_positions(s->m, s->num, y + s->q, &w->kin);
    sp_kin_velocities(s->m, y + s->u, &w->kin);
    sp_con_at(t, 1.0, y + s->q, y + s->u, &w->con);
    sp_con_search_gaps(s->m, s->num, &w->kin, SP_NONE, &w->con);
    sp_con_slot_gamma(s->m, s->num, &s->w->con, q->slot, gamma);
    *g = sp_event_gap(q->e, q->slot, gamma[0], g_rate);
    note_landing(q, *g, *g_rate);
    return isnan(*g) || isnan(*g_rate)
               ? SP_FAIL(err, SP_E_NONFINITE, "t = %.15g s, contact '%s': its gap is not a number",
                         t, s->m->slot[q->slot].name)
               : SP_OK;
}

/* Landing on the root of any other indicator: its value at a state, its slope as it was found. */
static sp_status fall_at(void *ctx, double t, const double *y, const double *dydt, double *g,
                         double *g_rate, sp_error *err)
{
    indicator *q = ctx;
    (void)dydt;
    SP_TRY(sp_event_evaluate(q->e, t, y, err));
    *g = q->e->indicator.node[q->slot][q->which];
    *g_rate = q->slope;
    note_landing(q, *g, *g_rate);
    return SP_OK;
}

/* ---- the first event of a step --------------------------------------------------------------- */

static double sample_of(const sp_events *e, int node, int slot, int which)
{
    const size_t n = (size_t)e->s->m->n_slot + 1;
    return e->located.sample[((size_t)node * n + (size_t)slot) * SP_INDICATORS + (size_t)which];
}

double sp_event_gap_noise(const sp_events *e, int slot)
{
    const double arms = fmax(sp_smooth_length(e->s), e->s->extent * e->s->size.turn);
    return NOISE_BITS * DBL_EPSILON * fmax(arms, e->indicator.terms[slot]);
}

/* How far off gaps of an integrator for stiff machines may be, m; those of others are exact. */
static double error_of(const sp_events *e)
{
    return e->s->driver ? IN_ERROR * e->s->tolerance * sp_smooth_length(e->s) : 0.0;
}

/* What of an indicator is no more than round-off; *depth: how far beyond it must come below. */
static double noise_of(const sp_events *e, sp_trigger kind, int slot, bool gap, double size,
                       double *depth)
{
    const bool speed = kind == SP_TRIGGER_SLIP_ENDS || (kind == SP_TRIGGER_TOUCH && !gap);
    *depth = gap ? error_of(e) : 0.0;
    return gap     ? sp_event_gap_noise(e, slot)
           : speed ? fmax(RISES * e->impact.size, DBL_EPSILON * size)
                   : fmax(SP_NO_FORCE, DBL_EPSILON * size);
}

/* A time after t at which the indicator is below zero by a sample, if there is one. */
static void note_beyond(const sp_events *e, const double *t, const indicator *q, found_event *found)
{
    const int stride = q->forces ? GAP_DEGREE / FORCE_DEGREE : 1;
    for (int k = GAP_DEGREE; k > 0 && t[k] > found->t; k -= stride) {
        const double value = sample_of(e, k, q->slot, q->which);
        if (value < 0.0) {
            found->t_beyond = t[k];
            found->beyond = value;
        }
    }
}

/* When an indicator falls through zero; one that begins at zero must rise first, or falls at once.
 * gap: a gap or a way.   theory (65.6) */
static sp_status find_fall(sp_events *e, const double *t, int slot, int which, sp_trigger kind,
                           found_event *first, sp_error *err)
{
    const bool open = kind == SP_TRIGGER_TOUCH;
    const bool gap = open && !(slot < e->s->m->n_slot && e->s->m->slot[slot].is.one_way);
    const int n = open ? GAP_DEGREE : FORCE_DEGREE, stride = GAP_DEGREE / n;
    indicator q = {.e = e, .slot = slot, .which = which, .forces = !open};
    double value[SP_EVENT_NODES], size = 0.0, depth;
    for (int k = 0; k <= n; k++) {
        value[k] = sample_of(e, k * stride, slot, which);
        size = isfinite(value[k]) ? fmax(size, fabs(value[k])) : size;
    }
    for (int k = 0; k <= n; k++) { /* nothing is near */
        value[k] = value[k] < INFINITY ? value[k] : 2.0 * size + 1.0;
    }
    if (gap && size <= STILL * sp_event_extent(e, slot)) {
        return SP_OK;
    }
    if (gap && value[0] < 0.0) { /* by more than round-off: at once */
        *first = (found_event){.kind = kind, .slot = slot, .t = t[0]};
        return SP_OK;
    }
    sp_cheb_search search = {.g = value_at,
                             .ctx = &q,
                             .n = n,
                             .a = t[0],
                             .b = t[GAP_DEGREE],
                             .t_near = NEAR * (t[GAP_DEGREE] - t[0]),
                             .t_last = first->t};
    sp_fall fall;
    search.noise = noise_of(e, kind, slot, gap, size, &depth);
    search.depth = depth;
    search.rough = gap ? fmax(sp_event_touches(e, slot), search.noise) : search.noise;
    SP_TRY(sp_cheb_first_fall(&search, value, &fall, err));
    if (fall.found && fall.t < first->t) {
        *first =
            (found_event){kind, slot, fall.t, which, fall.slope, fall.t_below, fall.below, size};
        note_beyond(e, t, &q, first);
    }
    return SP_OK;
}

/* What ends the state of a group of friction in space. */
static sp_trigger end_of_group(const sp_events *e, int slot, int group)
{
    const bool slides = (sp_sliding(e->settle.state[slot]) >> group) & 1;
    return !slides                               ? SP_TRIGGER_BREAK_AWAY
           : (e->s->starting[slot] >> group) & 1 ? SP_TRIGGER_SLIP_FREE
                                                 : SP_TRIGGER_SLIP_ENDS;
}

/* When a closed contact comes to the end of the edge or face that it is on. */
static sp_status find_edge(sp_events *e, const double *t, int slot, found_event *first,
                           sp_error *err)
{
    return e->settle.hold[slot] > 0
               ? find_fall(e, t, slot, SP_RATE, SP_TRIGGER_EDGE_ENDS, first, err)
               : SP_OK;
}

/* Whether slot i is watched for touching: its indicator needs positions alone. */
static bool may_touch(const sp_events *e, int i)
{
    return e->settle.state[i] == SP_OPEN ||
           (e->s->m->slot[i].is.stores && e->settle.state[i] != SP_STICK);
}

/* The first event of slot i; clear: it does not come to touch. */
static sp_status find_of(sp_events *e, const double *t, int i, bool clear, found_event *first,
                         sp_error *err)
{
    const unsigned char state = e->settle.state[i];
    if (may_touch(e, i)) {
        return clear ? SP_OK : find_fall(e, t, i, SP_MAIN, SP_TRIGGER_TOUCH, first, err);
    }
    SP_TRY(find_fall(e, t, i, SP_MAIN, SP_TRIGGER_LIFT_OFF, first, err));
    if (sp_event_in_space(e, i)) {
        SP_TRY(find_fall(e, t, i, SP_SECOND, end_of_group(e, i, 0), first, err));
        SP_TRY(find_fall(e, t, i, SP_THIRD, end_of_group(e, i, 1), first, err));
        return find_edge(e, t, i, first, err);
    }
    SP_TRY(find_edge(e, t, i, first, err));
    return find_fall(e, t, i, SP_SECOND,
                     state == SP_STICK ? SP_TRIGGER_BREAK_AWAY : SP_TRIGGER_SLIP_ENDS, first, err);
}

/* Where forces end a state, the states that follow are those right after: there the problem of
 * accelerations has nothing to decide by round-off.   theory (13.7) */
static sp_status predict_behind(sp_events *e, const found_event *first, sp_error *err)
{
    const double way = first->t_beyond - first->t;
    const double wanted = fmax(CLEARLY * first->size, CLEAR);
    const double part = -first->beyond > wanted ? wanted / -first->beyond : 1.0;
    return sp_event_predict(e, first->t + part * way, err);
}

/* Indicators at node k of the step, into e->located.sample; those of closed contacts at every
 * second one.
 */
static sp_status sample_at(sp_events *e, double t, int k, sp_error *err)
{
    const sp_smooth *s = e->s;
    const size_t n = (size_t)s->m->n_slot + 1;
    const bool forces = s->closed.n > 0 && k % (GAP_DEGREE / FORCE_DEGREE) == 0;
    SP_TRY(evaluate(e, t, forces, SP_NONE, err));
    if (k == 0) {
        sp_event_note_insets(e);
        SP_TRY(s->m->n_pool > 0 ? evaluate(e, t, forces, SP_NONE, err) : SP_OK);
        sp_event_note_depths(e, error_of(e));
    }
    memcpy(e->located.sample + (size_t)k * n * SP_INDICATORS, e->indicator.node,
           n * sizeof *e->indicator.node);
    return SP_OK;
}

/* Whether every second node shows that no slot comes to touch in the step, all of them staying
 * farther away than they move; off: of gaps at the nodes.   theory (68.2) */
static bool is_all_clear(const sp_events *e, const double *t, double off)
{
    bool clear = true;
    for (int i = 0; i < e->s->m->n_slot && clear; i++) {
        double value[FORCE_DEGREE + 1];
        for (int k = 0; k <= FORCE_DEGREE; k++) {
            value[k] = sample_of(e, 2 * k, i, SP_MAIN);
        }
        const double noise = sp_event_gap_noise(e, i);
        const sp_cheb p = sp_cheb_fit(FORCE_DEGREE, t[0], t[GAP_DEGREE], value, noise);
        clear = !may_touch(e, i) || sp_cheb_lowest(&p, 2.0) > p.rest + noise + off;
    }
    return clear;
}

/* The same at the nodes t of the step up to t_end; *clear: nothing touches, and every second one
 * was enough to tell. */
static sp_status sample(sp_events *e, double t_end, double *t, bool *clear, sp_error *err)
{
    for (int k = 0; k <= GAP_DEGREE; k++) {
        t[k] = sp_cheb_point(GAP_DEGREE, e->s->t_old, t_end, k);
    }
    for (int k = 0; k <= GAP_DEGREE; k += 2) {
        const bool first = e->s->accel_scale == 0.0 && k > 0;
        SP_TRY(sample_at(e, t[k], k, err));
        k = first && e->s->accel_scale > 0.0 ? -2 : k; /* one scale for all nodes of a step */
    }
    *clear = is_all_clear(e, t, 0.0);
    for (int k = 1; k < GAP_DEGREE && !*clear; k += 2) {
        SP_TRY(sample_at(e, t[k], k, err));
    }
    return SP_OK;
}

/* Whether, at the event that was found, a force of what rests is beyond its limit already: it may
 * have got there between two samples of a step in which little moves.   theory (44.2) */
static sp_status is_late(sp_events *e, const found_event *first, bool *late, sp_error *err)
{
    *late = false;
    if (first->kind == SP_TRIGGER_NONE || e->s->closed.n == 0 || !(first->t > e->s->t_old)) {
        return SP_OK;
    }
    SP_TRY(evaluate(e, first->t, true, SP_NONE, err));
    for (int i = 0; i < e->s->m->n_slot; i++) {
        *late = *late || (i != first->slot && e->settle.state[i] == SP_STICK &&
                          fmin(e->indicator.node[i][SP_MAIN], e->indicator.node[i][SP_SECOND]) <
                              -SP_NO_FORCE);
    }
    return SP_OK;
}

/* Every second node, the end of the step last, as long as no gap is off or less. */
static sp_status sample_wide(sp_events *e, double off, double *t, bool *wide, sp_error *err)
{
    static const int order[] = {0, 4, 2, 6, GAP_DEGREE};
    enum { N = sizeof order / sizeof *order };
    *wide = true;
    for (int k = 0; k < N && *wide; k++) {
        t[order[k]] = sp_cheb_point(GAP_DEGREE, e->s->t_old, e->s->t, order[k]);
        SP_TRY(sample_at(e, t[order[k]], order[k], err));
        for (int i = 0; i < e->s->m->n_slot; i++) {
            *wide = *wide && e->indicator.node[i][SP_MAIN] > off;
        }
    }
    return SP_OK;
}

/* Whether nothing comes to touch in the step, all gaps staying wider than the cubic through both of
 * its ends may be off: the step is not looked into then.   theory (68.4) */
static sp_status look_from_ends(sp_events *e, bool *clear, sp_error *err)
{
    const sp_model *m = e->s->m;
    struct sp_swept *swept;
    double t[SP_EVENT_NODES];
    SP_TRY(sp_swept_of(m, e->s->w, &swept, err));
    const bool known = !swept && m->n_pool + m->n_kink + m->layout.n_rule_slot == 0;
    const double off = known ? sp_smooth_cubic_error(e->s) : INFINITY;
    *clear = off < INFINITY;
    if (*clear) {
        e->located.by_cubic = true;
        const sp_status status = sample_wide(e, off, t, clear, err);
        e->located.by_cubic = false;
        SP_TRY(status);
        *clear = *clear && is_all_clear(e, t, off);
    }
    return SP_OK;
}

/* The first event inside the step that sp_smooth_advance took. */
static sp_status find(sp_events *e, found_event *first, sp_error *err)
{
    sp_smooth *s = e->s;
    const int n = s->m->n_slot;
    double t[SP_EVENT_NODES], t_end = s->t;
    bool late = true, clear;
    *first = (found_event){.kind = SP_TRIGGER_NONE, .slot = SP_NONE, .t = INFINITY};
    sp_event_forget_prediction(e);
    sp_event_forget_depths(e);
    SP_TRY(look_from_ends(e, &e->located.unseen, err));
    if (e->located.unseen) {
        return SP_OK;
    }
    sp_event_forget_depths(e);
    s->accel_scale = 0.0; /* the first look finds it */
    SP_TRY(sp_smooth_prepare(s, err));
    for (int pass = 0; late && pass < LATE; pass++, t_end = first->t) {
        SP_TRY(sample(e, t_end, t, &clear, err));
        for (int i = 0; i < n; i++) {
            SP_TRY(find_of(e, t, i, clear, first, err));
        }
        if (s->closed.n > 0) {
            SP_TRY(find_fall(e, t, n, SP_MAIN, SP_TRIGGER_SHARED, first, err));
        }
        SP_TRY(is_late(e, first, &late, err));
        late = late && first->t < t_end; /* else it is not to be had any nearer */
    }
    if (first->kind == SP_TRIGGER_LIFT_OFF || first->kind == SP_TRIGGER_BREAK_AWAY ||
        first->kind == SP_TRIGGER_SHARED) {
        return predict_behind(e, first, err);
    }
    return SP_OK;
}

/* End the step at the event that was found; *beside: the indicator there, 0 if that is its root.
 * theory (30.1) */
static sp_status land(sp_events *e, const found_event *first, double *beside, sp_error *err)
{
    sp_smooth *s = e->s;
    indicator q = {.e = e, .slot = first->slot, .which = first->which, .slope = first->slope};
    const double t_tol = 0.1 * SP_EXACT * (1.0 + fabs(first->t));
    const bool gap = first->kind == SP_TRIGGER_TOUCH && !s->m->slot[first->slot].is.one_way;
    *beside = 0.0;
    if (!gap && !(first->slope < 0.0)) {
        return sp_smooth_cut(s, first->t, err);
    }
    SP_TRY(sp_smooth_land(s, gap ? gap_at : fall_at, &q, first->t, t_tol, err));
    const double zero = gap ? STILL * sp_event_extent(e, first->slot) : ZERO * first->size;
    if (!s->driver && s->t > s->t_old && fabs(q.off) > SP_IN_TIME * (1.0 + fabs(s->t)) &&
        fabs(q.value) > zero && !sp_event_is_slip_done(e)) {
        *beside = q.value;
    }
    return SP_OK;
}

/* The first event of the step, also of what got its slot because it was missed, all of it before
 * that being proven; else the step ends where it is no more.  Slots are not taken back meanwhile,
 * so that there is an end to it: none is left, at last.   theory (66.24) */
static sp_status find_all(sp_events *e, found_event *first, sp_error *err)
{
    bool missed = true;
    while (missed) {
        SP_TRY(find(e, first, err));
        const double end = fmin(first->t, e->s->t);
        double until = end;
        SP_TRY(sp_event_find_missed(e, end, &missed, err));
        SP_TRY(missed ? SP_OK : sp_swept_prove(e->s, &until, err));
        if (until < end) {
            SP_TRY(sp_smooth_cut(e->s, until, err));
            missed = true;
        }
    }
    return SP_OK;
}

sp_status sp_event_land(sp_events *e, sp_error *err)
{
    double beside = -1.0;
    for (int pass = 0; beside < 0.0 && pass < LANDINGS; pass++) {
        found_event first;
        SP_TRY(find_all(e, &first, err));
        sp_event_set_trigger(e, first.kind, first.slot, first.which == SP_THIRD);
        if (first.kind == SP_TRIGGER_NONE) {
            return SP_OK;
        }
        SP_TRY(land(e, &first, &beside, err));
        SP_TRY(sp_event_end_slip(e, &beside, err));
    }
    SP_TRY(sp_event_end_before(e, &beside, err));
    if (beside > 0.0) { /* the event is still to come */
        sp_event_set_trigger(e, SP_TRIGGER_NONE, SP_NONE, 0);
        sp_event_forget_prediction(e);
    }
    return SP_OK;
}

void sp_event_set_trigger(sp_events *e, sp_trigger trigger, int slot, int group)
{
    e->located.trigger = trigger;
    e->located.slot = slot;
    e->located.group = group;
}
