/* Frames in space against products of homogeneous matrices of jets.   theory (2.10)-(2.16) */
#include "support/space.h"

#include <string.h>

/* Places of trees up to 60 bodies deep reach some 60 m, velocities and bias grow with the number of
 * turns on the way: round-off is measured against the largest of all bodies. */
#define TOL_PLACE 1e-13
#define TOL_RATE  1e-12

static space s;
static pose3 p[SPACE_BODIES + 1];

/* Trees of all sizes; the first cases go through all kinds of joints alone. */
static void set_up(rng *r, int k)
{
    const int n = k < 18 ? 1 + k % 2 : k < 60 ? 1 + rng_int(r, 12) : 1 + rng_int(r, 60);
    space_random(&s, r, n, rng_in(r, 0.0, 1.0), k < 18 ? k / 2 : -1);
    space_move(&s, s.q, s.u);
    space_poses(&s, s.q, s.u, NULL, p);
}

/* The largest coefficient of any place, at least 1. */
static double scale_of(int order)
{
    double size = 1.0;
    for (int i = 0; i < s.m.n_body; i++) {
        for (int k = 0; k < 3; k++) {
            size = fmax(size, fabs(p[i].r[k].c[order]));
        }
    }
    return size;
}

static void compare(sp_vec3 a, const jet b[3], int order, double factor, double size, double tol)
{
    assert_near_scaled(a.x, factor * b[0].c[order], size, tol);
    assert_near_scaled(a.y, factor * b[1].c[order], size, tol);
    assert_near_scaled(a.z, factor * b[2].c[order], size, tol);
}

static void places_are_products_of_homogeneous_matrices(void **ctx)
{
    (void)ctx;
    rng r = {911};
    for (int c = 0; c < check_cases(150, 4000); c++) {
        set_up(&r, c);
        const double size = scale_of(0);
        for (int i = 0; i < s.m.n_body; i++) {
            const sp_frame3 *f = &s.kin.frame3[i];
            const sp_vec3 axis[3] = {f->R.x, f->R.y, f->R.z};
            compare(f->x, p[i].r, 0, 1.0, size, TOL_PLACE);
            for (int j = 0; j < 3; j++) {
                const jet column[3] = {p[i].R[0][j], p[i].R[1][j], p[i].R[2][j]};
                compare(axis[j], column, 0, 1.0, 1.0, TOL_PLACE);
            }
            jet x[3];
            pose3_point(&p[i], s.numbers[i].center, x);
            compare(sp_add3(f->x, f->c), x, 0, 1.0, size, TOL_PLACE);
        }
        space_free(&s);
    }
    print_message("places: worst relative difference %.1e\n", check_worst());
}

static void velocities_are_the_rates_of_the_places(void **ctx)
{
    (void)ctx;
    rng r = {912};
    for (int c = 0; c < check_cases(150, 4000); c++) {
        set_up(&r, c);
        const double size = scale_of(1);
        for (int i = 0; i < s.m.n_body; i++) {
            jet omega[3];
            pose3_spin(&p[i], omega);
            compare(s.kin.frame3[i].v, p[i].r, 1, 1.0, size, TOL_RATE);
            compare(s.kin.frame3[i].omega, omega, 0, 1.0, 10.0, TOL_RATE);
        }
        space_free(&s);
    }
    print_message("velocities: worst relative difference %.1e\n", check_worst());
}

static void bias_accelerations_are_second_derivatives_at_constant_u(void **ctx)
{
    (void)ctx;
    rng r = {913};
    for (int c = 0; c < check_cases(150, 4000); c++) {
        set_up(&r, c);
        const double size = 2.0 * scale_of(2);
        for (int i = 0; i < s.m.n_body; i++) {
            jet omega[3];
            pose3_spin(&p[i], omega);
            compare(s.kin.frame3[i].a0, p[i].r, 2, 2.0, size, TOL_RATE);
            compare(s.kin.frame3[i].alpha0, omega, 1, 1.0, 100.0, TOL_RATE);
        }
        space_free(&s);
    }
    print_message("bias: worst relative difference %.1e\n", check_worst());
}

/* Is the degree of freedom between the body and the ground? */
static bool carries(int k, int body)
{
    int j = s.body[body].last_dof;
    while (j != SP_NONE && j != k) {
        j = s.dof[j].parent;
    }
    return j == k;
}

static void columns_are_velocities_per_unit_of_one_rate(void **ctx)
{
    (void)ctx;
    rng r = {914};
    static const double local[3] = {0.3, -0.7, 0.4};
    for (int c = 0; c < check_cases(60, 800); c++) {
        set_up(&r, c < 36 ? c / 2 : 40);
        const double size = scale_of(0);
        for (int k = 0; k < s.m.n_dof; k++) {
            double e[SPACE_DOFS] = {0.0};
            e[k] = 1.0;
            space_poses(&s, s.q, e, NULL, p);
            for (int i = 0; i < s.m.n_body; i++) {
                jet x[3], omega[3];
                pose3_point(&p[i], local, x);
                pose3_spin(&p[i], omega);
                if (carries(k, i)) {
                    const sp_vec3 place = {x[0].c[0], x[1].c[0], x[2].c[0]};
                    compare(point_column(&s.m, &s.kin, k, place), x, 1, 1.0, size, TOL_PLACE);
                    compare(point_spin_column(&s.m, &s.kin, k), omega, 0, 1.0, 1.0, TOL_PLACE);
                } else { /* the list of ancestors leaves out nothing that moves the body */
                    for (int j = 0; j < 3; j++) {
                        assert_true(x[j].c[1] == 0.0 && fabs(omega[j].c[0]) == 0.0);
                    }
                }
            }
        }
        space_free(&s);
    }
    print_message("columns: worst relative difference %.1e\n", check_worst());
}

/* By hand: a universal joint with axes x, then y.  After a quarter turn about x the second axis
 * points along z, so that a quarter about it takes the body's x axis to world y. */
static void the_second_axis_of_a_universal_joint_is_carried_by_the_first(void **ctx)
{
    (void)ctx;
    static const double one[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    rng r = {915};
    space_begin(&s);
    space_add(&s, &r, 0, SP_JOINT_UNIVERSAL);
    space_finish(&s);
    memcpy(s.mass[1].mark.axes, one, sizeof one);
    memcpy(s.dof_numbers[0].axis, one, 3 * sizeof *one);
    memcpy(s.dof_numbers[1].axis, one + 3, 3 * sizeof *one);
    const double quarter = acos(0.0), q[2] = {quarter, quarter}, u[2] = {2.0, 3.0};
    space_move(&s, q, u);
    const sp_frame3 *f = &s.kin.frame3[1];
    assert_near(s.kin.axis3[1].w.z, 1.0, 1e-15);
    assert_near(f->R.x.y, 1.0, 1e-15);
    assert_near(f->omega.x, 2.0, 1e-15);
    assert_near(f->omega.z, 3.0, 1e-15);
    assert_near(f->alpha0.y, -6.0, 1e-15); /* 2 e_x x 3 e_z */
    space_free(&s);
}

static void one_body_at_a_time_gives_the_same_bits_as_all_at_once(void **ctx)
{
    (void)ctx;
    rng r = {916};
    static sp_frame3 all[SPACE_BODIES + 1];
    for (int c = 0; c < check_cases(30, 300); c++) {
        set_up(&r, 30 + c);
        memcpy(all, s.kin.frame3, (size_t)s.m.n_body * sizeof *all);
        for (int i = 1; i < s.m.n_body; i++) {
            s.kin.frame3[i].x = s.kin.frame3[i].v = (sp_vec3){NAN, NAN, NAN};
            sp_kin_place_body(&s.m, &s.m.numbers, s.q, i, &s.kin);
            sp_kin_move_body(&s.m, s.u, i, &s.kin);
            assert_memory_equal(&s.kin.frame3[i].x, &all[i].x, sizeof(sp_vec3));
            assert_memory_equal(&s.kin.frame3[i].R, &all[i].R, sizeof(sp_rot3));
            assert_memory_equal(&s.kin.frame3[i].v, &all[i].v, sizeof(sp_vec3));
            assert_memory_equal(&s.kin.frame3[i].omega, &all[i].omega, sizeof(sp_vec3));
        }
        space_free(&s);
    }
}

/* Frames are referred to the pivots: far from the origin nothing that matters loses digits. */
static void velocities_keep_their_digits_far_from_the_origin(void **ctx)
{
    (void)ctx;
    rng r = {917};
    static sp_frame3 near[SPACE_BODIES + 1];
    for (int c = 0; c < check_cases(30, 300); c++) {
        space_random(&s, &r, 10, 1.0, SP_JOINT_REVOLUTE);
        memset(s.mass[1].mark.at, 0, sizeof s.mass[1].mark.at);
        space_move(&s, s.q, s.u);
        memcpy(near, s.kin.frame3, (size_t)s.m.n_body * sizeof *near);
        s.mass[1].mark.at[0] = 1e9;
        space_move(&s, s.q, s.u);
        for (int i = 1; i < s.m.n_body; i++) {
            const sp_frame3 *f = &s.kin.frame3[i];
            assert_near(sp_length3(sp_sub3(f->v, near[i].v)), 0.0, 1e-13);
            assert_near(sp_length3(sp_sub3(f->a0, near[i].a0)), 0.0, 1e-12);
        }
        space_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_are_products_of_homogeneous_matrices),
        cmocka_unit_test(velocities_are_the_rates_of_the_places),
        cmocka_unit_test(bias_accelerations_are_second_derivatives_at_constant_u),
        cmocka_unit_test(columns_are_velocities_per_unit_of_one_rate),
        cmocka_unit_test(the_second_axis_of_a_universal_joint_is_carried_by_the_first),
        cmocka_unit_test(one_body_at_a_time_gives_the_same_bits_as_all_at_once),
        cmocka_unit_test(velocities_keep_their_digits_far_from_the_origin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
