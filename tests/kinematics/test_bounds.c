/* Bounds of how bodies move: however velocities go to and fro in their intervals, no body leaves an
 * even motion by more.   theory (66.22) */
#include "kinematics/bounds.h"
#include "kinematics/spot.h"
#include "support/check.h"
#include "support/run.h"

enum { PARTS = 200, DOFS = 16, BODIES = 6 };

static const char plane[] =
    "specht: 1\nspace: planar\nunits: off\ngravity: 0\nbodies:\n"
    "  a: {mass: 1, inertia: 1, center: [0.2, 0.1], joint: {revolute: ground, at: [1, 2]}}\n"
    "  b: {mass: 1, inertia: 1, joint: {prismatic: a, at: [0.5, 0.1], axis: [1, 1]}}\n"
    "  c: {mass: 1, inertia: 1, center: [0.3, 0], joint: {revolute: b, at: [0.4, 0.2]}}\n"
    "  d: {mass: 1, inertia: 1}\n";
static const char space[] =
    "specht: 1\nspace: spatial\nunits: off\ngravity: 0\nbodies:\n"
    "  a: {mass: 1, inertia: 1, joint: {spherical: ground, at: [1, 2, 0]}}\n"
    "  b: {mass: 1, inertia: 1, joint: {cylindrical: a, at: [0.5, 0.1, 0.3], axis: [1, 1, 0]}}\n"
    "  c: {mass: 1, inertia: 1, joint: {universal: b, at: [0.4, 0.2, 0.7], axis: [[1, 0, 0], [0, "
    "0, 1]]}}\n"
    "  d: {mass: 1, inertia: 1, joint: {screw: b, at: [0.4, 0, 0], axis: [0, 1, 0], pitch: 0.3}}\n"
    "  e: {mass: 1, inertia: 1}\n";

typedef struct place {
    sp_vec3 x;
    sp_rot3 R;
} place;

/* R^T S */
static sp_rot3 between(sp_rot3 R, sp_rot3 S)
{
    const sp_rot3 back = {{R.x.x, R.y.x, R.z.x}, {R.x.y, R.y.y, R.z.y}, {R.x.z, R.y.z, R.z.z}};
    return sp_rot3_mul(back, S);
}

static sp_vec3 turn(sp_rot3 R)
{
    return sp_quat_log(sp_quat_of_rot3(R));
}

/* A motion of random velocities; the worst deviations over their bounds. */
static void move(const rig *r, rng *g, double dt)
{
    static place at[PARTS + 1][BODIES];
    const sp_model *m = r->m;
    sp_kin *kin = &r->w->kin;
    double mid[DOFS], half[DOFS], u[DOFS], q[2 * DOFS];
    sp_kin_bounds bounds;
    assert_true(sp_kin_bounds_room(&r->w->arena, m, &bounds));
    const sp_kin_bound *bound = bounds.body;
    assert_true(m->n_dof <= DOFS && m->n_body <= BODIES);
    for (int k = 0; k < m->n_dof; k++) {
        mid[k] = rng_in(g, -1.0, 1.0);
        half[k] = rng_flip(g) ? rng_in(g, 0.0, 0.3) : 0.0;
        bounds.u[k] = fabs(mid[k]) + half[k];
        bounds.range[k] = 2.0 * half[k];
    }
    for (int k = 0; k < m->n_q; k++) {
        q[k] = r->x->q[k];
    }
    const int until = rng_int(g, PARTS); /* one way, then the other */
    for (int i = 0; i <= PARTS; i++) {
        sp_kin_positions(m, r->x->numbers, q, kin);
        for (int b = 0; b < m->n_body; b++) {
            const sp_spot o = sp_spot_origin(kin, b);
            at[i][b] = (place){o.x, sp_spot_axes(kin, &o)};
        }
        for (int k = 0; k < m->n_dof; k++) {
            u[k] = mid[k] + (i < until ? half[k] : -half[k]);
        }
        sp_kin_advance(m, dt / PARTS, u, q);
    }
    sp_kin_bound_bodies(m, kin, dt, &bounds);
    for (int b = 1; b < m->n_body; b++) {
        const place *A = &at[0][b], *E = &at[PARTS][b];
        const sp_vec3 whole = turn(between(A->R, E->R));
        const double allowed = dt * dt / 8.0 * bound[b].a + 1e-12;
        const double angle = 4.0 * dt * dt / 8.0 * bound[b].alpha + 1e-12;
        for (int i = 0; i <= PARTS; i++) {
            const double s = (double)i / PARTS, full = sp_length3(whole);
            const sp_vec3 even = sp_add3(sp_scale3(1.0 - s, A->x), sp_scale3(s, E->x));
            sp_rot3 R = A->R;
            if (full > 0.0) {
                R = sp_rot3_mul(
                    R, sp_rot3_about(sp_scale3(1.0 / full, whole), cos(s * full), sin(s * full)));
            }
            assert_true(sp_length3(sp_sub3(at[i][b].x, even)) <= allowed);
            assert_true(sp_length3(turn(between(R, at[i][b].R))) <= angle);
            assert_true(sp_length3(sp_sub3(at[i][b].x, A->x)) <= bound[b].v * dt + 1e-12);
        }
    }
}

static void no_body_leaves_an_even_motion_by_more(void **ctx)
{
    (void)ctx;
    rng g = {66};
    for (int k = 0; k < 2; k++) {
        rig r = rig_of_text("%s", k ? space : plane);
        for (int c = 0; c < check_cases(100, 2000); c++) {
            move(&r, &g, pow(10.0, rng_in(&g, -3.0, -0.2)));
        }
        rig_free(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_body_leaves_an_even_motion_by_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
