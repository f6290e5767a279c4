/* kinematics/wedge.c - the kind of bodies in the plane that are rigid there and of which a part
 * moves along the normal of the plane.   theory (104.1)-(104.3) */
#include "model/wedge.h"

#include "kinematics/kind.h"

#include <string.h>

enum { FRAME = 6 };

/* What moves along z moves nothing in the plane. */
static void place(const void *form, void *memo, const double *at, const double *shape,
                  const double *q, const double *u, sp_deformed *out)
{
    const sp_wedge *w = form;
    (void)memo;
    const sp_vec3 none = {0.0, 0.0, 0.0};
    (void)shape;
    (void)q;
    (void)u;
    out->at = sp_vec3_of(at);
    out->R = sp_rot3_one();
    out->bias = out->spin_bias = none;
    for (int k = 0; k < w->n; k++) {
        out->phi[k] = out->psi[k] = none;
    }
}

/* [m, -m c~; m c~, J] of the whole body, and the masses of the own coordinates beside it. */
static void inertia(const void *form, void *memo, const double *q, double *M)
{
    const sp_wedge *w = form;
    (void)memo;
    const size_t n = (size_t)(FRAME + w->n);
    const double x = w->mass * w->center[0], y = w->mass * w->center[1];
    (void)q;
    memset(M, 0, n * n * sizeof *M);
    M[0] = M[n + 1] = M[2 * n + 2] = w->mass;
    M[5 * n + 5] = w->inertia + x * w->center[0] + y * w->center[1];
    M[5] = M[5 * n] = -y;
    M[n + 5] = M[5 * n + 1] = x;
    for (size_t k = 0; k < (size_t)w->n; k++) {
        M[(FRAME + k) * n + FRAME + k] = w->m[k];
    }
}

/* The centre of mass turns about the origin; springs, dampers and the force along z. */
static void forces(const void *form, void *memo, const double *q, const double *u, sp_vec3 omega,
                   double *h, double *d)
{
    const sp_wedge *w = form;
    (void)memo;
    for (int i = 0; i < 2; i++) {
        h[i] += w->mass * omega.z * omega.z * w->center[i];
    }
    for (int k = 0; k < w->n; k++) {
        h[FRAME + k] -= w->force[k] + w->k[k] * q[k];
        d[FRAME + k] -= w->d[k] * u[k];
    }
}

static double energy(const void *form, const double *q)
{
    const sp_wedge *w = form;
    double U = 0.0;
    for (int k = 0; k < w->n; k++) {
        U += (w->force[k] + 0.5 * w->k[k] * q[k]) * q[k];
    }
    return U;
}

static void stiffness(const void *form, const double *q, double *K, double *D)
{
    const sp_wedge *w = form;
    const size_t n = (size_t)w->n;
    (void)q;
    memset(K, 0, n * n * sizeof *K);
    memset(D, 0, n * n * sizeof *D);
    for (size_t k = 0; k < n; k++) {
        K[k * n + k] = w->k[k];
        D[k * n + k] = w->d[k];
    }
}

const sp_body_kind sp_wedge_kind = {.name = "wedge",
                                    .place = place,
                                    .inertia = inertia,
                                    .forces = forces,
                                    .energy = energy,
                                    .stiffness = stiffness};
