/* Names with indices and calls of functions: where reading one text leads to reading another. */
#include "expr/compile.h"

#include "base/diag.h"
#include "base/status.h"

#include <stdio.h>
#include <string.h>

typedef struct builtin_row {
    const char *name;
    sp_op op;
    int n_min, n_max; /* arguments */
    bool soft;        /* own functions and parameters may have its name */
} builtin_row;

enum { MANY = 1000 };

#define BUILTINS(ROW)                                                                              \
    ROW("sin", SP_OP_SIN, 1, 1, false)                                                             \
    ROW("cos", SP_OP_COS, 1, 1, false)                                                             \
    ROW("tan", SP_OP_TAN, 1, 1, false)                                                             \
    ROW("asin", SP_OP_ASIN, 1, 1, false)                                                           \
    ROW("acos", SP_OP_ACOS, 1, 1, false)                                                           \
    ROW("atan", SP_OP_ATAN, 1, 1, false)                                                           \
    ROW("atan2", SP_OP_ATAN2, 2, 2, false)                                                         \
    ROW("sinh", SP_OP_SINH, 1, 1, false)                                                           \
    ROW("cosh", SP_OP_COSH, 1, 1, false)                                                           \
    ROW("tanh", SP_OP_TANH, 1, 1, false)                                                           \
    ROW("exp", SP_OP_EXP, 1, 1, false)                                                             \
    ROW("log", SP_OP_LOG, 1, 1, false)                                                             \
    ROW("sqrt", SP_OP_SQRT, 1, 1, false)                                                           \
    ROW("abs", SP_OP_ABS, 1, 1, false)                                                             \
    ROW("sign", SP_OP_SIGN, 1, 1, false)                                                           \
    ROW("floor", SP_OP_FLOOR, 1, 1, false)                                                         \
    ROW("min", SP_OP_MIN, 2, MANY, false)                                                          \
    ROW("max", SP_OP_MAX, 2, MANY, false)                                                          \
    ROW("clamp", SP_OP_MIN, 3, 3, false)                                                           \
    ROW("if", SP_OP_SELECT, 3, 3, false)                                                           \
    ROW("step", SP_OP_LESS, 2, 2, true)                                                            \
    ROW("ramp", SP_OP_LESS, 3, 3, true)                                                            \
    ROW("pulse", SP_OP_LESS, 3, 3, true)

#define AS_ROW(name, op, n_min, n_max, soft)  {name, op, n_min, n_max, soft},
#define AS_NAME(name, op, n_min, n_max, soft) name,

static const builtin_row builtin_table[] = {BUILTINS(AS_ROW)};
enum { N_BUILTIN = sizeof builtin_table / sizeof builtin_table[0] };
static const char *const builtin_names[N_BUILTIN] = {BUILTINS(AS_NAME)};

const char *const *sp_expr_builtins(int *n)
{
    *n = N_BUILTIN;
    return builtin_names;
}

static const builtin_row *find_builtin(const char *name)
{
    for (int k = 0; k < N_BUILTIN; k++) {
        if (strcmp(builtin_table[k].name, name) == 0) {
            return &builtin_table[k];
        }
    }
    return NULL;
}

bool sp_expr_reserved(const char *name)
{
    sp_token_kind kind;
    const builtin_row *row = find_builtin(name);
    return strcmp(name, "pi") == 0 || (row && !row->soft) ||
           sp_token_keyword(name, strlen(name), &kind);
}

/* Goes one level deeper into functions or indices. */
static sp_status enter(sp_compiler *c, const char *function)
{
    if (c->depth == SP_EXPR_DEPTH_MAX) {
        return SP_FAIL(c->err, SP_E_INPUT, "functions or indices nested deeper than %d",
                       SP_EXPR_DEPTH_MAX);
    }
    c->calling[c->depth++] = function;
    return SP_OK;
}

/* Reads "(i-1)" behind a dot and returns the whole number it is. */
static sp_status read_index(sp_compiler *c, sp_frame *f, size_t begin, long *index)
{
    const size_t open = f->in.pos;
    sp_value v;
    double value;
    c->offset = open;
    SP_TRY(enter(c, NULL));
    f->in.pos++; /* over the '(' */
    SP_TRY(sp_parse(c, f, true, &v));
    c->depth--;
    const sp_quote text = sp_quote_text(f->in.text, open, f->in.pos);
    const sp_quote path = sp_quote_text(f->in.text, begin, f->in.pos);
    if (v.condition || c->node[v.node].kind != SP_NODE_CONST) {
        return SP_FAIL_AT(c, open, "index '%s' in '%s' is not constant", text.text, path.text);
    }
    if (!v.any_dim && !sp_dim_is_pure(v.dim)) {
        char what[96];
        sp_dim_describe(v.dim, what, sizeof what);
        return SP_FAIL_AT(c, open, "index '%s' in '%s' is %s, expected a whole number", text.text,
                          path.text, what);
    }
    SP_TRY(sp_check_finite(c, v.node, &value));
    const double whole = nearbyint(value);
    if (!(fabs(value - whole) <= 1e-9) || !(whole >= 0.0 && whole <= 1e9)) {
        return SP_FAIL_AT(c, open, "index '%s' in '%s' is %.9g, expected a whole number >= 0",
                          text.text, path.text, value);
    }
    *index = (long)whole;
    return SP_OK;
}

/* Reads what stands behind a dot: a name, a whole number or an index in parentheses. */
static sp_status read_component(sp_compiler *c, sp_frame *f, size_t begin, char *buf, size_t n)
{
    const size_t pos = f->in.pos;
    size_t length = sp_token_name(&f->in, pos);
    long index = 0;
    if (length) {
        snprintf(buf, n, "%.*s", (int)(length < n ? length : n), f->in.text + pos);
        f->in.pos += length;
        return length < n ? SP_OK : SP_E_CAPACITY;
    }
    length = sp_token_digits(&f->in, pos);
    if (pos < f->in.end && f->in.text[pos] == '(') {
        SP_TRY(read_index(c, f, begin, &index));
    } else if (length && length < 10 && !sp_token_name(&f->in, pos + length)) {
        for (size_t k = 0; k < length; k++) {
            index = 10 * index + (f->in.text[pos + k] - '0');
        }
        f->in.pos += length;
    } else {
        return SP_FAIL_AT(c, pos, "'%s': expected a name, a whole number or '(...)' after the '.'",
                          sp_quote_text(f->in.text, begin, f->in.end).text);
    }
    return (size_t)snprintf(buf, n, "%ld", index) < n ? SP_OK : SP_E_CAPACITY;
}

sp_status sp_parse_path(sp_compiler *c, sp_frame *f, size_t begin, char path[SP_EXPR_NAME_MAX + 1])
{
    size_t used = 0;
    sp_status status = SP_OK;
    f->in.pos = begin;
    do {
        const size_t skip = used ? 1 : 0;
        if (skip) {
            path[used++] = '.';
        }
        f->in.pos += skip;
        status = used < SP_EXPR_NAME_MAX
                     ? read_component(c, f, begin, path + used, SP_EXPR_NAME_MAX + 1 - used)
                     : SP_E_CAPACITY;
        used = status == SP_OK ? strlen(path) : used;
    } while (status == SP_OK && f->in.pos < f->in.end && f->in.text[f->in.pos] == '.');
    const size_t primes = sp_token_primes(&f->in, f->in.pos);
    if (status == SP_E_CAPACITY || (status == SP_OK && used + primes > SP_EXPR_NAME_MAX)) {
        return SP_FAIL_AT(c, begin, "'%s': name of more than %d letters",
                          sp_quote_text(f->in.text, begin, f->in.pos).text, SP_EXPR_NAME_MAX);
    }
    SP_TRY(status);
    memset(path + used, '\'', primes);
    path[used + primes] = '\0';
    f->in.pos += primes;
    return SP_OK;
}

/* min and max of many arguments, two at a time. */
static sp_status call_many(sp_compiler *c, const sp_frame *f, sp_op op, const sp_value *argument,
                           int n, sp_value *out)
{
    sp_value so_far = argument[0];
    for (int k = 1; k < n; k++) {
        SP_TRY(sp_check_binary(c, f, op, &so_far, &argument[k], out));
        so_far = *out;
    }
    return SP_OK;
}

/* clamp(x, lo, hi) = min(max(x, lo), hi) */
static sp_status call_clamp(sp_compiler *c, const sp_frame *f, const sp_value *argument,
                            sp_value *out)
{
    sp_value raised = *out;
    SP_TRY(sp_check_binary(c, f, SP_OP_MAX, &argument[0], &argument[1], &raised));
    return sp_check_binary(c, f, SP_OP_MIN, &raised, &argument[2], out);
}

/* step(x, a) = if(x < a, 0, 1) */
static sp_status call_step(sp_compiler *c, const sp_frame *f, const sp_value *x, const sp_value *a,
                           sp_value *out)
{
    sp_value before = *out, zero = *out, one = *out;
    SP_TRY(sp_check_binary(c, f, SP_OP_LESS, x, a, &before));
    SP_TRY(sp_check_constant(c, 0.0, &zero));
    SP_TRY(sp_check_constant(c, 1.0, &one));
    return sp_check_select(c, f, &before, &zero, &one, out);
}

/* pulse(x, a, b) = step(x, a) - step(x, b) */
static sp_status call_pulse(sp_compiler *c, const sp_frame *f, const sp_value *argument,
                            sp_value *out)
{
    sp_value up = *out, down = *out;
    SP_TRY(call_step(c, f, &argument[0], &argument[1], &up));
    SP_TRY(call_step(c, f, &argument[0], &argument[2], &down));
    return sp_check_binary(c, f, SP_OP_SUB, &up, &down, out);
}

/* ramp(x, a, b) = clamp((x - a)/(b - a), 0, 1) */
static sp_status call_ramp(sp_compiler *c, const sp_frame *f, const sp_value *argument,
                           sp_value *out)
{
    sp_value way = *out, whole = *out, part[3] = {*out, *out, *out};
    SP_TRY(sp_check_binary(c, f, SP_OP_SUB, &argument[0], &argument[1], &way));
    SP_TRY(sp_check_binary(c, f, SP_OP_SUB, &argument[2], &argument[1], &whole));
    SP_TRY(sp_check_binary(c, f, SP_OP_DIV, &way, &whole, &part[0]));
    SP_TRY(sp_check_constant(c, 0.0, &part[1]));
    SP_TRY(sp_check_constant(c, 1.0, &part[2]));
    return call_clamp(c, f, part, out);
}

/* The sentence about a wrong number of arguments. */
static sp_status wrong_count(sp_compiler *c, const sp_frame *f, const char *name, int want,
                             bool more, int n, const sp_value *out)
{
    return SP_FAIL_AT(c, out->begin, "'%.60s' takes %s%d argument%s, got %d in '%s'", name,
                      more ? "at least " : "", want, want == 1 ? "" : "s", n,
                      sp_quote_text(f->in.text, out->begin, out->end).text);
}

static sp_status call_builtin(sp_compiler *c, const sp_frame *f, const builtin_row *row,
                              const sp_value *argument, int n, sp_value *out)
{
    if (n < row->n_min || n > row->n_max) {
        return wrong_count(c, f, row->name, row->n_min, row->n_max == MANY, n, out);
    }
    if (row->soft) {
        return n == 2              ? call_step(c, f, &argument[0], &argument[1], out)
               : *row->name == 'r' ? call_ramp(c, f, argument, out)
                                   : call_pulse(c, f, argument, out);
    }
    if (row->op == SP_OP_SELECT) {
        return sp_check_select(c, f, &argument[0], &argument[1], &argument[2], out);
    }
    if (row->n_min == 3) {
        return call_clamp(c, f, argument, out);
    }
    if (row->n_min == 1) {
        return sp_check_unary(c, f, row->op, &argument[0], out);
    }
    return call_many(c, f, row->op, argument, n, out);
}

/* The sentence about a name that is called and is no function, unless the resolver wrote one. */
static sp_status unknown_function(sp_compiler *c, const char *name, bool written)
{
    const sp_resolver *r = c->resolver;
    sp_symbol symbol;
    sp_error ignored;
    if (strcmp(name, "pi") == 0 ||
        (r && r->name && r->name(r->ctx, name, &symbol, &ignored) == SP_OK)) {
        return SP_FAIL(c->err, SP_E_INPUT,
                       "'%.60s' is not a function; a product is written '%.60s*(...)'", name, name);
    }
    if (written) {
        return SP_E_INPUT;
    }
    const char *near = sp_nearest(name, builtin_names, N_BUILTIN);
    return SP_FAIL(c->err, SP_E_INPUT, "unknown function '%.60s'%s%s%s", name,
                   near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* Looks up an own function. */
static sp_status find_function(sp_compiler *c, const char *name, sp_function *function)
{
    const sp_resolver *r = c->resolver;
    if (!r || !r->function) {
        return unknown_function(c, name, false);
    }
    const sp_status status = r->function(r->ctx, name, function, c->err);
    return status == SP_E_INPUT ? unknown_function(c, name, true) : status;
}

/* Fails if name is being expanded already; the sentence shows the ring. */
static sp_status check_ring(sp_compiler *c, const char *name)
{
    char ring[256] = "";
    bool inside = false;
    for (int k = 0; k < c->depth; k++) {
        inside = inside || (c->calling[k] && strcmp(c->calling[k], name) == 0);
        if (inside && c->calling[k]) {
            const size_t used = strlen(ring);
            snprintf(ring + used, sizeof ring - used, "%.40s -> ", c->calling[k]);
        }
    }
    if (inside) {
        return SP_FAIL(c->err, SP_E_INPUT, "function '%.40s' calls itself: %s%.40s", name, ring,
                       name);
    }
    return SP_OK;
}

/* Puts the name of the innermost function in front of the sentence about its body. */
static sp_status blame(sp_compiler *c, const char *name, sp_status status)
{
    if (c->blamed) {
        return status;
    }
    char sentence[sizeof c->err->text];
    snprintf(sentence, sizeof sentence, "%s", c->err->text);
    c->blamed = true;
    return SP_FAIL(c->err, status, "in function '%.40s': %.440s", name, sentence);
}

/* Expands an own function: its body is read with the arguments in place of the parameters. */
static sp_status call_own(sp_compiler *c, const sp_frame *f, const char *name,
                          const sp_value *argument, int n, sp_value *out)
{
    sp_function function = {.body = ""};
    SP_TRY(find_function(c, name, &function));
    if (n != function.n_param) {
        return wrong_count(c, f, name, function.n_param, false, n, out);
    }
    if (function.table) {
        return sp_check_table(c, f, function.table, &argument[0], out);
    }
    SP_TRY(check_ring(c, name));
    const size_t place = f->function ? c->call : out->begin;
    c->call = c->offset = place;
    SP_TRY(enter(c, name));
    sp_frame body = {.in = {.text = function.body, .end = strlen(function.body)},
                     .function = name,
                     .definition = &function,
                     .argument = argument};
    sp_value result;
    const sp_status status = sp_parse(c, &body, false, &result);
    if (status != SP_OK) {
        c->offset = place;
        return blame(c, name, status);
    }
    c->depth--;
    result.begin = out->begin;
    result.end = out->end;
    result.literal = result.lone_literal = false;
    *out = result;
    return SP_OK;
}

/* Whether the model has a function of this name. */
static bool is_own(const sp_compiler *c, const char *name)
{
    const sp_resolver *r = c->resolver;
    sp_function own;
    sp_error ignored;
    return r && r->function && r->function(r->ctx, name, &own, &ignored) == SP_OK;
}

sp_status sp_parse_call(sp_compiler *c, const sp_frame *f, const char *name,
                        const sp_value *argument, int n, sp_value *out)
{
    const builtin_row *row = find_builtin(name);
    row = row && row->soft && is_own(c, name) ? NULL : row;
    return row ? call_builtin(c, f, row, argument, n, out) : call_own(c, f, name, argument, n, out);
}
