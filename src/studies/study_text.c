/* studies/study_text.c - texts and numbers of a study file. */
#include "base/status.h"
#include "expr/expr.h"
#include "expr/units.h"
#include "studies/read.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
const char *sp_study_text_of(const sp_node *map, const char *key)
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
    const char *text = sp_study_text_of(map, key);
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
sp_status sp_study_time(sp_study *s, const sp_node *node, const char **text, sp_error *err)
{
    const char *period = sp_study_text_of(s->spec->root, "period");
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
