#define _GNU_SOURCE
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

/* Create the dataset of set k: frames x items, or x columns if there are several. */
static bool create_set(sp_result_writer *w, int k, const char *path, sp_row_kind row, size_t items,
                       size_t columns, size_t narrow_rows)
{
    sp_column_set *s = &w->set[k];
    const size_t wide = items == 0 ? 1 : items > CHUNK_COLUMNS ? CHUNK_COLUMNS : items;
    const int rank = row == SP_ROW_SCALAR ? 1 : sp_row_has_columns(row) ? 3 : 2;
    const hsize_t rows = chunk_rows(w, columns * wide, narrow_rows);
    const hsize_t dims[3] = {0, items, columns};
    const hsize_t most[3] = {H5S_UNLIMITED, items == 0 ? H5S_UNLIMITED : items, columns};
    const hsize_t chunk[3] = {rows, wide, columns};
    const size_t chunk_bytes = (size_t)rows * wide * columns * 8;
    const hid_t space = H5Screate_simple(rank, dims, most);
    const hid_t create = chunked(w, rank, chunk, s->number == SP_BYTE ? 0.0 : (double)NAN);
    const hid_t access = chunk_cache(rank == 1 ? 13 : 521, chunk_bytes * (items / wide + 1));
    s->width = items * columns;
    s->data = H5Dcreate2(w->file, path, sp_number_file_type(s->number), space, H5P_DEFAULT, create,
                         access);
    H5Pclose(access);
    H5Pclose(create);
    H5Sclose(space);
    return s->data >= 0;
}

/* How many there are of what rows hold. */
static sp_row_sizes sizes_of(const sp_model *m)
{
    return (sp_row_sizes){.n_q = (size_t)m->n_q,
                          .n_u = (size_t)m->n_dof,
                          .n_body = (size_t)m->n_body,
                          .n_slot = (size_t)m->n_slot,
                          .n_line = (size_t)m->n_line};
}

/* Create dataset k of the layout with its description. */
static bool create_fixed(sp_result_writer *w, int k, const sp_model *m, size_t narrow_rows)
{
    const sp_data_layout *l = &sp_result_layout[k];
    const sp_row_sizes sizes = sizes_of(m);
    const char *unit = sp_layout_unit(l, m->dim);
    w->set[k].number = l->number;
    return create_set(w, k, l->path, l->row, sp_row_items(l->row, &sizes),
                      sp_layout_columns(l, m->dim), narrow_rows) &&
           (!unit || sp_writer_text(w->set[k].data, "unit", unit, 0)) &&
           (!sp_row_has_columns(l->row) ||
            sp_writer_columns(w->set[k].data, sp_layout_names(l, m->dim))) &&
           sp_writer_text(w->set[k].data, "text", l->text, 0);
}

/* Create the dataset of an output with its description. */
static bool create_output(sp_result_writer *w, int k, const sp_output *o, size_t narrow_rows)
{
    char path[PATH_BYTES];
    sp_output_path(o->name, path, sizeof path);
    return create_set(w, k, path, SP_ROW_SCALAR, 1, 1, narrow_rows) &&
           sp_writer_text(w->set[k].data, "unit", o->unit ? o->unit : "1", 0) &&
           sp_writer_text(w->set[k].data, "text", o->label ? o->label : o->name, 0);
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
    const sp_row_sizes sizes = sizes_of(m);
    size_t row = 8 * (size_t)m->n_output;
    for (int k = 0; k < SP_DATA_FIXED; k++) {
        const sp_data_layout *l = &sp_result_layout[k];
        if (!sp_layout_is_there(m, l)) {
            continue;
        }
        row +=
            sp_row_items(l->row, &sizes) * sp_layout_columns(l, m->dim) * sp_number_size(l->number);
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
    for (int k = 0; k < w->n_set; k++) {
        sp_column_set *set = &w->set[k];
        if (k < SP_DATA_FIXED && !sp_layout_is_there(m, &sp_result_layout[k])) {
            continue; /* stays zero: not in this file */
        }
        const bool ok = k < SP_DATA_FIXED
                            ? create_fixed(w, k, m, narrow_rows)
                            : create_output(w, k, &m->output[k - SP_DATA_FIXED], narrow_rows);
        if (!ok) {
            return false;
        }
        set->block = at;
        at += (w->capacity * set->width * sp_number_size(set->number) + 7) / 8 * 8;
    }
    return true;
}

/* Create the table of events. */
static bool create_events(sp_result_writer *w)
{
    const hsize_t dims[1] = {0}, most[1] = {H5S_UNLIMITED}, chunk[1] = {SP_EVENT_ROWS};
    w->event_type = sp_event_type(false);
    const hid_t packed = sp_event_type(true);
    const hid_t space = H5Screate_simple(1, dims, most), create = chunked(w, 1, chunk, 0.0);
    const hid_t access = chunk_cache(13, 2 * SP_EVENT_ROWS * sizeof(sp_event));
    w->events = H5Dcreate2(w->file, "/events", packed, space, H5P_DEFAULT, create, access);
    H5Pclose(access);
    H5Pclose(create);
    H5Sclose(space);
    H5Tclose(packed);
    return w->events >= 0;
}

/* Create the dataset of the measures, whose values come last. */
static bool create_measures(sp_result_writer *w, const sp_model *m)
{
    const hsize_t dims[1] = {(hsize_t)m->n_measure};
    w->measure = calloc((size_t)m->n_measure + 1, sizeof *w->measure);
    if (m->n_measure == 0 || !w->measure) {
        return w->measure != NULL;
    }
    for (int i = 0; i < m->n_measure; i++) {
        w->measure[i] = NAN;
    }
    const hid_t group = H5Gcreate2(w->file, "/measures", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t space = H5Screate_simple(1, dims, NULL);
    w->measures = H5Dcreate2(w->file, "/measures/value", H5T_IEEE_F64LE, space, H5P_DEFAULT,
                             H5P_DEFAULT, H5P_DEFAULT);
    H5Sclose(space);
    H5Gclose(group);
    return w->measures >= 0 && sp_writer_measures(w->file, m) &&
           H5Dwrite(w->measures, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, w->measure) >= 0;
}

/* Create everything the file will ever hold. */
static bool create_content(sp_result_writer *w, const sp_model *m, const sp_result_meta *meta)
{
    static const char *const group[] = {"/names",  "/units",   "/bodies",      "/contacts",
                                        "/energy", "/solver",  "/certificate", "/outputs",
                                        "/scene",  "/elements"};
    for (size_t k = 0; k < sizeof group / sizeof group[0]; k++) {
        const hid_t id = H5Gcreate2(w->file, group[k], H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        if (id < 0) {
            return false;
        }
        H5Gclose(id);
    }
    return sp_writer_about(w->file, m, meta) && create_sets(w, m, choose_rows(meta)) &&
           create_events(w) && create_measures(w, m) && sp_writer_names(w->file, m) &&
           sp_writer_scene(w->file, m) && sp_writer_files(w->file, meta->spec);
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

/* Access list of a file that survives its writer: newest format, all closed with the file. */
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
    free(w->measure);
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
