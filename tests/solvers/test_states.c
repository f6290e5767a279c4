#include "solvers/states.h"

#include "support/check.h"

/* One row with G = 2 and this c. */
static sp_problem one_row(const sp_set *set, const double *c)
{
    static const double G = 2.0;
    static const int row = 0;
    return (sp_problem){1, 1, set, &row, &G, 1, c, 0.0, NULL, 0};
}

static void unknown_states_follow_from_the_row_alone(void **ctx)
{
    (void)ctx;
    const sp_set set[5] = {sp_set_free(), sp_set_half_line(), sp_set_half_line(),
                           sp_set_interval(-1.0, 1.0), sp_set_interval(-2.0, 2.0)};
    const double c[5] = {1.0, 1.0, -1.0, 3.0, -3.0}; /* P alone: -0.5, 0, 0.5, -1.5, 1.5 */
    const unsigned char expected[5] = {SP_STICK, SP_OPEN, SP_STICK, SP_SLIP_POS, SP_STICK};
    for (int k = 0; k < 5; k++) {
        const sp_problem p = one_row(&set[k], &c[k]);
        unsigned char status = SP_STATUS_UNKNOWN;
        assert_int_equal(1, sp_states_complete(&p, &status));
        assert_int_equal(expected[k], status);
        assert_int_equal(0, sp_states_complete(&p, &status));
    }
}

static void no_state_is_left_that_a_set_does_not_have(void **ctx)
{
    (void)ctx;
    const sp_set set[6] = {sp_set_free(),
                           sp_set_half_line(),
                           sp_set_interval(-1.0, 1.0),
                           sp_set_interval(-INFINITY, 1.0),
                           sp_set_interval(-1.0, INFINITY),
                           sp_set_interval(-INFINITY, INFINITY)};
    const double c = 0.3;
    for (int k = 0; k < 6; k++) {
        const sp_problem p = one_row(&set[k], &c);
        for (int guess = SP_OPEN; guess <= SP_STATUS_UNKNOWN; guess++) {
            unsigned char status = (unsigned char)guess;
            sp_states_complete(&p, &status);
            const sp_set *s = &set[k];
            const int interval = s->kind == SP_SET_INTERVAL;
            assert_true(status != SP_OPEN || s->kind == SP_SET_HALF_LINE);
            assert_true(status != SP_SLIP_POS || (interval && isfinite(s->lo)));
            assert_true(status != SP_SLIP_NEG || (interval && isfinite(s->hi)));
            assert_true(status != SP_STATUS_UNKNOWN);
        }
    }
}

/* What is right stays, what is violated flips to its neighbour. */
static void intervals_flip_where_the_law_is_violated(void **ctx)
{
    (void)ctx;
    const sp_set set = sp_set_interval(-1.0, 2.0);
    const double c = 0.0, P[6] = {0.5, -1.5, 2.5, -1.0, -1.0, 2.0};
    const double xi[6] = {0.0, 0.0, 0.0, 0.1, -0.1, 0.1};
    const unsigned char now[6] = {SP_STICK,    SP_STICK,    SP_STICK,
                                  SP_SLIP_POS, SP_SLIP_POS, SP_SLIP_NEG};
    const unsigned char next[6] = {SP_STICK,    SP_SLIP_POS, SP_SLIP_NEG,
                                   SP_SLIP_POS, SP_STICK,    SP_STICK};
    const sp_problem p = one_row(&set, &c);
    for (int k = 0; k < 6; k++) {
        assert_int_equal(next[k], sp_states_flip(&p, 0, now[k], &P[k], &xi[k]));
    }
}

static void the_piece_of_the_natural_map_is_the_state_of_a_solution(void **ctx)
{
    (void)ctx;
    const sp_set set = sp_set_interval(-1.0, 2.0);
    const double c = 0.0, P[3] = {0.5, -1.0, 2.0}, xi[3] = {0.0, 0.3, -0.3};
    const unsigned char expected[3] = {SP_STICK, SP_SLIP_POS, SP_SLIP_NEG};
    const sp_problem p = one_row(&set, &c);
    for (int k = 0; k < 3; k++) {
        unsigned char status = SP_OPEN;
        sp_states_classify(&p, &P[k], &xi[k], &status);
        assert_int_equal(expected[k], status);
        double forced = 0.123;
        sp_states_impose(&p, &status, &forced);
        assert_near(forced, k == 0 ? 0.123 : P[k], 0.0);
    }
}

static void what_was_moved_into_a_set_has_the_state_of_its_new_place(void **ctx)
{
    (void)ctx;
    const sp_set set[2] = {sp_set_interval(-1.0, 2.0), sp_set_planar(0.5)};
    const int row[2] = {0, 1};
    const double G[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, c[3] = {0};
    const sp_problem p = {2, 3, set, row, G, 3, c, 0.0, NULL, 0};
    const double raw[3] = {2.5, 1.0, -0.7}, P[3] = {2.0, 1.0, -0.5};
    unsigned char status[2] = {SP_STICK, SP_STICK};
    sp_states_follow(&p, raw, P, status);
    assert_int_equal(SP_SLIP_NEG, status[0]);
    assert_int_equal(SP_SLIP_POS, status[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unknown_states_follow_from_the_row_alone),
        cmocka_unit_test(no_state_is_left_that_a_set_does_not_have),
        cmocka_unit_test(intervals_flip_where_the_law_is_violated),
        cmocka_unit_test(the_piece_of_the_natural_map_is_the_state_of_a_solution),
        cmocka_unit_test(what_was_moved_into_a_set_has_the_state_of_its_new_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
