/* solvers/solutions_parts.h - what the files that look for second solutions share: solutions.c (the
 * call), solutions_island.c (contacts that belong together), solutions_alone.c (the proof that
 * there is one), solutions_modes.c (all statuses), solutions_slip.c (slip in space),
 * solutions_starts.c (the solver from other starts), solutions_confirm.c (what is found is a
 * solution), solutions_speed.c (friction by speed), solutions_scan.c (speeds that a status leaves
 * open). */
#ifndef SP_SOLVERS_SOLUTIONS_PARTS_H
#define SP_SOLVERS_SOLUTIONS_PARTS_H

#include "solvers/solutions.h"

/* A residual below is none, and motions that differ by more are different, of the velocities. */
#define SP_SOLUTIONS_TOL   1e-9
#define SP_SOLUTIONS_APART 1e-6
/* What is left of a row of length 1 that depends on others; equations below are singular. */
#define SP_SOLUTIONS_NOTHING 1e-10

/* Contacts that belong together, without bilateral rows, in units in which G has a unit diagonal
 * and without shifts:  x = A p + c. */
typedef struct sp_island {
    const sp_problem *of;
    int n_contact, n;
    int who[SP_SOLUTIONS_ROWS], row[SP_SOLUTIONS_ROWS];
    sp_set set[SP_SOLUTIONS_ROWS];
    double A[SP_SOLUTIONS_ROWS * SP_SOLUTIONS_ROWS], c[SP_SOLUTIONS_ROWS]; /* leading dimension n */
    double mu[SP_SOLUTIONS_ROWS]; /* of a row along: its limit per p_N             */
    double lo[SP_SOLUTIONS_ROWS], hi[SP_SOLUTIONS_ROWS]; /* of an interval */
    double size; /* of the velocities                             */
    bool symmetric;

    /* the whole of it: contacts first, then bilateral rows */
    int n_all, all[SP_SOLUTIONS_ROWS]; /* rows of the problem                           */
    double d[SP_SOLUTIONS_ROWS], shift[SP_SOLUTIONS_ROWS]; /* P = shift + d p */
    int n_gone,
        gone[SP_SOLUTIONS_ROWS]; /* bilateral rows in the order in which they were eliminated */
    double E[SP_SOLUTIONS_ROWS * SP_SOLUTIONS_ROWS],
        e[SP_SOLUTIONS_ROWS]; /* p_gone = e + E p of the rows left */
} sp_island;

/* The motions of an island found so far; the first is that of the solution at hand. */
typedef struct sp_motions {
    int n;
    bool complete;
    double xi[SP_SOLUTIONS_MOTIONS]
             [SP_SOLUTIONS_ROWS]; /* rows of the island without bilateral ones     */
    const sp_judge *judge;
    double least; /* worth of the best one                                                 */
    int best;     /* its motion                                                            */
    double P[SP_SOLUTIONS_ROWS]; /* all rows, with shifts                                       */
    unsigned char status[SP_SOLUTIONS_ROWS];
    int newtons; /* starts that are left                                                   */
    int starts;  /* of these, for a status                                                 */
    int solves;  /* that are left                                                          */
    void *work;  /* sp_solve_work of the problem; NULL: what is found is not refined       */
} sp_motions;

/* ---- solutions_island.c
 * -------------------------------------------------------------------------- */

/* Gather the contacts i with label[i] == mine; false if they are too many. */
bool sp_island_gather(const sp_problem *p, const int *label, int mine, sp_island *k);

/* Take p (n, with status) up if it is a solution. */
void sp_island_offer(const sp_island *k, const double *p, const unsigned char *status,
                     sp_motions *m);

/* Begin with the solution at hand, whose p (n) is returned. */
void sp_island_begin(const sp_island *k, const sp_solution *s, const sp_judge *judge, void *work,
                     sp_motions *m, double *p);

/* The first contact of the problem that the motions found move differently. */
int sp_island_differs(const sp_island *k, const sp_motions *m);

/* Put the best solution into s. */
void sp_island_take(const sp_island *k, const sp_motions *m, sp_solution *s);

/* Solve the n equations B x = R with n_rhs right-hand sides (leading dimension SP_SOLUTIONS_ROWS, x
 * in R); false if they are singular.  The rank of a matrix that need not be square. */
bool sp_island_solve(int n, const double *B, int n_rhs, double *R);
int sp_island_rank(int n_row, int n_col, const double *B);

/* ---- solutions_alone.c
 * --------------------------------------------------------------------------- */

/* Whether the island has one motion, by a bound. */
bool sp_island_is_alone(const sp_island *k, double more);

/* The sum of (36.3) times more; below 1 the island has one motion.  Infinite: nothing is known. */
double sp_island_bound(const sp_island *k, double more);

/* Whether the solution p with the velocities x neither needs friction nor slips, so that it is the
 * only one.   theory (36.4a) */
bool sp_island_rests(const sp_island *k, const double *p, const double *x);

/* ---- solutions_modes.c
 * --------------------------------------------------------------------------- */

/* The forces of a status that are to be found: column row[v] of A, and of a contact that slides
 * the two next ones times f. */
typedef struct sp_unknowns {
    int n;
    int row[SP_SOLUTIONS_ROWS];
    double f[SP_SOLUTIONS_ROWS][2];
    double c[SP_SOLUTIONS_ROWS]; /* of the island, with forces at bounds */
} sp_unknowns;

/* How many statuses there are, SP_SOLUTIONS_STATUSES + 1 if more, 0: not finitely many kinds. */
int sp_modes_count(const sp_island *k);

/* Try all of them. */
void sp_modes_try(const sp_island *k, sp_motions *m);

/* How row r of the velocities answers unknown v. */
double sp_modes_answer(const sp_island *k, const sp_unknowns *u, int r, int v);

/* The states that a set can have (4 at most), and how many; 0 if that is not known. */
int sp_modes_states(const sp_set *s, unsigned char *list);

/* The unknowns of a status but for those that slide in a direction that is not known, which go into
 * slip; how many these are. */
int sp_modes_list(const sp_island *k, const unsigned char *status, sp_unknowns *u, int *slip);

/* Whether forces that the equations of a status leave open move some row: then its solutions need
 * not have a corner.   theory (36.5) */
bool sp_modes_move(const sp_island *k, const sp_unknowns *u);

/* Forces of intervals that are at their bounds. */
void sp_modes_put_bounds(const sp_island *k, const unsigned char *status, double *p);

/* ---- solutions_speed.c
 * --------------------------------------------------------------------------- */

enum {
    SP_SPEED_SAMPLES = 64,  /* of mu(v): what is narrower than between them is not seen           */
    SP_SPEED_STARTS = 32,   /* of Newton's method, where several speeds are open, for a status   */
    SP_SPEED_NEWTONS = 512, /* the same for an island                                             */
    SP_SPEED_SOLVES = 20000 /* of linear systems for an island, 10 to 40 ms                       */
};

/* Friction by speed of the contacts of an island, in its units. */
typedef struct sp_island_speeds {
    const sp_speeds *law;
    bool by[SP_SOLUTIONS_ROWS]; /* n_contact: mu depends on the speed, or is another one at rest */
    double mu_0[SP_SOLUTIONS_ROWS]; /* n_contact: at rest  */
    double most[SP_SOLUTIONS_ROWS]; /* n_contact: the fastest that a solution slides.   theory
                                       (52.2)  */
    int like[SP_SOLUTIONS_ROWS]; /* n_contact: the first contact that slides as this one does     */
    double sense[SP_SOLUTIONS_ROWS]; /* n_contact: 1 in the same sense, -1 against it */
    bool bounded;   /* whether `most` is known                                         */
    bool dependent; /* rows are sums of others                                         */
} sp_island_speeds;

/* A status of an island with friction by speed.  What is at its limit mu_0, but does not slide, is
 * a corner of the forces of what sticks; it has the status of sliding. */
typedef struct sp_speed_status {
    unsigned char status[SP_SOLUTIONS_ROWS];
    int n_slip, slip[SP_SOLUTIONS_ROWS]; /* contacts that slide with friction by speed */
    int n_edge, edge[SP_SOLUTIONS_ROWS]; /* contacts that are at the limit of rest     */
} sp_speed_status;

/* Gather it; whether the island has any.  Coefficients of k are those of rest then. */
bool sp_speeds_gather(sp_island *k, const sp_speeds *law, sp_island_speeds *v);

/* mu of contact i of the island at the speed v, both in its units. */
double sp_speeds_mu(const sp_island *k, const sp_island_speeds *s, int i, double v);

/* Whether the solution p with the velocities x is the only one, by a bound.   theory (52.6) */
bool sp_speeds_alone(const sp_island *k, const sp_island_speeds *s, const double *p,
                     const double *x);

/* How many statuses there are, SP_SOLUTIONS_STATUSES + 1 if more, 0: not finitely many kinds. */
int sp_speeds_count(const sp_island *k, const sp_island_speeds *s);

/* Try all of them. */
void sp_speeds_try(const sp_island *k, const sp_island_speeds *s, sp_motions *m);

/* ---- solutions_scan.c
 * ---------------------------------------------------------------------------- */

/* Offer the solutions of a status, at all speeds of what slides.  k: a copy of the island with the
 * coefficients of rest; those of what slides are put into it.   theory (52.3), (52.4) */
void sp_scan_status(sp_island *k, const sp_island_speeds *s, const sp_speed_status *q,
                    sp_motions *m);

/* ---- solutions_confirm.c
 * ------------------------------------------------------------------------- */

/* Refine p (n) with status (n_contact), which was found, as exactly as the solver does; false if
 * there is no such solution.   theory (49.1) */
bool sp_island_confirm(const sp_island *k, double *p, unsigned char *status, void *work);

/* The solution that a search began with. */
typedef struct sp_first {
    double *P, *xi; /* n; xi: scratch */
    unsigned char *status;
    sp_solution s;
    void *rest; /* memory behind it */
} sp_first;

size_t sp_first_bytes(int n_contact_max, int n_max);

/* Keep s, in memory. */
sp_first sp_first_keep(const sp_problem *p, const sp_solution *s, void *memory);

/* If s is another one now, refine it and give it its residual; where that fails, or ends in another
 * motion, s becomes the first again. */
void sp_first_confirm(const sp_problem *p, const sp_first *first, sp_solution *s);

/* ---- solutions_starts.c
 * -------------------------------------------------------------------------- */

size_t sp_starts_bytes(int n_contact_max, int n_max);

/* How many motions the contacts i with open[label[i]] have that the solver finds from other starts;
 * s becomes the one of least worth, if its motion is another one.  work: sp_starts_bytes. */
int sp_starts_try(const sp_problem *p, const int *label, const bool *open, const sp_judge *judge,
                  sp_solution *s, void *work);

/* ---- solutions_slip.c
 * ---------------------------------------------------------------------------- */

/* The status in which contact i begins to slide in a direction that is not known, and the unknowns
 * of all others are u. */
void sp_slips_one(const sp_island *k, const sp_unknowns *u, int i, const unsigned char *status,
                  sp_motions *m);

/* The same of n_slip contacts at once, by Newton's method from some directions. */
void sp_slips_many(const sp_island *k, const sp_unknowns *u, int n_slip, const int *slip,
                   const unsigned char *status, sp_motions *m);

#endif
