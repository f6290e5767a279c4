/* variation/variation.h - how the end of an event-driven run depends on its start: derivatives of
 * smooth motion, and what events do to them.
 *
 *     sp_variation *v;
 *     SP_TRY(sp_variation_new(m, tolerance, &v, err));
 *     sp_variation_size_by(v, smooth);                    of a run before
 *     sp_variation_begin(v, x, w);                        of the run of x with w
 *     observer[n++] = sp_variation_observer(v);           of sp_integrate
 *     SP_TRY(sp_variation_finish(v, err));
 *     ... v->result
 *     sp_variation_free(v);
 *
 * States near one are counted by how positions, velocities and states of force elements move, over
 * their sizes: n numbers.  theory (82.1)-(82.8) */
#ifndef SP_VARIATION_VARIATION_H
#define SP_VARIATION_VARIATION_H

#include "integrators/smooth.h"
#include "run/run.h"

/* What a run passed. */
typedef struct sp_passed {
    double t;
    sp_event_kind kind;
    int slot;
    double speed; /* of approach at an impact, m/s, else 0 */
} sp_passed;

/* Derivatives of a run, over sizes.  All matrices by columns. */
typedef struct sp_variation_result {
    int n;       /* numbers of a state nearby                                               */
    int r_0;     /* of these free at the start: closed contacts and loops hold the rest     */
    int r_top;   /* the most that were free at any time                                     */
    int r_min;   /* the least: r_top - r_min multipliers are exactly zero                   */
    double *T;   /* n x r_0: orthonormal directions that are free at the start               */
    double *E;   /* n x r_0: how the end moves with each of them                            */
    double *M;   /* r_0 x r_0: of the end by the start, in these directions                 */
    double *K;   /* r_min x r_min: the same counted where the least is free                 */
    double *f_0; /* n: rates at the start and at the end                                    */
    double *f_1;
    double *x_0, *x_1; /* q, u, z at the start and at the end                               */
    double t_0, t_1;
    int n_passed;
    sp_passed *passed;
    double open;      /* s: the longest time without events ... */
    double open_from; /* ... and when it begins                */
    bool together;    /* several contacts were hit at once: derivatives are those of one order */
} sp_variation_result;

typedef struct sp_variation sp_variation;

/* SP_E_INPUT if the model has what derivatives do not know yet. */
sp_status sp_variation_new(const sp_model *m, double tolerance, sp_variation **v, sp_error *err);
void sp_variation_free(sp_variation *v); /* NULL is allowed */

/* Sizes of the motion as they were in a run, before anything else; and where they are. */
void sp_variation_size_by(sp_variation *v, const sp_smooth *s);
double *sp_variation_sizes(sp_variation *v);

/* For the run of x with w that begins next. */
void sp_variation_begin(sp_variation *v, const sp_state *x, const sp_work *w);
sp_observer sp_variation_observer(sp_variation *v);

/* At the end of the run: v's result, which is v's own and lasts until the next begin. */
sp_status sp_variation_finish(sp_variation *v, const sp_variation_result **result, sp_error *err);

/* How far state b is from a, in n numbers over sizes; angles that are whole turns apart are one
 * place.  Then a state that is d (n numbers) beside x, which it replaces, put onto what is closed
 * at the start. */
void sp_variation_apart(const sp_variation *v, const double *a, const double *b, double *d);
sp_status sp_variation_move(sp_variation *v, const double *d, double scale, double *x,
                            sp_error *err);

/* What is closed at the start of the run followed last, to be freed; and used for one that is not
 * followed yet, of the same structure. */
void *sp_variation_keep_phase(const sp_variation *v);
void sp_variation_use_phase(sp_variation *v, const void *phase);

/* Length of q, u, z. */
int sp_variation_length(const sp_variation *v);

#endif
