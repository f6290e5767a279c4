/* studies/table.c - the result of a study as one HDF5 file, in the order of the points, with no
 * clock and no name of a machine in it: the same bytes in every dataset however it came about. */
#define _GNU_SOURCE
#include "studies/table.h"

#include "base/status.h"
#include "io/result_h5.h"
#include "studies/findings.h"
#include "studies/kind.h"
#include "studies/sets.h"

#include <hdf5.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- writing ----------------------------------------------------------------------------------
 */

/* Rows of a table with `cols` columns, which may be none. */
static uint64_t rows_of(uint64_t rows, int cols)
{
    return cols > 0 ? rows : 0;
}

/* Names and units of all columns. */
static bool put_names(hid_t file, const sp_study *s)
{
    const int n = s->n_axis + s->n_measure + s->n_keep;
    const char **name = calloc((size_t)n + 1, sizeof *name),
               **unit = calloc((size_t)n + 1, sizeof *unit);
    bool ok = name && unit;
    for (int k = 0; ok && k < s->n_axis; k++) {
        name[k] = s->axis[k].name;
        unit[k] = s->axis[k].unit[0] ? s->axis[k].unit : "1";
    }
    for (int k = 0; ok && k < s->n_measure; k++) {
        name[s->n_axis + k] = s->measure[k];
        unit[s->n_axis + k] = s->measure_unit[k];
    }
    for (int k = 0; ok && k < s->n_keep; k++) {
        name[s->n_axis + s->n_measure + k] = s->keep[k];
        unit[s->n_axis + s->n_measure + k] = s->keep_unit[k];
    }
    ok = ok && sp_sets_put_list(file, "/names", n, name) &&
         sp_sets_put_list(file, "/units", n, unit);
    free(name);
    free(unit);
    return ok;
}

/* The file while it is written. */
typedef struct writer {
    sp_study *s;
    hid_t file, parameter, measure, status, offset, t, sample;
    uint64_t n_sample;
    FILE *message; /* "point<tab>text" lines */
} writer;

/* The journal that has a point. */
static sp_journal *journal_of(int n, sp_journal *journal, uint64_t point)
{
    for (int k = n - 1; k >= 0; k--) {
        if (sp_journal_has(&journal[k], point)) {
            return &journal[k];
        }
    }
    return NULL;
}

/* How many samples there are in all. */
static sp_status count_samples(const sp_study *s, int n, sp_journal *journal, uint64_t *count,
                               sp_error *err)
{
    sp_outcome o = {.point = 0};
    *count = 0;
    for (uint64_t i = 0; i < s->n_point && s->n_keep > 0; i++) {
        sp_journal *j = journal_of(n, journal, i);
        const sp_status status = j ? sp_journal_get(s, j, i, &o, err) : SP_OK;
        *count += j && status == SP_OK ? o.n_sample : 0;
        if (status != SP_OK) {
            sp_outcome_free(&o);
            return status;
        }
    }
    sp_outcome_free(&o);
    return SP_OK;
}

/* The tables that a point left behind, /orbits/7/multipliers. */
static bool put_extra(const writer *w, const sp_outcome *o)
{
    sp_extra head;
    const double *value;
    size_t at = 0;
    char path[120];
    bool ok = true;
    if (o->extra.n == 0 || !w->s->runner) {
        return true;
    }
    snprintf(path, sizeof path, "%s/%llu", w->s->runner->group, (unsigned long long)o->point);
    const hid_t id = H5Gcreate2(w->file, path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Gclose(id);
    while (ok && sp_extra_next(&o->extra, &at, &head, &value)) {
        snprintf(path, sizeof path, "%s/%llu/%s", w->s->runner->group, (unsigned long long)o->point,
                 head.name);
        const hid_t data = sp_sets_new(w->file, path, H5T_IEEE_F64LE, head.rows, head.cols);
        ok = data >= 0 && sp_sets_put_rows(data, H5T_NATIVE_DOUBLE, 0, head.rows, head.cols, value);
        H5Dclose(data);
    }
    return ok && id >= 0;
}

/* One point. */
static bool put_point(writer *w, const sp_outcome *o)
{
    const sp_study *s = w->s;
    const unsigned char status = (unsigned char)o->status;
    const uint64_t next = w->n_sample + o->n_sample, i = o->point;
    const uint64_t n_keep = (uint64_t)s->n_keep;
    double *value = calloc((size_t)s->n_axis + 1, sizeof *value), *t = NULL, *x = NULL;
    int repeat;
    bool ok = value != NULL;
    if (ok) {
        const uint64_t n_fixed = (uint64_t)(s->n_axis - s->n_drawn);
        sp_points_values(s, i, s->kind == SP_OPTIMIZE ? s->given + i * n_fixed : NULL, value,
                         &repeat);
        ok = sp_sets_put_rows(w->parameter, H5T_NATIVE_DOUBLE, i, rows_of(1, s->n_axis),
                              (uint64_t)s->n_axis, value) &&
             sp_sets_put_rows(w->measure, H5T_NATIVE_DOUBLE, i, rows_of(1, s->n_measure),
                              (uint64_t)s->n_measure, o->measure) &&
             sp_sets_put_rows(w->status, H5T_NATIVE_UCHAR, i, 1, 0, &status) &&
             sp_sets_put_rows(w->offset, H5T_NATIVE_UINT64, i + 1, 1, 0, &next);
    }
    if (ok && o->n_sample > 0) {
        t = malloc(o->n_sample * sizeof *t);
        x = malloc(o->n_sample * n_keep * sizeof *x);
        ok = t && x;
        for (uint64_t k = 0; ok && k < o->n_sample; k++) {
            t[k] = o->sample[k * (1 + n_keep)];
            memcpy(x + k * n_keep, o->sample + k * (1 + n_keep) + 1, n_keep * sizeof *x);
        }
        ok = ok && sp_sets_put_rows(w->t, H5T_NATIVE_DOUBLE, w->n_sample, o->n_sample, 0, t) &&
             sp_sets_put_rows(w->sample, H5T_NATIVE_DOUBLE, w->n_sample, o->n_sample, n_keep, x);
    }
    if (o->message[0]) {
        fprintf(w->message, "%llu\t", (unsigned long long)i);
        for (const char *c = o->message; *c; c++) {
            fputc(*c == '\n' ? ' ' : *c, w->message);
        }
        fputc('\n', w->message);
    }
    ok = ok && put_extra(w, o);
    w->n_sample = next;
    free(value);
    free(t);
    free(x);
    return ok;
}

/* What an optimisation found, and how. */
static bool put_optimum(hid_t file, sp_study *s)
{
    sp_arena arena;
    sp_arena_init(&arena, NULL, 0);
    const char *text = s->goal ? sp_goal_text(s, &arena) : "";
    const bool ok = text && sp_sets_put_text(file, "/texts/optimum", text) &&
                    sp_sets_put_text(file, "/texts/story", s->goal ? sp_goal_story(s) : "");
    sp_arena_free(&arena);
    return ok;
}

/* The command that repeats a point, and what it needs beside the parameters. */
static bool put_command(hid_t file, const sp_study *s)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (f) {
        fprintf(f, "%s\n%d %d %llu %lld\n", s->command, s->chained, s->repeat,
                (unsigned long long)sp_points_stride(s), s->model_seed);
    }
    for (int k = 0; f && k < s->n_axis; k++) {
        for (int j = 0; s->axis[k].words && j < s->axis[k].n; j++) {
            fprintf(f, "%d %d %s\n", k, j, s->axis[k].text[j]);
        }
    }
    const bool ok = f && fclose(f) == 0 && sp_sets_put_text(file, "/texts/command", text);
    free(text);
    return ok;
}

/* All datasets. */
static bool create_sets(writer *w, uint64_t n_sample)
{
    const sp_study *s = w->s;
    const uint64_t zero = 0;
    static const char *const group[] = {"/points", "/samples", "/texts"};
    bool ok = true;
    for (int k = 0; k < 3; k++) {
        const hid_t id = H5Gcreate2(w->file, group[k], H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        ok = ok && id >= 0;
        H5Gclose(id);
    }
    if (s->runner) {
        const hid_t id =
            H5Gcreate2(w->file, s->runner->group, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        ok = ok && id >= 0;
        H5Gclose(id);
    }
    w->parameter = sp_sets_new(w->file, "/points/parameters", H5T_IEEE_F64LE,
                               rows_of(s->n_point, s->n_axis), (uint64_t)s->n_axis);
    w->measure = sp_sets_new(w->file, "/points/measures", H5T_IEEE_F64LE,
                             rows_of(s->n_point, s->n_measure), (uint64_t)s->n_measure);
    w->status = sp_sets_new(w->file, "/points/status", H5T_STD_U8LE, s->n_point, 0);
    w->offset = sp_sets_new(w->file, "/samples/offset", H5T_STD_U64LE, s->n_point + 1, 0);
    w->t = sp_sets_new(w->file, "/samples/t", H5T_IEEE_F64LE, n_sample, 0);
    w->sample =
        sp_sets_new(w->file, "/samples/value", H5T_IEEE_F64LE, n_sample, (uint64_t)s->n_keep);
    return ok && w->parameter >= 0 && w->measure >= 0 && w->status >= 0 && w->offset >= 0 &&
           w->t >= 0 && w->sample >= 0 && put_names(w->file, s) &&
           sp_sets_put_rows(w->offset, H5T_NATIVE_UINT64, 0, 1, 0, &zero) &&
           sp_sets_put_text(w->file, "/texts/about", s->about) &&
           sp_sets_put_text(w->file, "/texts/kind", sp_study_word(s)) &&
           sp_sets_put_text(w->file, "/texts/version", sp_version()) &&
           sp_sets_put_text(w->file, "/texts/along", s->along ? s->along : "") &&
           put_optimum(w->file, w->s) && put_command(w->file, s) &&
           sp_sets_put_text(w->file, "/texts/study",
                            s->spec->first_source ? s->spec->first_source->text : "") &&
           sp_sets_put_text(w->file, "/texts/model",
                            s->model->first_source ? s->model->first_source->text : "");
}

/* Journals to read outcomes from. */
typedef struct source {
    const sp_study *s;
    int n;
    sp_journal *journal;
} source;

/* sp_outcomes.get */
static sp_status get_outcome(void *ctx, uint64_t point, sp_outcome *o, sp_error *err)
{
    const source *from = ctx;
    sp_journal *j = journal_of(from->n, from->journal, point);
    return j ? sp_journal_get(from->s, j, point, o, err)
             : SP_FAIL(err, SP_E_INPUT, "point %llu is in none of the parts",
                       (unsigned long long)point);
}

/* Everything into an open file. */
static sp_status put_all(writer *w, int n, sp_journal *journal, sp_findings *findings,
                         sp_error *err)
{
    const sp_study *s = w->s;
    sp_outcome o = {.point = 0};
    char *message = NULL;
    size_t size = 0;
    uint64_t n_sample;
    source from = {.s = s, .n = n, .journal = journal};
    SP_TRY(count_samples(s, n, journal, &n_sample, err));
    SP_TRY(sp_findings_find(w->s, &(sp_outcomes){get_outcome, &from}, findings, err));
    w->message = open_memstream(&message, &size);
    bool ok = w->message && create_sets(w, n_sample);
    sp_status status = SP_OK;
    for (uint64_t i = 0; ok && i < s->n_point; i++) {
        status = get_outcome(&from, i, &o, err);
        if (status == SP_OK && findings->attractor) {
            o.measure[s->n_measure - SP_BASIN_OWN + SP_BASIN_ATTRACTOR] = findings->attractor[i];
        }
        ok = status == SP_OK && put_point(w, &o);
    }
    sp_outcome_free(&o);
    ok = w->message && fclose(w->message) == 0 && ok &&
         sp_sets_put_parts(w->file, findings->n, findings->part) &&
         sp_sets_put_text(w->file, "/texts/messages", message);
    free(message);
    SP_TRY(status);
    return ok ? SP_OK : SP_FAIL(err, SP_E_IO, "the result cannot be written; is the disk full?");
}

sp_status sp_table_write(sp_study *s, int n_journal, sp_journal *journal, const char *path,
                         sp_error *err)
{
    char part[4096];
    const hid_t list = H5Pcreate(H5P_FILE_CREATE);
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    sp_h5_quiet quiet;
    sp_h5_quiet_begin(&quiet);
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    snprintf(part, sizeof part, "%s.part-%ld", path, (long)getpid());
    writer w = {.s = s};
    w.file = H5Fcreate(part, H5F_ACC_TRUNC, list, access);
    H5Pclose(list);
    H5Pclose(access);
    sp_findings findings = {.n = 0};
    sp_status status = w.file >= 0 ? put_all(&w, n_journal, journal, &findings, err)
                                   : SP_FAIL(err, SP_E_IO, "cannot write '%.300s'", part);
    if (w.file >= 0 && H5Fclose(w.file) < 0 && status == SP_OK) {
        status = SP_FAIL(err, SP_E_IO, "'%.300s' cannot be written; is the disk full?", part);
    }
    if (status == SP_OK && rename(part, path) != 0) {
        status = SP_FAIL(err, SP_E_IO, "cannot write '%.300s'", path);
    }
    if (status != SP_OK) {
        unlink(part);
    }
    sp_findings_free(&findings);
    sp_h5_quiet_end(&quiet);
    return status;
}
