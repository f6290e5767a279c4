/* solvers/fc_auto.h - the methods by name, and the chain that solves one island. */
#ifndef SP_SOLVERS_FC_AUTO_H
#define SP_SOLVERS_FC_AUTO_H

#include "solvers/fc_method.h"

/* A method, and what is said about it. */
typedef struct sp_fc_solver {
    const char *name, *text;
    sp_fc_method *solve; /* NULL: not for islands */
} sp_fc_solver;

enum {
    SP_FC_AUTO,
    SP_FC_NSGS,
    SP_FC_NEWTON,
    SP_FC_ADMM,
    SP_FC_PILE,
    SP_FC_NATURAL,
    SP_FC_INTERIOR,
    SP_FC_N_SOLVER
};
extern const sp_fc_solver sp_fc_solvers[SP_FC_N_SOLVER];

/* Which methods an island went through: bit k for method k, and these. */
enum {
    SP_FC_BY_START = 1 << 16,
    SP_FC_BY_LOCAL = 1 << 17,
    SP_FC_BY_SWEEPS = 1 << 18,
    SP_FC_BY_GUESS = 1 << 19
};

/* 1 if a method (NULL: the chain) is for islands with the sets of laws/ball.h too. */
int sp_fc_knows_balls(const sp_fc_solver *solver);

/* What one island came to. */
typedef struct sp_fc_end {
    int used;         /* bits, see above        */
    int lost, motion; /* -1: not looked at      */
    int infeasible;   /* p is the proof         */
    int none;         /* proved, see fc_search.h */
    int solved;
    long sweeps, steps, factorisations;
} sp_fc_end;

/* How an island is to be solved. */
typedef struct sp_fc_way {
    const sp_fc_solver *only; /* NULL: the chain                                       */
    int analyse;              /* find out whether the solution is unique               */
    int guess;                /* status (of sp_fc_solve_island) is a guess             */
    int quick;                /* give up early, see sp_fc_options                      */
} sp_fc_way;

/* Solve an island from p (n, in/out: the best that was found, or the proof that there is nothing).
 * status: n_contact, in: guess; u: n, scratch. */
sp_fc_end sp_fc_solve_island(const sp_fc_island *l, sp_fc_goal *g, const sp_fc_way *way,
                             const unsigned char *status, double *p, double *u, sp_fc_stack *stack);

/* Add "name count" at this place of a path (SP_FC_PATH bytes); nothing if count is 0 or there is no
 * room.  Returns the place behind it. */
int sp_fc_path_add(char *path, int at, const char *name, int count);

#endif
