/* specht/result.h - read the file of a run.
 *
 * A result holds channels, each one number per frame:
 *   t                                  time
 *   crank.joint.phi, crank.joint.omega coordinates and their rates
 *   crank.x .y .phi .vx .vy .omega     bodies
 *   guide.c1.upper.g_N ...             contacts: gap g_N, velocities gamma_N and gamma_T, forces
 *                                      lambda_N and lambda_T, percussions of the step P_N and
 *                                      P_T, state (0 open, 1 slip, 2 stick); of an angle (stops
 *                                      and friction of a hinge) in rad, rad/s, N*m, N*m*s
 *   turns                              outputs of the model
 *   energy.spring.stored .dampers .applied  the ledger by element: stored, work since the start
 *   energy.kinetic ...                 the ledger
 *   certificate.cone ..., solver.step  how well each step was solved
 *
 * The file of a run that was killed, or still goes on, is read up to its last flush. */
#ifndef SPECHT_RESULT_H
#define SPECHT_RESULT_H

#include "specht/step.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sp_result sp_result; /* an open result file; not to be shared by threads */

/* What the file says about the run.  Texts are never NULL and live as long as the result. */
typedef struct sp_result_info {
    const char *path;
    const char *name;        /* of the model                                             */
    const char *source_file; /* model file                                               */
    const char *model_text;  /* its content                                              */
    const char *overrides;   /* "mu=0.02", one per line                                  */
    const char *version;     /* of Specht                                                */
    const char *method;
    const char *command; /* command line, empty if there was none                    */
    const char *status;  /* "clean", "doubtful", "interrupted", "failed: ...", "cut short", ... */
    const char *doubts;  /* reasons to doubt it, a line each, beginning with sp_doubt_name       */
    double step, tolerance; /* settings, s and 1                                        */
    double until;           /* end asked for, s                                         */
    long long steps;        /* done; of a run cut short: up to the last frame           */
    size_t n_frame, n_event;
    int n_body, n_dof, n_contact, n_output, n_plot, n_channel;
    bool cut_short; /* the run was killed: frames end at the last flush          */
    bool live;      /* the run still goes on                                     */
} sp_result_info;

/* Open a result for reading.  SP_E_IO if it cannot be read, SP_E_INPUT if it is no result of
 * Specht; *result is NULL then. */
SP_API sp_status sp_result_open(const char *path, sp_result **result, sp_error *err);
SP_API void sp_result_free(sp_result *result);
SP_API const sp_result_info *sp_result_about(const sp_result *result);

/* The number of the channel called name, or SP_E_INPUT with the nearest names. */
SP_API sp_status sp_result_find(const sp_result *result, const char *name, int *channel,
                                sp_error *err);

/* Write the name of a channel (cut off at size - 1 bytes); its unit ("m/s", "1" for a plain
 * number), NULL if there is no such channel.  They have the order of the list above. */
SP_API const char *sp_result_channel_name(const sp_result *result, int channel, char *name,
                                          size_t size);

/* Frames first .. first + n - 1 of n_channel channels; value[frame * n_channel + k]. */
SP_API sp_status sp_result_read(sp_result *result, int n_channel, const int *channel, size_t first,
                                size_t n, double *value, sp_error *err);

/* Events first .. first + n - 1 of info.n_event; their texts live as long as the result. */
SP_API sp_status sp_result_events(sp_result *result, size_t first, size_t n, sp_event_info *event,
                                  sp_error *err);

/* Make the file of a killed run readable for every program: all columns are cut to the frames they
 * have in common, and the mark of the writer is taken off.  SP_E_INPUT if the run still goes on. A
 * file that needs no repair stays as it is. */
SP_API sp_status sp_result_recover(const char *path, sp_error *err);

#ifdef __cplusplus
}
#endif
#endif
