/* model/build_press.c - contacts whose law gives their normal force: force elements between two
 * contours.   theory (105.1)-(105.3) */
#include "model/build_parts.h"
#include "model/build_touch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct sp_press_plan {
    sp_force force;
    sp_force_numbers numbers;
};

/* ---- pairs of contours ----------------------------------------------------------------------- */

static sp_mark mark_of(const sp_build *b, int contour)
{
    const sp_contour *c = &b->contour[contour];
    sp_mark mark = {.body = c->body};
    if (b->dim == 3) {
        memcpy(mark.at, b->contour_numbers[contour].mark.at, sizeof mark.at);
    } else if (c->n_vertex > 0) {
        memcpy(mark.at, b->vertex[c->vertex], sizeof b->vertex[0]);
    }
    return mark;
}

static bool is_ball(sp_contour_kind kind)
{
    return kind == SP_CONTOUR_POINT || kind == SP_CONTOUR_CIRCLE || kind == SP_CONTOUR_SPHERE;
}

sp_rot3 sp_build_axes_by_normal(sp_vec3 y)
{
    const sp_vec3 other = fabs(y.z) < 0.9 ? (sp_vec3){0.0, 0.0, 1.0} : (sp_vec3){1.0, 0.0, 0.0};
    const sp_vec3 across = sp_cross3(y, other);
    const sp_vec3 x = sp_scale3(1.0 / sp_length3(across), across);
    return (sp_rot3){x, y, sp_cross3(x, y)};
}

/* What a disc or ball of contour a does on contour c; false: that is not known. */
static bool pair_of(const sp_build *b, int a, int c, sp_press_plan *p)
{
    const sp_contour *on = &b->contour[c];
    const sp_contour_numbers *first = &b->contour_numbers[a], *second = &b->contour_numbers[c];
    sp_press_numbers *n = &p->numbers.press;
    if (!is_ball(b->contour[a].kind)) {
        return false;
    }
    p->numbers.mark[0] = mark_of(b, a);
    p->numbers.mark[1] = mark_of(b, c);
    p->force.body[0] = b->contour[a].body;
    p->force.body[1] = on->body;
    *n = (sp_press_numbers){.radius = {first->radius, second->radius}, .sign = 1.0};
    p->force.on = SP_PRESS_ROUND;
    if (on->kind == SP_CONTOUR_LINE || on->kind == SP_CONTOUR_PLANE) {
        const sp_vec3 y = on->kind == SP_CONTOUR_LINE
                              ? (sp_vec3){second->normal[0], second->normal[1], 0.0}
                              : sp_vec3_of(second->axis);
        p->force.on = SP_PRESS_PLANE;
        p->numbers.mark[1].turned = true;
        sp_build_store_turn(sp_build_axes_by_normal(y), p->numbers.mark[1].axes);
        return true;
    }
    if (on->kind == SP_CONTOUR_HOLLOW || on->kind == SP_CONTOUR_HOLLOW_SPHERE) {
        n->sign = -1.0;
        n->radius[1] = -second->radius;
        return true;
    }
    if (on->kind == SP_CONTOUR_CURVE && b->curve[on->form - 1]->kind == SP_CURVE_BENT) {
        const sp_curve *side = b->curve[on->form - 1];
        p->force.on = SP_PRESS_SIDE;
        p->numbers.mark[1] = (sp_mark){.body = on->body, .at = {0.0, side->height, 0.0}};
        n->sign = -side->side;
        return b->body[on->body].n_own > 0;
    }
    return is_ball(on->kind);
}

/* ---- elements -------------------------------------------------------------------------------- */

/* The force: that of the file while the contact is closed, never a pull.  It is one expression, so
 * that what switches in it is landed on.   theory (105.3) */
static bool read_force(sp_build *b, const sp_scope *by, const sp_node *node, sp_force *force)
{
    const sp_dim want = SP_DIM(1, 1, -2);
    sp_scope scope = *by;
    sp_expr_info info;
    scope.level = SP_LEVEL_F;
    scope.own = SP_OWN_PRESS;
    scope.forces = true;
    scope.terms = false;
    if (!sp_build_text(node) ||
        !sp_build_func(b, &scope, node, "law: force", &want, NULL, &force->law[0], &info)) {
        return false;
    }
    sp_node whole = *node;
    whole.text =
        sp_arena_printf(&b->scratch, "if(g_N < 0%s, max(0%s, %s), 0%s)", b->units ? " m" : "",
                        b->units ? " N" : "", node->text, b->units ? " N" : "");
    return whole.text &&
           sp_build_func(b, &scope, &whole, "law: force", &want, NULL, &force->law[0], &info);
}

/* Say which pair it is that has no such force. */
static void refuse(sp_build *b, const sp_scope *scope, sp_place place, int a, int c)
{
    const sp_contour *first = &b->contour[a], *second = &b->contour[c];
    sp_build_error(b, place, 0,
                   "%s: law: 'force' between %s ('%s') and %s ('%s') is not known; it is between "
                   "%s",
                   scope->what, sp_build_contour_word(first), first->name,
                   sp_build_contour_word(second), second->name,
                   b->dim == 3 ? "points, spheres and planes"
                               : "points, circles, lines and sides of elastic beams");
}

/* Restitution and friction of laws that also give the force. */
static bool is_alone(sp_build *b, const sp_scope *scope, int law, const sp_node *force)
{
    const sp_law_numbers *n = &b->law[law];
    const sp_law *f = &b->law_func[law];
    if (!(n->mu > 0.0) && n->eps_N == 0.0 && n->eps_T == 0.0 && !f->by_speed && !f->by_approach) {
        return true;
    }
    sp_build_error(b, force->place, 0,
                   "%s: law: 'force' beside friction or restitution, which belong to hard "
                   "contacts; damping is a part of the force, as in 'k*(-g_N)^1.5 + d*v_N'",
                   scope->what);
    return false;
}

/* One pair more; false if it is none that can touch, or after an error. */
static bool add_pair(sp_build *b, const sp_scope *scope, sp_place place, const sp_node *force,
                     int a, int c)
{
    if (b->rigid[b->contour[a].body] == b->rigid[b->contour[c].body]) {
        return false;
    }
    sp_press_plan p = {.force = {.kind = SP_FORCE_PRESS, .aux = SP_NONE},
                       .numbers = {.limit = INFINITY}};
    if (!pair_of(b, a, c, &p) && !pair_of(b, c, a, &p)) {
        refuse(b, scope, place, a, c);
        return false;
    }
    if (!read_force(b, scope, force, &p.force) || !SP_BUILD_ROOM(b, b->press, b->n_press)) {
        return false;
    }
    b->press[b->n_press++] = p;
    return true;
}

void sp_build_presses(sp_build *b, const sp_scope *scope, sp_place place, sp_contact *contact,
                      int law, const sp_node *force, const sp_side side[2])
{
    const int first = b->n_press, before = b->diag->n_error;
    if (!is_alone(b, scope, law, force)) {
        return;
    }
    for (int i = 0; i < side[0].n && b->diag->n_error == before; i++) {
        for (int j = 0; j < side[1].n && b->diag->n_error == before; j++) {
            const int a = side[0].contour[i], c = side[1].contour[j];
            if (!sp_build_is_second(&side[0], &side[1], a, c)) {
                add_pair(b, scope, place, force, a, c);
            }
        }
    }
    const int n = b->n_press - first;
    if (n == 0 && b->diag->n_error == before && side[0].n > 0 && side[1].n > 0) {
        sp_build_error(b, place, 0,
                       "%s: both sides belong to the same body or are fixed, expected "
                       "two bodies, one of which moves",
                       scope->what);
    }
    for (int k = 0; k < n; k++) {
        sp_force *f = &b->press[first + k].force;
        f->name = n == 1 ? contact->name : sp_build_printf(b, "%s.%d", contact->name, k + 1);
        f->place = contact->place;
    }
}

void sp_build_add_presses(sp_build *b)
{
    sp_model *m = b->m;
    const int n = m->n_force;
    if (b->n_press == 0) {
        return;
    }
    sp_force *force = SP_BUILD_NEW(b, b->arena, sp_force, n + b->n_press);
    sp_force_numbers *numbers = SP_BUILD_NEW(b, b->arena, sp_force_numbers, n + b->n_press);
    if (!force || !numbers) {
        return;
    }
    if (n > 0) {
        memcpy(force, m->force, (size_t)n * sizeof *force);
        memcpy(numbers, m->numbers.force, (size_t)n * sizeof *numbers);
    }
    for (int k = 0; k < b->n_press; k++) {
        force[n + k] = b->press[k].force;
        numbers[n + k] = b->press[k].numbers;
    }
    m->force = force;
    m->numbers.force = numbers;
    m->n_force = n + b->n_press;
}

/* The element that a path names but for its last word, SP_NONE: none. */
static int press_of(const sp_build *b, const char *path, size_t n)
{
    for (int k = 0; k < b->n_press; k++) {
        const char *name = b->press[k].force.name;
        if (strlen(name) == n && strncmp(path, name, n) == 0) {
            return k;
        }
    }
    return SP_NONE;
}

bool sp_build_press_signal(sp_build *b, const char *path, sp_signal *out, sp_dim *dim,
                           sp_error *err)
{
    static const struct {
        const char *name;
        sp_signal_kind kind;
        sp_dim dim;
    } quantity[] = {{"g_N", SP_SIG_ELEMENT_MEASURE, SP_DIM(1, 0, 0)},
                    {"gamma_N", SP_SIG_ELEMENT_RATE, SP_DIM(1, 0, -1)},
                    {"lambda_N", SP_SIG_ELEMENT_FORCE, SP_DIM(1, 1, -2)}};
    const char *dot = strrchr(path, '.');
    const int k = dot ? press_of(b, path, (size_t)(dot - path)) : SP_NONE;
    if (k == SP_NONE) {
        return false;
    }
    for (size_t i = 0; i < sizeof quantity / sizeof *quantity; i++) {
        if (strcmp(dot + 1, quantity[i].name) == 0) {
            *out = (sp_signal){.kind = quantity[i].kind, .index = b->m->n_force - b->n_press + k};
            *dim = quantity[i].dim;
            return true;
        }
    }
    (void)SP_FAIL(err, SP_E_INPUT,
                  "contact '%s' has no '%s'; as its law gives the force it has: g_N, gamma_N, "
                  "lambda_N",
                  b->press[k].force.name, dot + 1);
    return true;
}
