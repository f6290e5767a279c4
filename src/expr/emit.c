/* From nodes to byte code: what the result does not need is left out, temporaries are reused. */
#include "expr/compile.h"

#include "base/status.h"

#include <string.h>

enum { SUPPORT_MAX = 4000000 };

/* What is known about a node while the program is written. */
typedef struct slot {
    int last;         /* last node that uses this one, -1: not needed             */
    uint16_t operand; /* where its value is                                       */
    uint32_t on;      /* slice of inputs it depends on                            */
    uint16_t n_on;
} slot;

typedef struct emitter {
    sp_compiler *c;
    slot *slot;
    sp_program *p;
    sp_instr *instr;
    sp_support *support;
    double *constant;
    int *input;
    uint16_t *on; /* slices */
    size_t n_on, cap_on;
    uint16_t *spare; /* temporaries free for use */
    int n_spare;
} emitter;

static uint16_t operand_of(int kind, int k)
{
    return (uint16_t)(kind << SP_AT_SHIFT | k);
}

static sp_status too_large(const sp_compiler *c, const char *what, int limit)
{
    return SP_FAIL(c->err, SP_E_CAPACITY, "expression with more than %d %s; make it smaller", limit,
                   what);
}

/* Marks the nodes the result needs, with their last use; counts operations and leaves. */
static void mark(emitter *e, int result, int *n_op, int *n_leaf)
{
    const sp_compiler *c = e->c;
    for (int k = 0; k < c->n_node; k++) {
        e->slot[k].last = -1;
    }
    e->slot[result].last = c->n_node; /* never freed */
    for (int k = result; k >= 0; k--) {
        if (e->slot[k].last < 0) {
            continue;
        }
        const sp_node *node = &c->node[k];
        if (node->kind != SP_NODE_OP) {
            (*n_leaf)++;
            continue;
        }
        (*n_op)++;
        const int operand[3] = {node->x, node->y, node->z};
        for (int i = 0; i < 3; i++) {
            if (e->slot[operand[i]].last < k) {
                e->slot[operand[i]].last = k;
            }
        }
    }
}

/* Equal, and 0 is not -0. */
static bool same_number(double x, double y)
{
    return x == y && !signbit(x) == !signbit(y);
}

/* Gives a constant its place; equal ones share it. */
static sp_status place_constant(emitter *e, int k)
{
    double value;
    SP_TRY(sp_check_finite(e->c, k, &value));
    int i = 0;
    while (i < e->p->n_const && !same_number(e->constant[i], value)) {
        i++;
    }
    if (i > SP_AT_MASK) {
        return too_large(e->c, "constants", SP_AT_MASK);
    }
    e->constant[i] = value;
    e->p->n_const += i == e->p->n_const ? 1 : 0;
    e->slot[k].operand = operand_of(SP_AT_CONST, i);
    return SP_OK;
}

/* Gives an input its place in the order of first use. */
static sp_status place_input(emitter *e, int k)
{
    const int id = e->c->node[k].input;
    int i = 0;
    while (i < e->p->n_input && e->input[i] != id) {
        i++;
    }
    if (i >= SP_EXPR_INPUT_MAX) {
        return too_large(e->c, "variables", SP_EXPR_INPUT_MAX);
    }
    e->input[i] = id;
    e->p->n_input += i == e->p->n_input ? 1 : 0;
    e->slot[k].operand = operand_of(SP_AT_INPUT, i);
    return SP_OK;
}

/* Room for n more entries of supports. */
static sp_status reserve(emitter *e, size_t n)
{
    if (e->n_on + n > SUPPORT_MAX) {
        return too_large(e->c, "dependences on variables", SUPPORT_MAX);
    }
    if (e->n_on + n <= e->cap_on) {
        return SP_OK;
    }
    const size_t cap = 2 * (e->n_on + n) + 32;
    uint16_t *grown = SP_NEW(e->c->memory, uint16_t, cap);
    if (!grown) {
        return SP_FAIL(e->c->err, SP_E_MEMORY, "out of memory in an expression");
    }
    memcpy(grown, e->on, e->n_on * sizeof *grown);
    e->on = grown;
    e->cap_on = cap;
    return SP_OK;
}

/* The support of an input is itself. */
static sp_status support_input(emitter *e, slot *s)
{
    SP_TRY(reserve(e, 1));
    s->on = (uint32_t)e->n_on;
    s->n_on = 1;
    e->on[e->n_on++] = s->operand & SP_AT_MASK;
    return SP_OK;
}

/* The support of a result: union of two ascending slices; shared if one contains the other. */
static sp_status support_union(emitter *e, const slot *x, const slot *y, slot *out)
{
    SP_TRY(reserve(e, (size_t)x->n_on + y->n_on));
    const uint16_t *a = e->on + x->on, *b = e->on + y->on;
    uint16_t *to = e->on + e->n_on;
    unsigned i = 0, j = 0, n = 0;
    while (i < x->n_on || j < y->n_on) {
        const bool from_a = j == y->n_on || (i < x->n_on && a[i] <= b[j]);
        const uint16_t next = from_a ? a[i] : b[j];
        j += j < y->n_on && b[j] == next ? 1U : 0U;
        i += i < x->n_on && a[i] == next ? 1U : 0U;
        to[n++] = next;
    }
    out->n_on = (uint16_t)n;
    if (n == x->n_on || n == y->n_on) {
        out->on = n == x->n_on ? x->on : y->on;
        return SP_OK;
    }
    out->on = (uint32_t)e->n_on;
    e->n_on += n;
    return SP_OK;
}

/* Gives temporaries back whose last use is node k. */
static void release(emitter *e, int k)
{
    const sp_node *node = &e->c->node[k];
    const int operand[3] = {node->x, node->y, node->z};
    for (int i = 0; i < 3; i++) {
        slot *s = &e->slot[operand[i]];
        if (s->last == k && s->operand >> SP_AT_SHIFT == SP_AT_TEMP) {
            e->spare[e->n_spare++] = s->operand;
            s->last = -1; /* once, even if used twice here */
        }
    }
}

/* Writes the instruction of an operation. */
static sp_status place_op(emitter *e, int k)
{
    const sp_node *node = &e->c->node[k];
    const slot none = {.n_on = 0}, *x = &e->slot[node->x];
    const slot *y = sp_op_is_unary(node->op) ? &none : &e->slot[node->y];
    slot *to = &e->slot[k];
    if (sp_op_is_condition(node->op) || node->op == SP_OP_SIGN || node->op == SP_OP_FLOOR) {
        x = y = &none; /* no derivatives */
    }
    SP_TRY(support_union(e, x, y, to));
    if (e->n_spare == 0 && e->p->n_temp > SP_AT_MASK) {
        return too_large(e->c, "temporaries", SP_AT_MASK);
    }
    to->operand = e->n_spare ? e->spare[--e->n_spare] : operand_of(SP_AT_TEMP, e->p->n_temp++);
    const sp_support support = {to->on, x->on, y->on, to->n_on, x->n_on, y->n_on};
    const sp_instr instr = {(uint16_t)node->op, to->operand, e->slot[node->x].operand,
                            e->slot[node->y].operand, e->slot[node->z].operand};
    e->support[e->p->n_instr] = support;
    e->instr[e->p->n_instr++] = instr;
    release(e, k);
    return SP_OK;
}

/* Takes the memory of a program with so many operations and leaves at most. */
static sp_status prepare(emitter *e, int n_op, int n_leaf)
{
    sp_arena *m = e->c->memory;
    e->instr = SP_NEW(m, sp_instr, n_op);
    e->support = SP_NEW(m, sp_support, n_op);
    e->spare = SP_NEW(m, uint16_t, n_op + 1);
    e->constant = SP_NEW(m, double, n_leaf);
    e->input = SP_NEW(m, int, n_leaf);
    e->p = SP_NEW(m, sp_program, 1);
    e->cap_on = (size_t)n_leaf;
    e->on = SP_NEW(m, uint16_t, n_leaf);
    if (!e->on || !e->instr || !e->support || !e->spare || !e->constant || !e->input || !e->p) {
        return SP_FAIL(e->c->err, SP_E_MEMORY, "out of memory in an expression");
    }
    return SP_OK;
}

/* A copy in the arena of the program; NULL without memory. */
static void *keep(sp_arena *a, const void *from, size_t n, size_t size)
{
    void *to = sp_arena_alloc(a, n, size);
    if (to && n) {
        memcpy(to, from, n * size);
    }
    return to;
}

/* Whether a program only adds its inputs, times constants. */
static bool is_affine(const sp_program *p)
{
    for (int k = 0; k < p->n_instr; k++) {
        const sp_instr *i = &p->instr[k];
        const bool x = i->x >> SP_AT_SHIFT == SP_AT_CONST, y = i->y >> SP_AT_SHIFT == SP_AT_CONST;
        const bool linear = i->op == SP_OP_NEG || i->op == SP_OP_ADD || i->op == SP_OP_SUB ||
                            (i->op == SP_OP_MUL && (x || y)) || (i->op == SP_OP_DIV && y);
        if (!linear) {
            return false;
        }
    }
    return true;
}

/* The slopes of an affine program, which are the same everywhere. */
static sp_status find_slopes(const emitter *e, sp_arena *a, sp_program *p)
{
    if (p->n_input == 0 || !is_affine(p)) {
        return SP_OK;
    }
    double *slope = SP_NEW(a, double, p->n_input), *in = SP_NEW(e->c->memory, double, p->n_input);
    double *work = SP_NEW(e->c->memory, double, sp_program_work(p, 1));
    if (!slope || !in || !work) {
        return SP_FAIL(e->c->err, SP_E_MEMORY, "out of memory in an expression");
    }
    sp_program_grad(p, in, slope, work);
    p->slope = slope;
    return SP_OK;
}

/* Copies the finished program out of the scratch memory. */
static sp_status copy_out(const emitter *e, sp_arena *a, const slot *result, sp_program **out)
{
    sp_program *p = keep(a, e->p, 1, sizeof *p);
    if (p) {
        const uint16_t *on = keep(a, e->on, e->n_on, sizeof *on);
        p->instr = keep(a, e->instr, (size_t)p->n_instr, sizeof *p->instr);
        p->support = keep(a, e->support, (size_t)p->n_instr, sizeof *p->support);
        p->constant = keep(a, e->constant, (size_t)p->n_const, sizeof *p->constant);
        p->input = keep(a, e->input, (size_t)p->n_input, sizeof *p->input);
        p->n_table = e->c->n_table;
        p->table = keep(a, e->c->table, (size_t)p->n_table, sizeof *p->table);
        p->on = on;
        p->result = result->operand;
        if (result->operand >> SP_AT_SHIFT == SP_AT_TEMP) {
            p->n_on = result->n_on;
            p->result_on = on + result->on;
        }
    }
    if (!p || !p->on || !p->instr || !p->support || !p->constant || !p->input || !p->table) {
        return SP_FAIL(e->c->err, SP_E_MEMORY, "out of memory in an expression");
    }
    *out = p;
    return find_slopes(e, a, p);
}

sp_status sp_emit(sp_compiler *c, sp_arena *a, int result, sp_program **out)
{
    emitter e = {.c = c};
    int n_op = 0, n_leaf = 0;
    e.slot = SP_NEW(c->memory, slot, c->n_node);
    if (!e.slot) {
        return SP_FAIL(c->err, SP_E_MEMORY, "out of memory in an expression");
    }
    mark(&e, result, &n_op, &n_leaf);
    if (n_op > SP_EXPR_OP_MAX) {
        return too_large(c, "operations", SP_EXPR_OP_MAX);
    }
    SP_TRY(prepare(&e, n_op, n_leaf));
    for (int k = 0; k <= result; k++) {
        if (e.slot[k].last < 0) {
            continue;
        }
        if (c->node[k].kind == SP_NODE_CONST) {
            SP_TRY(place_constant(&e, k));
        } else if (c->node[k].kind == SP_NODE_INPUT) {
            SP_TRY(place_input(&e, k));
            SP_TRY(support_input(&e, &e.slot[k]));
        } else {
            SP_TRY(place_op(&e, k));
        }
    }
    return copy_out(&e, a, &e.slot[result], out);
}
