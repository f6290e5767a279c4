#include "support/space.h"

#include <stdio.h>
#include <string.h>

/* ---- random numbers -------------------------------------------------------------------------- */

void space_direction(rng *r, double e[3])
{
    double length;
    do {
        length = 0.0;
        for (int k = 0; k < 3; k++) {
            e[k] = rng_in(r, -1.0, 1.0);
            length += e[k] * e[k];
        }
    } while (length < 0.05 || length > 1.0);
    for (int k = 0; k < 3; k++) {
        e[k] /= sqrt(length);
    }
}

/* By an angle about a direction, written as cos + sin e x + (1 - cos) e e^T by rows. */
void space_rotation(rng *r, double R[9])
{
    double e[3];
    space_direction(r, e);
    const double phi = rng_in(r, -3.1, 3.1), c = cos(phi), s = sin(phi);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            R[3 * i + j] = (i == j ? c : 0.0) + (1.0 - c) * e[i] * e[j];
        }
    }
    R[1] -= s * e[2];
    R[2] += s * e[1];
    R[3] += s * e[2];
    R[5] -= s * e[0];
    R[6] -= s * e[1];
    R[7] += s * e[0];
}

/* An inertia that a body can have: principal values a + b, b + c, c + a in turned axes. */
static void random_inertia(rng *r, double J[6])
{
    static const int row[6] = {0, 1, 2, 0, 0, 1}, col[6] = {0, 1, 2, 1, 2, 2};
    const double a = rng_in(r, 0.02, 0.2), b = rng_in(r, 0.02, 0.2), c = rng_in(r, 0.02, 0.2);
    const double principal[3] = {a + b, b + c, c + a};
    double R[9];
    space_rotation(r, R);
    for (int k = 0; k < 6; k++) {
        J[k] = 0.0;
        for (int i = 0; i < 3; i++) {
            J[k] += R[3 * row[k] + i] * principal[i] * R[3 * col[k] + i];
        }
    }
}

/* ---- building -------------------------------------------------------------------------------- */

/* One more degree of freedom of the last body. */
static void add_dof(space *s, sp_move move, const double *axis, double pitch, int part)
{
    const int k = s->m.n_dof++, body = s->m.n_body - 1;
    const int parent = s->body[body].last_dof;
    const bool ball = move == SP_MOVE_BALL;
    sp_dof *d = &s->dof[k];
    *d = (sp_dof){.name = "dof", .rate_name = "rate", .unit = "", .rate_unit = "", .move = move};
    d->body = body;
    d->part = part;
    d->parent = parent;
    d->depth = parent == SP_NONE ? 0 : s->dof[parent].depth + 1;
    d->row = s->m.n_packed;
    d->slide = move == SP_MOVE_SLIDE ? s->body[body].n_slide : SP_NONE;
    d->motion = SP_NONE;
    d->q = ball && part > 0 ? s->dof[k - 1].q : s->m.n_q;
    s->m.n_packed += d->depth + 1;
    for (int i = 0; i < (ball ? part == 0 ? 4 : 0 : 1); i++) {
        s->coord[s->m.n_q++] =
            (sp_coord){.name = "q", .unit = "", .body = body, .dof = ball ? SP_NONE : k};
    }
    s->dof_numbers[k].pitch = pitch;
    if (axis) {
        memcpy(s->dof_numbers[k].axis, axis, 3 * sizeof *axis);
    }
    s->body[body].n_slide += move == SP_MOVE_SLIDE;
    s->body[body].n_dof++;
    s->body[body].last_dof = k;
}

/* The degrees of freedom of a joint about random axes. */
static void add_joint(space *s, rng *r, sp_joint_kind kind)
{
    double R[9]; /* rows are three orthonormal directions */
    static const double one[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    space_rotation(r, R);
    switch (kind) {
    case SP_JOINT_REVOLUTE:
        add_dof(s, SP_MOVE_TURN, R, 0.0, 0);
        break;
    case SP_JOINT_PRISMATIC:
        add_dof(s, SP_MOVE_SLIDE, R, 0.0, 0);
        break;
    case SP_JOINT_CYLINDRICAL:
        add_dof(s, SP_MOVE_SLIDE, R, 0.0, 0);
        add_dof(s, SP_MOVE_TURN, R, 0.0, 0);
        break;
    case SP_JOINT_UNIVERSAL: { /* the second axis not square to the first */
        double second[3];
        for (int i = 0; i < 3; i++) {
            second[i] = 0.6 * R[i] + 0.8 * R[3 + i];
        }
        add_dof(s, SP_MOVE_TURN, R, 0.0, 0);
        add_dof(s, SP_MOVE_TURN, second, 0.0, 0);
        break;
    }
    case SP_JOINT_PLANAR:
        add_dof(s, SP_MOVE_SLIDE, R, 0.0, 0);
        add_dof(s, SP_MOVE_SLIDE, R + 3, 0.0, 0);
        add_dof(s, SP_MOVE_TURN, R + 6, 0.0, 0);
        break;
    case SP_JOINT_SCREW:
        add_dof(s, SP_MOVE_SCREW, R, rng_in(r, -0.5, 0.5), 0);
        break;
    case SP_JOINT_FREE:
    case SP_JOINT_SPHERICAL:
        for (int i = 0; i < 3 && kind == SP_JOINT_FREE; i++) {
            add_dof(s, SP_MOVE_SLIDE, one + 3 * i, 0.0, 0);
        }
        for (int i = 0; i < 3; i++) {
            add_dof(s, SP_MOVE_BALL, NULL, 0.0, i);
        }
        break;
    default:
        break;
    }
}

void space_begin(space *s)
{
    memset(s, 0, sizeof *s);
    sp_arena_init(&s->m.arena, NULL, 0);
    s->m.dim = 3;
    s->m.n_body = 1;
    s->body[0] = (sp_body){.name = "ground", .parent = SP_NONE, .last_dof = SP_NONE};
}

int space_add(space *s, rng *r, int parent, sp_joint_kind kind)
{
    const int i = s->m.n_body++;
    sp_space_numbers *n = &s->numbers[i];
    sp_mark *mark = &s->mass[i].mark;
    s->body[i] = (sp_body){.name = "body", .parent = parent, .joint = kind, .dof = s->m.n_dof};
    s->body[i].q = s->m.n_q;
    s->body[i].last_dof = s->body[parent].last_dof;
    s->mass[i].mass = rng_in(r, 0.2, 2.0);
    random_inertia(r, n->inertia);
    for (int k = 0; k < 3; k++) {
        n->center[k] = rng_in(r, -0.5, 0.5);
        mark->at[k] = rng_flip(r) ? rng_in(r, -1.0, 1.0) : 0.0;
        n->from[k] = rng_flip(r) ? rng_in(r, -1.0, 1.0) : 0.0;
    }
    space_rotation(r, mark->axes);
    add_joint(s, r, kind);
    s->body[i].n_q = s->m.n_q - s->body[i].q;
    return i;
}

void space_finish(space *s)
{
    sp_model *m = &s->m;
    sp_error err;
    m->body = s->body;
    m->dof = s->dof;
    m->coord = s->coord;
    m->force = s->force;
    m->numbers.body = s->mass;
    m->numbers.space = s->numbers;
    m->numbers.dof = s->dof_numbers;
    m->numbers.force = s->force_numbers;
    assert_int_equal(sp_model_layout(m, &err), SP_OK);
    assert_false(m->layout.chain);
    assert_true(sp_kin_alloc(&m->arena, m, &s->kin));
    sp_model roomy = *m; /* room for elements that tests add later */
    roomy.n_force = SPACE_FORCES;
    roomy.n_aux = 1;
    roomy.n_action = SPACE_FORCES * (4 + roomy.n_body + 2 * 16) + roomy.n_dof;
    roomy.expr_input = 16;
    roomy.expr_work = 4096;
    assert_true(sp_dyn_alloc(&roomy.arena, &roomy, SP_DYN_MASS | SP_DYN_ARTICULATED, &s->dyn));
    m->arena = roomy.arena;
    sp_dyn_init(m, &m->numbers, &s->dyn);
}

void space_free(space *s)
{
    sp_arena_free(&s->m.arena);
}

void space_shake(space *s, rng *r)
{
    for (int k = 0; k < s->m.n_q; k++) {
        s->q[k] = rng_in(r, -2.0, 2.0);
    }
    for (int k = 0; k < s->m.n_dof; k++) {
        s->u[k] = rng_in(r, -1.0, 1.0);
        s->a[k] = rng_in(r, -1.0, 1.0);
        if (s->dof[k].move == SP_MOVE_BALL && s->dof[k].part == 0) {
            double *q = s->q + s->dof[k].q;
            const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
            for (int i = 0; i < 4; i++) {
                q[i] /= length;
            }
        }
    }
}

void space_random(space *s, rng *r, int n, double chain, int kind)
{
    space_begin(s);
    for (int k = 0; k < 3; k++) {
        s->m.numbers.gravity[k] = rng_in(r, -10.0, 10.0);
    }
    for (int i = 0; i < n; i++) {
        const int parent = rng_in(r, 0.0, 1.0) < chain ? i : rng_int(r, i + 1);
        const int any = rng_int(r, SP_JOINT_SCREW + 1);
        space_add(s, r, parent, (sp_joint_kind)(kind < 0 ? any : kind));
    }
    space_finish(s);
    space_shake(s, r);
}

void space_move(space *s, const double *q, const double *u)
{
    sp_kin_positions(&s->m, &s->m.numbers, q, &s->kin);
    sp_kin_velocities(&s->m, u, &s->kin);
    sp_kin_bias(&s->m, u, &s->kin);
}

double space_largest(int n, const double *x)
{
    double size = 1e-300;
    for (int k = 0; k < n; k++) {
        size = check_worse(size, fabs(x[k]));
    }
    return size;
}

/* ---- the oracle: matrices of jets ------------------------------------------------------------ */

static jet constant(double x)
{
    return jet_of(x, 0.0, 0.0);
}

/* A <- A B */
static void multiply(jet A[3][3], jet B[3][3])
{
    jet C[3][3];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            C[i][j] = constant(0.0);
            for (int k = 0; k < 3; k++) {
                C[i][j] = jet_add(C[i][j], jet_mul(A[i][k], B[k][j]));
            }
        }
    }
    memcpy(A, C, sizeof C);
}

/* r <- r + R x: a shift along the axes of the frame. */
static void shift(pose3 *p, const jet x[3])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            p->r[i] = jet_add(p->r[i], jet_mul(p->R[i][j], x[j]));
        }
    }
}

/* The same along one direction. */
static void shift_along(pose3 *p, const double *e, jet by)
{
    const jet x[3] = {jet_scale(e[0], by), jet_scale(e[1], by), jet_scale(e[2], by)};
    shift(p, x);
}

/* R <- R Rot(e, phi), the rotation as exp of a skew matrix: 1 + sin K + (1 - cos) K K. */
static void turn_about(pose3 *p, const double *e, jet phi)
{
    const double K[3][3] = {{0.0, -e[2], e[1]}, {e[2], 0.0, -e[0]}, {-e[1], e[0], 0.0}};
    jet s, c, B[3][3];
    jet_sincos(phi, &s, &c);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double KK = 0.0;
            for (int k = 0; k < 3; k++) {
                KK += K[i][k] * K[k][j];
            }
            const jet bend = jet_scale(KK, jet_sub(constant(1.0), c));
            B[i][j] = jet_add(constant(i == j ? 1.0 : 0.0), jet_add(jet_scale(K[i][j], s), bend));
        }
    }
    multiply(p->R, B);
}

/* Quaternion over time: (k + 1) q_(k+1) = 1/2 sum_j q_j (0, u_(k-j)). */
static void quaternion_course(const double *q, const double *u, const double *a, jet x[4])
{
    for (int i = 0; i < 4; i++) {
        x[i] = constant(q[i]);
    }
    for (int k = 0; k + 1 < JET_N; k++) {
        double next[4] = {0.0};
        for (int j = k > 0 ? k - 1 : 0; j <= k; j++) {
            const double *w = j == k ? u : a; /* u(t) = u + a t */
            if (!w) {
                continue;
            }
            const double q0 = x[0].c[j], q1 = x[1].c[j], q2 = x[2].c[j], q3 = x[3].c[j];
            next[0] -= q1 * w[0] + q2 * w[1] + q3 * w[2];
            next[1] += q0 * w[0] + q2 * w[2] - q3 * w[1];
            next[2] += q0 * w[1] + q3 * w[0] - q1 * w[2];
            next[3] += q0 * w[2] + q1 * w[1] - q2 * w[0];
        }
        for (int i = 0; i < 4; i++) {
            x[i].c[k + 1] = 0.5 * next[i] / (k + 1);
        }
    }
}

/* R <- R R(q), entries as squares and products of the quaternion's parts. */
static void turn_by_quaternion(pose3 *p, const jet q[4])
{
    jet B[3][3];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        B[i][i] = jet_sub(jet_add(jet_mul(q[0], q[0]), jet_mul(q[1 + i], q[1 + i])),
                          jet_add(jet_mul(q[1 + j], q[1 + j]), jet_mul(q[1 + k], q[1 + k])));
        B[i][j] = jet_scale(2.0, jet_sub(jet_mul(q[1 + i], q[1 + j]), jet_mul(q[0], q[1 + k])));
        B[i][k] = jet_scale(2.0, jet_add(jet_mul(q[1 + i], q[1 + k]), jet_mul(q[0], q[1 + j])));
    }
    multiply(p->R, B);
}

/* One degree of freedom of a joint moves the frame. */
static void act(const space *s, int k, const double *q, const double *u, const double *a, pose3 *p)
{
    const sp_dof *d = &s->dof[k];
    const double *e = s->dof_numbers[k].axis;
    if (d->move == SP_MOVE_BALL) {
        jet x[4];
        if (d->part == 0) {
            quaternion_course(q + d->q, u ? u + k : NULL, a ? a + k : NULL, x);
            turn_by_quaternion(p, x);
        }
        return;
    }
    const jet x = jet_of(q[d->q], u ? u[k] : 0.0, a ? a[k] : 0.0);
    if (d->move == SP_MOVE_SLIDE) {
        shift_along(p, e, x);
        return;
    }
    if (d->move == SP_MOVE_SCREW) {
        shift_along(p, e, jet_scale(s->dof_numbers[k].pitch, x));
    }
    turn_about(p, e, x);
}

void space_poses(const space *s, const double *q, const double *u, const double *a, pose3 *p)
{
    memset(&p[0], 0, sizeof p[0]);
    for (int i = 0; i < 3; i++) {
        p[0].R[i][i] = constant(1.0);
    }
    for (int i = 1; i < s->m.n_body; i++) {
        const sp_space_numbers *n = &s->numbers[i];
        const sp_mark *mark = &s->mass[i].mark;
        jet turn[3][3];
        p[i] = p[s->body[i].parent];
        shift(&p[i], (jet[3]){constant(mark->at[0]), constant(mark->at[1]), constant(mark->at[2])});
        for (int k = 0; k < 9; k++) {
            turn[k / 3][k % 3] = constant(mark->axes[k]);
        }
        multiply(p[i].R, turn);
        for (int k = s->body[i].dof; k < s->body[i].dof + s->body[i].n_dof; k++) {
            act(s, k, q, u, a, &p[i]);
        }
        shift(&p[i], (jet[3]){constant(-n->from[0]), constant(-n->from[1]), constant(-n->from[2])});
    }
}

void pose3_point(const pose3 *p, const double *local, jet x[3])
{
    for (int i = 0; i < 3; i++) {
        x[i] = p->r[i];
        for (int j = 0; j < 3; j++) {
            x[i] = jet_add(x[i], jet_scale(local[j], p->R[i][j]));
        }
    }
}

/* R' R^T is the skew matrix of omega. */
void pose3_spin(const pose3 *p, jet omega[3])
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        omega[i] = constant(0.0);
        for (int l = 0; l < 3; l++) {
            omega[i] = jet_add(omega[i], jet_mul(jet_rate(p->R[k][l]), p->R[j][l]));
        }
    }
}

/* J omega about the centre of mass, world axes, over time. */
static void spin_momentum(const space *s, const pose3 *p, int i, jet L[3])
{
    static const int entry[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    jet omega[3], own[3];
    pose3_spin(p, omega);
    for (int k = 0; k < 3; k++) {
        own[k] = constant(0.0);
        for (int l = 0; l < 3; l++) {
            own[k] = jet_add(own[k], jet_mul(p->R[l][k], omega[l]));
        }
    }
    for (int k = 0; k < 3; k++) {
        L[k] = constant(0.0);
        for (int a = 0; a < 3; a++) {
            for (int b = 0; b < 3; b++) {
                const jet J_own = jet_scale(s->numbers[i].inertia[entry[a][b]], own[b]);
                L[k] = jet_add(L[k], jet_mul(p->R[k][a], J_own));
            }
        }
    }
}

double space_kinetic(const space *s, const double *q, const double *u)
{
    static pose3 p[SPACE_BODIES + 1];
    double T = 0.0;
    space_poses(s, q, u, NULL, p);
    for (int i = 1; i < s->m.n_body; i++) {
        jet c[3], L[3], omega[3];
        pose3_point(&p[i], s->numbers[i].center, c);
        pose3_spin(&p[i], omega);
        spin_momentum(s, &p[i], i, L);
        for (int k = 0; k < 3; k++) {
            T += 0.5 * (s->mass[i].mass * c[k].c[1] * c[k].c[1] + omega[k].c[0] * L[k].c[0]);
        }
    }
    return T;
}

double space_potential(const space *s, const double *q)
{
    static pose3 p[SPACE_BODIES + 1];
    double V = 0.0;
    space_poses(s, q, NULL, NULL, p);
    for (int i = 1; i < s->m.n_body; i++) {
        jet c[3];
        pose3_point(&p[i], s->numbers[i].center, c);
        for (int k = 0; k < 3; k++) {
            V -= s->mass[i].mass * s->m.numbers.gravity[k] * c[k].c[0];
        }
    }
    return V;
}

/* For u = e_k: velocities of the centres, spins, and J times the spins. */
typedef struct column {
    double v[SPACE_BODIES + 1][3], w[SPACE_BODIES + 1][3], Jw[SPACE_BODIES + 1][3];
} column;

static void column_of(const space *s, const double *q, int k, column *col)
{
    static pose3 p[SPACE_BODIES + 1];
    double e[SPACE_DOFS] = {0.0};
    e[k] = 1.0;
    space_poses(s, q, e, NULL, p);
    for (int i = 1; i < s->m.n_body; i++) {
        jet c[3], omega[3], L[3];
        pose3_point(&p[i], s->numbers[i].center, c);
        pose3_spin(&p[i], omega);
        spin_momentum(s, &p[i], i, L);
        for (int j = 0; j < 3; j++) {
            col->v[i][j] = c[j].c[1];
            col->w[i][j] = omega[j].c[0];
            col->Jw[i][j] = L[j].c[0];
        }
    }
}

void space_mass(const space *s, const double *q, double *M)
{
    static column col[SPACE_DOFS];
    const int n = s->m.n_dof;
    for (int k = 0; k < n; k++) {
        column_of(s, q, k, &col[k]);
    }
    for (int k = 0; k < n; k++) {
        for (int l = 0; l <= k; l++) {
            double sum = 0.0;
            for (int i = 1; i < s->m.n_body; i++) {
                for (int j = 0; j < 3; j++) {
                    sum += s->mass[i].mass * col[k].v[i][j] * col[l].v[i][j] +
                           col[k].w[i][j] * col[l].Jw[i][j];
                }
            }
            M[k * n + l] = M[l * n + k] = sum;
        }
    }
}

void space_forces(const space *s, const double *q, const double *u, double *h)
{
    static pose3 p[SPACE_BODIES + 1];
    static column col;
    space_poses(s, q, u, NULL, p);
    for (int k = 0; k < s->m.n_dof; k++) {
        column_of(s, q, k, &col);
        h[k] = 0.0;
        for (int i = 1; i < s->m.n_body; i++) {
            jet c[3], L[3];
            pose3_point(&p[i], s->numbers[i].center, c);
            spin_momentum(s, &p[i], i, L);
            for (int j = 0; j < 3; j++) {
                const double a = 2.0 * c[j].c[2];
                h[k] += s->mass[i].mass * col.v[i][j] * (s->m.numbers.gravity[j] - a) -
                        col.w[i][j] * L[j].c[1];
            }
        }
    }
}

/* ---- the library ----------------------------------------------------------------------------- */

void space_dense_mass(space *s, double *M)
{
    const int n = s->m.n_dof;
    sp_dyn_mass(&s->m, &s->m.numbers, &s->kin, &s->dyn);
    memset(M, 0, (size_t)n * (size_t)n * sizeof *M);
    for (int k = 0; k < n; k++) {
        for (int j = k; j != SP_NONE; j = s->dof[j].parent) {
            M[k * n + j] = M[j * n + k] = s->dyn.M[s->dof[k].row + s->dof[j].depth];
        }
    }
}

void space_dense_share(space *s, double t, const double *q, const double *u, sp_share share,
                       double *h)
{
    space_move(s, q, u);
    sp_dyn_forces(&s->m, &s->m.numbers, &s->kin, t, q, u, &s->dyn);
    for (int k = 0; k < s->m.n_dof; k++) {
        h[k] = s->dyn.acts[share] ? s->dyn.h[share][k] : 0.0;
    }
}

void space_dense_forces(space *s, double t, const double *q, const double *u, double *h)
{
    space_move(s, q, u);
    sp_dyn_forces(&s->m, &s->m.numbers, &s->kin, t, q, u, &s->dyn);
    for (int k = 0; k < s->m.n_dof; k++) {
        h[k] = 0.0;
        for (int share = 0; share < SP_SHARES; share++) {
            h[k] += s->dyn.acts[share] ? s->dyn.h[share][k] : 0.0;
        }
    }
}
