#include "dynamics/dyn.h"

#include "base/status.h"
#include "dynamics/dyn3.h"
#include "dynamics/formula.h"
#include "dynamics/mixed.h"
#include "kinematics/body.h"

#include <float.h>
#include <string.h>

void sp_dyn_init(const sp_model *m, const sp_numbers *num, sp_dyn *dyn)
{
    dyn->acts[SP_CONSERVATIVE] = true; /* inertia always does */
    dyn->acts[SP_DAMPERS] = dyn->acts[SP_APPLIED] = false;
    for (int i = 0; i < m->n_dof; i++) {
        dyn->acts[SP_DAMPERS] |= m->dof[i].spring && num->dof[i].damping != 0.0;
    }
    for (int i = 0; i < m->n_force; i++) {
        sp_dyn_element_shares(&m->force[i], &num->force[i], dyn->acts);
    }
    dyn->acts[SP_DAMPERS] |= m->layout.mixed; /* bodies that deform may damp that */
    dyn->acts[SP_DAMPERS] |= m->formula.dissipation.program != NULL;
    dyn->acts[SP_APPLIED] |= m->formula.M || m->formula.force || m->formula.mixed;
}

/* Loops over the tree are compiled for chains of hinges, too, and for those of two and three hinges
 * once more: unrolled, what passes from body to body stays in registers.  BY_SHAPE calls f with
 * what the compiler may then know: chain, and its length, 0 for any. */
#if defined(__GNUC__) && !defined(__clang__)
#define UNROLL _Pragma("GCC unroll 4")
#else
#define UNROLL /* done without asking */
#endif
#define BY_SHAPE(m, f, ...)                                                                        \
    ((m)->layout.n_hinge == 3   ? f(__VA_ARGS__, true, 3)                                          \
     : (m)->layout.n_hinge == 2 ? f(__VA_ARGS__, true, 2)                                          \
     : (m)->layout.chain        ? f(__VA_ARGS__, true, 0)                                          \
                                : f(__VA_ARGS__, false, 0))

/* Degrees of freedom; each body of a chain has one. */
SP_BODY_INLINE int count_dofs(const sp_model *m, int length)
{
    return length > 0 ? length : m->n_dof;
}

/* The ground and the bodies. */
SP_BODY_INLINE int count_bodies(const sp_model *m, int length)
{
    return length > 0 ? length + 1 : m->n_body;
}

/* ---- one body, inlined into the loops over the tree (kinematics/body.h) -----------------------
 */

/* The body alone, about its pivot. */
SP_BODY_INLINE sp_inertia own_inertia(const sp_body_numbers *n, const sp_frame *f, bool chain)
{
    const sp_vec r = sp_body_center(f, chain);
    return (sp_inertia){.mass = n->mass,
                        .moment = sp_scale(n->mass, r),
                        .J = n->inertia + n->mass * sp_inner(r, r)};
}

/* Gravity and inertia at bias acceleration, about the pivot.   theory (3.6) */
SP_BODY_INLINE sp_wrench body_force(const sp_body_numbers *n, sp_vec g, const sp_frame *f,
                                    bool chain)
{
    const sp_vec force = sp_scale(n->mass, sp_sub(g, sp_kin_bias_off(f, f->c)));
    return (sp_wrench){.f = force, .m = sp_cross(sp_body_center(f, chain), force)};
}

/* Momentum about the pivot; v of the centre of mass. */
SP_BODY_INLINE sp_wrench momentum(const sp_body_numbers *n, const sp_frame *f, sp_vec v, bool chain)
{
    const sp_vec p = sp_scale(n->mass, v);
    return (sp_wrench){.f = p, .m = n->inertia * f->omega + sp_cross(sp_body_center(f, chain), p)};
}

/* 1/2 m v^2 + 1/2 J omega^2, v of the centre of mass.   theory (3.10) */
static inline double kinetic(const sp_body_numbers *n, const sp_frame *f, sp_vec v)
{
    return 0.5 * (n->mass * sp_inner(v, v) + n->inertia * f->omega * f->omega);
}

/* A composite body joins that of the parent, whose pivot lies d behind.   theory (3.2) */
SP_BODY_INLINE sp_inertia join(sp_inertia c, sp_vec d, sp_inertia to)
{
    to.mass += c.mass;
    to.moment = sp_add(to.moment, sp_axpy(c.moment, c.mass, d));
    to.J += (2.0 * sp_inner(d, c.moment) + c.mass * sp_inner(d, d)) + c.J;
    return to;
}

/* A wrench joins that of the parent, whose pivot lies d behind. */
SP_BODY_INLINE sp_wrench pass_on(sp_wrench w, sp_vec d, sp_wrench to)
{
    to.m += w.m + sp_cross(d, w.f);
    to.f = sp_add(to.f, w.f);
    return to;
}

/* Row k of M, and of L, which begins as a copy of it (copied later, the processor would wait for
 * the stores): power of the momentum p (about the pivot) on all degrees of freedom before k; the
 * entry of k itself is given.   theory (3.4) */
SP_BODY_INLINE void fill_row(const sp_model *m, const sp_kin *kin, int k, double M_kk, sp_vec pivot,
                             sp_wrench p, bool chain, sp_dyn *dyn)
{
    const sp_dof_layout dof = sp_body_dof(m, k, chain);
    double *row = dyn->M + dof.row, *L = dyn->L + dof.row;
    row[dof.depth] = L[dof.depth] = M_kk;
    UNROLL
    for (int j = dof.parent, d = dof.depth - 1; d >= 0; d--, j = sp_body_dof(m, j, chain).parent) {
        const sp_vec axis = kin->axis[j];
        row[d] = L[d] = chain || m->layout.dof_turns[j] ? p.m + sp_cross(sp_sub(pivot, axis), p.f)
                                                        : sp_inner(axis, p.f);
    }
}

/* Rows of M of the joint of a body: momentum of its composite body for u_k = 1.   theory (3.3) */
SP_BODY_INLINE void fill_rows(const sp_model *m, const sp_kin *kin, int i, sp_inertia c, bool chain,
                              sp_dyn *dyn)
{
    const sp_body_layout b = sp_body_joint(m, i, chain);
    const sp_frame *f = &kin->frame[i];
    const sp_vec pivot = chain ? f->x : sp_sub(f->x, f->own);
    for (int k = b.dof; k < b.dof + b.n_slide; k++) {
        const sp_vec e = kin->axis[k];
        const sp_wrench p = {.f = sp_scale(c.mass, e), .m = sp_cross(c.moment, e)};
        fill_row(m, kin, k, c.mass, pivot, p, chain, dyn);
    }
    if (b.turn != SP_NONE) {
        const sp_wrench p = {.f = sp_spin_cross(1.0, c.moment), .m = c.J};
        fill_row(m, kin, b.turn, c.J, pivot, p, chain, dyn);
    }
}

/* h of the joint of a body from the wrench of all that hangs on it; more: something is in h
 * already.   theory (3.7) */
SP_BODY_INLINE void gather(const sp_model *m, const sp_kin *kin, int i, sp_wrench w, bool more,
                           bool chain, double *h)
{
    const sp_body_layout b = sp_body_joint(m, i, chain);
    for (int k = b.dof; k < b.dof + b.n_slide; k++) {
        h[k] = (more ? h[k] : 0.0) + sp_inner(kin->axis[k], w.f);
    }
    if (b.turn != SP_NONE) {
        h[b.turn] = (more ? h[b.turn] : 0.0) + w.m;
    }
}

/* ---- mass ------------------------------------------------------------------------------------ */

SP_BODY_INLINE void mass(const sp_model *m, const sp_numbers *num, const sp_kin *kin, bool chain,
                         sp_dyn *dyn)
{
    for (int i = 1; i < m->n_body; i++) {
        dyn->composite[i] = own_inertia(&num->body[i], &kin->frame[i], chain);
    }
    for (int i = m->n_body - 1; i > 0; i--) { /* all that hangs on body i has joined it */
        const int parent = sp_body_joint(m, i, chain).parent;
        const sp_inertia c = dyn->composite[i];
        fill_rows(m, kin, i, c, chain, dyn);
        if (parent != SP_GROUND) {
            const sp_vec d = sp_body_reach(&kin->frame[parent], &kin->frame[i], chain);
            dyn->composite[parent] = join(c, d, dyn->composite[parent]);
        }
    }
}

void sp_dyn_mass(const sp_model *m, const sp_numbers *num, const sp_kin *kin, sp_dyn *dyn)
{
    if (m->layout.mixed) {
        sp_mixed_mass(m, num, kin, dyn);
    } else if (m->dim == 3) {
        sp_dyn3_mass(m, num, kin, dyn);
    } else if (m->layout.chain) {
        mass(m, num, kin, true, dyn);
    } else {
        mass(m, num, kin, false, dyn);
    }
}

/* ---- factor and solutions ---------------------------------------------------------------------
 */

/* Row k of the factor is done: take its share out of the rows above.
 * M_ij -= L_ki M_kj for the ancestors i of k and j of i, then L_ki in place of M_ki. */
SP_BODY_INLINE void eliminate(const sp_model *m, int k, double D_inv, bool chain, double *L)
{
    const sp_dof_layout dof = sp_body_dof(m, k, chain);
    double *row = L + dof.row;
    UNROLL
    for (int i = dof.parent, d_i = dof.depth - 1; d_i >= 0; d_i--) {
        const sp_dof_layout above = sp_body_dof(m, i, chain);
        const double l = row[d_i] * D_inv;
        double *row_i = L + above.row;
        UNROLL
        for (int d = 0; d <= d_i; d++) {
            row_i[d] -= l * row[d];
        }
        row[d_i] = l;
        i = above.parent;
    }
}

SP_BODY_INLINE sp_status factor(const sp_model *m, sp_dyn *dyn, sp_error *err, bool chain,
                                int length)
{
    UNROLL
    for (int k = count_dofs(m, length) - 1; k >= 0; k--) {
        const sp_dof_layout dof = sp_body_dof(m, k, chain);
        const double pivot = dyn->L[dof.row + dof.depth];
        if (!(pivot >= DBL_MIN)) { /* else one over it overflows */
            return SP_FAIL(err, SP_E_NONFINITE,
                           isnan(pivot) ? "'%s' is not a finite number, and its mass is %g: a "
                                          "force or an expression grew beyond bounds"
                                        : "mass matrix is not positive definite at '%s' (pivot "
                                          "%g); a part that moves there needs mass or inertia",
                           m->dof[k].name, pivot);
        }
        const double D_inv = 1.0 / pivot;
        dyn->D_inv[k] = D_inv;
        eliminate(m, k, D_inv, chain, dyn->L);
    }
    return SP_OK;
}

sp_status sp_dyn_factor(const sp_model *m, sp_dyn *dyn, sp_error *err)
{
    return BY_SHAPE(m, factor, m, dyn, err);
}

sp_status sp_dyn_factor_held(const sp_model *m, const unsigned char *held, sp_dyn *dyn,
                             sp_error *err)
{
    for (int k = 0; k < m->n_dof; k++) { /* decouple those held from all others */
        double *row = dyn->L + m->layout.dof[k].row;
        for (int j = m->layout.dof[k].parent; j != SP_NONE; j = m->layout.dof[j].parent) {
            if (held[k] || held[j]) {
                row[m->layout.dof[j].depth] = 0.0;
            }
        }
        if (held[k]) {
            row[m->layout.dof[k].depth] = 1.0; /* any pivot */
        }
    }
    SP_TRY(sp_dyn_factor(m, dyn, err));
    for (int k = 0; k < m->n_dof; k++) {
        dyn->D_inv[k] = held[k] ? 0.0 : dyn->D_inv[k];
    }
    return SP_OK;
}

SP_BODY_INLINE void solve_LT(const sp_model *m, const sp_dyn *dyn, double *x, bool chain,
                             int length)
{
    UNROLL
    for (int k = count_dofs(m, length) - 1; k > 0; k--) {
        const sp_dof_layout dof = sp_body_dof(m, k, chain);
        const double *row = dyn->L + dof.row, x_k = x[k];
        UNROLL
        for (int i = dof.parent, d = dof.depth - 1; d >= 0; d--) {
            x[i] -= row[d] * x_k;
            i = sp_body_dof(m, i, chain).parent;
        }
    }
}

void sp_dyn_solve_LT(const sp_model *m, const sp_dyn *dyn, double *x)
{
    BY_SHAPE(m, solve_LT, m, dyn, x);
}

SP_BODY_INLINE void solve_D_L(const sp_model *m, const sp_dyn *dyn, double *x, bool chain,
                              int length)
{
    UNROLL
    for (int k = 0; k < count_dofs(m, length); k++) {
        const sp_dof_layout dof = sp_body_dof(m, k, chain);
        const double *row = dyn->L + dof.row;
        double sum = x[k] * dyn->D_inv[k];
        UNROLL
        for (int i = dof.parent, d = dof.depth - 1; d >= 0; d--) {
            sum -= row[d] * x[i];
            i = sp_body_dof(m, i, chain).parent;
        }
        x[k] = sum;
    }
}

void sp_dyn_solve_D_L(const sp_model *m, const sp_dyn *dyn, double *x)
{
    BY_SHAPE(m, solve_D_L, m, dyn, x);
}

SP_BODY_INLINE void multiply(const sp_model *m, const sp_dyn *dyn, const double *x, double *y,
                             bool chain, int length)
{
    UNROLL
    for (int k = 0; k < count_dofs(m, length); k++) {
        const sp_dof_layout dof = sp_body_dof(m, k, chain);
        const double *row = dyn->M + dof.row, x_k = x[k];
        double sum = row[dof.depth] * x_k;
        UNROLL
        for (int i = dof.parent, d = dof.depth - 1; d >= 0; d--) {
            sum += row[d] * x[i];
            y[i] += row[d] * x_k; /* ancestors stand before k: y[i] is begun */
            i = sp_body_dof(m, i, chain).parent;
        }
        y[k] = sum;
    }
}

void sp_dyn_multiply(const sp_model *m, const sp_dyn *dyn, const double *x, double *y)
{
    BY_SHAPE(m, multiply, m, dyn, x, y);
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
        gather(m, kin, i, w_i, true, false, h);
        if (parent != SP_GROUND) {
            const sp_vec d = sp_body_reach(&kin->frame[parent], &kin->frame[i], false);
            w[parent] = pass_on(w_i, d, w[parent]);
        }
    }
}

/* The forces of bodies and elements in the plane. */
static void forces(const sp_model *m, const sp_numbers *num, const sp_kin *kin, double t,
                   const double *q, const double *u, sp_dyn *dyn)
{
    const sp_vec g = sp_vec_of(num->gravity);
    clear(m, dyn);
    for (int i = 1; i < m->n_body; i++) {
        dyn->wrench[SP_CONSERVATIVE][i] = body_force(&num->body[i], g, &kin->frame[i], false);
    }
    sp_dyn_force_elements(m, num, kin, t, q, u, dyn);
    for (int s = 0; s < SP_SHARES; s++) {
        if (dyn->acts[s]) {
            gather_share(m, kin, dyn->wrench[s], dyn->h[s]);
        }
    }
}

void sp_dyn_forces(const sp_model *m, const sp_numbers *num, const sp_kin *kin, double t,
                   const double *q, const double *u, sp_dyn *dyn)
{
    if (m->layout.mixed) {
        sp_mixed_forces(m, num, kin, t, q, u, dyn);
    } else if (m->dim == 3) {
        sp_dyn3_forces(m, num, kin, t, q, u, dyn);
    } else {
        forces(m, num, kin, t, q, u, dyn);
    }
    if (m->formula.n > 0) {
        sp_formula_forces(m, t, q, u, dyn);
    }
}

/* ---- all terms of a step ----------------------------------------------------------------------
 */

/* From the roots to the leaves: where each body is, its bias, its inertia, the forces on it. */
SP_BODY_INLINE void go_out(const sp_model *m, const sp_numbers *num, const double *q,
                           const double *u, sp_kin *kin, sp_dyn *dyn, bool chain, int length)
{
    const sp_vec g = sp_vec_of(num->gravity);
    const int n_body = count_bodies(m, length);
    sp_wrench *w = dyn->wrench[SP_CONSERVATIVE];
    UNROLL
    for (int i = 1; i < n_body; i++) {
        const sp_frame *parent = &kin->frame[sp_body_joint(m, i, chain).parent];
        sp_body_turn(m, num, q, i, false, chain, parent, kin);
        sp_body_place(m, num, q, i, chain, parent, kin);
        sp_body_bend(m, u, i, chain, parent, kin);
        dyn->composite[i] = own_inertia(&num->body[i], &kin->frame[i], chain);
        w[i] = body_force(&num->body[i], g, &kin->frame[i], chain);
    }
}

/* From the leaves to the roots: M and h of each joint; then all that hangs on the parent. */
SP_BODY_INLINE void come_back(const sp_model *m, const sp_kin *kin, bool more, sp_dyn *dyn,
                              bool chain, int length)
{
    const int last = count_bodies(m, length) - 1;
    sp_wrench *w = dyn->wrench[SP_CONSERVATIVE], w_i = w[last];
    sp_inertia c = dyn->composite[last];
    UNROLL
    for (int i = last; i > 0; i--) {
        const int parent = sp_body_joint(m, i, chain).parent;
        if (!chain) {
            c = dyn->composite[i];
            w_i = w[i];
        }
        fill_rows(m, kin, i, c, chain, dyn);
        gather(m, kin, i, w_i, more, chain, dyn->h[SP_CONSERVATIVE]);
        if (parent != SP_GROUND) {
            const sp_vec d = sp_body_reach(&kin->frame[parent], &kin->frame[i], chain);
            const sp_inertia c_parent = join(c, d, dyn->composite[parent]);
            const sp_wrench w_parent = pass_on(w_i, d, w[parent]);
            if (chain) {
                c = c_parent;
                w_i = w_parent;
            } else {
                dyn->composite[parent] = c_parent;
                w[parent] = w_parent;
            }
        }
    }
}

/* All terms of bodies and elements in the plane. */
SP_BODY_INLINE void terms(const sp_model *m, const sp_numbers *num, double t, const double *q,
                          const double *u, sp_kin *kin, sp_dyn *dyn)
{
    const bool elements = m->n_force > 0 || m->layout.n_spring > 0;
    BY_SHAPE(m, go_out, m, num, q, u, kin, dyn);
    if (elements) {
        clear(m, dyn);
        sp_kin_velocities(m, u, kin);
        sp_dyn_force_elements(m, num, kin, t, q, u, dyn);
    }
    BY_SHAPE(m, come_back, m, kin, elements, dyn);
    for (int s = SP_DAMPERS; s < SP_SHARES; s++) {
        if (dyn->acts[s]) {
            gather_share(m, kin, dyn->wrench[s], dyn->h[s]);
        }
    }
}

void sp_dyn_terms(const sp_model *m, const sp_numbers *num, double t, const double *q,
                  const double *u, sp_kin *kin, sp_dyn *dyn)
{
    if (m->layout.mixed) {
        sp_kin_positions(m, num, q, kin);
        sp_kin_velocities(m, u, kin);
        sp_kin_bias(m, u, kin);
        sp_mixed_mass(m, num, kin, dyn);
        sp_mixed_forces(m, num, kin, t, q, u, dyn);
    } else if (m->dim == 3) {
        sp_dyn3_terms(m, num, t, q, u, kin, dyn);
    } else {
        terms(m, num, t, q, u, kin, dyn);
    }
    if (m->formula.n > 0) {
        sp_formula_terms(m, t, q, u, dyn);
    }
}

/* ---- energies -------------------------------------------------------------------------------- */

double sp_dyn_kinetic(const sp_model *m, const sp_numbers *num, const sp_kin *kin, sp_dyn *dyn)
{
    if (m->layout.mixed) {
        return sp_mixed_energies(m, num, kin, NULL, dyn).kinetic;
    }
    if (m->dim == 3) {
        return sp_dyn3_kinetic(m, num, kin);
    }
    double T = 0.0;
    for (int i = 1; i < m->n_body; i++) {
        const sp_frame *f = &kin->frame[i];
        T += kinetic(&num->body[i], f, sp_kin_velocity_off(f, f->c));
    }
    return T;
}

/* 1/2 u^T J^T p of the momenta p, from the leaves to the roots; p is used up.   theory (3.12) */
SP_BODY_INLINE double half_power(const sp_model *m, const sp_kin *kin, const double *u,
                                 sp_wrench *p, bool chain, int length)
{
    const int last = count_bodies(m, length) - 1;
    double sum = 0.0;
    sp_wrench p_i = p[last];
    UNROLL
    for (int i = last; i > 0; i--) {
        const sp_body_layout b = sp_body_joint(m, i, chain);
        if (!chain) {
            p_i = p[i];
        }
        for (int k = b.dof; k < b.dof + b.n_slide; k++) {
            sum += u[k] * sp_inner(kin->axis[k], p_i.f);
        }
        if (b.turn != SP_NONE) {
            sum += u[b.turn] * p_i.m;
        }
        if (b.parent != SP_GROUND) {
            const sp_vec d = sp_body_reach(&kin->frame[b.parent], &kin->frame[i], chain);
            const sp_wrench p_parent = pass_on(p_i, d, p[b.parent]);
            if (chain) {
                p_i = p_parent;
            } else {
                p[b.parent] = p_parent;
            }
        }
    }
    return 0.5 * sum;
}

double sp_dyn_quadratic(const sp_model *m, const sp_numbers *num, const sp_kin *kin,
                        const double *u, sp_dyn *dyn)
{
    if (m->layout.mixed) {
        return sp_mixed_energies(m, num, kin, u, dyn).quadratic;
    }
    if (m->dim == 3) {
        return sp_dyn3_quadratic(m, num, kin, u, dyn);
    }
    sp_wrench *p = dyn->wrench[SP_CONSERVATIVE];
    for (int i = 1; i < m->n_body; i++) {
        const sp_frame *f = &kin->frame[i];
        p[i] = momentum(&num->body[i], f, sp_kin_velocity_off(f, f->c), false);
    }
    return half_power(m, kin, u, p, false, 0);
}

/* Energies of the bodies, frames and velocities on the way. */
SP_BODY_INLINE void energies(const sp_model *m, const sp_numbers *num, const double *q,
                             const double *u, sp_kin *kin, sp_wrench *p, sp_energy *e, bool chain,
                             int length)
{
    const sp_vec g = sp_vec_of(num->gravity);
    const int n_body = count_bodies(m, length);
    double T = 0.0, V = 0.0;
    UNROLL
    for (int i = 1; i < n_body; i++) {
        const sp_body_numbers *n = &num->body[i];
        const sp_frame *f = &kin->frame[i];
        const sp_frame *parent = &kin->frame[sp_body_joint(m, i, chain).parent];
        sp_body_turn(m, num, q, i, true, chain, parent, kin);
        sp_body_place(m, num, q, i, chain, parent, kin);
        sp_body_move(m, u, i, chain, parent, kin);
        const sp_vec v = sp_kin_velocity_off(f, f->c);
        T += kinetic(n, f, v);
        V -= n->mass * sp_inner(g, sp_add(f->x, f->c));
        p[i] = momentum(n, f, v, chain);
    }
    e->kinetic = T;
    e->potential = V;
    e->quadratic = half_power(m, kin, u, p, chain, length);
}

void sp_dyn_energies(const sp_model *m, const sp_numbers *num, double t, const double *q,
                     const double *u, sp_kin *kin, sp_dyn *dyn, sp_energy *energy)
{
    sp_wrench *p = dyn->wrench[SP_CONSERVATIVE];
    if (m->layout.mixed) {
        sp_kin_positions(m, num, q, kin);
        sp_kin_velocities(m, u, kin);
        *energy = sp_mixed_energies(m, num, kin, u, dyn);
    } else if (m->dim == 3) {
        sp_dyn3_energies(m, num, q, u, kin, dyn, energy);
    } else {
        BY_SHAPE(m, energies, m, num, q, u, kin, p, energy);
    }
    if (m->layout.mixed || m->n_force > 0 || m->layout.n_spring > 0 || m->layout.n_threshold > 0) {
        energy->potential += sp_dyn_spring_energy(m, num, kin, t, q, u, dyn);
    }
    if (m->formula.n > 0) {
        sp_formula_energies(m, t, q, u, dyn, energy);
    }
}
