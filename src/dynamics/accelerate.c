/* dynamics/accelerate.c - forward dynamics by articulated bodies, in the plane; in space
 * accelerate3.c, where the algebra is told. */
#include "base/status.h"
#include "dynamics/dyn3.h"

#include <string.h>

/* A rigid body about its pivot is the first articulated body: H a = moment x a. */
static sp_articulated rigid(const sp_body_numbers *n, const sp_frame *f)
{
    const sp_vec r = sp_body_center(f, false);
    return (sp_articulated){.J = n->inertia + n->mass * sp_inner(r, r),
                            .H = {-n->mass * r.y, n->mass * r.x},
                            .M_xx = n->mass,
                            .M_yy = n->mass};
}

/* Force on the articulated body for unit acceleration along an axis.   theory (3.31) */
static sp_wrench push_along(const sp_articulated *A, bool turns, sp_vec axis)
{
    if (turns) {
        return (sp_wrench){.f = A->H, .m = A->J};
    }
    return (sp_wrench){
        .f = {A->M_xx * axis.x + A->M_xy * axis.y, A->M_xy * axis.x + A->M_yy * axis.y},
        .m = sp_inner(A->H, axis)};
}

/* Power of a wrench per unit of a degree of freedom. */
static double along(bool turns, sp_vec axis, sp_wrench w)
{
    return turns ? w.m : sp_inner(axis, w.f);
}

/* The joint gives way along one axis: A - U U^T / D, V = U / D.   theory (3.32) */
static void release(sp_articulated *A, sp_wrench U, sp_wrench V)
{
    A->J -= U.m * V.m;
    A->H = sp_axpy(A->H, -U.m, V.f);
    A->M_xx -= U.f.x * V.f.x;
    A->M_yy -= U.f.y * V.f.y;
    A->M_xy -= U.f.x * V.f.y;
}

/* An articulated body joins that of the parent, whose pivot lies d behind.   theory (3.33) */
static void join(const sp_articulated *A, sp_vec d, sp_articulated *to)
{
    const sp_vec K = {A->H.x + (d.x * A->M_xy - d.y * A->M_xx),
                      A->H.y + (d.x * A->M_yy - d.y * A->M_xy)}; /* H + d x M */
    to->J += A->J + sp_cross(d, A->H) + sp_cross(d, K);
    to->H = sp_add(to->H, K);
    to->M_xx += A->M_xx;
    to->M_yy += A->M_yy;
    to->M_xy += A->M_xy;
}

/* From the roots to the leaves: inertia of each body and forces on it. */
static void prepare(const sp_model *m, const sp_numbers *num, const sp_kin *kin, sp_dyn *dyn)
{
    const sp_vec g = sp_vec_of(num->gravity);
    for (int s = 0; s < SP_SHARES; s++) {
        if (dyn->acts[s]) {
            memset(dyn->h[s], 0, (size_t)m->n_dof * sizeof(double));
            memset(dyn->wrench[s], 0, (size_t)m->n_body * sizeof(sp_wrench));
        }
    }
    for (int i = 1; i < m->n_body; i++) {
        const sp_frame *f = &kin->frame[i];
        const sp_body_numbers *n = &num->body[i];
        const sp_vec force = sp_scale(n->mass, sp_sub(g, sp_kin_bias_off(f, f->c)));
        dyn->articulated[i] = rigid(n, f);
        dyn->wrench[SP_CONSERVATIVE][i] =
            (sp_wrench){.f = force, .m = sp_cross(sp_body_center(f, false), force)};
    }
}

/* All shares of the forces on a coordinate, and on a body. */
static double tau_of(const sp_dyn *dyn, int k)
{
    double tau = 0.0;
    for (int s = 0; s < SP_SHARES; s++) {
        tau += dyn->acts[s] ? dyn->h[s][k] : 0.0;
    }
    return tau;
}

static sp_wrench wrench_of(const sp_dyn *dyn, int i)
{
    sp_wrench w = dyn->wrench[SP_CONSERVATIVE][i];
    for (int s = SP_DAMPERS; s < SP_SHARES; s++) {
        if (dyn->acts[s]) {
            w.f = sp_add(w.f, dyn->wrench[s][i].f);
            w.m += dyn->wrench[s][i].m;
        }
    }
    return w;
}

/* One axis of a joint gives way, or moves as it is told; false if it has no inertia.
 * theory (3.31), (3.32) */
static bool yield(const sp_model *m, const sp_kin *kin, int k, const unsigned char *held,
                  const double *du, sp_articulated *A, sp_wrench *w, sp_dyn *dyn)
{
    const bool turns = m->layout.dof_turns[k];
    const sp_vec axis = kin->axis[k];
    const sp_wrench U = push_along(A, turns, axis);
    double r;
    if (held && held[k]) {
        r = du[k];
    } else {
        const double D = along(turns, axis, U);
        if (!(D > 0.0)) {
            return false;
        }
        r = (tau_of(dyn, k) + along(turns, axis, *w)) / D;
        const sp_wrench V = {.f = sp_scale(1.0 / D, U.f), .m = U.m / D};
        dyn->lever[k] = (sp_lever){.U = V, .r = r};
        release(A, U, V);
    }
    w->f = sp_axpy(w->f, -r, U.f);
    w->m -= r * U.m;
    return true;
}

/* From the leaves to the roots: articulated bodies, and what is left of the forces on them. */
static sp_status come_back(const sp_model *m, const sp_kin *kin, const unsigned char *held,
                           const double *du, sp_dyn *dyn, sp_error *err)
{
    sp_wrench *passed = dyn->wrench[SP_CONSERVATIVE];
    for (int i = m->n_body - 1; i > 0; i--) {
        const sp_body *b = &m->body[i];
        sp_articulated *A = &dyn->articulated[i];
        sp_wrench w = wrench_of(dyn, i);
        for (int k = b->dof + b->n_dof - 1; k >= b->dof; k--) {
            if (!yield(m, kin, k, held, du, A, &w, dyn)) {
                return SP_FAIL(err, SP_E_NONFINITE,
                               "no positive inertia at '%s'; a part that moves there needs mass or "
                               "inertia",
                               m->dof[k].name);
            }
        }
        if (b->parent != SP_GROUND) {
            const sp_vec d = sp_body_reach(&kin->frame[b->parent], &kin->frame[i], false);
            join(A, d, &dyn->articulated[b->parent]);
            passed[b->parent].m += w.m + sp_cross(d, w.f);
            passed[b->parent].f = sp_add(passed[b->parent].f, w.f);
        }
    }
    return SP_OK;
}

/* From the roots to the leaves: u' and the acceleration of each pivot beyond its bias, which takes
 * the place of the wrench.   theory (3.34) */
static void speed_up(const sp_model *m, const sp_kin *kin, const unsigned char *held, sp_dyn *dyn,
                     double *du)
{
    sp_wrench *acc = dyn->wrench[SP_CONSERVATIVE];
    acc[SP_GROUND] = (sp_wrench){.m = 0.0};
    for (int i = 1; i < m->n_body; i++) {
        const sp_body *b = &m->body[i];
        const sp_vec d = sp_body_reach(&kin->frame[b->parent], &kin->frame[i], false);
        sp_wrench a = acc[b->parent];
        a.f = sp_add(a.f, sp_spin_cross(a.m, d));
        for (int k = b->dof; k < b->dof + b->n_dof; k++) {
            const sp_lever *l = &dyn->lever[k];
            if (!held || !held[k]) {
                du[k] = l->r - (l->U.m * a.m + sp_inner(l->U.f, a.f));
            }
            if (m->layout.dof_turns[k]) {
                a.m += du[k];
            } else {
                a.f = sp_axpy(a.f, du[k], kin->axis[k]);
            }
        }
        acc[i] = a;
    }
}

static sp_status in_the_plane(const sp_model *m, const sp_numbers *num, double t, const double *q,
                              const double *u, const unsigned char *held, sp_kin *kin, sp_dyn *dyn,
                              double *du, sp_error *err)
{
    sp_kin_positions(m, num, q, kin);
    sp_kin_velocities(m, u, kin);
    sp_kin_bias(m, u, kin);
    prepare(m, num, kin, dyn);
    sp_dyn_force_elements(m, num, kin, t, q, u, dyn);
    SP_TRY(come_back(m, kin, held, du, dyn, err));
    speed_up(m, kin, held, dyn, du);
    return SP_OK;
}

/* By the packed M, for what is no tree of bodies: (M u')_k = h_k over the free ones, with the
 * columns of those held brought to the other side. */
static sp_status by_matrix(const sp_model *m, const sp_numbers *num, double t, const double *q,
                           const double *u, const unsigned char *held, sp_kin *kin, sp_dyn *dyn,
                           double *du, sp_error *err)
{
    double *h = dyn->h[SP_CONSERVATIVE], *b = dyn->D_inv; /* free until the factor is made */
    sp_dyn_terms(m, num, t, q, u, kin, dyn);
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

sp_status sp_dyn_accelerate(const sp_model *m, const sp_numbers *num, double t, const double *q,
                            const double *u, const unsigned char *held, sp_kin *kin, sp_dyn *dyn,
                            double *du, sp_error *err)
{
    if (m->formula.n > 0 || m->layout.mixed) {
        return by_matrix(m, num, t, q, u, held, kin, dyn, du, err);
    }
    return m->dim == 3 ? sp_dyn3_accelerate(m, num, t, q, u, held, kin, dyn, du, err)
                       : in_the_plane(m, num, t, q, u, held, kin, dyn, du, err);
}
