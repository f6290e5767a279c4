/* model/build_tree.c - which joint carries which body, the order of bodies, degrees of freedom. */
#include "model/build_parts.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { RING_MAX = 400 };

/* ---- joints
 * --------------------------------------------------------------------------------------- */

/* The kind key of a joint that is there, NULL if there is none. */
static const sp_node *kind_of(const sp_node *joint, sp_joint_kind *kind)
{
    static const char *const word[] = {[SP_JOINT_WELD] = "weld",
                                       [SP_JOINT_REVOLUTE] = "revolute",
                                       [SP_JOINT_PRISMATIC] = "prismatic",
                                       [SP_JOINT_FREE] = "free"};
    for (int k = SP_JOINT_WELD; k <= SP_JOINT_FREE; k++) {
        const sp_node *ref = sp_node_get(joint, word[k]);
        if (ref) {
            *kind = (sp_joint_kind)k;
            return ref;
        }
    }
    return NULL;
}

/* The coordinates of a free joint: all, or those under `only`, always in the order x, y, phi. */
static void free_coordinates(sp_body_plan *p)
{
    const sp_node *only = sp_node_get(p->joint, "only");
    bool has[3] = {!only, !only, !only};
    for (const sp_node *item = only && only->kind == SP_NODE_LIST ? only->first : NULL; item;
         item = item->next) {
        static const char *const word[] = {"x", "y", "phi"};
        for (int k = 0; k < 3 && sp_build_text(item); k++) {
            has[k] = has[k] || strcmp(item->text, word[k]) == 0;
        }
    }
    for (int k = 0; k < 2; k++) {
        if (has[k]) {
            p->slide[p->n_slide++] = (signed char)k;
        }
    }
    p->turns = has[2];
}

/* Read kind and parent of the joint of one body. */
static void read_joint(sp_build *b, int plan)
{
    sp_body_plan *p = &b->plan[plan];
    const sp_family *f = p->family;
    p->kind = SP_JOINT_FREE;
    p->joint = f->broken ? NULL : sp_node_get(f->node, "joint");
    if (p->joint && p->joint->kind == SP_NODE_MAP) {
        p->ref = kind_of(p->joint, &p->kind);
        const sp_node *first = sp_node_get(p->joint, "first");
        if (first && f->n_index && plan == f->first) {
            p->ref = first;
        }
        sp_ref ref = {.n = 0};
        sp_scope scope = sp_build_scope(b, f, plan - f->first);
        if (p->ref && sp_build_body_ref(b, &scope, p->ref, &ref)) {
            p->parent = ref.first;
            if (*ref.rest) {
                sp_build_error(b, p->ref->place, 0,
                               "%s: joint: '%s' is not a body; place the joint with 'at'",
                               scope.what, p->ref->text);
                p->broken = true;
            }
        } else {
            p->broken = true;
        }
    } else if (p->joint) {
        p->broken = true;
    }
    if (p->kind == SP_JOINT_FREE) {
        free_coordinates(p);
    } else {
        p->turns = p->kind == SP_JOINT_REVOLUTE;
        p->n_slide = p->kind == SP_JOINT_PRISMATIC;
        p->slide[0] = -1;
    }
}

/* The joints of all bodies; of an array that is wrong, the first element is told. */
static void read_joints(sp_build *b)
{
    for (int i = 0; i < b->n_family; i++) {
        const sp_family *f = &b->family[i];
        if (f->kind != SP_PART_BODY || f->first == SP_GROUND) {
            continue;
        }
        const int before = b->diag->n_error;
        for (int k = 0; k < f->n; k++) {
            if (b->diag->n_error > before) {
                b->plan[f->first + k].broken = true;
            } else {
                read_joint(b, f->first + k);
            }
        }
    }
}

/* ---- order
 * ------------------------------------------------------------------------------------------ */

/* Report bodies that hang on each other, from the one that stands first in the file. */
static void report_ring(sp_build *b, int inside)
{
    int first = inside, n = 0;
    for (int k = inside; n == 0 || k != inside; k = b->plan[k].parent, n++) {
        first = k < first ? k : first;
    }
    char ring[RING_MAX], name[SP_WHAT_MAX];
    size_t used = 0;
    int k = first;
    for (int count = 0; count <= n && used < sizeof ring - 90; count++, k = b->plan[k].parent) {
        const sp_family *f = b->plan[k].family;
        sp_build_element_name(f, k - f->first, name, sizeof name);
        used +=
            (size_t)snprintf(ring + used, sizeof ring - used, "%s%.60s", count ? " -> " : "", name);
    }
    const sp_body_plan *p = &b->plan[first];
    sp_build_element_name(p->family, first - p->family->first, name, sizeof name);
    sp_build_error(b, p->ref->place, 0,
                   "body '%s': joints form a ring %s%s; hang one body elsewhere and close the ring "
                   "under 'joints:'",
                   name, ring, used >= sizeof ring - 90 ? " -> ..." : "");
}

/* Number the bodies: a parent before its children, otherwise as in the file. */
static void order(sp_build *b)
{
    int *stack = SP_BUILD_NEW(b, &b->scratch, int, b->n_plan);
    char *seen = SP_BUILD_NEW(b, &b->scratch, char, b->n_plan); /* 1: on the stack, 2: numbered */
    b->plan_of = SP_BUILD_NEW(b, &b->scratch, int, b->n_plan);
    if (b->no_memory) {
        return;
    }
    int next = 1;
    seen[SP_GROUND] = 2;
    for (int i = 1; i < b->n_plan; i++) {
        int n = 0, k = i;
        while (!seen[k]) {
            seen[k] = 1;
            stack[n++] = k;
            k = b->plan[k].parent;
        }
        if (seen[k] == 1) {
            report_ring(b, k);
            b->plan[k].parent = SP_GROUND;
        }
        while (n > 0) {
            k = stack[--n];
            seen[k] = 2;
            b->plan[k].body = next;
            b->plan_of[next++] = k;
        }
    }
}

/* ---- bodies and degrees of freedom
 * -------------------------------------------------------------------- */

/* Name one degree of freedom after its body and coordinate. */
static void name_dof(sp_build *b, const sp_body *body, sp_dof *dof, int slide)
{
    const char *q, *u;
    if (dof->slide == SP_NONE) {
        q = "phi";
        u = "omega";
    } else if (slide < 0) {
        q = "s";
        u = "v";
    } else {
        q = slide == 0 ? "x" : "y";
        u = slide == 0 ? "vx" : "vy";
    }
    dof->name = sp_build_printf(b, "%s.joint.%s", body->name, q);
    dof->rate_name = sp_build_printf(b, "%s.joint.%s", body->name, u);
    dof->unit = dof->slide == SP_NONE ? "rad" : "m";
    dof->rate_unit = dof->slide == SP_NONE ? "rad/s" : "m/s";
}

/* The degrees of freedom of a body, appended to those of its ancestors. */
static void add_dofs(sp_build *b, int body, int *n_dof, long long *n_packed)
{
    sp_body *self = &b->body[body];
    const sp_body_plan *p = &b->plan[b->plan_of[body]];
    int parent = b->body[self->parent].last_dof;
    self->dof = self->q = *n_dof;
    self->n_q = self->n_dof;
    for (int k = 0; k < self->n_dof; k++) {
        sp_dof *dof = &b->dof[*n_dof];
        dof->body = body;
        dof->parent = parent;
        dof->depth = parent == SP_NONE ? 0 : b->dof[parent].depth + 1;
        dof->row = *n_packed <= INT_MAX ? (int)*n_packed : 0;
        dof->slide = k < self->n_slide ? k : SP_NONE;
        dof->move = k < self->n_slide ? SP_MOVE_SLIDE : SP_MOVE_TURN;
        dof->q = *n_dof; /* in the plane a coordinate each */
        name_dof(b, self, dof, k < self->n_slide ? p->slide[k] : 0);
        b->coord[dof->q] =
            (sp_coord){.name = dof->name, .unit = dof->unit, .body = body, .dof = *n_dof};
        *n_packed += dof->depth + 1;
        parent = (*n_dof)++;
    }
    self->last_dof = parent;
}

/* Structure of one body. */
static void add_body(sp_build *b, int body)
{
    const sp_body_plan *p = &b->plan[b->plan_of[body]];
    const sp_family *f = p->family;
    char name[SP_WHAT_MAX];
    sp_build_element_name(f, b->plan_of[body] - f->first, name, sizeof name);
    const sp_place nowhere = {NULL, 0, 0};
    b->body[body] = (sp_body){.name = sp_build_printf(b, "%s", name),
                              .parent = b->plan[p->parent].body,
                              .joint = p->kind,
                              .n_dof = p->n_slide + p->turns,
                              .n_slide = p->n_slide,
                              .turns = p->turns,
                              .last_dof = SP_NONE,
                              .place = f->node ? sp_build_place(b, f->node->key_place) : nowhere};
}

void sp_build_tree(sp_build *b)
{
    read_joints(b);
    order(b);
    sp_model *m = b->m;
    int n = 0;
    for (int k = 1; k < b->n_plan; k++) {
        n += b->plan[k].n_slide + b->plan[k].turns;
    }
    b->body = SP_BUILD_NEW(b, b->arena, sp_body, b->n_plan);
    b->body_numbers = SP_BUILD_NEW(b, b->arena, sp_body_numbers, b->n_plan);
    b->coord = SP_BUILD_NEW(b, b->arena, sp_coord, n);
    b->dof = SP_BUILD_NEW(b, b->arena, sp_dof, n);
    b->dof_numbers = SP_BUILD_NEW(b, b->arena, sp_dof_numbers, n);
    if (b->no_memory) {
        return;
    }
    long long n_packed = 0;
    int n_dof = 0;
    add_body(b, SP_GROUND);
    b->body[SP_GROUND].parent = SP_NONE;
    b->body[SP_GROUND].joint = SP_JOINT_WELD;
    for (int i = 1; i < b->n_plan; i++) {
        add_body(b, i);
        add_dofs(b, i, &n_dof, &n_packed);
    }
    if (n_packed > INT_MAX) {
        const sp_node *bodies = sp_node_get(b->root, "bodies");
        sp_build_error(b, bodies->key_place, 0,
                       "the mass matrix has %lld entries, at most %d are possible; hang fewer "
                       "bodies in one chain",
                       n_packed, INT_MAX);
    }
    m->n_body = b->n_plan;
    m->n_q = m->n_dof = n_dof;
    m->dim = 2;
    m->n_packed = (int)(n_packed <= INT_MAX ? n_packed : 0);
    m->body = b->body;
    m->coord = b->coord;
    m->dof = b->dof;
    m->numbers.body = b->body_numbers;
    m->numbers.dof = b->dof_numbers;
}
