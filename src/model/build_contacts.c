/* model/build_contacts.c - the two sides of contacts, stops and friction of joints. */
#include "model/build_parts.h"

#include <stdio.h>
#include <string.h>

enum { LIST_MAX = 600 };

/* ---- sides ---------------------------------------------------------------------------------- */

/* Add a contour to a side unless it is there already. */
static void add_contour(sp_build *b, sp_side *s, int contour)
{
    if (s->seat[contour].contact == s->contact + 1) {
        return;
    }
    if (SP_BUILD_ROOM(b, s->contour, s->n)) {
        s->seat[contour] = (sp_seat){s->contact + 1, s->n};
        s->contour[s->n++] = contour;
    }
}

/* Report a contour that a body does not have. */
static void unknown_contour(sp_build *b, const sp_scope *scope, const sp_node *node, int plan,
                            const char *word)
{
    const sp_body_plan *p = &b->plan[plan];
    const char **name = SP_BUILD_NEW(b, &b->scratch, const char *, p->n_contour + 1);
    char list[LIST_MAX] = "";
    for (int i = 0; i < p->n_contour && name; i++) {
        name[i] = b->contour[p->contour + i].name + strlen(b->body[p->body].name) + 1;
    }
    if (name) {
        sp_build_suggest(b, word, name, p->n_contour, list, sizeof list);
    }
    sp_build_error(b, node->place, 0, "%s: body '%s' has no contour%s%s%s%s", scope->what,
                   b->body[p->body].name, *word ? " '" : "", word, *word ? "'" : "", list);
}

/* Add the contour of this path, or all pieces of one that was split; false if there is none. */
static bool add_named(sp_build *b, sp_side *s, const char *path)
{
    char piece[2 * SP_WHAT_MAX + 16];
    int k = sp_names_find(&b->contour_names, path, strlen(path));
    if (k != SP_NONE) {
        add_contour(b, s, k);
        return true;
    }
    for (int i = 1;; i++) {
        snprintf(piece, sizeof piece, "%s.%d", path, i);
        k = sp_names_find(&b->contour_names, piece, strlen(piece));
        if (k == SP_NONE) {
            return i > 1;
        }
        add_contour(b, s, k);
    }
}

/* Add what one reference stands for: a contour of a body or of all bodies of an array, or all. */
static bool add_reference(sp_build *b, sp_scope *scope, const sp_node *node, sp_side *s)
{
    sp_ref ref;
    if (!sp_build_ref(b, scope, node, &ref)) {
        return false;
    }
    for (int e = ref.first; e < ref.first + ref.n; e++) {
        const sp_body_plan *p = &b->plan[e];
        const char *body = b->body[p->body].name;
        char path[2 * SP_WHAT_MAX];
        if (p->broken) {
            return false;
        }
        if (!*ref.rest && p->n_contour > 0) {
            for (int i = 0; i < p->n_contour; i++) {
                add_contour(b, s, p->contour + i);
            }
            continue;
        }
        snprintf(path, sizeof path, "%s.%s", body, ref.rest);
        if (!add_named(b, s, path)) {
            unknown_contour(b, scope, node, e, ref.rest);
            return false;
        }
    }
    return true;
}

/* Read one side: a reference or a list of them. */
static bool read_side(sp_build *b, sp_scope *scope, const sp_node *node, sp_side *s)
{
    if (node->kind == SP_NODE_TEXT) {
        return add_reference(b, scope, node, s);
    }
    bool good = node->kind == SP_NODE_LIST && node->n_child > 0;
    for (const sp_node *item = node->first; item && good; item = item->next) {
        good = add_reference(b, scope, item, s) && good;
    }
    return good;
}

/* ---- contacts ------------------------------------------------------------------------------- */

/* One contact: its law, its sides, its contact points. */
static void add_contact(sp_build *b, const sp_family *f, int k)
{
    sp_scope scope = sp_build_scope(f, k);
    char name[SP_WHAT_MAX];
    sp_build_element_name(f, k, name, sizeof name);
    const int number = f->first + k;
    sp_contact *contact = &b->contact[number];
    *contact = (sp_contact){.name = sp_build_printf(b, "%s", name),
                            .slot = b->n_slot,
                            .place = sp_build_place(b, f->node->key_place)};
    const sp_node *between = sp_node_get(f->node, "between"),
                  *first = sp_node_get(f->node, "first");
    if (first && f->n_index && k == 0) {
        between = first;
    }
    if (f->kind == SP_PART_JOINT && !sp_node_get(f->node, "clearance")) {
        sp_build_loop(b, &scope, f->node, number);
        return;
    }
    const sp_node *law_node = sp_node_get(f->node, "law");
    const int law = law_node ? sp_build_contact_law(b, &scope, law_node, contact->name) : SP_NONE;
    const sp_node *force = sp_build_law_force(b, &scope, law_node);
    if (!between) {
        sp_build_no_force(b, &scope, law_node);
    }
    if (f->kind == SP_PART_JOINT) {
        contact->n_slot = sp_build_clearance(b, &scope, f->node, number, law);
        return;
    }
    if (f->kind == SP_PART_COUPLING) {
        sp_build_coupling(b, &scope, f->node, number, law);
        return;
    }
    if (sp_node_get(f->node, "gap")) {
        sp_build_gap_contact(b, &scope, f->node, number, law);
        return;
    }
    if (!between || between->kind != SP_NODE_LIST || between->n_child != 2) {
        return;
    }
    sp_side s[2] = {{.contact = number, .seat = b->seat[0]},
                    {.contact = number, .seat = b->seat[1]}};
    const bool first_good = read_side(b, &scope, between->first, &s[0]);
    const bool second_good = read_side(b, &scope, between->first->next, &s[1]);
    if (law == SP_NONE || !first_good || !second_good || b->no_memory) {
        return;
    }
    const sp_node *room = sp_node_get(f->node, "room");
    b->room = 0;
    if (room && !sp_build_count(b, &scope, room, "room", 1, &b->room)) {
        return;
    }
    if (force) {
        sp_build_presses(b, &scope, between->place, contact, law, force, s);
        return;
    }
    contact->n_slot = sp_build_slots(b, &scope, between->place, law, &s[0], &s[1]);
}

/* Bodies that cannot move against each other, by the first of them on the way from the ground. */
static void find_rigid(sp_build *b)
{
    b->rigid = SP_BUILD_NEW(b, &b->scratch, int, b->m->n_body);
    for (int i = 1; i < b->m->n_body && b->rigid; i++) {
        b->rigid[i] = sp_body_is_fixed(b->body, i) ? b->rigid[b->body[i].parent] : i;
    }
}

/* ---- stops and dry friction in joints ------------------------------------------------------- */

/* How many contacts joints carry themselves, at most. */
static int n_joint_contact(const sp_build *b)
{
    int n = 0;
    for (int plan = 1; plan < b->n_plan; plan++) {
        const sp_node *joint = b->plan[plan].joint;
        n += joint && (sp_node_get(joint, "range") || sp_node_get(joint, "law")) ? 1 : 0;
        n += joint && sp_node_get(joint, "clearance") ? 1 : 0;
        n += joint && sp_node_get(joint, "friction") ? 1 : 0;
    }
    return n;
}

bool sp_build_joint_measure(sp_build *b, sp_scope *scope, const sp_body *body, const sp_node *node,
                            sp_rule *rule, sp_dim *dim)
{
    if (body->n_dof != 1) {
        sp_build_error(b, node->key_place, 0,
                       "%s: joint: %s needs a joint with one degree of freedom, this one has %d; "
                       "use 'couplings: {...: {of: ...}}'",
                       scope->what, node->key, body->n_dof);
        return false;
    }
    sp_node text = *node; /* the expression: the name of the coordinate */
    sp_expr_info info;
    text.kind = SP_NODE_TEXT;
    text.text = b->dof[body->dof].name;
    scope->level = SP_LEVEL_MEASURE;
    *rule = (sp_rule){.sign = 1.0, .angle = b->dof[body->dof].slide == SP_NONE};
    const bool good = sp_build_func(b, scope, &text, node->key, NULL, NULL, &rule->measure, &info);
    scope->level = SP_LEVEL_Q;
    *dim = info.dim;
    return good;
}

/* A length of friction by the reaction, if it is there: 0 otherwise.  False after an error. */
static bool read_arm(sp_build *b, sp_scope *scope, const sp_node *map, const char *key, double *arm)
{
    const sp_node *node = sp_node_get(map, key);
    *arm = 0.0;
    return !node || sp_build_positive(b, scope, node, key, sp_dim_of(1, 0, 0), false, arm);
}

/* What the plane has no use for, and a guide. */
static const char *useless(const sp_build *b, const sp_node *map, bool angle)
{
    if (b->dim == 2 && sp_node_get(map, angle ? "length" : "radius")) {
        return angle ? "length" : "radius";
    }
    return (b->dim == 2 || !angle) && sp_node_get(map, "collar") ? "collar" : NULL;
}

/* Numbers of friction that grows with the joint's reaction, into the rule.  False after an error.
 */
static bool read_grip(sp_build *b, sp_scope *scope, const sp_node *map, sp_rule *rule)
{
    const char *const wrong = useless(b, map, rule->angle);
    double length, radius, collar;
    if (wrong) {
        sp_build_error(b, sp_node_get(map, wrong)->key_place, 0,
                       "%s: joint: friction: '%s' in a joint that %s%s, expected '%s'", scope->what,
                       wrong, rule->angle ? "turns" : "slides", b->dim == 2 ? " in the plane" : "",
                       rule->angle ? "radius" : "length");
        return false;
    }
    if (!sp_node_get(map, "mu")) {
        sp_build_error(b, map->place, 0, "%s: joint: friction: missing one of: mu, stiffness",
                       scope->what);
        return false;
    }
    if (rule->angle && !sp_node_get(map, "radius")) {
        sp_build_error(b, map->place, 0,
                       "%s: joint: friction: missing 'radius', that of the journal; torque = mu "
                       "radius force",
                       scope->what);
        return false;
    }
    if (!sp_build_positive(b, scope, sp_node_get(map, "mu"), "mu", sp_dim_of(0, 0, 0), true,
                           &rule->grip.mu) ||
        !read_arm(b, scope, map, "length", &length) ||
        !read_arm(b, scope, map, "radius", &radius) ||
        !read_arm(b, scope, map, "collar", &collar)) {
        return false;
    }
    rule->grip.lever = length > 0.0 ? 1.0 / length : 0.0;
    rule->grip.ends = rule->angle ? radius : 1.0;
    rule->grip.rest = rule->angle ? collar : radius > 0.0 ? 1.0 / radius : 0.0;
    return true;
}

/* Dry friction of a joint: a limit, or a map with what grows with the reaction. */
static void joint_friction(sp_build *b, sp_scope *scope, int body, const sp_node *node,
                           sp_rule *rule, sp_dim dim, int contact)
{
    static const sp_node zero = {.kind = SP_NODE_TEXT, .text = "0"};
    const sp_node *limit = node;
    if (node->kind == SP_NODE_MAP) {
        limit = sp_node_get(node, "limit") ? sp_node_get(node, "limit") : &zero;
        if (!read_grip(b, scope, node, rule)) {
            return;
        }
        rule->grip.body = rule->grip.mu > 0.0 ? body : 0;
    }
    sp_build_dry_friction(b, scope, limit, rule, dim, contact);
}

/* A contact with the name of a joint's part; its number. */
static int new_joint_contact(sp_build *b, const sp_body *body, const char *part, sp_place place)
{
    b->contact[b->n_contact] =
        (sp_contact){.name = sp_build_printf(b, "%s.joint%s", body->name, part),
                     .slot = b->n_slot,
                     .place = sp_build_place(b, place)};
    return b->n_contact++;
}

/* A joint with play, as contacts. */
static void joint_clearance(sp_build *b, sp_scope *scope, int plan)
{
    const sp_node *joint = b->plan[plan].joint, *law_node = sp_node_get(joint, "law");
    const int k = new_joint_contact(b, &b->body[b->plan[plan].body], "",
                                    sp_node_get(joint, "clearance")->key_place);
    sp_build_no_force(b, scope, law_node);
    const int law = law_node ? sp_build_contact_law(b, scope, law_node, b->contact[k].name)
                             : sp_build_soft_law(b, b->contact[k].name);
    b->contact[k].n_slot = sp_build_tree_clearance(b, scope, plan, k, law);
}

/* Stops and dry friction of all joints. */
static void joint_contacts(sp_build *b)
{
    const int before = b->diag->n_error;
    for (int plan = 1; plan < b->n_plan && b->diag->n_error == before; plan++) {
        const sp_body_plan *p = &b->plan[plan];
        const sp_node *range = p->joint ? sp_node_get(p->joint, "range") : NULL;
        const sp_node *friction =
            p->joint && !sp_build_is_slider(p->joint) ? sp_node_get(p->joint, "friction") : NULL;
        const sp_body *body = &b->body[p->body];
        sp_scope scope = sp_build_scope(p->family, plan - p->family->first);
        sp_rule rule;
        sp_dim dim;
        if (p->joint && sp_node_get(p->joint, "clearance") && !p->broken) {
            joint_clearance(b, &scope, plan);
        } else if (p->joint && sp_node_get(p->joint, "law") && !range) {
            sp_build_error(
                b, sp_node_get(p->joint, "law")->key_place, 0,
                "%s: joint: 'law' belongs to the stops of a 'range' or to a 'clearance', "
                "and neither is there",
                scope.what);
        }
        if (range && !p->broken && sp_build_joint_measure(b, &scope, body, range, &rule, &dim)) {
            const int k = new_joint_contact(b, body, "", range->key_place);
            const sp_node *law_node = sp_node_get(p->joint, "law");
            sp_build_no_force(b, &scope, law_node);
            const int law = law_node ? sp_build_contact_law(b, &scope, law_node, b->contact[k].name)
                                     : sp_build_soft_law(b, b->contact[k].name);
            sp_build_range(b, &scope, range, &rule, dim, k, law);
        }
        if (friction && !p->broken &&
            sp_build_joint_measure(b, &scope, body, friction, &rule, &dim)) {
            const int k = new_joint_contact(b, body, ".friction", friction->key_place);
            joint_friction(b, &scope, p->body, friction, &rule, dim, k);
        }
    }
}

void sp_build_contacts(sp_build *b)
{
    find_rigid(b);
    const int n_joint = n_joint_contact(b);
    b->contact = SP_BUILD_NEW(b, b->arena, sp_contact, b->n_contact + n_joint);
    b->seat[0] = SP_BUILD_NEW(b, &b->scratch, sp_seat, b->n_contour);
    b->seat[1] = SP_BUILD_NEW(b, &b->scratch, sp_seat, b->n_contour);
    for (int i = 0; i < b->n_family && !b->no_memory; i++) {
        const sp_family *f = &b->family[i];
        const int before = b->diag->n_error;
        for (int k = 0; sp_build_gives_rows(f->kind) && !f->broken && k < f->n && !b->no_memory;
             k++) {
            if (b->diag->n_error == before) { /* report an array's errors once */
                add_contact(b, f, k);
            }
        }
    }
    if (n_joint > 0 && !b->no_memory) {
        joint_contacts(b);
    }
    sp_build_add_presses(b);
    b->m->n_contact = b->n_contact;
    b->m->contact = b->contact;
}
