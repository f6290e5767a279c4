/* cli/report.h - what a run came to, for people and for programs. */
#ifndef SP_CLI_REPORT_H
#define SP_CLI_REPORT_H

#include "cli/machine.h"

typedef struct sp_report {
    const char *file; /* result, NULL if there is none      */
    sp_run_options options;
    sp_run_outcome outcome;
    double *measure;         /* of the model, NULL: it has none */
    bool accept[SP_DOUBT_N]; /* kinds of doubt that leave the exit code 0 */
} sp_report;

/* "name   3 dof, 4 contacts   moreau, step 1e-05 s" */
void sp_report_header(const sp_machine *machine, const sp_run_options *options);

/* Steps, energies, certificate, file and what can be done with it; the message is not printed. */
void sp_report_text(const sp_model *model, const sp_report *report);

/* All of it as one JSON object. */
void sp_report_json(const sp_machine *machine, const sp_report *report, sp_work *work);

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
