/* The text form of Siconos: what is right is read, what is wrong is told with its line. */
#include "test_problem.h"

/* The mass that slips, as make_problems.py has it: W = 1/2, q = -1 3 4, mu = 0.2. */
static void check_slide(const sp_problem_file *p)
{
    const double q[3] = {-1.0, 3.0, 4.0};
    assert_int_equal(p->format, SP_PROBLEM_TEXT);
    assert_int_equal(p->dim, 3);
    assert_int_equal(p->n_contact, 1);
    assert_int_equal(p->n_free, 0);
    double *D = problem_dense(p);
    for (int i = 0; i < 3; i++) {
        assert_near(p->q[i], q[i], 0.0);
        for (int j = 0; j < 3; j++) {
            assert_near(D[3 * i + j], i == j ? 0.5 : 0.0, 0.0);
        }
    }
    assert_near(p->mu[0], 0.2, 0.0);
    free(D);
}

static void all_storages_of_a_spatial_problem_are_the_same(void **ctx)
{
    static const char *const name[] = {"slide_dense.dat", "slide_blocks.dat", "slide_sparse.dat",
                                       "slide_triplet.dat"};
    (void)ctx;
    for (int k = 0; k < 4; k++) {
        size_t n;
        char *bytes = problem_bytes(name[k], &n);
        sp_arena arena;
        sp_problem_file p = {0};
        sp_error err = {.status = SP_OK};
        sp_arena_init(&arena, NULL, 0);
        ASSERT_OK(sp_problem_read_text(name[k], bytes, n, &arena, &p, &err));
        check_slide(&p);
        sp_arena_free(&arena);
        free(bytes);
    }
}

static void all_storages_of_a_planar_problem_are_the_same(void **ctx)
{
    static const char *const name[] = {"stack_dense.dat", "stack_blocks.dat", "stack_sparse.dat"};
    /* H' M^-1 H of two masses, 2 kg below 1 kg: by hand */
    static const double W[16] = {0.5,  0.0, -0.5, 0.0, 0.0, 0.5,  0.0, -0.5,
                                 -0.5, 0.0, 1.5,  0.0, 0.0, -0.5, 0.0, 1.5};
    static const double q[4] = {-1.0, 0.0, 0.0, 0.3};
    (void)ctx;
    for (int k = 0; k < 3; k++) {
        size_t n;
        char *bytes = problem_bytes(name[k], &n);
        sp_arena arena;
        sp_problem_file p = {0};
        sp_error err = {.status = SP_OK};
        sp_arena_init(&arena, NULL, 0);
        ASSERT_OK(sp_problem_read_text(name[k], bytes, n, &arena, &p, &err));
        assert_int_equal(p.dim, 2);
        assert_int_equal(p.n_contact, 2);
        double *D = problem_dense(&p);
        for (int i = 0; i < 16; i++) {
            assert_near(D[i], W[i], 1e-16);
        }
        for (int i = 0; i < 4; i++) {
            assert_near(p.q[i], q[i], 1e-16);
        }
        free(D);
        sp_arena_free(&arena);
        free(bytes);
    }
}

/* An unsymmetric matrix shows whether rows and columns are taken for each other. */
static void columns_come_first_in_dense_and_block_storage(void **ctx)
{
    static const char dense[] = "2 1 0 2 2 2 2  1 2 3 4  -1 0  0.5";
    static const char blocks[] = "2 1 1 2 2 1 1 1 2 2 2 1 0 1 0 0  1 2 3 4  -1 0  0.5";
    static const char sparse[] = "2\n1\n2\n2\n2\n1\nwho\ntriplet: 2-by-2, nzmax: 4 nnz: 4\n"
                                 "0 0 : 1\n1 0 : 2\n0 1 : 3\n1 1 : 4\n-1 0\n0.5\n";
    const char *const text[] = {dense, blocks, sparse};
    (void)ctx;
    for (int k = 0; k < 3; k++) {
        sp_arena arena;
        sp_problem_file p = {0};
        sp_error err = {.status = SP_OK};
        sp_arena_init(&arena, NULL, 0);
        ASSERT_OK(sp_problem_read_text("x", text[k], strlen(text[k]), &arena, &p, &err));
        double *D = problem_dense(&p);
        assert_near(D[0], 1.0, 0.0);
        assert_near(D[1], 3.0, 0.0); /* row 0, column 1 */
        assert_near(D[2], 2.0, 0.0);
        assert_near(D[3], 4.0, 0.0);
        free(D);
        sp_arena_free(&arena);
    }
}

static void a_problem_without_contacts_is_one(void **ctx)
{
    static const char *const text[] = {"3 0 0 0 0 0 0", "2 0 1 0 0 0 0 0 1 0 0",
                                       "3 0 2 0 0 2\nx\n0-by-0, nzmax: 0 nnz: 0\n"};
    (void)ctx;
    for (int k = 0; k < 3; k++) {
        sp_arena arena;
        sp_problem_file p = {0};
        sp_error err = {.status = SP_OK};
        sp_arena_init(&arena, NULL, 0);
        ASSERT_OK(sp_problem_read_text("x", text[k], strlen(text[k]), &arena, &p, &err));
        assert_int_equal(p.n_contact, 0);
        assert_int_equal(p.W.count, 0);
        sp_arena_free(&arena);
    }
}

/* Read a wrong text; its line and a part of the message are known. */
static void refuse(const char *text, int line, const char *part)
{
    sp_arena arena;
    sp_problem_file p = {0};
    sp_error err = {.status = SP_OK};
    sp_arena_init(&arena, NULL, 0);
    assert_int_equal(sp_problem_read_text("bad.dat", text, strlen(text), &arena, &p, &err),
                     SP_E_INPUT);
    assert_holds(err.text, part);
    assert_string_equal(err.file, "bad.dat");
    if (err.line != line) {
        fail_msg("line %d, expected %d: %s", err.line, line, err.text);
    }
    assert_true(arena.bytes < 1 << 20);
    sp_arena_free(&arena);
}

static void what_is_wrong_is_told_with_its_line(void **ctx)
{
    (void)ctx;
    refuse("", 0, "empty");
    refuse("   \n ", 2, "the file ends");
    refuse("hello\n", 1, "'hello'");
    refuse("4\n1\n", 1, "from 2 to 3");
    refuse("3\n-1\n", 2, "number of contacts");
    refuse("3\n1\n7\n0 0 0 0", 3, "storage");
    refuse("3\n1\n0\n3\n4\n3 4\n0", 5, "expected 3"); /* not square */
    refuse("3\n1\n0\n6\n6\n6 6\n0", 4, "expected 3"); /* not of 1 contact */
    refuse("2\n1\n0\n2\n2\n2 2\n1 0\n0 nan\n-1 0\n1\n", 8, "'nan', expected a finite number");
    refuse("2\n1\n0\n2\n2\n2 2\n1 0\n0 1\n-1 inf\n1\n", 9, "q: 'inf'");
    refuse("2\n1\n0\n2\n2\n2 2\n1 0\n0 1\n-1 1e999\n1\n", 9, "q: '1e999'");
    refuse("2\n1\n0\n2\n2\n2 2\n1 0\n0 1\n-1 0\n-0.5\n", 10, "mu: -0.5, expected 0 or more");
    refuse("2\n1\n0\n2\n2\n2 2\n1 0\n0 1\n-1 0\n0.5\n1\nabc\n", 12, "behind the friction");
    refuse("2\n1\n0\n2\n2\n2 2\n1 0 0 1\n-1 0", 8, "mu: ");
    refuse("2 1 1 2 2 1 1 1 2 2 2 1 0 1 5 0 1 2 3 4 -1 0 1", 1, "block columns");
    refuse("2 1 1 2 2 1 1 1 2 2 2 1 1 1 0 0 1 2 3 4 -1 0 1", 1, "the first is 1");
    refuse("2 1 1 2 2 1 1 1 2 2 2 1 0 1 0 9 1 2 3 4 -1 0 1", 1, "number of a block");
    refuse("2 1 1 2 2 1 1 1 3 2 2 1 0 1 0 0 1 2 3 4 -1 0 1", 1, "sums of row sizes: '3'");
    refuse("2\n1\n2\n2\n2\n2\nwho\n3-by-2, nzmax: 1 nnz: 1\n", 8, "2-by-2");
    refuse("2\n1\n2\n2\n2\n2\nwho\n2-by-2, nzmax: 1 nnz: 1\ncol 0 : locations 0 to 0\n5 : 1\n", 10,
           "row of the sparse matrix");
    refuse("2\n1\n2\n2\n2\n2\nwho\n2-by-2, nzmax: 1 nnz: 1\ncol 1 : locations 0 to 0\n5 : 1\n", 9,
           "column of the sparse matrix: '1', expected 0");
}

/* A short file cannot ask for memory. */
static void sizes_that_the_file_cannot_back_are_refused(void **ctx)
{
    (void)ctx;
    refuse("3\n40000000\n0\n", 2, "room for");
    refuse("3\n99999999999999999999\n", 2, "number of contacts");
    refuse("3\n2147483647\n", 2, "number of contacts");
    refuse("2 1 1 2 2 2147483646 1 1 2 2 2 2147483646 0 2147483646 0", 1, "room for");
    refuse("2\n1\n2\n2\n2\n2\nwho\n2-by-2, nzmax: 2000000000 nnz: 2000000000\n", 8, "room for");
}

/* Cut anywhere, a file is either refused or complete. */
static void truncated_files_are_refused(void **ctx)
{
    static const char *const name[] = {"slide_dense.dat", "stack_blocks.dat", "stack_sparse.dat",
                                       "slide_triplet.dat"};
    (void)ctx;
    for (int k = 0; k < 4; k++) {
        size_t n;
        int accepted = 0;
        char *bytes = problem_bytes(name[k], &n);
        for (size_t cut = 0; cut < n; cut++) {
            sp_arena arena;
            sp_problem_file p = {0};
            sp_error err = {.status = SP_OK};
            char *copy = malloc(cut + 1); /* of its own: a step too far is seen by the sanitizer */
            assert_non_null(copy);
            memcpy(copy, bytes, cut);
            copy[cut] = '\0';
            sp_arena_init(&arena, NULL, 0);
            const sp_status status = sp_problem_read_text("cut", copy, cut, &arena, &p, &err);
            assert_true(status == SP_OK || (status == SP_E_INPUT && err.text[0]));
            accepted += status == SP_OK;
            sp_arena_free(&arena);
            free(copy);
        }
        assert_true(accepted < 24); /* the digits of the last number, and what follows it */
        free(bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_storages_of_a_spatial_problem_are_the_same),
        cmocka_unit_test(all_storages_of_a_planar_problem_are_the_same),
        cmocka_unit_test(columns_come_first_in_dense_and_block_storage),
        cmocka_unit_test(a_problem_without_contacts_is_one),
        cmocka_unit_test(what_is_wrong_is_told_with_its_line),
        cmocka_unit_test(sizes_that_the_file_cannot_back_are_refused),
        cmocka_unit_test(truncated_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
