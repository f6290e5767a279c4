/* Candidates from the grids against all pairs, in scenes of every kind. */
#include "contact/broad.h"
#include "support/check.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 400, PAIRS = MOST * MOST / 2 };

static sp_box3 box_about(sp_vec3 c, sp_vec3 half)
{
    return (sp_box3){sp_sub3(c, half), sp_add3(c, half)};
}

static sp_vec3 any(rng *r, double size)
{
    const double x = rng_in(r, -size, size), y = rng_in(r, -size, size);
    return (sp_vec3){x, y, rng_in(r, -size, size)};
}

/* A scene of n items: sizes over `decades` decades, some without end, some points, some equal. */
static void draw_scene(rng *r, int n, double decades, sp_broad_item *item)
{
    const double room = pow(10.0, rng_in(r, -2.0, 3.0));
    for (int i = 0; i < n; i++) {
        const double size = 0.2 * room * pow(10.0, -rng_in(r, 0.0, decades));
        const sp_vec3 half = {rng_in(r, 0.0, size), rng_in(r, 0.0, size), rng_in(r, 0.0, size)};
        item[i] = (sp_broad_item){box_about(any(r, room), half), rng_int(r, n)};
        const int kind = rng_int(r, 30);
        if (kind == 0) {
            item[i].box.hi.z = INFINITY;
        } else if (kind == 1) {
            item[i].box.lo.x = -INFINITY;
            item[i].box.hi.x = INFINITY;
        } else if (kind == 2) {
            item[i].box.hi = item[i].box.lo;
        } else if (kind == 3 && i > 0) {
            item[i].box = item[i - 1].box;
        }
    }
}

/* All pairs that meet, in rising order. */
static int all_pairs(int n, const sp_broad_item *item, sp_pair *pair)
{
    int count = 0;
    for (int i = 0; i < n; i++) {
        for (int j = i + 1; j < n; j++) {
            if (item[i].owner != item[j].owner && sp_box3_meets(&item[i].box, &item[j].box)) {
                pair[count++] = (sp_pair){i, j};
            }
        }
    }
    return count;
}

static void assert_pairs(int n, const sp_broad_item *item, sp_broad *broad)
{
    static sp_pair want[PAIRS];
    sp_error err;
    assert_int_equal(sp_broad_find(n, item, broad, &err), SP_OK);
    assert_int_equal(broad->n_pair, all_pairs(n, item, want));
    assert_memory_equal(broad->pair, want, (size_t)broad->n_pair * sizeof *want);
}

static void the_grid_finds_what_all_pairs_find(void **ctx)
{
    (void)ctx;
    rng r = {1};
    sp_arena arena;
    sp_broad broad;
    static sp_broad_item item[MOST];
    sp_arena_init(&arena, NULL, 0);
    assert_int_equal(sp_broad_reserve(&arena, MOST, PAIRS, &broad, NULL), SP_OK);
    for (int k = 0; k < check_cases(300, 20000); k++) {
        const int n = rng_int(&r, 2 + rng_int(&r, MOST - 1));
        draw_scene(&r, n, rng_in(&r, 0.0, 15.0), item);
        assert_pairs(n, item, &broad);
    }
    sp_arena_free(&arena);
}

static void boxes_that_share_a_face_are_a_pair(void **ctx)
{
    (void)ctx;
    sp_arena arena;
    sp_broad broad;
    sp_broad_item item[64];
    sp_arena_init(&arena, NULL, 0);
    assert_int_equal(sp_broad_reserve(&arena, 64, 64 * 32, &broad, NULL), SP_OK);
    for (int i = 0; i < 64; i++) { /* cells of the grid themselves */
        const sp_vec3 lo = {i % 4 - 2, i / 4 % 4 - 2, i / 16 - 2}, one = {1.0, 1.0, 1.0};
        item[i] = (sp_broad_item){{lo, sp_add3(lo, one)}, i};
    }
    assert_pairs(64, item, &broad);
    assert_int_equal(broad.n_pair, (10 * 10 * 10 - 64) / 2); /* 10 of 4 x 4 touch along an axis */
    sp_arena_free(&arena);
}

static void far_from_the_origin_nothing_is_missed(void **ctx)
{
    (void)ctx;
    rng r = {2};
    sp_arena arena;
    sp_broad broad;
    static sp_broad_item item[MOST];
    sp_arena_init(&arena, NULL, 0);
    assert_int_equal(sp_broad_reserve(&arena, MOST, PAIRS, &broad, NULL), SP_OK);
    for (int k = 0; k < check_cases(30, 1000); k++) {
        const sp_vec3 off = any(&r, pow(10.0, rng_in(&r, 3.0, 18.0)));
        draw_scene(&r, MOST, 3.0, item);
        for (int i = 0; i < MOST; i++) {
            item[i].box.lo = sp_add3(item[i].box.lo, off);
            item[i].box.hi = sp_add3(item[i].box.hi, off);
        }
        assert_pairs(MOST, item, &broad);
    }
    sp_arena_free(&arena);
}

static void too_many_pairs_are_counted_and_told(void **ctx)
{
    (void)ctx;
    sp_arena arena;
    sp_broad broad;
    sp_broad_item item[10];
    sp_error err;
    sp_arena_init(&arena, NULL, 0);
    for (int i = 0; i < 10; i++) {
        item[i] = (sp_broad_item){{{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}}, i};
    }
    assert_int_equal(sp_broad_reserve(&arena, 10, 7, &broad, NULL), SP_OK);
    assert_int_equal(sp_broad_find(10, item, &broad, &err), SP_E_CAPACITY);
    assert_int_equal(broad.n_pair, 45);
    assert_non_null(strstr(err.text, "45 pairs, room for 7"));
    assert_int_equal(sp_broad_reserve(&arena, 10, broad.n_pair, &broad, NULL), SP_OK);
    assert_pairs(10, item, &broad);
    assert_int_equal(sp_broad_find(11, item, &broad, &err), SP_E_CAPACITY);
    sp_arena_free(&arena);
}

static void a_box_that_is_none_is_refused(void **ctx)
{
    (void)ctx;
    sp_arena arena;
    sp_broad broad;
    sp_error err;
    sp_arena_init(&arena, NULL, 0);
    assert_int_equal(sp_broad_reserve(&arena, 1, 1, &broad, NULL), SP_OK);
    sp_broad_item item = {{{0.0, 0.0, 0.0}, {1.0, NAN, 1.0}}, 0};
    assert_int_equal(sp_broad_find(1, &item, &broad, &err), SP_E_NONFINITE);
    item.box.hi.y = -1.0;
    assert_int_equal(sp_broad_find(1, &item, &broad, &err), SP_E_NONFINITE);
    item.box.hi.y = 0.0;
    assert_int_equal(sp_broad_find(1, &item, &broad, &err), SP_OK);
    assert_int_equal(sp_broad_find(0, NULL, &broad, &err), SP_OK);
    sp_arena_free(&arena);
}

/* Balls that fly and are accelerated: with boxes grown by (21.20), every pair that touches at any
 * moment of the step is among the pairs of its beginning. */
static void no_contact_of_a_step_is_missed(void **ctx)
{
    (void)ctx;
    enum { N = 60, TIMES = 40 };
    rng r = {3};
    sp_arena arena;
    sp_broad broad;
    sp_vec3 x[N], v[N], a[N];
    sp_broad_item item[N];
    int touches = 0;
    sp_arena_init(&arena, NULL, 0);
    assert_int_equal(sp_broad_reserve(&arena, N, N * N / 2, &broad, NULL), SP_OK);
    for (int k = 0; k < check_cases(20, 400); k++) {
        const double dt = rng_in(&r, 0.01, 0.2), radius = 0.05;
        for (int i = 0; i < N; i++) {
            x[i] = any(&r, 1.0);
            v[i] = any(&r, 2.0);
            a[i] = any(&r, 10.0);
            const sp_box3 box = box_about(x[i], (sp_vec3){radius, radius, radius});
            item[i].owner = i;
            item[i].box =
                sp_box3_widened(box, sp_length3(v[i]) * dt + 0.5 * sp_length3(a[i]) * dt * dt);
        }
        assert_int_equal(sp_broad_find(N, item, &broad, NULL), SP_OK);
        static bool candidate[N][N];
        memset(candidate, 0, sizeof candidate);
        for (int p = 0; p < broad.n_pair; p++) {
            candidate[broad.pair[p].a][broad.pair[p].b] = true;
        }
        for (int s = 0; s <= TIMES; s++) {
            const double t = dt * s / TIMES;
            sp_vec3 y[N];
            for (int i = 0; i < N; i++) {
                y[i] = sp_axpy3(sp_axpy3(x[i], t, v[i]), 0.5 * t * t, a[i]);
                for (int j = 0; j < i; j++) {
                    if (sp_length3(sp_sub3(y[i], y[j])) <= 2.0 * radius) {
                        assert_true(candidate[j][i]);
                        touches++;
                    }
                }
            }
        }
    }
    assert_true(touches > 100);
    sp_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_grid_finds_what_all_pairs_find),
        cmocka_unit_test(boxes_that_share_a_face_are_a_pair),
        cmocka_unit_test(far_from_the_origin_nothing_is_missed),
        cmocka_unit_test(too_many_pairs_are_counted_and_told),
        cmocka_unit_test(a_box_that_is_none_is_refused),
        cmocka_unit_test(no_contact_of_a_step_is_missed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
