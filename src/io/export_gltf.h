/* io/export_gltf.h - a glTF file in the making, shared by export_gltf.c (its numbers) and
 * export_gltf_json.c (its description). */
#ifndef SP_IO_EXPORT_GLTF_H
#define SP_IO_EXPORT_GLTF_H

#include "io/export_stage.h"

/* One array of numbers in the buffer. */
typedef struct sp_gltf_array {
    const char *type; /* "SCALAR", "VEC3", ... */
    int numbers;      /* in each item          */
    int kind, target; /* target 0: none        */
    size_t count, at; /* items; first byte     */
    bool bounded;
    double low[3], high[3];
} sp_gltf_array;

/* What one node does over time: numbers of accessors, -1: it does not. */
typedef struct sp_gltf_motion {
    int node, translation, rotation, scale;
} sp_gltf_motion;

/* The skin of a body that bends: its joints are nodes in the body's, one for each station. */
typedef struct sp_gltf_skin {
    size_t body, n_joint, first; /* the first joint among all                       */
    int joint, weight, bind;     /* accessors: of the points, places at rest        */
} sp_gltf_skin;

/* A file in the making. */
typedef struct sp_gltf {
    const sp_stage *s;
    unsigned char *data;
    size_t size, room;
    sp_gltf_array *list;
    int n_list, list_room;
    int *point, *normal, *triangle; /* accessors of the meshes, bodies then the rod; -1: no mesh */
    int *color;                     /* -1: the mesh has that of its body                         */
    sp_gltf_motion *motion;         /* bodies, then springs, then joints: things                */
    sp_gltf_skin *skin;             /* in the order of the bodies                               */
    size_t n_skin, n_joint;
    int time;
    size_t n_time, *frame; /* frames that the animation uses */
    bool failed;           /* there was no memory */
} sp_gltf;

/* How many things move: node 1 + i is thing i; behind them come the surfaces of skins. */
static inline size_t sp_gltf_things(const sp_gltf *b)
{
    return b->s->n_body + (size_t)b->s->scene->n_spring + b->n_joint;
}

/* The skin of a body, NULL if it is rigid or not seen. */
const sp_gltf_skin *sp_gltf_skin_of(const sp_gltf *b, size_t body);

/* Place, rotation x y z w and size of thing i in one frame. */
void sp_gltf_place(const sp_gltf *b, size_t i, size_t frame, float at[3], float turn[4],
                   float scale[3]);

/* The JSON of the file; the buffer's bytes inside it, or apart in a binary file. */
void sp_gltf_json(FILE *file, const sp_gltf *b, bool binary);

#endif
