/* run/parts.h - what the files of runs share: run.c (from event to event, and without), steps.c (by
 * steps), report.c (records for observers), beams.c (what elastic bodies bear). */
#ifndef SP_RUN_PARTS_H
#define SP_RUN_PARTS_H

#include "integrators/event.h"
#include "run/run.h"

/* A run under way. */
typedef struct sp_active_run {
    const sp_model *m;
    sp_state *x;
    sp_work *w;
    const sp_run_options *options;
    const sp_observer *observer;
    int n_observer;
    sp_run_summary *summary;
    sp_events *events;               /* of the event-driven method, else NULL */
    sp_smooth *smooth;               /* of that and of smooth methods, else NULL */
    struct sp_swept *swept;          /* of steps of equal length, NULL: no pair has to be swept */
    const struct sp_step_rule *rule; /* of these; in parts where they are not solved whole ... */
    bool divides;                    /* ... if so                           */
    double t_0;                      /* where it began                      */
    double frame;                    /* the next frame to record, 1, 2, ... */
    double reported;                 /* the last time that was reported     */
    sp_stretch stretch;              /* the last that was reported; go NULL */
    bool spans;                      /* somebody wants them                 */
    bool each_step;                  /* somebody wants every step, not frames and events alone */
    long done;                       /* steps of equal length               */
    unsigned char *memory;           /* for resuming, NULL: nobody asks */
    sp_step_record record;           /* the last that was reported; q NULL */
    bool inside;                     /* somebody had x inside of the step that was just taken */
    bool aside; /* what follows is not the motion that a longer run would have */
} sp_active_run;

/* The error of a failed step, with its time. */
sp_status sp_run_fail(const sp_active_run *j, sp_status status, sp_error *err);

/* Say where the run stands. */
void sp_run_note_progress(const sp_active_run *j, const unsigned char *memory, size_t n);

/* Report x, dt after what was reported last. */
sp_status sp_run_report_step(sp_active_run *j, double dt, bool sampled, sp_error *err);

/* Count a step that was taken. */
void sp_run_count_step(const sp_active_run *j);

/* Whether x has come to t, but for a switch of time between the two.   theory (64.7) */
bool sp_run_is_at(const sp_active_run *j, double t);

/* Room for a state; with methods that have memory of their own for that too, if somebody may resume
 * them.  The room stays with the work: the next run has it again, what is in it included, which may
 * be what that run is taken up from. */
sp_status sp_run_room(sp_active_run *j, size_t n_method, sp_error *err);

/* ---- beams.c --------------------------------------------------------------------------------- */

/* Whether there are elastic beams; whether they are watched in the next frame; the largest
 * frequency of all elastic bodies times an explicit step; what beams have in a frame, loads NULL:
 * not known. */
bool sp_run_has_beams(const sp_model *m);
bool sp_run_watches(sp_run_summary *s);
void sp_run_watch_frequencies(const sp_model *m, double dt, sp_run_summary *s);
void sp_run_watch_beams(const sp_model *m, const sp_state *x, const sp_kin *kin,
                        const sp_loads *loads, sp_run_summary *s);

/* ---- steps.c --------------------------------------------------------------------------------- */

/* n steps of equal length; frames are the steps that first reach their time.  A run that is taken
 * up between parts of a step first takes the rest of it. */
sp_status sp_run_by_steps(sp_active_run *j, long n, sp_error *err);

/* Steps as long as the tolerance allows; they end at the frames. */
sp_status sp_run_adaptively(sp_active_run *j, sp_error *err);

/* ---- report.c -------------------------------------------------------------------------------- */

/* Show all n observers the step of dt that ended at x; sampled: with a frame. */
sp_status sp_run_report(sp_active_run *j, double dt, bool sampled, sp_error *err);

/* The force element that gave what is not finite, behind where x is, into err; false if none did.
 */
bool sp_run_blame_force(const sp_model *m, const sp_state *x, const sp_bad_force *bad,
                        sp_error *err);

/* SP_E_NOT_CONVERGED if a step from event to event moved positions by more than its own error, as
 * where the place of a closed contact jumps.   decision 144 */
sp_status sp_run_check_moved(const sp_ledger *before, const sp_ledger *after, double floor,
                             sp_error *err);

/* The deepest overlap of all pairs at x, for the summary.   theory (66.25) */
sp_status sp_run_note_overlap(const sp_active_run *j, sp_error *err);

/* Keep the worst certificate, and when it was; doubt one that does not hold. */
void sp_run_note_certificate(const sp_active_run *j);

/* Of the largest energy: what impacts gain above this is no round-off. */
#define SP_RUN_GAINED SP_AT_REST

/* At the end: doubt a run in which the correction of positions did a noticeable part of all work,
 * apart from the gaps of the start that were opened.   docs/decisions.md, 86 */
void sp_run_doubt_projection(const sp_state *x, sp_run_summary *s);

/* The energy of a start whose gaps were opened, which is in the ledger of every run from there; and
 * its event, in front of all others, once. */
void sp_run_note_opening(sp_state *x, sp_work *w, sp_run_summary *summary);

/* Of a step: what remains of a run below it is round-off and no step. */
#define SP_OF_STEP 1e-6

/* Steps to 'until': at least one.
 * Refuses a step that the clock cannot resolve and numbers of steps that nobody will see the end
 * of. */
sp_status sp_run_count_steps(double t_0, const sp_run_options *o, long *n, sp_error *err);

#endif
