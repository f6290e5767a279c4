/* contact/con3.h - slots of two contours in space: gaps, frames, rows of the contact problem. */
#ifndef SP_CONTACT_CON3_H
#define SP_CONTACT_CON3_H

#include "contact/con.h"

/* The contours of a slot; false if it is a slot of a pool that is free. */
bool sp_con3_pair(const sp_model *m, const sp_con *con, int slot, int *a, int *b);

/* Gaps of all slots in space; free slots of pools have infinity.  The smallest of them and `least`.
 * theory (18.1), (18.9) */
double sp_con3_gaps(const sp_model *m, const sp_numbers *num, double least, sp_con *con);

/* Contact frame of a slot that is not free, in the configuration of con->kin. */
void sp_con3_frame(const sp_model *m, const sp_numbers *num, const sp_con *con, int slot,
                   sp_contact_frame3 *f);

/* gamma_N, gamma_T1, gamma_T2 of a slot; zero if it is free. */
void sp_con3_gamma(const sp_model *m, const sp_numbers *num, const sp_con *con, int slot,
                   double gamma[3]);

/* Frame, directions, restitution and set of contact a of the problem, whose rows begin at r; how
 * many rows it has.  Tangential rows are written in any case, and overwritten by the next contact
 * where there is no friction.   theory (18.7) */
int sp_con3_fill(const sp_model *m, const sp_numbers *num, const sp_kin *kin, int a, int r,
                 bool friction, sp_con *con);

#endif
