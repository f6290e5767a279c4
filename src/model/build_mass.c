/* model/build_mass.c - inertia in space, and mass, centre and inertia from shapes and a density. */
#include "model/build_parts.h"

#include <stdio.h>
#include <string.h>

static const double pi = 3.141592653589793;

/* ---- tensors -------------------------------------------------------------------------------- */

/* Eigenvalues of a symmetric matrix, ascending, by Jacobi's rotations.   [GolubVanLoan] 8.5 */
static void eigenvalues(const double tensor[6], double value[3])
{
    double a[3][3] = {{tensor[0], tensor[3], tensor[4]},
                      {tensor[3], tensor[1], tensor[5]},
                      {tensor[4], tensor[5], tensor[2]}};
    for (int sweep = 0; sweep < 30; sweep++) {
        for (int p = 0; p < 2; p++) {
            for (int q = p + 1; q < 3; q++) {
                if (a[p][q] == 0.0) {
                    continue;
                }
                /* the rotation in the plane p, q that makes a[p][q] zero */
                const double tau = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
                const double t = copysign(1.0, tau) / (fabs(tau) + hypot(1.0, tau));
                const double c = 1.0 / hypot(1.0, t), s = t * c;
                const int r = 3 - p - q;
                const double change = t * a[p][q], rp = a[r][p], rq = a[r][q];
                a[p][p] -= change;
                a[q][q] += change;
                a[p][q] = a[q][p] = 0.0;
                a[r][p] = a[p][r] = c * rp - s * rq;
                a[r][q] = a[q][r] = s * rp + c * rq;
            }
        }
    }
    for (int k = 0; k < 3; k++) {
        int below = 0;
        for (int j = 0; j < 3; j++) {
            below += a[j][j] < a[k][k] || (a[j][j] == a[k][k] && j < k);
        }
        value[below] = a[k][k];
    }
}

/* Report an inertia that no body can have: negative moments, or one above the sum of the others. */
static void check_tensor(sp_build *b, const sp_scope *scope, const sp_node *node,
                         const double tensor[6])
{
    double J[3];
    eigenvalues(tensor, J);
    const double tolerance = 1e-9 * fabs(J[2]);
    if (!(J[0] >= -tolerance)) {
        sp_build_error(b, node->place, 0,
                       "%s: inertia has the principal moments %.6g, %.6g, %.6g kg*m^2, expected "
                       ">= 0; check the signs of the entries",
                       scope->what, J[0], J[1], J[2]);
    } else if (!(J[2] <= J[0] + J[1] + tolerance)) {
        sp_build_error(b, node->place, 0,
                       "%s: inertia has the principal moments %.6g, %.6g, %.6g kg*m^2, expected "
                       "none above the sum of the other two, as in every body",
                       scope->what, J[0], J[1], J[2]);
    }
}

/* The entries of a list: three on the diagonal, or all six. */
static bool read_entries(sp_build *b, sp_scope *scope, const sp_node *list, const char *key,
                         double tensor[6])
{
    const sp_dim want = sp_dim_of(2, 1, 0);
    bool good = true;
    int k = 0;
    for (const sp_node *item = list->first; item && k < 6; item = item->next, k++) {
        good = (k < 3 ? sp_build_positive(b, scope, item, key, want, true, &tensor[k])
                      : sp_build_quantity(b, scope, item, key, want, NULL, &tensor[k])) &&
               good;
    }
    return good;
}

/* {principal: [...], turn: TURN}:  R diag(J) R^T. */
static bool read_principal(sp_build *b, sp_scope *scope, const sp_node *map, double tensor[6])
{
    const sp_node *list = sp_node_get(map, "principal"), *turn = sp_node_get(map, "turn");
    double J[6] = {0.0};
    sp_rot3 R = sp_rot3_one();
    if (!list || list->kind != SP_NODE_LIST || list->n_child != 3 ||
        !read_entries(b, scope, list, "inertia: principal", J) ||
        (turn && !sp_build_turn(b, scope, turn, "inertia: turn", &R))) {
        return false;
    }
    const sp_sym3 S = sp_sym3_turned(R, sp_sym3_of(J));
    const double entry[] = {S.xx, S.yy, S.zz, S.xy, S.xz, S.yz};
    memcpy(tensor, entry, sizeof entry);
    return true;
}

void sp_build_inertia_tensor(sp_build *b, sp_scope *scope, const sp_node *node, double tensor[6])
{
    double J[6] = {0.0};
    bool good = false;
    if (node && node->kind == SP_NODE_LIST && (node->n_child == 4 || node->n_child == 5)) {
        sp_build_error(b, node->place, 0,
                       "%s: inertia has %d entries, expected 3: [xx, yy, zz], or 6: [xx, yy, zz, "
                       "xy, xz, yz]",
                       scope->what, node->n_child);
    } else if (node && node->kind == SP_NODE_LIST && node->n_child >= 3) {
        good = read_entries(b, scope, node, "inertia", J);
    } else if (node && node->kind == SP_NODE_MAP) {
        good = read_principal(b, scope, node, J);
    } else if (sp_build_text(node)) { /* the same about all axes */
        good = sp_build_positive(b, scope, node, "inertia", sp_dim_of(2, 1, 0), true, &J[0]);
        J[1] = J[2] = J[0];
    }
    if (good) {
        check_tensor(b, scope, node, J);
        memcpy(tensor, J, sizeof J);
    }
}

/* ---- shapes in space ------------------------------------------------------------------------ */

/* Volume, its first moment, and the inertia of a unit density about the body's origin. */
typedef struct bulk {
    double volume;
    sp_vec3 moment;
    sp_sym3 inertia;
} bulk;

/* Volume, height of the centre on its own z axis, and inertia about the centre per unit mass. */
static void measure_solid(const sp_solid *s, double *volume, double *height, sp_sym3 *J)
{
    const double r2 = s->radius * s->radius, l2 = s->length * s->length;
    const double a2 = s->size[0] * s->size[0], b2 = s->size[1] * s->size[1],
                 c2 = s->size[2] * s->size[2];
    *height = *volume = 0.0;
    *J = (sp_sym3){0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    switch (s->kind) {
    case SP_SOLID_BOX:
        *volume = s->size[0] * s->size[1] * s->size[2];
        J->xx = (b2 + c2) / 12.0;
        J->yy = (a2 + c2) / 12.0;
        J->zz = (a2 + b2) / 12.0;
        break;
    case SP_SOLID_SPHERE:
        *volume = 4.0 / 3.0 * pi * r2 * s->radius;
        J->xx = J->yy = J->zz = 0.4 * r2;
        break;
    case SP_SOLID_CYLINDER:
        *volume = pi * r2 * s->length;
        J->xx = J->yy = (3.0 * r2 + l2) / 12.0;
        J->zz = 0.5 * r2;
        break;
    case SP_SOLID_CONE:
        *volume = pi * r2 * s->length / 3.0;
        *height = 0.25 * s->length;
        J->xx = J->yy = 0.15 * r2 + 0.0375 * l2;
        J->zz = 0.3 * r2;
        break;
    }
}

/* Add a solid to the bulk of its body:  J += V (J_c + |c|^2 - c c^T). */
static void add_solid(const sp_solid *s, bulk *sum)
{
    double volume, height;
    sp_sym3 J;
    measure_solid(s, &volume, &height, &J);
    const sp_rot3 R = sp_rot3_of(s->turn);
    const sp_vec3 c = sp_axpy3(sp_vec3_of(s->at), height, R.z);
    J = sp_sym3_shift(sp_sym3_turned(R, J), sp_scale3(0.5, c), c);
    sum->volume += volume;
    sum->moment = sp_axpy3(sum->moment, volume, c);
    const sp_sym3 V = {volume * J.xx, volume * J.yy, volume * J.zz,
                       volume * J.xy, volume * J.xz, volume * J.yz};
    sum->inertia = sp_sym3_add(sum->inertia, V);
}

/* Sizes of a shape; false after an error. */
static bool read_sizes(sp_build *b, sp_scope *scope, const char *key, const sp_node *node,
                       sp_solid *s)
{
    static const char *const word[] = {[SP_SOLID_BOX] = "box",
                                       [SP_SOLID_SPHERE] = "sphere",
                                       [SP_SOLID_CYLINDER] = "cylinder",
                                       [SP_SOLID_CONE] = "cone"};
    const sp_dim length = sp_dim_of(1, 0, 0);
    for (int k = SP_SOLID_BOX; k <= SP_SOLID_CONE; k++) {
        const sp_node *value = sp_node_get(node, word[k]);
        char label[40];
        snprintf(label, sizeof label, "%s: %s", key, word[k]);
        if (!value) {
            continue;
        }
        s->kind = (sp_solid_kind)k;
        if (k == SP_SOLID_BOX) {
            bool good = value->kind == SP_NODE_LIST && value->n_child == 3;
            const sp_node *item = good ? value->first : NULL;
            for (int d = 0; d < 3 && item; d++, item = item->next) {
                good = sp_build_positive(b, scope, item, label, length, false, &s->size[d]) && good;
            }
            return good;
        }
        return sp_build_positive(b, scope, value, label, length, false, &s->radius) &&
               (k == SP_SOLID_SPHERE || sp_build_positive(b, scope, sp_node_get(node, "length"),
                                                          "length", length, false, &s->length));
    }
    return false;
}

bool sp_build_solid(sp_build *b, sp_scope *scope, const char *key, const sp_node *node, sp_solid *s)
{
    sp_rot3 R = sp_rot3_one();
    const sp_node *at = sp_node_get(node, "at"), *turn = sp_node_get(node, "turn");
    char label[40];
    snprintf(label, sizeof label, "%s: at", key);
    if (node->kind != SP_NODE_MAP || !read_sizes(b, scope, key, node, s) ||
        (at && !sp_build_vector(b, scope, at, label, sp_dim_of(1, 0, 0), s->at)) ||
        (turn && !sp_build_turn(b, scope, turn, "turn", &R))) {
        return false;
    }
    sp_build_store_turn(R, s->turn);
    return true;
}

/* One shape of a body: put into the list, added to the bulk. */
static bool read_shape(sp_build *b, sp_scope *scope, int body, const sp_node *node, bulk *sum)
{
    sp_solid s = {.body = body};
    if (!sp_build_solid(b, scope, "shape", node, &s)) {
        return false;
    }
    add_solid(&s, sum);
    if (!SP_BUILD_ROOM(b, b->solid, b->n_solid)) {
        return false;
    }
    b->solid[b->n_solid++] = s;
    return true;
}

/* All shapes of a body: one, or a list of them. */
static bool read_shapes(sp_build *b, sp_scope *scope, int body, const sp_node *node, bulk *sum)
{
    const bool list = node->kind == SP_NODE_LIST;
    bool good = true;
    for (const sp_node *item = list ? node->first : node; item; item = list ? item->next : NULL) {
        good = read_shape(b, scope, body, item, sum) && good;
    }
    return good;
}

/* Mass, centre and inertia about it of a bulk of some density. */
static void fill_space(const bulk *sum, double density, double *mass, sp_space_numbers *n)
{
    const sp_vec3 c = sp_scale3(1.0 / sum->volume, sum->moment);
    const sp_sym3 J = sp_sym3_shift(sum->inertia, sp_scale3(-0.5 * sum->volume, c), c);
    const double entry[] = {J.xx, J.yy, J.zz, J.xy, J.xz, J.yz};
    *mass = density * sum->volume;
    n->center[0] = c.x;
    n->center[1] = c.y;
    n->center[2] = c.z;
    for (int k = 0; k < 6; k++) {
        n->inertia[k] = density * entry[k];
    }
}

/* ---- areas in the plane --------------------------------------------------------------------- */

/* Area, its first moment, and its polar moment about the body's origin. */
typedef struct area {
    double area, polar;
    sp_vec moment;
} area;

/* Add a polygon, edge by edge, as triangles with the origin. */
static void add_polygon(int n, double (*v)[2], area *sum)
{
    for (int i = 0; i < n; i++) {
        const sp_vec p = sp_vec_of(v[i]), q = sp_vec_of(v[(i + 1) % n]);
        const double half = 0.5 * sp_cross(p, q);
        sum->area += half;
        sum->moment = sp_axpy(sum->moment, half / 3.0, sp_add(p, q));
        sum->polar += half / 6.0 * (sp_inner(p, p) + sp_inner(p, q) + sp_inner(q, q));
    }
}

/* Add a contour; a hole is cut out. */
static void add_contour(const sp_build *b, int contour, area *sum)
{
    const sp_contour *c = &b->contour[contour];
    double(*v)[2] = b->vertex + c->vertex;
    if (c->kind == SP_CONTOUR_POLYGON) {
        add_polygon(c->n_vertex, v, sum);
    } else if (c->kind == SP_CONTOUR_CIRCLE || c->kind == SP_CONTOUR_HOLLOW) {
        const double r = b->contour_numbers[contour].radius;
        const double disc = c->kind == SP_CONTOUR_CIRCLE ? pi * r * r : -(pi * r * r);
        const sp_vec at = sp_vec_of(v[0]);
        sum->area += disc;
        sum->moment = sp_axpy(sum->moment, disc, at);
        sum->polar += disc * (0.5 * r * r + sp_inner(at, at));
    }
}

/* Mass, centre and inertia of a body of the plane from its contours; false after an error. */
static bool fill_plane(sp_build *b, const sp_scope *scope, const sp_body_plan *p,
                       const sp_node *node, double density)
{
    sp_body_numbers *n = &b->body_numbers[p->body];
    area sum = {0.0, 0.0, {0.0, 0.0}};
    for (int i = p->contour; i < b->n_contour; i++) {
        add_contour(b, i, &sum);
    }
    if (!(sum.area > 0.0)) {
        sp_build_error(b, node->place, 0,
                       "%s: density needs contours with an area: circle, polygon or box%s",
                       scope->what, sum.area < 0.0 ? "; the holes are larger than the rest" : "");
        return false;
    }
    const sp_vec c = sp_scale(1.0 / sum.area, sum.moment);
    n->mass = density * sum.area;
    n->center[0] = c.x;
    n->center[1] = c.y;
    n->inertia = density * (sum.polar - sum.area * sp_inner(c, c));
    return true;
}

/* ---- density -------------------------------------------------------------------------------- */

/* Report what `density` says already. */
static bool check_alone(sp_build *b, const sp_scope *scope, const sp_node *body)
{
    static const char *const key[] = {"mass", "inertia", "center"};
    bool alone = true;
    for (int k = 0; k < 3; k++) {
        const sp_node *node = sp_node_get(body, key[k]);
        if (node) {
            sp_build_error(b, node->key_place, 0,
                           "%s: %s follows from 'density' already; leave one of them out",
                           scope->what, key[k]);
            alone = false;
        }
    }
    return alone;
}

/* Density, in the plane times thickness: kg per m^3 or m^2. */
static bool read_density(sp_build *b, sp_scope *scope, const sp_node *body, double *density)
{
    const sp_node *node = sp_node_get(body, "density"), *thick = sp_node_get(body, "thickness");
    const bool per_area = b->dim == 2 && !thick;
    double thickness = 1.0;
    if (thick &&
        !sp_build_positive(b, scope, thick, "thickness", sp_dim_of(1, 0, 0), false, &thickness)) {
        return false;
    }
    double value;
    if (!sp_build_quantity(b, scope, node, "density", sp_dim_of(per_area ? -2 : -3, 1, 0),
                           per_area ? "a mass per area [kg/m^2]; with 'thickness' one per volume "
                                      "[kg/m^3]"
                                    : "a mass per volume [kg/m^3]",
                           &value) ||
        !sp_build_positive(b, scope, node, "density", sp_dim_of(per_area ? -2 : -3, 1, 0), false,
                           &value)) {
        return false;
    }
    *density = value * thickness;
    return true;
}

/* Report a mass or a moment of inertia that nobody can compute with. */
static void check_density(sp_build *b, const sp_scope *scope, int body, const sp_node *node)
{
    const double mass = b->body_numbers[body].mass;
    const double *J = b->dim == 3 ? b->space[body].inertia : &b->body_numbers[body].inertia;
    double least = J[0];
    for (int k = 1; b->dim == 3 && k < 3; k++) {
        least = J[k] < least ? J[k] : least;
    }
    if (!(mass >= SP_BUILD_SMALLEST && mass <= SP_BUILD_LARGEST) ||
        (least > 0.0 && least < SP_BUILD_SMALLEST)) {
        sp_build_error(b, node->place, 0,
                       "%s: density = %.100s makes a mass of %g kg and a moment of inertia of %g "
                       "kg*m^2, expected %g to %g; are the units right?",
                       scope->what, node->text, mass, least, SP_BUILD_SMALLEST, SP_BUILD_LARGEST);
    }
}

void sp_build_density(sp_build *b, sp_scope *scope, int plan, const sp_node *body)
{
    const sp_body_plan *p = &b->plan[plan];
    const sp_node *node = sp_node_get(body, "density"), *shape = sp_node_get(body, "shape");
    bulk sum = {0.0, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}};
    const bool good = b->dim == 2 || !shape || read_shapes(b, scope, p->body, shape, &sum);
    double density;
    if (!node || !check_alone(b, scope, body) || !read_density(b, scope, body, &density) || !good ||
        p->broken) {
        return;
    }
    if (b->dim == 3 && !shape) {
        sp_build_error(b, node->place, 0,
                       "%s: density needs a shape, such as shape: {sphere: 10 mm}", scope->what);
        return;
    }
    if (b->dim == 3) {
        fill_space(&sum, density, &b->body_numbers[p->body].mass, &b->space[p->body]);
    } else if (!fill_plane(b, scope, p, node, density)) {
        return;
    }
    check_density(b, scope, p->body, node);
}
