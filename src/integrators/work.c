#include "integrators/work.h"

#include "base/status.h"
#include "contact/motion.h"
#include "contact/multiplier.h"
#include "contact/rule.h"
#include "integrators/friction.h"
#include "integrators/grips.h"
#include "integrators/loads.h"
#include "solvers/solutions.h"

#include <limits.h>
#include <string.h>

/* More contacts closed at once than this are too many for the direct solver of small problems,
 * which is dense: they are solved without a dense matrix, by factors. */
enum { DENSE_MOST = 256 };

/* Largest number of degrees of freedom between a body and the ground. */
static int deepest(const sp_model *m)
{
    int most = 0;
    for (int k = 0; k < m->n_dof; k++) {
        most = m->dof[k].depth + 1 > most ? m->dof[k].depth + 1 : most;
    }
    return most;
}

/* Largest number of degrees of freedom that move one slot. */
static int longest_support(const sp_model *m)
{
    int longest = 1;
    for (int i = 0; i < m->n_slot + m->n_bond; i++) {
        const sp_slot *s = &m->slot[i];
        const int *sup;
        int n;
        if (s->is.rule) {
            n = sp_rule_support(m, i, &sup);
        } else if (s->is.pooled) {
            n = 2 * deepest(m);
        } else {
            const int a = m->body[s->body_a].last_dof, b = m->body[s->body_b].last_dof;
            n = (a == SP_NONE ? 0 : m->dof[a].depth + 1) + (b == SP_NONE ? 0 : m->dof[b].depth + 1);
        }
        longest = n > longest ? n : longest;
    }
    return longest < m->n_dof ? longest : (m->n_dof > 0 ? m->n_dof : 1);
}

#define ROOM(field, type, n) ok = ((field) = SP_NEW(a, type, (n))) != NULL && ok

static bool make_rooms(const sp_model *m, sp_work *w)
{
    sp_arena *a = &w->arena;
    bool ok = sp_kin_alloc(a, m, &w->kin) && sp_dyn_alloc(a, m, SP_DYN_MASS, &w->dyn);
    double **vectors[] = {&w->u_E, &w->u_bar, &w->h_dt,  &w->b,       &w->du,     &w->M_du,
                          &w->WP,  &w->size2, &w->con.z, &w->du_held, &w->M_held, &w->reaction};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) {
        ROOM(*vectors[k], double, m->n_dof);
    }
    ROOM(w->q, double, m->n_q);
    ROOM(w->held, unsigned char, m->n_dof);
    ROOM(w->bond_P, double, m->n_bond);
    ROOM(w->book, double, m->n_book);
    ROOM(w->line, double, m->n_line *SP_LINE_COLUMNS);
    ROOM(w->g_E, double, m->n_slot);
    ROOM(w->q_E, double, m->n_q);
    w->event_room = SP_EVENTS_PER_SLOT * (m->n_slot > 0 ? m->n_slot : 1);
    ROOM(w->event, sp_event, (size_t)w->event_room);
    ROOM(w->contact, sp_contact_record, m->n_slot);
    ROOM(w->pose, double, m->n_body *sp_pose_columns(m->dim));
    ROOM(w->velocity, double, m->n_body *sp_velocity_columns(m->dim));
    ROOM(w->output, double, m->n_output);
    return ok;
}

bool sp_work_make_dense(const sp_model *m, sp_work *w)
{
    sp_arena *a = &w->arena;
    sp_con *con = &w->con;
    const int n = (m->n_slot < DENSE_MOST ? m->n_slot : DENSE_MOST) + m->n_bond;
    const size_t rows = (size_t)m->layout.contact_rows * (size_t)n;
    bool ok = true;
    if (con->room_most == 0 && n > 0) {
        ROOM(con->G_room, double, rows *rows);
        w->sol.work = sp_arena_alloc(a, sp_solutions_work(n, (int)rows) + 1, 1);
        ok = ok && w->sol.work;
        con->room_most = ok ? n : 0;
    }
    return ok;
}

static bool make_contact_rooms(const sp_model *m, sp_work *w)
{
    sp_arena *a = &w->arena;
    sp_con *con = &w->con;
    bool ok = sp_con_alloc(a, m, &w->dyn, con);
    const bool many = m->n_slot > DENSE_MOST;
    con->capacity = m->n_slot + m->n_bond;
    con->stride = longest_support(m);
    con->disc = m->layout.contact_rows > 2;
    const size_t n = (size_t)con->capacity, stride = (size_t)con->stride;
    const size_t rows = (size_t)m->layout.contact_rows * n;
    ROOM(con->active, int, n);
    ROOM(con->row, int, n + 1);
    ROOM(con->set, sp_set, n);
    ROOM(con->frame, sp_contact_frame, n);
    if (m->dim == 3) {
        ROOM(con->frame3, sp_contact_frame3, n);
    }
    ROOM(con->n_sup, int, n);
    ROOM(con->sup, int, n *stride);
    ROOM(con->W, double, rows *stride);
    ROOM(con->Y, double, rows *stride);
    ROOM(con->YD, double, rows *stride);
    if (m->dim != 3 || !many) {
        ok = sp_work_make_dense(m, w) && ok;
        con->dense_most = con->room_most;
        con->G = con->G_room;
    }
    double **by_row[] = {&con->w_tilde, &con->eps,       &con->ahead,     &w->sol.c,   &w->sol.P,
                         &w->sol.xi,    &w->sol.gamma_A, &w->sol.gamma_E, &w->sol.free};
    for (size_t k = 0; k < sizeof by_row / sizeof *by_row; k++) {
        ROOM(*by_row[k], double, rows);
    }
    ROOM(w->sol.rho, double, n);
    ROOM(w->sol.status, unsigned char, n);
    ROOM(w->hit, sp_hit, n);
    if (m->layout.speeds) {
        ROOM(w->friction, sp_friction, n);
    }
    ok = sp_grips_room(m, w) && ok;
    if (many || con->stride > SP_MULTIPLIER_ROWS) { /* rows of long trees are many soon */
        ok = sp_sparse_alloc(a, m, con, &w->sol.sparse) && ok;
    }
    return ok;
#undef ROOM
}

sp_status sp_work_new(const sp_model *m, const sp_allocator *allocator, sp_work **work,
                      sp_error *err)
{
    *work = NULL;
    sp_arena arena;
    sp_arena_init(&arena, allocator, 0);
    sp_work *w = SP_NEW(&arena, sp_work, 1);
    if (w) {
        w->arena = arena;
        sp_arena_init(&w->events, allocator, 0);
    }
    if (!w || !make_rooms(m, w) || !make_contact_rooms(m, w)) {
        sp_arena_free(w ? &w->arena : &arena);
        return SP_FAIL(err, SP_E_MEMORY,
                       "no memory for the work of a model with %d degrees of "
                       "freedom and %d contacts",
                       m->n_dof, m->n_slot);
    }
    w->sol.space.allocator = &w->arena.allocator;
    sp_motion_held(m, w->held);
    *work = w;
    return SP_OK;
}

void sp_work_free(sp_work *work)
{
    if (work) {
        sp_arena arena = work->arena; /* the struct lies in it */
        sp_loads_free(work->load);
        sp_fc_work_free(&work->sol.space);
        sp_arena_free(&work->events);
        sp_arena_free(&arena);
    }
}

void sp_work_add_reactions(const sp_model *m, sp_work *w)
{
    for (int i = 0; i < m->n_motion; i++) {
        const int k = m->motion[i].dof;
        w->size2[k] += w->reaction[k] * w->reaction[k];
    }
}

void sp_work_doubt(sp_work *w, sp_doubt_kind kind, double t, double size, const char *place)
{
    sp_doubt_add(&w->doubt[kind], t, size, place);
    w->doubtful = true;
}

void sp_work_name_worst(sp_work *w)
{
    int *at = &w->certificate.at;
    *at = *at > 0 ? 1 + w->con.active[*at - 1] : 0;
}

#define PATIENCE 2.0 /* times the usual effort for a problem that was not solved at first */
#define NEARLY   (100.0 * SP_CERTIFIED) /* residual that is no reason to end a run: a doubt      */
#define FINE     (0.2 * SP_CERTIFIED)   /* the same where a shorter step is left: certified      */

/* Of the terms that velocities are sums of: what they are relative to at least.  Certificates go
 * down to 1e-5 and allow 1e-8; so 1e-10 with factors is 1e-10 there, and the 1e-11 (1e-10 at worst)
 * of dense problems 1e-10 (1e-9), which is 1e-15 (1e-14) of the terms. */
#define SPARSE_FLOOR SP_VELOCITY_FLOOR
#define DENSE_FLOOR  (10.0 * SP_VELOCITY_FLOOR)

/* The scale of velocities for problems in space, whose solver stops at its tolerance: what the
 * contacts see, as certificates do, but not below what round-off leaves room for. */
static double fine_scale(const sp_sol *sol, double part)
{
    const double least = part * sol->xi_scale;
    const double scale = sol->xi_local > least ? sol->xi_local : least;
    return scale < sol->xi_scale ? scale : sol->xi_scale;
}

/* The same without G, by its factors; from the percussions of the step before. */
static sp_status solve_sparse(sp_work *w, sp_effort effort, sp_solution *solution, sp_error *err)
{
    const bool strict = effort == SP_EFFORT_STRICT;
    const sp_con *con = &w->con;
    if (con->spreads) {
        return SP_FAIL(err, SP_E_CAPACITY,
                       "an implicit step takes at most 256 closed contacts, "
                       "there are %d; take 'implicit: no' and a shorter step",
                       con->n_active);
    }
    const sp_fc problem = {.n_contact = con->n_active,
                           .n = con->n_row,
                           .set = con->set,
                           .row = con->row,
                           .c = w->sol.c,
                           .F = sp_sparse_fill(&w->dyn, con, &w->sol.sparse),
                           .xi_scale = fine_scale(&w->sol, SPARSE_FLOOR)};
    sp_fc_options options = {.warm = 1, .quick = strict};
    sp_fc_solution s = {.P = w->sol.P, .status = w->sol.status};
    *solution = (sp_solution){.P = w->sol.P, .status = w->sol.status, .method = "sparse"};
    sp_status status = sp_fc_solve(&problem, &options, &s, &w->sol.space, err);
    if (status == SP_E_NOT_CONVERGED && !strict) { /* once more, from nothing, with patience */
        options = (sp_fc_options){.effort = PATIENCE};
        status = sp_fc_solve(&problem, &options, &s, &w->sol.space, err);
    }
    if (status == SP_E_NOT_CONVERGED && s.residual <= (strict ? FINE : NEARLY)) {
        status = SP_OK;
    }
    solution->residual = s.residual;
    solution->pivots = (int)(s.iterations < INT_MAX ? s.iterations : INT_MAX);
    solution->result = status == SP_OK             ? SP_SOLVED
                       : status == SP_E_INFEASIBLE ? SP_INFEASIBLE
                                                   : SP_NOT_SOLVED;
    sp_watch_show(w->watch, w->level, NULL, &problem, solution);
    return status;
}

/* The problem with its G. */
static sp_problem dense_problem(sp_work *w, sp_effort effort)
{
    const sp_con *con = &w->con;
    return (sp_problem){.n_contact = con->n_active,
                        .n = con->n_row,
                        .set = con->set,
                        .row = con->row,
                        .G = con->G,
                        .ld = con->n_row,
                        .c = w->sol.c,
                        .xi_scale = fine_scale(&w->sol, DENSE_FLOOR),
                        .space = &w->sol.space,
                        .quick = effort == SP_EFFORT_STRICT};
}

/* Without G by multipliers; false: by other means, with G if there is room for it.   theory (76.1)
 */
static bool solve_by_multipliers(sp_work *w, sp_effort effort, sp_solution *solution)
{
    sp_con *con = &w->con;
    const sp_multiplier_ask ask = {&w->dyn, w->held, w->sol.c, fine_scale(&w->sol, DENSE_FLOOR)};
    *solution = (sp_solution){.P = w->sol.P, .status = w->sol.status};
    const bool found = sp_multiplier_solve(&ask, con, solution);
    if (!found || w->watch) {
        sp_multiplier_give_up(con);
    }
    const bool other = !found && con->multiplier->apart && w->sol.sparse.H; /* cheaper, of many */
    if (con->n_active <= con->dense_most && (!found || w->watch) && !other) {
        sp_con_form_G(con);
    }
    if (found && con->G) {
        const sp_problem seen = dense_problem(w, effort);
        sp_watch_show(w->watch, w->level, &seen, NULL, solution);
    }
    return found;
}

sp_status sp_work_solve(sp_work *w, sp_effort effort, sp_solution *solution, sp_error *err)
{
    if (!w->con.G && sp_multiplier_takes(&w->con) && solve_by_multipliers(w, effort, solution)) {
        return SP_OK;
    }
    const bool strict = effort == SP_EFFORT_STRICT;
    if (!w->con.G && w->con.n_active > 0) {
        const sp_status status = solve_sparse(w, effort, solution, err);
        if (status == SP_OK || w->con.n_active > w->con.dense_most) {
            return status;
        }
        sp_con_form_G(&w->con);
    }
    const sp_con *con = &w->con;
    sp_problem problem = dense_problem(w, effort);
    *solution = (sp_solution){.P = w->sol.P, .status = w->sol.status};
    sp_status status = sp_solve(&problem, solution, w->sol.work, err);
    const double least = strict && con->disc ? FINE : effort == SP_EFFORT_LENIENT ? NEARLY : 0.0;
    if (status == SP_E_NOT_CONVERGED && !(solution->residual <= least) &&
        problem.xi_scale < w->sol.xi_scale) {
        problem.xi_scale = w->sol.xi_scale;
        status = sp_solve(&problem, solution, w->sol.work, err);
    }
    if (status == SP_E_NOT_CONVERGED && solution->residual <= least) {
        solution->result = SP_SOLVED;
        status = SP_OK;
    }
    sp_watch_show(w->watch, w->level, &problem, NULL, solution);
    return status;
}
