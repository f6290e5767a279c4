#include "math/slack.h"

#include <math.h>

#define TINY 1e-12 /* smaller pivots and prices are round-off */

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

/* The artificial variable that leaves for column c, that of the largest pivot; -1: none. */
static int leaving_artificial(const tableau *t, int c)
{
    int best = -1;
    double most = 1e-9;
    for (int r = 0; r < t->n_row; r++) {
        const double a = fabs(row_of(t, r)[c]);
        if ((int)t->basic[r] >= t->first_artificial && a > most) {
            most = a;
            best = r;
        }
    }
    return best;
}

/* The row that leaves for column c: an artificial one at once, else the smallest ratio, ties by the
 * number of the variable (Bland: no cycles); -1: none. */
static int leaving(const tableau *t, int c)
{
    int best = leaving_artificial(t, c);
    double least = INFINITY;
    if (best >= 0) {
        return best;
    }
    for (int r = 0; r < t->n_row; r++) {
        const double a = row_of(t, r)[c], right = row_of(t, r)[t->n_col - 1];
        if (!(a > TINY)) {
            continue;
        }
        const double ratio = right > 0.0 ? right / a : 0.0;
        if (ratio < least || (ratio == least && best >= 0 && t->basic[r] < t->basic[best])) {
            least = ratio;
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

double sp_slack_most(int m, int k, const double *B, const double *b, double cap, double *z,
                     double *work)
{
    const tableau t = fill(m, k, B, b, cap, work);
    const double *price = row_of(&t, t.n_row);
    const int limit = 50 * (m + k + 1);
    for (int count = 0; count < limit; count++) {
        int c = 1;
        while (c <= m && !(price[c] < -TINY)) {
            c++;
        }
        const int r = c <= m ? leaving(&t, c) : -1;
        if (r < 0) {
            break;
        }
        pivot(&t, r, c);
    }
    for (int j = 0; j < k; j++) {
        z[j] = price[t.first_artificial + j];
    }
    return -price[t.n_col - 1];
}
