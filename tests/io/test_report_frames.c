/* Which frames of a long run are kept: events, extremes, the ends, and no more than asked for. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test_result_fixture.h"

#include "io/report_choice.h"
#include "io/result_h5.h"

#include <unistd.h>

static char folder[64], path[128];

static int make_folder(void **ctx)
{
    (void)ctx;
    snprintf(folder, sizeof folder, "/tmp/specht_frames_XXXXXX");
    snprintf(path, sizeof path, "%s", mkdtemp(folder) ? folder : "");
    strcat(path, "/a.h5");
    return 0;
}

static int remove_folder(void **ctx)
{
    (void)ctx;
    unlink(path);
    return rmdir(folder);
}

/* A run of n steps, a frame in every second, with spikes of one frame in some quantities; every
 * 'pause'-th step has the two events of the fixture. */
enum { SPIKE_Q = 7312, SPIKE_OUTPUT = 15002, SPIKE_GAP = 21500, SPIKE_IDLE = 26000 };

static sp_result *write_run(fixture *f, long n, long pause)
{
    sp_result_writer *w = NULL;
    sp_error err = {0};
    sp_result *r = NULL;
    assert_int_equal(sp_result_create(path, &f->model, &fake_meta, &w, &err), SP_OK);
    const sp_observer o = sp_result_observer(w);
    for (long k = 0; k < n; k++) {
        fixture_step(f, k);
        f->record.n_event = pause > 0 && k % pause == 1 ? 2 : 0;
        f->contact[1].state = SP_STATE_OPEN;
        f->q[1] += k == SPIKE_Q ? 100.0 : 0.0;
        f->value[2] += k == SPIKE_OUTPUT ? -100.0 : 0.0;
        f->contact[0].g_N += k == SPIKE_GAP ? 100.0 : 0.0;
        f->value[1] = k == SPIKE_IDLE ? (double)NAN : 1.0;
        assert_int_equal(o.step(o.ctx, &f->model, &f->record, &err), SP_OK);
    }
    assert_int_equal(sp_result_close(w, SP_OK, NULL, NULL, &err), SP_OK);
    assert_int_equal(sp_result_open(path, &r, &err), SP_OK);
    return r;
}

static bool has(const sp_frames *frames, size_t frame)
{
    for (size_t k = 0; k < frames->n; k++) {
        if (frames->index[k] == frame) {
            return true;
        }
    }
    return false;
}

/* As many as asked for at most, rising, with both ends. */
static void check_list(const sp_frames *frames, size_t n, size_t most)
{
    assert_true(frames->n <= most && frames->n > most / 3);
    assert_int_equal(frames->index[0], 0);
    assert_int_equal(frames->index[frames->n - 1], n - 1);
    for (size_t k = 1; k < frames->n; k++) {
        assert_true(frames->index[k] > frames->index[k - 1]);
        assert_true(frames->index[k] - frames->index[k - 1] < 8 * n / most + 2); /* no hole */
    }
}

static int channel(sp_result *r, const char *name)
{
    int c = 0;
    sp_error err;
    assert_int_equal(sp_result_find(r, name, &c, &err), SP_OK);
    return c;
}

static void spikes_events_and_ends_of_a_long_run_are_kept(void **ctx)
{
    (void)ctx;
    enum { STEPS = 30001, FRAMES = 15001, MOST = 1000 };
    fixture f;
    sp_error err = {0};
    sp_frames frames;
    fixture_init(&f, 3, 3, 4, 3);
    sp_result *r = write_run(&f, STEPS, 300);
    const int watched[] = {channel(r, "body2.joint.phi"), channel(r, "output3")};
    assert_int_equal(sp_frames_choose(r, MOST, 2, watched, &frames, &err), SP_OK);
    assert_false(frames.all);
    assert_true(frames.events);
    check_list(&frames, FRAMES, MOST);
    assert_true(has(&frames, SPIKE_Q / 2));
    assert_true(has(&frames, SPIKE_OUTPUT / 2));
    assert_true(has(&frames, SPIKE_GAP / 2)); /* not watched, but the largest of all */
    for (long k = 1; k < STEPS; k += 300) {   /* events at odd steps lie between two frames */
        assert_true(has(&frames, (size_t)(k / 2)) && has(&frames, (size_t)(k / 2) + 1));
    }
    sp_frames_free(&frames);
    sp_result_free(r);
    fixture_free(&f);
}

static void too_many_events_leave_room_for_the_rest(void **ctx)
{
    (void)ctx;
    fixture f;
    sp_error err = {0};
    sp_frames frames;
    fixture_init(&f, 3, 3, 4, 3);
    sp_result *r = write_run(&f, 20001, 2);
    assert_int_equal(sp_frames_choose(r, 500, 0, NULL, &frames, &err), SP_OK);
    assert_false(frames.events);
    check_list(&frames, 10001, 500);
    sp_frames_free(&frames);
    sp_result_free(r);
    fixture_free(&f);
}

static void short_runs_are_kept_whole(void **ctx)
{
    (void)ctx;
    fixture f;
    sp_error err = {0};
    sp_frames frames;
    fixture_init(&f, 1, 1, 2, 2);
    sp_result *r = write_run(&f, 199, 10);
    assert_int_equal(sp_frames_choose(r, 100, 0, NULL, &frames, &err), SP_OK);
    assert_true(frames.all);
    assert_int_equal(frames.n, 100);
    sp_frames_free(&frames);
    for (size_t most = 1; most < 100; most++) { /* also of very few */
        assert_int_equal(sp_frames_choose(r, most, 0, NULL, &frames, &err), SP_OK);
        assert_true(frames.n >= 2 && frames.n <= (most < 2 ? 2 : most));
        sp_frames_free(&frames);
    }
    sp_result_free(r);
    fixture_free(&f);
}

static void gathered_numbers_are_those_of_the_frames(void **ctx)
{
    (void)ctx;
    fixture f;
    sp_error err = {0};
    sp_frames frames;
    fixture_init(&f, 3, 40, 4, 3);
    sp_result *r = write_run(&f, 40001, 1000);
    assert_int_equal(sp_frames_choose(r, 300, 0, NULL, &frames, &err), SP_OK);
    const size_t column[3] = {3 * 40 + 1, 5, 3};
    double *value = malloc(3 * frames.n * sizeof *value);
    assert_int_equal(sp_frames_gather(r, &frames, SP_DATA_POSE, 3, column, value, &err), SP_OK);
    for (size_t i = 0; i < frames.n; i++) {
        const long k = 2 * (long)frames.index[i];
        for (size_t c = 0; c < 3; c++) {
            assert_true(value[3 * i + c] == fake(FAKE_POSE, k, (int)column[c]));
        }
    }
    free(value);
    sp_frames_free(&frames);
    sp_result_free(r);
    fixture_free(&f);
}

/* ---- report_choice.c ----------------------------------------------------------------------- */

/* Is there a channel of this name in the choice? */
static bool chosen(sp_result *r, const sp_choice *c, const char *name)
{
    const int wanted = channel(r, name);
    for (size_t k = 0; k < c->n_channel; k++) {
        if (c->channel[k] == wanted) {
            return true;
        }
    }
    return false;
}

static void a_small_budget_leaves_out_what_matters_least(void **ctx)
{
    (void)ctx;
    fixture f;
    sp_error err = {0};
    sp_choice c;
    sp_page_extent told = {0};
    fixture_init(&f, 3, 60, 8, 3);
    sp_result *r = write_run(&f, 8001, 0);
    assert_int_equal(sp_choice_make(r, 4000, 100000000, &c, &told, &err), SP_OK);
    assert_int_equal(told.channels, told.channels_in); /* everything fits */
    assert_int_equal(c.n_contact, 8);
    assert_string_not_equal(told.note, "");
    sp_choice_free(&c);

    memset(&told, 0, sizeof told);
    assert_int_equal(sp_choice_make(r, 4000, 2000000, &c, &told, &err), SP_OK);
    assert_true(told.channels < told.channels_in);
    assert_true(c.frames.n >= 900 && c.frames.n <= 4000);
    assert_true(chosen(r, &c, "body1.joint.phi") && chosen(r, &c, "output3") &&
                chosen(r, &c, "energy.kinetic"));
    assert_false(chosen(r, &c, "guide.c2.upper.g_N")); /* never closed */
    assert_non_null(strstr(told.note, "channels"));
    for (size_t k = 0; k < c.n_contact; k++) {
        assert_true(c.contact[k] != 1);
    }
    sp_choice_free(&c);
    sp_result_free(r);
    fixture_free(&f);
}

int main(void)
{
    sp_result_quiet_exit();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spikes_events_and_ends_of_a_long_run_are_kept),
        cmocka_unit_test(too_many_events_leave_room_for_the_rest),
        cmocka_unit_test(short_runs_are_kept_whole),
        cmocka_unit_test(gathered_numbers_are_those_of_the_frames),
        cmocka_unit_test(a_small_budget_leaves_out_what_matters_least),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
