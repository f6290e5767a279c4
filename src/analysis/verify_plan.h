/* analysis/verify_plan.h - which two methods are compared, and with which steps or tolerances. */
#ifndef SP_ANALYSIS_VERIFY_PLAN_H
#define SP_ANALYSIS_VERIFY_PLAN_H

#include "analysis/verify.h"

/* Methods, their runs, and what was left out, into an empty report.  SP_E_INPUT if the options are
 * out of range, or ask for a method that does not know the model. */
sp_status sp_verify_plan(const sp_model *m, const sp_verify_options *o, sp_verify_report *report,
                         sp_error *err);

/* Runs of a side with shorter steps, or smaller tolerances. */
void sp_verify_refine(sp_verify_side *side, double factor);

#endif
