/* studies/sets.c - datasets of results. */
#define _GNU_SOURCE
#include "studies/sets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A fixed-length text type. */
static hid_t text_type(size_t bytes)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, bytes > 0 ? bytes : 1);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

/* A new dataset without times; cols 0: one number a row. */
hid_t sp_sets_new(hid_t file, const char *path, hid_t type, uint64_t rows, uint64_t cols)
{
    const hsize_t dims[2] = {rows, cols};
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    const hid_t space = H5Screate_simple(cols > 0 ? 2 : 1, dims, NULL);
    H5Pset_obj_track_times(list, false);
    const hid_t data = H5Dcreate2(file, path, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    H5Sclose(space);
    H5Pclose(list);
    return data;
}

/* Rows first .. first + n - 1 of a dataset. */
bool sp_sets_put_rows(hid_t data, hid_t type, uint64_t first, uint64_t n, uint64_t cols,
                      const void *from)
{
    if (n == 0) {
        return true;
    }
    const hsize_t start[2] = {first, 0}, count[2] = {n, cols};
    const hid_t file = H5Dget_space(data), memory = H5Screate_simple(cols > 0 ? 2 : 1, count, NULL);
    H5Sselect_hyperslab(file, H5S_SELECT_SET, start, NULL, count, NULL);
    const bool ok = H5Dwrite(data, type, memory, file, H5P_DEFAULT, from) >= 0;
    H5Sclose(memory);
    H5Sclose(file);
    return ok;
}

/* One text as a dataset. */
bool sp_sets_put_text(hid_t file, const char *path, const char *text)
{
    const hid_t type = text_type(strlen(text) + 1), data = sp_sets_new(file, path, type, 1, 0);
    const bool ok = data >= 0 && H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0;
    H5Dclose(data);
    H5Tclose(type);
    return ok;
}

/* A list of texts, joined by lines. */
bool sp_sets_put_list(hid_t file, const char *path, int n, const char *const *text)
{
    char *joined = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&joined, &size);
    for (int k = 0; f && k < n; k++) {
        fprintf(f, "%s%s", k > 0 ? "\n" : "", text[k]);
    }
    const bool ok = f && fclose(f) == 0 && sp_sets_put_text(file, path, joined);
    free(joined);
    return ok;
}

/* One part, of which cells are numbers. */
static bool put_part(hid_t file, const sp_table_part *p, sp_arena *arena)
{
    char *path = sp_arena_printf(arena, "/parts/%s", p->name);
    char *of = sp_arena_printf(arena, "/parts/%s_columns", p->name);
    char *unit = sp_arena_printf(arena, "/parts/%s_units", p->name);
    char *row = sp_arena_printf(arena, "/parts/%s_rows", p->name);
    if (!path || !of || !unit || !row) {
        return false;
    }
    const hid_t data = sp_sets_new(file, path, H5T_IEEE_F64LE, p->n_row, (uint64_t)p->n_column);
    const bool ok =
        data >= 0 &&
        sp_sets_put_rows(data, H5T_NATIVE_DOUBLE, 0, p->n_row, (uint64_t)p->n_column, p->value) &&
        sp_sets_put_list(file, of, p->n_column, p->column) &&
        sp_sets_put_list(file, unit, p->n_column, p->unit) &&
        sp_sets_put_list(file, row, p->row ? (int)p->n_row : 0, p->row);
    H5Dclose(data);
    return ok;
}

bool sp_sets_put_parts(hid_t file, int n, const sp_table_part *part)
{
    sp_arena arena;
    sp_arena_init(&arena, NULL, 0);
    const char **name = SP_NEW(&arena, const char *, n + 1);
    const hid_t group = H5Gcreate2(file, "/parts", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool ok = name && group >= 0;
    H5Gclose(group);
    for (int k = 0; ok && k < n; k++) {
        name[k] = part[k].name;
        ok = put_part(file, &part[k], &arena);
    }
    ok = ok && sp_sets_put_list(file, "/parts/names", n, name);
    sp_arena_free(&arena);
    return ok;
}
