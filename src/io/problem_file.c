#define _POSIX_C_SOURCE 200809L
#include "io/problem_file.h"

#include "io/problem_hdf5.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FIRST_BYTES = 1 << 16 };

sp_status sp_problem_place(sp_error *err, sp_status status, const char *name, long line)
{
    if (err && name) {
        snprintf(err->file, sizeof err->file, "%s", name);
        err->line = line > INT_MAX ? INT_MAX : (int)line;
        err->column = line > 0 ? 1 : 0;
    }
    return status;
}

sp_status sp_entries_room(sp_entries *e, size_t count, const char *name, sp_arena *arena,
                          sp_error *err)
{
    e->count = count;
    e->row = SP_NEW(arena, int, count);
    e->column = SP_NEW(arena, int, count);
    e->value = SP_NEW(arena, double, count);
    if (!e->row || !e->column || !e->value) {
        const sp_status status = SP_FAIL(err, SP_E_MEMORY, "out of memory for %zu entries", count);
        return sp_problem_place(err, status, name, 0);
    }
    return SP_OK;
}

/* ---- files --------------------------------------------------------------------------------- */

/* Read a stream to its end into a block of malloc with a zero behind it; NULL: no memory or a read
 * error, as errno says. */
static char *read_stream(FILE *stream, size_t *n)
{
    size_t room = FIRST_BYTES;
    char *bytes = malloc(room);
    *n = 0;
    errno = bytes ? 0 : ENOMEM;
    while (bytes) {
        *n += fread(bytes + *n, 1, room - 1 - *n, stream);
        if (*n < room - 1) {
            break;
        }
        char *larger = room < SIZE_MAX / 2 ? realloc(bytes, 2 * room) : NULL;
        if (!larger) {
            free(bytes);
            errno = ENOMEM;
            return NULL;
        }
        bytes = larger;
        room *= 2;
    }
    if (bytes && ferror(stream)) {
        free(bytes);
        return NULL;
    }
    if (bytes) {
        bytes[*n] = '\0';
    }
    return bytes;
}

/* A file that could not be read. */
static sp_status unreadable(const char *path, int why, sp_error *err)
{
    const sp_status status = SP_FAIL(err, why == ENOMEM ? SP_E_MEMORY : SP_E_IO,
                                     "cannot be read: %s", why ? strerror(why) : "read error");
    return sp_problem_place(err, status, path, 0);
}

sp_status sp_problem_read(const char *path, sp_arena *arena, sp_problem_file *p, sp_error *err)
{
    struct stat info;
    size_t n;
    if (stat(path, &info) != 0) {
        return unreadable(path, errno, err);
    }
    if (S_ISDIR(info.st_mode)) {
        return unreadable(path, EISDIR, err);
    }
    FILE *stream = fopen(path, "rb");
    if (!stream) {
        return unreadable(path, errno, err);
    }
    char *bytes = read_stream(stream, &n);
    const int why = errno;
    fclose(stream);
    if (!bytes) {
        return unreadable(path, why, err);
    }
    const sp_status status = sp_problem_read_bytes(path, bytes, n, arena, p, err);
    free(bytes);
    return status;
}

sp_status sp_problem_read_bytes(const char *name, const char *bytes, size_t n, sp_arena *arena,
                                sp_problem_file *p, sp_error *err)
{
    memset(p, 0, sizeof *p);
    return sp_hdf_is(bytes, n) ? sp_problem_read_fclib(name, bytes, n, arena, p, err)
                               : sp_problem_read_text(name, bytes, n, arena, p, err);
}

/* ---- for the solvers ----------------------------------------------------------------------- */

/* Sets and rows: contacts with friction, then bilateral rows. */
static sp_status pose_sets(const sp_problem_file *p, sp_arena *arena, sp_fc *fc, sp_error *err)
{
    const int n = p->n_contact + p->n_free;
    sp_set *set = SP_NEW(arena, sp_set, n);
    int *row = SP_NEW(arena, int, n);
    if (!set || !row) {
        return SP_FAIL(err, SP_E_MEMORY, "out of memory for %d contacts", n);
    }
    for (int i = 0; i < p->n_contact; i++) {
        set[i] = p->dim == 3 ? sp_set_disc(p->mu[i]) : sp_set_planar(p->mu[i]);
    }
    for (int i = p->n_contact; i < n; i++) {
        set[i] = sp_set_free();
    }
    fc->n_contact = n;
    fc->set = set;
    fc->row = row;
    fc->n = sp_fc_rows(n, set, row);
    return SP_OK;
}

sp_status sp_problem_pose(const sp_problem_file *p, sp_arena *arena, sp_fc *fc, sp_error *err)
{
    memset(fc, 0, sizeof *fc);
    SP_TRY(pose_sets(p, arena, fc, err));
    if (p->format != SP_PROBLEM_GLOBAL) {
        fc->c = p->q;
        return sp_fc_from_entries(fc, p->W.count, p->W.row, p->W.column, p->W.value, arena, err);
    }
    const sp_fc_global g = {.n_dof = p->M.m,
                            .M_entries = p->M.count,
                            .H_entries = p->H.count,
                            .M_row = p->M.row,
                            .M_column = p->M.column,
                            .H_row = p->H.row,
                            .H_column = p->H.column,
                            .M_value = p->M.value,
                            .H_value = p->H.value,
                            .f = p->f,
                            .w = p->w};
    SP_TRY(sp_fc_from_global(fc, &g, arena, err));
    return sp_fc_form(fc, arena, err);
}
