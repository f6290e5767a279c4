#include "io/export_stage.h"

#include "io/pose.h"
#include "io/result_h5.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STATIONS_MOST = 65535 }; /* glTF counts joints so far */

static sp_status no_memory(sp_error *err)
{
    return SP_FAIL(err, SP_E_MEMORY, "out of memory for the export");
}

/* Read one dataset at the frames chosen. */
static sp_status gather(sp_stage *s, int set, double **value, sp_error *err)
{
    const size_t width = sp_result_width(s->r, set);
    size_t *column = malloc((width + 1) * sizeof *column);
    *value = malloc((s->frames.n * width + 1) * sizeof **value);
    sp_status status = column && *value ? SP_OK : no_memory(err);
    for (size_t k = 0; status == SP_OK && k < width; k++) {
        column[k] = k;
    }
    if (status == SP_OK) {
        status = sp_frames_gather(s->r, &s->frames, set, width, column, *value, err);
    }
    free(column);
    return status;
}

/* Leave out frames in which something is nowhere. */
static void drop_bad_frames(sp_stage *s)
{
    const size_t width = s->n_body * s->columns;
    s->n = 0;
    for (size_t i = 0; i < s->frames.n; i++) {
        bool good = isfinite(s->time[i]);
        for (size_t k = 0; k < width; k++) {
            good = good && isfinite(s->pose[i * width + k]);
        }
        if (good) {
            s->time[s->n] = s->time[i];
            memmove(s->pose + s->n * width, s->pose + i * width, width * sizeof *s->pose);
            s->frames.index[s->n++] = s->frames.index[i];
        }
    }
    s->frames.n = s->n;
}

/* A box around everything that is somewhere. */
typedef struct bounds {
    double low[3], high[3];
} bounds;

static void stretch(bounds *b, const double x[3], double radius)
{
    for (int k = 0; k < 3; k++) {
        b->low[k] = fmin(b->low[k], x[k] - radius);
        b->high[k] = fmax(b->high[k], x[k] + radius);
    }
}

/* Take the shapes of a body in one pose into the bounds; endless ones do not count. */
static void stretch_body(const sp_stage *s, size_t body, const double *pose, bounds *b)
{
    const sp_scene_body *of = &s->scene->body[body];
    double x[3];
    for (int k = 0; k < of->n_shape; k++) {
        const sp_shape *shape = &of->shape[k];
        const bool endless = shape->kind == SP_SHAPE_LINE || shape->kind == SP_SHAPE_PLANE;
        const double size = fmax(fmax(shape->size[0], shape->size[1]), shape->size[2]);
        for (int i = 0; !endless && i < shape->n_point; i++) {
            sp_pose_point(s->columns, pose, shape->point[i], x);
            stretch(b, x, shape->radius);
        }
        if (shape->n_point == 0) {
            sp_pose_point(s->columns, pose, shape->at, x);
            stretch(b, x, fmax(0.5 * size, fmax(shape->radius, 0.5 * shape->length)));
        }
    }
}

/* Sizes for the picture from the room that the machine takes. */
static void choose_look(sp_stage *s)
{
    bounds b = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (size_t i = 0; i < s->n; i++) {
        for (size_t body = 0; body < s->n_body; body++) {
            stretch_body(s, body, sp_stage_pose(s, i, body), &b);
        }
    }
    double size2 = 0.0;
    for (int k = 0; k < 3; k++) {
        const double edge = b.high[k] - b.low[k];
        size2 += edge > 0.0 && isfinite(edge) ? edge * edge : 0.0;
    }
    const double size = size2 > 0.0 ? sqrt(size2) : 1.0;
    s->look = (sp_mesh_look){.extent = 0.75 * size,
                             .dot = 0.006 * size,
                             .half = 0.01 * size,
                             .spatial = s->scene->spatial};
}

/* ---- meshes -------------------------------------------------------------------------------- */

/* Plates get different thicknesses, so that faces never coincide; later ones of a drawing lie over
 * those before. */
void sp_stage_add_shape(const sp_stage *s, size_t body, int k, sp_mesh *mesh)
{
    const sp_shape *shape = &s->scene->body[body].shape[k];
    const sp_scene_flex *flex = s->bend[body].flex;
    const size_t first = mesh->n_triangle;
    sp_mesh_look look = s->look;
    look.half *= 1.0 + 0.06 * (double)(body % 8);
    look.half *= shape->color ? 1.0 + 0.05 * (double)k : 1.0;
    sp_mesh_add(mesh, shape, &look);
    if (flex) {
        sp_mesh_cut(mesh, first, flex->n_station, flex->x);
    }
}

/* The meshes of all bodies. */
static sp_status make_meshes(sp_stage *s, sp_error *err)
{
    s->mesh = calloc(s->n_body + 1, sizeof *s->mesh);
    bool ok = s->mesh != NULL;
    for (size_t i = 0; ok && i < s->n_body; i++) {
        for (int k = 0; k < s->scene->body[i].n_shape; k++) {
            sp_stage_add_shape(s, i, k, &s->mesh[i]);
        }
        ok = !s->mesh[i].failed;
    }
    sp_mesh_add_rod(&s->rod, 0.5 * s->look.dot);
    return ok && !s->rod.failed ? SP_OK : no_memory(err);
}

/* ---- elastic beams ------------------------------------------------------------------------- */

/* The coordinates of all beams, and room for the sections of one. */
static sp_status gather_beams(sp_stage *s, sp_error *err)
{
    int most = 0;
    s->bend = calloc(s->n_body + 1, sizeof *s->bend);
    if (!s->bend) {
        return no_memory(err);
    }
    for (size_t i = 0; s->deformation > 0.0 && i < s->n_body; i++) {
        const sp_scene_flex *flex = &s->scene->body[i].flex;
        sp_stage_bend *bend = &s->bend[i];
        if (flex->n_station <= STATIONS_MOST) {
            SP_TRY(sp_bend_gather(s->r, &s->frames, flex, &bend->e, err));
            bend->flex = bend->e ? flex : NULL;
            most = flex->n_station > most ? flex->n_station : most;
        }
    }
    s->section = malloc(((size_t)most + 1) * sizeof *s->section);
    return s->section ? SP_OK : no_memory(err);
}

const sp_section *sp_stage_sections(const sp_stage *s, size_t frame, size_t body)
{
    const sp_stage_bend *b = &s->bend[body];
    if (!b->flex) {
        return NULL;
    }
    sp_bend_sections(b->flex, b->e + frame * (size_t)b->flex->n_mode, s->deformation, s->section);
    return s->section;
}

void sp_stage_point(const sp_stage *s, size_t frame, size_t body, const double rest[3],
                    double world[3])
{
    const sp_section *section = sp_stage_sections(s, frame, body);
    double local[3];
    memcpy(local, rest, sizeof local);
    if (section) {
        sp_bend_point(s->bend[body].flex, section, rest, local);
    }
    sp_pose_point(s->columns, sp_stage_pose(s, frame, body), local, world);
}

/* ---- all ----------------------------------------------------------------------------------- */

/* The steps of sp_stage_set that may fail in the middle. */
static sp_status set_stage(sp_stage *s, size_t most, sp_error *err)
{
    SP_TRY(sp_frames_choose(s->r, most, 0, NULL, &s->frames, err));
    SP_TRY(gather(s, SP_DATA_TIME, &s->time, err));
    SP_TRY(gather(s, SP_DATA_POSE, &s->pose, err));
    drop_bad_frames(s);
    if (s->n == 0) {
        return SP_FAIL(err, SP_E_INPUT,
                       "result file '%s': no frame in which all bodies are somewhere",
                       sp_result_about(s->r)->path);
    }
    SP_TRY(gather_beams(s, err));
    choose_look(s);
    return make_meshes(s, err);
}

sp_status sp_stage_set(sp_result *result, size_t most, double deformation, sp_stage *stage,
                       sp_error *err)
{
    const sp_result_info *info = sp_result_about(result);
    *stage = (sp_stage){.r = result,
                        .scene = sp_result_scene(result),
                        .n_body = (size_t)info->n_body,
                        .deformation = deformation,
                        .columns = sp_result_columns(result, SP_DATA_POSE)};
    if (info->n_frame == 0) {
        return SP_FAIL(err, SP_E_INPUT,
                       "result file '%s': holds no frame, there is nothing to export", info->path);
    }
    if (!stage->scene || (stage->columns != 3 && stage->columns != 7)) {
        return SP_FAIL(err, SP_E_INPUT,
                       "result file '%s': holds no shapes to draw; run the model again with this "
                       "version",
                       info->path);
    }
    const sp_status status = set_stage(stage, most, err);
    if (status != SP_OK) {
        sp_stage_free(stage);
    }
    return status;
}

void sp_stage_free(sp_stage *stage)
{
    for (size_t i = 0; stage->mesh && i < stage->n_body; i++) {
        sp_mesh_free(&stage->mesh[i]);
    }
    for (size_t i = 0; stage->bend && i < stage->n_body; i++) {
        free(stage->bend[i].e);
    }
    sp_mesh_free(&stage->rod);
    sp_frames_free(&stage->frames);
    free(stage->mesh);
    free(stage->time);
    free(stage->pose);
    free(stage->bend);
    free(stage->section);
    memset(stage, 0, sizeof *stage);
}
