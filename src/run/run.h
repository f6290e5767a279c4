/* run/run.h - many steps in a row, with somebody watching. */
#ifndef SP_RUN_RUN_H
#define SP_RUN_RUN_H

#include "integrators/stiff.h"
#include "integrators/work.h"
#include "specht/run.h"

/* The largest of something that elastic beams have in frames; body 0: none has it. */
typedef struct sp_tally_beam {
    double value, t;
    int body;
} sp_tally_beam;

/* How a run went, also when it ended early. */
typedef struct sp_run_summary {
    long steps, events, solves; /* solves: contact problems        */
    sp_certificate worst;
    double t_worst; /* the end of the step with the worst certificate, s */
    double opened;  /* J: by which 'start: project' changed the energy           */
    sp_lately lately;
    double t;
    sp_doubt doubt[SP_DOUBT_N]; /* reasons to doubt what was computed                   */
    sp_uniqueness unique; /* event-driven: where one solution may not be the only one             */
    sp_tally choice, zeno; /* and where one of several was taken, or clatter was passed      */
    sp_tally met;          /* by steps: where one was divided so as not to go through a part    */
    sp_tally handover;     /* where steps went over what events could not pass                 */
    long implicit;         /* steps that were implicit ...                                      */
    double unresolved;     /* ... and the largest w dt of modes that they damp                   */
    int steep; /* ... and the first force whose slope was no number there, SP_NONE: none */
    double steep_time;
    int bad_output; /* the first output that was no finite number in a frame, SP_NONE: none */
    double bad_time;
    long seen;                     /* frames                                       */
    sp_tally_beam strain, pressed; /* strain at an edge; load over that of buckling */
    sp_tally_beam fast; /* explicit steps: largest w dt of an elastic body's functions          */
} sp_run_summary;

/* Where a run stands between two steps; with the state all that a restart needs.  Methods that go
 * from event to event, and smooth ones, have memory beside the state, and get the frames inside of
 * steps: they pack both, where they may go on to the bit: before the last steps, which are as long
 * as they are because the run ends. */
struct sp_run_progress {
    double t_0;      /* where the run began, s                    */
    double frame;    /* number of the next frame                  */
    double reported; /* the last time that was reported, s     */
    long done;       /* steps of equal length that were taken     */
    sp_run_summary summary;
    const unsigned char *memory; /* the state, packed, then that of the method; in the work; NULL:
                                  * the state as it is is enough                              */
    size_t n_memory;             /* bytes of both              */
};

/* Whether a method takes steps of the length it is given; others choose them by the tolerance. */
bool sp_method_has_step(sp_method method);

/* The tolerance that the model asks for, or the one that the method has where it asks for none. */
double sp_method_tolerance(const sp_model *m, sp_method method);

/* Whether a method that chooses its steps can run the model with this tolerance; SP_E_INPUT if not.
 */
sp_status sp_method_check(const sp_model *m, sp_method method, double tolerance, sp_error *err);

/* Whether the model can be run with these options; SP_E_INPUT if not. */
sp_status sp_run_may(const sp_model *m, const sp_run_options *options, sp_error *err);

/* How many steps such a run takes; with methods that choose their steps a guess from below of what
 * it takes as long as something moves.   theory (59.1) */
double sp_run_guess_steps(const sp_model *m, const sp_run_options *options);

/* Run x to options->until, without the files that the options name: sp_run does that.  Observers
 * are called in order, once before the first step, after every step and, with methods that choose
 * their steps, at the frames inside of it.  On failure x is the state before the failed step and
 * err has the time. */
sp_status sp_integrate(const sp_model *m, sp_state *x, sp_work *w, const sp_run_options *options,
                       const sp_observer *observer, int n_observer, sp_run_summary *summary,
                       sp_error *err);

/* Bring frames, velocities and gaps in w up to x. */
void sp_run_evaluate(const sp_model *m, sp_state *x, sp_work *w);

/* Everything that a frame shows, in w; dt: the step that forces are means over, s. */
sp_status sp_run_sample(const sp_model *m, const sp_state *x, double dt, sp_work *w,
                        sp_run_summary *summary, sp_error *err);

/* Records of all contacts at x with its frames in w; dt: as above. */
void sp_run_contacts(const sp_model *m, const sp_state *x, double dt, sp_work *w);

/* The record of the step of dt that ended at x, from what is in w. */
sp_step_record sp_run_record(const sp_state *x, double dt, bool sampled, const sp_work *w,
                             const sp_run_summary *summary);

#endif
