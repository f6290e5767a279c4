/* FCLIB problems: all forms of sparse matrices, bilateral rows, and wrong numbers told by dataset.
 */
#include "test_problem.h"

#include <hdf5.h>
#include <unistd.h>

/* Read a file of ours. */
static void read_ours(const char *name, sp_arena *arena, sp_problem_file *p)
{
    size_t n;
    char *bytes = problem_bytes(name, &n);
    sp_error err = {.status = SP_OK};
    sp_arena_init(arena, NULL, 0);
    memset(p, 0, sizeof *p);
    ASSERT_OK(sp_problem_read_fclib(name, bytes, n, arena, p, &err));
    free(bytes);
}

static void local_problems_in_all_forms_are_the_same(void **ctx)
{
    /* compressed rows, compressed columns in a new file, triplets of big-endian short numbers */
    static const char *const name[] = {"slide_csr.hdf5", "slide_new.hdf5", "slide_big_endian.hdf5"};
    static const double q[3] = {-1.0, 3.0, 4.0};
    (void)ctx;
    for (int k = 0; k < 3; k++) {
        sp_arena arena;
        sp_problem_file p;
        read_ours(name[k], &arena, &p);
        assert_int_equal(p.format, SP_PROBLEM_LOCAL);
        assert_int_equal(p.dim, 3);
        assert_int_equal(p.n_contact, 1);
        double *D = problem_dense(&p);
        for (int i = 0; i < 9; i++) {
            assert_near(D[i], i % 4 == 0 ? 0.5 : 0.0, 0.0);
        }
        for (int i = 0; i < 3; i++) {
            assert_near(p.q[i], q[i], 0.0);
        }
        assert_near(p.mu[0], 0.2, k == 2 ? 1e-7 : 0.0); /* float */
        free(D);
        sp_arena_free(&arena);
    }
}

static void bilateral_rows_stand_behind_the_contacts(void **ctx)
{
    /* W = 1/2, V = (0, 1/2)', R = 1/2: a mass of 2 kg whose horizontal speed is held */
    static const double W[9] = {0.5, 0.0, 0.0, 0.0, 0.5, 0.5, 0.0, 0.5, 0.5};
    static const double q[3] = {-1.0, 0.0, -1.0};
    sp_arena arena;
    sp_problem_file p;
    (void)ctx;
    read_ours("drive_local.hdf5", &arena, &p);
    assert_int_equal(p.n_contact, 1);
    assert_int_equal(p.n_free, 1);
    double *D = problem_dense(&p);
    for (int i = 0; i < 9; i++) {
        assert_near(D[i], W[i], 0.0);
    }
    for (int i = 0; i < 3; i++) {
        assert_near(p.q[i], q[i], 0.0);
    }
    free(D);
    sp_arena_free(&arena);
}

/* H' M^-1 H and H' M^-1 f + w of the global form are W and q of the local one. */
static void global_problems_are_their_local_ones(void **ctx)
{
    static const char *const name[][2] = {{"stack_global.hdf5", "stack_dense.dat"},
                                          {"stack_global_new.hdf5", "stack_dense.dat"},
                                          {"drive_global.hdf5", "drive_local.hdf5"}};
    (void)ctx;
    for (int k = 0; k < 3; k++) {
        sp_arena arena;
        sp_problem_file g, l;
        sp_fc a, b;
        sp_error err = {.status = SP_OK};
        char path[1024];
        read_ours(name[k][0], &arena, &g);
        assert_int_equal(g.format, SP_PROBLEM_GLOBAL);
        problem_path(name[k][1], path, sizeof path);
        ASSERT_OK(sp_problem_read(path, &arena, &l, &err));
        ASSERT_OK(sp_problem_pose(&g, &arena, &a, &err));
        ASSERT_OK(sp_problem_pose(&l, &arena, &b, &err));
        assert_int_equal(a.n, b.n);
        assert_int_equal(a.n_contact, b.n_contact);
        a.F.start = NULL; /* the blocks */
        for (int j = 0; j <= a.n; j++) {
            double P[8] = {0.0}, x[8], y[8];
            P[j < a.n ? j : 0] = j < a.n ? 1.0 : 0.0;
            sp_fc_velocity(&a, P, x, NULL);
            sp_fc_velocity(&b, P, y, NULL);
            for (int i = 0; i < a.n; i++) {
                assert_near(x[i], y[i], 1e-15);
            }
        }
        sp_arena_free(&arena);
    }
}

/* ---- wrong numbers ------------------------------------------------------------------------- */

/* A copy of a file of ours in which one number of a dataset is another; the message must name the
 * dataset and hold a part. */
static void refuse(const char *name, const char *dataset, hsize_t at, double value,
                   const char *where, const char *part)
{
    size_t n;
    char path[64], *bytes = problem_bytes(name, &n);
    snprintf(path, sizeof path, "/tmp/specht_fclib_%ld.h5", (long)getpid());
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(bytes, 1, n, out), n);
    fclose(out);
    free(bytes);

    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t set = H5Dopen2(file, dataset, H5P_DEFAULT), space = H5Dget_space(set);
    double old[64];
    H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, old);
    old[at] = value;
    assert_true(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, old) >= 0);
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(file);

    sp_arena arena;
    sp_problem_file p;
    sp_error err = {.status = SP_OK};
    sp_arena_init(&arena, NULL, 0);
    assert_int_equal(sp_problem_read(path, &arena, &p, &err), SP_E_INPUT);
    assert_holds(err.text, where);
    assert_holds(err.text, part);
    assert_string_equal(err.file, path);
    assert_true(arena.bytes < 1 << 20);
    sp_arena_free(&arena);
    remove(path);
}

static void wrong_numbers_are_told_with_their_dataset(void **ctx)
{
    (void)ctx;
    refuse("slide_csr.hdf5", "fclib_local/vectors/mu", 0, -0.1, "'/fclib_local/vectors/mu'",
           ">= 0");
    refuse("slide_csr.hdf5", "fclib_local/vectors/mu", 0, NAN, "'/fclib_local/vectors/mu'",
           "finite");
    refuse("slide_csr.hdf5", "fclib_local/vectors/q", 1, NAN, "'/fclib_local/vectors/q'",
           "value 1");
    refuse("slide_csr.hdf5", "fclib_local/W/x", 2, INFINITY, "'/fclib_local/W'", "an entry is inf");
    refuse("slide_csr.hdf5", "fclib_local/W/i", 1, 3, "'/fclib_local/W'", "an index is 3");
    refuse("slide_csr.hdf5", "fclib_local/W/i", 1, -1, "'/fclib_local/W'", "an index is -1");
    refuse("slide_csr.hdf5", "fclib_local/W/p", 1, 3e9, "'/fclib_local/W'", "rise from 0");
    refuse("slide_csr.hdf5", "fclib_local/W/p", 3, 1000, "'/fclib_local/W/i'", "expected 1000");
    refuse("slide_csr.hdf5", "fclib_local/W/nz", 0, -3, "'/fclib_local/W/nz'", "-3");
    refuse("slide_csr.hdf5", "fclib_local/W/n", 0, 4, "'/fclib_local/W'", "3 x 4, expected 3 x 3");
    refuse("slide_csr.hdf5", "fclib_local/spacedim", 0, 2, "'/fclib_local/W'", "multiple");
    refuse("slide_csr.hdf5", "fclib_local/spacedim", 0, 5, "spacedim", "from 2 to 3");
    refuse("stack_global.hdf5", "fclib_global/H/m", 0, 7, "'/fclib_global/H'", "expected 4 x 4");
    refuse("stack_global.hdf5", "fclib_global/M/p", 0, 4, "'/fclib_global/M'", "an index is 4");
    refuse("stack_global.hdf5", "fclib_global/vectors/f", 3, NAN, "vectors/f'", "value 3");
    refuse("drive_local.hdf5", "fclib_local/R/m", 0, 3, "'/fclib_local/V'", "expected 2 x 3");
}

static void sizes_that_the_file_cannot_back_are_refused(void **ctx)
{
    (void)ctx;
    refuse("slide_csr.hdf5", "fclib_local/W/m", 0, 100000000, "'/fclib_local/W/p'", "expected 100");
    refuse("slide_csr.hdf5", "fclib_local/W/m", 0, 2147483647, "'/fclib_local/W/m'", "from 0 to");
    refuse("slide_big_endian.hdf5", "fclib_local/W/m", 0, 1e15, "'/fclib_local/W/m'", "from 0 to");
    refuse("slide_big_endian.hdf5", "fclib_local/W/nz", 0, 2e9, "'/fclib_local/W/p'", "2000000000");
    refuse("stack_global.hdf5", "fclib_global/M/m", 0, 100000000, "'/fclib_global/M'", "100000000");
}

static void an_hdf5_file_with_something_else_is_refused(void **ctx)
{
    char path[64];
    (void)ctx;
    snprintf(path, sizeof path, "/tmp/specht_fclib_%ld.h5", (long)getpid());
    H5Fclose(H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    sp_arena arena;
    sp_problem_file p;
    sp_error err = {.status = SP_OK};
    sp_arena_init(&arena, NULL, 0);
    assert_int_equal(sp_problem_read(path, &arena, &p, &err), SP_E_INPUT);
    assert_holds(err.text, "/fclib_local or /fclib_global");
    sp_arena_free(&arena);
    remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(local_problems_in_all_forms_are_the_same),
        cmocka_unit_test(bilateral_rows_stand_behind_the_contacts),
        cmocka_unit_test(global_problems_are_their_local_ones),
        cmocka_unit_test(wrong_numbers_are_told_with_their_dataset),
        cmocka_unit_test(sizes_that_the_file_cannot_back_are_refused),
        cmocka_unit_test(an_hdf5_file_with_something_else_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
