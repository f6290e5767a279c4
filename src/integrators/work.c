#include "integrators/work.h"

#include "base/status.h"

#include <string.h>

/* More contacts closed at once than this are refused (SP_E_CAPACITY): the direct solver of small
 * problems is dense. */
enum { ACTIVE_MAX = 256 };

/* Largest number of degrees of freedom that move the two bodies of one slot. */
static int longest_support(const sp_model *m)
{
    int longest = 1;
    for (int i = 0; i < m->n_slot; i++) {
        const int a = m->body[m->slot[i].body_a].last_dof, b = m->body[m->slot[i].body_b].last_dof;
        const int n =
            (a == SP_NONE ? 0 : m->dof[a].depth + 1) + (b == SP_NONE ? 0 : m->dof[b].depth + 1);
        longest = n > longest ? n : longest;
    }
    return longest < m->n_dof ? longest : (m->n_dof > 0 ? m->n_dof : 1);
}

static bool make_rooms(const sp_model *m, sp_work *w)
{
    sp_arena *a = &w->arena;
    bool ok = true;
#define ROOM(field, type, n) ok = ((field) = SP_NEW(a, type, (n))) != NULL && ok
    ROOM(w->kin.frame, sp_frame, m->n_body);
    ROOM(w->kin.axis, sp_vec, m->n_dof);
    ROOM(w->dyn.M, double, m->n_packed);
    ROOM(w->dyn.L, double, m->n_packed);
    ROOM(w->dyn.D_inv, double, m->n_dof);
    ROOM(w->dyn.composite, sp_inertia, m->n_body);
    for (int s = 0; s < SP_SHARES; s++) {
        ROOM(w->dyn.h[s], double, m->n_dof);
        ROOM(w->dyn.wrench[s], sp_wrench, m->n_body);
    }
    ROOM(w->dyn.in, double, m->expr_input);
    ROOM(w->dyn.grad, double, m->expr_input);
    ROOM(w->dyn.work, double, m->expr_work);
    double **vectors[] = {&w->q,  &w->u_E,  &w->u_bar, &w->h_dt,  &w->b,
                          &w->du, &w->M_du, &w->WP,    &w->size2, &w->con.z};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) {
        ROOM(*vectors[k], double, m->n_dof);
    }
    ROOM(w->g_E, double, m->n_slot);
    ROOM(w->event, sp_event, 3 * (size_t)m->n_slot);
    ROOM(w->contact, sp_contact_record, m->n_slot);
    ok = (w->pose = sp_arena_alloc(a, (size_t)m->n_body, sizeof *w->pose)) != NULL && ok;
    ok = (w->velocity = sp_arena_alloc(a, (size_t)m->n_body, sizeof *w->velocity)) != NULL && ok;
    ROOM(w->output, double, m->n_output);
    return ok;
}

static bool make_contact_rooms(const sp_model *m, sp_work *w)
{
    sp_arena *a = &w->arena;
    sp_con *con = &w->con;
    bool ok = true;
    con->capacity = m->n_slot < ACTIVE_MAX ? m->n_slot : ACTIVE_MAX;
    con->stride = longest_support(m);
    const size_t n = (size_t)con->capacity, rows = 2 * n, stride = (size_t)con->stride;
    ROOM(con->vertex, sp_vec, m->n_vertex);
    ROOM(con->g, double, m->n_slot);
    ROOM(con->feature, int, m->n_slot);
    ROOM(con->hint, int, m->n_slot);
    ROOM(con->active, int, n);
    ROOM(con->row, int, n + 1);
    ROOM(con->set, sp_set, n);
    ROOM(con->frame, sp_contact_frame, n);
    ROOM(con->n_sup, int, n);
    ROOM(con->sup, int, n *stride);
    ROOM(con->W, double, rows *stride);
    ROOM(con->Y, double, rows *stride);
    ROOM(con->YD, double, rows *stride);
    ROOM(con->G, double, rows *rows);
    double **by_row[] = {&con->w_tilde, &con->eps,       &w->sol.c,       &w->sol.P,
                         &w->sol.xi,    &w->sol.gamma_A, &w->sol.gamma_E, &w->sol.free};
    for (size_t k = 0; k < sizeof by_row / sizeof *by_row; k++) {
        ROOM(*by_row[k], double, rows);
    }
    ROOM(w->sol.rho, double, n);
    ROOM(w->sol.status, unsigned char, n);
    ROOM(w->hit, sp_hit, n);
    w->sol.work = sp_arena_alloc(a, sp_solve_work(con->capacity, (int)rows) + 1, 1);
    return ok && w->sol.work;
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
    }
    if (!w || !make_rooms(m, w) || !make_contact_rooms(m, w)) {
        sp_arena_free(w ? &w->arena : &arena);
        return SP_FAIL(err, SP_E_MEMORY,
                       "no memory for the work of a model with %d degrees of "
                       "freedom and %d contacts",
                       m->n_dof, m->n_slot);
    }
    w->kin.frame[SP_GROUND].R = (sp_rot){1.0, 0.0};
    *work = w;
    return SP_OK;
}

void sp_work_free(sp_work *work)
{
    if (work) {
        sp_arena arena = work->arena; /* the struct lies in it */
        sp_arena_free(&arena);
    }
}

sp_status sp_work_solve(sp_work *w, sp_solution *solution, sp_error *err)
{
    const sp_con *con = &w->con;
    const sp_problem problem = {.n_contact = con->n_active,
                                .n = con->n_row,
                                .set = con->set,
                                .row = con->row,
                                .G = con->G,
                                .ld = con->n_row,
                                .c = w->sol.c,
                                .xi_scale = w->sol.xi_scale};
    *solution = (sp_solution){.P = w->sol.P, .status = w->sol.status};
    return sp_solve(&problem, solution, w->sol.work, err);
}
