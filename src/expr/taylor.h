/* expr/taylor.h - third derivatives of expressions: programs evaluated on Taylor polynomials. */
#ifndef SP_EXPR_TAYLOR_H
#define SP_EXPR_TAYLOR_H

#include "expr/expr.h"

/* x(s) = c[0] + c[1] s + c[2] s^2 + c[3] s^3 */
enum { SP_TAYLOR_N = 4 };
typedef struct sp_taylor {
    double c[SP_TAYLOR_N];
} sp_taylor;

/* The program along a path of its inputs; work has sp_program_taylor_work(p) bytes, aligned as
 * double.  At kinks the side that is evaluated goes on. */
sp_taylor sp_program_taylor(const sp_program *p, const sp_taylor *in, void *work);
size_t sp_program_taylor_work(const sp_program *p);

/* D^3 f [x, y, z], the third derivative along three directions of the inputs (n_input each), by
 *     24 x y z = (x + y + z)^3 - (x + y - z)^3 - (x - y + z)^3 + (x - y - z)^3;
 * to keep digits give directions of like size.  path has n_input elements. */
double sp_program_third(const sp_program *p, const double *in, const double *x, const double *y,
                        const double *z, sp_taylor *path, void *work);

#endif
