/* specht/step.h - advance a state in time.
 *
 * Threads: a work belongs to one thread at a time, like the state that is stepped with it; names
 * and numbers of methods may be asked for from any thread. */
#ifndef SPECHT_STEP_H
#define SPECHT_STEP_H

#include "specht/state.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sp_work sp_work; /* scratch for one thread, no meaning between calls */

/* Integration methods. */
typedef enum sp_method {
    SP_METHOD_MOREAU, /* "moreau": Moreau's midpoint scheme, forces at (q_M, u_A)                */
    SP_METHOD_MOREAU_MEAN, /* "moreau-mean": the same, velocity-dependent forces at the mean
                              velocity                                                            */
    SP_METHOD_SMOOTH, /* "smooth": order 8, its own steps to the model's tolerance; no contacts */
    SP_METHOD_STIFF,  /* "stiff": the same for stiff machines, in the program 'specht' only     */
    SP_METHOD_EVENT,  /* "event": smooth motion from event to event, in runs only               */
    SP_METHOD_THETA,  /* "theta": M, h, W at q_theta, forces at u_theta, with the model's theta */
    SP_METHOD_RK2,    /* "rk2", "rk4": Runge-Kutta time stepping, a contact problem per stage   */
    SP_METHOD_RK4,
    SP_METHOD_ADAPTIVE /* "adaptive": extrapolated steps to the model's tolerance               */
} sp_method;

/* The method with this name; SP_E_INPUT with the nearest name if there is none. */
SP_API sp_status sp_method_find(const char *name, sp_method *method, sp_error *err);

/* Its name, "unknown" for what is none. */
SP_API const char *sp_method_name(sp_method method);

/* How a step went.  Energies and works are J since the start, residuals have no unit. */
typedef struct sp_step_info {
    int n_active;                               /* contacts in the contact problem           */
    int n_event;                                /* events in this step                       */
    double complementarity, cone, momentum;     /* certificate of this step                  */
    double penetration;                         /* deepest at the end of the step, m         */
    double kinetic, potential;                  /* now                                       */
    double dampers, applied, friction, impacts; /* work                                      */
    double projection, discretisation, balance; /* corrections, error, what does not close   */
} sp_step_info;

/* Something that happened to a contact in a step. */
typedef struct sp_event_info {
    double t;                             /* s                                                  */
    const char *kind;                     /* "close", "open", "impact", "stick", "slip", ...    */
    int contact;                          /* of SP_ITEM_CONTACT                                 */
    const char *name;                     /* of the contact, "" if it is not known              */
    int impact_id;                        /* shared by contacts of one impact, 0: no impact     */
    double Lambda_N, Lambda_T;            /* impulses of an impact, N s                         */
    double gamma_N_before, gamma_N_after; /* gap velocities, m/s                                */
    double energy_lost;                   /* J                                                  */
} sp_event_info;

/* Scratch for stepping this model.  On failure *work is NULL. */
SP_API sp_status sp_work_new(const sp_model *model, const sp_allocator *allocator, sp_work **work,
                             sp_error *err);
SP_API void sp_work_free(sp_work *work); /* NULL is allowed */

/* Event i of the last step, i from 0 to sp_step_info.n_event - 1.  SP_E_INPUT if there is none. */
SP_API sp_status sp_step_event(const sp_work *work, int i, sp_event_info *event);

/* Advance state by dt [s], dt > 0.  SP_OK, or SP_E_INPUT (dt or method), SP_E_NOT_CONVERGED,
 * SP_E_INFEASIBLE, SP_E_CAPACITY, SP_E_NONFINITE with the state untouched.  info and err may be
 * NULL.  Thread-safe if state and work are not shared. */
SP_API sp_status sp_step(const sp_model *model, sp_state *state, sp_work *work, sp_method method,
                         double dt, sp_step_info *info, sp_error *err);

#ifdef __cplusplus
}
#endif
#endif
