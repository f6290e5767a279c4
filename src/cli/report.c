#include "cli/report.h"

#include "base/status.h"
#include "cli/talk.h"

#include <math.h>
#include <string.h>

void sp_report_header(const sp_machine *machine, const sp_run_options *options)
{
    const sp_model *m = machine->model;
    const int n = sp_model_count(m, SP_ITEM_CONTACT);
    char contacts[32];
    sp_count_text(n, contacts, sizeof contacts);
    printf("  %s   %d dof, %s contact%s   %s%s, ", sp_machine_title(machine),
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

/* The measures, a line each; or why there are none. */
static void print_measures(const sp_model *m, const sp_report *report)
{
    const double *value = report->measure, from = report->options.measure_from;
    const int n = value ? sp_model_count(m, SP_ITEM_MEASURE) : 0;
    if (n > 0 && !(from < report->options.until)) {
        printf("  measures: none, they begin at measure_from = %.9g s\n", from);
        return;
    }
    if (n > 0 && report->options.resume && report->outcome.t_0 > from) {
        printf(
            "  measures: none, they began at measure_from = %.9g s, before this part of the run\n",
            from);
        return;
    }
    for (int i = 0; i < n; i++) {
        const char *name = sp_model_item(m, SP_ITEM_MEASURE, i);
        const char *unit = sp_model_unit(m, SP_ITEM_MEASURE, i);
        if (isnan(value[i])) {
            printf("  %s: no number, what it is made of was none at some time\n", name);
        } else {
            printf("  %s = %.9g%s%s\n", name, value[i], strcmp(unit, "1") == 0 ? "" : " ",
                   strcmp(unit, "1") == 0 ? "" : unit);
        }
    }
}

void sp_report_text(const sp_model *model, const sp_report *report)
{
    char text[8192];
    sp_run_summary_text(&report->outcome, text, sizeof text);
    for (const char *at = text; *at;) {
        const size_t n = strcspn(at, "\n");
        printf("  %.*s\n", (int)n, at);
        at += n + (at[n] == '\n');
    }
    print_measures(model, report);
    if (report->file) {
        printf("  %s   %s specht report %s   specht plot %s   specht events %s\n", report->file,
               sp_cli_arrow(), report->file, report->file, report->file);
    }
}

/* ---- for programs -------------------------------------------------------------------------- */

/* All lines of the ledger, then those by element. */
static void json_energy(sp_json *j, const sp_machine *machine, const sp_run_outcome *o,
                        sp_work *work)
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
    sp_machine_json_elements(j, machine, work);
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

/* An object: how often under the key `count`, and the first time and contact; it stays open. */
static void json_note(sp_json *j, const char *key, const char *count, const sp_note *a)
{
    sp_json_object(j, key);
    sp_json_integer(j, count, a->n);
    if (a->n > 0) {
        sp_json_number(j, "t", a->t);
        sp_json_text(j, "contact", a->place[0] ? a->place : NULL);
    }
}

/* Events of kinds that are counted at the end. */
static void json_notes(sp_json *j, const sp_run_outcome *o)
{
    const struct {
        const char *key;
        const sp_note *note;
    } plain[] = {{"choices", &o->choice},
                 {"accumulations", &o->accumulation},
                 {"divided_at_touches", &o->met},
                 {"handovers", &o->handover}};
    json_note(j, "uniqueness", "not_proven", &o->not_unique);
    sp_json_integer(j, "problems", o->changes);
    sp_json_end(j);
    for (size_t k = 0; k < sizeof plain / sizeof *plain; k++) {
        json_note(j, plain[k].key, "n", plain[k].note);
        sp_json_end(j);
    }
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

/* Member "measures": name, value and unit of each. */
static void json_measures(sp_json *j, const sp_model *m, const double *value)
{
    const int n = value ? sp_model_count(m, SP_ITEM_MEASURE) : 0;
    sp_json_array(j, "measures");
    for (int i = 0; i < n; i++) {
        sp_json_object(j, NULL);
        sp_json_text(j, "name", sp_model_item(m, SP_ITEM_MEASURE, i));
        sp_json_number(j, "value", value[i]);
        sp_json_text(j, "unit", sp_model_unit(m, SP_ITEM_MEASURE, i));
        sp_json_end(j);
    }
    sp_json_end(j);
}

void sp_report_json(const sp_machine *machine, const sp_report *report, sp_work *work)
{
    const sp_run_outcome *o = &report->outcome;
    sp_json j;
    sp_json_init(&j, stdout);
    sp_json_object(&j, NULL);
    sp_json_text(&j, "status", o->word);
    if (o->message[0]) {
        sp_json_text(&j, "message", o->message);
    }
    sp_json_text(&j, "name", sp_model_about(machine->model)->name);
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
    json_energy(&j, machine, o, work);
    json_certificate(&j, o);
    json_measures(&j, machine->model, report->measure);
    sp_machine_json_state(&j, "state", machine);
    sp_json_number(&j, "seconds", o->seconds);
    sp_json_text(&j, "file", report->file);
    sp_json_text(&j, "version", sp_version());
    sp_json_end(&j);
    putchar('\n');
}

/* ---- doubts ---------------------------------------------------------------------------------- */

#define GAINED     1e-9 /* of the largest energy: more is no round-off */
#define STEP_ERROR 0.1  /* more of the largest energy than this is noted */

/* The kind with this name of n letters, SP_DOUBT_N: none has it. */
static sp_doubt_kind find_kind(const char *name, size_t n)
{
    int k = 0;
    while (k < SP_DOUBT_N && (strncmp(name, sp_doubt_name((sp_doubt_kind)k), n) != 0 ||
                              sp_doubt_name((sp_doubt_kind)k)[n] != '\0')) {
        k++;
    }
    return (sp_doubt_kind)k;
}

sp_status sp_judge_accept(const char *list, bool accept[SP_DOUBT_N], sp_error *err)
{
    for (const char *at = list; at && *at;) {
        const size_t n = strcspn(at, ",");
        const sp_doubt_kind kind = find_kind(at, n);
        if (kind == SP_DOUBT_N) {
            return SP_FAIL(err, SP_E_INPUT,
                           "run: --accept '%.*s' is no kind of doubt (there are: uncertified, "
                           "handover, projection, divided, unproven, restitution, tolerance)",
                           (int)n, at);
        }
        accept[kind] = true;
        at += n + (at[n] == ',');
    }
    return SP_OK;
}

bool sp_judge_is_doubtful(const sp_doubt doubt[SP_DOUBT_N], const bool accept[SP_DOUBT_N])
{
    bool doubtful = false;
    for (int k = 0; k < SP_DOUBT_N; k++) {
        doubtful = doubtful || (doubt[k].n > 0 && !(accept && accept[k]));
    }
    return doubtful;
}

void sp_judge_print(const sp_run_outcome *outcome)
{
    char text[8192];
    sp_run_summary_text(outcome, text, sizeof text);
    for (const char *at = text; (at = strstr(at, "doubtful: ")) != NULL; at++) {
        fprintf(stderr, "specht: %.*s\n", (int)strcspn(at, "\n"), at);
    }
}

/* The largest energy, or the work of one kind that is more, J. */
static double largest_work(const sp_run_outcome *o)
{
    const double work[] = {o->dampers, o->applied, o->friction, o->impacts, o->driven};
    double size = o->largest;
    for (size_t k = 0; k < sizeof work / sizeof *work; k++) {
        size = fmax(size, fabs(work[k]));
    }
    return size;
}

/* Whether an energy is more than a part of the largest, and no round-off of the works, which are
 * all there is in a machine at rest.   theory (50.7) */
static bool is_more(double energy, double part, const sp_run_outcome *o)
{
    return energy > part * o->largest && energy > GAINED * largest_work(o);
}

#define BUCKLING 0.1  /* of the buckling load of a beam, which a note says  theory (72.22) */
#define STRAIN   0.01 /* strains of a beam, likewise                                        */
#define RESOLVED 1.0  /* frequency times step, likewise                                     */

void sp_judge_notes(const sp_report *report)
{
    const sp_run_outcome *s = &report->outcome;
    const sp_run_options *o = &report->options;
    if (s->bad_output.n > 0) {
        fprintf(stderr, "specht: note: output '%s' is not a finite number at t = %g s\n",
                s->bad_output.place, s->bad_output.t);
    }
    if (s->buckling > BUCKLING) {
        fprintf(
            stderr,
            "specht: note: at t = %g s the beam '%s' is pressed along its axis with %.3g %% of its "
            "buckling load; above 10 %% few functions may not do: compare with more of them\n",
            s->pressed.t, s->pressed.place, 100.0 * s->buckling);
    }
    if (s->strain > STRAIN) {
        fprintf(
            stderr,
            "specht: note: at t = %g s strains of the beam '%s' reach %.2g %%; its functions are "
            "for small strains\n",
            s->strained.t, s->strained.place, 100.0 * s->strain);
    }
    if (s->fastest > RESOLVED) {
        fprintf(stderr,
                "specht: note: functions of '%s' reach %.3g rad/s, times the step of %g s %.3g; "
                "explicit steps resolve them below 1, and may grow without bound above 2: take a "
                "smaller step, fewer functions or %s\n",
                s->fast.place, s->fastest / o->step, o->step, s->fastest,
                o->method == SP_METHOD_RK2 || o->method == SP_METHOD_RK4 ? "another method"
                                                                         : "'implicit: auto'");
    }
    if (s->doubt[SP_DOUBT_RESTITUTION].n == 0 && is_more(s->impacts, STEP_ERROR, s)) {
        fprintf(stderr,
                "specht: note: normal forces of lasting contacts gained %.2g J, an error of the "
                "step; take a smaller one\n",
                s->impacts);
    }
    if (o->step >= o->until - s->t_0 && o->step > 0.0 && s->steps == 1) {
        fprintf(stderr, "specht: note: the step of %g s is as long as the run\n", o->step);
    }
    if (is_more(fabs(s->discretisation), STEP_ERROR, s)) {
        fprintf(stderr,
                "specht: note: the step error is %.2g J, of the size of the energies themselves; "
                "take a smaller step or --method moreau-mean\n",
                fabs(s->discretisation));
    }
}
