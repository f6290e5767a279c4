#include "solvers/fc_anderson.h"
#include "solvers/fc_team.h"

#include "support/check.h"

#include <string.h>

enum { N = 6 };

/* y = T(x) = B x + b with slow eigenvalues: the fixed point is 1. */
static void map(const double *x, double *y)
{
    for (int k = 0; k < N; k++) {
        const double rate = 1.0 - 0.001 * (k + 1);
        y[k] = 1.0 + rate * (x[k] - 1.0);
    }
}

static void a_linear_iteration_ends_after_as_many_steps_as_it_has_rates(void **ctx)
{
    (void)ctx;
    sp_fc_stack stack;
    memset(&stack, 0, sizeof stack);
    sp_arena_init(&stack.arena, NULL, 0);
    sp_fc_anderson a;
    assert_int_equal(1, sp_fc_anderson_place(&a, N, SP_FC_DEPTH, &stack));
    double x[N] = {0}, y[N], plain[N] = {0};
    for (int k = 0; k < N + 6; k++) {
        map(x, y);
        sp_fc_anderson_take(&a, x, y);
        memcpy(x, y, sizeof x);
        sp_fc_anderson_jump(&a, x);
        map(plain, y);
        memcpy(plain, y, sizeof y);
    }
    double worst = 0.0, slow = 0.0;
    for (int k = 0; k < N; k++) {
        worst = fmax(worst, fabs(x[k] - 1.0));
        slow = fmax(slow, fabs(plain[k] - 1.0));
    }
    assert_true(worst < 1e-3);
    assert_true(slow > 0.9);
    sp_arena_free(&stack.arena);
}

static void pairs_taken_in_parts_are_those_taken_whole(void **ctx)
{
    (void)ctx;
    sp_fc_stack stack;
    memset(&stack, 0, sizeof stack);
    sp_arena_init(&stack.arena, NULL, 0);
    sp_fc_anderson whole, parts;
    assert_int_equal(1, sp_fc_anderson_place(&whole, N, 3, &stack));
    assert_int_equal(1, sp_fc_anderson_place(&parts, N, 3, &stack));
    double x[N] = {0}, y[N], next[N], weight[SP_FC_DEPTH];
    for (int k = 0; k < 9; k++) {
        double sum[2][SP_FC_ANDERSON_SUMS] = {{0.0}};
        map(x, y);
        y[k % N] += 0.1 * k; /* no linear map, so that differences stay independent */
        sp_fc_anderson_take(&whole, x, y);
        sp_fc_anderson_open(&parts);
        sp_fc_anderson_part(&parts, 0, 2, x, y, sum[0]);
        sp_fc_anderson_part(&parts, 2, N, x, y, sum[1]);
        for (int m = 0; m < SP_FC_ANDERSON_SUMS; m++) {
            sum[0][m] += sum[1][m];
        }
        sp_fc_anderson_close(&parts, sum[0]);
        memcpy(x, y, sizeof x);
        memcpy(next, y, sizeof next);
        assert_int_equal(k >= 2, sp_fc_anderson_jump(&whole, x));
        if (sp_fc_anderson_weigh(&parts, weight)) {
            sp_fc_anderson_move(&parts, weight, 3, N, next);
            sp_fc_anderson_move(&parts, weight, 0, 3, next);
        }
        for (int e = 0; e < N; e++) {
            assert_near(x[e], next[e], 1e-9);
        }
    }
    sp_arena_free(&stack.arena);
}

/* Everybody adds to his own place, twice, with a meeting between: the others' first must be there.
 */
typedef struct count {
    sp_fc_team *team;
    int first[8], second[8], wrong[8];
} count;

static void work(void *data, int member, int members)
{
    count *c = (count *)data;
    c->first[member]++;
    sp_fc_team_meet(c->team, members);
    for (int k = 0; k < members; k++) {
        c->wrong[member] += c->first[k] != c->first[member];
    }
    sp_fc_team_meet(c->team, members);
    c->second[member]++;
}

static void a_team_waits_for_all_its_members(void **ctx)
{
    (void)ctx;
    for (int members = 1; members <= 4; members++) {
        sp_fc_team team;
        sp_fc_team_start(&team, members);
        count c = {.team = &team};
        for (int k = 0; k < 200; k++) {
            sp_fc_team_run(&team, work, &c);
        }
        for (int k = 0; k < team.members; k++) {
            assert_int_equal(200, c.first[k]);
            assert_int_equal(200, c.second[k]);
            assert_int_equal(0, c.wrong[k]);
        }
        sp_fc_team_end(&team);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_linear_iteration_ends_after_as_many_steps_as_it_has_rates),
        cmocka_unit_test(pairs_taken_in_parts_are_those_taken_whole),
        cmocka_unit_test(a_team_waits_for_all_its_members),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
