/* A kind of bodies that only this test knows: a rigid body that carries a second one on a slide or
 * on a hinge, whose coordinate is the body's own.  Machines with such bodies must be, term by term,
 * the machines in which both are bodies of the tree.   theory (2.25)-(2.32) */
#include "dynamics/tangent.h"
#include "kinematics/kind.h"
#include "specht/state.h"
#include "specht/step.h"
#include "support/points.h"
#include "support/tree.h"

#include <stdio.h>
#include <string.h>

#define TOL       1e-12 /* other sums of the same terms                              */
#define SLOPE_TOL 1e-10 /* round-off of those over a step of 1e-3, some hundred terms */

/* ---- the kind -------------------------------------------------------------------------------- */

typedef struct piece {
    double mass;
    sp_vec3 center; /* in the frame of the carrier, at rest */
    sp_sym3 J;      /* about its centre                     */
} piece;

typedef struct carrier {
    piece own, rides;
    bool turns;
    sp_vec3 axis, pivot;
    double stiffness, damping;
} carrier;

/* What a place of the rider does; marks on it have a row of shape, any will do. */
static void ride(const carrier *c, sp_vec3 at, double q, double u, sp_deformed *out, sp_vec3 *phi,
                 sp_vec3 *psi)
{
    const sp_vec3 none = {0.0, 0.0, 0.0};
    *phi = *psi = out->bias = out->spin_bias = none;
    out->R = sp_rot3_one();
    if (!c->turns) {
        *phi = c->axis;
        out->at = sp_axpy3(at, q, c->axis);
        return;
    }
    out->R = sp_rot3_about(c->axis, cos(q), sin(q));
    const sp_vec3 arm = sp_rotate3(out->R, sp_sub3(at, c->pivot));
    out->at = sp_add3(c->pivot, arm);
    *psi = c->axis;
    *phi = sp_cross3(c->axis, arm);
    out->bias = sp_scale3(u * u, sp_cross3(c->axis, *phi));
}

static void carrier_place(const void *form, void *memo, const double *at, const double *shape,
                          const double *q, const double *u, sp_deformed *out)
{
    (void)memo;
    const sp_vec3 none = {0.0, 0.0, 0.0};
    if (shape) {
        ride(form, sp_vec3_of(at), q[0], u[0], out, out->phi, out->psi);
        return;
    }
    out->at = sp_vec3_of(at);
    out->R = sp_rot3_one();
    out->phi[0] = out->psi[0] = out->bias = out->spin_bias = none;
}

/* Velocity of the centre and spin of a piece per unit of the seven velocities. */
static void seven(sp_vec3 center, sp_vec3 phi, sp_vec3 psi, sp_vec3 v[7], sp_vec3 w[7])
{
    const sp_vec3 e[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}},
                  none = {0.0, 0.0, 0.0};
    for (int k = 0; k < 3; k++) {
        v[k] = e[k];
        w[k] = none;
        v[3 + k] = sp_cross3(e[k], center);
        w[3 + k] = e[k];
    }
    v[6] = phi;
    w[6] = psi;
}

/* Centre, shape and inertia of piece k at q, u. */
static sp_sym3 look(const carrier *c, int k, double q, double u, sp_deformed *d, sp_vec3 v[7],
                    sp_vec3 w[7])
{
    const sp_vec3 none = {0.0, 0.0, 0.0};
    sp_vec3 phi = none, psi = none;
    *d = (sp_deformed){.at = c->own.center, .R = sp_rot3_one()};
    if (k == 1) {
        ride(c, c->rides.center, q, u, d, &phi, &psi);
    }
    seven(d->at, phi, psi, v, w);
    return sp_sym3_turned(d->R, k == 0 ? c->own.J : c->rides.J);
}

static void carrier_inertia(const void *form, void *memo, const double *q, double *M)
{
    (void)memo;
    const carrier *c = form;
    memset(M, 0, 49 * sizeof *M);
    for (int k = 0; k < 2; k++) {
        sp_deformed d;
        sp_vec3 v[7], w[7];
        const sp_sym3 J = look(c, k, q[0], 0.0, &d, v, w);
        for (int i = 0; i < 49; i++) {
            M[i] += (k == 0 ? c->own.mass : c->rides.mass) * sp_inner3(v[i / 7], v[i % 7]) +
                    sp_inner3(w[i / 7], sp_sym3_mul(J, w[i % 7]));
        }
    }
}

static void carrier_forces(const void *form, void *memo, const double *q, const double *u,
                           sp_vec3 omega, double *h, double *damped)
{
    (void)memo;
    const carrier *c = form;
    for (int k = 0; k < 2; k++) {
        sp_deformed d;
        sp_vec3 v[7], w[7];
        const sp_sym3 J = look(c, k, q[0], u[0], &d, v, w);
        const sp_vec3 slip = sp_scale3(u[0], v[6]), turn = sp_scale3(u[0], w[6]);
        sp_vec3 a = sp_add3(sp_spin_twice3(omega, d.at), sp_scale3(2.0, sp_cross3(omega, slip)));
        a = sp_add3(a, d.bias);
        const sp_vec3 spin = sp_add3(omega, turn), alpha = sp_cross3(omega, turn);
        const sp_vec3 moment =
            sp_add3(sp_sym3_mul(J, alpha), sp_cross3(spin, sp_sym3_mul(J, spin)));
        for (int i = 0; i < 7; i++) {
            h[i] -= (k == 0 ? c->own.mass : c->rides.mass) * sp_inner3(v[i], a) +
                    sp_inner3(w[i], moment);
        }
    }
    h[6] -= c->stiffness * q[0];
    damped[6] -= c->damping * u[0];
}

static double carrier_energy(const void *form, const double *q)
{
    return 0.5 * ((const carrier *)form)->stiffness * q[0] * q[0];
}

static const sp_body_kind carrier_kind = {.name = "carrier",
                                          .place = carrier_place,
                                          .inertia = carrier_inertia,
                                          .forces = carrier_forces,
                                          .energy = carrier_energy};

/* ---- the same machine with and without the kind ---------------------------------------------- */

enum { BODIES = 8, DOFS = 24, FORCES = 4, POINTS = 8, CORNERS = 16, A = 1, P = 2 };

/* A machine in which P is no body any more, but a part of A. */
typedef struct mixed {
    sp_model m;
    machine c;
    sp_body body[BODIES];
    sp_dof dof[DOFS];
    sp_body_numbers numbers[BODIES];
    sp_space_numbers space[BODIES];
    sp_force force[FORCES];
    sp_force_numbers force_numbers[FORCES];
    sp_contour contour[BODIES];
    sp_contour_numbers contour_numbers[BODIES];
    double corner[CORNERS][2];
    sp_point point[POINTS];
    sp_slot slot[BODIES];
    carrier carrier;
} mixed;

static const double on_rider[1] = {1.0};

static int without_rider(int body)
{
    return body == P ? A : body > P ? body - 1 : body;
}

/* A mark of the plain machine in the other one. */
static void move_mark(const sp_mark *rider, sp_mark *mark)
{
    if (mark->body == P) {
        for (int k = 0; k < 3; k++) {
            mark->at[k] += rider->at[k];
        }
        mark->shape = on_rider;
    }
    mark->body = without_rider(mark->body);
}

static piece piece_of(const sp_model *m, int i)
{
    const sp_numbers *n = &m->numbers;
    return (piece){.mass = n->body[i].mass,
                   .center = n->space ? sp_vec3_of(n->space[i].center)
                                      : sp_spot_lift(sp_vec_of(n->body[i].center)),
                   .J = n->space ? sp_sym3_of(n->space[i].inertia)
                                 : (sp_sym3){.zz = n->body[i].inertia}};
}

static void make_carrier(const sp_model *m, carrier *c)
{
    const sp_mark *mark = &m->numbers.body[P].mark;
    const int k = m->body[P].dof;
    *c = (carrier){.own = piece_of(m, A), .rides = piece_of(m, P)};
    c->pivot = sp_vec3_of(mark->at);
    c->rides.center = sp_add3(c->rides.center, c->pivot);
    c->turns = m->body[P].n_slide == 0;
    c->axis = m->dim == 3 ? sp_vec3_of(m->numbers.dof[k].axis)
              : c->turns  ? (sp_vec3){0.0, 0.0, 1.0}
                          : sp_spot_lift(sp_vec_of(m->numbers.body[P].axis[0]));
    c->stiffness = m->numbers.dof[k].stiffness;
    c->damping = m->numbers.dof[k].damping;
}

static void strike_out_rider(const sp_model *from, mixed *x)
{
    for (int i = 0; i < from->n_body; i++) {
        const int to = without_rider(i);
        if (i == P) {
            continue;
        }
        x->body[to] = from->body[i];
        x->body[to].parent = i == 0 ? SP_NONE : without_rider(from->body[i].parent);
        x->numbers[to] = from->numbers.body[i];
        move_mark(&from->numbers.body[P].mark, &x->numbers[to].mark);
        if (from->dim == 3) {
            x->space[to] = from->numbers.space[i];
        }
    }
    x->body[A].kind = &carrier_kind;
    x->body[A].form = &x->carrier;
    x->body[A].n_own = 1;
    x->body[A].last_dof = from->body[P].dof;
    memcpy(x->dof, from->dof, (size_t)from->n_dof * sizeof *x->dof);
    for (int k = 0; k < from->n_dof; k++) {
        x->dof[k].body = without_rider(x->dof[k].body);
    }
    x->dof[from->body[P].dof].spring = false;
    x->dof[from->body[P].dof].move = SP_MOVE_SHAPE;
}

/* Contours of the rider go with a mark on it; in the plane their corners are in A's frame now. */
static void move_contours(const sp_model *from, mixed *x)
{
    const sp_mark *rider = &from->numbers.body[P].mark;
    memcpy(x->corner, from->numbers.vertex, (size_t)from->n_vertex * sizeof *x->corner);
    for (int i = 0; i < from->n_contour; i++) {
        const sp_contour *c = &from->contour[i];
        x->contour[i] = *c;
        x->contour[i].body = without_rider(c->body);
        x->contour_numbers[i] = from->numbers.contour[i];
        move_mark(rider, &x->contour_numbers[i].mark);
        for (int k = c->vertex; k < c->vertex + c->n_vertex && c->body == P; k++) {
            x->corner[k][0] += rider->at[0];
            x->corner[k][1] += rider->at[1];
        }
    }
    x->m.contour = x->contour;
    x->m.numbers.contour = x->contour_numbers;
    x->m.numbers.vertex = (const double(*)[2])x->corner;
}

/* The machine must have P hang on A, right behind it, with one degree of freedom. */
static void without(const machine *plain, mixed *x)
{
    const sp_model *from = plain->m;
    sp_error err = {.status = SP_OK};
    memset(x, 0, sizeof *x);
    x->m = *from;
    make_carrier(from, &x->carrier);
    strike_out_rider(from, x);
    for (int i = 0; i < from->n_force; i++) {
        x->force[i] = from->force[i];
        x->force_numbers[i] = from->numbers.force[i];
        for (int k = 0; k < 2; k++) {
            move_mark(&from->numbers.body[P].mark, &x->force_numbers[i].mark[k]);
            x->force[i].body[k] = x->force_numbers[i].mark[k].body;
        }
    }
    move_contours(from, x);
    for (int i = 0; i < from->n_point; i++) {
        x->point[i] = from->point[i];
        x->point[i].body = without_rider(from->point[i].body);
    }
    for (int i = 0; i < from->n_slot; i++) {
        x->slot[i] = from->slot[i];
        x->slot[i].body_a = without_rider(from->slot[i].body_a);
        x->slot[i].body_b = without_rider(from->slot[i].body_b);
    }
    x->m.n_body--;
    x->m.body = x->body;
    x->m.dof = x->dof;
    x->m.numbers.body = x->numbers;
    x->m.numbers.space = from->dim == 3 ? x->space : NULL;
    x->m.force = x->force;
    x->m.numbers.force = x->force_numbers;
    x->m.point = x->point;
    x->m.slot = x->slot;
    assert_int_equal(sp_model_layout(&x->m, &err), SP_OK);
    x->c = (machine){.m = &x->m, .num = &x->m.numbers};
    assert_int_equal(sp_work_new(&x->m, NULL, &x->c.w, &err), SP_OK);
    sp_dyn_init(&x->m, x->c.num, &x->c.w->dyn);
}

static const char *const machines[] = {
    /* a slide in the plane, with everything hung on it */
    "bodies:\n  a: {mass: 2 kg, inertia: 0.3, center: [0.1 m, 0.2 m], joint: {free: ground}}\n"
    "  p: {mass: 0.7 kg, inertia: 0.05, center: [0.05 m, -0.1 m], points: {e: [0.2 m, 0.1 m]},\n"
    "      joint: {prismatic: a, axis: [0.6, 0.8], at: [0.3 m, 0.1 m], stiffness: 50 N/m, "
    "damping: 2 N*s/m},\n"
    "      contours: {disc: {circle: 0.1 m, at: [0.1 m, 0.2 m]}, block: {box: [0.2 m, 0.1 m]}}}\n"
    "  c: {mass: 1 kg, inertia: 0.1, center: [0.2 m, 0], points: {e: [0.4 m, 0.1 m]},\n"
    "      contours: {tip: {point: [0.4 m, 0]}},\n"
    "      joint: {revolute: p, at: [0.1 m, 0.2 m], from: [-0.1 m, 0], turn: 20 deg}}\n"
    "  d: {mass: 0.5 kg, inertia: 0.02, joint: {prismatic: c, axis: [1, 0], at: [0.1 m, 0]}}\n"
    "  ground: {contours: {floor: {line: [0, 1], at: [0, -1 m]}, ball: {circle: 0.2 m, at: [3 m, "
    "0]}}}\n"
    "contacts: {k: {between: [c.tip, ground.floor], law: {mu: 0.3, eps_N: 0.5}},\n"
    "  l: {between: [p.disc, ground.floor], law: {mu: 0.2, eps_N: 0.4}},\n"
    "  m: {between: [ground.ball, p.block], law: {mu: 0.2, eps_N: 0.4}}}\n"
    "forces: {f: {spring: [p.e, ground], stiffness: 30 N/m, damping: 3 N*s/m, rest: 0.2 m},\n"
    "  g: {spring: [p.e, c.e], stiffness: 10 N/m, rest: 0.1 m}}\n",
    /* a hinge in the plane */
    "bodies:\n  a: {mass: 2 kg, inertia: 0.3, center: [0.1 m, 0.2 m], joint: {revolute: ground}}\n"
    "  p: {mass: 0.7 kg, inertia: 0.05, center: [0.05 m, -0.1 m], points: {e: [0.2 m, 0.1 m]},\n"
    "      contours: {disc: {circle: 0.1 m, at: [0.1 m, 0.2 m]},\n"
    "      block: {box: [0.2 m, 0.1 m], at: [0.1 m, 0], turn: 20 deg}},\n"
    "      joint: {revolute: a, at: [0.3 m, 0.1 m], stiffness: 5 N*m, damping: 0.2 N*m*s}}\n"
    "  c: {mass: 1 kg, inertia: 0.1, center: [0.2 m, 0], points: {e: [0.4 m, 0.1 m]},\n"
    "      contours: {tip: {point: [0.4 m, 0]}},\n"
    "      joint: {free: p, at: [0.1 m, 0.2 m], from: [-0.1 m, 0.1 m]}}\n"
    "  ground: {contours: {floor: {line: [0, 1], at: [0, -1 m]}, ball: {circle: 0.2 m, at: [3 m, "
    "0]}}}\n"
    "contacts: {k: {between: [c.tip, ground.floor], law: {mu: 0.3, eps_N: 0.5}},\n"
    "  l: {between: [p.disc, ground.floor], law: {mu: 0.2, eps_N: 0.4}},\n"
    "  m: {between: [ground.ball, p.block], law: {mu: 0.2, eps_N: 0.4}}}\n"
    "forces: {f: {bushing: [p.e, ground], stiffness: [30, 20, 4], damping: [3, 2, 1]},\n"
    "  g: {force: [1 N, 2 N], on: p.e}}\n",
    /* the same two in space */
    "bodies:\n  a: {mass: 2 kg, inertia: [0.3, 0.2, 0.4], center: [0.1 m, 0.2 m, 0], "
    "joint: {free: ground}}\n"
    "  p: {mass: 0.7 kg, inertia: [0.05, 0.04, 0.03], center: [0.05 m, -0.1 m, 0.1 m],\n"
    "      points: {e: [0.2 m, 0.1 m, 0]}, contours: {ball: {sphere: 0.1 m, at: [0.1 m, 0, 0.1 "
    "m]},\n"
    "      rod: {cylinder: 0.1 m, at: [0, 0.1 m, 0]}},\n"
    "      joint: {prismatic: a, axis: [0.6, 0, 0.8], at: [0.3 m, 0.1 m, 0.2 m], stiffness: 50 "
    "N/m, "
    "damping: 2 N*s/m}}\n"
    "  c: {mass: 1 kg, inertia: [0.1, 0.2, 0.15], center: [0.2 m, 0, 0.1 m],\n"
    "      points: {e: [0.4 m, 0.1 m, 0]}, contours: {tip: {sphere: 0.1 m, at: [0.4 m, 0, 0]}},\n"
    "      joint: {spherical: p, at: [0.1 m, 0.2 m, 0], from: [-0.1 m, 0, 0]}}\n"
    "  ground: {contours: {floor: {plane: [0, 0, 1], at: [0, 0, -1 m]},\n"
    "      ball: {sphere: 0.2 m, at: [3 m, 0, 0]}}}\n"
    "contacts: {k: {between: [c.tip, ground.floor], law: {mu: 0.3, eps_N: 0.5}},\n"
    "  l: {between: [p.ball, ground.floor], law: {mu: 0.2, eps_N: 0.4}},\n"
    "  m: {between: [ground.ball, p.rod], law: {mu: 0.2, eps_N: 0.4}}}\n"
    "forces: {f: {spring: [p.e, ground], stiffness: 30 N/m, damping: 3 N*s/m, rest: 0.2 m},\n"
    "  g: {spring: [p.e, c.e], stiffness: 10 N/m, rest: 0.1 m}}\n",
    "bodies:\n  a: {mass: 2 kg, inertia: [0.3, 0.2, 0.4], center: [0.1 m, 0.2 m, 0], "
    "joint: {universal: ground, axis: [[1, 0, 0], [0, 1, 0]]}}\n"
    "  p: {mass: 0.7 kg, inertia: [0.05, 0.04, 0.03], center: [0.05 m, -0.1 m, 0.1 m],\n"
    "      points: {e: [0.2 m, 0.1 m, 0]}, contours: {ball: {sphere: 0.1 m, at: [0.1 m, 0, 0.1 "
    "m]},\n"
    "      rod: {cylinder: 0.1 m, at: [0, 0.1 m, 0]}},\n"
    "      joint: {revolute: a, axis: [0.6, 0, 0.8], at: [0.3 m, 0.1 m, 0.2 m], stiffness: 5 N*m, "
    "damping: 0.2 N*m*s}}\n"
    "  c: {mass: 1 kg, inertia: [0.1, 0.2, 0.15], center: [0.2 m, 0, 0.1 m],\n"
    "      points: {e: [0.4 m, 0.1 m, 0]}, contours: {tip: {sphere: 0.1 m, at: [0.4 m, 0, 0]}},\n"
    "      joint: {cylindrical: p, axis: [0, 1, 0], at: [0.1 m, 0.2 m, 0], from: [-0.1 m, 0, 0], "
    "turn: {y: 30 "
    "deg}}}\n"
    "  ground: {contours: {floor: {plane: [0, 0, 1], at: [0, 0, -1 m]},\n"
    "      ball: {sphere: 0.2 m, at: [3 m, 0, 0]}}}\n"
    "contacts: {k: {between: [c.tip, ground.floor], law: {mu: 0.3, eps_N: 0.5}},\n"
    "  l: {between: [p.ball, ground.floor], law: {mu: 0.2, eps_N: 0.4}},\n"
    "  m: {between: [ground.ball, p.rod], law: {mu: 0.2, eps_N: 0.4}}}\n"
    "forces: {f: {bushing: [p.e, ground], stiffness: [30, 20, 10, 4, 5, 6], damping: [3, 2, 1, 1, "
    "1, 1]}, g: {force: [1 N, 2 N, 3 N], on: p.e}}\n",
};
enum { TEXTS = sizeof machines / sizeof *machines, MACHINES = 2 * TEXTS };

/* Each of them with constant gravity and with one that changes with time. */
static machine plain_of(int k)
{
    static char all[4096];
    const char *x = k < TEXTS ? "1 m/s^2" : "1 m/s^2 * cos(3 rad/s * t)";
    k %= TEXTS;
    snprintf(all, sizeof all, "specht: 1\nspace: %s\ngravity: [%s, %s]\n%s",
             k < 2 ? "planar" : "spatial", x, k < 2 ? "-9.81 m/s^2" : "2 m/s^2, -9.81 m/s^2",
             machines[k]);
    return machine_of_text(all);
}

static void shake(const sp_model *m, rng *r, double *q, double *u)
{
    for (int k = 0; k < m->n_q; k++) {
        q[k] = rng_in(r, -0.8, 0.8);
    }
    for (int k = 0; k < m->n_dof; k++) {
        u[k] = rng_in(r, -2.0, 2.0);
        if (m->dof[k].move == SP_MOVE_BALL && m->dof[k].part == 0) {
            double *at = q + m->dof[k].q;
            sp_quat_store(sp_quat_unit(sp_quat_of(at)), at);
        }
    }
}

static void compare(int n, const double *a, const double *b)
{
    double size = 1e-3;
    for (int k = 0; k < n; k++) {
        size = fmax(size, fabs(b[k]));
    }
    for (int k = 0; k < n; k++) {
        assert_near_scaled(a[k], b[k], size, TOL);
    }
}

/* u' by articulated bodies, or by M where bodies are of other kinds. */
static void accelerate(machine *c, const double *q, const double *u, double *du)
{
    sp_arena arena;
    sp_dyn dyn;
    sp_error err = {.status = SP_OK};
    sp_arena_init(&arena, NULL, 0);
    assert_true(sp_dyn_alloc(&arena, c->m, SP_DYN_ARTICULATED, &dyn));
    sp_dyn_init(c->m, c->num, &dyn);
    assert_int_equal(
        sp_dyn_accelerate(c->m, c->num, &(sp_at){0.0, q, u}, NULL, &c->w->kin, &dyn, du, &err),
        SP_OK);
    sp_arena_free(&arena);
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void mass_forces_and_energies_are_those_of_plain_bodies(void **ctx)
{
    (void)ctx;
    rng r = {4100};
    for (int c = 0; c < MACHINES * check_cases(20, 300); c++) {
        static mixed x;
        machine plain = plain_of(c % MACHINES);
        const int n = plain.m->n_dof;
        double q[DOFS], u[DOFS], M[2][DOFS * DOFS], h[2][DOFS], du[2][DOFS];
        sp_energy e[2];
        without(&plain, &x);
        assert_int_equal(x.m.n_dof, n);
        shake(plain.m, &r, q, u);
        machine *both[2] = {&x.c, &plain};
        for (int k = 0; k < 2; k++) {
            machine_mass(both[k], q, u, M[k]);
            accelerate(both[k], q, u, du[k]);
            sp_dyn_energies(both[k]->m, both[k]->num, 0.0, q, u, &both[k]->w->kin, &both[k]->w->dyn,
                            &e[k]);
        }
        compare(n * n, M[0], M[1]);
        compare(n, du[0], du[1]);
        for (int s = 0; s < SP_SHARES; s++) {
            machine_share(&x.c, 0.0, q, u, (sp_share)s, h[0]);
            machine_share(&plain, 0.0, q, u, (sp_share)s, h[1]);
            compare(n, h[0], h[1]);
        }
        compare(3, &e[0].kinetic, &e[1].kinetic);
        assert_near_scaled(e[0].quadratic, e[0].kinetic, e[0].kinetic, TOL);
        assert_near_scaled(machine_kinetic(&x.c, q, u), e[1].kinetic, e[1].kinetic, TOL);
        assert_near_scaled(machine_potential(&x.c, 0.0, q, u), e[1].potential, 10.0, TOL);
        sp_work_free(x.c.w);
        machine_free(&plain);
    }
    print_message("worst relative difference %.1e\n", check_worst());
}

static void vectors(sp_vec3 a, sp_vec3 b, double size)
{
    assert_near_scaled(sp_length3(sp_sub3(a, b)), 0.0, size, TOL);
}

/* Points of what hangs on the rider, and of the rider itself: place, motion, columns. */
static void points_move_as_those_of_plain_bodies(void **ctx)
{
    (void)ctx;
    rng r = {4101};
    for (int c = 0; c < MACHINES * check_cases(20, 300); c++) {
        static mixed x;
        machine plain = plain_of(c % MACHINES);
        double q[DOFS], u[DOFS];
        without(&plain, &x);
        shake(plain.m, &r, q, u);
        machine_move(&x.c, q, u);
        machine_move(&plain, q, u);
        const sp_kin *a = &x.c.w->kin, *b = &plain.w->kin;
        for (int i = 1; i < plain.m->n_body; i++) {
            sp_mark mark = {.body = i, .at = {0.3, -0.2, plain.m->dim == 3 ? 0.4 : 0.0}};
            const sp_spot t = sp_spot_of(b, &mark);
            move_mark(&plain.num->body[P].mark, &mark);
            const sp_spot s = sp_spot_of(a, &mark);
            vectors(s.x, t.x, 10.0);
            vectors(sp_spot_axes(a, &s).x, sp_spot_axes(b, &t).x, 1.0);
            vectors(sp_spot_axes(a, &s).z, sp_spot_axes(b, &t).z, 1.0);
            vectors(sp_spot_velocity(a, &s), sp_spot_velocity(b, &t), 10.0);
            vectors(sp_spot_spin(a, &s), sp_spot_spin(b, &t), 10.0);
            vectors(sp_spot_bias(a, &s), sp_spot_bias(b, &t), 100.0);
            vectors(sp_spot_spin_bias(a, &s), sp_spot_spin_bias(b, &t), 100.0);
            const sp_vec3 far = {3.0, 1.0, plain.m->dim == 3 ? -2.0 : 0.0};
            const sp_spot s_arm = sp_spot_arm(a, &s, far), t_arm = sp_spot_arm(b, &t, far);
            vectors(sp_spot_velocity(a, &s_arm), sp_spot_velocity(b, &t_arm), 10.0);
            vectors(sp_spot_bias(a, &s_arm), sp_spot_bias(b, &t_arm), 100.0);
            const sp_path *p = &a->path[0], *o = &b->path[0];
            const int n = sp_spot_columns(&x.m, a, &s_arm, p->sup, p->v, p->w);
            int m = sp_spot_columns(plain.m, b, &t_arm, o->sup, o->v, o->w);
            int skip = 0; /* A has the rider's coordinate on its way, which does not move it */
            if (i == A) {
                assert_int_equal(p->sup[0], plain.m->body[P].dof);
                vectors(p->v[0], (sp_vec3){0.0, 0.0, 0.0}, 1.0);
                skip = 1;
            }
            assert_int_equal(n, m + skip);
            for (int k = 0; k < m; k++) {
                assert_int_equal(p->sup[k + skip], o->sup[k]);
                vectors(p->v[k + skip], o->v[k], 10.0);
                vectors(p->w[k + skip], o->w[k], 1.0);
            }
        }
        sp_work_free(x.c.w);
        machine_free(&plain);
    }
    print_message("worst relative difference %.1e\n", check_worst());
}

/* Rows of contacts of the rider and of a body that hangs on it. */
static void contacts_have_the_same_rows(void **ctx)
{
    (void)ctx;
    rng r = {4102};
    for (int c = 0; c < MACHINES * check_cases(20, 300); c++) {
        static mixed x;
        machine plain = plain_of(c % MACHINES);
        double q[DOFS], u[DOFS];
        without(&plain, &x);
        shake(plain.m, &r, q, u);
        machine_touch(&x.c, q, u, INFINITY);
        machine_touch(&plain, q, u, INFINITY);
        const sp_con *a = &x.c.w->con, *b = &plain.w->con;
        assert_int_equal(a->n_row, b->n_row);
        for (int k = 0; k < b->n_active; k++) {
            double w_bar[2][SP_SET_DIM_MAX];
            assert_int_equal(a->n_sup[k], b->n_sup[k]);
            assert_memory_equal(sp_con_sup(a, k), sp_con_sup(b, k),
                                (size_t)b->n_sup[k] * sizeof(int));
            assert_near_scaled(a->g[b->active[k]], b->g[b->active[k]], 10.0, TOL);
            for (int row = b->row[k]; row < b->row[k + 1]; row++) {
                compare(b->n_sup[k], sp_con_row(a, a->W, row), sp_con_row(b, b->W, row));
            }
            sp_con_slot_bias(&x.m, x.c.num, a, b->active[k], w_bar[0]);
            sp_con_slot_bias(plain.m, plain.num, b, b->active[k], w_bar[1]);
            compare(plain.m->dim, w_bar[0], w_bar[1]);
        }
        sp_work_free(x.c.w);
        machine_free(&plain);
    }
}

/* Acceleration of a mark, as outputs show it. */
static void accelerate_mark(const sp_tangent *t, const sp_mark *mark, double acc[3])
{
    sp_vec3 origin[BODIES], alpha[BODIES];
    const sp_loads loads = {.acc = origin, .alpha = alpha, .a = t->at.a};
    const sp_signal_source from = {.kin = t->at.kin, .loads = &loads};
    for (int i = 0; i < t->m->n_body; i++) {
        origin[i] = t->body[i].a0.v;
        alpha[i] = t->body[i].alpha0.v;
    }
    for (int k = 0; k < 3; k++) {
        const sp_signal s = {.kind = (sp_signal_kind)(SP_SIG_AX + k), .mark = *mark};
        acc[k] = sp_signal_value(&s, &from);
    }
}

/* M a - h at (q, u, a) with its slope along (dq, du); then the acceleration of a mark. */
static void invert(machine *c, const double *q, const double *u, const double *a, const double *dq,
                   const double *du, const sp_mark *mark, double *r, double *slope)
{
    sp_arena arena;
    sp_tangent tangent;
    sp_arena_init(&arena, NULL, 0);
    assert_true(sp_tangent_alloc(&arena, c->m, &tangent));
    machine_move(c, q, u);
    const sp_tangent_at at = {0.3, q, u, a, NULL, &c->w->kin};
    sp_tangent_begin(c->m, c->num, &at, dq, du, &tangent);
    sp_tangent_end(&tangent);
    for (int k = 0; k < c->m->n_dof; k++) {
        r[k] = tangent.r[k].v;
        slope[k] = tangent.r[k].d;
    }
    accelerate_mark(&tangent, mark, r + c->m->n_dof);
    sp_arena_free(&arena);
}

/* The kind gives no derivatives: those of its functions are differences, theory (69.1). */
static void small_motions_are_those_of_plain_bodies(void **ctx)
{
    (void)ctx;
    rng r = {4104};
    for (int c = 0; c < MACHINES * check_cases(20, 300); c++) {
        static mixed x;
        machine plain = plain_of(c % MACHINES);
        const int n = plain.m->n_dof;
        double q[DOFS], u[DOFS], a[DOFS], dq[DOFS], du[DOFS], res[2][DOFS + 3], slope[2][DOFS];
        without(&plain, &x);
        shake(plain.m, &r, q, u);
        for (int k = 0; k < n; k++) {
            a[k] = rng_in(&r, -5.0, 5.0);
            dq[k] = c % 3 == 1 ? 0.0 : rng_in(&r, -1.0, 1.0);
            du[k] = c % 3 == 2 ? 0.0 : rng_in(&r, -1.0, 1.0);
        }
        sp_mark mark = {.body = P, .at = {0.3, -0.2, plain.m->dim == 3 ? 0.4 : 0.0}};
        invert(&plain, q, u, a, dq, du, &mark, res[1], slope[1]);
        move_mark(&plain.num->body[P].mark, &mark);
        invert(&x.c, q, u, a, dq, du, &mark, res[0], slope[0]);
        compare(n + 3, res[0], res[1]);
        double size = 1.0;
        for (int k = 0; k < n; k++) {
            size = fmax(size, fmax(fabs(slope[1][k]), fabs(res[1][k])));
        }
        for (int k = 0; k < n; k++) {
            assert_near_scaled(slope[0][k], slope[1][k], size, SLOPE_TOL);
        }
        sp_work_free(x.c.w);
        machine_free(&plain);
    }
    print_message("worst relative difference %.1e\n", check_worst());
}

/* Lines of the ledger: forces, the spring of the rider or the body that it is part of, gravity. */
static void compare_lines(machine *both[2], sp_state *s[2])
{
    double line[2][SP_LINE_COLUMNS * (FORCES + 4)];
    const int n = both[1]->m->n_line;
    assert_int_equal(both[0]->m->n_line, n);
    for (int k = 0; k < 2; k++) {
        sp_work *w = both[k]->w;
        machine_move(both[k], s[k]->q, s[k]->u);
        sp_dyn_lines(both[k]->m, both[k]->num, &w->kin, &(sp_at){s[k]->t, s[k]->q, s[k]->u},
                     s[k]->book, &w->dyn, line[k]);
    }
    for (int k = 0; k < n * SP_LINE_COLUMNS; k++) {
        assert_near_scaled(line[0][k], line[1][k], 100.0, 1e-10);
    }
}

/* Both fall, swing and hit the floor. */
static void runs_are_the_same(void **ctx)
{
    (void)ctx;
    rng r = {4103};
    int n_impact = 0;
    for (int c = 0; c < MACHINES; c++) {
        static mixed x;
        machine plain = plain_of(c);
        sp_state *s[2];
        sp_error err = {.status = SP_OK};
        without(&plain, &x);
        machine *both[2] = {&x.c, &plain};
        assert_int_equal(sp_state_new(plain.m, NULL, &s[0], &err), SP_OK);
        assert_int_equal(sp_state_new(plain.m, NULL, &s[1], &err), SP_OK);
        shake(plain.m, &r, s[0]->q, s[0]->u);
        memcpy(s[1]->q, s[0]->q, (size_t)plain.m->n_q * sizeof(double));
        memcpy(s[1]->u, s[0]->u, (size_t)plain.m->n_dof * sizeof(double));
        for (int k = 0; k < 2; k++) {
            s[k]->numbers = both[k]->num;
            s[k]->fresh = false;
            for (int step = 0; step < 300; step++) {
                assert_int_equal(
                    sp_step(both[k]->m, s[k], both[k]->w, SP_METHOD_MOREAU, 1e-3, NULL, &err),
                    SP_OK);
            }
        }
        for (int k = 0; k < plain.m->n_q; k++) {
            assert_near_scaled(s[0]->q[k], s[1]->q[k], 10.0, 1e-10);
        }
        const sp_ledger *a = &s[0]->ledger, *b = &s[1]->ledger;
        assert_near_scaled(a->kinetic + a->potential, b->kinetic + b->potential, 100.0, 1e-10);
        assert_int_equal(s[0]->n_impact, s[1]->n_impact);
        compare_lines(both, s);
        n_impact += s[1]->n_impact;
        sp_state_free(s[0]);
        sp_state_free(s[1]);
        sp_work_free(x.c.w);
        machine_free(&plain);
    }
    assert_true(n_impact > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mass_forces_and_energies_are_those_of_plain_bodies),
        cmocka_unit_test(points_move_as_those_of_plain_bodies),
        cmocka_unit_test(contacts_have_the_same_rows),
        cmocka_unit_test(small_motions_are_those_of_plain_bodies),
        cmocka_unit_test(runs_are_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
