#include "integrators/event.h"

#include "base/status.h"
#include "integrators/event_parts.h"
#include "integrators/moreau.h"
#include "model/sides.h"

#include <math.h>
#include <string.h>

#define BEFORE (4.0 * SP_IN_TIME) /* s, or of the time: so early forces are those of before */

sp_smooth *sp_events_smooth(sp_events *e)
{
    return e->s;
}

bool sp_events_in_fallback(const sp_events *e)
{
    return e->fallback.on;
}

/* ---- a step ---------------------------------------------------------------------------------- */

/* A step of the integrator.  Forces of what slides may grow beyond all bounds, where friction that
 * grows as it slows down comes to the edge of what has a solution: steps shrink to nothing before
 * that, and the fallback goes across, unless other forces do so.  Those that are held on one side
 * of a switch may have no value on the other: no step is short enough then, either.
 * theory (41.5), (61.3) */
static sp_status advance(sp_events *e, const sp_state *x, double t_stop, sp_error *err)
{
    const sp_status status = sp_smooth_advance(e->s, t_stop, err);
    if (status == SP_E_NOT_CONVERGED || status == SP_E_NONFINITE) {
        sp_fallback_note_failure(e, x);
    }
    return e->fallback.failed ? SP_OK : status;
}

/* Whether the force of the contact that lifts off is below what its set allows where the step ends:
 * it has jumped there (over the border of a surface, where a drive steps), if it was admissible
 * before.   decision 131 */
static bool has_jumped(const sp_events *e)
{
    const sp_work *w = e->s->w;
    for (int a = 0; a < e->s->closed.n; a++) {
        if (w->con.active[a] == e->located.slot) {
            return w->sol.P[w->con.row[a]] + sp_slide_pull(&w->con.set[a]) < 0.0;
        }
    }
    return false;
}

/* The certificate of contacts right before the end of the step, then its rows again.  A step
 * without length has no such time: what came before it is certified already.   theory (49.2) */
static sp_status certify_before(sp_events *e, sp_error *err)
{
    sp_smooth *s = e->s;
    const double t = fmax(s->t_old, s->t - BEFORE * (1.0 + fabs(s->t)));
    const double *y = s->now;
    s->before = (sp_certificate){.momentum = 0.0};
    s->left = true;
    if (!(s->t > s->t_old)) {
        return SP_OK;
    }
    SP_TRY(sp_smooth_prepare(s, err));
    SP_TRY(sp_smooth_dense(s, t, s->work, s->y, err));
    SP_TRY(sp_smooth_accelerate_at(s, t, s->y, err));
    sp_event_share(e);
    s->left = false;
    SP_TRY(sp_smooth_certify(s, t, s->y + s->z, err));
    s->left = true;
    s->before = s->w->certificate;
    SP_TRY(sp_smooth_accelerate_at(s, s->t, y, err));
    sp_event_share(e);
    return SP_OK;
}

sp_status sp_event_rows_at_end(sp_events *e, sp_error *err)
{
    sp_smooth *s = e->s;
    SP_TRY(e->located.unseen ? SP_OK : sp_smooth_accelerate_at(s, s->t, s->now, err));
    sp_event_share(e);
    s->landed = e->located.trigger != SP_TRIGGER_NONE;
    s->left = false;
    return e->located.trigger == SP_TRIGGER_LIFT_OFF && has_jumped(e) ? certify_before(e, err)
                                                                      : SP_OK;
}

sp_status sp_events_step(sp_events *e, sp_state *x, double t_stop, sp_error *err)
{
    sp_smooth *s = e->s;
    if (e->fallback.on) {
        return sp_fallback_step(e, x, t_stop, err);
    }
    SP_TRY(sp_event_pass_seams(e, x, err));
    SP_TRY(sp_event_assign_slots(e, x, err));
    SP_TRY(sp_event_note_directions(e, err));
    SP_TRY(sp_event_limit_by_pools(e, x, &t_stop, err));
    SP_TRY(advance(e, x, t_stop, err));
    if (e->fallback.failed) {
        return SP_OK;
    }
    SP_TRY(sp_event_land(e, err));
    sp_event_record_keys(e, x);
    SP_TRY(sp_event_rows_at_end(e, err));
    sp_settle_remember(e);
    if (sp_event_turned(e)) {
        sp_event_set_trigger(e, SP_TRIGGER_NONE, e->located.slot, e->located.group);
    }
    sp_event_note_ends(e);
    SP_TRY(sp_smooth_take(s, x, err));
    sp_con_follow_surfaces(s->m, &s->w->con);
    return SP_OK;
}

sp_status sp_events_beside(sp_events *e, sp_state *x, const sp_ledger *before, double t,
                           sp_error *err)
{
    SP_TRY(sp_smooth_beside(e->s, x, before, t, err));
    sp_event_share(e);
    sp_settle_remember(e);
    sp_event_set_trigger(e, SP_TRIGGER_NONE, e->located.slot, 0);
    e->s->left = false;
    SP_TRY(sp_smooth_take(e->s, x, err));
    sp_con_follow_surfaces(e->s->m, &e->s->w->con);
    return SP_OK;
}

sp_status sp_events_forces(sp_events *e, sp_state *x, double dt, bool at_end, sp_error *err)
{
    sp_smooth *s = e->s;
    sp_work *w = s->w;
    if (!at_end) {
        SP_TRY(sp_smooth_accelerate(s, x->t, x->q, x->u, x->z, err));
        sp_event_share(e);
    }
    for (int i = 0; i < s->m->n_slot; i++) {
        sp_contact_memory *c = &x->contact[i];
        c->P_N = c->P_T = c->P_T2 = c->P_S[0] = c->P_S[1] = c->P_S[2] = 0.0;
        c->hit = 0;
    }
    for (int a = 0; a < s->closed.n; a++) {
        sp_smooth_keep(s, a, w->sol.P, dt, &x->contact[w->con.active[a]]);
    }
    sp_kin_velocities(s->m, x->u, &w->kin);
    sp_con_at(x->t, 1.0, x->q, x->u, &w->con);
    sp_con_gaps(s->m, s->num, &w->kin, &w->con);
    x->control.dt_last = dt;
    return SP_OK;
}

/* ---- an event -------------------------------------------------------------------------------- */

int sp_events_slot(const sp_events *e)
{
    return e->located.slot >= 0 && e->located.slot < e->s->m->n_slot ? e->located.slot : 0;
}

/* Whether events cannot go on from here, but steps can: there is no end to what happens, or more is
 * closed at once than there is room for a G of.   theory (13.10) */
static bool is_for_steps(const sp_events *e, sp_status status)
{
    return status == SP_E_NOT_CONVERGED || status == SP_E_INFEASIBLE ||
           (status == SP_E_CAPACITY && !e->s->driver);
}

/* What an event changes; where events cannot go on, the fallback does with what has happened so
 * far. */
static sp_status pass(sp_events *e, sp_state *x,
                      sp_status (*resolve)(sp_events *, sp_state *, sp_error *), sp_error *err)
{
    sp_state_copy(e->s->m, x, &e->before);
    const sp_status status = resolve(e, x, err);
    if (is_for_steps(e, status)) {
        sp_smooth_note_energy(e->s, x); /* impacts are booked, and steps count from there */
        return sp_fallback_begin(e, x, err);
    }
    if (status != SP_OK) {
        sp_state_copy(e->s->m, &e->before, x);
        return status;
    }
    return sp_event_check_loose(e, x, err);
}

/* Nothing is reported yet. */
static void begin_report(sp_events *e)
{
    e->s->w->n_event = 0;
    e->s->rested.n = 0;
    e->s->w->unique = (sp_uniqueness){0};
}

/* Contacts settle anew at x, whatever the last step ended on. */
static sp_status settle_anew(sp_events *e, sp_state *x, sp_error *err)
{
    begin_report(e);
    sp_event_forget_prediction(e);
    sp_event_set_trigger(e, SP_TRIGGER_TOUCH, SP_NONE, 0);
    const sp_status status = pass(e, x, sp_event_resolve, err);
    sp_event_set_trigger(e, SP_TRIGGER_NONE, e->located.slot, 0);
    return status;
}

/* What happens at x, where the last step ended. */
static sp_status happen(sp_events *e, sp_state *x, sp_error *err)
{
    const sp_trigger trigger = e->located.trigger;
    if (e->fallback.on) {
        return x->t < e->fallback.until ? SP_OK : pass(e, x, sp_fallback_end, err);
    }
    sp_zeno_report(e, x->t);
    sp_event_report_loose(e, x);
    if (sp_fallback_is_needed(e, x)) {
        return sp_fallback_begin(e, x, err);
    }
    if (trigger == SP_TRIGGER_NONE) {
        return SP_OK;
    }
    sp_event_pass_seams_at(e, x);
    return pass(e, x, trigger == SP_TRIGGER_SLIP_FREE ? sp_event_release_slip : sp_event_resolve,
                err);
}

sp_status sp_events_happen(sp_events *e, sp_state *x, sp_error *err)
{
    begin_report(e);
    const sp_status status = happen(e, x, err);
    if (!(x->t < e->until)) {
        sp_zeno_report(e, INFINITY);
    }
    return status;
}

sp_status sp_events_switch(sp_events *e, sp_state *x, sp_error *err)
{
    return settle_anew(e, x, err);
}

/* ---- begin ----------------------------------------------------------------------------------- */

/* SP_E_INPUT if impacts do not know the friction of a slot: Poisson's law knows discs alone. */
static sp_status check_law(const sp_model *m, int slot, sp_error *err)
{
    const sp_slot *s = &m->slot[slot];
    if (!m->impact.poisson || !s->is.space || s->law == SP_NONE) {
        return SP_OK;
    }
    const sp_law_numbers *n = &m->numbers.law[s->law];
    if (m->law[s->law].drills || n->spot.rolling > 0.0 || n->mu_2 > 0.0) {
        return SP_FAIL(err, SP_E_INPUT,
                       "'%s': impact: poisson does not know friction with 'contensou', 'rolling' "
                       "or 'mu_2'; write 'impact: newton'",
                       s->name);
    }
    return SP_OK;
}

/* SP_E_INPUT if a pool has pairs whose points of contact are not followed through a step: those
 * with meshes, and of discs with other shapes with edges. */
static sp_status check_pool(const sp_model *m, const sp_pool *pool, sp_error *err)
{
    for (int i = 0; i < pool->n_a; i++) {
        for (int j = 0; j < pool->n_b; j++) {
            const sp_contour *a = &m->contour[pool->a[i]], *b = &m->contour[pool->b[j]];
            const char *limit = sp_sides_not_followed(a->kind, b->kind);
            if (limit && sp_sides_of(a->kind, b->kind) != 0 && a->body != b->body) {
                return SP_FAIL(err, SP_E_INPUT,
                               "method 'event' knows %s: '%s' against '%s'; take 'moreau' or "
                               "'moreau-mean' with a step",
                               limit, a->name, b->name);
            }
        }
    }
    return SP_OK;
}

sp_status sp_events_check(const sp_model *m, double tolerance, sp_error *err)
{
    for (int i = 0; i < m->n_pool; i++) {
        SP_TRY(check_pool(m, &m->pool[i], err));
    }
    for (int i = 0; i < m->n_slot; i++) {
        if (m->slot[i].is.two_slips) {
            return SP_FAIL(err, SP_E_INPUT,
                           "method 'event' does not know contacts with two slips, '%s'; take "
                           "'moreau' or 'moreau-mean' with a step",
                           m->slot[i].name);
        }
    }
    for (int i = 0; i < m->n_slot; i++) {
        SP_TRY(check_law(m, i, err));
    }
    return sp_smooth_in_range(tolerance, err);
}

/* Among forces of dependent rows events choose. */
static sp_events *choose_by(sp_events *e)
{
    e->s->choose = sp_event_obey;
    e->s->settle = sp_event_share;
    e->s->choose_ctx = e;
    return e;
}

/* Go on as it was saved. */
static sp_status resume(sp_events *e, const sp_smooth_setup *setup, sp_error *err)
{
    begin_report(e);
    return sp_event_load(e, setup->bytes, setup->n, err);
}

sp_status sp_events_begin(const sp_model *m, sp_state *x, sp_work *w, const sp_events_setup *setup,
                          sp_events **events, sp_error *err)
{
    sp_events *e;
    *events = NULL;
    SP_TRY(sp_event_make_room(m, w, &e, err));
    sp_smooth_setup smooth = setup->smooth;
    smooth.more = true;
    SP_TRY(sp_smooth_open(m, x, w, &smooth, &e->s, err));
    *events = choose_by(e);
    e->until = setup->until;
    sp_fallback_prepare(e, x->t, setup->cheap);
    if (m->n_pool > 0) {
        sp_con_remember(m, x->contact, &w->con);
    }
    return setup->smooth.resumes ? resume(e, &setup->smooth, err) : settle_anew(e, x, err);
}

void sp_events_end(sp_events *e)
{
    if (e) {
        e->s->w->con.hold = NULL;
        e->s->w->con.still = false;
        sp_smooth_end(e->s);
    }
}
