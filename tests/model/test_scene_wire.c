/* Curves and surfaces in pictures: their lines lie on them. */
#include "model/scene_wire.h"

#include "model/scene.h"
#include "support/check.h"
#include "support/machine.h"

#include <string.h>

enum { MOST = 400 };

static const char *const head = "specht: 1\nname: Wires\ngravity: 0\n";

/* The lines of contour 0 of a model. */
static int wire_of(const char *rest, double (*line)[2][3])
{
    static text t;
    t.n = 0;
    text_add(&t, "%s%s", head, rest);
    machine c = machine_of_text(t.s);
    const int n = sp_scene_wire(c.m, 0, NULL);
    assert_true(n > 10 && n < MOST && sp_scene_is_wire(&c.m->contour[0]));
    assert_int_equal(sp_scene_wire(c.m, 0, line), n);

    sp_arena arena;
    sp_scene scene;
    sp_arena_init(&arena, NULL, 0);
    assert_int_equal(sp_scene_of(c.m, &arena, &scene, NULL), SP_OK);
    int drawn = 0;
    for (int s = 0; s < scene.body[1].n_shape; s++) {
        drawn += scene.body[1].shape[s].kind == SP_SHAPE_SEGMENT;
    }
    assert_true(drawn >= n);
    sp_arena_free(&arena);
    machine_free(&c);
    return n;
}

static void lines_of_an_ellipsoid_end_on_it(void **ctx)
{
    (void)ctx;
    static double line[MOST][2][3];
    const int n = wire_of("space: spatial\nbodies: {a: {mass: 1 kg, inertia: 1 kg*m^2, contours: "
                          "{k: {ellipsoid: [3 m, 2 m, 1 m], at: [1 m, 0, 0]}}}}\n",
                          line);
    for (int k = 0; k < 2 * n; k++) {
        const double *p = line[k / 2][k % 2], x = (p[0] - 1.0) / 3.0, y = p[1] / 2.0;
        assert_near(x * x + y * y + p[2] * p[2], 1.0, 1e-14);
    }
}

static void lines_of_a_curve_follow_each_other(void **ctx)
{
    (void)ctx;
    static double line[MOST][2][3];
    const int n = wire_of("space: planar\nbodies: {a: {mass: 1 kg, inertia: 1 kg*m^2, contours: "
                          "{k: {arc: 2 m, over: [0, 90 deg]}}}}\n",
                          line);
    assert_near(line[0][0][0], 2.0, 1e-15);
    assert_near(line[n - 1][1][1], 2.0, 1e-15);
    for (int k = 0; k < n; k++) {
        assert_near(hypot(line[k][0][0], line[k][0][1]), 2.0, 1e-14);
        assert_true(k == 0 || memcmp(line[k][0], line[k - 1][1], sizeof line[k][0]) == 0);
    }
}

static void lines_of_a_bore_lie_on_its_wall_and_leave_it_open(void **ctx)
{
    (void)ctx;
    static double line[MOST][2][3];
    const int n = wire_of("space: spatial\nbodies: {a: {mass: 1 kg, inertia: 1 kg*m^2, contours: "
                          "{k: {cylinder: 2 m, axis: [0, 3, 4], at: [1 m, 0, 0], inside: yes}}}}\n",
                          line);
    double low = 0.0, high = 0.0;
    for (int k = 0; k < 2 * n; k++) {
        const double *p = line[k / 2][k % 2], along = 0.6 * p[1] + 0.8 * p[2];
        const double r2 = (p[0] - 1.0) * (p[0] - 1.0) + p[1] * p[1] + p[2] * p[2];
        assert_near(r2 - along * along, 4.0, 1e-13);
        low = fmin(low, along);
        high = fmax(high, along);
    }
    assert_near(high, 6.0, 1e-14);
    assert_near(low, -6.0, 1e-14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_of_an_ellipsoid_end_on_it),
        cmocka_unit_test(lines_of_a_curve_follow_each_other),
        cmocka_unit_test(lines_of_a_bore_lie_on_its_wall_and_leave_it_open),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
