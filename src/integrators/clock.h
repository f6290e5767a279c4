/* integrators/clock.h - terms of time alone (sp_clock): when they switch, and whether a step sees
 * what they do.
 *
 * A switch lies between two neighbouring times, *left* and *right*.  Steps end at the left one, and
 * the next begins at the right one, so that forces and prescribed velocities are their limits from
 * either side without a rule of their own.   theory (64.4)-(64.9) */
#ifndef SP_INTEGRATORS_CLOCK_H
#define SP_INTEGRATORS_CLOCK_H

#include "integrators/work.h"

typedef struct sp_switch {
    double left, right; /* s; infinite: there is none */
} sp_switch;

/* The clocks of a run; lies in the work (w->clocks). */
typedef struct sp_clocks {
    const sp_model *m;
    double t_0, until;
    double stop;       /* no force is asked for later than this: the left side of the next switch */
    sp_switch next;    /* the first one behind ...                                          */
    double next_from;  /* ... this time                                                     */
    sp_switch *cached; /* n_clock: the same of each clock                                   */
    double *from;      /* n_clock                                                           */
    double *size;      /* n_clock: the largest value in the run                             */
    double *mean;      /* n_clock: sp_signal_source.mean                                    */
    void *work;
} sp_clocks;

/* Make w->clocks for a run to `until`; NULL if the model has no such terms.  SP_E_INPUT where a
 * prescribed coordinate jumps. */
sp_status sp_clocks_begin(const sp_model *m, sp_work *w, double t_0, double until, sp_error *err);

/* The next switch at or behind t; switches that round-off alone parts are one.  c may be NULL. */
sp_switch sp_clocks_next(sp_clocks *c, double t);

/* Go from the left side of a switch, where x is, to its right one: prescribed velocities jump, and
 * what hangs on them follows by impulses of the joints.   theory (64.8) */
sp_status sp_clocks_cross(const sp_model *m, sp_state *x, sp_work *w, double right, sp_error *err);

/* Whether n times of a step, rising, see what all clocks do between the first and the last of them.
 * theory (64.9) */
bool sp_clocks_seen(sp_clocks *c, int n, const double *t);

/* Whether terms of forces may take part by their means over a step (c->mean). */
typedef enum sp_clock_means {
    SP_MEANS_NONE,
    SP_MEANS_NARROW, /* where the ends and the middle do not show them: for steps of high order */
    SP_MEANS_SUM     /* also where one value per step would add up to another impulse           */
} sp_clock_means;

/* How much of a step from t, dt or a part by halves, is to be taken at once, so that its ends and
 * its middle show what clocks do.   theory (64.10) */
double sp_clocks_part(sp_clocks *c, double t, double dt, sp_clock_means means);

/* Whether clocks are nearly straight lines between the quarters of a step, at which the forces of
 * closed contacts are looked at.   theory (64.11) */
bool sp_clocks_shown(const sp_clocks *c, double t, double dt);

/* Where steps from t towards t_stop, whatever their length, are to end: at the next switch, and no
 * later than samples show what clocks do.  c may be NULL. */
double sp_clocks_end(sp_clocks *c, double t, double t_stop);

#endif
