/* dynamics/bushing_plane.h - bushings between rigid bodies of the plane: the same as in
 * dynamics/forces.inc, in two dimensions.   theory (96.1) */
#ifndef SP_DYNAMICS_BUSHING_PLANE_H
#define SP_DYNAMICS_BUSHING_PLANE_H

#include "dynamics/dyn.h"

/* Whether it is one: axes of both marks are turned in the plane only, and neither body deforms. */
bool sp_bushing_plane_takes(const sp_kin *kin, const sp_force_numbers *n);

/* Forces on both bodies, which join the shares, are kept for booking and reported in out. */
void sp_bushing_plane(const sp_kin *kin, const sp_force_numbers *n, int line, sp_dyn *dyn,
                      sp_element *out);

double sp_bushing_plane_energy(const sp_kin *kin, const sp_force_numbers *n);

#endif
