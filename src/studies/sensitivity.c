/* studies/sensitivity.c - how much measures depend on parameters: by differences about one point,
 * by elementary effects [Morris1991], by shares of the variance [Saltelli2010].   theory
 * (88.5)-(88.9)
 *
 * Parameters are scaled to 0..1 along their ranges. */
#include "base/status.h"
#include "studies/findings.h"
#include "studies/journal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum method { LOCAL, MORRIS, SOBOL } method;
enum { LEVELS = 4, COLUMNS = 4 };

struct sp_sensitivity {
    method method;
    int d;
    uint64_t n, block; /* blocks of points that belong together, points of each */
    double step;
};

/* ---- points ---------------------------------------------------------------------------------- */

/* The middle, then each parameter down and up.   (88.5) */
static void local_points(const sp_study *s, const sp_sensitivity *g, double *row)
{
    const int d = g->d;
    for (int i = 0; i < 1 + 2 * d; i++) {
        for (int k = 0; k < d; k++) {
            row[i * d + k] = sp_axis_part(&s->axis[k], s->axis[k].start);
        }
        if (i > 0) {
            row[i * d + (i - 1) / 2] += i % 2 == 1 ? -g->step : g->step;
        }
    }
}

/* A walk through the levels, one parameter after the other by half of the range and more.  (88.6)
 */
static void morris_walk(const sp_study *s, const sp_sensitivity *g, uint64_t j, double *row)
{
    const int d = g->d;
    const double jump = LEVELS / (2.0 * (LEVELS - 1));
    const uint64_t seat = (uint64_t)d;
    for (int k = 0; k < d; k++) { /* begin on one of the lower levels */
        const double u = sp_study_random(s->seed, j, (uint64_t)k);
        row[k] = floor(u * (LEVELS / 2)) / (LEVELS - 1);
    }
    for (int i = 1; i <= d; i++) {
        memcpy(row + i * d, row + (i - 1) * d, (size_t)d * sizeof *row);
        int left = (int)(sp_study_random(s->seed, j, seat + (uint64_t)i) * (d - i + 1));
        for (int k = 0; k < d; k++) { /* the one with number `left` of those that did not jump */
            const bool jumped = row[i * d + k] != row[k];
            if (!jumped && left-- == 0) {
                row[i * d + k] += jump;
                break;
            }
        }
    }
    for (int k = 0; k < d; k++) { /* half of them go down instead */
        if (sp_study_random(s->seed, j, 2 * seat + 1 + (uint64_t)k) < 0.5) {
            for (int i = 0; i <= d; i++) {
                row[i * d + k] = 1.0 - row[i * d + k];
            }
        }
    }
}

/* A, B, and A with one column of B.   (88.7) */
static sp_status sobol_points(const sp_study *s, const sp_sensitivity *g, double *row,
                              sp_error *err)
{
    const int d = g->d;
    double *both = malloc((size_t)g->n * 2 * (size_t)d * sizeof *both);
    sp_status status = both ? sp_points_sampling("sobol", s->seed, g->n, 2 * d, both, err)
                            : SP_FAIL(err, SP_E_MEMORY, "no memory for points");
    for (uint64_t j = 0; status == SP_OK && j < g->n; j++) {
        const double *a = both + j * 2 * (uint64_t)d, *b = a + d;
        double *to = row + j * g->block * (uint64_t)d;
        memcpy(to, a, (size_t)d * sizeof *to);
        memcpy(to + d, b, (size_t)d * sizeof *to);
        for (int i = 0; i < d; i++) {
            memcpy(to + (2 + i) * d, a, (size_t)d * sizeof *to);
            to[(2 + i) * d + i] = b[i];
        }
    }
    free(both);
    return status;
}

/* Method and its numbers. */
static sp_status read_method(sp_study *s, const sp_node *node, sp_sensitivity *g, sp_error *err)
{
    static const char *const word[] = {"local", "morris", "sobol"};
    const sp_node *at = sp_node_get(node, "method"), *step = sp_node_get(node, "step");
    long n;
    g->d = s->n_axis;
    g->step = 0.01;
    for (int k = 0; at && at->text && k < 3; k++) {
        g->method = strcmp(at->text, word[k]) == 0 ? (method)k : g->method;
    }
    SP_TRY(sp_study_whole(node, "n", g->method == MORRIS ? 20 : 1024, &n, err));
    SP_TRY(sp_study_quantity(s, step, "1", &g->step, err));
    if (!(g->step > 0.0 && g->step <= 0.5)) {
        return sp_study_fail_at(step, err, "sensitivity: expected a step above 0, at most 0.5");
    }
    g->n = g->method == LOCAL ? 1 : (uint64_t)n;
    g->block = g->method == LOCAL    ? 1 + 2 * (uint64_t)g->d
               : g->method == MORRIS ? 1 + (uint64_t)g->d
                                     : 2 + (uint64_t)g->d;
    return g->d > 0 ? SP_OK : sp_study_fail_at(node, err, "sensitivity needs ranges in 'vary'");
}

sp_status sp_sensitivity_points(sp_study *s, const sp_node *node, sp_error *err)
{
    sp_sensitivity *g = SP_NEW(&s->arena, sp_sensitivity, 1);
    if (!g) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory");
    }
    SP_TRY(read_method(s, node, g, err));
    s->sensitivity = g;
    s->n_row = g->n * g->block;
    s->given = SP_NEW(&s->arena, double, s->n_row *(uint64_t)g->d);
    if (!s->given) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory for points");
    }
    if (g->method == SOBOL) {
        return sobol_points(s, g, s->given, err);
    }
    for (uint64_t j = 0; j < g->n; j++) {
        double *row = s->given + j * g->block * (uint64_t)g->d;
        if (g->method == LOCAL) {
            local_points(s, g, row);
        } else {
            morris_walk(s, g, j, row);
        }
    }
    return SP_OK;
}

/* ---- results --------------------------------------------------------------------------------- */

/* Of one measure: f has its value at every point, not a number where it failed. */
typedef struct numbers {
    const sp_study *s;
    const sp_sensitivity *g;
    const double *f;
} numbers;

/* Whether all points of block j have values. */
static bool is_whole(const numbers *x, uint64_t j)
{
    bool whole = true;
    for (uint64_t k = 0; k < x->g->block; k++) {
        whole = whole && isfinite(x->f[j * x->g->block + k]);
    }
    return whole;
}

/* Slope per unit of the parameter, and per range.   (88.5) */
static void local_row(const numbers *x, int i, double *row)
{
    const sp_axis *a = &x->s->axis[i];
    const double u = sp_axis_part(a, a->start), h = x->g->step;
    const double change = x->f[2 + 2 * i] - x->f[1 + 2 * i];
    row[0] = change / (sp_axis_value(a, u + h) - sp_axis_value(a, u - h));
    row[1] = change / (2.0 * h);
}

/* Mean, mean size and spread of the elementary effects of parameter i.   (88.6) */
static void morris_row(const numbers *x, int i, double *row)
{
    const int d = x->g->d;
    double sum = 0.0, size = 0.0, square = 0.0, n = 0.0;
    for (uint64_t j = 0; j < x->g->n; j++) {
        if (!is_whole(x, j)) {
            continue;
        }
        for (uint64_t k = j * x->g->block; k < j * x->g->block + (uint64_t)d; k++) {
            const double a = x->s->given[k * (uint64_t)d + (uint64_t)i];
            const double b = x->s->given[(k + 1) * (uint64_t)d + (uint64_t)i];
            if (a != b) {
                const double part =
                    sp_axis_part(&x->s->axis[i], b) - sp_axis_part(&x->s->axis[i], a);
                const double effect = (x->f[k + 1] - x->f[k]) / part;
                sum += effect;
                size += fabs(effect);
                square += effect * effect;
                n += 1.0;
            }
        }
    }
    row[0] = sum / n;
    row[1] = size / n;
    row[2] = n > 1.0 ? sqrt(fmax(0.0, square - sum * sum / n) / (n - 1.0)) : (double)NAN;
}

/* Mean and variance over A and B; how many blocks are whole. */
static double spread(const numbers *x, double *mean, double *variance)
{
    double n = 0.0, sum = 0.0, square = 0.0;
    for (int pass = 0; pass < 2; pass++) {
        for (uint64_t j = 0; j < x->g->n; j++) {
            const double *f = x->f + j * x->g->block;
            if (!is_whole(x, j)) {
                continue;
            }
            if (pass == 0) {
                n += 1.0;
                sum += f[0] + f[1];
            } else {
                square += (f[0] - *mean) * (f[0] - *mean) + (f[1] - *mean) * (f[1] - *mean);
            }
        }
        *mean = sum / (2.0 * n);
    }
    *variance = square / (2.0 * n);
    return n;
}

/* First-order and total index of parameter i with their standard errors.   (88.8), (88.9) */
static void sobol_row(const numbers *x, int i, double *row)
{
    double mean, variance, sum[2] = {0.0, 0.0}, square[2] = {0.0, 0.0};
    const double n = spread(x, &mean, &variance);
    for (uint64_t j = 0; j < x->g->n; j++) {
        const double *f = x->f + j * x->g->block;
        if (!is_whole(x, j)) {
            continue;
        }
        const double a = f[0] - mean, b = f[1] - mean, ab = f[2 + i] - mean;
        const double term[2] = {b * (ab - a), 0.5 * (a - ab) * (a - ab)};
        for (int k = 0; k < 2; k++) {
            sum[k] += term[k];
            square[k] += term[k] * term[k];
        }
    }
    for (int k = 0; k < 2; k++) {
        const double of = sum[k] / n;
        row[2 * k] = of / variance;
        row[2 * k + 1] = sqrt(fmax(0.0, square[k] / n - of * of) / n) / variance;
    }
}

/* The table of one measure. */
static bool put_measure(const numbers *x, int measure, sp_findings *f)
{
    static const struct {
        int n;
        const char *column[COLUMNS];
        void (*row)(const numbers *x, int i, double *row);
    } of[] = {{2, {"slope", "change_over_range", NULL, NULL}, local_row},
              {3, {"mean_effect", "mean_size", "spread", NULL}, morris_row},
              {4, {"first_order", "error", "total", "total_error"}, sobol_row}};
    const sp_study *s = x->s;
    const method m = x->g->method;
    sp_draft d;
    const char *name = sp_arena_printf(&f->arena, "sensitivity_%s", s->measure[measure]);
    if (!name || !sp_findings_add(f, name, (uint64_t)x->g->d, of[m].n, true, &d)) {
        return false;
    }
    for (int k = 0; k < of[m].n; k++) {
        d.column[k] = of[m].column[k];
        d.unit[k] = m == SOBOL || (m == LOCAL && k == 0) ? "1" : s->measure_unit[measure];
    }
    for (int i = 0; i < x->g->d; i++) {
        d.row[i] = s->axis[i].name;
        of[m].row(x, i, d.value + i * of[m].n);
    }
    return true;
}

sp_status sp_sensitivity_find(sp_study *s, const sp_outcomes *from, sp_findings *f, sp_error *err)
{
    sp_outcome o = {.point = 0};
    const uint64_t n = s->n_row;
    double *value = malloc((size_t)(n * (uint64_t)s->n_measure + 1) * sizeof *value);
    sp_status status = value ? SP_OK : SP_FAIL(err, SP_E_MEMORY, "no memory for measures");
    for (uint64_t i = 0; status == SP_OK && i < n; i++) {
        status = from->get(from->ctx, i, &o, err);
        for (int k = 0; status == SP_OK && k < s->n_measure; k++) {
            value[(uint64_t)k * n + i] = o.status < SP_POINT_FAILED ? o.measure[k] : (double)NAN;
        }
    }
    for (int k = 0; status == SP_OK && k < s->n_measure; k++) {
        const numbers x = {.s = s, .g = s->sensitivity, .f = value + (uint64_t)k * n};
        status = put_measure(&x, k, f) ? SP_OK : SP_FAIL(err, SP_E_MEMORY, "no memory");
    }
    sp_outcome_free(&o);
    free(value);
    return status;
}
