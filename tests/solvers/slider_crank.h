/* The slider-crank with clearance of [FLG10] from its printed formulas: eqs. (90)-(113), table
 * 1, play 1 mm on each side. */
#ifndef SP_TEST_SLIDER_CRANK_H
#define SP_TEST_SLIDER_CRANK_H

#include <math.h>

enum { CORNERS = 4 };

static const double l1 = 0.153, l2 = 0.306, half_a = 0.05, half_b = 0.025, play = 0.001;
static const double m1 = 0.038, m2 = 0.038, m3 = 0.076, J1 = 7.4e-5, J2 = 5.9e-4, J3 = 2.7e-6;

/* Inverse of M (3 x 3, symmetric; M13 = M23 = 0). */
static inline void crank_inverse_mass(const double *q, double *M_inv)
{
    const double M11 = J1 + (m1 / 4.0 + m2 + m3) * l1 * l1;
    const double M22 = J2 + (m2 / 4.0 + m3) * l2 * l2;
    const double M12 = (m2 / 2.0 + m3) * l1 * l2 * cos(q[0] - q[1]);
    const double det = M11 * M22 - M12 * M12;
    const double inv[9] = {M22 / det, -M12 / det, 0.0, -M12 / det, M11 / det,
                           0.0,       0.0,        0.0, 1 / J3};
    for (int k = 0; k < 9; k++) {
        M_inv[k] = inv[k];
    }
}

/* h (3). */
static inline void crank_forces(const double *q, const double *u, double *h)
{
    const double couple = (m2 / 2.0 + m3) * l1 * l2 * sin(q[1] - q[0]), g = 9.81;
    h[0] = couple * u[1] * u[1] - (m1 / 2.0 + m2 + m3) * g * l1 * cos(q[0]);
    h[1] = -couple * u[0] * u[0] - (m2 / 2.0 + m3) * g * l2 * cos(q[1]);
    h[2] = 0.0;
}

/* Gaps (4) and directions W (8 columns N1 T1 N2 T2 ..., each 3 long). */
static inline void crank_contacts(const double *q, double *gap, double W[8][3])
{
    const double y = l1 * sin(q[0]) + l2 * sin(q[1]), s = sin(q[2]), c = cos(q[2]);
    for (int i = 0; i < CORNERS; i++) {
        const double up = i < 2 ? 1.0 : -1.0;         /* upper or lower guide */
        const double right = i % 2 == 1 ? 1.0 : -1.0; /* right or left corner */
        gap[i] = half_b + play - up * y - up * right * half_a * s - half_b * c;
        W[2 * i][0] = -up * l1 * cos(q[0]);
        W[2 * i][1] = -up * l2 * cos(q[1]);
        W[2 * i][2] = -up * right * half_a * c + half_b * s;
        W[2 * i + 1][0] = -l1 * sin(q[0]);
        W[2 * i + 1][1] = -l2 * sin(q[1]);
        W[2 * i + 1][2] = -right * half_a * s - up * half_b * c;
    }
}

/* G = W' M^-1 W for n directions; gamma = W'u. */
static inline void crank_delassus(int n, double (*const *W)[3], const double *M_inv, double *G)
{
    for (int a = 0; a < n; a++) {
        for (int b = 0; b < n; b++) {
            G[a * n + b] = 0.0;
            for (int i = 0; i < 3; i++) {
                for (int j = 0; j < 3; j++) {
                    G[a * n + b] += (*W[a])[i] * M_inv[3 * i + j] * (*W[b])[j];
                }
            }
        }
    }
}

static inline double crank_velocity(const double *w, const double *u)
{
    return w[0] * u[0] + w[1] * u[1] + w[2] * u[2];
}

#endif
