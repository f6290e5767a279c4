#include "contact/motion.h"

#include <math.h>
#include <string.h>

sp_motion_values sp_motion_at(const sp_motion *motion, double t, sp_dyn *dyn)
{
    const sp_func *f = &motion->func;
    t = dyn->mean ? fmin(t, dyn->t_last) : t;
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

int sp_motion_blocked(const sp_model *m, const sp_con *con, const unsigned char *held)
{
    for (int a = 0; a < con->n_active && m->n_motion > 0; a++) {
        const int *sup = sp_con_sup(con, a);
        const double *W = sp_con_row(con, con->W, con->row[a]);
        bool free = false;
        for (int k = 0; k < con->n_sup[a]; k++) {
            free = free || (!held[sup[k]] && W[k] != 0.0);
        }
        if (!free && con->active[a] < m->n_slot) {
            return con->active[a];
        }
    }
    return SP_NONE;
}
