#include "math/cheb.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#if defined(__GNUC__) && !defined(__clang__)
#define UNROLL _Pragma("GCC unroll 9")
#else
#define UNROLL /* done without asking */
#endif

enum {
    LEAVES = 4,  /* halvings of an interval before g is interpolated anew on a part             */
    BITS = 52,   /* halvings of one on which the polynomial is g: what double precision holds   */
    LEVELS = 40, /* intervals within each other                                                 */
    EVALS = 400, /* evaluations after which what is left is taken for round-off                 */
    SAME = 5,    /* intervals within each other with the same rest: it is round-off             */
    STEPS = 160  /* to a root, at worst three for each halving                                 */
};

/* What an interpolation of degree 8 makes of noise, its own included: 1 + 2.27.   theory (65.4) */
static const double LEBESGUE = 3.3;

/* From block to block of coefficients: those of a smooth function decay faster than SMOOTH, those
 * of a kink, with the square of their number, do not; what is left out is not trusted to decay
 * faster than FASTEST, by 4 from one to the next.   theory (65.2) */
static const double SMOOTH = 1.0 / 16.0, FASTEST = 1.0 / 64.0;

/* ---- interpolation ------------------------------------------------------------------------ */

/* cos(pi k/8). */
static const double COS[2 * SP_CHEB_MAX] = {
    1.0,  0.92387953251128675613,  0.70710678118654752440,  0.38268343236508977173,
    0.0,  -0.38268343236508977173, -0.70710678118654752440, -0.92387953251128675613,
    -1.0, -0.92387953251128675613, -0.70710678118654752440, -0.38268343236508977173,
    0.0,  0.38268343236508977173,  0.70710678118654752440,  0.92387953251128675613};

double sp_cheb_point(int n, double a, double b, int k)
{
    assert(n == 4 || n == 8);
    const double part = 0.5 * (1.0 - COS[k * (SP_CHEB_MAX / n)]);
    return k == n ? b : a + part * (b - a);
}

/* The largest of |c[first]| .. |c[last]|. */
static double largest(const double *c, int first, int last)
{
    double most = 0.0;
    for (int k = first; k <= last; k++) {
        most = fabs(c[k]) > most ? fabs(c[k]) : most;
    }
    return most;
}

/* What an interpolation leaves out, from two blocks of coefficients: with r the ratio of their
 * largest, the blocks to come sum up to a geometric series; one that does not converge is that of a
 * kink or a jump, whose rest is not larger than 2 n coefficients.   theory (65.2) */
static double rest_of(int n, const double *c, double noise)
{
    const int block = n == 4 ? 2 : 3; /* coefficients, so that no symmetry hides them all */
    const double low = largest(c, n - 2 * block + 1, n - block),
                 high = largest(c, n - block + 1, n);
    const double r = high / low; /* NaN: both are zero */
    return !(high > noise) ? 0.0
                           : 2.0 * n * high *
                                 (!(r < SMOOTH) ? 1.0
                                  : r > FASTEST ? r
                                                : FASTEST);
}

/* c_j = 2/n sum'' g(x_k) T_j(x_k), the first and last of both halved.  Unrolled the cosines are
 * constants. */
static inline void fit_of(int n, const double *restrict value, double *restrict c)
{
    const int stride = SP_CHEB_MAX / n, middle = n / 2;
    UNROLL
    for (int odd = 0; odd < 2; odd++) { /* x_k = -cos(pi k/n); both ends belong together */
        const double sign = odd ? -1.0 : 1.0;
        double pair[SP_CHEB_MAX / 2 + 1] = {0.5 * (value[0] + sign * value[n])};
        UNROLL
        for (int k = 1; k < middle; k++) {
            pair[k] = value[k] + sign * value[n - k];
        }
        pair[middle] = value[middle];
        UNROLL
        for (int j = odd; j <= n; j += 2) {
            double sum = pair[0];
            UNROLL
            for (int k = 1; k <= middle - odd; k++) {
                sum += pair[k] * COS[(j * k * stride) & (2 * SP_CHEB_MAX - 1)];
            }
            c[j] = sign * (j == 0 || j == n ? 1.0 : 2.0) / n * sum;
        }
    }
}

sp_cheb sp_cheb_fit(int n, double a, double b, const double *value, double noise)
{
    sp_cheb p = {.n = n, .a = a, .b = b};
    if (n == 8) {
        fit_of(8, value, p.c);
    } else {
        fit_of(4, value, p.c);
    }
    p.rest = rest_of(n, p.c, noise);
    return p;
}

double sp_cheb_lowest(const sp_cheb *p, double margin)
{
    double most = 0.0; /* |T_k| <= 1 */
    for (int k = 1; k <= p->n; k++) {
        most += fabs(p->c[k]);
    }
    return p->c[0] - margin * most;
}

double sp_cheb_value(const sp_cheb *p, double t, double *slope)
{
    const double x = ((t - p->a) - (p->b - t)) / (p->b - p->a);
    double b0 = p->c[p->n], b1 = 0.0, d0 = 0.0, d1 = 0.0; /* Clenshaw, and its derivative */
    for (int k = p->n - 1; k >= 0; k--) {
        const double two = k > 0 ? 2.0 : 1.0;
        const double b = p->c[k] + two * x * b0 - b1, d = two * (x * d0 + b0) - d1;
        b1 = b0;
        b0 = b;
        d1 = d0;
        d0 = d;
    }
    *slope = 2.0 * d0 / (p->b - p->a);
    return b0;
}

/* ---- bounds ------------------------------------------------------------------------------- */

/* A part of the interval, s from 0 to 1 along it, and the Bernstein coefficients there. */
typedef struct piece {
    double s0, s1;
    double b[SP_CHEB_MAX + 1];
} piece;

/* T_k in Bernstein's basis of degree 8, and of degree 4; the other halves mirror these, odd ones
 * with the other sign.   theory (65.3) */
static const double OF_8[9][5] = {{1.0, 1.0, 1.0, 1.0, 1.0},
                                  {-1.0, -3.0 / 4.0, -1.0 / 2.0, -1.0 / 4.0, 0.0},
                                  {1.0, 0.0, -5.0 / 7.0, -8.0 / 7.0, -9.0 / 7.0},
                                  {-1.0, 5.0 / 4.0, 25.0 / 14.0, 33.0 / 28.0, 0.0},
                                  {1.0, -3.0, -9.0 / 7.0, 11.0 / 7.0, 99.0 / 35.0},
                                  {-1.0, 21.0 / 4.0, -39.0 / 14.0, -143.0 / 28.0, 0.0},
                                  {1.0, -8.0, 13.0, 0.0, -429.0 / 35.0},
                                  {-1.0, 45.0 / 4.0, -65.0 / 2.0, 143.0 / 4.0, 0.0},
                                  {1.0, -15.0, 65.0, -143.0, 1287.0 / 7.0}};
static const double OF_4[5][5] = {{1.0, 1.0, 1.0},
                                  {-1.0, -1.0 / 2.0, 0.0},
                                  {1.0, -1.0, -5.0 / 3.0},
                                  {-1.0, 7.0 / 2.0, 0.0},
                                  {1.0, -7.0, 35.0 / 3.0}};

/* Bernstein coefficients of a polynomial; trailing coefficients that noise hides are left out. */
static void to_bernstein(const sp_cheb *p, double noise, double *b)
{
    const double(*of)[5] = p->n == 4 ? OF_4 : OF_8;
    const int n = p->n, middle = n / 2;
    int m = n;
    for (double left = 0.5 * noise; m > 1 && fabs(p->c[m]) <= left; m--) {
        left -= fabs(p->c[m]);
    }
    double half[2][SP_CHEB_MAX / 2 + 1] = {{0.0}}; /* even and odd part */
    for (int k = 0; k <= m; k++) {
        double *to = half[k & 1];
        const double c = p->c[k], *from = of[k];
        UNROLL
        for (int i = 0; i <= SP_CHEB_MAX / 2; i++) {
            to[i] += c * from[i];
        }
    }
    for (int i = 0; i <= middle; i++) {
        b[n - i] = half[0][i] - half[1][i];
        b[i] = half[0][i] + half[1][i];
    }
}

/* Coefficients on the two halves; the left ones in place.  Unrolled they stay in registers. */
static inline void halve_of(int m, double *restrict left, double *restrict right)
{
    double b[SP_CHEB_MAX + 1];
    UNROLL
    for (int i = 0; i <= m; i++) {
        b[i] = left[i];
    }
    UNROLL
    for (int k = 1; k <= m; k++) { /* de Casteljau */
        right[m - k + 1] = b[m - k + 1];
        UNROLL
        for (int i = 0; i <= m - k; i++) {
            b[i] = 0.5 * (b[i] + b[i + 1]);
        }
        left[k] = b[0];
    }
    right[0] = b[0];
}

/* Cut a piece in two halves; the left one stays. */
static void halve(int m, piece *left, piece *right)
{
    const double middle = 0.5 * (left->s0 + left->s1);
    right->s0 = middle;
    right->s1 = left->s1;
    left->s1 = middle;
    if (m == 8) {
        halve_of(8, left->b, right->b);
    } else {
        halve_of(4, left->b, right->b);
    }
}

/* Least and largest coefficient, and difference of neighbours. */
typedef struct range {
    double least, most, fall, rise; /* fall: the least difference, rise: the largest */
} range;

static inline range range_by(int m, const double *b)
{
    double least = b[0], most = b[0], fall = INFINITY, rise = -INFINITY;
    UNROLL
    for (int i = 1; i <= m; i++) {
        const double d = b[i] - b[i - 1];
        least = b[i] < least ? b[i] : least;
        most = b[i] > most ? b[i] : most;
        fall = d < fall ? d : fall;
        rise = d > rise ? d : rise;
    }
    return (range){least, most, fall, rise};
}

static range range_of(int m, const double *b)
{
    return m == 8 ? range_by(8, b) : range_by(4, b);
}

/* ---- the walk along one interval ---------------------------------------------------------- */

/* An interval on which g is interpolated. */
typedef struct level {
    sp_cheb p;
    double from;  /* s: what is before has been walked                            */
    int same;     /* intervals around it with no larger rest                      */
    bool settled; /* no interpolation on a part shows more   (65.5)               */
    bool rough;   /* ... because it does not converge: values alone count         */
    double value[SP_CHEB_MAX + 1];
} level;

typedef enum verdict { ABOVE, FALLS, FALLS_AT_ONCE, UNCLEAR } verdict;

/* Where a walk is, and what it ends with. */
typedef struct walk {
    double rest, fallen; /* |g - p|; p below this is g below -depth   */
    double noise;        /* of g                                      */
    double slope_rest;   /* |g - p| of the derivative by s            */
    bool settled;
    bool armed;     /* g has been above the noise                */
    double above;   /* s: g was above zero there                 */
    double unclear; /* s: it is not known since then, -1: it is  */
    double s0, s1;  /* what the verdict is about                 */
    double s_below; /* FALLS: a place behind s1 that is below    */
} walk;

typedef enum step { GO_ON, SPLIT, END } step;

/* A piece that is not above zero, is below, or is neither. */
static step judge_unclear(int m, const piece *p, const range *r, walk *w, verdict *v)
{
    const double width = p->s1 - p->s0;
    const bool clear = w->unclear < 0.0;
    const bool rises = m * r->fall > w->slope_rest * width;
    const bool drops = m * r->rise < -w->slope_rest * width;
    w->s_below = p->s1;
    if (clear && rises) { /* from where it is above zero, or at its start, by so much at least */
        const double rise = m * r->fall - w->slope_rest * width;
        const bool up = p->b[m] > w->rest || rise > w->noise;
        w->armed = w->armed || up;
        w->above = up ? p->s1 : w->above;
        return GO_ON;
    }
    if (clear && drops && p->b[m] < w->fallen && (!w->armed || p->b[0] > w->rest)) {
        w->s0 = p->s0;
        w->s1 = p->s1;
        *v = w->armed ? FALLS : w->settled ? FALLS_AT_ONCE : UNCLEAR;
        return END;
    }
    const double shortest = ldexp(1.0, w->settled ? -BITS : -LEAVES);
    const bool flat = r->least >= w->fallen && r->most <= w->rest; /* neither, all along */
    if (width > shortest && !flat) {
        return SPLIT;
    }
    w->unclear = clear ? p->s0 : w->unclear;
    return GO_ON;
}

/* The next piece of a walk. */
static step judge(int m, const piece *p, walk *w, verdict *v)
{
    const range r = range_of(m, p->b);
    const bool above = r.least > w->rest, below = r.most < w->fallen;
    if (!above && !below) {
        return judge_unclear(m, p, &r, w, v);
    }
    if (w->unclear >= 0.0 && !w->settled) {
        w->s0 = w->unclear;
        w->s1 = p->s0;
        *v = UNCLEAR;
        return END;
    }
    if (above) {
        w->armed = true;
        w->above = p->s1;
        w->unclear = -1.0;
        return GO_ON;
    }
    w->s0 = w->armed ? w->above : fmax(w->unclear, 0.0);
    w->s1 = p->s0;
    w->s_below = p->s1;
    *v = w->armed ? FALLS : FALLS_AT_ONCE;
    return END;
}

/* The first value that is clearly below zero, and the last above before. */
static verdict walk_values(const level *l, double fallen, walk *w)
{
    const int n = l->p.n;
    for (int k = 0; k <= n; k++) {
        const double s = sp_cheb_point(n, 0.0, 1.0, k);
        if (l->value[k] < fallen) {
            w->s0 = w->above;
            w->s1 = w->s_below = s;
            return w->armed ? FALLS : FALLS_AT_ONCE;
        }
        w->above = l->value[k] > 0.0 ? s : w->above;
        w->armed = w->armed || l->value[k] > -fallen;
    }
    return ABOVE;
}

/* Along the pieces of an interval from s = from to s = last. */
static verdict walk_along(const level *l, double noise, double last, walk *w)
{
    piece stack[BITS + 2];
    int top = 0;
    const int m = l->p.n;
    verdict v = ABOVE;
    if (sp_cheb_lowest(&l->p, 1.0) > w->rest) {
        w->armed = true;
        w->above = 1.0;
        return ABOVE;
    }
    stack[0].s0 = 0.0;
    stack[0].s1 = 1.0;
    to_bernstein(&l->p, noise, stack[0].b);
    while (top >= 0 && stack[top].s0 < last) {
        piece *p = &stack[top];
        if (p->s1 <= l->from) {
            top--;
            continue;
        }
        const step next = p->s0 < l->from ? SPLIT : judge(m, p, w, &v);
        if (next == END) {
            return v;
        }
        if (next == GO_ON) {
            top--;
        } else {
            piece left = *p;
            halve(m, &left, p);
            stack[++top] = left;
        }
    }
    if (w->unclear >= 0.0 && !w->settled) {
        w->s0 = w->unclear;
        w->s1 = 1.0;
        return UNCLEAR;
    }
    return ABOVE;
}

/* ---- the search --------------------------------------------------------------------------- */

/* g at t. */
static sp_status evaluate(const sp_cheb_search *x, double t, double *g, sp_fall *fall,
                          sp_error *err)
{
    fall->n_eval++;
    SP_TRY(x->g(x->ctx, t, g, err));
    return isnan(*g) ? SP_FAIL(err, SP_E_NONFINITE, "the indicator is not a number at t = %.17g", t)
                     : SP_OK;
}

/* g at t, which is there already at the ends and in the middle of the interval around. */
static sp_status look_up(const sp_cheb_search *x, double t, const level *around, double *g,
                         sp_fall *fall, sp_error *err)
{
    const sp_cheb *p = &around->p;
    for (int k = 0; k <= p->n; k += p->n / 2) {
        if (t == sp_cheb_point(p->n, p->a, p->b, k)) {
            *g = around->value[k];
            return SP_OK;
        }
    }
    return evaluate(x, t, g, fall, err);
}

/* Interpolate on a..b, a part of another interval. */
static sp_status refine(const sp_cheb_search *x, double a, double b, const level *around, level *l,
                        sp_fall *fall, sp_error *err)
{
    double value[SP_CHEB_MAX + 1];
    SP_TRY(look_up(x, a, around, &value[0], fall, err));
    for (int k = 1; k < x->n; k++) {
        SP_TRY(evaluate(x, sp_cheb_point(x->n, a, b, k), &value[k], fall, err));
    }
    SP_TRY(look_up(x, b, around, &value[x->n], fall, err));
    *l = (level){.p = sp_cheb_fit(x->n, a, b, value, x->noise)};
    l->same = l->p.rest > 0.75 * around->p.rest ? around->same + 1 : 0;
    l->rough = l->same > SAME || fall->n_eval > EVALS; /* noise, or a jump */
    l->settled = l->rough || !(l->p.rest > x->noise);
    memcpy(l->value, value, sizeof value);
    return SP_OK;
}

/* Where a root is known to be, and where it is looked for next. */
typedef struct bracket {
    double t0, t1, t;
    double width; /* three steps ago */
} bracket;

/* The next place after value at k->t: Newton's, unless that leaves the bracket or three steps have
 * not halved it.  False if the root is as near to k->t then as is wanted, or can be known. */
static bool next_place(bracket *k, int i, double value, double slope, double near)
{
    k->t0 = value > 0.0 ? k->t : k->t0;
    k->t1 = value > 0.0 ? k->t1 : k->t;
    const double newton = k->t - value / slope, middle = k->t0 + 0.5 * (k->t1 - k->t0);
    const bool inside = newton >= k->t0 && newton <= k->t1;
    const bool slow = i % 3 == 2 && k->t1 - k->t0 > 0.5 * k->width;
    if (value == 0.0 || (inside && fabs(newton - k->t) <= near)) {
        k->t = value == 0.0 ? k->t : newton;
        return false;
    }
    k->width = i % 3 == 2 ? k->t1 - k->t0 : k->width;
    k->t = inside && !slow ? newton : middle;
    return k->t1 - k->t0 > fmax(near, DBL_EPSILON * fabs(k->t));
}

/* The root of g between t0 and t1, from that of the polynomial, as near as is wanted.
 * theory (65.7) */
static sp_status polish(const sp_cheb_search *x, const level *l, double t0, double t1,
                        sp_fall *fall, sp_error *err)
{
    const sp_cheb *p = &l->p;
    const double t_near = l->rough ? 0.0 : x->t_near;
    bracket k = {t0, t1, 0.5 * (t0 + t1), t1 - t0};
    double slope, value = sp_cheb_value(p, k.t, &slope);
    for (int i = 0; i < STEPS && next_place(&k, i, value, slope, 0.5 * t_near); i++) {
        value = sp_cheb_value(p, k.t, &slope);
    }
    sp_cheb_value(p, k.t, &slope);
    bool near = p->rest + x->noise <= -0.5 * slope * t_near, zero = false;
    k = (bracket){t0, t1, k.t, t1 - t0};
    for (int i = 0; i < STEPS && !near; i++) {
        SP_TRY(evaluate(x, k.t, &value, fall, err));
        sp_cheb_value(p, k.t, &slope);
        zero = fabs(value) <= x->noise;
        near = zero || !next_place(&k, i, value, slope, t_near);
    }
    fall->t = l->rough && !zero ? k.t1 : k.t; /* a jump is behind */
    fall->slope = slope < 0.0 && !l->rough ? slope : 0.0;
    return SP_OK;
}

/* The walk along an interval, armed as it was before. */
static walk begin_walk(const sp_cheb_search *x, const level *l, bool armed)
{
    const double rest = l->p.rest + LEBESGUE * x->noise;
    return (walk){.rest = rest,
                  .fallen = -rest - x->depth,
                  .noise = LEBESGUE * x->noise,
                  .slope_rest = 2.0 * x->n * x->n * l->p.rest,
                  .settled = l->settled,
                  .armed = armed,
                  .above = l->from,
                  .unclear = -1.0};
}

/* A time between a and b at which g is above zero, sought ever nearer to a; a: there is none. */
static sp_status find_rise(const sp_cheb_search *x, double a, double b, double *t, sp_fall *fall,
                           sp_error *err)
{
    double value = 0.0;
    *t = b;
    while (!(value > x->noise) && *t > a) {
        const double way = 0.125 * (*t - a);
        *t = way > 4.0 * DBL_EPSILON * fabs(a) && way > DBL_MIN ? a + way : a;
        SP_TRY(evaluate(x, *t, &value, fall, err));
    }
    return SP_OK;
}

/* What a walk found: the fall.  Values alone do not show at once that none of them lies behind a
 * rise. */
static sp_status take_fall(const sp_cheb_search *x, const level *l, verdict v, const walk *w,
                           sp_fall *fall, sp_error *err)
{
    const sp_cheb *p = &l->p;
    const double width = p->b - p->a;
    double slope;
    fall->found = true;
    fall->t_below = p->a + w->s_below * width;
    fall->below = sp_cheb_value(p, fall->t_below, &slope);
    const double t1 = p->a + w->s1 * width;
    fall->t = p->a + w->s0 * width;
    double t0 = fall->t;
    if (v == FALLS_AT_ONCE && l->rough) {
        SP_TRY(find_rise(x, fall->t, t1, &t0, fall, err));
    }
    return v == FALLS || t0 > fall->t ? polish(x, l, t0, t1, fall, err) : SP_OK;
}

sp_status sp_cheb_first_fall(const sp_cheb_search *x, const double *value, sp_fall *fall,
                             sp_error *err)
{
    level stack[LEVELS];
    int top = 0;
    bool armed = value[0] > x->noise;
    *fall = (sp_fall){.found = false};
    for (int k = 0; k <= x->n; k++) {
        if (isnan(value[k])) {
            return SP_FAIL(err, SP_E_NONFINITE, "the indicator is not a number at t = %.17g",
                           sp_cheb_point(x->n, x->a, x->b, k));
        }
    }
    stack[0] = (level){.p = sp_cheb_fit(x->n, x->a, x->b, value, x->noise)};
    stack[0].settled = !(stack[0].p.rest > x->noise);
    memcpy(stack[0].value, value, (size_t)(x->n + 1) * sizeof *value);
    while (top >= 0) {
        level *l = &stack[top];
        const double width = l->p.b - l->p.a, last = (x->t_last - l->p.a) / width;
        walk w = begin_walk(x, l, armed);
        const verdict v =
            l->rough ? walk_values(l, -x->rough - x->depth, &w) : walk_along(l, x->noise, last, &w);
        armed = w.armed;
        if (v == FALLS || v == FALLS_AT_ONCE) {
            return take_fall(x, l, v, &w, fall, err);
        }
        if (v == ABOVE) {
            top--;
        } else {
            const double s1 = fmin(w.s1, w.s0 + 0.5); /* half of it at most */
            const double a = l->p.a + w.s0 * width, b = l->p.a + s1 * width;
            l->from = s1;
            if (top + 1 == LEVELS || !(a + 4.0 * DBL_EPSILON * fabs(a) < b)) {
                l->rough = l->settled = true; /* there are no times between */
                continue;
            }
            SP_TRY(refine(x, a, b, l, &stack[top + 1], fall, err));
            top++;
        }
    }
    return SP_OK;
}
