/* analysis/measure.c - numbers of a whole run.   theory (80.1)-(80.5) */
#include "analysis/measure.h"

#include "base/status.h"
#include "integrators/loads.h"
#include "integrators/swept.h"
#include "math/cheb.h"

#include <math.h>
#include <string.h>

enum { DEGREE = SP_CHEB_MAX, NODES = DEGREE + 1, HALVINGS = 10, SEARCH = 60, ROUGH = 4 };
#define FINE   1e-9 /* of the largest value: what polynomials may leave out   theory (80.2) */
#define VALUES 1e-2 /* of it: kinks leave out less of the shortest panels, round-off more */

/* What is kept of a probe. */
typedef struct probe_sum {
    double integral, square; /* of the probe and of its square over time */
    double low, high, last;  /* no number once the probe was none */
    double size;             /* the largest so far */
    double noise; /* the same where all values were found to be round-off     theory (80.2) */
    double rest;  /* what the polynomial of the last panel leaves out */
    bool watched; /* by a gauge, or for its zeros; others are only sampled */
} probe_sum;

struct sp_measures {
    sp_arena arena;
    const sp_model *m;
    sp_state *x;
    sp_work *w;
    sp_sampler sampler;
    double from, t;              /* the window so far */
    bool began, watches;         /* some probe is watched */
    long n_every;                /* samples of a stroboscope so far                     */
    double *value;               /* n_probe: at a moment                                */
    double *node;                /* NODES x n_probe                                     */
    probe_sum *sum;              /* n_probe */
    double *impulse, *lost;      /* n_slot: sums over impacts                           */
    double *stuck;               /* n_slot, s                                           */
    long *hit;                   /* n_slot                                              */
    double *line, *line_0;       /* n_line x SP_LINE_COLUMNS: now, where the window began */
    sp_ledger ledger, ledger_0;  /* likewise                                            */
    double *in, *scratch, *keep; /* of programs; of samples                             */
};

/* ---- memory ---------------------------------------------------------------------------------- */

/* The largest scratch of the measures. */
static size_t program_work(const sp_model *m)
{
    size_t most = 1;
    for (int i = 0; i < m->n_measure; i++) {
        const sp_program *p = m->measure[i].program;
        const size_t n = p ? sp_program_work(p, 0) : 0;
        most = n > most ? n : most;
    }
    return most;
}

/* Which probes are followed along smooth motion. */
static void choose_watched(sp_measures *ms)
{
    const sp_model *m = ms->m;
    for (int i = 0; i < m->n_gauge; i++) {
        if (m->gauge[i].probe != SP_NONE) {
            ms->sum[m->gauge[i].probe].watched = ms->watches = true;
        }
    }
    if (m->sampling.kind == SP_SAMPLE_CROSSING) {
        ms->sum[m->sampling.probe].watched = ms->watches = true;
    }
}

sp_status sp_measures_new(const sp_model *m, sp_state *x, sp_work *w, double from,
                          const sp_sampler *sampler, sp_measures **measures, sp_error *err)
{
    sp_arena arena;
    sp_arena_init(&arena, NULL, 0);
    sp_measures *ms = SP_NEW(&arena, sp_measures, 1);
    *measures = NULL;
    if (!ms) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory for measures");
    }
    *ms = (sp_measures){.m = m, .x = x, .w = w, .from = from, .t = from};
    ms->sampler = sampler ? *sampler : (sp_sampler){NULL, NULL};
    const size_t n_line = (size_t)m->n_line * SP_LINE_COLUMNS;
    double **const list[] = {&ms->value, &ms->node,   &ms->impulse, &ms->lost,    &ms->stuck,
                             &ms->line,  &ms->line_0, &ms->in,      &ms->scratch, &ms->keep};
    const size_t size[] = {(size_t)m->n_probe,
                           (size_t)m->n_probe * NODES,
                           (size_t)m->n_slot,
                           (size_t)m->n_slot,
                           (size_t)m->n_slot,
                           n_line,
                           n_line,
                           (size_t)m->n_gauge,
                           program_work(m),
                           (size_t)m->sampling.n_keep};
    bool ok = true;
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        *list[k] = SP_NEW(&arena, double, size[k] + 1);
        ok = ok && *list[k];
    }
    ms->hit = SP_NEW(&arena, long, m->n_slot + 1);
    ms->sum = SP_NEW(&arena, probe_sum, m->n_probe + 1);
    ms->arena = arena;
    *measures = ms;
    if (!ok || !ms->hit || !ms->sum) {
        sp_measures_free(ms);
        *measures = NULL;
        return SP_FAIL(err, SP_E_MEMORY, "no memory for measures");
    }
    for (int i = 0; i < m->n_probe; i++) {
        ms->sum[i] = (probe_sum){.low = INFINITY, .high = -INFINITY, .last = NAN};
    }
    choose_watched(ms);
    return SP_OK;
}

void sp_measures_free(sp_measures *measures)
{
    if (measures) {
        sp_arena arena = measures->arena;
        sp_arena_free(&arena);
    }
}

/* ---- moments --------------------------------------------------------------------------------- */

/* The probes at the state, whose frames are in the work; dt: the step that forces are means over.
 */
static sp_status probe(sp_measures *ms, double dt, double *value, sp_error *err)
{
    const sp_model *m = ms->m;
    sp_work *w = ms->w;
    if (m->probe_forces) {
        sp_run_contacts(m, ms->x, dt, w);
        SP_TRY(w->load ? sp_loads_find(m, ms->x, w->contact, w->load, err) : SP_OK);
    }
    const sp_signal_source from = {.kin = &w->kin,
                                   .q = ms->x->q,
                                   .u = ms->x->u,
                                   .z = ms->x->z,
                                   .t = ms->x->t,
                                   .contact = w->contact,
                                   .kinetic = ms->x->ledger.kinetic,
                                   .potential = ms->x->ledger.potential,
                                   .loads = w->load ? &w->load->loads : NULL};
    for (int i = 0; i < m->n_probe; i++) {
        value[i] = sp_func_value(&m->probe[i], &from, w->dyn.in, w->dyn.work);
    }
    return SP_OK;
}

/* Bring the machine to t, where a span can do that, and look at the probes. */
static sp_status look(sp_measures *ms, const sp_stretch *span, double t, double *value,
                      sp_error *err)
{
    SP_TRY(span->go ? span->go(span->ctx, t, err) : SP_OK);
    return probe(ms, span->t_1 - span->t_0, value, err);
}

/* Hand a sample over; the probes are in value. */
static sp_status give(sp_measures *ms, double t, const double *value, sp_error *err)
{
    const sp_sampling *s = &ms->m->sampling;
    for (int k = 0; k < s->n_keep; k++) {
        ms->keep[k] = value[s->keep[k]];
    }
    return ms->sampler.take(ms->sampler.ctx, t, s->n_keep, ms->keep, err);
}

/* Works now; where the window begins, too. */
static void note_works(sp_measures *ms)
{
    const sp_model *m = ms->m;
    ms->ledger = ms->x->ledger;
    if (m->probe_lines) {
        sp_dyn_lines(m, ms->x->numbers, &ms->w->kin, &(sp_at){ms->x->t, ms->x->q, ms->x->u},
                     ms->x->book, &ms->w->dyn, ms->line);
    }
    if (!ms->began) {
        ms->began = true;
        ms->ledger_0 = ms->ledger;
        memcpy(ms->line_0, ms->line, (size_t)m->n_line * SP_LINE_COLUMNS * sizeof *ms->line);
    }
}

/* ---- samples --------------------------------------------------------------------------------- */

/* Values at t between those of two ends of a time step. */
static void between(sp_measures *ms, const sp_stretch *span, double t, const double *end,
                    double *value)
{
    const double t_0 = fmax(span->t_0, ms->from), part = (t - t_0) / (span->t_1 - t_0);
    for (int i = 0; i < ms->m->n_probe; i++) {
        const double last = isnan(ms->sum[i].last) ? end[i] : ms->sum[i].last;
        value[i] = last + part * (end[i] - last);
    }
}

/* The sample at t; end: the probes at the end of a time step, used where there is no going back. */
static sp_status sample_at(sp_measures *ms, const sp_stretch *span, double t, const double *end,
                           sp_error *err)
{
    if (span->go) {
        SP_TRY(look(ms, span, t, ms->value, err));
    } else {
        between(ms, span, t, end, ms->value);
    }
    return give(ms, t, ms->value, err);
}

/* Samples of a stroboscope in (t_0, t_1], and at the very begin of the window. */
static sp_status sample_every(sp_measures *ms, const sp_stretch *span, const double *end,
                              sp_error *err)
{
    const sp_sampling *s = &ms->m->sampling;
    if (s->kind != SP_SAMPLE_EVERY || !(s->every > 0.0)) {
        return SP_OK;
    }
    const double near = SP_SLIVER * s->every; /* a time that is one but for round-off */
    const double first = ceil((ms->from - near - s->offset) / s->every);
    for (;; ms->n_every++) {
        const double t = s->offset + (first + (double)ms->n_every) * s->every;
        if (!(t <= span->t_1 + near)) {
            return SP_OK;
        }
        const double inside = fmin(fmax(t, span->t_0), span->t_1);
        SP_TRY(sample_at(ms, span, inside, end, err));
    }
}

/* The root of p between a and b, where its signs differ, by bisection. */
static double root_between(const sp_cheb *p, double a, double b)
{
    double slope;
    const bool up = sp_cheb_value(p, a, &slope) < 0.0;
    for (int k = 0; k < SEARCH; k++) {
        const double middle = 0.5 * (a + b);
        *((sp_cheb_value(p, middle, &slope) < 0.0) == up ? &a : &b) = middle;
    }
    return 0.5 * (a + b);
}

/* Whether a crossing from one value to the next is wanted. */
static bool crosses(const sp_sampling *s, double before, double after)
{
    return (before < 0.0 && after >= 0.0 && s->direction >= 0) ||
           (before >= 0.0 && after < 0.0 && s->direction <= 0);
}

/* Samples where the probe passes zero on a panel. */
static sp_status sample_crossings(sp_measures *ms, const sp_stretch *span, const sp_cheb *p,
                                  const double *node, sp_error *err)
{
    const sp_sampling *s = &ms->m->sampling;
    const int n = ms->m->n_probe;
    for (int k = 0; k < DEGREE; k++) {
        if (!crosses(s, node[k * n + s->probe], node[(k + 1) * n + s->probe])) {
            continue;
        }
        const double t = root_between(p, sp_cheb_point(DEGREE, p->a, p->b, k),
                                      sp_cheb_point(DEGREE, p->a, p->b, k + 1));
        SP_TRY(sample_at(ms, span, t, NULL, err));
    }
    return SP_OK;
}

/* Take a value into the lowest and highest, which are no numbers from then on if it is none. */
static void bound_by(probe_sum *p, double value)
{
    p->low = value < p->low || isnan(value) ? value : p->low;
    p->high = value > p->high || isnan(value) ? value : p->high;
}

/* ---- probes over smooth motion --------------------------------------------------------------- */

/* Integral over the interval of p, and of its square: T_i T_j = (T_{i+j} + T_{|i-j|})/2, of which
 * those of even degree k come to 2/(1 - k^2). */
static void integrate(const sp_cheb *p, double *integral, double *square)
{
    const double half = 0.5 * (p->b - p->a);
    double sum = 0.0, sum2 = 0.0;
    for (int i = 0; i <= p->n; i++) {
        sum += i % 2 == 0 ? p->c[i] * 2.0 / (1.0 - i * i) : 0.0;
        for (int j = i % 2; j <= p->n; j += 2) {
            const int a = i + j, b = i - j;
            sum2 += p->c[i] * p->c[j] * (1.0 / (1.0 - a * a) + 1.0 / (1.0 - b * b));
        }
    }
    *integral = half * sum;
    *square = half * sum2;
}

/* The largest value of sign * p, the best node being number k: where its slope passes zero beside
 * it, by bisection. */
static double summit(const sp_cheb *p, double sign, int k)
{
    double slope;
    double a = sp_cheb_point(p->n, p->a, p->b, k > 0 ? k - 1 : 0);
    double b = sp_cheb_point(p->n, p->a, p->b, k < p->n ? k + 1 : p->n);
    for (int i = 0; i < SEARCH; i++) {
        const double middle = 0.5 * (a + b);
        sp_cheb_value(p, middle, &slope);
        *(sign * slope > 0.0 ? &a : &b) = middle;
    }
    return sign * sp_cheb_value(p, 0.5 * (a + b), &slope);
}

/* Raise *most, which the nodes are part of, to the largest value of sign * p on the interval; not
 * where p leaves out more than noise, since it goes beyond a jump.   theory (80.2) */
static void raise(const sp_cheb *p, const double *value, int stride, double sign, double noise,
                  double *most)
{
    int best = 0;
    for (int k = 1; k <= p->n; k++) {
        best = sign * value[k * stride] > sign * value[best * stride] ? k : best;
    }
    double bound = sign * p->c[0];
    for (int k = 1; k <= p->n; k++) {
        bound += fabs(p->c[k]);
    }
    if (bound > *most && !(p->rest > noise)) {
        const double top = summit(p, sign, best);
        *most = top > *most ? top : *most;
    }
}

/* What a polynomial may leave out of a probe. */
static double unresolved(const probe_sum *s)
{
    return fmax(FINE * s->size, s->noise);
}

/* Several of the shortest panels in a row are rough: probes of which polynomials leave out values
 * themselves, and not their kinks, are round-off of zero.   theory (80.2) */
static void note_noise(sp_measures *ms)
{
    for (int i = 0; i < ms->m->n_probe; i++) {
        probe_sum *s = &ms->sum[i];
        if (s->watched && s->rest > unresolved(s) && s->rest > VALUES * s->size) {
            s->noise = s->size;
        }
    }
}

/* The polynomials through the nodes of a panel; whether they are near enough to all probes. */
static bool fit_panel(sp_measures *ms, double a, double b, sp_cheb *crossing)
{
    const int n = ms->m->n_probe;
    bool near = true;
    for (int i = 0; i < n; i++) {
        double value[NODES];
        if (!ms->sum[i].watched) {
            continue;
        }
        for (int k = 0; k < NODES; k++) {
            value[k] = ms->node[k * n + i];
            ms->sum[i].size = fmax(ms->sum[i].size, fabs(value[k]));
        }
        const double noise = unresolved(&ms->sum[i]);
        const sp_cheb p = sp_cheb_fit(DEGREE, a, b, value, 0.1 * noise);
        ms->sum[i].rest = p.rest;
        near = near && !(p.rest > noise);
        if (i == ms->m->sampling.probe) {
            *crossing = p;
        }
    }
    return near;
}

/* Take a panel into the sums. */
static void add_panel(sp_measures *ms, double a, double b)
{
    const int n = ms->m->n_probe;
    for (int i = 0; i < n; i++) {
        double value[NODES], integral, square;
        probe_sum *s = &ms->sum[i];
        if (!s->watched) {
            continue;
        }
        for (int k = 0; k < NODES; k++) {
            value[k] = ms->node[k * n + i];
        }
        const double noise = unresolved(s);
        const sp_cheb p = sp_cheb_fit(DEGREE, a, b, value, 0.1 * noise);
        integrate(&p, &integral, &square);
        s->integral += integral;
        s->square += square < 0.0 ? 0.0 : square;
        for (int k = 0; k < NODES; k++) {
            bound_by(s, value[k]);
        }
        double low = -s->low;
        raise(&p, ms->node + i, n, 1.0, noise, &s->high);
        raise(&p, ms->node + i, n, -1.0, noise, &low);
        s->low = -low;
        s->last = value[DEGREE];
    }
}

/* A stretch of smooth motion, in panels.  A kink or a jump is in two of the shortest at most; where
 * there are more, values are no more than round-off, and panels need not be as short. */
static sp_status add_smooth(sp_measures *ms, const sp_stretch *span, sp_error *err)
{
    const int n = ms->m->n_probe;
    double least = (span->t_1 - span->t_0) / (1 << HALVINGS);
    double a = fmax(span->t_0, ms->from), h = span->t_1 - a;
    int rough = 0, row = 0;
    while (ms->watches && a < span->t_1) {
        const double b = span->t_1 - a <= 1.5 * h ? fmin(span->t_1, a + h) : a + h;
        sp_cheb crossing = {.n = 0};
        for (int k = 0; k <= DEGREE; k++) {
            SP_TRY(look(ms, span, sp_cheb_point(DEGREE, a, b, k), ms->node + k * n, err));
        }
        const bool near = fit_panel(ms, a, b, &crossing);
        if (!near && h > least) {
            h *= 0.5;
            continue;
        }
        rough += !near;
        row = near ? 0 : row + 1;
        if (row == ROUGH) {
            note_noise(ms);
            row = 0;
        }
        least *= !near && rough % ROUGH == 0 ? 2.0 : 1.0;
        add_panel(ms, a, b);
        if (ms->m->sampling.kind == SP_SAMPLE_CROSSING && ms->sampler.take) {
            SP_TRY(sample_crossings(ms, span, &crossing, ms->node, err));
        }
        a = b;
        h = fmin(2.0 * h, span->t_1 - a);
    }
    return ms->sampler.take ? sample_every(ms, span, NULL, err) : SP_OK;
}

/* The probes where the window begins in a time step: on the line from its begin, so far as that was
 * seen. */
static void begin_in_step(sp_measures *ms, const sp_stretch *span, const double *end)
{
    const double part = fmax(ms->from - span->t_0, 0.0) / (span->t_1 - span->t_0);
    for (int i = 0; i < ms->m->n_probe; i++) {
        probe_sum *p = &ms->sum[i];
        p->last = isnan(p->last) ? end[i] : p->last + part * (end[i] - p->last);
        bound_by(p, p->last);
    }
}

/* A time step: the trapezoidal rule.   theory (80.2) */
static sp_status add_step(sp_measures *ms, const sp_stretch *span, bool first, sp_error *err)
{
    const sp_sampling *s = &ms->m->sampling;
    const int n = ms->m->n_probe;
    const double t_0 = fmax(span->t_0, ms->from), dt = span->t_1 - t_0;
    double *end = ms->node;
    SP_TRY(look(ms, span, span->t_1, end, err));
    if (first) {
        begin_in_step(ms, span, end);
    }
    if (ms->sampler.take) {
        SP_TRY(sample_every(ms, span, end, err));
        const double old = s->kind == SP_SAMPLE_CROSSING ? ms->sum[s->probe].last : NAN;
        if (s->kind == SP_SAMPLE_CROSSING && crosses(s, old, end[s->probe])) {
            const double part = old / (old - end[s->probe]);
            SP_TRY(sample_at(ms, span, t_0 + part * dt, end, err));
        }
    }
    for (int i = 0; i < n; i++) {
        probe_sum *p = &ms->sum[i];
        p->integral += 0.5 * dt * (p->last + end[i]);
        p->square += 0.5 * dt * (p->last * p->last + end[i] * end[i]);
        bound_by(p, end[i]);
        p->last = end[i];
    }
    return SP_OK;
}

/* Note the probes before the window, where the next step may come into it.  Forces are not known
 * before the first step. */
static sp_status note_before(sp_measures *ms, double dt, sp_error *err)
{
    if (ms->m->probe_forces) {
        return SP_OK;
    }
    SP_TRY(probe(ms, dt, ms->value, err));
    for (int i = 0; i < ms->m->n_probe; i++) {
        ms->sum[i].last = ms->value[i];
    }
    return SP_OK;
}

/* ---- the observer ---------------------------------------------------------------------------- */

/* sp_observer: time goes on without events. */
static sp_status see_span(void *ctx, const sp_stretch *span, sp_error *err)
{
    sp_measures *ms = ctx;
    const sp_model *m = ms->m;
    const double t_0 = fmax(span->t_0, ms->from);
    const bool first = !(ms->t > ms->from);
    if (!(span->t_1 > ms->from)) {
        const bool near = ms->from - span->t_1 < 2.0 * (span->t_1 - span->t_0);
        return near && !span->go ? note_before(ms, span->t_1 - span->t_0, err) : SP_OK;
    }
    if (!ms->began) {
        SP_TRY(span->go ? span->go(span->ctx, t_0, err) : SP_OK);
        note_works(ms);
    }
    for (int i = 0; i < m->n_slot; i++) {
        ms->stuck[i] += ms->x->contact[i].state == SP_STATE_STICK ? span->t_1 - t_0 : 0.0;
    }
    ms->t = span->t_1;
    return span->go ? add_smooth(ms, span, err) : add_step(ms, span, first, err);
}

/* Count an impact, or the rest of an accumulation of them. */
static void count_impact(sp_measures *ms, const sp_event *e)
{
    if (e->kind == SP_EVENT_IMPACT || e->kind == SP_EVENT_ZENO) {
        ms->impulse[e->slot] += fabs(e->Lambda_N);
        ms->lost[e->slot] += e->energy_lost;
        ms->hit[e->slot] += e->Lambda_N > 0.0;
    }
}

/* sp_observer: events, and the works behind them. */
static sp_status see_step(void *ctx, const sp_model *m, const sp_step_record *r, sp_error *err)
{
    sp_measures *ms = ctx;
    bool sampled = false;
    for (int k = 0; k < r->n_event; k++) {
        const sp_event *e = &r->event[k];
        if (!(e->t >= ms->from) || e->slot < 0 || e->slot >= m->n_slot) {
            continue;
        }
        count_impact(ms, e);
        for (int i = 0; e->kind == SP_EVENT_IMPACT && i < m->sampling.n_slot; i++) {
            sampled = sampled || m->sampling.slot[i] == e->slot;
        }
    }
    if (sampled && ms->sampler.take) {
        sp_run_evaluate(m, ms->x, ms->w);
        SP_TRY(probe(ms, r->dt, ms->value, err));
        SP_TRY(give(ms, r->t, ms->value, err));
    }
    if (r->dt == 0.0 && !(ms->t > ms->from) && r->n_event == 0) { /* the start of the run */
        SP_TRY(note_before(ms, 0.0, err));
    }
    if (r->t >= ms->from) {
        note_works(ms);
    }
    return SP_OK;
}

sp_observer sp_measures_observer(sp_measures *measures)
{
    return (sp_observer){.step = see_step, .ctx = measures, .span = see_span};
}

/* ---- values ---------------------------------------------------------------------------------- */

/* The number of a gauge that watches a probe over a window of `span`. */
static double probe_value(const probe_sum *p, sp_gauge_kind kind, double span)
{
    switch (kind) {
    case SP_GAUGE_MEAN:
        return p->integral / span;
    case SP_GAUGE_RMS:
        return sqrt(p->square / span);
    case SP_GAUGE_PEAK:
        return fmax(fabs(p->low), fabs(p->high));
    case SP_GAUGE_MIN:
        return p->low;
    case SP_GAUGE_MAX:
        return p->high;
    default:
        return p->last;
    }
}

/* The number of a gauge of contacts and force elements. */
static double sum_value(const sp_measures *ms, const sp_gauge *g, double span)
{
    const sp_ledger *l = &ms->ledger, *b = &ms->ledger_0;
    const bool whole = g->n_slot + g->n_line == 0;
    double sum = 0.0;
    for (int i = 0; i < g->n_slot; i++) {
        const int k = g->slot[i];
        sum += g->kind == SP_GAUGE_IMPULSES     ? ms->impulse[k]
               : g->kind == SP_GAUGE_STICK_TIME ? ms->stuck[k]
               : g->kind == SP_GAUGE_LOSS       ? ms->lost[k]
               : g->kind == SP_GAUGE_WORK       ? 0.0 - ms->lost[k]
                                                : (double)ms->hit[k];
    }
    for (int i = 0; i < g->n_line; i++) {
        const int k = SP_LINE_COLUMNS * g->line[i];
        sum += g->kind == SP_GAUGE_WORK
                   ? ms->line[k + SP_LINE_APPLIED] - ms->line_0[k + SP_LINE_APPLIED]
                   : ms->line_0[k + SP_LINE_DAMPERS] - ms->line[k + SP_LINE_DAMPERS];
    }
    switch (g->kind) {
    case SP_GAUGE_WORK:
        return whole ? (l->applied + l->driven) - (b->applied + b->driven) : sum;
    case SP_GAUGE_LOSS:
        return whole ? (b->impacts + b->friction + b->dampers) -
                           (l->impacts + l->friction + l->dampers)
                     : sum;
    case SP_GAUGE_IMPACT_RATE:
        return sum / span;
    default:
        return sum;
    }
}

void sp_measures_values(const sp_measures *ms, double *value)
{
    const double span = ms->t - ms->from;
    for (int i = 0; i < ms->m->n_measure; i++) {
        const sp_measure *e = &ms->m->measure[i];
        for (int k = 0; k < e->n_in; k++) {
            const sp_gauge *g = &ms->m->gauge[e->gauge[k]];
            ms->in[k] = g->kind == SP_GAUGE_SPAN ? span
                        : g->probe != SP_NONE    ? probe_value(&ms->sum[g->probe], g->kind, span)
                                                 : sum_value(ms, g, span);
        }
        value[i] = !(span > 0.0) ? NAN
                   : e->program  ? sp_program_value(e->program, ms->in, ms->scratch)
                                 : e->constant;
    }
}
