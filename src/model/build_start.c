/* model/build_start.c - start values and the settings of the run. */
#include "model/build_parts.h"

#include <stdio.h>
#include <string.h>

/* ---- start ---------------------------------------------------------------------------------- */

/* A growing list of start values; has: which were given, by kind and index. */
typedef struct start_list {
    const char *section; /* "start", "near" */
    int n;
    sp_start_value *value;
    char *has;
} start_list;

/* The start value that a signal of the state stands for; false if it stands for none. */
static bool kind_of(const sp_signal *signal, sp_start_kind *kind)
{
    static const struct {
        sp_signal_kind signal;
        sp_start_kind start;
    } table[] = {{SP_SIG_Q, SP_START_Q},
                 {SP_SIG_U, SP_START_U},
                 {SP_SIG_X, SP_START_X},
                 {SP_SIG_Y, SP_START_Y},
                 {SP_SIG_Z, SP_START_Z},
                 {SP_SIG_PHI, SP_START_PHI},
                 {SP_SIG_VX, SP_START_VX},
                 {SP_SIG_VY, SP_START_VY},
                 {SP_SIG_VZ, SP_START_VZ},
                 {SP_SIG_OMEGA, SP_START_OMEGA},
                 {SP_SIG_OMEGA_X, SP_START_OMEGA_X},
                 {SP_SIG_OMEGA_Y, SP_START_OMEGA_Y},
                 {SP_SIG_OMEGA_Z, SP_START_OMEGA_Z},
                 {SP_SIG_OMEGA_OWN_X, SP_START_OMEGA_OWN_X},
                 {SP_SIG_OMEGA_OWN_Y, SP_START_OMEGA_OWN_Y},
                 {SP_SIG_OMEGA_OWN_Z, SP_START_OMEGA_OWN_Z}};
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        if (table[k].signal == signal->kind) {
            *kind = table[k].start;
            return true;
        }
    }
    return false;
}

/* Put one value into the list. */
static void add_value(sp_build *b, start_list *list, const sp_scope *scope, sp_start_value value,
                      sp_place place)
{
    const int n = b->m->n_body + b->m->n_dof;
    char *has = &list->has[(size_t)value.kind * (size_t)n + (size_t)value.index];
    if (*has) {
        sp_build_error(b, place, 0, "%s: %s is given twice", scope->what, value.name);
        return;
    }
    if (SP_BUILD_ROOM(b, list->value, list->n)) {
        *has = 1;
        value.near = strcmp(list->section, "near") == 0;
        list->value[list->n++] = value;
    }
}

/* Report a path that is no coordinate and no velocity of a body or joint. */
static void refuse(sp_build *b, const sp_scope *scope, const sp_node *node, const char *why)
{
    sp_build_error(b, node->key_place, 0,
                   "%s: '%s' %s; start values are given to bodies (%s) and joints "
                   "(body.joint.phi)",
                   scope->what, node->key, why,
                   b->dim == 3 ? "x, y, z, turn, vx, vy, vz, omega_x, ..., omega_own"
                               : "x, y, phi, vx, vy, omega");
}

/* What can be wrong with a coordinate or velocity of a joint; false after an error. */
static bool check_joint(sp_build *b, const sp_scope *scope, const sp_node *node,
                        const sp_signal *signal)
{
    if (signal->kind == SP_SIG_Q && signal->dof == SP_NONE) {
        sp_build_error(b, node->key_place, 0,
                       "%s: '%s' is one part of a rotation, which is given as a whole, as in "
                       "body.joint.turn: {x: 90 deg}",
                       scope->what, node->key);
        return false;
    }
    const bool is_q = signal->kind == SP_SIG_Q;
    const int motion = b->dof[is_q ? signal->dof : signal->index].motion;
    if (motion != SP_NONE && !(is_q && b->motion[motion].speed)) {
        sp_build_error(b, node->key_place, 0,
                       "%s: '%s' is prescribed by '%s' of the joint, which gives its start; leave "
                       "it out",
                       scope->what, node->key, b->motion[motion].speed ? "speed" : "motion");
        return false;
    }
    return true;
}

/* Whether one of the degrees of freedom of a body's joint is part of a ball. */
static bool has_ball(const sp_build *b, const sp_body *body)
{
    return body->n_dof > 0 && b->dof[body->dof + body->n_dof - 1].move == SP_MOVE_BALL;
}

/* A rotation at the start: "top.turn", "top.joint.turn". */
static bool start_turn(sp_build *b, start_list *list, sp_scope *scope, const sp_node *node,
                       const sp_body *body, bool joint)
{
    const int before = b->diag->n_error;
    sp_rot3 R;
    if (!has_ball(b, body)) {
        sp_build_error(b, node->key_place, 0,
                       "%s: '%s': the joint of body '%s' does not turn about a point; give the "
                       "coordinates of the joint, as in %s.joint.phi",
                       scope->what, node->key, body->name, body->name);
        return false;
    }
    if (!sp_build_turn(b, scope, node, node->key, &R)) {
        if (b->diag->n_error == before) {
            sp_build_error(b, node->place, 0, "%s: %s is no turn, expected one such as {x: 90 deg}",
                           scope->what, node->key);
        }
        return false;
    }
    sp_start_value value = {
        .kind = joint ? SP_START_JOINT_TURN : SP_START_TURN,
        .index = (int)(body - b->body),
        .name = sp_build_printf(b, "%s.%s", body->name, joint ? "joint.turn" : "turn"),
        .place = sp_build_place(b, node->place)};
    sp_quat_store(sp_quat_of_rot3(R), value.turn);
    add_value(b, list, scope, value, node->key_place);
    return b->diag->n_error == before;
}

/* An angular velocity in the body's own axes as a vector: "top.omega_own", and of the joint. */
static bool start_spin(sp_build *b, start_list *list, sp_scope *scope, const sp_node *node,
                       const sp_body *body, bool joint)
{
    const int before = b->diag->n_error;
    double omega[3];
    if (joint && !has_ball(b, body)) {
        sp_build_error(b, node->key_place, 0, "%s: '%s': the joint does not turn about a point",
                       scope->what, node->key);
        return false;
    }
    if (!sp_build_vector(b, scope, node, node->key, sp_dim_of(0, 0, -1), omega)) {
        if (b->diag->n_error == before) {
            sp_build_error(b, node->place, 0, "%s: %s is no vector, expected [x, y, z]",
                           scope->what, node->key);
        }
        return false;
    }
    for (int d = 0; d < 3; d++) {
        const int dof = body->dof + body->n_dof - 3 + d;
        const sp_signal rate = {.kind = SP_SIG_U, .index = dof};
        sp_start_value value = {
            .kind = joint ? SP_START_U : (sp_start_kind)(SP_START_OMEGA_OWN_X + d),
            .index = joint ? dof : (int)(body - b->body),
            .value = omega[d],
            .name = sp_build_printf(b, "%s.%somega_own", body->name, joint ? "joint." : ""),
            .place = sp_build_place(b, node->place)};
        if (joint && !check_joint(b, scope, node, &rate)) {
            return false;
        }
        add_value(b, list, scope, value, node->key_place);
    }
    return b->diag->n_error == before;
}

/* Place, direction and velocities of a link of a chain: "link.along: belt.(i)"; false after an
 * error. */
static bool start_along(sp_build *b, start_list *list, sp_scope *scope, const sp_node *node,
                        const sp_body *body, int plan)
{
    static const char *const name[] = {"x", "y", "phi", "vx", "vy", "omega"};
    const char *path = sp_build_text(node);
    sp_look look = {.b = b, .scope = scope};
    const sp_resolver resolver = sp_build_resolver(&look, node);
    sp_error err = {.status = SP_OK};
    sp_path_at at;
    if (path && strchr(path, '(') &&
        sp_path_canonical(&b->scratch, path, &resolver, &path, &err) != SP_OK) {
        sp_build_report(b, &look, node, node->key, 0, &err);
        return false;
    }
    if (!path || !sp_build_is_link(b, path, &at, &look.poisoned) || look.poisoned) {
        if (!look.poisoned) {
            sp_build_error(b, node->place, 0,
                           "%s: %s = %.80s is no link of a chain, expected one of a path with "
                           "'links', as in belt.(i)",
                           scope->what, node->key, path ? path : "");
        }
        return false;
    }
    const double number[] = {at.r.x, at.r.y, at.phi, at.v.x, at.v.y, at.omega};
    const int before = b->diag->n_error;
    for (int k = 0; k < 6; k++) {
        char rest[16];
        sp_signal signal;
        sp_dim dim;
        sp_start_value value = {.value = number[k], .place = sp_build_place(b, node->place)};
        snprintf(rest, sizeof rest, "%s%s", b->dim == 3 ? "joint." : "", name[k]);
        if (!sp_build_signal(b, plan, rest, &signal, &dim, &err) ||
            !kind_of(&signal, &value.kind)) {
            sp_build_error(b, node->key_place, 0,
                           "%s: %s: %s, expected a body that moves in the plane%s", scope->what,
                           node->key, err.text, b->dim == 3 ? ", as joint 'planar' lets it" : "");
            return false;
        }
        if (b->dim == 3 && !check_joint(b, scope, node, &signal)) {
            return false;
        }
        value.index = signal.kind == SP_SIG_Q ? signal.dof : signal.index;
        value.name = sp_build_printf(b, "%s.%s", body->name, rest);
        add_value(b, list, scope, value, node->key_place);
    }
    return b->diag->n_error == before;
}

/* The start value of one body of an array, or of the one body that is meant. */
static bool start_of(sp_build *b, start_list *list, const sp_node *node, const sp_ref *ref,
                     int plan)
{
    sp_scope scope = sp_build_scope(ref->family, plan - ref->family->first);
    snprintf(scope.what, sizeof scope.what, "%s", list->section);
    const sp_body *body = &b->body[b->plan[plan].body];
    sp_signal signal;
    sp_dim dim;
    sp_error err;
    sp_start_value value = {.name = "", .place = sp_build_place(b, node->place)};
    if (b->plan[plan].broken) {
        return false;
    }
    const bool joint = strncmp(ref->rest, "joint.", 6) == 0;
    const char *last = joint ? ref->rest + 6 : ref->rest;
    const bool movable = b->dim == 3 && body->last_dof != SP_NONE;
    if (movable && strcmp(last, "turn") == 0) {
        return start_turn(b, list, &scope, node, body, joint);
    }
    if (movable && strcmp(last, "omega_own") == 0) {
        return start_spin(b, list, &scope, node, body, joint);
    }
    if (body->last_dof != SP_NONE && strcmp(ref->rest, "along") == 0) {
        return start_along(b, list, &scope, node, body, plan);
    }
    if (!sp_build_signal(b, plan, ref->rest, &signal, &dim, &err)) {
        sp_build_error(b, node->key_place, 0, "%s: %s", scope.what, err.text);
        return false;
    }
    if (strchr(ref->rest, '.') && !joint) {
        refuse(b, &scope, node, "belongs to a point");
        return false;
    }
    if (body->last_dof == SP_NONE || !kind_of(&signal, &value.kind)) {
        refuse(b, &scope, node, "is fixed to the ground");
        return false;
    }
    if (joint && !check_joint(b, &scope, node, &signal)) {
        return false;
    }
    if (!sp_build_text(node)) {
        sp_build_error(b, node->place, 0, "%s: %s is a %s, expected a quantity", scope.what,
                       node->key, node->kind == SP_NODE_LIST ? "list" : "map");
        return false;
    }
    const bool angle = sp_dim_is_pure(dim);
    if (!sp_build_quantity(b, &scope, node, node->key, dim, angle ? "an angle [rad]" : NULL,
                           &value.value)) {
        return false;
    }
    value.index = signal.kind == SP_SIG_Q ? signal.dof : signal.index;
    value.name = ref->n > 1 ? sp_build_printf(b, "%s.%s", body->name, ref->rest)
                            : sp_build_printf(b, "%s", node->key);
    const int before = b->diag->n_error;
    add_value(b, list, &scope, value, node->key_place);
    return b->diag->n_error == before;
}

/* The start value of a formula coordinate or rate; false if the key is none. */
static bool formula_start(sp_build *b, start_list *list, sp_scope *scope, const sp_node *node)
{
    sp_signal signal;
    sp_dim dim;
    if (!sp_build_formula_signal(b, node->key, &signal, &dim)) {
        return false;
    }
    sp_start_value value = {.kind = signal.kind == SP_SIG_Q ? SP_START_Q : SP_START_U,
                            .index = signal.kind == SP_SIG_Q ? signal.dof : signal.index,
                            .name = sp_build_printf(b, "%s", node->key),
                            .place = sp_build_place(b, node->place)};
    if (sp_build_quantity(b, scope, node, node->key, dim, NULL, &value.value)) {
        add_value(b, list, scope, value, node->key_place);
    }
    return true;
}

/* Report a key without a dot in a model of formula coordinates; false if it may be another. */
static bool no_coordinate(sp_build *b, const sp_node *node)
{
    const int n = sp_build_formula_count(b), first = b->m->formula.dof;
    const char **name = SP_BUILD_NEW(b, &b->scratch, const char *, n);
    char list[200] = "";
    if (n == 0 || strchr(node->key, '.') || !name) {
        return false;
    }
    for (int i = 0; i < n; i++) {
        name[i] = b->dof[first + i].name;
    }
    sp_build_suggest(b, node->key, name, n, list, sizeof list);
    sp_build_error(b, node->key_place, 0, "start: there is no coordinate or rate '%s'%s", node->key,
                   list);
    return true;
}

/* All values of a section. */
static void read_section(sp_build *b, const char *section, start_list *list)
{
    const sp_node *map = sp_node_get(b->root, section);
    if (!map || map->kind != SP_NODE_MAP) {
        return;
    }
    list->section = section;
    for (const sp_node *node = map->first; node && !b->no_memory; node = node->next) {
        sp_scope scope = sp_build_scope_of("%s", section);
        sp_node path = *node; /* the key is the reference */
        path.kind = SP_NODE_TEXT;
        path.text = node->key;
        path.place = node->key_place;
        path.instance = 0; /* it has the name of its part */
        sp_ref ref;
        if (formula_start(b, list, &scope, node) || no_coordinate(b, node)) {
            continue;
        }
        const bool usable = sp_build_text(node) || (b->dim == 3 && node->kind != SP_NODE_TEXT);
        if (!usable || !sp_build_ref(b, &scope, &path, &ref)) {
            continue;
        }
        for (int e = ref.first; e < ref.first + ref.n && start_of(b, list, node, &ref, e); e++) {
        }
    }
}

void sp_build_start(sp_build *b)
{
    const size_t n = (size_t)b->m->n_body + (size_t)b->m->n_dof;
    start_list list = {.has = SP_BUILD_NEW(b, &b->scratch, char, n *SP_START_COUNT)};
    if (!list.has) {
        return;
    }
    read_section(b, "start", &list);
    read_section(b, "near", &list);
    sp_start_value *value = SP_BUILD_NEW(b, b->arena, sp_start_value, list.n);
    if (value && list.n > 0) {
        memcpy(value, list.value, (size_t)list.n * sizeof *value);
    }
    b->m->n_start = list.n;
    b->m->start = value;
}

/* ---- run ------------------------------------------------------------------------------------ */

/* theta: below 1/2 the method gains energy by itself. */
static void build_theta(sp_build *b, sp_scope *scope, const sp_node *node, double *theta)
{
    const double standard = *theta;
    sp_build_positive(b, scope, node, "theta", sp_dim_of(0, 0, 0), false, theta);
    if (!(*theta >= 0.5 && *theta <= 1.0)) {
        sp_build_error(b, node->place, 0,
                       "run: theta = %g, expected 0.5 to 1: below 1/2 the method "
                       "gains energy by itself",
                       *theta);
        *theta = standard;
    }
}

void sp_build_run(sp_build *b)
{
    sp_run_settings *run = &b->m->run;
    const sp_node *map = sp_node_get(b->root, "run");
    const sp_dim time = SP_DIM(0, 0, 1);
    sp_scope scope = sp_build_scope_of("run");
    *run = (sp_run_settings){.theta = 0.5, .method = "auto"};
    if (!map || map->kind != SP_NODE_MAP) {
        return;
    }
    run->place = sp_build_place(b, map->key_place);
    sp_build_positive(b, &scope, sp_node_get(map, "until"), "until", time, false, &run->until);
    sp_build_positive(b, &scope, sp_node_get(map, "step"), "step", time, false, &run->step);
    sp_build_positive(b, &scope, sp_node_get(map, "output_step"), "output_step", time, false,
                      &run->output_step);
    sp_build_positive(b, &scope, sp_node_get(map, "measure_from"), "measure_from", time, true,
                      &run->measure_from);
    sp_build_positive(b, &scope, sp_node_get(map, "tolerance"), "tolerance", sp_dim_of(0, 0, 0),
                      false, &run->tolerance);
    build_theta(b, &scope, sp_node_get(map, "theta"), &run->theta);
    const char *method = sp_build_text(sp_node_get(map, "method"));
    if (method) {
        run->method = sp_build_printf(b, "%s", method);
    }
    const char *implicit = sp_build_text(sp_node_get(map, "implicit"));
    run->implicit = !implicit || strcmp(implicit, "auto") == 0 ? SP_IMPLICIT_AUTO
                    : strcmp(implicit, "yes") == 0             ? SP_IMPLICIT_YES
                                                               : SP_IMPLICIT_NO;
    const char *start = sp_build_text(sp_node_get(map, "start"));
    run->project_start = start && strcmp(start, "project") == 0;
    run->settle_start = start && strcmp(start, "settled") == 0;
}
