/* analysis/linear_parts.h - what the files of linear.h share; nobody else includes it. */
#ifndef SP_ANALYSIS_LINEAR_PARTS_H
#define SP_ANALYSIS_LINEAR_PARTS_H

#include "analysis/linear.h"

#define SP_STICKS_BELOW 1e-9 /* m/s: a contact that moves along slower than this sticks */
#define SP_DEPENDENT    1e-9 /* rows that are off the others by less depend on them     */

/* Row r of W over all degrees of freedom, times k, added to a row of A or B. */
void sp_linear_spread(const sp_linear *l, int contact, int r, double k, double *row);

/* One held row, that of W which is `part` behind the contact's first; what it does with its
 * friction comes from the caller. */
sp_linear_row *sp_linear_add_row(sp_linear *l, int contact, int part, double gap, double bias);

/* The rows of a closed contact of contours in space.  SP_E_INPUT if its friction is not known here.
 */
sp_status sp_linear_space_rows(sp_linear *l, const sp_state *x, int contact, sp_closed_kind kind,
                               sp_error *err);

/* SP_E_INPUT if a slot that counts as closed is a free one of a pool. */
sp_status sp_linear_space_is_there(const sp_linear *l, int slot, sp_error *err);

/* The rows of held spins, behind all others. */
void sp_linear_space_spins(sp_linear *l);

/* Friction of the contacts that slide, at the normal forces that were found, and the torques that
 * hold spins. */
void sp_linear_space_slides(sp_linear *l);

#endif
