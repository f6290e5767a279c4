/* expr/table.h - functions given by points: smooth splines and broken lines. */
#ifndef SP_EXPR_TABLE_H
#define SP_EXPR_TABLE_H

#include "base/arena.h"
#include "expr/ops.h"
#include "expr/units.h"

enum { SP_TABLE_MAX = 100000 }; /* points */

/* y(x) through points; outside of them it goes on straight. */
typedef struct sp_table {
    int n;           /* >= 2                                                        */
    const double *x; /* rising                                                      */
    const double *y;
    const double *bend; /* y'' at the points; NULL: straight lines between them        */
    sp_dim x_dim, y_dim;
    double period; /* y(x + period) = y(x), the points span one; 0: it goes on straight    */
} sp_table;

/* A table in the arena: a natural cubic spline (y'' goes through without a jump and is zero at the
 * ends), or straight lines.  SP_E_INPUT if x does not rise or a number is not finite, *wrong is the
 * point then. */
sp_status sp_table_new(sp_arena *a, int n, const double *x, const double *y, bool spline,
                       sp_table **out, int *wrong);

/* The same over and over: the last point is the first one, a period later; a spline has 4 points at
 * least, and no kink there.  The argument of what follows is that within the points. */
sp_status sp_table_repeat(sp_arena *a, sp_table *t);

/* The piece that x lies in, rising with x: 0 to n - 2 between the points and beyond them. */
int sp_table_piece(const sp_table *t, double x);

/* y(x). */
double sp_table_value(const sp_table *t, double x);

/* y(x) with y' and y'' as partial derivatives; at a corner of straight lines those to its right. */
void sp_table_partials(const sp_table *t, double x, sp_partials *d);

#endif
