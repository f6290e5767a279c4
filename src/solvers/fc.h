/* solvers/fc.h - the contact problem of any size in block form, and the one call that solves it.
 *
 *     xi = G P + c,      -xi_i in N_{C_i(P_i)}(P_i)      for every contact i
 *
 * G is given as blocks of contact pairs, or as factors G = H M^-1 H' (H: rows of contacts, columns
 * of bodies), or both.  Sets: all of laws/set.h, any of them shifted; those of laws/ball.h for
 * "auto", "nsgs" and "natural" alone.  docs/solvers.md says which method does what. */
#ifndef SP_SOLVERS_FC_H
#define SP_SOLVERS_FC_H

#include "base/arena.h"
#include "base/status.h"
#include "laws/fc_problem.h"
#include "solvers/problem.h"

/* Which number has to be below tol; both are always reported, with the problem's own G. */
typedef enum sp_fc_measure {
    SP_FC_SCALED, /* max_i |P_i - prox_{C_i}(P_i - rho_i xi_i)| / (rho_i size_i), without unit:
                   * rho_i = 1 / (largest diagonal entry of G_ii), size_i the terms of xi_i, at
                   * most 10 times what c is worth, at least xi_scale                          */
    SP_FC_FCLIB   /* |P - prox_K(P - xi~)| / |c| with unit parameter, xi~_N = xi_N + mu |xi_T|:
                   * the number of FCLIB and Siconos                                          */
} sp_fc_measure;

typedef struct sp_fc_options {
    const char *solver; /* NULL or "auto": the portfolio; else a name of sp_fc_solver_name     */
    sp_fc_measure measure;
    double tol;     /* 0: 1e-10 scaled, 1e-8 for SP_FC_FCLIB                               */
    double enough;  /* what is taken where all methods at their usual effort come no nearer to tol;
                     * 0: nothing else, and ten times the effort for small islands        */
    double seconds; /* wall time after which no new method is begun and loops end; 0: none.
                     * Where it strikes depends on the machine                            */
    double effort;  /* iteration limits of all methods times this; 0: 1                    */
    int threads;    /* 0, 1: one.  The result is the same for every number                 */
    int warm;       /* P of the solution is a start; what is not finite in it counts as 0  */
    int guess;      /* the solution's status is one, SP_STATUS_UNKNOWN where there is none */
    int quick;      /* the caller has another way: islands of 24 contacts and more give up
                     * where interior points do, those with drilling or rolling after one
                     * pass                                                               */
    int analyse;    /* find out whether the solution is unique (costs about one Newton
                     * step; up to 60 contacts per island)                                */
} sp_fc_options;

typedef enum sp_fc_result {
    SP_FC_SOLVED,     /* residual at most tol                                                     */
    SP_FC_NOT_UNIQUE, /* the same; forces (or even the motion) are one choice of several          */
    SP_FC_INFEASIBLE, /* no P has xi_N >= 0; P is the proof y, see sp_fc_solve                    */
    SP_FC_NOT_SOLVED  /* P is the best that was found                                             */
} sp_fc_result;

enum { SP_FC_PATH = 160 };

typedef struct sp_fc_solution {
    double *P;             /* n, in (if warm): start, out                                         */
    unsigned char *status; /* n_contact, in (if guess), out: SP_OPEN, SP_STICK, SP_SLIP_POS (in
                            * space: any slip; an interval at its lower end), SP_SLIP_NEG */
    sp_fc_result result;
    double residual;       /* SP_FC_SCALED                                                        */
    double residual_fclib; /* SP_FC_FCLIB                                                         */
    int n_island, largest; /* islands that need solving, contacts of the largest                  */
    long iterations;       /* sweeps and Newton steps of all islands                              */
    long sweeps, factorisations;
    int no_solution;   /* 1: none exists: every branch of the states of an island (up to eight
                        * contacts) is proved empty, fc_search.h; result is SP_FC_NOT_SOLVED    */
    int rank_lost;     /* analyse: closed rows minus their rank, -1: not looked at            */
    int motion_unique; /* analyse: 1 (no other motion nearby), 0, -1: not looked at            */
    char path[SP_FC_PATH]; /* islands by the methods they went through, "sweeps 12, newton 3" */
} sp_fc_solution;

/* Scratch that grows to what is needed and is kept: the second solve of the same size allocates
 * nothing.  Zero it, use it, free it.  One per calling thread. */
typedef struct sp_fc_work {
    const sp_allocator *allocator; /* NULL: malloc; must be safe for several threads if
                                    * options.threads > 1                               */
    sp_arena arena;
    struct sp_fc_memory *memory;
} sp_fc_work;
void sp_fc_work_free(sp_fc_work *w);

/* Solve p.
 *
 * SP_OK: s->result is SOLVED or NOT_UNIQUE.  SP_E_INFEASIBLE: P is a vector y with y_N >= 0 on
 * unilateral rows, y = 0 on friction and interval rows, any on free rows, with
 * y'c + sup_{P in C} y'G P < 0, so that no P in C has xi_N >= 0 and xi_F = 0.
 * SP_E_NOT_CONVERGED: neither, P is the best iterate.  SP_E_NONFINITE, SP_E_INPUT: bad numbers,
 * malformed problem or unknown solver.  SP_E_MEMORY.  err may be NULL. */
sp_status sp_fc_solve(const sp_fc *p, const sp_fc_options *o, sp_fc_solution *s, sp_fc_work *w,
                      sp_error *err);

/* Names for options.solver, "auto" first; NULL behind the last.  text: one line about it. */
const char *sp_fc_solver_name(int k, const char **text);

/* ---- building problems ---------------------------------------------------------------------- */

/* row (n_contact) and n of the sets. */
int sp_fc_rows(int n_contact, const sp_set *set, int *row);

/* p->G from a dense matrix: D(k, l) = D[k * row_stride + l * column_stride]; blocks of zeros are
 * left out.  Memory from the arena.  p: n_contact, n, set, row are given. */
sp_status sp_fc_from_dense(sp_fc *p, const double *D, size_t row_stride, size_t column_stride,
                           sp_arena *arena, sp_error *err);

/* p->G from entries (row[k], column[k], value[k]), any order; equal places are added. */
sp_status sp_fc_from_entries(sp_fc *p, size_t n_entry, const int *row, const int *column,
                             const double *value, sp_arena *arena, sp_error *err);

/* p->F from sparse M (n_dof x n_dof) and H (n_dof x n: columns are rows of contacts, as in
 * M v = H r + f, u = H' v + w) as entries, and c = H' M^-1 f + w.  Connected parts of M become
 * bodies.  M must be symmetric and positive definite. */
typedef struct sp_fc_global {
    int n_dof;
    size_t M_entries, H_entries;
    const int *M_row, *M_column, *H_row, *H_column;
    const double *M_value, *H_value, *f, *w;
} sp_fc_global;
sp_status sp_fc_from_global(sp_fc *p, const sp_fc_global *g, sp_arena *arena, sp_error *err);

/* p->G from p->F. */
sp_status sp_fc_form(sp_fc *p, sp_arena *arena, sp_error *err);

/* Check sizes, sets, indices and that all numbers are finite. */
sp_status sp_fc_check(const sp_fc *p, sp_error *err);

/* xi = G P + c (n).  scratch: 2 dof[n_body] numbers if only the factors are given, else unused. */
void sp_fc_velocity(const sp_fc *p, const double *P, double *xi, double *scratch);

#endif
