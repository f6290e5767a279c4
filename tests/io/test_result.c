/* Writing and reading of result files.  With the arguments '--make path how' the program writes one
 * for tests in other languages instead. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test_result_fixture.h"

#include <dirent.h>
#include <hdf5.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[64];

/* Call that must succeed; says why it did not. */
#define ASSERT_OK(call)                                                                            \
    do {                                                                                           \
        if ((call) != SP_OK) {                                                                     \
            fail_msg("%s", err.text);                                                              \
        }                                                                                          \
    } while (0)

static const char *in_folder(const char *name)
{
    static char path[4][256];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

static int make_folder(void **ctx)
{
    (void)ctx;
    snprintf(folder, sizeof folder, "/tmp/specht_result_XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int files_in_folder(void)
{
    int n = 0;
    DIR *d = opendir(folder);
    for (const struct dirent *e; (e = readdir(d)) != NULL;) {
        n += e->d_name[0] != '.';
    }
    closedir(d);
    return n;
}

static void empty_folder(void)
{
    DIR *d = opendir(folder);
    for (const struct dirent *e; (e = readdir(d)) != NULL;) {
        if (e->d_name[0] != '.') {
            unlinkat(dirfd(d), e->d_name, 0);
        }
    }
    closedir(d);
}

static int remove_folder(void **ctx)
{
    (void)ctx;
    empty_folder();
    return rmdir(folder);
}

/* Value of a channel in one frame. */
static double value_at(sp_result *r, const char *name, size_t frame)
{
    int channel;
    double value = NAN;
    sp_error err;
    if (sp_result_find(r, name, &channel, &err) != SP_OK ||
        sp_result_read(r, channel, frame, 1, &value, &err) != SP_OK) {
        fail_msg("%s", err.text);
    }
    return value;
}

static sp_result *open_ok(const char *path)
{
    sp_result *r;
    sp_error err;
    if (sp_result_open(path, &r, &err) != SP_OK) {
        fail_msg("%s", err.text);
    }
    return r;
}

static void every_number_written_is_read_back_bit_for_bit(void **ctx)
{
    (void)ctx;
    fixture f;
    sp_error err;
    fixture_init(&f, 3, 3, 4, 3);
    ASSERT_OK(fixture_write(&f, in_folder("a.h5"), 3001, SP_OK, &err));
    assert_int_equal(files_in_folder(), 1);
    sp_result *r = open_ok(in_folder("a.h5"));
    const sp_result_info *i = sp_result_about(r);
    assert_int_equal(i->n_frame, 1501);
    assert_int_equal(i->n_event, 600);
    assert_int_equal(i->steps, 3000);
    assert_string_equal(i->status, "complete");
    assert_string_equal(i->method, "moreau");
    assert_string_equal(i->model_text, f.model.source_text);
    assert_false(i->cut_short || i->live);
    const size_t frames[] = {0, 1, 63, 64, 500, 1499, 1500};
    for (size_t n = 0; n < sizeof frames / sizeof frames[0]; n++) {
        const size_t frame = frames[n];
        const long k = 2 * (long)frame;
        fixture_step(&f, k);
        assert_true(value_at(r, "t", frame) == 1e-3 * (double)k);
        assert_true(value_at(r, "body2.joint.phi", frame) == f.q[1]);
        assert_true(value_at(r, "body3.joint.omega", frame) == f.u[2]);
        assert_true(value_at(r, "body3.y", frame) == f.pose[3][1]);
        assert_true(value_at(r, "body1.omega", frame) == f.velocity[1][2]);
        assert_true(value_at(r, "guide.c4.upper.g_N", frame) == f.contact[3].g_N);
        assert_true(value_at(r, "guide.c1.upper.P_T", frame) == f.contact[0].P_T);
        assert_true(value_at(r, "guide.c2.upper.lambda_N", frame) == f.contact[1].lambda_N);
        assert_true(value_at(r, "guide.c3.upper.state", frame) == (double)((k + 2) % 3));
        assert_true(value_at(r, "plots.corners.y2", frame) == f.value[1]);
        assert_true(value_at(r, "energy.discretisation", frame) == f.ledger.discretisation);
        assert_true(value_at(r, "solver.step", frame) == (double)k);
        /* of the two steps since the frame before */
        const double worst = k == 0 ? 0 : fmax((double)(k % 7), (double)((k - 1) % 7));
        assert_true(value_at(r, "certificate.complementarity", frame) == 1e-12 * worst);
    }
    sp_event e[2];
    ASSERT_OK(sp_result_read_events(r, 598, 2, e, &err));
    assert_true(e[0].t == 2.995 && e[0].kind == SP_EVENT_IMPACT && e[0].impact_id == 300);
    assert_true(e[0].Lambda_N == fake(60, 2995, 0) && e[0].Lambda_T[0] == fake(61, 2995, 0));
    assert_true(e[1].kind == SP_EVENT_STICK && e[1].slot == 3 && e[1].after == SP_STATE_STICK);
    assert_true(e[1].n_found == 3 && e[1].at_least && e[0].n_found == 0 && !e[0].at_least);
    fixture_step(&f, 2995);
    const sp_impact_log *was = &f.event[0].impact, *is = &e[0].impact;
    assert_true(is->Lambda_N_C == was->Lambda_N_C && is->Lambda_T_C[0] == was->Lambda_T_C[0]);
    assert_true(is->gamma_N_C == 0.1 && is->gamma_T_C == 0.2 && is->lost_normal == 0.005);
    assert_true(is->lost_friction == 0.006 && is->lost_restitution == -0.001 && is->gain == 0.25);
    assert_true(is->factor == 0.75 && is->eps_N == 0.5 && is->eps_T == 0.3 && is->mu == 0.2);
    assert_true(is->remedy == SP_REMEDY_GAIN && e[1].impact.remedy == SP_REMEDY_NONE);
    sp_result_free(r);
    fixture_free(&f);
}

/* Members that the table of events had before impacts had logs. */
static const char *const old_member[] = {
    "t",       "Lambda_N",      "Lambda_T",    "gamma_N_before", "gamma_N_after", "gamma_T_before",
    "contact", "gamma_T_after", "energy_lost", "impact_id",      "kind",          "before",
    "after",
};

static void tables_of_events_without_later_members_are_read(void **ctx)
{
    (void)ctx;
    fixture f;
    sp_error err;
    fixture_init(&f, 3, 3, 4, 3);
    const char *path = in_folder("old.h5");
    ASSERT_OK(fixture_write(&f, path, 100, SP_OK, &err));
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t set = H5Dopen2(file, "/events", H5P_DEFAULT), now = H5Dget_type(set);
    const hid_t units = H5Aopen(set, "units", H5P_DEFAULT), list = H5Aget_space(units);
    assert_int_equal(H5Sget_simple_extent_npoints(list), H5Tget_nmembers(now)); /* one each */
    H5Sclose(list);
    H5Aclose(units);
    const hid_t old = H5Tcreate(H5T_COMPOUND, H5Tget_size(now));
    for (size_t k = 0; k < sizeof old_member / sizeof *old_member; k++) {
        const unsigned at = (unsigned)H5Tget_member_index(now, old_member[k]);
        const hid_t type = H5Tget_member_type(now, at);
        assert_true(H5Tinsert(old, old_member[k], H5Tget_member_offset(now, at), type) >= 0);
        H5Tclose(type);
    }
    const hsize_t n[1] = {2}, most[1] = {H5S_UNLIMITED}, chunk[1] = {8};
    const hid_t space = H5Screate_simple(1, n, most), create = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(create, 1, chunk);
    unsigned char *row = calloc(2, H5Tget_size(now));
    const hid_t first = H5Screate_simple(1, n, NULL), all = H5Dget_space(set);
    const hsize_t from[1] = {0};
    H5Sselect_hyperslab(all, H5S_SELECT_SET, from, NULL, n, NULL);
    assert_true(H5Dread(set, now, first, all, H5P_DEFAULT, row) >= 0);
    H5Dclose(set);
    assert_true(H5Ldelete(file, "/events", H5P_DEFAULT) >= 0);
    const hid_t table = H5Dcreate2(file, "/events", old, space, H5P_DEFAULT, create, H5P_DEFAULT);
    assert_true(H5Dwrite(table, old, H5S_ALL, H5S_ALL, H5P_DEFAULT, row) >= 0);
    H5Dclose(table);
    H5Pclose(create);
    H5Sclose(space);
    H5Sclose(first);
    H5Sclose(all);
    H5Tclose(old);
    H5Tclose(now);
    H5Fclose(file);
    free(row);

    sp_event e[2];
    sp_result *r = open_ok(path);
    ASSERT_OK(sp_result_read_events(r, 0, 2, e, &err));
    assert_true(e[0].kind == SP_EVENT_IMPACT && e[0].Lambda_N == fake(60, 5, 0));
    assert_true(e[0].impact.factor == 0.0 && e[0].impact.remedy == SP_REMEDY_NONE);
    assert_true(e[0].impact.Lambda_N_C == 0.0); /* not known */
    sp_result_free(r);
    fixture_free(&f);
}

static void rows_of_many_channels_come_in_the_order_asked_for(void **ctx)
{
    (void)ctx;
    fixture f;
    sp_error err;
    fixture_init(&f, 5, 5, 3, 2);
    ASSERT_OK(fixture_write(&f, in_folder("a.h5"), 400, SP_OK, &err));
    sp_result *r = open_ok(in_folder("a.h5"));
    const int n = sp_result_n_channel(r);
    assert_int_equal(n, 1 + 5 + 5 + 6 * 5 + 8 * 3 + 2 + 18);
    int *channel = calloc((size_t)n, sizeof *channel);
    double *row = calloc(7 * (size_t)n, sizeof *row), one[7];
    for (int k = 0; k < n; k++) {
        channel[k] = (k * 37) % n; /* 37 and n have no common divisor */
    }
    ASSERT_OK(sp_result_read_rows(r, n, channel, 60, 7, row, &err));
    for (int k = 0; k < n; k++) {
        char name[256];
        int again;
        sp_result_channel_name(r, channel[k], name, sizeof name);
        ASSERT_OK(sp_result_find(r, name, &again, &err));
        assert_int_equal(again, channel[k]);
        ASSERT_OK(sp_result_read(r, channel[k], 60, 7, one, &err));
        for (int i = 0; i < 7; i++) {
            assert_true(one[i] == row[i * n + k]);
        }
    }
    assert_int_equal(sp_result_read_rows(r, n, channel, 199, 2, row, &err), SP_E_INPUT);
    free(row);
    free(channel);
    sp_result_free(r);
    fixture_free(&f);
}

static void a_wrong_channel_is_told_with_names_like_it(void **ctx)
{
    (void)ctx;
    fixture f;
    sp_error err;
    int channel;
    fixture_init(&f, 2, 2, 1, 0);
    ASSERT_OK(fixture_write(&f, in_folder("a.h5"), 3, SP_OK, &err));
    sp_result *r = open_ok(in_folder("a.h5"));
    assert_int_equal(sp_result_find(r, "body1.joint.fi", &channel, &err), SP_E_INPUT);
    assert_non_null(strstr(err.text, "'body1.joint.phi'"));
    assert_int_equal(sp_result_find(r, "kinetic", &channel, &err), SP_E_INPUT);
    assert_non_null(strstr(err.text, "'energy.kinetic'"));
    assert_int_equal(sp_result_find(r, "", &channel, &err), SP_E_INPUT);
    assert_int_equal(sp_result_find(r, "ground.x", &channel, &err), SP_E_INPUT);
    assert_int_equal(sp_result_find(r, "qwertzuiopasdfghjkl", &channel, &err), SP_E_INPUT);
    assert_null(strstr(err.text, "did you mean"));
    sp_result_free(r);
    fixture_free(&f);
}

static void a_machine_without_anything_has_a_result_too(void **ctx)
{
    (void)ctx;
    fixture f;
    sp_error err;
    fixture_init(&f, 0, 0, 0, 0);
    ASSERT_OK(fixture_write(&f, in_folder("a.h5"), 101, SP_OK, &err));
    sp_result *r = open_ok(in_folder("a.h5"));
    assert_int_equal(sp_result_about(r)->n_frame, 51);
    assert_int_equal(sp_result_about(r)->n_event, 0);
    assert_true(value_at(r, "energy.balance", 50) == fake(FAKE_LEDGER, 100, 8));
    sp_result_free(r);
    ASSERT_OK(sp_result_recover(in_folder("a.h5"), &err));
    fixture_free(&f);
}

static void a_wide_machine_has_a_result_too(void **ctx)
{
    (void)ctx;
    fixture f;
    sp_error err;
    fixture_init(&f, 10000, 10000, 100000, 50);
    ASSERT_OK(fixture_write(&f, in_folder("a.h5"), 7, SP_OK, &err));
    sp_result *r = open_ok(in_folder("a.h5"));
    assert_int_equal(sp_result_about(r)->n_frame, 4);
    for (size_t frame = 0; frame < 4; frame++) {
        fixture_step(&f, 2 * (long)frame);
        assert_true(value_at(r, "guide.c100000.upper.gamma_T", frame) == f.contact[99999].gamma_T);
        assert_true(value_at(r, "body10000.vy", frame) == f.velocity[10000][1]);
    }
    sp_result_free(r);
    fixture_free(&f);
}

static void long_texts_and_strange_names_are_kept(void **ctx)
{
    (void)ctx;
    fixture f;
    sp_error err;
    fixture_init(&f, 1, 1, 1, 3);
    char *text = calloc(300001, 1);
    memset(text, 'x', 300000); /* more than fits the header of an HDF5 object */
    f.model.source_text = text;
    f.output[0].name = "a/b";
    f.output[1].name = ".";
    f.output[2].name = "\xcf\x89 'quoted' \"twice\" \\";
    ASSERT_OK(fixture_write(&f, in_folder("a.h5"), 11, SP_E_INFEASIBLE, &err));
    sp_result *r = open_ok(in_folder("a.h5"));
    assert_string_equal(sp_result_about(r)->model_text, text);
    assert_string_equal(sp_result_about(r)->status, "failed: no solution");
    assert_true(value_at(r, "a/b", 5) == fake(FAKE_OUTPUT, 10, 0));
    assert_true(value_at(r, ".", 5) == fake(FAKE_OUTPUT, 10, 1));
    assert_true(value_at(r, f.output[2].name, 5) == fake(FAKE_OUTPUT, 10, 2));
    assert_int_equal(sp_result_about(r)->n_plot, 2);
    assert_string_equal(sp_result_plot(r, 0)->title, "Corners \"1\" and 2");
    assert_string_equal(sp_result_plot(r, 0)->x, "t");
    assert_string_equal(sp_result_plot(r, 0)->y[1], ".");
    assert_int_equal(sp_result_plot(r, 1)->n_y, 1);
    assert_true(sp_result_plot(r, 1)->equal);
    sp_result_free(r);
    free(text);
    fixture_free(&f);
}

static void memory_does_not_grow_with_the_run(void **ctx)
{
    (void)ctx;
    fixture f;
    sp_error err;
    struct rusage before, after;
    fixture_init(&f, 3, 3, 4, 4);
    ASSERT_OK(fixture_write(&f, in_folder("a.h5"), 50000, SP_OK, &err));
    getrusage(RUSAGE_SELF, &before);
    ASSERT_OK(fixture_write(&f, in_folder("a.h5"), 200000, SP_OK, &err));
    getrusage(RUSAGE_SELF, &after);
    print_message("peak %ld KiB after 5e4 steps, %ld KiB after 2e5\n", before.ru_maxrss,
                  after.ru_maxrss);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__has_feature)
    assert_true(after.ru_maxrss - before.ru_maxrss < 4096);
#endif
    fixture_free(&f);
}

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
    empty_folder();
    fixture_init(&f, 1, 1, 1, 1);
    write_text(in_folder("old.h5"), "precious");
    ASSERT_OK(sp_result_create(in_folder("old.h5"), &f.model, &fake_meta, &w, &err));
    ASSERT_OK(sp_result_close(w, SP_E_INPUT, "contact penetrates", &err));
    check_text(in_folder("old.h5"), "precious");
    assert_int_equal(files_in_folder(), 1);
    fixture_free(&f);
}

static void targets_that_cannot_be_written_are_refused(void **ctx)
{
    (void)ctx;
    fixture f;
    sp_error err;
    sp_result_writer *w;
    empty_folder();
    fixture_init(&f, 1, 1, 1, 1);
    const char *const bad[] = {folder, "/dev/null", "", "/nowhere/at/all.h5", "/proc/self/a.h5"};
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
    assert_int_equal(files_in_folder(), 0);
    fixture_free(&f);
}

static void a_link_is_followed_not_replaced(void **ctx)
{
    (void)ctx;
    fixture f;
    sp_error err;
    struct stat info;
    empty_folder();
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
        assert_int_equal(sp_result_close(w, status, err->text, NULL), SP_E_IO);
    }
    setrlimit(RLIMIT_FSIZE, &old);
    return status;
}

/* Every frame is that of its step. */
static size_t check_frames(sp_result *r, fixture *f)
{
    const size_t n = sp_result_about(r)->n_frame;
    const int n_channel = sp_result_n_channel(r);
    int channel[256];
    double row[256];
    sp_error err;
    assert_true(n_channel <= 256);
    for (int k = 0; k < n_channel; k++) {
        channel[k] = k;
    }
    for (size_t i = 0; i < n; i++) {
        ASSERT_OK(sp_result_read_rows(r, n_channel, channel, i, 1, row, &err));
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
        empty_folder();
        write_text(in_folder("a.h5"), "old");
        assert_int_equal(write_limited(&f, in_folder("a.h5"), bytes, &flushed, &err), SP_E_IO);
        assert_non_null(strstr(err.text, "File too large"));
        if (flushed == 0) { /* failed to start: the old file is there */
            check_text(in_folder("a.h5"), "old");
            refused++;
            continue;
        }
        assert_int_equal(files_in_folder(), 1);
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
    empty_folder();
    write_text(in_folder("empty"), "");
    write_text(in_folder("text"), "t[s],x[m]\n0,1\n");
    assert_int_equal(sp_result_open(in_folder("empty"), &r, &err), SP_E_INPUT);
    assert_non_null(strstr(err.text, "empty"));
    assert_int_equal(sp_result_open(in_folder("text"), &r, &err), SP_E_INPUT);
    assert_non_null(strstr(err.text, "no HDF5 file"));
    assert_int_equal(sp_result_open(in_folder("missing"), &r, &err), SP_E_IO);
    assert_non_null(strstr(err.text, "No such file"));
    assert_int_equal(sp_result_open(folder, &r, &err), SP_E_IO);
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
        for (int k = 0; k < sp_result_n_channel(r) && n < 100000; k++) {
            char name[256];
            double *value = calloc(n + 1, sizeof *value);
            sp_result_channel_name(r, k, name, sizeof name);
            (void)sp_result_channel_unit(r, k);
            (void)sp_result_read(r, k, 0, n, value, &err);
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
    ASSERT_OK(sp_result_close(w, SP_E_INTERRUPTED, NULL, &err));
    sp_result *r = open_ok(in_folder("live.h5"));
    assert_string_equal(sp_result_about(r)->status, "interrupted");
    assert_int_equal(check_frames(r, &f), 50);
    sp_result_free(r);
    fixture_free(&f);
}

/* --make path how: a file for others; how: complete, interrupted, failed or killed. */
static int make_file(const char *path, const char *how)
{
    fixture f;
    sp_error err;
    fixture_init(&f, 3, 3, 4, 3);
    if (strcmp(how, "killed") == 0) {
        sp_result_writer *w;
        if (sp_result_create(path, &f.model, &fake_meta, &w, &err) != SP_OK) {
            return 1;
        }
        const sp_observer o = sp_result_observer(w);
        for (long k = 0; k < 100000; k++) {
            if (o.step(o.ctx, &f.model, fixture_step(&f, k), &err) != SP_OK) {
                return 1;
            }
        }
        kill(getpid(), SIGKILL);
    }
    if (strcmp(how, "recover") == 0) {
        fixture_free(&f);
        return sp_result_recover(path, &err) == SP_OK ? 0 : 1;
    }
    const sp_status ended = strcmp(how, "complete") == 0      ? SP_OK
                            : strcmp(how, "interrupted") == 0 ? SP_E_INTERRUPTED
                                                              : SP_E_INFEASIBLE;
    const sp_status written = fixture_write(&f, path, 2001, ended, &err);
    fixture_free(&f);
    return written == SP_OK ? 0 : 1;
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "--make") == 0) {
        return make_file(argv[2], argv[3]);
    }
    sp_result_quiet_exit();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_written_is_read_back_bit_for_bit),
        cmocka_unit_test(tables_of_events_without_later_members_are_read),
        cmocka_unit_test(rows_of_many_channels_come_in_the_order_asked_for),
        cmocka_unit_test(a_wrong_channel_is_told_with_names_like_it),
        cmocka_unit_test(a_machine_without_anything_has_a_result_too),
        cmocka_unit_test(a_wide_machine_has_a_result_too),
        cmocka_unit_test(long_texts_and_strange_names_are_kept),
        cmocka_unit_test(memory_does_not_grow_with_the_run),
        cmocka_unit_test(a_run_that_fails_to_start_leaves_the_old_result),
        cmocka_unit_test(targets_that_cannot_be_written_are_refused),
        cmocka_unit_test(a_link_is_followed_not_replaced),
        cmocka_unit_test(hdf5_keeps_its_own_error_printing),
        cmocka_unit_test(a_full_disk_keeps_every_frame_that_was_flushed),
        cmocka_unit_test(files_that_are_no_results_are_told_apart),
        cmocka_unit_test(truncated_and_damaged_files_never_crash),
        cmocka_unit_test(a_running_file_is_read_but_not_repaired),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
