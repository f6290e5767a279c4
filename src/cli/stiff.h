/* cli/stiff.h - who integrates stiff machines in this program. */
#ifndef SP_CLI_STIFF_H
#define SP_CLI_STIFF_H

#include "specht/run.h"

/* CVODE of SUNDIALS, NULL where the program was built without it. */
const sp_stiff_driver *sp_cli_stiff(void);

#endif
