/* certify/certificate.h - how well a contact solution holds, from the definition.
 *
 * The first four numbers have no unit and do not change with the choice of units.  With the
 * per-contact scale rho_i = 1 / G_NN of the contact and the caller's velocity xi_scale, the size of
 * an impulse at contact i is rho_i xi_scale:
 *
 *   complementarity  max_i |P_i - prox_{C_i}(P_i - rho_i xi_i)| / (rho_i xi_scale)
 *   cone             max_i distance of P_i to C_i               / (rho_i xi_scale)
 *   dissipation      max_i |sup_{y in C_i} -xi_i.y + xi_i.P_i|   / (rho_i xi_scale^2)
 *                    (what is missing to maximal dissipation; also P_N xi_N = 0)
 *   momentum         |M du - h dt - W P| row by row, over the sizes of its terms
 *   gap              deepest penetration, or largest error of a loop, m; filled by the caller
 *
 * NaN or infinity in any input gives NaN, never a small number.  Nothing here comes from a solver.
 */
#ifndef SP_CERTIFY_CERTIFICATE_H
#define SP_CERTIFY_CERTIFICATE_H

#include "laws/set.h"

#include <stdbool.h>

/* What counts as certified: complementarity, cone and momentum of every step. */
#define SP_CERTIFIED 1e-8

typedef struct sp_certificate {
    double complementarity, cone, dissipation, momentum, gap;
    int at; /* 1 + the worst contact where complementarity or cone are not certified, else 0 */
} sp_certificate;

/* Fill complementarity, cone and dissipation of c, and which contact is the worst.
 *   P, xi  rows of all contacts; xi recomputed by the caller from the end velocity
 *   rho    n_contact, > 0;  xi_scale > 0 */
void sp_certify_contacts(int n_contact, const sp_set *set, const int *row, const double *P,
                         const double *xi, const double *rho, double xi_scale, sp_certificate *c);

/* Fill momentum of c, row by row, so that no units mix: the defect of row k over the root of the
 * sum of the squares of its terms and of size2[k] >= 0, the square of the momentum that du is a
 * small difference of. */
void sp_certify_momentum(int n, const double *M_du, const double *h_dt, const double *WP,
                         const double *size2, sp_certificate *c);

/* Whether no number of c is worse; false with NaN. */
static inline bool sp_certificate_is_no_worse(const sp_certificate *c, const sp_certificate *worst)
{
    return c->complementarity <= worst->complementarity && c->cone <= worst->cone &&
           c->dissipation <= worst->dissipation && c->momentum <= worst->momentum &&
           c->gap <= worst->gap;
}

/* worst <- the larger of the two, number by number; NaN is larger than everything. */
void sp_certificate_worst(sp_certificate *worst, const sp_certificate *c);

/* The largest number of a certificate that says whether it holds; NaN stays. */
double sp_certificate_residual(const sp_certificate *c);

#endif
