/* contact/multiplier_cone.h - interior points for contacts of many rows.   theory (76.10) */
#ifndef SP_CONTACT_MULTIPLIER_CONE_H
#define SP_CONTACT_MULTIPLIER_CONE_H

#include "contact/multiplier_parts.h"
#include "solvers/fc_cone.h"

/* A contact, its rows in units where G has a unit diagonal: x = D P and z inside the cone, and one
 * step of them. */
typedef struct sp_multiplier_cone {
    int dim;                /* rows of the cone, 0: none                     */
    double scale[3], first; /* sqrt(G_rr); x_0 = first p_N                   */
    double x[3], z[3], dx[3], dz[3];
    double r[3], b[3]; /* xi - u(z), what x o z lacks                   */
    double H[9];       /* H x = z                                       */
    sp_fc_scaling scaling;
} sp_multiplier_cone;

/* A point near the solution, from the P of x, and P at it; Newton's method from there does the
 * rest. False: none was found. */
bool sp_multiplier_interior(const sp_multiplier_ask *ask, const sp_con *con, sp_multiplier *s,
                            sp_solution *x);

#endif
