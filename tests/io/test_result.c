/* Writing and reading of result files.  With the arguments '--make path how' the program writes one
 * for tests in other languages instead. */
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
#include <unistd.h>

/* Value of a channel in one frame. */
static double value_at(sp_result *r, const char *name, size_t frame)
{
    int channel;
    double value = NAN;
    sp_error err;
    if (sp_result_find(r, name, &channel, &err) != SP_OK ||
        sp_result_read(r, 1, &channel, frame, 1, &value, &err) != SP_OK) {
        fail_msg("%s", err.text);
    }
    return value;
}

static void every_number_written_is_read_back_bit_for_bit(void **ctx)
{
    (void)ctx;
    fixture f;
    sp_error err;
    fixture_init(&f, 3, 3, 4, 3);
    ASSERT_OK(fixture_write(&f, in_folder("a.h5"), 3001, SP_OK, &err));
    assert_int_equal(folder_count(), 1);
    sp_result *r = open_ok(in_folder("a.h5"));
    const sp_result_info *i = sp_result_about(r);
    assert_int_equal(i->n_frame, 1501);
    assert_int_equal(i->n_event, 600);
    assert_int_equal(i->steps, 3000);
    assert_string_equal(i->status, "clean");
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
    const int n = sp_result_about(r)->n_channel;
    assert_int_equal(n, 1 + 5 + 5 + 6 * 5 + 8 * 3 + 2 + 18);
    int *channel = calloc((size_t)n, sizeof *channel);
    double *row = calloc(7 * (size_t)n, sizeof *row), one[7];
    for (int k = 0; k < n; k++) {
        channel[k] = (k * 37) % n; /* 37 and n have no common divisor */
    }
    ASSERT_OK(sp_result_read(r, n, channel, 60, 7, row, &err));
    for (int k = 0; k < n; k++) {
        char name[256];
        int again;
        sp_result_channel_name(r, channel[k], name, sizeof name);
        ASSERT_OK(sp_result_find(r, name, &again, &err));
        assert_int_equal(again, channel[k]);
        ASSERT_OK(sp_result_read(r, 1, &(int){channel[k]}, 60, 7, one, &err));
        for (int i = 0; i < 7; i++) {
            assert_true(one[i] == row[i * n + k]);
        }
    }
    assert_int_equal(sp_result_read(r, n, channel, 199, 2, row, &err), SP_E_INPUT);
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
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
