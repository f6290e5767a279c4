/* model/build_states.c - states of their own: first-order equations z' = rate.   theory (85.1) */
#include "model/build_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Dimension and unit of a state: those that are given, else those of its value at the start. */
static bool read_unit(sp_build *b, const sp_scope *scope, const sp_node *unit,
                      const sp_expr_info *start, sp_dim *dim, const char **name)
{
    double factor;
    sp_error err;
    char si[60];
    const char *text = sp_build_text(unit);
    *dim = start->any_dim ? sp_dim_of(0, 0, 0) : start->dim;
    if (unit && (!text || sp_unit_parse(text, strlen(text), &factor, dim, &err) != SP_OK)) {
        sp_build_error(b, unit->place, 0, "%s: unit: %s", scope->what,
                       text ? err.text : "expected a unit such as Pa");
        return false;
    }
    sp_dim_unit(*dim, si, sizeof si);
    *name = sp_build_printf(b, "%s", si);
    return true;
}

/* One state: unit, value at the start, scale. */
static void read_state(sp_build *b, const sp_family *f, int k, sp_own_state *state, sp_dim *dim)
{
    char name[SP_WHAT_MAX];
    sp_scope scope = sp_build_scope(f, k);
    const sp_node *start = sp_node_get(f->node, "start"), *unit = sp_node_get(f->node, "unit");
    sp_func value = {.constant = 0.0};
    sp_expr_info info = {.any_dim = true};
    sp_build_element_name(f, k, name, sizeof name);
    state->name = sp_build_printf(b, "%s", name);
    state->place = sp_build_place(b, f->node->key_place);
    const bool found =
        !start || sp_build_func(b, &scope, start, "start", NULL, NULL, &value, &info);
    if (!found || !read_unit(b, &scope, unit, &info, dim, &state->unit)) {
        return;
    }
    if (unit && start) {
        sp_build_quantity(b, &scope, start, "start", *dim, NULL, &state->start);
    } else {
        state->start = value.constant;
    }
    state->scale = fabs(state->start);
    sp_build_positive(b, &scope, sp_node_get(f->node, "scale"), "scale", *dim, false,
                      &state->scale);
}

/* Call `what` for every state, for an array until one of its elements is wrong. */
static void for_all(sp_build *b,
                    void (*what)(sp_build *, const sp_family *, int, sp_own_state *, sp_dim *))
{
    for (int i = 0; i < b->n_family && !b->no_memory; i++) {
        const sp_family *f = &b->family[i];
        const int before = b->diag->n_error;
        for (int k = 0; f->kind == SP_PART_STATE && !f->broken && k < f->n && !b->no_memory; k++) {
            if (b->diag->n_error == before) {
                what(b, f, k, &b->state[f->first + k], &b->state_dim[f->first + k]);
            }
        }
    }
}

void sp_build_states(sp_build *b)
{
    b->state = SP_BUILD_NEW(b, b->arena, sp_own_state, b->n_state);
    b->state_dim = SP_BUILD_NEW(b, &b->scratch, sp_dim, b->n_state);
    if (b->no_memory) {
        return;
    }
    for_all(b, read_state);
    b->m->n_state = b->m->n_aux = b->n_state;
    b->m->state = b->state;
}

/* The rate of one state. */
static void read_rate(sp_build *b, const sp_family *f, int k, sp_own_state *state, sp_dim *dim)
{
    sp_scope scope = sp_build_scope(f, k);
    sp_expr_info info;
    sp_dim want;
    sp_dim_product(*dim, sp_dim_of(0, 0, 1), -1, &want);
    scope.level = SP_LEVEL_F;
    scope.forces = scope.terms = true;
    sp_build_func(b, &scope, sp_node_get(f->node, "rate"), "rate", &want, NULL, &state->rate,
                  &info);
}

void sp_build_state_rates(sp_build *b)
{
    for_all(b, read_rate);
}

sp_status sp_build_state_signal(sp_build *b, const char *path, sp_signal *signal, sp_dim *dim,
                                sp_error *err)
{
    sp_ref ref;
    char first[SP_WHAT_MAX];
    SP_TRY(sp_build_resolve(b, NULL, path, &ref, err) ? SP_OK : SP_E_INPUT);
    sp_build_element_name(ref.family, 0, first, sizeof first);
    if (ref.n != 1) {
        return SP_FAIL(err, SP_E_INPUT, "'%s' has %d elements, expected one; write %s",
                       ref.family->name, ref.n, first);
    }
    if (*ref.rest) {
        return SP_FAIL(err, SP_E_INPUT, "state '%s' is one number and has no '%s'", first,
                       ref.rest);
    }
    *signal = (sp_signal){.kind = SP_SIG_STATE, .index = ref.first};
    *dim = b->state_dim[ref.first];
    return SP_OK;
}
