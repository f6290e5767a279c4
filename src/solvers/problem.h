/* solvers/problem.h - the inclusion problem of one island of contacts, and the call that solves it.
 *
 *     xi = G P + c,      -xi_i in N_{C_i(P_i)}(P_i)      for every contact i
 *
 * The same problem stands at acceleration level, in a time step and in an impact. */
#ifndef SP_SOLVERS_PROBLEM_H
#define SP_SOLVERS_PROBLEM_H

#include "base/status.h"
#include "laws/set.h"

#include <stddef.h>

struct sp_fc_work;

/* What a contact does.  The sign of slip is the sign of xi_T: SP_SLIP_POS has P_T = -mu P_N.
 * A closed contact without friction row (half line, bilateral) is SP_STICK, one with mu = 0 slips.
 * An interval is SP_STICK inside, SP_SLIP_POS at lo (xi > 0), SP_SLIP_NEG at hi (xi < 0); where
 * lo = hi it slips.  With shifted sets all this is said of P - shift. */
enum {
    SP_OPEN = 0,
    SP_STICK = 1,
    SP_SLIP_POS = 2,
    SP_SLIP_NEG = 3,
    SP_STATUS_UNKNOWN = 4 /* only as a guess: let the solver start from c */
};

/* Zero the struct before filling it: fields may be added, zero is always a good default.
 * Sets: free (any number, redundant ones too), half line, planar, interval (one or both bounds may
 * be infinite, lo = hi is allowed), disc; each of them may be shifted. */
typedef struct sp_problem {
    int n_contact, n;  /* contacts, rows in total                                            */
    const sp_set *set; /* n_contact                                                          */
    const int *row;    /* n_contact: first row of each                                       */
    const double *G;   /* n x n, row-major, leading dimension ld; may be unsymmetric and     */
    int ld;            /*        rank deficient                                              */
    const double *c;   /* n                                                                  */
    double xi_scale;   /* size of the terms c was formed from: 1e-13 of it is noise; 0: as c */
    struct sp_fc_work *space; /* memory for spatial friction: grows to what is needed and is kept,
                               * see fc.h; NULL: taken for the call alone                      */
    int quick;                /* with spatial friction: see fc.h                              */
} sp_problem;

typedef enum sp_solve_result {
    SP_SOLVED,
    SP_INFEASIBLE, /* no P satisfies even the inequalities; P holds the proof y, see sp_solve */
    SP_NOT_SOLVED  /* all methods failed; P holds the best iterate                            */
} sp_solve_result;

typedef struct sp_solution {
    double *P;             /* n, in: warm start, out                                  */
    unsigned char *status; /* n_contact, in: guess, out; a disc that slips is SP_SLIP_POS */
    double residual;       /* scaled natural-map residual, see sp_natural_residual; of the
                            * problem for P - shift if sets are shifted               */
    int pivots;            /* exchanges of the pivoting methods, 0 if a guess was right */
    const char *method;    /* "guess", "repair", "lemke", "lemke4", "enumeration",
                            * "space", "none"                                         */
    sp_solve_result result;
} sp_solution;

/* A solution is accepted with at most this scaled residual (ten times this where round-off allows
 * no less, after all methods); typical is 1e-15. */
#define SP_SOLVE_TOL 1e-11

/* Bytes of scratch for problems up to this size, alignment of double. */
size_t sp_solve_work(int n_contact_max, int n_max);

/* Solve p: try the status guess, repair it, then pivot (Lemke); see solve.c, chain.h.
 *
 * SP_OK: solved; where P is not unique it is of small norm in units where G has a unit diagonal.
 * SP_E_INFEASIBLE: P is a vector y with y_N >= 0, y_T = 0, y = 0 for intervals (y >= 0 where only
 * hi is infinite, y <= 0 where only lo is) and c'y + sup { y'G P : P in the sets } < 0, so that no
 * P exists with P in C, xi_N >= 0 and xi = 0 in free rows; with c + G shift for c if sets are
 * shifted.  SP_E_NOT_CONVERGED: neither.  SP_E_NONFINITE: NaN or infinity in G or c.  SP_E_INPUT:
 * malformed problem.  err may be NULL.  No allocation, but for p->space with spatial friction; work
 * is scratch without meaning between calls.  With spatial friction P and status are a start where
 * the status is known. */
sp_status sp_solve(const sp_problem *p, sp_solution *s, void *work, sp_error *err);

/* s->P with s->status nearly solves p: refined within that status (with spatial friction: solved
 * from there), with its residual.  SP_OK: that is at most SP_SOLVE_TOL (in space ten times this, as
 * above).  The motion may be another one, if P was not near enough.  work as for sp_solve. */
sp_status sp_solve_refine(const sp_problem *p, sp_solution *s, void *work);

/* The same problem about the middle of its sets: P = shift + P', c' = c + G shift with round-off
 * taken for zero, sets without shift.  c, shift: n; set: n_contact.   theory (5.12) */
void sp_problem_centre(const sp_problem *p, sp_problem *moved, double *c, double *shift,
                       sp_set *set);

#endif
