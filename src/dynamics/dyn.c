#include "dynamics/dyn.h"

#include "base/inline.h"
#include "dynamics/formula.h"
#include "dynamics/implicit.h"
#include "dynamics/mixed.h"
#include "dynamics/recursion.h"
#include "dynamics/tree.h"
#include "kinematics/chain.h"

#include <float.h>

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
    for (int i = 0; i < m->n_body; i++) {
        dyn->acts[SP_DAMPERS] |= sp_mixed_damps(&m->body[i]);
    }
    dyn->acts[SP_DAMPERS] |= m->formula.dissipation.program != NULL;
    dyn->acts[SP_APPLIED] |= m->formula.h || m->formula.force || m->formula.mixed;
}

/* ---- mass ------------------------------------------------------------------------------------ */

void sp_dyn_mass(const sp_model *m, const sp_numbers *num, const sp_kin *kin, sp_dyn *dyn)
{
    dyn->recursive = false;
    if (m->layout.mixed) {
        sp_mixed_mass(m, num, kin, dyn);
    } else if (m->dim == 3) {
        sp_space_mass(m, num, kin, dyn);
    } else {
        sp_plane_mass(m, num, kin, dyn);
    }
}

/* ---- factor and solutions -------------------------------------------------------------------- */

/* Row k of the factor is done: take its share out of the rows above.
 * M_ij -= L_ki M_kj for the ancestors i of k and j of i, then L_ki in place of M_ki. */
INLINE void eliminate(const sp_model *m, int k, double D_inv, bool chain, double *L)
{
    const sp_dof_layout dof = dof_of(m, k, chain);
    double *row = L + dof.row;
    UNROLL
    for (int i = dof.parent, d_i = dof.depth - 1; d_i >= 0; d_i--) {
        const sp_dof_layout above = dof_of(m, i, chain);
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

static SP_NOINLINE sp_status fail_pivot(const sp_model *m, int k, double pivot, sp_error *err)
{
    return SP_FAIL(err, SP_E_NONFINITE,
                   isnan(pivot) ? "'%s' is not a finite number, and its mass is %g: a "
                                  "force or an expression grew beyond bounds"
                                : "mass matrix is not positive definite at '%s' (pivot "
                                  "%g); a part that moves there needs mass or inertia",
                   m->dof[k].name, pivot);
}

INLINE sp_status factor(const sp_model *m, sp_dyn *dyn, sp_error *err, bool chain, int length)
{
    UNROLL
    for (int k = count_dofs(m, length) - 1; k >= 0; k--) {
        const sp_dof_layout dof = dof_of(m, k, chain);
        const double pivot = dyn->L[dof.row + dof.depth];
        if (!(pivot >= DBL_MIN)) { /* else one over it overflows */
            return fail_pivot(m, k, pivot, err);
        }
        const double D_inv = 1.0 / pivot;
        dyn->D_inv[k] = D_inv;
        eliminate(m, k, D_inv, chain, dyn->L);
    }
    return SP_OK;
}

/* The same of a deep tree. */
static SP_NOINLINE sp_status factor_recursion(const sp_model *m, const unsigned char *held,
                                              sp_dyn *dyn, sp_error *err)
{
    double pivot = 0.0;
    const int k = sp_recursion_factor(m, held, false, dyn, &pivot);
    dyn->by_A = false;
    return k < m->n_dof ? fail_pivot(m, k, pivot, err) : SP_OK;
}

sp_status sp_dyn_factor(const sp_model *m, sp_dyn *dyn, sp_error *err)
{
    if (dyn->recursive) {
        return factor_recursion(m, NULL, dyn, err);
    }
    dyn->by_A = false;
    return SP_BY_CHAIN(m, factor, m, dyn, err);
}

sp_status sp_dyn_factor_held(const sp_model *m, const unsigned char *held, sp_dyn *dyn,
                             sp_error *err)
{
    if (dyn->recursive) {
        return factor_recursion(m, held, dyn, err);
    }
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

INLINE void solve_LT(const sp_model *m, const sp_dyn *dyn, double *x, bool chain, int length)
{
    UNROLL
    for (int k = count_dofs(m, length) - 1; k > 0; k--) {
        const sp_dof_layout dof = dof_of(m, k, chain);
        const double *row = dyn->L + dof.row, x_k = x[k];
        UNROLL
        for (int i = dof.parent, d = dof.depth - 1; d >= 0; d--) {
            x[i] -= row[d] * x_k;
            i = dof_of(m, i, chain).parent;
        }
    }
}

void sp_dyn_solve_LT(const sp_model *m, const sp_dyn *dyn, double *x)
{
    if (dyn->recursive) {
        sp_recursion_solve_LT(m, dyn, x);
        return;
    }
    if (dyn->by_A) {
        sp_ldl_solve_L(&dyn->implicit->A, x);
        return;
    }
    SP_BY_CHAIN(m, solve_LT, m, dyn, x);
}

INLINE void solve_D_L(const sp_model *m, const sp_dyn *dyn, double *x, bool chain, int length)
{
    UNROLL
    for (int k = 0; k < count_dofs(m, length); k++) {
        const sp_dof_layout dof = dof_of(m, k, chain);
        const double *row = dyn->L + dof.row;
        double sum = x[k] * dyn->D_inv[k];
        UNROLL
        for (int i = dof.parent, d = dof.depth - 1; d >= 0; d--) {
            sum -= row[d] * x[i];
            i = dof_of(m, i, chain).parent;
        }
        x[k] = sum;
    }
}

void sp_dyn_solve_D_L(const sp_model *m, const sp_dyn *dyn, double *x)
{
    if (dyn->recursive) {
        sp_recursion_solve_D_L(m, dyn, x);
        return;
    }
    if (dyn->by_A) {
        sp_ldl_solve_D_LT(&dyn->implicit->A, x);
        return;
    }
    SP_BY_CHAIN(m, solve_D_L, m, dyn, x);
}

INLINE void multiply(const sp_model *m, const sp_dyn *dyn, const double *x, double *y, bool chain,
                     int length)
{
    UNROLL
    for (int k = 0; k < count_dofs(m, length); k++) {
        const sp_dof_layout dof = dof_of(m, k, chain);
        const double *row = dyn->M + dof.row, x_k = x[k];
        double sum = row[dof.depth] * x_k;
        UNROLL
        for (int i = dof.parent, d = dof.depth - 1; d >= 0; d--) {
            sum += row[d] * x[i];
            y[i] += row[d] * x_k; /* ancestors stand before k: y[i] is begun */
            i = dof_of(m, i, chain).parent;
        }
        y[k] = sum;
    }
}

void sp_dyn_multiply(const sp_model *m, const sp_dyn *dyn, const double *x, double *y)
{
    if (dyn->recursive) {
        sp_recursion_multiply(m, dyn, x, y);
        return;
    }
    SP_BY_CHAIN(m, multiply, m, dyn, x, y);
}

/* ---- forces, terms, energies ----------------------------------------------------------------- */

void sp_dyn_forces(const sp_model *m, const sp_numbers *num, const sp_kin *kin, double t,
                   const double *q, const double *u, sp_dyn *dyn)
{
    const sp_at at = {t, q, u};
    if (m->layout.mixed) {
        sp_mixed_forces(m, num, kin, t, q, u, dyn);
    } else if (m->dim == 3) {
        sp_space_forces(m, num, kin, &at, dyn);
    } else {
        sp_plane_forces(m, num, kin, &at, dyn);
    }
    if (m->formula.n > 0) {
        sp_formula_forces(m, t, q, u, dyn);
    }
}

void sp_dyn_terms(const sp_model *m, const sp_numbers *num, double t, const double *q,
                  const double *u, sp_kin *kin, sp_dyn *dyn)
{
    const sp_at at = {t, q, u};
    dyn->recursive = dyn->recursion != NULL;
    if (m->layout.mixed) {
        sp_kin_positions(m, num, q, kin);
        sp_kin_velocities(m, u, kin);
        sp_kin_bias(m, u, kin);
        if (!dyn->recursive) {
            sp_mixed_mass(m, num, kin, dyn);
        }
        sp_mixed_forces(m, num, kin, t, q, u, dyn);
    } else if (m->dim == 3) {
        sp_space_terms(m, num, &at, kin, dyn);
    } else {
        sp_plane_terms(m, num, &at, kin, dyn);
    }
    if (dyn->recursive) {
        sp_recursion_look(m, num, kin, dyn);
    }
    if (m->formula.n > 0) {
        sp_formula_terms(m, t, q, u, dyn);
    }
}

double sp_dyn_weight(const sp_model *m, const sp_numbers *num, const sp_kin *kin, sp_dyn *dyn)
{
    return m->layout.mixed ? sp_mixed_energies(m, num, kin, NULL, dyn).potential
           : m->dim == 3   ? sp_space_weight(m, num, kin)
                           : sp_plane_weight(m, num, kin);
}

void sp_dyn_energies(const sp_model *m, const sp_numbers *num, double t, const double *q,
                     const double *u, sp_kin *kin, sp_dyn *dyn, sp_energy *energy)
{
    const sp_at at = {t, q, u};
    if (m->layout.mixed) {
        sp_kin_positions(m, num, q, kin);
        sp_kin_velocities(m, u, kin);
        *energy = sp_mixed_energies(m, num, kin, u, dyn);
    } else if (m->dim == 3) {
        *energy = sp_space_energies(m, num, &at, kin, dyn);
    } else {
        *energy = sp_plane_energies(m, num, &at, kin, dyn);
    }
    if (m->layout.mixed || m->n_force > 0 || m->layout.n_spring > 0 || m->layout.n_threshold > 0) {
        energy->potential += sp_dyn_spring_energy(m, num, kin, t, q, u, dyn);
    }
    if (m->formula.n > 0) {
        sp_formula_energies(m, t, q, u, dyn, energy);
    }
}

/* ---- accelerations --------------------------------------------------------------------------- */

/* By the packed M, for what is no tree of rigid bodies: (M u')_k = h_k over the free ones, with the
 * columns of those held brought to the other side. */
static sp_status by_matrix(const sp_model *m, const sp_numbers *num, const sp_at *at,
                           const unsigned char *held, sp_kin *kin, sp_dyn *dyn, double *du,
                           sp_error *err)
{
    double *h = dyn->h[SP_CONSERVATIVE], *b = dyn->D_inv; /* free until the factor is made */
    sp_dyn_terms(m, num, at->t, at->q, at->u, kin, dyn);
    for (int k = 0; k < m->n_dof; k++) {
        for (int s = SP_DAMPERS; s < SP_SHARES; s++) {
            h[k] += dyn->acts[s] ? dyn->h[s][k] : 0.0;
        }
        du[k] = held && held[k] ? du[k] : 0.0;
    }
    sp_dyn_multiply(m, dyn, du, b);
    for (int k = 0; k < m->n_dof; k++) {
        h[k] -= b[k];
    }
    SP_TRY(held ? sp_dyn_factor_held(m, held, dyn, err) : sp_dyn_factor(m, dyn, err));
    sp_dyn_solve_LT(m, dyn, h);
    sp_dyn_solve_D_L(m, dyn, h);
    for (int k = 0; k < m->n_dof; k++) {
        du[k] = held && held[k] ? du[k] : h[k];
    }
    return SP_OK;
}

sp_status sp_dyn_accelerate(const sp_model *m, const sp_numbers *num, const sp_at *at,
                            const unsigned char *held, sp_kin *kin, sp_dyn *dyn, double *du,
                            sp_error *err)
{
    if (m->formula.n > 0 || m->layout.mixed) {
        return by_matrix(m, num, at, held, kin, dyn, du, err);
    }
    return m->dim == 3 ? sp_space_accelerate(m, num, at, held, kin, dyn, du, err)
                       : sp_plane_accelerate(m, num, at, held, kin, dyn, du, err);
}
