/* cli/progress.h - how far a run is, on a terminal; and the wish of the user to end it. */
#ifndef SP_CLI_PROGRESS_H
#define SP_CLI_PROGRESS_H

#include "specht/run.h"

typedef struct sp_progress {
    bool shown, utf8, colour;
    double t_0, until;   /* s of the run                                      */
    double begun, drawn; /* s of the clock                                    */
    char label[80];      /* which of several runs it is, "" */
    long next;           /* the step at which the clock is looked at again */
} sp_progress;

/* shown: draw a bar on stderr, if that is a terminal. */
void sp_progress_begin(sp_progress *p, bool shown, double t_0, double until);

/* sp_run_observer.step with ctx = a sp_progress: draws the bar, and ends the run if the user wishes
 * so (sp_interrupt_catch). */
sp_status sp_progress_step(void *ctx, double t, long steps, long events, sp_error *err);

/* Take the bar away. */
void sp_progress_end(sp_progress *p);

/* From here on SIGINT and SIGTERM end the run (SP_E_INTERRUPTED) instead of the
 * program; a second one ends the program.  What was ignored before stays ignored.
 * work: of the run, NULL: only what asks sp_progress_step ends. */
void sp_interrupt_catch(sp_work *work);

#endif
