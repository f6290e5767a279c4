/* studies/shoot.h - periodic motions of a machine by shooting.
 *
 *     P(x; T) - x = 0,    x <- x + T xi,   (M - 1) xi = -(P(x) - x)        theory (83.1)-(83.4)
 *
 * Autonomous machines have T as one more unknown, and no change along the motion. */
#ifndef SP_STUDIES_SHOOT_H
#define SP_STUDIES_SHOOT_H

#include "specht/run.h"
#include "variation/variation.h"

/* What is asked for. */
typedef struct sp_orbit_wish {
    int periods;      /* of the forcing, or returns to the section           */
    double transient; /* so many periods first; of autonomous machines s     */
    double tolerance; /* of what does not close, over sizes                  */
    int most;         /* steps of Newton's method                            */
    bool autonomous;
    const char *crossing; /* a coordinate that passes the level upwards: the section; NULL ...  */
    double level;
    const char *contact; /* ... or events of this contact                                     */
} sp_orbit_wish;

/* A periodic motion, or the search for it. */
typedef struct sp_shoot {
    const sp_model *m;
    sp_state *x, *rest; /* rest: without any past */
    sp_work *w;
    sp_run_options o;
    const sp_orbit_wish *wish;
    sp_variation *v;
    const sp_variation_result *r;
    int n_y;
    double t_0, T;
    double *start; /* n_y: q, u, z at t_0                                       */
    double *F, *xi, *trial, *apart, *A; /* scratch; F: P(x) - x in free directions */
    double residual, condition;
    int n_newton;
    sp_arena arena;
} sp_shoot;

/* Make ready for a machine whose options are o; w has no run yet. */
sp_status sp_shoot_new(const sp_model *m, sp_state *x, sp_work *w, const sp_run_options *o,
                       const sp_orbit_wish *wish, sp_shoot *shoot, sp_error *err);
void sp_shoot_free(sp_shoot *s);

/* The motion from x for a while; then a start in the middle of the longest time without events,
 * and the period. */
sp_status sp_shoot_settle(sp_shoot *s, sp_error *err);

/* Fly one period from s->start with derivatives: s->r, s->F, s->residual. */
sp_status sp_shoot_fly(sp_shoot *s, sp_error *err);

/* Fly one period without them; where it ends. */
sp_status sp_shoot_fly_plain(sp_shoot *s, double *end, sp_error *err);

/* Move the start to the middle of the longest time without events of the period flown last. */
sp_status sp_shoot_move_section(sp_shoot *s, sp_error *err);

/* Newton's method.  SP_E_NOT_CONVERGED if no orbit is found. */
sp_status sp_shoot_solve(sp_shoot *s, sp_error *err);

/* Put the state at the start. */
void sp_shoot_place(sp_shoot *s, const double *y);

/* The n multipliers, largest first, those that are exactly zero last; of autonomous machines the
 * trivial one is left out, and how far it is from 1 in *trivial.  SP_E_MEMORY, SP_E_NOT_CONVERGED.
 */
sp_status sp_shoot_multipliers(sp_shoot *s, sp_complex *mu, int *n, double *trivial, sp_error *err);

/* Solve A x = b (n x n by rows), *condition: of A by singular values. */
bool sp_shoot_linear(sp_arena *arena, int n, const double *A, const double *b, double *x,
                     double *condition);

#endif
