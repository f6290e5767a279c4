/* model/build_look.c - what names mean: parameters, indices, signals, references. */
#include "base/hash.h"
#include "model/aspect.h"
#include "model/build_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LIST_MAX = 600 };

/* ---- points and signals of bodies ----------------------------------------------------------- */

/* Names of the points of a body, for a list of what there is. */
static void list_points(sp_build *b, const sp_body_plan *p, const char *word, char *buf,
                        size_t size)
{
    const char **name = SP_BUILD_NEW(b, &b->scratch, const char *, p->n_point + 1);
    buf[0] = '\0';
    if (name) {
        int n = 0;
        for (int i = p->point; i < p->point + p->n_point; i++) {
            const char *dot = strrchr(b->point[i].name, '.');
            name[n++] = dot ? dot + 1 : b->point[i].name;
        }
        name[n++] = "center";
        sp_build_suggest(b, word, name, n, buf, size);
    }
}

/* Name of the body that plan number `plan` stands for. */
static const char *plan_name(const sp_build *b, int plan, char *buf, size_t size)
{
    const sp_family *f = b->plan[plan].family;
    sp_build_element_name(f, plan - f->first, buf, size);
    return buf;
}

bool sp_build_point(sp_build *b, int plan, const char *rest, double at[3], sp_error *err)
{
    const sp_body_plan *p = &b->plan[plan];
    char name[SP_WHAT_MAX], path[2 * SP_WHAT_MAX], list[LIST_MAX];
    at[0] = at[1] = at[2] = 0.0;
    if (!*rest) {
        return true;
    }
    if (strcmp(rest, "center") == 0) {
        const double *center =
            b->dim == 3 ? b->space[p->body].center : b->body_numbers[p->body].center;
        memcpy(at, center, (size_t)b->dim * sizeof *at);
        return true;
    }
    plan_name(b, plan, name, sizeof name);
    snprintf(path, sizeof path, "%s.%s", name, rest);
    const int k = sp_names_find(&b->point_names, path, strlen(path));
    if (k == SP_NONE) {
        list_points(b, p, rest, list, sizeof list);
        SP_FAIL(err, SP_E_INPUT, "body '%s' has no point '%s'%.400s", name, rest, list);
        return false;
    }
    memcpy(at, b->point_place[k], sizeof b->point_place[k]);
    return true;
}

sp_rot3 sp_build_point_axes(const sp_build *b, int plan, const char *rest)
{
    char name[SP_WHAT_MAX], path[2 * SP_WHAT_MAX];
    plan_name(b, plan, name, sizeof name);
    snprintf(path, sizeof path, "%s.%s", name, rest);
    const int k = sp_names_find(&b->point_names, path, strlen(path));
    return k == SP_NONE ? sp_rot3_one() : b->point_axes[k];
}

typedef struct quantity {
    const char *name;
    sp_signal_kind kind;
    sp_dim dim;
} quantity;

/* Those of points first, then those of whole bodies. */
static const quantity plane_quantity[] = {
    {"x", SP_SIG_X, SP_DIM(1, 0, 0)},     {"y", SP_SIG_Y, SP_DIM(1, 0, 0)},
    {"vx", SP_SIG_VX, SP_DIM(1, 0, -1)},  {"vy", SP_SIG_VY, SP_DIM(1, 0, -1)},
    {"phi", SP_SIG_PHI, SP_DIM(0, 0, 0)}, {"omega", SP_SIG_OMEGA, SP_DIM(0, 0, -1)},
};
static const quantity space_quantity[] = {
    {"x", SP_SIG_X, SP_DIM(1, 0, 0)},
    {"y", SP_SIG_Y, SP_DIM(1, 0, 0)},
    {"z", SP_SIG_Z, SP_DIM(1, 0, 0)},
    {"vx", SP_SIG_VX, SP_DIM(1, 0, -1)},
    {"vy", SP_SIG_VY, SP_DIM(1, 0, -1)},
    {"vz", SP_SIG_VZ, SP_DIM(1, 0, -1)},
    {"omega_x", SP_SIG_OMEGA_X, SP_DIM(0, 0, -1)},
    {"omega_y", SP_SIG_OMEGA_Y, SP_DIM(0, 0, -1)},
    {"omega_z", SP_SIG_OMEGA_Z, SP_DIM(0, 0, -1)},
    {"omega_own_x", SP_SIG_OMEGA_OWN_X, SP_DIM(0, 0, -1)},
    {"omega_own_y", SP_SIG_OMEGA_OWN_Y, SP_DIM(0, 0, -1)},
    {"omega_own_z", SP_SIG_OMEGA_OWN_Z, SP_DIM(0, 0, -1)},
};
static const quantity axis_quantity[] = {
    {"ex.x", SP_SIG_EX_X, SP_DIM(0, 0, 0)}, {"ex.y", SP_SIG_EX_Y, SP_DIM(0, 0, 0)},
    {"ex.z", SP_SIG_EX_Z, SP_DIM(0, 0, 0)}, {"ey.x", SP_SIG_EY_X, SP_DIM(0, 0, 0)},
    {"ey.y", SP_SIG_EY_Y, SP_DIM(0, 0, 0)}, {"ey.z", SP_SIG_EY_Z, SP_DIM(0, 0, 0)},
    {"ez.x", SP_SIG_EZ_X, SP_DIM(0, 0, 0)}, {"ez.y", SP_SIG_EZ_Y, SP_DIM(0, 0, 0)},
    {"ez.z", SP_SIG_EZ_Z, SP_DIM(0, 0, 0)},
};
enum { N_AXIS_QUANTITY = sizeof axis_quantity / sizeof *axis_quantity };

/* The quantity called name in a table, NULL if there is none. */
static const quantity *find_quantity(const quantity *table, const char *name, int n)
{
    for (int k = 0; k < n; k++) {
        if (strcmp(table[k].name, name) == 0) {
            return &table[k];
        }
    }
    return NULL;
}

/* The coordinate or velocity of a joint: "phi", "omega", "s", "v", "x", "vx", "qw", ... */
static bool joint_signal(sp_build *b, int plan, const char *name, sp_signal *out, sp_dim *dim,
                         sp_error *err)
{
    const sp_body *body = &b->body[b->plan[plan].body];
    char list[240] = "";
    for (int k = body->q; k < body->q + body->n_q; k++) {
        const sp_coord *coord = &b->coord[k];
        const sp_dof *dof = coord->dof == SP_NONE ? NULL : &b->dof[coord->dof];
        const char *q = strrchr(coord->name, '.') + 1;
        if (strcmp(name, q) == 0) {
            *out = (sp_signal){.kind = SP_SIG_Q, .index = k, .dof = coord->dof};
            *dim = dof ? sp_build_coordinate_dim(dof, false) : sp_dim_of(0, 0, 0);
            return true;
        }
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s%s%s", used ? ", " : "", q, dof ? ", " : "",
                 dof ? strrchr(dof->rate_name, '.') + 1 : "");
    }
    for (int k = body->dof; k < body->dof + body->n_dof; k++) {
        const char *u = strrchr(b->dof[k].rate_name, '.') + 1;
        if (strcmp(name, u) == 0) {
            *out = (sp_signal){.kind = SP_SIG_U, .index = k};
            *dim = sp_build_coordinate_dim(&b->dof[k], true);
            return true;
        }
        const size_t used = strlen(list);
        if (b->dof[k].move == SP_MOVE_BALL) {
            snprintf(list + used, sizeof list - used, ", %s", u);
        }
    }
    SP_FAIL(err, SP_E_INPUT, "the joint of body '%s' has no '%s'%s%s", body->name, name,
            *list ? "; has: " : ", it is welded", list);
    return false;
}

bool sp_build_signal(sp_build *b, int plan, const char *rest, sp_signal *out, sp_dim *dim,
                     sp_error *err)
{
    char name[SP_WHAT_MAX], point[SP_WHAT_MAX];
    const char *dot = strrchr(rest, '.'), *last = dot ? dot + 1 : rest;
    plan_name(b, plan, name, sizeof name);
    if (!*rest) {
        SP_FAIL(err, SP_E_INPUT, "'%s' is a body, expected a number; write %s.x, %s.phi, ...", name,
                name, name);
        return false;
    }
    if (strncmp(rest, "joint.", 6) == 0) {
        return joint_signal(b, plan, rest + 6, out, dim, err);
    }
    if (sp_build_shape_signal(b, plan, rest, out, dim)) {
        return true;
    }
    const bool space = b->dim == 3;
    const quantity *table = space ? space_quantity : plane_quantity;
    const int n_point = 2 * b->dim, n_body = space ? n_point + 6 : n_point + 2;
    *out = (sp_signal){.index = b->plan[plan].body, .mark.body = b->plan[plan].body};
    const quantity *q = space ? find_quantity(axis_quantity, rest, N_AXIS_QUANTITY) : NULL;
    if (q) {
        out->kind = q->kind;
        *dim = q->dim;
        return true;
    }
    q = find_quantity(table, last, dot ? n_point : n_body);
    snprintf(point, sizeof point, "%.*s", dot ? (int)(dot - rest) : 0, rest);
    if (!q && !dot && sp_build_point(b, plan, rest, out->mark.at, NULL)) {
        SP_FAIL(err, SP_E_INPUT, "'%s.%s' is a point, expected a number; write %s.%s.x", name, rest,
                name, rest);
        return false;
    }
    if (!q) {
        if (dot) {
            SP_FAIL(err, SP_E_INPUT, "point '%s.%.100s' has no '%s'; has: %s", name, point, last,
                    space ? "x, y, z, vx, vy, vz" : "x, y, vx, vy");
        } else if (joint_signal(b, plan, last, out, dim, NULL)) {
            SP_FAIL(err, SP_E_INPUT, "body '%s' has no '%s', but its joint has; write %s.joint.%s",
                    name, last, name, last);
        } else {
            SP_FAIL(err, SP_E_INPUT, "body '%s' has no '%s'; has: %s, joint, center, points", name,
                    last,
                    space ? "x, y, z, vx, vy, vz, omega_x ..., omega_own_x ..., ex.x ..."
                          : "x, y, phi, vx, vy, omega");
        }
        return false;
    }
    out->kind = q->kind;
    *dim = q->dim;
    return sp_build_point(b, plan, point, out->mark.at, err);
}

/* ---- names in expressions ------------------------------------------------------------------- */

uint64_t sp_build_hash(uint64_t hash, const char *text)
{
    /* the end, too, so that "ab", "c" is not "a", "bc" */
    return sp_hash(hash, text, strlen(text) + 1);
}

/* Where an expression stands: seed, element, and the keys and numbers that lead to it from the top
 * of the file. */
static uint64_t place_hash(const sp_look *look)
{
    const bool usable = fabs(look->b->seed) < 1e15; /* others are refused elsewhere */
    const int64_t seed = (int64_t)(usable ? look->b->seed : 0.0);
    uint64_t hash = (look->scope->random ^ SP_HASH_BEGIN ^ (uint64_t)seed) * SP_HASH_PRIME;
    for (const sp_node *at = look->node; at && at->parent; at = at->parent) {
        char number[16];
        snprintf(number, sizeof number, "%d", at->number);
        hash = sp_build_hash(hash, at->key ? at->key : number);
    }
    return hash;
}

/* The next random number of an expression, 0 <= x < 1: a function of where it stands and of how
 * many stand before it (splitmix64, Steele, Lea and Flood 2014). */
static double random_next(sp_look *look)
{
    uint64_t z = place_hash(look) + (uint64_t)++look->n_random * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* The number of a signal in the list of this compilation. */
static sp_status use_signal(sp_look *look, const sp_signal *signal, sp_dim dim, sp_symbol *out,
                            sp_error *err)
{
    int k = 0;
    while (k < look->n_signal &&
           (look->signal[k].kind != signal->kind || look->signal[k].index != signal->index ||
            look->signal[k].dof != signal->dof ||
            memcmp(look->signal[k].mark.at, signal->mark.at, sizeof signal->mark.at) != 0)) {
        k++;
    }
    if (k == look->n_signal) {
        if (!SP_BUILD_ROOM(look->b, look->signal, k)) {
            return SP_FAIL(err, SP_E_MEMORY, "out of memory");
        }
        look->signal[look->n_signal++] = *signal;
    }
    *out = (sp_symbol){.kind = SP_SYM_INPUT, .input = k, .dim = dim};
    return SP_OK;
}

/* A name that is a pure number. */
static sp_status use_number(double value, sp_symbol *out)
{
    *out = (sp_symbol){.kind = SP_SYM_CONST, .value = value};
    return SP_OK;
}

/* i, j, k and n of an array. */
static bool index_name(const sp_scope *scope, const char *name, double *value)
{
    if (!scope->n_index || name[1]) {
        return false;
    }
    if (name[0] == 'n') {
        *value = scope->n;
        return true;
    }
    const int d = name[0] - 'i';
    if (d < 0 || d >= scope->n_index) {
        return false;
    }
    *value = scope->index[d];
    return true;
}

/* Whether a number is a vector. */
static sp_status use_number_of(const sp_value *v, sp_symbol *out, sp_error *err)
{
    if (v->is_vector) {
        return SP_FAIL(err, SP_E_INPUT, "'%s' is a vector, expected a number", v->name);
    }
    *out = (sp_symbol){.kind = SP_SYM_CONST,
                       .value = v->number[0],
                       .dim = v->info[0].dim,
                       .any_dim = v->info[0].any_dim};
    return SP_OK;
}

/* A parameter; one that failed or is not known yet stands for 1 of any dimension. */
static sp_status use_value(sp_look *look, int k, sp_symbol *out, sp_error *err)
{
    const sp_value *v = &look->b->value[k];
    if (v->state == SP_VALUE_DONE) {
        return use_number_of(v, out, err);
    }
    look->poisoned = true;
    *out = (sp_symbol){.kind = SP_SYM_CONST, .value = 1.0, .any_dim = true};
    if (v->state == SP_VALUE_FAILED) {
        return SP_OK;
    }
    if (!SP_BUILD_ROOM(look->b, look->need, look->n_need)) {
        return SP_FAIL(err, SP_E_MEMORY, "out of memory");
    }
    look->need[look->n_need++] = k;
    return SP_OK;
}

/* A quantity of a contact point: "guide.c1.upper.g_N". */
static sp_status contact_signal(sp_look *look, const char *path, sp_symbol *out, sp_error *err)
{
    sp_signal signal;
    sp_dim dim;
    SP_TRY(sp_build_contact_signal(look->b, path, &look->poisoned, &signal, &dim, err));
    return use_signal(look, &signal, dim, out, err);
}

/* Velocities, where only coordinates and time are allowed. */
static sp_status refuse_velocity(sp_look *look, const char *path, sp_error *err)
{
    look->dependence = true;
    return SP_FAIL(err, SP_E_INPUT,
                   "must not depend on the velocity '%s', expected coordinates and time only",
                   path);
}

/* Whether a reference is to one element. */
static sp_status is_one(const sp_ref *ref, sp_error *err)
{
    char first[SP_WHAT_MAX];
    sp_build_element_name(ref->family, 0, first, sizeof first);
    return ref->n == 1 ? SP_OK
                       : SP_FAIL(err, SP_E_INPUT, "'%s' has %d elements, expected one; write %s",
                                 ref->family->name, ref->n, first);
}

/* A force element, or a joint or coupling of bilateral rows, in an output. */
static sp_status load_path(sp_look *look, const char *path, sp_symbol *out, sp_error *err)
{
    sp_build *b = look->b;
    sp_ref ref;
    sp_signal signal;
    sp_dim dim;
    if (!sp_build_resolve(b, NULL, path, &ref, err)) {
        return SP_E_INPUT;
    }
    SP_TRY(is_one(&ref, err));
    SP_TRY(ref.family->kind == SP_PART_FORCE ? sp_build_element_load(b, &ref, &signal, &dim, err)
                                             : sp_build_row_load(b, &ref, &signal, &dim, err));
    return use_signal(look, &signal, dim, out, err);
}

/* Whether a joint or coupling has bilateral rows instead of contact points. */
static bool has_rows(const sp_build *b, const sp_family *f)
{
    return (f->kind == SP_PART_JOINT && !sp_node_get(f->node, "clearance")) ||
           (f->kind == SP_PART_COUPLING && sp_node_get(f->node, "fix") &&
            b->contact[f->first].n_slot == 0);
}

/* A state of its own; what measures lengths and angles has no rate by it. */
static sp_status state_path(sp_look *look, const char *path, sp_symbol *out, sp_error *err)
{
    sp_signal signal;
    sp_dim dim;
    SP_TRY(sp_build_state_signal(look->b, path, &signal, &dim, err));
    if (look->scope->level == SP_LEVEL_MEASURE) {
        look->dependence = true;
        return SP_FAIL(err, SP_E_INPUT,
                       "must not depend on the state '%s', expected coordinates and time only; let "
                       "the state act by a force or a drive",
                       path);
    }
    return use_signal(look, &signal, dim, out, err);
}

/* A path to an element. */
static sp_status element_path(sp_look *look, int family, const char *path, sp_symbol *out,
                              sp_error *err)
{
    sp_build *b = look->b;
    const sp_family *f = &b->family[family];
    if (f->broken) {
        look->poisoned = true;
        return SP_FAIL(err, SP_E_INPUT, "'%s' is not usable", f->name);
    }
    if (f->kind == SP_PART_STATE) {
        return state_path(look, path, out, err);
    }
    const bool output = look->scope->level == SP_LEVEL_OUTPUT;
    if (output && (f->kind == SP_PART_FORCE || has_rows(b, f))) {
        return load_path(look, path, out, err);
    }
    if (output && sp_build_gives_rows(f->kind)) {
        return contact_signal(look, path, out, err);
    }
    if (f->kind != SP_PART_BODY) {
        return SP_FAIL(err, SP_E_INPUT, "'%s' belongs to a %s, which cannot be used here", path,
                       f->kind == SP_PART_FORCE ? "force" : "contact");
    }
    sp_ref ref;
    if (!sp_build_resolve(b, NULL, path, &ref, err)) {
        return SP_E_INPUT;
    }
    SP_TRY(is_one(&ref, err));
    if (b->plan[ref.first].broken) {
        look->poisoned = true;
    }
    sp_signal signal;
    sp_dim dim;
    if (output && sp_build_body_load(b, ref.first, ref.rest, &signal, &dim)) {
        return use_signal(look, &signal, dim, out, err);
    }
    if (output && sp_build_joint_contact(b, path)) {
        return contact_signal(look, path, out, err);
    }
    if (!sp_build_signal(b, ref.first, ref.rest, &signal, &dim, err)) {
        return SP_E_INPUT;
    }
    if (look->scope->level == SP_LEVEL_MEASURE && sp_aspect_of(signal.kind).is_rate) {
        return refuse_velocity(look, path, err);
    }
    if (look->scope->level == SP_LEVEL_MEASURE && signal.kind == SP_SIG_Q &&
        signal.dof == SP_NONE) {
        look->dependence = true;
        return SP_FAIL(
            err, SP_E_INPUT,
            "must not depend on '%s', which has no rate of its own; use the body's axes, "
            "as in %s.ez.z",
            path, f->name);
    }
    return use_signal(look, &signal, dim, out, err);
}

/* The name that was probably meant, NULL if there is none near: parameters, and where the state may
 * be used elements and outputs. */
static const char *near_name(sp_look *look, const char *path)
{
    sp_build *b = look->b;
    const sp_rows *rows = look->scope->rows;
    const int n_column = rows ? rows->n_column : 0;
    const int n = b->n_value + b->n_family + b->n_output_plan + n_column;
    const char **name = SP_BUILD_NEW(b, &b->scratch, const char *, n + 1);
    if (!name || b->diag->n_error >= SP_DIAG_MAX) {
        return NULL;
    }
    int k = 0;
    for (int i = 0; i < b->n_value; i++) {
        name[k++] = sp_build_own_short(b, look->node, b->value[i].name);
    }
    for (int i = 0; i < n_column; i++) {
        name[k++] = rows->column[i]->text;
    }
    for (int i = 0; i < b->n_family && look->scope->level > SP_LEVEL_T; i++) {
        name[k++] = sp_build_own_short(b, look->node, b->family[i].name);
    }
    for (int i = 0; i < b->n_output_plan && look->scope->level == SP_LEVEL_OUTPUT; i++) {
        name[k++] = sp_build_own_short(b, look->node, b->output_plan[i].node->key);
    }
    char word[SP_WHAT_MAX];
    const size_t n_word = sp_build_is_part(b, path) ? strlen(path) : strcspn(path, ".");
    snprintf(word, sizeof word, "%.*s", (int)(n_word < sizeof word ? n_word : sizeof word - 1),
             path);
    return sp_nearest(word, name, k);
}

/* Names of a law, a curve or a surface, which see parameters and these alone; NULL: an element's.
 */
typedef struct own_names {
    const char *all, *one;
} own_names;

static const own_names *own_names_of(sp_own own)
{
    static const own_names of[] = {
        [SP_OWN_SPEED] = {"'v', the speed of sliding", "the speed of sliding"},
        [SP_OWN_APPROACH] = {"'v_N', the speed at which the contact is hit",
                             "the speed at which the contact is hit"},
        [SP_OWN_CURVE] = {"'s', the parameter of the curve", "the coordinate of the curve"},
        [SP_OWN_SURFACE] = {"'u' and 'v' of the surface", "a coordinate of the surface"},
        [SP_OWN_BEAM] = {"'x', the place on the beam", "the place on the beam"},
        [SP_OWN_PLATE] = {"'r' and 'phi', the place on the plate", "the place on the plate"}};
    return of[own].all ? &of[own] : NULL;
}

/* Say that a name is not known. */
static sp_status unknown_name(sp_look *look, const char *path, sp_error *err)
{
    if (!path[1] && strchr("ijkn", path[0])) {
        return SP_FAIL(err, SP_E_INPUT,
                       "unknown name '%s'; indices exist in elements with 'count' or 'each'", path);
    }
    static const char *const no_number[] = {"nan", "NaN", "NAN", "inf", "Inf", "INF", "infinity"};
    for (size_t k = 0; k < sizeof no_number / sizeof *no_number; k++) {
        if (strcmp(path, no_number[k]) == 0) {
            return SP_FAIL(err, SP_E_INPUT, "'%s' is no quantity, expected a finite number", path);
        }
    }
    const char *nearest = near_name(look, path);
    if (nearest) {
        return SP_FAIL(err, SP_E_INPUT, "unknown name '%s', did you mean '%s'?", path, nearest);
    }
    const own_names *own = own_names_of(look->scope->own);
    if (own) {
        return SP_FAIL(err, SP_E_INPUT, "unknown name '%s', expected parameters and %s", path,
                       own->all);
    }
    return SP_FAIL(err, SP_E_INPUT, "unknown name '%s'", path);
}

/* Names that change with time, where only numbers are allowed. */
static sp_status refuse_state(sp_look *look, const char *path, sp_error *err)
{
    look->dependence = true;
    return SP_FAIL(err, SP_E_INPUT, "must not depend on %s '%s', expected parameters %sonly",
                   strcmp(path, "t") == 0 ? "time" : "the motion", path,
                   look->scope->level == SP_LEVEL_T ? "and time " : "");
}

/* Names that an element has by itself and the model gives to a parameter. */
static sp_status refuse_twice(const sp_look *look, const char *path, const sp_value *parameter,
                              sp_error *err)
{
    const own_names *own = own_names_of(look->scope->own);
    const sp_place place = parameter->text->place;
    return SP_FAIL(err, SP_E_INPUT,
                   "'%s' is %s here and also a parameter (%s:%d); rename the parameter", path,
                   own ? own->one : "the element's own measure or rate",
                   place.file ? place.file : "line", place.line);
}

/* A column of the table that the element has a row of. */
static sp_status use_cell(sp_look *look, const sp_value *cell, const sp_value *parameter,
                          sp_symbol *out, sp_error *err)
{
    sp_signal signal;
    sp_dim dim;
    if (parameter) {
        const sp_place place = parameter->text->place;
        return SP_FAIL(err, SP_E_INPUT,
                       "'%s' is a column of table '%s' here and also a parameter (%s:%d); rename "
                       "one of them",
                       cell->name, look->scope->rows->name, place.file ? place.file : "line",
                       place.line);
    }
    if (sp_build_own_signal(look, cell->name, &signal, &dim)) {
        return SP_FAIL(err, SP_E_INPUT,
                       "'%s' is the element's own measure or rate here and also a column of table "
                       "'%s'; rename the column",
                       cell->name, look->scope->rows->name);
    }
    if (cell->state == SP_VALUE_DONE) {
        return use_number_of(cell, out, err);
    }
    look->poisoned = true;
    *out = (sp_symbol){.kind = SP_SYM_CONST, .value = 1.0, .any_dim = true};
    return SP_OK;
}

static bool is_energy(const char *path)
{
    return strcmp(path, "energy.kinetic") == 0 || strcmp(path, "energy.potential") == 0;
}

/* Names that every model has. */
static bool is_given(const sp_look *look, const char *path)
{
    return strcmp(path, "rand") == 0 || strcmp(path, "t") == 0 ||
           (look->scope->level == SP_LEVEL_OUTPUT && is_energy(path));
}

static sp_status use_given(sp_look *look, const char *path, sp_symbol *out, sp_error *err)
{
    const sp_level level = look->scope->level;
    if (is_energy(path)) {
        const bool kinetic = strcmp(path, "energy.kinetic") == 0;
        const sp_signal signal = {.kind = kinetic ? SP_SIG_KINETIC : SP_SIG_POTENTIAL};
        return use_signal(look, &signal, sp_dim_of(2, 1, -2), out, err);
    }
    if (strcmp(path, "t") == 0) {
        const sp_signal signal = {.kind = SP_SIG_TIME};
        SP_TRY(level > SP_LEVEL_Q ? use_signal(look, &signal, sp_dim_of(0, 0, 1), out, err)
                                  : refuse_state(look, path, err));
        out->time = true;
        return SP_OK;
    }
    return level == SP_LEVEL_OUTPUT
               ? SP_FAIL(err, SP_E_INPUT,
                         "'rand' would be another number wherever the output is used, expected a "
                         "parameter whose value is rand")
               : use_number(random_next(look), out);
}

/* A name in an expression. */
static sp_status find_name(void *ctx, const char *path, sp_symbol *out, sp_error *err)
{
    sp_look *look = ctx;
    sp_build *b = look->b;
    const bool state = look->scope->level > SP_LEVEL_T;
    sp_signal signal;
    sp_dim dim;
    double number;
    *out = (sp_symbol){.kind = SP_SYM_CONST};
    if (index_name(look->scope, path, &number)) {
        return use_number(number, out);
    }
    const char *name = path; /* of what the element has of its own */
    path = sp_build_own(b, look->node, path, SP_MEANT_ANY);
    const int value = sp_names_find(&b->value_names, path, strlen(path));
    const bool of_law = own_names_of(look->scope->own) != NULL;
    const sp_value *cell = sp_build_cell(look->scope, name);
    if (cell) {
        return use_cell(look, cell, value == SP_NONE ? NULL : &b->value[value], out, err);
    }
    const int on_path = sp_build_find_path(b, path);
    if (on_path != SP_NONE) {
        *out = (sp_symbol){.kind = SP_SYM_CONST};
        return sp_build_path_value(b, on_path, path, &out->value, &out->dim, &look->poisoned, err);
    }
    if ((state || of_law) && sp_build_own_signal(look, name, &signal, &dim)) {
        return value == SP_NONE ? use_signal(look, &signal, dim, out, err)
                                : refuse_twice(look, name, &b->value[value], err);
    }
    if (value != SP_NONE) {
        return use_value(look, value, out, err);
    }
    if (sp_build_formula_signal(b, path, &signal, &dim)) {
        const bool late = look->scope->level == SP_LEVEL_MEASURE && signal.kind == SP_SIG_U;
        return !state ? refuse_state(look, path, err)
               : late ? refuse_velocity(look, path, err)
                      : use_signal(look, &signal, dim, out, err);
    }
    if (is_given(look, path)) {
        return use_given(look, path, out, err);
    }
    size_t head;
    const int family = sp_build_find_family(b, path, &head);
    const bool own = family != SP_NONE && b->family[family].kind == SP_PART_STATE;
    if (!state && family != SP_NONE && (path[head] || own)) {
        return refuse_state(look, path, err);
    }
    if (state && family != SP_NONE) {
        return element_path(look, family, path, out, err);
    }
    return unknown_name(look, path, err);
}

/* A function of the file. */
static sp_status find_function(void *ctx, const char *name, sp_function *out, sp_error *err)
{
    sp_look *look = ctx;
    sp_build *b = look->b;
    const int k = sp_names_find(&b->function_names, name, strlen(name));
    if (k != SP_NONE && b->function[k].is_table && !sp_build_table(b, k, look, err)) {
        err->status = SP_E_INPUT;
        return SP_E_INPUT;
    }
    if (k != SP_NONE) {
        *out = b->function[k].function;
        return SP_OK;
    }
    int n_builtin;
    const char *const *builtin = sp_expr_builtins(&n_builtin);
    const char *nearest = sp_nearest(name, builtin, n_builtin);
    if (nearest) {
        return SP_FAIL(err, SP_E_INPUT, "unknown function '%s', did you mean '%s'?", name, nearest);
    }
    return SP_FAIL(err, SP_E_INPUT, "unknown function '%s'", name);
}

/* A part of time alone is a clock of the model; forces that are linear in it read its value. */
static sp_status keep_clock(void *ctx, const sp_program *part, sp_part_use in, int *input,
                            sp_error *err)
{
    sp_look *look = ctx;
    sp_build *b = look->b;
    const bool force = look->scope->forces && look->scope->level != SP_LEVEL_MEASURE;
    const sp_clock_use use = in == SP_PART_CONDITION                      ? SP_CLOCK_CONDITION
                             : !force                                     ? SP_CLOCK_PLACE
                             : look->scope->terms && in == SP_PART_FACTOR ? SP_CLOCK_TERM
                                                                          : SP_CLOCK_INNER;
    if (!SP_BUILD_ROOM(b, b->clock, b->n_clock)) {
        return SP_FAIL(err, SP_E_MEMORY, "out of memory");
    }
    b->clock[b->n_clock] = (sp_clock){use, part};
    const size_t work = sp_program_work(part, 0);
    b->expr_work = work > b->expr_work ? work : b->expr_work;
    if (use == SP_CLOCK_TERM) {
        const sp_signal signal = {.kind = SP_SIG_CLOCK, .index = b->n_clock, .clock = part};
        sp_symbol symbol;
        SP_TRY(use_signal(look, &signal, sp_dim_of(0, 0, 0), &symbol, err));
        *input = symbol.input;
    }
    b->n_clock++;
    return SP_OK;
}

sp_resolver sp_build_resolver(sp_look *look, const sp_node *node)
{
    look->node = node;
    look->n_random = 0;
    return (sp_resolver){.ctx = look,
                         .name = find_name,
                         .function = find_function,
                         .check_units = look->b->units,
                         .clock = look->clocks ? keep_clock : NULL};
}
