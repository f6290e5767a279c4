/* model/build_inertia.c - every motion must move inertia, or the mass matrix is singular.
 *
 * The tree is placed with joint coordinates that are nowhere special, and the articulated inertia
 * of every body is formed from the leaves to the ground [Featherstone 2008, chapter 7]: D = S^T I S
 * is what a degree of freedom feels while all those beyond it give way.  If one D vanishes there, M
 * is singular wherever the machine is.  O(n).  That M may become singular at special places is left
 * to the factorisation.  A prescribed degree of freedom needs no inertia: it does not give way. */
#include "math/plane.h"
#include "model/build_parts.h"

/* Symmetric matrices for twists (omega, v_x, v_y) at a body's origin. */
typedef struct inertia {
    double a[3][3];
} inertia;

typedef struct pose {
    sp_vec x; /* origin  */
    sp_rot R;
    double phi;
    sp_vec pivot; /* of the joint that carries the body */
} pose;

static const double tiny = 1e-13; /* of D against the size of what it was subtracted from */

/* Rigid body about its origin:  v_c = v + omega x c. */
static inertia rigid(const sp_body_numbers *n, sp_rot R)
{
    const sp_vec c = sp_rotate(R, sp_vec_of(n->center));
    const double m = n->mass;
    return (inertia){{{n->inertia + m * sp_inner(c, c), -m * c.y, m * c.x},
                      {-m * c.y, m, 0.0},
                      {m * c.x, 0.0, m}}};
}

/* sum += X^T I X with X from the twist at a point to the one at point + r. */
static void shift_onto(const inertia *I, sp_vec r, inertia *sum)
{
    const double X[3][3] = {{1.0, 0.0, 0.0}, {-r.y, 1.0, 0.0}, {r.x, 0.0, 1.0}};
    double IX[3][3];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            IX[i][j] = I->a[i][0] * X[0][j] + I->a[i][1] * X[1][j] + I->a[i][2] * X[2][j];
        }
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            sum->a[i][j] += X[0][i] * IX[0][j] + X[1][i] * IX[1][j] + X[2][i] * IX[2][j];
        }
    }
}

/* U = I S, returns S^T I S. */
static double feel(const inertia *I, const double S[3], double U[3])
{
    for (int i = 0; i < 3; i++) {
        U[i] = I->a[i][0] * S[0] + I->a[i][1] * S[1] + I->a[i][2] * S[2];
    }
    return S[0] * U[0] + S[1] * U[1] + S[2] * U[2];
}

/* Where the bodies are if the coordinates have no special values. */
static void place_bodies(const sp_build *b, pose *p)
{
    p[SP_GROUND] = (pose){.R = {1.0, 0.0}};
    for (int i = 1; i < b->m->n_body; i++) {
        const sp_body *body = &b->body[i];
        const sp_body_numbers *n = &b->body_numbers[i];
        const pose *parent = &p[body->parent];
        const double length = hypot(n->mark.at[0], n->mark.at[1]) + hypot(n->from[0], n->from[1]);
        const double slide = length > 0.0 ? length : 1.0;
        sp_vec on_parent = sp_vec_of(n->mark.at);
        for (int k = 0; k < body->n_slide; k++) {
            on_parent = sp_axpy(on_parent, (0.618 + 0.1 * k) * slide, sp_vec_of(n->axis[k]));
        }
        p[i].pivot = sp_add(parent->x, sp_rotate(parent->R, on_parent));
        p[i].phi = parent->phi + n->turn + (body->turns ? 0.7 + 0.3819660112501051 * i : 0.0);
        p[i].R = sp_rot_of(p[i].phi);
        p[i].x = sp_sub(p[i].pivot, sp_rotate(p[i].R, sp_vec_of(n->from)));
    }
}

/* The twist of a body's origin for unit velocity of its k-th degree of freedom. */
static void motion(const sp_build *b, const pose *p, int i, int k, double S[3])
{
    const sp_body *body = &b->body[i];
    if (k < body->n_slide) {
        const sp_vec axis = sp_rotate(p[body->parent].R, sp_vec_of(b->body_numbers[i].axis[k]));
        S[0] = 0.0;
        S[1] = axis.x;
        S[2] = axis.y;
    } else {
        const sp_vec v = sp_spin_cross(1.0, sp_sub(p[i].x, p[i].pivot));
        S[0] = 1.0;
        S[1] = v.x;
        S[2] = v.y;
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

/* Let the joint of body i give way, last degree of freedom first:  I -= U U^T / D.  whole is I
 * before the joints of the children gave way.  Returns a degree of freedom that moves nothing,
 * SP_NONE if there is none. */
static int give_way(const sp_build *b, const pose *p, int i, inertia *I, const inertia *whole)
{
    inertia before = *whole;
    int wrong = SP_NONE;
    for (int k = b->body[i].n_dof - 1; k >= 0; k--) {
        double S[3], U[3], unused[3];
        if (b->dof[b->body[i].dof + k].motion != SP_NONE) {
            continue; /* it does not give way */
        }
        motion(b, p, i, k, S);
        const double D = feel(I, S, U), size = feel(&before, S, unused);
        if (!(D > tiny * size)) {
            wrong = b->body[i].dof + k;
            continue;
        }
        before = *I;
        for (int r = 0; r < 3; r++) {
            for (int c = 0; c < 3; c++) {
                I->a[r][c] -= U[r] * U[c] / D;
            }
        }
    }
    return wrong;
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

/* Find the degrees of freedom of the plane that move nothing. */
static void check_plane(sp_build *b, int *wrong)
{
    const int n = b->m->n_body;
    pose *p = SP_BUILD_NEW(b, &b->scratch, pose, n);
    inertia *I = SP_BUILD_NEW(b, &b->scratch, inertia, n);     /* articulated                 */
    inertia *whole = SP_BUILD_NEW(b, &b->scratch, inertia, n); /* before the children gave way */
    if (b->no_memory) {
        return;
    }
    place_bodies(b, p);
    for (int i = n - 1; i > 0; i--) {
        const inertia own = rigid(&b->body_numbers[i], p[i].R);
        for (int k = 0; k < 9; k++) {
            I[i].a[k / 3][k % 3] += own.a[k / 3][k % 3];
            whole[i].a[k / 3][k % 3] += own.a[k / 3][k % 3];
        }
        const sp_vec r = sp_sub(p[i].x, p[b->body[i].parent].x);
        shift_onto(&I[i], r, &whole[b->body[i].parent]);
        wrong[i] = give_way(b, p, i, &I[i], &whole[i]);
        shift_onto(&I[i], r, &I[b->body[i].parent]);
    }
}

void sp_build_inertia(sp_build *b)
{
    int *wrong = SP_BUILD_NEW(b, &b->scratch, int, b->m->n_body);
    if (b->diag->n_error > 0 || !wrong) {
        return; /* what is missing may be what was wrong */
    }
    wrong[SP_GROUND] = SP_NONE;
    if (b->dim == 3) {
        sp_build_inertia_space(b, wrong);
    } else {
        check_plane(b, wrong);
    }
    if (!b->no_memory) {
        report_all(b, wrong);
    }
}
