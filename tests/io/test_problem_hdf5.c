/* The reader of HDF5 that trusts no byte: its numbers against those of the HDF5 library, its
 * manners with damaged files. */
#include "test_problem.h"

#include "io/problem_hdf5.h"

#include <hdf5.h>
#include <unistd.h>

static const char *const name[] = {
    "slide_csr.hdf5",        "slide_new.hdf5",   "slide_big_endian.hdf5", "stack_global.hdf5",
    "stack_global_new.hdf5", "drive_local.hdf5", "drive_global.hdf5"};
enum { N_NAME = sizeof name / sizeof *name };

/* Compare one dataset; called by H5Ovisit for every object. */
typedef struct visit {
    const sp_hdf *f;
    int n_dataset;
} visit;

static herr_t compare(hid_t file, const char *path, const H5O_info_t *info, void *ctx)
{
    visit *v = ctx;
    bool found;
    sp_error err = {.status = SP_OK};
    ASSERT_OK(sp_hdf_exists(v->f, strcmp(path, ".") == 0 ? "" : path, &found, &err));
    assert_true(found);
    if (info->type != H5O_TYPE_DATASET) {
        return 0;
    }
    const hid_t set = H5Dopen2(file, path, H5P_DEFAULT), space = H5Dget_space(set);
    const hssize_t n = H5Sget_simple_extent_npoints(space);
    double value[64];
    sp_hdf_data d;
    assert_in_range(n, 0, 64);
    assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0);
    ASSERT_OK(sp_hdf_find(v->f, path, &d, &err));
    assert_int_equal(d.count, n);
    for (int k = 0; k < n; k++) {
        assert_near(sp_hdf_number(&d, (uint64_t)k), value[k], 0.0);
        assert_int_equal(sp_hdf_integer(&d, (uint64_t)k),
                         value[k] == floor(value[k]) ? (int64_t)value[k] : INT64_MIN);
    }
    H5Sclose(space);
    H5Dclose(set);
    v->n_dataset++;
    return 0;
}

static void all_numbers_are_those_of_the_library(void **ctx)
{
    (void)ctx;
    for (int k = 0; k < N_NAME; k++) {
        size_t n;
        char path[1024], *bytes = problem_bytes(name[k], &n);
        sp_hdf f;
        sp_error err = {.status = SP_OK};
        ASSERT_OK(sp_hdf_open(&f, name[k], bytes, n, &err));
        problem_path(name[k], path, sizeof path);
        const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
        visit v = {.f = &f};
        assert_true(file >= 0);
        assert_true(H5Ovisit(file, H5_INDEX_NAME, H5_ITER_NATIVE, compare, &v) >= 0);
        assert_true(v.n_dataset >= 10);
        H5Fclose(file);
        free(bytes);
    }
}

static void what_is_not_there_is_missing(void **ctx)
{
    static const char *const path[] = {"fclib",        "fclib_local/Q", "fclib_local/W/x/y",
                                       "fclib_local_", "a/b/c",         "fclib_local/vectors/qq"};
    size_t n;
    char *bytes = problem_bytes("slide_csr.hdf5", &n);
    sp_hdf f;
    sp_hdf_data d;
    bool found;
    sp_error err = {.status = SP_OK};
    (void)ctx;
    ASSERT_OK(sp_hdf_open(&f, "x", bytes, n, &err));
    for (size_t k = 0; k < sizeof path / sizeof *path; k++) {
        ASSERT_OK(sp_hdf_exists(&f, path[k], &found, &err));
        assert_false(found);
        assert_int_equal(sp_hdf_find(&f, path[k], &d, &err), SP_E_INPUT);
        assert_holds(err.text, "is missing");
        assert_holds(err.text, path[k]);
    }
    assert_int_equal(sp_hdf_find(&f, "fclib_local/W", &d, &err), SP_E_INPUT);
    assert_holds(err.text, "no dataset of numbers");
    free(bytes);
}

/* A file of the library's own making with a large group, and with what is not supported. */
static void large_groups_are_searched_and_chunks_refused(void **ctx)
{
    char path[64], key[32];
    (void)ctx;
    snprintf(path, sizeof path, "/tmp/specht_hdf5_%ld.h5", (long)getpid());
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hsize_t one = 1, many = 1000;
    const hid_t small = H5Screate_simple(1, &one, NULL), large = H5Screate_simple(1, &many, NULL);
    for (int k = 0; k < 500; k++) { /* more than one node of the tree holds */
        snprintf(key, sizeof key, "number_%d", k);
        const hid_t set =
            H5Dcreate2(file, key, H5T_NATIVE_INT, small, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, &k);
        H5Dclose(set);
    }
    const hid_t chunked = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(chunked, 1, &one);
    H5Dclose(H5Dcreate2(file, "chunks", H5T_NATIVE_INT, small, H5P_DEFAULT, chunked, H5P_DEFAULT));
    H5Dclose(H5Dcreate2(file, "unwritten", H5T_NATIVE_INT, large, H5P_DEFAULT, H5P_DEFAULT,
                        H5P_DEFAULT));
    H5Dclose(H5Dcreate2(file, "text", H5T_C_S1, small, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Pclose(chunked);
    H5Sclose(small);
    H5Sclose(large);
    H5Fclose(file);

    static char bytes[1 << 20];
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    const size_t n = fread(bytes, 1, sizeof bytes, in);
    fclose(in);
    remove(path);
    sp_hdf f;
    sp_hdf_data d;
    sp_error err = {.status = SP_OK};
    ASSERT_OK(sp_hdf_open(&f, "x", bytes, n, &err));
    for (int k = 0; k < 500; k++) {
        snprintf(key, sizeof key, "number_%d", k);
        ASSERT_OK(sp_hdf_find(&f, key, &d, &err));
        assert_int_equal(sp_hdf_integer(&d, 0), k);
    }
    assert_int_equal(sp_hdf_find(&f, "chunks", &d, &err), SP_E_INPUT);
    assert_holds(err.text, "h5repack");
    assert_int_equal(sp_hdf_find(&f, "unwritten", &d, &err), SP_E_INPUT);
    assert_holds(err.text, "claims more numbers");
    assert_int_equal(sp_hdf_find(&f, "text", &d, &err), SP_E_INPUT);
    assert_holds(err.text, "no plain numbers");
}

/* Integers of all sizes and signs against their meaning. */
static void integers_are_what_their_bytes_say(void **ctx)
{
    static const unsigned char bytes[16] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x80,
                                            0x80, 0,    0,    0,    0,    0,    0,    0x80};
    (void)ctx;
    sp_hdf_data d = {.count = 2, .bytes = bytes, .size = 8, .is_signed = true};
    assert_true(sp_hdf_integer(&d, 0) == -0x7f00000000000001);
    d.is_signed = false;
    assert_true(sp_hdf_integer(&d, 0) == INT64_MAX); /* saturates */
    d.size = 1;
    assert_true(sp_hdf_integer(&d, 0) == 255);
    d.is_signed = true;
    assert_true(sp_hdf_integer(&d, 0) == -1);
    d = (sp_hdf_data){.count = 1, .bytes = bytes + 8, .size = 2, .is_signed = true};
    assert_true(sp_hdf_integer(&d, 0) == 128);
    d.big_endian = true;
    assert_true(sp_hdf_integer(&d, 0) == -32768);
    d.size = 8;
    assert_true(sp_hdf_integer(&d, 0) == -0x7fffffffffffff80);
}

/* Read everything the way the reader of FCLIB does; only survival counts. */
static sp_status read_all(const char *bytes, size_t n)
{
    sp_arena arena;
    sp_problem_file p = {0};
    sp_error err = {.status = SP_OK};
    sp_arena_init(&arena, NULL, 0);
    const sp_status status = sp_problem_read_fclib("x", bytes, n, &arena, &p, &err);
    assert_true(status == SP_OK || (status == SP_E_INPUT && err.text[0] && err.file[0]));
    assert_true(arena.bytes < 1 << 20);
    sp_arena_free(&arena);
    return status;
}

static void truncated_files_are_refused(void **ctx)
{
    (void)ctx;
    for (int k = 0; k < N_NAME; k++) {
        size_t n;
        char *bytes = problem_bytes(name[k], &n);
        assert_int_equal(read_all(bytes, n), SP_OK);
        const size_t step = (size_t)check_cases(7, 1);
        int accepted = 0;
        for (size_t cut = 0; cut < n; cut += step) {
            char *copy = malloc(cut + 1);
            assert_non_null(copy);
            memcpy(copy, bytes, cut);
            accepted += read_all(copy, cut) == SP_OK;
            free(copy);
        }
        /* what is not needed may be at the end of the file */
        assert_true((double)accepted < 0.3 * (double)n / (double)step);
        free(bytes);
    }
}

static void files_with_any_wrong_byte_are_survived(void **ctx)
{
    static const unsigned char change[] = {0xff, 0x80, 0x01};
    int refused = 0, total = 0;
    (void)ctx;
    for (int k = 0; k < N_NAME; k++) {
        size_t n;
        char *bytes = problem_bytes(name[k], &n);
        for (size_t at = 0; at < n; at += (size_t)check_cases(3, 1)) {
            const char before = bytes[at];
            bytes[at] = (char)(before ^ (char)change[at % sizeof change]);
            refused += read_all(bytes, n) != SP_OK;
            total++;
            bytes[at] = before;
        }
        free(bytes);
    }
    assert_true(refused > total / 50); /* the test reaches what matters */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_numbers_are_those_of_the_library),
        cmocka_unit_test(what_is_not_there_is_missing),
        cmocka_unit_test(large_groups_are_searched_and_chunks_refused),
        cmocka_unit_test(integers_are_what_their_bytes_say),
        cmocka_unit_test(truncated_files_are_refused),
        cmocka_unit_test(files_with_any_wrong_byte_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
