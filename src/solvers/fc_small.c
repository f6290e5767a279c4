/* P_i <- solution of contact i alone, with all others fixed, contact after contact; where that is
 * slow, Newton's method on the pieces (fc_piece.h) with a dense matrix. */
#include "solvers/fc_small.h"

#include "solvers/fc_dense.h"
#include "solvers/fc_local.h"
#include "solvers/fc_piece.h"

#include <math.h>
#include <string.h>

enum {
    MOST = SP_FC_SMALL,
    ROWS = MOST * SP_SET_DIM_MAX,
    ROUNDS = 3,       /* of sweeps, then Newton     */
    SWEEPS_LEAST = 3, /* before their pace is known */
    SWEEPS_MOST = 12, /* in a round                 */
    STEPS = 12,
    PATIENCE = 3
};

/* Proximal parameters of the rounds, over the diagonal. */
static const double ALPHA[ROUNDS] = {1e-10, 1e-6, 1e-4};

typedef struct small {
    const sp_fc *p;
    const sp_fc_few *f;
    sp_fc_goal *g;
    int n;
    int contact[MOST], diag[MOST], dim[MOST], row[MOST];
    int known[MOST]; /* stick is there             */
    double stick[MOST][SP_FC_BLOCK];
    double *P; /* all rows of p              */
} small;

/* Newton's method. */
typedef struct newton_work {
    _Alignas(32) double A[ROWS * ROWS];
    sp_fc_piece piece[MOST];
    int first[MOST], pivot[ROWS], n;
    double x[ROWS], u[ROWS]; /* iterate and velocity, rows by place */
    double b[ROWS];
} newton_work;

int sp_fc_small_fits(const sp_fc_few *f)
{
    if (f->n_contact > MOST) {
        return 0;
    }
    for (int m = 0; m < f->n_contact; m++) {
        const int i = f->contact[m];
        const sp_set *s = &f->p->set[i];
        if (s->shifted || s->kind == SP_SET_INTERVAL || s->kind > SP_SET_DISC || f->diag[i] < 0) {
            return 0;
        }
    }
    return 1;
}

/* y += G_k x of a block dim x cols. */
static inline void add_block(int dim, int cols, const double *G, const double *x, double *y)
{
    if (dim == 3 && cols == 3) {
        y[0] += G[0] * x[0] + G[1] * x[1] + G[2] * x[2];
        y[1] += G[3] * x[0] + G[4] * x[1] + G[5] * x[2];
        y[2] += G[6] * x[0] + G[7] * x[1] + G[8] * x[2];
        return;
    }
    for (int a = 0; a < dim; a++) {
        for (int b = 0; b < cols; b++) {
            y[a] += G[a * cols + b] * x[b];
        }
    }
}

/* y = c_i + sum_j G_ij P_j, over all j or all but i. */
static inline void velocity(const small *w, int m, int without_own, double *y)
{
    const sp_fc_matrix *G = &w->p->G;
    const int i = w->contact[m], dim = w->dim[m];
    for (int a = 0; a < dim; a++) {
        y[a] = w->p->c[w->row[m] + a];
    }
    for (int k = G->start[i]; k < G->start[i + 1]; k++) {
        if (k != w->diag[m] || !without_own) {
            const int j = G->column[k];
            add_block(dim, sp_set_dim(&w->p->set[j]), G->value + G->at[k], w->P + w->p->row[j], y);
        }
    }
}

/* The inverse of the diagonal block, with a little added if it is singular. */
static void invert(small *w, int m)
{
    const int dim = w->dim[m], i = w->contact[m];
    const double *G = w->p->G.value + w->p->G.at[w->diag[m]], size = 1.0 / w->f->rho[i];
    w->known[m] = 1;
    for (double extra = 0.0; extra < 1.0; extra = extra == 0.0 ? 1e-12 : 1e3 * extra) {
        memcpy(w->stick[m], G, (size_t)(dim * dim) * sizeof *G);
        for (int a = 0; a < dim; a++) {
            w->stick[m][a * dim + a] += extra * size;
        }
        if (sp_fc_invert(dim, w->stick[m])) {
            return;
        }
    }
    memset(w->stick[m], 0, sizeof w->stick[m]);
}

/* One sweep; change2: the largest rho^-1 |change|^2.  0: a contact alone has no solution. */
static int sweep(small *w, double *change2)
{
    double most = 0.0;
    for (int m = 0; m < w->n; m++) {
        double b[SP_SET_DIM_MAX], x[SP_SET_DIM_MAX], sum = 0.0;
        double *P = w->P + w->row[m];
        const sp_set *s = &w->p->set[w->contact[m]];
        velocity(w, m, 1, b);
        for (int a = 0; a < w->dim[m]; a++) {
            x[a] = P[a];
        }
        if (!w->known[m] && (b[0] < 0.0 || s->kind == SP_SET_FREE)) {
            invert(w, m);
        }
        if (!sp_fc_local(s, w->p->G.value + w->p->G.at[w->diag[m]], w->stick[m], b, x)) {
            return 0;
        }
        for (int a = 0; a < w->dim[m]; a++) {
            sum += (x[a] - P[a]) * (x[a] - P[a]);
            P[a] = x[a];
        }
        sum /= w->f->rho[w->contact[m]];
        most = sum > most ? sum : most;
    }
    *change2 = most;
    return 1;
}

/* The largest sum of absolute terms of contact m's rows. */
static double terms_of(const small *w, int m)
{
    const sp_fc_matrix *G = &w->p->G;
    const int i = w->contact[m];
    double largest = 0.0;
    for (int a = 0; a < w->dim[m]; a++) {
        double sum = fabs(w->p->c[w->row[m] + a]);
        for (int k = G->start[i]; k < G->start[i + 1]; k++) {
            const int j = G->column[k], cols = sp_set_dim(&w->p->set[j]);
            const double *row = G->value + G->at[k] + a * cols, *P = w->P + w->p->row[j];
            for (int b = 0; b < cols; b++) {
                sum += fabs(row[b] * P[b]);
            }
        }
        largest = sum > largest ? sum : largest;
    }
    return largest;
}

/* The scaled error of contact m with velocity u. */
static double scaled_error(const small *w, int m, const double *u)
{
    const int i = w->contact[m];
    const double rho = w->f->rho[i];
    double v[SP_SET_DIM_MAX];
    for (int a = 0; a < w->dim[m]; a++) {
        v[a] = rho * u[a];
    }
    const double defect = sp_fc_natural_defect(&w->p->set[i], w->dim[m], w->P + w->row[m], v);
    const double terms = terms_of(w, m), most = 10.0 * w->f->worth / sqrt(rho);
    const double cut = terms < most ? terms : most;
    const double size = cut > w->p->xi_scale ? cut : w->p->xi_scale;
    return (defect / rho + SP_FC_ROUNDING * terms) / (size + 1e-300);
}

/* The error of P, or infinity once it is clear that the goal is missed, unless all of it is asked
 * for. */
static double error_of(const small *w, int all)
{
    const double most = all ? INFINITY : w->g->tol * w->g->c_norm;
    double sum = 0.0, largest = 0.0, worst = 0.0;
    for (int m = 0; m < w->n; m++) {
        const int i = w->contact[m];
        const double *P = w->P + w->row[m];
        double u[SP_SET_DIM_MAX];
        velocity(w, m, 0, u);
        if (w->g->measure == SP_FC_SCALED) {
            const double error = scaled_error(w, m, u);
            worst = error <= worst ? worst : error;
            if (!all && !(worst <= w->g->tol)) {
                return INFINITY;
            }
            continue;
        }
        const double pull = P[0] / w->f->rho[i];
        sum += sp_fc_unit_defect2(&w->p->set[i], w->dim[m], 1.0, P, u);
        largest = pull > largest ? pull : largest;
        if (!(sum <= most * most)) {
            return INFINITY;
        }
    }
    return w->g->measure == SP_FC_SCALED ? worst
                                         : (sqrt(sum) + SP_FC_ROUNDING * largest) / w->g->c_norm;
}

/* Whether P reaches the goal. */
static int good(const small *w)
{
    return error_of(w, 0) <= w->g->tol;
}

/* Sweeps as long as their pace promises to be cheaper than Newton; 1 if solved, -1 if there is no
 * sense in it. */
static int sweeps(small *w)
{
    double change2 = 0.0, last2 = INFINITY;
    for (int k = 0; k < SWEEPS_MOST; k++) {
        if (!sweep(w, &change2)) {
            return -1;
        }
        w->g->sweeps++;
        if (good(w)) {
            return 1;
        }
        if (w->n == 1) {
            return -1;
        }
        /* six more sweeps at this pace have to bring eight digits, else Newton is cheaper */
        const double pace2 = change2 / last2, pace4 = pace2 * pace2;
        if (k >= SWEEPS_LEAST - 1 && !(pace4 * pace4 * pace4 <= 1e-16)) {
            return 0;
        }
        last2 = change2;
    }
    return 0;
}

/* Velocities and pieces for the iterate x, or of the states that are said. */
static void choose(const small *w, const unsigned char *said, newton_work *v)
{
    double none[SP_SET_DIM_MAX];
    v->n = 0;
    for (int m = 0; m < w->n; m++) {
        const int i = w->contact[m];
        velocity(w, m, 0, v->u + SP_SET_DIM_MAX * m);
        sp_fc_piece_choose(&w->p->set[i], w->p->G.value + w->p->G.at[w->diag[m]],
                           said ? said[i] : SP_STATUS_UNKNOWN, w->P + w->row[m],
                           v->u + SP_SET_DIM_MAX * m, &v->piece[m], none);
        v->first[m] = v->n;
        v->n += v->piece[m].m;
    }
}

/* (T G E + alpha + w) z = -T (c - alpha P). */
static void assemble(const small *w, double alpha, newton_work *v)
{
    const sp_fc_matrix *G = &w->p->G;
    const int ld = sp_fc_padded(v->n);
    memset(v->A, 0, (size_t)(v->n * ld) * sizeof *v->A);
    for (int m = 0; m < w->n; m++) {
        const sp_fc_piece *q = &v->piece[m];
        const int i = w->contact[m], dim = w->dim[m];
        const double more = alpha / w->f->rho[i];
        for (int k = G->start[i]; q->m && k < G->start[i + 1]; k++) {
            const int j = G->column[k], o = w->f->local[j], cols = v->piece[o].m;
            double B[SP_FC_BLOCK];
            sp_fc_piece_reduce(q, &v->piece[o], dim, w->dim[o], G->value + G->at[k], B);
            for (int r = 0; r < q->m; r++) {
                for (int e = 0; e < cols; e++) {
                    v->A[(v->first[m] + r) * ld + v->first[o] + e] = B[r * cols + e];
                }
            }
        }
        for (int r = 0; r < q->m; r++) {
            double sum = 0.0;
            for (int a = 0; a < dim; a++) {
                sum += q->T[r * dim + a] *
                       (w->p->c[w->row[m] + a] - more * v->x[SP_SET_DIM_MAX * m + a]);
            }
            v->b[v->first[m] + r] = -sum;
            v->A[(v->first[m] + r) * ld + v->first[m] + r] +=
                more + (r == 1 && q->m == 2 && dim == 3 ? q->w : 0.0);
        }
    }
}

/* x = E z, and P the point of the sets nearest to it. */
static void expand(small *w, newton_work *v)
{
    for (int m = 0; m < w->n; m++) {
        const sp_fc_piece *q = &v->piece[m];
        double *x = v->x + SP_SET_DIM_MAX * m;
        for (int a = 0; a < w->dim[m]; a++) {
            x[a] = 0.0;
            for (int e = 0; e < q->m; e++) {
                x[a] += q->E[a * q->m + e] * v->b[v->first[m] + e];
            }
        }
    }
}

/* P <- x, moved into the sets or not. */
static void put(small *w, const newton_work *v, int moved)
{
    for (int m = 0; m < w->n; m++) {
        double *P = w->P + w->row[m];
        memcpy(P, v->x + SP_SET_DIM_MAX * m, (size_t)w->dim[m] * sizeof *P);
        if (moved) {
            sp_set_project(&w->p->set[w->contact[m]], P);
        }
    }
}

/* Newton from P; 1 if solved.  Else P is spoilt. */
static int newton(small *w, double alpha, const unsigned char *said)
{
    newton_work v;
    for (int m = 0; m < w->n; m++) {
        memcpy(v.x + SP_SET_DIM_MAX * m, w->P + w->row[m], (size_t)w->dim[m] * sizeof *v.x);
    }
    double best = INFINITY;
    for (int k = 0, waited = 0; k < STEPS && waited < PATIENCE; k++) {
        choose(w, k == 0 ? said : NULL, &v);
        assemble(w, alpha, &v);
        w->g->steps++;
        w->g->factorisations++;
        if (v.n > 0 && !(sp_fc_lu(v.n, v.A, v.pivot) > 0.0)) {
            return 0;
        }
        sp_fc_lu_solve(v.n, v.A, v.pivot, v.b);
        expand(w, &v);
        put(w, &v, 1);
        const double now = error_of(w, 1);
        if (now <= w->g->tol) {
            return 1;
        }
        waited = now < 0.5 * best ? 0 : waited + 1;
        best = now < best ? now : best;
        put(w, &v, 0);
    }
    return 0;
}

/* Copy the rows of these contacts. */
static void copy_rows(const small *w, double *to, const double *from, int there)
{
    for (int m = 0; m < w->n; m++) {
        const size_t bytes = (size_t)w->dim[m] * sizeof *to;
        if (there) {
            memcpy(to + SP_SET_DIM_MAX * m, from + w->row[m], bytes);
        } else {
            memcpy(to + w->row[m], from + SP_SET_DIM_MAX * m, bytes);
        }
    }
}

/* The start, then rounds of sweeps and Newton; 1 if solved. */
static int solve(small *w, const unsigned char *said, sp_fc_end *end)
{
    double kept[ROWS];
    end->used = SP_FC_BY_START;
    if (good(w)) {
        return 1;
    }
    if (said) {
        end->used = SP_FC_BY_GUESS;
        copy_rows(w, kept, w->P, 1);
        if (newton(w, ALPHA[0], said)) {
            return 1;
        }
        copy_rows(w, w->P, kept, 0);
    }
    for (int r = 0; r < ROUNDS; r++) {
        end->used = w->n == 1 ? SP_FC_BY_LOCAL : SP_FC_BY_SWEEPS;
        const int now = sweeps(w);
        if (now != 0) {
            return now > 0;
        }
        end->used = 1 << SP_FC_NEWTON;
        copy_rows(w, kept, w->P, 1);
        if (newton(w, ALPHA[r], NULL)) {
            return 1;
        }
        copy_rows(w, w->P, kept, 0);
    }
    return 0;
}

int sp_fc_small(const sp_fc_few *f, sp_fc_goal *g, const unsigned char *guess, double *P,
                sp_fc_end *end)
{
    small w;
    double start[ROWS];
    w.p = f->p;
    w.f = f;
    w.g = g;
    w.P = P;
    w.n = f->n_contact;
    for (int m = 0; m < w.n; m++) {
        const int i = f->contact[m];
        w.contact[m] = i;
        w.diag[m] = f->diag[i];
        w.dim[m] = sp_set_dim(&f->p->set[i]);
        w.row[m] = f->p->row[i];
        w.known[m] = 0;
        sp_set_project(&f->p->set[i], P + w.row[m]);
    }
    copy_rows(&w, start, P, 1);
    *end = (sp_fc_end){.lost = -1, .motion = -1};
    end->solved = solve(&w, guess, end);
    end->sweeps = g->sweeps;
    end->steps = g->steps;
    end->factorisations = g->factorisations;
    if (!end->solved) {
        copy_rows(&w, P, start, 0);
        return 0;
    }
    return 1;
}
