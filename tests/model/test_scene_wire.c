/* Curves and surfaces in pictures: their points and lines lie on them. */
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

/* The curve of contour 0 of a body as it is drawn. */
static sp_shape curve_of(const char *contour, machine *c, sp_arena *arena)
{
    static text t;
    sp_scene scene;
    t.n = 0;
    text_add(&t,
             "%sspace: planar\nunits: off\nbodies: {a: {mass: 1, inertia: 1, contours: {k: %s}}}\n",
             head, contour);
    *c = machine_of_text(t.s);
    sp_arena_init(arena, NULL, 0);
    assert_int_equal(sp_scene_of(c->m, arena, &scene, NULL), SP_OK);
    assert_int_equal(scene.body[1].shape[0].kind, SP_SHAPE_CURVE);
    return scene.body[1].shape[0];
}

/* They lie on it, turn by 0.06 rad at most, begin and end with it, material on their left. */
static void points_of_a_curve_are_smooth_and_have_the_material_on_their_left(void **ctx)
{
    (void)ctx;
    static const struct {
        const char *contour;
        double first, last; /* angles */
        bool closed;
    } c[] = {{"{arc: 2, over: [0, 90 deg]}", 0.0, 90.0, false},
             {"{arc: 2, over: [0, 90 deg], inside: yes}", 90.0, 0.0, false},
             {"{arc: 2}", 0.0, 0.0, true},
             {"{curve: [2*cos(s), -2*sin(s)], over: [0, 2*pi]}", 0.0, 0.0, true}};
    for (size_t i = 0; i < sizeof c / sizeof c[0]; i++) {
        machine m;
        sp_arena arena;
        const sp_shape s = curve_of(c[i].contour, &m, &arena);
        const double *first = s.point[0], *last = s.point[s.n_point - 1];
        double area = 0.0;
        assert_near(atan2(first[1], first[0]), c[i].first * acos(-1.0) / 180.0, 1e-14);
        assert_near(atan2(last[1], last[0]), c[i].last * acos(-1.0) / 180.0, 1e-14);
        assert_int_equal(memcmp(first, last, sizeof s.point[0]) == 0, c[i].closed);
        for (int k = 0; k < s.n_point; k++) {
            const double *a = s.point[k], *b = s.point[k + 1 < s.n_point ? k + 1 : k];
            assert_near(hypot(a[0], a[1]), 2.0, 1e-14);
            assert_true(hypot(b[0] - a[0], b[1] - a[1]) <= 2.0 * 0.0601);
            area += a[0] * b[1] - a[1] * b[0];
        }
        assert_int_equal(area > 0.0, c[i].first <= c[i].last);
        sp_arena_free(&arena);
        machine_free(&m);
    }
}

/* A road of many waves has not more points than a picture can show. */
static void a_long_road_has_not_too_many_points(void **ctx)
{
    (void)ctx;
    machine m;
    sp_arena arena;
    const sp_shape s = curve_of("{curve: [s, 0.3*cos(2*pi*s)], over: [0, 300]}", &m, &arena);
    assert_true(s.n_point > 1000 && s.n_point <= 8001);
    sp_arena_free(&arena);
    machine_free(&m);
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
        cmocka_unit_test(points_of_a_curve_are_smooth_and_have_the_material_on_their_left),
        cmocka_unit_test(a_long_road_has_not_too_many_points),
        cmocka_unit_test(lines_of_a_bore_lie_on_its_wall_and_leave_it_open),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
