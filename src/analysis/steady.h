/* analysis/steady.h - small motions about a steady motion, as equations of first order:
 *
 *     dq' = du - P dq,   M (du' + T du) + D du + K dq = B^T dlambda,   A_N dq = 0,   A du + A_q dq
 * = 0
 *
 * Rolling holds velocities, not places, and a body that turns steadily has constant coefficients in
 * axes that stand, or turn along, alone.   theory (24.3)-(24.8) */
#ifndef SP_ANALYSIS_STEADY_H
#define SP_ANALYSIS_STEADY_H

#include "analysis/linear.h"

/* The axes in which bodies that hang free on the ground are described. */
typedef enum sp_axes {
    SP_AXES_GROUND,  /* standing: bodies that are round about the axis they turn about  */
    SP_AXES_TURNING, /* turning along with the one spin that all of them have           */
    SP_AXES_OWN      /* coordinates as they are: the motion is not steady in any of them */
} sp_axes;

typedef struct sp_steady {
    sp_axes axes;
    int n_place, n; /* of y; of x = (y, v) together                                     */
    double *Z;      /* n_place x n_free: dq = C^-T Z^T y                                */
    bool is_steady; /* coefficients and velocities stay what they are                   */
    double *F;      /* n x n: x' = F x                                                  */
    double change;  /* largest change of the coefficients per radian or e-fold, relative */
} sp_steady;

/* F at x; l is looked at anew and its accelerations are those of the machine.  Memory is that of l.
 */
sp_status sp_steady_find(sp_linear *l, const sp_state *x, sp_steady *steady, sp_error *err);

/* The displacement C^-T Z^T y over all degrees of freedom. */
void sp_steady_expand(const sp_linear *l, const sp_steady *steady, const double *y, double *dx);

#endif
