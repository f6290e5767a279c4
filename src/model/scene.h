/* model/scene.h - what a picture of the machine shows: shapes of every body, springs.
 *
 * Derived from contours, solids and joints: contours and solids as they are, links from a body's
 * joint to its other joints, springs, named points and outline where they lie apart, elastic beams,
 * the mass where there is nothing else.  Numbers are in the frames of the bodies and have three
 * parts; z = 0 in the plane. */
#ifndef SP_MODEL_SCENE_H
#define SP_MODEL_SCENE_H

#include "model/model.h"

typedef enum sp_shape_kind {
    SP_SHAPE_POINT,    /* points 1                                                        */
    SP_SHAPE_LINE,     /* points 1, normal out of the material: a half plane             */
    SP_SHAPE_SEGMENT,  /* points 2                                                        */
    SP_SHAPE_CIRCLE,   /* points 1, radius: a disc                                        */
    SP_SHAPE_HOLLOW,   /* points 1, radius: a hole, material outside                      */
    SP_SHAPE_POLYGON,  /* points n                                                        */
    SP_SHAPE_SPHERE,   /* points 1, radius                                                */
    SP_SHAPE_BOX,      /* at, turn, size                                                  */
    SP_SHAPE_CYLINDER, /* at, turn, radius, length: along its own z, about its middle     */
    SP_SHAPE_PLANE,    /* points 1, normal out of the material                            */
    SP_SHAPE_CAPSULE,  /* points 2, radius: a rod with round ends                         */
    SP_SHAPE_CONE,     /* at, turn, radius, length: base in its own x-y plane, tip on z   */
    SP_SHAPE_CURVE,    /* points n along it, material on their left; closed: ends as it begins */
    SP_SHAPE_N
} sp_shape_kind;

/* The word used in files, "circle"; the kind of a word, SP_SHAPE_N if it is none. */
const char *sp_shape_name(sp_shape_kind kind);
sp_shape_kind sp_shape_find(const char *name);

typedef struct sp_shape {
    sp_shape_kind kind;
    const char *name;  /* of the contour, or "solid", "link", "joint", "mass", "beam", "display" */
    const char *color; /* "#rrggbb", NULL: that of the body                              */
    int n_point;
    const double (*point)[3]; /* m                                            */
    double normal[3];
    double radius, length; /* m                                            */
    double size[3];        /* m, edges                                     */
    double at[3], turn[4]; /* m; quaternion w x y z                        */
} sp_shape;

/* A function of a beam at stations of its axis, per unit of its coordinate: how far the axis goes
 * and what angle the section turns by, m and rad. */
typedef struct sp_scene_mode {
    int q;                    /* its coordinate                              */
    int along, about;         /* axes of the body, 0: x, ...; -1: none       */
    const double *way, *turn; /* n_station                                   */
} sp_scene_mode;

/* How a body deforms: way and turn times the coordinates add up to the linear part of the places of
 * the axis and to the rotation vectors of its sections, which the axis follows from x = from on;
 * the rest goes with the section at its x.  theory (72.1), (72.14).  n_station 0: it is rigid, or
 * has functions that pictures do not show. */
typedef struct sp_scene_flex {
    int n_station, n_mode;
    double from;     /* m                    */
    const double *x; /* n_station, m, rising */
    const sp_scene_mode *mode;
} sp_scene_flex;

typedef struct sp_scene_body {
    const char *name;
    int n_shape;
    const sp_shape *shape;
    sp_scene_flex flex;
} sp_scene_body;

/* A spring between two points, each in the frame of its body. */
typedef struct sp_scene_spring {
    const char *name;
    int body[2];
    double at[2][3];
} sp_scene_spring;

typedef struct sp_scene {
    bool spatial;
    int n_body, n_spring;
    const sp_scene_body *body; /* in the order of the model, the ground first */
    const sp_scene_spring *spring;
} sp_scene;

/* The scene of a model; lives in the arena, names in the model.  SP_E_MEMORY if there is none. */
sp_status sp_scene_of(const sp_model *m, sp_arena *arena, sp_scene *scene, sp_error *err);

#endif
