#include "analysis/view.h"

#include <string.h>

static bool make_rooms(const sp_model *m, sp_view *v)
{
    sp_arena *a = &v->arena;
    return sp_kin_alloc(a, m, &v->kin) && sp_dyn_alloc(a, m, SP_DYN_FORCES, &v->dyn) &&
           sp_con_alloc(a, m, &v->dyn, &v->con);
}

sp_status sp_view_new(const sp_model *m, const sp_allocator *allocator, sp_view **view,
                      sp_error *err)
{
    *view = NULL;
    sp_arena arena;
    sp_arena_init(&arena, allocator, 0);
    sp_view *v = SP_NEW(&arena, sp_view, 1);
    if (v) {
        v->arena = arena;
    }
    if (!v || !make_rooms(m, v)) {
        sp_arena_free(v ? &v->arena : &arena);
        return SP_FAIL(err, SP_E_MEMORY, "not enough memory for a machine of %d bodies", m->n_body);
    }
    *view = v;
    return SP_OK;
}

void sp_view_free(sp_view *view)
{
    if (view) {
        sp_arena arena = view->arena; /* the struct lies in it */
        sp_arena_free(&arena);
    }
}

void sp_view_look(const sp_model *m, const sp_state *x, sp_view *view)
{
    sp_kin_positions(m, x->numbers, x->q, &view->kin);
    sp_kin_velocities(m, x->u, &view->kin);
    sp_kin_bias(m, x->u, &view->kin);
    sp_con_at(x->t, 0.0, x->q, x->u, &view->con);
    sp_con_gaps(m, x->numbers, &view->kin, &view->con);
    sp_dyn_init(m, x->numbers, &view->dyn);
    view->dyn.z = x->z;
}

void sp_view_unpack(const sp_model *m, const sp_dyn *dyn, double *M)
{
    const size_t n = (size_t)m->n_dof;
    memset(M, 0, n * n * sizeof *M);
    for (int k = 0; k < m->n_dof; k++) {
        const sp_dof_layout *dof = &m->layout.dof[k];
        for (int j = k, d = dof->depth; d >= 0; d--, j = m->layout.dof[j].parent) {
            M[(size_t)k * n + (size_t)j] = M[(size_t)j * n + (size_t)k] = dyn->M[dof->row + d];
        }
    }
}

sp_status sp_view_terms(const sp_model *m, const sp_state *x, double *M, double *h, sp_error *err)
{
    sp_arena arena;
    sp_kin kin;
    sp_dyn dyn;
    sp_arena_init(&arena, NULL, 0);
    unsigned char *held = SP_NEW(&arena, unsigned char, m->n_dof);
    sp_status status = SP_E_MEMORY;
    if (held && sp_kin_alloc(&arena, m, &kin) && sp_dyn_alloc(&arena, m, SP_DYN_MASS, &dyn)) {
        for (int k = 0; k < m->n_motion; k++) {
            held[m->motion[k].dof] = 1;
        }
        sp_dyn_init(m, x->numbers, &dyn);
        dyn.z = x->z;
        sp_dyn_terms(m, x->numbers, x->t, x->q, x->u, &kin, &dyn);
        if (M) {
            sp_dyn_form_mass(m, x->numbers, &kin, &dyn);
            sp_view_unpack(m, &dyn, M);
        }
        for (int k = 0; h && k < m->n_dof; k++) {
            h[k] = 0.0;
            for (int s = 0; s < SP_SHARES; s++) {
                h[k] += dyn.acts[s] ? dyn.h[s][k] : 0.0;
            }
        }
        status = sp_dyn_factor_held(m, held, &dyn, err);
    }
    sp_arena_free(&arena);
    return status;
}
