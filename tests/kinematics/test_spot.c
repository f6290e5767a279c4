/* Material points and spins, the same names in the plane and in space; signals of bodies in space.
 * theory (2.6), (2.7), (2.13), (2.17) */
#include "kinematics/signal.h"
#include "support/space.h"
#include "support/tree.h"

#define TOL 1e-12

static const double local[3] = {0.3, -0.7, 0.4};

static void near_vector(sp_vec3 a, double x, double y, double z, double size)
{
    assert_near_scaled(a.x, x, size, TOL);
    assert_near_scaled(a.y, y, size, TOL);
    assert_near_scaled(a.z, z, size, TOL);
}

static void points_in_space_move_as_their_places_say(void **ctx)
{
    (void)ctx;
    rng r = {931};
    static space s;
    static pose3 p[SPACE_BODIES + 1];
    for (int c = 0; c < check_cases(100, 2000); c++) {
        space_random(&s, &r, 1 + rng_int(&r, 15), 0.5, -1);
        space_move(&s, s.q, s.u);
        space_poses(&s, s.q, s.u, NULL, p);
        for (int i = 0; i < s.m.n_body; i++) {
            jet x[3], w[3];
            pose3_point(&p[i], local, x);
            pose3_spin(&p[i], w);
            const sp_vec3 at = point_place(&s.kin, i, sp_vec3_of(local));
            near_vector(at, x[0].c[0], x[1].c[0], x[2].c[0], 10.0);
            near_vector(point_velocity(&s.kin, i, at), x[0].c[1], x[1].c[1], x[2].c[1], 30.0);
            near_vector(point_bias(&s.kin, i, at), 2.0 * x[0].c[2], 2.0 * x[1].c[2],
                        2.0 * x[2].c[2], 300.0);
            near_vector(point_spin(&s.kin, i), w[0].c[0], w[1].c[0], w[2].c[0], 10.0);
            near_vector(point_spin_bias(&s.kin, i), w[0].c[1], w[1].c[1], w[2].c[1], 100.0);
            double pose_x[3], pose_q[4];
            sp_spot_pose(&s.kin, i, pose_x, pose_q);
            const sp_rot3 R = sp_rot3_of_quat(sp_quat_of(pose_q));
            const sp_vec3 again = sp_add3(sp_vec3_of(pose_x), sp_rotate3(R, sp_vec3_of(local)));
            near_vector(again, at.x, at.y, at.z, 10.0);
            assert_near(sp_quat_norm2(sp_quat_of(pose_q)), 1.0, 1e-15);
        }
        space_free(&s);
    }
    print_message("points: worst relative difference %.1e\n", check_worst());
}

/* Every signal of a body against the jets: values, and velocities as their rates. */
static void signals_of_bodies_in_space_are_their_components(void **ctx)
{
    (void)ctx;
    rng r = {932};
    static space s;
    static pose3 p[SPACE_BODIES + 1];
    for (int c = 0; c < check_cases(50, 1000); c++) {
        space_random(&s, &r, 1 + rng_int(&r, 6), 0.5, -1);
        space_move(&s, s.q, s.u);
        space_poses(&s, s.q, s.u, NULL, p);
        const sp_signal_source from = {.kin = &s.kin, .q = s.q, .u = s.u};
        const int i = 1 + rng_int(&r, s.m.n_body - 1);
        static const sp_signal_kind place[3] = {SP_SIG_X, SP_SIG_Y, SP_SIG_Z};
        static const sp_signal_kind speed[3] = {SP_SIG_VX, SP_SIG_VY, SP_SIG_VZ};
        jet x[3], w[3];
        pose3_point(&p[i], local, x);
        pose3_spin(&p[i], w);
        for (int k = 0; k < 3; k++) {
            sp_signal g = {.kind = place[k],
                           .index = i,
                           .mark = {.body = i, .at = {local[0], local[1], local[2]}}};
            assert_near_scaled(sp_signal_value(&g, &from), x[k].c[0], 10.0, TOL);
            g.kind = speed[k];
            assert_near_scaled(sp_signal_value(&g, &from), x[k].c[1], 30.0, TOL);
            g.kind = (sp_signal_kind)(SP_SIG_OMEGA_X + k);
            assert_near_scaled(sp_signal_value(&g, &from), w[k].c[0], 10.0, TOL);
            g.kind = (sp_signal_kind)(SP_SIG_OMEGA_OWN_X + k);
            double own = 0.0;
            for (int j = 0; j < 3; j++) {
                own += p[i].R[j][k].c[0] * w[j].c[0];
                sp_signal e = {
                    .kind = (sp_signal_kind)(SP_SIG_EX_X + 3 * k + j), .index = i, .mark.body = i};
                assert_near(sp_signal_value(&e, &from), p[i].R[j][k].c[0], TOL);
            }
            assert_near_scaled(sp_signal_value(&g, &from), own, 10.0, TOL);
            g.kind = SP_SIG_PHI; /* angles of bodies are a matter of the plane */
            assert_true(isnan(sp_signal_value(&g, &from)));
        }
        space_free(&s);
    }
}

/* The accessors on planar models give the planar functions with z = 0. */
static void points_in_the_plane_are_points_in_space_with_z_zero(void **ctx)
{
    (void)ctx;
    rng r = {933};
    for (int c = 0; c < check_cases(40, 500); c++) {
        static tree t;
        static pose p[TREE_BODIES + 1];
        double q[TREE_DOFS], u[TREE_DOFS];
        t = tree_random(&r, 1 + rng_int(&r, 12), 0.5);
        machine m = tree_compile(&t, &r);
        const sp_kin *kin = &m.w->kin;
        random_motion(&r, t.n_dof, q, u, NULL);
        machine_move(&m, q, u);
        tree_poses(&t, q, u, NULL, p);
        for (int i = 0; i < t.n; i++) {
            const int body = t.body[i].body;
            const jet2 x = pose_point(&p[i], local[0], local[1]);
            const sp_vec3 at = point_place(kin, body, sp_vec3_of(local));
            near_vector(at, x.x.c[0], x.y.c[0], 0.0, 30.0);
            near_vector(point_velocity(kin, body, at), x.x.c[1], x.y.c[1], 0.0, 30.0);
            near_vector(point_bias(kin, body, at), 2.0 * x.x.c[2], 2.0 * x.y.c[2], 0.0, 300.0);
            near_vector(point_spin(kin, body), 0.0, 0.0, p[i].phi.c[1], 1.0);
            near_vector(point_spin_bias(kin, body), 0.0, 0.0, 0.0, 1.0);
            const sp_rot3 R = point_axes(kin, body);
            near_vector(R.x, p[i].c.c[0], p[i].s.c[0], 0.0, 1.0);
            near_vector(R.y, -p[i].s.c[0], p[i].c.c[0], 0.0, 1.0);
            double pose_x[3], pose_q[4];
            sp_spot_pose(kin, body, pose_x, pose_q);
            assert_near(2.0 * pose_q[0] * pose_q[3], p[i].s.c[0], TOL); /* sin phi */
            assert_true(pose_q[1] == 0.0 && pose_q[2] == 0.0 && pose_x[2] == 0.0);
            for (int k = m.m->body[body].last_dof; k != SP_NONE; k = m.m->dof[k].parent) {
                static pose e_p[TREE_BODIES + 1];
                double e[TREE_DOFS] = {0.0};
                e[k] = 1.0;
                tree_poses(&t, q, e, NULL, e_p);
                const jet2 y = pose_point(&e_p[i], local[0], local[1]);
                near_vector(point_column(m.m, kin, k, at), y.x.c[1], y.y.c[1], 0.0, 30.0);
                near_vector(point_spin_column(m.m, kin, k), 0.0, 0.0, e_p[i].phi.c[1], 1.0);
            }
        }
        machine_free(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_in_space_move_as_their_places_say),
        cmocka_unit_test(signals_of_bodies_in_space_are_their_components),
        cmocka_unit_test(points_in_the_plane_are_points_in_space_with_z_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
