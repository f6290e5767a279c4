/* solvers/fc_lanes_measure.h - the measure of four contacts of rigid bodies at a time.  Included by
 * the kernels only; the same numbers as sp_fc_residuals from the problem, rounding aside. */
#ifndef SP_SOLVERS_FC_LANES_MEASURE_H
#define SP_SOLVERS_FC_LANES_MEASURE_H

#include "solvers/fc_island.h"
#include "solvers/fc_lanes.h"
#include "solvers/fc_measure.h"

/* Four contacts as their rows see them: u = D (v + w x arm - ...) + c, all scaled by d. */
typedef struct sp_lanes_seen {
    four D[3][3], arm[2][3], c[3], v[2][DOF], mu, d;
} sp_lanes_seen;

/* |x| and the larger one in lanes. */
#define ABS4(x)    PICK((x) < zero, -(x), (x))
#define MAX4(a, b) PICK((a) > (b), (a), (b))
#define MIN4(a, b) PICK((a) < (b), (a), (b))

/* Square roots in lanes. */
SP_INLINE void sp_lanes_roots(four *x)
{
    SP_UNROLL
    for (int l = 0; l < LANES; l++) {
        (*x)[l] = sqrt((*x)[l]);
    }
}

/* u_a = c_a + D_a . (v_1 - v_2) + (r_1 x D_a) . w_1 - (r_2 x D_a) . w_2, and the sum of the
 * absolute values of these products. */
SP_INLINE void sp_lanes_see_row(const sp_lanes_seen *z, int a, four *u, four *terms)
{
    const four zero = {0.0, 0.0, 0.0, 0.0}, *D = z->D[a];
    *u = z->c[a];
    *terms = ABS4(*u);
    SP_UNROLL
    for (int k = 0; k < 3; k++) {
        const int m = (k + 1) % 3, n = (k + 2) % 3;
        SP_UNROLL
        for (int side = 0; side < 2; side++) {
            const four *r = z->arm[side], H = r[m] * D[n] - r[n] * D[m];
            const four linear = D[k] * z->v[side][k], angular = H * z->v[side][3 + k];
            *u = side ? *u - (linear + angular) : *u + (linear + angular);
            *terms += ABS4(linear) + ABS4(angular);
        }
    }
}

/* u (3) and the largest over the rows of the sums of absolute terms. */
SP_INLINE void sp_lanes_see_terms(const sp_lanes_seen *z, four *u, four *terms)
{
    SP_UNROLL
    for (int a = 0; a < 3; a++) {
        four sum;
        sp_lanes_see_row(z, a, &u[a], &sum);
        *terms = a == 0 ? sum : MAX4(*terms, sum);
    }
}

/* |P - prox_K(P - U~)|^2 with P = d p, U = u / d and unit parameter, added up. */
SP_INLINE void sp_lanes_unit_defect(const sp_lanes_seen *z, const four *p, const four *u,
                                    sp_fc_sum *sum)
{
    const four zero = {0.0, 0.0, 0.0, 0.0}, one = zero + 1.0, mu = z->mu;
    four P[3], U[3], x[3];
    SP_UNROLL
    for (int a = 0; a < 3; a++) {
        P[a] = z->d * p[a];
        U[a] = u[a] / z->d;
        x[a] = P[a] - U[a];
    }
    four slide = U[1] * U[1] + U[2] * U[2], len = x[1] * x[1] + x[2] * x[2];
    sp_lanes_roots(&slide);
    sp_lanes_roots(&len);
    x[0] -= mu * slide;
    const mask inside = (len <= mu * x[0]) & (x[0] >= zero), polar = ~inside & (mu * len <= -x[0]);
    const four normal = (x[0] + mu * len) / (one + mu * mu);
    const four shrink = mu * normal / PICK(len > zero, len, one);
    const four N = PICK(inside, x[0], PICK(polar, zero, normal));
    const four T = PICK(inside, one, PICK(polar, zero, shrink));
    const four e[3] = {P[0] - N, P[1] - T * x[1], P[2] - T * x[2]};
    const four all = e[0] * e[0] + e[1] * e[1] + e[2] * e[2];
    sum->sum += (all[0] + all[1]) + (all[2] + all[3]);
}

/* max |p - prox(p - u)| over its size, the worst so far kept. */
SP_INLINE void sp_lanes_natural_defect(const sp_lanes_seen *z, const four *p, const four *u,
                                       const four *terms, sp_fc_sum *sum)
{
    const four zero = {0.0, 0.0, 0.0, 0.0}, one = zero + 1.0;
    const four x0 = p[0] - u[0], x1 = p[1] - u[1], x2 = p[2] - u[2];
    const four N = PICK(x0 > zero, x0, zero), r = z->mu * N;
    four len = x1 * x1 + x2 * x2;
    sp_lanes_roots(&len);
    const mask out = len > r;
    const four shrink = PICK(out, r / PICK(out, len, one), one);
    const four e0 = p[0] - N, e1 = p[1] - shrink * x1, e2 = p[2] - shrink * x2;
    const four defect = MAX4(MAX4(ABS4(e0), ABS4(e1)), ABS4(e2)), most = zero + 10.0 * sum->worth;
    const four least = z->d * sum->xi_scale, inner = MIN4(*terms, most);
    const four size = MAX4(inner, least);
    const four all = (defect + SP_FC_ROUNDING * *terms) / (size + 1e-300);
    SP_UNROLL
    for (int l = 0; l < LANES; l++) {
        sum->worst = all[l] > sum->worst ? all[l] : sum->worst;
        sum->sum += 0.0 * (u[0][l] + p[0][l]);
    }
}

/* Add four contacts with percussions p (3). */
SP_INLINE void sp_lanes_measure(const sp_lanes_seen *z, const four *p, sp_fc_sum *sum)
{
    four u[3], terms;
    sp_lanes_see_terms(z, u, &terms);
    if (sum->measure == SP_FC_FCLIB) {
        sp_lanes_unit_defect(z, p, u, sum);
    } else {
        sp_lanes_natural_defect(z, p, u, &terms, sum);
    }
}

#endif
