/* model/build_sliders.c - dry friction with stiffness: `friction: {limit, stiffness}` of couplings
 * and of joints, as force elements.   theory (99.1) */
#include "model/build_parts.h"

#include <math.h>

/* Whether `friction` of a coupling or a joint has a stiffness. */
static const sp_node *slider_of(const sp_node *node)
{
    const sp_node *friction = node ? sp_node_get(node, "friction") : NULL;
    return friction && friction->kind == SP_NODE_MAP && sp_node_get(friction, "stiffness")
               ? friction
               : NULL;
}

bool sp_build_is_slider(const sp_node *node)
{
    return slider_of(node) != NULL;
}

/* Limit and stiffness, and the state and the kink of an element whose measure is there. */
static void finish(sp_build *b, sp_scope *scope, const sp_node *friction, sp_dim dim,
                   sp_force *force, sp_force_numbers *numbers)
{
    sp_dim limit = SP_DIM(2, 1, -2), stiffness;
    const sp_node *mu = sp_node_get(friction, "mu");
    sp_dim_product(limit, dim, -1, &limit);
    sp_dim_product(limit, dim, -1, &stiffness);
    scope->level = SP_LEVEL_Q;
    force->kind = SP_FORCE_SLIDER;
    if (mu) {
        sp_build_error(b, mu->key_place, 0,
                       "%s: friction with 'stiffness' has a 'limit' and no 'mu'", scope->what);
        return;
    }
    sp_build_positive(b, scope, sp_node_get(friction, "limit"), "limit", limit, false,
                      &numbers->limit);
    sp_build_positive(b, scope, sp_node_get(friction, "stiffness"), "stiffness", stiffness, false,
                      &numbers->stiffness);
    if (!isfinite(numbers->limit)) {
        sp_build_error(b, friction->place, 0,
                       "%s: friction: missing 'limit', the largest force (torque)", scope->what);
        return;
    }
    if (SP_BUILD_ROOM(b, b->kink, b->n_kink)) {
        force->kink = b->n_kink;
        b->kink[b->n_kink++] = sp_build_printf(b, "%s", scope->what);
        force->aux = b->m->n_aux++;
        b->m->n_slider++;
    }
}

void sp_build_slider(sp_build *b, sp_force_plan *p)
{
    sp_expr_info info;
    const sp_node *of = sp_node_get(p->node, "of");
    p->scope.level = SP_LEVEL_MEASURE;
    if (!sp_build_text(of) ||
        !sp_build_func(b, &p->scope, of, "of", NULL, NULL, &p->force->measure, &info)) {
        return;
    }
    if (!p->force->measure.program) {
        sp_build_error(b, of->place, 0,
                       "%s: of = %s does not depend on any coordinate, nothing can be coupled",
                       p->scope.what, of->text);
        return;
    }
    finish(b, &p->scope, p->value, info.dim, p->force, p->numbers);
}

int sp_build_joint_sliders(sp_build *b, sp_force *force, sp_force_numbers *numbers)
{
    int n = 0;
    for (int plan = 1; plan < b->n_plan; plan++) {
        const sp_body_plan *p = &b->plan[plan];
        const sp_node *friction = p->broken ? NULL : slider_of(p->joint);
        sp_rule rule;
        sp_dim dim;
        if (!friction) {
            continue;
        }
        if (force) {
            sp_scope scope = sp_build_scope(p->family, plan - p->family->first);
            force[n] =
                (sp_force){.name = sp_build_printf(b, "%s.joint.friction", b->body[p->body].name),
                           .place = sp_build_place(b, friction->key_place),
                           .aux = SP_NONE};
            numbers[n].limit = INFINITY;
            if (sp_build_joint_measure(b, &scope, &b->body[p->body], friction, &rule, &dim)) {
                force[n].measure = rule.measure;
                finish(b, &scope, friction, dim, &force[n], &numbers[n]);
            }
        }
        n++;
    }
    return n;
}
