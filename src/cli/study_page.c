/* cli/study_page.c - the report page of a study. */
#define _POSIX_C_SOURCE 200809L
#include "base/status.h"
#include "cli/study_figures.h"
#include "cli/study_report.h"
#include "io/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS_MAX = 20000, SAMPLES_MAX = 200000, ROWS_MAX = 200000, DIGITS = 9 };

/* A part, of which rows are left out evenly if it is long. */
static void put_part(sp_json *j, const sp_table_part *p)
{
    sp_json_object(j, p->name);
    sp_table_json_columns(j, "columns", p->n_column, p->column, p->unit);
    sp_json_array(j, "rows");
    for (uint64_t i = 0; i < p->n_row; i += p->n_row / ROWS_MAX + 1) {
        sp_json_object(j, NULL);
        sp_json_text(j, "name", p->row ? p->row[i] : NULL);
        sp_json_array(j, "values");
        for (int k = 0; k < p->n_column; k++) {
            sp_json_short(j, NULL, p->value[i * (uint64_t)p->n_column + (uint64_t)k], DIGITS);
        }
        sp_json_end(j);
        sp_json_end(j);
    }
    sp_json_end(j);
    sp_json_end(j);
}

/* A point with every `each`-th of its samples. */
static void put_point(sp_json *j, const sp_table *t, uint64_t i, uint64_t each, const char *message)
{
    const uint64_t cols = (uint64_t)t->n_keep;
    sp_json_object(j, NULL);
    sp_json_integer(j, "i", (long long)i);
    sp_json_numbers(j, "p", t->n_parameter, t->parameter + i * (uint64_t)t->n_parameter);
    sp_json_numbers(j, "m", t->n_measure, t->measure + i * (uint64_t)t->n_measure);
    sp_json_text(j, "status", t->status_word[t->status[i]]);
    if (message) {
        sp_json_text(j, "message", message);
    }
    sp_json_array(j, "s");
    for (uint64_t k = t->offset[i]; k < t->offset[i + 1]; k += each) {
        sp_json_array(j, NULL);
        for (uint64_t c = 0; c < cols; c++) {
            sp_json_short(j, NULL, t->sample[k * cols + c], DIGITS);
        }
        sp_json_end(j);
    }
    sp_json_end(j);
    sp_json_end(j);
}

/* The points, at most POINTS_MAX of them, evenly spread. */
static void put_points(sp_json *j, const sp_table *t)
{
    const uint64_t step = t->n_point / POINTS_MAX + 1;
    const uint64_t each = t->offset[t->n_point] / step / SAMPLES_MAX + 1;
    char note[160] = "";
    if (step > 1 || each > 1) {
        snprintf(note, sizeof note, "every %llu. point and every %llu. sample is shown",
                 (unsigned long long)step, (unsigned long long)each);
    }
    sp_json_text(j, "note", note);
    sp_json_array(j, "points");
    for (uint64_t i = 0, m = 0; i < t->n_point; i += step) {
        while (m < t->n_message && t->message_point[m] < i) {
            m++;
        }
        const bool said = m < t->n_message && t->message_point[m] == i;
        put_point(j, t, i, each, said ? t->message[m] : NULL);
    }
    sp_json_end(j);
}

/* How an optimisation went: rows of generation, best, width. */
static void put_story(sp_json *j, const sp_table *t)
{
    sp_json_array(j, "story");
    for (const char *at = t->story; *at;
         at += strcspn(at, "\n") + (at[strcspn(at, "\n")] == '\n')) {
        double row[3];
        if (sscanf(at, "%lf %lf %lf", &row[0], &row[1], &row[2]) == 3) {
            sp_json_numbers(j, NULL, 3, row);
        }
    }
    sp_json_end(j);
}

/* What the command that repeats a point is made of. */
static void put_command(sp_json *j, const sp_table *t)
{
    sp_json_text(j, "command", t->command);
    sp_json_bool(j, "chained", t->chained);
    sp_json_integer(j, "repeat", t->repeat);
    sp_json_integer(j, "stride", (long long)t->stride);
    sp_json_integer(j, "seed", t->seed);
    sp_json_object(j, "words");
    for (int k = 0; k < t->n_word; k++) {
        char key[40];
        snprintf(key, sizeof key, "%d %d", t->word[k].parameter, t->word[k].value);
        sp_json_text(j, key, t->word[k].text);
    }
    sp_json_end(j);
}

/* Multipliers of orbits; of branches the largest of each orbit. */
static void put_multipliers(sp_json *j, const sp_table *t)
{
    sp_json_array(j, "multipliers");
    for (int k = 0; k < t->n_left; k++) {
        const sp_table_left *p = &t->left[k];
        const bool branch = strcmp(p->name, "orbits") == 0;
        const uint64_t re = branch ? SP_BRANCH_RE : 0;
        if ((!branch && strcmp(p->name, "multipliers") != 0) || p->n_column < re + 2) {
            continue;
        }
        sp_json_object(j, NULL);
        sp_json_integer(j, "point", (long long)p->point);
        sp_json_array(j, "values");
        for (uint64_t i = 0; i < p->n_row; i++) {
            sp_json_numbers(j, NULL, 2, p->value + i * p->n_column + re);
        }
        sp_json_end(j);
        sp_json_end(j);
    }
    sp_json_end(j);
}

/* Orbits of branches: number of the branch, what is special, parameter, how many multipliers are
 * unstable, measures. */
static void put_branches(sp_json *j, const sp_table *t)
{
    static const int column[] = {SP_BRANCH_NUMBER, SP_BRANCH_SPECIAL, SP_BRANCH_PARAMETER,
                                 SP_BRANCH_UNSTABLE};
    sp_json_text(j, "along", t->along ? t->along : "");
    sp_json_array(j, "branches");
    for (int k = 0; k < t->n_left; k++) {
        const sp_table_left *p = &t->left[k];
        if (strcmp(p->name, "orbits") != 0 || p->n_column < SP_BRANCH_MEASURES) {
            continue;
        }
        sp_json_object(j, NULL);
        sp_json_integer(j, "point", (long long)p->point);
        sp_json_array(j, "rows");
        for (uint64_t i = 0; i < p->n_row; i++) {
            const double *row = p->value + i * p->n_column;
            sp_json_array(j, NULL);
            for (size_t c = 0; c < sizeof column / sizeof *column; c++) {
                sp_json_number(j, NULL, row[column[c]]);
            }
            for (uint64_t c = SP_BRANCH_MEASURES; c < p->n_column; c++) {
                sp_json_number(j, NULL, row[c]);
            }
            sp_json_end(j);
        }
        sp_json_end(j);
        sp_json_end(j);
    }
    sp_json_end(j);
}

/* Everything on the page. */
static void put_study(sp_json *j, const sp_table *t, const char *file)
{
    const char *slash = strrchr(file, '/');
    sp_json_object(j, NULL);
    sp_json_integer(j, "format", 1);
    sp_json_text(j, "file", slash ? slash + 1 : file);
    sp_json_text(j, "kind", t->kind);
    sp_json_text(j, "version", t->version);
    sp_json_integer(j, "n", (long long)t->n_point);
    sp_json_text(j, "study", t->study_text);
    sp_json_text(j, "model", t->model_text);
    sp_json_text(j, "optimum", t->optimum);
    sp_table_json_names(j, t);
    put_story(j, t);
    put_command(j, t);
    sp_json_object(j, "parts");
    for (int k = 0; k < t->n_part; k++) {
        put_part(j, &t->part[k]);
    }
    sp_json_end(j);
    put_multipliers(j, t);
    put_branches(j, t);
    put_points(j, t);
    sp_json_end(j);
}

sp_status sp_table_write_page(const sp_table *t, const char *file, const char *page, FILE *to,
                              sp_error *err)
{
    char *text = NULL;
    size_t size = 0;
    sp_json j;
    FILE *memory = open_memstream(&text, &size);
    if (!memory) {
        return SP_FAIL(err, SP_E_MEMORY, "out of memory for the report");
    }
    sp_json_init(&j, memory);
    put_study(&j, t, file);
    const bool whole = !ferror(memory);
    sp_status status = fclose(memory) == 0 && whole
                           ? sp_page_fill(to, page, text, size, err)
                           : SP_FAIL(err, SP_E_MEMORY, "out of memory for the report");
    free(text);
    return status;
}
