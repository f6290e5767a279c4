/* A writer killed at random moments leaves a file with every row that was flushed. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/result_writer.h"
#include "test_result_fixture.h"

#include <hdf5.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { KILLS = 100 };

/* What the writer tells the one who kills it. */
typedef struct notes {
    volatile size_t flushed; /* frames */
    volatile int ready;
} notes;

/* Write until killed.  Flushes come often, so that many kills fall into one. */
static void write_forever(const char *path, int turn, notes *n)
{
    fixture f;
    sp_error err;
    sp_result_writer *w;
    sp_result_meta meta = fake_meta;
    meta.flush_interval = turn % 3 == 0 ? -1.0 : turn % 3 == 1 ? 2e-3 : 0.02;
    meta.until = turn % 2 == 0 ? 1.0 : 1000.0; /* short and long chunks */
    fixture_init(&f, 3, 3, 1 + turn % 7, turn % 4);
    if (sp_result_create(path, &f.model, &meta, &w, &err) != SP_OK) {
        _exit(3);
    }
    const sp_observer o = sp_result_observer(w);
    for (long k = 0;; k++) {
        if (o.step(o.ctx, &f.model, fixture_step(&f, k), &err) != SP_OK) {
            _exit(4);
        }
        n->flushed = sp_result_flushed_frames(w);
        n->ready = 1;
    }
}

/* The numbers x of a frame are those of step s. */
static void check_frame(const fixture *f, const sp_step_record *s, int n, const double *x)
{
    assert_true(x[0] == s->t);
    for (int d = 0; d < 3; d++) {
        assert_true(x[1 + d] == s->q[d] && x[4 + d] == s->u[d]);
        assert_true(x[7 + 6 * d] == s->pose[3 * d + 3] && x[12 + 6 * d] == s->velocity[3 * d + 5]);
    }
    for (int c = 0; c < f->model.n_slot; c++) {
        const double *y = x + 25 + 8 * c;
        assert_true(y[0] == s->contact[c].g_N && y[1] == s->contact[c].gamma_N);
        assert_true(y[2] == s->contact[c].gamma_T && y[3] == s->contact[c].lambda_N);
        assert_true(y[4] == s->contact[c].lambda_T && y[5] == s->contact[c].P_N);
        assert_true(y[6] == s->contact[c].P_T && y[7] == (double)s->contact[c].state);
    }
    for (int o = 0; o < f->model.n_output; o++) {
        assert_true(x[25 + 8 * f->model.n_slot + o] == s->output[o]);
    }
    assert_true(x[n - 18] == s->ledger->kinetic && x[n - 9] == s->ledger->balance);
    assert_true(x[n - 1] == (double)s->step);
}

/* The events are those of their steps, and all of the frames' time are there. */
static void check_events(fixture *f, sp_result *r)
{
    sp_error err;
    const size_t n_frame = sp_result_about(r)->n_frame, n_event = sp_result_about(r)->n_event;
    sp_event *e = calloc(n_event + 1, sizeof *e);
    assert_int_equal(sp_result_read_events(r, 0, n_event, e, &err), SP_OK);
    for (size_t i = 0; i < n_event; i++) {
        const sp_step_record *s = fixture_step(f, 5 + 10 * (long)(i / 2));
        assert_true(e[i].t == s->t && e[i].kind == s->event[i % 2].kind);
        assert_true(e[i].Lambda_N == s->event[i % 2].Lambda_N);
    }
    free(e);
    if (n_event / 2 < (2 * (n_frame - 1) + 5) / 10) {
        fail_msg("%zu frames but %zu events", n_frame, n_event);
    }
}

/* Every frame of the file is that of its step; returns how many there are. */
static size_t check_file(const char *path, int turn, bool marked)
{
    fixture f;
    sp_error err;
    sp_result *r;
    if (sp_result_open(path, &r, &err) != SP_OK) {
        fail_msg("turn %d: %s", turn, err.text);
    }
    assert_true(sp_result_about(r)->cut_short && !sp_result_about(r)->live);
    assert_int_equal(sp_result_is_marked(r), marked);
    assert_true(marked || !sp_result_is_ragged(r));
    fixture_init(&f, 3, 3, 1 + turn % 7, turn % 4);
    const size_t n_frame = sp_result_about(r)->n_frame;
    const int n = sp_result_about(r)->n_channel;
    int *channel = calloc((size_t)n, sizeof *channel);
    double *row = calloc(n_frame * (size_t)n + 1, sizeof *row);
    for (int k = 0; k < n; k++) {
        channel[k] = k;
    }
    if (sp_result_read(r, n, channel, 0, n_frame, row, &err) != SP_OK) {
        fail_msg("turn %d: %s", turn, err.text);
    }
    assert_true(n_frame > 0);
    for (size_t i = 0; i < n_frame; i++) {
        check_frame(&f, fixture_step(&f, 2 * (long)i), n, row + i * (size_t)n);
    }
    check_events(&f, r);
    free(row);
    free(channel);
    sp_result_free(r);
    fixture_free(&f);
    return n_frame;
}

/* Does HDF5 itself, knowing nothing of the writer, open the file? */
static bool opens_plainly(const char *path)
{
    hid_t file;
    H5E_BEGIN_TRY
    {
        file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    }
    H5E_END_TRY
    if (file >= 0) {
        H5Fclose(file);
    }
    return file >= 0;
}

/* Start a writer and kill it after at most 'wait' microseconds of writing. */
static void run_and_kill(const char *path, int turn, notes *n, unsigned wait)
{
    n->flushed = 0;
    n->ready = 0;
    const pid_t child = fork();
    if (child == 0) {
        write_forever(path, turn, n);
    }
    int how = 0;
    while (!n->ready && waitpid(child, &how, WNOHANG) == 0) {
        usleep(100);
    }
    assert_true(n->ready);
    usleep(wait);
    kill(child, SIGKILL);
    waitpid(child, &how, 0);
    assert_true(WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL);
}

/* Was the writer stopped between two columns? */
static bool is_ragged(const char *path)
{
    sp_result *r;
    sp_error err;
    assert_int_equal(sp_result_open(path, &r, &err), SP_OK);
    const bool ragged = sp_result_is_ragged(r);
    sp_result_free(r);
    return ragged;
}

/* Was a write torn that the journal puts right? */
static bool is_torn(const char *path)
{
    sp_disk_patch patch;
    assert_true(sp_disk_find_patch(path, &patch));
    free(patch.data);
    return patch.size > 0;
}

/* Recover the file; a second time nothing happens. */
static void recover(const char *path, int turn)
{
    struct stat before, after;
    sp_error err = {0};
    assert_false(opens_plainly(path));
    if (sp_result_recover(path, &err) != SP_OK) {
        fail_msg("turn %d: %s", turn, err.text);
    }
    assert_true(opens_plainly(path));
    stat(path, &before);
    assert_int_equal(sp_result_recover(path, &err), SP_OK);
    stat(path, &after);
    assert_true(before.st_ino == after.st_ino && before.st_mtim.tv_nsec == after.st_mtim.tv_nsec);
}

static void every_flushed_row_survives_100_kills_and_recovery(void **ctx)
{
    (void)ctx;
    char folder[] = "/tmp/specht_kill_XXXXXX", path[128];
    uint32_t seed = 20240229;
    size_t frames = 0, in_flight = 0, ragged = 0;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/run.h5", folder);
    notes *n = mmap(NULL, sizeof *n, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(n != MAP_FAILED);
    for (int turn = 0; turn < KILLS; turn++) {
        seed = seed * 1664525u + 1013904223u;
        run_and_kill(path, turn, n, (seed >> 8) % 60000);
        const size_t found = check_file(path, turn, true);
        if (found < n->flushed) {
            fail_msg("turn %d: %zu frames of %zu", turn, found, n->flushed);
        }
        ragged += is_ragged(path);
        recover(path, turn);
        assert_int_equal(check_file(path, turn, false), found);
        in_flight += found > n->flushed;
        frames += found;
    }
    print_message("%d kills, %zu frames checked, %zu files newer than the last flush told, "
                  "%zu with columns of unequal length\n",
                  KILLS, frames, in_flight, ragged);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0); /* nothing else was left behind */
    munmap(n, sizeof *n);
}

/* Write 40 frames, each flushed, and stop for good at write 'stop' to the disk. */
static void write_and_stop(const char *path, unsigned long stop, notes *n)
{
    fixture f;
    sp_error err;
    sp_result_writer *w;
    sp_result_meta meta = fake_meta;
    meta.flush_interval = -1.0;
    fixture_init(&f, 3, 3, 3, 2);
    if (sp_result_create(path, &f.model, &meta, &w, &err) != SP_OK) {
        _exit(3);
    }
    w->disk.fail_at = w->disk.writes + stop;
    const sp_observer o = sp_result_observer(w);
    for (long k = 0; k < 80; k++) {
        if (o.step(o.ctx, &f.model, fixture_step(&f, k), &err) != SP_OK) {
            _exit(0); /* nothing is closed */
        }
        n->flushed = sp_result_flushed_frames(w);
    }
    _exit(5); /* came through */
}

static void every_beginning_of_the_writes_is_a_good_file(void **ctx)
{
    (void)ctx;
    char folder[] = "/tmp/specht_stop_XXXXXX", path[128];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/run.h5", folder);
    notes *n = mmap(NULL, sizeof *n, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(n != MAP_FAILED);
    const int turn = 2; /* 3 contacts and 2 outputs in check_file */
    int how = 0, stops = 0, ragged = 0, torn = 0;
    for (unsigned long stop = 1; WEXITSTATUS(how) == 0; stop += 1 + stop / 40) {
        n->flushed = 0;
        const pid_t child = fork();
        if (child == 0) {
            write_and_stop(path, stop, n);
        }
        waitpid(child, &how, 0);
        assert_true(WIFEXITED(how) && (WEXITSTATUS(how) == 0 || WEXITSTATUS(how) == 5));
        if (n->flushed == 0) { /* the file has no name yet */
            continue;
        }
        const size_t found = check_file(path, turn, true);
        if (found < n->flushed) {
            fail_msg("stop %lu: %zu frames of %zu", stop, found, n->flushed);
        }
        ragged += is_ragged(path);
        torn += is_torn(path);
        recover(path, turn);
        assert_int_equal(check_file(path, turn, false), found);
        stops++;
    }
    print_message("%d stops, %d with columns of unequal length, %d mended from the journal\n",
                  stops, ragged, torn);
    assert_true(stops > 50 && ragged > 10 && torn > 3);
    char command[160];
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
    munmap(n, sizeof *n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_flushed_row_survives_100_kills_and_recovery),
        cmocka_unit_test(every_beginning_of_the_writes_is_a_good_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
