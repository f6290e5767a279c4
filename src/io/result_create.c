#define _GNU_SOURCE
#include "base/status.h"
#include "io/json.h"
#include "io/result_writer.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    BLOCK_BYTES = 4 << 20,   /* memory for frames that wait to be written      */
    CHUNK_BYTES = 256 << 10, /* size of a chunk of a wide dataset              */
    CHUNK_COLUMNS = 32768,   /* columns of a chunk at most                     */
    CHUNK_ROWS_MIN = 32,     /* rows of a chunk of a narrow dataset            */
    CHUNK_ROWS_MAX = 1024,
    PATH_BYTES = 4096
};

/* ---- errors -------------------------------------------------------------------------------- */

/* Say what could not be done; the disk's own words if it was the disk. */
sp_status sp_writer_fail(const sp_result_writer *w, const char *doing, sp_error *err)
{
    char why[256];
    if (w->disk.error != 0) {
        return SP_FAIL(err, SP_E_IO, "result file '%s': cannot %s: %s", w->path, doing,
                       strerror(w->disk.error));
    }
    sp_h5_reason(why, sizeof why);
    return SP_FAIL(err, SP_E_IO, "result file '%s': cannot %s: %s", w->path, doing, why);
}

/* ---- names and attributes ------------------------------------------------------------------ */

/* A fixed-length UTF-8 text type of 'bytes' with its closing zero. */
hid_t sp_writer_text_type(size_t bytes)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, bytes);
    H5Tset_strpad(type, H5T_STR_NULLTERM);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

/* Text attribute with room for at least 'bytes'. */
static bool put_text(hid_t object, const char *key, const char *text, size_t bytes)
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
    return m->dof[i].name;
}

static const char *u_name(const sp_model *m, size_t i)
{
    return m->dof[i].rate_name;
}

static const char *q_unit(const sp_model *m, size_t i)
{
    return m->dof[i].unit;
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

static const char *event_unit(const sp_model *m, size_t i)
{
    static const char *const unit[] = {"s",   "",    "",    "",  "N*s", "N*s", "m/s",
                                       "m/s", "m/s", "m/s", "J", "",    ""};
    (void)m;
    return unit[i];
}

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

/* What is needed to repeat the run, as attributes of the file. */
static bool put_about(hid_t file, const sp_model *m, const sp_result_meta *meta)
{
    char *plots = plots_text(m), *overrides = overrides_text(m);
    const bool ok =
        plots && overrides && put_integer(file, "specht_result", SP_RESULT_VERSION) &&
        put_text(file, "status", "running", SP_RESULT_STATUS_BYTES) &&
        put_integer(file, "steps", -1) && put_text(file, "name", m->name, 0) &&
        put_text(file, "source_file", m->source_file, 0) &&
        put_text(file, "overrides", overrides, 0) && put_text(file, "version", sp_version(), 0) &&
        put_text(file, "method", meta->method, 0) && put_text(file, "command", meta->command, 0) &&
        put_double(file, "step", meta->step) && put_double(file, "tolerance", meta->tolerance) &&
        put_double(file, "until", meta->until) && put_text(file, "plots", plots, 0) &&
        put_text(file, "model_text", m->source_text, 0);
    free(plots);
    free(overrides);
    return ok;
}

/* ---- datasets ------------------------------------------------------------------------------ */

/* Property list for a dataset in chunks, packed if the library can. */
static hid_t chunked(const sp_result_writer *w, int rank, const hsize_t *chunk, double fill)
{
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(list, rank, chunk);
    if (!isfinite(fill)) {
        H5Pset_fill_value(list, H5T_NATIVE_DOUBLE, &fill);
    }
    if (w->deflate > 0) {
        H5Pset_shuffle(list);
        H5Pset_deflate(list, 1);
    }
    return list;
}

/* Cache for one dataset: the chunks that one block of rows touches. */
static hid_t chunk_cache(size_t slots, size_t bytes)
{
    const hid_t list = H5Pcreate(H5P_DATASET_ACCESS);
    H5Pset_chunk_cache(list, slots, bytes, 1.0);
    return list;
}

/* Rows of a chunk: a power of two that divides the block where the dataset is wide. */
static hsize_t chunk_rows(const sp_result_writer *w, size_t columns, size_t narrow_rows)
{
    hsize_t rows = narrow_rows;
    while (rows > 1 && rows * columns * 8 > CHUNK_BYTES) {
        rows /= 2;
    }
    return columns > 1 && rows > w->capacity ? w->capacity : rows;
}

/* Create the dataset of set k and its part of the file's description. */
static bool create_set(sp_result_writer *w, int k, const char *path, sp_row_kind row, size_t width,
                       bool small, size_t narrow_rows, const char *unit, const char *text)
{
    sp_column_set *s = &w->set[k];
    const bool body = row == SP_ROW_BODY;
    const size_t columns = body ? width / 3 : width;
    const size_t chunk_columns = columns == 0              ? 1
                                 : columns > CHUNK_COLUMNS ? CHUNK_COLUMNS
                                                           : columns;
    const int rank = row == SP_ROW_SCALAR ? 1 : body ? 3 : 2;
    const hsize_t rows = chunk_rows(w, (body ? 3 : 1) * chunk_columns, narrow_rows);
    const hsize_t dims[3] = {0, columns, 3};
    const hsize_t most[3] = {H5S_UNLIMITED, columns == 0 ? H5S_UNLIMITED : columns, 3};
    const hsize_t chunk[3] = {rows, chunk_columns, 3};
    const size_t chunk_bytes = (size_t)rows * chunk_columns * (body ? 3 : 1) * 8;
    const hid_t space = H5Screate_simple(rank, dims, most);
    const hid_t create = chunked(w, rank, chunk, small ? 0.0 : (double)NAN);
    const hid_t access =
        chunk_cache(rank == 1 ? 13 : 521, chunk_bytes * (columns / chunk_columns + 1));
    s->width = width;
    s->size = small ? 1 : 8;
    s->data = H5Dcreate2(w->file, path, small ? H5T_STD_U8LE : H5T_IEEE_F64LE, space, H5P_DEFAULT,
                         create, access);
    const bool ok = s->data >= 0 && (!unit || put_text(s->data, "unit", unit, 0)) &&
                    put_text(s->data, "text", text, 0);
    H5Pclose(access);
    H5Pclose(create);
    H5Sclose(space);
    return ok;
}

/* Guess the frames of the run and choose rows of narrow chunks: a power of two, an eighth of it. */
static size_t choose_rows(const sp_result_meta *meta)
{
    const double frames =
        meta->until / (meta->output_step > 0.0 ? meta->output_step : meta->until / 1000.0);
    size_t rows = CHUNK_ROWS_MIN;
    while (rows < CHUNK_ROWS_MAX && (double)rows * 8.0 < frames) {
        rows *= 2;
    }
    return rows;
}

/* Give every set its part of the waiting block; the block's rows are a power of two. */
static bool make_block(sp_result_writer *w, const sp_model *m, size_t narrow_rows)
{
    const size_t n_body = (size_t)m->n_body, n_dof = (size_t)m->n_dof, n_slot = (size_t)m->n_slot;
    size_t row = 8 * (size_t)m->n_output;
    for (int k = 0; k < SP_DATA_FIXED; k++) {
        const sp_data_layout *l = &sp_result_layout[k];
        row += sp_row_width(l->row, n_dof, n_body, n_slot) * (l->small ? 1 : 8);
    }
    w->capacity = narrow_rows;
    while (w->capacity > 1 && w->capacity * row > BLOCK_BYTES) {
        w->capacity /= 2;
    }
    w->block = malloc(w->capacity * row + 8 * (size_t)w->n_set);
    w->event = calloc(SP_EVENT_ROWS, sizeof *w->event);
    return w->block && w->event;
}

/* Create all datasets of the frames. */
static bool create_sets(sp_result_writer *w, const sp_model *m, size_t narrow_rows)
{
    unsigned char *at = w->block;
    const size_t n_body = (size_t)m->n_body, n_dof = (size_t)m->n_dof, n_slot = (size_t)m->n_slot;
    for (int k = 0; k < w->n_set; k++) {
        bool ok;
        if (k < SP_DATA_FIXED) {
            const sp_data_layout *l = &sp_result_layout[k];
            ok = create_set(w, k, l->path, l->row, sp_row_width(l->row, n_dof, n_body, n_slot),
                            l->small, narrow_rows, l->unit, l->text);
        } else {
            const sp_output *o = &m->output[k - SP_DATA_FIXED];
            char path[PATH_BYTES];
            sp_output_path(o->name, path, sizeof path);
            ok = create_set(w, k, path, SP_ROW_SCALAR, 1, false, narrow_rows,
                            o->unit ? o->unit : "1", o->label ? o->label : o->name);
        }
        if (!ok) {
            return false;
        }
        w->set[k].block = at;
        at += (w->capacity * w->set[k].width * w->set[k].size + 7) / 8 * 8;
    }
    return true;
}

/* Create the table of events. */
static bool create_events(sp_result_writer *w)
{
    const hsize_t dims[1] = {0}, most[1] = {H5S_UNLIMITED}, chunk[1] = {SP_EVENT_ROWS};
    w->event_type = sp_event_row_type();
    const hid_t packed = H5Tcopy(w->event_type);
    const hid_t space = H5Screate_simple(1, dims, most), create = chunked(w, 1, chunk, 0.0);
    const hid_t access = chunk_cache(13, 2 * SP_EVENT_ROWS * sizeof(sp_event_row));
    H5Tpack(packed);
    w->events = H5Dcreate2(w->file, "/events", packed, space, H5P_DEFAULT, create, access);
    H5Pclose(access);
    H5Pclose(create);
    H5Sclose(space);
    H5Tclose(packed);
    return w->events >= 0;
}

/* Names of everything that has columns. */
static bool put_all_names(hid_t file, const sp_model *m)
{
    const size_t n_dof = (size_t)m->n_dof, n_body = (size_t)m->n_body, n_slot = (size_t)m->n_slot;
    return put_names(file, "/names/q", NULL, m, q_name, n_dof) &&
           put_names(file, "/names/u", NULL, m, u_name, n_dof) &&
           put_names(file, "/units/q", NULL, m, q_unit, n_dof) &&
           put_names(file, "/units/u", NULL, m, u_unit, n_dof) &&
           put_names(file, "/bodies/name", NULL, m, body_name, n_body) &&
           put_names(file, "/contacts/name", NULL, m, slot_name, n_slot) &&
           put_names(file, "/names/outputs", NULL, m, output_name, (size_t)m->n_output) &&
           put_names(file, "/events", "kinds", m, kind_name, SP_EVENT_N) &&
           put_names(file, "/events", "states", m, state_name, 3) &&
           put_names(file, "/events", "units", m, event_unit, 13) &&
           put_names(file, "/contacts/state", "states", m, state_name, 3);
}

/* Create everything the file will ever hold. */
static bool create_content(sp_result_writer *w, const sp_model *m, const sp_result_meta *meta)
{
    static const char *const group[] = {"/names",  "/units",  "/bodies",      "/contacts",
                                        "/energy", "/solver", "/certificate", "/outputs"};
    for (size_t k = 0; k < sizeof group / sizeof group[0]; k++) {
        const hid_t id = H5Gcreate2(w->file, group[k], H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        if (id < 0) {
            return false;
        }
        H5Gclose(id);
    }
    return put_about(w->file, m, meta) && create_sets(w, m, choose_rows(meta)) &&
           create_events(w) && put_all_names(w->file, m);
}

/* ---- start --------------------------------------------------------------------------------- */

/* Refuse a target that is there and is no plain file; follow a link to what it names. */
static sp_status choose_path(sp_result_writer *w, const char *path, sp_error *err)
{
    struct stat info;
    if (path[0] == '\0') {
        return SP_FAIL(err, SP_E_IO, "result file: the name is empty");
    }
    const bool exists = stat(path, &info) == 0;
    if (exists && !S_ISREG(info.st_mode)) {
        return SP_FAIL(err, SP_E_IO, "result file '%s': is %s, expected a plain file", path,
                       S_ISDIR(info.st_mode) ? "a folder" : "a device or pipe");
    }
    if (exists && access(path, W_OK) != 0) {
        return SP_FAIL(err, SP_E_IO, "result file '%s': cannot write: %s", path, strerror(errno));
    }
    w->path = exists ? realpath(path, NULL) : strdup(path);
    if (!w->path || strlen(w->path) + 64 > PATH_BYTES) {
        return SP_FAIL(err, SP_E_IO, "result file '%.200s...': name too long", path);
    }
    w->temporary = malloc(PATH_BYTES);
    return w->temporary ? SP_OK : SP_FAIL(err, SP_E_MEMORY, "out of memory");
}

/* Access list of a file that survives its writer: newest format, everything closed with the file.
 */
static hid_t access_list(sp_result_writer *w)
{
    const hid_t list = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(list, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    H5Pset_fclose_degree(list, H5F_CLOSE_STRONG);
    w->driver = sp_disk_use(list, &w->disk);
    return list;
}

/* Create the temporary file; names of dead runs of the same number are passed over. */
static sp_status create_file(sp_result_writer *w, sp_error *err)
{
    const hid_t access = access_list(w), create = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_attr_phase_change(create, 64, 0); /* attributes stay with the root, however many */
    for (int attempt = 0; attempt < 100; attempt++) {
        snprintf(w->temporary, PATH_BYTES, "%s.part-%ld-%d", w->path, (long)getpid(), attempt);
        w->disk.error = 0;
        w->file = H5Fcreate(w->temporary, H5F_ACC_EXCL, create, access);
        if (w->file >= 0 || w->disk.error != EEXIST) {
            break;
        }
    }
    H5Pclose(create);
    H5Pclose(access);
    return w->file >= 0 ? SP_OK : sp_writer_fail(w, "create it", err);
}

/* Give everything back; the file must be closed. */
void sp_writer_free(sp_result_writer *w)
{
    if (w->event_type > 0) {
        H5Tclose(w->event_type);
    }
    if (w->driver > 0) {
        H5FDunregister(w->driver);
    }
    sp_disk_free(&w->disk);
    free(w->path);
    free(w->temporary);
    free(w->set);
    free(w->block);
    free(w->event);
    free(w);
}

/* Close the file and take it away if it never got its name. */
void sp_writer_drop(sp_result_writer *w)
{
    if (w->file > 0) {
        H5Fclose(w->file);
        if (w->temporary) {
            unlink(w->temporary);
        }
    }
    w->file = -1;
}

/* The steps of sp_result_create between its quiet begin and end. */
static sp_status create_all(sp_result_writer *w, const char *path, const sp_model *m,
                            const sp_result_meta *meta, sp_error *err)
{
    SP_TRY(choose_path(w, path, err));
    w->n_set = SP_DATA_FIXED + m->n_output;
    w->set = calloc((size_t)w->n_set, sizeof *w->set);
    if (!w->set || !make_block(w, m, choose_rows(meta))) {
        return SP_FAIL(err, SP_E_MEMORY, "result file '%s': out of memory", w->path);
    }
    SP_TRY(create_file(w, err));
    w->deflate = H5Zfilter_avail(H5Z_FILTER_DEFLATE);
    if (!create_content(w, m, meta) || !sp_disk_start_journal(w->file, &w->disk) ||
        H5Fstart_swmr_write(w->file) < 0) {
        return sp_writer_fail(w, "create its content", err);
    }
    return SP_OK;
}

sp_status sp_result_create(const char *path, const sp_model *m, const sp_result_meta *meta,
                           sp_result_writer **writer, sp_error *err)
{
    assert(path && m && meta && writer);
    *writer = NULL;
    sp_result_writer *w = calloc(1, sizeof *w);
    if (!w) {
        return SP_FAIL(err, SP_E_MEMORY, "out of memory");
    }
    sp_h5_quiet quiet;
    sp_h5_quiet_begin(&quiet);
    const sp_status status = create_all(w, path, m, meta, err);
    w->interval = meta->flush_interval != 0.0 ? meta->flush_interval : 0.2;
    clock_gettime(CLOCK_MONOTONIC, &w->start);
    w->flushed = w->start;
    if (status != SP_OK) {
        sp_writer_drop(w);
        sp_writer_free(w);
        w = NULL;
    }
    sp_h5_quiet_end(&quiet);
    *writer = w;
    return status;
}
