/* Contours: corners, normals, radii, convexity. */
#include "test_build.h"

/* A model with one body that has the contours of text. */
static sp_model *contours(const char *text)
{
    char model[1000];
    snprintf(model, sizeof model, TOP "bodies:\n  a: {mass: 1 kg, inertia: 1, contours: {%s}}\n",
             text);
    return model_of(model);
}

static void contour_errors(const char *text, const char *expected)
{
    char model[1000];
    snprintf(model, sizeof model, TOP "bodies:\n  a: {mass: 1 kg, inertia: 1, contours:\n {%s}}\n",
             text);
    expect_errors(model, expected);
}

static void every_kind_lies_where_at_and_turn_put_it(void **ctx)
{
    (void)ctx;
    sp_model *m = contours(
        "p: {point: [1 m, 0], at: [0, 1 m], turn: 90 deg}, l: {line: [3, 4], at: [1 m, 2 m]}, "
        "t: {line: [1, 0], turn: 90 deg}, s: {segment: [[0, 0], [1 m, 0]], turn: 180 deg}, "
        "c: {circle: 5 mm, at: [1 m, 1 m]}, h: {circle: 1 m, inside: yes}, "
        "b: {box: [2 m, 4 m], at: [1 m, 0]}");
    static const sp_contour_kind kind[] = {SP_CONTOUR_POINT,   SP_CONTOUR_LINE,   SP_CONTOUR_LINE,
                                           SP_CONTOUR_SEGMENT, SP_CONTOUR_CIRCLE, SP_CONTOUR_HOLLOW,
                                           SP_CONTOUR_POLYGON};
    static const int n_vertex[] = {1, 1, 1, 2, 1, 1, 4};
    assert_int_equal(m->n_contour, 7);
    int vertex = 0;
    for (int k = 0; k < 7; k++) {
        assert_int_equal(m->contour[k].kind, kind[k]);
        assert_int_equal(m->contour[k].body, 1);
        assert_int_equal(m->contour[k].n_vertex, n_vertex[k]);
        assert_int_equal(m->contour[k].vertex, vertex);
        vertex += n_vertex[k];
    }
    assert_string_equal(m->contour[6].name, "a.b");
    const double(*v)[2] = m->numbers.vertex;
    expect_vector(v[0], 0.0, 2.0);
    expect_vector(v[1], 1.0, 2.0);
    expect_vector(m->numbers.contour[1].normal, 0.6, 0.8);
    expect_vector(m->numbers.contour[2].normal, 0.0, 1.0);
    expect_vector(v[4], -1.0, 0.0);
    expect_vector(v[5], 1.0, 1.0);
    assert_true(m->numbers.contour[4].radius == 0.005 && m->numbers.contour[5].radius == 1.0);
    expect_vector(v[7], 0.0, -2.0);
    expect_vector(v[8], 2.0, -2.0);
    expect_vector(v[9], 2.0, 2.0);
    expect_vector(v[10], 0.0, 2.0);
    sp_model_free(m);
}

static void clockwise_polygons_are_turned_round_with_their_names(void **ctx)
{
    (void)ctx;
    sp_model *m = contours("q: {polygon: [[0, 0], [0, 1 m], [2 m, 0]], names: [a, b, c]}, "
                           "r: {polygon: [[0, 0], [0, 1 m], [2 m, 0]]}, "
                           "s: {polygon: [[0, 0], [2 m, 0], [0, 1 m]]}");
    static const char *const name[] = {"a", "c", "b"}, *const number[] = {"1", "3", "2"};
    for (int k = 0; k < 2; k++) {
        const double(*v)[2] = m->numbers.vertex + m->contour[k].vertex;
        expect_vector(v[0], 0.0, 0.0);
        expect_vector(v[1], 2.0, 0.0);
        expect_vector(v[2], 0.0, 1.0);
        for (int i = 0; i < 3; i++) {
            assert_string_equal(m->contour[k].vertex_name[i], k == 0 ? name[i] : number[i]);
        }
    }
    assert_null(m->contour[2].vertex_name);
    assert_string_equal(m->point[1].name, "a.c");
    expect_vector(m->numbers.point[1], 2.0, 0.0);
    sp_model_free(m);
}

static void a_polygon_that_is_not_convex_becomes_pieces_with_its_names(void **ctx)
{
    (void)ctx;
    sp_model *m =
        contours("q: {polygon: [[0, 0], [1 m, 0], [0.1 m, 0.1 m], [0, 1 m]], names: [a, b, c, d]}");
    assert_int_equal(m->n_contour, 2);
    double area = 0.0;
    for (int k = 0; k < 2; k++) {
        const sp_contour *c = &m->contour[k];
        const double(*v)[2] = m->numbers.vertex + c->vertex;
        assert_int_equal(c->kind, SP_CONTOUR_POLYGON);
        for (int i = 0; i < c->n_vertex; i++) {
            const int j = (i + 1) % c->n_vertex;
            area += 0.5 * (v[i][0] * v[j][1] - v[i][1] * v[j][0]);
            if (c->vertex_name[i][0] == 'c') { /* names go with their corners */
                expect_vector(v[i], 0.1, 0.1);
            }
        }
    }
    assert_float_equal(area, 0.1, 1e-15);
    assert_string_equal(m->contour[0].name, "a.q.1");
    assert_string_equal(m->contour[1].name, "a.q.2");
    sp_model_free(m);
}

static void polygons_have_an_area_and_do_not_cross_themselves(void **ctx)
{
    (void)ctx;
    contour_errors("q: {polygon: [[0, 0], [1 m, 0], [2 m, 0]]}",
                   "7:16: contour 'q': the polygon has no area\n");
    contour_errors("q: {polygon: [[0, 0], [0, 0], [0, 0]]}",
                   "7:16: contour 'q': the polygon has no area\n");
    contour_errors("q: {polygon: [[0, 0], [1 m, 0], [2 m, 0], [0, 1 m]], names: [a, b, c, d]}",
                   "7:16: contour 'q': corner b of the polygon lies on the straight line through "
                   "its neighbours, expected a corner that turns; leave it out\n");
    /* a pentagram turns left at every corner, but twice round */
    contour_errors(
        "q: {polygon: [[1 m, 0], [-0.809 m, 0.588 m], [0.309 m, -0.951 m], [0.309 m, 0.951 "
        "m], [-0.809 m, -0.588 m]]}",
        "7:16: contour 'q': the polygon crosses itself: the side from corner 1 to 2 meets that "
        "from 3 to 4\n");
}

static void a_polygon_of_many_corners_is_convex(void **ctx)
{
    (void)ctx;
    static char text[90000];
    size_t used = (size_t)snprintf(text, sizeof text,
                                   TOP "bodies:\n  a: {mass: 1 kg, inertia: 1, contours: {q: "
                                       "{polygon: [");
    for (int k = 0; k < 1000; k++) {
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "%s[1 mm * cos(%d*pi/500), 1 mm * sin(%d*pi/500)]", k ? ", " : "",
                                 k, k);
    }
    snprintf(text + used, sizeof text - used, "]}}}\n");
    sp_model *m = model_of(text);
    assert_int_equal(m->n_vertex, 1000);
    sp_model_free(m);
}

static void sizes_must_be_positive(void **ctx)
{
    (void)ctx;
    contour_errors(
        "c: {circle: 0}, d: {circle: -1 mm}, e: {circle: 1 kg}, f: {box: [0, 1 m]}, "
        "s: {segment: [[1 m, 0], [1 m, 0]]}, l: {line: [0, 0]}, n: {polygon: [[0, 0], [1 m, "
        "0], [0, 1 m]], names: [u, v]}",
        "7:15: contour 'c': circle = 0, expected > 0\n"
        "7:31: contour 'd': circle = -1 mm, expected > 0\n"
        "7:51: contour 'e': circle = 1 kg is a mass [kg], expected a length [m]\n"
        "7:68: contour 'f': box = 0, expected > 0\n"
        "7:91: contour 's': the ends of the segment are the same point\n"
        "7:124: contour 'l': line = [0, 0] has no direction\n"
        "7:183: contour 'n': 2 names for 3 corners\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_lies_where_at_and_turn_put_it),
        cmocka_unit_test(clockwise_polygons_are_turned_round_with_their_names),
        cmocka_unit_test(a_polygon_that_is_not_convex_becomes_pieces_with_its_names),
        cmocka_unit_test(polygons_have_an_area_and_do_not_cross_themselves),
        cmocka_unit_test(a_polygon_of_many_corners_is_convex),
        cmocka_unit_test(sizes_must_be_positive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
