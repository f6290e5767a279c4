/* contact/tangent.h - the machine's equations with held rows and their derivative along one
 * direction.
 *
 *     r(q, u, a) = M(q) a - h(q, u, t) - W(q) lambda,      dr = r_q dq + r_u du
 *
 * by inverse dynamics in dual numbers (dynamics/tangent.h).   theory (14.1)-(14.3) */
#ifndef SP_CONTACT_TANGENT_H
#define SP_CONTACT_TANGENT_H

#include "contact/con.h"
#include "dynamics/tangent.h"

/* A row that is held: the normal or tangential direction of a contact, or a bilateral row. */
typedef struct sp_held_row {
    int slot;
    int part;      /* 0 normal or bilateral, 1 tangential; in space 1, 2 along t1, t2, then
                    * torques: 3 about n, 4, 5 about t1, t2                                     */
    double lambda; /* its force, N or N m                                                       */
} sp_held_row;

enum { SP_SLIDE_ROWS = 5 };

/* Friction of a contact in space that follows its velocities: parts 1 to 5 as above, velocities in
 * m/s and rad/s, forces in N and N m.   theory (24.2) */
typedef struct sp_slide {
    int slot;
    double lambda[SP_SLIDE_ROWS];
    double slope[SP_SLIDE_ROWS * SP_SLIDE_ROWS]; /* d lambda/d gamma, by rows */
} sp_slide;

/* A torque about a fixed axis of the world that holds the spin of a body about it. */
typedef struct sp_spin_row {
    int body;
    sp_vec3 axis;
    double lambda; /* N m */
} sp_spin_row;

/* Where the derivative is taken. */
typedef struct sp_tangent_point {
    sp_tangent_at at;
    const sp_con *con; /* gaps there */
    int n_row;
    const sp_held_row *row;
    int n_slide;
    const sp_slide *slide;
    int n_spin;
    const sp_spin_row *spin;
    sp_dual *gamma; /* out, n_row + n_spin, may be NULL: velocities of rows that are directions of
                     * contacts in space (m/s, rad/s), 0 of others; then spins           */
} sp_tangent_point;

/* r and dr into to->r, and what every joint has to take into to->wrench. */
void sp_tangent_look(const sp_model *m, const sp_numbers *num, const sp_tangent_point *at,
                     const double *dq, const double *du, sp_tangent *to);

#endif
