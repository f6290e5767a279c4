/* io/scene_json.h - a scene as JSON text and back.
 *
 *   {"format": 1, "space": "planar",
 *    "bodies": [{"name": "slider", "shapes": [{"kind": "polygon", "points": [[0, 0, 0], ...]}],
 *                "flex": {"from": 0, "x": [0, 1], "modes": [{"q": 3, "along": 1, "about": 2,
 *                                                 "way": [0, 1], "turn": [0, 2]}]}}, ...],
 *    "springs": [{"name": "s", "bodies": [0, 2], "at": [[0, 1, 0], [0, 0, 0]]}]}
 *
 * Shapes and flex are as in model/scene.h; what a kind does not use is left out, flex of rigid
 * bodies, too. */
#ifndef SP_IO_SCENE_JSON_H
#define SP_IO_SCENE_JSON_H

#include "io/json.h"
#include "model/scene.h"

/* The text of a scene, to be freed; NULL if there is no memory. */
char *sp_scene_text(const sp_scene *scene);

/* One shape as an object; in space balls and rods are given by their frames, not by points. */
void sp_scene_put_shape(sp_json *j, const sp_shape *shape, bool spatial);

/* How a body deforms, as the keys "from", "x", "modes" of an object that is open. */
void sp_scene_put_flex(sp_json *j, const sp_scene_flex *flex);

/* Read a text; what is unknown is left out, numbers of bodies that are none are refused.
 * SP_E_INPUT if it is no scene: *scene is empty then. */
sp_status sp_scene_read(const char *text, sp_arena *arena, sp_scene *scene, sp_error *err);

#endif
