/* impact/law.h - one impact of all contacts at once: velocities before, coefficients and a law give
 * impulses and velocities after, and say where the energy went.   theory section 11
 *
 *     gamma_p = gamma_m + G Lambda */
#ifndef SP_IMPACT_LAW_H
#define SP_IMPACT_LAW_H

#include "solvers/fc.h"
#include "solvers/problem.h"
#include "solvers/watch.h"

#include <stdbool.h>

typedef enum sp_impact_law {
    SP_IMPACT_NEWTON, /* velocities after from those before, (11.2)                          */
    SP_IMPACT_POISSON /* impulses of expansion from those of compression, (11.3) to (11.7)   */
} sp_impact_law;

/* The contacts of an impact.  Zero the struct before filling it.
 * Sets: half line, planar and disc have restitution.  Free rows have none; an interval has none,
 * and its finite bounds are forces that have no time to act: they count as zero here. */
typedef struct sp_impact_problem {
    int n_contact, n;      /* contacts, rows in total                                         */
    const sp_set *set;     /* n_contact, none of them shifted                                 */
    const int *row;        /* n_contact: first row of each                                    */
    const double *G;       /* n x n, row-major, leading dimension ld: W^T M^-1 W, symmetric   */
    int ld;                /*                                                                 */
    const double *gamma_m; /* n: relative velocities before                                   */
    const double *eps_N;   /* n_contact: normal restitution, 0 to 1                           */
    const double *eps_T;   /* n_contact: tangential restitution, 0 to 1 (Newton: -1 to 1)     */
    double xi_scale;       /* size of the terms gamma_m was formed from: see sp_problem       */
} sp_impact_problem;

typedef struct sp_impact_options {
    bool prescribed;        /* Poisson: tangential motion is counted from gamma_TE0 of (11.7)   */
    bool remedy_infeasible; /* no solution: other coefficients that have one, (11.15)           */
    bool remedy_gain;       /* kinetic energy gained: times the largest s that gains none       */
    sp_fc_work *fc;         /* memory for spatial friction; NULL: such contacts are refused     */
    const sp_watch *watch;  /* sees the problems of both phases; NULL: nobody                   */
} sp_impact_options;

/* prescribed as in [Pfeiffer99], infeasible impacts remedied, gains only reported. */
sp_impact_options sp_impact_options_default(void);

/* Change of kinetic energy, 1/2 (gamma before + gamma after) Lambda of each phase, by where it
 * went. Where boundaries move (w~ != 0) it is the work of the contacts in relative motion. */
typedef struct sp_impact_energy {
    double total;       /* the sum of the following; > 0: the law creates energy                */
    double normal;      /* of normal impulses                                                   */
    double friction;    /* of tangential impulses, less what follows                            */
    double restitution; /* what tangential restitution gives back, (11.14)                      */
    double bilateral;   /* of free rows and intervals                                           */
    double scale;       /* 1/2 sum (|gamma before| + |gamma after|) |Lambda|: to judge the sign */
} sp_impact_energy;

/* Why coefficients were changed. */
typedef enum sp_impact_cause {
    SP_IMPACT_AS_GIVEN,   /* they were not                                                      */
    SP_IMPACT_INFEASIBLE, /* contacts contradicted each other, with proof: see eps_N (11.15)    */
    SP_IMPACT_UNSOLVED,   /* no solution found, no proof: without gamma_TE0, then scaled        */
    SP_IMPACT_GAIN        /* kinetic energy would have been gained: scaled                      */
} sp_impact_cause;

/* What an impact came to. */
typedef struct sp_impact {
    double *Lambda;          /* n, out: impulses of the whole impact                            */
    double *Lambda_C;        /* n, out: of the compression; Newton's law has one phase: all     */
    double *gamma_C;         /* n, out: velocities at the end of compression; Newton: gamma_p   */
    double *gamma_p;         /* n, out: velocities after                                        */
    double *eps_N;           /* n_contact or NULL, out: normal coefficients before the factor s */
    unsigned char *status;   /* n_contact, in: guess (SP_STATUS_UNKNOWN if none), out: of the   *
                              * problem of compression (Newton: of the whole)                   */
    sp_impact_law law;       /* the one that was asked for                                      */
    sp_impact_energy energy; /* of all contacts                                                 */
    bool gained;             /* energy.total > SP_IMPACT_NOISE energy.scale                     */
    bool prescribed;         /* gamma_TE0 was used: options->prescribed, unless that failed     */
    double s;                /* the factor all coefficients were multiplied with, 1: as given   */
    sp_impact_cause cause;   /* why s < 1, or eps_N or prescribed are not as given              */
    double given;            /* energy.total of the coefficients as given, NaN if unsolved      */
    int solves;              /* how often the impact was solved to find s                       */
    double residual;         /* as sp_solution, the larger of both phases                       */
    int pivots;              /* of both phases                                                  */
    int n_motion;            /* velocities found that solve it, the larger of both phases       */
    bool complete;           /* there are no more (sp_impact_several)                           */
    int in_doubt;            /* the contact that they move differently, or for which they may   *
                              * not be all; -1: none                                            */
    const char *method;      /* of the last phase that was solved                               */
    sp_solve_result result;
} sp_impact;

/* Part of the scale below which a change of energy is round-off. */
#define SP_IMPACT_NOISE 1e-12

/* Bytes of scratch for both laws, alignment of double. */
size_t sp_impact_work(int n_contact_max, int n_max);

/* Solve the impact.  SP_OK: solved, perhaps with other coefficients: see cause, s, eps_N.
 * SP_E_INFEASIBLE, SP_E_NOT_CONVERGED: no solution (with proof, without); then Lambda = 0 and
 * gamma_p = gamma_m, and for Newton's law Lambda_C is the proof, as P of sp_solve.  SP_E_INPUT:
 * coefficients out of range, a malformed problem, spatial friction without memory for it.
 * SP_E_NONFINITE.  No allocation but inside options->fc.  err may be NULL. */
sp_status sp_impact_solve(const sp_impact_problem *p, sp_impact_law law,
                          const sp_impact_options *options, sp_impact *impact, void *work,
                          sp_error *err);

/* The same once, with all coefficients times s, and without any remedy. */
sp_status sp_impact_at(const sp_impact_problem *p, sp_impact_law law,
                       const sp_impact_options *options, double s, sp_impact *impact, void *work,
                       sp_error *err);

#endif
