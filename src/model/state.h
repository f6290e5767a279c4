/* model/state.h - t, q, u and the memory of the contacts: all a restart needs. */
#ifndef SP_MODEL_STATE_H
#define SP_MODEL_STATE_H

#include "model/model.h"
#include "specht/state.h"

/* What a contact remembers from step to step.  Zeroes mean: open, never touched. */
typedef struct sp_contact_memory {
    double P_N, P_T;       /* percussions of the last step, N s                                   */
    double reach;          /* how far it may hop and still be told to rest, m                     */
    double lift;           /* how far the last correction lifted it out of penetration, m         */
    double t_cross;        /* when the gap passed zero, if 'crossed', s                           */
    int hint;              /* edge of side b that it is over, plus 1; 0: none                     */
    unsigned char status;  /* of the inclusion problem (solvers/problem.h), the next step's guess */
    unsigned char state;   /* sp_contact_state as told to the user                                */
    unsigned char active;  /* it was in the problem of the last step                              */
    unsigned char crossed; /* the gap passed zero in the last step, after its middle             */
} sp_contact_memory;

/* One contact at the end of a step. */
typedef struct sp_contact_record {
    double g_N, gamma_N, gamma_T; /* m, m/s at the end of the step                                */
    double P_N, P_T;              /* percussion over the step, N s                                */
    double lambda_N, lambda_T;    /* mean force P/dt where the contact lasts, 0 at an impact, N   */
    double point[3], force[3];    /* on side a, world axes: place, m; mean force as above, N      */
    unsigned char state;          /* sp_contact_state                                             */
} sp_contact_record;

/* Energies since the start, J.  kinetic + potential = initial + work of everything below; what is
 * left over is the balance error, which only round-off may fill.   theory (8.1) */
typedef struct sp_ledger {
    double kinetic;        /* now: sum of 1/2 m v^2 + 1/2 J omega^2 over the bodies             */
    double quadratic;      /* now: 1/2 u' M u with the mass matrix, the same by another way     */
    double potential;      /* now: gravity and springs                                          */
    double initial;        /* kinetic + potential at the start                                  */
    double dampers;        /* work of dampers, <= 0                                             */
    double applied;        /* work of applied forces, drives and springs by expression          */
    double friction;       /* tangential work of lasting contacts, <= 0                         */
    double impacts;        /* work of impacts, and normal work of lasting contacts              */
    double driven;         /* work of prescribed motion and of bilateral rows                   */
    double projection;     /* change by moving bodies out of penetration                        */
    double discretisation; /* error of the time step, from its own formula, theory (8.3)        */
    double balance;        /* what does not close: the check                                    */
    double scale;          /* largest energy that took part so far                              */
    double worst_balance;  /* largest |balance| / scale: of a step; of smooth motion since start */
    double worst_work;     /* largest work of all contacts in one step: above 0 they gave energy */
} sp_ledger;

struct sp_state {
    double t;
    double *q, *u;              /* n_q, n_dof                          */
    double *z;                  /* n_aux: states of force elements     */
    double *g;                  /* n_slot: gaps now, m                 */
    sp_contact_memory *contact; /* n_slot, then n_bond                 */
    int n_touched;              /* contacts whose memory is not empty  */
    const sp_numbers *numbers;  /* of the model, or of a variant of it */
    long step;                  /* steps done since the start          */
    sp_ledger ledger;           /* energies now are valid if 'fresh'   */
    int n_impact;               /* impacts so far, for their ids       */
    bool fresh;                 /* gaps and energies belong to t, q, u */
    sp_arena arena;             /* owns the arrays                     */
};

#endif
