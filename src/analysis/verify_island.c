#include "analysis/verify_island.h"

#include <string.h>

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
