/* math/elliptic.h - complete elliptic integrals. */
#ifndef SP_MATH_ELLIPTIC_H
#define SP_MATH_ELLIPTIC_H

typedef struct sp_elliptic {
    double K; /* first kind, int_0^(pi/2) dt / sqrt(1 - x sin^2 t); infinite for x = 1 */
    double E; /* second kind, int_0^(pi/2) sqrt(1 - x sin^2 t) dt                      */
} sp_elliptic;

/* K and E of the parameter x = k^2, 0 <= x <= 1, given together with 1 - x, which near x = 1 the
 * caller knows better.  Errors are some units of the last place of K. */
sp_elliptic sp_elliptic_complete(double x, double one_minus_x);

#endif
