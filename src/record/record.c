#include "record/record.h"

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

void sp_lately_add(sp_lately *l, const sp_certificate *c, int n_active, int pivots, bool sampled)
{
    if (l->told) {
        *l = (sp_lately){.told = false};
    }
    sp_certificate_worst(&l->worst, c);
    l->n_active = n_active > l->n_active ? n_active : l->n_active;
    l->pivots = pivots > l->pivots ? pivots : l->pivots;
    l->told = sampled;
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

void sp_doubt_add(sp_doubt *d, const sp_doubt *later)
{
    if (d->open == 0) {
        d->t = later->t;
        d->slot = later->slot;
    }
    d->problems += later->problems;
    d->open += later->open;
}
