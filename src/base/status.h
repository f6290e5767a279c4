/* base/status.h - how library code fails: one status, one sentence. */
#ifndef SP_BASE_STATUS_H
#define SP_BASE_STATUS_H

#include "specht/base.h"

/* Fill err (may be NULL) and return status.  Used through SP_FAIL. */
sp_status sp_fail(sp_error *err, sp_status status, const char *func, const char *fmt, ...)
    SP_PRINTF(4, 5);

#define SP_FAIL(err, status, ...) sp_fail((err), (status), __func__, __VA_ARGS__)

/* Return from the calling function if call failed. */
#define SP_TRY(call)                                                                               \
    do {                                                                                           \
        const sp_status sp_try_status_ = (call);                                                   \
        if (sp_try_status_ != SP_OK) {                                                             \
            return sp_try_status_;                                                                 \
        }                                                                                          \
    } while (0)

#endif
