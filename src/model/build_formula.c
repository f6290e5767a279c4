/* model/build_formula.c - coordinates given by energies, or by M and h, instead of bodies. */
#include "model/build_parts.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define ROUND_OFF (64.0 * DBL_EPSILON) /* of second derivatives */
enum { FORMULA_MAX = 200 }; /* second derivatives by all coordinates and rates are dense */

/* The map of the section, NULL if there is none. */
static const sp_node *section(const sp_build *b)
{
    const sp_node *map = sp_node_get(b->root, "formula");
    return map && map->kind == SP_NODE_MAP ? map : NULL;
}

/* The map of the coordinates, NULL if there is none. */
static const sp_node *coordinates(const sp_build *b)
{
    const sp_node *map = section(b) ? sp_node_get(section(b), "coordinates") : NULL;
    return map && map->kind == SP_NODE_MAP ? map : NULL;
}

int sp_build_formula_count(const sp_build *b)
{
    const sp_node *map = coordinates(b);
    return map ? (int)map->n_child : 0;
}

/* Dimension and unit of a coordinate; rad and deg stay angles. */
static bool read_unit(sp_build *b, const sp_node *node, sp_dim *dim, const char **unit)
{
    double factor;
    sp_error err;
    char si[60];
    const char *text = sp_build_text(node);
    if (!text) {
        return false;
    }
    if (sp_unit_parse(text, strlen(text), &factor, dim, &err) != SP_OK) {
        sp_build_error(b, node->place, 0, "coordinate '%s': %s", node->key, err.text);
        return false;
    }
    sp_dim_unit(*dim, si, sizeof si);
    const bool angle = strcmp(text, "rad") == 0 || strcmp(text, "deg") == 0;
    *unit = angle ? "rad" : sp_build_printf(b, "%s", si);
    return true;
}

void sp_build_formula_dofs(sp_build *b, int *n_dof, int *n_q, long long *n_packed)
{
    const int n = sp_build_formula_count(b);
    sp_formula *f = &b->m->formula;
    *f = (sp_formula){.n = n, .dof = *n_dof, .q = *n_q};
    b->formula_dim = SP_BUILD_NEW(b, &b->scratch, sp_dim, n);
    if (n > FORMULA_MAX) {
        sp_build_error(b, section(b)->key_place, 0,
                       "formula: %d coordinates, at most %d are possible", n, FORMULA_MAX);
    }
    int i = 0;
    for (const sp_node *node = n ? coordinates(b)->first : NULL; node && b->formula_dim;
         node = node->next, i++) {
        const char *unit = "1";
        char rate_unit[70];
        sp_dim rate = {{0, 0, 0}, false};
        f->n = read_unit(b, node, &b->formula_dim[i], &unit) ? f->n : 0; /* it is read no further */
        sp_dim_product(b->formula_dim[i], sp_dim_of(0, 0, 1), -1, &rate);
        sp_dim_unit(rate, rate_unit, sizeof rate_unit);
        const char *name = sp_build_printf(b, "%s", node->key);
        b->coord[*n_q] = (sp_coord){.name = name, .unit = unit, .body = SP_NONE, .dof = *n_dof};
        b->dof[*n_dof] = (sp_dof){.name = name,
                                  .rate_name = sp_build_printf(b, "%s'", node->key),
                                  .unit = unit,
                                  .rate_unit = sp_build_printf(b, "%s", rate_unit),
                                  .move = SP_MOVE_SLIDE,
                                  .q = *n_q,
                                  .body = SP_NONE,
                                  .parent = i == 0 ? SP_NONE : *n_dof - 1,
                                  .depth = i,
                                  .row = *n_packed <= INT_MAX ? (int)*n_packed : 0,
                                  .slide = SP_NONE,
                                  .motion = SP_NONE};
        sp_build_name(b, &b->formula_names, name, i);
        *n_packed += i + 1;
        (*n_dof)++;
        (*n_q)++;
    }
}

bool sp_build_formula_signal(const sp_build *b, const char *path, sp_signal *signal, sp_dim *dim)
{
    const size_t n = strlen(path);
    const bool rate = n > 0 && path[n - 1] == '\'';
    const int i = sp_names_find(&b->formula_names, path, rate ? n - 1 : n);
    if (i == SP_NONE) {
        return false;
    }
    const sp_formula *f = &b->m->formula;
    *dim = b->formula_dim[i];
    if (rate) {
        sp_dim_product(b->formula_dim[i], sp_dim_of(0, 0, 1), -1, dim);
        *signal = (sp_signal){.kind = SP_SIG_U, .index = f->dof + i};
    } else {
        *signal = (sp_signal){.kind = SP_SIG_Q, .index = f->q + i, .dof = f->dof + i};
    }
    return true;
}

/* ---- expressions ---------------------------------------------------------------------------- */

/* Report expressions that read what does not belong to the formula: bodies and contacts. */
static bool reads_own(sp_build *b, const sp_node *node, const sp_func *func)
{
    const sp_formula *f = &b->m->formula;
    for (int k = 0; k < func->n_signal; k++) {
        const sp_signal *s = &func->signal[k];
        const bool own = s->kind == SP_SIG_TIME || (s->kind == SP_SIG_Q && s->index >= f->q) ||
                         (s->kind == SP_SIG_U && s->index >= f->dof);
        if (!own) {
            sp_build_error(b, node->place, 0,
                           "formula: %s reads the motion of a body, expected formula coordinates "
                           "only; couple the two by 'forces' or 'couplings'",
                           node->key ? node->key : "an entry");
            return false;
        }
    }
    return true;
}

/* One expression of the section. */
static bool read_func(sp_build *b, const sp_node *node, const char *key, sp_level level,
                      sp_dim want, const char *text, sp_func *func)
{
    sp_expr_info info;
    sp_scope scope = sp_build_scope_of("formula");
    scope.level = level;
    return node && sp_build_func(b, &scope, node, key, &want, text, func, &info) &&
           reads_own(b, node, func);
}

/* dim of a force on coordinate i: energy by coordinate. */
static sp_dim force_dim(const sp_build *b, int i)
{
    sp_dim dim = SP_DIM(2, 1, -2);
    sp_dim_product(dim, b->formula_dim[i], -1, &dim);
    return dim;
}

/* Generalised forces by coordinate. */
static void read_forces(sp_build *b, const sp_node *map, sp_formula *f)
{
    if (!map || map->kind != SP_NODE_MAP) {
        return;
    }
    sp_func *force = SP_BUILD_NEW(b, b->arena, sp_func, f->n);
    for (const sp_node *node = map->first; node && force; node = node->next) {
        const int i = sp_names_find(&b->formula_names, node->key, strlen(node->key));
        if (i == SP_NONE) {
            sp_build_error(b, node->key_place, 0, "formula: forces: there is no coordinate '%s'",
                           node->key);
            continue;
        }
        char label[SP_SPEC_KEY_MAX + 20];
        snprintf(label, sizeof label, "forces: %s", node->key);
        read_func(b, node, label, SP_LEVEL_F, force_dim(b, i), NULL, &force[i]);
    }
    f->force = force;
}

/* One row of M, up to the diagonal; the rest must be there but is not read. */
static const sp_node *row_of(sp_build *b, const sp_node *row, int n)
{
    if (row->kind != SP_NODE_LIST || (int)row->n_child != n) {
        sp_build_error(b, row->place, 0, "formula: M has a row of %d entries, expected %d",
                       row->kind == SP_NODE_LIST ? (int)row->n_child : 0, n);
        return NULL;
    }
    return row->first;
}

/* M and h given directly. */
static void read_matrix(sp_build *b, const sp_node *M, const sp_node *h, sp_formula *f)
{
    const int n = f->n;
    if (!h || M->kind != SP_NODE_LIST || h->kind != SP_NODE_LIST) {
        return; /* reported already */
    }
    if ((int)M->n_child != n || (int)h->n_child != n) {
        const bool of_M = (int)M->n_child != n;
        sp_build_error(b, (of_M ? M : h)->place, 0,
                       "formula: %s has length %d, expected %d, one for each coordinate",
                       of_M ? "M" : "h", (int)(of_M ? M : h)->n_child, n);
        return;
    }
    sp_func *M_ij = SP_BUILD_NEW(b, b->arena, sp_func, n * (n + 1) / 2);
    sp_func *h_i = SP_BUILD_NEW(b, b->arena, sp_func, n);
    const sp_node *row = M->first, *force = h->first;
    for (int i = 0, k = 0; i < n && M_ij && h_i; i++, row = row->next, force = force->next) {
        const sp_node *entry = row_of(b, row, n);
        sp_dim power = SP_DIM(2, 1, -2);
        sp_dim_product(power, sp_dim_of(0, 0, -2), -1, &power); /* kg m^2: energy by rates */
        sp_dim_product(power, b->formula_dim[i], -1, &power);
        for (int j = 0; j <= i && entry; j++, entry = entry->next, k++) {
            sp_dim want;
            sp_dim_product(power, b->formula_dim[j], -1, &want);
            read_func(b, entry, "M", SP_LEVEL_MEASURE, want, NULL, &M_ij[k]);
        }
        read_func(b, force, "h", SP_LEVEL_F, force_dim(b, i), NULL, &h_i[i]);
    }
    f->M = M_ij;
    f->h = h_i;
}

/* ---- what T is like ------------------------------------------------------------------------- */

/* T for coordinates that are nowhere special, rates times sign. */
static double sample_T(sp_build *b, const sp_func *T, double sign, double *in, double *work)
{
    const sp_formula *f = &b->m->formula;
    for (int k = 0; k < T->n_signal; k++) {
        const sp_signal *s = &T->signal[k];
        in[k] = s->kind == SP_SIG_U   ? sign * (0.7 + 0.31 * (s->index - f->dof))
                : s->kind == SP_SIG_Q ? 0.3 + 0.17 * (s->index - f->q)
                                      : 0.37;
    }
    return sp_program_value(T->program, in, work);
}

/* Whether a func depends on a rate. */
static bool reads_rate(const sp_func *func, int dof)
{
    for (int k = 0; k < func->n_signal; k++) {
        if (func->signal[k].kind == SP_SIG_U && func->signal[k].index == dof) {
            return true;
        }
    }
    return false;
}

/* Whether T has parts that are not quadratic in the rates, or depends on time; T that is no
 * polynomial of second degree in the rates is reported. */
static void look_at_kinetic(sp_build *b, const sp_node *node, sp_formula *f)
{
    const sp_func *T = &f->kinetic;
    int n_rate = 0, without = SP_NONE;
    for (int i = f->n - 1; i >= 0; i--) {
        const bool there = reads_rate(T, f->dof + i);
        n_rate += there;
        without = there ? without : i;
    }
    if (n_rate == 0) {
        sp_build_error(b, node->place, 0,
                       "formula: kinetic = %s does not depend on any rate, the mass matrix is zero",
                       node->text);
        return;
    }
    if (without != SP_NONE) {
        sp_build_error(
            b, node->place, 0,
            "formula: kinetic does not depend on %s, expected a mass for every coordinate",
            b->dof[f->dof + without].rate_name);
        return;
    }
    double *in = SP_BUILD_NEW(b, &b->scratch, double, T->n_signal);
    double *work = SP_BUILD_NEW(b, &b->scratch, double, sp_program_work(T->program, 0));
    if (!in || !work) {
        return;
    }
    for (int k = 0; k < T->n_signal; k++) {
        f->mixed = f->mixed || T->signal[k].kind == SP_SIG_TIME;
    }
    const double T_0 = sample_T(b, T, 0.0, in, work), T_p = sample_T(b, T, 1.0, in, work);
    const double T_m = sample_T(b, T, -1.0, in, work), T_2 = sample_T(b, T, 2.0, in, work);
    const double size = 1e-9 * (fabs(T_0) + fabs(T_p) + fabs(T_m) + fabs(T_2));
    f->mixed = f->mixed || fabs(T_0) > size || fabs(T_p - T_m) > size;
    /* a + b s + c s^2 through s = -1, 0, 1 must give T at s = 2 */
    const double straight = 0.5 * (T_p - T_m), curved = 0.5 * (T_p + T_m) - T_0;
    if (!(fabs(T_0 + 2.0 * straight + 4.0 * curved - T_2) <= 100.0 * size)) {
        sp_build_error(b, node->place, 0,
                       "formula: kinetic is not of second degree in the rates, expected a sum of "
                       "squares and products of them");
    }
}

/* T of the rates alone: M is the same everywhere and is given, h has no forces of inertia.  Its
 * second derivatives are compared at two places.   theory (3.20) */
static void find_constant_mass(sp_build *b, sp_formula *f)
{
    const sp_func *T = &f->kinetic;
    const int n = T->n_signal, n_h = n * (n + 1) / 2;
    bool constant = T->program && !f->mixed && n == f->n;
    for (int k = 0; k < n; k++) {
        constant = constant && T->signal[k].kind == SP_SIG_U;
    }
    double *in = SP_BUILD_NEW(b, &b->scratch, double, n),
           *grad = SP_BUILD_NEW(b, &b->scratch, double, n);
    double *H = SP_BUILD_NEW(b, &b->scratch, double, n_h),
           *H_2 = SP_BUILD_NEW(b, &b->scratch, double, n_h);
    double *work =
        constant ? SP_BUILD_NEW(b, &b->scratch, double, sp_program_work(T->program, 2)) : NULL;
    sp_func *M = constant ? SP_BUILD_NEW(b, b->arena, sp_func, n_h) : NULL;
    if (!in || !grad || !H || !H_2 || !work || !M) {
        return;
    }
    for (int k = 0; k < n; k++) {
        in[k] = 0.7 + 0.31 * k;
    }
    sp_program_hess(T->program, in, grad, H, work);
    for (int k = 0; k < n; k++) {
        in[k] = 0.4 - 0.23 * k * k;
    }
    sp_program_hess(T->program, in, grad, H_2, work);
    for (int k = 0; k < n; k++) {
        for (int l = 0; l <= k; l++) {
            const int i = T->signal[k].index - f->dof, j = T->signal[l].index - f->dof;
            const int row = i > j ? i : j, column = i > j ? j : i, from = k * (k + 1) / 2 + l;
            constant = constant && fabs(H[from] - H_2[from]) <= ROUND_OFF * fabs(H[from]);
            M[row * (row + 1) / 2 + column].constant = H[from];
        }
    }
    f->M = constant ? M : NULL;
}

void sp_build_formula(sp_build *b)
{
    const sp_node *map = section(b);
    sp_formula *f = &b->m->formula;
    const sp_dim energy = SP_DIM(2, 1, -2), power = SP_DIM(2, 1, -3);
    if (coordinates(b) && coordinates(b)->n_child == 0) {
        sp_build_error(b, coordinates(b)->place, 0,
                       "formula: coordinates is empty, expected one such as {y: m}");
    }
    if (!map || f->n == 0) {
        return;
    }
    const sp_node *kinetic = sp_node_get(map, "kinetic"), *M = sp_node_get(map, "M");
    f->place = kinetic ? kinetic->place : map->place;
    const sp_node *h = sp_node_get(map, "h");
    if (h && !M) {
        sp_build_error(b, h->key_place, 0,
                       "formula: 'h' needs 'M'; with 'kinetic' give 'potential' and 'forces'");
    }
    if (M) {
        read_matrix(b, M, h, f);
    } else if (read_func(b, kinetic, "kinetic", SP_LEVEL_F, energy, "an energy [J]", &f->kinetic)) {
        look_at_kinetic(b, kinetic, f);
        find_constant_mass(b, f);
    }
    read_func(b, sp_node_get(map, "potential"), "potential", SP_LEVEL_MEASURE, energy,
              "an energy [J]", &f->potential);
    read_func(b, sp_node_get(map, "dissipation"), "dissipation", SP_LEVEL_F, power, "a power [W]",
              &f->dissipation);
    read_forces(b, sp_node_get(map, "forces"), f);
}
