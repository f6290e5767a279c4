/* Sweeps bring an iterate near the solution and show who sticks, slips and is open; Newton's method
 * then needs a few steps.  Where it fails, more sweeps follow, then Newton with another proximal
 * parameter: small ones are quick, larger ones help where contacts depend on each other or G is not
 * symmetric. */
#include "solvers/fc_method.h"
#include "solvers/fc_newton.h"
#include "solvers/fc_nsgs.h"

#include <math.h>
#include <string.h>

/* Factors of at most this many numbers (400 MB). */
#define NUMBERS_MOST 5e7

enum {
    ROUNDS = 8,
    SWEEPS_FIRST = 10,
    SWEEPS_MOST = 160,
    SWEEPS_ALONE = 5000,
    STEPS = 15,
    STEPS_EXPECTED = 8,
    PATIENCE = 5
};

double sp_fc_solve_nsgs(const sp_fc_island *l, sp_fc_goal *g, double *p, sp_fc_stack *stack)
{
    const sp_fc_mark mark = sp_fc_note(stack);
    sp_fc_sweeper w;
    if (!sp_fc_sweeper_place(&w, l, stack)) {
        return NAN;
    }
    memcpy(w.x, p, (size_t)l->n * sizeof *p);
    const int sweeps = (int)fmin(20000.0 * g->effort, 1e9);
    double error = sp_fc_island_judge(l, g, p, w.u);
    error = sp_fc_nsgs(l, g, sweeps, 4000, &w, p, error);
    sp_fc_release(stack, mark);
    return error;
}

/* All that the two methods share. */
typedef struct hybrid {
    sp_fc_sweeper sweeper;
    sp_fc_linear linear;
    double *trial; /* n */
    double *p, error;
} hybrid;

/* Newton from this start; a better iterate goes to p, a much better one also to the sweeps. */
static void try_newton(const sp_fc_island *l, sp_fc_goal *g, hybrid *h, double alpha,
                       const double *start, sp_fc_stack *stack)
{
    const size_t bytes = (size_t)l->n * sizeof *h->p;
    memcpy(h->trial, start, bytes);
    const double now = sp_fc_newton(
        l, g, &h->linear, &(sp_fc_newton_plan){alpha, STEPS, PATIENCE, NULL}, h->trial, stack);
    if (!(now < h->error)) {
        return;
    }
    memcpy(h->p, h->trial, bytes);
    if (now < 0.1 * h->error) {
        memcpy(h->sweeper.x, h->trial, bytes);
        sp_fc_sweeper_reset(&h->sweeper);
    }
    h->error = now;
}

/* Sweeps that cost as much as one Newton step, about: a block of G takes some 20 operations at half
 * the speed, a local solution some hundred. */
static double sweeps_per_step(const sp_fc_island *l, const sp_fc_linear *s)
{
    return s->flops / (40.0 * l->n_block + 200.0 * l->n_contact);
}

/* Sweeps while, by their pace, the goal is nearer than worth sweeps; at least the given number. */
static void sweep(const sp_fc_island *l, sp_fc_goal *g, hybrid *h, int sweeps, double worth)
{
    for (int batch = sweeps; batch > 0 && !(h->error <= g->tol) && !sp_fc_late(g);) {
        const double before = h->error;
        h->error = sp_fc_nsgs(l, g, batch, 0, &h->sweeper, h->p, h->error);
        const double left = batch * log(h->error / g->tol) / log(before / h->error);
        batch = left > 0.0 && left <= worth ? (int)(0.5 * left) + 5 : 0;
    }
}

/* Rounds of sweeps and Newton. */
static void alternate(const sp_fc_island *l, sp_fc_goal *g, hybrid *h, sp_fc_stack *stack)
{
    static const double alpha[3] = {1e-9, 1e-4, 1e-6};
    const double per_step = sweeps_per_step(l, &h->linear);
    int sweeps = (int)fmin(per_step - SWEEPS_FIRST, SWEEPS_MOST);
    const int rounds = (int)ceil(ROUNDS * fmin(g->effort, 1e6));
    const int patience = (int)ceil(3.0 * fmin(g->effort, 1e6)); /* each parameter once */
    double mark = h->error;
    for (int r = 0, since = 0; r < rounds && !(h->error <= g->tol) && !sp_fc_late(g); r++) {
        sweep(l, g, h, sweeps, STEPS_EXPECTED * per_step);
        for (int k = 0; k < 2 && !(h->error <= g->tol); k++) {
            try_newton(l, g, h, alpha[r % 3], k ? h->p : h->sweeper.x, stack);
        }
        sweeps = 2 * sweeps < SWEEPS_FIRST ? SWEEPS_FIRST : 2 * sweeps;
        sweeps = sweeps < SWEEPS_MOST ? sweeps : SWEEPS_MOST;
        since = h->error < 0.5 * mark ? 0 : since + 1;
        mark = since == 0 ? h->error : mark;
        if (since >= patience) {
            break; /* other methods are next */
        }
    }
}

double sp_fc_solve_hybrid(const sp_fc_island *l, sp_fc_goal *g, double *p, sp_fc_stack *stack)
{
    const sp_fc_mark mark = sp_fc_note(stack);
    hybrid h = {.p = p, .trial = SP_TAKE(stack, double, l->n)};
    if (!sp_fc_sweeper_place(&h.sweeper, l, stack)) {
        return NAN;
    }
    memcpy(h.sweeper.x, p, (size_t)l->n * sizeof *p);
    h.error = sp_fc_island_judge(l, g, p, h.sweeper.u);
    /* a factorisation costs more than this many sweeps, in a large island */
    sweep(l, g, &h, SWEEPS_FIRST, 0.25 * (l->n_contact - 100));
    if (!(h.error <= g->tol)) {
        if (sp_fc_linear_prepare(l, NUMBERS_MOST, stack, &h.linear)) {
            alternate(l, g, &h, stack);
        } else if (!stack->failed) { /* too large for a factorisation */
            const int sweeps = (int)fmin(SWEEPS_ALONE * g->effort, 1e9);
            h.error = sp_fc_nsgs(l, g, sweeps, 1000, &h.sweeper, p, h.error);
        }
    }
    sp_fc_release(stack, mark);
    return stack->failed ? NAN : h.error;
}
