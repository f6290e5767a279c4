/* studies/points.c - which values each point has: functions of the study and of its number alone.
 *
 * Points are numbered with the first axis fastest, then the other axes, repeats, starts, and up
 * before down.   theory (80.6) */
#include "base/status.h"
#include "studies/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* splitmix64 (Steele, Lea and Flood 2014) of one number. */
static uint64_t mix(uint64_t z)
{
    z += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

double sp_study_random(long long seed, uint64_t point, uint64_t k)
{
    return (double)(mix(mix(mix((uint64_t)seed) ^ point) ^ k) >> 11) * 0x1p-53;
}

/* ---- sampling -------------------------------------------------------------------------------- */

enum { SOBOL_BITS = 52, SOBOL_MAX = 21 };

/* Primitive polynomials and first direction numbers of Joe and Kuo (2008), from the second
 * dimension on: degree, coefficients, m. */
static const struct {
    unsigned degree, a, m[7];
} joe_kuo[SOBOL_MAX - 1] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
};

/* Direction numbers of dimension j. */
static void directions(int j, uint64_t v[SOBOL_BITS])
{
    for (int k = 0; k < SOBOL_BITS; k++) {
        const unsigned s = j == 0 ? 0 : joe_kuo[j - 1].degree;
        if (j == 0 || k < (int)s) {
            v[k] = (uint64_t)(j == 0 ? 1 : joe_kuo[j - 1].m[k]) << (SOBOL_BITS - 1 - k);
            continue;
        }
        v[k] = v[k - (int)s] ^ (v[k - (int)s] >> s);
        for (unsigned i = 1; i < s; i++) {
            if (joe_kuo[j - 1].a >> (s - 1 - i) & 1) {
                v[k] ^= v[k - (int)i];
            }
        }
    }
}

/* A Sobol sequence from its second point on, shifted digit by digit by a random number. */
static void sobol(long long seed, uint64_t n, int d, double *row)
{
    for (int j = 0; j < d; j++) {
        uint64_t v[SOBOL_BITS], x = 0;
        const uint64_t shift = mix(mix((uint64_t)seed) ^ (uint64_t)j) >> (64 - SOBOL_BITS);
        directions(j, v);
        for (uint64_t i = 0; i < n; i++) {
            int zero = 0; /* the lowest zero of i, in Gray code */
            while (i >> zero & 1) {
                zero++;
            }
            row[i * (uint64_t)d + (uint64_t)j] = (double)(x ^ shift) * 0x1p-52;
            x ^= v[zero];
        }
    }
}

/* One point in each of n slices of every axis, in random order (Fisher and Yates). */
static bool latin(long long seed, uint64_t n, int d, double *row)
{
    uint64_t *order = malloc((size_t)n * sizeof *order);
    for (int j = 0; j < d && order; j++) {
        for (uint64_t i = 0; i < n; i++) {
            const uint64_t k =
                (uint64_t)(sp_study_random(seed, i, (uint64_t)j + 1000) * (double)(i + 1));
            order[i] = order[k < i ? k : i];
            order[k < i ? k : i] = i;
        }
        for (uint64_t i = 0; i < n; i++) {
            const double inside = sp_study_random(seed, i, (uint64_t)j);
            row[i * (uint64_t)d + (uint64_t)j] = ((double)order[i] + inside) / (double)n;
        }
    }
    free(order);
    return order != NULL;
}

sp_status sp_points_sampling(const char *method, long long seed, uint64_t n, int d, double *row,
                             sp_error *err)
{
    if (strcmp(method, "sobol") == 0 && d > SOBOL_MAX) {
        return SP_FAIL(err, SP_E_INPUT,
                       "sampling: sobol has at most %d parameters, not %d; take latin", SOBOL_MAX,
                       d);
    }
    if (strcmp(method, "sobol") == 0) {
        sobol(seed, n, d, row);
        return SP_OK;
    }
    if (strcmp(method, "latin") == 0) {
        return latin(seed, n, d, row) ? SP_OK : SP_FAIL(err, SP_E_MEMORY, "no memory for points");
    }
    for (uint64_t i = 0; i < n; i++) {
        for (int j = 0; j < d; j++) {
            row[i * (uint64_t)d + (uint64_t)j] = sp_study_random(seed, i, (uint64_t)j);
        }
    }
    return SP_OK;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Split the next factor off a number. */
static uint64_t split(uint64_t *rest, uint64_t n)
{
    const uint64_t k = *rest % n;
    *rest /= n;
    return k;
}

void sp_points_values(const sp_study *s, uint64_t i, const double *row, double *value, int *repeat)
{
    const int n_fixed = s->n_axis - s->n_drawn;
    uint64_t rest = i, r = 0;
    const bool down = s->both && i >= s->n_point / 2;
    if (s->both) {
        rest = i % (s->n_point / 2);
    }
    if (s->n_row > 0 && !row) {
        r = split(&rest, s->n_row);
        r = down ? s->n_row - 1 - r : r;
        row = s->given + r * (uint64_t)n_fixed;
    }
    for (int k = 0; k < n_fixed; k++) {
        if (row) {
            value[k] = row[k];
            continue;
        }
        uint64_t j = split(&rest, (uint64_t)s->axis[k].n);
        j = k == 0 && down ? (uint64_t)s->axis[k].n - 1 - j : j;
        value[k] = s->axis[k].value[j];
    }
    *repeat = (int)split(&rest, (uint64_t)s->repeat);
    for (int k = n_fixed; k < s->n_axis; k++) {
        value[k] = sp_axis_value(&s->axis[k], sp_study_random(s->seed, i, (uint64_t)k));
    }
}

double sp_axis_value(const sp_axis *a, double u)
{
    return a->log ? a->from * pow(a->to / a->from, u) : a->from + (a->to - a->from) * u;
}

double sp_axis_part(const sp_axis *a, double value)
{
    return a->log ? log(value / a->from) / log(a->to / a->from)
                  : (value - a->from) / (a->to - a->from);
}

char *sp_axis_text(const sp_axis *a, double value, sp_arena *arena)
{
    for (int j = 0; a->text && j < a->n; j++) {
        if (a->value[j] == value) {
            return sp_arena_copy(arena, a->text[j]);
        }
    }
    return sp_arena_printf(arena, a->unit[0] ? "%.17g %s" : "%.17g", value, a->unit);
}

bool sp_points_put(sp_study *s, uint64_t i, const double *row, sp_arena *arena)
{
    double *value = SP_NEW(arena, double, s->n_axis + 1);
    int repeat = 0;
    if (!value) {
        return false;
    }
    sp_points_values(s, i, row, value, &repeat);
    for (int k = 0; k < s->n_axis; k++) {
        s->axis[k].leaf->text = sp_axis_text(&s->axis[k], value[k], arena);
        if (!s->axis[k].leaf->text) {
            return false;
        }
    }
    if (s->seed_leaf) {
        s->seed_leaf->text = sp_arena_printf(arena, "%lld", s->model_seed + repeat);
    }
    return !s->seed_leaf || s->seed_leaf->text;
}

uint64_t sp_points_stride(const sp_study *s)
{
    uint64_t n = s->n_row > 0 ? s->n_row : 1;
    for (int k = 0; s->n_row == 0 && k < s->n_axis - s->n_drawn; k++) {
        n *= s->axis[k].n > 0 ? (uint64_t)s->axis[k].n : 1;
    }
    return n;
}
