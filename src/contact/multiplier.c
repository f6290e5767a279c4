#include "contact/multiplier.h"

#include "base/status.h"
#include "contact/multiplier_cone.h"
#include "contact/multiplier_parts.h"
#include "contact/rule.h"
#include "dynamics/implicit.h"

#include <string.h>

/* The velocities that move slot i, falling, or those of bodies, into sup; how many. */
static int support(const sp_model *m, const sp_apart *apart, int i, int *sup)
{
    const sp_slot *s = &m->slot[i];
    if (apart) {
        return sp_apart_support(apart, i, sup);
    }
    if (s->is.rule) {
        const int *at, n = sp_rule_support(m, i, &at);
        memcpy(sup, at, (size_t)n * sizeof *sup);
        return n;
    }
    int n = 0, a = m->body[s->body_a].last_dof, b = m->body[s->body_b].last_dof;
    while (a != SP_NONE || b != SP_NONE) { /* SP_NONE is below all */
        const int k = a > b ? a : b;
        sup[n++] = k;
        a = a == k ? m->layout.dof[k].parent : a;
        b = b == k ? m->layout.dof[k].parent : b;
    }
    return n;
}

/* Rows of long serial trees are full, and of deep ones M and A are not formed (106.1), whatever
 * moves the slots: both need the velocities of bodies. */
static bool is_long(const sp_model *m, const sp_con *con)
{
    return m->layout.deep || con->stride > SP_MULTIPLIER_ROWS;
}

/* Whether all slots are moved by the same few velocities all the time. */
static bool stays(const sp_model *m, const sp_con *con)
{
    if (is_long(m, con)) {
        return sp_apart_may(m);
    }
    for (int i = 0; i < m->n_slot; i++) {
        if (m->slot[i].is.pooled) {
            return false;
        }
    }
    return true;
}

/* Degrees of freedom by groups: those of one joint, so that the pivot of a contact that slips,
 * whose column is another than its row, is the whole of what moves its body.  How many groups. */
static int find_groups(const sp_model *m, const sp_apart *apart, int *group)
{
    int n = -1, size = 0;
    for (int k = 0; apart && k < apart->n; k++) {
        group[k] = k / SP_APART_DOF;
    }
    if (apart) {
        return apart->n / SP_APART_DOF;
    }
    for (int k = 0; k < m->n_dof; k++) {
        const bool same = k > 0 && m->dof[k].body == m->dof[k - 1].body &&
                          m->dof[k].body != SP_NONE && size < SP_BLOCK_LU_MOST;
        n += !same;
        size = same ? size + 1 : 1;
        group[k] = n;
    }
    return n + 1;
}

/* Velocities are coupled, by their groups, which are left in index. */
static void couple(sp_ldl_pattern *p, const int *group, const int *dof, int n, int *index)
{
    int n_index = 0;
    for (int i = 0; i < n; i++) {
        const int g = group[dof[i]];
        index[n_index] = g;
        n_index += n_index == 0 || index[n_index - 1] != g;
    }
    sp_ldl_couple(p, index, n_index);
}

/* Velocities of each body and of the one that it hangs on. */
static void couple_bodies(const sp_model *m, const sp_apart *x, const int *group, int *index,
                          sp_ldl_pattern *p)
{
    for (int i = 0; i < m->n_body; i++) {
        if (x->body[i].next) {
            const int pair[2] = {x->body[i].first, x->body[m->body[i].parent].first};
            couple(p, group, pair, 2, index);
        }
    }
}

/* What is coupled: velocities of each slot, of M, of what is stiff. */
static void couple_all(const sp_model *m, const sp_dyn *dyn, const sp_apart *apart,
                       const int *group, int *sup, int *index, sp_ldl_pattern *p)
{
    for (int i = 0; i < m->n_slot + m->n_bond; i++) {
        couple(p, group, sup, support(m, apart, i, sup), index);
    }
    if (apart) {
        couple_bodies(m, apart, group, index, p);
        return;
    }
    for (int k = 0; k < m->n_dof; k++) {
        for (int j = m->layout.dof[k].parent; j != SP_NONE; j = m->layout.dof[j].parent) {
            couple(p, group, (const int[]){k, j}, 2, index);
        }
    }
    for (int i = 0; dyn->implicit && i < dyn->implicit->n_cell; i++) {
        couple(p, group, dyn->implicit->cell[i].dof, dyn->implicit->cell[i].n, index);
    }
}

/* Where entries of M and of the implicit A go. */
static void place_operator(const sp_model *m, sp_multiplier *s)
{
    const sp_block_lu *lu = &s->A_rho;
    for (int k = 0; k < m->n_dof; k++) {
        for (int j = k; j != SP_NONE; j = m->layout.dof[j].parent) {
            s->from_M[m->layout.dof[k].row + m->layout.dof[j].depth] = sp_block_lu_at(lu, k, j);
        }
    }
    for (int k = 0; s->implicit && k < m->n_dof; k++) {
        const sp_ldl *A = &s->implicit->A;
        for (size_t e = A->start[k]; e < A->start[k + 1]; e++) {
            s->from_A[e] = sp_block_lu_at(lu, A->order[k], A->order[A->row[e]]);
        }
    }
}

/* ... and pairs of velocities of each slot. */
static void place_slots(const sp_model *m, int *sup, sp_multiplier *s)
{
    const sp_block_lu *lu = &s->A_rho;
    for (int i = 0; i < m->n_slot + m->n_bond; i++) {
        const int n = support(m, s->apart, i, sup);
        size_t *at = s->at + s->slot_start[i];
        for (int k = 0; k < n; k++) {
            for (int j = 0; j <= k; j++) {
                *at++ = sp_block_lu_at(lu, sup[k], sup[j]);
            }
        }
    }
}

/* Rooms by sizes that are known before. */
static bool make_rooms(sp_arena *arena, const sp_model *m, const sp_con *con, int n, int *sup,
                       sp_multiplier *s)
{
    const size_t n_slot = (size_t)(m->n_slot + m->n_bond);
    const size_t rows = (size_t)m->layout.contact_rows * (size_t)con->capacity;
    const int stride = s->apart ? s->apart->rows.stride : con->stride;
    s->slot_start = SP_NEW(arena, size_t, n_slot + 1);
    for (size_t i = 0; s->slot_start && i < n_slot; i++) {
        const size_t n_sup = (size_t)support(m, s->apart, (int)i, sup);
        s->slot_start[i + 1] = s->slot_start[i] + n_sup * (n_sup + 1) / 2;
    }
    s->at = s->slot_start ? SP_NEW(arena, size_t, s->slot_start[n_slot]) : NULL;
    s->from_M = SP_NEW(arena, size_t, s->apart ? 1 : m->n_packed);
    s->x = SP_NEW(arena, double, n);
    s->Ax = SP_NEW(arena, double, n);
    s->F = SP_NEW(arena, double, n);
    s->g = SP_NEW(arena, double, rows);
    s->xi = SP_NEW(arena, double, rows);
    s->dP = SP_NEW(arena, double, rows);
    s->scale = SP_NEW(arena, double, rows);
    s->P_soft = SP_NEW(arena, double, rows);
    s->P_from = SP_NEW(arena, double, rows);
    s->v = SP_NEW(arena, double, rows);
    s->P = SP_NEW(arena, double, rows);
    s->V = SP_NEW(arena, double, 3 * (size_t)stride);
    s->block = SP_NEW(arena, sp_multiplier_block, con->capacity);
    s->cone = SP_NEW(arena, sp_multiplier_cone, m->layout.contact_rows > 2 ? con->capacity : 1);
    return s->at && s->from_M && s->x && s->Ax && s->F && s->g && s->xi && s->dP && s->scale &&
           s->P_soft && s->P_from && s->v && s->P && s->V && s->block && s->cone;
}

static bool make(sp_arena *arena, sp_arena *scratch, const sp_model *m, const sp_dyn *dyn,
                 sp_con *con)
{
    sp_multiplier *s = SP_NEW(arena, sp_multiplier, 1);
    if (!s) {
        return false;
    }
    if (is_long(m, con)) {
        s->apart = SP_NEW(arena, sp_apart, 1);
        if (!s->apart || !sp_apart_make(arena, m, con, s->apart)) {
            return false;
        }
    }
    const int n_lu = s->apart ? s->apart->n : m->n_dof, n = n_lu > m->n_dof ? n_lu : m->n_dof;
    int *sup = SP_NEW(scratch, int, n), *index = SP_NEW(scratch, int, n);
    int *group = SP_NEW(scratch, int, n);
    if (!sup || !index || !group || !make_rooms(arena, m, con, n, sup, s)) {
        return false;
    }
    s->implicit = dyn->implicit;
    s->n_packed = m->n_packed;
    s->n_dof = m->n_dof;
    sp_ldl_pattern p = sp_ldl_pattern_of(scratch, find_groups(m, s->apart, group));
    if (p.failed) {
        return false;
    }
    couple_all(m, dyn, s->apart, group, sup, index, &p);
    if (!sp_block_lu_make(arena, n_lu, group, &p, &s->A_rho)) {
        return false;
    }
    if (s->implicit && !s->apart) {
        s->from_A = SP_NEW(arena, size_t, s->implicit->A.start[m->n_dof]);
        if (!s->from_A) {
            return false;
        }
    }
    place_slots(m, sup, s);
    if (s->apart) {
        sp_apart_place(m, &s->A_rho, s->apart);
    } else {
        place_operator(m, s);
    }
    con->multiplier = s;
    return true;
}

sp_status sp_multiplier_make(sp_arena *arena, const sp_model *m, const sp_dyn *dyn, sp_con *con,
                             sp_error *err)
{
    if (con->multiplier && con->multiplier->implicit == dyn->implicit) {
        return SP_OK;
    }
    con->multiplier = NULL;
    if (!sp_multiplier_may(m, con) || !stays(m, con)) {
        return SP_OK;
    }
    sp_arena scratch;
    sp_arena_init(&scratch, &arena->allocator, 0);
    const bool ok = make(arena, &scratch, m, dyn, con);
    sp_arena_free(&scratch);
    return ok ? SP_OK
              : SP_FAIL(err, SP_E_MEMORY, "no memory for contact problems of %d degrees of freedom",
                        m->n_dof);
}

bool sp_multiplier_takes(const sp_con *con)
{
    const sp_multiplier *x = con->multiplier;
    const int few = x && x->apart ? SP_APART_ROWS : SP_MULTIPLIER_ROWS;
    if (!x || con->n_row <= few || (x->apart && !x->apart->ready)) {
        return false;
    }
    for (int a = 0; a < con->n_active; a++) {
        const sp_set *s = &con->set[a];
        if (s->shifted || s->kind > SP_SET_DISC || (s->kind == SP_SET_DISC && x->apart)) {
            return false;
        }
    }
    return true;
}

void sp_multiplier_prepare(const sp_dyn *dyn, sp_con *con)
{
    sp_apart *apart = con->multiplier ? con->multiplier->apart : NULL;
    con->later = apart && dyn->recursive && !dyn->by_A;
    if (apart) {
        apart->ready = con->later;
    }
}

void sp_multiplier_choose(const sp_model *m, const sp_numbers *num, sp_dyn *dyn,
                          const unsigned char *held, sp_con *con)
{
    sp_apart *apart = con->multiplier ? con->multiplier->apart : NULL;
    const bool takes = sp_multiplier_takes(con);
    con->G = takes ? NULL : con->G;
    if (takes && apart) {
        apart->num = num;
        apart->dyn = dyn;
        sp_apart_fill(held, SP_MULTIPLIER_WEIGHT, con, apart);
    } else if (con->later) {
        sp_con_fill_later(m, num, con);
    }
}

void sp_multiplier_give_up(sp_con *con)
{
    if (con->by_bodies) {
        sp_apart *apart = con->multiplier->apart;
        apart->ready = false;
        sp_con_fill_later(apart->m, apart->num, con);
        sp_con_delassus(apart->m, apart->dyn, con);
    }
}
