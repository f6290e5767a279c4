/* model/build_faces.c - faces of elastic bodies in space.   theory (98.6), (98.8) */
#include "model/build_parts.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

/* What the file says of one. */
typedef struct given {
    const sp_node *word, *height, *width, *slope;
    bool sideways; /* left or right */
    double sign;   /* of the axis that it looks along */
} given;

static given look(const sp_node *node, const sp_node *value)
{
    const char *word = sp_build_text(value);
    const bool left = word && strcmp(word, "left") == 0, right = word && strcmp(word, "right") == 0;
    return (given){.word = value,
                   .height = sp_node_get(node, "height"),
                   .width = sp_node_get(node, "width"),
                   .slope = sp_node_get(node, "slope"),
                   .sideways = left || right,
                   .sign = left || (word && strcmp(word, "lower") == 0) ? -1.0 : 1.0};
}

/* A length of the file, or a standard one that there must be. */
static bool length_of(sp_build *b, sp_scope *scope, const given *g, const sp_node *node,
                      const char *key, double *value)
{
    if (node) {
        return sp_build_positive(b, scope, node, key, sp_dim_of(1, 0, 0), false, value);
    }
    if (!(*value > 0.0)) {
        sp_build_error(b, g->word->place, 0, "%s: expected '%s' beside 'side'", scope->what, key);
    }
    return *value > 0.0;
}

/* Refuse a key that belongs to faces of another kind of body. */
static bool refuse(sp_build *b, const sp_scope *scope, const sp_node *node, const char *what)
{
    if (node) {
        sp_build_error(b, node->key_place, 0, "%s: '%s' does not belong to a side of a %s",
                       scope->what, node->key, what);
    }
    return !node;
}

static bool read_beam(sp_build *b, sp_scope *scope, const sp_body_plan *p, const given *g,
                      sp_face *f)
{
    double height = p->beam_edge[g->sideways], width = 2.0 * p->beam_edge[!g->sideways];
    const bool good = refuse(b, scope, g->slope, "beam") &&
                      length_of(b, scope, g, g->height, "height", &height) &&
                      length_of(b, scope, g, g->width, "width", &width);
    *f = (sp_face){.across = g->sideways ? 2 : 1,
                   .height = g->sign * height,
                   .lo = {0.0, -0.5 * width},
                   .hi = {p->beam_length, 0.5 * width}};
    return good;
}

static bool read_plate(sp_build *b, sp_scope *scope, const sp_body_plan *p, const given *g,
                       sp_face *f)
{
    double height = p->plate[2], angle = 0.0;
    bool good = refuse(b, scope, g->width, "plate") &&
                length_of(b, scope, g, g->height, "height", &height) &&
                (!g->slope || sp_build_quantity(b, scope, g->slope, "slope", sp_dim_of(0, 0, 0),
                                                "an angle [rad]", &angle));
    if (good && !(fabs(angle) < 0.5 * PI)) {
        sp_build_error(b, g->slope->place, 0,
                       "%s: slope = %.6g rad, expected between -90 and 90 degrees", scope->what,
                       angle);
        good = false;
    }
    if (g->sideways) {
        sp_build_error(b, g->word->place, 0, "%s: a plate has the sides upper and lower",
                       scope->what);
        good = false;
    }
    *f = (sp_face){.round = true,
                   .height = g->sign * height,
                   .slope = g->sign * tan(angle),
                   .lo = {-PI, p->plate[0]},
                   .hi = {PI, p->plate[1]}};
    return good;
}

/* The face as a surface; r_u x r_v is -y, z of a beam and -z of a plate. */
static sp_surface surface_of(const sp_face *f, double sign)
{
    return (sp_surface){.kind = SP_SURFACE_FACE,
                        .side = f->across == 2 ? sign : -sign,
                        .lo = {f->lo[0], f->lo[1]},
                        .hi = {f->hi[0], f->hi[1]},
                        .closed = {f->round, false},
                        .turn = sp_rot3_one(),
                        .face = f,
                        .deep = fabs(f->height)};
}

/* Whether the body is one with such faces. */
static bool has_faces(sp_build *b, const sp_scope *scope, const sp_body_plan *p, const given *g)
{
    const bool round = p->plate[1] > 0.0, beam = p->beam_length > 0.0;
    if (p->n_own > 0 && (round || beam)) {
        return true;
    }
    sp_build_error(b, g->word->place, 0,
                   "%s: 'side' belongs to %s; others take 'polytope', 'box' or 'surface'",
                   scope->what, beam ? "a beam with 'elastic'" : "a body with a 'beam' or 'plate'");
    return false;
}

bool sp_build_face(sp_build *b, sp_scope *scope, int plan, const sp_node *node)
{
    const sp_node *value = sp_node_get(node, "side");
    const sp_body_plan *p = &b->plan[plan];
    if (!value) {
        return false;
    }
    const given g = look(node, value);
    const int before = b->diag->n_error;
    sp_face *f = SP_BUILD_NEW(b, b->arena, sp_face, 1);
    sp_surface *s = SP_BUILD_NEW(b, b->arena, sp_surface, 1);
    double work[1];
    bool good = f && s && refuse(b, scope, sp_node_get(node, "at"), "beam or plate") &&
                refuse(b, scope, sp_node_get(node, "turn"), "beam or plate") &&
                has_faces(b, scope, p, &g) &&
                (p->plate[1] > 0.0 ? read_plate : read_beam)(b, scope, p, &g, f);
    if (good) {
        *s = surface_of(f, g.sign);
        good = sp_surface_finish(b->arena, s, work, NULL) == SP_OK;
    }
    if (!good || b->diag->n_error > before) {
        b->plan[plan].broken = true;
        return true;
    }
    const sp_contour contour = {
        .kind = SP_CONTOUR_FACE, .vertex = b->n_vertex, .form = sp_build_add_surface(b, s)};
    const sp_contour_numbers numbers = {.axis = {0.0, 0.0, 1.0}};
    sp_build_add_contour(b, plan, node->key, contour, &numbers);
    return true;
}
