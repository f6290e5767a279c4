/* contact/spin3.h - what contacts in space do beside pushing and sliding: drilling about their
 * normal and rolling about their tangents, each a row of the contact problem, and adhesion.
 *
 * Rows behind N, T1, T2 are spins of side a against side b times a lever, which makes velocities of
 * them, and forces of the torques.   theory (19.26), (19.27) */
#ifndef SP_CONTACT_SPIN3_H
#define SP_CONTACT_SPIN3_H

#include "contact/frame3.h"
#include "laws/set.h"

/* The set of a law in a step of dt (forces: 1): disc or half line, with drilling, rolling and
 * adhesion where the law has them. */
sp_set sp_spin3_set(const sp_law *law, const sp_law_numbers *n, double dt);

/* The axes of the rows behind T2 that a set has: n for drilling, t1 and t2 for rolling; how many.
 */
int sp_spin3_axes(const sp_set *set, const sp_contact_frame3 *f, sp_vec3 axis[3]);

/* Spin of side a against side b about n. */
double sp_spin3_drill(const sp_kin *kin, const sp_contact_frame3 *f);

/* The part of their rates that is there for u' = 0; velocities and bias of kin must be there. */
void sp_spin3_bias(const sp_kin *kin, const sp_contact_frame3 *f, const sp_set *set, double lever,
                   double *w_bar);

#endif
