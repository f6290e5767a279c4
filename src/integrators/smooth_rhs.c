/* integrators/smooth_rhs.c - the right-hand side of smooth motion: accelerations under bilateral
 * rows, closed contacts and prescribed motion, and the powers for the ledger. */
#include "base/status.h"
#include "contact/motion.h"
#include "integrators/grips.h"
#include "integrators/smooth.h"
#include "math/dense.h"

#include <math.h>
#include <string.h>

enum { SPOT_PASSES = 60 };
#define DEPENDENT SP_TINY /* rows whose squares the others leave less of depend on them */

/* ---- rows ------------------------------------------------------------------------------------ */

/* Closed contacts, then all bilateral rows. */
static sp_status activate(const sp_model *m, const sp_smooth_closed *closed, sp_con *con,
                          sp_error *err)
{
    con->n_active = con->n_row = 0;
    con->G = con->G_room;
    if (closed->n > con->room_most - m->n_bond) {
        return SP_FAIL(err, SP_E_CAPACITY, "%d contacts are closed at once, room for %d", closed->n,
                       con->room_most - m->n_bond);
    }
    for (int a = 0; a < closed->n; a++) {
        con->active[con->n_active++] = closed->slot[a];
    }
    for (int i = 0; i < m->n_bond; i++) {
        con->active[con->n_active++] = m->n_slot + i;
    }
    return SP_OK;
}

/* Whether rows of what is closed ask for the features that touch: those of expressions do not. */
static bool has_features(const sp_smooth *s)
{
    bool any = false;
    for (int a = 0; a < s->closed.n && s->m->layout.more_gaps; a++) {
        any = any || !s->m->slot[s->closed.slot[a]].is.rule;
    }
    return any;
}

sp_status sp_smooth_rows(sp_smooth *s, double t, const double *q, const double *u, sp_error *err)
{
    sp_con *con = &s->w->con;
    sp_con_at(t, 1.0, q, u, con);
    con->kin = &s->w->kin;
    if (has_features(s)) {
        sp_con_gaps(s->m, s->num, &s->w->kin, con); /* which features touch */
        if (con->lost > 0) {
            return SP_FAIL(err, SP_E_NONFINITE,
                           "contact '%s': the nearest points of the two were not found",
                           s->m->slot[con->lost - 1].name);
        }
    }
    SP_TRY(activate(s->m, &s->closed, con, err));
    sp_con_directions(s->m, s->num, &s->w->kin, true, con);
    for (int a = 0; a < s->closed.n; a++) {
        sp_smooth_slide(s, a, s->closed.status[a], u);
    }
    sp_con_delassus(s->m, &s->w->dyn, con);
    return SP_OK;
}

/* Column of the system for row r of contact a: its own of G, and what it drags along. */
static double entry(const sp_smooth *s, int i, int a, int r, bool drag)
{
    const sp_con *con = &s->w->con;
    const bool drags = drag && a < s->closed.n && r == con->row[a];
    return con->G[i * con->n_row + r] + (drags ? sp_smooth_dragged(s, i, a) : 0.0);
}

/* Whether row r of contact a has an equation. */
static bool has_equation(const sp_smooth *s, int a, int r, sp_balance of)
{
    const sp_slot_traits is = s->m->slot[s->w->con.active[a]].is;
    const bool first = r == s->w->con.row[a];
    if (sp_smooth_is_known(s, a)) {
        return false;
    }
    if (of == SP_BALANCE_POSITIONS) {
        return first && !is.dry && !is.one_way;
    }
    return first || !sp_smooth_row_slides(s, a, r - s->w->con.row[a]);
}

/* The rows that have an equation; P of all others is known, or follows. */
static int choose_equations(sp_smooth *s, sp_balance of)
{
    const sp_con *con = &s->w->con;
    double *P = s->w->sol.P;
    int n = 0;
    for (int a = 0; a < con->n_active; a++) {
        for (int r = con->row[a]; r < con->row[a + 1]; r++) {
            P[r] = of == SP_BALANCE_FORCES && sp_smooth_is_known(s, a) ? sp_smooth_known_force(s, a)
                                                                       : 0.0;
            if (has_equation(s, a, r, of)) {
                s->lu_row[n] = r;
                s->lu_contact[n++] = a;
            }
        }
    }
    return n;
}

/* -c and what the known forces do, of row r. */
static double right_side(const sp_smooth *s, int r, bool forces)
{
    const sp_con *con = &s->w->con;
    double sum = -s->w->sol.c[r];
    for (int a = 0; a < s->closed.n; a++) {
        const double pull = forces ? sp_slide_pull(&con->set[a]) : 0.0;
        if (sp_smooth_is_known(s, a)) {
            sum -= con->G[r * con->n_row + con->row[a]] * s->w->sol.P[con->row[a]];
        }
        sum -= pull != 0.0 ? pull * sp_smooth_dragged(s, r, a) : 0.0;
    }
    return sum;
}

/* The forces of friction that slides, from the normal ones; its impulses: bonds have none. */
static void drag_along(sp_smooth *s, bool forces)
{
    const sp_con *con = &s->w->con;
    for (int a = 0; a < s->closed.n; a++) {
        double *P = s->w->sol.P + con->row[a];
        const double pull = forces ? sp_slide_pull(&con->set[a]) : 0.0;
        for (int k = 1; k < con->row[a + 1] - con->row[a]; k++) {
            if (sp_smooth_row_slides(s, a, k)) {
                P[k] = s->drag[a][k - 1] * (P[0] + pull);
            }
        }
    }
}

/* What is left of the right-hand side by the forces that slip that has just begun was found with.
 * theory (37.2) */
static double left_over(const sp_smooth *s, int i, bool forces)
{
    const int r = s->lu_row[i];
    double sum = right_side(s, r, forces);
    for (int j = 0; j < s->lu.n && forces && s->start.any; j++) {
        sum -= entry(s, r, s->lu_contact[j], s->lu_row[j], true) * s->start.found[s->lu_row[j]];
    }
    return sum;
}

/* Factor n rows of s->lu_row, scaled to unit length so that metres and radians compare; drags: of
 * the contacts s->lu_contact with the friction that they drag along.  Returns the rank. */
static int factor(sp_smooth *s, int n, bool drags)
{
    const sp_con *con = &s->w->con;
    s->lu.n = n;
    for (int i = 0; i < n; i++) {
        const double G_ii = con->G[s->lu_row[i] * con->n_row + s->lu_row[i]];
        s->lu_scale[i] = G_ii > 0.0 ? 1.0 / sqrt(G_ii) : 0.0;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            s->lu.LU[i * n + j] = s->lu_scale[i] * s->lu_scale[j] *
                                  entry(s, s->lu_row[i], s->lu_contact[j], s->lu_row[j], drags);
        }
    }
    return sp_lu_factor(&s->lu, DEPENDENT);
}

void sp_smooth_balance(sp_smooth *s, sp_balance of)
{
    const bool forces = of == SP_BALANCE_FORCES, drags = forces || of == SP_BALANCE_IMPULSES;
    double *P = s->w->sol.P;
    const int n = choose_equations(s, of);
    factor(s, n, drags);
    for (int i = 0; i < n; i++) {
        s->lu_b[i] = s->lu_scale[i] * left_over(s, i, forces);
    }
    sp_lu_solve(&s->lu, s->lu_b, s->lu_b);
    for (int i = 0; i < n; i++) {
        if (forces && s->start.any && s->lu_scale[i] > 0.0) {
            s->lu_b[i] += s->start.found[s->lu_row[i]] / s->lu_scale[i];
        }
        P[s->lu_row[i]] = s->lu_b[i] * s->lu_scale[i];
    }
    if (drags) {
        drag_along(s, forces);
    }
}

int sp_smooth_rank(sp_smooth *s, int n, const int *row)
{
    memcpy(s->lu_row, row, (size_t)n * sizeof *row);
    return factor(s, n, false);
}

/* c = W^T M^-1 h + W^T u'_held + w_bar: the accelerations of the rows without their forces.
 * theory (10.2) */
static void form_problem(sp_smooth *s)
{
    sp_work *w = s->w;
    const sp_con *con = &w->con;
    double scale = 0.0;
    for (int a = 0; a < con->n_active; a++) {
        const int *sup = sp_con_sup(con, a), n = con->n_sup[a];
        double w_bar[SP_SET_DIM_MAX];
        sp_con_slot_bias(s->m, s->num, con, a, w_bar);
        for (int r = con->row[a]; r < con->row[a + 1]; r++) {
            const double *W = sp_con_row(con, con->W, r), *YD = sp_con_row(con, con->YD, r);
            double sum = w_bar[r - con->row[a]], size = fabs(sum);
            for (int k = 0; k < n; k++) {
                const double part = YD[k] * w->b[sup[k]] + W[k] * w->du_held[sup[k]];
                sum += part;
                size += fabs(part);
            }
            w->sol.c[r] = sum;
            w->sol.free[r] = w_bar[r - con->row[a]];
            scale = size > scale ? size : scale;
        }
        const double G_NN = con->G[con->row[a] * con->n_row + con->row[a]];
        w->sol.rho[a] = G_NN > 0.0 ? 1.0 / G_NN : 1.0;
    }
    w->sol.xi_scale = scale;
}

/* The same with the friction of joints that belongs to their reactions.   theory (86.1) */
static sp_status find_grips(sp_smooth *s, sp_error *err)
{
    bool again = true;
    sp_grips_begin(s->m, s->w);
    while (again) {
        sp_smooth_balance(s, SP_BALANCE_FORCES);
        sp_smooth_accelerations(s->m, s->w, s->w->sol.P, s->w->du);
        SP_TRY(sp_grips_next(s->m, s->num, s->w->du, s->w->sol.P, s->w, &again, err));
    }
    return SP_OK;
}

/* The forces of the rows: with all states known a linear system, again and again where spots of
 * contact grow with the normal force.   theory (23.3) */
static sp_status find_forces(sp_smooth *s, sp_error *err)
{
    SP_TRY(sp_smooth_start_slip(s, err));
    sp_smooth_balance(s, SP_BALANCE_FORCES);
    for (int pass = 0; pass < SPOT_PASSES && sp_smooth_slide_again(s, s->w->sol.P) > 0.0; pass++) {
        sp_smooth_balance(s, SP_BALANCE_FORCES);
    }
    if (s->m->layout.n_grip > 0) {
        SP_TRY(find_grips(s, err));
    }
    if (s->choose && s->lu.rank < s->lu.n) {
        s->choose(s->choose_ctx);
    }
    s->w->sol.method = "linear";
    s->w->sol.pivots = 0;
    return SP_OK;
}

/* ---- powers ---------------------------------------------------------------------------------- */

/* 1/2 u^T M' u of formulas that give M and h themselves: what their h does beside changing the
 * kinetic energy by u.h.   theory (10.4) */
static double mass_power(const sp_smooth *s, double t, const double *q, const double *u)
{
    const sp_formula *f = &s->m->formula;
    const sp_signal_source from = {
        .kin = &s->w->kin, .q = q, .u = u, .t = t, .kink = s->w->con.kink};
    double sum = 0.0;
    for (int i = 0, k = 0; i < f->n; i++) {
        for (int j = 0; j <= i; j++, k++) {
            const sp_func *M = &f->M[k];
            double rate = 0.0;
            sp_func_grad(M, &from, s->w->dyn.in, s->w->dyn.grad, s->w->dyn.work);
            for (int a = 0; a < M->n_signal && M->program; a++) {
                const sp_signal *signal = &M->signal[a];
                rate += s->w->dyn.grad[a] * (signal->kind == SP_SIG_Q ? u[signal->dof] : 1.0);
            }
            sum += (i == j ? 0.5 : 1.0) * u[f->dof + i] * rate * u[f->dof + j];
        }
    }
    return sum;
}

/* Power of the rows of one contact: friction against its own velocity; what moves rows by itself
 * drives.  A row that holds does no other work, and the energy of a threshold is in V.
 * theory (13.11) */
static void row_powers(const sp_smooth *s, int a, const double *u, sp_powers *p)
{
    const sp_con *con = &s->w->con;
    const int slot = con->active[a];
    const bool contact = a < s->closed.n;
    const bool friction_row = s->m->slot[slot].is.dry;
    double friction = 0.0;
    for (int r = con->row[a]; r < con->row[a + 1]; r++) {
        const double P = s->w->sol.P[r], w_tilde = con->w_tilde[r];
        const bool dry = contact && (friction_row || r > con->row[a]);
        p->driven -= w_tilde != 0.0 ? P * w_tilde : 0.0; /* P.W^T u at gamma = 0 */
        friction += dry ? P * (sp_con_dot(con, a, r, u) + w_tilde) : 0.0;
    }
    if (contact) {
        s->slot_power[slot] = friction;
        p->contacts += friction;
    }
}

/* Power of all but conservative forces, from u', lambda and h.   theory (10.3), (10.4) */
static sp_powers powers(const sp_smooth *s, double t, const double *q, const double *u)
{
    const sp_model *m = s->m;
    const sp_work *w = s->w;
    const sp_dyn *dyn = &w->dyn;
    const sp_con *con = &w->con;
    sp_powers p = {.dampers = 0.0};
    memset(s->slot_power, 0, (size_t)(m->n_slot + m->n_book) * sizeof(double));
    if (dyn->acts[SP_DAMPERS]) {
        p.dampers = sp_dot_n(m->n_dof, u, dyn->h[SP_DAMPERS]);
    }
    if (dyn->acts[SP_APPLIED]) {
        p.applied = sp_dot_n(m->n_dof, u, dyn->h[SP_APPLIED]);
    }
    const double mass = m->formula.h ? mass_power(s, t, q, u) : 0.0;
    if (m->formula.n > 0) {
        p.applied += dyn->explicit_power + mass;
    }
    if (dyn->n_action > 0 || m->formula.n > 0) {
        sp_dyn_book(m, &w->kin, u, 1.0, dyn, s->book_power);
    }
    if (mass != 0.0) {
        s->book_power[m->n_book - 1] += mass;
    }
    for (int a = 0; a < con->n_active; a++) {
        row_powers(s, a, u, &p);
    }
    for (int i = 0; i < m->n_motion; i++) {
        p.driven += u[m->motion[i].dof] * w->reaction[m->motion[i].dof];
    }
    return p;
}

/* The same from what the force elements gave, where h is not there. */
static sp_powers tree_powers(const sp_smooth *s, const double *u)
{
    const sp_model *m = s->m;
    sp_powers p = {.dampers = 0.0};
    for (int i = 0; i < m->n_force; i++) {
        p.dampers += s->dyn.element[i].power[SP_DAMPERS];
        p.applied += s->dyn.element[i].power[SP_APPLIED];
    }
    for (int i = 0; i < m->layout.n_spring; i++) {
        const int k = m->layout.spring[i];
        p.dampers -= s->num->dof[k].damping * u[k] * u[k];
    }
    memset(s->book_power, 0, (size_t)m->n_book * sizeof(double));
    sp_dyn_book(m, &s->w->kin, u, 1.0, &s->dyn, s->book_power);
    return p;
}

/* ---- accelerations --------------------------------------------------------------------------- */

/* h, the sum of all shares, into w->h_dt; b = L^-T (h - M u'_held) over those that are free. */
static void push(const sp_model *m, sp_work *w)
{
    const double *h_c = w->dyn.h[SP_CONSERVATIVE];
    double *h = w->h_dt, *b = w->b;
    for (int k = 0; k < m->n_dof; k++) {
        b[k] = h[k] = h_c[k];
    }
    for (int share = SP_DAMPERS; share < SP_SHARES; share++) {
        for (int k = 0; w->dyn.acts[share] && k < m->n_dof; k++) {
            b[k] = h[k] += w->dyn.h[share][k];
        }
    }
    for (int k = 0; m->n_motion > 0 && k < m->n_dof; k++) {
        b[k] = w->held[k] ? 0.0 : h[k] - w->M_held[k];
    }
    sp_dyn_solve_LT(m, &w->dyn, w->b);
}

/* u'_held, M times it, and the factor of M over the others. */
static sp_status prescribe(const sp_model *m, double t, sp_work *w, sp_error *err)
{
    if (m->n_motion == 0) {
        return sp_dyn_factor(m, &w->dyn, err);
    }
    memset(w->du_held, 0, (size_t)m->n_dof * sizeof(double));
    sp_motion_accelerate(m, t, &w->dyn, w->du_held);
    sp_dyn_multiply(m, &w->dyn, w->du_held, w->M_held);
    return sp_dyn_factor_held(m, w->held, &w->dyn, err);
}

void sp_smooth_accelerations(const sp_model *m, const sp_work *w, const double *P, double *du)
{
    memcpy(du, w->b, (size_t)m->n_dof * sizeof *du);
    sp_con_add_rows(&w->con, w->con.Y, P, du);
    sp_dyn_solve_D_L(m, &w->dyn, du);
    for (int i = 0; i < m->n_motion; i++) {
        du[m->motion[i].dof] = w->du_held[m->motion[i].dof];
    }
}

/* u' = M^-1 (h + W lambda); what the balance of a prescribed row lacks moves it. */
static void accelerate(const sp_model *m, sp_work *w)
{
    memset(w->WP, 0, (size_t)m->n_dof * sizeof(double));
    sp_smooth_accelerations(m, w, w->sol.P, w->du);
    sp_con_add_rows(&w->con, w->con.W, w->sol.P, w->WP);
    if (m->n_motion == 0) {
        return;
    }
    sp_dyn_multiply(m, &w->dyn, w->du, w->M_du);
    for (int i = 0; i < m->n_motion; i++) {
        const int k = m->motion[i].dof;
        w->reaction[k] = w->M_du[k] - w->h_dt[k] - w->WP[k];
        w->WP[k] += w->reaction[k];
    }
}

/* Articulated bodies: no M.   theory (3.30)-(3.34) */
static sp_status accelerate_tree(sp_smooth *s, double t, const double *z, sp_error *err)
{
    sp_work *w = s->w;
    s->dyn.z = z;
    w->con.n_active = w->con.n_row = 0;
    SP_TRY(sp_dyn_accelerate(s->m, s->num, &(sp_at){t, w->q, w->u_E}, NULL, &w->kin, &s->dyn, w->du,
                             err));
    memcpy(w->dyn.z_rate, s->dyn.z_rate, (size_t)s->m->n_aux * sizeof(double));
    s->power = tree_powers(s, w->u_E);
    return SP_OK;
}

/* q and u into w, with what is prescribed at t. */
static void put(sp_smooth *s, double t, const double *q, const double *u)
{
    const sp_model *m = s->m;
    sp_work *w = s->w;
    memcpy(w->q, q, (size_t)m->n_q * sizeof(double));
    memcpy(w->u_E, u, (size_t)m->n_dof * sizeof(double));
    if (m->n_motion > 0) {
        sp_motion_place(m, t, &w->dyn, w->q);
        sp_motion_move(m, t, &w->dyn, w->u_E);
    }
}

sp_status sp_smooth_pose(sp_smooth *s, double t, const double *q, const double *u, const double *z,
                         sp_error *err)
{
    const sp_model *m = s->m;
    sp_work *w = s->w;
    size_t bytes;
    put(s, t, q, u);
    w->sol.method = "none";
    w->sol.pivots = 0;
    w->con.n_active = w->con.n_row = 0;
    w->dyn.kink = w->con.kink = s->dyn.kink = m->n_kink > 0 ? sp_smooth_kinks(s, &bytes) : NULL;
    if (s->tree) {
        return SP_OK;
    }
    w->dyn.z = z;
    sp_dyn_terms(m, s->num, t, w->q, w->u_E, &w->kin, &w->dyn); /* M, h                      */
    w->dyn.kink = NULL;              /* steps of other methods take sides as they are */
    SP_TRY(prescribe(m, t, w, err)); /* u'_held, M = L^T D L      */
    if (m->n_bond + s->closed.n > 0) {
        sp_kin_velocities(m, w->u_E, &w->kin);
        SP_TRY(sp_smooth_rows(s, t, w->q, w->u_E, err)); /* W, G                      */
    }
    return SP_OK;
}

sp_status sp_smooth_accelerate(sp_smooth *s, double t, const double *q, const double *u,
                               const double *z, sp_error *err)
{
    const sp_model *m = s->m;
    sp_work *w = s->w;
    SP_TRY(sp_smooth_pose(s, t, q, u, z, err));
    if (s->tree) {
        return accelerate_tree(s, t, z, err);
    }
    push(m, w); /* L^-T (h - M u'_held)      */
    if (m->n_bond + s->closed.n > 0) {
        form_problem(s);             /* c                         */
        SP_TRY(find_forces(s, err)); /* lambda                    */
    }
    accelerate(m, w); /* u'                        */
    s->power = powers(s, t, w->q, w->u_E);
    return SP_OK;
}
