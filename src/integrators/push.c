#include "integrators/push.h"

#include "integrators/motion.h"

#include <math.h>
#include <string.h>

double sp_push(const sp_model *m, const sp_state *x, double dt, const unsigned char *kind,
               const double *size_u, sp_work *w)
{
    sp_error err;
    double most = 0.0;
    memcpy(w->q, x->q, (size_t)m->n_q * sizeof(double));
    sp_kin_advance(m, 0.5 * dt, x->u, w->q);
    sp_motion_place(m, x->t + 0.5 * dt, &w->dyn, w->q);
    w->dyn.z = x->z;
    sp_dyn_terms(m, x->numbers, x->t + 0.5 * dt, w->q, x->u, &w->kin, &w->dyn);
    if ((m->n_motion > 0 ? sp_dyn_factor_held(m, w->held, &w->dyn, &err)
                         : sp_dyn_factor(m, &w->dyn, &err)) != SP_OK) {
        return NAN;
    }
    for (int k = 0; k < m->n_dof; k++) {
        w->b[k] = w->dyn.h[SP_CONSERVATIVE][k];
        for (int share = SP_DAMPERS; share < SP_SHARES; share++) {
            w->b[k] += w->dyn.acts[share] ? w->dyn.h[share][k] : 0.0;
        }
        w->b[k] = m->n_motion > 0 && w->held[k] ? 0.0 : w->b[k];
    }
    sp_dyn_solve_LT(m, &w->dyn, w->b);
    sp_dyn_solve_D_L(m, &w->dyn, w->b);
    for (int k = 0; k < m->n_dof; k++) {
        const double a = fabs(w->b[k]) / size_u[kind[k]];
        most = a <= most ? most : a; /* NaN stays */
    }
    return most;
}
