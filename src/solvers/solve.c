/* The one call for small problems: closed forms for the tiniest, shifted sets moved to where they
 * belong, bilateral rows taken out, then the chain of methods.   theory section 5 */
#include "base/aligned.h"
#include "solvers/chain.h"
#include "solvers/condense.h"
#include "solvers/natural.h"
#include "solvers/space.h"
#include "solvers/split.h"
#include "solvers/states.h"
#include "solvers/tiny.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Problems with bilateral rows are condensed from this size on; below it one elimination of
 * everything is cheaper. */
enum { CONDENSE_ROWS = 9 };

/* What a problem has, found while it is checked: a bit for every kind of set, and two more. */
enum {
    HAS_FREE = 1 << SP_SET_FREE,
    HAS_HALF_LINE = 1 << SP_SET_HALF_LINE,
    HAS_PLANAR = 1 << SP_SET_PLANAR,
    HAS_DISC = 1 << SP_SET_DISC,
    HAS_SHIFT = 1 << 8,
    HAS_DISORDER = 1 << 9 /* rows that do not follow each other */
};

/* Bytes of the copies that shifted sets need: c, shift, sets. */
static size_t shift_bytes(int n_contact, int n)
{
    return sp_aligned(2 * (size_t)n * sizeof(double)) +
           sp_aligned((size_t)n_contact * sizeof(sp_set));
}

size_t sp_solve_work(int n_contact_max, int n_max)
{
    const size_t plane = sp_split_bytes(n_contact_max, n_max) + shift_bytes(n_contact_max, n_max) +
                         sp_condense_bytes(n_contact_max, n_max) +
                         sp_chain_bytes(n_contact_max, n_max);
    const size_t space = sp_space_bytes(n_contact_max, n_max);
    return plane > space ? plane : space;
}

/* Look closer at contact i: SP_E_INPUT if its set or its row is wrong; has: what it is. */
static sp_status check_contact(const sp_problem *p, int i, int *has, sp_error *err)
{
    const sp_set *s = &p->set[i];
    if (sp_set_dim(s) == 0) {
        return SP_FAIL(err, SP_E_INPUT, "contact %d: unknown set of kind %d", i, (int)s->kind);
    }
    if (p->row[i] < 0 || p->row[i] + sp_set_dim(s) > p->n) {
        return SP_FAIL(err, SP_E_INPUT, "contact %d: row %d, expected 0 to %d", i, p->row[i],
                       p->n - sp_set_dim(s));
    }
    if (s->kind == SP_SET_INTERVAL && !(s->lo <= s->hi && s->lo < INFINITY && s->hi > -INFINITY)) {
        return SP_FAIL(err, SP_E_INPUT, "contact %d: interval from %g to %g, expected lo <= hi", i,
                       s->lo, s->hi);
    }
    if ((s->kind == SP_SET_PLANAR || s->kind == SP_SET_DISC) && !(s->mu >= 0.0 && s->mu <= 1e300)) {
        return SP_FAIL(err, SP_E_INPUT, "contact %d: mu = %g, expected a number >= 0", i, s->mu);
    }
    for (int a = 0; a < sp_set_dim(s) && s->shifted; a++) {
        if (!isfinite(s->shift[a])) {
            return SP_FAIL(err, SP_E_INPUT, "contact %d: set shifted by %g, expected a number", i,
                           s->shift[a]);
        }
    }
    *has |= 1 << (sp_set_is_ball(s) ? SP_SET_DISC : s->kind) | (s->shifted ? HAS_SHIFT : 0) |
            (sp_states_free(s) ? HAS_FREE : 0);
    return SP_OK;
}

/* Sets and sizes; has: what there is. */
static sp_status check_problem(const sp_problem *p, int *has, sp_error *err)
{
    int rows = 0, found = 0;
    const sp_set *s = p->set;
    for (int i = 0; i < p->n_contact; i++, s++) {
        if (p->row[i] == rows && !s->shifted && s->kind == SP_SET_HALF_LINE) {
            found |= HAS_HALF_LINE;
            rows++;
        } else if (p->row[i] == rows && !s->shifted && s->kind == SP_SET_PLANAR && s->mu >= 0.0 &&
                   s->mu <= 1e300) {
            found |= HAS_PLANAR;
            rows += 2;
        } else {
            found |= p->row[i] == rows ? 0 : HAS_DISORDER;
            SP_TRY(check_contact(p, i, &found, err));
            rows += sp_set_dim(s);
        }
    }
    if (rows != p->n) {
        return SP_FAIL(err, SP_E_INPUT, "contact problem: %d rows, but the sets take %d", p->n,
                       rows);
    }
    *has = found;
    return SP_OK;
}

/* Say that there is no solution; s->P is the proof. */
static sp_status say_infeasible(const sp_problem *p, sp_solution *s, sp_error *err)
{
    s->result = SP_INFEASIBLE;
    s->method = "none";
    s->residual = NAN;
    return SP_FAIL(err, SP_E_INFEASIBLE,
                   "contact problem of %d contacts has no solution: the velocities asked for "
                   "contradict each other",
                   p->n_contact);
}

/* Solution of the whole from that of the rest; 1 if it is one. */
static int take_condensed(const sp_problem *p, const sp_condensed *k, sp_solution *s,
                          void *chain_memory)
{
    sp_chain w;
    sp_chain_place(&w, p, chain_memory);
    sp_condense_expand(k, s->P, s->status);
    s->residual = sp_natural_residual(p, s->P, s->P, w.xi, w.size);
    s->pivots = k->s.pivots;
    s->method = k->s.method;
    if (!(s->residual <= SP_SOLVE_CLEAN)) {
        sp_chain_improve(p, s, &w);
    }
    s->result = s->residual <= SP_SOLVE_TOL ? SP_SOLVED : SP_NOT_SOLVED;
    return s->result == SP_SOLVED;
}

/* The rest without bilateral rows, with two ideas of the rank; 1 if that settles it: s->result. */
static int solve_condensed(const sp_problem *p, sp_solution *s, char *memory)
{
    static const double rank_tol[2] = {1e-10, 1e-14};
    char *chain_memory = memory + sp_condense_bytes(p->n_contact, p->n);
    for (int a = 0; a < 2; a++) {
        sp_condensed k;
        sp_chain w;
        const sp_condense_end end =
            sp_condense(p, rank_tol[a], s->status, &k, memory, chain_memory);
        if (end == SP_CONDENSE_CONTRADICTS) {
            memcpy(s->P, k.b, (size_t)p->n * sizeof *s->P);
            s->result = SP_INFEASIBLE;
            return 1;
        }
        if (end == SP_CONDENSED) {
            sp_chain_place(&w, &k.p, chain_memory);
            const sp_status status = sp_chain_solve(&k.p, &k.s, &w, NULL);
            if (status == SP_OK && take_condensed(p, &k, s, chain_memory)) {
                return 1;
            }
            if (status == SP_E_INFEASIBLE && sp_condense_proof(&k, s->P)) {
                s->result = SP_INFEASIBLE;
                return 1;
            }
        }
        if (k.rank == k.n_free) {
            return 0; /* the other tolerance finds the same */
        }
    }
    return 0;
}

/* A problem without shifted sets. */
static sp_status solve_centred(const sp_problem *p, int has, sp_solution *s, char *memory,
                               sp_error *err)
{
    sp_chain w;
    if ((has & HAS_FREE) && p->n >= CONDENSE_ROWS && solve_condensed(p, s, memory)) {
        return s->result == SP_SOLVED ? SP_OK : say_infeasible(p, s, err);
    }
    s->result = SP_NOT_SOLVED;
    s->pivots = 0;
    sp_chain_place(&w, p, memory);
    const sp_status status = sp_chain_solve(p, s, &w, err);
    return status == SP_E_INFEASIBLE ? say_infeasible(p, s, err) : status;
}

void sp_problem_centre(const sp_problem *p, sp_problem *moved, double *c, double *shift,
                       sp_set *set)
{
    memset(shift, 0, (size_t)p->n * sizeof *shift);
    for (int i = 0; i < p->n_contact; i++) {
        set[i] = p->set[i];
        set[i].shifted = 0;
        for (int a = 0; a < sp_set_dim(&set[i]) && p->set[i].shifted; a++) {
            shift[p->row[i] + a] = p->set[i].shift[a];
        }
    }
    for (int k = 0; k < p->n; k++) {
        const double *G = p->G + (size_t)k * (size_t)p->ld;
        double sum = p->c[k], terms = fabs(p->c[k]);
        for (int j = 0; j < p->n; j++) {
            const double term = G[j] * shift[j];
            sum += term;
            terms += fabs(term);
        }
        c[k] = fabs(sum) <= DBL_EPSILON * (double)p->n * terms ? 0.0 : sum;
    }
    *moved = *p;
    moved->set = set;
    moved->c = c;
}

/* A problem with shifted sets: solved without the shift, which comes back in the end. */
static sp_status solve_shifted(const sp_problem *p, int has, sp_solution *s, char *memory,
                               sp_error *err)
{
    sp_problem moved;
    double *c = (double *)(void *)memory, *shift = c + p->n;
    sp_set *set = (sp_set *)(void *)(memory + sp_aligned(2 * (size_t)p->n * sizeof(double)));
    sp_problem_centre(p, &moved, c, shift, set);
    const sp_status status =
        solve_centred(&moved, has, s, memory + shift_bytes(p->n_contact, p->n), err);
    for (int k = 0; k < p->n && s->result != SP_INFEASIBLE; k++) {
        s->P[k] += shift[k];
    }
    return status;
}

/* Closed forms and the hot path; 1 if that was enough. */
static int solve_tiny(const sp_problem *p, int has, sp_solution *s)
{
    if (has == HAS_PLANAR) {
        return sp_tiny_planar(p, s);
    }
    if (has == HAS_HALF_LINE && p->n <= 2) {
        return sp_tiny_half_lines(p, s);
    }
    return p->n == 1 && !(has & HAS_SHIFT) ? sp_tiny_row(p, s) : 0;
}

/* Slip that no force changes (its row of G is zero) is known: a guess that slides the other way
 * would never be found wrong, as residuals are velocities times G. */
static void guess_driven(const sp_problem *p, unsigned char *status)
{
    for (int i = 0; i < p->n_contact; i++) {
        const int T = p->row[i] + 1;
        if (p->set[i].kind == SP_SET_PLANAR && p->G[(size_t)T * (size_t)p->ld + (size_t)T] == 0.0 &&
            (status[i] == SP_SLIP_POS || status[i] == SP_SLIP_NEG) && p->c[T] != 0.0) {
            status[i] = p->c[T] > 0.0 ? SP_SLIP_POS : SP_SLIP_NEG;
        }
    }
}

/* One part of a problem in the plane, which is not tiny. */
static sp_status solve_whole(const sp_problem *p, int has, sp_solution *s, char *memory,
                             sp_error *err)
{
    return has & HAS_SHIFT ? solve_shifted(p, has, s, memory, err)
                           : solve_centred(p, has, s, memory, err);
}

/* The same where it may be. */
static sp_status solve_part(const sp_problem *p, sp_solution *s, char *memory, sp_error *err)
{
    int has = 0;
    SP_TRY(check_problem(p, &has, err));
    return p->n <= 8 && solve_tiny(p, has, s) ? SP_OK : solve_whole(p, has, s, memory, err);
}

/* Part by part; the first that has no solution is the proof for the whole, the others are solved
 * behind one that is not, so that P is the best there is. */
static sp_status solve_parts(const sp_problem *p, int n_part, sp_split *split, sp_solution *s,
                             char *memory, sp_error *err)
{
    sp_status first = SP_OK;
    s->residual = 0.0;
    s->result = SP_SOLVED;
    for (int k = 0, most = -1; k < n_part; k++) {
        sp_problem part;
        sp_solution own;
        sp_split_take(p, s, k, split, &part, &own);
        const sp_status status = solve_part(&part, &own, memory, first == SP_OK ? err : NULL);
        if (status == SP_E_INFEASIBLE) {
            memset(s->P, 0, (size_t)p->n * sizeof *s->P);
            sp_split_return(p, k, split, s);
            return say_infeasible(p, s, err);
        }
        sp_split_return(p, k, split, s);
        s->pivots += own.pivots;
        s->residual = own.residual <= s->residual ? s->residual : own.residual; /* NaN stays */
        s->method = own.pivots > most ? own.method : s->method;
        most = own.pivots > most ? own.pivots : most;
        if (status != SP_OK && first == SP_OK) {
            first = status;
            s->result = SP_NOT_SOLVED;
        }
    }
    return first;
}

sp_status sp_solve(const sp_problem *p, sp_solution *s, void *work, sp_error *err)
{
    int has = 0;
    s->result = SP_NOT_SOLVED;
    s->residual = NAN;
    s->pivots = 0;
    s->method = "none";
    SP_TRY(check_problem(p, &has, err));
    if (has & HAS_DISC) {
        return sp_space_solve(p, s, work, err);
    }
    guess_driven(p, s->status);
    if (p->n <= 8 && solve_tiny(p, has, s)) {
        return SP_OK;
    }
    sp_split split;
    char *memory = (char *)work + sp_split_bytes(p->n_contact, p->n);
    const int n_part = sp_split_find(p, work, &split);
    return n_part <= 1 ? solve_whole(p, has, s, memory, err)
                       : solve_parts(p, n_part, &split, s, memory, err);
}

/* Without shifted sets and friction in space. */
static void refine_centred(const sp_problem *p, sp_solution *s, void *memory)
{
    sp_chain w;
    sp_chain_place(&w, p, memory);
    s->residual = sp_natural_residual(p, s->P, s->P, w.xi, w.size);
    if (!(s->residual <= SP_SOLVE_CLEAN)) {
        sp_chain_improve(p, s, &w);
    }
}

sp_status sp_solve_refine(const sp_problem *p, sp_solution *s, void *work)
{
    int has = 0;
    sp_problem moved;
    char *memory = (char *)work;
    double *c = (double *)work, *shift = c + p->n;
    sp_set *set = (sp_set *)(void *)(memory + sp_aligned(2 * (size_t)p->n * sizeof(double)));
    SP_TRY(check_problem(p, &has, NULL));
    if (has & HAS_DISC) {
        return sp_space_solve(p, s, work, NULL);
    }
    sp_problem_centre(p, &moved, c, shift, set);
    for (int k = 0; k < p->n; k++) {
        s->P[k] -= shift[k];
    }
    refine_centred(&moved, s, memory + shift_bytes(p->n_contact, p->n));
    for (int k = 0; k < p->n; k++) {
        s->P[k] += shift[k];
    }
    s->result = s->residual <= SP_SOLVE_TOL ? SP_SOLVED : SP_NOT_SOLVED;
    return s->result == SP_SOLVED ? SP_OK : SP_E_NOT_CONVERGED;
}
