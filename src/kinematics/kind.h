/* kinematics/kind.h - bodies that deform: a kind of bodies is a table of functions in a file of its
 * own, which nothing else has to know.
 *
 * The frame of such a body moves as that of a rigid one.  Beyond that the body has coordinates q
 * and velocities u = q' of its own (sp_body.n_own), which move its material against the frame.  A
 * kind gives all that follows from them in the axes of the frame and about its origin; in the plane
 * z is zero, and angles of places are linear in q.   theory (2.25)-(2.32) */
#ifndef SP_KINEMATICS_KIND_H
#define SP_KINEMATICS_KIND_H

#include "math/space.h"
#include "model/bent.h"

#include <stdbool.h>
#include <stddef.h>

/* A place of the body, and how it moves against the frame. */
typedef struct sp_deformed {
    sp_vec3 at;              /* from the origin, m                                            */
    sp_rot3 R;               /* how the material there is turned against the frame            */
    sp_vec3 *phi, *psi;      /* n_own each: velocity and spin of it per unit of each u        */
    sp_vec3 bias, spin_bias; /* acceleration and angular acceleration of it for u' = 0        */
} sp_deformed;

/* A place as a function of where it is in the body at rest: itself, first and second derivatives by
 * x, y, z (xx, yy, zz, xy, xz, yz), and those of its velocity. */
typedef struct sp_strained {
    sp_vec3 at, by[3], bend[6], rate[3];
} sp_strained;

/* Of all of the body, about its origin: mass and its first moment, momentum and angular momentum,
 * the kinetic energy, and the power of the own velocities' momenta on them: sum u_k dT/du_k. */
typedef struct sp_momentum {
    double mass;
    sp_vec3 moment, p, L;
    double kinetic, own;
} sp_momentum;

/* Section forces: axial, shear (in space its size), moment (likewise), largest stress, torque, and
 * in space shear along y, z and moment about y, z of the section. */
enum { SP_SECTION = 9 };

typedef struct sp_body_kind {
    const char *name;

    /* Bytes that it may keep what it knows at the last q and u in, zero at first; 0: none.  The
     * functions get them as memo; NULL: there are none. */
    size_t memo;

    /* The place that is `at` (3) in the body at rest; shape: what sp_mark.shape has of it, or
     * NULL. */
    void (*place)(const void *form, void *memo, const double *at, const double *shape,
                  const double *q, const double *u, sp_deformed *out);

    /* Inertia over velocity and spin of the frame and u, by rows, symmetric: (6 + n_own)^2. */
    void (*inertia)(const void *form, void *memo, const double *q, double *M);

    /* Forces on the same, 6 + n_own, added: those of inertia at u and at the spin omega of the
     * frame for zero accelerations, and of what the body stores, to h; of what it damps to d. */
    void (*forces)(const void *form, void *memo, const double *q, const double *u, sp_vec3 omega,
                   double *h, double *d);

    /* What it stores, J. */
    double (*energy)(const void *form, const double *q);

    /* A place that slides along the axis of the body at this rate: phi and psi have one more entry,
     * per unit of the rate, and what the place does with its rate is in bias and spin_bias.  NULL:
     * there is no axis.   theory (97.1)-(97.3) */
    void (*slide)(const void *form, void *memo, const double *at, double rate, const double *q,
                  const double *u, sp_deformed *out);

    /* Section forces at a place of the body at rest; NULL: none. */
    void (*section)(const void *form, const double *at, const double *q, double out[SP_SECTION]);

    /* For steps that take it implicitly: symmetric positive semidefinite parts of the stiffness and
     * the damping over u, n_own x n_own each by rows, set; the second order of such steps asks for
     * the damping itself, of the stiffness an approximation will do.  NULL: steps take all of it as
     * it is at their beginning.   theory (71.1) */
    void (*stiffness)(const void *form, const double *q, double *K, double *D);

    /* The axis of a beam with its rates; NULL: it is none.   theory (98.1) */
    void (*axis)(const void *form, const double *q, const double *u, sp_bent *out);

    /* How the material about a place that is `at` at rest deforms; u NULL: rates are not asked for.
     * NULL: its faces touch nothing.   theory (98.6) */
    void (*strain)(const void *form, void *memo, const double *at, const double *q, const double *u,
                   sp_strained *out);

    /* Whether it can damp anything; NULL: it can. */
    bool (*damps)(const void *form);

    /* Momenta at u and at the velocity v and the spin omega of the frame; NULL: by the inertia. */
    void (*momentum)(const void *form, void *memo, const double *q, const double *u, sp_vec3 v,
                     sp_vec3 omega, sp_momentum *out);
} sp_body_kind;

#endif
