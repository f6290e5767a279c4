#include "solvers/fc_pile.h"

#include "solvers/fc_anderson.h"
#include "solvers/fc_team.h"

#include <math.h>
#include <string.h>

enum {
    DOF = SP_FC_BODY_DOF,
    LANES = SP_FC_LANES,
    ROOM = 3 * LANES, /* numbers of a four in p                          */
    SWEEPS = 3000,
    JUDGE_EVERY = 2, /* batches */
    BATCH = 4,       /* sweeps between two looks, and jumps of the acceleration */
    DEPTH = 6        /* of the acceleration                                    */
};

void sp_fc_pile_gather(sp_fc_pile *q, const double *p)
{
    memset(q->y, 0, ((size_t)q->n_body + 1) * sizeof *q->y);
    if (q->rigid) {
        sp_fc_rigid_push(q->n_four, q->rigid, (const sp_fc_inertia *)q->inertia, q->n_body, q->y,
                         p);
    } else {
        sp_fc_four_push(q->n_four, q->four, q->n_body, q->y, p);
    }
}

void sp_fc_pile_sweep(sp_fc_pile *q, int first, int last, double *p)
{
    double *own = p + (size_t)ROOM * (size_t)first;
    if (q->rigid) {
        sp_fc_rigid_sweep(last - first, q->rigid + first, q->more + first,
                          (const sp_fc_inertia *)q->inertia, q->n_body, q->y, own);
    } else {
        sp_fc_four_sweep(last - first, q->four + first, q->more + first, q->n_body, q->y, own);
    }
}

/* sum |D| |v + w x r| over both bodies of a rigid four, terms of the product taken one by one. */
static double rigid_terms(const sp_fc_pile *q, const sp_fc_rigid *f, int a, int l)
{
    double sum = fabs(f->c[a][l]);
    for (int side = 0; side < 2; side++) {
        const double *v = q->y[f->body[side][l]];
        for (int k = 0; k < 3; k++) {
            const int m = (k + 1) % 3, n = (k + 2) % 3;
            sum += fabs(f->D[a][k][l]) * (fabs(v[k]) + fabs(v[3 + m] * f->arm[side][n][l]) +
                                          fabs(v[3 + n] * f->arm[side][m][l]));
        }
    }
    return sum;
}

/* The largest sum of absolute terms of the rows of lane l of four i. */
static double terms_of(const sp_fc_pile *q, int i, int l)
{
    double largest = 0.0;
    for (int a = 0; a < 3; a++) {
        const sp_fc_four *f = q->four + i;
        double sum = q->rigid ? rigid_terms(q, &q->rigid[i], a, l) : fabs(f->c[a][l]);
        for (int e = 0; !q->rigid && e < DOF; e++) {
            sum += fabs(f->H[0][a][e][l] * q->y[f->body[0][l]][e]) +
                   fabs(f->H[1][a][e][l] * q->y[f->body[1][l]][e]);
        }
        largest = fmax(largest, sum);
    }
    return largest;
}

/* Add lane l of a four with velocities u to the measure: the sum of squares, or the worst. */
static void judge_lane(const sp_fc_pile *q, const sp_fc_goal *g, int i, int l, const double *p,
                       const double *u, double *sum, double *worst)
{
    const sp_fc_four_more *more = &q->more[i];
    const int dim = more->dim[l];
    double x[3] = {0.0}, v[3] = {0.0};
    for (int a = 0; a < dim; a++) {
        x[a] = p[LANES * a + l];
        v[a] = u[LANES * a + l];
    }
    if (g->measure == SP_FC_FCLIB) {
        *sum += sp_fc_unit_defect2(&more->set[l], dim, more->d[l], x, v);
        return;
    }
    const double defect = sp_fc_natural_defect(&more->set[l], dim, x, v);
    const double terms = terms_of(q, i, l);
    const double size = fmax(fmin(terms, 10.0 * q->worth), more->d[l] * q->p->xi_scale);
    *worst = fmax(*worst, (defect + SP_FC_ROUNDING * terms) / (size + 1e-300));
    *sum += 0.0 * (v[0] + x[0]);
}

/* The measure of p with its y. */
static double judge(const sp_fc_pile *q, const sp_fc_goal *g, const double *p)
{
    double sum = 0.0, worst = 0.0;
    for (int i = 0; i < q->n_four; i++) {
        _Alignas(32) double u[ROOM];
        if (q->rigid) {
            sp_fc_rigid_see(&q->rigid[i], (const sp_fc_bodies *)q->y, u);
        } else {
            sp_fc_four_see(&q->four[i], (const sp_fc_bodies *)q->y, u);
        }
        for (int l = 0; l < LANES; l++) {
            if (q->more[i].contact[l] >= 0) {
                judge_lane(q, g, i, l, p + (size_t)ROOM * (size_t)i, u, &sum, &worst);
            }
        }
    }
    return g->measure == SP_FC_FCLIB ? sqrt(sum) / g->c_norm : worst + sum;
}

/* Sweeps as the work of a team: every colour is cut into pieces of the same size for all. */
typedef struct team_sweep {
    sp_fc_pile *q;
    double *p;
    sp_fc_team *team;
} team_sweep;

static void sweep_part(void *work, int member, int members)
{
    team_sweep *s = (team_sweep *)work;
    for (int k = 0; k < BATCH; k++) {
        for (int c = 0; c < s->q->n_colour; c++) {
            const int first = s->q->colour[c], n = s->q->colour[c + 1] - first;
            const int lo = first + (int)((long long)n * member / members);
            const int hi = first + (int)((long long)n * (member + 1) / members);
            sp_fc_pile_sweep(s->q, lo, hi, s->p);
            sp_fc_team_meet(s->team, members);
        }
    }
}

/* Projection of four discs, rows of lanes. */
static void project_discs(const double *mu, double *p)
{
    for (int l = 0; l < LANES; l++) {
        const double N = p[l] < 0.0 ? 0.0 : p[l], r = mu[l] * N;
        const double T1 = p[LANES + l], T2 = p[2 * LANES + l], len2 = T1 * T1 + T2 * T2;
        const double shrink = len2 > r * r ? r / sqrt(len2) : 1.0;
        p[l] = N;
        p[LANES + l] = shrink * T1;
        p[2 * LANES + l] = shrink * T2;
    }
}

/* Projection of all p into the sets, then y. */
static void settle(sp_fc_pile *q, double *p)
{
    for (int i = 0; i < q->n_four; i++) {
        double *own = p + (size_t)ROOM * (size_t)i;
        if (q->more[i].plain) {
            project_discs(q->rigid ? q->rigid[i].mu : q->four[i].mu, own);
            continue;
        }
        for (int l = 0; l < LANES; l++) {
            double x[3] = {own[l], own[LANES + l], own[2 * LANES + l]};
            sp_set_project(&q->more[i].set[l], x);
            for (int a = 0; a < q->more[i].dim[l]; a++) {
                own[LANES * a + l] = x[a];
            }
        }
    }
    sp_fc_pile_gather(q, p);
}

/* What the loop works with. */
typedef struct pile_work {
    double *x, *y, *safe, *best; /* ROOM per four */
    double error;
    sp_fc_anderson past;
    sp_fc_team team;
} pile_work;

/* Batches of sweeps, accelerated as single ones in fc_nsgs.c.  The sum of squares decides nothing
 * but whether a jump was good; it is summed over the whole of p, so that it does not depend on the
 * team. */
static void run(sp_fc_pile *q, sp_fc_goal *g, pile_work *w)
{
    const int n = ROOM * q->n_four, most = (int)fmin(SWEEPS * g->effort / BATCH, 1e9);
    const size_t bytes = (size_t)n * sizeof(double);
    double last2 = INFINITY;
    int jumped = 0;
    for (int k = 0; k < most && !(w->error <= g->tol) && !sp_fc_late(g); k++) {
        team_sweep s = {.q = q, .p = w->y, .team = &w->team};
        memcpy(w->y, w->x, bytes);
        sp_fc_team_run(&w->team, sweep_part, &s);
        g->sweeps += BATCH;
        double change2 = 0.0;
        for (int e = 0; e < n; e++) {
            change2 += (w->y[e] - w->x[e]) * (w->y[e] - w->x[e]);
        }
        if (jumped && !(change2 <= 4.0 * last2)) {
            memcpy(w->x, w->safe, bytes);
            sp_fc_pile_gather(q, w->x);
            sp_fc_anderson_restart(&w->past);
            jumped = 0;
            last2 = INFINITY;
            continue;
        }
        last2 = change2;
        if (k % JUDGE_EVERY == JUDGE_EVERY - 1 || k == most - 1 || change2 == 0.0) {
            const double now = judge(q, g, w->y);
            if (now < w->error || w->error != w->error) {
                w->error = now;
                memcpy(w->best, w->y, bytes);
            }
            if (change2 == 0.0) {
                return;
            }
        }
        memcpy(w->safe, w->y, bytes);
        sp_fc_anderson_take(&w->past, w->x, w->y);
        memcpy(w->x, w->y, bytes);
        jumped = sp_fc_anderson_jump(&w->past, w->x);
        if (jumped) {
            settle(q, w->x);
        }
    }
}

/* x from P of the problem, scaled, or back. */
static void exchange(const sp_fc_pile *q, double *x, double *P, int back)
{
    for (int i = 0; i < q->n_four; i++) {
        for (int l = 0; l < LANES; l++) {
            const sp_fc_four_more *more = &q->more[i];
            for (int a = 0; a < more->dim[l]; a++) {
                double *own = x + (size_t)ROOM * (size_t)i + LANES * a + l;
                double *whole = P + q->p->row[more->contact[l]] + a;
                if (back) {
                    *whole = more->d[l] * *own;
                } else {
                    *own = *whole / more->d[l];
                }
            }
        }
    }
}

double sp_fc_pile_solve(sp_fc_pile *q, sp_fc_goal *g, double *P, sp_fc_stack *stack)
{
    const sp_fc_mark mark = sp_fc_note(stack);
    const size_t n = (size_t)ROOM * (size_t)q->n_four;
    pile_work w = {.x = SP_TAKE(stack, double, n),
                   .y = SP_TAKE(stack, double, n),
                   .safe = SP_TAKE(stack, double, n),
                   .best = SP_TAKE(stack, double, n)};
    if (!sp_fc_anderson_place(&w.past, (int)n, DEPTH, stack)) {
        return NAN;
    }
    memset(w.x, 0, n * sizeof *w.x);
    exchange(q, w.x, P, 0);
    settle(q, w.x);
    w.error = judge(q, g, w.x);
    memcpy(w.best, w.x, n * sizeof *w.best);
    sp_fc_team_start(&w.team, q->threads);
    run(q, g, &w);
    sp_fc_team_end(&w.team);
    exchange(q, w.best, P, 1);
    sp_fc_release(stack, mark);
    return w.error;
}
