/* model/build_inertia.c - every motion must move inertia, or the mass matrix is singular.
 *
 * The tree is placed with joint coordinates that are nowhere special, and the articulated inertia
 * of every body is formed from the leaves to the ground [Featherstone 2008, chapter 7]: D = S^T I S
 * is what a degree of freedom feels while all those beyond it give way.  If one D vanishes there, M
 * is singular wherever the machine is.  O(n).  That M may become singular at special places is left
 * to the factorisation.  A prescribed degree of freedom needs no inertia: it does not give way. */
#include "model/build_parts.h"

#include <string.h>

/* Symmetric matrices for twists (omega, v) at a body's origin, world axes. */
typedef struct inertia6 {
    double a[6][6];
} inertia6;

typedef struct pose {
    sp_vec3 x; /* origin */
    sp_rot3 R;
} pose;

static const double tiny = 1e-13; /* of D against the size of what it was subtracted from */

/* [r x] */
static void cross_matrix(sp_vec3 r, double a[3][3])
{
    const double m[3][3] = {{0.0, -r.z, r.y}, {r.z, 0.0, -r.x}, {-r.y, r.x, 0.0}};
    memcpy(a, m, sizeof m);
}

/* A body and its joint in space; what the plane does not know is zero. */
typedef struct shape {
    sp_vec3 at, from, center;
    sp_rot3 turn;
    sp_sym3 J;
} shape;

static shape shape_of(const sp_build *b, int i)
{
    const sp_body_numbers *n = &b->body_numbers[i];
    const sp_space_numbers *in_space = b->dim == 3 ? &b->space[i] : NULL;
    if (in_space) {
        return (shape){sp_vec3_of(n->mark.at), sp_vec3_of(in_space->from),
                       sp_vec3_of(in_space->center), sp_rot3_of(n->mark.axes),
                       sp_sym3_of(in_space->inertia)};
    }
    return (shape){.at = {n->mark.at[0], n->mark.at[1], 0.0},
                   .from = {n->from[0], n->from[1], 0.0},
                   .center = {n->center[0], n->center[1], 0.0},
                   .turn = sp_rot3_about((sp_vec3){0.0, 0.0, 1.0}, cos(n->turn), sin(n->turn)),
                   .J = {.zz = n->inertia}};
}

/* The axis of degree of freedom k of a body in the axes of its joint. */
static sp_vec3 axis_of(const sp_build *b, int i, int k, const shape *s)
{
    const sp_body *body = &b->body[i];
    const double *on_parent = b->body_numbers[i].axis[k < body->n_slide ? k : 0];
    if (sp_body_follows(b->body, i, body->dof + k)) {
        return sp_rotate_back3(s->turn, (sp_vec3){1.0, 0.0, 0.0});
    }
    if (b->dim == 3) {
        return sp_vec3_of(b->dof_numbers[body->dof + k].axis);
    }
    return k < body->n_slide ? sp_rotate_back3(s->turn, (sp_vec3){on_parent[0], on_parent[1], 0.0})
                             : (sp_vec3){0.0, 0.0, 1.0};
}

/* Rigid body about its origin:  v_c = v + omega x c. */
static inertia6 rigid(double mass, const shape *s, sp_rot3 R)
{
    inertia6 I = {{{0.0}}};
    const sp_vec3 c = sp_rotate3(R, s->center);
    const sp_sym3 J = sp_sym3_shift(sp_sym3_turned(R, s->J), sp_scale3(0.5 * mass, c), c);
    const double own[3][3] = {{J.xx, J.xy, J.xz}, {J.xy, J.yy, J.yz}, {J.xz, J.yz, J.zz}};
    double cross[3][3];
    cross_matrix(c, cross);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            I.a[i][j] = own[i][j];
            I.a[i][3 + j] = mass * cross[i][j];
            I.a[3 + j][i] = mass * cross[i][j];
        }
        I.a[3 + i][3 + i] = mass;
    }
    return I;
}

/* sum += X^T I X with X from the twist at a point to the one at point + r:  v -> v - r x omega. */
static void shift_onto(const inertia6 *I, sp_vec3 r, inertia6 *sum)
{
    double X[6][6] = {{0.0}}, cross[3][3], IX[6][6];
    cross_matrix(r, cross);
    for (int i = 0; i < 3; i++) {
        X[i][i] = X[3 + i][3 + i] = 1.0;
        for (int j = 0; j < 3; j++) {
            X[3 + i][j] = -cross[i][j];
        }
    }
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            IX[i][j] = 0.0;
            for (int k = 0; k < 6; k++) {
                IX[i][j] += I->a[i][k] * X[k][j];
            }
        }
    }
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            for (int k = 0; k < 6; k++) {
                sum->a[i][j] += X[k][i] * IX[k][j];
            }
        }
    }
}

/* U = I S, returns S^T I S. */
static double feel(const inertia6 *I, const double S[6], double U[6])
{
    double D = 0.0;
    for (int i = 0; i < 6; i++) {
        U[i] = 0.0;
        for (int j = 0; j < 6; j++) {
            U[i] += I->a[i][j] * S[j];
        }
        D += S[i] * U[i];
    }
    return D;
}

/* Place a body at joint coordinates that are nowhere special; axis: world direction of each of its
 * degrees of freedom, pivot: where its turns go through. */
static void place_body(const sp_build *b, int i, pose *p, sp_vec3 *axis, sp_vec3 *pivot)
{
    const sp_body *body = &b->body[i];
    const shape s = shape_of(b, i);
    const pose *parent = &p[body->parent];
    const double length = sp_length3(s.at) + sp_length3(s.from);
    sp_rot3 R = sp_rot3_mul(parent->R, s.turn);
    sp_vec3 x = sp_add3(parent->x, sp_rotate3(parent->R, s.at));
    for (int k = 0; k < body->n_dof; k++) {
        const sp_dof *dof = &b->dof[body->dof + k];
        const sp_vec3 e = axis_of(b, i, k, &s);
        const double angle = 0.7 + 0.3819660112501051 * i + 0.2 * k;
        axis[k] = sp_rotate3(R, e);
        if (dof->move == SP_MOVE_SLIDE) {
            x = sp_axpy3(x, (0.618 + 0.1 * k) * (length > 0.0 ? length : 1.0), axis[k]);
        } else if (dof->move == SP_MOVE_BALL && dof->part == 0) {
            const sp_vec3 turn = {angle, 0.5 * angle, 0.3 - angle};
            R = sp_rot3_mul(R, sp_rot3_of_quat(sp_quat_exp(turn)));
        } else if (dof->move != SP_MOVE_BALL) {
            R = sp_rot3_mul(R, sp_rot3_about(e, cos(angle), sin(angle)));
        }
    }
    *pivot = x;
    p[i] = (pose){sp_sub3(x, sp_rotate3(R, s.from)), R};
    for (int k = 0; k < body->n_dof; k++) {
        const sp_dof *dof = &b->dof[body->dof + k];
        const sp_vec3 own[] = {R.x, R.y, R.z};
        axis[k] = dof->move == SP_MOVE_BALL ? own[dof->part] : axis[k];
    }
}

/* The twist of a body's origin for unit velocity of a degree of freedom. */
static void motion(const sp_dof *dof, double pitch, sp_vec3 axis, sp_vec3 arm, double S[6])
{
    const bool slide = dof->move == SP_MOVE_SLIDE;
    const sp_vec3 omega = slide ? (sp_vec3){0.0, 0.0, 0.0} : axis;
    const double along = slide ? 1.0 : dof->move == SP_MOVE_SCREW ? pitch : 0.0;
    const sp_vec3 v = sp_axpy3(sp_cross3(omega, arm), along, axis);
    const double twist[] = {omega.x, omega.y, omega.z, v.x, v.y, v.z};
    memcpy(S, twist, sizeof twist);
}

/* Let the joint of body i give way, last degree of freedom first:  I -= U U^T / D.  whole is I
 * before the joints of the children gave way.  Returns a degree of freedom that moves nothing,
 * SP_NONE if there is none. */
static int give_way(const sp_build *b, int i, const sp_vec3 *axis, sp_vec3 arm, inertia6 *I,
                    const inertia6 *whole)
{
    inertia6 before = *whole;
    const sp_body *body = &b->body[i];
    int wrong = SP_NONE;
    for (int k = body->n_dof - 1; k >= 0; k--) {
        const sp_dof *dof = &b->dof[body->dof + k];
        double S[6], U[6], unused[6];
        if (dof->motion != SP_NONE) {
            continue; /* it does not give way */
        }
        motion(dof, b->dof_numbers[body->dof + k].pitch, axis[k], arm, S);
        const double D = feel(I, S, U), size = feel(&before, S, unused);
        if (!(D > tiny * size)) {
            wrong = body->dof + k;
            continue;
        }
        before = *I;
        for (int r = 0; r < 6; r++) {
            for (int c = 0; c < 6; c++) {
                I->a[r][c] -= U[r] * U[c] / D;
            }
        }
    }
    return wrong;
}

/* By body a degree of freedom that moves nothing. */
static void find_wrong(sp_build *b, int *wrong)
{
    const int n = b->m->n_body;
    pose *p = SP_BUILD_NEW(b, &b->scratch, pose, n);
    sp_vec3 *axis = SP_BUILD_NEW(b, &b->scratch, sp_vec3, b->m->n_dof + SP_MOVE_MAX);
    sp_vec3 *pivot = SP_BUILD_NEW(b, &b->scratch, sp_vec3, n);
    inertia6 *I = SP_BUILD_NEW(b, &b->scratch, inertia6, n);     /* articulated                 */
    inertia6 *whole = SP_BUILD_NEW(b, &b->scratch, inertia6, n); /* before the children gave way */
    if (b->no_memory) {
        return;
    }
    p[SP_GROUND] = (pose){{0.0, 0.0, 0.0}, sp_rot3_one()};
    for (int i = 1; i < n; i++) {
        place_body(b, i, p, axis + b->body[i].dof, &pivot[i]);
    }
    for (int i = n - 1; i > 0; i--) {
        const sp_body *body = &b->body[i];
        const shape s = shape_of(b, i);
        const inertia6 own = rigid(b->body_numbers[i].mass, &s, p[i].R);
        for (int k = 0; k < 36; k++) {
            I[i].a[k / 6][k % 6] += own.a[k / 6][k % 6];
            whole[i].a[k / 6][k % 6] += own.a[k / 6][k % 6];
        }
        const sp_vec3 r = sp_sub3(p[i].x, p[body->parent].x);
        shift_onto(&I[i], r, &whole[body->parent]);
        wrong[i] = give_way(b, i, axis + body->dof, sp_sub3(p[i].x, pivot[i]), &I[i], &whole[i]);
        shift_onto(&I[i], r, &I[body->parent]);
    }
}

/* Report a degree of freedom that moves nothing. */
static void report(sp_build *b, int dof)
{
    const sp_body *body = &b->body[b->dof[dof].body];
    const sp_family *f = b->plan[b->plan_of[b->dof[dof].body]].family;
    sp_build_error(
        b, f->node->key_place, 0,
        "body '%s': nothing with %s moves with %s, the mass matrix is singular; give the "
        "body (or what hangs on it) %s",
        body->name, b->dof[dof].slide == SP_NONE ? "inertia" : "mass", b->dof[dof].name,
        b->dof[dof].slide == SP_NONE ? "an inertia" : "a mass");
}

/* Report wrong bodies in the order of the file; of an array the first. */
static void report_all(sp_build *b, const int *wrong)
{
    for (int i = 0; i < b->n_family; i++) {
        const sp_family *f = &b->family[i];
        for (int k = 0; k < f->n && f->kind == SP_PART_BODY; k++) {
            const int dof = wrong[b->plan[f->first + k].body];
            if (dof != SP_NONE) {
                report(b, dof);
                break;
            }
        }
    }
}

void sp_build_inertia(sp_build *b)
{
    int *wrong = SP_BUILD_NEW(b, &b->scratch, int, b->m->n_body);
    if (b->diag->n_error > 0 || !wrong) {
        return; /* what is missing may be what was wrong */
    }
    wrong[SP_GROUND] = SP_NONE;
    find_wrong(b, wrong);
    if (!b->no_memory) {
        report_all(b, wrong);
    }
}
