#include "base/status.h"
#include "cli/machine.h"
#include "cli/progress.h"
#include "cli/stiff.h"
#include "cli/talk.h"

#include <stdio.h>

/* What the command line asks for. */
typedef struct wishes {
    const char *until, *step, *tolerance, *method;
    sp_texts set;
    bool json;
} wishes;

/* All that is to be changed in the model. */
static bool collect_settings(sp_args *args, const wishes *w, sp_texts *set)
{
    const char *const name[] = {"--until", "--step", "--tolerance"};
    const char *const value[] = {w->until, w->step, w->tolerance};
    return sp_args_assignments(args, &w->set, sizeof name / sizeof *name, name, value, set);
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

/* The bar, and the wish to end. */
static sp_status show_bar(void *ctx, double t, long steps, long events, sp_error *err)
{
    return sp_progress_step(ctx, t, steps, events, err);
}

/* Load, run, compare, report. */
static int verify_machine(sp_machine *machine, const char *path, const sp_texts *set,
                          const sp_texts *method, bool json)
{
    sp_error err = {.status = SP_OK};
    sp_verify_report report;
    if (!sp_machine_load(machine, path, set)) {
        return fail(machine, json);
    }
    sp_cli_print_messages(&machine->diag, false); /* warnings */
    sp_verify_options options = sp_verify_options_default(machine->model);
    sp_progress bar = {.until = options.until};
    options.stiff = sp_cli_stiff();
    options.begin = begin_bar;
    options.watch = show_bar;
    options.ctx = &bar;
    sp_status status = read_methods(method, &options, &err);
    if (status == SP_OK) {
        status = sp_analysis_verify(machine->model, &options, &report, &err);
    }
    sp_progress_end(&bar);
    if (status != SP_OK) {
        sp_machine_note(machine, SP_ERROR, &err);
        return fail(machine, json);
    }
    if (json) {
        sp_verify_print_json(machine->model, &report);
    } else {
        sp_verify_print_text(machine, &report);
    }
    return report.verdict == SP_VERDICT_CONTRADICTION || report.verdict == SP_VERDICT_NOT_VERIFIED
               ? SP_EXIT_FAILED
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
    if (!sp_args_read(&args, self, &(sp_usage){option, sizeof option / sizeof *option, 1, 1}, argc,
                      argv, &code)) {
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
        "these differ by 1e-6 of scale, trust ends.  moreau-mean is run with three steps.\n"
        "--method replaces one or both; methods that cannot run the model are listed with the\n"
        "reason.  Exit code 1: before that time the other runs converge, but to something else;\n"
        "a run ended early or is not certified; or nothing could be compared.  Exit code 0 with\n"
        "'several motions': the runs separate where the reference reported that the machine has\n"
        "several.  See docs/verify.md.",
    .run = run_command,
};
