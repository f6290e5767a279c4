/* What names in expressions mean. */
#include "test_build.h"

#define BODIES                                                                                     \
    "bodies:\n"                                                                                    \
    "  ground: {points: {hook: [7 m, 8 m]}}\n"                                                     \
    "  a: {mass: 1 kg, inertia: 1, center: [1 m, 2 m], points: {p: [3 m, 4 m]}}\n"                 \
    "  b: {count: 3, mass: 1 kg, joint: {prismatic: ground, axis: 0}}\n"                           \
    "  c: {inertia: 1, joint: {revolute: ground}}\n"                                               \
    "  d: {mass: 1 kg, joint: {weld: a}}\n"

static void every_coordinate_and_velocity_has_a_name(void **ctx)
{
    (void)ctx;
    static const struct {
        const char *name, *unit;
        sp_signal_kind kind;
        int index;
        double at[2];
    } expected[] = {
        {"t", "s", SP_SIG_TIME, 0, {0, 0}},
        {"a.x", "m", SP_SIG_X, 1, {0, 0}},
        {"a.y", "m", SP_SIG_Y, 1, {0, 0}},
        {"a.phi", "rad", SP_SIG_PHI, 1, {0, 0}},
        {"a.vx", "m/s", SP_SIG_VX, 1, {0, 0}},
        {"a.vy", "m/s", SP_SIG_VY, 1, {0, 0}},
        {"a.omega", "rad/s", SP_SIG_OMEGA, 1, {0, 0}},
        {"a.center.x", "m", SP_SIG_X, 1, {1, 2}},
        {"a.center.vy", "m/s", SP_SIG_VY, 1, {1, 2}},
        {"a.p.y", "m", SP_SIG_Y, 1, {3, 4}},
        {"a.p.vx", "m/s", SP_SIG_VX, 1, {3, 4}},
        {"ground.hook.x", "m", SP_SIG_X, 0, {7, 8}},
        {"a.joint.x", "m", SP_SIG_Q, 0, {0, 0}},
        {"a.joint.vy", "m/s", SP_SIG_U, 1, {0, 0}},
        {"a.joint.phi", "rad", SP_SIG_Q, 2, {0, 0}},
        {"a.joint.omega", "rad/s", SP_SIG_U, 2, {0, 0}},
        {"b.2.joint.s", "m", SP_SIG_Q, 4, {0, 0}},
        {"b.(1 + 2).joint.v", "m/s", SP_SIG_U, 5, {0, 0}},
        {"b.3.x", "m", SP_SIG_X, 4, {0, 0}},
        {"c.joint.phi", "rad", SP_SIG_Q, 6, {0, 0}},
        {"d.omega", "rad/s", SP_SIG_OMEGA, 6, {0, 0}},
    };
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
        char text[900];
        snprintf(text, sizeof text, TOP BODIES "outputs: {o: %s}\n", expected[k].name);
        sp_model *m = model_of(text);
        const sp_func *f = &m->output[0].func;
        assert_int_equal(f->n_signal, 1);
        assert_int_equal(f->signal[0].kind, expected[k].kind);
        assert_int_equal(f->signal[0].index, expected[k].index);
        expect_vector(f->signal[0].mark.at, expected[k].at[0], expected[k].at[1]);
        assert_string_equal(m->output[0].unit, expected[k].unit);
        sp_model_free(m);
    }
}

static void names_that_mean_nothing_say_what_there_is(void **ctx)
{
    (void)ctx;
    static const char *const line[][2] = {
        {"a", "'a' is a body, expected a number; write a.x, a.phi, ..."},
        {"a.p", "'a.p' is a point, expected a number; write a.p.x"},
        {"a.p.phi", "point 'a.p' has no 'phi'; has: x, y, vx, vy"},
        {"a.q.x", "body 'a' has no point 'q'; has: center, p"},
        {"a.joint.s", "the joint of body 'a' has no 's'; has: x, vx, y, vy, phi, omega"},
        {"d.joint.phi", "the joint of body 'd' has no 'phi', it is welded"},
        {"b.x", "'b' has 3 elements, expected one; write b.1"},
        {"b.0.x", "'b' has the elements 1 to 3, not 0"},
        {"ab.x", "unknown name 'ab.x'"},
        {"x", "unknown name 'x'"},
        {"2 N/(m*s)", "unknown name 'm'; units have no parentheses: 'N/m/s', not 'N/(m*s)'"},
        {"2 N/(2*x)", "unknown name 'x'"},
        {"n", "unknown name 'n'; indices exist in elements with 'count' or 'each'"},
        {"sinn(t)", "unknown function 'sinn', did you mean 'sin'?"},
    };
    for (size_t k = 0; k < sizeof line / sizeof *line; k++) {
        char text[900], messages[MESSAGES_MAX];
        snprintf(text, sizeof text, TOP BODIES "outputs: {o: %s}\n", line[k][0]);
        assert_null(compile(text, messages));
        const char *sentence = strstr(messages, "output 'o': ");
        assert_non_null(sentence);
        char expected[300];
        snprintf(expected, sizeof expected, "output 'o': %s\n", line[k][1]);
        assert_string_equal(sentence, expected);
    }
}

static void bodies_and_names_that_are_wrong_are_told_once(void **ctx)
{
    (void)ctx;
    expect_errors(TOP "bodies:\n"
                      "  a: {mass: 1 kg, inertia: 1, joint: {revolute: nobody}}\n"
                      "  b: {count: -1, mass: 1 kg, inertia: 1}\n"
                      "forces: {f: {force: [1 N/m * a.x, 1 N/m * b.2.x], on: a}}\n"
                      "start: {a.phi: 1, b.1.phi: 2}\n"
                      "outputs: {o: a.x + b.1.y}\n",
                  "6:49: body 'a': there is no body 'nobody'; has: a, b, ground\n"
                  "7:14: body 'b': count = -1, expected a whole number from 0 to 1000000\n");
}

static void long_names_are_refused(void **ctx)
{
    (void)ctx;
#define LONG "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz123456789"
    expect_errors(
        TOP "bodies:\n"
            "  a: {mass: 1 kg, inertia: 1, points: {" LONG ": [0, 0]}, contours: {" LONG
            ": {circle: 1 m}}}\n"
            "  " LONG ": {mass: 1 kg, inertia: 1}\n",
        "6:40: point 'abcdefghijklmnopqrst...': the name has 61 letters, at most 60 are "
        "possible\n"
        "6:123: contour 'abcdefghijklmnopqrst...': the name has 61 letters, at most 60 are "
        "possible\n"
        "7:3: body 'abcdefghijklmnopqrst...': the name has 61 letters, at most 60 are "
        "possible\n");
}

/* ---- rand ---- */

enum { N_BALL = 1000, N_DRAWN = 4 };

/* Numbers drawn for 1000 bodies: of two keys, and both occurrences within a third. */
static void draw(const char *text, double x[N_DRAWN][N_BALL])
{
    sp_model *m = model_of(text);
    assert_int_equal(m->n_start, (N_DRAWN - 1) * N_BALL);
    for (int k = 0; k < m->n_start; k++) {
        const sp_start_value *v = &m->start[k];
        const int at = v->index - 1;
        if (v->kind == SP_START_VX) { /* 1000 times the first in whole numbers, and the second */
            x[2][at] = floor(v->value) / 1000.0;
            x[3][at] = v->value - floor(v->value);
        } else {
            x[v->kind == SP_START_Y][at] = v->value;
        }
    }
    sp_model_free(m);
}

#define BALLS  "bodies: {ball: {count: 1000, mass: 1 kg, inertia: 1}}\n"
#define DRAW_X "  ball.x: (1 m) * rand\n"
#define DRAW_Y "  ball.y: (1 m) * rand\n"
#define DRAW_V "  ball.vx: (1 m/s) * (floor(1000*rand) + rand)\n"

/* The correlation of n pairs. */
static double correlation(int n, const double *a, const double *b)
{
    double mean[2] = {0.0, 0.0}, aa = 0.0, ab = 0.0, bb = 0.0;
    for (int i = 0; i < n; i++) {
        mean[0] += a[i] / n;
        mean[1] += b[i] / n;
    }
    for (int i = 0; i < n; i++) {
        aa += (a[i] - mean[0]) * (a[i] - mean[0]);
        ab += (a[i] - mean[0]) * (b[i] - mean[1]);
        bb += (b[i] - mean[1]) * (b[i] - mean[1]);
    }
    return ab / sqrt(aa * bb);
}

/* Correlations of independent numbers have the standard deviation 1/sqrt(n), means that of
 * 1/sqrt(12 n). */
static void rand_is_another_number_at_every_place(void **ctx)
{
    (void)ctx;
    static double x[2][N_DRAWN][N_BALL];
    draw(TOP BALLS "start:\n" DRAW_X DRAW_Y DRAW_V, x[0]);
    draw(TOP "seed: 2\n" BALLS "start:\n" DRAW_X DRAW_Y DRAW_V, x[1]);
    for (int a = 0; a < 2 * N_DRAWN; a++) {
        const double *const at = x[a / N_DRAWN][a % N_DRAWN];
        double mean = 0.0;
        for (int i = 0; i < N_BALL; i++) {
            assert_true(0.0 <= at[i] && at[i] < 1.0);
            mean += at[i] / N_BALL;
        }
        assert_true(fabs(mean - 0.5) < 4.0 / sqrt(12.0 * N_BALL));
        assert_true(fabs(correlation(N_BALL - 1, at, at + 1)) < 4.0 / sqrt(N_BALL - 1.0));
        for (int b = 0; b < a; b++) {
            const double *const other = x[b / N_DRAWN][b % N_DRAWN];
            assert_true(fabs(correlation(N_BALL, at, other)) < 4.0 / sqrt(N_BALL));
        }
    }
}

static void rand_does_not_depend_on_what_stands_beside_it(void **ctx)
{
    (void)ctx;
    static double x[2][N_DRAWN][N_BALL];
    draw(TOP BALLS "start:\n" DRAW_X DRAW_Y DRAW_V, x[0]);
    draw(TOP "start: # other order, other lines\n\n" DRAW_V DRAW_Y DRAW_X
             "parameters: {a: rand, b: [rand, rand]}\nseed: 1\n" BALLS,
         x[1]);
    assert_memory_equal(x[0], x[1], sizeof x[0]);
}

/* Computed in Python from the rule of decision 107. */
static void rand_is_the_same_on_every_machine(void **ctx)
{
    (void)ctx;
    static const struct {
        const char *seed;
        double x_1, y_2, difference;
    } expected[] = {
        {"1", 0x1.033d68a7b87a0p-4, 0x1.7e84dda41b924p-3, -0x1.e8e2f5cc11e18p-2},
        {"2", 0x1.7bdb639434120p-3, 0x1.4e6814aca054ap-1, -0x1.9e1cebefd6cb0p-2},
        {"123456789", 0x1.38ea0e517d11dp-1, 0x1.ff3846feddf4fp-1, -0x1.02c0cd97ca4b4p-2},
    };
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
        char text[400];
        snprintf(text, sizeof text,
                 TOP "seed: %s\nunits: off\nbodies: {ball: {count: 2, mass: 1 kg, inertia: 1}}\n"
                     "start: {ball.x: rand, ball.y: rand, ball.vx: rand - rand}\n",
                 expected[k].seed);
        sp_model *m = model_of(text);
        assert_true(m->start[0].value == expected[k].x_1);
        assert_true(m->start[3].value == expected[k].y_2);
        assert_true(m->start[5].value == expected[k].difference);
        sp_model_free(m);
    }
}

static void parameters_and_copies_have_their_own_rand(void **ctx)
{
    (void)ctx;
    double x[2][6];
    for (int k = 0; k < 2; k++) {
        char text[500];
        snprintf(text, sizeof text,
                 TOP "seed: %d\nparameters: {a: rand, b: rand, p: [rand * 1 m, rand * 1 m]}\n"
                     "bodies: {c: {mass: 1 kg, inertia: 1, center: p}}\n"
                     "start: {c.x: a * 1 m, c.y: b * 1 m, c.vx: &r (1 m/s)*rand, c.vy: *r}\n",
                 k + 1);
        sp_model *m = model_of(text);
        for (int i = 0; i < 4; i++) {
            x[k][i] = m->start[i].value;
        }
        x[k][4] = m->numbers.body[1].center[0];
        x[k][5] = m->numbers.body[1].center[1];
        sp_model_free(m);
    }
    for (int i = 0; i < 12; i++) {
        for (int j = 0; j < i; j++) {
            assert_true(x[i / 6][i % 6] != x[j / 6][j % 6]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_coordinate_and_velocity_has_a_name),
        cmocka_unit_test(names_that_mean_nothing_say_what_there_is),
        cmocka_unit_test(bodies_and_names_that_are_wrong_are_told_once),
        cmocka_unit_test(long_names_are_refused),
        cmocka_unit_test(rand_is_another_number_at_every_place),
        cmocka_unit_test(rand_does_not_depend_on_what_stands_beside_it),
        cmocka_unit_test(rand_is_the_same_on_every_machine),
        cmocka_unit_test(parameters_and_copies_have_their_own_rand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
