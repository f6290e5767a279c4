/* studies/continue.c - periodic motions along a parameter.
 *
 *     (x, T, p) -> along the tangent -> Newton's method across it        theory (84.1)-(84.5)
 *
 * branch.c: one orbit of a branch and its tangent; here steps, special orbits, other branches. */
#include "studies/branch.h"

#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRIES = 40, LOCATE = 60, EASY = 3, HARD = 6 };
#define SMALLEST 1e-5  /* of the first step: below it a branch ends                  */
#define LOCATED  1e-12 /* of the step in which it is: special orbits are found so near */
#define GRAZES   0.05  /* of the largest speed of approach: a new impact begins grazing */
#define NEARBY   1e-7  /* of the step: changes of the sequence of events               */
#define GAP      0.02  /* of the step: beside a change no orbits need be found         */

/* Special orbits. */
typedef enum special {
    PLAIN,
    FOLD,
    DOUBLING,
    TORUS,
    CROSSING,
    GRAZING,
    SEQUENCE,
    LAST,
    EDGE, /* of the range: nothing special */
    SPECIALS
} special;
static const char *const special_name[SPECIALS] = {"",
                                                   "fold",
                                                   "period doubling",
                                                   "torus (Neimark-Sacker)",
                                                   "crossing of branches",
                                                   "grazing",
                                                   "change of the sequence of events",
                                                   "end",
                                                   ""};

/* A doubling to go on from. */
typedef struct seed {
    sp_branch_orbit orbit;
    double *way; /* n: the direction of the multiplier -1 */
} seed;

enum { OWN_FOLD, OWN_DOUBLING, OWN_SECOND, OWN_ORBITS, OWN_N };
static const char *const own_name[OWN_N] = {"fold", "doubling", "doubling_2", "orbits"};
static const char *const own_unit[OWN_N] = {"1", "1", "1", "1"};

/* A study of branches under way. */
typedef struct tracer {
    sp_branch b;
    int number, level; /* of the branch; doublings before it */
    double at;         /* where along a step the last special orbit is */
    bool opened;       /* it has a seed of its own            */
    bool ended;        /* at a change of the sequence         */
    seed next;         /* the first doubling of this branch   */
    double *own;
    sp_outcome *o;
    double *row, *rows, *states;
    size_t n_row, room, n_col, n_state;
} tracer;

/* ---- what is kept -----------------------------------------------------------------------------
 */

enum { COL_BRANCH, COL_SPECIAL, COL_P, COL_PERIOD, COL_UNSTABLE, COL_SIZE, COL_RE, COL_IM, COL_N };

/* Add an orbit to the tables, with the measures of its period. */
static sp_status keep(tracer *t, const sp_branch_orbit *x, special kind, sp_error *err)
{
    sp_branch *b = &t->b;
    const sp_study *s = sp_engine_study(b->e);
    SP_TRY(sp_branch_place(b, x, err));
    const uint64_t n_sample = t->o->n_sample;
    SP_TRY(sp_orbit_measure(b->e, b->c, &b->shoot, err));
    t->o->n_sample = n_sample; /* samples of all orbits would distinguish nothing */
    const int n_model = s->n_measure - s->n_own;
    const size_t n_col = COL_N + (size_t)n_model, n_state = (size_t)b->shoot.n_y + 1;
    if (t->n_row == t->room) {
        const size_t room = t->room > 0 ? 2 * t->room : 64;
        double *rows = realloc(t->rows, room * n_col * sizeof *rows);
        t->rows = rows ? rows : t->rows;
        double *states = rows ? realloc(t->states, room * n_state * sizeof *states) : NULL;
        t->states = states ? states : t->states;
        if (!states) {
            return SP_FAIL(err, SP_E_MEMORY, "no memory for branches");
        }
        t->room = room;
    }
    double *row = t->rows + t->n_row * n_col, *state = t->states + t->n_row * n_state;
    row[COL_BRANCH] = t->number;
    row[COL_SPECIAL] = kind;
    row[COL_P] = x->p;
    row[COL_PERIOD] = x->T;
    row[COL_UNSTABLE] = x->n_unstable;
    row[COL_SIZE] = x->n_mu > 0 ? hypot(x->mu[0].re, x->mu[0].im) : 0.0;
    row[COL_RE] = x->n_mu > 0 ? x->mu[0].re : 0.0;
    row[COL_IM] = x->n_mu > 0 ? x->mu[0].im : 0.0;
    memcpy(row + COL_N, t->o->measure, (size_t)n_model * sizeof *row);
    state[0] = x->t_0;
    memcpy(state + 1, x->y, (size_t)b->shoot.n_y * sizeof *state);
    t->n_col = n_col;
    t->n_state = n_state;
    t->n_row++;
    t->own[OWN_ORBITS] += 1.0;
    return SP_OK;
}

/* More of the message, as far as there is room. */
static void add_text(tracer *t, const char *text)
{
    char *message = t->o->message;
    const size_t n = strlen(message);
    snprintf(message + n, sizeof t->o->message - n, "%.100s", text);
}

/* Say a special orbit in the message, and keep where the first of each kind is. */
static void report_point(tracer *t, const sp_branch_orbit *x, special kind)
{
    char *text = t->o->message;
    const size_t size = sizeof t->o->message, n = strlen(text);
    double *own = kind == FOLD && t->level == 0       ? &t->own[OWN_FOLD]
                  : kind == DOUBLING && t->level == 0 ? &t->own[OWN_DOUBLING]
                  : kind == DOUBLING && t->level == 1 ? &t->own[OWN_SECOND]
                                                      : NULL;
    if (own && isnan(*own)) {
        *own = x->p;
    }
    snprintf(text + n, size - n, "%sbranch %d: %s at %s = %.10g", n > 0 ? "; " : "", t->number,
             special_name[kind], t->b.axis->name, x->p);
}

/* ---- special orbits ---------------------------------------------------------------------------
 */

/* What changes its sign where the kind of special orbit is; edge: of the range. */
static double indicator(const sp_branch_orbit *x, special kind, double edge)
{
    double sum = 1.0;
    for (int i = 0; i < x->n_mu && kind != FOLD && kind != EDGE; i++) {
        const sp_complex m = x->mu[i];
        if (kind == TORUS) {
            sum *= m.im > 0.0 ? hypot(m.re, m.im) - 1.0 : 1.0;
        } else if (m.im == 0.0) {
            sum *= kind == DOUBLING ? m.re + 1.0 : m.re - 1.0;
        }
    }
    return kind == FOLD ? x->tangent[x->n_x + 1] : kind == EDGE ? x->p - edge : sum;
}

/* Whether one is between a and b: complex pairs may have become real and back. */
static bool is_between(const sp_branch_orbit *a, const sp_branch_orbit *b, special kind)
{
    if (kind == TORUS) {
        const int jump = a->n_unstable - b->n_unstable;
        return jump == 2 || jump == -2;
    }
    const bool changes = indicator(a, kind, 0.0) * indicator(b, kind, 0.0) < 0.0;
    return changes && (kind != CROSSING || !is_between(a, b, FOLD));
}

/* The orbit between a and b, s apart, where the indicator is zero: secants held within the bounds
 * (the Illinois method). */
static sp_status locate(tracer *t, const sp_branch_orbit *a, const sp_branch_orbit *b, double s,
                        special kind, double edge, sp_branch_orbit *found, sp_error *err)
{
    double low = 0.0, high = s;
    double f_low = indicator(a, kind, edge), f_high = indicator(b, kind, edge);
    SP_TRY(sp_branch_copy(&t->b, b, found, err));
    for (int k = 0, side = 0; k < LOCATE && high - low > LOCATED * s; k++) {
        double at = (f_low * high - f_high * low) / (f_low - f_high);
        at = at > low && at < high ? at : 0.5 * (low + high);
        SP_TRY(sp_branch_step(&t->b, a, at, found, err));
        t->at = at;
        const double f = indicator(found, kind, edge);
        if (f == 0.0 || fabs(f) <= 1e-13) {
            break;
        }
        if (f * f_low > 0.0) {
            low = at;
            f_low = f;
            f_high *= side == -1 ? 0.5 : 1.0;
            side = -1;
        } else {
            high = at;
            f_high = f;
            f_low *= side == 1 ? 0.5 : 1.0;
            side = 1;
        }
    }
    return SP_OK;
}

/* Where steps from an orbit come to others: between low and high. */
typedef struct bracket {
    const sp_branch_orbit *a;
    double low, high, slowest;   /* slowest: impact of all that were tried */
    sp_branch_orbit room, found; /* found: the last one that was wanted    */
} bracket;

/* Halve it: the last orbit with a's sequence of events (last), or the first with another one is
 * wanted.  Steps in between where no orbit is found count as not wanted. */
static sp_status halve(tracer *t, bracket *k, double width, bool last, sp_error *err)
{
    for (int i = 0; i < TRIES && k->high - k->low > width; i++) {
        const double middle = 0.5 * (k->low + k->high);
        sp_error why = {.status = SP_OK};
        const bool there = sp_branch_step(&t->b, k->a, middle, &k->room, &why) == SP_OK;
        const bool wanted = there && (k->room.sequence == k->a->sequence) == last;
        k->slowest = there ? fmin(k->slowest, k->room.slowest) : k->slowest;
        SP_TRY(wanted ? sp_branch_copy(&t->b, &k->room, &k->found, err) : SP_OK);
        *(wanted == last ? &k->low : &k->high) = middle;
    }
    return SP_OK;
}

/* Where the sequence of events changes between a and b, s apart: found is the last orbit before it;
 * grazing: with impacts that begin slowly.  Where there are none between it and the first one with
 * other events, the branch ends, and b is on another one.   theory (84.5) */
static sp_status locate_sequence(tracer *t, const sp_branch_orbit *a, const sp_branch_orbit *b,
                                 double s, sp_branch_orbit *found, special *kind, sp_error *err)
{
    bracket k = {.a = a, .high = s, .slowest = fmin(a->slowest, b->slowest)};
    sp_status status = sp_branch_copy(&t->b, a, &k.found, err);
    status = status == SP_OK ? halve(t, &k, NEARBY * s, true, err) : status;
    status = status == SP_OK ? sp_branch_copy(&t->b, &k.found, found, err) : status;
    t->at = k.low;
    k.high = s;
    status = status == SP_OK ? halve(t, &k, GAP * s, false, err) : status;
    t->ended = k.high - t->at > 3.0 * GAP * s;
    *kind = k.slowest < GRAZES ? GRAZING : SEQUENCE;
    sp_branch_orbit_free(&k.room);
    sp_branch_orbit_free(&k.found);
    return status;
}

/* Keep the way of the multiplier nearest to -1 of an orbit for the branch of doubled period. */
static sp_status open_seed(tracer *t, const sp_branch_orbit *x, sp_error *err)
{
    if (t->opened) {
        return SP_OK;
    }
    t->opened = true;
    SP_TRY(sp_branch_copy(&t->b, x, &t->next.orbit, err));
    return sp_branch_way(&t->b, x, -1.0, &t->next.way, err);
}

/* Special orbits between a and b, s apart, which have the same events. */
static sp_status look_smooth(tracer *t, const sp_branch_orbit *a, const sp_branch_orbit *b,
                             double s, sp_branch_orbit *found, sp_error *err)
{
    for (special kind = FOLD; kind <= CROSSING; kind++) {
        if (is_between(a, b, kind)) {
            SP_TRY(locate(t, a, b, s, kind, 0.0, found, err));
            report_point(t, found, kind);
            SP_TRY(keep(t, found, kind, err));
            SP_TRY(kind == DOUBLING ? open_seed(t, found, err) : SP_OK);
        }
    }
    return SP_OK;
}

/* Special orbits between a and b, and where the events become others. */
static sp_status look_between(tracer *t, const sp_branch_orbit *a, const sp_branch_orbit *b,
                              double s, sp_branch_orbit *found, sp_error *err)
{
    if (a->sequence == b->sequence) {
        return look_smooth(t, a, b, s, found, err);
    }
    special kind;
    sp_branch_orbit last = {.p = 0.0};
    sp_status status = locate_sequence(t, a, b, s, &last, &kind, err);
    status = status == SP_OK ? look_smooth(t, a, &last, t->at, found, err) : status;
    if (status == SP_OK) {
        report_point(t, &last, kind);
        add_text(t, t->ended ? " (its end)" : "");
        status = keep(t, &last, kind, err);
    }
    sp_branch_orbit_free(&last);
    return status;
}

/* ---- a branch ---------------------------------------------------------------------------------
 */

/* b, which is outside of the range, becomes the orbit at its edge. */
static sp_status end_at_edge(tracer *t, const sp_branch_orbit *a, sp_branch_orbit *b, double s,
                             sp_branch_orbit *found, sp_error *err)
{
    const sp_axis *axis = t->b.axis;
    const double edge = b->p < axis->from ? axis->from : axis->to;
    if (!((a->p - edge) * (b->p - edge) < 0.0)) {
        return SP_OK; /* it was there already */
    }
    SP_TRY(locate(t, a, b, s, EDGE, edge, found, err));
    return sp_branch_copy(&t->b, found, b, err);
}

/* The branch ends at x: nothing is found behind it, where events may be others. */
static sp_status end_branch(tracer *t, const sp_branch_orbit *x, const char *why, sp_error *err)
{
    uint64_t sequence;
    double slowest;
    sp_branch_events(&t->b, &sequence, &slowest);
    const special kind = sequence == x->sequence ? LAST : slowest < GRAZES ? GRAZING : SEQUENCE;
    report_point(t, x, kind);
    add_text(t, kind == LAST ? " (" : " (its end: ");
    add_text(t, why);
    add_text(t, ")");
    return keep(t, x, kind, err);
}

/* What lies between x and next, s apart, and next itself; outside: of the range, whose edge it
 * becomes. */
static sp_status keep_next(tracer *t, const sp_branch_orbit *x, sp_branch_orbit *next, double s,
                           bool outside, sp_branch_orbit *found, sp_error *err)
{
    t->at = s;
    SP_TRY(outside ? end_at_edge(t, x, next, s, found, err) : SP_OK);
    SP_TRY(look_between(t, x, next, t->at, found, err));
    return t->ended ? SP_OK : keep(t, next, PLAIN, err);
}

/* Along the branch from x until it leaves the range or ends. */
static sp_status follow(tracer *t, sp_branch_orbit *x, sp_error *err)
{
    sp_branch *b = &t->b;
    const sp_branch_wish *wish = b->wish;
    sp_branch_orbit next = {.p = 0.0}, found = {.p = 0.0};
    double step = wish->step;
    sp_status status = SP_OK;
    bool on = true;
    t->ended = false;
    for (int k = 0; k < wish->orbits && on && status == SP_OK; k++) {
        sp_error why = {.status = SP_OK};
        status = sp_engine_is_late(b->e, x->p, err);
        if (status != SP_OK) {
            break;
        }
        while (step > SMALLEST * wish->step && sp_branch_step(b, x, step, &next, &why) != SP_OK) {
            step *= 0.5;
        }
        on = step > SMALLEST * wish->step;
        const bool outside = on && (next.p < b->axis->from || next.p > b->axis->to);
        status = on ? keep_next(t, x, &next, step, outside, &found, &why) : SP_E_NOT_CONVERGED;
        if (status != SP_OK) { /* what was found before is kept */
            on = false;
            status = status == SP_E_NOT_CONVERGED ? end_branch(t, x, why.text, err)
                                                  : SP_FAIL(err, status, "%s", why.text);
        }
        on = on && !outside && !t->ended;
        if (on) {
            step = b->n_newton <= EASY   ? fmin(1.5 * step, wish->longest)
                   : b->n_newton >= HARD ? 0.5 * step
                                         : step;
            status = sp_branch_copy(b, &next, x, err);
            status = status == SP_OK ? sp_branch_renew_section(b, x, err) : status;
        }
    }
    sp_branch_orbit_free(&next);
    sp_branch_orbit_free(&found);
    return status;
}

/* Exchange n numbers. */
static void exchange(double *a, double *b, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        const double kept = a[k];
        a[k] = b[k];
        b[k] = kept;
    }
}

/* The orbits so far in the opposite order, so that those of the other way follow the first one. */
static void turn_round(tracer *t)
{
    for (size_t i = 0, k = t->n_row; i + 1 < k; i++) {
        k--;
        exchange(t->rows + i * t->n_col, t->rows + k * t->n_col, t->n_col);
        exchange(t->states + i * t->n_state, t->states + k * t->n_state, t->n_state);
    }
}

/* Both ways from the first orbit; the orbits are kept as they lie along the branch. */
static sp_status follow_both(tracer *t, sp_branch_orbit *x, sp_error *err)
{
    sp_branch_orbit back = {.p = 0.0};
    sp_status status = sp_branch_copy(&t->b, x, &back, err);
    status = status == SP_OK ? keep(t, x, PLAIN, err) : status;
    status = status == SP_OK ? follow(t, x, err) : status;
    turn_round(t);
    for (int i = 0; i < back.n_x + 2; i++) {
        back.tangent[i] = -back.tangent[i];
    }
    status = status == SP_OK ? follow(t, &back, err) : status;
    sp_branch_orbit_free(&back);
    return status;
}

/* Branches of doubled period, one after the other. */
static sp_status follow_doublings(tracer *t, sp_error *err)
{
    while (t->opened && t->level < t->b.wish->doublings) {
        const seed from = t->next;
        sp_branch_orbit x = {.p = 0.0};
        t->next = (seed){.way = NULL};
        t->opened = false;
        t->level++;
        t->number++;
        sp_status status = sp_branch_double(&t->b, &from.orbit, from.way, &x, err);
        status = status == SP_OK ? keep(t, &x, PLAIN, err) : status;
        status = status == SP_OK ? follow(t, &x, err) : status;
        sp_branch_orbit_free((sp_branch_orbit *)(uintptr_t)&from.orbit);
        free(from.way);
        sp_branch_orbit_free(&x);
        SP_TRY(status);
    }
    return SP_OK;
}

/* The tables into the outcome. */
static bool hand_over(tracer *t)
{
    return sp_extra_add(t->o, "orbits", t->n_row, t->n_col, t->rows) &&
           sp_extra_add(t->o, "states", t->n_row, t->n_state, t->states);
}

static sp_status run_continue(sp_engine *e, sp_machine *c, sp_error *err)
{
    sp_study *s = sp_engine_study(e);
    tracer t = {.number = 0, .own = sp_engine_own(e), .o = sp_engine_outcome(e)};
    sp_branch_orbit x = {.p = 0.0};
    double found[OWN_N] = {NAN, NAN, NAN, 0.0};
    t.own = found;
    sp_status status = sp_branch_begin(&t.b, e, c, s->branch, &x, err);
    status = status == SP_OK ? follow_both(&t, &x, err) : status;
    status = status == SP_OK ? follow_doublings(&t, err) : status;
    if (status == SP_OK && !hand_over(&t)) {
        status = SP_FAIL(err, SP_E_MEMORY, "no memory for branches");
    }
    for (int k = 0; k < s->n_measure - s->n_own; k++) {
        t.o->measure[k] = NAN; /* each orbit has its own */
    }
    memcpy(sp_engine_own(e), found, sizeof found);
    sp_branch_orbit_free(&x);
    sp_branch_orbit_free(&t.next.orbit);
    free(t.next.way);
    sp_branch_end(&t.b);
    free(t.rows);
    free(t.states);
    return status;
}

/* ---- the section ------------------------------------------------------------------------------
 */

static sp_status read_continue(sp_study *s, sp_error *err)
{
    const sp_node *map = sp_node_get(s->spec->root, "continue");
    const sp_node *parameter = sp_node_get(map, "parameter");
    sp_branch_wish *w = s->branch = SP_NEW(&s->arena, sp_branch_wish, 1);
    long orbits, doublings = 0;
    if (!w || !map) {
        return w ? sp_study_fail_at(s->spec->root, err, "continue: the section is missing")
                 : SP_FAIL(err, SP_E_MEMORY, "no memory");
    }
    *w = (sp_branch_wish){.step = 0.02, .longest = 0.1};
    SP_TRY(sp_orbit_read(s, map, err));
    SP_TRY(sp_study_add_axes(s, parameter, "", false, err));
    if (s->n_axis != 1) {
        return sp_study_fail_at(map, err,
                                "continue: expected one parameter, {mu: {from: 0, to: 1}}");
    }
    w->axis = s->axis[0];
    s->n_axis = 0;
    char label[300];
    snprintf(label, sizeof label, *w->axis.unit ? "%.200s [%.80s]" : "%.200s", w->axis.name,
             w->axis.unit);
    s->along = sp_arena_copy(&s->arena, label);
    if (!sp_node_get(sp_node_get(parameter, w->axis.name), "start")) {
        w->axis.start = w->axis.from;
    }
    const sp_node *step = sp_node_get(map, "step"), *longest = sp_node_get(map, "longest");
    const sp_node *doubled = sp_node_get(map, "doublings");
    SP_TRY(sp_study_quantity(s, step, "1", &w->step, err));
    SP_TRY(sp_study_quantity(s, longest, "1", &w->longest, err));
    SP_TRY(sp_study_whole(map, "orbits", 200, &orbits, err));
    if (doubled && strcmp(doubled->text, "0") != 0) {
        SP_TRY(sp_study_whole(map, "doublings", 1, &doublings, err));
    }
    if (!(w->step > 0.0 && w->longest >= w->step && doublings <= 8)) {
        return sp_study_fail_at(map, err,
                                "continue: expected 0 < step <= longest, and at most 8 doublings");
    }
    w->orbits = (int)orbits;
    w->doublings = (int)doublings;
    return SP_OK;
}

const sp_study_runner sp_study_continue = {.word = "continue",
                                           .group = "/branches",
                                           .n_own = OWN_N,
                                           .name = own_name,
                                           .unit = own_unit,
                                           .read = read_continue,
                                           .run = run_continue};
