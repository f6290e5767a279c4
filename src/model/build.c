/* model/build.c - the way from a spec to a model, and what the parts of the compiler share. */
#include "model/build.h"

#include "model/build_parts.h"
#include "model/grammar.h"
#include "model/state.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HAS_MAX = 12 };

/* ---- memory ---------------------------------------------------------------------------------- */

void *sp_build_alloc(sp_build *b, sp_arena *arena, size_t n, size_t size)
{
    void *block = sp_arena_alloc(arena, n, size);
    if (!block) {
        b->no_memory = true;
    }
    return block;
}

bool sp_build_room(sp_build *b, void *list, int n, size_t item)
{
    void *old, *block;
    if (n > 0 && (n < 16 || (n & (n - 1)) != 0)) {
        return true; /* lists have room for 16, 32, 64, ... items */
    }
    block = sp_build_alloc(b, &b->scratch, n < 16 ? 16 : 2 * (size_t)n, item);
    if (!block) {
        return false;
    }
    memcpy(&old, list, sizeof old);
    if (n > 0) {
        memcpy(block, old, (size_t)n * item);
    }
    memcpy(list, &block, sizeof block);
    return true;
}

int sp_names_find(const sp_names *names, const char *name, size_t n)
{
    const sp_index_link *leaf = sp_index_find(names, name, n);
    return leaf ? leaf->number : SP_NONE;
}

bool sp_build_name(sp_build *b, sp_names *names, const char *name, int number)
{
    const sp_index_link leaf = {.key = name, .number = number};
    if (!sp_index_find(names, name, strlen(name)) && !sp_index_put(names, &b->scratch, leaf)) {
        b->no_memory = true;
    }
    return !b->no_memory;
}

const char *sp_build_printf(sp_build *b, const char *fmt, ...)
{
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    const int n = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    char *text = n < 0 ? NULL : SP_BUILD_NEW(b, b->arena, char, (size_t)n + 1);
    if (text) {
        vsnprintf(text, (size_t)n + 1, fmt, again);
    }
    va_end(again);
    return text ? text : "";
}

/* A copy of items in the model's arena. */
static void *keep(sp_build *b, const void *items, int n, size_t size)
{
    void *copy = sp_build_alloc(b, b->arena, (size_t)n, size);
    if (copy && n > 0) {
        memcpy(copy, items, (size_t)n * size);
    }
    return copy;
}

sp_place sp_build_place(sp_build *b, sp_place place)
{
    if (place.file != b->file) {
        b->file = place.file;
        b->kept_file = place.file ? sp_build_printf(b, "%s", place.file) : NULL;
    }
    place.file = b->kept_file;
    return place;
}

/* ---- messages -------------------------------------------------------------------------------- */

bool sp_build_is_reported(const sp_build *b, sp_place place)
{
    if (!b->last_grammar || place.line < 1) {
        return false;
    }
    for (const sp_message *m = b->diag->first; m; m = m->next) {
        if (m->place.line == place.line && m->place.column == place.column &&
            sp_place_same_file(m->place, place)) {
            return true;
        }
        if (m == b->last_grammar) {
            break;
        }
    }
    return false;
}

/* Whether there is a message about this very place: what is wrong in a template is said once, not
 * for all its copies. */
static bool is_told(const sp_build *b, sp_place place)
{
    const sp_message *m = place.line > 0 ? b->diag->first : NULL;
    while (m && !(m->place.line == place.line && m->place.column == place.column &&
                  sp_place_same_file(m->place, place))) {
        m = m->next;
    }
    return m != NULL;
}

void sp_build_error(sp_build *b, sp_place place, size_t offset, const char *fmt, ...)
{
    char text[1024];
    if (sp_build_is_reported(b, place) || (b->n_instance > 1 && is_told(b, place))) {
        return;
    }
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (place.column > 0) {
        place.column += (int)offset;
    }
    sp_diag_add(b->diag, SP_ERROR, place, "%s", text);
}

bool sp_build_short_name(sp_build *b, const char *noun, const char *name, sp_place place)
{
    if (strlen(name) <= SP_NAME_MAX) {
        return true;
    }
    sp_build_error(b, place, 0, "%s '%.20s...': the name has %zu letters, at most %d are possible",
                   noun, name, strlen(name), SP_NAME_MAX);
    return false;
}

/* Order of names for qsort. */
static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void sp_build_suggest(sp_build *b, const char *word, const char **name, int n, char *buf,
                      size_t size)
{
    buf[0] = '\0';
    if (b->diag->n_error >= SP_DIAG_MAX || n < 1) {
        return; /* nobody will read it */
    }
    const char *nearest = sp_nearest(word, name, n);
    int used = nearest ? snprintf(buf, size, ", did you mean '%s'?", nearest) : 0;
    qsort(name, (size_t)n, sizeof *name, by_name);
    for (int i = 0; i < n && i < HAS_MAX && used >= 0 && (size_t)used < size; i++) {
        const char *before = i ? ", " : nearest ? " (has: " : "; has: ";
        used += snprintf(buf + used, size - (size_t)used, "%s%s", before, name[i]);
    }
    if (used >= 0 && (size_t)used < size) {
        snprintf(buf + used, size - (size_t)used, "%s%s", n > HAS_MAX ? ", ..." : "",
                 nearest ? ")" : "");
    }
}

const char *sp_build_text(const sp_node *node)
{
    return node && node->kind == SP_NODE_TEXT && node->text && *node->text ? node->text : NULL;
}

bool sp_build_flag(const sp_node *node)
{
    const char *text = sp_build_text(node);
    return text && (strcmp(text, "yes") == 0 || strcmp(text, "true") == 0);
}

/* A message with what it is sorted by. */
typedef struct sorted {
    sp_message *message;
    int file, number; /* number of the first message about its file; its own */
} sorted;

/* Order of messages for qsort: file, line, column, then as they were found. */
static int by_place(const void *a, const void *b)
{
    const sorted *x = a, *y = b;
    const sp_place *p = &x->message->place, *q = &y->message->place;
    const int difference[] = {x->file - y->file, p->line - q->line, p->column - q->column};
    for (int k = 0; k < 3; k++) {
        if (difference[k] != 0) {
            return difference[k];
        }
    }
    return x->number - y->number;
}

/* Bring the messages into the order of the file they are about. */
static void sort_messages(sp_build *b)
{
    int n = 0;
    for (const sp_message *m = b->diag->first; m; m = m->next) {
        n++;
    }
    sorted *list = SP_NEW(&b->scratch, sorted, n);
    if (!list || n < 2) {
        return; /* no memory: they are reported in the order in which they were found */
    }
    int k = 0;
    for (sp_message *m = b->diag->first; m; m = m->next, k++) {
        int file = 0;
        while (file < k && !sp_place_same_file(list[file].message->place, m->place)) {
            file++;
        }
        list[k] = (sorted){m, file, k};
    }
    qsort(list, (size_t)n, sizeof *list, by_place);
    for (k = 0; k < n; k++) {
        list[k].message->next = k + 1 < n ? list[k + 1].message : NULL;
    }
    b->diag->first = list[0].message;
    b->diag->last = list[n - 1].message;
}

/* ---- the top of the file -------------------------------------------------------------------- */

/* The name, whether units are checked, the seed; the version is a matter of structure. */
static void header(sp_build *b)
{
    const char *name = sp_build_text(sp_node_get(b->root, "name"));
    const char *file = b->spec->first_source ? b->spec->first_source->file : NULL;
    const char *slash = file ? strrchr(file, '/') : NULL;
    if (!name && file) {
        name = slash ? slash + 1 : file;
    }
    b->m->name = sp_build_printf(b, "%s", name ? name : "");
    const char *units = sp_build_text(sp_node_get(b->root, "units"));
    b->units = !(units && strcmp(units, "off") == 0);
    const char *seed = sp_build_text(sp_node_get(b->root, "seed"));
    b->seed = seed ? strtod(seed, NULL) : 1.0;
    const char *space = sp_build_text(sp_node_get(b->root, "space"));
    b->dim = b->m->dim = space && strcmp(space, "spatial") == 0 ? 3 : 2;
}

/* Gravity as a vector of functions of time; *changes: one of them is no constant. */
static bool gravity_laws(sp_build *b, const sp_node *list, sp_func law[3], bool *changes)
{
    const sp_dim want = SP_DIM(1, 0, -2);
    sp_scope scope = sp_build_scope_of("%s", "");
    bool good = list->n_child == b->dim;
    int d = 0;
    scope.level = SP_LEVEL_T;
    scope.forces = scope.terms = true;
    for (const sp_node *item = list->first; item && d < b->dim; item = item->next, d++) {
        sp_expr_info info;
        good = sp_build_func(b, &scope, item, "gravity", &want, NULL, &law[d], &info) && good;
        *changes = *changes || law[d].program;
    }
    return good;
}

/* Gravity: a number, downwards, or a vector, which may depend on time. */
static void gravity(sp_build *b)
{
    const sp_node *node = sp_node_get(b->root, "gravity");
    sp_scope scope = sp_build_scope_of("%s", "");
    const sp_dim want = SP_DIM(1, 0, -2);
    double *g = b->m->numbers.gravity;
    if (node && node->kind == SP_NODE_LIST) {
        sp_func *law = SP_BUILD_NEW(b, &b->scratch, sp_func, 3);
        bool changes = false;
        if (!law || !gravity_laws(b, node, law, &changes)) {
            return;
        }
        b->gravity_law = changes ? law : NULL;
        for (int d = 0; d < b->dim && !changes; d++) {
            g[d] = law[d].constant;
        }
    } else if (node && sp_build_is_vector(b, node)) {
        sp_build_vector(b, &scope, node, "gravity", want, g);
    } else if (sp_build_quantity(b, &scope, node, "gravity", want, NULL, &g[b->dim - 1])) {
        g[b->dim - 1] = 0.0 - g[b->dim - 1];
    }
}

/* What is needed to repeat the run. */
static void origin(sp_build *b)
{
    sp_model *m = b->m;
    const sp_source *source = b->spec->first_source;
    if (source) {
        m->source_file = sp_build_printf(b, "%s", source->file);
        m->source_text = sp_arena_text(b->arena, source->text, source->n);
        b->no_memory = b->no_memory || !m->source_text;
    }
    m->source_others = sp_spec_fingerprint(b->spec);
    const char **text = SP_BUILD_NEW(b, b->arena, const char *, b->spec->n_override);
    int n = 0;
    for (const sp_override *o = b->spec->first_override; o && text; o = o->next) {
        const size_t size = strlen(o->name) + strlen(o->value) + 2;
        char *joined = SP_BUILD_NEW(b, b->arena, char, size);
        if (joined) {
            snprintf(joined, size, "%s=%s", o->name, o->value);
            text[n++] = joined;
        }
    }
    m->n_override = n;
    m->override_text = text;
}

/* The contact slots, and behind them the bilateral rows. */
static const sp_slot *slots_and_bonds(sp_build *b)
{
    sp_slot *slot = SP_BUILD_NEW(b, b->arena, sp_slot, b->n_slot + b->n_bond);
    if (slot && b->n_slot > 0) {
        memcpy(slot, b->slot, (size_t)b->n_slot * sizeof *slot);
    }
    if (slot && b->n_bond > 0) {
        memcpy(slot + b->n_slot, b->bond, (size_t)b->n_bond * sizeof *slot);
    }
    for (int i = 0; slot && i < b->n_slot + b->n_bond; i++) {
        slot[i].is = sp_slot_traits_of(&slot[i], b->rule);
    }
    for (int i = 0; i < b->n_loop; i++) {
        b->loop[i].slot += b->n_slot;
    }
    return slot;
}

/* Hand the arrays that grew in scratch memory over to the model. */
static void finish(sp_build *b)
{
    sp_model *m = b->m;
#define KEEP(to, from, count) (m->to) = keep(b, b->from, b->count, sizeof *b->from)
#define KEEP_LIST(list)       m->n_##list = b->n_##list, KEEP(list, list, n_##list)
    KEEP_LIST(contour);
    KEEP_LIST(curve);
    KEEP_LIST(surface);
    KEEP_LIST(point);
    KEEP_LIST(clock);
    KEEP_LIST(kink);
    KEEP_LIST(motion);
    KEEP_LIST(solid);
    KEEP_LIST(display);
    KEEP_LIST(pool);
    KEEP_LIST(rule);
    KEEP_LIST(output);
    KEEP_LIST(probe);
    KEEP_LIST(gauge);
    m->slot = slots_and_bonds(b); /* moves the rows of loops */
    KEEP_LIST(loop);
    KEEP(numbers.contour, contour_numbers, n_contour);
    KEEP(numbers.vertex, vertex, n_vertex);
    KEEP(numbers.point, point_place, n_point);
    KEEP(numbers.law, law, n_law);
    KEEP(numbers.loop, loop_numbers, n_loop);
    KEEP(law, law_func, n_law);
    KEEP(law_name, law_name, n_law);
    m->about = (sp_model_info){.name = m->name,
                               .spatial = m->dim == 3,
                               .n_left_out = b->n_left_out,
                               .n_remark = b->n_remark};
    KEEP(about.left_out, left_out, n_left_out);
    KEEP(about.remark, remark, n_remark);
#undef KEEP_LIST
#undef KEEP
    m->n_vertex = b->n_vertex;
    m->n_law = b->n_law;
    m->n_slot = b->n_slot;
    m->n_bond = b->n_bond;
    m->expr_work = b->expr_work;
    m->expr_hess = b->expr_hess;
    m->expr_input = b->expr_input;
}

/* Every section, each seeing only what those before it found. */
static void sections(sp_build *b)
{
    static void (*const section[])(sp_build *) = {header,
                                                  sp_build_functions,
                                                  sp_build_values,
                                                  sp_build_tables,
                                                  sp_build_rows,
                                                  sp_build_templates,
                                                  sp_build_paths,
                                                  sp_build_families,
                                                  sp_build_states,
                                                  sp_build_tree,
                                                  gravity,
                                                  sp_build_bodies,
                                                  sp_build_motions,
                                                  sp_build_inertia,
                                                  sp_build_formula,
                                                  sp_build_impact,
                                                  sp_build_laws,
                                                  sp_build_forces,
                                                  sp_build_state_rates,
                                                  sp_build_contacts,
                                                  sp_build_start,
                                                  sp_build_outputs,
                                                  sp_build_measures,
                                                  sp_build_run,
                                                  sp_build_mark_shapes,
                                                  sp_build_remarks,
                                                  origin,
                                                  finish};
    for (size_t k = 0; k < sizeof section / sizeof *section && !b->no_memory && !b->parts_failed;
         k++) {
        section[k](b);
    }
}

sp_status sp_model_compile(const sp_spec *spec, const sp_allocator *allocator, sp_model **model,
                           sp_diag *diag)
{
    *model = NULL;
    sp_arena arena;
    sp_arena_init(&arena, allocator, 0);
    sp_model *m = SP_NEW(&arena, sp_model, 1);
    if (!m) {
        return SP_E_MEMORY;
    }
    if (!sp_grammar_check(spec->root, diag)) {
        sp_arena_free(&arena);
        return SP_E_INPUT;
    }
    sp_build b = {.spec = spec,
                  .root = spec->root,
                  .diag = diag,
                  .m = m,
                  .arena = &arena,
                  .last_grammar = diag->last};
    sp_arena_init(&b.scratch, allocator, 0);
    sections(&b);
    sort_messages(&b);
    sp_spec_free(b.made);
    sp_arena_free(&b.scratch);

    if (b.no_memory || diag->n_error > 0) {
        sp_arena_free(&arena);
        return b.no_memory ? SP_E_MEMORY : SP_E_INPUT;
    }
    m->arena = arena;
    if (sp_model_layout(m, NULL) != SP_OK) {
        sp_model_free(m);
        return SP_E_MEMORY;
    }
    *model = m;
    return SP_OK;
}

/* ---- the public face ------------------------------------------------------------------------ */

sp_status sp_model_build(const sp_spec *spec, const sp_allocator *allocator, sp_model **model,
                         sp_error *err)
{
    sp_arena arena;
    sp_arena_init(&arena, allocator, 0);
    sp_diag diag;
    sp_diag_init(&diag, &arena);
    const sp_status status = sp_diag_finish(&diag, sp_model_compile(spec, allocator, model, &diag),
                                            "the model could not be built", err);
    sp_arena_free(&arena);
    return status;
}

void sp_model_free(sp_model *model)
{
    if (model) {
        sp_arena arena = model->arena; /* the model lies in it */
        sp_arena_free(&arena);
    }
}
