#include "integrators/event.h"

#include "base/status.h"
#include "integrators/event_parts.h"
#include "integrators/moreau.h"
#include "model/sides.h"

#include <math.h>
#include <string.h>

enum { STILL_MAX = 200, RECENT_MAX = 1000, CREEP_MAX = 5000 };
enum { CONTACTS_MAX = 256 }; /* in space: beyond, G is not formed */
#define CRAWLS  1e-7 /* of what counts as long: RECENT_MAX events in less are not gone through */
#define CREEPS  1e-4 /* of the same: CREEP_MAX steps in less are those of stiff slip */
#define NOWHERE 1e-6 /* of the same: a run that took so many for less would never end */
#define BEFORE                                                                                     \
    4e-12 /* s, or of the time: forces that jump at an event are those of before so early */

sp_smooth *sp_events_smooth(sp_events *e)
{
    return e->s;
}

bool sp_events_over(const sp_events *e)
{
    return e->over_left > 0;
}

/* ---- a step ------------------------------------------------------------------------------------
 */

/* Forces and friction work at the end of the step, for what follows. */
static void remember(sp_events *e)
{
    const sp_smooth *s = e->s;
    const sp_con *con = &s->w->con;
    memset(e->force, 0, (size_t)s->m->n_slot * sizeof *e->force);
    for (int a = 0; a < s->closed.n; a++) {
        const int slot = con->active[a], r = con->row[a];
        memcpy(e->force[slot], s->w->sol.P + r, (size_t)(con->row[a + 1] - r) * sizeof(double));
        e->work[slot] = e->base[slot] + s->now[s->share + slot];
    }
}

/* The first contact that slides with friction, SP_NONE if there is none. */
static int slides_roughly(const sp_events *e)
{
    const sp_smooth *s = e->s;
    for (int a = 0; a < s->closed.n; a++) {
        const int slot = s->closed.slot[a], law = s->m->slot[slot].law;
        if (law != SP_NONE && s->num->law[law].mu > 0.0 && sp_smooth_slides(s, a)) {
            return slot;
        }
    }
    return SP_NONE;
}

/* A step of the integrator.  Forces of what slides may grow beyond all bounds, where friction that
 * grows as it slows down comes to the edge of what has a solution: steps shrink to nothing before
 * that, and steps across it follow (e->lost), in the plane, unless other forces do so.  Those
 * that are held on one side of a switch may have no value on the other: no step is short enough
 * then, either.   theory (41.5), (61.3) */
static sp_status advance(sp_events *e, const sp_state *x, double t_stop, sp_error *err)
{
    const sp_status status = sp_smooth_advance(e->s, t_stop, err);
    const bool ends = status == SP_E_NOT_CONVERGED || status == SP_E_NONFINITE;
    e->lost = ends && e->s->m->dim == 2 && !e->s->driver && slides_roughly(e) != SP_NONE &&
              !sp_event_meets_pole(e, x, sp_event_over_first(e));
    return e->lost ? SP_OK : status;
}

/* Whether the force of the contact that lifts off is below what its set allows where the step ends:
 * it has jumped there (over the border of a surface, where a drive steps), if it was admissible
 * before.   decision 131 */
static bool has_jumped(const sp_events *e)
{
    const sp_work *w = e->s->w;
    for (int a = 0; a < e->s->closed.n; a++) {
        if (w->con.active[a] == e->slot) {
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
    SP_TRY(sp_smooth_dense(s, t, s->y, err));
    SP_TRY(sp_smooth_accelerate(s, t, s->y + s->q, s->y + s->u, s->y + s->z, err));
    sp_event_share(e);
    s->left = false;
    SP_TRY(sp_smooth_certify(s, t, s->y + s->z, err));
    s->left = true;
    s->before = s->w->certificate;
    SP_TRY(sp_smooth_accelerate(s, s->t, y + s->q, y + s->u, y + s->z, err));
    sp_event_share(e);
    return SP_OK;
}

sp_status sp_event_rows_at_end(sp_events *e, sp_error *err)
{
    sp_smooth *s = e->s;
    const double *y = s->now;
    SP_TRY(sp_smooth_accelerate(s, s->t, y + s->q, y + s->u, y + s->z, err));
    sp_event_share(e);
    s->landed = e->trigger != SP_TRIGGER_NONE;
    s->left = false;
    return e->trigger == SP_TRIGGER_LIFT_OFF && has_jumped(e) ? certify_before(e, err) : SP_OK;
}

sp_status sp_events_step(sp_events *e, sp_state *x, double t_stop, sp_error *err)
{
    sp_smooth *s = e->s;
    if (e->over_left > 0) {
        return SP_OK; /* steps are taken where events happen */
    }
    SP_TRY(sp_event_pass_seams(e, x, err));
    SP_TRY(sp_event_assign_slots(e, x, err));
    SP_TRY(sp_event_note_directions(e, err));
    SP_TRY(sp_event_limit_by_pools(e, x, &t_stop, err));
    SP_TRY(advance(e, x, t_stop, err));
    if (e->lost) {
        return SP_OK;
    }
    SP_TRY(sp_event_land(e, err));
    sp_event_record_keys(e, x);
    SP_TRY(sp_event_rows_at_end(e, err));
    remember(e);
    e->trigger = sp_event_turned(e) ? SP_TRIGGER_NONE : e->trigger;
    sp_event_note_ends(e);
    return sp_smooth_take(s, x, err);
}

sp_status sp_events_beside(sp_events *e, sp_state *x, const sp_ledger *before, double t,
                           sp_error *err)
{
    SP_TRY(sp_smooth_beside(e->s, x, before, t, err));
    sp_event_share(e);
    remember(e);
    e->trigger = SP_TRIGGER_NONE;
    e->s->left = false;
    return sp_smooth_take(e->s, x, err);
}

sp_status sp_events_forces(sp_events *e, sp_state *x, double dt, sp_error *err)
{
    sp_smooth *s = e->s;
    sp_work *w = s->w;
    SP_TRY(sp_smooth_accelerate(s, x->t, x->q, x->u, x->z, err));
    sp_event_share(e);
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

/* ---- an event ----------------------------------------------------------------------------------
 */

/* Whether stability and not accuracy keeps steps short: |dt lambda| near 6 (math/rk8.h). */
static bool is_stiff(const sp_events *e)
{
    return !e->s->driver && e->s->rk->stiffness > 2.0;
}

/* Many steps in little time, while something slides in space: slip that is slow and turns is stiff.
 * In next to no time in the plane: the run comes nowhere.   theory (50.9) */
static bool creeps(sp_events *e, const sp_state *x)
{
    if (++e->n_step < CREEP_MAX) {
        return false;
    }
    const double part = (x->t - e->begun) / sp_event_long(e);
    const bool slow = part < CREEPS;
    e->nowhere = part < NOWHERE && (is_stiff(e) || (e->s->m->dim == 2 && e->s->closed.n > 0));
    e->n_step = 0;
    e->begun = x->t;
    const int slot = slow && e->s->m->dim == 3 && !e->s->driver ? slides_roughly(e) : SP_NONE;
    e->slot = slot != SP_NONE ? slot : e->slot; /* to be told */
    return slot != SP_NONE;
}

/* Many events in no time: the states of contacts contradict each other, or follow each other
 * without end. */
static bool is_stuck(sp_events *e, const sp_state *x)
{
    const bool moves =
        e->trigger == SP_TRIGGER_NONE || x->t > e->since + 1e-13 * (1.0 + fabs(x->t));
    e->since = moves ? x->t : e->since;
    e->n_still = moves ? 0 : e->n_still + 1;
    e->n_recent += e->trigger != SP_TRIGGER_NONE;
    bool crawls = false;
    if (e->n_recent > RECENT_MAX) {
        crawls = x->t - e->mark < CRAWLS * sp_event_long(e);
        e->n_recent = 0;
        e->mark = x->t;
    }
    return e->n_still > STILL_MAX || crawls;
}

int sp_events_slot(const sp_events *e)
{
    return e->slot >= 0 && e->slot < e->s->m->n_slot ? e->slot : 0;
}

/* A stepper goes on where events cannot be passed; stiff forces are not for it. */
static sp_status hand_over(sp_events *e, const sp_state *x, sp_error *err)
{
    if (e->s->driver) {
        return SP_FAIL(err, SP_E_NOT_CONVERGED,
                       "t = %.15g s, contact '%s': events follow each other without end, and steps "
                       "across them (handover) are not supported for stiff machines; take a "
                       "smaller tolerance, method 'event', or less restitution",
                       x->t, e->s->m->slot[sp_events_slot(e)].name);
    }
    sp_event_over_begin(e, x);
    return SP_OK;
}

/* What an event changes; where that has no end a stepper goes on with what has happened so far. */
static sp_status resolve_or_hand_over(sp_events *e, sp_state *x,
                                      sp_status (*resolve)(sp_events *, sp_state *, sp_error *),
                                      sp_error *err)
{
    sp_state_copy(e->s->m, x, &e->before);
    const sp_status status = resolve(e, x, err);
    if (status == SP_E_NOT_CONVERGED || status == SP_E_INFEASIBLE) {
        sp_smooth_note_energy(e->s, x); /* impacts are booked, and the stepper counts from there */
        return hand_over(e, x, err);
    }
    if (status != SP_OK) {
        sp_state_copy(e->s->m, &e->before, x);
    }
    return status;
}

/* Steps of the stepper, one at a time. */
static sp_status go_over(sp_events *e, sp_state *x, sp_error *err)
{
    SP_TRY(sp_event_over_step(e, x, err));
    if (e->over_left > 0 || !(x->t < e->until)) {
        return SP_OK;
    }
    return resolve_or_hand_over(e, x, sp_event_over_end, err);
}

/* The event itself: steps across it, or what it changes. */
static sp_status pass(sp_events *e, sp_state *x, sp_error *err)
{
    if (e->over_left > 0) {
        return go_over(e, x, err);
    }
    return resolve_or_hand_over(
        e, x, e->trigger == SP_TRIGGER_SLIP_FREE ? sp_event_release_slip : sp_event_resolve, err);
}

/* The end of a run that would never end. */
static sp_status fail_without_progress(const sp_events *e, const sp_state *x, sp_error *err)
{
    if (is_stiff(e)) {
        return SP_FAIL(err, SP_E_NOT_CONVERGED,
                       "t = %.15g s: no progress in %d steps: forces are too stiff for explicit "
                       "steps; take method 'stiff', or 'moreau' with a step, or smaller stiffness "
                       "and damping",
                       x->t, CREEP_MAX);
    }
    return SP_FAIL(err, SP_E_NOT_CONVERGED,
                   "t = %.15g s: no progress in %d steps with contact '%s' closed: it chatters "
                   "between two positions, as over a kink of its gap, or forces jump or grow "
                   "beyond all bounds (limit them); or take method 'moreau' with a step",
                   x->t, CREEP_MAX, e->s->m->slot[e->s->closed.slot[0]].name);
}

sp_status sp_events_happen(sp_events *e, sp_state *x, sp_error *err)
{
    sp_status status = SP_OK;
    e->s->w->n_event = 0;
    e->s->w->unique = (sp_uniqueness){0};
    if (e->over_left == 0) { /* a stepper tells its own events first */
        sp_zeno_report(e, x->t);
        sp_event_report_loose(e, x);
    }
    if (e->over_left == 0 && (e->lost || is_stuck(e, x) || creeps(e, x))) {
        e->slot = e->lost ? slides_roughly(e) : e->slot; /* to be told */
        e->lost = false;
        status = hand_over(e, x, err);
    } else if (e->nowhere) {
        status = fail_without_progress(e, x, err);
    } else if (e->over_left > 0 || e->trigger != SP_TRIGGER_NONE) {
        if (e->over_left == 0) {
            sp_event_dense_count(e, x);
            sp_event_pass_seams_at(e, x);
        }
        status = pass(e, x, err);
        if (status == SP_OK && e->over_left == 0) {
            status = sp_event_check_loose(e, x, err);
        }
    }
    if (!(x->t < e->until)) {
        sp_zeno_report(e, INFINITY);
    }
    return status;
}

sp_status sp_events_switch(sp_events *e, sp_state *x, sp_error *err)
{
    e->s->w->n_event = 0;
    e->s->w->unique = (sp_uniqueness){0};
    e->trigger = SP_TRIGGER_TOUCH;
    e->slot = SP_NONE;
    e->ahead = false;
    const sp_status status = pass(e, x, err);
    e->trigger = SP_TRIGGER_NONE;
    return status == SP_OK && e->over_left == 0 ? sp_event_check_loose(e, x, err) : status;
}

/* ---- begin -------------------------------------------------------------------------------------
 */

/* SP_E_INPUT if impacts do not know the friction of a slot: Poisson's law knows discs alone. */
static sp_status check_law(const sp_model *m, int slot, sp_error *err)
{
    const sp_slot *s = &m->slot[slot];
    if (!m->impact.poisson || !sp_con_in_space(s) || s->law == SP_NONE) {
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
    if (m->dim == 3 && m->n_slot > CONTACTS_MAX) {
        return SP_FAIL(err, SP_E_INPUT,
                       "%d contacts in space, method 'event' knows up to %d; take 'moreau'",
                       m->n_slot, CONTACTS_MAX);
    }
    for (int i = 0; i < m->n_slot; i++) {
        SP_TRY(check_law(m, i, err));
    }
    return sp_smooth_in_range(tolerance, err);
}

#define ROOM(field, type, n) ok = ((field) = SP_NEW(arena, type, (n))) != NULL && ok

/* Room for the states and indicators of the slots. */
static bool room_for_slots(sp_arena *arena, int n, sp_events *e)
{
    bool ok = true;
    ROOM(e->state, unsigned char, n);
    ROOM(e->next, unsigned char, n);
    ROOM(e->begins, unsigned char, n);
    ROOM(e->ends, unsigned char, n);
    ROOM(e->status, unsigned char, n);
    ROOM(e->closed, int, n);
    ROOM(e->hold, int, n);
    ROOM(e->keep, bool, n);
    ROOM(e->key, uint64_t, n);
    ROOM(e->aside, double, n);
    ROOM(e->candidate, int, n);
    ROOM(e->hit, int, n);
    ROOM(e->island, int, n);
    ROOM(e->left, double, n);
    ROOM(e->below, double, n);
    ROOM(e->gap, double, n);
    ROOM(e->path, double, n);
    ROOM(e->passed, sp_event, n);
    ROOM(e->work, double, n);
    ROOM(e->rested, double, n);
    ROOM(e->base, double, n);
    ROOM(e->shared, bool, n);
    ROOM(e->hops, sp_hops, n);
    ROOM(e->sample, double, (size_t)SP_EVENT_NODES *(size_t)(n + 1) * SP_INDICATORS);
    e->node = sp_arena_alloc(arena, (size_t)n + 1, sizeof *e->node);
    e->force = sp_arena_alloc(arena, (size_t)n + 1, sizeof *e->force);
    ROOM(e->late, sp_event, 2 * (size_t)n);
    for (int i = 0; ok && i < n; i++) {
        e->left[i] = -INFINITY;
        e->hops[i].t_hit = -INFINITY;
    }
    return ok && e->node && e->force;
}

/* Room for what a clatter adds up. */
static bool room_for_clatter(sp_arena *arena, const sp_model *m, sp_events *e)
{
    bool ok = true;
    ROOM(e->shift, double, m->n_dof);
    ROOM(e->swing, double,
         (size_t)SP_CLATTER_KEPT *(size_t)(m->n_slot + m->n_bond) * SP_SET_DIM_MAX);
    return ok;
}

/* Room for the problems of so many rows. */
static bool room_for_rows(sp_arena *arena, const sp_model *m, int n, sp_events *e)
{
    const size_t square = (size_t)n * (size_t)n;
    bool ok = true;
    ROOM(e->G, double, square);
    ROOM(e->c, double, n);
    ROOM(e->P, double, n);
    ROOM(e->row, int, n);
    ROOM(e->who, int, n);
    ROOM(e->set, sp_set, n);
    e->pick = sp_arena_alloc(arena, (size_t)n, sizeof *e->pick);
    ROOM(e->use, bool, n);
    ROOM(e->guess, unsigned char, n);
    ROOM(e->found, unsigned char, n);
    ROOM(e->slow, bool, n);
    ROOM(e->held, int, n + 1);
    ROOM(e->lambda, double, n);
    ROOM(e->accel, double, n);
    ROOM(e->null, double, square);
    ROOM(e->B, double, (size_t)sp_event_share_most(m, n) * (size_t)n);
    ROOM(e->b, double, sp_event_share_most(m, n));
    ROOM(e->z, double, n);
    ROOM(e->scratch, double, sp_event_share_work(m, n));
    return ok && e->pick;
}
#undef ROOM

/* Rooms for events; *events is NULL without memory. */
static sp_status equip(const sp_model *m, sp_work *w, sp_events **events, sp_error *err)
{
    sp_arena *arena = &w->events;
    *events = NULL;
    sp_arena_reset(arena); /* those of the run before */
    sp_events *e = SP_NEW(arena, sp_events, 1);
    if (!e || !room_for_slots(arena, m->n_slot, e) ||
        !room_for_rows(arena, m, m->layout.contact_rows * w->con.dense_most + 1, e) ||
        !room_for_clatter(arena, m, e) || !sp_state_room(m, arena, &e->before)) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory for events of %d contacts", m->n_slot);
    }
    *events = e;
    return SP_OK;
}

/* Among forces of dependent rows events choose. */
static sp_events *choose_by(sp_events *e)
{
    e->s->choose = sp_event_obey;
    e->s->choose_ctx = e;
    return e;
}

/* The first event: what touches at the start. */
static sp_status start(sp_events *e, sp_state *x, double until, sp_error *err)
{
    e->s->w->n_event = 0;
    e->s->w->unique = (sp_uniqueness){0};
    e->trigger = SP_TRIGGER_TOUCH;
    e->slot = SP_NONE;
    e->since = e->mark = e->begun = e->t_0 = x->t;
    e->dense = (sp_dense){.since = x->t, .last = x->t};
    e->over_last = -INFINITY;
    e->until = until;
    const sp_status status = resolve_or_hand_over(e, x, sp_event_resolve, err);
    e->trigger = SP_TRIGGER_NONE;
    return status == SP_OK && e->over_left == 0 ? sp_event_check_loose(e, x, err) : status;
}

sp_status sp_events_begin(const sp_model *m, sp_state *x, sp_work *w, double tolerance,
                          double until, sp_events **events, sp_error *err)
{
    return sp_events_begin_stiff(m, x, w, tolerance, until, NULL, events, err);
}

sp_status sp_events_return(const sp_model *m, sp_state *x, sp_work *w, double tolerance,
                           double until, sp_events **events, sp_error *err)
{
    sp_events *e;
    *events = NULL;
    SP_TRY(equip(m, w, &e, err));
    SP_TRY(sp_smooth_begin(m, x, w, tolerance, &e->s, err));
    *events = choose_by(e);
    sp_step_pass_seams(m, x, w);
    sp_event_from_steps(e, x);
    sp_event_keep_slip(e, x);
    return start(e, x, until, err);
}

sp_status sp_events_begin_stiff(const sp_model *m, sp_state *x, sp_work *w, double tolerance,
                                double until, const sp_stiff_driver *driver, sp_events **events,
                                sp_error *err)
{
    sp_events *e;
    *events = NULL;
    SP_TRY(equip(m, w, &e, err));
    SP_TRY(driver ? sp_smooth_begin_stiff(m, x, w, tolerance, driver, &e->s, err)
                  : sp_smooth_begin(m, x, w, tolerance, &e->s, err));
    *events = choose_by(e);
    if (m->n_pool > 0) {
        sp_con_remember(m, x->contact, &w->con);
    }
    return start(e, x, until, err);
}

sp_status sp_events_resume(const sp_model *m, sp_state *x, sp_work *w, double tolerance,
                           double until, const sp_stiff_driver *driver, const unsigned char *bytes,
                           size_t n, sp_events **events, sp_error *err)
{
    sp_events *e;
    *events = NULL;
    SP_TRY(equip(m, w, &e, err));
    SP_TRY(sp_smooth_resume(m, x, w, tolerance, driver, bytes, n, &e->s, err));
    *events = choose_by(e);
    w->n_event = 0;
    w->unique = (sp_uniqueness){0};
    e->until = until;
    if (m->n_pool > 0) {
        sp_con_remember(m, x->contact, &w->con);
    }
    return sp_event_load(e, bytes, n, err);
}

void sp_events_end(sp_events *e)
{
    if (e) {
        e->s->w->con.hold = NULL;
        e->s->w->con.still = false;
        sp_smooth_end(e->s);
    }
}
