/* Paths of a model: names, starts of links, joints on a path, mistakes. */
#include "test_build.h"

#define PI 3.14159265358979323846
#define CHAIN                                                                                      \
    "parameters: {p: 10 mm, R: 10 mm / (2*sin(pi/20))}\n"                                          \
    "paths:\n"                                                                                     \
    "  belt: {around: [[0, 0, 50 mm], [0.2 m, 0, -50 mm]]}\n"                                      \
    "  chain: {around: [[0, 0, R], [10*p, 0, R]], links: 40, pitch: p, speed: 2 m/s}\n"

static const char *links(int k, char buf[40])
{
    snprintf(buf, 40, "link.%d", k);
    return buf;
}

static void links_start_on_their_path(void **ctx)
{
    (void)ctx;
    sp_model *m =
        model_of(TOP CHAIN "bodies: {link: {count: 40, mass: 1 g, inertia: 1e-7 kg*m^2}}\n"
                           "start: {link.along: chain.(i)}\n"
                           "outputs: {l: belt.length, w: chain.circle.2.omega, x: chain.11.x}\n");
    char name[40];
    const double R = 0.01 / (2 * sin(PI / 20)), beta = asin(0.5);
    assert_int_equal(m->n_start, 240);
    assert_string_equal(m->body[12].name, links(12, name));
    for (int k = 0; k < 6; k++) { /* of link 11, the first one on the second sprocket */
        const double expected[] = {0.1, -R, PI / 20, 2.0, 0.0, 2.0 / R};
        expect_near(m->start[60 + k].value, expected[k], 1e-13);
    }
    expect_near(m->output[0].func.constant, 0.4 * cos(beta) + 0.1 * (PI + 2 * beta), 1e-15);
    expect_near(m->output[1].func.constant, 2.0 / R, 1e-12);
    expect_near(m->output[2].func.constant, 0.1, 1e-15);
    sp_model_free(m);
}

/* In space by the coordinates of a planar joint; other joints are refused. */
static void links_start_on_their_path_in_space(void **ctx)
{
    (void)ctx;
    const char *top = "specht: 1\nname: Test\nspace: spatial\ngravity: 0 m/s^2\n" CHAIN;
    char text[1000];
    snprintf(
        text, sizeof text,
        "%sbodies: {link: {count: 40, mass: 1 g, inertia: 1e-7 kg*m^2, joint: {planar: ground, "
        "axis: [0, 0, 1]}}}\nstart: {link.along: chain.(i)}\n",
        top);
    sp_model *m = model_of(text);
    const double R = 0.01 / (2 * sin(PI / 20));
    const double expected[] = {0.1, -R, PI / 20, 2.0, 0.0, 2.0 / R};
    assert_int_equal(m->n_start, 240);
    for (int k = 0; k < 6; k++) {
        assert_int_equal(m->start[60 + k].kind, k < 3 ? SP_START_Q : SP_START_U);
        expect_near(m->start[60 + k].value, expected[k], 1e-13);
    }
    sp_model_free(m);
    snprintf(text, sizeof text,
             "%sbodies: {link: {mass: 1 g, inertia: 1e-7 kg*m^2}}\nstart: {link.along: chain.1}\n",
             top);
    char messages[MESSAGES_MAX];
    assert_null(compile(text, messages));
    assert_non_null(
        strstr(messages, "expected a body that moves in the plane, as joint 'planar' "));
}

static void joints_sit_on_a_path(void **ctx)
{
    (void)ctx;
    sp_model *m =
        model_of(TOP "parameters: {R: 50 mm}\npaths:\n"
                     "  way: {around: [[0, 0, R], [0.2 m, 0, R]]}\n"
                     "bodies: {roller: {each: [0, 1], mass: 1 kg, joint: {prismatic: "
                     "ground, axis: [1, 0], along: way, station: 0.1 m + i*way.length/2}}}\n");
    expect_near(m->numbers.body[1].mark.at[0], 0.1, 1e-15);
    expect_near(m->numbers.body[1].mark.at[1], -0.05, 1e-15);
    expect_near(m->numbers.body[2].mark.at[0], 0.1, 1e-15);
    expect_near(m->numbers.body[2].mark.at[1], 0.05, 1e-15);
    expect_near(m->numbers.body[2].turn, PI, 1e-15);
    sp_model_free(m);
}

static void mistakes_are_reported(void **ctx)
{
    (void)ctx;
    static const struct {
        const char *path, *message;
    } row[] = {
        {"{around: [[0, 0, R], [10*p, 0, R]], links: 41, pitch: p}",
         "6:21: path 'c': 41 links of 0.01 m do not close the path: 0.01 m are too much; it has "
         "room for 40 links: write 'adjust: pitch' or 'adjust: {circle: 2, along: [1, 0]}', or "
         "change 'around'\n"},
        {"{around: [[0, 0, R], [p, 0, 4*R]]}",
         "6:21: path 'c': circles 1 and 2 lie in each other, no straight line touches both; "
         "expected centres farther apart, or other signs of the radii\n"},
        {"{around: [[0, 0, R], [9*R, 0, R]], links: 40, pitch: 3*R}",
         "6:21: path 'c': a link of 0.0958868 m is no chord of circle 1 with the radius 0.0319623 "
         "m, expected a larger radius or shorter links\n"},
        {"{around: [[0, 0, R], [9*R, 0, R]], links: 40}",
         "6:12: path 'c': missing key 'pitch': Length of a link, from pin to pin.\n"},
        {"{around: [[0, 0, R], [9*R, 0, R]], closed: no, links: 40, pitch: p}",
         "6:66: path 'c': links are put on a closed path only; leave 'closed: no' out\n"},
        {"{around: [[0, 0, R], [9*R, 0, R]], links: 40, pitch: p, adjust: {circle: 3, along: [1, "
         "0]}}",
         "6:85: path 'c': adjust: circle = 3, there are 2\n"},
        {"{around: [[0, 0, R], [10*p, 0, R]], links: 40, pitch: p}",
         "9:14: output 'o': path 'c' has no '41.x'; it has: length, pitch, shift, links 1 to 40 "
         "and circles 1 to 2, each with x, y, phi, vx, vy, omega: c.1.x, c.circle.1.phi\n"},
        {"{around: [[0, 0, R], [10*p, 0, R]]}",
         "8:18: start: a.along = c.1 is no link of a chain, expected one of a path with "
         "'links', as in belt.(i)\n"
         "9:14: output 'o': path 'c' has no '41.x'; it has: length; with 'links' also its links, "
         "c.1.x\n"},
    };
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        char text[1000];
        snprintf(text, sizeof text,
                 TOP "parameters: {p: 10 mm, R: 10 mm / (2*sin(pi/20))}\npaths: {c: %s}\n"
                     "bodies: {a: {mass: 1 kg, inertia: 1 kg*m^2}}\n"
                     "start: {a.along: c.1}\noutputs: {o: c.41.x}\n",
                 row[k].path);
        char messages[MESSAGES_MAX];
        assert_null(compile(text, messages));
        if (strncmp(messages, row[k].message, strlen(row[k].message)) != 0) {
            fail_msg("'%s', expected '%s'", messages, row[k].message);
        }
    }
    expect_errors(TOP CHAIN "bodies:\n"
                            "  a: {mass: 1 kg, joint: {prismatic: ground, axis: [1, 0], along: "
                            "belt, station: 0 m, at: [0, 0]}}\n"
                            "  b: {mass: 1 kg, joint: {prismatic: ground, axis: [1, 0], along: "
                            "bolt, station: 0 m}}\n"
                            "  c: {mass: 1 kg, joint: {prismatic: ground, axis: [1, 0]}}\n"
                            "start: {c.along: chain.1}\n",
                  "10:60: body 'a': joint: 'along' and 'station' go together, without 'at', 'turn' "
                  "and 'clearance'\n"
                  "11:67: body 'b': joint: along: there is no path 'bolt'\n");
    expect_errors(TOP "paths: {way: {around: [[0, 0, 0], [2 m, 0, 0]], closed: no}}\n"
                      "bodies: {a: {each: [1, 3], mass: 1 kg, joint: {prismatic: ground, axis: [1, "
                      "0], along: way, station: i*(1 m)}}}\n",
                  "6:102: body 'a.3': joint: station = 3 m is not on path 'way', expected 0 to 2 "
                  "m\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_start_on_their_path),
        cmocka_unit_test(links_start_on_their_path_in_space),
        cmocka_unit_test(joints_sit_on_a_path),
        cmocka_unit_test(mistakes_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
