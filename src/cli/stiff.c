#include "cli/stiff.h"

#include "stiff/cvode.h"

const sp_stiff_driver *sp_cli_stiff(void)
{
    return sp_stiff_cvode();
}
