/* integrators/run.h - many steps in a row, with somebody watching. */
#ifndef SP_INTEGRATORS_RUN_H
#define SP_INTEGRATORS_RUN_H

#include "integrators/stiff.h"
#include "integrators/work.h"

typedef struct sp_run_options {
    sp_method method;
    bool chosen;                     /* by 'auto'                                         */
    double until, step, output_step; /* s; step is 0 with methods that choose their steps */
    double tolerance;                /* of these                                          */
    const sp_stiff_driver *stiff;    /* who integrates with 'stiff'; NULL: nobody can     */
} sp_run_options;

/* How a run went, also when it ended early. */
typedef struct sp_run_summary {
    long steps, events, solves; /* solves: contact problems        */
    sp_certificate worst;
    double t;
    int bad_output; /* the first output that was no finite number in a frame, SP_NONE: none */
    double bad_time;
} sp_run_summary;

/* Whether a method takes steps of the length it is given; others choose them by the tolerance. */
bool sp_method_has_step(sp_method method);

/* Options from the model's 'run' section; SP_E_INPUT where something needed is missing. */
sp_status sp_run_options_of(const sp_model *m, sp_run_options *options, sp_error *err);

/* Whether the model can be run so.  SP_E_INPUT if not; sp_run looks too. */
sp_status sp_run_check(const sp_model *m, const sp_run_options *options, sp_error *err);

/* Run x to options->until.  Observers are called in order, once before the first step, after
 * every step and, with methods that choose their steps, at the frames inside of it.  On failure x
 * is the state before the failed step and err has the time. */
sp_status sp_run(const sp_model *m, sp_state *x, sp_work *w, const sp_run_options *options,
                 const sp_observer *observer, int n_observer, sp_run_summary *summary,
                 sp_error *err);

#endif
