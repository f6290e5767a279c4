/* model/build_refs.c - scopes of elements, and references to them. */
#include "model/build_parts.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIST_MAX = 600 };

/* ---- scopes --------------------------------------------------------------------------------- */

/* Index d of element k; also of a family whose counts are wrong and are being reported. */
static int index_of(const sp_family *family, int k, int d)
{
    int below = 1;
    for (int i = d + 1; i < family->n_index; i++) {
        below *= family->size[i] > 0 ? family->size[i] : 1;
    }
    return family->size[d] > 0 ? k / below % family->size[d] + family->from : family->from;
}

void sp_build_element_name(const sp_family *family, int k, char *buf, size_t size)
{
    int used = snprintf(buf, size, "%s", family->name);
    const sp_rows *rows = family->rows;
    if (rows && k < rows->n_row && rows->row[k]->key) {
        snprintf(buf, size, "%s.%s", family->name, rows->row[k]->key);
        return;
    }
    for (int d = 0; d < family->n_index && used >= 0 && (size_t)used < size; d++) {
        used += snprintf(buf + used, size - (size_t)used, ".%d", index_of(family, k, d));
    }
}

sp_scope sp_build_scope_of(const char *fmt, ...)
{
    sp_scope scope = {.level = SP_LEVEL_Q};
    va_list args;
    va_start(args, fmt);
    vsnprintf(scope.what, sizeof scope.what, fmt, args);
    va_end(args);
    return scope;
}

const char *sp_build_noun(sp_part_kind kind)
{
    static const char *const noun[] = {"body",     "force", "state", "contact",
                                       "coupling", "joint", "part"};
    return noun[kind];
}

sp_scope sp_build_scope(const sp_family *family, int k)
{
    char name[SP_WHAT_MAX - 16];
    sp_build_element_name(family, k, name, sizeof name);
    sp_scope scope = sp_build_scope_of("%s '%s'", sp_build_noun(family->kind), name);
    scope.random = sp_build_hash(0, name);
    scope.n_index = family->n_index;
    scope.n = family->n;
    scope.rows = family->rows;
    scope.row = k;
    for (int d = 0; d < family->n_index; d++) {
        scope.index[d] = index_of(family, k, d);
    }
    return scope;
}

/* ---- references ----------------------------------------------------------------------------- */

/* Report that nothing is called `word`. */
static void unknown_family(sp_build *b, const sp_part_kind *kind, const char *word, sp_error *err)
{
    const char **name = SP_BUILD_NEW(b, &b->scratch, const char *, b->n_family);
    char list[LIST_MAX] = "";
    if (name) {
        int n = 0;
        for (int i = 0; i < b->n_family; i++) {
            if (!kind || b->family[i].kind == *kind) {
                name[n++] = b->family[i].name;
            }
        }
        sp_build_suggest(b, word, name, n, list, sizeof list);
    }
    SP_FAIL(err, SP_E_INPUT, "there is no %s '%s'%.400s", kind ? sp_build_noun(*kind) : "element",
            word, list);
}

/* Read the indices behind the name of an array; without any, all its elements are meant. */
static bool read_indices(const sp_family *f, const char **at, sp_ref *ref, sp_error *err)
{
    const int row = f->rows ? sp_build_row(f->rows, *at, strcspn(*at, ".")) : SP_NONE;
    ref->first = f->first;
    ref->n = f->n;
    if (row != SP_NONE) {
        *at += strcspn(*at, ".");
        *at += **at == '.';
        ref->first = f->first + row;
        ref->n = 1;
        return true;
    }
    if (!f->n_index || !isdigit((unsigned char)**at)) {
        if (!f->n_index && (isdigit((unsigned char)**at) || **at == '-')) {
            SP_FAIL(err, SP_E_INPUT, "'%s' is a single element, it has no number %.*s", f->name,
                    (int)strcspn(*at, "."), *at);
            return false;
        }
        if (**at != '-') {
            return true;
        }
    }
    int k = 0;
    for (int d = 0; d < f->n_index; d++) {
        char *end;
        const long i = strtol(*at, &end, 10);
        if (end == *at || i < f->from || i >= (long)f->from + f->size[d]) {
            const int n = (int)(end == *at ? 20 : end - *at);
            f->size[d] > 0 ? SP_FAIL(err, SP_E_INPUT, "'%s' has the elements %d to %d, not %.*s",
                                     f->name, f->from, f->from + f->size[d] - 1, n, *at)
                           : SP_FAIL(err, SP_E_INPUT, "'%s' has no elements, count is 0", f->name);
            return false;
        }
        k = k * f->size[d] + (int)i - f->from;
        *at = *end == '.' ? end + 1 : end;
    }
    ref->first = f->first + k;
    ref->n = 1;
    return true;
}

bool sp_build_resolve(sp_build *b, const sp_part_kind *kind, const char *path, sp_ref *ref,
                      sp_error *err)
{
    size_t n;
    const int k = sp_build_find_family(b, path, &n);
    if (k == SP_NONE || (kind && b->family[k].kind != *kind)) {
        char word[SP_WHAT_MAX];
        n = sp_build_is_part(b, path) ? strlen(path) : strcspn(path, ".");
        snprintf(word, sizeof word, "%.*s", (int)(n < 100 ? n : 100), path);
        unknown_family(b, kind, word, err);
        return false;
    }
    ref->family = &b->family[k];
    if (ref->family->broken) {
        ref->first = ref->family->first;
        ref->n = 1;
        ref->rest[0] = '\0';
        return true;
    }
    const char *at = path + n + (path[n] == '.');
    if (!read_indices(ref->family, &at, ref, err)) {
        return false;
    }
    snprintf(ref->rest, sizeof ref->rest, "%s", at);
    return true;
}

bool sp_build_ref(sp_build *b, sp_scope *scope, const sp_node *node, sp_ref *ref)
{
    const char *path = sp_build_text(node);
    if (!path || !*path) {
        return false;
    }
    sp_look look = {.b = b, .scope = scope};
    const sp_resolver resolver = sp_build_resolver(&look, node);
    const sp_part_kind body = SP_PART_BODY;
    sp_error err = {.status = SP_OK};
    if (strchr(path, '(') &&
        sp_path_canonical(&b->scratch, path, &resolver, &path, &err) != SP_OK) {
        sp_build_report(b, &look, node, NULL, 0, &err);
        return false;
    }
    path = sp_build_own(b, node, path, SP_MEANT_ELEMENT);
    if (!sp_build_resolve(b, &body, path, ref, &err)) {
        sp_build_report(b, &look, node, NULL, 0, &err);
        return false;
    }
    return !ref->family->broken;
}

bool sp_build_body_ref(sp_build *b, sp_scope *scope, const sp_node *node, sp_ref *ref)
{
    if (!sp_build_ref(b, scope, node, ref)) {
        return false;
    }
    if (ref->n != 1 || (ref->family->n_index && ref->family->n == 1 && !strchr(node->text, '.'))) {
        sp_build_error(
            b, node->place, 0,
            "%s: '%s' has %d elements, expected one; write %s.1 or, with 'count', %s.(i)",
            scope->what, ref->family->name, ref->n, ref->family->name, ref->family->name);
        return false;
    }
    return true;
}

/* ---- names that forces, laws and contours have of their own --------------------------------- */

bool sp_build_own_signal(const sp_look *look, const char *name, sp_signal *signal, sp_dim *dim)
{
    const sp_scope *s = look->scope;
    const bool any = s->own == SP_OWN_ANY;
    const bool length = any || s->own == SP_OWN_LENGTH, angle = any || s->own == SP_OWN_ANGLE;
    const bool slide = s->own == SP_OWN_SLIDE, turn = s->own == SP_OWN_TURN;
    const char *law = s->own == SP_OWN_SPEED ? "v" : s->own == SP_OWN_APPROACH ? "v_N" : NULL;
    if (law && strcmp(name, law) == 0) {
        *dim = sp_dim_of(1, 0, -1);
        *signal = (sp_signal){.kind = SP_SIG_RATE};
        return true;
    }
    if (s->own == SP_OWN_SLIP && strcmp(name, "slip") == 0) {
        *dim = sp_dim_of(0, 0, 0);
        *signal = (sp_signal){.kind = SP_SIG_MEASURE};
        return true;
    }
    if (s->own == SP_OWN_PRESS && (strcmp(name, "g_N") == 0 || strcmp(name, "v_N") == 0)) {
        *dim = sp_dim_of(1, 0, name[0] == 'g' ? 0 : -1);
        *signal = (sp_signal){.kind = name[0] == 'g' ? SP_SIG_MEASURE : SP_SIG_RATE};
        return true;
    }
    if (s->own == SP_OWN_BEAM && strcmp(name, "x") == 0) {
        *dim = sp_dim_of(1, 0, 0);
        *signal = (sp_signal){.kind = SP_SIG_MEASURE};
        return true;
    }
    if (s->own == SP_OWN_PLATE && (strcmp(name, "r") == 0 || strcmp(name, "phi") == 0)) {
        *dim = sp_dim_of(name[0] == 'r' ? 1 : 0, 0, 0);
        *signal = (sp_signal){.kind = name[0] == 'r' ? SP_SIG_MEASURE : SP_SIG_RATE};
        return true;
    }
    const bool on_surface = s->own == SP_OWN_SURFACE;
    if ((s->own == SP_OWN_CURVE && strcmp(name, "s") == 0) ||
        (on_surface && (strcmp(name, "u") == 0 || strcmp(name, "v") == 0))) {
        *dim = sp_dim_of(0, 0, 0);
        *signal = (sp_signal){.kind = name[0] == 'v' ? SP_SIG_RATE : SP_SIG_MEASURE};
        return true;
    }
    const bool measure = (length && strcmp(name, "x") == 0) ||
                         ((angle || turn) && strcmp(name, "phi") == 0) ||
                         (slide && strcmp(name, "s") == 0);
    const bool rate = ((length || slide) && strcmp(name, "v") == 0) ||
                      ((angle || turn) && strcmp(name, "omega") == 0);
    if (!measure && !rate) {
        return false;
    }
    *dim = sp_dim_of(length || slide ? 1 : 0, 0, measure ? 0 : -1);
    *signal = (sp_signal){.kind = measure ? SP_SIG_MEASURE : SP_SIG_RATE};
    if (slide || turn) {
        const sp_dof *dof = &look->b->dof[s->dof];
        *signal = measure ? (sp_signal){.kind = SP_SIG_Q, .index = dof->q, .dof = s->dof}
                          : (sp_signal){.kind = SP_SIG_U, .index = s->dof};
    }
    return true;
}
