/* Random scenes in space, event-driven: balls, bodies with corners and shafts on floors, walls and
 * in bowls, with all laws of friction; all finish, energy comes from nowhere but impacts that say
 * so, nothing penetrates, and friction opposes slip.
 *
 * SPECHT_CASE=17 runs that machine alone and prints it with its events. */
#include "integrators/event.h"
#include "support/check.h"
#include "support/machine.h"
#include "support/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOLERANCE   1e-9
#define PENETRATION 1e-9 /* m                                       */
#define CLOSURE     1e-6 /* of the largest energy                   */

enum { STEPS_MAX = 200000 };

/* A law of friction and impact. */
static void write_law(rng *r, text *out)
{
    const double mu = rng_in(r, 0.05, 0.8), eps = rng_flip(r) ? 0.0 : rng_in(r, 0.1, 0.8);
    const double eps_T = rng_int(r, 4) == 0 ? rng_in(r, 0.0, 0.5) : 0.0;
    switch (rng_int(r, 6)) {
    case 0:
        text_add(out, "{mu: 0, eps_N: %.3g}", eps);
        return;
    case 1:
        text_add(out, "{mu: %.3g, friction: contensou, radius: %.3g, pressure: %s, eps_N: %.3g}",
                 mu, rng_in(r, 0.002, 0.03), rng_flip(r) ? "hertz" : "uniform", eps);
        return;
    case 2:
        text_add(out, "{mu: %.3g, rolling: %.3g, eps_N: %.3g}", mu, rng_in(r, 0.001, 0.01), eps);
        return;
    case 3:
        text_add(out, "{mu: %.3g, mu_2: %.3g, eps_N: %.3g}", mu, rng_in(r, 0.05, 0.8), eps);
        return;
    default:
        text_add(out, "{mu: %.3g, eps_N: %.3g, eps_T: %.3g}", mu, eps, eps_T);
        return;
    }
}

/* A body: a ball, or one with corners. */
static int write_body(rng *r, int i, text *out)
{
    const bool ball = rng_flip(r);
    const int corners = 1 + rng_int(r, 3);
    text_add(out, "  b%d: {mass: %.3g, inertia: [%.3g, %.3g, %.3g], contours: {", i,
             rng_in(r, 0.5, 2.0), rng_in(r, 0.01, 0.015), rng_in(r, 0.01, 0.015),
             rng_in(r, 0.01, 0.015));
    if (ball) {
        text_add(out, "c0: {sphere: 0.1, at: [%.3g, 0, 0]}}}\n", rng_in(r, 0.0, 0.03));
        return 1;
    }
    for (int k = 0; k < corners; k++) {
        text_add(out, "%sc%d: {point: [%.3g, %.3g, %.3g]}", k ? ", " : "", k,
                 rng_in(r, -0.15, 0.15), rng_in(r, -0.15, 0.15), rng_in(r, -0.15, 0.15));
    }
    text_add(out, "}}\n");
    return corners;
}

/* One to three bodies over a floor and before a wall, or in a bowl. */
static void write_scene(rng *r, text *out)
{
    const int n = 1 + rng_int(r, 3);
    const bool bowl = rng_int(r, 3) == 0;
    int corners[3];
    out->n = 0;
    text_add(out, "specht: 1\nunits: off\nspace: spatial\ngravity: [%.3g, 0, -9.81]\nbodies:\n",
             rng_flip(r) ? 0.0 : rng_in(r, -4.0, 4.0));
    text_add(out, "  ground: {contours: {%s}}\n",
             bowl ? "floor: {sphere: 1, inside: yes, at: [0, 0, 1]}"
                  : "floor: {plane: [0, 0, 1]}, wall: {plane: [-1, 0, 0.1], at: [0.6, 0, 0]}");
    for (int i = 0; i < n; i++) {
        corners[i] = write_body(r, i, out);
    }
    text_add(out, "contacts:\n");
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < corners[i]; k++) {
            text_add(out, "  f%d%d: {between: [b%d.c%d, ground.floor], law: ", i, k, i, k);
            write_law(r, out);
            text_add(out, "}\n");
            if (!bowl && rng_flip(r)) {
                text_add(out, "  w%d%d: {between: [b%d.c%d, ground.wall], law: ", i, k, i, k);
                write_law(r, out);
                text_add(out, "}\n");
            }
        }
    }
    text_add(out, "start: {");
    for (int i = 0; i < n; i++) {
        text_add(out, "%sb%d.z: %.3g, b%d.x: %.3g, b%d.y: %.3g", i ? ", " : "", i,
                 rng_in(r, 0.3, 0.5), i, rng_in(r, -0.2, 0.2), i, rng_in(r, -0.2, 0.2));
        text_add(out, ", b%d.vx: %.3g, b%d.vy: %.3g, b%d.omega_x: %.3g, b%d.omega_y: %.3g", i,
                 rng_in(r, -1.0, 1.0), i, rng_in(r, -1.0, 1.0), i, rng_in(r, -9.0, 9.0), i,
                 rng_in(r, -9.0, 9.0));
    }
    text_add(out, "}\n");
}

/* What one run came to. */
typedef struct outcome {
    bool finished, skipped;
    int steps, events, handover, jam, choice, zeno;
    double gap, grown, balance, projection;
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

/* Count events; energy that impacts say they gained. */
static double count(const rig *r, bool print, outcome *o)
{
    double gain = 0.0;
    for (int k = 0; k < r->w->n_event; k++) {
        const sp_event *e = &r->w->event[k];
        o->events++;
        o->handover += e->kind == SP_EVENT_HANDOVER;
        o->jam += e->kind == SP_EVENT_JAM;
        o->choice += e->kind == SP_EVENT_CHOICE;
        o->zeno += e->kind == SP_EVENT_ZENO;
        gain += e->energy_lost < 0.0 ? -e->energy_lost : 0.0;
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

static outcome run_case(int number, bool print)
{
    static text file;
    rng random = {1000u + (unsigned)number};
    outcome o = {.gap = INFINITY};
    write_scene(&random, &file);
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
    sp_status status = sp_events_begin(r.m, r.x, r.w, TOLERANCE, 1.0, &e, &err);
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

static void random_scenes_in_space_run_to_their_end(void **ctx)
{
    (void)ctx;
    const char *only = getenv("SPECHT_CASE"), *from = getenv("SPECHT_FROM");
    const int first = only ? atoi(only) : from ? atoi(from) : 0;
    const int n = only ? 1 : check_cases(10, from ? 100 : 1000);
    int run = 0, bad = 0, handover = 0, jam = 0, choice = 0, zeno = 0;
    long events = 0;
    for (int i = first; i < first + n; i++) {
        const outcome o = run_case(i, only != NULL);
        if (o.skipped) {
            continue;
        }
        run++;
        handover += o.handover > 0;
        jam += o.jam;
        choice += o.choice;
        zeno += o.zeno;
        events += o.events;
        const bool good = o.finished && o.gap > -PENETRATION && o.grown < CLOSURE &&
                          o.balance < CLOSURE && o.projection < CLOSURE;
        if (!good || only || (getenv("SPECHT_TELL") && o.handover + o.jam > 0)) {
            print_message("case %d: %s, %d steps, %d events, %d handovers, gap %.1e, grown %.1e, "
                          "balance %.1e, projection %.1e, %s\n",
                          i, o.finished ? "finished" : "NOT FINISHED", o.steps, o.events,
                          o.handover, o.gap, o.grown, o.balance, o.projection, o.message);
        }
        bad += !good;
    }
    print_message("%d machines, %ld events, %d zeno, %d jams, %d choices, %d with handovers\n", run,
                  events, zeno, jam, choice, handover);
    assert_true(run >= n / 2 || only);
    assert_int_equal(bad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_scenes_in_space_run_to_their_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
