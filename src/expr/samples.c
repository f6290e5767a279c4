#include "expr/samples.h"

#include "expr/bounds.h"

#include <math.h>

enum { HALVINGS = 6 };   /* of the time between two samples                */
enum { DEPTH = 40 };     /* of that of a mean                              */
enum { PIECES = 65536 }; /* parts of a time that a mean is the sum of, at most */

#define SEEN_SHARE 0.05  /* of what samples see: so much more may be between them            */
#define STEEP      16.0  /* times what samples see: no smooth term is steeper over a step       */
#define SAME_MEAN  1e-10 /* of a mean: what its quadrature may be wrong by                   */
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

bool sp_program_seen(const sp_program *p, int n, const double *t, double size, void *work)
{
    sp_span range = {INFINITY, -INFINITY};
    for (int i = 0; i < n; i++) {
        const double f = sp_program_value(p, &t[i], work);
        range.lo = fmin(range.lo, f);
        range.hi = fmax(range.hi, f);
    }
    size = isfinite(size) ? size : fmax(-range.lo, range.hi);
    const double wide = range.hi - range.lo, more = SEEN_SHARE * wide + UNSEEN * size;
    const double steep = (STEEP * wide + UNSEEN * size) / (t[n - 1] - t[0]);
    const sp_bounds all = sp_program_bounds(p, t[0], t[n - 1], NULL, work);
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
