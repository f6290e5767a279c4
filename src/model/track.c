#include "model/track.h"

#include "base/status.h"

#include <math.h>

/* Gauss and Legendre's nodes and weights on [-1, 1], of those >= 0: exact to degree 15. */
static const double node_of[4] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                                  0.9602898564975363};
static const double weight_of[4] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                    0.1012285362903763};

/* Length of the curve between two parameters; NaN if it cannot be evaluated. */
static double length_between(const sp_curve *c, double lo, double hi, double *work)
{
    const double middle = 0.5 * (lo + hi), half = 0.5 * (hi - lo);
    double sum = 0.0;
    for (int k = 0; k < 8; k++) {
        sp_curve_at at;
        const double x = k < 4 ? -node_of[k] : node_of[k - 4];
        if (!sp_curve_eval(c, middle + half * x, work, &at)) {
            return NAN;
        }
        sum += weight_of[k % 4] * at.speed;
    }
    return half * sum;
}

sp_status sp_track_make(sp_arena *a, const sp_curve *c, double *work, sp_track *track,
                        sp_error *err)
{
    sp_track_node *node = SP_NEW(a, sp_track_node, c->n_sample);
    if (!node) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory for a track");
    }
    for (int k = 0; k < c->n_sample; k++) {
        const double p = c->sample[k].s;
        const double s = k > 0 ? node[k - 1].s + length_between(c, node[k - 1].p, p, work) : 0.0;
        sp_curve_at at;
        if (!sp_curve_eval(c, p, work, &at) || !isfinite(s)) {
            return SP_FAIL(err, SP_E_INPUT, "at parameter %g the curve has no direction", p);
        }
        node[k] = (sp_track_node){s, p, 1.0 / at.speed};
    }
    *track = (sp_track){c, c->n_sample, node};
    return SP_OK;
}

/* The interval of nodes that s lies in. */
static const sp_track_node *find(const sp_track *t, double s)
{
    int lo = 0, hi = t->n - 1;
    while (hi - lo > 1) {
        const int middle = (lo + hi) / 2;
        if (s < t->node[middle].s) {
            hi = middle;
        } else {
            lo = middle;
        }
    }
    return &t->node[lo];
}

/* The parameter at s to round-off: Newton's method from the cubic with the slopes of both nodes.
 * What a step leaves is of the order of its square, so that one below 1e-8 is the last. */
static double parameter(const sp_curve *c, const sp_track_node *n, double s, double *work)
{
    const double h = n[1].s - n[0].s, x = (s - n[0].s) / h, range = n[1].p - n[0].p;
    const double A = range - h * n[0].dp, B = h * (n[1].dp - n[0].dp);
    double p = n[0].p + x * (h * n[0].dp + x * (3.0 * A - B + x * (B - 2.0 * A)));
    for (int k = 0; k < 5; k++) {
        sp_curve_at at;
        if (!sp_curve_eval(c, p, work, &at)) {
            return NAN;
        }
        const double step = (s - n[0].s - length_between(c, n[0].p, p, work)) / at.speed;
        p += step;
        if (!(fabs(step) > 1e-8 * range)) {
            break;
        }
    }
    return p;
}

sp_track_at sp_track_eval(const sp_track *track, double s, double *work)
{
    const sp_curve *c = track->curve;
    const double length = track->node[track->n - 1].s;
    double on = c->closed ? s - length * floor(s / length) : s;
    on = fmin(fmax(on, 0.0), length); /* NaN ends up at an end, and comes back by s - on */
    sp_curve_at at;
    if (!sp_curve_eval(c, parameter(c, find(track, on), on, work), work, &at)) {
        return (sp_track_at){{NAN, NAN}, {NAN, NAN}, {NAN, NAN}};
    }
    const double beyond = c->closed ? 0.0 * s : s - on, per = 1.0 / (at.speed * at.speed);
    const sp_vec across = sp_axpy(at.dd, -sp_inner(at.t, at.dd), at.t);
    return (sp_track_at){.r = sp_axpy(at.r, beyond, at.t),
                         .t = at.t,
                         .bend = sp_scale(beyond == 0.0 ? per : 0.0, across)};
}
