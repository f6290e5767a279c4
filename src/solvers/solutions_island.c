/* solvers/solutions_island.c - contacts that belong together, small and in units of their own, and
 * the motions that are found for them. */
#include "math/dense.h"
#include "solvers/solutions_parts.h"
#include "solvers/states.h"

#include <math.h>
#include <string.h>

enum { ROWS = SP_SOLUTIONS_ROWS };

/* ---- gathering ------------------------------------------------------------------------------ */

/* Append the rows of contact i of the problem. */
static void list_rows(const sp_problem *p, int i, sp_island *k)
{
    const sp_set *s = &p->set[i];
    for (int a = 0; a < sp_set_dim(s); a++) {
        k->shift[k->n_all] = s->shifted ? s->shift[a] : 0.0;
        k->all[k->n_all++] = p->row[i] + a;
    }
}

/* Contacts first, bilateral rows behind them; false if they are too many. */
static bool list_contacts(const sp_problem *p, const int *label, int mine, sp_island *k)
{
    k->n_contact = k->n_all = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < p->n_contact; i++) {
            if (label[i] != mine || sp_states_free(&p->set[i]) != pass) {
                continue;
            }
            if (k->n_all + sp_set_dim(&p->set[i]) > ROWS) {
                return false;
            }
            if (pass == 0) {
                k->who[k->n_contact] = i;
                k->row[k->n_contact] = k->n_all;
                k->set[k->n_contact] = p->set[i];
                k->set[k->n_contact++].shifted = 0;
            }
            list_rows(p, i, k);
        }
        k->n = pass == 0 ? k->n_all : k->n;
    }
    return true;
}

/* P = d p with d = 1/sqrt(G_kk), the same for rows along in one plane. */
static void find_scales(sp_island *k)
{
    for (int a = 0; a < k->n_all; a++) {
        const double g = fabs(k->of->G[(size_t)k->all[a] * (size_t)(k->of->ld + 1)]);
        k->d[a] = g > 0.0 ? 1.0 / sqrt(g) : 1.0;
    }
    for (int i = 0; i < k->n_contact; i++) {
        const int T = k->row[i] + 1;
        if (sp_set_dim(&k->set[i]) == 3) {
            k->d[T] = k->d[T + 1] = fmin(k->d[T], k->d[T + 1]);
        }
    }
}

/* G and c in these units, all rows, into B (leading dimension ROWS) and b. */
static void scale(sp_island *k, double *B, double *b)
{
    const sp_problem *p = k->of;
    k->size = 0.0;
    for (int a = 0; a < k->n_all; a++) {
        const double *G = p->G + (size_t)k->all[a] * (size_t)p->ld;
        double sum = p->c[k->all[a]], terms = fabs(sum);
        for (int j = 0; j < k->n_all; j++) {
            B[a * ROWS + j] = k->d[a] * G[k->all[j]] * k->d[j];
            sum += G[k->all[j]] * k->shift[j];
            terms += fabs(G[k->all[j]] * k->shift[j]);
        }
        b[a] = fabs(sum) <= 1e-15 * terms ? 0.0 : k->d[a] * sum;
        k->size = fmax(k->size, fmax(fabs(b[a]), k->d[a] * p->xi_scale));
    }
}

/* Take bilateral row r out of B and b: p_r = e + E p; others keep what r does not answer. */
static void eliminate(sp_island *k, double *B, double *b, int r)
{
    const double pivot = B[r * ROWS + r];
    k->gone[k->n_gone] = r;
    k->e[k->n_gone] = -b[r] / pivot;
    for (int j = 0; j < k->n_all; j++) {
        k->E[k->n_gone * ROWS + j] = -B[r * ROWS + j] / pivot;
    }
    for (int a = 0; a < k->n_all; a++) {
        const double l = a == r ? 0.0 : B[a * ROWS + r];
        for (int j = 0; j < k->n_all && l != 0.0; j++) {
            B[a * ROWS + j] += l * k->E[k->n_gone * ROWS + j];
        }
        b[a] += l * k->e[k->n_gone];
        B[a * ROWS + r] = a == r ? pivot : 0.0;
    }
    k->n_gone++;
}

/* Take bilateral rows out that do not depend on others taken out before; those have no force. */
static void condense(sp_island *k, double *B, double *b)
{
    bool left[ROWS];
    k->n_gone = 0;
    for (int a = 0; a < k->n_all; a++) {
        left[a] = a >= k->n;
    }
    for (int pass = k->n; pass < k->n_all; pass++) {
        int best = -1;
        double most = SP_SOLUTIONS_NOTHING;
        for (int a = k->n; a < k->n_all; a++) {
            if (left[a] && B[a * ROWS + a] > most) {
                most = B[a * ROWS + a];
                best = a;
            }
        }
        if (best < 0) {
            return;
        }
        left[best] = false;
        eliminate(k, B, b, best);
    }
}

/* Limits of friction and of intervals in the units of the island. */
static void scale_limits(sp_island *k)
{
    for (int i = 0; i < k->n_contact; i++) {
        const sp_set *s = &k->set[i];
        const int N = k->row[i], dim = sp_set_dim(s);
        k->mu[N] = 0.0;
        k->lo[N] = s->lo / k->d[N];
        k->hi[N] = s->hi / k->d[N];
        for (int a = 1; a < dim; a++) {
            const double mu = s->kind == SP_SET_ELLIPSE && a == 2 ? s->mu_2 : s->mu;
            k->mu[N + a] = mu * k->d[N] / k->d[N + a];
        }
    }
}

bool sp_island_gather(const sp_problem *p, const int *label, int mine, sp_island *k)
{
    double B[ROWS * ROWS], b[ROWS];
    k->of = p;
    if (!list_contacts(p, label, mine, k)) {
        return false;
    }
    find_scales(k);
    scale(k, B, b);
    condense(k, B, b);
    k->symmetric = true;
    for (int a = 0; a < k->n; a++) {
        k->c[a] = b[a];
        for (int j = 0; j < k->n; j++) {
            k->A[a * k->n + j] = B[a * ROWS + j];
            k->symmetric =
                k->symmetric && fabs(B[a * ROWS + j] - B[j * ROWS + a]) <= SP_SOLUTIONS_NOTHING;
        }
    }
    scale_limits(k);
    return true;
}

/* ---- motions -------------------------------------------------------------------------------- */

/* x = A p + c; returns the size of its terms, 100 times that of c at most. */
static double move(const sp_island *k, const double *p, double *x)
{
    double size = k->size;
    for (int a = 0; a < k->n; a++) {
        double terms = fabs(k->c[a]);
        x[a] = k->c[a];
        for (int j = 0; j < k->n; j++) {
            const double term = k->A[a * k->n + j] * p[j];
            x[a] += term;
            terms += fabs(term);
        }
        size = fmax(size, terms);
    }
    return fmin(size, 100.0 * k->size);
}

/* Whether friction of contact i, which slides, is against its slip. */
static bool opposes(const sp_island *k, int i, const double *p, const double *x, double tol)
{
    const int N = k->row[i], dim = sp_set_dim(&k->set[i]);
    double power = 0.0, norm2 = 0.0, mu = 0.0;
    for (int a = N + 1; a < N + dim; a++) { /* the most that friction can take is mu |x| p_N */
        power += x[a] * p[a];
        norm2 += k->mu[a] * x[a] * k->mu[a] * x[a];
        mu = fmax(mu, k->mu[a]);
    }
    return p[N] * sqrt(norm2) + power <= mu * tol * fmax(p[N], 0.0);
}

/* Whether friction of contact i, which sticks, is within its limit. */
static bool holds(const sp_island *k, int i, const double *p, double tol)
{
    const int N = k->row[i], dim = sp_set_dim(&k->set[i]);
    double sum = 0.0;
    for (int a = N + 1; a < N + dim; a++) {
        const double part = k->mu[a] > 0.0 ? p[a] / k->mu[a] : p[a] == 0.0 ? 0.0 : INFINITY;
        sum += part * part;
    }
    return (sqrt(sum) - p[N]) * fmin(1.0, dim > 1 ? k->mu[N + 1] : 1.0) <= tol;
}

/* Whether interval i with this status is obeyed. */
static bool bounded(const sp_island *k, int i, unsigned char status, double p, double x, double tol)
{
    const int r = k->row[i];
    if (status == SP_STICK) {
        return p >= k->lo[r] - tol && p <= k->hi[r] + tol;
    }
    return !(k->lo[r] < k->hi[r]) || (status == SP_SLIP_POS ? x >= -tol : x <= tol);
}

/* Whether contact i with this status is obeyed: what its equations do not say. */
static bool obeyed(const sp_island *k, int i, unsigned char status, const double *p,
                   const double *x, double tol)
{
    const int N = k->row[i];
    if (k->set[i].kind == SP_SET_INTERVAL) {
        return bounded(k, i, status, p[N], x[N], tol);
    }
    if (status == SP_OPEN) {
        return x[N] >= -tol;
    }
    if (!(p[N] >= -tol) || sp_set_dim(&k->set[i]) == 1) {
        return p[N] >= -tol;
    }
    return status == SP_STICK ? holds(k, i, p, tol) : opposes(k, i, p, x, tol);
}

/* P of all rows of the island from p of those that are left. */
static void expand(const sp_island *k, const double *p, double *P)
{
    double all[ROWS] = {0.0};
    memcpy(all, p, (size_t)k->n * sizeof *p);
    for (int g = k->n_gone - 1; g >= 0; g--) {
        double sum = k->e[g];
        for (int j = 0; j < k->n_all; j++) {
            sum += j == k->gone[g] ? 0.0 : k->E[g * ROWS + j] * all[j];
        }
        all[k->gone[g]] = sum;
    }
    for (int a = 0; a < k->n_all; a++) {
        P[a] = k->shift[a] + k->d[a] * all[a];
    }
}

/* What the judge says about P. */
static double worth(const sp_island *k, const sp_judge *judge, const double *P, const double *x)
{
    double xi[ROWS] = {0.0};
    for (int a = 0; a < k->n; a++) {
        xi[a] = x[a] / k->d[a];
    }
    const sp_solution_part part = {k->n_contact, k->n_all, k->who, k->row, k->all, P, xi};
    return judge->worth(judge->ctx, &part);
}

/* The number of the motion x, m->n if it is a new one. */
static int number(const sp_island *k, const sp_motions *m, const double *x, double size)
{
    for (int i = 0; i < m->n; i++) {
        bool same = true;
        for (int a = 0; a < k->n && same; a++) {
            same = fabs(x[a] - m->xi[i][a]) <= SP_SOLUTIONS_APART * size;
        }
        if (same) {
            return i;
        }
    }
    return m->n;
}

void sp_island_offer(const sp_island *k, const double *p, const unsigned char *status,
                     sp_motions *m)
{
    double x[ROWS], P[ROWS], exact[ROWS];
    unsigned char its[ROWS];
    double size = move(k, p, x);
    for (int i = 0; i < k->n_contact; i++) {
        if (!obeyed(k, i, status[i], p, x, SP_SOLUTIONS_TOL * size)) {
            return;
        }
    }
    memcpy(exact, p, (size_t)k->n * sizeof *p);
    memcpy(its, status, (size_t)k->n_contact);
    int motion = number(k, m, x, size);
    if (motion > 0 && m->work) { /* not that of the solution at hand, which stays as it is */
        if (!sp_island_confirm(k, exact, its, m->work)) {
            return;
        }
        size = move(k, exact, x);
        motion = number(k, m, x, size);
    }
    if (motion == SP_SOLUTIONS_MOTIONS) {
        m->complete = false;
        return;
    }
    if (motion == m->n) {
        memcpy(m->xi[m->n++], x, (size_t)k->n * sizeof *x);
    }
    expand(k, exact, P);
    const double now = worth(k, m->judge, P, x);
    if (now < m->least) {
        m->least = now;
        m->best = motion;
        memcpy(m->P, P, (size_t)k->n_all * sizeof *P);
        memcpy(m->status, its, (size_t)k->n_contact);
    }
}

void sp_island_begin(const sp_island *k, const sp_solution *s, const sp_judge *judge, void *work,
                     sp_motions *m, double *p)
{
    double P[ROWS];
    m->n = 1;
    m->complete = true;
    m->judge = judge;
    m->best = 0;
    m->newtons = SP_SOLUTIONS_NEWTONS;
    m->work = work;
    for (int a = 0; a < k->n_all; a++) {
        P[a] = s->P[k->all[a]];
        if (a < k->n) {
            p[a] = (P[a] - k->shift[a]) / k->d[a];
        }
    }
    move(k, p, m->xi[0]);
    m->least = worth(k, judge, P, m->xi[0]);
}

int sp_island_differs(const sp_island *k, const sp_motions *m)
{
    for (int i = 0; i < k->n_contact; i++) {
        for (int a = k->row[i]; a < k->row[i] + sp_set_dim(&k->set[i]); a++) {
            for (int other = 1; other < m->n; other++) {
                if (fabs(m->xi[other][a] - m->xi[0][a]) > SP_SOLUTIONS_APART * k->size) {
                    return k->who[i];
                }
            }
        }
    }
    return k->who[0];
}

void sp_island_take(const sp_island *k, const sp_motions *m, sp_solution *s)
{
    for (int a = 0; a < k->n_all; a++) {
        s->P[k->all[a]] = m->P[a];
    }
    for (int i = 0; i < k->n_contact; i++) {
        s->status[k->who[i]] = m->status[i];
    }
}

/* ---- equations ------------------------------------------------------------------------------ */

bool sp_island_solve(int n, const double *B, int n_rhs, double *R)
{
    double memory[3 * ROWS * ROWS + 2 * ROWS + 2], x[ROWS];
    sp_lu lu;
    sp_lu_place(&lu, n, memory);
    for (int i = 0; i < n; i++) {
        memcpy(lu.LU + i * n, B + i * ROWS, (size_t)n * sizeof *B);
    }
    if (sp_lu_factor(&lu, SP_SOLUTIONS_NOTHING) < n) {
        return false;
    }
    for (int a = 0; a < n_rhs; a++) {
        for (int i = 0; i < n; i++) {
            x[i] = R[i * ROWS + a];
        }
        sp_lu_solve(&lu, x, x);
        for (int i = 0; i < n; i++) {
            R[i * ROWS + a] = x[i];
        }
    }
    return true;
}

int sp_island_rank(int n_row, int n_col, const double *B)
{
    double memory[3 * ROWS * ROWS + 2 * ROWS + 2];
    const int n = n_row > n_col ? n_row : n_col;
    sp_lu lu;
    sp_lu_place(&lu, n, memory);
    for (int i = 0; i < n * n; i++) {
        lu.LU[i] = i / n < n_row && i % n < n_col ? B[i / n * ROWS + i % n] : 0.0;
    }
    return sp_lu_factor(&lu, SP_SOLUTIONS_NOTHING);
}
