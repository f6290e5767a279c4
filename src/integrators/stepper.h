/* integrators/stepper.h - time stepping beyond Moreau's scheme: theta, Runge-Kutta, adaptive steps.
 *
 * All of them solve contact problems of the same form (theory (7.4), (7.5)) and end a step in the
 * same way (sp_step_end), so that ledger, certificate, events and the correction of positions mean
 * the same everywhere.   theory section 17 */
#ifndef SP_INTEGRATORS_STEPPER_H
#define SP_INTEGRATORS_STEPPER_H

#include "integrators/work.h"

enum { SP_STAGES = 4, SP_ROWS_EXTRAPOLATED = 3 };

/* Of what a contact bears, by sequence, pair of parts and direction. */
enum { SP_BRINK_NUMBERS = SP_ROWS_EXTRAPOLATED * 3 * 3 };

/* Scratch of these methods; lies in the work, made when it is first asked for. */
typedef struct sp_stepper {
    double *q, *u, *z;                         /* a stage                                     */
    double *q_rate[SP_STAGES], *du[SP_STAGES]; /* of each stage; du: u' dt                    */
    double *z_rate[SP_STAGES], *P[SP_STAGES];  /* P: by rows                                  */
    double *gamma_A, *ahead;                   /* by rows                                     */
    sp_state y;                                /* a trial of the adaptive method              */
    sp_state probe;                            /* a look beyond its end */
    unsigned char *kind;                       /* n_dof: by unit                              */
    bool is_angle[SP_CONTROL_KINDS];
    double extent; /* longest arm of the machine, m, or 1 */
    double *q_end[SP_ROWS_EXTRAPOLATED], *u_end[SP_ROWS_EXTRAPOLATED]; /* ends of its sequences   */
    double *z_end[SP_ROWS_EXTRAPOLATED], *book_end[SP_ROWS_EXTRAPOLATED];
    sp_ledger ledger[SP_ROWS_EXTRAPOLATED];
    bool first_order;     /* its error has all powers of the step                             */
    bool turns;           /* its last step struck contacts by turns, without end             */
    double length, speed; /* what lengths and speeds of contacts are compared with, m, m/s */
    int n_pick, *pick;    /* rows that hold at the end of a step                             */
    double *top;          /* by rows                                                         */
    double *rise, *g_E;   /* n_slot: rates times the step and gaps at its end              */
    int n_brink, *brink;  /* slots whose friction at rest may let go with a jump             */
    double *pair;         /* what they bear in the sequences, adaptive_brink.c               */
    double *spare;        /* n_slot x 2: what the first half of a plain step has to spare    */
    unsigned char *bound; /* n_slot: not 0: those that rest whatever they bear               */
} sp_stepper;

/* The scratch of w.  SP_E_MEMORY if there is no room. */
sp_status sp_stepper_of(const sp_model *m, sp_work *w, sp_stepper **s, sp_error *err);

/* The longest arm of the machine, m, or 1. */
double sp_stepper_arm(const sp_model *m);

/* A step of a method with a given step (sp_method_has_step); gaps and energies of x must be there
 * (sp_step_refresh).  x is written on success only, but for contacts that go on in the slot behind
 * a seam (sp_step_hand_on): that holds of x as it is, whatever becomes of the step. */
sp_status sp_step_take(const sp_model *m, sp_state *x, sp_work *w, sp_method method, double dt,
                       sp_error *err);

/* The theta method with the model's theta.   theory (17.1)-(17.3) */
sp_status sp_theta_step(const sp_model *m, sp_state *x, sp_work *w, double dt, sp_error *err);

/* Largest restitution coefficient that theta suits: 1/2 <= theta <= 1/(1 + eps).  theory (17.4) */
double sp_theta_eps_max(double theta);

/* Runge-Kutta time stepping with 2 or 4 stages; steps in which a contact is hit are those of
 * moreau-mean.   theory (17.5)-(17.9) */
sp_status sp_rk_step(const sp_model *m, sp_state *x, sp_work *w, int stages, double dt,
                     sp_error *err);

/* One accepted step of the adaptive method, not past t_stop; its length in *dt.  What the step
 * control remembers is in x.   theory (17.10)-(17.15) */
sp_status sp_adaptive_step(const sp_model *m, sp_state *x, sp_work *w, double tolerance,
                           double t_stop, double *dt, sp_error *err);

/* How many changes may come without a pause before less is asked for: intervals that shrink by a
 * hundredth with every change are below the tolerance then.   theory (31.2) */
double sp_adaptive_budget(double tolerance);

/* What an event costs against one of a machine with few contacts.   theory (47.1) */
double sp_adaptive_weight(const sp_model *m);

/* With how many changes in the time in which coordinates change by their size adaptive steps are
 * cheaper than going from event to event.   theory (47.1) */
double sp_adaptive_pays(const sp_model *m);

#endif
