/* analysis/measure.h - the measures of a model, and what studies sample, computed while it runs.
 *
 *     sp_measures *ms;
 *     SP_TRY(sp_measures_new(m, x, w, from, &sampler, &ms, err));
 *     observer[n++] = sp_measures_observer(ms);           of sp_integrate with this x and w
 *     sp_measures_values(ms, value);
 *     sp_measures_free(ms);
 *
 * Memory does not depend on the length of the run.  Over smooth motion integrals and peaks are
 * those of polynomials of degree 8 through the motion, on parts of steps on which the polynomial
 * leaves out less than 1e-9 of the largest value, at least 1/1024 of a step; over time steps the
 * trapezoidal rule and the largest of their ends.   theory (80.1)-(80.5) */
#ifndef SP_ANALYSIS_MEASURE_H
#define SP_ANALYSIS_MEASURE_H

#include "run/run.h"

typedef struct sp_measures sp_measures;

/* Who takes the samples: n values of the moment t. */
typedef struct sp_sampler {
    sp_status (*take)(void *ctx, double t, int n, const double *value, sp_error *err);
    void *ctx;
} sp_sampler;

/* Measures of the run of x with w from time `from` on; sampler may be NULL. */
sp_status sp_measures_new(const sp_model *m, sp_state *x, sp_work *w, double from,
                          const sp_sampler *sampler, sp_measures **measures, sp_error *err);
void sp_measures_free(sp_measures *measures); /* NULL is allowed */

sp_observer sp_measures_observer(sp_measures *measures);

/* The n_measure values up to now; not a number before `from`. */
void sp_measures_values(const sp_measures *measures, double *value);

#endif
