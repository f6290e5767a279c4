/* Small machines that are hit: bodies in the plane with contacts to the ground and to each other.
 */
#ifndef SP_TEST_IMPACT_CASES_H
#define SP_TEST_IMPACT_CASES_H

#include "impact/strike.h"

/* One more body with its velocities; returns its first degree of freedom. */
static inline int case_body(strike *s, double mass, double inertia, double vx, double vy, double om)
{
    const int d = s->dof;
    s->dof += 3;
    assert_true(s->dof <= STRIKE_DOF);
    s->mass[d] = s->mass[d + 1] = mass;
    s->mass[d + 2] = inertia;
    s->u_m[d] = vx;
    s->u_m[d + 1] = vy;
    s->u_m[d + 2] = om;
    return d;
}

/* A contact of the body at (x, y) from its centre with something fixed; n points at the body. */
static inline int case_contact(strike *s, int d, double x, double y, double nx, double ny,
                               double mu, double eps_N, double eps_T)
{
    const int k = strike_contact(s, sp_set_planar(mu), eps_N, eps_T);
    const double tx = ny, ty = -nx;
    s->W[d][k] = nx;
    s->W[d + 1][k] = ny;
    s->W[d + 2][k] = x * ny - y * nx;
    s->W[d][k + 1] = tx;
    s->W[d + 1][k + 1] = ty;
    s->W[d + 2][k + 1] = x * ty - y * tx;
    return k;
}

/* A uniform sphere of mass 1 and radius 1 on the ground: gamma_T = vx, normal speed -1. */
static inline void case_sphere(strike *s, double vx, double mu, double eps_N, double eps_T)
{
    memset(s, 0, sizeof *s);
    const int d = case_body(s, 1.0, 0.4, 0.3 * vx, -1.0, 0.7 * vx);
    case_contact(s, d, 0.0, -1.0, 0.0, 1.0, mu, eps_N, eps_T);
    strike_finish(s);
}

/* A uniform rod of length 2 a and mass 1 whose lower end hits the ground. */
static inline void case_rod(strike *s, double a, double angle, const double *u, double mu,
                            double eps_N, double eps_T)
{
    memset(s, 0, sizeof *s);
    const int d = case_body(s, 1.0, a * a / 3.0, u[0], u[1], u[2]);
    case_contact(s, d, -a * cos(angle), -a * sin(angle), 0.0, 1.0, mu, eps_N, eps_T);
    strike_finish(s);
}

/* A uniform block of half width b and half height h that turns about its left corner, which rests,
 * when the right one hits. */
static inline void case_block(strike *s, double b, double h, double mu, double eps_N, double eps_T)
{
    memset(s, 0, sizeof *s);
    const double om = -1.0; /* v of the centre = om x (b, h) */
    const int d = case_body(s, 1.0, (b * b + h * h) / 3.0, -om * h, om * b, om);
    case_contact(s, d, -b, -h, 0.0, 1.0, mu, eps_N, eps_T);
    case_contact(s, d, b, -h, 0.0, 1.0, mu, eps_N, eps_T);
    strike_finish(s);
}

/* A body in space with mass 1 and moments of inertia J on n feet at r that comes down on the plane
 * z = 0 with u = (v, omega). */
static inline void case_feet(strike *s, const double *J, int n, const double (*r)[3],
                             const double *u, double mu, double eps_N)
{
    static const double axis[3][3] = {{0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}};
    memset(s, 0, sizeof *s);
    s->dof = 6;
    for (int d = 0; d < 6; d++) {
        s->mass[d] = d < 3 ? 1.0 : J[d - 3];
        s->u_m[d] = u[d];
    }
    for (int i = 0; i < n; i++) {
        const int k = strike_contact(s, sp_set_disc(mu), eps_N, 0.0);
        for (int a = 0; a < 3; a++) {
            const double *e = axis[a];
            for (int d = 0; d < 3; d++) { /* e.(v + omega x r) = e.v + (r x e).omega */
                const int x = (d + 1) % 3, y = (d + 2) % 3;
                s->W[d][k + a] = e[d];
                s->W[3 + d][k + a] = r[i][x] * e[y] - r[i][y] * e[x];
            }
        }
    }
    strike_finish(s);
}

/* Three balls in a row, which touch; the first moves on with speed 1. */
static inline void case_cradle(strike *s, const double *mass, double eps_12, double eps_23)
{
    memset(s, 0, sizeof *s);
    s->dof = 3;
    memcpy(s->mass, mass, 3 * sizeof *mass);
    s->u_m[0] = 1.0;
    int k = strike_contact(s, sp_set_half_line(), eps_12, 0.0);
    s->W[0][k] = -1.0;
    s->W[1][k] = 1.0;
    k = strike_contact(s, sp_set_half_line(), eps_23, 0.0);
    s->W[1][k] = -1.0;
    s->W[2][k] = 1.0;
    strike_finish(s);
}

/* A disc that falls into a wedge whose walls rise with this angle. */
static inline void case_wedge(strike *s, double angle, double vx, double om, double mu,
                              const double *eps_N, double eps_T)
{
    memset(s, 0, sizeof *s);
    const int d = case_body(s, 1.0, 0.5, vx, -1.0, om);
    const double nx = sin(angle), ny = cos(angle);
    case_contact(s, d, -nx, -ny, nx, ny, mu, eps_N[0], eps_T);
    case_contact(s, d, nx, -ny, -nx, ny, mu, eps_N[1], eps_T);
    strike_finish(s);
}

/* The impacting stick at its first impact. */
static inline void case_stick(strike *s)
{
    const double th = 0.7914255723067399, t = 0.06027408909291651;
    memset(s, 0, sizeof *s);
    const int d = case_body(s, 1.0, 1.0 / 12.0, -0.5, 0.1 - 10.0 * t, 0.1);
    const int k = strike_contact(s, sp_set_planar(0.01), 1.0, 0.0);
    s->W[d + 1][k] = 1.0;
    s->W[d + 2][k] = 0.5 * sin(th);
    s->W[d][k + 1] = -1.0;
    s->W[d + 2][k + 1] = -0.5 * cos(th);
    strike_finish(s);
}

#endif
