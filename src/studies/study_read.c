/* studies/study_read.c - a study file as a study: its kind, its points in all, what it is. */
#define _POSIX_C_SOURCE 200809L
#include "base/diag.h"
#include "base/hash.h"
#include "base/status.h"
#include "model/grammar.h"
#include "specht/load.h"
#include "studies/findings.h"
#include "studies/kind.h"
#include "studies/read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POINTS_MAX 1e9
enum { FORM = 3 };

/* ---- starts, and how many points ----------------------------------------------------------------
 */

/* The section start. */
static sp_status read_start(sp_study *s, const sp_node *root, sp_error *err)
{
    const sp_node *node = sp_node_get(root, "start");
    const char *word = sp_study_text_of(root, "start");
    const char *standard = s->kind == SP_BIFURCATION ? "both" : "model";
    word = word ? word : standard;
    s->n_start = 1;
    if (node && node->kind == SP_NODE_MAP) {
        long n;
        const int before = s->n_axis;
        SP_TRY(sp_study_whole(node, "random", 1, &n, err));
        SP_TRY(sp_study_add_axes(s, sp_node_get(node, "of"), "start.", false, err));
        s->n_start = (int)n;
        s->n_drawn = s->n_axis - before;
        return SP_OK;
    }
    s->both = strcmp(word, "both") == 0;
    s->chained = s->both || strcmp(word, "previous") == 0;
    return SP_OK;
}

/* Multiply the factors of all points; false: too many. */
static bool count_points(sp_study *s)
{
    double n = (double)s->repeat * s->n_start * (s->both ? 2.0 : 1.0) *
               (s->n_row > 0 ? (double)s->n_row : 1.0);
    for (int k = 0; s->n_row == 0 && k < s->n_axis - s->n_drawn; k++) {
        n *= s->axis[k].n;
    }
    if (!(n <= POINTS_MAX)) {
        return false;
    }
    const uint64_t first = s->n_row > 0             ? s->n_row
                           : s->n_axis > s->n_drawn ? (uint64_t)s->axis[0].n
                                                    : 1;
    s->n_point = (uint64_t)n;
    s->n_chain = s->chained ? first : 1;
    return true;
}

/* Repeats, seeds and the limit. */
static sp_status read_numbers(sp_study *s, const sp_node *root, sp_error *err)
{
    long repeat;
    SP_TRY(sp_study_whole(root, "repeat", 1, &repeat, err));
    s->repeat = (int)repeat;
    const char *seed = sp_study_text_of(root, "seed");
    s->seed = seed ? strtoll(seed, NULL, 10) : 1;
    const sp_node *limit = sp_node_get(root, "limit");
    if (limit) {
        SP_TRY(sp_study_quantity(s, limit, "s", &s->limit, err));
        if (!(s->limit > 0.0)) {
            return sp_study_fail_at(limit, err, "limit: expected a time above zero");
        }
    }
    if (s->repeat > 1) {
        const char *of_model = sp_study_text_of(s->model->root, "seed");
        s->model_seed = of_model ? strtoll(of_model, NULL, 10) : 1;
        SP_TRY(sp_spec_set(s->model, "seed", of_model ? of_model : "1", err));
        s->seed_leaf = sp_node_get(s->model->root, "seed");
    }
    return SP_OK;
}

/* All that the numbers of the result depend on. */
static bool write_about(sp_study *s)
{
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    if (!f) {
        return false;
    }
    fprintf(f, "specht %s, results of form %d\n", sp_version(), FORM);
    const sp_spec *const both[] = {s->spec, s->model};
    for (int k = 0; k < 2; k++) {
        for (const sp_source *source = both[k]->first_source; source; source = source->next) {
            fprintf(f, "---- %s\n%.*s\n", k == 0 ? "study" : "model", (int)source->n, source->text);
        }
    }
    for (const sp_spec_mesh *mesh = s->model->first_mesh; mesh; mesh = mesh->next) {
        fprintf(f, "---- mesh %s %016llx\n", mesh->name,
                (unsigned long long)sp_hash(SP_HASH_BEGIN, mesh->bytes, mesh->n_byte));
    }
    fputs(s->data ? s->data : "", f);
    for (uint64_t i = 0; s->given && s->kind != SP_OPTIMIZE && i < s->n_row; i++) {
        for (int k = 0; k < s->n_axis - s->n_drawn; k++) {
            fprintf(f, "%.17g%c", s->given[i * (uint64_t)(s->n_axis - s->n_drawn) + (uint64_t)k],
                    k + 1 < s->n_axis - s->n_drawn ? ',' : '\n');
        }
    }
    const bool closed = fclose(f) == 0;
    s->about = closed ? sp_arena_copy(&s->arena, text) : NULL;
    free(text);
    return s->about != NULL;
}

/* ---- the file -----------------------------------------------------------------------------------
 */

/* Kinds in the order of their numbers. */
static const char *const kind_word[] = {"sweep",    "bifurcation", "response",
                                        "optimize", "basin",       "sensitivity"};

const char *sp_study_word(const sp_study *s)
{
    return s->runner ? s->runner->word : kind_word[s->kind];
}

/* The kind in the file. */
static sp_study_kind_of kind_of(const sp_node *root)
{
    const char *text = sp_study_text_of(root, "kind");
    for (size_t k = 0; text && k < sizeof kind_word / sizeof *kind_word; k++) {
        if (strcmp(text, kind_word[k]) == 0) {
            return (sp_study_kind_of)k;
        }
    }
    return text && sp_study_runner_of(text) ? SP_RUNNER : SP_SWEEP;
}

/* Keys that have no meaning for a kind: points of those that choose their own, starts that a basin
 * takes from its points, blocks of runs that are ended by something else. */
static sp_status check_keys(const sp_study *s, sp_error *err)
{
    static const char *const key[] = {"points", "sampling", "repeat", "start", "settle"};
    const bool own = s->kind == SP_OPTIMIZE || s->kind == SP_SENSITIVITY;
    const bool ended = s->kind == SP_BASIN || s->runner;
    const char *start = sp_study_text_of(s->spec->root, "start");
    for (int k = 0; k < 5; k++) {
        const sp_node *node = sp_node_get(s->spec->root, key[k]);
        const bool chained = k == 3 && s->kind == SP_BASIN && start && strcmp(start, "model") != 0;
        if (node && ((own && k < 4) || chained || (ended && k == 4))) {
            char text[120];
            snprintf(text, sizeof text, "'%s' does not go with 'kind: %s'%s", key[k],
                     sp_study_word(s), own ? ", which has points of its own" : "");
            return sp_study_fail_at(node, err, text);
        }
    }
    return SP_OK;
}

/* What a kind asks for beyond the grammar. */
static sp_status check_kind(const sp_study *s, sp_error *err)
{
    const sp_node *root = s->spec->root;
    const bool samples = s->kind == SP_BIFURCATION || s->kind == SP_BASIN || s->spectrum;
    if (samples && !sp_node_get(root, "sample") && !sp_node_get(s->model->root, "sample")) {
        char text[160];
        snprintf(text, sizeof text,
                 "%s: what is kept is missing; write 'sample: {every: ..., keep: ...}'",
                 s->spectrum ? "spectrum" : sp_study_word(s));
        return sp_study_fail_at(root, err, text);
    }
    if (s->kind == SP_BASIN && sp_node_get(root, "measures")) {
        return sp_study_fail_at(sp_node_get(root, "measures"), err,
                                "basin: runs end when their attractor is known; they have no "
                                "measures");
    }
    const sp_node *sample = sp_node_get(root, "sample");
    sample = sample ? sample : sp_node_get(s->model->root, "sample");
    if (s->spectrum && !sp_node_get(sample, "every")) {
        return sp_study_fail_at(
            s->spectrum, err, "spectrum: samples at even times are needed, 'sample: {every: ...}'");
    }
    if (s->kind == SP_RESPONSE && !sp_node_get(root, "settle")) {
        return sp_study_fail_at(root, err, "response: 'settle: {block: 10 periods}' is missing");
    }
    static const struct {
        sp_study_kind_of kind;
        const char *section;
    } own[] = {{SP_OPTIMIZE, "optimize"}, {SP_BASIN, "basin"}, {SP_SENSITIVITY, "sensitivity"}};
    for (size_t k = 0; k < sizeof own / sizeof *own; k++) {
        if ((s->kind == own[k].kind) != (sp_node_get(root, own[k].section) != NULL)) {
            char text[160];
            snprintf(text, sizeof text, "'kind: %s' and the section '%s' belong together",
                     own[k].section, own[k].section);
            return sp_study_fail_at(root, err, text);
        }
    }
    return SP_OK;
}

/* Whether the starts of a basin are drawn: its ranges do not say how many values they have. */
static bool is_monte_carlo(const sp_study *s)
{
    const sp_node *vary = sp_node_get(s->spec->root, "vary");
    bool drawn = s->kind == SP_BASIN && vary && vary->n_child > 0;
    for (const sp_node *n = drawn ? vary->first : NULL; n; n = n->next) {
        drawn = drawn && n->kind == SP_NODE_MAP && !sp_node_get(n, "n");
    }
    return drawn;
}

/* Points of a sensitivity, which are its own. */
static sp_status read_sensitivity(sp_study *s, const sp_node *root, sp_error *err)
{
    SP_TRY(sp_sensitivity_points(s, sp_node_get(root, "sensitivity"), err));
    sp_study_scale_rows(s);
    return SP_OK;
}

/* The model; one that is not there is a mistake of the study. */
static sp_status load_model(sp_study *s, const sp_node *node, sp_error *err)
{
    sp_error why = {.status = SP_OK};
    const sp_status status = sp_spec_load_file(s->model, s->model_path, &why);
    if (status == SP_E_IO && !why.file[0]) {
        return sp_study_fail_at(node, err, why.text);
    }
    if (status != SP_OK && err) {
        *err = why;
    }
    return status;
}

/* Everything behind the YAML. */
static sp_status read_study(sp_study *s, sp_error *err)
{
    const sp_node *root = s->spec->root;
    sp_diag diag;
    sp_diag_init(&diag, &s->arena);
    sp_grammar_check_study(root, &diag);
    SP_TRY(sp_diag_status(&diag, err));
    s->kind = kind_of(root);
    s->runner = s->kind == SP_RUNNER ? sp_study_runner_of(sp_study_text_of(root, "kind")) : NULL;
    s->spectrum = sp_node_get(root, "spectrum");
    s->model_path =
        sp_study_beside(s, sp_study_text_of(root, "model") ? sp_study_text_of(root, "model") : "");
    s->model = sp_spec_new(NULL);
    if (!s->model || !s->model_path) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory");
    }
    SP_TRY(load_model(s, sp_node_get(root, "model"), err));
    SP_TRY(check_kind(s, err));
    SP_TRY(check_keys(s, err));
    SP_TRY(sp_study_set_model(s, err));
    SP_TRY(sp_study_write_command(s, err));
    SP_TRY(s->runner ? s->runner->read(s, err) : SP_OK);
    SP_TRY(read_numbers(s, root, err));
    const sp_node *points = sp_node_get(root, "points"), *sampling = sp_node_get(root, "sampling");
    if (points && (sampling || sp_node_get(root, "vary"))) {
        return sp_study_fail_at(
            points, err, "'points' are all there are: 'vary' and 'sampling' do not go with them");
    }
    s->n_start = 1;
    const bool drawn = sampling || is_monte_carlo(s);
    const bool grid = !drawn && s->kind != SP_OPTIMIZE && s->kind != SP_SENSITIVITY;
    SP_TRY(points ? sp_study_read_points(s, points, err)
                  : sp_study_add_axes(s, sp_node_get(root, "vary"), "", grid, err));
    SP_TRY(drawn ? sp_study_draw_points(s, sampling, err) : SP_OK);
    if (s->kind == SP_OPTIMIZE) {
        SP_TRY(sp_goal_read(s, sp_node_get(root, "optimize"), err));
    } else if (s->kind == SP_SENSITIVITY) {
        SP_TRY(read_sensitivity(s, root, err));
    }
    if (s->kind != SP_OPTIMIZE) {
        SP_TRY(read_start(s, root, err));
        if (!count_points(s)) {
            return sp_study_fail_at(root, err, "more than 1e9 points");
        }
    }
    SP_TRY(s->kind == SP_BASIN ? sp_basin_read(s, sp_node_get(root, "basin"), err) : SP_OK);
    if (!write_about(s)) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory");
    }
    SP_TRY(sp_engine_learn(s, err));
    return s->basin ? sp_basin_check(s, err) : SP_OK;
}

/* A study whose spec was just loaded, with status. */
static sp_status finish_load(sp_study *s, sp_status status, sp_study **study, sp_error *err)
{
    status = status == SP_OK ? read_study(s, err) : status;
    if (status == SP_OK && s->goal) {
        status = sp_goal_check(s, err);
    }
    if (status != SP_OK) {
        sp_study_free(s);
        s = NULL;
    }
    *study = s;
    return status;
}

/* An empty study; NULL without memory. */
static sp_study *new_study(void)
{
    sp_study *s = calloc(1, sizeof *s);
    if (s) {
        sp_arena_init(&s->arena, NULL, 0);
        s->spec = sp_spec_new(NULL);
    }
    return s;
}

sp_status sp_study_load(const char *path, sp_study **study, sp_error *err)
{
    *study = NULL;
    sp_study *s = new_study();
    if (!s || !s->spec) {
        sp_study_free(s);
        return SP_FAIL(err, SP_E_MEMORY, "no memory");
    }
    return finish_load(s, sp_spec_load_file(s->spec, path, err), study, err);
}

sp_status sp_study_load_text(const char *name, const char *text, size_t n, sp_study **study,
                             sp_error *err)
{
    *study = NULL;
    sp_study *s = new_study();
    if (!s || !s->spec) {
        sp_study_free(s);
        return SP_FAIL(err, SP_E_MEMORY, "no memory");
    }
    return finish_load(s, sp_spec_load_text(s->spec, name, text, n, NULL, err), study, err);
}

void sp_study_free(sp_study *s)
{
    if (s) {
        sp_goal_free(s->goal);
        sp_basin_free(s->basin);
        sp_spec_free(s->spec);
        sp_spec_free(s->model);
        sp_arena_free(&s->arena);
        free(s);
    }
}

sp_study_info sp_study_about(const sp_study *s)
{
    return (sp_study_info){.kind = sp_study_word(s),
                           .n_point = s->n_point,
                           .n_measure = s->n_measure,
                           .measure = s->measure};
}
