#include "solvers/fc_pile.h"

#include "solvers/fc_anderson.h"
#include "solvers/fc_local.h"
#include "solvers/fc_team.h"

#include <math.h>
#include <string.h>

enum { DOF = SP_FC_BODY_DOF, SWEEPS = 3000, JUDGE_EVERY = 5, DEPTH = 6, COLOURS = 64 };

typedef double pair __attribute__((vector_size(16)));

int sp_fc_pile_fits(const sp_fc *p)
{
    if (!p->F.start) {
        return 0;
    }
    for (int i = 0; i < p->n_contact; i++) {
        if (p->F.start[i + 1] - p->F.start[i] > 2 || sp_set_dim(&p->set[i]) > 3) {
            return 0;
        }
    }
    for (int b = 0; b < p->F.n_body; b++) {
        if (p->F.dof[b + 1] - p->F.dof[b] > DOF) {
            return 0;
        }
    }
    return 1;
}

/* L (dof x dof, row-major, lower) with M^-1 = L L'; what is not positive counts as zero. */
static void root(int dof, const double *M_inv, double *L)
{
    memset(L, 0, sizeof(double) * DOF * DOF);
    for (int j = 0; j < dof; j++) {
        for (int i = j; i < dof; i++) {
            double sum = M_inv[i * dof + j];
            for (int k = 0; k < j; k++) {
                sum -= L[i * DOF + k] * L[j * DOF + k];
            }
            const double diagonal = L[j * DOF + j];
            L[i * DOF + j] =
                i == j ? (sum > 0.0 ? sqrt(sum) : 0.0) : (diagonal > 0.0 ? sum / diagonal : 0.0);
        }
    }
}

/* The smallest colour that neither body has yet; masks hold a bit per colour. */
static int free_colour(const sp_fc *p, int i, const unsigned long long *mask)
{
    unsigned long long used = 0;
    for (int k = p->F.start[i]; k < p->F.start[i + 1]; k++) {
        used |= mask[p->F.body[k]];
    }
    int colour = 0;
    while (colour < COLOURS - 1 && (used >> colour & 1u)) {
        colour++;
    }
    return colour;
}

/* Colours of all contacts; those that find none of the first COLOURS - 1 go one by one behind. */
static int colour_contacts(const sp_fc *p, unsigned long long *mask, int *colour_of)
{
    int most = 0;
    memset(mask, 0, (size_t)p->F.n_body * sizeof *mask);
    for (int i = 0; i < p->n_contact; i++) {
        const int c = free_colour(p, i, mask);
        for (int k = p->F.start[i]; c < COLOURS - 1 && k < p->F.start[i + 1]; k++) {
            mask[p->F.body[k]] |= 1ull << c;
        }
        colour_of[i] = c;
        most = c > most ? c : most;
    }
    return most + 1;
}

/* H L of one body block. */
static void rows_in_y(int dim, int dof, const double *H, const double *L, double (*out)[DOF])
{
    for (int a = 0; a < dim; a++) {
        for (int k = 0; k < DOF; k++) {
            double sum = 0.0;
            for (int m = k; m < dof; m++) {
                sum += H[a * dof + m] * L[m * DOF + k];
            }
            out[a][k] = sum;
        }
    }
}

/* G_ii of the rows, its scale d, everything scaled. */
static void finish_touch(sp_fc_touch *t, const double *c)
{
    double largest = 0.0;
    for (int a = 0; a < t->dim; a++) {
        double sum = 0.0;
        for (int k = 0; k < 2 * DOF; k++) {
            sum += (&t->H[k / DOF][a][0])[k % DOF] * (&t->H[k / DOF][a][0])[k % DOF];
        }
        largest = sum > largest ? sum : largest;
    }
    t->d = largest > 1e-280 && largest < 1e280 ? 1.0 / sqrt(largest) : 1.0;
    for (int a = 0; a < t->dim; a++) {
        t->c[a] = t->d * c[a];
        for (int k = 0; k < DOF; k++) {
            t->H[0][a][k] *= t->d;
            t->H[1][a][k] *= t->d;
        }
    }
    for (int a = 0; a < t->dim; a++) {
        for (int b = 0; b < t->dim; b++) {
            double sum = 0.0;
            for (int k = 0; k < DOF; k++) {
                sum += t->H[0][a][k] * t->H[0][b][k] + t->H[1][a][k] * t->H[1][b][k];
            }
            t->G[a * t->dim + b] = sum;
        }
    }
    memcpy(t->stick, t->G, sizeof t->G);
    for (double extra = 1e-12; extra < 1.0 && !sp_fc_invert(t->dim, t->stick); extra *= 1e3) {
        memcpy(t->stick, t->G, sizeof t->G);
        for (int a = 0; a < t->dim; a++) {
            t->stick[a * t->dim + a] += extra;
        }
    }
}

/* One contact from the factors. */
static void build_touch(const sp_fc *p, int i, const double *L, sp_fc_touch *t)
{
    memset(t, 0, sizeof *t);
    t->contact = i;
    t->dim = sp_set_dim(&p->set[i]);
    t->body[0] = t->body[1] = p->F.n_body;
    for (int k = p->F.start[i], side = 0; k < p->F.start[i + 1]; k++, side++) {
        const int b = p->F.body[k];
        t->body[side] = b;
        t->sides = side + 1;
        rows_in_y(t->dim, p->F.dof[b + 1] - p->F.dof[b], p->F.H + p->F.at[k],
                  L + (size_t)b * DOF * DOF, t->H[side]);
    }
    finish_touch(t, p->c + p->row[i]);
}

/* The set in scaled percussions. */
static sp_set scaled_set(const sp_set *s, double d)
{
    sp_set t = *s;
    t.lo /= d;
    t.hi /= d;
    for (int a = 0; a < SP_SET_DIM_MAX; a++) {
        t.shift[a] = s->shifted ? s->shift[a] / d : 0.0;
    }
    return t;
}

/* Contacts by colour: colour[c] .. colour[c+1]-1; the last colour of a full set becomes one colour
 * per contact. */
static void order_by_colour(sp_fc_pile *q, int n_colour, const int *colour_of, int *order)
{
    const int n = q->n_contact;
    int at = 0;
    q->n_colour = 0;
    for (int c = 0; c < n_colour; c++) {
        if (c < COLOURS - 1) {
            q->colour[q->n_colour++] = at;
        }
        for (int i = 0; i < n; i++) {
            if (colour_of[i] == c) {
                if (c == COLOURS - 1) {
                    q->colour[q->n_colour++] = at;
                }
                order[at++] = i;
            }
        }
    }
    q->colour[q->n_colour] = n;
}

int sp_fc_pile_build(const sp_fc *p, int threads, sp_fc_stack *stack, sp_fc_pile *q)
{
    const int nc = p->n_contact, nb = p->F.n_body;
    q->p = p;
    q->n_contact = nc;
    q->n_body = nb;
    q->threads = threads;
    q->worth = 0.0;
    q->touch = SP_TAKE(stack, sp_fc_touch, nc);
    q->set = SP_TAKE(stack, sp_set, nc);
    q->colour = SP_TAKE(stack, int, nc + 1 + COLOURS);
    q->y = (double(*)[DOF])sp_fc_take(stack, (size_t)nb + 1, sizeof(double[DOF]));
    int *colour_of = SP_TAKE(stack, int, nc), *order = SP_TAKE(stack, int, nc);
    unsigned long long *mask = SP_TAKE(stack, unsigned long long, nb);
    double *L = SP_TAKE(stack, double, (size_t)nb *DOF *DOF);
    if (stack->failed) {
        return 0;
    }
    for (int b = 0; b < nb; b++) {
        root(p->F.dof[b + 1] - p->F.dof[b], p->F.M_inv + p->F.inverse[b],
             L + (size_t)b * DOF * DOF);
    }
    order_by_colour(q, colour_contacts(p, mask, colour_of), colour_of, order);
    for (int k = 0; k < nc; k++) {
        build_touch(p, order[k], L, &q->touch[k]);
        q->set[k] = scaled_set(&p->set[order[k]], q->touch[k].d);
        for (int a = 0; a < q->touch[k].dim; a++) {
            q->worth = fmax(q->worth, fabs(q->touch[k].c[a]));
        }
    }
    return 1;
}

/* y of the contact's bodies += H'dp. */
static inline void push(const sp_fc_touch *t, double (*y)[DOF], const double *dp)
{
    for (int side = 0; side < t->sides; side++) {
        double *v = y[t->body[side]];
        pair s0 = {v[0], v[1]}, s1 = {v[2], v[3]}, s2 = {v[4], v[5]};
        for (int a = 0; a < t->dim; a++) {
            const pair f = {dp[a], dp[a]};
            const double *H = t->H[side][a];
            const pair h0 = {H[0], H[1]}, h1 = {H[2], H[3]}, h2 = {H[4], H[5]};
            s0 += f * h0;
            s1 += f * h1;
            s2 += f * h2;
        }
        v[0] = s0[0], v[1] = s0[1], v[2] = s1[0], v[3] = s1[1], v[4] = s2[0], v[5] = s2[1];
    }
}

/* u = H y + c of one contact. */
static inline void see(const sp_fc_touch *t, double (*y)[DOF], double *u)
{
    const double *v = y[t->body[0]], *w = y[t->body[1]];
    const pair v0 = {v[0], v[1]}, v1 = {v[2], v[3]}, v2 = {v[4], v[5]};
    const pair w0 = {w[0], w[1]}, w1 = {w[2], w[3]}, w2 = {w[4], w[5]};
    for (int a = 0; a < t->dim; a++) {
        const double *H = t->H[0][a], *K = t->H[1][a];
        const pair h0 = {H[0], H[1]}, h1 = {H[2], H[3]}, h2 = {H[4], H[5]};
        const pair k0 = {K[0], K[1]}, k1 = {K[2], K[3]}, k2 = {K[4], K[5]};
        const pair s = ((h0 * v0 + h1 * v1) + (h2 * v2 + k0 * w0)) + (k1 * w1 + k2 * w2);
        u[a] = t->c[a] + (s[0] + s[1]);
    }
}

void sp_fc_pile_gather(sp_fc_pile *q, const double *p)
{
    memset(q->y, 0, ((size_t)q->n_body + 1) * sizeof *q->y);
    for (int k = 0; k < q->n_contact; k++) {
        push(&q->touch[k], q->y, p + 3 * k);
    }
}

double sp_fc_pile_sweep(sp_fc_pile *q, int first, int last, double *p)
{
    double change2 = 0.0;
    for (int k = first; k < last; k++) {
        const sp_fc_touch *t = &q->touch[k];
        double b[3], x[3], dp[3] = {0.0, 0.0, 0.0};
        see(t, q->y, b);
        for (int a = 0; a < t->dim; a++) { /* without its own percussion */
            x[a] = p[3 * k + a];
            for (int e = 0; e < t->dim; e++) {
                b[a] -= t->G[a * t->dim + e] * p[3 * k + e];
            }
        }
        sp_fc_local(&q->set[k], t->G, t->stick, b, x);
        for (int a = 0; a < t->dim; a++) {
            dp[a] = x[a] - p[3 * k + a];
            p[3 * k + a] = x[a];
            change2 += dp[a] * dp[a];
        }
        push(t, q->y, dp);
    }
    return change2;
}

/* The largest sum of absolute terms of the rows of contact k. */
static double terms_of(const sp_fc_pile *q, int k)
{
    const sp_fc_touch *t = &q->touch[k];
    double largest = 0.0;
    for (int a = 0; a < t->dim; a++) {
        double sum = fabs(t->c[a]);
        for (int e = 0; e < DOF; e++) {
            sum += fabs(t->H[0][a][e] * q->y[t->body[0]][e]) +
                   fabs(t->H[1][a][e] * q->y[t->body[1]][e]);
        }
        largest = fmax(largest, sum);
    }
    return largest;
}

/* The measure of p with its y. */
static double judge(const sp_fc_pile *q, const sp_fc_goal *g, const double *p)
{
    double sum = 0.0, worst = 0.0, u[3];
    for (int k = 0; k < q->n_contact; k++) {
        const sp_fc_touch *t = &q->touch[k];
        see(t, q->y, u);
        if (g->measure == SP_FC_FCLIB) {
            sum += sp_fc_unit_defect2(&q->set[k], t->dim, t->d, p + 3 * k, u);
        } else {
            const double defect = sp_fc_natural_defect(&q->set[k], t->dim, p + 3 * k, u);
            const double terms = terms_of(q, k), size = fmin(terms, 10.0 * q->worth);
            worst = fmax(worst, (defect + SP_FC_ROUNDING * terms) / (size + 1e-300));
            sum += 0.0 * (u[0] + p[3 * k]);
        }
    }
    return g->measure == SP_FC_FCLIB ? sqrt(sum) / g->c_norm : worst + sum;
}

/* A sweep as the work of a team: every colour is cut into pieces of the same size for all. */
typedef struct team_sweep {
    sp_fc_pile *q;
    double *p;
    sp_fc_team *team;
} team_sweep;

static void sweep_part(void *work, int member, int members)
{
    team_sweep *s = (team_sweep *)work;
    for (int c = 0; c < s->q->n_colour; c++) {
        const int first = s->q->colour[c], n = s->q->colour[c + 1] - first;
        const int lo = first + (int)((long long)n * member / members);
        const int hi = first + (int)((long long)n * (member + 1) / members);
        sp_fc_pile_sweep(s->q, lo, hi, s->p);
        sp_fc_team_meet(s->team, members);
    }
}

/* Projection of all p into the sets, then y. */
static void settle(sp_fc_pile *q, double *p)
{
    for (int k = 0; k < q->n_contact; k++) {
        sp_set_project(&q->set[k], p + 3 * k);
    }
    sp_fc_pile_gather(q, p);
}

/* What the loop works with. */
typedef struct pile_work {
    double *x, *y, *safe, *best; /* 3 per contact */
    double error;
    sp_fc_anderson past;
    sp_fc_team team;
} pile_work;

/* Sweeps, accelerated as in fc_nsgs.c.  The sum of squares decides nothing but whether a jump was
 * good; it is summed over the whole of p, so that it does not depend on the team. */
static void run(sp_fc_pile *q, sp_fc_goal *g, pile_work *w)
{
    const int n = 3 * q->n_contact, most = (int)fmin(SWEEPS * g->effort, 1e9);
    const size_t bytes = (size_t)n * sizeof(double);
    double last2 = INFINITY;
    int jumped = 0;
    for (int k = 0; k < most && !(w->error <= g->tol); k++) {
        team_sweep s = {.q = q, .p = w->y, .team = &w->team};
        memcpy(w->y, w->x, bytes);
        sp_fc_team_run(&w->team, sweep_part, &s);
        g->sweeps++;
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
            if (change2 == 0.0 || sp_fc_late(g)) {
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

double sp_fc_pile_solve(sp_fc_pile *q, sp_fc_goal *g, double *P, sp_fc_stack *stack)
{
    const sp_fc_mark mark = sp_fc_note(stack);
    const size_t n = 3 * (size_t)q->n_contact;
    pile_work w = {.x = SP_TAKE(stack, double, n),
                   .y = SP_TAKE(stack, double, n),
                   .safe = SP_TAKE(stack, double, n),
                   .best = SP_TAKE(stack, double, n)};
    if (!sp_fc_anderson_place(&w.past, (int)n, DEPTH, stack)) {
        return NAN;
    }
    memset(w.x, 0, n * sizeof *w.x);
    for (int k = 0; k < q->n_contact; k++) {
        const sp_fc_touch *t = &q->touch[k];
        for (int a = 0; a < t->dim; a++) {
            w.x[3 * k + a] = P[q->p->row[t->contact] + a] / t->d;
        }
    }
    settle(q, w.x);
    w.error = judge(q, g, w.x);
    memcpy(w.best, w.x, n * sizeof *w.best);
    sp_fc_team_start(&w.team, q->threads);
    run(q, g, &w);
    sp_fc_team_end(&w.team);
    for (int k = 0; k < q->n_contact; k++) {
        const sp_fc_touch *t = &q->touch[k];
        for (int a = 0; a < t->dim; a++) {
            P[q->p->row[t->contact] + a] = t->d * w.best[3 * k + a];
        }
    }
    sp_fc_release(stack, mark);
    return w.error;
}

void sp_fc_pile_status(sp_fc_pile *q, const double *P, unsigned char *status)
{
    double u[3], p[3] = {0.0, 0.0, 0.0};
    memset(q->y, 0, ((size_t)q->n_body + 1) * sizeof *q->y);
    for (int pass = 0; pass < 2; pass++) { /* velocities of the bodies, then of the contacts */
        for (int k = 0; k < q->n_contact; k++) {
            const sp_fc_touch *t = &q->touch[k];
            for (int a = 0; a < t->dim; a++) {
                p[a] = P[q->p->row[t->contact] + a] / t->d;
            }
            if (pass == 0) {
                push(t, q->y, p);
            } else {
                see(t, q->y, u);
                status[t->contact] = sp_fc_contact_status(&q->set[k], p, u);
            }
        }
    }
}
