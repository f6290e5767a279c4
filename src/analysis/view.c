#include "analysis/view.h"

#include "base/status.h"

static bool make_rooms(const sp_model *m, sp_view *v)
{
    sp_arena *a = &v->arena;
    bool ok = true;
#define ROOM(field, type, n) ok = ((field) = SP_NEW(a, type, (n))) != NULL && ok
    ROOM(v->kin.frame, sp_frame, m->n_body);
    ROOM(v->kin.axis, sp_vec, m->n_dof);
    ROOM(v->con.vertex, sp_vec, m->n_vertex);
    ROOM(v->con.g, double, m->n_slot);
    ROOM(v->con.feature, int, m->n_slot);
    ROOM(v->con.hint, int, m->n_slot);
    for (int s = 0; s < SP_SHARES; s++) {
        ROOM(v->dyn.h[s], double, m->n_dof);
        ROOM(v->dyn.wrench[s], sp_wrench, m->n_body);
    }
    ROOM(v->dyn.in, double, m->expr_input);
    ROOM(v->dyn.grad, double, m->expr_input);
    ROOM(v->dyn.work, double, m->expr_work);
#undef ROOM
    return ok;
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
        return SP_FAIL(err, SP_E_MEMORY, "no memory to look at a machine of %d bodies", m->n_body);
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
    sp_con_gaps(m, x->numbers, &view->kin, &view->con);
    sp_dyn_init(m, x->numbers, &view->dyn);
}
