/* Measures of whole runs against closed forms. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "specht/specht.h"

#define G 9.81

#define BALL                                                                                       \
    "specht: 1\nspace: planar\ngravity: 9.81 m/s^2\nparameters: {e: 0.5}\n"                        \
    "bodies: {ground: {contours: {floor: {line: [0, 1]}}},\n"                                      \
    "  ball: {mass: 2 kg, joint: {prismatic: ground, axis: [0, 1]}, contours: {tip: {point: [0, "  \
    "0]}}}}\n"                                                                                     \
    "contacts: {bounce: {between: [ball, ground], law: {eps_N: e}}}\nstart: {ball.y: 1 m}\n"

#define OSCILLATOR                                                                                 \
    "specht: 1\nunits: off\nformula: {coordinates: {z: 1}, kinetic: z'^2/2, potential: z^2/2}\n"   \
    "start: {z: 1}\n"

/* What a run keeps of its samples. */
typedef struct samples {
    int n;
    double t[64], value[64][2];
} samples;

static sp_status take(void *ctx, double t, int n, const double *value, sp_error *err)
{
    samples *s = ctx;
    (void)err;
    if (s->n < 64) {
        s->t[s->n] = t;
        memcpy(s->value[s->n++], value, (size_t)(n < 2 ? n : 2) * sizeof *value);
    }
    return SP_OK;
}

/* Run a model; its measures come to value, its samples to *s if that is not NULL. */
static void run(const char *text, double *value, samples *s)
{
    sp_error err = {.status = SP_OK};
    sp_spec *spec = sp_spec_new(NULL);
    sp_model *m = NULL;
    sp_state *x = NULL;
    sp_work *w = NULL;
    sp_run_options o;
    sp_run_observer observer = {.size = sizeof observer, .ctx = s, .sample = take};
    if (sp_spec_load_text(spec, "m.yaml", text, strlen(text), NULL, &err) != SP_OK ||
        sp_model_build(spec, NULL, &m, &err) != SP_OK || sp_state_new(m, NULL, &x, &err) != SP_OK ||
        sp_work_new(m, NULL, &w, &err) != SP_OK || sp_run_options_default(m, &o, &err) != SP_OK) {
        fail_msg("%d:%d: %s", err.line, err.column, err.text);
    }
    o.measures = value;
    if (sp_run(m, x, w, &o, s ? &observer : NULL, NULL, &err) != SP_OK) {
        fail_msg("%s", err.text);
    }
    sp_work_free(w);
    sp_state_free(x);
    sp_model_free(m);
    sp_spec_free(spec);
}

static void a_bouncing_ball_has_its_closed_forms(void **ctx)
{
    (void)ctx;
    double value[8];
    run(BALL "measures: {p: impulses(bounce), m: mean(ball.y), r: rms(ball.y), v: peak(ball.vy), "
             "l: loss(), lb: loss(bounce), n: impacts(*)}\nrun: {until: 3 s}\n",
        value, NULL);
    const double v = sqrt(2.0 * G), T = v / G, e = 0.5;
    double mean = T - G * T * T * T / 6.0;
    double square = T - G * T * T * T / 3.0 + G * G * pow(T, 5) / 20.0;
    double u = v;
    for (int k = 0; k < 100; k++) { /* flights from u, each shorter by e */
        u *= e;
        const double t = 2.0 * u / G;
        mean += u * t * t / 2.0 - G * t * t * t / 6.0;
        square += u * u * t * t * t / 3.0 - u * G * pow(t, 4) / 4.0 + G * G * pow(t, 5) / 20.0;
    }
    /* the last hops are lower than 1e-9 m, and the tolerance is 1e-9 */
    assert_true(fabs(value[0] / (2.0 * v * (1.0 + e) / (1.0 - e)) - 1.0) < 1e-9);
    assert_true(fabs(value[1] / (mean / 3.0) - 1.0) < 1e-8);
    assert_true(fabs(value[2] / sqrt(square / 3.0) - 1.0) < 1e-8);
    assert_true(fabs(value[3] / v - 1.0) < 1e-9);
    assert_true(fabs(value[4] / (2.0 * G) - 1.0) < 1e-9);
    assert_true(fabs(value[5] / (2.0 * G) - 1.0) < 1e-9);
    assert_true(value[6] > 10.0);
}

static void time_steps_count_the_same_impulses(void **ctx)
{
    (void)ctx;
    double value[2];
    run(BALL "measures: {p: impulses(bounce), m: mean(ball.y)}\n"
             "run: {until: 3 s, method: moreau, step: 0.1 ms}\n",
        value, NULL);
    /* impulses of steps have the weight of a step in each of ten impacts: 2 g dt each */
    assert_true(fabs(value[0] - 2.0 * sqrt(2.0 * G) * 3.0) < 10.0 * 2.0 * G * 1e-4);
    assert_true(fabs(value[1] - 0.1290067545673517) < 1e-5);
}

static void lasting_contact_has_no_impulses(void **ctx)
{
    (void)ctx;
    double value[3];
    run(BALL "measures: {p: impulses(bounce), n: impacts(bounce), s: span}\n"
             "run: {until: 3 s, measure_from: 2 s}\n",
        value, NULL);
    assert_true(value[0] == 0.0 && value[1] == 0.0 && value[2] == 1.0);
}

static void forces_of_lasting_contact_have_their_means(void **ctx)
{
    (void)ctx;
    const char *method[] = {"", ", method: moreau-mean, step: 1 ms"};
    for (int k = 0; k < 2; k++) { /* a puck of 2 kg slides, and is pressed by 5 N + 3 N sin */
        char text[1200];
        double value[7];
        snprintf(text, sizeof text,
                 "specht: 1\nspace: planar\ngravity: 9.81 m/s^2\n"
                 "bodies: {ground: {contours: {floor: {line: [0, 1]}}},\n"
                 "  puck: {mass: 2 kg, inertia: 1 kg*m^2, "
                 "contours: {disc: {circle: 0.1 m}}}}\n"
                 "contacts: {rest: {between: [puck, ground], law: {mu: 0.1}}}\n"
                 "forces: {press: {force: [0, '-(5 + 3*sin(2*pi*t/(1 s)))*1 N'], on: puck}}\n"
                 "start: {puck.y: 0.1 m, puck.vx: 9 m/s}\n"
                 "measures: {m: mean(rest.lambda_N), r: rms(rest.lambda_N), "
                 "low: min(rest.lambda_N), high: max(rest.lambda_N), T: mean(rest.lambda_T), "
                 "a: mean(puck.ay), b: mean(puck.ax)}\nrun: {until: 1 s%s}\n",
                 method[k]);
        run(text, value, NULL);
        const double mean = 2.0 * G + 5.0, near = k == 0 ? 1e-6 : 0.05;
        assert_true(fabs(value[0] - mean) < near);
        assert_true(fabs(value[1] - sqrt(mean * mean + 4.5)) < near);
        assert_true(fabs(value[2] - (mean - 3.0)) < near && fabs(value[3] - (mean + 3.0)) < near);
        assert_true(fabs(fabs(value[4]) - 0.1 * mean) < near);
        assert_true(fabs(value[5]) < near && fabs(value[6] + 0.05 * mean) < near);
    }
}

static void an_oscillator_has_its_means_and_peaks(void **ctx)
{
    (void)ctx;
    double value[7];
    run(OSCILLATOR "measures: {a: mean(z^2), b: mean(abs(z)), c: \"peak(z')\", d: max(z), "
                   "e: min(z), f: \"2*max(a, b) + e\", g: span}\n"
                   "run: {until: 20*pi, measure_from: 2*pi}\n",
        value, NULL);
    const double pi = acos(-1.0);
    assert_true(fabs(value[0] - 0.5) < 1e-8);
    assert_true(fabs(value[1] - 2.0 / pi) < 1e-6); /* of a kink in a step a millionth is left */
    assert_true(fabs(value[2] - 1.0) < 1e-8);
    assert_true(fabs(value[3] - 1.0) < 1e-8 && fabs(value[4] + 1.0) < 1e-8);
    assert_true(fabs(value[5] - (4.0 / pi - 1.0)) < 1e-5);
    assert_true(fabs(value[6] - 18.0 * pi) < 1e-12);
}

static void extremes_of_what_jumps_are_values_that_it_takes(void **ctx)
{
    (void)ctx;
    double value[4];
    run(OSCILLATOR
        "measures: {a: \"min(if(abs(z) > 0.4, 3, 5))\", b: \"max(if(abs(z) > 0.4, 3, 5))\", "
        "c: \"min(if(z' > 0.3, z', 1))\", d: min(abs(z))}\nrun: {until: 10*pi}\n",
        value, NULL);
    assert_true(value[0] == 3.0 && value[1] == 5.0);
    /* nodes are less than 1e-4 of a step of at most 1 apart */
    assert_true(value[2] > 0.3 && value[2] < 0.3 + 1e-3);
    assert_true(value[3] >= 0.0 && value[3] < 1e-3);
}

static void what_is_no_number_at_some_time_has_no_extremes(void **ctx)
{
    (void)ctx;
    static const char *const method[] = {"smooth, tolerance: 1e-9", "moreau, step: 0.01",
                                         "adaptive"};
    for (int k = 0; k < 3; k++) {
        double value[7];
        char text[800];
        snprintf(text, sizeof text,
                 OSCILLATOR "measures: {a: max(sqrt(z)), b: min(sqrt(z)), c: peak(sqrt(z)), "
                            "d: rms(sqrt(z)), e: mean(sqrt(z)), f: final(sqrt(z)), g: max(z)}\n"
                            "run: {until: 7, output_step: 0.1, method: %s}\n",
                 method[k]);
        run(text, value, NULL);
        for (int i = 0; i < 5; i++) {
            assert_true(isnan(value[i]));
        }
        assert_true(fabs(value[5] - sqrt(cos(7.0))) < 1e-4); /* there it is one again */
        assert_true(fabs(value[6] - 1.0) < 1e-4);
    }
}

static void a_stroboscope_samples_at_its_times(void **ctx)
{
    (void)ctx;
    samples s = {.n = 0};
    run(OSCILLATOR "sample: {every: 1, offset: 0.25, keep: [z, \"z'\"]}\n"
                   "run: {until: 10, measure_from: 1}\n",
        NULL, &s);
    assert_int_equal(s.n, 9); /* 1.25, ..., 9.25 */
    for (int k = 0; k < s.n; k++) {
        const double t = 1.25 + k;
        assert_true(fabs(s.t[k] - t) < 1e-12);
        assert_true(fabs(s.value[k][0] - cos(t)) < 1e-8 && fabs(s.value[k][1] + sin(t)) < 1e-8);
    }
}

static void crossings_and_impacts_are_sampled(void **ctx)
{
    (void)ctx;
    samples s = {.n = 0};
    const double pi = acos(-1.0);
    run(OSCILLATOR "sample: {crossing: z, direction: falling, keep: \"z'\"}\nrun: {until: 14.2}\n",
        NULL, &s);
    assert_int_equal(s.n, 3); /* pi/2 + 2 pi k */
    for (int k = 0; k < s.n; k++) {
        assert_true(fabs(s.t[k] - (0.5 + 2.0 * k) * pi) < 1e-8);
        assert_true(fabs(s.value[k][0] + 1.0) < 1e-8);
    }
    s.n = 0;
    run(BALL "sample: {impacts: bounce, keep: ball.vy}\nrun: {until: 1 s}\n", NULL, &s);
    assert_true(s.n == 2); /* at 0.4515 s and 0.903 s */
    assert_true(fabs(s.value[0][0] - 0.5 * sqrt(2.0 * G)) < 1e-8);
    assert_true(fabs(s.value[1][0] - 0.25 * sqrt(2.0 * G)) < 1e-8);
}

/* The message of a model that must not build, in text. */
static void refuse(const char *model, const char *expected)
{
    sp_error err = {.status = SP_OK};
    sp_spec *spec = sp_spec_new(NULL);
    sp_model *m = NULL;
    assert_int_equal(sp_spec_load_text(spec, "m.yaml", model, strlen(model), NULL, &err), SP_OK);
    assert_int_equal(sp_model_build(spec, NULL, &m, &err), SP_E_INPUT);
    if (!strstr(err.text, expected)) {
        fail_msg("'%s', expected '%s'", err.text, expected);
    }
    sp_spec_free(spec);
}

static void mistakes_are_said(void **ctx)
{
    (void)ctx;
    refuse(BALL "measures: {a: impulses(bonce)}\n", "did you mean 'bounce'");
    refuse(BALL "measures: {a: ball.y}\n", "outputs stand inside of mean()");
    refuse(BALL "measures: {a: mean(ball.y) + mean(ball.vy)}\n", "cannot add");
    refuse(BALL "measures: {a: mean(peak(ball.y))}\n", "unknown function 'peak'");
    refuse(BALL "measures: {a: peak(ball.yy)}\n", "has no 'yy'");
    refuse(BALL "measures: {a: impulses(2 + 3)}\n", "expected a name or a pattern");
    refuse(BALL "studies: {a: 1}\n", "study: 1");
    refuse(BALL "sample: {every: 1 m, keep: ball.y}\n", "expected a time");
    refuse(BALL "sample: {impacts: nothing, keep: ball.y}\n", "no contact is called 'nothing'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bouncing_ball_has_its_closed_forms),
        cmocka_unit_test(time_steps_count_the_same_impulses),
        cmocka_unit_test(lasting_contact_has_no_impulses),
        cmocka_unit_test(forces_of_lasting_contact_have_their_means),
        cmocka_unit_test(an_oscillator_has_its_means_and_peaks),
        cmocka_unit_test(extremes_of_what_jumps_are_values_that_it_takes),
        cmocka_unit_test(what_is_no_number_at_some_time_has_no_extremes),
        cmocka_unit_test(a_stroboscope_samples_at_its_times),
        cmocka_unit_test(crossings_and_impacts_are_sampled),
        cmocka_unit_test(mistakes_are_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
