/* A contact problem as an FCLIB local one:  u = W r + V l + q,  V' r + R l + s = 0.   [FCLIB] */
#include "io/problem_rows.h"
#include "io/result_h5.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* What is being written. */
typedef struct writer {
    sp_problem_rows rows;
    const double *r; /* rows of the problem: its solution, NULL: none */
    sp_arena *arena;
} writer;

/* ---- parts --------------------------------------------------------------------------------- */

/* Write numbers under a name; negative: failed. */
static herr_t put(hid_t group, const char *name, hid_t type, hsize_t count, const void *data)
{
    const hid_t space = H5Screate_simple(1, &count, NULL);
    const hid_t set = H5Dcreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    herr_t done = set < 0 ? -1 : 0;
    if (set >= 0 && count > 0) {
        done = H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
    }
    if (set >= 0) {
        H5Dclose(set);
    }
    H5Sclose(space);
    return done;
}

/* Write the part of the matrix with rows from `row` and columns from `column` on as triplets. */
static herr_t put_matrix(hid_t parent, const char *name, const sp_entries *e, int row, int m,
                         int column, int n, const sp_entries *scratch)
{
    int count = 0;
    for (size_t k = 0; k < e->count; k++) {
        const int i = e->row[k] - row, j = e->column[k] - column;
        if (i >= 0 && i < m && j >= 0 && j < n) {
            scratch->row[count] = i;
            scratch->column[count] = j;
            scratch->value[count++] = e->value[k];
        }
    }
    const hid_t group = H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    herr_t done = group < 0 ? -1 : 0;
    if (group >= 0) {
        done |= put(group, "m", H5T_NATIVE_INT, 1, &m);
        done |= put(group, "n", H5T_NATIVE_INT, 1, &n);
        done |= put(group, "nz", H5T_NATIVE_INT, 1, &count);
        done |= put(group, "nzmax", H5T_NATIVE_INT, 1, &count);
        done |= put(group, "i", H5T_NATIVE_INT, (hsize_t)count, scratch->row);
        done |= put(group, "p", H5T_NATIVE_INT, (hsize_t)count, scratch->column);
        done |= put(group, "x", H5T_NATIVE_DOUBLE, (hsize_t)count, scratch->value);
        H5Gclose(group);
    }
    return done;
}

/* ---- the whole ----------------------------------------------------------------------------- */

/* Write q, s, mu. */
static herr_t put_vectors(const writer *w, hid_t parent)
{
    const int rows = w->rows.dim * w->rows.n_contact;
    const double *q = sp_problem_rows_q(&w->rows, w->arena);
    const hid_t group =
        q ? H5Gcreate2(parent, "vectors", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) : -1;
    if (group < 0) {
        return -1;
    }
    herr_t done = put(group, "mu", H5T_NATIVE_DOUBLE, (hsize_t)w->rows.n_contact, w->rows.mu);
    done |= put(group, "q", H5T_NATIVE_DOUBLE, (hsize_t)rows, q);
    if (w->rows.n_free > 0) {
        done |= put(group, "s", H5T_NATIVE_DOUBLE, (hsize_t)w->rows.n_free, q + rows);
    }
    H5Gclose(group);
    return done;
}

/* Write a text of fixed length. */
static herr_t put_text(hid_t group, const char *name, const char *text)
{
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, strlen(text) + 1);
    const hid_t set = H5Dcreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const herr_t done = set < 0 ? -1 : H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text);
    if (set >= 0) {
        H5Dclose(set);
    }
    H5Sclose(space);
    H5Tclose(type);
    return done;
}

/* Write the solution, r and the bilateral reactions l. */
static herr_t put_solution(const writer *w, hid_t file)
{
    const int rows = w->rows.dim * w->rows.n_contact;
    const double *r = sp_problem_rows_r(&w->rows, w->r, w->arena);
    const double *u = sp_problem_rows_u(&w->rows, w->r, w->arena);
    const hid_t group =
        r && u ? H5Gcreate2(file, "solution", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) : -1;
    if (group < 0) {
        return -1;
    }
    herr_t done = put(group, "r", H5T_NATIVE_DOUBLE, (hsize_t)rows, r);
    done |= put(group, "u", H5T_NATIVE_DOUBLE, (hsize_t)rows, u);
    if (w->rows.n_free > 0) {
        done |= put(group, "l", H5T_NATIVE_DOUBLE, (hsize_t)w->rows.n_free, r + rows);
    }
    H5Gclose(group);
    return done;
}

/* Write everything into an open file. */
static herr_t put_all(const writer *w, hid_t file, const sp_entries *e, const sp_entries *scratch,
                      const char *title)
{
    const int rows = w->rows.dim * w->rows.n_contact, n_free = w->rows.n_free;
    const hid_t group = H5Gcreate2(file, "fclib_local", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t info = H5Gcreate2(group, "info", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (group < 0 || info < 0) {
        return -1;
    }
    herr_t done = put(group, "spacedim", H5T_NATIVE_INT, 1, &w->rows.dim);
    done |= put_matrix(group, "W", e, 0, rows, 0, rows, scratch);
    if (n_free > 0) {
        done |= put_matrix(group, "V", e, 0, rows, rows, n_free, scratch);
        done |= put_matrix(group, "R", e, rows, n_free, rows, n_free, scratch);
    }
    done |= put_vectors(w, group);
    done |= put_text(info, "title", title);
    done |= put_text(info, "description", "written by specht");
    H5Gclose(info);
    H5Gclose(group);
    return w->r ? done | put_solution(w, file) : done;
}

/* Write a file under a name of its own that becomes the right one when all is there. */
static sp_status write_file(const char *path, const writer *w, const sp_entries *e,
                            const sp_entries *scratch, const char *title, sp_error *err)
{
    char why[200] = "", *part = sp_arena_printf(w->arena, "%s.part", path);
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    const hid_t file = part ? H5Fcreate(part, H5F_ACC_TRUNC, H5P_DEFAULT, access) : -1;
    H5Pclose(access);
    herr_t done = file < 0 ? -1 : put_all(w, file, e, scratch, title);
    if (done < 0) {
        sp_h5_reason(why, sizeof why);
    }
    if (file >= 0 && H5Fclose(file) < 0 && done >= 0) {
        sp_h5_reason(why, sizeof why);
        done = -1;
    }
    if (done >= 0 && rename(part, path) != 0) {
        snprintf(why, sizeof why, "%s", strerror(errno));
        done = -1;
    }
    if (done < 0) {
        if (file >= 0) {
            remove(part);
        }
        const sp_status status = SP_FAIL(err, SP_E_IO, "cannot be written: %s", why);
        return sp_problem_place(err, status, path, 0);
    }
    return SP_OK;
}

/* As sp_problem_write, with memory. */
static sp_status write_problem(const char *path, const writer *w, const char *title, sp_error *err)
{
    sp_entries e, scratch;
    sp_h5_quiet quiet;
    SP_TRY(sp_problem_rows_entries(&w->rows, w->arena, &e, err));
    SP_TRY(sp_entries_room(&scratch, e.count, path, w->arena, err));
    sp_h5_quiet_begin(&quiet);
    const sp_status status = write_file(path, w, &e, &scratch, title, err);
    sp_h5_quiet_end(&quiet);
    return status;
}

sp_status sp_problem_write(const char *path, const sp_fc *p, const double *r, const char *title,
                           sp_error *err)
{
    sp_arena arena;
    sp_arena_init(&arena, NULL, 0);
    writer w = {.r = r, .arena = &arena};
    sp_status status = sp_problem_rows_find(p, &arena, &w.rows, err);
    if (status == SP_OK) {
        status = write_problem(path, &w, title ? title : "", err);
    }
    sp_arena_free(&arena);
    return status;
}
