/* math/hull_grid.c - quickhull on whole numbers: every test of a side is exact.   theory (21.2) */
#include "math/hull_parts.h"

__extension__ typedef __int128 wide;

/* Relative size below which a sum of products in doubles may have the wrong sign. */
#define DOUBT 1e-14

int sp_hull_side(const sp_grid3 *a, const sp_grid3 *b, const sp_grid3 *c, const sp_grid3 *d,
                 double *value)
{
    const int64_t bx = b->x - a->x, by = b->y - a->y, bz = b->z - a->z;
    const int64_t cx = c->x - a->x, cy = c->y - a->y, cz = c->z - a->z;
    const int64_t dx = d->x - a->x, dy = d->y - a->y, dz = d->z - a->z;
    const int64_t nx = by * cz - bz * cy, ny = bz * cx - bx * cz, nz = bx * cy - by * cx;
    const double x = (double)nx * (double)dx, y = (double)ny * (double)dy,
                 z = (double)nz * (double)dz;
    *value = x + y + z;
    if (fabs(*value) > DOUBT * (fabs(x) + fabs(y) + fabs(z))) {
        return *value > 0.0 ? 1 : -1;
    }
    const wide exact = (wide)nx * dx + (wide)ny * dy + (wide)nz * dz;
    *value = (double)exact;
    return exact > 0 ? 1 : exact < 0 ? -1 : 0;
}

static int side(const sp_hull_work *w, int t, int point, double *value)
{
    const int *v = w->tri[t].v;
    return sp_hull_side(&w->p[v[0]], &w->p[v[1]], &w->p[v[2]], &w->p[point], value);
}

/* ---- the first tetrahedron ----------------------------------------------------------------- */

static double apart2(const sp_grid3 *a, const sp_grid3 *b)
{
    const double x = (double)b->x - a->x, y = (double)b->y - a->y, z = (double)b->z - a->z;
    return x * x + y * y + z * z;
}

/* Point farthest from the line through a and b; its distance times |ab|, 0: all are on it. */
static int farthest_from_line(const sp_hull_work *w, int a, int b, double *most)
{
    const sp_grid3 *pa = &w->p[a], *pb = &w->p[b];
    const sp_vec3 ab = {(double)pb->x - pa->x, (double)pb->y - pa->y, (double)pb->z - pa->z};
    int best = a;
    *most = 0.0;
    for (int i = 0; i < w->n; i++) {
        const sp_grid3 *p = &w->p[i];
        const sp_vec3 ap = {(double)p->x - pa->x, (double)p->y - pa->y, (double)p->z - pa->z};
        const double s = sp_length3(sp_cross3(ab, ap));
        if (s > *most) {
            *most = s;
            best = i;
        }
    }
    return best;
}

/* Four points that span a volume, the fourth inside of the triangle of the others; false: none. */
static bool find_simplex(const sp_hull_work *w, int v[4])
{
    double most = 0.0, value;
    v[0] = v[1] = 0;
    for (int i = 1; i < w->n; i++) { /* lowest x, then y, then z */
        const sp_grid3 *p = &w->p[i], *o = &w->p[v[0]];
        if (p->x < o->x || (p->x == o->x && (p->y < o->y || (p->y == o->y && p->z < o->z)))) {
            v[0] = i;
        }
    }
    for (int i = 0; i < w->n; i++) {
        const double d2 = apart2(&w->p[v[0]], &w->p[i]);
        if (d2 > most) {
            most = d2;
            v[1] = i;
        }
    }
    v[2] = farthest_from_line(w, v[0], v[1], &most);
    if (!(most > 0.0)) {
        return false;
    }
    most = 0.0;
    int sign = 0;
    for (int i = 0; i < w->n; i++) {
        const int s = sp_hull_side(&w->p[v[0]], &w->p[v[1]], &w->p[v[2]], &w->p[i], &value);
        if (s != 0 && fabs(value) > most) {
            most = fabs(value);
            v[3] = i;
            sign = s;
        }
    }
    if (sign > 0) {
        const int keep = v[1];
        v[1] = v[2];
        v[2] = keep;
    }
    return sign != 0;
}

/* ---- growing ------------------------------------------------------------------------------- */

static int take_triangle(sp_hull_work *w, int a, int b, int c)
{
    int t = w->free_tri;
    if (t >= 0) {
        w->free_tri = w->tri[t].next[0];
    } else {
        t = w->n_tri++;
    }
    w->tri[t] = (sp_hull_tri){{a, b, c}, {-1, -1, -1}, -1, 0};
    return t;
}

static void give_triangle(sp_hull_work *w, int t)
{
    w->tri[t].mark = -1;
    w->tri[t].next[0] = w->free_tri;
    w->free_tri = t;
}

/* Give a point to the first of these triangles that sees it; points that none sees are inside. */
static void hand_point(sp_hull_work *w, int point, int n, const int *tri)
{
    double value;
    for (int k = 0; k < n; k++) {
        if (side(w, tri[k], point, &value) > 0) {
            w->link[point] = w->tri[tri[k]].outside;
            w->tri[tri[k]].outside = point;
            return;
        }
    }
}

/* The first tetrahedron, and who sees whom. */
static void begin(sp_hull_work *w, const int v[4])
{
    static const int corner[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    static const int across[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
    int tri[4];
    for (int k = 0; k < 4; k++) {
        tri[k] = take_triangle(w, v[corner[k][0]], v[corner[k][1]], v[corner[k][2]]);
    }
    for (int k = 0; k < 4; k++) {
        for (int j = 0; j < 3; j++) {
            w->tri[tri[k]].next[j] = tri[across[k][j]];
        }
    }
    for (int i = 0; i < w->n; i++) {
        hand_point(w, i, 4, tri);
    }
}

/* Take the farthest point out of the list of a triangle. */
static int take_farthest(sp_hull_work *w, int t)
{
    double most = -1.0, value;
    int best = w->tri[t].outside;
    for (int i = best; i >= 0; i = w->link[i]) {
        (void)side(w, t, i, &value);
        if (value > most) {
            most = value;
            best = i;
        }
    }
    int *at = &w->tri[t].outside;
    while (*at != best) {
        at = &w->link[*at];
    }
    *at = w->link[best];
    return best;
}

/* Mark all triangles that the point sees, from t on, and list them in the stack and the sides where
 * they end in the horizon (3 t + k of the triangle beyond); returns how many there are of each. */
static int see(sp_hull_work *w, int t, int point, int mark, int *n_seen)
{
    int n_horizon = 0;
    double value;
    *n_seen = 0;
    w->tri[t].mark = mark;
    w->stack[(*n_seen)++] = t;
    for (int s = 0; s < *n_seen; s++) {
        for (int k = 0; k < 3; k++) {
            const int o = w->tri[w->stack[s]].next[k];
            if (w->tri[o].mark == mark) {
                continue;
            }
            if (side(w, o, point, &value) > 0) {
                w->tri[o].mark = mark;
                w->stack[(*n_seen)++] = o;
                continue;
            }
            int j = 0;
            while (w->tri[o].v[j] != w->tri[w->stack[s]].v[(k + 1) % 3]) {
                j++;
            }
            w->horizon[n_horizon++] = 3 * o + j;
        }
    }
    return n_horizon;
}

/* New triangles from the point to the horizon, joined with each other and with what is beyond. */
static void close_over(sp_hull_work *w, int point, int n_horizon)
{
    for (int k = 0; k < n_horizon; k++) {
        const int o = w->horizon[k] / 3, j = w->horizon[k] % 3;
        const int a = w->tri[o].v[(j + 1) % 3], b = w->tri[o].v[j]; /* seen from this side */
        const int t = take_triangle(w, a, b, point);
        w->tri[t].next[0] = o;
        w->tri[o].next[j] = t;
        w->fresh[k] = t;
        w->at[a] = t;
    }
    for (int k = 0; k < n_horizon; k++) {
        const int t = w->fresh[k], follow = w->at[w->tri[t].v[1]];
        w->tri[t].next[1] = follow;
        w->tri[follow].next[2] = t;
    }
}

/* Add the farthest point of a triangle's list to the hull. */
static void grow(sp_hull_work *w, int t, int mark)
{
    int n_seen;
    const int point = take_farthest(w, t), n_horizon = see(w, t, point, mark, &n_seen);
    close_over(w, point, n_horizon);
    for (int s = 0; s < n_seen; s++) {
        for (int i = w->tri[w->stack[s]].outside, follow; i >= 0; i = follow) {
            follow = w->link[i];
            hand_point(w, i, n_horizon, w->fresh);
        }
    }
    for (int s = 0; s < n_seen; s++) {
        give_triangle(w, w->stack[s]);
    }
}

bool sp_hull_triangles(sp_hull_work *w)
{
    int v[4] = {0, 0, 0, 0}, mark = 1;
    w->n_tri = 0;
    w->free_tri = -1;
    if (!find_simplex(w, v)) {
        return false;
    }
    begin(w, v);
    for (bool grown = true; grown;) {
        grown = false;
        for (int t = 0; t < w->n_tri; t++) {
            while (w->tri[t].mark >= 0 && w->tri[t].outside >= 0) {
                grow(w, t, mark++);
                grown = true;
            }
        }
    }
    return true;
}
