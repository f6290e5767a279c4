#include "record/record.h"

#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *sp_event_name(sp_event_kind kind)
{
    static const char *const name[SP_EVENT_N] = {"close",    "open",    "impact", "stick",
                                                 "slip",     "zeno",    "jam",    "choice",
                                                 "handover", "project", "return", "switch"};
    return (int)kind >= 0 && kind < SP_EVENT_N ? name[kind] : "unknown";
}

sp_event_info sp_event_describe(const sp_model *m, const sp_event *e)
{
    const bool turns = m && e->kind == SP_EVENT_SWITCH && e->n_found >= 0 && e->n_found < m->n_kink;
    const bool named = m && e->slot >= 0 && e->slot < m->n_slot;
    return (sp_event_info){.t = e->t,
                           .kind = sp_event_name(e->kind),
                           .contact = e->slot,
                           .name = named   ? m->slot[e->slot].name
                                   : turns ? m->kink[e->n_found]
                                           : "",
                           .impact_id = e->impact_id,
                           .Lambda_N = e->Lambda_N,
                           .Lambda_T = e->Lambda_T[0],
                           .gamma_N_before = e->gamma_N_before,
                           .gamma_N_after = e->gamma_N_after,
                           .energy_lost = e->energy_lost};
}

const char *sp_impact_remedy_name(sp_impact_remedy remedy)
{
    static const char *const name[SP_REMEDY_N] = {"none", "infeasible", "unsolved", "gain",
                                                  "turns"};
    return (int)remedy >= 0 && remedy < SP_REMEDY_N ? name[remedy] : "unknown";
}

const char *sp_contact_state_name(sp_contact_state state)
{
    static const char *const name[] = {"open", "slip", "stick"};
    return (int)state >= 0 && state <= SP_STATE_STICK ? name[state] : "unknown";
}

const char *sp_doubt_name(sp_doubt_kind kind)
{
    static const char *const name[SP_DOUBT_N] = {
        "uncertified", "handover", "projection", "divided", "unproven", "restitution", "tolerance"};
    return (int)kind >= 0 && kind < SP_DOUBT_N ? name[kind] : "unknown";
}

void sp_doubt_text(sp_doubt_kind kind, const sp_doubt *d, char *text, size_t size)
{
    static const char *const meaning[SP_DOUBT_N] = {
        [SP_DOUBT_UNCERTIFIED] = "residual up to %.2g, expected <= 1e-08",
        [SP_DOUBT_HANDOVER] =
            "short steps that need not keep the tolerance, error %.2g times it or more",
        [SP_DOUBT_PROJECTION] = "putting positions back did %.2g of the largest energy or work",
        [SP_DOUBT_DIVIDED] = "steps not solved whole, taken in up to %.0f parts",
        [SP_DOUBT_UNPROVEN] = "a touch within a step is not excluded, up to %.2g m deep",
        [SP_DOUBT_RESTITUTION] = "coefficients changed or energy gained, up to %.2g J",
        [SP_DOUBT_TOLERANCE] = "raised up to %.3g times"};
    const int n =
        snprintf(text, size, "%ld time%s (first at t = %.9g s%s%s%s): ", d->n, d->n == 1 ? "" : "s",
                 d->t, d->place[0] ? ", '" : "", d->place, d->place[0] ? "'" : "");
    if (n > 0 && (size_t)n < size) {
        snprintf(text + n, size - (size_t)n, meaning[kind], d->size);
    }
}

void sp_doubt_add(sp_doubt *sum, double t, double size, const char *place)
{
    sp_doubt one = {.n = 1, .t = t, .last = t, .size = size};
    snprintf(one.place, sizeof one.place, "%s", place ? place : "");
    sp_doubt_join(sum, &one);
}

void sp_doubt_join(sp_doubt *sum, const sp_doubt *later)
{
    if (sum->n == 0 || later->n == 0) {
        *sum = sum->n == 0 ? *later : *sum;
        return;
    }
    sum->n += later->n - (later->t <= sum->last ? 1 : 0);
    sum->last = fmax(sum->last, later->last);
    if (!sum->place[0]) {
        memcpy(sum->place, later->place, sizeof sum->place);
    }
    sum->size = later->size > sum->size || isnan(later->size) ? later->size : sum->size;
}

void sp_lately_add(sp_lately *l, const sp_certificate *c, int n_active, int pivots, bool sampled)
{
    if (l->shown) {
        *l = (sp_lately){.shown = false};
    }
    sp_certificate_worst(&l->worst, c);
    l->n_active = n_active > l->n_active ? n_active : l->n_active;
    l->pivots = pivots > l->pivots ? pivots : l->pivots;
    l->shown = sampled;
}

void sp_tally_add(sp_tally *sum, const sp_event *e)
{
    if (sum->n == 0) {
        sum->t = e->t;
        sum->slot = e->slot;
    }
    sum->n += sum->n == 0 || e->t > sum->last;
    sum->last = e->t;
}

void sp_uniqueness_add(sp_uniqueness *d, const sp_uniqueness *later)
{
    if (d->open == 0) {
        d->t = later->t;
        d->slot = later->slot;
    }
    d->problems += later->problems;
    d->open += later->open;
}

sp_status sp_stretch_report(const sp_observer *observer, int n, sp_stretch *stretch, double t_1,
                            sp_error *err)
{
    if (!(t_1 > stretch->t_1)) {
        return SP_OK;
    }
    stretch->t_0 = stretch->t_1;
    stretch->t_1 = t_1;
    for (int i = 0; i < n; i++) {
        SP_TRY(observer[i].span ? observer[i].span(observer[i].ctx, stretch, err) : SP_OK);
    }
    return SP_OK;
}
