#include "analysis/verify_parts.h"

#include <math.h>
#include <string.h>

#define NARROWEST                                                                                  \
    1e-6 /* of the machine, or rad: places in narrower ranges are round-off of runs                \
          */

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
        const double arm = sp_model_arm(m);
        const double other = largest_of(m, angle ? "m" : "rad", n, q, rates);
        const double same = angle ? other / arm : other * arm, whole = angle ? 1.0 : arm;
        size = fmax(size, SP_VERIFY_BESIDE * same);
        size = rates ? size : fmax(size, fmin(SP_VERIFY_KNOWN * whole, same)); /* (57.33) */
        size = rates ? size : fmax(size, SP_VERIFY_LEAST * whole);
    }
    return !rates && angle && size > 1.0 ? 1.0 : size > 0.0 ? size : 1.0;
}

int sp_verify_stops(const sp_model *m, sp_verify_stop *stop)
{
    int n = 0;
    for (int i = 0; i + 1 < m->n_slot; i++) {
        const sp_slot *a = &m->slot[i], *b = &m->slot[i + 1];
        if (!a->is.rule || !b->is.rule || a->is.gapless || a->contact != b->contact) {
            continue;
        }
        const sp_rule *low = &m->rule[a->rule], *high = &m->rule[b->rule];
        const double range = low->offset + high->offset;
        if (low->sign == -high->sign && range > 0.0 && isfinite(range)) {
            const double whole = low->angle ? 1.0 : m->extent.length;
            stop[n++] = (sp_verify_stop){i, fmax(range, NARROWEST * whole)};
        }
    }
    return n;
}

/* Where one of two bodies is reached, so is the other, unless it is the ground; whether that is
 * new. */
static bool join(unsigned char *reached, int a, int b)
{
    if (a <= 0 || b <= 0 || reached[a] == reached[b]) {
        return false;
    }
    reached[a] = reached[b] = 1;
    return true;
}

/* All bodies of the contours of a pool, as if each were near each. */
static bool join_pool(const sp_model *m, const sp_pool *p, unsigned char *reached)
{
    bool more = false;
    for (int i = 0; i < p->n_a; i++) {
        for (int k = 0; k < p->n_b; k++) {
            more = join(reached, m->contour[p->a[i]].body, m->contour[p->b[k]].body) || more;
        }
    }
    return more;
}

/* One round over all that joins bodies. */
static bool reach_further(const sp_model *m, unsigned char *reached)
{
    bool more = false;
    for (int i = 1; i < m->n_body; i++) {
        more = join(reached, i, m->body[i].parent) || more;
    }
    for (int i = 0; i < m->n_slot + m->n_bond; i++) {
        more = join(reached, m->slot[i].body_a, m->slot[i].body_b) || more;
    }
    for (int i = 0; i < m->n_pool; i++) {
        more = join_pool(m, &m->pool[i], reached) || more;
    }
    for (int i = 0; i < m->n_force; i++) {
        more = join(reached, m->force[i].body[0], m->force[i].body[1]) || more;
    }
    return more;
}

bool sp_verify_joined(const sp_model *m, const int body[2], int dof, unsigned char *reached)
{
    const int of = m->dof[dof].body;
    if (of == SP_NONE || (body[0] <= 0 && body[1] <= 0)) {
        return true;
    }
    memset(reached, 0, (size_t)m->n_body);
    for (int k = 0; k < 2; k++) {
        if (body[k] > 0) {
            reached[body[k]] = 1;
        }
    }
    while (reach_further(m, reached)) {
    }
    return reached[of] != 0;
}
