/* integrators/event_hit.c - impacts over all that touch, until nothing approaches. */
#include "base/status.h"
#include "integrators/event_parts.h"

#include <math.h>

enum { PASSES = 40, CLATTERS = 2000 };

void sp_event_raise_size(sp_events *e)
{
    const sp_smooth *s = e->s;
    const sp_con *con = &s->w->con;
    for (int a = 0; a < con->n_active; a++) {
        const int *sup = sp_con_sup(con, a);
        for (int r = con->row[a]; r < con->row[a + 1]; r++) {
            const double *W = sp_con_row(con, con->W, r);
            double sum = 0.0;
            for (int k = 0; k < con->n_sup[a]; k++) {
                sum += fabs(W[k]) * s->floor.u[s->kind[sup[k]]];
            }
            e->size = sum > e->size ? sum : e->size;
        }
    }
}

bool sp_event_approaches(const sp_events *e, int a)
{
    const sp_work *w = e->s->w;
    const bool came = e->trigger == SP_TRIGGER_TOUCH && w->con.active[a] == e->slot;
    return w->sol.gamma_A[w->con.row[a]] < -(came ? 1e-3 : 1.0) * SP_AT_REST * e->size;
}

/* Whether contact a of w->con is where it would be hit. */
static bool is_here(const sp_events *e, int a)
{
    const int slot = e->s->w->con.active[a];
    return slot >= e->s->m->n_slot || !(e->gap[slot] > 0.0);
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

/* The flights of those that are hit now. */
static void count_hops(sp_events *e, const sp_state *x, int first_event)
{
    const sp_work *w = e->s->w;
    for (int k = first_event; k < w->n_event; k++) {
        const sp_event *event = &w->event[k];
        sp_hops *h = &e->hops[event->slot];
        if (event->kind != SP_EVENT_IMPACT || !(x->t > h->t_hit)) {
            continue;
        }
        const double flight = x->t - h->t_hit;
        const double noise = 2.0 * SP_IN_TIME * (1.0 + fabs(x->t)); /* of the difference of both */
        if (!(h->ratio > 0.0 && fabs(h->flight - flight) <= noise)) { /* else it is as it was */
            h->ratio = h->flight > 0.0 && isfinite(flight) ? flight / h->flight : 0.0;
        }
        h->flight = isfinite(flight) ? flight : 0.0;
        h->row = h->ratio > 0.0 && h->ratio < 1.0 ? h->row + 1.0 : 0.0;
        h->t_hit = x->t;
    }
}

/* The contacts of w->con that an approaching one is coupled to, directly or through others, into
 * list; how many. */
static int spread_hit(sp_events *e, int n, int *list)
{
    const sp_con *con = &e->s->w->con;
    bool grows = true;
    int n_list = 0;
    for (int a = 0; a < con->n_active; a++) {
        e->use[a] = a < n && is_here(e, a) && sp_event_approaches(e, a);
    }
    while (grows) {
        grows = false;
        for (int a = 0; a < con->n_active; a++) {
            for (int b = 0; b < con->n_active && !e->use[a] && is_here(e, a); b++) {
                if (e->use[b] && sp_con_coupled(con, a, b)) {
                    e->use[a] = grows = true;
                }
            }
        }
    }
    for (int a = 0; a < n; a++) {
        if (e->use[a]) {
            list[n_list++] = con->active[a];
        }
    }
    return n_list;
}

/* One impact over what touches and is coupled to what approaches. */
static sp_status hit_once(sp_events *e, sp_state *x, int n_hit, sp_clatter *c, sp_error *err)
{
    const int told = e->s->w->n_event, n = spread_hit(e, n_hit, e->island);
    sp_zeno_note_next(e, n_hit, c);
    if (n < n_hit) {
        SP_TRY(sp_event_rows(e, x, n, e->island, err));
    }
    SP_TRY(sp_event_impact(e, x, err));
    if (c->n_drift == 0) {
        count_hops(e, x, told);
    } else {
        sp_zeno_add_impact(e, told, c);
    }
    return SP_OK;
}

sp_status sp_event_hit(sp_events *e, sp_state *x, int n_hit, sp_error *err)
{
    sp_clatter c = {.n_drift = 0};
    for (int pass = 0; n_hit > 0; pass++) {
        SP_TRY(sp_event_rows(e, x, n_hit, e->hit, err));
        sp_event_raise_size(e);
        if (pass == 0) {
            sp_zeno_note_gaps(e, x, n_hit);
        }
        if (sp_zeno_sum_rest(e, x, n_hit, &c) ||
            (!approaches(e, n_hit) && !sp_zeno_advance(e, x, n_hit, &c))) {
            break;
        }
        if (pass == (c.n_drift > 0 ? CLATTERS : PASSES)) {
            c.many = true; /* what has been is in the ledger: it is told whatever follows */
            sp_zeno_end(e, x, n_hit, &c);
            return SP_FAIL(
                err, SP_E_NOT_CONVERGED,
                "t = %.15g s: of %d impacts at once each made the next; give the contacts "
                "less restitution, or take method 'moreau' with a step",
                x->t, pass);
        }
        SP_TRY(hit_once(e, x, n_hit, &c, err));
    }
    sp_zeno_end(e, x, n_hit, &c);
    return SP_OK;
}
