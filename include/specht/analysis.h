/* specht/analysis.h - where a machine rests, and how it swings there. */
#ifndef SPECHT_ANALYSIS_H
#define SPECHT_ANALYSIS_H

#include "specht/run.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which state a machine is linearised at. */
typedef enum sp_hold_state {
    SP_HOLD_AT_BEST,       /* an equilibrium near the state, or else the state itself */
    SP_HOLD_AT_STATE,      /* the state as it is                                      */
    SP_HOLD_AT_EQUILIBRIUM /* SP_E_NOT_CONVERGED where there is none                  */
} sp_hold_state;

/* What is held while a machine is linearised; prescribed motion and bilateral joints always are. */
typedef struct sp_hold_options {
    size_t size; /* of this struct                                                             */
    int n_hold;
    const char *const *hold; /* coordinates, joints or bodies; "top.omega_z": a spin in space   */
    int n_closed;
    const char *const *closed; /* contacts or their points that stay closed: "name" sticks if it
                                  has friction and does not slide, "name:stick", "name:slide";
                                  "start": all that touch                                      */
    bool close_touching;       /* without `closed`: all that touch and do not pull             */
    sp_hold_state at;          /* of sp_analysis_modes                                         */
} sp_hold_options;

/* Nothing is held, what touches is closed, the best state.  Thread-safe. */
SP_API sp_hold_options sp_hold_options_default(void);

/* Move state to an equilibrium near it: no acceleration, no velocity but what is prescribed.
 * SP_E_NOT_CONVERGED if there is none within reach, SP_E_INPUT for unknown contacts; the state is
 * then as before.  Thread-safe if state is not shared; so are the functions below. */
SP_API sp_status sp_analysis_equilibrium(const sp_model *model, sp_state *state,
                                         const sp_hold_options *hold, sp_error *err);

/* M dx'' + D dx' + K dx = (forces of what is held), dx over the degrees of freedom, at state:
 * matrices of n = SP_ITEM_VELOCITY rows, row by row, SI units; each may be NULL. */
SP_API sp_status sp_analysis_linearise(const sp_model *model, const sp_state *state,
                                       const sp_hold_options *hold, double *M, double *D, double *K,
                                       sp_error *err);

typedef enum sp_mode_kind {
    SP_MODE_FREE,  /* nothing pulls it back: s = 0                              */
    SP_MODE_REAL,  /* grows or decays without swinging                          */
    SP_MODE_SWINGS /* s and its conjugate                                       */
} sp_mode_kind;

/* One mode: dx = e^(s t) shape. */
typedef struct sp_mode {
    sp_mode_kind kind;
    sp_complex s;        /* eigenvalue, 1/s, im >= 0                                          */
    double frequency_hz; /* |s|/(2 pi) if it swings, else 0                                   */
    double damped_hz;    /* im s/(2 pi): as it is seen                                        */
    double damping;      /* -re s/|s|: 0 undamped, 1 just does not swing, below 0 it grows    */
    bool unstable;
    bool is_real;      /* the shape has no imaginary parts                                    */
    sp_complex *shape; /* of the degrees of freedom, the largest entry is 1                   */
} sp_mode;

/* The force of something held. */
typedef struct sp_hold_force {
    const char *name, *direction; /* "normal", "tangential", "torque", "bilateral", "spin" */
    double force;                 /* N or N m                                              */
} sp_hold_force;

/* The modes of a machine near a state, and what was held there. */
typedef struct sp_modes_report {
    bool at_equilibrium; /* else at the state as it was given                                  */
    const char *axes;    /* that they are seen from: "ground", "turning", "own"                */
    char note[1024];     /* why there is no equilibrium, what was closed or opened; may be ""  */
    int n_mode, n_unstable;
    const sp_mode *mode; /* those that swing first, by rising frequency                        */
    int n_held;
    const char *const *held; /* degrees of freedom                                             */
    int n_force;
    const sp_hold_force *force;
    int n_integral; /* integrals of motors, which stay as they are in these modes */
} sp_modes_report;

/* The modes near state, which is moved to where they are.  Messages: contacts that would pull or
 * slip, stops that are violated.  SP_E_INPUT for unknown names, SP_E_NOT_CONVERGED as options->at
 * says; *report is NULL then, the state as before. */
SP_API sp_status sp_analysis_modes(const sp_model *model, sp_state *state,
                                   const sp_hold_options *options, const sp_listener *listener,
                                   sp_modes_report **report, sp_error *err);
SP_API void sp_modes_report_free(sp_modes_report *report); /* NULL is allowed */

#ifdef __cplusplus
}
#endif
#endif
