#include "io/report_events.h"

#include "io/events.h"

enum {
    DIGITS = 7,      /* what a table shows */
    TIME_DIGITS = 15 /* of a time all that matter */
};

/* Write a number that is not 0. */
static void put_some(sp_json *j, const char *key, double value)
{
    if (value != 0.0) {
        sp_json_short(j, key, value, DIGITS);
    }
}

/* What else there is to say about an impact: phases where it has two, shares of the energy, gains,
 * coefficients that are not the model's. */
static void put_impact(sp_json *j, const sp_event *e)
{
    const sp_impact_log *i = &e->impact;
    const bool phases = i->Lambda_N_C != e->Lambda_N && i->Lambda_N_C != 0.0;
    if (phases) {
        sp_json_short(j, "Lambda_N_compression", i->Lambda_N_C, DIGITS);
        sp_json_short(j, "gamma_N_compression", i->gamma_N_C, DIGITS);
    }
    put_some(j, "lost_friction", i->lost_friction);
    put_some(j, "lost_restitution", i->lost_restitution);
    if (i->lost_friction != 0.0 || i->lost_restitution != 0.0) {
        put_some(j, "lost_normal", i->lost_normal);
    }
    put_some(j, "energy_gain", i->gain);
    if (i->remedy != SP_REMEDY_NONE) {
        sp_json_text(j, "remedy", sp_impact_remedy_name(i->remedy));
        sp_json_short(j, "eps_N", i->eps_N, DIGITS);
        sp_json_short(j, "factor", i->factor, DIGITS);
    }
}

/* The same about what is no impact. */
static void put_change(sp_json *j, const sp_event *e)
{
    put_some(j, "friction_work", e->friction_work);
    put_some(j, "lasts", e->lasts);
    put_some(j, "rate", e->rate);
    put_some(j, "bound", e->kind == SP_EVENT_ZENO ? e->bound : 0.0);
    if (e->n_found > 0) {
        sp_json_integer(j, "n_found", e->n_found);
        sp_json_bool(j, "at_least", e->at_least);
    }
}

/* One event. */
static void put_event(sp_json *j, const char *contact, const sp_event *e)
{
    sp_json_object(j, NULL);
    sp_json_short(j, "t", e->t, TIME_DIGITS);
    sp_json_text(j, "kind", sp_event_name(e->kind));
    sp_json_text(j, "contact", contact);
    sp_json_integer(j, "impact_id", e->impact_id);
    if (e->impact_id > 0 && e->kind != SP_EVENT_CHOICE) {
        sp_json_short(j, "Lambda_N", e->Lambda_N, DIGITS);
        sp_json_array(j, "Lambda_T");
        sp_json_short(j, NULL, e->Lambda_T[0], DIGITS);
        sp_json_short(j, NULL, e->Lambda_T[1], DIGITS);
        sp_json_end(j);
        sp_json_short(j, "gamma_N_before", e->gamma_N_before, DIGITS);
        sp_json_short(j, "gamma_N_after", e->gamma_N_after, DIGITS);
        sp_json_short(j, "energy_lost", e->energy_lost, DIGITS);
    }
    if (e->impact_id > 0 && e->kind != SP_EVENT_CHOICE && e->kind != SP_EVENT_ZENO) {
        put_impact(j, e);
    } else {
        put_change(j, e);
    }
    sp_json_end(j);
}

/* sp_event_taker: one event of the page. */
static sp_status take(void *ctx, const char *contact, const sp_event *e, sp_error *err)
{
    (void)err;
    put_event(ctx, contact, e);
    return SP_OK;
}

sp_status sp_report_events(sp_result *r, sp_json *j, sp_error *err)
{
    sp_json_array(j, "events");
    const sp_status status = sp_events_each(r, take, j, err);
    sp_json_end(j);
    return status;
}
