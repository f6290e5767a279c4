/* studies/study_points.c - points from files, and drawn ones. */
#include "base/hash.h"
#include "base/status.h"
#include "studies/read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_MAX = 1 << 16, COLUMN_MAX = 64, DRAWN = 1000 };

/* A file beside the study file. */
const char *sp_study_beside(sp_study *s, const char *name)
{
    const char *file = s->spec->first_source ? s->spec->first_source->file : "";
    const char *slash = strrchr(file, '/');
    return name[0] == '/' || !slash
               ? sp_arena_copy(&s->arena, name)
               : sp_arena_printf(&s->arena, "%.*s%s", (int)(slash - file) + 1, file, name);
}

/* Split a line at its commas, in place; how many fields, one more than there may be if there are
 * more. */
static int split_line(char *line, char *field[COLUMN_MAX + 1])
{
    int n = 0;
    line[strcspn(line, "\r\n")] = '\0';
    for (char *at = line; at && n <= COLUMN_MAX; n++) {
        char *comma = strchr(at, ',');
        if (comma) {
            *comma = '\0';
        }
        at += strspn(at, " \t");
        for (char *end = at + strlen(at); end > at && (end[-1] == ' ' || end[-1] == '\t'); end--) {
            end[-1] = '\0';
        }
        field[n] = at;
        at = comma ? comma + 1 : NULL;
    }
    return n;
}

/* The columns of a file are part of what the study is. */
static sp_status note_data(sp_study *s, const sp_node *node, const sp_csv_columns *c, sp_error *err)
{
    char *text = sp_arena_printf(&s->arena, "%s---- data %s: ", s->data ? s->data : "", node->text);
    for (int k = 0; k < c->n && text; k++) {
        text = sp_arena_printf(&s->arena, "%s%s,", text, c->name[k]);
    }
    const size_t size = c->n_row * (size_t)c->n * sizeof *c->value;
    s->data = text ? sp_arena_printf(&s->arena, "%s %016llx\n", text,
                                     (unsigned long long)sp_hash(SP_HASH_BEGIN, c->value, size))
                   : NULL;
    return s->data ? SP_OK : SP_FAIL(err, SP_E_MEMORY, "no memory");
}

sp_status sp_study_read_csv(sp_study *s, const sp_node *node, sp_csv_columns *out, sp_error *err)
{
    const char *path = sp_study_beside(s, node->text);
    FILE *file = path ? fopen(path, "r") : NULL;
    char *line = SP_NEW(&s->arena, char, LINE_MAX), *field[COLUMN_MAX + 1], message[300] = "";
    size_t room = 0;
    *out = (sp_csv_columns){.n = 0};
    if (!file || !line || !fgets(line, LINE_MAX, file)) {
        snprintf(message, sizeof message, "cannot read '%.200s'", node->text);
    } else {
        out->n = split_line(line, field);
        out->name = SP_NEW(&s->arena, const char *, out->n);
        for (int k = 0; k < out->n && out->name; k++) {
            out->name[k] = sp_arena_copy(&s->arena, field[k]);
        }
    }
    if (out->n > COLUMN_MAX) {
        snprintf(message, sizeof message, "'%.150s' has more than %d columns", node->text,
                 (int)COLUMN_MAX);
    }
    for (int at = 2; !message[0] && fgets(line, LINE_MAX, file); at++) {
        const int n = split_line(line, field);
        if (n == 1 && !field[0][0]) {
            continue;
        }
        if (out->n_row * (size_t)out->n >= room) {
            const size_t more = room > 0 ? 2 * room : (size_t)out->n * 64;
            double *larger = SP_NEW(&s->arena, double, more);
            if (larger && room > 0) {
                memcpy(larger, out->value, room * sizeof *larger);
            }
            out->value = larger;
            room = more;
        }
        for (int k = 0; k < out->n && !message[0]; k++) {
            char *end = NULL;
            const double value = k < n ? strtod(field[k], &end) : NAN;
            if (n != out->n || !end || end == field[k] || *end || !isfinite(value) || !out->value) {
                snprintf(message, sizeof message, "'%.150s', line %d: expected %d numbers",
                         node->text, at, out->n);
            } else {
                out->value[out->n_row * (size_t)out->n + (size_t)k] = value;
            }
        }
        out->n_row++;
    }
    if (file) {
        fclose(file);
    }
    if (!message[0] && out->n_row == 0) {
        snprintf(message, sizeof message, "'%.200s' has no points", node->text);
    }
    return message[0] ? sp_study_fail_at(node, err, message) : note_data(s, node, out, err);
}

bool sp_study_head(sp_study *s, const char *head, const char **name, const char **unit)
{
    const char *open = strchr(head, '[');
    const size_t n = open ? (size_t)(open - head) : strlen(head);
    char *text = sp_arena_text(&s->arena, head, n);
    for (size_t i = n; text && i > 0 && text[i - 1] == ' '; i--) {
        text[i - 1] = '\0';
    }
    *name = text;
    *unit = open ? sp_arena_text(&s->arena, open + 1, strcspn(open + 1, "]")) : "";
    return text && *unit;
}

/* Points from a file: "name" or "name [unit]" over each column. */
sp_status sp_study_read_points(sp_study *s, const sp_node *node, sp_error *err)
{
    sp_csv_columns csv;
    SP_TRY(sp_study_read_csv(s, node, &csv, err));
    s->axis = SP_NEW(&s->arena, sp_axis, csv.n + 1);
    if (!s->axis) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory");
    }
    for (int k = 0; k < csv.n; k++) {
        sp_axis *a = &s->axis[s->n_axis++];
        *a = (sp_axis){.unit = ""};
        if (!sp_study_head(s, csv.name[k], &a->name, &a->unit)) {
            return SP_FAIL(err, SP_E_MEMORY, "no memory");
        }
        a->unit = a->unit[0] ? a->unit : sp_spec_leaf_unit(s->model, sp_study_leaf_of(s, a->name));
        for (int i = 0; i < k; i++) {
            if (strcmp(s->axis[i].name, a->name) == 0) {
                return sp_study_fail_at(node, err, "points: two columns have the same name");
            }
        }
        const char *text = sp_axis_text(a, csv.value[k], &s->arena);
        SP_TRY(sp_study_find_leaf(s, a->name, text, node, &a->leaf, err));
    }
    s->n_row = csv.n_row;
    s->given = csv.value;
    return SP_OK;
}

/* Rows in 0..1 as values of the axes. */
void sp_study_scale_rows(sp_study *s)
{
    for (uint64_t i = 0; i < s->n_row; i++) {
        for (int k = 0; k < s->n_axis; k++) {
            double *x = &s->given[i * (uint64_t)s->n_axis + (uint64_t)k];
            *x = sp_axis_value(&s->axis[k], *x);
        }
    }
}

/* Points drawn in the ranges of the axes; map NULL: at random. */
sp_status sp_study_draw_points(sp_study *s, const sp_node *map, sp_error *err)
{
    long n;
    SP_TRY(sp_study_whole(map, "n", DRAWN, &n, err));
    const int d = s->n_axis;
    s->given = SP_NEW(&s->arena, double, n *d);
    if (!s->given || d == 0) {
        return sp_study_fail_at(
            map, err, d == 0 ? "sampling needs ranges in 'vary'" : "no memory for points");
    }
    s->n_row = (uint64_t)n;
    const char *method = sp_study_text_of(map, "method");
    SP_TRY(sp_points_sampling(method ? method : "random", s->seed, s->n_row, d, s->given, err));
    sp_study_scale_rows(s);
    return SP_OK;
}
