/* support/run.h - a machine that runs: model, state and scratch together, every step watched. */
#ifndef SUPPORT_RUN_H
#define SUPPORT_RUN_H

#include "integrators/moreau.h"
#include "run/run.h"

/* The worst of all steps, computed here from what the ledger and the certificate say. */
typedef struct rig_worst {
    double complementarity, cone, momentum; /* certificates                                */
    double gap;                             /* deepest penetration at the end of a step, m */
    double work;                            /* largest work of the contacts in a step, J   */
    double closure; /* largest |change of T + V - change of all lines| / scale in a step  */
    long solves;    /* steps with a contact problem                                       */
} rig_worst;

typedef struct rig {
    sp_spec *spec;
    sp_model *m;
    sp_state *x;
    sp_work *w;
    rig_worst worst;
    int n_event, size;
    sp_event *event; /* of all steps so far */
} rig;

/* A model from YAML text, made like printf does; or a file of the source tree with overrides such
 * as "omega_s=-0.01 rad/s" (NULL ends them).  The test fails with the library's message. */
rig rig_of_text(const char *format, ...) SP_PRINTF(1, 2);
rig rig_of_file(const char *path, const char *const *override);
void rig_free(rig *r);

/* The slider-crank of the examples with this spin of the slider at the start. */
rig rig_slider_crank(double omega_s);

/* One step, watched; n steps. */
void rig_step(rig *r, sp_method method, double dt);
void rig_steps(rig *r, sp_method method, double dt, long n);

/* Run to `until` by a method with a tolerance, one frame at the end, each step shown to `watch`
 * with ctx: the run succeeds, and its ledger closes to 1e-11. */
void rig_run(rig *r, sp_method method, double until, double tolerance,
             sp_status (*watch)(void *ctx, const sp_model *m, const sp_step_record *step,
                                sp_error *err),
             void *ctx);

/* What the ledger leaves over: T + V - initial - all lines but the balance, J. */
double rig_left_over(const sp_ledger *l);

/* Events of this kind of all contacts (slot < 0) or of one; the k-th of them or NULL. */
int rig_count(const rig *r, sp_event_kind kind, int slot);
const sp_event *rig_event(const rig *r, sp_event_kind kind, int slot, int k);
void rig_print_events(const rig *r, int max);

int rig_slot(const rig *r, const char *name);
int rig_dof(const rig *r, const char *name);

/* The error of text that must not build or not start; fails if it does both. */
sp_error rig_refused(const char *format, ...) SP_PRINTF(1, 2);

/* ---- the slider-crank from its printed equations, absolute angles ------------------------------
 * th: crank, rod, slider; om their rates; nothing of the library is used. */

enum { CRANK_N = 3 };
void crank_mass(const double *th, double M[CRANK_N][CRANK_N]);
void crank_forces(const double *th, const double *om, double *h);
double crank_kinetic(const double *th, const double *om);
double crank_potential(const double *th);

/* Corner i = 0..3 (upper left, upper right, lower left, lower right): gap, and W_N, W_T. */
double crank_gap(const double *th, int corner);
void crank_directions(const double *th, int corner, double *W_N, double *W_T);

/* Free motion without contact from the start of the example, order 4 with steps of 1e-6 s. */
void crank_exact(double t, double *th, double *om);

/* Joint coordinates of the model <-> absolute angles (or their rates). */
void crank_absolute(const double *q, double *th);
void crank_relative(const double *th, double *q);

/* The first impact as published: time, state before and after. */
extern const double CRANK_T1, CRANK_TH1[CRANK_N], CRANK_OM1[CRANK_N], CRANK_OM1_AFTER[CRANK_N];

#endif
