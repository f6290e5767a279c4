/* analysis/verify_gain.h - what refinement gains in a comparison, by its distances alone.
 * theory section 57 */
#ifndef SP_ANALYSIS_VERIFY_GAIN_H
#define SP_ANALYSIS_VERIFY_GAIN_H

#include "analysis/verify.h"

#define SP_VERIFY_APART_MOST 1e-2 /* of scale: stepped runs that differ by more show nothing */
#define SP_VERIFY_ROUND_OFF  1e-9 /* of scale: what positions are off by anyway                */
#define SP_VERIFY_GAIN_LEAST 2.0  /* by two refinements: errors of first order gain 4 and 100 */

/* The order of three errors, each with half the step or a tenth of the tolerance of the one before,
 * and half the difference of the orders of both: where impacts fall in a step is chance; NAN: the
 * finest is round-off.   theory (17.18), (57.7) */
double sp_verify_order(const double *error, bool stepped, double *spread);

/* Distance up to which runs are settled without gain, of scale.   theory (57.5) */
double sp_verify_settled(const sp_verify_side *other);

/* From the distances, change, self and energies of a report: gain, settled and unsettled.
 * theory (31.7), (51.1), (57.1)-(57.5) */
void sp_verify_judge(sp_verify_report *report);

#endif
