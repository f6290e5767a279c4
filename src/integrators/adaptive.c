/* integrators/adaptive.c - steps of moreau-mean, extrapolated and as long as the tolerance allows.
 *
 * A step is taken once whole, in two halves and in three thirds.  If no contact changes in any of
 * them, their ends are extrapolated.  If one changes, the step is halved until the change lies in a
 * step so short that its error is within the tolerance, which is taken plainly.
 * theory (17.10)-(17.15) */
#include "base/status.h"
#include "integrators/moreau.h"
#include "integrators/moreau_parts.h"
#include "integrators/motion.h"
#include "integrators/stepper.h"

#include <float.h>
#include <string.h>

enum { TRIALS = 400, STREAK_MAX = 20 };
#define SMALL_ANGLE 1e-3
#define SMALL_PART  1e-3
#define SAFETY      0.8
#define SHRINK_MOST 0.1
#define GROW_MOST   4.0
#define FIRST_STEP  1e-2 /* of the time in which coordinates change by their size  */
#define RESTING     4.0  /* resting speeds: slower is no impact any more           */
#define QUIET       64.0 /* shortest steps: a longer time without change is no clatter */

/* Weights of the ends with 1, 2 and 3 steps, and of the error that is estimated.  theory (17.11) */
typedef struct extrapolation {
    double end[SP_ROWS_EXTRAPOLATED], error[SP_ROWS_EXTRAPOLATED];
    double exponent; /* one over the order of the local error */
} extrapolation;
static const extrapolation by_squares = {.end = {1.0 / 24.0, -16.0 / 15.0, 81.0 / 40.0},
                                         .error = {1.0 / 24.0, -4.0 / 15.0, 9.0 / 40.0},
                                         .exponent = 1.0 / 5.0};
static const extrapolation by_powers = {
    .end = {0.5, -4.0, 4.5}, .error = {0.5, -2.0, 1.5}, .exponent = 1.0 / 3.0};

/* How a trial ended. */
typedef enum outcome { GOOD, CHANGES, FAILS } outcome;

/* ---- sizes ------------------------------------------------------------------------------------
 */

/* Raise the sizes that errors are relative to by where x is.   theory (17.13) */
static void raise_sizes(const sp_model *m, const sp_stepper *s, double span, sp_state *x)
{
    sp_control *c = &x->control;
    double q_floor[SP_CONTROL_KINDS];
    for (int i = 0; i < SP_CONTROL_KINDS; i++) {
        q_floor[i] = 0.0;
    }
    for (int k = 0; k < m->n_dof; k++) {
        const int i = s->kind[k];
        const bool angle = s->is_angle[i];
        const double q = m->dof[k].move == SP_MOVE_BALL ? 1.0 : fabs(x->q[m->dof[k].q]);
        c->size_q[i] = larger(c->size_q[i], angle && q > 1.0 ? 1.0 : q);
        c->size_u[i] = larger(c->size_u[i], fabs(x->u[k]));
        q_floor[i] = larger(angle ? SMALL_ANGLE : SMALL_PART * s->extent, q_floor[i]);
    }
    for (int i = 0; i < SP_CONTROL_KINDS; i++) {
        c->size_q[i] = larger(c->size_q[i], q_floor[i]);
        c->size_u[i] = larger(c->size_u[i], span > 0.0 ? c->size_q[i] / span : 0.0);
    }
}

/* The shortest time in which coordinates change by their size, s. */
static double time_scale(const sp_model *m, const sp_stepper *s, const sp_control *c, double span)
{
    double least = span;
    for (int k = 0; k < m->n_dof; k++) {
        const double size_u = c->size_u[s->kind[k]];
        if (size_u > 0.0 && c->size_q[s->kind[k]] < least * size_u) {
            least = c->size_q[s->kind[k]] / size_u;
        }
    }
    return least;
}

/* The step that contacts may change in: its error is what the tolerance allows.  theory (17.14) */
static double shortest_step(const sp_model *m, const sp_stepper *s, const sp_state *x,
                            double tolerance, double span)
{
    const double scale = time_scale(m, s, &x->control, span);
    const double clock = 64.0 * DBL_EPSILON * (fabs(x->t) + span);
    return larger(0.5 * tolerance * scale, clock);
}

/* ---- trials -----------------------------------------------------------------------------------
 */

/* What slides is decided anew: in a short step the forces are so small that a guess of the wrong
 * sense would pass. */
static void forget_slip(const sp_model *m, sp_contact_memory *contact)
{
    for (int i = 0; i < m->n_slot; i++) {
        if (contact[i].state == SP_STATE_SLIP) {
            contact[i].status = SP_STATUS_UNKNOWN;
        }
    }
}

/* y <- x, with percussions of a step of dt. */
static void copy_state(const sp_model *m, const sp_state *x, double dt, sp_state *y)
{
    double *const q = y->q, *const u = y->u, *const z = y->z, *const g = y->g;
    sp_contact_memory *const contact = y->contact;
    *y = *x;
    y->q = memcpy(q, x->q, (size_t)m->n_q * sizeof(double));
    y->u = memcpy(u, x->u, (size_t)m->n_dof * sizeof(double));
    y->z = memcpy(z, x->z, (size_t)m->n_aux * sizeof(double));
    y->g = memcpy(g, x->g, (size_t)m->n_slot * sizeof(double));
    y->contact = memcpy(contact, x->contact, (size_t)(m->n_slot + m->n_bond) * sizeof *y->contact);
    sp_contacts_scale(m, x->control.dt_last > 0.0 ? dt / x->control.dt_last : 1.0, y->contact);
}

/* Whether a contact that slides has turned round, a load has come or gone, or a gap has passed zero
 * behind the last middle: these are no events yet, but changes. */
static bool changes_silently(const sp_model *m, const sp_state *x, const sp_state *y)
{
    for (int i = 0; i < m->n_slot && y->n_touched > 0; i++) {
        const bool closed = x->contact[i].state != SP_STATE_OPEN && isfinite(y->g[i]);
        if (y->contact[i].crossed ||
            (closed && (x->contact[i].P_N > 0.0) != (y->contact[i].P_N > 0.0))) {
            return true;
        }
        const int before = x->contact[i].status, after = y->contact[i].status;
        if (x->contact[i].state == SP_STATE_SLIP && y->contact[i].state == SP_STATE_SLIP &&
            ((before == SP_SLIP_POS && after == SP_SLIP_NEG) ||
             (before == SP_SLIP_NEG && after == SP_SLIP_POS))) {
            return true;
        }
    }
    return false;
}

/* Whether a contact that was open is approached and got nothing: over a long step the forces hide
 * the impact. */
static bool hides_impact(const sp_state *x, const sp_work *w)
{
    for (int k = 0; k < w->n_hit; k++) {
        const sp_hit *hit = &w->hit[k];
        if (!hit->dry && !(hit->P[0] > 0.0) && hit->gamma_A[0] < 0.0 &&
            x->contact[hit->slot].state == SP_STATE_OPEN) {
            return true;
        }
    }
    return false;
}

/* Contacts that are loaded take part in the next step wherever they are: in a trial they last. */
static void hold_contacts(const sp_model *m, sp_state *y)
{
    for (int i = 0; i < m->n_slot && y->n_touched > 0; i++) {
        if (y->contact[i].state != SP_STATE_OPEN && y->contact[i].P_N > 0.0) {
            y->contact[i].reach = INFINITY;
        }
    }
    if (y->n_touched > 0) {
        forget_slip(m, y->contact);
    }
}

/* Sequence j: j + 1 steps over dt; its end is kept. */
static outcome try_sequence(const sp_model *m, const sp_state *x, int j, double dt, sp_work *w,
                            sp_stepper *s, sp_certificate *worst, sp_error *err)
{
    sp_state *y = &s->y;
    const int n = j + 1;
    const double part = dt / n;
    copy_state(m, x, part, y);
    w->dyn.z = y->z;
    for (int i = 0; i < n; i++) {
        y->t = x->t + i * part;
        hold_contacts(m, y);
        if (sp_moreau_solve(m, y, w, SP_METHOD_MOREAU_MEAN, part, err) != SP_OK ||
            sp_moreau_finish(m, y, w, part, err) != SP_OK) {
            return FAILS;
        }
        if (w->n_event > 0 || changes_silently(m, x, y) || hides_impact(x, w)) {
            return CHANGES;
        }
        sp_certificate_worst(worst, &w->certificate);
    }
    memcpy(s->q_end[j], y->q, (size_t)m->n_q * sizeof(double));
    memcpy(s->u_end[j], y->u, (size_t)m->n_dof * sizeof(double));
    memcpy(s->z_end[j], y->z, (size_t)m->n_aux * sizeof(double));
    s->ledger[j] = y->ledger;
    return GOOD;
}

/* All sequences over dt. */
static outcome try_step(const sp_model *m, const sp_state *x, double dt, sp_work *w, sp_stepper *s,
                        sp_certificate *worst, sp_error *err)
{
    outcome o = GOOD;
    *worst = (sp_certificate){.momentum = 0.0};
    w->calm = true;
    for (int j = 0; j < SP_ROWS_EXTRAPOLATED && o == GOOD; j++) {
        o = try_sequence(m, x, j, dt, w, s, worst, err);
    }
    w->calm = false;
    w->dyn.z = x->z;
    return o;
}

/* sum_j weight_j end_j[k] */
static double weigh(const double *weight, double *const *end, int k)
{
    return weight[0] * end[0][k] + weight[1] * end[1][k] + weight[2] * end[2][k];
}

/* The largest estimated error over what the tolerance allows.   theory (17.13) */
static double error_size(const sp_model *m, const sp_control *c, const extrapolation *e,
                         const sp_stepper *s, double tolerance)
{
    double worst = 0.0;
    for (int k = 0; k < m->n_dof; k++) {
        const sp_dof *dof = &m->dof[k];
        const int i = s->kind[k], n_part = dof->move != SP_MOVE_BALL ? 1 : dof->part == 0 ? 4 : 0;
        const double d_u = fabs(weigh(e->error, s->u_end, k)) / c->size_u[i];
        worst = d_u <= worst ? worst : d_u; /* NaN stays */
        for (int p = 0; p < n_part; p++) {
            const double d_q = fabs(weigh(e->error, s->q_end, dof->q + p)) / c->size_q[i];
            worst = d_q <= worst ? worst : d_q;
        }
    }
    for (int k = 0; k < m->n_aux; k++) {
        const double d_z = fabs(weigh(e->error, s->z_end, k)) / (1e-6 + fabs(s->z_end[2][k]));
        worst = d_z <= worst ? worst : d_z;
    }
    return worst / tolerance;
}

/* ---- the end of a step ------------------------------------------------------------------------
 */

/* Energies and gaps at w->q, u_E of the time w->t_E. */
static void look(const sp_model *m, const sp_state *x, double dt, sp_work *w)
{
    sp_dyn_energies(m, x->numbers, w->t_E, w->q, w->u_E, &w->kin, &w->dyn, &w->energy);
    if (m->layout.extras) {
        sp_con_at(w->t_E, dt, w->q, w->u_E, &w->con);
    }
    sp_con_gaps(m, x->numbers, &w->kin, &w->con);
}

/* The problem of the normal rows of loaded contacts and of all bilateral rows, as equations, with
 * their gaps or velocities in c; the largest of these. */
static double pose_rows(const sp_model *m, const sp_state *y, bool speeds, sp_work *w)
{
    sp_con *con = &w->con;
    double off = 0.0;
    con->n_active = con->n_row = 0;
    for (int i = 0; i < m->n_slot + m->n_bond; i++) {
        const bool loaded = y->contact[i].state != SP_STATE_OPEN && y->contact[i].P_N > 0.0;
        if (i >= m->n_slot ||
            (loaded && isfinite(con->g[i]) && con->n_active < con->capacity - m->n_bond)) {
            con->active[con->n_active++] = i;
        }
    }
    if (con->n_active == 0) {
        return 0.0;
    }
    sp_con_directions(m, y->numbers, &w->kin, false, con);
    sp_con_delassus(m, &w->dyn, con);
    for (int a = 0; a < con->n_active; a++) {
        const double g = con->active[a] < m->n_slot ? con->g[con->active[a]] : con->frame[a].g_N;
        con->set[a] = sp_set_free();
        w->sol.c[a] = speeds ? sp_con_dot(con, a, a, w->u_E) + con->w_tilde[a] : g;
        w->sol.P[a] = 0.0;
        w->sol.status[a] = SP_STICK;
        off = larger(off, fabs(w->sol.c[a]));
    }
    w->sol.xi_scale = off;
    return off;
}

/* w->b = M^-1 W P of the rows that pose_rows made. */
static sp_status solve_rows(const sp_model *m, sp_work *w, sp_error *err)
{
    sp_solution solution;
    SP_TRY(sp_work_solve(w, &solution, err));
    memset(w->b, 0, (size_t)m->n_dof * sizeof(double));
    for (int a = 0; a < w->con.n_active; a++) {
        sp_con_add(&w->con, a, sp_con_row(&w->con, w->con.Y, a), w->sol.P[a], w->b);
    }
    sp_dyn_solve_D_L(m, &w->dyn, w->b);
    return SP_OK;
}

/* Loaded contacts and bilateral rows at g = 0 and gamma_N = 0 by the smallest change.
 * theory (17.15) */
static sp_status close_gaps(const sp_model *m, const sp_state *x, double dt, const sp_state *y,
                            sp_work *w, sp_error *err)
{
    if (x->n_touched == 0 && m->n_bond == 0) {
        return SP_OK;
    }
    if (pose_rows(m, y, false, w) > SP_BOND_CORRECT) {
        SP_TRY(solve_rows(m, w, err));
        sp_kin_advance(m, 1.0, w->b, w->q);
        look(m, x, dt, w);
    }
    if (pose_rows(m, y, true, w) > 0.0) {
        SP_TRY(solve_rows(m, w, err));
        for (int k = 0; k < m->n_dof; k++) {
            w->u_E[k] += w->b[k];
        }
        look(m, x, dt, w);
    }
    return SP_OK;
}

/* Lines of the ledger are extrapolated like the states; what that moves is error of the steps.
 * theory (17.15) */
static void book(const extrapolation *e, const sp_energy *end, sp_stepper *s, sp_ledger *l)
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

/* The extrapolated end of the sequences, in w. */
static void extrapolate(const sp_model *m, const sp_state *x, const extrapolation *e, double dt,
                        const sp_stepper *s, sp_work *w)
{
    w->t_E = x->t + dt;
    for (int k = 0; k < m->n_q; k++) {
        w->q[k] = weigh(e->end, s->q_end, k);
    }
    for (int k = 0; k < m->n_dof; k++) {
        w->u_E[k] = weigh(e->end, s->u_end, k);
    }
    sp_step_normalise(m, w->q);
    sp_motion_place(m, w->t_E, &w->dyn, w->q);
    sp_motion_move(m, w->t_E, &w->dyn, w->u_E);
    look(m, x, dt, w);
}

/* Whether the extrapolated end has passed a contact that no sequence has reached. */
static bool goes_too_far(const sp_model *m, const sp_state *y, const sp_con *con)
{
    for (int i = 0; i < m->n_slot && con->least < -SP_GAP_CORRECT; i++) {
        if (con->g[i] < -SP_GAP_CORRECT && isfinite(con->g[i]) && !(y->contact[i].P_N > 0.0)) {
            return true;
        }
    }
    return false;
}

/* x <- the extrapolated end, which is in w.  The contacts remember the finest sequence. */
static sp_status accept(const sp_model *m, const extrapolation *e, double dt,
                        const sp_certificate *worst, sp_work *w, sp_stepper *s, sp_state *x,
                        sp_error *err)
{
    const sp_energy end = w->energy;
    SP_TRY(close_gaps(m, x, dt, &s->y, w, err));
    SP_TRY(sp_project_positions(m, x->numbers, w, err));
    book(e, &end, s, &x->ledger);
    x->ledger.projection += w->energy.kinetic + w->energy.potential - end.kinetic - end.potential;
    x->ledger.kinetic = w->energy.kinetic;
    x->ledger.quadratic = w->energy.quadratic;
    x->ledger.potential = w->energy.potential;
    memcpy(x->q, w->q, (size_t)m->n_q * sizeof(double));
    memcpy(x->u, w->u_E, (size_t)m->n_dof * sizeof(double));
    for (int k = 0; k < m->n_aux; k++) {
        x->z[k] = weigh(e->end, s->z_end, k);
    }
    memcpy(x->g, w->con.g, (size_t)m->n_slot * sizeof(double));
    memcpy(x->contact, s->y.contact, (size_t)(m->n_slot + m->n_bond) * sizeof *x->contact);
    sp_contacts_scale(m, SP_ROWS_EXTRAPOLATED, x->contact);
    x->n_touched = s->y.n_touched;
    x->t = w->t_E;
    x->step++;
    x->control.dt_last = dt;
    w->certificate = *worst;
    w->certificate.gap = w->con.least < 0.0 ? -w->con.least : 0.0;
    w->n_event = 0;
    return SP_OK;
}

/* One step of moreau-mean on x. */
static sp_status plain_step(const sp_model *m, sp_state *x, double dt, sp_work *w, sp_error *err)
{
    w->dyn.z = x->z;
    w->margin = SP_GAP_ACTIVE; /* corners that touch together take part together */
    w->calm = true;
    sp_status status = sp_moreau_solve(m, x, w, SP_METHOD_MOREAU_MEAN, dt, err);
    if (status == SP_OK) {
        status = sp_moreau_finish(m, x, w, dt, err);
    }
    w->margin = 0.0;
    w->calm = false;
    return status;
}

/* Whether all contacts that were hit in the step just taken came so slowly that they rest now:
 * accumulations of impacts end here.   theory (17.14) */
static bool comes_to_rest(const sp_work *w)
{
    bool any = false;
    for (int k = 0; k < w->n_hit; k++) {
        const sp_hit *hit = &w->hit[k];
        if (hit->P[0] > 0.0 && !hit->dry && hit->gamma_A[0] < 0.0) {
            any = true;
            if (hit->gamma_A[0] < -RESTING * hit->v_rest) {
                return false;
            }
        }
    }
    return any;
}

/* The step in which contacts change: one of moreau-mean. */
static sp_status take_plainly(const sp_model *m, sp_state *x, double dt, double shortest,
                              sp_work *w, sp_stepper *s, sp_error *err)
{
    sp_control *c = &x->control;
    copy_state(m, x, dt, &s->y);
    forget_slip(m, s->y.contact);
    SP_TRY(plain_step(m, &s->y, dt, w, err));
    w->rest = comes_to_rest(w);
    sp_contacts_scale(m, c->dt_last > 0.0 ? dt / c->dt_last : 1.0, x->contact);
    forget_slip(m, x->contact);
    c->dt_last = dt;
    const sp_status status = plain_step(m, x, dt, w, err);
    w->rest = false;
    SP_TRY(status);
    c->pending = w->n_event > 0 || c->pending >= STREAK_MAX ? 0 : c->pending + 1;
    c->t_switch = c->pending > 0 ? x->t + shortest : 0.0;
    c->streak += c->streak < STREAK_MAX;
    return SP_OK;
}

/* ---- the step ---------------------------------------------------------------------------------
 */

/* How long the next trial is: what the error allows, not past t_stop, and not past what a change is
 * known to lie in. */
static double next_trial(const sp_control *c, double most, double t, double t_stop)
{
    const double left = t_stop - t;
    double dt = c->dt < most ? c->dt : most;
    if (c->t_switch > t && dt > c->t_switch - t) {
        dt = c->t_switch - t;
    }
    return dt >= left ? left : dt > 0.5 * left ? 0.5 * left : dt;
}

/* A trial without a change: is its error small enough?  The next step follows from it. */
static bool is_exact(double error, double exponent, double dt, bool clipped, sp_control *c)
{
    const double factor = error > 0.0    ? SAFETY * pow(error, -exponent)
                          : error == 0.0 ? GROW_MOST
                                         : SHRINK_MOST;
    const double next = dt * fmin(GROW_MOST, fmax(SHRINK_MOST, factor));
    if (error <= 1.0) {
        c->dt = clipped ? larger(c->dt, next) : next;
        return true;
    }
    c->dt = next < 0.9 * dt ? next : 0.9 * dt;
    return false;
}

/* One step; x->t may miss t_stop by round-off. */
static sp_status step(const sp_model *m, sp_state *x, sp_work *w, double tolerance, double span,
                      double t_stop, double *dt, sp_error *err)
{
    sp_stepper *s;
    sp_control *c = &x->control;
    sp_certificate worst;
    SP_TRY(sp_stepper_of(m, w, &s, err));
    raise_sizes(m, s, span, x);
    if (!(c->dt > 0.0)) {
        c->dt = FIRST_STEP * time_scale(m, s, c, span);
    }
    const double shortest = shortest_step(m, s, x, tolerance, span);
    const double plain = ldexp(shortest, c->streak);
    /* states of force elements, dry friction, drilling and rolling are of first order */
    const bool first = m->n_aux > 0 || m->layout.n_always > 0 || m->layout.contact_rows > m->dim;
    const extrapolation *e = first ? &by_powers : &by_squares;
    double most = INFINITY;
    for (int i = 0; i < TRIALS; i++) {
        *dt = next_trial(c, most, x->t, t_stop);
        if (c->t_switch > x->t && c->t_switch - x->t <= 2.0 * plain) {
            *dt = fmin(plain, t_stop - x->t);
            return take_plainly(m, x, *dt, plain, w, s, err);
        }
        const outcome o = try_step(m, x, *dt, w, s, &worst, err);
        if (o == FAILS && *dt <= 2.0 * plain) {
            return err ? err->status : SP_E_NOT_CONVERGED;
        }
        if (o != GOOD) { /* half of it; where a contact changes, that is known from now on */
            c->t_switch = o == CHANGES ? x->t + *dt : c->t_switch;
            most = 0.5 * *dt;
            continue;
        }
        extrapolate(m, x, e, *dt, s, w);
        if (*dt > 2.0 * plain && goes_too_far(m, &s->y, &w->con)) {
            c->t_switch = x->t + *dt;
            most = 0.5 * *dt;
            continue;
        }
        const bool clipped = *dt < c->dt;
        if (is_exact(error_size(m, c, e, s, tolerance), e->exponent, *dt, clipped, c)) {
            c->streak = *dt > QUIET * shortest ? 0 : c->streak / 2;
            return accept(m, e, *dt, &worst, w, s, x, err);
        }
    }
    return SP_FAIL(err, SP_E_NOT_CONVERGED,
                   "adaptive: no step was found in %d trials (the last of %g s); the tolerance %g "
                   "may be too small",
                   TRIALS, *dt, tolerance);
}

sp_status sp_adaptive_step(const sp_model *m, sp_state *x, sp_work *w, double tolerance,
                           double span, double t_stop, double *dt, sp_error *err)
{
    const double left = t_stop - x->t;
    SP_TRY(step(m, x, w, m->n_slot > 0 ? larger(tolerance, SP_ADAPTIVE_FINEST) : tolerance, span,
                t_stop, dt, err));
    if (*dt == left) {
        x->t = t_stop;
    }
    return SP_OK;
}
