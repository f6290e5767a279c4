/* Parts of an expression that depend on time alone: found once, so that a run knows beforehand when
 * they switch and how fast they change.   theory (64.1) */
#include "expr/compile.h"

#include "base/status.h"

/* What a node depends on; LINEAR: a + b t. */
typedef enum { NOTHING, LINEAR, TIME, STATE } dependence;

/* The result of an operation on operands that depend on x, y and z. */
static dependence of_operation(sp_op op, dependence x, dependence y, dependence z)
{
    const dependence most = x > y ? (x > z ? x : z) : (y > z ? y : z);
    const bool sum = op == SP_OP_NEG || op == SP_OP_ADD || op == SP_OP_SUB;
    const bool scaled =
        (op == SP_OP_MUL && (x == NOTHING || y == NOTHING)) || (op == SP_OP_DIV && y == NOTHING);
    return most == LINEAR && !sum && !scaled ? TIME : most;
}

/* Fills `on` for all nodes up to the result. */
static void classify(const sp_compiler *c, int result, dependence *on)
{
    for (int k = 0; k <= result; k++) {
        const sp_node *n = &c->node[k];
        on[k] = n->kind == SP_NODE_CONST   ? NOTHING
                : n->kind == SP_NODE_INPUT ? (n->time ? LINEAR : STATE)
                                           : of_operation(n->op, on[n->x], on[n->y], on[n->z]);
    }
}

/* Whether a node reads time. */
static void find_time(const sp_compiler *c, int result, unsigned char *time)
{
    for (int k = 0; k <= result; k++) {
        const sp_node *n = &c->node[k];
        time[k] = n->kind == SP_NODE_INPUT ? n->time
                  : n->kind == SP_NODE_OP  ? time[n->x] || time[n->y] || time[n->z]
                                           : false;
    }
}

/* Whether an operation is linear in its operand x, and in y.   theory (64.29) */
static void linear_in(sp_op op, bool time_x, bool time_y, bool *x, bool *y)
{
    *x = op == SP_OP_NEG || op == SP_OP_ADD || op == SP_OP_SUB || op == SP_OP_SELECT ||
         ((op == SP_OP_MUL || op == SP_OP_DIV) && !time_y);
    *y = op == SP_OP_ADD || op == SP_OP_SUB || op == SP_OP_SELECT || (op == SP_OP_MUL && !time_x);
}

/* How the result needs nodes, but not what is inside of parts of time alone. */
enum { NEEDED = 1, INSIDE = 2 };

static void mark(const sp_compiler *c, int result, const dependence *on, const unsigned char *time,
                 unsigned char *needed)
{
    needed[result] = NEEDED;
    for (int k = result; k >= 0; k--) {
        const sp_node *n = &c->node[k];
        bool x, y;
        if (needed[k] && n->kind == SP_NODE_OP && on[k] == STATE) {
            linear_in(n->op, time[n->x], time[n->y], &x, &y);
            needed[n->x] |= x ? needed[k] : NEEDED | INSIDE;
            needed[n->y] |= n->y == n->x || y ? needed[k] : NEEDED | INSIDE;
            needed[n->z] |= n->z == n->x || n->z == n->y ? needed[k] : NEEDED | INSIDE;
        }
    }
}

sp_status sp_hoist(sp_compiler *c, sp_arena *a, int result)
{
    dependence *on = SP_NEW(c->memory, dependence, result + 1);
    unsigned char *needed = SP_NEW(c->memory, unsigned char, result + 1);
    unsigned char *time = SP_NEW(c->memory, unsigned char, result + 1);
    if (!on || !needed || !time) {
        return SP_FAIL(c->err, SP_E_MEMORY, "out of memory in an expression");
    }
    classify(c, result, on);
    find_time(c, result, time);
    mark(c, result, on, time, needed);
    for (int k = 0; k <= result; k++) {
        sp_program *part;
        int input = -1;
        if (!needed[k] || on[k] != TIME) {
            continue;
        }
        const sp_part_use use = sp_op_is_condition(c->node[k].op) ? SP_PART_CONDITION
                                : (needed[k] & INSIDE)            ? SP_PART_INNER
                                                                  : SP_PART_FACTOR;
        SP_TRY(sp_emit(c, a, k, &part));
        SP_TRY(c->resolver->clock(c->resolver->ctx, part, use, &input, c->err));
        if (input >= 0) {
            c->node[k] = (sp_node){.kind = SP_NODE_INPUT, .input = input};
        }
    }
    return SP_OK;
}
