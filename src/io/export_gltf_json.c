#include "io/export_gltf.h"
#include "io/json.h"

enum { SECTION_NAME = 40 };

static void json_vector(sp_json *j, const char *key, int n, const float *v)
{
    sp_json_array(j, key);
    for (int k = 0; k < n; k++) {
        sp_json_short(j, NULL, (double)v[k], 9);
    }
    sp_json_end(j);
}

/* Number of mesh i among those that are there, -1: it is not. */
static int mesh_number(const sp_gltf *b, size_t i)
{
    int n = 0;
    for (size_t k = 0; k < i; k++) {
        n += b->point[k] >= 0;
    }
    return b->point[i] >= 0 ? n : -1;
}

/* Numbers of nodes that follow each other. */
static void json_range(sp_json *j, const char *key, size_t first, size_t n)
{
    sp_json_array(j, key);
    for (size_t k = 0; k < n; k++) {
        sp_json_integer(j, NULL, (long long)(first + k));
    }
    sp_json_end(j);
}

/* The node of the first joint of a skin. */
static size_t joint_node(const sp_gltf *b, const sp_gltf_skin *skin)
{
    return 1 + sp_gltf_things(b) - b->n_joint + skin->first;
}

/* A node with its place in the first frame; the body of a skin has its joints. */
static void json_node(sp_json *j, const sp_gltf *b, size_t i, const char *name, int mesh,
                      const sp_gltf_skin *skin)
{
    float at[3], turn[4], scale[3];
    sp_gltf_place(b, i, b->frame[0], at, turn, scale);
    sp_json_object(j, NULL);
    sp_json_text(j, "name", name);
    json_vector(j, "translation", 3, at);
    json_vector(j, "rotation", 4, turn);
    json_vector(j, "scale", 3, scale);
    if (skin) {
        json_range(j, "children", joint_node(b, skin), skin->n_joint);
    } else if (mesh >= 0) {
        sp_json_integer(j, "mesh", mesh);
    }
    sp_json_end(j);
}

/* The joints of all skins, then their surfaces, which the joints alone move. */
static void json_bent_nodes(sp_json *j, const sp_gltf *b)
{
    const size_t n = sp_gltf_things(b);
    char name[SECTION_NAME];
    for (size_t k = 0; k < b->n_skin; k++) {
        const sp_gltf_skin *skin = &b->skin[k];
        for (size_t s = 0; s < skin->n_joint; s++) {
            snprintf(name, sizeof name, "section %zu", s);
            json_node(j, b, n - b->n_joint + skin->first + s, name, -1, NULL);
        }
    }
    for (size_t k = 0; k < b->n_skin; k++) {
        sp_json_object(j, NULL);
        sp_json_text(j, "name", sp_result_body_name(b->s->r, (int)b->skin[k].body));
        sp_json_integer(j, "mesh", mesh_number(b, b->skin[k].body));
        sp_json_integer(j, "skin", (long long)k);
        sp_json_end(j);
    }
}

/* The skins. */
static void json_skins(sp_json *j, const sp_gltf *b)
{
    if (b->n_skin == 0) { /* an empty list is not allowed */
        return;
    }
    sp_json_array(j, "skins");
    for (size_t k = 0; k < b->n_skin; k++) {
        const sp_gltf_skin *skin = &b->skin[k];
        sp_json_object(j, NULL);
        sp_json_integer(j, "skeleton", (long long)skin->body + 1);
        sp_json_integer(j, "inverseBindMatrices", skin->bind);
        json_range(j, "joints", joint_node(b, skin), skin->n_joint);
        sp_json_end(j);
    }
    sp_json_end(j);
}

/* The scene: one root, which turns z up to y up in space, and below it bodies and springs. */
static void json_nodes(sp_json *j, const sp_gltf *b)
{
    static const float upright[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    static const float z_to_y[4] = {-0.70710678f, 0.0f, 0.0f, 0.70710678f};
    const size_t n_body = b->s->n_body;
    const int n_spring = b->s->scene->n_spring, rod = mesh_number(b, n_body);
    int next = 0;
    sp_json_array(j, "nodes");
    sp_json_object(j, NULL);
    sp_json_text(j, "name", sp_result_about(b->s->r)->name);
    json_vector(j, "rotation", 4, b->s->scene->spatial ? z_to_y : upright);
    json_range(j, "children", 1, n_body + (size_t)n_spring);
    sp_json_end(j);
    for (size_t i = 0; i < n_body; i++) {
        const int mesh = b->point[i] >= 0 ? next++ : -1;
        json_node(j, b, i, sp_result_body_name(b->s->r, (int)i), mesh, sp_gltf_skin_of(b, i));
    }
    for (int i = 0; i < n_spring; i++) {
        json_node(j, b, n_body + (size_t)i, b->s->scene->spring[i].name, rod, NULL);
    }
    json_bent_nodes(j, b);
    sp_json_end(j);
}

/* Colours of bodies, one after the other; the ground is grey, springs are darker, and white is for
 * bodies whose points have colours. */
static void json_materials(sp_json *j)
{
    static const float colour[][4] = {{0.55f, 0.57f, 0.60f, 1.0f}, {0.12f, 0.38f, 0.62f, 1.0f},
                                      {0.80f, 0.45f, 0.13f, 1.0f}, {0.20f, 0.55f, 0.36f, 1.0f},
                                      {0.62f, 0.25f, 0.28f, 1.0f}, {0.45f, 0.36f, 0.62f, 1.0f},
                                      {0.30f, 0.32f, 0.35f, 1.0f}, {1.0f, 1.0f, 1.0f, 1.0f}};
    sp_json_array(j, "materials");
    for (size_t k = 0; k < sizeof colour / sizeof *colour; k++) {
        sp_json_object(j, NULL);
        sp_json_object(j, "pbrMetallicRoughness");
        json_vector(j, "baseColorFactor", 4, colour[k]);
        sp_json_short(j, "metallicFactor", 0.1, 3);
        sp_json_short(j, "roughnessFactor", 0.6, 3);
        sp_json_end(j);
        sp_json_end(j);
    }
    sp_json_end(j);
}

/* The material of mesh i, in the order above. */
static int material_of(const sp_gltf *b, size_t i)
{
    const int plain = i == 0 ? 0 : i < b->s->n_body ? (int)((i - 1) % 5) + 1 : 6;
    return b->color[i] >= 0 ? 7 : plain;
}

/* The meshes that are there. */
static void json_meshes(sp_json *j, const sp_gltf *b)
{
    bool any = false;
    for (size_t i = 0; i <= b->s->n_body; i++) {
        any = any || b->point[i] >= 0;
    }
    if (!any) { /* an empty list is not allowed */
        return;
    }
    sp_json_array(j, "meshes");
    for (size_t i = 0; i <= b->s->n_body; i++) {
        if (b->point[i] < 0) {
            continue;
        }
        sp_json_object(j, NULL);
        sp_json_text(j, "name", i < b->s->n_body ? sp_result_body_name(b->s->r, (int)i) : "spring");
        sp_json_array(j, "primitives");
        sp_json_object(j, NULL);
        sp_json_object(j, "attributes");
        sp_json_integer(j, "POSITION", b->point[i]);
        sp_json_integer(j, "NORMAL", b->normal[i]);
        if (b->color[i] >= 0) {
            sp_json_integer(j, "COLOR_0", b->color[i]);
        }
        const sp_gltf_skin *skin = sp_gltf_skin_of(b, i);
        if (skin) {
            sp_json_integer(j, "JOINTS_0", skin->joint);
            sp_json_integer(j, "WEIGHTS_0", skin->weight);
        }
        sp_json_end(j);
        sp_json_integer(j, "indices", b->triangle[i]);
        sp_json_integer(j, "material", material_of(b, i));
        sp_json_end(j);
        sp_json_end(j);
        sp_json_end(j);
    }
    sp_json_end(j);
}

/* Accessors, and a view of the buffer for each. */
static void json_accessors(sp_json *j, const sp_gltf *b)
{
    sp_json_array(j, "accessors");
    for (int k = 0; k < b->n_list; k++) {
        const sp_gltf_array *a = &b->list[k];
        sp_json_object(j, NULL);
        sp_json_integer(j, "bufferView", k);
        sp_json_integer(j, "componentType", a->kind);
        sp_json_integer(j, "count", (long long)a->count);
        sp_json_text(j, "type", a->type);
        for (int side = 0; a->bounded && side < 2; side++) {
            const double *bound = side == 0 ? a->low : a->high;
            sp_json_array(j, side == 0 ? "min" : "max");
            for (int i = 0; i < a->numbers; i++) {
                sp_json_short(j, NULL, bound[i], 9);
            }
            sp_json_end(j);
        }
        sp_json_end(j);
    }
    sp_json_end(j);
    sp_json_array(j, "bufferViews");
    for (int k = 0; k < b->n_list; k++) {
        const sp_gltf_array *a = &b->list[k];
        const size_t end = k + 1 < b->n_list ? b->list[k + 1].at : b->size;
        sp_json_object(j, NULL);
        sp_json_integer(j, "buffer", 0);
        sp_json_integer(j, "byteOffset", (long long)a->at);
        sp_json_integer(j, "byteLength", (long long)(end - a->at));
        if (a->target != 0) {
            sp_json_integer(j, "target", a->target);
        }
        sp_json_end(j);
    }
    sp_json_end(j);
}

/* The three ways a node can move. */
enum { N_PATH = 3 };
static const char *const path_name[N_PATH] = {"translation", "rotation", "scale"};

static int path_accessor(const sp_gltf_motion *m, int path)
{
    return path == 0 ? m->translation : path == 1 ? m->rotation : m->scale;
}

/* The animation, if anything moves. */
static void json_animation(sp_json *j, const sp_gltf *b)
{
    const size_t n = sp_gltf_things(b);
    int n_sampler = 0;
    for (size_t i = 0; i < n * N_PATH; i++) {
        n_sampler += path_accessor(&b->motion[i / N_PATH], (int)(i % N_PATH)) >= 0;
    }
    if (n_sampler == 0) {
        return;
    }
    sp_json_array(j, "animations");
    sp_json_object(j, NULL);
    sp_json_text(j, "name", "run");
    sp_json_array(j, "samplers");
    for (size_t i = 0; i < n * N_PATH; i++) {
        const int output = path_accessor(&b->motion[i / N_PATH], (int)(i % N_PATH));
        if (output >= 0) {
            sp_json_object(j, NULL);
            sp_json_integer(j, "input", b->time);
            sp_json_text(j, "interpolation", "LINEAR");
            sp_json_integer(j, "output", output);
            sp_json_end(j);
        }
    }
    sp_json_end(j);
    sp_json_array(j, "channels");
    n_sampler = 0;
    for (size_t i = 0; i < n * N_PATH; i++) {
        const sp_gltf_motion *m = &b->motion[i / N_PATH];
        if (path_accessor(m, (int)(i % N_PATH)) >= 0) {
            sp_json_object(j, NULL);
            sp_json_integer(j, "sampler", n_sampler++);
            sp_json_object(j, "target");
            sp_json_integer(j, "node", m->node);
            sp_json_text(j, "path", path_name[i % N_PATH]);
            sp_json_end(j);
            sp_json_end(j);
        }
    }
    sp_json_end(j);
    sp_json_end(j);
    sp_json_end(j);
}

void sp_gltf_json(FILE *file, const sp_gltf *b, bool binary)
{
    sp_json j;
    sp_json_init(&j, file);
    sp_json_object(&j, NULL);
    sp_json_object(&j, "asset");
    sp_json_text(&j, "version", "2.0");
    sp_json_text(&j, "generator", "specht");
    sp_json_end(&j);
    sp_json_integer(&j, "scene", 0);
    sp_json_array(&j, "scenes");
    sp_json_object(&j, NULL);
    sp_json_array(&j, "nodes");
    sp_json_integer(&j, NULL, 0);
    for (size_t k = 0; k < b->n_skin; k++) { /* surfaces move with their joints alone */
        sp_json_integer(&j, NULL, (long long)(1 + sp_gltf_things(b) + k));
    }
    sp_json_end(&j);
    sp_json_end(&j);
    sp_json_end(&j);
    json_nodes(&j, b);
    json_skins(&j, b);
    json_materials(&j);
    json_meshes(&j, b);
    json_accessors(&j, b);
    json_animation(&j, b);
    sp_json_array(&j, "buffers");
    sp_json_object(&j, NULL);
    sp_json_integer(&j, "byteLength", (long long)b->size);
    if (!binary) {
        sp_json_data_uri(&j, "uri", "application/octet-stream", b->data, b->size);
    }
    sp_json_end(&j);
    sp_json_end(&j);
    sp_json_end(&j);
}
