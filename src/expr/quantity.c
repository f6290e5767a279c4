/* The entrances to this room: compile a text, evaluate a constant, check a place, read a reference.
 */
#include "expr/compile.h"

#include "base/status.h"

#include <ctype.h>
#include <string.h>

/* Memory of one compilation; its worst case is bounded by SP_EXPR_SYMBOL_MAX. */
static void begin(sp_compiler *c, sp_arena *memory, const sp_allocator *allocator,
                  const sp_resolver *r, sp_error *err)
{
    memset(c, 0, sizeof *c);
    sp_arena_init(memory, allocator, 0);
    c->memory = memory;
    c->resolver = r;
    c->check_units = !r || r->check_units;
    c->err = err;
}

sp_status sp_compile_text(sp_compiler *c, const char *text, sp_value *out)
{
    sp_frame f = {.in = {.text = text, .end = strlen(text)}};
    SP_TRY(sp_parse(c, &f, false, out));
    if (out->condition) {
        const sp_quote all = sp_quote_text(text, 0, f.in.end);
        return SP_FAIL_AT(c, out->begin,
                          "'%s' is a condition, expected a number; write 'if(%s, 1, 0)'", all.text,
                          all.text);
    }
    return SP_OK;
}

/* Reports what the text came to. */
static void inform(const sp_compiler *c, const sp_value *v, sp_expr_info *info)
{
    const sp_node *node = &c->node[v->node];
    info->dim = v->dim;
    info->any_dim = v->any_dim || !c->check_units;
    info->lone_literal = v->lone_literal;
    info->literal = v->literal;
    info->is_const = node->kind == SP_NODE_CONST && !node->poison;
    info->value = info->is_const ? node->value : 0.0;
}

/* Compiles a text; out NULL: no program is wanted. */
static sp_status compile(sp_arena *a, const char *text, const sp_resolver *r, sp_program **out,
                         sp_expr_info *info, sp_error *err)
{
    sp_compiler c;
    sp_arena memory;
    sp_error own;
    sp_value v;
    begin(&c, &memory, &a->allocator, r, err ? err : &own);
    memset(info, 0, sizeof *info);
    sp_status status = sp_compile_text(&c, text, &v);
    if (status == SP_OK) {
        inform(&c, &v, info);
        if (out || !info->is_const) {
            sp_program *program = NULL;
            status = out && r && r->clock ? sp_hoist(&c, a, v.node) : SP_OK;
            status = status == SP_OK ? sp_emit(&c, out ? a : &memory, v.node, &program) : status;
            if (out) {
                *out = status == SP_OK ? program : NULL;
            }
        }
    }
    info->offset = status == SP_OK ? 0 : c.offset;
    sp_arena_free(&memory);
    return status;
}

sp_status sp_expr_compile(sp_arena *a, const char *text, const sp_resolver *r, sp_program **out,
                          sp_expr_info *info, sp_error *err)
{
    sp_expr_info own;
    *out = NULL;
    return compile(a, text, r, out, info ? info : &own, err);
}

sp_status sp_expr_constant(sp_arena *a, const char *text, const sp_resolver *r, double *value,
                           sp_expr_info *info, sp_error *err)
{
    sp_expr_info own;
    info = info ? info : &own;
    SP_TRY(compile(a, text, r, NULL, info, err));
    if (!info->is_const) {
        return SP_FAIL(err, SP_E_INPUT, "'%s' is not constant",
                       sp_quote_text(text, 0, strlen(text)).text);
    }
    *value = info->value;
    return SP_OK;
}

sp_program *sp_program_constant(sp_arena *a, double value)
{
    sp_program *p = SP_NEW(a, sp_program, 1);
    double *constant = SP_NEW(a, double, 1);
    const sp_instr *none = SP_NEW(a, sp_instr, 1);
    if (!p || !constant || !none) {
        return NULL;
    }
    *constant = value;
    p->instr = none;
    p->constant = constant;
    p->n_const = 1;
    p->result = SP_AT_CONST << SP_AT_SHIFT;
    return p;
}

/* What to write instead of a frequency where an angular velocity is wanted. */
static sp_status frequency_for_speed(const char *text, const sp_expr_info *info,
                                     const char *want_text, sp_error *err)
{
    const sp_quote all = sp_quote_text(text, 0, strlen(text));
    if (info->literal) {
        return SP_FAIL(err, SP_E_INPUT,
                       "%s is a frequency, expected %s; for %.10g turns per second write '%.10g "
                       "rev/s'",
                       all.text, want_text, info->value, info->value);
    }
    const bool name = !strpbrk(text, " +-*/(<>");
    return SP_FAIL(err, SP_E_INPUT,
                   "%s is a frequency, expected %s; for turns per second write '2*pi*%s%s%s'",
                   all.text, want_text, name ? "" : "(", all.text, name ? "" : ")");
}

/* Whether a text multiplies or divides by 't' right behind a letter, "2 rad/s*t", where it is the
 * tonne. */
static bool has_tonne(const char *text)
{
    for (const char *p = text; (p = strchr(p, 't')) != NULL; p++) {
        const bool product = p - text >= 2 && (p[-1] == '*' || p[-1] == '/');
        if (product && isalpha((unsigned char)p[-2]) && !isalnum((unsigned char)p[1]) &&
            p[1] != '_' && p[1] != '.') {
            return true;
        }
    }
    return false;
}

sp_status sp_quantity_fits(const char *text, const sp_expr_info *info, sp_dim want,
                           const char *want_text, sp_error *err)
{
    if (info->any_dim || info->lone_literal) {
        return SP_OK;
    }
    char expected[96], found[96];
    sp_dim_describe(want, expected, sizeof expected);
    want_text = want_text ? want_text : expected;
    if (!sp_dim_equal(info->dim, want)) {
        sp_dim_describe(info->dim, found, sizeof found);
        return SP_FAIL(
            err, SP_E_INPUT, "%s is %s, expected %s%s", sp_quote_text(text, 0, strlen(text)).text,
            found, want_text,
            has_tonne(text) ? "; behind a unit 't' is the tonne, for time write '(...)*t'" : "");
    }
    if (info->dim.frequency && !want.frequency) {
        return frequency_for_speed(text, info, want_text, err);
    }
    return SP_OK;
}

/* Reads a reference: one path and nothing else. */
static sp_status read_path(sp_compiler *c, const char *text, char path[SP_EXPR_NAME_MAX + 1])
{
    sp_frame f = {.in = {.text = text, .end = strlen(text)}};
    sp_token_blanks(&f.in);
    const size_t start = f.in.pos;
    const sp_quote all = sp_quote_text(text, start, f.in.end);
    if (sp_token_name(&f.in, start) == 0) {
        return SP_FAIL_AT(c, start, "'%s' is not a reference, expected a name such as 'rod.tip'",
                          all.text);
    }
    SP_TRY(sp_parse_path(c, &f, start, path));
    sp_token_blanks(&f.in);
    if (f.in.pos < f.in.end) {
        return SP_FAIL_AT(c, f.in.pos, "'%s' is not a reference: unexpected '%s' behind '%.60s'",
                          all.text, sp_quote_text(text, f.in.pos, f.in.end).text, path);
    }
    return SP_OK;
}

sp_status sp_path_canonical(sp_arena *a, const char *text, const sp_resolver *r, const char **out,
                            sp_error *err)
{
    sp_compiler c;
    sp_arena memory;
    sp_error own;
    char path[SP_EXPR_NAME_MAX + 1];
    begin(&c, &memory, &a->allocator, r, err ? err : &own);
    const sp_status status = read_path(&c, text, path);
    sp_arena_free(&memory);
    *out = NULL;
    SP_TRY(status);
    *out = sp_arena_copy(a, path);
    return *out ? SP_OK : SP_FAIL(err, SP_E_MEMORY, "out of memory in a reference");
}
