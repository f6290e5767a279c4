/* The cheapest method that reaches the goal first, then the next; the best iterate is kept. */
#include "solvers/fc_auto.h"

#include "solvers/fc_local.h"
#include "solvers/fc_newton.h"
#include "solvers/fc_search.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* HEAP: from so many contacts on sweeps and Newton are tried shortly before interior points. */
enum { ANALYSE_MOST = 60, INSIST_MOST = 24, GUESS_STEPS = 6, HEAP = 24 };

/* An error below this is that of a solution not yet sharp. */
#define NEARLY 1e-5
/* Proximal parameter of Newton from a guess. */
#define GUESS_ALPHA 1e-9
/* Factors of at most this many numbers (400 MB). */
#define NUMBERS_MOST 5e7

const sp_fc_solver sp_fc_solvers[SP_FC_N_SOLVER] = {
    [SP_FC_AUTO] = {"auto", "the cheapest method that certifies, with fallbacks", NULL},
    [SP_FC_NSGS] = {"nsgs", "block Gauss-Seidel with exact local solver and Anderson acceleration",
                    sp_fc_solve_nsgs},
    [SP_FC_NEWTON] = {"newton", "sweeps and proximal semismooth Newton on the active set in turn",
                      sp_fc_solve_hybrid},
    [SP_FC_ADMM] = {"admm", "alternating directions with the shift of De Saxce", sp_fc_solve_admm},
    [SP_FC_PILE] = {"pile", "coloured Gauss-Seidel on the bodies' velocities (needs factors)",
                    NULL},
    [SP_FC_NATURAL] = {"natural", "sweeps and semismooth Newton on the natural map (any sets)",
                       sp_fc_solve_natural},
    [SP_FC_INTERIOR] = {"interior", "interior points with the shift of De Saxce in Newton's matrix",
                        sp_fc_solve_interior},
};

int sp_fc_knows_balls(const sp_fc_solver *solver)
{
    return !solver || solver == &sp_fc_solvers[SP_FC_NSGS] ||
           solver == &sp_fc_solvers[SP_FC_NATURAL];
}

/* Methods in the order of trial, by their number in sp_fc_solvers, the smallest and the largest
 * island for each, and the share of its effort. */
typedef struct trial {
    int solver, contacts_least, contacts_most;
    double effort;
} trial;

/* The chain of auto; balls (1: a set is one of laws/ball.h); quick: see sp_fc_way. */
static int run_chain(const sp_fc_island *l, sp_fc_goal *g, int balls, int quick, double *p,
                     double *error, sp_fc_stack *stack)
{
    static const trial of_discs[] = {
        {SP_FC_NEWTON, 0, HEAP - 1, 1.0},    {SP_FC_NEWTON, HEAP, INT_MAX, 0.125},
        {SP_FC_INTERIOR, HEAP, 6000, 1.0},   {SP_FC_ADMM, 0, 6000, 1.0},
        {SP_FC_NEWTON, HEAP, INT_MAX, 0.75}, {SP_FC_NSGS, 0, INT_MAX, 1.0}};
    static const trial of_balls[] = {{SP_FC_NATURAL, 0, INT_MAX, 1.0},
                                     {SP_FC_NSGS, 0, INT_MAX, 1.0}};
    const trial *const chain = balls ? of_balls : of_discs;
    const int n = (int)(balls ? sizeof of_balls : sizeof of_discs) / (int)sizeof *chain;
    int used = 0;
    for (int k = 0; k < n && !sp_fc_late(g); k++) {
        if (l->n_contact < chain[k].contacts_least || l->n_contact > chain[k].contacts_most) {
            continue;
        }
        const double effort = g->effort;
        g->effort *= chain[k].effort;
        *error = sp_fc_solvers[chain[k].solver].solve(l, g, p, stack);
        g->effort = effort;
        used |= g->steps == 0 ? SP_FC_BY_SWEEPS : 1 << chain[k].solver;
        const int enough =
            quick && l->n_contact >= HEAP && chain[k].solver == SP_FC_INTERIOR && !balls;
        if (*error <= g->tol || *error != *error || enough) {
            break;
        }
    }
    return used;
}

/* One contact alone. */
static void solve_alone(const sp_fc_island *l, double *p)
{
    sp_fc_local(&l->set[0], l->G + l->at[l->diag[0]], l->stick, l->c, p);
}

/* Whether the solution p is the only one nearby. */
static void analyse_island(const sp_fc_island *l, const double *p, sp_fc_end *end,
                           sp_fc_stack *stack)
{
    const sp_fc_mark mark = sp_fc_note(stack);
    sp_fc_linear s;
    if (sp_fc_linear_prepare(l, 1e8, stack, &s)) {
        sp_fc_newton_rank(l, p, &s, &end->lost, &end->motion, stack);
    }
    sp_fc_release(stack, mark);
}

/* Newton from the states of the last solution: few steps if they are right, else nothing is lost
 * but these. */
static double try_guess(const sp_fc_island *l, sp_fc_goal *g, const unsigned char *status,
                        double *p, sp_fc_stack *stack)
{
    const sp_fc_mark mark = sp_fc_note(stack);
    sp_fc_linear s;
    double error = INFINITY;
    if (sp_fc_linear_prepare(l, NUMBERS_MOST, stack, &s)) {
        error = sp_fc_newton(l, g, &s, &(sp_fc_newton_plan){GUESS_ALPHA, GUESS_STEPS, 2, status}, p,
                             stack);
    }
    sp_fc_release(stack, mark);
    return error;
}

sp_fc_end sp_fc_solve_island(const sp_fc_island *l, sp_fc_goal *g, const sp_fc_way *way,
                             const unsigned char *status, double *p, double *u, sp_fc_stack *stack)
{
    const sp_fc_solver *only = way->only;
    const int balls = sp_fc_any_ball(l);
    const double enough = g->enough > g->tol ? g->enough : g->tol;
    sp_fc_end end = {.used = SP_FC_BY_START, .lost = -1, .motion = -1};
    sp_fc_island_project(l, p);
    double error = sp_fc_island_judge(l, g, p, u);
    if (!(error <= g->tol) && l->n_contact == 1 && !only) {
        solve_alone(l, p);
        error = sp_fc_island_judge(l, g, p, u);
        end.used = SP_FC_BY_LOCAL;
    }
    if (!(error <= g->tol) && way->guess && !only && !balls) {
        error = try_guess(l, g, status, p, stack);
        end.used = SP_FC_BY_GUESS;
    }
    if (!(error <= g->tol)) {
        if (only) {
            error = only->solve(l, g, p, stack);
            end.used = 1 << (int)(only - sp_fc_solvers);
        } else {
            end.used = run_chain(l, g, balls, way->quick, p, &error, stack);
            if (error > enough && error < NEARLY && l->n_contact <= INSIST_MOST &&
                !(way->quick && balls)) {
                g->effort *= 10.0; /* small and nearly there: it is worth some more */
                end.used |= run_chain(l, g, balls, way->quick, p, &error, stack);
            }
        }
        if (!(error <= enough) && !balls && sp_fc_infeasible(l, g, u, stack)) {
            memcpy(p, u, (size_t)l->n * sizeof *p);
            end.infeasible = 1;
        } else if (!(error <= enough) && !only && !balls) {
            end.none = sp_fc_search(l, g, p, &error, NULL, NULL, stack) == SP_FC_SEARCH_NONE;
        }
    }
    end.solved = error <= enough;
    if (end.solved && way->analyse && !balls && l->n_contact <= ANALYSE_MOST) {
        analyse_island(l, p, &end, stack);
    }
    end.sweeps = g->sweeps;
    end.steps = g->steps;
    end.factorisations = g->factorisations;
    return end;
}

int sp_fc_path_add(char *path, int at, const char *name, int count)
{
    char digits[12];
    const int length = count ? (int)strlen(name) : 0;
    int n = 0;
    if (count == 0 || at + length + (int)sizeof digits + 4 > SP_FC_PATH) {
        return at;
    }
    for (int rest = count; rest > 0; rest /= 10) {
        digits[n++] = (char)('0' + rest % 10);
    }
    if (at > 0) {
        path[at++] = ',';
        path[at++] = ' ';
    }
    memcpy(path + at, name, (size_t)length);
    at += length;
    path[at++] = ' ';
    while (n > 0) {
        path[at++] = digits[--n];
    }
    path[at] = '\0';
    return at;
}
