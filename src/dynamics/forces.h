/* dynamics/forces.h - what force elements are made of: forces at points and moments on bodies in
 * three dimensions, and measures with the way they act back. */
#ifndef SP_DYNAMICS_FORCES_H
#define SP_DYNAMICS_FORCES_H

#include "dynamics/dyn.h"
#include "kinematics/spot.h"

/* Everything one element is computed from and writes to. */
typedef struct sp_acting {
    const sp_force *f;
    const sp_force_numbers *n;
    sp_signal_source *from; /* kin, q, u, t; measure and rate are set on the way */
    sp_dyn *dyn;
    sp_element *out;
    int line; /* its line of the ledger */
} sp_acting;

/* Measure of an element and its rate; the gradient of an expression is left in dyn->grad. */
typedef struct sp_measure {
    double x, rate, drift; /* drift: the part of the rate that is there for u = 0  */
    sp_spot at[2];         /* between points                                       */
    sp_vec3 direction;     /* from the first to the second, zero if they coincide  */
} sp_measure;

/* A force, or a moment, at a spot; their power is booked. */
void sp_force_push(const sp_acting *a, const sp_spot *s, sp_vec3 force, sp_share share);
void sp_force_twist(const sp_acting *a, const sp_spot *s, sp_vec3 moment, sp_share share);

/* A force on a coordinate. */
void sp_force_on_dof(const sp_acting *a, int dof, double force, sp_share share);

/* The distance of the element's points, or its expression. */
sp_measure sp_force_measure(const sp_acting *a, bool by_points);

/* Hold back the growth of the measure by pull: h -= (dx/dq)^T pull.   theory (3.8) */
void sp_force_pull(const sp_acting *a, bool by_points, const sp_measure *x, double pull,
                   sp_share share);

/* A measure that depends on time moves by itself and feeds energy in: the element has no potential,
 * all of its work is applied. */
bool sp_force_is_driven(const sp_force *f);

/* Value of expression k of the element. */
double sp_force_law(const sp_acting *a, int k);

/* The value, not larger than the limit. */
double sp_force_limited(double value, double limit);

/* The elements of dynamics/elements.c: pulls, bushing, drag, motor, gravity; and their
 * energy at a measure x.   theory (3.40)-(3.46) */
void sp_force_element(const sp_model *m, const sp_numbers *num, const sp_acting *a);
double sp_force_bushing_energy(const sp_force_numbers *n, const sp_kin *kin);

#endif
