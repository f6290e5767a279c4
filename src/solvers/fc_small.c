/* P_i <- solution of contact i alone, with all others fixed, contact after contact; where that is
 * slow, Newton's method on the pieces (fc_piece.h) with a dense matrix.  All of it is compiled for
 * contacts of three rows, of two, and of any. */
#include "solvers/fc_small.h"

#include "solvers/fc_dense.h"
#include "solvers/fc_local.h"
#include "solvers/fc_piece.h"
#include "solvers/unroll.h"

#include <math.h>
#include <string.h>

enum {
    MOST = SP_FC_SMALL,
    DIM = 3, /* rows of a contact, at most */
    ROWS = MOST * DIM,
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
    sp_fc_verdict *verdict;
    int n;
    int contact[MOST], diag[MOST], dim[MOST], row[MOST];
    int known[MOST]; /* stick is there             */
    double stick[MOST][SP_FC_BLOCK];
    double *P; /* all rows of p              */
} small;

/* Newton's method; A has the right-hand side as its last column. */
typedef struct newton_work {
    _Alignas(32) double A[ROWS * (ROWS + 4)];
    sp_fc_piece piece[MOST];
    int first[MOST], n;
    double x[ROWS], u[ROWS]; /* iterate and velocity, rows by place */
    double z[ROWS];
} newton_work;

/* Rows of the sets that are taken here. */
static inline int rows_of(const sp_set *s)
{
    return s->kind == SP_SET_DISC ? 3 : s->kind == SP_SET_PLANAR ? 2 : 1;
}

int sp_fc_small_fits(const sp_fc_few *f)
{
    if (f->n_contact > MOST) {
        return 0;
    }
    for (int m = 0; m < f->n_contact; m++) {
        const int i = f->contact[m];
        const sp_set *s = &f->p->set[i];
        if (s->shifted || s->kind == SP_SET_INTERVAL || sp_set_is_ball(s) || f->diag[i] < 0) {
            return 0;
        }
    }
    return 1;
}

/* y += B x of a block dim x cols. */
SP_INLINE void add_block(int dim, int cols, const double *B, const double *x, double *y)
{
    if (dim == 3 && cols == 3) {
        y[0] += B[0] * x[0] + B[1] * x[1] + B[2] * x[2];
        y[1] += B[3] * x[0] + B[4] * x[1] + B[5] * x[2];
        y[2] += B[6] * x[0] + B[7] * x[1] + B[8] * x[2];
    } else if (dim == 2 && cols == 2) {
        y[0] += B[0] * x[0] + B[1] * x[1];
        y[1] += B[2] * x[0] + B[3] * x[1];
    } else {
        for (int e = 0; e < dim * cols; e++) {
            y[e / cols] += B[e] * x[e % cols];
        }
    }
}

/* y += B x and terms += |B| |x| of one row. */
SP_INLINE void add_row(int cols, const double *B, const double *x, double *y, double *terms)
{
    const double t0 = B[0] * x[0], t1 = cols > 1 ? B[1] * x[1] : 0.0;
    const double t2 = cols > 2 ? B[2] * x[2] : 0.0;
    *y = *y + t0 + t1 + t2;
    *terms = *terms + fabs(t0) + fabs(t1) + fabs(t2);
}

/* y = c_i + sum_j G_ij P_j, over all j or all but i; d: rows of every contact, 0: they differ. */
SP_INLINE void velocity(const small *w, int d, int m, int without_own, double *y)
{
    const sp_fc_matrix *G = &w->p->G;
    const int i = w->contact[m], dim = d ? d : w->dim[m];
    for (int a = 0; a < dim; a++) {
        y[a] = w->p->c[w->row[m] + a];
    }
    for (int k = G->start[i]; k < G->start[i + 1]; k++) {
        if (k != w->diag[m] || !without_own) {
            const int j = G->column[k], cols = d ? d : rows_of(&w->p->set[j]);
            add_block(dim, cols, G->value + G->at[k], w->P + w->p->row[j], y);
        }
    }
}

/* The same over all j, term by term; returns the largest over the rows of |c| + sum |G| |P|. */
SP_INLINE double velocity_terms(const small *w, int d, int m, double *y)
{
    const sp_fc_matrix *G = &w->p->G;
    const int i = w->contact[m], dim = d ? d : w->dim[m];
    double terms[DIM] = {0.0, 0.0, 0.0};
    for (int a = 0; a < dim; a++) {
        y[a] = w->p->c[w->row[m] + a];
        terms[a] = fabs(y[a]);
    }
    for (int k = G->start[i]; k < G->start[i + 1]; k++) {
        const int j = G->column[k], cols = d ? d : rows_of(&w->p->set[j]);
        const double *B = G->value + G->at[k], *x = w->P + w->p->row[j];
        add_row(cols, B, x, &y[0], &terms[0]);
        if (dim > 1) {
            add_row(cols, B + cols, x, &y[1], &terms[1]);
        }
        if (dim > 2) {
            add_row(cols, B + 2 * cols, x, &y[2], &terms[2]);
        }
    }
    return sp_fc_larger(terms[0], sp_fc_larger(terms[1], terms[2]));
}

/* max |P - prox(P - rho u)| of contact m, and the piece of the map that it is on. */
SP_INLINE double natural_defect(const small *w, int d, int m, const double *u,
                                unsigned char *status)
{
    const sp_set *s = &w->p->set[w->contact[m]];
    const int dim = d ? d : w->dim[m];
    const double rho = w->f->rho[w->contact[m]], *P = w->P + w->row[m];
    double x[DIM] = {0.0, 0.0, 0.0}, worst = 0.0;
    for (int a = 0; a < dim; a++) {
        x[a] = P[a] - rho * u[a];
    }
    *status = SP_STICK;
    if (dim == 1 && s->kind == SP_SET_FREE) {
        return fabs(P[0] - x[0]);
    }
    if (!(x[0] > 0.0)) {
        *status = SP_OPEN;
        x[0] = x[1] = x[2] = 0.0;
    } else if (dim > 1) {
        const double len2 = x[1] * x[1] + (dim == 3 ? x[2] * x[2] : 0.0), radius = s->mu * x[0];
        if (len2 > radius * radius) {
            const double shrink = radius / sqrt(len2);
            *status = dim == 2 && x[1] > 0.0 ? SP_SLIP_NEG : SP_SLIP_POS;
            x[1] *= shrink;
            x[2] *= shrink;
        }
    }
    for (int a = 0; a < dim; a++) {
        const double defect = fabs(P[a] - x[a]);
        worst = defect > worst ? defect : worst;
    }
    return worst;
}

/* |P - prox_K(P - u~)|^2 of contact m, unit parameter. */
SP_INLINE double unit_defect2(const small *w, int d, int m, const double *u)
{
    const sp_set *s = &w->p->set[w->contact[m]];
    const int dim = d ? d : w->dim[m];
    const double *P = w->P + w->row[m];
    double x[DIM], sum = 0.0;
    for (int a = 0; a < dim; a++) {
        x[a] = P[a] - u[a];
    }
    if (dim > 1) {
        x[0] -= s->mu * (dim == 3 ? sqrt(u[1] * u[1] + u[2] * u[2]) : fabs(u[1]));
        sp_cone_project(dim, s->mu, x);
    } else {
        x[0] = s->kind == SP_SET_FREE || !(x[0] < 0.0) ? x[0] : 0.0;
    }
    for (int a = 0; a < dim; a++) {
        sum += (P[a] - x[a]) * (P[a] - x[a]);
    }
    return sum;
}

/* The scaled error of a contact with this defect and these terms. */
static inline double scaled_error(const small *w, int m, double defect, double terms)
{
    const double rho = w->f->rho[w->contact[m]], most = 10.0 * w->f->worth / sqrt(rho);
    const double cut = terms < most ? terms : most;
    const double size = cut > w->p->xi_scale ? cut : w->p->xi_scale;
    return (defect + rho * SP_FC_ROUNDING * terms) / (rho * size + 1e-300);
}

/* Whether P reaches the goal; the verdict is complete only then. */
SP_INLINE int good(const small *w, int d)
{
    sp_fc_verdict *v = w->verdict;
    const int scaled = w->g->measure == SP_FC_SCALED;
    const double most = w->g->tol * w->g->c_norm;
    double finite = 0.0;
    v->worst = v->sum = v->largest = 0.0;
    for (int m = 0; m < w->n; m++) {
        double u[DIM];
        const double terms = velocity_terms(w, d, m, u);
        v->sum += unit_defect2(w, d, m, u);
        if (!scaled && !(v->sum <= most * most)) {
            return 0;
        }
        const double error = scaled_error(w, m, natural_defect(w, d, m, u, &v->status[m]), terms);
        v->worst = error > v->worst ? error : v->worst;
        v->largest = terms > v->largest ? terms : v->largest;
        for (int a = 0; a < (d ? d : w->dim[m]); a++) {
            finite += 0.0 * u[a];
        }
        if (scaled && !(error <= w->g->tol)) {
            return 0;
        }
    }
    return finite == 0.0 && (scaled || sqrt(v->sum) + SP_FC_ROUNDING * v->largest <= most);
}

/* Velocities of P (into u, by place), and an estimate of its error. */
SP_INLINE double estimate(const small *w, int d, double *u)
{
    double sum = 0.0, worst = 0.0;
    for (int m = 0; m < w->n; m++, u += DIM) {
        if (w->g->measure == SP_FC_SCALED) {
            unsigned char status;
            const double terms = velocity_terms(w, d, m, u);
            const double error = scaled_error(w, m, natural_defect(w, d, m, u, &status), terms);
            worst = error <= worst ? worst : error;
        } else {
            velocity(w, d, m, 0, u);
            sum += unit_defect2(w, d, m, u);
        }
    }
    return w->g->measure == SP_FC_SCALED ? worst : sqrt(sum) / w->g->c_norm;
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
SP_INLINE int sweep(small *w, int d, double *change2)
{
    double most = 0.0;
    for (int m = 0; m < w->n; m++) {
        const int dim = d ? d : w->dim[m];
        double b[DIM], x[DIM], sum = 0.0;
        double *P = w->P + w->row[m];
        const sp_set *s = &w->p->set[w->contact[m]];
        velocity(w, d, m, 1, b);
        for (int a = 0; a < dim; a++) {
            x[a] = P[a];
        }
        if (!w->known[m] && (!(b[0] >= 0.0) || s->kind == SP_SET_FREE)) { /* NaN too */
            invert(w, m);
        }
        if (!sp_fc_local(s, w->p->G.value + w->p->G.at[w->diag[m]], w->stick[m], b, x)) {
            return 0;
        }
        for (int a = 0; a < dim; a++) {
            sum += (x[a] - P[a]) * (x[a] - P[a]);
            P[a] = x[a];
        }
        sum /= w->f->rho[w->contact[m]];
        most = sum > most ? sum : most;
    }
    *change2 = most;
    return 1;
}

/* Sweeps as long as their pace promises to be cheaper than Newton; 1 if solved, -1 if there is no
 * sense in it. */
SP_INLINE int sweeps(small *w, int d)
{
    double change2 = 0.0, last2 = INFINITY;
    for (int k = 0; k < SWEEPS_MOST; k++) {
        if (!sweep(w, d, &change2)) {
            return -1;
        }
        w->g->sweeps++;
        if (good(w, d)) {
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

/* Pieces for the iterate with its velocities u, or of the states that are said. */
static void choose(const small *w, const unsigned char *said, newton_work *v)
{
    double none[SP_SET_DIM_MAX];
    v->n = 0;
    for (int m = 0; m < w->n; m++) {
        const int i = w->contact[m];
        sp_fc_piece_choose(&w->p->set[i], w->p->G.value + w->p->G.at[w->diag[m]],
                           said ? said[i] : SP_STATUS_UNKNOWN, w->P + w->row[m], v->u + DIM * m,
                           &v->piece[m], none);
        v->first[m] = v->n;
        v->n += v->piece[m].m;
    }
}

/* (T G E + alpha + w) z = -T (c - alpha P). */
static void assemble(const small *w, double alpha, newton_work *v)
{
    const sp_fc_matrix *G = &w->p->G;
    const int ld = sp_fc_padded(v->n + 1);
    memset(v->A, 0, (size_t)(v->n * ld) * sizeof *v->A);
    for (int m = 0; m < w->n; m++) {
        const sp_fc_piece *q = &v->piece[m];
        const int i = w->contact[m], dim = w->dim[m];
        const double more = alpha / w->f->rho[i];
        for (int k = G->start[i]; q->m && k < G->start[i + 1]; k++) {
            const int j = G->column[k], o = w->f->local[j], cols = v->piece[o].m;
            if (cols) {
                sp_fc_piece_reduce(q, &v->piece[o], dim, w->dim[o], G->value + G->at[k],
                                   v->A + v->first[m] * ld + v->first[o], ld);
            }
        }
        for (int r = 0; r < q->m; r++) {
            double sum = 0.0, *row = v->A + (v->first[m] + r) * ld;
            for (int a = 0; a < dim; a++) {
                sum += q->T[r * dim + a] * (w->p->c[w->row[m] + a] - more * v->x[DIM * m + a]);
            }
            row[v->n] = -sum;
            row[v->first[m] + r] += more + (r == 1 && q->m == 2 && dim == 3 ? q->w : 0.0);
        }
    }
}

/* x = E z, and P too. */
static void expand(small *w, newton_work *v)
{
    for (int m = 0; m < w->n; m++) {
        const sp_fc_piece *q = &v->piece[m];
        double *x = v->x + DIM * m, *P = w->P + w->row[m];
        for (int a = 0; a < w->dim[m]; a++) {
            double sum = 0.0;
            for (int e = 0; e < q->m; e++) {
                sum += q->E[a * q->m + e] * v->z[v->first[m] + e];
            }
            x[a] = P[a] = sum;
        }
    }
}

/* Copy the rows of these contacts. */
static void copy_rows(const small *w, double *to, const double *from, int there)
{
    for (int m = 0; m < w->n; m++) {
        const double *x = there ? from + w->row[m] : from + DIM * m;
        double *y = there ? to + DIM * m : to + w->row[m];
        for (int a = 0; a < w->dim[m]; a++) {
            y[a] = x[a];
        }
    }
}

/* Move P into the sets. */
static void project(const small *w)
{
    for (int m = 0; m < w->n; m++) {
        sp_set_project(&w->p->set[w->contact[m]], w->P + w->row[m]);
    }
}

/* Newton from P; 1 if solved.  Else P is spoilt. */
SP_INLINE int newton(small *w, int d, double alpha, const unsigned char *said)
{
    newton_work v;
    copy_rows(w, v.x, w->P, 1);
    double best = estimate(w, d, v.u);
    for (int k = 0, waited = 0; k < STEPS && waited < PATIENCE; k++) {
        choose(w, k == 0 ? said : NULL, &v);
        assemble(w, alpha, &v);
        w->g->steps++;
        w->g->factorisations++;
        if (!(sp_fc_gauss(v.n, v.A, v.z) > 0.0)) {
            return 0;
        }
        expand(w, &v);
        const double now = estimate(w, d, v.u);
        if (now <= w->g->tol) {
            project(w);
            if (good(w, d)) {
                return 1;
            }
            copy_rows(w, w->P, v.x, 0);
        }
        waited = now < 0.5 * best ? 0 : waited + 1;
        best = now < best ? now : best;
    }
    return 0;
}

/* The start, then rounds of sweeps and Newton; 1 if solved. */
SP_INLINE int solve(small *w, int d, const unsigned char *said, sp_fc_end *end)
{
    double kept[ROWS];
    end->used = SP_FC_BY_START;
    if (good(w, d)) {
        return 1;
    }
    if (said) {
        end->used = SP_FC_BY_GUESS;
        copy_rows(w, kept, w->P, 1);
        if (newton(w, d, ALPHA[0], said)) {
            return 1;
        }
        copy_rows(w, w->P, kept, 0);
    }
    for (int r = 0; r < ROUNDS; r++) {
        end->used = w->n == 1 ? SP_FC_BY_LOCAL : SP_FC_BY_SWEEPS;
        const int now = sweeps(w, d);
        if (now != 0) {
            return now > 0;
        }
        end->used = 1 << SP_FC_NEWTON;
        copy_rows(w, kept, w->P, 1);
        if (newton(w, d, ALPHA[r], NULL)) {
            return 1;
        }
        copy_rows(w, w->P, kept, 0);
    }
    return 0;
}

/* All contacts have three rows, two, or any number. */
static int solve3(small *w, const unsigned char *said, sp_fc_end *end)
{
    return solve(w, 3, said, end);
}
static int solve2(small *w, const unsigned char *said, sp_fc_end *end)
{
    return solve(w, 2, said, end);
}
static int solve_any(small *w, const unsigned char *said, sp_fc_end *end)
{
    return solve(w, 0, said, end);
}

int sp_fc_small(const sp_fc_few *f, sp_fc_goal *g, const unsigned char *guess, double *P,
                sp_fc_verdict *verdict, sp_fc_end *end)
{
    small w;
    double start[ROWS];
    int same = 1;
    w.p = f->p;
    w.f = f;
    w.g = g;
    w.verdict = verdict;
    w.P = P;
    w.n = f->n_contact;
    for (int m = 0; m < w.n; m++) {
        const int i = f->contact[m];
        w.contact[m] = i;
        w.diag[m] = f->diag[i];
        w.dim[m] = rows_of(&f->p->set[i]);
        w.row[m] = f->p->row[i];
        w.known[m] = 0;
        same = same && w.dim[m] == w.dim[0];
    }
    project(&w);
    copy_rows(&w, start, P, 1);
    *end = (sp_fc_end){.lost = -1, .motion = -1};
    end->solved = same && w.dim[0] == 3   ? solve3(&w, guess, end)
                  : same && w.dim[0] == 2 ? solve2(&w, guess, end)
                                          : solve_any(&w, guess, end);
    end->sweeps = g->sweeps;
    end->steps = g->steps;
    end->factorisations = g->factorisations;
    if (!end->solved) {
        copy_rows(&w, P, start, 0);
    }
    return end->solved;
}
