/* integrators/theta.c - the theta method.   theory (17.1)-(17.4) */
#include "base/status.h"
#include "contact/motion.h"
#include "contact/multiplier.h"
#include "contact/rule.h"
#include "dynamics/implicit.h"
#include "integrators/moreau_parts.h"
#include "integrators/stepper.h"

#include <string.h>

enum { ITERATIONS = 60 };

double sp_theta_eps_max(double theta)
{
    return 1.0 / theta - 1.0;
}

/* q = q_A + s u */
static void place(const sp_model *m, const sp_state *x, double s, double t, const double *u,
                  sp_work *w)
{
    memcpy(w->q, x->q, (size_t)m->n_q * sizeof(double));
    sp_kin_advance(m, s, u, w->q);
    sp_motion_place(m, t, &w->dyn, w->q);
}

/* What a threshold sees of the past, x_A + (1 - theta) dt x'_A over theta dt, by slot. */
static void look_ahead(const sp_model *m, const sp_state *x, double theta, double dt, sp_work *w,
                       double *ahead)
{
    const double before = (1.0 - theta) * dt;
    place(m, x, before, x->t + before, x->u, w);
    sp_kin_positions(m, x->numbers, w->q, &w->kin);
    sp_con_at(x->t + before, dt, w->q, x->u, &w->con);
    for (int i = 0; i < m->n_slot; i++) {
        if (m->slot[i].is.stores) {
            ahead[i] = sp_rule_gap(m, x->numbers, &w->con, i) / (theta * dt);
        }
    }
}

/* Bilateral rows hold at u_theta, thresholds at q_E. */
static void adapt_rows(const sp_model *m, double theta, const double *ahead, sp_con *con)
{
    for (int a = 0; a < con->n_active; a++) {
        const int slot = con->active[a], r = con->row[a];
        if (slot >= m->n_slot) {
            con->eps[r] = (1.0 - theta) / theta;
        } else if (m->slot[slot].is.stores) {
            con->ahead[r] = ahead[slot];
        }
    }
}

/* States of their own at t_theta, from those of x and the rates there; what this makes of their
 * mean rates over the step.   theory (85.3) */
static void place_states(const sp_model *m, const sp_state *x, double t, double dt, sp_work *w)
{
    const double theta = m->run.theta;
    sp_kin_positions(m, x->numbers, w->q, &w->kin);
    sp_kin_velocities(m, w->u_bar, &w->kin);
    memcpy(w->dyn.z_mid, x->z, (size_t)m->n_aux * sizeof *x->z);
    sp_dyn_states_step(m, x->numbers, &w->kin, &(sp_at){t, w->q, w->u_bar}, theta * dt,
                       w->dyn.z_mid, &w->dyn);
    w->dyn.z = w->dyn.z_mid;
}

/* M, h, W at q_theta, u_theta (in w->u_bar), t_theta, and the percussions.   theory (17.2) */
static sp_status solve_at(const sp_model *m, const sp_state *x, const sp_step_rule *rule, double dt,
                          sp_work *w, const double *ahead, bool first, sp_error *err)
{
    const double theta = m->run.theta;
    const double t = x->t + theta * dt;
    sp_con *con = &w->con;
    place(m, x, theta * dt, t, w->u_bar, w);
    if (m->n_state + m->n_slider > 0) {
        place_states(m, x, t, dt, w);
    }
    sp_dyn_terms(m, x->numbers, t, w->q, w->u_bar, &w->kin, &w->dyn);
    SP_TRY(sp_step_operator(m, x, first ? rule : NULL, &(sp_at){t, w->q, w->u_bar}, dt, w, err));
    if (w->stiff.takes > 0.0 && !first) {
        sp_implicit_lag(m, x->u, w->du, &w->dyn);
    }
    if (con->n_active > 0) {
        if (m->layout.n_rule_slot > 0) {
            sp_kin_velocities(m, w->u_bar, &w->kin);
            sp_con_at(t, dt, w->q, w->u_bar, con);
        }
        sp_con_gaps(m, x->numbers, &w->kin, con);
        sp_multiplier_prepare(&w->dyn, con);
        sp_con_directions(m, x->numbers, &w->kin, true, con);
        adapt_rows(m, theta, ahead, con);
        sp_multiplier_choose(m, x->numbers, &w->dyn, m->n_motion > 0 ? w->held : NULL, con);
        sp_con_delassus(m, &w->dyn, con);
        sp_step_warm_start(x, w);
    }
    return sp_step_percussions(m, x, rule, dt, w, err);
}

/* u_bar <- (1 - theta) u_A + theta u_E; how much that changed it, over its size: what is stiff has
 * the round-off of places, which the velocities then have over a step. */
static double move_mean(const sp_model *m, const sp_state *x, double dt, sp_work *w)
{
    const double theta = m->run.theta, by_place = w->stiff.takes > 0.0 ? 1.0 / dt : 0.0;
    double change = 0.0, size = 0.0;
    for (int k = 0; k < m->n_dof; k++) {
        const double u = (1.0 - theta) * x->u[k] + theta * w->u_E[k], d = fabs(u - w->u_bar[k]);
        change = d <= change ? change : d; /* NaN stays */
        size = larger(size, larger(fabs(u), by_place * fabs(x->q[m->dof[k].q])));
        w->u_bar[k] = u;
    }
    return size > 0.0 ? change / size : change;
}

/* Fixed-point iteration of (17.1), (17.2). */
static sp_status iterate(const sp_model *m, const sp_state *x, const sp_step_rule *rule, double dt,
                         sp_work *w, const double *ahead, sp_error *err)
{
    double before = INFINITY;
    memcpy(w->u_bar, x->u, (size_t)m->n_dof * sizeof(double));
    for (int i = 0; i < ITERATIONS; i++) {
        SP_TRY(solve_at(m, x, rule, dt, w, ahead, i == 0, err));
        sp_step_velocity(m, x, w);
        const double change = move_mean(m, x, dt, w);
        if (!isfinite(change)) {
            return SP_FAIL(err, SP_E_NONFINITE,
                           "theta: velocities are no finite numbers at t = %g s (step %g s)",
                           x->t + dt, dt);
        }
        if (change <= SP_FOUND || (change >= before && change <= SP_ROUND_OFF)) {
            return SP_OK;
        }
        before = change;
    }
    return SP_FAIL(err, SP_E_NOT_CONVERGED,
                   "theta: the velocity u_theta was not found in %d iterations; " SP_NO_VELOCITY,
                   ITERATIONS);
}

sp_status sp_theta_step(const sp_model *m, sp_state *x, sp_work *w, const sp_step_rule *rule,
                        double dt, sp_error *err)
{
    const double theta = m->run.theta;
    sp_stepper *s;
    SP_TRY(sp_stepper_of(m, w, &s, err));
    if (m->layout.n_threshold > 0) {
        look_ahead(m, x, theta, dt, w, s->ahead);
    }
    SP_TRY(sp_step_choose(m, x, dt, w, err)); /* the midpoint selects the contacts */
    const sp_status status = iterate(m, x, rule, dt, w, s->ahead, err);
    w->dyn.z = x->z;
    SP_TRY(status);
    sp_dyn_states_mean(m, x->z, w->dyn.z_mid, theta * dt, w->dyn.z_rate);
    sp_note_hits(m, x, rule, dt, w);
    const sp_step_work work = sp_step_works(m, x, dt, w);
    if (m->n_book > 0) {
        sp_step_book_elements(m, x, dt, w);
    }
    place(m, x, dt, x->t + dt, w->u_bar, w); /* q_E = q_A + dt u_theta */
    return sp_step_end(m, x, w, rule, dt, &work, err);
}
