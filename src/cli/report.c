#include "cli/report.h"

#include "cli/talk.h"

#include <string.h>

void sp_report_header(const sp_machine *machine, const char *file, const sp_run_options *options)
{
    const sp_model *m = machine->model;
    const int n = sp_model_n_contact(m);
    const char *name = sp_model_name(m);
    char contacts[32];
    sp_cli_count_text(n, contacts, sizeof contacts);
    printf("  %s   %d dof, %s contact%s   %s%s, ", name[0] ? name : file,
           sp_machine_freedom(machine), contacts, n == 1 ? "" : "s",
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

void sp_report_text(const sp_report *report)
{
    char text[8192];
    sp_run_summary_text(&report->outcome, text, sizeof text);
    for (const char *at = text; *at;) {
        const size_t n = strcspn(at, "\n");
        printf("  %.*s\n", (int)n, at);
        at += n + (at[n] == '\n');
    }
    if (report->file) {
        printf("  %s   %s specht report %s   specht plot %s   specht events %s\n", report->file,
               sp_cli_arrow(), report->file, report->file, report->file);
    }
}

/* ---- for programs -------------------------------------------------------------------------- */

/* All lines of the ledger, then those by element. */
static void json_energy(sp_json *j, const sp_machine *machine, const sp_run_outcome *o)
{
    sp_json_object(j, "energy");
    sp_json_number(j, "initial", o->initial);
    sp_json_number(j, "kinetic", o->kinetic);
    sp_json_number(j, "potential", o->potential);
    sp_json_number(j, "dampers", o->dampers);
    sp_json_number(j, "applied", o->applied);
    sp_json_number(j, "driven", o->driven);
    sp_json_number(j, "friction", o->friction);
    sp_json_number(j, "impacts", o->impacts);
    sp_json_number(j, "projection", o->projection);
    sp_json_number(j, "discretisation", o->discretisation);
    sp_json_number(j, "balance", o->balance);
    sp_json_number(j, "closure", o->closure);
    sp_json_number(j, "worst_contact_work", o->worst_contact_work);
    sp_machine_json_elements(j, machine);
    sp_json_end(j);
}

/* The worst certificate; where and when, if it does not hold. */
static void json_certificate(sp_json *j, const sp_run_outcome *o)
{
    sp_json_object(j, "certificate");
    sp_json_number(j, "complementarity", o->complementarity);
    sp_json_number(j, "cone", o->cone);
    sp_json_number(j, "dissipation", o->dissipation);
    sp_json_number(j, "momentum", o->momentum);
    sp_json_number(j, "gap", o->penetration);
    if (o->worst.n > 0) {
        sp_json_number(j, "t", o->worst.t);
        sp_json_text(j, "contact", o->worst.place[0] ? o->worst.place : NULL);
    }
    sp_json_end(j);
}

/* How often, and the first time and contact, under the key of the number; the object stays open. */
static void json_note(sp_json *j, const char *count, const sp_note *a)
{
    sp_json_integer(j, count, a->n);
    if (a->n > 0) {
        sp_json_number(j, "t", a->t);
        sp_json_text(j, "contact", a->place[0] ? a->place : NULL);
    }
}

/* Events of kinds that are told at the end. */
static void json_notes(sp_json *j, const sp_run_outcome *o)
{
    sp_json_object(j, "uniqueness");
    sp_json_integer(j, "problems", o->changes);
    json_note(j, "not_proven", &o->not_unique);
    sp_json_end(j);
    sp_json_object(j, "choices");
    json_note(j, "n", &o->choice);
    sp_json_end(j);
    sp_json_object(j, "accumulations");
    json_note(j, "n", &o->accumulation);
    sp_json_end(j);
    sp_json_object(j, "divided_at_touches");
    json_note(j, "n", &o->met);
    sp_json_end(j);
    sp_json_object(j, "handovers");
    json_note(j, "n", &o->handover);
    sp_json_end(j);
    sp_json_object(j, "dense_events");
    json_note(j, "n", &o->dense);
    if (o->dense.n > 0) {
        sp_json_number(j, "rate", o->rate);
        sp_json_text(j, "method", o->stepping ? "adaptive" : "event");
    }
    sp_json_end(j);
}

/* The reasons to doubt the run, and those that were accepted beforehand. */
static void json_doubts(sp_json *j, const sp_report *report)
{
    sp_json_array(j, "doubts");
    for (int k = 0; k < SP_DOUBT_N; k++) {
        const sp_doubt *d = &report->outcome.doubt[k];
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

void sp_report_json(const sp_machine *machine, const sp_report *report)
{
    const sp_run_outcome *o = &report->outcome;
    sp_json j;
    sp_json_init(&j, stdout);
    sp_json_object(&j, NULL);
    sp_json_text(&j, "status", sp_run_status_name(o->status));
    if (o->message[0]) {
        sp_json_text(&j, "message", o->message);
    }
    sp_json_text(&j, "name", sp_model_name(machine->model));
    sp_json_text(&j, "method", sp_method_name(report->options.method));
    sp_json_number(&j, "step", report->options.step);
    sp_json_number(&j, "tolerance", report->options.tolerance);
    if (report->options.resume) {
        sp_json_number(&j, "resumed_at", o->t_0);
    }
    sp_json_number(&j, "t", o->t);
    sp_json_integer(&j, "steps", o->steps);
    sp_json_integer(&j, "events", o->events);
    sp_json_integer(&j, "solves", o->solves);
    json_doubts(&j, report);
    json_notes(&j, o);
    json_energy(&j, machine, o);
    json_certificate(&j, o);
    sp_json_object(&j, "state");
    sp_machine_json_state(&j, machine);
    sp_json_end(&j);
    sp_json_number(&j, "seconds", o->seconds);
    sp_json_text(&j, "file", report->file);
    sp_json_text(&j, "version", sp_version());
    sp_json_end(&j);
    putchar('\n');
}
