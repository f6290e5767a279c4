/* integrators/event_settle.c - at an event: impacts until nothing approaches, then the state that
 * accelerations give each contact. */
#include "base/status.h"
#include "contact/rule.h"
#include "integrators/event_parts.h"

#include <math.h>
#include <string.h>

enum { PASSES = 40, RESTINGS = 3 };
#define NO_PUSH                                                                                    \
    (0.1 * SP_FINE)       /* accelerations that forces below make are round-off, of their terms  */
#define RESTS    SP_EXACT /* velocities below are zero to round-off, of their terms              */
#define SEEN     SP_NOISE /* the same of slip that cannot be put at rest: indicators see it       */
#define LEAVES   0.01     /* of velocities: what dependent rows leave, solutions leave less       */
#define REGULAR  0.25     /* periods of hops that differ by less from their series follow it */
#define IN_TURN  0.01     /* of a period: hops that last less are none of the series */
#define SETTLED  SP_TINY  /* of its extent: lower hops are passed as an accumulation of impacts */
#define DISTINCT 8.0 /* times the round-off of gaps: lower hops are not distinct from it (65.9) */
#define UNSEEN   1000.0 /* times the error of a step for stiff machines: smaller hops are passed  */
#define LOW      1e-8 /* of positions: higher hops are gone through, however slowly they become less */

/* ---- who takes part -------------------------------------------------------------------------- */

/* Whether a slot without open gap may change its state now: not a corner that has come to the end
 * of its edge. */
static bool is_there(const sp_events *e, int slot)
{
    const sp_con *con = &e->s->w->con;
    if (e->located.trigger == SP_TRIGGER_EDGE_ENDS && slot == e->located.slot &&
        e->settle.hold[slot] == 0) {
        return false;
    }
    if (e->s->m->slot[slot].is.gapless || e->settle.state[slot] != SP_OPEN) {
        return true;
    }
    const bool beside =
        e->s->m->slot[slot].is.pooled ? !(con->outside[slot] <= con->tol[slot]) : con->aside[slot];
    return con->g[slot] <= sp_event_touches(e, slot) && !beside;
}

/* A contact at the end of its edge goes round the corner, or is held no more.   theory (4.1c) */
static void pass_edge(sp_events *e, const sp_state *x)
{
    const sp_smooth *s = e->s;
    sp_work *w = s->w;
    sp_kin_positions(s->m, s->num, x->q, &w->kin);
    sp_con_at(x->t, 1.0, x->q, x->u, &w->con);
    sp_con_gaps(s->m, s->num, &w->kin, &w->con);
    e->settle.hold[e->located.slot] = sp_con_beyond(s->m, s->num, &w->con, e->located.slot) + 1;
}

/* The contacts that touch at x into candidate, those of them that can be hit into hit. */
static int touching(sp_events *e, const sp_state *x, int *n_hit)
{
    const sp_smooth *s = e->s;
    sp_work *w = s->w;
    int n = 0;
    *n_hit = 0;
    sp_zeno_begin(e);
    sp_kin_positions(s->m, s->num, x->q, &w->kin);
    sp_con_at(x->t, 1.0, x->q, x->u, &w->con);
    sp_con_search_gaps(s->m, s->num, &w->kin, SP_NONE, &w->con);
    sp_con_follow_surfaces(s->m, &w->con);
    for (int i = 0; i < s->m->n_slot; i++) {
        if (is_there(e, i)) {
            e->settle.candidate[n++] = i;
            if (!sp_event_is_interval(s, i)) {
                e->settle.hit[(*n_hit)++] = i;
            }
        }
    }
    return n;
}

/* ---- which of those that touch stay ---------------------------------------------------------- */

/* The state by velocities, before accelerations decide: STICK may also come to be anything else.
 * rest: slip below counts as none, of the velocities. */
static unsigned char by_velocity(const sp_events *e, int a, double rest)
{
    const sp_smooth *s = e->s;
    const sp_work *w = s->w;
    const int r = w->con.row[a], slot = w->con.active[a];
    const bool interval = sp_event_is_interval(s, slot);
    if (!interval && w->con.row[a + 1] == r + 1) {
        return SP_STICK;
    }
    if (sp_event_in_space(e, slot)) {
        return sp_sliding_status(sp_event_moving(e, a));
    }
    const double gamma = w->sol.gamma_A[interval ? r : r + 1];
    if (s->m->slot[slot].is.stores) {
        const double x = sp_rule_gap(s->m, s->num, &w->con, slot);
        if (fabs(x) > sp_event_touches(e, slot)) {
            return x > 0.0 ? SP_SLIP_POS : SP_SLIP_NEG;
        }
        const double low = SETTLED * sp_event_extent(e, slot);
        const double push = fabs(w->sol.c[r]) + w->con.G[r * w->con.n_row + r] * w->con.set[a].hi;
        return gamma * gamma <= 2.0 * low * push ? SP_STICK
               : gamma > 0.0                     ? SP_SLIP_POS
                                                 : SP_SLIP_NEG;
    }
    if (e->located.trigger == SP_TRIGGER_SLIP_ENDS && slot == e->located.slot &&
        !e->settle.jumped && rest > SEEN) {
        return SP_STICK; /* accelerations decide whether it stays so */
    }
    return fabs(gamma) <= rest * e->impact.size ? SP_STICK
           : gamma > 0.0                        ? SP_SLIP_POS
                                                : SP_SLIP_NEG;
}

/* Whether a contact that touches moves away by its velocity. */
static bool moves_away(const sp_events *e, int a)
{
    const sp_work *w = e->s->w;
    const int slot = w->con.active[a];
    if (sp_event_is_interval(e->s, slot) || slot >= e->s->m->n_slot) {
        return false;
    }
    return w->sol.gamma_A[w->con.row[a]] > SP_AT_REST * e->impact.size;
}

/* Whether it has opened at this very time: it does not come back at once. */
static bool has_left(const sp_events *e, const sp_state *x, int a)
{
    const int slot = e->s->w->con.active[a];
    if (slot >= e->s->m->n_slot || sp_event_is_interval(e->s, slot)) {
        return false;
    }
    const bool one_way = e->s->m->slot[slot].is.one_way; /* no gap to show that */
    return (e->located.trigger == SP_TRIGGER_LIFT_OFF && slot == e->located.slot) ||
           (!one_way && e->settle.state[slot] == SP_OPEN && e->settle.left[slot] == x->t);
}

/* How small hops are passed, m: as small as there is anything to be seen of them with this
 * integrator. */
static double settled(const sp_events *e, int slot)
{
    const sp_smooth *s = e->s;
    const double low = SETTLED * sp_event_extent(e, slot);
    return s->driver ? fmax(low, UNSEEN * s->tolerance * sp_smooth_length(s)) : low;
}

/* Whether hops are low and each flight is shorter than the last by less than times are known to:
 * what is lost is not seen any more.   theory (49.3) */
static bool is_blurred(const sp_events *e, double t, double gamma, double flight, double shrink)
{
    return 0.25 * gamma * flight <= LOW * sp_smooth_length(e->s) &&
           flight * (1.0 - shrink) <= SP_IN_TIME * (1.0 + fabs(t));
}

/* How the hops of a contact go on whose flight begins now. */
typedef struct sp_series {
    double period; /* from hit to hit, s */
    double shrink; /* each next period over the last */
} sp_series;

/* A contact that hops by turns with others was hit before.  Where its periods go on as they did,
 * and it is not at rest for most of them, their ratio counts if it is more than its restitution by
 * what is seen where times are known to that; else this hop is alone.   theory (13.5), (65.10) */
static sp_series series_of(const sp_hops *h, double t, double flight, double eps)
{
    const double whole = t - h->t_hit + flight, last = h->ratio * h->flight;
    const double seen = SP_IN_TIME * (1.0 + fabs(t));
    if (!(fabs(whole - last) <= REGULAR * whole && flight >= IN_TURN * whole)) {
        return (sp_series){.period = flight, .shrink = eps};
    }
    const bool counts = last - eps * h->flight > seen;
    return (sp_series){.period = whole, .shrink = counts ? h->ratio : eps};
}

/* A contact that hops so little, or in flights so short, that the rest of its hops is passed at
 * once; its acceleration comes from what the contacts at rest do.  A hop that is not distinct from
 * round-off is passed however its flights went before.   theory (13.5), (49.3), (65.9) */
static bool is_settled(const sp_events *e, double t, int a, double *rest)
{
    const sp_work *w = e->s->w;
    const int r = w->con.row[a], slot = w->con.active[a];
    const sp_hops *h = &e->zeno.hops[slot];
    const double gamma = w->sol.gamma_A[r], pull = -e->decide.accel[r];
    *rest = 0.0;
    if (!(gamma > 0.0) || !(pull > 0.0)) {
        return false;
    }
    const double flight = 2.0 * gamma / pull;
    const sp_series s = series_of(h, t, flight, w->con.eps[r]);
    const bool shrinks = s.shrink < 1.0; /* else this hop alone is known */
    *rest = flight + (shrinks ? s.period * s.shrink / (1.0 - s.shrink) : 0.0);
    return 0.25 * gamma * flight <= DISTINCT * sp_event_gap_noise(e, slot) ||
           (shrinks &&
            (gamma * *rest < settled(e, slot) || is_blurred(e, t, gamma, flight, s.shrink)));
}

/* Whether slip goes on in another direction: it has ended and begins anew.  (Impacts say so.) */
static bool reverses(const sp_events *e, int slot, unsigned char old, unsigned char now)
{
    if (sp_event_in_space(e, slot)) {
        return (e->settle.begins[slot] & sp_sliding(old) & sp_sliding(now)) != 0;
    }
    return old != now && !e->s->m->slot[slot].is.stores;
}

/* What users hear about a change of state. */
static void report_change(sp_events *e, const sp_state *x, int slot, unsigned char old,
                          unsigned char now)
{
    const sp_contact_state before = sp_event_public(e, slot, old);
    const sp_contact_state after = sp_event_public(e, slot, now);
    const bool dry = sp_event_is_interval(e->s, slot);
    const bool turns = before == SP_STATE_SLIP && !e->settle.jumped && reverses(e, slot, old, now);
    if ((before == after && !turns) || (dry && before == SP_STATE_OPEN)) {
        return; /* dry friction is never open, it only begins so */
    }
    sp_event *event = sp_event_report(e->s->w, x,
                                      before == SP_STATE_OPEN   ? SP_EVENT_CLOSE
                                      : after == SP_STATE_OPEN  ? SP_EVENT_OPEN
                                      : after == SP_STATE_STICK ? SP_EVENT_STICK
                                                                : SP_EVENT_SLIP,
                                      slot, before, after);
    event->friction_work = e->settle.work[slot];
    if (before == SP_STATE_OPEN) {
        e->settle.work[slot] = event->friction_work = 0.0;
        sp_zeno_defer_closing(e);
    }
}

/* Slot i takes a state. */
static void take_state(sp_events *e, sp_state *x, int i, unsigned char now)
{
    const unsigned char old = e->settle.state[i];
    if (old != SP_OPEN && now == SP_OPEN) {
        e->settle.left[i] = x->t;
    }
    report_change(e, x, i, old, now);
    if (sp_event_in_space(e, i)) {
        unsigned char *starting = &e->s->starting[i];
        *starting = (unsigned char)((*starting | e->settle.begins[i]) & sp_sliding(now));
    }
    e->settle.state[i] = now;
    x->contact[i].state = (unsigned char)sp_event_public(e, i, now);
    if (now == SP_OPEN) {
        x->contact[i].P_N = x->contact[i].P_T = 0.0;
        x->contact[i].active = 0;
    }
}

/* Report that the hops of contact a, which go on for `rest`, are passed: at the time they end. */
static void pass_hops(sp_events *e, sp_state *x, int a, double rest)
{
    const sp_work *w = e->s->w;
    const int r = w->con.row[a], slot = w->con.active[a];
    const double gamma = w->sol.gamma_A[r], G = w->con.G[r * w->con.n_row + r];
    if (!(gamma > 0.1 * SP_EXACT * e->impact.size) || e->zeno.hops[slot].t_hit == -INFINITY) {
        return; /* that is no accumulation, it was at rest */
    }
    const sp_event event = {.t = x->t + rest,
                            .kind = SP_EVENT_ZENO,
                            .Lambda_N = (-e->decide.accel[r] * rest - gamma) / G, /* (80.3) */
                            .slot = slot,
                            .key = w->con.key ? w->con.key[slot] : 0,
                            .before = SP_STATE_OPEN,
                            .after = SP_STATE_OPEN,
                            .lasts = rest,
                            .bound = gamma * rest,
                            .gamma_N_before = gamma,
                            .energy_lost = 0.5 * gamma * gamma / G};
    if (e->settle.state[slot] != SP_OPEN) { /* it opens, and closes where its hops end */
        take_state(e, x, slot, SP_OPEN);
        e->settle.left[slot] = -INFINITY;
    }
    sp_zeno_defer(e, &event);
}

/* Which of the n contacts in w->con take part in the problem of accelerations: not those that
 * leave. Those that hop are looked at under the forces of the others; settled ones are reported. */
static sp_status stay(sp_events *e, sp_state *x, int n, sp_error *err)
{
    sp_work *w = e->s->w;
    bool hops = false;
    for (int a = 0; a < w->con.n_active; a++) {
        const bool away = a < n && moves_away(e, a), gone = a < n && has_left(e, x, a);
        e->settle.stays[a] = !away && !gone;
        hops = hops || (away && !gone);
    }
    if (!hops) {
        return SP_OK;
    }
    if (sp_event_decide(e, e->settle.stays, err) != SP_OK) {
        return SP_OK; /* reported when the problem is solved in earnest */
    }
    for (int a = 0; a < n; a++) {
        double rest;
        if (moves_away(e, a) && !has_left(e, x, a) && is_settled(e, x->t, a, &rest)) {
            e->settle.stays[a] = true;
            pass_hops(e, x, a, rest);
        }
    }
    return SP_OK;
}

/* ---- the new states -------------------------------------------------------------------------- */

/* The state that the problem of accelerations gave contact a. */
static unsigned char decided(const sp_events *e, int a)
{
    const sp_work *w = e->s->w;
    const int r = w->con.row[a];
    if (sp_event_is_interval(e->s, w->con.active[a])) {
        return e->decide.found[a];
    }
    const double N = e->decide.lambda[r] + sp_slide_pull(&w->con.set[a]);
    const double push = N * w->con.G[r * w->con.n_row + r];
    return e->settle.stays[a] && push > NO_PUSH * w->sol.xi_scale ? e->decide.found[a] : SP_OPEN;
}

/* Whether contact a, which came to touch at rest and without acceleration, comes on all the same:
 * it did so at this very time before. */
static bool comes_on(const sp_events *e, int a)
{
    const sp_work *w = e->s->w;
    const int r = w->con.row[a];
    return e->located.trigger == SP_TRIGGER_TOUCH && w->con.active[a] == e->located.slot &&
           e->fallback.again && e->settle.stays[a] &&
           fabs(e->decide.accel[r]) <= SP_AT_REST * w->sol.xi_scale;
}

/* Where the trigger would change nothing by round-off, it changes what it stands for. */
static unsigned char insist(sp_events *e, int slot, unsigned char now)
{
    if (slot != e->located.slot || now != e->settle.state[slot]) {
        return now;
    }
    const double *lambda = e->settle.force[slot];
    if (sp_event_in_space(e, slot) && e->located.trigger == SP_TRIGGER_BREAK_AWAY) {
        e->settle.begins[slot] = (unsigned char)(e->settle.begins[slot] | (1 << e->located.group));
        return sp_sliding_status(sp_sliding(now) | 1 << e->located.group);
    }
    const double along = sp_event_is_interval(e->s, slot) ? lambda[0] : lambda[1];
    return e->located.trigger == SP_TRIGGER_LIFT_OFF     ? SP_OPEN
           : e->located.trigger == SP_TRIGGER_BREAK_AWAY ? (along > 0.0 ? SP_SLIP_NEG : SP_SLIP_POS)
                                                         : now;
}

void sp_event_list_closed(sp_events *e)
{
    const sp_model *m = e->s->m;
    int n = 0;
    for (int i = 0; i < m->n_slot; i++) {
        if (e->settle.state[i] == SP_OPEN || !sp_con_has_edges(m, i)) {
            e->settle.hold[i] = 0;
        } else if (e->settle.hold[i] == 0) {
            e->settle.hold[i] = e->s->w->con.feature[i] + 1;
        }
        if (e->settle.state[i] != SP_OPEN) {
            e->settle.closed[n] = i;
            e->settle.status[n++] = e->settle.state[i];
        }
        e->settle.work[i] += e->settle.rested[i];
        e->settle.base[i] = e->settle.work[i];
        e->settle.rested[i] = 0.0;
    }
    e->s->closed = (sp_smooth_closed){.n = n, .slot = e->settle.closed, .status = e->settle.status};
}

/* Take over the states that the problem of accelerations gave. */
static void settle(sp_events *e, sp_state *x, int n)
{
    const sp_work *w = e->s->w;
    if (n > 0) {
        sp_event_report_solutions(e, x, &e->decide.solutions, e->decide.solutions.at, 0);
    }
    for (int i = 0, a = 0; i < e->s->m->n_slot; i++) {
        unsigned char now = SP_OPEN;
        if (a < n && w->con.active[a] == i) {
            now = decided(e, a);
            e->settle.begins[i] =
                (unsigned char)(sp_sliding(now) & ~sp_sliding(e->settle.status[a]));
            now = now == SP_OPEN && comes_on(e, a) ? e->settle.status[a] : now;
            a++;
        }
        take_state(e, x, i, insist(e, i, now));
    }
    sp_event_list_closed(e);
}

/* The states that were found right behind the event, if nothing else has come to touch. */
static bool settle_as_predicted(sp_events *e, sp_state *x, int n)
{
    for (int i = 0; i < n; i++) {
        const int slot = e->settle.candidate[i];
        if (e->settle.state[slot] == SP_OPEN && !e->s->m->slot[slot].is.one_way &&
            e->settle.left[slot] != x->t) {
            return false;
        }
    }
    if (!e->predicted.known) {
        return false;
    }
    sp_event_report_solutions(e, x, &e->predicted.solutions, e->predicted.solutions.at, 0);
    for (int i = 0; i < e->s->m->n_slot; i++) {
        e->settle.begins[i] = e->predicted.begins[i];
        take_state(e, x, i, e->predicted.state[i]);
    }
    sp_event_list_closed(e);
    return true;
}

/* Whether rows of s->closed that are held along move on with the impulses in w->sol.P: they depend
 * on each other but for small angles, and not all of them can be at rest.   theory (53.2) */
static bool stays_moving(const sp_events *e)
{
    const sp_smooth *s = e->s;
    const sp_con *con = &s->w->con;
    double before = 0.0, after = 0.0;
    for (int a = 0; a < s->closed.n; a++) {
        const bool held = s->closed.status[a] == SP_STICK && con->set[a].kind == SP_SET_PLANAR;
        for (int r = con->row[a] + 1; held && r < con->row[a + 1]; r++) {
            double gamma = s->w->sol.c[r];
            before = fmax(before, fabs(gamma));
            for (int k = 0; k < con->n_row; k++) {
                gamma += con->G[r * con->n_row + k] * s->w->sol.P[k];
            }
            after = fmax(after, fabs(gamma));
        }
    }
    return after > SEEN * e->impact.size && after > LEAVES * before;
}

/* Contacts of s->closed come to rest by the impulses that their hops would still have had, less
 * those of the force that acts from now on; friction goes with both.  Its work belongs to the phase
 * of contact that begins, what boundaries do to what drives.  *stays: they cannot all, and u
 * is as before.   theory (43.3), (43.4) */
static sp_status rest(sp_events *e, sp_state *x, bool *stays, sp_error *err)
{
    sp_smooth *s = e->s;
    sp_work *w = s->w;
    const sp_con *con = &w->con;
    double booked = 0.0;
    SP_TRY(sp_smooth_rest(s, x->t, x->q, x->u, err));
    *stays = s->lu.rank < s->lu.n && stays_moving(e);
    if (*stays) {
        return SP_OK;
    }
    for (int a = 0; a < s->closed.n; a++) {
        double work = 0.0;
        for (int r = con->row[a] + 1; r < con->row[a + 1]; r++) {
            double gamma = w->sol.c[r]; /* the mean of before and after */
            for (int k = 0; k < con->n_row; k++) {
                gamma += 0.5 * con->G[r * con->n_row + k] * w->sol.P[k];
            }
            work += w->sol.P[r] * gamma;
        }
        e->settle.rested[con->active[a]] += work;
        x->ledger.friction += work;
        booked += work;
    }
    const double driven = sp_event_jump(e, x, w->sol.P);
    x->ledger.driven += driven;
    x->ledger.kinetic += booked + driven;
    return SP_OK;
}

/* What came to rest is known until the next event does, whatever is tried behind it. */
static void keep_rested(sp_events *e)
{
    sp_smooth *s = e->s;
    const size_t n = (size_t)s->closed.n;
    memcpy(e->settle.came, s->closed.slot, n * sizeof *e->settle.came);
    memcpy(e->settle.came_status, s->closed.status, n);
    s->rested = (sp_smooth_closed){
        .n = s->closed.n, .slot = e->settle.came, .status = e->settle.came_status};
}

/* Velocities that count as zero are made so: what begins to slide begins from rest.  Those that
 * leave are not touched.  *moved: there was something to do; *stays: and it could not be done. */
static sp_status put_at_rest(sp_events *e, sp_state *x, int n, bool *moved, bool *stays,
                             sp_error *err)
{
    sp_smooth *s = e->s;
    const sp_con *con = &s->w->con;
    int kept = 0;
    *moved = *stays = false;
    for (int a = 0; a < n; a++) {
        if (!e->settle.stays[a]) {
            continue;
        }
        for (int r = con->row[a]; r < con->row[a + 1]; r++) {
            const bool held = r == con->row[a] ? e->settle.status[a] == SP_STICK ||
                                                     con->set[a].kind != SP_SET_INTERVAL
                                               : !sp_smooth_row_slides(s, a, r - con->row[a]);
            *moved = *moved || (held && fabs(s->w->sol.gamma_A[r]) > RESTS * e->impact.size);
        }
        e->settle.resting[kept] = con->active[a];
        e->settle.resting_status[kept++] = e->settle.status[a];
    }
    if (*moved) {
        s->closed = (sp_smooth_closed){
            .n = kept, .slot = e->settle.resting, .status = e->settle.resting_status};
        SP_TRY(rest(e, x, stays, err));
        if (!*stays) {
            keep_rested(e);
        }
    }
    return SP_OK;
}

/* Rows of the candidates, their states by velocity (rest: slip below is none), and which of them
 * stay. */
static sp_status judge_candidates(sp_events *e, sp_state *x, int n, double rest, sp_error *err)
{
    SP_TRY(sp_event_accelerations(e, x, n, e->settle.candidate, err));
    sp_event_raise_size(e);
    for (int a = 0; a < n; a++) {
        e->settle.status[a] = by_velocity(e, a, rest);
        if (sp_event_in_space(e, e->settle.candidate[a])) {
            e->s->starting[e->settle.candidate[a]] = 0;
            sp_smooth_face(e->s, a, x->u);
        }
        sp_smooth_slide(e->s, a, e->settle.status[a], x->u);
    }
    return stay(e, x, n, err);
}

/* The states of all that touch by the problem of accelerations; where that has no solution,
 * velocities jump first. */
static sp_status settle_by_accelerations(sp_events *e, sp_state *x, int n, sp_error *err)
{
    for (int pass = 0;; pass++) {
        bool moved = true, stays = false;
        for (int more = 0; moved; more++) { /* by coming to rest others may come to rest; */
            SP_TRY(judge_candidates(e, x, n, stays ? SEEN : SP_AT_REST, err)); /* or cannot */
            moved = false;
            if (more < RESTINGS) {
                SP_TRY(put_at_rest(e, x, n, &moved, &stays, err));
            }
        }
        sp_error why = {.text = ""};
        const sp_status status = sp_event_decide(e, e->settle.stays, &why);
        if (status == SP_OK) {
            settle(e, x, n);
            return SP_OK;
        }
        if (status != SP_E_INFEASIBLE && status != SP_E_NOT_CONVERGED) {
            return SP_FAIL(err, status, "%s", why.text);
        }
        if (pass == PASSES) {
            return SP_FAIL(
                err, SP_E_NOT_CONVERGED,
                "t = %.15g s: of %d jumps without a collision each made the next; give the "
                "contacts less friction, or take method 'moreau' with a step",
                x->t, PASSES);
        }
        SP_TRY(sp_event_jam(e, x, err));
        e->settle.jumped = true;
    }
}

/* The candidates without those that are on their way still; how many. */
static int drop_absent(sp_events *e, int n)
{
    int kept = 0;
    for (int i = 0; i < n; i++) {
        if (!(e->zeno.gap[e->settle.candidate[i]] > 0.0)) {
            e->settle.candidate[kept++] = e->settle.candidate[i];
        }
    }
    return kept;
}

sp_status sp_event_resolve(sp_events *e, sp_state *x, sp_error *err)
{
    int n_hit;
    e->s->w->con.hold = e->settle.hold;
    SP_TRY(sp_event_assign_slots(e, x, err));
    if (e->located.trigger == SP_TRIGGER_EDGE_ENDS) {
        pass_edge(e, x);
    }
    int n = touching(e, x, &n_hit);
    const int id = x->n_impact;
    e->settle.jumped = false;
    SP_TRY(sp_event_hit(e, x, n_hit, err));
    e->settle.jumped = x->n_impact != id;
    n = drop_absent(e, n);
    if (!e->settle.jumped && settle_as_predicted(e, x, n)) {
        return sp_smooth_restart(e->s, x, err);
    }
    SP_TRY(settle_by_accelerations(e, x, n, err));
    return sp_smooth_restart(e->s, x, err);
}

/* ---- what others ask for --------------------------------------------------------------------- */

void sp_settle_remember(sp_events *e)
{
    const sp_smooth *s = e->s;
    const sp_con *con = &s->w->con;
    memset(e->settle.force, 0, (size_t)s->m->n_slot * sizeof *e->settle.force);
    for (int a = 0; a < s->closed.n; a++) {
        const int slot = con->active[a], r = con->row[a];
        memcpy(e->settle.force[slot], s->w->sol.P + r,
               (size_t)(con->row[a + 1] - r) * sizeof(double));
        e->settle.work[slot] = e->settle.base[slot] + s->now[s->share + slot];
    }
}

void sp_settle_take_rows(sp_events *e, int n, const int *list)
{
    for (int i = 0; i < n; i++) {
        e->settle.closed[i] = list[i];
        e->settle.status[i] = SP_STICK;
    }
    e->s->closed = (sp_smooth_closed){.n = n, .slot = e->settle.closed, .status = e->settle.status};
}

void sp_settle_forget(sp_events *e, int i, unsigned char state)
{
    e->settle.state[i] = state;
    e->settle.hold[i] = 0;
    e->settle.left[i] = -INFINITY;
    e->settle.work[i] = e->settle.base[i] = 0.0;
    e->settle.begins[i] = 0;
    if (sp_event_in_space(e, i)) {
        e->s->starting[i] = 0;
    }
}

void sp_settle_swap(sp_events *e, int i, int j)
{
    double force[SP_SET_DIM_MAX];
    memcpy(force, e->settle.force[i], sizeof force);
    memcpy(e->settle.force[i], e->settle.force[j], sizeof force);
    memcpy(e->settle.force[j], force, sizeof force);
    SP_SWAP(unsigned char, e->settle.state, i, j);
    SP_SWAP(int, e->settle.hold, i, j);
    SP_SWAP(double, e->settle.left, i, j);
    SP_SWAP(double, e->settle.work, i, j);
    SP_SWAP(double, e->settle.base, i, j);
}
