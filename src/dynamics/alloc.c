/* dynamics/alloc.c - memory of the dynamics of one model. */
#include "dynamics/mixed.h"
#include "dynamics/recursion.h"

/* Room for n where it is wanted. */
#define ROOM(wanted, field, type, n)                                                               \
    ok = ok && (!(wanted) || ((field) = SP_NEW(arena, type, (n))) != NULL)

bool sp_dyn_alloc(sp_arena *arena, const sp_model *m, int what, sp_dyn *dyn)
{
    const bool by_M = m->formula.n > 0 || m->layout.mixed; /* accelerated by M, not as bodies */
    const bool joints = what & SP_DYN_ARTICULATED, mass = what & SP_DYN_MASS || (joints && by_M);
    const bool space = m->dim == 3, plane = !space;
    bool ok = true;
    *dyn = (sp_dyn){.M = NULL};
    for (int s = 0; s < SP_SHARES; s++) {
        ROOM(true, dyn->h[s], double, m->n_dof);
        ROOM(space, dyn->wrench3[s], sp_wrench3, m->n_body);
        ROOM(plane, dyn->wrench[s], sp_wrench, m->n_body);
    }
    ROOM(true, dyn->element, sp_element, m->n_force);
    ROOM(true, dyn->action, sp_action, m->n_action);
    ROOM(true, dyn->z_rate, double, m->n_aux);
    ROOM(mass, dyn->z_mid, double, m->n_aux);
    ROOM(mass, dyn->state_J, double, (size_t)m->n_state *(size_t)m->n_state);
    ROOM(mass, dyn->state_x, double, m->n_state);
    ROOM(true, dyn->in, double, m->expr_input);
    ROOM(true, dyn->grad, double, m->expr_input);
    ROOM(true, dyn->work, double, m->expr_work);
    ROOM(true, dyn->hess, double, m->expr_hess);
    ROOM(mass, dyn->M, double, m->n_packed);
    ROOM(mass, dyn->L, double, m->n_packed);
    ROOM(mass, dyn->D_inv, double, m->n_dof);
    ROOM(mass && space, dyn->composite3, sp_inertia3, m->n_body);
    ROOM(mass && plane, dyn->composite, sp_inertia, m->n_body);
    ROOM(joints && space, dyn->articulated3, sp_articulated3, m->n_body);
    ROOM(joints && space, dyn->lever3, sp_lever3, m->n_dof);
    ROOM(joints && plane, dyn->articulated, sp_articulated, m->n_body);
    ROOM(joints && plane, dyn->lever, sp_lever, m->n_dof);
    ok = ok && (!mass || sp_recursion_make(arena, m, &dyn->recursion));
    return ok && (!m->layout.mixed || sp_mixed_alloc(arena, m, dyn));
}
