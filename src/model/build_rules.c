/* model/build_rules.c - contacts by formula and couplings: stops, play, dry friction, clutches,
 * ratios; also those that joints carry themselves. */
#include "model/aspect.h"
#include "model/build_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- support -------------------------------------------------------------------------------- */

/* Mark the degrees of freedom on the way from k to the ground. */
static void mark_way(const sp_build *b, int k, char *mark)
{
    for (; k != SP_NONE; k = b->dof[k].parent) {
        mark[k] = 1;
    }
}

/* Mark all that a func depends on. */
static void mark_func(const sp_build *b, const sp_func *f, char *mark)
{
    for (int k = 0; k < f->n_signal; k++) {
        const sp_signal *s = &f->signal[k];
        if (s->kind == SP_SIG_Q) {
            mark_way(b, s->dof, mark);
        } else if (s->kind == SP_SIG_U) {
            mark_way(b, s->index, mark);
        } else if (s->kind != SP_SIG_TIME) {
            mark_way(b, b->body[s->index].last_dof, mark);
        }
    }
}

/* The marked ones, falling, in the model's memory. */
static const int *falling(sp_build *b, const char *mark, int *n)
{
    int *sup = SP_BUILD_NEW(b, b->arena, int, b->m->n_dof);
    *n = 0;
    for (int k = b->m->n_dof - 1; k >= 0 && sup; k--) {
        if (mark[k]) {
            sup[(*n)++] = k;
        }
    }
    return sup;
}

const int *sp_build_support(sp_build *b, int body_a, int body_b, int *n)
{
    char *mark = SP_BUILD_NEW(b, &b->scratch, char, b->m->n_dof + 1);
    *n = 0;
    if (!mark) {
        return NULL;
    }
    mark_way(b, b->body[body_a].last_dof, mark);
    mark_way(b, b->body[body_b].last_dof, mark);
    return falling(b, mark, n);
}

/* ---- rules and slots ------------------------------------------------------------------------ */

int sp_build_add_rule(sp_build *b, sp_rule rule)
{
    char *mark = SP_BUILD_NEW(b, &b->scratch, char, b->m->n_dof + 1);
    if (!SP_BUILD_ROOM(b, b->rule, b->n_rule) || !mark) {
        return SP_NONE;
    }
    mark_func(b, &rule.measure, mark);
    for (int k = 0; k < rule.n_slip; k++) {
        mark_func(b, &rule.slip[k], mark);
    }
    rule.sup = falling(b, mark, &rule.n_sup);
    b->rule[b->n_rule] = rule;
    return b->n_rule++;
}

/* Add a slot of a contact. */
static void add_slot(sp_build *b, const char *name, int contact, int law, sp_slot_kind kind,
                     const sp_rule *rule)
{
    const int k = sp_build_add_rule(b, *rule);
    if (k == SP_NONE || !SP_BUILD_ROOM(b, b->slot, b->n_slot)) {
        return;
    }
    b->slot[b->n_slot++] = (sp_slot){
        .name = name, .contact = contact, .law = law, .kind = kind, .sign_t = 1.0, .rule = k};
    b->contact[contact].n_slot++;
}

void sp_build_add_bond(sp_build *b, const sp_slot *bond)
{
    if (SP_BUILD_ROOM(b, b->bond, b->n_bond)) {
        b->bond[b->n_bond++] = *bond;
    }
}

/* ---- contacts by formula -------------------------------------------------------------------- */

/* Whether a slip velocity is linear in the velocities: its value without them is found, and the
 * rest must double when they do. */
static void check_slip(sp_build *b, const sp_scope *scope, const sp_node *node, const sp_func *slip)
{
    double *in = SP_BUILD_NEW(b, &b->scratch, double, slip->n_signal + 1);
    double *work = slip->program
                       ? SP_BUILD_NEW(b, &b->scratch, double, sp_program_work(slip->program, 0))
                       : NULL;
    double value[3];
    for (int pass = 0; pass < 3 && in && work; pass++) {
        for (int k = 0; k < slip->n_signal; k++) {
            const bool rate = sp_aspect_of(slip->signal[k].kind).is_rate;
            in[k] = rate ? pass * (0.7 + 0.31 * k) : 0.3 + 0.17 * k;
        }
        value[pass] = sp_program_value(slip->program, in, work);
    }
    if (in && work &&
        !(fabs(value[2] - 2.0 * value[1] + value[0]) <=
          1e-9 * (fabs(value[0]) + fabs(value[1]) + fabs(value[2])))) {
        sp_build_error(b, node->place, 0,
                       "%s: slip = %s is not linear in the velocities, expected a velocity",
                       scope->what, node->text);
    }
}

/* The velocities along which a contact by expressions has friction: one, or a list of two. */
static bool read_slips(sp_build *b, sp_scope *scope, const sp_node *slip, sp_rule *rule)
{
    const bool list = slip->kind == SP_NODE_LIST;
    const sp_dim velocity = SP_DIM(1, 0, -1);
    sp_expr_info info;
    for (const sp_node *item = list ? slip->first : slip; item && rule->n_slip < 2;
         item = list ? item->next : NULL) {
        sp_func *func = &rule->slip[rule->n_slip++];
        if (!sp_build_func(b, scope, item, "slip", &velocity, NULL, func, &info)) {
            return false;
        }
        check_slip(b, scope, item, func);
    }
    return true;
}

bool sp_build_law_suits(sp_build *b, const sp_scope *scope, sp_place place, int law, int n_slip)
{
    if (b->law_func[law].drills || b->law[law].spot.rolling > 0.0 ||
        b->law[law].spot.adhesion > 0.0) {
        sp_build_error(b, place, 0,
                       "%s: a contact by expressions, or of a rocker in a groove, has no drilling, "
                       "rolling or adhesion; use another law, or other contours",
                       scope->what);
        return false;
    }
    if (n_slip == 2 && b->law_func[law].by_speed) {
        sp_build_error(b, place, 0, "%s: friction along two slips needs a 'mu' that is one number",
                       scope->what);
        return false;
    }
    return true;
}

/* A contact by its gap, with slip velocities if it has friction. */
void sp_build_gap_contact(sp_build *b, sp_scope *scope, const sp_node *node, int contact, int law)
{
    const sp_node *gap = sp_node_get(node, "gap"), *slip = sp_node_get(node, "slip");
    const sp_dim length = SP_DIM(1, 0, 0);
    sp_rule rule = {.sign = 1.0};
    sp_expr_info info;
    scope->level = SP_LEVEL_MEASURE;
    if (!sp_build_func(b, scope, gap, "gap", &length, NULL, &rule.measure, &info)) {
        return;
    }
    scope->level = SP_LEVEL_F;
    if (slip && !read_slips(b, scope, slip, &rule)) {
        return;
    }
    scope->level = SP_LEVEL_Q;
    if (!slip && law != SP_NONE && b->law[law].mu > 0.0) {
        sp_build_error(b, node->place, 0,
                       "%s: the law has mu = %g, but the contact has no 'slip'; give the sliding "
                       "velocity as an expression, or a law without friction",
                       scope->what, b->law[law].mu);
        return;
    }
    if (law != SP_NONE && sp_build_law_suits(b, scope, node->place, law, rule.n_slip)) {
        add_slot(b, b->contact[contact].name, contact, law, SP_SLOT_GAP, &rule);
    }
}

/* ---- couplings ------------------------------------------------------------------------------ */

/* The measure of a coupling: an expression of coordinates. */
static bool read_measure(sp_build *b, sp_scope *scope, const sp_node *of, sp_rule *rule,
                         sp_dim *dim)
{
    sp_expr_info info;
    scope->level = SP_LEVEL_MEASURE;
    const bool good = sp_build_func(b, scope, of, "of", NULL, NULL, &rule->measure, &info);
    scope->level = SP_LEVEL_Q;
    if (!good) {
        return false;
    }
    rule->sign = 1.0;
    rule->angle = sp_dim_is_pure(info.dim);
    *dim = info.dim;
    if (!rule->measure.program) {
        sp_build_error(b, of->place, 0,
                       "%s: of = %s does not depend on any coordinate, nothing can be coupled",
                       scope->what, of->text);
        return false;
    }
    return true;
}

/* One end of a range: a number, or none. */
static bool read_end(sp_build *b, sp_scope *scope, const sp_node *node, sp_dim dim, bool *there,
                     double *end)
{
    const char *text = sp_build_text(node);
    *there = text && strcmp(text, "none") != 0;
    return !*there || sp_build_quantity(b, scope, node, "range", dim, NULL, end);
}

/* Whether two stops are at one place; if so their restitution has to have a limit.
 * theory (11.48) */
static bool has_no_play(sp_build *b, const sp_scope *scope, const sp_node *node, const bool *there,
                        const double *end, int law)
{
    const bool none = there[0] && there[1] && end[0] == end[1];
    if (none && !b->law_func[law].eps_N.program && b->law[law].eps_N >= 1.0) {
        sp_build_error(b, node->place, 0,
                       "%s: range = [%s, %s] has no play, and with eps_N = 1 what is hit between "
                       "its stops would move to and fro for ever; write 'fix' for a joint without "
                       "play, or a smaller eps_N",
                       scope->what, node->first->text, node->first->next->text);
    }
    return none;
}

/* Two stops: gaps x - lo and hi - x. */
void sp_build_range(sp_build *b, sp_scope *scope, const sp_node *node, const sp_rule *measure,
                    sp_dim dim, int contact, int law)
{
    bool there[2];
    double end[2] = {0.0, 0.0};
    const char *name = b->contact[contact].name;
    if (node->kind != SP_NODE_LIST || node->n_child != 2 ||
        !read_end(b, scope, node->first, dim, &there[0], &end[0]) ||
        !read_end(b, scope, node->first->next, dim, &there[1], &end[1]) || law == SP_NONE) {
        return;
    }
    if (there[0] && there[1] && !(end[0] <= end[1])) {
        sp_build_error(b, node->place, 0,
                       "%s: range = [%s, %s] ends below its beginning, expected [lower, upper]",
                       scope->what, node->first->text, node->first->next->text);
        return;
    }
    if (!there[0] && !there[1]) {
        sp_build_error(b, node->place, 0,
                       "%s: range = [none, none] has no stop, expected at least one end",
                       scope->what);
    }
    const bool no_play = has_no_play(b, scope, node, there, end, law);
    for (int k = 0; k < 2; k++) {
        sp_rule rule = *measure;
        rule.no_play = no_play;
        rule.sign = (k == 0 ? 1.0 : -1.0) * measure->sign;
        rule.offset = k == 0 ? -end[0] : end[1];
        if (there[k]) {
            add_slot(b, sp_build_printf(b, "%s.%s", name, k == 0 ? "lower" : "upper"), contact, law,
                     SP_SLOT_GAP, &rule);
        }
    }
}

/* Dry friction: a force F, -F <= force <= F. */
void sp_build_dry_friction(sp_build *b, sp_scope *scope, const sp_node *node,
                           const sp_rule *measure, sp_dim dim, int contact)
{
    sp_rule rule = *measure;
    sp_dim want = SP_DIM(2, 1, -2);
    sp_expr_info info;
    sp_dim_product(want, dim, -1, &want);
    scope->level = SP_LEVEL_F;
    const bool good = sp_build_func(b, scope, node, "friction", &want, NULL, &rule.limit, &info);
    scope->level = SP_LEVEL_Q;
    if (!good) {
        return;
    }
    if (!rule.limit.program && !(rule.limit.constant >= 0.0)) {
        sp_build_error(b, node->place, 0, "%s: friction = %s, expected >= 0", scope->what,
                       node->text);
        return;
    }
    add_slot(b, b->contact[contact].name, contact, SP_NONE, SP_SLOT_FRICTION, &rule);
}

/* A preload: holds the measure at zero until its force is exceeded, then pushes back with it. */
static void preload(sp_build *b, sp_scope *scope, const sp_node *node, const sp_rule *measure,
                    sp_dim dim, int contact)
{
    sp_rule rule = *measure;
    sp_dim want = SP_DIM(2, 1, -2);
    sp_dim_product(want, dim, -1, &want);
    if (sp_build_positive(b, scope, node, "threshold", want, true, &rule.limit.constant)) {
        add_slot(b, b->contact[contact].name, contact, SP_NONE, SP_SLOT_THRESHOLD, &rule);
    }
}

/* A measure that is held at an expression of time: x - fix = 0. */
static void fix(sp_build *b, sp_scope *scope, const sp_node *of, const sp_node *node, sp_dim dim,
                int contact)
{
    sp_rule rule = {.sign = 1.0, .angle = sp_dim_is_pure(dim)};
    sp_func value;
    sp_expr_info info;
    scope->level = SP_LEVEL_T;
    const bool fits = sp_build_func(b, scope, node, "fix", &dim, NULL, &value, &info);
    scope->level = SP_LEVEL_Q;
    const size_t size = strlen(of->text) + strlen(node->text) + 10;
    char *text = fits ? SP_BUILD_NEW(b, &b->scratch, char, size) : NULL;
    if (!text) {
        return;
    }
    /* one expression of both, so that time is differentiated */
    snprintf(text, size, "(%s) - (%s)", of->text, node->text);
    sp_node both = *of;
    both.text = text;
    scope->level = SP_LEVEL_MEASURE;
    const bool good = sp_build_func(b, scope, &both, "of - fix", NULL, NULL, &rule.measure, &info);
    scope->level = SP_LEVEL_Q;
    const int k = good ? sp_build_add_rule(b, rule) : SP_NONE;
    if (k != SP_NONE) {
        sp_build_add_bond(b, &(sp_slot){.name = b->contact[contact].name,
                                        .contact = contact,
                                        .law = SP_NONE,
                                        .kind = SP_SLOT_BOND,
                                        .sign_t = 1.0,
                                        .rule = k});
    }
}

void sp_build_coupling(sp_build *b, sp_scope *scope, const sp_node *node, int contact, int law)
{
    const sp_node *of = sp_node_get(node, "of"), *held = sp_node_get(node, "fix");
    const sp_node *range = sp_node_get(node, "range"), *friction = sp_node_get(node, "friction");
    const sp_node *threshold = sp_node_get(node, "threshold");
    const char *one_way = sp_build_text(sp_node_get(node, "one_way"));
    sp_rule rule = {.sign = 1.0};
    sp_dim dim;
    if (!sp_build_text(of) || !read_measure(b, scope, of, &rule, &dim)) {
        return;
    }
    if (sp_node_get(node, "law") && !range) {
        sp_build_error(b, sp_node_get(node, "law")->key_place, 0,
                       "%s: 'law' belongs to the stops of a 'range', which is missing",
                       scope->what);
    }
    if (held) {
        if (sp_build_text(held)) {
            fix(b, scope, of, held, dim, contact);
        }
    } else if (range) {
        sp_build_range(b, scope, range, &rule, dim, contact, law);
    } else if (friction) {
        sp_build_dry_friction(b, scope, friction, &rule, dim, contact);
    } else if (threshold) {
        preload(b, scope, threshold, &rule, dim, contact);
    } else if (one_way) {
        rule.sign = strcmp(one_way, "backward") == 0 ? -1.0 : 1.0;
        add_slot(b, b->contact[contact].name, contact, SP_NONE, SP_SLOT_ONE_WAY, &rule);
    }
}
