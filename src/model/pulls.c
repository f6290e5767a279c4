/* model/pulls.c - the rows of model/pulls.h. */
#include "model/pulls.h"

#include <math.h>
#include <stddef.h>

/* Gas in one or two chambers: pull = sum_k A_k (p_k - ambient), p_k = p_0k (V_0k / V_k)^n, with the
 * work p_0 V_0 ((V_0/V)^(n-1) - 1)/(n-1) + ambient (V - V_0) since x = rest.   theory (3.42) */
static sp_pull gas(const sp_force_numbers *n, double x, double v)
{
    const sp_gas_numbers *g = &n->gas;
    sp_pull p = {.force = 0.0};
    (void)v;
    for (int k = 0; k < 2; k++) {
        if (g->area[k] != 0.0) {
            const double slope = g->area[k] / g->volume[k], by = g->exponent[k] - 1.0;
            const double ratio = 1.0 - g->area[k] * (x - n->rest) / g->volume[k];
            const double pressure = g->pressure[k] * pow(ratio, -g->exponent[k]);
            const double work = by != 0.0 ? expm1(-by * log(ratio)) / by : -log(ratio);
            p.force += g->area[k] * (pressure - g->ambient);
            p.d_x += g->area[k] * pressure * g->exponent[k] / ratio * slope;
            p.energy += g->volume[k] * (g->pressure[k] * work + g->ambient * (ratio - 1.0));
        }
    }
    return p;
}

/* Oil through a hole: pull = c x' |x'|, c by the sense of x'.   theory (3.43) */
static sp_pull orifice(const sp_force_numbers *n, double x, double v)
{
    const double c = v > 0.0 ? n->orifice.growing : n->orifice.shrinking;
    (void)x;
    return (sp_pull){.force = c * v * fabs(v), .d_v = 2.0 * c * fabs(v)};
}

/* Two poles: pull = k/x^2, nearer than the cut-off as there; V = -k/x, zero far away.
 * theory (3.48) */
static sp_pull magnet(const sp_force_numbers *n, double x, double v)
{
    const double k = n->number[0], near = n->number[1];
    (void)v;
    if (x < near) {
        const double force = k / (near * near);
        return (sp_pull){.force = force, .energy = force * (x - near) - k / near};
    }
    const double force = k / (x * x);
    return (sp_pull){.force = force, .d_x = -2.0 * force / x, .energy = -k / x};
}

static const sp_pull_law table[] = {
    {.key = "gas", .at = gas},
    {.key = "orifice", .angles = true, .damps = true, .at = orifice},
    {.key = "magnet",
     .number = {{"strength", 3, 1, -2, .zero = true}, {"cutoff", 1, 0, 0, .zero = false}},
     .at = magnet},
};

const sp_pull_law *sp_pull_law_at(int k)
{
    return k < (int)(sizeof table / sizeof *table) ? &table[k] : NULL;
}
