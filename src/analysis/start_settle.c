/* analysis/start_settle.c - 'start: settled': a run begins in static equilibrium.
 * theory (14.9), (14.10), (97.5) */
#include "analysis/equilibrium.h"
#include "analysis/start_parts.h"

#include <math.h>

#define TOUCHES 1e-9 /* of its size: as near a gap counts as closed (api/modes.c) */

/* What carries the machine, as far as it is known. */
typedef struct carriers {
    const sp_model *m;
    const sp_allocator *allocator;
    sp_hold hold;
    sp_closed *closed; /* n_slot */
} carriers;

static bool is_closed(const carriers *c, int slot)
{
    for (int i = 0; i < c->hold.n_closed; i++) {
        if (c->closed[i].slot == slot) {
            return true;
        }
    }
    return false;
}

/* Close what is as near as `near` of its size, or nearer; how many more that are. */
static int close_near(carriers *c, const sp_view *view, double near, sp_closed_kind kind)
{
    const int before = c->hold.n_closed;
    for (int i = 0; i < c->m->n_slot; i++) {
        const bool held = c->m->slot[i].law != SP_NONE;
        if (held && view->con.g[i] <= near * c->m->extent.slot[i] && !is_closed(c, i)) {
            c->closed[c->hold.n_closed++] = (sp_closed){i, kind};
        }
    }
    return c->hold.n_closed - before;
}

/* Open the contact that pulls most; whether one pulls. */
static bool open_pulling(carriers *c, const sp_linear *l)
{
    double most = 1e-12; /* N: round-off of forces that balance */
    int pull = SP_NONE, n = 0;
    for (int r = 0; r < l->n_row; r++) {
        const sp_linear_row *row = &l->row[r];
        const bool contact = row->slot >= 0 && row->slot < c->m->n_slot && row->part == 0 &&
                             !c->m->slot[row->slot].is.gapless;
        if (contact && -row->lambda > most) {
            most = -row->lambda;
            pull = row->slot;
        }
    }
    for (int i = 0; i < c->hold.n_closed; i++) {
        c->closed[n] = c->closed[i];
        n += c->closed[i].slot != pull;
    }
    c->hold.n_closed = n;
    return pull != SP_NONE;
}

/* The equilibrium on what is closed; whether a contact pulls there, which is then open. */
static sp_status find(carriers *c, sp_state *x, bool *pulls, sp_error *err)
{
    sp_linear *l = NULL;
    SP_TRY(sp_linear_new(c->m, x, &c->hold, c->allocator, &l, err));
    const sp_status status = sp_equilibrium_find(l, x, err);
    *pulls = status == SP_OK && open_pulling(c, l);
    sp_linear_free(l);
    return status;
}

static bool is_rate(sp_start_kind kind)
{
    static const bool rate[SP_START_COUNT] = {
        [SP_START_U] = true,           [SP_START_VX] = true,          [SP_START_VY] = true,
        [SP_START_VZ] = true,          [SP_START_OMEGA] = true,       [SP_START_OMEGA_X] = true,
        [SP_START_OMEGA_Y] = true,     [SP_START_OMEGA_Z] = true,     [SP_START_OMEGA_OWN_X] = true,
        [SP_START_OMEGA_OWN_Y] = true, [SP_START_OMEGA_OWN_Z] = true,
    };
    return rate[kind];
}

/* Velocities of the file, which equilibrium does not have. */
static void warn_of_velocities(const sp_model *m, sp_diag *diag)
{
    for (int k = 0; k < m->n_start; k++) {
        const sp_start_value *v = &m->start[k];
        if (is_rate(v->kind) && v->value != 0.0) {
            sp_diag_add(diag, SP_WARNING, v->place,
                        "start: %s = %.6g is not used: 'start: settled' begins at rest", v->name,
                        v->value);
        }
    }
}

sp_status sp_start_settle(const sp_model *m, const sp_allocator *allocator, sp_state *x,
                          sp_view *view, sp_diag *diag)
{
    sp_arena arena;
    sp_error err = {.text = ""};
    sp_arena_init(&arena, allocator, 0);
    carriers c = {
        .m = m, .allocator = allocator, .closed = SP_NEW(&arena, sp_closed, m->n_slot + 1)};
    sp_status status = c.closed ? SP_OK : SP_E_MEMORY;
    c.hold.closed = c.closed;
    if (status == SP_OK) {
        (void)close_near(&c, view, TOUCHES, SP_CLOSED_ITSELF);
    }
    bool changes = true;
    for (int pass = 0; status == SP_OK && changes && pass < 2 * m->n_slot + 2; pass++) {
        status = find(&c, x, &changes, &err);
        sp_view_look(m, x, view);
        changes =
            status == SP_OK && (changes || close_near(&c, view, -TOUCHES, SP_CLOSED_SLIDES) > 0);
    }
    sp_arena_free(&arena);
    if (status != SP_OK && status != SP_E_MEMORY) {
        sp_diag_add(diag, SP_ERROR, m->run.place,
                    "start: settled: %s; give start values nearer to it, or leave 'settled' out",
                    err.text);
        return SP_OK;
    }
    warn_of_velocities(m, diag);
    return status;
}
