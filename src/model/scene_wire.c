#include "model/scene_wire.h"

#include <math.h>

enum { CIRCLE_LINES = 32, U_LINES = 4, V_LINES = 3, BORE_LINES = 8, EDGES_MAX = 2000 };

/* One line, if there is room for it. */
static int put(double (*line)[2][3], int n, sp_vec3 a, sp_vec3 b)
{
    if (line) {
        const double ends[2][3] = {{a.x, a.y, a.z}, {b.x, b.y, b.z}};
        for (int k = 0; k < 6; k++) {
            line[n][k / 3][k % 3] = ends[k / 3][k % 3];
        }
    }
    return n + 1;
}

/* A circle about c in the plane of the unit vectors a and b. */
static int circle_wire(sp_vec3 c, sp_vec3 a, sp_vec3 b, double radius, double (*line)[2][3], int n)
{
    const double part = 2.0 * acos(-1.0) / CIRCLE_LINES;
    sp_vec3 from = sp_axpy3(c, radius, a);
    for (int k = 1; k <= CIRCLE_LINES; k++) {
        const sp_vec3 to =
            sp_axpy3(sp_axpy3(c, radius * cos(k * part), a), radius * sin(k * part), b);
        n = put(line, n, from, to);
        from = to;
    }
    return n;
}

/* Three great circles of a hollow ball: what is in it must be seen. */
static int hollow_wire(const sp_contour_numbers *num, double (*line)[2][3])
{
    const sp_vec3 c = sp_vec3_of(num->mark.at), e[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    int n = 0;
    for (int k = 0; k < 3; k++) {
        n = circle_wire(c, e[k], e[(k + 1) % 3], num->radius, line, n);
    }
    return n;
}

/* Rings about the axis of a contour, from -half to half, with radii that go from one to the other
 * evenly, and lines along them. */
static int round_wire(const sp_contour_numbers *num, double half, int n_ring, const double r[2],
                      double (*line)[2][3])
{
    const sp_vec3 c = sp_vec3_of(num->mark.at), axis = sp_vec3_of(num->axis);
    const sp_vec3 side = fabs(axis.x) < 0.6 ? (sp_vec3){1, 0, 0} : (sp_vec3){0, 1, 0};
    const sp_vec3 across = sp_cross3(axis, side);
    const sp_vec3 a = sp_scale3(1.0 / sp_length3(across), across), b = sp_cross3(axis, a);
    const double part = 2.0 * acos(-1.0) / BORE_LINES;
    int n = 0;
    for (int k = 0; k < n_ring; k++) {
        const double s = (double)k / (n_ring - 1), radius = r[0] + s * (r[1] - r[0]);
        n = circle_wire(sp_axpy3(c, (2.0 * s - 1.0) * half, axis), a, b, radius, line, n);
    }
    for (int k = 0; k < BORE_LINES; k++) {
        const sp_vec3 way = sp_axpy3(sp_scale3(cos(k * part), a), sin(k * part), b);
        n = put(line, n, sp_axpy3(sp_axpy3(c, r[0], way), -half, axis),
                sp_axpy3(sp_axpy3(c, r[1], way), half, axis));
    }
    return n;
}

/* Three rings of a bore. */
static int bore_wire(const sp_contour_numbers *num, double (*line)[2][3])
{
    const double r[2] = {num->radius, num->radius};
    return round_wire(num, 0.5 * SP_SCENE_ENDLESS * num->radius, 3, r, line);
}

/* The rims of a frustum. */
static int frustum_wire(const sp_contour_numbers *num, const sp_shape3 *s, double (*line)[2][3])
{
    const double r[2] = {s->radius, s->radius + s->taper};
    return round_wire(num, s->half, 2, r, line);
}

/* A line through every second sample of a row of them, from one sample to the next by `step`. */
static int row_wire(const sp_surface *s, int first, int step, int n_row, bool closed,
                    double (*line)[2][3], int n)
{
    for (int k = 0; k + (closed ? 0 : 2) < n_row; k += 2) {
        const int to = (k + 2) % n_row;
        n = put(line, n, s->sample[first + k * step].r, s->sample[first + to * step].r);
    }
    return n;
}

/* A few lines of constant v, then of constant u. */
static int surface_wire(const sp_surface *s, double (*line)[2][3])
{
    const int n_u = SP_SURFACE_N_U, n_v = SP_SURFACE_N_V;
    int n = 0;
    for (int j = 1; j < n_v; j += n_v / V_LINES) {
        n = row_wire(s, j, n_v, n_u, s->closed[0], line, n);
    }
    for (int i = 0; i < n_u; i += n_u / U_LINES) {
        n = row_wire(s, i * n_v, 1, n_v, s->closed[1], line, n);
    }
    return n;
}

/* Edges of a polytope or a mesh; of very many only some. */
static int edges_wire(int n_edge, const int (*edge)[2], const sp_vec3 *vertex, double (*line)[2][3])
{
    const int every = (n_edge + EDGES_MAX - 1) / EDGES_MAX;
    int n = 0;
    for (int e = 0; e < n_edge; e += every) {
        n = put(line, n, vertex[edge[e][0]], vertex[edge[e][1]]);
    }
    return n;
}

int sp_scene_wire(const sp_model *m, int contour, double (*line)[2][3])
{
    const sp_contour *c = &m->contour[contour];
    if (c->kind == SP_CONTOUR_HULL) {
        const sp_hull *h = c->shape->hull;
        return edges_wire(h->n_edge, (const int(*)[2])h->edge, h->vertex, line);
    }
    if (c->kind == SP_CONTOUR_MESH) {
        const sp_trimesh *t = c->shape->mesh;
        return edges_wire(t->n_edge, (const int(*)[2])t->edge, t->vertex, line);
    }
    if (c->kind == SP_CONTOUR_HOLLOW_SPHERE) {
        return hollow_wire(&m->numbers.contour[contour], line);
    }
    if (c->kind == SP_CONTOUR_DISC) {
        return frustum_wire(&m->numbers.contour[contour], c->shape, line);
    }
    if (c->kind == SP_CONTOUR_BORE) {
        return bore_wire(&m->numbers.contour[contour], line);
    }
    return surface_wire(m->surface[c->form - 1], line);
}

/* ---- curves of the plane -------------------------------------------------------------------- */

enum { POINTS_MAX = 4000, PARTS_MAX = 40 };
#define TURN 0.06 /* rad from one point to the next */

/* Into how many parts the way from one sample to the next is divided. */
static int parts_of(const sp_curve *c, const sp_curve_sample *s, double *work)
{
    sp_curve_at a, b;
    if (!sp_curve_eval(c, s[0].s, work, &a) || !sp_curve_eval(c, s[1].s, work, &b)) {
        return 1;
    }
    const double turn = fabs(atan2(sp_cross(a.t, b.t), sp_inner(a.t, b.t)));
    const int n = (int)ceil(turn / TURN);
    return n < 1 ? 1 : n < PARTS_MAX ? n : PARTS_MAX;
}

/* One more point, unless it is not finite. */
static int put_point(const sp_curve *c, double s, double *work, double (*point)[3], int n)
{
    sp_curve_at at;
    if (!sp_curve_eval(c, s, work, &at)) {
        return n;
    }
    if (point) {
        point[n][0] = at.r.x;
        point[n][1] = at.r.y;
        point[n][2] = 0.0;
    }
    return n + 1;
}

/* The other way round. */
static void reverse(int n, double (*point)[3])
{
    for (int i = 0; i < n / 2; i++) {
        for (int k = 0; k < 2; k++) {
            const double x = point[i][k];
            point[i][k] = point[n - 1 - i][k];
            point[n - 1 - i][k] = x;
        }
    }
}

int sp_scene_curve(const sp_curve *c, double *work, double (*point)[3])
{
    const int every = 1 + c->n_fine / POINTS_MAX, last = c->n_fine - 1;
    int n = 0;
    for (int k = 0; k < last; k += every) {
        const int to = k + every < last ? k + every : last;
        const sp_curve_sample ends[2] = {c->fine[k], c->fine[to]};
        const int parts = n < POINTS_MAX ? parts_of(c, ends, work) : 1;
        for (int i = 0; i < parts; i++) {
            n = put_point(c, ends[0].s + (ends[1].s - ends[0].s) * i / parts, work, point, n);
        }
    }
    n = put_point(c, c->closed ? c->lo : c->hi, work, point, n);
    if (point && c->side < 0.0) {
        reverse(n, point);
    }
    return n;
}
