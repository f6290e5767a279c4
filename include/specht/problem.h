/* specht/problem.h - contact problems by themselves: read or made, solved, certified, written.
 *
 *     xi = G P + c,   0 <= P_N perp xi_N >= 0,   |P_T| <= mu P_N,   P_T opposes xi_T
 *
 * for all contacts at once; P are percussions, xi the relative velocities they lead to.  Each
 * contact has a normal row and, in the plane, one tangential row, in space two.  Threads: a problem
 * belongs to one thread at a time. */
#ifndef SPECHT_PROBLEM_H
#define SPECHT_PROBLEM_H

#include "specht/base.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sp_contact_problem sp_contact_problem; /* with the scratch that solving it needs */

/* What there is to know about a problem before it is solved.  Texts live as long as it does. */
typedef struct sp_problem_info {
    const char *format;    /* "fclib-local", "fclib-global", "siconos-text", "made"            */
    int dim;               /* rows of a contact: 2 in the plane, 3 in space                    */
    int n_contact, n_free; /* contacts; bilateral rows behind them                             */
    int n;                 /* rows in all                                                      */
    int rank;              /* of the symmetric part of G, -1: too large to be counted          */
    double asymmetry;      /* |G - G'| / |G|                                                   */
    bool indefinite;       /* clearly: no mechanical system has such a G                       */
    const char *why;       /* "row 4 (contact 1): diagonal entry -2", if indefinite            */
} sp_problem_info;

/* Read a problem of FCLIB (HDF5, local or global) or a Siconos text.  SP_E_IO, SP_E_MEMORY,
 * SP_E_INPUT with the place in err; *problem is NULL then. */
SP_API sp_status sp_problem_load(const char *path, sp_contact_problem **problem, sp_error *err);

/* A problem from numbers, which are copied: dim 2 or 3, n = dim n_contact rows; mu[n_contact];
 * G[n * n] row by row [1/kg]; c[n] [m/s].  SP_E_INPUT for what is not finite, mu < 0, sizes. */
SP_API sp_status sp_problem_make(int dim, int n_contact, const double *mu, const double *G,
                                 const double *c, sp_contact_problem **problem, sp_error *err);
SP_API void sp_problem_free(sp_contact_problem *problem); /* NULL is allowed */
SP_API const sp_problem_info *sp_problem_about(const sp_contact_problem *problem);

/* Which residual has to be below the tolerance. */
typedef enum sp_problem_measure {
    SP_MEASURE_SCALED, /* natural map of each contact over its own velocities             */
    SP_MEASURE_FCLIB   /* natural map over |c|, the number of FCLIB and Siconos           */
} sp_problem_measure;

/* How to solve; from sp_problem_options_default. */
typedef struct sp_problem_options {
    size_t size;        /* of this struct                                                        */
    const char *solver; /* "auto" or a name of sp_problem_solver                                 */
    sp_problem_measure measure;
    double tol;     /* residual that counts as solved                                            */
    double seconds; /* wall time after which it gives up, 0: none                                */
    int threads;    /* the answer is the same for every number                                   */
    bool analyse;   /* find out whether the answer is unique                                     */
} sp_problem_options;

/* "auto", SP_MEASURE_FCLIB, 1e-8, no limit, one thread.  Thread-safe. */
SP_API sp_problem_options sp_problem_options_default(void);

/* Names for options.solver, "auto" first; NULL behind the last.  text, if not NULL: one line about
 * it.  Thread-safe. */
SP_API const char *sp_problem_solver(int k, const char **text);

/* How well P solves the problem, from the definition, by code that no solver uses.  The first six
 * have no unit. */
typedef struct sp_problem_certificate {
    double scaled, fclib; /* residuals, as SP_MEASURE_...                                  */
    double penetration;   /* largest -xi_N                                                 */
    double cone;          /* distance of P to the friction cones                           */
    double gap_work;      /* P_N xi_N                                                      */
    double dissipation;   /* what is missing to the largest dissipation                    */
    double work;          /* of friction, <= 0, in the problem's unit of work              */
} sp_problem_certificate;

typedef enum sp_problem_verdict {
    SP_PROBLEM_SOLVED,     /* the certificate's residual is at most tol             */
    SP_PROBLEM_NOT_UNIQUE, /* the same; forces are one choice of several            */
    SP_PROBLEM_INFEASIBLE, /* proved: there is none; P is the proof                 */
    SP_PROBLEM_NOT_SOLVED  /* P is the best that was found                          */
} sp_problem_verdict;

/* What was found; the verdict is the certificate's. */
typedef struct sp_problem_answer {
    sp_problem_verdict verdict;
    sp_problem_certificate certificate;
    long iterations;
    int n_island, largest; /* parts that do not couple, contacts of the largest                  */
    int rank_lost;         /* with analyse: closed rows minus their rank, -1: not looked at      */
    int motion_unique;     /* with analyse: 1, 0, -1: not looked at                              */
    char path[160];        /* which methods it went through, "sweeps 12, newton 3"               */
} sp_problem_answer;

/* Solve into P[n] (out).  SP_OK: see answer->verdict, also where nothing was found.  SP_E_INPUT:
 * unknown or unsuitable solver; SP_E_MEMORY.  P holds zeros then. */
SP_API sp_status sp_problem_solve(sp_contact_problem *problem, const sp_problem_options *options,
                                  double *P, sp_problem_answer *answer, sp_error *err);

/* Certify any P[n]. */
SP_API sp_status sp_problem_certify(sp_contact_problem *problem, const double *P,
                                    sp_problem_certificate *certificate, sp_error *err);

/* Write the problem as an FCLIB local one, with P[n] as its solution (NULL: none).  SP_E_IO. */
SP_API sp_status sp_problem_save(const sp_contact_problem *problem, const char *path,
                                 const double *P, const char *title, sp_error *err);

#ifdef __cplusplus
}
#endif
#endif
