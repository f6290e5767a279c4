#define _GNU_SOURCE
#include "io/result_writer.h"
#include "io/scene_json.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- attributes ---------------------------------------------------------------------------- */

hid_t sp_writer_text_type(size_t bytes)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, bytes);
    H5Tset_strpad(type, H5T_STR_NULLTERM);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

bool sp_writer_text(hid_t object, const char *key, const char *text, size_t bytes)
{
    text = text ? text : "";
    const size_t length = strlen(text) + 1;
    bytes = bytes > length ? bytes : length;
    char *copy = calloc(bytes, 1);
    const hid_t type = sp_writer_text_type(bytes), space = H5Screate(H5S_SCALAR);
    const hid_t attr = H5Acreate2(object, key, type, space, H5P_DEFAULT, H5P_DEFAULT);
    bool ok = copy && attr >= 0;
    if (ok) {
        memcpy(copy, text, length);
        ok = H5Awrite(attr, type, copy) >= 0;
    }
    ok = H5Aclose(attr) >= 0 && ok;
    H5Sclose(space);
    H5Tclose(type);
    free(copy);
    return ok;
}

/* Number attribute, a double or a 64-bit integer. */
static bool put_number(hid_t object, const char *key, hid_t file_type, hid_t type,
                       const void *value)
{
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t attr = H5Acreate2(object, key, file_type, space, H5P_DEFAULT, H5P_DEFAULT);
    const bool ok = attr >= 0 && H5Awrite(attr, type, value) >= 0;
    H5Aclose(attr);
    H5Sclose(space);
    return ok;
}

static bool put_double(hid_t object, const char *key, double value)
{
    return put_number(object, key, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
}

static bool put_integer(hid_t object, const char *key, long long value)
{
    return put_number(object, key, H5T_STD_I64LE, H5T_NATIVE_LLONG, &value);
}

bool sp_writer_columns(hid_t data, const char *names)
{
    enum { WORD = 16, MOST = 16 };
    char word[MOST][WORD] = {{0}};
    size_t n = 0;
    do {
        sp_layout_word(names, n, word[n], WORD);
    } while (word[n][0] != '\0' && ++n < MOST);
    const hsize_t dims[1] = {n};
    const hid_t type = sp_writer_text_type(WORD), space = H5Screate_simple(1, dims, NULL);
    const hid_t attr = H5Acreate2(data, "columns", type, space, H5P_DEFAULT, H5P_DEFAULT);
    const bool ok = attr >= 0 && H5Awrite(attr, type, word) >= 0;
    H5Aclose(attr);
    H5Sclose(space);
    H5Tclose(type);
    return ok;
}

/* ---- names --------------------------------------------------------------------------------- */

/* n texts, the first of them at `first`, the others so many bytes behind each other, as a dataset,
 * or as an attribute of one. */
static bool put_names(hid_t file, const char *path, const char *attribute, size_t n,
                      const void *first, size_t stride)
{
    size_t bytes = 1;
    const char *const *name = first;
    for (size_t i = 0; i < n; i++) {
        name = (const char *const *)(const void *)((const char *)first + i * stride);
        bytes = strlen(*name) + 1 > bytes ? strlen(*name) + 1 : bytes;
    }
    char *text = calloc(n + 1, bytes);
    if (!text) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        name = (const char *const *)(const void *)((const char *)first + i * stride);
        snprintf(text + i * bytes, bytes, "%s", *name);
    }
    const hsize_t dims[1] = {n};
    const hid_t type = sp_writer_text_type(bytes), space = H5Screate_simple(1, dims, NULL);
    bool ok;
    if (attribute) {
        const hid_t data = H5Dopen2(file, path, H5P_DEFAULT);
        const hid_t attr = H5Acreate2(data, attribute, type, space, H5P_DEFAULT, H5P_DEFAULT);
        ok = attr >= 0 && (n == 0 || H5Awrite(attr, type, text) >= 0);
        H5Aclose(attr);
        H5Dclose(data);
    } else {
        const hid_t data =
            H5Dcreate2(file, path, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        ok =
            data >= 0 && (n == 0 || H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0);
        H5Dclose(data);
    }
    H5Sclose(space);
    H5Tclose(type);
    free(text);
    return ok;
}

/* The units that gaps of contacts have. */
static bool put_slot_units(hid_t file, const sp_model *m)
{
    const char **unit = calloc((size_t)m->n_slot + 1, sizeof *unit);
    for (int i = 0; unit && i < m->n_slot; i++) {
        unit[i] = m->slot[i].is.turns ? "rad" : "m";
    }
    const bool ok =
        unit && put_names(file, "/units/contacts", NULL, (size_t)m->n_slot, unit, sizeof *unit);
    free(unit);
    return ok;
}

/* The words of /events. */
static bool put_words(hid_t file)
{
    const char *kind[SP_EVENT_N], *state[3], *remedy[SP_REMEDY_N], *unit[64];
    const size_t n_unit = sp_event_members(), each = sizeof *kind;
    assert(n_unit <= sizeof unit / sizeof *unit);
    for (int i = 0; i < SP_EVENT_N; i++) {
        kind[i] = sp_event_name((sp_event_kind)i);
    }
    for (int i = 0; i < 3; i++) {
        state[i] = sp_contact_state_name((sp_contact_state)i);
    }
    for (int i = 0; i < SP_REMEDY_N; i++) {
        remedy[i] = sp_impact_remedy_name((sp_impact_remedy)i);
    }
    for (size_t i = 0; i < n_unit; i++) {
        unit[i] = sp_event_unit(i);
    }
    return put_names(file, "/events", "kinds", SP_EVENT_N, kind, each) &&
           put_names(file, "/events", "states", 3, state, each) &&
           put_names(file, "/events", "remedies", SP_REMEDY_N, remedy, each) &&
           put_names(file, "/events", "units", n_unit, unit, each) &&
           put_names(file, "/contacts/state", "states", 3, state, each);
}

bool sp_writer_measures(hid_t file, const sp_model *m)
{
    const size_t n = (size_t)m->n_measure, each = sizeof *m->measure;
    return put_names(file, "/measures/name", NULL, n, &m->measure->name, each) &&
           put_names(file, "/measures/unit", NULL, n, &m->measure->unit, each);
}

bool sp_writer_names(hid_t file, const sp_model *m)
{
#define PUT(path, list, count, field)                                                              \
    put_names(file, path, NULL, (size_t)m->count, m->count > 0 ? &m->list->field : NULL,           \
              sizeof *m->list)
    return PUT("/names/q", coord, n_q, name) && PUT("/names/u", dof, n_dof, rate_name) &&
           PUT("/units/q", coord, n_q, unit) && PUT("/units/u", dof, n_dof, rate_unit) &&
           PUT("/bodies/name", body, n_body, name) && PUT("/contacts/name", slot, n_slot, name) &&
           PUT("/elements/name", line, n_line, name) &&
           PUT("/names/outputs", output, n_output, name) && put_slot_units(file, m) &&
           (m->n_kink == 0 || put_names(file, "/names/switches", NULL, (size_t)m->n_kink, m->kink,
                                        sizeof *m->kink)) &&
           put_words(file);
#undef PUT
}

/* ---- the run -------------------------------------------------------------------------------- */

/* The plots of the model as JSON, so that drawing them needs the result file alone. */
static char *plots_text(const sp_model *m)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (!f) {
        return NULL;
    }
    sp_json j;
    sp_json_init(&j, f);
    sp_json_array(&j, NULL);
    for (int k = 0; k < m->n_plot; k++) {
        const sp_plot *p = &m->plot[k];
        sp_json_object(&j, NULL);
        sp_json_text(&j, "name", p->name);
        sp_json_text(&j, "title", p->title ? p->title : "");
        sp_json_text(&j, "x", p->x == SP_NONE ? "t" : m->output[p->x].name);
        sp_json_array(&j, "y");
        for (int i = 0; i < p->n_y; i++) {
            sp_json_text(&j, NULL, m->output[p->y[i]].name);
        }
        sp_json_end(&j);
        sp_json_bool(&j, "equal", p->equal);
        sp_json_end(&j);
    }
    sp_json_end(&j);
    if (fclose(f) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* The overrides, one per line. */
static char *overrides_text(const sp_model *m)
{
    size_t size = 1;
    for (int k = 0; k < m->n_override; k++) {
        size += strlen(m->override_text[k]) + 1;
    }
    char *text = calloc(size, 1), *at = text;
    for (int k = 0; text && k < m->n_override; k++) {
        at += sprintf(at, "%s%s", k > 0 ? "\n" : "", m->override_text[k]);
    }
    return text;
}

bool sp_writer_about(hid_t file, const sp_model *m, const sp_result_meta *meta)
{
    char *plots = plots_text(m), *overrides = overrides_text(m);
    const bool ok =
        plots && overrides && put_integer(file, "specht_result", SP_RESULT_VERSION) &&
        sp_writer_text(file, "status", "running", SP_RESULT_STATUS_BYTES) &&
        sp_writer_text(file, "doubts", "", SP_RESULT_DOUBTS_BYTES) &&
        put_integer(file, "steps", -1) && sp_writer_text(file, "name", m->name, 0) &&
        sp_writer_text(file, "source_file", m->source_file, 0) &&
        sp_writer_text(file, "overrides", overrides, 0) &&
        sp_writer_text(file, "version", sp_version(), 0) &&
        sp_writer_text(file, "method", meta->method, 0) &&
        sp_writer_text(file, "method_asked", meta->asked ? meta->asked : meta->method, 0) &&
        sp_writer_text(file, "command", meta->command, 0) && put_double(file, "step", meta->step) &&
        put_double(file, "tolerance", meta->tolerance) && put_double(file, "until", meta->until) &&
        put_double(file, "output_step", meta->output_step) &&
        sp_writer_text(file, "plots", plots, 0) &&
        sp_writer_text(file, "model_text", m->source_text, 0);
    free(plots);
    free(overrides);
    return ok;
}

/* ---- the scene ----------------------------------------------------------------------------- */

/* One text as a dataset of its own, which may be long. */
static bool put_long_text(hid_t file, const char *path, const char *text)
{
    const hid_t type = sp_writer_text_type(strlen(text) + 1), space = H5Screate(H5S_SCALAR);
    const hid_t data = H5Dcreate2(file, path, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const bool ok = data >= 0 && H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0;
    H5Dclose(data);
    H5Sclose(space);
    H5Tclose(type);
    return ok;
}

bool sp_writer_scene(hid_t file, const sp_model *m)
{
    sp_arena arena;
    sp_scene scene;
    char *text = NULL;
    sp_arena_init(&arena, NULL, 0);
    if (sp_scene_of(m, &arena, &scene, NULL) == SP_OK) {
        text = sp_scene_text(&scene);
    }
    const bool ok = text && put_long_text(file, SP_RESULT_SCENE, text);
    free(text);
    sp_arena_free(&arena);
    return ok;
}
