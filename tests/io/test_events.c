/* The list of events: by rising time, though steps tell of touches in the step before. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test_result_fixture.h"

#include "io/events.h"

#include <unistd.h>

enum { STEPS = 40000 };

static char path[] = "/tmp/specht_events_XXXXXX";

/* Write two events every ten steps; the first of every second pair touched before the pair ahead
 * of it, which tells of the end of its step. */
static void write_events(fixture *f)
{
    sp_error err = {.status = SP_OK};
    sp_result_writer *w = NULL;
    assert_int_equal(sp_result_create(path, &f->model, &fake_meta, &w, &err), SP_OK);
    const sp_observer o = sp_result_observer(w);
    for (long k = 0; k < STEPS; k++) {
        const sp_step_record *r = fixture_step(f, k);
        if (k % 20 == 15) {
            f->event[0].t -= 10.5e-3;
        }
        assert_int_equal(o.step(o.ctx, &f->model, r, &err), SP_OK);
    }
    assert_int_equal(sp_result_close(w, SP_OK, NULL, NULL, &err), SP_OK);
}

/* The list of a file, as text. */
static char *list_of(const sp_event_filter *filter)
{
    char *text = NULL;
    size_t size;
    sp_result *r;
    sp_error err = {.status = SP_OK};
    FILE *file = open_memstream(&text, &size);
    assert_int_equal(sp_result_open(path, &r, &err), SP_OK);
    assert_int_equal(sp_events_json(r, file, filter, &err), SP_OK);
    sp_result_free(r);
    fclose(file);
    return text;
}

static void events_are_listed_by_rising_time(void **ctx)
{
    (void)ctx;
    fixture f;
    fixture_init(&f, 1, 1, 2, 0);
    write_events(&f);
    char *text = list_of(NULL);
    double last = -1.0;
    int n = 0, early = 0;
    for (const char *at = text; (at = strstr(at, "\"t\":")) != NULL; n++) {
        const double t = strtod(at + 4, NULL);
        at += 4;
        const bool impact = strncmp(strstr(at, "\"kind\":"), "\"kind\":\"impact\"", 15) == 0;
        assert_true(t >= last);
        assert_true(t > last || !impact); /* of equal times the impact was told first */
        early += fabs(fmod(1e3 * t, 10.0) - 4.5) < 1e-6;
        last = t;
    }
    assert_int_equal(n, 2 * STEPS / 10);
    assert_int_equal(early, STEPS / 20);
    free(text);
    const sp_event_filter sticks = {.kind = "stick"};
    text = list_of(&sticks);
    assert_null(strstr(text, "impact\""));
    free(text);
    fixture_free(&f);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_are_listed_by_rising_time),
    };
    const int file = mkstemp(path);
    if (file < 0) {
        return 1;
    }
    close(file);
    unlink(path);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
