/* The contact problem in block form: sizes, checks, G P + c. */
#include "solvers/fc.h"

#include "laws/ball.h"

#include <limits.h>
#include <math.h>
#include <string.h>

int sp_fc_rows(int n_contact, const sp_set *set, int *row)
{
    int n = 0;
    for (int i = 0; i < n_contact; i++) {
        row[i] = n;
        n += sp_set_dim(&set[i]);
    }
    return n;
}

/* y += A x, A dim x n row-major. */
static void add_product(int dim, int n, const double *A, const double *x, double *y)
{
    for (int a = 0; a < dim; a++) {
        double sum = 0.0;
        for (int b = 0; b < n; b++) {
            sum += A[a * n + b] * x[b];
        }
        y[a] += sum;
    }
}

/* y += A' x, A dim x n row-major. */
static void add_transposed(int dim, int n, const double *A, const double *x, double *y)
{
    for (int a = 0; a < dim; a++) {
        for (int b = 0; b < n; b++) {
            y[b] += A[a * n + b] * x[a];
        }
    }
}

/* xi = H v + c with the bodies' velocities v = M^-1 H'P. */
static void velocity_by_bodies(const sp_fc *p, const double *P, double *xi, double *scratch)
{
    const sp_fc_factors *F = &p->F;
    const int n_dof = F->dof[F->n_body];
    double *momentum = scratch, *v = scratch + n_dof;
    memset(scratch, 0, 2 * (size_t)n_dof * sizeof *scratch);
    for (int i = 0; i < p->n_contact; i++) {
        for (int k = F->start[i]; k < F->start[i + 1]; k++) {
            const int first = F->dof[F->body[k]], dof = F->dof[F->body[k] + 1] - first;
            add_transposed(sp_set_dim(&p->set[i]), dof, F->H + F->at[k], P + p->row[i],
                           momentum + first);
        }
    }
    for (int b = 0; b < F->n_body; b++) {
        const int first = F->dof[b], dof = F->dof[b + 1] - first;
        add_product(dof, dof, F->M_inv + F->inverse[b], momentum + first, v + first);
    }
    memcpy(xi, p->c, (size_t)p->n * sizeof *xi);
    for (int i = 0; i < p->n_contact; i++) {
        for (int k = F->start[i]; k < F->start[i + 1]; k++) {
            const int first = F->dof[F->body[k]], dof = F->dof[F->body[k] + 1] - first;
            add_product(sp_set_dim(&p->set[i]), dof, F->H + F->at[k], v + first, xi + p->row[i]);
        }
    }
}

void sp_fc_velocity(const sp_fc *p, const double *P, double *xi, double *scratch)
{
    const sp_fc_matrix *G = &p->G;
    if (!G->start) {
        velocity_by_bodies(p, P, xi, scratch);
        return;
    }
    memcpy(xi, p->c, (size_t)p->n * sizeof *xi);
    for (int i = 0; i < p->n_contact; i++) {
        for (int k = G->start[i]; k < G->start[i + 1]; k++) {
            const int j = G->column[k];
            add_product(sp_set_dim(&p->set[i]), sp_set_dim(&p->set[j]), G->value + G->at[k],
                        P + p->row[j], xi + p->row[i]);
        }
    }
}

/* One contact's set: a known kind with numbers that make sense. */
static sp_status check_set(const sp_set *s, int i, sp_error *err)
{
    if (sp_set_dim(s) == 0) {
        return SP_FAIL(err, SP_E_INPUT, "contact %d: unknown kind of set %d", i, (int)s->kind);
    }
    if ((s->kind == SP_SET_PLANAR || s->kind == SP_SET_DISC) && !(s->mu >= 0.0 && s->mu <= 1e150)) {
        return SP_FAIL(err, SP_E_INPUT, "contact %d: mu = %g, expected a number >= 0", i, s->mu);
    }
    if (!sp_set_sound(s)) {
        return SP_FAIL(err, SP_E_INPUT,
                       "contact %d: mu = %g, mu_2 = %g, R = %g, R_N = %g, expected numbers >= 0", i,
                       s->mu, s->mu_2, s->R, s->R_N);
    }
    if (s->kind == SP_SET_INTERVAL && !(s->lo <= s->hi)) {
        return SP_FAIL(err, SP_E_INPUT, "contact %d: interval from %g to %g, expected lo <= hi", i,
                       s->lo, s->hi);
    }
    for (int a = 0; s->shifted && a < sp_set_dim(s); a++) {
        if (!isfinite(s->shift[a])) {
            return SP_FAIL(err, SP_E_NONFINITE, "contact %d: shift[%d] = %g", i, a, s->shift[a]);
        }
    }
    return SP_OK;
}

/* Rows in order and all there; c finite. */
static sp_status check_rows(const sp_fc *p, sp_error *err)
{
    int rows = 0;
    for (int i = 0; i < p->n_contact; i++) {
        SP_TRY(check_set(&p->set[i], i, err));
        if (p->row[i] != rows) {
            return SP_FAIL(err, SP_E_INPUT, "contact %d: row %d, expected %d", i, p->row[i], rows);
        }
        if (rows > INT_MAX - SP_SET_DIM_MAX) {
            return SP_FAIL(err, SP_E_CAPACITY, "contact problem: more than %d rows", INT_MAX);
        }
        rows += sp_set_dim(&p->set[i]);
    }
    if (rows != p->n) {
        return SP_FAIL(err, SP_E_INPUT, "contact problem: %d rows, but the sets take %d", p->n,
                       rows);
    }
    for (int k = 0; k < p->n; k++) {
        if (!isfinite(p->c[k])) {
            return SP_FAIL(err, SP_E_NONFINITE, "contact problem: c[%d] = %g", k, p->c[k]);
        }
    }
    return SP_OK;
}

/* A list of n numbers that must be finite. */
static sp_status check_block(size_t n, const double *x, const char *name, int i, sp_error *err)
{
    double bad0 = 0.0, bad1 = 0.0, bad2 = 0.0; /* NaN if a number is not finite */
    size_t k = 0;
    for (; k + 3 <= n; k += 3) { /* sums that do not wait for each other */
        bad0 += 0.0 * x[k];
        bad1 += 0.0 * x[k + 1];
        bad2 += 0.0 * x[k + 2];
    }
    for (; k < n; k++) {
        bad0 += 0.0 * x[k];
    }
    for (k = 0; bad0 + bad1 + bad2 != 0.0 && k < n; k++) {
        if (!isfinite(x[k])) {
            return SP_FAIL(err, SP_E_NONFINITE, "contact %d: a number of %s is %g", i, name, x[k]);
        }
    }
    return SP_OK;
}

/* start must count up from 0 and columns lie in 0 .. n_column - 1. */
static sp_status check_index(int n_row, int n_column, const int *start, const int *column,
                             const char *name, sp_error *err)
{
    for (int i = 0; i < n_row; i++) {
        if (start[0] != 0 || start[i + 1] < start[i]) {
            return SP_FAIL(err, SP_E_INPUT,
                           "contact %d: blocks %d to %d of %s, expected to count up", i, start[i],
                           start[i + 1], name);
        }
        for (int k = start[i]; k < start[i + 1]; k++) {
            if (column[k] < 0 || column[k] >= n_column) {
                return SP_FAIL(err, SP_E_INPUT,
                               "contact %d: a block of %s in column %d, expected 0 to %d", i, name,
                               column[k], n_column - 1);
            }
        }
    }
    return SP_OK;
}

/* Indices and numbers of G. */
static sp_status check_matrix(const sp_fc *p, sp_error *err)
{
    const sp_fc_matrix *G = &p->G;
    SP_TRY(check_index(p->n_contact, p->n_contact, G->start, G->column, "G", err));
    for (int i = 0; i < p->n_contact; i++) {
        for (int k = G->start[i]; k < G->start[i + 1]; k++) {
            const int size = sp_set_dim(&p->set[i]) * sp_set_dim(&p->set[G->column[k]]);
            SP_TRY(check_block((size_t)size, G->value + G->at[k], "G", i, err));
        }
    }
    return SP_OK;
}

/* Indices and numbers of M^-1 and H. */
static sp_status check_factors(const sp_fc *p, sp_error *err)
{
    const sp_fc_factors *F = &p->F;
    for (int b = 0; b < F->n_body; b++) {
        const int dof = F->dof[b + 1] - F->dof[b];
        if (F->dof[0] != 0 || dof < 0) {
            return SP_FAIL(err, SP_E_INPUT, "body %d: velocities %d to %d, expected to count up", b,
                           F->dof[b], F->dof[b + 1]);
        }
        const size_t size = (size_t)dof * (size_t)dof;
        SP_TRY(check_block(size, F->M_inv + F->inverse[b], "the body's M^-1", b, err));
    }
    SP_TRY(check_index(p->n_contact, F->n_body, F->start, F->body, "H", err));
    for (int i = 0; i < p->n_contact; i++) {
        for (int k = F->start[i]; k < F->start[i + 1]; k++) {
            const int dof = F->dof[F->body[k] + 1] - F->dof[F->body[k]];
            const size_t size = (size_t)sp_set_dim(&p->set[i]) * (size_t)dof;
            SP_TRY(check_block(size, F->H + F->at[k], "H", i, err));
        }
    }
    return SP_OK;
}

sp_status sp_fc_check(const sp_fc *p, sp_error *err)
{
    if (p->n_contact < 0 || p->n < 0) {
        return SP_FAIL(err, SP_E_INPUT, "contact problem: %d contacts with %d rows, expected >= 0",
                       p->n_contact, p->n);
    }
    SP_TRY(check_rows(p, err));
    if (p->n_contact > 0 && !p->G.start && !p->F.start) {
        return SP_FAIL(err, SP_E_INPUT, "contact problem: neither G nor its factors are given");
    }
    if (p->n_contact > 0 && p->G.start) {
        SP_TRY(check_matrix(p, err));
    }
    return p->n_contact > 0 && p->F.start ? check_factors(p, err) : SP_OK;
}
