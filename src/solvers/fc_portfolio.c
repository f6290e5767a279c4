/* sp_fc_solve: split into islands, solve each with the cheapest method that reaches the goal, fall
 * back along a chain, return the best iterate with an honest status. */
#include "solvers/fc_few.h"
#include "solvers/fc_pile.h"
#include "solvers/fc_residual.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>
#include <threads.h>

/* Problems with factors and more contacts than this begin in velocity form; without G and more than
 * that many they end there. */
enum { MOST_THREADS = 64, PILE_FROM = 1500, FORM_MOST = 30000 };

/* All that the threads of one solve share. */
typedef struct job {
    const sp_fc *p;
    const sp_fc_options *o;
    sp_fc_solution *s;
    const sp_fc_solver *only; /* NULL: auto */
    double tol, c_norm, worth, deadline;
    double *rho; /* n_contact, see sp_fc_scales */
    int *diag;   /* n_contact                   */
    int n_island;
    const int *order, *first, *local;
    sp_fc_end *end;
    atomic_int next, failed;
} job;

struct sp_fc_memory {
    sp_fc_stack stack[MOST_THREADS];
    int n_stack;
    sp_arena formed; /* G made from factors, of the last solve */
};

/* What is asked of n_contact contacts. */
static sp_fc_goal goal_of(const job *j, int n_contact)
{
    const sp_fc_goal all = {.measure = j->o->measure,
                            .tol = j->tol,
                            .enough = j->o->enough,
                            .c_norm = j->c_norm,
                            .effort = j->o->effort > 0.0 ? j->o->effort : 1.0,
                            .deadline = j->deadline};
    return sp_fc_share(all, n_contact, j->p->n_contact);
}

/* Try the quick way of few contacts; 1 if they are solved. */
static int do_few(const job *j, int n_contact, const int *contact, sp_fc_end *end)
{
    const sp_fc_few few = {j->p, n_contact, contact, j->local, j->diag, j->rho, j->worth};
    if (j->only || j->o->analyse || !sp_fc_small_fits(&few)) {
        return 0;
    }
    sp_fc_goal g = goal_of(j, n_contact);
    sp_fc_verdict verdict; /* measure() has its own for all */
    return sp_fc_small(&few, &g, j->o->guess ? j->s->status : NULL, j->s->P, &verdict, end);
}

/* Take island k out of the problem, solve it, put it back. */
static void do_island(job *j, int k, sp_fc_stack *stack)
{
    const sp_fc *q = j->p;
    const sp_fc_mark mark = sp_fc_note(stack);
    const int *contact = j->order + j->first[k], n_contact = j->first[k + 1] - j->first[k];
    sp_fc_island l;
    if (do_few(j, n_contact, contact, &j->end[k])) {
        return;
    }
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
    for (int i = 0; i < n_contact; i++) {
        status[i] = j->o->guess ? j->s->status[contact[i]] : (unsigned char)SP_STATUS_UNKNOWN;
        for (int a = l.row[i]; a < l.row[i + 1]; a++) {
            p[a] = j->s->P[q->row[contact[i]] + a - l.row[i]] / l.d[i];
        }
    }
    sp_fc_goal g = goal_of(j, n_contact);
    const sp_fc_way way = {j->only, j->o->analyse, j->o->guess, j->o->quick};
    j->end[k] = sp_fc_solve_island(&l, &g, &way, status, p, u, stack);
    for (int i = 0; i < n_contact; i++) {
        for (int a = l.row[i]; a < l.row[i + 1]; a++) {
            j->s->P[q->row[contact[i]] + a - l.row[i]] = l.d[i] * p[a];
        }
    }
    if (stack->failed) {
        atomic_store(&j->failed, 1);
    }
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
    sp_arena_reset(&m->formed);
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

const char *sp_fc_solver_name(int k, const char **text)
{
    if (k < 0 || k >= SP_FC_N_SOLVER) {
        return NULL;
    }
    if (text) {
        *text = sp_fc_solvers[k].text;
    }
    return sp_fc_solvers[k].name;
}

/* The solver of this name; NULL with *known = 0 if there is none. */
static const sp_fc_solver *find_solver(const char *name, int *known)
{
    *known = 1;
    for (int k = 0; name && k < SP_FC_N_SOLVER; k++) {
        if (strcmp(name, sp_fc_solvers[k].name) == 0) {
            return k == SP_FC_AUTO ? NULL : &sp_fc_solvers[k];
        }
    }
    *known = name == NULL;
    return NULL;
}

/* Add the number of islands that went through the methods of this bit; all: the bits of all. */
static int add_used(const job *j, int all, int bit, const char *name, int at)
{
    int count = 0;
    for (int k = 0; (all & bit) && k < j->n_island; k++) {
        count += (j->end[k].used & bit) != 0;
    }
    return sp_fc_path_add(j->s->path, at, name, count);
}

/* "start 20, sweeps 12, newton 3": islands by the methods they went through. */
static void write_path(const job *j)
{
    int all = 0;
    for (int k = 0; k < j->n_island; k++) {
        all |= j->end[k].used;
    }
    int at = add_used(j, all, SP_FC_BY_START, "start", 0);
    at = add_used(j, all, SP_FC_BY_GUESS, "guess", at);
    at = add_used(j, all, SP_FC_BY_LOCAL, "local", at);
    at = add_used(j, all, SP_FC_BY_SWEEPS, "sweeps", at);
    for (int m = 1; all >> m & (SP_FC_BY_START - 1) >> m && m < SP_FC_N_SOLVER; m++) {
        at = add_used(j, all, 1 << m, sp_fc_solvers[m].name, at);
    }
}

/* Sum up the islands; 1 if one of them is infeasible, and then P is zero outside of it. */
static int sum_up(const job *j, sp_fc_solution *s)
{
    int infeasible = -1;
    for (int k = 0; k < j->n_island; k++) {
        const sp_fc_end *e = &j->end[k];
        const int size = j->first[k + 1] - j->first[k];
        s->sweeps += e->sweeps;
        s->iterations += e->sweeps + e->steps;
        s->factorisations += e->factorisations;
        s->no_solution |= e->none;
        s->n_island += e->used != SP_FC_BY_START;
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
    s->no_solution = 0;
    s->rank_lost = s->motion_unique = -1;
    s->path[0] = '\0';
}

/* Both residuals of P from the problem itself, and what every contact does. */
static sp_status measure(const job *j, sp_fc_stack *stack, sp_error *err)
{
    const sp_fc *p = j->p;
    sp_fc_solution *s = j->s;
    const sp_fc_mark mark = sp_fc_note(stack);
    const size_t n_dof = p->G.start ? 0 : (size_t)p->F.dof[p->F.n_body];
    double *terms = SP_TAKE(stack, double, p->n_contact);
    double *xi = SP_TAKE(stack, double, p->n), *scratch = SP_TAKE(stack, double, 2 * n_dof);
    if (stack->failed) {
        return SP_FAIL(err, SP_E_MEMORY, "contact problem: out of memory");
    }
    sp_fc_velocity_terms(p, s->P, xi, terms, scratch);
    sp_fc_residuals(p, s->P, xi, terms, j->rho, j->worth, &s->residual, &s->residual_fclib);
    for (int i = 0; i < p->n_contact; i++) {
        double *u = xi + p->row[i];
        for (int a = 0; a < sp_set_dim(&p->set[i]); a++) {
            u[a] *= j->rho[i];
        }
        s->status[i] = sp_fc_contact_status(&p->set[i], s->P + p->row[i], u);
    }
    sp_fc_release(stack, mark);
    return SP_OK;
}

/* Result and status by the residual that counts. */
static sp_status conclude(const job *j, sp_error *err)
{
    const double residual = j->o->measure == SP_FC_FCLIB ? j->s->residual_fclib : j->s->residual;
    if (residual <= j->tol || residual <= j->o->enough) {
        j->s->result = j->s->rank_lost > 0 ? SP_FC_NOT_UNIQUE : SP_FC_SOLVED;
        return SP_OK;
    }
    j->s->result = SP_FC_NOT_SOLVED;
    if (j->s->no_solution) {
        return SP_FAIL(err, SP_E_NOT_CONVERGED,
                       "contact problem: no solution exists, all that the contacts of an island "
                       "could do is proved impossible; least residual %.2e",
                       residual);
    }
    return SP_FAIL(err, SP_E_NOT_CONVERGED,
                   "contact problem: residual %.2e after %ld iterations (%s), expected %.1e",
                   residual, j->s->iterations, j->s->path, j->tol);
}

/* A block of G that is there twice. */
static sp_status say_twice(int i, int column, sp_error *err)
{
    return SP_FAIL(err, SP_E_INPUT, "contact %d: two blocks of G in column %d", i, column);
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
                return say_twice(i, p->G.column[k], err);
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
    j->end = SP_TAKE(stack, sp_fc_end, j->n_island);
    if (stack->failed) {
        return SP_FAIL(err, SP_E_MEMORY, "contact problem: out of memory");
    }
    do_all(j, threads < j->n_island ? threads : j->n_island, m);
    if (atomic_load(&j->failed)) {
        return SP_FAIL(err, SP_E_MEMORY, "contact problem: out of memory");
    }
    write_path(j);
    const int infeasible = sum_up(j, j->s);
    SP_TRY(measure(j, stack, err));
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
    sp_fc_goal g = {.measure = j->o->measure,
                    .tol = 0.9 * j->tol,
                    .c_norm = j->c_norm,
                    .effort = j->o->effort > 0.0 ? j->o->effort : 1.0,
                    .deadline = j->deadline};
    const int fits = p->F.start && sp_fc_pile_build(p, threads, stack, &q);
    if (!fits && !stack->failed) {
        return SP_FAIL(err, SP_E_INPUT,
                       "solver 'pile' needs the factors of G, of discs between rigid bodies");
    }
    if (!fits || isnan(sp_fc_pile_solve(&q, &g, j->s->P, stack))) {
        return SP_FAIL(err, SP_E_MEMORY, "contact problem: out of memory");
    }
    sp_fc_release(stack, mark);
    j->s->sweeps = j->s->iterations = g.sweeps;
    j->s->n_island = 1;
    j->s->largest = p->n_contact;
    sp_fc_path_add(j->s->path, 0, "pile", 1);
    SP_TRY(measure(j, stack, err));
    return conclude(j, err);
}

/* rho, |c| and what it is worth. */
static sp_status know_c(job *j, sp_fc_stack *stack, sp_error *err)
{
    double sum = 0.0;
    j->rho = SP_TAKE(stack, double, j->p->n_contact);
    j->diag = SP_TAKE(stack, int, j->p->n_contact);
    if (stack->failed) {
        return SP_FAIL(err, SP_E_MEMORY, "contact problem: out of memory");
    }
    j->worth = sp_fc_scales(j->p, j->rho, j->diag);
    for (int k = 0; k < j->p->n; k++) {
        sum += j->p->c[k] * j->p->c[k];
    }
    j->c_norm = sum > 0.0 ? sqrt(sum) : 1.0;
    return SP_OK;
}

/* By islands, with G from the factors if it is not there; what was done before stays counted. */
static sp_status solve_formed(job *j, int threads, struct sp_fc_memory *m, sp_error *err)
{
    sp_fc with_G = *j->p;
    const long sweeps = j->s->sweeps;
    if (!j->p->G.start) {
        SP_TRY(sp_fc_form(&with_G, &m->formed, err));
        j->p = &with_G;
        j->worth = sp_fc_scales(j->p, j->rho, j->diag);
    }
    clear(j->s);
    j->s->sweeps = j->s->iterations = sweeps;
    return solve_islands(j, threads, m, err);
}

/* Velocity form where it pays, islands. */
static sp_status solve_all(job *j, const sp_fc_solver *pile, int threads, struct sp_fc_memory *m,
                           sp_error *err)
{
    const sp_fc *p = j->p;
    const int only_pile = j->only == pile;
    SP_TRY(know_c(j, &m->stack[0], err));
    sp_fc_begin(p, j->o, j->s->P);
    if (only_pile || (!j->only && p->n_contact > PILE_FROM)) {
        const sp_status end = solve_pile(j, threads, m, err);
        const int far = end == SP_E_NOT_CONVERGED && (p->G.start || p->n_contact <= FORM_MOST);
        if (only_pile || (end != SP_E_INPUT && !far)) {
            return end;
        }
    }
    return solve_formed(j, threads, m, err);
}

/* Whether to try the whole problem at once in the way of few contacts. */
static int is_few(const sp_fc *p, const sp_fc_options *o, const sp_fc_solver *only)
{
    return !only && !o->analyse && p->n_contact > 0 && p->n_contact <= SP_FC_SMALL && p->G.start;
}

sp_status sp_fc_solve(const sp_fc *p, const sp_fc_options *o, sp_fc_solution *s, sp_fc_work *w,
                      sp_error *err)
{
    int known;
    clear(s);
    const sp_fc_solver *only = find_solver(o->solver, &known);
    if (!known) {
        return SP_FAIL(err, SP_E_INPUT, "solver '%s' is unknown, expected auto, nsgs, newton, ...",
                       o->solver);
    }
    if (!(o->tol >= 0.0) || !(o->enough >= 0.0) || !(o->effort >= 0.0) || !(o->seconds >= 0.0)) {
        return SP_FAIL(err, SP_E_INPUT,
                       "tol = %g, enough = %g, effort = %g, seconds = %g, expected >= 0", o->tol,
                       o->enough, o->effort, o->seconds);
    }
    const double tol = o->tol > 0.0 ? o->tol : o->measure == SP_FC_FCLIB ? 1e-8 : 1e-10;
    if (is_few(p, o, only)) {
        if (p->F.start) { /* not looked at there */
            SP_TRY(sp_fc_check(p, err));
        }
        if (sp_fc_solve_few(p, o, tol, s)) {
            return SP_OK;
        }
        clear(s);
    }
    SP_TRY(sp_fc_check(p, err));
    for (int i = 0; i < p->n_contact && !sp_fc_knows_balls(only); i++) {
        if (sp_set_is_ball(&p->set[i])) {
            return SP_FAIL(err, SP_E_INPUT,
                           "contact %d: solver '%s' knows discs only, expected auto, natural or "
                           "nsgs for its friction",
                           i, o->solver);
        }
    }
    if (p->n_contact == 0) {
        s->residual = s->residual_fclib = 0.0;
        s->result = SP_FC_SOLVED;
        return SP_OK;
    }
    const int threads = o->threads < 1 ? 1 : o->threads > MOST_THREADS ? MOST_THREADS : o->threads;
    SP_TRY(prepare(w, threads, err));
    job j = {.p = p, .o = o, .s = s, .only = only, .tol = tol};
    j.deadline = o->seconds > 0.0 ? sp_fc_clock() + o->seconds : 0.0;
    return solve_all(&j, &sp_fc_solvers[SP_FC_PILE], threads, w->memory, err);
}
