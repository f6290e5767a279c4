#define _POSIX_C_SOURCE 200809L
/* Channels of a machine as it runs are those of its result: names, units, numbers and values. */
#include "api/machine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* A box that slides in space, with an output and a spring. */
static const char box[] =
    "specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\n"
    "bodies:\n"
    "  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
    "  ball: {mass: 1 kg, inertia: 0.004, contours: {skin: {sphere: 0.1 m}}}\n"
    "contacts: {touch: {between: [ball, ground], law: {mu: 0.3}}}\n"
    "forces: {pull: {spring: [ball, ground], stiffness: 2 N/m, rest: 1 m}}\n"
    "outputs: {speed: ball.vx, load: touch.lambda_N}\n"
    "start: {ball.z: 0.1 m, ball.vx: 1 m/s}\n"
    "run: {until: 0.2 s, output_step: 0.02 s, step: 1 ms, method: moreau}\n";

/* The last frame, as an observer read it. */
typedef struct frame {
    int n;
    double *value;
} frame;

static sp_status read_all(void *ctx, const sp_sample *sample, sp_error *err)
{
    (void)err;
    frame *f = ctx;
    for (int k = 0; k < f->n; k++) {
        f->value[k] = sp_channel_read(sample, k);
    }
    return SP_OK;
}

static void compare(const char *text)
{
    machine m = machine_make(text, NULL);
    sp_error err = {.status = SP_OK};
    sp_run_options options;
    sp_result *result;
    char path[] = "/tmp/specht_api_XXXXXX";
    close(mkstemp(path));
    frame f = {.n = 0};
    while (sp_channel_name(m.model, f.n, (char[8]){""}, 8)) {
        f.n++;
    }
    f.value = calloc((size_t)f.n, sizeof *f.value);
    const sp_run_observer observer = {.size = sizeof observer, .ctx = &f, .frame = read_all};
    ASSERT_OK(sp_run_options_default(m.model, &options, &err));
    options.result = path;
    ASSERT_OK(sp_run(m.model, m.state, m.work, &options, &observer, NULL, &err));
    ASSERT_OK(sp_result_open(path, &result, &err));
    const size_t last = sp_result_about(result)->n_frame - 1;
    assert_int_equal(sp_result_about(result)->n_channel, f.n);
    for (int k = 0; k < f.n; k++) {
        char name[128], same[128];
        double value;
        int found = -1;
        const char *unit = sp_channel_name(m.model, k, name, sizeof name);
        assert_string_equal(unit, sp_result_channel_name(result, k, same, sizeof same));
        assert_string_equal(name, same);
        ASSERT_OK(sp_channel_find(m.model, name, &found, &err));
        assert_int_equal(found, k);
        ASSERT_OK(sp_result_read(result, 1, &k, last, 1, &value, &err));
        if (value != f.value[k]) {
            fail_msg("%s: %.17g in the result, %.17g read", name, value, f.value[k]);
        }
    }
    sp_result_free(result);
    unlink(path);
    free(f.value);
    machine_free(&m);
}

static void channels_are_those_of_the_result(void **ctx)
{
    (void)ctx;
    compare(ball);
    compare(box);
}

static void a_state_is_read_without_a_run(void **ctx)
{
    (void)ctx;
    machine m = machine_make(ball, "h=3 m");
    sp_error err = {.status = SP_OK};
    const sp_sample *sample;
    int y, vy, gap, height, energy;
    ASSERT_OK(sp_channel_find(m.model, "ball.y", &y, &err));
    ASSERT_OK(sp_channel_find(m.model, "ball.vy", &vy, &err));
    ASSERT_OK(sp_channel_find(m.model, "bounce.g_N", &gap, &err));
    ASSERT_OK(sp_channel_find(m.model, "height", &height, &err));
    ASSERT_OK(sp_channel_find(m.model, "energy.kinetic", &energy, &err));
    ASSERT_OK(sp_sample_take(m.model, m.state, m.work, &sample, &err));
    assert_near(sp_channel_read(sample, y), 3.0, 1e-15);
    assert_near(sp_channel_read(sample, gap), 3.0, 1e-15);
    assert_near(sp_channel_read(sample, height), 1.0, 1e-15);
    ASSERT_OK(sp_step(m.model, m.state, m.work, SP_METHOD_MOREAU, 0.1, NULL, &err));
    ASSERT_OK(sp_sample_take(m.model, m.state, m.work, &sample, &err));
    assert_near(sp_channel_read(sample, 0), 0.1, 1e-15);
    assert_near(sp_channel_read(sample, vy), -1.0, 1e-12);
    assert_near(sp_channel_read(sample, y), 2.95, 1e-12);
    assert_near(sp_channel_read(sample, energy), 1.0, 1e-12);
    machine_free(&m);
}

static void unknown_names_and_numbers_are_errors(void **ctx)
{
    (void)ctx;
    machine m = machine_make(ball, NULL);
    sp_error err = {.status = SP_OK};
    const sp_sample *sample;
    int k;
    char name[8];
    assert_int_equal(sp_channel_find(m.model, "ball.yy", &k, &err), SP_E_INPUT);
    assert_non_null(strstr(err.text, "did you mean 'ball."));
    assert_int_equal(sp_channel_find(m.model, NULL, &k, &err), SP_E_INPUT);
    assert_int_equal(sp_channel_find(NULL, "t", &k, NULL), SP_E_INPUT);
    assert_null(sp_channel_name(m.model, -1, name, sizeof name));
    assert_string_equal(name, "");
    assert_null(sp_channel_name(m.model, 1000000, name, sizeof name));
    assert_string_equal(name, "");
    ASSERT_OK(sp_sample_take(m.model, m.state, m.work, &sample, &err));
    assert_true(isnan(sp_channel_read(sample, -1)));
    assert_int_equal(sp_sample_take(m.model, NULL, m.work, &sample, &err), SP_E_INPUT);
    machine_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(channels_are_those_of_the_result),
        cmocka_unit_test(a_state_is_read_without_a_run),
        cmocka_unit_test(unknown_names_and_numbers_are_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
