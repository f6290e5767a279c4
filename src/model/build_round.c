/* model/build_round.c - rings and annular plates.   theory (97.9)-(97.13) */
#include "math/eigen.h"
#include "model/build_parts.h"
#include "model/ritz.h"
#include "model/round.h"

#include <math.h>
#include <string.h>

static const double pi = 3.141592653589793;

/* ---- how many functions -----------------------------------------------------------------------
 */

/* A count of at least `least`; SP_NONE after an error. */
static int count_of(sp_build *b, sp_scope *scope, const sp_node *node, int least)
{
    int n = SP_NONE;
    return sp_build_count(b, scope, node, "elastic: bending", least, &n) ? n : SP_NONE;
}

/* Functions of a ring, or radial ones and waves of a plate. */
static bool read_counts(sp_build *b, sp_scope *scope, const sp_node *body, const sp_node *elastic,
                        sp_round *p)
{
    const sp_node *bending = sp_node_get(elastic, "bending");
    const sp_node *given = sp_node_get(elastic, "functions");
    const bool list = bending && bending->kind == SP_NODE_LIST && bending->n_child == 2;
    p->plate = sp_node_get(body, "plate") != NULL;
    if (p->plate && given && given->kind == SP_NODE_LIST && !bending) {
        p->n_given = given->n_child;
        p->n = SP_ROUND_TERMS - SP_ROUND_MORE;
        p->n_k = SP_ROUND_WAVES;
        return p->n_given <= SP_PART_MOST;
    }
    if (!bending || (list && !p->plate)) {
        sp_build_error(b, elastic->key_place, 0,
                       "%s: elastic: expected 'bending', the number of functions%s", scope->what,
                       p->plate ? " along the radius and that of waves around, as in [2, 3], or "
                                  "'functions', a list of expressions of r and phi"
                                : "");
        return false;
    }
    p->n = count_of(b, scope, list ? bending->first : bending, 1);
    p->n_k = list ? count_of(b, scope, bending->first->next, 0) : 2;
    if (p->n == SP_NONE || p->n_k == SP_NONE) {
        return false;
    }
    if (p->n > SP_ROUND_TERMS - 6 || p->n_k > SP_PART_MOST || sp_round_count(p) > SP_PART_MOST) {
        sp_build_error(b, bending->place, 0,
                       "%s: elastic: bending: too many functions, expected "
                       "at most %d in all, and %d along the radius",
                       scope->what, SP_PART_MOST, SP_ROUND_TERMS - 6);
        return false;
    }
    return true;
}

int sp_build_round_count(sp_build *b, sp_scope *scope, const sp_node *body, const sp_node *elastic)
{
    sp_round p = {.plate = false};
    return read_counts(b, scope, body, elastic, &p) ? sp_round_count(&p) : 0;
}

/* ---- what it is made of -----------------------------------------------------------------------
 */

static bool positive(sp_build *b, sp_scope *scope, const sp_node *map, const char *key, sp_dim dim,
                     double *value)
{
    return sp_build_positive(b, scope, sp_node_get(map, key), key, dim, false, value);
}

static bool read_ring(sp_build *b, sp_scope *scope, const sp_node *map, sp_round *p)
{
    const sp_node *section = sp_node_get(map, "section");
    sp_beam beam = {.round = false};
    double density = 0.0;
    if (!positive(b, scope, map, "radius", sp_dim_of(1, 0, 0), &p->radius[0]) ||
        !positive(b, scope, map, "young", sp_dim_of(-1, 1, -2), &p->young) ||
        !positive(b, scope, map, "density", sp_dim_of(-3, 1, 0), &density) || !section ||
        section->kind != SP_NODE_MAP || !sp_build_section(b, scope, section, &beam)) {
        return false;
    }
    p->radius[1] = p->radius[0];
    p->rigid = p->young * beam.inertia[2];
    p->mass = density * beam.area;
    return true;
}

/* Point masses: radius, angle, mass of each. */
static bool read_masses(sp_build *b, sp_scope *scope, const sp_node *list, sp_round *p)
{
    for (const sp_node *item = list ? list->first : NULL; item; item = item->next) {
        double r, angle, *to = p->point[p->n_mass];
        const sp_node *second =
            item->kind == SP_NODE_LIST && item->n_child == 3 ? item->first->next : NULL;
        if (!second || p->n_mass == SP_ROUND_MASSES ||
            !sp_build_quantity(b, scope, item->first, "plate: masses: radius", sp_dim_of(1, 0, 0),
                               NULL, &r) ||
            !sp_build_quantity(b, scope, second, "plate: masses: angle", sp_dim_of(0, 0, 0),
                               "an angle [rad]", &angle) ||
            !sp_build_positive(b, scope, second->next, "plate: masses: mass", sp_dim_of(0, 1, 0),
                               true, &to[2])) {
            return false;
        }
        if (!(r >= p->radius[0] && r <= p->radius[1])) {
            sp_build_error(b, item->place, 0,
                           "%s: plate: masses: r = %g m is not on the plate, which goes from %g "
                           "m to %g m",
                           scope->what, r, p->radius[0], p->radius[1]);
            return false;
        }
        to[0] = r * cos(angle);
        to[1] = r * sin(angle);
        p->n_mass++;
    }
    return true;
}

static bool read_plate(sp_build *b, sp_scope *scope, const sp_node *map, const sp_node *elastic,
                       sp_round *p)
{
    const sp_node *radii = sp_node_get(map, "radii"), *poisson = sp_node_get(map, "poisson");
    const char *ends = sp_build_text(sp_node_get(elastic, "ends"));
    double density = 0.0;
    p->poisson = 0.3;
    if (!sp_build_numbers(b, scope, radii, "plate: radii", 2, sp_dim_of(1, 0, 0), p->radius) ||
        !positive(b, scope, map, "thickness", sp_dim_of(1, 0, 0), &p->thickness) ||
        !positive(b, scope, map, "young", sp_dim_of(-1, 1, -2), &p->young) ||
        !positive(b, scope, map, "density", sp_dim_of(-3, 1, 0), &density) ||
        (poisson && !sp_build_quantity(b, scope, poisson, "plate: poisson", sp_dim_of(0, 0, 0),
                                       NULL, &p->poisson))) {
        return false;
    }
    if (!(p->radius[0] > 0.0 && p->radius[1] > p->radius[0])) {
        sp_build_error(b, radii->place, 0,
                       "%s: plate: radii = [%g m, %g m], expected the inner one, above 0, first",
                       scope->what, p->radius[0], p->radius[1]);
        return false;
    }
    if (!(p->poisson > -1.0 && p->poisson < 0.5)) {
        sp_build_error(b, poisson->place, 0,
                       "%s: plate: poisson = %g, expected above -1 and below 0.5", scope->what,
                       p->poisson);
        return false;
    }
    if (ends && strcmp(ends, "clamped-free") != 0 && strcmp(ends, "pinned-free") != 0) {
        sp_build_error(b, sp_node_get(elastic, "ends")->place, 0,
                       "%s: elastic: ends = %.40s, expected clamped-free or pinned-free: a plate "
                       "is held inside and free at its rim",
                       scope->what, ends);
        return false;
    }
    p->held = ends && strcmp(ends, "pinned-free") == 0 ? 1 : 2;
    p->rigid = p->young * pow(p->thickness, 3.0) / (12.0 * (1.0 - p->poisson * p->poisson));
    p->mass = density * p->thickness;
    return read_masses(b, scope, sp_node_get(map, "masses"), p);
}

/* ---- the body ---------------------------------------------------------------------------------
 */

/* One function as an expression of r and phi, as a sum of waves.   theory (97.15) */
static bool read_given(sp_build *b, sp_scope *scope, const sp_node *node, const sp_round *p,
                       sp_wave *wave, int *n_wave)
{
    double w[SP_ROUND_RADII][SP_ROUND_ANGLES], grad[2], hess[3], off = 0.0;
    const char *text = sp_build_text(node) ? sp_build_text(node) : "";
    sp_expr_info info;
    sp_func f;
    scope->own = SP_OWN_PLATE;
    const bool good = sp_build_func(b, scope, node, "elastic: functions", NULL, NULL, &f, &info);
    scope->own = SP_OWN_NONE;
    double *work = good && f.program
                       ? SP_BUILD_NEW(b, &b->scratch, double, sp_program_work(f.program, 2) + 1)
                       : NULL;
    if (!work) {
        if (good) {
            sp_build_error(b, node->place, 0,
                           "%s: elastic: functions: '%.80s' does not depend on the place r, phi",
                           scope->what, text);
        }
        return false;
    }
    const bool phi_first = f.signal[0].kind == SP_SIG_RATE;
    for (int g = 0; g < SP_ROUND_RADII; g++) {
        const double r = sp_round_radius(p, g);
        for (int j = 0; j < SP_ROUND_ANGLES; j++) {
            const double phi = 2.0 * pi * j / SP_ROUND_ANGLES;
            const double in[2] = {phi_first ? phi : r, phi_first ? r : phi};
            w[g][j] = sp_program_hess(f.program, in, grad, hess, work);
        }
    }
    *n_wave = sp_round_fit(p, (const double(*)[SP_ROUND_ANGLES])w, wave, &off);
    if (!(off < 1e-8)) {
        sp_build_error(b, node->place, 0,
                       "%s: elastic: functions: '%.80s' is no shape of this plate, expected one "
                       "that is zero%s at the inner radius, smooth along r and has at most %d "
                       "waves around",
                       scope->what, text, p->held == 2 ? " with its slope" : "", SP_ROUND_WAVES);
    }
    return off < 1e-8;
}

/* A list of them. */
static bool read_functions(sp_build *b, sp_scope *scope, const sp_node *list, sp_round *p)
{
    enum { MOST = 2 * SP_ROUND_WAVES + 1 };
    int *first = SP_BUILD_NEW(b, b->arena, int, p->n_given + 1), n = 0, k = 0;
    sp_wave *wave = SP_BUILD_NEW(b, b->arena, sp_wave, p->n_given * MOST);
    if (!first || !wave) {
        return false;
    }
    first[0] = 0;
    for (const sp_node *item = list->first; item; item = item->next) {
        if (!read_given(b, scope, item, p, wave + first[k], &n)) {
            return false;
        }
        first[k + 1] = first[k] + n;
        k++;
    }
    p->first = first;
    p->wave = wave;
    return true;
}

/* Whether they depend on each other: by the eigenvalues of their products, each of length 1. */
static bool are_apart(sp_build *b, const sp_scope *scope, const sp_node *list, const sp_part *part)
{
    const int n = part->n;
    double *A = SP_BUILD_NEW(b, &b->scratch, double, n *n),
           *V = SP_BUILD_NEW(b, &b->scratch, double, n *n), w[SP_PART_MOST];
    if (!A || !V) {
        return false;
    }
    for (int i = 0; i < n * n; i++) {
        A[i] = part->Me[i] / sqrt(part->Me[i / n * (n + 1)] * part->Me[i % n * (n + 1)]);
    }
    sp_eigen_symmetric(n, A, V, w);
    if (!(w[0] > 1e-10 * w[n - 1])) {
        sp_build_error(b, list->key_place, 0,
                       "%s: elastic: functions: they depend on each other (smallest eigenvalue of "
                       "their products %.1e of the largest); leave one out",
                       scope->what, w[0] / w[n - 1]);
    }
    return w[0] > 1e-10 * w[n - 1];
}

/* Keys that belong to beams or files; whether there was none. */
static bool refuse_others(sp_build *b, const sp_scope *scope, const sp_node *body,
                          const sp_node *elastic, bool plate)
{
    static const char *const key[] = {"stretch", "torsion", "frame", "file", "functions", "ends"};
    const sp_node *given = sp_node_get(elastic, "functions");
    const bool list = given && given->kind == SP_NODE_LIST && !sp_node_get(elastic, "bending");
    bool good = true;
    for (int k = 0; k < (plate ? (list ? 4 : 5) : 6); k++) {
        const sp_node *node = sp_node_get(elastic, key[k]);
        if (node) {
            sp_build_error(b, node->key_place, 0, "%s: elastic: '%s' does not belong to a %s",
                           scope->what, key[k], plate ? "plate" : "ring");
            good = false;
        }
    }
    const sp_node *beam = sp_node_get(body, "beam");
    const sp_node *other = beam ? beam : plate ? sp_node_get(body, "ring") : NULL;
    if (other) {
        sp_build_error(b, other->key_place, 0, "%s: '%s' beside '%s'; leave one of them out",
                       scope->what, other->key, plate ? "plate" : "ring");
        good = false;
    }
    return good;
}

void sp_build_round(sp_build *b, sp_scope *scope, int plan, const sp_node *body)
{
    const sp_node *elastic = sp_node_get(body, "elastic"), *ring = sp_node_get(body, "ring");
    const sp_node *plate = sp_node_get(body, "plate"), *map = plate ? plate : ring;
    sp_round *p = SP_BUILD_NEW(b, b->arena, sp_round, 1);
    if (!elastic) {
        sp_build_error(b, map->key_place, 0,
                       "%s: %s: expected 'elastic' beside it; a rigid one has 'mass' and 'inertia'",
                       scope->what, map->key);
        return;
    }
    if (!p || map->kind != SP_NODE_MAP || elastic->kind != SP_NODE_MAP ||
        b->plan[plan].n_own == 0 || b->plan[plan].broken ||
        !refuse_others(b, scope, body, elastic, plate != NULL) ||
        !sp_build_alone(b, scope, body, map->key) || !read_counts(b, scope, body, elastic, p) ||
        !(plate ? read_plate(b, scope, plate, elastic, p) : read_ring(b, scope, ring, p)) ||
        (p->n_given > 0 && !read_functions(b, scope, sp_node_get(elastic, "functions"), p))) {
        return;
    }
    sp_modal_plan shape = {.axes = "axes and origin at its middle",
                           .shape = sp_round_shape,
                           .slopes = plate ? sp_round_slopes : NULL,
                           .more = p,
                           .part = sp_round_part(b->arena, &b->scratch, p)};
    sp_build_positive(b, scope, sp_node_get(elastic, "damping"), "elastic: damping",
                      sp_dim_of(0, 0, 0), true, &shape.damping);
    b->no_memory = b->no_memory || !shape.part;
    shape.what = plate ? sp_build_printf(b, "plate from %.5g m to %.5g m, %.4g m thick",
                                         p->radius[0], p->radius[1], p->thickness)
                       : sp_build_printf(b, "ring of radius %.5g m, length %.5g m", p->radius[0],
                                         2.0 * pi * p->radius[0]);
    if (shape.part && p->n_given > 0 &&
        !are_apart(b, scope, sp_node_get(elastic, "functions"), shape.part)) {
        return;
    }
    if (shape.part && plate) {
        const double size[3] = {p->radius[0], p->radius[1], 0.5 * p->thickness};
        memcpy(b->plan[plan].plate, size, sizeof size);
    }
    if (shape.part) {
        sp_build_modal(b, scope, plan, elastic, &shape);
    }
}
