/* analysis/start_space.c - coordinates and velocities of a machine in space from its start values:
 * bodies absolute, joints relative, the rest zero in the joint. */
#include "analysis/start_parts.h"

#include <string.h>

enum { MOVE_MAX = 6, ROW_MAX = 6 };

/* What the file says about one body and its joint; NULL: nothing. */
typedef struct given {
    const sp_start_value *joint_q[MOVE_MAX], *joint_u[MOVE_MAX];
    const sp_start_value *of[SP_START_COUNT];
} given;

/* Linear equations for at most three unknowns. */
typedef struct equations {
    int n;
    double row[ROW_MAX][3], want[ROW_MAX];
} equations;

/* Sort the start values of the model by body. */
static void collect(const sp_model *m, given *g)
{
    for (int i = 0; i < m->n_start; i++) {
        const sp_start_value *v = &m->start[i];
        if (!sp_start_of_dof(v)) {
            g[v->index].of[v->kind] = v;
            continue;
        }
        if (m->dof[v->index].body == SP_NONE || m->dof[v->index].move == SP_MOVE_SHAPE) {
            continue; /* of no joint */
        }
        const sp_body *body = &m->body[m->dof[v->index].body];
        given *of = &g[m->dof[v->index].body];
        *(v->kind == SP_START_Q ? &of->joint_q[v->index - body->dof]
                                : &of->joint_u[v->index - body->dof]) = v;
    }
}

/* The smallest s with row s = want, row by row (Gram and Schmidt): exact where the rows are
 * independent; what a dependent row misses is found by the caller's check. */
static void least_change(const equations *e, double s[3])
{
    double basis[3][3], part[3];
    int n = 0;
    memset(s, 0, 3 * sizeof *s);
    for (int r = 0; r < e->n && n < 3; r++) {
        double v[3] = {e->row[r][0], e->row[r][1], e->row[r][2]}, rest = e->want[r], length2 = 0.0;
        for (int j = 0; j < n; j++) {
            const double *a = e->row[r], *b = basis[j];
            const double along = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
            for (int k = 0; k < 3; k++) {
                v[k] -= along * b[k];
            }
            rest -= along * part[j];
        }
        for (int k = 0; k < 3; k++) {
            length2 += v[k] * v[k];
        }
        if (length2 > 1e-12) {
            const double length = sqrt(length2);
            for (int k = 0; k < 3; k++) {
                basis[n][k] = v[k] / length;
                s[k] += rest / length * basis[n][k];
            }
            part[n++] = rest / length;
        }
    }
}

static double component(sp_vec3 a, int d)
{
    return d == 0 ? a.x : d == 1 ? a.y : a.z;
}

/* One more equation: the component along e of sum_k column_k s_k shall be `want`. */
static void add_row(equations *e, sp_vec3 direction, int n, const sp_vec3 *column, double want)
{
    for (int k = 0; k < 3; k++) {
        e->row[e->n][k] = k < n ? sp_inner3(direction, column[k]) : 0.0;
    }
    e->want[e->n++] = want;
}

static const sp_vec3 world[] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};

/* ---- coordinates
 * ---------------------------------------------------------------------------------- */

/* Joint coordinates that are given or prescribed; rotations about points as they are asked for. */
static void take_joint(const sp_model *m, const given *g, int i, double *q)
{
    const sp_body *b = &m->body[i];
    for (int k = 0; k < b->n_dof; k++) {
        const sp_dof *dof = &m->dof[b->dof + k];
        if (dof->move == SP_MOVE_BALL && dof->part == 0) {
            const sp_start_value *turn = g->of[SP_START_JOINT_TURN];
            const double one[] = {1.0, 0.0, 0.0, 0.0};
            memcpy(q + dof->q, turn ? turn->turn : one, sizeof one);
        } else if (dof->move != SP_MOVE_BALL && g->joint_q[k]) {
            q[dof->q] = g->joint_q[k]->value;
        }
    }
}

static sp_rot3 axes_of(const sp_kin *kin, int body)
{
    const sp_spot s = sp_spot_origin(kin, body);
    return sp_spot_axes(kin, &s);
}

/* Turn the ball of a body so that the body stands as it shall in the world:  R_J^T R. */
static void turn_ball(const sp_model *m, const sp_start_value *turn, int i, const sp_kin *kin,
                      double *q)
{
    const sp_body *b = &m->body[i];
    const sp_rot3 wanted = sp_rot3_of_quat(sp_quat_of(turn->turn));
    double *into = q + m->dof[b->dof + b->n_dof - 1].q;
    sp_quat_store(sp_quat_of_rot3(sp_rot3_mul_back(axes_of(kin, i), wanted)), into);
}

/* Move the slides so that the body's origin lies where it shall. */
static void reach_place(const sp_model *m, const given *g, int i, const sp_kin *kin, double *q)
{
    static const sp_start_kind kind[] = {SP_START_X, SP_START_Y, SP_START_Z};
    const sp_body *b = &m->body[i];
    equations e = {.n = 0};
    sp_vec3 column[3] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    double s[3];
    for (int k = 0; k < b->n_slide; k++) {
        const bool fixed = g->joint_q[k] || sp_start_holds(m, b->dof + k, false);
        column[k] = fixed ? column[k] : sp_spot_axis(m, kin, b->dof + k).s;
    }
    for (int d = 0; d < 3; d++) {
        const sp_start_value *v = g->of[kind[d]];
        if (v) {
            add_row(&e, world[d], b->n_slide, column,
                    v->value - component(sp_spot_origin(kin, i).x, d));
        }
    }
    least_change(&e, s);
    for (int k = 0; k < b->n_slide; k++) {
        q[m->dof[b->dof + k].q] += s[k];
    }
}

/* Report a rotation that the joint cannot give. */
static void check_turn(const sp_start_value *v, sp_rot3 R, sp_diag *diag)
{
    if (!v) {
        return;
    }
    const sp_rot3 wanted = sp_rot3_of_quat(sp_quat_of(v->turn));
    const sp_quat off = sp_quat_of_rot3(sp_rot3_mul_back(R, wanted));
    const double angle = sp_length3(sp_quat_log(off));
    if (!(angle <= 1e-7)) {
        sp_diag_add(diag, SP_ERROR, v->place,
                    "start: %s cannot be reached by the joint, which is turned away by %g rad; "
                    "leave it out or change the joint",
                    v->name, angle);
    }
}

/* Coordinates of one joint from what is given; the parent is placed already. */
static void place(const sp_model *m, const sp_numbers *num, const given *g, int i, sp_kin *kin,
                  double *q, sp_diag *diag)
{
    take_joint(m, g, i, q);
    sp_kin_place_body(m, num, q, i, kin);
    const sp_start_value *turn = g->of[SP_START_TURN];
    if (turn && !g->of[SP_START_JOINT_TURN]) {
        turn_ball(m, turn, i, kin, q);
        sp_kin_place_body(m, num, q, i, kin);
    }
    reach_place(m, g, i, kin, q);
    sp_kin_place_body(m, num, q, i, kin);
    const sp_vec3 x = sp_spot_origin(kin, i).x;
    sp_start_check(g->of[SP_START_X], x.x, diag);
    sp_start_check(g->of[SP_START_Y], x.y, diag);
    sp_start_check(g->of[SP_START_Z], x.z, diag);
    check_turn(turn, axes_of(kin, i), diag);
}

/* ---- velocities
 * ----------------------------------------------------------------------------------- */

/* How a body moves: its origin and its spin, world axes. */
typedef struct motion {
    sp_vec3 v, omega;
} motion;

static motion motion_of(const sp_kin *kin, int body)
{
    const sp_spot s = sp_spot_origin(kin, body);
    return (motion){sp_spot_velocity(kin, &s), sp_spot_spin(kin, &s)};
}

/* Rates of the turns so that the body's angular velocity is what it shall be. */
static void reach_spin(const sp_model *m, const given *g, int i, const sp_kin *kin, double *u)
{
    const sp_body *b = &m->body[i];
    const sp_rot3 R = axes_of(kin, i);
    const sp_vec3 own[] = {R.x, R.y, R.z}, omega = motion_of(kin, i).omega;
    const int first = b->dof + b->n_slide, n = b->n_dof - b->n_slide;
    equations e = {.n = 0};
    sp_vec3 column[3] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    double s[3];
    for (int k = 0; k < n; k++) {
        const bool fixed = g->joint_u[b->n_slide + k] || sp_start_holds(m, first + k, true);
        column[k] = fixed ? column[k] : sp_spot_axis(m, kin, first + k).w;
    }
    for (int d = 0; d < 6; d++) {
        const sp_start_value *v = g->of[SP_START_OMEGA_X + d];
        const sp_vec3 direction = d < 3 ? world[d] : own[d - 3];
        if (v) {
            add_row(&e, direction, n, column, v->value - sp_inner3(direction, omega));
        }
    }
    least_change(&e, s);
    for (int k = 0; k < n; k++) {
        u[first + k] += s[k];
    }
}

/* Rates of the slides so that the body's origin moves as it shall. */
static void reach_speed(const sp_model *m, const given *g, int i, const sp_kin *kin, double *u)
{
    static const sp_start_kind kind[] = {SP_START_VX, SP_START_VY, SP_START_VZ};
    const sp_body *b = &m->body[i];
    equations e = {.n = 0};
    sp_vec3 column[3] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    double s[3];
    for (int k = 0; k < b->n_slide; k++) {
        const bool fixed = g->joint_u[k] || sp_start_holds(m, b->dof + k, true);
        column[k] = fixed ? column[k] : sp_spot_axis(m, kin, b->dof + k).s;
    }
    for (int d = 0; d < 3; d++) {
        const sp_start_value *v = g->of[kind[d]];
        if (v) {
            add_row(&e, world[d], b->n_slide, column, v->value - component(motion_of(kin, i).v, d));
        }
    }
    least_change(&e, s);
    for (int k = 0; k < b->n_slide; k++) {
        u[b->dof + k] += s[k];
    }
}

/* Velocities of one joint, likewise. */
static void move(const sp_model *m, const given *g, int i, sp_kin *kin, double *u, sp_diag *diag)
{
    const sp_body *b = &m->body[i];
    for (int k = 0; k < b->n_dof; k++) {
        u[b->dof + k] = g->joint_u[k] ? g->joint_u[k]->value : u[b->dof + k];
    }
    sp_kin_move_body(m, u, i, kin);
    reach_spin(m, g, i, kin, u);
    sp_kin_move_body(m, u, i, kin);
    reach_speed(m, g, i, kin, u);
    sp_kin_move_body(m, u, i, kin);
    const motion f = motion_of(kin, i);
    const sp_vec3 own = sp_rotate_back3(axes_of(kin, i), f.omega);
    for (int d = 0; d < 3; d++) {
        sp_start_check(g->of[SP_START_OMEGA_X + d], component(f.omega, d), diag);
        sp_start_check(g->of[SP_START_OMEGA_OWN_X + d], component(own, d), diag);
    }
    sp_start_check(g->of[SP_START_VX], f.v.x, diag);
    sp_start_check(g->of[SP_START_VY], f.v.y, diag);
    sp_start_check(g->of[SP_START_VZ], f.v.z, diag);
}

sp_status sp_start_space(const sp_model *m, sp_state *x, sp_view *view, sp_diag *diag)
{
    given *g = SP_NEW(&view->arena, given, m->n_body);
    if (!g) {
        return SP_E_MEMORY;
    }
    collect(m, g);
    for (int i = 1; i < m->n_body; i++) {
        place(m, x->numbers, &g[i], i, &view->kin, x->q, diag);
        move(m, &g[i], i, &view->kin, x->u, diag);
    }
    return SP_OK;
}
