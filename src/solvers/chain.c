/* Whatever a method claims, only the natural-map residual decides.   theory section 5 */
#include "solvers/chain.h"

#include "base/aligned.h"
#include "solvers/natural.h"
#include "solvers/planar.h"
#include "solvers/share.h"
#include "solvers/solutions.h"
#include "solvers/states.h"

#include <math.h>
#include <string.h>

/* Where forces are a million times what c is worth, round-off allows no less than this. */
#define LAST_RESORT 1e-10
/* Residuals of a wrong status are larger than this: no refinement will save it. */
#define HOPELESS 1e-5

size_t sp_chain_bytes(int n_contact_max, int n_max)
{
    const size_t lcp = sp_lcp_bytes(n_contact_max, n_max), share = sp_share_bytes(n_contact_max);
    return sp_aligned(sp_reduced_bytes(n_contact_max, n_max)) +
           sp_aligned(6 * (size_t)n_max * sizeof(double)) + sp_aligned((size_t)n_contact_max) +
           sp_aligned(lcp > share ? lcp : share);
}

void sp_chain_place(sp_chain *w, const sp_problem *p, void *memory)
{
    char *at = (char *)memory;
    const size_t n = (size_t)p->n;
    sp_reduced_place(&w->reduced, p->n_contact, p->n, at);
    at += sp_aligned(sp_reduced_bytes(p->n_contact, p->n));
    w->xi = (double *)(void *)at;
    w->P = w->xi + n;
    w->raw = w->P + n;
    w->alt = w->raw + n;
    w->alt_raw = w->alt + n;
    w->size = w->alt_raw + n;
    at += sp_aligned(6 * n * sizeof(double));
    w->status = (unsigned char *)at;
    at += sp_aligned((size_t)p->n_contact);
    w->lcp_memory = at;
    w->fits = sp_planar_fits(p);
}

/* The careful solution of a status where the fast one failed or is not clean; better of the two. */
static double try_carefully(const sp_problem *p, sp_chain *w, double residual, double *P)
{
    static const double rank_tol[2] = {1e-10, 1e-14};
    const size_t bytes = (size_t)p->n * sizeof *P;
    for (int k = 0; k < 2 && !(residual <= SP_SOLVE_CLEAN); k++) {
        const int lost = sp_reduced_careful(p, &w->reduced, rank_tol[k], 0, w->alt_raw);
        w->lost = k == 0 ? lost : w->lost;
        const double now = sp_natural_residual(p, w->alt_raw, w->alt, w->xi, w->size);
        if (!(now >= residual)) {
            residual = now;
            memcpy(w->raw, w->alt_raw, bytes);
            memcpy(P, w->alt, bytes);
        }
        if (lost == 0) {
            break;
        }
    }
    return residual;
}

/* P of a status in P, and in w->raw before it was moved into the sets; returns the residual.  The
 * status is corrected if P solves the problem but not as the status has it. */
static double try_status(const sp_problem *p, sp_chain *w, unsigned char *status, double *P)
{
    double residual = INFINITY;
    sp_reduced_unknowns(p, status, &w->reduced);
    w->lost = 0;
    if (sp_reduced_fast(p, &w->reduced)) {
        if (w->fits) {
            sp_planar v;
            residual = sp_planar_residual(p, &w->reduced, &v);
            if (residual <= SP_SOLVE_CLEAN && !v.moved) {
                memcpy(P, v.P, (size_t)p->n * sizeof *P);
                return residual;
            }
        }
        sp_reduced_expand(p, &w->reduced, w->raw);
        residual = sp_natural_residual(p, w->raw, P, w->xi, w->size);
    }
    if (!(residual <= SP_SOLVE_CLEAN || (residual >= HOPELESS && residual < INFINITY))) {
        residual = try_carefully(p, w, residual, P);
    }
    if (residual <= SP_SOLVE_TOL) {
        sp_states_follow(p, w->raw, P, status);
    }
    return residual;
}

/* Keep the candidate if it is better than what s holds. */
static void keep(const sp_problem *p, const sp_chain *w, double residual, const char *method,
                 sp_solution *s)
{
    if (residual < s->residual || s->residual != s->residual) {
        s->residual = residual;
        s->method = method;
        memcpy(s->P, w->P, (size_t)p->n * sizeof *s->P);
        memcpy(s->status, w->status, (size_t)p->n_contact);
    }
}

/* From w->status and its P in w->raw flip violated contacts: all of them in the first rounds, later
 * only the first; 1 if solved. */
static int repair(const sp_problem *p, sp_chain *w, sp_solution *s)
{
    const int block_rounds = 4, rounds = block_rounds + 2 * p->n_contact;
    for (int round = 0; round < rounds; round++) {
        sp_natural_xi(p, w->raw, w->xi);
        int flips = 0;
        for (int i = 0; i < p->n_contact && (flips == 0 || round < block_rounds); i++) {
            const unsigned char next = sp_states_flip(p, i, w->status[i], w->raw, w->xi);
            flips += next != w->status[i];
            w->status[i] = next;
        }
        if (flips == 0) {
            break;
        }
        s->pivots += flips;
        keep(p, w, try_status(p, w, w->status, w->P), "repair", s);
        if (s->residual <= SP_SOLVE_TOL) {
            return 1;
        }
    }
    return 0;
}

/* Refine w->P within its status to round-off; returns the residual. */
static double polish(const sp_problem *p, sp_chain *w)
{
    sp_states_impose(p, w->status, w->P);
    sp_reduced_unknowns(p, w->status, &w->reduced);
    sp_reduced_careful(p, &w->reduced, 1e-10, 1, w->P);
    return sp_natural_residual(p, w->P, w->P, w->xi, w->size);
}

/* Lemke in one form, then the solution of the status it found, to round-off; 1 if solved. */
static int pivot(const sp_problem *p, sp_chain *w, sp_lcp *lcp, sp_lcp_form form, double tol,
                 sp_solution *s)
{
    const char *method = form == SP_LCP_3 ? "lemke" : "lemke4";
    const size_t bytes = (size_t)p->n * sizeof *w->P;
    sp_lcp_solve(lcp, form, tol, w->P, w->status);
    s->pivots += lcp->lemke.pivots;

    memcpy(w->alt, w->P, bytes); /* the values of Lemke, as they are */
    double residual = sp_natural_residual(p, w->P, w->P, w->xi, w->size);
    keep(p, w, residual, method, s);
    residual = polish(p, w); /* refined within the basis it ended in */
    keep(p, w, residual, method, s);
    if (!(s->residual <= SP_SOLVE_CLEAN)) { /* the least-norm solution of that status */
        keep(p, w, try_status(p, w, w->status, w->P), method, s);
    }
    if (!(s->residual <= SP_SOLVE_TOL)) { /* the status its values show */
        memcpy(w->P, w->alt, bytes);
        sp_natural_residual(p, w->P, w->P, w->xi, w->size);
        sp_states_classify(p, w->P, w->xi, w->status);
        keep(p, w, polish(p, w), method, s);
    }
    return s->residual <= SP_SOLVE_TOL;
}

/* SP_E_NONFINITE naming the first bad number, else SP_OK. */
static sp_status check_finite(const sp_problem *p, sp_error *err)
{
    for (int k = 0; k < p->n; k++) {
        if (!isfinite(p->c[k])) {
            return SP_FAIL(err, SP_E_NONFINITE, "contact problem: c[%d] = %g", k, p->c[k]);
        }
        for (int j = 0; j < p->n; j++) {
            const double g = p->G[(size_t)k * (size_t)p->ld + (size_t)j];
            if (!isfinite(g)) {
                return SP_FAIL(err, SP_E_NONFINITE, "contact problem: G[%d][%d] = %g", k, j, g);
            }
        }
    }
    return SP_OK;
}

/* Among the statuses of one motion prefer the one with most contacts closed and sticking: it shares
 * forces of dependent contacts evenly (least norm), so that symmetric problems stay symmetric. */
static void settle(const sp_problem *p, sp_chain *w, sp_solution *s)
{
    for (int with_open = 1; with_open >= 0; with_open--) {
        int changes = 0;
        sp_natural_residual(p, s->P, w->P, w->xi, w->size);
        for (int i = 0; i < p->n_contact; i++) {
            const unsigned char now = s->status[i];
            w->status[i] =
                now == SP_OPEN && !with_open ? now : sp_states_settle(p, i, now, w->xi, w->size);
            changes += w->status[i] != now;
        }
        if (changes == 0) {
            return;
        }
        const double residual = try_status(p, w, w->status, w->P);
        if (residual <= SP_SOLVE_CLEAN || residual <= s->residual) {
            s->residual = residual;
            memcpy(s->P, w->P, (size_t)p->n * sizeof *s->P);
            memcpy(s->status, w->status, (size_t)p->n_contact);
            return;
        }
    }
}

/* The smallest forces of w->status into w->P, to round-off; the residual, infinite where there is
 * no choice (see sp_share).  What is at a limit there is known, and solved for with that. */
static double try_smallest(const sp_problem *p, sp_chain *w, bool alike)
{
    if (!sp_share(p, w->status, alike, &w->reduced, w->raw, w->lcp_memory)) {
        return INFINITY;
    }
    unsigned char *status = (unsigned char *)w->lcp_memory;
    double *P = (double *)w->lcp_memory + (p->n_contact + 7) / 8;
    const double residual = sp_natural_residual(p, w->raw, P, w->xi, w->size);
    memcpy(w->P, P, (size_t)p->n * sizeof *P);
    memcpy(status, w->status, (size_t)p->n_contact);
    sp_share_limits(p, w->P, status);
    const double exact = try_status(p, w, status, P);
    if (!(exact <= residual)) {
        return residual;
    }
    memcpy(w->P, P, (size_t)p->n * sizeof *P);
    return exact;
}

/* The guess, where its forces of least norm break a law and others of it do not: contacts stay as
 * they are as long as they can.   theory (56.5) */
static void stay(const sp_problem *p, sp_chain *w, sp_solution *s)
{
    const int lost = w->lost;
    if (lost == 0) {
        return;
    }
    memcpy(w->status, s->status, (size_t)p->n_contact);
    const double residual = try_smallest(p, w, true);
    if (residual <= SP_SOLVE_TOL) {
        keep(p, w, residual, "guess", s);
    } else { /* repairs begin from the forces of the guess */
        memcpy(w->status, s->status, (size_t)p->n_contact);
        try_status(p, w, w->status, w->P);
    }
    w->lost = lost;
}

/* Whether friction slides: forces that depend on each other move the bodies alike else. */
static int drags(const sp_problem *p, const sp_solution *s)
{
    for (int i = 0; i < p->n_contact; i++) {
        if (p->set[i].kind == SP_SET_PLANAR && p->set[i].mu > 0.0 && s->P[p->row[i]] > 0.0 &&
            s->status[i] != SP_STICK && s->status[i] != SP_OPEN) {
            return 1;
        }
    }
    return 0;
}

/* Where one status has many forces take the smallest, if they move bodies differently or the status
 * changes by that: all that stands still counts as closed and sticking.  lost: unknowns minus rank
 * of the status at hand, -1: not known.   theory (56.1), (56.3) */
static void share(const sp_problem *p, sp_chain *w, int lost, sp_solution *s)
{
    int changes = 0;
    sp_natural_residual(p, s->P, w->P, w->xi, w->size);
    for (int i = 0; i < p->n_contact; i++) {
        w->status[i] = sp_states_settle(p, i, s->status[i], w->xi, w->size);
        changes += w->status[i] != s->status[i];
    }
    if (changes == 0 && (lost == 0 || !drags(p, s))) {
        return;
    }
    const double residual = try_smallest(p, w, changes > 0);
    if (residual <= SP_SOLVE_CLEAN || residual <= s->residual) {
        s->residual = residual;
        memcpy(s->P, w->P, (size_t)p->n * sizeof *s->P);
        memcpy(s->status, w->status, (size_t)p->n_contact);
    }
}

void sp_chain_improve(const sp_problem *p, sp_solution *s, sp_chain *w)
{
    memcpy(w->P, s->P, (size_t)p->n * sizeof *w->P);
    memcpy(w->status, s->status, (size_t)p->n_contact);
    keep(p, w, polish(p, w), s->method, s);
    if (!(s->residual <= SP_SOLVE_CLEAN)) {
        memcpy(w->status, s->status, (size_t)p->n_contact);
        keep(p, w, try_status(p, w, w->status, w->P), s->method, s);
    }
}

/* Repair from the four uniform states; 1 if solved. */
static int restart(const sp_problem *p, sp_chain *w, sp_solution *s)
{
    for (int state = SP_OPEN; state <= SP_SLIP_NEG; state++) {
        memset(w->status, state, (size_t)p->n_contact);
        sp_states_complete(p, w->status);
        keep(p, w, try_status(p, w, w->status, w->P), "repair", s);
        if (s->residual <= SP_SOLVE_TOL || repair(p, w, s)) {
            return 1;
        }
    }
    return 0;
}

/* Try every status of a small problem; 1 if solved.  none: there is nothing. */
static int enumerate(const sp_problem *p, sp_chain *w, sp_solution *s, int *none)
{
    sp_solution found = {.P = w->P, .status = w->status};
    const sp_solution_count solutions = sp_solutions_find_any(p, &found);
    *none = solutions.complete && solutions.n_motion == 0;
    if (solutions.n_motion == 0) {
        return 0;
    }
    keep(p, w, sp_natural_residual(p, w->P, w->P, w->xi, w->size), "enumeration", s);
    keep(p, w, polish(p, w), "enumeration", s);
    return s->residual <= SP_SOLVE_TOL;
}

/* Lemke in both forms, with two ideas of what a zero pivot is. */
static int pivot_all(const sp_problem *p, sp_chain *w, sp_lcp *lcp, sp_solution *s)
{
    static const sp_lcp_form form[4] = {SP_LCP_3, SP_LCP_4, SP_LCP_3, SP_LCP_4};
    static const double tol[4] = {1e-11, 1e-11, 1e-8, 1e-8};
    for (int k = 0; k < 4; k++) {
        if (pivot(p, w, lcp, form[k], tol[k], s)) {
            return 1;
        }
    }
    return 0;
}

/* Everything after a wrong guess. */
static sp_status solve_hard(const sp_problem *p, sp_solution *s, sp_chain *w, sp_error *err)
{
    SP_TRY(check_finite(p, err));
    memcpy(w->status, s->status, (size_t)p->n_contact);
    if (repair(p, w, s)) {
        return SP_OK;
    }
    sp_lcp lcp;
    sp_lcp_place(&lcp, p, w->lcp_memory);
    if (pivot_all(p, w, &lcp, s) || s->residual <= LAST_RESORT) {
        return SP_OK;
    }
    if (sp_lcp_infeasible(&lcp, w->P)) {
        memcpy(s->P, w->P, (size_t)p->n * sizeof *s->P);
        return SP_E_INFEASIBLE; /* said by the caller */
    }
    int none = 0;
    if (restart(p, w, s) || enumerate(p, w, s, &none) || s->residual <= LAST_RESORT) {
        return SP_OK;
    }
    if (none) {
        return SP_FAIL(err, SP_E_NOT_CONVERGED,
                       "contact problem of %d contacts: no solution exists, all states were tried; "
                       "least residual %.2g",
                       p->n_contact, s->residual);
    }
    return SP_FAIL(err, SP_E_NOT_CONVERGED,
                   "contact problem of %d contacts: residual %.2g, expected <= %.2g", p->n_contact,
                   s->residual, LAST_RESORT);
}

/* Whether a contact comes with a status: there is something to stay in. */
static int is_known(const sp_problem *p, const unsigned char *status)
{
    for (int i = 0; i < p->n_contact; i++) {
        if (status[i] <= SP_SLIP_NEG) {
            return 1;
        }
    }
    return 0;
}

sp_status sp_chain_solve(const sp_problem *p, sp_solution *s, sp_chain *w, sp_error *err)
{
    const int known = is_known(p, s->status), cold = sp_states_complete(p, s->status);
    s->method = "guess";
    s->residual = try_status(p, w, s->status, s->P);
    if (known && !(s->residual <= SP_SOLVE_TOL)) {
        stay(p, w, s);
    }
    const int hard = !(s->residual <= SP_SOLVE_TOL), lost = hard ? -1 : w->lost;
    if (hard) {
        SP_TRY(solve_hard(p, s, w, err));
    }
    if (!(s->residual <= SP_SOLVE_CLEAN)) {
        sp_chain_improve(p, s, w);
    }
    if (cold || hard) {
        settle(p, w, s);
    }
    share(p, w, lost, s);
    sp_states_name(p, s->P, s->status);
    s->result = SP_SOLVED;
    return SP_OK;
}
