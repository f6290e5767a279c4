/* contact/curve_pair.h - slots with arcs, splines and curves by expressions in the plane.
 *
 * Near the contact a curve is its circle of curvature: gap, directions and accelerations need no
 * more than second derivatives.  The frame therefore has the centre of that circle on side a
 * (center, radius), and on side b the inverse distance to its centre with a sign (inv_distance).
 * theory (20.16)-(20.18) */
#ifndef SP_CONTACT_CURVE_PAIR_H
#define SP_CONTACT_CURVE_PAIR_H

#include "contact/con.h"

/* Gap of such a slot in the configuration of con->kin; NaN if the nearest points are not found.
 * con->feature: what of the curve that is from, 0, the curve itself, or one of its ends. */
double sp_curve_gap(const sp_model *m, const sp_numbers *num, sp_con *con, int slot);

/* Behind the gaps of all slots of a pair, of which `last` is the last one: which of them have no
 * contact of their own.   theory (58.3) */
void sp_curve_part_slots(const sp_model *m, int last, sp_con *con);

/* Whether a slot is one of several of a curve, from one to the other of which contacts may go. */
bool sp_curve_has_seams(const sp_model *m, int slot);

/* Whether a slot is one of a disc that may go around the ends of a curve.   theory (54.7) */
bool sp_curve_has_ends(const sp_model *m, int slot);

/* How far such a slot is from the end of what con->hold keeps it at; negative: past it. */
double sp_curve_reach(const sp_model *m, const sp_numbers *num, const sp_con *con, int slot);

/* What it goes on to there. */
int sp_curve_beyond(const sp_model *m, const sp_numbers *num, const sp_con *con, int slot);

/* The whole frame but its tangent. */
void sp_curve_frame(const sp_model *m, const sp_numbers *num, const sp_con *con, int slot,
                    sp_contact_frame *f);

#endif
