/* model/state.h - t, q, u and the memory of the contacts: all a restart needs. */
#ifndef SP_MODEL_STATE_H
#define SP_MODEL_STATE_H

#include "model/model.h"
#include "model/spec.h"
#include "specht/state.h"

#include <stdint.h>

/* What a contact remembers from step to step.  Zeroes mean: open, never touched. */
typedef struct sp_contact_memory {
    double P_N, P_T; /* percussions of the last step, N s; in space P_T is along t1         */
    double P_T2;     /* in space: along t2                                                  */
    double P_S[3];   /* in space: of the rows of drilling and rolling, as the law has them  */
    double reach;    /* largest hop that still counts as rest, m                     */
    double lift;     /* how far the last correction lifted it out of penetration, m         */
    double t_cross;  /* when the gap passed zero, if 'crossed', s                           */
    uint64_t key;    /* slot of a pool: the pair it is assigned to (contact/pool3.h), 0: free   */
    int hint;        /* edge of side b that it is over, plus 1; 0: none                     */
    unsigned char status;  /* of the inclusion problem (solvers/problem.h), the next step's guess */
    unsigned char state;   /* sp_contact_state as reported to the user   */
    unsigned char active;  /* it was in the problem of the last step                              */
    unsigned char crossed; /* the gap passed zero in the last step, after its middle             */
    unsigned char freed;   /* it let go at the end of the last step: mu_0 holds it no more        */
    unsigned char hit;     /* its percussions are those of an impact: no force                    */
} sp_contact_memory;

/* One contact at the end of a step.  In space gamma_T, P_T, lambda_T are lengths of vectors. */
typedef struct sp_contact_record {
    double g_N, gamma_N, gamma_T; /* m, m/s at the end of the step                                */
    double P_N, P_T;              /* percussion over the step, N s                                */
    double lambda_N, lambda_T;    /* mean force P/dt where the contact lasts, 0 at an impact, N   */
    double gamma_t[3];            /* in space: gamma_T along t1 and t2; spin about n, rad/s       */
    double lambda_t[3];           /* in space: lambda_T along t1 and t2; torque about n, N m      */
    double lambda_r[2];           /* in space: torques against rolling about t1 and t2, N m       */
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
    double worst_balance;  /* largest |balance| of a step; of smooth motion since start; over what
                            * sp_ledger_size says now                                           */
    double worst_work;     /* largest work of all contacts in one step: above 0 they gave energy */
} sp_ledger;

/* What the balance is relative to: the largest energy so far, or the work of one kind that is more,
 * J; 1 where there is none.   theory (50.7) */
static inline double sp_ledger_size(const sp_ledger *l)
{
    double size = l->scale;
    size = fabs(l->dampers) > size ? fabs(l->dampers) : size;
    size = fabs(l->applied) > size ? fabs(l->applied) : size;
    size = fabs(l->friction) > size ? fabs(l->friction) : size;
    size = fabs(l->impacts) > size ? fabs(l->impacts) : size;
    size = fabs(l->driven) > size ? fabs(l->driven) : size;
    return size > 0.0 ? size : 1.0;
}

/* Keep the worst: open >= 0 is what does not close now, J, before the size that worst_balance is
 * relative to so far.  NaN counts as worse. */
static inline void sp_ledger_judge(double open, double before, sp_ledger *l)
{
    const double size = sp_ledger_size(l), worst = l->worst_balance * before;
    if (size != before || !(open <= worst)) {
        l->worst_balance = (open <= worst ? worst : open) / size;
    }
}

/* How stiff the machine is: largest eigenvalues of M^-1 K [1/s^2] and of M^-1 D [1/s], bounds.
 * theory (71.7) */
typedef struct sp_stiff {
    double K, D;
    double known; /* 1: they are */
    double takes; /* 1: the step at hand is implicit */
} sp_stiff;

/* What methods that choose their steps remember from step to step; zeroes: nothing yet. */
enum { SP_CONTROL_KINDS = 8 };
typedef struct sp_control {
    double dt;       /* the next step, s                                                       */
    double dt_last;  /* of all methods: the step that the percussions of contacts belong to, s */
    double t_switch; /* contacts change before this time, s; 0: none is known                  */
    double cut;      /* how long the step with that change may be, s                           */
    sp_stiff stiff;  /* of steps that may be implicit                                          */
    double size_q[SP_CONTROL_KINDS], size_u[SP_CONTROL_KINDS]; /* largest so far, by units     */
} sp_control;

/* What 'start: project' did before the first step; unreported: no run has reported it yet. */
typedef struct sp_opening {
    double energy; /* J, by which it changed kinetic + potential */
    int slot;      /* the contact that was deepest               */
    bool unreported;
} sp_opening;

struct sp_state {
    double t;
    double *q, *u;              /* n_q, n_dof                          */
    double *z;                  /* n_aux: states of force elements     */
    double *book;               /* n_book: works by element, J         */
    double *g;                  /* n_slot: gaps now, m                 */
    sp_contact_memory *contact; /* n_slot, then n_bond                 */
    int n_touched;              /* contacts whose memory is not empty  */
    const sp_numbers *numbers;  /* of the model, or of a variant of it */
    long step;                  /* steps done since the start          */
    sp_ledger ledger;           /* energies now are valid if 'fresh'   */
    int n_impact;               /* impacts so far, for their ids       */
    bool fresh;                 /* gaps and energies belong to t, q, u */
    sp_opening opening;         /* part of the ledger's projection     */
    sp_control control;         /* of methods that choose their steps  */
    sp_arena arena;             /* owns the arrays                     */
};

/* The arrays of a state; false without memory. */
bool sp_state_room(const sp_model *m, sp_arena *arena, sp_state *x);

/* A number that identifies what a model is made of beside its main file: included texts, as far as
 * they describe the machine (model/source_lines.h), and the triangles of meshes. */
uint64_t sp_spec_fingerprint(const sp_spec *spec);

/* A number that identifies a model: structure, names, numbers, the text of the main file, as far as
 * it describes the machine, and all other files. */
uint64_t sp_model_fingerprint(const sp_model *m);

#endif
