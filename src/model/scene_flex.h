/* model/scene_flex.h - how pictures bend beams: their functions sampled along the axis. */
#ifndef SP_MODEL_SCENE_FLEX_H
#define SP_MODEL_SCENE_FLEX_H

#include "model/ritz.h"
#include "model/scene.h"

/* The beam that a body is, NULL if it is none that deforms. */
const sp_beam *sp_scene_beam(const sp_body *body);

/* The functions of the beam that body i is; none of others.  False: no memory. */
bool sp_scene_flex_of(const sp_model *m, sp_arena *arena, int i, sp_scene_flex *flex);

#endif
