#define _POSIX_C_SOURCE 200809L
#include "base/status.h"
#include "cli/page.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/stiff.h"
#include "cli/talk.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What the command line asks for. */
typedef struct wishes {
    const char *output, *until, *step, *method, *tolerance, *output_step;
    const char *dump, *dump_every, *accept;
    const char *resume; /* result of the run to go on with */
    bool checkpoint;
    sp_texts set;
    bool json, quiet, no_output, report;
} wishes;

/* ---- arguments ----------------------------------------------------------------------------- */

/* Whether one of the settings is of the same name as "name=value", whose name takes n bytes with
 * the sign. */
static bool is_named(const char *assignment, size_t n, const sp_texts *set)
{
    bool found = false;
    for (int k = 0; k < set->n && !found; k++) {
        found = strncmp(set->item[k], assignment, n) == 0;
    }
    return found;
}

/* The assignments of --set that a result was run with, without those of section 'run' and those
 * given anew.  False: no memory. */
static bool settings_kept(const char *result, const sp_texts *set, sp_arena *arena, sp_texts *kept)
{
    sp_result *old = NULL;
    *kept = (sp_texts){.n = 0};
    if (sp_result_open(result, &old, NULL) != SP_OK) {
        return true; /* sp_run_resume says so */
    }
    const char *text = sp_result_about(old)->overrides;
    int most = 1;
    for (const char *c = text; *c; c++) {
        most += *c == '\n';
    }
    kept->item = SP_NEW(arena, const char *, most);
    bool ok = kept->item != NULL;
    for (const char *at = text; *at && ok;) {
        const size_t n = strcspn(at, "\n"), name = strcspn(at, "=") + 1;
        if (name <= n && strncmp(at, "run.", 4) != 0 && !is_named(at, name, set)) {
            kept->item[kept->n] = sp_arena_text(arena, at, n);
            ok = kept->item[kept->n++] != NULL;
        }
        at += n + (at[n] == '\n');
    }
    sp_result_free(old);
    return ok;
}

/* The settings of the run to go on with, then those of --set. */
static bool join_settings(sp_args *args, const wishes *w, sp_texts *kept, sp_texts *joined)
{
    bool ok = !w->resume || settings_kept(w->resume, &w->set, &args->arena, kept);
    joined->item = SP_NEW(&args->arena, const char *, kept->n + w->set.n + 1);
    ok = ok && joined->item;
    for (int i = 0; ok && i < kept->n + w->set.n; i++) {
        joined->item[joined->n++] = i < kept->n ? kept->item[i] : w->set.item[i - kept->n];
    }
    if (!ok) {
        sp_cli_complain("out of memory");
    }
    return ok;
}

/* All that is to be changed in the model: what a run to go on with had (kept) and --set, then the
 * options that stand for a leaf of its section 'run'. */
static bool collect_settings(sp_args *args, const wishes *w, sp_texts *kept, sp_texts *set)
{
    sp_texts joined = {.n = 0};
    const char *const name[] = {"--until", "--step", "--method", "--tolerance", "--output-step"};
    const char *const value[] = {w->until, w->step, w->method, w->tolerance, w->output_step};
    return join_settings(args, w, kept, &joined) &&
           sp_args_assignments(args, &joined, sizeof name / sizeof *name, name, value, set);
}

/* The result's name: as asked, or that of the model with another ending, in this folder. */
static const char *result_name(sp_args *args, const wishes *w, const char *model)
{
    if (w->no_output || w->output) {
        return w->output;
    }
    const char *slash = strrchr(model, '/'), *base = slash ? slash + 1 : model;
    const char *dot = strrchr(base, '.');
    const int n = (int)(dot && dot > base ? dot - base : (long)strlen(base));
    return sp_arena_printf(&args->arena, "%.*s.h5", n, base);
}

/* The command as it was typed, for the file. */
static const char *command_text(sp_args *args, int argc, char **argv)
{
    const char *text = "specht";
    for (int i = 0; i < argc && text; i++) {
        const char *quote = strpbrk(argv[i], " \t\n*?[](){}<>|&;$`\"\\#~") ? "'" : "";
        text = sp_arena_printf(&args->arena, "%s %s%s%s", text, quote, argv[i], quote);
    }
    return text;
}

/* ---- the run ------------------------------------------------------------------------------- */

/* What a run works with. */
typedef struct run {
    const wishes *wish;
    sp_machine machine;
    sp_report report;
    const char *model; /* its file */
    const char *command;
    sp_work *work;
    long dump_every; /* of --dump-problems; 0: those that were hard to solve */
    sp_progress progress;
    bool begun;    /* the header is printed                                */
    sp_texts kept; /* settings of the run to go on with, not given again   */
} run;

/* Make ready for --dump-problems; false: it cannot be, and that is extent. */
static bool begin_dump(run *r)
{
    const wishes *w = r->wish;
    char *end = NULL;
    errno = 0;
    r->dump_every = w->dump_every ? strtol(w->dump_every, &end, 10) : 0;
    if (w->dump_every && (end == w->dump_every || *end || errno != 0 || r->dump_every < 1)) {
        sp_cli_complain("run: --dump-every %s, expected a whole number from 1", w->dump_every);
        return false;
    }
    if (w->dump_every && !w->dump) {
        sp_cli_complain("run: --dump-every without --dump-problems FOLDER");
        return false;
    }
    struct stat info;
    if (w->dump && mkdir(w->dump, 0777) != 0 &&
        (errno != EEXIST || stat(w->dump, &info) != 0 || !S_ISDIR(info.st_mode))) {
        sp_cli_complain("run: --dump-problems %s: %s", w->dump,
                        errno == EEXIST ? "a file has this name, expected a folder"
                                        : strerror(errno));
        return false;
    }
    return true;
}

/* Say what --dump-problems has written. */
static void print_dump(const run *r)
{
    const sp_run_outcome *o = &r->report.outcome;
    if (!r->wish->dump) {
        return;
    }
    if (!r->wish->json && !r->wish->quiet) {
        printf("  %ld of %ld contact problems written to %s\n", o->problems_written,
               o->problems_seen, r->wish->dump);
    }
    if (o->problems_written < o->problems_wanted) {
        fprintf(stderr, "specht: warning: %ld contact problems could not be written: %s\n",
                o->problems_wanted - o->problems_written, o->problems_reason);
    }
}

/* A mistake before the first step: all errors are extent, nothing has been made. */
static int fail_to_start(run *r)
{
    sp_cli_print_messages(&r->machine.diag, r->wish->quiet);
    if (r->wish->json) {
        sp_machine_json_failed(&r->machine);
    }
    return SP_EXIT_USAGE;
}

/* Whether two names are one file that exists. */
static bool is_same_file(const char *a, const char *b)
{
    struct stat one, other;
    return a && b && stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

/* The run as the model and the command line ask for it. */
static sp_status make_options(run *r, sp_error *err)
{
    sp_run_options *o = &r->report.options;
    const sp_model *m = r->machine.model;
    SP_TRY(sp_run_options_default(m, o, err));
    o->stiff = sp_cli_stiff();
    o->result = r->report.file;
    o->checkpoint = r->wish->checkpoint;
    o->command = r->command;
    o->spec = r->machine.spec;
    o->problems = r->wish->dump;
    o->problems_every = r->dump_every;
    const int n = sp_model_count(m, SP_ITEM_MEASURE);
    r->report.measure = n > 0 ? SP_NEW(&r->machine.arena, double, n) : NULL;
    o->measures = r->report.measure;
    SP_TRY(sp_run_check(m, NULL, o, NULL, err));
    SP_TRY(sp_work_new(m, NULL, &r->work, err));
    if (!r->wish->resume) {
        return SP_OK;
    }
    if (is_same_file(r->wish->resume, r->report.file)) {
        return SP_FAIL(err, SP_E_INPUT,
                       "resume: '%s' is the run to go on with; give another name to --output",
                       r->report.file);
    }
    return sp_run_resume(m, r->machine.state, r->work, r->wish->resume, o, err);
}

/* Everything before the first step; false: the error is in the list. */
static bool prepare(run *r)
{
    sp_error err = {.status = SP_OK};
    if (make_options(r, &err) != SP_OK) {
        sp_machine_note(&r->machine, SP_ERROR, &err);
    }
    return err.status == SP_OK;
}

/* What is run and how, once it is clear that it begins. */
static void print_header(run *r)
{
    if (r->wish->json || r->wish->quiet) {
        return;
    }
    sp_report_header(&r->machine, &r->report.options);
    if (r->report.options.resume) {
        printf("  resuming at t = %.9g s", sp_state_time(r->machine.state));
        for (int i = 0; i < r->kept.n; i++) {
            printf("%s%s", i == 0 ? " with what it was begun with: --set " : " --set ",
                   r->kept.item[i]);
        }
        printf("\n");
    }
}

/* sp_run_observer: the header with the start, then the bar. */
static sp_status watch(void *ctx, double t, long steps, long events, sp_error *err)
{
    run *r = ctx;
    if (!r->begun) {
        print_header(r);
        r->begun = true;
    }
    return sp_progress_step(&r->progress, t, steps, events, err);
}

/* Do all steps. */
static sp_status do_steps(run *r, sp_error *err)
{
    const sp_run_observer observer = {
        .size = sizeof observer, .ctx = r, .step = r->wish->quiet ? NULL : watch};
    const sp_run_options *o = &r->report.options;
    sp_progress_begin(&r->progress, !r->wish->quiet, sp_state_time(r->machine.state), o->until);
    sp_interrupt_catch(r->work);
    const sp_status status =
        sp_run(r->machine.model, r->machine.state, r->work, o, &observer, &r->report.outcome, err);
    sp_progress_end(&r->progress);
    return status;
}

/* The command that goes on with a run that was interrupted, if there is a checkpoint; settings by
 * --set are kept by the result. */
static void print_how_to_go_on(const run *r)
{
    const wishes *w = r->wish;
    const char *const option[][2] = {{"until", w->until},
                                     {"step", w->step},
                                     {"method", w->method},
                                     {"tolerance", w->tolerance},
                                     {"output-step", w->output_step}};
    struct stat info;
    char rest[SP_CLI_PATH];
    snprintf(rest, sizeof rest, "%s.checkpoint", r->report.file);
    if (!w->checkpoint || stat(rest, &info) != 0 ||
        !sp_cli_other_ending(r->report.file, true, "_rest.h5", rest, sizeof rest)) {
        return;
    }
    fprintf(stderr, "specht: go on with: specht run '%s' --resume '%s' -o '%s' --checkpoint",
            r->model, r->report.file, rest);
    for (size_t k = 0; k < sizeof option / sizeof *option; k++) {
        if (option[k][1]) {
            fprintf(stderr, " --%s '%s'", option[k][0], option[k][1]);
        }
    }
    fprintf(stderr, "\n");
}

/* Print how it went. */
static void report_end(run *r, sp_status status, const sp_error *err)
{
    sp_report *report = &r->report;
    struct stat info;
    if (report->file && stat(report->file, &info) != 0) {
        report->file = NULL; /* the disk was full before the first frame */
    }
    const sp_doubt *doubt = report->outcome.doubt;
    if (r->wish->json) {
        sp_machine_look(&r->machine);
        sp_report_json(&r->machine, report, r->work);
    } else if (!r->wish->quiet) {
        sp_report_text(r->machine.model, report);
    }
    if (r->wish->quiet && !r->wish->json) {
        sp_judge_print(&report->outcome);
    }
    sp_judge_notes(report);
    if (status == SP_OK && sp_judge_is_doubtful(doubt, report->accept)) {
        fprintf(stderr,
                "specht: finished, doubtful: exit code 1 (--accept KIND[,KIND] makes it 0)\n");
    }
    if (status != SP_OK) {
        const char *kept = !report->file       ? ""
                           : status == SP_E_IO ? "; only what was flushed before is in "
                                               : "; what was computed is in ";
        sp_cli_complain("%s%s%s", err->text, kept, report->file ? report->file : "");
    }
    if (status == SP_E_INTERRUPTED && report->file) {
        print_how_to_go_on(r);
    }
}

/* A step that was given and is not taken: these methods choose their own.  Where --method takes
 * another than the model's, its step is meant for that. */
static void note_unused_step(const run *r)
{
    const sp_run_options *o = &r->report.options;
    const bool meant = r->wish->step || !r->wish->method;
    if (o->step_unused > 0.0 && meant && !r->wish->quiet) {
        fprintf(stderr, "specht: note: %s is not used: method '%s' chooses its steps by %s\n",
                r->wish->step ? "--step" : "'step' of section 'run'", sp_method_name(o->method),
                r->wish->step ? "--tolerance" : "'tolerance'");
    }
}

/* From the model file to the end. */
static int run_machine(run *r, const char *model, const sp_texts *set)
{
    sp_error err = {.status = SP_OK};
    if (!sp_machine_load(&r->machine, model, set) || !prepare(r) ||
        !sp_machine_preview(&r->machine, &r->report.options)) {
        return fail_to_start(r);
    }
    sp_cli_print_messages(&r->machine.diag, r->wish->quiet); /* warnings */
    note_unused_step(r);
    const sp_status status = do_steps(r, &err);
    if (!r->report.outcome.began) {
        sp_machine_note(&r->machine, SP_ERROR, &err);
        return fail_to_start(r);
    }
    report_end(r, status, &err);
    print_dump(r);
    return status == SP_OK && !sp_judge_is_doubtful(r->report.outcome.doubt, r->report.accept)
               ? SP_EXIT_OK
               : SP_EXIT_FAILED;
}

/* The page of the result, also of a run that failed; returns the worse of the two exit codes. */
static int write_report(const run *r, const char *page, int code)
{
    char name[SP_CLI_PATH];
    sp_result *result = NULL;
    sp_error err = {.status = SP_OK};
    if (code == SP_EXIT_USAGE || !r->report.file) {
        return code;
    }
    if (!sp_cli_other_ending(r->report.file, true, ".html", name, sizeof name)) {
        return SP_EXIT_FAILED;
    }
    if (sp_result_open(r->report.file, &result, &err) != SP_OK) {
        sp_cli_print_error(&err);
        return SP_EXIT_FAILED;
    }
    const int written =
        sp_cli_write_page(page, 1, &result, name, 0, r->wish->quiet || r->wish->json);
    sp_result_free(result);
    return written != SP_EXIT_OK ? SP_EXIT_FAILED : code;
}

/* Run, and with --report write the page; that there is a template is seen to before. */
static int run_and_report(run *r, const char *model, const sp_texts *set)
{
    char *page = NULL;
    if (r->wish->report && sp_cli_load_page(false, &page) != SP_EXIT_OK) {
        return SP_EXIT_USAGE;
    }
    int code = run_machine(r, model, set);
    if (page) {
        code = write_report(r, page, code);
    }
    free(page);
    return code;
}

/* Which two options exclude each other; NULL: none do. */
static const char *find_conflict(const wishes *w)
{
    return w->checkpoint && w->no_output ? "--checkpoint and --no-output"
           : w->no_output && w->output   ? "--output and --no-output"
           : w->no_output && w->report   ? "--report and --no-output"
                                         : NULL;
}

/* specht run */
static int run_command(const sp_command *self, int argc, char **argv)
{
    wishes w = {0};
    const sp_option option[] = {
        {"output", 'o', SP_OPTION_TEXT, "FILE", "result file (the model's name with .h5, here)",
         &w.output},
        {"until", 0, SP_OPTION_TEXT, "TIME", "end of the run, '0.2', '200ms'", &w.until},
        {"step", 0, SP_OPTION_TEXT, "TIME", "time step", &w.step},
        {"method", 0, SP_OPTION_TEXT, "NAME",
         "auto, event, adaptive, moreau[-mean], theta, rk2, rk4, smooth or stiff", &w.method},
        {"tolerance", 0, SP_OPTION_TEXT, "NUMBER",
         "error allowed to 'event', 'adaptive', 'smooth' and 'stiff'", &w.tolerance},
        {"output-step", 0, SP_OPTION_TEXT, "TIME", "time between two frames of the result",
         &w.output_step},
        {"set", 0, SP_OPTION_LIST, "NAME=VALUE", "change a parameter or a leaf of the model",
         &w.set},
        {"checkpoint", 0, SP_OPTION_FLAG, NULL,
         "keep RESULT.checkpoint beside the result, to resume from", &w.checkpoint},
        {"resume", 0, SP_OPTION_TEXT, "RESULT",
         "go on, to the bit, from this result's checkpoint; writes the rest only", &w.resume},
        {"json", 0, SP_OPTION_FLAG, NULL, "print one JSON object instead of text", &w.json},
        {"quiet", 'q', SP_OPTION_FLAG, NULL, "print nothing but warnings and errors", &w.quiet},
        {"accept", 0, SP_OPTION_TEXT, "KIND,...", "kinds of doubt that leave the exit code 0",
         &w.accept},
        {"no-output", 0, SP_OPTION_FLAG, NULL, "write no result file", &w.no_output},
        {"report", 0, SP_OPTION_FLAG, NULL, "write the result's page too, as 'specht report' does",
         &w.report},
        {"dump-problems", 0, SP_OPTION_TEXT, "FOLDER",
         "write contact problems that were hard to solve, for 'specht solve'", &w.dump},
        {"dump-every", 0, SP_OPTION_TEXT, "N", "write every N-th contact problem instead",
         &w.dump_every},
    };
    int code;
    sp_args args;
    sp_texts set = {0};
    if (!sp_args_read(&args, self, &(sp_usage){option, sizeof option / sizeof *option, 1, 1}, argc,
                      argv, &code)) {
        return code;
    }
    run r = {.wish = &w};
    sp_error err = {.status = SP_OK};
    code = SP_EXIT_USAGE;
    if (sp_judge_accept(w.accept, r.report.accept, &err) != SP_OK) {
        sp_cli_complain("%s", err.text);
    } else if (w.resume && !w.output && !w.no_output) {
        sp_cli_complain(
            "run: --resume writes a new result; name it with --output, as in 'specht run "
            "%s --resume %s --output rest.h5'",
            args.word.item[0], w.resume);
    } else if (find_conflict(&w)) {
        sp_cli_complain("run: %s exclude each other", find_conflict(&w));
    } else if (begin_dump(&r) && collect_settings(&args, &w, &r.kept, &set)) {
        r.model = args.word.item[0];
        r.command = command_text(&args, argc, argv);
        r.report.file = result_name(&args, &w, args.word.item[0]);
        code = run_and_report(&r, args.word.item[0], &set);
        sp_work_free(r.work);
        sp_machine_free(&r.machine);
    }
    sp_args_free(&args);
    return code;
}

const sp_command sp_cmd_run = {
    .name = "run",
    .purpose = "simulate a machine and write its result file",
    .usage = "MODEL.yaml [options]",
    .example = "specht run slider_crank.yaml\n"
               "specht run slider_crank.yaml -o fine.h5 --step 1e-6 --until 50ms --set mu=0.02\n"
               "specht run slider_crank.yaml --json --set 'c=0.5 mm' --no-output\n"
               "specht run slider_crank.yaml --report\n"
               "specht run long.yaml --checkpoint\n"
               "specht run long.yaml --resume long.h5 -o rest.h5 --until 20\n"
               "specht run pendulum.yaml --method smooth --tolerance 1e-12\n"
               "specht run slider_crank.yaml --dump-problems hard && specht solve hard/*.hdf5",
    .notes =
        "Exit code 0: finished, nothing to doubt: all contact problems hold to 1e-8.\n"
        "Exit code 1: finished, doubtful, for a reason that is not in --accept:\n"
        "  uncertified  a residual above 1e-8, or a penetration above 1e-8 of the parts' size\n"
        "  handover     short steps went over what events could not pass\n"
        "  projection   putting positions back did more than 1 % of the largest energy or work\n"
        "  divided      steps were halved, as their contact problem was not solved whole\n"
        "  unproven     parts may have touched within a step without being seen\n"
        "  restitution  coefficients of an impact were changed, or it gained energy\n"
        "  tolerance    the tolerance was raised where contacts changed without a pause\n"
        "or it failed or was interrupted (Ctrl-C); the result up to there is kept.  A second\n"
        "Ctrl-C ends the program at once; the file is then good up to the last flush, and\n"
        "'specht recover' makes it readable for everybody.\n"
        "Exit code 2: bad model, option or output; nothing is written, an older result stays.\n"
        "--resume writes a new file with the motion from the last checkpoint on, and prints its\n"
        "time.  A checkpoint is written with a frame when 0.5 s of computing have passed since\n"
        "the last, and at the end of a run that arrives.  All settings but --until must be those\n"
        "of the old run; its --set values are kept and printed.\n"
        "A later --until does not change the motion before it by a bit.  The exception is\n"
        "'adaptive', whose steps end at frames: without --output-step there are 1000 of them,\n"
        "so that runs with different --until agree within the tolerance only.",
    .run = run_command,
};
