/* io/export_stage.h - the machine with its meshes and where it is in every frame. */
#ifndef SP_IO_EXPORT_STAGE_H
#define SP_IO_EXPORT_STAGE_H

#include "io/bend.h"
#include "io/export.h"
#include "io/mesh.h"
#include "io/report_frames.h"

/* What a body does besides moving: flex NULL, nothing. */
typedef struct sp_stage_bend {
    const sp_scene_flex *flex;
    double *e; /* n x flex->n_mode, its coordinates */
} sp_stage_bend;

typedef struct sp_stage {
    sp_result *r;
    const sp_scene *scene;
    sp_frames frames;
    size_t n, n_body;
    size_t columns; /* of a pose                                       */
    double *time;   /* n                                               */
    double *pose;   /* n x n_body x columns                            */
    sp_mesh *mesh;  /* n_body                                          */
    sp_mesh rod;    /* of springs, from the origin to (1, 0, 0)        */
    sp_mesh_look look;
    double deformation;  /* factor of the coordinates of beams                */
    sp_stage_bend *bend; /* n_body                                            */
    sp_section *section; /* of the beam and frame asked for last              */
} sp_stage;

/* Read at most 'most' frames, bend beams by a factor, and make the meshes.  SP_E_INPUT if there is
 * no frame or no scene. */
sp_status sp_stage_set(sp_result *result, size_t most, double deformation, sp_stage *stage,
                       sp_error *err);
void sp_stage_free(sp_stage *stage);

/* Add shape k of a body, cut at the stations of the body if it bends. */
void sp_stage_add_shape(const sp_stage *s, size_t body, int k, sp_mesh *mesh);

/* Sections of a body in a frame, until the next call; NULL if it is rigid. */
const sp_section *sp_stage_sections(const sp_stage *s, size_t frame, size_t body);

/* World place in a frame of a point of a body at rest. */
void sp_stage_point(const sp_stage *s, size_t frame, size_t body, const double rest[3],
                    double world[3]);

/* Pose of a body in a frame. */
static inline const double *sp_stage_pose(const sp_stage *s, size_t frame, size_t body)
{
    return s->pose + (frame * s->n_body + body) * s->columns;
}

#endif
