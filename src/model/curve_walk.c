/* model/curve_walk.c - along a curve from one of its places on to the next one that is extreme.
 * theory (58.2) */
#include "model/curve.h"

#include <math.h>

/* Sample i of a curve, which of a closed one may be beyond its end: the first and the last of that
 * are the same. */
static sp_curve_sample sample_of(const sp_curve *c, int i)
{
    const int n = c->n_fine - 1;
    if (!c->closed) {
        return c->fine[i];
    }
    const int turn = i < 0 ? -1 : i >= n ? 1 : 0;
    const sp_curve_sample *p = &c->fine[i - turn * n];
    return (sp_curve_sample){p->s + turn * (c->hi - c->lo), p->r};
}

/* The first sample behind s on the way; one beyond the samples where an open curve ends. */
static int first_behind(const sp_curve *c, double s, int way)
{
    int lo = 0, hi = c->n_fine - 1; /* fine[lo].s <= s < fine[hi].s */
    while (hi - lo > 1) {
        const int k = (lo + hi) / 2;
        *(c->fine[k].s <= s ? &lo : &hi) = k;
    }
    return way > 0 ? hi : c->fine[lo].s < s ? lo : lo - 1;
}

bool sp_curve_walk(const sp_curve *c, double s, int way, double *work, sp_curve_search *search)
{
    const int n = c->n_fine;
    sp_curve_at at;
    if (!sp_curve_eval(c, s, work, &at)) {
        return false;
    }
    sp_curve_sample p[3] = {{s, at.r}, {s, at.r}, {s, at.r}}; /* before, here, next */
    double here = sp_curve_value(search, at.r);
    int k = first_behind(c, s, way), m = 1;
    for (int step = 0; step + 1 < n && (c->closed || (k >= 0 && k < n)); step++, k += way) {
        const sp_curve_sample next = sample_of(c, k);
        const double value = sp_curve_value(search, next.r);
        p[m++] = next;
        if (!(value < here)) {
            break;
        }
        if (m == 3) {
            p[0] = p[1];
            p[1] = p[2];
            m = 2;
        }
        here = value;
    }
    if (way < 0) {
        const sp_curve_sample first = p[0];
        p[0] = p[m - 1];
        p[m - 1] = first;
    }
    const sp_curve_stretch on = {.n = m, .sample = p, .apart = INFINITY};
    search->least = INFINITY;
    const bool found = sp_curve_look(c, &on, 0.0, work, search);
    search->on = NULL;
    return found && isfinite(search->least);
}
