/* Files of either kind, from the disk to the solution in closed form. */
#include "test_problem.h"

#include <unistd.h>

/* Read, pose and solve; r has room for n rows. */
static void solve(const char *name, int n, double *r)
{
    char path[1024];
    sp_arena arena;
    sp_problem_file p;
    sp_fc fc;
    sp_fc_work work = {0};
    sp_error err = {.status = SP_OK};
    unsigned char status[8];
    const sp_fc_options o = {.measure = SP_FC_FCLIB, .tol = 1e-12};
    sp_fc_solution s = {.P = r, .status = status};
    problem_path(name, path, sizeof path);
    sp_arena_init(&arena, NULL, 0);
    ASSERT_OK(sp_problem_read(path, &arena, &p, &err));
    ASSERT_OK(sp_problem_pose(&p, &arena, &fc, &err));
    ASSERT_OK(sp_fc_check(&fc, &err));
    assert_int_equal(fc.n, n);
    ASSERT_OK(sp_fc_solve(&fc, &o, &s, &work, &err));
    sp_fc_work_free(&work);
    sp_arena_free(&arena);
}

static void all_forms_of_the_sliding_mass_have_its_solution(void **ctx)
{
    static const char *const name[] = {"slide_dense.dat",   "slide_blocks.dat", "slide_sparse.dat",
                                       "slide_triplet.dat", "slide_csr.hdf5",   "slide_new.hdf5"};
    (void)ctx;
    for (int k = 0; k < 6; k++) {
        double r[3];
        solve(name[k], 3, r);
        /* r_N stops 1 m/s of 2 kg, friction mu r_N against the slip along 3, 4 */
        assert_near(r[0], 2.0, 1e-11);
        assert_near(r[1], -0.2 * 2.0 * 0.6, 1e-11);
        assert_near(r[2], -0.2 * 2.0 * 0.8, 1e-11);
    }
}

static void all_forms_of_the_stack_have_its_solution(void **ctx)
{
    static const char *const name[] = {"stack_dense.dat", "stack_blocks.dat", "stack_sparse.dat",
                                       "stack_global.hdf5", "stack_global_new.hdf5"};
    (void)ctx;
    for (int k = 0; k < 5; k++) {
        double r[4];
        solve(name[k], 4, r);
        assert_near(r[0], 3.0, 1e-11); /* the floor carries both */
        assert_near(r[1], -0.3, 1e-11);
        assert_near(r[2], 1.0, 1e-11);
        assert_near(r[3], -0.3, 1e-11);
    }
}

static void both_forms_of_the_driven_mass_have_its_solution(void **ctx)
{
    static const char *const name[] = {"drive_local.hdf5", "drive_global.hdf5"};
    (void)ctx;
    for (int k = 0; k < 2; k++) {
        double r[3];
        solve(name[k], 3, r);
        assert_near(r[0], 2.0, 1e-11);
        assert_near(r[1], -0.5, 1e-11); /* slips at 1 m/s: mu r_N */
        assert_near(r[2], 2.5, 1e-11);  /* the drive: 2 kg to 1 m/s, and the friction */
    }
}

static void files_that_cannot_be_read_are_told(void **ctx)
{
    sp_arena arena;
    sp_problem_file p;
    sp_error err = {.status = SP_OK};
    char path[64];
    (void)ctx;
    sp_arena_init(&arena, NULL, 0);
    assert_int_equal(sp_problem_read("/nowhere/x.dat", &arena, &p, &err), SP_E_IO);
    assert_holds(err.text, "No such file");
    assert_string_equal(err.file, "/nowhere/x.dat");
    assert_int_equal(sp_problem_read("/tmp", &arena, &p, &err), SP_E_IO);
    assert_holds(err.text, "directory");
    snprintf(path, sizeof path, "/tmp/specht_problem_%ld", (long)getpid());
    fclose(fopen(path, "w"));
    assert_int_equal(sp_problem_read(path, &arena, &p, &err), SP_E_INPUT);
    assert_holds(err.text, "empty");
    remove(path);
    sp_arena_free(&arena);
}

/* Problems of other programs, where they are: sizes as their authors give them. */
static void problems_of_other_programs_are_read(void **ctx)
{
    static const struct {
        const char *name;
        int dim, n_contact;
    } known[] = {{"Capsules-i122-1617.dat", 3, 296},
                 {"KaplasTower-i1061-4.hdf5.dat", 3, 570},
                 {"fc2d_granularflowonwall_00667_00000.dat", 2, 667},
                 {"FrictionContactProblem00237.dat", 2, 376},
                 {"Rover1039.dat", 3, 4},
                 {"FrictionContact3D_1c.dat", 3, 1},
                 {"Capsules-i97-269.hdf5", 3, 216},
                 {"local_problem_test.hdf5", 3, 48},
                 {"spheres-in-a-box-98-i10000-256-10.hdf5", 3, 256}};
    const char *folder = getenv("SPECHT_DATA");
    (void)ctx;
    if (!folder) {
        skip();
    }
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        char path[1024];
        sp_arena arena;
        sp_problem_file p;
        sp_fc fc;
        sp_error err = {.status = SP_OK};
        snprintf(path, sizeof path, "%s/fc3d/%s", folder, known[k].name);
        sp_arena_init(&arena, NULL, 0);
        ASSERT_OK(sp_problem_read(path, &arena, &p, &err));
        assert_int_equal(p.dim, known[k].dim);
        assert_int_equal(p.n_contact, known[k].n_contact);
        ASSERT_OK(sp_problem_pose(&p, &arena, &fc, &err));
        ASSERT_OK(sp_fc_check(&fc, &err));
        sp_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_forms_of_the_sliding_mass_have_its_solution),
        cmocka_unit_test(all_forms_of_the_stack_have_its_solution),
        cmocka_unit_test(both_forms_of_the_driven_mass_have_its_solution),
        cmocka_unit_test(files_that_cannot_be_read_are_told),
        cmocka_unit_test(problems_of_other_programs_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
