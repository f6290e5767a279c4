#include "solvers/condense.h"

#include "base/aligned.h"
#include "math/dense.h"
#include "solvers/lcp.h"
#include "solvers/states.h"

#include <math.h>
#include <string.h>

/* Couplings below this part of their terms, or of the scales of both rows, are round-off. */
#define COUPLED       1e-9
#define COUPLED_LEAST 1e-12
/* A contact whose row is in the span of the free rows keeps less than this of its diagonal. */
#define HELD 1e-11
/* Less than this of the terms of c is zero. */
#define NOISE 1e-13

size_t sp_condense_bytes(int n_contact, int n)
{
    const size_t m = (size_t)n, contacts = (size_t)n_contact;
    return sp_aligned(contacts * sizeof(sp_set)) + sp_aligned((m * m + 5 * m) * sizeof(double)) +
           sp_aligned((m + 2 * contacts) * sizeof(int)) + sp_aligned(contacts);
}

/* Count and hand out. */
static void place(const sp_problem *whole, sp_condensed *k, void *memory)
{
    char *at = (char *)memory;
    const size_t n = (size_t)whole->n, contacts = (size_t)whole->n_contact;
    int n_free = 0;
    for (int i = 0; i < whole->n_contact; i++) {
        n_free += sp_states_free(&whole->set[i]);
    }
    const size_t m = n - (size_t)n_free;
    *k = (sp_condensed){.whole = whole, .n_free = n_free};
    k->set = (sp_set *)(void *)at;
    at += sp_aligned(contacts * sizeof(sp_set));
    k->G = (double *)(void *)at;
    k->X = k->G + m * m;
    k->c = k->X + (size_t)n_free * m; /* m m + n_free m <= n n */
    k->s.P = k->c + m;
    k->g = k->s.P + m;
    k->d = k->g + n_free;
    k->b = k->d + n_free;
    at += sp_aligned((n * n + 5 * n) * sizeof(double));
    k->free_row = (int *)(void *)at;
    k->rest_row = k->free_row + n_free;
    k->contact = k->rest_row + m;
    k->row = k->contact + contacts;
    at += sp_aligned((n + 2 * contacts) * sizeof(int));
    k->s.status = (unsigned char *)at;
}

/* Who is free, who is left. */
static void split(const unsigned char *guess, sp_condensed *k)
{
    const sp_problem *w = k->whole;
    int n_free = 0, n_rest = 0, m = 0;
    for (int i = 0; i < w->n_contact; i++) {
        if (sp_states_free(&w->set[i])) {
            k->free_row[n_free++] = w->row[i];
            continue;
        }
        k->set[n_rest] = w->set[i];
        k->row[n_rest] = m;
        k->contact[n_rest] = i;
        k->s.status[n_rest++] = guess[i];
        for (int a = 0; a < sp_set_dim(&w->set[i]); a++) {
            k->rest_row[m++] = w->row[i] + a;
        }
    }
    k->p = (sp_problem){.n_contact = n_rest,
                        .n = m,
                        .set = k->set,
                        .row = k->row,
                        .G = k->G,
                        .ld = m,
                        .c = k->c,
                        .xi_scale = w->xi_scale};
}

/* Row r of G of the whole. */
static const double *whole_row(const sp_condensed *k, int r)
{
    return k->whole->G + (size_t)r * (size_t)k->whole->ld;
}

/* D = 1/sqrt(G_kk), of the largest entry of the row where that is not positive, and D G_FF D. */
static void scaled_block(sp_condensed *k, double *A)
{
    const int f = k->n_free;
    for (int a = 0; a < f; a++) {
        const double *G = whole_row(k, k->free_row[a]);
        double size = G[k->free_row[a]];
        for (int b = 0; b < f && !(G[k->free_row[a]] > 0.0); b++) {
            size = fabs(G[k->free_row[b]]) > size ? fabs(G[k->free_row[b]]) : size;
        }
        k->d[a] = size > 0.0 ? 1.0 / sqrt(size) : 1.0;
    }
    for (int a = 0; a < f; a++) {
        const double *G = whole_row(k, k->free_row[a]);
        for (int b = 0; b < f; b++) {
            A[a * f + b] = k->d[a] * G[k->free_row[b]] * k->d[b];
        }
    }
}

/* n (n_free) with n'A = 0: redundant row a >= rank minus what the pivot rows make of it. */
static void left_null(const sp_lu *f, int a, double *n)
{
    for (int i = 0; i < f->n; i++) {
        n[i] = 0.0;
    }
    n[f->prow[a]] = 1.0;
    for (int j = f->rank - 1; j >= 0; j--) { /* t'L11 = row a of L21 */
        double t = f->LU[a * f->n + j];
        for (int i = j + 1; i < f->rank; i++) {
            t += n[f->prow[i]] * f->LU[i * f->n + j];
        }
        n[f->prow[j]] = -t;
    }
}

/* m (n_free) with A m = 0: column number c of the null space. */
static void right_null(const sp_lu *f, int c, double *m)
{
    for (int i = 0; i < f->n; i++) {
        m[i] = 0.0;
    }
    m[f->pcol[f->rank + c]] = 1.0;
    for (int i = 0; i < f->rank; i++) {
        m[f->pcol[i]] = -f->V[i * (f->n - f->rank) + c];
    }
}

/* Does the null vector v of the free rows move the rest?  left: v'D G_FR, else G_RF D v. */
static int seen_by_rest(const sp_condensed *k, const double *v, int left)
{
    for (int b = 0; b < k->p.n; b++) {
        const int r = k->rest_row[b];
        double sum = 0.0, terms = 0.0;
        for (int i = 0; i < k->n_free; i++) {
            const int q = k->free_row[i];
            const double term = v[i] * k->d[i] * (left ? whole_row(k, q)[r] : whole_row(k, r)[q]);
            sum += term;
            terms += fabs(term);
        }
        if (!(fabs(sum) <= COUPLED * terms + COUPLED_LEAST * sqrt(fabs(whole_row(k, r)[r])))) {
            return 1;
        }
    }
    return 0;
}

/* Are redundant free rows redundant to the rest too?  b: -D sum_a (n_a'D c) n_a, the proof if they
 * contradict each other. */
static int redundant_for_all(const sp_lu *f, sp_condensed *k, double *v)
{
    memset(k->b, 0, (size_t)k->whole->n * sizeof *k->b);
    for (int a = f->rank; a < f->n; a++) {
        double defect = 0.0;
        right_null(f, a - f->rank, v);
        if (seen_by_rest(k, v, 0)) {
            return 0;
        }
        left_null(f, a, v);
        if (seen_by_rest(k, v, 1)) {
            return 0;
        }
        for (int i = 0; i < f->n; i++) {
            defect += v[i] * k->d[i] * k->whole->c[k->free_row[i]];
        }
        for (int i = 0; i < f->n; i++) {
            k->b[k->free_row[i]] -= defect * k->d[i] * v[i];
        }
    }
    return 1;
}

/* X = G_FF^+ G_FR and g = G_FF^+ c_F. */
static void solve_free(const sp_lu *f, sp_condensed *k)
{
    for (int b = 0; b <= k->p.n; b++) {
        for (int i = 0; i < k->n_free; i++) {
            const int r = k->free_row[i];
            k->b[i] = k->d[i] * (b < k->p.n ? whole_row(k, r)[k->rest_row[b]] : k->whole->c[r]);
        }
        sp_lu_solve(f, k->b, k->b);
        for (int i = 0; i < k->n_free; i++) {
            *(b < k->p.n ? &k->X[i * k->p.n + b] : &k->g[i]) = k->d[i] * k->b[i];
        }
    }
}

/* A contact that the free rows hold leaves round-off of G and c: make it zero. */
static void clean_row(sp_condensed *k, int a, double c_terms)
{
    const int m = k->p.n, r = k->rest_row[a];
    const double g_a = fabs(whole_row(k, r)[r]);
    if (!(fabs(k->G[a * m + a]) <= HELD * g_a)) {
        return;
    }
    for (int b = 0; b < m; b++) {
        const int q = k->rest_row[b];
        const double scale = COUPLED * sqrt(g_a * fabs(whole_row(k, q)[q]));
        if (!(fabs(k->G[a * m + b]) <= scale && fabs(k->G[b * m + a]) <= scale)) {
            return;
        }
    }
    for (int b = 0; b < m; b++) {
        k->G[a * m + b] = k->G[b * m + a] = 0.0;
    }
    if (fabs(k->c[a]) <= NOISE * (c_terms + k->whole->xi_scale)) {
        k->c[a] = 0.0;
    }
}

/* G and c of the rest; b (p.n): size of the terms of c. */
static void form_rest(sp_condensed *k)
{
    const int m = k->p.n;
    for (int a = 0; a < m; a++) {
        const double *G = whole_row(k, k->rest_row[a]);
        double c = k->whole->c[k->rest_row[a]], terms = fabs(c);
        for (int i = 0; i < k->n_free; i++) {
            const double term = G[k->free_row[i]] * k->g[i];
            c -= term;
            terms += fabs(term);
        }
        k->c[a] = c;
        k->b[a] = terms;
        for (int b = 0; b < m; b++) {
            double sum = G[k->rest_row[b]];
            for (int i = 0; i < k->n_free; i++) {
                sum -= G[k->free_row[i]] * k->X[i * m + b];
            }
            k->G[a * m + b] = sum;
        }
    }
    for (int a = 0; a < m; a++) {
        clean_row(k, a, k->b[a]);
    }
}

sp_condense_end sp_condense(const sp_problem *whole, double tol, const unsigned char *guess,
                            sp_condensed *k, void *memory, void *scratch)
{
    sp_lu f;
    place(whole, k, memory);
    split(guess, k);
    sp_lu_place(&f, k->n_free, scratch);
    scaled_block(k, f.LU);
    k->rank = sp_lu_factor(&f, tol);
    if (k->rank < k->n_free) {
        if (!redundant_for_all(&f, k, f.y)) {
            return SP_CONDENSE_COUPLED;
        }
        if (sp_lcp_proves(whole, k->b)) {
            return SP_CONDENSE_CONTRADICTS;
        }
    }
    solve_free(&f, k);
    form_rest(k);
    return SP_CONDENSED;
}

void sp_condense_expand(const sp_condensed *k, double *P, unsigned char *status)
{
    const sp_problem *w = k->whole;
    for (int i = 0; i < w->n_contact; i++) {
        status[i] = SP_STICK;
    }
    for (int i = 0; i < k->p.n_contact; i++) {
        status[k->contact[i]] = k->s.status[i];
    }
    for (int b = 0; b < k->p.n; b++) {
        P[k->rest_row[b]] = k->s.P[b];
    }
    for (int i = 0; i < k->n_free; i++) {
        double sum = -k->g[i];
        for (int b = 0; b < k->p.n; b++) {
            sum -= k->X[i * k->p.n + b] * k->s.P[b];
        }
        P[k->free_row[i]] = sum;
    }
}

int sp_condense_proof(const sp_condensed *k, double *y)
{
    for (int b = 0; b < k->p.n; b++) {
        y[k->rest_row[b]] = k->s.P[b];
    }
    for (int i = 0; i < k->n_free; i++) { /* y'G_F = 0: y_F = -G_FF^+ G_FR y_R */
        double sum = 0.0;
        for (int b = 0; b < k->p.n; b++) {
            sum -= k->X[i * k->p.n + b] * k->s.P[b];
        }
        y[k->free_row[i]] = sum;
    }
    return sp_lcp_proves(k->whole, y);
}
