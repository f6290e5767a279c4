/* Poses: rotations against matrices made by hand. */
#include "support/check.h"

#include "io/pose.h"

static void a_pose_in_the_plane_turns_about_z(void **ctx)
{
    (void)ctx;
    rng r = {11};
    for (int k = 0; k < 200; k++) {
        const double pose[3] = {rng_in(&r, -2, 2), rng_in(&r, -2, 2), rng_in(&r, -20, 20)};
        const double local[3] = {rng_in(&r, -1, 1), rng_in(&r, -1, 1), rng_in(&r, -1, 1)};
        const double c = cos(pose[2]), s = sin(pose[2]);
        double x[3];
        sp_pose_point(3, pose, local, x);
        assert_near(x[0], pose[0] + c * local[0] - s * local[1], 1e-14);
        assert_near(x[1], pose[1] + s * local[0] + c * local[1], 1e-14);
        assert_near(x[2], local[2], 1e-15);
    }
}

static void a_pose_in_space_turns_as_its_rotation_matrix(void **ctx)
{
    (void)ctx;
    rng r = {12};
    for (int k = 0; k < 200; k++) {
        double q[4], pose[7], size = 0.0, x[3];
        for (int i = 0; i < 4; i++) {
            q[i] = rng_in(&r, -1, 1);
            size += q[i] * q[i];
        }
        for (int i = 0; i < 3; i++) {
            pose[i] = rng_in(&r, -2, 2);
        }
        for (int i = 0; i < 4; i++) { /* of any length: a file may hold a drifted one */
            q[i] /= sqrt(size);
            pose[3 + i] = 1.5 * q[i];
        }
        const double w = q[0], a = q[1], b = q[2], c = q[3];
        const double R[3][3] = {
            {1 - 2 * (b * b + c * c), 2 * (a * b - w * c), 2 * (a * c + w * b)},
            {2 * (a * b + w * c), 1 - 2 * (a * a + c * c), 2 * (b * c - w * a)},
            {2 * (a * c - w * b), 2 * (b * c + w * a), 1 - 2 * (a * a + b * b)}};
        const double v[3] = {rng_in(&r, -1, 1), rng_in(&r, -1, 1), rng_in(&r, -1, 1)};
        sp_pose_point(7, pose, v, x);
        for (int i = 0; i < 3; i++) {
            assert_near(x[i], pose[i] + R[i][0] * v[0] + R[i][1] * v[1] + R[i][2] * v[2], 1e-14);
        }
    }
}

static void between_turns_z_to_every_direction(void **ctx)
{
    (void)ctx;
    rng r = {13};
    for (int k = 0; k < 203; k++) {
        double d[3] = {rng_in(&r, -3, 3), rng_in(&r, -3, 3), rng_in(&r, -3, 3)}, turn[4], x[3];
        if (k >= 200) {
            d[0] = d[1] = 0.0;
            d[2] = k == 200 ? 2.0 : k == 201 ? -2.0 : 0.0;
        }
        const double length = sp_pose_between(d, turn);
        sp_pose_turn(turn, (const double[3]){0.0, 0.0, length}, x);
        assert_near(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2] + turn[3] * turn[3],
                    1.0, 1e-14);
        for (int i = 0; i < 3; i++) {
            assert_near(x[i], d[i], 1e-14);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pose_in_the_plane_turns_about_z),
        cmocka_unit_test(a_pose_in_space_turns_as_its_rotation_matrix),
        cmocka_unit_test(between_turns_z_to_every_direction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
