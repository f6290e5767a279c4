#include "io/result_reader.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SCRATCH_BYTES = 64 << 20, /* most memory for a block of rows */
    BLOCK_BYTES = 4 << 20,    /* what a block of rows should take */
    BLOCK_ROWS = 4096
};

/* ---- channels ------------------------------------------------------------------------------ */

/* The dataset and the column of it in which a channel stands. */
typedef struct place {
    int set;
    size_t column;
} place;

/* Whether there is a channel of this number. */
static bool is_channel(const sp_result *r, int channel)
{
    return channel >= 0 && channel < r->first[SP_FIRST_END];
}

static place place_of(const sp_result *r, int channel)
{
    assert(is_channel(r, channel)); /* asked by the public functions */
    if (channel < r->first[SP_FIRST_Q]) {
        return (place){SP_DATA_TIME, 0};
    }
    if (channel < r->first[SP_FIRST_U]) {
        return (place){SP_DATA_Q, (size_t)(channel - r->first[SP_FIRST_Q])};
    }
    if (channel < r->first[SP_FIRST_BODY]) {
        return (place){SP_DATA_U, (size_t)(channel - r->first[SP_FIRST_U])};
    }
    if (channel < r->first[SP_FIRST_SLOT]) {
        const int k = channel - r->first[SP_FIRST_BODY];
        const sp_field *field = &r->field[k % r->n_field];
        const size_t body = 1 + (size_t)(k / r->n_field);
        return (place){field->set, body * r->set[field->set].columns + field->column};
    }
    if (channel < r->first[SP_FIRST_OUTPUT]) {
        const int k = channel - r->first[SP_FIRST_SLOT];
        return (place){SP_DATA_G_N + k % r->slot_fields, (size_t)(k / r->slot_fields)};
    }
    if (channel < r->first[SP_FIRST_LINE]) {
        return (place){SP_DATA_FIXED + channel - r->first[SP_FIRST_OUTPUT], 0};
    }
    if (channel < r->first[SP_FIRST_SCALAR]) {
        return (place){SP_DATA_LINES, (size_t)(channel - r->first[SP_FIRST_LINE])};
    }
    return (place){SP_DATA_KINETIC + channel - r->first[SP_FIRST_SCALAR], 0};
}

/* The quantity that stands in a column of poses or velocities. */
static const sp_field *field_at(const sp_result *r, place p)
{
    const size_t column = p.column % r->set[p.set].columns;
    const sp_field *f = r->field;
    while (f->set != p.set || f->column != column) {
        f++;
    }
    return f;
}

static const char *const line_column[SP_LINE_COLUMNS] = {"stored", "dampers", "applied"};

const char *sp_result_channel_name(const sp_result *result, int channel, char *name, size_t size)
{
    if (!is_channel(result, channel)) {
        snprintf(name, size, "%s", "");
        return NULL;
    }
    const place p = place_of(result, channel);
    if (p.set == SP_DATA_Q) {
        snprintf(name, size, "%s", sp_name_at(&result->q, p.column));
    } else if (p.set == SP_DATA_U) {
        snprintf(name, size, "%s", sp_name_at(&result->u, p.column));
    } else if (p.set == SP_DATA_POSE || p.set == SP_DATA_VELOCITY) {
        snprintf(name, size, "%s.%s",
                 sp_name_at(&result->body, p.column / result->set[p.set].columns),
                 field_at(result, p)->name);
    } else if (p.set >= SP_DATA_FIXED) {
        snprintf(name, size, "%s", sp_name_at(&result->output, (size_t)(p.set - SP_DATA_FIXED)));
    } else if (p.set == SP_DATA_LINES) {
        snprintf(name, size, "energy.%s.%s", sp_name_at(&result->line, p.column / SP_LINE_COLUMNS),
                 line_column[p.column % SP_LINE_COLUMNS]);
    } else if (p.set >= SP_DATA_G_N && p.set <= SP_DATA_LAMBDA_D) {
        snprintf(name, size, "%s.%s", sp_name_at(&result->slot, p.column),
                 sp_result_layout[p.set].channel);
    } else {
        snprintf(name, size, "%s", sp_result_layout[p.set].channel);
    }
    return sp_result_channel_unit(result, channel);
}

bool sp_result_contact_turns(const sp_result *result, int i)
{
    return i >= 0 && (size_t)i < result->slot_unit.n &&
           strcmp(sp_name_at(&result->slot_unit, (size_t)i), "rad") == 0;
}

const char *sp_result_channel_unit(const sp_result *result, int channel)
{
    if (!is_channel(result, channel)) {
        return NULL;
    }
    sp_result *r = (sp_result *)(uintptr_t)result; /* units of outputs are read when asked for */
    const place p = place_of(result, channel);
    if (p.set == SP_DATA_Q) {
        return sp_name_at(&r->q_unit, p.column);
    }
    if (p.set == SP_DATA_U) {
        return sp_name_at(&r->u_unit, p.column);
    }
    if (p.set == SP_DATA_POSE || p.set == SP_DATA_VELOCITY) {
        return field_at(r, p)->unit;
    }
    if (p.set == SP_DATA_LINES) {
        return "J";
    }
    if (p.set < SP_DATA_FIXED) {
        const char *unit = sp_result_layout[p.set].unit;
        const bool turns = sp_result_layout[p.set].row == SP_ROW_SLOT &&
                           sp_result_contact_turns(result, (int)p.column);
        return turns ? sp_layout_angular(unit) : unit;
    }
    const char **unit = &r->output_unit[p.set - SP_DATA_FIXED];
    if (!*unit) {
        sp_h5_quiet quiet;
        sp_h5_quiet_begin(&quiet);
        *unit = sp_reader_text(r, r->set[p.set].id, "unit");
        sp_h5_quiet_end(&quiet);
    }
    return *unit;
}

void sp_result_channel_label(sp_result *result, int channel, char *label, size_t size)
{
    const place p = place_of(result, channel);
    sp_result_channel_name(result, channel, label, size);
    if (p.set >= SP_DATA_FIXED) {
        sp_h5_quiet quiet;
        sp_h5_quiet_begin(&quiet);
        const char *text = sp_reader_text(result, result->set[p.set].id, "text");
        sp_h5_quiet_end(&quiet);
        if (text[0] != '\0') {
            snprintf(label, size, "%s", text);
        }
    }
}

/* Position of name in a list, compared over 'length' bytes; -1: not there. */
static int position(const sp_name_list *list, const char *name, size_t length)
{
    for (size_t i = 0; i < list->n; i++) {
        const char *other = sp_name_at(list, i);
        if (strncmp(other, name, length) == 0 && other[length] == '\0') {
            return (int)i;
        }
    }
    return -1;
}

/* Channel of an element and one of its fields, "slider" "x"; -1: none. */
static int find_field(const sp_result *r, const char *name, size_t length, const char *field)
{
    for (int f = 0; f < r->n_field; f++) {
        const int i = strcmp(field, r->field[f].name) == 0 ? position(&r->body, name, length) : -1;
        if (i > 0) {
            return r->first[SP_FIRST_BODY] + (i - 1) * r->n_field + f;
        }
    }
    for (int f = 0; f < r->slot_fields; f++) {
        const bool same = strcmp(field, sp_result_layout[SP_DATA_G_N + f].channel) == 0;
        const int i = same ? position(&r->slot, name, length) : -1;
        if (i >= 0) {
            return r->first[SP_FIRST_SLOT] + i * r->slot_fields + f;
        }
    }
    return -1;
}

/* Number of the channel "energy.spring.stored" among those of elements, -1: none. */
static int find_line(const sp_result *r, const char *name)
{
    static const char before[] = "energy.";
    const char *from = name + sizeof before - 1, *dot = strrchr(name, '.');
    if (strncmp(name, before, sizeof before - 1) != 0 || dot <= from) {
        return -1;
    }
    const int i = position(&r->line, from, (size_t)(dot - from));
    for (int k = 0; k < SP_LINE_COLUMNS && i >= 0; k++) {
        if (strcmp(dot + 1, line_column[k]) == 0) {
            return SP_LINE_COLUMNS * i + k;
        }
    }
    return -1;
}

/* Channel by name, -1: none. */
static int find_channel(const sp_result *r, const char *name)
{
    const size_t length = strlen(name);
    if (strcmp(name, "t") == 0) {
        return 0;
    }
    int i = position(&r->q, name, length);
    if (i >= 0) {
        return r->first[SP_FIRST_Q] + i;
    }
    i = position(&r->u, name, length);
    if (i >= 0) {
        return r->first[SP_FIRST_U] + i;
    }
    i = position(&r->output, name, length);
    if (i >= 0) {
        return r->first[SP_FIRST_OUTPUT] + i;
    }
    i = find_line(r, name);
    if (i >= 0) {
        return r->first[SP_FIRST_LINE] + i;
    }
    for (int k = SP_DATA_KINETIC; k < SP_DATA_FIXED; k++) {
        if (strcmp(name, sp_result_layout[k].channel) == 0) {
            return r->first[SP_FIRST_SCALAR] + k - SP_DATA_KINETIC;
        }
    }
    const char *dot = strrchr(name, '.');
    return dot ? find_field(r, name, (size_t)(dot - name), dot + 1) : -1;
}

enum { CANDIDATES = 20000, SUGGESTIONS = 3 };

/* Does channel end in ".word"? */
static bool ends_in(const char *channel, const char *word)
{
    const size_t n = strlen(channel), k = strlen(word);
    return n > k && channel[n - k - 1] == '.' && strcmp(channel + n - k, word) == 0;
}

/* Names like the one asked for, " (did you mean 'a', 'b'?)". */
static void suggest(const sp_result *r, const char *name, char *text, size_t size)
{
    sp_arena arena;
    sp_arena_init(&arena, NULL, 0);
    const int n = r->first[SP_FIRST_END] < CANDIDATES ? r->first[SP_FIRST_END] : CANDIDATES;
    const char **candidate = SP_NEW(&arena, const char *, n);
    const char *found[SUGGESTIONS];
    int n_found = 0, n_left = 0;
    for (int k = 0; candidate && k < n; k++) {
        char full[2 * SP_NAME_BYTES];
        sp_result_channel_name(r, k, full, sizeof full);
        const char *copy = sp_arena_copy(&arena, full);
        if (copy && ends_in(copy, name) && n_found < SUGGESTIONS) {
            found[n_found++] = copy;
        } else if (copy) {
            candidate[n_left++] = copy;
        }
    }
    while (candidate && n_found < SUGGESTIONS) {
        const char *next = sp_nearest(name, candidate, n_left);
        if (!next) {
            break;
        }
        found[n_found++] = next;
        for (int k = 0; k < n_left; k++) {
            if (candidate[k] == next) {
                candidate[k] = candidate[--n_left];
            }
        }
    }
    size_t used = 0;
    text[0] = '\0';
    for (int k = 0; k < n_found && used < size; k++) {
        used += (size_t)snprintf(text + used, size - used, "%s'%.60s'%s",
                                 k == 0 ? "; did you mean " : ", ", found[k],
                                 k == n_found - 1 ? "?" : "");
    }
    sp_arena_free(&arena);
}

/* The body of "cone.ex.z", an axis in the world that models can name but results do not hold;
 * NULL if the name is none. */
static const char *body_of_axis(const sp_result *result, const char *name)
{
    const size_t n = strlen(name), tail = strlen(".ex.z");
    if (n <= tail || name[n - 5] != '.' || name[n - 4] != 'e' || name[n - 2] != '.' ||
        !strchr("xyz", name[n - 3]) || !strchr("xyz", name[n - 1])) {
        return NULL;
    }
    for (int i = 0; i < result->info.n_body; i++) {
        const char *body = sp_result_body_name(result, i);
        if (strlen(body) == n - tail && strncmp(body, name, n - tail) == 0) {
            return body;
        }
    }
    return NULL;
}

sp_status sp_result_find(const sp_result *result, const char *name, int *channel, sp_error *err)
{
    char near_names[256];
    *channel = find_channel(result, name);
    if (*channel >= 0) {
        return SP_OK;
    }
    *channel = 0;
    const char *body = body_of_axis(result, name);
    if (body) {
        return SP_FAIL(err, SP_E_INPUT,
                       "result file '%.100s': axes of bodies are no channels: write 'outputs: "
                       "{axis: %.80s}' in the model and run it again, or take the quaternion %s.qw "
                       "to %s.qz (in the plane %s.phi)",
                       result->info.path, name, body, body, body);
    }
    suggest(result, name, near_names, sizeof near_names);
    return SP_FAIL(err, SP_E_INPUT, "result file '%.100s': no channel '%.80s'%s", result->info.path,
                   name, near_names);
}

/* ---- reading ------------------------------------------------------------------------------- */

/* Rows first .. first + n - 1 of columns c0 .. c1 of a set, as doubles; bodies are taken whole.
 * Returns the number of columns read. */
static size_t read_block(const sp_result *r, int k, size_t first, size_t n, size_t c0, size_t c1,
                         double *value, bool *ok)
{
    const sp_data_set *s = &r->set[k];
    const size_t unit = s->columns;
    const int rank = s->row == SP_ROW_SCALAR ? 1 : sp_row_has_columns(s->row) ? 3 : 2;
    const hsize_t start[3] = {first, c0 / unit, 0};
    const hsize_t count[3] = {n, c1 / unit - c0 / unit + 1, unit};
    if (s->id < 0) { /* an older file knows nothing of it: it was zero */
        memset(value, 0, n * (c1 - c0 + 1) * sizeof *value);
        *ok = true;
        return c1 - c0 + 1;
    }
    const hid_t file_space = H5Dget_space(s->id), space = H5Screate_simple(rank, count, NULL);
    *ok = H5Sselect_hyperslab(file_space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
          H5Dread(s->id, H5T_NATIVE_DOUBLE, space, file_space, H5P_DEFAULT, value) >= 0;
    H5Sclose(space);
    H5Sclose(file_space);
    return s->row == SP_ROW_SCALAR ? 1 : (size_t)count[1] * unit;
}

/* Channels grouped by the dataset they stand in. */
typedef struct grouping {
    int *head, *next; /* first channel of a set, the one after a channel; -1: none */
} grouping;

static bool group_channels(const sp_result *r, int n_channel, const int *channel, grouping *g)
{
    g->head = malloc((size_t)r->n_set * sizeof *g->head);
    g->next = malloc(((size_t)n_channel + 1) * sizeof *g->next);
    for (int k = 0; g->head && k < r->n_set; k++) {
        g->head[k] = -1;
    }
    for (int k = n_channel - 1; g->head && g->next && k >= 0; k--) {
        const int set = place_of(r, channel[k]).set;
        g->next[k] = g->head[set];
        g->head[set] = k;
    }
    return g->head && g->next;
}

/* Read all channels of one set: from the first to the last column at once, or one by one if they
 * are few and far between. */
static bool read_set(const sp_result *r, int set, const grouping *g, int n_channel,
                     const int *channel, size_t first, size_t n, double *value)
{
    size_t low = (size_t)-1, high = 0;
    for (int k = g->head[set]; k >= 0; k = g->next[k]) {
        const size_t c = place_of(r, channel[k]).column;
        low = c < low ? c : low;
        high = c > high ? c : high;
    }
    const size_t per_item = r->set[set].columns, more = 2 * per_item; /* at the ends of a stretch */
    const bool together = (high - low + more) <= SCRATCH_BYTES / 8 / n;
    double *scratch = malloc((together ? high - low + more : more) * n * sizeof *scratch);
    bool ok = scratch != NULL;
    size_t columns = 0;
    if (ok && together) {
        columns = read_block(r, set, first, n, low, high, scratch, &ok);
    }
    for (int k = g->head[set]; ok && k >= 0; k = g->next[k]) {
        const size_t c = place_of(r, channel[k]).column;
        if (!together) {
            columns = read_block(r, set, first, n, c, c, scratch, &ok);
        }
        const size_t from = (together ? low : c) / per_item * per_item;
        for (size_t i = 0; ok && i < n; i++) {
            value[i * (size_t)n_channel + (size_t)k] = scratch[i * columns + (c - from)];
        }
    }
    free(scratch);
    return ok;
}

sp_status sp_result_read(sp_result *result, int n_channel, const int *channel, size_t first,
                         size_t n, double *value, sp_error *err)
{
    for (int k = 0; k < n_channel; k++) {
        if (!is_channel(result, channel[k])) {
            return SP_FAIL(err, SP_E_INPUT, "channel %d, expected a number from 0 to %d",
                           channel[k], result->first[SP_FIRST_END] - 1);
        }
    }
    if (first > result->info.n_frame || n > result->info.n_frame - first) {
        return SP_FAIL(err, SP_E_INPUT, "result file '%s': frames %zu to %zu, there are %zu",
                       result->info.path, first, first + n, result->info.n_frame);
    }
    if (n == 0 || n_channel == 0) {
        return SP_OK;
    }
    sp_h5_quiet quiet;
    sp_h5_quiet_begin(&quiet);
    grouping g;
    sp_status status = SP_OK;
    if (!group_channels(result, n_channel, channel, &g)) {
        status = SP_FAIL(err, SP_E_MEMORY, "result file '%s': out of memory", result->info.path);
    }
    for (int k = 0; status == SP_OK && k < result->n_set; k++) {
        if (g.head[k] >= 0 && !read_set(result, k, &g, n_channel, channel, first, n, value)) {
            status = sp_reader_fail(result,
                                    k < SP_DATA_FIXED ? sp_result_layout[k].path : "/outputs", err);
        }
    }
    free(g.head);
    free(g.next);
    sp_h5_quiet_end(&quiet);
    return status;
}

/* ---- whole rows ---------------------------------------------------------------------------- */

int sp_result_n_set(const sp_result *result)
{
    return result->n_set;
}

size_t sp_result_width(const sp_result *result, int set)
{
    const sp_data_set *s = &result->set[set];
    return s->id >= 0 || s->row == SP_ROW_SCALAR ? s->width : 0;
}

size_t sp_result_columns(const sp_result *result, int set)
{
    return result->set[set].columns;
}

void sp_result_locate(const sp_result *result, int channel, int *set, size_t *column)
{
    const place p = place_of(result, channel);
    *set = p.set;
    *column = p.column;
}

sp_status sp_result_read_set(sp_result *result, int set, size_t first, size_t n, double *value,
                             sp_error *err)
{
    const size_t width = sp_result_width(result, set);
    bool ok = true;
    assert(first <= result->info.n_frame && n <= result->info.n_frame - first);
    if (n == 0 || width == 0) {
        return SP_OK;
    }
    sp_h5_quiet quiet;
    sp_h5_quiet_begin(&quiet);
    (void)read_block(result, set, first, n, 0, width - 1, value, &ok);
    const sp_status status =
        ok ? SP_OK
           : sp_reader_fail(result, set < SP_DATA_FIXED ? sp_result_layout[set].path : "/outputs",
                            err);
    sp_h5_quiet_end(&quiet);
    return status;
}

size_t sp_result_block_rows(const sp_result *result, int n_channel, const int *channel)
{
    size_t width = (size_t)n_channel;
    for (int k = 0; k < n_channel; k++) {
        const size_t w = result->set[place_of(result, channel[k]).set].width;
        width = w > width ? w : width;
    }
    const size_t rows = BLOCK_BYTES / 8 / (width + 1);
    return rows < 1 ? 1 : rows > BLOCK_ROWS ? BLOCK_ROWS : rows;
}

/* Words that this program does not know become the nearest sense. */
static void keep_in_range(sp_event *e)
{
    e->kind = (unsigned)e->kind < SP_EVENT_N ? e->kind : SP_EVENT_N;
    e->before = (unsigned)e->before <= SP_STATE_STICK ? e->before : SP_STATE_OPEN;
    e->after = (unsigned)e->after <= SP_STATE_STICK ? e->after : SP_STATE_OPEN;
    e->impact.remedy = (unsigned)e->impact.remedy < SP_REMEDY_N ? e->impact.remedy : SP_REMEDY_NONE;
}

sp_status sp_result_read_events(sp_result *result, size_t first, size_t n, sp_event *event,
                                sp_error *err)
{
    if (first > result->info.n_event || n > result->info.n_event - first) {
        return SP_FAIL(err, SP_E_INPUT, "result file '%s': events %zu to %zu, there are %zu",
                       result->info.path, first, first + n, result->info.n_event);
    }
    if (n == 0) {
        return SP_OK;
    }
    memset(event, 0, n * sizeof *event); /* what older files do not have */
    sp_h5_quiet quiet;
    sp_h5_quiet_begin(&quiet);
    const hsize_t start[1] = {first}, count[1] = {n};
    const hid_t file_space = H5Dget_space(result->events);
    const hid_t space = H5Screate_simple(1, count, NULL);
    const bool ok =
        H5Sselect_hyperslab(file_space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
        H5Dread(result->events, result->event_type, space, file_space, H5P_DEFAULT, event) >= 0;
    const sp_status status = ok ? SP_OK : sp_reader_fail(result, "/events", err);
    H5Sclose(space);
    H5Sclose(file_space);
    sp_h5_quiet_end(&quiet);
    for (size_t i = 0; ok && i < n; i++) {
        keep_in_range(&event[i]);
    }
    return status;
}

sp_status sp_result_events(sp_result *result, size_t first, size_t n, sp_event_info *event,
                           sp_error *err)
{
    sp_event *read = calloc(n + 1, sizeof *read);
    if (!read) {
        return SP_FAIL(err, SP_E_MEMORY, "result file '%s': out of memory", result->info.path);
    }
    const sp_status status = sp_result_read_events(result, first, n, read, err);
    for (size_t i = 0; status == SP_OK && i < n; i++) {
        event[i] = sp_event_describe(NULL, &read[i]);
        event[i].name = sp_result_event_name(result, &read[i]);
    }
    free(read);
    return status;
}
