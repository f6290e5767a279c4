/* Sparse factors by blocks against dense sums: solutions of matrices that are not symmetric, whose
 * groups have different sizes, and struck indices. */
#include "math/block_lu.h"
#include "support/check.h"

#include <math.h>

enum { N = 40, GROUPS = 16 };

/* Groups of one, two, three and four in turns. */
static void number_groups(int group[N])
{
    for (int i = 0, g = 0, left = 1; i < N; i++) {
        group[i] = g;
        if (--left == 0) {
            g++;
            left = 1 + g % 4;
        }
    }
}

/* Each index is coupled to the next two, around the ring, and the groups of these. */
static void couple(sp_ldl_pattern *p, const int *group)
{
    for (int i = 0; i < N; i++) {
        int index[3], n = 0;
        for (int k = 0; k < 3; k++) {
            const int g = group[(i + k) % N];
            bool there = false;
            for (int j = 0; j < n; j++) {
                there = there || index[j] == g;
            }
            index[n] = g;
            n += !there;
        }
        sp_ldl_couple(p, index, n);
    }
}

static void put(sp_block_lu *lu, double dense[N][N], int i, int j, double ij, double ji)
{
    const size_t at = sp_block_lu_at(lu, i, j);
    const bool low = lu->place[i] >= lu->place[j];
    dense[i][j] = ij;
    dense[j][i] = ji;
    lu->low[at] = low ? ij : ji;
    lu->high[at] = low ? ji : ij;
}

/* A diagonal that is zero in places: pivots are found within the groups. */
static void fill(sp_block_lu *lu, double dense[N][N])
{
    for (int i = 0; i < N; i++) {
        put(lu, dense, i, i, 3.0 + i % 5, 3.0 + i % 5);
        for (int k = 1; k < 3; k++) {
            put(lu, dense, i, (i + k) % N, sin(i + 7.0 * k), cos(3.0 * i + k));
        }
    }
    put(lu, dense, 8, 8, 0.0, 0.0); /* of a group of four */
    put(lu, dense, 8, 9, 5.0, 5.0);
}

static void check(const unsigned char *struck)
{
    sp_arena arena, scratch;
    sp_arena_init(&arena, NULL, 0);
    sp_arena_init(&scratch, NULL, 0);
    double A[N][N] = {{0.0}}, x[N], worst = 0.0;
    int group[N];
    number_groups(group);
    sp_ldl_pattern p = sp_ldl_pattern_of(&scratch, group[N - 1] + 1);
    couple(&p, group);
    sp_block_lu lu;
    assert_true(sp_block_lu_make(&arena, N, group, &p, &lu));
    fill(&lu, A);
    assert_true(sp_block_lu_factor(&lu, struck));
    for (int i = 0; i < N; i++) {
        x[i] = cos(i);
    }
    sp_block_lu_solve(&lu, x);
    for (int i = 0; i < N; i++) {
        double sum = -cos(i);
        for (int j = 0; j < N; j++) {
            sum += A[i][j] * x[j];
        }
        worst = struck && struck[i] ? worst : check_worse(worst, fabs(sum));
        assert_true(!struck || !struck[i] || x[i] == 0.0);
    }
    assert_true(worst < 1e-12);
    sp_arena_free(&arena);
    sp_arena_free(&scratch);
}

static void solutions_have_no_residual(void **ctx)
{
    (void)ctx;
    check(NULL);
}

static void what_is_struck_out_is_left_alone(void **ctx)
{
    (void)ctx;
    unsigned char struck[N] = {0};
    struck[3] = struck[9] = struck[17] = 1;
    check(struck);
}

static void a_singular_block_has_no_factor(void **ctx)
{
    (void)ctx;
    sp_arena arena, scratch;
    sp_arena_init(&arena, NULL, 0);
    sp_arena_init(&scratch, NULL, 0);
    sp_ldl_pattern p = sp_ldl_pattern_of(&scratch, 1);
    sp_block_lu lu;
    assert_true(sp_block_lu_make(&arena, 2, (const int[]){0, 0}, &p, &lu));
    sp_block_lu_clear(&lu);
    assert_false(sp_block_lu_factor(&lu, NULL));
    sp_arena_free(&arena);
    sp_arena_free(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solutions_have_no_residual),
        cmocka_unit_test(what_is_struck_out_is_left_alone),
        cmocka_unit_test(a_singular_block_has_no_factor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
