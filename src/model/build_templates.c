/* model/build_templates.c - groups of elements (`templates`) and their copies (`parts`).
 *
 * A part is expanded in the tree of the file: every entry of its template's sections comes into the
 * section of the same name of a copied tree, under its name behind the part's, `left.strut`.  Each
 * copied node keeps which part it belongs to, so that names in it mean first what the part has,
 * then what the parts around it have, then what the model has.  With `count` or `each` the parts
 * are made element by element: all the struts, then all the wheels, as arrays would be. */
#include "base/status.h"
#include "model/build_parts.h"

#include <stdio.h>
#include <string.h>

enum { LIST_MAX = 600, NEST_MAX = 16 };

/* Sections of a template whose entries become elements, and those whose entries do not share their
 * names. */
static const char *const element_section[] = {"bodies", "forces",    "states", "contacts",
                                              "joints", "couplings", "parts"};
static const char *const other_section[] = {"laws", "start", "near", "outputs"};

enum {
    N_ELEMENT = sizeof element_section / sizeof *element_section,
    N_OTHER = sizeof other_section / sizeof *other_section
};

/* ---- names ---------------------------------------------------------------------------------- */

int sp_build_find_family(const sp_build *b, const char *path, size_t *n)
{
    *n = strcspn(path, ".");
    int k = sp_names_find(&b->family_names, path, *n);
    while (k == SP_NONE && b->n_instance > 0 && path[*n]) { /* names of parts have dots */
        *n += 1 + strcspn(path + *n + 1, ".");
        k = sp_names_find(&b->family_names, path, *n);
    }
    return k;
}

const char *sp_build_own(sp_build *b, const sp_node *node, const char *path, sp_meant kind)
{
    for (int i = node ? node->instance : 0; i > 0; i = b->instance[i - 1].outer) {
        const char *full = sp_arena_printf(&b->scratch, "%s.%s", b->instance[i - 1].name, path);
        size_t n;
        if (!full) {
            b->no_memory = true;
            return path;
        }
        const sp_names *names = kind == SP_MEANT_OUTPUT ? &b->output_names : &b->value_names;
        const bool element = kind == SP_MEANT_ELEMENT || kind == SP_MEANT_ANY;
        const int f = element ? sp_build_find_family(b, full, &n) : SP_NONE;
        const bool number = f != SP_NONE && (full[n] || b->family[f].kind == SP_PART_STATE);
        if ((kind != SP_MEANT_ELEMENT && sp_names_find(names, full, strlen(full)) != SP_NONE) ||
            (kind == SP_MEANT_ELEMENT && f != SP_NONE) || number) {
            return full;
        }
    }
    return path;
}

const sp_node *sp_build_own_entry(sp_build *b, const sp_node *node, const char *section,
                                  const char *name)
{
    const sp_node *map = sp_node_get(b->root, section);
    for (int i = node->instance; i > 0; i = b->instance[i - 1].outer) {
        const char *full = sp_arena_printf(&b->scratch, "%s.%s", b->instance[i - 1].name, name);
        const sp_node *entry = full ? sp_node_get(map, full) : NULL;
        if (entry) {
            return entry;
        }
    }
    return sp_node_get(map, name);
}

const char *sp_build_own_short(const sp_build *b, const sp_node *node, const char *name)
{
    for (int i = node ? node->instance : 0; i > 0; i = b->instance[i - 1].outer) {
        const char *part = b->instance[i - 1].name;
        const size_t n = strlen(part);
        if (strncmp(name, part, n) == 0 && name[n] == '.') {
            return name + n + 1;
        }
    }
    return name;
}

bool sp_build_is_part(const sp_build *b, const char *path)
{
    const size_t n = strcspn(path, ".");
    for (int i = 0; i < b->n_instance; i++) {
        const char *name = b->instance[i].name;
        if (strncmp(name, path, n) == 0 && (name[n] == '.' || name[n] == '\0')) {
            return true;
        }
    }
    return false;
}

bool sp_build_name_of_part(sp_build *b, sp_names *names, const sp_node *node, const char *name,
                           int number)
{
    const sp_instance *i = node && node->instance ? &b->instance[node->instance - 1] : NULL;
    if (i && strcmp(i->name, i->number) != 0) {
        sp_build_name(b, names, sp_build_printf(b, "%s%s", i->number, name + strlen(i->name)),
                      number);
    }
    return sp_build_name(b, names, name, number);
}

/* ---- copies of the tree --------------------------------------------------------------------- */

/* A copy of one node below a parent, under a key (NULL: its own); NULL: no memory. */
static sp_node *copy_node(sp_build *b, sp_node *parent, const sp_node *from, const char *key,
                          int instance)
{
    if (b->made->n_node >= SP_SPEC_NODE_MAX) {
        return NULL;
    }
    sp_node *node = sp_node_new(b->made, from->kind, from->place);
    if (!node) {
        b->no_memory = true;
        return NULL;
    }
    node->quoted = from->quoted;
    node->text = from->text;
    node->key = key ? key : from->key;
    node->key_place = from->key_place;
    node->instance = instance ? instance : from->instance;
    if (!sp_node_append(b->made, parent, node)) {
        b->no_memory = true;
        return NULL;
    }
    return node;
}

/* A copy of a node with all below it. */
static bool copy_tree(sp_build *b, sp_node *parent, const sp_node *from, const char *key,
                      int instance)
{
    const sp_node *at = from;
    sp_node *to = copy_node(b, parent, from, key, instance);
    while (to) {
        if (at->first) {
            at = at->first;
        } else {
            while (at != from && !at->next) {
                at = at->parent;
                to = to->parent;
            }
            if (at == from) {
                return true;
            }
            at = at->next;
            to = to->parent;
        }
        to = copy_node(b, to, at, NULL, instance);
    }
    return false;
}

/* A section of the copied tree, made if it is not there; NULL: no memory. */
static sp_node *section_of(sp_build *b, const char *name, sp_place place)
{
    sp_node *root = b->made->root, *map = sp_node_get(root, name);
    if (map) {
        return map->kind == SP_NODE_MAP ? map : NULL;
    }
    const sp_node from = {.kind = SP_NODE_MAP, .place = place, .key_place = place};
    return copy_node(b, root, &from, name, 0);
}

/* ---- parameters of a part ------------------------------------------------------------------- */

/* What a part is made of. */
typedef struct part_plan {
    const sp_node *node, *template, *with; /* the entry; NULL: nothing given */
    sp_family family;                      /* its count                      */
    int first;                             /* its instances begin there      */
} part_plan;

/* Whether a parameter has no value of its own: `required`, or a mere name in a list. */
static bool is_required(const sp_node *parameter)
{
    const char *text = sp_build_text(parameter);
    return !parameter->key || (text && strcmp(text, "required") == 0);
}

static const char *parameter_name(const sp_node *parameter)
{
    return parameter->key ? parameter->key : sp_build_text(parameter);
}

/* Report what `with` gives that the template does not have. */
static bool check_with(sp_build *b, const part_plan *p, const sp_node *parameters)
{
    const int n_error = b->diag->n_error, n = parameters ? parameters->n_child : 0;
    const char **name = SP_BUILD_NEW(b, &b->scratch, const char *, n + 1);
    const bool map = p->with && p->with->kind == SP_NODE_MAP;
    for (const sp_node *given = map && name ? p->with->first : NULL; given; given = given->next) {
        char list[LIST_MAX] = "";
        bool found = false;
        int k = 0;
        for (const sp_node *c = n ? parameters->first : NULL; c; c = c->next) {
            name[k] = parameter_name(c) ? parameter_name(c) : "";
            found = found || strcmp(name[k], given->key) == 0;
            k++;
        }
        if (!found) {
            sp_build_suggest(b, given->key, name, k, list, sizeof list);
            sp_build_error(b, given->key_place, 0,
                           "part '%s': with: template '%s' has no parameter '%.60s'%s",
                           p->node->key, p->template->key, given->key,
                           *list ? list : "; list it under 'parameters' of the template");
        }
    }
    return b->diag->n_error == n_error;
}

/* The value of a parameter: from `with`, from the column of its name, from the template; none of
 * them is reported. */
static bool give_value(sp_build *b, const part_plan *p, const sp_node *parameter, int k)
{
    const char *name = parameter_name(parameter);
    const sp_scope scope = sp_build_scope(&p->family, k);
    const sp_instance *instance = &b->instance[p->first + k];
    const sp_node *given = sp_node_get(p->with, name);
    const sp_value *cell = given ? NULL : sp_build_cell(&scope, name);
    const char *full = sp_build_printf(b, "%s.%s", instance->name, name);
    if (!given && !cell && is_required(parameter)) {
        sp_build_error(b, p->with ? p->with->key_place : p->node->key_place, 0,
                       "%s: template '%s' needs the parameter '%s'; write 'with: {%s: ...}'%s",
                       scope.what, p->template->key, name, name,
                       p->family.rows ? ", or give the table a column of this name" : "");
        return false;
    }
    if (cell) {
        return sp_build_add_value(b, full, cell->node, NULL, cell);
    }
    if (given) {
        sp_scope *kept = SP_BUILD_NEW(b, &b->scratch, sp_scope, 1);
        if (!kept) {
            return false;
        }
        *kept = scope;
        return sp_build_add_value(b, full, given, kept, NULL);
    }
    sp_node *map = section_of(b, "parameters", parameter->place);
    return map && copy_tree(b, map, parameter, full, p->first + k + 1) &&
           sp_build_add_value(b, full, map->last, NULL, NULL);
}

/* Parameters of all copies of a part. */
static bool give_values(sp_build *b, const part_plan *p)
{
    const sp_node *parameters = sp_node_get(p->template, "parameters");
    const int first = b->n_value, n_error = b->diag->n_error;
    if (!check_with(b, p, parameters)) {
        return false;
    }
    for (int k = 0; k < p->family.n && !b->no_memory; k++) {
        for (const sp_node *c = parameters ? parameters->first : NULL; c; c = c->next) {
            if (parameter_name(c) && !give_value(b, p, c, k) && b->diag->n_error > n_error) {
                return false;
            }
        }
    }
    sp_build_compute_values(b, first);
    return b->diag->n_error == n_error && !b->no_memory;
}

/* ---- the parts ------------------------------------------------------------------------------ */

/* The template of a part; NULL after an error. */
static const sp_node *template_of(sp_build *b, const sp_node *part)
{
    const sp_node *all = sp_node_get(b->spec->root, "templates");
    const sp_node *ref = sp_node_get(part, "template");
    const char *name = sp_build_text(ref);
    const bool map = all && all->kind == SP_NODE_MAP;
    const sp_node *found = name ? sp_node_get(all, name) : NULL;
    if (found || !name) {
        return found && found->kind == SP_NODE_MAP ? found : NULL;
    }
    const char **names = SP_BUILD_NEW(b, &b->scratch, const char *, (map ? all->n_child : 0) + 1);
    char list[LIST_MAX] = "";
    int n = 0;
    for (const sp_node *c = map && names ? all->first : NULL; c; c = c->next) {
        names[n++] = c->key;
    }
    sp_build_suggest(b, name, names, n, list, sizeof list);
    sp_build_error(b, ref->place, 0, "part '%s': there is no template '%.60s'%s", part->key, name,
                   n > 0 ? list : "; write it under 'templates'");
    return NULL;
}

/* Report a template that contains itself, and parts in parts without end; false if so. */
static bool check_ring(sp_build *b, const sp_node *part, const sp_node *template)
{
    bool ring = false;
    int depth = 0;
    for (int i = part->instance; i > 0 && !ring; i = b->instance[i - 1].outer, depth++) {
        ring = b->instance[i - 1].template == template;
    }
    if (ring) {
        sp_build_error(b, sp_node_get(part, "template")->place, 0,
                       "part '%s': template '%s' contains itself; take this part out of it",
                       part->key, template->key);
    } else if (depth > NEST_MAX) {
        sp_build_error(b, sp_node_get(part, "template")->place, 0,
                       "part '%s': parts nested deeper than %d; put templates side by side",
                       part->key, NEST_MAX);
    }
    return !ring && depth <= NEST_MAX;
}

/* Say that an element of a template cannot be; false. */
static bool refuse(sp_build *b, const sp_node *template, const sp_node *entry, const sp_node *other)
{
    if (other) {
        sp_build_error(b, entry->key_place, 0,
                       "template '%s': '%s' is there twice, also in line %d; rename one",
                       template->key, entry->key, other->key_place.line);
    } else {
        sp_build_error(b, entry->key_place, 0,
                       "template '%s': 'ground' is the model's; give it points and contours under "
                       "the 'bodies' of the model",
                       template->key);
    }
    return false;
}

/* Whether the elements of a template have names of their own. */
static bool check_names(sp_build *b, const sp_node *template)
{
    for (int s = 0; s < N_ELEMENT; s++) {
        const sp_node *map = sp_node_get(template, element_section[s]);
        for (const sp_node *c = map ? map->first : NULL; c && c->key; c = c->next) {
            if (strcmp(c->key, "ground") == 0) {
                return refuse(b, template, c, NULL);
            }
            for (int earlier = 0; earlier < s; earlier++) {
                const sp_node *other =
                    sp_node_get(sp_node_get(template, element_section[earlier]), c->key);
                if (other) {
                    return refuse(b, template, c, other);
                }
            }
        }
    }
    return true;
}

/* Copy a section of the template, entry by entry, each for all copies of the part. */
static bool copy_section(sp_build *b, const part_plan *p, const char *name)
{
    const sp_node *from = sp_node_get(p->template, name);
    if (!from || from->kind != SP_NODE_MAP || !from->first) {
        return true;
    }
    sp_node *to = section_of(b, name, from->key_place);
    for (const sp_node *c = from->first; c && to; c = c->next) {
        for (int k = 0; k < p->family.n; k++) {
            const int i = p->first + k;
            const char *key = sp_build_printf(b, "%s.%s", b->instance[i].name, c->key);
            if (!copy_tree(b, to, c, key, i + 1)) {
                if (!b->no_memory) {
                    sp_build_error(b, p->node->key_place, 0,
                                   "part '%s': the parts make more than %d nodes", p->node->key,
                                   SP_SPEC_NODE_MAX);
                }
                return false;
            }
        }
    }
    return true;
}

/* The copies that a part stands for, by name. */
static bool add_instances(sp_build *b, part_plan *p)
{
    const int i = p->node->instance;
    p->first = b->n_instance;
    for (int k = 0; k < p->family.n; k++) {
        char name[SP_WHAT_MAX], number[SP_WHAT_MAX];
        const sp_instance *outer = i ? &b->instance[i - 1] : NULL;
        sp_family by_number = p->family;
        by_number.rows = NULL;
        by_number.name =
            outer ? sp_build_printf(b, "%s%s", outer->number, p->node->key + strlen(outer->name))
                  : p->node->key;
        sp_build_element_name(&p->family, k, name, sizeof name);
        sp_build_element_name(&by_number, k, number, sizeof number);
        if (!SP_BUILD_ROOM(b, b->instance, b->n_instance)) {
            return false;
        }
        b->instance[b->n_instance++] = (sp_instance){.name = sp_build_printf(b, "%s", name),
                                                     .number = sp_build_printf(b, "%s", number),
                                                     .outer = p->node->instance,
                                                     .template = p->template};
    }
    return true;
}

/* Whether an element of the model has the name of a part, which is reported with the structure. */
static bool is_taken(const sp_build *b, const char *name)
{
    for (int s = 0; s < N_ELEMENT - 1; s++) {
        if (sp_node_get(sp_node_get(b->spec->root, element_section[s]), name)) {
            return true;
        }
    }
    return false;
}

/* Put one part into the tree. */
static void expand(sp_build *b, const sp_node *part)
{
    part_plan p = {.node = part, .template = template_of(b, part)};
    p.with = sp_node_get(part, "with");
    p.family = (sp_family){.name = part->key, .node = part, .kind = SP_PART_PART, .from = 1};
    if (part->kind != SP_NODE_MAP || !p.template || !check_ring(b, part, p.template) ||
        is_taken(b, part->key)) {
        b->parts_failed = true;
        return;
    }
    sp_build_read_count(b, &p.family);
    bool good = !p.family.broken && add_instances(b, &p) && give_values(b, &p);
    for (int s = 0; s < N_OTHER && good; s++) {
        good = copy_section(b, &p, other_section[s]);
    }
    for (int s = 0; s < N_ELEMENT && good; s++) {
        good = copy_section(b, &p, element_section[s]);
    }
    b->parts_failed = b->parts_failed || !good;
}

void sp_build_templates(sp_build *b)
{
    const sp_node *parts = sp_node_get(b->root, "parts");
    if (!parts || parts->kind != SP_NODE_MAP || !parts->first) {
        return;
    }
    b->made = sp_spec_new(&b->scratch.allocator);
    if (!b->made) {
        b->no_memory = true;
        return;
    }
    b->made->root->place = b->root->place;
    for (const sp_node *c = b->root->first; c; c = c->next) {
        if (strcmp(c->key, "templates") != 0 && !copy_tree(b, b->made->root, c, NULL, 0)) {
            return;
        }
    }
    b->root = b->made->root;
    const sp_node *all = sp_node_get(b->spec->root, "templates");
    for (const sp_node *t = all && all->kind == SP_NODE_MAP ? all->first : NULL; t; t = t->next) {
        b->parts_failed = !check_names(b, t) || b->parts_failed;
    }
    parts = sp_node_get(b->root, "parts"); /* those within parts come behind */
    for (const sp_node *c = parts->first; c && !b->no_memory && !b->parts_failed; c = c->next) {
        expand(b, c);
    }
}
