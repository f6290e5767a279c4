/* cli/open.h - what all commands that read results share. */
#ifndef SP_CLI_OPEN_H
#define SP_CLI_OPEN_H

#include "specht/result.h"

/* Open a result and say on stderr in what way it is not whole.  NULL: the reason is printed. */
sp_result *sp_cli_open(const char *path);

/* Print the error if there is one and return the exit code: a name that is none is the user's
 * mistake, a file that cannot be written is not. */
int sp_cli_finish(sp_status status, const sp_error *err);

#endif
