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

/* A file in the making. */
typedef struct sp_gltf {
    const sp_stage *s;
    unsigned char *data;
    size_t size, room;
    sp_gltf_array *list;
    int n_list, list_room;
    int *point, *normal, *triangle; /* accessors of the meshes, bodies then the rod; -1: no mesh */
    int *color;                     /* -1: the mesh has that of its body                         */
    sp_gltf_motion *motion;         /* bodies, then springs */
    int time;
    size_t n_time, *frame; /* frames that the animation uses */
    bool failed;           /* there was no memory */
} sp_gltf;

/* Place, rotation x y z w and size of node i in one frame: a body, or behind them a spring. */
void sp_gltf_place(const sp_gltf *b, size_t i, size_t frame, float at[3], float turn[4],
                   float scale[3]);

/* The JSON of the file; the buffer's bytes inside it, or apart in a binary file. */
void sp_gltf_json(FILE *file, const sp_gltf *b, bool binary);

#endif
