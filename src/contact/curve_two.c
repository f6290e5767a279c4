/* contact/curve_two.c - nearest points of two curves.   theory (20.18), (54.9) */
#include "contact/curve_parts.h"

#include <math.h>

enum { NEWTON_MAX = 40, START_MAX = 3 };

/* Both curves at parameters s, in the world. */
typedef struct look {
    sp_curve_at p[2];
    double s[2];
    double g, facing, f, h; /* gap; -n_a.n_b; n_a along t_b; r_a - r_b along t_b */
} look;

static bool look_at(const sp_curve_side c[2], const double s[2], double *work, look *l)
{
    for (int k = 0; k < 2; k++) {
        sp_curve_at *p = &l->p[k];
        l->s[k] = s[k];
        if (!sp_curve_eval(c[k].curve, s[k], work, p)) {
            return false;
        }
        p->r = sp_pose2_place(&c[k].frame, p->r);
        p->t = sp_rotate(c[k].frame.R, p->t);
        p->n = sp_rotate(c[k].frame.R, p->n);
    }
    const sp_vec way = sp_sub(l->p[0].r, l->p[1].r);
    l->g = sp_inner(l->p[1].n, way);
    l->facing = -sp_inner(l->p[0].n, l->p[1].n);
    l->f = sp_inner(l->p[0].n, l->p[1].t);
    l->h = sp_inner(way, l->p[1].t);
    return true;
}

/* Move a parameter by a way along the curve, no farther than the normal turns by 0.6 rad. */
static void advance(const sp_curve *c, const sp_curve_at *p, double way, double *s)
{
    const double turn = fabs(p->curvature * way), part = turn > 0.6 ? 0.6 / turn : 1.0;
    *s = sp_curve_wrap(c, *s + part * way / p->speed);
}

/* Newton on [Pfeiffer99 eq 26]: with c = t_b.t_a,                                 theory (20.18)
 *
 *     (k_a (1 + g k_b) + facing k_b) x_b = k_a h - f,     c x_a = (1 + g k_b) x_b - h
 *
 * False if it goes astray, an open curve ends before, or it is no contact. */
static bool follow(const sp_curve_side c[2], const double start[2], double size, double *work,
                   look *l)
{
    double s[2] = {start[0], start[1]}, last = INFINITY;
    for (int k = 0; k < NEWTON_MAX; k++) {
        if (!look_at(c, s, work, l) || !(l->facing > 0.1)) {
            return false;
        }
        const double residual = fmax(fabs(l->f), fabs(l->h) / size);
        const double k_a = l->p[0].curvature, k_b = l->p[1].curvature, reach = 1.0 + l->g * k_b;
        if (residual < 1e-15 || (residual < 1e-9 && residual >= 0.5 * last)) {
            return reach > 1e-6 && k_a * reach + k_b > 0.0;
        }
        last = residual;
        const double A = k_a * reach + l->facing * k_b, right = k_a * l->h - l->f;
        const double x_b = A * right / (A * A + 1e-24 * (k_a * k_a + k_b * k_b) + 1e-300);
        const double x_a = (reach * x_b - l->h) / sp_inner(l->p[0].t, l->p[1].t);
        advance(c[0].curve, &l->p[0], x_a, &s[0]);
        advance(c[1].curve, &l->p[1], x_b, &s[1]);
    }
    return false;
}

static sp_meeting meeting_of(const look *l)
{
    return (sp_meeting){.g = l->g,
                        .n = l->p[1].n,
                        .point = {sp_axpy(l->p[1].r, l->g, l->p[1].n), l->p[1].r},
                        .bend = {l->p[0].curvature, l->p[1].curvature}};
}

/* For every sample of a the nearest of b; the best ones that are apart on a, and the smallest
 * distance of all. */
static int find_starts(const sp_curve_side c[2], double start[START_MAX][2], double *smallest)
{
    const sp_curve *a = c[0].curve, *b = c[1].curve;
    double score[START_MAX];
    int n = 0;
    *smallest = INFINITY;
    for (int i = 0; i < a->n_sample; i++) {
        const sp_vec world = sp_pose2_place(&c[0].frame, a->sample[i].r);
        const sp_vec r = sp_rotate_back(c[1].frame.R, sp_sub(world, c[1].frame.x));
        double least = INFINITY, at = 0.0;
        for (int j = 0; j < b->n_sample; j++) {
            const sp_vec d = sp_sub(b->sample[j].r, r);
            const double square = sp_inner(d, d);
            at = square < least ? b->sample[j].s : at;
            least = square < least ? square : least;
        }
        *smallest = fmin(*smallest, sqrt(least));
        int k = 0; /* a place in the list: that of a start nearby, a free one, or the worst */
        while (k < n && fabs(start[k][0] - a->sample[i].s) > 0.2 * (a->hi - a->lo)) {
            k++;
        }
        if (k == START_MAX) {
            k = 0;
            for (int w = 1; w < n; w++) {
                k = score[w] > score[k] ? w : k;
            }
        }
        if (k == n || least < score[k]) {
            n = k == n ? n + 1 : n;
            score[k] = least;
            start[k][0] = a->sample[i].s;
            start[k][1] = at;
        }
    }
    return n;
}

/* The nearest points found so far: of all, and of those that penetrate. */
typedef struct best {
    sp_meeting all, deep;
    bool any, any_deep;
} best;

static void keep(const sp_meeting *found, best *b)
{
    if (!b->any || fabs(found->g) < fabs(b->all.g)) {
        b->all = *found;
        b->any = true;
    }
    if (found->g <= 0.0 && (!b->any_deep || found->g > b->deep.g)) {
        b->deep = *found;
        b->any_deep = true;
    }
}

void sp_curve_swap(sp_meeting *l)
{
    const sp_meeting m = *l;
    l->n = sp_scale(-1.0, m.n);
    for (int k = 0; k < 2; k++) {
        l->point[k] = m.point[1 - k];
        l->corner[k] = m.corner[1 - k];
        l->bend[k] = m.bend[1 - k];
    }
}

/* Ends of an open curve as corners against the other curve; swap: they belong to b. */
static void meet_ends(sp_curve_side ends, sp_curve_side other, bool swap, double *work, best *b)
{
    for (int k = 0; k < 2 && !ends.curve->closed; k++) {
        const sp_vec end = ends.curve->sample[k == 0 ? 0 : ends.curve->n_sample - 1].r;
        sp_meeting l = {.feature = SP_CURVE_ALONG};
        if (!sp_curve_meet_disc(sp_pose2_place(&ends.frame, end), 0.0, other, NULL, 0, work, &l)) {
            continue;
        }
        l.corner[0] = true;
        if (swap) {
            sp_curve_swap(&l);
        }
        keep(&l, b);
    }
}

/* The nearest of all pairs of points found, ends among them.  Where two samples are nearer than
 * that, the curves cross and the least penetration counts.  False if there is none. */
static bool meet_curve(const sp_curve_side c[2], double *work, sp_meeting *out)
{
    const double size = fmin(c[0].curve->size, c[1].curve->size);
    double start[START_MAX][2], least;
    const int n = find_starts(c, start, &least);
    best b = {.any = false};
    for (int k = 0; k < n; k++) {
        look l;
        if (follow(c, start[k], size, work, &l)) {
            const sp_meeting found = meeting_of(&l);
            keep(&found, &b);
        }
    }
    meet_ends(c[0], c[1], false, work, &b);
    meet_ends(c[1], c[0], true, work, &b);
    const bool crossing = b.any && b.all.g > least * (1.0 + 1e-9);
    *out = crossing ? b.deep : b.all;
    return crossing ? b.any_deep : b.any;
}

/* ---- where Newton's method finds nothing ----------------------------------------------------- */

enum { CANDIDATES = 6, GOLDEN_MAX = 48 };
#define GOLDEN 0.6180339887498949

/* Curve c[0] looked through for what of it is lowest over c[1].   theory (54.9) */
typedef struct hunt {
    const sp_curve_side *c;
    double *work;
} hunt;

static const sp_slot whole = {.places = NULL}; /* all of a curve, with its back as it is */

/* Part of curve a between two samples around one that is lower than both. */
typedef struct valley {
    double lo, at, hi, value;
} valley;

/* Height of the point of a at s over b; INFINITY if it is not found. */
static double height_at(const hunt *h, double s, sp_meeting *out)
{
    const sp_curve_side *a = &h->c[0];
    sp_curve_at p;
    if (!sp_curve_eval(a->curve, sp_curve_wrap(a->curve, s), h->work, &p) ||
        !sp_curve_meet_disc(sp_pose2_place(&a->frame, p.r), 0.0, h->c[1], &whole, 0, h->work,
                            out)) {
        *out = (sp_meeting){.g = INFINITY, .corner = {true, true}};
        return INFINITY;
    }
    out->bend[0] = p.curvature;
    return out->g;
}

/* About how high sample i of a is over b. */
static double height_near(const hunt *h, int i)
{
    const sp_curve *b = h->c[1].curve;
    const sp_vec world = sp_pose2_place(&h->c[0].frame, h->c[0].curve->fine[i].r);
    const sp_vec x = sp_rotate_back(h->c[1].frame.R, sp_sub(world, h->c[1].frame.x));
    double least = INFINITY;
    sp_curve_foot foot = {.s = b->lo};
    for (int k = 0; k < b->n_fine; k++) {
        const sp_vec d = sp_sub(b->fine[k].r, x);
        const double square = sp_inner(d, d);
        foot.s = square < least ? b->fine[k].s : foot.s;
        least = square < least ? square : least;
    }
    return sp_curve_is_behind(b, &foot, x, 0.0, h->work) ? -sqrt(least) : sqrt(least);
}

/* Keep the lowest valleys, by rising value. */
static int keep_valley(valley *list, int n, valley v)
{
    if (n == CANDIDATES && !(v.value < list[n - 1].value)) {
        return n;
    }
    int k = n < CANDIDATES ? n : n - 1;
    for (; k > 0 && list[k - 1].value > v.value; k--) {
        list[k] = list[k - 1];
    }
    list[k] = v;
    return n < CANDIDATES ? n + 1 : n;
}

/* The lowest valleys of curve a between its samples. */
static int find_valleys(const hunt *h, valley list[CANDIDATES])
{
    const sp_curve *a = h->c[0].curve;
    const int last = a->n_fine - 1;
    const double period = a->hi - a->lo;
    double before = a->closed ? height_near(h, last - 1) : INFINITY, now = height_near(h, 0);
    int n = 0;
    for (int i = 0; i <= (a->closed ? last - 1 : last); i++) {
        const double next = i < last ? height_near(h, i + 1) : INFINITY;
        if (now <= before && now <= next) {
            const double lo = i > 0       ? a->fine[i - 1].s
                              : a->closed ? a->fine[last - 1].s - period
                                          : a->lo;
            n = keep_valley(list, n,
                            (valley){lo, a->fine[i].s, i < last ? a->fine[i + 1].s : a->hi, now});
        }
        before = now;
        now = next;
    }
    return n;
}

/* The lowest point of a in a valley by the golden section; out: its meeting. */
static double sink(const hunt *h, const valley *v, sp_meeting *out)
{
    double lo = v->lo, hi = v->hi, a = hi - GOLDEN * (hi - lo), b = lo + GOLDEN * (hi - lo);
    double at_a = height_at(h, a, out), at_b = height_at(h, b, out);
    for (int k = 0; k < GOLDEN_MAX; k++) {
        if (at_a < at_b) {
            hi = b;
            b = a;
            at_b = at_a;
            a = hi - GOLDEN * (hi - lo);
            at_a = height_at(h, a, out);
        } else {
            lo = a;
            a = b;
            at_a = at_b;
            b = lo + GOLDEN * (hi - lo);
            at_b = height_at(h, b, out);
        }
    }
    const double s = at_a < at_b ? a : b;
    height_at(h, s, out);
    return s;
}

/* The parameter of b's point of a meeting, where it is no corner. */
static double foot_of(const hunt *h, const sp_meeting *m)
{
    const sp_curve_side *b = &h->c[1];
    sp_curve_foot foot = {.s = b->curve->lo};
    sp_curve_nearest(b->curve, sp_rotate_back(b->frame.R, sp_sub(m->point[1], b->frame.x)), h->work,
                     &foot);
    return foot.s;
}

/* Whether the outer side of a at s is what faces b; its back is deep in the material of the other.
 */
static bool faces(const hunt *h, double s, const sp_meeting *m)
{
    sp_curve_at p;
    return sp_curve_eval(h->c[0].curve, s, h->work, &p) &&
           sp_inner(sp_rotate(h->c[0].frame.R, p.n), m->n) < 0.0;
}

/* Newton's method from a place of a valley; only what is in it, on the slot, and no higher counts.
 */
static bool follow_valley(const hunt *h, const valley *v, double s, const sp_meeting *from,
                          double off, sp_meeting *out)
{
    const sp_curve *a = h->c[0].curve;
    const double size = fmin(a->size, h->c[1].curve->size), period = a->hi - a->lo;
    const double start[2] = {sp_curve_wrap(a, s), foot_of(h, from)};
    look l;
    if (from->corner[1] || !follow(h->c, start, size, h->work, &l)) {
        return false;
    }
    const double at = a->closed && l.s[0] > v->hi ? l.s[0] - period : l.s[0];
    *out = meeting_of(&l);
    return at >= v->lo && at <= v->hi && l.g <= from->g + 1e-12 * size && l.g >= from->g - off;
}

/* Whether the point of a at s is nearest to an end of b. */
static bool is_corner(const hunt *h, double s)
{
    sp_meeting m = {.feature = SP_CURVE_ALONG};
    height_at(h, s, &m);
    return m.corner[1];
}

/* The meeting in a valley: by Newton's method, or by the golden section and then again.  g
 * infinite: none, or one at an end of b, which is looked at by itself. */
static sp_meeting settle_valley(const hunt *h, const valley *v)
{
    sp_meeting rough = {.feature = SP_CURVE_ALONG}, exact = rough;
    height_at(h, v->at, &rough);
    if (isfinite(rough.g) && follow_valley(h, v, v->at, &rough, INFINITY, &exact)) {
        return exact;
    }
    if (rough.corner[1] && is_corner(h, v->lo) && is_corner(h, v->hi)) {
        rough.g = INFINITY;
        return rough;
    }
    const double s = sink(h, v, &rough);
    if (follow_valley(h, v, s, &rough, 1e-6 * h->c[0].curve->size, &exact)) {
        return exact;
    }
    const bool good = !rough.corner[1] && faces(h, sp_curve_wrap(h->c[0].curve, s), &rough);
    rough.g = good ? rough.g : INFINITY;
    return rough;
}

/* A point of b as a corner against curve a, kept if it is the nearest. */
static void meet_corner(const hunt *h, sp_vec own, sp_meeting *out)
{
    sp_meeting l = {.feature = SP_CURVE_ALONG};
    if (sp_curve_meet_disc(sp_pose2_place(&h->c[1].frame, own), 0.0, h->c[0], &whole, 0, h->work,
                           &l) &&
        l.g < out->g) {
        l.corner[0] = true;
        sp_curve_swap(&l);
        *out = l;
    }
}

/* The longest way between two samples. */
static double spacing(const sp_curve *c)
{
    double most = 0.0;
    for (int i = 0; i + 1 < c->n_fine; i++) {
        most = fmax(most, sp_length(sp_sub(c->fine[i + 1].r, c->fine[i].r)));
    }
    return most;
}

/* The lowest point of curve a over b, ends of both among them: slower than meet_curve, and found
 * wherever they are. */
static bool meet_anyhow(const sp_curve_side c[2], double *work, sp_meeting *out)
{
    const hunt h = {c, work};
    const sp_curve *a = c[0].curve, *b = c[1].curve;
    const double apart = 2.0 * (spacing(a) + spacing(b));
    valley list[CANDIDATES];
    const int n = find_valleys(&h, list);
    out->g = INFINITY;
    for (int i = 0; i < n && list[i].value <= list[0].value + apart; i++) {
        const sp_meeting found = settle_valley(&h, &list[i]);
        *out = found.g < out->g ? found : *out;
    }
    for (int k = 0; k < 2 && !a->closed; k++) {
        sp_meeting end = {.feature = SP_CURVE_ALONG};
        if (height_at(&h, k == 0 ? a->lo : a->hi, &end) < out->g) {
            end.corner[0] = true;
            *out = end;
        }
    }
    for (int k = 0; k < 2 && !b->closed; k++) {
        meet_corner(&h, b->fine[k == 0 ? 0 : b->n_fine - 1].r, out);
    }
    return isfinite(out->g);
}

/* A whole arc against a curve: a disc.  Swapped back if the arc is the second of the two. */
static bool meet_round(sp_curve_side arc, sp_curve_side other, const sp_slot *s, bool swap,
                       bool followed, double *work, sp_meeting *out)
{
    const sp_vec center = sp_pose2_place(&arc.frame, arc.curve->at);
    const int held = followed ? SP_CURVE_FOLLOWED : 0;
    if (!sp_curve_meet_disc(center, arc.curve->radius, other, s, held, work, out)) {
        return false;
    }
    out->bend[0] = 1.0 / arc.curve->radius;
    if (swap) {
        sp_curve_swap(out);
    }
    return true;
}

bool sp_curve_meet_two(const sp_curve_side c[2], const sp_slot *s, bool followed, double *work,
                       sp_meeting *out)
{
    if (sp_curve_is_round(c[0].curve)) {
        return meet_round(c[0], c[1], s, false, followed, work, out);
    }
    if (sp_curve_is_round(c[1].curve)) {
        return meet_round(c[1], c[0], s, true, followed, work, out);
    }
    return meet_curve(c, work, out) || meet_anyhow(c, work, out);
}
