#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>

const char *sp_status_text(sp_status status)
{
    switch (status) {
    case SP_OK:
        return "ok";
    case SP_E_INPUT:
        return "bad input";
    case SP_E_IO:
        return "file error";
    case SP_E_MEMORY:
        return "out of memory";
    case SP_E_CAPACITY:
        return "limit reached";
    case SP_E_NOT_CONVERGED:
        return "contact problem not solved";
    case SP_E_INFEASIBLE:
        return "contact problem without solution";
    case SP_E_NONFINITE:
        return "not a finite number";
    case SP_E_INTERRUPTED:
        return "interrupted";
    }
    return "unknown status";
}

const char *sp_version(void)
{
    return SP_VERSION;
}

sp_status sp_fail(sp_error *err, sp_status status, const char *func, const char *fmt, ...)
{
    if (err) {
        va_list args;
        va_start(args, fmt);
        vsnprintf(err->text, sizeof err->text, fmt, args);
        va_end(args);
        err->status = status;
        err->file[0] = '\0';
        err->line = 0;
        err->column = 0;
        err->func = func;
    }
    return status;
}
