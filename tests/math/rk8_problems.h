/* Problems with known answers, and how to run them: for the tests of math/rk8.h. */
#ifndef RK8_PROBLEMS_H
#define RK8_PROBLEMS_H

#include "math/rk8.h"

#include "support/check.h"

#define RK8_PI 3.14159265358979323846

/* ---- problems with known answers -------------------------------------------------------- */

/* What the right-hand sides below may want to know, and how often they were called. */
typedef struct problem {
    double rate;
    int calls;
    sp_status failure;
} problem;

/* y' = rate y */
static inline sp_status exponential(void *ctx, double t, const double *y, double *dydt,
                                    sp_error *err)
{
    (void)t, (void)err;
    dydt[0] = ((problem *)ctx)->rate * y[0];
    return SP_OK;
}

/* x'' = -x */
static inline sp_status oscillator(void *ctx, double t, const double *y, double *dydt,
                                   sp_error *err)
{
    (void)t, (void)err;
    ((problem *)ctx)->calls++;
    dydt[0] = y[1];
    dydt[1] = -y[0];
    return SP_OK;
}

/* phi'' = -sin phi */
static inline sp_status pendulum(void *ctx, double t, const double *y, double *dydt, sp_error *err)
{
    (void)ctx, (void)t, (void)err;
    dydt[0] = y[1];
    dydt[1] = -sin(y[0]);
    return SP_OK;
}

/* Two bodies with mu = 1, in the plane. */
static inline sp_status kepler(void *ctx, double t, const double *y, double *dydt, sp_error *err)
{
    (void)ctx, (void)t, (void)err;
    const double r = hypot(y[0], y[1]), k = -1.0 / (r * r * r);
    dydt[0] = y[2];
    dydt[1] = y[3];
    dydt[2] = k * y[0];
    dydt[3] = k * y[1];
    return SP_OK;
}

/* A satellite of earth and moon in the rotating frame. */
static inline sp_status arenstorf(void *ctx, double t, const double *y, double *dydt, sp_error *err)
{
    (void)ctx, (void)t, (void)err;
    const double m = 0.012277471, e = 1.0 - m;
    const double d1 = pow(hypot(y[0] + m, y[1]), 3.0), d2 = pow(hypot(y[0] - e, y[1]), 3.0);
    dydt[0] = y[2];
    dydt[1] = y[3];
    dydt[2] = y[0] + 2.0 * y[3] - e * (y[0] + m) / d1 - m * (y[0] - e) / d2;
    dydt[3] = y[1] - 2.0 * y[2] - e * y[1] / d1 - m * y[1] / d2;
    return SP_OK;
}

/* y' = rate (y - cos t) - sin t, whose solution from y(0) = 1 is cos t for every rate. */
static inline sp_status stiff(void *ctx, double t, const double *y, double *dydt, sp_error *err)
{
    (void)err;
    dydt[0] = ((problem *)ctx)->rate * (y[0] - cos(t)) - sin(t);
    return SP_OK;
}

/* State of the Kepler problem with a = 1 and excentricity e at time t, from the perihelion. */
static inline void kepler_exact(double e, double t, double *y)
{
    double E = t;
    for (int k = 0; k < 100; k++) {
        E -= (E - e * sin(E) - t) / (1.0 - e * cos(E));
    }
    const double b = sqrt(1.0 - e * e), rate = 1.0 / (1.0 - e * cos(E));
    y[0] = cos(E) - e;
    y[1] = b * sin(E);
    y[2] = -sin(E) * rate;
    y[3] = b * cos(E) * rate;
}

/* Period of the pendulum with amplitude a, by the arithmetic-geometric mean. */
static inline double pendulum_period(double a)
{
    double x = 1.0, y = cos(0.5 * a);
    for (int k = 0; k < 10; k++) {
        const double mean = 0.5 * (x + y);
        y = sqrt(x * y);
        x = mean;
    }
    return 2.0 * RK8_PI / x;
}

/* ---- running ---------------------------------------------------------------------------- */

typedef union memory {
    double align;
    unsigned char bytes[4096];
} memory;

static inline sp_rk8 *place(memory *m, int n)
{
    assert_true(sp_rk8_bytes(n) <= sizeof m->bytes);
    return sp_rk8_place(n, m->bytes);
}

static inline sp_rk8_options tolerance(double tol)
{
    sp_rk8_options o = sp_rk8_options_default();
    o.rtol = o.atol = tol;
    return o;
}

static inline void run_to(sp_rk8 *rk, const sp_rk8_system *s, double t_end)
{
    sp_error err;
    while (rk->t < t_end) {
        if (sp_rk8_step(rk, s, t_end, &err)) {
            fail_msg("%s", err.text);
        }
    }
}

/* Largest difference of n numbers. */
static inline double distance(int n, const double *a, const double *b)
{
    double worst = 0.0;
    for (int i = 0; i < n; i++) {
        worst = check_worse(worst, fabs(a[i] - b[i]));
    }
    return worst;
}

/* Steps of the length dt, whatever the error. */
static inline sp_rk8_options equal_steps(double dt)
{
    return (sp_rk8_options){.rtol = 0.5, .atol = 1e6, .dt_max = dt, .dt_first = dt};
}

#endif
