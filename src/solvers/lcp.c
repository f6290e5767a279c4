#include "solvers/lcp.h"

#include <math.h>
#include <string.h>

/* One column of the LCP: the direction of P it stands for, u at row r and v at row t. */
typedef struct column {
    int r, t;
    double u, v;
} column;

size_t sp_lcp_bytes(int n_contact, int n)
{
    return (size_t)n * sizeof(double) + (((size_t)n_contact + 1) & ~(size_t)1) * sizeof(int) +
           sp_lemke_bytes(4 * n_contact);
}

/* d_k = 1/sqrt(|G_kk|), of the largest entry of row and column where that is zero, else 1. */
static double scale_of_row(const sp_problem *p, int k)
{
    double size = fabs(p->G[(size_t)k * (size_t)p->ld + (size_t)k]), big = 0.0;
    for (int j = 0; j < p->n; j++) {
        const double row = fabs(p->G[(size_t)k * (size_t)p->ld + (size_t)j]);
        const double col = fabs(p->G[(size_t)j * (size_t)p->ld + (size_t)k]);
        big = row > big ? row : big;
        big = col > big ? col : big;
    }
    size = size > 1e-12 * big ? size : big;
    return size > 0.0 ? 1.0 / sqrt(size) : 1.0;
}

void sp_lcp_place(sp_lcp *l, const sp_problem *p, void *memory)
{
    l->p = p;
    l->n_contact = p->n_contact;
    l->n = p->n;
    l->d = (double *)memory;
    l->first = (int *)(void *)(l->d + p->n);
    l->lemke_memory = l->first + (((size_t)p->n_contact + 1) & ~(size_t)1);
    l->scale = 0.0;
    for (int k = 0; k < p->n; k++) {
        l->d[k] = scale_of_row(p, k);
        const double size = l->d[k] * fabs(p->c[k]);
        l->scale = size > l->scale ? size : l->scale;
    }
    l->scale = l->scale > 0.0 ? l->scale : 1.0;
}

/* Pairs the contact has in this form. */
static int pairs(const sp_set *s, sp_lcp_form form)
{
    if (s->kind == SP_SET_FREE) {
        return 0;
    }
    return s->kind == SP_SET_HALF_LINE || s->mu == 0.0 ? 1 : form == SP_LCP_3 ? 3 : 4;
}

/* The entry of T in the given row and column. */
static double *entry(const sp_lemke *k, int row, int col)
{
    return &k->T[(size_t)row * (size_t)k->ld + (size_t)col];
}

/* Number the pairs and the free rows and start the dictionary. */
static void number_pairs(sp_lcp *l, sp_lcp_form form)
{
    int m = 0, n_free = 0;
    l->form = form;
    for (int i = 0; i < l->n_contact; i++) {
        const int width = pairs(&l->p->set[i], form);
        l->first[i] = width ? m : n_free;
        m += width;
        n_free += width == 0;
    }
    sp_lemke_start(&l->lemke, m, n_free, l->lemke_memory);
}

/* The columns of contact i that move P, at most three; returns how many, first: number in T. */
static int columns_of(const sp_lcp *l, int i, column *col, int *first)
{
    const sp_set *s = &l->p->set[i];
    const int N = l->p->row[i], T = N + 1, width = pairs(s, l->form);
    const double d_N = l->d[N], d_T = width > 1 ? l->d[T] : 0.0;
    *first = width ? l->first[i] : l->lemke.m + 1 + l->first[i];
    col[0] = (column){N, N, d_N, 0.0};
    if (width == 3) { /* P_T = P_R - mu P_N */
        col[0] = (column){N, T, d_N, -s->mu * d_N};
        col[1] = (column){T, T, d_T, 0.0};
        return 2;
    }
    if (width == 4) { /* P_T = P_T+ - P_T- */
        col[1] = (column){T, T, d_T, 0.0};
        col[2] = (column){T, T, -d_T, 0.0};
        return 3;
    }
    return 1;
}

/* One row of T and beta: weight * (row k of xi = G P + c). */
static void fill_row(sp_lcp *l, int at, int k, double weight)
{
    const double *G = l->p->G + (size_t)k * (size_t)l->p->ld;
    for (int i = 0; i < l->n_contact; i++) {
        column col[3];
        int first;
        const int width = columns_of(l, i, col, &first);
        for (int a = 0; a < width; a++) {
            *entry(&l->lemke, at, first + a) =
                weight * (G[col[a].r] * col[a].u + G[col[a].t] * col[a].v);
        }
    }
    l->lemke.beta[at] = weight * l->p->c[k] / l->scale;
}

/* The rows of contact i in form 3 or 4. */
static void fill_contact(sp_lcp *l, int i)
{
    const sp_set *s = &l->p->set[i];
    const int N = l->p->row[i], T = N + 1, width = pairs(s, l->form), k = l->first[i];
    sp_lemke *t = &l->lemke;
    fill_row(l, width ? k : t->m + k, N, l->d[N]);
    if (width <= 1) {
        return;
    }
    const double mu = s->mu * l->d[N] / l->d[T]; /* of the scaled impulses */
    fill_row(l, k + 1, T, l->d[T]);
    if (width == 3) {
        *entry(t, k + 1, k + 2) = 1.0;  /* xi_R = xi_T + xi_L */
        *entry(t, k + 2, k) = 2.0 * mu; /* P_L = 2 mu P_N - P_R */
        *entry(t, k + 2, k + 1) = -1.0;
        return;
    }
    fill_row(l, k + 2, T, -l->d[T]);
    *entry(t, k + 1, k + 3) = *entry(t, k + 2, k + 3) = 1.0; /* +-xi_T + sigma */
    *entry(t, k + 3, k) = mu;                                /* mu P_N - P_T+ - P_T- */
    *entry(t, k + 3, k + 1) = *entry(t, k + 3, k + 2) = -1.0;
}

/* Status of contact i from the last dictionary: which variables are basic. */
static unsigned char read_status(const sp_lcp *l, int i)
{
    const sp_lemke *t = &l->lemke;
    const int width = pairs(&l->p->set[i], l->form), k = l->first[i];
    if (width == 0) {
        return SP_STICK;
    }
    if (t->where[t->m + k] < 0) {
        return SP_OPEN; /* P_N is not basic */
    }
    if (width == 1) {
        return l->p->set[i].kind == SP_SET_PLANAR ? SP_SLIP_POS : SP_STICK;
    }
    if (width == 3) { /* P_R = 0: xi_T > 0;  P_L = 0: xi_T < 0 */
        return t->where[t->m + k + 1] < 0 ? SP_SLIP_POS
               : t->where[k + 2] < 0      ? SP_SLIP_NEG
                                          : SP_STICK;
    }
    if (t->where[t->m + k + 3] < 0) {
        return SP_STICK; /* sigma = 0 */
    }
    return t->where[k + 1] >= 0 ? SP_SLIP_POS : SP_SLIP_NEG;
}

/* P from the values of the LCP's variables. */
static void read_P(const sp_lcp *l, double *P)
{
    memset(P, 0, (size_t)l->n * sizeof *P);
    for (int i = 0; i < l->n_contact; i++) {
        column col[3];
        int first;
        const int width = columns_of(l, i, col, &first);
        for (int a = 0; a < width; a++) {
            const double z = l->scale * sp_lemke_value(&l->lemke, l->lemke.m + first + a);
            P[col[a].r] += col[a].u * z;
            P[col[a].t] += col[a].v * z;
        }
    }
}

sp_lemke_end sp_lcp_solve(sp_lcp *l, sp_lcp_form form, double tol, double *P, unsigned char *status)
{
    number_pairs(l, form);
    for (int i = 0; i < l->n_contact; i++) {
        fill_contact(l, i);
    }
    sp_lemke_eliminate_free(&l->lemke, 1e-11);
    const sp_lemke_end end = sp_lemke_solve(&l->lemke, tol, 60 + 30 * l->lemke.m);
    for (int i = 0; i < l->n_contact; i++) {
        status[i] = read_status(l, i);
    }
    read_P(l, P);
    return end;
}

/* Does y prove that no P in the sets has xi_N >= 0, xi_F = 0?   (y'G) P <= 0 for P in C, c'y < 0 */
static int proves(const sp_problem *p, const double *y)
{
    const double tol = 1e-11;
    double power = 0.0, size = 0.0;
    for (int k = 0; k < p->n; k++) {
        power += p->c[k] * y[k];
        size += fabs(y[k]) * (fabs(p->c[k]) + p->xi_scale);
    }
    if (!(power < -1e3 * tol * size)) {
        return 0;
    }
    for (int i = 0; i < p->n_contact; i++) {
        double g[2] = {0.0, 0.0}, terms = 0.0;
        for (int a = 0; a < sp_set_dim(&p->set[i]); a++) {
            for (int k = 0; k < p->n; k++) {
                const double term =
                    y[k] * p->G[(size_t)k * (size_t)p->ld + (size_t)(p->row[i] + a)];
                g[a] += term;
                terms += fabs(term) * (a == 0 ? 1.0 : p->set[i].mu);
            }
        }
        const double most =
            p->set[i].kind == SP_SET_FREE ? fabs(g[0]) : g[0] + p->set[i].mu * fabs(g[1]);
        if (!(most <= tol * terms)) {
            return 0;
        }
    }
    return 1;
}

/* Generator a of the cone of contact i: (P_N, P_T) = (1, +-mu); of a free row: +-1. */
static column generator(const sp_lcp *l, int i, int a)
{
    const sp_set *s = &l->p->set[i];
    const int N = l->p->row[i];
    const double d = l->d[N], sign = a == 0 ? 1.0 : -1.0;
    switch (s->kind) {
    case SP_SET_FREE:
        return (column){N, N, sign * d, 0.0};
    case SP_SET_PLANAR:
        return (column){N, N + 1, d, sign * s->mu * d};
    default:
        return (column){N, N, a == 0 ? d : 0.0, 0.0};
    }
}

int sp_lcp_infeasible(sp_lcp *l, double *y)
{
    /* z = generators (2 per contact), then y (1 per contact, 2 per free row): the skew matrix
     * [0 -A'; A 0] of a linear program without objective; its ray is the proof */
    const sp_problem *p = l->p;
    int m = 2 * l->n_contact;
    for (int i = 0; i < l->n_contact; i++) {
        l->first[i] = m;
        m += p->set[i].kind == SP_SET_FREE ? 2 : 1;
    }
    sp_lemke_start(&l->lemke, m, 0, l->lemke_memory);
    for (int i = 0; i < l->n_contact; i++) {
        const double *G = p->G + (size_t)p->row[i] * (size_t)p->ld, d = l->d[p->row[i]];
        for (int b = 0; b < (p->set[i].kind == SP_SET_FREE ? 2 : 1); b++) {
            const double weight = b == 0 ? d : -d;
            for (int j = 0; j < 2 * l->n_contact; j++) {
                const column g = generator(l, j / 2, j % 2);
                const double a = weight * (G[g.r] * g.u + G[g.t] * g.v);
                *entry(&l->lemke, l->first[i] + b, j) = a;
                *entry(&l->lemke, j, l->first[i] + b) = -a;
            }
            l->lemke.beta[l->first[i] + b] = weight * p->c[p->row[i]] / l->scale;
        }
    }
    if (sp_lemke_solve(&l->lemke, 1e-10, 60 + 30 * m) != SP_LEMKE_RAY) {
        return 0;
    }
    memset(y, 0, (size_t)p->n * sizeof *y);
    for (int i = 0; i < l->n_contact; i++) {
        const double d = l->d[p->row[i]], up = sp_lemke_ray(&l->lemke, m + l->first[i]);
        y[p->row[i]] = d * up;
        if (p->set[i].kind == SP_SET_FREE) {
            y[p->row[i]] -= d * sp_lemke_ray(&l->lemke, m + l->first[i] + 1);
        } else if (up < 0.0) {
            y[p->row[i]] = 0.0;
        }
    }
    return proves(p, y);
}
