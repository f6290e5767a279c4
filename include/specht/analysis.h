/* specht/analysis.h - where a machine rests, how it swings there, and whether a run can be
 * believed. */
#ifndef SPECHT_ANALYSIS_H
#define SPECHT_ANALYSIS_H

#include "specht/run.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What stays closed while a machine is linearised; bilateral joints always do. */
typedef struct sp_hold_options {
    size_t size;               /* of this struct                                              */
    int n_closed;              /* contacts that count as closed, by name                      */
    const char *const *closed; /* n_closed; they stick if they have friction and do not slide */
} sp_hold_options;

/* Nothing beside joints.  Thread-safe. */
SP_API sp_hold_options sp_hold_options_default(void);

/* Move state to an equilibrium near it: no acceleration, no velocity but what is prescribed.
 * SP_E_NOT_CONVERGED if there is none within reach, SP_E_INPUT for unknown contacts; the state is
 * then as before.  Thread-safe if state is not shared; so are the functions below. */
SP_API sp_status sp_analysis_equilibrium(const sp_model *model, sp_state *state,
                                         const sp_hold_options *hold, sp_error *err);

/* M dx'' + D dx' + K dx = (forces of what is held), dx over the degrees of freedom, at state:
 * matrices of n = sp_model_n_dof rows, row by row, SI units; each may be NULL. */
SP_API sp_status sp_analysis_linearise(const sp_model *model, const sp_state *state,
                                       const sp_hold_options *hold, double *M, double *D, double *K,
                                       sp_error *err);

/* One mode: dx = e^(s t) shape, s = re + i im. */
typedef struct sp_mode_info {
    double re, im;       /* eigenvalue, 1/s, im >= 0                                     */
    double frequency_hz; /* |s|/(2 pi) if it swings, else 0                              */
    double damping;      /* -re/|s|: 0 undamped, 1 just does not swing, below 0 it grows */
    bool unstable;
} sp_mode_info;

/* The modes at state, those that swing first, by rising frequency: *n of them, of which the first
 * `room` go into mode[], and their shapes, if not NULL, into shape[(2 k + part) n_dof + i], part 0
 * real, 1 imaginary, the largest entry being 1. */
SP_API sp_status sp_analysis_modes(const sp_model *model, const sp_state *state,
                                   const sp_hold_options *hold, int room, sp_mode_info *mode,
                                   double *shape, int *n, sp_error *err);

typedef enum sp_verdict {
    SP_VERDICT_AGREEMENT,
    SP_VERDICT_SEVERAL,      /* agreement until the machine has several motions     */
    SP_VERDICT_UNSETTLED,    /* neither agreement nor contradiction is shown        */
    SP_VERDICT_ONE_METHOD,   /* nothing to compare with                             */
    SP_VERDICT_NOT_VERIFIED, /* a run ended early or is not certified               */
    SP_VERDICT_CONTRADICTION /* methods converge to different motions               */
} sp_verdict;

/* How far runs by different methods agree. */
typedef struct sp_verify_outcome {
    sp_verdict verdict;
    sp_method reference, other; /* other: of no meaning with SP_VERDICT_ONE_METHOD             */
    double agrees_until;        /* s; NaN where that is not shown                              */
    double trust;               /* until then the reference agrees with itself, s              */
    double apart;               /* largest distance of the finest runs, over the motion's size */
    char message[600];          /* why a run ended early, "" if none did                       */
} sp_verify_outcome;

/* Run the model's section 'run' by two kinds of methods with several steps and tolerances, from its
 * start, and compare.  SP_OK with the verdict, also where runs end early; SP_E_INPUT if the model
 * cannot be run.  It takes some ten times as long as one run. */
SP_API sp_status sp_analysis_verify(const sp_model *model, const sp_run_options *options,
                                    sp_verify_outcome *outcome, sp_error *err);

#ifdef __cplusplus
}
#endif
#endif
