/* Result files where something is in the way: targets that cannot be written, full disks, files
 * that are broken, foreign or still written to. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/folder.h"
#include "test_result_fixture.h"

#include <hdf5.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- starting ------------------------------------------------------------------------------- */

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
}

static void check_text(const char *path, const char *text)
{
    char got[64] = {0};
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    fread(got, 1, sizeof got - 1, file);
    fclose(file);
    assert_string_equal(got, text);
}

static void a_run_that_fails_to_start_leaves_the_old_result(void **ctx)
{
    (void)ctx;
    fixture f;
    sp_error err;
    sp_result_writer *w;
    folder_empty();
    fixture_init(&f, 1, 1, 1, 1);
    write_text(in_folder("old.h5"), "precious");
    ASSERT_OK(sp_result_create(in_folder("old.h5"), &f.model, &fake_meta, &w, &err));
    ASSERT_OK(sp_result_close(w, SP_E_INPUT, "contact penetrates", NULL, &err));
    check_text(in_folder("old.h5"), "precious");
    assert_int_equal(folder_count(), 1);
    fixture_free(&f);
}

static void targets_that_cannot_be_written_are_refused(void **ctx)
{
    (void)ctx;
    fixture f;
    sp_error err;
    sp_result_writer *w;
    folder_empty();
    fixture_init(&f, 1, 1, 1, 1);
    const char *const bad[] = {in_folder("."), "/dev/null", "", "/nowhere/at/all.h5",
                               "/proc/self/a.h5"};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        memset(&err, 0, sizeof err);
        assert_int_equal(sp_result_create(bad[k], &f.model, &fake_meta, &w, &err), SP_E_IO);
        assert_null(w);
        assert_true(strlen(err.text) > 10);
    }
    char *longer = calloc(6001, 1);
    memset(longer, 'a', 6000);
    assert_int_equal(sp_result_create(longer, &f.model, &fake_meta, &w, &err), SP_E_IO);
    free(longer);
    assert_int_equal(folder_count(), 0);
    fixture_free(&f);
}

static void a_link_is_followed_not_replaced(void **ctx)
{
    (void)ctx;
    fixture f;
    sp_error err;
    struct stat info;
    folder_empty();
    fixture_init(&f, 1, 1, 1, 1);
    write_text(in_folder("real.h5"), "old");
    assert_int_equal(symlink("real.h5", in_folder("link.h5")), 0);
    ASSERT_OK(fixture_write(&f, in_folder("link.h5"), 3, SP_OK, &err));
    assert_int_equal(lstat(in_folder("link.h5"), &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    sp_result_free(open_ok(in_folder("real.h5")));
    fixture_free(&f);
}

static void hdf5_keeps_its_own_error_printing(void **ctx)
{
    (void)ctx;
    fixture f;
    sp_error err;
    sp_result *r;
    H5E_auto2_t before, after;
    void *data;
    fixture_init(&f, 1, 1, 1, 1);
    H5Eget_auto2(H5E_DEFAULT, &before, &data);
    ASSERT_OK(fixture_write(&f, in_folder("a.h5"), 3, SP_OK, &err));
    assert_int_not_equal(sp_result_open("/dev/null", &r, &err), SP_OK);
    H5Eget_auto2(H5E_DEFAULT, &after, &data);
    assert_true(before && before == after);
    assert_int_equal(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
    fixture_free(&f);
}

/* ---- full disk ------------------------------------------------------------------------------ */

/* Write with a limit on the size of files, as if the disk were full there. */
static sp_status write_limited(fixture *f, const char *path, rlim_t bytes, size_t *flushed,
                               sp_error *err)
{
    struct rlimit old, limit;
    getrlimit(RLIMIT_FSIZE, &old);
    limit = old;
    limit.rlim_cur = bytes;
    signal(SIGXFSZ, SIG_IGN);
    sp_result_meta meta = fake_meta;
    meta.flush_interval = -1.0; /* after every frame */
    sp_result_writer *w = NULL;
    setrlimit(RLIMIT_FSIZE, &limit);
    sp_status status = sp_result_create(path, &f->model, &meta, &w, err);
    for (long k = 0; k < 20000 && status == SP_OK; k++) {
        const sp_observer o = sp_result_observer(w);
        status = o.step(o.ctx, &f->model, fixture_step(f, k), err);
        *flushed = sp_result_flushed_frames(w);
    }
    if (w) {
        assert_int_equal(sp_result_close(w, status, err->text, NULL, NULL), SP_E_IO);
    }
    setrlimit(RLIMIT_FSIZE, &old);
    return status;
}

/* Every frame is that of its step. */
static size_t check_frames(sp_result *r, fixture *f)
{
    const size_t n = sp_result_about(r)->n_frame;
    const int n_channel = sp_result_about(r)->n_channel;
    int channel[256];
    double row[256];
    sp_error err;
    assert_true(n_channel <= 256);
    for (int k = 0; k < n_channel; k++) {
        channel[k] = k;
    }
    for (size_t i = 0; i < n; i++) {
        ASSERT_OK(sp_result_read(r, n_channel, channel, i, 1, row, &err));
        const sp_step_record *s = fixture_step(f, 2 * (long)i);
        assert_true(row[0] == s->t);
        for (int d = 0; d < f->model.n_dof; d++) {
            assert_true(row[1 + d] == s->q[d] && row[1 + f->model.n_dof + d] == s->u[d]);
        }
        const int slots = 1 + 2 * f->model.n_dof + 6 * (f->model.n_body - 1);
        for (int c = 0; c < f->model.n_slot; c++) {
            assert_true(row[slots + 8 * c] == s->contact[c].g_N);
            assert_true(row[slots + 8 * c + 7] == (double)s->contact[c].state);
        }
        const int outputs = slots + 8 * f->model.n_slot;
        for (int o = 0; o < f->model.n_output; o++) {
            assert_true(row[outputs + o] == s->output[o]);
        }
        assert_true(row[n_channel - 18] == s->ledger->kinetic);
        assert_true(row[n_channel - 1] == (double)s->step);
    }
    return n;
}

static void a_full_disk_keeps_every_frame_that_was_flushed(void **ctx)
{
    (void)ctx;
    fixture f;
    fixture_init(&f, 3, 3, 4, 3);
    int kept = 0, refused = 0;
    for (rlim_t bytes = 1000; bytes < 2000000; bytes = bytes * 6 / 5 + 7) {
        size_t flushed = 0;
        sp_error err = {0};
        sp_result *r = NULL;
        folder_empty();
        write_text(in_folder("a.h5"), "old");
        assert_int_equal(write_limited(&f, in_folder("a.h5"), bytes, &flushed, &err), SP_E_IO);
        assert_non_null(strstr(err.text, "File too large"));
        if (flushed == 0) { /* failed to start: the old file is there */
            check_text(in_folder("a.h5"), "old");
            refused++;
            continue;
        }
        assert_int_equal(folder_count(), 1);
        ASSERT_OK(sp_result_open(in_folder("a.h5"), &r, &err));
        assert_true(check_frames(r, &f) >= flushed);
        sp_result_free(r);
        ASSERT_OK(sp_result_recover(in_folder("a.h5"), &err));
        kept++;
    }
    print_message("disk full: %d runs kept, %d refused at the start\n", kept, refused);
    assert_true(kept > 10 && refused > 5);
    fixture_free(&f);
}

/* ---- foreign and broken files --------------------------------------------------------------- */

static void files_that_are_no_results_are_told_apart(void **ctx)
{
    (void)ctx;
    sp_error err;
    sp_result *r;
    folder_empty();
    write_text(in_folder("empty"), "");
    write_text(in_folder("text"), "t[s],x[m]\n0,1\n");
    assert_int_equal(sp_result_open(in_folder("empty"), &r, &err), SP_E_INPUT);
    assert_non_null(strstr(err.text, "empty"));
    assert_int_equal(sp_result_open(in_folder("text"), &r, &err), SP_E_INPUT);
    assert_non_null(strstr(err.text, "no HDF5 file"));
    assert_int_equal(sp_result_open(in_folder("missing"), &r, &err), SP_E_IO);
    assert_non_null(strstr(err.text, "No such file"));
    assert_int_equal(sp_result_open(in_folder("."), &r, &err), SP_E_IO);
    assert_non_null(strstr(err.text, "a folder"));
    H5Fclose(H5Fcreate(in_folder("foreign"), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    assert_int_equal(sp_result_open(in_folder("foreign"), &r, &err), SP_E_INPUT);
    assert_non_null(strstr(err.text, "specht_result"));
    assert_int_equal(sp_result_recover(in_folder("foreign"), &err), SP_E_INPUT);
}

/* Read everything that a file has to offer, in a process of its own: HDF5 does not give back all
 * memory after the errors of a damaged file. */
static void read_all(const char *path)
{
    const pid_t child = fork();
    if (child == 0) {
        sp_result *r;
        sp_error err = {0};
        if (sp_result_open(path, &r, &err) != SP_OK) {
            _exit(strlen(err.text) > 10 ? 0 : 1);
        }
        const size_t n = sp_result_about(r)->n_frame;
        for (int k = 0; k < sp_result_about(r)->n_channel && n < 100000; k++) {
            char name[256];
            double *value = calloc(n + 1, sizeof *value);
            sp_result_channel_name(r, k, name, sizeof name);
            (void)sp_result_channel_unit(r, k);
            (void)sp_result_read(r, 1, &k, 0, n, value, &err);
            free(value);
        }
        sp_event e;
        for (size_t k = 0; k < sp_result_about(r)->n_event && k < 100; k++) {
            (void)sp_result_read_events(r, k, 1, &e, &err);
        }
        sp_result_free(r);
        _exit(0);
    }
    int how = -1;
    waitpid(child, &how, 0);
    assert_int_equal(how, 0);
}

static void truncated_and_damaged_files_never_crash(void **ctx)
{
    (void)ctx;
    fixture f;
    sp_error err;
    fixture_init(&f, 2, 2, 2, 2);
    ASSERT_OK(fixture_write(&f, in_folder("a.h5"), 200, SP_OK, &err));
    FILE *file = fopen(in_folder("a.h5"), "rb");
    static unsigned char good[1 << 20], bad[1 << 20];
    const size_t n = fread(good, 1, sizeof good, file);
    fclose(file);
    assert_true(n > 1000 && n < sizeof good);
    uint32_t seed = 1;
    for (int k = 0; k < 400; k++) {
        memcpy(bad, good, n);
        size_t length = n;
        if (k < 100) {
            length = n * (size_t)k / 100;
        }
        for (int i = 0; k >= 100 && i < 1 + k % 8; i++) {
            seed = seed * 1664525u + 1013904223u;
            const size_t at =
                k % 2 ? seed % n : (seed >> 4) % 4096; /* half of them in the header */
            bad[at] = (unsigned char)(seed >> 24);
        }
        file = fopen(in_folder("b.h5"), "wb");
        fwrite(bad, 1, length, file);
        fclose(file);
        read_all(in_folder("b.h5"));
    }
    fixture_free(&f);
}

/* ---- live runs ------------------------------------------------------------------------------ */

static void a_running_file_is_read_but_not_repaired(void **ctx)
{
    (void)ctx;
    fixture f;
    sp_error err;
    sp_result_writer *w;
    sp_result_meta meta = fake_meta;
    meta.flush_interval = -1.0;
    fixture_init(&f, 2, 2, 2, 2);
    ASSERT_OK(sp_result_create(in_folder("live.h5"), &f.model, &meta, &w, &err));
    const sp_observer o = sp_result_observer(w);
    for (long k = 0; k < 100; k++) {
        ASSERT_OK(o.step(o.ctx, &f.model, fixture_step(&f, k), &err));
    }
    const size_t flushed = sp_result_flushed_frames(w);
    const pid_t child = fork(); /* another process reads: this one has the file open itself */
    if (child == 0) {
        sp_result *r = NULL;
        const bool ok = sp_result_open(in_folder("live.h5"), &r, &err) == SP_OK &&
                        sp_result_about(r)->live && !sp_result_about(r)->cut_short &&
                        strcmp(sp_result_about(r)->status, "running") == 0 &&
                        sp_result_about(r)->n_frame >= flushed && flushed > 5;
        sp_result_free(r);
        _exit(ok && sp_result_recover(in_folder("live.h5"), &err) == SP_E_INPUT ? 0 : 1);
    }
    int how;
    waitpid(child, &how, 0);
    assert_int_equal(how, 0);
    ASSERT_OK(sp_result_close(w, SP_E_INTERRUPTED, NULL, NULL, &err));
    sp_result *r = open_ok(in_folder("live.h5"));
    assert_string_equal(sp_result_about(r)->status, "interrupted");
    assert_int_equal(check_frames(r, &f), 50);
    sp_result_free(r);
    fixture_free(&f);
}

int main(void)
{
    sp_result_quiet_exit();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_that_fails_to_start_leaves_the_old_result),
        cmocka_unit_test(targets_that_cannot_be_written_are_refused),
        cmocka_unit_test(a_link_is_followed_not_replaced),
        cmocka_unit_test(hdf5_keeps_its_own_error_printing),
        cmocka_unit_test(a_full_disk_keeps_every_frame_that_was_flushed),
        cmocka_unit_test(files_that_are_no_results_are_told_apart),
        cmocka_unit_test(truncated_and_damaged_files_never_crash),
        cmocka_unit_test(a_running_file_is_read_but_not_repaired),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
