#include "io/result_reader.h"
#include "io/scene_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- columns ------------------------------------------------------------------------------- */

/* The names of a dataset's columns, one after the other with blanks between; "" if it has none. */
static const char *get_columns(sp_result *r, hid_t data)
{
    enum { WORD = 32 };
    char raw[SP_COLUMNS_MAX * WORD] = {0}, text[SP_COLUMNS_MAX * (WORD + 1)] = "";
    if (H5Aexists(data, "columns") <= 0) {
        return "";
    }
    const hid_t attr = H5Aopen(data, "columns", H5P_DEFAULT);
    const hid_t space = H5Aget_space(attr), type = H5Aget_type(attr);
    const hssize_t n = H5Sget_simple_extent_npoints(space);
    const size_t bytes = H5Tget_size(type);
    const bool ok = n > 0 && n <= SP_COLUMNS_MAX && H5Tget_class(type) == H5T_STRING &&
                    H5Tis_variable_str(type) == 0 && bytes <= WORD && H5Aread(attr, type, raw) >= 0;
    for (size_t k = 0; ok && k < (size_t)n; k++) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%.*s", k > 0 ? " " : "", (int)bytes,
                 raw + k * bytes);
    }
    H5Tclose(type);
    H5Sclose(space);
    H5Aclose(attr);
    const char *copy = sp_arena_copy(&r->arena, text);
    return copy ? copy : "";
}

sp_status sp_reader_fields(sp_result *r, sp_error *err)
{
    for (int set = SP_DATA_POSE; set <= SP_DATA_VELOCITY; set++) {
        const hid_t data = r->set[set].id;
        const char *names = get_columns(r, data), *units = sp_reader_text(r, data, "unit");
        names = *names ? names : sp_result_layout[set].channel;
        for (size_t k = 0; k < r->set[set].columns; k++) {
            char name[32], unit[32];
            sp_layout_word(names, k, name, sizeof name);
            sp_layout_word(units, k, unit, sizeof unit);
            sp_field *f = &r->field[r->n_field++];
            *f = (sp_field){sp_arena_copy(&r->arena, name), sp_arena_copy(&r->arena, unit), set, k};
            if (!f->name || !f->unit || !name[0]) {
                return sp_reader_fail(r, sp_result_layout[set].path, err);
            }
        }
    }
    return SP_OK;
}

/* ---- scene --------------------------------------------------------------------------------- */

void sp_reader_scene(sp_result *r)
{
    if (H5Lexists(r->file, "/scene", H5P_DEFAULT) <= 0 ||
        H5Lexists(r->file, SP_RESULT_SCENE, H5P_DEFAULT) <= 0) {
        return;
    }
    const hid_t data = H5Dopen2(r->file, SP_RESULT_SCENE, H5P_DEFAULT), type = H5Dget_type(data);
    const hid_t space = H5Dget_space(data);
    const size_t bytes = H5Tget_size(type);
    const bool fits = H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
                      H5Sget_simple_extent_npoints(space) == 1 && bytes > 0 &&
                      bytes <= r->file_bytes;
    char *text = fits ? calloc(bytes + 1, 1) : NULL;
    if (text && H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0 &&
        (sp_scene_read(text, &r->arena, &r->scene, NULL) != SP_OK ||
         r->scene.n_body != (int)r->body.n)) {
        memset(&r->scene, 0, sizeof r->scene);
    }
    free(text);
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(data);
}

/* ---- plots --------------------------------------------------------------------------------- */

/* Read the list of channels of a plot; twice, first to count. */
static void read_y(sp_result *r, sp_json_reader *json, sp_plot_preset *p)
{
    char nothing[1];
    bool first = true;
    if (!sp_json_take(json, '[')) {
        json->failed = true;
    }
    sp_json_reader ahead = *json;
    while (sp_json_more(&ahead, ']', &first)) {
        sp_json_read_text(&ahead, nothing, sizeof nothing);
        p->n_y += !ahead.failed;
    }
    p->y = sp_arena_alloc(&r->arena, (size_t)p->n_y + 1, sizeof *p->y);
    json->failed = json->failed || !p->y;
    first = true;
    for (int k = 0; sp_json_more(json, ']', &first) && k < p->n_y; k++) {
        sp_json_read_text(json, p->y[k], sizeof p->y[k]);
    }
}

/* Read one plot, an object. */
static void read_plot(sp_result *r, sp_json_reader *json, sp_plot_preset *p)
{
    char key[32];
    bool first = true;
    if (!sp_json_take(json, '{')) {
        json->failed = true;
    }
    while (sp_json_more(json, '}', &first)) {
        sp_json_read_text(json, key, sizeof key);
        if (!sp_json_take(json, ':')) {
            json->failed = true;
        } else if (strcmp(key, "name") == 0) {
            sp_json_read_text(json, p->name, sizeof p->name);
        } else if (strcmp(key, "title") == 0) {
            sp_json_read_text(json, p->title, sizeof p->title);
        } else if (strcmp(key, "x") == 0) {
            sp_json_read_text(json, p->x, sizeof p->x);
        } else if (strcmp(key, "y") == 0 && p->n_y == 0) {
            read_y(r, json, p);
        } else if (strcmp(key, "equal") == 0) {
            p->equal = sp_json_read_bool(json);
        } else {
            sp_json_skip(json);
        }
    }
}

void sp_reader_plots(sp_result *r)
{
    const char *text = sp_reader_text(r, r->file, "plots");
    sp_json_reader ahead = {text, false};
    int n = 0;
    bool first = true;
    if (!sp_json_take(&ahead, '[')) {
        return;
    }
    sp_json_reader json = ahead;
    while (sp_json_more(&ahead, ']', &first)) {
        sp_json_skip(&ahead);
        n += !ahead.failed;
    }
    r->plot = sp_arena_alloc(&r->arena, (size_t)n + 1, sizeof *r->plot);
    first = true;
    for (int k = 0; r->plot && k < n && sp_json_more(&json, ']', &first); k++) {
        read_plot(r, &json, &r->plot[k]);
        r->n_plot += !json.failed;
    }
    r->info.n_plot = r->n_plot;
}
