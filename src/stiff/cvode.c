#include "stiff/cvode.h"

#ifndef SP_HAVE_CVODE

const sp_stiff_driver *sp_stiff_cvode(void)
{
    return NULL;
}

#else

#include <cvode/cvode.h>
#include <cvode/cvode_proj.h>
#include <float.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sundials/sundials_config.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#define SHORTEST    (8.0 * DBL_EPSILON) /* of t: a shorter step leads nowhere */
#define FIRST_LEAST 1e-13 /* of t, or s: the shortest first step                               */
#define FIRST_MOST  1e-3  /* of the horizon: the longest                                        */
enum { FIRST_TRIES = 3 };
#define HORIZON     1.0   /* s: the first step is guessed for so long, wherever the run ends */

typedef struct cvode {
    const sp_stiff_system *system;
    SUNContext context;
    void *memory;
    N_Vector y;
    double *try;  /* n: y + correction while it is being projected, and states for the first step */
    double *rate; /* 3 n: y' at the start and there, weights */
    bool first;   /* the next step is the first one                                              */
    SUNMatrix J;
    SUNLinearSolver solver;
    sp_status status; /* of the last callback that failed */
    sp_error error;
} cvode;

/* ---- callbacks ------------------------------------------------------------------------------- */

/* What CVODE makes of a status: 0 fine, > 0 try a shorter step, < 0 end. */
static int verdict(cvode *c, sp_status status)
{
    c->status = status;
    return status == SP_OK ? 0 : status == SP_E_NONFINITE ? 1 : -1;
}

static int right_hand_side(realtype t, N_Vector y, N_Vector dydt, void *self)
{
    cvode *c = self;
    const sp_stiff_system *s = c->system;
    double *out = N_VGetArrayPointer(dydt), sum = 0.0;
    const sp_status status = s->f(s->ctx, t, N_VGetArrayPointer(y), out, &c->error);
    for (int i = 0; status == SP_OK && i < s->n; i++) {
        sum += 0.0 * out[i]; /* NaN if one of them is not finite */
    }
    return status == SP_OK && sum != 0.0
               ? verdict(c, SP_FAIL(&c->error, SP_E_NONFINITE, "t = %.9g s: not finite", t))
               : verdict(c, status);
}

static int weights(N_Vector y, N_Vector weight, void *self)
{
    const sp_stiff_system *s = ((cvode *)self)->system;
    s->weights(s->ctx, N_VGetArrayPointer(y), N_VGetArrayPointer(weight));
    return 0;
}

/* corr = projection of y - y */
static int project(realtype t, N_Vector y, N_Vector corr, realtype eps, N_Vector err, void *self)
{
    cvode *c = self;
    const sp_stiff_system *s = c->system;
    const double *from = N_VGetArrayPointer(y);
    double *change = N_VGetArrayPointer(corr);
    (void)eps;
    (void)err;
    memcpy(c->try, from, (size_t)s->n * sizeof(double));
    const sp_status status = s->project(s->ctx, t, c->try, &c->error);
    for (int i = 0; i < s->n; i++) {
        change[i] = c->try[i] - from[i];
    }
    return verdict(c, status);
}

/* CVODE's own words; it prints nothing. */
static void listen(int code, const char *module, const char *function, char *text, void *self)
{
    cvode *c = self;
    (void)module;
    (void)function;
    if (code < 0 && c->status == SP_OK) {
        sp_fail(&c->error, SP_E_NOT_CONVERGED, __func__, "%.300s", text);
    }
}

/* ---- begin and end --------------------------------------------------------------------------- */

static void end(void *self)
{
    cvode *c = self;
    if (!c) {
        return;
    }
    CVodeFree(&c->memory);
    SUNLinSolFree(c->solver);
    SUNMatDestroy(c->J);
    N_VDestroy(c->y);
    SUNContext_Free(&c->context);
    free(c->try);
    free(c->rate);
    free(c);
}

/* All settings of CVODE; false if it refuses one. */
static bool set_up(cvode *c, double t, const double *y)
{
    const sp_stiff_system *s = c->system;
    c->try = malloc((size_t)s->n * sizeof(double));
    c->rate = malloc(3 * (size_t)s->n * sizeof(double));
    c->first = true;
    if (!c->try || !c->rate || SUNContext_Create(NULL, &c->context) != 0) {
        return false;
    }
    c->y = N_VNew_Serial(s->n, c->context);
    c->J = SUNDenseMatrix(s->n, s->n, c->context);
    c->memory = CVodeCreate(CV_BDF, c->context);
    if (!c->y || !c->J || !c->memory) {
        return false;
    }
    c->solver = SUNLinSol_Dense(c->y, c->J, c->context);
    memcpy(N_VGetArrayPointer(c->y), y, (size_t)s->n * sizeof(double));
    return c->solver && CVodeSetErrHandlerFn(c->memory, listen, c) == CV_SUCCESS &&
           CVodeInit(c->memory, right_hand_side, t, c->y) == CV_SUCCESS &&
           CVodeSetUserData(c->memory, c) == CV_SUCCESS &&
           CVodeWFtolerances(c->memory, weights) == CV_SUCCESS &&
           CVodeSetLinearSolver(c->memory, c->solver, c->J) == CV_SUCCESS &&
           (!s->project || (CVodeSetProjFn(c->memory, project) == CV_SUCCESS &&
                            CVodeSetProjErrEst(c->memory, 0) == CV_SUCCESS));
}

static sp_status begin(const sp_stiff_system *system, double t, const double *y, void **self,
                       sp_error *err)
{
    cvode *c = calloc(1, sizeof *c);
    *self = NULL;
    if (c) {
        c->system = system;
    }
    if (!c || !set_up(c, t, y)) {
        end(c);
        return SP_FAIL(err, SP_E_MEMORY, "CVODE could not be started");
    }
    *self = c;
    return SP_OK;
}

/* What went wrong, in our words. */
static sp_status fail(const cvode *c, const char *doing, sp_error *err)
{
    const sp_status status = c->status == SP_OK ? SP_E_NOT_CONVERGED : c->status;
    double t = 0.0;
    CVodeGetCurrentTime(c->memory, &t);
    return SP_FAIL(err, status, "t = %.9g s: CVODE could not %s: %.300s", t, doing, c->error.text);
}

/* CVODE forgets the past; its settings stay. */
static sp_status restart(void *self, double t, const double *y, sp_error *err)
{
    cvode *c = self;
    c->status = SP_OK;
    c->first = true;
    memcpy(N_VGetArrayPointer(c->y), y, (size_t)c->system->n * sizeof(double));
    return CVodeReInit(c->memory, t, c->y) == CV_SUCCESS ? SP_OK : fail(c, "start anew", err);
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* Root of the mean square of |y''| over the errors that are allowed, from y' and y' after dt with
 * that; NaN if something is not finite. */
static double bend(cvode *c, double t, double dt)
{
    const sp_stiff_system *s = c->system;
    const double *y = N_VGetArrayPointer(c->y), *f = c->rate, *weight = c->rate + 2 * s->n;
    double *there = c->rate + s->n, sum = 0.0;
    for (int i = 0; i < s->n; i++) {
        c->try[i] = y[i] + dt * f[i];
    }
    if (s->f(s->ctx, t + dt, c->try, there, &c->error) != SP_OK) {
        return NAN;
    }
    for (int i = 0; i < s->n; i++) {
        const double e = (there[i] - f[i]) / dt * weight[i];
        sum += e * e;
    }
    return sqrt(sum / s->n);
}

/* A first step whose error y'' dt^2 / 2 is what is allowed.  CVODE's own guess is no longer than
 * what changes components that begin at zero, works among them, by the error. */
static sp_status guess_first(cvode *c, double t, sp_error *err)
{
    const sp_stiff_system *s = c->system;
    const double shortest = FIRST_LEAST * fmax(fabs(t), FIRST_LEAST * HORIZON);
    double dt = fmax(shortest, FIRST_LEAST);
    c->first = false;
    SP_TRY(s->f(s->ctx, t, N_VGetArrayPointer(c->y), c->rate, err));
    s->weights(s->ctx, N_VGetArrayPointer(c->y), c->rate + 2 * s->n);
    for (int k = 0; k < FIRST_TRIES; k++) {
        const double size = bend(c, t, dt), better = sqrt(2.0 / size);
        if (!isfinite(size)) {
            break; /* as short as it is, then */
        }
        dt = fmin(fmax(better, shortest), FIRST_MOST * HORIZON);
    }
    return CVodeSetInitStep(c->memory, dt) == CV_SUCCESS ? SP_OK : fail(c, "begin", err);
}

static sp_status step(void *self, double t_stop, double *t, double *y, sp_error *err)
{
    cvode *c = self;
    const double t_old = *t;
    c->status = SP_OK;
    if (c->first) {
        SP_TRY(guess_first(c, t_old, err));
    }
    const double far = t_old + HORIZON; /* of the first step alone */
    if (CVodeSetStopTime(c->memory, t_stop) != CV_SUCCESS ||
        CVode(c->memory, far, c->y, t, CV_ONE_STEP) < 0) {
        return fail(c, "take a step", err);
    }
    if (!(*t - t_old > SHORTEST * fabs(t_old)) && *t < t_stop) {
        return fail(c, "take a step that the clock resolves", err);
    }
    memcpy(y, N_VGetArrayPointer(c->y), (size_t)c->system->n * sizeof(double));
    return SP_OK;
}

static sp_status dense(void *self, double t, double *y, sp_error *err)
{
    cvode *c = self;
    c->status = SP_OK;
    if (CVodeGetDky(c->memory, t, 0, c->y) != CV_SUCCESS) {
        return fail(c, "look into its step", err);
    }
    memcpy(y, N_VGetArrayPointer(c->y), (size_t)c->system->n * sizeof(double));
    return SP_OK;
}

const sp_stiff_driver *sp_stiff_cvode(void)
{
    static const sp_stiff_driver driver = {.name = "CVODE " SUNDIALS_VERSION,
                                           .begin = begin,
                                           .restart = restart,
                                           .step = step,
                                           .dense = dense,
                                           .end = end};
    return &driver;
}

#endif
