/* studies/branch.h - one periodic motion of a branch over a parameter, and the next. */
#ifndef SP_STUDIES_BRANCH_H
#define SP_STUDIES_BRANCH_H

#include "studies/kind.h"

/* What is asked for. */
typedef struct sp_branch_wish {
    sp_axis axis; /* the parameter */
    double step, longest;
    int orbits, doublings;
} sp_branch_wish;

/* A periodic motion at a value of the parameter.  A point of a branch is counted by n_x numbers of
 * the state over sizes, log T of autonomous machines, and the parameter over its range. */
typedef struct sp_branch_orbit {
    double p, T, t_0;
    int periods;
    int n_x;
    double *y;       /* q, u, z at t_0                                      */
    double *tangent; /* n_x + 2, of length 1: state, log T, parameter       */
    int n_mu, n_unstable;
    sp_complex *mu;
    double slowest;    /* the slowest approach of an impact, over the fastest */
    uint64_t sequence; /* of events, wherever it begins */
} sp_branch_orbit;

typedef struct sp_branch {
    sp_engine *e;
    sp_machine *c;
    const sp_branch_wish *wish;
    const sp_axis *axis;
    sp_orbit_wish orbit; /* with the periods of this branch */
    sp_shoot shoot;
    bool ready;    /* shoot is there, for the parameter */
    double *sizes; /* n, of the first orbit             */
    size_t n_sizes;
    void *phase;     /* what is closed at the start       */
    double p, begin; /* the parameter; where time begins  */
    double range;
    int n_newton;          /* of the last step                  */
    double *dP;            /* n: of the end by the parameter    */
    double *guess;         /* 2 n_y                             */
    double *apart;         /* n + 2                             */
    double *ends;          /* 2 n_y                             */
    double *rhs, *tangent; /* n + 3                     */
    sp_arena arena;
} sp_branch;

/* The first orbit, at the start of the range; its tangent looks to larger values. */
sp_status sp_branch_begin(sp_branch *b, sp_engine *e, sp_machine *c, const sp_branch_wish *wish,
                          sp_branch_orbit *x, sp_error *err);
void sp_branch_end(sp_branch *b);

/* The orbit s further along the tangent of `from`.  SP_E_NOT_CONVERGED, or why not. */
sp_status sp_branch_step(sp_branch *b, const sp_branch_orbit *from, double s, sp_branch_orbit *to,
                         sp_error *err);

/* Of the period flown last, also where no orbit was found: its events, and the slowest approach of
 * its impacts over the fastest. */
void sp_branch_events(const sp_branch *b, uint64_t *sequence, double *slowest);

/* Put b's machine at the start of an orbit. */
sp_status sp_branch_place(sp_branch *b, const sp_branch_orbit *x, sp_error *err);

/* Move the start of an orbit away from events, if they have come near. */
sp_status sp_branch_renew_section(sp_branch *b, sp_branch_orbit *x, sp_error *err);

/* The direction (n numbers, to be freed) of the multiplier nearest to mu. */
sp_status sp_branch_way(sp_branch *b, const sp_branch_orbit *x, double mu, double **way,
                        sp_error *err);

/* The first orbit of doubled period beside x in that direction. */
sp_status sp_branch_double(sp_branch *b, const sp_branch_orbit *x, const double *way,
                           sp_branch_orbit *to, sp_error *err);

sp_status sp_branch_copy(const sp_branch *b, const sp_branch_orbit *from, sp_branch_orbit *to,
                         sp_error *err);
void sp_branch_orbit_free(sp_branch_orbit *x);

#endif
