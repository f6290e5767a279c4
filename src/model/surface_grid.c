/* model/surface_grid.c - a surface through a grid of points: cubic splines in both directions.
 *
 * With the weights (20.1) of both directions, p of r and r_uu, q of r and r_vv,
 *
 *     r(u, v) = sum_kl p_k q_l X_kl,   X: r, r_uu, r_vv, r_uuvv at the four corners     (20.7) */
#include "base/status.h"
#include "math/spline.h"
#include "model/surface.h"

#include <math.h>

void sp_surface_eval_grid(const sp_surface_grid *g, double u, double v, sp_vec3 *d)
{
    static const int order[6][2] = {{0, 0}, {1, 0}, {0, 1}, {2, 0}, {1, 1}, {0, 2}};
    sp_spline_weights p, q;
    sp_spline_weigh(g->n[0], g->knot[0], u, &p);
    sp_spline_weigh(g->n[1], g->knot[1], v, &q);
    for (int k = 0; k < 6; k++) {
        const double *a = p.w[order[k][0]], *b = q.w[order[k][1]];
        double sum[3] = {0.0, 0.0, 0.0};
        for (int corner = 0; corner < 4; corner++) {
            const int i = corner / 2, j = corner % 2;
            const size_t at = 3 * ((size_t)(p.piece + i) * (size_t)g->n[1] + (size_t)(q.piece + j));
            for (int x = 0; x < 3; x++) {
                sum[x] +=
                    b[j] * (a[i] * g->r[at + (size_t)x] + a[2 + i] * g->r_uu[at + (size_t)x]) +
                    b[2 + j] *
                        (a[i] * g->r_vv[at + (size_t)x] + a[2 + i] * g->r_uuvv[at + (size_t)x]);
            }
        }
        d[k] = sp_vec3_of(sum);
    }
}

/* Distance of two points of the grid. */
static double way(const double *r, size_t a, size_t b)
{
    return sp_length3(sp_sub3(sp_vec3_of(r + 3 * b), sp_vec3_of(r + 3 * a)));
}

/* Knots of direction k: the length of the way, averaged over the lines of the grid. */
static bool fill_knots(const sp_surface_grid *g, int k, double *knot)
{
    const size_t n_v = (size_t)g->n[1], step = k == 0 ? n_v : 1, line = k == 0 ? 1 : n_v;
    const int n = g->n[k], n_line = g->n[1 - k];
    knot[0] = 0.0;
    for (int i = 1; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < n_line; j++) {
            const size_t at = (size_t)i * step + (size_t)j * line;
            sum += way(g->r, at - step, at);
        }
        knot[i] = knot[i - 1] + sum / n_line;
        if (!(knot[i] > knot[i - 1]) || !isfinite(knot[i])) {
            return false;
        }
    }
    return true;
}

/* Bends of all lines of the grid in direction k. */
static void bend_lines(const sp_surface_grid *g, int k, bool closed, const double *r, double *work,
                       double *bend)
{
    const int n_v = g->n[1], stride = k == 0 ? 3 * n_v : 3;
    for (int j = 0; j < g->n[1 - k]; j++) {
        for (int x = 0; x < 3; x++) {
            const int first = x + j * (k == 0 ? 3 : 3 * n_v);
            sp_spline_bend(g->n[k], g->knot[k], r + first, stride, closed, work, bend + first);
        }
    }
}

sp_status sp_surface_grid_fill(sp_arena *a, sp_surface *s, sp_error *err)
{
    sp_surface_grid *g = &s->grid;
    const int n_u = g->n[0], n_v = g->n[1], most = n_u > n_v ? n_u : n_v;
    const size_t n = 3 * (size_t)n_u * (size_t)n_v;
    double *knot = SP_NEW(a, double, n_u + n_v), *bend = SP_NEW(a, double, 3 * n);
    double *work = SP_NEW(a, double, 4 * (size_t)most);
    if (!knot || !bend || !work) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory for a grid of %d x %d points", n_u, n_v);
    }
    for (int k = 0; k < 2; k++) {
        double *own = knot + (k == 0 ? 0 : n_u);
        if (!fill_knots(g, k, own)) {
            return SP_FAIL(err, SP_E_INPUT,
                           "the grid has %s that are all the same points, expected different ones",
                           k == 0 ? "two rows" : "two columns");
        }
        g->knot[k] = own;
        s->lo[k] = 0.0;
        s->hi[k] = own[g->n[k] - 1];
    }
    bend_lines(g, 0, s->closed[0], g->r, work, bend);
    bend_lines(g, 1, s->closed[1], g->r, work, bend + n);
    bend_lines(g, 1, s->closed[1], bend, work, bend + 2 * n);
    g->r_uu = bend;
    g->r_vv = bend + n;
    g->r_uuvv = bend + 2 * n;
    return SP_OK;
}
