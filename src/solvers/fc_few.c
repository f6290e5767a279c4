#include "solvers/fc_few.h"

#include <math.h>
#include <string.h>

/* Numbers beyond these take the overflow-safe path. */
#define LEAST 1e-100
#define MOST  1e100

/* What one look at the problem shows. */
typedef struct look {
    unsigned linked[SP_FC_SMALL]; /* contacts that are coupled to each, as bits */
    int diag[SP_FC_SMALL];
    double rho[SP_FC_SMALL], worth, c_norm; /* see sp_fc_scales */
} look;

/* Rows of a set that the quick way takes, 0: it does not. */
static int rows_of(const sp_set *s)
{
    const int friction = s->kind == SP_SET_DISC ? 3 : s->kind == SP_SET_PLANAR ? 2 : 0;
    if (s->shifted || (friction && !(s->mu >= 0.0 && s->mu <= MOST))) {
        return 0;
    }
    return friction ? friction : s->kind == SP_SET_FREE || s->kind == SP_SET_HALF_LINE;
}

/* The blocks of contact i: each there once, the diagonal one with numbers of common size. */
static int look_at_blocks(const sp_fc *p, int i, int dim, look *l)
{
    unsigned seen = 0;
    double largest = 0.0;
    l->diag[i] = -1;
    for (int k = p->G.start[i]; k < p->G.start[i + 1]; k++) {
        const int j = p->G.column[k];
        if (j < 0 || j >= p->n_contact || seen >> j & 1u) {
            return 0;
        }
        seen |= 1u << j;
        l->linked[j] |= 1u << i;
        if (j == i) {
            const double *G = p->G.value + p->G.at[k];
            for (int a = 0; a < dim; a++) {
                const double g = fabs(G[a * dim + a]);
                largest = g > largest ? g : largest;
            }
            l->diag[i] = k;
        }
    }
    l->linked[i] |= seen;
    l->rho[i] = 1.0 / largest;
    return largest > LEAST && largest < MOST && l->diag[i] >= 0;
}

/* 1 if the quick way takes the problem. */
static int look_at(const sp_fc *p, look *l)
{
    double worth2 = 0.0, c2 = 0.0;
    int rows = 0;
    memset(l->linked, 0, sizeof l->linked);
    if (p->G.start[0] != 0) {
        return 0;
    }
    for (int i = 0; i < p->n_contact; i++) {
        const int dim = rows_of(&p->set[i]);
        if (dim == 0 || p->row[i] != rows || rows + dim > p->n || !look_at_blocks(p, i, dim, l)) {
            return 0;
        }
        double largest = 0.0;
        for (int a = rows; a < rows + dim; a++) {
            const double b = p->c[a] * p->c[a];
            c2 += b;
            largest = b > largest ? b : largest;
        }
        worth2 = largest * l->rho[i] > worth2 ? largest * l->rho[i] : worth2;
        rows += dim;
    }
    l->worth = sqrt(worth2);
    l->c_norm = c2 > 0.0 ? sqrt(c2) : 1.0;
    return rows == p->n && c2 < MOST;
}

void sp_fc_begin(const sp_fc *p, const sp_fc_options *o, double *P)
{
    for (int k = 0; k < p->n; k++) {
        P[k] = o->warm && isfinite(P[k]) ? P[k] : 0.0;
    }
}

/* The place of the lowest bit. */
static inline int lowest(unsigned bits)
{
#if defined(__GNUC__)
    return __builtin_ctz(bits);
#else
    int k = 0;
    while (!(bits >> k & 1u)) {
        k++;
    }
    return k;
#endif
}

/* Take the island of the first contact that is left; order and local get its contacts. */
static int take_island(const look *l, unsigned *left, int *order, int *local)
{
    unsigned island = *left & (~*left + 1u), news = island;
    int size = 0;
    while (news) { /* contacts whose neighbours are not in it yet */
        const unsigned all = island | l->linked[lowest(news)];
        news = (news & (news - 1u)) | (all & ~island);
        island = all;
    }
    *left &= ~island;
    for (; island; island &= island - 1u) {
        local[lowest(island)] = size;
        order[size++] = lowest(island);
    }
    return size;
}

/* How many islands were solved in each way. */
typedef struct count {
    int start, guess, local, sweeps, newton;
} count;

/* Add an island to the solution. */
static void add_island(const sp_fc_end *e, int n_contact, const int *order, const sp_fc_verdict *v,
                       sp_fc_verdict *all, count *by, sp_fc_solution *s)
{
    by->start += e->used == SP_FC_BY_START;
    by->guess += e->used == SP_FC_BY_GUESS;
    by->local += e->used == SP_FC_BY_LOCAL;
    by->sweeps += e->used == SP_FC_BY_SWEEPS;
    by->newton += e->used == 1 << SP_FC_NEWTON;
    s->n_island += e->used != SP_FC_BY_START;
    s->largest = n_contact > s->largest ? n_contact : s->largest;
    s->sweeps += e->sweeps;
    s->iterations += e->sweeps + e->steps;
    s->factorisations += e->factorisations;
    all->sum += v->sum;
    all->worst = v->worst > all->worst ? v->worst : all->worst;
    all->largest = v->largest > all->largest ? v->largest : all->largest;
    for (int m = 0; m < n_contact; m++) {
        all->status[order[m]] = v->status[m];
    }
}

/* Residuals, states and path, if the measure that counts is at most tol. */
static int conclude(const sp_fc *p, const sp_fc_options *o, double tol, const look *l,
                    const sp_fc_verdict *all, const count *by, sp_fc_solution *s)
{
    s->residual = all->worst;
    s->residual_fclib = (sqrt(all->sum) + SP_FC_ROUNDING * all->largest) / l->c_norm;
    if (!((o->measure == SP_FC_FCLIB ? s->residual_fclib : s->residual) <= tol)) {
        return 0;
    }
    memcpy(s->status, all->status, (size_t)p->n_contact);
    s->result = SP_FC_SOLVED;
    int at = sp_fc_path_add(s->path, 0, "start", by->start);
    at = sp_fc_path_add(s->path, at, "guess", by->guess);
    at = sp_fc_path_add(s->path, at, "local", by->local);
    at = sp_fc_path_add(s->path, at, "sweeps", by->sweeps);
    sp_fc_path_add(s->path, at, "newton", by->newton);
    return 1;
}

int sp_fc_solve_few(const sp_fc *p, const sp_fc_options *o, double tol, sp_fc_solution *s)
{
    look l;
    if (!look_at(p, &l)) {
        return 0;
    }
    sp_fc_begin(p, o, s->P);
    int order[SP_FC_SMALL], local[SP_FC_SMALL];
    unsigned left = (1u << p->n_contact) - 1u;
    sp_fc_verdict v, all = {.worst = 0.0, .sum = 0.0, .largest = 0.0};
    count by = {0, 0, 0, 0, 0};
    const sp_fc_goal whole = {.measure = o->measure, .tol = tol, .c_norm = l.c_norm, .effort = 1.0};
    while (left) {
        const int n_contact = take_island(&l, &left, order, local);
        const sp_fc_few few = {p, n_contact, order, local, l.diag, l.rho, l.worth};
        sp_fc_goal g = sp_fc_share(whole, n_contact, p->n_contact);
        sp_fc_end end;
        if (!sp_fc_small(&few, &g, o->guess ? s->status : NULL, s->P, &v, &end)) {
            return 0;
        }
        add_island(&end, n_contact, order, &v, &all, &by, s);
    }
    return conclude(p, o, tol, &l, &all, &by, s);
}
