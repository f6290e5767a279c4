#include "contact/multiplier_apart.h"

#include "contact/loop.h"
#include "contact/multiplier.h"
#include "contact/rule.h"
#include "dynamics/recursion.h"
#include "kinematics/spot.h"

#include <math.h>
#include <string.h>

#define LIGHT 1e-6 /* of the heaviest body: what weighs less is held as if it weighed so much */

/* ---- structure ------------------------------------------------------------------------------- */

static void add_body(const sp_model *m, int body, int *list, int *n)
{
    bool known = body == SP_NONE || m->body[body].last_dof == SP_NONE;
    for (int i = 0; i < *n && !known; i++) {
        known = list[i] == body;
    }
    if (!known) {
        list[(*n)++] = body;
    }
}

/* The bodies whose joints an expression reads; false: it reads more. */
static bool add_readers(const sp_model *m, const sp_func *f, int *list, int *n)
{
    for (int k = 0; k < f->n_signal; k++) {
        const sp_signal *s = &f->signal[k];
        const int dof = s->kind == SP_SIG_Q ? s->dof : s->kind == SP_SIG_U ? s->index : SP_NONE;
        if (s->kind == SP_SIG_TIME) {
            continue;
        }
        if (dof == SP_NONE || *n > SP_APART_BODIES - 2) {
            return false;
        }
        add_body(m, m->dof[dof].body, list, n);
        add_body(m, m->body[m->dof[dof].body].parent, list, n);
    }
    return true;
}

/* The bodies that move slot i; how many, SP_NONE: these are not known. */
static int movers(const sp_model *m, int i, int list[SP_APART_BODIES])
{
    const sp_slot *s = &m->slot[i];
    int n = 0;
    if (s->is.pooled || !(s->is.planar || s->is.rule)) {
        return SP_NONE;
    }
    if (s->is.loop || !s->is.rule) {
        const int *pair = s->is.loop ? m->loop[s->rule].body : (const int[]){s->body_a, s->body_b};
        add_body(m, pair[0], list, &n);
        add_body(m, pair[1], list, &n);
        return n;
    }
    const sp_rule *r = &m->rule[s->rule];
    bool known = add_readers(m, &r->measure, list, &n);
    for (int k = 0; k < r->n_slip; k++) {
        known = known && add_readers(m, &r->slip[k], list, &n);
    }
    return known ? n : SP_NONE;
}

bool sp_apart_may(const sp_model *m)
{
    int list[SP_APART_BODIES];
    bool may = m->dim == 2 && !m->layout.mixed && m->formula.n == 0;
    for (int i = 0; i < m->n_slot + m->n_bond && may; i++) {
        may = movers(m, i, list) != SP_NONE;
    }
    return may;
}

static bool find_movers(sp_arena *arena, const sp_model *m, sp_apart *x)
{
    const int n = m->n_slot + m->n_bond;
    int list[SP_APART_BODIES];
    x->start = SP_NEW(arena, int, n + 1);
    for (int i = 0; x->start && i < n; i++) {
        x->start[i + 1] = x->start[i] + movers(m, i, list);
    }
    x->mover = x->start ? SP_NEW(arena, int, x->start[n] + 1) : NULL;
    for (int i = 0; x->mover && i < n; i++) {
        movers(m, i, x->mover + x->start[i]);
    }
    return x->mover != NULL;
}

bool sp_apart_make(sp_arena *arena, const sp_model *m, const sp_con *con, sp_apart *x)
{
    const size_t rows = (size_t)m->layout.contact_rows * (size_t)con->capacity;
    const size_t stride = SP_APART_BODIES * SP_APART_DOF;
    *x = (sp_apart){.n_body = m->n_body, .m = m};
    x->body = SP_NEW(arena, sp_apart_body, m->n_body);
    x->U = SP_NEW(arena, double, SP_APART_BOTH *(size_t)m->n_dof);
    x->rows.W = SP_NEW(arena, double, rows *stride);
    x->rows.sup = SP_NEW(arena, int, (size_t)con->capacity *stride);
    x->rows.n_sup = SP_NEW(arena, int, con->capacity);
    x->rows.stride = (int)stride;
    x->G_rr = SP_NEW(arena, double, rows);
    x->V = SP_NEW(arena, double, 3 * (size_t)m->n_body);
    x->f = SP_NEW(arena, double, 3 * (size_t)m->n_body);
    x->C = SP_NEW(arena, double, 9 * (size_t)m->n_body);
    x->v = SP_NEW(arena, double, 3 * (size_t)m->n_body);
    x->h = SP_NEW(arena, double, m->n_dof);
    if (!x->body || !x->U || !x->rows.W || !x->rows.sup || !x->rows.n_sup || !x->G_rr || !x->V ||
        !x->f || !x->C || !x->v || !x->h || !find_movers(arena, m, x)) {
        return false;
    }
    for (int i = 0; i < m->n_body; i++) {
        const bool moves = m->body[i].last_dof != SP_NONE;
        x->body[i].first = moves ? x->n : SP_NONE;
        x->body[i].next = moves && x->body[m->body[i].parent].first != SP_NONE;
        x->body[i].root = x->body[i].next ? x->body[m->body[i].parent].root : i;
        x->n += moves ? SP_APART_DOF : 0;
    }
    return true;
}

int sp_apart_support(const sp_apart *x, int i, int *sup)
{
    int n = 0;
    for (int k = x->start[i]; k < x->start[i + 1]; k++) {
        for (int j = 0; j < SP_APART_DOF; j++) {
            sup[n++] = x->body[x->mover[k]].first + j;
        }
    }
    return n;
}

/* Velocity j of a body, or j - 3 of the one that it hangs on; SP_NONE: that does not move. */
static int velocity_of(const sp_model *m, const sp_apart *x, int body, int j)
{
    const int of = j < SP_APART_DOF ? body : m->body[body].parent;
    const int first = x->body[of].first;
    return first == SP_NONE ? SP_NONE : first + j % SP_APART_DOF;
}

void sp_apart_place(const sp_model *m, const sp_block_lu *lu, sp_apart *x)
{
    for (int i = 0; i < x->n_body; i++) {
        size_t *at = x->body[i].at;
        for (int k = 0; x->body[i].first != SP_NONE && k < SP_APART_BOTH; k++) {
            for (int j = 0; j <= k; j++, at++) {
                const int a = velocity_of(m, x, i, k), b = velocity_of(m, x, i, j);
                *at = a == SP_NONE || b == SP_NONE ? 0 : sp_block_lu_at(lu, a, b);
            }
        }
    }
}

/* u_k by the velocities of its body and of the one that that hangs on. */
static double *U_of(const sp_apart *x, int k)
{
    return x->U + (size_t)k * SP_APART_BOTH;
}

/* ---- joints ---------------------------------------------------------------------------------- */

/* Velocity of a body by one of its joint's: of its centre of mass, and its spin. */
static void screw_of(const sp_model *m, const sp_kin *kin, int k, sp_vec c, double S[SP_APART_DOF])
{
    const sp_axis3 a = sp_spot_axis(m, kin, k);
    S[0] = a.s.x - a.w.z * (c.y - a.p.y);
    S[1] = a.s.y + a.w.z * (c.x - a.p.x);
    S[2] = a.w.z;
}

/* What a body has more than it had if it were fixed to the one that it hangs on, row by row:
 * x - X x_parent. */
static void against_parent(sp_vec r, double E[SP_APART_DOF][SP_APART_BOTH])
{
    memset(E, 0, SP_APART_DOF * sizeof *E);
    for (int i = 0; i < SP_APART_DOF; i++) {
        E[i][i] = 1.0;
        E[i][SP_APART_DOF + i] = -1.0;
    }
    E[0][5] = r.y;
    E[1][5] = -r.x;
}

/* Inner product by the weights of a joint. */
static double inner(const double D[SP_APART_DOF], const double *a, const double *b)
{
    return D[0] * a[0] * b[0] + D[1] * a[1] * b[1] + D[2] * a[2] * b[2];
}

/* The dual basis of n screws, B_i.D.S_j = 1 or 0: how much of each a velocity has. */
static void find_duals(const double D[SP_APART_DOF], int n, double S[][SP_APART_DOF],
                       double B[][SP_APART_DOF])
{
    for (int i = 0; i < n; i++) {
        memcpy(B[i], S[i], sizeof B[i]);
        for (int pass = 0; pass < 2; pass++) { /* at right angles to all others */
            double Q[SP_APART_DOF][SP_APART_DOF];
            for (int j = 0, q = 0; j < n; j++) {
                if (j == i) {
                    continue;
                }
                memcpy(Q[q], S[j], sizeof Q[q]);
                for (int l = 0; l < q; l++) {
                    const double part = inner(D, Q[l], Q[q]) / inner(D, Q[l], Q[l]);
                    for (int d = 0; d < SP_APART_DOF; d++) {
                        Q[q][d] -= part * Q[l][d];
                    }
                }
                const double part = inner(D, Q[q], B[i]) / inner(D, Q[q], Q[q]);
                for (int d = 0; d < SP_APART_DOF; d++) {
                    B[i][d] -= part * Q[q][d];
                }
                q++;
            }
        }
        const double size = inner(D, B[i], S[i]);
        for (int d = 0; d < SP_APART_DOF; d++) {
            B[i][d] /= size;
        }
    }
}

/* M^ and weight F^T D F.   theory (76.7) */
static void fill_block(double weight, const double D[SP_APART_DOF],
                       double F[SP_APART_DOF][SP_APART_BOTH], sp_apart_body *b)
{
    const double own[SP_APART_DOF] = {b->mass, b->mass, b->inertia};
    double *block = b->block;
    for (int k = 0; k < SP_APART_BOTH; k++) {
        for (int j = 0; j <= k; j++, block++) {
            *block = k == j && k < SP_APART_DOF ? own[k] : 0.0;
            for (int d = 0; d < SP_APART_DOF; d++) {
                *block += weight * D[d] * F[d][k] * F[d][j];
            }
        }
    }
}

/* The part of a body and of its joint in A^, and U.   theory (76.7) */
static void fill_joint(const sp_model *m, const sp_kin *kin, const unsigned char *held, int body,
                       double weight, double light, sp_apart *x)
{
    sp_apart_body *b = &x->body[body], *p = &x->body[m->body[body].parent];
    const double m_b = fmax(b->mass, light), m_p = fmax(p->mass, light);
    const bool grounded = p->first == SP_NONE;
    const double mass = grounded ? m_b : m_b * m_p / (m_b + m_p);
    const sp_vec r = sp_sub(b->c, p->c);
    const double inertia = fmax(grounded ? b->inertia : fmin(b->inertia, p->inertia),
                                1e-3 * mass * (grounded ? 0.0 : sp_inner(r, r)));
    const double D[SP_APART_DOF] = {mass, mass, inertia > 0.0 ? inertia : mass * 1e-6};
    double E[SP_APART_DOF][SP_APART_BOTH], S[SP_APART_DOF][SP_APART_DOF];
    double B[SP_APART_DOF][SP_APART_DOF];
    int n = 0, dof[SP_APART_DOF];
    for (int k = m->body[body].dof; k < m->body[body].dof + m->body[body].n_dof; k++) {
        memset(U_of(x, k), 0, SP_APART_BOTH * sizeof *x->U);
        if (!held || !held[k]) {
            screw_of(m, kin, k, b->c, S[n]);
            dof[n++] = k;
        }
    }
    find_duals(D, n, S, B);
    against_parent(r, E);
    for (int j = 0; j < SP_APART_BOTH; j++) {
        const double column[SP_APART_DOF] = {E[0][j], E[1][j], E[2][j]};
        for (int k = 0; k < n; k++) {
            const double u = inner(D, B[k], column);
            U_of(x, dof[k])[j] = u;
            for (int i = 0; i < SP_APART_DOF; i++) {
                E[i][j] -= S[k][i] * u;
            }
        }
    }
    fill_block(n < SP_APART_DOF ? weight : 0.0, D, E, b);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static double *row_of(const sp_apart *x, int r)
{
    return x->rows.W + (size_t)r * (size_t)x->rows.stride;
}

/* The place of a body's velocities in the rows of slot i, SP_NONE: it does not move. */
static int column_of(const sp_apart *x, int i, int body)
{
    for (int k = x->start[i]; k < x->start[i + 1]; k++) {
        if (x->mover[k] == body) {
            return (k - x->start[i]) * SP_APART_DOF;
        }
    }
    return SP_NONE;
}

/* The velocity of a body at a point along e, or its spin about e, joins a row. */
static void add_velocity(const sp_apart *x, int i, int body, sp_vec at, sp_vec e, double spin,
                         double *W)
{
    const int k = column_of(x, i, body);
    if (k != SP_NONE) {
        W[k] += e.x;
        W[k + 1] += e.y;
        W[k + 2] += sp_cross(sp_sub(at, x->body[body].c), e) + spin;
    }
}

static void fill_planar(const sp_con *con, int a, sp_apart *x)
{
    const sp_contact_frame *f = &con->frame[a];
    for (int r = con->row[a]; r < con->row[a + 1]; r++) {
        const sp_vec e = r == con->row[a] ? f->n : f->t;
        double *W = row_of(x, r);
        for (int side = 0; side < 2; side++) {
            add_velocity(x, con->active[a], f->mark[side]->body, f->point[side],
                         side == 0 ? e : sp_scale(-1.0, e), 0.0, W);
        }
    }
}

static void fill_loop(const sp_model *m, const sp_numbers *num, const sp_con *con, int a,
                      sp_apart *x)
{
    const int i = con->active[a];
    const sp_slot *s = &m->slot[i];
    const sp_loop_wrench w =
        sp_loop_wrench_of(&(sp_loop_at){m, num, con->kin, con->loops, s->rule}, s->part);
    double *W = row_of(x, con->row[a]);
    const sp_vec at = {w.x.x, w.x.y}, e = {w.about ? 0.0 : w.e.x, w.about ? 0.0 : w.e.y};
    const double spin = w.about ? w.e.z : 0.0;
    add_velocity(x, i, w.plus, at, e, spin, W);
    add_velocity(x, i, w.minus, at, sp_scale(-1.0, e), -spin, W);
}

/* Rows over velocities of joints, by U. */
static void fill_rule(const sp_model *m, const sp_con *con, int a, sp_apart *x)
{
    const int i = con->active[a], *sup = sp_con_sup(con, a);
    for (int r = con->row[a]; r < con->row[a + 1]; r++) {
        const double *w = sp_con_row(con, con->W, r);
        double *W = row_of(x, r);
        for (int k = 0; k < con->n_sup[a]; k++) {
            const int body = m->dof[sup[k]].body;
            const double *U = U_of(x, sup[k]);
            const int own = column_of(x, i, body), next = column_of(x, i, m->body[body].parent);
            for (int j = 0; j < SP_APART_DOF && w[k] != 0.0; j++) { /* own: it is among these */
                W[own + j] += w[k] * U[j];
                if (next != SP_NONE) {
                    W[next + j] += w[k] * U[SP_APART_DOF + j];
                }
            }
        }
    }
}

static void fill_bodies(const sp_model *m, const sp_numbers *num, const unsigned char *held,
                        double weight, const sp_kin *kin, sp_apart *x)
{
    double heaviest = 0.0;
    for (int i = 0; i < m->n_body; i++) {
        sp_apart_body *b = &x->body[i];
        const sp_vec3 c = sp_add3(sp_spot_origin(kin, i).x, sp_spot_center(kin, i));
        b->c = (sp_vec){c.x, c.y};
        b->r = sp_spot_flat(sp_spot_center(kin, i));
        b->mass = num->body[i].mass;
        b->inertia = num->body[i].inertia;
        heaviest = b->first != SP_NONE ? fmax(heaviest, b->mass) : heaviest;
    }
    for (int i = 0; i < m->n_body; i++) {
        if (x->body[i].first != SP_NONE) {
            fill_joint(m, kin, held, i, weight, LIGHT * heaviest, x);
        }
    }
}

/* The force that row r of contact a has on the n-th of its bodies, about the origin of its frame.
 */
static void force_of(const sp_con *con, int a, int r, int n, double f[SP_APART_DOF])
{
    const sp_apart *x = con->multiplier->apart;
    const int i = con->active[a];
    const double *W = sp_con_row(con, con->W, r) + SP_APART_DOF * n;
    const sp_vec c = x->body[x->mover[x->start[i] + n]].r;
    f[0] = W[0];
    f[1] = W[1];
    f[2] = W[2] + (c.x * W[1] - c.y * W[0]);
}

/* G_rr of row r of contact a: forces on bodies of one tree go down until they are on one body,
 * whose mobility is known.   theory (106.8) */
static double find_weight(const sp_con *con, int a, int r)
{
    const sp_apart *x = con->multiplier->apart;
    const int i = con->active[a], n = x->start[i + 1] - x->start[i];
    double f[SP_APART_BODIES][SP_APART_DOF], sum = 0.0;
    int body[SP_APART_BODIES], left = n;
    for (int k = 0; k < n; k++) {
        body[k] = x->mover[x->start[i] + k];
        force_of(con, a, r, k, f[k]);
    }
    while (left > 0) {
        int last = 0; /* the body behind all others: nothing comes to it any more */
        bool alone = true;
        for (int k = 1; k < left; k++) {
            last = body[k] > body[last] ? k : last;
        }
        for (int k = 0; k < left; k++) {
            alone = alone && (k == last || x->body[body[k]].root != x->body[body[last]].root);
        }
        double *g = f[last];
        int to = SP_NONE;
        if (alone) {
            const double *C = x->C + 9 * body[last];
            for (int j = 0; j < SP_APART_DOF; j++) {
                sum += g[j] * (C[3 * j] * g[0] + C[3 * j + 1] * g[1] + C[3 * j + 2] * g[2]);
            }
        } else {
            sum += sp_recursion_yield(x->m, x->dyn, body[last], g);
            body[last] = x->m->body[body[last]].parent;
            for (int k = 0; k < left; k++) {
                to = k != last && body[k] == body[last] ? k : to;
            }
        }
        for (int j = 0; j < SP_APART_DOF && to != SP_NONE; j++) {
            f[to][j] += g[j];
        }
        if (alone || to != SP_NONE) {
            left--;
            body[last] = body[left];
            memmove(f[last], f[left], sizeof f[last]);
        }
    }
    return sum;
}

void sp_apart_fill(const unsigned char *held, double weight, sp_con *con, sp_apart *x)
{
    const sp_model *m = x->m;
    fill_bodies(m, x->num, held, weight, con->kin, x);
    memset(x->rows.W, 0, (size_t)con->n_row * (size_t)x->rows.stride * sizeof *x->rows.W);
    for (int a = 0; a < con->n_active; a++) {
        const sp_slot *s = &m->slot[con->active[a]];
        x->rows.n_sup[a] = sp_apart_support(x, con->active[a], x->rows.sup + a * x->rows.stride);
        if (s->is.planar) {
            fill_planar(con, a, x);
        } else if (s->is.loop) {
            fill_loop(m, x->num, con, a, x);
        } else {
            fill_rule(m, con, a, x);
        }
    }
    con->joints = (sp_con_rows){con->W, con->n_sup, con->sup, con->stride};
    con->W = x->rows.W;
    con->n_sup = x->rows.n_sup;
    con->sup = x->rows.sup;
    con->stride = x->rows.stride;
    con->by_bodies = true;
    con->later = false;
    sp_recursion_mobility(m, x->dyn, x->C);
    for (int a = 0; a < con->n_active; a++) {
        for (int r = con->row[a]; r < con->row[a + 1]; r++) {
            x->G_rr[r] = find_weight(con, a, r);
        }
    }
}

/* ---- products -------------------------------------------------------------------------------- */

const double *sp_apart_seen(const sp_con *con, const double *u)
{
    const sp_apart *x = con->multiplier->apart;
    sp_recursion_velocities(x->m, x->dyn, u, x->V);
    for (int i = 0; i < x->n_body; i++) {
        const sp_apart_body *b = &x->body[i];
        const double *V = x->V + SP_APART_DOF * i;
        if (b->first != SP_NONE) {
            x->v[b->first] = V[0] - V[2] * b->r.y;
            x->v[b->first + 1] = V[1] + V[2] * b->r.x;
            x->v[b->first + 2] = V[2];
        }
    }
    return x->v;
}

const double *sp_apart_ready(const sp_con *con, const double *b)
{
    const sp_apart *x = con->multiplier->apart;
    memcpy(x->h, b, (size_t)x->m->n_dof * sizeof *b);
    sp_dyn_solve_D_L(x->m, x->dyn, x->h);
    return sp_apart_seen(con, x->h);
}

void sp_apart_force(const sp_con *con, const double *P, double *to)
{
    const sp_apart *x = con->multiplier->apart;
    memset(x->v, 0, (size_t)x->n * sizeof *x->v);
    sp_con_add_rows(con, con->W, P, x->v);
    for (int i = 0; i < x->n_body; i++) {
        const sp_apart_body *b = &x->body[i];
        double *f = x->f + SP_APART_DOF * i;
        memset(f, 0, SP_APART_DOF * sizeof *f);
        if (b->first != SP_NONE) {
            const double *g = x->v + b->first;
            f[0] = g[0];
            f[1] = g[1];
            f[2] = g[2] + (b->r.x * g[1] - b->r.y * g[0]);
        }
    }
    sp_recursion_forces(x->m, x->dyn, x->f, to);
}

void sp_apart_push(const sp_con *con, const double *P, double *to)
{
    const sp_apart *x = con->multiplier->apart;
    memset(x->h, 0, (size_t)x->m->n_dof * sizeof *x->h);
    sp_apart_force(con, P, x->h);
    sp_dyn_solve_LT(x->m, x->dyn, x->h);
    for (int k = 0; k < x->m->n_dof; k++) {
        to[k] += x->h[k];
    }
}

double sp_apart_weight(const sp_con *con, int r)
{
    return con->multiplier->apart->G_rr[r];
}

bool sp_apart_coupled(const sp_con *con, int a, int b)
{
    const sp_apart *x = con->multiplier->apart;
    const int i = con->active[a], j = con->active[b];
    for (int k = x->start[i]; k < x->start[i + 1]; k++) {
        for (int l = x->start[j]; l < x->start[j + 1]; l++) {
            if (x->body[x->mover[k]].root == x->body[x->mover[l]].root) {
                return true;
            }
        }
    }
    return false;
}

/* Q: sums of f f^T over forces f on frames, which go down as inertia does: what one is on a
 * velocity of a joint, squared, is S^T Q S.   theory (106.9) */
void sp_apart_add_squares(const sp_con *con, const double *P, double *size2)
{
    const sp_apart *x = con->multiplier->apart;
    memset(x->C, 0, 9 * (size_t)x->n_body * sizeof *x->C);
    for (int a = 0; a < con->n_active; a++) {
        const int i = con->active[a];
        for (int r = con->row[a]; r < con->row[a + 1]; r++) {
            for (int n = 0; n < x->start[i + 1] - x->start[i]; n++) {
                double f[SP_APART_DOF], *Q = x->C + 9 * x->mover[x->start[i] + n];
                force_of(con, a, r, n, f);
                for (int j = 0; j < 9; j++) {
                    Q[j] += P[r] * P[r] * f[j / 3] * f[j % 3];
                }
            }
        }
    }
    sp_recursion_squares(x->m, x->dyn, x->C, size2);
}

/* ---- operator -------------------------------------------------------------------------------- */

void sp_apart_add(const sp_apart *x, sp_block_lu *lu)
{
    for (int i = 0; i < x->n_body; i++) {
        const sp_apart_body *b = &x->body[i];
        const int n = b->first == SP_NONE ? 0
                      : b->next           ? SP_APART_PAIRS
                                          : SP_APART_DOF * (SP_APART_DOF + 1) / 2;
        for (int e = 0; e < n; e++) {
            lu->low[b->at[e]] += b->block[e];
            lu->high[b->at[e]] += b->block[e];
        }
    }
}
