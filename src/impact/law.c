#include "impact/law.h"

#include "base/aligned.h"
#include "impact/energy.h"
#include "impact/newton.h"
#include "impact/phase.h"
#include "impact/poisson.h"

#include <math.h>
#include <string.h>

/* Contacts with less than this part of the largest in a proof have none in it. */
#define NO_PART 1e-9

sp_impact_options sp_impact_options_default(void)
{
    const sp_impact_options o = {.prescribed = true, .remedy_infeasible = true};
    return o;
}

/* Bytes of a copy of eps_N. */
static size_t eps_bytes(int n_contact)
{
    return sp_aligned((size_t)n_contact * sizeof(double));
}

size_t sp_impact_work(int n_contact_max, int n_max)
{
    const size_t poisson = sp_poisson_bytes(n_contact_max, n_max);
    const size_t newton = sp_phase_scratch(n_max); /* behind its phase */
    return eps_bytes(n_contact_max) + sp_phase_bytes(n_contact_max, n_max) +
           (poisson > newton ? poisson : newton);
}

/* Do the coefficients mean anything to this set? */
static bool has_restitution(const sp_set *s)
{
    return s->kind != SP_SET_FREE && s->kind != SP_SET_INTERVAL;
}

/* SP_E_INPUT unless the coefficients of contact i lie in the range of the law. */
static sp_status check_restitution(const sp_impact_problem *p, sp_impact_law law, int i,
                                   sp_error *err)
{
    const double least = law == SP_IMPACT_NEWTON ? -1.0 : 0.0;
    if (!(p->eps_N[i] >= 0.0 && p->eps_N[i] <= 1.0)) {
        return SP_FAIL(err, SP_E_INPUT, "contact %d: eps_N = %g, expected 0 to 1", i, p->eps_N[i]);
    }
    if (!(p->eps_T[i] >= least && p->eps_T[i] <= 1.0)) {
        return SP_FAIL(err, SP_E_INPUT, "contact %d: eps_T = %g, expected %g to 1", i, p->eps_T[i],
                       least);
    }
    return SP_OK;
}

/* Sets and coefficients; what the solvers check, they check. */
static sp_status check_problem(const sp_impact_problem *p, sp_impact_law law,
                               const sp_impact_options *options, sp_error *err)
{
    for (int i = 0; i < p->n_contact; i++) {
        const sp_set *s = &p->set[i];
        if (p->row[i] < 0 || p->row[i] + sp_set_dim(s) > p->n) {
            return SP_FAIL(err, SP_E_INPUT, "contact %d: row %d, expected 0 to %d", i, p->row[i],
                           p->n - sp_set_dim(s));
        }
        if (s->shifted) {
            return SP_FAIL(err, SP_E_INPUT, "contact %d: shifted set, expected one at the origin",
                           i);
        }
        if (sp_set_is_ball(s) && law != SP_IMPACT_NEWTON) {
            return SP_FAIL(err, SP_E_INPUT,
                           "contact %d: friction with drilling, rolling or an ellipse, expected "
                           "Newton's impact law",
                           i);
        }
        if ((s->kind == SP_SET_DISC || sp_set_is_ball(s)) && !options->fc) {
            return SP_FAIL(err, SP_E_INPUT,
                           "contact %d: spatial friction, expected options.fc with memory for it",
                           i);
        }
        if (has_restitution(s)) {
            SP_TRY(check_restitution(p, law, i, err));
        }
    }
    return SP_OK;
}

/* An impact that did nothing. */
static void clear(const sp_impact_problem *p, sp_impact_law law, double s, sp_impact *impact)
{
    const size_t bytes = (size_t)p->n * sizeof(double);
    memset(impact->Lambda, 0, bytes);
    memcpy(impact->gamma_C, p->gamma_m, bytes);
    memcpy(impact->gamma_p, p->gamma_m, bytes);
    impact->law = law;
    impact->s = s;
    impact->energy = (sp_impact_energy){0};
    impact->gained = false;
}

sp_status sp_impact_at(const sp_impact_problem *p, sp_impact_law law,
                       const sp_impact_options *options, double s, sp_impact *impact, void *work,
                       sp_error *err)
{
    clear(p, law, s, impact);
    memset(impact->Lambda_C, 0, (size_t)p->n * sizeof *impact->Lambda_C);
    impact->prescribed = law == SP_IMPACT_POISSON && options->prescribed;
    impact->residual = 0.0;
    impact->n_motion = 1;
    impact->complete = true;
    impact->in_doubt = -1;
    impact->pivots = 0;
    impact->method = "none";
    impact->result = SP_NOT_SOLVED;
    SP_TRY(check_problem(p, law, options, err));
    const sp_status status = law == SP_IMPACT_NEWTON
                                 ? sp_impact_newton(p, options, s, impact, work, err)
                                 : sp_impact_poisson(p, options, s, impact, work, err);
    if (status == SP_OK) {
        sp_impact_book(p, impact);
        return SP_OK;
    }
    clear(p, law, s, impact);
    if (law != SP_IMPACT_NEWTON || status != SP_E_INFEASIBLE) {
        memset(impact->Lambda_C, 0, (size_t)p->n * sizeof *impact->Lambda_C);
    }
    return status;
}

/* Has the problem no solution, or none that was found? */
static bool no_solution(sp_status status)
{
    return status == SP_E_INFEASIBLE || status == SP_E_NOT_CONVERGED;
}

/* The part of contact i in the proof that contacts contradict each other, in units of energy's
 * root. */
static double part(const sp_impact_problem *p, const double *proof, int i)
{
    const size_t k = (size_t)p->row[i];
    return has_restitution(&p->set[i]) ? proof[k] * sqrt(p->G[k * (size_t)p->ld + k]) : 0.0;
}

/* Contacts with a part in the proof get the least eps_N among them; false if they have it.
 *
 * With one eps_N the velocities asked for are -eps_N times those before, hence possible; so each
 * round lowers some eps_N to another one of the problem, and there is an end.   theory (11.15) */
static bool equalise(const sp_impact_problem *p, const double *proof, double *eps_N)
{
    double least = INFINITY, largest = 0.0;
    bool changed = false;
    for (int i = 0; i < p->n_contact; i++) {
        largest = fmax(largest, part(p, proof, i));
    }
    for (int i = 0; i < p->n_contact; i++) {
        if (part(p, proof, i) > NO_PART * largest) {
            least = fmin(least, eps_N[i]);
        }
    }
    for (int i = 0; i < p->n_contact; i++) {
        if (part(p, proof, i) > NO_PART * largest && eps_N[i] > least) {
            eps_N[i] = least;
            changed = true;
        }
    }
    return changed;
}

/* Solve a problem that has no solution as it is: contacts that contradict each other, with proof,
 * share one eps_N; tangential motion is counted from rest, with which Poisson's law always has a
 * solution.  eps_N (n_contact) is that of p and may be lowered. */
static sp_status remedy(const sp_impact_problem *p, double *eps_N, sp_impact_options *options,
                        sp_status status, sp_impact *impact, void *work, sp_error *err)
{
    const sp_impact_law law = impact->law;
    while (status == SP_E_INFEASIBLE && law == SP_IMPACT_NEWTON &&
           equalise(p, impact->Lambda_C, eps_N)) {
        impact->solves++;
        status = sp_impact_at(p, law, options, 1.0, impact, work, err);
    }
    if (no_solution(status) && law == SP_IMPACT_POISSON && options->prescribed) {
        options->prescribed = false;
        impact->solves++;
        status = sp_impact_at(p, law, options, 1.0, impact, work, err);
    }
    return status;
}

sp_status sp_impact_solve(const sp_impact_problem *p, sp_impact_law law,
                          const sp_impact_options *options, sp_impact *impact, void *work,
                          sp_error *err)
{
    sp_impact_problem q = *p;
    sp_impact_options o = *options;
    double *eps_N = (double *)work;
    void *rest = (char *)work + eps_bytes(p->n_contact);
    const size_t bytes = (size_t)p->n_contact * sizeof *eps_N;
    memcpy(eps_N, p->eps_N, bytes);
    q.eps_N = eps_N;
    impact->cause = SP_IMPACT_AS_GIVEN;
    impact->solves = 1;
    sp_status status = sp_impact_at(&q, law, &o, 1.0, impact, rest, err);
    impact->given = status == SP_OK ? impact->energy.total : NAN;
    if (no_solution(status) && o.remedy_infeasible) {
        impact->cause = status == SP_E_INFEASIBLE ? SP_IMPACT_INFEASIBLE : SP_IMPACT_UNSOLVED;
        status = remedy(&q, eps_N, &o, status, impact, rest, err);
    }
    const bool gain = status == SP_OK && impact->gained && o.remedy_gain;
    if (gain && impact->cause == SP_IMPACT_AS_GIVEN) {
        impact->cause = SP_IMPACT_GAIN;
    }
    if (gain || (no_solution(status) && o.remedy_infeasible)) {
        status = sp_impact_scaled(&q, law, &o, impact, rest, err);
    }
    if (impact->eps_N) {
        memcpy(impact->eps_N, eps_N, bytes);
    }
    return status;
}
