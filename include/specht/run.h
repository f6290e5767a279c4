/* specht/run.h - run a machine to an end, watch it on the way, and see what may be doubted.
 *
 *     sp_run_options options;
 *     sp_run_options_default(model, &options, &err);      the section 'run' of the model
 *     options.until = 2.0;
 *     options.result = "machine.h5";
 *     sp_run(model, state, work, &options, &observer, &outcome, &err);
 *
 * Threads: the model may be shared; state, work, options, observer and outcome belong to one run.
 */
#ifndef SPECHT_RUN_H
#define SPECHT_RUN_H

#include "specht/spec.h"
#include "specht/step.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- doubts ---------------------------------------------------------------------------------- */

/* Reasons to doubt a run that reached its end. */
typedef enum sp_doubt_kind {
    SP_DOUBT_UNCERTIFIED, /* "uncertified": a residual above 1e-8, or a penetration above 1e-8 of
                             the parts' size (10 tolerances, where that is more); size: the
                             largest                                                              */
    SP_DOUBT_HANDOVER,    /* "handover": the fallback need not have kept the tolerance; size: error
                             over tolerance                                                       */
    SP_DOUBT_PROJECTION,  /* "projection": positions put back; size: its work over the largest
                             energy or work                                                       */
    SP_DOUBT_DIVIDED,     /* "divided": a step was halved, as its contact problem was not solved
                             whole; size: number of parts                                         */
    SP_DOUBT_UNPROVEN,    /* "unproven": no proof that a pair did not touch; size: depth, m       */
    SP_DOUBT_RESTITUTION, /* "restitution": coefficients changed, or energy gained; size: J       */
    SP_DOUBT_TOLERANCE,   /* "tolerance": raised; size: by which factor                           */
    SP_DOUBT_N
} sp_doubt_kind;

/* How often there was a reason, the first and the worst. */
typedef struct sp_doubt {
    long n;         /* times at which there was one, 0: never                   */
    double t;       /* the first, s                                             */
    double last;    /* the last, s                                              */
    double size;    /* the largest; its meaning depends on the kind             */
    char place[64]; /* the first that is known: contact or pair; may be ""      */
} sp_doubt;

/* The word for a kind on the command line and in files, "unknown" for what is none.  Thread-safe.
 */
SP_API const char *sp_doubt_name(sp_doubt_kind kind);

/* ---- options --------------------------------------------------------------------------------- */

typedef struct sp_stiff_driver sp_stiff_driver; /* integrates stiff equations; the program's own */
typedef struct sp_run_progress sp_run_progress; /* where a run stands                            */

/* How a run is made; from sp_run_options_default, then changed.  Texts must outlive the run. */
typedef struct sp_run_options {
    size_t size; /* of this struct, set by sp_run_options_default */
    sp_method method;
    bool chosen;          /* by 'auto'                                                     */
    char why[240];        /* what 'auto' chose it for                                      */
    bool may_step;        /* 'auto': short steps where events come too densely             */
    bool missing;         /* SP_E_INPUT of sp_run_options_default: until or step must be given */
    double until;         /* end, s                                                        */
    double step;          /* s; 0 with methods that choose their steps, as 'auto' may: a step alone
                             selects no method                                             */
    double step_unused;   /* that of the section 'run', if the method takes none, s; 0: none */
    double output_step;   /* time between two frames, s                                    */
    double tolerance;     /* of methods that choose their steps, 1                         */
    double measure_from;  /* where the window of measures and samples begins, s            */
    double *measures;     /* SP_ITEM_MEASURE values of the run, also one that ended early; not a
                             number where there was no window; NULL: not wanted            */
    const char *result;   /* file to write, NULL: none                                     */
    bool checkpoint;      /* keep RESULT.checkpoint beside it, for sp_run_resume           */
    const char *command;  /* kept in the result, NULL: nothing                          */
    const sp_spec *spec;  /* what the model was built from; its files are kept in the result */
    const char *problems; /* folder for contact problems, NULL: none are written             */
    long problems_every;  /* every so manieth of them; 0: those that were hard to solve      */
    const sp_stiff_driver *stiff;  /* of method 'stiff'; NULL: it is refused                  */
    const sp_run_progress *resume; /* set by sp_run_resume; NULL: begin at the state          */
    sp_run_progress *progress;     /* set by sp_run                                           */
} sp_run_options;

/* The options that the model's section 'run' asks for.  SP_E_INPUT where something needed is
 * missing.  Thread-safe. */
SP_API sp_status sp_run_options_default(const sp_model *model, sp_run_options *options,
                                        sp_error *err);

/* What can be known before the first step: whether the model can be run with these options (NULL:
 * not asked), as sp_run finds out, too, and from the state (NULL: not asked) whether prescribed
 * motion runs into stops or masses vanish.  SP_E_INPUT if so; the listener, which may be NULL, also
 * hears warnings, as of runs without end.  Thread-safe. */
SP_API sp_status sp_run_check(const sp_model *model, const sp_state *state,
                              const sp_run_options *options, const sp_listener *listener,
                              sp_error *err);

/* ---- observers ------------------------------------------------------------------------------- */

typedef struct sp_sample sp_sample; /* a moment of a run, for sp_channel_read; of this call only */

/* Who watches a run.  Any function may be NULL.  A status other than SP_OK ends the run with it
 * (SP_E_INTERRUPTED: by wish), and what was computed is kept.  The state is that of the moment. */
typedef struct sp_run_observer {
    size_t size; /* sizeof(sp_run_observer) */
    void *ctx;   /* handed to all of them   */
    /* Every output_step, and at the start and the end. */
    sp_status (*frame)(void *ctx, const sp_sample *sample, sp_error *err);
    /* Everything that happens to contacts, in the order of time. */
    sp_status (*event)(void *ctx, const sp_event_info *event, sp_error *err);
    /* Every step, for progress bars; it should be quick. */
    sp_status (*step)(void *ctx, double t, long steps, long events, sp_error *err);
    /* What the model's section 'sample' keeps, at its times: SP_ITEM_SAMPLE values. */
    sp_status (*sample)(void *ctx, double t, int n, const double *value, sp_error *err);
} sp_run_observer;

/* ---- running --------------------------------------------------------------------------------- */

typedef enum sp_run_status {
    SP_RUN_CLEAN,       /* "clean": at its end, nothing to doubt                    */
    SP_RUN_DOUBTFUL,    /* "doubtful": at its end, see the doubts                   */
    SP_RUN_INTERRUPTED, /* "interrupted": by sp_run_stop or an observer             */
    SP_RUN_FAILED       /* "failed": the message says why, t how far it came        */
} sp_run_status;

/* Something to know that is no reason to doubt. */
typedef struct sp_note {
    long n;   /* how often, 0: never */
    double t; /* first, s            */
    char place[64];
} sp_note;

/* How a run went, also one that ended early.  Energies and works in J since the start. */
typedef struct sp_run_outcome {
    sp_run_status status;
    const char *word;  /* for it: "clean", "doubtful", "interrupted", "failed"              */
    bool began;        /* false: it failed before the first step, and no file was made   */
    char message[512]; /* why it failed, "" if it did not                                */
    double t;          /* how far it came, s                                             */
    bool resumed;      /* counts and energies are those since the start of the first part */
    double t_0;        /* where it began or was resumed, s                               */
    double seconds;    /* of wall clock in the steps                                     */
    long steps, events, solves; /* solves: contact problems                                       */
    double complementarity, cone, dissipation, momentum; /* the worst residuals                   */
    double penetration;                                  /* deepest, m                            */
    sp_note worst; /* when and where, if they are not certified                              */
    double initial, kinetic, potential; /* energies at the start and now                          */
    double dampers, applied, driven, friction, impacts, projection, discretisation; /* works      */
    double largest; /* energy on the way                                                        */
    double worst_contact_work; /* of all contacts in one step: above 0 they gave energy */
    double balance; /* what does not close now                                                 */
    double closure; /* worst balance error of the ledger, over the largest energy or work, 1    */
    sp_doubt doubt[SP_DOUBT_N];
    sp_note choice;       /* one of several motions was taken                                  */
    sp_note accumulation; /* infinitely many impacts were passed                               */
    sp_note met;          /* steps that were divided so as not to carry a part through another */
    sp_note handover;     /* short steps where events make no progress                         */
    long changes;         /* of contacts that were solved as events                            */
    sp_note not_unique;   /* of these: one motion found, others not excluded                   */
    long implicit;        /* steps that were implicit                                           */
    double unresolved;    /* largest frequency times step that they damp, 0: none               */
    sp_note steep;        /* a force that has no slope there, so that it was taken explicitly   */
    sp_note bad_output;   /* an output that was no finite number                               */
    sp_note strained, pressed; /* elastic beams, in frames: where strains were largest, and loads
                                * along the axis against that of buckling                     */
    double strain, buckling;   /* these, 1                                                    */
    sp_note fast;              /* explicit steps: the elastic body of the highest frequency   */
    double fastest;            /* that times the step, 1: above 1 they do not resolve it      */
    long problems_seen, problems_wanted, problems_written; /* with options.problems             */
    char problems_reason[256]; /* why the first of the others was not written                  */
} sp_run_outcome;

/* Run state to options->until.  SP_OK if it got there, doubtful or not; else why not, and the state
 * is that before the step that failed.  observer, outcome and err may be NULL. */
SP_API sp_status sp_run(const sp_model *model, sp_state *state, sp_work *work,
                        const sp_run_options *options, const sp_run_observer *observer,
                        sp_run_outcome *outcome, sp_error *err);

/* Make state and options ready to go on, to the bit, where the checkpoint of `result` was written;
 * options->result must then name another file.  SP_E_IO or SP_E_INPUT with the reason, such as a
 * model or settings that are not as they were.  What it remembers lives as long as work. */
SP_API sp_status sp_run_resume(const sp_model *model, sp_state *state, sp_work *work,
                               const char *result, sp_run_options *options, sp_error *err);

/* End the run that uses work after its present step.  From any thread or signal handler; a wish
 * that comes while no run goes on ends the next one at once. */
SP_API void sp_run_stop(sp_work *work);

/* The outcome in a few lines for people, cut off at size - 1 bytes.  Returns the bytes it takes in
 * all without the zero, as snprintf does.  Thread-safe. */
SP_API int sp_run_summary_text(const sp_run_outcome *outcome, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
