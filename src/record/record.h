/* record/record.h - what a run tells about itself, as data: steps, events, energies, certificates.
 * Integrators fill these, observers (files, progress bars, tests) read them. */
#ifndef SP_RECORD_RECORD_H
#define SP_RECORD_RECORD_H

#include "certify/certificate.h"
#include "model/state.h"

typedef enum sp_event_kind {
    SP_EVENT_CLOSE,  /* contact comes to stay             */
    SP_EVENT_OPEN,   /* contact ends                      */
    SP_EVENT_IMPACT, /* velocities jump                   */
    SP_EVENT_STICK,  /* slip ends                         */
    SP_EVENT_SLIP,   /* stick ends                        */
    SP_EVENT_ZENO,   /* an accumulation of impacts passed */
    SP_EVENT_N
} sp_event_kind;

/* Columns of a body's pose and velocity in a record, of a model in dim dimensions. */
static inline int sp_pose_columns(int dim)
{
    return dim == 3 ? 7 : 3;
}
static inline int sp_velocity_columns(int dim)
{
    return dim == 3 ? 6 : 3;
}

/* The word used in files and on the command line, "impact". */
const char *sp_event_name(sp_event_kind kind);
const char *sp_contact_state_name(sp_contact_state state); /* "open", "slip", "stick" */

typedef struct sp_event {
    double t; /* s */
    sp_event_kind kind;
    int slot;                             /* index of the contact                          */
    int impact_id;                        /* shared by simultaneous contacts, 0: no impact */
    double Lambda_N, Lambda_T[2];         /* impulses, N s; planar: Lambda_T[0]            */
    double gamma_N_before, gamma_N_after; /* m/s                                           */
    double gamma_T_before, gamma_T_after; /* m/s                                           */
    double energy_lost;                   /* J, > 0: lost                                  */
    sp_contact_state before, after;
} sp_event;

/* A finished step, as observers see it; pointers are valid during the call only. */
typedef struct sp_step_record {
    long step;
    double t, dt;
    const double *q, *u;
    const double *pose;     /* n_body x 3: x, y, phi; in space x 7: x, y, z, qw, qx, qy, qz */
    const double *velocity; /* n_body x 3: vx, vy, omega; in space x 6, world axes */
    const sp_contact_record *contact; /* n_slot                        */
    const double *output;             /* n_output, only when 'sampled' */
    bool sampled;                     /* this step is an output frame  */
    int n_event;
    const sp_event *event; /* in the order of their times   */
    const sp_ledger *ledger;
    const sp_certificate *certificate; /* of this step                  */
    const sp_certificate *worst;       /* since the start               */
    int n_active;                      /* contacts in the problem       */
    const char *solver;                /* which method solved it        */
    int pivots;
} sp_step_record;

/* Called after every step (and once before the first, with dt = 0).  A status other than SP_OK ends
 * the run with that status; what was computed is kept. */
typedef struct sp_observer {
    sp_status (*step)(void *ctx, const sp_model *m, const sp_step_record *r, sp_error *err);
    void *ctx;
} sp_observer;

#endif
