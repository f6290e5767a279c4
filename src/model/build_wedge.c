/* model/build_wedge.c - rockers between the flanks of grooves: contours, what of them moves along
 * the axis, and their contacts as expressions.   theory section 104 */
#include "expr/table.h"
#include "model/build_touch.h"
#include "model/wedge.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const double right_angle = 1.5707963267948966;

/* ---- own coordinates ------------------------------------------------------------------------ */

/* Whether a contour has a part of its own that moves along the axis; how many coordinates. */
static int count_of(const sp_node *node)
{
    const int opens = sp_node_get(node, "groove") && sp_node_get(node, "force") ? 1 : 0;
    const int tilts = sp_node_get(node, "groove") && sp_node_get(node, "tilt") ? 2 : 0;
    return sp_node_get(node, "rocker") && sp_node_get(node, "stiffness") ? 1 : opens + tilts;
}

/* The contour of a body that has them, NULL: none. */
static const sp_node *moving_contour(const sp_node *body)
{
    const sp_node *map = sp_node_get(body, "contours");
    for (const sp_node *node = map && map->kind == SP_NODE_MAP ? map->first : NULL; node;
         node = node->next) {
        if (node->kind == SP_NODE_MAP && count_of(node) > 0) {
            return node;
        }
    }
    return NULL;
}

int sp_build_wedge_count(sp_build *b, int plan)
{
    const sp_node *body = b->plan[plan].family->node;
    const sp_node *node = b->dim == 2 && body ? moving_contour(body) : NULL;
    if (!node) {
        return 0;
    }
    b->plan[plan].deforms = &sp_wedge_kind;
    return count_of(node);
}

const char *sp_build_wedge_name(const sp_build *b, int plan, int k)
{
    const sp_node *node = moving_contour(b->plan[plan].family->node);
    const int tilt = k - (sp_node_get(node, "force") ? 1 : 0);
    return sp_node_get(node, "rocker") ? "stretch"
           : tilt < 0                  ? "opening"
           : tilt == 0                 ? "tilt_x"
                                       : "tilt_y";
}

/* ---- contours ------------------------------------------------------------------------------- */

/* A length of a contour. */
static bool read_length(sp_build *b, sp_scope *scope, const sp_node *node, const char *key,
                        double *value)
{
    return sp_build_positive(b, scope, sp_node_get(node, key), key, sp_dim_of(1, 0, 0), false,
                             value);
}

/* Numbers of the part that moves along the axis; false after an error.   theory (104.2), (104.3) */
static bool read_moving(sp_build *b, sp_scope *scope, const sp_node *node, double radius,
                        sp_wedge *w)
{
    const sp_node *force = sp_node_get(node, "force"), *tilt = sp_node_get(node, "tilt");
    const sp_node *stiff = sp_node_get(node, "stiffness"), *damping = sp_node_get(node, "damping");
    double mass = 0.0, d = 0.0;
    bool good = sp_build_positive(b, scope, sp_node_get(node, "mass"), "mass", sp_dim_of(0, 1, 0),
                                  false, &mass);
    if (damping) {
        good =
            sp_build_positive(b, scope, damping, "damping", sp_dim_of(0, 1, -1), true, &d) && good;
    }
    if (force) {
        good = sp_build_positive(b, scope, force, "force", sp_dim_of(1, 1, -2), false,
                                 &w->force[w->n]) &&
               good;
        w->m[w->n] = mass;
        w->d[w->n++] = d;
    }
    if (stiff) {
        good = sp_build_positive(b, scope, stiff, "stiffness", sp_dim_of(0, 1, -2), false,
                                 &w->k[w->n]) &&
               good;
        w->m[w->n] = mass / 12.0;
        w->d[w->n++] = d;
    }
    if (tilt && tilt->kind == SP_NODE_LIST && tilt->n_child == 2) {
        double k = 0.0;
        d = 0.0;
        good =
            sp_build_positive(b, scope, tilt->first, "tilt", sp_dim_of(2, 1, -2), false, &k) &&
            sp_build_positive(b, scope, tilt->first->next, "tilt", sp_dim_of(2, 1, -1), true, &d) &&
            good;
        for (int i = 0; i < 2; i++) {
            w->m[w->n] = 0.25 * mass * radius * radius;
            w->k[w->n] = k;
            w->d[w->n++] = d;
        }
    }
    return good;
}

/* Complain of a mass without anything that moves, or the other way round. */
static bool check_moving(sp_build *b, const sp_scope *scope, int plan, const sp_node *node)
{
    const sp_node *mass = sp_node_get(node, "mass");
    const sp_node *damping = sp_node_get(node, "damping"), *first = mass ? mass : damping;
    const bool groove = sp_node_get(node, "groove") != NULL;
    const char *const why = groove ? "'force' or 'tilt'" : "'stiffness'";
    if (count_of(node) == 0) {
        if (first) {
            sp_build_error(b, first->key_place, 0,
                           "%s: %s is that of what moves along the axis, and nothing does; give "
                           "%s too, or leave it out",
                           scope->what, first->key, why);
        }
        return !first;
    }
    if (!mass) {
        sp_build_error(b, node->key_place, 0,
                       "%s: %s needs the mass that moves along the axis; give 'mass', that of %s",
                       scope->what, why, groove ? "the sheave that is pressed" : "the pin");
        return false;
    }
    if (plan == SP_GROUND) {
        sp_build_error(b, node->key_place, 0,
                       "%s: the ground has nothing that moves along the axis; give %s to a body",
                       scope->what, why);
        return false;
    }
    if (b->plan[plan].deforms != &sp_wedge_kind ||
        moving_contour(b->plan[plan].family->node) != node) {
        sp_build_error(b, node->key_place, 0,
                       "%s: a body has one contour with a part that moves along the axis and does "
                       "not deform; give %s to another body",
                       scope->what, why);
        return false;
    }
    return true;
}

/* The form of a body with such a contour; the body's mass comes when it is known. */
static bool make_form(sp_build *b, sp_scope *scope, const sp_node *node, sp_wedge_plan *w)
{
    w->form = SP_BUILD_NEW(b, b->arena, sp_wedge, 1);
    b->body[b->plan[w->plan].body].form = w->form;
    return w->form && read_moving(b, scope, node, w->radius, w->form);
}

/* The angle of the flanks, with a place at which the groove is measured. */
static bool read_angle(sp_build *b, sp_scope *scope, const sp_node *node, sp_wedge_plan *w)
{
    const sp_node *angle = sp_node_get(node, "groove");
    double beta = 0.0;
    if (!sp_node_get(node, "radius") && !sp_node_get(node, "half_width")) {
        sp_build_error(b, angle->place, 0,
                       "%s: groove = %s says how steep the flanks are, not how far apart; give "
                       "'radius' and 'half_width', half of the width there",
                       scope->what, angle->text);
        return false;
    }
    const bool good =
        sp_build_quantity(b, scope, angle, "groove", sp_dim_of(0, 0, 0), "an angle [rad]", &beta) &&
        read_length(b, scope, node, "radius", &w->radius) &&
        read_length(b, scope, node, "half_width", &w->width);
    if (good && !(beta > 0.0 && beta < right_angle)) {
        sp_build_error(b, angle->place, 0,
                       "%s: groove = %g rad, expected the angle between a flank and the middle "
                       "plane, more than 0 and less than 90 deg",
                       scope->what, beta);
        return false;
    }
    w->slope = tan(beta);
    w->n_bend = 0;
    return good;
}

/* The natural spline through n points as a straight line and cubes behind each point, which jump in
 * the third derivative by 6 cube; false where it does not rise.   theory (104.14) */
static bool read_spline(sp_build *b, int n, const double *x, const double *y, sp_wedge_plan *w)
{
    sp_table *table = NULL;
    int wrong;
    if (sp_table_new(&b->scratch, n, x, y, true, &table, &wrong) != SP_OK) {
        return false;
    }
    sp_partials d;
    sp_table_partials(table, x[0], &d);
    w->radius = x[0];
    w->width = y[0];
    w->slope = d.x;
    w->bend = SP_BUILD_NEW(b, &b->scratch, sp_wedge_bend, n);
    bool rises = d.x > 0.0;
    for (int i = 0; i < n && w->bend; i++) {
        const double *M = table->bend;
        const double after = i + 1 < n ? (M[i + 1] - M[i]) / (x[i + 1] - x[i]) : 0.0;
        const double before = i > 0 ? (M[i] - M[i - 1]) / (x[i] - x[i - 1]) : 0.0;
        w->bend[i] = (sp_wedge_bend){x[i], (after - before) / 6.0};
        w->n_bend = i + 1;
        /* a slope is a parabola between points: least at an end or where it turns */
        sp_table_partials(table, x[i], &d);
        const double turn = after != 0.0 ? x[i] - M[i] / after : x[i];
        rises = rises && d.x > 0.0;
        if (i + 1 < n && turn > x[i] && turn < x[i + 1]) {
            sp_table_partials(table, turn, &d);
            rises = rises && d.x > 0.0;
        }
    }
    return rises;
}

/* Half of the width over the radius by points. */
static bool read_points(sp_build *b, sp_scope *scope, const sp_node *node, sp_wedge_plan *w)
{
    const sp_node *list = sp_node_get(node, "groove"), *other = sp_node_get(node, "radius");
    const int n = (int)list->n_child;
    double *x = SP_BUILD_NEW(b, &b->scratch, double, 2 * n), *y = x + n;
    other = other ? other : sp_node_get(node, "half_width");
    bool good = x != NULL;
    int i = 0;
    for (const sp_node *item = list->first; item && good; item = item->next, i++) {
        good =
            item->kind == SP_NODE_LIST && item->n_child == 2 &&
            sp_build_positive(b, scope, item->first, "groove", sp_dim_of(1, 0, 0), false, &x[i]) &&
            sp_build_positive(b, scope, item->first->next, "groove", sp_dim_of(1, 0, 0), false,
                              &y[i]);
    }
    if (good && other) {
        sp_build_error(b, other->key_place, 0,
                       "%s: %s belongs to a groove by its angle, this one is given by points; "
                       "leave it out",
                       scope->what, other->key);
        return false;
    }
    if (good && !read_spline(b, n, x, y, w)) {
        sp_build_error(b, list->place, 0,
                       "%s: groove: expected points [radius, half width] by rising radius "
                       "between which the groove becomes wider all the way",
                       scope->what);
        return false;
    }
    return good;
}

/* A groove or a rocker with its numbers; false after an error. */
static bool read_numbers(sp_build *b, sp_scope *scope, const sp_node *node, sp_wedge_plan *w)
{
    const sp_node *groove = sp_node_get(node, "groove");
    return !groove                        ? read_length(b, scope, node, "rocker", &w->width)
           : groove->kind == SP_NODE_LIST ? read_points(b, scope, node, w)
                                          : read_angle(b, scope, node, w);
}

/* Where a contour is on its body, in the plane a vertex. */
static bool add_place(sp_build *b, sp_scope *scope, int plan, const sp_node *node,
                      sp_contour *contour, sp_contour_numbers *n)
{
    double at[3] = {0.0, 0.0, 0.0};
    sp_build_vector(b, scope, sp_node_get(node, "at"), "at", sp_dim_of(1, 0, 0), at);
    sp_build_add_point(b, plan, node->key, at, NULL, &node->key_place);
    if (b->dim == 3) {
        memcpy(n->mark.at, at, sizeof at);
        return true;
    }
    double(*v)[2] = sp_build_new_vertices(b, 1);
    if (v) {
        memcpy(v[0], at, sizeof v[0]);
    }
    contour->n_vertex = 1;
    return v != NULL;
}

/* The contour itself with its plan. */
static void add(sp_build *b, int plan, const char *name, const sp_contour *contour,
                const sp_contour_numbers *n, sp_wedge_plan w)
{
    w.contour = b->n_contour;
    if (SP_BUILD_ROOM(b, b->wedge, b->n_wedge)) {
        b->wedge[b->n_wedge++] = w;
        sp_build_add_contour(b, plan, name, *contour, n);
    }
}

bool sp_build_wedge(sp_build *b, sp_scope *scope, int plan, const sp_node *node)
{
    const bool groove = sp_node_get(node, "groove") != NULL;
    if (!groove && !sp_node_get(node, "rocker")) {
        return false;
    }
    sp_wedge_plan w = {.plan = plan, .key = node->key};
    sp_contour contour = {.kind = groove ? SP_CONTOUR_GROOVE : SP_CONTOUR_ROCKER,
                          .vertex = b->n_vertex};
    sp_contour_numbers n = {.axis = {0.0, 0.0, 1.0}};
    bool good = read_numbers(b, scope, node, &w);
    n.radius = w.radius;
    if (b->dim == 2) {
        good = check_moving(b, scope, plan, node) && good;
        good = good && (count_of(node) == 0 || make_form(b, scope, node, &w));
    }
    good = add_place(b, scope, plan, node, &contour, &n) && good;
    b->plan[plan].broken = b->plan[plan].broken || !good;
    if (b->dim == 2) {
        add(b, plan, node->key, &contour, &n, w);
        return true;
    }
    const char *flank = sp_build_text(sp_node_get(node, "flank"));
    const bool both = !flank || strcmp(flank, "both") == 0;
    for (int side = 1; side <= 2; side++) {
        w.side = side == 1 ? -1.0 : 1.0;
        if (both || strcmp(flank, side == 1 ? "lower" : "upper") == 0) {
            add(b, plan, both ? sp_build_printf(b, "%s.%d", node->key, side) : node->key, &contour,
                &n, w);
        }
    }
    return true;
}

void sp_build_wedge_masses(sp_build *b)
{
    for (int i = 0; i < b->n_wedge; i++) {
        sp_wedge *form = b->wedge[i].form;
        const sp_body_numbers *n = &b->body_numbers[b->plan[b->wedge[i].plan].body];
        if (form) {
            form->mass = n->mass;
            form->inertia = n->inertia;
            memcpy(form->center, n->center, sizeof form->center);
        }
    }
}

/* ---- contacts ------------------------------------------------------------------------------- */

static const sp_wedge_plan *plan_of(const sp_build *b, int contour)
{
    int lo = 0, hi = b->n_wedge - 1;
    while (lo < hi) {
        const int mid = (lo + hi) / 2;
        lo = b->wedge[mid].contour < contour ? mid + 1 : lo;
        hi = b->wedge[mid].contour < contour ? hi : mid;
    }
    return &b->wedge[lo];
}

bool sp_build_ends_apart(const sp_build *b, int first, int second)
{
    const bool wedge =
        b->contour[first].kind == SP_CONTOUR_ROCKER || b->contour[second].kind == SP_CONTOUR_ROCKER;
    return wedge && plan_of(b, first)->side != plan_of(b, second)->side;
}

/* A contact of a rocker with a groove on its way: the words of its expressions. */
typedef struct pair {
    sp_build *b;
    sp_scope *scope;
    sp_place place;
    const sp_wedge_plan *pin, *groove;
    const char *body, *link; /* of groove and rocker                                        */
    const char *P, *C;       /* their points                                                */
    double inside;           /* half length of the rocker, where the flanks are as one      */
    bool good;
} pair;

/* Text in scratch memory, of any length. */
SP_PRINTF(2, 3) static const char *say(pair *p, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    const int n = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    char *text = SP_BUILD_NEW(p->b, &p->b->scratch, char, n + 1);
    if (!text) {
        return "";
    }
    va_start(args, fmt);
    vsnprintf(text, (size_t)n + 1, fmt, args);
    va_end(args);
    return text;
}

/* One expression of the contact. */
static void compile(pair *p, sp_level level, const char *text, sp_func *func)
{
    const sp_node node = {.kind = SP_NODE_TEXT, .text = text, .place = p->place};
    sp_expr_info info;
    p->scope->level = level;
    p->good = sp_build_func(p->b, p->scope, &node, "between", NULL, NULL, func, &info) && p->good;
    p->scope->level = SP_LEVEL_Q;
}

/* Half of opening less stretch, of their rates with ' behind their names. */
static const char *half_width(pair *p, const char *rate)
{
    const sp_wedge *g = p->groove->form;
    const char *zero = *rate ? "0 m/s" : "0 m";
    const char *opens = g && g->force[0] > 0.0 ? say(p, "%s.opening%s", p->body, rate) : zero;
    const char *gives = p->pin->form ? say(p, "%s.stretch%s", p->link, rate) : zero;
    return say(p, "0.5*(%s - %s)", opens, gives);
}

/* How far a flank is from the end of the rocker at the radius r, and how steep it is there.
 * theory (104.1), (104.14) */
static const char *height_of(pair *p, const char *r)
{
    const sp_wedge_plan *g = p->groove;
    const char *sum =
        say(p, "(%.17g m) + %.17g*%s", g->width - g->slope * g->radius - p->inside, g->slope, r);
    for (int i = 0; i < g->n_bend; i++) {
        sum = say(p, "%s + %.17g*max(0 m, %s - (%.17g m))^3/(1 m)^2", sum, g->bend[i].cube, r,
                  g->bend[i].radius);
    }
    return say(p, "(%s)", sum);
}

static const char *slope_of(pair *p, const char *r)
{
    const sp_wedge_plan *g = p->groove;
    const char *sum = say(p, "%.17g", g->slope);
    for (int i = 0; i < g->n_bend; i++) {
        sum = say(p, "%s + %.17g*max(0 m, %s - (%.17g m))^2/(1 m)^2", sum, 3.0 * g->bend[i].cube, r,
                  g->bend[i].radius);
    }
    return say(p, "(%s)", sum);
}

/* Square root of 1 + slope^2, a number for a cone. */
static const char *stretch_of(pair *p, const char *slope)
{
    return p->groove->n_bend == 0 ? say(p, "%.17g", hypot(1.0, p->groove->slope))
                                  : say(p, "sqrt(1 + %s^2)", slope);
}

/* In the plane both flanks are one contact.   theory (104.4)-(104.7) */
static void plane(pair *p, sp_rule *rule)
{
    const sp_wedge *g = p->groove->form;
    const bool tilts = g && g->n > 1;
    const char *X = say(p, "(%s.x - %s.x)", p->P, p->C);
    const char *Y = say(p, "(%s.y - %s.y)", p->P, p->C);
    const char *U = say(p, "(%s.vx - %s.vx + %s.omega*%s)", p->P, p->C, p->body, Y);
    const char *V = say(p, "(%s.vy - %s.vy - %s.omega*%s)", p->P, p->C, p->body, X);
    const char *r = say(p, "sqrt(%s^2 + %s^2)", X, Y);
    const char *a = tilts ? say(p, "%s.tilt_x", p->body) : "0";
    const char *c = tilts ? say(p, "%s.tilt_y", p->body) : "0";
    const char *t = slope_of(p, r);
    const char *Wx = tilts ? say(p, "(%s*%s/%s + 0.5*%s)", t, X, r, a) : NULL;
    const char *Wy = tilts ? say(p, "(%s*%s/%s + 0.5*%s)", t, Y, r, c) : NULL;
    const char *slope = tilts ? say(p, "sqrt(%s^2 + %s^2)", Wx, Wy) : t;
    const char *gx = tilts ? say(p, "(%s/%s)", Wx, slope) : say(p, "(%s/%s)", X, r);
    const char *gy = tilts ? say(p, "(%s/%s)", Wy, slope) : say(p, "(%s/%s)", Y, r);
    const char *n = tilts ? say(p, "sqrt(1 + %s^2 + %s^2)", Wx, Wy) : stretch_of(p, t);
    const char *bent = tilts ? say(p, " + 0.5*(%s*%s + %s*%s)", a, X, c, Y) : "";
    const char *bends = tilts ? say(p, " + 0.5*(%s'*%s + %s'*%s + %s.omega*(%s*%s - %s*%s))", a, X,
                                    c, Y, p->body, c, X, a, Y)
                              : "";
    compile(p, SP_LEVEL_MEASURE,
            say(p, "(%s + %s%s)/%s", height_of(p, r), half_width(p, ""), bent, n), &rule->measure);
    compile(
        p, SP_LEVEL_F,
        say(p, "(%s*%s + %s*%s - %s*(%s%s))/%s", gx, U, gy, V, slope, half_width(p, "'"), bends, n),
        &rule->slip[0]);
    compile(p, SP_LEVEL_F, say(p, "%s*%s - %s*%s", gx, V, gy, U), &rule->slip[1]);
}

/* In space one end of the rocker on one flank; z: the axis of the groove, as it is turned.
 * theory (104.8), (104.9) */
static void space(pair *p, sp_rule *rule)
{
    const char *side = p->groove->side > 0.0 ? "1" : "(-1)";
    const char *end = say(p, "(%.17g m)", p->pin->side * p->pin->width);
    const char *D[3], *V[3], *e[3], *l[3]; /* e, l: axes of groove and rocker */
    for (int i = 0; i < 3; i++) {
        const char x = (char)('x' + i);
        e[i] = say(p, "%s.ez.%c", p->body, x);
        l[i] = say(p, "%s.ez.%c", p->link, x);
        D[i] = say(p, "(%s.%c + %s*%s - %s.%c)", p->P, x, end, l[i], p->C, x);
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const char x = (char)('x' + i), y = (char)('x' + j), z = (char)('x' + k);
        V[i] = say(p,
                   "(%s.v%c - %s.v%c + %s*(%s.omega_%c*%s - %s.omega_%c*%s) - (%s.omega_%c*%s - "
                   "%s.omega_%c*%s))",
                   p->P, x, p->C, x, end, p->link, y, l[k], p->link, z, l[j], p->body, y, D[k],
                   p->body, z, D[j]);
    }
    const char *axial = say(p, "(%s*%s + %s*%s + %s*%s)", D[0], e[0], D[1], e[1], D[2], e[2]);
    const char *r = say(p, "sqrt(%s^2 + %s^2 + %s^2 - %s^2)", D[0], D[1], D[2], axial);
    const char *v_axial = say(p, "(%s*%s + %s*%s + %s*%s)", V[0], e[0], V[1], e[1], V[2], e[2]);
    const char *v_D = say(p, "(%s*%s + %s*%s + %s*%s)", V[0], D[0], V[1], D[1], V[2], D[2]);
    const char *t = slope_of(p, r), *n = stretch_of(p, t);
    compile(p, SP_LEVEL_MEASURE, say(p, "(%s - %s*%s)/%s", height_of(p, r), side, axial, n),
            &rule->measure);
    compile(p, SP_LEVEL_F,
            say(p, "((%s - %s*%s)/%s + %s*%s*%s)/%s", v_D, axial, v_axial, r, t, side, v_axial, n),
            &rule->slip[0]);
    compile(p, SP_LEVEL_F,
            say(p, "(%s*(%s*%s - %s*%s) + %s*(%s*%s - %s*%s) + %s*(%s*%s - %s*%s))/%s", e[0], D[1],
                V[2], D[2], V[1], e[1], D[2], V[0], D[0], V[2], e[2], D[0], V[1], D[1], V[0], r),
            &rule->slip[1]);
}

int sp_build_wedge_rule(sp_build *b, sp_scope *scope, sp_place place, int rocker, int groove)
{
    const sp_wedge_plan *g = plan_of(b, groove), *a = plan_of(b, rocker);
    pair p = {.b = b,
              .scope = scope,
              .place = place,
              .pin = a,
              .groove = g,
              .body = b->body[b->contour[groove].body].name,
              .link = b->body[b->contour[rocker].body].name,
              .inside = b->dim == 2 ? a->width : 0.0, /* in space the end is a place of its own */
              .good = true};
    sp_rule rule = {.sign = 1.0, .n_slip = 2};
    p.P = say(&p, "%s.%s", p.link, a->key);
    p.C = say(&p, "%s.%s", p.body, g->key);
    if (b->dim == 2) {
        plane(&p, &rule);
    } else {
        space(&p, &rule);
    }
    return p.good && !b->no_memory ? sp_build_add_rule(b, rule) : SP_NONE;
}
