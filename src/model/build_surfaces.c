/* model/build_surfaces.c - smooth surfaces of bodies in space. */
#include "model/build_parts.h"

#include <math.h>
#include <string.h>

enum { GRID_MAX = 100000 };

static const double PI = 3.14159265358979323846;

/* A surface on its way. */
typedef struct surface_plan {
    sp_build *b;
    sp_scope *scope;
    const sp_node *node, *value; /* the contour; the value of its kind key */
    sp_surface *s;
    bool ruled; /* it has straight lines that would touch a plane */
} surface_plan;

static const sp_dim LENGTH = SP_DIM(1, 0, 0);

/* ---- kinds by sizes ------------------------------------------------------------------------- */

static bool read_ellipsoid(surface_plan *p)
{
    double size[3];
    if (!sp_build_numbers(p->b, p->scope, p->value, "ellipsoid", 3, LENGTH, size)) {
        return false;
    }
    *p->s = sp_surface_of(SP_SURFACE_ELLIPSOID, size);
    return true;
}

static bool read_torus(surface_plan *p)
{
    double size[3] = {0.0, 0.0, 0.0};
    if (!sp_build_numbers(p->b, p->scope, p->value, "torus", 2, LENGTH, size)) {
        return false;
    }
    *p->s = sp_surface_of(SP_SURFACE_TORUS, size);
    return true;
}

/* The length of a cylinder, a cone or an extrusion. */
static bool read_length(surface_plan *p, double *length)
{
    return sp_build_positive(p->b, p->scope, sp_node_get(p->node, "length"), "length", LENGTH,
                             false, length);
}

static bool read_cone(surface_plan *p)
{
    double size[3] = {0.0, 0.0, 0.0};
    bool good = sp_build_numbers(p->b, p->scope, p->value, "cone", 2, LENGTH, size);
    good = read_length(p, &size[2]) && good;
    *p->s = sp_surface_of(SP_SURFACE_CONE, size);
    p->ruled = true;
    return good;
}

static bool read_cylinder(surface_plan *p)
{
    double size[3] = {0.0, 0.0, 0.0};
    bool good = sp_build_positive(p->b, p->scope, p->value, "cylinder", LENGTH, false, &size[0]);
    good = read_length(p, &size[2]) && good;
    *p->s = sp_surface_of(SP_SURFACE_CYLINDER, size);
    p->ruled = true;
    return good;
}

/* ---- kinds by curves ------------------------------------------------------------------------ */

/* Material lies on the side of the axis: outside is to the right of a profile that goes up; of a
 * closed one, round which it goes. */
static bool read_revolved(surface_plan *p)
{
    const sp_curve *c = sp_build_profile(p->b, p->scope, p->node, p->value);
    if (!c) {
        return false;
    }
    const bool right =
        c->closed ? sp_curve_area(c) > 0.0 : c->sample[c->n_sample - 1].r.y >= c->sample[0].r.y;
    *p->s = (sp_surface){.kind = SP_SURFACE_REVOLVED,
                         .side = right ? 1.0 : -1.0,
                         .lo = {-PI, c->lo},
                         .hi = {PI, c->hi},
                         .closed = {true, c->closed},
                         .turn = sp_rot3_one(),
                         .curve = c};
    return true;
}

static bool read_extruded(surface_plan *p)
{
    double length = 1.0;
    const sp_curve *c = sp_build_profile(p->b, p->scope, p->node, p->value);
    if (!read_length(p, &length) || !c) {
        return false;
    }
    *p->s = (sp_surface){.kind = SP_SURFACE_EXTRUDED,
                         .side = c->closed && sp_curve_area(c) > 0.0 ? 1.0 : -1.0,
                         .lo = {c->lo, -0.5 * length},
                         .hi = {c->hi, 0.5 * length},
                         .closed = {c->closed, false},
                         .turn = sp_rot3_one(),
                         .curve = c};
    p->ruled = true;
    return true;
}

/* ---- expressions and grids ------------------------------------------------------------------ */

/* One coordinate as an expression of u and v. */
static bool read_program(surface_plan *p, const sp_node *node, int k)
{
    sp_expr_info info;
    sp_func f;
    p->scope->own = SP_OWN_SURFACE;
    const bool good = sp_build_func(p->b, p->scope, node, "surface", &LENGTH, NULL, &f, &info);
    p->scope->own = SP_OWN_NONE;
    if (!good) {
        return false;
    }
    p->s->program[k] = f.program ? f.program : sp_program_constant(p->b->arena, f.constant);
    p->s->v_first[k] = f.program && f.n_signal > 0 && f.signal[0].kind == SP_SIG_RATE;
    p->b->no_memory = p->b->no_memory || !p->s->program[k];
    return p->s->program[k] != NULL;
}

static bool read_formula(surface_plan *p)
{
    static const char *const key[2] = {"u", "v"};
    *p->s = (sp_surface){.kind = SP_SURFACE_FORMULA, .side = 1.0, .turn = sp_rot3_one()};
    bool good = p->value->kind == SP_NODE_LIST && p->value->n_child == 3;
    const sp_node *item = good ? p->value->first : NULL;
    for (int k = 0; k < 3 && item; k++, item = item->next) {
        good = read_program(p, item, k) && good;
    }
    for (int k = 0; k < 2; k++) {
        double range[2] = {0.0, 0.0};
        good = sp_build_numbers(p->b, p->scope, sp_node_get(p->node, key[k]), key[k], 2,
                                sp_dim_of(0, 0, 0), range) &&
               good;
        p->s->lo[k] = range[0];
        p->s->hi[k] = range[1];
    }
    return good;
}

/* Whether the last row (k = 0) or column of a grid is the first one again. */
static bool comes_back(const sp_surface_grid *g, int k)
{
    const int n_u = g->n[0], n_v = g->n[1], n = g->n[1 - k];
    for (int i = 0; i < n; i++) {
        const double *first = g->r + 3 * (k == 0 ? i : i * n_v);
        const double *last = g->r + 3 * (k == 0 ? (n_u - 1) * n_v + i : i * n_v + n_v - 1);
        if (memcmp(first, last, 3 * sizeof *first) != 0) {
            return false;
        }
    }
    return g->n[k] >= 4;
}

/* The points of a grid; false after an error. */
static bool read_points(surface_plan *p, int n_u, int n_v, double *r)
{
    bool good = true;
    for (const sp_node *row = p->value->first; row; row = row->next) {
        if (row->kind != SP_NODE_LIST || row->n_child != n_v) {
            sp_build_error(p->b, row->place, 0,
                           "%s: a row of %d points, expected %d as in the first row",
                           p->scope->what, row->kind == SP_NODE_LIST ? row->n_child : 0, n_v);
            return false;
        }
        for (const sp_node *item = row->first; item; item = item->next, r += 3) {
            good = sp_build_numbers(p->b, p->scope, item, "grid", 3, LENGTH, r) && good;
        }
    }
    (void)n_u;
    return good;
}

static bool read_grid(surface_plan *p)
{
    sp_error err = {.status = SP_OK};
    const sp_node *list = p->value;
    if (list->kind != SP_NODE_LIST || list->n_child < 2 || list->first->kind != SP_NODE_LIST) {
        return false;
    }
    const int n_u = list->n_child, n_v = list->first->n_child;
    if (n_v < 2 || (long long)n_u * n_v > GRID_MAX) {
        sp_build_error(p->b, list->place, 0, "%s: a grid of %d x %d points, expected 2 x 2 to %d",
                       p->scope->what, n_u, n_v, GRID_MAX);
        return false;
    }
    double *r = SP_BUILD_NEW(p->b, p->b->arena, double, 3 * (size_t)n_u * (size_t)n_v);
    if (!r || !read_points(p, n_u, n_v, r)) {
        return false;
    }
    *p->s = (sp_surface){.kind = SP_SURFACE_GRID, .side = 1.0, .turn = sp_rot3_one()};
    p->s->grid.n[0] = n_u;
    p->s->grid.n[1] = n_v;
    p->s->grid.r = r;
    p->s->closed[0] = comes_back(&p->s->grid, 0);
    p->s->closed[1] = comes_back(&p->s->grid, 1);
    if (sp_surface_grid_fill(p->b->arena, p->s, &err) != SP_OK) {
        sp_build_error(p->b, list->place, 0, "%s: %s", p->scope->what, err.text);
        return false;
    }
    return true;
}

/* ---- all of them ---------------------------------------------------------------------------- */

/* Samples and checks. */
static bool finish(surface_plan *p)
{
    const size_t n = sp_surface_work(p->s);
    double *work = SP_BUILD_NEW(p->b, &p->b->scratch, double, n + 1);
    sp_error err = {.status = SP_OK};
    p->b->expr_work = n > p->b->expr_work ? n : p->b->expr_work;
    if (!work) {
        return false;
    }
    if (sp_surface_finish(p->b->arena, p->s, work, &err) != SP_OK) {
        sp_build_error(p->b, p->value->place, 0, "%s: %s", p->scope->what, err.text);
        return false;
    }
    return true;
}

int sp_build_add_surface(sp_build *b, const sp_surface *s)
{
    if (!SP_BUILD_ROOM(b, b->surface, b->n_surface)) {
        return 0;
    }
    b->surface[b->n_surface] = s;
    return ++b->n_surface;
}

/* The turn that takes z to the unit vector e, the shortest way. */
static sp_rot3 turn_to(sp_vec3 e)
{
    const double c = e.z, s = hypot(e.x, e.y);
    if (s < 1e-300) {
        return c > 0.0 ? sp_rot3_one() : sp_rot3_about((sp_vec3){1.0, 0.0, 0.0}, -1.0, 0.0);
    }
    return sp_rot3_about((sp_vec3){-e.y / s, e.x / s, 0.0}, c, s);
}

/* Place, axes and side of the surface on its body. */
static void place(surface_plan *p)
{
    double at[3] = {0.0, 0.0, 0.0}, axis[3] = {0.0, 0.0, 1.0};
    sp_rot3 R = sp_rot3_one();
    sp_build_vector(p->b, p->scope, sp_node_get(p->node, "at"), "at", LENGTH, at);
    if (sp_node_get(p->node, "turn")) {
        sp_build_turn(p->b, p->scope, sp_node_get(p->node, "turn"), "turn", &R);
    }
    if (sp_node_get(p->node, "axis")) {
        sp_build_direction(p->b, p->scope, sp_node_get(p->node, "axis"), "axis", axis);
        R = sp_rot3_mul(R, turn_to(sp_vec3_of(axis)));
    }
    p->s->at = sp_vec3_of(at);
    p->s->turn = R;
    if (sp_build_flag(sp_node_get(p->node, "inside"))) {
        p->s->side = -p->s->side;
    }
}

bool sp_build_surface(sp_build *b, sp_scope *scope, int plan, const sp_node *node)
{
    static const struct {
        const char *key, *word;
        bool (*read)(surface_plan *p);
        const char *hollow;
    } kind[] = {{"ellipsoid", "an ellipsoid", read_ellipsoid, "an ellipsoid"},
                {"torus", "a torus", read_torus, "a torus"},
                {"cone", "a cone", read_cone, "a hollow cone"},
                {"revolved", "a revolved surface", read_revolved, "a revolved surface"},
                {"extruded", "an extruded surface", read_extruded, "an extruded surface"},
                {"surface", "a surface", read_formula, "a surface"},
                {"grid", "a grid", read_grid, "a grid"},
                {"cylinder", "a cylinder with a length", read_cylinder, "a bore with a length"}};
    surface_plan p = {.b = b, .scope = scope, .node = node};
    size_t k = 0;
    for (; k < sizeof kind / sizeof *kind && !p.value; k++) {
        p.value = sp_node_get(node, kind[k].key);
    }
    if (!p.value || (kind[k - 1].read == read_cylinder && !sp_node_get(node, "length"))) {
        return false;
    }
    const int before = b->diag->n_error;
    p.s = SP_BUILD_NEW(b, b->arena, sp_surface, 1);
    bool good = p.s && kind[k - 1].read(&p);
    if (good) {
        place(&p);
        good = finish(&p);
    }
    if (!good || b->diag->n_error > before) {
        b->plan[plan].broken = true;
        return true;
    }
    const bool inside = sp_build_flag(sp_node_get(node, "inside"));
    const sp_contour_kind as = p.s->n_arc > 0 ? SP_CONTOUR_EXTRUDED
                               : !p.ruled     ? SP_CONTOUR_SURFACE
                               : inside       ? SP_CONTOUR_RULED_HOLLOW
                                              : SP_CONTOUR_RULED;
    const sp_contour contour = {.kind = as,
                                .vertex = b->n_vertex,
                                .form = sp_build_add_surface(b, p.s),
                                .word = as == SP_CONTOUR_RULED_HOLLOW ? kind[k - 1].hollow
                                                                      : kind[k - 1].word};
    const sp_contour_numbers n = {.mark.at = {p.s->at.x, p.s->at.y, p.s->at.z},
                                  .axis = {p.s->turn.z.x, p.s->turn.z.y, p.s->turn.z.z}};
    sp_build_add_contour(b, plan, node->key, contour, &n);
    return true;
}

void sp_build_need_surface(sp_build *b, int contour)
{
    sp_contour *c = &b->contour[contour];
    const sp_contour_numbers *n = &b->contour_numbers[contour];
    const bool plane = c->kind == SP_CONTOUR_PLANE;
    if (c->form != 0 || (!plane && c->kind != SP_CONTOUR_HOLLOW_SPHERE)) {
        return;
    }
    sp_surface *s = SP_BUILD_NEW(b, b->arena, sp_surface, 1);
    if (!s) {
        return;
    }
    const double r = n->radius, size[3] = {r, r, r};
    *s = sp_surface_of(plane ? SP_SURFACE_PLANE : SP_SURFACE_ELLIPSOID, size);
    s->side = plane ? 1.0 : -1.0;
    s->at = sp_vec3_of(n->mark.at);
    s->turn = plane ? turn_to(sp_vec3_of(n->axis)) : sp_rot3_one();
    double work[1];
    if (sp_surface_finish(b->arena, s, work, NULL) != SP_OK) {
        b->no_memory = true;
        return;
    }
    c->form = sp_build_add_surface(b, s);
}
