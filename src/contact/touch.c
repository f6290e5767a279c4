#include "contact/touch.h"

#include <string.h>

/* Pivots smaller than this, of rows that are of size 1: the nearest points are not unique. */
#define SINGULAR 1e-12

/* Unknowns are the wander s over b and the turning nu of n as b sees it; known are turn and slip:
 *     row[0..1].s + row[2..3].nu = row[4..5].turn + row[6..7].slip */
enum { SYSTEM = 4, WIDTH = 8 };
typedef struct rows {
    double row[SYSTEM + 2][WIDTH];
    int n;
} rows;

/* alpha c.nu = beta c.s: what b's feature says in the direction c.   theory (21.11) */
static void add_b(rows *r, double alpha, double beta, const double c[2])
{
    double *row = r->row[r->n++];
    for (int k = 0; k < 2; k++) {
        row[k] = beta * c[k];
        row[2 + k] = -alpha * c[k];
    }
}

/* alpha c.(turn - nu) = beta c.(s + g nu - slip): the same of a.   theory (21.12) */
static void add_a(rows *r, double g, double alpha, double beta, const double c[2])
{
    double *row = r->row[r->n++];
    for (int k = 0; k < 2; k++) {
        row[k] = beta * c[k];
        row[2 + k] = (beta * g + alpha) * c[k];
        row[4 + k] = alpha * c[k];
        row[6 + k] = beta * c[k];
    }
}

static void add(rows *r, bool is_a, double g, double alpha, double beta, const double c[2])
{
    if (is_a) {
        add_a(r, g, alpha, beta, c);
    } else {
        add_b(r, alpha, beta, c);
    }
}

/* The rows of one side; with n carried by a face only those that say where the point is. */
static void add_side(const sp_contact_frame3 *f, const sp_touch_side *side, bool is_a, bool carried,
                     rows *r)
{
    const double x[2] = {1.0, 0.0}, y[2] = {0.0, 1.0};
    if (side->kind == SP_SIDE_CORNER) {
        add(r, is_a, f->g_N, side->r, 1.0, x);
        add(r, is_a, f->g_N, side->r, 1.0, y);
    } else if (side->kind == SP_SIDE_LINE) {
        const double d1 = sp_inner3(side->d, f->t[0]), d2 = sp_inner3(side->d, f->t[1]);
        const double l = hypot(d1, d2), k = l > 0.0 ? 1.0 / l : 0.0;
        const double d[2] = {k * d1, k * d2}, e[2] = {-k * d2, k * d1};
        add(r, is_a, f->g_N, side->r, 1.0, e);
        if (!carried) {
            add(r, is_a, f->g_N, 1.0 + side->kappa * side->r, side->kappa, d);
        }
    } else if (!carried) {
        add(r, is_a, f->g_N, 1.0, 0.0, x);
        add(r, is_a, f->g_N, 1.0, 0.0, y);
    }
}

/* nu = 0, or nu = turn: n goes with b, or with a. */
static void add_carrier(sp_touch_carrier carrier, rows *r)
{
    for (int k = 0; k < 2; k++) {
        double *row = r->row[r->n++];
        row[2 + k] = 1.0;
        row[4 + k] = carrier == SP_CARRIED_BY_A ? 1.0 : 0.0;
    }
}

/* Gauss and Jordan with row pivots; false if it is singular. */
static bool eliminate(rows *r)
{
    for (int i = 0; i < SYSTEM; i++) {
        int best = i;
        for (int k = i + 1; k < SYSTEM; k++) {
            best = fabs(r->row[k][i]) > fabs(r->row[best][i]) ? k : best;
        }
        if (!(fabs(r->row[best][i]) > SINGULAR)) {
            return false;
        }
        double keep[WIDTH];
        memcpy(keep, r->row[best], sizeof keep);
        memcpy(r->row[best], r->row[i], sizeof keep);
        for (int j = 0; j < WIDTH; j++) {
            r->row[i][j] = keep[j] / keep[i];
        }
        for (int k = 0; k < SYSTEM; k++) {
            const double m = k == i ? 0.0 : r->row[k][i];
            for (int j = 0; j < WIDTH; j++) {
                r->row[k][j] -= m * r->row[i][j];
            }
        }
    }
    return true;
}

/* Rows i, i + 1 and columns j, j + 1. */
static sp_map2 block(const rows *r, int i, int j)
{
    return (sp_map2){r->row[i][j], r->row[i][j + 1], r->row[i + 1][j], r->row[i + 1][j + 1]};
}

/* Lengths are scaled with L, so that pivots are comparable: s/L and g/L, r/L, kappa L. */
static double scale_of(const sp_touch *t)
{
    double L = fabs(t->g_N);
    for (int k = 0; k < 2; k++) {
        L = fmax(L, t->side[k].r);
        if (t->side[k].kappa != 0.0) {
            L = fmax(L, 1.0 / fabs(t->side[k].kappa));
        }
    }
    return L > 0.0 ? L : 1.0;
}

void sp_touch_frame(const sp_touch *touch, sp_rot3 axes_b, sp_contact_frame3 *f)
{
    f->g_N = touch->g_N;
    f->n = touch->n;
    f->point[0] = touch->point[0];
    f->point[1] = touch->point[1];
    sp_frame3_tangents(axes_b, f);

    const double L = scale_of(touch);
    sp_contact_frame3 scaled = *f;
    rows r = {.n = 0};
    scaled.g_N /= L;
    for (int k = 0; k < 2; k++) {
        sp_touch_side side = touch->side[k];
        side.r /= L;
        side.kappa *= L;
        add_side(&scaled, &side, k == 0, touch->carrier != SP_CARRIED_BY_FEATURES, &r);
    }
    if (touch->carrier != SP_CARRIED_BY_FEATURES) {
        add_carrier(touch->carrier, &r);
    }
    if (r.n != SYSTEM || !eliminate(&r)) {
        f->n_by_turn = f->n_by_slip = f->at_by_turn = f->at_by_slip = sp_map2_scalar(0.0);
        return;
    }
    /* s = L (A turn + B slip/L),   nu = C turn + D slip/L */
    f->at_by_turn = block(&r, 0, 4);
    f->at_by_slip = block(&r, 0, 6);
    f->n_by_turn = block(&r, 2, 4);
    f->n_by_slip = block(&r, 2, 6);
    sp_map2 *up = &f->at_by_turn, *down = &f->n_by_slip;
    *up = (sp_map2){L * up->a11, L * up->a12, L * up->a21, L * up->a22};
    *down = (sp_map2){down->a11 / L, down->a12 / L, down->a21 / L, down->a22 / L};
}
