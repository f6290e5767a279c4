#define _GNU_SOURCE
#include "io/json.h"
#include "io/result_writer.h"
#include "io/scene_json.h"

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

/* The texts of a list, one of several (which chooses), as a dataset or as an attribute. */
typedef const char *(*name_of)(const sp_model *m, size_t i);

static bool put_names(hid_t file, const char *path, const char *attribute, const sp_model *m,
                      name_of name, size_t n)
{
    size_t bytes = 1;
    for (size_t i = 0; i < n; i++) {
        const size_t length = strlen(name(m, i)) + 1;
        bytes = length > bytes ? length : bytes;
    }
    char *text = calloc(n + 1, bytes);
    if (!text) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        snprintf(text + i * bytes, bytes, "%s", name(m, i));
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

static const char *q_name(const sp_model *m, size_t i)
{
    return m->coord[i].name;
}

static const char *u_name(const sp_model *m, size_t i)
{
    return m->dof[i].rate_name;
}

static const char *q_unit(const sp_model *m, size_t i)
{
    return m->coord[i].unit;
}

static const char *u_unit(const sp_model *m, size_t i)
{
    return m->dof[i].rate_unit;
}

static const char *body_name(const sp_model *m, size_t i)
{
    return m->body[i].name;
}

static const char *slot_name(const sp_model *m, size_t i)
{
    return m->slot[i].name;
}

/* The unit that gaps of a contact have. */
static const char *slot_unit(const sp_model *m, size_t i)
{
    return m->slot[i].is.turns ? "rad" : "m";
}

static const char *line_name(const sp_model *m, size_t i)
{
    return m->line[i].name;
}

static const char *output_name(const sp_model *m, size_t i)
{
    return m->output[i].name;
}

static const char *kind_name(const sp_model *m, size_t i)
{
    (void)m;
    return sp_event_name((sp_event_kind)i);
}

static const char *state_name(const sp_model *m, size_t i)
{
    (void)m;
    return sp_contact_state_name((sp_contact_state)i);
}

static const char *remedy_name(const sp_model *m, size_t i)
{
    (void)m;
    return sp_impact_remedy_name((sp_impact_remedy)i);
}

static const char *event_unit(const sp_model *m, size_t i)
{
    (void)m;
    return sp_event_unit(i);
}

bool sp_writer_names(hid_t file, const sp_model *m)
{
    const size_t n_q = (size_t)m->n_q, n_dof = (size_t)m->n_dof;
    const size_t n_body = (size_t)m->n_body, n_slot = (size_t)m->n_slot;
    return put_names(file, "/names/q", NULL, m, q_name, n_q) &&
           put_names(file, "/names/u", NULL, m, u_name, n_dof) &&
           put_names(file, "/units/q", NULL, m, q_unit, n_q) &&
           put_names(file, "/units/u", NULL, m, u_unit, n_dof) &&
           put_names(file, "/bodies/name", NULL, m, body_name, n_body) &&
           put_names(file, "/contacts/name", NULL, m, slot_name, n_slot) &&
           put_names(file, "/units/contacts", NULL, m, slot_unit, n_slot) &&
           put_names(file, "/elements/name", NULL, m, line_name, (size_t)m->n_line) &&
           put_names(file, "/names/outputs", NULL, m, output_name, (size_t)m->n_output) &&
           put_names(file, "/events", "kinds", m, kind_name, SP_EVENT_N) &&
           put_names(file, "/events", "states", m, state_name, 3) &&
           put_names(file, "/events", "remedies", m, remedy_name, SP_REMEDY_N) &&
           put_names(file, "/events", "units", m, event_unit, sp_event_members()) &&
           put_names(file, "/contacts/state", "states", m, state_name, 3);
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
