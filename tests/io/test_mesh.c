/* Meshes: the volume inside the triangles, by the divergence theorem, against closed forms; it
 * comes out only if the surface is closed and every triangle faces outwards. */
#include "support/check.h"

#include "io/mesh.h"

static const sp_mesh_look flat = {.extent = 2.0, .dot = 0.01, .half = 0.05};
static const sp_mesh_look solid = {.extent = 2.0, .dot = 0.01, .half = 0.05, .spatial = true};
static const double pi = 3.14159265358979323846;

/* 1/6 sum of a . (b x c), shifted so that round-off of the floats stays small. */
static double volume_of(const sp_mesh *m)
{
    double volume = 0.0;
    for (size_t t = 0; t < m->n_triangle; t++) {
        double x[3][3];
        for (int k = 0; k < 3; k++) {
            assert_true(m->triangle[t][k] < m->n_point);
            for (int i = 0; i < 3; i++) {
                x[k][i] = (double)m->point[m->triangle[t][k]][i];
            }
        }
        volume += (x[0][0] * (x[1][1] * x[2][2] - x[1][2] * x[2][1]) +
                   x[0][1] * (x[1][2] * x[2][0] - x[1][0] * x[2][2]) +
                   x[0][2] * (x[1][0] * x[2][1] - x[1][1] * x[2][0])) /
                  6.0;
    }
    return volume;
}

/* Every normal has length one and points to the side from which its triangle is seen. */
static void check_normals(const sp_mesh *m)
{
    for (size_t t = 0; t < m->n_triangle; t++) {
        double a[3], b[3];
        const uint32_t *k = m->triangle[t];
        for (int i = 0; i < 3; i++) {
            a[i] = (double)(m->point[k[1]][i] - m->point[k[0]][i]);
            b[i] = (double)(m->point[k[2]][i] - m->point[k[0]][i]);
        }
        const double n[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                             a[0] * b[1] - a[1] * b[0]};
        const double area = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        for (int c = 0; c < 3 && area > 1e-9; c++) {
            const float *normal = m->normal[k[c]];
            double inner = 0.0, size = 0.0;
            for (int i = 0; i < 3; i++) {
                inner += n[i] * (double)normal[i] / area;
                size += (double)normal[i] * (double)normal[i];
            }
            assert_near(size, 1.0, 1e-6);
            assert_true(inner > 0.9);
        }
    }
}

/* Volume of one shape. */
static double volume(const sp_shape *s, const sp_mesh_look *look)
{
    sp_mesh m = {0};
    sp_mesh_add(&m, s, look);
    assert_false(m.failed);
    assert_true(m.n_triangle > 0);
    check_normals(&m);
    const double v = volume_of(&m);
    sp_mesh_free(&m);
    return v;
}

/* Area of a regular polygon of n corners: of the circle as it is drawn. */
static double round_area(double n, double r)
{
    return 0.5 * n * r * r * sin(2.0 * pi / n);
}

static void plates_have_the_volume_of_their_outline(void **ctx)
{
    (void)ctx;
    static const double square[][3] = {{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {0, 1, 0}};
    static const double other_way[][3] = {{0, 0, 0}, {0, 1, 0}, {2, 1, 0}, {2, 0, 0}};
    static const double at[][3] = {{0.5, -1.0, 0.0}, {3.5, 3.0, 0.0}};
    const double depth = 2.0 * flat.half;
    const sp_shape plate = {.kind = SP_SHAPE_POLYGON, .n_point = 4, .point = square};
    const sp_shape back = {.kind = SP_SHAPE_POLYGON, .n_point = 4, .point = other_way};
    const sp_shape disc = {.kind = SP_SHAPE_CIRCLE, .n_point = 1, .point = at, .radius = 0.3};
    const sp_shape hole = {.kind = SP_SHAPE_HOLLOW, .n_point = 1, .point = at, .radius = 0.3};
    const sp_shape rod = {.kind = SP_SHAPE_CAPSULE, .n_point = 2, .point = at, .radius = 0.1};
    const sp_shape line = {
        .kind = SP_SHAPE_LINE, .n_point = 1, .point = at, .normal = {0.6, -0.8, 0.0}};
    assert_near(volume(&plate, &flat), 2.0 * depth, 1e-6);
    assert_near(volume(&back, &flat), 2.0 * depth, 1e-6);
    assert_near(volume(&disc, &flat), round_area(48, 0.3) * depth, 1e-6);
    assert_near(volume(&hole, &flat),
                (round_area(48, 0.3 + 2 * flat.dot) - round_area(48, 0.3)) * depth, 1e-6);
    assert_near(volume(&rod, &flat), (5.0 * 0.2 + round_area(48, 0.1)) * depth, 1e-5);
    assert_near(volume(&line, &flat), 2.0 * flat.extent * 4.0 * flat.dot * depth, 1e-6);
}

static void solids_have_their_volume_wherever_they_stand(void **ctx)
{
    (void)ctx;
    static const double at[][3] = {{0.1, 0.2, 0.3}, {1.1, 2.2, 2.3}};
    const double length = 3.0;
    const double turn[4] = {0.5, 0.5, -0.5, 0.5};
    sp_shape box = {.kind = SP_SHAPE_BOX, .size = {0.2, 0.3, 0.4}, .at = {1.0, 0.0, 0.5}};
    sp_shape tube = {
        .kind = SP_SHAPE_CYLINDER, .radius = 0.2, .length = 0.7, .at = {0.0, 1.0, 0.5}};
    sp_shape cone = {.kind = SP_SHAPE_CONE, .radius = 0.2, .length = 0.9, .at = {0.0, 1.0, 0.5}};
    for (int k = 0; k < 4; k++) {
        box.turn[k] = tube.turn[k] = cone.turn[k] = turn[k];
    }
    const sp_shape ball = {.kind = SP_SHAPE_SPHERE, .n_point = 1, .point = at, .radius = 0.5};
    const sp_shape rod = {.kind = SP_SHAPE_CAPSULE, .n_point = 2, .point = at, .radius = 0.1};
    const double sphere = 4.0 / 3.0 * pi * 0.125, end = 4.0 / 3.0 * pi * 1e-3;
    assert_near(volume(&box, &solid), 0.2 * 0.3 * 0.4, 1e-6);
    assert_near(volume(&tube, &solid), round_area(32, 0.2) * 0.7, 1e-6);
    assert_near(volume(&cone, &solid), round_area(32, 0.2) * 0.9 / 3.0, 1e-6);
    /* facets lie inside the round surface: a little less */
    const double v = volume(&ball, &solid), w = volume(&rod, &solid);
    assert_true(0.975 * sphere < v && v < sphere);
    assert_true(0.975 < w / (pi * 0.01 * length + end) && w < pi * 0.01 * length + end);
}

static void a_plane_lies_below_its_point(void **ctx)
{
    (void)ctx;
    static const double at[][3] = {{0.0, 0.0, 1.0}};
    const sp_shape plane = {
        .kind = SP_SHAPE_PLANE, .n_point = 1, .point = at, .normal = {0.0, 0.0, 1.0}};
    sp_mesh m = {0};
    sp_mesh_add(&m, &plane, &solid);
    for (size_t k = 0; k < m.n_point; k++) {
        assert_true((double)m.point[k][2] <= 1.0 + 1e-6 && (double)m.point[k][2] > 0.8);
    }
    sp_mesh_free(&m);
}

static void the_rod_of_springs_reaches_from_the_origin_to_one(void **ctx)
{
    (void)ctx;
    sp_mesh m = {0};
    double low = 1e9, high = -1e9;
    sp_mesh_add_rod(&m, 0.1);
    check_normals(&m);
    for (size_t k = 0; k < m.n_point; k++) {
        low = fmin(low, (double)m.point[k][0]);
        high = fmax(high, (double)m.point[k][0]);
    }
    assert_near(low, 0.0, 1e-6);
    assert_near(high, 1.0, 1e-6);
    assert_near(volume_of(&m), round_area(32, 0.1), 1e-6);
    sp_mesh_free(&m);
}

static void many_corners_and_no_corners_do_no_harm(void **ctx)
{
    (void)ctx;
    enum { MANY = 1000 };
    static double corner[MANY][3];
    for (int k = 0; k < MANY; k++) {
        corner[k][0] = cos(2.0 * pi * k / MANY);
        corner[k][1] = sin(2.0 * pi * k / MANY);
    }
    sp_shape s = {.kind = SP_SHAPE_POLYGON, .n_point = MANY, .point = (const double(*)[3])corner};
    const double v = volume(&s, &flat);
    assert_true(v < pi * 0.1 && v > 0.999 * pi * 0.1);
    sp_mesh m = {0};
    s.n_point = 0;
    sp_mesh_add(&m, &s, &flat);
    s = (sp_shape){.kind = SP_SHAPE_N};
    sp_mesh_add(&m, &s, &flat);
    assert_int_equal(m.n_triangle, 0);
    sp_mesh_free(&m);
}

/* A curve is a rod from each point to the next. */
static void a_curve_has_the_volume_of_its_rods(void **ctx)
{
    (void)ctx;
    static const double bend[][3] = {{0, 0, 0}, {2, 0, 0}, {2, 1, 0}};
    const sp_shape curve = {.kind = SP_SHAPE_CURVE, .n_point = 3, .point = bend};
    const sp_shape first = {.kind = SP_SHAPE_SEGMENT, .n_point = 2, .point = bend};
    const sp_shape second = {.kind = SP_SHAPE_SEGMENT, .n_point = 2, .point = bend + 1};
    assert_near(volume(&curve, &flat), volume(&first, &flat) + volume(&second, &flat), 1e-7);
}

/* Cut along planes, a solid is the same; no triangle crosses a plane, and their number grows with
 * that of the planes, no faster. */
static void a_mesh_that_is_cut_has_the_same_surface(void **ctx)
{
    (void)ctx;
    enum { N = 33 };
    static const double tilted[][3] = {{-0.3, 0.1, 0}, {1.2, 0.4, 0}, {0.7, 1.3, 0}, {-0.1, 1, 0}};
    const sp_shape shape[] = {
        {.kind = SP_SHAPE_POLYGON, .n_point = 4, .point = tilted},
        {.kind = SP_SHAPE_SPHERE, .n_point = 1, .point = tilted + 1, .radius = 0.4},
        {.kind = SP_SHAPE_BOX, .turn = {0.8, 0.0, 0.6, 0.0}, .size = {1.0, 0.2, 0.5}}};
    double x[N];
    for (int k = 0; k < N; k++) {
        x[k] = k / (N - 1.0);
    }
    for (int i = 0; i < 3; i++) {
        sp_mesh m = {0};
        sp_mesh_add(&m, &shape[i], i == 0 ? &flat : &solid);
        const double before = volume_of(&m);
        const size_t n = m.n_triangle;
        sp_mesh_cut(&m, 0, N, x);
        assert_false(m.failed);
        check_normals(&m);
        assert_near(volume_of(&m), before, 1e-7);
        assert_true(m.n_triangle > n && m.n_triangle <= n * (2 * N + 3));
        for (size_t t = 0; t < m.n_triangle; t++) {
            for (int k = 0; k < N; k++) {
                int sides = 0;
                for (int c = 0; c < 3; c++) {
                    const float at = m.point[m.triangle[t][c]][0];
                    sides |= (at > (float)x[k]) | ((at < (float)x[k]) << 1);
                }
                assert_true(sides != 3);
            }
        }
        sp_mesh_free(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plates_have_the_volume_of_their_outline),
        cmocka_unit_test(solids_have_their_volume_wherever_they_stand),
        cmocka_unit_test(a_plane_lies_below_its_point),
        cmocka_unit_test(the_rod_of_springs_reaches_from_the_origin_to_one),
        cmocka_unit_test(many_corners_and_no_corners_do_no_harm),
        cmocka_unit_test(a_mesh_that_is_cut_has_the_same_surface),
        cmocka_unit_test(a_curve_has_the_volume_of_its_rods),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
