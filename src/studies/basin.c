/* studies/basin.c - which attractor a start leads to, without knowing the attractors: by
 * recurrences on a grid of the sampled state.   theory (88.1)-(88.4), after [Datseris2022]
 *
 * Each point is judged by its own samples alone, so that it may be run anywhere; attractors of
 * different points are compared when all are done. */
#include "base/status.h"
#include "expr/units.h"
#include "studies/cells.h"
#include "studies/findings.h"
#include "studies/journal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEEP_MAX = 8 };
#define FAR 9e15 /* cells from the origin: beyond it numbers of cells are not exact */

struct sp_basin {
    const sp_node *cell;   /* as written                                    */
    double size[KEEP_MAX]; /* of a cell, for each sampled value             */
    long recurrences;      /* samples in known cells before it is believed  */
    long states;           /* samples of the attractor that are looked at   */
    int *attractor;        /* of each point, 0: none */
};

/* The samples of a run. */
struct sp_basin_walk {
    const sp_study *s;
    sp_cells seen;
    long n, again, kept; /* samples; of them in a row in known cells; behind the last of these */
    long last_new;       /* samples up to the last new cell                                    */
};

/* ---- reading --------------------------------------------------------------------------------- */

sp_status sp_basin_read(sp_study *s, const sp_node *node, sp_error *err)
{
    sp_basin *b = SP_NEW(&s->arena, sp_basin, 1);
    if (!b) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory");
    }
    s->basin = b;
    s->n_own = SP_BASIN_OWN;
    b->cell = sp_node_get(node, "cell");
    SP_TRY(sp_study_whole(node, "recurrences", 100, &b->recurrences, err));
    return sp_study_whole(node, "states", 100, &b->states, err);
}

/* Whether two SI units measure the same: a radian is a number, a hertz one over a second. */
static bool same_dimension(const char *a, const char *b)
{
    sp_unit of[2];
    sp_error why;
    return sp_unit_read(a, strlen(a), &of[0], NULL, NULL, &why) == SP_OK &&
           sp_unit_read(b, strlen(b), &of[1], NULL, NULL, &why) == SP_OK &&
           sp_dim_equal(of[0].dim, of[1].dim);
}

/* The size of the cells of sampled value k. */
static sp_status read_size(sp_study *s, int k, sp_error *err)
{
    sp_basin *b = s->basin;
    const bool each = b->cell->kind == SP_NODE_MAP;
    const sp_node *node = each ? sp_node_get(b->cell, s->keep[k]) : b->cell;
    const char *unit = "1", *own = s->keep_unit[k][0] ? s->keep_unit[k] : "1";
    char text[300];
    if (!node) {
        snprintf(text, sizeof text, "basin: the size of cells of '%.100s' is missing", s->keep[k]);
        return sp_study_fail_at(b->cell, err, text);
    }
    SP_TRY(sp_study_number(s, node, &b->size[k], &unit, err));
    unit = unit[0] ? unit : "1";
    if (!same_dimension(unit, own)) {
        snprintf(text, sizeof text, "basin: cells of '%.100s' are in '%s', expected '%s'",
                 s->keep[k], unit, own);
        return sp_study_fail_at(node, err, text);
    }
    return b->size[k] > 0.0
               ? SP_OK
               : sp_study_fail_at(node, err, "basin: expected a size of cells above 0");
}

/* Whether all sizes are of values that are sampled. */
static sp_status check_names(sp_study *s, sp_error *err)
{
    const sp_node *map = s->basin->cell;
    for (const sp_node *n = map->kind == SP_NODE_MAP ? map->first : NULL; n; n = n->next) {
        bool known = false;
        for (int k = 0; k < s->n_keep; k++) {
            known = known || strcmp(s->keep[k], n->key) == 0;
        }
        if (!known) {
            char text[200];
            snprintf(text, sizeof text, "basin: '%.100s' is not among what 'sample' keeps", n->key);
            return sp_study_fail_at(n, err, text);
        }
    }
    return SP_OK;
}

sp_status sp_basin_check(sp_study *s, sp_error *err)
{
    if (s->n_keep > KEEP_MAX) {
        return SP_FAIL(err, SP_E_INPUT, "basin: %d values are sampled, expected at most %d",
                       s->n_keep, KEEP_MAX);
    }
    SP_TRY(check_names(s, err));
    for (int k = 0; k < s->n_keep; k++) {
        SP_TRY(read_size(s, k, err));
    }
    return SP_OK;
}

void sp_basin_free(sp_basin *b)
{
    if (b) {
        free(b->attractor);
    }
}

/* ---- one run --------------------------------------------------------------------------------- */

/* The cell of a sample; false: it is too far away.   theory (88.1) */
static bool cell_of(const sp_study *s, const double *value, int64_t *corner)
{
    for (int k = 0; k < s->n_keep; k++) {
        const double x = floor(value[k] / s->basin->size[k]);
        if (!(fabs(x) < FAR)) {
            return false;
        }
        corner[k] = (int64_t)x;
    }
    return true;
}

sp_basin_walk *sp_basin_walk_new(const sp_study *s)
{
    sp_basin_walk *w = calloc(1, sizeof *w);
    if (w) {
        w->s = s;
    }
    return w;
}

void sp_basin_walk_free(sp_basin_walk *w)
{
    if (w) {
        sp_cells_free(&w->seen);
        free(w);
    }
}

void sp_basin_walk_begin(sp_basin_walk *w)
{
    sp_cells_begin(&w->seen, w->s->n_keep);
    w->n = w->again = w->kept = w->last_new = 0;
}

sp_status sp_basin_walk_step(sp_basin_walk *w, const double *value, bool *found, sp_error *err)
{
    const sp_basin *b = w->s->basin;
    int64_t corner[KEEP_MAX];
    w->n++;
    *found = false;
    if (w->again >= b->recurrences) {
        *found = ++w->kept >= b->states;
        return SP_OK;
    }
    if (!cell_of(w->s, value, corner)) {
        return SP_FAIL(err, SP_E_INPUT, "the motion goes beyond all bounds");
    }
    if (sp_cells_get(&w->seen, corner) >= 0) {
        w->again++;
        return SP_OK;
    }
    w->again = 0;
    w->last_new = w->n;
    return sp_cells_add(&w->seen, corner, 0) ? SP_OK
                                             : SP_FAIL(err, SP_E_MEMORY, "no memory for cells");
}

/* Whether all samples come back to within a cell after p of them. */
static bool has_period(const sp_study *s, const double *sample, uint64_t n, uint64_t p)
{
    const size_t row = 1 + (size_t)s->n_keep;
    for (uint64_t i = 0; i + p < n; i++) {
        for (int k = 0; k < s->n_keep; k++) {
            const double change =
                sample[(i + p) * row + 1 + (size_t)k] - sample[i * row + 1 + (size_t)k];
            if (!(fabs(change) < s->basin->size[k])) {
                return false;
            }
        }
    }
    return true;
}

/* (88.2) */
uint64_t sp_basin_walk_end(const sp_basin_walk *w, const double *sample, uint64_t n_sample,
                           uint64_t *first, double *own)
{
    const uint64_t n = (uint64_t)w->kept;
    *first = n_sample - n;
    own[SP_BASIN_PERIOD] = 0.0;
    own[SP_BASIN_TRANSIENT] = (double)w->last_new;
    for (uint64_t p = 1; p <= n / 2; p++) {
        if (has_period(w->s, sample + *first * (1 + (uint64_t)w->s->n_keep), n, p)) {
            own[SP_BASIN_PERIOD] = (double)p;
            return p;
        }
    }
    return n;
}

/* ---- all points ------------------------------------------------------------------------------ */

/* Attractors while they are put together. */
typedef struct gathering {
    const sp_study *s;
    sp_cells cells;
    int n, room, *root; /* attractor k is the same as root[k] <= k */
} gathering;

/* The first attractor that is the same as k. */
static int root_of(gathering *g, int k)
{
    while (g->root[k] != k) {
        k = g->root[k] = g->root[g->root[k]];
    }
    return k;
}

/* A new attractor, -1 without memory. */
static int add_attractor(gathering *g)
{
    if (g->n == g->room) {
        const int room = 2 * g->room + 64;
        int *larger = realloc(g->root, (size_t)room * sizeof *larger);
        if (!larger) {
            return -1;
        }
        g->root = larger;
        g->room = room;
    }
    g->root[g->n] = g->n;
    return g->n++;
}

/* Take attractor k to be the same as `with`, -1: there is none yet; the first of both. */
static int join(gathering *g, int with, int k)
{
    const int a = with >= 0 ? root_of(g, with) : k, b = root_of(g, k), low = a < b ? a : b;
    if (with >= 0) {
        g->root[a] = g->root[b] = low;
    }
    return with >= 0 ? low : b;
}

/* The attractors that the cells of a sample, and those beside it, belong to, joined with `with`. */
static int join_near(gathering *g, const int64_t *corner, int with)
{
    const int d = g->s->n_keep;
    int n = 1;
    for (int k = 0; k < d; k++) {
        n *= 3;
    }
    for (int i = 0; i < n; i++) {
        int64_t at[KEEP_MAX];
        for (int k = 0, rest = i; k < d; k++, rest /= 3) {
            at[k] = corner[k] + rest % 3 - 1;
        }
        const int found = sp_cells_get(&g->cells, at);
        with = found >= 0 ? join(g, with, found) : with;
    }
    return with;
}

/* The attractor of a point by its samples, -1 without memory.   theory (88.3) */
static int gather(gathering *g, const sp_outcome *o)
{
    const size_t row = 1 + (size_t)g->s->n_keep;
    int64_t corner[KEEP_MAX];
    int k = -1;
    for (uint64_t i = 0; i < o->n_sample; i++) {
        if (cell_of(g->s, o->sample + i * row + 1, corner)) {
            k = join_near(g, corner, k);
        }
    }
    k = k >= 0 ? k : add_attractor(g);
    for (uint64_t i = 0; k >= 0 && i < o->n_sample; i++) {
        if (cell_of(g->s, o->sample + i * row + 1, corner) && sp_cells_get(&g->cells, corner) < 0 &&
            !sp_cells_add(&g->cells, corner, k)) {
            return -1;
        }
    }
    return k;
}

/* Numbers 1, 2, ... of attractors in the order of their first points; how many. */
static int renumber(gathering *g, uint64_t n_point, int *attractor)
{
    int n = 0;
    int *number = calloc((size_t)g->n + 1, sizeof *number);
    for (uint64_t i = 0; number && i < n_point; i++) {
        const int k = attractor[i];
        if (k >= 0) {
            const int root = root_of(g, k);
            number[root] = number[root] > 0 ? number[root] : ++n;
        }
        attractor[i] = k >= 0 ? number[root_of(g, k)] : 0;
    }
    const bool ok = number != NULL;
    free(number);
    return ok ? n : -1;
}

/* Period, count and share of every attractor; those of no attractor as number 0.  (88.4) */
static bool put_attractors(const sp_study *s, int n, const double *period, const uint64_t *count,
                           sp_findings *f)
{
    static const char *const name[] = {"attractor", "period", "points", "share", "error"};
    const int n_row = n + (count[0] > 0);
    sp_draft d;
    if (!sp_findings_add(f, "attractors", (uint64_t)n_row, 5, true, &d)) {
        return false;
    }
    memcpy(d.column, name, sizeof name);
    for (int k = 1; k <= n_row; k++) {
        const int a = k <= n ? k : 0;
        const double share = (double)count[a] / (double)s->n_point;
        const double row[5] = {a, period[a], (double)count[a], share,
                               sqrt(share * (1.0 - share) / (double)s->n_point)};
        memcpy(d.value + 5 * (k - 1), row, sizeof row);
        d.row[k - 1] = a > 0 ? sp_arena_printf(&f->arena, "attractor %d", a) : "none found";
        if (!d.row[k - 1]) {
            return false;
        }
    }
    return true;
}

/* The samples of every attractor, of the first point that leads to it. */
static sp_status put_states(const sp_study *s, int n, const uint64_t *first,
                            const sp_outcomes *from, sp_outcome *o, sp_findings *f, sp_error *err)
{
    uint64_t n_row = 0;
    for (int a = 1; a <= n; a++) {
        SP_TRY(from->get(from->ctx, first[a], o, err));
        n_row += o->n_sample;
    }
    const int cols = 1 + s->n_keep;
    sp_draft d;
    if (!sp_findings_add(f, "attractor_states", n_row, cols, false, &d)) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory for attractors");
    }
    d.column[0] = "attractor";
    for (int k = 0; k < s->n_keep; k++) {
        d.column[1 + k] = s->keep[k];
        d.unit[1 + k] = s->keep_unit[k];
    }
    double *row = d.value;
    for (int a = 1; a <= n; a++) {
        SP_TRY(from->get(from->ctx, first[a], o, err));
        for (uint64_t i = 0; i < o->n_sample; i++, row += cols) {
            row[0] = a;
            memcpy(row + 1, o->sample + i * (uint64_t)cols + 1, (size_t)s->n_keep * sizeof *row);
        }
    }
    return SP_OK;
}

/* Join the attractors of all points. */
static sp_status gather_all(const sp_study *s, const sp_outcomes *from, gathering *g, sp_outcome *o,
                            sp_error *err)
{
    for (uint64_t i = 0; i < s->n_point; i++) {
        SP_TRY(from->get(from->ctx, i, o, err));
        int *a = &s->basin->attractor[i];
        *a = -1;
        if (o->status < SP_POINT_UNSETTLED && o->n_sample > 0 && (*a = gather(g, o)) < 0) {
            return SP_FAIL(err, SP_E_MEMORY, "no memory for attractors");
        }
    }
    return SP_OK;
}

/* The report on n attractors. */
static sp_status report(const sp_study *s, int n, const sp_outcomes *from, sp_outcome *o,
                        sp_findings *f, sp_error *err)
{
    uint64_t *count = SP_NEW(&f->arena, uint64_t, n + 1),
             *first = SP_NEW(&f->arena, uint64_t, n + 1);
    double *period = SP_NEW(&f->arena, double, n + 1);
    if (!count || !first || !period) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory for attractors");
    }
    for (uint64_t i = s->n_point; i-- > 0;) {
        first[s->basin->attractor[i]] = i;
        count[s->basin->attractor[i]]++;
    }
    for (int a = 1; a <= n; a++) {
        SP_TRY(from->get(from->ctx, first[a], o, err));
        period[a] = o->measure[s->n_measure - SP_BASIN_OWN + SP_BASIN_PERIOD];
    }
    f->attractor = s->basin->attractor;
    return put_attractors(s, n, period, count, f)
               ? put_states(s, n, first, from, o, f, err)
               : SP_FAIL(err, SP_E_MEMORY, "no memory for attractors");
}

sp_status sp_basin_find(sp_study *s, const sp_outcomes *from, sp_findings *f, sp_error *err)
{
    gathering g = {.s = s};
    sp_outcome o = {.point = 0};
    free(s->basin->attractor);
    s->basin->attractor = malloc(((size_t)s->n_point + 1) * sizeof *s->basin->attractor);
    sp_cells_begin(&g.cells, s->n_keep);
    sp_status status = s->basin->attractor ? gather_all(s, from, &g, &o, err)
                                           : SP_FAIL(err, SP_E_MEMORY, "no memory for points");
    if (status == SP_OK) {
        const int n = renumber(&g, s->n_point, s->basin->attractor);
        status = n >= 0 ? report(s, n, from, &o, f, err)
                        : SP_FAIL(err, SP_E_MEMORY, "no memory for attractors");
    }
    sp_outcome_free(&o);
    sp_cells_free(&g.cells);
    free(g.root);
    return status;
}
