/* analysis/verify_size.h - what differences of coordinates are measured by. */
#ifndef SP_ANALYSIS_VERIFY_SIZE_H
#define SP_ANALYSIS_VERIFY_SIZE_H

#include "model/model.h"

#define SP_VERIFY_BESIDE                                                                           \
    1e-6 /* of what turns or ways move points by: others count from here on                        \
          */
#define SP_VERIFY_LEAST                                                                            \
    1e-9 /* of the longest arm, and of 1 rad: coordinates below are round-off                      \
          */

/* What differences of coordinate k are measured by: the largest with its unit, angles up to 1 rad;
 * where angles, or ways, are but the round-off of the others, a part of what these do, and no
 * coordinate is less than round-off of the machine's lengths.   theory (51.4), (55.1) */
double sp_verify_size(const sp_model *m, int k, int n, const double *q, bool rates);

#endif
