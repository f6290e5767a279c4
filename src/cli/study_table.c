/* cli/study_table.c - results of studies as text: comma-separated values, JSON, lines. */
#include "cli/study_report.h"

#include <stdio.h>
#include <string.h>

/* ---- comma-separated values --------------------------------------------------------------------
 */

/* The word that stands for a value of a parameter, NULL: it is a number. */
static const char *word_of(const sp_table *t, int parameter, double value)
{
    for (int k = 0; k < t->n_word; k++) {
        if (t->word[k].parameter == parameter && t->word[k].value == value) {
            return t->word[k].text;
        }
    }
    return NULL;
}

/* Parameters, measures and status of all points. */
static void print_points(const sp_table *t, FILE *file)
{
    const int n = t->n_parameter + t->n_measure;
    for (int k = 0; k < n; k++) {
        fprintf(file, "%s[%s],", t->name[k], t->unit[k]);
    }
    fprintf(file, "status\n");
    for (uint64_t i = 0; i < t->n_point; i++) {
        for (int k = 0; k < n; k++) {
            const bool p = k < t->n_parameter;
            const double value =
                p ? t->parameter[i * (uint64_t)t->n_parameter + (uint64_t)k]
                  : t->measure[i * (uint64_t)t->n_measure + (uint64_t)(k - t->n_parameter)];
            const char *word = p ? word_of(t, k, value) : NULL;
            if (word) {
                fprintf(file, strchr(word, ',') ? "\"%s\"," : "%s,", word);
            } else {
                fprintf(file, "%.17g,", value);
            }
        }
        fprintf(file, "%s\n", t->status_word[t->status[i]]);
    }
}

/* Samples, with the number of their point. */
static void print_samples(const sp_table *t, FILE *file)
{
    fputs("point,t", file);
    for (int k = 0; k < t->n_keep; k++) {
        const int c = t->n_parameter + t->n_measure + k;
        fprintf(file, ",%s[%s]", t->name[c], t->unit[c]);
    }
    fputc('\n', file);
    for (uint64_t i = 0; i < t->n_point; i++) {
        for (uint64_t j = t->offset[i]; j < t->offset[i + 1]; j++) {
            fprintf(file, "%llu,%.17g", (unsigned long long)i, t->t[j]);
            for (int k = 0; k < t->n_keep; k++) {
                fprintf(file, ",%.17g", t->sample[j * (uint64_t)t->n_keep + (uint64_t)k]);
            }
            fputc('\n', file);
        }
    }
}

/* A part; its rows with their names. */
static void print_part(const sp_table_part *p, FILE *file)
{
    fputs(p->row ? "name," : "", file);
    for (int k = 0; k < p->n_column; k++) {
        fprintf(file, "%s[%s]%c", p->column[k], p->unit[k], k + 1 < p->n_column ? ',' : '\n');
    }
    for (uint64_t i = 0; i < p->n_row; i++) {
        if (p->row) {
            fprintf(file, "%s,", p->row[i]);
        }
        for (int k = 0; k < p->n_column; k++) {
            fprintf(file, "%.17g%c", p->value[i * (uint64_t)p->n_column + (uint64_t)k],
                    k + 1 < p->n_column ? ',' : '\n');
        }
    }
}

bool sp_table_print_csv(const sp_table *t, const char *what, FILE *file)
{
    if (!what || strcmp(what, "points") == 0) {
        print_points(t, file);
        return true;
    }
    if (strcmp(what, "samples") == 0) {
        print_samples(t, file);
        return true;
    }
    for (int k = 0; k < t->n_part; k++) {
        if (strcmp(what, t->part[k].name) == 0) {
            print_part(&t->part[k], file);
            return true;
        }
    }
    return false;
}

void sp_table_print_names(const sp_table *t, FILE *file)
{
    fputs("points\nsamples\n", file);
    for (int k = 0; k < t->n_part; k++) {
        fprintf(file, "%s\n", t->part[k].name);
    }
}

void sp_table_print_part(const sp_table_part *p, uint64_t lines, FILE *file)
{
    if (!p->row) {
        return; /* long tables of numbers */
    }
    fprintf(file, "  %-24s", p->name);
    for (int k = 0; k < p->n_column; k++) {
        fprintf(file, " %17s", p->column[k]);
    }
    fputc('\n', file);
    for (uint64_t i = 0; i < p->n_row && i < lines; i++) {
        fprintf(file, "    %-22s", p->row[i]);
        for (int k = 0; k < p->n_column; k++) {
            fprintf(file, " %17.6g", p->value[i * (uint64_t)p->n_column + (uint64_t)k]);
        }
        fputc('\n', file);
    }
    if (p->n_row > lines) {
        fprintf(file, "    ... and %llu more\n", (unsigned long long)(p->n_row - lines));
    }
}

/* ---- JSON --------------------------------------------------------------------------------------
 */

void sp_table_json_columns(sp_json *j, const char *key, int n, const char *const *name,
                           const char *const *unit)
{
    sp_json_array(j, key);
    for (int k = 0; k < n; k++) {
        sp_json_object(j, NULL);
        sp_json_text(j, "name", name[k]);
        sp_json_text(j, "unit", unit[k]);
        sp_json_end(j);
    }
    sp_json_end(j);
}

void sp_table_json_names(sp_json *j, const sp_table *t)
{
    const int measures = t->n_parameter, samples = measures + t->n_measure;
    sp_table_json_columns(j, "parameters", t->n_parameter, t->name, t->unit);
    sp_table_json_columns(j, "measures", t->n_measure, t->name + measures, t->unit + measures);
    sp_table_json_columns(j, "samples", t->n_keep, t->name + samples, t->unit + samples);
}

/* What was concluded from all points. */
static void json_parts(sp_json *j, const sp_table *t)
{
    sp_json_object(j, "parts");
    for (int k = 0; k < t->n_part; k++) {
        const sp_table_part *p = &t->part[k];
        sp_json_object(j, p->name);
        sp_table_json_columns(j, "columns", p->n_column, p->column, p->unit);
        sp_json_array(j, "rows");
        for (uint64_t i = 0; i < p->n_row; i++) {
            sp_json_object(j, NULL);
            sp_json_text(j, "name", p->row ? p->row[i] : NULL);
            sp_json_numbers(j, "values", p->n_column, p->value + i * (uint64_t)p->n_column);
            sp_json_end(j);
        }
        sp_json_end(j);
        sp_json_end(j);
    }
    sp_json_end(j);
}

/* The values of a point; words as they are written. */
static void json_parameters(sp_json *j, const sp_table *t, const double *value)
{
    sp_json_array(j, "parameters");
    for (int k = 0; k < t->n_parameter; k++) {
        const char *word = word_of(t, k, value[k]);
        if (word) {
            sp_json_text(j, NULL, word);
        } else {
            sp_json_number(j, NULL, value[k]);
        }
    }
    sp_json_end(j);
}

void sp_table_print_json(const sp_table *t, FILE *file)
{
    sp_json j;
    sp_json_init(&j, file);
    sp_json_object(&j, NULL);
    sp_json_text(&j, "kind", t->kind);
    sp_json_text(&j, "optimum", t->optimum[0] ? t->optimum : NULL);
    sp_table_json_names(&j, t);
    sp_json_array(&j, "points");
    for (uint64_t i = 0, m = 0; i < t->n_point; i++) {
        sp_json_object(&j, NULL);
        json_parameters(&j, t, t->parameter + i * (uint64_t)t->n_parameter);
        sp_json_numbers(&j, "measures", t->n_measure, t->measure + i * (uint64_t)t->n_measure);
        sp_json_text(&j, "status", t->status_word[t->status[i]]);
        if (m < t->n_message && t->message_point[m] == i) {
            sp_json_text(&j, "message", t->message[m++]);
        }
        sp_json_end(&j);
    }
    sp_json_end(&j);
    json_parts(&j, t);
    sp_json_end(&j);
    fputc('\n', file);
}
