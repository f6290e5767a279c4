/* integrators/moreau_rows.c - what the rows of a contact problem look at: restitution (con->eps)
 * and what is added to their velocities (con->ahead). */
#include "contact/con.h"
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

/* Contacts that are open at the midpoint have their gap closed at the next one, no more.  (7.18) */
static void land(const sp_model *m, double dt, sp_con *con)
{
    for (int a = 0; a < con->n_active; a++) {
        const int slot = con->active[a];
        const double g_M = con->frame[a].g_N;
        if (slot < m->n_slot && m->slot[slot].is.space && g_M > SP_GAP_ACTIVE * m->extent.gap) {
            con->ahead[con->row[a]] = g_M / dt;
        }
    }
}

/* Bilateral rows hold at the end of the step: there W has turned on by dt/2 W', so that at the
 * midpoint gamma_E = -dt/2 w_bar.  Held at the mean velocity instead, what is off at the beginning
 * comes back with the other sign in every step, and grows where the rows bend.   theory (7.17a) */
static void lead_bonds(const sp_model *m, const sp_state *x, double dt, sp_con *con)
{
    for (int a = con->n_active - m->n_bond; a < con->n_active; a++) {
        double w_bar[SP_SET_DIM_MAX] = {0.0};
        const int r = con->row[a];
        sp_con_slot_bias(m, x->numbers, con, a, w_bar);
        con->eps[r] = 0.0;
        con->ahead[r] = 0.5 * dt * w_bar[0];
    }
}

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

/* Rows look at the ends of the step, where W has turned on: at its beginning W is behind the
 * midpoint by dt/2 W', at its end ahead of it by as much, so that
 *
 *     xi = gamma_E + dt/2 w_bar + eps (gamma_A - dt/2 w_bar)
 *
 * Contacts that last have no restitution, but along where another one is hit.  theory (17.41) */
static void turn_rows(const sp_model *m, const sp_state *x, bool restitution, double dt, sp_work *w)
{
    sp_con *con = &w->con;
    const int n_contact = con->n_active - m->n_bond;
    bool impact = false;
    const double *u = sp_con_seen(con, x->u);
    for (int a = 0; a < n_contact && restitution && !impact; a++) {
        impact = !sp_step_lasts(m, x, con->active[a]) && is_hit(con, a, u);
    }
    sp_kin_velocities(m, x->u, &w->kin);
    sp_con_at(x->t + 0.5 * dt, dt, w->q, x->u, con);
    for (int a = 0; a < n_contact; a++) {
        const int slot = con->active[a], first = con->row[a], n = con->row[a + 1] - first;
        const bool struck = restitution && !sp_step_lasts(m, x, slot);
        double w_bar[SP_SET_DIM_MAX] = {0.0};
        if (m->slot[slot].is.stores) {
            continue;
        }
        sp_con_slot_bias(m, x->numbers, con, a, w_bar);
        for (int r = first; r < first + n; r++) {
            con->eps[r] = (r == first ? struck : impact) ? con->eps[r] : 0.0;
            con->ahead[r] = 0.5 * dt * (1.0 - con->eps[r]) * w_bar[r - first];
        }
    }
}

/* Contacts come to rest that are hit. */
static void drop_restitution(const sp_model *m, sp_con *con)
{
    for (int r = 0; r < con->row[con->n_active - m->n_bond]; r++) {
        con->eps[r] = 0.0;
    }
}

void sp_step_rows(const sp_model *m, const sp_state *x, const sp_step_rule *rule, double reach,
                  double dt, sp_work *w)
{
    if (reach > 0.0) {
        land(m, dt, &w->con);
    }
    if (m->n_bond > 0) {
        lead_bonds(m, x, dt, &w->con);
    }
    if (!rule->restitution) {
        drop_restitution(m, &w->con);
    }
    if (rule->lasting_at_end) {
        turn_rows(m, x, rule->restitution, dt, w);
    }
}
