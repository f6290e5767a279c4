#include "model/places.h"

#include "model/bodies.h"
#include "model/teeth.h"

#include <math.h>

enum {
    GOLDEN_MAX = 60,
    SEAM = 3 /* a closed curve with a single hollow is cut a third of a turn behind it, too */
};

#define GOLDEN   0.6180339887498949
#define CLEARLY  SP_PLACES_FLAT /* part of the bend by which a hollow is bent more */
#define PLATEAU  1e-9           /* part of the depth: hollows that are as deep along a way        */
#define MAY_PASS 0.5 /* part of the bend: deeper samples may have passed it between them */

/* A curve and how deep it is at its samples: minus its curvature, NaN where it has none. */
typedef struct hollows {
    const sp_curve *c;
    int n; /* samples, each place once */
    double *depth;
    double limit; /* deeper cannot be touched */
    double *work;
    int n_cut;
    double *cut; /* parameters, rising; of closed curves within one turn from the first on */
} hollows;

static double depth_at(const hollows *h, double s)
{
    sp_curve_at at;
    const bool good = sp_curve_eval(h->c, sp_curve_wrap(h->c, s), h->work, &at);
    return good ? -at.curvature : NAN;
}

/* Parameter of sample i, which of closed curves may be before the first or behind the last. */
static double s_of(const hollows *h, int i)
{
    if (!h->c->closed) {
        return h->c->fine[i < 0 ? 0 : i < h->n ? i : h->n - 1].s;
    }
    const double period = h->c->hi - h->c->lo;
    const int turn = i < 0 ? -1 : i >= h->n ? 1 : 0;
    return h->c->fine[i - turn * h->n].s + turn * period;
}

static double depth_of(const hollows *h, int i)
{
    return h->c->closed || (i >= 0 && i < h->n) ? h->depth[(i + h->n) % h->n] : -INFINITY;
}

/* Where the curve is deepest between two parameters, by the golden section. */
static double deepest(const hollows *h, double lo, double hi)
{
    double a = hi - GOLDEN * (hi - lo), b = lo + GOLDEN * (hi - lo);
    double at_a = depth_at(h, a), at_b = depth_at(h, b);
    for (int k = 0; k < GOLDEN_MAX; k++) {
        if (at_a > at_b) {
            hi = b;
            b = a;
            at_b = at_a;
            a = hi - GOLDEN * (hi - lo);
            at_a = depth_at(h, a);
        } else {
            lo = a;
            a = b;
            at_a = at_b;
            b = lo + GOLDEN * (hi - lo);
            at_b = depth_at(h, b);
        }
    }
    return at_a > at_b ? a : b;
}

/* Cut a hollow whose samples i to j are too deep: at its deepest one, in the middle of several,
 * away from the end of an open curve, which is a place of its own. */
static void cut_hollow(hollows *h, int i, int j)
{
    double most = -INFINITY;
    for (int k = i; k <= j; k++) {
        most = fmax(most, depth_of(h, k));
    }
    int first = j, last = i;
    for (int k = i; k <= j; k++) {
        if (depth_of(h, k) >= most * (1.0 - PLATEAU)) {
            first = k < first ? k : first;
            last = k;
        }
    }
    const bool ends = !h->c->closed && (first + last == 0 || first + last == 2 * (h->n - 1));
    if (ends && i == j) {
        return;
    }
    h->cut[h->n_cut++] =
        ends ? 0.5 * (s_of(h, i) + s_of(h, j))
             : 0.5 * (s_of(h, (first + last) / 2) + s_of(h, (first + last + 1) / 2));
}

/* Cut a hollow that is too deep between samples only: next to sample i, the deepest of three. */
static void cut_between(hollows *h, int i)
{
    const double depth = depth_of(h, i);
    if (!(depth > MAY_PASS * h->limit && depth >= depth_of(h, i - 1) &&
          depth > depth_of(h, i + 1))) {
        return;
    }
    const double s = deepest(h, s_of(h, i - 1), s_of(h, i + 1));
    if (depth_at(h, s) > h->limit) {
        h->cut[h->n_cut++] = s;
    }
}

/* All cuts, from a sample on that can be touched. */
static void find_cuts(hollows *h)
{
    int begin = 0;
    while (h->c->closed && begin < h->n && h->depth[begin] > h->limit) {
        begin++;
    }
    for (int k = begin; k < begin + h->n && begin < h->n; k++) {
        if (!(depth_of(h, k) > h->limit)) {
            cut_between(h, k);
            continue;
        }
        int end = k;
        while (end + 1 < begin + h->n && depth_of(h, end + 1) > h->limit) {
            end++;
        }
        cut_hollow(h, k, end);
        k = end;
    }
}

/* Slots for n stretches: one for each, or few that they have in turns, such that of closed curves
 * the last and the first ones differ, too.   theory (48.6) */
static int n_slot(int n, bool closed)
{
    const int most = closed ? SP_PLACES_CLOSED : SP_PLACES_OPEN;
    if (n <= most || !closed) {
        return n < most ? n : most;
    }
    int slots = SP_PLACES_OPEN;
    while (slots < most && n % slots != 0 && n % slots < SP_PLACES_OPEN - 1) {
        slots++;
    }
    return slots;
}

/* Samples from one cut or end to the next, both among them, into list; how many. */
static int fill_stretch(const hollows *h, double lo, double hi, sp_curve_sample *list,
                        sp_curve_stretch *out)
{
    const double period = h->c->hi - h->c->lo, hardly = 1e-9 * (hi - lo);
    const int turns = h->c->closed ? 2 : 1;
    sp_curve_at at;
    int n = 0;
    sp_curve_eval(h->c, sp_curve_wrap(h->c, lo), h->work, &at);
    list[n++] = (sp_curve_sample){lo, at.r};
    for (int i = 0; i < turns * h->n; i++) {
        const double s = h->c->fine[i % h->n].s + (i < h->n ? 0.0 : period);
        if (s > lo + hardly && s < hi - hardly) {
            list[n++] = (sp_curve_sample){s, h->c->fine[i % h->n].r};
        }
    }
    sp_curve_eval(h->c, sp_curve_wrap(h->c, hi), h->work, &at);
    list[n++] = (sp_curve_sample){hi, at.r};
    *out = (sp_curve_stretch){.n = n, .sample = list};
    for (int i = 0; i + 1 < n; i++) {
        out->apart = fmax(out->apart, sp_length(sp_sub(list[i + 1].r, list[i].r)));
    }
    out->middle = sp_scale(0.5, sp_add(list[0].r, list[n - 1].r));
    for (int i = 0; i < n; i++) {
        const double way = sp_length(sp_sub(list[i].r, out->middle)) + out->apart;
        out->reach = fmax(out->reach, way);
    }
    return n;
}

/* The stretches between the cuts. */
static bool fill_places(sp_arena *a, const hollows *h, sp_places *out)
{
    const bool closed = h->c->closed;
    const int n = closed ? h->n_cut : h->n_cut + 1;
    sp_curve_stretch *stretch = SP_NEW(a, sp_curve_stretch, n);
    sp_curve_sample *list = SP_NEW(a, sp_curve_sample, h->n + 2 * n + 2);
    if (!stretch || !list) {
        return false;
    }
    for (int i = 0, used = 0; i < n; i++) {
        const int k = closed ? i : i - 1; /* the cut before it */
        const double lo = k < 0 ? h->c->lo : h->cut[k];
        const double hi = k + 1 < h->n_cut ? h->cut[k + 1]
                          : closed         ? h->cut[0] + h->c->hi - h->c->lo
                                           : h->c->hi;
        used += fill_stretch(h, lo, hi, list + used, &stretch[i]);
    }
    out->n = n_slot(n, closed);
    out->n_stretch = n;
    out->stretch = stretch;
    return true;
}

/* Whether the curve bulges at sample i. */
static bool bulges(const hollows *h, int i)
{
    return -depth_of(h, i) * h->c->size > SP_PLACES_FLAT;
}

/* A range of samples as a stretch that may have edges; how many samples that takes. */
static int fill_arc(const hollows *h, int first, int last, sp_curve_sample *list, sp_places *out,
                    sp_curve_stretch *stretch)
{
    return fill_stretch(h, s_of(h, first), s_of(h, last), list, &stretch[out->n_stretch++]);
}

/* The arcs on which the curve bulges, by one sample more at both ends, and its ends: edges touch
 * nothing else of it.  A curve that bulges everywhere is one place.   theory (115.1) */
static bool find_arcs(sp_arena *a, const hollows *h, sp_places *out)
{
    const bool closed = h->c->closed;
    int begin = 0, n = 0;
    while (begin < h->n && bulges(h, begin)) {
        begin++;
    }
    if (begin == h->n || !out->hills) {
        return true;
    }
    sp_curve_stretch *stretch = SP_NEW(a, sp_curve_stretch, h->n / 2 + 3);
    sp_curve_sample *list = SP_NEW(a, sp_curve_sample, 6 * h->n + 12);
    if (!stretch || !list) {
        return false;
    }
    const int from = closed ? begin : 0;
    if (!closed && !bulges(h, 0)) {
        n += fill_arc(h, 0, 1, list + n, out, stretch);
    }
    for (int i = from; i < from + h->n; i++) {
        int end = i;
        while (end < from + h->n && bulges(h, end)) {
            end++;
        }
        if (end > i) {
            n += fill_arc(h, i - 1, end, list + n, out, stretch);
            i = end;
        }
    }
    if (!closed && !bulges(h, h->n - 1)) {
        n += fill_arc(h, h->n - 2, h->n - 1, list + n, out, stretch);
    }
    out->stretch = stretch;
    out->n = n_slot(out->n_stretch, closed);
    return true;
}

bool sp_places_find(sp_arena *a, sp_arena *scratch, const sp_curve *c, double bend, double *work,
                    sp_places *out)
{
    hollows h = {.c = c, .n = c->closed ? c->n_fine - 1 : c->n_fine, .work = work};
    *out = (sp_places){.curve = c, .bend = bend, .n = 1};
    if (c->kind == SP_CURVE_TEETH && bend * c->teeth->roller >= 1.0 - CLEARLY) {
        return true; /* a roller touches one flank of a gap at a time   (70.15) */
    }
    h.depth = SP_NEW(scratch, double, 2 * h.n);
    if (!h.depth) {
        return false;
    }
    h.cut = h.depth + h.n;
    h.limit = bend + CLEARLY * fmax(bend, 1.0 / c->size);
    out->hills = !c->closed;
    for (int i = 0; i < h.n; i++) {
        h.depth[i] = depth_at(&h, c->fine[i].s);
        out->hills = out->hills || -h.depth[i] * c->size > SP_PLACES_FLAT;
        out->flats = out->flats || !(-h.depth[i] * c->size > SP_PLACES_FLAT);
    }
    if (bend < 0.0) {
        return find_arcs(a, &h, out);
    }
    find_cuts(&h);
    if (c->closed && h.n_cut == 1) { /* both sides of it are one stretch: part them */
        h.cut[h.n_cut++] = h.cut[0] + (c->hi - c->lo) / SEAM;
    }
    sp_cuts cuts = {h.n_cut, h.n, h.cut};
    if (!sp_places_seams(scratch, c, bend, work, &cuts)) {
        return false;
    }
    h.n_cut = cuts.n;
    return h.n_cut == 0 || fill_places(a, &h, out);
}

bool sp_places_look(const sp_places *p, int slot, double *work, sp_curve_search *search)
{
    double least = INFINITY;
    for (int i = slot; i < p->n_stretch; i += p->n) {
        least = fmin(least, sp_curve_glance(&p->stretch[i], search));
    }
    for (int i = slot; i < p->n_stretch; i += p->n) {
        if (!sp_curve_look(p->curve, &p->stretch[i], least, work, search)) {
            return false;
        }
    }
    return isfinite(search->least);
}

int sp_places_beyond(const sp_places *p, const sp_curve_stretch *on, int end)
{
    const int n = p->n_stretch, i = (int)(on - p->stretch) + end;
    if (!p->curve->closed && (i < 0 || i >= n)) {
        return SP_NONE;
    }
    return (i + n) % n % p->n;
}
