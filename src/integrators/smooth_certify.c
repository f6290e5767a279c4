/* integrators/smooth_certify.c - how well accelerations and forces of smooth motion hold, from the
 * definition: by nothing that found them.   theory (10.8), (27.4) */
#include "base/status.h"
#include "contact/coefficient.h"
#include "integrators/clock.h"
#include "integrators/smooth.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Of the largest accelerations so far: what residuals at events are relative to at least, where all
 * forces may be zero but for the time of the event, which is 1e-12 s off. */
#define LANDED 0.01

/* Of the accelerations that events of the step measured forces by: the same between events.  What
 * counts as no force there is certified, and nothing that is more.   theory (13.1a) */
#define FADED (SP_NO_FORCE / SP_CERTIFIED)

#define AT_REST SP_AT_REST /* slip below has no direction, of the terms that it is a sum of */
#define HOLDS   SP_SMALL   /* of the slip at the beginning of a step: nor has this, (23.6)  */

#define NO_DIGITS (DBL_MIN / DBL_EPSILON) /* m/s^2: less is not known to a digit */

/* Of t: times nearer than this are one, (64.5). */
#define SAME_TIME (8.0 * DBL_EPSILON)

/* Velocities of the rows of group g of contact a into gamma, their length; *slow: what of it may be
 * the error of a step. */
static double slip_of(const sp_smooth *s, int a, sp_group g, double *gamma, double *slow)
{
    const sp_con *con = &s->w->con;
    const int *sup = sp_con_sup(con, a);
    double speed = 0.0;
    *slow = 0.0;
    for (int k = 0; k < g.n; k++) {
        const int r = con->row[a] + g.first + k;
        const double *W = sp_con_row(con, con->W, r);
        double sum = con->w_tilde[r], terms = fabs(sum), error = 0.0;
        for (int i = 0; i < con->n_sup[a]; i++) {
            sum += W[i] * s->w->u_E[sup[i]];
            terms += fabs(W[i] * s->w->u_E[sup[i]]);
            error += fabs(W[i]) * s->size.u[s->kind[sup[i]]];
        }
        gamma[k] = sum;
        speed = hypot(speed, sum);
        *slow = fmax(*slow, fmax(AT_REST * terms, s->tolerance * error));
    }
    return speed;
}

/* xi of group i of contact a, which slides: its velocity, so long that the natural map compares the
 * force with what the law gives for that direction; none where it has no direction.
 * theory (27.4) */
static void judge_group(sp_smooth *s, int a, int i, sp_group g)
{
    sp_work *w = s->w;
    const sp_con *con = &w->con;
    sp_set *set = &w->con.set[a];
    const int slot = con->active[a], r = con->row[a];
    double gamma[SP_FRICTION_ROWS], slow;
    const double speed = slip_of(s, a, g, gamma, &slow);
    const double N = fmax(0.0, w->sol.P[r] + sp_slide_pull(set));
    if (i == 0 && sp_con_by_speed(s->m, slot)) {
        set->mu = sp_con_mu(s->m, s->num, con, slot, speed, NULL);
    }
    if (s->way && s->m->slot[slot].is.space) {
        slow = fmax(slow, HOLDS * s->way[slot].speed[i]);
    }
    const double mu = i == 0 ? set->mu : set->mu_2;
    const double length = speed > slow ? 2.0 * mu * N / (w->sol.rho[a] * speed) : 0.0;
    for (int k = 0; k < g.n; k++) {
        w->sol.xi[r + g.first + k] = length * gamma[k];
    }
}

/* Contact a that slides; groups that have just begun to are judged by their accelerations, (23.5).
 */
static void judge_sliding(sp_smooth *s, int a)
{
    sp_work *w = s->w;
    const int slot = w->con.active[a];
    const bool space = s->m->slot[slot].is.space;
    const int sliding = space ? sp_sliding(s->closed.status[a]) & ~s->starting[slot] : 1;
    sp_group g[SP_GROUPS];
    const int n = sp_slide_groups(&w->con.set[a], g);
    for (int i = 0; i < n; i++) {
        if ((sliding >> i) & 1) {
            judge_group(s, a, i, g[i]);
        }
    }
}

/* What the accelerations of rows must be known to: contact forces that hold each other make ones
 * that cancel, to the round-off of these.   theory (95.1) */
static double least_scale(const sp_smooth *s)
{
    const sp_sol *sol = &s->w->sol;
    const sp_con *con = &s->w->con;
    double least = fmax(FADED * s->accel_scale, s->landed ? LANDED * s->accel_size : 0.0);
    for (int a = 0; a < con->n_active; a++) {
        least = fmax(least, SP_VELOCITY_FLOOR * fabs(sol->P[con->row[a]]) / sol->rho[a]);
    }
    return least;
}

/* gamma' = W^T u' + w_bar of all rows from u' itself, against the sets; of what slides the velocity
 * in place of it. */
static void certify_rows(sp_smooth *s)
{
    sp_work *w = s->w;
    const sp_con *con = &w->con;
    for (int a = 0; a < con->n_active; a++) {
        for (int r = con->row[a]; r < con->row[a + 1]; r++) {
            w->sol.xi[r] = sp_con_dot(con, a, r, w->du) + w->sol.free[r];
        }
    }
    const double scale = fmax(w->sol.xi_scale, least_scale(s));
    for (int i = 0; i < s->closed.n; i++) {
        if (sp_smooth_is_known(s, i)) {
            const double P = w->sol.P[con->row[i]];
            w->con.set[i] = sp_set_interval(P, P);
        } else if (s->closed.status[i] != SP_STICK) {
            judge_sliding(s, i);
        }
    }
    sp_certify_contacts(con->n_active, con->set, con->row, w->sol.P, w->sol.xi, w->sol.rho,
                        scale > NO_DIGITS ? scale : 1.0, &w->certificate);
    sp_work_name_worst(w);
}

/* What contacts are certified by where the step ends: that place, or the last one before forces
 * jumped.   theory (49.2) */
static void certify_contacts(sp_smooth *s)
{
    sp_certificate *now = &s->w->certificate;
    certify_rows(s);
    if (s->left) {
        const sp_certificate left = s->before;
        now->complementarity = left.complementarity;
        now->cone = left.cone;
        now->dissipation = left.dissipation;
        now->at = left.at;
    }
}

/* w->WP by the forces as they are reported, whoever chose them.   theory (56.4) */
static void push_anew(const sp_model *m, sp_work *w)
{
    memset(w->WP, 0, (size_t)m->n_dof * sizeof(double));
    sp_con_add_rows(&w->con, w->con.W, w->sol.P, w->WP);
    for (int i = 0; i < m->n_motion; i++) {
        w->WP[m->motion[i].dof] += w->reaction[m->motion[i].dof];
    }
}

/* The certificate of the accelerations and forces of the last evaluation, at t. */
static void certify(sp_smooth *s, double t, const double *z)
{
    const sp_model *m = s->m;
    sp_work *w = s->w;
    double T_2 = 0.0;
    w->certificate = (sp_certificate){.momentum = 0.0};
    if (s->tree) { /* by the other way: M and h */
        w->dyn.z = z;
        sp_dyn_terms(m, s->num, t, w->q, w->u_E, &w->kin, &w->dyn);
        memset(w->WP, 0, (size_t)m->n_dof * sizeof(double));
        for (int k = 0; k < m->n_dof; k++) {
            w->h_dt[k] = 0.0;
            for (int share = 0; share < SP_SHARES; share++) {
                w->h_dt[k] += w->dyn.acts[share] ? w->dyn.h[share][k] : 0.0;
            }
        }
    }
    if (w->con.n_active > 0) {
        certify_contacts(s);
        push_anew(m, w);
    }
    sp_dyn_multiply(m, &w->dyn, w->du, w->M_du);
    for (int k = 0; k < m->n_dof;
         k++) { /* the forces that u' and forces elsewhere allow in a row */
        const sp_dof_layout *dof = &m->layout.dof[k];
        const double M_kk = w->dyn.M[dof->row + dof->depth];
        T_2 += fabs(w->du[k] * w->M_du[k]);
        T_2 += M_kk > 0.0 ? (w->h_dt[k] * w->h_dt[k] + w->WP[k] * w->WP[k]) / M_kk : 0.0;
    }
    for (int k = 0; k < m->n_dof; k++) {
        const sp_dof_layout *dof = &m->layout.dof[k];
        w->size2[k] = T_2 * w->dyn.M[dof->row + dof->depth];
    }
    sp_work_add_reactions(m, w);
    sp_certify_momentum(m->n_dof, w->M_du, w->h_dt, w->WP, w->size2, &w->certificate);
}

/* The largest residual of contacts. */
static double residual(const sp_certificate *c)
{
    return fmax(fmax(c->complementarity, c->cone), c->dissipation);
}

/* Loads may be so steep that forces depend on the last digits of time: what holds at a time that
 * round-off does not tell from t is certified.   theory (64.23) */
static sp_status certify_nearby(sp_smooth *s, double t, const double *z, sp_error *err)
{
    sp_work *w = s->w;
    sp_certificate best = w->certificate;
    const double *y = s->now, last = w->clocks->stop;
    const int way[3] = {-1, 1, 0}; /* at last t itself: its forces are what steps go on with */
    for (int k = 0; k < 3; k++) {
        const double there = fmin(t + way[k] * SAME_TIME * fabs(t), last);
        SP_TRY(sp_smooth_accelerate(s, way[k] == 0 ? t : there, y + s->q, y + s->u, z, err));
        if (s->settle) {
            s->settle(s->choose_ctx);
        }
        certify(s, there, z);
        best = residual(&w->certificate) < residual(&best) ? w->certificate : best;
    }
    w->certificate = best;
    return SP_OK;
}

sp_status sp_smooth_certify(sp_smooth *s, double t, const double *z, sp_error *err)
{
    certify(s, t, z);
    const bool steep = s->w->clocks && t == s->t && residual(&s->w->certificate) > SP_CERTIFIED;
    return steep ? certify_nearby(s, t, z, err) : SP_OK;
}

void sp_smooth_certify_gaps(sp_smooth *s, const sp_state *x)
{
    const sp_model *m = s->m;
    sp_con *con = &s->w->con;
    sp_con_at(x->t, 0.0, x->q, x->u, con);
    sp_con_search_gaps(m, s->num, &s->w->kin, SP_NONE, con);
    double deep = m->n_bond > 0 ? con->off : 0.0;
    for (int i = 0; i < m->n_slot; i++) {
        const bool beside = con->barred[i] || con->aside[i] ||
                            (m->slot[i].is.pooled && con->outside[i] > con->tol[i]);
        const bool has_gap = !m->slot[i].is.interval && isfinite(con->g[i]);
        deep = has_gap && !beside ? fmax(deep, -con->g[i]) : deep;
    }
    s->w->certificate.gap = deep;
}
