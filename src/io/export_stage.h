/* io/export_stage.h - the machine with its meshes and where it is in every frame. */
#ifndef SP_IO_EXPORT_STAGE_H
#define SP_IO_EXPORT_STAGE_H

#include "io/export.h"
#include "io/mesh.h"
#include "io/report_frames.h"

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
} sp_stage;

/* Read at most 'most' frames and make the meshes.  SP_E_INPUT if there is no frame or no scene. */
sp_status sp_stage_set(sp_result *result, size_t most, sp_stage *stage, sp_error *err);
void sp_stage_free(sp_stage *stage);

/* Pose of a body in a frame. */
static inline const double *sp_stage_pose(const sp_stage *s, size_t frame, size_t body)
{
    return s->pose + (frame * s->n_body + body) * s->columns;
}

#endif
