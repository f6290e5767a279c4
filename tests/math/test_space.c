/* Vectors, rotations, quaternions and symmetric matrices of space, against definitions written out
 * with plain arrays, series and difference quotients. */
#include "math/space.h"
#include "support/check.h"

/* A few products of numbers of size 1. */
#define TOL 1e-15

static sp_vec3 random_vector(rng *r, double size)
{
    return (sp_vec3){rng_in(r, -size, size), rng_in(r, -size, size), rng_in(r, -size, size)};
}

static sp_quat random_quat(rng *r)
{
    sp_quat q;
    do {
        q = (sp_quat){rng_in(r, -1.0, 1.0), rng_in(r, -1.0, 1.0), rng_in(r, -1.0, 1.0),
                      rng_in(r, -1.0, 1.0)};
    } while (sp_quat_norm2(q) < 0.1);
    return sp_quat_unit(q);
}

static void same(sp_vec3 a, sp_vec3 b, double tol)
{
    assert_near(a.x, b.x, tol);
    assert_near(a.y, b.y, tol);
    assert_near(a.z, b.z, tol);
}

static void same_rotation(sp_rot3 A, sp_rot3 B, double tol)
{
    same(A.x, B.x, tol);
    same(A.y, B.y, tol);
    same(A.z, B.z, tol);
}

static void products_of_vectors_obey_lagrange_and_jacobi(void **ctx)
{
    (void)ctx;
    rng r = {901};
    for (int k = 0; k < 1000; k++) {
        const sp_vec3 a = random_vector(&r, 1.0), b = random_vector(&r, 1.0);
        const sp_vec3 c = random_vector(&r, 1.0), ab = sp_cross3(a, b);
        assert_near(sp_inner3(a, ab), 0.0, TOL);
        assert_near(sp_inner3(b, ab), 0.0, TOL);
        /* a x (b x c) = b (a.c) - c (a.b) */
        const sp_vec3 expected = sp_axpy3(sp_scale3(sp_inner3(a, c), b), -sp_inner3(a, b), c);
        same(sp_cross3(a, sp_cross3(b, c)), expected, 4.0 * TOL);
        same(sp_spin_twice3(a, c), sp_cross3(a, sp_cross3(a, c)), TOL);
        const double d2 = sp_inner3(a, a) * sp_inner3(b, b) - sp_inner3(a, b) * sp_inner3(a, b);
        assert_near(sp_inner3(ab, ab), d2, 4.0 * TOL);
    }
    same(sp_cross3((sp_vec3){1.0, 0.0, 0.0}, (sp_vec3){0.0, 1.0, 0.0}), (sp_vec3){0.0, 0.0, 1.0},
         0.0);
}

/* A quarter turn about z takes x to y; rows of the matrix are as written. */
static void arrays_are_read_in_their_order_and_matrices_by_rows(void **ctx)
{
    (void)ctx;
    const double quarter[9] = {0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0};
    const double four[4] = {2.0, 3.0, 4.0, 5.0};
    double again[4];
    sp_quat_store(sp_quat_of(four), again);
    assert_memory_equal(four, again, sizeof four);
    same(sp_vec3_of(four), (sp_vec3){2.0, 3.0, 4.0}, 0.0);
    const sp_rot3 R = sp_rot3_of(quarter), S = sp_rot3_about((sp_vec3){0.0, 0.0, 1.0}, 0.0, 1.0);
    const sp_vec3 x = {1.0, 0.0, 0.0}, y = {0.0, 1.0, 0.0};
    same(sp_rotate3(R, x), y, 0.0);
    same(sp_rotate_back3(R, y), x, 0.0);
    same_rotation(R, S, 0.0);
}

/* exp(phi K) by its series, K = e x. */
static void rotations_about_an_axis_are_the_exponential_series(void **ctx)
{
    (void)ctx;
    rng r = {902};
    for (int n = 0; n < 300; n++) {
        sp_vec3 e = random_vector(&r, 1.0);
        e = sp_scale3(1.0 / sp_length3(e), e);
        const double phi = rng_in(&r, -3.0, 3.0);
        const sp_rot3 R = sp_rot3_about(e, cos(phi), sin(phi));
        const sp_vec3 a = random_vector(&r, 1.0);
        sp_vec3 term = a, sum = a;
        for (int k = 1; k < 40; k++) {
            term = sp_scale3(phi / k, sp_cross3(e, term));
            sum = sp_add3(sum, term);
        }
        same(sp_rotate3(R, a), sum, 20.0 * TOL);
        same(sp_rotate_back3(R, sp_rotate3(R, a)), a, 4.0 * TOL);
        same_rotation(sp_rot3_of_quat(sp_quat_exp(sp_scale3(phi, e))), R, 4.0 * TOL);
    }
}

static void products_of_quaternions_are_products_of_rotations(void **ctx)
{
    (void)ctx;
    rng r = {903};
    for (int k = 0; k < 1000; k++) {
        const sp_quat p = random_quat(&r), q = random_quat(&r);
        const sp_rot3 P = sp_rot3_of_quat(p), Q = sp_rot3_of_quat(q);
        same_rotation(sp_rot3_of_quat(sp_quat_mul(p, q)), sp_rot3_mul(P, Q), 4.0 * TOL);
        const sp_quat conjugate = {p.w, -p.x, -p.y, -p.z};
        same_rotation(sp_rot3_mul_back(P, Q), sp_rot3_of_quat(sp_quat_mul(conjugate, q)),
                      4.0 * TOL);
        const sp_quat far = {3.0 * q.w, 3.0 * q.x, 3.0 * q.y, 3.0 * q.z};
        same_rotation(sp_rot3_of_quat(far), Q, 4.0 * TOL); /* of any length */
        assert_near(sp_inner3(Q.x, sp_cross3(Q.y, Q.z)), 1.0, 4.0 * TOL);
    }
}

/* Near half turns the largest part of the quaternion is x, y or z. */
static void a_rotation_gives_its_quaternion_back(void **ctx)
{
    (void)ctx;
    rng r = {904};
    int largest[4] = {0};
    for (int k = 0; k < 4000; k++) {
        sp_quat q = random_quat(&r);
        if (k % 2) {
            q = sp_quat_unit((sp_quat){1e-9 * q.w, q.x, q.y, q.z});
        }
        const sp_quat p = sp_quat_of_rot3(sp_rot3_of_quat(q));
        const double sign = q.w < 0.0 ? -1.0 : 1.0, part[4] = {q.w, q.x, q.y, q.z};
        assert_true(p.w >= 0.0);
        if (k % 2) { /* w is nothing: either sign is right */
            assert_near(fabs(p.x * q.x + p.y * q.y + p.z * q.z), 1.0, 8.0 * TOL);
        } else {
            assert_near(p.w, sign * q.w, 8.0 * TOL);
            assert_near(p.x, sign * q.x, 8.0 * TOL);
            assert_near(p.y, sign * q.y, 8.0 * TOL);
            assert_near(p.z, sign * q.z, 8.0 * TOL);
        }
        int most = 0;
        for (int i = 1; i < 4; i++) {
            most = fabs(part[i]) > fabs(part[most]) ? i : most;
        }
        largest[most]++;
    }
    for (int i = 0; i < 4; i++) { /* every branch was taken */
        assert_true(largest[i] > 100);
    }
}

static void the_logarithm_undoes_the_exponential(void **ctx)
{
    (void)ctx;
    rng r = {905};
    for (int k = 0; k < 3000; k++) {
        static const double size[] = {1.8, 1e-3, 1e-5, 1e-9};
        const sp_vec3 a = random_vector(&r, size[k % 4]);
        if (sp_length3(a) > 3.1) {
            continue;
        }
        const sp_quat q = sp_quat_exp(a), minus = {-q.w, -q.x, -q.y, -q.z};
        const sp_vec3 b = sp_quat_log(q), c = sp_quat_log(minus);
        assert_near(sp_quat_norm2(q), 1.0, 4.0 * TOL);
        assert_near_scaled(b.x, a.x, size[k % 4], 8.0 * TOL);
        assert_near_scaled(b.y, a.y, size[k % 4], 8.0 * TOL);
        assert_near_scaled(b.z, a.z, size[k % 4], 8.0 * TOL);
        same(b, c, 8.0 * TOL); /* both signs are the same rotation */
    }
}

/* log(exp(a) exp(h u)), quotients of fourth order: error h^4 |a^(5)| + eps/h. */
static void the_rate_of_the_rotation_vector_is_its_derivative(void **ctx)
{
    (void)ctx;
    rng r = {906};
    double worst = 0.0;
    for (int k = 0; k < 600; k++) {
        static const double size[] = {1.5, 0.02, 1e-4};
        const sp_vec3 a = random_vector(&r, size[k % 3]), u = random_vector(&r, 1.0);
        if (sp_length3(a) > 2.5) {
            continue;
        }
        const double h = 1e-3;
        sp_vec3 at[4];
        static const double step[4] = {-2.0, -1.0, 1.0, 2.0};
        for (int i = 0; i < 4; i++) {
            at[i] =
                sp_quat_log(sp_quat_mul(sp_quat_exp(a), sp_quat_exp(sp_scale3(step[i] * h, u))));
        }
        sp_vec3 rate = sp_scale3(8.0, sp_sub3(at[2], at[1]));
        rate = sp_scale3(1.0 / (12.0 * h), sp_add3(rate, sp_sub3(at[0], at[3])));
        const sp_vec3 e = sp_sub3(sp_log_rate(a, u, 1.0), rate), v = random_vector(&r, 1.0);
        worst = check_worse(worst, sp_length3(e));
        /* the transposed map */
        assert_near(sp_inner3(v, sp_log_rate(a, u, 1.0)), sp_inner3(u, sp_log_rate(a, v, -1.0)),
                    20.0 * TOL);
    }
    print_message("rate of the rotation vector: worst %.1e\n", worst);
    assert_true(worst < 1e-10);
}

static void the_rate_of_a_quaternion_turns_the_bodys_axes_by_omega(void **ctx)
{
    (void)ctx;
    rng r = {907};
    for (int k = 0; k < 300; k++) {
        const sp_quat q = random_quat(&r);
        const sp_vec3 u = random_vector(&r, 1.0), omega = sp_rotate3(sp_rot3_of_quat(q), u);
        const sp_quat d = sp_quat_rate(q, u);
        const double h = 1e-6;
        const sp_quat to = {q.w + h * d.w, q.x + h * d.x, q.y + h * d.y, q.z + h * d.z};
        const sp_rot3 A = sp_rot3_of_quat(q), B = sp_rot3_of_quat(to);
        const sp_vec3 rate = sp_scale3(1.0 / h, sp_sub3(B.y, A.y));
        same(rate, sp_cross3(omega, A.y), 1e-5); /* first order: h |u|^2 */
        const double along = q.w * d.w + q.x * d.x + q.y * d.y + q.z * d.z;
        assert_near(along, 0.0, TOL); /* the length does not change */
    }
}

/* Entry by entry, with plain arrays. */
static void symmetric_matrices_turn_and_shift_as_their_definitions_say(void **ctx)
{
    (void)ctx;
    static const int at[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    rng r = {908};
    for (int n = 0; n < 300; n++) {
        double S[6];
        for (int k = 0; k < 6; k++) {
            S[k] = rng_in(&r, -1.0, 1.0);
        }
        const sp_rot3 R = sp_rot3_of_quat(random_quat(&r));
        const double m[3][3] = {
            {R.x.x, R.y.x, R.z.x}, {R.x.y, R.y.y, R.z.y}, {R.x.z, R.y.z, R.z.z}};
        const sp_vec3 a = random_vector(&r, 1.0), b = random_vector(&r, 1.0);
        const double av[3] = {a.x, a.y, a.z}, bv[3] = {b.x, b.y, b.z};
        const sp_sym3 T = sp_sym3_turned(R, sp_sym3_of(S)), U = sp_sym3_shift(sp_sym3_of(S), a, b);
        const sp_vec3 product = sp_sym3_mul(sp_sym3_of(S), a);
        const double t[6] = {T.xx, T.yy, T.zz, T.xy, T.xz, T.yz};
        const double u[6] = {U.xx, U.yy, U.zz, U.xy, U.xz, U.yz};
        const double p[3] = {product.x, product.y, product.z};
        for (int i = 0; i < 3; i++) {
            double row = 0.0;
            for (int j = 0; j < 3; j++) {
                double sum = 0.0;
                for (int k = 0; k < 3; k++) {
                    for (int l = 0; l < 3; l++) {
                        sum += m[i][k] * S[at[k][l]] * m[j][l];
                    }
                }
                row += S[at[i][j]] * av[j];
                assert_near(t[at[i][j]], sum, 8.0 * TOL);
                const double shift =
                    (i == j ? 2.0 * sp_inner3(a, b) : 0.0) - (av[i] * bv[j] + bv[i] * av[j]);
                assert_near(u[at[i][j]], S[at[i][j]] + shift, 8.0 * TOL);
            }
            assert_near(p[i], row, 4.0 * TOL);
        }
        const sp_sym3 sum = sp_sym3_add(T, U);
        assert_true(sum.xx == T.xx + U.xx && sum.yy == T.yy + U.yy && sum.zz == T.zz + U.zz);
        assert_true(sum.xy == T.xy + U.xy && sum.xz == T.xz + U.xz && sum.yz == T.yz + U.yz);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_of_vectors_obey_lagrange_and_jacobi),
        cmocka_unit_test(arrays_are_read_in_their_order_and_matrices_by_rows),
        cmocka_unit_test(rotations_about_an_axis_are_the_exponential_series),
        cmocka_unit_test(products_of_quaternions_are_products_of_rotations),
        cmocka_unit_test(a_rotation_gives_its_quaternion_back),
        cmocka_unit_test(the_logarithm_undoes_the_exponential),
        cmocka_unit_test(the_rate_of_the_rotation_vector_is_its_derivative),
        cmocka_unit_test(the_rate_of_a_quaternion_turns_the_bodys_axes_by_omega),
        cmocka_unit_test(symmetric_matrices_turn_and_shift_as_their_definitions_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
