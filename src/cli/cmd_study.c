#define _POSIX_C_SOURCE 200809L
#include "cli/study_report.h"
#include "cli/talk.h"

#include "base/status.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The name of a result: that of a file with another ending, in this folder. */
static char *result_name(sp_arena *arena, const char *file, const char *ending)
{
    const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
    const char *study = strstr(base, ".study."), *dot = study ? study : strrchr(base, '.');
    const int n = (int)(dot && dot > base ? dot - base : (long)strlen(base));
    return sp_arena_printf(arena, "%.*s%s", n, base, ending);
}

/* The ending of the result's name, of a shard with its number. */
static const char *ending_of(sp_arena *arena, const char *middle, const sp_study_wishes *w)
{
    int k, n;
    if (w->shard && sscanf(w->shard, "%d/%d", &k, &n) == 2) {
        return sp_arena_printf(arena, "%s.part%dof%d", middle, k, n);
    }
    return sp_arena_printf(arena, "%s.h5", middle);
}

/* specht study */
static int run_study(const sp_command *self, int argc, char **argv)
{
    sp_study_wishes w = {0};
    sp_option option[9];
    const sp_usage usage = {option, sp_study_option_list(&w, option), 1, 1};
    sp_args args;
    int code;
    if (!sp_args_read(&args, self, &usage, argc, argv, &code)) {
        return code;
    }
    sp_study *study = NULL;
    sp_error err = {.status = SP_OK};
    if (sp_study_load(args.word.item[0], &study, &err) != SP_OK) {
        sp_cli_print_error(&err);
        code = SP_EXIT_USAGE;
    } else {
        const char *name =
            result_name(&args.arena, args.word.item[0], ending_of(&args.arena, "", &w));
        code = sp_cli_run_study("study", study, &w, name);
    }
    sp_args_free(&args);
    return code;
}

const sp_command sp_cmd_study = {
    .name = "study",
    .purpose = "sweep, orbit, optimisation and other studies from a file",
    .usage = "STUDY.yaml [options]",
    .example = "specht study gear.study.yaml\nspecht study gear.study.yaml --shard 3/40",
    .notes = "The same command again goes on where it was stopped or killed (exit code 75: it was\n"
             "stopped).  Results do not depend on the number of workers.",
    .run = run_study};

/* ---- sweep -------------------------------------------------------------------------------------
 */

/* A value in quotes; a number with its unit stuck to it is taken apart, as --set does. */
static void put_value(FILE *f, const char *text)
{
    char apart[256];
    text += strspn(text, " \t");
    const size_t n = sp_args_stuck_unit(text);
    snprintf(apart, sizeof apart, "%.*s%s%s", (int)n, text, n ? " " : "", text + n);
    sp_cli_put_quoted(f, n ? apart : text);
}

/* "alpha=0.1:1:400" or "eps=0.5,0.7" as an item of 'vary'; false: it is neither. */
static bool put_axis(FILE *f, const char *word)
{
    const char *equals = strchr(word, '='), *at = equals ? equals + 1 : "";
    char part[3][200] = {"", "", ""};
    int n = 0;
    if (!equals || equals == word || !*at) {
        sp_cli_complain("sweep: '%s', expected NAME=FROM:TO:N or NAME=VALUE,VALUE,...", word);
        return false;
    }
    fprintf(f, "  \"%.*s\": ", (int)(equals - word), word);
    if (strchr(at, ':')) {
        for (; n < 3 && at; n++) {
            const size_t length = strcspn(at, ":");
            snprintf(part[n], sizeof part[n], "%.*s", (int)length, at);
            at = at[length] ? at + length + 1 : NULL;
        }
        if (n != 3 || at) {
            sp_cli_complain("sweep: '%s', expected NAME=FROM:TO:N, N points with both ends", word);
            return false;
        }
        static const char *const key[] = {"{from: ", ", to: ", ", n: "};
        for (int k = 0; k < 3; k++) {
            fputs(key[k], f);
            put_value(f, part[k]);
        }
        fputs("}\n", f);
        return true;
    }
    for (fputc('[', f); *at; at += *at == ',') {
        const size_t length = strcspn(at, ",");
        snprintf(part[0], sizeof part[0], "%.*s", (int)length, at);
        put_value(f, part[0]);
        at += length;
        fputs(*at == ',' ? ", " : "", f);
    }
    fputs("]\n", f);
    return true;
}

/* Whether a measure is asked for by the name that it has in the model. */
static bool is_name(const char *measure)
{
    const char *c = measure;
    while (isalnum((unsigned char)*c) || *c == '_') {
        c++;
    }
    return *c == '\0' && strcmp(measure, "span") != 0;
}

/* The study file that the words stand for; NULL: they are wrong, and that is said. */
static char *study_text(const sp_args *args, const sp_texts *measures, const sp_texts *set,
                        size_t *n)
{
    char *text = NULL;
    FILE *f = open_memstream(&text, n);
    bool ok = f != NULL;
    if (ok) {
        fprintf(f, "study: 1\nmodel: ");
        sp_cli_put_quoted(f, args->word.item[0]);
        fprintf(f, "\nvary:\n");
    }
    for (int k = 1; ok && k < args->word.n; k++) {
        ok = put_axis(f, args->word.item[k]);
    }
    for (int k = 0; ok && k < set->n; k++) {
        const char *equals = strchr(set->item[k], '=');
        if (!equals) {
            sp_cli_complain("sweep: --set '%s', expected NAME=VALUE", set->item[k]);
            ok = false;
            break;
        }
        fprintf(f, "%s  \"%.*s\": ", k == 0 ? "set:\n" : "", (int)(equals - set->item[k]),
                set->item[k]);
        put_value(f, equals + 1);
        fputc('\n', f);
    }
    int n_expression = 0;
    for (int k = 0; ok && k < measures->n; k++) {
        const char *m = measures->item[k], *equals = strchr(m, '=');
        if (is_name(m)) {
            continue; /* the name of one that the model has: all of these are there anyway */
        }
        fputs(n_expression++ == 0 ? "measures:\n" : "", f);
        if (equals && strcspn(m, "=") < strcspn(m, "(")) {
            fprintf(f, "  %.*s: ", (int)(equals - m), m);
            sp_cli_put_quoted(f, equals + 1);
        } else {
            fprintf(f, "  measure_%d: ", n_expression);
            sp_cli_put_quoted(f, m);
        }
        fputc('\n', f);
    }
    if (f && fclose(f) != 0) {
        ok = false;
    }
    if (!ok) {
        free(text);
        return NULL;
    }
    return text;
}

static bool is_among(const char *name, int n, const char *const *known)
{
    int k = 0;
    while (k < n && strcmp(known[k], name) != 0) {
        k++;
    }
    return k < n;
}

/* Whether all measures that are asked for by name are there. */
static bool has_measures(const sp_study *study, const sp_texts *measures)
{
    const sp_study_info about = sp_study_about(study);
    for (int k = 0; k < measures->n; k++) {
        const char *name = measures->item[k];
        if (is_name(name) && !is_among(name, about.n_measure, about.measure)) {
            sp_cli_complain("sweep: --measure '%s': the model has no measure of this name; an "
                            "expression is written as 'peak(%s)'",
                            name, name);
            return false;
        }
    }
    return true;
}

/* specht sweep */
static int run_sweep(const sp_command *self, int argc, char **argv)
{
    sp_study_wishes w = {0};
    sp_texts measures = {.n = 0}, set = {.n = 0};
    sp_option option[11];
    const int n_option = sp_study_option_list(&w, option);
    option[n_option] = (sp_option){
        "measure",
        'm',
        SP_OPTION_LIST,
        "NAME",
        "a measure of the model, or an expression, 'peak(slider.y)', 'worst=peak(slider.y)'",
        &measures};
    option[n_option + 1] = (sp_option){
        "set", 0, SP_OPTION_LIST, "NAME=VALUE", "change a parameter or leaf of the model", &set};
    const sp_usage usage = {option, n_option + 2, 2, 64};
    sp_args args;
    int code;
    if (!sp_args_read(&args, self, &usage, argc, argv, &code)) {
        return code;
    }
    size_t n = 0;
    char *text = study_text(&args, &measures, &set, &n);
    sp_study *study = NULL;
    sp_error err = {.status = SP_OK};
    code = SP_EXIT_USAGE;
    if (text && sp_study_load_text("sweep", text, n, &study, &err) != SP_OK) {
        sp_cli_print_error(&err);
    } else if (text && !has_measures(study, &measures)) {
        sp_study_free(study);
    } else if (text) {
        const char *name =
            result_name(&args.arena, args.word.item[0], ending_of(&args.arena, ".sweep", &w));
        code = sp_cli_run_study("sweep", study, &w, name);
    }
    free(text);
    sp_args_free(&args);
    return code;
}

const sp_command sp_cmd_sweep = {
    .name = "sweep",
    .purpose = "vary parameters of a model and print measures of all runs",
    .usage = "MODEL.yaml NAME=FROM:TO:N [NAME=VALUE,VALUE ...] [options]",
    .example = "specht sweep slider_crank.yaml eps=0:0.9:10 --measure 'worst=peak(slider.y)'",
    .notes = "FROM:TO:N are N points, both ends included.  All combinations are run, on all cores.",
    .run = run_sweep};

/* ---- merge -------------------------------------------------------------------------------------
 */

/* specht merge */
static int run_merge(const sp_command *self, int argc, char **argv)
{
    const char *output = NULL;
    const sp_option option[] = {{"output", 'o', SP_OPTION_TEXT, "FILE",
                                 "result file (the study's name with .h5)", &output}};
    const sp_usage usage = {option, 1, 2, 100000};
    sp_args args;
    int code;
    if (!sp_args_read(&args, self, &usage, argc, argv, &code)) {
        return code;
    }
    sp_study *study = NULL;
    sp_error err = {.status = SP_OK};
    const char *name = output ? output : result_name(&args.arena, args.word.item[0], ".h5");
    if (sp_study_load(args.word.item[0], &study, &err) != SP_OK ||
        sp_study_merge(study, args.word.n - 1, args.word.item + 1, name, &err) != SP_OK) {
        sp_cli_print_error(&err);
        code = err.status == SP_E_INPUT ? SP_EXIT_USAGE : SP_EXIT_FAILED;
    } else {
        printf("  %s   %s specht plot %s\n", name, sp_cli_arrow(), name);
        code = SP_EXIT_OK;
    }
    sp_study_free(study);
    sp_args_free(&args);
    return code;
}

const sp_command sp_cmd_merge = {.name = "merge",
                                 .purpose = "put the shards of a study together",
                                 .usage = "STUDY.yaml PART... [-o FILE]",
                                 .example = "specht merge gear.study.yaml gear.part*of40",
                                 .notes = NULL,
                                 .run = run_merge};
