/* laws/contensou.h - Coulomb friction of a round spot of contact that slides and spins.
 *
 * Every element of the spot obeys Coulomb's law, so that the spot has the dissipation potential
 *
 *     Phi(v, omega) = mu lambda_N phi(|v|, R |omega|),   force -dPhi/dv,  torque -dPhi/domega
 *
 * with phi convex, homogeneous of degree one, smooth except at zero.      theory (19.1)-(19.11) */
#ifndef SP_LAWS_CONTENSOU_H
#define SP_LAWS_CONTENSOU_H

#include "laws/set.h"

/* phi(a, b), its first derivatives, and k of its second ones, k [b^2  -ab; -ab  a^2]. */
typedef struct sp_contensou {
    double phi;
    double f; /* d phi / d a: force over mu lambda_N, 0 .. 1                                   */
    double m; /* d phi / d b: torque over mu lambda_N R, 0 .. 2/3 (uniform), 3 pi/16 (Hertz)   */
    double k;
} sp_contensou;

/* phi at a = |v| >= 0 and b = R |omega| >= 0, exact to round-off for every ratio a / b.  Both zero
 * (stick, where the law is set-valued): all numbers are zero.  NaN travels. */
sp_contensou sp_contensou_at(sp_pressure pressure, double a, double b);

/* What a law is made of, as model files write it. */
typedef struct sp_contensou_law {
    double mu;            /* friction coefficient                                            */
    sp_pressure pressure; /* over the spot                                                   */
    double radius;        /* of the spot [m]                                                 */
    double hertz;         /* of the spot: + hertz lambda_N^(1/3) [m/N^(1/3)]                 */
    double rolling;       /* bound of the rolling torque over lambda_N [m]; 0: none          */
    double adhesion;      /* pull that the closed contact bears [N]                          */
} sp_contensou_law;

/* Radius of the spot under the force lambda_N >= 0. */
double sp_contensou_radius(const sp_contensou_law *law, double lambda_N);

/* hertz of two elastic spheres (or sphere and plane): (3 r / (4 E))^(1/3) with the reduced radius
 * 1/r = 1/r_1 + 1/r_2 and the reduced modulus 1/E = (1 - nu_1^2)/E_1 + (1 - nu_2^2)/E_2. */
double sp_contensou_hertz(double reduced_radius, double reduced_modulus);

/* Friction of the sliding velocity v (2) and the spin omega, not both zero, under lambda_N: force
 * (2) and torque (returned through its pointer).  D (9, row-major, may be NULL) is the derivative
 * of (force, torque) by (v, omega). */
void sp_contensou_force(const sp_contensou_law *law, double lambda_N, const double *v, double omega,
                        double *force, double *torque, double *D);

/* The set of the law for a problem whose rows are the normal and the two sliding velocities,
 * lever times the spin and, with rolling > 0, lever times the two rolling velocities; lever [m] > 0
 * is free, the radius a good choice.  Percussions of a step of dt [s]; forces with dt = 1; impulses
 * of an impact with dt = 0: there is no force then, so that the set has no adhesion, and of the
 * radius only the constant part. */
sp_set sp_contensou_set(const sp_contensou_law *law, double lever, double dt);

#endif
