/* record/record.h - what a run reports, as data: steps, events, energies, certificates.
 * Integrators fill these, observers (files, progress bars, tests) read them. */
#ifndef SP_RECORD_RECORD_H
#define SP_RECORD_RECORD_H

#include "certify/certificate.h"
#include "model/state.h"
#include "specht/run.h"

typedef enum sp_event_kind {
    SP_EVENT_CLOSE,    /* contact comes to stay             */
    SP_EVENT_OPEN,     /* contact ends                      */
    SP_EVENT_IMPACT,   /* velocities jump                   */
    SP_EVENT_STICK,    /* slip ends                         */
    SP_EVENT_SLIP,     /* stick ends                        */
    SP_EVENT_ZENO,     /* an accumulation of impacts passed */
    SP_EVENT_JAM,      /* velocities jump without a collision: no accelerations exist (Painleve) */
    SP_EVENT_CHOICE,   /* several accelerations or impacts exist, one was taken                  */
    SP_EVENT_HANDOVER, /* short steps go on where events make no progress                         */
    SP_EVENT_PROJECT,  /* 'start: project' opened gaps before the first step                      */
    SP_EVENT_RETURN,   /* of older results: steps ended, and events went on                       */
    SP_EVENT_SWITCH, /* a force or gap switches with the motion; its slot is SP_NONE              */
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

/* Why the coefficients of an impact are not those of the model file. */
typedef enum sp_impact_remedy {
    SP_REMEDY_NONE,       /* they are                                                        */
    SP_REMEDY_INFEASIBLE, /* contacts contradicted each other: one eps_N for those           */
    SP_REMEDY_UNSOLVED,   /* no solution was found: counted from rest, or scaled             */
    SP_REMEDY_GAIN,       /* energy would have been gained: scaled                           */
    SP_REMEDY_TURNS,      /* hit in turns, nearer to each other than steps resolve: at rest */
    SP_REMEDY_N
} sp_impact_remedy;
const char *sp_impact_remedy_name(sp_impact_remedy remedy); /* "none", "infeasible", ... */

/* What else there is to say about a contact in an impact.  Newton's law has one phase, which counts
 * as compression. */
typedef struct sp_impact_log {
    double Lambda_N_C, Lambda_T_C[2]; /* impulses of compression, N s; the rest is expansion's  */
    double gamma_N_C, gamma_T_C;      /* velocities at its end, m/s                             */
    double lost_normal;               /* energy lost by normal impulses, J                      */
    double lost_friction;             /* by friction                                            */
    double lost_restitution;          /* by tangential restitution, < 0: it gives back          */
    double gain;                      /* kinetic energy that the whole impact gained, else 0, J */
    double factor;                    /* on all coefficients of restitution, 1: as given        */
    double eps_N, eps_T, mu;          /* coefficients it was solved with, before the factor     */
    sp_impact_remedy remedy;
} sp_impact_log;

typedef struct sp_event {
    double t; /* s */
    sp_event_kind kind;
    int slot;                             /* index of the contact                          */
    uint64_t key;                         /* of a pool: what the slot was assigned to then     */
    int body[2];                          /* whose contact it is; equal: not two bodies    */
    int impact_id;                        /* shared by simultaneous contacts, 0: no impact */
    double Lambda_N, Lambda_T[2];         /* impulses, N s; planar: Lambda_T[0]            */
    double gamma_N_before, gamma_N_after; /* m/s                                           */
    double gamma_T_before, gamma_T_after; /* m/s                                           */
    double energy_lost;                   /* J, > 0: lost; also of PROJECT                 */
    double friction_work; /* J: of this contact since it closed, at its changes of state      */
    double lasts;         /* s: of ZENO the time passed, of HANDOVER the time stepped over     */
    double bound;         /* m: of ZENO how far it would have moved in that time at most       */
    double rate;          /* 1/s: of HANDOVER in older results, how densely events came */
    int n_found;   /* of CHOICE how many solutions the impact or motion had, 0: a continuum; of
                    * SWITCH which kink of the model it is                                       */
    bool at_least; /* there may be more: not all were sought                                   */
    sp_contact_state before, after;
    sp_impact_log impact; /* of SP_EVENT_IMPACT */
} sp_event;

/* What is public of an event; m may be NULL: the contact's name is "" then. */
sp_event_info sp_event_describe(const sp_model *m, const sp_event *e);

/* Contact problems at events: how many, and at how many of these one solution was found and none
 * besides it by a search that was not complete; the first of these. */
typedef struct sp_uniqueness {
    long problems, open;
    double t; /* s */
    int slot;
} sp_uniqueness;

/* Add what came later. */
void sp_uniqueness_add(sp_uniqueness *d, const sp_uniqueness *later);

/* Events of a kind that a run reports at its end: at how many times they were, the first one. */
typedef struct sp_tally {
    long n;
    double t, last; /* s: of the first, of the last */
    int slot;       /* of the first                 */
} sp_tally;

/* Count an event; those at one time count once. */
void sp_tally_add(sp_tally *sum, const sp_event *e);

/* Count a reason to doubt at t, of this size, at `place` (a contact, a pair; NULL: none): reasons
 * at one time count once, a size that is not a number is the largest. */
void sp_doubt_add(sp_doubt *sum, double t, double size, const char *place);

/* What there is to say about a doubt with n > 0, in one line without the word for its kind: "3
 * times (first at t = 0.12 s, 'guide'): residual up to 2e-06, expected <= 1e-08". */
void sp_doubt_text(sp_doubt_kind kind, const sp_doubt *d, char *text, size_t size);

/* Add what was counted later, or at the same time. */
void sp_doubt_join(sp_doubt *sum, const sp_doubt *later);

/* The worst of the steps since the last frame; part of what a restart needs. */
typedef struct sp_lately {
    sp_certificate worst;
    int n_active, pivots;
    bool shown; /* a frame has it: the next step begins anew */
} sp_lately;

/* Add a step; sampled: it is a frame itself, which shows it. */
void sp_lately_add(sp_lately *l, const sp_certificate *c, int n_active, int pivots, bool sampled);

/* Whether a step without a frame adds nothing to those since the last one. */
static inline bool sp_lately_is_like(const sp_lately *l, const sp_certificate *c, int n_active,
                                     int pivots)
{
    return !l->shown && n_active <= l->n_active && pivots <= l->pivots &&
           sp_certificate_is_no_worse(c, &l->worst);
}

/* A finished step, as observers see it; pointers are valid during the call only. */
typedef struct sp_step_record {
    long step;
    double t, dt;
    const double *q, *u;
    const double *pose;     /* n_body x 3: x, y, phi; in space x 7: x, y, z, qw, qx, qy, qz */
    const double *velocity; /* n_body x 3: vx, vy, omega; in space x 6, world axes */
    const sp_contact_record *contact; /* n_slot                        */
    const double *line;   /* n_line x SP_LINE_COLUMNS: the ledger by element, when 'sampled' */
    const double *output; /* n_output, only when 'sampled' */
    bool sampled;         /* this step is an output frame  */
    int n_event;
    const sp_event *event; /* in the order of their times   */
    const sp_ledger *ledger;
    const sp_certificate *certificate; /* of this step                  */
    const sp_certificate *worst;       /* since the start               */
    const sp_lately *lately;           /* since the last frame          */
    int n_active;                      /* contacts in the problem       */
    const char *solver;                /* which method solved it        */
    int pivots;
} sp_step_record;

/* A span of time without events, between those that are reported.  `go` brings the state and the
 * frames in the work of the run to a time in t_0..t_1; where it is NULL, a stepper went over the
 * span and they are those of t_1. */
typedef sp_status sp_stretch_go(void *ctx, double t, sp_error *err);
typedef struct sp_stretch {
    double t_0, t_1;
    sp_stretch_go *go;
    void *ctx;
} sp_stretch;

/* Called after every step (and once before the first, with dt = 0), or, if that is all it asks for,
 * after those with a frame or an event.  A status other than SP_OK ends the run with that status;
 * what was computed is kept. */
typedef struct sp_observer {
    sp_status (*step)(void *ctx, const sp_model *m, const sp_step_record *r, sp_error *err);
    void *ctx;
    bool skips; /* frames and events are all it asks for */
    /* Every span, before steps and frames at its end or inside of it; NULL: not wanted. */
    sp_status (*span)(void *ctx, const sp_stretch *span, sp_error *err);
} sp_observer;

/* Report the stretch behind the last one, up to t_1, to those who want it; nothing where t_1 is not
 * behind the last one. */
sp_status sp_stretch_report(const sp_observer *observer, int n, sp_stretch *stretch, double t_1,
                            sp_error *err);

#endif
