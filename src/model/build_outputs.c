/* model/build_outputs.c - outputs and the curves of plots.
 *
 * An output may use others; their expressions are put in, in parentheses, before it is compiled. */
#include "model/build_parts.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_MAX = 60000, RING_MAX = 300, PIECE_MAX = 2000 };

/* ---- words in expressions ------------------------------------------------------------------- */

/* A letter or _, as names have them. */
static bool is_letter(char c)
{
    return isalpha((unsigned char)c) || c == '_';
}

/* Behind a name. */
static const char *skip_word(const char *p)
{
    while (is_letter(*p) || isdigit((unsigned char)*p)) {
        p++;
    }
    return p;
}

const char *sp_build_skip_number(const char *p)
{
    while (isdigit((unsigned char)*p) || *p == '.') {
        p++;
    }
    if ((*p == 'e' || *p == 'E') &&
        (isdigit((unsigned char)p[1]) ||
         ((p[1] == '-' || p[1] == '+') && isdigit((unsigned char)p[2])))) {
        p += 2;
        while (isdigit((unsigned char)*p)) {
            p++;
        }
    }
    const char *unit = p + strspn(p, " ");
    if (unit == p || (!is_letter(*unit) && *unit != '%')) {
        return p;
    }
    p = unit;
    while (is_letter(*p) || isdigit((unsigned char)*p) || (*p && strchr("%^.", *p)) ||
           (*p == '-' && p[-1] == '^') ||
           ((*p == '*' || *p == '/') && (is_letter(p[1]) || p[1] == '1'))) {
        p++;
    }
    return p;
}

/* Behind the rest of a path: ".3", ".name", ".(i - 1)". */
static const char *skip_path(const char *p)
{
    while (*p == '.') {
        p++;
        int open = 0;
        do {
            open += (*p == '(') - (*p == ')');
            p += *p != '\0';
        } while (*p && (open > 0 || is_letter(*p) || isdigit((unsigned char)*p)));
    }
    return p;
}

/* The next word or path of an expression that could name an output; NULL if there is none.  *at
 * is moved behind it. */
static const char *next_word(const char **at, size_t *n)
{
    for (const char *p = *at; *p;) {
        if (isdigit((unsigned char)*p) || (*p == '.' && isdigit((unsigned char)p[1]))) {
            p = sp_build_skip_number(p);
        } else if (is_letter(*p)) {
            const char *end = skip_word(p), *after = end + strspn(end, " ");
            if (*end == '.') {
                *at = skip_path(end);
                *n = (size_t)(*at - p);
                return p;
            }
            if (*after == '(' || *end == '\'') {
                p = end;
            } else {
                *at = end;
                *n = (size_t)(end - p);
                return p;
            }
        } else {
            p++;
        }
    }
    *at = "";
    return NULL;
}

/* ---- putting outputs into each other -------------------------------------------------------- */

/* An expression with outputs put in, and where its pieces come from. */
typedef struct expanded {
    char *text;
    size_t n;
    int n_piece;
    struct {
        size_t begin, end;   /* these bytes ...                    */
        size_t from, length; /* ... stand for the word found here */
    } piece[PIECE_MAX];
} expanded;

/* The output that a word in the text of a node names, SP_NONE: none; *name: what the word means
 * outside of the part that the node belongs to. */
static int find_output(sp_build *b, const sp_node *node, const char *word, size_t n,
                       const char **name)
{
    *name = NULL;
    if (!node->instance) {
        return sp_names_find(&b->output_names, word, n);
    }
    const char *copy = sp_arena_text(&b->scratch, word, n);
    if (!copy) {
        b->no_memory = true;
        return SP_NONE;
    }
    *name = sp_build_own(b, node, copy, SP_MEANT_OUTPUT);
    const int k = sp_names_find(&b->output_names, *name, strlen(*name));
    *name = k == SP_NONE ? sp_build_own(b, node, copy, SP_MEANT_ANY) : NULL;
    return k;
}

/* Put the texts of outputs, and the full names of what parts have, in; false if that gets too
 * long. */
static bool expand(sp_build *b, const sp_node *node, const char *text, expanded *x)
{
    const char *at = text, *done = text;
    size_t length;
    x->n = 0;
    x->n_piece = 0;
    for (const char *word; (word = next_word(&at, &length)) != NULL;) {
        const char *name;
        const int k = find_output(b, node, word, length, &name);
        const char *body = k == SP_NONE ? name : b->output_plan[k].text;
        if (!body) {
            continue;
        }
        const size_t before = (size_t)(word - done), more = strlen(body);
        if (x->n + before + more + 3 > TEXT_MAX || x->n_piece == PIECE_MAX) {
            return false;
        }
        memcpy(x->text + x->n, done, before);
        x->n += before;
        x->piece[x->n_piece].begin = x->n;
        x->n += (size_t)snprintf(x->text + x->n, more + 3, k == SP_NONE ? "%s" : "(%s)", body);
        x->piece[x->n_piece].end = x->n;
        x->piece[x->n_piece].length = length;
        x->piece[x->n_piece++].from = (size_t)(word - text);
        done = word + length;
    }
    const size_t rest = strlen(done);
    if (x->n + rest + 1 > TEXT_MAX) {
        return false;
    }
    memcpy(x->text + x->n, done, rest + 1);
    x->n += rest;
    return true;
}

/* The byte of the expression as written that a byte of the expanded one comes from. */
static size_t origin_of(const expanded *x, size_t offset)
{
    for (int k = x->n_piece - 1; k >= 0; k--) {
        if (offset >= x->piece[k].end) {
            return x->piece[k].from + x->piece[k].length + (offset - x->piece[k].end);
        }
        if (offset >= x->piece[k].begin) {
            return x->piece[k].from;
        }
    }
    return offset;
}

/* Report outputs that need each other: those on the stack from `from` on. */
static void report_ring(sp_build *b, const int *stack, int from, int n)
{
    char ring[RING_MAX];
    size_t used = 0;
    int first = from;
    for (int k = from; k < n; k++) {
        first = stack[k] < stack[first] ? k : first;
    }
    for (int k = 0; k <= n - from && used < sizeof ring - 70; k++) {
        const int at = from + (first - from + k) % (n - from);
        used += (size_t)snprintf(ring + used, sizeof ring - used, "%s%.60s", k ? " -> " : "",
                                 b->output_plan[stack[at]].node->key);
    }
    const sp_node *node = b->output_plan[stack[first]].node;
    sp_build_error(b, node->place, 0, "output '%s': needs itself, %s", node->key, ring);
    for (int k = from; k < n; k++) {
        b->output_plan[stack[k]].state = SP_VALUE_FAILED;
    }
}

/* The expanded text of an output, all it uses being known. */
static void finish_text(sp_build *b, sp_output_plan *p, expanded *x)
{
    p->state = SP_VALUE_FAILED;
    if (!expand(b, p->node, p->node->text, x)) {
        sp_build_error(b, p->node->place, 0,
                       "output '%s': is longer than %d letters with the outputs it uses",
                       p->node->key, TEXT_MAX);
        return;
    }
    p->text = sp_arena_text(&b->scratch, x->text, x->n);
    b->no_memory = b->no_memory || !p->text;
    p->state = SP_VALUE_DONE;
}

/* Find the text of an output and of all it uses, with a stack of those that wait. */
static void find_text(sp_build *b, int start, int *stack, expanded *x)
{
    int n = 0;
    stack[n++] = start;
    b->output_plan[start].state = SP_VALUE_ACTIVE;
    while (n > 0 && !b->no_memory) {
        sp_output_plan *p = &b->output_plan[stack[n - 1]];
        size_t length;
        const char *word = p->state == SP_VALUE_ACTIVE ? next_word(&p->next, &length) : NULL;
        if (!word) {
            if (p->state == SP_VALUE_ACTIVE) {
                finish_text(b, p, x);
            }
            n--;
            continue;
        }
        const char *name;
        const int k = find_output(b, p->node, word, length, &name);
        if (k == SP_NONE) {
            continue;
        }
        sp_output_plan *other = &b->output_plan[k];
        if (other->state == SP_VALUE_NEW) {
            other->state = SP_VALUE_ACTIVE;
            stack[n++] = k;
        } else if (other->state == SP_VALUE_ACTIVE) {
            int from = n - 1;
            while (stack[from] != k) {
                from--;
            }
            report_ring(b, stack, from, n);
        } else if (other->state == SP_VALUE_FAILED) {
            p->state = SP_VALUE_FAILED;
        }
    }
}

/* ---- compiling ------------------------------------------------------------------------------ */

/* Whether an expression is nothing but one signal. */
static bool is_plain(const sp_func *func, const char *text)
{
    text += strspn(text, " (");
    const size_t n =
        strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_.0123456789");
    return func->n_signal == 1 && text[n + strspn(text + n, " )")] == '\0';
}

/* Whether an expression reads the energy of the machine. */
static bool reads_energy(const sp_func *func)
{
    for (int k = 0; k < func->n_signal; k++) {
        const sp_signal_kind kind = func->signal[k].kind;
        if (kind == SP_SIG_KINETIC || kind == SP_SIG_POTENTIAL || kind == SP_SIG_ELEMENT_ENERGY) {
            return true;
        }
    }
    return false;
}

/* The unit of an output: that of its dimension, rad for a plain angle, J (not N*m) for energies. */
static const char *unit_of(sp_build *b, const sp_func *func, const sp_expr_info *info,
                           const char *text)
{
    char unit[80];
    const sp_signal *s = func->signal;
    if (is_plain(func, text) &&
        (s->kind == SP_SIG_PHI ||
         (s->kind == SP_SIG_ELEMENT_MEASURE && sp_dim_is_pure(info->dim)) ||
         (s->kind == SP_SIG_Q && strcmp(b->coord[s->index].unit, "rad") == 0))) {
        return "rad";
    }
    if (reads_energy(func) && sp_dim_equal(info->dim, sp_dim_of(2, 1, -2))) {
        return "J";
    }
    sp_dim_unit(info->dim, unit, sizeof unit);
    return sp_build_printf(b, "%s", unit);
}

/* Whether an expression uses an output that failed. */
static bool uses_failed(sp_build *b, const sp_node *node, const char *text)
{
    size_t n;
    for (const char *word; (word = next_word(&text, &n)) != NULL;) {
        const char *name;
        const int k = find_output(b, node, word, n, &name);
        if (k != SP_NONE && b->output_plan[k].state == SP_VALUE_FAILED) {
            return true;
        }
    }
    return false;
}

/* An expression as it stands in a node, or a part of its text from `offset` on. */
typedef struct piece_of {
    const sp_node *node;
    const char *key, *text;
    size_t offset;
} piece_of;

/* Compile an expression in which outputs are put in. */
static bool compile_output(sp_build *b, sp_scope *scope, const piece_of *p, expanded *x,
                           sp_func *func, sp_expr_info *info)
{
    if (uses_failed(b, p->node, p->text)) {
        return false;
    }
    if (!expand(b, p->node, p->text, x)) {
        sp_build_error(b, p->node->place, 0,
                       "%s: is longer than %d letters with the outputs it uses", scope->what,
                       TEXT_MAX);
        return false;
    }
    scope->level = SP_LEVEL_OUTPUT;
    sp_look look = {.b = b, .scope = scope};
    const sp_resolver resolver = sp_build_resolver(&look, p->node);
    sp_program *program = NULL;
    sp_error err = {.status = SP_OK};
    *info = (sp_expr_info){.offset = 0};
    if (sp_expr_compile(b->arena, x->text, &resolver, &program, info, &err) != SP_OK) {
        sp_build_report(b, &look, p->node, p->key, p->offset + origin_of(x, info->offset), &err);
        return false;
    }
    return !look.poisoned && sp_build_finish_func(b, &look, program, info, func);
}

/* Compile an expression into a new output; its number, SP_NONE after an error. */
static int add_output(sp_build *b, sp_scope *scope, const sp_node *node, const char *key,
                      const char *name, expanded *x)
{
    const char *text = sp_build_text(node);
    sp_expr_info info;
    sp_output out = {.name = name, .place = sp_build_place(b, node->place)};
    if (!text || !compile_output(b, scope, &(piece_of){node, key, text, 0}, x, &out.func, &info) ||
        !SP_BUILD_ROOM(b, b->output, b->n_output)) {
        return SP_NONE;
    }
    out.label = sp_build_printf(b, "%s", strncmp(name, "plots.", 6) == 0 ? text : name);
    out.unit = unit_of(b, &out.func, &info, x->text);
    b->output[b->n_output] = out;
    return b->n_output++;
}

/* List the outputs by name; a name that is a parameter, too, would mean two things. */
static void list_outputs(sp_build *b, const sp_node *map)
{
    b->output_plan = SP_BUILD_NEW(b, &b->scratch, sp_output_plan, map->n_child);
    for (const sp_node *node = map->first; node && b->output_plan; node = node->next) {
        const size_t n = strlen(node->key);
        const bool coordinate = sp_names_find(&b->formula_names, node->key, n) != SP_NONE;
        const bool taken = coordinate || sp_names_find(&b->value_names, node->key, n) != SP_NONE ||
                           sp_names_find(&b->function_names, node->key, n) != SP_NONE;
        if (taken) {
            sp_build_error(b, node->key_place, 0, "output '%s': the name is taken by a %s",
                           node->key, coordinate ? "formula coordinate" : "parameter or function");
        }
        const sp_value_state state = taken || !sp_build_text(node) ? SP_VALUE_FAILED : SP_VALUE_NEW;
        b->output_plan[b->n_output_plan] =
            (sp_output_plan){.node = node, .state = state, .next = node->text, .output = SP_NONE};
        if (!taken &&
            !sp_build_name_of_part(b, &b->output_names, node, node->key, b->n_output_plan)) {
            return;
        }
        b->n_output_plan++;
    }
}

/* Every state is an output, unless the file has one of that name. */
static void add_states(sp_build *b, expanded *x)
{
    for (int i = 0; i < b->n_family && !b->no_memory; i++) {
        const sp_family *f = &b->family[i];
        for (int k = 0; f->kind == SP_PART_STATE && !f->broken && k < f->n; k++) {
            const sp_own_state *s = &b->state[f->first + k];
            sp_scope scope = sp_build_scope(f, k);
            sp_expr_info info;
            sp_output out = {.name = s->name, .label = s->name, .unit = s->unit, .place = s->place};
            const piece_of piece = {f->node, NULL, s->name, 0};
            if (s->unit && sp_names_find(&b->output_names, s->name, strlen(s->name)) == SP_NONE &&
                compile_output(b, &scope, &piece, x, &out.func, &info) &&
                SP_BUILD_ROOM(b, b->output, b->n_output)) {
                b->output[b->n_output++] = out;
            }
        }
    }
}

/* All outputs of the section of that name. */
static void outputs(sp_build *b, expanded *x)
{
    const sp_node *map = sp_node_get(b->root, "outputs");
    if (!map || map->kind != SP_NODE_MAP) {
        return;
    }
    list_outputs(b, map);
    int *stack = SP_BUILD_NEW(b, &b->scratch, int, b->n_output_plan + 1);
    for (int k = 0; k < b->n_output_plan && !b->no_memory; k++) {
        if (b->output_plan[k].state == SP_VALUE_NEW) {
            find_text(b, k, stack, x);
        }
    }
    for (int k = 0; k < b->n_output_plan && !b->no_memory; k++) {
        sp_output_plan *p = &b->output_plan[k];
        if (p->state != SP_VALUE_DONE) {
            continue;
        }
        sp_scope scope = sp_build_scope_of("output '%.100s'", p->node->key);
        const char *name = sp_build_printf(b, "%s", p->node->key);
        p->output = add_output(b, &scope, p->node, NULL, name, x);
        if (p->output == SP_NONE) {
            p->state = SP_VALUE_FAILED;
        }
    }
}

/* ---- plots
 * ------------------------------------------------------------------------------------------------
 */

/* The output that a curve is: an existing one if it is just its name, else a new one. */
static int curve(sp_build *b, const sp_node *plot, const sp_node *node, const char *key, int number,
                 expanded *x)
{
    const char *text = sp_build_text(node);
    const int k = text ? sp_names_find(&b->output_names, text, strlen(text)) : SP_NONE;
    if (k != SP_NONE) {
        return b->output_plan[k].output;
    }
    sp_scope scope = sp_build_scope_of("plot '%.100s'", plot->key);
    const char *name = number ? sp_build_printf(b, "plots.%s.%s%d", plot->key, key, number)
                              : sp_build_printf(b, "plots.%s.%s", plot->key, key);
    return add_output(b, &scope, node, key, name, x);
}

/* One plot. */
static void add_plot(sp_build *b, const sp_node *node, sp_plot *plot, expanded *x)
{
    const sp_node *right = sp_node_get(node, "x"), *up = sp_node_get(node, "y");
    const char *title = sp_build_text(sp_node_get(node, "title"));
    plot->name = sp_build_printf(b, "%s", node->key);
    plot->title = title ? sp_build_printf(b, "%s", title) : plot->name;
    plot->equal = sp_build_flag(sp_node_get(node, "equal"));
    plot->x = SP_NONE;
    if (right && !(sp_build_text(right) && strcmp(right->text, "t") == 0)) {
        plot->x = curve(b, node, right, "x", 0, x);
    }
    const bool list = up && up->kind == SP_NODE_LIST;
    int *y = SP_BUILD_NEW(b, b->arena, int, list ? up->n_child : 1);
    for (const sp_node *item = list ? up->first : up; item && y; item = list ? item->next : NULL) {
        y[plot->n_y] = curve(b, node, item, "y", plot->n_y + 1, x);
        plot->n_y++;
    }
    plot->y = y;
}

/* Room for an expression with outputs put in; NULL without memory. */
static expanded *new_expanded(sp_build *b)
{
    expanded *x = SP_BUILD_NEW(b, &b->scratch, expanded, 1);
    char *text = SP_BUILD_NEW(b, &b->scratch, char, TEXT_MAX);
    if (!x || !text) {
        return NULL;
    }
    x->text = text;
    return x;
}

bool sp_build_output_func(sp_build *b, sp_scope *scope, const sp_node *node, const char *text,
                          size_t offset, sp_func *func, sp_expr_info *info, const char **unit)
{
    expanded *x = new_expanded(b);
    if (!x || !compile_output(b, scope, &(piece_of){node, NULL, text, offset}, x, func, info)) {
        return false;
    }
    *unit = unit_of(b, func, info, x->text);
    return true;
}

void sp_build_outputs(sp_build *b)
{
    expanded *x = new_expanded(b);
    if (!x) {
        return;
    }
    outputs(b, x);
    add_states(b, x);
    const sp_node *map = sp_node_get(b->root, "plots");
    if (!map || map->kind != SP_NODE_MAP) {
        return;
    }
    sp_plot *plot = SP_BUILD_NEW(b, b->arena, sp_plot, map->n_child);
    int n = 0;
    for (const sp_node *node = map->first; node && plot && !b->no_memory; node = node->next) {
        if (node->kind == SP_NODE_MAP) {
            add_plot(b, node, &plot[n++], x);
        }
    }
    b->m->n_plot = n;
    b->m->plot = plot;
}
