/* api/problem.c - contact problems by themselves. */
#include "specht/problem.h"

#include "certify/fc_certificate.h"
#include "io/problem_file.h"
#include "io/problem_matrix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MEMORY_LIMIT ((size_t)4 << 30) /* bytes of a problem: a file must not take the machine */
#define RANK_FLOPS   1e9               /* about a second to find the rank                      */
#define NEARLY       1e-5              /* a residual that is worth more effort                 */
#define INSIST       10.0              /* times the usual effort                               */

struct sp_contact_problem {
    sp_arena arena; /* owns everything but work */
    sp_fc p;
    sp_problem_info info;
    sp_matrix_facts facts;
    unsigned char *status; /* n_contact */
    double *scratch;       /* of the certificate */
    sp_fc_work work;
};

/* An empty problem; NULL: no memory. */
static sp_contact_problem *begin(void)
{
    sp_contact_problem *problem = calloc(1, sizeof *problem);
    if (problem) {
        sp_arena_init(&problem->arena, NULL, MEMORY_LIMIT);
    }
    return problem;
}

void sp_problem_free(sp_contact_problem *problem)
{
    if (problem) {
        sp_fc_work_free(&problem->work);
        sp_arena_free(&problem->arena);
        free(problem);
    }
}

const sp_problem_info *sp_problem_about(const sp_contact_problem *problem)
{
    return &problem->info;
}

/* Scratch, and what there is to know about the matrix. */
static sp_status finish(sp_contact_problem *problem, sp_error *err)
{
    const sp_fc *p = &problem->p;
    SP_TRY(sp_fc_check(p, err));
    SP_TRY(sp_problem_inspect(p, RANK_FLOPS, &problem->facts, err));
    problem->status = SP_NEW(&problem->arena, unsigned char, p->n_contact);
    problem->scratch = SP_NEW(&problem->arena, double, sp_certify_fc_scratch(p));
    if (!problem->status || !problem->scratch) {
        return SP_FAIL(err, SP_E_MEMORY, "out of memory for %d contacts", p->n_contact);
    }
    problem->info.n = p->n;
    problem->info.rank = problem->facts.rank;
    problem->info.asymmetry = problem->facts.asymmetry;
    problem->info.indefinite = problem->facts.indefinite;
    problem->info.why = problem->facts.why;
    return SP_OK;
}

/* Read a file into the problem. */
static sp_status load(const char *path, sp_contact_problem *problem, sp_error *err)
{
    static const char *const format[] = {"siconos-text", "fclib-local", "fclib-global"};
    sp_problem_file file;
    SP_TRY(sp_problem_read(path, &problem->arena, &file, err));
    sp_status status = sp_problem_pose(&file, &problem->arena, &problem->p, err);
    problem->info = (sp_problem_info){.format = format[file.format],
                                      .dim = file.dim,
                                      .n_contact = file.n_contact,
                                      .n_free = file.n_free};
    status = status == SP_OK ? finish(problem, err) : status;
    return status == SP_OK ? SP_OK : sp_problem_place(err, status, path, 0);
}

/* Hand the problem out, or free it after a failure. */
static sp_status hand_out(sp_contact_problem *made, sp_status status, sp_contact_problem **problem)
{
    if (status != SP_OK) {
        sp_problem_free(made);
        made = NULL;
    }
    *problem = made;
    return status;
}

sp_status sp_problem_load(const char *path, sp_contact_problem **problem, sp_error *err)
{
    if (!path || !problem) {
        return SP_FAIL(err, SP_E_INPUT, "sp_problem_load: an argument is NULL");
    }
    *problem = NULL;
    sp_contact_problem *made = begin();
    return made ? hand_out(made, load(path, made, err), problem)
                : SP_FAIL(err, SP_E_MEMORY, "out of memory");
}

/* Fill the problem from numbers. */
static sp_status make(int dim, int n_contact, const double *mu, const double *G, const double *c,
                      sp_contact_problem *problem, sp_error *err)
{
    const int n = dim * n_contact;
    sp_set *set = SP_NEW(&problem->arena, sp_set, n_contact);
    int *row = SP_NEW(&problem->arena, int, n_contact);
    double *free_term = SP_NEW(&problem->arena, double, n);
    if (!set || !row || !free_term) {
        return SP_FAIL(err, SP_E_MEMORY, "out of memory for %d contacts", n_contact);
    }
    for (int i = 0; i < n_contact; i++) {
        if (!(mu[i] >= 0.0) || !isfinite(mu[i])) {
            return SP_FAIL(err, SP_E_INPUT, "contact %d: mu = %g, expected >= 0", i + 1, mu[i]);
        }
        set[i] = dim == 2 ? sp_set_planar(mu[i]) : sp_set_disc(mu[i]);
    }
    memcpy(free_term, c, (size_t)n * sizeof *c);
    problem->info = (sp_problem_info){.format = "made", .dim = dim, .n_contact = n_contact};
    problem->p = (sp_fc){.n_contact = n_contact,
                         .n = sp_fc_rows(n_contact, set, row),
                         .set = set,
                         .row = row,
                         .c = free_term};
    SP_TRY(sp_fc_from_dense(&problem->p, G, (size_t)n, 1, &problem->arena, err));
    return finish(problem, err);
}

sp_status sp_problem_make(int dim, int n_contact, const double *mu, const double *G,
                          const double *c, sp_contact_problem **problem, sp_error *err)
{
    if (!problem || !mu || !G || !c || n_contact < 1 || (dim != 2 && dim != 3)) {
        return SP_FAIL(err, SP_E_INPUT,
                       "sp_problem_make: dim = %d, n_contact = %d, expected 2 or 3, >= 1 and no "
                       "NULL",
                       dim, n_contact);
    }
    *problem = NULL;
    sp_contact_problem *made = begin();
    return made ? hand_out(made, make(dim, n_contact, mu, G, c, made, err), problem)
                : SP_FAIL(err, SP_E_MEMORY, "out of memory");
}

/* ---- solving --------------------------------------------------------------------------------- */

sp_problem_options sp_problem_options_default(void)
{
    return (sp_problem_options){.size = sizeof(sp_problem_options),
                                .solver = "auto",
                                .measure = SP_MEASURE_FCLIB,
                                .tol = 1e-8,
                                .threads = 1};
}

const char *sp_problem_solver(int k, const char **text)
{
    return sp_fc_solver_name(k, text);
}

/* Solve once; what 'auto' nearly solves without a time limit gets ten times its effort. */
static sp_status solve_once(const sp_fc *p, const sp_fc_options *o, sp_fc_solution *s,
                            sp_fc_work *work, sp_error *err)
{
    const sp_status status = sp_fc_solve(p, o, s, work, err);
    const double residual = o->measure == SP_FC_FCLIB ? s->residual_fclib : s->residual;
    if (status != SP_E_NOT_CONVERGED || strcmp(o->solver, "auto") != 0 || o->seconds > 0.0 ||
        s->no_solution || !(residual <= NEARLY)) {
        return status;
    }
    sp_fc_options patient = *o;
    patient.effort = INSIST;
    return sp_fc_solve(p, &patient, s, work, err);
}

/* The certificate of P. */
static sp_problem_certificate certify(sp_contact_problem *problem, const double *P)
{
    sp_fc_certificate c;
    sp_certify_fc(&problem->p, P, problem->scratch, &c);
    return (sp_problem_certificate){.scaled = c.scaled,
                                    .fclib = c.fclib,
                                    .penetration = c.penetration,
                                    .cone = c.cone,
                                    .gap_work = c.gap_work,
                                    .dissipation = c.dissipation,
                                    .work = c.work};
}

/* What the certificate says about an answer, whatever the solver thinks of it. */
static sp_problem_verdict judge(sp_contact_problem *problem, const sp_problem_options *o,
                                const sp_fc_solution *s, const sp_problem_certificate *c)
{
    if (s->result == SP_FC_INFEASIBLE &&
        sp_certify_infeasible(&problem->p, s->P, problem->scratch)) {
        return SP_PROBLEM_INFEASIBLE;
    }
    if (!((o->measure == SP_MEASURE_FCLIB ? c->fclib : c->scaled) <= o->tol)) {
        return SP_PROBLEM_NOT_SOLVED;
    }
    return s->rank_lost > 0 ? SP_PROBLEM_NOT_UNIQUE : SP_PROBLEM_SOLVED;
}

/* Arguments that a program may get wrong. */
static sp_status check(const sp_contact_problem *problem, const sp_problem_options *o,
                       const double *P, sp_error *err)
{
    if (!problem || !o || !P || !o->solver || o->size != sizeof *o) {
        return SP_FAIL(err, SP_E_INPUT,
                       "sp_problem_solve: an argument is NULL, or options are not from "
                       "sp_problem_options_default of this version");
    }
    return o->tol > 0.0 ? SP_OK : SP_FAIL(err, SP_E_INPUT, "tol = %g, expected > 0", o->tol);
}

sp_status sp_problem_solve(sp_contact_problem *problem, const sp_problem_options *o, double *P,
                           sp_problem_answer *answer, sp_error *err)
{
    SP_TRY(check(problem, o, P, err));
    sp_problem_answer unasked, *out = answer ? answer : &unasked;
    const sp_fc_options how = {.solver = o->solver,
                               .measure =
                                   o->measure == SP_MEASURE_FCLIB ? SP_FC_FCLIB : SP_FC_SCALED,
                               .tol = o->tol,
                               .seconds = o->seconds,
                               .threads = o->threads,
                               .analyse = o->analyse};
    sp_fc_solution s = {.P = P, .status = problem->status};
    memset(P, 0, (size_t)problem->p.n * sizeof *P);
    const sp_status status = solve_once(&problem->p, &how, &s, &problem->work, err);
    *out = (sp_problem_answer){.verdict = SP_PROBLEM_NOT_SOLVED};
    if (status != SP_OK && status != SP_E_INFEASIBLE && status != SP_E_NOT_CONVERGED) {
        memset(P, 0, (size_t)problem->p.n * sizeof *P);
        return status;
    }
    out->certificate = certify(problem, P);
    out->verdict = judge(problem, o, &s, &out->certificate);
    out->iterations = s.iterations;
    out->n_island = s.n_island;
    out->largest = s.largest;
    out->rank_lost = s.rank_lost;
    out->motion_unique = s.motion_unique;
    _Static_assert(sizeof out->path == sizeof s.path, "the public path is as long");
    memcpy(out->path, s.path, sizeof out->path);
    return SP_OK;
}

sp_status sp_problem_certify(sp_contact_problem *problem, const double *P,
                             sp_problem_certificate *certificate, sp_error *err)
{
    if (!problem || !P || !certificate) {
        return SP_FAIL(err, SP_E_INPUT, "sp_problem_certify: an argument is NULL");
    }
    *certificate = certify(problem, P);
    return SP_OK;
}

sp_status sp_problem_save(const sp_contact_problem *problem, const char *path, const double *P,
                          const char *title, sp_error *err)
{
    if (!problem || !path) {
        return SP_FAIL(err, SP_E_INPUT, "sp_problem_save: an argument is NULL");
    }
    return sp_problem_write(path, &problem->p, P, title ? title : "", err);
}
