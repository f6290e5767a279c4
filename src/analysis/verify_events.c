#include "analysis/verify_events.h"

#include <math.h>

#define STRONG 1e-2 /* of the largest impulse: impacts that have to be in both runs */
#define WEAKER 0.5  /* of that: what a strong one of the other run may be matched to */
#define SAME   5e-2 /* of an impulse: what steps are off by where it is the same */
enum { IMPACTS_MAX = 4096, CHOICES_MAX = 256, ROUNDS_MAX = 100 };

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

/* The slot that stands for a contact in all runs.  Slots of pools change hands, so that methods
 * name the same corner by others: the first one of the contact.  Over a seam of a curve contacts
 * are handed on at another time by each method: the first one of the pair. */
static int identity_of(const sp_model *m, int slot)
{
    const sp_slot *s = &m->slot[slot];
    return s->is.pooled ? m->contact[s->contact].slot : s->n_part > 1 ? slot - s->part : slot;
}

/* Friction of an impact: with sign where all runs have one tangent.   theory (57.10) */
static double friction_of(const sp_model *m, const sp_event *e)
{
    if (m->dim == 3) {
        return hypot(e->Lambda_T[0], e->Lambda_T[1]);
    }
    return m->slot[e->slot].is.pooled ? fabs(e->Lambda_T[0]) : e->Lambda_T[0];
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
                                                          .contact = m->slot[e->slot].contact,
                                                          .body = {e->body[0], e->body[1]},
                                                          .id = e->impact_id,
                                                          .t = e->t,
                                                          .Lambda = e->Lambda_N,
                                                          .friction = friction_of(m, e),
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

double sp_verify_hit_speed(const sp_verify_log *log, const sp_verify_impact *hit)
{
    double speed = hit->speed;
    for (int i = 0; hit->id > 0 && i < log->n_impact; i++) {
        const sp_verify_impact *p = &log->impact[i];
        speed = p->id == hit->id && p->speed > speed ? p->speed : speed;
    }
    return speed;
}

static bool same_bodies(const sp_verify_impact *p, const sp_verify_impact *o)
{
    return p->body[0] == o->body[0] && p->body[1] == o->body[1];
}

/* Whether two impacts are of one point of contact, as far as runs distinguish points. */
static bool same_point(const sp_verify_impact *p, const sp_verify_impact *o)
{
    return p->slot == o->slot && same_bodies(p, o);
}

/* Whether two impacts of a run are of one contact, at whatever points, and at once. */
static bool hit_together(const sp_verify_impact *p, const sp_verify_impact *o)
{
    return p->id == o->id && p->contact == o->contact && same_bodies(p, o);
}

/* The impact of a log that is nearest in time to one of the same point, before t_end, not weak
 * and not matched yet; SP_NONE: there is none. */
static int nearest(const sp_verify_log *log, const sp_verify_impact *to, double t_end, double least)
{
    int best = SP_NONE;
    for (int i = 0; i < log->n_impact; i++) {
        const sp_verify_impact *p = &log->impact[i];
        if (p->pair == SP_NONE && same_point(p, to) && p->t < t_end && p->Lambda >= least &&
            (best == SP_NONE || fabs(p->t - to->t) < fabs(log->impact[best].t - to->t))) {
            best = i;
        }
    }
    return best;
}

/* Up to when a log has all impacts: a full one knows none after its last. */
static double full_at(const sp_verify_log *log)
{
    return log->n_impact < IMPACTS_MAX ? INFINITY : log->impact[IMPACTS_MAX - 1].t;
}

/* How much later one impact of a run is than another; those of one hit are at once. */
static double later(const sp_verify_impact *p, const sp_verify_impact *than)
{
    return p->id > 0 && p->id == than->id ? 0.0 : p->t - than->t;
}

/* Whether a pair would go across another one of its point.   theory (57.8) */
static bool crosses(const sp_verify_log *a, const sp_verify_log *b, const sp_verify_impact *p,
                    const sp_verify_impact *o)
{
    for (int i = 0; i < a->n_impact; i++) {
        const sp_verify_impact *k = &a->impact[i];
        if (k->pair != SP_NONE && same_point(k, p) &&
            later(k, p) * later(&b->impact[k->pair], o) < 0.0) {
            return true;
        }
    }
    return false;
}

/* Two impacts are one and the same if each is the nearest to the other that is left, and within the
 * window; whether i has one.   theory (44.7) */
static bool find_pair(sp_verify_log *a, sp_verify_log *b, int i, double t, double weak)
{
    sp_verify_impact *p = &a->impact[i];
    if (p->pair != SP_NONE || !(p->t < t) || p->Lambda < weak) {
        return false;
    }
    const int k = nearest(b, p, t, weak);
    if (k == SP_NONE || nearest(a, &b->impact[k], t, weak) != i ||
        !(fabs(p->t - b->impact[k].t) <= p->window) || crosses(a, b, p, &b->impact[k])) {
        return false;
    }
    p->pair = k;
    b->impact[k].pair = i;
    return true;
}

/* All pairs, forth and back until there are no more: hits of several points of one contact at one
 * time, or nearly so, find each their own.   theory (44.7), (57.8) */
static void match(sp_verify_log *a, sp_verify_log *b, double t, double weak)
{
    bool more = true;
    for (int i = 0; i < a->n_impact; i++) {
        a->impact[i].pair = SP_NONE;
    }
    for (int i = 0; i < b->n_impact; i++) {
        b->impact[i].pair = SP_NONE;
    }
    for (int round = 0; more && round < ROUNDS_MAX; round++) {
        more = false;
        for (int k = 0; k < a->n_impact; k++) {
            const int i = round % 2 == 0 ? k : a->n_impact - 1 - k;
            more = find_pair(a, b, i, t, weak) || more;
        }
    }
}

/* The impulses of all points of a contact that are hit at once with one. */
static double hit_at_once(const sp_verify_log *log, const sp_verify_impact *with)
{
    double sum = 0.0;
    for (int i = 0; i < log->n_impact; i++) {
        const sp_verify_impact *p = &log->impact[i];
        sum += hit_together(p, with) ? p->Lambda : 0.0;
    }
    return sum;
}

/* Whether an impact that is left is that of the other run, shared between other points.
 * theory (57.9) */
static bool is_shared(const sp_verify_log *log, const sp_verify_log *other,
                      const sp_verify_impact *p)
{
    for (int i = 0; p->id > 0 && i < log->n_impact; i++) {
        const sp_verify_impact *k = &log->impact[i];
        if (k->pair != SP_NONE && hit_together(k, p)) {
            const double own = hit_at_once(log, p),
                         its = hit_at_once(other, &other->impact[k->pair]);
            return fabs(own - its) <= SAME * own;
        }
    }
    return false;
}

/* Pairs with a strong one: their times, impulses and frictions.   theory (57.10) */
static void count_pairs(const sp_verify_log *a, const sp_verify_log *b, double least,
                        sp_verify_report *report)
{
    for (int i = 0; i < a->n_impact; i++) {
        const sp_verify_impact *p = &a->impact[i];
        const sp_verify_impact *o = p->pair == SP_NONE ? NULL : &b->impact[p->pair];
        if (!o || (p->Lambda < least && o->Lambda < least)) {
            continue;
        }
        report->matched++;
        report->impact_time = fmax(report->impact_time, fabs(p->t - o->t));
        report->other_friction += fabs(p->Lambda - o->Lambda) <= SAME * p->Lambda &&
                                  fabs(p->friction - o->friction) > SAME * p->Lambda;
    }
}

/* Strong impacts of a side that were left, and the first of all.   theory (44.8) */
static void count_left(sp_verify_log *log, const sp_verify_log *other, int side, double t,
                       double least, sp_verify_report *report)
{
    for (int i = 0; i < log->n_impact; i++) {
        sp_verify_impact *p = &log->impact[i];
        if (p->pair != SP_NONE || !(p->t < t) || p->Lambda < least) {
            continue;
        }
        p->shared = is_shared(log, other, p);
        if (p->shared) {
            report->shared[side]++;
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

/* The impulses of what has a pair, a strong one of them, or is shared. */
static double sum_of(const sp_verify_log *log, const sp_verify_log *other, double least)
{
    double sum = 0.0;
    for (int i = 0; i < log->n_impact; i++) {
        const sp_verify_impact *p = &log->impact[i];
        const bool strong =
            p->pair != SP_NONE && (p->Lambda >= least || other->impact[p->pair].Lambda >= least);
        sum += strong || p->shared ? p->Lambda : 0.0;
    }
    return sum;
}

void sp_verify_match(sp_verify_log *reference, sp_verify_log *other, sp_verify_report *report)
{
    const double t = fmin(report->compared, fmin(full_at(reference), full_at(other)));
    double least;
    sp_verify_strong(reference, t, &least);
    match(reference, other, t, WEAKER * least);
    count_pairs(reference, other, least, report);
    count_left(reference, other, 0, t, least, report);
    count_left(other, reference, 1, t, least, report);
    for (int side = 0; side < 2; side++) {
        report->impacts[side] = report->matched + report->shared[side] + report->alone[side];
    }
    const double sum = sum_of(reference, other, least);
    report->impulse = sum > 0.0 ? fabs(sum_of(other, reference, least) - sum) / sum : 0.0;
}

int sp_verify_choices(const sp_verify_log *log, double t, sp_verify_choice *first)
{
    int n = 0;
    *first = (sp_verify_choice){.n_found = -1};
    for (int i = 0; i < log->n_choice && log->choice[i].t <= t; i++) {
        *first = i == 0 ? log->choice[0] : *first;
        n += i == 0 || log->choice[i].t > log->choice[i - 1].t;
    }
    return n;
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
