#include "integrators/clock.h"

#include "base/status.h"
#include "contact/motion.h"
#include "contact/rule.h"
#include "expr/bounds.h"
#include "expr/samples.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { JUMPS = 10000 }; /* switches of a motion that are looked at before the run */
enum { QUARTERS = 4 };  /* of a step, between which forces of contacts are looked at */
enum { DEPTH = 40 };    /* halvings of a step                                     */

#define BEYOND    100.0               /* s: no step goes further beyond the end of the run       */
#define SAME_TIME (8.0 * DBL_EPSILON) /* switches nearer than this, of the time, are one     */
#define JUMPS_BY  SP_FINE             /* of its size: more is no round-off of a motion       */
#define BENDS     0.02 /* of the largest place: a step follows a curve that bends by less        */
#define BENDS_SUM SP_SMALL /* of a load whose values in the middle add up to an impulse */

/* ---- switches -------------------------------------------------------------------------------- */

/* As far as steps may look: what they do does not depend on where the run ends. */
static double beyond(const sp_clocks *c)
{
    return c->until + BEYOND;
}

/* The first switch of clock k at or behind t. */
static sp_switch next_of(sp_clocks *c, int k, double t)
{
    sp_switch *s = &c->cached[k];
    if (!(c->from[k] <= t && t <= s->left)) {
        c->from[k] = t;
        *s = (sp_switch){INFINITY, INFINITY};
        if (t < beyond(c)) {
            sp_program_switch(c->m->clock[k].program, t, beyond(c), &s->left, &s->right, c->work);
        }
    }
    return *s;
}

/* The first of all. */
static sp_switch first_of(sp_clocks *c, double t)
{
    sp_switch first = {INFINITY, INFINITY};
    for (int k = 0; k < c->m->n_clock; k++) {
        const sp_switch s = next_of(c, k, t);
        first = s.left < first.left ? s : first;
    }
    return first;
}

sp_switch sp_clocks_next(sp_clocks *c, double t)
{
    if (!c) {
        return (sp_switch){INFINITY, INFINITY};
    }
    if (!(c->next_from <= t && t <= c->next.left)) {
        c->next_from = t;
        c->next = first_of(c, t);
        while (c->next.right < beyond(c)) {
            const sp_switch s = first_of(c, c->next.right);
            if (!(s.left - c->next.right <= SAME_TIME * fabs(c->next.right))) {
                break;
            }
            c->next.right = s.right;
        }
    }
    return c->next;
}

/* ---- prescribed motion ----------------------------------------------------------------------- */

/* SP_E_INPUT if a prescribed coordinate jumps between two neighbouring times. */
static sp_status check_jump(const sp_model *m, int i, sp_switch s, sp_dyn *dyn, sp_error *err)
{
    const sp_motion *motion = &m->motion[i];
    const sp_motion_values a = sp_motion_at(motion, s.left, dyn);
    const sp_motion_values b = sp_motion_at(motion, s.right, dyn);
    const double rate = fmax(fabs(a.rate), fabs(b.rate));
    const double most =
        JUMPS_BY * fmax(fabs(a.value), fabs(b.value)) + 4.0 * rate * (s.right - s.left) + DBL_MIN;
    if (motion->speed || fabs(b.value - a.value) <= most) {
        return SP_OK;
    }
    const sp_dof *dof = &m->dof[motion->dof];
    return SP_FAIL(err, SP_E_INPUT,
                   "motion of '%s' jumps from %.6g to %.6g %s at t = %.9g s, which takes an "
                   "infinite velocity; let it take a time, as with ramp(t, t_0, t_1)",
                   dof->name, a.value, b.value, dof->unit, s.right);
}

/* The same of all switches that are known. */
static sp_status check_motions(sp_clocks *c, sp_dyn *dyn, sp_error *err)
{
    const sp_model *m = c->m;
    for (int i = 0; i < m->n_motion; i++) {
        const sp_program *p = m->motion[i].func.program;
        sp_switch s = {c->t_0, c->t_0};
        for (int n = 0; n < JUMPS && p && !m->motion[i].speed && s.right < c->until; n++) {
            if (!sp_program_switch(p, s.right, c->until, &s.left, &s.right, c->work)) {
                break;
            }
            SP_TRY(check_jump(m, i, s, dyn, err));
        }
    }
    return SP_OK;
}

/* w->du_held: what prescribed velocities change by at x; whether any does. */
static bool find_jumps(const sp_model *m, const sp_state *x, sp_work *w)
{
    bool any = false;
    memset(w->du_held, 0, (size_t)m->n_dof * sizeof(double));
    for (int i = 0; i < m->n_motion; i++) {
        const sp_motion *motion = &m->motion[i];
        const sp_motion_values v = sp_motion_at(motion, x->t, &w->dyn);
        const double u = motion->speed ? v.value : v.rate;
        w->du_held[motion->dof] = u - x->u[motion->dof];
        any = any || fabs(u - x->u[motion->dof]) > JUMPS_BY * (fabs(u) + fabs(x->u[motion->dof]));
    }
    return any;
}

/* u += du_held, and -M_ff^-1 M_fh du_held of what is free. */
static void jump(const sp_model *m, sp_state *x, sp_work *w)
{
    sp_dyn_multiply(m, &w->dyn, w->du_held, w->M_held);
    for (int k = 0; k < m->n_dof; k++) {
        w->b[k] = w->held[k] ? 0.0 : -w->M_held[k];
    }
    sp_dyn_solve_LT(m, &w->dyn, w->b);
    sp_dyn_solve_D_L(m, &w->dyn, w->b);
    for (int k = 0; k < m->n_dof; k++) {
        x->u[k] += w->du_held[k] + w->b[k];
    }
}

/* c = W^T u + w~ of the bilateral rows at x; whether one is off by more than round-off. */
static bool rows_are_off(const sp_model *m, const sp_state *x, sp_work *w)
{
    sp_con *con = &w->con;
    bool off = false;
    sp_kin_velocities(m, x->u, &w->kin);
    sp_con_at(x->t, 1.0, x->q, x->u, con);
    sp_con_directions(m, x->numbers, &w->kin, false, con);
    w->sol.xi_scale = 0.0;
    for (int i = 0; i < con->n_active; i++) {
        const double dot = sp_con_dot(con, i, i, x->u), c = dot + con->w_tilde[i];
        off = off || fabs(c) > JUMPS_BY * (fabs(dot) + fabs(con->w_tilde[i]));
        w->sol.c[i] = c;
        w->sol.P[i] = 0.0;
        w->sol.status[i] = SP_STICK;
        w->sol.xi_scale = fmax(w->sol.xi_scale, fabs(c));
    }
    return off;
}

/* u += M^-1 W Lambda, by which velocities are on the bilateral rows again. */
static sp_status blow(const sp_model *m, sp_state *x, sp_work *w, sp_error *err)
{
    sp_solution solution;
    sp_con_delassus(m, &w->dyn, &w->con);
    SP_TRY(sp_work_solve(w, SP_EFFORT_USUAL, &solution, err));
    memset(w->b, 0, (size_t)m->n_dof * sizeof *w->b);
    sp_con_add_rows(&w->con, w->con.Y, w->sol.P, w->b);
    sp_dyn_solve_D_L(m, &w->dyn, w->b);
    for (int k = 0; k < m->n_dof; k++) {
        x->u[k] += w->b[k];
    }
    return SP_OK;
}

/* Energies at x, whose velocities have jumped: what prescribes motion does the work. */
static void note_driven(const sp_model *m, sp_state *x, sp_work *w)
{
    sp_energy e;
    sp_kin_velocities(m, x->u, &w->kin);
    sp_dyn_energies(m, x->numbers, x->t, x->q, x->u, &w->kin, &w->dyn, &e);
    x->ledger.driven += e.kinetic - x->ledger.kinetic;
    x->ledger.kinetic = e.kinetic;
    x->ledger.quadratic = e.quadratic;
}

/* Velocities of the right side of a switch: those that are prescribed, by motions or by bilateral
 * rows, and of the rest what impulses of joints and rows do to it.   theory (64.8), (64.30) */
static sp_status follow(const sp_model *m, sp_state *x, sp_work *w, sp_error *err)
{
    const bool jumps = m->n_motion > 0 && find_jumps(m, x, w);
    bool off = m->n_bond > 0;
    if (!jumps && !off) {
        return SP_OK;
    }
    w->dyn.z = x->z;
    sp_dyn_terms(m, x->numbers, x->t, x->q, x->u, &w->kin, &w->dyn);
    SP_TRY(sp_dyn_factor_held(m, w->held, &w->dyn, err));
    if (jumps) {
        jump(m, x, w);
    }
    if (off) {
        sp_con_remember(m, x->contact, &w->con);
        sp_con_gaps(m, x->numbers, &w->kin, &w->con);
        SP_TRY(sp_con_activate_near(m, -INFINITY, &w->con, err));
        off = rows_are_off(m, x, w);
        SP_TRY(off ? blow(m, x, w, err) : SP_OK);
    }
    note_driven(m, x, w);
    return SP_OK;
}

sp_status sp_clocks_cross(const sp_model *m, sp_state *x, sp_work *w, double right, sp_error *err)
{
    const sp_switch s = {x->t, right};
    for (int i = 0; i < m->n_motion; i++) {
        SP_TRY(check_jump(m, i, s, &w->dyn, err));
    }
    sp_kin_positions(m, x->numbers, x->q, &w->kin);
    w->con.kin = &w->kin;
    sp_con_at(x->t, 0.0, x->q, x->u, &w->con);
    SP_TRY(sp_rule_check_time(m, x->numbers, &w->con, right, JUMPS_BY, err));
    w->clocks->stop = INFINITY;
    x->t = right;
    return follow(m, x, w, err);
}

/* ---- what a step sees ------------------------------------------------------------------------ */

bool sp_clocks_seen(sp_clocks *c, int n, const double *t)
{
    for (int k = 0; k < c->m->n_clock; k++) {
        if (c->m->clock[k].use != SP_CLOCK_CONDITION &&
            !sp_program_seen(c->m->clock[k].program, n, t, c->size[k], c->work)) {
            return false;
        }
    }
    return true;
}

/* ---- steps of a given length ----------------------------------------------------------------- */

/* Whether a step that looks at its ends and its middle alone follows clock k. */
static bool is_followed(const sp_clocks *c, int k, double t, double dt, double bends)
{
    return sp_program_followed(c->m->clock[k].program, t, dt, c->size[k], bends, c->work);
}

/* The same where values in the middle are to add up to the mean: also of its halves, one of which
 * bends where the whole has a turning point in its middle. */
static bool is_summed(const sp_clocks *c, int k, double t, double dt, double bends)
{
    return is_followed(c, k, t, dt, bends) && is_followed(c, k, t, 0.5 * dt, bends) &&
           is_followed(c, k, t + 0.5 * dt, 0.5 * dt, bends);
}

double sp_clocks_part(sp_clocks *c, double t, double dt, sp_clock_means means)
{
    const double bends = means == SP_MEANS_SUM ? BENDS_SUM : BENDS;
    for (int k = 0; k < c->m->n_clock; k++) {
        const sp_clock_use use = c->m->clock[k].use;
        const bool whole =
            use == SP_CLOCK_CONDITION || (use == SP_CLOCK_TERM && means != SP_MEANS_NONE);
        for (int i = whole ? DEPTH : 0; i < DEPTH; i++) {
            const bool sums = use == SP_CLOCK_INNER;
            if (sums ? is_summed(c, k, t, dt, bends) : is_followed(c, k, t, dt, BENDS)) {
                break;
            }
            dt *= 0.5;
        }
    }
    for (int k = 0; k < c->m->n_clock && means != SP_MEANS_NONE; k++) {
        const bool narrow = c->m->clock[k].use == SP_CLOCK_TERM && !is_followed(c, k, t, dt, bends);
        c->mean[k] =
            narrow ? sp_program_mean(c->m->clock[k].program, t, dt, c->size[k], c->work) : NAN;
    }
    return dt;
}

bool sp_clocks_shown(const sp_clocks *c, double t, double dt)
{
    const double part = dt / QUARTERS;
    for (int k = 0; k < c->m->n_clock; k++) {
        for (int i = 0; i < QUARTERS && c->m->clock[k].use != SP_CLOCK_CONDITION; i++) {
            const sp_program *p = c->m->clock[k].program;
            if (fabs(sp_program_bend(p, t + i * part, part, c->work)) > BENDS * c->size[k]) {
                return false;
            }
        }
    }
    return true;
}

double sp_clocks_end(sp_clocks *c, double t, double t_stop)
{
    if (!c) {
        return t_stop;
    }
    const double end = fmin(t_stop, sp_clocks_next(c, t).left);
    const double part = sp_clocks_part(c, t, end - t, SP_MEANS_NONE);
    return part < end - t ? t + part : end;
}

/* ---- begin ----------------------------------------------------------------------------------- */

/* Room for the clocks of the model, once per work. */
static sp_status make_room(const sp_model *m, sp_work *w, sp_error *err)
{
    sp_arena *a = &w->arena;
    sp_clocks *c = SP_NEW(a, sp_clocks, 1);
    size_t bytes = 0;
    for (int k = 0; k < m->n_clock; k++) {
        const size_t n = sp_program_bounds_work(m->clock[k].program);
        bytes = n > bytes ? n : bytes;
    }
    for (int i = 0; i < m->n_motion; i++) {
        const sp_program *p = m->motion[i].func.program;
        const size_t n = p ? sp_program_bounds_work(p) : 0;
        bytes = n > bytes ? n : bytes;
    }
    if (c) {
        c->m = m;
        c->cached = SP_NEW(a, sp_switch, m->n_clock);
        c->from = SP_NEW(a, double, m->n_clock);
        c->size = SP_NEW(a, double, m->n_clock);
        c->mean = SP_NEW(a, double, m->n_clock);
        c->work = SP_NEW(a, double, bytes / sizeof(double) + 1);
    }
    if (!c || !c->cached || !c->from || !c->size || !c->mean || !c->work) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory for %d terms of time", m->n_clock);
    }
    w->clocks = c;
    return SP_OK;
}

sp_status sp_clocks_begin(const sp_model *m, sp_work *w, double t_0, double until, sp_error *err)
{
    if (m->n_clock == 0) {
        return SP_OK;
    }
    SP_TRY(w->clocks ? SP_OK : make_room(m, w, err));
    sp_clocks *c = w->clocks;
    c->t_0 = t_0;
    c->until = until;
    c->stop = INFINITY;
    c->next_from = INFINITY;
    for (int k = 0; k < m->n_clock; k++) {
        const sp_bounds all = sp_program_bounds(m->clock[k].program, t_0, until, NULL, c->work);
        c->size[k] = fmax(-all.f.lo, all.f.hi);
        c->from[k] = INFINITY;
        c->mean[k] = NAN;
    }
    return check_motions(c, &w->dyn, err);
}
