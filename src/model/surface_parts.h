/* model/surface_parts.h - what the files of surfaces share. */
#ifndef SP_MODEL_SURFACE_PARTS_H
#define SP_MODEL_SURFACE_PARTS_H

#include "model/surface.h"

/* r, r_u, r_v, r_uu, r_uv, r_vv of a grid.   theory (20.7) */
void sp_surface_eval_grid(const sp_surface_grid *g, double u, double v, sp_vec3 *d);

/* Fill arc and stand of an extruded surface whose samples are there.   theory (45.2) */
sp_status sp_surface_find_arcs(sp_arena *a, sp_surface *s, double *work, sp_error *err);

#endif
