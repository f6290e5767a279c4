/* laws/ball.h - limit surfaces of friction beyond interval and disc: projection, its derivative,
 * dissipation potential.  A set is P_N >= 0 and one or two convex bodies around zero, scaled by
 * P_N: ellipse, disc or Contensou's ball for the force (with drilling), a disc or ball for the
 * torques of rolling.                                                     theory (19.12)-(19.21) */
#ifndef SP_LAWS_BALL_H
#define SP_LAWS_BALL_H

#include "laws/set.h"

/* D (dim x dim, row-major) <- the derivative of sp_set_project at x, shifted or not, of any kind; a
 * limit of derivatives where there is none.  For Newton's method on P - prox_C(P - rho xi). */
void sp_set_derivative(const sp_set *s, const double *x, double *D);

/* sup { -xi.y } over the friction part of the set (rows behind the normal one, shift left aside)
 * under the normal percussion N >= 0: what friction takes at the velocity xi (dim, its first row is
 * not read).  Zero for sets without friction. */
double sp_set_dissipation(const sp_set *s, double N, const double *xi);

/* How far P (dim) is outside of its set, shift included: the larger of -P_N and the largest
 * n.P_F - sup n.y over unit vectors n, which is the distance of the friction rows to their body.
 * Found by search over n, not by projection. */
double sp_set_excess(const sp_set *s, const double *P);

/* 1 if the numbers of a set of this file are finite and >= 0; other kinds are not looked at. */
int sp_set_sound(const sp_set *s);

/* 1 if x is in the set, shift included. */
int sp_set_holds(const sp_set *s, const double *x);

#endif
