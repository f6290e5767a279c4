#include "integrators/motion.h"

#include <string.h>

sp_motion_values sp_motion_at(const sp_motion *motion, double t, sp_dyn *dyn)
{
    const sp_func *f = &motion->func;
    sp_motion_values v = {.value = f->constant};
    if (f->program) {
        double grad = 0.0, hess = 0.0; /* time is the only input */
        v.value = sp_program_hess(f->program, &t, &grad, &hess, dyn->work);
        v.rate = grad;
        v.bend = hess;
    }
    return v;
}

void sp_motion_held(const sp_model *m, unsigned char *held)
{
    memset(held, 0, (size_t)m->n_dof);
    for (int i = 0; i < m->n_motion; i++) {
        held[m->motion[i].dof] = 1;
    }
}

void sp_motion_place(const sp_model *m, double t, sp_dyn *dyn, double *q)
{
    for (int i = 0; i < m->n_motion; i++) {
        if (!m->motion[i].speed) {
            q[m->dof[m->motion[i].dof].q] = sp_motion_at(&m->motion[i], t, dyn).value;
        }
    }
}

void sp_motion_move(const sp_model *m, double t, sp_dyn *dyn, double *u)
{
    for (int i = 0; i < m->n_motion; i++) {
        const sp_motion_values v = sp_motion_at(&m->motion[i], t, dyn);
        u[m->motion[i].dof] = m->motion[i].speed ? v.value : v.rate;
    }
}

void sp_motion_accelerate(const sp_model *m, double t, sp_dyn *dyn, double *u_rate)
{
    for (int i = 0; i < m->n_motion; i++) {
        const sp_motion_values v = sp_motion_at(&m->motion[i], t, dyn);
        u_rate[m->motion[i].dof] = m->motion[i].speed ? v.rate : v.bend;
    }
}
