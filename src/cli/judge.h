/* cli/judge.h - whether a run counts as certified, and what else its user must know. */
#ifndef SP_CLI_JUDGE_H
#define SP_CLI_JUDGE_H

#include "cli/report.h"

/* SP_E_NOT_CONVERGED if the contact problem of a step does not hold to SP_CERTIFIED, or the energy
 * is rather the correction of positions' than the machine's. */
sp_status sp_judge_run(const sp_machine *machine, const sp_run_summary *summary, sp_error *err);

/* Things that do not end a run, as warnings; gained: kinetic energy by all impacts, J. */
void sp_judge_warn(const sp_machine *machine, const sp_report *report, double gained);

#endif
