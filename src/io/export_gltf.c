#define _POSIX_C_SOURCE 200809L
#include "io/export_gltf.h"
#include "io/base64.h"
#include "io/pose.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of the format [glTF 2.0, sections 3.6 and 4.4]. */
enum {
    TYPE_FLOAT = 5126,
    TYPE_SHORT = 5123,
    TYPE_WORD = 5125,
    TARGET_POINTS = 34962,
    TARGET_TRIANGLES = 34963,
    GLB_MAGIC = 0x46546C67,
    GLB_VERSION = 2,
    CHUNK_JSON = 0x4E4F534A,
    CHUNK_BINARY = 0x004E4942
};

/* ---- the buffer ---------------------------------------------------------------------------- */

/* Room for n more bytes; NULL if there is none. */
static unsigned char *claim(sp_gltf *b, size_t n)
{
    if (b->size + n > b->room) {
        const size_t room = 2 * (b->size + n);
        unsigned char *data = realloc(b->data, room);
        b->failed = b->failed || !data;
        if (!data) {
            return NULL;
        }
        b->data = data;
        b->room = room;
    }
    unsigned char *at = b->data + b->size;
    b->size += n;
    return at;
}

/* A new accessor, its data to follow; -1 if there is no memory. */
static int begin_accessor(sp_gltf *b, const sp_gltf_array *a)
{
    if (b->n_list == b->list_room) {
        const int room = 2 * b->list_room + 16;
        sp_gltf_array *list = realloc(b->list, (size_t)room * sizeof *list);
        b->failed = b->failed || !list;
        if (!list) {
            return -1;
        }
        b->list = list;
        b->list_room = room;
    }
    b->list[b->n_list] = *a;
    b->list[b->n_list].at = b->size;
    return b->n_list++;
}

/* Items of floats, with bounds where the format wants them. */
static int put_floats(sp_gltf *b, const char *type, int numbers, size_t count, const float *value,
                      bool bounded, int target)
{
    sp_gltf_array a = {.type = type,
                       .numbers = numbers,
                       .kind = TYPE_FLOAT,
                       .target = target,
                       .count = count,
                       .bounded = bounded,
                       .low = {INFINITY, INFINITY, INFINITY},
                       .high = {-INFINITY, -INFINITY, -INFINITY}};
    for (size_t k = 0; bounded && k < count * (size_t)numbers; k++) {
        const int axis = (int)(k % (size_t)numbers);
        a.low[axis] = fmin(a.low[axis], (double)value[k]);
        a.high[axis] = fmax(a.high[axis], (double)value[k]);
    }
    const int index = begin_accessor(b, &a);
    unsigned char *at = claim(b, 4 * count * (size_t)numbers);
    for (size_t k = 0; at && k < count * (size_t)numbers; k++) {
        sp_bytes_float(at + 4 * k, (double)value[k]);
    }
    return index;
}

/* The triangles of a mesh. */
static int put_triangles(sp_gltf *b, const sp_mesh *mesh)
{
    const sp_gltf_array a = {.type = "SCALAR",
                             .numbers = 1,
                             .kind = TYPE_WORD,
                             .target = TARGET_TRIANGLES,
                             .count = 3 * mesh->n_triangle};
    const int index = begin_accessor(b, &a);
    unsigned char *at = claim(b, 12 * mesh->n_triangle);
    for (size_t k = 0; at && k < 3 * mesh->n_triangle; k++) {
        sp_bytes_word(at + 4 * k, mesh->triangle[k / 3][k % 3]);
    }
    return index;
}

/* ---- meshes -------------------------------------------------------------------------------- */

/* Mesh i: of a body, or behind them the rod of the springs. */
static const sp_mesh *mesh_at(const sp_gltf *b, size_t i)
{
    return i < b->s->n_body ? &b->s->mesh[i] : &b->s->rod;
}

/* Part k of "#rrggbb" as glTF has colours: linear in light [sRGB, IEC 61966-2-1]. */
static float linear_part(const char *color, int k)
{
    unsigned value = 0;
    const bool good = color && sscanf(color + 1 + 2 * (size_t)k, "%2x", &value) == 1;
    const double c = good ? value / 255.0 : 0.8;
    return (float)(c > 0.04045 ? pow((c + 0.055) / 1.055, 2.4) : c / 12.92);
}

/* Colours of the points of body i, whose mesh has its shapes one after the other; -1 if no shape
 * has a colour. */
static int put_colors(sp_gltf *b, size_t i)
{
    const sp_scene_body *body = &b->s->scene->body[i];
    const size_t n = b->s->mesh[i].n_point;
    bool any = false;
    for (int k = 0; k < body->n_shape; k++) {
        any = any || body->shape[k].color;
    }
    if (!any) {
        return -1;
    }
    float *color = malloc((3 * n + 1) * sizeof *color);
    sp_mesh so_far = {.n_point = 0};
    for (int k = 0; color && k < body->n_shape; k++) {
        size_t at = so_far.n_point;
        sp_stage_add_shape(b->s, i, k, &so_far);
        for (; at < so_far.n_point && at < n; at++) {
            for (int part = 0; part < 3; part++) {
                color[3 * at + (size_t)part] = linear_part(body->shape[k].color, part);
            }
        }
    }
    const bool whole = color && !so_far.failed && so_far.n_point == n;
    const int accessor = whole ? put_floats(b, "VEC3", 3, n, color, false, TARGET_POINTS) : -1;
    b->failed = b->failed || !whole;
    sp_mesh_free(&so_far);
    free(color);
    return accessor;
}

/* Put all meshes; bodies without shapes have none. */
static void put_meshes(sp_gltf *b)
{
    for (size_t i = 0; i <= b->s->n_body; i++) {
        const sp_mesh *mesh = mesh_at(b, i);
        const bool used = mesh->n_triangle > 0 && (i < b->s->n_body || b->s->scene->n_spring > 0);
        b->point[i] = b->normal[i] = b->triangle[i] = b->color[i] = -1;
        if (used) {
            b->point[i] =
                put_floats(b, "VEC3", 3, mesh->n_point, mesh->point[0], true, TARGET_POINTS);
            b->normal[i] =
                put_floats(b, "VEC3", 3, mesh->n_point, mesh->normal[0], false, TARGET_POINTS);
            b->triangle[i] = put_triangles(b, mesh);
            b->color[i] = i < b->s->n_body ? put_colors(b, i) : -1;
        }
    }
}

/* ---- skins --------------------------------------------------------------------------------- */

/* The two stations that each point goes with, as numbers of joints. */
static int put_joints(sp_gltf *b, const sp_mesh *mesh, const sp_scene_flex *flex, float *weight)
{
    const sp_gltf_array a = {.type = "VEC4",
                             .numbers = 4,
                             .kind = TYPE_SHORT,
                             .target = TARGET_POINTS,
                             .count = mesh->n_point};
    const int index = begin_accessor(b, &a);
    unsigned char *at = claim(b, 8 * mesh->n_point);
    for (size_t k = 0; at && k < mesh->n_point; k++) {
        double part;
        const int i = sp_bend_station(flex, (double)mesh->point[k][0], &part);
        const int joint[2] = {i, part > 0.0 ? i + 1 : 0}; /* 0 where it has no weight */
        for (int side = 0; side < 2; side++) {
            at[8 * k + 2 * (size_t)side] = (unsigned char)(joint[side] % 256);
            at[8 * k + 2 * (size_t)side + 1] = (unsigned char)(joint[side] / 256);
        }
        memset(at + 8 * k + 4, 0, 4);
        weight[4 * k] = 1.0f - (float)part;
        weight[4 * k + 1] = (float)part;
    }
    return index;
}

/* The skin of body i: between stations its points are taken along by both. */
static void put_skin(sp_gltf *b, size_t i)
{
    const sp_scene_flex *flex = b->s->bend[i].flex;
    const sp_mesh *mesh = &b->s->mesh[i];
    const size_t n = (size_t)flex->n_station;
    sp_gltf_skin *skin = &b->skin[b->n_skin++];
    float *weight = calloc(4 * mesh->n_point + 16 * n, sizeof *weight);
    b->failed = b->failed || !weight;
    if (b->failed) {
        free(weight);
        return;
    }
    float *bind = weight + 4 * mesh->n_point; /* by columns: a shift from the station to x = 0 */
    for (size_t k = 0; k < n; k++) {
        bind[16 * k] = bind[16 * k + 5] = bind[16 * k + 10] = bind[16 * k + 15] = 1.0f;
        bind[16 * k + 12] = -(float)flex->x[k];
    }
    *skin = (sp_gltf_skin){.body = i, .n_joint = n, .first = b->n_joint};
    skin->joint = put_joints(b, mesh, flex, weight);
    skin->weight = put_floats(b, "VEC4", 4, mesh->n_point, weight, false, TARGET_POINTS);
    skin->bind = put_floats(b, "MAT4", 16, n, bind, false, 0);
    b->n_joint += n;
    free(weight);
}

const sp_gltf_skin *sp_gltf_skin_of(const sp_gltf *b, size_t body)
{
    for (size_t k = 0; k < b->n_skin; k++) {
        if (b->skin[k].body == body) {
            return &b->skin[k];
        }
    }
    return NULL;
}

/* The skins of all bodies that bend and are seen. */
static void put_skins(sp_gltf *b)
{
    for (size_t i = 0; !b->failed && i < b->s->n_body; i++) {
        if (b->s->bend[i].flex && b->point[i] >= 0) {
            put_skin(b, i);
        }
    }
}

/* ---- motion -------------------------------------------------------------------------------- */

/* The times, which must rise as floats; frames at the same time count once, the last of them. */
static void put_times(sp_gltf *b)
{
    const sp_stage *s = b->s;
    float *time = malloc((s->n + 1) * sizeof *time);
    b->frame = malloc((s->n + 1) * sizeof *b->frame);
    b->failed = b->failed || !time || !b->frame;
    const double begin = s->time[0] < 0.0 ? s->time[0] : 0.0;
    for (size_t i = 0; !b->failed && i < s->n; i++) {
        const float t = (float)(s->time[i] - begin);
        if (b->n_time > 0 && !(t > time[b->n_time - 1])) {
            b->frame[b->n_time - 1] = i;
        } else {
            time[b->n_time] = t;
            b->frame[b->n_time++] = i;
        }
    }
    if (!b->failed) {
        b->time = put_floats(b, "SCALAR", 1, b->n_time, time, true, 0);
    }
    free(time);
}

/* Take the quaternion that is nearer to the one before: both mean the same rotation. */
static void keep_near(const float *before, float *q)
{
    float inner = 0.0f;
    for (int k = 0; k < 4; k++) {
        inner += before[k] * q[k];
    }
    for (int k = 0; inner < 0.0f && k < 4; k++) {
        q[k] = -q[k];
    }
}

/* A body. */
static void place_body(const sp_gltf *b, size_t i, size_t frame, float at[3], float turn[4],
                       float scale[3])
{
    double x[3], q[4];
    sp_pose_place(b->s->columns, sp_stage_pose(b->s, frame, i), x, q);
    for (int k = 0; k < 3; k++) {
        at[k] = (float)x[k];
        turn[k] = (float)q[k + 1];
        scale[k] = 1.0f;
    }
    turn[3] = (float)q[0];
}

/* A spring from a to b: the rod along x turned to b - a and stretched to its length. */
static void place_spring(const sp_gltf *b, size_t i, size_t frame, float at[3], float turn[4],
                         float scale[3])
{
    const sp_scene_spring *spring = &b->s->scene->spring[i];
    double end[2][3], d[3];
    for (int side = 0; side < 2; side++) {
        sp_stage_point(b->s, frame, (size_t)spring->body[side], spring->at[side], end[side]);
    }
    for (int k = 0; k < 3; k++) {
        d[k] = end[1][k] - end[0][k];
        at[k] = (float)end[0][k];
        scale[k] = 1.0f;
    }
    const double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    const double w = length > 0.0 ? 1.0 + d[0] / length : 2.0;
    const double q[4] = {w, 0.0, length > 0.0 ? -d[2] / length : 0.0,
                         length > 0.0 ? d[1] / length : 0.0}; /* x cross d */
    const double size = sqrt(q[0] * q[0] + q[2] * q[2] + q[3] * q[3]);
    turn[0] = 0.0f;
    turn[1] = (float)(size > 1e-8 ? q[2] / size : 0.0);
    turn[2] = (float)(size > 1e-8 ? q[3] / size : 1.0); /* opposite: half a turn about z */
    turn[3] = (float)(size > 1e-8 ? q[0] / size : 0.0);
    scale[0] = (float)(length > 1e-12 ? length : 1e-12);
}

/* A joint: a section in the frame of its body. */
static void place_joint(const sp_section *section, float at[3], float turn[4])
{
    double q[4];
    sp_bend_turn(section->angle, q);
    for (int k = 0; k < 3; k++) {
        at[k] = (float)section->at[k];
        turn[k] = (float)q[k + 1];
    }
    turn[3] = (float)q[0];
}

void sp_gltf_place(const sp_gltf *b, size_t i, size_t frame, float at[3], float turn[4],
                   float scale[3])
{
    const size_t n_rigid = sp_gltf_things(b) - b->n_joint;
    if (i < b->s->n_body) {
        place_body(b, i, frame, at, turn, scale);
    } else if (i < n_rigid) {
        place_spring(b, i - b->s->n_body, frame, at, turn, scale);
    } else {
        const sp_gltf_skin *skin = b->skin;
        while (i - n_rigid >= skin->first + skin->n_joint) {
            skin++;
        }
        const sp_section *section = sp_stage_sections(b->s, frame, skin->body);
        place_joint(&section[i - n_rigid - skin->first], at, turn);
        scale[0] = scale[1] = scale[2] = 1.0f;
    }
}

/* Whether rows of n numbers differ. */
static bool varies(const float *value, size_t n, size_t count)
{
    for (size_t k = n; k < n * count; k++) {
        if (value[k] != value[k % n]) {
            return true;
        }
    }
    return false;
}

/* Places and rotations over time as accessors, as far as they vary. */
static void put_paths(sp_gltf *b, const float *at, float *turn, sp_gltf_motion *m)
{
    const size_t n = b->n_time;
    for (size_t k = 1; k < n; k++) {
        keep_near(turn + 4 * (k - 1), turn + 4 * k);
    }
    m->translation = varies(at, 3, n) ? put_floats(b, "VEC3", 3, n, at, false, 0) : -1;
    m->rotation = varies(turn, 4, n) ? put_floats(b, "VEC4", 4, n, turn, false, 0) : -1;
}

/* The motion of thing i as accessors, as far as it moves. */
static void put_motion(sp_gltf *b, size_t i, sp_gltf_motion *m)
{
    const size_t n = b->n_time;
    float *at = malloc((10 * n + 1) * sizeof *at), *turn = at ? at + 3 * n : NULL;
    float *scale = at ? at + 7 * n : NULL;
    b->failed = b->failed || !at;
    for (size_t k = 0; at && k < n; k++) {
        sp_gltf_place(b, i, b->frame[k], at + 3 * k, turn + 4 * k, scale + 3 * k);
    }
    if (at) {
        put_paths(b, at, turn, m);
        m->scale = varies(scale, 3, n) ? put_floats(b, "VEC3", 3, n, scale, false, 0) : -1;
    }
    free(at);
}

/* The motions of all joints of a skin; m is that of the first. */
static void put_bending(sp_gltf *b, const sp_gltf_skin *skin, sp_gltf_motion *m)
{
    const size_t n = b->n_time;
    float *at = malloc((7 * n * skin->n_joint + 1) * sizeof *at);
    float *turn = at ? at + 3 * n * skin->n_joint : NULL;
    b->failed = b->failed || !at;
    for (size_t k = 0; at && k < n; k++) {
        const sp_section *section = sp_stage_sections(b->s, b->frame[k], skin->body);
        for (size_t s = 0; s < skin->n_joint; s++) {
            place_joint(&section[s], at + 3 * (n * s + k), turn + 4 * (n * s + k));
        }
    }
    for (size_t s = 0; at && s < skin->n_joint; s++) {
        put_paths(b, at + 3 * n * s, turn + 4 * n * s, &m[s]);
    }
    free(at);
}

/* Motions of all things; node 0 holds them all. */
static void put_motions(sp_gltf *b)
{
    const size_t n = sp_gltf_things(b), n_rigid = n - b->n_joint;
    b->motion = malloc((n + 1) * sizeof *b->motion);
    b->failed = b->failed || !b->motion;
    for (size_t i = 0; !b->failed && i < n; i++) {
        b->motion[i] = (sp_gltf_motion){(int)i + 1, -1, -1, -1};
    }
    if (!b->failed) {
        put_times(b);
    }
    for (size_t i = 0; !b->failed && i < n_rigid; i++) {
        put_motion(b, i, &b->motion[i]);
    }
    for (size_t k = 0; !b->failed && k < b->n_skin; k++) {
        put_bending(b, &b->skin[k], &b->motion[n_rigid + b->skin[k].first]);
    }
}

/* ---- the file ------------------------------------------------------------------------------ */

/* Header of a chunk, or of the file. */
static void put_words(FILE *file, int n, const unsigned long *word)
{
    for (int k = 0; k < n; k++) {
        unsigned char bytes[4];
        sp_bytes_word(bytes, word[k]);
        fwrite(bytes, 1, 4, file);
    }
}

/* The binary form: header, JSON filled up with blanks, buffer filled up with zeros. */
static sp_status put_binary(FILE *file, const sp_gltf *b, const char *json, size_t size,
                            sp_error *err)
{
    const size_t json_room = (size + 3) / 4 * 4, data_room = (b->size + 3) / 4 * 4;
    const size_t total = 12 + 8 + json_room + 8 + data_room;
    if (total > 0xFFFFFFFFu) {
        return SP_FAIL(err, SP_E_CAPACITY,
                       "glTF files end at 4 GB, this one takes %zu bytes; take "
                       "fewer frames",
                       total);
    }
    put_words(file, 3, (const unsigned long[]){GLB_MAGIC, GLB_VERSION, (unsigned long)total});
    put_words(file, 2, (const unsigned long[]){(unsigned long)json_room, CHUNK_JSON});
    fwrite(json, 1, size, file);
    fprintf(file, "%*s", (int)(json_room - size), "");
    put_words(file, 2, (const unsigned long[]){(unsigned long)data_room, CHUNK_BINARY});
    fwrite(b->data, 1, b->size, file);
    fwrite("\0\0\0", 1, data_room - b->size, file);
    return SP_OK;
}

/* Write what was built. */
static sp_status put_file(FILE *file, const sp_gltf *b, bool binary, sp_error *err)
{
    char *json = NULL;
    size_t size = 0;
    if (!binary) {
        sp_gltf_json(file, b, false);
        fputc('\n', file);
    } else {
        FILE *memory = open_memstream(&json, &size);
        bool ok = memory != NULL;
        if (memory) {
            sp_gltf_json(memory, b, true);
            ok = !ferror(memory);
            ok = fclose(memory) == 0 && ok;
        }
        const sp_status status = ok ? put_binary(file, b, json, size, err)
                                    : SP_FAIL(err, SP_E_MEMORY, "out of memory for the export");
        free(json);
        SP_TRY(status);
    }
    return fflush(file) == 0 && !ferror(file)
               ? SP_OK
               : SP_FAIL(err, SP_E_IO, "cannot write the glTF file: %s", strerror(errno));
}

/* Build and write a stage. */
static sp_status export_stage(const sp_stage *s, FILE *file, bool binary, sp_error *err)
{
    sp_gltf b = {.s = s, .time = -1};
    const size_t n = s->n_body + 1;
    b.point = malloc(4 * n * sizeof *b.point);
    b.skin = malloc(n * sizeof *b.skin);
    b.failed = !b.point || !b.skin;
    if (!b.failed) {
        b.normal = b.point + n;
        b.triangle = b.normal + n;
        b.color = b.triangle + n;
        put_meshes(&b);
        put_skins(&b);
        put_motions(&b);
    }
    const sp_status status = b.failed ? SP_FAIL(err, SP_E_MEMORY, "out of memory for the export")
                                      : put_file(file, &b, binary, err);
    free(b.data);
    free(b.list);
    free(b.point);
    free(b.skin);
    free(b.motion);
    free(b.frame);
    return status;
}

sp_status sp_export_gltf(sp_result *result, FILE *file, bool binary, size_t frames,
                         double deformation, sp_export_extent *extent, sp_error *err)
{
    sp_stage stage;
    SP_TRY(sp_stage_set(result, frames, deformation, &stage, err));
    const sp_status status = export_stage(&stage, file, binary, err);
    *extent = (sp_export_extent){.frames_in = sp_result_about(result)->n_frame,
                                 .frames = stage.n,
                                 .bodies = stage.n_body,
                                 .files = 1};
    for (size_t i = 0; i < stage.n_body; i++) {
        extent->triangles += stage.mesh[i].n_triangle;
    }
    sp_stage_free(&stage);
    return status;
}
