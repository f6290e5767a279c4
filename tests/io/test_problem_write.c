/* Written problems are read back as what they were. */
#include "test_problem.h"

#include <unistd.h>

static char path[64];

/* A random problem of n contacts with a dense unsymmetric matrix and these kinds of sets. */
typedef struct random_problem {
    sp_fc p;
    sp_set set[8];
    int row[8];
    double c[32], D[32 * 32];
} random_problem;

static void make(rng *r, int n, int n_kind, const sp_set_kind *kind, random_problem *x,
                 sp_arena *arena)
{
    sp_error err = {.status = SP_OK};
    memset(x, 0, sizeof *x);
    for (int i = 0; i < n; i++) {
        x->set[i] = sp_set_of_kind(kind[rng_int(r, n_kind)]);
        x->set[i].mu = rng_in(r, 0.0, 1.0);
    }
    x->p = (sp_fc){.n_contact = n, .set = x->set, .row = x->row, .c = x->c};
    x->p.n = sp_fc_rows(n, x->set, x->row);
    for (int k = 0; k < x->p.n; k++) {
        x->c[k] = rng_in(r, -1.0, 1.0);
    }
    for (int k = 0; k < x->p.n * x->p.n; k++) {
        x->D[k] = rng_in(r, -1.0, 1.0);
    }
    ASSERT_OK(sp_fc_from_dense(&x->p, x->D, (size_t)x->p.n, 1, arena, &err));
}

/* Write and read again. */
static void round_trip(const random_problem *x, const double *r, sp_arena *arena, sp_fc *back,
                       sp_problem_file *file)
{
    sp_error err = {.status = SP_OK};
    ASSERT_OK(sp_problem_write(path, &x->p, r, "a test", &err));
    ASSERT_OK(sp_problem_read(path, arena, file, &err));
    ASSERT_OK(sp_problem_pose(file, arena, back, &err));
    remove(path);
}

static void contacts_of_one_kind_come_back_bit_for_bit(void **ctx)
{
    rng r = {3};
    (void)ctx;
    for (int t = 0; t < 40; t++) {
        const sp_set_kind kind = t % 2 ? SP_SET_DISC : SP_SET_PLANAR;
        sp_arena arena;
        random_problem x;
        sp_problem_file file;
        sp_fc back;
        sp_arena_init(&arena, NULL, 0);
        make(&r, rng_int(&r, 8), 1, &kind, &x, &arena);
        round_trip(&x, NULL, &arena, &back, &file);
        assert_int_equal(back.n_contact, x.p.n_contact);
        if (x.p.n_contact > 0) {
            assert_int_equal(back.n, x.p.n);
        }
        for (int i = 0; i < back.n_contact; i++) {
            assert_int_equal(back.set[i].kind, kind);
            assert_near(back.set[i].mu, x.set[i].mu, 0.0);
        }
        for (int j = 0; j < back.n; j++) {
            double P[32] = {0.0}, a[32], b[32];
            P[j] = 1.0;
            sp_fc_velocity(&x.p, P, a, NULL);
            sp_fc_velocity(&back, P, b, NULL);
            for (int k = 0; k < back.n; k++) {
                assert_near(a[k], b[k], 0.0);
            }
        }
        sp_arena_free(&arena);
    }
}

/* Rows of any kind: what the file has more couples to nothing, so velocities are the same. */
static void mixed_rows_keep_their_meaning(void **ctx)
{
    static const sp_set_kind kind[] = {SP_SET_FREE, SP_SET_HALF_LINE, SP_SET_PLANAR, SP_SET_DISC};
    rng r = {5};
    (void)ctx;
    for (int t = 0; t < 60; t++) {
        sp_arena arena;
        random_problem x;
        sp_problem_file file;
        sp_fc back;
        double P[32] = {0.0}, Q[40] = {0.0}, a[32], b[40];
        sp_arena_init(&arena, NULL, 0);
        make(&r, 1 + rng_int(&r, 7), 4, kind, &x, &arena);
        for (int i = 0; i < x.p.n_contact; i++) { /* V below must be V' beside */
            for (int e = 0; x.set[i].kind == SP_SET_FREE && e < x.p.n; e++) {
                x.D[x.row[i] * x.p.n + e] = x.D[e * x.p.n + x.row[i]];
            }
        }
        sp_error err = {.status = SP_OK};
        ASSERT_OK(sp_fc_from_dense(&x.p, x.D, (size_t)x.p.n, 1, &arena, &err));
        round_trip(&x, NULL, &arena, &back, &file);
        const int n_file = file.n_contact;
        for (int i = 0, contact = 0, free = 0; i < x.p.n_contact; i++) {
            const bool is_free = x.set[i].kind == SP_SET_FREE;
            const int at = is_free ? back.row[n_file + free++] : back.row[contact++];
            for (int e = 0; e < sp_set_dim(&x.set[i]); e++) {
                Q[at + e] = P[x.row[i] + e] = rng_in(&r, -1.0, 1.0);
            }
        }
        sp_fc_velocity(&x.p, P, a, NULL);
        sp_fc_velocity(&back, Q, b, NULL);
        for (int i = 0, contact = 0, free = 0; i < x.p.n_contact; i++) {
            const bool is_free = x.set[i].kind == SP_SET_FREE;
            const int at = is_free ? back.row[n_file + free++] : back.row[contact++];
            for (int e = 0; e < file.dim && !is_free; e++) {
                const double expected = e < sp_set_dim(&x.set[i]) ? a[x.row[i] + e] : 0.0;
                assert_near(b[at + e], expected, 1e-13);
            }
            if (is_free) {
                assert_near(b[at], a[x.row[i]], 1e-13);
            }
        }
        sp_arena_free(&arena);
    }
}

static void sets_that_fclib_lacks_are_refused(void **ctx)
{
    sp_arena arena;
    random_problem x;
    sp_error err = {.status = SP_OK};
    const sp_set_kind kind = SP_SET_PLANAR;
    rng r = {9};
    (void)ctx;
    sp_arena_init(&arena, NULL, 0);
    make(&r, 2, 1, &kind, &x, &arena);
    x.set[1] = sp_set_rolling(0.3, 0.1);
    assert_int_equal(sp_problem_write(path, &x.p, NULL, "", &err), SP_E_INPUT);
    assert_holds(err.text, "contact 1: friction with drilling, rolling or an ellipse");
    assert_int_equal(access(path, F_OK), -1);
    sp_arena_free(&arena);
}

static void a_place_that_cannot_be_written_is_told(void **ctx)
{
    sp_arena arena;
    random_problem x;
    sp_error err = {.status = SP_OK};
    const sp_set_kind kind = SP_SET_DISC;
    rng r = {13};
    (void)ctx;
    sp_arena_init(&arena, NULL, 0);
    make(&r, 2, 1, &kind, &x, &arena);
    assert_int_equal(sp_problem_write("/nowhere/x.hdf5", &x.p, NULL, "", &err), SP_E_IO);
    assert_holds(err.text, "cannot be written");
    assert_string_equal(err.file, "/nowhere/x.hdf5");
    sp_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_of_one_kind_come_back_bit_for_bit),
        cmocka_unit_test(mixed_rows_keep_their_meaning),
        cmocka_unit_test(sets_that_fclib_lacks_are_refused),
        cmocka_unit_test(a_place_that_cannot_be_written_is_told),
    };
    snprintf(path, sizeof path, "/tmp/specht_write_%ld.hdf5", (long)getpid());
    return cmocka_run_group_tests(tests, NULL, NULL);
}
