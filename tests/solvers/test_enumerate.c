#include "support/enumerate.h"

#include "support/check.h"

/* Enumerate with room for 64. */
static int enumerate(const sp_problem *p, sp_enumerated *found, int *n_motion)
{
    int n_found = 0;
    assert_int_equal(SP_OK, sp_enumerate(p, 1e-10, found, 64, &n_found, n_motion, NULL));
    return n_found;
}

static void one_contact_has_its_closed_form(void **ctx)
{
    (void)ctx;
    const sp_set set = sp_set_planar(0.5);
    const int row = 0;
    const double G[4] = {2.0, 0.0, 0.0, 4.0};
    const double c[3][2] = {{1.0, 3.0}, {-2.0, 1.0}, {-2.0, 3.0}};
    const unsigned char status[3] = {SP_OPEN, SP_STICK, SP_SLIP_POS};
    const double P[3][2] = {{0.0, 0.0}, {1.0, -0.25}, {1.0, -0.5}};
    for (int k = 0; k < 3; k++) {
        sp_enumerated found[64];
        int n_motion = 0;
        const sp_problem p = {1, 2, &set, &row, G, 2, c[k], 0.0, NULL, 0};
        assert_int_equal(1, enumerate(&p, found, &n_motion));
        assert_int_equal(1, n_motion);
        assert_int_equal(status[k], found[0].status[0]);
        assert_near(found[0].P[0], P[k][0], 1e-15);
        assert_near(found[0].P[1], P[k][1], 1e-15);
    }
}

/* Acceleration level, rod sliding into its tip at tan = 2, mu = 2: the normal row condensed with
 * the sliding friction is 1 + 3 cos^2 - 3 mu sin cos = -0.8. */
static void the_painleve_rod_has_two_solutions_or_none(void **ctx)
{
    (void)ctx;
    const sp_set set = sp_set_half_line();
    const int row = 0;
    const double G = -0.8, separating = 1.0, approaching = -1.0;
    sp_enumerated found[64];
    int n_motion = 0;
    sp_problem p = {1, 1, &set, &row, &G, 1, &separating, 0.0, NULL, 0};
    assert_int_equal(2, enumerate(&p, found, &n_motion));
    assert_int_equal(2, n_motion);
    assert_true(found[0].P[0] == 0.0);
    assert_near(found[1].P[0], 1.25, 1e-15);
    p.c = &approaching;
    assert_int_equal(0, enumerate(&p, found, &n_motion));
}

static void dependent_contacts_have_one_motion(void **ctx)
{
    (void)ctx;
    /* the same contact twice, pressed and sliding */
    const sp_set set[2] = {sp_set_planar(0.2), sp_set_planar(0.2)};
    const int row[2] = {0, 2};
    const double one[4] = {1.0, 0.3, 0.3, 2.0}, c[4] = {-1.0, 5.0, -1.0, 5.0};
    double G[16];
    for (int k = 0; k < 16; k++) {
        G[k] = one[2 * ((k / 4) % 2) + k % 2];
    }
    sp_enumerated found[64];
    int n_motion = 0;
    const sp_problem p = {2, 4, set, row, G, 4, c, 0.0, NULL, 0};
    assert_int_equal(3, enumerate(&p, found, &n_motion)); /* the first, the second, both */
    assert_int_equal(1, n_motion);
    for (int k = 0; k < 3; k++) { /* P_N (1 - 0.3 * 0.2) = 1 */
        assert_near(found[k].P[0] + found[k].P[2], 1.0 / 0.94, 1e-13);
    }
}

static void more_than_it_can_take_is_refused(void **ctx)
{
    (void)ctx;
    sp_set set[7];
    int row[7], n_found, n_motion;
    double G[49] = {0.0}, c[7] = {0.0};
    for (int i = 0; i < 7; i++) {
        set[i] = sp_set_half_line();
        row[i] = i;
        G[8 * i] = 1.0;
    }
    sp_enumerated found[1];
    sp_problem p = {7, 7, set, row, G, 7, c, 0.0, NULL, 0};
    assert_int_equal(SP_E_CAPACITY, sp_enumerate(&p, 1e-10, found, 1, &n_found, &n_motion, NULL));
    p.n_contact = p.n = 2;
    c[1] = NAN;
    assert_int_equal(SP_E_NONFINITE, sp_enumerate(&p, 1e-10, found, 1, &n_found, &n_motion, NULL));
    c[1] = 0.0;
    set[0] = sp_set_disc(0.1);
    assert_int_equal(SP_E_INPUT, sp_enumerate(&p, 1e-10, found, 1, &n_found, &n_motion, NULL));
}

static void nothing_to_solve_is_one_solution(void **ctx)
{
    (void)ctx;
    sp_enumerated found[64];
    int n_motion = 0;
    const sp_problem p = {0};
    assert_int_equal(1, enumerate(&p, found, &n_motion));
}

/* Two bodies on a line, a clutch between them and a wall: by hand, the clutch slips at 0.4. */
static void intervals_have_three_states(void **ctx)
{
    (void)ctx;
    const sp_set set[2] = {sp_set_interval(-0.4, 0.4), sp_set_half_line()};
    const int row[2] = {0, 1};
    const double G[4] = {1.5, -1.0, -1.0, 1.0}, c[2] = {0.0, -1.0};
    sp_enumerated found[64];
    int n_motion = 0;
    const sp_problem p = {2, 2, set, row, G, 2, c, 0.0, NULL, 0};
    assert_int_equal(1, enumerate(&p, found, &n_motion));
    assert_int_equal(SP_SLIP_NEG, found[0].status[0]);
    assert_int_equal(SP_STICK, found[0].status[1]);
    assert_near(found[0].P[0], 0.4, 1e-15);
    assert_near(found[0].P[1], 1.4, 1e-15);
}

static void redundant_free_rows_do_not_hide_solutions(void **ctx)
{
    (void)ctx;
    /* x held twice, y on the ground */
    const sp_set set[3] = {sp_set_free(), sp_set_half_line(), sp_set_free()};
    const int row[3] = {0, 1, 2};
    const double G[9] = {1, 0, 2, 0, 1, 0, 2, 0, 4}, good[3] = {1, -2, 2}, bad[3] = {1, -2, 2.5};
    sp_enumerated found[64];
    int n_motion = 0;
    sp_problem p = {3, 3, set, row, G, 3, good, 0.0, NULL, 0};
    assert_int_equal(1, enumerate(&p, found, &n_motion));
    assert_near(found[0].P[0] + 2.0 * found[0].P[2], -1.0, 1e-14);
    assert_near(found[0].P[1], 2.0, 1e-14);
    p.c = bad;
    assert_int_equal(0, enumerate(&p, found, &n_motion));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_contact_has_its_closed_form),
        cmocka_unit_test(the_painleve_rod_has_two_solutions_or_none),
        cmocka_unit_test(dependent_contacts_have_one_motion),
        cmocka_unit_test(more_than_it_can_take_is_refused),
        cmocka_unit_test(nothing_to_solve_is_one_solution),
        cmocka_unit_test(intervals_have_three_states),
        cmocka_unit_test(redundant_free_rows_do_not_hide_solutions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
