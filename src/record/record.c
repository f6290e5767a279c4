#include "record/record.h"

#include <math.h>
#include <stdio.h>

const char *sp_event_name(sp_event_kind kind)
{
    static const char *const name[SP_EVENT_N] = {"close",    "open",    "impact", "stick",
                                                 "slip",     "zeno",    "jam",    "choice",
                                                 "handover", "project", "return"};
    return (int)kind >= 0 && kind < SP_EVENT_N ? name[kind] : "unknown";
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
