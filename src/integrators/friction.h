/* integrators/friction.h - contact problems whose coefficients depend on the velocities they lead
 * to.   theory section 16
 *
 *     at rest |P_T| <= mu_0 P_N,    sliding |P_T| = mu(v) P_N,  v the speed of sliding it ends with
 *
 * The problem is solved with coefficients that are guessed, and solved again until they are those
 * of the speeds that come out. */
#ifndef SP_INTEGRATORS_FRICTION_H
#define SP_INTEGRATORS_FRICTION_H

#include "integrators/work.h"

/* A contact of the problem; only those with friction by speed are looked at. */
typedef struct sp_friction {
    double v;             /* in: the speed of sliding that came out, m/s                        */
    double lo, hi;        /* coefficients that were too small, too large; NaN: none known       */
    double mu_old, h_old; /* of the last guess: mu(v) - mu                                      */
    bool by_speed, rests; /* rests: it is asked whether mu_0 holds it                           */
} sp_friction;

/* Guess the coefficients of the contacts in w->con and put them into its sets: mu_0 where x says
 * that a contact sticks, or where w->sol.gamma_A says that it does not slide, else mu at that
 * velocity.  False if none depends on the speed. */
bool sp_friction_begin(const sp_model *m, const sp_state *x, sp_work *w);

/* Judge the guess by w->friction[].v and the impulses P (rows of w->con): true if it was right,
 * else better coefficients are in the sets. */
bool sp_friction_judge(const sp_model *m, const sp_numbers *num, const double *P, sp_work *w);

/* SP_E_NOT_CONVERGED, with the contact that is farthest off. */
sp_status sp_friction_fail(const sp_model *m, const sp_work *w, sp_error *err);

/* Most guesses for one problem. */
enum { SP_FRICTION_PASSES = 80 };

/* Solve the problem of a step, in w->con and w->sol with c for the restitution in con->eps: P and
 * status as sp_work_solve.  Restitution by expression is put in first. */
sp_status sp_friction_solve(const sp_model *m, const sp_state *x, sp_work *w, sp_solution *solution,
                            sp_error *err);

/* Complete the log of the impacts among the events of a step: w->event in the order of their slots,
 * w->hit.  Steps have Newton's law: one phase, nothing remedied.  A gain is that of all contacts of
 * the step. */
void sp_friction_log(const sp_model *m, const sp_state *x, sp_work *w);

#endif
