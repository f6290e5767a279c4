/* integrators/seen.h - smooth runs that are watched frame by frame. */
#ifndef INTEGRATORS_SEEN_H
#define INTEGRATORS_SEEN_H

#include "support/check.h"
#include "support/run.h"

/* What an observer saw. */
typedef struct seen {
    const rig *r;
    int n_frame, n_call;
    double t[2048], q[2048], u[2048]; /* of the first coordinate, per frame */
    double t_last, off;               /* time of the last call; largest error of loops in a frame */
    sp_ledger ledger;
} seen;

/* The observer. */
static inline sp_status watch(void *ctx, const sp_model *m, const sp_step_record *r, sp_error *err)
{
    seen *s = ctx;
    (void)err;
    assert_true(s->n_call == 0 || r->t >= s->t_last);
    s->n_call++;
    s->t_last = r->t;
    if (r->sampled) {
        assert_true(s->n_frame < 2048);
        s->t[s->n_frame] = r->t;
        s->q[s->n_frame] = r->q[0];
        s->u[s->n_frame++] = r->u[0];
        s->ledger = *r->ledger;
        if (m->n_bond > 0) {
            sp_con_at(r->t, 0.0, r->q, r->u, &s->r->w->con);
            sp_con_gaps(m, s->r->x->numbers, &s->r->w->kin, &s->r->w->con);
            s->off = fmax(s->off, s->r->w->con.off);
        }
    }
    return SP_OK;
}

/* A smooth run; s NULL: nobody watches. */
static inline sp_status try_run(rig *r, double until, double tolerance, double output_step, seen *s,
                                sp_run_summary *summary, sp_error *err)
{
    const sp_run_options options = {.method = SP_METHOD_SMOOTH,
                                    .until = until,
                                    .output_step = output_step,
                                    .tolerance = tolerance};
    const sp_observer observer = {.step = watch, .ctx = s};
    if (s) {
        *s = (seen){.r = r};
    }
    return sp_integrate(r->m, r->x, r->w, &options, &observer, s ? 1 : 0, summary, err);
}

/* The same, which must not fail. */
static inline sp_run_summary run_to(rig *r, double until, double tolerance, double output_step,
                                    seen *s)
{
    sp_run_summary summary;
    sp_error err = {.status = SP_OK};
    if (try_run(r, until, tolerance, output_step, s, &summary, &err) != SP_OK) {
        print_message("%s\n", err.text);
        fail();
    }
    assert_true(summary.worst.momentum < 1e-12);
    return summary;
}

#endif
