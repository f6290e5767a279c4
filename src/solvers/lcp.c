#include "solvers/lcp.h"

#include "solvers/states.h"

#include <math.h>
#include <string.h>

/* One column of the LCP: the direction of P it stands for, u at row r and v at row t. */
typedef struct column {
    int r, t;
    double u, v;
} column;

size_t sp_lcp_bytes(int n_contact, int n)
{
    return 2 * (size_t)n * sizeof(double) + (((size_t)n_contact + 1) & ~(size_t)1) * sizeof(int) +
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

/* The bound that P of an interval is counted from, 0 for the other sets. */
static double origin(const sp_set *s)
{
    if (s->kind != SP_SET_INTERVAL || sp_states_free(s)) {
        return 0.0;
    }
    return s->lo > -INFINITY ? s->lo : s->hi;
}

/* c = c + G P0. */
static void shift_c(sp_lcp *l)
{
    const sp_problem *p = l->p;
    memcpy(l->c, p->c, (size_t)p->n * sizeof *l->c);
    for (int i = 0; i < p->n_contact; i++) {
        const double P0 = origin(&p->set[i]);
        for (int k = 0; k < p->n && P0 != 0.0; k++) {
            l->c[k] += p->G[(size_t)k * (size_t)p->ld + (size_t)p->row[i]] * P0;
        }
    }
}

void sp_lcp_place(sp_lcp *l, const sp_problem *p, void *memory)
{
    l->p = p;
    l->n_contact = p->n_contact;
    l->n = p->n;
    l->d = (double *)memory;
    l->c = l->d + p->n;
    l->first = (int *)(void *)(l->c + p->n);
    l->lemke_memory = l->first + (((size_t)p->n_contact + 1) & ~(size_t)1);
    l->scale = 0.0;
    shift_c(l);
    for (int k = 0; k < p->n; k++) {
        l->d[k] = scale_of_row(p, k);
        const double size = l->d[k] * fabs(l->c[k]);
        l->scale = size > l->scale ? size : l->scale;
    }
    l->scale = l->scale > 0.0 ? l->scale : 1.0;
}

/* Pairs the contact has in this form. */
static int pairs(const sp_set *s, sp_lcp_form form)
{
    if (sp_states_free(s)) {
        return 0;
    }
    if (s->kind == SP_SET_INTERVAL) {
        return s->lo == s->hi ? 0 : s->lo > -INFINITY && s->hi < INFINITY ? 2 : 1;
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
        n_free += sp_states_free(&l->p->set[i]);
    }
    sp_lemke_start(&l->lemke, m, n_free, l->lemke_memory);
}

/* Does P' of the interval count down from hi? */
static int from_above(const sp_set *s)
{
    return s->kind == SP_SET_INTERVAL && s->lo == -INFINITY && s->hi < INFINITY;
}

/* The columns of contact i that move P, at most three; returns how many, first: number in T. */
static int columns_of(const sp_lcp *l, int i, column *col, int *first)
{
    const sp_set *s = &l->p->set[i];
    const int N = l->p->row[i], T = N + 1, width = pairs(s, l->form);
    const double d_N = l->d[N], d_T = width > 2 ? l->d[T] : 0.0;
    *first = width ? l->first[i] : l->lemke.m + 1 + l->first[i];
    col[0] = (column){N, N, from_above(s) ? -d_N : d_N, 0.0};
    if (width == 0 && !sp_states_free(s)) {
        return 0;
    }
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
    l->lemke.beta[at] = weight * l->c[k] / l->scale;
}

/* The rows of contact i in form 3 or 4. */
static void fill_contact(sp_lcp *l, int i)
{
    const sp_set *s = &l->p->set[i];
    const int N = l->p->row[i], T = N + 1, width = pairs(s, l->form), k = l->first[i];
    sp_lemke *t = &l->lemke;
    if (width == 0 && !sp_states_free(s)) {
        return;
    }
    fill_row(l, width ? k : t->m + k, N, from_above(s) ? -l->d[N] : l->d[N]);
    if (width <= 1) {
        return;
    }
    if (width == 2) {
        *entry(t, k, k + 1) = 1.0;  /* xi + xi_L */
        *entry(t, k + 1, k) = -1.0; /* hi - lo - P' */
        t->beta[k + 1] = (s->hi - s->lo) / (l->d[N] * l->scale);
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

/* Status of an interval: at the bound it is counted from, at the other one, between. */
static unsigned char read_interval(const sp_lcp *l, int i)
{
    const sp_set *s = &l->p->set[i];
    const int width = pairs(s, l->form), k = l->first[i];
    if (width == 0) {
        return s->lo == s->hi ? SP_SLIP_POS : SP_STICK;
    }
    if (l->lemke.where[l->lemke.m + k] < 0) { /* P' is not basic */
        return from_above(s) ? SP_SLIP_NEG : SP_SLIP_POS;
    }
    return width == 2 && l->lemke.where[k + 1] < 0 ? SP_SLIP_NEG : SP_STICK;
}

/* Status of contact i from the last dictionary: which variables are basic. */
static unsigned char read_status(const sp_lcp *l, int i)
{
    const sp_lemke *t = &l->lemke;
    const int width = pairs(&l->p->set[i], l->form), k = l->first[i];
    if (l->p->set[i].kind == SP_SET_INTERVAL) {
        return read_interval(l, i);
    }
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
        P[l->p->row[i]] = origin(&l->p->set[i]);
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

/* Do the signs of y belong to what is asked of xi? */
static int signs_hold(const sp_problem *p, const double *y)
{
    for (int i = 0; i < p->n_contact; i++) {
        const sp_set *s = &p->set[i];
        const int N = p->row[i];
        const int up = s->kind == SP_SET_INTERVAL ? s->hi == INFINITY : 1;
        const int down = s->kind == SP_SET_INTERVAL ? s->lo == -INFINITY : s->kind == SP_SET_FREE;
        if ((y[N] > 0.0 && !up) || (y[N] < 0.0 && !down) || y[N] != y[N] ||
            (s->kind == SP_SET_PLANAR && y[N + 1] != 0.0)) {
            return 0;
        }
    }
    return 1;
}

/* Add sup { g P : P in C_i } of an interval and its size to the sums; 0 if it does not exist. */
static int add_support(const sp_set *s, double g, double terms, double tol, double *power,
                       double *size)
{
    const double bound = g > 0.0 ? s->hi : s->lo, other = g > 0.0 ? s->lo : s->hi;
    if (!isinf(bound)) {
        *power += g * bound;
        *size += terms * fabs(bound);
        return 1;
    }
    *size += isinf(other) ? 0.0 : terms * fabs(other); /* g = 0 within round-off */
    return fabs(g) <= tol * terms;
}

int sp_lcp_proves(const sp_problem *p, const double *y)
{
    const double tol = 1e-11;
    double power = 0.0, size = 0.0;
    if (!signs_hold(p, y)) {
        return 0;
    }
    for (int k = 0; k < p->n; k++) {
        power += p->c[k] * y[k];
        size += fabs(y[k]) * (fabs(p->c[k]) + p->xi_scale);
    }
    for (int i = 0; i < p->n_contact; i++) {
        const sp_set *s = &p->set[i];
        double g[2] = {0.0, 0.0}, terms = 0.0;
        for (int a = 0; a < sp_set_dim(s); a++) {
            for (int k = 0; k < p->n; k++) {
                const double term =
                    y[k] * p->G[(size_t)k * (size_t)p->ld + (size_t)(p->row[i] + a)];
                g[a] += term;
                terms += fabs(term) * (a == 0 ? 1.0 : s->mu);
            }
        }
        if (s->kind == SP_SET_INTERVAL) {
            if (!add_support(s, g[0], terms, tol, &power, &size)) {
                return 0;
            }
            continue;
        }
        const double most = s->kind == SP_SET_FREE ? fabs(g[0]) : g[0] + s->mu * fabs(g[1]);
        if (!(most <= tol * terms)) {
            return 0;
        }
    }
    return power < -1e3 * tol * size;
}

/* Generator a of the cone of contact i: (P_N, P_T) = (1, +-mu); of a free row: +-1. */
static column generator(const sp_lcp *l, int i, int a)
{
    const sp_set *s = &l->p->set[i];
    const int N = l->p->row[i];
    const double d = l->d[N], sign = a == 0 ? 1.0 : -1.0;
    if (sp_states_free(s)) {
        return (column){N, N, sign * d, 0.0};
    }
    switch (s->kind) {
    case SP_SET_PLANAR:
        return (column){N, N + 1, d, sign * s->mu * d};
    case SP_SET_INTERVAL:
        return (column){N, N, a == 1 || s->lo == s->hi ? 0.0 : from_above(s) ? -d : d, 0.0};
    default:
        return (column){N, N, a == 0 ? d : 0.0, 0.0};
    }
}

/* Rows that contact i has in the linear program: its velocities, or the width of its interval. */
static int program_rows(const sp_set *s)
{
    return sp_states_free(s) ? 2 : s->kind == SP_SET_INTERVAL && s->lo == s->hi ? 0 : 1;
}

/* Is the row of the linear program  hi - lo - P' >= 0, not a velocity? */
static int bounded(const sp_set *s)
{
    return s->kind == SP_SET_INTERVAL && s->lo > -INFINITY && s->hi < INFINITY;
}

/* A and its negative transpose, and b, of the rows of contact i. */
static void fill_program(sp_lcp *l, int i)
{
    const sp_problem *p = l->p;
    const sp_set *s = &p->set[i];
    const double *G = p->G + (size_t)p->row[i] * (size_t)p->ld, d = l->d[p->row[i]];
    const int at = l->first[i];
    if (bounded(s) && s->lo != s->hi) {
        *entry(&l->lemke, at, 2 * i) = -1.0;
        *entry(&l->lemke, 2 * i, at) = 1.0;
        l->lemke.beta[at] = (s->hi - s->lo) / (d * l->scale);
        return;
    }
    for (int b = 0; b < program_rows(s); b++) {
        const double weight = b == 0 && !from_above(s) ? d : -d;
        for (int j = 0; j < 2 * l->n_contact; j++) {
            const column g = generator(l, j / 2, j % 2);
            const double a = weight * (G[g.r] * g.u + G[g.t] * g.v);
            *entry(&l->lemke, at + b, j) = a;
            *entry(&l->lemke, j, at + b) = -a;
        }
        l->lemke.beta[at + b] = weight * l->c[p->row[i]] / l->scale;
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
        m += program_rows(&p->set[i]);
    }
    sp_lemke_start(&l->lemke, m, 0, l->lemke_memory);
    for (int i = 0; i < l->n_contact; i++) {
        fill_program(l, i);
    }
    if (sp_lemke_solve(&l->lemke, 1e-10, 60 + 30 * m) != SP_LEMKE_RAY) {
        return 0;
    }
    memset(y, 0, (size_t)p->n * sizeof *y);
    for (int i = 0; i < l->n_contact; i++) {
        const sp_set *s = &p->set[i];
        if (bounded(s)) {
            continue;
        }
        const double d = l->d[p->row[i]], up = sp_lemke_ray(&l->lemke, m + l->first[i]);
        y[p->row[i]] = from_above(s) ? -d * up : d * up;
        if (sp_states_free(s)) {
            y[p->row[i]] -= d * sp_lemke_ray(&l->lemke, m + l->first[i] + 1);
        } else if (up < 0.0) {
            y[p->row[i]] = 0.0;
        }
    }
    return sp_lcp_proves(p, y);
}
