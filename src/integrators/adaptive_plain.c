/* integrators/adaptive_plain.c - a step in which contacts change: one of moreau-mean, held against
 * two of half the length.   theory (17.14) */
#include "base/status.h"
#include "contact/coefficient.h"
#include "integrators/adaptive_parts.h"

#include <string.h>

enum { TURNS = 1000 }; /* that are looked at                                     */
#define CALM 1e-6      /* of the first speed: what is left when they are over    */

#define DISTANCE                                                                                   \
    2.0 /* times the distance from two halves: the error where an impact falls worst               \
         */

/* Whether the problem just solved is an impact in which contacts take part that slid before and
 * have restitution along. */
static bool strikes_what_slides(const sp_model *m, const sp_state *y, const sp_work *w)
{
    const sp_con *con = &w->con;
    bool hit = false, slides = false;
    for (int a = 0; a < con->n_active - m->n_bond; a++) {
        const int slot = con->active[a], law = m->slot[slot].law;
        const bool open = !sp_step_lasts(m, y, slot);
        hit |= open && w->sol.P[con->row[a]] > 0.0;
        slides |= !open && law != SP_NONE && y->contact[slot].state == SP_STATE_SLIP &&
                  y->numbers->law[law].eps_T > 0.0;
    }
    return hit && slides;
}

/* The percussions of a step of dt from y; those of an impact with the restitution along of what
 * slid before.   theory (41.3) */
static sp_status solve(const sp_model *m, const sp_state *y, double dt, sp_work *w, sp_error *err)
{
    SP_TRY(sp_moreau_solve(m, y, w, SP_METHOD_MOREAU_MEAN, dt, err));
    if (w->rest || !strikes_what_slides(m, y, w)) {
        return SP_OK;
    }
    w->struck = true;
    const sp_status status = sp_moreau_solve(m, y, w, SP_METHOD_MOREAU_MEAN, dt, err);
    w->struck = false;
    return status;
}

/* Whether a contact of the step from x that was just taken was struck in it: it has an impulse, and
 * was open and moved before.  Rows of couplings have no gap that they could leave. */
static bool is_struck(const sp_model *m, const sp_state *x, const sp_hit *hit)
{
    return m->slot[hit->slot].law != SP_NONE && !hit->dry && !sp_step_lasts(m, x, hit->slot) &&
           hit->P[0] > 0.0 && fabs(hit->approach) > hit->v_rest;
}

/* What contact a, struck by a unit of normal impulse with the friction it had, does to the normal
 * velocity of contact b. */
static double effect(const sp_work *w, int a, int b)
{
    const sp_con *con = &w->con;
    const double *G = con->G + (size_t)con->row[b] * (size_t)con->n_row + (size_t)con->row[a];
    double sum = G[0];
    for (int k = 1; k < con->row[a + 1] - con->row[a] && k < 3; k++) {
        sum += G[k] * w->hit[a].P[k] / w->hit[a].P[0];
    }
    return sum;
}

/* Strike one contact alone after the other, each time the one that comes fastest, which of two is
 * the other one; whether all that is left of their speeds is less than CALM of the first.
 * gamma: n_hit, their normal velocities.   theory (56.7) */
static bool calms_down(const sp_model *m, const sp_state *x, const sp_work *w, double *gamma)
{
    double first = 0.0;
    for (int turn = 0; turn < TURNS; turn++) {
        int a = -1;
        double most = 0.0;
        for (int k = 0; k < w->n_hit; k++) {
            if (is_struck(m, x, &w->hit[k])) {
                most = larger(most, fabs(gamma[k]));
                a = gamma[k] < 0.0 && (a < 0 || gamma[k] < gamma[a]) ? k : a;
            }
        }
        first = turn == 0 ? most : first;
        if (most <= CALM * first) {
            return true;
        }
        if (a < 0 || !(effect(w, a, a) > 0.0)) {
            return false; /* they leave each other */
        }
        const double Lambda = -(1.0 + w->hit[a].eps_N) * gamma[a] / effect(w, a, a);
        for (int k = 0; k < w->n_hit; k++) {
            gamma[k] += is_struck(m, x, &w->hit[k]) ? effect(w, a, k) * Lambda : 0.0;
        }
    }
    return false;
}

/* Whether the impulses of a contact that comes to rest depend on the way there: restitution along,
 * friction by speed. */
static bool depends_on_the_way(const sp_model *m, const sp_state *x, int slot)
{
    return x->numbers->law[m->slot[slot].law].eps_T > 0.0 || sp_con_by_speed(m, slot);
}

/* Whether the step just taken strikes contacts that are hit by turns, without end and nearer to
 * each other than steps can tell: one of them still goes away from its last impact.
 * theory (56.6) */
static bool goes_by_turns(const sp_model *m, const sp_state *x, const sp_work *w, sp_stepper *s)
{
    bool comes = false, goes = false;
    for (int k = 0; k < w->n_hit && w->con.G; k++) {
        const bool struck = is_struck(m, x, &w->hit[k]);
        s->gamma_A[k] = w->hit[k].approach;
        comes |= struck && w->hit[k].approach < 0.0;
        goes |= struck && w->hit[k].approach > 0.0;
        if (struck && depends_on_the_way(m, x, w->hit[k].slot)) {
            return false;
        }
    }
    return comes && goes && calms_down(m, x, w, s->gamma_A);
}

/* Keep what contacts had to spare in the first half of a step. */
static void keep_spare(const sp_model *m, const sp_work *w, sp_stepper *s)
{
    for (int i = 0; i < 2 * m->n_slot; i++) {
        s->spare[i] = NAN;
    }
    for (int k = 0; k < w->n_hit; k++) {
        s->spare[2 * w->hit[k].slot] = w->hit[k].spare[0];
        s->spare[2 * w->hit[k].slot + 1] = w->hit[k].spare[1];
    }
}

/* Steps of dt in which contacts change, from y on, which is at x; what lasts is put onto its
 * contacts. */
static sp_status go(const sp_model *m, const sp_state *x, int n, double dt, sp_work *w,
                    sp_stepper *s, sp_state *y, sp_error *err)
{
    sp_status status = SP_OK;
    w->dyn.z = y->z;
    w->margin = SP_GAP_ACTIVE; /* corners that touch together take part together */
    w->lead = true;
    for (int i = 0; i < n && status == SP_OK; i++) {
        sp_trial_hold(m, y);
        status = solve(m, y, dt, w, err);
        status = status == SP_OK ? sp_moreau_finish(m, y, w, dt, err) : status;
        if (i == 0 && n > 1) {
            keep_spare(m, w, s);
        }
        s->turns = status == SP_OK && !w->corrected && goes_by_turns(m, x, w, s);
        status = status == SP_OK ? sp_trial_settle_state(m, dt, w, s, y, err) : status;
    }
    w->margin = 0.0;
    w->lead = false;
    return status;
}

/* Keep the end of a trial. */
static void keep(const sp_model *m, const sp_state *y, int j, sp_stepper *s)
{
    memcpy(s->q_end[j], y->q, (size_t)m->n_q * sizeof(double));
    memcpy(s->u_end[j], y->u, (size_t)m->n_dof * sizeof(double));
    memcpy(s->z_end[j], y->z, (size_t)m->n_aux * sizeof(double));
}

/* The first impact or jam that the step just taken tells, s; infinity: none. */
static double first_impact(const sp_work *w)
{
    double t = INFINITY;
    for (int i = 0; i < w->n_event; i++) {
        const sp_event_kind kind = w->event[i].kind;
        const bool jumps = kind == SP_EVENT_IMPACT || kind == SP_EVENT_JAM;
        t = jumps && w->event[i].t < t ? w->event[i].t : t;
    }
    return t;
}

/* When contacts let go in the step of dt from x that was just taken, of which the first half is in
 * s: with its impact, if there is one, else where what they had to spare is used up, if it falls on
 * a straight line.   theory (60.8) */
static void time_letting_go(const sp_state *x, double dt, const sp_stepper *s, sp_work *w)
{
    const double t_hit = first_impact(w);
    for (int i = 0; i < w->n_event; i++) {
        sp_event *e = &w->event[i];
        const bool opens = e->kind == SP_EVENT_OPEN && !(e->t < x->t + dt);
        if (!opens && !(e->kind == SP_EVENT_SLIP && e->before == SP_STATE_STICK)) {
            continue;
        }
        if (t_hit < INFINITY) {
            e->t = t_hit;
            continue;
        }
        int k = 0;
        while (k < w->n_hit && w->hit[k].slot != e->slot) {
            k++;
        }
        if (k == w->n_hit) {
            continue;
        }
        const double half = 2.0 * s->spare[2 * e->slot + (opens ? 0 : 1)];
        const double whole = w->hit[k].spare[opens ? 0 : 1];
        const double part = 0.25 * (2.0 * half - whole) / (half - whole);
        if (half > whole && part < 1.0) {
            e->t = x->t + larger(0.0, part) * dt;
        }
    }
    sp_step_sort_events(w);
}

/* Whether all that was hit in the step just taken would hop no further than the tolerance, in all
 * its hops: accumulations of impacts end here.   theory (17.14) */
static bool comes_to_rest(const sp_work *w, double dt, double least)
{
    bool any = false;
    for (int k = 0; k < w->n_hit; k++) {
        const sp_hit *hit = &w->hit[k];
        if (!(hit->P[0] > 0.0) || hit->dry || !(hit->approach < 0.0) || !(hit->eps_N > 0.0)) {
            continue;
        }
        const double v = -hit->eps_N * hit->approach, pull = hit->pull / dt;
        any = true;
        if (!(pull > 0.0 && v * v <= least * pull * (1.0 - hit->eps_N))) {
            return false;
        }
    }
    return any;
}

/* The load that a contact had before the step just taken and has no more from its first half on, as
 * where its contour ends.   theory (60.9) */
static double lost_load(const sp_model *m, const sp_state *x, double factor, const sp_hit *hit,
                        const sp_stepper *s)
{
    const sp_contact_memory *c = &x->contact[hit->slot];
    if (hit->bears || hit->dry || !sp_contact_loaded(m, hit->slot, c)) {
        return 0.0;
    }
    return s->spare[2 * hit->slot] <= 0.0 ? factor * c->P_N : 0.0;
}

/* The most that friction changes where it lets go or turns round in the step just taken, what a
 * bond pulls with that breaks in it, and loads that end with their contours, over the tolerance:
 * when they did so in the step is not known.   theory (17.14), (42.5), (60.9) */
static double letting_go(const sp_model *m, const sp_state *x, double factor, double least,
                         const sp_work *w, const sp_stepper *s)
{
    double worst = 0.0;
    for (int k = 0; k < w->n_hit; k++) {
        const sp_hit *hit = &w->hit[k];
        const sp_contact_memory *c = &x->contact[hit->slot];
        const double along = hit->P[1] * c->P_T + hit->P[2] * c->P_T2;
        worst = larger(worst, lost_load(m, x, factor, hit, s) / w->sol.rho[k]);
        if (hit->tears && c->state != SP_STATE_OPEN) {
            worst = larger(worst, fabs(hit->P[0]) / w->sol.rho[k]);
            continue;
        }
        const bool turns = (hit->dry ? hit->P[0] * c->P_N : along) < 0.0;
        if (!hit->slides || hit->impact || c->state == SP_STATE_OPEN ||
            (c->state == SP_STATE_SLIP && !turns)) {
            continue;
        }
        const double d_T = hypot(hit->P[1] - factor * c->P_T, hit->P[2] - factor * c->P_T2);
        const double d_P = hit->dry ? fabs(hit->P[0] - factor * c->P_N) : d_T;
        worst = larger(worst, d_P / w->sol.rho[k]);
    }
    return worst > 0.0 ? worst / least : 0.0; /* from rest least is none, too */
}

/* The fastest that a threshold was which the step just taken puts to rest, over the tolerance: it
 * may have swung to and fro in the step instead.   theory (31.4) */
static double put_to_rest(const sp_model *m, const sp_state *x, const sp_state *y, double least,
                          const sp_work *w)
{
    double worst = 0.0;
    for (int k = 0; k < w->n_hit; k++) {
        const int slot = w->hit[k].slot;
        if (m->slot[slot].kind == SP_SLOT_THRESHOLD && x->contact[slot].state != SP_STATE_STICK &&
            y->contact[slot].state == SP_STATE_STICK) {
            worst = larger(worst, fabs(w->hit[k].gamma_A[0]));
        }
    }
    return worst > 0.0 ? worst / least : 0.0; /* from rest least is none, too */
}

/* Whether a gap passed zero behind the middle of the step: it is hit in the next one only. */
static bool comes_too_late(const sp_model *m, const sp_state *y)
{
    for (int i = 0; i < m->n_slot; i++) {
        if (y->contact[i].crossed) {
            return true;
        }
    }
    return false;
}

/* The error of the plain step in s->y, whose ends are kept, over the tolerance; NaN stays. */
static double judge(const sp_model *m, const sp_state *x, double dt, double tolerance,
                    const sp_work *w, const sp_stepper *s)
{
    static const double difference[SP_ROWS_EXTRAPOLATED] = {1.0, -1.0, 0.0};
    const double least = tolerance * s->speed;
    double more = put_to_rest(m, x, &s->y, least, w);
    if (x->control.dt_last > 0.0) {
        more = larger(more, letting_go(m, x, sp_trial_factor(x, dt), least, w, s));
    }
    return larger(more, DISTANCE * sp_trial_error(m, &x->control, difference, s) / tolerance);
}

/* What was set for a plain step is as it was. */
static void be_done(const sp_state *x, sp_work *w)
{
    w->rest = false;
    w->remedy = SP_REMEDY_NONE;
    w->creep = w->jam = 0.0;
    w->dyn.z = x->z;
}

/* Why a step that ended so is to be tried without restitution: those of several contacts contradict
 * each other, or, where no shorter step is left, its impact has no solution with friction.
 * theory (31.5) */
static sp_impact_remedy remedy_for(sp_status status, bool shortest)
{
    return status == SP_E_INFEASIBLE                  ? SP_REMEDY_INFEASIBLE
           : status == SP_E_NOT_CONVERGED && shortest ? SP_REMEDY_UNSOLVED
                                                      : SP_REMEDY_NONE;
}

sp_status sp_plain_step(const sp_model *m, const sp_state *x, double dt, double tolerance,
                        bool shortest, sp_work *w, sp_stepper *s, double *error, sp_error *err)
{
    const double factor = sp_trial_factor(x, dt);
    sp_state *y = &s->y;
    w->creep = tolerance;
    sp_trial_copy(m, x, factor, y);
    sp_status status = go(m, x, 1, dt, w, s, y, err);
    *error = INFINITY;
    w->remedy = status == SP_OK && s->turns ? SP_REMEDY_TURNS : remedy_for(status, shortest);
    if (w->remedy != SP_REMEDY_NONE) {
        w->rest = true;
        sp_trial_copy(m, x, factor, y);
        status = go(m, x, 1, dt, w, s, y, err);
    }
    if (status == SP_OK) {
        bool moved;
        const bool rest = !w->rest && comes_to_rest(w, dt, tolerance * s->length);
        const sp_jam jam = sp_jam_suspect(tolerance, w, s);
        const bool fails =
            comes_too_late(m, y) || sp_trial_dips(m, x, y, dt, w, s, &moved) ||
            (!rest && !sp_trial_lasts(m, y, y->q, y->u, SP_PROBE * dt, SP_PROBE, w, s));
        w->jam = sp_jam_stays(m, x, dt, &jam, w, s) ? jam.least : 0.0;
        if (fails) {
            sp_trial_copy(m, x, factor, y); /* in w is what was looked at behind it */
            status = go(m, x, 1, dt, w, s, y, err);
            be_done(x, w);
            return status;
        }
        w->rest = w->rest || rest;
    }
    sp_trial_copy(m, x, 0.5 * factor, y);
    status = status == SP_OK ? go(m, x, 2, 0.5 * dt, w, s, y, err) : status;
    keep(m, y, 1, s);
    sp_trial_copy(m, x, factor, y);
    status = status == SP_OK ? go(m, x, 1, dt, w, s, y, err) : status;
    keep(m, y, 0, s);
    keep(m, y, 2, s);
    be_done(x, w);
    *error = judge(m, x, dt, tolerance, w, s);
    if (status == SP_OK) {
        time_letting_go(x, dt, s, w);
    }
    return status;
}

void sp_plain_accept(const sp_model *m, double dt, const sp_stepper *s, sp_state *x)
{
    const sp_state *y = &s->y;
    memcpy(x->q, y->q, (size_t)m->n_q * sizeof(double));
    memcpy(x->u, y->u, (size_t)m->n_dof * sizeof(double));
    memcpy(x->z, y->z, (size_t)m->n_aux * sizeof(double));
    memcpy(x->book, y->book, (size_t)m->n_book * sizeof(double));
    memcpy(x->g, y->g, (size_t)m->n_slot * sizeof(double));
    memcpy(x->contact, y->contact, (size_t)(m->n_slot + m->n_bond) * sizeof *x->contact);
    x->t = y->t;
    x->step = y->step;
    x->n_touched = y->n_touched;
    x->n_impact = y->n_impact;
    x->ledger = y->ledger;
    x->control.dt_last = dt;
}
