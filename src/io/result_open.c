#define _POSIX_C_SOURCE 200809L
#include "io/result_reader.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    CACHE_BYTES = 64 << 20, /* most memory for the chunks of one row                           */
    READ_ATTEMPTS = 12,     /* of a piece that a living writer is changing; the waits double   */
};

/* ---- opening ------------------------------------------------------------------------------- */

/* A file that cannot be what is asked for is refused before HDF5 sees it. */
static sp_status check_file(sp_result *r, const char *path, sp_error *err)
{
    static const unsigned char sign[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    unsigned char head[48] = {0};
    struct stat info;
    if (stat(path, &info) != 0) {
        return SP_FAIL(err, SP_E_IO, "result file '%s': %s", path, strerror(errno));
    }
    if (!S_ISREG(info.st_mode)) {
        return SP_FAIL(err, SP_E_IO, "result file '%s': is %s, expected a plain file", path,
                       S_ISDIR(info.st_mode) ? "a folder" : "a device or pipe");
    }
    FILE *f = fopen(path, "rb");
    if (!f) {
        return SP_FAIL(err, SP_E_IO, "result file '%s': cannot read: %s", path, strerror(errno));
    }
    const size_t n = fread(head, 1, sizeof head, f);
    fclose(f);
    if (n < sizeof head || memcmp(head, sign, sizeof sign) != 0) {
        return SP_FAIL(err, SP_E_INPUT, "'%s' is no result of Specht: %s", path,
                       info.st_size == 0 ? "the file is empty" : "it is no HDF5 file");
    }
    r->file_bytes = (hsize_t)info.st_size;
    hsize_t end = 0; /* of the file, as its superblock says */
    for (int k = 7; k >= 0; k--) {
        end = end << 8 | head[28 + k];
    }
    r->marked = head[8] == 3 && (head[11] & 5) != 0; /* superblock: open for writing, for SWMR */
    r->info.live = r->marked && sp_disk_live(path);
    if (head[8] == 3 && !r->marked && r->file_bytes < end) {
        return SP_FAIL(err, SP_E_IO, "result file '%s': truncated: %llu bytes of %llu", path,
                       (unsigned long long)r->file_bytes, (unsigned long long)end);
    }
    return SP_OK;
}

/* Open the file; if its writer never closed it, as a reader beside the writer, who is waited for
 * while he lives. */
static sp_status open_file(sp_result *r, const char *path, sp_error *err)
{
    char why[200];
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
#if H5_VERSION_GE(1, 10, 7)
    H5Pset_file_locking(access, false, true);
#endif
    if (r->marked) {
        H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
        H5Pset_metadata_read_attempts(access, r->info.live ? READ_ATTEMPTS : 1);
        if (!r->info.live && sp_disk_find_patch(path, &r->patch) && r->patch.size > 0) {
            r->disk.patch = &r->patch;
            r->driver = sp_disk_use(access, &r->disk);
        }
        r->file = H5Fopen(path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access);
    } else {
        r->file = H5Fopen(path, H5F_ACC_RDONLY, access);
    }
    sp_h5_reason(why, sizeof why);
    H5Pclose(access);
    if (r->file < 0) {
        return SP_FAIL(err, SP_E_IO, "result file '%s': truncated or damaged: %s", path, why);
    }
    return SP_OK;
}

/* Say that the file is not what it should be. */
sp_status sp_reader_fail(const sp_result *r, const char *what, sp_error *err)
{
    char why[200];
    sp_h5_reason(why, sizeof why);
    return SP_FAIL(err, SP_E_IO, "result file '%s': %s is missing or damaged: %s", r->info.path,
                   what, why);
}

/* A text attribute, "" if it is not there or not a fixed-length text. */
const char *sp_reader_text(sp_result *r, hid_t object, const char *key)
{
    if (H5Aexists(object, key) <= 0) {
        return "";
    }
    const hid_t attr = H5Aopen(object, key, H5P_DEFAULT);
    const hid_t type = H5Aget_type(attr), space = H5Aget_space(attr);
    const size_t bytes = H5Tget_size(type);
    char *text = NULL;
    if (H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
        H5Sget_simple_extent_npoints(space) == 1 && bytes > 0 && bytes <= r->file_bytes) {
        text = SP_NEW(&r->arena, char, bytes + 1);
    }
    if (text && H5Aread(attr, type, text) < 0) {
        text = NULL;
    }
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attr);
    return text ? text : "";
}

/* A number attribute, 'otherwise' if it is not there. */
static double get_number(hid_t object, const char *key, double otherwise)
{
    double value = otherwise;
    if (H5Aexists(object, key) <= 0) {
        return otherwise;
    }
    const hid_t attr = H5Aopen(object, key, H5P_DEFAULT), space = H5Aget_space(attr);
    if (H5Sget_simple_extent_npoints(space) != 1 || H5Aread(attr, H5T_NATIVE_DOUBLE, &value) < 0) {
        value = otherwise;
    }
    H5Sclose(space);
    H5Aclose(attr);
    return value;
}

/* A dataset of names. */
static sp_status get_names(sp_result *r, const char *path, sp_name_list *list, sp_error *err)
{
    const hid_t data = H5Dopen2(r->file, path, H5P_DEFAULT);
    if (data < 0) {
        return sp_reader_fail(r, path, err);
    }
    const hid_t type = H5Dget_type(data), space = H5Dget_space(data);
    const hssize_t n = H5Sget_simple_extent_npoints(space);
    const size_t bytes = H5Tget_size(type);
    bool ok = H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 && n >= 0 &&
              bytes > 0 && bytes <= SP_NAME_BYTES && (hsize_t)n <= r->file_bytes / bytes &&
              n < INT_MAX / 16;
    char *raw = ok ? malloc(((size_t)n + 1) * bytes) : NULL;
    ok = raw && (n == 0 || H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, raw) >= 0);
    if (ok) {
        list->n = (size_t)n;
        list->bytes = bytes + 1; /* a closing zero of our own */
        list->text = SP_NEW(&r->arena, char, ((size_t)n + 1) * list->bytes);
        ok = list->text != NULL;
    }
    for (size_t i = 0; ok && i < list->n; i++) {
        memcpy(list->text + i * list->bytes, raw + i * bytes, bytes);
    }
    free(raw);
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(data);
    return ok ? SP_OK : sp_reader_fail(r, path, err);
}

/* A dataset of names that older files do not have: an empty list then. */
static sp_status get_new_names(sp_result *r, const char *path, sp_name_list *list, sp_error *err)
{
    return H5Lexists(r->file, path, H5P_DEFAULT) > 0 ? get_names(r, path, list, err) : SP_OK;
}

/* Access list whose cache holds the chunks of one row of the dataset. */
static hid_t row_cache(hid_t file, const char *path)
{
    const hid_t data = H5Dopen2(file, path, H5P_DEFAULT), access = H5Pcreate(H5P_DATASET_ACCESS);
    if (data < 0) {
        return access;
    }
    const hid_t list = H5Dget_create_plist(data), space = H5Dget_space(data);
    hsize_t chunk[3] = {1, 1, 1}, dims[3] = {1, 1, 1};
    const int rank = H5Sget_simple_extent_ndims(space);
    if (rank >= 1 && rank <= 3 && H5Pget_layout(list) == H5D_CHUNKED &&
        H5Pget_chunk(list, rank, chunk) == rank) {
        H5Sget_simple_extent_dims(space, dims, NULL);
        double bytes = 8.0 * (double)chunk[0];
        for (int k = 1; k < rank; k++) {
            const double chunks = (double)(dims[k] / chunk[k] + 1);
            bytes *= (double)chunk[k] * chunks;
        }
        H5Pset_chunk_cache(access, rank == 1 ? 13 : 521,
                           bytes < CACHE_BYTES ? (size_t)bytes : CACHE_BYTES, 1.0);
    }
    H5Sclose(space);
    H5Pclose(list);
    H5Dclose(data);
    return access;
}

/* Open a dataset of frames of so many items each, check its shape and give its number of frames. */
static bool open_set(const sp_result *r, const char *path, size_t items, sp_data_set *s,
                     hsize_t *frames)
{
    const hid_t access = row_cache(r->file, path);
    s->id = H5Dopen2(r->file, path, access);
    H5Pclose(access);
    if (s->id < 0) {
        return false;
    }
    const int rank = s->row == SP_ROW_SCALAR ? 1 : sp_row_has_columns(s->row) ? 3 : 2;
    const hid_t space = H5Dget_space(s->id), type = H5Dget_type(s->id);
    hsize_t dims[H5S_MAX_RANK] = {0};
    const H5T_class_t kind = H5Tget_class(type);
    const bool ok = H5Sget_simple_extent_dims(space, dims, NULL) == rank &&
                    (kind == H5T_FLOAT || kind == H5T_INTEGER) && (rank < 2 || dims[1] == items) &&
                    (rank < 3 || (dims[2] > 0 && dims[2] <= SP_COLUMNS_MAX));
    *frames = dims[0];
    s->columns = ok && rank == 3 ? (size_t)dims[2] : 1;
    s->width = items * s->columns;
    H5Tclose(type);
    H5Sclose(space);
    return ok;
}

/* Open dataset k, also one that need not be there; false: it should be. */
static bool open_one(sp_result *r, int k, char *path, size_t size, hsize_t *frames)
{
    sp_data_set *s = &r->set[k];
    const sp_data_layout *l = k < SP_DATA_FIXED ? &sp_result_layout[k] : NULL;
    s->row = l ? l->row : SP_ROW_SCALAR;
    if (l) {
        snprintf(path, size, "%s", l->path);
    } else {
        sp_output_path(sp_name_at(&r->output, (size_t)(k - SP_DATA_FIXED)), path, size);
    }
    if (l && l->optional && H5Lexists(r->file, path, H5P_DEFAULT) <= 0) {
        s->id = -1;
        s->columns = s->width = 1;
        return true;
    }
    const sp_row_sizes sizes = {r->q.n, r->u.n, r->body.n, r->slot.n, r->line.n};
    return open_set(r, path, sp_row_items(s->row, &sizes), s, frames);
}

/* Open the datasets of the frames; the frames are those that all of them have. */
static sp_status open_sets(sp_result *r, sp_error *err)
{
    hsize_t least = 0, most = 0;
    r->n_set = SP_DATA_FIXED + (int)r->output.n;
    r->set = SP_NEW(&r->arena, sp_data_set, r->n_set);
    r->output_unit = SP_NEW(&r->arena, const char *, r->output.n + 1);
    if (!r->set || !r->output_unit) {
        return SP_FAIL(err, SP_E_MEMORY, "result file '%s': out of memory", r->info.path);
    }
    for (int k = 0; k < r->n_set; k++) {
        char path[2 * SP_NAME_BYTES];
        hsize_t frames = least;
        if (!open_one(r, k, path, sizeof path, &frames)) {
            return sp_reader_fail(r, path, err);
        }
        least = k == 0 || frames < least ? frames : least;
        most = frames > most ? frames : most;
    }
    r->info.n_frame = (size_t)least;
    r->ragged = least != most;
    return SP_OK;
}

/* Open the table of events. */
static sp_status open_events(sp_result *r, sp_error *err)
{
    r->events = H5Dopen2(r->file, "/events", H5P_DEFAULT);
    if (r->events < 0) {
        return sp_reader_fail(r, "/events", err);
    }
    const hid_t space = H5Dget_space(r->events), type = H5Dget_type(r->events);
    hsize_t dims[H5S_MAX_RANK] = {0};
    const bool ok =
        H5Sget_simple_extent_dims(space, dims, NULL) == 1 && H5Tget_class(type) == H5T_COMPOUND;
    r->info.n_event = (size_t)dims[0];
    H5Tclose(type);
    H5Sclose(space);
    r->event_type = sp_event_type(false);
    return ok && r->event_type >= 0 ? SP_OK : sp_reader_fail(r, "/events", err);
}

/* ---- open ---------------------------------------------------------------------------------- */

/* Number the channels. */
static sp_status number_channels(sp_result *r, sp_error *err)
{
    const long long n_body = r->body.n > 0 ? (long long)r->body.n - 1 : 0; /* without the ground */
    r->slot_fields = r->set[SP_DATA_LAMBDA_T2].id < 0  ? SP_SLOT_FIELDS
                     : r->set[SP_DATA_LAMBDA_D].id < 0 ? SP_SLOT_FIELDS_SPACE
                                                       : SP_SLOT_FIELDS_DRILL;
    const long long count[] = {1,
                               (long long)r->q.n,
                               (long long)r->u.n,
                               r->n_field * n_body,
                               r->slot_fields * (long long)r->slot.n,
                               (long long)r->output.n,
                               SP_LINE_COLUMNS * (long long)r->line.n,
                               SP_SCALAR_VALUES};
    long long at = 0;
    for (int k = 0; k <= SP_FIRST_END; k++) {
        at += count[k];
        if (at > INT_MAX) {
            return SP_FAIL(err, SP_E_CAPACITY, "result file '%s': too many channels", r->info.path);
        }
        r->first[k] = (int)at;
    }
    r->info.n_dof = (int)r->u.n;
    r->info.n_body = (int)r->body.n;
    r->info.n_contact = (int)r->slot.n;
    r->info.n_output = (int)r->output.n;
    r->info.n_channel = r->first[SP_FIRST_END];
    return SP_OK;
}

/* Check that it is ours and of a version we know. */
static sp_status check_version(const sp_result *r, sp_error *err)
{
    const double version = get_number(r->file, "specht_result", -1.0);
    if (version < 0.0) {
        return SP_FAIL(err, SP_E_INPUT,
                       "'%s' is no result of Specht: an HDF5 file without 'specht_result'",
                       r->info.path);
    }
    if (version != SP_RESULT_VERSION) {
        return SP_FAIL(err, SP_E_INPUT, "result file '%s': format %g, this program reads format %d",
                       r->info.path, version, SP_RESULT_VERSION);
    }
    return SP_OK;
}

/* Read what the file says about the run. */
static void read_about(sp_result *r)
{
    sp_result_info *i = &r->info;
    i->name = sp_reader_text(r, r->file, "name");
    i->source_file = sp_reader_text(r, r->file, "source_file");
    i->model_text = sp_reader_text(r, r->file, "model_text");
    i->overrides = sp_reader_text(r, r->file, "overrides");
    i->version = sp_reader_text(r, r->file, "version");
    i->method = sp_reader_text(r, r->file, "method");
    i->command = sp_reader_text(r, r->file, "command");
    i->status = sp_reader_text(r, r->file, "status");
    i->doubts = sp_reader_text(r, r->file, "doubts");
    i->status = strcmp(i->status, "complete") == 0 ? "clean" : i->status; /* of older files */
    i->step = get_number(r->file, "step", 0.0);
    i->tolerance = get_number(r->file, "tolerance", 0.0);
    i->until = get_number(r->file, "until", 0.0);
    const double steps = get_number(r->file, "steps", -1.0);
    i->steps = steps >= 0.0 && steps < 1e18 ? (long long)steps : -1;
    r->marked = r->marked || strcmp(i->status, "running") == 0;
    if (r->marked && !i->live && strcmp(i->status, "running") == 0) {
        i->status = "cut short";
    }
    i->cut_short = !i->live && strcmp(i->status, "cut short") == 0;
}

/* The steps of sp_result_open between its quiet begin and end. */
static sp_status open_all(sp_result *r, const char *path, sp_error *err)
{
    r->info.path = sp_arena_copy(&r->arena, path);
    if (!r->info.path) {
        return SP_FAIL(err, SP_E_MEMORY, "out of memory");
    }
    SP_TRY(check_file(r, path, err));
    SP_TRY(open_file(r, path, err));
    SP_TRY(check_version(r, err));
    SP_TRY(get_names(r, "/names/q", &r->q, err));
    SP_TRY(get_names(r, "/names/u", &r->u, err));
    SP_TRY(get_names(r, "/units/q", &r->q_unit, err));
    SP_TRY(get_names(r, "/units/u", &r->u_unit, err));
    SP_TRY(get_names(r, "/bodies/name", &r->body, err));
    SP_TRY(get_names(r, "/contacts/name", &r->slot, err));
    SP_TRY(get_names(r, "/names/outputs", &r->output, err));
    SP_TRY(get_new_names(r, "/units/contacts", &r->slot_unit, err));
    SP_TRY(get_new_names(r, "/elements/name", &r->line, err));
    SP_TRY(get_new_names(r, "/names/switches", &r->kink, err));
    if (r->q_unit.n != r->q.n || r->u_unit.n != r->u.n) {
        return sp_reader_fail(r, "/names", err);
    }
    SP_TRY(open_sets(r, err));
    if (r->line.n > 0 && r->set[SP_DATA_LINES].columns != SP_LINE_COLUMNS) {
        return sp_reader_fail(r, "/elements/energy", err);
    }
    SP_TRY(sp_reader_fields(r, err));
    SP_TRY(number_channels(r, err));
    SP_TRY(open_events(r, err));
    read_about(r);
    sp_reader_plots(r);
    sp_reader_scene(r);
    if (r->info.steps < 0 && r->info.n_frame > 0) {
        double step = 0.0;
        SP_TRY(sp_result_read(r, 1, &(int){r->first[SP_FIRST_END] - 1}, r->info.n_frame - 1, 1,
                              &step, err));
        r->info.steps = (long long)step;
    }
    return SP_OK;
}

sp_status sp_result_open(const char *path, sp_result **result, sp_error *err)
{
    assert(path && result);
    *result = NULL;
    sp_result *r = calloc(1, sizeof *r);
    if (!r) {
        return SP_FAIL(err, SP_E_MEMORY, "out of memory");
    }
    sp_arena_init(&r->arena, NULL, 0);
    sp_h5_quiet quiet;
    sp_h5_quiet_begin(&quiet);
    r->file = r->event_type = -1;
    const sp_status status = open_all(r, path, err);
    sp_h5_quiet_end(&quiet);
    if (status != SP_OK) {
        sp_result_free(r);
        return status;
    }
    *result = r;
    return SP_OK;
}

void sp_result_quiet_exit(void)
{
    H5dont_atexit();
}

void sp_result_free(sp_result *result)
{
    if (!result) {
        return;
    }
    sp_h5_quiet quiet;
    sp_h5_quiet_begin(&quiet);
    if (result->event_type >= 0) {
        H5Tclose(result->event_type);
    }
    if (result->file >= 0) {
        H5Fclose(result->file); /* and every dataset in it */
    }
    if (result->driver > 0) {
        H5FDunregister(result->driver);
    }
    free(result->patch.data);
    sp_h5_quiet_end(&quiet);
    sp_arena_free(&result->arena);
    free(result);
}

const sp_result_info *sp_result_about(const sp_result *result)
{
    return &result->info;
}

bool sp_result_is_ragged(const sp_result *result)
{
    return result->ragged;
}

bool sp_result_is_marked(const sp_result *result)
{
    return result->marked;
}

double sp_result_number(const sp_result *result, const char *key, double otherwise)
{
    sp_h5_quiet quiet;
    sp_h5_quiet_begin(&quiet);
    const double value = get_number(result->file, key, otherwise);
    sp_h5_quiet_end(&quiet);
    return value;
}

const sp_scene *sp_result_scene(const sp_result *result)
{
    return result->scene.n_body > 0 ? &result->scene : NULL;
}

const sp_plot_preset *sp_result_plot(const sp_result *result, int i)
{
    return i >= 0 && i < result->n_plot ? &result->plot[i] : NULL;
}

const char *sp_result_body_name(const sp_result *result, int i)
{
    return i >= 0 && (size_t)i < result->body.n ? sp_name_at(&result->body, (size_t)i) : "?";
}

const char *sp_result_contact_name(const sp_result *result, int i)
{
    return i >= 0 && (size_t)i < result->slot.n ? sp_name_at(&result->slot, (size_t)i) : "?";
}

const char *sp_result_event_name(const sp_result *result, const sp_event *e)
{
    const bool named = e->n_found >= 0 && (size_t)e->n_found < result->kink.n;
    return e->kind != SP_EVENT_SWITCH ? sp_result_contact_name(result, e->slot)
           : named                    ? sp_name_at(&result->kink, (size_t)e->n_found)
                                      : "force";
}
