/* studies/table_read.c - the result file of a study into memory. */
#define _GNU_SOURCE
#include "studies/table.h"

#include "base/status.h"
#include "io/result_h5.h"

#include <hdf5.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const status_word[SP_POINT_N] = {"clean",   "doubtful", "unsettled", "failed",
                                                    "invalid", "limit",    "crashed"};

typedef struct reader {
    sp_table table;
    sp_arena arena;
    hid_t file;
    const char *path;
} reader;

/* A whole dataset; *n: how many numbers, or bytes of a text.  NULL: it cannot be read, is of
 * another kind, or says to hold more than its file does. */
static void *get_set(reader *r, const char *path, hid_t type, size_t each, uint64_t *n)
{
    const hid_t data = H5Dopen2(r->file, path, H5P_DEFAULT);
    if (data < 0) {
        return NULL;
    }
    const hid_t space = H5Dget_space(data), own = H5Dget_type(data);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    const bool text = type < 0;
    const bool fits =
        text ? count == 1 && H5Tget_class(own) == H5T_STRING && H5Tis_variable_str(own) == 0
             : count >= 0 && H5Tget_class(own) == H5Tget_class(type) && H5Tget_size(own) == each;
    hsize_t bytes = 0;
    *n = text ? (uint64_t)H5Tget_size(own) : (uint64_t)(count > 0 ? count : 0);
    unsigned char *to = fits && H5Fget_filesize(r->file, &bytes) >= 0 && *n <= bytes / each
                            ? sp_arena_alloc(&r->arena, (size_t)*n + 1, each)
                            : NULL;
    const bool ok = to && (count == 0 || H5Dread(data, text ? own : type, H5S_ALL, H5S_ALL,
                                                 H5P_DEFAULT, to) >= 0);
    H5Tclose(own);
    H5Sclose(space);
    H5Dclose(data);
    return ok ? to : NULL;
}

static const char *get_text(reader *r, const char *path)
{
    uint64_t n;
    return get_set(r, path, -1, 1, &n);
}

/* The lines of a text; *n of them. */
static char **get_lines(reader *r, const char *path, int *n)
{
    char *text = (char *)(uintptr_t)get_text(r, path);
    int most = 1;
    for (const char *c = text; c && *c; c++) {
        most += *c == '\n';
    }
    char **line = text ? SP_NEW(&r->arena, char *, most) : NULL;
    *n = 0;
    for (char *at = text; line && at && *at;) {
        char *end = strchr(at, '\n');
        if (end) {
            *end = '\0';
        }
        line[(*n)++] = at;
        at = end ? end + 1 : NULL;
    }
    return line;
}

/* Messages: "point<tab>text". */
static bool get_messages(reader *r)
{
    int n;
    char **line = get_lines(r, "/texts/messages", &n);
    uint64_t *point = SP_NEW(&r->arena, uint64_t, n + 1);
    for (int k = 0; line && point && k < n; k++) {
        char *tab = strchr(line[k], '\t');
        point[k] = strtoull(line[k], NULL, 10);
        line[k] = tab ? tab + 1 : line[k];
    }
    r->table.n_message = (uint64_t)n;
    r->table.message_point = point;
    r->table.message = (const char *const *)line;
    return line && point;
}

/* A list of n texts; NULL: it is not there, or another one. */
static const char *const *get_list(reader *r, const char *of, const char *what, int n)
{
    int found;
    char *path = sp_arena_printf(&r->arena, "/parts/%s%s", of, what);
    char **line = path ? get_lines(r, path, &found) : NULL;
    return line && found == n ? (const char *const *)line : NULL;
}

/* One part; false: it is not whole. */
static bool get_part(reader *r, sp_table_part *p)
{
    uint64_t n;
    int columns;
    char *path = sp_arena_printf(&r->arena, "/parts/%s", p->name);
    char *of = sp_arena_printf(&r->arena, "/parts/%s_columns", p->name);
    p->value = path ? get_set(r, path, H5T_NATIVE_DOUBLE, 8, &n) : NULL;
    p->column = of ? (const char *const *)get_lines(r, of, &columns) : NULL;
    if (!p->value || !p->column || columns < 1 || n % (uint64_t)columns != 0) {
        return false;
    }
    p->n_column = columns;
    p->n_row = n / (uint64_t)columns;
    p->unit = get_list(r, p->name, "_units", columns);
    p->row = p->n_row < INT_MAX ? get_list(r, p->name, "_rows", (int)p->n_row) : NULL;
    return p->unit != NULL;
}

/* What was concluded from all points. */
static bool get_parts(reader *r)
{
    int n;
    char **name = get_lines(r, "/parts/names", &n);
    sp_table_part *part = name ? SP_NEW(&r->arena, sp_table_part, n + 1) : NULL;
    r->table.part = part;
    for (int k = 0; part && k < n; k++) {
        part[k].name = name[k];
        if (!get_part(r, &part[k])) {
            return false;
        }
        r->table.n_part++;
    }
    return part != NULL;
}

/* The command that repeats a point. */
static bool get_command(reader *r)
{
    int n;
    sp_table *t = &r->table;
    unsigned long long stride;
    char **line = get_lines(r, "/texts/command", &n);
    sp_table_word *word = SP_NEW(&r->arena, sp_table_word, n > 0 ? n : 1);
    int chained;
    if (!line || !word || n < 2 ||
        sscanf(line[1], "%d %d %llu %lld", &chained, &t->repeat, &stride, &t->seed) != 4 ||
        stride == 0 || t->repeat < 1) {
        return false;
    }
    t->command = line[0];
    t->chained = chained != 0;
    t->stride = stride;
    t->word = word;
    for (int k = 2; k < n; k++) {
        int at = 0;
        if (sscanf(line[k], "%d %d %n", &word[k - 2].parameter, &word[k - 2].value, &at) < 2 ||
            at == 0) {
            return false;
        }
        word[k - 2].text = line[k] + at;
        t->n_word++;
    }
    return true;
}

/* Tables that points left behind, while their group is walked through. */
typedef struct walk {
    reader *r;
    const char *group;
    uint64_t point;
    int room;
    bool ok;
} walk;

/* One table, "/orbits/7/multipliers". */
static herr_t get_left(hid_t id, const char *name, const H5L_info_t *info, void *ctx)
{
    walk *w = ctx;
    sp_table *t = &w->r->table;
    uint64_t n;
    (void)id;
    (void)info;
    if (t->n_left == w->room) {
        const int room = 2 * w->room + 64;
        sp_table_left *larger = SP_NEW(&w->r->arena, sp_table_left, room);
        if (!larger) {
            w->ok = false;
            return -1;
        }
        if (t->n_left > 0) {
            memcpy(larger, t->left, (size_t)t->n_left * sizeof *larger);
        }
        t->left = larger;
        w->room = room;
    }
    char *path =
        sp_arena_printf(&w->r->arena, "%s/%llu/%s", w->group, (unsigned long long)w->point, name);
    sp_table_left left = {.point = w->point, .name = sp_arena_copy(&w->r->arena, name)};
    left.value = path && left.name ? get_set(w->r, path, H5T_NATIVE_DOUBLE, 8, &n) : NULL;
    w->ok = left.value != NULL;
    if (w->ok) {
        hsize_t dims[2] = {0, 1};
        const hid_t data = H5Dopen2(w->r->file, path, H5P_DEFAULT), space = H5Dget_space(data);
        if (H5Sget_simple_extent_ndims(space) <= 2) {
            H5Sget_simple_extent_dims(space, dims, NULL);
        }
        H5Sclose(space);
        H5Dclose(data);
        left.n_row = dims[0];
        left.n_column = dims[1];
        w->ok = n == left.n_row * left.n_column;
        ((sp_table_left *)(uintptr_t)t->left)[t->n_left++] = left;
    }
    return w->ok ? 0 : -1;
}

/* What all points left in the group of their kind. */
static bool get_all_left(reader *r)
{
    static const char *const group[] = {"/orbits", "/branches"};
    for (int k = 0; k < 2; k++) {
        walk w = {.r = r, .group = group[k], .ok = true};
        if (H5Lexists(r->file, group[k], H5P_DEFAULT) <= 0) {
            continue;
        }
        for (w.point = 0; w.ok && w.point < r->table.n_point; w.point++) {
            char path[80];
            snprintf(path, sizeof path, "%s/%llu", group[k], (unsigned long long)w.point);
            if (H5Lexists(r->file, path, H5P_DEFAULT) > 0) {
                const hid_t id = H5Gopen2(r->file, path, H5P_DEFAULT);
                H5Literate(id, H5_INDEX_NAME, H5_ITER_INC, NULL, get_left, &w);
                H5Gclose(id);
            }
        }
        if (!w.ok) {
            return false;
        }
    }
    return true;
}

/* ---- what figures count on ------------------------------------------------------------------- */

enum { ORBIT_COLUMNS = 8 }; /* of "orbits" before the measures, see specht/study.h */

/* Whether the first column holds numbers from 0 to below most. */
static bool counts_below(const sp_table_part *p, double most)
{
    for (uint64_t i = 0; i < p->n_row; i++) {
        const double number = p->value[i * (uint64_t)p->n_column];
        if (!(number >= 0.0 && number < most)) {
            return false;
        }
    }
    return true;
}

/* Whether a part that figures know by its name has the columns that they draw. */
static bool is_part_sound(const sp_table *t, const sp_table_part *p)
{
    if (strcmp(p->name, "attractors") == 0) {
        return p->n_column > 3 && counts_below(p, INT_MAX);
    }
    if (strcmp(p->name, "spectrum") == 0) {
        return p->n_column > 2 && counts_below(p, (double)t->n_point);
    }
    if (strncmp(p->name, "sensitivity_", 12) == 0) {
        const bool errors = strcmp(p->column[0], "first_order") == 0;
        return p->row && p->n_column > (errors ? 3 : 1);
    }
    return true;
}

static bool is_left_sound(const sp_table *t, const sp_table_left *p)
{
    if (strcmp(p->name, "orbits") == 0) {
        return p->n_column >= ORBIT_COLUMNS &&
               p->n_column - ORBIT_COLUMNS <= (uint64_t)t->n_measure;
    }
    return p->n_column > 1 || strcmp(p->name, "multipliers") != 0;
}

static bool is_sound(const sp_table *t)
{
    bool sound = t->n_measure > 0 || strcmp(t->kind, "basin") != 0;
    for (int k = 0; k < t->n_part; k++) {
        sound = sound && is_part_sound(t, &t->part[k]);
    }
    for (int k = 0; k < t->n_left; k++) {
        sound = sound && is_left_sound(t, &t->left[k]);
    }
    return sound;
}

/* Everything; false: it is no result of a study. */
static bool get_all(reader *r)
{
    sp_table *t = &r->table;
    uint64_t n, n_value[5];
    int n_name, n_unit;
    t->kind = get_text(r, "/texts/kind");
    t->study_text = get_text(r, "/texts/study");
    t->model_text = get_text(r, "/texts/model");
    t->version = get_text(r, "/texts/version");
    t->optimum = get_text(r, "/texts/optimum");
    t->story = get_text(r, "/texts/story");
    t->along = get_text(r, "/texts/along");
    t->name = (const char *const *)get_lines(r, "/names", &n_name);
    t->unit = (const char *const *)get_lines(r, "/units", &n_unit);
    t->status = get_set(r, "/points/status", H5T_NATIVE_UCHAR, 1, &n);
    t->status_word = status_word;
    t->parameter = get_set(r, "/points/parameters", H5T_NATIVE_DOUBLE, 8, &n_value[0]);
    t->measure = get_set(r, "/points/measures", H5T_NATIVE_DOUBLE, 8, &n_value[1]);
    t->offset = get_set(r, "/samples/offset", H5T_NATIVE_UINT64, 8, &n_value[2]);
    t->t = get_set(r, "/samples/t", H5T_NATIVE_DOUBLE, 8, &n_value[3]);
    t->sample = get_set(r, "/samples/value", H5T_NATIVE_DOUBLE, 8, &n_value[4]);
    if (!t->kind || !t->study_text || !t->model_text || !t->version || !t->optimum || !t->story ||
        !t->along || !t->name || !t->unit || !t->status || !t->parameter || !t->measure ||
        !t->offset || !t->t || !t->sample || n == 0 || n_value[2] != n + 1 || n_name != n_unit) {
        return false;
    }
    t->n_point = n;
    t->n_parameter = (int)(n_value[0] / n);
    t->n_measure = (int)(n_value[1] / n);
    t->n_keep = n_name - t->n_parameter - t->n_measure;
    const bool whole = t->offset[n] == n_value[3];
    for (uint64_t i = 0; whole && i < n; i++) {
        if (t->offset[i] > t->offset[i + 1] || t->status[i] >= SP_POINT_N) {
            return false;
        }
    }
    return whole && t->n_keep >= 0 && n_value[4] == n_value[3] * (uint64_t)t->n_keep &&
           get_messages(r) && get_parts(r) && get_command(r) && get_all_left(r) && is_sound(t);
}

sp_status sp_table_open(const char *path, const sp_table **table, sp_error *err)
{
    sp_h5_quiet quiet;
    reader *r = calloc(1, sizeof *r);
    *table = NULL;
    if (!r) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory");
    }
    sp_arena_init(&r->arena, NULL, 0);
    sp_h5_quiet_begin(&quiet);
    r->file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    const bool study = r->file >= 0 && H5Lexists(r->file, "/texts", H5P_DEFAULT) > 0 &&
                       H5Lexists(r->file, "/texts/kind", H5P_DEFAULT) > 0;
    const bool ok = study && get_all(r);
    if (r->file >= 0) {
        H5Fclose(r->file);
    }
    sp_h5_quiet_end(&quiet);
    if (!ok) {
        sp_arena_free(&r->arena);
        free(r);
        return study ? SP_FAIL(err, SP_E_IO,
                               "'%.300s': the result of a study, but damaged; run the study again "
                               "with --fresh",
                               path)
                     : SP_FAIL(err, SP_E_INPUT, "'%.300s' is no result of a study", path);
    }
    *table = &r->table;
    return SP_OK;
}

void sp_table_free(const sp_table *table)
{
    reader *r = (reader *)(uintptr_t)table; /* its first member */
    if (r) {
        sp_arena_free(&r->arena);
        free(r);
    }
}

bool sp_table_is_of(const sp_study *s, const char *path)
{
    sp_h5_quiet quiet;
    reader r = {.path = path};
    bool same = false;
    sp_arena_init(&r.arena, NULL, 0);
    sp_h5_quiet_begin(&quiet);
    r.file = access(path, R_OK) == 0 ? H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT) : -1;
    if (r.file >= 0) {
        const char *about = get_text(&r, "/texts/about");
        same = about && strcmp(about, s->about) == 0;
        H5Fclose(r.file);
    }
    sp_h5_quiet_end(&quiet);
    sp_arena_free(&r.arena);
    return same;
}
