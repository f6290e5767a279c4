/* Dimensions are checked and constants folded while the text is read, operation by operation. */
#include "base/status.h"
#include "expr/compile.h"

#include <stdio.h>
#include <string.h>

typedef struct description {
    char text[96];
} description;

static description describe(const sp_value *v)
{
    description d;
    if (v->condition) {
        snprintf(d.text, sizeof d.text, "a condition");
    } else {
        sp_dim_describe(v->dim, d.text, sizeof d.text);
    }
    return d;
}

static sp_quote quote(const sp_frame *f, const sp_value *v)
{
    return sp_quote_text(f->in.text, v->begin, v->end);
}

/* A new node; -1 in *index if the program gets too large. */
static sp_status add_node(sp_compiler *c, const sp_node *node, int *index)
{
    if (c->n_node == c->cap_node) {
        const int cap = c->cap_node ? 2 * c->cap_node : 32;
        sp_node *grown = SP_NEW(c->memory, sp_node, cap);
        if (!grown) {
            return SP_FAIL(c->err, SP_E_MEMORY, "out of memory in an expression");
        }
        for (int k = 0; k < c->n_node; k++) {
            grown[k] = c->node[k];
        }
        c->node = grown;
        c->cap_node = cap;
    }
    c->node[c->n_node] = *node;
    *index = c->n_node++;
    return SP_OK;
}

/* Clears everything but the place. */
static void reset(sp_value *v)
{
    const sp_value blank = {.node = -1, .begin = v->begin, .end = v->end};
    *v = blank;
}

sp_status sp_check_constant(sp_compiler *c, double number, sp_value *out)
{
    const sp_node node = {.kind = SP_NODE_CONST, .value = number};
    reset(out);
    return add_node(c, &node, &out->node);
}

sp_status sp_check_symbol(sp_compiler *c, const sp_frame *f, const sp_symbol *s, sp_value *out)
{
    sp_node node = {.kind = SP_NODE_CONST, .value = s->value};
    reset(out);
    if (s->kind == SP_SYM_INPUT) {
        node.kind = SP_NODE_INPUT;
        node.input = s->input;
        node.time = s->time;
    } else if (!isfinite(s->value)) {
        return SP_FAIL_AT(c, out->begin, "'%s' is %g, expected a finite number", quote(f, out).text,
                          s->value);
    }
    if (c->check_units) {
        out->dim = s->dim;
        out->any_dim = s->any_dim;
    }
    return add_node(c, &node, &out->node);
}

sp_status sp_check_finite(sp_compiler *c, int node, double *value)
{
    const sp_poison *poison = c->node[node].poison;
    if (poison) {
        c->offset = poison->offset;
        return SP_FAIL(c->err, SP_E_INPUT, "%s", poison->text);
    }
    *value = c->node[node].value;
    return SP_OK;
}

/* Says in words why op(x, y) has no finite value. */
static void explain(sp_op op, double x, double y, const char *text, char *buf, size_t n)
{
    const bool divides = op == SP_OP_DIV || op == SP_OP_MOD;
    const bool power = op == SP_OP_POW || op == SP_OP_POW_N || op == SP_OP_POW_C;
    if ((divides && y == 0.0) || (power && x == 0.0 && y < 0.0)) {
        snprintf(buf, n, "'%s' divides by zero", text);
    } else if (op == SP_OP_LOG) {
        snprintf(buf, n, "'%s': logarithm of %.6g, expected > 0", text, x);
    } else if (op == SP_OP_SQRT) {
        snprintf(buf, n, "'%s': square root of %.6g, expected >= 0", text, x);
    } else if (op == SP_OP_ASIN || op == SP_OP_ACOS) {
        snprintf(buf, n, "'%s': argument %.6g, expected from -1 to 1", text, x);
    } else if (power && x < 0.0 && y != floor(y)) {
        snprintf(buf, n, "'%s': %.6g to the power %.6g is not a real number", text, x, y);
    } else {
        snprintf(buf, n, "'%s' is too large for a number", text);
    }
}

/* Folds an operation on constants.  A result that is not finite is remembered, not refused: it may
 * stand in the branch of an 'if' that is never taken. */
static sp_status fold(sp_compiler *c, const sp_frame *f, const sp_node *op, sp_value *out)
{
    const sp_node *x = &c->node[op->x], *y = &c->node[op->y];
    sp_node node = {.kind = SP_NODE_CONST};
    node.value = sp_op_value(op->op, x->value, y->value, 0.0);
    node.poison = x->poison ? x->poison : y->poison;
    if (!node.poison && !isfinite(node.value)) {
        sp_poison *poison = SP_NEW(c->memory, sp_poison, 1);
        if (!poison) {
            return SP_FAIL(c->err, SP_E_MEMORY, "out of memory in an expression");
        }
        poison->offset = f->function ? c->call : out->begin;
        size_t used = 0;
        if (f->function) {
            used = (size_t)snprintf(poison->text, sizeof poison->text,
                                    "in function '%.40s': ", f->function);
        }
        explain(op->op, x->value, y->value, quote(f, out).text, poison->text + used,
                sizeof poison->text - used);
        node.poison = poison;
    }
    return add_node(c, &node, &out->node);
}

/* Adds an operation, folded if it can be. */
static sp_status operate(sp_compiler *c, const sp_frame *f, sp_op op, int x, int y, sp_value *out)
{
    const sp_node node = {.kind = SP_NODE_OP, .op = op, .x = x, .y = y, .z = x};
    const bool constant = c->node[x].kind == SP_NODE_CONST && c->node[y].kind == SP_NODE_CONST;
    return constant ? fold(c, f, &node, out) : add_node(c, &node, &out->node);
}

/* Conditions and numbers must not be mixed. */
static sp_status want_kind(sp_compiler *c, const sp_frame *f, const sp_value *v, bool condition,
                           const sp_value *whole)
{
    if (v->condition == condition) {
        return SP_OK;
    }
    if (condition) {
        return SP_FAIL_AT(c, v->begin,
                          "'%s' in '%s' is a number, expected a condition such as 'x > 0'",
                          quote(f, v).text, quote(f, whole).text);
    }
    return SP_FAIL_AT(c, v->begin,
                      "'%s' in '%s' is a condition, expected a number; write 'if(%s, 1, 0)'",
                      quote(f, v).text, quote(f, whole).text, quote(f, v).text);
}

/* Functions that make sense for pure numbers only. */
static sp_status want_pure(sp_compiler *c, const sp_frame *f, const sp_value *v, const char *what,
                           const sp_value *whole)
{
    if (v->any_dim || sp_dim_is_pure(v->dim)) {
        return SP_OK;
    }
    return SP_FAIL_AT(c, v->begin, "'%s': %s is %s, expected a pure number", quote(f, whole).text,
                      what, describe(v).text);
}

/* The sentence about two dimensions that do not agree, with a hint for numbers without unit. */
static sp_status disagree(sp_compiler *c, const sp_frame *f, sp_op op, const sp_value *x,
                          const sp_value *y, const sp_value *whole)
{
    if (op != SP_OP_SUB && x->begin > y->begin) { /* x > y was turned into y < x */
        const sp_value *left = y;
        y = x;
        x = left;
    }
    const description d_x = describe(x), d_y = describe(y);
    char hint[200] = "";
    const sp_value *bare = x->lone_literal ? x : y->lone_literal ? y : NULL;
    if (bare) {
        char unit[64];
        sp_dim_unit(bare == x ? y->dim : x->dim, unit, sizeof unit);
        snprintf(hint, sizeof hint, "; a number without unit is a pure number here, write '%s %s'",
                 quote(f, bare).text, unit);
    }
    const sp_quote all = quote(f, whole);
    switch (op) {
    case SP_OP_ADD:
        return SP_FAIL_AT(c, whole->begin, "'%s': cannot add %s and %s%s", all.text, d_x.text,
                          d_y.text, hint);
    case SP_OP_SUB:
        return SP_FAIL_AT(c, whole->begin, "'%s': cannot subtract %s from %s%s", all.text, d_y.text,
                          d_x.text, hint);
    case SP_OP_LESS:
    case SP_OP_LESS_EQUAL:
        return SP_FAIL_AT(c, whole->begin, "'%s': cannot compare %s and %s%s", all.text, d_x.text,
                          d_y.text, hint);
    case SP_OP_SELECT:
        return SP_FAIL_AT(c, whole->begin, "'%s': one branch is %s, the other %s%s", all.text,
                          d_x.text, d_y.text, hint);
    default:
        return SP_FAIL_AT(c, whole->begin, "'%s' needs equal dimensions, got %s and %s%s", all.text,
                          d_x.text, d_y.text, hint);
    }
}

/* The common dimension of two values that are added, compared or chosen from. */
static sp_status agree(sp_compiler *c, const sp_frame *f, sp_op op, const sp_value *x,
                       const sp_value *y, sp_value *out)
{
    if (!x->any_dim && !y->any_dim && !sp_dim_equal(x->dim, y->dim)) {
        return disagree(c, f, op, x, y, out);
    }
    out->dim = x->any_dim ? y->dim : x->dim;
    out->any_dim = x->any_dim && y->any_dim;
    out->dim.frequency &= x->any_dim || y->any_dim || y->dim.frequency;
    return SP_OK;
}

sp_status sp_check_unary(sp_compiler *c, const sp_frame *f, sp_op op, const sp_value *x,
                         sp_value *out)
{
    reset(out);
    SP_TRY(want_kind(c, f, x, op == SP_OP_NOT, out));
    out->condition = op == SP_OP_NOT;
    if (op == SP_OP_NEG || op == SP_OP_ABS) {
        out->dim = x->dim;
        out->any_dim = x->any_dim;
        out->lone_literal = op == SP_OP_NEG && x->lone_literal;
        out->literal = op == SP_OP_NEG && x->literal;
    } else if (op == SP_OP_SQRT) {
        if (!sp_dim_power(x->dim, 0.5, &out->dim)) {
            return SP_FAIL_AT(c, out->begin, "'%s': no square root of %s", quote(f, out).text,
                              describe(x).text);
        }
    } else if (op != SP_OP_SIGN && op != SP_OP_NOT) {
        SP_TRY(want_pure(c, f, x, "the argument", out));
    }
    return operate(c, f, op, x->node, x->node, out);
}

/* Whether n is a whole number small enough for repeated multiplication. */
static bool is_small_whole(double n)
{
    return fabs(n) <= SP_POW_N_MAX && n == floor(n);
}

/* x^y: a base with dimension needs a constant exponent. */
static sp_status check_power(sp_compiler *c, const sp_frame *f, const sp_value *x,
                             const sp_value *y, sp_value *out)
{
    SP_TRY(want_pure(c, f, y, "the exponent", out));
    const sp_node exponent = c->node[y->node];
    const bool constant = exponent.kind == SP_NODE_CONST && !exponent.poison;
    if (!sp_dim_is_pure(x->dim)) {
        if (!constant) {
            return SP_FAIL_AT(c, y->begin,
                              "'%s': the exponent of %s must be a constant number, '%s' is not",
                              quote(f, out).text, describe(x).text, quote(f, y).text);
        }
        if (!sp_dim_power(x->dim, exponent.value, &out->dim)) {
            return SP_FAIL_AT(c, y->begin, "'%s': %s to the power %.6g has no usable dimension",
                              quote(f, out).text, describe(x).text, exponent.value);
        }
    }
    if (constant && exponent.value == 1.0) {
        out->node = x->node;
        return SP_OK;
    }
    if (constant && exponent.value == 0.0 && c->node[x->node].kind != SP_NODE_CONST) {
        const sp_node one = {.kind = SP_NODE_CONST, .value = 1.0};
        return add_node(c, &one, &out->node);
    }
    sp_op op = SP_OP_POW;
    if (constant) {
        op = is_small_whole(exponent.value) ? SP_OP_POW_N : SP_OP_POW_C;
    }
    return operate(c, f, op, x->node, y->node, out);
}

/* x and y, x or y: a constant operand decides or drops out. */
static sp_status check_logic(sp_compiler *c, const sp_frame *f, sp_op op, const sp_value *x,
                             const sp_value *y, sp_value *out)
{
    SP_TRY(want_kind(c, f, x, true, out));
    SP_TRY(want_kind(c, f, y, true, out));
    out->condition = true;
    const sp_value *const operand[2] = {x, y};
    for (int k = 0; k < 2; k++) {
        const sp_node *node = &c->node[operand[k]->node];
        if (node->kind == SP_NODE_CONST && !node->poison) {
            const bool decides = (node->value != 0.0) == (op == SP_OP_OR);
            out->node = operand[decides ? k : 1 - k]->node;
            return SP_OK;
        }
    }
    return operate(c, f, op, x->node, y->node, out);
}

sp_status sp_check_binary(sp_compiler *c, const sp_frame *f, sp_op op, const sp_value *x,
                          const sp_value *y, sp_value *out)
{
    reset(out);
    if (op == SP_OP_AND || op == SP_OP_OR) {
        return check_logic(c, f, op, x, y, out);
    }
    SP_TRY(want_kind(c, f, x, false, out));
    SP_TRY(want_kind(c, f, y, false, out));
    if (op == SP_OP_POW) {
        return check_power(c, f, x, y, out);
    }
    if (op == SP_OP_MUL || op == SP_OP_DIV) {
        if (!sp_dim_product(x->dim, y->dim, op == SP_OP_MUL ? 1 : -1, &out->dim)) {
            return SP_FAIL_AT(c, out->begin, "'%s': powers of units above %d", quote(f, out).text,
                              SP_DIM_MAX / SP_DIM_ONE);
        }
        return operate(c, f, op, x->node, y->node, out);
    }
    SP_TRY(agree(c, f, op, x, y, out));
    if (op == SP_OP_ATAN2 || op == SP_OP_LESS || op == SP_OP_LESS_EQUAL) {
        out->dim = sp_dim_of(0, 0, 0);
        out->any_dim = false;
        out->condition = op != SP_OP_ATAN2;
    }
    return operate(c, f, op, x->node, y->node, out);
}

sp_status sp_check_select(sp_compiler *c, const sp_frame *f, const sp_value *z, const sp_value *x,
                          const sp_value *y, sp_value *out)
{
    reset(out);
    SP_TRY(want_kind(c, f, z, true, out));
    SP_TRY(want_kind(c, f, x, false, out));
    SP_TRY(want_kind(c, f, y, false, out));
    SP_TRY(agree(c, f, SP_OP_SELECT, x, y, out));
    const sp_node *condition = &c->node[z->node];
    if (condition->kind == SP_NODE_CONST && !condition->poison) {
        out->node = condition->value != 0.0 ? x->node : y->node;
        return SP_OK;
    }
    const sp_node node = {
        .kind = SP_NODE_OP, .op = SP_OP_SELECT, .x = x->node, .y = y->node, .z = z->node};
    return add_node(c, &node, &out->node);
}

/* ---- tables
 * --------------------------------------------------------------------------------------- */

/* The number of a table in the list of this program. */
static sp_status number_table(sp_compiler *c, const sp_table *table, int *number)
{
    *number = 0;
    while (*number < c->n_table && c->table[*number] != table) {
        (*number)++;
    }
    if (*number < c->n_table) {
        return SP_OK;
    }
    if (c->n_table == c->cap_table) {
        const int cap = c->cap_table ? 2 * c->cap_table : 8;
        const sp_table **grown = SP_NEW(c->memory, const sp_table *, cap);
        if (!grown) {
            return SP_FAIL(c->err, SP_E_MEMORY, "out of memory in an expression");
        }
        for (int k = 0; k < c->n_table; k++) {
            grown[k] = c->table[k];
        }
        c->table = grown;
        c->cap_table = cap;
    }
    c->table[c->n_table++] = table;
    return SP_OK;
}

/* Fails if a constant lies outside the points. */
static sp_status check_inside(sp_compiler *c, const sp_frame *f, const sp_table *table, double x,
                              const sp_value *out)
{
    const double first = table->x[0], last = table->x[table->n - 1];
    if (x >= first && x <= last) {
        return SP_OK;
    }
    char unit[64];
    sp_dim_unit(table->x_dim, unit, sizeof unit);
    const char *behind = strcmp(unit, "1") == 0 ? "" : unit;
    return SP_FAIL_AT(c, out->begin,
                      "'%s': the argument %.6g %s lies outside the points of the table, expected "
                      "from %.6g to %.6g %s",
                      quote(f, out).text, x, behind, first, last, behind);
}

/* The argument, moved by whole periods to where the points are: x_0 + mod(x - x_0, period). */
static sp_status within_period(sp_compiler *c, const sp_table *table, int *at)
{
    const double x_0 = table->x[0];
    sp_node first = {.kind = SP_NODE_CONST, .value = x_0};
    sp_node period = {.kind = SP_NODE_CONST, .value = table->period};
    const sp_node argument = c->node[*at];
    int k, n;
    if (argument.kind == SP_NODE_CONST) { /* poison stays */
        first = argument;
        first.value = x_0 + sp_op_value(SP_OP_MOD, argument.value - x_0, table->period, 0.0);
        return add_node(c, &first, at);
    }
    SP_TRY(add_node(c, &first, &k));
    SP_TRY(add_node(c, &period, &n));
    sp_node node = {.kind = SP_NODE_OP, .op = SP_OP_SUB, .x = *at, .y = k, .z = *at};
    SP_TRY(add_node(c, &node, at));
    node = (sp_node){.kind = SP_NODE_OP, .op = SP_OP_MOD, .x = *at, .y = n, .z = *at};
    SP_TRY(add_node(c, &node, at));
    node = (sp_node){.kind = SP_NODE_OP, .op = SP_OP_ADD, .x = *at, .y = k, .z = *at};
    return add_node(c, &node, at);
}

sp_status sp_check_table(sp_compiler *c, const sp_frame *f, const sp_table *table,
                         const sp_value *x, sp_value *out)
{
    reset(out);
    SP_TRY(want_kind(c, f, x, false, out));
    if (c->check_units && !x->any_dim && !sp_dim_equal(x->dim, table->x_dim)) {
        char want[96];
        sp_dim_describe(table->x_dim, want, sizeof want);
        return SP_FAIL_AT(c, x->begin, "'%s': the argument is %s, expected %s", quote(f, out).text,
                          describe(x).text, want);
    }
    if (c->check_units) {
        out->dim = table->y_dim;
    }
    int at = x->node;
    if (table->period > 0.0) {
        SP_TRY(within_period(c, table, &at));
    }
    const sp_node argument = c->node[at];
    if (argument.kind == SP_NODE_CONST && !argument.poison) {
        SP_TRY(check_inside(c, f, table, argument.value, out));
        const sp_node value = {.kind = SP_NODE_CONST,
                               .value = sp_table_value(table, argument.value)};
        return add_node(c, &value, &out->node);
    }
    int k;
    sp_node number = {.kind = SP_NODE_CONST};
    SP_TRY(number_table(c, table, &k));
    number.value = k;
    sp_node node = {.kind = SP_NODE_OP, .op = SP_OP_TABLE, .x = at, .z = at};
    SP_TRY(add_node(c, &number, &node.y));
    return add_node(c, &node, &out->node);
}
