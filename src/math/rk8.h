/* math/rk8.h - differential equations y' = f(t, y) to order 8, with dense output and landing on
 * events.
 *
 * The explicit Runge-Kutta method 8(5,3) of Dormand and Prince [HNW93]: an accepted step costs 12
 * evaluations of f, a rejected one 11.  Time runs forward.  Everything the method remembers lies in
 * one block without pointers, so that it is saved and loaded bit for bit.
 *
 * The usual loop:
 *
 *     sp_rk8 *rk = sp_rk8_place(n, memory);          (memory of sp_rk8_bytes(n) bytes)
 *     SP_TRY(sp_rk8_begin(rk, &system, &options, t, y, err));
 *     while (rk->t < t_end) {
 *         SP_TRY(sp_rk8_step(rk, &system, t_end, err));
 *         SP_TRY(sp_rk8_prepare_dense(rk, &system, err));    (where values inside are wanted)
 *         ...sp_rk8_dense(rk, t, n, y) anywhere in rk->t_old..rk->t; an event found at t_event:
 *         SP_TRY(sp_rk8_land(rk, &system, indicator, ctx, t_event, t_tol, err));
 *         ...the jump, then sp_rk8_restart(rk, &system, rk->t, y, rk->dt, err)
 *     }
 *
 * Dense output is a polynomial of degree 7, wrong by O(dt^8) inside a step where the step itself is
 * wrong by O(dt^9): the order over a whole run is 8 everywhere, but with a larger constant between
 * the steps.  States at events are therefore not read from it: sp_rk8_cut takes a real step to the
 * event, and sp_rk8_land does so until the indicator is zero.  Where the motion is a cubic to
 * round-off, as in free flight, the polynomial is exact: it takes the place of stages. */
#ifndef SP_MATH_RK8_H
#define SP_MATH_RK8_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct sp_rk8_options {
    double rtol, atol; /* error of a step against rtol |y_i| + atol; rtol >= 10 epsilon, atol > 0 */
    double dt_max;     /* longest step, may be infinite                                           */
    double dt_first;   /* first step to try, 0: guessed from f                                    */
} sp_rk8_options;

typedef struct sp_rk8 sp_rk8;

/* The equations.  The callbacks are functions of their arguments alone (they may be called at
 * points that are given up afterwards).  SP_E_NONFINITE from f or after_step, or NaN in dydt, makes
 * the step shorter; any other failure ends the call with that status. */
typedef struct sp_rk8_system {
    void *ctx; /* handed to the callbacks */

    /* dydt = f(t, y) */
    sp_status (*f)(void *ctx, double t, const double *y, double *dydt, sp_error *err);

    /* The sizes of two errors e (n components each, tangents at y) in units of the tolerance, where
     * the step goes from y0 to y1.  NULL: sqrt(sum (e_i / (atol_i + rtol max(|y0_i|, |y1_i|)))^2
     * / n) each */
    void (*norm)(void *ctx, const sp_rk8_options *options, const double *y0, const double *y1,
                 const double *const e[2], double size[2]);

    /* May move y, the end of a step whose error is within the tolerance, back onto constraints; f
     * is evaluated after it, at no further cost.  NULL: nothing. */
    sp_status (*after_step)(void *ctx, double t, double *y, sp_error *err);

    /* Whether these times of a step, rising, show what f does in it; else a shorter one is tried.
     * NULL: they do. */
    bool (*seen)(void *ctx, int n, const double *t);

    /* How far into the last step its polynomial, which is there, shows what f does: its end, or an
     * earlier time, at which it ends instead, and is looked at again.  NULL: to its end. */
    double (*shown)(void *ctx, sp_rk8 *rk);

    const double *atol; /* one per component, NULL: options.atol for all */
    int n_arg; /* f reads the first n_arg components alone, the rest are integrals; 0: all */
} sp_rk8_system;

/* All that is remembered.  Read what you like, write nothing. */
struct sp_rk8 {
    uint32_t tag; /* what kind of block this is, checked when loaded */
    int32_t n;
    sp_rk8_options options;
    double t_old, t;  /* the last step; t is where the state is                        */
    double t_full;    /* where the last step ended before it was cut                   */
    double dt;        /* the next step to try, 0: to be guessed                        */
    double err;       /* of the last step, in units of the tolerance                    */
    double err_root;  /* err^(1/32) of the step before, for the control; 0: there is none */
    double stiffness; /* |dt lambda| of the last step, lambda the fastest rate: near 6, stability
                         and not accuracy limits the steps                            */
    int64_t n_step, n_reject; /* steps accepted and refused for their error           */
    int64_t n_fail;           /* steps refused because f was not finite               */
    int64_t n_eval;           /* evaluations of f                                     */
    int32_t has_step;         /* the stages of the last step are there; 2: it ends beside them */
    int32_t has_dense;        /* so is its polynomial, of so many components: integrals follow */
    int32_t cubic;            /* which is a cubic that the motion follows to round-off    */
    int32_t unused;
    double a[];
};

/* rtol = atol = 1e-9, steps of any length, first step guessed. */
sp_rk8_options sp_rk8_options_default(void);

/* Bytes of the block for n >= 1 components. */
size_t sp_rk8_bytes(int n);

/* Clear memory (sp_rk8_bytes(n), alignment of double) and make it the block. */
sp_rk8 *sp_rk8_place(int n, void *memory);

/* Start at t, y.  SP_E_INPUT if an option is out of range, SP_E_NONFINITE if y or f(t, y) is not
 * finite. */
sp_status sp_rk8_begin(sp_rk8 *rk, const sp_rk8_system *s, const sp_rk8_options *options, double t,
                       const double *y, sp_error *err);

/* Go on from another state, as after an impact; dt > 0 is the step to try (rk->dt: as before), 0:
 * guessed anew.  y may be sp_rk8_y(rk). */
sp_status sp_rk8_restart(sp_rk8 *rk, const sp_rk8_system *s, double t, const double *y, double dt,
                         sp_error *err);

/* One accepted step, not past t_stop (which may be infinite) and to the bit on it if it is reached.
 * SP_E_NOT_CONVERGED if the step size came to nothing, SP_E_NONFINITE if it did because f was not
 * finite, or what f returned; the state is then as before and the last step is forgotten. */
sp_status sp_rk8_step(sp_rk8 *rk, const sp_rk8_system *s, double t_stop, sp_error *err);

/* y and f(t, y) at rk->t; valid until the next call that changes rk. */
const double *sp_rk8_y(const sp_rk8 *rk);
const double *sp_rk8_dydt(const sp_rk8 *rk);

/* Make the polynomial of the last step: 3 evaluations of f, none if it is there already or a cubic.
 */
sp_status sp_rk8_prepare_dense(sp_rk8 *rk, const sp_rk8_system *s, sp_error *err);

/* The first n_want of y(t) from the polynomial; t in t_old..t.  Both ends are exact. */
void sp_rk8_dense(sp_rk8 *rk, double t, int n_want, double *y);

/* The same from the cubic through both ends of a step that was just taken, with the slopes there:
 * without evaluations, but wrong by about so much in component i.   theory (68.4) */
void sp_rk8_cubic(const sp_rk8 *rk, double t, int n_want, double *y);
double sp_rk8_cubic_error(const sp_rk8 *rk, int i);

/* Replace the last step by one from t_old to t, t_old <= t <= t_full: the state at t to order 8 by
 * 12 evaluations, by one on a cubic.  May be repeated with other t.  On failure the state is that
 * at t_old. */
sp_status sp_rk8_cut(sp_rk8 *rk, const sp_rk8_system *s, double t, sp_error *err);

/* An indicator g(t, y) and its rate along the motion. */
typedef sp_status (*sp_rk8_indicator)(void *ctx, double t, const double *y, const double *dydt,
                                      double *g, double *g_rate, sp_error *err);

/* Cut the last step where g is zero near t: t <- t - g/g' with real steps until that changes t by
 * no more than t_tol (one or two cuts where t comes from the dense output).  Where g' is too small
 * for that, as at a grazing, the step is cut at the t given.  rk->t is the time of the event. */
sp_status sp_rk8_land(sp_rk8 *rk, const sp_rk8_system *s, sp_rk8_indicator g, void *ctx, double t,
                      double t_tol, sp_error *err);

/* Take over a block that was saved by copying its sp_rk8_bytes(n) bytes.  SP_E_INPUT, and rk as
 * before, if bytes are no such block for rk's n. */
sp_status sp_rk8_load(sp_rk8 *rk, const void *bytes, size_t size, sp_error *err);

#endif
