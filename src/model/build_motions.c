/* model/build_motions.c - coordinates and velocities that are prescribed as functions of time. */
#include "model/build_parts.h"

#include <stdio.h>
#include <string.h>

/* Where a motion stands. */
typedef struct motion_plan {
    sp_scope scope;
    const sp_body *body;
    const char *key; /* "motion" or "speed" */
    bool speed;
} motion_plan;

/* What stands behind the last dot. */
static const char *last_word(const char *name)
{
    return strrchr(name, '.') + 1;
}

/* The names that can be prescribed, "x, y, phi". */
static const char *list_names(const sp_build *b, const motion_plan *p, char *buf, size_t size)
{
    size_t used = 0;
    buf[0] = '\0';
    for (int k = p->body->dof; k < p->body->dof + p->body->n_dof && used < size; k++) {
        const sp_dof *dof = &b->dof[k];
        if (p->speed || dof->move != SP_MOVE_BALL) {
            used += (size_t)snprintf(buf + used, size - used, "%s%s", used ? ", " : "",
                                     last_word(p->speed ? dof->rate_name : dof->name));
        }
    }
    return buf;
}

/* The degree of freedom that a name stands for, SP_NONE after an error. */
static int find_dof(sp_build *b, const motion_plan *p, const sp_node *node)
{
    char list[200];
    for (int k = p->body->dof; k < p->body->dof + p->body->n_dof; k++) {
        const sp_dof *dof = &b->dof[k];
        if (strcmp(node->key, last_word(p->speed ? dof->rate_name : dof->name)) == 0 &&
            (p->speed || dof->move != SP_MOVE_BALL)) {
            return k;
        }
    }
    list_names(b, p, list, sizeof list);
    sp_build_error(b, node->key_place, 0, "%s: joint: %s: there is no '%s'%s%s", p->scope.what,
                   p->key, node->key, *list ? "; has: " : " to prescribe", list);
    return SP_NONE;
}

/* One prescribed degree of freedom. */
static void add_motion(sp_build *b, motion_plan *p, const sp_node *node, int dof)
{
    sp_dof *d = &b->dof[dof];
    char label[120];
    if (d->motion != SP_NONE) {
        sp_build_error(b, node->place, 0,
                       "%s: joint: %s: %s is prescribed already by '%s'; leave one of them out",
                       p->scope.what, p->key, last_word(d->name), p->speed ? "motion" : "speed");
        return;
    }
    const sp_dim want = sp_build_coordinate_dim(d, p->speed);
    sp_motion motion = {.dof = dof, .speed = p->speed, .place = sp_build_place(b, node->place)};
    sp_expr_info info;
    snprintf(label, sizeof label, "joint: %s", p->key);
    p->scope.level = SP_LEVEL_T;
    if (!sp_build_func(b, &p->scope, node, label, &want, sp_build_coordinate_text(d, p->speed),
                       &motion.func, &info)) {
        return;
    }
    if (SP_BUILD_ROOM(b, b->motion, b->n_motion)) {
        b->motion[b->n_motion] = motion;
        d->motion = b->n_motion++;
    }
}

/* `motion` or `speed` of one joint: an expression, or a map of them. */
static void read_motion(sp_build *b, motion_plan *p, const sp_node *node)
{
    if (!node) {
        return;
    }
    if (node->kind == SP_NODE_MAP) {
        for (const sp_node *item = node->first; item; item = item->next) {
            const int dof = find_dof(b, p, item);
            if (dof != SP_NONE) {
                add_motion(b, p, item, dof);
            }
        }
    } else if (sp_build_text(node) && p->body->n_dof == 1) {
        add_motion(b, p, node, p->body->dof);
    } else if (sp_build_text(node)) {
        char list[200];
        list_names(b, p, list, sizeof list);
        sp_build_error(b, node->place, 0,
                       "%s: joint: %s is one expression for %d coordinates, expected a map%s%s",
                       p->scope.what, p->key, p->body->n_dof, *list ? " of: " : "", list);
    }
}

void sp_build_motions(sp_build *b)
{
    static const char *const key[] = {"motion", "speed"};
    for (int i = 0; i < b->n_family && !b->no_memory; i++) {
        const sp_family *f = &b->family[i];
        const int before = b->diag->n_error;
        for (int e = 0; f->kind == SP_PART_BODY && e < f->n && b->diag->n_error == before; e++) {
            const sp_body_plan *plan = &b->plan[f->first + e];
            for (int k = 0; k < 2 && plan->joint && !plan->broken; k++) {
                motion_plan p = {sp_build_scope(f, e), &b->body[plan->body], key[k], k == 1};
                read_motion(b, &p, sp_node_get(plan->joint, key[k]));
            }
        }
    }
}
