/* Sweeps over a pile with acceleration.  Threads share the work of every stage; sums are made block
 * by block and then over the blocks, so that they do not depend on the number of threads. */
#include "solvers/fc_pile.h"

#include "solvers/fc_anderson.h"
#include "solvers/fc_team.h"

#include <math.h>
#include <string.h>

enum {
    ROOM = 3 * SP_FC_LANES, /* numbers of a four in p                                 */
    SWEEPS = 3000,
    JUDGE_EVERY = 2, /* batches                                                */
    BATCH = 4,       /* sweeps between two looks, and jumps of the acceleration */
    DEPTH = 6,       /* of the acceleration                                    */
    BLOCK = 64       /* fours whose sums are made together                     */
};

/* Sums of one block. */
typedef struct block_sums {
    double change2, past[SP_FC_ANDERSON_SUMS];
    sp_fc_sum measure;
} block_sums;

/* What the loop works with; p's have ROOM numbers per four. */
typedef struct pile_work {
    sp_fc_pile *q;
    const sp_fc_goal *g;
    double *x, *y, *best; /* start of a batch, its end; the best end              */
    double error;         /* of best                                              */
    sp_fc_anderson past;
    double weight[SP_FC_DEPTH];
    int n_block;
    block_sums *block;
    int look, weighed; /* the measure is wanted; there are weights for a jump  */
    sp_fc_team team;
} pile_work;

/* The part of a member of n things beginning with first. */
static int part_of(int first, int n, int member, int members)
{
    return first + (int)((long long)n * member / members);
}

/* Fours first .. last - 1 of block b. */
static void block_range(const pile_work *w, int b, int *first, int *last)
{
    *first = BLOCK * b;
    *last = b + 1 < w->n_block ? BLOCK * (b + 1) : w->q->n_four;
}

/* A batch of sweeps over y, then |y - x|^2. */
static void sweep_part(void *work, int member, int members)
{
    pile_work *w = (pile_work *)work;
    sp_fc_pile *q = w->q;
    for (int k = 0; k < BATCH; k++) {
        for (int c = 0; c < q->n_colour; c++) {
            const int first = q->colour[c], n = q->colour[c + 1] - first;
            sp_fc_pile_sweep(q, part_of(first, n, member, members),
                             part_of(first, n, member + 1, members), w->y);
            sp_fc_team_meet(&w->team, members);
        }
    }
    for (int b = part_of(0, w->n_block, member, members);
         b < part_of(0, w->n_block, member + 1, members); b++) {
        int first, last;
        double sum = 0.0;
        block_range(w, b, &first, &last);
        for (int e = ROOM * first; e < ROOM * last; e++) {
            sum += (w->y[e] - w->x[e]) * (w->y[e] - w->x[e]);
        }
        w->block[b].change2 = sum;
    }
}

/* The pair x, y into the past, and the measure of y if it is wanted. */
static void take_part(void *work, int member, int members)
{
    pile_work *w = (pile_work *)work;
    for (int b = part_of(0, w->n_block, member, members);
         b < part_of(0, w->n_block, member + 1, members); b++) {
        block_sums *s = &w->block[b];
        int first, last;
        block_range(w, b, &first, &last);
        if (w->look) {
            s->measure = (sp_fc_sum){w->g->measure, w->q->worth, w->q->p->xi_scale, 0.0, 0.0};
            sp_fc_pile_measure(w->q, first, last, w->y, &s->measure);
        }
        sp_fc_anderson_part(&w->past, ROOM * first, ROOM * last, w->x, w->y, s->past);
    }
}

/* x and y: the last end of a batch moved by the weights and into the sets; without weights that
 * end itself.  Then the bodies' velocities. */
static void move_part(void *work, int member, int members)
{
    pile_work *w = (pile_work *)work;
    sp_fc_pile *q = w->q;
    for (int b = part_of(0, w->n_block, member, members);
         b < part_of(0, w->n_block, member + 1, members); b++) {
        int first, last;
        block_range(w, b, &first, &last);
        const size_t at = (size_t)ROOM * (size_t)first;
        const size_t bytes = (size_t)(last - first) * ROOM * sizeof *w->x;
        if (w->weighed) {
            sp_fc_anderson_move(&w->past, w->weight, ROOM * first, ROOM * last, w->x);
            sp_fc_pile_project(q, first, last, w->x);
        } else {
            memcpy(w->x + at, w->past.y + at, bytes);
        }
        memcpy(w->y + at, w->x + at, bytes);
    }
    sp_fc_pile_rest(q, part_of(0, q->n_body, member, members),
                    part_of(0, q->n_body, member + 1, members));
    sp_fc_team_meet(&w->team, members);
    for (int c = 0; c < q->n_colour; c++) {
        const int first = q->colour[c], n = q->colour[c + 1] - first;
        sp_fc_pile_push(q, part_of(first, n, member, members),
                        part_of(first, n, member + 1, members), w->x);
        sp_fc_team_meet(&w->team, members);
    }
}

/* |y - x|^2 over a batch. */
static double sweep_batch(pile_work *w, sp_fc_goal *g)
{
    double change2 = 0.0;
    sp_fc_team_run(&w->team, sweep_part, w);
    g->sweeps += BATCH;
    for (int b = 0; b < w->n_block; b++) {
        change2 += w->block[b].change2;
    }
    return change2;
}

/* The measure from the sums of all blocks. */
static double measure_of(const pile_work *w)
{
    double sum = 0.0, worst = 0.0;
    for (int b = 0; b < w->n_block; b++) {
        sum += w->block[b].measure.sum;
        worst = fmax(worst, w->block[b].measure.worst);
    }
    return w->g->measure == SP_FC_FCLIB ? sqrt(sum) / w->g->c_norm : worst + sum;
}

/* Take the pair x, y; with a look the best y is kept. */
static void take(pile_work *w)
{
    double sum[SP_FC_ANDERSON_SUMS] = {0.0};
    sp_fc_anderson_open(&w->past);
    sp_fc_team_run(&w->team, take_part, w);
    for (int b = 0; b < w->n_block; b++) {
        for (int m = 0; m < w->past.depth; m++) {
            sum[m] += w->block[b].past[m];
            sum[SP_FC_DEPTH + m] += w->block[b].past[SP_FC_DEPTH + m];
        }
    }
    sp_fc_anderson_close(&w->past, sum);
    const double now = w->look ? measure_of(w) : NAN;
    if (now < w->error || (w->look && w->error != w->error)) {
        w->error = now;
        memcpy(w->best, w->y, (size_t)ROOM * (size_t)w->q->n_four * sizeof *w->y);
    }
}

/* Batches of sweeps, accelerated as single ones in fc_nsgs.c: a jump after which a batch changes
 * more than before is taken back. */
static void run(pile_work *w, sp_fc_goal *g)
{
    const int most = (int)fmin(SWEEPS * g->effort / BATCH, 1e9);
    const size_t bytes = (size_t)ROOM * (size_t)w->q->n_four * sizeof *w->x;
    double last2 = INFINITY;
    for (int k = 0; k < most && !(w->error <= g->tol) && !sp_fc_late(g); k++) {
        const double change2 = sweep_batch(w, g);
        if (w->weighed && !(change2 <= 4.0 * last2)) {
            sp_fc_anderson_restart(&w->past);
            w->weighed = 0;
            sp_fc_team_run(&w->team, move_part, w);
            last2 = INFINITY;
            continue;
        }
        last2 = change2;
        w->look = k % JUDGE_EVERY == JUDGE_EVERY - 1 || k == most - 1 || change2 == 0.0;
        take(w);
        if (change2 == 0.0 || w->error <= g->tol) {
            return;
        }
        w->weighed = sp_fc_anderson_weigh(&w->past, w->weight);
        if (w->weighed) {
            sp_fc_team_run(&w->team, move_part, w);
        } else {
            memcpy(w->x, w->y, bytes);
        }
    }
}

/* Memory for the loop; 0: there is none. */
static int place(pile_work *w, sp_fc_stack *stack)
{
    const size_t n = (size_t)ROOM * (size_t)w->q->n_four;
    w->n_block = (w->q->n_four + BLOCK - 1) / BLOCK;
    w->x = SP_TAKE(stack, double, n);
    w->y = SP_TAKE(stack, double, n);
    w->best = SP_TAKE(stack, double, n);
    w->block = SP_TAKE(stack, block_sums, w->n_block);
    return sp_fc_anderson_place(&w->past, (int)n, DEPTH, stack);
}

double sp_fc_pile_solve(sp_fc_pile *q, sp_fc_goal *g, double *P, sp_fc_stack *stack)
{
    const sp_fc_mark mark = sp_fc_note(stack);
    const size_t bytes = (size_t)ROOM * (size_t)q->n_four * sizeof *P;
    sp_fc_sum start = {g->measure, q->worth, q->p->xi_scale, 0.0, 0.0};
    pile_work w = {.q = q, .g = g, .look = 0, .weighed = 0};
    if (!place(&w, stack)) {
        return NAN;
    }
    sp_fc_pile_enter(q, P, w.x);
    sp_fc_pile_project(q, 0, q->n_four, w.x);
    sp_fc_pile_gather(q, w.x);
    sp_fc_pile_measure(q, 0, q->n_four, w.x, &start);
    w.error = g->measure == SP_FC_FCLIB ? sqrt(start.sum) / g->c_norm : start.worst + start.sum;
    memcpy(w.y, w.x, bytes);
    memcpy(w.best, w.x, bytes);
    sp_fc_team_start(&w.team, q->threads);
    run(&w, g);
    sp_fc_team_end(&w.team);
    sp_fc_pile_leave(q, w.best, P);
    sp_fc_release(stack, mark);
    return w.error;
}
