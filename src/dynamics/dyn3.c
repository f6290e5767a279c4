/* dynamics/dyn3.c - mass matrix, smooth forces and energies in space.  The passes are those of
 * dyn.c; the algebra is larger and has no chain of its own. */
#include "dynamics/dyn3.h"

#include <string.h>

/* ---- one body -------------------------------------------------------------------------------- */

/* A composite body joins that of the parent, whose pivot lies d behind.   theory (3.13) */
static inline void join(const sp_inertia3 *c, sp_vec3 d, sp_inertia3 *to)
{
    const sp_vec3 half = sp_axpy3(c->moment, 0.5 * c->mass, d);
    to->mass += c->mass;
    to->moment = sp_add3(to->moment, sp_axpy3(c->moment, c->mass, d));
    to->J = sp_sym3_add(to->J, sp_sym3_shift(c->J, half, d));
}

/* Row k of M, and of L, which begins as a copy of it: power of the momentum p (about the pivot of
 * its body) on k itself and on all degrees of freedom before it.   theory (3.15) */
static inline void fill_row(const sp_model *m, const sp_kin *kin, int k, sp_wrench3 p, sp_dyn *dyn)
{
    const sp_dof_layout dof = m->layout.dof[k];
    const sp_vec3 pivot = kin->axis3[k].p;
    double *row = dyn->M + dof.row, *L = dyn->L + dof.row;
    for (int j = k, d = dof.depth; d >= 0; d--, j = m->layout.dof[j].parent) {
        const sp_axis3 *a = &kin->axis3[j];
        const sp_vec3 moment = sp_add3(p.m, sp_cross3(sp_sub3(pivot, a->p), p.f));
        row[d] = L[d] = sp_inner3(a->w, moment) + sp_inner3(a->s, p.f);
    }
}

/* Rows of M of the joint of a body: momentum of its composite body for u_k = 1.   theory (3.14) */
static inline void fill_rows(const sp_model *m, const sp_kin *kin, int i, const sp_inertia3 *c,
                             sp_dyn *dyn)
{
    const sp_body *b = &m->body[i];
    for (int k = b->dof; k < b->dof + b->n_dof; k++) {
        const sp_axis3 *a = &kin->axis3[k];
        const sp_wrench3 p = {.f = sp_add3(sp_scale3(c->mass, a->s), sp_cross3(a->w, c->moment)),
                              .m = sp_add3(sp_cross3(c->moment, a->s), sp_sym3_mul(c->J, a->w))};
        fill_row(m, kin, k, p, dyn);
    }
}

/* h of the joint of a body from the wrench of all that hangs on it; more: something is in h
 * already.   theory (3.7) */
static inline void gather(const sp_model *m, const sp_kin *kin, int i, sp_wrench3 w, bool more,
                          double *h)
{
    const sp_body *b = &m->body[i];
    for (int k = b->dof; k < b->dof + b->n_dof; k++) {
        h[k] = (more ? h[k] : 0.0) + sp_dyn3_along(&kin->axis3[k], w);
    }
}

/* Velocity of the centre of mass. */
static inline sp_vec3 center_velocity(const sp_frame3 *f)
{
    return sp_add3(f->v, sp_cross3(f->omega, f->c));
}

/* J omega, J about the centre of mass. */
static inline sp_vec3 spin_momentum(const sp_space_numbers *n, const sp_frame3 *f)
{
    const sp_vec3 own = sp_rotate_back3(f->R, f->omega);
    return sp_rotate3(f->R, sp_sym3_mul(sp_sym3_of(n->inertia), own));
}

/* Momentum about the pivot; v of the centre of mass. */
static inline sp_wrench3 momentum(double mass, sp_vec3 spin, const sp_frame3 *f, sp_vec3 v)
{
    const sp_vec3 p = sp_scale3(mass, v);
    return (sp_wrench3){.f = p, .m = sp_add3(spin, sp_cross3(sp_body3_center(f), p))};
}

/* ---- mass ------------------------------------------------------------------------------------ */

void sp_dyn3_mass(const sp_model *m, const sp_numbers *num, const sp_kin *kin, sp_dyn *dyn)
{
    for (int i = 1; i < m->n_body; i++) {
        const sp_frame3 *f = &kin->frame3[i];
        dyn->composite3[i] = sp_dyn3_own(num->body[i].mass, sp_dyn3_inertia(&num->space[i], f), f);
    }
    for (int i = m->n_body - 1; i > 0; i--) { /* all that hangs on body i has joined it */
        const int parent = m->layout.body[i].parent;
        fill_rows(m, kin, i, &dyn->composite3[i], dyn);
        if (parent != SP_GROUND) {
            const sp_vec3 d = sp_body3_reach(&kin->frame3[parent], &kin->frame3[i]);
            join(&dyn->composite3[i], d, &dyn->composite3[parent]);
        }
    }
}

/* ---- forces ---------------------------------------------------------------------------------- */

void sp_dyn3_clear(const sp_model *m, sp_dyn *dyn)
{
    for (int s = 0; s < SP_SHARES; s++) {
        if (dyn->acts[s]) {
            memset(dyn->h[s], 0, (size_t)m->n_dof * sizeof(double));
        }
        if (dyn->acts[s] && s != SP_CONSERVATIVE) {
            memset(dyn->wrench3[s], 0, (size_t)m->n_body * sizeof(sp_wrench3));
        }
    }
}

/* h += J^T wrench of one share, from the leaves to the roots; the wrenches are used up. */
static void gather_share(const sp_model *m, const sp_kin *kin, sp_wrench3 *w, double *h)
{
    for (int i = m->n_body - 1; i > 0; i--) {
        const int parent = m->layout.body[i].parent;
        gather(m, kin, i, w[i], true, h);
        if (parent != SP_GROUND) {
            const sp_vec3 d = sp_body3_reach(&kin->frame3[parent], &kin->frame3[i]);
            w[parent] = sp_dyn3_pass_on(w[i], d, w[parent]);
        }
    }
}

void sp_dyn3_forces(const sp_model *m, const sp_numbers *num, const sp_kin *kin, double t,
                    const double *q, const double *u, sp_dyn *dyn)
{
    const sp_vec3 g = sp_vec3_of(num->gravity);
    sp_dyn3_clear(m, dyn);
    for (int i = 1; i < m->n_body; i++) {
        const sp_frame3 *f = &kin->frame3[i];
        dyn->wrench3[SP_CONSERVATIVE][i] =
            sp_dyn3_body_force(num->body[i].mass, sp_dyn3_inertia(&num->space[i], f), g, f);
    }
    sp_dyn_force_elements(m, num, kin, t, q, u, dyn);
    for (int s = 0; s < SP_SHARES; s++) {
        if (dyn->acts[s]) {
            gather_share(m, kin, dyn->wrench3[s], dyn->h[s]);
        }
    }
}

/* ---- all terms of a step --------------------------------------------------------------------- */

/* From the roots to the leaves: where each body is, its bias, its inertia, the forces on it. */
static void go_out(const sp_model *m, const sp_numbers *num, const double *q, const double *u,
                   sp_kin *kin, sp_dyn *dyn)
{
    for (int i = 1; i < m->n_body; i++) {
        const sp_sym3 J = sp_dyn3_reach(m, num, q, u, i, kin, dyn);
        dyn->composite3[i] = sp_dyn3_own(num->body[i].mass, J, &kin->frame3[i]);
    }
}

/* From the leaves to the roots: M and h of each joint; then all that hangs on the parent. */
static void come_back(const sp_model *m, const sp_kin *kin, bool more, sp_dyn *dyn)
{
    sp_wrench3 *w = dyn->wrench3[SP_CONSERVATIVE];
    for (int i = m->n_body - 1; i > 0; i--) {
        const int parent = m->layout.body[i].parent;
        fill_rows(m, kin, i, &dyn->composite3[i], dyn);
        gather(m, kin, i, w[i], more, dyn->h[SP_CONSERVATIVE]);
        if (parent != SP_GROUND) {
            const sp_vec3 d = sp_body3_reach(&kin->frame3[parent], &kin->frame3[i]);
            join(&dyn->composite3[i], d, &dyn->composite3[parent]);
            w[parent] = sp_dyn3_pass_on(w[i], d, w[parent]);
        }
    }
}

void sp_dyn3_terms(const sp_model *m, const sp_numbers *num, double t, const double *q,
                   const double *u, sp_kin *kin, sp_dyn *dyn)
{
    const bool elements = m->n_force > 0 || m->layout.n_spring > 0;
    go_out(m, num, q, u, kin, dyn);
    if (elements) {
        sp_dyn3_clear(m, dyn);
        sp_kin_velocities(m, u, kin);
        sp_dyn_force_elements(m, num, kin, t, q, u, dyn);
    }
    come_back(m, kin, elements, dyn);
    for (int s = SP_DAMPERS; s < SP_SHARES; s++) {
        if (dyn->acts[s]) {
            gather_share(m, kin, dyn->wrench3[s], dyn->h[s]);
        }
    }
}

/* ---- energies -------------------------------------------------------------------------------- */

double sp_dyn3_kinetic(const sp_model *m, const sp_numbers *num, const sp_kin *kin)
{
    double T = 0.0;
    for (int i = 1; i < m->n_body; i++) { /* theory (3.18) */
        const sp_frame3 *f = &kin->frame3[i];
        const sp_vec3 v = center_velocity(f);
        T += 0.5 * (num->body[i].mass * sp_inner3(v, v) +
                    sp_inner3(f->omega, spin_momentum(&num->space[i], f)));
    }
    return T;
}

double sp_dyn3_weight(const sp_model *m, const sp_numbers *num, const sp_kin *kin)
{
    const sp_vec3 g = sp_vec3_of(num->gravity);
    double V = 0.0;
    for (int i = 1; i < m->n_body; i++) {
        const sp_frame3 *f = &kin->frame3[i];
        V -= num->body[i].mass * sp_inner3(g, sp_add3(f->x, f->c));
    }
    return V;
}

/* 1/2 u^T J^T p of the momenta p, from the leaves to the roots; p is used up.   theory (3.12) */
static double half_power(const sp_model *m, const sp_kin *kin, const double *u, sp_wrench3 *p)
{
    double sum = 0.0;
    for (int i = m->n_body - 1; i > 0; i--) {
        const sp_body *b = &m->body[i];
        for (int k = b->dof; k < b->dof + b->n_dof; k++) {
            sum += u[k] * sp_dyn3_along(&kin->axis3[k], p[i]);
        }
        if (b->parent != SP_GROUND) {
            const sp_vec3 d = sp_body3_reach(&kin->frame3[b->parent], &kin->frame3[i]);
            p[b->parent] = sp_dyn3_pass_on(p[i], d, p[b->parent]);
        }
    }
    return 0.5 * sum;
}

double sp_dyn3_quadratic(const sp_model *m, const sp_numbers *num, const sp_kin *kin,
                         const double *u, sp_dyn *dyn)
{
    sp_wrench3 *p = dyn->wrench3[SP_CONSERVATIVE];
    for (int i = 1; i < m->n_body; i++) {
        const sp_frame3 *f = &kin->frame3[i];
        const sp_vec3 spin = spin_momentum(&num->space[i], f);
        p[i] = momentum(num->body[i].mass, spin, f, center_velocity(f));
    }
    return half_power(m, kin, u, p);
}

void sp_dyn3_energies(const sp_model *m, const sp_numbers *num, const double *q, const double *u,
                      sp_kin *kin, sp_dyn *dyn, sp_energy *energy)
{
    const sp_vec3 g = sp_vec3_of(num->gravity);
    sp_wrench3 *p = dyn->wrench3[SP_CONSERVATIVE];
    double T = 0.0, V = 0.0;
    for (int i = 1; i < m->n_body; i++) {
        const sp_frame3 *f = &kin->frame3[i], *parent = &kin->frame3[m->body[i].parent];
        const double mass = num->body[i].mass;
        sp_body3_place(m, num, q, i, parent, kin);
        sp_body3_move(m, u, i, parent, kin);
        const sp_vec3 v = center_velocity(f), spin = spin_momentum(&num->space[i], f);
        T += 0.5 * (mass * sp_inner3(v, v) + sp_inner3(f->omega, spin));
        V -= mass * sp_inner3(g, sp_add3(f->x, f->c));
        p[i] = momentum(mass, spin, f, v);
    }
    energy->kinetic = T;
    energy->potential = V;
    energy->quadratic = half_power(m, kin, u, p);
}
