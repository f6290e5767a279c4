#define _POSIX_C_SOURCE 200809L
#include "io/scene_json.h"

#include "io/pose.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 1024, SCENE_FORMAT = 1 };

/* ---- writing ------------------------------------------------------------------------------- */

/* Which numbers a kind of shape has.  Balls and rods have points, in space a frame instead, as all
 * solids there. */
typedef struct usage {
    bool points, normal, radius, length, size, turned;
} usage;

static usage usage_of(sp_shape_kind kind, bool spatial)
{
    const bool box = kind == SP_SHAPE_BOX, ball = kind == SP_SHAPE_SPHERE;
    const bool rod = kind == SP_SHAPE_CAPSULE;
    const bool turned = kind == SP_SHAPE_CYLINDER || kind == SP_SHAPE_CONE;
    const bool framed = box || turned || (spatial && (ball || rod));
    return (usage){.points = !framed,
                   .normal = kind == SP_SHAPE_LINE || kind == SP_SHAPE_PLANE,
                   .radius =
                       kind == SP_SHAPE_CIRCLE || kind == SP_SHAPE_HOLLOW || ball || rod || turned,
                   .length = turned || (spatial && rod),
                   .size = box,
                   .turned = framed};
}

/* The frame of a ball or of a rod between two points: its middle, its z axis along the rod. */
static void frame_shape(sp_shape *s)
{
    const double *a = s->point[0], *b = s->point[s->n_point > 1 ? 1 : 0];
    double d[3];
    for (int k = 0; k < 3; k++) {
        d[k] = b[k] - a[k];
        s->at[k] = 0.5 * (a[k] + b[k]);
    }
    s->length = sp_pose_between(d, s->turn);
}

/* The points of a ball or rod from its frame. */
static bool point_shape(sp_arena *arena, sp_shape *s)
{
    double(*point)[3] = sp_arena_alloc(arena, 2, sizeof *point);
    if (!point) {
        return false;
    }
    double half[3];
    sp_pose_turn(s->turn, (const double[3]){0.0, 0.0, 0.5 * s->length}, half);
    for (int k = 0; k < 3; k++) {
        point[0][k] = s->at[k] - half[k];
        point[1][k] = s->at[k] + half[k];
    }
    s->point = (const double(*)[3])point;
    s->n_point = s->kind == SP_SHAPE_CAPSULE ? 2 : 1;
    return true;
}

void sp_scene_put_shape(sp_json *j, const sp_shape *shape, bool spatial)
{
    const usage uses = usage_of(shape->kind, spatial);
    sp_shape s = *shape;
    if (uses.turned && s.n_point > 0) {
        frame_shape(&s);
    }
    sp_json_object(j, NULL);
    sp_json_text(j, "kind", sp_shape_name(s.kind));
    sp_json_text(j, "name", s.name ? s.name : "");
    if (s.color) {
        sp_json_text(j, "color", s.color);
    }
    if (uses.points) {
        sp_json_array(j, "points");
        for (int k = 0; k < s.n_point; k++) {
            sp_json_numbers(j, NULL, 3, s.point[k]);
        }
        sp_json_end(j);
    }
    if (uses.normal) {
        sp_json_numbers(j, "normal", 3, s.normal);
    }
    if (uses.radius) {
        sp_json_number(j, "radius", s.radius);
    }
    if (uses.length) {
        sp_json_number(j, "length", s.length);
    }
    if (uses.size) {
        sp_json_numbers(j, "size", 3, s.size);
    }
    if (uses.turned) {
        sp_json_numbers(j, "at", 3, s.at);
        sp_json_numbers(j, "turn", 4, s.turn);
    }
    sp_json_end(j);
}

void sp_scene_put_flex(sp_json *j, const sp_scene_flex *flex)
{
    sp_json_number(j, "from", flex->from);
    sp_json_numbers(j, "x", flex->n_station, flex->x);
    sp_json_array(j, "modes");
    for (int k = 0; k < flex->n_mode; k++) {
        const sp_scene_mode *mode = &flex->mode[k];
        sp_json_object(j, NULL);
        sp_json_integer(j, "q", mode->q);
        sp_json_integer(j, "along", mode->along);
        sp_json_integer(j, "about", mode->about);
        sp_json_numbers(j, "way", flex->n_station, mode->way);
        sp_json_numbers(j, "turn", flex->n_station, mode->turn);
        sp_json_end(j);
    }
    sp_json_end(j);
}

/* A body with its shapes. */
static void put_body(sp_json *j, const sp_scene_body *b, bool spatial)
{
    sp_json_object(j, NULL);
    sp_json_text(j, "name", b->name);
    sp_json_array(j, "shapes");
    for (int s = 0; s < b->n_shape; s++) {
        sp_scene_put_shape(j, &b->shape[s], spatial);
    }
    sp_json_end(j);
    if (b->flex.n_station > 0) {
        sp_json_object(j, "flex");
        sp_scene_put_flex(j, &b->flex);
        sp_json_end(j);
    }
    sp_json_end(j);
}

/* A spring with its two ends. */
static void put_spring(sp_json *j, const sp_scene_spring *s)
{
    sp_json_object(j, NULL);
    sp_json_text(j, "name", s->name ? s->name : "");
    sp_json_array(j, "bodies");
    sp_json_integer(j, NULL, s->body[0]);
    sp_json_integer(j, NULL, s->body[1]);
    sp_json_end(j);
    sp_json_array(j, "at");
    sp_json_numbers(j, NULL, 3, s->at[0]);
    sp_json_numbers(j, NULL, 3, s->at[1]);
    sp_json_end(j);
    sp_json_end(j);
}

char *sp_scene_text(const sp_scene *scene)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (!file) {
        return NULL;
    }
    sp_json j;
    sp_json_init(&j, file);
    sp_json_object(&j, NULL);
    sp_json_integer(&j, "format", SCENE_FORMAT);
    sp_json_text(&j, "space", scene->spatial ? "spatial" : "planar");
    sp_json_array(&j, "bodies");
    for (int i = 0; i < scene->n_body; i++) {
        put_body(&j, &scene->body[i], scene->spatial);
    }
    sp_json_end(&j);
    sp_json_array(&j, "springs");
    for (int i = 0; i < scene->n_spring; i++) {
        put_spring(&j, &scene->spring[i]);
    }
    sp_json_end(&j);
    sp_json_end(&j);
    const bool whole = !ferror(file);
    if (fclose(file) != 0 || !whole) {
        free(text);
        text = NULL;
    }
    return text;
}

/* ---- reading ------------------------------------------------------------------------------- */

/* A reader that keeps what it reads in an arena. */
typedef struct scanner {
    sp_json_reader json;
    sp_arena *arena;
    int n_body; /* that springs may name */
} scanner;

/* Take a sign that must be there. */
static void want(scanner *s, char sign)
{
    if (!sp_json_take(&s->json, sign)) {
        s->json.failed = true;
    }
}

/* Begin an array and count its items. */
static int begin_array(scanner *s)
{
    int n = 0;
    bool first = true;
    want(s, '[');
    sp_json_reader ahead = s->json;
    while (sp_json_more(&ahead, ']', &first) && n < INT_MAX / 64) {
        sp_json_skip(&ahead);
        n += !ahead.failed;
    }
    s->json.failed = s->json.failed || ahead.failed;
    return s->json.failed ? 0 : n;
}

/* Memory for n things; none makes the reading fail. */
static void *room(scanner *s, int n, size_t size)
{
    void *memory = sp_arena_alloc(s->arena, (size_t)n + 1, size);
    s->json.failed = s->json.failed || !memory;
    return memory;
}

/* The next key of an object; false at its end. */
static bool next_key(scanner *s, bool *first, char *key, size_t size)
{
    if (!sp_json_more(&s->json, '}', first)) {
        return false;
    }
    sp_json_read_text(&s->json, key, size);
    want(s, ':');
    return !s->json.failed;
}

/* A text that is kept. */
static const char *read_name(scanner *s)
{
    char name[NAME_BYTES];
    sp_json_read_text(&s->json, name, sizeof name);
    const char *copy = s->json.failed ? NULL : sp_arena_copy(s->arena, name);
    s->json.failed = s->json.failed || !copy;
    return copy;
}

/* Up to n numbers; more are passed over, missing ones stay. */
static void read_vector(scanner *s, int n, double *v)
{
    bool first = true;
    want(s, '[');
    for (int k = 0; sp_json_more(&s->json, ']', &first); k++) {
        const double value = sp_json_read_number(&s->json);
        if (k < n) {
            v[k] = value;
        }
    }
}

/* The points of a shape. */
static void read_points(scanner *s, sp_shape *shape)
{
    const int n = begin_array(s);
    double(*point)[3] = room(s, n, sizeof *point);
    bool first = true;
    for (int k = 0; k < n && sp_json_more(&s->json, ']', &first); k++) {
        read_vector(s, 3, point[k]);
    }
    want(s, ']');
    shape->n_point = n;
    shape->point = (const double(*)[3])point;
}

/* One shape; false if it cannot be drawn. */
static bool read_shape(scanner *s, sp_shape *shape)
{
    char key[32], kind[32];
    bool first = true;
    *shape = (sp_shape){.kind = SP_SHAPE_N, .name = "", .turn = {1.0, 0.0, 0.0, 0.0}};
    want(s, '{');
    while (next_key(s, &first, key, sizeof key)) {
        if (strcmp(key, "kind") == 0) {
            sp_json_read_text(&s->json, kind, sizeof kind);
            shape->kind = s->json.failed ? SP_SHAPE_N : sp_shape_find(kind);
        } else if (strcmp(key, "name") == 0) {
            shape->name = read_name(s);
        } else if (strcmp(key, "color") == 0) {
            shape->color = read_name(s);
        } else if (strcmp(key, "points") == 0) {
            read_points(s, shape);
        } else if (strcmp(key, "normal") == 0) {
            read_vector(s, 3, shape->normal);
        } else if (strcmp(key, "radius") == 0) {
            shape->radius = sp_json_read_number(&s->json);
        } else if (strcmp(key, "length") == 0) {
            shape->length = sp_json_read_number(&s->json);
        } else if (strcmp(key, "size") == 0) {
            read_vector(s, 3, shape->size);
        } else if (strcmp(key, "at") == 0) {
            read_vector(s, 3, shape->at);
        } else if (strcmp(key, "turn") == 0) {
            read_vector(s, 4, shape->turn);
        } else {
            sp_json_skip(&s->json);
        }
    }
    static const int least[SP_SHAPE_N] = {
        [SP_SHAPE_POINT] = 1,  [SP_SHAPE_LINE] = 1,   [SP_SHAPE_SEGMENT] = 2,
        [SP_SHAPE_CIRCLE] = 1, [SP_SHAPE_HOLLOW] = 1, [SP_SHAPE_POLYGON] = 3,
        [SP_SHAPE_SPHERE] = 1, [SP_SHAPE_PLANE] = 1,  [SP_SHAPE_CAPSULE] = 2,
        [SP_SHAPE_CURVE] = 2};
    const bool solid = shape->kind == SP_SHAPE_SPHERE || shape->kind == SP_SHAPE_CAPSULE;
    if (!s->json.failed && solid && shape->n_point == 0 && !point_shape(s->arena, shape)) {
        s->json.failed = true;
    }
    return !s->json.failed && shape->kind < SP_SHAPE_N && shape->n_point >= least[shape->kind];
}

/* The shapes of a body. */
static void read_shapes(scanner *s, sp_scene_body *b)
{
    const int n = begin_array(s);
    sp_shape *shape = room(s, n, sizeof *shape);
    bool first = true;
    b->n_shape = 0;
    for (int k = 0; k < n && sp_json_more(&s->json, ']', &first); k++) {
        b->n_shape += read_shape(s, &shape[b->n_shape]);
    }
    want(s, ']');
    b->shape = shape;
}

/* A list of numbers; how many there are. */
static int read_list(scanner *s, const double **list)
{
    const int n = begin_array(s);
    double *value = room(s, n, sizeof *value);
    bool first = true;
    for (int k = 0; k < n && sp_json_more(&s->json, ']', &first); k++) {
        value[k] = sp_json_read_number(&s->json);
    }
    want(s, ']');
    *list = value;
    return s->json.failed ? 0 : n;
}

/* An integer from -1 on. */
static int read_number_of(scanner *s)
{
    const double x = sp_json_read_number(&s->json);
    return x >= 0.0 && x < INT_MAX ? (int)x : -1;
}

/* A function of a beam; false if its lists are shorter than n or its axes none. */
static bool read_mode(scanner *s, int n, sp_scene_mode *mode)
{
    char key[32];
    int n_way = 0, n_turn = 0;
    bool first = true;
    *mode = (sp_scene_mode){.q = -1, .along = -1, .about = -1};
    want(s, '{');
    while (next_key(s, &first, key, sizeof key)) {
        if (strcmp(key, "q") == 0) {
            mode->q = read_number_of(s);
        } else if (strcmp(key, "along") == 0) {
            mode->along = read_number_of(s);
        } else if (strcmp(key, "about") == 0) {
            mode->about = read_number_of(s);
        } else if (strcmp(key, "way") == 0) {
            n_way = read_list(s, &mode->way);
        } else if (strcmp(key, "turn") == 0) {
            n_turn = read_list(s, &mode->turn);
        } else {
            sp_json_skip(&s->json);
        }
    }
    return !s->json.failed && n_way == n && n_turn == n && mode->q >= 0 && mode->along < 3 &&
           mode->about < 3;
}

/* How a body deforms; the stations stand first. */
static void read_flex(scanner *s, sp_scene_flex *flex)
{
    char key[32];
    bool first = true;
    want(s, '{');
    while (next_key(s, &first, key, sizeof key)) {
        if (strcmp(key, "x") == 0) {
            flex->n_station = read_list(s, &flex->x);
        } else if (strcmp(key, "from") == 0) {
            flex->from = sp_json_read_number(&s->json);
        } else if (strcmp(key, "modes") == 0) {
            const int n = begin_array(s);
            sp_scene_mode *mode = room(s, n, sizeof *mode);
            bool first_mode = true;
            flex->n_mode = 0;
            for (int k = 0; k < n && sp_json_more(&s->json, ']', &first_mode); k++) {
                flex->n_mode += read_mode(s, flex->n_station, &mode[flex->n_mode]);
            }
            want(s, ']');
            flex->mode = mode;
        } else {
            sp_json_skip(&s->json);
        }
    }
}

/* All bodies. */
static void read_bodies(scanner *s, sp_scene *scene)
{
    char key[32];
    const int n = begin_array(s);
    sp_scene_body *body = room(s, n, sizeof *body);
    bool first = true;
    for (int k = 0; k < n && sp_json_more(&s->json, ']', &first); k++) {
        bool first_key = true;
        body[k].name = "";
        want(s, '{');
        while (next_key(s, &first_key, key, sizeof key)) {
            if (strcmp(key, "name") == 0) {
                body[k].name = read_name(s);
            } else if (strcmp(key, "shapes") == 0) {
                read_shapes(s, &body[k]);
            } else if (strcmp(key, "flex") == 0) {
                read_flex(s, &body[k].flex);
            } else {
                sp_json_skip(&s->json);
            }
        }
    }
    want(s, ']');
    scene->n_body = n;
    scene->body = body;
}

/* One spring; false if it names bodies that are none. */
static bool read_spring(scanner *s, sp_scene_spring *spring)
{
    char key[32];
    double body[2] = {-1.0, -1.0};
    bool first = true, first_end = true;
    memset(spring, 0, sizeof *spring);
    spring->name = "";
    want(s, '{');
    while (next_key(s, &first, key, sizeof key)) {
        if (strcmp(key, "name") == 0) {
            spring->name = read_name(s);
        } else if (strcmp(key, "bodies") == 0) {
            read_vector(s, 2, body);
        } else if (strcmp(key, "at") == 0) {
            want(s, '[');
            for (int k = 0; k < 2 && sp_json_more(&s->json, ']', &first_end); k++) {
                read_vector(s, 3, spring->at[k]);
            }
            want(s, ']');
        } else {
            sp_json_skip(&s->json);
        }
    }
    for (int k = 0; k < 2; k++) {
        if (!(body[k] >= 0.0 && body[k] < (double)s->n_body)) {
            return false;
        }
        spring->body[k] = (int)body[k];
    }
    return !s->json.failed;
}

/* All springs; the bodies are known. */
static void read_springs(scanner *s, sp_scene *scene)
{
    const int n = begin_array(s);
    sp_scene_spring *spring = room(s, n, sizeof *spring);
    bool first = true;
    scene->n_spring = 0;
    s->n_body = scene->n_body;
    for (int k = 0; k < n && sp_json_more(&s->json, ']', &first); k++) {
        scene->n_spring += read_spring(s, &spring[scene->n_spring]);
    }
    want(s, ']');
    scene->spring = spring;
}

sp_status sp_scene_read(const char *text, sp_arena *arena, sp_scene *scene, sp_error *err)
{
    scanner s = {.json = {text, false}, .arena = arena};
    char key[32], space[16] = "";
    bool first = true;
    memset(scene, 0, sizeof *scene);
    want(&s, '{');
    while (next_key(&s, &first, key, sizeof key)) {
        if (strcmp(key, "space") == 0) {
            sp_json_read_text(&s.json, space, sizeof space);
        } else if (strcmp(key, "bodies") == 0) {
            read_bodies(&s, scene);
        } else if (strcmp(key, "springs") == 0) {
            read_springs(&s, scene);
        } else {
            sp_json_skip(&s.json);
        }
    }
    scene->spatial = strcmp(space, "spatial") == 0;
    if (s.json.failed) {
        memset(scene, 0, sizeof *scene);
        return SP_FAIL(err, SP_E_INPUT, "the scene cannot be read near '%.40s'", s.json.at);
    }
    return SP_OK;
}
