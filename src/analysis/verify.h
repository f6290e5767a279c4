/* analysis/verify.h - one machine by two kinds of methods: how far their runs agree.
 *
 * The reference goes from event to event (smooth motion without contacts, adaptive steps where
 * events are not known, moreau where neither is), at a tolerance and at a hundredth of it;
 * moreau-mean is run with three steps, each half of the one before, and before methods are said to
 * contradict each other once more with steps of an eighth.  Other methods can be asked for.
 * theory (17.16)-(17.19), section 57 */
#ifndef SP_ANALYSIS_VERIFY_H
#define SP_ANALYSIS_VERIFY_H

#include "run/run.h"
#include "specht/verify.h"

/* Run and compare.  stepped is the model of the stepped runs, the same one unless a test wants it
 * otherwise.  SP_E_INPUT if the options are out of range, or a
 * method that is asked for does not know the model; that runs end early is a result. */
sp_status sp_verify(const sp_model *m, const sp_model *stepped, const sp_verify_options *options,
                    const sp_allocator *allocator, sp_verify_report *report, sp_error *err);

/* The verdict: headline, "status" and exit code follow from it alone. */
sp_verdict sp_verdict_of(const sp_verify_report *report);

/* Until when the methods agree, s; NAN where that is not shown. */
double sp_verify_agrees_until(const sp_verify_report *report);

#endif
