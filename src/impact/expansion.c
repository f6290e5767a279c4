/* The limits of Lambda_TE, one of which moves with Lambda_NE and one of which does not, are an
 * interval of fixed width plus friction of half the strength about a moving middle:
 *
 *     Lambda_NE = P_N,   Lambda_TE = side mu/2 P_N + P_T + P_I,   |P_T| <= mu/2 (P_N - least_N),
 *     side > 0:  P_I in [least_T - mu/2 least_N, mu/2 least_N],  side < 0: mirrored
 *     side = 0:  Lambda_TE = P_T + P_I,  |P_T| <= mu (P_N - least_N),  |P_I| <= mu least_N
 *
 * where P_T and P_I see the same velocity: the sum of two intervals has as normal cone the
 * intersection of theirs.  So the solver's planar and interval sets do.   theory (11.9) */
#include "impact/expansion.h"

#include "base/aligned.h"
#include "impact/phase.h"

#include <math.h>
#include <string.h>

/* The problem in the solver's terms. */
typedef struct split {
    sp_problem p;
    double *G, *c, *P;
    sp_set *set;
    int *row;
    int *origin;  /* rows: the row of the impact each stands for                            */
    int *contact; /* contacts: the contact of the impact each belongs to                    */
    unsigned char *status;
    double *lean; /* contacts: what a unit of P_N adds to the impulse along                 */
    void *scratch;
} split;

/* Most contacts and rows a problem here has: each contact one interval more; or each row alone. */
static int contacts_max(int n_contact, int n)
{
    return 2 * n_contact > n ? 2 * n_contact : n;
}

size_t sp_expansion_bytes(int n_contact, int n)
{
    const int m = contacts_max(n_contact, n), rows = n + n_contact;
    return sp_aligned((size_t)rows * (size_t)(rows + 2) * sizeof(double)) +
           sp_aligned((size_t)m * sizeof(sp_set)) +
           sp_aligned((size_t)(2 * m + rows) * sizeof(int)) + sp_aligned((size_t)m) +
           sp_aligned((size_t)m * sizeof(double)) + sp_solutions_work(m, rows);
}

/* Let the arrays point into memory. */
static void place(split *q, const sp_impact_problem *p, void *memory)
{
    const int m = contacts_max(p->n_contact, p->n), rows = p->n + p->n_contact;
    char *at = (char *)memory;
    memset(&q->p, 0, sizeof q->p);
    q->G = (double *)(void *)at;
    q->c = q->G + (size_t)rows * (size_t)rows;
    q->P = q->c + rows;
    at += sp_aligned((size_t)rows * (size_t)(rows + 2) * sizeof(double));
    q->set = (sp_set *)(void *)at;
    at += sp_aligned((size_t)m * sizeof(sp_set));
    q->row = (int *)(void *)at;
    q->contact = q->row + m;
    q->origin = q->contact + m;
    at += sp_aligned((size_t)(2 * m + rows) * sizeof(int));
    q->status = (unsigned char *)at;
    at += sp_aligned((size_t)m);
    q->lean = (double *)(void *)at;
    q->scratch = at + sp_aligned((size_t)m * sizeof(double));
    q->p.set = q->set;
    q->p.row = q->row;
    q->p.G = q->G;
    q->p.c = q->c;
    q->p.xi_scale = p->xi_scale;
    memset(q->status, SP_STATUS_UNKNOWN, (size_t)m);
}

/* One more contact, for contact i of the impact, whose rows stand for those from k on. */
static void add(split *q, int i, sp_set set, int k)
{
    const int at = q->p.n_contact++;
    q->set[at] = set;
    q->row[at] = q->p.n;
    q->contact[at] = i;
    for (int a = 0; a < sp_set_dim(&set); a++) {
        q->origin[q->p.n++] = k + a;
    }
}

/* The part of the limits that does not move with Lambda_NE. */
static sp_set fixed_part(const sp_expansion *x, int i)
{
    const int N = x->p->row[i];
    const double reach = x->set[i].mu * x->least[N], back = fabs(x->least[N + 1]);
    if (x->side[i] == 0) {
        return sp_set_interval(-reach, reach);
    }
    const double near = back - 0.5 * reach, far = 0.5 * reach;
    const double low = near < far ? near : far; /* they meet if eps_T = 1 and it slid */
    return x->side[i] > 0 ? sp_set_interval(low, far) : sp_set_interval(-far, -low);
}

/* Contacts and rows. */
static void list_contacts(const sp_expansion *x, split *q)
{
    for (int i = 0; i < x->p->n_contact; i++) {
        const int N = x->p->row[i];
        sp_set set = x->set[i];
        if (set.kind == SP_SET_HALF_LINE || set.kind == SP_SET_PLANAR) {
            set.shifted = 1;
            set.shift[0] = x->least[N];
            set.shift[1] = 0.0;
            set.mu *= x->side[i] == 0 ? 1.0 : 0.5;
        }
        add(q, i, set, N);
        if (set.kind == SP_SET_PLANAR && set.mu > 0.0 && x->least[N] > 0.0) {
            add(q, i, fixed_part(x, i), N + 1);
        }
    }
}

/* side mu/2 of contact i: what a unit of P_N adds to Lambda_TE. */
static double lean(const sp_expansion *x, int i)
{
    return x->set[i].kind == SP_SET_PLANAR ? 0.5 * x->set[i].mu * (double)x->side[i] : 0.0;
}

/* G and c: rows of the impact; columns too, but that of P_N pulls Lambda_TE along. */
static void fill(const sp_expansion *x, split *q)
{
    const int n = q->p.n;
    q->p.ld = n;
    for (int a = 0; a < n; a++) {
        const int k = q->origin[a];
        const double *G = x->p->G + (size_t)k * (size_t)x->p->ld;
        double *row = q->G + (size_t)a * (size_t)n;
        for (int b = 0; b < n; b++) {
            row[b] = G[q->origin[b]];
        }
        for (int j = 0; j < q->p.n_contact; j++) {
            if (q->set[j].kind == SP_SET_PLANAR) {
                row[q->row[j]] += lean(x, q->contact[j]) * row[q->row[j] + 1];
            }
        }
        q->c[a] = x->gamma_C[k] - x->gamma_0[k];
    }
}

/* Lambda_E from the parts. */
static void join(const sp_expansion *x, const split *q, double *Lambda_E)
{
    memset(Lambda_E, 0, (size_t)x->p->n * sizeof *Lambda_E);
    for (int j = 0; j < q->p.n_contact; j++) {
        const int r = q->row[j];
        for (int a = 0; a < sp_set_dim(&q->set[j]); a++) {
            Lambda_E[q->origin[r + a]] += q->P[r + a];
        }
        if (q->set[j].kind == SP_SET_PLANAR) {
            Lambda_E[q->origin[r + 1]] += lean(x, q->contact[j]) * q->P[r];
        }
    }
}

bool sp_expansion_is_alone(const sp_expansion *x, double more)
{
    const sp_problem whole = {.n_contact = x->p->n_contact,
                              .n = x->p->n,
                              .set = x->set,
                              .row = x->p->row,
                              .G = x->p->G,
                              .ld = x->p->ld,
                              .c = x->gamma_C};
    return sp_solution_is_only(&whole, more);
}

/* How many solutions there are; the one that is taken in s. */
static void count(const sp_expansion *x, const split *q, sp_solution *s, sp_impact *impact)
{
    if (sp_expansion_is_alone(x, 1.0)) {
        return;
    }
    for (int j = 0; j < q->p.n_contact; j++) {
        q->lean[j] = q->set[j].kind == SP_SET_PLANAR ? lean(x, q->contact[j]) : 0.0;
    }
    const sp_solution_count solutions = sp_impact_several(&q->p, q->lean, NULL, s, q->scratch);
    if (solutions.at >= 0 && (solutions.n_motion > impact->n_motion || impact->in_doubt < 0)) {
        impact->in_doubt = q->contact[solutions.at];
    }
    impact->n_motion =
        solutions.n_motion > impact->n_motion ? solutions.n_motion : impact->n_motion;
    impact->complete = impact->complete && solutions.complete;
}

sp_status sp_expansion_planar(const sp_expansion *x, double *Lambda_E, sp_impact *impact,
                              void *scratch, sp_error *err)
{
    split q;
    place(&q, x->p, scratch);
    list_contacts(x, &q);
    fill(x, &q);
    sp_solution s = {.P = q.P, .status = q.status};
    memset(q.P, 0, (size_t)q.p.n * sizeof *q.P);
    const sp_status status = sp_solve(&q.p, &s, q.scratch, err);
    if (status == SP_OK) {
        count(x, &q, &s, impact);
        join(x, &q, Lambda_E);
    }
    sp_watch_show(x->watch, SP_WATCH_IMPACT, &q.p, NULL, &s);
    impact->pivots += s.pivots;
    impact->method = s.method;
    impact->result = s.result;
    impact->residual = s.residual > impact->residual ? s.residual : impact->residual;
    return status;
}

/* Impulses of bilateral rows while all others transfer least: P (n). */
static sp_status react(const sp_expansion *x, split *q, sp_error *err)
{
    for (int i = 0; i < x->p->n_contact; i++) {
        for (int k = x->p->row[i]; k < x->p->row[i] + sp_set_dim(&x->set[i]); k++) {
            add(q, i,
                x->set[i].kind == SP_SET_FREE ? sp_set_free()
                                              : sp_set_interval(x->least[k], x->least[k]),
                k);
        }
    }
    for (int a = 0; a < q->p.n; a++) {
        const double *G = x->p->G + (size_t)q->origin[a] * (size_t)x->p->ld;
        for (int b = 0; b < q->p.n; b++) {
            q->G[(size_t)a * (size_t)q->p.n + (size_t)b] = G[q->origin[b]];
        }
        q->c[a] = 0.0;
    }
    q->p.ld = q->p.n;
    sp_solution s = {.P = q->P, .status = q->status};
    return sp_solve(&q->p, &s, q->scratch, err);
}

sp_status sp_expansion_prescribe(sp_expansion *x, void *scratch, sp_error *err)
{
    split q;
    bool bilateral = false;
    place(&q, x->p, scratch);
    memset(x->gamma_0, 0, (size_t)x->p->n * sizeof *x->gamma_0);
    for (int i = 0; i < x->p->n_contact; i++) {
        bilateral = bilateral || x->set[i].kind == SP_SET_FREE;
    }
    if (bilateral) {
        SP_TRY(react(x, &q, err));
    }
    for (int i = 0; i < x->p->n_contact; i++) {
        const int N = x->p->row[i];
        for (int k = N + 1; k < N + sp_set_dim(&x->set[i]); k++) {
            const double *G = x->p->G + (size_t)k * (size_t)x->p->ld;
            for (int b = 0; b < x->p->n; b++) {
                x->gamma_0[k] +=
                    G[bilateral ? q.origin[b] : b] * (bilateral ? q.P[b] : x->least[b]);
            }
        }
    }
    return SP_OK;
}
