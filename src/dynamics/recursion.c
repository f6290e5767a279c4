#include "dynamics/recursion.h"

#include "base/inline.h"
#include "dynamics/mixed.h"
#include "kinematics/chain.h"

#include <float.h>
#include <string.h>

/* ---- structure ------------------------------------------------------------------------------- */

/* Joint and own velocities of a body, which stand together. */
static inline int count_of(const sp_body *b)
{
    return b->n_dof + b->n_own;
}

/* Places of bodies, and the most velocities that one has. */
static bool lay_bodies(sp_arena *arena, const sp_model *m, int *most, sp_recursion *r)
{
    r->at = SP_NEW(arena, size_t, m->n_body);
    r->at_K = SP_NEW(arena, size_t, m->n_body);
    for (int i = 0; r->at && r->at_K && i < m->n_body; i++) {
        const sp_body *b = &m->body[i];
        const size_t n = (size_t)(r->n_frame + b->n_own), all = (size_t)count_of(b);
        r->at[i] = r->n_own;
        r->at_K[i] = r->n_K;
        r->n_own += n * n;
        r->n_K += all * all;
        *most = (int)all > *most ? (int)all : *most;
    }
    return r->at && r->at_K;
}

bool sp_recursion_make(sp_arena *arena, const sp_model *m, sp_recursion **out)
{
    *out = NULL;
    if (!m->layout.deep) {
        return true;
    }
    sp_recursion *r = SP_NEW(arena, sp_recursion, 1);
    int most = 0;
    if (!r) {
        return false;
    }
    const int F = m->dim == 3 ? SP_FRAME_MOST : SP_FRAME_MOST / 2;
    *r = (sp_recursion){.n_frame = F, .most = m->layout.most_own};
    if (!lay_bodies(arena, m, &most, r)) {
        return false;
    }
    r->width = F + most;
    const size_t n_frame = (size_t)F, width = (size_t)r->width, n_body = (size_t)m->n_body;
    r->way = SP_NEW(arena, sp_vec3, n_body);
    r->S = SP_NEW(arena, double, (size_t)m->n_dof *n_frame);
    r->carried = SP_NEW(arena, double, n_body *(size_t)r->most *n_frame + 1);
    r->own = SP_NEW(arena, double, r->n_own);
    r->hung = SP_NEW(arena, double, r->n_own);
    r->K = SP_NEW(arena, double, r->n_K + 1);
    r->L = SP_NEW(arena, double, (size_t)m->n_dof *width);
    r->V = SP_NEW(arena, double, n_body *n_frame);
    r->f = SP_NEW(arena, double, n_body *n_frame);
    r->square = SP_NEW(arena, double, width *width);
    *out = r;
    return r->way && r->S && r->carried && r->own && r->hung && r->K && r->L && r->V && r->f &&
           r->square;
}

size_t sp_recursion_at(const sp_model *m, const sp_recursion *r, int k, int j)
{
    const sp_body *b = &m->body[m->dof[k].body];
    return r->at_K[m->dof[k].body] + (size_t)((k - b->dof) * count_of(b) + j - b->dof);
}

/* ---- frames ---------------------------------------------------------------------------------- */

/* n numbers of a frame are known to the compiler in all that follows: F is 3 in the plane. */

INLINE void put(int F, sp_vec3 f, sp_vec3 m, double *to)
{
    to[0] = f.x;
    to[1] = f.y;
    if (F == 3) {
        to[2] = m.z;
    } else {
        to[2] = f.z;
        memcpy(to + 3, (double[]){m.x, m.y, m.z}, 3 * sizeof *to);
    }
}

INLINE double dot(int F, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < F; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

INLINE void add(int F, double s, const double *a, double *to)
{
    for (int i = 0; i < F; i++) {
        to[i] += s * a[i];
    }
}

/* The velocity of a frame that is fixed to another one, d from there. */
INLINE void carry(int F, sp_vec3 d, const double *V, double *to)
{
    if (F == 3) {
        to[0] = V[0] - V[2] * d.y;
        to[1] = V[1] + V[2] * d.x;
        to[2] = V[2];
        return;
    }
    memcpy(to, V, 6 * sizeof *to);
    to[0] += V[4] * d.z - V[5] * d.y;
    to[1] += V[5] * d.x - V[3] * d.z;
    to[2] += V[3] * d.y - V[4] * d.x;
}

/* A force on the one is to the other, whose forces it joins: the transpose, rows apart by `step`.
 */
INLINE void bring(int F, sp_vec3 d, const double *f, int step, double *to)
{
    const double x = f[0], y = f[step];
    to[0] += x;
    to[step] += y;
    if (F == 3) {
        to[2 * step] += f[2 * step] + (d.x * y - d.y * x);
        return;
    }
    const double z = f[2 * step];
    to[2 * step] += z;
    to[3 * step] += f[3 * step] + (d.y * z - d.z * y);
    to[4 * step] += f[4 * step] + (d.z * x - d.x * z);
    to[5 * step] += f[5 * step] + (d.x * y - d.y * x);
}

/* ---- inertia --------------------------------------------------------------------------------- */

/* Of a rigid body over its frame: mass, first moment s and J about the origin. */
INLINE void put_rigid(int F, double mass, sp_vec3 s, sp_sym3 J, int n, double *M)
{
    memset(M, 0, (size_t)(n * n) * sizeof *M);
    M[0] = M[n + 1] = mass;
    if (F == 3) {
        M[2] = M[2 * n] = -s.y;
        M[n + 2] = M[2 * n + 1] = s.x;
        M[2 * n + 2] = J.zz;
        return;
    }
    const double cross[3][3] = {{0.0, s.z, -s.y}, {-s.z, 0.0, s.x}, {s.y, -s.x, 0.0}};
    const double turn[3][3] = {{J.xx, J.xy, J.xz}, {J.xy, J.yy, J.yz}, {J.xz, J.yz, J.zz}};
    M[2 * n + 2] = mass;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            M[i * n + 3 + j] = M[(3 + j) * n + i] = cross[i][j];
            M[(3 + i) * n + 3 + j] = turn[i][j];
        }
    }
}

static void look_at_rigid(const sp_numbers *num, const sp_kin *kin, int i, sp_recursion *r)
{
    const double mass = num->body[i].mass;
    const sp_vec3 c = sp_spot_center(kin, i), s = sp_scale3(mass, c);
    if (r->n_frame == 3) {
        const sp_sym3 J = {.zz = num->body[i].inertia + mass * (c.x * c.x + c.y * c.y)};
        put_rigid(3, mass, s, J, 3, r->own + r->at[i]);
        return;
    }
    const sp_spot o = sp_spot_origin(kin, i);
    const sp_sym3 J = sp_sym3_turned(sp_spot_axes(kin, &o), sp_sym3_of(num->space[i].inertia));
    put_rigid(6, mass, s, sp_sym3_shift(J, sp_scale3(0.5, s), c), 6, r->own + r->at[i]);
}

/* Of bodies one of which deforms. */
INLINE void look_at_mixed(int F, const sp_model *m, const sp_mixed_parts *p, int i, sp_recursion *r)
{
    const sp_body *b = &m->body[i], *on = &m->body[b->parent];
    const int n = F + b->n_own, first = b->dof + b->n_dof;
    double *M = r->own + r->at[i];
    put_rigid(F, p->body[i].mass, p->body[i].s, p->body[i].J, n, M);
    for (int k = 0; k < b->n_own; k++) {
        double *row = M + (F + k) * n;
        const double *own = p->own[i] + (6 + k) * (6 + b->n_own) + 6;
        put(F, p->couple[first + k].f, p->couple[first + k].m, row);
        memcpy(row + F, own, (size_t)b->n_own * sizeof *row);
    }
    for (int j = 0; j < on->n_own; j++) {
        const sp_wrench3 *c = &p->carried[i * p->most + j];
        put(F, c->f, c->m, r->carried + (size_t)((i * r->most + j) * F));
    }
}

/* ---- from leaves to the ground --------------------------------------------------------------- */

/* Inertia of body i with what hangs on it, over the frame as it were without the joint, and over
 * the velocities of the body: lower half, rows of n.   theory (106.1) */
INLINE void spread(int F, const sp_model *m, const sp_recursion *r, int i, int n, double *A)
{
    const sp_body *b = &m->body[i];
    const int n_own = F + b->n_own, J = F + b->n_dof;
    const double *B = r->hung + r->at[i];
    for (int k = 0; k < F; k++) {
        memcpy(A + k * n, B + k * n_own, (size_t)F * sizeof *A);
    }
    for (int k = 0; k < b->n_dof; k++) {
        double *row = A + (F + k) * n;
        const double *S = r->S + (b->dof + k) * F;
        for (int j = 0; j < F; j++) {
            row[j] = dot(F, B + j * n_own, S);
        }
        for (int j = 0; j <= k; j++) {
            row[F + j] = dot(F, row, r->S + (b->dof + j) * F);
        }
    }
    for (int k = 0; k < b->n_own; k++) {
        double *row = A + (J + k) * n;
        const double *own = B + (F + k) * n_own;
        memcpy(row, own, (size_t)F * sizeof *row);
        for (int j = 0; j < b->n_dof; j++) {
            row[F + j] = dot(F, row, r->S + (b->dof + j) * F);
        }
        memcpy(row + J, own + F, (size_t)(k + 1) * sizeof *row);
    }
}

/* The velocities of body i go, the last first: rows of L, and what of the inertia is left on the
 * frame.  The degree of freedom whose pivot is not positive, or SP_NONE.   theory (106.2) */
INLINE int eliminate(int F, const sp_model *m, const unsigned char *held, int i, int n, double *A,
                     sp_dyn *dyn)
{
    const sp_recursion *r = dyn->recursion;
    const int dof = m->body[i].dof;
    for (int p = n - 1; p >= F; p--) {
        const int k = dof + p - F;
        double *row = A + p * n, *L = r->L + k * r->width;
        if (held && held[k]) { /* it moves nothing, and nothing moves it */
            memset(L, 0, (size_t)p * sizeof *L);
            dyn->D_inv[k] = 0.0;
            continue;
        }
        if (!(row[p] >= DBL_MIN)) { /* else one over it overflows */
            return k;
        }
        const double D_inv = 1.0 / row[p];
        dyn->D_inv[k] = D_inv;
        for (int q = 0; q < p; q++) {
            const bool stays = held && q >= F && held[dof + q - F];
            const double l = stays ? 0.0 : row[q] * D_inv;
            L[q] = l;
            add(q + 1, -l, row, A + q * n);
        }
    }
    return SP_NONE;
}

/* Entry of a matrix of which the lower half is there. */
INLINE double entry(const double *A, int n, int k, int j)
{
    return j <= k ? A[k * n + j] : A[j * n + k];
}

/* Inertia A on the frame of body i, rows of n, joins that of its parent.   theory (106.2) */
INLINE void join(int F, const sp_model *m, const sp_recursion *r, int i, int n, const double *A)
{
    const sp_body *b = &m->body[i], *on = &m->body[b->parent];
    const int n_on = F + on->n_own;
    const sp_vec3 d = r->way[i];
    double *B = r->hung + r->at[b->parent];
    double AX[SP_FRAME_MOST * SP_FRAME_MOST] = {0.0}, XAX[SP_FRAME_MOST * SP_FRAME_MOST] = {0.0};
    for (int k = 0; k < F; k++) {
        double row[SP_FRAME_MOST];
        for (int j = 0; j < F; j++) {
            row[j] = entry(A, n, k, j);
        }
        bring(F, d, row, 1, AX + k * F);
    }
    for (int k = 0; k < F; k++) {
        bring(F, d, AX + k, F, XAX + k);
    }
    for (int k = 0; k < F; k++) {
        add(F, 1.0, XAX + k * F, B + k * n_on);
    }
    for (int j = 0; j < on->n_own; j++) {
        const double *c = r->carried + (size_t)((i * r->most + j) * F);
        double p[SP_FRAME_MOST], *row = B + (F + j) * n_on;
        for (int k = 0; k < F; k++) {
            p[k] = 0.0;
            for (int l = 0; l < F; l++) {
                p[k] += entry(A, n, k, l) * c[l];
            }
        }
        bring(F, d, p, 1, row);
        for (int l = 0; l <= j; l++) {
            row[F + l] += dot(F, p, r->carried + (size_t)((i * r->most + l) * F));
        }
    }
}

/* What of the implicit operator is on the velocities of body i. */
static void add_local(const sp_body *b, const double *K, int F, int n, double *A)
{
    const int all = count_of(b);
    for (int k = 0; k < all; k++) {
        for (int j = 0; j <= k; j++) {
            A[(F + k) * n + F + j] += K[k * all + j];
        }
    }
}

INLINE int factor(int F, const sp_model *m, const unsigned char *held, bool implicit, sp_dyn *dyn,
                  double *pivot)
{
    const sp_recursion *r = dyn->recursion;
    double *A = r->square;
    memcpy(r->hung, r->own, r->n_own * sizeof *r->hung);
    for (int i = m->n_body - 1; i > 0; i--) {
        const sp_body *b = &m->body[i];
        const int n = F + count_of(b);
        spread(F, m, r, i, n, A);
        if (implicit) {
            add_local(b, r->K + r->at_K[i], F, n, A);
        }
        const int k = eliminate(F, m, held, i, n, A, dyn);
        if (k != SP_NONE) {
            const int p = F + k - b->dof;
            *pivot = A[p * n + p];
            return k;
        }
        if (b->parent != SP_GROUND) {
            join(F, m, r, i, n, A);
        }
    }
    return m->n_dof;
}

int sp_recursion_factor(const sp_model *m, const unsigned char *held, bool implicit, sp_dyn *dyn,
                        double *pivot)
{
    return dyn->recursion->n_frame == 3 ? factor(3, m, held, implicit, dyn, pivot)
                                        : factor(6, m, held, implicit, dyn, pivot);
}

/* ---- where the bodies are -------------------------------------------------------------------- */

/* The diagonal of M, by bodies with all that hangs on them as if it were frozen. */
INLINE void find_diagonal(int F, const sp_model *m, sp_dyn *dyn)
{
    const sp_recursion *r = dyn->recursion;
    double *A = r->square;
    memcpy(r->hung, r->own, r->n_own * sizeof *r->hung);
    for (int i = m->n_body - 1; i > 0; i--) {
        const sp_body *b = &m->body[i];
        const int n = F + count_of(b);
        spread(F, m, r, i, n, A);
        for (int p = F; p < n; p++) {
            const sp_dof_layout *dof = &m->layout.dof[b->dof + p - F];
            dyn->M[dof->row + dof->depth] = A[p * n + p];
        }
        if (b->parent != SP_GROUND) {
            join(F, m, r, i, n, A);
        }
    }
}

INLINE void look(int F, const sp_model *m, const sp_numbers *num, const sp_kin *kin, sp_dyn *dyn)
{
    sp_recursion *r = dyn->recursion;
    const bool mixed = m->layout.mixed;
    const sp_mixed_parts parts =
        mixed ? sp_mixed_look(m, num, kin, dyn) : (sp_mixed_parts){.most = 0};
    for (int i = 1; i < m->n_body; i++) {
        const sp_body *b = &m->body[i];
        const sp_vec3 x = sp_spot_frame_place(kin, i);
        r->way[i] = sp_sub3(x, sp_spot_frame_place(kin, b->parent));
        for (int k = b->dof; k < b->dof + b->n_dof; k++) {
            const sp_axis3 a = sp_spot_axis(m, kin, k);
            put(F, sp_add3(a.s, sp_cross3(a.w, sp_sub3(x, a.p))), a.w, r->S + k * F);
        }
        if (mixed) {
            look_at_mixed(F, m, &parts, i, r);
        } else {
            look_at_rigid(num, kin, i, r);
        }
    }
    find_diagonal(F, m, dyn);
}

SP_NOINLINE void sp_recursion_look(const sp_model *m, const sp_numbers *num, const sp_kin *kin,
                                   sp_dyn *dyn)
{
    if (dyn->recursion->n_frame == 3) {
        look(3, m, num, kin, dyn);
    } else {
        look(6, m, num, kin, dyn);
    }
}

/* ---- solutions and product ------------------------------------------------------------------- */

/* The force f on the frame of body i goes to its parent, and to what that has itself and is not
 * struck out of the factor. */
INLINE void pass_on(int F, const sp_model *m, const sp_dyn *dyn, int i, const double *f,
                    bool factored, double *x)
{
    const sp_recursion *r = dyn->recursion;
    const sp_body *b = &m->body[i], *on = &m->body[b->parent];
    for (int j = 0; j < on->n_own; j++) {
        const int k = on->dof + on->n_dof + j;
        if (!factored || dyn->D_inv[k] != 0.0) {
            x[k] += dot(F, f, r->carried + (size_t)((i * r->most + j) * F));
        }
    }
    bring(F, r->way[i], f, 1, r->f + b->parent * F);
}

/* The velocity of the frame of body i as it were without its joint. */
INLINE void take_along(int F, const sp_model *m, const sp_recursion *r, int i, const double *x,
                       double *V)
{
    const sp_body *b = &m->body[i], *on = &m->body[b->parent];
    carry(F, r->way[i], r->V + b->parent * F, V);
    for (int j = 0; j < on->n_own; j++) {
        add(F, x[on->dof + on->n_dof + j], r->carried + (size_t)((i * r->most + j) * F), V);
    }
}

INLINE void solve_LT(int F, const sp_model *m, const sp_dyn *dyn, double *x)
{
    const sp_recursion *r = dyn->recursion;
    memset(r->f, 0, (size_t)(m->n_body * F) * sizeof *r->f);
    for (int i = m->n_body - 1; i > 0; i--) {
        const sp_body *b = &m->body[i];
        double *f = r->f + i * F;
        for (int k = b->dof; k < b->dof + b->n_dof; k++) {
            x[k] += dyn->D_inv[k] == 0.0 ? 0.0 : dot(F, f, r->S + k * F);
        }
        for (int k = b->dof + count_of(b) - 1; k >= b->dof; k--) {
            const double *L = r->L + k * r->width;
            add(F, -x[k], L, f);
            for (int j = b->dof; j < k; j++) {
                x[j] -= L[F + j - b->dof] * x[k];
            }
        }
        if (b->parent != SP_GROUND) {
            pass_on(F, m, dyn, i, f, true, x);
        }
    }
}

INLINE void solve_D_L(int F, const sp_model *m, const sp_dyn *dyn, double *x)
{
    const sp_recursion *r = dyn->recursion;
    memset(r->V, 0, (size_t)F * sizeof *r->V);
    for (int i = 1; i < m->n_body; i++) {
        const sp_body *b = &m->body[i];
        double *V = r->V + i * F;
        take_along(F, m, r, i, x, V);
        for (int k = b->dof; k < b->dof + count_of(b); k++) {
            const double *L = r->L + k * r->width;
            double sum = x[k] * dyn->D_inv[k] - dot(F, L, V);
            for (int j = b->dof; j < k; j++) {
                sum -= L[F + j - b->dof] * x[j];
            }
            x[k] = sum;
        }
        for (int k = b->dof; k < b->dof + b->n_dof; k++) {
            add(F, x[k], r->S + k * F, V);
        }
    }
}

/* Momenta of body i alone into f, on its own velocities into y. */
INLINE void find_momentum(int F, const sp_body *b, const double *M, const double *V,
                          const double *x, double *f, double *y)
{
    const int n = F + b->n_own;
    for (int k = 0; k < F; k++) {
        f[k] = dot(F, M + k * n, V);
    }
    for (int k = 0; k < b->n_own; k++) {
        const double *row = M + (F + k) * n;
        y[k] = dot(F, row, V);
        for (int j = 0; j < b->n_own; j++) {
            y[k] += row[F + j] * x[j];
        }
        add(F, x[k], row, f);
    }
}

INLINE void multiply(int F, const sp_model *m, const sp_dyn *dyn, const double *x, double *y)
{
    const sp_recursion *r = dyn->recursion;
    memset(r->V, 0, (size_t)F * sizeof *r->V);
    for (int i = 1; i < m->n_body; i++) {
        const sp_body *b = &m->body[i];
        const int own = b->dof + b->n_dof;
        double *V = r->V + i * F;
        take_along(F, m, r, i, x, V);
        for (int k = b->dof; k < own; k++) {
            add(F, x[k], r->S + k * F, V);
        }
        find_momentum(F, b, r->own + r->at[i], V, x + own, r->f + i * F, y + own);
    }
    for (int i = m->n_body - 1; i > 0; i--) {
        const sp_body *b = &m->body[i];
        const double *f = r->f + i * F;
        for (int k = b->dof; k < b->dof + b->n_dof; k++) {
            y[k] = dot(F, f, r->S + k * F);
        }
        if (b->parent != SP_GROUND) {
            pass_on(F, m, dyn, i, f, false, y);
        }
    }
}

SP_NOINLINE void sp_recursion_solve_LT(const sp_model *m, const sp_dyn *dyn, double *x)
{
    if (dyn->recursion->n_frame == 3) {
        solve_LT(3, m, dyn, x);
    } else {
        solve_LT(6, m, dyn, x);
    }
}

SP_NOINLINE void sp_recursion_solve_D_L(const sp_model *m, const sp_dyn *dyn, double *x)
{
    if (dyn->recursion->n_frame == 3) {
        solve_D_L(3, m, dyn, x);
    } else {
        solve_D_L(6, m, dyn, x);
    }
}

SP_NOINLINE void sp_recursion_multiply(const sp_model *m, const sp_dyn *dyn, const double *x,
                                       double *y)
{
    if (dyn->recursion->n_frame == 3) {
        multiply(3, m, dyn, x, y);
    } else {
        multiply(6, m, dyn, x, y);
    }
}

/* ---- frames of all bodies -------------------------------------------------------------------- */

INLINE void velocities(int F, const sp_model *m, const sp_recursion *r, const double *u, double *V)
{
    memset(V, 0, (size_t)F * sizeof *V);
    for (int i = 1; i < m->n_body; i++) {
        const sp_body *b = &m->body[i], *on = &m->body[b->parent];
        double *to = V + i * F;
        carry(F, r->way[i], V + b->parent * F, to);
        for (int j = 0; j < on->n_own; j++) {
            add(F, u[on->dof + on->n_dof + j], r->carried + (size_t)((i * r->most + j) * F), to);
        }
        for (int k = b->dof; k < b->dof + b->n_dof; k++) {
            add(F, u[k], r->S + k * F, to);
        }
    }
}

INLINE void forces(int F, const sp_model *m, const sp_recursion *r, double *f, double *h)
{
    for (int i = m->n_body - 1; i > 0; i--) {
        const sp_body *b = &m->body[i], *on = &m->body[b->parent];
        const double *from = f + i * F;
        for (int k = b->dof; k < b->dof + b->n_dof; k++) {
            h[k] += dot(F, from, r->S + k * F);
        }
        for (int j = 0; j < on->n_own; j++) {
            h[on->dof + on->n_dof + j] +=
                dot(F, from, r->carried + (size_t)((i * r->most + j) * F));
        }
        bring(F, r->way[i], from, 1, f + b->parent * F);
    }
}

void sp_recursion_velocities(const sp_model *m, const sp_dyn *dyn, const double *u, double *V)
{
    if (dyn->recursion->n_frame == 3) {
        velocities(3, m, dyn->recursion, u, V);
    } else {
        velocities(6, m, dyn->recursion, u, V);
    }
}

void sp_recursion_forces(const sp_model *m, const sp_dyn *dyn, double *f, double *h)
{
    if (dyn->recursion->n_frame == 3) {
        forces(3, m, dyn->recursion, f, h);
    } else {
        forces(6, m, dyn->recursion, f, h);
    }
}

/* C <- (1 - S L^T) C (1 - S L^T)^T + S S^T/D   theory (106.7) */
static void loosen(const double *S, const double *L, double D_inv, double C[9])
{
    double CL[3];
    for (int j = 0; j < 3; j++) {
        CL[j] = dot(3, C + 3 * j, L);
    }
    const double own = dot(3, CL, L) + D_inv;
    for (int j = 0; j < 3; j++) {
        for (int k = 0; k < 3; k++) {
            C[3 * j + k] += own * S[j] * S[k] - S[j] * CL[k] - CL[j] * S[k];
        }
    }
}

void sp_recursion_mobility(const sp_model *m, const sp_dyn *dyn, double *C)
{
    const sp_recursion *r = dyn->recursion;
    memset(C, 0, 9 * sizeof *C);
    for (int i = 1; i < m->n_body; i++) {
        const sp_body *b = &m->body[i];
        const double *on = C + 9 * b->parent;
        double rows[9], *own = C + 9 * i;
        for (int j = 0; j < 3; j++) { /* X C, whose columns are those of C carried along */
            const double column[3] = {on[j], on[3 + j], on[6 + j]};
            double to[3];
            carry(3, r->way[i], column, to);
            rows[j] = to[0];
            rows[3 + j] = to[1];
            rows[6 + j] = to[2];
        }
        for (int j = 0; j < 3; j++) {
            carry(3, r->way[i], rows + 3 * j, own + 3 * j);
        }
        for (int k = b->dof; k < b->dof + b->n_dof; k++) {
            if (dyn->D_inv[k] > 0.0) {
                loosen(r->S + 3 * k, r->L + k * r->width, dyn->D_inv[k], own);
            }
        }
    }
}

double sp_recursion_yield(const sp_model *m, const sp_dyn *dyn, int i, double f[3])
{
    const sp_recursion *r = dyn->recursion;
    const sp_body *b = &m->body[i];
    double sum = 0.0, there[3] = {0.0, 0.0, 0.0};
    for (int k = b->dof + b->n_dof - 1; k >= b->dof; k--) {
        if (dyn->D_inv[k] > 0.0) {
            const double push = dot(3, f, r->S + 3 * k);
            sum += push * push * dyn->D_inv[k];
            add(3, -push, r->L + k * r->width, f);
        }
    }
    bring(3, r->way[i], f, 1, there);
    memcpy(f, there, sizeof there);
    return sum;
}

void sp_recursion_squares(const sp_model *m, const sp_dyn *dyn, double *Q, double *size2)
{
    const sp_recursion *r = dyn->recursion;
    for (int i = m->n_body - 1; i > 0; i--) {
        const sp_body *b = &m->body[i];
        const double *own = Q + 9 * i;
        double rows[9] = {0.0};
        for (int k = b->dof; k < b->dof + b->n_dof; k++) {
            const double *S = r->S + 3 * k;
            for (int j = 0; j < 3; j++) {
                size2[k] += S[j] * dot(3, own + 3 * j, S);
            }
        }
        for (int j = 0; j < 3; j++) {
            bring(3, r->way[i], own + 3 * j, 1, rows + 3 * j);
        }
        for (int j = 0; j < 3; j++) {
            bring(3, r->way[i], rows + j, 3, Q + 9 * b->parent + j);
        }
    }
}
