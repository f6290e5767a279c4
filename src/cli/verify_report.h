/* cli/verify_report.h - what specht verify tells: a verdict, the numbers behind it, for people and
 * for programs. */
#ifndef SP_CLI_VERIFY_REPORT_H
#define SP_CLI_VERIFY_REPORT_H

#include "analysis/verify.h"
#include "cli/machine.h"

typedef enum {
    SP_VERDICT_AGREEMENT,
    SP_VERDICT_SEVERAL,      /* agreement until the machine has several motions     */
    SP_VERDICT_UNSETTLED,    /* neither agreement nor contradiction is shown        */
    SP_VERDICT_ONE_METHOD,   /* nothing to compare with                             */
    SP_VERDICT_NOT_VERIFIED, /* a run ended early or is not certified: exit code 1  */
    SP_VERDICT_CONTRADICTION /* exit code 1                                         */
} sp_verdict;

/* The verdict: headline, "status" and exit code follow from it alone. */
sp_verdict sp_verdict_of(const sp_verify_report *report);

/* Until when the methods agree, s; NAN where that is not shown. */
double sp_verify_agrees_until(const sp_verify_report *report);

void sp_verify_print_text(const sp_machine *machine, const sp_verify_report *report);
void sp_verify_print_json(const sp_model *m, const sp_verify_report *report);

#endif
