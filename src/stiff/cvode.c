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

#define SHORTEST (8.0 * DBL_EPSILON) /* of t: a shorter step leads nowhere */

typedef struct cvode {
    const sp_stiff_system *system;
    SUNContext context;
    void *memory;
    N_Vector y;
    double *try; /* y + correction while it is being projected */
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
    free(c);
}

/* Everything CVODE wants to be told; false if it does not take it. */
static bool set_up(cvode *c, double t, const double *y)
{
    const sp_stiff_system *s = c->system;
    c->try = malloc((size_t)s->n * sizeof(double));
    if (!c->try || SUNContext_Create(NULL, &c->context) != 0) {
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

/* ---- steps ----------------------------------------------------------------------------------- */

/* What went wrong, in our words. */
static sp_status fail(const cvode *c, const char *doing, sp_error *err)
{
    const sp_status status = c->status == SP_OK ? SP_E_NOT_CONVERGED : c->status;
    double t = 0.0;
    CVodeGetCurrentTime(c->memory, &t);
    return SP_FAIL(err, status, "t = %.9g s: CVODE could not %s: %.300s", t, doing, c->error.text);
}

static sp_status step(void *self, double t_stop, double *t, double *y, sp_error *err)
{
    cvode *c = self;
    const double t_old = *t;
    c->status = SP_OK;
    if (CVodeSetStopTime(c->memory, t_stop) != CV_SUCCESS ||
        CVode(c->memory, t_stop, c->y, t, CV_ONE_STEP) < 0) {
        return fail(c, "take a step", err);
    }
    if (!(*t - t_old > SHORTEST * fabs(t_old)) && *t < t_stop) {
        return fail(c, "take a step that the clock can tell", err);
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
                                           .step = step,
                                           .dense = dense,
                                           .end = end};
    return &driver;
}

#endif
