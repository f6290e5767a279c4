/* studies/study_read.c - a study file into axes, settings, and leaves of the model that it names.
 */
#define _POSIX_C_SOURCE 200809L
#include "base/diag.h"
#include "base/hash.h"
#include "base/status.h"
#include "expr/expr.h"
#include "expr/units.h"
#include "model/grammar.h"
#include "specht/load.h"
#include "studies/findings.h"
#include "studies/kind.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POINTS_MAX 1e9
enum { LINE_MAX = 1 << 16, COLUMN_MAX = 64, DRAWN = 1000, FORM = 3 };

/* ---- texts and numbers ------------------------------------------------------------------------
 */

/* An error at a node of the study file. */
sp_status sp_study_fail_at(const sp_node *node, sp_error *err, const char *text)
{
    const sp_status status = SP_FAIL(err, SP_E_INPUT, "%.400s", text);
    if (err && node) {
        snprintf(err->file, sizeof err->file, "%s", node->place.file ? node->place.file : "");
        err->line = node->place.line;
        err->column = node->place.column;
    }
    return status;
}

/* The text of a key, NULL if it is not there. */
static const char *text_of(const sp_node *map, const char *key)
{
    const sp_node *node = sp_node_get(map, key);
    return node && node->kind == SP_NODE_TEXT && node->text && *node->text ? node->text : NULL;
}

/* The value of a text with its unit; *unit as it is written behind numbers. */
sp_status sp_study_number(sp_study *s, const sp_node *node, double *value, const char **unit,
                          sp_error *err)
{
    sp_expr_info info = {.offset = 0};
    sp_error why = {.status = SP_OK};
    char buf[80] = "";
    if (!node || node->kind != SP_NODE_TEXT ||
        sp_expr_constant(&s->arena, node->text, NULL, value, &info, &why) != SP_OK ||
        !isfinite(*value)) {
        char text[480];
        snprintf(text, sizeof text, "%s%s'%.60s' is no number: %.200s",
                 node && node->key ? node->key : "", node && node->key ? ": " : "",
                 node && node->text ? node->text : "", why.text);
        return sp_study_fail_at(node, err, text);
    }
    if (!sp_dim_is_pure(info.dim)) {
        sp_dim_unit(info.dim, buf, sizeof buf);
    }
    if (unit) {
        *unit = sp_arena_copy(&s->arena, buf);
    }
    return SP_OK;
}

bool sp_study_unit_fits(const char *unit, const char *own)
{
    double factor;
    sp_dim a, b;
    return !unit[0] ||
           (sp_unit_parse(unit, strlen(unit), &factor, &a, NULL) == SP_OK &&
            sp_unit_parse(own, strlen(own), &factor, &b, NULL) == SP_OK && sp_dim_equal(a, b));
}

sp_status sp_study_quantity(sp_study *s, const sp_node *node, const char *own, double *value,
                            sp_error *err)
{
    const char *unit;
    double number;
    char text[200];
    if (!node) {
        return SP_OK;
    }
    SP_TRY(sp_study_number(s, node, &number, &unit, err));
    if (!sp_study_unit_fits(unit, own)) {
        snprintf(text, sizeof text, "%.60s: '%.60s' is in '%.30s', expected %s%.30s%s", node->key,
                 node->text, unit, strcmp(own, "1") == 0 ? "a pure number" : "'",
                 strcmp(own, "1") == 0 ? "" : own, strcmp(own, "1") == 0 ? "" : "'");
        return sp_study_fail_at(node, err, text);
    }
    *value = number;
    return SP_OK;
}

/* A whole number from 1 on, `standard` if the key is not there. */
sp_status sp_study_whole(const sp_node *map, const char *key, long standard, long *value,
                         sp_error *err)
{
    const char *text = text_of(map, key);
    *value = text ? strtol(text, NULL, 10) : standard;
    if (*value < 1 || *value > 1000000000) {
        char message[120];
        snprintf(message, sizeof message, "%s = %.40s, expected a whole number from 1", key, text);
        return sp_study_fail_at(sp_node_get(map, key), err, message);
    }
    return SP_OK;
}

/* Where a text ends in the word "period" or "periods", NULL: it does not. */
static const char *find_periods(const char *text)
{
    const size_t n = strlen(text), length = n >= 7 && text[n - 1] == 's' ? 7 : 6;
    const char *word = n >= length ? text + n - length : NULL;
    const bool whole =
        word && (word == text || !(isalnum((unsigned char)word[-1]) || strchr("_.", word[-1])));
    return whole && strncmp(word, "periods", length) == 0 ? word : NULL;
}

/* A time in which "300 periods" stands for 300 times the period. */
static sp_status expand_periods(sp_study *s, const sp_node *node, const char **text, sp_error *err)
{
    const char *period = text_of(s->spec->root, "period");
    const char *word = find_periods(node->text);
    *text = node->text;
    if (!word) {
        return SP_OK;
    }
    if (!period) {
        return sp_study_fail_at(node, err, "periods, but the study has no 'period: EXPRESSION'");
    }
    *text = word == node->text ? sp_arena_printf(&s->arena, "%s", period)
                               : sp_arena_printf(&s->arena, "(%.*s)*(%s)", (int)(word - node->text),
                                                 node->text, period);
    return *text ? SP_OK : SP_FAIL(err, SP_E_MEMORY, "no memory");
}

/* ---- leaves of the model ----------------------------------------------------------------------
 */

/* Set a leaf of the model; messages about it show the study file. */
static sp_status set_leaf(sp_study *s, const char *path, const sp_node *from, const char *text,
                          sp_error *err)
{
    SP_TRY(sp_spec_set(s->model, path, text, err));
    sp_node *leaf = sp_node_path(s->model->root, path);
    if (leaf) {
        leaf->place = leaf->key_place = from->place;
        leaf->quoted = from->quoted;
    }
    return SP_OK;
}

/* All leaves of a section of the study, under a section of the model. */
static sp_status set_section(sp_study *s, const char *section, sp_error *err)
{
    const sp_node *map = sp_node_get(s->spec->root, section);
    for (const sp_node *node = map ? map->first : NULL; node; node = node->next) {
        const char *path = sp_arena_printf(&s->arena, "%s.\"%s\"", section, node->key), *text;
        if (!path) {
            return SP_FAIL(err, SP_E_MEMORY, "no memory");
        }
        if (node->kind == SP_NODE_LIST) {
            const char **item = SP_NEW(&s->arena, const char *, node->n_child);
            int n = 0;
            for (const sp_node *c = node->first; c && item; c = c->next) {
                item[n++] = c->text ? c->text : "";
            }
            SP_TRY(sp_spec_set_list(s->model, path, n, item, err));
            continue;
        }
        SP_TRY(expand_periods(s, node, &text, err));
        SP_TRY(set_leaf(s, path, node, text, err));
    }
    return SP_OK;
}

/* A text for the shell, between single quotes. */
static void put_shell(FILE *f, const char *text)
{
    for (const char *c = text; *c; c++) {
        fputs(*c == '\'' ? "'\\''" : (char[2]){*c, '\0'}, f);
    }
}

/* The command that runs the model as this study does, but for the parameters of a point. */
static sp_status write_command(sp_study *s, sp_error *err)
{
    char *text = NULL;
    size_t n = 0;
    const sp_node *root = s->spec->root;
    FILE *f = open_memstream(&text, &n);
    if (f) {
        fputs("specht run '", f);
        put_shell(f, text_of(root, "model") ? text_of(root, "model") : "");
        fputc('\'', f);
    }
    static const char *const section[] = {"set", "run", "measures"};
    for (int k = 0; f && k < 3; k++) {
        const sp_node *map = sp_node_get(root, section[k]);
        for (const sp_node *node = map ? map->first : NULL; node; node = node->next) {
            const char *value = node->text ? node->text : "";
            sp_status status = node->text ? expand_periods(s, node, &value, err) : SP_OK;
            if (status != SP_OK) {
                fclose(f);
                free(text);
                return status;
            }
            fputs(" --set '", f);
            if (k > 0) {
                fprintf(f, "%s.", section[k]);
            }
            put_shell(f, node->key);
            fputc('=', f);
            put_shell(f, value);
            fputc('\'', f);
        }
    }
    const bool closed = f && fclose(f) == 0;
    s->command = closed ? sp_arena_copy(&s->arena, text) : NULL;
    free(text);
    return s->command ? SP_OK : SP_FAIL(err, SP_E_MEMORY, "no memory");
}

sp_status sp_study_set_period(sp_study *s, int n, sp_error *err)
{
    const sp_node *root = s->spec->root, *period = sp_node_get(root, "period");
    if (period) {
        const char *text = sp_arena_printf(&s->arena, "%d*(%s)", n, period->text);
        SP_TRY(text ? set_leaf(s, "run.until", period, text, err) : SP_E_MEMORY);
        SP_TRY(set_leaf(s, "run.measure_from", period, "0 s", err));
    }
    return text_of(sp_node_get(root, "run"), "tolerance")
               ? SP_OK
               : set_leaf(s, "run.tolerance", root, "1e-12", err);
}

/* The leaf of the model that an assignment changes, NULL: it is none. */
static sp_node *leaf_of(const sp_study *s, const char *name)
{
    sp_node *node = sp_node_get(sp_node_get(s->model->root, "parameters"), name);
    node = node ? node : sp_node_path(s->model->root, name);
    return node && node->kind == SP_NODE_MAP ? sp_node_get(node, "value") : node;
}

/* What the study sets at all points. */
static sp_status set_model(sp_study *s, sp_error *err)
{
    const sp_node *root = s->spec->root, *set = sp_node_get(root, "set");
    for (const sp_node *node = set ? set->first : NULL; node; node = node->next) {
        const char *text = sp_arena_printf(&s->arena, "%s=%s", node->key, node->text);
        sp_error why = {.status = SP_OK};
        if (sp_spec_override(s->model, text ? text : "", &why) != SP_OK) {
            return sp_study_fail_at(node, err, why.text);
        }
        sp_node *leaf = leaf_of(s, node->key);
        if (leaf) {
            leaf->place = leaf->key_place = node->place;
        }
    }
    sp_node *sample = sp_node_get(s->model->root, "sample");
    if (sample && sp_node_get(root, "sample")) { /* of the model: it is replaced */
        sample->first = sample->last = NULL;
        sample->n_child = 0;
        sample->index = NULL;
    }
    SP_TRY(set_section(s, "run", err));
    SP_TRY(set_section(s, "measures", err));
    SP_TRY(set_section(s, "sample", err));
    const sp_node *settle = sp_node_get(root, "settle");
    const sp_node *block = sp_node_get(settle, "block");
    if (block) {
        long most;
        s->settling.tolerance = 1e-6;
        SP_TRY(expand_periods(s, block, &s->settling.block, err));
        SP_TRY(set_leaf(s, "run.until", block, s->settling.block, err));
        SP_TRY(set_leaf(s, "run.measure_from", block, "0 s", err));
        SP_TRY(sp_study_quantity(s, sp_node_get(settle, "tolerance"), "1", &s->settling.tolerance,
                                 err));
        SP_TRY(sp_study_whole(settle, "most", 100, &most, err));
        if (most < 2 || !(s->settling.tolerance >= 0.0)) {
            return sp_study_fail_at(settle, err,
                                    "settle: expected two blocks at least, and a tolerance from 0");
        }
        s->settling.most = (int)most;
    }
    return SP_OK;
}

/* The leaf of the model that an axis changes. */
static sp_status find_leaf(sp_study *s, const char *name, const char *text, const sp_node *from,
                           sp_node **leaf, sp_error *err)
{
    const char *assignment = sp_arena_printf(&s->arena, "%s=%s", name, text);
    sp_error why = {.status = SP_OK};
    if (sp_spec_override(s->model, assignment ? assignment : "", &why) != SP_OK) {
        char message[480];
        const char *at = strncmp(why.text, "--set: ", 7) == 0 ? why.text + 7 : why.text;
        snprintf(message, sizeof message, "vary: %.450s", at);
        return sp_study_fail_at(from, err, message);
    }
    *leaf = leaf_of(s, name);
    if (!*leaf || (*leaf)->kind != SP_NODE_TEXT) {
        return sp_study_fail_at(from, err,
                                "vary: expected one number or word, which lists are not");
    }
    (*leaf)->place = (*leaf)->key_place = from->place;
    return SP_OK;
}

/* ---- axes -------------------------------------------------------------------------------------
 */

/* Values between the ends of a range. */
static sp_status fill_range(sp_study *s, sp_axis *a, sp_error *err)
{
    double *value = SP_NEW(&s->arena, double, a->n + 1);
    if (!value) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory for %d values", a->n);
    }
    for (int k = 0; k < a->n; k++) {
        const double part = a->n > 1 ? (double)k / (a->n - 1) : 0.0;
        value[k] = k == 0          ? a->from
                   : k == a->n - 1 ? a->to
                   : a->log        ? a->from * pow(a->to / a->from, part)
                                   : a->from + part * (a->to - a->from);
    }
    a->value = value;
    return SP_OK;
}

/* A list of numbers has one unit. */
static sp_status check_units(const sp_node *list, const char *const *unit, sp_error *err)
{
    int k = 0;
    for (const sp_node *c = list->first; c; c = c->next, k++) {
        if (strcmp(unit[k], unit[0]) != 0) {
            char text[200];
            snprintf(text, sizeof text, "vary: '%.60s' has another unit than '%.60s'", c->text,
                     list->first->text);
            return sp_study_fail_at(c, err, text);
        }
    }
    return SP_OK;
}

/* An axis of a list; lone numbers are in `own`.  Where some values are words all of them stand for
 * themselves: their numbers are their places in the list. */
static sp_status read_list(sp_study *s, const sp_node *node, const char *own, sp_axis *a,
                           sp_error *err)
{
    double *value = SP_NEW(&s->arena, double, node->n_child);
    const char **text = SP_NEW(&s->arena, const char *, node->n_child);
    const char **unit = SP_NEW(&s->arena, const char *, node->n_child);
    for (const sp_node *c = node->first; c && value && text && unit; c = c->next) {
        const int k = a->n++;
        unit[k] = "";
        text[k] = c->text ? sp_spec_with_unit(s->model, c->text, own) : "";
        const bool bare = c->text && text[k] != c->text;
        a->words = sp_study_number(s, c, &value[k], &unit[k], NULL) != SP_OK || a->words;
        unit[k] = bare ? own : unit[k];
        a->unit = unit[0];
    }
    if (value && text && unit && !a->words) {
        SP_TRY(check_units(node, unit, err));
    }
    for (int k = 0; a->words && value && k < a->n; k++) {
        value[k] = k;
        a->unit = "";
    }
    a->value = value;
    a->text = text;
    return value && text && unit ? SP_OK : SP_FAIL(err, SP_E_MEMORY, "no memory");
}

/* An axis; needs_n: a grid. */
static sp_status read_axis(sp_study *s, const sp_node *node, const char *name, bool needs_n,
                           sp_axis *a, sp_error *err)
{
    *a = (sp_axis){.name = name, .unit = ""};
    const char *own = sp_spec_leaf_unit(s->model, leaf_of(s, name));
    if (node->kind == SP_NODE_LIST) {
        SP_TRY(needs_n
                   ? SP_OK
                   : sp_study_fail_at(node, err, "a list, expected a range {from: ..., to: ...}"));
        SP_TRY(read_list(s, node, own, a, err));
    } else {
        const sp_node *start = sp_node_get(node, "start");
        const char *unit, *log = text_of(node, "log");
        long n = 0;
        SP_TRY(sp_study_number(s, sp_node_get(node, "from"), &a->from, &a->unit, err));
        SP_TRY(sp_study_number(s, sp_node_get(node, "to"), &a->to, &unit, err));
        a->unit = a->unit[0] ? a->unit : own;
        if (strcmp(unit[0] ? unit : own, a->unit) != 0) {
            return sp_study_fail_at(node, err, "from and to have different units");
        }
        a->log = log && (strcmp(log, "yes") == 0 || strcmp(log, "true") == 0);
        a->start = a->log ? sqrt(a->from * a->to) : 0.5 * (a->from + a->to);
        SP_TRY(sp_study_quantity(s, start, a->unit[0] ? a->unit : "1", &a->start, err));
        if (start && !(a->start >= fmin(a->from, a->to) && a->start <= fmax(a->from, a->to))) {
            return sp_study_fail_at(start, err, "start is outside of the range");
        }
        if (a->log && !(a->from * a->to > 0.0)) {
            return sp_study_fail_at(node, err, "log: yes needs ends of one sign, not zero");
        }
        if (needs_n && !text_of(node, "n")) {
            return sp_study_fail_at(node, err, "a range of a grid needs n, how many values");
        }
        SP_TRY(needs_n ? sp_study_whole(node, "n", 1, &n, err) : SP_OK);
        a->n = (int)n;
        SP_TRY(needs_n ? fill_range(s, a, err) : SP_OK);
        if (needs_n ? n > 1 && a->from == a->to : !(a->from < a->to)) {
            return sp_study_fail_at(node, err, "the range is empty: expected from < to");
        }
    }
    const char *first = a->text ? a->text[0] : sp_axis_text(a, a->from, &s->arena);
    return find_leaf(s, name, first ? first : "", node, &a->leaf, err);
}

/* Room for axes. */
static sp_status add_axes(sp_study *s, const sp_node *map, const char *before, bool needs_n,
                          sp_error *err)
{
    const int n = map ? map->n_child : 0;
    sp_axis *axis = SP_NEW(&s->arena, sp_axis, s->n_axis + n + 1);
    if (!axis) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory");
    }
    if (s->n_axis > 0) {
        memcpy(axis, s->axis, (size_t)s->n_axis * sizeof *axis);
    }
    s->axis = axis;
    for (const sp_node *node = map ? map->first : NULL; node; node = node->next) {
        const char *name = sp_arena_printf(&s->arena, "%s%s", before, node->key);
        SP_TRY(read_axis(s, node, name ? name : "", needs_n, &axis[s->n_axis], err));
        s->n_axis++;
    }
    return SP_OK;
}

/* A parameter that optimisation varies at each candidate. */
sp_status sp_study_add_axes(sp_study *s, const sp_node *map, bool needs_n, sp_error *err)
{
    return add_axes(s, map, "", needs_n, err);
}

/* ---- points from files and samples ------------------------------------------------------------
 */

/* A file beside the study file. */
static const char *beside(sp_study *s, const char *name)
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
    const char *path = beside(s, node->text);
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
static sp_status read_points(sp_study *s, const sp_node *node, sp_error *err)
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
        a->unit = a->unit[0] ? a->unit : sp_spec_leaf_unit(s->model, leaf_of(s, a->name));
        for (int i = 0; i < k; i++) {
            if (strcmp(s->axis[i].name, a->name) == 0) {
                return sp_study_fail_at(node, err, "points: two columns have the same name");
            }
        }
        const char *text = sp_axis_text(a, csv.value[k], &s->arena);
        SP_TRY(find_leaf(s, a->name, text, node, &a->leaf, err));
    }
    s->n_row = csv.n_row;
    s->given = csv.value;
    return SP_OK;
}

/* Rows in 0..1 as values of the axes. */
static void scale_rows(sp_study *s)
{
    for (uint64_t i = 0; i < s->n_row; i++) {
        for (int k = 0; k < s->n_axis; k++) {
            double *x = &s->given[i * (uint64_t)s->n_axis + (uint64_t)k];
            *x = sp_axis_value(&s->axis[k], *x);
        }
    }
}

/* Points drawn in the ranges of the axes; map NULL: at random. */
static sp_status draw_points(sp_study *s, const sp_node *map, sp_error *err)
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
    const char *method = text_of(map, "method");
    SP_TRY(sp_points_sampling(method ? method : "random", s->seed, s->n_row, d, s->given, err));
    scale_rows(s);
    return SP_OK;
}

/* ---- starts, and how many points ----------------------------------------------------------------
 */

/* The section start. */
static sp_status read_start(sp_study *s, const sp_node *root, sp_error *err)
{
    const sp_node *node = sp_node_get(root, "start");
    const char *word = text_of(root, "start");
    const char *standard = s->kind == SP_BIFURCATION ? "both" : "model";
    word = word ? word : standard;
    s->n_start = 1;
    if (node && node->kind == SP_NODE_MAP) {
        long n;
        const int before = s->n_axis;
        SP_TRY(sp_study_whole(node, "random", 1, &n, err));
        SP_TRY(add_axes(s, sp_node_get(node, "of"), "start.", false, err));
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
    const char *seed = text_of(root, "seed");
    s->seed = seed ? strtoll(seed, NULL, 10) : 1;
    const sp_node *limit = sp_node_get(root, "limit");
    if (limit) {
        SP_TRY(sp_study_quantity(s, limit, "s", &s->limit, err));
        if (!(s->limit > 0.0)) {
            return sp_study_fail_at(limit, err, "limit: expected a time above zero");
        }
    }
    if (s->repeat > 1) {
        const char *of_model = text_of(s->model->root, "seed");
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
    const char *text = text_of(root, "kind");
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
    const char *start = text_of(s->spec->root, "start");
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
    scale_rows(s);
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
    s->runner = s->kind == SP_RUNNER ? sp_study_runner_of(text_of(root, "kind")) : NULL;
    s->spectrum = sp_node_get(root, "spectrum");
    s->model_path = beside(s, text_of(root, "model") ? text_of(root, "model") : "");
    s->model = sp_spec_new(NULL);
    if (!s->model || !s->model_path) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory");
    }
    SP_TRY(load_model(s, sp_node_get(root, "model"), err));
    SP_TRY(check_kind(s, err));
    SP_TRY(check_keys(s, err));
    SP_TRY(set_model(s, err));
    SP_TRY(write_command(s, err));
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
    SP_TRY(points ? read_points(s, points, err)
                  : add_axes(s, sp_node_get(root, "vary"), "", grid, err));
    SP_TRY(drawn ? draw_points(s, sampling, err) : SP_OK);
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
