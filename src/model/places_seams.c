/* model/places_seams.c - seams of curves that go back, as the neck of a bottle or the two ends of a
 * ring with an opening, where a disc or a line touches one stretch twice.   theory section 54 */
#include "model/places.h"

#include <math.h>

enum {
    CAP = 24,       /* steps of the half circle about an end */
    PAIRS_MAX = 16, /* pairs of places that are parted       */
    BLOCK = 64,     /* steps of its way that share a box     */
    NEW_MAX = 3     /* seams for one of them                 */
};

#define PI       3.14159265358979323846
#define SEAM     0.125 /* part of the way from one place to the other, from both    (54.2) */
#define DEEP     1e-2  /* part of the radius, and ...                               (54.3) */
#define BETWEEN  2e-2  /* ... of the way between samples: a disc cuts in no deeper  (54.3) */
#define APART    1e-3  /* part of radius or chord: the curve leaves it in between   (54.3) */
#define STRAIGHT 1e-9  /* part of the size by which a point is beyond a line               */

/* The centre of a disc that touches the curve next to a sample. */
typedef struct center {
    sp_vec x;
    int sample;
    bool touches; /* it is not bent less than the curve there */
} center;

typedef struct box {
    sp_vec lo, hi;
} box;

typedef struct seams {
    const sp_curve *c;
    sp_cuts *cuts;
    int n_sample; /* of the curve, each place once */
    double apart; /* longest way between two       */
    double radius;
    int n;
    center *at;
    box *block; /* around the steps from i BLOCK on, BLOCK of them */
} seams;

/* Two places, samples i < j, that are touched at once. */
typedef struct twice {
    int i, j;
} twice;

/* A parameter as the cuts of a closed curve count it. */
static double counted(const seams *s, double at)
{
    const double period = s->c->hi - s->c->lo;
    return s->c->closed && s->cuts->n > 0 && at < s->cuts->at[0] ? at + period : at;
}

static double s_of(const seams *s, int sample)
{
    return counted(s, s->c->fine[sample % s->n_sample].s);
}

/* The stretch that a sample belongs to. */
static int stretch_of(const seams *s, int sample)
{
    const double at = s_of(s, sample);
    int k = 0;
    while (k < s->cuts->n && s->cuts->at[k] <= at) {
        k++;
    }
    return k;
}

/* ---- which pairs count ---------------------------------------------------------------------- */

/* How far the curve leaves a disc about x, or a line through it with a normal, between two samples;
 * the second may be beyond the last. */
static double excursion(const seams *s, int from, int to, sp_vec x, const sp_vec *normal)
{
    double most = 0.0;
    for (int k = from + 1; k < to; k++) {
        const sp_vec d = sp_sub(s->c->fine[k % s->n_sample].r, x);
        most = fmax(most, normal ? -sp_inner(*normal, d) : sp_length(d) - s->radius);
    }
    return most;
}

/* Whether the curve goes back along the chord between two of its samples. */
static bool goes_back(const seams *s, const twice *p)
{
    const sp_curve_sample *fine = s->c->fine;
    const sp_vec chord = sp_sub(fine[p->j].r, fine[p->i].r);
    for (int k = p->i; k < p->j; k++) {
        if (sp_inner(chord, sp_sub(fine[k + 1].r, fine[k].r)) < 0.0) {
            return true;
        }
    }
    return false;
}

/* Whether two places are apart: the curve leaves what touches both by more than `least` between
 * them, of a closed curve on both ways; an open one goes back as well, or both are one. */
static bool is_apart(const seams *s, const twice *p, sp_vec x, const sp_vec *normal, double least)
{
    if (stretch_of(s, p->i) != stretch_of(s, p->j) ||
        !(excursion(s, p->i, p->j, x, normal) > least)) {
        return false;
    }
    return s->c->closed ? excursion(s, p->j, p->i + s->n_sample, x, normal) > least
                        : goes_back(s, p);
}

/* Whether a disc about x has room. */
static bool has_room(const seams *s, sp_vec x)
{
    double least = INFINITY;
    for (int k = 0; k < s->n_sample; k++) {
        least = fmin(least, sp_length(sp_sub(s->c->fine[k].r, x)));
    }
    return least >= s->radius * (1.0 - DEEP) - BETWEEN * s->apart;
}

/* ---- discs ---------------------------------------------------------------------------------- */

/* Centres about an end, from the normal by the outer side to the back, or, reversed, to it. */
static void add_cap(seams *s, int sample, const sp_curve_at *p, bool first)
{
    for (int k = 0; k <= CAP; k++) {
        const double a = PI * (first ? CAP - k : k) / CAP;
        const sp_vec d = sp_axpy(sp_scale(cos(a), p->n), first ? -sin(a) : sin(a), p->t);
        s->at[s->n++] = (center){sp_axpy(p->r, s->radius, d), sample, true};
    }
}

/* The way of the centre of a disc along the curve and around its ends.   theory (54.1) */
static void fill_centers(seams *s, double bend, double *work)
{
    const int last = s->c->n_fine - 1;
    for (int k = 0; k <= last; k++) {
        sp_curve_at p;
        if (!sp_curve_eval(s->c, s->c->fine[k].s, work, &p)) {
            continue;
        }
        if (!s->c->closed && k == 0) {
            add_cap(s, k, &p, true);
        }
        s->at[s->n++] = (center){sp_axpy(p.r, s->radius, p.n), k, -p.curvature <= bend};
        if (!s->c->closed && k == last) {
            add_cap(s, k, &p, false);
        }
    }
}

/* Where two steps of that way cross. */
static bool cross(const center *a, const center *b, sp_vec *x)
{
    const sp_vec u = sp_sub(a[1].x, a[0].x), v = sp_sub(b[1].x, b[0].x), w = sp_sub(b[0].x, a[0].x);
    const double det = sp_cross(u, v), at_a = sp_cross(w, v), at_b = sp_cross(w, u);
    const double sign = det < 0.0 ? -1.0 : 1.0, most = fabs(det);
    if (!(most > 0.0) || sign * at_a < 0.0 || sign * at_a > most || sign * at_b < 0.0 ||
        sign * at_b > most) {
        return false;
    }
    *x = sp_axpy(a[0].x, at_a / det, u);
    return true;
}

/* The box around steps of that way, from one centre to another. */
static box box_of(const center *at, int from, int to)
{
    box b = {at[from].x, at[from].x};
    for (int k = from + 1; k <= to; k++) {
        const sp_vec x = at[k].x;
        b.lo = (sp_vec){x.x < b.lo.x ? x.x : b.lo.x, x.y < b.lo.y ? x.y : b.lo.y};
        b.hi = (sp_vec){x.x > b.hi.x ? x.x : b.hi.x, x.y > b.hi.y ? x.y : b.hi.y};
    }
    return b;
}

/* Boxes around each block of steps. */
static void fill_blocks(seams *s)
{
    for (int i = 0; i + 1 < s->n; i += BLOCK) {
        s->block[i / BLOCK] = box_of(s->at, i, i + BLOCK < s->n ? i + BLOCK : s->n - 1);
    }
}

/* Whether two boxes are apart: what is in them cannot cross. */
static bool is_clear(const box *a, const box *b)
{
    return a->lo.x > b->hi.x || b->lo.x > a->hi.x || a->lo.y > b->hi.y || b->lo.y > a->hi.y;
}

/* Whether steps i and j cross where a disc touches two places of one stretch. */
static bool crosses(const seams *s, int i, int j, twice *found)
{
    const center *a = &s->at[i], *b = &s->at[j];
    sp_vec x;
    if (!(a[0].touches && a[1].touches && b[0].touches && b[1].touches) || !cross(a, b, &x)) {
        return false;
    }
    *found = (twice){a->sample, b->sample};
    return is_apart(s, found, x, NULL, APART * s->radius) && has_room(s, x);
}

/* Two places of one stretch that a disc touches at once: its way crosses itself.  Blocks of steps
 * that are apart from a step are passed over. */
static bool find_crossing(const seams *s, twice *found)
{
    for (int i = 0; i + 1 < s->n; i++) {
        const box a = box_of(s->at, i, i + 1);
        for (int j = i + 2; j + 1 < s->n; j++) {
            if (j % BLOCK == 0 && is_clear(&a, &s->block[j / BLOCK])) {
                j += BLOCK - 1;
                continue;
            }
            const box b = box_of(s->at, j, j + 1);
            if (!is_clear(&a, &b) && crosses(s, i, j, found)) {
                return true;
            }
        }
    }
    return false;
}

/* ---- lines ---------------------------------------------------------------------------------- */

/* The next corner of the convex hull of all samples, counter-clockwise. */
static int next_corner(const seams *s, int i)
{
    const sp_curve_sample *fine = s->c->fine;
    int best = -1;
    for (int k = 0; k < s->n_sample; k++) {
        const sp_vec d = sp_sub(fine[k].r, fine[i].r);
        if (!(sp_length(d) > STRAIGHT * s->c->size)) {
            continue;
        }
        const sp_vec e = best < 0 ? d : sp_sub(fine[best].r, fine[i].r);
        const double beyond = -sp_cross(e, d) / sp_length(e);
        const bool farther = sp_inner(d, d) > sp_inner(e, e);
        if (best < 0 || beyond > STRAIGHT * s->c->size ||
            (fabs(beyond) <= STRAIGHT * s->c->size && sp_inner(d, e) > 0.0 && farther)) {
            best = k;
        }
    }
    return best;
}

/* Two places of one stretch that a line touches at once: an edge of the hull. */
static bool find_edge(const seams *s, twice *found)
{
    const sp_curve_sample *fine = s->c->fine;
    int first = 0;
    for (int k = 1; k < s->n_sample; k++) {
        first = fine[k].r.y < fine[first].r.y ? k : first;
    }
    for (int i = first, n = 0; n < s->n_sample; n++) {
        const int j = next_corner(s, i);
        const sp_vec edge = sp_sub(fine[j].r, fine[i].r);
        const double length = sp_length(edge);
        const sp_vec normal = sp_scale(1.0 / length, sp_right_of(edge));
        *found = i < j ? (twice){i, j} : (twice){j, i};
        if (is_apart(s, found, fine[i].r, &normal, APART * length)) {
            return true;
        }
        i = j;
        if (i == first) {
            break;
        }
    }
    return false;
}

/* ---- seams ---------------------------------------------------------------------------------- */

/* Add a cut in its order. */
static void add_cut(seams *s, double at)
{
    sp_cuts *cuts = s->cuts;
    int k = cuts->n++;
    at = counted(s, at);
    for (; k > 0 && cuts->at[k - 1] > at; k--) {
        cuts->at[k] = cuts->at[k - 1];
    }
    cuts->at[k] = at;
}

/* Part two places: near both of them on the way between, of a closed curve without cuts also in the
 * middle of the way back.   theory (54.2) */
static void part(seams *s, const twice *found)
{
    const double a = s_of(s, found->i), b = s_of(s, found->j);
    const double lo = fmin(a, b), hi = fmax(a, b), period = s->c->hi - s->c->lo;
    const bool whole = s->c->closed && s->cuts->n == 0;
    add_cut(s, lo + SEAM * (hi - lo));
    add_cut(s, hi - SEAM * (hi - lo));
    if (whole) {
        add_cut(s, 0.5 * (hi + lo + period));
    }
}

bool sp_places_seams(sp_arena *scratch, const sp_curve *c, double bend, double *work, sp_cuts *cuts)
{
    seams s = {.c = c, .cuts = cuts, .n_sample = c->closed ? c->n_fine - 1 : c->n_fine};
    twice found;
    if (bend > 0.0) {
        s.radius = 1.0 / bend;
        const int n = c->n_fine + 2 * (CAP + 1);
        s.at = SP_NEW(scratch, center, n);
        s.block = SP_NEW(scratch, box, n / BLOCK + 1);
        if (!s.at || !s.block) {
            return false;
        }
        fill_centers(&s, bend, work);
        fill_blocks(&s);
    }
    for (int k = 0; k + 1 < c->n_fine; k++) {
        s.apart = fmax(s.apart, sp_length(sp_sub(c->fine[k + 1].r, c->fine[k].r)));
    }
    for (int k = 0; k < PAIRS_MAX && cuts->n + NEW_MAX <= cuts->room; k++) {
        if (!(bend > 0.0 ? find_crossing(&s, &found) : find_edge(&s, &found))) {
            break;
        }
        part(&s, &found);
    }
    return true;
}
