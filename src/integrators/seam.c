/* integrators/seam.c - contacts that walk over a seam between two stretches of a curve go on in the
 * slot of the next one, between two steps and without an event.   theory (58.4), (58.5) */
#include "integrators/event_parts.h"
#include "integrators/moreau.h"

#include <string.h>

/* What contacts i and j of x remember, exchanged. */
static void swap_memory(sp_state *x, int i, int j)
{
    SP_SWAP(sp_contact_memory, x->contact, i, j);
    SP_SWAP(double, x->g, i, j);
}

void sp_step_hand_over_seams(const sp_model *m, sp_state *x, sp_work *w)
{
    sp_con *con = &w->con;
    sp_kin_positions(m, x->numbers, x->q, &w->kin);
    sp_con_at(x->t, 0.0, x->q, x->u, con);
    sp_con_remember(m, x->contact, con);
    sp_con_gaps(m, x->numbers, &w->kin, con);
    for (int i = 0; i < m->n_slot; i++) {
        const int j = sp_con_handed(m, con, i);
        if (j != SP_NONE && x->contact[i].state != SP_STATE_OPEN &&
            x->contact[j].state == SP_STATE_OPEN) {
            swap_memory(x, i, j);
        }
    }
}

/* What events remember of slots i and j, exchanged. */
static void swap_slots(sp_events *e, int i, int j)
{
    sp_settle_swap(e, i, j);
    sp_zeno_swap(e, i, j);
    sp_event_swap_prediction(e, i, j);
}

/* Whether a slot is the one that has just come to touch: a place of its own, which it keeps. */
static bool is_touched(const sp_events *e, int slot, bool at_event)
{
    return at_event && e->located.trigger == SP_TRIGGER_TOUCH && e->located.slot == slot;
}

/* Hand on what has passed a seam; whether there was something.  at_event: the trigger goes with
 * its contact. */
static bool hand_on(sp_events *e, sp_state *x, bool at_event)
{
    const sp_smooth *s = e->s;
    sp_con *con = &s->w->con;
    bool moved = false;
    if (!s->m->layout.seams || s->closed.n == 0) {
        return false;
    }
    sp_kin_positions(s->m, s->num, x->q, &s->w->kin);
    sp_con_at(x->t, 1.0, x->q, x->u, con);
    sp_con_gaps(s->m, s->num, &s->w->kin, con);
    for (int i = 0; i < s->m->n_slot; i++) {
        const int j = sp_con_handed(s->m, con, i);
        if (j != SP_NONE && e->settle.state[i] != SP_OPEN && e->settle.state[j] == SP_OPEN &&
            !is_touched(e, j, at_event)) {
            swap_slots(e, i, j);
            swap_memory(x, i, j);
            if (at_event && e->located.slot == i) {
                sp_event_set_trigger(e, e->located.trigger, j, e->located.group);
            }
            moved = true;
        }
    }
    if (moved) {
        sp_event_list_closed(e);
    }
    return moved;
}

sp_status sp_event_pass_seams(sp_events *e, sp_state *x, sp_error *err)
{
    return hand_on(e, x, false) ? sp_smooth_restart(e->s, x, err) : SP_OK;
}

void sp_event_pass_seams_at(sp_events *e, sp_state *x)
{
    hand_on(e, x, true);
}
