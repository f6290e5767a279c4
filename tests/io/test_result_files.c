/* Included files and meshes are in the result, byte for byte. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/result_files.h"
#include "model/state.h"
#include "specht/load.h"
#include "test_result_fixture.h"

#include <hdf5.h>
#include <unistd.h>

static const char part_text[] = "# laws alone\nlaws: {glass: {mu: 0.3}}\n";
static const char cube_text[] =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
static const char main_text[] = "specht: 1\nspace: spatial\ninclude: [part.yaml]\n"
                                "bodies:\n  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
                                "  die: {mass: 1 kg, inertia: 0.1 kg*m^2, contours: {hull: "
                                "{polytope: cube.obj, unit: 1 cm}}}\n";

/* What the includer gives. */
typedef struct shelf {
    const char *part, *cube;
} shelf;

/* sp_includer: one of the two texts. */
static sp_status open_one(void *ctx, const char *from_file, const char *name, char **text,
                          size_t *n, char **resolved_name, sp_error *err)
{
    const shelf *s = ctx;
    (void)from_file;
    (void)err;
    *resolved_name = NULL;
    *text = strdup(strcmp(name, "cube.obj") == 0 ? s->cube : s->part);
    *n = strlen(*text);
    return SP_OK;
}

/* sp_includer: give a block back. */
static void release_one(void *ctx, char *block)
{
    (void)ctx;
    free(block);
}

/* A spec read from these texts. */
static sp_spec *spec_of(const char *part, const char *cube)
{
    sp_error err = {.status = SP_OK};
    shelf s = {part, cube};
    const sp_includer includer = {open_one, release_one, &s};
    sp_spec *spec = sp_spec_new(NULL);
    if (sp_spec_load_text(spec, "die.yaml", main_text, strlen(main_text), &includer, &err) !=
        SP_OK) {
        fail_msg("%s", err.text);
    }
    return spec;
}

/* Write a result with one frame, of these files. */
static void write_result(const char *path, const sp_spec *spec)
{
    fixture f;
    sp_error err = {.status = SP_OK};
    sp_result_writer *w = NULL;
    sp_result_meta meta = fake_meta;
    meta.spec = spec;
    fixture_init(&f, 2, 2, 1, 1);
    assert_int_equal(sp_result_create(path, &f.model, &meta, &w, &err), SP_OK);
    const sp_observer o = sp_result_observer(w);
    assert_int_equal(o.step(o.ctx, &f.model, fixture_step(&f, 0), &err), SP_OK);
    assert_int_equal(sp_result_close(w, SP_OK, NULL, NULL, &err), SP_OK);
    fixture_free(&f);
}

static void included_files_and_meshes_are_kept_byte_for_byte(void **ctx)
{
    (void)ctx;
    char path[] = "/tmp/specht_files_XXXXXX";
    sp_error err = {.status = SP_OK};
    sp_result *r = NULL;
    sp_stored_file file;
    close(mkstemp(path));
    sp_spec *spec = spec_of(part_text, cube_text);
    assert_int_equal(sp_spec_n_file(spec), 2);
    write_result(path, spec);
    sp_spec_free(spec);

    assert_int_equal(sp_result_open(path, &r, &err), SP_OK);
    assert_int_equal(sp_result_n_file(r), 2);
    assert_int_equal(sp_result_file(r, 0, &file, &err), SP_OK);
    assert_string_equal(file.name, "part.yaml");
    assert_false(file.mesh);
    assert_int_equal(file.n, strlen(part_text));
    assert_string_equal(file.bytes, part_text);
    assert_int_equal(sp_result_file(r, 1, &file, &err), SP_OK);
    assert_string_equal(file.name, "cube.obj");
    assert_string_equal(file.from, "die.yaml");
    assert_true(file.mesh);
    assert_int_equal(file.n, strlen(cube_text));
    assert_string_equal(file.bytes, cube_text);
    assert_int_equal(sp_result_file(r, 2, &file, &err), SP_E_IO);
    sp_result_free(r);
    assert_int_equal(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
    unlink(path);
}

static void a_result_without_such_files_has_none(void **ctx)
{
    (void)ctx;
    char path[] = "/tmp/specht_files_XXXXXX";
    sp_error err = {.status = SP_OK};
    sp_result *r = NULL;
    close(mkstemp(path));
    write_result(path, NULL);
    assert_int_equal(sp_result_open(path, &r, &err), SP_OK);
    assert_int_equal(sp_result_n_file(r), 0);
    sp_result_free(r);
    unlink(path);
}

/* HDF5's way to print: counts instead. */
static herr_t count_errors(hid_t stack, void *count)
{
    (void)stack;
    ++*(int *)count;
    return 0;
}

/* Put a group where a file should be, or one byte where the group of all files should be. */
static void spoil(const char *path, bool whole)
{
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(H5Ldelete(file, whole ? "/files" : "/files/0", H5P_DEFAULT) >= 0);
    if (whole) {
        const hid_t space = H5Screate(H5S_SCALAR);
        H5Dclose(
            H5Dcreate2(file, "/files", H5T_STD_U8LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        H5Sclose(space);
    } else {
        H5Gclose(H5Gcreate2(file, "/files/0", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    }
    H5Fclose(file);
}

static void damaged_files_are_refused_and_hdf5_prints_nothing(void **ctx)
{
    (void)ctx;
    char path[] = "/tmp/specht_files_XXXXXX";
    H5E_auto2_t print;
    void *to;
    int n_error = 0;
    close(mkstemp(path));
    sp_spec *spec = spec_of(part_text, cube_text);
    write_result(path, spec);
    sp_spec_free(spec);
    H5Eget_auto2(H5E_DEFAULT, &print, &to);
    for (int whole = 0; whole < 2; whole++) {
        sp_error err = {.status = SP_OK};
        sp_result *r = NULL;
        sp_stored_file file;
        spoil(path, whole);
        assert_int_equal(sp_result_open(path, &r, &err), SP_OK);
        H5Eset_auto2(H5E_DEFAULT, count_errors, &n_error);
        assert_int_equal(sp_result_n_file(r), whole ? 0 : 2);
        assert_int_equal(sp_result_file(r, 0, &file, &err), SP_E_IO);
        assert_non_null(strstr(err.text, "/files/0 is missing or damaged"));
        assert_int_equal(sp_result_file(r, 1, &file, &err), whole ? SP_E_IO : SP_OK);
        H5Eset_auto2(H5E_DEFAULT, print, to);
        sp_result_free(r);
    }
    assert_int_equal(n_error, 0);
    unlink(path);
}

/* Fingerprint of the files beside the main one. */
static uint64_t fingerprint(const char *part, const char *cube)
{
    sp_spec *spec = spec_of(part, cube);
    const uint64_t hash = sp_spec_fingerprint(spec);
    sp_spec_free(spec);
    return hash;
}

static void what_changes_the_machine_changes_its_fingerprint_and_comments_do_not(void **ctx)
{
    (void)ctx;
    const uint64_t hash = fingerprint(part_text, cube_text);
    assert_true(hash == fingerprint("laws: {glass: {mu: 0.3}}  # no more\n", cube_text));
    assert_true(hash == fingerprint(part_text,
                                    "# a corner\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\n"
                                    "f 1 2 4\nf 2 3 4\nf 1 4 3\n"));
    assert_false(hash == fingerprint("laws: {glass: {mu: 0.4}}\n", cube_text));
    assert_false(hash == fingerprint(part_text, "v 0 0 0\nv 2 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\n"
                                                "f 1 2 4\nf 2 3 4\nf 1 4 3\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(included_files_and_meshes_are_kept_byte_for_byte),
        cmocka_unit_test(a_result_without_such_files_has_none),
        cmocka_unit_test(damaged_files_are_refused_and_hdf5_prints_nothing),
        cmocka_unit_test(what_changes_the_machine_changes_its_fingerprint_and_comments_do_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
