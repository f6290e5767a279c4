/* integrators/event_zeno.c - contacts that are hit by turns in ever shorter times: what is left
 * of them is gone through, or added up, with M and W as they are.   theory section 40 */
#include "integrators/event_parts.h"

#include <math.h>
#include <string.h>

#define TOGETHER SP_TINY /* of their extent: gaps so near each other are closed together ... */
#define PART     0.0003 /* ... unless they are more than this part of the way since the last impact */
#define PLACES   SP_EXACT /* of the machine: positions are known so far */
#define SMALL    SP_TINY  /* of its extent: so short a way to the next touch is gone at once ... */
#define INSTANT  SP_NOISE /* s, or of the time: or it takes so little time */
#define SAME     SP_TINY  /* of a way: how far ways of the same length are apart by round-off */
#define STEADY   (0.1 * SP_FINE) /* the impulses of two turns are the same but for a factor */
#define FOLLOWS  (0.1 * SP_FINE) /* of the machine: a longer way is left, or impacts go on */

/* How near an open contact is to be that counts as closed with what is hit now: nearer than it
 * comes by turns with others.   theory (40.1) */
static double together(const sp_events *e, const sp_state *x, int slot, double gamma)
{
    const double size = sp_event_extent(e, slot);
    if (e->s->driver) {
        return sp_event_touches(e, slot); /* its positions are not as exact */
    }
    if (e->located.slot >= 0 && e->located.slot < e->s->m->n_slot &&
        e->zeno.hops[slot].t_hit == e->zeno.hops[e->located.slot].t_hit) {
        return TOGETHER * size; /* they left together, too */
    }
    const double way = fabs(gamma) * (x->t - e->zeno.hops[slot].t_hit);
    const double known = PLACES * fmax(size, sp_smooth_length(e->s));
    return fmax(known, fmin(TOGETHER * size, PART * way));
}

/* Whether a gap is so near `last`, the widest of those that count as closed, that what tells them
 * apart is round-off: they touch together.   theory (40.8) */
static bool is_with(const sp_events *e, int slot, double last)
{
    const double gap = e->zeno.gap[slot];
    return gap > 0.0 && last > 0.0 && gap - last <= sp_event_gap_noise(e, slot);
}

/* Contacts on their way that touch together with those that count as closed; last: the widest gap
 * of these. */
static void join_together(sp_events *e, int n, double last)
{
    for (bool more = true; more;) {
        more = false;
        for (int a = 0; a < n; a++) {
            const int slot = e->s->w->con.active[a];
            if (is_with(e, slot, last)) {
                last = fmax(last, e->zeno.gap[slot]);
                e->zeno.gap[slot] = 0.0;
                more = true;
            }
        }
    }
}

void sp_zeno_note_gaps(sp_events *e, const sp_state *x, int n)
{
    const sp_work *w = e->s->w;
    double last = 0.0;
    for (int a = 0; a < n; a++) {
        const int slot = w->con.active[a];
        const double gamma = w->sol.gamma_A[w->con.row[a]], g = w->con.g[slot];
        const bool came = e->located.trigger == SP_TRIGGER_TOUCH && slot == e->located.slot;
        const bool may =
            e->settle.state[slot] == SP_OPEN && !e->s->m->slot[slot].is.one_way && !came;
        if (may && fabs(gamma) > SP_AT_REST * e->impact.size) {
            const bool apart = g > together(e, x, slot, gamma);
            e->zeno.gap[slot] = apart ? g : 0.0;
            last = apart ? last : fmax(last, g);
        }
    }
    join_together(e, n, last);
}

/* ---- time goes on ---------------------------------------------------------------------------- */

/* The contact of w->con that touches next, SP_NONE if none approaches; *dt until then. */
static int next_touch(const sp_events *e, int n, double *dt)
{
    const sp_work *w = e->s->w;
    int next = SP_NONE;
    *dt = INFINITY;
    for (int a = 0; a < n; a++) {
        const double gap = e->zeno.gap[w->con.active[a]];
        if (gap > 0.0 && sp_event_approaches(e, a)) {
            const double t = gap / -w->sol.gamma_A[w->con.row[a]];
            next = t < *dt ? a : next;
            *dt = fmin(t, *dt);
        }
    }
    return next;
}

/* Whether contact a touches so soon that M, W and velocities are what they are until then.
 * theory (40.2) */
static bool is_at_once(const sp_events *e, const sp_state *x, int a, double dt)
{
    const sp_work *w = e->s->w;
    const int slot = w->con.active[a];
    return e->zeno.gap[slot] <= SMALL * sp_event_extent(e, slot) ||
           dt <= INSTANT * (1.0 + fabs(x->t));
}

/* Those that do not approach are not on their way. */
static void forget_leaving(sp_events *e, int n)
{
    for (int a = 0; a < n; a++) {
        if (!sp_event_approaches(e, a)) {
            e->zeno.gap[e->s->w->con.active[a]] = 0.0;
        }
    }
}

/* The velocity along of contact a, which has no friction. */
static double glide(const sp_events *e, int a, const double *u)
{
    return sp_con_glide(e->s->m, &e->s->w->con, a, u, NULL);
}

void sp_zeno_start(sp_events *e, const sp_state *x, int n, sp_clatter *c)
{
    const sp_work *w = e->s->w;
    c->begun = true;
    c->first_event = w->n_event;
    c->id = x->n_impact;
    memset(e->zeno.shift, 0, (size_t)e->s->m->n_dof * sizeof *e->zeno.shift);
    for (int a = 0; a < n; a++) {
        const int slot = w->con.active[a], r = w->con.row[a], n_row = w->con.row[a + 1] - r;
        const double *gamma = w->sol.gamma_A + r;
        e->zeno.path[slot] = 0.0;
        e->zeno.passed[slot] = (sp_event){.kind = SP_EVENT_ZENO,
                                          .slot = slot,
                                          .key = w->con.key ? w->con.key[slot] : 0,
                                          .before = sp_event_public(e, slot, e->settle.state[slot]),
                                          .after = SP_STATE_OPEN,
                                          .gamma_N_before = gamma[0],
                                          .gamma_T_before = n_row > 2   ? hypot(gamma[1], gamma[2])
                                                            : n_row > 1 ? gamma[1]
                                                                        : glide(e, a, x->u),
                                          .impact = {.factor = 1.0}};
    }
}

/* Whether contact a, which has `left` of its gap when another one touches, touches together with
 * it: what is left is round-off of the gap as it was measured, or of the way since then.
 * theory (40.8) */
static bool is_tie(const sp_events *e, int a, double left)
{
    const int slot = e->s->w->con.active[a];
    const bool hit = e->zeno.passed[slot].Lambda_N > 0.0; /* its gap is by way and time since */
    const double known = hit ? SAME * e->zeno.path[slot] : sp_event_gap_noise(e, slot);
    return sp_event_approaches(e, a) && left <= fmax(known, SP_FINE * e->zeno.gap[slot]);
}

bool sp_zeno_advance(sp_events *e, const sp_state *x, int n, sp_clatter *c)
{
    const sp_work *w = e->s->w;
    double dt;
    const int next = next_touch(e, n, &dt);
    if (next == SP_NONE || !is_at_once(e, x, next, dt)) {
        forget_leaving(e, n);
        return false;
    }
    if (!c->begun) {
        sp_zeno_start(e, x, n, c);
    }
    c->now_dt += dt;
    for (int a = 0; a < n; a++) {
        const int slot = w->con.active[a];
        const double gamma = w->sol.gamma_A[w->con.row[a]], way = gamma * dt;
        const bool leaves = gamma > SP_AT_REST * e->impact.size && !e->s->m->slot[slot].is.one_way;
        if (e->zeno.gap[slot] > 0.0 || leaves) {
            const double left = fmax(0.0, e->zeno.gap[slot] + way);
            e->zeno.gap[slot] = a == next || is_tie(e, a, left) ? 0.0 : left;
            e->zeno.path[slot] += fabs(way);
            c->now_way = fmax(c->now_way, fabs(way));
        }
    }
    for (int k = 0; k < e->s->m->n_dof; k++) {
        e->zeno.shift[k] += x->u[k] * dt;
    }
    c->t += dt;
    return true;
}

/* ---- impacts are noted ----------------------------------------------------------------------- */

/* Impulses of the impact that was k impacts ago. */
static double *swing_of(const sp_events *e, const sp_clatter *c, int k)
{
    const size_t n = (size_t)(e->s->m->n_slot + e->s->m->n_bond) * SP_SET_DIM_MAX;
    return e->zeno.swing + (size_t)((c->n_hit - 1 - k) % SP_CLATTER_KEPT) * n;
}

void sp_zeno_note_next(const sp_events *e, int n, sp_clatter *c)
{
    c->next = SP_NONE;
    for (int a = 0, found = 0; a < n; a++) {
        const int slot = e->s->w->con.active[a];
        if (!(e->zeno.gap[slot] > 0.0) && sp_event_approaches(e, a)) {
            c->next = found++ == 0 ? slot : SP_NONE;
        }
    }
}

/* What an impact of a contact adds to the sums of its clatter. */
static void add_impact(const sp_event *from, sp_event *to)
{
    to->Lambda_N += from->Lambda_N;
    to->Lambda_T[0] += from->Lambda_T[0];
    to->Lambda_T[1] += from->Lambda_T[1];
    to->energy_lost += from->energy_lost;
    to->gamma_N_after = from->gamma_N_after;
    to->gamma_T_after = from->gamma_T_after;
    to->impact.lost_normal += from->impact.lost_normal;
    to->impact.lost_friction += from->impact.lost_friction;
    to->impact.lost_restitution += from->impact.lost_restitution;
}

/* Events from `first` on but for choices, which are always reported, are taken back. */
static void forget_impacts(sp_work *w, int first)
{
    int kept = first;
    for (int k = first; k < w->n_event; k++) {
        if (w->event[k].kind == SP_EVENT_CHOICE) {
            w->event[kept++] = w->event[k];
        }
    }
    w->n_event = kept;
}

void sp_zeno_add_impact(sp_events *e, int first, sp_clatter *c)
{
    sp_work *w = e->s->w;
    const sp_con *con = &w->con;
    const size_t n = (size_t)(e->s->m->n_slot + e->s->m->n_bond) * SP_SET_DIM_MAX;
    c->dt[c->n_hit % SP_CLATTER_KEPT] = c->now_dt;
    c->way[c->n_hit % SP_CLATTER_KEPT] = c->now_way;
    c->now_dt = c->now_way = 0.0;
    c->who[c->n_hit++ % SP_CLATTER_KEPT] = c->next;
    double *swing = swing_of(e, c, 0);
    memset(swing, 0, n * sizeof *swing);
    for (int a = 0; a < con->n_active; a++) {
        memcpy(swing + con->active[a] * SP_SET_DIM_MAX, w->sol.P + con->row[a],
               (size_t)(con->row[a + 1] - con->row[a]) * sizeof *swing);
    }
    for (int k = first; k < w->n_event; k++) {
        if (w->event[k].kind == SP_EVENT_IMPACT) {
            add_impact(&w->event[k], &e->zeno.passed[w->event[k].slot]);
        }
    }
    c->many = c->many || c->n_hit > SP_EVENTS_PER_SLOT || 2 * w->n_event > w->event_room;
    if (c->many) {
        forget_impacts(w, c->first_event);
    }
}

/* ---- the sum of all that follow
 * ------------------------------------------------------------------
 */

/* After how many impacts the same contacts are hit again in the same order: turns were made twice;
 * 0: there is no order yet. */
static int period(const sp_clatter *c)
{
    for (int p = 2; 2 * p <= SP_CLATTER_KEPT && 2 * p <= c->n_hit; p++) {
        bool same = true;
        for (int k = 0; k < p; k++) {
            const int now = c->who[(c->n_hit - 1 - k) % SP_CLATTER_KEPT];
            same =
                same && now != SP_NONE && now == c->who[(c->n_hit - 1 - k - p) % SP_CLATTER_KEPT];
        }
        if (same) {
            return p;
        }
    }
    return 0;
}

/* The product sum_r G_rr (P - f O)_r (Q - f O)_r of turns of p impacts: P and Q end k and l impacts
 * ago, O is the one before the last. */
static double product(const sp_events *e, const sp_clatter *c, int p, int k, int l, double f)
{
    const sp_con *con = &e->s->w->con;
    double sum = 0.0;
    for (int i = 0; i < p; i++) {
        const double *P = swing_of(e, c, i + k), *Q = swing_of(e, c, i + l);
        const double *old = swing_of(e, c, i + p);
        for (int a = 0; a < con->n_active; a++) {
            for (int r = con->row[a]; r < con->row[a + 1]; r++) {
                const int j = con->active[a] * SP_SET_DIM_MAX + r - con->row[a];
                sum += con->G[r * con->n_row + r] * (P[j] - f * old[j]) * (Q[j] - f * old[j]);
            }
        }
    }
    return sum;
}

/* The factor between the impulses of the last two turns; 0 if they differ by more than that.
 * theory (40.4) */
static double factor_of(const sp_events *e, const sp_clatter *c, int p)
{
    const double now = product(e, c, p, 0, 0, 0.0), old = product(e, c, p, p, p, 0.0);
    if (!(old > 0.0) || !(now < old)) {
        return 0.0;
    }
    const double f = product(e, c, p, 0, p, 0.0) / old;
    return product(e, c, p, 0, 0, f) <= STEADY * STEADY * now ? f : 0.0;
}

/* All impulses that follow, into e->zeno.impulse, and the velocities of the rows after them, into
 * e->zeno.gamma.   theory (40.5) */
static void sum_up(sp_events *e, const sp_clatter *c, int p, double factor)
{
    const sp_work *w = e->s->w;
    const sp_con *con = &w->con;
    for (int a = 0; a < con->n_active; a++) {
        for (int r = con->row[a]; r < con->row[a + 1]; r++) {
            const int i = con->active[a] * SP_SET_DIM_MAX + r - con->row[a];
            e->zeno.impulse[r] = 0.0;
            for (int k = 0; k < p; k++) {
                e->zeno.impulse[r] += factor / (1.0 - factor) * swing_of(e, c, k)[i];
            }
        }
    }
    for (int r = 0; r < con->n_row; r++) {
        e->zeno.gamma[r] = w->sol.gamma_A[r];
        for (int s = 0; s < con->n_row; s++) {
            e->zeno.gamma[r] += con->G[r * con->n_row + s] * e->zeno.impulse[s];
        }
    }
}

/* Whether slip goes on in its direction all the while, so that friction is as it was. */
static bool slides_on(const sp_events *e, int n)
{
    const sp_work *w = e->s->w;
    for (int a = 0; a < n; a++) {
        double along = 0.0, size = 0.0;
        for (int r = w->con.row[a] + 1; r < w->con.row[a + 1]; r++) {
            along += w->sol.gamma_A[r] * e->zeno.gamma[r];
            size = fmax(size, fabs(w->sol.gamma_A[r]));
        }
        if (size > SP_AT_REST * e->impact.size && !(along > 0.0)) {
            return false;
        }
    }
    return true;
}

/* The jump by these impulses, with its works.   theory (40.6) */
static void jump(sp_events *e, sp_state *x)
{
    sp_work *w = e->s->w;
    const sp_con *con = &w->con;
    double contacts = 0.0;
    const double driven = sp_event_jump(e, x, e->zeno.impulse);
    for (int a = 0; a < con->n_active && con->active[a] < e->s->m->n_slot; a++) {
        const int r = con->row[a], n = con->row[a + 1] - r;
        sp_event sum = {.Lambda_N = e->zeno.impulse[r], .gamma_N_after = e->zeno.gamma[r]};
        for (int k = 0; k < n; k++) {
            const double lost =
                -0.5 * (w->sol.gamma_A[r + k] + e->zeno.gamma[r + k]) * e->zeno.impulse[r + k];
            *(k == 0 ? &sum.impact.lost_normal : &sum.impact.lost_friction) += lost;
            sum.energy_lost += lost;
        }
        for (int k = 1; k < n && k < 3; k++) {
            sum.Lambda_T[k - 1] = e->zeno.impulse[r + k];
        }
        sum.gamma_T_after = n > 2   ? hypot(e->zeno.gamma[r + 1], e->zeno.gamma[r + 2])
                            : n > 1 ? e->zeno.gamma[r + 1]
                                    : glide(e, a, x->u);
        add_impact(&sum, &e->zeno.passed[con->active[a]]);
        contacts -= sum.energy_lost;
    }
    x->ledger.impacts += contacts;
    x->ledger.driven += driven;
    x->ledger.kinetic += contacts + driven;
}

/* The sum of all that follow the last two turns of p impacts, if each is the same part of the one
 * before: value holds one number of each impact.  Infinite if they do not become less.
 * theory (49.4) */
static double follows(const sp_clatter *c, const double *value, int p)
{
    double now = 0.0, old = 0.0;
    for (int k = 0; k < p; k++) {
        now += value[(c->n_hit - 1 - k) % SP_CLATTER_KEPT];
        old += value[(c->n_hit - 1 - k - p) % SP_CLATTER_KEPT];
    }
    return now == 0.0 ? 0.0 : now < old ? now * now / (old - now) : INFINITY;
}

bool sp_zeno_sum_rest(sp_events *e, sp_state *x, int n, sp_clatter *c)
{
    const int p = period(c);
    const double factor = p > 0 ? factor_of(e, c, p) : 0.0;
    if (!(factor > 0.0)) {
        return false;
    }
    const double t = follows(c, c->dt, p), way = follows(c, c->way, p);
    if (!(t < INFINITY) || !(way <= FOLLOWS * e->s->m->extent.length)) {
        return false; /* factors near 1: what is left is still too long */
    }
    sum_up(e, c, p, factor);
    if (!slides_on(e, n)) {
        return false;
    }
    jump(e, x);
    memcpy(e->s->w->sol.gamma_A, e->zeno.gamma, (size_t)e->s->w->con.n_row * sizeof(double));
    forget_leaving(e, n);
    for (int a = 0; a < n; a++) {
        e->zeno.path[e->s->w->con.active[a]] += way;
    }
    for (int k = 0; k < e->s->m->n_dof; k++) {
        e->zeno.shift[k] += x->u[k] * t;
    }
    c->t += t;
    c->ends = true;
    return true;
}

/* ---- the end --------------------------------------------------------------------------------- */

/* Whether all that were hit in it, by turns, are at rest. */
static bool is_at_rest(const sp_events *e, int n, const sp_clatter *c)
{
    const sp_work *w = e->s->w;
    bool rests = c->n_hit > 2;
    for (int a = 0; a < n; a++) {
        const bool hit = e->zeno.passed[w->con.active[a]].Lambda_N > 0.0;
        rests =
            rests && !(hit && fabs(w->sol.gamma_A[w->con.row[a]]) > SP_AT_REST * e->impact.size);
    }
    return rests;
}

/* An accumulation of the same contact that is still to be reported goes into this one. */
static void take_in(sp_events *e, sp_event *event)
{
    for (int k = 0; k < e->zeno.n_deferred; k++) {
        const sp_event *old = &e->zeno.deferred[k];
        if (old->slot == event->slot && old->kind == SP_EVENT_ZENO && old->impact_id > 0) {
            event->gamma_N_before = old->gamma_N_before;
            event->gamma_T_before = old->gamma_T_before;
            event->bound += old->bound;
            event->t = fmax(event->t, old->t);
            event->lasts += old->lasts;
            const double after[2] = {event->gamma_N_after, event->gamma_T_after};
            add_impact(old, event);
            event->gamma_N_after = after[0];
            event->gamma_T_after = after[1];
            memmove(e->zeno.deferred + k, e->zeno.deferred + k + 1,
                    (size_t)(--e->zeno.n_deferred - k) * sizeof *e->zeno.deferred);
            return;
        }
    }
}

/* Report the impacts of a contact as one accumulation, when it ends. */
static void report_accumulation(sp_events *e, const sp_state *x, int slot, const sp_clatter *c)
{
    sp_event *event = &e->zeno.passed[slot];
    event->t = x->t + c->t;
    event->impact_id = x->n_impact;
    event->lasts = c->t;
    event->bound = e->zeno.path[slot];
    take_in(e, event);
    sp_zeno_defer(e, event);
    e->zeno.hops[slot] = (sp_hops){.t_hit = x->t};
}

void sp_zeno_end(sp_events *e, sp_state *x, int n, sp_clatter *c)
{
    sp_work *w = e->s->w;
    if (!c->begun || !(c->ends || c->many || is_at_rest(e, n, c))) {
        return;
    }
    forget_impacts(w, c->first_event); /* one event of each contact stands for all */
    x->n_impact = c->id + 1;
    for (int a = 0; a < n; a++) {
        if (e->zeno.passed[w->con.active[a]].Lambda_N > 0.0) {
            report_accumulation(e, x, w->con.active[a], c);
        }
    }
    for (int k = 0; k < e->s->m->n_dof; k++) { /* at t + T it is where the clatter ends */
        e->zeno.shift[k] -= x->u[k] * c->t;
    }
    sp_kin_advance(e->s->m, 1.0, e->zeno.shift, x->q);
}

/* ---- hops and what is reported later --------------------------------------------------------- */

void sp_zeno_begin(sp_events *e)
{
    memset(e->zeno.gap, 0, (size_t)e->s->m->n_slot * sizeof *e->zeno.gap);
}

void sp_zeno_forget(sp_events *e, int i)
{
    e->zeno.hops[i] = (sp_hops){.t_hit = -INFINITY};
}

void sp_zeno_swap(sp_events *e, int i, int j)
{
    SP_SWAP(sp_hops, e->zeno.hops, i, j);
}

void sp_zeno_count_hops(sp_events *e, const sp_state *x, int first_event)
{
    const sp_work *w = e->s->w;
    for (int k = first_event; k < w->n_event; k++) {
        const sp_event *event = &w->event[k];
        sp_hops *h = &e->zeno.hops[event->slot];
        if (event->kind != SP_EVENT_IMPACT || !(x->t > h->t_hit)) {
            continue;
        }
        const double flight = x->t - h->t_hit;
        const double noise = 2.0 * SP_IN_TIME * (1.0 + fabs(x->t)); /* of the difference of both */
        if (!(h->ratio > 0.0 && fabs(h->flight - flight) <= noise)) { /* else it is as it was */
            h->ratio = h->flight > 0.0 && isfinite(flight) ? flight / h->flight : 0.0;
        }
        h->flight = isfinite(flight) ? flight : 0.0;
        h->row = h->ratio > 0.0 && h->ratio < 1.0 ? h->row + 1.0 : 0.0;
        h->t_hit = x->t;
    }
}

void sp_zeno_defer(sp_events *e, const sp_event *event)
{
    int k = e->zeno.n_deferred;
    if (event->kind == SP_EVENT_ZENO) {
        sp_fallback_forgive(e, e->zeno.hops[event->slot].row);
        e->zeno.hops[event->slot].row = 0.0;
    }
    if (k == 2 * e->s->m->n_slot) { /* more than anybody waits for: the first one is reported */
        sp_zeno_report(e, e->zeno.deferred[0].t);
        k = e->zeno.n_deferred;
    }
    if (k ==
        2 * e->s->m->n_slot) { /* there is no room to report it: the last one is not waited for */
        k = --e->zeno.n_deferred;
    }
    for (; k > 0 && e->zeno.deferred[k - 1].t > event->t; k--) {
        e->zeno.deferred[k] = e->zeno.deferred[k - 1];
    }
    e->zeno.deferred[k] = *event;
    e->zeno.n_deferred++;
}

void sp_zeno_defer_closing(sp_events *e)
{
    sp_work *w = e->s->w;
    const sp_event close = w->event[w->n_event - 1];
    for (int k = 0; k < e->zeno.n_deferred; k++) {
        if (e->zeno.deferred[k].slot == close.slot && e->zeno.deferred[k].kind == SP_EVENT_ZENO) {
            sp_event later = close;
            later.t = e->zeno.deferred[k].t;
            w->n_event--;
            sp_zeno_defer(e, &later);
            return;
        }
    }
}

void sp_zeno_report(sp_events *e, double now)
{
    sp_work *w = e->s->w;
    int n = 0;
    while (n < e->zeno.n_deferred && e->zeno.deferred[n].t <= now && w->n_event < w->event_room) {
        w->event[w->n_event++] = e->zeno.deferred[n++];
    }
    e->zeno.n_deferred -= n;
    memmove(e->zeno.deferred, e->zeno.deferred + n,
            (size_t)e->zeno.n_deferred * sizeof *e->zeno.deferred);
}
