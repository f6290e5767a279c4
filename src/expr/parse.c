/* Operator precedence with two explicit stacks; only functions and indices recurse, and those at
 * most SP_EXPR_DEPTH_MAX deep. */
#include "expr/compile.h"

#include "base/status.h"

#include <stdio.h>
#include <string.h>

typedef struct operator_row {
    sp_token_kind kind;
    sp_op op;
    int precedence;
    bool swap; /* x > y is y < x */
} operator_row;

enum { LEVEL_NOT = 3, LEVEL_COMPARE = 4, LEVEL_SIGN = 7, LEVEL_POWER = 8 };

static const operator_row operator_table[] = {
    {SP_TOK_OR, SP_OP_OR, 1, false},
    {SP_TOK_AND, SP_OP_AND, 2, false},
    {SP_TOK_LESS, SP_OP_LESS, LEVEL_COMPARE, false},
    {SP_TOK_LESS_EQUAL, SP_OP_LESS_EQUAL, LEVEL_COMPARE, false},
    {SP_TOK_GREATER, SP_OP_LESS, LEVEL_COMPARE, true},
    {SP_TOK_GREATER_EQUAL, SP_OP_LESS_EQUAL, LEVEL_COMPARE, true},
    {SP_TOK_PLUS, SP_OP_ADD, 5, false},
    {SP_TOK_MINUS, SP_OP_SUB, 5, false},
    {SP_TOK_TIMES, SP_OP_MUL, 6, false},
    {SP_TOK_OVER, SP_OP_DIV, 6, false},
    {SP_TOK_MOD, SP_OP_MOD, 6, false},
    {SP_TOK_POWER, SP_OP_POW, LEVEL_POWER, false},
};

/* State of one run of sp_parse. */
typedef struct parser {
    sp_compiler *c;
    sp_frame *f;
    int first_value, first_pending; /* of this run on the common stacks */
    bool index, done;
} parser;

static const operator_row *find_operator(sp_token_kind kind)
{
    for (size_t k = 0; k < sizeof operator_table / sizeof operator_table[0]; k++) {
        if (operator_table[k].kind == kind) {
            return &operator_table[k];
        }
    }
    return NULL;
}

/* A copy of an array in twice the room; NULL without memory. */
static void *grow(sp_arena *memory, const void *old, int n, int *cap, size_t size)
{
    const int more = *cap ? 2 * *cap : 32;
    void *grown = sp_arena_alloc(memory, (size_t)more, size);
    if (grown && n) {
        memcpy(grown, old, (size_t)n * size);
    }
    *cap = grown ? more : *cap;
    return grown;
}

static sp_status push_value(sp_compiler *c, const sp_value *v)
{
    if (c->n_value == c->cap_value) {
        sp_value *grown = grow(c->memory, c->value, c->n_value, &c->cap_value, sizeof *grown);
        if (!grown) {
            return SP_FAIL(c->err, SP_E_MEMORY, "out of memory in an expression");
        }
        c->value = grown;
    }
    c->value[c->n_value++] = *v;
    return SP_OK;
}

static sp_status push_pending(sp_compiler *c, const sp_pending *p)
{
    if (c->n_pending >= SP_EXPR_NEST_MAX) {
        return SP_FAIL_AT(c, p->begin, "expression nested deeper than %d operators or parentheses",
                          SP_EXPR_NEST_MAX);
    }
    if (c->n_pending == c->cap_pending) {
        sp_pending *grown =
            grow(c->memory, c->pending, c->n_pending, &c->cap_pending, sizeof *grown);
        if (!grown) {
            return SP_FAIL(c->err, SP_E_MEMORY, "out of memory in an expression");
        }
        c->pending = grown;
    }
    c->pending[c->n_pending++] = *p;
    return SP_OK;
}

static sp_pending *top(const parser *p)
{
    return p->c->n_pending > p->first_pending ? &p->c->pending[p->c->n_pending - 1] : NULL;
}

/* The text being read, for messages. */
static sp_quote whole(const parser *p)
{
    return sp_quote_text(p->f->in.text, 0, p->f->in.end);
}

/* Performs the topmost operator. */
static sp_status reduce(parser *p)
{
    sp_compiler *c = p->c;
    const sp_pending done = c->pending[--c->n_pending];
    sp_value y = c->value[--c->n_value], out = y;
    if (done.prefix) {
        out.begin = done.begin;
        if (done.kind != SP_TOK_PLUS) {
            const sp_op op = done.kind == SP_TOK_NOT ? SP_OP_NOT : SP_OP_NEG;
            SP_TRY(sp_check_unary(c, p->f, op, &y, &out));
        }
        return push_value(c, &out);
    }
    const operator_row *row = find_operator(done.kind);
    const sp_value x = c->value[--c->n_value];
    out.begin = x.begin;
    SP_TRY(sp_check_binary(c, p->f, row->op, row->swap ? &y : &x, row->swap ? &x : &y, &out));
    return push_value(c, &out);
}

/* Performs what binds tighter than level, up to the last open parenthesis. */
static sp_status reduce_to(parser *p, int level)
{
    for (const sp_pending *t = top(p); t && t->precedence > level; t = top(p)) {
        SP_TRY(reduce(p));
    }
    return SP_OK;
}

/* A factor of a unit that is called as a variable of the expression which is a pure number, as the
 * parameter of a curve in '0.25 m*s^2': refused with what to write. */
static sp_status check_factors(const parser *p, const sp_token *t)
{
    const sp_resolver *r = p->c->resolver;
    const char *text = p->f->in.text;
    for (size_t k = t->begin; t->has_unit && r && r->name && k + 1 < t->end; k++) {
        char word[8] = "";
        sp_symbol symbol = {.kind = SP_SYM_CONST};
        for (size_t n = 0; n + 1 < sizeof word && text[k + 1 + n] >= 'a' && text[k + 1 + n] <= 'z';
             n++) {
            word[n] = text[k + 1 + n];
        }
        if ((text[k] == '*' || text[k] == '/') && r->name(r->ctx, word, &symbol, NULL) == SP_OK &&
            symbol.kind == SP_SYM_INPUT && sp_dim_is_pure(symbol.dim)) {
            const sp_quote all = sp_quote_text(text, t->begin, t->end);
            const sp_quote left = sp_quote_text(text, t->begin, k);
            return SP_FAIL(p->c->err, SP_E_INPUT,
                           "'%s' in '%s' is a unit, as no blanks are around '%c'; the variable is "
                           "written '%s %c %s'",
                           word, all.text, text[k], left.text, text[k], word);
        }
    }
    return SP_OK;
}

/* A number: its dimension comes from the unit. */
static sp_status operand_number(parser *p, const sp_token *t)
{
    sp_value v = {.begin = t->begin, .end = t->end};
    SP_TRY(check_factors(p, t));
    SP_TRY(sp_check_constant(p->c, t->value, &v));
    if (p->c->check_units) {
        v.dim = t->dim;
        v.any_dim = t->value == 0.0 && !t->has_unit;
    }
    v.lone_literal = !t->has_unit;
    v.literal = true;
    return push_value(p->c, &v);
}

/* The argument a name stands for inside a function, or NULL. */
static const sp_value *find_argument(const sp_frame *f, const char *name)
{
    for (int k = 0; f->function && k < f->definition->n_param; k++) {
        if (strcmp(f->definition->param[k], name) == 0) {
            return &f->argument[k];
        }
    }
    return NULL;
}

/* Whether an unknown name is a unit in parentheses right behind a unit, as the m of "N/(m*s)". */
static bool is_grouped_unit(const parser *p, size_t begin, size_t end)
{
    const char *text = p->f->in.text;
    double factor;
    sp_dim dim;
    sp_error ignored;
    int k = p->c->n_pending - 1;
    while (k >= p->first_pending && p->c->pending[k].precedence > 0) {
        k--;
    }
    if (k < p->first_pending || p->c->pending[k].kind != SP_TOK_OPEN) {
        return false;
    }
    const size_t open = p->c->pending[k].begin;
    return open >= 2 && (text[open - 1] == '/' || text[open - 1] == '*') && text[open - 2] != ' ' &&
           sp_unit_parse(text + begin, end - begin, &factor, &dim, &ignored) == SP_OK;
}

/* A name that is no call: argument, pi, or what the resolver knows. */
static sp_status operand_name(parser *p, size_t begin, const char *path)
{
    sp_compiler *c = p->c;
    sp_value v = {.begin = begin, .end = p->f->in.pos};
    const sp_value *argument = find_argument(p->f, path);
    if (argument) {
        v = *argument;
        v.begin = begin;
        v.end = p->f->in.pos;
        v.literal = v.lone_literal = false;
        return push_value(c, &v);
    }
    sp_symbol s = {.kind = SP_SYM_CONST, .value = 3.14159265358979323846};
    if (strcmp(path, "if") == 0) {
        return SP_FAIL_AT(c, begin, "'if' needs its arguments: if(condition, a, b)");
    }
    if (strcmp(path, "pi") != 0) {
        c->offset = begin;
        if (!c->resolver || !c->resolver->name) {
            return SP_FAIL(c->err, SP_E_INPUT, "unknown name '%.60s'", path);
        }
        const sp_status found = c->resolver->name(c->resolver->ctx, path, &s, c->err);
        if (found == SP_E_INPUT && is_grouped_unit(p, begin, v.end)) {
            return SP_FAIL(c->err, found,
                           "unknown name '%s'; units have no parentheses: 'N/m/s', not 'N/(m*s)'",
                           path);
        }
        SP_TRY(found);
    }
    SP_TRY(sp_check_symbol(c, p->f, &s, &v));
    return push_value(c, &v);
}

/* A name: a call if a parenthesis follows, otherwise a path. */
static sp_status operand_path(parser *p, const sp_token *t, bool *want)
{
    sp_reader *in = &p->f->in;
    sp_reader ahead = *in;
    sp_token_blanks(&ahead);
    if (ahead.pos < ahead.end && ahead.text[ahead.pos] == '(') {
        const sp_pending call = {
            .kind = SP_TOK_NAME, .begin = t->begin, .name_end = t->end, .n_argument = 1};
        if (t->end - t->begin > SP_EXPR_NAME_MAX) {
            return SP_FAIL_AT(p->c, t->begin, "name of %zu letters, at most %d are possible",
                              t->end - t->begin, SP_EXPR_NAME_MAX);
        }
        in->pos = ahead.pos + 1;
        return push_pending(p->c, &call);
    }
    char path[SP_EXPR_NAME_MAX + 1];
    SP_TRY(sp_parse_path(p->c, p->f, t->begin, path));
    *want = false;
    if (in->pos < in->end && in->text[in->pos] == '[') { /* reported before an unknown name is */
        sp_token bracket;
        p->c->offset = in->pos;
        return sp_token_next(in, &bracket, p->c->err);
    }
    return operand_name(p, t->begin, path);
}

/* Something that is no operand where one must stand. */
static sp_status operand_missing(parser *p, const sp_token *t)
{
    sp_compiler *c = p->c;
    const sp_pending *open = top(p);
    if (t->kind != SP_TOK_END) {
        if (t->kind == SP_TOK_CLOSE && open && open->kind == SP_TOK_NAME && open->n_argument == 1) {
            const sp_quote call = sp_quote_text(p->f->in.text, open->begin, t->end);
            return SP_FAIL_AT(c, t->begin, "'%s' has no argument", call.text);
        }
        const sp_quote found = sp_quote_text(p->f->in.text, t->begin, t->end);
        return SP_FAIL_AT(c, t->begin, "'%s': expected a value before '%s'", whole(p).text,
                          found.text);
    }
    if (c->n_value == p->first_value && c->n_pending == p->first_pending) {
        return SP_FAIL_AT(c, t->begin, "'%s' is not a quantity: it is empty", whole(p).text);
    }
    return SP_FAIL_AT(c, t->begin, "'%s' ends where a value was expected", whole(p).text);
}

/* Handles a symbol where an operand must begin. */
static sp_status operand(parser *p, const sp_token *t, bool *want)
{
    sp_pending prefix = {.kind = t->kind, .begin = t->begin, .prefix = true};
    switch (t->kind) {
    case SP_TOK_NUMBER:
        *want = false;
        return operand_number(p, t);
    case SP_TOK_NAME:
        return operand_path(p, t, want);
    case SP_TOK_OPEN:
        prefix.prefix = false;
        return push_pending(p->c, &prefix);
    case SP_TOK_PLUS:
    case SP_TOK_MINUS:
        prefix.precedence = LEVEL_SIGN;
        return push_pending(p->c, &prefix);
    case SP_TOK_NOT:
        prefix.precedence = LEVEL_NOT;
        return push_pending(p->c, &prefix);
    default:
        return operand_missing(p, t);
    }
}

/* A binary operator: first performs what binds tighter. */
static sp_status infix(parser *p, const sp_token *t, const operator_row *row)
{
    const sp_pending next = {.kind = t->kind, .precedence = row->precedence, .begin = t->begin};
    const bool left = row->precedence != LEVEL_POWER && row->precedence != LEVEL_COMPARE;
    SP_TRY(reduce_to(p, row->precedence - (left ? 1 : 0)));
    const sp_pending *before = top(p);
    if (row->precedence == LEVEL_COMPARE && before && before->precedence == LEVEL_COMPARE) {
        return SP_FAIL_AT(p->c, t->begin,
                          "'%s': comparisons cannot be chained; write 'a < b and b < c'",
                          whole(p).text);
    }
    return push_pending(p->c, &next);
}

/* A closing parenthesis: ends a group, a call or an index. */
static sp_status close(parser *p, const sp_token *t)
{
    sp_compiler *c = p->c;
    SP_TRY(reduce_to(p, 0));
    if (!top(p)) {
        p->done = p->index;
        return p->index ? SP_OK : SP_FAIL_AT(c, t->begin, "unbalanced ')' in '%s'", whole(p).text);
    }
    const sp_pending open = c->pending[--c->n_pending];
    if (open.kind == SP_TOK_OPEN) {
        sp_value *v = &c->value[c->n_value - 1];
        v->begin = open.begin;
        v->end = t->end;
        v->literal = v->lone_literal = false;
        return SP_OK;
    }
    char name[SP_EXPR_NAME_MAX + 1];
    snprintf(name, sizeof name, "%.*s", (int)(open.name_end - open.begin),
             p->f->in.text + open.begin);
    sp_value out = {.begin = open.begin, .end = t->end};
    const int first = c->n_value - open.n_argument;
    c->offset = open.begin;
    SP_TRY(sp_parse_call(c, p->f, name, &c->value[first], open.n_argument, &out));
    c->n_value = first;
    return push_value(c, &out);
}

/* A comma: the next argument of a call begins. */
static sp_status comma(parser *p, const sp_token *t)
{
    SP_TRY(reduce_to(p, 0));
    sp_pending *open = top(p);
    if (!open || open->kind != SP_TOK_NAME) {
        return SP_FAIL_AT(p->c, t->begin, "'%s': a comma may only separate arguments of a function",
                          whole(p).text);
    }
    open->n_argument++;
    return SP_OK;
}

/* The end of the text: no parenthesis is open, see check_balance. */
static sp_status finish(parser *p, const sp_token *t)
{
    SP_TRY(reduce_to(p, 0));
    p->done = true;
    return top(p) || p->index ? SP_FAIL_AT(p->c, t->begin, "unbalanced '(' in '%s'", whole(p).text)
                              : SP_OK;
}

/* Two operands side by side. */
static sp_status operator_missing(parser *p, const sp_token *t)
{
    const sp_value *left = &p->c->value[p->c->n_value - 1];
    const char *text = p->f->in.text;
    const sp_quote both = sp_quote_text(text, left->begin, t->end);
    const sp_quote a = sp_quote_text(text, left->begin, left->end);
    const sp_quote b = sp_quote_text(text, t->begin, t->end);
    return SP_FAIL_AT(p->c, t->begin,
                      "'%s': expected an operator before '%s'; a product is written '%s*%s'",
                      both.text, b.text, a.text, t->kind == SP_TOK_OPEN ? "(...)" : b.text);
}

/* Handles a symbol behind an operand. */
static sp_status behind(parser *p, const sp_token *t, bool *want)
{
    const operator_row *row = find_operator(t->kind);
    if (row) {
        *want = true;
        return infix(p, t, row);
    }
    switch (t->kind) {
    case SP_TOK_CLOSE:
        return close(p, t);
    case SP_TOK_COMMA:
        *want = true;
        return comma(p, t);
    case SP_TOK_END:
        return finish(p, t);
    default:
        return operator_missing(p, t);
    }
}

/* Every parenthesis must have its partner.  Looked at first, because a text cut at a comma is
 * reported by this better than by what else is wrong with it. */
static sp_status check_balance(const parser *p)
{
    const sp_reader *in = &p->f->in;
    size_t open = 0, first = in->pos;
    for (size_t k = in->pos; k < in->end; k++) {
        if (in->text[k] == '(' && open++ == 0) {
            first = k;
        } else if (in->text[k] == ')' && open-- == 0) {
            return SP_FAIL_AT(p->c, k, "unbalanced ')' in '%s'", whole(p).text);
        }
    }
    return open ? SP_FAIL_AT(p->c, first, "unbalanced '(' in '%s'", whole(p).text) : SP_OK;
}

sp_status sp_parse(sp_compiler *c, sp_frame *f, bool index, sp_value *out)
{
    parser p = {
        .c = c, .f = f, .first_value = c->n_value, .first_pending = c->n_pending, .index = index};
    SP_TRY(index ? SP_OK : check_balance(&p));
    bool want = true;
    while (!p.done) {
        sp_token t;
        if (++c->n_symbol > SP_EXPR_SYMBOL_MAX) {
            return SP_FAIL_AT(c, f->in.pos,
                              "expression of more than %d symbols, counting functions at every "
                              "call; make it smaller",
                              SP_EXPR_SYMBOL_MAX);
        }
        if (sp_token_next(&f->in, &t, c->err) != SP_OK) {
            c->offset = t.begin;
            return SP_E_INPUT;
        }
        SP_TRY(want ? operand(&p, &t, &want) : behind(&p, &t, &want));
    }
    *out = c->value[--c->n_value];
    return SP_OK;
}
