/* integrators/event_memory.c - what event-driven integration remembers from step to step, as bytes
 * and back.  Everything in sp_events that is not made anew in each step stands in this list. */
#include "base/status.h"
#include "integrators/event_parts.h"

#include "integrators/memory.h"
#include <limits.h>

enum { PARTS = 29 };

/* All that goes from step to step beside smooth motion; how many parts there are. */
static int parts_of(sp_events *e, sp_memory_part *p)
{
    const size_t n = (size_t)e->s->m->n_slot;
    int k = 0;
    p[k++] = (sp_memory_part){e->state, n * sizeof *e->state};
    p[k++] = (sp_memory_part){e->closed, n * sizeof *e->closed};
    p[k++] = (sp_memory_part){e->status, n * sizeof *e->status};
    p[k++] = (sp_memory_part){&e->s->closed.n, sizeof e->s->closed.n};
    p[k++] = (sp_memory_part){e->left, n * sizeof *e->left};
    p[k++] = (sp_memory_part){e->force, n * sizeof *e->force};
    p[k++] = (sp_memory_part){e->hops, n * sizeof *e->hops};
    p[k++] = (sp_memory_part){e->work, n * sizeof *e->work};
    p[k++] = (sp_memory_part){e->base, n * sizeof *e->base};
    p[k++] = (sp_memory_part){e->late, 2 * n * sizeof *e->late};
    p[k++] = (sp_memory_part){&e->n_late, sizeof e->n_late};
    p[k++] = (sp_memory_part){&e->trigger, sizeof e->trigger};
    p[k++] = (sp_memory_part){&e->slot, sizeof e->slot};
    p[k++] = (sp_memory_part){&e->group, sizeof e->group};
    p[k++] = (sp_memory_part){e->begins, n * sizeof *e->begins};
    p[k++] = (sp_memory_part){e->ends, n * sizeof *e->ends};
    p[k++] = (sp_memory_part){&e->size, sizeof e->size};
    p[k++] = (sp_memory_part){&e->t_0, sizeof e->t_0};
    p[k++] = (sp_memory_part){&e->since, sizeof e->since};
    p[k++] = (sp_memory_part){&e->n_still, sizeof e->n_still};
    p[k++] = (sp_memory_part){&e->mark, sizeof e->mark};
    p[k++] = (sp_memory_part){&e->n_recent, sizeof e->n_recent};
    p[k++] = (sp_memory_part){&e->over_left, sizeof e->over_left};
    p[k++] = (sp_memory_part){&e->over_dt, sizeof e->over_dt};
    p[k++] = (sp_memory_part){&e->over_last, sizeof e->over_last};
    p[k++] = (sp_memory_part){e->s->w->con.hint, n * sizeof *e->s->w->con.hint};
    p[k++] = (sp_memory_part){e->hold, n * sizeof *e->hold};
    p[k++] = (sp_memory_part){&e->s->w->con.still, sizeof e->s->w->con.still};
    p[k++] = (sp_memory_part){&e->was_loose, sizeof e->was_loose};
    return k;
}

bool sp_events_may_save(const sp_events *e)
{
    return sp_smooth_may_save(e->s);
}

size_t sp_events_bytes(sp_events *e)
{
    sp_memory_part p[PARTS];
    const int n = parts_of(e, p);
    return sp_memory_bytes(p, n) + sp_smooth_bytes(e->s);
}

void sp_events_save(sp_events *e, unsigned char *bytes)
{
    sp_memory_part p[PARTS];
    const int n = parts_of(e, p);
    sp_smooth_save(e->s, bytes);
    sp_memory_save(p, n, bytes + sp_smooth_bytes(e->s));
}

sp_status sp_event_load(sp_events *e, const unsigned char *bytes, size_t n, sp_error *err)
{
    sp_memory_part p[PARTS];
    const int n_part = parts_of(e, p), n_slot = e->s->m->n_slot;
    if (n != sp_events_bytes(e)) {
        return SP_FAIL(err, SP_E_INPUT,
                       "memory of %zu bytes, expected %zu: of another model or version", n,
                       sp_events_bytes(e));
    }
    sp_memory_load(p, n_part, bytes + sp_smooth_bytes(e->s));
    if (e->s->closed.n < 0 || e->s->closed.n > n_slot || e->n_late < 0 || e->n_late > 2 * n_slot) {
        return SP_FAIL(err, SP_E_INPUT, "memory with %d closed contacts, expected at most %d",
                       e->s->closed.n, n_slot);
    }
    for (int i = 0; i < n_slot; i++) {
        const sp_slot *slot = &e->s->m->slot[i];
        const int most = slot->kind == SP_SLOT_POLYGON
                             ? 2 * e->s->m->contour[slot->contour_b].n_vertex
                             : INT_MAX;
        if (e->hold[i] < 0 || e->hold[i] > most) {
            return SP_FAIL(err, SP_E_INPUT,
                           "memory with edge %d of contact '%s', expected up to %d", e->hold[i] - 1,
                           slot->name, most - 1);
        }
    }
    e->s->w->con.hold = e->over_left > 0 ? NULL : e->hold;
    e->s->closed.slot = e->closed;
    e->s->closed.status = e->status;
    return SP_OK;
}
