/* integrators/event_find.c - the first event of a step, and landing on it. */
#include "base/status.h"
#include "contact/rule.h"
#include "integrators/event_parts.h"
#include "math/root.h"

#include <math.h>
#include <string.h>

#define GRAZES  1e-14 /* a gap whose least is within this of zero touches, m                */
#define TOUCHED 1e-12 /* a gap that stays within this of zero stays as it is, m             */
#define CLEARLY 1e-6  /* of its size: so far below zero an indicator is looked at ahead     */
#define CLEAR   1e-6  /* and at least so far                                                */
#define IN_ERROR                                                                                   \
    10.0 /* times the error of a step of an integrator for stiff machines: a gap so                \
            far below zero is closed                                           */
#define RISES       1e-13 /* of its size: an indicator that starts at zero has risen above this */
#define WELL_INSIDE 10.0  /* times the tolerance of places: a contact so far inside its features */
enum { CLOSER = 12 };     /* times an eighth of a step: so near its start a rise is looked for */
enum { LANDINGS = 8 }; /* times that a step which ended beside its event is looked through again */
enum { LATE = 12 };    /* times that a step is where an event was found late   (44.2)          */
#define NEAREST 1e-14  /* of times: so near its start a gap is looked at                     */
#define ZERO    1e-12  /* of its size: or until the indicator is so small                     */
enum { PASSED = 64 };  /* grazings of a step that are passed                                 */
enum { MANY = 64 };    /* places of a step at which a gap is looked at that no search can judge */

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

/* ---- indicators along a step ------------------------------------------------------------------
 */

/* The same at t on the polynomial of the last step. */
static sp_status look(sp_events *e, double t, sp_error *err)
{
    SP_TRY(sp_smooth_dense(e->s, t, e->s->y, err));
    return sp_event_look_at(e, t, e->s->y, err);
}

/* One indicator as a function of time. */
typedef struct question {
    sp_events *e;
    int slot, which;
    double slope; /* of a falling one near its root, for landing                            */
    double value; /* of it where it was nearest to its root in time, ...                    */
    double off;   /* ... and how far that is from there, s; 0: it was not asked for landing */
} question;

static sp_status ask(void *ctx, double t, double *g, double *rate, sp_error *err)
{
    const question *q = ctx;
    SP_TRY(look(q->e, t, err));
    *g = q->e->node[q->slot][q->which];
    if (rate) {
        *rate = q->e->node[q->slot][SP_RATE];
    }
    return SP_OK;
}

/* Keep the value that is nearest to the root: it is there that sp_smooth_land ends the step. */
static void note_landing(question *q, double value, double rate)
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
    question *q = ctx;
    sp_smooth *s = q->e->s;
    sp_work *w = s->w;
    const unsigned char state = q->e->state[q->slot];
    double gamma[3];
    (void)dydt;
    sp_kin_positions(s->m, s->num, y + s->q, &w->kin);
    sp_kin_velocities(s->m, y + s->u, &w->kin);
    sp_con_at(t, 1.0, y + s->q, y + s->u, &w->con);
    sp_con_gaps(s->m, s->num, &w->kin, &w->con);
    sp_con_slot_gamma(s->m, s->num, &s->w->con, q->slot, gamma);
    *g = sp_event_open_gap(q->e, q->slot, gamma[0], g_rate);
    if (s->m->slot[q->slot].is.stores) {
        *g = sp_event_along(state, sp_rule_gap(s->m, s->num, &w->con, q->slot)) -
             q->e->below[q->slot];
        *g_rate = sp_event_along(state, gamma[0]);
    }
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
    question *q = ctx;
    (void)dydt;
    SP_TRY(sp_event_look_at(q->e, t, y, err));
    *g = q->e->node[q->slot][q->which];
    *g_rate = q->slope;
    note_landing(q, *g, *g_rate);
    return SP_OK;
}

/* ---- the first event of a step ----------------------------------------------------------------
 */

static double sample_of(const sp_events *e, int node, int slot, int which)
{
    const size_t n = (size_t)e->s->m->n_slot + 1;
    return e->sample[((size_t)node * n + (size_t)slot) * SP_INDICATORS + (size_t)which];
}

/* An indicator that starts at zero and is below it at the next node: where it was above in between,
 * if anywhere; from[0] and high are that place and value, high = 0: it falls at once. */
static sp_status find_rise(question *q, double size, double *from, double *high, sp_error *err)
{
    const double start = from[0];
    double way = from[1] - start;
    *high = 0.0;
    for (int i = 0; i < CLOSER && !(*high > 0.0); i++) {
        double value;
        way *= 0.125;
        SP_TRY(ask(q, start + way, &value, NULL, err));
        if (value > RISES * size) {
            from[0] = start + way;
            *high = value;
        }
    }
    return SP_OK;
}

/* The root of an indicator between two times with values a > 0 > b, if it is the first of all. */
static sp_status take_root(question *q, const double *t, double a, double b, found_event *first,
                           sp_error *err)
{
    sp_root_bracket bracket = {t[0], t[1], a, b, 0};
    SP_TRY(sp_root_shrink(&bracket, ask, q, 1e-15 * (1.0 + fabs(t[0])), err));
    const double root = sp_root_of(&bracket);
    if (root < first->t) {
        const double back = 1e-3 * (root - t[0]);
        double before = 0.0;
        if (back > 0.0) {
            SP_TRY(ask(q, root - back, &before, NULL, err));
        }
        first->t = root;
        first->slope = back > 0.0 ? -before / back : 0.0;
        first->kind = SP_TRIGGER_NONE; /* the caller says */
    }
    return SP_OK;
}

/* When an indicator of a closed contact falls through zero; one that begins at zero must rise
 * first. */
static sp_status find_fall(sp_events *e, const double *t, int slot, int which, sp_trigger kind,
                           found_event *first, sp_error *err)
{
    const bool one_way = slot < e->s->m->n_slot && e->s->m->slot[slot].is.one_way;
    const bool gap = kind == SP_TRIGGER_TOUCH && !one_way;
    const bool speed = kind == SP_TRIGGER_TOUCH || kind == SP_TRIGGER_SLIP_ENDS;
    const double noise = gap     ? IN_ERROR * e->s->tolerance * sp_smooth_length(e->s)
                         : speed ? RISES * e->size
                                 : SP_NO_FORCE;
    double size = 0.0;
    for (int k = 0; k < SP_EVENT_NODES; k++) {
        size = fmax(size, fabs(sample_of(e, k, slot, which)));
    }
    for (int k = 1; k < SP_EVENT_NODES; k++) {
        const double a = sample_of(e, k - 1, slot, which), b = sample_of(e, k, slot, which);
        if (!(b < -noise) || t[k - 1] >= first->t) {
            continue;
        }
        found_event mine = {.t = first->t};
        question q = {.e = e, .slot = slot, .which = which};
        double from[2] = {t[k - 1], t[k]}, high = a;
        if (k == 1 && !(a > 10.0 * RISES * size)) {
            SP_TRY(find_rise(&q, size, from, &high, err));
        }
        if (high > 0.0) {
            SP_TRY(take_root(&q, from, high, b, &mine, err));
        } else {
            mine.t = t[k - 1]; /* at once */
        }
        if (mine.t < first->t) {
            *first = (found_event){kind, slot, mine.t, which, mine.slope, t[k], b, size};
        }
        return SP_OK;
    }
    return SP_OK;
}

/* What ends the state of a group of friction in space. */
static sp_trigger end_of_group(const sp_events *e, int slot, int group)
{
    const bool slides = (sp_sliding(e->state[slot]) >> group) & 1;
    return !slides                             ? SP_TRIGGER_BREAK_AWAY
           : (e->s->rising[slot] >> group) & 1 ? SP_TRIGGER_RISES
                                               : SP_TRIGGER_SLIP_ENDS;
}

/* The same where no search ends, because the polynomial is rough about a gap that stays at zero:
 * one that all the same goes further below than what counts as closed is met at one of many places.
 */
static sp_status find_among_many(question *q, const double *t, found_event *first, sp_error *err)
{
    double from[2] = {t[0], t[0]}, high = sample_of(q->e, 0, q->slot, SP_MAIN);
    for (int k = 1; k <= MANY; k++) {
        double g;
        from[1] =
            k < MANY ? t[0] + (t[SP_EVENT_NODES - 1] - t[0]) * k / MANY : t[SP_EVENT_NODES - 1];
        SP_TRY(ask(q, from[1], &g, NULL, err));
        if (g < -SP_TOUCHES) {
            found_event mine = {.t = from[0]};
            if (high > 0.0) {
                mine.t = INFINITY;
                SP_TRY(take_root(q, from, high, g, &mine, err));
            }
            if (mine.t < first->t) {
                *first = (found_event){.kind = SP_TRIGGER_TOUCH, .slot = q->slot, .t = mine.t};
            }
            return SP_OK;
        }
        if (g > 0.0) {
            from[0] = from[1];
            high = g;
        }
    }
    return SP_OK;
}

/* The gap at the n nodes of a step; where it begins at zero and is open then also at times ever
 * closer to its beginning: it may have been closed in between.   theory (54.6) */
static sp_status sample_gap(question *q, const double *t, sp_root_sample *node, int *n,
                            sp_error *err)
{
    const sp_events *e = q->e;
    const bool opens = sample_of(e, 0, q->slot, SP_MAIN) <= GRAZES &&
                       sample_of(e, 1, q->slot, SP_MAIN) > 0.0; /* or so it seems */
    *n = 0;
    for (int k = 0; k < SP_EVENT_NODES; k++) {
        node[(*n)++] = (sp_root_sample){t[k], sample_of(e, k, q->slot, SP_MAIN),
                                        sample_of(e, k, q->slot, SP_RATE)};
        for (int i = CLOSER; i > 0 && k == 0 && opens; i--) {
            sp_root_sample *at = &node[*n];
            at->t = t[0] + ldexp(t[1] - t[0], -3 * i);
            if (at->t > t[0] + NEAREST * (1.0 + fabs(t[0]))) {
                SP_TRY(ask(q, at->t, &at->g, &at->rate, err));
                (*n)++;
            }
        }
    }
    return SP_OK;
}

/* Where a gap first crosses zero; what only touches it, round-off behind an impact mostly, is
 * passed where it flies further than what counts as closed.  root: a grazing if no search ends.
 * theory (13.2a) */
static sp_status first_crossing(question *q, int n, sp_root_sample *node, bool flies, sp_root *root,
                                sp_error *err)
{
    const double t_tol = 1e-15 * (1.0 + fabs(node[0].t));
    double g_tol = GRAZES;
    *root = (sp_root){.kind = SP_ROOT_GRAZING};
    for (int k = 0; k < PASSED && n > 1 && g_tol < 2.0 * SP_TOUCHES; k++) {
        const sp_status status = sp_root_first(n, node, ask, q, g_tol, t_tol, root, err);
        if (status == SP_E_NOT_CONVERGED) { /* round-off about zero */
            *root = (sp_root){.kind = SP_ROOT_GRAZING};
            g_tol = fmax(10.0 * g_tol, TOUCHED);
            continue;
        }
        if (status != SP_OK || root->kind != SP_ROOT_GRAZING || !flies) {
            root->kind = root->kind == SP_ROOT_GRAZING ? SP_ROOT_NONE : root->kind;
            return status;
        }
        int next = 0; /* go on from there */
        while (next < n && node[next].t <= root->t) {
            next++;
        }
        node[0].t = root->t;
        SP_TRY(ask(q, root->t, &node[0].g, &node[0].rate, err));
        memmove(node + 1, node + next, (size_t)(n - next) * sizeof *node);
        n -= next - 1;
    }
    root->kind = n > 1 ? SP_ROOT_GRAZING : SP_ROOT_NONE;
    return SP_OK;
}

/* When a gap closes.  One that is below zero at a node has closed, whatever was found.
 * theory (13.2) */
static sp_status find_touch(sp_events *e, const double *t, int slot, found_event *first,
                            sp_error *err)
{
    sp_root_sample node[SP_EVENT_NODES + CLOSER];
    sp_root root;
    question q = {.e = e, .slot = slot, .which = SP_MAIN};
    bool far = true, still = true, flies = false, deep = false;
    int n;
    for (int k = 0; k < SP_EVENT_NODES; k++) {
        const double g = sample_of(e, k, slot, SP_MAIN), rate = sample_of(e, k, slot, SP_RATE);
        still = still && fabs(g) <= TOUCHED;
        flies = flies || fabs(g) > SP_TOUCHES;
        deep = deep || g < -SP_TOUCHES;
        far = far && g > 2.0 * fabs(rate) * (t[SP_EVENT_NODES - 1] - t[0]);
    }
    if (far || still) {
        return SP_OK;
    }
    if (e->s->driver) { /* its polynomials of q and u do not belong to each other: signs alone */
        return find_fall(e, t, slot, SP_MAIN, SP_TRIGGER_TOUCH, first, err);
    }
    SP_TRY(sample_gap(&q, t, node, &n, err));
    SP_TRY(first_crossing(&q, n, node, flies, &root, err));
    if (root.kind == SP_ROOT_GRAZING || (root.kind == SP_ROOT_NONE && deep)) {
        return find_among_many(&q, t, first, err);
    }
    if (root.kind == SP_ROOT_CROSSING && root.t < first->t) {
        *first = (found_event){.kind = SP_TRIGGER_TOUCH, .slot = slot, .t = root.t};
    }
    return SP_OK;
}

/* When a closed contact comes to the end of the edge or face that it is on. */
static sp_status find_edge(sp_events *e, const double *t, int slot, found_event *first,
                           sp_error *err)
{
    return e->hold[slot] > 0 ? find_fall(e, t, slot, SP_RATE, SP_TRIGGER_EDGE_ENDS, first, err)
                             : SP_OK;
}

/* The first event of slot i. */
static sp_status find_of(sp_events *e, const double *t, int i, found_event *first, sp_error *err)
{
    const sp_slot_traits is = e->s->m->slot[i].is;
    const unsigned char state = e->state[i];
    if (state == SP_OPEN && is.one_way) {
        return find_fall(e, t, i, SP_MAIN, SP_TRIGGER_TOUCH, first, err);
    }
    if (state == SP_OPEN || (is.stores && state != SP_STICK)) {
        return find_touch(e, t, i, first, err);
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
static sp_status look_behind_the_event(sp_events *e, const found_event *first, sp_error *err)
{
    const double way = first->t_beyond - first->t;
    const double wanted = fmax(CLEARLY * first->size, CLEAR);
    const double part = -first->beyond > wanted ? wanted / -first->beyond : 1.0;
    return sp_event_look_ahead(e, first->t + part * way, err);
}

/* An open contact that begins the step well inside of its features must touch inside: one that
 * passes their end as it comes to touch leaves.  Others may touch on the end.   theory (28.2) */
static void note_ends(sp_events *e)
{
    const sp_con *con = &e->s->w->con;
    for (int i = 0; i < e->s->m->n_slot && e->s->m->n_pool > 0; i++) {
        if (e->s->m->slot[i].is.pooled) {
            const bool inside = con->outside[i] < -WELL_INSIDE * con->tol[i];
            e->aside[i] = inside ? con->tol[i] : -con->tol[i];
        }
    }
}

/* Open contacts, and preloads on their way, that begin the step below zero by round-off are counted
 * from there. */
static void note_depths(sp_events *e)
{
    const sp_smooth *s = e->s;
    for (int i = 0; i < s->m->n_slot; i++) {
        const sp_slot_traits is = s->m->slot[i].is;
        const bool way =
            is.stores ? e->state[i] != SP_STICK : !is.one_way && e->state[i] == SP_OPEN;
        const double g = e->node[i][SP_MAIN];
        if (way && g < 0.0 && g > -SP_TOUCHES) {
            e->below[i] = g;
            e->node[i][SP_MAIN] = 0.0;
        }
    }
}

/* Indicators at equal times t from the beginning of the step to t_end, into e->sample. */
static sp_status sample(sp_events *e, double t_end, double *t, sp_error *err)
{
    const sp_smooth *s = e->s;
    const size_t n = (size_t)s->m->n_slot + 1;
    for (int k = 0; k < SP_EVENT_NODES; k++) {
        const double part = (double)k / (SP_EVENT_NODES - 1);
        t[k] = k == SP_EVENT_NODES - 1 ? t_end : s->t_old + part * (t_end - s->t_old);
        SP_TRY(look(e, t[k], err));
        if (k == 0) {
            note_ends(e);
            SP_TRY(s->m->n_pool > 0 ? look(e, t[k], err) : SP_OK);
            note_depths(e);
        }
        memcpy(e->sample + (size_t)k * n * SP_INDICATORS, e->node, n * sizeof *e->node);
    }
    return SP_OK;
}

/* Whether, at the event that was found, a force of what rests is beyond its limit already: it may
 * have got there between two samples of a step in which little moves.   theory (44.2) */
static sp_status is_late(sp_events *e, const found_event *first, bool *late, sp_error *err)
{
    *late = false;
    if (first->kind == SP_TRIGGER_NONE || !(first->t > e->s->t_old)) {
        return SP_OK;
    }
    SP_TRY(look(e, first->t, err));
    for (int i = 0; i < e->s->m->n_slot; i++) {
        *late = *late || (i != first->slot && e->state[i] == SP_STICK &&
                          fmin(e->node[i][SP_MAIN], e->node[i][SP_SECOND]) < -SP_NO_FORCE);
    }
    return SP_OK;
}

/* The first event inside the step that sp_smooth_advance took. */
static sp_status find(sp_events *e, found_event *first, sp_error *err)
{
    sp_smooth *s = e->s;
    const int n = s->m->n_slot;
    double t[SP_EVENT_NODES], t_end = s->t;
    bool late = true;
    *first = (found_event){.kind = SP_TRIGGER_NONE, .slot = SP_NONE, .t = INFINITY};
    e->ahead = false;
    memset(e->below, 0, (size_t)n * sizeof(double));
    s->accel_scale = 0.0; /* the first look finds it */
    SP_TRY(sp_smooth_prepare(s, err));
    for (int pass = 0; late && pass < LATE; pass++, t_end = first->t) {
        SP_TRY(sample(e, t_end, t, err));
        for (int i = 0; i < n; i++) {
            SP_TRY(find_of(e, t, i, first, err));
        }
        SP_TRY(find_fall(e, t, n, SP_MAIN, SP_TRIGGER_SHARED, first, err));
        SP_TRY(is_late(e, first, &late, err));
        late = late && first->t < t_end; /* else it is not to be had any nearer */
    }
    if (first->kind == SP_TRIGGER_LIFT_OFF || first->kind == SP_TRIGGER_BREAK_AWAY ||
        first->kind == SP_TRIGGER_SHARED) {
        return look_behind_the_event(e, first, err);
    }
    return SP_OK;
}

/* End the step at the event that was found; *beside: the indicator there, 0 if that is its root.
 * theory (30.1) */
static sp_status land(sp_events *e, const found_event *first, double *beside, sp_error *err)
{
    sp_smooth *s = e->s;
    question q = {.e = e, .slot = first->slot, .which = first->which, .slope = first->slope};
    const double t_tol = 1e-15 * (1.0 + fabs(first->t));
    const bool gap = first->kind == SP_TRIGGER_TOUCH && !s->m->slot[first->slot].is.one_way;
    *beside = 0.0;
    if (!gap && !(first->slope < 0.0)) {
        return sp_smooth_cut(s, first->t, err);
    }
    SP_TRY(sp_smooth_land(s, gap ? gap_at : fall_at, &q, first->t, t_tol, err));
    const double zero = gap ? TOUCHED : ZERO * first->size;
    if (!s->driver && s->t > s->t_old && fabs(q.off) > SP_IN_TIME * (1.0 + fabs(s->t)) &&
        fabs(q.value) > zero && !sp_event_is_slip_done(e)) {
        *beside = q.value;
    }
    return SP_OK;
}

/* The first event of the step, also of what got its slot because it was missed.  Slots are not
 * taken back meanwhile, so that there is an end to it: none is left, at last. */
static sp_status find_all(sp_events *e, found_event *first, sp_error *err)
{
    bool missed = true;
    while (missed) {
        SP_TRY(find(e, first, err));
        SP_TRY(sp_event_missed(e, fmin(first->t, e->s->t), &missed, err));
    }
    return SP_OK;
}

sp_status sp_event_land(sp_events *e, sp_error *err)
{
    double beside = -1.0;
    for (int pass = 0; beside < 0.0 && pass < LANDINGS; pass++) {
        found_event first;
        SP_TRY(find_all(e, &first, err));
        e->trigger = first.kind;
        e->slot = first.slot;
        e->group = first.which == SP_THIRD;
        if (first.kind == SP_TRIGGER_NONE) {
            return SP_OK;
        }
        SP_TRY(land(e, &first, &beside, err));
        SP_TRY(sp_event_end_slip(e, &beside, err));
    }
    SP_TRY(sp_event_end_before(e, &beside, err));
    if (beside > 0.0) { /* the event is still to come */
        e->trigger = SP_TRIGGER_NONE;
        e->slot = SP_NONE;
        e->ahead = false;
    }
    return SP_OK;
}
