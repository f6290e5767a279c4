#include "expr/samples.h"

#include "expr/program.h"

#include <math.h>

enum { HALVINGS = 6 };   /* of the time between two samples                */
enum { DEPTH = 40 };     /* of that of a mean                              */
enum { PIECES = 65536 }; /* parts of a time that a mean is the sum of, at most */
enum { LOW_POWER = 4 };  /* a power that no step of high order passes over         */

#define SEEN_SHARE 0.05  /* of what samples see: so much more may be between them            */
#define STEEP      16.0  /* times what samples see: no smooth term is steeper over a step       */
#define SAME_MEAN  1e-10 /* of a mean: what its quadrature may be wrong by                   */
#define SLIGHT     1e-3  /* of its largest value: a peak in a place that is lower may stay unseen */
#define UNSEEN     1e-12 /* of its largest value: less does not matter in a run of 1e6 pulses   */

/* Whether p stays within `range` between a and b: its hull, of parts where that is not tight enough
 * yet; *rate: raised to its largest rate. */
static bool stays_within(const sp_program *p, double a, double b, sp_span range, double *rate,
                         void *work)
{
    double end[HALVINGS + 1];
    int n = 0;
    end[n++] = b;
    while (n > 0) {
        const double hi = end[n - 1];
        const sp_bounds f = sp_program_bounds(p, a, hi, NULL, work);
        if (f.f.lo >= range.lo && f.f.hi <= range.hi) {
            *rate = fmax(*rate, fmax(-f.d.lo, f.d.hi));
            a = hi;
            n--;
        } else if (n > HALVINGS || !(f.mid >= range.lo && f.mid <= range.hi)) {
            return false;
        } else {
            end[n++] = a + 0.5 * (hi - a);
        }
    }
    return true;
}

/* Whether p rises or falls all the way, its rates being within `rate`, and nowhere much faster than
 * elsewhere: samples see it, whatever their values are.   theory (64.9a) */
static bool is_one_way(sp_span rate)
{
    const double slow = fmax(rate.lo, -rate.hi), fast = fmax(-rate.lo, rate.hi);
    return slow > 0.0 && fast <= STEEP * slow;
}

bool sp_program_seen(const sp_program *p, int n, const double *t, double size, void *work)
{
    const sp_bounds all = sp_program_bounds(p, t[0], t[n - 1], NULL, work);
    sp_span range = {INFINITY, -INFINITY};
    if (is_one_way(all.d)) {
        return true;
    }
    for (int i = 0; i < n; i++) {
        const double f = sp_program_value(p, &t[i], work);
        range.lo = fmin(range.lo, f);
        range.hi = fmax(range.hi, f);
    }
    size = isfinite(size) ? size : fmax(-range.lo, range.hi);
    const double wide = range.hi - range.lo, more = SEEN_SHARE * wide + UNSEEN * size;
    const double steep = (STEEP * wide + UNSEEN * size) / (t[n - 1] - t[0]);
    double rate = 0.0;
    range = (sp_span){range.lo - more, range.hi + more};
    if (all.f.lo >= range.lo && all.f.hi <= range.hi && fmax(-all.d.lo, all.d.hi) <= steep) {
        return true;
    }
    for (int i = 0; i + 1 < n; i++) {
        if (!stays_within(p, t[i], t[i + 1], range, &rate, work)) {
            return false;
        }
    }
    return !isfinite(rate) || rate <= steep;
}

double sp_program_bend(const sp_program *p, double t, double dt, void *work)
{
    const double at[3] = {t, t + 0.5 * dt, t + dt};
    double f[3];
    for (int i = 0; i < 3; i++) {
        f[i] = sp_program_value(p, &at[i], work);
    }
    return f[1] - 0.5 * (f[0] + f[2]);
}

bool sp_program_followed(const sp_program *p, double t, double dt, double size, double bends,
                         void *work)
{
    const double at[3] = {t, t + 0.5 * dt, t + dt};
    return sp_program_seen(p, 3, at, size, work) &&
           !(fabs(sp_program_bend(p, t, dt, work)) > bends * size);
}

/* Simpson's rule. */
static double simpson(const sp_program *p, double a, double b, void *work)
{
    const double t[3] = {a, a + 0.5 * (b - a), b};
    double f[3];
    for (int i = 0; i < 3; i++) {
        f[i] = sp_program_value(p, &t[i], work);
    }
    return (b - a) / 6.0 * (f[0] + 4.0 * f[1] + f[2]);
}

double sp_program_mean(const sp_program *p, double t, double dt, double size, void *work)
{
    double end[DEPTH], a = t, sum = 0.0;
    int n = 0, pieces = 1;
    end[n++] = t + dt;
    while (n > 0 && isfinite(sum)) {
        const double b = end[n - 1], at[3] = {a, a + 0.5 * (b - a), a + (b - a)};
        const double whole = simpson(p, a, b, work);
        const double halves = simpson(p, a, at[1], work) + simpson(p, at[1], b, work);
        const double allowed = SAME_MEAN * fabs(halves) + UNSEEN * size * (b - a);
        if (n < DEPTH && pieces < PIECES && isfinite(halves) &&
            (!(fabs(halves - whole) <= allowed) || !sp_program_seen(p, 3, at, size, work))) {
            end[n++] = at[1];
            pieces++;
            continue;
        }
        sum += halves;
        a = b;
        n--;
    }
    return sum / dt;
}

/* ---- along a motion -------------------------------------------------------------------------- */

bool sp_program_is_gentle(const sp_program *p)
{
    static const unsigned long long sharp = SP_OP_BIT(TAN) | SP_OP_BIT(ASIN) | SP_OP_BIT(ACOS) |
                                            SP_OP_BIT(ATAN) | SP_OP_BIT(SINH) | SP_OP_BIT(COSH) |
                                            SP_OP_BIT(TANH) | SP_OP_BIT(EXP) | SP_OP_BIT(LOG) |
                                            SP_OP_BIT(POW) | SP_OP_BIT(POW_C) | SP_OP_BIT(ATAN2);
    for (int k = 0; k < p->n_instr; k++) {
        const sp_instr *i = &p->instr[k];
        const double y = i->y >> SP_AT_SHIFT == SP_AT_CONST ? p->constant[i->y & SP_AT_MASK] : NAN;
        if ((sharp >> i->op & 1u) || (i->op == SP_OP_DIV && isnan(y)) ||
            (i->op == SP_OP_POW_N && !(y >= 0.0 && y <= LOW_POWER)) ||
            (i->op == SP_OP_TABLE && p->table[(int)y]->bend)) {
            return false;
        }
    }
    return true;
}

double sp_program_most(const sp_program *p, sp_bounds *at, void *work)
{
    for (int j = 0; j < p->n_input; j++) {
        at[j] = (sp_bounds){{-INFINITY, INFINITY}, {-INFINITY, INFINITY}, 0.0};
    }
    const sp_bounds all = sp_program_bounds_over(p, at, INFINITY, work);
    return fmax(-all.f.lo, all.f.hi);
}

/* How far input j is from the straight line between places i and i + 1 of a course, at most. */
static double strays(const sp_course *c, int i, int j)
{
    double most = 0.0;
    for (int k = i < 1 ? 1 : i; k <= i + 1 && k + 1 < c->n; k++) {
        const double *in = c->in + k * c->n_in + j;
        most = fmax(most, fabs(in[-c->n_in] - 2.0 * in[0] + in[c->n_in]));
    }
    return 0.25 * most; /* twice that of a parabola */
}

/* Inputs over a part of the way from place i on, from a to b of it. */
static void inputs_over(const sp_course *c, int i, double a, double b, sp_bounds *at)
{
    const double *first = c->in + i * c->n_in, *last = first + c->n_in;
    const double h = c->t[i + 1] - c->t[i];
    for (int j = 0; j < c->n_in; j++) {
        const double all = last[j] - first[j], x = first[j] + a * all, y = first[j] + b * all;
        const double e = strays(c, i, j), rate = all / h, turn = 4.0 * e / h;
        at[j] = (sp_bounds){
            {fmin(x, y) - e, fmax(x, y) + e}, {rate - turn, rate + turn}, x + 0.5 * (y - x)};
    }
}

/* How much of the way from place i on p stays within `range`; *rate: raised to its largest rate. */
static double clear_way(const sp_program *p, const sp_course *c, int i, sp_span range, double *rate,
                        sp_bounds *at, void *work)
{
    double end[HALVINGS + 1], a = 0.0;
    const double h = c->t[i + 1] - c->t[i];
    int n = 0;
    end[n++] = 1.0;
    while (n > 0) {
        const double b = end[n - 1];
        inputs_over(c, i, a, b, at);
        const sp_bounds f = sp_program_bounds_over(p, at, 0.5 * (b - a) * h, work);
        const bool any = !isfinite(f.f.lo) || !isfinite(f.f.hi); /* hulls say nothing */
        if ((f.f.lo >= range.lo && f.f.hi <= range.hi) || (any && n > HALVINGS)) {
            *rate = fmax(*rate, fmax(-f.d.lo, f.d.hi));
            a = b;
            n--;
        } else if (n > HALVINGS || !(f.mid >= range.lo && f.mid <= range.hi)) {
            break;
        } else {
            end[n++] = a + 0.5 * (b - a);
        }
    }
    return a;
}

double sp_program_shown(const sp_program *p, const sp_course *c, double size, sp_bounds *at,
                        void *work)
{
    const double *t = c->t, whole = t[c->n - 1] - t[0];
    sp_span range = {INFINITY, -INFINITY};
    double rate = 0.0;
    for (int i = 0; i < c->n; i++) {
        const double f = sp_program_value(p, c->in + i * c->n_in, work);
        range.lo = fmin(range.lo, f);
        range.hi = fmax(range.hi, f);
    }
    size = isfinite(size) ? size : fmax(-range.lo, range.hi);
    const double wide = range.hi - range.lo, more = SEEN_SHARE * wide + SLIGHT * size;
    range = (sp_span){range.lo - more, range.hi + more};
    for (int i = 0; i + 1 < c->n; i++) {
        const double a = clear_way(p, c, i, range, &rate, at, work);
        if (a < 1.0) {
            return t[i] + a * (t[i + 1] - t[i]);
        }
    }
    const bool steep = isfinite(rate) && rate * whole > STEEP * (wide + SLIGHT * size);
    return steep ? t[0] + 0.5 * whole : t[c->n - 1];
}
