#include "model/curve.h"

#include "base/status.h"
#include "math/spline.h"
#include "model/bent.h"
#include "model/teeth.h"

#include <math.h>

enum {
    SAMPLE_ARC = 24, /* steps along a whole turn or less      */
    SAMPLE_FORMULA = 128,
    SAMPLE_PIECE = 4, /* steps between two points of a spline, and along an arc of teeth */
    NEWTON_MAX = 60,
    JUMP_HALVINGS = 44, /* of a sample's step: down to round-off of the parameter */
    FINE_MAX = 128      /* parts that a step may be divided into */
};

#define ON_LINE     1e-12 /* sine of an angle that is none */
#define JUMP_LEAST  1e-6  /* of the curve: shorter jumps are passed over by contacts            */
#define RESOLVED    0.1   /* part of the curvature that a straight line between samples misses */
#define FLAT        1e-4  /* rad between two samples: as good as straight                      */
#define MOST_COARSE 0.1   /* of all steps: more that samples do not resolve are waves, not kinks   */

size_t sp_curve_work(const sp_curve *c)
{
    size_t most = 0;
    for (int k = 0; k < 2 && c->kind == SP_CURVE_FORMULA; k++) {
        const size_t n = sp_program_work(c->program[k], 2);
        most = n > most ? n : most;
    }
    return most;
}

/* Value and two derivatives of a program of one variable. */
static void eval_program(const sp_program *p, double s, double *work, double f[3])
{
    double grad[1] = {0.0}, hess[1] = {0.0};
    f[0] = sp_program_hess(p, &s, grad, hess, work);
    f[1] = sp_program_n_input(p) > 0 ? grad[0] : 0.0;
    f[2] = sp_program_n_input(p) > 0 ? hess[0] : 0.0;
}

/* Place and derivatives in the curve's own frame. */
static void eval_own(const sp_curve *c, double s, double *work, sp_vec r[3])
{
    if (c->kind == SP_CURVE_ARC) {
        const sp_vec e = {cos(s), sin(s)};
        r[0] = sp_scale(c->radius, e);
        r[1] = (sp_vec){-r[0].y, r[0].x};
        r[2] = sp_scale(-1.0, r[0]);
    } else if (c->kind == SP_CURVE_SPLINE) {
        sp_spline_weights w;
        sp_spline_weigh(c->n, c->knot, s, &w);
        const int i = w.piece;
        for (int k = 0; k < 3; k++) {
            const double *b = w.w[k];
            r[k].x = b[0] * c->x[i] + b[1] * c->x[i + 1] + b[2] * c->x_b[i] + b[3] * c->x_b[i + 1];
            r[k].y = b[0] * c->y[i] + b[1] * c->y[i + 1] + b[2] * c->y_b[i] + b[3] * c->y_b[i + 1];
        }
    } else if (c->kind == SP_CURVE_TEETH) {
        sp_teeth_eval(c->teeth, s, r);
    } else if (c->kind == SP_CURVE_BENT) {
        sp_bent_line(c->bent, s, c->height, r);
    } else {
        double x[3], y[3];
        eval_program(c->program[0], s, work, x);
        eval_program(c->program[1], s, work, y);
        for (int k = 0; k < 3; k++) {
            r[k] = (sp_vec){x[k], y[k]};
        }
    }
}

/* Curvature: with n = side (t turned by -90 degrees), n' = k t speed, k = -n.dd/speed^2. */
bool sp_curve_eval(const sp_curve *c, double s, double *work, sp_curve_at *out)
{
    sp_vec r[3];
    eval_own(c, s, work, r);
    out->r = sp_add(c->at, sp_rotate(c->turn, r[0]));
    out->d = sp_rotate(c->turn, r[1]);
    out->dd = sp_rotate(c->turn, r[2]);
    out->speed = sp_length(out->d);
    out->t = sp_scale(1.0 / out->speed, out->d);
    out->n = sp_scale(c->side, sp_right_of(out->t));
    out->curvature = -sp_inner(out->n, out->dd) / (out->speed * out->speed);
    return isfinite(out->curvature) && isfinite(out->r.x) && isfinite(out->r.y);
}

double sp_curve_wrap(const sp_curve *c, double s)
{
    if (c->closed) {
        const double period = c->hi - c->lo;
        s -= period * floor((s - c->lo) / period);
        return s < c->hi ? s : c->lo;
    }
    return s < c->lo ? c->lo : s > c->hi ? c->hi : s;
}

/* ---- making ---------------------------------------------------------------------------------- */

/* Parameter of sample k of n. */
static double sample_at(const sp_curve *c, int k, int n)
{
    if (c->kind == SP_CURVE_SPLINE) { /* even in every piece */
        const int piece = k / SAMPLE_PIECE < c->n - 1 ? k / SAMPLE_PIECE : c->n - 2;
        const double part = (double)(k - piece * SAMPLE_PIECE) / SAMPLE_PIECE;
        return (1.0 - part) * c->knot[piece] + part * c->knot[piece + 1];
    }
    if (c->kind == SP_CURVE_TEETH && k + 1 < n) { /* even in every arc */
        const int arc = k / SAMPLE_PIECE;
        const sp_teeth_arc *a = &c->teeth->arc[arc % SP_TEETH_ARC];
        const double part = (double)(k - arc * SAMPLE_PIECE) / SAMPLE_PIECE;
        return arc / SP_TEETH_ARC * c->teeth->length + a->s + part * a->length;
    }
    return c->lo + (c->hi - c->lo) * ((double)k / (n - 1));
}

/* Whether a curve by expressions comes back to where it began, with two derivatives. */
static bool closes(const sp_curve *c, double size, double *work)
{
    sp_curve_at first, last;
    return sp_curve_eval(c, c->lo, work, &first) && sp_curve_eval(c, c->hi, work, &last) &&
           sp_length(sp_sub(first.r, last.r)) <= 1e-9 * size &&
           sp_length(sp_sub(first.t, last.t)) <= 1e-7 &&
           fabs(first.curvature - last.curvature) <= 1e-6 * (fabs(first.curvature) + 1.0 / size);
}

/* By how much the way between two places differs from what their tangents make of it. */
static double off_tangents(const sp_curve_at *a, const sp_curve_at *b, double ds)
{
    const sp_vec way = sp_scale(0.5 * ds, sp_add(a->d, b->d));
    return sp_length(sp_sub(sp_sub(b->r, a->r), way));
}

/* Whether the curve jumps between two parameters: a part of the way that stays as it is while the
 * parameters close in on it, and that no tangent explains.  *at: where. */
static bool jumps(const sp_curve *c, double lo, double hi, double size, double *work, double *at)
{
    sp_curve_at a, b, m;
    if (!sp_curve_eval(c, lo, work, &a) || !sp_curve_eval(c, hi, work, &b)) {
        return false;
    }
    for (int k = 0; k < JUMP_HALVINGS; k++) {
        *at = 0.5 * (lo + hi);
        if (!(off_tangents(&a, &b, hi - lo) > JUMP_LEAST * size)) {
            return false;
        }
        if (!sp_curve_eval(c, *at, work, &m)) {
            return true;
        }
        const double half = 0.5 * (hi - lo);
        const bool first = off_tangents(&a, &m, half) > off_tangents(&m, &b, half);
        *(first ? &b : &a) = m;
        *(first ? &hi : &lo) = *at;
    }
    return true;
}

/* Whether the curvature between two parameters is nearly that of a straight line between its ends;
 * looked at beside the middle, where waves as long as the step cannot hide.   theory (48.4) */
static bool is_resolved(const sp_curve *c, double lo, double hi, double *work)
{
    static const double part[] = {0.191, 0.382, 0.764};
    sp_curve_at a, b, p;
    if (!sp_curve_eval(c, lo, work, &a) || !sp_curve_eval(c, hi, work, &b)) {
        return true;
    }
    double off = 0.0, most = fmax(fabs(a.curvature), fabs(b.curvature)), speed = a.speed;
    for (int i = 0; i < 3; i++) {
        if (!sp_curve_eval(c, lo + part[i] * (hi - lo), work, &p)) {
            return true;
        }
        const double line = (1.0 - part[i]) * a.curvature + part[i] * b.curvature;
        off = fmax(off, fabs(p.curvature - line));
        most = fmax(most, fabs(p.curvature));
        speed = fmax(speed, p.speed);
    }
    return off <= RESOLVED * most || most * speed * (hi - lo) <= FLAT;
}

/* Into how many equal parts the step from sample k to the next is to be divided; *fine: whether
 * they are short enough then. */
static int fine_parts(const sp_curve *c, int k, double *work, bool *fine)
{
    const double lo = c->sample[k].s, way = c->sample[k + 1].s - lo;
    int n = 1;
    *fine = c->kind == SP_CURVE_TEETH; /* arcs, divided already */
    for (; !*fine && n < FINE_MAX; n = *fine ? n : 2 * n) {
        *fine = true;
        for (int i = 0; i < n && *fine; i++) {
            *fine = is_resolved(c, lo + way * i / n, lo + way * (i + 1) / n, work);
        }
    }
    return n;
}

/* The finer samples: the same where they are fine enough; *coarse: how many steps have no samples
 * that are. */
static bool refine_samples(sp_arena *a, sp_curve *c, double *work, int *coarse)
{
    int n = 1;
    bool good;
    *coarse = 0;
    c->n_fine = c->n_sample;
    c->fine = c->sample;
    for (int k = 0; k + 1 < c->n_sample && c->kind != SP_CURVE_ARC; k++) {
        n += fine_parts(c, k, work, &good);
        *coarse += !good;
    }
    if (n <= c->n_sample) {
        return true;
    }
    sp_curve_sample *fine = SP_NEW(a, sp_curve_sample, n);
    sp_curve_at at;
    n = 0;
    for (int k = 0; k + 1 < c->n_sample && fine; k++) {
        const sp_curve_sample *p = &c->sample[k];
        const int parts = fine_parts(c, k, work, &good);
        fine[n++] = *p;
        for (int i = 1; i < parts; i++) {
            const double s = p[0].s + (p[1].s - p[0].s) * i / parts;
            if (sp_curve_eval(c, s, work,
                              &at)) { /* else there is none: reported where it is needed */
                fine[n++] = (sp_curve_sample){s, at.r};
            }
        }
    }
    if (fine) {
        fine[n++] = c->sample[c->n_sample - 1];
        c->n_fine = n;
        c->fine = fine;
    }
    return fine != NULL;
}

sp_status sp_curve_finish(sp_arena *a, sp_curve *c, double *work, sp_error *err)
{
    const int n = c->kind == SP_CURVE_ARC      ? SAMPLE_ARC + 1
                  : c->kind == SP_CURVE_SPLINE ? (c->n - 1) * SAMPLE_PIECE + 1
                  : c->kind == SP_CURVE_TEETH  ? c->teeth->n * SP_TEETH_ARC * SAMPLE_PIECE + 1
                  : c->kind == SP_CURVE_BENT   ? c->n + 1
                                               : SAMPLE_FORMULA + 1;
    sp_curve_sample *sample = SP_NEW(a, sp_curve_sample, n);
    if (!sample) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory for a curve");
    }
    sp_vec low = {INFINITY, INFINITY}, high = {-INFINITY, -INFINITY};
    for (int k = 0; k < n; k++) {
        sp_curve_at at;
        sample[k].s = sample_at(c, k, n);
        if (!sp_curve_eval(c, sample[k].s, work, &at)) {
            return SP_FAIL(
                err, SP_E_INPUT,
                "at parameter %g the curve stands still or is not finite, expected a smooth curve",
                sample[k].s);
        }
        sample[k].r = at.r;
        low = (sp_vec){fmin(low.x, at.r.x), fmin(low.y, at.r.y)};
        high = (sp_vec){fmax(high.x, at.r.x), fmax(high.y, at.r.y)};
    }
    c->n_sample = n;
    c->sample = sample;
    c->size = sp_length(sp_sub(high, low));
    c->closed = c->closed || (c->kind == SP_CURVE_FORMULA && closes(c, c->size, work));
    double at;
    for (int k = 0; k + 1 < n && c->kind == SP_CURVE_FORMULA; k++) {
        if (jumps(c, sample[k].s, sample[k + 1].s, c->size, work, &at)) {
            return SP_FAIL(
                err, SP_E_INPUT,
                "at parameter %.6g the curve jumps, expected one whose parts join; write "
                "teeth as 'polygon', or join the parts by steep ones",
                at);
        }
    }
    int coarse;
    if (!refine_samples(a, c, work, &coarse)) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory for a curve");
    }
    if (coarse > MOST_COARSE * n) { /* a few have kinks */
        return SP_FAIL(
            err, SP_E_INPUT,
            "too many waves: in %d of %d parts the curve bends more finely than %d samples "
            "resolve, and contacts would miss them; shorten it, or use several curves",
            coarse, n - 1, FINE_MAX);
    }
    return c->size > 0.0 ? SP_OK : SP_FAIL(err, SP_E_INPUT, "the curve has no length");
}

sp_status sp_curve_spline(sp_arena *a, int n, const double (*point)[2], bool closed, sp_curve *c,
                          int *wrong)
{
    const int m = closed ? n + 1 : n;
    double *knot = SP_NEW(a, double, 9 * (size_t)m), *x = knot + m, *y = x + m;
    *wrong = -1;
    if (!knot) {
        return SP_E_MEMORY;
    }
    for (int i = 0; i < m; i++) {
        x[i] = point[i % n][0];
        y[i] = point[i % n][1];
        knot[i] = i == 0 ? 0.0 : knot[i - 1] + hypot(x[i] - x[i - 1], y[i] - y[i - 1]);
        if (!isfinite(knot[i]) || (i > 0 && !(knot[i] > knot[i - 1]))) {
            *wrong = i % n;
            return SP_E_INPUT;
        }
    }
    *c = (sp_curve){.kind = SP_CURVE_SPLINE,
                    .hi = knot[m - 1],
                    .closed = closed,
                    .side = 1.0,
                    .turn = {1.0, 0.0},
                    .n = m,
                    .knot = knot,
                    .x = x,
                    .y = y,
                    .x_b = y + m,
                    .y_b = y + 2 * m};
    sp_spline_bend(m, knot, x, 1, closed, y + 3 * m, y + m);
    sp_spline_bend(m, knot, y, 1, closed, y + 3 * m, y + 2 * m);
    return SP_OK;
}

/* Whether c is between a and b, which are on one line with it. */
static bool is_between(sp_vec a, sp_vec b, sp_vec c)
{
    return sp_inner(sp_sub(c, a), sp_sub(c, b)) < 0.0;
}

/* Two parts of a broken line that are no neighbours cross; on one line, if they overlap. */
static bool parts_cross(sp_vec a, sp_vec b, sp_vec c, sp_vec d)
{
    const sp_vec ab = sp_sub(b, a), cd = sp_sub(d, c), ac = sp_sub(c, a), ad = sp_sub(d, a);
    const double c_side = sp_cross(ab, ac), d_side = sp_cross(ab, ad);
    const double a_side = sp_cross(cd, sp_sub(a, c)), b_side = sp_cross(cd, sp_sub(b, c));
    if (fabs(c_side) <= ON_LINE * sp_length(ab) * sp_length(ac) &&
        fabs(d_side) <= ON_LINE * sp_length(ab) * sp_length(ad)) {
        return is_between(a, b, c) || is_between(a, b, d) || is_between(c, d, a);
    }
    return ((c_side > 0.0) != (d_side > 0.0)) && ((a_side > 0.0) != (b_side > 0.0));
}

sp_status sp_curve_check(const sp_curve *c, sp_error *err)
{
    const int n = c->n_sample - 1;
    for (int i = 0; i < n; i++) {
        for (int j = i + 2; j < n; j++) {
            const sp_curve_sample *a = &c->sample[i], *b = &c->sample[j];
            if (!(c->closed && i == 0 && j == n - 1) &&
                parts_cross(a[0].r, a[1].r, b[0].r, b[1].r)) {
                return SP_FAIL(err, SP_E_INPUT,
                               "the curve crosses itself near (%.6g, %.6g) m, expected one that "
                               "does not",
                               a->r.x, a->r.y);
            }
        }
    }
    return SP_OK;
}

double sp_curve_area(const sp_curve *c)
{
    double area = 0.0;
    for (int k = 0; k + 1 < c->n_sample; k++) {
        area += 0.5 * sp_cross(sp_sub(c->sample[k].r, c->sample[0].r),
                               sp_sub(c->sample[k + 1].r, c->sample[0].r));
    }
    return area;
}

/* ---- extreme points -------------------------------------------------------------------------- */

/* What is made smallest over s: half the square of the distance from x, or -e.r. */
typedef struct goal {
    bool nearest;
    sp_vec x, e;
} goal;

static double goal_value(const goal *g, sp_vec r)
{
    const sp_vec d = sp_sub(r, g->x);
    return g->nearest ? 0.5 * sp_inner(d, d) : -sp_inner(g->e, r);
}

/* First and second derivative by s. */
static void goal_slopes(const goal *g, const sp_curve_at *at, double slope[2])
{
    if (g->nearest) {
        const sp_vec d = sp_sub(at->r, g->x);
        slope[0] = sp_inner(d, at->d);
        slope[1] = at->speed * at->speed + sp_inner(d, at->dd);
    } else {
        slope[0] = -sp_inner(g->e, at->d);
        slope[1] = -sp_inner(g->e, at->dd);
    }
}

/* Newton between two samples around the smallest one, with bisection where it leaves them. */
static bool refine(const sp_curve *c, const goal *g, double low, double high, double *work,
                   sp_curve_foot *foot)
{
    double s = 0.5 * (low + high), slope[2];
    sp_curve_at at;
    for (int k = 0; k < NEWTON_MAX; k++) {
        if (!sp_curve_eval(c, sp_curve_wrap(c, s), work, &at)) {
            return false;
        }
        goal_slopes(g, &at, slope);
        if (slope[0] == 0.0) {
            break;
        }
        *(slope[0] > 0.0 ? &high : &low) = s;
        double next = slope[1] > 0.0 ? s - slope[0] / slope[1] : 0.5 * (low + high);
        next = next > low && next < high ? next : 0.5 * (low + high);
        if (fabs(next - s) <= 1e-16 * (c->hi - c->lo) || next == s) {
            break;
        }
        s = next;
    }
    foot->s = sp_curve_wrap(c, s);
    foot->end = 0;
    return true;
}

/* The best sample decides; an end of an open curve is the place if the goal falls towards it. */
static bool find_foot(const sp_curve *c, const goal *g, double *work, sp_curve_foot *foot)
{
    int best = 0;
    const int last = c->n_fine - 1;
    const sp_curve_sample *sample = c->fine;
    double least = INFINITY;
    for (int k = 0; k <= last; k++) {
        const double value = goal_value(g, sample[k].r);
        if (value < least) {
            least = value;
            best = k;
        }
    }
    double low = sample[best > 0 ? best - 1 : 0].s;
    double high = sample[best < last ? best + 1 : last].s;
    if (c->closed && (best == 0 || best == last)) {
        low = sample[last - 1].s - (c->hi - c->lo);
        high = sample[1].s;
    } else if (best == 0 || best == last) {
        sp_curve_at at;
        double slope[2];
        if (!sp_curve_eval(c, sample[best].s, work, &at)) {
            return false;
        }
        goal_slopes(g, &at, slope);
        if (best == 0 ? slope[0] >= 0.0 : slope[0] <= 0.0) {
            *foot = (sp_curve_foot){sample[best].s, best == 0 ? -1 : 1};
            return true;
        }
    }
    return refine(c, g, low, high, work, foot);
}

bool sp_curve_nearest(const sp_curve *c, sp_vec x, double *work, sp_curve_foot *foot)
{
    if (c->kind == SP_CURVE_ARC && c->closed) { /* the whole circle: where x points to */
        const sp_vec d = sp_rotate_back(c->turn, sp_sub(x, c->at));
        *foot = (sp_curve_foot){sp_curve_wrap(c, atan2(d.y, d.x)), 0};
        return true;
    }
    if (c->kind == SP_CURVE_TEETH) {
        const sp_vec own = sp_rotate_back(c->turn, sp_sub(x, c->at));
        *foot = (sp_curve_foot){sp_curve_wrap(c, sp_teeth_nearest(c->teeth, own)), 0};
        return true;
    }
    const goal g = {.nearest = true, .x = x};
    return find_foot(c, &g, work, foot);
}

bool sp_curve_farthest(const sp_curve *c, sp_vec e, double *work, sp_curve_foot *foot)
{
    const goal g = {.nearest = false, .e = e};
    return find_foot(c, &g, work, foot);
}

/* Sample k of a part, which of a closed curve may go on beyond its end. */
static const sp_curve_sample *part_sample(const sp_curve *c, const sp_curve_part *part, int k,
                                          double *turn)
{
    const int n = c->n_sample - 1, i = part->first + k;
    *turn = i > n ? c->hi - c->lo : 0.0;
    return &c->sample[i > n ? i - n : i];
}

/* Its parameter, within the part. */
static double part_at(const sp_curve *c, const sp_curve_part *part, int k)
{
    double turn;
    const double s = part_sample(c, part, k, &turn)->s;
    return fmin(part->hi, fmax(part->lo, s + turn));
}

/* Whether the goal is least at an end of a part: it falls towards it. */
static bool is_at_end(const sp_curve *c, const goal *g, double s, int end, double *work)
{
    sp_curve_at at;
    double slope[2];
    if (!sp_curve_eval(c, sp_curve_wrap(c, s), work, &at)) {
        return false;
    }
    goal_slopes(g, &at, slope);
    return end < 0 ? slope[0] >= 0.0 : slope[0] <= 0.0;
}

bool sp_curve_farthest_on(const sp_curve *c, const sp_curve_part *part, sp_vec e, double *work,
                          sp_curve_foot *foot)
{
    const goal g = {.nearest = false, .e = e};
    if (part->whole) {
        return find_foot(c, &g, work, foot);
    }
    int best = 0;
    double least = INFINITY, turn;
    for (int k = 0; k < part->n; k++) {
        const double value = goal_value(&g, part_sample(c, part, k, &turn)->r);
        if (value < least) {
            least = value;
            best = k;
        }
    }
    if (best == 0 && is_at_end(c, &g, part->lo, -1, work)) {
        *foot = (sp_curve_foot){sp_curve_wrap(c, part->lo), -1};
        return true;
    }
    if (best == part->n - 1 && is_at_end(c, &g, part->hi, 1, work)) {
        *foot = (sp_curve_foot){sp_curve_wrap(c, part->hi), 1};
        return true;
    }
    const double low = best > 0 ? part_at(c, part, best - 1) : part->lo;
    const double high = best < part->n - 1 ? part_at(c, part, best + 1) : part->hi;
    return refine(c, &g, low, high, work, foot);
}

/* ---- stretches ------------------------------------------------------------------------------- */

double sp_curve_value(const sp_curve_search *search, sp_vec r)
{
    return search->nearest ? sp_length(sp_sub(r, search->x)) : -sp_inner(search->e, r);
}

double sp_curve_glance(const sp_curve_stretch *on, const sp_curve_search *search)
{
    double least = INFINITY;
    for (int k = 0; k < on->n; k++) {
        const double value = sp_curve_value(search, on->sample[k].r);
        least = value < least ? value : least;
    }
    return least;
}

/* The minimum next to sample k, kept if it is the best. */
static bool look_near(const sp_curve *c, const sp_curve_stretch *on, int k, double *work,
                      sp_curve_search *search)
{
    const goal g = {.nearest = search->nearest, .x = search->x, .e = search->e};
    const int last = on->n - 1, end = k == 0 ? -1 : k == last ? 1 : 0;
    sp_curve_foot foot = {on->sample[k].s, end};
    sp_curve_at at;
    if (end == 0 || !is_at_end(c, &g, foot.s, end, work)) {
        const double low = on->sample[k > 0 ? k - 1 : 0].s;
        if (!refine(c, &g, low, on->sample[k < last ? k + 1 : last].s, work, &foot)) {
            return false;
        }
    }
    foot.s = sp_curve_wrap(c, foot.s);
    if (!sp_curve_eval(c, foot.s, work, &at)) {
        return false;
    }
    const double value = sp_curve_value(search, at.r);
    if (value < search->least) {
        search->least = value;
        search->foot = foot;
        search->on = on;
    }
    return true;
}

bool sp_curve_look(const sp_curve *c, const sp_curve_stretch *on, double below, double *work,
                   sp_curve_search *search)
{
    double before = INFINITY, now = sp_curve_value(search, on->sample[0].r);
    for (int k = 0; k < on->n; k++) {
        const double next = k + 1 < on->n ? sp_curve_value(search, on->sample[k + 1].r) : INFINITY;
        if (now <= before && now <= next && now < below + on->apart &&
            !look_near(c, on, k, work, search)) {
            return false;
        }
        before = now;
        now = next;
    }
    return true;
}
