#define _POSIX_C_SOURCE 200809L
/* Runs through the public functions: observers, results, checkpoints, doubts, misuse. */
#include "api/machine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* What an observer saw. */
typedef struct seen {
    const sp_model *model;
    int frames, impacts, y;
    double t_impact, y_last, t_last;
    long steps;
    sp_work *stop; /* to be stopped after 3 frames; NULL: never */
} seen;

static sp_status see_frame(void *ctx, const sp_sample *sample, sp_error *err)
{
    (void)err;
    seen *s = ctx;
    s->frames++;
    s->y_last = sp_channel_read(sample, s->y);
    s->t_last = sp_channel_read(sample, 0);
    if (s->stop && s->frames == 3) {
        sp_run_stop(s->stop);
    }
    return SP_OK;
}

static sp_status see_event(void *ctx, const sp_event_info *event, sp_error *err)
{
    (void)err;
    seen *s = ctx;
    if (strcmp(event->kind, "impact") == 0 && s->impacts++ == 0) {
        s->t_impact = event->t;
        assert_string_equal(event->name, "bounce");
        assert_near(event->gamma_N_before, -10.0, 1e-9);
        assert_near(event->Lambda_N, 2.0 * 15.0, 1e-8);
        assert_near(event->energy_lost, 0.5 * 2.0 * (100.0 - 25.0), 1e-7);
    }
    return SP_OK;
}

static sp_status see_step(void *ctx, double t, long steps, long events, sp_error *err)
{
    (void)t;
    (void)events;
    (void)err;
    ((seen *)ctx)->steps = steps;
    return SP_OK;
}

static sp_run_observer observer_of(seen *s)
{
    return (sp_run_observer){.size = sizeof(sp_run_observer),
                             .ctx = s,
                             .frame = see_frame,
                             .event = see_event,
                             .step = see_step};
}

/* A fall of 1 s, up with 5 m/s: y(1.5 s) = 5*0.5 - 5*0.25 = 1.25 m. */
static void an_event_driven_run_is_watched(void **ctx)
{
    (void)ctx;
    machine m = machine_make(ball, NULL);
    sp_error err = {.status = SP_OK};
    sp_run_options options;
    sp_run_outcome outcome;
    seen s = {.model = m.model};
    const sp_run_observer observer = observer_of(&s);
    ASSERT_OK(sp_channel_find(m.model, "ball.y", &s.y, &err));
    ASSERT_OK(sp_run_options_default(m.model, &options, &err));
    assert_int_equal(options.method, SP_METHOD_EVENT);
    ASSERT_OK(sp_run(m.model, m.state, m.work, &options, &observer, &outcome, &err));
    assert_int_equal(s.frames, 16);
    assert_int_equal(s.impacts, 1);
    assert_near(s.t_impact, 1.0, 1e-9);
    assert_near(s.t_last, 1.5, 0.0);
    assert_near(s.y_last, 1.25, 1e-8);
    assert_true(s.steps > 0);
    assert_int_equal(outcome.status, SP_RUN_CLEAN);
    assert_true(outcome.began && outcome.steps > 0 && outcome.message[0] == '\0');
    assert_near(outcome.impacts, -75.0, 1e-7);
    assert_near(outcome.initial, 100.0, 1e-9);
    char text[2048], cut[16];
    const int n = sp_run_summary_text(&outcome, text, sizeof text);
    assert_int_equal(n, (int)strlen(text));
    assert_non_null(strstr(text, "= 25.00 kept + 75.00 impacts"));
    assert_int_equal(sp_run_summary_text(&outcome, cut, sizeof cut), n);
    assert_int_equal(strncmp(cut, text, sizeof cut - 1), 0);
    machine_free(&m);
}

static void it_is_stopped_from_outside_and_can_be_run_again(void **ctx)
{
    (void)ctx;
    machine m = machine_make(ball, NULL);
    sp_error err = {.status = SP_OK};
    sp_run_options options;
    sp_run_outcome outcome;
    seen s = {.stop = m.work};
    const sp_run_observer observer = observer_of(&s);
    ASSERT_OK(sp_run_options_default(m.model, &options, &err));
    assert_int_equal(sp_run(m.model, m.state, m.work, &options, &observer, &outcome, &err),
                     SP_E_INTERRUPTED);
    assert_int_equal(outcome.status, SP_RUN_INTERRUPTED);
    assert_true(outcome.t < 1.5 && s.frames == 3);
    s.stop = NULL;
    ASSERT_OK(sp_run(m.model, m.state, m.work, &options, &observer, &outcome, &err));
    machine_free(&m);
}

/* A rod whose end hits the floor at such an angle that Newton's law with friction gives energy. */
static const char rod[] =
    "specht: 1\nspace: planar\ngravity: 0 m/s^2\n"
    "bodies:\n"
    "  ground: {contours: {floor: {line: [0, 1]}}}\n"
    "  rod: {mass: 1 kg, inertia: 0.08 kg*m^2, contours: {end: {point: [-0.5 m, 0]}}}\n"
    "contacts: {k: {between: [rod.end, ground], law: {mu: 0.6, eps_N: 0.9}}}\n"
    "start: {rod.y: 0.366 m, rod.phi: 0.8, rod.vx: 0.6 m/s, rod.vy: -1 m/s}\n"
    "run: {until: 0.1 s, method: event}\n";

static void what_may_be_doubted_is_in_the_outcome_and_in_the_result(void **ctx)
{
    (void)ctx;
    machine m = machine_make(rod, NULL);
    sp_error err = {.status = SP_OK};
    sp_run_options options;
    sp_run_outcome outcome;
    sp_result *result;
    char path[] = "/tmp/specht_api_XXXXXX";
    close(mkstemp(path));
    ASSERT_OK(sp_run_options_default(m.model, &options, &err));
    options.result = path;
    ASSERT_OK(sp_run(m.model, m.state, m.work, &options, NULL, &outcome, &err));
    const sp_doubt *d = &outcome.doubt[SP_DOUBT_RESTITUTION];
    assert_int_equal(outcome.status, SP_RUN_DOUBTFUL);
    assert_int_equal(d->n, 1);
    assert_string_equal(d->place, "k");
    assert_true(d->size > 0.0);
    ASSERT_OK(sp_result_open(path, &result, &err));
    assert_string_equal(sp_result_about(result)->status, "doubtful");
    assert_int_equal(strncmp(sp_result_about(result)->doubts, "restitution 1 time", 18), 0);
    sp_event_info event;
    const size_t n_event = sp_result_about(result)->n_event;
    assert_true(n_event >= 1);
    ASSERT_OK(sp_result_events(result, 0, 1, &event, &err));
    assert_string_equal(event.kind, "impact");
    assert_string_equal(event.name, "k");
    assert_true(event.Lambda_N > 0.0);
    assert_int_equal(sp_result_events(result, n_event, 1, &event, &err), SP_E_INPUT);
    sp_result_free(result);
    unlink(path);
    machine_free(&m);
}

/* The end of a run, and of one that was left at 0.7 s and taken up from its checkpoint. */
static void a_run_goes_on_to_the_bit(void **ctx)
{
    (void)ctx;
    sp_error err = {.status = SP_OK};
    sp_run_options options;
    char path[] = "/tmp/specht_api_XXXXXX", checkpoint[64];
    close(mkstemp(path));
    snprintf(checkpoint, sizeof checkpoint, "%s.checkpoint", path);
    machine whole = machine_make(ball, NULL), part = machine_make(ball, NULL),
            rest = machine_make(ball, NULL);
    ASSERT_OK(sp_run_options_default(whole.model, &options, &err));
    ASSERT_OK(sp_run(whole.model, whole.state, whole.work, &options, NULL, NULL, &err));
    options.result = path;
    options.checkpoint = true;
    options.until = 0.7;
    ASSERT_OK(sp_run(part.model, part.state, part.work, &options, NULL, NULL, &err));
    ASSERT_OK(sp_run_options_default(rest.model, &options, &err));
    ASSERT_OK(sp_run_resume(rest.model, rest.state, rest.work, path, &options, &err));
    assert_true(sp_state_time(rest.state) <= 0.7);
    sp_run_outcome outcome;
    ASSERT_OK(sp_run(rest.model, rest.state, rest.work, &options, NULL, &outcome, &err));
    assert_true(outcome.resumed);
    assert_true(sp_state_q(rest.state)[0] == sp_state_q(whole.state)[0]);
    assert_true(sp_state_u(rest.state)[0] == sp_state_u(whole.state)[0]);
    options.tolerance *= 0.1;
    assert_int_equal(sp_run_resume(rest.model, rest.state, rest.work, path, &options, &err),
                     SP_E_INPUT);
    assert_non_null(strstr(err.text, "tolerance"));
    assert_int_equal(sp_run_resume(rest.model, rest.state, rest.work, "nowhere", &options, &err),
                     SP_E_IO);
    unlink(path);
    unlink(checkpoint);
    machine_free(&whole);
    machine_free(&part);
    machine_free(&rest);
}

static void misuse_is_an_error_and_no_crash(void **ctx)
{
    (void)ctx;
    machine m = machine_make(ball, NULL);
    sp_error err = {.status = SP_OK};
    sp_run_options options, bare = {.until = 1.0, .method = SP_METHOD_EVENT, .tolerance = 1e-9};
    sp_run_observer small = {.size = 8};
    sp_run_outcome outcome;
    ASSERT_OK(sp_run_options_default(m.model, &options, &err));
    assert_int_equal(sp_run(NULL, m.state, m.work, &options, NULL, NULL, NULL), SP_E_INPUT);
    assert_int_equal(sp_run(m.model, NULL, m.work, &options, NULL, &outcome, &err), SP_E_INPUT);
    assert_int_equal(sp_run(m.model, m.state, NULL, &options, NULL, NULL, &err), SP_E_INPUT);
    assert_int_equal(sp_run(m.model, m.state, m.work, NULL, NULL, NULL, &err), SP_E_INPUT);
    assert_int_equal(sp_run(m.model, m.state, m.work, &bare, NULL, &outcome, &err), SP_E_INPUT);
    assert_non_null(strstr(err.text, "sp_run_options_default"));
    assert_int_equal(outcome.status, SP_RUN_FAILED);
    assert_false(outcome.began);
    assert_int_equal(sp_run(m.model, m.state, m.work, &options, &small, NULL, &err), SP_E_INPUT);
    options.checkpoint = true; /* beside no result */
    assert_int_equal(sp_run(m.model, m.state, m.work, &options, NULL, NULL, &err), SP_E_INPUT);
    options.checkpoint = false;
    options.result = "/nowhere/at/all.h5";
    assert_int_equal(sp_run(m.model, m.state, m.work, &options, NULL, &outcome, &err), SP_E_IO);
    assert_false(outcome.began);
    options.result = NULL;
    options.method = SP_METHOD_STIFF; /* without a driver */
    assert_int_equal(sp_run(m.model, m.state, m.work, &options, NULL, NULL, &err), SP_E_INPUT);
    assert_int_equal(sp_run_resume(m.model, m.state, m.work, NULL, &options, &err), SP_E_INPUT);
    assert_near(sp_state_time(m.state), 0.0, 0.0);
    machine_free(&m);
}

/* A force that grows beyond all bounds at t = 1: whatever method is asked to step over that leaves
 * the state as it was, to the bit, and can be asked again. */
static void a_step_that_fails_leaves_the_state_as_it_was(void **ctx)
{
    (void)ctx;
    static const char fall[] = "specht: 1\nname: Fall\nspace: planar\nunits: off\n"
                               "formula: {coordinates: {z: m}, kinetic: z'^2/2, "
                               "forces: {z: -1/z^3}}\n"
                               "start: {z: 1}\nrun: {until: 3}\n";
    static const sp_method method[] = {SP_METHOD_SMOOTH, SP_METHOD_ADAPTIVE};
    for (int k = 0; k < 2; k++) {
        machine m = machine_make(fall, NULL);
        sp_error err = {.status = SP_OK};
        const size_t n = sp_state_bytes(m.model);
        unsigned char *before = malloc(n), *after = malloc(n);
        ASSERT_OK(sp_step(m.model, m.state, m.work, method[k], 0.5, NULL, &err));
        assert_near(sp_state_q(m.state)[0], sqrt(0.75), 1e-4); /* z^2 = 1 - t^2 */
        sp_state_pack(m.model, m.state, before);
        for (int again = 0; again < 2; again++) {
            assert_int_not_equal(sp_step(m.model, m.state, m.work, method[k], 2.0, NULL, &err),
                                 SP_OK);
            sp_state_pack(m.model, m.state, after);
            assert_memory_equal(before, after, n);
        }
        free(before);
        free(after);
        machine_free(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_event_driven_run_is_watched),
        cmocka_unit_test(it_is_stopped_from_outside_and_can_be_run_again),
        cmocka_unit_test(what_may_be_doubted_is_in_the_outcome_and_in_the_result),
        cmocka_unit_test(a_run_goes_on_to_the_bit),
        cmocka_unit_test(misuse_is_an_error_and_no_crash),
        cmocka_unit_test(a_step_that_fails_leaves_the_state_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
