/* Islands that resist: solve without friction first, then let it grow; then from other starts.
 * Newton's method from the solution of a neighbouring problem converges where it does not from
 * zero. */
#include "solvers/fc_method.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { GROWTHS = 3, STARTS = 24 };

/* Part of the usual effort for each intermediate problem. */
#define PART 0.2

/* Numbers that depend on the state alone (splitmix64), in [-1, 1). */
static double scatter(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)(z >> 11) * 0x1p-52 - 1.0;
}

/* Keep the trial if it is better. */
static double keep(const sp_fc_island *l, double now, double error, const double *trial, double *p)
{
    if (now < error || error != error) {
        memcpy(p, trial, (size_t)l->n * sizeof *p);
        return now;
    }
    return error;
}

/* Let friction grow in this many steps; trial ends as an iterate of the island itself. */
static double grow(const sp_fc_island *l, sp_fc_goal *g, int steps, sp_set *set, double *trial,
                   sp_fc_stack *stack)
{
    sp_fc_island easy = *l;
    easy.set = set;
    double error = NAN;
    for (int k = 0; k <= steps && !sp_fc_late(g); k++) {
        const double part = (double)k / steps;
        for (int i = 0; i < l->n_contact; i++) {
            set[i] = l->set[i];
            set[i].mu *= part;
        }
        sp_fc_island_project(&easy, trial);
        error = sp_fc_solve_hybrid(k == steps ? l : &easy, g, trial, stack);
    }
    return error;
}

double sp_fc_solve_homotopy(const sp_fc_island *l, sp_fc_goal *g, double *p, sp_fc_stack *stack)
{
    const sp_fc_mark mark = sp_fc_note(stack);
    double *trial = SP_TAKE(stack, double, l->n), *u = SP_TAKE(stack, double, l->n);
    sp_set *set = SP_TAKE(stack, sp_set, l->n_contact);
    if (stack->failed) {
        return NAN;
    }
    const double effort = g->effort;
    double error = sp_fc_island_judge(l, g, p, u);
    g->effort = PART * effort;
    for (int k = 0, steps = 4; k < GROWTHS && !(error <= g->tol); k++, steps *= 2) {
        memset(trial, 0, (size_t)l->n * sizeof *trial);
        error = keep(l, grow(l, g, steps, set, trial, stack), error, trial, p);
    }
    uint64_t state = 1;
    for (int k = 0; k < STARTS * effort && !(error <= g->tol) && !sp_fc_late(g); k++) {
        const double size = l->worth * pow(4.0, k % 6 - 1);
        for (int e = 0; e < l->n; e++) {
            trial[e] = (k % 2 ? p[e] : 0.0) + size * scatter(&state);
        }
        sp_fc_island_project(l, trial);
        error = keep(l, sp_fc_solve_hybrid(l, g, trial, stack), error, trial, p);
    }
    g->effort = effort;
    sp_fc_release(stack, mark);
    return error;
}
