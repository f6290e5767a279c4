/* laws/meridian.h - the point of Contensou's friction plate nearest to a point of its plane. */
#ifndef SP_LAWS_MERIDIAN_H
#define SP_LAWS_MERIDIAN_H

#include "laws/contensou.h"

/* The plate { (T, D) : T n_T + D n_D <= B phi(|n_T|, R |n_D|) for all n } and what belongs to its
 * boundary point y with the outward unit normal n = (c, s). */
typedef struct sp_meridian {
    int inside;      /* 1: the point is in the plate, nothing else counts     */
    double c, s;     /* n, both >= 0                                          */
    double y_T, y_D; /* the nearest point                                     */
    double far;      /* distance                                              */
    double bend;     /* radius of curvature of the boundary at y              */
    sp_contensou at; /* phi(c, R s) and derivatives                           */
} sp_meridian;

/* Nearest to (T, D), both >= 0, of the plate of B >= 0 and R >= 0.   theory (19.14)-(19.16) */
sp_meridian sp_meridian_nearest(sp_pressure pressure, double B, double R, double T, double D);

#endif
