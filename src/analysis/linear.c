#include "analysis/linear.h"

#include "analysis/linear_parts.h"
#include "analysis/view.h"
#include "contact/coefficient.h"
#include "contact/motion.h"
#include "contact/rule.h"
#include "math/basis.h"

#include <string.h>

#define MASSLESS 1e-14 /* pivots of M below this part of the entry are none       */

/* ---- memory ---------------------------------------------------------------------------------- */

/* Which degrees of freedom can move. */
static void find_free(const sp_model *m, const sp_hold *hold, sp_linear *l)
{
    sp_motion_held(m, l->held);
    for (int k = 0; k < m->n_dof; k++) {
        l->held[k] |= hold->dof && hold->dof[k];
        if (!l->held[k]) {
            l->free[l->n_free++] = k;
        }
    }
}

static bool make_rooms(const sp_model *m, sp_linear *l, int rows)
{
    sp_arena *a = &l->arena;
    const size_t n = (size_t)m->n_dof, r = (size_t)rows;
    double **square[] = {&l->M, &l->C, &l->N, &l->L, &l->K, &l->D, &l->K_r, &l->D_r};
    double **tall[] = {&l->A, &l->B, &l->A_, &l->B_};
    double **flat[] = {&l->h, &l->a, &l->s1, &l->s2};
    bool ok = sp_tangent_alloc(a, m, &l->tangent);
    for (size_t k = 0; k < sizeof square / sizeof *square; k++) {
        ok = (*square[k] = SP_NEW(a, double, n *n)) != NULL && ok;
    }
    for (size_t k = 0; k < sizeof tall / sizeof *tall; k++) {
        ok = (*tall[k] = SP_NEW(a, double, r *n)) != NULL && ok;
    }
    for (size_t k = 0; k < sizeof flat / sizeof *flat; k++) {
        ok = (*flat[k] = SP_NEW(a, double, n + r)) != NULL && ok;
    }
    l->scratch = SP_NEW(a, double, (n + r) * n);
    l->held = SP_NEW(a, unsigned char, n);
    l->free = SP_NEW(a, int, n);
    l->row = SP_NEW(a, sp_linear_row, r);
    l->held_row = SP_NEW(a, sp_held_row, 2 * r);
    l->unit = SP_NEW(a, sp_slide, r);
    l->slide = SP_NEW(a, sp_slide, r);
    l->slide_row = SP_NEW(a, int, r);
    l->gamma = SP_NEW(a, sp_dual, r);
    l->spin_row = SP_NEW(a, sp_spin_row, r);
    void *lu = sp_arena_alloc(a, sp_lu_bytes(rows > m->n_dof ? rows : m->n_dof) + 1, 1);
    ok = ok && l->scratch && l->held && l->free && l->row && l->held_row && lu && l->unit &&
         l->slide && l->slide_row && l->gamma && l->spin_row;
    l->G.LU = lu; /* placed anew when the number of rows is known */
    return ok;
}

/* A machine that is too large is said before anything is begun. */
static sp_status check_size(const sp_model *m, sp_error *err)
{
    if (m->n_dof > SP_LINEAR_MAX) {
        return SP_FAIL(err, SP_E_INPUT,
                       "the machine has %d degrees of freedom; small motions are found for at most "
                       "%d",
                       m->n_dof, SP_LINEAR_MAX);
    }
    return SP_OK;
}

sp_status sp_linear_new(const sp_model *m, const sp_state *x, const sp_hold *hold,
                        const sp_allocator *allocator, sp_linear **linear, sp_error *err)
{
    sp_arena arena;
    *linear = NULL;
    SP_TRY(check_size(m, err));
    for (int i = 0; i < hold->n_closed; i++) {
        if (m->slot[hold->closed[i].slot].is.two_slips) {
            return SP_FAIL(err, SP_E_INPUT,
                           "contact '%s' has two slips by expressions, which small motions do not "
                           "know; leave it out of 'closed'",
                           m->slot[hold->closed[i].slot].name);
        }
    }
    sp_arena_init(&arena, allocator, 0);
    sp_linear *l = SP_NEW(&arena, sp_linear, 1);
    if (l) {
        l->arena = arena;
    }
    if (!l ||
        !make_rooms(
            m, l, (m->dim == 3 ? SP_SET_DIM_MAX : 2) * hold->n_closed + m->n_bond + hold->n_spin)) {
        sp_arena_free(l ? &l->arena : &arena);
        return SP_FAIL(err, SP_E_MEMORY, "no memory for the small motions of %d degrees of freedom",
                       m->n_dof);
    }
    l->m = m;
    l->n = m->n_dof;
    l->n_closed = hold->n_closed;
    l->closed = hold->closed;
    l->n_spin = hold->n_spin;
    l->spin = hold->spin;
    l->in_space = hold->n_spin > 0;
    for (int i = 0; i < hold->n_closed; i++) {
        l->in_space |= m->slot[hold->closed[i].slot].is.space;
    }
    find_free(m, hold, l);
    const sp_status status = sp_work_new(m, allocator, &l->w, err);
    if (status != SP_OK) {
        sp_linear_free(l);
        return status;
    }
    sp_dyn_init(m, x->numbers, &l->w->dyn);
    *linear = l;
    return SP_OK;
}

void sp_linear_free(sp_linear *linear)
{
    if (linear) {
        sp_arena arena = linear->arena; /* the struct lies in it */
        sp_work_free(linear->w);
        sp_arena_free(&arena);
    }
}

/* ---- terms ----------------------------------------------------------------------------------- */

/* h of all shares, and how large they are in the metric of M (C is there). */
static void sum_forces(sp_linear *l)
{
    double size2 = 0.0;
    memset(l->h, 0, (size_t)l->n * sizeof *l->h);
    for (int s = 0; s < SP_SHARES; s++) {
        const double *h = l->w->dyn.h[s];
        for (int k = 0; k < l->n && l->w->dyn.acts[s]; k++) {
            l->h[k] += h[k];
        }
        for (int i = 0; i < l->n_free; i++) {
            l->s1[i] = l->w->dyn.acts[s] ? h[l->free[i]] : 0.0;
        }
        sp_cholesky_forward(l->n_free, l->C, l->s1);
        for (int i = 0; i < l->n_free; i++) {
            size2 += l->s1[i] * l->s1[i];
        }
    }
    l->force_size = sqrt(size2);
}

/* M = C C^T over what is free. */
static sp_status factor_mass(sp_linear *l, sp_error *err)
{
    const size_t n = (size_t)l->n, n_free = (size_t)l->n_free;
    for (size_t i = 0; i < n_free; i++) {
        for (size_t j = 0; j < n_free; j++) {
            l->C[i * n_free + j] = l->M[(size_t)l->free[i] * n + (size_t)l->free[j]];
        }
    }
    const int bad = sp_cholesky(l->n_free, l->C, MASSLESS);
    if (bad < l->n_free) {
        return SP_FAIL(err, SP_E_INPUT,
                       "'%s' is free to move without mass or inertia behind it; give it some or "
                       "hold it",
                       l->m->dof[l->free[bad]].name);
    }
    return SP_OK;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* The second derivative of both directions of a slot for u' = 0. */
static void find_bias(const sp_linear *l, const sp_state *x, int slot, const sp_contact_frame *f,
                      double w_bar[3])
{
    if (l->m->slot[slot].is.rule) {
        sp_rule_bias(l->m, x->numbers, &l->w->con, slot, w_bar);
    } else {
        sp_con_bias(l->m, &l->w->kin, &l->w->con, slot, f, w_bar);
    }
}

void sp_linear_spread(const sp_linear *l, int contact, int r, double k, double *row)
{
    const sp_con *con = &l->w->con;
    sp_con_add(con, contact, sp_con_row(con, con->W, r), k, row);
}

sp_linear_row *sp_linear_add_row(sp_linear *l, int contact, int part, double gap, double bias)
{
    const sp_con *con = &l->w->con;
    const size_t at = (size_t)l->n_row * (size_t)l->n;
    sp_linear_row *row = &l->row[l->n_row];
    const double lambda = row->lambda; /* stays from look to look */
    *row = (sp_linear_row){.slot = con->active[contact],
                           .part = part,
                           .lever = 1.0,
                           .gap = gap,
                           .bias = bias,
                           .lambda = lambda};
    memset(l->A + at, 0, (size_t)l->n * sizeof *l->A);
    sp_linear_spread(l, contact, con->row[contact] + part, 1.0, l->A + at);
    memcpy(l->B + at, l->A + at, (size_t)l->n * sizeof *l->B);
    l->n_row++;
    return row;
}

/* The rows of one closed contact or bilateral row. */
static void add_rows(sp_linear *l, const sp_state *x, int contact, sp_closed_kind kind)
{
    const sp_con *con = &l->w->con;
    const int slot = con->active[contact], r = con->row[contact];
    const sp_slot *s = &l->m->slot[slot];
    const bool rough = con->row[contact + 1] - r == 2, gapless = con->g[slot] == -INFINITY;
    double mu = rough ? x->numbers->law[s->law].mu : 0.0;
    double w_bar[3], slip = 0.0;
    find_bias(l, x, slot, &con->frame[contact], w_bar);
    if (rough) {
        slip = sp_con_dot(con, contact, r + 1, x->u) + con->w_tilde[r + 1];
    }
    const bool sticks = rough && (kind == SP_CLOSED_STICKS ||
                                  (kind == SP_CLOSED_ITSELF && fabs(slip) <= SP_STICKS_BELOW));
    sp_linear_row *row = sp_linear_add_row(l, contact, 0, gapless ? 0.0 : con->g[slot], w_bar[0]);
    if (sticks) {
        row->mu = mu;
        sp_linear_add_row(l, contact, 1, 0.0, w_bar[1]);
    } else if (rough && fabs(slip) > SP_STICKS_BELOW) {
        row->contact = contact;
        if (sp_con_by_speed(l->m, slot)) {
            mu = sp_con_mu(l->m, x->numbers, con, slot, fabs(slip), &row->slope);
        }
        row->friction = slip > 0.0 ? -mu : mu;
        sp_linear_spread(l, contact, r + 1, row->friction,
                         l->B + (size_t)(l->n_row - 1) * (size_t)l->n);
    }
}

/* All rows, A and B. */
static sp_status find_rows(sp_linear *l, const sp_state *x, sp_error *err)
{
    const sp_model *m = l->m;
    sp_con *con = &l->w->con;
    con->n_active = 0;
    for (int i = 0; i < l->n_closed; i++) {
        SP_TRY(sp_linear_space_is_there(l, l->closed[i].slot, err));
        con->active[con->n_active++] = l->closed[i].slot;
    }
    for (int i = 0; i < m->n_bond; i++) {
        con->active[con->n_active++] = m->n_slot + i;
    }
    sp_con_directions(m, x->numbers, &l->w->kin, true, con);
    l->n_row = l->n_slide = 0;
    for (int a = 0; a < con->n_active; a++) {
        const sp_closed_kind kind = a < l->n_closed ? l->closed[a].kind : SP_CLOSED_ITSELF;
        if (m->slot[con->active[a]].is.space) {
            SP_TRY(sp_linear_space_rows(l, x, a, kind, err));
        } else {
            add_rows(l, x, a, kind);
        }
    }
    sp_linear_space_spins(l);
    return SP_OK;
}

/* Rows over the free degrees of freedom in the metric of M. */
static void to_metric(const sp_linear *l, const double *A, double *A_)
{
    const size_t n = (size_t)l->n, n_free = (size_t)l->n_free;
    for (int r = 0; r < l->n_row; r++) {
        double *row = A_ + (size_t)r * n_free;
        for (size_t i = 0; i < n_free; i++) {
            row[i] = A[(size_t)r * n + (size_t)l->free[i]];
        }
        sp_cholesky_forward(l->n_free, l->C, row);
    }
}

/* What the rows A_ leave free: orthonormal rows N; how many. */
static int find_motions(const sp_linear *l, const double *A_, double *N)
{
    const size_t n_free = (size_t)l->n_free;
    double *rows = l->scratch;
    memcpy(rows, A_, (size_t)l->n_row * n_free * sizeof *rows);
    const int rank = sp_basis_split(l->n_row, l->n_free, rows, SP_DEPENDENT, N);
    memmove(N, N + (size_t)rank * n_free, (n_free - (size_t)rank) * n_free * sizeof *N);
    return l->n_free - rank;
}

/* G = A M^-1 B^T, factored. */
static void factor_rows(sp_linear *l)
{
    const int n_free = l->n_free;
    sp_lu_place(&l->G, l->n_row, l->G.LU);
    for (int i = 0; i < l->n_row; i++) {
        for (int j = 0; j < l->n_row; j++) {
            double sum = 0.0;
            for (int k = 0; k < n_free; k++) {
                sum += l->A_[i * n_free + k] * l->B_[j * n_free + k];
            }
            l->G.LU[i * l->n_row + j] = sum;
        }
    }
    sp_lu_factor(&l->G, 1e-11);
}

sp_status sp_linear_look(sp_linear *l, const sp_state *x, sp_error *err)
{
    const sp_model *m = l->m;
    sp_work *w = l->w;
    w->dyn.z = x->z;
    sp_dyn_terms(m, x->numbers, x->t, x->q, x->u, &w->kin, &w->dyn);
    sp_dyn_form_mass(m, x->numbers, &w->kin, &w->dyn);
    sp_kin_velocities(m, x->u, &w->kin);
    sp_kin_bias(m, x->u, &w->kin);
    sp_con_at(x->t, 1.0, x->q, x->u, &w->con);
    if (l->in_space) {
        sp_con_remember(m, x->contact, &w->con);
    }
    sp_con_gaps(m, x->numbers, &w->kin, &w->con);
    sp_view_unpack(m, &w->dyn, l->M);
    SP_TRY(factor_mass(l, err));
    sum_forces(l);
    SP_TRY(find_rows(l, x, err));
    to_metric(l, l->A, l->A_);
    to_metric(l, l->B, l->B_);
    l->n_move = find_motions(l, l->A_, l->N);
    if (find_motions(l, l->B_, l->L) != l->n_move) {
        return SP_FAIL(err, SP_E_INFEASIBLE,
                       "the closed sliding contacts cannot carry their load; open one of them");
    }
    factor_rows(l);
    return SP_OK;
}

/* ---- accelerations and row forces ------------------------------------------------------------ */

/* The rows with their forces, friction apart, for the tangent. */
static void list_rows(sp_linear *l)
{
    l->n_held_row = 0;
    for (int r = 0; r < l->n_row - l->n_spin; r++) {
        const sp_linear_row *row = &l->row[r];
        l->held_row[l->n_held_row++] =
            (sp_held_row){row->slot, row->part, row->lever * row->lambda};
        if (row->friction != 0.0) {
            l->held_row[l->n_held_row++] = (sp_held_row){row->slot, 1, row->friction * row->lambda};
        }
    }
    sp_linear_space_slides(l);
}

/* Prescribed accelerations of what is held, zero elsewhere; C^-1 (h - M a) over the free ones into
 * s1. */
static void drive(sp_linear *l, const sp_state *x)
{
    const size_t n = (size_t)l->n;
    memset(l->a, 0, n * sizeof *l->a);
    sp_motion_accelerate(l->m, x->t, &l->w->dyn, l->a);
    for (int i = 0; i < l->n_free; i++) {
        const size_t k = (size_t)l->free[i];
        double sum = l->h[k];
        for (size_t j = 0; j < n; j++) {
            sum -= l->M[k * n + j] * l->a[j];
        }
        l->s1[i] = sum;
    }
    sp_cholesky_forward(l->n_free, l->C, l->s1);
}

/* lambda of G lambda = -c, c in s2; s1 += B_^T lambda. */
static void apply_rows(sp_linear *l)
{
    for (int r = 0; r < l->n_row; r++) {
        l->s2[r] = -l->s2[r];
    }
    sp_lu_solve(&l->G, l->s2, l->s2);
    for (int r = 0; r < l->n_row; r++) {
        l->row[r].lambda = l->s2[r];
        for (int i = 0; i < l->n_free; i++) {
            l->s1[i] += l->B_[r * l->n_free + i] * l->s2[r];
        }
    }
    list_rows(l);
}

/* A_ s1 */
static double row_along(const sp_linear *l, int r)
{
    double sum = 0.0;
    for (int i = 0; i < l->n_free; i++) {
        sum += l->A_[r * l->n_free + i] * l->s1[i];
    }
    return sum;
}

void sp_linear_accelerate(sp_linear *l, const sp_state *x)
{
    drive(l, x);
    for (int r = 0; r < l->n_row; r++) { /* c = A a + bias without row forces */
        double sum = l->row[r].bias + row_along(l, r);
        for (int k = 0; k < l->n; k++) {
            sum += l->held[k] ? l->A[r * l->n + k] * l->a[k] : 0.0;
        }
        l->s2[r] = sum;
    }
    apply_rows(l);
    sp_cholesky_back(l->n_free, l->C, l->s1);
    for (int i = 0; i < l->n_free; i++) {
        l->a[l->free[i]] = l->s1[i];
    }
}

double sp_linear_balance(sp_linear *l, const sp_state *x, double *rho)
{
    double size2 = 0.0;
    drive(l, x);
    for (int r = 0; r < l->n_row; r++) {
        l->s2[r] = row_along(l, r);
    }
    apply_rows(l);
    for (int k = 0; k < l->n_move; k++) {
        double sum = 0.0;
        for (int i = 0; i < l->n_free; i++) {
            sum -= l->N[k * l->n_free + i] * l->s1[i];
        }
        rho[k] = sum;
        size2 += sum * sum;
    }
    return sqrt(size2);
}

/* ---- small motions --------------------------------------------------------------------------- */

/* D += mu'(v) lambda_N W_T W_T^T of what slides in the plane; w: scratch.   theory (14.8) */
static void add_slopes(sp_linear *l, double *w)
{
    const size_t n = (size_t)l->n;
    for (int r = 0; r < l->n_row; r++) {
        const sp_linear_row *row = &l->row[r];
        if (row->friction == 0.0 || row->slope == 0.0) {
            continue;
        }
        memset(w, 0, n * sizeof *w);
        sp_linear_spread(l, row->contact, l->w->con.row[row->contact] + 1, 1.0, w);
        for (size_t i = 0; i < n; i++) {
            for (size_t k = 0; k < n; k++) {
                l->D[i * n + k] += row->slope * row->lambda * w[i] * w[k];
            }
        }
    }
}

void sp_linear_tangent(sp_linear *l, const sp_state *x)
{
    const size_t n = (size_t)l->n;
    const sp_tangent_point at = {.at = {x->t, x->q, x->u, l->a, x->z, &l->w->kin},
                                 .con = &l->w->con,
                                 .n_row = l->n_held_row,
                                 .row = l->held_row,
                                 .n_slide = l->n_slide,
                                 .slide = l->slide,
                                 .n_spin = l->n_spin,
                                 .spin = l->spin_row};
    double *one = l->s1, *none = l->s2;
    memset(one, 0, n * sizeof *one);
    memset(none, 0, n * sizeof *none);
    for (size_t k = 0; k < n; k++) {
        one[k] = 1.0;
        for (int by_u = 0; by_u < 2; by_u++) {
            double *to = by_u ? l->D : l->K;
            sp_tangent_look(l->m, x->numbers, &at, by_u ? none : one, by_u ? one : none,
                            &l->tangent);
            for (size_t i = 0; i < n; i++) {
                to[i * n + k] = l->tangent.r[i].d;
            }
        }
        one[k] = 0.0;
    }
    add_slopes(l, one);
}
