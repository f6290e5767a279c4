#include "expr/table.h"

#include "math/spline.h"

#include <string.h>

/* y'' at the points of a natural cubic spline: for every inner point
 *
 *     h_0/6 b_{i-1} + (h_0 + h_1)/3 b_i + h_1/6 b_{i+1} = (y_{i+1} - y_i)/h_1 - (y_i - y_{i-1})/h_0
 *
 * with b = 0 at both ends; eliminated downwards, back upwards (diagonally dominant, no pivots).
 *   x, y   (n)   points       c  (n)  scratch       b  (n)  y'', out           [deBoor78] IV */
static void bend_spline(int n, const double *x, const double *y, double *c, double *b)
{
    b[0] = b[n - 1] = c[0] = 0.0;
    for (int i = 1; i < n - 1; i++) {
        const double h_0 = x[i] - x[i - 1], h_1 = x[i + 1] - x[i];
        const double right = (y[i + 1] - y[i]) / h_1 - (y[i] - y[i - 1]) / h_0;
        const double pivot = (h_0 + h_1) / 3.0 - h_0 / 6.0 * c[i - 1];
        c[i] = h_1 / 6.0 / pivot;
        b[i] = (right - h_0 / 6.0 * b[i - 1]) / pivot;
    }
    for (int i = n - 2; i > 0; i--) {
        b[i] -= c[i] * b[i + 1];
    }
}

/* The first point that is no number or does not lie behind the one before it, -1 if there is none.
 */
static int find_wrong(int n, const double *x, const double *y)
{
    for (int i = 0; i < n; i++) {
        if (!isfinite(x[i]) || !isfinite(y[i]) || (i > 0 && !(x[i] > x[i - 1]))) {
            return i;
        }
    }
    return -1;
}

sp_status sp_table_new(sp_arena *a, int n, const double *x, const double *y, bool spline,
                       sp_table **out, int *wrong)
{
    *out = NULL;
    *wrong = n < 2 ? 0 : find_wrong(n, x, y);
    if (*wrong >= 0) {
        return SP_E_INPUT;
    }
    sp_table *t = SP_NEW(a, sp_table, 1);
    double *number = SP_NEW(a, double, 4 * (size_t)n);
    if (!t || !number) {
        return SP_E_MEMORY;
    }
    memcpy(number, x, (size_t)n * sizeof *x);
    memcpy(number + n, y, (size_t)n * sizeof *y);
    if (spline) {
        bend_spline(n, x, y, number + 3 * n, number + 2 * n);
    }
    *t = (sp_table){.n = n, .x = number, .y = number + n, .bend = spline ? number + 2 * n : NULL};
    *out = t;
    return SP_OK;
}

sp_status sp_table_repeat(sp_arena *a, sp_table *t)
{
    double *work = SP_NEW(a, double, 5 * (size_t)t->n), *bend = work + 4 * t->n;
    if (!work) {
        return SP_E_MEMORY;
    }
    t->period = t->x[t->n - 1] - t->x[0];
    if (t->bend) {
        sp_spline_bend(t->n, t->x, t->y, 1, true, work, bend);
        t->bend = bend;
    }
    return SP_OK;
}

int sp_table_piece(const sp_table *t, double x)
{
    int low = 0, high = t->n - 1;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        *(x >= t->x[middle] ? &low : &high) = middle;
    }
    return low;
}

/* Value, slope and bend at x:  with h the length of the piece and a, b the parts of it behind and
 * before x (a + b = 1)
 *
 *     y = a y_0 + b y_1 + h^2/6 ((a^3 - a) y_0'' + (b^3 - b) y_1'')                [deBoor78] IV */
static double look_up(const sp_table *t, double x, double *slope, double *bend)
{
    const double first = t->x[0], last = t->x[t->n - 1];
    const double at = x < first ? first : x > last ? last : x; /* NaN stays */
    const int i = sp_table_piece(t, at);
    const double h = t->x[i + 1] - t->x[i], a = (t->x[i + 1] - at) / h, b = (at - t->x[i]) / h;
    const double M_0 = t->bend ? t->bend[i] : 0.0, M_1 = t->bend ? t->bend[i + 1] : 0.0;
    *slope = (t->y[i + 1] - t->y[i]) / h +
             h / 6.0 * ((3.0 * b * b - 1.0) * M_1 - (3.0 * a * a - 1.0) * M_0);
    *bend = at == x ? a * M_0 + b * M_1 : 0.0;
    const double y = a * t->y[i] + b * t->y[i + 1] +
                     h * h / 6.0 * ((a * a * a - a) * M_0 + (b * b * b - b) * M_1);
    return at == x ? y : y + *slope * (x - at);
}

double sp_table_value(const sp_table *t, double x)
{
    double slope, bend;
    return look_up(t, x, &slope, &bend);
}

void sp_table_partials(const sp_table *t, double x, sp_partials *d)
{
    d->f = look_up(t, x, &d->x, &d->xx);
    d->use = SP_USE_X | SP_USE_XX;
}
