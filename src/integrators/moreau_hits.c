/* integrators/moreau_hits.c - what a step did to each contact of its problem: velocities, work,
 * whether it was an impact. */
#include "contact/coefficient.h"
#include "contact/rule.h"
#include "integrators/moreau_parts.h"
#include "laws/slide.h"

/* What is left of an adhesion at its end, as far as problems nearly solved show it. */
#define TORN (100.0 * SP_CERTIFIED)

/* Resting speed in units of what smooth forces change in a step.  Two such steps explain it; with
 * restitution a contact hops on with the speed at which the correction of positions feeds in what
 * the impacts take out, which grows with 1/(1 - eps^2).  Without loss nothing comes to rest.
 * theory (9.1) */
static double resting_factor(double eps_N)
{
    const double loss = 1.0 - eps_N * eps_N;
    return loss > 0.02 ? 2.0 / loss : 2.0;
}

/* The same of drilling and rolling.  A spot that drills slides, too: it is one set. */
static void note_spins(const sp_con *con, const sp_sol *sol, int a, sp_hit *hit)
{
    const int r = con->row[a], n = con->row[a + 1] - r;
    for (int k = 3; k < SP_SET_DIM_MAX; k++) {
        hit->P[k] = k < n ? sol->P[r + k] : 0.0;
    }
    for (int k = 3; k < n; k++) {
        const double work = 0.5 * (sol->gamma_A[r + k] + sol->gamma_E[r + k]) * hit->P[k];
        hit->work += work;
        hit->work_T += work;
    }
    if (sp_set_drills(&con->set[a])) {
        hit->slides = hit->slides || fabs(sol->gamma_E[r + 3]) > SP_SLIP_NOISE * sol->xi_scale;
    }
}

/* Whether a contact in space slides at the end of the step.  Solvers stop at a residual: what is
 * slower than certificates can tell from rest is at rest. */
static bool slides_in_space(const sp_sol *sol, double speed)
{
    return speed > SP_SLIP_NOISE * sol->xi_scale && speed > SP_CERTIFIED * sol->xi_local;
}

/* The velocity along row r that shows whether a contact slides on: that of the end of the step,
 * with the row of the midpoint or, where rows look there, of the end itself.   theory (17.41) */
static double slip_of(const sp_con *con, const sp_sol *sol, const sp_step_rule *rule, int r)
{
    const bool turned = rule->lasting_at_end && con->eps[r] < 1.0;
    return sol->gamma_E[r] + (turned ? con->ahead[r] / (1.0 - con->eps[r]) : 0.0);
}

/* The same along t2, in space. */
static void note_third(const sp_con *con, const sp_work *w, const sp_step_rule *rule, double slip,
                       int a, sp_hit *hit)
{
    const sp_sol *sol = &w->sol;
    const int r = con->row[a] + 2;
    hit->P[2] = hit->gamma_A[2] = hit->gamma_E[2] = 0.0;
    if (r >= con->row[a + 1]) {
        note_spins(con, sol, a, hit);
        return;
    }
    hit->P[2] = sol->P[r];
    hit->gamma_A[2] = sol->gamma_A[r];
    hit->gamma_E[2] = sol->gamma_E[r];
    const double work = 0.5 * (hit->gamma_A[2] + hit->gamma_E[2]) * hit->P[2];
    hit->work += work;
    hit->work_T += work;
    hit->slides = slides_in_space(sol, hypot(slip, slip_of(con, sol, rule, r)));
    note_spins(con, sol, a, hit);
}

/* Whether the contact bears a load, or its adhesion is at its end: it goes away, and pulls with all
 * of it as far as solvers can tell.   theory (42.4) */
static void note_load(const sp_set *set, double noise, sp_hit *hit)
{
    const double pull = sp_slide_pull(set);
    hit->tears = pull > 0.0 && hit->P[0] + pull <= TORN * pull && hit->xi_N > noise;
    hit->bears = hit->P[0] > 0.0 || (pull > 0.0 && !hit->tears);
}

/* What happened to one contact of the problem. */
static void note_hit(const sp_model *m, const sp_state *x, const sp_step_rule *rule, int a,
                     double dt, sp_work *w)
{
    const sp_con *con = &w->con;
    const sp_sol *sol = &w->sol;
    const sp_contact_memory *before = &x->contact[con->active[a]];
    const int n = con->row[a + 1] - con->row[a];
    const double slip = n > 1 ? slip_of(con, sol, rule, con->row[a] + 1) : 0.0;
    sp_hit *hit = &w->hit[a];
    hit->slot = con->active[a];
    hit->status = sol->status[a];
    hit->g_M = con->frame[a].g_N;
    hit->P_before = before->P_N;
    hit->work = 0.0;
    hit->struck = false;
    for (int k = 0, r = con->row[a]; k < 2; k++, r++) {
        const bool there = r < con->row[a + 1];
        hit->P[k] = there ? sol->P[r] : 0.0;
        hit->gamma_A[k] = there ? sol->gamma_A[r] : 0.0;
        hit->gamma_E[k] = there ? sol->gamma_E[r] : 0.0;
        hit->work_T = 0.5 * (hit->gamma_A[k] + hit->gamma_E[k]) * hit->P[k];
        hit->work += hit->work_T;
    }
    const bool by_law = rule->lasting_at_end && !(n > 1 && con->eps[con->row[a] + 1] > 0.0);
    const double noise = by_law ? SP_SLIP_SURE : SP_SLIP_NOISE;
    hit->slides =
        n < 2 || (fabs(slip) > noise * sol->xi_scale && !(by_law && hit->status == SP_STICK));
    if (con->disc) {
        note_third(con, w, rule, slip, a, hit);
    }
    hit->stores = m->slot[hit->slot].is.stores;
    hit->dry = m->slot[hit->slot].is.interval;
    if (hit->dry) { /* of two that share a force one may be at its limit without sliding */
        const bool moves = fabs(sol->xi[con->row[a]]) > SP_SLIP_NOISE * sol->xi_scale;
        hit->slides = hit->status != SP_STICK && (moves || !rule->lasting_at_end);
    }

    /* newly touched and faster than a step of smooth motion explains?   theory (9.1) */
    double w_bar[SP_SET_DIM_MAX];
    if (!m->slot[hit->slot].is.planar) {
        sp_con_slot_bias(m, x->numbers, con, a, w_bar);
    } else {
        sp_con_bias(m, &w->kin, con, hit->slot, &con->frame[a], w_bar);
    }
    const double factor = resting_factor(con->eps[con->row[a]]), turned = 0.5 * dt * w_bar[0];
    hit->eps_N = con->eps[con->row[a]];
    hit->xi_N = rule->lasting_at_end ? sol->xi[con->row[a]] : sol->gamma_E[con->row[a]];
    note_load(&con->set[a], SP_SLIP_NOISE * sol->xi_scale, hit);
    hit->v_rest = factor * (fabs(sol->free[con->row[a]]) + fabs(w_bar[0]) * dt);
    if (rule->lasting_at_end) { /* velocities of the beginning and the end: these show what rests */
        hit->gamma_A[0] -= turned;
        hit->gamma_E[0] += turned;
        hit->v_rest = SP_SLIP_NOISE * sol->xi_scale;
    }
    hit->reach = 0.5 * factor * hit->v_rest * dt; /* as high as a hop with that speed */
    hit->impact = !sp_contact_loaded(m, hit->slot, before) && hit->P[0] > 0.0 &&
                  hit->gamma_A[0] < -hit->v_rest && !hit->dry;
}

/* An impact passes through contacts that are coupled to it and are suddenly loaded: they take part.
 * Dry friction and thresholds do not, their forces are bounded. */
static void spread_impact(const sp_con *con, int n_hit, sp_hit *hit)
{
    bool spreads = true;
    for (int pass = 0; pass < n_hit && spreads; pass++) {
        spreads = false;
        for (int a = 0; a < n_hit; a++) {
            for (int b = 0; b < n_hit && hit[a].impact; b++) {
                if (!hit[b].impact && !hit[b].dry && hit[b].P[0] > SP_SUDDEN * hit[b].P_before &&
                    hit[b].P[0] > 0.0 && sp_con_coupled(con, a, b)) {
                    hit[b].impact = spreads = true;
                }
            }
        }
    }
}

/* Which contacts that came to rest are coupled to an impact that they are no part of: only of those
 * the time is asked for, and coupling checks are expensive for large piles.   theory (59.2) */
static void spread_word(const sp_con *con, const sp_state *x, int n_hit, sp_hit *hit)
{
    for (int a = 0; a < n_hit; a++) {
        const bool rests = !hit[a].slides && x->contact[hit[a].slot].state == SP_STATE_SLIP;
        for (int b = 0; b < n_hit && rests && !hit[a].impact && !hit[a].struck; b++) {
            hit[a].struck = hit[b].impact && sp_con_coupled(con, a, b);
        }
    }
}

/* Velocities along of contacts without friction, for the log of their impacts. */
static void note_glides(const sp_model *m, const sp_state *x, sp_work *w)
{
    const sp_con *con = &w->con;
    for (int a = 0; a < w->n_hit; a++) {
        if (w->hit[a].impact && con->row[a + 1] == con->row[a] + 1) {
            w->hit[a].gamma_A[1] = sp_con_glide(m, con, a, x->u, NULL);
            w->hit[a].gamma_E[1] = sp_con_glide(m, con, a, w->u_E, NULL);
        }
    }
}

void sp_note_hits(const sp_model *m, const sp_state *x, const sp_step_rule *rule, double dt,
                  sp_work *w)
{
    const sp_con *con = &w->con;
    bool on_ground = true, impact = false;
    w->n_hit = con->n_active > 0 ? con->n_active - m->n_bond : 0; /* bilateral rows stand last */
    for (int a = 0; a < w->n_hit; a++) {
        on_ground = on_ground && sp_con_on_ground(m, con->active[a], &con->frame[a]);
    }
    for (int i = 0; i < m->n_bond; i++) {
        w->bond_P[i] = w->sol.P[con->row[w->n_hit + i]];
    }
    if (!on_ground) { /* velocities at the midpoint, for the resting speeds */
        sp_kin_velocities(m, x->u, &w->kin);
    }
    for (int a = 0; a < w->n_hit; a++) {
        note_hit(m, x, rule, a, dt, w);
        impact |= w->hit[a].impact;
    }
    if (impact) {
        spread_impact(con, w->n_hit, w->hit);
        note_glides(m, x, w);
        spread_word(con, x, w->n_hit, w->hit);
    }
}
