/* cli/verify_report.h - what specht verify tells: a verdict, the numbers behind it, for people and
 * for programs. */
#ifndef SP_CLI_VERIFY_REPORT_H
#define SP_CLI_VERIFY_REPORT_H

#include "analysis/verify.h"
#include "cli/machine.h"

void sp_verify_print_text(const sp_machine *machine, const sp_verify_report *report);
void sp_verify_print_json(const sp_model *m, const sp_verify_report *report);

#endif
