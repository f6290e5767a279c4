/* model/ritz_form.c - the form of a beam: functions in its frame, lines that bend, points of its
 * mass. theory (72.2), (72.6), (72.10)-(72.12) */
#include "model/ritz.h"

#include <math.h>
#include <string.h>

/* Legendre polynomials of functions on the stack: 2 n + 12 + 2, and room; nodes beyond the number
 * of bending functions: theory section 72. */
enum { TERMS = 2 * SP_RITZ_MOST + 24, MORE_NODES = 5 };

/* A form on its way. */
typedef struct making {
    sp_arena *arena, *scratch;
    const sp_beam *beam;
    sp_ritz *form;
    double *value, *slope, *curve, *reach, *node_slope; /* of the form, being written ...      */
    double *one, *x, *shape, *reach_at;
    double *lambda;
    int n_gauss;
    double *xi, *weight, *P, *field, *basis;
    bool failed;
} making;

static double *numbers(making *k, sp_arena *arena, int n)
{
    double *x = SP_NEW(arena, double, n);
    k->failed = k->failed || !x;
    return x;
}

static double sum_at(int n, const double *coef, const double *P)
{
    double sum = 0.0;
    for (int j = 0; j < n; j++) {
        sum += coef[j] * P[j];
    }
    return sum;
}

/* ---- conditions of the ends -------------------------------------------------------------------
 */

static void add_end(sp_ritz_want *want, int order, double xi)
{
    want->end[want->n_end++] = (sp_ritz_end){order, xi};
}

static sp_ritz_want bending_of(const sp_beam *beam)
{
    sp_ritz_want want = {.order = 2, .n = beam->n_bend, .modes = beam->modes};
    for (int k = 0; k < 2; k++) {
        if (beam->end[k] == SP_END_CLAMPED || beam->end[k] == SP_END_PINNED) {
            add_end(&want, 0, k);
        }
        if (beam->end[k] == SP_END_CLAMPED || beam->end[k] == SP_END_GUIDED) {
            add_end(&want, 1, k);
        }
    }
    return want;
}

static sp_ritz_want stretch_of(const sp_beam *beam)
{
    sp_ritz_want want = {.order = 1, .n = beam->n_stretch, .modes = beam->modes};
    if (beam->frame != SP_RITZ_MEAN) {
        add_end(&want, 0, beam->from / beam->length);
    }
    return want;
}

int sp_beam_loose(const sp_beam *beam)
{
    int held = 0, places = 0;
    for (int k = 0; k < 2; k++) {
        const sp_beam_end end = beam->end[k];
        held += end == SP_END_CLAMPED ? 2 : end == SP_END_FREE ? 0 : 1;
        places += end == SP_END_CLAMPED || end == SP_END_PINNED;
    }
    held = places == 0 && held > 1 ? 1 : held; /* two guides: it may still go across */
    return held > 2 ? 0 : 2 - held;
}

/* ---- frames -----------------------------------------------------------------------------------
 */

/* Take away the rigid motion that the frame has.   theory (72.11) */
static void into_frame(const making *k, double *f, int n)
{
    const double xi = k->beam->from / k->beam->length;
    double at = 0.0, along = 0.0; /* value at the middle, slope by xi */
    memcpy(k->field, f, (size_t)n * sizeof *f);
    if (k->beam->frame == SP_RITZ_TANGENT) {
        sp_legendre(n, xi, k->P);
        at = sum_at(n, f, k->P);
        sp_legendre_derive(n, k->field);
        along = sum_at(n, k->field, k->P);
        at += (0.5 - xi) * along;
    } else if (k->beam->frame == SP_RITZ_CHORD) {
        for (int j = 0; j < n; j++) { /* P_j is 1 at one end and +-1 at the other */
            at += j % 2 ? 0.0 : f[j];
            along += j % 2 ? 2.0 * f[j] : 0.0;
        }
    } else if (k->beam->frame == SP_RITZ_MEAN) {
        at = f[0];
        along = 2.0 * f[1];
    }
    f[0] -= at;
    f[1] -= 0.5 * along;
}

/* Rows of functions and their derivatives by x. */
static void fill_rows(making *k)
{
    const sp_ritz_want bending = bending_of(k->beam), stretch = stretch_of(k->beam);
    const int n = k->form->n_coef, n_bend = k->beam->n_bend;
    const size_t all = (size_t)n * (size_t)k->form->n;
    if (!sp_ritz_functions(k->scratch, &bending, n, k->value, k->lambda) ||
        !sp_ritz_functions(k->scratch, &stretch, n, k->value + (size_t)n_bend * (size_t)n,
                           k->lambda + n_bend)) {
        k->failed = true;
        return;
    }
    for (int i = 0; i < n_bend; i++) {
        into_frame(k, k->value + (size_t)i * (size_t)n, n);
    }
    memcpy(k->slope, k->value, all * sizeof *k->slope);
    for (int i = 0; i < k->form->n; i++) {
        double *slope = k->slope + (size_t)i * (size_t)n, *curve = k->curve + (size_t)i * (size_t)n;
        sp_legendre_derive(n, slope);
        memcpy(curve, slope, (size_t)n * sizeof *curve);
        sp_legendre_derive(n, curve);
        for (int j = 0; j < n; j++) {
            slope[j] /= k->beam->length;
            curve[j] /= k->beam->length * k->beam->length;
        }
    }
}

/* a_h: the integral from x_0 of the polynomial that is 1 at node h and 0 at the others, by its
 * Legendre coefficients (2 l + 1) w_h P_l(xi_h).   theory (72.2) */
static void fill_reach(making *k)
{
    const sp_ritz *form = k->form;
    const int n = form->n_node;
    const double xi_0 = k->beam->from / k->beam->length;
    double *xi = k->field, *weight = k->field + n, *P = k->P;
    if (n > 0) {
        sp_gauss_legendre(n, xi, weight);
    }
    for (int h = 0; h < n; h++) {
        double *a = k->reach + (size_t)h * (size_t)(n + 1);
        sp_legendre(form->n_coef > n ? form->n_coef : n, xi[h], P);
        for (int l = 0; l < n; l++) {
            const double half = 0.5 * k->beam->length * weight[h] * P[l];
            a[l + 1] += half;
            a[l > 0 ? l - 1 : 0] += l > 0 ? -half : half;
        }
        for (int i = 0; i < form->n_bend; i++) {
            k->node_slope[h * form->n_bend + i] =
                sum_at(form->n_coef, form->slope + (size_t)i * (size_t)form->n_coef, P);
        }
        sp_legendre(n + 1, xi_0, P);
        a[0] -= k->beam->frame == SP_RITZ_MEAN ? a[0] : sum_at(n + 1, a, P);
    }
}

/* ---- points of the mass -----------------------------------------------------------------------
 */

/* Field number i at Gauss point g, scaled: 1, x, functions, a_h. */
static double field_at(const making *k, int i, int g)
{
    const sp_ritz *form = k->form;
    const int n_reach = form->n_node + 1;
    const double root = sqrt(form->mass * k->weight[g]);
    if (i < 2) {
        return root * (i == 0 ? 1.0 : k->beam->length * k->xi[g]);
    }
    if (i < 2 + form->n) {
        return root * sum_at(form->n_coef, k->value + (size_t)(i - 2) * (size_t)form->n_coef, k->P);
    }
    return root * sum_at(n_reach, k->reach + (size_t)(i - 2 - form->n) * (size_t)n_reach, k->P);
}

/* Put the number of a field at a point where it belongs. */
static void put_field(const making *k, int i, int point, double value)
{
    const int n = k->form->n;
    if (i < 2) {
        (i == 0 ? k->one : k->x)[point] = value;
    } else if (i < 2 + n) {
        k->shape[(i - 2) * k->n_gauss + point] = value;
    } else {
        k->reach_at[(i - 2 - n) * k->n_gauss + point] = value;
    }
}

/* Coordinates of a field in the basis, which it enters with what is new of it; how many vectors the
 * basis has then.   theory (72.6) */
static int enter_basis(const making *k, int i, int n_basis)
{
    const int n = k->n_gauss;
    double *f = k->basis + (size_t)n_basis * (size_t)n, size = 0.0, rest = 0.0;
    for (int d = 0; d < n_basis; d++) {
        put_field(k, i, d, 0.0);
    }
    memcpy(f, k->field + (size_t)i * (size_t)n, (size_t)n * sizeof *f);
    for (int g = 0; g < n; g++) {
        size += f[g] * f[g];
    }
    double *into = k->P; /* coordinates: n_basis of them */
    memset(into, 0, (size_t)n * sizeof *into);
    for (int pass = 0; pass < 2; pass++) { /* twice is enough */
        for (int d = 0; d < n_basis; d++) {
            const double part = sum_at(n, f, k->basis + (size_t)d * (size_t)n);
            into[d] += part;
            for (int g = 0; g < n; g++) {
                f[g] -= part * k->basis[(size_t)d * (size_t)n + (size_t)g];
            }
        }
    }
    for (int g = 0; g < n; g++) {
        rest += f[g] * f[g];
    }
    for (int d = 0; d < n_basis; d++) {
        put_field(k, i, d, into[d]);
    }
    if (!(rest > 1e-26 * size) || n_basis == n) {
        return n_basis;
    }
    put_field(k, i, n_basis, sqrt(rest));
    for (int g = 0; g < n; g++) {
        f[g] /= sqrt(rest);
    }
    return n_basis + 1;
}

/* Gauss points, or fewer in a basis of what they know. */
static void fill_points(making *k)
{
    sp_ritz *form = k->form;
    const int n_field = 2 + form->n + form->n_node, n = k->n_gauss;
    k->field = numbers(k, k->scratch, n_field * n);
    k->basis = numbers(k, k->scratch, (n + 1) * n);
    if (k->failed) {
        return;
    }
    for (int g = 0; g < n; g++) {
        sp_legendre(form->n_node + 1 > form->n_coef ? form->n_node + 1 : form->n_coef, k->xi[g],
                    k->P);
        for (int i = 0; i < n_field; i++) {
            const double value = field_at(k, i, g);
            k->field[(size_t)i * (size_t)n + (size_t)g] = value;
            put_field(k, i, g, n_field > n ? value : 0.0);
        }
    }
    form->n_point = n_field > n ? n : 0; /* rows are n_gauss long */
    for (int i = 0; i < n_field && n_field <= n; i++) {
        form->n_point = enter_basis(k, i, form->n_point);
    }
}

/* ---- the form ---------------------------------------------------------------------------------
 */

/* Stiffness and damping of the coordinates.   theory (72.10) */
static void fill_stiffness(making *k, double *K, double *D, double *omega)
{
    const sp_beam *b = k->beam;
    const double bend = b->young * b->inertia / pow(b->length, 3.0);
    const double stretch = b->young * b->area / b->length;
    for (int i = 0; i < k->form->n; i++) {
        K[i] = k->lambda[i] * (i < b->n_bend ? bend : stretch);
        omega[i] = sqrt(K[i] / k->form->mass);
        D[i] = 2.0 * b->damping * sqrt(K[i] * k->form->mass);
    }
}

const sp_ritz *sp_ritz_of_beam(sp_arena *arena, sp_arena *scratch, const sp_beam *beam)
{
    sp_ritz *form = SP_NEW(arena, sp_ritz, 1);
    if (!form) {
        return NULL;
    }
    const sp_ritz_want bending = bending_of(beam), stretch = stretch_of(beam);
    const int size[2] = {sp_ritz_size(&bending), sp_ritz_size(&stretch)};
    const int n = beam->n_bend + beam->n_stretch, n_coef = size[0] > size[1] ? size[0] : size[1];
    const int n_bend = beam->n_bend, n_node = n_bend > 0 ? n_bend + MORE_NODES : 0;
    const int n_gauss = n_coef + n_node + 2;
    making k = {.arena = arena, .scratch = scratch, .beam = beam, .form = form, .n_gauss = n_gauss};
    *form = (sp_ritz){.beam = *beam,
                      .n = n,
                      .n_bend = n_bend,
                      .n_coef = n_coef,
                      .n_node = n_node,
                      .stride = n_gauss,
                      .mass = beam->density * beam->area * beam->length};
    form->value = k.value = numbers(&k, arena, n * n_coef);
    form->slope = k.slope = numbers(&k, arena, n * n_coef);
    form->curve = k.curve = numbers(&k, arena, n * n_coef);
    form->reach = k.reach = numbers(&k, arena, n_node * (n_node + 1));
    form->node_slope = k.node_slope = numbers(&k, arena, n_node * n_bend);
    form->one = k.one = numbers(&k, arena, n_gauss);
    form->x = k.x = numbers(&k, arena, n_gauss);
    form->shape = k.shape = numbers(&k, arena, n_gauss * n);
    form->reach_at = k.reach_at = numbers(&k, arena, n_gauss * n_node);
    double *K = numbers(&k, arena, n), *D = numbers(&k, arena, n), *omega = numbers(&k, arena, n);
    k.lambda = numbers(&k, scratch, n);
    k.xi = numbers(&k, scratch, n_gauss);
    k.weight = numbers(&k, scratch, n_gauss);
    k.P = numbers(&k, scratch, n_gauss + 2);
    k.field = numbers(&k, scratch, n_coef + 2 * n_node);
    if (k.failed) {
        return NULL;
    }
    form->stiffness = K;
    form->damping = D;
    form->omega = omega;
    sp_gauss_legendre(n_gauss, k.xi, k.weight);
    fill_rows(&k);
    fill_reach(&k);
    fill_points(&k);
    fill_stiffness(&k, K, D, omega);
    return k.failed ? NULL : form;
}

/* ---- at a place -------------------------------------------------------------------------------
 */

int sp_ritz_row_size(const sp_ritz *form)
{
    return 2 * form->n + form->n_node;
}

void sp_ritz_row(const sp_ritz *form, double x, double *row)
{
    double P[TERMS];
    const int n = form->n_coef, n_reach = form->n_node + 1;
    sp_legendre(n > n_reach ? n : n_reach, x / form->beam.length, P);
    for (int k = 0; k < form->n; k++) {
        row[k] = sum_at(n, form->value + (size_t)k * (size_t)n, P);
        row[form->n + k] = sum_at(n, form->slope + (size_t)k * (size_t)n, P);
    }
    for (int h = 0; h < form->n_node; h++) {
        row[2 * form->n + h] = sum_at(n_reach, form->reach + (size_t)h * (size_t)n_reach, P);
    }
}

const double *sp_ritz_shape(sp_arena *arena, const sp_body *body, const double *at, bool *failed)
{
    const sp_ritz *form = body->form;
    double *row = form ? SP_NEW(arena, double, sp_ritz_row_size(form)) : NULL;
    if (row) {
        sp_ritz_row(form, at[0], row);
    }
    *failed = *failed || (form && !row);
    return row;
}

void sp_ritz_section(const sp_ritz *form, double x, const double *e, double section[4])
{
    const sp_beam *b = &form->beam;
    const int n = form->n_coef;
    double P[TERMS], curve[TERMS], axial = 0.0, moment = 0.0, shear = 0.0;
    sp_legendre(n, x / b->length, P);
    for (int k = 0; k < form->n_bend; k++) {
        memcpy(curve, form->curve + (size_t)k * (size_t)n, (size_t)n * sizeof *curve);
        moment += b->young * b->inertia * e[k] * sum_at(n, curve, P);
        sp_legendre_derive(n, curve);
        shear -= b->young * b->inertia * e[k] * sum_at(n, curve, P) / b->length;
    }
    for (int k = form->n_bend; k < form->n; k++) {
        axial += b->young * b->area * e[k] * sum_at(n, form->slope + (size_t)k * (size_t)n, P);
    }
    const double all[4] = {axial, shear, moment,
                           axial / b->area + fabs(moment) * b->edge / b->inertia};
    memcpy(section, all, sizeof all);
}
