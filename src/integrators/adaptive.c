/* integrators/adaptive.c - plain steps as long as the tolerance allows.
 *
 * A step of dt is compared with two of dt/2.  Where no index set changes in them and no open gap
 * ends below zero, their difference estimates the error, and the end is extrapolated.  Any other
 * step is a plain one, so short that what is unknown of it, the time of the change, moves positions
 * and velocities by no more than the tolerance.   theory (17.30)-(17.38) */
#include "integrators/adaptive.h"

#include "base/status.h"
#include "contact/motion.h"
#include "contact/rule.h"
#include "integrators/moreau.h"
#include "integrators/moreau_parts.h"
#include "integrators/stepper.h"
#include "integrators/swept.h"
#include "math/parabola.h"

#include <float.h>
#include <string.h>

#define SAFETY      0.8 /* of the step that the estimate asks for                               */
#define SHRINK_MOST 0.1 /* a step against the one before: what an estimate is good for */
#define GROW_MOST   4.0 /* the same                                                             */
#define LONGEST     0.1 /* of the time in which coordinates change by their size   (17.37)     */
#define SECOND      1.0 /* s: motions that take longer to change by their size are slow         */
#define PLAY        SP_SMALL /* of the size of a machine, or of 1 rad: how small motions of it are   */

sp_status sp_adaptive_check(double tolerance, sp_error *err)
{
    if (tolerance >= SP_ADAPTIVE_FINEST && tolerance < 1.0) {
        return SP_OK;
    }
    return SP_FAIL(err, SP_E_INPUT, "run: tolerance = %g, expected %g to 1 for method 'adaptive'%s",
                   tolerance, SP_ADAPTIVE_FINEST,
                   tolerance < SP_ADAPTIVE_FINEST ? ": take event for smaller errors" : "");
}

/* ---- sizes ----------------------------------------------------------------------------------- */

/* Raise the sizes that errors are relative to by where x is.   theory (17.31) */
static void raise_sizes(const sp_model *m, const sp_stepper *s, const sp_state *x, sp_control *c)
{
    for (int k = 0; k < m->n_dof; k++) {
        const int i = s->kind[k];
        const double least = PLAY * (s->is_angle[i] ? 1.0 : s->extent);
        const double q = m->dof[k].move == SP_MOVE_BALL ? 1.0 : fabs(x->q[m->dof[k].q]);
        c->size_q[i] = larger(larger(c->size_q[i], least), s->is_angle[i] && q > 1.0 ? 1.0 : q);
        c->size_u[i] = larger(c->size_u[i], fabs(x->u[k]));
    }
    for (int i = 0; i < SP_CONTROL_KINDS; i++) {
        c->size_u[i] = larger(c->size_u[i], c->size_q[i] / SECOND);
    }
}

/* The shortest time in which coordinates change by their size, s. */
static double time_scale(const sp_model *m, const sp_stepper *s, const sp_control *c)
{
    double least = SECOND;
    for (int k = 0; k < m->n_dof; k++) {
        const int i = s->kind[k];
        least = c->size_q[i] < least * c->size_u[i] ? c->size_q[i] / c->size_u[i] : least;
    }
    return least;
}

/* The longest step: none in which an open gap may close and open again unseen.  In a time of T the
 * fastest coordinate goes as far as its size.   theory (17.37) */
static double longest_step(const sp_model *m, const sp_stepper *s, const sp_state *x, double T)
{
    double size = s->extent, least = INFINITY;
    for (int i = 0; i < SP_CONTROL_KINDS; i++) {
        size = s->is_angle[i] ? size : larger(size, x->control.size_q[i]);
    }
    for (int i = 0; i < m->n_slot; i++) {
        least = x->g[i] > 0.0 && x->g[i] < least ? x->g[i] : least;
    }
    return T * larger(LONGEST, least / size);
}

/* The largest of |a - b| over the sizes of velocities or of coordinates; NaN stays. */
static double distance_u(const sp_model *m, const sp_stepper *s, const sp_control *c,
                         const double *a, const double *b)
{
    double worst = 0.0;
    for (int k = 0; k < m->n_dof; k++) {
        const double d = fabs(a[k] - b[k]) / c->size_u[s->kind[k]];
        worst = d <= worst ? worst : d;
    }
    return worst;
}

static double distance_q(const sp_model *m, const sp_stepper *s, const sp_control *c,
                         const double *a, const double *b)
{
    double worst = 0.0;
    for (int k = 0; k < m->n_dof; k++) {
        const sp_dof *dof = &m->dof[k];
        const int n_part = dof->move != SP_MOVE_BALL ? 1 : dof->part == 0 ? 4 : 0;
        for (int p = 0; p < n_part; p++) {
            const double d = fabs(a[dof->q + p] - b[dof->q + p]) / c->size_q[s->kind[k]];
            worst = d <= worst ? worst : d;
        }
    }
    return worst;
}

/* ---- trials ---------------------------------------------------------------------------------- */

/* What the trial of a step showed. */
typedef struct trial {
    const sp_step_rule *rule; /* of its plain steps */
    double dt;
    sp_status status; /* of its contact problems, SP_OK: solved                     */
    bool changes;     /* an index set changes, or an open gap ends below zero       */
    bool crosses;     /* a gap closes behind its middle: what that does shows later */
    bool impact;      /* velocities jump in it                                      */
    int kink;         /* that is on another side in it, SP_NONE: none is            */
    double error;     /* without a change: of the extrapolated end, over 1          */
    double jump;      /* with one: change of velocities over their size             */
    sp_certificate certificate;
} trial;

/* y <- x, with the percussions of a step that is longer by a factor; y has arrays of its own. */
static void copy_state(const sp_model *m, const sp_state *x, double factor, sp_state *y)
{
    sp_state_copy(m, x, y);
    y->numbers = x->numbers;
    sp_contacts_scale(m, factor, y->contact);
}

/* The factor that makes percussions of x those of a step of dt. */
static double factor_of(const sp_state *x, double dt)
{
    return x->control.dt_last > 0.0 ? dt / x->control.dt_last : 1.0;
}

/* Loaded contacts take part in the next step wherever they are.  What slides is decided anew: in a
 * short step forces are so small that a guess of the wrong sense would pass. */
static void hold_loaded(const sp_model *m, sp_state *y)
{
    for (int i = 0; i < m->n_slot && y->n_touched > 0; i++) {
        if (y->contact[i].state != SP_STATE_OPEN && sp_contact_loaded(m, i, &y->contact[i])) {
            y->contact[i].reach = INFINITY;
        }
        if (y->contact[i].state == SP_STATE_SLIP) {
            y->contact[i].status = SP_STATUS_UNKNOWN;
        }
    }
}

/* Whether a contact slides the other way than at x, or its gap closed behind the middle of the
 * step, so that the step did not see it.  The first step decides which way dry friction slides. */
static bool changes_silently(const sp_model *m, const sp_state *x, const sp_state *y, trial *t)
{
    for (int i = 0; i < m->n_slot && y->n_touched > 0; i++) {
        const sp_contact_memory *a = &x->contact[i], *b = &y->contact[i];
        const bool turned = (a->status == SP_SLIP_POS && b->status == SP_SLIP_NEG) ||
                            (a->status == SP_SLIP_NEG && b->status == SP_SLIP_POS);
        t->crosses = t->crosses || b->crossed;
        if (b->crossed || (turned && a->state == SP_STATE_SLIP && b->state == SP_STATE_SLIP) ||
            (m->slot[i].is.interval && a->state == SP_STATE_OPEN)) {
            return true;
        }
    }
    return false;
}

/* The most that contacts which tear off in the step in w change the speed of their place when their
 * pull has gone, over the speeds of the machine. */
static double jump_of_torn(const sp_control *c, const sp_stepper *s, const sp_work *w)
{
    double speed = 0.0, most = 0.0;
    for (int i = 0; i < SP_CONTROL_KINDS; i++) {
        speed = larger(speed, c->size_u[i] * (s->is_angle[i] ? s->extent : 1.0));
    }
    for (int k = 0; k < w->n_hit; k++) {
        most = w->hit[k].tears ? larger(most, fabs(w->hit[k].P[0]) / w->sol.rho[k]) : most;
    }
    return most / speed;
}

/* Whether the plain step that is in w put an impulse onto a contact. */
static bool has_impact(const sp_work *w)
{
    for (int k = 0; k < w->n_hit; k++) {
        if (w->hit[k].impact) {
            return true;
        }
    }
    return false;
}

/* A plain step of dt from y, which began at x; what it shows is added to t. */
static void step_plainly(const sp_model *m, const sp_state *x, double dt, sp_work *w, sp_state *y,
                         trial *t, sp_error *err)
{
    hold_loaded(m, y);
    w->dyn.z = y->z;
    t->status = sp_moreau_step(m, y, w, t->rule, dt, err);
    w->dyn.z = x->z;
    if (t->status != SP_OK) {
        t->changes = true;
        return;
    }
    t->changes = t->changes || w->n_event > 0 || changes_silently(m, x, y, t);
    t->impact = t->impact || has_impact(w);
    y->control.dt_last = dt;
    sp_certificate_worst(&t->certificate, &w->certificate);
}

/* The order of steps from x: friction in space turns with its slip, and steps take it as it is at
 * their end.   theory (17.33) */
static int order_of(const sp_model *m, const sp_state *x, const sp_stepper *s)
{
    const bool turns = m->layout.contact_rows > 2 && x->n_touched > 0;
    return s->first_order || turns ? 1 : 2;
}

/* Weight of the difference between one step and two that is added to the latter. */
static double extrapolation(const sp_model *m, const sp_state *x, const sp_stepper *s)
{
    return 1.0 / ((1 << order_of(m, x, s)) - 1);
}

/* a + (a - b) weight into end. */
static void extrapolate(int n, double weight, const double *a, const double *b, double *end)
{
    for (int k = 0; k < n; k++) {
        end[k] = a[k] + weight * (a[k] - b[k]);
    }
}

/* The extrapolated end of the steps in s, into w: positions, velocities, energies, gaps. */
static void go_to_end(const sp_model *m, const sp_state *x, double dt, const sp_stepper *s,
                      sp_work *w)
{
    const double weight = extrapolation(m, x, s);
    w->t_E = x->t + dt;
    extrapolate(m->n_q, weight, s->fine.q, s->coarse.q, w->q);
    extrapolate(m->n_dof, weight, s->fine.u, s->coarse.u, w->u_E);
    sp_step_normalise(m, w->q);
    sp_motion_place(m, w->t_E, &w->dyn, w->q);
    sp_motion_move(m, w->t_E, &w->dyn, w->u_E);
    sp_dyn_energies(m, x->numbers, w->t_E, w->q, w->u_E, &w->kin, &w->dyn, &w->energy);
    sp_con_at(w->t_E, dt, w->q, w->u_E, &w->con);
    sp_con_gaps(m, x->numbers, &w->kin, &w->con);
}

/* Whether a gap that stays open is below zero at the end, which is in w, or has been on the way
 * there, as far as the parabola through the beginning, the middle and the end shows.
 * theory (17.32) */
static bool passes_gap(const sp_model *m, const sp_state *x, const sp_stepper *s, const sp_work *w)
{
    for (int i = 0; i < m->n_slot; i++) {
        const double g = w->con.g[i];
        if (isfinite(g) && !w->con.aside[i] && s->fine.contact[i].state == SP_STATE_OPEN &&
            sp_parabola_least(x->g[i], s->g_half[i], g) < -SP_GAP_CORRECT * m->extent.gap) {
            return true;
        }
    }
    return false;
}

/* Whether closed contacts change in a step of dt behind the end of the trial, which is in w and
 * comes back there: a change behind the last middle shows there first.   theory (17.32) */
static bool changes_behind(const sp_model *m, const sp_state *x, const trial *t, double dt,
                           sp_work *w, sp_stepper *s)
{
    sp_error err;
    trial probe = {.rule = t->rule, .dt = dt};
    sp_state *y = &s->probe;
    if (s->fine.n_touched == 0 && m->layout.n_always == 0) {
        return false;
    }
    copy_state(m, &s->fine, factor_of(&s->fine, dt), y);
    memcpy(y->q, w->q, (size_t)m->n_q * sizeof(double));
    memcpy(y->u, w->u_E, (size_t)m->n_dof * sizeof(double));
    memcpy(y->g, w->con.g, (size_t)m->n_slot * sizeof(double));
    y->t = w->t_E;
    step_plainly(m, &s->fine, dt, w, y, &probe, &err);
    w->dyn.z = x->z;
    go_to_end(m, x, t->dt, s, w);
    return probe.changes;
}

/* Whether a kink is on other sides at x and at y, `passed` behind it.   theory (64.27) */
static bool switches(const sp_model *m, const sp_state *x, double passed, const sp_state *y,
                     sp_work *w, sp_stepper *s, trial *t)
{
    const sp_state *const at[2] = {x, y};
    sp_error err;
    if (m->n_kink == 0) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        w->dyn.z = at[i]->z;
        sp_con_at(x->t + passed * i, 1.0, at[i]->q, at[i]->u, &w->con);
        sp_rule_sides(m, x->numbers, &w->kin, &w->dyn, &w->con, s->side[i]);
    }
    (void)sp_dyn_factor_held(m, w->held, &w->dyn, &err); /* as steps leave it */
    t->kink = sp_rule_switched(m, s->side[0], s->side[1]);
    return t->kink != SP_NONE;
}

/* Two steps of dt/2 from x into s->fine, and the extrapolated end into w; whether a contact changes
 * in them, where the single step has not shown it, or within `next` behind them. */
static bool changes_in_halves(const sp_model *m, const sp_state *x, double next, sp_work *w,
                              sp_stepper *s, trial *t, sp_error *err)
{
    const double half = 0.5 * t->dt;
    copy_state(m, x, factor_of(x, half), &s->fine);
    step_plainly(m, x, half, w, &s->fine, t, err);
    if (t->changes || switches(m, x, half, &s->fine, w, s, t)) {
        return true;
    }
    memcpy(s->g_half, s->fine.g, (size_t)m->n_slot * sizeof(double));
    memcpy(s->probe.q, s->fine.q, (size_t)m->n_q * sizeof(double));
    s->fine.t = x->t + half;
    step_plainly(m, x, half, w, &s->fine, t, err);
    if (t->changes || switches(m, x, t->dt, &s->fine, w, s, t)) {
        return true;
    }
    go_to_end(m, x, t->dt, s, w);
    return passes_gap(m, x, s, w) ||
           (s->swept && sp_swept_touches(m, x, s->probe.q, w, s->swept)) ||
           changes_behind(m, x, t, next, w, s);
}

/* One step of dt from x, and if nothing changes in it two of dt/2 and the extrapolated end in w;
 * with a change the single step is in s->coarse, and its events are in w.   theory (17.32) */
static trial try_step(const sp_model *m, const sp_state *x, double dt, double shortest, sp_work *w,
                      sp_stepper *s, sp_error *err)
{
    const sp_control *c = &x->control;
    trial t = {.rule = sp_step_rule_of(SP_METHOD_ADAPTIVE), .dt = dt, .kink = SP_NONE};
    copy_state(m, x, factor_of(x, dt), &s->coarse);
    step_plainly(m, x, dt, w, &s->coarse, &t, err);
    if (t.changes) {
        t.jump = t.status == SP_OK && !t.crosses
                     ? larger(jump_of_torn(c, s, w), distance_u(m, s, c, s->coarse.u, x->u))
                     : INFINITY;
    } else if (changes_in_halves(m, x, fmin(dt, shortest), w, s, &t, err)) {
        t = (trial){.rule = t.rule, .dt = dt, .jump = INFINITY, .kink = t.kink};
        copy_state(m, x, factor_of(x, dt), &s->coarse);
        step_plainly(m, x, dt, w, &s->coarse, &t, err);
        t.jump = t.kink != SP_NONE ? distance_u(m, s, c, s->coarse.u, x->u) : INFINITY;
        t.changes = true;
    } else {
        t.error = extrapolation(m, x, s) * larger(distance_q(m, s, c, s->fine.q, s->coarse.q),
                                                  distance_u(m, s, c, s->fine.u, s->coarse.u));
    }
    return t;
}

/* ---- taking the step ------------------------------------------------------------------------- */

/* Lines of the ledger are extrapolated like the states; what that moves is error of the steps.
 * theory (17.34) */
static void book(double weight, const sp_energy *end, const sp_stepper *s, sp_ledger *l)
{
    const sp_ledger *a = &s->fine.ledger, *b = &s->coarse.ledger, old = *l;
#define LINE(name) (a->name - old.name + weight * (a->name - b->name))
    const double change = end->kinetic + end->potential - old.kinetic - old.potential;
    l->dampers += LINE(dampers);
    l->applied += LINE(applied);
    l->friction += LINE(friction);
    l->impacts += LINE(impacts);
    l->driven += LINE(driven);
    l->projection += LINE(projection);
    l->balance += LINE(balance);
    l->discretisation += LINE(discretisation) + change - LINE(kinetic) - LINE(potential);
#undef LINE
    l->scale = larger(a->scale, end->kinetic + fabs(end->potential));
    l->worst_balance = a->worst_balance;
    l->worst_work = a->worst_work;
}

/* x <- y but for what x keeps: its control and ledger.  Percussions times a factor. */
static void take_memory(const sp_model *m, const sp_state *y, double factor, sp_state *x)
{
    memcpy(x->contact, y->contact, (size_t)(m->n_slot + m->n_bond) * sizeof *x->contact);
    if (factor != 1.0) {
        sp_contacts_scale(m, factor, x->contact);
    }
    x->n_touched = y->n_touched;
    x->n_impact = y->n_impact;
    x->step++;
}

/* x <- the extrapolated end, which is in w.  Contacts remember the second half. */
static sp_status take_extrapolated(const sp_model *m, const trial *t, sp_work *w, sp_stepper *s,
                                   sp_state *x, sp_error *err)
{
    const double weight = extrapolation(m, x, s);
    const sp_energy end = w->energy;
    SP_TRY(sp_project_positions(m, x->numbers, SP_EFFORT_USUAL, w, err));
    book(weight, &end, s, &x->ledger);
    x->ledger.projection += w->energy.kinetic + w->energy.potential - end.kinetic - end.potential;
    x->ledger.kinetic = w->energy.kinetic;
    x->ledger.quadratic = w->energy.quadratic;
    x->ledger.potential = w->energy.potential;
    memcpy(x->q, w->q, (size_t)m->n_q * sizeof(double));
    memcpy(x->u, w->u_E, (size_t)m->n_dof * sizeof(double));
    memcpy(x->g, w->con.g, (size_t)m->n_slot * sizeof(double));
    extrapolate(m->n_aux, weight, s->fine.z, s->coarse.z, x->z);
    sp_dyn_states_keep(m, x->numbers, x->z);
    extrapolate(m->n_book, weight, s->fine.book, s->coarse.book, x->book);
    take_memory(m, &s->fine, 2.0, x);
    x->t = w->t_E;
    x->control.dt_last = t->dt;
    w->certificate = t->certificate;
    w->certificate.gap = w->con.least < 0.0 ? -w->con.least : 0.0;
    w->n_event = 0;
    return SP_OK;
}

/* Whether the plain step of c->cut or less that was taken carried nothing through anything; else x
 * is as before, and the change that is looked for is where it did.   theory (66.8) */
static bool keeps_apart(const sp_model *m, sp_work *w, const sp_stepper *s, double dt, sp_state *x)
{
    sp_swept_step part = sp_swept_whole(dt);
    if (!s->swept || sp_swept_keep(m, x, SP_METHOD_ADAPTIVE, w, s->swept, &part)) {
        return true;
    }
    x->control.cut = part.h;
    x->control.t_switch = x->t + part.h;
    return false;
}

/* x <- the plain step of dt in s->coarse, whose events and certificate are in w. */
static sp_status take_plain(const sp_model *m, double dt, const sp_stepper *s, sp_state *x)
{
    const sp_state *y = &s->coarse;
    memcpy(x->q, y->q, (size_t)m->n_q * sizeof(double));
    memcpy(x->u, y->u, (size_t)m->n_dof * sizeof(double));
    memcpy(x->z, y->z, (size_t)m->n_aux * sizeof(double));
    memcpy(x->g, y->g, (size_t)m->n_slot * sizeof(double));
    memcpy(x->book, y->book, (size_t)m->n_book * sizeof(double));
    take_memory(m, y, 1.0, x);
    x->t = y->t;
    x->ledger = y->ledger;
    x->control.dt_last = dt;
    x->control.t_switch = 0.0;
    return SP_OK;
}

/* The plain step of dt once more, where the restitutions of several contacts contradict each other
 * or friction leaves an impact without solution: without restitution there is one.
 * theory (31.5) */
static sp_status step_without_restitution(const sp_model *m, sp_state *x, double dt, sp_work *w,
                                          sp_stepper *s, sp_error *err)
{
    sp_step_rule rule = *sp_step_rule_of(SP_METHOD_ADAPTIVE);
    trial t = {.rule = &rule, .dt = dt};
    rule.restitution = false;
    rule.effort = SP_EFFORT_LENIENT; /* theory (30.2) */
    copy_state(m, x, factor_of(x, dt), &s->coarse);
    step_plainly(m, x, dt, w, &s->coarse, &t, err);
    return t.status == SP_OK ? take_plain(m, dt, s, x) : t.status;
}

/* ---- control --------------------------------------------------------------------------------- */

/* How long a step with the change of this trial may be.  The time of an impact is off by dt at
 * most, and positions by dt times the jump; forces that change make a jump that goes with dt, which
 * velocities are off by.  A time of tolerance T is always short enough.   theory (17.35) */
static double allowed_length(const trial *t, double tolerance, double T)
{
    const double length = tolerance * (t->impact ? T : t->dt) / t->jump;
    /* also if the jump is not known; what switches with the motion may be of any size */
    return (t->kink != SP_NONE) != (length >= tolerance * T) ? length : tolerance * T;
}

/* What the plain step of a trial, which is in s->coarse, is wrong by at most.   theory (67.1) */
static double error_of_change(const sp_model *m, const sp_stepper *s, const sp_state *x,
                              const trial *t, double T)
{
    const double jump = distance_u(m, s, &x->control, s->coarse.u, x->u);
    return t->status != SP_OK ? INFINITY : t->impact ? jump * t->dt / T : jump;
}

/* The next trial: not past t_stop, not past the longest step, and half of the way to where contacts
 * are known to change, until that is as short as it may be. */
static double next_trial(const sp_control *c, double t, double t_stop, double shortest,
                         double longest)
{
    double dt = c->dt < longest ? c->dt : longest;
    const double left = t_stop - t, way = c->t_switch - t;
    if (way > shortest) {
        dt = fmin(dt, way > c->cut ? 0.5 * way : way);
    }
    return dt >= left ? left : dt > 0.5 * left ? 0.5 * left : dt;
}

/* The step that the error of a trial asks for.   theory (17.36) */
static double next_step(const trial *t, double tolerance, double power)
{
    const double over = t->error / tolerance;
    const double factor = over > 0.0 ? SAFETY * pow(over, -power) : over == 0.0 ? GROW_MOST : 0.0;
    return t->dt * fmin(GROW_MOST, fmax(SHRINK_MOST, factor));
}

/* The end of a run that would never end. */
static sp_status fail_singular(const sp_state *x, const trial *t, double tolerance, sp_error *err)
{
    return SP_FAIL(err, SP_E_NOT_CONVERGED,
                   "t = %.15g s: the step size fell to %.3g s with an error of %.3g times the "
                   "tolerance (%g); the motion is singular here, as where a force grows beyond "
                   "all bounds (limit it, or end before), or the tolerance is too tight",
                   x->t, t->dt, t->error / tolerance, tolerance);
}

/* What a step needs before its first trial. */
static sp_status begin(const sp_model *m, sp_state *x, sp_work *w, sp_stepper **stepper,
                       sp_error *err)
{
    SP_TRY(sp_stepper_of(m, w, stepper, err));
    sp_stepper *s = *stepper;
    SP_TRY(sp_swept_of(m, w, &s->swept, err));
    if (s->swept) {
        sp_swept_begin(m, x, s->swept);
    }
    sp_step_pass_seams(m, x, w);
    raise_sizes(m, s, x, &x->control);
    return SP_OK;
}

/* One step; x->t may miss t_stop by round-off. */
static sp_status step(const sp_model *m, sp_state *x, sp_work *w, double tolerance, double t_stop,
                      sp_adaptive_taken *taken, sp_error *err)
{
    sp_stepper *s;
    sp_control *c = &x->control;
    const double finest = larger(tolerance, SP_ADAPTIVE_FINEST);
    SP_TRY(begin(m, x, w, &s, err));
    const double T = time_scale(m, s, c), longest = longest_step(m, s, x, T);
    const double shortest = 64.0 * DBL_EPSILON * (fabs(x->t) + T); /* what the clock can tell */
    c->dt = c->dt > 0.0 ? c->dt : LONGEST * LONGEST * T;
    for (;;) {
        const double dt = next_trial(c, x->t, t_stop, shortest, longest);
        const trial t = try_step(m, x, dt, finest * T, w, s, err);
        *taken = (sp_adaptive_taken){dt, t.error, t.impact};
        if (t.changes) {
            c->cut = larger(allowed_length(&t, finest, T), shortest);
            c->t_switch = x->t + t.dt;
            if (t.dt > c->cut) {
                continue;
            }
            taken->error = error_of_change(m, s, x, &t, T);
            SP_TRY(t.status == SP_OK ? take_plain(m, dt, s, x)
                                     : step_without_restitution(m, x, dt, w, s, err));
            if (keeps_apart(m, w, s, dt, x)) {
                return SP_OK;
            }
            continue;
        }
        const double next = next_step(&t, tolerance, 1.0 / (order_of(m, x, s) + 1));
        if (t.error <= tolerance) {
            c->dt = t.dt < c->dt ? larger(next, c->dt) : next;
            return take_extrapolated(m, &t, w, s, x, err);
        }
        if (t.dt <= shortest) {
            return fail_singular(x, &t, tolerance, err);
        }
        c->dt = next;
    }
}

sp_status sp_adaptive_step(const sp_model *m, sp_state *x, sp_work *w, double tolerance,
                           double t_stop, sp_adaptive_taken *taken, sp_error *err)
{
    const double left = t_stop - x->t;
    SP_TRY(step(m, x, w, tolerance, t_stop, taken, err));
    if (taken->dt == left) {
        x->t = t_stop;
    }
    return SP_OK;
}
