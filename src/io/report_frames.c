#include "io/report_frames.h"

#include "io/result_h5.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK_BYTES = 4 << 20, /* of rows that are read at once                 */
    EVENT_BLOCK = 1024,
    PARTS_LEAST = 8 /* parts of the run in which a channel is watched */
};

/* Frames that are marked so far. */
typedef struct marking {
    sp_result *r;
    size_t n, most; /* frames in the file, frames wanted */
    size_t n_marked;
    unsigned char *marked; /* n */
} marking;

static void mark(marking *m, size_t frame)
{
    m->n_marked += m->marked[frame] == 0;
    m->marked[frame] = 1;
}

static sp_status no_memory(const sp_result *r, sp_error *err)
{
    return SP_FAIL(err, SP_E_MEMORY, "result file '%s': out of memory", sp_result_about(r)->path);
}

/* Rows of a dataset that are read at once. */
static size_t block_rows(const sp_result *r, int set)
{
    const size_t rows = BLOCK_BYTES / 8 / (sp_result_width(r, set) + 1);
    return rows < 1 ? 1 : rows;
}

/* ---- events -------------------------------------------------------------------------------- */

/* The first frame that is not before t; n if there is none. */
static size_t frame_at(const double *time, size_t n, double t)
{
    size_t low = 0, high = n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (time[middle] < t) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The strongest event of each of some equal parts of the run. */
typedef struct strongest {
    size_t n_part;
    double *impulse; /* n_part, < 0: no event */
    size_t *frame;   /* n_part                */
} strongest;

/* Mark the frame at or after an event and the one before it. */
static void mark_around(marking *m, size_t frame)
{
    if (frame < m->n) {
        mark(m, frame);
    }
    if (frame > 0) {
        mark(m, frame - 1);
    }
}

/* Take an event into account. */
static void note_event(marking *m, strongest *s, const double *time, const sp_event *e)
{
    const size_t frame = frame_at(time, m->n, e->t);
    const size_t part = (frame < m->n ? frame : m->n - 1) * s->n_part / m->n;
    const double impulse = e->impact_id > 0 ? fabs(e->Lambda_N) : 0.0;
    if (impulse > s->impulse[part]) {
        s->impulse[part] = impulse;
        s->frame[part] = frame;
    }
    mark_around(m, frame);
}

/* Read all events and note each. */
static sp_status note_events(marking *m, strongest *s, const double *time, sp_error *err)
{
    const size_t n_event = sp_result_about(m->r)->n_event;
    sp_event *event = malloc(EVENT_BLOCK * sizeof *event);
    sp_status status = event ? SP_OK : no_memory(m->r, err);
    for (size_t first = 0; status == SP_OK && first < n_event; first += EVENT_BLOCK) {
        const size_t n = n_event - first < EVENT_BLOCK ? n_event - first : EVENT_BLOCK;
        status = sp_result_read_events(m->r, first, n, event, err);
        for (size_t k = 0; status == SP_OK && k < n; k++) {
            note_event(m, s, time, &event[k]);
        }
    }
    free(event);
    return status;
}

/* Mark the frames around events: all of them, or where they are too many the strongest of each
 * part of the run. */
static sp_status mark_events(marking *m, size_t allowed, bool *every, sp_error *err)
{
    strongest s = {.n_part = allowed / 2 > 0 ? allowed / 2 : 1};
    double *time = malloc(m->n * sizeof *time);
    s.impulse = malloc(s.n_part * sizeof *s.impulse);
    s.frame = calloc(s.n_part, sizeof *s.frame);
    sp_status status = time && s.impulse && s.frame ? SP_OK : no_memory(m->r, err);
    for (size_t k = 0; status == SP_OK && k < s.n_part; k++) {
        s.impulse[k] = -1.0;
    }
    if (status == SP_OK) {
        status = sp_result_read_set(m->r, SP_DATA_TIME, 0, m->n, time, err);
    }
    if (status == SP_OK) {
        status = note_events(m, &s, time, err);
    }
    *every = m->n_marked <= allowed;
    if (status == SP_OK && !*every) {
        memset(m->marked, 0, m->n);
        m->n_marked = 0;
        for (size_t k = 0; k < s.n_part; k++) {
            if (s.impulse[k] >= 0.0 && allowed >= 2) {
                mark_around(m, s.frame[k]);
            }
        }
    }
    free(time);
    free(s.impulse);
    free(s.frame);
    return status;
}

/* ---- extremes ------------------------------------------------------------------------------ */

/* The smallest and the largest value of a column in each of some equal parts of the run. */
typedef struct extremes {
    size_t n_part;      /* 0: not looked at */
    double *low, *high; /* n_part           */
    size_t *at_low, *at_high;
} extremes;

static bool extremes_init(extremes *e, size_t n_part)
{
    *e = (extremes){.n_part = n_part};
    e->low = malloc(2 * n_part * sizeof *e->low);
    e->at_low = calloc(2 * n_part, sizeof *e->at_low);
    if (!e->low || !e->at_low) {
        return false;
    }
    e->high = e->low + n_part;
    e->at_high = e->at_low + n_part;
    for (size_t k = 0; k < n_part; k++) {
        e->low[k] = INFINITY;
        e->high[k] = -INFINITY;
    }
    return true;
}

static void extremes_free(extremes *e)
{
    free(e->low);
    free(e->at_low);
}

/* Take a value into account; one that is no number is none. */
static void extremes_note(extremes *e, size_t n_frame, size_t frame, double value)
{
    const size_t part = frame * e->n_part / n_frame;
    if (value < e->low[part]) {
        e->low[part] = value;
        e->at_low[part] = frame;
    }
    if (value > e->high[part]) {
        e->high[part] = value;
        e->at_high[part] = frame;
    }
}

/* Mark the frames of the extremes; a part in which the column does not change has none. */
static void extremes_mark(const extremes *e, marking *m)
{
    for (size_t k = 0; k < e->n_part; k++) {
        if (e->low[k] < e->high[k]) {
            mark(m, e->at_low[k]);
            mark(m, e->at_high[k]);
        }
    }
}

/* How finely the columns are looked at. */
typedef struct plan {
    int n_watched;
    const int *watched; /* channels                                        */
    size_t parts;       /* of the run for each of them                     */
    size_t n_other;     /* further columns that may be looked at as a whole */
} plan;

/* Prepare the columns of one dataset. */
static bool plan_columns(const sp_result *r, int set, plan *p, size_t width, extremes *column)
{
    bool ok = true;
    memset(column, 0, width * sizeof *column);
    for (int k = 0; ok && k < p->n_watched; k++) {
        int its_set;
        size_t its_column;
        sp_result_locate(r, p->watched[k], &its_set, &its_column);
        if (its_set == set && column[its_column].n_part == 0) {
            ok = extremes_init(&column[its_column], p->parts);
        }
    }
    for (size_t c = 0; ok && c < width && p->n_other > 0; c++) {
        if (column[c].n_part == 0) {
            ok = extremes_init(&column[c], 1);
            p->n_other--;
        }
    }
    return ok;
}

/* Look through one dataset. */
static sp_status scan_set(marking *m, int set, size_t width, extremes *column, double *value,
                          sp_error *err)
{
    const size_t block = block_rows(m->r, set);
    for (size_t first = 0; first < m->n; first += block) {
        const size_t rows = m->n - first < block ? m->n - first : block;
        SP_TRY(sp_result_read_set(m->r, set, first, rows, value, err));
        for (size_t i = 0; i < rows; i++) {
            for (size_t c = 0; c < width; c++) {
                if (column[c].n_part > 0) {
                    extremes_note(&column[c], m->n, first + i, value[i * width + c]);
                }
            }
        }
    }
    return SP_OK;
}

/* Mark the extremes of one dataset. */
static sp_status mark_set(marking *m, int set, plan *p, sp_error *err)
{
    const size_t width = sp_result_width(m->r, set);
    extremes *column = malloc((width + 1) * sizeof *column);
    double *value = malloc(block_rows(m->r, set) * (width + 1) * sizeof *value);
    bool ok = column && value;
    if (column) {
        ok = plan_columns(m->r, set, p, width, column) && ok;
    }
    sp_status status = ok ? scan_set(m, set, width, column, value, err) : no_memory(m->r, err);
    for (size_t c = 0; column && c < width; c++) {
        if (status == SP_OK) {
            extremes_mark(&column[c], m);
        }
        extremes_free(&column[c]);
    }
    free(column);
    free(value);
    return status;
}

/* Whether a dataset has curves that somebody may want to see. */
static bool has_curves(int set)
{
    return set != SP_DATA_TIME && set != SP_DATA_STATE && set != SP_DATA_POINT &&
           set != SP_DATA_FORCE && set != SP_DATA_STEP;
}

/* Mark the extremes of all channels, as far as the plan goes; outputs come first. */
static sp_status mark_extremes(marking *m, int n_watched, const int *watched, sp_error *err)
{
    const size_t allowed = m->most / 4;
    const size_t can = allowed / (2 * PARTS_LEAST);
    plan p = {.n_watched = (size_t)n_watched < can ? n_watched : (int)can, .watched = watched};
    p.parts = p.n_watched > 0 ? allowed / 2 / (size_t)p.n_watched : 0;
    p.n_other = m->most / 16;
    for (int k = sp_result_n_set(m->r) - 1; k >= 0; k--) {
        if (has_curves(k) && sp_result_width(m->r, k) > 0) {
            SP_TRY(mark_set(m, k, &p, err));
        }
    }
    return SP_OK;
}

/* ---- all ----------------------------------------------------------------------------------- */

/* Mark frames at equal distances with what is left. */
static void mark_evenly(marking *m)
{
    mark(m, 0);
    mark(m, m->n - 1);
    const size_t left = m->most > m->n_marked ? m->most - m->n_marked : 0;
    for (size_t k = 0; k < left; k++) {
        mark(m, (size_t)(((double)k + 0.5) / (double)left * (double)m->n));
    }
}

/* The frames of a long run. */
static sp_status choose(marking *m, int n_watched, const int *watched, bool *events, sp_error *err)
{
    SP_TRY(mark_events(m, m->most / 8 * 3, events, err));
    SP_TRY(mark_extremes(m, n_watched, watched, err));
    mark_evenly(m);
    return SP_OK;
}

sp_status sp_frames_choose(sp_result *result, size_t most, int n_watched, const int *watched,
                           sp_frames *frames, sp_error *err)
{
    const size_t n = sp_result_about(result)->n_frame;
    marking m = {.r = result, .n = n, .most = most < 2 ? 2 : most};
    *frames = (sp_frames){.all = n <= m.most, .events = true};
    sp_status status = SP_OK;
    m.marked = calloc(n + 1, 1);
    frames->index = malloc((n + 1) * sizeof *frames->index);
    if (!m.marked || !frames->index) {
        status = no_memory(result, err);
    } else if (frames->all) {
        memset(m.marked, 1, n);
    } else {
        status = choose(&m, n_watched, watched, &frames->events, err);
    }
    for (size_t k = 0; status == SP_OK && k < n; k++) {
        if (m.marked[k]) {
            frames->index[frames->n++] = k;
        }
    }
    free(m.marked);
    if (status != SP_OK) {
        sp_frames_free(frames);
    }
    return status;
}

void sp_frames_free(sp_frames *frames)
{
    free(frames->index);
    *frames = (sp_frames){0};
}

/* Which columns of a set are wanted, and a block of its rows to look for them in. */
typedef struct gathering {
    int set;
    size_t n_column;
    const size_t *column;
    size_t rows, width; /* of the block                    */
    double *block;      /* rows x width                    */
    size_t done;        /* frames whose values are in place */
} gathering;

/* Read the rows from the next frame on and take the chosen ones out of them. */
static sp_status gather_block(sp_result *result, const sp_frames *frames, gathering *g,
                              double *value, sp_error *err)
{
    const size_t first = frames->index[g->done], n = sp_result_about(result)->n_frame;
    const size_t end = n - first < g->rows ? n : first + g->rows;
    SP_TRY(sp_result_read_set(result, g->set, first, end - first, g->block, err));
    for (; g->done < frames->n && frames->index[g->done] < end; g->done++) {
        const double *row = g->block + (frames->index[g->done] - first) * g->width;
        for (size_t k = 0; k < g->n_column; k++) {
            value[g->done * g->n_column + k] = row[g->column[k]];
        }
    }
    return SP_OK;
}

sp_status sp_frames_gather(sp_result *result, const sp_frames *frames, int set, size_t n_column,
                           const size_t *column, double *value, sp_error *err)
{
    gathering g = {.set = set,
                   .n_column = n_column,
                   .column = column,
                   .rows = block_rows(result, set),
                   .width = sp_result_width(result, set)};
    g.block = malloc(g.rows * (g.width + 1) * sizeof *g.block);
    sp_status status = g.block ? SP_OK : no_memory(result, err);
    while (status == SP_OK && n_column > 0 && g.done < frames->n) {
        status = gather_block(result, frames, &g, value, err);
    }
    free(g.block);
    return status;
}
