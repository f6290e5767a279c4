/* model/build_measures.c - measures: numbers of a whole run; and what studies sample.
 *
 * In `impulses(mesh_*)/span` each call of a gauge is taken out and read by itself, and a name
 * stands for its number in what is left, an ordinary expression: `measure.g0/measure.g1`. theory
 * (80.1)-(80.5) */
#include "base/status.h"
#include "model/aspect.h"
#include "model/build_parts.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 8000, PATTERN_MAX = 128 };
#define GAUGE_NAME "measure.g"

/* What a gauge is made of, and the dimension of its number. */
typedef enum gauge_of { OF_PROBE, OF_CONTACTS, OF_WORKS, OF_NOTHING } gauge_of;
static const struct {
    const char *word;
    gauge_of of;
    sp_dim dim; /* of a probe: its own */
} gauge_table[] = {
    [SP_GAUGE_MEAN] = {"mean", OF_PROBE, SP_DIM(0, 0, 0)},
    [SP_GAUGE_PEAK] = {"peak", OF_PROBE, SP_DIM(0, 0, 0)},
    [SP_GAUGE_RMS] = {"rms", OF_PROBE, SP_DIM(0, 0, 0)},
    [SP_GAUGE_MIN] = {"min", OF_PROBE, SP_DIM(0, 0, 0)},
    [SP_GAUGE_MAX] = {"max", OF_PROBE, SP_DIM(0, 0, 0)},
    [SP_GAUGE_FINAL] = {"final", OF_PROBE, SP_DIM(0, 0, 0)},
    [SP_GAUGE_IMPULSES] = {"impulses", OF_CONTACTS, SP_DIM(1, 1, -1)},
    [SP_GAUGE_IMPACTS] = {"impacts", OF_CONTACTS, SP_DIM(0, 0, 0)},
    [SP_GAUGE_IMPACT_RATE] = {"impact_rate", OF_CONTACTS, SP_DIM(0, 0, -1)},
    [SP_GAUGE_STICK_TIME] = {"stick_time", OF_CONTACTS, SP_DIM(0, 0, 1)},
    [SP_GAUGE_WORK] = {"work", OF_WORKS, SP_DIM(2, 1, -2)},
    [SP_GAUGE_LOSS] = {"loss", OF_WORKS, SP_DIM(2, 1, -2)},
    [SP_GAUGE_SPAN] = {"span", OF_NOTHING, SP_DIM(0, 0, 1)},
};
enum { N_GAUGE = sizeof gauge_table / sizeof *gauge_table };

/* The number of a gauge; its unit as outputs have it, NULL: that of the dimension. */
typedef struct gauged {
    sp_dim dim;
    const char *unit;
} gauged;

/* A measure while its text is read. */
typedef struct reader {
    sp_build *b;
    sp_scope scope;
    const sp_node *node;
    sp_resolver inner;   /* of parameters and functions      */
    char text[TEXT_MAX]; /* what is left                     */
    size_t n;
    size_t moved[TEXT_MAX]; /* for each byte of it the one of the node's text it comes from */
    const gauged *number;   /* of each gauge                    */
} reader;

/* The numbers of all gauges so far. */
typedef struct numbers {
    gauged *item;
    int n;
} numbers;

/* ---- patterns ------------------------------------------------------------------------------- */

/* Whether a name fits a pattern in which `*` stands for any letters: the whole of it, or up to a
 * dot, so that `guide` are all contact points of it. */
static bool fits(const char *pattern, const char *name)
{
    const char *star = NULL, *back = NULL;
    for (;;) {
        if (*pattern == '*') {
            star = ++pattern;
            back = name;
        } else if (*pattern == '\0' && (*name == '\0' || *name == '.')) {
            return true;
        } else if (*name != '\0' && *pattern == *name) {
            pattern++;
            name++;
        } else if (star && *back != '\0') {
            pattern = star;
            name = ++back;
        } else {
            return false;
        }
    }
}

/* Numbers of the n names that fit, in the model's memory; *count: how many. */
static const int *find_fitting(sp_build *b, const char *pattern, int n, const void *first,
                               size_t stride, int *count)
{
    int *list = SP_BUILD_NEW(b, b->arena, int, n + 1);
    *count = 0;
    for (int i = 0; list && i < n; i++) {
        const char *const *name =
            (const char *const *)(const void *)((const char *)first + (size_t)i * stride);
        if (fits(pattern, *name)) {
            list[(*count)++] = i;
        }
    }
    return list;
}

/* Contacts and lines of the ledger that a pattern names. */
static void find_items(sp_build *b, const char *pattern, bool works, sp_gauge *g)
{
    g->slot = find_fitting(b, pattern, b->n_slot, b->slot ? &b->slot->name : NULL, sizeof *b->slot,
                           &g->n_slot);
    const sp_force *force = b->m->force; /* their lines are the first of the ledger */
    if (works) {
        g->line = find_fitting(b, pattern, b->m->n_force, force ? &force->name : NULL,
                               sizeof *force, &g->n_line);
    }
}

/* Say that nothing fits, and what there is; after an error in what would have made it that says
 * nothing. */
static void report_unfit(reader *r, const char *pattern, bool works, size_t offset)
{
    sp_build *b = r->b;
    char list[600];
    for (int i = 0; i < b->n_family; i++) {
        if (b->family[i].broken) {
            return;
        }
    }
    const int n = b->n_slot + (works ? b->m->n_force : 0);
    const char **name = SP_BUILD_NEW(b, &b->scratch, const char *, n + 1);
    for (int i = 0; name && i < n; i++) {
        name[i] = i < b->n_slot ? b->slot[i].name : b->m->force[i - b->n_slot].name;
    }
    list[0] = '\0';
    if (name && n > 0) {
        sp_build_suggest(b, pattern, name, n, list, sizeof list);
    }
    sp_build_error(b, r->node->place, offset, "%s: no contact%s is called '%s'%s", r->scope.what,
                   works ? " or force element" : "", pattern, list);
}

/* ---- gauges --------------------------------------------------------------------------------- */

/* A new probe of a part of a text; its number, SP_NONE after an error. */
static int add_probe(sp_build *b, sp_scope *scope, const sp_node *node, const char *text,
                     size_t offset, sp_dim *dim, const char **unit)
{
    sp_func func;
    sp_expr_info info;
    if (!sp_build_output_func(b, scope, node, text, offset, &func, &info, unit) ||
        !SP_BUILD_ROOM(b, b->probe, b->n_probe)) {
        return SP_NONE;
    }
    *dim = info.dim;
    b->probe[b->n_probe] = func;
    return b->n_probe++;
}

/* The pattern in an argument, without blanks and quotes; false if it is none. */
static bool read_pattern(reader *r, const char *text, size_t offset, char pattern[PATTERN_MAX])
{
    const size_t from = strspn(text, " \"'"), n = strcspn(text + from, " \"'");
    const char *rest = text + from + n;
    snprintf(pattern, PATTERN_MAX, "%.*s", n < PATTERN_MAX ? (int)n : 0, text + from);
    const bool plain = pattern[0] && strspn(pattern, "*_.ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                                     "abcdefghijklmnopqrstuvwxyz0123456789") == n;
    if (!plain || rest[strspn(rest, " \"'")] != '\0') {
        sp_build_error(r->b, r->node->place, offset,
                       "%s: '%.60s', expected a name or a pattern such as mesh_*", r->scope.what,
                       text);
        return false;
    }
    return true;
}

/* Whether the gap of a contact is an angle. */
static bool turns_of(const sp_build *b, int slot)
{
    return sp_slot_traits_of(&b->slot[slot], b->rule).turns;
}

/* The gauge of a word with its argument, and its number.  False after an error. */
static bool read_gauge(reader *r, sp_gauge_kind kind, const char *text, size_t offset, sp_gauge *g,
                       gauged *is)
{
    char pattern[PATTERN_MAX];
    *g = (sp_gauge){.kind = kind, .probe = SP_NONE};
    *is = (gauged){.dim = gauge_table[kind].dim};
    const gauge_of of = gauge_table[kind].of;
    if (of == OF_PROBE) {
        g->probe = add_probe(r->b, &r->scope, r->node, text, offset, &is->dim, &is->unit);
        return g->probe != SP_NONE;
    }
    if (of == OF_NOTHING || (of == OF_WORKS && text[strspn(text, " ")] == '\0')) {
        return true;
    }
    if (!read_pattern(r, text, offset, pattern)) {
        return false;
    }
    find_items(r->b, pattern, of == OF_WORKS, g);
    if (g->n_slot + g->n_line == 0) {
        report_unfit(r, pattern, of == OF_WORKS, offset);
        return false;
    }
    for (int i = 0; kind == SP_GAUGE_IMPULSES && i < g->n_slot; i++) {
        const bool turns = turns_of(r->b, g->slot[i]);
        if (i > 0 && turns != turns_of(r->b, g->slot[0])) {
            sp_build_error(r->b, r->node->place, offset,
                           "%s: '%s' are contacts with impulses in N*s and in N*m*s, expected one "
                           "kind",
                           r->scope.what, pattern);
            return false;
        }
        is->dim = sp_dim_of(turns ? 2 : 1, 1, -1);
    }
    return true;
}

/* ---- texts ---------------------------------------------------------------------------------- */

/* Add n letters that come from byte `from` of the node's text, all from one byte if they replace
 * what is there.  False: too long, which is reported. */
static bool put(reader *r, const char *text, size_t n, size_t from, bool replaces)
{
    if (r->n + n + 1 > TEXT_MAX) {
        sp_build_error(r->b, r->node->place, 0, "%s: is longer than %d letters", r->scope.what,
                       TEXT_MAX);
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        r->moved[r->n + i] = replaces ? from : from + i;
    }
    memcpy(r->text + r->n, text, n);
    r->n += n;
    r->text[r->n] = '\0';
    return true;
}

/* The closing parenthesis of the open one at p, NULL: there is none; *n: arguments between. */
static const char *closing(const char *p, int *n)
{
    int depth = 0;
    *n = 1;
    for (; *p; p++) {
        depth += (*p == '(') - (*p == ')');
        *n += *p == ',' && depth == 1;
        if (depth == 0) {
            return p;
        }
    }
    return NULL;
}

/* The gauge that a word of n letters is, followed by `next`; N_GAUGE: none. */
static int gauge_of_word(const char *word, size_t n, const char *next)
{
    int k = 0, n_argument = 0;
    while (k < N_GAUGE && (strncmp(gauge_table[k].word, word, n) != 0 || gauge_table[k].word[n])) {
        k++;
    }
    const bool call = *next == '(' && closing(next, &n_argument);
    const bool known = k == SP_GAUGE_MIN || k == SP_GAUGE_MAX; /* with two arguments functions */
    return k < N_GAUGE && call == (gauge_table[k].of != OF_NOTHING) && (!known || n_argument == 1)
               ? k
               : N_GAUGE;
}

/* Put a name for a gauge in the place of its call, which ends at the byte returned; NULL after an
 * error. */
static const char *put_gauge(reader *r, numbers *all, int kind, const char *word, const char *next)
{
    sp_build *b = r->b;
    char argument[TEXT_MAX] = "", name[32];
    int n;
    const bool call = gauge_table[kind].of != OF_NOTHING;
    const char *end = call ? closing(next, &n) : next - 1;
    const char *open = call ? next + 1 : next;
    const size_t from = (size_t)(open - r->node->text);
    snprintf(argument, sizeof argument, "%.*s", call ? (int)(end - open) : 0, open);
    sp_gauge gauge;
    gauged is;
    if (!read_gauge(r, (sp_gauge_kind)kind, argument, from, &gauge, &is) ||
        !SP_BUILD_ROOM(b, b->gauge, b->n_gauge) || !SP_BUILD_ROOM(b, all->item, all->n)) {
        return NULL;
    }
    b->gauge[b->n_gauge++] = gauge;
    all->item[all->n] = is;
    const int length = snprintf(name, sizeof name, GAUGE_NAME "%d", all->n++);
    return put(r, name, (size_t)length, (size_t)(word - r->node->text), true) ? end + 1 : NULL;
}

/* An earlier measure of this name of n letters, SP_NONE: there is none. */
static int earlier(const char *const *text, const sp_node *map, int n_done, const char *word,
                   size_t n)
{
    int k = 0;
    for (const sp_node *node = map->first; node && k < n_done; node = node->next, k++) {
        if (strlen(node->key) == n && memcmp(node->key, word, n) == 0 && text[k]) {
            return k;
        }
    }
    return SP_NONE;
}

/* Take the gauges and earlier measures out of a text.  False after an error. */
static bool reduce(reader *r, numbers *all, const sp_node *map, const char *const *text, int n_done)
{
    const char *begin = r->node->text, *p = begin;
    r->n = 0;
    r->text[0] = '\0';
    while (*p) {
        const bool inside = p > begin && (isalnum((unsigned char)p[-1]) || strchr("_.", p[-1]));
        if (!(isalpha((unsigned char)*p) || *p == '_') || inside) {
            const bool number = isdigit((unsigned char)*p) && !inside; /* with its unit */
            const size_t more = number ? (size_t)(sp_build_skip_number(p) - p) : 1;
            if (!put(r, p, more, (size_t)(p - begin), false)) {
                return false;
            }
            p += more;
            continue;
        }
        const size_t n =
            strspn(p, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789");
        const char *next = p + n + strspn(p + n, " ");
        const int kind = gauge_of_word(p, n, next);
        const int old = p[n] == '.' || *next == '(' ? SP_NONE : earlier(text, map, n_done, p, n);
        const size_t at = (size_t)(p - begin);
        if (kind < N_GAUGE) {
            p = put_gauge(r, all, kind, p, gauge_table[kind].of == OF_NOTHING ? p + n : next);
        } else if (old != SP_NONE) {
            p = put(r, "(", 1, at, true) && put(r, text[old], strlen(text[old]), at, true) &&
                        put(r, ")", 1, at, true)
                    ? p + n
                    : NULL;
        } else {
            p = put(r, p, n, at, false) ? p + n : NULL;
        }
        if (!p) {
            return false;
        }
    }
    return true;
}

/* ---- measures ------------------------------------------------------------------------------- */

/* sp_resolver: the number of a gauge, or what parameters know. */
static sp_status find_name(void *ctx, const char *path, sp_symbol *out, sp_error *err)
{
    reader *r = ctx;
    if (strncmp(path, GAUGE_NAME, strlen(GAUGE_NAME)) == 0) {
        const int k = atoi(path + strlen(GAUGE_NAME));
        *out = (sp_symbol){.kind = SP_SYM_INPUT, .input = k, .dim = r->number[k].dim};
        return SP_OK;
    }
    if (r->inner.name(r->inner.ctx, path, out, err) == SP_OK) {
        return SP_OK;
    }
    sp_error mine = {.status = SP_OK};
    (void)SP_FAIL(&mine, SP_E_INPUT,
                  "%.200s; in measures outputs stand inside of mean(), peak(), rms(), min(), max() "
                  "or final()",
                  err ? err->text : path);
    if (err) {
        *err = mine;
    }
    return SP_E_INPUT;
}

/* sp_resolver: a function of the file. */
static sp_status find_function(void *ctx, const char *name, sp_function *out, sp_error *err)
{
    reader *r = ctx;
    for (int k = 0; k < N_GAUGE; k++) {
        if (strcmp(gauge_table[k].word, name) == 0) {
            return SP_FAIL(err, SP_E_INPUT, "'%s' takes one argument here", name);
        }
    }
    return r->inner.function(r->inner.ctx, name, out, err);
}

/* The unit of the gauge that is all of the text, NULL: there is more, or it has none. */
static const char *unit_of_gauge(const reader *r)
{
    const char *p = r->text + strspn(r->text, " (");
    const size_t name = strlen(GAUGE_NAME);
    if (strncmp(p, GAUGE_NAME, name) != 0) {
        return NULL;
    }
    const char *rest = p + name + strspn(p + name, "0123456789");
    return rest[strspn(rest, " )")] == '\0' ? r->number[atoi(p + name)].unit : NULL;
}

/* Compile what is left of the text into a measure. */
static bool compile(reader *r, sp_measure *measure)
{
    sp_build *b = r->b;
    sp_look look = {.b = b, .scope = &r->scope};
    r->scope.level = SP_LEVEL_Q;
    r->inner = sp_build_resolver(&look, r->node);
    const sp_resolver resolver = {
        .ctx = r, .name = find_name, .function = find_function, .check_units = b->units};
    sp_expr_info info = {.offset = 0};
    sp_program *program = NULL;
    sp_error err = {.status = SP_OK};
    char unit[80];
    if (sp_expr_compile(b->arena, r->text, &resolver, &program, &info, &err) != SP_OK) {
        const size_t at = info.offset < r->n ? r->moved[info.offset] : 0;
        sp_build_report(b, &look, r->node, NULL, at, &err);
        return false;
    }
    const sp_dim energy = SP_DIM(2, 1, -2), rate = SP_DIM(0, 0, -1);
    sp_dim_unit(info.dim, unit, sizeof unit);
    const char *of_gauge = unit_of_gauge(r);
    measure->unit = sp_build_printf(b, "%s",
                                    of_gauge                         ? of_gauge
                                    : sp_dim_equal(info.dim, energy) ? "J"
                                    : sp_dim_equal(info.dim, rate)   ? "1/s"
                                                                     : unit);
    measure->constant = info.value;
    if (!info.is_const) {
        measure->program = program;
        measure->n_in = sp_program_n_input(program);
        measure->gauge = sp_program_inputs(program);
    }
    return !look.poisoned;
}

/* All measures. */
static void build_measures(sp_build *b, reader *r, const sp_node *map)
{
    numbers all = {NULL, 0};
    sp_measure *measure = SP_BUILD_NEW(b, b->arena, sp_measure, map->n_child);
    const char **text = SP_BUILD_NEW(b, &b->scratch, const char *, map->n_child);
    int k = 0;
    for (const sp_node *node = map->first; node && measure && text; node = node->next, k++) {
        r->node = node;
        r->scope = sp_build_scope_of("measure '%.100s'", node->key);
        measure[k].name = sp_build_printf(b, "%s", node->key);
        if (!sp_build_text(node) || !reduce(r, &all, map, text, k)) {
            continue;
        }
        r->number = all.item;
        if (compile(r, &measure[k])) {
            text[k] = sp_arena_text(&b->scratch, r->text, r->n);
        }
    }
    b->m->n_measure = k;
    b->m->measure = measure;
}

/* ---- samples -------------------------------------------------------------------------------- */

/* Contacts that any of the patterns names. */
static void sampled_contacts(sp_build *b, reader *r, const sp_node *list, sp_sampling *s)
{
    int *slot = SP_BUILD_NEW(b, b->arena, int, b->n_slot + 1);
    bool *has = SP_BUILD_NEW(b, &b->scratch, bool, b->n_slot + 1);
    r->node = list;
    for (const sp_node *item = list->kind == SP_NODE_LIST ? list->first : list; item && has;
         item = item == list ? NULL : item->next) {
        const char *text = sp_build_text(item);
        bool any = false;
        for (int i = 0; text && i < b->n_slot; i++) {
            if (fits(text, b->slot[i].name)) {
                any = has[i] = true;
            }
        }
        if (text && !any) {
            report_unfit(r, text, false, 0);
        }
    }
    for (int i = 0; slot && has && i < b->n_slot; i++) {
        if (has[i]) {
            slot[s->n_slot++] = i;
        }
    }
    s->slot = slot;
}

/* What is kept. */
static void sampled_values(sp_build *b, reader *r, const sp_node *keep, sp_sampling *s)
{
    const bool list = keep && keep->kind == SP_NODE_LIST;
    const int n = list ? keep->n_child : 1;
    int *probe = SP_BUILD_NEW(b, b->arena, int, n);
    const char **name = SP_BUILD_NEW(b, b->arena, const char *, n);
    const char **unit = SP_BUILD_NEW(b, b->arena, const char *, n);
    for (const sp_node *item = list ? keep->first : keep; item && probe && name && unit;
         item = list ? item->next : NULL) {
        const char *text = sp_build_text(item);
        sp_dim dim;
        const int k =
            text ? add_probe(b, &r->scope, item, text, 0, &dim, &unit[s->n_keep]) : SP_NONE;
        if (k != SP_NONE) {
            name[s->n_keep] = sp_build_printf(b, "%s", text);
            probe[s->n_keep++] = k;
        }
    }
    s->keep = probe;
    s->name = name;
    s->unit = unit;
}

/* When samples are taken, and of what. */
static void build_sampling(sp_build *b, reader *r, const sp_node *map)
{
    sp_sampling *s = &b->m->sampling;
    const sp_dim time = SP_DIM(0, 0, 1);
    const sp_node *impacts = sp_node_get(map, "impacts"), *crossing = sp_node_get(map, "crossing");
    const char *direction = sp_build_text(sp_node_get(map, "direction")), *unit;
    r->scope = sp_build_scope_of("sample");
    if (sp_node_get(map, "every")) {
        s->kind = SP_SAMPLE_EVERY;
        sp_build_positive(b, &r->scope, sp_node_get(map, "every"), "every", time, false, &s->every);
        sp_build_quantity(b, &r->scope, sp_node_get(map, "offset"), "offset", time, NULL,
                          &s->offset);
    } else if (impacts) {
        s->kind = SP_SAMPLE_IMPACTS;
        sampled_contacts(b, r, impacts, s);
    } else if (sp_build_text(crossing)) {
        sp_dim dim;
        s->kind = SP_SAMPLE_CROSSING;
        s->direction = !direction || strcmp(direction, "rising") == 0 ? 1
                       : strcmp(direction, "falling") == 0            ? -1
                                                                      : 0;
        s->probe = add_probe(b, &r->scope, crossing, crossing->text, 0, &dim, &unit);
    }
    sampled_values(b, r, sp_node_get(map, "keep"), s);
}

/* What evaluating the probes takes beside positions and velocities. */
static void note_needs(sp_build *b)
{
    for (int i = 0; i < b->n_probe; i++) {
        for (int k = 0; k < b->probe[i].n_signal; k++) {
            const sp_aspect_source from = sp_aspect_of(b->probe[i].signal[k].kind).from;
            b->m->probe_forces =
                b->m->probe_forces || from == SP_FROM_CONTACT || from == SP_FROM_LOADS;
        }
    }
    for (int i = 0; i < b->n_gauge; i++) {
        b->m->probe_lines = b->m->probe_lines || b->gauge[i].n_line > 0;
    }
}

void sp_build_measures(sp_build *b)
{
    const sp_node *map = sp_node_get(b->root, "measures"), *sample = sp_node_get(b->root, "sample");
    reader *r = SP_BUILD_NEW(b, &b->scratch, reader, 1);
    if (!r) {
        return;
    }
    r->b = b;
    if (map && map->kind == SP_NODE_MAP) {
        build_measures(b, r, map);
    }
    if (sample && sample->kind == SP_NODE_MAP) {
        build_sampling(b, r, sample);
    }
    note_needs(b);
}
