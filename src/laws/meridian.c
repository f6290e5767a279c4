/* Newton's method for the direction n = (c, s) of the normal, kept between two directions:
 *
 *     g(n) = (T - y_T(n)) s - (D - y_D(n)) c = 0,      y(n) = B (f, R m),   dg = far + bend
 *
 * In the quadrant of n there is one root for a point outside, and far > 0 there; at every root for
 * a point inside far <= 0.                                                theory (19.14)-(19.16) */
#include "laws/meridian.h"

#include <math.h>

enum { STEPS_MOST = 100 };

/* A unit vector. */
typedef struct direction {
    double c, s;
} direction;

/* (c, s) over its length. */
static direction unit(double c, double s)
{
    const double len = hypot(c, s);
    const direction d = {c / len, s / len};
    return d;
}

/* n turned by a small angle. */
static direction turned(direction n, double angle)
{
    const double h = 0.5 * angle, f = 1.0 / (1.0 + h * h);
    const double ct = (1.0 - h * h) * f, st = 2.0 * h * f;
    return unit(n.c * ct - n.s * st, n.s * ct + n.c * st);
}

/* 1 if b is counterclockwise from a. */
static int after(direction a, direction b)
{
    return a.c * b.s - a.s * b.c > 0.0;
}

/* The boundary point of normal n. */
static sp_meridian boundary(sp_pressure pressure, double B, double R, double T, double D,
                            direction n)
{
    sp_meridian p;
    p.inside = 0;
    p.c = n.c;
    p.s = n.s;
    p.at = sp_contensou_at(pressure, n.c, R * n.s);
    p.y_T = B * p.at.f;
    p.y_D = B * R * p.at.m;
    p.far = (T - p.y_T) * n.c + (D - p.y_D) * n.s;
    p.bend = B * R * R * p.at.k;
    return p;
}

/* The normal of the ellipse with the axes of the plate, there where T and D point. */
static direction first_guess(sp_pressure pressure, double R, double T, double D)
{
    const double m = R * sp_contensou_at(pressure, 0.0, 1.0).m;
    return m > 0.0 ? unit(T * m * m, D) : unit(0.0, 1.0);
}

/* The root of g between the axes. */
static sp_meridian root(sp_pressure pressure, double B, double R, double T, double D)
{
    direction lo = {1.0, 0.0}, hi = {0.0, 1.0}, n = first_guess(pressure, R, T, D);
    double last = INFINITY;
    sp_meridian p = boundary(pressure, B, R, T, D, n);
    for (int k = 0; k < STEPS_MOST; k++) {
        const double g = (T - p.y_T) * n.s - (D - p.y_D) * n.c, slope = p.far + p.bend;
        const double noise = 4e-16 * ((T + p.y_T) * n.s + (D + p.y_D) * n.c);
        const double turn = -g / slope;
        if (!(fabs(g) > noise) || (fabs(turn) < 1e-10 && !(fabs(g) < last))) {
            break;
        }
        last = fabs(g);
        *(g > 0.0 ? &hi : &lo) = n;
        const direction next = turned(n, turn);
        const int good = slope > 0.0 && fabs(turn) < 1.0 && after(lo, next) && after(next, hi);
        n = good ? next : unit(lo.c + hi.c, lo.s + hi.s);
        p = boundary(pressure, B, R, T, D, n);
    }
    return p;
}

sp_meridian sp_meridian_nearest(sp_pressure pressure, double B, double R, double T, double D)
{
    const direction slide = {1.0, 0.0}, spin = {0.0, 1.0};
    sp_meridian p = D == 0.0   ? boundary(pressure, B, R, T, D, slide)
                    : T == 0.0 ? boundary(pressure, B, R, T, D, spin)
                               : root(pressure, B, R, T, D);
    p.inside = p.far <= 0.0;
    return p;
}
