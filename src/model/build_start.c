/* model/build_start.c - start values and the settings of the run. */
#include "base/status.h"
#include "model/build_parts.h"

#include <string.h>

/* ---- start
 * ------------------------------------------------------------------------------------------ */

/* A growing list of start values; has: which were given, by kind and index. */
typedef struct start_list {
    int n, size;
    sp_start_value *value;
    char *has;
} start_list;

/* The start value that a signal of the state stands for; false if it stands for none. */
static bool kind_of(const sp_signal *signal, sp_start_kind *kind)
{
    static const struct {
        sp_signal_kind signal;
        sp_start_kind start;
    } table[] = {{SP_SIG_Q, SP_START_Q},   {SP_SIG_U, SP_START_U},        {SP_SIG_X, SP_START_X},
                 {SP_SIG_Y, SP_START_Y},   {SP_SIG_PHI, SP_START_PHI},    {SP_SIG_VX, SP_START_VX},
                 {SP_SIG_VY, SP_START_VY}, {SP_SIG_OMEGA, SP_START_OMEGA}};
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
    sp_start_value *values = sp_build_grow(b, list->value, list->n, &list->size, sizeof *values);
    if (values) {
        *has = 1;
        list->value = values;
        values[list->n++] = value;
    }
}

/* Report a path that is no coordinate and no velocity of a body or joint. */
static void refuse(sp_build *b, const sp_scope *scope, const sp_node *node, const char *why)
{
    sp_build_error(b, node->key_place, 0,
                   "%s: '%s' %s; start values are given to bodies (x, y, phi, vx, vy, omega) and "
                   "joints (body.joint.phi)",
                   scope->what, node->key, why);
}

/* The start value of one body of an array, or of the one body that is meant. */
static bool start_of(sp_build *b, start_list *list, const sp_node *node, const sp_ref *ref,
                     int plan)
{
    sp_scope scope = sp_build_scope(b, ref->family, plan - ref->family->first);
    memcpy(scope.what, "start", sizeof "start");
    const sp_body *body = &b->body[b->plan[plan].body];
    sp_signal signal;
    sp_dim dim;
    sp_error err;
    sp_start_value value = {.name = "", .place = sp_build_place(b, node->place)};
    if (b->plan[plan].broken) {
        return false;
    }
    if (!sp_build_signal(b, plan, ref->rest, &signal, &dim, &err)) {
        sp_build_error(b, node->key_place, 0, "%s: %s", scope.what, err.text);
        return false;
    }
    if (strchr(ref->rest, '.') && strncmp(ref->rest, "joint.", 6) != 0) {
        refuse(b, &scope, node, "belongs to a point");
        return false;
    }
    if (body->last_dof == SP_NONE || !kind_of(&signal, &value.kind)) {
        refuse(b, &scope, node, "is fixed to the ground");
        return false;
    }
    const bool angle = sp_dim_is_pure(dim);
    if (!sp_build_quantity(b, &scope, node, node->key, dim, angle ? "an angle [rad]" : NULL,
                           &value.value)) {
        return false;
    }
    value.index = signal.index;
    value.name = ref->n > 1 ? sp_build_printf(b, "%s.%s", body->name, ref->rest)
                            : sp_build_printf(b, "%s", node->key);
    const int before = b->diag->n_error;
    add_value(b, list, &scope, value, node->key_place);
    return b->diag->n_error == before;
}

void sp_build_start(sp_build *b)
{
    const sp_node *map = sp_node_get(b->root, "start");
    if (!map || map->kind != SP_NODE_MAP) {
        return;
    }
    const size_t n = (size_t)b->m->n_body + (size_t)b->m->n_dof;
    start_list list = {.has = SP_BUILD_NEW(b, &b->scratch, char, n *(SP_START_OMEGA + 1))};
    for (const sp_node *node = map->first; node && !b->no_memory; node = node->next) {
        sp_scope scope = sp_build_scope_of("start");
        sp_node path = *node; /* the key is the reference */
        path.kind = SP_NODE_TEXT;
        path.text = node->key;
        path.place = node->key_place;
        sp_ref ref;
        if (!sp_build_text(node) || !sp_build_ref(b, &scope, &path, &ref)) {
            continue;
        }
        for (int e = ref.first; e < ref.first + ref.n && start_of(b, &list, node, &ref, e); e++) {
        }
    }
    sp_start_value *value = SP_BUILD_NEW(b, b->arena, sp_start_value, list.n);
    if (value && list.n > 0) {
        memcpy(value, list.value, (size_t)list.n * sizeof *value);
    }
    b->m->n_start = list.n;
    b->m->start = value;
}

/* ---- run
 * -------------------------------------------------------------------------------------------- */

void sp_build_run(sp_build *b)
{
    sp_run_settings *run = &b->m->run;
    const sp_node *map = sp_node_get(b->root, "run");
    const sp_dim time = SP_DIM(0, 0, 1);
    sp_scope scope = sp_build_scope_of("run");
    *run = (sp_run_settings){.tolerance = 1e-9, .method = "auto"};
    if (!map || map->kind != SP_NODE_MAP) {
        return;
    }
    run->place = sp_build_place(b, map->key_place);
    sp_build_positive(b, &scope, sp_node_get(map, "until"), "until", time, false, &run->until);
    sp_build_positive(b, &scope, sp_node_get(map, "step"), "step", time, false, &run->step);
    sp_build_positive(b, &scope, sp_node_get(map, "output_step"), "output_step", time, false,
                      &run->output_step);
    sp_build_positive(b, &scope, sp_node_get(map, "tolerance"), "tolerance", sp_dim_of(0, 0, 0),
                      false, &run->tolerance);
    const char *method = sp_build_text(sp_node_get(map, "method"));
    if (method) {
        run->method = sp_build_printf(b, "%s", method);
    }
    const char *start = sp_build_text(sp_node_get(map, "start"));
    run->project_start = start && strcmp(start, "project") == 0;
}
