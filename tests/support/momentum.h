/* support/momentum.h - momenta of a kind of bodies against its inertia. */
#ifndef SP_TEST_MOMENTUM_H
#define SP_TEST_MOMENTUM_H

#include "kinematics/kind.h"
#include "support/check.h"

#include <math.h>

enum { MOMENTUM_MOST = 40 };

/* M: by rows, (6 + n)^2. */
static inline void check_momentum(const sp_body_kind *kind, const void *form, int n,
                                  const double *e, const double *u, sp_vec3 v, sp_vec3 omega,
                                  const double *M)
{
    const int all = 6 + n;
    double w[MOMENTUM_MOST] = {v.x, v.y, v.z, omega.x, omega.y, omega.z}, p[MOMENTUM_MOST] = {0.0};
    double T = 0.0, own = 0.0;
    for (int k = 0; k < n; k++) {
        w[6 + k] = u[k];
    }
    for (int i = 0; i < all; i++) {
        for (int j = 0; j < all; j++) {
            p[i] += M[i * all + j] * w[j];
        }
        T += 0.5 * w[i] * p[i];
        own += i < 6 ? 0.0 : w[i] * p[i];
    }
    sp_momentum found;
    kind->momentum(form, NULL, e, u, v, omega, &found);
    const double size = 1.0 + T;
    assert_near(found.mass, M[0], 1e-12 * M[0]);
    assert_near(found.moment.x, M[5 * all + 1], 1e-12 * size);
    assert_near(found.moment.y, -M[5 * all], 1e-12 * size);
    assert_near(found.moment.z, M[4 * all], 1e-12 * size);
    const double wanted[] = {p[0], p[1], p[2], p[3], p[4], p[5], T, own};
    const double is[] = {found.p.x, found.p.y, found.p.z,     found.L.x,
                         found.L.y, found.L.z, found.kinetic, found.own};
    for (int i = 0; i < 8; i++) {
        assert_near_scaled(is[i], wanted[i], size, 1e-12);
    }
}

#endif
