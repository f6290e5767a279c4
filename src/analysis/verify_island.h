/* analysis/verify_island.h - whether what happens at a contact can move a coordinate. */
#ifndef SP_ANALYSIS_VERIFY_ISLAND_H
#define SP_ANALYSIS_VERIFY_ISLAND_H

#include "model/model.h"

/* Whether a coordinate belongs to a body that hangs together with one of two others through joints,
 * contacts that there may be, loops or springs; the ground does not join, expressions do not count.
 * Formula coordinates, and contacts of none but the ground, hang together with all.
 * reached: room for n_body.   theory (55.5) */
bool sp_verify_joined(const sp_model *m, const int body[2], int dof, unsigned char *reached);

#endif
