/* studies/study_model.c - what a study sets in its model, and the leaves that it varies. */
#define _POSIX_C_SOURCE 200809L
#include "base/status.h"
#include "studies/read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
        SP_TRY(sp_study_time(s, node, &text, err));
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
sp_status sp_study_write_command(sp_study *s, sp_error *err)
{
    char *text = NULL;
    size_t n = 0;
    const sp_node *root = s->spec->root;
    FILE *f = open_memstream(&text, &n);
    if (f) {
        fputs("specht run '", f);
        put_shell(f, sp_study_text_of(root, "model") ? sp_study_text_of(root, "model") : "");
        fputc('\'', f);
    }
    static const char *const section[] = {"set", "run", "measures"};
    for (int k = 0; f && k < 3; k++) {
        const sp_node *map = sp_node_get(root, section[k]);
        for (const sp_node *node = map ? map->first : NULL; node; node = node->next) {
            const char *value = node->text ? node->text : "";
            sp_status status = node->text ? sp_study_time(s, node, &value, err) : SP_OK;
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
    return sp_study_text_of(sp_node_get(root, "run"), "tolerance")
               ? SP_OK
               : set_leaf(s, "run.tolerance", root, "1e-12", err);
}

/* The leaf of the model that an assignment changes, NULL: it is none. */
sp_node *sp_study_leaf_of(const sp_study *s, const char *name)
{
    sp_node *node = sp_node_get(sp_node_get(s->model->root, "parameters"), name);
    node = node ? node : sp_node_path(s->model->root, name);
    return node && node->kind == SP_NODE_MAP ? sp_node_get(node, "value") : node;
}

/* What the study sets at all points. */
sp_status sp_study_set_model(sp_study *s, sp_error *err)
{
    const sp_node *root = s->spec->root, *set = sp_node_get(root, "set");
    for (const sp_node *node = set ? set->first : NULL; node; node = node->next) {
        const char *text = sp_arena_printf(&s->arena, "%s=%s", node->key, node->text);
        sp_error why = {.status = SP_OK};
        if (sp_spec_override(s->model, text ? text : "", &why) != SP_OK) {
            return sp_study_fail_at(node, err, why.text);
        }
        sp_node *leaf = sp_study_leaf_of(s, node->key);
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
        SP_TRY(sp_study_time(s, block, &s->settling.block, err));
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
sp_status sp_study_find_leaf(sp_study *s, const char *name, const char *text, const sp_node *from,
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
    *leaf = sp_study_leaf_of(s, name);
    if (!*leaf || (*leaf)->kind != SP_NODE_TEXT) {
        return sp_study_fail_at(from, err,
                                "vary: expected one number or word, which lists are not");
    }
    (*leaf)->place = (*leaf)->key_place = from->place;
    return SP_OK;
}
