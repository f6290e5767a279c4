#include "cli/report.h"

#include "analysis/freedom.h"
#include "cli/judge.h"
#include "cli/talk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void sp_report_header(const sp_machine *machine, const sp_run_options *options)
{
    const sp_model *m = machine->model;
    const int free = sp_freedom(m, machine->state, NULL);
    char contacts[32];
    sp_cli_count_text(m->n_slot, contacts, sizeof contacts);
    printf("  %s   %d dof, %s contact%s   %s%s, ", m->name[0] ? m->name : m->source_file,
           free == SP_NONE ? m->n_dof : free, contacts, m->n_slot == 1 ? "" : "s",
           options->chosen ? "auto: " : "", sp_method_name(options->method));
    if (options->step > 0.0) {
        printf("step %.4g s", options->step);
    } else {
        printf("tolerance %.4g", options->tolerance);
    }
    if (options->chosen) {
        printf("   (%s)", options->why);
    }
    printf("\n");
    fflush(stdout);
}

/* ---- energy -------------------------------------------------------------------------------- */

enum { TERM_MAX = 7 };

/* A share of the balance: work on the machine, > 0: it came in. */
typedef struct term {
    const char *name;
    double work;
} term;

/* What the numbers of the line are printed with. */
typedef struct scale {
    double unit; /* J                              */
    const char *name;
    int digits;   /* behind the point                */
    double least; /* what is smaller is round-off, J */
} scale;

/* A unit and digits for numbers of size up to largest: five digits in all. */
static scale choose_scale(double largest)
{
    static const scale unit[] = {{.unit = 1e-9, .name = "nJ"}, {.unit = 1e-6, .name = "uJ"},
                                 {.unit = 1e-3, .name = "mJ"}, {.unit = 1.0, .name = "J"},
                                 {.unit = 1e3, .name = "kJ"},  {.unit = 1e6, .name = "MJ"},
                                 {.unit = 1e9, .name = "GJ"}};
    enum { N = sizeof unit / sizeof *unit, JOULE = 3 };
    int i = JOULE;
    for (; largest > 0.0 && i > 0 && largest < 0.1 * unit[i].unit; i--) {
    }
    for (; i < N - 1 && largest >= 1000.0 * unit[i].unit; i++) {
    }
    scale s = unit[i];
    const double size = largest / s.unit;
    s.digits = !(size >= 1.0) ? 5 : size < 10.0 ? 4 : size < 100.0 ? 3 : 2;
    s.least = 1e-13 * largest;
    return s;
}

/* Print a number of the line; one that would lose its digits is printed short instead. */
static void print_energy(const scale *s, double value)
{
    const double number = value / s->unit;
    if (number != 0.0 && fabs(number) < 10.0 * pow(10.0, -s->digits)) {
        printf("%.1g", number);
    } else if (fabs(number) >= 1e7) {
        printf("%.4g", number);
    } else {
        printf("%.*f", s->digits, number);
    }
}

/* Print the terms of one sign, each with a plus before it. */
static void print_terms(const scale *s, const term *t, int n, double sign)
{
    for (int i = 0; i < n; i++) {
        if (sign * t[i].work > s->least) {
            printf(" + ");
            print_energy(s, sign * t[i].work);
            printf(" %s", t[i].name);
        }
    }
}

/* "7.4955 J = 7.1840 kept + 0.2930 impacts + 0.0185 friction   (closes to 4e-16)": left what was
 * there and came in, right where it is. */
static void print_ledger(const sp_ledger *l)
{
    const term t[TERM_MAX] = {
        {"impacts", l->impacts},          {"friction", l->friction}, {"dampers", l->dampers},
        {"applied", l->applied},          {"driven", l->driven},     {"projection", l->projection},
        {"step error", l->discretisation}};
    double largest = fmax(fabs(l->initial), fabs(l->kinetic + l->potential));
    for (int i = 0; i < TERM_MAX; i++) {
        largest = fmax(largest, fabs(t[i].work));
    }
    const scale s = choose_scale(largest);
    printf("  energy   ");
    print_energy(&s, l->initial);
    printf(" %s", s.name);
    print_terms(&s, t, TERM_MAX, 1.0);
    printf(" = ");
    print_energy(&s, l->kinetic + l->potential);
    printf(" kept");
    print_terms(&s, t, TERM_MAX, -1.0);
    printf("   (closes to %.1g)\n", l->worst_balance);
}

/* ---- for people ---------------------------------------------------------------------------- */

/* Where the motion that was found may not be the only one. */
static void print_uniqueness(const sp_model *m, const sp_uniqueness *d)
{
    const bool named = d->slot >= 0 && d->slot < m->n_slot;
    if (d->open > 0) {
        printf("  uniqueness not proven at %ld of %ld changes of contacts (first at t = %.6g "
               "s%s%s%s): "
               "one motion was found, others were sought in part\n",
               d->open, d->problems, d->t, named ? ", '" : "", named ? m->slot[d->slot].name : "",
               named ? "'" : "");
    }
}

/* Events that are no changes of contacts: how often, and the first. */
static void print_tally(const sp_model *m, const char *what, const char *kind, const sp_tally *a)
{
    if (a->n > 0) {
        printf("  %s %ld time%s (first at t = %.6g s, '%s'): specht events --kind %s\n", what, a->n,
               a->n == 1 ? "" : "s", a->t, m->slot[a->slot].name, kind);
    }
}

/* Where `auto` left events for adaptive steps, and what it goes on with. */
static void print_dense(const sp_model *m, const sp_run_summary *s)
{
    if (s->dense.n > 0) {
        printf("  handed over to adaptive steps %ld time%s (first at t = %.6g s, '%s', %.3g events "
               "per second), %s at the end: specht events --kind handover\n",
               s->dense.n, s->dense.n == 1 ? "" : "s", s->dense.t, m->slot[s->dense.slot].name,
               s->rate, s->stepping ? "adaptive" : "from event to event");
    }
}

void sp_report_text(const sp_machine *machine, const sp_report *report)
{
    const sp_run_summary *s = &report->summary;
    char steps[32], events[32];
    sp_cli_count_text(s->steps, steps, sizeof steps);
    sp_cli_count_text(s->events, events, sizeof events);
    printf("  t = %.6g s   %s step%s   %s event%s%s   %.3g s\n", s->t, steps,
           s->steps == 1 ? "" : "s", events, s->events == 1 ? "" : "s",
           report->options.resume ? " since the start" : "", report->seconds);
    print_ledger(&machine->state->ledger);
    printf("  worst step: complementarity %.1g, friction cone %.1g, momentum %.1g, penetration "
           "%.1g m\n",
           s->worst.complementarity, s->worst.cone, s->worst.momentum, s->worst.gap);
    print_tally(machine->model, "one of several motions taken", "choice", &s->choice);
    print_tally(machine->model, "accumulating impacts passed", "zeno", &s->zeno);
    print_dense(machine->model, s);
    print_uniqueness(machine->model, &s->unique);
    sp_judge_print(s->doubt, "  doubtful: ", stdout);
    if (report->file) {
        printf("  %s   %s specht plot %s   specht events %s\n", report->file, sp_cli_arrow(),
               report->file, report->file);
    }
}

/* ---- for programs -------------------------------------------------------------------------- */

/* The ledger by element, at the state that is looked at. */
static void json_elements(sp_json *j, const sp_machine *machine)
{
    const sp_model *m = machine->model;
    const sp_state *x = machine->state;
    double *line = calloc((size_t)m->n_line + 1, SP_LINE_COLUMNS * sizeof *line);
    if (line) {
        sp_dyn_lines(m, x->numbers, &machine->view->kin, x->t, x->q, x->u, x->book,
                     &machine->view->dyn, line);
    }
    sp_json_array(j, "elements");
    for (int i = 0; i < m->n_line && line; i++) {
        const double *of = line + (size_t)SP_LINE_COLUMNS * (size_t)i;
        sp_json_object(j, NULL);
        sp_json_text(j, "name", m->line[i].name);
        sp_json_number(j, "stored", of[SP_LINE_STORED]);
        sp_json_number(j, "dampers", of[SP_LINE_DAMPERS]);
        sp_json_number(j, "applied", of[SP_LINE_APPLIED]);
        sp_json_end(j);
    }
    sp_json_end(j);
    free(line);
}

/* All lines of the ledger, then those by element. */
static void json_energy(sp_json *j, const sp_machine *machine)
{
    const sp_ledger *l = &machine->state->ledger;
    sp_json_object(j, "energy");
    sp_json_number(j, "initial", l->initial);
    sp_json_number(j, "kinetic", l->kinetic);
    sp_json_number(j, "potential", l->potential);
    sp_json_number(j, "dampers", l->dampers);
    sp_json_number(j, "applied", l->applied);
    sp_json_number(j, "driven", l->driven);
    sp_json_number(j, "friction", l->friction);
    sp_json_number(j, "impacts", l->impacts);
    sp_json_number(j, "projection", l->projection);
    sp_json_number(j, "discretisation", l->discretisation);
    sp_json_number(j, "balance", l->balance);
    sp_json_number(j, "closure", l->worst_balance);
    sp_json_number(j, "worst_contact_work", l->worst_work);
    json_elements(j, machine);
    sp_json_end(j);
}

/* The worst certificate; where it does not hold also when, and at which contact. */
static void json_certificate(sp_json *j, const sp_model *m, const sp_run_summary *s)
{
    const sp_certificate *c = &s->worst;
    const bool holds = c->complementarity <= SP_CERTIFIED && c->cone <= SP_CERTIFIED &&
                       c->momentum <= SP_CERTIFIED;
    sp_json_object(j, "certificate");
    sp_json_number(j, "complementarity", c->complementarity);
    sp_json_number(j, "cone", c->cone);
    sp_json_number(j, "dissipation", c->dissipation);
    sp_json_number(j, "momentum", c->momentum);
    sp_json_number(j, "gap", c->gap);
    if (!holds) {
        sp_json_number(j, "t", s->t_worst);
        sp_json_text(j, "contact",
                     c->at > 0 && c->at <= m->n_slot + m->n_bond ? m->slot[c->at - 1].name : NULL);
    }
    sp_json_end(j);
}

/* Changes of contacts of an event-driven run, and at how many of them the motion that was found is
 * not proven to be the only one. */
static void json_uniqueness(sp_json *j, const sp_model *m, const sp_uniqueness *d)
{
    sp_json_object(j, "uniqueness");
    sp_json_integer(j, "problems", d->problems);
    sp_json_integer(j, "not_proven", d->open);
    if (d->open > 0) {
        sp_json_number(j, "t", d->t);
        sp_json_text(j, "contact",
                     d->slot >= 0 && d->slot < m->n_slot ? m->slot[d->slot].name : NULL);
    }
    sp_json_end(j);
}

/* The same as an object. */
static void json_tally(sp_json *j, const char *key, const sp_model *m, const sp_tally *a)
{
    sp_json_object(j, key);
    sp_json_integer(j, "n", a->n);
    if (a->n > 0) {
        sp_json_number(j, "t", a->t);
        sp_json_text(j, "contact", m->slot[a->slot].name);
    }
    sp_json_end(j);
}

/* The reasons to doubt the run, and those that were accepted beforehand. */
static void json_doubts(sp_json *j, const sp_report *report)
{
    sp_json_array(j, "doubts");
    for (int k = 0; k < SP_DOUBT_N; k++) {
        const sp_doubt *d = &report->summary.doubt[k];
        if (d->n > 0) {
            sp_json_object(j, NULL);
            sp_json_text(j, "kind", sp_doubt_name((sp_doubt_kind)k));
            sp_json_integer(j, "n", d->n);
            sp_json_number(j, "t", d->t);
            sp_json_number(j, "size", d->size);
            sp_json_text(j, "place", d->place[0] ? d->place : NULL);
            sp_json_bool(j, "accepted", report->accept[k]);
            sp_json_end(j);
        }
    }
    sp_json_end(j);
}

/* Where `auto` left events for adaptive steps. */
static void json_dense(sp_json *j, const sp_model *m, const sp_run_summary *s)
{
    sp_json_object(j, "dense_events");
    sp_json_integer(j, "n", s->dense.n);
    if (s->dense.n > 0) {
        sp_json_number(j, "t", s->dense.t);
        sp_json_number(j, "rate", s->rate);
        sp_json_text(j, "contact", m->slot[s->dense.slot].name);
        sp_json_text(j, "method", s->stepping ? "adaptive" : "event");
    }
    sp_json_end(j);
}

void sp_report_json(const sp_machine *machine, const sp_report *report)
{
    const sp_run_summary *s = &report->summary;
    sp_json j;
    sp_json_init(&j, stdout);
    sp_json_object(&j, NULL);
    sp_json_text(&j, "status", report->status);
    if (report->message) {
        sp_json_text(&j, "message", report->message);
    }
    sp_json_text(&j, "name", machine->model->name);
    sp_json_text(&j, "method", sp_method_name(report->options.method));
    sp_json_number(&j, "step", report->options.step);
    sp_json_number(&j, "tolerance", report->options.tolerance);
    if (report->options.resume) {
        sp_json_number(&j, "resumed_at", report->resumed_at);
    }
    sp_json_number(&j, "t", s->t);
    sp_json_integer(&j, "steps", s->steps);
    sp_json_integer(&j, "events", s->events);
    sp_json_integer(&j, "solves", s->solves);
    json_doubts(&j, report);
    json_uniqueness(&j, machine->model, &s->unique);
    json_tally(&j, "choices", machine->model, &s->choice);
    json_tally(&j, "accumulations", machine->model, &s->zeno);
    json_tally(&j, "handovers", machine->model, &s->handover);
    json_dense(&j, machine->model, s);
    json_energy(&j, machine);
    json_certificate(&j, machine->model, s);
    sp_json_object(&j, "state");
    sp_machine_json_state(&j, machine);
    sp_json_end(&j);
    sp_json_number(&j, "seconds", report->seconds);
    sp_json_text(&j, "file", report->file);
    sp_json_text(&j, "version", sp_version());
    sp_json_end(&j);
    putchar('\n');
}
