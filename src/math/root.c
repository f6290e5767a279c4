#include "math/root.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>

/* Time between two neighbouring numbers in double precision, where an interval holds the fewest. */
static double resolution(double a, double b)
{
    const double nearest = a < 0.0 && b > 0.0 ? 0.0 : fmin(fabs(a), fabs(b));
    return fmax(DBL_EPSILON * nearest, DBL_MIN);
}

/* NaN is neither above zero nor below. */
static sp_status check_sample(const sp_root_sample *at, sp_error *err)
{
    if (isnan(at->g) || isnan(at->rate)) {
        return SP_FAIL(err, SP_E_NONFINITE, "the indicator is not a number at t = %.17g", at->t);
    }
    return SP_OK;
}

/* ---- one root --------------------------------------------------------------------------- */

double sp_root_of(const sp_root_bracket *bracket)
{
    return fabs(bracket->g_a) <= fabs(bracket->g_b) ? bracket->a : bracket->b;
}

/* Where to look next: interpolate, truncate, project.
 *
 * The secant's root is moved towards the middle by 0.2 (b - a)^2 / first, so that the root changes
 * sides, then into reach of the middle, where reach is what bisection has in hand. */
static double itp_point(const sp_root_bracket *k, double first, double reach)
{
    const double width = k->b - k->a, middle = k->a + 0.5 * width;
    const double secant = k->a + width * (k->g_a / (k->g_a - k->g_b));
    const double side = secant <= middle ? 1.0 : -1.0;
    const double shift = 0.2 * width * (width / first);
    double t = fabs(middle - secant) > shift ? secant + side * shift : middle;
    if (!(fabs(t - middle) <= reach)) {
        t = middle - side * reach;
    }
    return t > k->a && t < k->b ? t : middle;
}

sp_status sp_root_shrink(sp_root_bracket *bracket, sp_root_function g, void *ctx, double t_tol,
                         sp_error *err)
{
    sp_root_bracket *k = bracket;
    assert(k->a <= k->b && (k->g_a <= 0.0 || k->g_b <= 0.0) && (k->g_a >= 0.0 || k->g_b >= 0.0));
    const double first = k->b - k->a, tol = fmax(t_tol, resolution(k->a, k->b));
    double half = tol; /* half the width that bisection, begun one step later, would have now */
    while (half < first) {
        half *= 2.0;
    }
    while (k->b - k->a > tol && k->g_a != 0.0 && k->g_b != 0.0) {
        sp_root_sample at = {.t = itp_point(k, first, half - 0.5 * (k->b - k->a))};
        if (at.t <= k->a || at.t >= k->b) {
            break; /* there is no number between a and b */
        }
        k->n_eval++;
        SP_TRY(g(ctx, at.t, &at.g, NULL, err));
        SP_TRY(check_sample(&at, err));
        if ((at.g > 0.0) == (k->g_a > 0.0) && at.g != 0.0) {
            k->a = at.t;
            k->g_a = at.g;
        } else {
            k->b = at.t;
            k->g_b = at.g;
        }
        half *= 0.5;
    }
    if (k->g_a == 0.0) {
        k->b = k->a;
        k->g_b = 0.0;
    } else if (k->g_b == 0.0) {
        k->a = k->b;
        k->g_a = 0.0;
    }
    return SP_OK;
}

/* ---- the first root --------------------------------------------------------------------- */

enum { DEPTH_MAX = 128 }; /* intervals waiting; each halves the one before it          */
static const double ERROR_SAFETY = 2.0; /* of the measured error of a cubic, see the header       */

/* The search: there is no root before a; the places on the stack follow, the nearest on top. */
typedef struct scan {
    sp_root_function g;
    void *ctx;
    double g_tol, t_tol;
    bool armed; /* g has been above g_tol, so that coming back is an event */
    sp_root_sample a, stack[DEPTH_MAX];
    int depth, n_eval;
} scan;

/* What is known of g on an interval. */
typedef struct piece {
    double low[5], high[5]; /* Bernstein coefficients that enclose g                      */
    bool falling, rising;   /* everywhere                                                  */
    sp_root_sample middle;
} piece;

typedef enum verdict { PASS, DIVIDE, DIVIDE_AT_MINIMUM, CROSSES, GRAZES } verdict;

/* g and its rate at t. */
static sp_status sample(scan *x, double t, sp_root_sample *at, sp_error *err)
{
    x->n_eval++;
    at->t = t;
    SP_TRY(x->g(x->ctx, t, &at->g, &at->rate, err));
    return check_sample(at, err);
}

/* Enclose g between a and b.  With w = b - a, d = g - p and e = w (g' - p') in the middle,
 * G = 16 d + 16 e (s - 1/2) as far as it is measured; s^2 (1-s)^2 is a sixth of the middle
 * Bernstein polynomial of degree 4, and its product with G has a derivative within G of zero. */
static sp_status enclose(scan *x, const sp_root_sample *a, const sp_root_sample *b, piece *p,
                         sp_error *err)
{
    const double w = b->t - a->t, ra = w * a->rate, rb = w * b->rate;
    SP_TRY(sample(x, a->t + 0.5 * w, &p->middle, err));
    const double d = p->middle.g - (0.5 * (a->g + b->g) + 0.125 * (ra - rb));
    const double e = w * p->middle.rate - (1.5 * (b->g - a->g) - 0.25 * (ra + rb));
    const double roundoff = 4.0 * DBL_EPSILON * fmax(fabs(a->g), fabs(b->g));
    const double G = ERROR_SAFETY * (16.0 * fabs(d) + 8.0 * fabs(e)) + roundoff;

    /* the cubic's coefficients c, those of degree 4, those of its derivative (degree 3) */
    const double c[4] = {a->g, a->g + ra / 3.0, b->g - rb / 3.0, b->g};
    const double q[5] = {c[0], 0.25 * (c[0] + 3.0 * c[1]), 0.5 * (c[1] + c[2]),
                         0.25 * (3.0 * c[2] + c[3]), c[3]};
    const double d1 = 3.0 * (c[2] - c[1]), r1 = (ra + 2.0 * d1) / 3.0, r2 = (2.0 * d1 + rb) / 3.0;
    for (int i = 0; i < 5; i++) {
        p->low[i] = q[i] - (i == 2 ? G / 6.0 : 0.0);
        p->high[i] = q[i] + (i == 2 ? G / 6.0 : 0.0);
    }
    p->falling = ra <= 0.0 && rb <= 0.0 && r1 + G < 0.0 && r2 + G < 0.0;
    p->rising = ra >= 0.0 && rb >= 0.0 && r1 - G > 0.0 && r2 - G > 0.0;
    return SP_OK;
}

/* Is g above the level everywhere? */
static bool above(const piece *p, double level)
{
    bool all = true;
    for (int i = 0; i < 5; i++) {
        all = all && p->low[i] > level;
    }
    return all;
}

/* Is g below the level everywhere? */
static bool below(const piece *p, double level)
{
    bool all = true;
    for (int i = 0; i < 5; i++) {
        all = all && p->high[i] < level;
    }
    return all;
}

/* g was above g_tol before: a root, a minimum within g_tol, neither, or not known yet? */
static verdict judge_armed(const scan *x, const sp_root_sample *a, const sp_root_sample *b,
                           const piece *p, bool shortest)
{
    if (above(p, x->g_tol)) {
        return PASS;
    }
    if (p->falling || shortest) {
        const bool minimum = b->rate == 0.0 || (shortest && b->rate > 0.0);
        if (minimum && fabs(b->g) <= x->g_tol) {
            return GRAZES;
        }
        return b->g <= 0.0 ? CROSSES : PASS;
    }
    if (p->rising) {
        return PASS;
    }
    if (above(p, -x->g_tol) && below(p, x->g_tol)) {
        return GRAZES;
    }
    return a->rate < 0.0 && b->rate > 0.0 && b->g > 0.0 ? DIVIDE_AT_MINIMUM : DIVIDE;
}

/* g began at zero and is not yet above g_tol: does it stay there, rise, or fall through? */
static verdict judge_unarmed(const scan *x, const sp_root_sample *b, const piece *p, bool shortest)
{
    const bool not_below = above(p, -x->g_tol);
    if (not_below && (b->g > x->g_tol || below(p, x->g_tol))) {
        return PASS;
    }
    if (b->g < -x->g_tol && (p->falling || shortest)) {
        return CROSSES;
    }
    return shortest ? PASS : DIVIDE;
}

/* The rate of an indicator as a function of its own. */
static sp_status rate_of(void *ctx, double t, double *rate, double *unused, sp_error *err)
{
    scan *x = ctx;
    double g;
    (void)unused;
    return x->g(x->ctx, t, &g, rate, err);
}

/* Put the minimum between a and b on the stack, or note that it is one of them: its rate is 0. */
static sp_status divide_at_minimum(scan *x, sp_error *err)
{
    sp_root_sample *a = &x->a, *b = &x->stack[x->depth - 1], low;
    sp_root_bracket k = {.a = a->t, .b = b->t, .g_a = a->rate, .g_b = b->rate};
    SP_TRY(sp_root_shrink(&k, rate_of, x, x->t_tol, err));
    x->n_eval += k.n_eval;
    SP_TRY(sample(x, sp_root_of(&k), &low, err));
    low.rate = 0.0;
    if (low.t <= a->t) {
        a->rate = 0.0;
    } else if (low.t >= b->t) {
        b->rate = 0.0;
    } else {
        x->stack[x->depth++] = low;
    }
    return SP_OK;
}

/* An indicator and the level at which its crossing counts. */
typedef struct shifted {
    const scan *x;
    double level;
} shifted;

/* g above that level, as a function of its own. */
static sp_status above_level(void *ctx, double t, double *g, double *rate, sp_error *err)
{
    const shifted *s = ctx;
    SP_TRY(s->x->g(s->x->ctx, t, g, rate, err));
    *g -= s->level;
    return SP_OK;
}

/* g crosses between a and b once: where?  If it never was above zero, where it leaves the band. */
static sp_status locate_crossing(scan *x, const sp_root_sample *a, const sp_root_sample *b,
                                 sp_root *root, sp_error *err)
{
    shifted s = {.x = x, .level = a->g > 0.0 ? 0.0 : -x->g_tol};
    sp_root_bracket k = {.a = a->t, .b = b->t, .g_a = a->g - s.level, .g_b = b->g - s.level};
    SP_TRY(sp_root_shrink(&k, above_level, &s, x->t_tol, err));
    const bool at_a = sp_root_of(&k) == k.a;
    *root = (sp_root){.kind = SP_ROOT_CROSSING,
                      .t = at_a ? k.a : k.b,
                      .before = k.a,
                      .after = k.b,
                      .g = (at_a ? k.g_a : k.g_b) + s.level,
                      .n_eval = x->n_eval + k.n_eval};
    return SP_OK;
}

/* The search ends with g touching zero. */
static void report_grazing(const scan *x, const sp_root_sample *at, sp_root *root)
{
    *root = (sp_root){.kind = SP_ROOT_GRAZING,
                      .t = at->t,
                      .before = at->t,
                      .after = at->t,
                      .g = at->g,
                      .n_eval = x->n_eval};
}

/* Deal with the interval between x->a and the nearest place on the stack; root is written where it
 * ends the search. */
static sp_status advance(scan *x, sp_root *root, sp_error *err)
{
    sp_root_sample *b = &x->stack[x->depth - 1];
    const bool shortest = b->t - x->a.t <= fmax(x->t_tol, resolution(x->a.t, b->t));
    piece p;
    SP_TRY(enclose(x, &x->a, b, &p, err));
    switch (x->armed ? judge_armed(x, &x->a, b, &p, shortest) : judge_unarmed(x, b, &p, shortest)) {
    case PASS:
        x->armed = x->armed || b->g > x->g_tol;
        x->a = *b;
        x->depth--;
        return SP_OK;
    case DIVIDE:
        x->stack[x->depth++] = p.middle;
        return SP_OK;
    case DIVIDE_AT_MINIMUM:
        return divide_at_minimum(x, err);
    case CROSSES:
        return locate_crossing(x, &x->a, b, root, err);
    case GRAZES:
        report_grazing(x, x->a.g < b->g ? &x->a : b, root);
        return SP_OK;
    }
    return SP_OK;
}

sp_status sp_root_first(int n_node, const sp_root_sample *node, sp_root_function g, void *ctx,
                        double g_tol, double t_tol, sp_root *root, sp_error *err)
{
    assert(n_node >= 2 && g_tol >= 0.0);
    scan x = {.g = g, .ctx = ctx, .g_tol = g_tol, .t_tol = t_tol};
    x.a = node[0];
    x.armed = node[0].g > g_tol;
    *root = (sp_root){.kind = SP_ROOT_NONE};
    SP_TRY(check_sample(&x.a, err));
    if (x.a.g < -g_tol) { /* below from the start */
        *root = (sp_root){.kind = SP_ROOT_CROSSING, .t = x.a.t, .g = x.a.g};
        root->before = root->after = x.a.t;
    }
    for (int next = 1; root->kind == SP_ROOT_NONE && (x.depth > 0 || next < n_node);) {
        if (x.depth == 0) {
            assert(node[next].t > x.a.t);
            x.stack[x.depth++] = node[next++];
            SP_TRY(check_sample(&x.stack[0], err));
        }
        if (x.n_eval > SP_ROOT_EVAL_MAX || x.depth == DEPTH_MAX) {
            return SP_FAIL(
                err, SP_E_NOT_CONVERGED,
                "the indicator is too rough near t = %.17g to find its first root within "
                "%d evaluations",
                x.a.t, SP_ROOT_EVAL_MAX);
        }
        SP_TRY(advance(&x, root, err));
    }
    root->n_eval = root->kind == SP_ROOT_NONE ? x.n_eval : root->n_eval;
    return SP_OK;
}
