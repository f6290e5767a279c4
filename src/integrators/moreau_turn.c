/* integrators/moreau_turn.c - rows of steps that are compared, where W turns on the way, and which
 * restitution they have. */
#include "contact/con.h"
#include "integrators/moreau_parts.h"

#include <math.h>

/* Whether the bodies approach each other at contact a, by more than round-off. */
static bool is_hit(const sp_con *con, int a, const double *u)
{
    const int r = con->row[a], *sup = sp_con_sup(con, a);
    const double *W = sp_con_row(con, con->W, r);
    double gamma = con->w_tilde[r], size = fabs(gamma);
    for (int k = 0; k < con->n_sup[a]; k++) {
        gamma += W[k] * u[sup[k]];
        size += fabs(W[k] * u[sup[k]]);
    }
    return gamma < -SP_SLIP_NOISE * size;
}

void sp_step_turn_rows(const sp_model *m, const sp_state *x, double dt, sp_work *w)
{
    sp_con *con = &w->con;
    const int n_contact = con->n_active - m->n_bond;
    bool impact = false;
    for (int a = 0; a < n_contact && !impact; a++) {
        impact = !sp_step_lasts(m, x, con->active[a]) && is_hit(con, a, x->u);
    }
    sp_kin_velocities(m, x->u, &w->kin);
    sp_con_at(x->t + 0.5 * dt, dt, w->q, x->u, con);
    for (int a = 0; a < n_contact; a++) {
        const int slot = con->active[a], first = con->row[a], n = con->row[a + 1] - first;
        const bool stays = sp_step_lasts(m, x, slot);
        double w_bar[SP_SET_DIM_MAX] = {0.0};
        if (m->slot[slot].is.stores) {
            continue;
        }
        sp_con_slot_bias(m, x->numbers, con, a, w_bar);
        for (int k = 0; k < n; k++) {
            const bool none = w->rest || (k == 0 ? stays : !impact);
            con->eps[first + k] = none ? 0.0 : con->eps[first + k];
            con->ahead[first + k] = 0.5 * dt * (1.0 - con->eps[first + k]) * w_bar[k];
        }
    }
}
