/* integrators/event_jam.c - where rigid bodies with dry friction have no accelerations, or several
 * (Painleve).   theory (13.8), (13.9) */
#include "base/status.h"
#include "impact/phase.h"
#include "integrators/event_parts.h"
#include "integrators/friction.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define NUDGE 1e-8 /* of the velocities: what accelerations add to show which impulse is wanted */
#define PUSH  1e-4 /* the same so that no impulse at all is not taken for one                   */
#define SHORT 1e-4 /* of a slip without accelerations: it goes on with so much less   (50.3)    */

void sp_event_report_solutions(const sp_events *e, const sp_state *x,
                               const sp_solution_count *solutions, int slot, int impact_id)
{
    sp_uniqueness *unique = &e->s->w->unique;
    const bool known = slot >= 0 && slot < e->s->m->n_slot;
    assert(known || solutions->n_motion == 1); /* rows without a slot are bilateral: one motion */
    unique->problems++;
    if (solutions->n_motion == 1 && !solutions->complete) {
        const sp_uniqueness now = {0, 1, x->t, known ? slot : SP_NONE};
        sp_uniqueness_add(unique, &now);
    }
    if (solutions->n_motion > 1) {
        const sp_contact_state state = known && impact_id > 0
                                           ? sp_event_public(e, slot, e->settle.state[slot])
                                           : SP_STATE_OPEN;
        sp_event *event =
            sp_event_report(e->s->w, x, SP_EVENT_CHOICE, known ? slot : 0, state, state);
        event->impact_id = impact_id;
        event->n_found = solutions->n_motion;
        event->at_least = !solutions->complete;
    }
}

/* ---- velocities jump without a collision ----------------------------------------------------- */

/* The problem of impulses over the contacts of w->con: bounded forces have none. */
static sp_problem form_impulses(sp_events *e, int *n_contact)
{
    sp_work *w = e->s->w;
    const sp_con *con = &w->con;
    int n = 0;
    *n_contact = 0;
    for (int a = 0; a < con->n_active; a++) {
        if (con->set[a].kind != SP_SET_INTERVAL && e->settle.stays[a]) {
            e->jam.of.who[*n_contact] = a;
            e->jam.of.row[*n_contact] = n;
            e->jam.of.set[*n_contact] = con->set[a];
            e->jam.of.guess[*n_contact] = SP_STATUS_UNKNOWN;
            n += sp_set_dim(&con->set[a]);
            (*n_contact)++;
        }
    }
    for (int i = 0; i < *n_contact; i++) {
        for (int k = 0; k < sp_set_dim(&e->jam.of.set[i]); k++) {
            const double *G =
                con->G + (size_t)(con->row[e->jam.of.who[i]] + k) * (size_t)con->n_row;
            for (int j = 0; j < *n_contact; j++) {
                for (int l = 0; l < sp_set_dim(&e->jam.of.set[j]); l++) {
                    e->jam.of.G[(size_t)(e->jam.of.row[i] + k) * (size_t)n +
                                (size_t)(e->jam.of.row[j] + l)] = G[con->row[e->jam.of.who[j]] + l];
                }
            }
        }
    }
    return sp_posed_problem(&e->jam.of, *n_contact, n, e->impact.size, w);
}

/* c = gamma + nudge times the accelerations without forces, less the slip that is asked for. */
static void fill_velocities(sp_events *e, int n_contact, double nudge)
{
    const sp_work *w = e->s->w;
    for (int i = 0; i < n_contact; i++) {
        const int a = e->jam.of.who[i], r = w->con.row[a];
        const double slip = w->friction ? w->friction[a].slip : 0.0;
        for (int k = 0; k < sp_set_dim(&e->jam.of.set[i]); k++) {
            e->jam.of.c[e->jam.of.row[i] + k] = w->sol.gamma_A[r + k] + nudge * w->sol.c[r + k];
            e->jam.of.c[e->jam.of.row[i] + k] -= k == 1 ? slip : 0.0;
        }
    }
}

/* ---- friction by speed ----------------------------------------------------------------------- */

/* Impulses of p over the rows of w->con. */
static void spread(sp_events *e, int n_contact)
{
    const sp_con *con = &e->s->w->con;
    memset(e->jam.impulse, 0, (size_t)con->n_row * sizeof(double));
    for (int i = 0; i < n_contact; i++) {
        for (int k = 0; k < sp_set_dim(&e->jam.of.set[i]); k++) {
            e->jam.impulse[con->row[e->jam.of.who[i]] + k] = e->jam.of.P[e->jam.of.row[i] + k];
        }
    }
}

/* The speeds that the contacts of p slide at with its impulses. */
static void put_speeds(const sp_events *e, const sp_problem *p, sp_work *w)
{
    for (int i = 0; i < p->n_contact; i++) {
        sp_friction *f = &w->friction[e->jam.of.who[i]];
        double xi[2] = {f->slip, 0.0};
        for (int k = 0; k < 2 && k + 1 < sp_set_dim(&p->set[i]); k++) {
            const double *G = p->G + (size_t)(p->row[i] + 1 + k) * (size_t)p->ld;
            xi[k] += p->c[p->row[i] + 1 + k];
            for (int j = 0; j < p->n; j++) {
                xi[k] += G[j] * e->jam.of.P[j];
            }
        }
        f->xi = xi[0];
        f->v = hypot(xi[0], xi[1]);
    }
}

/* Solve p, whose velocities have a nudge, with coefficients that belong to the speeds it leads to.
 * *slips: that of a contact was asked for, which goes on with a little less.
 * theory (16.2), (50.2), (50.3) */
static sp_status solve_speeds(sp_events *e, const sp_state *x, const sp_problem *p, double nudge,
                              sp_solution *s, bool *slips, sp_error *err)
{
    sp_work *w = e->s->w;
    const sp_model *m = e->s->m;
    bool right = false;
    for (int pass = 0; pass < SP_FRICTION_PASSES && !right; pass++) {
        for (int i = 0; i < p->n_contact; i++) {
            e->jam.of.set[i].mu = w->con.set[e->jam.of.who[i]].mu;
        }
        fill_velocities(e, p->n_contact, nudge);
        SP_TRY(sp_solve(p, s, w->sol.work, err));
        spread(e, p->n_contact);
        put_speeds(e, p, w);
        right = m->dim == 2 ? sp_friction_judge_slip(m, x->numbers, e->jam.impulse, w)
                            : sp_friction_judge(m, x->numbers, e->jam.impulse, w);
    }
    for (int i = 0; i < p->n_contact; i++) {
        *slips = *slips || w->friction[e->jam.of.who[i]].slip != 0.0;
        w->friction[e->jam.of.who[i]].slip *= 1.0 - SHORT;
    }
    return right ? SP_OK : sp_friction_fail(m, w, err);
}

/* The impulse that a nudge of the velocities asks for. */
static sp_status solve_nudged(sp_events *e, const sp_state *x, const sp_problem *p, double nudge,
                              sp_solution *s, bool *slips, sp_error *err)
{
    sp_work *w = e->s->w;
    const double scale = w->sol.xi_scale;
    w->sol.xi_scale = e->impact.size;
    const bool by_speed = e->s->m->layout.speeds && sp_friction_begin(e->s->m, x, w);
    sp_status status;
    if (by_speed) {
        status = solve_speeds(e, x, p, nudge, s, slips, err);
    } else {
        fill_velocities(e, p->n_contact, nudge);
        status = sp_solve(p, s, w->sol.work, err);
    }
    w->sol.xi_scale = scale;
    return status;
}

/* ---- the jump -------------------------------------------------------------------------------- */

/* u <- u + M^-1 W Lambda; the works, contact by contact, and of what moves by itself. */
static void jump(sp_events *e, sp_state *x, int n_contact, const sp_solution_count *solutions)
{
    sp_work *w = e->s->w;
    const sp_con *con = &w->con;
    const sp_model *m = e->s->m;
    double lost = 0.0;
    spread(e, n_contact);
    const double driven = sp_event_jump(e, x, e->jam.impulse);
    x->n_impact++;
    sp_event_report_solutions(e, x, solutions,
                              con->active[e->jam.of.who[solutions->at > 0 ? solutions->at : 0]],
                              x->n_impact);
    for (int i = 0; i < n_contact; i++) {
        const int a = e->jam.of.who[i], slot = con->active[a], r = con->row[a];
        const int dim = sp_set_dim(&e->jam.of.set[i]);
        const double *before = w->sol.gamma_A + r, *P = e->jam.of.P + e->jam.of.row[i];
        double work = 0.0, after[SP_SET_DIM_MAX] = {0.0};
        for (int k = 0; k < dim; k++) {
            after[k] = sp_con_dot(con, a, r + k, x->u) + con->w_tilde[r + k];
            work += 0.5 * (after[k] + before[k]) * P[k];
        }
        lost -= work;
        if (slot < m->n_slot && P[0] > 0.0) {
            sp_event *event =
                sp_event_report(w, x, SP_EVENT_JAM, slot,
                                sp_event_public(e, slot, e->settle.state[slot]), SP_STATE_OPEN);
            event->impact_id = x->n_impact;
            event->Lambda_N = P[0];
            event->Lambda_T[0] = dim > 1 ? P[1] : 0.0;
            event->Lambda_T[1] = dim > 2 ? P[2] : 0.0;
            event->gamma_N_before = before[0];
            event->gamma_N_after = after[0];
            event->gamma_T_before = dim > 2   ? hypot(before[1], before[2])
                                    : dim > 1 ? before[1]
                                              : sp_con_glide(m, con, a, x->u, w->du);
            event->gamma_T_after = dim > 2   ? hypot(after[1], after[2])
                                   : dim > 1 ? after[1]
                                             : sp_con_glide(m, con, a, x->u, NULL);
            event->energy_lost = -work;
        }
    }
    x->ledger.impacts -= lost;
    x->ledger.driven += driven;
    x->ledger.kinetic += driven - lost;
}

/* How many impulses there are; where several, the solution is that of the one that is taken. */
static sp_solution_count count(sp_events *e, const sp_problem *p, sp_solution *s, double worth)
{
    void *const work = e->s->w->sol.work;
    fill_velocities(e, p->n_contact, PUSH * worth);
    if (sp_solve(p, s, work, NULL) == SP_OK) {
        return sp_impact_several(p, NULL, NULL, s, work);
    }
    memset(e->jam.of.P, 0,
           (size_t)p->n * sizeof(double)); /* back to the one that was found before */
    fill_velocities(e, p->n_contact, NUDGE * worth);
    (void)sp_solve(p, s, work, NULL);
    return (sp_solution_count){1, false, 0};
}

sp_status sp_event_jam(sp_events *e, sp_state *x, sp_error *err)
{
    sp_work *w = e->s->w;
    int n_contact;
    double speed = 0.0, most = 0.0;
    bool slips = false; /* what no coefficient leads to: another solution may have another one */
    const sp_problem p = form_impulses(e, &n_contact);
    sp_solution solution = {.P = e->jam.of.P, .status = e->jam.of.guess};
    for (int r = 0; r < w->con.n_row; r++) {
        speed = fmax(speed, fabs(w->sol.gamma_A[r]));
    }
    memset(e->jam.of.P, 0, (size_t)p.n * sizeof(double));
    if (!(speed > SP_AT_REST * e->impact.size) || n_contact == 0) {
        return SP_FAIL(
            err, SP_E_NOT_CONVERGED,
            "t = %.15g s: the closed contacts have no accelerations, and nothing moves "
            "that could jam; give them less friction, or take method 'moreau' with a step",
            x->t);
    }
    const double worth = speed / (w->sol.xi_scale > 0.0 ? w->sol.xi_scale : 1.0);
    SP_TRY(solve_nudged(e, x, &p, NUDGE * worth, &solution, &slips, err));
    const sp_solution_count solutions =
        slips ? (sp_solution_count){1, false, 0} : count(e, &p, &solution, worth);
    fill_velocities(e, n_contact, 0.0); /* which impulse is known now: exactly that one */
    const sp_status status = sp_solve(&p, &solution, w->sol.work, err);
    sp_watch_show(w->watch, SP_WATCH_IMPACT, &p, NULL, &solution);
    SP_TRY(status);
    for (int i = 0; i < p.n; i++) {
        most = fmax(most, fabs(e->jam.of.P[i]) * fabs(p.G[(size_t)i * (size_t)(p.ld + 1)]));
    }
    if (!(most > SP_AT_REST * e->impact.size)) {
        return SP_FAIL(err, SP_E_NOT_CONVERGED,
                       "t = %.15g s: the closed contacts have neither accelerations nor an impulse "
                       "that would change that; give them less friction, or take method 'moreau' "
                       "with a step",
                       x->t);
    }
    jump(e, x, n_contact, &solutions);
    return SP_OK;
}
