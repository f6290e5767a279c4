#include "math/slack.h"

#include <math.h>
#include <stdbool.h>

#define TINY 1e-12     /* smaller pivots, prices and differences of ratios are round-off   */
enum { REFINED = 2 };  /* times that the vertex found is improved                          */
#define DEPENDENT 1e-9 /* columns with smaller pivots for artificial variables are left out */

/* The dual problem  min b.y + cap y_0,  y_0 + sum y = 1,  B^T y = 0,  y >= 0  as a tableau.
 * Columns: y_0, y_1 .. y_m, then k artificial variables, which start in the basis at zero and never
 * come back; the last one is the right-hand side.  Row k + 1 has the prices. */
typedef struct tableau {
    int n_row, n_col, first_artificial;
    double *T;
    double *basic; /* n_row: variable of each row, as numbers */
} tableau;

size_t sp_slack_work(int m, int k)
{
    return (size_t)(k + 2) * (size_t)(m + k + 2) + (size_t)k + 1;
}

static double *row_of(const tableau *t, int r)
{
    return t->T + (size_t)r * (size_t)t->n_col;
}

static tableau fill(int m, int k, const double *B, const double *b, double cap, double *work)
{
    tableau t = {.n_row = k + 1, .n_col = m + k + 2, .first_artificial = m + 1, .T = work};
    t.basic = work + (size_t)(k + 2) * (size_t)t.n_col;
    for (int r = 0; r <= k; r++) {
        double *T = row_of(&t, r);
        for (int c = 0; c < t.n_col; c++) {
            T[c] = r == 0             ? (c <= m || c == t.n_col - 1 ? 1.0 : 0.0)
                   : c >= 1 && c <= m ? B[(size_t)(c - 1) * (size_t)k + (size_t)(r - 1)]
                   : c == m + r       ? 1.0
                                      : 0.0;
        }
        t.basic[r] = r == 0 ? 0.0 : (double)(m + r);
    }
    double *price = row_of(&t, k + 1);
    for (int c = 0; c < t.n_col; c++) { /* cost less what the basis, y_0 alone, costs */
        price[c] = c >= 1 && c <= m ? b[c - 1] - cap : c == t.n_col - 1 ? -cap : 0.0;
    }
    return t;
}

/* The column that comes in: that of the lowest price, or the first one below zero (Bland: no
 * cycles); 0: none. */
static int entering(const tableau *t, bool first)
{
    const double *price = row_of(t, t->n_row);
    int best = 0;
    for (int c = 1; c < t->first_artificial && !(first && best > 0); c++) {
        if (price[c] < (best > 0 ? price[best] : -TINY)) {
            best = c;
        }
    }
    return best;
}

/* What the variable of row r allows of column c: how much of it until it is zero.  Artificial ones
 * that are left are zero by rows that are. */
static double ratio_of(const tableau *t, int r, int c)
{
    const double a = row_of(t, r)[c], right = row_of(t, r)[t->n_col - 1];
    return !(a > TINY) || (int)t->basic[r] >= t->first_artificial ? INFINITY
           : right > 0.0                                          ? right / a
                                                                  : 0.0;
}

/* The row that leaves for column c, of those with the smallest ratio the one with the largest
 * pivot, or that of the variable with the lowest number (Bland); -1: none. */
static int leaving(const tableau *t, int c, bool first)
{
    double least = INFINITY;
    int best = -1;
    for (int r = 0; r < t->n_row; r++) {
        least = fmin(least, ratio_of(t, r, c));
    }
    for (int r = 0; r < t->n_row; r++) {
        const double ratio = ratio_of(t, r, c);
        if (ratio == INFINITY || ratio > least + (first ? 0.0 : TINY)) {
            continue;
        }
        if (best < 0 ||
            (first ? t->basic[r] < t->basic[best] : row_of(t, r)[c] > row_of(t, best)[c])) {
            best = r;
        }
    }
    return best;
}

static void pivot(const tableau *t, int r, int c)
{
    double *P = row_of(t, r);
    const double inverse = 1.0 / P[c];
    for (int j = 0; j < t->n_col; j++) {
        P[j] *= inverse;
    }
    for (int i = 0; i <= t->n_row; i++) {
        double *T = row_of(t, i);
        const double a = T[c];
        for (int j = 0; j < t->n_col && i != r && a != 0.0; j++) {
            T[j] -= a * P[j];
        }
    }
    t->basic[r] = (double)c;
}

/* The artificial variables, which are zero, out of the basis by the largest pivots there are: which
 * columns come in for them changes no value, and whatever price asked for may be as good as
 * dependent.   theory (53.4) */
static void drop_artificial(const tableau *t)
{
    for (;;) {
        int row = -1, col = -1;
        double most = DEPENDENT;
        for (int r = 0; r < t->n_row; r++) {
            const double *T = row_of(t, r);
            for (int c = 1; c < t->first_artificial && (int)t->basic[r] >= t->first_artificial;
                 c++) {
                if (fabs(T[c]) > most) {
                    most = fabs(T[c]);
                    row = r;
                    col = c;
                }
            }
        }
        if (row < 0) {
            return;
        }
        pivot(t, row, col);
    }
}

/* b_i + (B z)_i */
static double slack_of(int k, const double *B, const double *b, int i, const double *z)
{
    double sum = b[i];
    for (int j = 0; j < k; j++) {
        sum += B[(size_t)i * (size_t)k + (size_t)j] * z[j];
    }
    return sum;
}

/* What the inequalities of the basis still differ from the margin by, taken out of both. */
static void refine(const tableau *t, int k, const double *B, const double *b, double cap, double *s,
                   double *z)
{
    const double margin = *s;
    double *off = row_of(t, t->n_row); /* the prices are not needed any more */
    for (int r = 0; r < t->n_row; r++) {
        const int c = (int)t->basic[r];
        off[r] =
            c >= t->first_artificial ? 0.0 : (c > 0 ? slack_of(k, B, b, c - 1, z) : cap) - margin;
    }
    for (int r = 0; r < t->n_row; r++) {
        *s += row_of(t, r)[0] * off[r];
        for (int j = 0; j < k; j++) {
            z[j] -= row_of(t, r)[t->first_artificial + j] * off[r];
        }
    }
}

/* min(cap, b + B z) */
static double slack_at(int m, int k, const double *B, const double *b, double cap, const double *z)
{
    double least = cap;
    for (int i = 0; i < m; i++) {
        const double slack = slack_of(k, B, b, i, z);
        least = slack < least ? slack : least;
    }
    return least;
}

double sp_slack_most(int m, int k, const double *B, const double *b, double cap, double *z,
                     double *work)
{
    const tableau t = fill(m, k, B, b, cap, work);
    const double *price = row_of(&t, t.n_row);
    const int limit = 50 * (m + k + 1);
    drop_artificial(&t);
    for (int count = 0; count < 2 * limit; count++) {
        const int c = entering(&t, count >= limit);
        const int r = c > 0 ? leaving(&t, c, count >= limit) : -1;
        if (r < 0) {
            break;
        }
        pivot(&t, r, c);
    }
    for (int j = 0; j < k; j++) {
        z[j] = price[t.first_artificial + j];
    }
    double s = -price[t.n_col - 1];
    for (int pass = 0; pass < REFINED; pass++) {
        refine(&t, k, B, b, cap, &s, z);
    }
    return slack_at(m, k, B, b, cap, z);
}
