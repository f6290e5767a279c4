#include "impact/phase.h"

#include "base/aligned.h"
#include "impact/several.h"

#include <math.h>
#include <string.h>

size_t sp_phase_bytes(int n_contact, int n)
{
    const size_t m = (size_t)n_contact, rows = (size_t)n;
    return sp_aligned(rows * sizeof(double)) + sp_aligned(m * sizeof(sp_set)) +
           sp_aligned(rows * rows * sizeof(double)) + sp_aligned((m + 1 + m * m) * sizeof(int)) +
           sp_aligned(m * m * sizeof(size_t));
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

/* The phase as a problem of the solver. */
static sp_problem pose(const sp_impact_problem *p, const sp_phase *f,
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
                        .space = options->fc};
}

/* How many solutions the phase has; the one that is taken in s. */
static void count(const sp_problem *p, sp_solution *s, sp_impact *impact, void *scratch)
{
    const sp_sought sought = sp_impact_several(p, NULL, s, scratch);
    impact->n_motion = sought.n_motion;
    impact->complete = sought.complete;
    impact->in_doubt = sought.at;
}

/* The phase with contacts in space. */
static sp_status solve_spatial(const sp_impact_problem *p, const sp_impact_options *options,
                               sp_phase *f, double *Lambda, sp_impact *impact, void *scratch,
                               sp_error *err)
{
    sp_fc fc = {.n_contact = p->n_contact, .n = p->n, .set = f->set, .row = p->row, .c = f->c};
    const sp_fc_options o = {.tol = SP_IMPACT_SPATIAL_TOL, .enough = SP_IMPACT_SPATIAL_ENOUGH};
    sp_fc_solution s = {.P = Lambda, .status = impact->status};
    fill_blocks(p, f);
    fc.G = (sp_fc_matrix){f->start, f->column, f->at, f->blocks};
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
        const sp_problem dense = pose(p, f, options);
        count(&dense, &seen, impact, scratch);
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
    const sp_problem problem = pose(p, f, options);
    sp_solution s = {.P = Lambda, .status = impact->status};
    const sp_status status = sp_solve(&problem, &s, scratch, err);
    if (status == SP_OK) {
        count(&problem, &s, impact, scratch);
    }
    sp_watch_show(options->watch, SP_WATCH_IMPACT, &problem, NULL, &s);
    impact->pivots += s.pivots;
    impact->method = s.method;
    impact->result = s.result;
    impact->residual = s.residual > impact->residual ? s.residual : impact->residual;
    return status;
}
