#include "analysis/verify_events.h"

#include <math.h>

#define STRONG 1e-2 /* of the largest impulse: impacts that have to be in both runs */
#define WEAKER 0.5  /* of that: what a strong one of the other run may be matched to */
enum { IMPACTS_MAX = 4096, CHOICES_MAX = 256 };

bool sp_verify_log_new(sp_arena *a, sp_verify_log *log)
{
    *log = (sp_verify_log){.impact = SP_NEW(a, sp_verify_impact, IMPACTS_MAX),
                           .choice = SP_NEW(a, sp_verify_choice, CHOICES_MAX)};
    return log->impact && log->choice;
}

void sp_verify_log_clear(sp_verify_log *log)
{
    log->n_impact = log->n_choice = 0;
    log->zeno = log->jam = (sp_tally){.n = 0};
}

/* The slot that stands for a contact in all runs: slots of pools are lent, so that methods name the
 * same corner by others; there it is the first one of the contact. */
static int identity_of(const sp_model *m, int slot)
{
    return m->slot[slot].kind == SP_SLOT_POOL ? m->contact[m->slot[slot].contact].slot : slot;
}

/* A motion that was chosen ends where contacts change after it. */
static void end_choices(const sp_event *e, sp_verify_log *log)
{
    const bool changes = e->kind != SP_EVENT_CHOICE && e->kind != SP_EVENT_PROJECT;
    for (int i = 0; changes && i < log->n_choice; i++) {
        sp_verify_choice *c = &log->choice[i];
        c->t_end = isinf(c->t_end) && e->t > c->t ? e->t : c->t_end;
    }
}

void sp_verify_log_add(const sp_model *m, const sp_event *e, sp_verify_log *log)
{
    end_choices(e, log);
    if (e->kind == SP_EVENT_JAM) {
        sp_tally_add(&log->jam, e);
    }
    if (e->kind == SP_EVENT_ZENO) {
        sp_tally_add(&log->zeno, e);
    } else if (e->kind == SP_EVENT_IMPACT && log->n_impact < IMPACTS_MAX) {
        log->impact[log->n_impact++] = (sp_verify_impact){.slot = identity_of(m, e->slot),
                                                          .t = e->t,
                                                          .Lambda = e->Lambda_N,
                                                          .speed = -e->gamma_N_before};
    } else if (e->kind == SP_EVENT_CHOICE && log->n_choice < CHOICES_MAX) {
        log->choice[log->n_choice++] =
            (sp_verify_choice){.t = e->t,
                               .t_end = e->impact_id > 0 ? e->t : INFINITY,
                               .slot = e->slot,
                               .body = {e->body[0], e->body[1]},
                               .n_found = e->n_found,
                               .at_least = e->at_least,
                               .impact = e->impact_id > 0};
    }
}

int sp_verify_strong(const sp_verify_log *log, double t, double *least)
{
    double most = 0.0;
    int n = 0;
    for (int i = 0; i < log->n_impact; i++) {
        most = log->impact[i].t < t ? fmax(most, log->impact[i].Lambda) : most;
    }
    for (int i = 0; i < log->n_impact; i++) {
        n += log->impact[i].t < t && log->impact[i].Lambda >= STRONG * most;
    }
    if (least) {
        *least = STRONG * most;
    }
    return n;
}

/* The impact of a log that is nearest in time to one of the same contact, before t_end, not weak
 * and not matched yet; NULL: there is none. */
static sp_verify_impact *nearest(sp_verify_log *log, const sp_verify_impact *to, double t_end,
                                 double least)
{
    sp_verify_impact *best = NULL;
    for (int i = 0; i < log->n_impact; i++) {
        sp_verify_impact *p = &log->impact[i];
        if (!p->matched && p->slot == to->slot && p->t < t_end && p->Lambda >= least &&
            (!best || fabs(p->t - to->t) < fabs(best->t - to->t))) {
            best = p;
        }
    }
    return best;
}

/* Up to when a log has all impacts: a full one knows none after its last. */
static double full_at(const sp_verify_log *log)
{
    return log->n_impact < IMPACTS_MAX ? INFINITY : log->impact[IMPACTS_MAX - 1].t;
}

/* Two impacts are one and the same if each is the nearest to the other that is left, and within the
 * window: hits of several points of one contact at one time find each their own.   theory (44.7) */
static void match(sp_verify_log *a, sp_verify_log *b, double t, double least,
                  sp_verify_report *report)
{
    const double weak = WEAKER * least;
    double sum[2] = {0.0, 0.0};
    for (int i = 0; i < a->n_impact; i++) {
        sp_verify_impact *p = &a->impact[i], *o;
        if (!(p->t < t) || p->Lambda < weak || !(o = nearest(b, p, t, weak)) ||
            nearest(a, o, t, weak) != p || !(fabs(p->t - o->t) <= p->window)) {
            continue;
        }
        p->matched = o->matched = true;
        if (p->Lambda >= least || o->Lambda >= least) {
            report->matched++;
            report->impact_time = fmax(report->impact_time, fabs(p->t - o->t));
            sum[0] += p->Lambda;
            sum[1] += o->Lambda;
        }
    }
    report->impulse = sum[0] > 0.0 ? fabs(sum[1] - sum[0]) / sum[0] : 0.0;
}

/* Strong impacts of a side that were left, and the first of all.   theory (44.8) */
static void count_alone(const sp_verify_log *log, int side, double t, double least,
                        sp_verify_report *report)
{
    for (int i = 0; i < log->n_impact; i++) {
        const sp_verify_impact *p = &log->impact[i];
        if (p->matched || !(p->t < t) || p->Lambda < least) {
            continue;
        }
        report->alone[side]++;
        if (report->alone[0] + report->alone[1] == 1 || p->t < report->t_alone) {
            report->t_alone = p->t;
            report->alone_slot = p->slot;
            report->alone_side = side;
        }
    }
}

void sp_verify_match(sp_verify_log *reference, sp_verify_log *other, sp_verify_report *report)
{
    const double t = fmin(report->compared, fmin(full_at(reference), full_at(other)));
    double least;
    sp_verify_strong(reference, t, &least);
    match(reference, other, t, least, report);
    count_alone(reference, 0, t, least, report);
    count_alone(other, 1, t, least, report);
    for (int side = 0; side < 2; side++) {
        report->impacts[side] = report->matched + report->alone[side];
    }
}

sp_verify_choice sp_verify_choice_before(const sp_verify_log *log, double t)
{
    sp_verify_choice last = {.n_found = -1};
    for (int i = 0; i < log->n_choice; i++) {
        last = log->choice[i].t < t ? log->choice[i] : last;
    }
    return last;
}

sp_verify_choice sp_verify_choice_within(const sp_verify_log *log, double t_0, double t_1)
{
    sp_verify_choice last = {.n_found = -1};
    for (int i = 0; i < log->n_choice; i++) {
        const sp_verify_choice *c = &log->choice[i];
        last = c->t <= t_1 && c->t_end >= t_0 ? *c : last;
    }
    return last;
}
