#include "analysis/freedom.h"
#include "analysis/verify.h"
#include "base/status.h"
#include "cli/machine.h"
#include "cli/progress.h"
#include "cli/talk.h"
#include "stiff/cvode.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What the command line asks for. */
typedef struct wishes {
    const char *until, *step, *tolerance, *method;
    sp_texts set;
    bool json;
} wishes;

/* All that is to be changed in the model. */
static bool collect_settings(sp_args *args, const wishes *w, sp_texts *set)
{
    const char *const name[] = {"run.until", "run.step", "run.tolerance"};
    const char *const value[] = {w->until, w->step, w->tolerance};
    return sp_args_assignments(args, &w->set, sizeof name / sizeof *name, name, value, set);
}

/* ---- for people ------------------------------------------------------------------------------ */

/* Until when the methods agree, s. */
static double agrees_until(const sp_verify_report *r)
{
    return r->contradicts ? r->t_contradicts : r->compared;
}

/* Why it is open whether both methods agree, by the distances that were observed. */
static void print_unsettled(const sp_verify_report *r)
{
    const double *d = r->apart;
    if (r->other_energy) {
        printf(
            "  not settled until t = %.6g s of %.6g s: friction and impacts take other energies, "
            "by %.1e of the largest energy or work: %s\n",
            agrees_until(r), r->until, r->energy.lost,
            r->other.stepped ? "a smaller --step goes on" : "a smaller --tolerance goes on");
        return;
    }
    const char *runs = r->other.stepped ? "steps" : "tolerances";
    const bool nearer = d[1] < d[0] && d[2] < d[1];
    printf("  not settled until t = %.6g s of %.6g s: %s is %.1e, %.1e and %.1e off with its three "
           "%s, %s\n",
           agrees_until(r), r->until, sp_method_name(r->other.method), d[0], d[1], d[2], runs,
           !nearer ? "not less from one to the next: look where the runs part (specht events), or "
                     "compare until an earlier --until"
           : r->other.stepped ? "less each time, but still far: a smaller --step goes on"
                              : "less each time, but still far: a smaller --tolerance goes on");
}

/* The verdict where there is only one method. */
static void print_alone(const sp_verify_report *r)
{
    printf("  %s alone, nothing to compare it with: its runs agree until t = %.6g s of %.6g s\n",
           sp_method_name(r->reference.method), r->trust, r->until);
}

/* What the reference took one of. */
static void print_choice(const sp_model *m, const sp_verify_report *r)
{
    const sp_verify_choice *c = &r->choice;
    const char *ref = sp_method_name(r->reference.method), *contact = m->slot[c->slot].name;
    if (c->n_found == 0) {
        printf("%s took one of a continuum at t = %.9g s ('%s')", ref, c->t, contact);
    } else {
        printf("%s took one of %s%d %s at t = %.9g s ('%s')", ref, c->at_least ? "at least " : "",
               c->n_found, c->impact ? "impacts" : "motions", c->t, contact);
    }
}

/* Where the methods part, since the machine has several motions. */
static void print_several(const sp_model *m, const sp_verify_report *r)
{
    printf("  agreement until t = %.6g s of %.6g s; beyond, the machine has several motions: ",
           r->compared, r->until);
    print_choice(m, r);
    printf(", %s goes another way\n", sp_method_name(r->other.method));
}

/* Where the methods contradict each other, and by how much. */
static void print_contradiction(const sp_model *m, const sp_verify_report *r)
{
    const char *ref = sp_method_name(r->reference.method);
    printf("  the methods contradict each other from t = %.6g s on: runs of %s agree with each "
           "other to %.1e until there, and are %.1e off %s\n",
           r->t_contradicts, sp_method_name(r->other.method), r->off_self, r->off, ref);
    if (r->choice.n_found >= 0) {
        printf("  several motions were told, but not of what parts at t = %.6g s: ", r->t_parted);
        print_choice(m, r);
        printf("\n");
    }
}

/* The verdict, and up to which time it holds. */
static void print_verdict(const sp_model *m, const sp_verify_report *r)
{
    const double until = agrees_until(r);
    if (r->contradicts) {
        print_contradiction(m, r);
    } else if (r->failed[0]) {
        printf("  not verified: a run ended early; agreement until t = %.6g s of %.6g s\n", until,
               r->until);
    } else if (r->uncertified) {
        printf("  not verified: a run has no certified result (below), its comparison means "
               "nothing\n");
    } else if (r->other.n == 0) {
        print_alone(r);
    } else if (r->several) {
        print_several(m, r);
    } else if (r->unsettled) {
        print_unsettled(r);
    } else if (until < r->until) {
        printf("  agreement until t = %.6g s of %.6g s; beyond, %s\n", until, r->until,
               r->compared < r->trust ? "stepped runs tell nothing: take smaller steps"
                                      : "no trajectory can be trusted");
    } else {
        printf("  agreement over the whole run of %.6g s\n", r->until);
    }
}

/* A method and what its runs differ in. */
static void print_side(const sp_verify_side *side)
{
    printf("%s %s ", sp_method_name(side->method), side->stepped ? "with steps" : "at tolerances");
    for (int k = 0; k < side->n; k++) {
        printf(side->stepped ? "%s%.3g" : "%s%.1e",
               k == 0             ? ""
               : k == side->n - 1 ? " and "
                                  : ", ",
               side->grain[k]);
    }
    printf(side->stepped ? " s" : "");
}

/* Which methods were compared, and which were not, and why. */
static void print_methods(const sp_verify_report *r)
{
    printf("  ");
    print_side(&r->reference);
    if (r->other.n > 0) {
        printf("; ");
        print_side(&r->other);
    }
    printf("\n\n");
    for (int k = 0; k < r->n_left; k++) {
        printf("  left out    %s: %s\n", sp_method_name(r->left[k].method), r->left[k].why);
    }
}

/* What was run, and how long it can be trusted. */
static void print_runs(const sp_model *m, int free, const sp_verify_report *r)
{
    const char *runs = r->reference.stepped ? "steps" : "tolerances";
    printf("  %s   %d dof, %d contact%s, %.6g s\n", m->name[0] ? m->name : m->source_file, free,
           m->n_slot, m->n_slot == 1 ? "" : "s", r->until);
    print_verdict(m, r);
    print_methods(r);
    if (r->trust >= r->until) {
        printf("  trusted     whole run: both %s agree to %.1e of scale\n", runs, r->change);
    } else {
        printf("  trusted     until t = %.6g s: from there on both %s differ by more than %.0e of "
               "scale\n",
               r->trust, runs, r->limit);
    }
    if (r->compared < r->trust && !r->several) {
        printf("  compared    until t = %.6g s: from there on runs of %s differ by 1e-2\n",
               r->compared, sp_method_name(r->other.method));
    }
}

/* Impacts and clatter of both methods. */
static void print_events(const sp_model *m, const sp_verify_report *r)
{
    const char *const name[] = {sp_method_name(r->reference.method),
                                sp_method_name(r->other.method)};
    printf(
        "  impacts     %d strong one%s in %s, %d in %s, %d matched: times to %.1e s, impulses to "
        "%.1e\n",
        r->impacts[0], r->impacts[0] == 1 ? "" : "s", name[0], r->impacts[1], name[1], r->matched,
        r->impact_time, r->impulse);
    if (r->alone[0] + r->alone[1] > 0) {
        printf(
            "              %d in %s alone, %d in %s alone, the first at t = %.6g s in %s ('%s')\n",
            r->alone[0], name[0], r->alone[1], name[1], r->t_alone, name[r->alone_side],
            m->slot[r->alone_slot].name);
    }
    if (r->zeno > 0) {
        printf("  clatter     accumulating impacts passed %d time%s\n", r->zeno,
               r->zeno == 1 ? "" : "s");
    }
}

/* The table of differences. */
static void print_table(const sp_model *m, const sp_verify_report *r)
{
    const char *ref = sp_method_name(r->reference.method);
    printf("\n  %-9s    positions: largest, mean   velocities: mean    against %s, over their "
           "size\n",
           r->other.stepped ? "step [s]" : "tolerance", ref);
    for (int k = 0; k < SP_VERIFY_STEPS; k++) {
        printf("  %-10.3g   %.2e    %.2e       %.2e\n", r->other.grain[k], r->apart[k], r->mean[k],
               r->apart_u[k]);
    }
    if (isnan(r->order) || isnan(r->order_u)) {
        printf("  no order: these are round-off\n\n");
    } else {
        printf("  order of means          %5.2f +- %-4.2f   %5.2f +- %.2f\n\n", r->order, r->spread,
               r->order_u, r->spread_u);
    }
    print_events(m, r);
    printf(
        "  energy      kept to %.1e, lost to %.1e of the largest energy or work (friction to %.1e, "
        "impacts to %.1e)\n",
        r->energy.kept, r->energy.lost, r->energy.friction, r->energy.impacts);
    if (r->jams.n > 0) {
        printf("  jams        %ld (first at t = %.9g s, '%s'): what they take counts as impacts in "
               "%s, as friction in steps\n",
               r->jams.n, r->jams.t, m->slot[r->jams.slot].name,
               sp_method_name(r->reference.method));
    }
}

/* The worst certificates. */
static void print_certificates(const sp_verify_report *r)
{
    const char *const name[] = {sp_method_name(r->reference.method),
                                sp_method_name(r->other.method)};
    for (int k = 0; k < (r->other.n > 0 ? 2 : 1); k++) {
        const sp_certificate *c = &r->worst[k];
        printf("  %s %-11s complementarity %.1e, friction cone %.1e, momentum %.1e, gap %.1e m; "
               "projection %.1e\n",
               k == 0 ? "worst step " : "           ", name[k], c->complementarity, c->cone,
               c->momentum, c->gap, r->moved[k]);
    }
}

/* All of it. */
static void print_text(const sp_machine *machine, const sp_verify_report *r)
{
    const sp_model *m = machine->model;
    const int free = sp_freedom(m, machine->state, NULL);
    print_runs(m, free == SP_NONE ? m->n_dof : free, r);
    if (r->other.n > 0) {
        print_table(m, r);
    }
    print_certificates(r);
    if (r->failed[0]) {
        printf("  ended early %s\n", r->failed);
    }
}

/* ---- for programs ---------------------------------------------------------------------------- */

/* An array of numbers. */
static void print_numbers(sp_json *j, const char *key, int n, const double *value)
{
    sp_json_array(j, key);
    for (int k = 0; k < n; k++) {
        sp_json_number(j, NULL, value[k]);
    }
    sp_json_end(j);
}

/* The verdict in a word or two. */
static const char *status_of(const sp_verify_report *r)
{
    return r->contradicts                   ? "contradiction"
           : r->failed[0] || r->uncertified ? "not verified"
           : r->other.n == 0                ? "one method"
           : r->several                     ? "several motions"
           : r->unsettled                   ? "not settled"
                                            : "agreement";
}

/* A certificate by its parts. */
static void print_certificate(sp_json *j, const char *key, const sp_certificate *c)
{
    sp_json_object(j, key);
    sp_json_number(j, "complementarity", c->complementarity);
    sp_json_number(j, "cone", c->cone);
    sp_json_number(j, "momentum", c->momentum);
    sp_json_number(j, "gap", c->gap);
    sp_json_end(j);
}

/* The methods, their runs, and what was left out. */
static void print_json_methods(sp_json *j, const sp_verify_report *r)
{
    const sp_verify_side *a = &r->reference, *b = &r->other;
    sp_json_text(j, "reference", sp_method_name(a->method));
    print_numbers(j, a->stepped ? "reference_steps" : "tolerances", a->n, a->grain);
    if (b->n > 0) {
        sp_json_text(j, "compared_with", sp_method_name(b->method));
        print_numbers(j, b->stepped ? "steps" : "compared_tolerances", b->n, b->grain);
    }
    sp_json_array(j, "left_out");
    for (int k = 0; k < r->n_left; k++) {
        sp_json_object(j, NULL);
        sp_json_text(j, "method", sp_method_name(r->left[k].method));
        sp_json_text(j, "why", r->left[k].why);
        sp_json_end(j);
    }
    sp_json_end(j);
}

/* Where methods part, and what was told there or before. */
static void print_json_parting(sp_json *j, const sp_model *m, const sp_verify_report *r)
{
    const sp_verify_choice *c = &r->choice;
    sp_json_number(j, "t_parting", r->t_parted);
    if (r->contradicts) {
        sp_json_number(j, "t_contradiction", r->t_contradicts);
        sp_json_number(j, "contradiction", r->off);
        sp_json_number(j, "contradiction_self", r->off_self);
    }
    if (c->n_found >= 0) {
        sp_json_object(j, "choice");
        sp_json_number(j, "t", c->t);
        sp_json_text(j, "contact", m->slot[c->slot].name);
        sp_json_integer(j, "n_found", c->n_found);
        sp_json_bool(j, "at_least", c->at_least);
        sp_json_end(j);
    }
}

/* Distances and orders. */
static void print_json_distances(sp_json *j, const sp_verify_report *r)
{
    print_numbers(j, "positions", r->other.n, r->apart);
    print_numbers(j, "positions_mean", r->other.n, r->mean);
    print_numbers(j, "velocities", r->other.n, r->apart_u);
    sp_json_number(j, "order_positions", r->order);
    sp_json_number(j, "order_velocities", r->order_u);
    sp_json_number(j, "order_positions_spread", r->spread);
    sp_json_number(j, "order_velocities_spread", r->spread_u);
    sp_json_number(j, "self", r->self);
}

/* All that is there only where two methods were compared. */
static void print_json_comparison(sp_json *j, const sp_model *m, const sp_verify_report *r)
{
    sp_json_number(j, "compared", r->compared);
    print_json_distances(j, r);
    sp_json_integer(j, "impacts_stepped", r->impacts[1]);
    sp_json_integer(j, "impacts_matched", r->matched);
    sp_json_integer(j, "impacts_reference_alone", r->alone[0]);
    sp_json_integer(j, "impacts_stepped_alone", r->alone[1]);
    if (r->alone[0] + r->alone[1] > 0) {
        sp_json_object(j, "first_alone");
        sp_json_number(j, "t", r->t_alone);
        sp_json_text(j, "contact", m->slot[r->alone_slot].name);
        sp_json_text(j, "method",
                     sp_method_name(r->alone_side == 0 ? r->reference.method : r->other.method));
        sp_json_end(j);
    }
    if (r->matched > 0) {
        sp_json_number(j, "impact_time", r->impact_time);
        sp_json_number(j, "impulse", r->impulse);
    }
    sp_json_number(j, "energy_kept", r->energy.kept);
    sp_json_number(j, "energy_lost", r->energy.lost);
    sp_json_number(j, "energy_friction", r->energy.friction);
    sp_json_number(j, "energy_impacts", r->energy.impacts);
    print_certificate(j, "certificate_stepped", &r->worst[1]);
    sp_json_number(j, "projection_stepped", r->moved[1]);
}

/* The same as one object. */
static void print_json(const sp_model *m, const sp_verify_report *r)
{
    sp_json j;
    sp_json_init(&j, stdout);
    sp_json_object(&j, NULL);
    sp_json_text(&j, "status", status_of(r));
    print_json_methods(&j, r);
    sp_json_number(&j, "until", r->until);
    sp_json_number(&j, "agrees_until", agrees_until(r));
    sp_json_number(&j, "trust", r->trust);
    sp_json_number(&j, "change", r->change);
    sp_json_integer(&j, "impacts_reference", r->impacts[0]);
    sp_json_integer(&j, "zeno", r->zeno);
    sp_json_integer(&j, "jams", (int)r->jams.n);
    print_certificate(&j, "certificate_reference", &r->worst[0]);
    sp_json_number(&j, "projection_reference", r->moved[0]);
    if (r->other.n > 0) {
        print_json_comparison(&j, m, r);
    }
    if (r->contradicts || r->several) {
        print_json_parting(&j, m, r);
    }
    if (r->failed[0]) {
        sp_json_text(&j, "ended_early", r->failed);
    }
    sp_json_end(&j);
    printf("\n");
}

/* ---- the command ----------------------------------------------------------------------------- */

/* The error of a command that did nothing. */
static int fail(sp_machine *machine, bool json)
{
    sp_cli_print_messages(&machine->diag, false);
    if (json) {
        sp_machine_json_failed(machine);
    }
    return SP_EXIT_USAGE;
}

/* The methods that were asked for, one or two. */
static sp_status read_methods(const sp_texts *name, sp_verify_options *options, sp_error *err)
{
    if (name->n > 2) {
        return SP_FAIL(err, SP_E_INPUT,
                       "--method names %d methods, expected one or two, as in --method event,rk2",
                       name->n);
    }
    for (options->n_method = 0; options->n_method < name->n; options->n_method++) {
        SP_TRY(sp_method_find(name->item[options->n_method], &options->method[options->n_method],
                              err));
    }
    return SP_OK;
}

/* The bar of a run that begins. */
static void begin_bar(void *ctx, const char *run)
{
    sp_progress *p = ctx;
    const double until = p->until;
    sp_progress_end(p);
    sp_progress_begin(p, true, 0.0, until);
    snprintf(p->label, sizeof p->label, "%s", run);
}

/* Load, run, compare, tell. */
static int verify_machine(sp_machine *machine, const char *path, const sp_texts *set,
                          const sp_texts *method, bool json)
{
    sp_error err = {.status = SP_OK};
    sp_verify_report report;
    if (!sp_machine_load(machine, path, set)) {
        return fail(machine, json);
    }
    sp_cli_print_messages(&machine->diag, false); /* warnings */
    const sp_run_settings *run = &machine->model->run;
    sp_verify_options options = sp_verify_options_default();
    options.until = run->until;
    options.tolerance = run->tolerance;
    options.step = run->step;
    options.stiff = sp_stiff_cvode();
    sp_progress bar = {.until = run->until};
    const sp_observer observer = sp_progress_observer(&bar);
    options.observer = &observer;
    options.begin = begin_bar;
    options.ctx = &bar;
    sp_status status = read_methods(method, &options, &err);
    if (status == SP_OK) {
        status = sp_verify(machine->model, machine->model, &options, NULL, &report, &err);
    }
    sp_progress_end(&bar);
    if (status != SP_OK) {
        sp_machine_note(machine, SP_ERROR, &err);
        return fail(machine, json);
    }
    if (json) {
        print_json(machine->model, &report);
    } else {
        print_text(machine, &report);
    }
    return report.contradicts || report.failed[0] || report.uncertified ? SP_EXIT_FAILED
                                                                        : SP_EXIT_OK;
}

/* specht verify */
static int run_command(const sp_command *self, int argc, char **argv)
{
    wishes w = {0};
    const sp_option option[] = {
        {"until", 0, SP_OPTION_TEXT, "TIME", "end of the runs, '0.2', '200ms'", &w.until},
        {"method", 0, SP_OPTION_TEXT, "A[,B]",
         "compare these; default: event (smooth, adaptive or moreau where it cannot) and "
         "moreau-mean",
         &w.method},
        {"tolerance", 0, SP_OPTION_TEXT, "NUMBER", "of the reference; a second run has 1/100 of it",
         &w.tolerance},
        {"step", 0, SP_OPTION_TEXT, "TIME", "coarsest of the three steps of the stepped method",
         &w.step},
        {"set", 0, SP_OPTION_LIST, "NAME=VALUE", "change a parameter or a leaf of the model",
         &w.set},
        {"json", 0, SP_OPTION_FLAG, NULL, "print one JSON object instead of text", &w.json},
    };
    int code;
    sp_args args;
    sp_texts set = {0}, method = {0};
    sp_machine machine = {0};
    if (!sp_args_read(&args, self, option, sizeof option / sizeof *option, argc, argv, 1, 1,
                      &code)) {
        return code;
    }
    code = SP_EXIT_USAGE;
    if (collect_settings(&args, &w, &set) &&
        (!w.method || sp_args_split(&args, w.method, &method))) {
        code = verify_machine(&machine, args.word.item[0], &set, &method, w.json);
        sp_machine_free(&machine);
    }
    sp_args_free(&args);
    return code;
}

const sp_command sp_cmd_verify = {
    .name = "verify",
    .purpose = "run a machine by two methods, and compare: how far is it right?",
    .usage = "MODEL.yaml [options]",
    .example = "specht verify slider_crank.yaml --until 50ms\n"
               "specht verify woodpecker.yaml --until 0.5 --tolerance 1e-10 --json\n"
               "specht verify rocking.yaml --method event,adaptive",
    .notes =
        "The reference goes from event to event at a tolerance and at a hundredth of it; where\n"
        "these part by 1e-6 of scale ends what can be trusted.  moreau-mean is run with three\n"
        "steps.  What --method names takes the place of one or both; a method that was left out\n"
        "since it does not know the model is told with its reason.  Exit code 1: before that time\n"
        "the other runs converge, but to something else, or a run ended early or is not\n"
        "certified.  Where the machine has several motions, which the reference tells where they\n"
        "part, that is said, and the exit code is 0.  See docs/verify.md.",
    .run = run_command,
};
