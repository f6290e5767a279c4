/* sp_fc_solve: split into islands, solve each with the cheapest method that reaches the goal, fall
 * back along a chain, return the best iterate with an honest status. */
#include "solvers/fc_infeasible.h"
#include "solvers/fc_local.h"
#include "solvers/fc_method.h"
#include "solvers/fc_newton.h"
#include "solvers/fc_pile.h"
#include "solvers/fc_residual.h"

#include <limits.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <threads.h>

/* Problems with factors and more contacts than this begin in velocity form; without G and more than
 * that many they end there. */
enum {
    MOST_THREADS = 64,
    PILE_FROM = 1500,
    FORM_MOST = 30000,
    ANALYSE_MOST = 60,
    INSIST_MOST = 24
};

/* An error below this is that of a solution not yet sharp. */
#define NEARLY 1e-5

/* A method, and what is said about it. */
typedef struct solver {
    const char *name, *text;
    sp_fc_method *solve;
} solver;

enum { AUTO, NSGS, NEWTON, PMM, DIRECT, HOMOTOPY, ADMM, LEMKE, NCP, PILE, N_SOLVER };

static const solver SOLVERS[N_SOLVER] = {
    [AUTO] = {"auto", "the cheapest method that certifies, with fallbacks", NULL},
    [NSGS] = {"nsgs", "block Gauss-Seidel with exact local solver and Anderson acceleration",
              sp_fc_solve_nsgs},
    [NEWTON] = {"newton", "sweeps and proximal semismooth Newton on the active set in turn",
                sp_fc_solve_hybrid},
    [PMM] = {"pmm", "proximal method of multipliers, polished by Newton", sp_fc_solve_pmm},
    [DIRECT] = {"direct", "pivoting: guess, repair, Lemke, enumeration (small planar islands)",
                sp_fc_solve_planar},
    [HOMOTOPY] = {"homotopy", "newton with growing friction, then from other starts",
                  sp_fc_solve_homotopy},
    [ADMM] = {"admm", "alternating directions with the shift of De Saxce", sp_fc_solve_admm},
    [LEMKE] = {"lemke", "friction pyramid with Lemke's method, then Newton (up to 40 contacts)",
               sp_fc_solve_lemke},
    [NCP] = {"ncp", "Newton on Fischer-Burmeister functions (up to 60 contacts)", sp_fc_solve_ncp},
    [PILE] = {"pile", "coloured Gauss-Seidel on the bodies' velocities (needs factors)", NULL},
};

const char *sp_fc_solver_name(int k, const char **text)
{
    if (k < 0 || k >= N_SOLVER) {
        return NULL;
    }
    if (text) {
        *text = SOLVERS[k].text;
    }
    return SOLVERS[k].name;
}

/* Which methods an island went through: bit k for method k of SOLVERS, and these. */
enum { BY_START = 1 << 16, BY_LOCAL = 1 << 17, BY_SWEEPS = 1 << 18 };

/* What one island came to. */
typedef struct island_end {
    int used;         /* bits, see above */
    int lost, motion; /* -1: not looked at                              */
    int infeasible;   /* p is the proof                                  */
    int solved;
    long sweeps, steps, factorisations;
} island_end;

/* All that the threads of one solve share. */
typedef struct job {
    const sp_fc *p;
    const sp_fc_options *o;
    sp_fc_solution *s;
    const solver *only; /* NULL: auto */
    double tol, c_norm, worth, deadline;
    int n_island;
    const int *order, *first, *local;
    island_end *end;
    atomic_int next, failed;
} job;

struct sp_fc_memory {
    sp_fc_stack stack[MOST_THREADS];
    int n_stack;
    sp_arena formed; /* G made from factors, of the last solve */
};

/* Methods in the order of trial, by their number in SOLVERS, and the largest island for each. */
typedef struct trial {
    int solver, contacts_most;
} trial;

/* The chain of auto. */
static int run_chain(const sp_fc_island *l, sp_fc_goal *g, double *p, double *error,
                     sp_fc_stack *stack)
{
    static const trial chain[] = {{NEWTON, INT_MAX}, {DIRECT, 24},   {LEMKE, 8},     {ADMM, 1000},
                                  {PMM, 1000},       {HOMOTOPY, 60}, {NSGS, INT_MAX}};
    int used = 0;
    for (int k = 0; k < (int)(sizeof chain / sizeof *chain) && !sp_fc_late(g); k++) {
        if (l->n_contact > chain[k].contacts_most) {
            continue;
        }
        *error = SOLVERS[chain[k].solver].solve(l, g, p, stack);
        used |= g->steps == 0 ? BY_SWEEPS : 1 << chain[k].solver;
        if (*error <= g->tol || *error != *error) {
            break;
        }
    }
    return used;
}

/* One contact alone. */
static void solve_alone(const sp_fc_island *l, double *p)
{
    sp_fc_local(&l->set[0], l->G + l->at[l->diag[0]], l->stick, l->c, p);
}

/* Whether the solution p is the only one nearby. */
static void analyse_island(const sp_fc_island *l, const double *p, island_end *end,
                           sp_fc_stack *stack)
{
    const sp_fc_mark mark = sp_fc_note(stack);
    sp_fc_linear s;
    if (sp_fc_linear_prepare(l, 1e8, stack, &s)) {
        sp_fc_newton_rank(l, p, &s, &end->lost, &end->motion, stack);
    }
    sp_fc_release(stack, mark);
}

/* Solve an island from p. */
static island_end solve_island(const sp_fc_island *l, sp_fc_goal *g, const solver *only,
                               int analyse, double *p, double *u, sp_fc_stack *stack)
{
    island_end end = {.used = BY_START, .lost = -1, .motion = -1};
    sp_fc_island_project(l, p);
    double error = sp_fc_island_judge(l, g, p, u);
    if (!(error <= g->tol) && l->n_contact == 1 && !only) {
        solve_alone(l, p);
        error = sp_fc_island_judge(l, g, p, u);
        end.used = BY_LOCAL;
    }
    if (!(error <= g->tol)) {
        if (only) {
            error = only->solve(l, g, p, stack);
            end.used = 1 << (int)(only - SOLVERS);
        } else {
            end.used = run_chain(l, g, p, &error, stack);
            if (error > g->tol && error < NEARLY && l->n_contact <= INSIST_MOST) {
                g->effort *= 10.0; /* small and nearly there: it is worth some more */
                end.used |= run_chain(l, g, p, &error, stack);
            }
        }
        if (!(error <= g->tol) && sp_fc_infeasible(l, g, u, stack)) {
            memcpy(p, u, (size_t)l->n * sizeof *p);
            end.infeasible = 1;
        }
    }
    end.solved = error <= g->tol;
    if (end.solved && analyse && l->n_contact <= ANALYSE_MOST) {
        analyse_island(l, p, &end, stack);
    }
    end.sweeps = g->sweeps;
    end.steps = g->steps;
    end.factorisations = g->factorisations;
    return end;
}

/* Take island k out of the problem, solve it, put it back. */
static void do_island(job *j, int k, sp_fc_stack *stack)
{
    const sp_fc *q = j->p;
    const sp_fc_mark mark = sp_fc_note(stack);
    const int *contact = j->order + j->first[k], n_contact = j->first[k + 1] - j->first[k];
    sp_fc_island l;
    if (!sp_fc_island_take(q, n_contact, contact, j->local, j->worth, stack, &l)) {
        atomic_store(&j->failed, 1);
        return;
    }
    double *p = SP_TAKE(stack, double, l.n), *u = SP_TAKE(stack, double, l.n);
    unsigned char *status = SP_TAKE(stack, unsigned char, n_contact);
    if (stack->failed) {
        atomic_store(&j->failed, 1);
        return;
    }
    sp_fc_goal g = {j->o->measure, j->tol, j->c_norm, j->o->effort > 0.0 ? j->o->effort : 1.0,
                    j->deadline,   0,      0,         0};
    if (g.measure == SP_FC_FCLIB) { /* its share of the whole, so that the sum is below tol */
        g.tol *= 0.9 * sqrt((double)n_contact / (double)q->n_contact);
    }
    for (int i = 0; i < n_contact; i++) {
        for (int a = l.row[i]; a < l.row[i + 1]; a++) {
            const double P = j->s->P[q->row[contact[i]] + a - l.row[i]];
            p[a] = j->o->warm && isfinite(P) ? P / l.d[i] : 0.0;
        }
    }
    island_end end = solve_island(&l, &g, j->only, j->o->analyse, p, u, stack);
    sp_fc_island_velocity(&l, p, u);
    sp_fc_island_status(&l, p, u, status);
    for (int i = 0; i < n_contact; i++) {
        j->s->status[contact[i]] = status[i];
        for (int a = l.row[i]; a < l.row[i + 1]; a++) {
            j->s->P[q->row[contact[i]] + a - l.row[i]] = l.d[i] * p[a];
        }
    }
    if (stack->failed) {
        atomic_store(&j->failed, 1);
    }
    j->end[k] = end;
    sp_fc_release(stack, mark);
}

/* One thread: islands until there are none. */
typedef struct thread_start {
    job *j;
    sp_fc_stack *stack;
} thread_start;

static int work_off(void *start)
{
    thread_start *t = (thread_start *)start;
    for (int k = atomic_fetch_add(&t->j->next, 1);
         k < t->j->n_island && !atomic_load(&t->j->failed); k = atomic_fetch_add(&t->j->next, 1)) {
        do_island(t->j, k, t->stack);
    }
    return 0;
}

/* All islands, by this thread and some more; each island is the work of one thread, so that the
 * result does not depend on their number. */
static void do_all(job *j, int threads, struct sp_fc_memory *m)
{
    thread_start start[MOST_THREADS];
    thrd_t other[MOST_THREADS];
    int n = 1;
    for (int k = 0; k < threads; k++) {
        start[k].j = j;
        start[k].stack = &m->stack[k];
    }
    while (n < threads && thrd_create(&other[n], work_off, &start[n]) == thrd_success) {
        n++;
    }
    work_off(&start[0]);
    for (int k = 1; k < n; k++) {
        thrd_join(other[k], NULL);
    }
}

/* Stacks of the threads, kept from call to call. */
static sp_status prepare(sp_fc_work *w, int threads, sp_error *err)
{
    if (!w->memory) {
        sp_arena_init(&w->arena, w->allocator, 0);
        w->memory = SP_NEW(&w->arena, struct sp_fc_memory, 1);
        if (!w->memory) {
            return SP_FAIL(err, SP_E_MEMORY, "contact problem: out of memory");
        }
        sp_arena_init(&w->memory->formed, w->allocator, 0);
    }
    struct sp_fc_memory *m = w->memory;
    for (; m->n_stack < threads; m->n_stack++) {
        sp_arena_init(&m->stack[m->n_stack].arena, w->allocator, 0);
    }
    sp_arena_free(&m->formed);
    for (int k = 0; k < m->n_stack; k++) {
        m->stack[k].failed = 0;
        m->stack[k].at = 0;
        m->stack[k].used = 0;
    }
    return SP_OK;
}

void sp_fc_work_free(sp_fc_work *w)
{
    for (int k = 0; w->memory && k < w->memory->n_stack; k++) {
        sp_arena_free(&w->memory->stack[k].arena);
    }
    if (w->memory) {
        sp_arena_free(&w->memory->formed);
        sp_arena_free(&w->arena);
    }
    w->memory = NULL;
}

/* The solver of this name; NULL with *known = 0 if there is none. */
static const solver *find_solver(const char *name, int *known)
{
    *known = 1;
    for (int k = 0; name && k < N_SOLVER; k++) {
        if (strcmp(name, SOLVERS[k].name) == 0) {
            return k == AUTO ? NULL : &SOLVERS[k];
        }
    }
    *known = name == NULL;
    return NULL;
}

/* |c| and what it is worth at most, max |c_i| d_i. */
static void sizes_of_c(job *j, const double *rho)
{
    double sum = 0.0;
    for (int i = 0; i < j->p->n_contact; i++) {
        for (int a = 0; a < sp_set_dim(&j->p->set[i]); a++) {
            const double c = j->p->c[j->p->row[i] + a];
            sum += c * c;
            j->worth = fmax(j->worth, fabs(c) * sqrt(rho[i]));
        }
    }
    j->c_norm = sum > 0.0 ? sqrt(sum) : 1.0;
}

/* Add "name count" to the path. */
static int add_to_path(sp_fc_solution *s, int at, const char *name, int count)
{
    if (count == 0 || at >= SP_FC_PATH) {
        return at;
    }
    return at + snprintf(s->path + at, (size_t)(SP_FC_PATH - at), "%s%s %d", at ? ", " : "", name,
                         count);
}

/* Islands that went through the methods of this bit. */
static int count_used(const job *j, int bit)
{
    int count = 0;
    for (int k = 0; k < j->n_island; k++) {
        count += (j->end[k].used & bit) != 0;
    }
    return count;
}

/* "start 20, sweeps 12, newton 3": islands by the methods they went through. */
static void write_path(const job *j, sp_fc_solution *s)
{
    int at = add_to_path(s, 0, "start", count_used(j, BY_START));
    at = add_to_path(s, at, "local", count_used(j, BY_LOCAL));
    at = add_to_path(s, at, "sweeps", count_used(j, BY_SWEEPS));
    for (int m = 1; m < N_SOLVER; m++) {
        at = add_to_path(s, at, SOLVERS[m].name, count_used(j, 1 << m));
    }
}

/* Sum up the islands; 1 if one of them is infeasible, and then P is zero outside of it. */
static int sum_up(const job *j, sp_fc_solution *s)
{
    int infeasible = -1;
    for (int k = 0; k < j->n_island; k++) {
        const island_end *e = &j->end[k];
        const int size = j->first[k + 1] - j->first[k];
        s->sweeps += e->sweeps;
        s->iterations += e->sweeps + e->steps;
        s->factorisations += e->factorisations;
        s->n_island += e->used != BY_START;
        s->largest = size > s->largest ? size : s->largest;
        infeasible = e->infeasible && infeasible < 0 ? k : infeasible;
        if (e->lost >= 0) {
            s->rank_lost = (s->rank_lost < 0 ? 0 : s->rank_lost) + e->lost;
            s->motion_unique = s->motion_unique != 0 && e->motion;
        }
    }
    if (infeasible < 0) {
        return 0;
    }
    for (int k = 0; k < j->n_island; k++) {
        for (int m = j->first[k]; k != infeasible && m < j->first[k + 1]; m++) {
            const int i = j->order[m];
            memset(s->P + j->p->row[i], 0, (size_t)sp_set_dim(&j->p->set[i]) * sizeof *s->P);
        }
    }
    return 1;
}

/* A clean sheet. */
static void clear(sp_fc_solution *s)
{
    s->result = SP_FC_NOT_SOLVED;
    s->residual = s->residual_fclib = NAN;
    s->n_island = s->largest = 0;
    s->iterations = s->sweeps = s->factorisations = 0;
    s->rank_lost = s->motion_unique = -1;
    s->path[0] = '\0';
}

/* Both residuals of s->P from the problem itself. */
static sp_status measure(const sp_fc *p, sp_fc_solution *s, sp_fc_stack *stack, sp_error *err)
{
    const sp_fc_mark mark = sp_fc_note(stack);
    const size_t n_dof = p->G.start ? 0 : (size_t)p->F.dof[p->F.n_body];
    double *rho = SP_TAKE(stack, double, p->n_contact),
           *size = SP_TAKE(stack, double, p->n_contact);
    double *xi = SP_TAKE(stack, double, p->n), *scratch = SP_TAKE(stack, double, 2 * n_dof);
    if (stack->failed) {
        return SP_FAIL(err, SP_E_MEMORY, "contact problem: out of memory");
    }
    sp_fc_velocity(p, s->P, xi, scratch);
    const double worth = sp_fc_sizes(p, s->P, scratch + n_dof, rho, size);
    sp_fc_residuals(p, s->P, xi, size, rho, worth, &s->residual, &s->residual_fclib);
    sp_fc_release(stack, mark);
    return SP_OK;
}

/* Result and status by the residual that counts. */
static sp_status conclude(const job *j, sp_error *err)
{
    const double residual = j->o->measure == SP_FC_FCLIB ? j->s->residual_fclib : j->s->residual;
    if (residual <= j->tol) {
        j->s->result = j->s->rank_lost > 0 ? SP_FC_NOT_UNIQUE : SP_FC_SOLVED;
        return SP_OK;
    }
    j->s->result = SP_FC_NOT_SOLVED;
    return SP_FAIL(err, SP_E_NOT_CONVERGED,
                   "contact problem: residual %.2e after %ld iterations (%s), expected %.1e",
                   residual, j->s->iterations, j->s->path, j->tol);
}

/* Every block of G must be there once; seen: n_contact numbers of scratch. */
static sp_status check_once(const sp_fc *p, int *seen, sp_error *err)
{
    for (int i = 0; i < p->n_contact; i++) {
        seen[i] = -1;
    }
    for (int i = 0; i < p->n_contact; i++) {
        for (int k = p->G.start[i]; k < p->G.start[i + 1]; k++) {
            if (seen[p->G.column[k]] == i) {
                return SP_FAIL(err, SP_E_INPUT, "contact %d: two blocks of G in column %d", i,
                               p->G.column[k]);
            }
            seen[p->G.column[k]] = i;
        }
    }
    return SP_OK;
}

/* Split, solve, put together; p->G is there. */
static sp_status solve_islands(job *j, int threads, struct sp_fc_memory *m, sp_error *err)
{
    const sp_fc *p = j->p;
    sp_fc_stack *stack = &m->stack[0];
    const size_t nc = (size_t)p->n_contact;
    int *index = SP_TAKE(stack, int, 4 * nc + 1);
    if (stack->failed) {
        return SP_FAIL(err, SP_E_MEMORY, "contact problem: out of memory");
    }
    int *parent = index, *order = index + nc, *local = index + 2 * nc, *first = index + 3 * nc;
    SP_TRY(check_once(p, parent, err));
    j->n_island = sp_fc_islands(&p->G, p->n_contact, parent, order, first, local);
    j->order = order;
    j->first = first;
    j->local = local;
    j->end = SP_TAKE(stack, island_end, j->n_island);
    if (stack->failed) {
        return SP_FAIL(err, SP_E_MEMORY, "contact problem: out of memory");
    }
    do_all(j, threads < j->n_island ? threads : j->n_island, m);
    if (atomic_load(&j->failed)) {
        return SP_FAIL(err, SP_E_MEMORY, "contact problem: out of memory");
    }
    write_path(j, j->s);
    const int infeasible = sum_up(j, j->s);
    SP_TRY(measure(p, j->s, stack, err));
    if (infeasible) {
        j->s->result = SP_FC_INFEASIBLE;
        return SP_FAIL(err, SP_E_INFEASIBLE, "contact problem: no solution exists, P is the proof");
    }
    return conclude(j, err);
}

/* The whole problem in velocity form. */
static sp_status solve_pile(job *j, int threads, struct sp_fc_memory *m, sp_error *err)
{
    const sp_fc *p = j->p;
    sp_fc_stack *stack = &m->stack[0];
    const sp_fc_mark mark = sp_fc_note(stack);
    sp_fc_pile q;
    sp_fc_goal g = {j->o->measure,
                    0.9 * j->tol,
                    j->c_norm,
                    j->o->effort > 0.0 ? j->o->effort : 1.0,
                    j->deadline,
                    0,
                    0,
                    0};
    for (int k = 0; k < p->n; k++) {
        j->s->P[k] = j->o->warm && isfinite(j->s->P[k]) ? j->s->P[k] : 0.0;
    }
    if (!sp_fc_pile_build(p, threads, stack, &q) ||
        isnan(sp_fc_pile_solve(&q, &g, j->s->P, stack))) {
        return SP_FAIL(err, SP_E_MEMORY, "contact problem: out of memory");
    }
    sp_fc_pile_status(&q, j->s->P, j->s->status);
    sp_fc_release(stack, mark);
    j->s->sweeps = j->s->iterations = g.sweeps;
    j->s->n_island = 1;
    j->s->largest = p->n_contact;
    add_to_path(j->s, 0, "pile", 1);
    SP_TRY(measure(p, j->s, stack, err));
    return conclude(j, err);
}

/* |c| and what it is worth. */
static sp_status know_c(job *j, sp_fc_stack *stack, sp_error *err)
{
    const sp_fc_mark mark = sp_fc_note(stack);
    const size_t n_dof = j->p->G.start ? 0 : (size_t)j->p->F.dof[j->p->F.n_body];
    double *rho = SP_TAKE(stack, double, j->p->n_contact);
    double *size = SP_TAKE(stack, double, j->p->n_contact), *v = SP_TAKE(stack, double, n_dof);
    if (stack->failed) {
        return SP_FAIL(err, SP_E_MEMORY, "contact problem: out of memory");
    }
    memset(v, 0, n_dof * sizeof *v);
    sp_fc_sizes(j->p, j->p->c, v, rho, size);
    sizes_of_c(j, rho);
    sp_fc_release(stack, mark);
    return SP_OK;
}

/* Velocity form first where it pays, then islands. */
static sp_status solve_all(job *j, const solver *pile, int threads, struct sp_fc_memory *m,
                           sp_error *err)
{
    const sp_fc *p = j->p;
    const int fits = sp_fc_pile_fits(p), only_pile = j->only == pile;
    sp_fc with_G = *p;
    sp_fc_options warm = *j->o;
    if (only_pile && !fits) {
        return SP_FAIL(err, SP_E_INPUT,
                       "solver 'pile' needs the factors of G, two bodies per contact at most");
    }
    SP_TRY(know_c(j, &m->stack[0], err));
    if (fits && (only_pile || (!j->only && p->n_contact > PILE_FROM))) {
        const sp_status end = solve_pile(j, threads, m, err);
        if (end != SP_E_NOT_CONVERGED || only_pile || (!p->G.start && p->n_contact > FORM_MOST)) {
            return end;
        }
        warm.warm = 1;
        j->o = &warm;
    }
    if (!p->G.start) {
        SP_TRY(sp_fc_form(&with_G, &m->formed, err));
        j->p = &with_G;
    }
    const long sweeps = j->s->sweeps;
    clear(j->s); /* what the velocity form has cost stays */
    j->s->sweeps = j->s->iterations = sweeps;
    return solve_islands(j, threads, m, err);
}

sp_status sp_fc_solve(const sp_fc *p, const sp_fc_options *o, sp_fc_solution *s, sp_fc_work *w,
                      sp_error *err)
{
    int known;
    clear(s);
    const solver *only = find_solver(o->solver, &known);
    if (!known) {
        return SP_FAIL(err, SP_E_INPUT, "solver '%s' is unknown, expected auto, nsgs, newton, ...",
                       o->solver);
    }
    if (!(o->tol >= 0.0) || !(o->effort >= 0.0) || !(o->seconds >= 0.0)) {
        return SP_FAIL(err, SP_E_INPUT, "tol = %g, effort = %g, seconds = %g, expected >= 0",
                       o->tol, o->effort, o->seconds);
    }
    SP_TRY(sp_fc_check(p, err));
    if (p->n_contact == 0) {
        s->residual = s->residual_fclib = 0.0;
        s->result = SP_FC_SOLVED;
        return SP_OK;
    }
    const int threads = o->threads < 1 ? 1 : o->threads > MOST_THREADS ? MOST_THREADS : o->threads;
    SP_TRY(prepare(w, threads, err));
    job j = {.p = p, .o = o, .s = s, .only = only};
    j.tol = o->tol > 0.0 ? o->tol : o->measure == SP_FC_FCLIB ? 1e-8 : 1e-10;
    j.deadline = o->seconds > 0.0 ? sp_fc_clock() + o->seconds : 0.0;
    return solve_all(&j, &SOLVERS[PILE], threads, w->memory, err);
}
