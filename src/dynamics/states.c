/* dynamics/states.c - steps of states of their own that stay bounded however stiff they are. */
#include "dynamics/dyn.h"

#include "math/dense.h"

#include <math.h>
#include <string.h>

/* f into x and 1 - h df/dz into J, by rows. */
static void linearise(const sp_model *m, const sp_signal_source *from, double h, sp_dyn *dyn)
{
    const int n = m->n_state;
    double *J = dyn->state_J;
    memset(J, 0, (size_t)n * (size_t)n * sizeof *J);
    for (int k = 0; k < n; k++) {
        const sp_func *rate = &m->state[k].rate;
        dyn->state_x[k] = sp_func_grad(rate, from, dyn->in, dyn->grad, dyn->work);
        for (int i = 0; i < rate->n_signal && rate->program; i++) {
            const sp_signal *s = &rate->signal[i];
            if (s->kind == SP_SIG_STATE) {
                J[k * n + s->index] = -h * dyn->grad[i];
            }
        }
        J[k * n + k] += 1.0;
    }
}

void sp_dyn_states_step(const sp_model *m, const sp_numbers *num, const sp_kin *kin,
                        const sp_at *at, double h, double *z, sp_dyn *dyn)
{
    const sp_signal_source from = {.kin = kin,
                                   .q = at->q,
                                   .u = at->u,
                                   .z = z,
                                   .t = dyn->mean ? fmin(at->t, dyn->t_last) : at->t,
                                   .mean = dyn->mean};
    linearise(m, &from, h, dyn);
    sp_eliminate(m->n_state, dyn->state_J, 0.0, dyn->state_x);
    for (int k = 0; k < m->n_state; k++) {
        z[k] += h * dyn->state_x[k];
    }
    sp_dyn_sliders_step(m, num, &from, h, z, dyn);
}

void sp_dyn_states_mean(const sp_model *m, const double *z, const double *z_E, double h,
                        double *rate)
{
    for (int k = 0; k < m->n_state; k++) {
        rate[k] = h > 0.0 ? (z_E[k] - z[k]) / h : 0.0;
    }
    for (int i = 0; i < m->n_force && m->n_slider > 0; i++) {
        const int k = m->force[i].aux;
        if (m->force[i].kind == SP_FORCE_SLIDER) {
            rate[k] = h > 0.0 ? (z_E[k] - z[k]) / h : 0.0;
        }
    }
}

void sp_dyn_states_keep(const sp_model *m, const sp_numbers *num, double *z)
{
    for (int i = 0; i < m->n_force && m->n_slider > 0; i++) {
        const double most = num->force[i].limit / num->force[i].stiffness;
        if (m->force[i].kind == SP_FORCE_SLIDER) {
            double *e = &z[m->force[i].aux];
            *e = *e > most ? most : *e < -most ? -most : *e;
        }
    }
}
