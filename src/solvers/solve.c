/* The chain for small planar problems: guess the status and solve the linear system that is left;
 * flip what is violated; Lemke on the 3n form; Lemke on the 4n form; prove that there is nothing;
 * start again elsewhere; try everything.
 * Whatever a method claims, only the natural-map residual decides.   theory section 5 */
#include "solvers/enumerate.h"
#include "solvers/lcp.h"
#include "solvers/natural.h"
#include "solvers/planar.h"
#include "solvers/problem.h"
#include "solvers/reduced.h"

#include <math.h>
#include <string.h>

/* A residual this small needs no second look. */
#define CLEAN 1e-13
/* Where forces are a million times what c is worth, round-off allows no less than this. */
#define LAST_RESORT 1e-10
/* Residuals of a wrong status are larger than this: no refinement will save it. */
#define HOPELESS 1e-5
/* Velocities below this part of their terms are zero. */
#define STILL 1e-12

/* All scratch of one solve. */
typedef struct scratch {
    sp_reduced reduced;
    double *xi, *size;     /* n: G P + c, sum of its terms' absolute values        */
    double *P;             /* n: a candidate                                       */
    double *raw;           /* n: the last candidate before it was moved into sets  */
    double *alt, *alt_raw; /* n: another candidate, and before it was moved        */
    unsigned char *status; /* n_contact: of the candidate P                        */
    void *lcp_memory;
    int fits; /* sp_planar_fits */
} scratch;

/* Bytes rounded up to the alignment of double. */
static size_t rounded(size_t bytes)
{
    return (bytes + 15) & ~(size_t)15;
}

size_t sp_solve_work(int n_contact_max, int n_max)
{
    return rounded(sp_reduced_bytes(n_contact_max, n_max)) +
           rounded(6 * (size_t)n_max * sizeof(double)) + rounded((size_t)n_contact_max) +
           rounded(sp_lcp_bytes(n_contact_max, n_max));
}

/* Hand out the scratch memory. */
static void place(scratch *w, const sp_problem *p, void *work)
{
    char *at = (char *)work;
    const size_t n = (size_t)p->n;
    sp_reduced_place(&w->reduced, p->n_contact, p->n, at);
    at += rounded(sp_reduced_bytes(p->n_contact, p->n));
    w->xi = (double *)(void *)at;
    w->P = w->xi + n;
    w->raw = w->P + n;
    w->alt = w->raw + n;
    w->alt_raw = w->alt + n;
    w->size = w->alt_raw + n;
    at += rounded(6 * n * sizeof(double));
    w->status = (unsigned char *)at;
    at += rounded((size_t)p->n_contact);
    w->lcp_memory = at;
    w->fits = sp_planar_fits(p);
}

/* Sets and sizes the solver can take. */
static sp_status check_problem(const sp_problem *p, sp_error *err)
{
    int rows = 0;
    for (int i = 0; i < p->n_contact; i++) {
        const sp_set *s = &p->set[i];
        rows += sp_set_dim(s);
        if (s->kind > SP_SET_PLANAR || s->shifted) {
            return SP_FAIL(err, SP_E_INPUT,
                           "contact %d: set of kind %d%s, expected free, half line or planar", i,
                           (int)s->kind, s->shifted ? ", shifted" : "");
        }
        if (s->kind == SP_SET_PLANAR && !(s->mu >= 0.0 && s->mu <= 1e300)) {
            return SP_FAIL(err, SP_E_INPUT, "contact %d: mu = %g, expected a number >= 0", i,
                           s->mu);
        }
        if (p->row[i] < 0 || p->row[i] + sp_set_dim(s) > p->n) {
            return SP_FAIL(err, SP_E_INPUT, "contact %d: row %d, expected 0 to %d", i, p->row[i],
                           p->n - sp_set_dim(s));
        }
    }
    if (rows != p->n) {
        return SP_FAIL(err, SP_E_INPUT, "contact problem: %d rows, but the sets take %d", p->n,
                       rows);
    }
    return SP_OK;
}

/* A first status for one contact alone: open if it separates, else its own stick or slip. */
static unsigned char cold_status(const sp_problem *p, int i)
{
    const sp_set *s = &p->set[i];
    const int N = p->row[i], T = N + 1;
    const double *G_N = p->G + (size_t)N * (size_t)p->ld, *G_T = G_N + p->ld;
    if (s->kind == SP_SET_FREE) {
        return SP_STICK;
    }
    if (p->c[N] >= 0.0) {
        return SP_OPEN;
    }
    if (s->kind == SP_SET_HALF_LINE) {
        return SP_STICK;
    }
    const double det = G_N[N] * G_T[T] - G_N[T] * G_T[N];
    const double P_N = G_N[T] * p->c[T] - G_T[T] * p->c[N]; /* times det */
    const double P_T = G_T[N] * p->c[N] - G_N[N] * p->c[T];
    if (!(det > 0.0) || !(P_N > 0.0)) {
        return p->c[T] > 0.0 ? SP_SLIP_POS : SP_SLIP_NEG;
    }
    return fabs(P_T) <= s->mu * P_N ? SP_STICK : P_T < 0.0 ? SP_SLIP_POS : SP_SLIP_NEG;
}

/* Make the guess one of the states its set can have; 1 if something was unknown. */
static int complete_guess(const sp_problem *p, unsigned char *status)
{
    int unknown = 0;
    for (int i = 0; i < p->n_contact; i++) {
        if (status[i] > SP_SLIP_NEG) {
            status[i] = cold_status(p, i);
            unknown = 1;
        }
        if (p->set[i].kind == SP_SET_FREE ||
            (p->set[i].kind == SP_SET_HALF_LINE && status[i] != SP_OPEN)) {
            status[i] = SP_STICK;
        }
    }
    return unknown;
}

/* The careful solution of a status where the fast one failed or is not clean; better of the two. */
static double try_carefully(const sp_problem *p, scratch *w, double residual, double *P)
{
    static const double rank_tol[2] = {1e-10, 1e-14};
    const size_t bytes = (size_t)p->n * sizeof *P;
    for (int k = 0; k < 2 && !(residual <= CLEAN); k++) {
        const int lost = sp_reduced_careful(p, &w->reduced, rank_tol[k], 0, w->alt_raw);
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

/* Where P of a status had to be moved into its set and is a solution all the same, the status is
 * the one it was moved to: a closed contact that would pull is open, a force beyond the cone slips.
 */
static void follow_moves(const sp_problem *p, const scratch *w, const double *P,
                         unsigned char *status)
{
    for (int i = 0; i < p->n_contact; i++) {
        const int N = p->row[i], T = N + 1;
        if (status[i] == SP_OPEN || p->set[i].kind == SP_SET_FREE) {
            continue;
        }
        if (w->raw[N] < 0.0) {
            status[i] = SP_OPEN;
        } else if (status[i] == SP_STICK && p->set[i].kind == SP_SET_PLANAR &&
                   fabs(w->raw[T] - P[T]) > STILL * fabs(w->raw[T])) {
            status[i] = w->raw[T] > 0.0 ? SP_SLIP_NEG : SP_SLIP_POS;
        }
    }
}

/* P of a status in P, and in w->raw before it was moved into the sets; returns the residual.  The
 * status is corrected if P solves the problem but not as the status has it. */
static double try_status(const sp_problem *p, scratch *w, unsigned char *status, double *P)
{
    double residual = INFINITY;
    sp_reduced_unknowns(p, status, &w->reduced);
    if (sp_reduced_fast(p, &w->reduced)) {
        if (w->fits) {
            int moved = 0;
            residual = sp_planar_residual(p, &w->reduced, P, &moved);
            if (residual <= CLEAN && !moved) {
                return residual;
            }
        }
        sp_reduced_expand(p, &w->reduced, w->raw);
        residual = sp_natural_residual(p, w->raw, P, w->xi, w->size);
    }
    if (!(residual <= CLEAN || (residual >= HOPELESS && residual < INFINITY))) {
        residual = try_carefully(p, w, residual, P);
    }
    if (residual <= SP_SOLVE_TOL) {
        follow_moves(p, w, P, status);
    }
    return residual;
}

/* Keep the candidate if it is better than what s holds. */
static void keep(const sp_problem *p, const scratch *w, double residual, const char *method,
                 sp_solution *s)
{
    if (residual < s->residual || s->residual != s->residual) {
        s->residual = residual;
        s->method = method;
        memcpy(s->P, w->P, (size_t)p->n * sizeof *s->P);
        memcpy(s->status, w->status, (size_t)p->n_contact);
    }
}

/* What contact i should be instead, given P = w->raw of its status and xi = G P + c. */
static unsigned char flipped(const sp_problem *p, const scratch *w, int i)
{
    const sp_set *s = &p->set[i];
    const double *P = w->raw + p->row[i], *xi = w->xi + p->row[i];
    const unsigned char now = w->status[i];
    if (s->kind == SP_SET_FREE) {
        return now;
    }
    if (now == SP_OPEN) {
        if (!(xi[0] < 0.0)) {
            return now;
        }
        return s->kind == SP_SET_HALF_LINE ? SP_STICK : xi[1] > 0.0 ? SP_SLIP_POS : SP_SLIP_NEG;
    }
    if (P[0] < 0.0) {
        return SP_OPEN;
    }
    if (s->kind == SP_SET_HALF_LINE || s->mu == 0.0) {
        return now;
    }
    if (now == SP_STICK) {
        return fabs(P[1]) <= s->mu * P[0] ? now : P[1] > 0.0 ? SP_SLIP_NEG : SP_SLIP_POS;
    }
    return (now == SP_SLIP_POS ? xi[1] : -xi[1]) < 0.0 ? SP_STICK : now;
}

/* From w->status and its P in w->raw flip violated contacts: all of them in the first rounds, later
 * only the first; 1 if solved. */
static int repair(const sp_problem *p, scratch *w, sp_solution *s)
{
    const int block_rounds = 4, rounds = block_rounds + 2 * p->n_contact;
    for (int round = 0; round < rounds; round++) {
        sp_natural_xi(p, w->raw, w->xi);
        int flips = 0;
        for (int i = 0; i < p->n_contact && (flips == 0 || round < block_rounds); i++) {
            const unsigned char next = flipped(p, w, i);
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

/* w->status from the values of w->P and w->xi: which piece of the natural map they are on. */
static void classify(const sp_problem *p, scratch *w)
{
    for (int i = 0; i < p->n_contact; i++) {
        const sp_set *s = &p->set[i];
        const int N = p->row[i], T = N + 1;
        const double *G_N = p->G + (size_t)N * (size_t)p->ld, *G_T = G_N + p->ld;
        w->status[i] = SP_STICK;
        if (s->kind != SP_SET_FREE && fabs(G_N[N]) * w->P[N] <= w->xi[N]) {
            w->status[i] = SP_OPEN;
        } else if (s->kind == SP_SET_PLANAR) {
            const double bound = s->mu * w->P[N] * fabs(G_T[T]);
            const double z = fabs(G_T[T]) * w->P[T] - w->xi[T];
            w->status[i] = z > bound ? SP_SLIP_NEG : z < -bound ? SP_SLIP_POS : SP_STICK;
        }
    }
}

/* Refine w->P within its status to round-off; returns the residual. */
static double polish(const sp_problem *p, scratch *w)
{
    for (int i = 0; i < p->n_contact; i++) {
        double *P = w->P + p->row[i];
        const int friction = p->set[i].kind == SP_SET_PLANAR;
        if (w->status[i] == SP_OPEN) {
            P[0] = 0.0;
            P[friction] = 0.0;
        } else if (friction && w->status[i] != SP_STICK) {
            P[1] = (w->status[i] == SP_SLIP_POS ? -p->set[i].mu : p->set[i].mu) * P[0];
        }
    }
    sp_reduced_unknowns(p, w->status, &w->reduced);
    sp_reduced_careful(p, &w->reduced, 1e-10, 1, w->P);
    return sp_natural_residual(p, w->P, w->P, w->xi, w->size);
}

/* Lemke in one form, then the solution of the status it found, to round-off; 1 if solved. */
static int pivot(const sp_problem *p, scratch *w, sp_lcp *lcp, sp_lcp_form form, double tol,
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
    if (!(s->residual <= CLEAN)) { /* the least-norm solution of that status */
        keep(p, w, try_status(p, w, w->status, w->P), method, s);
    }
    if (!(s->residual <= SP_SOLVE_TOL)) { /* the status its values show */
        memcpy(w->P, w->alt, bytes);
        sp_natural_residual(p, w->P, w->P, w->xi, w->size);
        classify(p, w);
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

/* What contact i is called if all that stands still within round-off counts as closed and sticking;
 * w->xi and w->size belong to s->P. */
static unsigned char settled(const sp_problem *p, const scratch *w, int i, unsigned char now)
{
    const sp_set *set = &p->set[i];
    const int N = p->row[i], T = N + 1;
    if (set->kind == SP_SET_FREE || (now == SP_OPEN && w->xi[N] > STILL * w->size[N])) {
        return now;
    }
    if (set->kind == SP_SET_HALF_LINE || fabs(w->xi[T]) <= STILL * w->size[T]) {
        return SP_STICK;
    }
    return w->xi[T] > 0.0 ? SP_SLIP_POS : SP_SLIP_NEG;
}

/* Among the statuses of one motion prefer the one with most contacts closed and sticking: it shares
 * forces of dependent contacts evenly (least norm), so that symmetric problems stay symmetric. */
static void settle(const sp_problem *p, scratch *w, sp_solution *s)
{
    for (int with_open = 1; with_open >= 0; with_open--) {
        int changes = 0;
        sp_natural_residual(p, s->P, w->P, w->xi, w->size);
        for (int i = 0; i < p->n_contact; i++) {
            const unsigned char now = s->status[i];
            w->status[i] = now == SP_OPEN && !with_open ? now : settled(p, w, i, now);
            changes += w->status[i] != now;
        }
        if (changes == 0) {
            return;
        }
        const double residual = try_status(p, w, w->status, w->P);
        if (residual <= CLEAN || residual <= s->residual) {
            s->residual = residual;
            memcpy(s->P, w->P, (size_t)p->n * sizeof *s->P);
            memcpy(s->status, w->status, (size_t)p->n_contact);
            return;
        }
    }
}

/* A solution that is good enough but not clean may be of another status than the one it was found
 * with: refine it within its own. */
static void improve(const sp_problem *p, scratch *w, sp_solution *s)
{
    memcpy(w->P, s->P, (size_t)p->n * sizeof *w->P);
    memcpy(w->status, s->status, (size_t)p->n_contact);
    keep(p, w, polish(p, w), s->method, s);
    if (!(s->residual <= CLEAN)) {
        memcpy(w->status, s->status, (size_t)p->n_contact);
        keep(p, w, try_status(p, w, w->status, w->P), s->method, s);
    }
}

/* Repair from the four uniform states; 1 if solved. */
static int restart(const sp_problem *p, scratch *w, sp_solution *s)
{
    for (int state = SP_OPEN; state <= SP_SLIP_NEG; state++) {
        memset(w->status, state, (size_t)p->n_contact);
        complete_guess(p, w->status);
        keep(p, w, try_status(p, w, w->status, w->P), "repair", s);
        if (s->residual <= SP_SOLVE_TOL || repair(p, w, s)) {
            return 1;
        }
    }
    return 0;
}

/* Try every status of a small problem and take the best; 1 if solved. */
static int enumerate(const sp_problem *p, scratch *w, sp_solution *s)
{
    sp_enumerated found[16];
    int n_found = 0, n_motion = 0, best = 0;
    if (sp_enumerate(p, 1e-9, found, 16, &n_found, &n_motion, NULL) != SP_OK || n_found == 0) {
        return 0;
    }
    for (int k = 1; k < n_found && k < 16; k++) {
        best = found[k].residual < found[best].residual ? k : best;
    }
    memcpy(w->P, found[best].P, (size_t)p->n * sizeof *w->P);
    memcpy(w->status, found[best].status, (size_t)p->n_contact);
    keep(p, w, sp_natural_residual(p, w->P, w->P, w->xi, w->size), "enumeration", s);
    keep(p, w, polish(p, w), "enumeration", s);
    return s->residual <= SP_SOLVE_TOL;
}

/* Lemke in both forms, with two ideas of what a zero pivot is. */
static int pivot_all(const sp_problem *p, scratch *w, sp_lcp *lcp, sp_solution *s)
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
static sp_status solve_hard(const sp_problem *p, sp_solution *s, scratch *w, sp_error *err)
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
        s->result = SP_INFEASIBLE;
        s->method = "none";
        return SP_FAIL(err, SP_E_INFEASIBLE,
                       "contact problem of %d contacts has no solution: the velocities asked for "
                       "contradict each other",
                       p->n_contact);
    }
    if (restart(p, w, s) || enumerate(p, w, s) || s->residual <= LAST_RESORT) {
        return SP_OK;
    }
    return SP_FAIL(err, SP_E_NOT_CONVERGED,
                   "contact problem of %d contacts: residual %.2g, expected <= %.2g", p->n_contact,
                   s->residual, LAST_RESORT);
}

/* Closed contacts with mu = 0 slip, whatever was guessed: name the direction. */
static void name_frictionless(const sp_problem *p, sp_solution *s)
{
    for (int i = 0; i < p->n_contact; i++) {
        if (p->set[i].kind == SP_SET_PLANAR && p->set[i].mu == 0.0 && s->status[i] != SP_OPEN) {
            const int T = p->row[i] + 1;
            const double *G = p->G + (size_t)T * (size_t)p->ld;
            double xi = p->c[T];
            for (int j = 0; j < p->n; j++) {
                xi += G[j] * s->P[j];
            }
            s->status[i] = xi < 0.0 ? SP_SLIP_NEG : SP_SLIP_POS;
        }
    }
}

sp_status sp_solve(const sp_problem *p, sp_solution *s, void *work, sp_error *err)
{
    scratch w;
    s->result = SP_NOT_SOLVED;
    s->residual = NAN;
    s->pivots = 0;
    s->method = "none";
    SP_TRY(check_problem(p, err));
    place(&w, p, work);
    const int cold = complete_guess(p, s->status);
    s->method = "guess";
    s->residual = try_status(p, &w, s->status, s->P);
    const int hard = !(s->residual <= SP_SOLVE_TOL);
    if (hard) {
        SP_TRY(solve_hard(p, s, &w, err));
    }
    if (!(s->residual <= CLEAN)) {
        improve(p, &w, s);
    }
    if (cold || hard) {
        settle(p, &w, s);
    }
    name_frictionless(p, s);
    s->result = SP_SOLVED;
    return SP_OK;
}
