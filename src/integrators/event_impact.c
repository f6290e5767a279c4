/* integrators/event_impact.c - what jumps at an event: rows of the contacts that touch, the impact
 * over them, and report it. */
#include "base/status.h"
#include "contact/coefficient.h"
#include "impact/energy.h"
#include "impact/newton.h"
#include "integrators/event_parts.h"
#include "integrators/friction.h"

#include <math.h>
#include <string.h>

/* What an impact needs beside the contacts in w->con. */
typedef struct sp_strike {
    sp_impact_problem problem;
    sp_impact_options options;
    sp_impact impact;
    double *eps_N, *eps_T; /* capacity of con: coefficients as the laws give them                */
    double *eps_N_used;    /* the same after contacts that contradict each other got one         */
    double *mu_0;          /* the same: friction at rest of those with friction by speed, or NaN */
    sp_set *set;           /* the same: sets of impulses                                         */
    void *work;            /* of sp_impact_solve                                                 */
} sp_strike;

/* Rooms for impacts, in the arena of w; NULL without memory. */
static sp_strike *new_strike(const sp_model *m, sp_work *w)
{
    sp_arena *arena = &w->arena;
    const int n = w->con.room_most, rows = m->layout.contact_rows * n + 1;
    const size_t bytes = sp_impact_work(n, rows);
    sp_strike *k = SP_NEW(arena, sp_strike, 1);
    bool ok = k != NULL;
    if (ok) {
        double **by_row[] = {&k->impact.Lambda, &k->impact.Lambda_C, &k->impact.gamma_C,
                             &k->impact.gamma_p};
        double **by_contact[] = {&k->eps_N, &k->eps_T, &k->eps_N_used, &k->mu_0};
        for (size_t i = 0; i < sizeof by_row / sizeof *by_row; i++) {
            ok = (*by_row[i] = SP_NEW(arena, double, rows)) != NULL && ok;
        }
        for (size_t i = 0; i < sizeof by_contact / sizeof *by_contact; i++) {
            ok = (*by_contact[i] = SP_NEW(arena, double, n)) != NULL && ok;
        }
        ok = (k->impact.status = SP_NEW(arena, unsigned char, n)) != NULL && ok;
        ok = (k->set = SP_NEW(arena, sp_set, n)) != NULL && ok;
        ok =
            (k->work = sp_arena_alloc(arena, bytes / sizeof(double) + 1, sizeof(double))) != NULL &&
            ok;
        k->impact.eps_N = k->eps_N_used;
        k->options = sp_impact_options_default();
        k->options.prescribed = m->impact.prescribed;
        k->options.remedy_gain = m->impact.scale_gain;
    }
    return ok ? k : NULL;
}

void sp_event_velocities(sp_events *e, const sp_state *x)
{
    sp_work *w = e->s->w;
    double size = 0.0;
    for (int a = 0; a < w->con.n_active; a++) {
        for (int r = w->con.row[a]; r < w->con.row[a + 1]; r++) {
            const int *sup = sp_con_sup(&w->con, a);
            const double *W = sp_con_row(&w->con, w->con.W, r);
            double gamma = w->con.w_tilde[r], sum = fabs(gamma);
            for (int k = 0; k < w->con.n_sup[a]; k++) {
                gamma += W[k] * x->u[sup[k]];
                sum += fabs(W[k] * x->u[sup[k]]);
            }
            w->sol.gamma_A[r] = gamma;
            size = sum > size ? sum : size;
        }
    }
    e->impact.size = size > e->impact.size ? size : e->impact.size;
}

/* Rows of the contacts in list by one of the evaluations of smooth motion. */
static sp_status evaluate(sp_events *e, const sp_state *x, int n, const int *list,
                          sp_status (*by)(sp_smooth *, double, const double *, const double *,
                                          const double *, sp_error *),
                          sp_error *err)
{
    sp_smooth *s = e->s;
    sp_work *w = s->w;
    sp_settle_take_rows(e, n, list);
    if (!w->strike && !(w->strike = new_strike(s->m, w))) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory for impacts of %d contacts", s->m->n_slot);
    }
    SP_TRY(by(s, x->t, x->q, x->u, x->z, err));
    if (sp_smooth_switch_stale(s, x->t)) {
        SP_TRY(by(s, x->t, x->q, x->u, x->z, err));
    }
    sp_event_velocities(e, x);
    sp_event_note_terms(e, x);
    return SP_OK;
}

sp_status sp_event_rows(sp_events *e, const sp_state *x, int n, const int *list, sp_error *err)
{
    return evaluate(e, x, n, list, sp_smooth_pose, err);
}

sp_status sp_event_accelerations(sp_events *e, const sp_state *x, int n, const int *list,
                                 sp_error *err)
{
    return evaluate(e, x, n, list, sp_smooth_accelerate, err);
}

void sp_event_raise_size(sp_events *e)
{
    const sp_smooth *s = e->s;
    const sp_con *con = &s->w->con;
    for (int a = 0; a < con->n_active; a++) {
        const int *sup = sp_con_sup(con, a);
        for (int r = con->row[a]; r < con->row[a + 1]; r++) {
            const double *W = sp_con_row(con, con->W, r);
            double sum = 0.0;
            for (int k = 0; k < con->n_sup[a]; k++) {
                sum += fabs(W[k]) * s->floor.u[s->kind[sup[k]]];
            }
            e->impact.size = sum > e->impact.size ? sum : e->impact.size;
        }
    }
}

sp_event *sp_event_report(sp_work *w, const sp_state *x, sp_event_kind kind, int slot,
                          sp_contact_state before, sp_contact_state after)
{
    if (w->n_event >= w->event_room) { /* the last one gives way: more than anybody reads */
        w->n_event = w->event_room - 1;
    }
    sp_event *event = &w->event[w->n_event++];
    *event = (sp_event){.t = x->t,
                        .kind = kind,
                        .slot = slot,
                        .key = w->con.key ? w->con.key[slot] : 0,
                        .before = before,
                        .after = after};
    return event;
}

/* Whether a contact has no friction: there is nothing to stick by. */
static bool is_smooth(const sp_smooth *s, int slot)
{
    const sp_slot *k = &s->m->slot[slot];
    return !sp_event_is_interval(s, slot) && (k->is.no_slip || !(s->num->law[k->law].mu > 0.0));
}

sp_contact_state sp_event_public(const sp_events *e, int slot, unsigned char status)
{
    if (sp_event_in_space(e, slot) && status == SP_SLIP_NEG) {
        return SP_STATE_STICK; /* it rolls */
    }
    if (status == SP_STICK && is_smooth(e->s, slot)) {
        return SP_STATE_SLIP;
    }
    return status == SP_OPEN ? SP_STATE_OPEN : status == SP_STICK ? SP_STATE_STICK : SP_STATE_SLIP;
}

/* ---- the impact ------------------------------------------------------------------------------ */

/* Sets of forces as sets of impulses: what is bounded does nothing in an instant, neither adhesion
 * nor what a spot grows by. */
static void take_sets(const sp_con *con, sp_strike *k)
{
    for (int a = 0; a < con->n_active; a++) {
        k->set[a] = con->set[a];
        k->set[a].shifted = 0;
        k->set[a].R_N = 0.0;
    }
}

/* G, velocities and coefficients of the contacts in w->con. */
static void pose(const sp_events *e, const sp_state *x, sp_strike *k)
{
    const sp_model *m = e->s->m;
    sp_work *w = e->s->w;
    const sp_con *con = &w->con;
    for (int a = 0; a < con->n_active; a++) {
        const int r = con->row[a], slot = con->active[a];
        double eps[2] = {con->eps[r], con->row[a + 1] > r + 1 ? con->eps[r + 1] : 0.0};
        if (slot < m->n_slot && sp_con_by_approach(m, slot)) {
            sp_con_restitution(m, x->numbers, con, slot, fmax(0.0, -w->sol.gamma_A[r]), eps);
        }
        k->eps_N[a] = slot < m->n_slot ? eps[0] : 0.0;
        k->eps_T[a] = slot < m->n_slot ? eps[1] : 0.0;
        k->impact.status[a] = SP_STATUS_UNKNOWN;
    }
    k->options.fc = &w->sol.space;
    k->options.watch = w->watch;
    k->problem = (sp_impact_problem){.n_contact = con->n_active,
                                     .n = con->n_row,
                                     .set = k->set,
                                     .row = con->row,
                                     .G = con->G,
                                     .ld = con->n_row,
                                     .gamma_m = w->sol.gamma_A,
                                     .eps_N = k->eps_N,
                                     .eps_T = k->eps_T,
                                     .xi_scale = e->impact.size};
}

/* The speeds that friction by speed looks at: of xi_T of Newton's law, of gamma_TC of Poisson's.
 * theory (16.4) */
static void put_speeds(const sp_strike *k, sp_work *w)
{
    const sp_con *con = &w->con;
    const bool newton = k->impact.law == SP_IMPACT_NEWTON;
    for (int a = 0; a < con->n_active; a++) {
        double sum = 0.0;
        for (int r = con->row[a] + 1; r < con->row[a + 1]; r++) {
            const double back = k->impact.s * k->eps_T[a] * w->sol.gamma_A[r];
            const double v = newton ? k->impact.gamma_p[r] + back : k->impact.gamma_C[r];
            sum += v * v;
        }
        w->friction[a].v = sqrt(sum);
    }
}

/* Who knows friction by speed. */
typedef struct asked {
    const sp_model *m;
    const sp_numbers *numbers;
    const sp_con *con;
} asked;

/* mu of contact a that slides with v. */
static double mu_at(const void *ctx, int a, double v)
{
    const asked *q = (const asked *)ctx;
    return sp_con_mu(q->m, q->numbers, q->con, q->con->active[a], v, NULL);
}

/* How many motions the impact has whose friction depends on the speed; not known in space, nor with
 * Poisson's law.   theory section 52 */
static void count(const sp_events *e, const sp_state *x, sp_strike *k)
{
    const sp_model *m = e->s->m;
    const sp_work *w = e->s->w;
    const sp_con *con = &w->con;
    if (m->dim != 2 || k->impact.law != SP_IMPACT_NEWTON) {
        k->impact.complete = false; /* another solution may have another mu */
        return;
    }
    for (int a = 0; a < con->n_active; a++) {
        const int slot = con->active[a];
        k->mu_0[a] = w->friction[a].by_speed ? x->numbers->law[m->slot[slot].law].mu : NAN;
    }
    const asked q = {m, x->numbers, con};
    const sp_speeds law = {mu_at, &q, k->mu_0};
    sp_impact_newton_count(&k->problem, &law, &k->impact, k->work);
}

/* Solve it by the law of the model, with coefficients of friction that belong to the speeds. */
static sp_status solve(const sp_events *e, const sp_state *x, sp_strike *k, sp_error *err)
{
    const sp_model *m = e->s->m;
    sp_work *w = e->s->w;
    const sp_impact_law law = m->impact.poisson ? SP_IMPACT_POISSON : SP_IMPACT_NEWTON;
    w->sol.xi_scale = e->impact.size;
    pose(e, x, k);
    take_sets(&w->con, k);
    if (!m->layout.speeds || !sp_friction_begin(m, x, w)) {
        return sp_impact_solve(&k->problem, law, &k->options, &k->impact, k->work, err);
    }
    for (int pass = 0; pass < SP_FRICTION_PASSES; pass++) {
        take_sets(&w->con, k);
        SP_TRY(sp_impact_solve(&k->problem, law, &k->options, &k->impact, k->work, err));
        put_speeds(k, w);
        if (sp_friction_judge(m, x->numbers, k->impact.Lambda, w)) {
            count(e, x, k);
            return SP_OK;
        }
    }
    return sp_friction_fail(m, w, err);
}

/* w->du = M^-1 W Lambda of what is not prescribed, and w->WP = W Lambda; what -w~ Lambda drives. */
static double push(const sp_events *e, const double *Lambda)
{
    const sp_model *m = e->s->m;
    sp_work *w = e->s->w;
    const sp_con *con = &w->con;
    const size_t bytes = (size_t)m->n_dof * sizeof(double);
    double driven = 0.0;
    memset(w->du, 0, bytes);
    memset(w->WP, 0, bytes);
    sp_con_add_rows(con, con->Y, Lambda, w->du);
    sp_con_add_rows(con, con->W, Lambda, w->WP);
    for (int r = 0; r < con->n_row; r++) {
        driven -= con->w_tilde[r] * Lambda[r];
    }
    sp_dyn_solve_D_L(m, &w->dyn, w->du);
    for (int i = 0; i < m->n_motion; i++) {
        w->du[m->motion[i].dof] = 0.0;
    }
    return driven;
}

double sp_event_jump(const sp_events *e, sp_state *x, const double *Lambda)
{
    const sp_model *m = e->s->m;
    sp_work *w = e->s->w;
    double driven = push(e, Lambda);
    if (m->n_motion > 0) {
        sp_dyn_multiply(m, &w->dyn, w->du, w->M_du);
    }
    for (int i = 0; i < m->n_motion; i++) {
        const int k = m->motion[i].dof;
        driven += x->u[k] * (w->M_du[k] - w->WP[k]);
    }
    for (int k = 0; k < m->n_dof; k++) {
        x->u[k] += w->du[k];
    }
    return driven;
}

/* What the log says about contact a beyond impulses and velocities. */
static sp_impact_log log_of(const sp_events *e, const sp_strike *k, int a,
                            const sp_impact_energy *share)
{
    static const sp_impact_remedy remedy[] = {[SP_IMPACT_AS_GIVEN] = SP_REMEDY_NONE,
                                              [SP_IMPACT_INFEASIBLE] = SP_REMEDY_INFEASIBLE,
                                              [SP_IMPACT_UNSOLVED] = SP_REMEDY_UNSOLVED,
                                              [SP_IMPACT_GAIN] = SP_REMEDY_GAIN};
    const sp_con *con = &e->s->w->con;
    const int r = con->row[a], n = con->row[a + 1] - r;
    const sp_impact *i = &k->impact;
    sp_impact_log log = {.Lambda_N_C = i->Lambda_C[r],
                         .gamma_N_C = i->gamma_C[r],
                         .lost_normal = -share->normal,
                         .lost_friction = -share->friction,
                         .lost_restitution = -share->restitution,
                         .gain = i->gained ? i->energy.total : 0.0,
                         .factor = i->s,
                         .eps_N = k->eps_N_used[a],
                         .eps_T = k->eps_T[a],
                         .mu = n > 1 ? con->set[a].mu : 0.0,
                         .remedy = remedy[i->cause]};
    for (int t = 1; t < n && t < 3; t++) {
        log.Lambda_T_C[t - 1] = i->Lambda_C[r + t];
    }
    log.gamma_T_C = n > 2   ? hypot(i->gamma_C[r + 1], i->gamma_C[r + 2])
                    : n > 1 ? i->gamma_C[r + 1]
                            : 0.0;
    return log;
}

/* Report that contact a was hit. */
static void report_impact(const sp_events *e, const sp_state *x, const sp_strike *k, int a,
                          const sp_impact_energy *share)
{
    sp_work *w = e->s->w;
    const sp_con *con = &w->con;
    const int r = con->row[a], slot = con->active[a], n = con->row[a + 1] - r;
    const double *Lambda = k->impact.Lambda, *before = w->sol.gamma_A, *after = k->impact.gamma_p;
    sp_event *event =
        sp_event_report(w, x, SP_EVENT_IMPACT, slot,
                        sp_event_public(e, slot, e->settle.state[slot]), SP_STATE_OPEN);
    event->impact_id = x->n_impact;
    event->Lambda_N = Lambda[r];
    event->gamma_N_before = before[r];
    event->gamma_N_after = after[r];
    if (n > 1) {
        event->Lambda_T[0] = Lambda[r + 1];
        event->Lambda_T[1] = n > 2 ? Lambda[r + 2] : 0.0;
        event->gamma_T_before = n > 2 ? hypot(before[r + 1], before[r + 2]) : before[r + 1];
        event->gamma_T_after = n > 2 ? hypot(after[r + 1], after[r + 2]) : after[r + 1];
    } else {
        event->gamma_T_before = sp_con_glide(e->s->m, con, a, x->u, w->du);
        event->gamma_T_after = sp_con_glide(e->s->m, con, a, x->u, NULL);
    }
    event->energy_lost = -share->total;
    event->impact = log_of(e, k, a, share);
}

/* Velocities along at the end of compression, of the contacts without friction that the events from
 * `first` on tell of: what they have behind the impact without the impulses of expansion. */
static void report_compression(const sp_events *e, const sp_state *x, const sp_impact *impact,
                               int first)
{
    sp_work *w = e->s->w;
    const sp_con *con = &w->con;
    for (int r = 0; r < con->n_row; r++) {
        e->impact.impulse[r] = impact->Lambda[r] - impact->Lambda_C[r];
    }
    push(e, e->impact.impulse);
    for (int a = 0, i = first; a < con->n_active && i < w->n_event; a++) {
        sp_event *event = &w->event[i];
        if (event->slot == con->active[a]) {
            if (con->row[a + 1] == con->row[a] + 1) {
                event->impact.gamma_T_C = sp_con_glide(e->s->m, con, a, x->u, w->du);
            }
            i++;
        }
    }
}

/* Report how many solutions the impact has; of the contact that they move differently.  Where that
 * is not known (mu by the speed) of the first contact that approaches, or else the first that takes
 * part.   theory (30.5) */
static void report_choice(const sp_events *e, const sp_state *x, const sp_impact *impact)
{
    const sp_work *w = e->s->w;
    const sp_con *con = &w->con;
    int slot = SP_NONE, approaches = 0;
    for (int a = 0; a < con->n_active && !approaches; a++) {
        if (con->active[a] < e->s->m->n_slot) {
            approaches = w->sol.gamma_A[con->row[a]] < 0.0;
            slot = slot == SP_NONE || approaches ? con->active[a] : slot;
        }
    }
    if (impact->in_doubt >= 0 && con->active[impact->in_doubt] < e->s->m->n_slot) {
        slot = con->active[impact->in_doubt];
    }
    const sp_solution_count solutions = {impact->n_motion, impact->complete, slot};
    sp_event_report_solutions(e, x, &solutions, slot, x->n_impact);
}

/* The impact over all contacts that touch.   theory (13.4), section 11 */
sp_status sp_event_impact(sp_events *e, sp_state *x, sp_error *err)
{
    sp_work *w = e->s->w;
    const sp_con *con = &w->con;
    sp_strike *k = w->strike;
    double contacts = 0.0;
    SP_TRY(solve(e, x, k, err));
    memcpy(w->sol.P, k->impact.Lambda, (size_t)con->n_row * sizeof(double));
    const double driven = sp_event_jump(e, x, k->impact.Lambda);
    x->n_impact++;
    report_choice(e, x, &k->impact);
    const int first = w->n_event;
    for (int a = 0; a < con->n_active; a++) {
        const sp_impact_energy share = sp_impact_share(&k->problem, &k->impact, a);
        const bool contact = con->active[a] < e->s->m->n_slot; /* others hold: no work but by w~ */
        contacts += contact ? share.total : 0.0;
        if (contact && k->impact.Lambda[con->row[a]] > 0.0) {
            report_impact(e, x, k, a, &share);
        }
    }
    report_compression(e, x, &k->impact, first);
    x->ledger.impacts += contacts;
    x->ledger.driven += driven;
    x->ledger.kinetic += contacts + driven;
    return SP_OK;
}
