/* integrators/adaptive.c - steps of moreau-mean, extrapolated and as long as the tolerance allows.
 *
 * A step is taken once whole, in two halves and in three thirds.  If no contact changes in any of
 * them, their ends are extrapolated.  If one changes, the step is taken plainly, provided that its
 * distance from two steps of half the length is within the tolerance, else halved.
 * theory (17.10)-(17.15) */
#include "base/status.h"
#include "integrators/adaptive_parts.h"
#include "integrators/push.h"

#include <float.h>

enum { TRIALS = 400 };
#define SMALL_ANGLE   1e-3
#define SMALL_PART    1e-3
#define SAFETY        0.8
#define SHRINK_MOST   0.1
#define GROW_MOST     4.0
#define GROW_PLAINLY  2.0  /* steps with changes that are as long as was tried                */
#define FIRST_STEP    1e-2 /* of the time in which coordinates change by their size            */
#define PUSHED        1e-4 /* of the velocities: more than this in such a step is not hidden        */
#define CHANGES_MOST  1e3  /* in that time, on the average: with more the tolerance is raised */
#define SHRINKS       0.01 /* intervals between changes that get shorter by this are gone through */
#define DOUBLES       8.0  /* changes too many, at which the tolerance is twice as large        */
#define SECOND        1.0  /* s: changes by their size that take longer are slow             */
#define PAYS          4e3 /* changes in that time that events are gone through for, if contacts are few */
#define SMALL_MACHINE 10.0  /* contacts: with more an event costs as their square                */
#define SKIP          0.125 /* of a plain step that was too long: the next one that is tried     */

/* ---- sizes ------------------------------------------------------------------------------------
 */

/* Raise the sizes that errors are relative to by where x is.   theory (17.13) */
static void raise_sizes(const sp_model *m, sp_stepper *s, sp_state *x)
{
    sp_control *c = &x->control;
    double q_floor[SP_CONTROL_KINDS], longest = 0.0, fastest = 0.0, turning = 0.0;
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
        longest = angle ? longest : larger(longest, c->size_q[i]);
        fastest = angle ? fastest : larger(fastest, c->size_u[i]);
        turning = angle ? larger(turning, c->size_u[i]) : turning;
    }
    s->length = longest > 0.0 ? longest : s->extent;
    s->speed = fastest > 0.0 ? fastest : turning * s->extent;
    for (int i = 0; i < SP_CONTROL_KINDS; i++) {
        c->size_q[i] = larger(c->size_q[i], q_floor[i]);
        c->size_u[i] = larger(c->size_u[i], c->size_q[i] / SECOND);
    }
}

/* The shortest time in which coordinates change by their size, s; how long the run lasts is nothing
 * to go by. */
static double time_scale(const sp_model *m, const sp_stepper *s, const sp_control *c)
{
    double least = SECOND;
    for (int k = 0; k < m->n_dof; k++) {
        const double size_u = c->size_u[s->kind[k]];
        if (size_u > 0.0 && c->size_q[s->kind[k]] < least * size_u) {
            least = c->size_q[s->kind[k]] / size_u;
        }
    }
    return least;
}

/* The shortest step: what the clock can tell apart. */
static double shortest_step(const sp_state *x, double scale)
{
    return 64.0 * DBL_EPSILON * (fabs(x->t) + scale);
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

double sp_adaptive_budget(double tolerance)
{
    return larger(1.0, -log(tolerance)) / SHRINKS;
}

double sp_adaptive_weight(const sp_model *m)
{
    const double n = (double)m->n_slot / SMALL_MACHINE;
    return n > 1.0 ? n * n : 1.0;
}

double sp_adaptive_pays(const sp_model *m)
{
    return PAYS / sp_adaptive_weight(m);
}

/* What the tolerance is multiplied by.   theory (31.3) */
static double patience(const sp_control *c, double tolerance)
{
    const double over = c->streak - sp_adaptive_budget(tolerance);
    return over > 0.0 ? exp2(over / DOUBLES) : 1.0;
}

/* What a step without changes makes up for; what is longer than one change has on the average is a
 * pause, behind which everything is asked for again.   theory (31.3) */
static void rest_a_while(double dt, double scale, double tolerance, sp_control *c)
{
    const double worth = CHANGES_MOST * dt / scale, most = sp_adaptive_budget(tolerance);
    if (worth >= 1.0 && c->streak > most) {
        c->streak = most;
    }
    c->streak = larger(0.0, c->streak - worth);
}

/* One more change, or a step so short that it leads nowhere. */
static void count_change(double tolerance, sp_control *c)
{
    c->streak += tolerance * patience(c, tolerance) < 1.0 ? 1.0 : 0.0;
}

/* How crowded it is, if that is asked for: every change adds one, time takes them away, but not
 * while less than the tolerance is asked for, when changes are passed unseen.   theory (47.4) */
static void look_around(const sp_model *m, double dt, double scale, bool changed, double tolerance,
                        sp_control *c)
{
    if (c->crowd > 0.0) {
        const double most = sp_adaptive_budget(tolerance), more = c->crowd + (changed ? 1.0 : 0.0);
        const double less = c->streak > most ? 0.0 : sp_adaptive_pays(m) * dt / scale;
        c->crowd = larger(0.0, (more < most ? more : most) - less);
    }
}

/* Take the plain step that is in s->y, with its error over what was asked for. */
static void take_plainly(const sp_model *m, double dt, double tolerance, double error,
                         const sp_stepper *s, sp_state *x)
{
    sp_control *c = &x->control;
    const double most = patience(c, tolerance), raised = error < 1.0 ? error * most : most;
    sp_plain_accept(m, dt, s, x);
    c->t_switch = 0.0;
    c->dt = dt < c->dt ? c->dt : GROW_PLAINLY * dt;
    c->loosened = most > 1.0 && raised > 1.0 ? larger(c->loosened, raised) : c->loosened;
    count_change(tolerance, c);
}

/* Whether the step that was just tried passes a threshold: it moves there, and the force turns. */
static bool passes(const sp_model *m, const sp_state *x, const sp_hit *hit)
{
    return m->slot[hit->slot].kind == SP_SLOT_THRESHOLD && hit->slides &&
           x->contact[hit->slot].state == SP_STATE_SLIP &&
           hit->P[0] * x->contact[hit->slot].P_N < 0.0;
}

/* Below which length of the plain step that was just tried its change is not sought any further: an
 * impact that is off by this leaves positions off by the tolerance, and what forces change in
 * shorter steps is hidden by round-off.  Where a threshold is passed nothing is hidden: its place
 * tells the time.   theory (17.14), (31.1), (44.1) */
static double sought(const sp_model *m, const sp_state *x, const sp_work *w, double scale,
                     double tolerance)
{
    bool impact = false;
    for (int k = 0; k < w->n_hit; k++) {
        impact |= w->hit[k].impact;
        if (passes(m, x, &w->hit[k])) {
            return 0.0;
        }
    }
    const double timely = 0.5 * tolerance * scale;
    return impact && timely < SP_RESOLVED * scale ? timely : SP_RESOLVED * scale;
}

/* A trial over dt; its error over the tolerance, and what it ends with is in w and s. */
static sp_trial try_smoothly(const sp_model *m, const sp_state *x, const sp_extrapolation *e,
                             double dt, double tolerance, sp_work *w, sp_stepper *s,
                             sp_certificate *worst, double *error, sp_error *err)
{
    const sp_trial o = sp_trial_run(m, x, dt, w, s, worst, err);
    if (o != SP_TRIAL_GOOD) {
        return o;
    }
    *error = sp_trial_error(m, &x->control, e->error, s) / tolerance;
    return sp_trial_extrapolate(m, x, e, dt, s, w) ? SP_TRIAL_GOOD : SP_TRIAL_CHANGES;
}

/* Book a step without a change for the control. */
static void count_smooth(const sp_model *m, double dt, double scale, double tolerance,
                         sp_control *c)
{
    if (dt < SP_RESOLVED * scale) {
        count_change(tolerance, c);
    } else {
        rest_a_while(dt, scale, tolerance, c);
    }
    look_around(m, dt, scale, false, tolerance, c);
}

/* Go on from a trial of *dt to where friction at rest lets go behind it, and take that step; false
 * if it is not found so.   theory (60.5) */
static bool take_to_brink(const sp_model *m, sp_state *x, const sp_extrapolation *e,
                          double tolerance, double scale, double left, sp_work *w, sp_stepper *s,
                          double *dt, sp_status *status, sp_error *err)
{
    sp_certificate worst;
    const sp_brink b = {.least = SP_RESOLVED * scale,
                        .most = left,
                        .tolerance = tolerance,
                        .near = larger(0.5 * tolerance * scale, shortest_step(x, scale))};
    if (!sp_brink_reach(m, x, e, &b, w, s, dt, &worst)) {
        return false;
    }
    x->control.t_switch = 0.0;
    count_change(tolerance, &x->control);
    look_around(m, *dt, scale, true, tolerance, &x->control);
    *status = sp_trial_accept(m, e, *dt, &worst, w, s, x, err);
    if (*status == SP_OK) {
        sp_brink_release(m, e, *dt, b.near, w, s, x);
    }
    return true;
}

/* The end of a run that would never end. */
static sp_status say_singular(const sp_state *x, double dt, double error, double tolerance,
                              sp_error *err)
{
    return SP_FAIL(err, SP_E_NOT_CONVERGED,
                   "t = %.15g s: the step size fell to %.3g s with an error of %.3g times the "
                   "tolerance (%g); the motion is singular here, as where a force grows beyond "
                   "all bounds (limit it, or end before), or the tolerance is too tight",
                   x->t, dt, error, tolerance);
}

/* Whether forces, contacts apart, push so much in a step of dt that round-off does not hide it,
 * however short that is.   theory (61.1) */
static bool is_pushed(const sp_model *m, const sp_state *x, double dt, double scale,
                      const sp_stepper *s, sp_work *w)
{
    return dt <= SP_RESOLVED * scale &&
           !(sp_push(m, x, dt, s->kind, x->control.size_u, w) * dt <= PUSHED);
}

/* Whether no step is short enough, the last trial of dt being the shortest: the error alone wants
 * it, neither what is left nor a change, or forces push in it (pole). */
static bool is_singular(const sp_state *x, double dt, double error, double most, double t_stop,
                        bool pole)
{
    const double t_switch = x->control.t_switch;
    const bool changes = dt >= most || (t_switch > x->t && dt >= t_switch - x->t);
    return !(error <= 1.0) && dt < t_stop - x->t && (!changes || pole);
}

/* Try the plain step of dt; true if it is taken, or fails for good.  pole: forces push in it. */
static bool try_plainly(const sp_model *m, sp_state *x, double dt, double scale, double tolerance,
                        bool last, bool pole, sp_work *w, sp_stepper *s, double *error,
                        sp_status *status, sp_error *err)
{
    const double allowed = tolerance * patience(&x->control, tolerance);
    const bool shortest = last || dt <= 0.5 * allowed * scale;
    *status = sp_plain_step(m, x, dt, allowed, shortest, w, s, error, err);
    const bool enough =
        allowed >= 1.0 || (!pole && (last || dt <= sought(m, x, w, scale, allowed)));
    if (*status == SP_OK && !(*error <= 1.0) && last && !enough) {
        *status = say_singular(x, dt, *error, tolerance, err);
    }
    if (*status == SP_OK && (*error <= 1.0 || enough)) {
        take_plainly(m, dt, tolerance, *error, s, x);
        look_around(m, dt, scale, true, tolerance, &x->control);
        return true;
    }
    return *status != SP_OK && last;
}

/* One step; x->t may miss t_stop by round-off. */
static sp_status step(const sp_model *m, sp_state *x, sp_work *w, double tolerance, double t_stop,
                      double *dt, sp_error *err)
{
    sp_stepper *s;
    sp_control *c = &x->control;
    sp_certificate worst;
    sp_status status;
    SP_TRY(sp_stepper_of(m, w, &s, err));
    sp_step_hand_on(m, x, w);
    raise_sizes(m, s, x);
    sp_brink_begin(m, x, s);
    const double scale = time_scale(m, s, c), shortest = shortest_step(x, scale);
    const sp_extrapolation *e = sp_trial_weights(s);
    c->dt = c->dt > 0.0 ? c->dt : FIRST_STEP * scale;
    double most = INFINITY, plain = INFINITY, error = INFINITY;
    for (int i = 0; i < TRIALS; i++) {
        *dt = next_trial(c, most, x->t, t_stop);
        const bool last = *dt <= shortest;
        const bool pole = is_pushed(m, x, *dt, scale, s, w);
        sp_trial o = try_smoothly(m, x, e, *dt, tolerance, w, s, &worst, &error, err);
        if (o == SP_TRIAL_GOOD && !last && error <= 1.0) {
            if (isfinite(sp_brink_near(m, x, e, *dt, s))) {
                if (take_to_brink(m, x, e, tolerance, scale, t_stop - x->t, w, s, dt, &status,
                                  err)) {
                    return status;
                }
                s->n_brink = 0; /* once is enough */
                continue;
            }
            o = sp_trial_ends_well(m, x, e, *dt, s, w) ? o : SP_TRIAL_CHANGES;
        }
        if (o == SP_TRIAL_GOOD) {
            if (last && is_singular(x, *dt, error, most, t_stop, pole)) {
                return say_singular(x, *dt, error, tolerance, err);
            }
            if (is_exact(error, e->exponent, *dt, *dt < c->dt, c) || last) {
                count_smooth(m, *dt, scale, tolerance, c);
                return sp_trial_accept(m, e, *dt, &worst, w, s, x, err);
            }
            continue;
        }
        c->t_switch = o == SP_TRIAL_CHANGES ? x->t + *dt : c->t_switch;
        if (*dt <= plain || last) {
            if (try_plainly(m, x, *dt, scale, tolerance, last, pole, w, s, &error, &status, err)) {
                return status;
            }
            plain = larger(SKIP * *dt, error > 1.0 ? *dt / error : 0.0);
        }
        most = 0.5 * *dt;
    }
    return SP_FAIL(err, SP_E_NOT_CONVERGED,
                   "adaptive: no step was found in %d trials (the last of %g s); the tolerance %g "
                   "may be too small",
                   TRIALS, *dt, tolerance);
}

sp_status sp_adaptive_step(const sp_model *m, sp_state *x, sp_work *w, double tolerance,
                           double t_stop, double *dt, sp_error *err)
{
    const double left = t_stop - x->t;
    SP_TRY(step(m, x, w, tolerance, t_stop, dt, err));
    if (*dt == left) {
        x->t = t_stop;
    }
    return SP_OK;
}
