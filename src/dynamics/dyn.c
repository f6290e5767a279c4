#include "dynamics/dyn.h"

#include "base/status.h"
#include "kinematics/body.h"

#include <string.h>

void sp_dyn_init(const sp_model *m, const sp_numbers *num, sp_dyn *dyn)
{
    dyn->acts[SP_CONSERVATIVE] = true; /* inertia always does */
    dyn->acts[SP_DAMPERS] = dyn->acts[SP_APPLIED] = false;
    for (int i = 0; i < m->n_dof; i++) {
        dyn->acts[SP_DAMPERS] |= m->dof[i].spring && num->dof[i].damping != 0.0;
    }
    for (int i = 0; i < m->n_force; i++) {
        const sp_force *f = &m->force[i];
        const bool spring = f->kind <= SP_FORCE_SPRING_MEASURE;
        dyn->acts[SP_DAMPERS] |= spring && num->force[i].damping != 0.0;
        dyn->acts[SP_APPLIED] |= f->kind != SP_FORCE_SPRING_POINTS || f->has_law;
    }
}

/* ---- one body, inlined into the loops over the tree ----------------------------------------- */

/* From the parent's pivot to that of body i. */
static inline sp_vec reach(const sp_kin *kin, int parent, int i)
{
    return sp_add(kin->frame[parent].own, kin->frame[i].arm);
}

/* The body alone, about its pivot. */
static inline sp_inertia own_inertia(const sp_body_numbers *n, const sp_frame *f)
{
    const sp_vec r = sp_add(f->own, f->c);
    return (sp_inertia){.mass = n->mass,
                        .moment = sp_scale(n->mass, r),
                        .J = n->inertia + n->mass * sp_inner(r, r)};
}

/* Gravity and inertia at bias acceleration, about the pivot.   theory (3.6) */
static inline sp_wrench body_force(const sp_body_numbers *n, sp_vec g, const sp_frame *f)
{
    const sp_vec force = sp_scale(n->mass, sp_sub(g, sp_kin_bias_off(f, f->c)));
    return (sp_wrench){.f = force,
                       .m = sp_cross(sp_add(f->own, f->c), force) - n->inertia * f->alpha0};
}

/* Momentum about the pivot; v of the centre of mass. */
static inline sp_wrench momentum(const sp_body_numbers *n, const sp_frame *f, sp_vec v)
{
    const sp_vec p = sp_scale(n->mass, v);
    return (sp_wrench){.f = p, .m = n->inertia * f->omega + sp_cross(sp_add(f->own, f->c), p)};
}

/* 1/2 m v^2 + 1/2 J omega^2, v of the centre of mass.   theory (3.10) */
static inline double kinetic(const sp_body_numbers *n, const sp_frame *f, sp_vec v)
{
    return 0.5 * (n->mass * sp_inner(v, v) + n->inertia * f->omega * f->omega);
}

/* A composite body joins that of the parent, whose pivot lies d behind.   theory (3.2) */
SP_BODY_INLINE void join(sp_inertia c, sp_vec d, sp_inertia *to)
{
    to->mass += c.mass;
    to->moment = sp_add(to->moment, sp_axpy(c.moment, c.mass, d));
    to->J += c.J + 2.0 * sp_inner(d, c.moment) + c.mass * sp_inner(d, d);
}

/* A wrench joins that of the parent, whose pivot lies d behind. */
SP_BODY_INLINE void pass_on(sp_wrench w, sp_vec d, sp_wrench *to)
{
    to->m += w.m + sp_cross(d, w.f);
    to->f = sp_add(to->f, w.f);
}

/* Row k of M: power of the momentum p (about the pivot) on all degrees of freedom before k; the
 * entry of k itself is given.   theory (3.4) */
SP_BODY_INLINE void fill_row(const sp_model *m, const sp_kin *kin, int k, double M_kk, sp_vec pivot,
                             sp_wrench p, double *M)
{
    const sp_dof_layout *dof = m->layout.dof;
    double *row = M + dof[k].row;
    row[dof[k].depth] = M_kk;
    for (int j = dof[k].parent, d = dof[k].depth - 1; d >= 0; d--, j = dof[j].parent) {
        const sp_vec axis = kin->axis[j];
        row[d] =
            m->layout.dof_turns[j] ? p.m + sp_cross(sp_sub(pivot, axis), p.f) : sp_inner(axis, p.f);
    }
}

/* Rows of M of the joint of a body: momentum of its composite body for u_k = 1.   theory (3.3) */
SP_BODY_INLINE void fill_rows(const sp_model *m, const sp_kin *kin, int i, sp_inertia c, double *M)
{
    const sp_body_layout *b = &m->layout.body[i];
    const sp_vec pivot = sp_sub(kin->frame[i].x, kin->frame[i].own);
    for (int k = b->dof; k < b->dof + b->n_slide; k++) {
        const sp_vec e = kin->axis[k];
        fill_row(m, kin, k, c.mass, pivot,
                 (sp_wrench){.f = sp_scale(c.mass, e), .m = sp_cross(c.moment, e)}, M);
    }
    if (b->turn != SP_NONE) {
        fill_row(m, kin, b->turn, c.J, pivot,
                 (sp_wrench){.f = sp_spin_cross(1.0, c.moment), .m = c.J}, M);
    }
}

/* h of the joint of a body from the wrench of all that hangs on it.   theory (3.7) */
SP_BODY_INLINE void gather(const sp_model *m, const sp_kin *kin, int i, sp_wrench w, double *h)
{
    const sp_body_layout *b = &m->layout.body[i];
    for (int k = b->dof; !b->hinge && k < b->dof + b->n_slide; k++) {
        h[k] += sp_inner(kin->axis[k], w.f);
    }
    if (b->turn != SP_NONE) {
        h[b->turn] += w.m;
    }
}

/* ---- mass ------------------------------------------------------------------------------------ */

void sp_dyn_mass(const sp_model *m, const sp_numbers *num, const sp_kin *kin, sp_dyn *dyn)
{
    for (int i = 1; i < m->n_body; i++) {
        dyn->composite[i] = own_inertia(&num->body[i], &kin->frame[i]);
    }
    for (int i = m->n_body - 1; i > 0; i--) { /* all that hangs on body i has joined it */
        const int parent = m->layout.body[i].parent;
        const sp_inertia c = dyn->composite[i];
        fill_rows(m, kin, i, c, dyn->M);
        if (parent != SP_GROUND) {
            join(c, reach(kin, parent, i), &dyn->composite[parent]);
        }
    }
}

/* ---- factor and solutions ----------------------------------------------------------------------
 */

/* Row k of the factor is done: take its share out of the rows above.
 * M_ij -= L_ki M_kj for the ancestors i of k and j of i, then L_ki in place of M_ki. */
static inline void eliminate(const sp_dof_layout *dof, int k, double D_inv, double *L)
{
    double *row = L + dof[k].row;
    for (int i = dof[k].parent, d_i = dof[k].depth - 1; d_i >= 0; d_i--, i = dof[i].parent) {
        const double l = row[d_i] * D_inv;
        double *row_i = L + dof[i].row;
        for (int d = 0; d <= d_i; d++) {
            row_i[d] -= l * row[d];
        }
        row[d_i] = l;
    }
}

sp_status sp_dyn_factor(const sp_model *m, sp_dyn *dyn, sp_error *err)
{
    const sp_dof_layout *dof = m->layout.dof;
    memcpy(dyn->L, dyn->M, (size_t)m->n_packed * sizeof *dyn->L);
    for (int k = m->n_dof - 1; k >= 0; k--) {
        const double pivot = dyn->L[dof[k].row + dof[k].depth];
        if (!(pivot > 0.0)) {
            return SP_FAIL(err, SP_E_NONFINITE,
                           "mass matrix is not positive definite at '%s' (pivot %g); a part that "
                           "moves there needs mass or inertia",
                           m->dof[k].name, pivot);
        }
        const double D_inv = 1.0 / pivot;
        dyn->D_inv[k] = D_inv;
        eliminate(dof, k, D_inv, dyn->L);
    }
    return SP_OK;
}

void sp_dyn_solve_LT(const sp_model *m, const sp_dyn *dyn, double *x)
{
    const sp_dof_layout *dof = m->layout.dof;
    for (int k = m->n_dof - 1; k >= 0; k--) {
        const double *row = dyn->L + dof[k].row, x_k = x[k];
        for (int i = dof[k].parent, d = dof[k].depth - 1; d >= 0; d--, i = dof[i].parent) {
            x[i] -= row[d] * x_k;
        }
    }
}

void sp_dyn_solve_D_L(const sp_model *m, const sp_dyn *dyn, double *x)
{
    const sp_dof_layout *dof = m->layout.dof;
    for (int k = 0; k < m->n_dof; k++) {
        const double *row = dyn->L + dof[k].row;
        double sum = x[k] * dyn->D_inv[k];
        for (int i = dof[k].parent, d = dof[k].depth - 1; d >= 0; d--, i = dof[i].parent) {
            sum -= row[d] * x[i];
        }
        x[k] = sum;
    }
}

void sp_dyn_multiply(const sp_model *m, const sp_dyn *dyn, const double *x, double *y)
{
    const sp_dof_layout *dof = m->layout.dof;
    for (int k = 0; k < m->n_dof; k++) {
        const int depth = dof[k].depth;
        const double *row = dyn->M + dof[k].row, x_k = x[k];
        double sum = row[depth] * x_k;
        for (int i = dof[k].parent, d = depth - 1; d >= 0; d--, i = dof[i].parent) {
            sum += row[d] * x[i];
            y[i] += row[d] * x_k; /* ancestors stand before k: y[i] is begun */
        }
        y[k] = sum;
    }
}

/* ---- forces ---------------------------------------------------------------------------------- */

/* No forces yet, but those of inertia and gravity are written later. */
static void clear(const sp_model *m, sp_dyn *dyn)
{
    for (int s = 0; s < SP_SHARES; s++) {
        if (dyn->acts[s]) {
            memset(dyn->h[s], 0, (size_t)m->n_dof * sizeof(double));
        }
        if (dyn->acts[s] && s != SP_CONSERVATIVE) {
            memset(dyn->wrench[s], 0, (size_t)m->n_body * sizeof(sp_wrench));
        }
    }
}

/* h += J^T wrench of one share, from the leaves to the roots; the wrenches are used up. */
static void gather_share(const sp_model *m, const sp_kin *kin, sp_wrench *w, double *h)
{
    for (int i = m->n_body - 1; i > 0; i--) {
        const int parent = m->layout.body[i].parent;
        const sp_wrench w_i = w[i];
        gather(m, kin, i, w_i, h);
        if (parent != SP_GROUND) {
            pass_on(w_i, reach(kin, parent, i), &w[parent]);
        }
    }
}

void sp_dyn_forces(const sp_model *m, const sp_numbers *num, const sp_kin *kin, double t,
                   const double *q, const double *u, sp_dyn *dyn)
{
    const sp_vec g = sp_vec_of(num->gravity);
    clear(m, dyn);
    for (int i = 1; i < m->n_body; i++) {
        dyn->wrench[SP_CONSERVATIVE][i] = body_force(&num->body[i], g, &kin->frame[i]);
    }
    sp_dyn_force_elements(m, num, kin, t, q, u, dyn);
    for (int s = 0; s < SP_SHARES; s++) {
        if (dyn->acts[s]) {
            gather_share(m, kin, dyn->wrench[s], dyn->h[s]);
        }
    }
}

/* ---- both ------------------------------------------------------------------------------------ */

void sp_dyn_terms(const sp_model *m, const sp_numbers *num, double t, const double *q,
                  const double *u, sp_kin *kin, sp_dyn *dyn)
{
    const sp_vec g = sp_vec_of(num->gravity);
    sp_wrench *w = dyn->wrench[SP_CONSERVATIVE];
    double *h = dyn->h[SP_CONSERVATIVE];
    clear(m, dyn);

    /* from the roots to the leaves: where each body is, its bias, its inertia, the forces on it */
    for (int i = 1; i < m->n_body; i++) {
        sp_body_turn(m, num, q, i, false, kin);
    }
    for (int i = 1; i < m->n_body; i++) {
        sp_body_place(m, num, q, i, kin);
        sp_body_bend(m, u, i, kin);
        dyn->composite[i] = own_inertia(&num->body[i], &kin->frame[i]);
        w[i] = body_force(&num->body[i], g, &kin->frame[i]);
    }
    if (m->n_force > 0) {
        sp_kin_velocities(m, u, kin);
    }
    if (m->n_force > 0 || m->layout.n_spring > 0) {
        sp_dyn_force_elements(m, num, kin, t, q, u, dyn);
    }

    /* from the leaves to the roots: M and h of each joint, then all that hangs on the parent */
    for (int i = m->n_body - 1; i > 0; i--) {
        const int parent = m->layout.body[i].parent;
        const sp_inertia c = dyn->composite[i];
        const sp_wrench w_i = w[i];
        fill_rows(m, kin, i, c, dyn->M);
        gather(m, kin, i, w_i, h);
        if (parent != SP_GROUND) {
            const sp_vec d = reach(kin, parent, i);
            join(c, d, &dyn->composite[parent]);
            pass_on(w_i, d, &w[parent]);
        }
    }
    for (int s = SP_DAMPERS; s < SP_SHARES; s++) {
        if (dyn->acts[s]) {
            gather_share(m, kin, dyn->wrench[s], dyn->h[s]);
        }
    }
}

/* ---- energies -------------------------------------------------------------------------------- */

double sp_dyn_kinetic(const sp_model *m, const sp_numbers *num, const sp_kin *kin)
{
    double T = 0.0;
    for (int i = 1; i < m->n_body; i++) {
        const sp_frame *f = &kin->frame[i];
        T += kinetic(&num->body[i], f, sp_kin_velocity_off(f, f->c));
    }
    return T;
}

/* 1/2 u^T J^T p of the momenta p, from the leaves to the roots; p is used up.   theory (3.12) */
static double half_power(const sp_model *m, const sp_kin *kin, const double *u, sp_wrench *p)
{
    double sum = 0.0;
    for (int i = m->n_body - 1; i > 0; i--) {
        const sp_body_layout *b = &m->layout.body[i];
        const sp_wrench p_i = p[i];
        for (int k = b->dof; k < b->dof + b->n_slide; k++) {
            sum += u[k] * sp_inner(kin->axis[k], p_i.f);
        }
        if (b->turn != SP_NONE) {
            sum += u[b->turn] * p_i.m;
        }
        if (b->parent != SP_GROUND) {
            pass_on(p_i, reach(kin, b->parent, i), &p[b->parent]);
        }
    }
    return 0.5 * sum;
}

double sp_dyn_quadratic(const sp_model *m, const sp_numbers *num, const sp_kin *kin,
                        const double *u, sp_dyn *dyn)
{
    sp_wrench *p = dyn->wrench[SP_CONSERVATIVE];
    for (int i = 1; i < m->n_body; i++) {
        const sp_frame *f = &kin->frame[i];
        p[i] = momentum(&num->body[i], f, sp_kin_velocity_off(f, f->c));
    }
    return half_power(m, kin, u, p);
}

sp_energy sp_dyn_energies(const sp_model *m, const sp_numbers *num, double t, const double *q,
                          const double *u, sp_kin *kin, sp_dyn *dyn)
{
    const sp_vec g = sp_vec_of(num->gravity);
    sp_wrench *p = dyn->wrench[SP_CONSERVATIVE];
    double T = 0.0, V = 0.0;
    for (int i = 1; i < m->n_body; i++) {
        const sp_body_numbers *n = &num->body[i];
        const sp_frame *f = &kin->frame[i];
        sp_body_turn(m, num, q, i, true, kin);
        sp_body_place(m, num, q, i, kin);
        sp_body_move(m, u, i, kin);
        const sp_vec v = sp_kin_velocity_off(f, f->c);
        T += kinetic(n, f, v);
        V -= n->mass * sp_inner(g, sp_add(f->x, f->c));
        p[i] = momentum(n, f, v);
    }
    if (m->n_force > 0 || m->layout.n_spring > 0) {
        V += sp_dyn_spring_energy(m, num, kin, t, q, u, dyn);
    }
    return (sp_energy){.kinetic = T, .potential = V, .quadratic = half_power(m, kin, u, p)};
}
