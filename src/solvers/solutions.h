/* solvers/solutions.h - has a contact problem more than one motion?  Proven that it has not, or
 * counted, or sought as far as the budget goes; what is not known is said.   theory section 36 */
#ifndef SP_SOLVERS_SOLUTIONS_H
#define SP_SOLVERS_SOLUTIONS_H

#include "solvers/problem.h"

#include <stdbool.h>

enum {
    SP_SOLUTIONS_CONTACTS = 256, /* of a problem that is looked at */
    SP_SOLUTIONS_ROWS = 32, /* of an island, bilateral rows among them                          */
    SP_SOLUTIONS_STATUSES = 4096, /* of an island that are all tried */
    SP_SOLUTIONS_MOTIONS = 16,    /* of an island that are kept apart    */
    SP_SOLUTIONS_NEWTONS = 64, /* starts of slip in two and more directions that are not known    */
    SP_SOLUTIONS_STARTS = 8 /* of the solver, where there are more statuses than that           */
};

/* A solution of some of the contacts, for whoever judges it. */
typedef struct sp_solution_part {
    int n_contact, n;     /* contacts; rows, bilateral ones among them       */
    const int *who;       /* n_contact: which contacts of the problem        */
    const int *at;        /* n_contact: their first row here                 */
    const int *row;       /* n: which rows of the problem                    */
    const double *P, *xi; /* n                                               */
} sp_solution_part;

/* Among several motions that of least worth is taken; sums over independent contacts add. */
typedef struct sp_judge {
    double (*worth)(const void *ctx, const sp_solution_part *part);
    const void *ctx;
} sp_judge;

/* Friction in the plane that depends on the speed of sliding: a contact at rest holds up to mu_0
 * P_N, one that slides with v has mu(v) P_N.   theory (16.2) */
typedef struct sp_speeds {
    double (*mu)(const void *ctx, int i, double v); /* of contact i of the problem, v >= 0     */
    const void *ctx;
    const double *mu_0; /* n_contact; NaN: contact i has mu of its set, whatever it does       */
} sp_speeds;

typedef struct sp_solution_count {
    int n_motion;  /* different xi that were found, 1 at least                              */
    bool complete; /* there are no more: proven, or all statuses were tried                 */
    int at;        /* the first contact that several motions move differently, else the first of
                    * those for which it is not complete, else -1                           */
} sp_solution_count;

/* Bytes of scratch for problems up to this size, alignment of double; sp_solve_work is in it. */
size_t sp_solutions_work(int n_contact_max, int n_max);

/* Other solutions of p than s, which solves it.  Where there are several, s becomes the one of
 * least worth, if its motion is another one, with its own residual; what cannot be solved as
 * exactly as sp_solve does is none.  Independent contacts are looked at one by one, so that their
 * numbers multiply.  No allocation but for p->space.
 * law (NULL: none): friction by speed, with coefficients in the sets that belong to the speeds of
 * s; contacts with such friction, and those coupled with them, stay as they are.   theory (49.1),
 * section 52 */
sp_solution_count sp_solutions_find(const sp_problem *p, const sp_speeds *law,
                                    const sp_judge *judge, sp_solution *s, void *work);

/* The first solution of p that is found among all statuses of its contacts, which belong together,
 * into P and status of s; complete with n_motion 0: there is none.  Those of too many contacts are
 * not tried: neither. */
sp_solution_count sp_solutions_find_any(const sp_problem *p, sp_solution *s);

/* Whether friction is too weak for a second motion, by a bound; where not, nothing is said.  G may
 * be unsymmetric by slip whose direction is known.  c and shifts do not matter.  more: how many
 * times faster than mu limits of friction can move with normal forces, 1 for all sets as they are.
 * theory (36.1)-(36.4) */
bool sp_solution_is_only(const sp_problem *p, double more);

#endif
