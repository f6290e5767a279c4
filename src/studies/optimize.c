/* studies/optimize.c - what is looked for, how candidates are judged, and searches: CMA-ES
 * (cmaes.h), also again and again with twice the population, or NLopt (outside.h).   theory
 * (80.8)-(80.12)
 *
 * Coordinates are ranges scaled to 0..1 and reflected at their ends.  A candidate is one point, or
 * one for every value of a second parameter, of which the worst counts, or one for every measured
 * point of a curve. */
#define _GNU_SOURCE
#include "base/status.h"
#include "expr/units.h"
#include "studies/cmaes.h"
#include "studies/outside.h"
#include "studies/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIM_MAX = 64, LIMIT_MAX = 16, RESTARTS_MAX = 16 };
enum { PATIENCE = 10, PATIENCE_EACH = 30 }; /* generations without change: 10 + 30 d/lambda */
#define STAYS 1e-12                         /* of its size: a value that changes by less    */

/* A limit of a measure. */
typedef struct bound {
    const sp_node *node; /* "measure: value" */
    int measure;
    double value, sign; /* sign * (measure - value) <= 0 */
} bound;

struct sp_goal {
    const sp_node *node;
    const char *name; /* of the measure */
    int measure;
    double sign; /* -1: it is made large */
    int n_bound;
    bound bound[LIMIT_MAX];
    int d, n_sub;         /* coordinates; points of a candidate */
    const double *target; /* n_sub: of a fit, SI; NULL: no fit  */
    const char *target_unit;
    const char *method; /* of NLopt, NULL: CMA-ES */
    long n_past, past_room;
    double *past_x, *past_f, *past_violation; /* its candidates so far */
    long lambda, generations;
    double tolerance;
    long restarts, budget; /* searches behind the first; candidates in all */

    sp_cmaes search; /* the present one; of NLopt the present candidate and the start */
    long restart, generation, n_candidate;
    double *f, *violation; /* lambda of the search                    */
    double last;           /* the best value of the generation before */
    long still;            /* generations for which it stayed         */
    double best, best_violation, *best_row;
    uint64_t n_given; /* rows there is room for */
    FILE *story;      /* a line for each generation */
    char *story_text;
    size_t story_size;
};

/* ---- reading ----------------------------------------------------------------------------------
 */

/* A text that is there, NULL if not. */
static const char *text_of(const sp_node *map, const char *key)
{
    const sp_node *n = sp_node_get(map, key);
    return n && n->kind == SP_NODE_TEXT && n->text && *n->text ? n->text : NULL;
}

/* Limits from one side; their values wait for the units of the measures (sp_goal_check). */
static sp_status read_bounds(sp_goal *g, const sp_node *map, double sign, sp_error *err)
{
    for (const sp_node *n = map ? map->first : NULL; n; n = n->next) {
        if (g->n_bound == LIMIT_MAX) {
            return SP_FAIL(err, SP_E_INPUT, "optimize: more than %d limits", (int)LIMIT_MAX);
        }
        g->bound[g->n_bound++] = (bound){.node = n, .sign = sign};
    }
    return SP_OK;
}

/* What numbers in a column's unit ("": none) are times in SI units. */
static sp_status read_unit(const sp_node *fit, const char *unit, double *factor, sp_error *err)
{
    sp_dim dim;
    sp_error why = {.status = SP_OK};
    *factor = 1.0;
    if (!unit[0] || sp_unit_parse(unit, strlen(unit), factor, &dim, &why) == SP_OK) {
        return SP_OK;
    }
    return sp_study_fail_at(sp_node_get(fit, "data"), err, why.text);
}

/* Points of a measured curve as values of one more axis. */
static sp_status read_fit(sp_study *s, sp_goal *g, const sp_node *fit, sp_error *err)
{
    sp_csv_columns csv;
    const char *name = text_of(fit, "vary"), *head, *unit;
    double factor;
    SP_TRY(sp_study_read_csv(s, sp_node_get(fit, "data"), &csv, err));
    if (csv.n < 2) {
        return SP_FAIL(err, SP_E_INPUT, "optimize: fit: data has one column, expected two");
    }
    if (!sp_study_head(s, csv.name[0], &head, &unit) ||
        !sp_study_head(s, csv.name[1], &head, &g->target_unit)) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory");
    }
    SP_TRY(read_unit(fit, g->target_unit, &factor, err));
    sp_node *map = sp_node_new(s->spec, SP_NODE_MAP, fit->place);
    sp_node *list = sp_node_new(s->spec, SP_NODE_LIST, fit->place);
    double *target = SP_NEW(&s->arena, double, csv.n_row + 1);
    bool ok = map && list && target && name;
    for (size_t i = 0; ok && i < csv.n_row; i++) {
        sp_node *item = sp_node_new(s->spec, SP_NODE_TEXT, fit->place);
        char text[80];
        const int n =
            snprintf(text, sizeof text, "%.17g %.50s", csv.value[i * (size_t)csv.n], unit);
        target[i] = factor * csv.value[i * (size_t)csv.n + 1];
        ok = item && (item->text = sp_spec_keep(s->spec, text, (size_t)n)) &&
             sp_node_append(s->spec, list, item);
    }
    if (ok) {
        list->key = name;
        ok = sp_node_append(s->spec, map, list);
    }
    if (!ok) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory");
    }
    g->target = target;
    g->name = text_of(fit, "measure");
    return sp_study_add_axes(s, map, "", true, err);
}

/* A search with so many candidates in a generation; the first one begins at the start of the
 * ranges, others anywhere.   theory (80.13) */
static bool begin_search(sp_study *s, sp_goal *g, long lambda)
{
    double mean[DIM_MAX];
    for (int k = 0; k < g->d; k++) {
        mean[k] = g->restart == 0
                      ? sp_axis_part(&s->axis[k], s->axis[k].start)
                      : sp_study_random(s->seed, (uint64_t)g->generation, UINT64_MAX - (uint64_t)k);
    }
    g->f = SP_NEW(&s->arena, double, lambda);
    g->violation = SP_NEW(&s->arena, double, lambda);
    g->last = INFINITY;
    g->still = 0;
    return g->f && g->violation && sp_cmaes_begin(&s->arena, g->d, lambda, mean, &g->search);
}

/* How many searches there may be, and candidates in all. */
static sp_status read_budget(sp_goal *g, const sp_node *node, sp_error *err)
{
    const sp_node *restarts = sp_node_get(node, "restarts");
    long most = g->lambda * g->generations, all = 0;
    SP_TRY(restarts ? sp_study_whole(node, "restarts", 1, &g->restarts, err) : SP_OK);
    if (restarts && (g->method || g->restarts > RESTARTS_MAX)) {
        return sp_study_fail_at(restarts, err,
                                g->method
                                    ? "restarts are those of 'method: cmaes'"
                                    : "restarts: more than 16, each with twice the population");
    }
    for (long k = 0; k <= g->restarts; k++, most *= 2) {
        all += most;
    }
    SP_TRY(sp_study_whole(node, "budget", all < 1000000000 ? all : 1000000000, &g->budget, err));
    if (g->budget < g->lambda && !g->method) {
        return sp_study_fail_at(sp_node_get(node, "budget"), err,
                                "budget: less than one generation");
    }
    g->budget = g->budget < all ? g->budget : all;
    return SP_OK;
}

sp_status sp_goal_read(sp_study *s, const sp_node *node, sp_error *err)
{
    sp_goal *g = SP_NEW(&s->arena, sp_goal, 1);
    if (!g) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory");
    }
    const char *low = text_of(node, "minimize"), *high = text_of(node, "maximize");
    const sp_node *fit = sp_node_get(node, "fit"), *over = sp_node_get(node, "worst_over");
    s->goal = g;
    g->node = node;
    g->d = s->n_axis;
    g->sign = high ? -1.0 : 1.0;
    g->name = low ? low : high;
    if ((low != NULL) + (high != NULL) + (fit != NULL) != 1 || (fit && over)) {
        return SP_FAIL(
            err, SP_E_INPUT,
            "optimize: expected one of minimize, maximize and fit; fit goes without worst_over");
    }
    if (g->d < 1 || g->d > DIM_MAX) {
        return SP_FAIL(err, SP_E_INPUT, "optimize: 'vary' has %d parameters, expected 1 to %d",
                       g->d, (int)DIM_MAX);
    }
    SP_TRY(fit ? read_fit(s, g, fit, err) : SP_OK);
    if (over && over->n_child != 1) {
        return SP_FAIL(err, SP_E_INPUT, "optimize: worst_over takes one parameter");
    }
    SP_TRY(over ? sp_study_add_axes(s, over, "", true, err) : SP_OK);
    g->n_sub = s->n_axis > g->d ? s->axis[g->d].n : 1;
    SP_TRY(read_bounds(g, sp_node_get(node, "at_most"), 1.0, err));
    SP_TRY(read_bounds(g, sp_node_get(node, "at_least"), -1.0, err));
    g->tolerance = 1e-6;
    SP_TRY(sp_study_quantity(s, sp_node_get(node, "tolerance"), "1", &g->tolerance, err));
    SP_TRY(sp_study_whole(node, "population", 4 + (long)floor(3.0 * log(g->d)), &g->lambda, err));
    SP_TRY(sp_study_whole(node, "generations", 200, &g->generations, err));
    if (g->lambda < 4 || g->lambda > 100000 || g->generations < 1 || g->generations > 1000000) {
        return SP_FAIL(err, SP_E_INPUT,
                       "optimize: population = %ld, generations = %ld, expected at least 4 and 1",
                       g->lambda, g->generations);
    }
    g->method = text_of(node, "method");
    g->method = g->method && strcmp(g->method, "cmaes") != 0 ? g->method : NULL;
    sp_error why = {.status = SP_OK};
    if (g->method && sp_outside_check(g->method, g->n_bound > 0, &why) != SP_OK) {
        return sp_study_fail_at(sp_node_get(node, "method"), err, why.text);
    }
    SP_TRY(read_budget(g, node, err));
    g->best = g->best_violation = INFINITY;
    g->story = open_memstream(&g->story_text, &g->story_size);
    s->given = SP_NEW(&s->arena, double, s->n_axis + 1); /* to learn names from: the start */
    g->best_row = SP_NEW(&s->arena, double, s->n_axis);
    if (!g->story || !s->given || !g->best_row || !begin_search(s, g, g->lambda)) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory");
    }
    for (int k = 0; k < s->n_axis; k++) {
        s->given[k] = k < g->d ? s->axis[k].start : s->axis[k].value[0];
    }
    s->n_chain = 1;
    s->n_point = (uint64_t)g->budget * (uint64_t)g->n_sub;
    return SP_OK;
}

/* The number of a measure. */
static sp_status find_measure(const sp_study *s, const char *name, int *k, sp_error *err)
{
    for (*k = 0; *k < s->n_measure; ++*k) {
        if (strcmp(s->measure[*k], name) == 0) {
            return SP_OK;
        }
    }
    return SP_FAIL(err, SP_E_INPUT, "optimize: there is no measure '%.100s'", name);
}

sp_status sp_goal_check(sp_study *s, sp_error *err)
{
    sp_goal *g = s->goal;
    SP_TRY(find_measure(s, g->name, &g->measure, err));
    for (int k = 0; k < g->n_bound; k++) {
        bound *b = &g->bound[k];
        SP_TRY(find_measure(s, b->node->key, &b->measure, err));
        SP_TRY(sp_study_quantity(s, b->node, s->measure_unit[b->measure], &b->value, err));
    }
    const char *own = s->measure_unit[g->measure];
    if (g->target && !sp_study_unit_fits(g->target_unit, own)) {
        char text[200];
        snprintf(text, sizeof text, "fit: the second column is in '%.40s', expected '%.40s'",
                 g->target_unit, own);
        return sp_study_fail_at(sp_node_get(sp_node_get(g->node, "fit"), "data"), err, text);
    }
    return SP_OK;
}

void sp_goal_free(sp_goal *g)
{
    if (g && g->story) {
        fclose(g->story);
        free(g->story_text);
    }
}

double sp_goal_best(const sp_study *s)
{
    return isfinite(s->goal->best) ? s->goal->sign * s->goal->best : (double)NAN;
}

char *sp_goal_text(const sp_study *s, sp_arena *arena)
{
    const sp_goal *g = s->goal;
    if (g->best_violation == INFINITY) {
        return sp_arena_copy(arena, "all candidates failed");
    }
    const char *missed = g->best_violation > 0.0
                             ? sp_arena_printf(arena,
                                               "no candidate keeps the limits; the nearest "
                                               "one misses one by %.3g of its size\n",
                                               g->best_violation)
                             : "";
    char *text = sp_arena_printf(arena, "%s%s%s = %.10g", missed ? missed : "",
                                 g->target ? "rms difference of " : "", g->name, sp_goal_best(s));
    for (int k = 0; text && k < g->d; k++) {
        text = sp_arena_printf(arena, "%s\n%s = %.10g%s%s", text, s->axis[k].name, g->best_row[k],
                               s->axis[k].unit[0] ? " " : "", s->axis[k].unit);
    }
    return text;
}

const char *sp_goal_story(sp_study *s)
{
    fflush(s->goal->story);
    return s->goal->story_text;
}

/* ---- candidates -------------------------------------------------------------------------------
 */

/* A coordinate as a value of its axis; beyond the ends it is reflected. */
static double value_of(const sp_axis *a, double x)
{
    double u = fabs(fmod(x, 2.0));
    return sp_axis_value(a, u > 1.0 ? 2.0 - u : u);
}

/* Room for so many points more behind n. */
static sp_status reserve_points(sp_study *s, uint64_t n, uint64_t more, sp_error *err)
{
    sp_goal *g = s->goal;
    if (n + more > g->n_given) {
        const uint64_t room = 2 * (n + more);
        double *larger = SP_NEW(&s->arena, double, room *(uint64_t)s->n_axis);
        if (!larger) {
            return SP_FAIL(err, SP_E_MEMORY, "no memory for points");
        }
        memcpy(larger, s->given, (size_t)(n * (uint64_t)s->n_axis) * sizeof *larger);
        s->given = larger;
        g->n_given = room;
    }
    return SP_OK;
}

/* The points of a candidate. */
static void add_candidate(sp_study *s, const double *x, uint64_t *n)
{
    const sp_goal *g = s->goal;
    for (int j = 0; j < g->n_sub; j++) {
        double *row = s->given + (*n)++ * (uint64_t)s->n_axis;
        for (int k = 0; k < g->d; k++) {
            row[k] = value_of(&s->axis[k], x[k]);
        }
        if (s->n_axis > g->d) {
            row[g->d] = s->axis[g->d].value[j];
        }
    }
}

/* Candidates of the next generation, and their points. */
static sp_status add_generation(sp_study *s, uint64_t *n, sp_error *err)
{
    sp_goal *g = s->goal;
    const long lambda = g->search.lambda;
    SP_TRY(reserve_points(s, *n, (uint64_t)lambda * (uint64_t)g->n_sub, err));
    sp_cmaes_draw(&g->search, s->seed, (uint64_t)g->generation);
    for (long c = 0; c < lambda; c++) {
        add_candidate(s, g->search.x + c * g->d, n);
    }
    return SP_OK;
}

/* ---- judgement --------------------------------------------------------------------------------
 */

/* The polynomial of degree 4 through f[-2], ..., f[2], at x. */
static double quartic(const double *f, double x)
{
    double sum = 0.0;
    for (int i = -2; i <= 2; i++) {
        double part = f[i];
        for (int j = -2; j <= 2; j++) {
            part *= j != i ? (x - j) / (i - j) : 1.0;
        }
        sum += part;
    }
    return sum;
}

/* The largest of n values of a smooth function on an even grid; tops between grid points by the
 * polynomial through five of them.   theory (80.11) */
static double worst_of(int n, const double *f, bool even)
{
    double most = f[0];
    for (int k = 0; k < n; k++) {
        most = f[k] > most ? f[k] : most;
        double a = -1.0, b = 1.0;
        if (!even || k < 2 || k > n - 3 || f[k] < f[k - 1] || f[k] < f[k + 1]) {
            continue;
        }
        for (int i = 0; i < 60; i++) { /* by thirds */
            const double left = a + (b - a) / 3.0, right = b - (b - a) / 3.0;
            *(quartic(f + k, left) < quartic(f + k, right) ? &a : &b) =
                quartic(f + k, left) < quartic(f + k, right) ? left : right;
        }
        most = fmax(most, quartic(f + k, 0.5 * (a + b)));
    }
    return most;
}

/* Objective and violation of candidate c, the points of which begin at `first`. */
static sp_status judge(sp_study *s, long c, uint64_t first, sp_measure_reader read, void *ctx,
                       sp_error *err)
{
    sp_goal *g = s->goal;
    double *measure = malloc(((size_t)s->n_measure + (size_t)g->n_sub + 1) * sizeof *measure);
    double *f = measure ? measure + s->n_measure : NULL, violation = 0.0, square = 0.0;
    sp_status result = measure ? SP_OK : SP_FAIL(err, SP_E_MEMORY, "no memory");
    for (int j = 0; result == SP_OK && j < g->n_sub; j++) {
        int status;
        result = read(ctx, first + (uint64_t)j, &status, measure, err);
        const double value = measure[g->measure];
        if (status >= SP_POINT_FAILED || !isfinite(value)) {
            violation = INFINITY; /* as bad as can be */
        }
        f[j] = g->sign * value;
        square += g->target ? (value - g->target[j]) * (value - g->target[j]) : 0.0;
        for (int k = 0; k < g->n_bound; k++) {
            const bound *b = &g->bound[k];
            const double over = b->sign * (measure[b->measure] - b->value);
            const double size = fabs(b->value) > 0.0 ? fabs(b->value) : 1.0;
            violation = isnan(over) ? INFINITY : fmax(violation, over / size);
        }
    }
    if (result == SP_OK) {
        g->violation[c] = violation;
        g->f[c] = violation == INFINITY ? INFINITY
                  : g->target           ? sqrt(square / g->n_sub)
                              : worst_of(g->n_sub, f, g->n_sub > 1 && !s->axis[g->d].text);
    }
    free(measure);
    return result;
}

/* Whether candidate a is better than b. */
static bool is_better(const sp_goal *g, long a, long b)
{
    return g->violation[a] != g->violation[b] ? g->violation[a] < g->violation[b]
           : g->f[a] != g->f[b]               ? g->f[a] < g->f[b]
                                              : a < b;
}

/* Candidates from the best on. */
static void sort_candidates(const sp_goal *g, long *order)
{
    for (long i = 0; i < g->search.lambda; i++) {
        long k = i;
        for (; k > 0 && is_better(g, i, order[k - 1]); k--) {
            order[k] = order[k - 1];
        }
        order[k] = i;
    }
}

/* Keep candidate c, whose points begin at `first`, if it is the best so far. */
static void keep_best(sp_study *s, long c, uint64_t first)
{
    sp_goal *g = s->goal;
    if (g->violation[c] < g->best_violation ||
        (g->violation[c] == g->best_violation && g->f[c] < g->best)) {
        g->best = g->f[c];
        g->best_violation = g->violation[c];
        memcpy(g->best_row, s->given + first * (uint64_t)s->n_axis,
               (size_t)s->n_axis * sizeof *g->best_row);
    }
}

/* Whether the search has nothing more to find: it is narrow, it is long, or (where there is another
 * one) its best values stay as they are. */
static bool has_ended(sp_goal *g, double widest, double best)
{
    const bool same = fabs(best - g->last) <= STAYS * fabs(best);
    g->still = same ? g->still + 1 : 0;
    g->last = best;
    const long patience =
        PATIENCE + (PATIENCE_EACH * g->d + g->search.lambda - 1) / g->search.lambda;
    return !(widest > g->tolerance) || g->search.age >= g->generations ||
           (g->restarts > 0 && g->still > patience);
}

/* What follows a generation: another one, or one of another search; *on: there is one. */
static sp_status go_on(sp_study *s, double widest, double best, bool *on, sp_error *err)
{
    sp_goal *g = s->goal;
    bool ended = has_ended(g, widest, best);
    if (ended && g->restart < g->restarts) {
        g->restart++;
        if (!begin_search(s, g, 2 * g->search.lambda)) {
            return SP_FAIL(err, SP_E_MEMORY, "no memory");
        }
        ended = false;
    }
    *on = !ended && g->n_candidate + g->search.lambda <= g->budget;
    return SP_OK;
}

/* Judge the present generation and learn from it; whether there is another one. */
static sp_status end_generation(sp_study *s, uint64_t n, sp_measure_reader read, void *ctx,
                                bool *on, sp_error *err)
{
    sp_goal *g = s->goal;
    const long lambda = g->search.lambda;
    const uint64_t begin = n - (uint64_t)lambda * (uint64_t)g->n_sub;
    long *order = malloc((size_t)lambda * sizeof *order);
    sp_status status = order ? SP_OK : SP_FAIL(err, SP_E_MEMORY, "no memory");
    for (long c = 0; status == SP_OK && c < lambda; c++) {
        status = judge(s, c, begin + (uint64_t)c * (uint64_t)g->n_sub, read, ctx, err);
    }
    if (status == SP_OK) {
        sort_candidates(g, order);
        keep_best(s, order[0], begin + (uint64_t)order[0] * (uint64_t)g->n_sub);
        const double best = g->f[order[0]], widest = sp_cmaes_learn(&g->search, order);
        fprintf(g->story, "%ld %.17g %.17g\n", g->generation, sp_goal_best(s), widest);
        g->generation++;
        g->n_candidate += lambda;
        status = go_on(s, widest, best, on, err);
    }
    free(order);
    return status;
}

/* ---- searches of NLopt: a generation is one candidate ------------------------------------------
 */

/* Keep what is known of the candidate that was judged last. */
static sp_status keep_past(sp_study *s, sp_error *err)
{
    sp_goal *g = s->goal;
    const size_t d = (size_t)g->d, n = (size_t)g->n_past;
    if (g->n_past == g->past_room) {
        const size_t room = 2 * n + 64;
        double *x = SP_NEW(&s->arena, double, room *d), *f = SP_NEW(&s->arena, double, room);
        double *violation = SP_NEW(&s->arena, double, room);
        if (!x || !f || !violation) {
            return SP_FAIL(err, SP_E_MEMORY, "no memory for candidates");
        }
        if (n > 0) {
            memcpy(x, g->past_x, n * d * sizeof *x);
            memcpy(f, g->past_f, n * sizeof *f);
            memcpy(violation, g->past_violation, n * sizeof *violation);
        }
        g->past_x = x;
        g->past_f = f;
        g->past_violation = violation;
        g->past_room = (long)room;
    }
    memcpy(g->past_x + n * d, g->search.x, d * sizeof *g->past_x);
    g->past_f[n] = g->f[0];
    g->past_violation[n] = g->violation[0];
    g->n_past++;
    return SP_OK;
}

/* Judge the last candidate, and add the next one, unless the search has ended. */
static sp_status advance_outside(sp_study *s, sp_measure_reader read, void *ctx, uint64_t *n,
                                 sp_error *err)
{
    sp_goal *g = s->goal;
    bool on;
    if (*n > 0) {
        const uint64_t first = *n - (uint64_t)g->n_sub;
        SP_TRY(judge(s, 0, first, read, ctx, err));
        keep_best(s, 0, first);
        SP_TRY(keep_past(s, err));
        fprintf(g->story, "%ld %.17g 0\n", g->generation++, sp_goal_best(s));
    }
    const sp_outside o = {.method = g->method,
                          .d = g->d,
                          .start = g->search.mean,
                          .tolerance = g->tolerance,
                          .most = g->budget,
                          .seed = s->seed,
                          .limits = g->n_bound > 0,
                          .n = g->n_past,
                          .x = g->past_x,
                          .f = g->past_f,
                          .violation = g->past_violation};
    SP_TRY(sp_outside_next(&o, g->search.x, &on, err));
    SP_TRY(reserve_points(s, *n, (uint64_t)g->n_sub, err));
    if (on) {
        add_candidate(s, g->search.x, n);
    }
    return SP_OK;
}

sp_status sp_goal_advance(sp_study *s, sp_measure_reader read, void *ctx, uint64_t *n,
                          sp_error *err)
{
    bool on = true;
    if (s->goal->method) {
        return advance_outside(s, read, ctx, n, err);
    }
    SP_TRY(*n > 0 ? end_generation(s, *n, read, ctx, &on, err) : SP_OK);
    return on ? add_generation(s, n, err) : SP_OK;
}
