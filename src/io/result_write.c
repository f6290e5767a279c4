#define _POSIX_C_SOURCE 200809L
#include "io/result_read.h"
#include "io/result_writer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- rows ---------------------------------------------------------------------------------- */

/* Append n rows of a dataset of which 'done' rows are there. */
static bool append(hid_t data, hid_t type, size_t width, size_t done, size_t n, const void *rows)
{
    const hid_t old = H5Dget_space(data);
    hsize_t dims[3] = {0, 0, 0}, first[3] = {done, 0, 0};
    const int rank = H5Sget_simple_extent_dims(old, dims, NULL);
    H5Sclose(old);
    if (rank < 1) {
        return false;
    }
    dims[0] = done + n;
    if (H5Dset_extent(data, dims) < 0) {
        return false;
    }
    if (width == 0) {
        return true;
    }
    dims[0] = n;
    const hid_t file_space = H5Dget_space(data), space = H5Screate_simple(rank, dims, NULL);
    const bool ok = H5Sselect_hyperslab(file_space, H5S_SELECT_SET, first, NULL, dims, NULL) >= 0 &&
                    H5Dwrite(data, type, space, file_space, H5P_DEFAULT, rows) >= 0;
    H5Sclose(space);
    H5Sclose(file_space);
    return ok;
}

/* Write the frames and events that wait; time last, so that a frame with a time is whole. */
static sp_status write_waiting(sp_result_writer *w, sp_error *err)
{
    bool ok = true;
    for (int k = w->n_set - 1; ok && k >= 0 && w->n_waiting > 0; k--) {
        const sp_column_set *s = &w->set[k];
        ok = !s->block || append(s->data, sp_number_memory_type(s->number), s->width, w->n_written,
                                 w->n_waiting, s->block);
    }
    if (ok && w->n_event_waiting > 0) {
        ok = append(w->events, w->event_type, 1, w->n_event, w->n_event_waiting, w->event);
    }
    if (!ok || w->disk.error != 0) {
        return sp_writer_fail(w, "write", err);
    }
    w->n_written += w->n_waiting;
    w->n_event += w->n_event_waiting;
    w->n_waiting = w->n_event_waiting = 0;
    return SP_OK;
}

/* Give all that is written to the operating system: from here on a kill cannot take it.  Events go
 * first, so that a kill in between leaves no frame without the events before it. */
static sp_status flush(sp_result_writer *w, sp_error *err)
{
    SP_TRY(write_waiting(w, err));
    if (H5Dflush(w->events) < 0 || H5Fflush(w->file, H5F_SCOPE_LOCAL) < 0 || w->disk.error != 0) {
        return sp_writer_fail(w, "write", err);
    }
    w->n_flushed = w->n_written;
    w->dirty = false;
    clock_gettime(CLOCK_MONOTONIC, &w->flushed);
    return SP_OK;
}

/* The first frame is there: the file takes its name. */
static sp_status publish(sp_result_writer *w, sp_error *err)
{
    SP_TRY(flush(w, err));
    if (sp_disk_live(w->path)) {
        return SP_FAIL(err, SP_E_IO,
                       "result file '%s': another run is still writing it; wait for it or choose "
                       "another name with -o",
                       w->path);
    }
    if (rename(w->temporary, w->path) != 0) {
        return SP_FAIL(err, SP_E_IO, "result file '%s': cannot write: %s", w->path,
                       strerror(errno));
    }
    free(w->temporary);
    w->temporary = NULL;
    return SP_OK;
}

static double seconds(const struct timespec *from, const struct timespec *to)
{
    return (double)(to->tv_sec - from->tv_sec) + 1e-9 * (double)(to->tv_nsec - from->tv_nsec);
}

/* Is it time to flush?  Each flush of a half-full chunk leaves a hole in the file, hence in long
 * runs the interval grows to a hundredth of the time the run has taken. */
static bool flush_is_due(const sp_result_writer *w)
{
    struct timespec now;
    if (w->interval < 0.0) {
        return true;
    }
#ifdef CLOCK_MONOTONIC_COARSE
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
#else
    clock_gettime(CLOCK_MONOTONIC, &now);
#endif
    const double hundredth = 0.01 * seconds(&w->start, &now);
    return seconds(&w->flushed, &now) >= (hundredth > w->interval ? hundredth : w->interval);
}

/* Put one number into the row that is being filled. */
static void put_scalar(sp_result_writer *w, int set, double value)
{
    memcpy(w->set[set].block + w->n_waiting * 8, &value, 8);
}

/* Put width numbers. */
static void put_row(sp_result_writer *w, int set, const void *values)
{
    const size_t bytes = 8 * w->set[set].width;
    if (bytes > 0) {
        memcpy(w->set[set].block + w->n_waiting * bytes, values, bytes);
    }
}

/* Put the contacts, each quantity into its own dataset, if the file has it. */
static void put_contacts(sp_result_writer *w, int n_slot, const sp_contact_record *contact)
{
    const size_t row = w->n_waiting * (size_t)n_slot;
    for (int i = 0; i < n_slot; i++) {
        double value[SP_CONTACT_VALUES];
        sp_contact_values(&contact[i], value);
        for (int k = 0; k < SP_CONTACT_VALUES; k++) {
            const sp_column_set *s = &w->set[SP_DATA_G_N + k];
            if (s->block && s->number == SP_DOUBLE) {
                ((double *)(void *)s->block)[row + (size_t)i] = value[k];
            }
        }
        w->set[SP_DATA_STATE].block[row + (size_t)i] = contact[i].state;
    }
}

/* Put places of the contacts and forces in them; axes: 2 in the plane, 3 in space. */
static void put_places(sp_result_writer *w, int n_slot, int axes, const sp_contact_record *contact)
{
    const size_t row = w->n_waiting * (size_t)n_slot * (size_t)axes;
    float *point = (float *)(void *)w->set[SP_DATA_POINT].block + row;
    float *force = (float *)(void *)w->set[SP_DATA_FORCE].block + row;
    for (int i = 0; i < n_slot; i++) {
        for (int k = 0; k < axes; k++) {
            *point++ = (float)contact[i].point[k];
            *force++ = (float)contact[i].force[k];
        }
    }
}

/* Put a frame into the block. */
static void put_frame(sp_result_writer *w, const sp_model *m, const sp_step_record *r)
{
    double scalar[SP_SCALAR_VALUES];
    put_scalar(w, SP_DATA_TIME, r->t);
    put_row(w, SP_DATA_Q, r->q);
    put_row(w, SP_DATA_U, r->u);
    put_row(w, SP_DATA_POSE, r->pose);
    put_row(w, SP_DATA_VELOCITY, r->velocity);
    put_contacts(w, m->n_slot, r->contact);
    put_places(w, m->n_slot, m->dim == 3 ? 3 : 2, r->contact);
    put_row(w, SP_DATA_LINES, r->line);
    sp_scalar_values(r, scalar);
    for (int k = 0; k < SP_SCALAR_VALUES; k++) {
        put_scalar(w, SP_DATA_KINETIC + k, scalar[k]);
    }
    for (int k = 0; k < m->n_output; k++) {
        put_scalar(w, SP_DATA_FIXED + k, r->output[k]);
    }
    w->n_waiting++;
    w->dirty = true;
}

/* Put an event into its block, which may be full. */
static sp_status put_event(sp_result_writer *w, const sp_event *e, sp_error *err)
{
    if (w->n_event_waiting == SP_EVENT_ROWS) {
        SP_TRY(write_waiting(w, err));
    }
    w->event[w->n_event_waiting++] = *e;
    w->dirty = true;
    return SP_OK;
}

/* Write or flush as the block and the clock ask for. */
static sp_status settle(sp_result_writer *w, sp_error *err)
{
    const bool first = w->temporary != NULL && w->n_waiting > 0;
    const bool full = w->n_waiting == w->capacity;
    if (!first && !full && !(w->dirty && flush_is_due(w))) {
        return SP_OK;
    }
    sp_h5_quiet quiet;
    sp_h5_quiet_begin(&quiet);
    const sp_status status = first             ? publish(w, err)
                             : flush_is_due(w) ? flush(w, err)
                                               : write_waiting(w, err);
    sp_h5_quiet_end(&quiet);
    return status;
}

sp_status sp_result_flush(sp_result_writer *w, sp_error *err)
{
    sp_h5_quiet quiet;
    sp_h5_quiet_begin(&quiet);
    const sp_status status = w->temporary ? publish(w, err) : flush(w, err);
    sp_h5_quiet_end(&quiet);
    return status;
}

/* sp_observer: one step. */
static sp_status observe(void *ctx, const sp_model *m, const sp_step_record *r, sp_error *err)
{
    sp_result_writer *w = ctx;
    w->step = r->step;
    w->t = r->t;
    for (int k = 0; k < r->n_event; k++) {
        SP_TRY(put_event(w, &r->event[k], err));
    }
    if (r->sampled) {
        put_frame(w, m, r);
    }
    return settle(w, err);
}

sp_observer sp_result_observer(sp_result_writer *writer)
{
    return (sp_observer){.step = observe, .ctx = writer};
}

size_t sp_result_flushed_frames(const sp_result_writer *writer)
{
    return writer->n_flushed;
}

/* ---- end ----------------------------------------------------------------------------------- */

/* How the run ended, in the words of the file. */
static void status_text(sp_status ended, const char *message, bool doubtful, char *text)
{
    if (ended == SP_OK) {
        snprintf(text, SP_RESULT_STATUS_BYTES, "%s", doubtful ? "doubtful" : "clean");
    } else if (ended == SP_E_INTERRUPTED) {
        snprintf(text, SP_RESULT_STATUS_BYTES, "interrupted");
    } else {
        snprintf(text, SP_RESULT_STATUS_BYTES, "failed: %s",
                 message ? message : sp_status_text(ended));
    }
}

/* All doubts, a line each: "uncertified 3 times (first at ...". */
static void doubts_text(const sp_doubt *doubt, char text[SP_RESULT_DOUBTS_BYTES])
{
    size_t n = 0;
    for (int k = 0; doubt && k < SP_DOUBT_N; k++) {
        char line[256];
        if (doubt[k].n > 0) {
            sp_doubt_text((sp_doubt_kind)k, &doubt[k], line, sizeof line);
            n += (size_t)snprintf(text + n, SP_RESULT_DOUBTS_BYTES - n, "%s%s %s",
                                  n > 0 ? "\n" : "", sp_doubt_name((sp_doubt_kind)k), line);
        }
    }
}

/* Overwrite an attribute that is a text with room for so many bytes. */
static bool put_text(const sp_result_writer *w, const char *key, const char *text, size_t bytes)
{
    const hid_t type = sp_writer_text_type(bytes);
    const hid_t attribute = H5Aopen(w->file, key, H5P_DEFAULT);
    const bool ok = attribute >= 0 && H5Awrite(attribute, type, text) >= 0;
    H5Aclose(attribute);
    H5Tclose(type);
    return ok;
}

/* Overwrite the attributes that say how it ended. */
static bool put_end(const sp_result_writer *w, sp_status ended, const char *message,
                    const sp_doubt *doubt)
{
    char status[SP_RESULT_STATUS_BYTES] = {0}, doubts[SP_RESULT_DOUBTS_BYTES] = {0};
    doubts_text(doubt, doubts);
    status_text(ended, message, doubts[0] != '\0', status);
    bool ok = put_text(w, "status", status, sizeof status) &&
              put_text(w, "doubts", doubts, sizeof doubts);
    const hid_t steps = H5Aopen(w->file, "steps", H5P_DEFAULT);
    const long long n = w->step;
    ok = steps >= 0 && H5Awrite(steps, H5T_NATIVE_LLONG, &n) >= 0 && ok;
    H5Aclose(steps);
    return ok;
}

double *sp_result_measures(sp_result_writer *writer)
{
    return writer->measure;
}

/* The values of the measures. */
static bool put_measures(const sp_result_writer *w)
{
    return w->measures <= 0 ||
           H5Dwrite(w->measures, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, w->measure) >= 0;
}

/* The steps of sp_result_close between its quiet begin and end. */
static sp_status close_all(sp_result_writer *w, sp_status ended, const char *message,
                           const sp_doubt *doubt, sp_error *err)
{
    if (w->temporary) {
        sp_writer_drop(w);
        return w->disk.error == 0 ? SP_OK : sp_writer_fail(w, "write", err);
    }
    sp_status status = w->disk.error == 0 ? flush(w, err) : sp_writer_fail(w, "write", err);
    if (status == SP_OK && !(put_measures(w) && put_end(w, ended, message, doubt))) {
        status = sp_writer_fail(w, "write", err);
    }
    const bool closed = H5Fclose(w->file) >= 0;
    if (status == SP_OK && (!closed || w->disk.error != 0)) {
        status = sp_writer_fail(w, "close it", err);
    }
    if (w->disk.error != 0) { /* what reached the disk is kept; if it can be, for every program */
        char text[SP_RESULT_STATUS_BYTES];
        snprintf(text, sizeof text, "failed: %s", strerror(w->disk.error));
        (void)sp_result_mend(w->path, text, NULL);
    }
    return status;
}

sp_status sp_result_close(sp_result_writer *writer, sp_status ended, const char *message,
                          const sp_doubt *doubt, sp_error *err)
{
    if (!writer) {
        return SP_OK;
    }
    sp_h5_quiet quiet;
    sp_h5_quiet_begin(&quiet);
    const sp_status status = close_all(writer, ended, message, doubt, err);
    sp_writer_free(writer);
    sp_h5_quiet_end(&quiet);
    return status;
}
