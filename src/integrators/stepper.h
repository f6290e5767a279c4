/* integrators/stepper.h - time stepping beyond Moreau's scheme: theta, Runge-Kutta, adaptive steps.
 *
 * All of them solve contact problems of the same form (theory (7.4), (7.5)) and end a step in the
 * same way (sp_step_end), so that ledger, certificate, events and the correction of positions mean
 * the same everywhere.   theory section 17 */
#ifndef SP_INTEGRATORS_STEPPER_H
#define SP_INTEGRATORS_STEPPER_H

#include "integrators/step_rule.h"

/* Scratch of these methods; lies in the work, made when it is first asked for. */
typedef struct sp_stepper {
    double *q, *u, *z;                         /* a stage                                     */
    double *q_rate[SP_STAGES], *du[SP_STAGES]; /* of each stage; du: u' dt                    */
    double *z_rate[SP_STAGES], *P[SP_STAGES];  /* P: by rows                                  */
    double *gamma_A, *ahead;                   /* by rows                                     */
    sp_state coarse, fine, probe; /* adaptive trials: one step, two of half, one behind them   */
    struct sp_swept *swept;       /* of the model's pairs, NULL: none can be gone through        */
    double *g_half;               /* n_slot: gaps between the two                              */
    sp_kink *side[2];             /* n_kink: at the beginning of a trial, and in it            */
    unsigned char *kind;          /* n_dof: by unit                              */
    bool is_angle[SP_CONTROL_KINDS];
    double extent;    /* longest arm of the machine, m, or 1                               */
    bool first_order; /* the error of a step has all powers of its length                  */
} sp_stepper;

/* The scratch of w.  SP_E_MEMORY if there is no room. */
sp_status sp_stepper_of(const sp_model *m, sp_work *w, sp_stepper **s, sp_error *err);

/* A step by a rule; gaps and energies of x must be there
 * (sp_step_refresh).  x is written on success only, but for contacts that go on in the slot behind
 * a seam (sp_step_pass_seams): that holds of x as it is, whatever becomes of the step. */
sp_status sp_step_take(const sp_model *m, sp_state *x, sp_work *w, const sp_step_rule *rule,
                       double dt, sp_error *err);

/* The theta method with the model's theta.   theory (17.1)-(17.3) */
sp_status sp_theta_step(const sp_model *m, sp_state *x, sp_work *w, const sp_step_rule *rule,
                        double dt, sp_error *err);

/* Largest restitution coefficient that theta suits: 1/2 <= theta <= 1/(1 + eps).  theory (17.4) */
double sp_theta_eps_max(double theta);

/* Runge-Kutta time stepping; steps in which a contact is hit, or one that slid comes to rest, are
 * those of rule->otherwise.   theory (17.5)-(17.9) */
sp_status sp_rk_step(const sp_model *m, sp_state *x, sp_work *w, const sp_step_rule *rule,
                     double dt, sp_error *err);

#endif
