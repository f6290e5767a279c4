#include "support/events.h"

#include "support/check.h"

#include <stdlib.h>
#include <string.h>

/* Keep what happened in the last step; the log is by rising time. */
static void keep(rig *r)
{
    for (int k = 0; k < r->w->n_event; k++) {
        if (r->n_event == r->size) {
            r->size = 2 * r->size + 64;
            r->event = realloc(r->event, (size_t)r->size * sizeof *r->event);
            assert_non_null(r->event);
        }
        r->event[r->n_event++] = r->w->event[k];
        assert_true(r->n_event < 2 || r->event[r->n_event - 2].t <= r->event[r->n_event - 1].t);
    }
}

void events_go(rig *r, double until, double tolerance)
{
    sp_events *e;
    sp_error err = {.text = ""};
    sp_status status = sp_events_begin(
        r->m, r->x, r->w, &(sp_events_setup){.smooth.tolerance = tolerance, .until = until}, &e,
        &err);
    int steps = 0;
    while (status == SP_OK && r->x->t < until) {
        keep(r);
        status = sp_events_step(e, r->x, until, &err);
        r->worst.complementarity =
            check_worse(r->worst.complementarity, r->w->certificate.complementarity);
        r->worst.gap = check_worse(r->worst.gap, r->w->certificate.gap);
        status = status == SP_OK ? sp_events_happen(e, r->x, &err) : status;
        assert_true(++steps < 100000);
    }
    if (status != SP_OK) {
        fail_msg("%s", err.text);
    }
    keep(r);
    sp_events_end(e);
}

int events_count(const rig *r, sp_event_kind kind)
{
    return rig_count(r, kind, -1);
}

const sp_event *events_get(const rig *r, sp_event_kind kind, const char *contact, int k)
{
    const sp_event *e = rig_event(r, kind, rig_slot(r, contact), k);
    if (!e) {
        rig_print_events(r, 40);
        fail_msg("no %s %d of %s", sp_event_name(kind), k, contact);
    }
    return e;
}

double events_least_gap(rig *r)
{
    sp_con *con = &r->w->con;
    sp_contact_memory none[256];
    memset(none, 0, sizeof none);
    assert_true(r->m->n_slot + r->m->n_bond <= 256);
    sp_con_remember(r->m, none, con);
    sp_kin_positions(r->m, r->x->numbers, r->x->q, &r->w->kin);
    sp_con_at(r->x->t, 0.0, r->x->q, r->x->u, con);
    sp_con_gaps(r->m, r->x->numbers, &r->w->kin, con);
    return con->least;
}
