/* integrators/stiff.h - what an integrator for stiff equations looks like.  The core has none: the
 * program that has one hands it in with the options of a run. */
#ifndef SP_INTEGRATORS_STIFF_H
#define SP_INTEGRATORS_STIFF_H

#include "base/status.h"
#include "specht/run.h"

/* The equations y' = f(t, y) as such an integrator sees them; n components. */
typedef struct sp_stiff_system {
    void *ctx; /* handed to the callbacks */
    int n;

    /* SP_E_NONFINITE makes the step shorter, any other failure ends it with that status. */
    sp_status (*f)(void *ctx, double t, const double *y, double *dydt, sp_error *err);

    /* One over the error that is allowed in each component, > 0. */
    void (*weights)(void *ctx, const double *y, double *weight);

    /* Move y back onto constraints; NULL: there are none. */
    sp_status (*project)(void *ctx, double t, double *y, sp_error *err);
} sp_stiff_system;

struct sp_stiff_driver {
    const char *name; /* "CVODE 6.4.1" */

    /* Memory for the system, which stays where it is, and the start at (t, y).  On failure *self is
     * NULL. */
    sp_status (*begin)(const sp_stiff_system *system, double t, const double *y, void **self,
                       sp_error *err);

    /* Start anew at (t, y), as begin would. */
    sp_status (*restart)(void *self, double t, const double *y, sp_error *err);

    /* One step from *t, not past t_stop: *t and y are its end. */
    sp_status (*step)(void *self, double t_stop, double *t, double *y, sp_error *err);

    /* y at a time in the last step. */
    sp_status (*dense)(void *self, double t, double *y, sp_error *err);

    void (*end)(void *self); /* NULL is allowed */
};

#endif
