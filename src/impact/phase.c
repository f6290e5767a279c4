#include "impact/phase.h"

#include "base/aligned.h"
#include "base/worse.h"
#include "math/dense.h"

#include <math.h>
#include <string.h>

/* Pivots of G with a unit diagonal below this are none; the term of a proximal step, of G_rr, and
 * how many there are at most: one leaves d/(d + l) of what is missing along an eigenvalue l. */
#define DEPENDENT 1e-10
#define PROXIMAL  1e-3
enum { PROXIMAL_STEPS = 12 };

size_t sp_phase_bytes(int n_contact, int n)
{
    const size_t m = (size_t)n_contact, rows = (size_t)n;
    return sp_aligned(rows * sizeof(double)) + sp_aligned(m * sizeof(sp_set)) +
           sp_aligned(rows * rows * sizeof(double)) + sp_aligned((m + 1 + m * m) * sizeof(int)) +
           sp_aligned(m * m * sizeof(size_t));
}

size_t sp_phase_scratch(int n)
{
    const size_t three = 3 * (size_t)n * sizeof(double), lu = sp_lu_bytes(n);
    return three > lu ? three : lu;
}

bool sp_phase_spatial(const sp_impact_problem *p)
{
    for (int i = 0; i < p->n_contact; i++) {
        if (p->set[i].kind == SP_SET_DISC || sp_set_is_ball(&p->set[i])) {
            return true;
        }
    }
    return false;
}

void sp_phase_place(sp_phase *f, const sp_impact_problem *p, void *work)
{
    const size_t m = (size_t)p->n_contact, n = (size_t)p->n;
    char *at = (char *)work;
    f->c = (double *)(void *)at;
    at += sp_aligned(n * sizeof(double));
    f->set = (sp_set *)(void *)at;
    at += sp_aligned(m * sizeof(sp_set));
    f->blocks = (double *)(void *)at;
    at += sp_aligned(n * n * sizeof(double));
    f->start = (int *)(void *)at;
    f->column = f->start + m + 1;
    at += sp_aligned((m + 1 + m * m) * sizeof(int));
    f->at = (size_t *)(void *)at;
    f->rest = at + sp_aligned(m * m * sizeof(size_t));

    /* a bounded force has no impulse in an instant */
    for (int i = 0; i < p->n_contact; i++) {
        f->set[i] = p->set[i];
        if (f->set[i].kind == SP_SET_INTERVAL) {
            f->set[i].lo = isinf(f->set[i].lo) ? f->set[i].lo : 0.0;
            f->set[i].hi = isinf(f->set[i].hi) ? f->set[i].hi : 0.0;
        }
    }
}

/* G by pairs of contacts, all of them. */
static void fill_blocks(const sp_impact_problem *p, sp_phase *f)
{
    size_t value = 0, block = 0;
    for (int i = 0; i < p->n_contact; i++) {
        f->start[i] = (int)block;
        for (int j = 0; j < p->n_contact; j++) {
            f->column[block] = j;
            f->at[block++] = value;
            for (int a = 0; a < sp_set_dim(&p->set[i]); a++) {
                const double *G = p->G + (size_t)(p->row[i] + a) * (size_t)p->ld;
                for (int b = 0; b < sp_set_dim(&p->set[j]); b++) {
                    f->blocks[value++] = G[p->row[j] + b];
                }
            }
        }
    }
    f->start[p->n_contact] = (int)block;
}

sp_problem sp_phase_problem(const sp_impact_problem *p, const sp_phase *f,
                            const sp_impact_options *options)
{
    return (sp_problem){.n_contact = p->n_contact,
                        .n = p->n,
                        .set = f->set,
                        .row = p->row,
                        .G = p->G,
                        .ld = p->ld,
                        .c = f->c,
                        .xi_scale = p->xi_scale,
                        .space = options ? options->fc : NULL};
}

/* The phase, and what normal impulses add to those along. */
typedef struct phase {
    const sp_problem *p;
    const double *lean;
} phase;

/* 1/2 du.M du of impulses P that change the velocities of their rows from c to xi. */
static double jump_of(const void *ctx, const sp_solution_part *part)
{
    const phase *f = (const phase *)ctx;
    double sum = 0.0;
    for (int k = 0; k < part->n; k++) {
        sum += 0.5 * part->P[k] * (part->xi[k] - f->p->c[part->row[k]]);
    }
    for (int i = 0; i < part->n_contact && f->lean; i++) {
        const double lean = f->lean[part->who[i]];
        const int N = part->at[i], T = N + 1;
        sum += lean != 0.0 ? 0.5 * lean * part->P[N] * (part->xi[T] - f->p->c[part->row[T]]) : 0.0;
    }
    return sum;
}

sp_solution_count sp_impact_several(const sp_problem *p, const double *lean, const sp_speeds *law,
                                    sp_solution *s, void *work)
{
    const phase f = {p, lean};
    const sp_judge judge = {jump_of, &f};
    return sp_solutions_find(p, law, &judge, s, work);
}

void sp_phase_count(const sp_problem *p, const sp_speeds *law, sp_solution *s, sp_impact *impact,
                    void *scratch)
{
    const sp_solution_count solutions = sp_impact_several(p, NULL, law, s, scratch);
    impact->n_motion = solutions.n_motion;
    impact->complete = solutions.complete;
    impact->in_doubt = solutions.at;
}

/* Do the rows of the contacts depend on each other? */
static bool rows_depend(const sp_impact_problem *p, void *scratch)
{
    const size_t n = (size_t)p->n;
    sp_lu lu;
    sp_lu_place(&lu, p->n, scratch);
    for (size_t r = 0; r < n; r++) {
        for (size_t k = 0; k < n; k++) {
            const double *G = p->G;
            const double unit = sqrt(G[r * (size_t)p->ld + r] * G[k * (size_t)p->ld + k]);
            lu.LU[r * n + k] = unit > 0.0 ? G[r * (size_t)p->ld + k] / unit : 0.0;
        }
    }
    return sp_lu_factor(&lu, DEPENDENT) < p->n;
}

/* Add sign PROXIMAL G_rr to the diagonal of the blocks. */
static void stiffen(const sp_fc *fc, double *blocks, double sign)
{
    for (int i = 0; i < fc->n_contact; i++) {
        const int dim = sp_set_dim(&fc->set[i]);
        double *own = blocks + fc->G.at[fc->G.start[i] + i];
        for (int a = 0; a < dim; a++) {
            own[a * dim + a] *= sign > 0.0 ? 1.0 + PROXIMAL : 1.0 / (1.0 + PROXIMAL);
        }
    }
}

/* The free term of the next step from Lambda: c - PROXIMAL G_rr Lambda. */
static void proximal_term(const sp_impact_problem *p, const double *c, const double *Lambda,
                          double *c_k)
{
    for (int k = 0; k < p->n; k++) {
        c_k[k] = c[k] - PROXIMAL * p->G[(size_t)k * (size_t)p->ld + (size_t)k] * Lambda[k];
    }
}

/* Largest change of xi that the change of Lambda makes in its own row, over the sizes of c. */
static double change_of(const sp_impact_problem *p, const double *c, const double *before,
                        const double *Lambda)
{
    double change = 0.0, size = 0.0;
    for (int k = 0; k < p->n; k++) {
        const double G = p->G[(size_t)k * (size_t)p->ld + (size_t)k];
        change = sp_worse(change, fabs(G * (Lambda[k] - before[k])));
        size = fmax(size, fabs(c[k]));
    }
    return size > 0.0 ? change / size : 0.0;
}

/* Where rows depend on each other impulses are not unique.  Proximal steps from zero,
 *
 *     Lambda_k+1 solves  xi = (G + d diag G) Lambda + c - d diag G Lambda_k,   Lambda_0 = 0,
 *
 * have one solution each and leave what moves nothing at zero: they end at impulses of least norm
 * as long as no set ends, and symmetric machines stay symmetric.  False: as before.
 * theory (11.42) */
static bool settle(const sp_impact_problem *p, const sp_impact_options *options, sp_phase *f,
                   const sp_fc *plain, double *Lambda, unsigned char *status, double *scratch)
{
    double *before = scratch, *c_k = before + p->n, *found = c_k + p->n;
    sp_fc fc = *plain;
    const sp_fc_options o = {
        .tol = 1e-3 * SP_IMPACT_SPATIAL_TOL, .enough = SP_IMPACT_SPATIAL_TOL, .warm = 1};
    sp_fc_solution s = {.P = found, .status = status};
    double change = INFINITY;
    memset(found, 0, (size_t)p->n * sizeof *found);
    fc.c = c_k;
    stiffen(plain, f->blocks, 1.0);
    for (int k = 0; k < PROXIMAL_STEPS && change > SP_IMPACT_SPATIAL_TOL; k++) {
        memcpy(before, found, (size_t)p->n * sizeof *before);
        proximal_term(p, f->c, found, c_k);
        if (sp_fc_solve(&fc, &o, &s, options->fc, NULL) != SP_OK) {
            break;
        }
        change = change_of(p, f->c, before, found);
    }
    stiffen(plain, f->blocks, -1.0);
    if (change < SP_IMPACT_SPATIAL_ENOUGH) {
        memcpy(Lambda, found, (size_t)p->n * sizeof *Lambda);
        return true;
    }
    return false;
}

/* The phase with contacts in space. */
static sp_status solve_spatial(const sp_impact_problem *p, const sp_impact_options *options,
                               sp_phase *f, double *Lambda, sp_impact *impact, void *scratch,
                               sp_error *err)
{
    sp_fc fc = {.n_contact = p->n_contact, .n = p->n, .set = f->set, .row = p->row, .c = f->c};
    sp_fc_options o = {.tol = SP_IMPACT_SPATIAL_TOL, .enough = SP_IMPACT_SPATIAL_ENOUGH};
    sp_fc_solution s = {.P = Lambda, .status = impact->status};
    fill_blocks(p, f);
    fc.G = (sp_fc_matrix){f->start, f->column, f->at, f->blocks};
    o.warm = rows_depend(p, scratch) &&
             settle(p, options, f, &fc, Lambda, impact->status, (double *)scratch);
    const sp_status status = sp_fc_solve(&fc, &o, &s, options->fc, err);
    impact->method = "space";
    impact->pivots += (int)s.iterations;
    impact->result = status == SP_OK             ? SP_SOLVED
                     : status == SP_E_INFEASIBLE ? SP_INFEASIBLE
                                                 : SP_NOT_SOLVED;
    sp_solution seen = {.P = Lambda,
                        .status = impact->status,
                        .residual = s.residual,
                        .pivots = (int)s.iterations,
                        .method = impact->method,
                        .result = impact->result};
    if (status == SP_OK) {
        const sp_problem dense = sp_phase_problem(p, f, options);
        sp_phase_count(&dense, NULL, &seen, impact, scratch);
    }
    impact->residual = seen.residual > impact->residual ? seen.residual : impact->residual;
    sp_watch_show(options->watch, SP_WATCH_IMPACT, NULL, &fc, &seen);
    return status;
}

sp_status sp_phase_solve(const sp_impact_problem *p, const sp_impact_options *options, sp_phase *f,
                         double *Lambda, sp_impact *impact, void *scratch, sp_error *err)
{
    if (sp_phase_spatial(p)) {
        return solve_spatial(p, options, f, Lambda, impact, scratch, err);
    }
    const sp_problem problem = sp_phase_problem(p, f, options);
    sp_solution s = {.P = Lambda, .status = impact->status};
    const sp_status status = sp_solve(&problem, &s, scratch, err);
    if (status == SP_OK) {
        sp_phase_count(&problem, NULL, &s, impact, scratch);
    }
    sp_watch_show(options->watch, SP_WATCH_IMPACT, &problem, NULL, &s);
    impact->pivots += s.pivots;
    impact->method = s.method;
    impact->result = s.result;
    impact->residual = s.residual > impact->residual ? s.residual : impact->residual;
    return status;
}
