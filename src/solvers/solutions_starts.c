/* solvers/solutions_starts.c - contacts that are too many for all their statuses: the solver from
 * other starts, always the same ones.   theory (36.8) */
#include "solvers/solutions_parts.h"

#include "base/aligned.h"

#include <math.h>
#include <string.h>

enum { KNOWN = SP_SOLUTIONS_STARTS + 1 };

/* Arrays of a search. */
typedef struct search {
    double *P, *xi;      /* n: a solution that was found                             */
    double *known;       /* KNOWN x n: motions so far                                */
    double *best;        /* n: the solution of least worth                           */
    int *who, *at, *row; /* contacts and rows that are looked at; at: place of a contact in row  */
    double *part_P, *part_xi;
    unsigned char *status, *best_status;
    int n_contact, n_row, n_known, taken; /* taken: the motion of best                   */
    void *rest;
} search;

size_t sp_starts_bytes(int n_contact_max, int n_max)
{
    const size_t n = (size_t)n_max, m = (size_t)n_contact_max;
    return sp_aligned((5 + KNOWN) * n * sizeof(double)) + sp_aligned((2 * m + n) * sizeof(int)) +
           sp_aligned(2 * m) + sp_solve_work(n_contact_max, n_max);
}

/* Let the arrays point into memory. */
static void place(search *w, const sp_problem *p, void *memory)
{
    const size_t n = (size_t)p->n, m = (size_t)p->n_contact;
    char *at = (char *)memory;
    w->P = (double *)(void *)at;
    w->xi = w->P + n;
    w->best = w->P + 2 * n;
    w->part_P = w->P + 3 * n;
    w->part_xi = w->P + 4 * n;
    w->known = w->P + 5 * n;
    at += sp_aligned((5 + KNOWN) * n * sizeof(double));
    w->who = (int *)(void *)at;
    w->at = w->who + m;
    w->row = w->who + 2 * m;
    at += sp_aligned((2 * m + n) * sizeof(int));
    w->status = (unsigned char *)at;
    w->best_status = w->status + m;
    w->rest = at + sp_aligned(2 * m);
}

/* The contacts with open[label] and their rows. */
static void list_rows(const sp_problem *p, const int *label, const bool *open, search *w)
{
    w->n_contact = w->n_row = 0;
    for (int i = 0; i < p->n_contact; i++) {
        if (!open[label[i]]) {
            continue;
        }
        w->who[w->n_contact] = i;
        w->at[w->n_contact++] = w->n_row;
        for (int a = 0; a < sp_set_dim(&p->set[i]); a++) {
            w->row[w->n_row++] = p->row[i] + a;
        }
    }
}

/* xi of the rows looked at, from P, and what the judge says. */
static double look(const sp_problem *p, const sp_judge *judge, const double *P, search *w)
{
    for (int a = 0; a < w->n_row; a++) {
        const double *G = p->G + (size_t)w->row[a] * (size_t)p->ld;
        double sum = p->c[w->row[a]];
        for (int j = 0; j < p->n; j++) {
            sum += G[j] * P[j];
        }
        w->part_xi[a] = sum;
        w->part_P[a] = P[w->row[a]];
    }
    const sp_solution_part part = {w->n_contact, w->n_row,  w->who,    w->at,
                                   w->row,       w->part_P, w->part_xi};
    return judge->worth(judge->ctx, &part);
}

/* The number of the motion in part_xi, which is noted if it is a new one. */
static int number(const sp_problem *p, search *w)
{
    double size = p->xi_scale;
    for (int a = 0; a < w->n_row; a++) {
        size = fmax(size, fabs(p->c[w->row[a]]));
    }
    for (int k = 0; k < w->n_known; k++) {
        bool same = true;
        for (int a = 0; a < w->n_row && same; a++) {
            same = fabs(w->part_xi[a] - w->known[k * p->n + a]) <= SP_SOLUTIONS_APART * size;
        }
        if (same) {
            return k;
        }
    }
    memcpy(w->known + (size_t)w->n_known * (size_t)p->n, w->part_xi,
           (size_t)w->n_row * sizeof *w->known);
    return w->n_known++;
}

/* A number 0 .. 3 that depends on a and b alone. */
static int chance(unsigned a, unsigned b)
{
    unsigned h = 2654435761u * (a + 1u) ^ 2246822519u * (b + 1u);
    h ^= h >> 15;
    h *= 3266489917u;
    return (int)((h ^ h >> 13) >> 9 & 3u);
}

/* Start number k: statuses and forces. */
static void begin(const sp_problem *p, const sp_solution *s, int k, search *w)
{
    memcpy(w->P, s->P, (size_t)p->n * sizeof *w->P);
    memcpy(w->status, s->status, (size_t)p->n_contact);
    for (int j = 0; j < w->n_contact; j++) {
        const int i = w->who[j], dim = sp_set_dim(&p->set[i]), r = p->row[i];
        const int now = chance((unsigned)k, (unsigned)i);
        if (p->set[i].kind == SP_SET_FREE) {
            continue;
        }
        w->status[i] = (unsigned char)(dim == 1              ? now & 1
                                       : dim > 2 && now == 3 ? SP_SLIP_POS
                                                             : now);
        for (int a = 0; a < dim; a++) {
            w->P[r + a] *= now == 0 ? 0.0 : now == 3 && a > 0 ? -1.0 : (double)now;
        }
    }
}

int sp_starts_try(const sp_problem *p, const int *label, const bool *open, const sp_judge *judge,
                  sp_solution *s, void *work)
{
    search w;
    place(&w, p, work);
    list_rows(p, label, open, &w);
    w.n_known = w.taken = 0;
    double least = look(p, judge, s->P, &w);
    number(p, &w);
    for (int k = 0; k < SP_SOLUTIONS_STARTS; k++) {
        begin(p, s, k, &w);
        sp_solution t = {.P = w.P, .status = w.status};
        if (sp_solve(p, &t, w.rest, NULL) != SP_OK) {
            continue;
        }
        const double now = look(p, judge, w.P, &w);
        const int motion = number(p, &w);
        if (now < least) {
            least = now;
            w.taken = motion;
            memcpy(w.best, w.P, (size_t)p->n * sizeof *w.P);
            memcpy(w.best_status, w.status, (size_t)p->n_contact);
        }
    }
    for (int a = 0; a < w.n_row && w.taken > 0; a++) {
        s->P[w.row[a]] = w.best[w.row[a]];
    }
    for (int j = 0; j < w.n_contact && w.taken > 0; j++) {
        s->status[w.who[j]] = w.best_status[w.who[j]];
    }
    return w.n_known;
}
