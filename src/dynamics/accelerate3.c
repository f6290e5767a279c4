/* dynamics/accelerate3.c - forward dynamics in space by articulated bodies.
 *
 * Accelerations are counted from the bias: a body's acceleration is that for u' = 0 plus what u'
 * adds, so the recursion has no velocity terms of its own and the forces are those of (3.16).
 * World axes throughout, each articulated body about its own pivot. */
#include "base/status.h"
#include "dynamics/dyn3.h"

/* A rigid body is the first articulated body. */
SP_BODY_INLINE sp_articulated3 rigid(double mass, sp_sym3 J_center, const sp_frame3 *f)
{
    const sp_inertia3 c = sp_dyn3_own(mass, J_center, f);
    const sp_vec3 p = c.moment;
    return (sp_articulated3){.J = c.J,
                             .M = {mass, mass, mass, 0.0, 0.0, 0.0},
                             .H = {{0.0, -p.z, p.y}, {p.z, 0.0, -p.x}, {-p.y, p.x, 0.0}}};
}

/* H a and H^T a. */
SP_BODY_INLINE sp_vec3 rows_times(const sp_vec3 *H, sp_vec3 a)
{
    return (sp_vec3){sp_inner3(H[0], a), sp_inner3(H[1], a), sp_inner3(H[2], a)};
}

SP_BODY_INLINE sp_vec3 columns_times(const sp_vec3 *H, sp_vec3 a)
{
    return (sp_vec3){H[0].x * a.x + H[1].x * a.y + H[2].x * a.z,
                     H[0].y * a.x + H[1].y * a.y + H[2].y * a.z,
                     H[0].z * a.x + H[1].z * a.y + H[2].z * a.z};
}

/* Force on the articulated body for unit acceleration along an axis.   theory (3.31) */
SP_BODY_INLINE sp_wrench3 push_along(const sp_articulated3 *A, const sp_axis3 *axis, bool turns)
{
    sp_wrench3 U = {.f = columns_times(A->H, axis->w), .m = sp_sym3_mul(A->J, axis->w)};
    if (!turns) { /* something slides, too */
        U.f = sp_add3(U.f, sp_sym3_mul(A->M, axis->s));
        U.m = sp_add3(U.m, rows_times(A->H, axis->s));
    }
    return U;
}

/* S - a b^T for b parallel to a */
SP_BODY_INLINE sp_sym3 less(sp_sym3 S, sp_vec3 a, sp_vec3 b)
{
    return (sp_sym3){S.xx - a.x * b.x, S.yy - a.y * b.y, S.zz - a.z * b.z,
                     S.xy - a.x * b.y, S.xz - a.x * b.z, S.yz - a.y * b.z};
}

/* The joint gives way along one axis: A - U U^T / D, V = U / D.   theory (3.32) */
SP_BODY_INLINE void release(sp_articulated3 *A, sp_wrench3 U, sp_wrench3 V)
{
    A->J = less(A->J, U.m, V.m);
    A->M = less(A->M, U.f, V.f);
    A->H[0] = sp_axpy3(A->H[0], -U.m.x, V.f);
    A->H[1] = sp_axpy3(A->H[1], -U.m.y, V.f);
    A->H[2] = sp_axpy3(A->H[2], -U.m.z, V.f);
}

/* An articulated body joins that of the parent, whose pivot lies d behind:
 *     M, H + d x M, J + d x H^T - (H + d x M) d x     theory (3.33) */
SP_BODY_INLINE void join(const sp_articulated3 *A, sp_vec3 d, sp_articulated3 *to)
{
    const sp_sym3 M = A->M;
    const sp_vec3 *H = A->H;
    const sp_vec3 K[3] = {/* rows of H + d x M */
                          {H[0].x + (d.y * M.xz - d.z * M.xy), H[0].y + (d.y * M.yz - d.z * M.yy),
                           H[0].z + (d.y * M.zz - d.z * M.yz)},
                          {H[1].x + (d.z * M.xx - d.x * M.xz), H[1].y + (d.z * M.xy - d.x * M.yz),
                           H[1].z + (d.z * M.xz - d.x * M.zz)},
                          {H[2].x + (d.x * M.xy - d.y * M.xx), H[2].y + (d.x * M.yy - d.y * M.xy),
                           H[2].z + (d.x * M.yz - d.y * M.xz)}};
    /* (d x H_j)_i + (d x K_i)_j for i <= j */
    to->J.xx += A->J.xx + (d.y * H[0].z - d.z * H[0].y) + (d.y * K[0].z - d.z * K[0].y);
    to->J.yy += A->J.yy + (d.z * H[1].x - d.x * H[1].z) + (d.z * K[1].x - d.x * K[1].z);
    to->J.zz += A->J.zz + (d.x * H[2].y - d.y * H[2].x) + (d.x * K[2].y - d.y * K[2].x);
    to->J.xy += A->J.xy + (d.y * H[1].z - d.z * H[1].y) + (d.z * K[0].x - d.x * K[0].z);
    to->J.xz += A->J.xz + (d.y * H[2].z - d.z * H[2].y) + (d.x * K[0].y - d.y * K[0].x);
    to->J.yz += A->J.yz + (d.z * H[2].x - d.x * H[2].z) + (d.x * K[1].y - d.y * K[1].x);
    to->M = sp_sym3_add(to->M, M);
    for (int i = 0; i < 3; i++) {
        to->H[i] = sp_add3(to->H[i], K[i]);
    }
}

/* From the roots to the leaves: where each body is, its bias, its inertia, the forces on it. */
static void go_out(const sp_model *m, const sp_numbers *num, const double *q, const double *u,
                   sp_kin *kin, sp_dyn *dyn)
{
    for (int i = 1; i < m->n_body; i++) {
        const sp_sym3 J = sp_dyn3_reach(m, num, q, u, i, kin, dyn);
        dyn->articulated3[i] = rigid(num->body[i].mass, J, &kin->frame3[i]);
    }
}

/* All forces on one coordinate and all wrenches on one body that elements have. */
static double tau_of(const sp_dyn *dyn, int k)
{
    double tau = 0.0;
    for (int s = 0; s < SP_SHARES; s++) {
        tau += dyn->acts[s] ? dyn->h[s][k] : 0.0;
    }
    return tau;
}

static sp_wrench3 wrench_of(const sp_dyn *dyn, int i)
{
    sp_wrench3 w = dyn->wrench3[SP_CONSERVATIVE][i];
    for (int s = SP_DAMPERS; s < SP_SHARES; s++) {
        if (dyn->acts[s]) {
            w.f = sp_add3(w.f, dyn->wrench3[s][i].f);
            w.m = sp_add3(w.m, dyn->wrench3[s][i].m);
        }
    }
    return w;
}

/* w - k U */
SP_BODY_INLINE sp_wrench3 relieved(sp_wrench3 w, double k, sp_wrench3 U)
{
    return (sp_wrench3){.f = sp_axpy3(w.f, -k, U.f), .m = sp_axpy3(w.m, -k, U.m)};
}

/* One axis of a joint gives way, or moves as it is told; false if it has no inertia.
 * theory (3.31), (3.32) */
SP_BODY_INLINE bool yield(const sp_model *m, const sp_kin *kin, int k, double tau, bool held,
                          double du, sp_articulated3 *A, sp_wrench3 *w, sp_lever3 *lever)
{
    const sp_axis3 *axis = &kin->axis3[k];
    const sp_wrench3 U = push_along(A, axis, m->dof[k].move == SP_MOVE_TURN);
    if (held) {
        *w = relieved(*w, du, U);
        return true;
    }
    const double D = sp_dyn3_along(axis, U);
    if (!(D > 0.0)) {
        return false;
    }
    const double D_inv = 1.0 / D, r = (tau + sp_dyn3_along(axis, *w)) * D_inv;
    const sp_wrench3 V = {.f = sp_scale3(D_inv, U.f), .m = sp_scale3(D_inv, U.m)};
    *lever = (sp_lever3){.U = V, .r = r};
    release(A, U, V);
    *w = relieved(*w, r, U);
    return true;
}

/* From the leaves to the roots: articulated bodies, and what is left of the forces on them. */
static sp_status come_back(const sp_model *m, const sp_kin *kin, bool elements,
                           const unsigned char *held, const double *du, sp_dyn *dyn, sp_error *err)
{
    sp_wrench3 *passed = dyn->wrench3[SP_CONSERVATIVE];
    for (int i = m->n_body - 1; i > 0; i--) {
        const sp_body *b = &m->body[i];
        sp_articulated3 *A = &dyn->articulated3[i];
        sp_wrench3 w = elements ? wrench_of(dyn, i) : passed[i];
        for (int k = b->dof + b->n_dof - 1; k >= b->dof; k--) {
            const double tau = elements ? tau_of(dyn, k) : 0.0;
            const bool is_held = held && held[k];
            if (!yield(m, kin, k, tau, is_held, is_held ? du[k] : 0.0, A, &w, &dyn->lever3[k])) {
                return SP_FAIL(err, SP_E_NONFINITE,
                               "no positive inertia at '%s'; a part that moves there needs mass or "
                               "inertia",
                               m->dof[k].name);
            }
        }
        if (b->parent != SP_GROUND) {
            const sp_vec3 d = sp_body3_reach(&kin->frame3[b->parent], &kin->frame3[i]);
            join(A, d, &dyn->articulated3[b->parent]);
            passed[b->parent] = sp_dyn3_pass_on(w, d, passed[b->parent]);
        }
    }
    return SP_OK;
}

/* From the roots to the leaves: u' and the acceleration of each pivot beyond its bias, which takes
 * the place of the wrench.   theory (3.34) */
static void speed_up(const sp_model *m, const sp_kin *kin, const unsigned char *held, sp_dyn *dyn,
                     double *du)
{
    sp_wrench3 *acc = dyn->wrench3[SP_CONSERVATIVE]; /* f: of the pivot, m: of the angle */
    acc[SP_GROUND] = (sp_wrench3){.f = {0.0, 0.0, 0.0}};
    for (int i = 1; i < m->n_body; i++) {
        const sp_body *b = &m->body[i];
        const sp_vec3 d = sp_body3_reach(&kin->frame3[b->parent], &kin->frame3[i]);
        sp_wrench3 a = acc[b->parent];
        a.f = sp_add3(a.f, sp_cross3(a.m, d));
        for (int k = b->dof; k < b->dof + b->n_dof; k++) {
            const sp_lever3 *l = &dyn->lever3[k];
            if (!held || !held[k]) {
                du[k] = l->r - (sp_inner3(l->U.m, a.m) + sp_inner3(l->U.f, a.f));
            }
            a.m = sp_axpy3(a.m, du[k], kin->axis3[k].w);
            a.f = sp_axpy3(a.f, du[k], kin->axis3[k].s);
        }
        acc[i] = a;
    }
}

sp_status sp_dyn3_accelerate(const sp_model *m, const sp_numbers *num, double t, const double *q,
                             const double *u, const unsigned char *held, sp_kin *kin, sp_dyn *dyn,
                             double *du, sp_error *err)
{
    const bool elements = m->n_force > 0 || m->layout.n_spring > 0;
    go_out(m, num, q, u, kin, dyn);
    if (elements) {
        sp_dyn3_clear(m, dyn);
        sp_kin_velocities(m, u, kin);
        sp_dyn_force_elements(m, num, kin, t, q, u, dyn);
    }
    SP_TRY(come_back(m, kin, elements, held, du, dyn, err));
    speed_up(m, kin, held, dyn, du);
    return SP_OK;
}
