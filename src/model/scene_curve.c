#include "model/scene_curve.h"

#include <math.h>

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
static int put(const sp_curve *c, double s, double *work, double (*point)[3], int n)
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
            n = put(c, ends[0].s + (ends[1].s - ends[0].s) * i / parts, work, point, n);
        }
    }
    n = put(c, c->closed ? c->lo : c->hi, work, point, n);
    if (point && c->side < 0.0) {
        reverse(n, point);
    }
    return n;
}
