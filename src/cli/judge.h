/* cli/judge.h - whether a run is to be doubted, and what else its user should know. */
#ifndef SP_CLI_JUDGE_H
#define SP_CLI_JUDGE_H

#include "cli/report.h"

/* The kinds of doubt in "handover,divided" (NULL: none) are accepted.  SP_E_INPUT names one that is
 * none. */
sp_status sp_judge_accept(const char *list, bool accept[SP_DOUBT_N], sp_error *err);

/* Whether there is a doubt of a kind that is not accepted; accept may be NULL. */
bool sp_judge_is_doubtful(const sp_doubt doubt[SP_DOUBT_N], const bool accept[SP_DOUBT_N]);

/* One line for each kind of doubt that there is, to stderr. */
void sp_judge_print(const sp_run_outcome *outcome);

/* What is no doubt, yet good to know, to stderr. */
void sp_judge_notes(const sp_report *report);

#endif
