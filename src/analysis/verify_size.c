#include "analysis/verify_size.h"

#include "integrators/stepper.h"

#include <math.h>
#include <string.h>

/* Largest |value| of all coordinates or velocities with a unit, in n samples. */
static double largest_of(const sp_model *m, const char *unit, int n, const double *q, bool rates)
{
    const size_t stride = (size_t)(rates ? m->n_dof : m->n_q);
    double size = 0.0;
    for (int i = 0; i < m->n_dof; i++) {
        for (int s = 0; s < n && strcmp(m->dof[i].unit, unit) == 0; s++) {
            const double value = fabs(q[(size_t)s * stride + (size_t)(rates ? i : m->dof[i].q)]);
            size = value > size ? value : size;
        }
    }
    return size;
}

double sp_verify_size(const sp_model *m, int k, int n, const double *q, bool rates)
{
    const char *unit = m->dof[k].unit;
    const bool angle = strcmp(unit, "rad") == 0, way = strcmp(unit, "m") == 0;
    double size = largest_of(m, unit, n, q, rates);
    if (angle || way) {
        const double arm = sp_stepper_arm(m);
        const double other = largest_of(m, angle ? "m" : "rad", n, q, rates);
        size = fmax(size, SP_VERIFY_BESIDE * (angle ? other / arm : other * arm));
        size = rates ? size : fmax(size, SP_VERIFY_LEAST * (angle ? 1.0 : arm));
    }
    return !rates && angle && size > 1.0 ? 1.0 : size > 0.0 ? size : 1.0;
}
