/* variation/parts.h - what the files of derivatives share: variation.c follows the run,
 * space.c knows directions and differences, jump.c what events do. */
#ifndef SP_VARIATION_PARTS_H
#define SP_VARIATION_PARTS_H

#include "integrators/event.h"
#include "variation/variation.h"

/* What is closed in a phase of smooth motion. */
typedef struct sp_phase {
    int n;
    int *slot;             /* n_slot                                            */
    unsigned char *status; /* n_slot                                            */
    int *hold;             /* n_slot: features that they stay at, plus 1        */
    sp_kink *kink;         /* n_kink                                            */
} sp_phase;

struct sp_variation {
    sp_arena arena;
    const sp_model *m;
    double tolerance;
    const sp_state *run_x; /* of the run that is followed */
    const sp_work *run_w;

    sp_state *x; /* own state, work and method, for neighbours of the motion */
    sp_work *w;
    sp_events *e; /* NULL: there are no contacts */
    sp_smooth *s;
    sp_rk8 *rk;
    sp_rk8_system system;

    int n_y;      /* q, u, z                                        */
    int n_all;    /* 2 n_dof + n_aux                                */
    int *at;      /* n: which of n_all                              */
    double *size; /* n                                              */

    sp_phase phase, next, first; /* of the last step, of this one, of the first one */
    sp_smooth_closed rested;     /* what the events before this step put at rest   */
    bool begun;
    double t, t_event;   /* the end of the last step; of the last event     */
    double *y, *y_plus;  /* n_y: there, and behind its events               */
    int n_event, n_room; /* at t                                            */
    sp_event *event;
    int passed_room;

    int r, r_after;                /* columns of V; of C at their place                    */
    double *V, *Q, *B, *B_min, *C; /* n x n each                                    */

    double *a, *b, *c, *full, *raw, *sum, *near_y, *rate, *d_flow, *J, *f_m, *grad; /* scratch */
    double *A;             /* rows of constraints, 2 rows x n */
    int *row;              /* which they are                  */
    double *u_0, *scratch; /* n_dof; three lists of rows, three of velocities */
    size_t row_room;
    sp_variation_result result;
};

/* ---- space.c --------------------------------------------------------------------------------- */

/* A function of a time and a state nearby, of n numbers. */
typedef struct sp_nearby {
    sp_status (*f)(sp_variation *v, const void *ctx, double t, const double *y, double *raw,
                   sp_error *err);
    const void *ctx;
    int n;
} sp_nearby;

/* Its derivative along d (n numbers) and tau of time, by differences of order 6.  theory (82.2) */
sp_status sp_variation_differ(sp_variation *v, sp_nearby of, double t, const double *y,
                              const double *d, double tau, double *raw, sp_error *err);

/* What a change of q, u, z at q_0 is in n numbers, and back in n_all. */
void sp_variation_count(const sp_variation *v, const double *q_0, const double *change, double *d);
void sp_variation_spread(const sp_variation *v, const double *d, double *full);

/* Neighbours move as in this phase. */
void sp_variation_enter(sp_variation *v, const sp_phase *p);

/* Rates at (t, y) in a phase. */
sp_status sp_variation_rates(sp_variation *v, const sp_phase *p, double t, const double *y,
                             double *f, sp_error *err);

/* Directions T (n x n by columns) that are free in a phase at (t, y); *r of them. */
sp_status sp_variation_free_directions(sp_variation *v, const sp_phase *p, double t,
                                       const double *y, double *T, int *r, sp_error *err);

/* Velocities of the rows of the phase that was entered, as sp_nearby. */
sp_status sp_variation_row_speeds(sp_variation *v, const void *ctx, double t, const double *y,
                                  double *raw, sp_error *err);

/* ---- jump.c ---------------------------------------------------------------------------------- */

/* The columns of V pass the events at v->t.   theory (82.4)-(82.6) */
sp_status sp_variation_jump(sp_variation *v, sp_error *err);

/* Where p has a slot, -1: it has not. */
static inline int sp_phase_find(const sp_phase *p, int slot)
{
    for (int a = 0; a < p->n; a++) {
        if (p->slot[a] == slot) {
            return a;
        }
    }
    return -1;
}

#endif
