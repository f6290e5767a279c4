/* model/surface_arcs.c - the parts of an extruded contour that can touch a plane.   theory (45.2)
 *
 * They are on the convex hull of the contour, with the material inside of it.  Straight parts and
 * bridges over hollows part them into arcs. */
#include "model/surface.h"

#include "base/status.h"
#include "math/sort.h"

#include <math.h>

enum { HALVINGS = 60, SEAM = 3 }; /* SEAM: arcs that are cut are so at one in 3 samples */

#define HARDLY   1e-13 /* of the square of the size: area of a triangle of points on a line */
#define STRAIGHT 1e-9  /* rad: a tangent that turns by less does not turn                     */

/* A contour on its way: sample k is followed by k + 1, of a closed one the last by the first. */
typedef struct contour {
    const sp_curve *c;
    double side; /* +1: the material is to the left of rising s */
    int n;       /* samples, each place once                    */
    bool *on;    /* on the hull                                 */
    sp_vec middle;
    double *work;
} contour;

/* Where sample i is. */
static sp_vec place(const contour *k, int i)
{
    return k->c->sample[i].r;
}

/* Twice the area of a triangle, > 0 if counter-clockwise. */
static double area2(sp_vec a, sp_vec b, sp_vec c)
{
    return sp_cross(sp_sub(b, a), sp_sub(c, a));
}

/* Whether sample i comes before j: by x, then y. */
static bool is_before(const void *ctx, int i, int j)
{
    const sp_vec a = place(ctx, i), b = place(ctx, j);
    return a.x < b.x || (a.x == b.x && a.y < b.y);
}

/* All samples, in order. */
static void sort(const contour *k, int *list)
{
    for (int i = 0; i < k->n; i++) {
        list[i] = i;
    }
    sp_sort(is_before, k, list, k->n);
}

/* Mark one half of the hull: from the first in order to the last (step 1), or back (-1), with all
 * others to the left.  chain (n) is scratch. */
static void mark_half(contour *k, const int *list, int step, int *chain)
{
    const double none = HARDLY * k->c->size * k->c->size;
    int m = 0;
    for (int i = step > 0 ? 0 : k->n - 1; i >= 0 && i < k->n; i += step) {
        while (m >= 2 &&
               area2(place(k, chain[m - 2]), place(k, chain[m - 1]), place(k, list[i])) <= none) {
            m--;
        }
        chain[m++] = list[i];
    }
    for (int i = 0; i < m; i++) {
        k->on[chain[i]] = true;
    }
}

/* Which samples are on the hull, and the middle of those. */
static bool find_hull(sp_arena *a, contour *k)
{
    int *list = SP_NEW(a, int, k->n), *chain = SP_NEW(a, int, k->n);
    k->on = SP_NEW(a, bool, k->n);
    if (!list || !chain || !k->on) {
        return false;
    }
    sort(k, list);
    mark_half(k, list, 1, chain);
    mark_half(k, list, -1, chain);
    int m = 0;
    for (int i = 0; i < k->n; i++) {
        if (k->on[i]) {
            k->middle = sp_add(k->middle, place(k, i));
            m++;
        }
    }
    k->middle = sp_scale(1.0 / m, k->middle);
    return true;
}

/* The sample behind i, or before it (step -1); -1 if there is none. */
static int next(const contour *k, int i, int step)
{
    const int j = i + step;
    return j >= 0 && j < k->n ? j : k->c->closed ? (j + k->n) % k->n : -1;
}

/* The direction of the contour at s, rising. */
static sp_vec tangent(const contour *k, double s)
{
    sp_curve_at at;
    const bool good = sp_curve_eval(k->c, sp_curve_wrap(k->c, s), k->work, &at);
    return good ? at.t : (sp_vec){NAN, NAN};
}

/* Whether the contour goes straight from sample i to the next one, j. */
static bool is_straight(const contour *k, int i, int j)
{
    const sp_vec way = sp_sub(place(k, j), place(k, i));
    const double l = sp_length(way);
    return fabs(sp_cross(tangent(k, k->c->sample[i].s), way)) <= STRAIGHT * l &&
           fabs(sp_cross(tangent(k, k->c->sample[j].s), way)) <= STRAIGHT * l;
}

/* Whether the piece from sample i on belongs to an arc. */
static bool is_round(const contour *k, int i)
{
    const int j = next(k, i, 1);
    if (j < 0 || !k->on[i] || !k->on[j] || is_straight(k, i, j)) {
        return false;
    }
    const sp_vec out = sp_scale(k->side, sp_right_of(sp_sub(place(k, j), place(k, i))));
    return sp_inner(out, sp_sub(k->middle, place(k, i))) < 0.0;
}

/* Parameter of sample i as seen from s: of closed contours not more than half a turn away. */
static double seen_from(const contour *k, int i, double s)
{
    const double period = k->c->hi - k->c->lo, at = k->c->sample[i].s;
    return k->c->closed ? at + period * round((s - at) / period) : at;
}

/* Whether sample i is one by itself, with no piece of an arc beside it: an end of an open contour
 * on its hull, a corner between straight sides, or a hump narrower than two samples. */
static bool is_lone(const contour *k, int i)
{
    const int back = next(k, i, -1), on = next(k, i, 1);
    if (!k->on[i] || is_round(k, i) || (back >= 0 && is_round(k, back))) {
        return false;
    }
    if (back < 0 || on < 0) {
        return true;
    }
    const sp_vec out = sp_scale(k->side, sp_right_of(sp_sub(place(k, on), place(k, back))));
    return sp_inner(out, sp_sub(k->middle, place(k, i))) < 0.0;
}

/* Where a lone sample's arc ends on the side of its neighbour j: there, or at the sample itself if
 * the way to it is straight or there is none. */
static double end_of_lone(const contour *k, int i, int j)
{
    const double s = k->c->sample[i].s;
    if (j < 0) {
        return s;
    }
    const double to = seen_from(k, j, s);
    const sp_vec way = sp_sub(place(k, j), place(k, i));
    const double most = STRAIGHT * sp_length(way);
    const bool straight = fabs(sp_cross(tangent(k, to), way)) <= most &&
                          fabs(sp_cross(tangent(k, 0.5 * (s + to)), way)) <= most;
    return straight ? s : to;
}

/* Where a straight part ends, which reaches from sample i towards `to`: the first place that is not
 * straight, which has the curvature of what follows. */
static double end_of_straight(const contour *k, int i, double to)
{
    const sp_vec way = tangent(k, k->c->sample[i].s);
    double straight = k->c->sample[i].s, bent = to;
    for (int n = 0; n < HALVINGS; n++) {
        const double s = 0.5 * (straight + bent);
        *(fabs(sp_cross(way, tangent(k, s))) <= STRAIGHT ? &straight : &bent) = s;
    }
    return bent;
}

/* The arc of the samples i to j (step by step, i = j: a lone one). */
static sp_curve_part arc_of(const contour *k, int i, int j, int n_piece)
{
    const double period = k->c->hi - k->c->lo;
    sp_curve_part arc = {.lo = k->c->sample[i].s, .first = i, .n = n_piece + 1};
    arc.hi = k->c->sample[j].s + (j < i ? period : 0.0);
    const int back = next(k, i, -1), on = next(k, j, 1);
    if (n_piece == 0) {
        arc.lo = end_of_lone(k, i, back);
        arc.hi = end_of_lone(k, i, on);
        return arc;
    }
    if (back >= 0) {
        arc.lo = is_straight(k, back, i)
                     ? end_of_straight(k, i, seen_from(k, next(k, i, 1), arc.lo))
                     : seen_from(k, back, arc.lo);
    }
    if (on >= 0) {
        const double s_j = k->c->sample[j].s, turn = arc.hi - s_j;
        arc.hi = is_straight(k, j, on)
                     ? turn + end_of_straight(k, j, seen_from(k, next(k, j, -1), s_j))
                     : seen_from(k, on, arc.hi);
    }
    return arc;
}

/* List the arcs into `arc`, or only count them if it is NULL. */
static int list_arcs(const contour *k, sp_curve_part *arc)
{
    int begin = 0, n = 0;
    while (begin < k->n && k->c->closed && is_round(k, begin)) {
        begin++;
    }
    if (begin == k->n) { /* round all over */
        if (arc) {
            arc[0] = (sp_curve_part){.lo = k->c->lo, .hi = k->c->hi, .whole = true};
        }
        return 1;
    }
    for (int done = 0; done < k->n;) {
        const int i = (begin + done) % k->n;
        int n_piece = 0;
        while (done + n_piece < k->n && is_round(k, (i + n_piece) % k->n)) {
            n_piece++;
        }
        if (n_piece > 0 || is_lone(k, i)) {
            if (arc) {
                arc[n] = arc_of(k, i, (i + n_piece) % k->n, n_piece);
            }
            n++;
        }
        done += n_piece > 0 ? n_piece : 1;
    }
    return n;
}

/* Whether there is a single arc, from one end of a straight side or a hollow to the other: both
 * ends bear there, each with an arc of its own. */
static bool is_bridged(int n, const sp_curve_part *arc)
{
    return n == 1 && !arc->whole && arc->n > SEAM;
}

/* Cut an arc in two, at a third of it: its middle is where it would rest. */
static void cut(const contour *k, sp_curve_part arc[2])
{
    const int m = arc->n / SEAM, middle = (arc->first + m) % k->n;
    const double turn = middle < arc->first ? k->c->hi - k->c->lo : 0.0;
    arc[1] = (sp_curve_part){
        .lo = k->c->sample[middle].s, .hi = arc->hi - turn, .first = middle, .n = arc->n - m};
    arc->hi = k->c->sample[middle].s + turn;
    arc->n = m + 1;
}

/* The points that are extreme along +x, +y, -x, -y, each once. */
static void find_stand(const contour *k, sp_surface *s)
{
    static const sp_vec way[SP_SURFACE_STAND] = {{1.0, 0.0}, {0.0, 1.0}, {-1.0, 0.0}, {0.0, -1.0}};
    for (int i = 0; i < SP_SURFACE_STAND; i++) {
        sp_curve_foot foot;
        sp_curve_at at;
        bool good = sp_curve_farthest(k->c, way[i], k->work, &foot) &&
                    sp_curve_eval(k->c, foot.s, k->work, &at);
        for (int j = 0; j < s->n_stand && good; j++) {
            good = sp_length(sp_sub(s->stand[j], at.r)) > STRAIGHT * k->c->size;
        }
        if (good) {
            s->stand[s->n_stand++] = at.r;
        }
    }
}

sp_status sp_surface_find_arcs(sp_arena *a, sp_surface *s, double *work, sp_error *err)
{
    contour k = {.c = s->curve, .side = s->side, .work = work};
    k.n = k.c->closed ? k.c->n_sample - 1 : k.c->n_sample;
    if (!find_hull(a, &k)) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory for a surface");
    }
    const int n = list_arcs(&k, NULL);
    sp_curve_part *arc = SP_NEW(a, sp_curve_part, n + 1);
    if (!arc) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory for a surface");
    }
    s->n_arc = list_arcs(&k, arc);
    s->arc = arc;
    if (is_bridged(n, arc)) {
        cut(&k, arc);
        s->n_arc = 2;
    }
    if (s->n_arc > 0) {
        find_stand(&k, s);
    }
    return SP_OK;
}
