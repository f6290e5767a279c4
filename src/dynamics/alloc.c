/* dynamics/alloc.c - memory of the dynamics of one model. */
#include "dynamics/mixed.h"

#define ROOM(field, type, n) ok = ((field) = SP_NEW(arena, type, (n))) != NULL && ok

/* What the forces of a model need. */
static bool room_for_forces(sp_arena *arena, const sp_model *m, sp_dyn *dyn)
{
    bool ok = true;
    for (int s = 0; s < SP_SHARES; s++) {
        ROOM(dyn->h[s], double, m->n_dof);
        if (m->dim == 3) {
            ROOM(dyn->wrench3[s], sp_wrench3, m->n_body);
        } else {
            ROOM(dyn->wrench[s], sp_wrench, m->n_body);
        }
    }
    ROOM(dyn->element, sp_element, m->n_force);
    ROOM(dyn->action, sp_action, m->n_action);
    ROOM(dyn->z_rate, double, m->n_aux);
    ROOM(dyn->in, double, m->expr_input);
    ROOM(dyn->grad, double, m->expr_input);
    ROOM(dyn->work, double, m->expr_work);
    ROOM(dyn->hess, double, m->expr_hess);
    return ok;
}

/* The packed M, its factor, and composite bodies. */
static bool room_for_mass(sp_arena *arena, const sp_model *m, sp_dyn *dyn)
{
    bool ok = true;
    ROOM(dyn->M, double, m->n_packed);
    ROOM(dyn->L, double, m->n_packed);
    ROOM(dyn->D_inv, double, m->n_dof);
    if (m->dim == 3) {
        ROOM(dyn->composite3, sp_inertia3, m->n_body);
    } else {
        ROOM(dyn->composite, sp_inertia, m->n_body);
    }
    return ok;
}

/* Articulated bodies. */
static bool room_for_articulated(sp_arena *arena, const sp_model *m, sp_dyn *dyn)
{
    bool ok = true;
    if (m->dim == 3) {
        ROOM(dyn->articulated3, sp_articulated3, m->n_body);
        ROOM(dyn->lever3, sp_lever3, m->n_dof);
    } else {
        ROOM(dyn->articulated, sp_articulated, m->n_body);
        ROOM(dyn->lever, sp_lever, m->n_dof);
    }
    return ok;
}

bool sp_dyn_alloc(sp_arena *arena, const sp_model *m, int what, sp_dyn *dyn)
{
    *dyn = (sp_dyn){.M = NULL};
    if (what & SP_DYN_ARTICULATED && (m->formula.n > 0 || m->layout.mixed)) {
        what |= SP_DYN_MASS; /* what is no rigid body is accelerated by M */
    }
    return room_for_forces(arena, m, dyn) && (!m->layout.mixed || sp_mixed_alloc(arena, m, dyn)) &&
           (!(what & SP_DYN_MASS) || room_for_mass(arena, m, dyn)) &&
           (!(what & SP_DYN_ARTICULATED) || room_for_articulated(arena, m, dyn));
}
