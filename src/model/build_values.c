/* model/build_values.c - parameters, functions, and quantities that are made of them. */
#include "expr/held.h"
#include "model/build_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { RING_MAX = 300 };

/* ---- reporting ------------------------------------------------------------------------------ */

/* "body 'rod': " or nothing. */
static const char *prefix(const sp_scope *scope, char buf[SP_WHAT_MAX + 2])
{
    snprintf(buf, SP_WHAT_MAX + 2, "%s%s", scope->what, *scope->what ? ": " : "");
    return buf;
}

void sp_build_report(sp_build *b, const sp_look *look, const sp_node *node, const char *key,
                     size_t offset, const sp_error *err)
{
    char who[SP_WHAT_MAX + 2];
    if (err->status == SP_E_MEMORY) {
        b->no_memory = true;
    }
    if (look->poisoned || b->no_memory) {
        return;
    }
    const char *between = !key ? "" : look->dependence ? " " : ": ";
    sp_build_error(b, node->place, node->quoted ? offset + 1 : offset, "%s%s%s%s",
                   prefix(look->scope, who), key ? key : "", between, err->text);
}

/* The parameter that a text alone names, SP_NONE: none. */
static int find_value(sp_build *b, const sp_node *node)
{
    const char *name = sp_build_own(b, node, node->text, SP_MEANT_VALUE);
    return sp_names_find(&b->value_names, name, strlen(name));
}

/* A unit that is not known and no parameter's name either: what is expected, instead of how a
 * product is written. */
static void say_wanted(const sp_build *b, sp_dim want, sp_error *err)
{
    char wanted[120];
    const char *name = err->text + strlen("unknown unit '");
    char *hint = strstr(err->text, "; a ");
    if (strncmp(err->text, "unknown unit '", strlen("unknown unit '")) != 0 || !hint ||
        strstr(hint, "(...)") /* a function is no unit */ ||
        sp_names_find(&b->value_names, name, strcspn(name, "'")) != SP_NONE) {
        return;
    }
    sp_dim_describe(want, wanted, sizeof wanted);
    snprintf(hint, (size_t)(err->text + sizeof err->text - hint), ", expected %s", wanted);
}

/* Report a quantity whose dimension is wrong; a lone parameter without unit that another file sets,
 * such as a study, is reported there. */
static void report_dimension(sp_build *b, const sp_look *look, const sp_node *node, const char *key,
                             sp_dim want, const sp_error *err)
{
    char who[SP_WHAT_MAX + 2], wanted[120], unit[80];
    if (look->poisoned) {
        return;
    }
    prefix(look->scope, who);
    const char *name = key ? key : "", *equals = key ? " = " : "";
    const int k = find_value(b, node);
    const sp_value *cell = sp_build_cell(look->scope, node->text);
    const sp_value *v = cell ? cell : k == SP_NONE ? NULL : &b->value[k];
    if (!v || v->is_vector || !v->info[0].lone_literal) {
        sp_build_error(b, node->place, 0, "%s%s%s%s", who, name, equals, err->text);
        return;
    }
    sp_dim_describe(want, wanted, sizeof wanted);
    sp_dim_unit(want, unit, sizeof unit);
    if (cell) {
        sp_build_error(b, node->place, 0,
                       "%s%s%s%s, a column of table '%s', is a pure number there, expected %s; "
                       "give the column the unit %s",
                       who, name, equals, v->name, look->scope->rows->name, wanted, unit);
        return;
    }
    const sp_place use = node->place, set = v->text->place;
    const bool elsewhere = set.file && use.file && strcmp(set.file, use.file) != 0;
    const char *file = elsewhere ? use.file : "line";
    sp_build_error(b, elsewhere ? set : use, 0,
                   "%s%s%s%s is a pure number (%s, %s in %s%c%d), expected %s; write '%s: %s %s' "
                   "%s",
                   who, name, equals, v->name, v->text->text, elsewhere ? "used" : "set", file,
                   elsewhere ? ':' : ' ', elsewhere ? use.line : set.line, wanted, v->name,
                   v->text->text, unit, elsewhere ? "here" : "there");
}

/* ---- quantities ----------------------------------------------------------------------------- */

/* Compile a text that must be a number of dimension want (NULL: any). */
static bool number(sp_look *look, const sp_node *node, const char *key, const sp_dim *want,
                   const char *want_text, double *value, sp_expr_info *info)
{
    sp_build *b = look->b;
    const char *text = sp_build_text(node);
    if (!text) {
        return false;
    }
    const sp_resolver resolver = sp_build_resolver(look, node);
    sp_error err = {.status = SP_OK};
    memset(info, 0, sizeof *info);
    if (sp_expr_constant(&b->scratch, text, &resolver, value, info, &err) != SP_OK) {
        if (want) {
            say_wanted(b, *want, &err);
        }
        sp_build_report(b, look, node, key, info->offset, &err);
        return false;
    }
    if (want && b->units && sp_quantity_fits(text, info, *want, want_text, &err) != SP_OK) {
        report_dimension(b, look, node, key, *want, &err);
        return false;
    }
    if (!isfinite(*value) && !look->poisoned) {
        sp_error bad = {.status = SP_E_INPUT};
        snprintf(bad.text, sizeof bad.text, "'%.200s' is %g, expected a finite number", text,
                 *value);
        sp_build_report(b, look, node, key, 0, &bad);
    }
    return isfinite(*value) && !look->poisoned;
}

bool sp_build_number(sp_look *look, const sp_node *node, const char *key, double *value,
                     sp_expr_info *info)
{
    return number(look, node, key, NULL, NULL, value, info);
}

bool sp_build_quantity(sp_build *b, sp_scope *scope, const sp_node *node, const char *key,
                       sp_dim want, const char *want_text, double *value)
{
    sp_look look = {.b = b, .scope = scope};
    sp_expr_info info;
    double x;
    if (!number(&look, node, key, &want, want_text, &x, &info)) {
        return false;
    }
    *value = x;
    return true;
}

/* Whether a text is a number with at most a unit behind it, so that its value is plain to see. */
static bool is_plain(const char *text)
{
    text += strspn(text, "+-");
    const size_t n = strspn(text, ".0123456789eE");
    const char *blank = strchr(text, ' ');
    return strspn(text, ".0123456789") > 0 &&
           (text[n] == ' ' || text[n] == '\0' || (text[n] == '-' && text[n - 1] == 'e')) &&
           !(blank && strchr(blank + 1, ' ')) && !strchr(text, '(');
}

const char *sp_build_shown(const char *text, double value, char *buf, size_t size)
{
    if (is_plain(text)) {
        snprintf(buf, size, "%.100s", text);
    } else {
        snprintf(buf, size, "%.100s = %g", text, value);
    }
    return buf;
}

bool sp_build_positive(sp_build *b, sp_scope *scope, const sp_node *node, const char *key,
                       sp_dim want, bool zero, double *value)
{
    char who[SP_WHAT_MAX + 2], text[160];
    double x;
    if (!sp_build_quantity(b, scope, node, key, want, NULL, &x)) {
        return false;
    }
    /* a mass of 0 is what a mass left out is, a negative one is meant to be > 0 */
    const bool weak = zero && strcmp(key, "mass") != 0;
    if (!(x > 0.0) && !(zero && x >= 0.0)) {
        sp_build_error(b, node->place, 0, "%s%s = %s, expected %s 0", prefix(scope, who), key,
                       sp_build_shown(node->text, x, text, sizeof text), weak ? ">=" : ">");
        return false;
    }
    if (x > 0.0 && x < SP_BUILD_SMALLEST) {
        sp_build_error(b, node->place, 0,
                       "%s%s = %s, expected %sat least %g, since smaller numbers lose their digits "
                       "and cannot be divided by; is the unit right?",
                       prefix(scope, who), key, sp_build_shown(node->text, x, text, sizeof text),
                       weak ? "0 or " : "", SP_BUILD_SMALLEST);
        return false;
    }
    if (x > SP_BUILD_LARGEST && want.e[1] != 0) { /* masses, forces, stiffnesses */
        sp_build_error(b, node->place, 0,
                       "%s%s = %s, expected at most %g, since products of larger numbers overflow; "
                       "is the unit right?",
                       prefix(scope, who), key, sp_build_shown(node->text, x, text, sizeof text),
                       SP_BUILD_LARGEST);
        return false;
    }
    *value = x;
    return true;
}

void sp_build_warn_of_push(sp_build *b, const sp_scope *scope, const sp_node *node, const char *key,
                           double value)
{
    char who[SP_WHAT_MAX + 2], text[160];
    if (value < 0.0) {
        sp_diag_add(b->diag, SP_WARNING, sp_build_place(b, node->place),
                    "%s%s = %s is negative: it drives what moves away from rest; steps take it "
                    "explicitly, implicit or not",
                    prefix(scope, who), key, sp_build_shown(node->text, value, text, sizeof text));
    }
}

bool sp_build_count(sp_build *b, sp_scope *scope, const sp_node *node, const char *key, int least,
                    int *value)
{
    char who[SP_WHAT_MAX + 2], text[160];
    double x;
    if (!sp_build_quantity(b, scope, node, key, sp_dim_of(0, 0, 0), NULL, &x)) {
        return false;
    }
    const double whole = nearbyint(x);
    if (!(fabs(x - whole) <= 1e-9 * fmax(1.0, fabs(x))) || !(whole >= least) ||
        !(whole <= SP_BUILD_BODY_MAX)) {
        sp_build_error(b, node->place, 0, "%s%s = %s, expected a whole number from %d to %d",
                       prefix(scope, who), key, sp_build_shown(node->text, x, text, sizeof text),
                       least, SP_BUILD_BODY_MAX);
        return false;
    }
    *value = (int)whole;
    return true;
}

/* ---- vectors and directions ----------------------------------------------------------------- */

/* The parameter, or the column of a table, that a text names, if it is a vector. */
static const sp_value *vector_value(sp_build *b, const sp_scope *scope, const sp_node *node)
{
    const char *text = sp_build_text(node);
    const sp_value *cell = text && scope ? sp_build_cell(scope, text) : NULL;
    if (cell) {
        return cell->is_vector ? cell : NULL;
    }
    const int k = text ? find_value(b, node) : SP_NONE;
    return k != SP_NONE && b->value[k].is_vector ? &b->value[k] : NULL;
}

bool sp_build_is_vector(sp_build *b, const sp_node *node)
{
    return vector_value(b, NULL, node) != NULL;
}

/* A vector given by the name of a parameter. */
static bool named_vector(sp_build *b, sp_scope *scope, const sp_node *node, const char *key,
                         sp_dim want, double *value)
{
    char who[SP_WHAT_MAX + 2];
    const char *form = b->dim == 3 ? "[x, y, z]" : "[x, y]";
    const sp_value *v = vector_value(b, scope, node);
    const char *name = key ? key : "", *equals = key ? " = " : "";
    const int k = find_value(b, node);
    prefix(scope, who);
    if (!v && (k == SP_NONE || sp_build_cell(scope, node->text))) {
        sp_build_error(b, node->place, 0, "%s%s%s%.100s, expected %s or a parameter that is one",
                       who, name, equals, node->text, form);
    } else if (!v && b->value[k].state == SP_VALUE_DONE) {
        sp_build_error(b, node->place, 0, "%s%s%s%s is one number, expected %s", who, name, equals,
                       node->text, form);
    } else if (v && v->state == SP_VALUE_DONE && v->n != b->dim) {
        sp_build_error(b, node->place, 0, "%s%s%s%s has %d entries, expected %d", who, name, equals,
                       node->text, v->n, b->dim);
    }
    if (!v || v->state != SP_VALUE_DONE || v->n != b->dim) {
        return false;
    }
    for (int d = 0; d < b->dim; d++) {
        sp_error err;
        if (b->units && sp_quantity_fits(node->text, &v->info[d], want, NULL, &err) != SP_OK) {
            sp_build_error(b, node->place, 0, "%s%s%s%s", who, name, equals, err.text);
            return false;
        }
        value[d] = v->number[d];
    }
    return true;
}

bool sp_build_vector(sp_build *b, sp_scope *scope, const sp_node *node, const char *key,
                     sp_dim want, double *value)
{
    if (!node || node->kind == SP_NODE_MAP) {
        return false;
    }
    if (node->kind == SP_NODE_TEXT) {
        return sp_build_text(node) && named_vector(b, scope, node, key, want, value);
    }
    if (node->n_child != b->dim) {
        return false;
    }
    double x[3] = {0.0, 0.0, 0.0};
    bool good = true;
    int d = 0;
    for (const sp_node *item = node->first; item; item = item->next, d++) {
        good = sp_build_quantity(b, scope, item, key, want, NULL, &x[d]) && good;
    }
    if (good) {
        memcpy(value, x, (size_t)b->dim * sizeof *x);
    }
    return good;
}

bool sp_build_direction(sp_build *b, sp_scope *scope, const sp_node *node, const char *key,
                        double *value)
{
    char who[SP_WHAT_MAX + 2];
    double v[3] = {0.0, 0.0, 0.0};
    if (b->dim == 2 && sp_build_text(node) && !vector_value(b, scope, node)) {
        double angle;
        if (!sp_build_quantity(b, scope, node, key, sp_dim_of(0, 0, 0), "an angle [rad]", &angle)) {
            return false;
        }
        value[0] = cos(angle);
        value[1] = sin(angle);
        return true;
    }
    if (!sp_build_vector(b, scope, node, key, sp_dim_of(0, 0, 0), v)) {
        return false;
    }
    const double length = b->dim == 3 ? hypot(hypot(v[0], v[1]), v[2]) : hypot(v[0], v[1]);
    if (!(length > 0.0) || !isfinite(length)) {
        char third[40] = "";
        if (b->dim == 3) {
            snprintf(third, sizeof third, ", %g", v[2]);
        }
        sp_build_error(b, node->place, 0, "%s%s = [%g, %g%s] has no direction", prefix(scope, who),
                       key, v[0], v[1], third);
        return false;
    }
    for (int d = 0; d < b->dim; d++) {
        value[d] = v[d] / length;
    }
    return true;
}

/* ---- expressions of the state --------------------------------------------------------------- */

/* The kinks of an expression that depend on the state. */
static bool find_kinks(sp_build *b, const sp_scope *scope, sp_func *f)
{
    bool *state = SP_BUILD_NEW(b, &b->scratch, bool, f->n_signal + 1);
    bool *mark = SP_BUILD_NEW(b, &b->scratch, bool, sp_program_work(f->program, 0));
    for (int k = 0; state && k < f->n_signal; k++) {
        state[k] = f->signal[k].kind != SP_SIG_TIME && f->signal[k].kind != SP_SIG_CLOCK;
    }
    if (!state || !mark) {
        return false;
    }
    f->first_kink = b->n_kink;
    f->n_kink = sp_program_kinks(f->program, state, mark, NULL);
    const char *name = f->n_kink > 0 ? sp_build_printf(b, "%s", scope->what) : NULL;
    for (int k = 0; k < f->n_kink && SP_BUILD_ROOM(b, b->kink, b->n_kink); k++) {
        b->kink[b->n_kink++] = name;
    }
    int *list = SP_BUILD_NEW(b, b->arena, int, f->n_kink);
    if (list) {
        sp_program_kinks(f->program, state, mark, list);
    }
    f->kink_instr = list;
    return list != NULL;
}

bool sp_build_finish_func(sp_build *b, const sp_look *look, const sp_program *program,
                          const sp_expr_info *info, sp_func *func)
{
    *func = (sp_func){.program = NULL, .constant = info->value};
    if (info->is_const) {
        return true;
    }
    const int n = sp_program_n_input(program), *input = sp_program_inputs(program);
    sp_signal *signal = SP_BUILD_NEW(b, b->arena, sp_signal, n);
    if (!signal) {
        return false;
    }
    for (int k = 0; k < n; k++) {
        signal[k] = look->signal[input[k]];
    }
    const bool output = look->scope->level == SP_LEVEL_OUTPUT; /* nobody asks for its Hessian */
    const size_t work = sp_program_work(program, output ? 1 : 2);
    const size_t hess = output ? 0 : (size_t)n * (size_t)(n + 1) / 2;
    b->expr_work = work > b->expr_work ? work : b->expr_work;
    b->expr_hess = hess > b->expr_hess ? hess : b->expr_hess;
    b->expr_input = n > b->expr_input ? n : b->expr_input;
    func->program = program;
    func->n_signal = n;
    func->signal = signal;
    const sp_level level = look->scope->level;
    return level == SP_LEVEL_MEASURE || level == SP_LEVEL_F ? find_kinks(b, look->scope, func)
                                                            : true;
}

bool sp_build_func(sp_build *b, sp_scope *scope, const sp_node *node, const char *key,
                   const sp_dim *want, const char *want_text, sp_func *func, sp_expr_info *info)
{
    const char *text = sp_build_text(node);
    sp_look look = {.b = b, .scope = scope, .clocks = true};
    const sp_resolver resolver = sp_build_resolver(&look, node);
    sp_program *program = NULL;
    sp_error err = {.status = SP_OK};
    memset(info, 0, sizeof *info);
    if (!text) {
        return false;
    }
    if (sp_expr_compile(b->arena, text, &resolver, &program, info, &err) != SP_OK) {
        if (want) {
            say_wanted(b, *want, &err);
        }
        sp_build_report(b, &look, node, key, info->offset, &err);
        return false;
    }
    if (want && b->units && sp_quantity_fits(text, info, *want, want_text, &err) != SP_OK) {
        report_dimension(b, &look, node, key, *want, &err);
        return false;
    }
    return !look.poisoned && sp_build_finish_func(b, &look, program, info, func);
}

/* ---- functions ------------------------------------------------------------------------------ */

/* Split "f(x, y)" into the name and the parameters. */
static bool read_signature(sp_build *b, const char *key, const char **name, sp_function *f)
{
    const char *open = strchr(key, '('), *close = open ? strchr(open, ')') : NULL;
    if (!close) {
        return false; /* said to be no function already */
    }
    int n = 1;
    for (const char *p = open; p < close; p++) {
        n += *p == ',';
    }
    const char **param = SP_BUILD_NEW(b, &b->scratch, const char *, n);
    *name = sp_arena_text(&b->scratch, key, strcspn(key, " ("));
    const char *p = open + 1;
    for (int k = 0; param && k < n; k++) {
        p += strspn(p, " ");
        const size_t length = strcspn(p, " ,)");
        param[k] = sp_arena_text(&b->scratch, p, length);
        if (!param[k]) {
            param = NULL;
            break;
        }
        p += length;
        p += strspn(p, " ");
        p += *p == ',';
    }
    if (!param || !*name) {
        b->no_memory = true;
        return false;
    }
    f->n_param = n == 1 && !*param[0] ? 0 : n;
    f->param = param;
    return true;
}

void sp_build_functions(sp_build *b)
{
    const sp_node *map = sp_node_get(b->root, "functions");
    if (!map || map->kind != SP_NODE_MAP) {
        return;
    }
    b->function = SP_BUILD_NEW(b, &b->scratch, sp_own_function, map->n_child);
    for (const sp_node *node = map->first; node && b->function; node = node->next) {
        sp_own_function *f = &b->function[b->n_function];
        const char *name;
        f->is_table = node->kind == SP_NODE_MAP;
        if (f->is_table) {
            static const char *const argument[] = {"x"};
            name = node->key;
            f->function = (sp_function){.n_param = 1, .param = argument, .body = "0"};
        } else if (sp_build_text(node) && read_signature(b, node->key, &name, &f->function)) {
            f->function.body = node->text;
        } else {
            continue;
        }
        f->node = node;
        if (!sp_build_name(b, &b->function_names, name, b->n_function)) {
            return;
        }
        b->n_function++;
    }
}

/* ---- parameters ----------------------------------------------------------------------------- */

/* Read the list of parameters; nothing is computed yet. */
static void list_values(sp_build *b, const sp_node *map)
{
    for (const sp_node *node = map->first; node && !b->no_memory; node = node->next) {
        if (strcmp(node->key, "i") == 0 || strcmp(node->key, "n") == 0) {
            sp_build_error(b, node->key_place, 0,
                           "parameter '%s': the name is reserved for elements with 'count'",
                           node->key);
        }
        sp_build_add_value(b, node->key, node, NULL, NULL);
    }
}

bool sp_build_add_value(sp_build *b, const char *name, const sp_node *node, const sp_scope *scope,
                        const sp_value *same)
{
    sp_value v = {.name = name, .node = node, .scope = scope};
    v.text = node->kind == SP_NODE_MAP ? sp_node_get(node, "value") : node;
    v.is_vector = node->kind == SP_NODE_LIST;
    v.n = v.is_vector ? node->n_child : 1;
    if (same) {
        v = *same;
        v.name = name;
    } else {
        v.number = SP_BUILD_NEW(b, &b->scratch, double, v.n);
        v.info = SP_BUILD_NEW(b, &b->scratch, sp_expr_info, v.n);
    }
    if (b->no_memory || !SP_BUILD_ROOM(b, b->value, b->n_value) ||
        !sp_build_name(b, &b->value_names, name, b->n_value)) {
        return false;
    }
    b->value[b->n_value++] = v;
    return true;
}

/* The value of a parameter of a part that is a vector by name; false if it is none. */
static bool copy_vector(sp_build *b, sp_scope *scope, sp_value *v)
{
    const bool of_part = v->scope || (v->text && v->text->instance);
    const sp_value *from = of_part ? vector_value(b, scope, v->text) : NULL;
    if (!from || from->state != SP_VALUE_DONE) {
        return false;
    }
    v->is_vector = true;
    v->n = from->n;
    v->number = from->number;
    v->info = from->info;
    v->state = SP_VALUE_DONE;
    return true;
}

/* Try to compute a parameter.  False if others are needed first, which are put into its list. */
static bool try_value(sp_build *b, sp_value *v)
{
    sp_scope scope = sp_build_scope_of("parameter '%.100s'", v->name);
    if (v->scope) { /* of a part: sees its index and row */
        const sp_scope named = scope;
        scope = *v->scope;
        memcpy(scope.what, named.what, sizeof scope.what);
    }
    sp_look look = {.b = b, .scope = &scope};
    if (copy_vector(b, &scope, v)) {
        return true;
    }
    const sp_node *node = v->is_vector ? v->text->first : v->text;
    bool good = node != NULL;
    for (int k = 0; k < v->n && node; k++, node = node->next) {
        good = number(&look, node, NULL, NULL, NULL, &v->number[k], &v->info[k]) && good;
    }
    if (look.n_need > 0) {
        v->need = look.need;
        v->n_need = look.n_need;
        v->next_need = 0;
        return false;
    }
    v->state = good ? SP_VALUE_DONE : SP_VALUE_FAILED;
    return true;
}

/* Report parameters that need each other: those on the stack from `from` on. */
static void report_ring(sp_build *b, const int *stack, int from, int n)
{
    char ring[RING_MAX];
    size_t used = 0;
    int first = from; /* report it at the one that is first in the file */
    for (int k = from; k < n; k++) {
        first = stack[k] < stack[first] ? k : first;
    }
    for (int k = 0; k <= n - from && used < sizeof ring - 70; k++) {
        const int at = from + (first - from + k) % (n - from);
        used += (size_t)snprintf(ring + used, sizeof ring - used, "%s%.60s", k ? " -> " : "",
                                 b->value[stack[at]].name);
    }
    const sp_value *v = &b->value[stack[first]];
    sp_build_error(b, v->text->place, 0, "parameter '%s': needs itself, %s%s", v->name, ring,
                   used >= sizeof ring - 70 ? " -> ..." : "");
    for (int k = from; k < n; k++) {
        b->value[stack[k]].state = SP_VALUE_FAILED;
    }
}

/* Compute a parameter and all that it needs, with a stack of those that wait. */
static void compute_value(sp_build *b, int start, int *stack)
{
    int n = 0;
    stack[n++] = start;
    b->value[start].state = SP_VALUE_ACTIVE;
    while (n > 0 && !b->no_memory) {
        sp_value *v = &b->value[stack[n - 1]];
        if (v->state != SP_VALUE_ACTIVE) {
            n--;
        } else if (v->next_need == v->n_need) {
            v->n_need = v->next_need = 0;
            n -= try_value(b, v);
        } else {
            const int k = v->need[v->next_need++];
            if (b->value[k].state == SP_VALUE_NEW) {
                b->value[k].state = SP_VALUE_ACTIVE;
                stack[n++] = k;
            } else if (b->value[k].state == SP_VALUE_ACTIVE) {
                int from = n - 1;
                while (stack[from] != k) {
                    from--;
                }
                report_ring(b, stack, from, n);
            }
        }
    }
}

/* Hold a parameter against its `min` and `max`. */
static void check_bounds(sp_build *b, const sp_value *v)
{
    static const char *const key[] = {"min", "max"};
    if (v->node->kind != SP_NODE_MAP || v->state != SP_VALUE_DONE) {
        return;
    }
    for (int k = 0; k < 2; k++) {
        const sp_node *node = sp_node_get(v->node, key[k]);
        sp_scope scope = sp_build_scope_of("parameter '%.100s'", v->name);
        double bound;
        sp_look look = {.b = b, .scope = &scope};
        sp_expr_info info;
        const sp_dim *want = v->info[0].any_dim ? NULL : &v->info[0].dim;
        if (!number(&look, node, key[k], want, NULL, &bound, &info)) {
            continue;
        }
        if (k == 0 ? v->number[0] < bound : v->number[0] > bound) {
            char text[160];
            sp_build_error(b, v->text->place, 0, "parameter '%s' = %s, expected %s %s", v->name,
                           sp_build_shown(v->text->text, v->number[0], text, sizeof text),
                           k == 0 ? ">=" : "<=", node->text);
        }
    }
}

void sp_build_compute_values(sp_build *b, int first)
{
    int *stack = SP_BUILD_NEW(b, &b->scratch, int, b->n_value + 1);
    for (int k = first; k < b->n_value && stack && !b->no_memory; k++) {
        if (b->value[k].state == SP_VALUE_NEW) {
            compute_value(b, k, stack);
        }
    }
    for (int k = first; k < b->n_value; k++) {
        check_bounds(b, &b->value[k]);
    }
}

void sp_build_values(sp_build *b)
{
    const sp_node *map = sp_node_get(b->root, "parameters");
    if (!map || map->kind != SP_NODE_MAP) {
        return;
    }
    list_values(b, map);
    sp_build_compute_values(b, 0);
}
