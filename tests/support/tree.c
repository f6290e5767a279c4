#include "support/tree.h"

#include <stdio.h>
#include <string.h>

/* One joint with random numbers. */
static void random_joint(rng *r, tree_body *b)
{
    b->joint = (tree_joint)rng_int(r, 4);
    b->turn = rng_flip(r) ? rng_in(r, -3.0, 3.0) : 0.0;
    const double angle = rng_in(r, -3.0, 3.0);
    b->axis[0] = cos(angle);
    b->axis[1] = sin(angle);
    const int pattern = rng_flip(r) ? 7 : 1 + rng_int(r, 7);
    for (int d = 0; d < 3; d++) {
        b->has[d] = pattern >> d & 1;
    }
    for (int d = 0; d < 2; d++) {
        b->at[d] = rng_flip(r) ? rng_in(r, -1.0, 1.0) : 0.0;
        b->from[d] = rng_flip(r) ? rng_in(r, -1.0, 1.0) : 0.0;
    }
}

tree tree_random(rng *r, int n, double chain)
{
    tree t = {.n = n, .gravity = {rng_in(r, -10.0, 10.0), rng_in(r, -10.0, 10.0)}};
    for (int i = 0; i < n; i++) {
        tree_body *b = &t.body[i];
        snprintf(b->name, sizeof b->name, "b%d", i);
        b->parent = rng_in(r, 0.0, 1.0) < chain ? i - 1 : rng_int(r, i + 1) - 1;
        random_joint(r, b);
        b->mass = rng_in(r, 0.2, 2.0);
        b->inertia = rng_in(r, 0.05, 0.5);
        b->center[0] = rng_in(r, -0.5, 0.5);
        b->center[1] = rng_in(r, -0.5, 0.5);
        b->dof[0] = b->dof[1] = b->dof[2] = -1;
    }
    return t;
}

void tree_write_head(const tree *t, text *out)
{
    text_add(out, "specht: 1\nname: test\nspace: planar\nunits: off\ngravity: [%.17g, %.17g]\n",
             t->gravity[0], t->gravity[1]);
}

/* The spring of a joint with one coordinate. */
static void write_spring(const tree_body *b, text *out)
{
    static const char *const key[] = {"stiffness", "damping", "rest"};
    const bool first = b->joint == TREE_PRISMATIC || (b->joint == TREE_FREE && b->has[0]);
    const int d = first ? 0 : b->joint == TREE_FREE && b->has[1] ? 1 : 2;
    for (int k = 0; k < 3; k++) {
        text_add(out, ", %s: %.17g", key[k], b->spring[d][k]);
    }
}

void tree_write_body(const tree *t, int i, text *out)
{
    static const char *const kind[] = {"weld", "revolute", "prismatic", "free", "weld"};
    static const char *const coordinate[] = {"x", "y", "phi"};
    const tree_body *b = &t->body[i];
    text_add(out, "  %s: {mass: %.17g, inertia: %.17g, center: [%.17g, %.17g], joint: {%s: %s",
             b->name, b->mass, b->inertia, b->center[0], b->center[1], kind[b->joint],
             b->parent < 0 ? "ground" : t->body[b->parent].name);
    if (b->joint != TREE_DRIVEN) {
        text_add(out, ", at: [%.17g, %.17g], from: [%.17g, %.17g], turn: %.17g", b->at[0], b->at[1],
                 b->from[0], b->from[1], b->turn);
    }
    if (b->joint == TREE_PRISMATIC) { /* the length of a direction does not matter */
        text_add(out, ", axis: [%.17g, %.17g]", 2.0 * b->axis[0], 2.0 * b->axis[1]);
    }
    if (b->joint == TREE_FREE && !(b->has[0] && b->has[1] && b->has[2])) {
        const char *between = "";
        text_add(out, ", only: [");
        for (int d = 2; d >= 0; d--) { /* phi first: the order in the file does not matter */
            if (b->has[d]) {
                text_add(out, "%s%s", between, coordinate[d]);
                between = ", ";
            }
        }
        text_add(out, "]");
    }
    if (b->sprung) {
        write_spring(b, out);
    }
    text_add(out, "}");
}

machine tree_compile(tree *t, rng *r)
{
    static text out;
    int order[TREE_BODIES];
    out.n = 0;
    tree_write_head(t, &out);
    text_add(&out, "bodies:\n");
    for (int i = 0; i < t->n; i++) {
        const int j = rng_int(r, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    for (int i = 0; i < t->n; i++) {
        tree_write_body(t, order[i], &out);
        text_add(&out, "}\n");
    }
    text_add(&out, "run: {until: 1, method: moreau, step: 0.1}\n");
    machine c = machine_of_text(out.s);
    tree_bind(t, &c);
    return c;
}

void tree_bind(tree *t, const machine *c)
{
    static const char *const coordinate[] = {"x", "y", "phi"};
    t->n_dof = c->m->n_dof;
    int count = 0;
    for (int i = 0; i < t->n; i++) {
        tree_body *b = &t->body[i];
        char name[64];
        b->body = machine_body(c, b->name);
        for (int d = 0; d < 3; d++) {
            const bool has = b->joint == TREE_FREE        ? b->has[d]
                             : b->joint == TREE_REVOLUTE  ? d == 2
                             : b->joint == TREE_PRISMATIC ? d == 0
                                                          : false;
            b->dof[d] = -1;
            if (has) {
                snprintf(name, sizeof name, "%s.joint.%s", b->name,
                         b->joint == TREE_PRISMATIC ? "s" : coordinate[d]);
                b->dof[d] = machine_dof(c, name);
                count++;
            }
        }
    }
    assert_int_equal(count, c->m->n_dof);
}

/* q_k(t), zero for a coordinate that is not there. */
static jet course(int k, const double *q, const double *u, const double *a)
{
    return k < 0 ? jet_of(0.0, 0.0, 0.0) : jet_of(q[k], u ? u[k] : 0.0, a ? a[k] : 0.0);
}

/* A B for 3 x 3 matrices of jets. */
static void multiply(jet A[3][3], jet B[3][3])
{
    jet C[3][3];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            C[i][j] = jet_of(0.0, 0.0, 0.0);
            for (int k = 0; k < 3; k++) {
                C[i][j] = jet_add(C[i][j], jet_mul(A[i][k], B[k][j]));
            }
        }
    }
    memcpy(A, C, sizeof C);
}

/* T <- T Trans(x, y) */
static void shift(jet T[3][3], jet x, jet y)
{
    const jet one = jet_of(1.0, 0.0, 0.0), zero = jet_of(0.0, 0.0, 0.0);
    jet S[3][3] = {{one, zero, x}, {zero, one, y}, {zero, zero, one}};
    multiply(T, S);
}

/* T <- T Rot(phi) */
static void turn(jet T[3][3], jet phi)
{
    const jet one = jet_of(1.0, 0.0, 0.0), zero = jet_of(0.0, 0.0, 0.0);
    jet s, c;
    jet_sincos(phi, &s, &c);
    jet S[3][3] = {{c, jet_scale(-1.0, s), zero}, {s, c, zero}, {zero, zero, one}};
    multiply(T, S);
}

void tree_poses(const tree *t, const double *q, const double *u, const double *a, pose *p)
{
    const jet one = jet_of(1.0, 0.0, 0.0), zero = jet_of(0.0, 0.0, 0.0);
    p[t->n] = (pose){.r = jet2_of(0.0, 0.0), .phi = zero, .c = one, .s = zero};
    for (int i = 0; i < t->n; i++) {
        const tree_body *b = &t->body[i];
        const pose *on = &p[b->parent < 0 ? t->n : b->parent];
        jet T[3][3] = {
            {on->c, jet_scale(-1.0, on->s), on->r.x}, {on->s, on->c, on->r.y}, {zero, zero, one}};
        jet phi = on->phi;
        if (b->joint == TREE_DRIVEN) {
            shift(T, b->drive[0], b->drive[1]);
            turn(T, b->drive[2]);
            phi = jet_add(phi, b->drive[2]);
        } else {
            const jet s = course(b->dof[0], q, u, a), y = course(b->dof[1], q, u, a);
            const jet angle = course(b->dof[2], q, u, a);
            shift(T, jet_of(b->at[0], 0.0, 0.0), jet_of(b->at[1], 0.0, 0.0));
            turn(T, jet_of(b->turn, 0.0, 0.0));
            if (b->joint == TREE_PRISMATIC) {
                shift(T, jet_scale(b->axis[0], s), jet_scale(b->axis[1], s));
            } else {
                shift(T, s, y);
            }
            turn(T, angle);
            shift(T, jet_of(-b->from[0], 0.0, 0.0), jet_of(-b->from[1], 0.0, 0.0));
            phi = jet_add(phi, jet_add(jet_of(b->turn, 0.0, 0.0), angle));
        }
        p[i] = (pose){.r = {T[0][2], T[1][2]}, .phi = phi, .c = T[0][0], .s = T[1][0]};
    }
}

jet2 pose_point(const pose *p, double x, double y)
{
    const jet2 turned = {jet_sub(jet_scale(x, p->c), jet_scale(y, p->s)),
                         jet_add(jet_scale(x, p->s), jet_scale(y, p->c))};
    return jet2_add(p->r, turned);
}

jet2 pose_velocity(const pose *p, jet2 place)
{
    return jet2_add(jet2_rate(p->r), jet2_spin(jet_rate(p->phi), jet2_sub(place, p->r)));
}

/* Centre of mass over time. */
static jet2 center(const tree *t, const pose *p, int i)
{
    return pose_point(&p[i], t->body[i].center[0], t->body[i].center[1]);
}

double tree_kinetic(const tree *t, const double *q, const double *u)
{
    pose p[TREE_BODIES + 1];
    double T = 0.0;
    tree_poses(t, q, u, NULL, p);
    for (int i = 0; i < t->n; i++) {
        const jet2 c = center(t, p, i);
        const double v2 = c.x.c[1] * c.x.c[1] + c.y.c[1] * c.y.c[1], omega = p[i].phi.c[1];
        T += 0.5 * t->body[i].mass * v2 + 0.5 * t->body[i].inertia * omega * omega;
    }
    return T;
}

double tree_potential(const tree *t, const double *q)
{
    pose p[TREE_BODIES + 1];
    double V = 0.0;
    tree_poses(t, q, NULL, NULL, p);
    for (int i = 0; i < t->n; i++) {
        const tree_body *b = &t->body[i];
        const jet2 c = center(t, p, i);
        V -= b->mass * (t->gravity[0] * c.x.c[0] + t->gravity[1] * c.y.c[0]);
        for (int d = 0; d < 3; d++) {
            if (b->dof[d] >= 0 && b->sprung) {
                const double stretch = q[b->dof[d]] - b->spring[d][2];
                V += 0.5 * b->spring[d][0] * stretch * stretch;
            }
        }
    }
    return V;
}

tree tree_frozen(const tree *t)
{
    tree f = *t;
    for (int i = 0; i < f.n; i++) {
        for (int d = 0; d < 3; d++) {
            f.body[i].drive[d] = jet_of(f.body[i].drive[d].c[0], 0.0, 0.0);
        }
    }
    return f;
}

/* Columns of one coordinate: velocities of the centres and spins for u = e_k. */
static void columns(const tree *t, const double *q, int k, double col[][3])
{
    const tree frozen = tree_frozen(t);
    pose p[TREE_BODIES + 1];
    double e[TREE_DOFS] = {0.0};
    e[k] = 1.0;
    tree_poses(&frozen, q, e, NULL, p);
    for (int i = 0; i < t->n; i++) {
        const jet2 c = center(t, p, i);
        col[i][0] = c.x.c[1];
        col[i][1] = c.y.c[1];
        col[i][2] = p[i].phi.c[1];
    }
}

void tree_mass(const tree *t, const double *q, double *M)
{
    static double col[TREE_DOFS][TREE_BODIES][3];
    const int n = t->n_dof;
    for (int k = 0; k < n; k++) {
        columns(t, q, k, col[k]);
        for (int j = 0; j <= k; j++) {
            double sum = 0.0;
            for (int i = 0; i < t->n; i++) {
                sum +=
                    t->body[i].mass * (col[k][i][0] * col[j][i][0] + col[k][i][1] * col[j][i][1]) +
                    t->body[i].inertia * col[k][i][2] * col[j][i][2];
            }
            M[k * n + j] = M[j * n + k] = sum;
        }
    }
}

void tree_forces(const tree *t, const double *q, const double *u, bool springs, double *h)
{
    pose p[TREE_BODIES + 1];
    tree_poses(t, q, u, NULL, p);
    for (int k = 0; k < t->n_dof; k++) {
        double col[TREE_BODIES][3];
        columns(t, q, k, col);
        h[k] = 0.0;
        for (int i = 0; i < t->n; i++) {
            const tree_body *b = &t->body[i];
            const jet2 c = center(t, p, i);
            h[k] += b->mass * (col[i][0] * (t->gravity[0] - 2.0 * c.x.c[2]) +
                               col[i][1] * (t->gravity[1] - 2.0 * c.y.c[2])) -
                    col[i][2] * b->inertia * 2.0 * p[i].phi.c[2];
            for (int d = 0; d < 3 && springs && b->sprung; d++) {
                h[k] -= b->dof[d] == k ? b->spring[d][0] * (q[k] - b->spring[d][2]) : 0.0;
            }
        }
    }
}

void random_motion(rng *r, int n, double *q, double *u, double *a)
{
    for (int k = 0; k < n; k++) {
        q[k] = rng_in(r, -2.0, 2.0);
        u[k] = rng_in(r, -1.0, 1.0);
        if (a) {
            a[k] = rng_in(r, -1.0, 1.0);
        }
    }
}
