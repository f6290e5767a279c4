/* integrators/moreau_land.c - contacts without restitution land at the next midpoint instead of in
 * the other body.   theory (7.18) */
#include "integrators/moreau_parts.h"

#include <math.h>

double sp_step_reach(const sp_model *m, const sp_numbers *num, double dt)
{
    if (m->dim != 3) {
        return 0.0;
    }
    for (int i = 0; i < m->n_law; i++) {
        if (num->law[i].eps_N != 0.0) {
            return 0.0;
        }
    }
    const double *g = num->gravity;
    return 2.0 * dt * dt * sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
}

void sp_step_land(const sp_model *m, double dt, sp_con *con)
{
    for (int a = 0; a < con->n_active; a++) {
        const int slot = con->active[a];
        const double g_M = con->frame[a].g_N;
        if (slot < m->n_slot && m->slot[slot].is.space && g_M > SP_GAP_ACTIVE) {
            con->ahead[con->row[a]] = g_M / dt;
        }
    }
}
