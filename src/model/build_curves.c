/* model/build_curves.c - arcs, splines and curves by expressions. */
#include "model/bent.h"
#include "model/build_parts.h"
#include "model/teeth.h"

#include <math.h>
#include <string.h>

enum { POINT_MAX = 1000 };

static const double TURN = 6.283185307179586;

bool sp_build_numbers(sp_build *b, sp_scope *scope, const sp_node *list, const char *key, int n,
                      sp_dim want, double *value)
{
    if (!list || list->kind != SP_NODE_LIST || list->n_child != n) {
        return false; /* reported by the grammar */
    }
    bool good = true;
    int k = 0;
    for (const sp_node *item = list->first; item; item = item->next, k++) {
        good = sp_build_quantity(b, scope, item, key, want, NULL, &value[k]) && good;
    }
    return good;
}

/* Ends of a parameter; false if they do not rise. */
static bool read_range(sp_build *b, sp_scope *scope, const sp_node *node, double range[2])
{
    if (!sp_build_numbers(b, scope, node, "over", 2, sp_dim_of(0, 0, 0), range)) {
        return false;
    }
    if (!(range[1] > range[0])) {
        sp_build_error(b, node->place, 0, "%s: over = [%.6g, %.6g], expected a range that rises",
                       scope->what, range[0], range[1]);
        return false;
    }
    return true;
}

/* An expression of s as a program. */
static const sp_program *read_program(sp_build *b, sp_scope *scope, const sp_node *node,
                                      const char *key)
{
    const sp_dim length = sp_dim_of(1, 0, 0);
    sp_expr_info info;
    sp_func f;
    scope->own = SP_OWN_CURVE;
    const bool good = sp_build_func(b, scope, node, key, &length, NULL, &f, &info);
    scope->own = SP_OWN_NONE;
    if (!good) {
        return NULL;
    }
    return f.program ? f.program : sp_program_constant(b->arena, f.constant);
}

/* x(s), y(s). */
static bool read_formula(sp_build *b, sp_scope *scope, const sp_node *value, const sp_node *over,
                         sp_curve *c)
{
    double range[2];
    if (!over) {
        sp_build_error(b, value->place, 0, "%s: expected 'over', the range of s", scope->what);
        return false;
    }
    const bool good = read_range(b, scope, over, range);
    c->program[0] = read_program(b, scope, value->first, value->key);
    c->program[1] = read_program(b, scope, value->first->next, value->key);
    c->kind = SP_CURVE_FORMULA;
    c->lo = range[0];
    c->hi = range[1];
    return good && c->program[0] && c->program[1];
}

/* A spline through points. */
static bool read_spline(sp_build *b, sp_scope *scope, const sp_node *list, bool closed, sp_curve *c)
{
    const int n = list->n_child;
    if (n < (closed ? 3 : 2) || n > POINT_MAX) {
        sp_build_error(b, list->place, 0, "%s: %d points, expected %d to %d", scope->what, n,
                       closed ? 3 : 2, POINT_MAX);
        return false;
    }
    double(*p)[2] = sp_build_alloc(b, &b->scratch, (size_t)n, sizeof *p);
    bool good = p != NULL;
    int i = 0, wrong = 0;
    for (const sp_node *item = list->first; item && p; item = item->next, i++) {
        good = sp_build_numbers(b, scope, item, list->key, 2, sp_dim_of(1, 0, 0), p[i]) && good;
    }
    if (!good) {
        return false;
    }
    const sp_status status = sp_curve_spline(b->arena, n, (const double(*)[2])p, closed, c, &wrong);
    b->no_memory = b->no_memory || status == SP_E_MEMORY;
    if (status == SP_E_INPUT) {
        sp_build_error(b, list->place, 0,
                       "%s: point %d is the same as the one before it%s, expected another",
                       scope->what, wrong + 1,
                       closed && wrong == 0 ? " (a closed spline comes back by itself)" : "");
    }
    return status == SP_OK;
}

/* Points or two expressions. */
static bool read_line(sp_build *b, sp_scope *scope, const sp_node *node, const sp_node *value,
                      sp_curve *c)
{
    const sp_node *over = sp_node_get(node, "over");
    const bool closed = sp_build_flag(sp_node_get(node, "closed"));
    if (value->kind != SP_NODE_LIST || value->n_child < 2) {
        return false;
    }
    if (value->n_child == 2 && sp_build_text(value->first) && sp_build_text(value->first->next)) {
        return read_formula(b, scope, value, over, c);
    }
    return read_spline(b, scope, value, closed, c);
}

/* Samples, and what is wrong with the curve as a whole. */
static bool finish(sp_build *b, const sp_scope *scope, const sp_node *value, sp_curve *c)
{
    const size_t n = sp_curve_work(c);
    double *work = SP_BUILD_NEW(b, &b->scratch, double, n + 1);
    sp_error err = {.status = SP_OK};
    b->expr_work = n > b->expr_work ? n : b->expr_work;
    if (!work) {
        return false;
    }
    const bool made = sp_curve_finish(b->arena, c, work, &err) == SP_OK;
    if (!made || (c->kind != SP_CURVE_TEETH && sp_curve_check(c, &err) != SP_OK)) {
        sp_build_error(b, value->place, 0, "%s: %s", scope->what, err.text);
        return false;
    }
    return true;
}

static sp_curve *new_curve(sp_build *b)
{
    sp_curve *c = SP_BUILD_NEW(b, b->arena, sp_curve, 1);
    if (c) {
        *c = (sp_curve){.side = 1.0, .turn = {1.0, 0.0}};
    }
    return c;
}

const sp_curve *sp_build_profile(sp_build *b, sp_scope *scope, const sp_node *node,
                                 const sp_node *value)
{
    sp_curve *c = new_curve(b);
    if (!c || !read_line(b, scope, node, value, c) || !finish(b, scope, value, c)) {
        return NULL;
    }
    return c;
}

/* Part of a circle, or all of it. */
static bool read_arc(sp_build *b, sp_scope *scope, const sp_node *node, const sp_node *value,
                     sp_curve *c)
{
    double range[2] = {0.0, TURN};
    const sp_node *over = sp_node_get(node, "over");
    bool good = sp_build_positive(b, scope, value, "arc", sp_dim_of(1, 0, 0), false, &c->radius);
    good = (!over || read_range(b, scope, over, range)) && good;
    if (range[1] - range[0] > TURN * (1.0 + 1e-12)) {
        sp_build_error(b, over->place, 0, "%s: over = [%.6g, %.6g] rad, expected at most one turn",
                       scope->what, range[0], range[1]);
        return false;
    }
    c->kind = SP_CURVE_ARC;
    c->lo = range[0];
    c->hi = range[1];
    c->closed = range[1] - range[0] > TURN * (1.0 - 1e-12);
    return good;
}

enum { TEETH_LEAST = 5, TEETH_MOST = 1000 };

/* A sprocket by teeth, pitch and rollers. */
static bool read_sprocket(sp_build *b, sp_scope *scope, const sp_node *node, const sp_node *value,
                          sp_curve *c)
{
    const sp_dim length = sp_dim_of(1, 0, 0);
    const sp_node *form_node = sp_node_get(node, "form");
    double pitch, roller, form = 0.5;
    int n;
    sp_error err;
    sp_teeth *teeth = SP_BUILD_NEW(b, b->arena, sp_teeth, 1);
    bool good = sp_build_count(b, scope, value, "sprocket", TEETH_LEAST, &n);
    good =
        sp_build_positive(b, scope, sp_node_get(node, "pitch"), "pitch", length, false, &pitch) &&
        good;
    good = sp_build_positive(b, scope, sp_node_get(node, "roller"), "roller", length, false,
                             &roller) &&
           good;
    good = (!form_node ||
            sp_build_quantity(b, scope, form_node, "form", sp_dim_of(0, 0, 0), NULL, &form)) &&
           good;
    if (!good || !teeth) {
        return false;
    }
    if (n > TEETH_MOST || !(form >= 0.0 && form <= 1.0)) {
        sp_build_error(
            b, n > TEETH_MOST ? value->place : form_node->place, 0, "%s: %s, expected %s",
            scope->what, n > TEETH_MOST ? "too many teeth" : "form",
            n > TEETH_MOST ? "at most 1000" : "0, the smallest gap of ISO 606, to 1, the largest");
        return false;
    }
    if (sp_teeth_make(n, pitch, roller, form, teeth, &err) != SP_OK) {
        sp_build_error(b, value->place, 0, "%s: %s", scope->what, err.text);
        return false;
    }
    c->kind = SP_CURVE_TEETH;
    c->teeth = teeth;
    c->hi = n * teeth->length;
    c->closed = true;
    return true;
}

enum { SIDE_STEPS = 16, SIDE_STEPS_PER_FUNCTION = 6 };

/* The side of a beam: a line over its axis, which bends with it. */
static bool read_side(sp_build *b, sp_scope *scope, int plan, const sp_node *node,
                      const sp_node *value, sp_curve *c)
{
    const sp_body_plan *p = &b->plan[plan];
    const sp_node *given = sp_node_get(node, "height");
    const char *word = sp_build_text(value);
    const bool lower = word && strcmp(word, "lower") == 0;
    sp_bent *axis = SP_BUILD_NEW(b, b->arena, sp_bent, 1);
    double height = p->beam_edge[0];
    bool good =
        !given || sp_build_positive(b, scope, given, "height", sp_dim_of(1, 0, 0), true, &height);
    if (!(p->beam_length > 0.0)) {
        sp_build_error(b, value->place, 0,
                       "%s: 'side' belongs to a body with a 'beam'; others take 'segment', "
                       "'polygon' or 'spline'",
                       scope->what);
        good = false;
    }
    if (word && !lower && strcmp(word, "upper") != 0) {
        sp_build_error(b, value->place, 0, "%s: side = %s, expected upper or lower in the plane",
                       scope->what, word);
        good = false;
    }
    for (const sp_node *key = node->first; key; key = key->next) {
        if (strcmp(key->key, "at") == 0 || strcmp(key->key, "turn") == 0) {
            sp_build_error(b, key->key_place, 0,
                           "%s: '%s' beside 'side', which is where the beam is; leave it out",
                           scope->what, key->key);
            good = false;
        }
    }
    if (!good || !axis) {
        return false;
    }
    sp_bent_straight(p->beam_length, axis);
    c->kind = SP_CURVE_BENT;
    c->bent = axis;
    c->hi = p->beam_length;
    c->height = lower ? -height : height;
    c->side = lower ? 1.0 : -1.0;
    c->n = SIDE_STEPS + SIDE_STEPS_PER_FUNCTION * p->n_own;
    return true;
}

/* On which side the material is: inside what closes and under an arc, else to the right, as with a
 * segment. */
static double side_of(const sp_curve *c, bool inside)
{
    if (c->kind == SP_CURVE_BENT) {
        return c->side;
    }
    const bool left = c->kind == SP_CURVE_ARC || (c->closed && sp_curve_area(c) > 0.0);
    return left != inside ? 1.0 : -1.0;
}

/* Put a curve into the list; its number from 1 on. */
static int add_curve(sp_build *b, const sp_curve *c)
{
    if (!SP_BUILD_ROOM(b, b->curve, b->n_curve)) {
        return 0;
    }
    b->curve[b->n_curve] = c;
    return ++b->n_curve;
}

bool sp_build_curve(sp_build *b, sp_scope *scope, int plan, const sp_node *node)
{
    const sp_node *arc = sp_node_get(node, "arc"), *spline = sp_node_get(node, "spline");
    const sp_node *sprocket = sp_node_get(node, "sprocket");
    const sp_node *side = sp_node_get(node, "side");
    const sp_node *value = arc        ? arc
                           : spline   ? spline
                           : sprocket ? sprocket
                           : side     ? side
                                      : sp_node_get(node, "curve");
    if (!value) {
        return false;
    }
    sp_curve *c = new_curve(b);
    double at[2] = {0.0, 0.0}, turn = 0.0;
    const int before = b->diag->n_error;
    sp_build_vector(b, scope, sp_node_get(node, "at"), "at", sp_dim_of(1, 0, 0), at);
    sp_build_quantity(b, scope, sp_node_get(node, "turn"), "turn", sp_dim_of(0, 0, 0),
                      "an angle [rad]", &turn);
    bool good = c && (arc        ? read_arc(b, scope, node, value, c)
                      : sprocket ? read_sprocket(b, scope, node, value, c)
                      : side     ? read_side(b, scope, plan, node, value, c)
                                 : read_line(b, scope, node, value, c));
    if (good) {
        c->at = sp_vec_of(at);
        c->turn = sp_rot_of(turn);
        good = finish(b, scope, value, c);
    }
    double(*vertex)[2] = sp_build_new_vertices(b, 1);
    if (!good || !vertex || b->diag->n_error > before) {
        b->plan[plan].broken = true;
        return true;
    }
    c->side = side_of(c, sp_build_flag(sp_node_get(node, "inside")));
    vertex[0][0] = c->sample[0].r.x;
    vertex[0][1] = c->sample[0].r.y;
    const sp_contour contour = {.kind = SP_CONTOUR_CURVE,
                                .vertex = b->n_vertex - 1,
                                .n_vertex = 1,
                                .form = add_curve(b, c)};
    const sp_contour_numbers numbers = {.radius = 0.0};
    sp_build_add_contour(b, plan, node->key, contour, &numbers);
    return true;
}
