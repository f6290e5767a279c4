/* integrators/event_memory.c - what event-driven integration remembers from step to step, as bytes
 * and back.  Everything in sp_events that is not made anew in each step stands in this list. */
#include "base/status.h"
#include "integrators/event_parts.h"

#include "integrators/memory.h"
#include <string.h>

enum { PARTS = 32 };

/* All that goes from step to step beside smooth motion. */
static void parts_of(sp_events *e, sp_memory_part p[PARTS])
{
    const size_t n = (size_t)e->s->m->n_slot;
    const sp_memory_part part[] = {
        {e->state, n * sizeof *e->state},     {e->closed, n * sizeof *e->closed},
        {e->status, n * sizeof *e->status},   {&e->s->closed.n, sizeof e->s->closed.n},
        {e->left, n * sizeof *e->left},       {e->force, n * sizeof *e->force},
        {e->hops, n * sizeof *e->hops},       {e->work, n * sizeof *e->work},
        {e->base, n * sizeof *e->base},       {e->late, 2 * n * sizeof *e->late},
        {&e->n_late, sizeof e->n_late},       {&e->trigger, sizeof e->trigger},
        {&e->slot, sizeof e->slot},           {&e->group, sizeof e->group},
        {e->begins, n * sizeof *e->begins},   {e->ends, n * sizeof *e->ends},
        {&e->size, sizeof e->size},           {&e->t_0, sizeof e->t_0},
        {&e->since, sizeof e->since},         {&e->n_still, sizeof e->n_still},
        {&e->mark, sizeof e->mark},           {&e->n_recent, sizeof e->n_recent},
        {&e->begun, sizeof e->begun},         {&e->n_step, sizeof e->n_step},
        {&e->over_left, sizeof e->over_left}, {&e->over_dt, sizeof e->over_dt},
        {&e->over_last, sizeof e->over_last}, {e->s->w->con.hint, n * sizeof *e->s->w->con.hint},
        {e->hold, n * sizeof *e->hold},       {&e->s->w->con.still, sizeof e->s->w->con.still},
        {&e->was_loose, sizeof e->was_loose}, {&e->dense, sizeof e->dense},
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
    if (e->s->closed.n < 0 || e->s->closed.n > n_slot || e->n_late < 0 || e->n_late > 2 * n_slot) {
        return SP_FAIL(err, SP_E_INPUT, "memory with %d closed contacts, expected at most %d",
                       e->s->closed.n, n_slot);
    }
    for (int i = 0; i < n_slot; i++) {
        const int most = sp_con_n_feature(e->s->m, i);
        if (e->hold[i] < 0 || e->hold[i] > most) {
            return SP_FAIL(err, SP_E_INPUT,
                           "memory with edge %d of contact '%s', expected up to %d", e->hold[i] - 1,
                           e->s->m->slot[i].name, most - 1);
        }
    }
    e->s->w->con.hold = e->over_left > 0 ? NULL : e->hold;
    e->s->closed.slot = e->closed;
    e->s->closed.status = e->status;
    return SP_OK;
}
