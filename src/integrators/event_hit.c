/* integrators/event_hit.c - impacts over all that touch, until nothing approaches. */
#include "base/status.h"
#include "integrators/event_parts.h"

#include <math.h>

enum { PASSES = 40, CLATTERS = 2000 };

bool sp_event_approaches(const sp_events *e, int a)
{
    const sp_work *w = e->s->w;
    const bool came = e->located.trigger == SP_TRIGGER_TOUCH && w->con.active[a] == e->located.slot;
    return w->sol.gamma_A[w->con.row[a]] < -(came ? SP_SMALL : 1.0) * SP_AT_REST * e->impact.size;
}

/* Whether contact a of w->con is where it would be hit. */
static bool is_here(const sp_events *e, int a)
{
    const int slot = e->s->w->con.active[a];
    return slot >= e->s->m->n_slot || !(e->zeno.gap[slot] > 0.0);
}

/* Whether any of the first n contacts of w->con touches and approaches. */
static bool approaches(const sp_events *e, int n)
{
    for (int a = 0; a < n; a++) {
        if (is_here(e, a) && sp_event_approaches(e, a)) {
            return true;
        }
    }
    return false;
}

/* The contacts of w->con that an approaching one is coupled to, directly or through others, into
 * list; how many. */
static int spread_hit(sp_events *e, int n, int *list)
{
    const sp_con *con = &e->s->w->con;
    bool grows = true;
    int n_list = 0;
    for (int a = 0; a < con->n_active; a++) {
        e->hit.coupled[a] = a < n && is_here(e, a) && sp_event_approaches(e, a);
    }
    while (grows) {
        grows = false;
        for (int a = 0; a < con->n_active; a++) {
            for (int b = 0; b < con->n_active && !e->hit.coupled[a] && is_here(e, a); b++) {
                if (e->hit.coupled[b] && sp_con_coupled(con, a, b)) {
                    e->hit.coupled[a] = grows = true;
                }
            }
        }
    }
    for (int a = 0; a < n; a++) {
        if (e->hit.coupled[a]) {
            list[n_list++] = con->active[a];
        }
    }
    return n_list;
}

/* One impact over what touches and is coupled to what approaches; *rows: those of all n_hit are
 * there still, with the velocities after it. */
static sp_status hit_once(sp_events *e, sp_state *x, int n_hit, sp_clatter *c, bool *rows,
                          sp_error *err)
{
    const int first = e->s->w->n_event, n = spread_hit(e, n_hit, e->hit.island);
    sp_zeno_note_next(e, n_hit, c);
    *rows = n == n_hit;
    if (!*rows) {
        SP_TRY(sp_event_rows(e, x, n, e->hit.island, err));
    }
    SP_TRY(sp_event_impact(e, x, err));
    if (!c->begun) {
        sp_zeno_count_hops(e, x, first);
    } else {
        sp_zeno_add_impact(e, first, c);
    }
    if (*rows) {
        sp_event_velocities(e, x);
    }
    return SP_OK;
}

/* The fastest approach of the first n contacts, m/s. */
static double fastest(const sp_events *e, int n)
{
    const sp_work *w = e->s->w;
    double most = 0.0;
    for (int a = 0; a < n; a++) {
        most = is_here(e, a) ? fmax(most, -w->sol.gamma_A[w->con.row[a]]) : most;
    }
    return most;
}

sp_status sp_event_hit(sp_events *e, sp_state *x, int n_hit, sp_error *err)
{
    double begins = 0.0;
    sp_clatter c = {.begun = false};
    bool rows = false;
    for (int pass = 0; n_hit > 0; pass++) {
        SP_TRY(rows ? SP_OK : sp_event_rows(e, x, n_hit, e->settle.hit, err));
        sp_event_raise_size(e);
        if (pass == 0) {
            sp_zeno_note_gaps(e, x, n_hit);
        }
        if (sp_zeno_sum_rest(e, x, n_hit, &c) ||
            (!approaches(e, n_hit) && !sp_zeno_advance(e, x, n_hit, &c))) {
            break;
        }
        begins = pass == 0 ? fastest(e, n_hit) : begins;
        if (pass == PASSES && !c.begun && fastest(e, n_hit) < (1.0 - SP_SMALL) * begins) {
            sp_zeno_start(e, x, n_hit, &c); /* they are hit in turns without any way in between */
        }
        if (pass == (c.begun ? CLATTERS : PASSES)) {
            c.many = true; /* what has been is in the ledger: it is reported whatever follows */
            sp_zeno_end(e, x, n_hit, &c);
            return SP_FAIL(
                err, SP_E_NOT_CONVERGED,
                "t = %.15g s: of %d impacts at once each made the next; give the contacts "
                "less restitution, or take method 'moreau' with a step",
                x->t, pass);
        }
        SP_TRY(hit_once(e, x, n_hit, &c, &rows, err));
    }
    sp_zeno_end(e, x, n_hit, &c);
    return SP_OK;
}
