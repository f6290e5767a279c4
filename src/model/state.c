#include "model/state.h"

#include <string.h>

void sp_state_free(sp_state *state)
{
    if (state) {
        sp_arena arena = state->arena; /* the struct lies in it */
        sp_arena_free(&arena);
    }
}

bool sp_state_room(const sp_model *m, sp_arena *arena, sp_state *x)
{
    x->q = SP_NEW(arena, double, m->n_q);
    x->z = SP_NEW(arena, double, m->n_aux);
    x->book = SP_NEW(arena, double, m->n_book);
    x->u = SP_NEW(arena, double, m->n_dof);
    x->g = SP_NEW(arena, double, m->n_slot);
    x->contact = SP_NEW(arena, sp_contact_memory, m->n_slot + m->n_bond);
    x->numbers = &m->numbers;
    return x->q && x->u && x->z && x->book && x->g && x->contact;
}

double sp_state_time(const sp_state *state)
{
    return state->t;
}

const double *sp_state_q(const sp_state *state)
{
    return state->q;
}

const double *sp_state_u(const sp_state *state)
{
    return state->u;
}

void sp_state_set(const sp_model *m, sp_state *x, double t, const double *q, const double *u)
{
    memcpy(x->q, q, (size_t)m->n_q * sizeof(double));
    memcpy(x->u, u, (size_t)m->n_dof * sizeof(double));
    memset(x->contact, 0, (size_t)(m->n_slot + m->n_bond) * sizeof *x->contact);
    memset(x->z, 0, (size_t)m->n_aux * sizeof *x->z);
    memset(x->book, 0, (size_t)m->n_book * sizeof *x->book);
    x->t = t;
    x->step = 0;
    x->n_touched = x->n_impact = 0;
    x->control = (sp_control){.dt = 0.0};
    x->opening = (sp_opening){.energy = 0.0};
    x->fresh = false;
}

sp_status sp_state_contact(const sp_model *m, const sp_state *x, int i, sp_contact_info *info)
{
    if (i < 0 || i >= m->n_slot) {
        return SP_E_INPUT;
    }
    const sp_contact_memory *c = &x->contact[i];
    *info = (sp_contact_info){
        .g_N = x->g[i], .P_N = c->P_N, .P_T = c->P_T, .state = (sp_contact_state)c->state};
    return SP_OK;
}
