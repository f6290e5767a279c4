/* studies/outside.h - searches of another library, one candidate after the other. */
#ifndef SP_STUDIES_OUTSIDE_H
#define SP_STUDIES_OUTSIDE_H

#include "specht/base.h"

#include <stdbool.h>

/* A search, and all candidates that have values, in coordinates from 0 to 1. */
typedef struct sp_outside {
    const char *method;
    int d;
    const double *start; /* d */
    double tolerance;
    long most; /* candidates */
    long long seed;
    bool limits;
    long n;
    const double *x, *f, *violation; /* n x d, n, n */
} sp_outside;

/* Whether there is such a method here, and it knows limits if there are some. */
sp_status sp_outside_check(const char *method, bool limits, sp_error *err);

/* The next candidate; *on: false: the search has ended. */
sp_status sp_outside_next(const sp_outside *o, double *x, bool *on, sp_error *err);

#endif
