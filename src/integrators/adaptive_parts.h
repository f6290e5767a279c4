/* integrators/adaptive_parts.h - what the files of the adaptive method share: adaptive.c (the step
 * and its control), adaptive_trial.c (sequences and what changes in them), adaptive_end.c (the
 * extrapolated end), adaptive_dip.c (gaps that close and open again), adaptive_brink.c (friction at
 * rest that lets go), adaptive_plain.c (steps in which contacts change), adaptive_jam.c (jumps
 * without a collision in these).
 * theory (17.10)-(17.15), section 60 */
#ifndef SP_INTEGRATORS_ADAPTIVE_PARTS_H
#define SP_INTEGRATORS_ADAPTIVE_PARTS_H

#include "integrators/moreau.h"
#include "integrators/moreau_parts.h"
#include "integrators/stepper.h"

/* Weights of the ends with 1, 2 and 3 steps, and of the error that is estimated.  theory (17.11) */
typedef struct sp_extrapolation {
    double end[SP_ROWS_EXTRAPOLATED], error[SP_ROWS_EXTRAPOLATED];
    double exponent; /* one over the order of the local error */
} sp_extrapolation;

#define SP_RESOLVED                                                                                \
    1e-8              /* of the time in which coordinates change by their size: in shorter steps   \
                       * round-off hides what forces change */
#define SP_PROBE 0.01 /* of a step: how far its contacts have to last beyond its end */

/* How a trial ended. */
typedef enum sp_trial { SP_TRIAL_GOOD, SP_TRIAL_CHANGES, SP_TRIAL_FAILS } sp_trial;

/* What percussions of x are multiplied by to be those of a step of dt. */
static inline double sp_trial_factor(const sp_state *x, double dt)
{
    return x->control.dt_last > 0.0 ? dt / x->control.dt_last : 1.0;
}

/* y <- x, with percussions times a factor; y has room of its own. */
void sp_trial_copy(const sp_model *m, const sp_state *x, double factor, sp_state *y);

/* Contacts that are loaded take part in the next step wherever they are.  What slides is decided
 * anew: in a short step the forces are so small that a guess of the wrong sense would pass. */
void sp_trial_hold(const sp_model *m, sp_state *y);

/* Steps of sequence j: 1, 2 and 3; where rows hold twice as many, since what they are off by
 * changes its sign with every step.   theory (17.11) */
int sp_trial_steps(const sp_model *m, const sp_state *x, int j);

/* All sequences over dt; their ends are kept in s, the worst certificate in *worst. */
sp_trial sp_trial_run(const sp_model *m, const sp_state *x, double dt, sp_work *w, sp_stepper *s,
                      sp_certificate *worst, sp_error *err);

/* Whether the contacts of y, at q and u, do in the next step of part what they did; the percussions
 * of y times factor are those of such a step.  A change behind the last middle is seen so.
 * theory (17.12) */
bool sp_trial_lasts(const sp_model *m, const sp_state *y, const double *q, const double *u,
                    double part, double factor, sp_work *w, sp_stepper *s);

/* sum_j weight_j end_j[k] */
static inline double sp_trial_weigh(const double *weight, double *const *end, int k)
{
    return weight[0] * end[0][k] + weight[1] * end[1][k] + weight[2] * end[2][k];
}

/* The weights that suit the model. */
const sp_extrapolation *sp_trial_weights(const sp_stepper *s);

/* The largest of |sum_j weight_j end_j| over the size of its coordinate; NaN stays. */
double sp_trial_error(const sp_model *m, const sp_control *c, const double *weight,
                      const sp_stepper *s);

/* The extrapolated end of the sequences, in w; false if a contact changes on the way to it: a gap
 * that no sequence reached is passed, or what slides has turned round. */
bool sp_trial_extrapolate(const sp_model *m, const sp_state *x, const sp_extrapolation *e,
                          double dt, const sp_stepper *s, sp_work *w);

/* Whether the contacts last beyond the extrapolated end, which is in w and comes back there, and no
 * gap has dipped below zero on the way. */
bool sp_trial_ends_well(const sp_model *m, const sp_state *x, const sp_extrapolation *e, double dt,
                        sp_stepper *s, sp_work *w);

/* Energies and gaps at w->q, u_E of the time w->t_E. */
void sp_trial_look(const sp_model *m, const sp_state *x, double dt, sp_work *w);

/* Whether a gap that is open at x and at the end of the step, which is in w, closes in between;
 * y: what contacts remember of the end.  moved: w is at x then.   theory (34.1)-(34.3) */
bool sp_trial_dips(const sp_model *m, const sp_state *x, const sp_state *y, double dt, sp_work *w,
                   sp_stepper *s, bool *moved);

/* x <- the extrapolated end, which is in w.  The contacts remember the finest sequence. */
sp_status sp_trial_accept(const sp_model *m, const sp_extrapolation *e, double dt,
                          const sp_certificate *worst, sp_work *w, sp_stepper *s, sp_state *x,
                          sp_error *err);

/* Closed contacts that are loaded at g = 0 and gamma_N = 0, what sticks at gamma_T = 0, bilateral
 * rows at zero: the smallest change of w->q and w->u_E, in which frames, gaps and energies are and
 * stay.  contact: what the contacts do there.   theory (17.15) */
sp_status sp_trial_settle(const sp_model *m, const sp_state *x, const sp_contact_memory *contact,
                          double dt, sp_work *w, sp_stepper *s, sp_error *err);

/* The same of y, whose end is in w, with its ledger. */
sp_status sp_trial_settle_state(const sp_model *m, double dt, sp_work *w, sp_stepper *s,
                                sp_state *y, sp_error *err);

/* How the brink is looked for: steps of least to most, s, whose errors are within the tolerance,
 * and whose end is near it, s. */
typedef struct sp_brink {
    double least, most, tolerance, near;
} sp_brink;

/* The contacts at rest at x whose friction jumps where it lets go. */
void sp_brink_begin(const sp_model *m, const sp_state *x, sp_stepper *s);

/* Keep what they bear in a part of sequence j, which ends at y. */
void sp_brink_note(int j, int part, const sp_state *y, sp_stepper *s);

/* How far behind the end of the trial of dt, whose sequences are in s, the first of them lets go,
 * s; infinity: not as near as another dt.   theory (60.4) */
double sp_brink_near(const sp_model *m, const sp_state *x, const sp_extrapolation *e, double dt,
                     const sp_stepper *s);

/* From such a trial of *dt to one that ends where the first of them lets go: then true, with its
 * length in *dt and its end in w; else nothing is left of the trial.   theory (60.5) */
bool sp_brink_reach(const sp_model *m, const sp_state *x, const sp_extrapolation *e,
                    const sp_brink *b, sp_work *w, sp_stepper *s, double *dt,
                    sp_certificate *worst);

/* x is at the end of that trial: those that let go there slide from now on, with events. */
void sp_brink_release(const sp_model *m, const sp_extrapolation *e, double dt, double near,
                      sp_work *w, sp_stepper *s, sp_state *x);

/* A step of moreau-mean over dt in which contacts may change, into s->y, with its events and
 * certificate in w; *error: its distance from two steps over the same time, over the tolerance.
 * shortest: shorter ones bring nothing.   theory (17.14), (31.5) */
sp_status sp_plain_step(const sp_model *m, const sp_state *x, double dt, double tolerance,
                        bool shortest, sp_work *w, sp_stepper *s, double *error, sp_error *err);

/* A contact that slid and has a percussion in a step without any collision that is more than forces
 * are wont to make; slot SP_NONE: there is none. */
typedef struct sp_jam {
    int slot;
    double P_N;   /* N s                                                              */
    double least; /* velocity that such a percussion makes at its contact at least, m/s */
} sp_jam;

/* The most suspicious one of the plain step that is in w. */
sp_jam sp_jam_suspect(double tolerance, const sp_work *w, const sp_stepper *s);

/* Whether its percussion is the same in a much shorter or longer step from x: a jam, which no force
 * explains.  Nothing is left of what is in w.   theory (63.1) */
bool sp_jam_stays(const sp_model *m, const sp_state *x, double dt, const sp_jam *jam, sp_work *w,
                  sp_stepper *s);

/* x <- s->y. */
void sp_plain_accept(const sp_model *m, double dt, const sp_stepper *s, sp_state *x);

#endif
