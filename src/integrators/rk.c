/* integrators/rk.c - Runge-Kutta time stepping: every stage is a contact problem with M, h and W at
 * its own point; the midpoint of the step only selects the contacts.
 *
 *     a_j dt = M_j^-1 (h_j dt + W_j P_j),    -(gamma_j + W_j^T a_j dt + w_bar_j dt) in N_C(P_j)
 *
 * theory (17.5)-(17.9), [LG03] */
#include "base/status.h"
#include "contact/motion.h"
#include "contact/rule.h"
#include "integrators/moreau.h"
#include "integrators/moreau_parts.h"
#include "integrators/stepper.h"
#include "math/dense.h"

#include <string.h>

/* Whether a contact of the problem was not loaded before, or has a law of positions: the jump must
 * obey the law of impact, which pseudo-accelerations do not.   theory (17.9) */
static bool is_hit(const sp_model *m, const sp_state *x, const sp_con *con)
{
    for (int a = 0; a < con->n_active; a++) {
        const int slot = con->active[a];
        const sp_slot_traits is = m->slot[slot].is;
        if (slot >= m->n_slot || is.dry) {
            continue;
        }
        if (is.stores || !sp_contact_loaded(m, slot, &x->contact[slot])) {
            return true;
        }
    }
    return false;
}

/* Whether a contact that slid comes to rest in the stage just solved: pseudo-accelerations leave a
 * part of its slip, step by step.   theory (50.6) */
static bool stops(const sp_model *m, const sp_state *x, const sp_work *w)
{
    const sp_con *con = &w->con;
    for (int a = 0; a < con->n_active; a++) {
        const int slot = con->active[a];
        if (slot < m->n_slot && x->contact[slot].state == SP_STATE_SLIP &&
            (con->row[a + 1] > con->row[a] + 1 || m->slot[slot].is.dry) &&
            w->sol.status[a] == SP_STICK) {
            return true;
        }
    }
    return false;
}

/* The rows of a stage look at gamma + (W^T a + w_bar) dt: contacts that last have no restitution.
 */
static void add_bias(const sp_model *m, const sp_numbers *num, double dt, sp_work *w)
{
    sp_con *con = &w->con;
    for (int a = 0; a < con->n_active; a++) {
        double w_bar[SP_SET_DIM_MAX] = {0.0};
        sp_con_slot_bias(m, num, con, a, w_bar);
        for (int r = con->row[a]; r < con->row[a + 1]; r++) {
            con->eps[r] = 0.0;
            con->ahead[r] = w_bar[r - con->row[a]] * dt;
        }
    }
}

/* The factor of M, and what prescribed motion does with its acceleration of this time. */
static sp_status factor(const sp_model *m, double t, double dt, sp_work *w, sp_error *err)
{
    if (m->n_motion == 0) {
        return sp_dyn_factor(m, &w->dyn, err);
    }
    memset(w->du_held, 0, (size_t)m->n_dof * sizeof(double));
    sp_motion_accelerate(m, t, &w->dyn, w->du_held);
    for (int i = 0; i < m->n_motion; i++) {
        w->du_held[m->motion[i].dof] *= dt;
    }
    sp_dyn_multiply(m, &w->dyn, w->du_held, w->M_held);
    return sp_dyn_factor_held(m, w->held, &w->dyn, err);
}

/* Terms, contact problem and velocity after dt of a stage at y; w->du is a dt. */
static sp_status solve_stage(const sp_model *m, const sp_state *y, const sp_step_rule *rule,
                             double dt, bool first, sp_work *w, sp_error *err)
{
    sp_con *con = &w->con;
    w->dyn.z = y->z;
    sp_dyn_terms(m, y->numbers, y->t, y->q, y->u, &w->kin, &w->dyn);
    SP_TRY(factor(m, y->t, dt, w, err));
    if (con->n_active > 0) {
        sp_kin_velocities(m, y->u, &w->kin);
        sp_con_at(y->t, dt, y->q, y->u, con);
        sp_con_gaps(m, y->numbers, &w->kin, con);
        sp_con_directions(m, y->numbers, &w->kin, true, con);
        add_bias(m, y->numbers, dt, w);
        sp_con_delassus(m, &w->dyn, con);
        if (first) {
            sp_step_warm_start(y, w);
        }
    }
    SP_TRY(sp_step_percussions(m, y, rule, dt, w, err));
    sp_step_velocity(m, y, w);
    return SP_OK;
}

/* The works of a stage, weighed by b, those of the elements too.   theory (17.8) */
static void add_works(const sp_model *m, const double *u, double b, double dt, sp_work *w,
                      sp_step_work *s)
{
    const sp_con *con = &w->con;
    const sp_sol *sol = &w->sol;
    const int n = m->n_dof, n_contact = con->n_active > 0 ? con->n_active - m->n_bond : 0;
    if (m->n_book > 0) {
        sp_dyn_book(m, &w->kin, u, b * dt, &w->dyn, w->book);
    }
    s->momentum += b * sp_dot_n(n, w->M_du, u);
    s->conservative += b * dt * sp_dot_n(n, w->dyn.h[SP_CONSERVATIVE], u);
    s->dampers += w->dyn.acts[SP_DAMPERS] ? b * dt * sp_dot_n(n, w->dyn.h[SP_DAMPERS], u) : 0.0;
    s->applied += w->dyn.acts[SP_APPLIED] ? b * dt * sp_dot_n(n, w->dyn.h[SP_APPLIED], u) : 0.0;
    s->explicit_time += m->formula.n > 0 ? b * dt * w->dyn.explicit_power : 0.0;
    for (int a = 0; a < con->n_active; a++) {
        const bool dry = m->slot[con->active[a]].is.dry;
        for (int r = con->row[a]; r < con->row[a + 1]; r++) {
            const double work = b * sol->gamma_A[r] * sol->P[r];
            const bool along = dry || r > con->row[a];
            if (a < n_contact) {
                *(along ? &s->friction : &s->impacts) += work;
                s->contacts += work;
            }
            s->slack += a < n_contact ? 0.0 : work; /* an error of the step */
            s->driven -= b * con->w_tilde[r] * sol->P[r];
        }
    }
    for (int i = 0; i < m->n_motion; i++) {
        s->driven += b * u[m->motion[i].dof] * w->reaction[m->motion[i].dof];
    }
}

/* What the end of the step needs of stage j. */
static void keep_stage(const sp_model *m, const sp_state *y, int j, const sp_work *w, sp_stepper *s)
{
    sp_kin_rate(m, y->q, y->u, s->q_rate[j]);
    memcpy(s->du[j], w->du, (size_t)m->n_dof * sizeof(double));
    memcpy(s->P[j], w->sol.P, (size_t)w->con.n_row * sizeof(double));
    if (m->n_aux > 0) {
        memcpy(s->z_rate[j], w->dyn.z_rate, (size_t)m->n_aux * sizeof(double));
    }
    if (j == 0) {
        memcpy(s->gamma_A, w->sol.gamma_A, (size_t)w->con.n_row * sizeof(double));
    }
}

/* y: the point of stage j, with the prescribed values of its time. */
static void go_to_stage(const sp_model *m, const sp_state *x, const sp_tableau *rk, int j,
                        double dt, sp_work *w, const sp_stepper *s, sp_state *y)
{
    const double c = rk->c[j];
    y->t = x->t + c * dt;
    for (int k = 0; k < m->n_q; k++) {
        y->q[k] = x->q[k] + (j > 0 ? c * dt * s->q_rate[j - 1][k] : 0.0);
    }
    for (int k = 0; k < m->n_dof; k++) {
        y->u[k] = x->u[k] + (j > 0 ? c * s->du[j - 1][k] : 0.0);
    }
    for (int k = 0; k < m->n_aux; k++) {
        y->z[k] = x->z[k] + (j > 0 ? c * dt * s->z_rate[j - 1][k] : 0.0);
    }
    sp_motion_place(m, y->t, &w->dyn, y->q);
    sp_motion_move(m, y->t, &w->dyn, y->u);
}

/* sum_j b_j k_j[i] */
static double weigh(const sp_tableau *rk, double *const *k, int i)
{
    double sum = 0.0;
    for (int j = 0; j < rk->n; j++) {
        sum += rk->b[j] * k[j][i];
    }
    return sum;
}

/* The end of the step in w: q, u_E, z_rate, P and the velocities of the contacts. */
static void gather(const sp_model *m, const sp_state *x, const sp_tableau *rk, double dt,
                   const sp_stepper *s, sp_work *w)
{
    for (int k = 0; k < m->n_q; k++) {
        w->q[k] = x->q[k] + dt * weigh(rk, s->q_rate, k);
    }
    sp_step_normalise(m, w->q);
    for (int k = 0; k < m->n_dof; k++) {
        w->u_E[k] = x->u[k] + weigh(rk, s->du, k);
    }
    sp_motion_place(m, x->t + dt, &w->dyn, w->q);
    sp_motion_move(m, x->t + dt, &w->dyn, w->u_E);
    for (int k = 0; k < m->n_aux; k++) {
        w->dyn.z_rate[k] = weigh(rk, s->z_rate, k);
    }
    for (int a = 0; a < w->con.n_active; a++) {
        for (int r = w->con.row[a]; r < w->con.row[a + 1]; r++) {
            w->sol.P[r] = weigh(rk, s->P, r);
            w->sol.gamma_A[r] = s->gamma_A[r];
            w->sol.gamma_E[r] = sp_con_dot(&w->con, a, r, w->u_E) + w->con.w_tilde[r];
        }
    }
}

sp_status sp_rk_step(const sp_model *m, sp_state *x, sp_work *w, const sp_step_rule *rule,
                     double dt, sp_error *err)
{
    const sp_tableau *rk = rule->stages;
    sp_stepper *s;
    SP_TRY(sp_stepper_of(m, w, &s, err));
    SP_TRY(sp_step_choose(m, x, dt, w, err));
    if (is_hit(m, x, &w->con)) {
        return rule->otherwise->step(m, x, w, rule->otherwise, dt, err);
    }
    sp_state y = *x; /* a stage: the vectors are the stepper's, the memory is that of x */
    sp_step_work work = {.momentum = 0.0};
    sp_certificate worst = {.momentum = 0.0};
    memset(w->book, 0, (size_t)m->n_book * sizeof(double));
    y.q = s->q;
    y.u = s->u;
    y.z = s->z;
    for (int j = 0; j < rk->n; j++) {
        go_to_stage(m, x, rk, j, dt, w, s, &y);
        const sp_status status = solve_stage(m, &y, rule, dt, j == 0, w, err);
        w->dyn.z = x->z;
        SP_TRY(status);
        if (stops(m, x, w)) {
            return rule->otherwise->step(m, x, w, rule->otherwise, dt, err);
        }
        sp_certificate_worst(&worst, &w->certificate);
        keep_stage(m, &y, j, w, s);
        if (rk->b[j] != 0.0) {
            add_works(m, y.u, rk->b[j], dt, w, &work);
        }
    }
    gather(m, x, rk, dt, s, w);
    w->certificate = worst;
    sp_note_hits(m, x, rule, dt, w);
    return sp_step_end(m, x, w, rule, dt, &work, err);
}
