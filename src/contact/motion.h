/* contact/motion.h - prescribed coordinates and velocities: q_k = f(t), or u_k = f(t).
 *
 * They stay degrees of freedom; what moves them is found afterwards as the force that the momentum
 * balance of their row lacks, and its work is booked.   theory (7.11)-(7.14) */
#ifndef SP_CONTACT_MOTION_H
#define SP_CONTACT_MOTION_H

#include "contact/con.h"

/* f, f' and f'' of a motion at t. */
typedef struct sp_motion_values {
    double value, rate, bend;
} sp_motion_values;
sp_motion_values sp_motion_at(const sp_motion *motion, double t, sp_dyn *dyn);

/* Which degrees of freedom are prescribed: 1, all others 0. */
void sp_motion_held(const sp_model *m, unsigned char *held);

/* Set what is prescribed: coordinates, velocities, accelerations. */
void sp_motion_place(const sp_model *m, double t, sp_dyn *dyn, double *q);
void sp_motion_move(const sp_model *m, double t, sp_dyn *dyn, double *u);
void sp_motion_accelerate(const sp_model *m, double t, sp_dyn *dyn, double *u_rate);

/* Whether no velocity that is free can change a contact of the problem in con, all that moves it
 * being prescribed: the first such contact, SP_NONE: none. */
int sp_motion_blocked(const sp_model *m, const sp_con *con, const unsigned char *held);

#endif
