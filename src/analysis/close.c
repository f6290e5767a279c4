#include "analysis/close.h"

#include "contact/motion.h"
#include "integrators/moreau.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS = 100, HALVINGS = 12, ATTEMPTS = 8 };
#define TURN_MOST   0.3   /* no joint turns by more in one iteration [rad]          */
#define CLOSED      1e-10 /* a row that is off by more stays open [m, rad]          */
#define RATE_CLOSED 1e-9  /* the same for rates, of the velocities that are there   */

/* Start values that are velocities. */
static const bool is_rate[SP_START_COUNT] = {
    [SP_START_U] = true,           [SP_START_VX] = true,          [SP_START_VY] = true,
    [SP_START_VZ] = true,          [SP_START_OMEGA] = true,       [SP_START_OMEGA_X] = true,
    [SP_START_OMEGA_Y] = true,     [SP_START_OMEGA_Z] = true,     [SP_START_OMEGA_OWN_X] = true,
    [SP_START_OMEGA_OWN_Y] = true, [SP_START_OMEGA_OWN_Z] = true,
};

/* Whether a degree of freedom is one that turns a joint. */
static bool turns(const sp_model *m, int k)
{
    return m->dof[k].slide == SP_NONE && m->dof[k].body != SP_NONE &&
           m->dof[k].move != SP_MOVE_SHAPE;
}

/* Which degrees of freedom the file gave (velocities, or coordinates), or prescribes; with shapes
 * also those of bodies that deform. */
static void find_given(const sp_model *m, bool velocities, bool shapes, unsigned char *held)
{
    sp_motion_held(m, held);
    for (int k = 0; k < m->n_dof && shapes; k++) {
        held[k] = held[k] || m->dof[k].move == SP_MOVE_SHAPE;
    }
    for (int i = 0; i < m->n_motion && !velocities; i++) {
        held[m->motion[i].dof] = !m->motion[i].speed;
    }
    for (int i = 0; i < m->n_start; i++) {
        const sp_start_value *v = &m->start[i];
        if (is_rate[v->kind] != velocities || v->near) {
            continue;
        }
        if (sp_start_of_dof(v)) {
            held[v->index] = 1;
            continue;
        }
        const sp_body *b = &m->body[v->index]; /* given absolutely: its joint follows */
        for (int k = b->dof; k < b->dof + b->n_dof; k++) {
            held[k] = 1;
        }
    }
}

/* Parts that closing moves need a weight, not a mass: prescribed ones may have none. */
static void weigh_massless(const sp_model *m, double *L)
{
    for (int k = 0; k < m->n_dof; k++) {
        double *own = &L[m->layout.dof[k].row + m->layout.dof[k].depth];
        *own = *own > 0.0 ? *own : 1.0;
    }
}

/* Frames, M and its factor over what is not held, and the bilateral rows, at w->q. */
static sp_status look(const sp_model *m, const sp_state *x, const double *u, sp_work *w,
                      sp_error *err)
{
    sp_dyn_terms(m, x->numbers, x->t, w->q, u, &w->kin, &w->dyn);
    sp_dyn_form_mass(m, x->numbers, &w->kin, &w->dyn);
    sp_kin_velocities(m, u, &w->kin);
    weigh_massless(m, w->dyn.L);
    SP_TRY(sp_dyn_factor_held(m, w->held, &w->dyn, err));
    sp_con_at(x->t, 0.0, w->q, u, &w->con);
    sp_con_gaps(m, x->numbers, &w->kin, &w->con);
    SP_TRY(sp_con_activate_near(m, -INFINITY, &w->con, err));
    sp_con_directions(m, x->numbers, &w->kin, false, &w->con);
    sp_con_delassus(m, &w->dyn, &w->con);
    return SP_OK;
}

/* step = M^-1 W P with G P = -c; rows that depend on others are left to the residual. */
static sp_status find_step(const sp_model *m, double scale, sp_work *w, sp_error *err)
{
    const sp_con *con = &w->con;
    sp_solution solution;
    for (int a = 0; a < con->n_active; a++) {
        w->sol.status[a] = SP_STICK;
        w->sol.P[a] = 0.0;
    }
    w->sol.xi_scale = scale;
    const sp_status status = sp_work_solve(w, SP_EFFORT_USUAL, &solution, err);
    if (status != SP_OK && status != SP_E_INFEASIBLE && status != SP_E_NOT_CONVERGED) {
        return status;
    }
    if (status != SP_OK) { /* contradicting rows: go where the steepest descent leads */
        double size = 0.0;
        for (int r = 0; r < con->n_row; r++) {
            size += con->G[r * con->n_row + r];
        }
        for (int r = 0; r < con->n_row; r++) {
            w->sol.P[r] = size > 0.0 ? -w->sol.c[r] / size : 0.0;
        }
    }
    memset(w->b, 0, (size_t)m->n_dof * sizeof(double));
    for (int a = 0; a < con->n_active; a++) {
        sp_con_add(con, a, sp_con_row(con, con->Y, con->row[a]), w->sol.P[con->row[a]], w->b);
    }
    sp_dyn_solve_D_L(m, &w->dyn, w->b);
    return SP_OK;
}

/* How far the rows are off after the step in w->b, scaled by s, from q_0. */
static double try_step(const sp_model *m, const sp_state *x, const double *q_0, double s,
                       sp_work *w)
{
    memcpy(w->q, q_0, (size_t)m->n_q * sizeof(double));
    sp_kin_advance(m, s, w->b, w->q);
    sp_kin_positions(m, x->numbers, w->q, &w->kin);
    sp_con_at(x->t, 0.0, w->q, x->u, &w->con);
    sp_con_gaps(m, x->numbers, &w->kin, &w->con);
    return w->con.off;
}

/* The part of the step in w->b in which no joint turns by more than TURN_MOST: whole turns lead to
 * the same place, or to another way of assembling the machine. */
static double part_of_step(const sp_model *m, const sp_work *w)
{
    double largest = TURN_MOST;
    for (int k = 0; k < m->n_dof; k++) {
        largest = turns(m, k) ? fmax(largest, fabs(w->b[k])) : largest;
    }
    return TURN_MOST / largest;
}

/* Gauss and Newton with halving from w->q; q_0 has room for the coordinates.   theory (7.15) */
static sp_status descend(const sp_model *m, const sp_state *x, double *q_0, sp_work *w,
                         sp_error *err)
{
    for (int i = 0; i < ITERATIONS; i++) {
        SP_TRY(look(m, x, w->u_bar, w, err));
        const double off = w->con.off;
        if (!(off > SP_BOND_CORRECT)) {
            break;
        }
        for (int r = 0; r < w->con.n_row; r++) {
            w->sol.c[r] = w->con.g[w->con.active[r]];
        }
        SP_TRY(find_step(m, off, w, err));
        memcpy(q_0, w->q, (size_t)m->n_q * sizeof(double));
        double s = part_of_step(m, w), now = try_step(m, x, q_0, s, w);
        for (int k = 0; k < HALVINGS && !(now < off); k++) {
            s *= 0.5;
            now = try_step(m, x, q_0, s, w);
        }
        if (!(now < off)) {
            try_step(m, x, q_0, 0.0, w);
            break;
        }
    }
    return SP_OK;
}

/* Turn the joints that are free a little from x->q, another way in every attempt: a stretched
 * linkage cannot see to which side it should bend. */
static void bend(const sp_model *m, const sp_state *x, int attempt, sp_work *w)
{
    memcpy(w->q, x->q, (size_t)m->n_q * sizeof(double));
    for (int k = 0; k < m->n_dof; k++) {
        const double part = fmod(0.618033988749895 * (attempt * m->n_dof + k + 1), 1.0) - 0.5;
        w->b[k] = attempt > 0 && turns(m, k) && !w->held[k] ? 0.5 * attempt * part : 0.0;
    }
    sp_kin_advance(m, 1.0, w->b, w->q);
}

/* The coordinates that close all loops, near those of x: by joints alone, so that bodies keep the
 * shapes that the file gives them, if these can; else shapes give way, too.   theory (7.15) */
static sp_status close_positions(const sp_model *m, sp_state *x, double *q_0, sp_work *w,
                                 sp_error *err)
{
    memset(w->u_bar, 0, (size_t)m->n_dof * sizeof(double));
    for (int attempt = m->layout.mixed ? -ATTEMPTS : 0; attempt < ATTEMPTS; attempt++) {
        find_given(m, false, attempt < 0, w->held);
        bend(m, x, attempt < 0 ? attempt + ATTEMPTS : attempt, w);
        SP_TRY(descend(m, x, q_0, w, err));
        if (w->con.off <= CLOSED) {
            break;
        }
    }
    memcpy(x->q, w->q, (size_t)m->n_q * sizeof(double));
    return SP_OK;
}

/* Velocities of the bilateral rows at x->u into c; the largest, and the size of what they sum up.
 */
static double row_rates(const sp_state *x, sp_work *w, double *size)
{
    const sp_con *con = &w->con;
    double largest = 0.0;
    *size = 0.0;
    for (int a = 0; a < con->n_active; a++) {
        const int r = con->row[a];
        const double rate = sp_con_dot(con, a, r, x->u) + con->w_tilde[r];
        const double *W = sp_con_row(con, con->W, r);
        double sum = fabs(con->w_tilde[r]);
        for (int k = 0; k < con->n_sup[a]; k++) {
            sum += fabs(W[k] * x->u[sp_con_sup(con, a)[k]]);
        }
        *size = sum > *size ? sum : *size;
        w->sol.c[r] = rate;
        largest = fabs(rate) > largest ? fabs(rate) : largest;
    }
    return largest;
}

/* min |du|_M with W^T (u + du) + w~ = 0; left: what is not zero of it.   theory (7.16) */
static sp_status close_rates(const sp_model *m, bool shapes, sp_state *x, sp_work *w, double *left,
                             double *size, sp_error *err)
{
    find_given(m, true, shapes, w->held);
    for (int pass = 0; pass < 2; pass++) { /* the second one for round-off */
        SP_TRY(look(m, x, x->u, w, err));
        *left = row_rates(x, w, size);
        if (!(*left > 1e-15 * *size)) {
            return SP_OK;
        }
        SP_TRY(find_step(m, *size, w, err));
        for (int k = 0; k < m->n_dof; k++) {
            x->u[k] += w->b[k];
        }
    }
    SP_TRY(look(m, x, x->u, w, err));
    *left = row_rates(x, w, size);
    return SP_OK;
}

/* By joints alone, if that is enough. */
static sp_status close_velocities(const sp_model *m, sp_state *x, sp_work *w, double *left,
                                  double *size, sp_error *err)
{
    const size_t bytes = (size_t)m->n_dof * sizeof(double);
    *left = INFINITY;
    memcpy(w->u_bar, x->u, bytes);
    if (m->layout.mixed) {
        SP_TRY(close_rates(m, true, x, w, left, size, err));
    }
    if (!(*left <= RATE_CLOSED * *size)) {
        memcpy(x->u, w->u_bar, bytes);
        return close_rates(m, false, x, w, left, size, err);
    }
    return SP_OK;
}

/* What the row of a slot belongs to. */
static const char *noun(const sp_slot *slot)
{
    return slot->is.loop ? "joint" : "coupling";
}

/* Name the rows that stay open. */
static void report_open(const sp_model *m, const sp_con *con, sp_diag *diag)
{
    int last = SP_NONE;
    for (int i = 0; i < m->n_bond; i++) {
        const sp_slot *s = &m->slot[m->n_slot + i];
        const double off = con->g[m->n_slot + i];
        if (!(fabs(off) <= CLOSED) && s->contact != last) {
            last = s->contact;
            sp_diag_add(diag, SP_ERROR, m->contact[s->contact].place,
                        "%s '%s' cannot be closed: it stays off by %.3g (m or rad); what "
                        "'start' and motions give is held: give less there, or change the lengths",
                        noun(s), m->contact[s->contact].name, fabs(off));
        }
    }
}

/* Name the rows whose velocities contradict each other. */
static void report_rates(const sp_model *m, const sp_work *w, double size, sp_diag *diag)
{
    for (int i = 0; i < m->n_bond; i++) {
        const sp_slot *s = &m->slot[m->n_slot + i];
        if (!(fabs(w->sol.c[i]) <= RATE_CLOSED * size)) {
            sp_diag_add(
                diag, SP_ERROR, m->contact[s->contact].place,
                "%s '%s' is violated by the velocities that 'start' and motions give, by %.3g "
                "(m/s or rad/s); give fewer of them",
                noun(s), m->contact[s->contact].name, fabs(w->sol.c[i]));
            return;
        }
    }
}

sp_status sp_close_loops(const sp_model *m, const sp_allocator *allocator, sp_state *x,
                         sp_diag *diag)
{
    sp_work *w;
    sp_error err = {.text = ""};
    double left = 0.0, size = 0.0;
    if (m->n_bond == 0) {
        return SP_OK;
    }
    SP_TRY(sp_work_new(m, allocator, &w, NULL));
    double *q_0 = SP_NEW(&w->arena, double, m->n_q);
    sp_dyn_init(m, x->numbers, &w->dyn);
    sp_status status = q_0 ? close_positions(m, x, q_0, w, &err) : SP_E_MEMORY;
    if (status == SP_OK && !(w->con.off <= CLOSED)) {
        report_open(m, &w->con, diag);
        status = SP_E_INPUT;
    }
    if (status == SP_OK) {
        status = close_velocities(m, x, w, &left, &size, &err);
    }
    if (status == SP_OK && !(left <= RATE_CLOSED * size)) {
        report_rates(m, w, size, diag);
        status = SP_E_INPUT;
    }
    if (status != SP_OK && status != SP_E_INPUT) {
        sp_diag_add(diag, SP_ERROR, m->run.place, "start: loops could not be closed: %s", err.text);
    }
    sp_work_free(w);
    return status == SP_OK || status == SP_E_MEMORY ? status : SP_E_INPUT;
}
