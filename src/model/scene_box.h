/* model/scene_box.h - the room that one sees a body fill. */
#ifndef SP_MODEL_SCENE_BOX_H
#define SP_MODEL_SCENE_BOX_H

#include "model/scene.h"

/* A box in the frame of a body, m; low > high: nothing. */
typedef struct sp_scene_box {
    double low[3], high[3];
} sp_scene_box;

/* The box around the shapes that show a body: all but points, holes and what has no end. */
sp_scene_box sp_scene_outline(const sp_scene_body *b);

/* Does the box hold anything? */
bool sp_scene_box_filled(const sp_scene_box *b);

/* Is a place within the box, up to a slack [m]? */
bool sp_scene_box_holds(const sp_scene_box *b, const double place[3], double slack);

#endif
