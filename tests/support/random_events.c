#include "support/random_events.h"

#include "integrators/event.h"
#include "support/run.h"

#include <stdio.h>
#include <stdlib.h>

#define TOLERANCE   1e-9
#define PENETRATION 1e-9  /* m                                       */
#define CLOSURE     1e-6  /* of the largest energy                   */
#define ROUND_OFF   1e-12 /* of the largest energy                  */

enum { STEPS_MAX = 200000 };

/* What one run came to. */
typedef struct outcome {
    bool finished, skipped;
    int steps, events, handover, jam, choice, zeno, gains, remedies;
    double gap, grown, balance, projection;
    double gained; /* by impacts, of the largest energy, where the model forbids it */
    char message[256];
} outcome;

/* The smallest gap now; machines that begin with less are not looked at. */
static double least_gap(rig *r)
{
    const sp_model *m = r->m;
    double least = INFINITY;
    sp_kin_positions(m, r->x->numbers, r->x->q, &r->w->kin);
    sp_con_at(r->x->t, 1.0, r->x->q, r->x->u, &r->w->con);
    sp_con_gaps(m, r->x->numbers, &r->w->kin, &r->w->con);
    for (int i = 0; i < m->n_slot; i++) {
        const double g = r->w->con.g[i];
        least = g != -INFINITY && g < least ? g : least;
    }
    return least;
}

/* Count events; energy that impacts as a whole, and projections, say they gained. */
static double count(const rig *r, bool print, outcome *o)
{
    double gain = 0.0;
    int id = 0;
    for (int k = 0; k < r->w->n_event; k++) {
        const sp_event *e = &r->w->event[k];
        o->events++;
        o->handover += e->kind == SP_EVENT_HANDOVER;
        o->jam += e->kind == SP_EVENT_JAM;
        o->choice += e->kind == SP_EVENT_CHOICE;
        o->zeno += e->kind == SP_EVENT_ZENO;
        if (e->kind == SP_EVENT_IMPACT && e->impact_id != id) { /* once for all its contacts */
            id = e->impact_id;
            gain += e->impact.gain;
            o->gains += e->impact.gain > 0.0;
            o->remedies += e->impact.remedy != SP_REMEDY_NONE;
        } else if (e->kind == SP_EVENT_PROJECT && e->energy_lost < 0.0) {
            gain -= e->energy_lost;
        }
        if (print) {
            print_message("%.15g %s %s %d->%d N %g v %g %g lost %g\n", e->t, sp_event_name(e->kind),
                          r->m->slot[e->slot].name, e->before, e->after, e->Lambda_N,
                          e->gamma_N_before, e->gamma_N_after, e->energy_lost);
        }
    }
    return gain;
}

/* Work that only takes: friction, impacts, dampers. */
static double taken(const sp_ledger *l)
{
    return l->friction + l->impacts + l->dampers;
}

/* Run machine `number` to 1 s, every step watched. */
static outcome run_case(random_writer write, int number, bool print)
{
    static text file;
    rng random = {1000u + (unsigned)number};
    outcome o = {.gap = INFINITY};
    file.n = 0;
    write(&random, number, &file);
    if (print) {
        fputs(file.s, stderr);
    }
    rig r = rig_of_text("%s", file.s);
    if (least_gap(&r) < -PENETRATION) {
        o.skipped = true;
        rig_free(&r);
        return o;
    }
    sp_events *e;
    sp_error err = {.text = ""};
    sp_status status = sp_events_begin(
        r.m, r.x, r.w, &(sp_events_setup){.smooth.tolerance = TOLERANCE, .until = 1.0}, &e, &err);
    double before = 0.0, moved = 0.0, gain = status == SP_OK ? count(&r, print, &o) : 0.0;
    while (status == SP_OK && r.x->t < 1.0 && o.steps < STEPS_MAX) {
        status = sp_events_step(e, r.x, 1.0, &err);
        status = status == SP_OK ? sp_events_happen(e, r.x, &err) : status;
        gain = status == SP_OK ? count(&r, print, &o) : 0.0;
        if (print && fabs(r.x->ledger.projection - moved) > 1e-9) {
            print_message("  projected %.3g J at %.15g s\n", r.x->ledger.projection - moved,
                          r.x->t);
        }
        moved = r.x->ledger.projection;
        const double now = taken(&r.x->ledger), grown = now - before - gain;
        o.grown = check_worse(o.grown, grown / r.x->ledger.scale);
        if (r.m->impact.scale_gain) {
            o.gained = check_worse(o.gained, gain / r.x->ledger.scale);
        }
        before = now;
        const double gap = least_gap(&r);
        o.gap = gap < o.gap ? gap : o.gap;
        o.steps++;
    }
    o.finished = status == SP_OK && r.x->t >= 1.0;
    o.balance = r.x->ledger.worst_balance;
    o.projection = fabs(r.x->ledger.projection) / r.x->ledger.scale;
    snprintf(o.message, sizeof o.message, "%.200s (t = %.9g)", err.text, r.x->t);
    sp_events_end(e);
    rig_free(&r);
    return o;
}

void events_run_random(random_writer write)
{
    const char *only = getenv("SPECHT_CASE"), *from = getenv("SPECHT_FROM");
    const int first = only ? atoi(only) : from ? atoi(from) : 0;
    const int n = only ? 1 : check_cases(10, from ? 100 : 1000);
    int run = 0, bad = 0, handover = 0, jam = 0, choice = 0, zeno = 0;
    int gains = 0, remedies = 0;
    long events = 0;
    for (int i = first; i < first + n; i++) {
        const outcome o = run_case(write, i, only != NULL);
        if (o.skipped) {
            continue;
        }
        run++;
        handover += o.handover > 0;
        jam += o.jam;
        choice += o.choice;
        zeno += o.zeno;
        gains += o.gains;
        remedies += o.remedies;
        events += o.events;
        const bool good = o.finished && o.gap > -PENETRATION && o.grown < CLOSURE &&
                          o.balance < CLOSURE && o.projection < CLOSURE && o.gained < ROUND_OFF;
        if (!good || only || (getenv("SPECHT_TELL") && o.handover + o.jam > 0)) {
            print_message("case %d: %s, %d steps, %d events, %d handovers, gap %.1e, grown %.1e, "
                          "gained %.1e, balance %.1e, projection %.1e, %s\n",
                          i, o.finished ? "finished" : "NOT FINISHED", o.steps, o.events,
                          o.handover, o.gap, o.grown, o.gained, o.balance, o.projection, o.message);
        }
        bad += !good;
    }
    print_message("%d machines, %ld events, %d zeno, %d jams, %d choices, %d with handovers, %d "
                  "impacts that gained, %d with other coefficients\n",
                  run, events, zeno, jam, choice, handover, gains, remedies);
    assert_true(run >= n / 2 || only);
    assert_int_equal(bad, 0);
}
