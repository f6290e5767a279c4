/* model/build_elements.c - elements on a measure (pulls.h), bushings, drag and motors. */
#include "model/build_parts.h"
#include "model/pulls.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- pulls ---------------------------------------------------------------------------------- */

/* The numbers of one chamber; sense: +1 if it is pressed when the measure grows. */
static void chamber(sp_build *b, sp_force_plan *p, const sp_node *map, const char *prefix, int k,
                    double sense)
{
    static const char *const key[] = {"area", "pressure", "volume", "exponent"};
    const sp_dim want[] = {SP_DIM(2, 0, 0), SP_DIM(-1, 1, -2), SP_DIM(3, 0, 0), SP_DIM(0, 0, 0)};
    sp_gas_numbers *gas = &p->numbers->gas;
    double *const into[] = {&gas->area[k], &gas->pressure[k], &gas->volume[k], &gas->exponent[k]};
    gas->exponent[k] = 1.4;
    for (int i = 0; i < 4; i++) {
        char label[40];
        snprintf(label, sizeof label, "%s%s", prefix, key[i]);
        sp_build_positive(b, &p->scope, sp_node_get(map, key[i]), label, want[i], false, into[i]);
    }
    gas->area[k] *= sense;
}

/* Report a measure that is an angle where only a length makes sense. */
static bool want_length(sp_build *b, const sp_force_plan *p, bool angle)
{
    if (angle) {
        sp_build_error(b, p->value->place, 0, "%s: %s = %s is an angle, expected a length [m]",
                       p->scope.what, p->key, p->value->text);
    }
    return !angle;
}

/* Chambers of a gas spring; a stroke grows as it is pressed, the distance of two points shrinks. */
static void read_gas(sp_build *b, sp_force_plan *p)
{
    const double sense = p->force->by_points ? -1.0 : 1.0;
    const sp_node *back = sp_node_get(p->node, "back");
    chamber(b, p, p->node, "", 0, sense);
    if (back && back->kind == SP_NODE_MAP) {
        chamber(b, p, back, "back: ", 1, -sense);
    }
    sp_build_quantity(b, &p->scope, sp_node_get(p->node, "rest"), "rest", sp_dim_of(1, 0, 0), NULL,
                      &p->numbers->rest);
    sp_build_positive(b, &p->scope, sp_node_get(p->node, "ambient"), "ambient",
                      sp_dim_of(-1, 1, -2), true, &p->numbers->gas.ambient);
}

/* Both coefficients of an orifice, N s^2/m^2 or N m s^2. */
static void read_orifice(sp_build *b, sp_force_plan *p, bool angle)
{
    double press = 0.0, rebound = 0.0;
    const sp_dim want = sp_dim_of(angle ? 2 : -1, 1, 0);
    sp_build_positive(b, &p->scope, sp_node_get(p->node, "compression"), "compression", want, true,
                      &press);
    sp_build_positive(b, &p->scope, sp_node_get(p->node, "rebound"), "rebound", want, true,
                      &rebound);
    const bool points = p->force->by_points;
    p->numbers->orifice = (sp_orifice_numbers){points ? rebound : press, points ? press : rebound};
}

/* The numbers that a row of the table names. */
static void read_numbers(sp_build *b, sp_force_plan *p, const sp_pull_law *law)
{
    for (int k = 0; k < SP_PULL_NUMBERS && law->number[k].key; k++) {
        const sp_pull_number *n = &law->number[k];
        sp_build_positive(b, &p->scope, sp_node_get(p->node, n->key), n->key,
                          sp_dim_of(n->m, n->kg, n->s), n->zero, &p->numbers->number[k]);
    }
}

void sp_build_pull(sp_build *b, sp_force_plan *p, const sp_pull_law *law)
{
    bool angle;
    p->force->kind = SP_FORCE_PULL;
    p->force->pull = law;
    if (!sp_build_measure(b, p, law->key, &angle) || !(law->angles || want_length(b, p, angle))) {
        return;
    }
    p->scope.level = SP_LEVEL_Q;
    if (law->number[0].key) {
        read_numbers(b, p, law);
    } else if (strcmp(law->key, "gas") == 0) {
        read_gas(b, p);
    } else {
        read_orifice(b, p, angle);
    }
}

/* ---- bushing -------------------------------------------------------------------------------- */

/* Six numbers, in the plane three: along the axes, then about them. */
static void read_six(sp_build *b, sp_force_plan *p, const char *key, int power, double six[6])
{
    const sp_node *list = sp_node_get(p->node, key);
    if (!list || list->kind != SP_NODE_LIST || list->n_child != 3 * (b->dim - 1)) {
        return;
    }
    int k = 0;
    for (const sp_node *item = list->first; item; item = item->next, k++) {
        const bool about = k >= b->dim;
        const int entry = b->dim == 2 && about ? 5 : k;
        sp_build_positive(b, &p->scope, item, key, sp_dim_of(about ? 2 : 0, 1, power), true,
                          &six[entry]);
    }
}

void sp_build_bushing(sp_build *b, sp_force_plan *p)
{
    const sp_node *node = p->value->kind == SP_NODE_LIST ? p->value->first : NULL;
    sp_bushing_numbers *n = &p->numbers->bushing;
    p->force->kind = SP_FORCE_BUSHING;
    for (int k = 0; k < 2 && node; k++, node = node->next) {
        sp_ref ref;
        sp_mark *mark = &p->numbers->mark[k];
        mark->turned = true;
        sp_build_store_turn(sp_rot3_one(), mark->axes);
        if (sp_build_force_place(b, p, node, false, k) &&
            sp_build_body_ref(b, &p->scope, node, &ref)) {
            sp_build_store_turn(sp_build_point_axes(b, ref.first, ref.rest), mark->axes);
        }
    }
    read_six(b, p, "stiffness", -2, n->stiffness);
    read_six(b, p, "damping", -1, n->damping);
}

/* ---- drag ----------------------------------------------------------------------------------- */

void sp_build_drag(sp_build *b, sp_force_plan *p)
{
    const sp_node *wind = sp_node_get(p->node, "wind");
    const sp_node *linear = sp_node_get(p->node, "linear");
    const sp_node *quadratic = sp_node_get(p->node, "quadratic");
    const sp_dim speed = SP_DIM(1, 0, -1);
    p->force->kind = SP_FORCE_DRAG;
    if (!linear && !quadratic) {
        sp_build_error(b, p->node->place, 0, "%s: missing one of: linear, quadratic",
                       p->scope.what);
        return;
    }
    sp_build_force_place(b, p, p->value, true, 0);
    sp_build_positive(b, &p->scope, linear, "linear", sp_dim_of(0, 1, -1), true,
                      &p->numbers->damping);
    sp_build_positive(b, &p->scope, quadratic, "quadratic", sp_dim_of(-1, 1, 0), true,
                      &p->numbers->drag);
    const sp_node *item = wind && wind->kind == SP_NODE_LIST ? wind->first : NULL;
    p->force->has_law = item != NULL;
    p->scope.level = SP_LEVEL_F;
    for (int d = 0; d < b->dim && item; d++, item = item->next) {
        sp_expr_info info;
        sp_build_func(b, &p->scope, item, "wind", &speed, NULL, &p->force->law[d], &info);
    }
}

/* ---- motor ---------------------------------------------------------------------------------- */

/* P, I and D: of what is missing from the coordinate, or from the speed. */
static void read_gains(sp_build *b, sp_force_plan *p, bool turns)
{
    static const char *const key[] = {"P", "I", "D"};
    sp_motor_numbers *n = &p->numbers->motor;
    double *const into[] = {&n->P, &n->I, &n->D};
    const int arm = turns ? 2 : 0, rate = p->force->by_rate ? 1 : 0;
    const sp_dim want[] = {sp_dim_of(arm, 1, -2 + rate), sp_dim_of(arm, 1, -3 + rate),
                           sp_dim_of(arm, 1, -1)};
    for (int k = 0; k < 3; k++) {
        const sp_node *node = sp_node_get(p->node, key[k]);
        if (k == 2 && node && p->force->by_rate) {
            sp_build_error(b, node->key_place, 0,
                           "%s: D needs 'position'; a motor that follows a speed has P and I",
                           p->scope.what);
            return;
        }
        sp_build_positive(b, &p->scope, node, key[k], want[k], true, into[k]);
    }
}

void sp_build_motor(sp_build *b, sp_force_plan *p)
{
    static const char *const key[] = {"position", "speed", "feed"};
    p->force->kind = SP_FORCE_MOTOR;
    p->force->dof = sp_build_driven_dof(b, p);
    if (p->force->dof == SP_NONE) {
        p->force->dof = 0;
        return;
    }
    const sp_dof *dof = &b->dof[p->force->dof];
    const bool turns = dof->slide == SP_NONE;
    const sp_dim force = sp_dim_of(turns ? 2 : 1, 1, -2);
    const sp_dim want[] = {sp_build_coordinate_dim(dof, false), sp_build_coordinate_dim(dof, true),
                           force};
    const char *const text[] = {sp_build_coordinate_text(dof, false), NULL,
                                turns ? "a torque [N*m]" : NULL};
    const sp_node *position = sp_node_get(p->node, "position");
    if (!position && !sp_node_get(p->node, "speed")) {
        sp_build_error(b, p->node->place, 0, "%s: missing one of: position, speed", p->scope.what);
        return;
    }
    p->force->by_rate = !position;
    p->force->body[0] = dof->body;
    read_gains(b, p, turns);
    sp_build_positive(b, &p->scope, sp_node_get(p->node, "limit"), "limit", force, false,
                      &p->numbers->limit);
    for (int k = 0; k < 3; k++) {
        const sp_node *node = sp_node_get(p->node, key[k]);
        sp_expr_info info;
        p->scope.level = k < 2 ? SP_LEVEL_T : SP_LEVEL_F;
        p->scope.own = turns ? SP_OWN_TURN : SP_OWN_SLIDE;
        p->scope.dof = p->force->dof;
        if (node) {
            sp_build_func(b, &p->scope, node, key[k], &want[k], text[k], &p->force->law[k], &info);
        }
    }
    if (p->numbers->motor.I != 0.0) {
        p->force->aux = b->m->n_aux++;
    }
}
