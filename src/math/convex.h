/* math/convex.h - how far two convex sets are apart, as a bound that is proven.
 *
 * A set is the hull of corners or of two flat discs, or a straight line, widened by a ball.  Along
 * a unit vector n the two are apart by
 *
 *     s(n) = min_a n.x - max_b n.y - r_a - r_b,
 *
 * and for every n that is a lower bound of their distance.  The method of Gilbert, Johnson and
 * Keerthi chooses the vectors; what it finds is believed only by s(n).   theory (66.2) */
#ifndef SP_MATH_CONVEX_H
#define SP_MATH_CONVEX_H

#include "math/space.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct sp_convex {
    int n;                /* corners                                                   */
    int stride;           /* numbers from one to the next: 2 in the plane, 3 in space  */
    const double *corner; /* in the body's frame, m                                    */
    double r;             /* ball around it, m                                         */
    bool disc;            /* the two corners are middles of flat discs ...             */
    double rim[2];        /* ... with these radii, m ...                               */
    sp_vec3 axis;         /* ... across this unit vector                               */
    bool endless;         /* a straight line through the corner along the axis: only unit vectors
                           * across it tell, the others are not tried                  */
    sp_vec3 centre;       /* a point in the middle, body's frame                       */
    double size;          /* no point of it without the ball is farther from there, m  */
    double deep;          /* of a curve: so deep below it nothing else of it is nearer, m; else 0 */
} sp_convex;

/* centre and size of a set that is otherwise complete. */
void sp_convex_measure(sp_convex *c);

/* A set in the world: its body's origin and axes. */
typedef struct sp_convex_at {
    const sp_convex *c;
    sp_vec3 x;
    sp_rot3 R;
    double less; /* drawn together to its middle by this part of it; 0: as it is */
} sp_convex_at;

/* The point farthest along d, world; without the ball. */
sp_vec3 sp_convex_support(const sp_convex_at *p, sp_vec3 d);

/* Its extent along the unit vector d, without the ball. */
double sp_convex_width(const sp_convex_at *p, sp_vec3 d);

/* s(n) of a against b. */
double sp_convex_apart(const sp_convex_at *a, const sp_convex_at *b, sp_vec3 n);

/* Whether a and b stay apart if a moves against b by less than |n.way| + swing along every n: there
 * is an n with s(n) > |n.way| + swing.  *n, *distance: that n and s(n), else the best of those that
 * were tried, towards a; *distance <= 0: they may overlap. */
bool sp_convex_clear(const sp_convex_at *a, const sp_convex_at *b, sp_vec3 way, double swing,
                     sp_vec3 *n, double *distance);

#endif
