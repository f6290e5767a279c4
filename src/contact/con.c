#include "contact/con.h"

#include "base/inline.h"
#include "contact/con3.h"
#include "contact/loop.h"
#include "contact/multiplier_apart.h"
#include "contact/pool3.h"
#include "contact/rule.h"
#include "contact/skin.h"
#include "contact/spin3.h"
#include "dynamics/implicit.h"

#include <math.h>
#include <string.h>

bool sp_con_alloc(sp_arena *arena, const sp_model *m, const sp_dyn *dyn, sp_con *con)
{
    con->vertex = SP_NEW(arena, sp_vec, m->n_vertex);
    con->g = SP_NEW(arena, double, m->n_slot + m->n_bond);
    con->feature = SP_NEW(arena, int, m->n_slot);
    con->grip = SP_NEW(arena, double, m->n_slot);
    con->hint = SP_NEW(arena, int, m->n_slot);
    con->barred = SP_NEW(arena, bool, m->n_slot);
    con->aside = SP_NEW(arena, bool, m->n_slot);
    con->beyond = SP_NEW(arena, int, m->n_slot);
    con->place = SP_NEW(arena, sp_vec, m->n_slot);
    con->noted = SP_NEW(arena, double, m->n_slot + m->n_bond);
    con->states = &dyn->z;
    con->in = dyn->in;
    con->grad = dyn->grad;
    con->hess = dyn->hess;
    con->work = dyn->work;
    return con->vertex && con->g && con->feature && con->grip && con->hint && con->barred &&
           con->aside && con->beyond && con->place && con->noted && sp_pool3_alloc(arena, m, con) &&
           sp_skin_alloc(arena, m, con) && sp_loop_remember(arena, m, &con->loops);
}

/* A contact that would still penetrate had it not been lifted, or one that is closed and whose gap
 * is no larger than resting makes it; none whose points are gone.   theory (7.2) */
static inline bool stays(const sp_contact_memory *c, double g_N)
{
    return g_N < INFINITY && (g_N <= c->lift || (c->state != SP_STATE_OPEN && g_N <= c->reach));
}

/* The n contacts are in; bilateral rows follow, which always take part. */
static sp_status add_bonds(const sp_model *m, int n, sp_con *con, sp_error *err)
{
    if (con->lost > 0) {
        return SP_FAIL(err, SP_E_NOT_CONVERGED,
                       "contact '%s': the nearest points of the two were not found; do they run "
                       "through each other, or has one a pole or a kink there?",
                       m->slot[con->lost - 1].name);
    }
    if (con->short_of > 0) {
        return SP_FAIL(err, SP_E_CAPACITY,
                       "more pairs are near each other at once than there is room for, about %d "
                       "too many; give the contact more with 'room: n'",
                       con->short_of);
    }
    for (int i = 0; i < m->n_bond; i++) {
        con->active[n++] = m->n_slot + i;
    }
    con->n_active = n;
    con->G = n <= con->dense_most ? con->G_room : NULL;
    return SP_OK;
}

sp_status sp_con_activate(const sp_model *m, double margin, const sp_contact_memory *memory,
                          sp_con *con, sp_error *err)
{
    int n = 0;
    con->n_active = con->n_row = 0;
    if (con->least > margin && !memory && m->layout.n_always == 0) {
        return add_bonds(m, 0, con, err);
    }
    for (int i = 0; i < m->n_slot; i++) {
        if ((con->g[i] <= margin || (memory && stays(&memory[i], con->g[i]))) && !con->aside[i]) {
            con->active[n++] = i;
        }
    }
    return add_bonds(m, n, con, err);
}

sp_status sp_con_activate_near(const sp_model *m, double margin, sp_con *con, sp_error *err)
{
    int n = 0;
    con->n_active = con->n_row = 0;
    for (int i = 0; i < m->n_slot; i++) {
        if (con->g[i] <= margin && con->g[i] != -INFINITY && !con->aside[i]) {
            con->active[n++] = i;
        }
    }
    return add_bonds(m, n, con, err);
}

/* Rows of contact a, between contours in the plane, from r on. */
static inline void fill_planar(const sp_model *m, const sp_kin *kin, int a, int r, sp_con *con)
{
    const sp_contact_frame *f = &con->frame[a];
    const sp_vec e[2] = {f->n, f->t};
    con->n_sup[a] = sp_pair_rows2(m, kin, f->mark, f->point, e, sp_con_sup(con, a),
                                  sp_con_row(con, con->W, r), con->stride);
}

/* Directions, rheonomic terms and restitution of contact a, whose rows begin at r; the tangential
 * row is written in any case, and overwritten by the next contact where there is no friction. */
static void fill_contact(const sp_model *m, const sp_numbers *num, const sp_kin *kin, int a, int r,
                         sp_con *con)
{
    const sp_slot *s = &m->slot[con->active[a]];
    const sp_law_numbers *law = &num->law[s->law];
    sp_contact_frame *f = &con->frame[a];
    sp_con_find_frame(m, num, con, con->active[a], f);
    if (!con->later) {
        fill_planar(m, kin, a, r, con);
    }
    con->w_tilde[r] = con->w_tilde[r + 1] = 0.0; /* what is prescribed is part of u */
    con->eps[r] = law->eps_N;
    con->eps[r + 1] = law->eps_T;
    con->ahead[r] = con->ahead[r + 1] = 0.0;
}

/* The set of a slot by expressions. */
static sp_set rule_set(const sp_model *m, const sp_numbers *num, const sp_con *con, int slot,
                       bool friction)
{
    const sp_slot *s = &m->slot[slot];
    if (s->is.bilateral) {
        return sp_set_free();
    }
    if (s->is.interval) {
        const double limit = sp_rule_limit(m, con, slot) * con->dt;
        return sp_set_interval(-limit, limit);
    }
    const bool slips = friction && !s->is.no_slip && num->law[s->law].mu > 0.0;
    if (slips && s->is.two_slips) {
        return sp_spin3_set(&m->law[s->law], &num->law[s->law], con->dt);
    }
    return slips ? sp_set_planar(num->law[s->law].mu) : sp_set_half_line();
}

/* The same as fill_contact for a slot by expressions, with its set; how many rows it has. */
static int fill_rule(const sp_model *m, const sp_numbers *num, int a, int r, bool friction,
                     sp_con *con)
{
    const int slot = con->active[a], *sup;
    const sp_slot *s = &m->slot[slot];
    double *W = sp_con_row(con, con->W, r);
    con->n_sup[a] = sp_rule_support(m, slot, &sup);
    memcpy(sp_con_sup(con, a), sup, (size_t)con->n_sup[a] * sizeof *sup);
    double w_tilde[3];
    if (con->later && s->is.loop) {
        w_tilde[0] = w_tilde[1] = w_tilde[2] = 0.0;
    } else {
        sp_rule_directions(m, num, con, slot, W, con->stride, w_tilde);
    }
    con->frame[a].g_N = con->g[slot];
    const bool gap = !s->is.gapless && !s->is.bilateral;
    /* a bilateral row holds at the mean velocity of a step: it does no work.   theory (7.17) */
    con->eps[r] = s->is.bilateral                    ? 1.0
                  : !gap || sp_rule_no_play(m, slot) ? 0.0
                                                     : num->law[s->law].eps_N;
    for (int k = 0; k < (s->is.two_slips ? 3 : 2); k++) {
        con->w_tilde[r + k] = w_tilde[k];
        con->ahead[r + k] = 0.0;
        if (k > 0) {
            con->eps[r + k] = gap ? num->law[s->law].eps_T : 0.0;
        }
    }
    if (s->is.stores) { /* x_E = x_M + dt/2 x_E' */
        con->ahead[r] = 2.0 * sp_rule_gap(m, num, con, slot) / con->dt;
    }
    con->set[a] = rule_set(m, num, con, slot, friction);
    return sp_set_dim(&con->set[a]);
}

void sp_con_directions(const sp_model *m, const sp_numbers *num, const sp_kin *kin, bool friction,
                       sp_con *con)
{
    int r = 0;
    sp_con_leave_bodies(con);
    for (int a = 0; a < con->n_active; a++) {
        const sp_slot *s = &m->slot[con->active[a]];
        if (!s->is.planar) {
            con->row[a] = r;
            r += s->is.rule ? fill_rule(m, num, a, r, friction, con)
                            : sp_con3_fill(m, num, kin, a, r, friction, con);
            continue;
        }
        const double mu = num->law[s->law].mu;
        const bool slips = friction && mu > 0.0;
        fill_contact(m, num, kin, a, r, con);
        con->set[a] = slips ? sp_set_planar(mu) : sp_set_half_line();
        con->row[a] = r;
        r += slips ? 2 : 1;
    }
    con->row[con->n_active] = con->n_row = r;
}

void sp_con_fill_later(const sp_model *m, const sp_numbers *num, sp_con *con)
{
    double w_tilde[3];
    sp_con_leave_bodies(con);
    con->later = false;
    for (int a = 0; a < con->n_active; a++) {
        const int slot = con->active[a], r = con->row[a];
        if (m->slot[slot].is.planar) {
            fill_planar(m, con->kin, a, r, con);
        } else {
            const int *sup;
            con->n_sup[a] = sp_rule_support(m, slot, &sup);
            memcpy(sp_con_sup(con, a), sup, (size_t)con->n_sup[a] * sizeof *sup);
            sp_rule_directions(m, num, con, slot, sp_con_row(con, con->W, r), con->stride, w_tilde);
        }
    }
}

/* Whether two slots are known to be moved by the same degrees of freedom: contacts of the same two
 * bodies in the plane, rows of the same loop. */
static inline bool move_together(const sp_slot *a, const sp_slot *b)
{
    if (!a->is.planar || !b->is.planar) {
        return a->is.loop && b->is.loop && a->rule == b->rule;
    }
    return a->body_a == b->body_a && a->body_b == b->body_b;
}

/* Such slots stand together: the first one behind those of contact a. */
static int group_end(const sp_model *m, const sp_con *con, int a)
{
    const sp_slot *first = &m->slot[con->active[a]];
    int end = a + 1;
    while (end < con->n_active && move_together(&m->slot[con->active[end]], first)) {
        end++;
    }
    return end;
}

/* Y = L^-T W and YD = D^-1 Y of a row on one way to the ground: its member p stands in column
 * n - 1 - p of the rows of L. */
static inline void solve_on_chain(const sp_model *m, const sp_dyn *dyn, int n, const int *sup,
                                  const double *W, double *Y, double *YD)
{
    for (int i = 0; i < n; i++) {
        const double *column = dyn->L + n - 1 - i;
        double sum = W[i];
        for (int p = 0; p < i; p++) {
            sum -= column[m->layout.dof[sup[p]].row] * Y[p];
        }
        Y[i] = sum;
        YD[i] = sum * dyn->D_inv[sup[i]];
    }
}

/* The same on two ways that may meet; z is zero and becomes zero again. */
static void solve_on_chains(const sp_model *m, const sp_dyn *dyn, int n, const int *sup,
                            const double *W, double *z, double *Y, double *YD)
{
    const sp_dof_layout *dof = m->layout.dof;
    for (int p = 0; p < n; p++) {
        z[sup[p]] = W[p];
    }
    for (int p = 0; p < n; p++) {
        const int k = sup[p];
        const double *row = dyn->L + dof[k].row, y = z[k];
        Y[p] = y;
        YD[p] = y * dyn->D_inv[k];
        for (int i = dof[k].parent, d = dof[k].depth - 1; d >= 0; d--, i = dof[i].parent) {
            z[i] -= row[d] * y;
        }
        z[k] = 0.0;
    }
}

/* The same of deep trees: all that a row moves is on its ways.   theory (106.3) */
static SP_NOINLINE void solve_deep(const sp_model *m, const sp_dyn *dyn, int n, const int *sup,
                                   const double *W, double *z, double *Y, double *YD)
{
    for (int p = 0; p < n; p++) {
        z[sup[p]] = W[p];
    }
    sp_dyn_solve_LT(m, dyn, z);
    for (int p = 0; p < n; p++) {
        Y[p] = z[sup[p]];
        YD[p] = Y[p] * dyn->D_inv[sup[p]];
        z[sup[p]] = 0.0;
    }
}

/* Y and YD of the rows of one group, from r to end - 1; contact a is one of it. */
static void solve_rows(const sp_model *m, const sp_dyn *dyn, int a, int r, int end, sp_con *con)
{
    const int n = con->n_sup[a], *sup = sp_con_sup(con, a);
    const bool one_way = n > 0 && m->layout.dof[sup[0]].depth == n - 1;
    for (; r < end; r++) {
        const double *W = sp_con_row(con, con->W, r);
        double *Y = sp_con_row(con, con->Y, r), *YD = sp_con_row(con, con->YD, r);
        if (dyn->recursive) {
            solve_deep(m, dyn, n, sup, W, con->z, Y, YD);
        } else if (one_way) {
            solve_on_chain(m, dyn, n, sup, W, Y, YD);
        } else {
            solve_on_chains(m, dyn, n, sup, W, con->z, Y, YD);
        }
    }
}

/* G of the rows of one group, from r to end - 1: Y D^-1 Y^T up to the diagonal, and its mirror. */
static void fill_own_block(const sp_con *con, int n, int r, int end)
{
    const size_t stride = (size_t)con->stride, n_row = (size_t)con->n_row;
    const double *Y = sp_con_row(con, con->Y, r);
    for (int i = r; i < end; i++, Y += stride) {
        const double *YD = sp_con_row(con, con->YD, r);
        double *G_ij = con->G + (size_t)i * n_row + (size_t)r;
        double *G_ji = con->G + (size_t)r * n_row + (size_t)i;
        for (int j = r; j <= i; j++, YD += stride, G_ij++, G_ji += n_row) {
            double sum = 0.0;
            for (int p = 0; p < n; p++) {
                sum += Y[p] * YD[p];
            }
            *G_ij = *G_ji = sum;
        }
    }
}

/* Y_i^T D^-1 Y_j over the degrees of freedom that move both contacts. */
double sp_con_coupling(const sp_con *con, int a, int i, int b, int j)
{
    if (con->by_bodies) { /* of a row with itself alone */
        return sp_apart_weight(con, i);
    }
    const sp_con_column A = sp_con_column_of(con, a, i), B = sp_con_column_of(con, b, j);
    double sum = 0.0;
    for (int p = 0, q = 0; p < A.n && q < B.n;) {
        if (A.key[p] == B.key[q]) {
            sum += A.Y[p++] * B.YD[q++];
        } else if (A.key[p] > B.key[q]) {
            p++;
        } else {
            q++;
        }
    }
    return sum;
}

bool sp_con_coupled(const sp_con *con, int a, int b)
{
    if (con->by_bodies) {
        return sp_apart_coupled(con, a, b);
    }
    for (int r = con->row[a]; r < con->row[a + 1]; r++) {
        for (int s = con->row[b]; s < con->row[b + 1]; s++) {
            if ((con->G ? con->G[r * con->n_row + s] : sp_con_coupling(con, a, r, b, s)) != 0.0) {
                return true;
            }
        }
    }
    return false;
}

/* G between contact a and all contacts before b_end. */
static void fill_other_blocks(const sp_con *con, int a, int b_end)
{
    for (int b = 0; b < b_end; b++) {
        for (int i = con->row[a]; i < con->row[a + 1]; i++) {
            for (int j = con->row[b]; j < con->row[b + 1]; j++) {
                con->G[i * con->n_row + j] = con->G[j * con->n_row + i] =
                    sp_con_coupling(con, a, i, b, j);
            }
        }
    }
}

void sp_con_form_G(sp_con *con)
{
    con->G = con->G_room;
    for (int a = 0; a < con->n_active; a++) {
        fill_other_blocks(con, a, a + 1);
    }
}

/* ---- implicit steps -------------------------------------------------------------------------- */

/* Most velocities that a contact reaches. */
static int longest_reach(const sp_ldl *A, int stride)
{
    int deepest = 0;
    for (int k = 0; k < A->n; k++) {
        int depth = 1;
        for (int i = A->parent[k]; i < A->n; i = A->parent[i]) {
            depth++;
        }
        deepest = depth > deepest ? depth : deepest;
    }
    const long most = (long)deepest * stride;
    return most < A->n ? (int)most : A->n;
}

sp_status sp_con_make_reach(sp_arena *arena, const sp_model *m, const sp_dyn *dyn, sp_con *con,
                            sp_error *err)
{
    if (con->reach || (dyn->recursive && dyn->implicit->by_body)) {
        return SP_OK;
    }
    if (con->dense_most == 0 && con->capacity > 0) {
        return SP_FAIL(err, SP_E_CAPACITY,
                       "run: implicit steps in space take at most 256 contacts, there may be %d; "
                       "take 'implicit: no' and a shorter step",
                       m->n_slot);
    }
    sp_reach *x = SP_NEW(arena, sp_reach, 1);
    const size_t n = (size_t)con->capacity, rows = (size_t)m->layout.contact_rows * n;
    if (x) {
        x->room = longest_reach(&dyn->implicit->A, con->stride);
        const size_t room = (size_t)x->room;
        x->n = SP_NEW(arena, int, n);
        x->dof = SP_NEW(arena, int, n *room);
        x->key = SP_NEW(arena, int, n *room);
        x->Y = SP_NEW(arena, double, rows *room);
        x->YD = SP_NEW(arena, double, rows *room);
    }
    if (!x || !x->n || !x->dof || !x->key || !x->Y || !x->YD) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory for implicit steps with %d contacts",
                       con->capacity);
    }
    con->reach = x;
    return SP_OK;
}

/* What contact a reaches: the ways of its velocities to the root of the elimination tree, in the
 * order of elimination.   theory (71.8) */
static void find_reach(const sp_ldl *A, int a, sp_con *con)
{
    const int *sup = sp_con_sup(con, a);
    int *key = con->reach->key + (size_t)a * (size_t)con->reach->room;
    int *dof = con->reach->dof + (size_t)a * (size_t)con->reach->room, n = 0;
    for (int p = 0; p < con->n_sup[a]; p++) {
        for (int k = A->place[sup[p]]; k < A->n && con->z[k] == 0.0; k = A->parent[k]) {
            con->z[k] = 1.0;
            int i = n++;
            for (; i > 0 && key[i - 1] < A->n - 1 - k; i--) {
                key[i] = key[i - 1];
            }
            key[i] = A->n - 1 - k;
        }
    }
    for (int i = 0; i < n; i++) {
        const int k = A->n - 1 - key[i];
        con->z[k] = 0.0;
        dof[i] = A->order[k];
    }
    con->reach->n[a] = n;
}

/* L^-1 W of row r of contact a. */
static void solve_reach(const sp_ldl *A, int a, int r, sp_con *con)
{
    const int *sup = sp_con_sup(con, a);
    const double *W = sp_con_row(con, con->W, r);
    const size_t room = (size_t)con->reach->room;
    const int *key = con->reach->key + (size_t)a * room;
    double *Y = con->reach->Y + (size_t)r * room, *YD = con->reach->YD + (size_t)r * room;
    double *z = con->z;
    for (int p = 0; p < con->n_sup[a]; p++) {
        z[A->place[sup[p]]] = W[p];
    }
    for (int i = 0; i < con->reach->n[a]; i++) {
        const int k = A->n - 1 - key[i];
        const double y = z[k];
        Y[i] = y;
        YD[i] = y * A->D_inv[k];
        z[k] = 0.0;
        for (size_t e = A->start[k] + 1; e < A->start[k + 1] && y != 0.0; e++) {
            z[A->row[e]] -= A->L[e] * y;
        }
    }
}

/* Row r of G up to the diagonal, and its mirror: D^-1 Y of it lies in z. */
static void fill_row(int a, int r, sp_con *con)
{
    const sp_con_column own = sp_con_column_of(con, a, r);
    double *z = con->z, *G = con->G;
    const size_t n = (size_t)con->n_row;
    for (int k = 0; k < own.n; k++) {
        z[own.dof[k]] = own.YD[k];
    }
    for (int b = 0; b <= a; b++) {
        for (int s = con->row[b]; s < con->row[b + 1] && s <= r; s++) {
            const sp_con_column other = sp_con_column_of(con, b, s);
            double sum = 0.0;
            for (int k = 0; k < other.n; k++) {
                sum += other.Y[k] * z[other.dof[k]];
            }
            G[(size_t)r * n + (size_t)s] = G[(size_t)s * n + (size_t)r] = sum;
        }
    }
    for (int k = 0; k < own.n; k++) {
        z[own.dof[k]] = 0.0;
    }
}

/* Y and G by the factor of A.   theory (71.8) */
static void delassus_of_A(const sp_ldl *A, sp_con *con)
{
    for (int a = 0; a < con->n_active; a++) {
        find_reach(A, a, con);
        for (int r = con->row[a]; r < con->row[a + 1]; r++) {
            solve_reach(A, a, r, con);
        }
    }
    for (int a = 0; con->G && a < con->n_active; a++) {
        for (int r = con->row[a]; r < con->row[a + 1]; r++) {
            fill_row(a, r, con);
        }
    }
}

void sp_con_delassus(const sp_model *m, const sp_dyn *dyn, sp_con *con)
{
    con->spreads = dyn->by_A && !dyn->recursive;
    if (con->by_bodies) { /* nobody asks for Y */
        return;
    }
    if (con->spreads) {
        delassus_of_A(&dyn->implicit->A, con);
        return;
    }
    for (int first = 0, end; first < con->n_active; first = end) {
        end = group_end(m, con, first);
        solve_rows(m, dyn, first, con->row[first], con->row[end], con);
        if (!con->G) {
            continue;
        }
        fill_own_block(con, con->n_sup[first], con->row[first], con->row[end]);
        for (int a = first; a < end; a++) {
            fill_other_blocks(con, a, first);
        }
    }
}

void sp_con_slot_gamma(const sp_model *m, const sp_numbers *num, const sp_con *con, int slot,
                       double gamma[3])
{
    const sp_slot *s = &m->slot[slot];
    gamma[2] = 0.0;
    if (s->is.rule) {
        sp_rule_gamma(m, num, con, slot, gamma);
    } else if (s->is.space) {
        sp_con3_gamma(m, num, con, slot, gamma);
    } else {
        const sp_contact_frame f = sp_con_frame(m, num, con, slot);
        sp_con_gamma(con->kin, &f, gamma);
    }
}

void sp_con_slot_bias(const sp_model *m, const sp_numbers *num, const sp_con *con, int a,
                      double w_bar[SP_SET_DIM_MAX])
{
    const int slot = con->active[a];
    const sp_slot *s = &m->slot[slot];
    w_bar[2] = 0.0;
    if (s->is.rule) {
        sp_rule_bias(m, num, con, slot, w_bar);
    } else if (s->is.space) {
        sp_frame3_bias(con->kin, &con->frame3[a], w_bar);
        if (con->row[a + 1] - con->row[a] > 3) {
            sp_spin3_bias(con->kin, &con->frame3[a], &con->set[a], num->law[s->law].lever,
                          w_bar + 3);
        }
    } else {
        sp_con_bias(m, con->kin, con, slot, &con->frame[a], w_bar);
    }
}
