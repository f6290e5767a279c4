/* The dense matrix in blocks of contact pairs, rows in order, percussions and states of the last
 * solution as a start.   docs/solvers.md */
#include "solvers/space.h"

#include "base/aligned.h"
#include "solvers/fc.h"

#include <math.h>
#include <string.h>

/* Where round-off allows no less than this, it is a solution all the same. */
#define LAST_RESORT (10.0 * SP_SOLVE_TOL)

/* The problem in blocks; rows follow each other there. */
typedef struct blocks {
    sp_fc p;
    int *row, *start, *column;
    size_t *at;
    double *value, *c, *P;
} blocks;

size_t sp_space_bytes(int n_contact_max, int n_max)
{
    const size_t nc = (size_t)n_contact_max, n = (size_t)n_max;
    return sp_aligned((n * n + 2 * n) * sizeof(double)) + sp_aligned(nc * nc * sizeof(size_t)) +
           sp_aligned((2 * nc + 1 + nc * nc) * sizeof(int));
}

/* Let the arrays point into memory. */
static void place(const sp_problem *p, blocks *b, char *memory)
{
    const size_t nc = (size_t)p->n_contact, n = (size_t)p->n;
    b->value = (double *)(void *)memory;
    b->c = b->value + n * n;
    b->P = b->c + n;
    memory += sp_aligned((n * n + 2 * n) * sizeof(double));
    b->at = (size_t *)(void *)memory;
    memory += sp_aligned(nc * nc * sizeof(size_t));
    b->row = (int *)(void *)memory;
    b->start = b->row + nc;
    b->column = b->start + nc + 1;
}

/* Copy block (i, j) of G to value; 1 if it is not zero. */
static int copy_block(const sp_problem *p, int i, int j, double *value)
{
    const int rows = sp_set_dim(&p->set[i]), cols = sp_set_dim(&p->set[j]);
    int matters = 0;
    for (int a = 0; a < rows; a++) {
        const double *G = p->G + (size_t)(p->row[i] + a) * (size_t)p->ld + p->row[j];
        for (int b = 0; b < cols; b++) {
            value[a * cols + b] = G[b];
            matters |= G[b] != 0.0;
        }
    }
    return matters || i == j;
}

/* G, c and the start, contact by contact.  What was open or is new starts without percussion. */
static void fill(const sp_problem *p, const sp_solution *s, blocks *b)
{
    size_t used = 0;
    int n_block = 0, n = 0;
    for (int i = 0; i < p->n_contact; i++) {
        const int dim = sp_set_dim(&p->set[i]);
        const int known = s->status[i] != SP_OPEN && s->status[i] < SP_STATUS_UNKNOWN;
        b->row[i] = n;
        b->start[i] = n_block;
        for (int a = 0; a < dim; a++, n++) {
            b->c[n] = p->c[p->row[i] + a];
            b->P[n] = known ? s->P[p->row[i] + a] : 0.0;
        }
        for (int j = 0; j < p->n_contact; j++) {
            if (copy_block(p, i, j, b->value + used)) {
                b->column[n_block] = j;
                b->at[n_block++] = used;
                used += (size_t)(dim * sp_set_dim(&p->set[j]));
            }
        }
    }
    b->start[p->n_contact] = n_block;
    b->p = (sp_fc){.n_contact = p->n_contact,
                   .n = p->n,
                   .set = p->set,
                   .row = b->row,
                   .c = b->c,
                   .G = {b->start, b->column, b->at, b->value},
                   .xi_scale = p->xi_scale};
}

/* P, or the proof, in the rows of p. */
static void take_back(const sp_problem *p, const blocks *b, sp_solution *s)
{
    for (int i = 0; i < p->n_contact; i++) {
        memcpy(s->P + p->row[i], b->P + b->row[i], (size_t)sp_set_dim(&p->set[i]) * sizeof *s->P);
    }
}

/* Solve the blocks and say how it went. */
static sp_status solve(const sp_problem *p, blocks *b, sp_solution *s, sp_fc_work *w, sp_error *err)
{
    const sp_fc_options o = {
        .tol = SP_SOLVE_TOL, .enough = LAST_RESORT, .warm = 1, .guess = 1, .quick = p->quick};
    sp_fc_solution f = {.P = b->P, .status = s->status};
    const sp_status status = sp_fc_solve(&b->p, &o, &f, w, err);
    if (status == SP_OK || status == SP_E_INFEASIBLE || status == SP_E_NOT_CONVERGED) {
        take_back(p, b, s);
    }
    s->residual = status == SP_E_INFEASIBLE ? NAN : f.residual;
    s->pivots = (int)f.iterations;
    s->method = status == SP_OK ? "space" : "none";
    s->result = status == SP_OK             ? SP_SOLVED
                : status == SP_E_INFEASIBLE ? SP_INFEASIBLE
                                            : SP_NOT_SOLVED;
    return status;
}

sp_status sp_space_solve(const sp_problem *p, sp_solution *s, void *work, sp_error *err)
{
    blocks b;
    sp_fc_work own = {0};
    place(p, &b, (char *)work);
    fill(p, s, &b);
    const sp_status status = solve(p, &b, s, p->space ? p->space : &own, err);
    sp_fc_work_free(&own);
    return status;
}
