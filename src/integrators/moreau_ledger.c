/* integrators/moreau_ledger.c - where the energy of a step went. */
#include "dynamics/implicit.h"
#include "integrators/moreau_parts.h"

#include <string.h>

/* y.(u_A + u_E)/2 */
static inline double mean_power(int n, const double *u_A, const double *u_E, const double *y)
{
    double sum = 0.0;
    for (int k = 0; k < n; k++) {
        sum += (u_A[k] + u_E[k]) * y[k];
    }
    return 0.5 * sum;
}

/* The two works that every step has, in one loop: momentum, and power of the conservative share. */
static inline void always_done(int n, const double *u_A, const double *u_E, const double *M_du,
                               const double *h, sp_step_work *s)
{
    double momentum = 0.0, power = 0.0;
    for (int k = 0; k < n; k++) {
        const double u = u_A[k] + u_E[k];
        momentum += u * M_du[k];
        power += u * h[k];
    }
    s->momentum = 0.5 * momentum;
    s->conservative = 0.5 * power;
}

/* Work of bilateral rows that move and of prescribed motion; of contacts that move by themselves
 * the part that is not the work on the machine.  What bilateral rows do beside it is an error of
 * the step.   theory (8.4) */
static void add_driven_work(const sp_model *m, const sp_state *x, const sp_work *w, sp_step_work *s)
{
    const sp_con *con = &w->con;
    const sp_sol *sol = &w->sol;
    for (int a = 0; a < con->n_active; a++) {
        for (int r = con->row[a]; r < con->row[a + 1]; r++) {
            const double gamma = 0.5 * (sol->gamma_A[r] + sol->gamma_E[r]);
            s->driven -= con->w_tilde[r] * sol->P[r];
            s->slack += a < w->n_hit ? 0.0 : gamma * sol->P[r];
        }
    }
    for (int i = 0; i < m->n_motion; i++) {
        const int k = m->motion[i].dof;
        s->driven += 0.5 * (x->u[k] + w->u_E[k]) * w->reaction[k];
    }
}

sp_step_work sp_step_works(const sp_model *m, const sp_state *x, double dt, const sp_work *w)
{
    const sp_dyn *dyn = &w->dyn;
    const double *u_A = x->u, *u_E = w->u_E;
    const int n = m->n_dof;
    sp_step_work s = {.momentum = 0.0};
    always_done(n, u_A, u_E, w->M_du, dyn->h[SP_CONSERVATIVE], &s);
    s.conservative *= dt;
    if (dyn->acts[SP_DAMPERS]) {
        s.dampers = dt * mean_power(n, u_A, u_E, dyn->h[SP_DAMPERS]);
    }
    if (dyn->acts[SP_APPLIED]) {
        s.applied = dt * mean_power(n, u_A, u_E, dyn->h[SP_APPLIED]);
    }
    for (int i = 0; i < w->n_hit; i++) {
        const sp_hit *hit = &w->hit[i];
        const double tangential = hit->dry ? hit->work : hit->work_T;
        if (hit->stores) { /* its energy is in V */
            s.conservative += hit->work;
            continue;
        }
        s.friction += hit->impact ? 0.0 : tangential;
        s.impacts += hit->impact ? hit->work : hit->work - tangential;
        s.contacts += hit->work;
    }
    if (m->layout.extras) {
        add_driven_work(m, x, w, &s);
        s.explicit_time = m->formula.n > 0 ? dt * dyn->explicit_power : 0.0;
    }
    return s;
}

void sp_step_book_elements(const sp_model *m, const sp_state *x, double dt, sp_work *w)
{
    double *mean = w->b; /* of no use any more */
    for (int k = 0; k < m->n_dof; k++) {
        mean[k] = 0.5 * (x->u[k] + w->u_E[k]);
    }
    memset(w->book, 0, (size_t)m->n_book * sizeof(double));
    sp_kin_velocities(m, mean, &w->kin);
    sp_dyn_book(m, &w->kin, mean, dt, &w->dyn, w->book);
    if (w->dyn.by_A) {
        sp_implicit_book(&w->dyn, mean, w->book);
    }
}

void sp_step_book(const sp_step_work *s, const sp_energy *end, const sp_energy *corrected,
                  sp_ledger *ledger)
{
    const double before = sp_ledger_size(ledger);
    const double change = end->kinetic + end->potential - ledger->kinetic - ledger->potential;
    const double error = end->quadratic - ledger->quadratic - s->momentum + end->potential -
                         ledger->potential + s->conservative - s->explicit_time + s->slack;
    const double balance = change - (s->friction + s->impacts) - s->dampers - s->applied -
                           s->driven - s->explicit_time - error;
    ledger->friction += s->friction;
    ledger->impacts += s->impacts;
    ledger->dampers += s->dampers;
    ledger->applied += s->applied + s->explicit_time;
    ledger->driven += s->driven;
    ledger->discretisation += error;
    ledger->balance += balance;
    ledger->projection +=
        (corrected->kinetic + corrected->potential) - (end->kinetic + end->potential);
    ledger->scale = larger(ledger->scale, end->kinetic + fabs(end->potential));
    ledger->worst_work = larger(ledger->worst_work, s->contacts);
    sp_ledger_judge(fabs(balance), before, ledger);
    ledger->kinetic = corrected->kinetic;
    ledger->quadratic = corrected->quadratic;
    ledger->potential = corrected->potential;
}
