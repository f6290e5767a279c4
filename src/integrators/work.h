/* integrators/work.h - scratch of one thread: a block per room, each written by its own room. */
#ifndef SP_INTEGRATORS_WORK_H
#define SP_INTEGRATORS_WORK_H

#include "contact/sparse.h"
#include "integrators/small.h"
#include "record/record.h"
#include "solvers/watch.h"
#include "specht/step.h"

#include <stdatomic.h>

/* The contact problem and its solution. */
typedef struct sp_sol {
    double *c, *P, *xi, *gamma_A, *gamma_E, *free; /* per row; free: W^T M^-1 h dt         */
    double *rho;                                   /* per contact: 1 / G_NN                */
    unsigned char *status;                         /* per contact                          */
    double xi_scale;                               /* size of the terms that c is a sum of */
    double xi_local;                               /* size of the velocities themselves    */
    const char *method;
    int pivots;
    void *work;       /* of sp_solve */
    sp_fc_work space; /* of sp_solve, for spatial friction: grows, kept from step to step */
    sp_sparse sparse; /* of problems without a dense G                                     */
} sp_sol;

/* Velocities that residuals are relative to, of the terms that velocities are sums of, at least:
 * round-off of these, 1e-16, is 1e-11 of it, a thousandth of what certificates allow. */
#define SP_VELOCITY_FLOOR 1e-5

/* When a contact problem counts as solved. */
typedef enum sp_effort {
    SP_EFFORT_USUAL,  /* to the end; without a dense G also if it is nearly so             */
    SP_EFFORT_STRICT, /* a shorter step is left: what is nearly solved is not              */
    SP_EFFORT_LENIENT /* a handover: dense problems that are nearly solved are, too (30.2) */
} sp_effort;

/* What a step did to one contact of the problem. */
typedef struct sp_hit {
    int slot;
    unsigned char status;
    double P[SP_SET_DIM_MAX], gamma_A[3], gamma_E[3]; /* normal, tangential; in space t1 and t2;
                                                       * then P of drilling and rolling       */
    double P_before; /* its P_N in the step before                          */
    double g_M;      /* gap at the midpoint                                   */
    double v_rest;   /* resting speed                                         */
    double eps_N;    /* restitution that the step had                         */
    double xi_N;     /* what its law looks at, m/s                            */
    double reach;    /* how far a contact at rest may hop, m                  */
    double work;     /* of this contact in this step, J                       */
    double work_T;   /* the tangential part of it, J                          */
    bool struck;     /* it came to rest, coupled to an impact that it is no part of (59.2) */
    bool impact;     /* touched faster than resting speed, or coupled to such a contact */
    bool slides;     /* it has friction and moves along                       */
    bool dry;        /* dry friction alone: its row is tangential             */
    bool bears;      /* loaded: it pushes, or pulls by less than its adhesion */
    bool tears;      /* its adhesion is at its end                            */
    bool stores;     /* a threshold: its work is potential energy             */
} sp_hit;

/* A step reports three at most; an event of the event-driven mode may be several impacts. */
enum { SP_EVENTS_PER_SLOT = 16 };

struct sp_work {
    sp_arena arena;  /* owns everything, but what is in ... */
    sp_arena events; /* ... of event-driven runs, which begin with it empty */
    sp_kin kin;
    sp_dyn dyn;
    sp_con con;
    sp_sol sol;

    /* vectors over the degrees of freedom (q: over the coordinates), by the integrators */
    double *q, *u_E, *u_bar, *h_dt, *b, *du, *M_du, *WP, *size2;

    /* prescribed motion, if the model has any */
    unsigned char *held; /* 1: prescribed                                                    */
    double *du_held;     /* their change in this step, zero for all others                   */
    double *M_held;      /* M times that                                                     */
    double *reaction;    /* impulse that the prescription takes, zero for all others         */
    double *bond_P;      /* n_bond: impulses of the bilateral rows in this step              */

    sp_stiff stiff; /* whether the operator of this step is A (dyn.implicit), by bounds */

    double *book; /* n_book: works by element in this step                                  */

    /* the end of the step at w->q, u_E, by the integrators */
    double t_E;
    sp_energy energy;

    /* the finished step, by the integrators */
    double *g_E; /* n_slot: gaps before the correction of positions, if 'corrected' */
    double *q_E; /* n_q: coordinates before it                                      */
    bool corrected;
    int n_hit;
    sp_hit *hit; /* capacity of con */
    int n_event;
    sp_uniqueness unique; /* of the contact problems at this event                        */
    bool doubtful; /* there is something in 'doubt' that the run has not counted yet        */
    sp_doubt doubt[SP_DOUBT_N]; /* since the run counted last, by sp_work_doubt          */
    int event_room;             /* SP_EVENTS_PER_SLOT per slot */
    sp_event *event;            /* event_room at most          */
    sp_certificate certificate;

    /* for observers, filled when a step is sampled */
    sp_contact_record *contact;
    double *line;            /* n_line x SP_LINE_COLUMNS                     */
    double *pose, *velocity; /* sp_pose_columns, sp_velocity_columns per body */
    double *output;

    struct sp_friction *friction; /* per contact, if laws depend on velocities            */
    struct sp_grips *grips;       /* of joints whose friction grows with their reactions  */
    struct sp_strike *strike;     /* of impacts, made when event-driven integration begins */
    struct sp_load_work *load;    /* of outputs that ask for forces, made when a run begins */
    struct sp_smooth *smooth;     /* of smooth integration, made when it is first asked for */
    struct sp_clocks *clocks;     /* terms of time alone, if the model has any; made by a run    */
    struct sp_swept *swept;       /* of steps that are swept, in the same way                */
    struct sp_stepper *stepper;   /* of theta, Runge-Kutta and adaptive steps, in the same way */
    unsigned char *memory; /* of runs that somebody may resume, made when one is first asked for */
    size_t n_memory;       /* its bytes                                                        */
    sp_state *before; /* of sp_step, where that takes several steps; made when it first does      */
    atomic_int stop;  /* somebody wishes the run to end                                   */
    struct sp_sample *sample; /* of sp_sample_take, made when it is first asked for         */
    const sp_watch *watch;    /* sees the contact problems that are solved; NULL: nobody    */
    sp_watch_level level;     /* what it takes them for                                    */
};

/* Note a reason to doubt what is computed at t, at a slot (or a pair, or NULL); the run takes it
 * into its summary with the step or event that follows. */
void sp_work_doubt(sp_work *w, sp_doubt_kind kind, double t, double size, const char *place);

/* Add the squares of the reactions to size2: the row of a prescribed motion balances by them, to
 * round-off of its terms, also where the part has no mass. */
void sp_work_add_reactions(const sp_model *m, sp_work *w);

/* The worst contact of the certificate, if there is one, by its slot. */
void sp_work_name_worst(sp_work *w);

/* Rooms for a G over so many contacts as may be closed at once in event-driven integration, which
 * time steps of many contacts in space do without; once per work. */
bool sp_work_make_dense(const sp_model *m, sp_work *w);

/* Solve the contact problem that is in w->con (G, sets) and w->sol (c, guess); P and status into
 * w->sol, how it was solved into solution. */
sp_status sp_work_solve(sp_work *w, sp_effort effort, sp_solution *solution, sp_error *err);

#endif
