/* model/build_forces.c - springs, applied forces, torques and drives. */
#include "model/build_parts.h"
#include "model/pulls.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool sp_build_force_place(sp_build *b, sp_force_plan *p, const sp_node *node, bool center, int k)
{
    sp_ref ref;
    sp_error err;
    if (!sp_build_body_ref(b, &p->scope, node, &ref) || b->plan[ref.first].broken) {
        return false;
    }
    const char *point = center && !*ref.rest ? "center" : ref.rest;
    if (!sp_build_point(b, ref.first, point, p->numbers->mark[k].at, &err)) {
        sp_build_error(b, node->place, 0, "%s: %s", p->scope.what, err.text);
        return false;
    }
    p->force->body[k] = p->numbers->mark[k].body = b->plan[ref.first].body;
    return true;
}

/* ---- springs -------------------------------------------------------------------------------- */

bool sp_build_measure(sp_build *b, sp_force_plan *p, const char *key, bool *angle)
{
    *angle = false;
    p->force->by_points = p->value->kind == SP_NODE_LIST;
    if (p->force->by_points) {
        const sp_node *first = p->value->first;
        if (p->value->n_child != 2) {
            return false;
        }
        const bool good = sp_build_force_place(b, p, first, false, 0);
        return sp_build_force_place(b, p, first->next, false, 1) && good;
    }
    sp_expr_info info;
    p->scope.level = SP_LEVEL_MEASURE;
    if (!sp_build_func(b, &p->scope, p->value, key, NULL, NULL, &p->force->measure, &info)) {
        return false;
    }
    const bool length = sp_dim_equal(info.dim, sp_dim_of(1, 0, 0));
    *angle = sp_dim_is_pure(info.dim) && !info.any_dim;
    if (b->units && !length && !*angle) {
        char is[120];
        sp_dim_describe(info.dim, is, sizeof is);
        sp_build_error(b, p->value->place, 0,
                       "%s: %s = %s is %s, expected a length [m] or an angle [rad]", p->scope.what,
                       key, p->value->text, info.any_dim ? "zero" : is);
        return false;
    }
    return true;
}

/* Stiffness, damping, rest and the law of a spring. */
static void spring(sp_build *b, sp_force_plan *p)
{
    bool angle;
    const bool good = sp_build_measure(b, p, "spring", &angle);
    p->force->kind = p->force->by_points ? SP_FORCE_SPRING_POINTS : SP_FORCE_SPRING_MEASURE;
    p->force->by_points = false;
    if (!good) {
        return;
    }
    const int arm = angle ? 2 : 0;
    const sp_node *stiffness = sp_node_get(p->node, "stiffness");
    const sp_node *damping = sp_node_get(p->node, "damping");
    sp_build_quantity(b, &p->scope, stiffness, "stiffness", sp_dim_of(arm, 1, -2),
                      angle ? "a torsional stiffness [N*m/rad]" : NULL, &p->numbers->stiffness);
    sp_build_quantity(b, &p->scope, damping, "damping", sp_dim_of(arm, 1, -1),
                      angle ? "a torsional damping [N*m*s/rad]" : NULL, &p->numbers->damping);
    sp_build_warn_of_push(b, &p->scope, stiffness, "stiffness", p->numbers->stiffness);
    sp_build_warn_of_push(b, &p->scope, damping, "damping", p->numbers->damping);
    sp_build_quantity(b, &p->scope, sp_node_get(p->node, "rest"), "rest",
                      sp_dim_of(angle ? 0 : 1, 0, 0), angle ? "an angle [rad]" : NULL,
                      &p->numbers->rest);
    const sp_dim want = sp_dim_of(angle ? 2 : 1, 1, -2);
    sp_build_quantity(b, &p->scope, sp_node_get(p->node, "preload"), "preload", want,
                      angle ? "a torque [N*m]" : NULL, &p->numbers->preload);
    const sp_node *law = sp_node_get(p->node, "force");
    if (law) {
        sp_expr_info info;
        p->scope.level = SP_LEVEL_F;
        p->scope.own = !b->units ? SP_OWN_ANY : angle ? SP_OWN_ANGLE : SP_OWN_LENGTH;
        p->force->has_law =
            sp_build_func(b, &p->scope, law, "force", &want, angle ? "a torque [N*m]" : NULL,
                          &p->force->law[0], &info);
    }
}

/* ---- applied forces and drives -------------------------------------------------------------- */

/* A force vector on a body or one of its points. */
static void applied_force(sp_build *b, sp_force_plan *p)
{
    const sp_dim want = SP_DIM(1, 1, -2);
    const char *frame = sp_build_text(sp_node_get(p->node, "frame"));
    p->force->kind = SP_FORCE_FORCE;
    p->force->own_frame = frame && strcmp(frame, "own") == 0;
    p->scope.level = SP_LEVEL_F;
    const sp_node *on = sp_node_get(p->node, "on");
    const sp_node *item = p->value->kind == SP_NODE_LIST ? p->value->first : NULL;
    for (int d = 0; d < b->dim && item; d++, item = item->next) {
        sp_expr_info info;
        sp_build_func(b, &p->scope, item, "force", &want, NULL, &p->force->law[d], &info);
    }
    p->scope.level = SP_LEVEL_Q;
    sp_build_force_place(b, p, on, true, 0);
}

/* A torque on a body. */
static void applied_torque(sp_build *b, sp_force_plan *p)
{
    const sp_dim want = SP_DIM(2, 1, -2);
    const sp_node *on = sp_node_get(p->node, "on");
    sp_expr_info info;
    sp_ref ref;
    const char *frame = sp_build_text(sp_node_get(p->node, "frame"));
    p->force->kind = SP_FORCE_TORQUE;
    p->force->own_frame = frame && strcmp(frame, "own") == 0;
    p->scope.level = SP_LEVEL_F;
    const bool list = p->value->kind == SP_NODE_LIST; /* in space */
    const sp_node *item = list ? p->value->first : p->value;
    for (int d = 0; d < 3 && item; d++, item = list ? item->next : NULL) {
        sp_build_func(b, &p->scope, item, "torque", &want, "a torque [N*m]", &p->force->law[d],
                      &info);
    }
    p->scope.level = SP_LEVEL_Q;
    if (!sp_build_body_ref(b, &p->scope, on, &ref)) {
        return;
    }
    if (*ref.rest) {
        sp_build_error(b, on->place, 0, "%s: a torque acts on a body, '%s' is none", p->scope.what,
                       on->text);
        return;
    }
    p->force->body[0] = p->numbers->mark[0].body = b->plan[ref.first].body;
}

int sp_build_driven_dof(sp_build *b, sp_force_plan *p)
{
    sp_ref ref;
    sp_signal signal;
    sp_dim dim;
    sp_error err;
    if (!sp_build_body_ref(b, &p->scope, p->value, &ref) || b->plan[ref.first].broken) {
        return SP_NONE;
    }
    const sp_body *body = &b->body[b->plan[ref.first].body];
    if (strcmp(ref.rest, "joint") == 0 && body->n_dof == 1) {
        return body->dof;
    }
    if (strcmp(ref.rest, "joint") == 0) {
        sp_build_error(b, p->value->place, 0,
                       "%s: the joint of body '%s' has %d degrees of freedom, expected one%s",
                       p->scope.what, body->name, body->n_dof,
                       body->n_dof ? "; name it, as in 'body.joint.phi'" : "");
        return SP_NONE;
    }
    if (strncmp(ref.rest, "joint.", 6) != 0) {
        sp_build_error(b, p->value->place, 0, "%s: %s = %s is no joint, expected '%s.joint'",
                       p->scope.what, p->key, p->value->text, body->name);
        return SP_NONE;
    }
    if (!sp_build_signal(b, ref.first, ref.rest, &signal, &dim, &err)) {
        sp_build_error(b, p->value->place, 0, "%s: %s", p->scope.what, err.text);
        return SP_NONE;
    }
    const int dof = signal.kind == SP_SIG_Q ? signal.dof : signal.index;
    if (dof == SP_NONE || b->dof[dof].move == SP_MOVE_BALL) {
        sp_build_error(b, p->value->place, 0,
                       "%s: %s = %s has no coordinate of its own, expected one that slides or "
                       "turns; use a torque on the body",
                       p->scope.what, p->key, p->value->text);
        return SP_NONE;
    }
    return dof;
}

/* A drive: a torque or force in a joint. */
static void drive(sp_build *b, sp_force_plan *p)
{
    p->force->kind = SP_FORCE_DRIVE;
    p->force->dof = sp_build_driven_dof(b, p);
    if (p->force->dof == SP_NONE) {
        return;
    }
    const bool turns = b->dof[p->force->dof].slide == SP_NONE;
    const char *key = turns ? "torque" : "force", *other = turns ? "force" : "torque";
    const sp_node *law = sp_node_get(p->node, key), *wrong = sp_node_get(p->node, other);
    const sp_dim want = sp_dim_of(turns ? 2 : 1, 1, -2);
    sp_expr_info info;
    if (!law && wrong) {
        sp_build_error(b, wrong->key_place, 0, "%s: '%s' for the coordinate %s, expected '%s'",
                       p->scope.what, other, b->dof[p->force->dof].name, key);
        return;
    }
    p->force->body[0] = b->dof[p->force->dof].body;
    sp_build_positive(b, &p->scope, sp_node_get(p->node, "limit"), "limit", want, false,
                      &p->numbers->limit);
    p->scope.level = SP_LEVEL_F;
    p->scope.own = turns ? SP_OWN_TURN : SP_OWN_SLIDE;
    p->scope.dof = p->force->dof;
    sp_build_func(b, &p->scope, law, key, &want, turns ? "a torque [N*m]" : NULL, &p->force->law[0],
                  &info);
}

/* ---- all of them --------------------------------------------------------------------------- */

/* One force element. */
static void add_force(sp_build *b, const sp_family *f, int k, sp_force *force,
                      sp_force_numbers *numbers)
{
    static const struct {
        const char *key;
        void (*build)(sp_build *, sp_force_plan *);
    } kind[] = {
        {"spring", spring},       {"drive", drive},           {"bushing", sp_build_bushing},
        {"drag", sp_build_drag},  {"motor", sp_build_motor},  {"tyre", sp_build_tyre},
        {"force", applied_force}, {"torque", applied_torque}, {"friction", sp_build_slider}};
    char name[SP_WHAT_MAX];
    sp_build_element_name(f, k, name, sizeof name);
    force->name = sp_build_printf(b, "%s", name);
    force->place = sp_build_place(b, f->node->key_place);
    force->aux = SP_NONE;
    numbers->limit = INFINITY;
    sp_force_plan p = {
        .scope = sp_build_scope(f, k), .node = f->node, .force = force, .numbers = numbers};
    p.scope.forces = true;
    p.scope.terms = !(sp_node_get(f->node, "limit") || sp_node_get(f->node, "quadratic") ||
                      sp_node_get(f->node, "tyre")); /* these bend what expressions say */
    const sp_node *first = k == 0 && f->n_index ? sp_node_get(f->node, "first") : NULL;
    for (size_t i = 0; i < sizeof kind / sizeof *kind; i++) {
        p.key = kind[i].key;
        p.value = sp_node_get(f->node, p.key);
        if (p.value) {
            p.value = first ? first : p.value;
            kind[i].build(b, &p);
            return;
        }
    }
    const sp_pull_law *law = sp_pull_law_at(0);
    for (int i = 0; law && !p.value; law = p.value ? law : sp_pull_law_at(++i)) {
        p.key = law->key;
        p.value = sp_node_get(f->node, p.key);
    }
    if (law) {
        p.value = first ? first : p.value;
        sp_build_pull(b, &p, law);
    }
}

void sp_build_forces(sp_build *b)
{
    const int field = b->gravity_law != NULL; /* one more for gravity by expressions */
    const int n = b->n_force + sp_build_joint_sliders(b, NULL, NULL);
    sp_force *force = SP_BUILD_NEW(b, b->arena, sp_force, n + field);
    sp_force_numbers *numbers = SP_BUILD_NEW(b, b->arena, sp_force_numbers, n + field);
    for (int i = 0; i < b->n_family && !b->no_memory; i++) {
        const sp_family *f = &b->family[i];
        const int before = b->diag->n_error;
        for (int k = 0; f->kind == SP_PART_FORCE && !f->broken && k < f->n && !b->no_memory; k++) {
            if (b->diag->n_error == before) { /* report an array's errors once */
                add_force(b, f, k, &force[f->first + k], &numbers[f->first + k]);
            }
        }
    }
    if (!b->no_memory) {
        sp_build_joint_sliders(b, force + b->n_force, numbers + b->n_force);
    }
    if (field && !b->no_memory) {
        force[n] = (sp_force){.name = "gravity", .kind = SP_FORCE_GRAVITY, .aux = SP_NONE};
        memcpy(force[n].law, b->gravity_law, sizeof force->law);
    }
    b->m->n_force = n + field;
    b->m->force = force;
    b->m->numbers.force = numbers;
}
