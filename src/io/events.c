#include "io/events.h"

#include "io/json.h"
#include "io/result_read.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAVES                                                                                     \
    1e-9 /* m/s, and of the speed of the hit: slower than this a contact does not leave */

enum { BLOCK = 1024, TITLE_MAX = 600, WIDTH_MAX = 40 };

#define TINY 1e-6 /* of the largest impulse: impacts below are gathered in one line */

/* Impacts in a row that are gathered. */
typedef struct burst {
    long n;
    sp_event first;
    const char *contact; /* of the first */
    double t_last, Lambda_N, energy_lost;
} burst;

/* What is done with an event. */
typedef struct sink {
    const sp_result *result;
    const sp_event_filter *filter;
    FILE *file;
    sp_json json;
    int name_width;
    bool gives;     /* a contact lost less than nothing */
    double largest; /* normal impulse of all that pass, N s */
    burst tiny;     /* impacts that are not printed yet     */
    void (*put)(struct sink *sink, const char *contact, const sp_event *e);
} sink;

/* Does the element or contact called wanted hold the contact called name? */
static bool holds(const char *wanted, const char *name)
{
    const size_t n = strlen(wanted);
    return strncmp(name, wanted, n) == 0 && (name[n] == '\0' || name[n] == '.');
}

/* A kind that is none is a mistake, not an empty list. */
static sp_status check_kind(const char *kind, sp_error *err)
{
    const char *known[SP_EVENT_N];
    for (int k = 0; k < SP_EVENT_N; k++) {
        known[k] = sp_event_name((sp_event_kind)k);
        if (strcmp(kind, known[k]) == 0) {
            return SP_OK;
        }
    }
    const char *nearest = sp_nearest(kind, known, SP_EVENT_N);
    return SP_FAIL(err, SP_E_INPUT,
                   "no kind of event '%.80s', expected close, open, impact, stick, slip, zeno, "
                   "jam, choice, handover, project or return%s%s%s",
                   kind, nearest ? "; did you mean '" : "", nearest ? nearest : "",
                   nearest ? "'?" : "");
}

/* So is a contact that is none. */
static sp_status check_contact(const sp_result *result, const char *contact, sp_error *err)
{
    const int n = sp_result_about(result)->n_contact;
    const char **known = malloc(((size_t)n + 1) * sizeof *known);
    bool found = false;
    for (int i = 0; i < n && !found; i++) {
        const char *name = sp_result_contact_name(result, i);
        found = holds(contact, name);
        if (known) {
            known[i] = name;
        }
    }
    const char *nearest = found || !known ? NULL : sp_nearest(contact, known, n);
    free(known);
    return found
               ? SP_OK
               : SP_FAIL(err, SP_E_INPUT, "result file '%.200s': no contact '%.80s'%s%.80s%s",
                         sp_result_about(result)->path, contact, nearest ? "; did you mean '" : "",
                         nearest ? nearest : "", nearest ? "'?" : "");
}

/* Does the filter let the event pass? */
static bool passes(const sp_event_filter *filter, const char *contact, const sp_event *e)
{
    return !filter || ((!filter->kind || strcmp(filter->kind, sp_event_name(e->kind)) == 0) &&
                       (!filter->contact || holds(filter->contact, contact)));
}

/* A row of the queue with its time. */
typedef struct rank {
    double t;
    size_t row;
} rank;

/* Events by rising time.  A step may report a touch in the step before it, after the events at
 * that step's end, so that files are out of order over short stretches: two blocks are sorted at a
 * time, and the first is done. */
typedef struct queue {
    sp_event *event, *sorted; /* 2 BLOCK each */
    rank *rank;               /* 2 BLOCK      */
    size_t n;
} queue;

/* qsort: by time, equal ones as they were; times that are none stay last. */
static int compare_ranks(const void *a, const void *b)
{
    const rank *x = a, *y = b;
    return x->t != y->t ? (x->t < y->t ? -1 : 1) : x->row < y->row ? -1 : x->row > y->row;
}

/* Sort what is in the queue. */
static void sort_queue(queue *q)
{
    for (size_t k = 0; k < q->n; k++) {
        q->rank[k].t = isnan(q->event[k].t) ? INFINITY : q->event[k].t;
        q->rank[k].row = k;
    }
    qsort(q->rank, q->n, sizeof *q->rank, compare_ranks);
    for (size_t k = 0; k < q->n; k++) {
        q->sorted[k] = q->event[q->rank[k].row];
    }
    memcpy(q->event, q->sorted, q->n * sizeof *q->event);
}

/* Who takes the events of a queue. */
typedef struct receiver {
    sp_event_taker take;
    void *ctx;
} receiver;

/* Give the first n events of the queue away. */
static sp_status hand_on(queue *q, size_t n, const sp_result *result, const receiver *to,
                         sp_error *err)
{
    for (size_t k = 0; k < n; k++) {
        const char *contact = sp_result_event_name(result, &q->event[k]);
        SP_TRY(to->take(to->ctx, contact, &q->event[k], err));
    }
    q->n -= n;
    memmove(q->event, q->event + n, q->n * sizeof *q->event);
    return SP_OK;
}

/* All events of the result through the queue. */
static sp_status run_queue(queue *q, sp_result *result, const receiver *to, sp_error *err)
{
    const size_t n = sp_result_about(result)->n_event;
    for (size_t first = 0; first < n; first += BLOCK) {
        const size_t rows = n - first < BLOCK ? n - first : BLOCK;
        SP_TRY(sp_result_read_events(result, first, rows, q->event + q->n, err));
        q->n += rows;
        sort_queue(q);
        SP_TRY(hand_on(q, q->n > BLOCK ? q->n - BLOCK : 0, result, to, err));
    }
    return hand_on(q, q->n, result, to, err);
}

sp_status sp_events_each(sp_result *result, sp_event_taker take, void *ctx, sp_error *err)
{
    const receiver to = {take, ctx};
    queue q = {.event = malloc(2 * BLOCK * sizeof *q.event),
               .sorted = malloc(2 * BLOCK * sizeof *q.sorted),
               .rank = malloc(2 * BLOCK * sizeof *q.rank)};
    const sp_status status = q.event && q.sorted && q.rank
                                 ? run_queue(&q, result, &to, err)
                                 : SP_FAIL(err, SP_E_MEMORY, "out of memory for the events");
    free(q.event);
    free(q.sorted);
    free(q.rank);
    return status;
}

/* sp_event_taker: the events that pass go to the sink. */
static sp_status sift(void *ctx, const char *contact, const sp_event *e, sp_error *err)
{
    sink *s = ctx;
    if (passes(s->filter, contact, e)) {
        s->put(s, contact, e);
    }
    return ferror(s->file) ? SP_FAIL(err, SP_E_IO, "cannot write the events: %s", strerror(errno))
                           : SP_OK;
}

/* Give all events that pass to the sink, by rising time. */
static sp_status walk(sp_result *result, const sp_event_filter *filter, sink *s, sp_error *err)
{
    s->filter = filter;
    return sp_events_each(result, sift, s, err);
}

/* Check the filter. */
static sp_status check(const sp_result *result, const sp_event_filter *filter, sp_error *err)
{
    if (filter && filter->kind) {
        SP_TRY(check_kind(filter->kind, err));
    }
    if (filter && filter->contact) {
        SP_TRY(check_contact(result, filter->contact, err));
    }
    return SP_OK;
}

/* The error of a failed write. */
static sp_status finish(FILE *file, sp_error *err)
{
    if (fflush(file) != 0 || ferror(file)) {
        return SP_FAIL(err, SP_E_IO, "cannot write the events: %s", strerror(errno));
    }
    return SP_OK;
}

/* At the end of the line of an impact: whether it gained energy, or was solved with other
 * coefficients than those of the model. */
static void put_remark(FILE *file, const sp_impact_log *i)
{
    if (i->gain > 0.0) {
        fprintf(file, "  gains %.3g J", i->gain);
    }
    if (i->remedy != SP_REMEDY_NONE) {
        fprintf(file, "  %s: eps_N %.4g, restitution times %.6g", sp_impact_remedy_name(i->remedy),
                i->eps_N, i->factor);
    }
}

/* Whether there are impulses to show: a choice between several impacts has none of its own. */
static bool has_impulse(const sp_event *e)
{
    return e->impact_id > 0 && e->kind != SP_EVENT_CHOICE;
}

/* At the end of the line of a choice: between how many. */
static void put_choice(FILE *file, const sp_event *e)
{
    const char *least = e->at_least ? "at least " : "";
    if (e->impact_id > 0) {
        fprintf(file, " %6d  one of %s%d impacts", e->impact_id, least, e->n_found);
    } else if (e->n_found > 0) {
        fprintf(file, " %6s  one of %s%d motions", "", least, e->n_found);
    } else {
        fprintf(file, " %6s  one of a continuum of motions", "");
    }
}

/* The name of a body of an event, NULL if it is not one of two. */
static const char *body_of(const sp_result *result, const sp_event *e, int side)
{
    const int n = sp_result_about(result)->n_body;
    const bool two = e->body[0] != e->body[1] && e->body[0] >= 0 && e->body[1] >= 0 &&
                     e->body[0] < n && e->body[1] < n;
    return two ? sp_result_body_name(result, e->body[side]) : NULL;
}

/* The contact as the table calls it: slots of pools, which change hands, with the bodies they were
 * assigned to. */
static const char *title(const sp_result *result, const char *contact, const sp_event *e, char *buf,
                         size_t size)
{
    const char *a = body_of(result, e, 0), *b = body_of(result, e, 1);
    if (!a || !b || !strstr(contact, ".pair.")) {
        return contact;
    }
    snprintf(buf, size, "%s (%s, %s)", contact, a, b);
    return buf;
}

/* -0 is 0 to people. */
static double positive_zero(double x)
{
    return x == 0.0 ? 0.0 : x;
}

/* The tangential impulse: with its sign where there is one direction, else its length. */
static double tangential(const sp_event *e)
{
    return e->Lambda_T[1] == 0.0 ? e->Lambda_T[0] : hypot(e->Lambda_T[0], e->Lambda_T[1]);
}

/* The state right behind an impact or a jam, in tables and objects alike: contacts that are hit and
 * do not leave touch, and whether they stay is another event. */
static const char *state_after(const sp_event *e)
{
    const bool hit = e->kind == SP_EVENT_IMPACT || e->kind == SP_EVENT_JAM;
    const bool touches = hit && e->after == SP_STATE_OPEN &&
                         e->gamma_N_after <= LEAVES * (1.0 + fabs(e->gamma_N_before));
    return touches ? "touch" : sp_contact_state_name(e->after);
}

/* The column of states: what is no change of one says what it is. */
static void put_states(FILE *file, const sp_event *e)
{
    const char *const is = e->kind == SP_EVENT_JAM        ? "no collision"
                           : e->kind == SP_EVENT_CHOICE   ? "several exist"
                           : e->kind == SP_EVENT_SWITCH   ? "other side"
                           : e->kind == SP_EVENT_HANDOVER ? "by steps"
                                                          : NULL;
    if (is) {
        fprintf(file, "  %-14s", is);
    } else {
        fprintf(file, "  %5s -> %-5s", sp_contact_state_name(e->before), state_after(e));
    }
}

/* A line of the table.  Numbers of an impact are left out where there is none. */
static void put_line(sink *s, const char *contact, const sp_event *e)
{
    char name[TITLE_MAX];
    fprintf(s->file, "%-13.9g %-7s %-*s", e->t, sp_event_name(e->kind), s->name_width,
            title(s->result, contact, e, name, sizeof name));
    put_states(s->file, e);
    if (e->kind == SP_EVENT_CHOICE) {
        put_choice(s->file, e);
    }
    if (e->kind == SP_EVENT_HANDOVER) {
        fprintf(s->file, " %6s  events make no progress, steps for %.3g s", "", e->lasts);
    }
    if (e->kind == SP_EVENT_PROJECT) {
        fprintf(s->file, " %6s  gaps of the start opened, energy %+.5g J", "", -e->energy_lost);
    }
    if (has_impulse(e)) {
        fprintf(s->file, " %6d %12.5g %12.5g %11.4g %11.4g %12.5g", e->impact_id,
                positive_zero(e->Lambda_N), positive_zero(tangential(e)),
                positive_zero(e->gamma_N_before), positive_zero(e->gamma_N_after),
                positive_zero(e->energy_lost));
        if (sp_result_contact_turns(s->result, e->slot)) {
            fputs("  angle: N m s, rad/s", s->file);
        }
        put_remark(s->file, &e->impact);
        s->gives = s->gives || e->energy_lost < 0.0;
    }
    fputc('\n', s->file);
}

/* Print the impacts that wait: one as it is, several in one line. */
static void put_burst(sink *s)
{
    const burst b = s->tiny;
    s->tiny.n = 0;
    if (b.n == 1) {
        put_line(s, b.contact, &b.first);
    } else if (b.n > 1) {
        char name[TITLE_MAX];
        fprintf(
            s->file,
            "%-13.9g %-7s %-*s  %ld tiny impacts until t = %.9g s, %.3g N s and %.3g J in all\n",
            b.first.t, sp_event_name(SP_EVENT_IMPACT), s->name_width,
            title(s->result, b.contact, &b.first, name, sizeof name), b.n, b.t_last, b.Lambda_N,
            positive_zero(b.energy_lost));
    }
}

/* The table: impacts below TINY of the largest wait until something else comes. */
static void put_text(sink *s, const char *contact, const sp_event *e)
{
    if (e->kind != SP_EVENT_IMPACT || !(e->Lambda_N < TINY * s->largest)) {
        put_burst(s);
        put_line(s, contact, e);
        return;
    }
    burst *b = &s->tiny;
    if (b->n++ == 0) {
        *b = (burst){.n = 1, .first = *e, .contact = contact};
    }
    b->t_last = e->t;
    b->Lambda_N += e->Lambda_N;
    b->energy_lost += e->energy_lost;
}

/* sp_event_taker: the longest title and the largest impulse so far. */
static sp_status measure(void *ctx, const char *contact, const sp_event *e, sp_error *err)
{
    (void)err;
    sink *s = ctx;
    char name[TITLE_MAX];
    const size_t n = strlen(title(s->result, contact, e, name, sizeof name));
    if (!passes(s->filter, contact, e)) {
        return SP_OK;
    }
    if (n > (size_t)s->name_width) {
        s->name_width = n < WIDTH_MAX ? (int)n : WIDTH_MAX;
    }
    if (e->kind == SP_EVENT_IMPACT && e->Lambda_N > s->largest) {
        s->largest = e->Lambda_N;
    }
    return SP_OK;
}

sp_status sp_events_text(sp_result *result, FILE *file, const sp_event_filter *filter,
                         sp_error *err)
{
    sink s = {.result = result,
              .filter = filter,
              .file = file,
              .name_width = (int)strlen("contact"),
              .put = put_text};
    SP_TRY(check(result, filter, err));
    SP_TRY(sp_events_each(result, measure, &s, err));
    fprintf(file, "%-13s %-7s %-*s  %-14s %6s %12s %12s %11s %11s %12s\n", "t [s]", "kind",
            s.name_width, "contact", "state", "impact", "Lambda_N", "Lambda_T", "gamma_N-",
            "gamma_N+", "energy lost");
    fprintf(file, "%-13s %-7s %-*s  %-14s %6s %12s %12s %11s %11s %12s\n", "", "", s.name_width, "",
            "", "", "[N s]", "[N s]", "[m/s]", "[m/s]", "[J]");
    SP_TRY(walk(result, filter, &s, err));
    put_burst(&s);
    if (s.gives) {
        fputs(
            "energy lost < 0: the impulses of that contact gave energy to the bodies, as one of "
            "several contacts may,\nor tangential restitution, or a law that gains; what an impact "
            "lost is the sum over its number\n",
            file);
    }
    return finish(file, err);
}

/* What else there is to say about an impact. */
static void put_impact(sp_json *j, const sp_event *e)
{
    const sp_impact_log *i = &e->impact;
    sp_json_number(j, "Lambda_N_compression", i->Lambda_N_C);
    sp_json_numbers(j, "Lambda_T_compression", 2, i->Lambda_T_C);
    sp_json_number(j, "Lambda_N_expansion", e->Lambda_N - i->Lambda_N_C);
    const double expansion[2] = {e->Lambda_T[0] - i->Lambda_T_C[0],
                                 e->Lambda_T[1] - i->Lambda_T_C[1]};
    sp_json_numbers(j, "Lambda_T_expansion", 2, expansion);
    sp_json_number(j, "gamma_N_compression", i->gamma_N_C);
    sp_json_number(j, "gamma_T_compression", i->gamma_T_C);
    sp_json_number(j, "lost_normal", i->lost_normal);
    sp_json_number(j, "lost_friction", i->lost_friction);
    sp_json_number(j, "lost_restitution", i->lost_restitution);
    sp_json_number(j, "energy_gain", i->gain);
    sp_json_number(j, "factor", i->factor);
    sp_json_number(j, "eps_N", i->eps_N);
    sp_json_number(j, "eps_T", i->eps_T);
    sp_json_number(j, "mu", i->mu);
    sp_json_text(j, "remedy", sp_impact_remedy_name(i->remedy));
}

/* The same about what is no impact. */
static void put_change(sp_json *j, const sp_event *e)
{
    sp_json_number(j, "friction_work", e->friction_work);
    if (e->lasts > 0.0) {
        sp_json_number(j, "lasts", e->lasts);
    }
    if (e->rate > 0.0) {
        sp_json_number(j, "rate", e->rate);
    }
    if (e->kind == SP_EVENT_ZENO) {
        sp_json_number(j, "bound", e->bound);
    }
    if (e->n_found > 0) {
        sp_json_integer(j, "n_found", e->n_found);
        sp_json_bool(j, "at_least", e->at_least);
    }
}

/* An object of the array, on a line of its own. */
static void put_json(sink *s, const char *contact, const sp_event *e)
{
    sp_json *j = &s->json;
    sp_json_object(j, NULL);
    sp_json_number(j, "t", e->t);
    sp_json_text(j, "kind", sp_event_name(e->kind));
    sp_json_text(j, "contact", contact);
    if (body_of(s->result, e, 0)) {
        sp_json_array(j, "bodies");
        sp_json_text(j, NULL, body_of(s->result, e, 0));
        sp_json_text(j, NULL, body_of(s->result, e, 1));
        sp_json_end(j);
    }
    if (sp_result_contact_turns(s->result, e->slot)) {
        sp_json_bool(j, "angle", true); /* impulses in N m s, velocities in rad/s */
    }
    sp_json_integer(j, "impact_id", e->impact_id);
    sp_json_number(j, "Lambda_N", e->Lambda_N);
    sp_json_numbers(j, "Lambda_T", 2, e->Lambda_T);
    sp_json_number(j, "gamma_N_before", e->gamma_N_before);
    sp_json_number(j, "gamma_N_after", e->gamma_N_after);
    sp_json_number(j, "gamma_T_before", e->gamma_T_before);
    sp_json_number(j, "gamma_T_after", e->gamma_T_after);
    sp_json_number(j, "energy_lost", e->energy_lost);
    sp_json_text(j, "before", sp_contact_state_name(e->before));
    sp_json_text(j, "after", state_after(e));
    if (has_impulse(e) && e->kind != SP_EVENT_ZENO) {
        put_impact(j, e);
    } else {
        put_change(j, e);
    }
    sp_json_end(j);
}

sp_status sp_events_json(sp_result *result, FILE *file, const sp_event_filter *filter,
                         sp_error *err)
{
    sink s = {.result = result, .file = file, .put = put_json};
    SP_TRY(check(result, filter, err));
    sp_json_init(&s.json, file);
    s.json.lines = true;
    sp_json_array(&s.json, NULL);
    SP_TRY(walk(result, filter, &s, err));
    sp_json_end(&s.json);
    fputc('\n', file);
    return finish(file, err);
}
