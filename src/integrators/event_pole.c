/* integrators/event_pole.c - where smooth motion ends because a force grows beyond all bounds,
 * which no step goes across.   theory (61.1)-(61.3) */
#include "integrators/event_parts.h"
#include "integrators/motion.h"

#include <math.h>
#include <string.h>

#define NEARER 64.0 /* how much shorter the second step is                                   */
#define GROWS  16.0 /* by that much at least: as 1/s^p with p > 2/3, behind the pole         */
#define NOISE  1e-9 /* of the velocities: less than this in such a step is no force          */
#define RISES  4.0  /* and from there to where the motion has come                           */

/* The largest of |M^-1 h| over the size of its velocity, 1/s, in the middle of a step of dt from x;
 * NaN if there is none.  Writes frames, terms and the factor of M in w, and w->q, w->b. */
static double push(const sp_events *e, const sp_state *x, double dt)
{
    const sp_smooth *s = e->s;
    const sp_model *m = s->m;
    sp_work *w = s->w;
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
        const double a = fabs(w->b[k]) / s->size.u[s->kind[k]];
        most = a <= most ? most : a; /* NaN stays */
    }
    return most;
}

bool sp_event_meets_pole(sp_events *e, const sp_state *x, double dt)
{
    const double here = push(e, x, 0.0), near = push(e, x, dt / NEARER), far = push(e, x, dt);
    if (!isfinite(here + near + far) || far * dt > 1.0) {
        return true;
    }
    return near * dt > NOISE && near >= GROWS * far && here >= RISES * near;
}
