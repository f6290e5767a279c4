/* integrators/adaptive_end.c - the extrapolated end of a step: its place, its contacts, its ledger.
 * theory (17.11), (17.15) */
#include "base/status.h"
#include "integrators/adaptive_parts.h"
#include "integrators/motion.h"

#include <string.h>

#define DEPENDENT                                                                                  \
    1e-10 /* of its entry of G: a pivot below is one of a row that depends on others */

void sp_trial_look(const sp_model *m, const sp_state *x, double dt, sp_work *w)
{
    sp_dyn_energies(m, x->numbers, w->t_E, w->q, w->u_E, &w->kin, &w->dyn, &w->energy);
    if (m->layout.extras) {
        sp_con_at(w->t_E, dt, w->q, w->u_E, &w->con);
    }
    sp_con_gaps(m, x->numbers, &w->kin, &w->con);
}

/* Whether the one row of a slot is that of friction, or of a threshold. */
static bool is_dry(const sp_model *m, int slot)
{
    return slot < m->n_slot && sp_con_is_dry(&m->slot[slot]);
}

/* Whether the rows of a slot hold, as far as contacts remember; a threshold holds its coordinate at
 * zero or does not hold at all. */
static bool holds(const sp_model *m, int slot, const sp_contact_memory *c)
{
    if (m->slot[slot].kind == SP_SLOT_THRESHOLD) {
        return c->state == SP_STATE_STICK;
    }
    return c->state != SP_STATE_OPEN && (is_dry(m, slot) || sp_contact_loaded(m, slot, c));
}

/* Which rows hold at the end: normal rows of loaded contacts and bilateral rows; of velocities also
 * the tangential ones of what sticks.  Into s->pick, what they are off by into w->sol.c; the
 * largest of these. */
static double pick_rows(const sp_model *m, const sp_contact_memory *contact, bool speeds,
                        sp_work *w, sp_stepper *s)
{
    const sp_con *con = &w->con;
    double off = 0.0;
    s->n_pick = 0;
    for (int a = 0; a < con->n_active; a++) {
        const int slot = con->active[a], r = con->row[a], n = con->row[a + 1] - r;
        const bool sticks = contact[slot].state == SP_STATE_STICK;
        const bool dry = is_dry(m, slot);
        for (int k = 0; k < n && k < m->dim; k++) {
            const bool all = slot >= m->n_slot || (k == 0 && !dry);
            if (speeds ? !all && !sticks : k > 0 || !isfinite(con->g[slot])) {
                continue;
            }
            const double g = slot < m->n_slot ? con->g[slot] : con->frame[a].g_N;
            w->sol.c[r + k] = speeds ? sp_con_dot(con, a, r + k, w->u_E) + con->w_tilde[r + k] : g;
            off = larger(off, fabs(w->sol.c[r + k]));
            s->pick[s->n_pick++] = r + k;
        }
    }
    return off;
}

/* The contacts of the end that hold, with their rows and G; how many.  A corner that has left its
 * edge is not put onto the next one. */
static int pose_rows(const sp_model *m, const sp_state *x, const sp_contact_memory *contact,
                     sp_work *w)
{
    sp_con *con = &w->con;
    con->n_active = con->n_row = 0;
    for (int i = 0; i < m->n_slot + m->n_bond; i++) {
        if (i >= m->n_slot ||
            (holds(m, i, &contact[i]) && !sp_con_has_left(m, x->numbers, con, i) &&
             con->n_active < con->capacity - m->n_bond)) {
            con->active[con->n_active++] = i;
        }
    }
    con->G = con->n_active <= con->dense_most ? con->G_room : NULL;
    if (con->n_active > 0) {
        sp_con_directions(m, x->numbers, &w->kin, con->G != NULL, con);
        sp_con_delassus(m, &w->dyn, con);
    }
    return con->n_active;
}

/* Exchange rows and columns i and k of A (n x n). */
static void exchange(int n, int i, int k, double *A)
{
    for (int j = 0; j < n && i != k; j++) {
        const double a = A[i * n + j];
        A[i * n + j] = A[k * n + j];
        A[k * n + j] = a;
    }
    for (int j = 0; j < n && i != k; j++) {
        const double a = A[j * n + i];
        A[j * n + i] = A[j * n + k];
        A[j * n + k] = a;
    }
}

/* A x = -b of a symmetric semidefinite matrix by elimination with pivots from the diagonal; rows
 * that depend on others get zero.
 *   A     (n x n)  in, overwritten
 *   pick  (n)      rows of b and P that those of A stand for, in, reordered
 *   top   (n)      scratch
 *   P              out, by rows; b is overwritten */
static void eliminate(int n, double *A, int *pick, double *top, double *b, double *P)
{
    int rank = 0;
    for (int i = 0; i < n; i++) {
        top[i] = A[i * n + i];
    }
    for (; rank < n; rank++) {
        int p = rank;
        for (int i = rank; i < n; i++) {
            p = A[i * n + i] * top[p] > A[p * n + p] * top[i] ? i : p;
        }
        if (!(A[p * n + p] > DEPENDENT * top[p])) {
            break;
        }
        exchange(n, rank, p, A);
        const int row = pick[rank];
        const double t = top[rank];
        pick[rank] = pick[p];
        pick[p] = row;
        top[rank] = top[p];
        top[p] = t;
        const double *pivot = A + (size_t)rank * (size_t)n;
        for (int i = rank + 1; i < n; i++) {
            const double l = A[i * n + rank] / pivot[rank];
            for (int j = rank + 1; j < n; j++) {
                A[i * n + j] -= l * pivot[j];
            }
            b[pick[i]] -= l * b[pick[rank]];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        double sum = i < rank ? -b[pick[i]] : 0.0;
        for (int j = i + 1; j < rank; j++) {
            sum -= A[i * n + j] * P[pick[j]];
        }
        P[pick[i]] = i < rank ? sum / A[i * n + i] : 0.0;
    }
}

/* The same without G: by the solver of contact problems, rows of normals alone. */
static sp_status solve_sparse(sp_work *w, double off, sp_error *err)
{
    sp_solution solution;
    for (int a = 0; a < w->con.n_active; a++) {
        w->con.set[a] = sp_set_free();
        w->sol.P[a] = 0.0;
        w->sol.status[a] = SP_STICK;
    }
    w->sol.xi_scale = off;
    return sp_work_solve(w, &solution, err);
}

/* w->b = M^-1 W P with P so that the rows picked are zero. */
static sp_status change_of(const sp_model *m, double off, sp_work *w, sp_stepper *s, sp_error *err)
{
    sp_con *con = &w->con;
    const int n = s->n_pick;
    if (con->G) {
        memset(w->sol.P, 0, (size_t)con->n_row * sizeof(double));
        for (int i = 0; i < n; i++) { /* rows rise: nothing is overwritten that is still needed */
            for (int j = 0; j < n; j++) {
                con->G[i * n + j] = con->G[s->pick[i] * con->n_row + s->pick[j]];
            }
        }
        eliminate(n, con->G, s->pick, s->top, w->sol.c, w->sol.P);
    } else {
        SP_TRY(solve_sparse(w, off, err));
    }
    memset(w->b, 0, (size_t)m->n_dof * sizeof(double));
    for (int a = 0; a < con->n_active; a++) {
        for (int r = con->row[a]; r < con->row[a + 1]; r++) {
            sp_con_add(con, a, sp_con_row(con, con->Y, r), w->sol.P[r], w->b);
        }
    }
    sp_dyn_solve_D_L(m, &w->dyn, w->b);
    return SP_OK;
}

sp_status sp_trial_settle(const sp_model *m, const sp_state *x, const sp_contact_memory *contact,
                          double dt, sp_work *w, sp_stepper *s, sp_error *err)
{
    if (m->n_slot + m->n_bond == 0 || pose_rows(m, x, contact, w) == 0) {
        return SP_OK;
    }
    double off = pick_rows(m, contact, false, w, s);
    if (off > SP_BOND_CORRECT) {
        SP_TRY(change_of(m, off, w, s, err));
        sp_kin_advance(m, 1.0, w->b, w->q);
        sp_trial_look(m, x, dt, w);
        pose_rows(m, x, contact, w);
    }
    off = pick_rows(m, contact, true, w, s);
    if (off > 0.0) {
        SP_TRY(change_of(m, off, w, s, err));
        for (int k = 0; k < m->n_dof; k++) {
            w->u_E[k] += w->b[k];
        }
        sp_trial_look(m, x, dt, w);
    }
    return SP_OK;
}

sp_status sp_trial_settle_state(const sp_model *m, double dt, sp_work *w, sp_stepper *s,
                                sp_state *y, sp_error *err)
{
    const double E = w->energy.kinetic + w->energy.potential;
    SP_TRY(sp_trial_settle(m, y, y->contact, dt, w, s, err));
    memcpy(y->q, w->q, (size_t)m->n_q * sizeof(double));
    memcpy(y->u, w->u_E, (size_t)m->n_dof * sizeof(double));
    memcpy(y->g, w->con.g, (size_t)m->n_slot * sizeof(double));
    y->ledger.projection += w->energy.kinetic + w->energy.potential - E;
    y->ledger.kinetic = w->energy.kinetic;
    y->ledger.quadratic = w->energy.quadratic;
    y->ledger.potential = w->energy.potential;
    return SP_OK;
}

/* Lines of the ledger are extrapolated like the states; what that moves is error of the steps.
 * theory (17.15) */
static void book(const sp_extrapolation *e, const sp_energy *end, sp_stepper *s, sp_ledger *l)
{
    const sp_ledger *part = s->ledger, old = *l;
#define EXTRAPOLATED(line)                                                                         \
    (e->end[0] * (part[0].line - old.line) + e->end[1] * (part[1].line - old.line) +               \
     e->end[2] * (part[2].line - old.line))
    const double change = end->kinetic + end->potential - old.kinetic - old.potential;
    l->dampers += EXTRAPOLATED(dampers);
    l->applied += EXTRAPOLATED(applied);
    l->friction += EXTRAPOLATED(friction);
    l->impacts += EXTRAPOLATED(impacts);
    l->driven += EXTRAPOLATED(driven);
    l->projection += EXTRAPOLATED(projection);
    l->balance += EXTRAPOLATED(balance);
    l->discretisation +=
        EXTRAPOLATED(discretisation) + change - EXTRAPOLATED(kinetic) - EXTRAPOLATED(potential);
#undef EXTRAPOLATED
    l->scale = larger(part[2].scale, end->kinetic + fabs(end->potential));
    l->worst_balance = part[2].worst_balance;
    l->worst_work = part[2].worst_work;
}

/* Whether friction would drive contact i at the extrapolated end: it has turned round on the way.
 * What it slides with is in y, frames are those of the end. */
static bool turns(const sp_model *m, const sp_state *y, int i, const sp_work *w)
{
    const sp_contact_memory *c = &y->contact[i];
    double gamma[3];
    if (c->state != SP_STATE_SLIP || m->slot[i].kind == SP_SLOT_THRESHOLD) {
        return false;
    }
    sp_con_slot_gamma(m, y->numbers, &w->con, i, gamma);
    return m->slot[i].kind == SP_SLOT_FRICTION ? gamma[0] * c->P_N > 0.0
                                               : gamma[1] * c->P_T + gamma[2] * c->P_T2 > 0.0;
}

/* Whether contact i was passed, though no sequence has reached it. */
static bool is_passed(const sp_model *m, const sp_state *y, int i, const sp_con *con)
{
    return con->g[i] < -SP_GAP_CORRECT && isfinite(con->g[i]) && !con->aside[i] &&
           !sp_contact_loaded(m, i, &y->contact[i]);
}

bool sp_trial_extrapolate(const sp_model *m, const sp_state *x, const sp_extrapolation *e,
                          double dt, const sp_stepper *s, sp_work *w)
{
    w->t_E = x->t + dt;
    for (int k = 0; k < m->n_q; k++) {
        w->q[k] = sp_trial_weigh(e->end, s->q_end, k);
    }
    for (int k = 0; k < m->n_dof; k++) {
        w->u_E[k] = sp_trial_weigh(e->end, s->u_end, k);
    }
    sp_step_normalise(m, w->q);
    sp_motion_place(m, w->t_E, &w->dyn, w->q);
    sp_motion_move(m, w->t_E, &w->dyn, w->u_E);
    sp_trial_look(m, x, dt, w);
    sp_con_at(w->t_E, dt, w->q, w->u_E, &w->con);
    for (int i = 0; i < m->n_slot; i++) {
        if (is_passed(m, &s->y, i, &w->con) || (s->y.n_touched > 0 && turns(m, &s->y, i, w))) {
            return false;
        }
    }
    return true;
}

bool sp_trial_ends_well(const sp_model *m, const sp_state *x, const sp_extrapolation *e, double dt,
                        sp_stepper *s, sp_work *w)
{
    bool moved = false;
    if (s->y.n_touched > 0 || m->layout.n_always > 0) {
        const double factor = sp_trial_steps(m, x, SP_ROWS_EXTRAPOLATED - 1) * SP_PROBE;
        if (!sp_trial_lasts(m, &s->y, w->q, w->u_E, SP_PROBE * dt, factor, w, s) ||
            !sp_trial_extrapolate(m, x, e, dt, s, w)) {
            return false;
        }
    }
    return !sp_trial_dips(m, x, &s->y, dt, w, s, &moved) &&
           (!moved || sp_trial_extrapolate(m, x, e, dt, s, w));
}

sp_status sp_trial_accept(const sp_model *m, const sp_extrapolation *e, double dt,
                          const sp_certificate *worst, sp_work *w, sp_stepper *s, sp_state *x,
                          sp_error *err)
{
    const sp_energy end = w->energy;
    SP_TRY(sp_trial_settle(m, x, s->y.contact, dt, w, s, err));
    SP_TRY(sp_project_positions(m, x->numbers, w, err));
    book(e, &end, s, &x->ledger);
    x->ledger.projection += w->energy.kinetic + w->energy.potential - end.kinetic - end.potential;
    x->ledger.kinetic = w->energy.kinetic;
    x->ledger.quadratic = w->energy.quadratic;
    x->ledger.potential = w->energy.potential;
    memcpy(x->q, w->q, (size_t)m->n_q * sizeof(double));
    memcpy(x->u, w->u_E, (size_t)m->n_dof * sizeof(double));
    for (int k = 0; k < m->n_aux; k++) {
        x->z[k] = sp_trial_weigh(e->end, s->z_end, k);
    }
    for (int k = 0; k < m->n_book; k++) { /* the weights add up to one */
        const double old = x->book[k];
        x->book[k] += e->end[0] * (s->book_end[0][k] - old) +
                      e->end[1] * (s->book_end[1][k] - old) + e->end[2] * (s->book_end[2][k] - old);
    }
    memcpy(x->g, w->con.g, (size_t)m->n_slot * sizeof(double));
    memcpy(x->contact, s->y.contact, (size_t)(m->n_slot + m->n_bond) * sizeof *x->contact);
    sp_contacts_scale(m, sp_trial_steps(m, x, SP_ROWS_EXTRAPOLATED - 1), x->contact);
    x->n_touched = s->y.n_touched;
    x->t = w->t_E;
    x->step++;
    x->control.dt_last = dt;
    w->certificate = *worst;
    w->certificate.gap = w->con.least < 0.0 ? -w->con.least : 0.0;
    w->n_event = 0;
    return SP_OK;
}
