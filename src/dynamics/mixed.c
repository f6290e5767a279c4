#include "dynamics/mixed.h"

#include "kinematics/chain.h"
#include "kinematics/flex.h"
#include "kinematics/kind.h"

#include <string.h>

enum { FRAME = 6 }; /* velocity and spin of a frame, in its own axes */

/* A velocity and a spin, or a force and a moment, about the origin of a body's frame. */
typedef sp_wrench3 screw;
typedef sp_lump lump;

/* All bodies at work.  What follows from the places of all is filled by look. */
struct sp_mixed {
    double **own;      /* n_body: inertia of bodies of other kinds, (FRAME + n_own)^2 ...   */
    double *seen;      /* n_dof: ... at these coordinates of the body itself ...            */
    bool *known;       /* n_body: ... if they were seen                                     */
    const sp_kin *kin; /* where look was ... */
    const sp_numbers *num;
    uint64_t moves;    /* ... and when ... */
    bool weighs;       /* ... and inertia is known there */
    sp_vec3 *x;        /* n_body: origins of frames                                     */
    lump *body, *tree; /* n_body: it alone; with all that hangs on it                   */
    screw *axis;       /* n_dof: of joints: the frame of their body per unit of each    */
    screw *carried;    /* n_body x most: a frame per unit of what its parent has itself */
    int most;
    screw *W;             /* n_body: forces on frames with those of what hangs on them     */
    screw *couple, *pass; /* n_dof: momentum of frames per unit of their own velocities; with
                           * that of what hangs on them                                       */
    struct shares {
        screw share[SP_SHARES];
    } * of;               /* n_body: forces on frames */
    double *F[SP_SHARES]; /* FRAME + most: forces on the velocities of a body              */
    double *a;            /* FRAME + most: its accelerations                               */
    double *q;            /* most                                                          */
    double *h;            /* n_dof                                                         */
};

bool sp_mixed_alloc(sp_arena *arena, const sp_model *m, sp_dyn *dyn)
{
    const int most = m->layout.most_own, n = FRAME + most;
    sp_mixed *x = SP_NEW(arena, sp_mixed, 1);
    if (!x) {
        return false;
    }
    bool ok = true;
    *x = (sp_mixed){.own = SP_NEW(arena, double *, m->n_body),
                    .seen = SP_NEW(arena, double, m->n_dof),
                    .known = SP_NEW(arena, bool, m->n_body),
                    .x = SP_NEW(arena, sp_vec3, m->n_body),
                    .body = SP_NEW(arena, lump, m->n_body),
                    .tree = SP_NEW(arena, lump, m->n_body),
                    .axis = SP_NEW(arena, screw, m->n_dof),
                    .carried =
                        sp_arena_alloc(arena, (size_t)m->n_body * (size_t)most, sizeof(screw)),
                    .most = most,
                    .W = SP_NEW(arena, screw, m->n_body),
                    .couple = SP_NEW(arena, screw, m->n_dof),
                    .pass = SP_NEW(arena, screw, m->n_dof),
                    .of = SP_NEW(arena, struct shares, m->n_body),
                    .a = SP_NEW(arena, double, n),
                    .q = SP_NEW(arena, double, n),
                    .h = SP_NEW(arena, double, m->n_dof)};
    for (int i = 0; i < m->n_body && x->own; i++) {
        const int all = FRAME + m->body[i].n_own;
        x->own[i] = m->body[i].kind ? SP_NEW(arena, double, all *all) : NULL;
        ok = ok && (x->own[i] || !m->body[i].kind);
    }
    for (int s = 0; s < SP_SHARES; s++) {
        x->F[s] = SP_NEW(arena, double, n);
        ok = ok && x->F[s];
    }
    dyn->mixed = x;
    return ok && x->own && x->seen && x->known && x->x && x->body && x->tree && x->axis &&
           x->carried && x->W && x->couple && x->pass && x->of && x->a && x->q && x->h;
}

/* ---- screws ---------------------------------------------------------------------------------- */

/* In the plane, dim 2, all else is zero; dim is known to the compiler. */
INLINE double inner(int dim, sp_vec3 a, sp_vec3 b)
{
    return dim == 2 ? a.x * b.x + a.y * b.y : sp_inner3(a, b);
}

INLINE double power(int dim, const screw *v, const screw *f)
{
    return inner(dim, v->f, f->f) + (dim == 2 ? v->m.z * f->m.z : sp_inner3(v->m, f->m));
}

/* a x b of two vectors of the plane, and of a spin a with one. */
INLINE sp_vec3 moment_of(int dim, sp_vec3 a, sp_vec3 b)
{
    return dim == 2 ? (sp_vec3){0.0, 0.0, a.x * b.y - a.y * b.x} : sp_cross3(a, b);
}

INLINE sp_vec3 spun(int dim, sp_vec3 a, sp_vec3 b)
{
    return dim == 2 ? (sp_vec3){-a.z * b.y, a.z * b.x, 0.0} : sp_cross3(a, b);
}

/* A force about another point; by: from there to where it was. */
INLINE screw force_about(int dim, screw f, sp_vec3 by)
{
    f.m = sp_add3(f.m, moment_of(dim, by, f.f));
    return f;
}

INLINE void join(screw *to, screw f)
{
    to->f = sp_add3(to->f, f.f);
    to->m = sp_add3(to->m, f.m);
}

/* Momentum at a velocity: [m, -s~; s~, J]. */
INLINE screw momentum(int dim, const lump *b, const screw *v)
{
    const sp_vec3 turned =
        dim == 2 ? (sp_vec3){0.0, 0.0, b->J.zz * v->m.z} : sp_sym3_mul(b->J, v->m);
    return (screw){sp_add3(sp_scale3(b->mass, v->f), spun(dim, v->m, b->s)),
                   sp_add3(moment_of(dim, b->s, v->f), turned)};
}

/* What hangs d away from the origin of its parent joins it. */
INLINE void join_lump(int dim, lump *to, const lump *b, sp_vec3 d)
{
    const sp_vec3 half = sp_axpy3(b->s, 0.5 * b->mass, d);
    if (dim == 2) {
        to->J.zz += b->J.zz + 2.0 * inner(2, half, d);
    } else {
        to->J = sp_sym3_add(to->J, sp_sym3_shift(b->J, half, d));
    }
    to->s = sp_add3(to->s, sp_axpy3(b->s, b->mass, d));
    to->mass += b->mass;
}

/* ---- one body -------------------------------------------------------------------------------- */

static sp_rot3 axes_of(const sp_kin *kin, int i)
{
    return kin->frame3 ? kin->frame3[i].R : sp_spot_lift_axes(kin->frame[i].R);
}

/* Number of the first velocity of the body itself. */
static inline int own_of(const sp_body *b)
{
    return b->dof + b->n_dof;
}

/* Row of its inertia that belongs to its own velocity k. */
static inline const double *own_row(const sp_body *b, const double *M, int k)
{
    return M + (size_t)(FRAME + k) * (size_t)(FRAME + b->n_own);
}

/* Inertia of a body that deforms, computed where its coordinates changed. */
static const double *own_inertia(const sp_body *b, const sp_kin *kin, int i, sp_mixed *x)
{
    const double *q = kin->flex->q + own_of(b);
    double *seen = x->seen + own_of(b);
    bool same = x->known[i];
    for (int k = 0; k < b->n_own; k++) {
        same = same && seen[k] == q[k];
        seen[k] = q[k];
    }
    if (!same) {
        b->kind->inertia(b->form, kin->flex->memo[i], q, x->own[i]);
    }
    x->known[i] = true;
    return x->own[i];
}

/* First moment and inertia of body i in the axes of its frame. */
static lump lump_in_frame(const sp_model *m, const sp_numbers *num, const sp_kin *kin, int i,
                          sp_mixed *x)
{
    const sp_body *b = &m->body[i];
    if (b->kind) {
        const double *M = own_inertia(b, kin, i, x);
        const int n = FRAME + b->n_own;
        const double *J = M + 3 * n + 3;
        return (lump){
            M[0], {M[n + 5], -M[5], M[4]}, {J[0], J[n + 1], J[2 * n + 2], J[1], J[2], J[n + 2]}};
    }
    const double mass = num->body[i].mass;
    const sp_vec3 c = num->space ? sp_vec3_of(num->space[i].center)
                                 : sp_spot_lift(sp_vec_of(num->body[i].center));
    const sp_sym3 J =
        num->space ? sp_sym3_of(num->space[i].inertia) : (sp_sym3){.zz = num->body[i].inertia};
    const sp_vec3 s = sp_scale3(mass, c);
    return (lump){mass, s, sp_sym3_shift(J, sp_scale3(0.5, s), c)};
}

/* How the velocities of the parent itself move the frame of body i.   theory (2.29) */
static void fill_carried(const sp_model *m, const sp_kin *kin, int i, sp_mixed *x)
{
    const sp_spot *at = &kin->flex->hung[i].at;
    const int n = m->body[m->body[i].parent].n_own;
    if (n == 0) {
        return;
    }
    sp_vec3 *v = kin->path[0].v, *w = kin->path[0].w;
    sp_flex_shape(kin, at, v, w);
    const sp_vec3 arm = sp_sub3(x->x[i], at->x);
    for (int j = 0; j < n; j++) {
        x->carried[i * x->most + j] = (screw){sp_add3(v[j], sp_cross3(w[j], arm)), w[j]};
    }
}

/* How frames move, by places alone, unless it is known. */
static void look_at_places(const sp_model *m, const sp_kin *kin, sp_mixed *x)
{
    if (x->kin == kin && x->moves == kin->flex->moves) {
        return;
    }
    x->kin = kin;
    x->moves = kin->flex->moves;
    x->weighs = false;
    for (int i = 0; i < m->n_body; i++) {
        x->x[i] = sp_spot_frame_place(kin, i);
    }
    for (int i = 1; i < m->n_body; i++) {
        const sp_body *b = &m->body[i];
        for (int k = b->dof; k < b->dof + b->n_dof; k++) {
            const sp_axis3 a = sp_spot_axis(m, kin, k);
            x->axis[k] = (screw){sp_add3(a.s, sp_cross3(a.w, sp_sub3(x->x[i], a.p))), a.w};
        }
        fill_carried(m, kin, i, x);
    }
}

static void weigh_body(const sp_model *m, const sp_numbers *num, const sp_kin *kin, int i,
                       sp_mixed *x)
{
    const sp_rot3 R = axes_of(kin, i);
    const lump own = lump_in_frame(m, num, kin, i, x);
    x->body[i] =
        (lump){own.mass, sp_rotate3(R, own.s), m->dim == 3 ? sp_sym3_turned(R, own.J) : own.J};
}

/* Their inertia there, likewise. */
static void look(const sp_model *m, const sp_numbers *num, const sp_kin *kin, sp_mixed *x)
{
    look_at_places(m, kin, x);
    if (x->weighs && x->num == num) {
        return;
    }
    x->num = num;
    x->weighs = true;
    for (int i = 1; i < m->n_body; i++) {
        const sp_body *b = &m->body[i];
        weigh_body(m, num, kin, i, x);
        for (int k = 0; k < b->n_own; k++) {
            const sp_rot3 R = axes_of(kin, i);
            const double *row = own_row(b, x->own[i], k);
            x->couple[own_of(b) + k] =
                (screw){sp_rotate3(R, sp_vec3_of(row)), sp_rotate3(R, sp_vec3_of(row + 3))};
        }
    }
}

sp_mixed_parts sp_mixed_look(const sp_model *m, const sp_numbers *num, const sp_kin *kin,
                             sp_dyn *dyn)
{
    sp_mixed *x = dyn->mixed;
    look(m, num, kin, x);
    return (sp_mixed_parts){x->body, x->couple, x->own, x->carried, x->most};
}

/* ---- from leaves to the ground --------------------------------------------------------------- */

/* The forces on the frames in x->W on all velocities: added to h, those on own ones of each body
 * itself left out.   theory (2.31), (2.41) */
INLINE void gather(int dim, const sp_model *m, sp_mixed *x, double *h)
{
    for (int i = m->n_body - 1; i > 0; i--) {
        const sp_body *b = &m->body[i], *on = &m->body[b->parent];
        const screw *W = &x->W[i], *carried = x->carried + i * x->most;
        for (int k = b->dof; k < b->dof + b->n_dof; k++) {
            h[k] += power(dim, &x->axis[k], W);
        }
        for (int j = 0; j < on->n_own; j++) {
            h[own_of(on) + j] += power(dim, &carried[j], W);
        }
        join(&x->W[b->parent], force_about(dim, *W, sp_sub3(x->x[i], x->x[b->parent])));
    }
}

/* A row of M: a momentum p of all that moves with frame i, on the velocities of the bodies below.
 */
INLINE void climb(int dim, const sp_model *m, const sp_mixed *x, int i, screw p, double *row)
{
    for (int below = m->body[i].parent; below != SP_GROUND; below = m->body[i].parent) {
        const sp_body *on = &m->body[below];
        const screw *carried = x->carried + i * x->most;
        for (int j = 0; j < on->n_own; j++) {
            row[m->layout.dof[own_of(on) + j].depth] = power(dim, &carried[j], &p);
        }
        p = force_about(dim, p, sp_sub3(x->x[i], x->x[below]));
        for (int j = on->dof; j < on->dof + on->n_dof; j++) {
            row[m->layout.dof[j].depth] = power(dim, &x->axis[j], &p);
        }
        i = below;
    }
}

/* What hangs on body i moves with its parent: inertia of the whole, momenta of the parent's own
 * velocities. */
INLINE void hang(int dim, const sp_model *m, int i, sp_mixed *x, screw *couple, double *M)
{
    const sp_body *b = &m->body[i], *on = &m->body[b->parent];
    const sp_vec3 d = sp_sub3(x->x[i], x->x[b->parent]);
    const screw *carried = x->carried + i * x->most;
    join_lump(dim, &x->tree[b->parent], &x->tree[i], d);
    for (int j = 0; j < on->n_own; j++) {
        const sp_dof_layout *dof = &m->layout.dof[own_of(on) + j];
        const screw p = momentum(dim, &x->tree[i], &carried[j]);
        join(&couple[own_of(on) + j], force_about(dim, p, d));
        for (int l = 0; l <= j; l++) {
            M[dof->row + m->layout.dof[own_of(on) + l].depth] += power(dim, &carried[l], &p);
        }
    }
}

/* Rows of M of the velocities of body i.   theory (2.41) */
INLINE void fill_rows(int dim, const sp_model *m, int i, const screw *couple, sp_mixed *x,
                      double *M)
{
    const sp_body *b = &m->body[i];
    const sp_dof_layout *dof = m->layout.dof;
    for (int k = b->dof; k < own_of(b) + b->n_own; k++) {
        const int own = k - own_of(b);
        double *row = M + dof[k].row;
        const screw p = own < 0 ? momentum(dim, &x->tree[i], &x->axis[k]) : couple[k];
        for (int j = b->dof; j < own_of(b) && j <= k; j++) {
            row[dof[j].depth] = power(dim, &x->axis[j], &p);
        }
        for (int j = 0; j <= own; j++) {
            row[dof[own_of(b) + j].depth] += own_row(b, x->own[i], own)[FRAME + j];
        }
        climb(dim, m, x, i, p, row);
    }
}

/* M by composite bodies.   theory (2.30), (2.41) */
INLINE void mass(int dim, const sp_model *m, sp_mixed *x, sp_dyn *dyn)
{
    screw *couple = x->pass;
    memset(dyn->M, 0, (size_t)m->n_packed * sizeof *dyn->M);
    memcpy(couple, x->couple, (size_t)m->n_dof * sizeof *couple);
    memcpy(x->tree, x->body, (size_t)m->n_body * sizeof *x->tree);
    for (int i = m->n_body - 1; i > 0; i--) {
        fill_rows(dim, m, i, couple, x, dyn->M);
        hang(dim, m, i, x, couple, dyn->M);
    }
    memcpy(dyn->L, dyn->M, (size_t)m->n_packed * sizeof *dyn->M);
}

void sp_mixed_mass(const sp_model *m, const sp_numbers *num, const sp_kin *kin, sp_dyn *dyn)
{
    look(m, num, kin, dyn->mixed);
    if (m->dim == 2) {
        mass(2, m, dyn->mixed, dyn);
    } else {
        mass(3, m, dyn->mixed, dyn);
    }
}

/* ---- forces ---------------------------------------------------------------------------------- */

/* What acts on the frame of a body, about its origin, of one share. */
static screw wrench_of(const sp_kin *kin, const sp_dyn *dyn, int i, sp_share s)
{
    if (kin->frame3) {
        const sp_wrench3 *w = &dyn->wrench3[s][i];
        return (screw){w->f, sp_sub3(w->m, sp_cross3(kin->frame3[i].own, w->f))};
    }
    const sp_wrench *w = &dyn->wrench[s][i];
    const sp_vec3 f = sp_spot_lift(w->f), own = sp_spot_lift(kin->frame[i].own);
    return (screw){f, sp_sub3(sp_spot_lift_spin(w->m), sp_cross3(own, f))};
}

/* Keep what body i damps, for its line of the ledger. */
static void note_damping(const sp_model *m, const sp_kin *kin, int i, screw W, const double *F,
                         sp_dyn *dyn)
{
    const sp_body *b = &m->body[i];
    int line = m->n_force + m->layout.n_spring;
    while (m->line[line].index != i) {
        line++;
    }
    dyn->action[dyn->n_action++] = (sp_action){.line = line,
                                               .share = SP_DAMPERS,
                                               .at = sp_spot_origin(kin, i),
                                               .force = W.f,
                                               .moment = W.m};
    for (int k = 0; k < b->n_own; k++) {
        dyn->action[dyn->n_action++] = (sp_action){.line = line,
                                                   .share = SP_DAMPERS,
                                                   .at.body = SP_NONE,
                                                   .dof = own_of(b) + k,
                                                   .force = {F[FRAME + k], 0.0, 0.0}};
    }
}

/* Forces of a body of another kind at its velocities, and of accelerations a of its frame (in its
 * axes) on its own ones, into h; those on the frame, in world axes, to W. */
static void kind_forces(const sp_model *m, const sp_kin *kin, int i, sp_vec3 omega,
                        const double a[FRAME], screw W[SP_SHARES], sp_dyn *dyn)
{
    sp_mixed *x = dyn->mixed;
    const sp_body *b = &m->body[i];
    const int own = own_of(b);
    const sp_rot3 R = axes_of(kin, i);
    for (int s = SP_CONSERVATIVE; s <= SP_DAMPERS; s++) {
        memset(x->F[s], 0, (size_t)(FRAME + b->n_own) * sizeof *x->F[s]);
    }
    b->kind->forces(b->form, kin->flex->memo[i], kin->flex->q + own, kin->flex->u + own, omega,
                    x->F[SP_CONSERVATIVE], x->F[SP_DAMPERS]);
    const int last = sp_mixed_damps(b) ? SP_DAMPERS : SP_CONSERVATIVE;
    for (int s = SP_CONSERVATIVE; s <= last; s++) {
        const double *F = x->F[s];
        join(&W[s], (screw){sp_rotate3(R, sp_vec3_of(F)), sp_rotate3(R, sp_vec3_of(F + 3))});
        for (int k = 0; k < b->n_own; k++) {
            dyn->h[s][own + k] += F[FRAME + k];
        }
    }
    for (int k = 0; k < b->n_own; k++) {
        const double *row = own_row(b, x->own[i], k);
        for (int j = 0; j < FRAME; j++) {
            dyn->h[SP_CONSERVATIVE][own + k] += row[j] * a[j];
        }
    }
    if (last == SP_DAMPERS) {
        note_damping(m, kin, i, W[SP_DAMPERS], x->F[SP_DAMPERS], dyn);
    }
}

/* F = forces of the body at its velocities - M_i (a_0 - g, alpha_0, 0).   theory (2.31) */
INLINE void body_forces(int dim, const sp_model *m, const sp_numbers *num, const sp_kin *kin, int i,
                        screw W[SP_SHARES], sp_dyn *dyn)
{
    const sp_mixed *x = dyn->mixed;
    const sp_vec3 a_0 = kin->frame3 ? kin->frame3[i].a0 : sp_spot_lift(kin->frame[i].a0);
    const sp_vec3 g = {num->gravity[0], num->gravity[1], m->dim == 3 ? num->gravity[2] : 0.0};
    const sp_vec3 omega = sp_spot_frame_spin(kin, i), none = {0.0, 0.0, 0.0};
    const screw a = {sp_sub3(g, a_0), sp_sub3(none, sp_spot_frame_alpha(kin, i))};
    W[SP_CONSERVATIVE] = momentum(dim, &x->body[i], &a);
    if (m->body[i].kind) {
        const sp_rot3 R = axes_of(kin, i);
        const sp_vec3 v = sp_rotate_back3(R, a.f), w = sp_rotate_back3(R, a.m);
        kind_forces(m, kin, i, sp_rotate_back3(R, omega), (double[]){v.x, v.y, v.z, w.x, w.y, w.z},
                    W, dyn);
    } else { /* those of the momentum that it has for this spin alone */
        const screw p = momentum(dim, &x->body[i], &(screw){none, omega});
        join(&W[SP_CONSERVATIVE], (screw){sp_cross3(p.f, omega), sp_cross3(p.m, omega)});
    }
}

const double *sp_mixed_weight(const sp_model *m, const sp_numbers *num, const sp_kin *kin, int i,
                              sp_vec3 g, sp_dyn *dyn)
{
    sp_mixed *x = dyn->mixed;
    const sp_body *b = &m->body[i];
    const lump own = lump_in_frame(m, num, kin, i, x);
    const sp_vec3 moment = sp_cross3(own.s, g);
    double *F = x->F[SP_APPLIED];
    memcpy(F,
           (double[]){own.mass * g.x, own.mass * g.y, own.mass * g.z, moment.x, moment.y, moment.z},
           FRAME * sizeof *F);
    for (int k = 0; k < b->n_own; k++) {
        F[FRAME + k] = sp_inner3(sp_vec3_of(own_row(b, x->own[i], k)), g);
    }
    return F;
}

/* No forces yet. */
static void clear(const sp_model *m, sp_dyn *dyn)
{
    for (int s = 0; s < SP_SHARES; s++) {
        memset(dyn->h[s], 0, (size_t)m->n_dof * sizeof(double));
        if (!m->layout.elements) { /* nobody asks for wrenches */
            continue;
        }
        if (dyn->wrench3[s]) {
            memset(dyn->wrench3[s], 0, (size_t)m->n_body * sizeof(sp_wrench3));
        } else {
            memset(dyn->wrench[s], 0, (size_t)m->n_body * sizeof(sp_wrench));
        }
    }
}

INLINE void forces(int dim, const sp_model *m, const sp_numbers *num, const sp_kin *kin,
                   sp_dyn *dyn)
{
    sp_mixed *x = dyn->mixed;
    for (int i = 1; i < m->n_body; i++) {
        for (int s = SP_DAMPERS; s < SP_SHARES; s++) {
            x->of[i].share[s] = (screw){.f = {0.0, 0.0, 0.0}};
        }
        body_forces(dim, m, num, kin, i, x->of[i].share, dyn);
    }
    for (int s = 0; s < SP_SHARES; s++) {
        for (int i = 1; i < m->n_body && dyn->acts[s]; i++) {
            x->W[i] = x->of[i].share[s];
            if (m->layout.elements) {
                join(&x->W[i], wrench_of(kin, dyn, i, (sp_share)s));
            }
        }
        if (dyn->acts[s]) {
            gather(dim, m, x, dyn->h[s]);
        }
    }
}

void sp_mixed_forces(const sp_model *m, const sp_numbers *num, const sp_kin *kin, double t,
                     const double *q, const double *u, sp_dyn *dyn)
{
    look(m, num, kin, dyn->mixed);
    clear(m, dyn);
    sp_dyn_force_elements(m, num, kin, t, q, u, dyn);
    if (m->dim == 2) {
        forces(2, m, num, kin, dyn);
    } else {
        forces(3, m, num, kin, dyn);
    }
}

/* ---- energies -------------------------------------------------------------------------------- */

/* Momenta of body i, about its origin in world axes. */
INLINE sp_momentum body_momentum(int dim, const sp_model *m, const sp_numbers *num,
                                 const sp_kin *kin, int i, sp_mixed *x)
{
    const sp_body *b = &m->body[i];
    const screw v = {kin->frame3 ? kin->frame3[i].v : sp_spot_lift(kin->frame[i].v),
                     sp_spot_frame_spin(kin, i)};
    const double *q = kin->flex->q + own_of(b), *u = kin->flex->u + own_of(b);
    const sp_rot3 R = axes_of(kin, i);
    sp_momentum out;
    if (b->kind && b->kind->momentum) {
        b->kind->momentum(b->form, kin->flex->memo[i], q, u, sp_rotate_back3(R, v.f),
                          sp_rotate_back3(R, v.m), &out);
        out.moment = sp_rotate3(R, out.moment);
        out.p = sp_rotate3(R, out.p);
        out.L = sp_rotate3(R, out.L);
        return out;
    }
    weigh_body(m, num, kin, i, x);
    double own = 0.0;
    screw p = momentum(dim, &x->body[i], &v);
    for (int k = 0; k < b->n_own; k++) {
        const double *row = own_row(b, x->own[i], k);
        const screw c = {sp_rotate3(R, sp_vec3_of(row)), sp_rotate3(R, sp_vec3_of(row + 3))};
        own += u[k] * power(dim, &c, &v);
        for (int j = 0; j < b->n_own; j++) {
            own += u[k] * row[FRAME + j] * u[j];
        }
        p.f = sp_axpy3(p.f, u[k], c.f);
        p.m = sp_axpy3(p.m, u[k], c.m);
    }
    return (sp_momentum){
        x->body[i].mass, x->body[i].s, p.f, p.m, 0.5 * (own + power(dim, &v, &p)), own};
}

/* T of the velocities of each body, the weight of its first moment, and 1/2 u^T M u by the momenta
 * on all velocities.   theory (2.32) */
INLINE sp_energy energies(int dim, const sp_model *m, const sp_numbers *num, const sp_kin *kin,
                          const double *u, sp_mixed *x)
{
    const sp_vec3 g = {num->gravity[0], num->gravity[1], m->dim == 3 ? num->gravity[2] : 0.0};
    sp_energy e = {0.0, 0.0, 0.0};
    look_at_places(m, kin, x);
    memset(x->h, 0, (size_t)m->n_dof * sizeof *x->h);
    for (int i = 1; i < m->n_body; i++) {
        const sp_momentum p = body_momentum(dim, m, num, kin, i, x);
        x->W[i] = (screw){p.p, p.L};
        e.potential -= p.mass * sp_inner3(g, x->x[i]) + sp_inner3(g, p.moment);
        e.kinetic += u ? p.kinetic : 0.0;
        e.quadratic += u ? 0.5 * p.own : 0.0;
    }
    if (u) {
        gather(dim, m, x, x->h);
    }
    for (int k = 0; k < m->n_dof && u; k++) {
        e.quadratic += 0.5 * u[k] * x->h[k];
    }
    return e;
}

sp_energy sp_mixed_energies(const sp_model *m, const sp_numbers *num, const sp_kin *kin,
                            const double *u, sp_dyn *dyn)
{
    return m->dim == 2 ? energies(2, m, num, kin, u, dyn->mixed)
                       : energies(3, m, num, kin, u, dyn->mixed);
}

bool sp_mixed_damps(const sp_body *b)
{
    return b->kind && (!b->kind->damps || b->kind->damps(b->form));
}

double sp_mixed_stored(const sp_model *m, int i, const double *q, sp_dyn *dyn)
{
    const sp_body *b = &m->body[i];
    for (int k = 0; k < b->n_own; k++) {
        dyn->mixed->q[k] = q[m->dof[own_of(b) + k].q];
    }
    return b->kind ? b->kind->energy(b->form, dyn->mixed->q) : 0.0;
}
