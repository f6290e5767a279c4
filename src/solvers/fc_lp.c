/* Phase one of the simplex method: least sum of what A x misses of b.  Columns n .. n + m - 1 of
 * the tableau are the missing parts, the last one is b, the last row the cost. */
#include "solvers/fc_lp.h"

#include <math.h>
#include <string.h>

enum { PIVOTS = 1000 };

/* Costs smaller than this are none. */
#define FREE 1e-12
/* b is moved by this, differently in every row, so that no pivot stays where it was. */
#define MOVED 1e-11
/* Less is missing: a point. */
#define POINT 1e-7
/* y'b is at least this part of y, far above round-off, and no x whose sum is less than REACH
 * (beyond it b drowns in rounding) can make up for what y'A is above zero: a proof. */
#define PROOF 1e-9
#define REACH 1e6

/* The tableau of the missing parts as basis; rows are turned so that b >= 0. */
static void begin(sp_fc_lp *q)
{
    const int last = q->n + q->m;
    memset(q->T, 0, sizeof q->T);
    for (int i = 0; i < q->m; i++) {
        const double sign = q->b[i] < 0.0 ? -1.0 : 1.0;
        for (int j = 0; j < q->n; j++) {
            q->T[i][j] = sign * q->A[i][j];
            q->T[q->m][j] -= q->T[i][j];
        }
        q->T[i][q->n + i] = 1.0;
        q->T[i][last] = sign * q->b[i] + MOVED * (1.0 + 0.618034 * i);
        q->T[q->m][last] -= q->T[i][last];
        q->basis[i] = q->n + i;
    }
}

/* The column to enter: that of least cost, none of those that are barred; -1: none. */
static int entering(const sp_fc_lp *q, const char *barred)
{
    int best = -1;
    double least = -FREE;
    for (int j = 0; j < q->n; j++) {
        if (q->T[q->m][j] < least && !barred[j]) {
            best = j;
            least = q->T[q->m][j];
        }
    }
    return best;
}

/* The row to leave: the first to reach zero, of nearly the same ones that of the largest pivot,
 * none of a small one; -1: none. */
static int leaving(const sp_fc_lp *q, int column, double small)
{
    int best = -1;
    double least = INFINITY;
    for (int i = 0; i < q->m; i++) {
        if (q->T[i][column] > small) {
            const double ratio = (q->T[i][q->n + q->m] + small) / q->T[i][column];
            least = ratio < least ? ratio : least;
        }
    }
    for (int i = 0; i < q->m; i++) {
        if (q->T[i][column] > small && q->T[i][q->n + q->m] / q->T[i][column] <= least &&
            (best < 0 || q->T[i][column] > q->T[best][column])) {
            best = i;
        }
    }
    return best;
}

/* The column enters the basis in place of the row's. */
static void exchange(sp_fc_lp *q, int row, int column)
{
    const int width = q->n + q->m + 1;
    const double inverse = 1.0 / q->T[row][column];
    for (int j = 0; j < width; j++) {
        q->T[row][j] *= inverse;
    }
    for (int i = 0; i <= q->m; i++) {
        const double f = q->T[i][column];
        for (int j = 0; i != row && f != 0.0 && j < width; j++) {
            q->T[i][j] -= f * q->T[row][j];
        }
    }
    q->basis[row] = column;
}

/* x of the basis, y of the costs: missing part i costs 1 - y_i in turned rows. */
static void read_off(sp_fc_lp *q)
{
    memset(q->x, 0, sizeof q->x);
    for (int i = 0; i < q->m; i++) {
        if (q->basis[i] < q->n) {
            q->x[q->basis[i]] = fmax(0.0, q->T[i][q->n + q->m]);
        }
        q->y[i] = (q->b[i] < 0.0 ? -1.0 : 1.0) * (1.0 - q->T[q->m][q->n + i]);
    }
}

/* Whether y is a proof, from A and b themselves. */
static int proves(const sp_fc_lp *q)
{
    double gain = 0.0, size = 0.0, leak = 0.0;
    for (int i = 0; i < q->m; i++) {
        gain += q->y[i] * q->b[i];
        size = fmax(size, fabs(q->y[i]));
    }
    for (int j = 0; j < q->n; j++) {
        double sum = 0.0;
        for (int i = 0; i < q->m; i++) {
            sum += q->y[i] * q->A[i][j];
        }
        leak = sum > leak || sum != sum ? sum : leak;
    }
    return size > 0.0 && gain > PROOF * size && REACH * leak <= gain;
}

/* Pivots from the start to the end. */
static void run(sp_fc_lp *q, double small)
{
    char barred[SP_FC_LP_COLUMNS] = {0};
    begin(q);
    for (int k = 0; k < PIVOTS; k++) {
        const int column = entering(q, barred);
        if (column < 0) {
            break;
        }
        const int row = leaving(q, column, small);
        barred[column] = row < 0; /* a cost of round-off: there is always a row */
        if (row >= 0) {
            exchange(q, row, column);
        }
    }
    read_off(q);
}

/* Whether x is a point, from A and b themselves. */
static int fits(const sp_fc_lp *q)
{
    for (int i = 0; i < q->m; i++) {
        double sum = -q->b[i];
        for (int j = 0; j < q->n; j++) {
            sum += q->A[i][j] * q->x[j];
        }
        if (!(fabs(sum) <= POINT)) {
            return 0;
        }
    }
    return 1;
}

sp_fc_lp_end sp_fc_lp_decide(sp_fc_lp *q)
{
    static const double small[] = {1e-8,
                                   1e-10}; /* large pivots are exact, small ones decide more */
    for (int k = 0; k < 2; k++) {
        run(q, small[k]);
        if (fits(q)) {
            return SP_FC_LP_POINT;
        }
        if (proves(q)) {
            return SP_FC_LP_PROOF;
        }
    }
    return SP_FC_LP_UNCLEAR;
}
