/* model/build_tree.c - the order of bodies, their degrees of freedom and coordinates. */
#include "model/build_parts.h"

#include <limits.h>
#include <stdio.h>

enum { RING_MAX = 400 };

/* The joints of all bodies; of a wrong array only the first element is reported. */
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
                sp_build_read_joint(b, f->first + k);
                b->plan[f->first + k].n_own = sp_build_own_count(b, f->first + k);
            }
        }
    }
}

/* ---- order ---------------------------------------------------------------------------------- */

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

/* ---- bodies and degrees of freedom ---------------------------------------------------------- */

/* Name one degree of freedom after its body and what it does. */
static void name_dof(sp_build *b, const sp_body *body, const sp_move_plan *plan, sp_dof *dof)
{
    dof->name = sp_build_printf(b, "%s.joint.%s", body->name, plan->q);
    dof->rate_name = sp_build_printf(b, "%s.joint.%s", body->name, plan->u);
    dof->rate_unit = dof->slide == SP_NONE ? "rad/s" : "m/s";
    dof->unit = dof->move == SP_MOVE_BALL ? dof->rate_unit : dof->slide == SP_NONE ? "rad" : "m";
}

/* The coordinate of a degree of freedom; with the first part of a ball come all four. */
static void add_coordinates(sp_build *b, sp_body *body, int i, sp_dof *dof, int number)
{
    static const char *const quaternion[] = {"qw", "qx", "qy", "qz"};
    if (dof->move != SP_MOVE_BALL) {
        dof->q = body->q + body->n_q++;
        b->coord[dof->q] =
            (sp_coord){.name = dof->name, .unit = dof->unit, .body = i, .dof = number};
        return;
    }
    for (int k = 0; k < 4 && dof->part == 0; k++) {
        const char *name = sp_build_printf(b, "%s.joint.%s", body->name, quaternion[k]);
        b->coord[body->q + body->n_q++] =
            (sp_coord){.name = name, .unit = "1", .body = i, .dof = SP_NONE};
    }
    dof->q = body->q + body->n_q - 4; /* a ball comes last */
}

/* The degrees of freedom of a body, appended to those of its ancestors. */
static void add_dofs(sp_build *b, int body, int *n_dof, int *n_q, long long *n_packed)
{
    sp_body *self = &b->body[body];
    const sp_body_plan *p = &b->plan[b->plan_of[body]];
    int parent = b->body[self->parent].last_dof;
    self->dof = *n_dof;
    self->q = *n_q;
    for (int k = 0; k < self->n_dof; k++) {
        sp_dof *dof = &b->dof[*n_dof];
        dof->body = body;
        dof->parent = parent;
        dof->depth = parent == SP_NONE ? 0 : b->dof[parent].depth + 1;
        dof->row = *n_packed <= INT_MAX ? (int)*n_packed : 0;
        dof->slide = k < self->n_slide ? k : SP_NONE;
        dof->move = p->move[k]->move;
        dof->part = dof->move == SP_MOVE_BALL ? (int)p->move[k]->along : 0;
        dof->motion = SP_NONE;
        name_dof(b, self, p->move[k], dof);
        add_coordinates(b, self, body, dof, *n_dof);
        *n_packed += dof->depth + 1;
        parent = (*n_dof)++;
    }
    *n_q += self->n_q;
    self->last_dof = parent;
    sp_build_own_dofs(b, body, n_dof, n_q, n_packed);
}

/* Structure of one body. */
static void add_body(sp_build *b, int body)
{
    const sp_body_plan *p = &b->plan[b->plan_of[body]];
    const sp_family *f = p->family;
    char name[SP_WHAT_MAX];
    sp_build_element_name(f, b->plan_of[body] - f->first, name, sizeof name);
    const sp_place nowhere = {NULL, 0, 0};
    int n_slide = 0;
    while (n_slide < p->n_move && p->move[n_slide]->move == SP_MOVE_SLIDE) {
        n_slide++;
    }
    b->body_numbers[body].mark.body = b->plan[p->parent].body;
    b->body[body] = (sp_body){.name = sp_build_printf(b, "%s", name),
                              .parent = b->plan[p->parent].body,
                              .joint = p->kind,
                              .n_dof = p->n_move,
                              .n_slide = n_slide,
                              .turns = b->dim == 2 && n_slide < p->n_move,
                              .n_own = p->n_own,
                              .kind = p->deforms,
                              .last_dof = SP_NONE,
                              .place = f->node ? sp_build_place(b, f->node->key_place) : nowhere};
}

/* Memory for the bodies, their coordinates and degrees of freedom; what hangs on nothing is there
 * at once. */
static bool make_room(sp_build *b)
{
    int n = sp_build_formula_count(b), n_q = n;
    for (int k = 1; k < b->n_plan; k++) {
        const sp_body_plan *p = &b->plan[k];
        const bool ball = p->n_move > 0 && p->move[p->n_move - 1]->move == SP_MOVE_BALL;
        n += p->n_move + p->n_own;
        n_q += p->n_move + p->n_own + ball;
    }
    b->body = SP_BUILD_NEW(b, b->arena, sp_body, b->n_plan);
    b->body_numbers = SP_BUILD_NEW(b, b->arena, sp_body_numbers, b->n_plan);
    b->space = b->dim == 3 ? SP_BUILD_NEW(b, b->arena, sp_space_numbers, b->n_plan) : NULL;
    b->coord = SP_BUILD_NEW(b, b->arena, sp_coord, n_q);
    b->dof = SP_BUILD_NEW(b, b->arena, sp_dof, n);
    b->dof_numbers = SP_BUILD_NEW(b, b->arena, sp_dof_numbers, n);
    if (b->no_memory) {
        return false;
    }
    for (int i = 0; i < b->n_plan && b->dim == 3; i++) {
        b->body_numbers[i].mark.turned = true;
        sp_build_store_turn(sp_rot3_one(), b->body_numbers[i].mark.axes);
    }
    add_body(b, SP_GROUND);
    b->body[SP_GROUND].parent = SP_NONE;
    b->body[SP_GROUND].joint = SP_JOINT_WELD;
    return true;
}

void sp_build_tree(sp_build *b)
{
    read_joints(b);
    order(b);
    sp_model *m = b->m;
    if (!make_room(b)) {
        return;
    }
    long long n_packed = 0;
    int n_dof = 0, n_q = 0;
    for (int i = 1; i < b->n_plan; i++) {
        add_body(b, i);
        add_dofs(b, i, &n_dof, &n_q, &n_packed);
    }
    sp_build_formula_dofs(b, &n_dof, &n_q, &n_packed);
    if (n_packed > INT_MAX) {
        const sp_node *bodies = sp_node_get(b->root, "bodies");
        sp_build_error(b, bodies->key_place, 0,
                       "the mass matrix has %lld entries, at most %d are possible; hang fewer "
                       "bodies in one chain",
                       n_packed, INT_MAX);
    }
    m->n_body = b->n_plan;
    m->n_dof = n_dof;
    m->n_q = n_q;
    m->n_packed = (int)(n_packed <= INT_MAX ? n_packed : 0);
    m->body = b->body;
    m->coord = b->coord;
    m->dof = b->dof;
    m->numbers.body = b->body_numbers;
    m->numbers.space = b->space;
    m->numbers.dof = b->dof_numbers;
}
