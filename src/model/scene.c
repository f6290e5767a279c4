#include "model/scene.h"

#include "model/scene_box.h"
#include "model/scene_flex.h"
#include "model/scene_wire.h"

#include <math.h>
#include <string.h>

/* Half the width of a link, over the largest length in the machine and over the link itself. */
#define LINK_OF_MACHINE 0.02
#define LINK_OF_ITSELF  0.06
#define MASS_OF_MACHINE 0.05 /* radius of a mass that has no inertia */

static const char *const shape_name[SP_SHAPE_N] = {
    [SP_SHAPE_POINT] = "point",   [SP_SHAPE_LINE] = "line",     [SP_SHAPE_SEGMENT] = "segment",
    [SP_SHAPE_CIRCLE] = "circle", [SP_SHAPE_HOLLOW] = "hollow", [SP_SHAPE_POLYGON] = "polygon",
    [SP_SHAPE_SPHERE] = "sphere", [SP_SHAPE_BOX] = "box",       [SP_SHAPE_CYLINDER] = "cylinder",
    [SP_SHAPE_PLANE] = "plane",   [SP_SHAPE_CONE] = "cone",     [SP_SHAPE_CAPSULE] = "capsule",
    [SP_SHAPE_CURVE] = "curve",
};

const char *sp_shape_name(sp_shape_kind kind)
{
    return (int)kind >= 0 && kind < SP_SHAPE_N ? shape_name[kind] : "unknown";
}

sp_shape_kind sp_shape_find(const char *name)
{
    int kind = 0;
    while (kind < SP_SHAPE_N && strcmp(name, shape_name[kind]) != 0) {
        kind++;
    }
    return (sp_shape_kind)kind;
}

/* What the shapes are made in. */
typedef struct maker {
    const sp_model *m;
    sp_arena *arena;
    double scale;    /* the largest length of the machine, m                    */
    int *n_room;     /* n_body: how many shapes a body can have                 */
    sp_shape **room; /* n_body                                                  */
    sp_scene_body *body;
    sp_scene_box *outline; /* n_body                                                  */
    int *linked;           /* n_body: how many links a body has                       */
    bool *displayed;       /* n_body: has shapes for pictures, so that others are left out */
    bool ok;               /* memory was always there                                 */
} maker;

/* ---- numbers of both dimensions ------------------------------------------------------------ */

/* The machine's numbers as vectors of three. */
typedef struct vec {
    double x[3];
} vec;

static vec plane_vec(const double x[2])
{
    return (vec){{x[0], x[1], 0.0}};
}

static vec space_vec(const double x[3])
{
    return (vec){{x[0], x[1], x[2]}};
}

static vec center_of(const sp_model *m, int i)
{
    const sp_numbers *n = &m->numbers;
    return n->space ? space_vec(n->space[i].center) : plane_vec(n->body[i].center);
}

/* The joint of body i on its parent, and on itself. */
static vec at_of(const sp_model *m, int i)
{
    const sp_numbers *n = &m->numbers;
    return space_vec(n->body[i].mark.at);
}

static vec from_of(const sp_model *m, int i)
{
    const sp_numbers *n = &m->numbers;
    return n->space ? space_vec(n->space[i].from) : plane_vec(n->body[i].from);
}

/* Vertex k of all contours. */
static vec vertex_of(const sp_model *m, int k)
{
    vec v = {{0.0, 0.0, 0.0}};
    memcpy(v.x, m->numbers.vertex[k], sizeof m->numbers.vertex[k]);
    return v;
}

static double distance(vec a, vec b)
{
    return hypot(hypot(a.x[0] - b.x[0], a.x[1] - b.x[1]), a.x[2] - b.x[2]);
}

/* The larger of a length and that of a vector. */
static double larger(double length, vec v)
{
    return fmax(length, distance(v, (vec){{0.0, 0.0, 0.0}}));
}

/* The largest length that the machine's numbers show, 1 if there is none. */
static double find_scale(const sp_model *m)
{
    const sp_numbers *num = &m->numbers;
    double scale = 0.0;
    for (int i = 1; i < m->n_body; i++) {
        scale = larger(larger(larger(scale, center_of(m, i)), at_of(m, i)), from_of(m, i));
    }
    for (int k = 0; k < m->n_contour; k++) {
        scale = fmax(scale, num->contour[k].radius);
        if (m->dim == 3 && m->contour[k].kind != SP_CONTOUR_PLANE) {
            scale = larger(scale, space_vec(num->contour[k].mark.at));
        }
        for (int v = 0; m->contour[k].kind != SP_CONTOUR_LINE && v < m->contour[k].n_vertex; v++) {
            scale = larger(scale, vertex_of(m, m->contour[k].vertex + v));
        }
    }
    for (int k = 0; k < m->n_force; k++) {
        if (m->force[k].kind == SP_FORCE_SPRING_POINTS) {
            scale = larger(scale, space_vec(num->force[k].mark[0].at));
            scale = larger(scale, space_vec(num->force[k].mark[1].at));
        }
    }
    for (int k = 0; k < m->n_solid; k++) {
        scale = fmax(scale, fmax(m->solid[k].radius, m->solid[k].length));
        scale = larger(scale, space_vec(m->solid[k].size));
    }
    return scale > 0.0 && isfinite(scale) ? scale : 1.0;
}

/* ---- room ---------------------------------------------------------------------------------- */

/* Is the force a spring that can be drawn? */
static bool is_drawn(const sp_force *f)
{
    return f->kind == SP_FORCE_SPRING_POINTS;
}

/* Count the shapes a body can have at most: contours, links, joints and its mass. */
static void count_room(maker *k)
{
    const sp_model *m = k->m;
    for (int i = 0; i < m->n_body; i++) {
        k->n_room[i] = 4;
    }
    for (int i = 1; i < m->n_body; i++) {
        k->n_room[m->body[i].parent] += 2;
    }
    for (int c = 0; c < m->n_contour; c++) {
        k->n_room[m->contour[c].body] +=
            sp_scene_is_wire(&m->contour[c]) ? sp_scene_wire(m, c, NULL) : 1;
    }
    for (int f = 0; f < m->n_solid; f++) {
        k->n_room[m->solid[f].body]++;
    }
    for (int d = 0; d < m->n_display; d++) {
        k->n_room[m->display[d].body]++;
    }
    for (int side = 0; side < 2; side++) {
        for (int f = 0; f < m->n_force; f++) {
            if (is_drawn(&m->force[f])) {
                k->n_room[m->force[f].body[side]]++;
            }
        }
        for (int l = 0; l < m->n_loop; l++) {
            k->n_room[m->loop[l].body[side]] += 2;
        }
    }
    for (int p = 0; p < m->n_point; p++) {
        k->n_room[m->point[p].body]++;
    }
}

/* ---- shapes -------------------------------------------------------------------------------- */

/* A new shape of body i with room for n points; NULL if it is left out, or without memory. */
static sp_shape *add_shape(maker *k, int i, sp_shape_kind kind, const char *name, int n,
                           double (**point)[3])
{
    sp_shape *s = &k->room[i][k->body[i].n_shape];
    if (k->displayed[i]) {
        return NULL;
    }
    *point = sp_arena_alloc(k->arena, (size_t)n + 1, sizeof **point);
    if (!*point) {
        k->ok = false;
        return NULL;
    }
    k->body[i].n_shape++;
    *s = (sp_shape){.kind = kind, .name = name, .n_point = n, .turn = {1.0, 0.0, 0.0, 0.0}};
    s->point = (const double(*)[3]) * point;
    return s;
}

/* A shape at one point. */
static void add_round(maker *k, int i, sp_shape_kind kind, const char *name, vec at, double radius)
{
    double(*point)[3];
    sp_shape *s = add_shape(k, i, kind, name, 1, &point);
    if (s) {
        memcpy(point[0], at.x, sizeof at.x);
        s->radius = radius;
    }
}

/* A link from a to b, if they are apart; false if not. */
static bool add_link(maker *k, int i, vec a, vec b)
{
    const double length = distance(a, b);
    double(*point)[3];
    if (!(length > 1e-9 * k->scale)) {
        return false;
    }
    sp_shape *s = add_shape(k, i, SP_SHAPE_CAPSULE, "link", 2, &point);
    if (s) {
        memcpy(point[0], a.x, sizeof a.x);
        memcpy(point[1], b.x, sizeof b.x);
        s->radius = fmin(LINK_OF_MACHINE * k->scale, LINK_OF_ITSELF * length);
    }
    return true;
}

/* Quaternion of a rotation matrix by rows, from its largest part so that nothing cancels. */
static void quaternion_of(const double R[9], double q[4])
{
    const double size[4] = {1.0 + R[0] + R[4] + R[8], 1.0 + R[0] - R[4] - R[8],
                            1.0 - R[0] + R[4] - R[8], 1.0 - R[0] - R[4] + R[8]};
    const double sum[4][4] = {{size[0], R[7] - R[5], R[2] - R[6], R[3] - R[1]},
                              {R[7] - R[5], size[1], R[1] + R[3], R[2] + R[6]},
                              {R[2] - R[6], R[1] + R[3], size[2], R[5] + R[7]},
                              {R[3] - R[1], R[2] + R[6], R[5] + R[7], size[3]}};
    int best = 0;
    for (int k = 1; k < 4; k++) {
        best = size[k] > size[best] ? k : best;
    }
    for (int k = 0; k < 4; k++) {
        q[k] = sum[best][k] / (2.0 * sqrt(size[best]));
    }
}

/* A solid; NULL if it is left out. */
static sp_shape *add_solid(maker *k, const sp_solid *from, const char *name)
{
    static const sp_shape_kind kind[] = {[SP_SOLID_BOX] = SP_SHAPE_BOX,
                                         [SP_SOLID_SPHERE] = SP_SHAPE_SPHERE,
                                         [SP_SOLID_CYLINDER] = SP_SHAPE_CYLINDER,
                                         [SP_SOLID_CONE] = SP_SHAPE_CONE};
    double(*point)[3];
    const bool ball = from->kind == SP_SOLID_SPHERE;
    sp_shape *s = add_shape(k, from->body, kind[from->kind], name, ball, &point);
    if (s) {
        s->radius = from->radius;
        s->length = from->length;
        memcpy(s->size, from->size, sizeof s->size);
        memcpy(s->at, from->at, sizeof s->at);
        quaternion_of(from->turn, s->turn);
    }
    if (s && ball) {
        memcpy(point[0], from->at, sizeof from->at);
    }
    return s;
}

/* The solids that bodies are made of. */
static void add_solids(maker *k)
{
    for (int i = 0; i < k->m->n_solid; i++) {
        add_solid(k, &k->m->solid[i], "solid");
    }
}

/* Shapes for pictures; they come first, and whatever else their bodies have is left out. */
static void add_display(maker *k)
{
    for (int i = 0; i < k->m->n_display; i++) {
        const sp_display *from = &k->m->display[i];
        const int n = from->n_point;
        const sp_shape_kind flat = n > 1 ? SP_SHAPE_POLYGON : SP_SHAPE_CIRCLE;
        double(*point)[3];
        sp_shape *s = n > 0 ? add_shape(k, from->body, flat, "display", n, &point)
                            : add_solid(k, &from->s, "display");
        if (s && n > 0) {
            memcpy(point, from->point, (size_t)n * sizeof *point);
            s->radius = from->s.radius;
        }
        if (s) {
            s->color = from->color;
        }
    }
    for (int i = 0; i < k->m->n_display; i++) {
        k->displayed[k->m->display[i].body] = true;
    }
}

#define DRAWN_COIN 0.01 /* thickness of a disc, in radii, at least */

/* The turn that takes z to the unit vector e. */
static void turn_to(const double e[3], double turn[4])
{
    const double q[4] = {1.0 + e[2], -e[1], e[0], 0.0}; /* half way between z and e */
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
    const double upside_down[4] = {0.0, 1.0, 0.0, 0.0};
    for (int i = 0; i < 4; i++) {
        turn[i] = length > 1e-9 ? q[i] / length : upside_down[i];
    }
}

/* A contour in space that is not drawn as wires. */
static void add_space_contour(maker *k, int c)
{
    static const sp_shape_kind kind[] = {
        [SP_CONTOUR_POINT] = SP_SHAPE_POINT,       [SP_CONTOUR_PLANE] = SP_SHAPE_PLANE,
        [SP_CONTOUR_SPHERE] = SP_SHAPE_SPHERE,     [SP_CONTOUR_CAPSULE] = SP_SHAPE_CAPSULE,
        [SP_CONTOUR_CYLINDER] = SP_SHAPE_CYLINDER, [SP_CONTOUR_DISC] = SP_SHAPE_CYLINDER,
    };
    const sp_contour *from = &k->m->contour[c];
    const sp_contour_numbers *num = &k->m->numbers.contour[c];
    double(*point)[3];
    const bool long_one = kind[from->kind] == SP_SHAPE_CYLINDER;
    const bool capsule = from->kind == SP_CONTOUR_CAPSULE;
    const double half = from->shape ? from->shape->half : 0.0;
    sp_shape *s = add_shape(k, from->body, kind[from->kind], from->name,
                            long_one  ? 0
                            : capsule ? 2
                                      : 1,
                            &point);
    if (!s) {
        return;
    }
    for (int i = 0; i < s->n_point; i++) {
        for (int x = 0; x < 3; x++) {
            point[i][x] = num->mark.at[x] + (i == 0 ? -half : half) * num->axis[x];
        }
    }
    memcpy(s->at, num->mark.at, sizeof s->at);
    memcpy(s->normal, num->axis, sizeof s->normal);
    s->radius = num->radius;
    s->length = long_one ? SP_SCENE_ENDLESS * num->radius : 0.0;
    if (from->kind == SP_CONTOUR_DISC) {
        s->length = fmax(2.0 * half, DRAWN_COIN * num->radius);
    }
    turn_to(num->axis, s->turn);
}

/* A curve of the plane. */
static void add_curve(maker *k, int c)
{
    const sp_contour *from = &k->m->contour[c];
    const sp_curve *curve = k->m->curve[from->form - 1];
    double *work = sp_arena_alloc(k->arena, sp_curve_work(curve) + 1, sizeof *work), (*point)[3];
    k->ok = k->ok && work;
    const int n = work ? sp_scene_curve(curve, work, NULL) : 0;
    if (n > 0 && add_shape(k, from->body, SP_SHAPE_CURVE, from->name, n, &point)) {
        sp_scene_curve(curve, work, point);
    }
}

/* A surface: lines on it. */
static void add_wire(maker *k, int c)
{
    const int n = sp_scene_wire(k->m, c, NULL);
    double(*line)[2][3] = sp_arena_alloc(k->arena, (size_t)n, sizeof *line), (*point)[3];
    k->ok = k->ok && line;
    const int made = line ? sp_scene_wire(k->m, c, line) : 0;
    for (int i = 0; i < made; i++) {
        const sp_contour *from = &k->m->contour[c];
        if (add_shape(k, from->body, SP_SHAPE_SEGMENT, from->name, 2, &point)) {
            memcpy(point, line[i], sizeof line[i]);
        }
    }
}

/* The contours of all bodies, as they are. */
static void add_contours(maker *k)
{
    static const sp_shape_kind kind[] = {
        [SP_CONTOUR_POINT] = SP_SHAPE_POINT,     [SP_CONTOUR_LINE] = SP_SHAPE_LINE,
        [SP_CONTOUR_SEGMENT] = SP_SHAPE_SEGMENT, [SP_CONTOUR_CIRCLE] = SP_SHAPE_CIRCLE,
        [SP_CONTOUR_HOLLOW] = SP_SHAPE_HOLLOW,   [SP_CONTOUR_POLYGON] = SP_SHAPE_POLYGON,
        [SP_CONTOUR_GROOVE] = SP_SHAPE_CIRCLE,   [SP_CONTOUR_ROCKER] = SP_SHAPE_POINT,
    };
    for (int c = 0; c < k->m->n_contour; c++) {
        const sp_contour *from = &k->m->contour[c];
        if (from->kind == SP_CONTOUR_CURVE) {
            add_curve(k, c);
            continue;
        }
        if (sp_scene_is_wire(from)) {
            add_wire(k, c);
            continue;
        }
        if (k->m->dim == 3) {
            add_space_contour(k, c);
            continue;
        }
        const sp_contour_numbers *num = &k->m->numbers.contour[c];
        double(*point)[3];
        sp_shape *s =
            add_shape(k, from->body, kind[from->kind], from->name, from->n_vertex, &point);
        for (int v = 0; s && v < from->n_vertex; v++) {
            const vec place = vertex_of(k->m, from->vertex + v);
            memcpy(point[v], place.x, sizeof place.x);
        }
        if (s) {
            memcpy(s->normal, num->normal, sizeof num->normal);
            s->radius = num->radius;
        }
    }
}

/* Elastic beams: their outline at rest.  theory section 72 */
static void add_beam(maker *k, int i)
{
    const sp_beam *beam = sp_scene_beam(&k->m->body[i]);
    const double middle[3] = {beam ? 0.5 * beam->length : 0.0, 0.0, 0.0};
    const bool plane = k->m->dim == 2;
    double(*point)[3];
    sp_shape *s = !beam ? NULL
                        : add_shape(k, i,
                                    plane         ? SP_SHAPE_POLYGON
                                    : beam->round ? SP_SHAPE_CYLINDER
                                                  : SP_SHAPE_BOX,
                                    "beam", plane ? 4 : 0, &point);
    if (!s) {
        return;
    }
    for (int c = 0; plane && c < 4; c++) {
        point[c][0] = c == 1 || c == 2 ? beam->length : 0.0;
        point[c][1] = c < 2 ? -beam->edge[0] : beam->edge[0];
    }
    s->radius = beam->edge[0];
    s->length = beam->length;
    memcpy(s->size, (const double[3]){beam->length, 2.0 * beam->edge[0], 2.0 * beam->edge[1]},
           sizeof s->size);
    memcpy(s->at, middle, sizeof middle);
    if (!plane && beam->round) {
        turn_to((const double[3]){1.0, 0.0, 0.0}, s->turn);
    }
}

/* ---- links --------------------------------------------------------------------------------- */

/* Does the joint keep a place of the body where it is on the parent? */
static bool is_pivot(sp_joint_kind joint)
{
    return joint == SP_JOINT_REVOLUTE || joint == SP_JOINT_WELD || joint == SP_JOINT_SPHERICAL ||
           joint == SP_JOINT_UNIVERSAL;
}

/* Where links of a body begin: at its own joint, or at its mass where that is no place on it. */
static vec start_of(const sp_model *m, int i)
{
    return is_pivot(m->body[i].joint) ? from_of(m, i) : center_of(m, i);
}

/* Has a body a link to a place already? */
static bool is_linked(const maker *k, int i, vec place)
{
    for (int s = 0; k->linked[i] > 0 && s < k->body[i].n_shape; s++) {
        const sp_shape *link = &k->body[i].shape[s];
        if (link->kind == SP_SHAPE_CAPSULE && strcmp(link->name, "link") == 0 &&
            memcmp(link->point[1], place.x, sizeof place.x) == 0) {
            return true;
        }
    }
    return false;
}

/* A link from a body's start to a place on it, unless its outline shows both. */
static void link_to(maker *k, int i, vec place)
{
    const sp_scene_box *b = &k->outline[i];
    const vec start = start_of(k->m, i);
    const double slack = 1e-9 * k->scale;
    const bool shown =
        sp_scene_box_holds(b, start.x, slack) && sp_scene_box_holds(b, place.x, slack);
    if (i != SP_GROUND && !shown && !is_linked(k, i, place)) {
        k->linked[i] += add_link(k, i, start, place);
    }
}

/* Links to the joints of a body's children, and marks of the joints. */
static void add_links_to_children(maker *k)
{
    const sp_model *m = k->m;
    for (int i = 1; i < m->n_body; i++) {
        const int p = m->body[i].parent;
        const sp_joint_kind joint = m->body[i].joint;
        if (is_pivot(joint) && joint != SP_JOINT_WELD) {
            add_round(k, p, SP_SHAPE_POINT, "joint", at_of(m, i), 0.0);
        }
        if (is_pivot(joint) || (joint != SP_JOINT_FREE && !sp_scene_box_filled(&k->outline[p]))) {
            link_to(k, p, at_of(m, i));
        }
    }
}

/* Links to joints that close loops. */
static void add_links_to_loops(maker *k)
{
    const sp_model *m = k->m;
    for (int l = 0; l < m->n_loop; l++) {
        for (int side = 0; is_pivot(m->loop[l].joint) && side < 2; side++) {
            const vec at = space_vec(m->numbers.loop[l].mark[side].at);
            link_to(k, m->loop[l].body[side], at);
            if (side == 0) {
                add_round(k, m->loop[l].body[0], SP_SHAPE_POINT, "joint", at, 0.0);
            }
        }
    }
}

/* Links to springs, and to the named points of bodies without outline. */
static void add_links_to_points(maker *k)
{
    const sp_model *m = k->m;
    for (int f = 0; f < m->n_force; f++) {
        for (int side = 0; is_drawn(&m->force[f]) && side < 2; side++) {
            link_to(k, m->force[f].body[side], space_vec(m->numbers.force[f].mark[side].at));
        }
    }
    for (int p = 0; p < m->n_point; p++) {
        const int i = m->point[p].body;
        if (!sp_scene_box_filled(&k->outline[i])) {
            link_to(k, i, space_vec(m->numbers.point[p]));
        }
    }
}

/* A link from the joint of each body to its outline, where that is elsewhere. */
static void add_links_to_outlines(maker *k)
{
    for (int i = 1; i < k->m->n_body; i++) {
        const sp_scene_box *b = &k->outline[i];
        if (k->linked[i] == 0 && sp_scene_box_filled(b) && is_pivot(k->m->body[i].joint)) {
            vec middle;
            for (int x = 0; x < 3; x++) {
                middle.x[x] = 0.5 * (b->low[x] + b->high[x]);
            }
            link_to(k, i, middle);
        }
    }
}

/* Radius of the disc, in space of the ball, that has the body's mass and inertia: J = m r^2 / 2;
 * J_x + J_y + J_z = 6 m r^2 / 5. */
static double radius_of(const sp_model *m, int i)
{
    const double mass = m->numbers.body[i].mass;
    if (m->numbers.space) {
        const double *J = m->numbers.space[i].inertia;
        return sqrt(5.0 / 6.0 * (J[0] + J[1] + J[2]) / mass);
    }
    return sqrt(2.0 * m->numbers.body[i].inertia / mass);
}

/* A body that has nothing so far: from its joint to its mass, and the mass. */
static void add_mass(maker *k, int i)
{
    const sp_model *m = k->m;
    const double same = radius_of(m, i), plain = MASS_OF_MACHINE * k->scale;
    if (is_pivot(m->body[i].joint)) {
        add_link(k, i, from_of(m, i), center_of(m, i));
    }
    if (m->numbers.body[i].mass > 0.0) {
        add_round(k, i, m->dim == 3 ? SP_SHAPE_SPHERE : SP_SHAPE_CIRCLE, "mass", center_of(m, i),
                  same > 0.0 ? same : plain);
    }
}

/* All shapes of all bodies. */
static void add_shapes(maker *k)
{
    const int n = k->m->n_body;
    add_display(k);
    add_contours(k);
    add_solids(k);
    for (int i = 0; i < n; i++) {
        add_beam(k, i);
        k->outline[i] = sp_scene_outline(&k->body[i]);
    }
    add_links_to_children(k);
    add_links_to_loops(k);
    add_links_to_points(k);
    add_links_to_outlines(k);
    for (int i = 1; i < n; i++) {
        if (!sp_scene_box_filled(&k->outline[i]) && k->linked[i] == 0) {
            add_mass(k, i);
        }
    }
}

/* Springs between points. */
static void add_springs(maker *k, sp_scene *scene)
{
    const sp_model *m = k->m;
    sp_scene_spring *spring = SP_NEW(k->arena, sp_scene_spring, m->n_force + 1);
    k->ok = k->ok && spring;
    for (int f = 0; spring && f < m->n_force; f++) {
        if (is_drawn(&m->force[f])) {
            sp_scene_spring *s = &spring[scene->n_spring++];
            s->name = m->force[f].name;
            for (int side = 0; side < 2; side++) {
                s->body[side] = m->force[f].body[side];
                memcpy(s->at[side], m->numbers.force[f].mark[side].at, sizeof s->at[side]);
            }
        }
    }
    scene->spring = spring;
}

sp_status sp_scene_of(const sp_model *m, sp_arena *arena, sp_scene *scene, sp_error *err)
{
    maker k = {.m = m, .arena = arena, .scale = find_scale(m), .ok = true};
    memset(scene, 0, sizeof *scene);
    scene->spatial = m->dim == 3;
    k.n_room = SP_NEW(arena, int, m->n_body + 1);
    k.room = SP_NEW(arena, sp_shape *, m->n_body + 1);
    k.body = SP_NEW(arena, sp_scene_body, m->n_body + 1);
    k.outline = SP_NEW(arena, sp_scene_box, m->n_body + 1);
    k.linked = SP_NEW(arena, int, m->n_body + 1);
    k.displayed = SP_NEW(arena, bool, m->n_body + 1);
    k.ok = k.n_room && k.room && k.body && k.outline && k.linked && k.displayed;
    if (k.ok) {
        count_room(&k);
    }
    for (int i = 0; k.ok && i < m->n_body; i++) {
        k.room[i] = SP_NEW(arena, sp_shape, k.n_room[i]);
        k.body[i] = (sp_scene_body){.name = m->body[i].name, .shape = k.room[i]};
        k.ok = k.room[i] && sp_scene_flex_of(m, arena, i, &k.body[i].flex);
    }
    if (k.ok) {
        add_shapes(&k);
        add_springs(&k, scene);
    }
    scene->n_body = m->n_body;
    scene->body = k.body;
    return k.ok ? SP_OK
                : SP_FAIL(err, SP_E_MEMORY, "no memory for the picture of %d bodies", m->n_body);
}
