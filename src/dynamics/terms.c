#include "dynamics/terms.h"

#include "expr/samples.h"
#include "kinematics/spot.h"

#include <math.h>

enum { SAMPLES = 9 };        /* of a step                                              */
#define LEAST (1.0 / 1024.0) /* of a step: what is not seen is not looked for in less  */

/* An expression that is not gentle. */
typedef struct term {
    const sp_func *func;
    const sp_force *force; /* NULL: the rate of a state */
    int number;            /* of the force              */
    double most;           /* its largest size, may be infinite */
} term;

struct sp_terms {
    const sp_model *m;
    sp_parts at;
    int n;
    term *term;
    sp_kin kin;                 /* of its own: that of the step stays */
    double *y, *in;             /* at.n; SAMPLES times m->expr_input, of one term */
    double *all;                /* SAMPLES times at.n                 */
    double (*measure)[SAMPLES]; /* n */
    sp_bounds *bounds;          /* m->expr_input          */
    void *work;
};

/* Signals that are known along a step. */
static bool is_known(const sp_func *f, bool measured)
{
    for (int k = 0; k < f->n_signal; k++) {
        const sp_signal_kind kind = f->signal[k].kind;
        if ((kind == SP_SIG_MEASURE || kind == SP_SIG_RATE) && !measured) {
            return false;
        }
    }
    return true;
}

/* Note an expression if it may be narrow; list NULL: count only. */
static void note(sp_terms *s, const sp_func *f, const sp_force *force, int number, term *list)
{
    const bool measured =
        force && (force->kind == SP_FORCE_SPRING_POINTS || force->kind == SP_FORCE_SPRING_MEASURE);
    if (f->program && f->n_signal > 0 && is_known(f, measured) &&
        !sp_program_is_gentle(f->program)) {
        if (list) {
            list[s->n] = (term){f, force, number, INFINITY};
        }
        s->n++;
    }
}

/* All of them. */
static void find(sp_terms *s, term *list)
{
    const sp_model *m = s->m;
    s->n = 0;
    for (int i = 0; i < m->n_force; i++) {
        const sp_force *f = &m->force[i];
        for (int k = 0; k < 3 && f->kind <= SP_FORCE_DRIVE; k++) {
            note(s, &f->law[k], f, i, list);
        }
    }
    for (int i = 0; i < m->n_state; i++) {
        note(s, &m->state[i].rate, NULL, i, list);
    }
}

/* Memory, and what the largest sizes are. */
static bool fill(sp_arena *a, sp_terms *s)
{
    const sp_model *m = s->m;
    size_t bytes = m->expr_work * sizeof(double);
    s->term = SP_NEW(a, term, s->n);
    if (!s->term) {
        return false;
    }
    find(s, s->term);
    for (int k = 0; k < s->n; k++) {
        const size_t n = sp_program_bounds_work(s->term[k].func->program);
        bytes = n > bytes ? n : bytes;
    }
    s->y = SP_NEW(a, double, s->at.n);
    s->all = SP_NEW(a, double, SAMPLES *(size_t)s->at.n);
    s->in = SP_NEW(a, double, SAMPLES *(size_t)m->expr_input);
    s->measure = sp_arena_alloc(a, (size_t)s->n, sizeof *s->measure);
    s->bounds = SP_NEW(a, sp_bounds, m->expr_input);
    s->work = SP_NEW(a, double, bytes / sizeof(double) + 1);
    if (!s->y || !s->all || !s->in || !s->measure || !s->bounds || !s->work) {
        return false;
    }
    for (int k = 0; k < s->n; k++) {
        s->term[k].most = sp_program_most(s->term[k].func->program, s->bounds, s->work);
    }
    return sp_kin_alloc(a, m, &s->kin);
}

bool sp_terms_room(sp_arena *a, const sp_model *m, sp_parts at, sp_terms **terms)
{
    sp_terms *s = SP_NEW(a, sp_terms, 1);
    *terms = NULL;
    if (!s) {
        return false;
    }
    s->m = m;
    s->at = at;
    find(s, NULL);
    if (s->n > 0 && !fill(a, s)) {
        return false;
    }
    *terms = s->n > 0 ? s : NULL;
    return true;
}

/* The measure of a spring where the bodies are. */
static double measure_of(sp_terms *s, const sp_numbers *num, const term *t,
                         const sp_signal_source *from)
{
    if (t->force->kind == SP_FORCE_SPRING_MEASURE) {
        return sp_func_value(&t->force->measure, from, s->in, s->work);
    }
    const sp_mark *mark = num->force[t->number].mark;
    const sp_spot a = sp_spot_of(&s->kin, &mark[0]), b = sp_spot_of(&s->kin, &mark[1]);
    return sp_length3(sp_sub3(b.x, a.x));
}

/* Bodies at one of the times. */
static sp_signal_source place(sp_terms *s, const sp_numbers *num, double t, const double *y)
{
    const double *q = y + s->at.q, *u = y + s->at.u;
    sp_kin_positions(s->m, num, q, &s->kin);
    sp_kin_velocities(s->m, u, &s->kin);
    return (sp_signal_source){.kin = &s->kin, .q = q, .u = u, .z = y + s->at.z, .t = t};
}

/* The rate of a measure at sample i, from those beside it. */
static double rate_of(const double *measure, const double *t, int i)
{
    const int a = i > 0 ? i - 1 : 0, b = i + 1 < SAMPLES ? i + 1 : i;
    return (measure[b] - measure[a]) / (t[b] - t[a]);
}

/* How far one of them is seen, whose inputs are gathered. */
static double shown(sp_terms *s, const term *one, const double *t)
{
    const sp_course course = {SAMPLES, one->func->n_signal, t, s->in};
    return sp_program_shown(one->func->program, &course, one->most, s->bounds, s->work);
}

double sp_terms_shown(sp_terms *s, const sp_numbers *num, sp_rk8 *rk)
{
    const double dt = rk->t - rk->t_old;
    double t[SAMPLES], until = rk->t;
    for (int i = 0; i < SAMPLES; i++) {
        double *y = s->all + (size_t)i * (size_t)s->at.n;
        t[i] = i + 1 < SAMPLES ? rk->t_old + dt * i / (SAMPLES - 1) : rk->t;
        sp_rk8_dense(rk, t[i], s->at.n, y);
        const sp_signal_source from = place(s, num, t[i], y);
        for (int k = 0; k < s->n; k++) {
            const bool spring =
                s->term[k].force && s->term[k].force->kind <= SP_FORCE_SPRING_MEASURE;
            s->measure[k][i] = spring ? measure_of(s, num, &s->term[k], &from) : 0.0;
        }
    }
    for (int k = 0; k < s->n; k++) {
        const sp_func *f = s->term[k].func;
        for (int i = 0; i < SAMPLES; i++) {
            sp_signal_source from = place(s, num, t[i], s->all + (size_t)i * (size_t)s->at.n);
            from.measure = s->measure[k][i];
            from.rate = rate_of(s->measure[k], t, i);
            for (int j = 0; j < f->n_signal; j++) {
                const sp_signal *in = &f->signal[j];
                s->in[i * f->n_signal + j] = in->kind == SP_SIG_CLOCK
                                                 ? sp_program_value(in->clock, &t[i], s->work)
                                                 : sp_signal_value(in, &from);
            }
        }
        until = fmin(until, shown(s, &s->term[k], t));
    }
    return fmax(until, rk->t_old + LEAST * dt);
}
