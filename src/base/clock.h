/* base/clock.h - time that passes, for limits and reports; no result depends on it.  POSIX, so not
 * for the core: a file that includes this defines _POSIX_C_SOURCE. */
#ifndef SP_BASE_CLOCK_H
#define SP_BASE_CLOCK_H

#include <time.h>

/* Seconds since some moment, never backwards. */
static inline double sp_clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
