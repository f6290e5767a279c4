#include "integrators/moreau.h"

#include "base/status.h"
#include "contact/motion.h"
#include "contact/multiplier.h"
#include "contact/multiplier_apart.h"
#include "dynamics/implicit.h"
#include "integrators/friction.h"
#include "integrators/grips.h"
#include "integrators/moreau_parts.h"
#include "laws/slide.h"

#include <string.h>

#define FAR 100.0 /* times all velocities: what no step makes */

void sp_step_refresh(const sp_model *m, sp_state *x, sp_work *w)
{
    sp_dyn_init(m, x->numbers, &w->dyn);
    w->dyn.z = x->z;
    if (x->fresh) {
        return;
    }
    sp_kin_positions(m, x->numbers, x->q, &w->kin);
    sp_energy now;
    sp_dyn_energies(m, x->numbers, x->t, x->q, x->u, &w->kin, &w->dyn, &now);
    sp_con_at(x->t, 0.0, x->q, x->u, &w->con);
    if (m->n_pool > 0) {
        sp_con_remember(m, x->contact, &w->con);
    }
    sp_con_gaps(m, x->numbers, &w->kin, &w->con);
    x->ledger = (sp_ledger){.kinetic = now.kinetic,
                            .quadratic = now.quadratic,
                            .potential = now.potential,
                            .initial = now.kinetic + now.potential - x->opening.energy,
                            .projection = x->opening.energy,
                            .worst_work = -INFINITY};
    memset(x->book, 0, (size_t)m->n_book * sizeof(double));
    memcpy(x->g, w->con.g, (size_t)m->n_slot * sizeof(double));
    if (m->n_pool > 0) {
        sp_con_keep(m, &w->con, x->g, x->contact);
    }
    x->fresh = true;
}

/* h dt, the sum of all shares, and b = L^-T h dt. */
static void smooth_push(const sp_model *m, double dt, sp_work *w)
{
    const double *h_c = w->dyn.h[SP_CONSERVATIVE];
    double *h_dt = w->h_dt, *b = w->b;
    for (int k = 0; k < m->n_dof; k++) {
        b[k] = h_dt[k] = h_c[k] * dt;
    }
    for (int s = SP_DAMPERS; s < SP_SHARES; s++) {
        for (int k = 0; w->dyn.acts[s] && k < m->n_dof; k++) {
            b[k] = h_dt[k] += w->dyn.h[s][k] * dt;
        }
    }
    for (int k = 0; w->dyn.by_A && k < m->n_dof; k++) {
        b[k] += w->dyn.implicit->lag[k];
    }
    for (int k = 0; m->n_motion > 0 && k < m->n_dof; k++) { /* what is prescribed pulls the rest */
        b[k] = w->held[k] ? 0.0 : b[k] - w->M_held[k];
    }
    sp_dyn_solve_LT(m, &w->dyn, b);
}

/* What a row is off by, and its scale. */
static inline double note_row(int r, double gamma, double size, double free, sp_work *w)
{
    const sp_con *con = &w->con;
    w->sol.free[r] = free;
    w->sol.gamma_A[r] = gamma;
    w->sol.c[r] = (1.0 + con->eps[r]) * gamma + free + con->ahead[r];
    w->sol.xi_local = larger(fabs(gamma) + fabs(free), w->sol.xi_local);
    return size + fabs(free);
}

/* gamma_A = W^T u_A + w~,  c = (1 + eps) gamma_A + W^T M^-1 h dt of one row.   theory (7.4)
 * Returns the size of the terms that these sums are made of. */
static inline double form_row(const sp_model *m, const sp_state *x, int a, int r, sp_work *w)
{
    const sp_con *con = &w->con;
    const int *sup = sp_con_sup(con, a), n = con->n_sup[a];
    const double *W = sp_con_row(con, con->W, r), *YD = sp_con_row(con, con->YD, r);
    double free = 0.0, gamma = con->w_tilde[r], size = fabs(gamma);
    for (int k = 0; k < n; k++) {
        const double part = W[k] * x->u[sup[k]];
        free += YD[k] * w->b[sup[k]];
        gamma += part;
        size += fabs(part);
    }
    free = w->dyn.by_A ? sp_con_pull(con, a, r, w->b, 0.0) : free;
    for (int k = 0; m->n_motion > 0 && k < n; k++) {
        free += W[k] * w->du_held[sup[k]];
    }
    return note_row(r, gamma, size, free, w);
}

/* The same of all rows with W over velocities of bodies; the size of their terms goes to xi. */
static void form_rows_apart(const sp_model *m, const sp_state *x, sp_work *w)
{
    const sp_con *con = &w->con;
    sp_sol *sol = &w->sol;
    const double *v = sp_con_seen(con, x->u);
    for (int a = 0; a < con->n_active; a++) {
        const int *sup = sp_con_sup(con, a);
        for (int r = con->row[a]; r < con->row[a + 1]; r++) {
            const double *W = sp_con_row(con, con->W, r);
            sol->gamma_A[r] = con->w_tilde[r];
            sol->xi[r] = fabs(con->w_tilde[r]);
            for (int k = 0; k < con->n_sup[a]; k++) {
                const double part = W[k] * v[sup[k]];
                sol->gamma_A[r] += part;
                sol->xi[r] += fabs(part);
            }
        }
    }
    v = sp_con_ready(con, w->b);
    for (int pass = 0; pass < (m->n_motion > 0 ? 2 : 1); pass++) {
        for (int a = 0; a < con->n_active; a++) {
            for (int r = con->row[a]; r < con->row[a + 1]; r++) {
                sol->free[r] = (pass > 0 ? sol->free[r] : 0.0) + sp_con_dot(con, a, r, v);
            }
        }
        v = sp_con_seen(con, w->du_held);
    }
}

/* A threshold whose coordinate is further from zero than the step can go only has to know on which
 * side it is: x/dt of short steps would be so large beside all velocities that any force passed for
 * a solution.   theory (26.4) */
static void limit_thresholds(const sp_model *m, double scale, sp_work *w)
{
    sp_con *con = &w->con;
    for (int a = 0; a < con->n_active; a++) {
        const int r = con->row[a], slot = con->active[a];
        if (slot >= m->n_slot || !m->slot[slot].is.stores) {
            continue;
        }
        const double most = FAR * (scale + con->set[a].hi / w->sol.rho[a]);
        const double ahead = fmin(most, fmax(-most, con->ahead[r]));
        if (most > 0.0 && fabs(con->ahead[r]) > most) { /* NaN stays */
            w->sol.c[r] += ahead - con->ahead[r];
            con->ahead[r] = ahead;
        }
    }
}

/* A contact bears a pull while it is closed: one that was open when the step began and goes away,
 * or is not there yet, has no bond.   theory (42.4) */
static void release_bonds(const sp_model *m, const sp_state *x, sp_work *w)
{
    sp_con *con = &w->con;
    for (int a = 0; a < con->n_active - m->n_bond; a++) {
        const int slot = con->active[a];
        sp_set *set = &con->set[a];
        const bool rests = x->g[slot] <= SP_GAP_ACTIVE * m->extent.gap &&
                           w->sol.gamma_A[con->row[a]] <= SP_SLIP_NOISE * w->sol.xi_scale;
        if (sp_slide_pull(set) > 0.0 && x->contact[slot].state == SP_STATE_OPEN && !rests) {
            set->shift[0] = 0.0;
        }
    }
}

/* The contact problem: c, and the scale of velocities that its round-off is relative to. */
static void form_problem(const sp_model *m, const sp_state *x, sp_work *w)
{
    const sp_con *con = &w->con;
    double scale = 0.0;
    w->sol.xi_local = 0.0;
    if (con->by_bodies) {
        form_rows_apart(m, x, w);
    }
    for (int a = 0; a < con->n_active; a++) {
        for (int r = con->row[a]; r < con->row[a + 1]; r++) {
            scale = larger(con->by_bodies
                               ? note_row(r, w->sol.gamma_A[r], w->sol.xi[r], w->sol.free[r], w)
                               : form_row(m, x, a, r, w),
                           scale);
        }
        const int r = con->row[a];
        const double G_NN = con->G ? con->G[r * con->n_row + r] : sp_con_coupling(con, a, r, a, r);
        w->sol.rho[a] = G_NN > 0.0 ? 1.0 / G_NN : 1.0;
    }
    w->sol.xi_scale = scale;
    if (m->layout.n_threshold > 0) {
        limit_thresholds(m, scale, w);
    }
    if (m->dim == 3) {
        release_bonds(m, x, w);
    }
}

void sp_step_warm_start(const sp_state *x, sp_work *w)
{
    for (int a = 0; a < w->con.n_active; a++) {
        const sp_contact_memory *c = &x->contact[w->con.active[a]];
        const int r = w->con.row[a];
        w->sol.status[a] = c->active ? c->status : (unsigned char)SP_STATUS_UNKNOWN;
        w->sol.P[r] = c->P_N;
        if (w->con.row[a + 1] > r + 1) {
            w->sol.P[r + 1] = c->P_T;
            if (w->con.row[a + 1] > r + 2) {
                w->sol.P[r + 2] = c->P_T2;
            }
            for (int k = r + 3; k < w->con.row[a + 1]; k++) {
                w->sol.P[k] = c->P_S[k - r - 3];
            }
        }
    }
}

static void kick(const sp_model *m, sp_work *w);

/* P of the problem with the grips of joints as they are. */
static sp_status solve_once(const sp_model *m, const sp_state *x, const sp_step_rule *rule,
                            sp_work *w, sp_solution *solution, sp_error *err)
{
    return m->layout.speeds ? sp_friction_solve(m, x, rule, w, solution, err)
                            : sp_work_solve(w, rule->effort, solution, err);
}

/* The same with grips that belong to the reactions.   theory (86.1) */
static sp_status solve_grips(const sp_model *m, const sp_state *x, const sp_step_rule *rule,
                             sp_work *w, sp_solution *solution, sp_error *err)
{
    bool again = true;
    sp_grips_begin(m, w);
    while (again) {
        SP_TRY(solve_once(m, x, rule, w, solution, err));
        kick(m, w);
        SP_TRY(sp_grips_next(m, x->numbers, w->du, w->sol.P, w, &again, err));
    }
    return SP_OK;
}

/* P of the problem that is in w->con and w->sol. */
static sp_status solve_contacts(const sp_model *m, const sp_state *x, const sp_step_rule *rule,
                                sp_work *w, sp_error *err)
{
    sp_solution solution;
    const sp_status status =
        (m->layout.n_grip > 0 ? solve_grips : solve_once)(m, x, rule, w, &solution, err);
    const int blocked =
        status == SP_E_INFEASIBLE ? sp_motion_blocked(m, &w->con, w->held) : SP_NONE;
    if (blocked != SP_NONE) {
        return SP_FAIL(err, SP_E_INFEASIBLE,
                       "contact '%s' is run over by prescribed motion: everything it could stop is "
                       "prescribed; change the motion, or leave one of the two out",
                       m->slot[blocked].name);
    }
    SP_TRY(status);
    w->sol.method = solution.method;
    w->sol.pivots = solution.pivots;
    return SP_OK;
}

/* Percussions for the smooth forces at hand.   theory (7.4), (7.5) */
static inline sp_status percussions(const sp_model *m, const sp_state *x, const sp_step_rule *rule,
                                    double dt, sp_work *w, sp_error *err)
{
    smooth_push(m, dt, w);
    if (w->con.n_active == 0) {
        w->sol.method = "none";
        w->sol.pivots = 0;
        return SP_OK;
    }
    form_problem(m, x, w);
    return solve_contacts(m, x, rule, w, err);
}

/* du = M^-1 (h dt + W P) = L^-1 D^-1 (b + Y P).   theory (7.6) */
static void kick(const sp_model *m, sp_work *w)
{
    const double *b = w->b;
    double *du = w->du;
    for (int k = 0; k < m->n_dof; k++) {
        du[k] = b[k];
    }
    sp_con_push_rows(&w->con, w->sol.P, du);
    sp_dyn_solve_D_L(m, &w->dyn, du);
    for (int i = 0; i < m->n_motion; i++) {
        du[m->motion[i].dof] = w->du_held[m->motion[i].dof];
    }
}

/* Which number of the end of the step is not finite. */
static sp_status fail_nonfinite(const sp_model *m, const sp_state *x, double dt, const sp_work *w,
                                sp_error *err)
{
    int k = 0;
    while (k < m->n_dof - 1 && isfinite(w->u_E[k]) && isfinite(w->q[k])) {
        k++;
    }
    return SP_FAIL(err, SP_E_NONFINITE,
                   "'%s' is not a finite number at t = %g s (step %g s): a force or an expression "
                   "grew beyond bounds",
                   m->dof[k].rate_name, x->t + dt, dt);
}

enum { MEAN_ITERATIONS = 40 };

/* moreau-mean: h at the mean velocity (u_A + u_E)/2, by fixed-point iteration.   theory (7.7) */
static sp_status iterate_mean(const sp_model *m, const sp_state *x, const sp_step_rule *rule,
                              double dt, sp_work *w, sp_error *err)
{
    double before = INFINITY;
    memcpy(w->u_bar, x->u, (size_t)m->n_dof * sizeof(double));
    for (int i = 0; i < MEAN_ITERATIONS; i++) {
        double change = 0.0, size = 0.0;
        kick(m, w);
        for (int k = 0; k < m->n_dof; k++) {
            const double mean = x->u[k] + 0.5 * w->du[k];
            if (!isfinite(mean)) {
                return fail_nonfinite(m, x, dt, w, err);
            }
            change = larger(change, fabs(mean - w->u_bar[k]));
            size = larger(size, fabs(mean));
            w->u_bar[k] = mean;
        }
        const double terms = w->con.n_active > 0 ? larger(w->sol.xi_scale, size) : size;
        if (change <= SP_FOUND * size || (change >= before && change <= SP_ROUND_OFF * terms)) {
            return SP_OK;
        }
        before = change;
        sp_kin_bias(m, w->u_bar, &w->kin);
        if (m->layout.elements) {
            sp_kin_velocities(m, w->u_bar, &w->kin);
        }
        sp_dyn_forces(m, x->numbers, &w->kin, x->t + 0.5 * dt, w->q, w->u_bar, &w->dyn);
        if (w->dyn.by_A) {
            sp_implicit_lag(m, x->u, w->du, &w->dyn);
        }
        SP_TRY(percussions(m, x, rule, dt, w, err));
    }
    return SP_FAIL(err, SP_E_NOT_CONVERGED,
                   "moreau-mean: the mean velocity was not found in %d iterations; " SP_NO_VELOCITY,
                   MEAN_ITERATIONS);
}

/* What prescribed motion does in the step: their change of velocity, and M times it.
 * theory (7.11), (7.12) */
static void prescribe(const sp_model *m, const sp_state *x, double dt, sp_work *w)
{
    memset(w->du_held, 0, (size_t)m->n_dof * sizeof(double));
    sp_motion_move(m, x->t + dt, &w->dyn, w->du_held);
    for (int i = 0; i < m->n_motion; i++) {
        w->du_held[m->motion[i].dof] -= x->u[m->motion[i].dof];
    }
    sp_dyn_multiply(m, &w->dyn, w->du_held, w->M_held);
}

/* q_M = q_A + dt/2 u_A   theory (7.1) */
static inline void go_to_middle(const sp_model *m, const sp_state *x, double dt, sp_work *w)
{
    if (!m->layout.extras) {
        const double *q = x->q, *u = x->u, s = 0.5 * dt;
        double *q_M = w->q;
        for (int k = 0; k < m->n_dof; k++) {
            q_M[k] = q[k] + s * u[k];
        }
        return;
    }
    memcpy(w->q, x->q, (size_t)m->n_q * sizeof(double));
    sp_kin_advance(m, 0.5 * dt, x->u, w->q);
    sp_motion_place(m, x->t + 0.5 * dt, &w->dyn, w->q);
}

/* The contacts that may push, by their gaps at the midpoint, open by reach at most; frames there
 * are in w.   theory (7.2) */
static inline sp_status choose_contacts(const sp_model *m, const sp_state *x, double reach,
                                        double dt, sp_work *w, sp_error *err)
{
    const bool hints = m->layout.remembers; /* contacts on edges of polygons, slots of pools */
    if (hints) {
        sp_con_remember(m, x->contact, &w->con);
    }
    if (m->layout.n_rule_slot > 0) {
        sp_kin_velocities(m, x->u, &w->kin); /* slip velocities by expressions read them */
        sp_con_at(x->t + 0.5 * dt, dt, w->q, x->u, &w->con);
    }
    w->con.dt = dt;
    sp_con_gaps(m, x->numbers, &w->kin, &w->con); /* g_N(q_M) */
    if (hints) {
        sp_con_remember(m, NULL, &w->con);
    }
    const double touches = SP_GAP_ACTIVE * m->extent.gap + reach;
    w->con.n_active = w->con.n_row = 0;
    if (w->con.least <= touches || x->n_touched > 0 || m->layout.extras) {
        SP_TRY(sp_con_activate(m, touches, x->n_touched > 0 ? x->contact : NULL, &w->con, err));
    }
    return SP_OK;
}

sp_status sp_step_choose(const sp_model *m, const sp_state *x, double dt, sp_work *w, sp_error *err)
{
    go_to_middle(m, x, dt, w);
    sp_kin_positions(m, x->numbers, w->q, &w->kin);
    return choose_contacts(m, x, 0.0, dt, w, err);
}

/* The factor of M, of what is not prescribed, or of the implicit operator. */
static sp_status operator_of_all(const sp_model *m, const sp_state *x, const sp_step_rule *rule,
                                 const sp_at *at, double dt, sp_work *w, sp_error *err)
{
    const sp_implicit_ask ask = {
        &w->arena, x, &w->kin, at, m->n_motion > 0 ? w->held : NULL, w->du_held, w->M_held, dt};
    if (rule) {
        SP_TRY(sp_implicit_look(m, &ask, rule->implicit, rule->name == SP_METHOD_THETA, rule->mean,
                                &w->dyn, &w->stiff, err));
        SP_TRY(w->stiff.takes > 0.0 ? sp_con_make_reach(&w->arena, m, &w->dyn, &w->con, err)
                                    : SP_OK);
        SP_TRY(sp_multiplier_make(&w->arena, m, &w->dyn, &w->con, err));
    }
    if (ask.held) {
        prescribe(m, x, dt, w);
    }
    return w->stiff.takes > 0.0 ? sp_implicit_operator(m, &ask, &w->dyn, err)
           : ask.held           ? sp_dyn_factor_held(m, w->held, &w->dyn, err)
                                : sp_dyn_factor(m, &w->dyn, err);
}

/* What velocities are multiplied by at a place, factored: of machines without elements, deforming
 * bodies and prescribed motion it is M of all, whatever the state is. */
static inline sp_status operator_at(const sp_model *m, const sp_state *x, const sp_step_rule *rule,
                                    const sp_at *at, double dt, sp_work *w, sp_error *err)
{
    const bool bodies = !m->layout.elements && !m->layout.mixed && m->n_motion == 0;
    return bodies && !sp_multiplier_may(m, &w->con) ? sp_dyn_factor(m, &w->dyn, err)
                                                    : operator_of_all(m, x, rule, at, dt, w, err);
}

sp_status sp_step_operator(const sp_model *m, const sp_state *x, const sp_step_rule *rule,
                           const sp_at *at, double dt, sp_work *w, sp_error *err)
{
    return operator_at(m, x, rule, at, dt, w, err);
}

sp_status sp_step_percussions(const sp_model *m, const sp_state *x, const sp_step_rule *rule,
                              double dt, sp_work *w, sp_error *err)
{
    return percussions(m, x, rule, dt, w, err);
}

/* States of their own in the middle of the step, which forces see there; those of elements as they
 * are.   theory (85.2) */
static void states_to_middle(const sp_model *m, const sp_state *x, double dt, sp_work *w)
{
    sp_kin_positions(m, x->numbers, w->q, &w->kin);
    sp_kin_velocities(m, x->u, &w->kin);
    memcpy(w->dyn.z_mid, x->z, (size_t)m->n_aux * sizeof *x->z);
    sp_dyn_states_step(m, x->numbers, &w->kin, &(sp_at){x->t + 0.5 * dt, w->q, x->u}, 0.5 * dt,
                       w->dyn.z_mid, &w->dyn);
    w->dyn.z = w->dyn.z_mid;
}

/* ... and at its end: their mean rates, for keep_extras; steps of no length only look. */
static void states_to_end(const sp_model *m, const sp_state *x, double dt, sp_work *w)
{
    sp_kin_velocities(m, w->u_E, &w->kin);
    sp_dyn_states_step(m, x->numbers, &w->kin, &(sp_at){x->t + 0.5 * dt, w->q, w->u_E}, 0.5 * dt,
                       w->dyn.z_mid, &w->dyn);
    sp_dyn_states_mean(m, x->z, w->dyn.z_mid, dt, w->dyn.z_rate);
}

static sp_status solve_at_middle(const sp_model *m, const sp_state *x, sp_work *w,
                                 const sp_step_rule *rule, double dt, sp_error *err)
{
    const sp_numbers *num = x->numbers;
    const double t_M = x->t + 0.5 * dt, reach = rule->lands ? sp_step_reach(m, num, dt) : 0.0;
    go_to_middle(m, x, dt, w); /* q_M = q_A + dt/2 u_A     */
    if (m->n_state + m->n_slider > 0) {
        states_to_middle(m, x, dt, w);
    }
    sp_dyn_terms(m, num, t_M, w->q, x->u, &w->kin, &w->dyn); /* M(q_M), h(q_M, u_A, t_M) */
    SP_TRY(operator_at(m, x, rule, &(sp_at){t_M, w->q, x->u}, dt, w, err)); /* M = L^T D L */
    SP_TRY(choose_contacts(m, x, reach, dt, w, err)); /* I = { i: g_i(q_M) <= 0 } */
    if (w->con.n_active > 0) {
        sp_multiplier_prepare(&w->dyn, &w->con);
        sp_con_directions(m, num, &w->kin, true, &w->con); /* W, w~                    */
        sp_multiplier_choose(m, num, &w->dyn, m->n_motion > 0 ? w->held : NULL, &w->con);
        sp_step_rows(m, x, rule, reach, dt, w); /* what the rows look at    */
        sp_con_delassus(m, &w->dyn, &w->con);   /* G = W^T M^-1 W           */
        sp_step_warm_start(x, w);
    }
    SP_TRY(percussions(m, x, rule, dt, w, err)); /* P                        */
    return rule->mean ? iterate_mean(m, x, rule, dt, w, err) : SP_OK;
}

sp_status sp_moreau_solve(const sp_model *m, const sp_state *x, sp_work *w,
                          const sp_step_rule *rule, double dt, sp_error *err)
{
    const sp_status status = solve_at_middle(m, x, w, rule, dt, err);
    w->dyn.z = x->z;
    return status;
}

/* xi and gamma_E from the end velocity itself, and W P.   theory (6.2) */
static void recompute_contacts(const sp_con *con, const double *u_E, sp_sol *sol, double *WP)
{
    const double *v = sp_con_seen(con, u_E);
    for (int a = 0; a < con->n_active; a++) {
        for (int r = con->row[a]; r < con->row[a + 1]; r++) {
            sol->gamma_E[r] = sp_con_dot(con, a, r, v) + con->w_tilde[r];
            sol->xi[r] = sol->gamma_E[r] + con->eps[r] * sol->gamma_A[r] + con->ahead[r];
        }
    }
    sp_con_force(con, sol->P, WP);
}

/* The velocity that residuals are relative to: what the contacts see, but not below what round-off
 * of its terms allows.   theory (6.1) */
static double velocity_scale(const sp_sol *sol)
{
    const double scale = larger(sol->xi_local, SP_VELOCITY_FLOOR * sol->xi_scale);
    return scale * scale >= DBL_MIN ? scale : 1.0; /* below, energies are zero */
}

/* size2 += squares of the terms of W P: in a heap at rest they cancel each other.   theory (6.3) */
static void add_terms(const sp_con *con, const double *P, double *size2)
{
    if (con->by_bodies) {
        sp_apart_add_squares(con, P, size2);
        return;
    }
    for (int a = 0; a < con->n_active; a++) {
        const int *sup = sp_con_sup(con, a), n = con->n_sup[a];
        for (int r = con->row[a]; r < con->row[a + 1]; r++) {
            const double *W = sp_con_row(con, con->W, r);
            for (int k = 0; k < n; k++) {
                size2[sup[k]] += W[k] * P[r] * (W[k] * P[r]);
            }
        }
    }
}

/* The residuals of the step.   theory (6.1)-(6.3) */
static void certify(const sp_model *m, const sp_state *x, sp_work *w)
{
    const sp_dof_layout *dof = m->layout.dof;
    const sp_con *con = &w->con;
    const double *u_E = w->u_E, *M = w->dyn.M;
    double *du = w->du, *size2 = w->size2, *WP = w->WP, T_2 = 2.0 * x->ledger.kinetic;
    sp_sol *sol = &w->sol;
    sp_dyn_multiply(m, &w->dyn, du, w->M_du);
    w->certificate = (sp_certificate){.momentum = 0.0};
    if (con->n_active > 0) {
        recompute_contacts(con, u_E, sol, WP);
        sp_certify_contacts(con->n_active, con->set, con->row, sol->P, sol->xi, sol->rho,
                            velocity_scale(sol), &w->certificate);
        sp_work_name_worst(w);
    }
    for (int i = 0; i < m->n_motion;
         i++) { /* what the balance of a prescribed row lacks moves it */
        const int k = m->motion[i].dof;
        w->reaction[k] = w->M_du[k] - w->h_dt[k] - WP[k];
        WP[k] += w->reaction[k];
    }
    /* size2: the largest momentum that the energies of u and of its change allow in a row, squared
     */
    for (int k = 0; k < m->n_dof; k++) {
        T_2 += fabs(du[k] * w->M_du[k]);
    }
    for (int k = 0; k < m->n_dof; k++) {
        size2[k] = T_2 * M[dof[k].row + dof[k].depth];
    }
    if (con->disc) {
        add_terms(con, sol->P, size2);
    }
    sp_work_add_reactions(m, w);
    sp_certify_momentum(m->n_dof, w->M_du, w->h_dt, WP, size2, &w->certificate);
    if (!con->disc && con->n_active > 0 && w->certificate.momentum > SP_ROUND_OFF) {
        add_terms(con, sol->P, size2);
        sp_certify_momentum(m->n_dof, w->M_du, w->h_dt, WP, size2, &w->certificate);
    }
}

/* The end of the step in w: velocities, positions, frames, gaps, energies.   theory (7.6), (7.8) */
static sp_status reach_end(const sp_model *m, const sp_state *x, double dt, sp_work *w,
                           sp_error *err)
{
    w->t_E = x->t + dt;
    sp_dyn_energies(m, x->numbers, w->t_E, w->q, w->u_E, &w->kin, &w->dyn, &w->energy);
    if (m->layout.extras) {
        sp_con_at(w->t_E, dt, w->q, w->u_E, &w->con);
    }
    sp_con_gaps(m, x->numbers, &w->kin, &w->con);
    /* a velocity or position that is not finite makes the energies so */
    return isfinite(w->energy.kinetic + w->energy.potential) ? SP_OK
                                                             : fail_nonfinite(m, x, dt, w, err);
}

/* u_E = u_A + du; du is taken back from it, as everybody will see it, and W P begins at zero. */
static inline void take_velocity(int n, const double *u_A, double *u_E, double *du, double *WP)
{
    for (int k = 0; k < n; k++) {
        const double u = u_A[k] + du[k];
        u_E[k] = u;
        du[k] = u - u_A[k];
        WP[k] = 0.0;
    }
}

/* q += s u, where every coordinate has its velocity. */
static inline void drift(int n, double s, const double *u, double *q)
{
    for (int k = 0; k < n; k++) {
        q[k] += s * u[k];
    }
}

/* The rest of quaternions, auxiliary states and impulses of bilateral rows. */
static void keep_extras(const sp_model *m, double dt, const sp_work *w, sp_state *x)
{
    for (int k = m->n_dof; k < m->n_q; k++) {
        x->q[k] = w->q[k];
    }
    for (int k = 0; k < m->n_aux; k++) {
        x->z[k] += dt * w->dyn.z_rate[k];
    }
    sp_dyn_states_keep(m, x->numbers, x->z);
    for (int i = 0; i < m->n_bond; i++) {
        sp_contact_memory *c = &x->contact[m->n_slot + i];
        c->P_N = w->bond_P[i];
        c->status = SP_STICK;
        c->active = 1;
    }
}

void sp_step_velocity(const sp_model *m, const sp_state *x, sp_work *w)
{
    kick(m, w);
    take_velocity(m->n_dof, x->u, w->u_E, w->du, w->WP);
    if (w->dyn.by_A) {
        sp_implicit_take(&w->dyn, x->u, w->du, w->h_dt);
    }
    certify(m, x, w);
}

sp_status sp_moreau_step(const sp_model *m, sp_state *x, sp_work *w, const sp_step_rule *rule,
                         double dt, sp_error *err)
{
    SP_TRY(sp_moreau_solve(m, x, w, rule, dt, err));
    return sp_moreau_finish(m, x, w, rule, dt, err);
}

sp_status sp_moreau_finish(const sp_model *m, sp_state *x, sp_work *w, const sp_step_rule *rule,
                           double dt, sp_error *err)
{
    sp_step_velocity(m, x, w);
    w->n_hit = 0;
    if (w->con.n_active > 0) {
        sp_note_hits(m, x, rule, dt, w);
    }
    if (m->n_state + m->n_slider > 0) {
        states_to_end(m, x, dt, w);
    }
    const sp_step_work s = sp_step_works(m, x, dt, w);
    if (m->n_book > 0) {
        sp_step_book_elements(m, x, dt, w);
    }
    if (m->layout.extras) { /* q_E = q_M + dt/2 u_E */
        sp_kin_advance(m, 0.5 * dt, w->u_E, w->q);
        sp_motion_place(m, x->t + dt, &w->dyn, w->q);
    } else {
        drift(m->n_dof, 0.5 * dt, w->u_E, w->q);
    }
    return sp_step_end(m, x, w, rule, dt, &s, err);
}

sp_status sp_step_end(const sp_model *m, sp_state *x, sp_work *w, const sp_step_rule *rule,
                      double dt, const sp_step_work *s, sp_error *err)
{
    const bool extras = m->layout.extras;
    SP_TRY(reach_end(m, x, dt, w, err));
    const sp_energy end = w->energy;
    w->corrected = w->con.least < -SP_GAP_CORRECT * m->extent.gap ||
                   (extras && m->n_bond > 0 && w->con.off > SP_BOND_CORRECT);
    if (w->corrected) {
        memcpy(w->g_E, w->con.g, (size_t)m->n_slot * sizeof(double));
        memcpy(w->q_E, w->q, (size_t)m->n_q * sizeof(double));
        SP_TRY(sp_project_positions(m, x->numbers, rule->effort, w, err));
    }
    w->certificate.gap = w->con.least < 0.0 ? -w->con.least : 0.0;

    /* nothing can fail any more: the step is taken */
    sp_step_book(s, &end, &w->energy, &x->ledger);
    for (int k = 0; k < m->n_book; k++) {
        x->book[k] += w->book[k];
    }
    sp_step_events(m, x, w, rule, dt);
    for (int k = 0; k < m->n_dof; k++) {
        x->q[k] = w->q[k];
        x->u[k] = w->u_E[k];
    }
    if (extras) {
        keep_extras(m, dt, w, x);
    }
    x->t = w->t_E;
    x->control.stiff = w->stiff;
    x->step++;
    return SP_OK;
}
