/* reduce/deck.c - input decks of CalculiX and Abaqus, tables of nodes. */
#define _POSIX_C_SOURCE 200809L
#include "reduce/fe.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { DEPTH_MAX = 8, LINE_MAX_ = 4096, NAME_MAX_ = 128 };

/* What the lines below a keyword are. */
typedef enum section { OTHER, NODE, ELEMENT, NSET, ELSET, ELASTIC, DENSITY, STEP } section;

typedef struct reading {
    sp_fe *fe;
    const char *file;
    int line;
    section in;
    bool generate;
    int found;      /* the last element of a set */
    sp_fe_set *set; /* nodes or elements that are read go into this, NULL: none */
    const char *type;
    int per_element, left; /* nodes of an element, and how many are still to come */
    sp_fe_material *material;
    sp_error *err;
} reading;

char *sp_fe_load(const char *path, size_t *n, sp_error *err)
{
    FILE *f = fopen(path, "rb");
    size_t room = 1 << 16;
    char *text = f ? malloc(room + 1) : NULL;
    *n = 0;
    while (text) {
        *n += fread(text + *n, 1, room - *n, f);
        if (*n < room) {
            break;
        }
        char *more = realloc(text, 2 * room + 1);
        if (!more) {
            free(text);
        }
        text = more;
        room *= 2;
    }
    if (text && ferror(f)) {
        free(text);
        text = NULL;
    }
    if (text) {
        text[*n] = '\0';
    } else {
        SP_FAIL(err, SP_E_INPUT, "'%.200s' cannot be read: %s", path, strerror(errno));
    }
    if (f) {
        fclose(f);
    }
    return text;
}

static sp_status wrong(const reading *r, const char *what)
{
    const sp_status status = SP_FAIL(r->err, SP_E_INPUT, "%s", what);
    if (r->err) {
        snprintf(r->err->file, sizeof r->err->file, "%s", r->file);
        r->err->line = r->line;
        r->err->column = 0;
    }
    return status;
}

/* A number of a node, an element; -1: none that there can be. */
static int whole(double x)
{
    return x >= 1.0 && x <= 100000000.0 ? (int)x : -1;
}

/* ---- growing ----------------------------------------------------------------------------------
 */

/* Room for one more of n things. */
static bool room_for(sp_arena *arena, int n, int *room, size_t size, void **at)
{
    if (n < *room) {
        return true;
    }
    const int more = 2 * *room + 64;
    void *to = sp_arena_alloc(arena, (size_t)more, size);
    if (!to) {
        return false;
    }
    if (n > 0) {
        memcpy(to, *at, (size_t)n * size);
    }
    *at = to;
    *room = more;
    return true;
}

static bool add_to_set(sp_fe *fe, sp_fe_set *s, int index)
{
    void *at = s->index;
    if (!room_for(fe->arena, s->n, &s->room, sizeof *s->index, &at)) {
        return false;
    }
    s->index = at;
    s->index[s->n++] = index;
    return true;
}

static sp_fe_set *set_of(sp_fe *fe, sp_fe_set *list, int *n, const char *name)
{
    for (int k = 0; k < *n; k++) {
        if (strcasecmp(list[k].name, name) == 0) {
            return &list[k];
        }
    }
    if (*n == 256) {
        return NULL;
    }
    list[*n] = (sp_fe_set){.name = sp_arena_copy(fe->arena, name)};
    return list[*n].name ? &list[(*n)++] : NULL;
}

const sp_fe_set *sp_fe_find_set(const sp_fe *fe, const char *name)
{
    for (int k = 0; k < fe->n_set; k++) {
        if (strcasecmp(fe->set[k].name, name) == 0) {
            return &fe->set[k];
        }
    }
    return NULL;
}

int sp_fe_node(const sp_fe *fe, int id)
{
    return id >= 0 && id <= fe->most_id && fe->index_of ? fe->index_of[id] : -1;
}

static sp_status add_node(reading *r, int id, const double at[3])
{
    sp_fe *fe = r->fe;
    void *ids = fe->id, *places = fe->at;
    int room = fe->node_room;
    if (id < 1) {
        return wrong(r, "node number, expected 1 to 100000000");
    }
    if (id > fe->most_id || !fe->index_of) {
        const int most = 2 * id + 1000;
        int *index = SP_NEW(fe->arena, int, most + 1);
        for (int k = 0; index && k <= most; k++) {
            index[k] = sp_fe_node(fe, k);
        }
        fe->index_of = index;
        fe->most_id = index ? most : 0;
    }
    if (!fe->index_of || !room_for(fe->arena, fe->n_node, &room, sizeof *fe->id, &ids) ||
        !room_for(fe->arena, fe->n_node, &fe->node_room, 3 * sizeof *fe->at, &places)) {
        return SP_E_MEMORY;
    }
    fe->id = ids;
    fe->at = places;
    if (fe->index_of[id] < 0) {
        fe->index_of[id] = fe->n_node;
        fe->id[fe->n_node++] = id;
    }
    memcpy(fe->at + 3 * fe->index_of[id], at, 3 * sizeof *at);
    return !r->set || add_to_set(fe, r->set, fe->index_of[id]) ? SP_OK : SP_E_MEMORY;
}

/* ---- keywords ---------------------------------------------------------------------------------
 */

/* The value of a parameter of a keyword line, "NSET=ROOT"; false: none. */
static bool parameter(const char *line, const char *key, char value[NAME_MAX_])
{
    for (const char *at = strchr(line, ','); at; at = strchr(at, ',')) {
        at++;
        while (isspace((unsigned char)*at)) {
            at++;
        }
        const size_t n = strlen(key);
        if (strncasecmp(at, key, n) != 0 || isalnum((unsigned char)at[n])) {
            continue;
        }
        const char *from = at + n;
        while (isspace((unsigned char)*from) || *from == '=') {
            from++;
        }
        size_t k = 0;
        while (from[k] && from[k] != ',' && k + 1 < NAME_MAX_) {
            value[k] = from[k];
            k++;
        }
        while (k > 0 && isspace((unsigned char)value[k - 1])) {
            k--;
        }
        value[k] = '\0';
        return true;
    }
    return false;
}

static bool is_keyword(const char *line, const char *word)
{
    const size_t n = strlen(word);
    return strncasecmp(line + 1, word, n) == 0 &&
           (line[1 + n] == '\0' || line[1 + n] == ',' || isspace((unsigned char)line[1 + n]));
}

static int nodes_of_type(const char *type)
{
    static const struct {
        const char *name;
        int n;
    } known[] = {{"C3D20", 20}, {"C3D8", 8},   {"C3D10", 10},
                 {"C3D4", 4},   {"C3D15", 15}, {"C3D6", 6}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        const size_t n = strlen(known[k].name);
        if (strncasecmp(type, known[k].name, n) == 0 && !isdigit((unsigned char)type[n])) {
            return known[k].n;
        }
    }
    return 0;
}

static sp_status begin_element(reading *r, const char *line)
{
    char type[NAME_MAX_] = "", text[200];
    r->per_element = parameter(line, "TYPE", type) ? nodes_of_type(type) : 0;
    if (strcasecmp(type, "C3D8I") == 0) {
        return wrong(r, "element type 'C3D8I', whose inner functions CalculiX counts as nodes that "
                        "the mesh does not have; expected C3D8, C3D10 or C3D20");
    }
    if (r->per_element == 0) {
        snprintf(
            text, sizeof text,
            "element type '%.40s', expected solids: C3D4, C3D8, C3D10, C3D20, C3D6, C3D15 (beams "
            "and shells become solids in CalculiX, with other nodes)",
            type);
        return wrong(r, text);
    }
    r->type = sp_arena_copy(r->fe->arena, type);
    r->left = 0;
    return r->type ? SP_OK : SP_E_MEMORY;
}

static sp_status begin_section(reading *r, const char *line)
{
    char name[NAME_MAX_], material[NAME_MAX_];
    sp_fe *fe = r->fe;
    if (!parameter(line, "ELSET", name) || !parameter(line, "MATERIAL", material)) {
        return wrong(r, "*SOLID SECTION, expected ELSET= and MATERIAL=");
    }
    const sp_fe_set *s = set_of(fe, fe->elset, &fe->n_elset, name);
    for (int k = 0; s && k < fe->n_material; k++) {
        for (int i = 0; strcasecmp(fe->material[k].name, material) == 0 && i < s->n; i++) {
            fe->element[s->index[i]].material = k;
        }
    }
    return SP_OK;
}

static sp_status begin_material(reading *r, const char *line)
{
    char name[NAME_MAX_];
    sp_fe *fe = r->fe;
    if (!parameter(line, "NAME", name) || fe->n_material == 64) {
        return wrong(r, "*MATERIAL, expected NAME= and at most 64 materials");
    }
    r->material = &fe->material[fe->n_material++];
    *r->material = (sp_fe_material){.name = sp_arena_copy(fe->arena, name), .plain = true};
    return r->material->name ? SP_OK : SP_E_MEMORY;
}

/* A set that a keyword names, made if it is new. */
static bool name_set(reading *r, const char *line, const char *key)
{
    char name[NAME_MAX_];
    sp_fe *fe = r->fe;
    const bool nodes = strcmp(key, "NSET") == 0;
    r->set = parameter(line, key, name)
                 ? set_of(fe, nodes ? fe->set : fe->elset, nodes ? &fe->n_set : &fe->n_elset, name)
                 : NULL;
    return r->set != NULL;
}

static sp_status keyword(reading *r, const char *line)
{
    char value[NAME_MAX_];
    if (r->left > 0) {
        return wrong(r, "the element above has too few nodes");
    }
    r->in = OTHER;
    r->set = NULL;
    r->generate = parameter(line, "GENERATE", value);
    if (is_keyword(line, "NODE")) {
        r->in = NODE;
        name_set(r, line, "NSET");
    } else if (is_keyword(line, "ELEMENT")) {
        r->in = ELEMENT;
        name_set(r, line, "ELSET");
        return begin_element(r, line);
    } else if (is_keyword(line, "NSET") || is_keyword(line, "ELSET")) {
        r->in = is_keyword(line, "NSET") ? NSET : ELSET;
        return name_set(r, line, r->in == NSET ? "NSET" : "ELSET")
                   ? SP_OK
                   : wrong(r, "a set without a name, or more than 256 sets");
    } else if (is_keyword(line, "MATERIAL")) {
        return begin_material(r, line);
    } else if (is_keyword(line, "ELASTIC") && r->material) {
        r->in = ELASTIC;
        r->material->plain = !parameter(line, "TYPE", value) || strncasecmp(value, "ISO", 3) == 0;
    } else if (is_keyword(line, "DENSITY") && r->material) {
        r->in = DENSITY;
    } else if (is_keyword(line, "SOLID SECTION")) {
        return begin_section(r, line);
    } else if (is_keyword(line, "BOUNDARY")) {
        r->fe->fixed = true;
    } else if (is_keyword(line, "STEP")) {
        r->in = STEP;
    }
    return SP_OK;
}

/* ---- lines of numbers -------------------------------------------------------------------------
 */

/* Up to `most` numbers of a line; how many, -1: something else. */
static int numbers(const char *line, int most, double *x)
{
    int n = 0;
    for (const char *at = line; *at && n < most;) {
        char *end;
        while (isspace((unsigned char)*at) || *at == ',') {
            at++;
        }
        if (!*at) {
            break;
        }
        x[n] = strtod(at, &end);
        if (end == at || !isfinite(x[n])) {
            return -1;
        }
        n++;
        at = end;
    }
    return n;
}

static sp_status element_line(reading *r, const char *line)
{
    double x[64];
    sp_fe *fe = r->fe;
    const int n = numbers(line, 64, x);
    void *elements = fe->element;
    if (n < 1 || (r->left == 0 && whole(x[0]) < 0)) {
        return wrong(r, "expected numbers of an element and its nodes");
    }
    if (r->left == 0) {
        if (!room_for(fe->arena, fe->n_element, &fe->element_room, sizeof *fe->element,
                      &elements)) {
            return SP_E_MEMORY;
        }
        fe->element = elements;
        fe->element[fe->n_element] = (sp_fe_element){.id = whole(x[0]),
                                                     .n_node = r->per_element,
                                                     .material = -1,
                                                     .first = fe->n_corner,
                                                     .type = r->type};
        r->left = r->per_element;
        if (r->set && !add_to_set(fe, r->set, fe->n_element)) {
            return SP_E_MEMORY;
        }
        fe->n_element++;
        memmove(x, x + 1, (size_t)(n - 1) * sizeof *x);
        x[n - 1] = NAN;
    }
    for (int k = 0; k < n && r->left > 0 && isfinite(x[k]); k++, r->left--) {
        void *corners = fe->corner;
        const int node = sp_fe_node(fe, whole(x[k]));
        if (node < 0) {
            return wrong(r, "an element has a node that is not in the file above it");
        }
        if (!room_for(fe->arena, fe->n_corner, &fe->corner_room, sizeof *fe->corner, &corners)) {
            return SP_E_MEMORY;
        }
        fe->corner = corners;
        fe->corner[fe->n_corner++] = node;
    }
    return SP_OK;
}

/* The element of a number, looked for from the last one that was found on: sets go up. */
static int element_of(reading *r, int id)
{
    const sp_fe *fe = r->fe;
    for (int k = 0; k < fe->n_element; k++) {
        r->found = r->found + 1 < fe->n_element ? r->found + 1 : 0;
        if (fe->element[r->found].id == id) {
            return r->found;
        }
    }
    return -1;
}

/* All between two numbers. */
static sp_status generate(reading *r, int n, const double *x)
{
    const sp_fe *fe = r->fe;
    const int first = n > 1 ? whole(x[0]) : -1, last = n > 1 ? whole(x[1]) : -1;
    const int step = n > 2 ? whole(x[2]) : 1, all = r->in == NSET ? fe->n_node : fe->n_element;
    if (first < 0 || last < first || step < 0) {
        return wrong(r, "GENERATE, expected first, last and step");
    }
    for (int k = 0; k < all; k++) {
        const int id = r->in == NSET ? fe->id[k] : fe->element[k].id;
        const bool one = id >= first && id <= last && (id - first) % step == 0;
        if (one && !add_to_set(r->fe, r->set, k)) {
            return SP_E_MEMORY;
        }
    }
    return SP_OK;
}

static sp_status set_numbers(reading *r, int n, const double *x)
{
    for (int k = 0; k < n; k++) {
        const int id = whole(x[k]);
        const int index = r->in == NSET ? sp_fe_node(r->fe, id) : element_of(r, id);
        if (index >= 0 && !add_to_set(r->fe, r->set, index)) {
            return SP_E_MEMORY;
        }
    }
    return SP_OK;
}

/* Numbers, or the names of other sets. */
static sp_status set_line(reading *r, const char *line)
{
    double x[64];
    const int n = numbers(line, 64, x);
    if (n >= 0) {
        return r->generate ? generate(r, n, x) : set_numbers(r, n, x);
    }
    char name[NAME_MAX_];
    sp_fe *fe = r->fe;
    size_t k = 0;
    while (line[k] && line[k] != ',' && !isspace((unsigned char)line[k]) && k + 1 < NAME_MAX_) {
        name[k] = line[k];
        k++;
    }
    name[k] = '\0';
    const sp_fe_set *from = r->in == NSET ? set_of(fe, fe->set, &fe->n_set, name)
                                          : set_of(fe, fe->elset, &fe->n_elset, name);
    for (int i = 0; from && i < from->n; i++) {
        if (!add_to_set(fe, r->set, from->index[i])) {
            return SP_E_MEMORY;
        }
    }
    return SP_OK;
}

static sp_status data_line(reading *r, const char *line)
{
    double x[4] = {0.0};
    switch (r->in) {
    case NODE: {
        const int n = numbers(line, 4, x);
        return n < 2 ? wrong(r, "expected a node number and its place")
                     : add_node(r, whole(x[0]), x + 1);
    }
    case ELEMENT:
        return element_line(r, line);
    case NSET:
    case ELSET:
        return set_line(r, line);
    case ELASTIC:
        if (numbers(line, 4, x) >= 2 && r->material->young == 0.0) {
            r->material->young = x[0];
            r->material->nu = x[1];
        }
        return x[0] < 0.0 ? wrong(r, "negative stiffness: Young's modulus below zero") : SP_OK;
    case DENSITY:
        if (numbers(line, 1, x) >= 1 && r->material->density == 0.0) {
            r->material->density = x[0];
        }
        return SP_OK;
    default:
        return SP_OK;
    }
}

/* ---- the file ---------------------------------------------------------------------------------
 */

static bool keep_line(sp_fe *fe, const char *line)
{
    const size_t n = strlen(line);
    while (fe->n_deck + n + 2 > fe->deck_room) {
        const size_t room = 2 * fe->deck_room + 65536;
        char *text = SP_NEW(fe->arena, char, room);
        if (!text) {
            return false;
        }
        if (fe->n_deck > 0) {
            memcpy(text, fe->deck, fe->n_deck);
        }
        fe->deck = text;
        fe->deck_room = room;
    }
    memcpy(fe->deck + fe->n_deck, line, n);
    fe->n_deck += n;
    fe->deck[fe->n_deck++] = '\n';
    return true;
}

static sp_status read_text(reading *r, const char *path, int depth);

/* The file that a line includes, beside the one with the line. */
static sp_status include(reading *r, const char *path, const char *line, int depth)
{
    char name[NAME_MAX_], whole[1024];
    const char *slash = strrchr(path, '/');
    if (!parameter(line, "INPUT", name) || depth == DEPTH_MAX) {
        return wrong(r, "*INCLUDE, expected INPUT=file, at most 8 deep");
    }
    const int folder = slash && name[0] != '/' ? (int)(slash - path) + 1 : 0;
    snprintf(whole, sizeof whole, "%.*s%s", folder, path, name);
    reading inner = *r;
    const sp_status status = read_text(&inner, whole, depth + 1);
    inner.file = r->file;
    inner.line = r->line;
    *r = inner;
    return status;
}

static sp_status read_line(reading *r, const char *path, char *line, int depth)
{
    size_t n = strlen(line);
    while (n > 0 && isspace((unsigned char)line[n - 1])) {
        line[--n] = '\0';
    }
    if (line[0] == '*' && line[1] == '*') {
        return SP_OK;
    }
    if (line[0] == '*' && is_keyword(line, "INCLUDE")) {
        return include(r, path, line, depth);
    }
    const sp_status status = line[0] == '*' ? keyword(r, line) : n > 0 ? data_line(r, line) : SP_OK;
    if (status == SP_OK && r->in != STEP && n > 0 && !keep_line(r->fe, line)) {
        return SP_E_MEMORY;
    }
    return status;
}

static sp_status read_text(reading *r, const char *path, int depth)
{
    size_t n;
    char *text = sp_fe_load(path, &n, r->err);
    if (!text) {
        return SP_E_INPUT;
    }
    sp_status status = SP_OK;
    r->file = sp_arena_copy(r->fe->arena, path);
    r->line = 0;
    for (char *at = text, *end; status == SP_OK && at && r->in != STEP; at = end) {
        end = strchr(at, '\n');
        if (end) {
            *end++ = '\0';
        }
        r->line++;
        status = read_line(r, path, at, depth);
    }
    free(text);
    return status;
}

sp_status sp_fe_read_deck(const char *path, sp_fe *fe, sp_error *err)
{
    reading r = {.fe = fe, .err = err, .file = path};
    fe->name = path;
    SP_TRY(read_text(&r, path, 0));
    if (r.left > 0) {
        return wrong(&r, "the file ends within an element: it was cut off");
    }
    if (fe->n_node == 0) {
        return wrong(&r, "no nodes, expected an input deck of CalculiX with *NODE and *ELEMENT");
    }
    return SP_OK;
}

/* "id, x, y, z, name name ..." */
sp_status sp_fe_read_nodes(const char *path, sp_fe *fe, sp_error *err)
{
    size_t n;
    char *text = sp_fe_load(path, &n, err), *at = text, *end;
    reading r = {.fe = fe, .err = err, .file = path};
    sp_status status = text ? SP_OK : SP_E_INPUT;
    for (; status == SP_OK && at && *at; at = end) {
        double x[4];
        end = strchr(at, '\n');
        if (end) {
            *end++ = '\0';
        }
        r.line++;
        char *rest = at + strspn(at, " \t");
        if (!isdigit((unsigned char)*rest)) {
            continue; /* a heading, a remark */
        }
        for (int k = 0; k < 4; k++) {
            char *behind;
            x[k] = strtod(rest, &behind);
            if (behind == rest) {
                status = wrong(&r, "expected id, x, y, z and names of sets");
                break;
            }
            rest = behind + (*behind == ',');
        }
        if (status == SP_OK) {
            status = add_node(&r, whole(x[0]), x + 1);
        }
        for (char *word = strtok(rest, ", \t\r"); status == SP_OK && word;
             word = strtok(NULL, ", \t\r")) {
            sp_fe_set *s = set_of(fe, fe->set, &fe->n_set, word);
            status = s && add_to_set(fe, s, sp_fe_node(fe, whole(x[0]))) ? SP_OK : SP_E_MEMORY;
        }
    }
    free(text);
    if (status == SP_OK && fe->n_node == 0) {
        status = wrong(&r, "no nodes, expected lines 'id, x, y, z, names of sets'");
    }
    return status;
}
