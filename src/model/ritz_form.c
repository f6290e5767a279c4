/* model/ritz_form.c - the form of a beam: functions in its frame, lines that bend, points of its
 * mass. theory (72.2), (72.6), (72.10)-(72.12) */
#include "model/ritz.h"

#include "math/dense.h"

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
    double *value, *slope, *angle, *curve; /* of the form, being written ...                   */
    double *reach, *node_angle, *node_curve, *node_weight;
    double *one, *x, *shape, *reach_at;
    int *first_node;
    unsigned char *part;
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

/* ---- conditions of the ends -------------------------------------------------------------------
 */

static void add_end(sp_ritz_want *want, int order, double xi)
{
    want->end[want->n_end++] = (sp_ritz_end){order, xi};
}

/* Of bending along y (side 0), z. */
static sp_ritz_want bending_of(const sp_beam *beam, int side)
{
    sp_ritz_want want = {.order = 2, .n = beam->n[SP_RITZ_Y + side], .modes = beam->modes};
    want.given = beam->given;
    const double length2 = beam->length * beam->length, inertia = beam->inertia[2 - side];
    if (beam->shear > 0.0) { /* theory (97.6) */
        want.shear =
            beam->young * inertia / (beam->shear * beam->shear_modulus * beam->area * length2);
        want.rotary = inertia / (beam->area * length2);
    }
    for (int k = 0; k < 2; k++) {
        const sp_beam_end end = beam->end[side][k];
        if (end == SP_END_CLAMPED || end == SP_END_PINNED) {
            add_end(&want, 0, k);
        }
        if (end == SP_END_CLAMPED || end == SP_END_GUIDED) {
            add_end(&want, 1, k);
        }
    }
    return want;
}

/* Ends that let no slope let no twist; without such ends the frame goes along with it. */
static sp_ritz_want twist_of(const sp_beam *beam)
{
    sp_ritz_want want = {.order = 1, .n = beam->n[SP_RITZ_TWIST], .modes = beam->modes};
    for (int k = 0; k < 2; k++) {
        bool holds = false;
        for (int side = 0; side < 2; side++) {
            const sp_beam_end end = beam->end[side][k];
            holds = holds || end == SP_END_CLAMPED || end == SP_END_GUIDED;
        }
        if (holds) {
            add_end(&want, 0, k);
        }
    }
    if (want.n_end == 0 && beam->frame[0] != SP_RITZ_MEAN) {
        add_end(&want, 0, beam->from / beam->length);
    }
    return want;
}

static sp_ritz_want stretch_of(const sp_beam *beam)
{
    sp_ritz_want want = {.order = 1, .n = beam->n[SP_RITZ_STRETCH], .modes = beam->modes};
    if (beam->frame[0] != SP_RITZ_MEAN) {
        add_end(&want, 0, beam->from / beam->length);
    }
    return want;
}

static sp_ritz_want want_of(const sp_beam *beam, sp_ritz_part part)
{
    sp_ritz_want want = part == SP_RITZ_STRETCH ? stretch_of(beam)
                        : part == SP_RITZ_TWIST ? twist_of(beam)
                                                : bending_of(beam, (int)part - SP_RITZ_Y);
    want.n_static = want.n > 0 ? beam->n_static : 0;
    for (int k = 0; k < want.n_static; k++) {
        want.at[k] = beam->at[k] / beam->length;
    }
    return want;
}

int sp_beam_loose(const sp_beam *beam, int side)
{
    int held = 0, places = 0;
    for (int k = 0; k < 2; k++) {
        const sp_beam_end end = beam->end[side][k];
        held += end == SP_END_CLAMPED ? 2 : end == SP_END_FREE ? 0 : 1;
        places += end == SP_END_CLAMPED || end == SP_END_PINNED;
    }
    held = places == 0 && held > 1 ? 1 : held; /* two guides: it may still go across */
    return held > 2 ? 0 : 2 - held;
}

/* ---- frames -----------------------------------------------------------------------------------
 */

/* Take away the rigid motion that the frame has; turn: angle of the sections by xi.  theory (72.11)
 */
static void into_frame(const making *k, sp_ritz_frame frame, double rotary, double *f, double *turn,
                       int n)
{
    const double xi = k->beam->from / k->beam->length;
    double at = 0.0, along = 0.0; /* value at the middle, slope by xi */
    if (frame == SP_RITZ_TANGENT) {
        sp_legendre(n, xi, k->P);
        at = sp_dot_n(n, f, k->P);
        along = sp_dot_n(n, turn, k->P);
        at += (0.5 - xi) * along;
    } else if (frame == SP_RITZ_CHORD) {
        for (int j = 0; j < n; j++) { /* P_j is 1 at one end and +-1 at the other */
            at += j % 2 ? 0.0 : f[j];
            along += j % 2 ? 2.0 * f[j] : 0.0;
        }
    } else if (frame == SP_RITZ_MEAN) {
        at = f[0];
        along = (2.0 * f[1] + 12.0 * rotary * turn[0]) / (1.0 + 12.0 * rotary);
    }
    f[0] -= at;
    f[1] -= 0.5 * along;
    turn[0] -= along;
}

/* A derivative by x. */
static void derive(const making *k, const double *from, double sign, double *to)
{
    const int n = k->form->n_coef;
    memcpy(to, from, (size_t)n * sizeof *to);
    sp_legendre_derive(n, to);
    for (int j = 0; j < n; j++) {
        to[j] *= sign / k->beam->length;
    }
}

/* Rows of function i: way and angle, with their derivatives by x. */
static void fill_row(const making *k, const sp_ritz_want *want, sp_ritz_part part, int i)
{
    const size_t n = (size_t)k->form->n_coef, row = (size_t)i * n;
    double *value = k->value + row, *slope = k->slope + row, *angle = k->angle + row;
    const double sign = (part == SP_RITZ_Z ? -1.0 : 1.0) / k->beam->length;
    if (part == SP_RITZ_TWIST) {
        memcpy(angle, value, n * sizeof *angle);
        memset(value, 0, n * sizeof *value);
    } else if (part == SP_RITZ_STRETCH) {
        memset(angle, 0, n * sizeof *angle);
    } else {
        into_frame(k, k->beam->frame[part - SP_RITZ_Y], want->rotary, value, angle, (int)n);
        for (size_t j = 0; j < n; j++) {
            angle[j] *= sign;
        }
    }
    derive(k, value, 1.0, slope);
    derive(k, angle, 1.0, k->curve + row);
}

/* Given functions without the rigid motion that the frame has. */
static const double *frame_given(making *k, const sp_ritz_want *want, sp_ritz_frame frame)
{
    double *own = numbers(k, k->scratch, want->n * SP_RITZ_GIVEN), turn[SP_RITZ_GIVEN];
    for (int i = 0; i < want->n && own; i++) {
        double *f = own + (size_t)i * SP_RITZ_GIVEN;
        memcpy(f, want->given + (size_t)i * SP_RITZ_GIVEN, sizeof turn);
        memcpy(turn, f, sizeof turn);
        sp_legendre_derive(SP_RITZ_GIVEN, turn);
        into_frame(k, frame, want->rotary, f, turn, SP_RITZ_GIVEN);
    }
    return own;
}

static void fill_rows(making *k)
{
    const int n = k->form->n_coef;
    for (int part = 0, first = 0; part < SP_RITZ_PARTS; part++) {
        sp_ritz_want want = want_of(k->beam, (sp_ritz_part)part);
        if (want.given) {
            want.given = frame_given(k, &want, k->beam->frame[part]);
        }
        const size_t row = (size_t)first * (size_t)n;
        if (!sp_ritz_functions(k->scratch, &want, n, k->value + row, k->angle + row,
                               k->lambda + first)) {
            k->failed = true;
            return;
        }
        for (const int end = first + want.n; first < end; first++) {
            k->part[first] = (unsigned char)part;
            fill_row(k, &want, (sp_ritz_part)part, first);
        }
    }
}

/* Angles of the axis and curvatures of the functions at node h; of torsion those of the nearest
 * polynomial that the nodes integrate.   theory (72.16), (97.7) */
static void fill_node(const making *k, int h, const double *P)
{
    const sp_ritz *form = k->form;
    const int short_one = form->n_node < form->n_coef ? form->n_node : form->n_coef;
    for (int i = 0; i < form->n_turn; i++) {
        const size_t row = (size_t)i * (size_t)form->n_coef;
        const int at = i * form->nodes + h, part = form->part[i];
        const double sign = part == SP_RITZ_Z ? -1.0 : 1.0;
        k->node_angle[at] = part == SP_RITZ_TWIST
                                ? sp_dot_n(short_one, form->angle + row, P)
                                : sign * sp_dot_n(form->n_coef, form->slope + row, P);
        k->node_curve[at] = sp_dot_n(short_one, form->curve + row, P);
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
        fill_node(k, h, P);
        k->node_weight[h] = k->beam->length * weight[h];
        sp_legendre(n + 1, xi_0, P);
        a[0] -= k->beam->frame[0] == SP_RITZ_MEAN ? a[0] : sp_dot_n(n + 1, a, P);
    }
}

/* ---- points of the mass -----------------------------------------------------------------------
 */

/* Points with mass: those of Gauss' formula on the beam, and the point masses. */
static void place_mass(const making *k)
{
    const sp_beam *b = k->beam;
    const int n = k->n_gauss - b->n_mass;
    sp_gauss_legendre(n, k->xi, k->weight);
    for (int g = 0; g < n; g++) {
        k->weight[g] *= k->form->line;
    }
    for (int i = 0; i < b->n_mass; i++) {
        k->xi[n + i] = b->mass[i][0] / b->length;
        k->weight[n + i] = b->mass[i][1];
    }
}

/* Field number i at Gauss point g, scaled: 1, a_h, x, functions, so that each a_h is in few vectors
 * of the basis. */
static double field_at(const making *k, int i, int g)
{
    const sp_ritz *form = k->form;
    const int n_reach = form->n_node + 1;
    const double root = sqrt(k->weight[g]);
    const int x = 1 + form->n_node;
    if (i > x) {
        return root *
               sp_dot_n(form->n_coef, k->value + (size_t)(i - x - 1) * (size_t)form->n_coef, k->P);
    }
    if (i == 0 || i == x) {
        return root * (i == 0 ? 1.0 : k->beam->length * k->xi[g]);
    }
    return root * sp_dot_n(n_reach, k->reach + (size_t)(i - 1) * (size_t)n_reach, k->P);
}

/* Put the number of a field at a point where it belongs. */
static void put_field(const making *k, int i, int point, double value)
{
    const int x = 1 + k->form->n_node;
    if (i == 0 || i == x) {
        (i == 0 ? k->one : k->x)[point] = value;
    } else if (i > x) {
        k->shape[(i - x - 1) * k->form->stride + point] = value;
    } else {
        k->reach_at[(i - 1) * k->form->stride + point] = value;
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
            const double part = sp_dot_n(n, f, k->basis + (size_t)d * (size_t)n);
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
    form->n_point = n_field > n ? n : 0;
    for (int i = 0; i < n_field && n_field <= n; i++) {
        form->n_point = enter_basis(k, i, form->n_point);
    }
    for (int g = 0; g < form->n_point; g++) {
        int h = 0, *first = &k->first_node[g / SP_RITZ_LANES];
        while (h < form->n_node && k->reach_at[h * form->stride + g] == 0.0) {
            h++;
        }
        *first = g % SP_RITZ_LANES == 0 || h < *first ? h : *first;
    }
}

/* ---- the form ---------------------------------------------------------------------------------
 */

/* Stiffness and damping of the coordinates.   theory (72.10), (72.15) */
static void fill_stiffness(making *k, double *K, double *D, double *omega)
{
    const sp_beam *b = k->beam;
    const sp_ritz *form = k->form;
    for (int i = 0; i < form->n; i++) {
        const sp_ritz_part part = (sp_ritz_part)form->part[i];
        const bool bends = part == SP_RITZ_Y || part == SP_RITZ_Z;
        const double rigid =
            part == SP_RITZ_STRETCH ? b->young * b->area : form->rigid[sp_ritz_about(part)];
        const double mass = part == SP_RITZ_TWIST ? form->spin[0] * b->length : form->line;
        K[i] = k->lambda[i] * rigid / pow(b->length, bends ? 3.0 : 1.0);
        omega[i] = sqrt(K[i] / mass);
        D[i] = 2.0 * b->damping * sqrt(K[i] * mass);
    }
}

/* Inertia of sections at small angles.   theory (72.17) */
static void fill_spin(const making *k, double *mass, double *mean)
{
    const sp_ritz *form = k->form;
    const int n = form->n_turn;
    const size_t size = (size_t)form->n_coef;
    for (int i = 0; i < n; i++) {
        const int axis = sp_ritz_about((sp_ritz_part)form->part[i]);
        const double all = form->spin[axis] * k->beam->length;
        mean[i] = all * form->angle[(size_t)i * size];
        for (int j = 0; j < n; j++) {
            const bool same = sp_ritz_about((sp_ritz_part)form->part[j]) == axis;
            mass[i * n + j] =
                same ? all * sp_legendre_mean(form->n_coef, form->angle + (size_t)i * size,
                                              form->angle + (size_t)j * size)
                     : 0.0;
        }
    }
}

/* Points of its mass, before they are fewer: exact for all products. */
static int gauss_of(const sp_ritz *form)
{
    return form->n_coef + form->n_node + 2 + form->beam.n_mass;
}

static int padded(int n)
{
    return (n + SP_RITZ_LANES - 1) / SP_RITZ_LANES * SP_RITZ_LANES;
}

/* How large it is. */
static void size_form(sp_ritz *form, const sp_beam *beam)
{
    const double line = beam->density * beam->area * beam->length;
    const double thick = beam->shear > 0.0 ? beam->density : 0.0;
    *form = (sp_ritz){
        .beam = *beam,
        .mass = line,
        .line = line,
        .spin = {beam->density * beam->polar, thick * beam->inertia[1], thick * beam->inertia[2]},
        .rigid = {beam->shear_modulus * beam->inertia[0], beam->young * beam->inertia[1],
                  beam->young * beam->inertia[2]}};
    for (int i = 0; i < beam->n_mass; i++) {
        form->mass += beam->mass[i][1];
    }
    int most = 0;
    for (int part = 0; part < SP_RITZ_PARTS; part++) {
        const sp_ritz_want want = want_of(beam, (sp_ritz_part)part);
        const int size = sp_ritz_size(&want), n = beam->n[part];
        form->n_coef = size > form->n_coef ? size : form->n_coef;
        form->n += n;
        form->n_turn += part == SP_RITZ_STRETCH ? 0 : n;
        most = part != SP_RITZ_STRETCH && n > most ? n : most;
    }
    form->n_node = most > 0 ? most + MORE_NODES : 0;
    form->nodes = padded(form->n_node);
    form->stride = padded(gauss_of(form));
}

/* Its numbers, zero. */
static void make_room(making *k)
{
    sp_ritz *form = k->form;
    const int n = form->n, n_node = form->n_node, n_gauss = k->n_gauss, size = n * form->n_coef;
    form->part = k->part = SP_NEW(k->arena, unsigned char, n);
    form->value = k->value = numbers(k, k->arena, size);
    form->slope = k->slope = numbers(k, k->arena, size);
    form->angle = k->angle = numbers(k, k->arena, size);
    form->curve = k->curve = numbers(k, k->arena, size);
    form->reach = k->reach = numbers(k, k->arena, n_node * (n_node + 1));
    form->node_angle = k->node_angle = numbers(k, k->arena, form->nodes * form->n_turn);
    form->node_curve = k->node_curve = numbers(k, k->arena, form->nodes * form->n_turn);
    form->node_weight = k->node_weight = numbers(k, k->arena, n_node);
    form->one = k->one = numbers(k, k->arena, form->stride);
    form->x = k->x = numbers(k, k->arena, form->stride);
    form->shape = k->shape = numbers(k, k->arena, form->stride * n);
    form->reach_at = k->reach_at = numbers(k, k->arena, form->stride * n_node);
    form->first_node = k->first_node = SP_NEW(k->arena, int, form->stride / SP_RITZ_LANES);
    k->lambda = numbers(k, k->scratch, n);
    k->xi = numbers(k, k->scratch, n_gauss);
    k->weight = numbers(k, k->scratch, n_gauss);
    k->P = numbers(k, k->scratch, n_gauss + 2);
    k->field = numbers(k, k->scratch, form->n_coef + 2 * n_node);
    k->failed = k->failed || !k->part || !k->first_node;
}

const sp_ritz *sp_ritz_of_beam(sp_arena *arena, sp_arena *scratch, const sp_beam *beam)
{
    sp_ritz *form = SP_NEW(arena, sp_ritz, 1);
    if (!form) {
        return NULL;
    }
    size_form(form, beam);
    const int n = form->n, n_turn = form->n_turn;
    making k = {
        .arena = arena, .scratch = scratch, .beam = beam, .form = form, .n_gauss = gauss_of(form)};
    make_room(&k);
    double *K = numbers(&k, arena, n), *D = numbers(&k, arena, n), *omega = numbers(&k, arena, n);
    double *spin_mass = numbers(&k, arena, n_turn * n_turn), *mean = numbers(&k, arena, n_turn);
    if (k.failed) {
        return NULL;
    }
    form->stiffness = K;
    form->damping = D;
    form->omega = omega;
    form->spin_mass = spin_mass;
    form->spin_mean = mean;
    place_mass(&k);
    fill_rows(&k);
    if (k.failed) {
        return NULL;
    }
    fill_reach(&k);
    fill_points(&k);
    fill_stiffness(&k, K, D, omega);
    fill_spin(&k, spin_mass, mean);
    return k.failed ? NULL : form;
}

/* ---- at a place -------------------------------------------------------------------------------
 */

int sp_ritz_row_size(const sp_ritz *form)
{
    return 2 * form->n + form->nodes;
}

static int polynomials(const sp_ritz *form)
{
    return form->n_coef > form->n_node ? form->n_coef : form->n_node + 1;
}

/* A row of what the polynomials P make of the ways, Q of the angles. */
static void fill_at(const sp_ritz *form, const double *P, const double *Q, double *row)
{
    const int n = form->n_coef, n_reach = form->n_node + 1;
    for (int k = 0; k < form->n; k++) {
        row[k] = sp_dot_n(n, form->value + (size_t)k * (size_t)n, P);
        row[form->n + k] = sp_dot_n(n, form->angle + (size_t)k * (size_t)n, Q);
    }
    for (int h = 0; h < form->nodes; h++) {
        row[2 * form->n + h] = h < form->n_node
                                   ? sp_dot_n(n_reach, form->reach + (size_t)h * (size_t)n_reach, P)
                                   : 0.0;
    }
}

double sp_ritz_on(const sp_ritz *form, double x)
{
    return x < 0.0 ? 0.0 : x > form->beam.length ? form->beam.length : x;
}

void sp_ritz_row(const sp_ritz *form, double x, double *row)
{
    double P[TERMS];
    sp_legendre(polynomials(form), sp_ritz_on(form, x) / form->beam.length, P);
    fill_at(form, P, P, row);
}

/* Beyond an end, h away from it: Taylor's polynomial of this degree of what is there. */
static void go_on(int n, double h, int degree, double P[SP_RITZ_SLOPES][TERMS])
{
    for (int j = 0; j < n; j++) {
        const double d[SP_RITZ_SLOPES] = {P[0][j], P[1][j], degree > 1 ? P[2][j] : 0.0};
        P[0][j] = d[0] + h * (d[1] + 0.5 * h * d[2]);
        P[1][j] = d[1] + h * d[2];
        P[2][j] = d[2];
    }
}

void sp_ritz_rows(const sp_ritz *form, double x, double row[SP_RITZ_SLOPES][SP_RITZ_ROW])
{
    const double length = form->beam.length, on = fmin(fmax(x, 0.0), length);
    const int n = polynomials(form);
    double way[SP_RITZ_SLOPES][TERMS] = {{0.0}}, angle[SP_RITZ_SLOPES][TERMS];
    sp_legendre(n, on / length, way[0]);
    for (int d = 1; d < SP_RITZ_SLOPES; d++) {
        memcpy(way[d], way[d - 1], (size_t)n * sizeof *way[d]);
        sp_legendre_slopes(n, way[d]);
        for (int j = 0; j < n; j++) {
            way[d][j] /= length;
        }
    }
    memcpy(angle, way, sizeof angle);
    if (x != on) {
        go_on(n, x - on, 2, way);
        go_on(n, x - on, 1, angle);
    }
    for (int d = 0; d < SP_RITZ_SLOPES; d++) {
        fill_at(form, way[d], angle[d], row[d]);
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

/* The largest stress along the axis: at the edge, of sections that are not round at a corner. */
static double stress_of(const sp_beam *b, const sp_ritz_forces *f)
{
    double bending = 0.0;
    if (b->round) {
        bending = hypot(f->moment[0], f->moment[1]) * b->edge[0] / b->inertia[2];
    } else {
        for (int side = 0; side < 2; side++) { /* along y about z, along z about y */
            bending += b->n[SP_RITZ_Y + side] > 0
                           ? fabs(f->moment[1 - side]) * b->edge[side] / b->inertia[2 - side]
                           : 0.0;
        }
    }
    return f->axial / b->area + bending;
}

sp_ritz_forces sp_ritz_section(const sp_ritz *form, double x, const double *e)
{
    const sp_beam *b = &form->beam;
    const int n = form->n_coef;
    double P[TERMS], curve[TERMS];
    sp_ritz_forces f = {.axial = 0.0};
    sp_legendre(n, sp_ritz_on(form, x) / b->length, P);
    for (int k = 0; k < form->n; k++) {
        const sp_ritz_part part = (sp_ritz_part)form->part[k];
        const size_t row = (size_t)k * (size_t)n;
        if (part == SP_RITZ_STRETCH) {
            f.axial += b->young * b->area * e[k] * sp_dot_n(n, form->slope + row, P);
            continue;
        }
        const double rigid = form->rigid[sp_ritz_about(part)];
        const double moment = rigid * e[k] * sp_dot_n(n, form->curve + row, P);
        if (part == SP_RITZ_TWIST) {
            f.torque += moment;
            continue;
        }
        const int side = (int)part - SP_RITZ_Y;
        memcpy(curve, form->curve + row, (size_t)n * sizeof *curve);
        sp_legendre_derive(n, curve);
        double shear = rigid * e[k] * sp_dot_n(n, curve, P) / b->length;
        if (b->shear > 0.0) { /* by its strain, v' less the angle of the section */
            const double slope = sp_dot_n(n, form->slope + row, P);
            const double angle = sp_dot_n(n, form->angle + row, P);
            shear = b->shear * b->shear_modulus * b->area * e[k] *
                    (side == 0 ? angle - slope : slope + angle);
        }
        f.moment[1 - side] += moment;
        f.shear[side] += side == 0 ? -shear : shear;
    }
    f.stress = stress_of(b, &f);
    return f;
}
