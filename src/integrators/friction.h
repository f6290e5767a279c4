/* integrators/friction.h - contact problems whose coefficients depend on the velocities they lead
 * to.   theory section 16
 *
 *     at rest |P_T| <= mu_0 P_N,    sliding |P_T| = mu(v) P_N,  v the speed of sliding it ends with
 *
 * The problem is solved with coefficients that are guessed, and solved again until they are those
 * of the speeds that come out.  Where no coefficient leads to a speed between two of them, the
 * speed is guessed instead.   theory (50.1), (50.2) */
#ifndef SP_INTEGRATORS_FRICTION_H
#define SP_INTEGRATORS_FRICTION_H

#include "integrators/step_rule.h"

/* What is known of an unknown x whose h(x) > 0 says that it is too small. */
typedef struct sp_guesses {
    double lo, hi;       /* too small, too large; NaN: none known */
    double x_old, h_old; /* of the last guess; NaN: none          */
} sp_guesses;

/* A contact of the problem; only those with friction by speed are looked at. */
typedef struct sp_friction {
    double v;             /* in: the speed of sliding that came out, m/s                        */
    double xi;            /* in, in the plane: the same with its sign                           */
    sp_guesses mu;        /* of the coefficient, h = mu(v) - mu                                 */
    double xi_lo, xi_hi;  /* velocities that mu.lo and mu.hi led to                             */
    double off;           /* of the last solution: what mu(v) was off by, 0: it was right       */
    double slip;          /* the velocity that is guessed, m/s; 0: the coefficient is           */
    sp_guesses speed;     /* of |slip|, h = |P_T|/P_N - mu(|slip|)                              */
    double mu_last, h;    /* of the coefficient, when slip became the unknown                   */
    int asked;            /* how often it has                                                   */
    bool by_speed, rests; /* rests: it is asked whether mu_0 holds it                           */
    bool exact;           /* planar, by pivots: its status tells slip from rest to round-off     */
} sp_friction;

/* Guess the coefficients of the contacts in w->con and put them into its sets: mu_0 where x says
 * that a contact sticks, or where w->sol.gamma_A says that it does not slide, else mu at that
 * velocity.  False if none depends on the speed. */
bool sp_friction_begin(const sp_model *m, const sp_state *x, sp_work *w);

/* Judge the guess by w->friction[].v and the impulses P (rows of w->con): true if it was right,
 * else better coefficients are in the sets. */
bool sp_friction_judge(const sp_model *m, const sp_numbers *num, const double *P, sp_work *w);

/* The same of a planar problem that may be posed with slip: true only then are slips asked for.
 * The caller has c_T less friction[].slip in the next problem, and xi is that of c.
 * theory (50.2) */
bool sp_friction_judge_slip(const sp_model *m, const sp_numbers *num, const double *P, sp_work *w);

/* Behind a right guess: coefficients and status of the contacts whose slip was asked for. */
void sp_friction_settle(const double *P, unsigned char *status, sp_work *w);

/* SP_E_NOT_CONVERGED, with the contact that is farthest off. */
sp_status sp_friction_fail(const sp_model *m, const sp_work *w, sp_error *err);

/* Most guesses for one problem. */
enum { SP_FRICTION_PASSES = 80 };

/* Solve the problem of a step, in w->con and w->sol with c for the restitution in con->eps: P and
 * status as sp_work_solve.  Restitution by expression is put in first. */
sp_status sp_friction_solve(const sp_model *m, const sp_state *x, const sp_step_rule *rule,
                            sp_work *w, sp_solution *solution, sp_error *err);

/* Complete the log of the impacts among the events of a step: w->event in the order of their slots,
 * w->hit.  Steps have Newton's law: one phase, nothing remedied.  A gain is that of all contacts of
 * the step. */
void sp_friction_log(const sp_model *m, const sp_state *x, const sp_step_rule *rule, sp_work *w);

#endif
