/* integrators/event_memory.c - what event-driven integration remembers from step to step, as bytes
 * and back.  Everything in sp_events that is not made anew in each step stands in this list. */
#include "base/memory.h"
#include "base/status.h"
#include "integrators/event_parts.h"

#include <string.h>

#define ROOM(field, type, n) ok = ((field) = SP_NEW(arena, type, (n))) != NULL && ok

/* Room for the states and indicators of the slots. */
static bool room_for_slots(sp_arena *arena, int n, sp_events *e)
{
    bool ok = true;
    ROOM(e->settle.state, unsigned char, n);
    ROOM(e->predicted.state, unsigned char, n);
    ROOM(e->predicted.begins, unsigned char, n);
    ROOM(e->settle.resting, int, n);
    ROOM(e->settle.resting_status, unsigned char, n);
    ROOM(e->settle.came, int, n);
    ROOM(e->settle.came_status, unsigned char, n);
    ROOM(e->settle.begins, unsigned char, n);
    ROOM(e->slip.ends, unsigned char, n);
    ROOM(e->settle.status, unsigned char, n);
    ROOM(e->settle.closed, int, n);
    ROOM(e->settle.hold, int, n);
    ROOM(e->pool.keep, bool, n);
    ROOM(e->pool.key, uint64_t, n);
    ROOM(e->indicator.inset, double, n);
    ROOM(e->indicator.terms, double, n);
    ROOM(e->settle.candidate, int, n);
    ROOM(e->settle.hit, int, n);
    ROOM(e->hit.island, int, n);
    ROOM(e->settle.left, double, n);
    ROOM(e->indicator.below, double, n);
    ROOM(e->zeno.gap, double, n);
    ROOM(e->zeno.path, double, n);
    ROOM(e->zeno.passed, sp_event, n);
    ROOM(e->settle.work, double, n);
    ROOM(e->settle.rested, double, n);
    ROOM(e->settle.base, double, n);
    ROOM(e->shared.is, bool, n);
    ROOM(e->zeno.hops, sp_hops, n);
    ROOM(e->located.sample, double, (size_t)SP_EVENT_NODES *(size_t)(n + 1) * SP_INDICATORS);
    e->indicator.node = sp_arena_alloc(arena, (size_t)n + 1, sizeof *e->indicator.node);
    e->settle.force = sp_arena_alloc(arena, (size_t)n + 1, sizeof *e->settle.force);
    ROOM(e->zeno.deferred, sp_event, 2 * (size_t)n);
    for (int i = 0; ok && i < n; i++) {
        e->settle.left[i] = -INFINITY;
        e->zeno.hops[i].t_hit = -INFINITY;
    }
    return ok && e->indicator.node && e->settle.force;
}

/* Room for what a clatter adds up. */
static bool room_for_clatter(sp_arena *arena, const sp_model *m, sp_events *e)
{
    bool ok = true;
    ROOM(e->zeno.shift, double, m->n_dof);
    ROOM(e->zeno.swing, double,
         (size_t)SP_CLATTER_KEPT *(size_t)(m->n_slot + m->n_bond) * SP_SET_DIM_MAX);
    return ok;
}

/* Room for a problem of so many rows. */
static bool room_for_problem(sp_arena *arena, int n, sp_posed *p)
{
    bool ok = true;
    ROOM(p->G, double, (size_t)n *(size_t)n);
    ROOM(p->c, double, n);
    ROOM(p->P, double, n);
    ROOM(p->row, int, n);
    ROOM(p->who, int, n);
    ROOM(p->set, sp_set, n);
    ROOM(p->guess, unsigned char, n);
    return ok;
}

/* Room for all that has so many rows. */
static bool room_for_rows(sp_arena *arena, const sp_model *m, int n, sp_events *e)
{
    bool ok = room_for_problem(arena, n, &e->decide.of) && room_for_problem(arena, n, &e->jam.of);
    e->decide.pick = sp_arena_alloc(arena, (size_t)n, sizeof *e->decide.pick);
    ROOM(e->settle.stays, bool, n);
    ROOM(e->hit.coupled, bool, n);
    ROOM(e->decide.found, unsigned char, n);
    ROOM(e->decide.slow, bool, n);
    ROOM(e->decide.held, int, n + 1);
    ROOM(e->decide.lambda, double, n);
    ROOM(e->decide.accel, double, n);
    ROOM(e->jam.impulse, double, n);
    ROOM(e->impact.impulse, double, n);
    ROOM(e->zeno.impulse, double, n);
    ROOM(e->zeno.gamma, double, n);
    ROOM(e->shared.null, double, (size_t)n *(size_t)n);
    ROOM(e->shared.B, double, (size_t)sp_event_share_most(m, n) * (size_t)n);
    ROOM(e->shared.b, double, sp_event_share_most(m, n));
    ROOM(e->shared.z, double, n);
    ROOM(e->shared.scratch, double, sp_event_share_work(m, n));
    return ok && e->decide.pick;
}

#undef ROOM

sp_status sp_event_make_room(const sp_model *m, sp_work *w, sp_events **events, sp_error *err)
{
    sp_arena *arena = &w->events;
    *events = NULL;
    sp_arena_reset(arena); /* those of the run before */
    sp_events *e = SP_NEW(arena, sp_events, 1);
    if (!e || !sp_work_make_dense(m, w) || !room_for_slots(arena, m->n_slot, e) ||
        !room_for_rows(arena, m, m->layout.contact_rows * w->con.room_most + 1, e) ||
        !room_for_clatter(arena, m, e) || !sp_state_room(m, arena, &e->before)) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory for events of %d contacts", m->n_slot);
    }
    *events = e;
    return SP_OK;
}

enum { PARTS = 23 };

/* All that goes from step to step beside smooth motion. */
static void parts_of(sp_events *e, sp_memory_part p[PARTS])
{
    const size_t n = (size_t)e->s->m->n_slot;
    const sp_memory_part part[] = {
        {e->settle.state, n * sizeof *e->settle.state},
        {e->settle.closed, n * sizeof *e->settle.closed},
        {e->settle.status, n * sizeof *e->settle.status},
        {&e->s->closed.n, sizeof e->s->closed.n},
        {e->settle.left, n * sizeof *e->settle.left},
        {e->settle.force, n * sizeof *e->settle.force},
        {e->indicator.terms, n * sizeof *e->indicator.terms},
        {e->zeno.hops, n * sizeof *e->zeno.hops},
        {e->settle.work, n * sizeof *e->settle.work},
        {e->settle.base, n * sizeof *e->settle.base},
        {e->zeno.deferred, 2 * n * sizeof *e->zeno.deferred},
        {&e->zeno.n_deferred, sizeof e->zeno.n_deferred},
        {&e->located.trigger, sizeof e->located.trigger},
        {&e->located.slot, sizeof e->located.slot},
        {&e->located.group, sizeof e->located.group},
        {e->settle.begins, n * sizeof *e->settle.begins},
        {e->slip.ends, n * sizeof *e->slip.ends},
        {&e->impact.size, sizeof e->impact.size},
        {&e->fallback, sizeof e->fallback},
        {e->s->w->con.hint, n * sizeof *e->s->w->con.hint},
        {e->settle.hold, n * sizeof *e->settle.hold},
        {&e->s->w->con.still, sizeof e->s->w->con.still},
        {&e->shared.was_loose, sizeof e->shared.was_loose},
    };
    _Static_assert(sizeof part == PARTS * sizeof *part, "as many as there is room for");
    memcpy(p, part, sizeof part);
}

bool sp_events_may_save(const sp_events *e)
{
    return sp_smooth_may_save(e->s);
}

size_t sp_events_bytes(sp_events *e)
{
    sp_memory_part p[PARTS];
    parts_of(e, p);
    return sp_memory_bytes(p, PARTS) + sp_smooth_bytes(e->s);
}

void sp_events_save(sp_events *e, unsigned char *bytes)
{
    sp_memory_part p[PARTS];
    parts_of(e, p);
    sp_smooth_save(e->s, bytes);
    sp_memory_save(p, PARTS, bytes + sp_smooth_bytes(e->s));
}

sp_status sp_event_load(sp_events *e, const unsigned char *bytes, size_t n, sp_error *err)
{
    sp_memory_part p[PARTS];
    const int n_slot = e->s->m->n_slot;
    parts_of(e, p);
    if (n != sp_events_bytes(e)) {
        return SP_FAIL(err, SP_E_INPUT,
                       "memory of %zu bytes, expected %zu: of another model or version", n,
                       sp_events_bytes(e));
    }
    sp_memory_load(p, PARTS, bytes + sp_smooth_bytes(e->s));
    if (e->s->closed.n < 0 || e->s->closed.n > n_slot || e->zeno.n_deferred < 0 ||
        e->zeno.n_deferred > 2 * n_slot) {
        return SP_FAIL(err, SP_E_INPUT, "memory with %d closed contacts, expected at most %d",
                       e->s->closed.n, n_slot);
    }
    for (int i = 0; i < n_slot; i++) {
        const int most = sp_con_n_feature(e->s->m, i);
        if (e->settle.hold[i] < 0 || e->settle.hold[i] > most) {
            return SP_FAIL(err, SP_E_INPUT,
                           "memory with edge %d of contact '%s', expected up to %d",
                           e->settle.hold[i] - 1, e->s->m->slot[i].name, most - 1);
        }
    }
    e->s->w->con.hold = e->fallback.on ? NULL : e->settle.hold;
    e->s->closed.slot = e->settle.closed;
    e->s->closed.status = e->settle.status;
    return SP_OK;
}
