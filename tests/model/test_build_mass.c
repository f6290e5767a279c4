/* Inertia in space, and mass, centre and inertia from a density: against sums over small cells. */
#include "test_build.h"

#define SPACE "specht: 1\nname: Test\nspace: spatial\ngravity: 9.81 m/s^2\nbodies:\n"

/* Mass, centre and inertia about the centre. */
typedef struct bulk {
    double mass, center[3], inertia[6];
} bulk;

/* Sum over cells of size h of everything inside. */
static bulk count_cells(bool (*inside)(const double x[3]), const double low[3],
                        const double high[3], int n, double density)
{
    bulk b = {0.0, {0.0}, {0.0}};
    double second[6] = {0.0}, volume = density;
    for (int d = 0; d < 3; d++) {
        volume *= (high[d] - low[d]) / n;
    }
    for (int c = 0; c < n * n * n; c++) {
        const int index[] = {c % n, c / n % n, c / n / n};
        double x[3];
        for (int d = 0; d < 3; d++) {
            x[d] = low[d] + (index[d] + 0.5) * (high[d] - low[d]) / n;
        }
        if (!inside(x)) {
            continue;
        }
        b.mass += volume;
        const double product[] = {x[1] * x[1] + x[2] * x[2],
                                  x[0] * x[0] + x[2] * x[2],
                                  x[0] * x[0] + x[1] * x[1],
                                  -x[0] * x[1],
                                  -x[0] * x[2],
                                  -x[1] * x[2]};
        for (int k = 0; k < 6; k++) {
            b.center[k % 3] += k < 3 ? volume * x[k] : 0.0;
            second[k] += volume * product[k];
        }
    }
    for (int d = 0; d < 3; d++) {
        b.center[d] /= b.mass;
    }
    const double *c = b.center;
    const double shift[] = {c[1] * c[1] + c[2] * c[2],
                            c[0] * c[0] + c[2] * c[2],
                            c[0] * c[0] + c[1] * c[1],
                            -c[0] * c[1],
                            -c[0] * c[2],
                            -c[1] * c[2]};
    for (int k = 0; k < 6; k++) {
        b.inertia[k] = second[k] - b.mass * shift[k];
    }
    return b;
}

/* The first body of a model against a sum over cells, relative to its size. */
static void expect_bulk(const char *body, const bulk *b, double tolerance)
{
    char text[600];
    snprintf(text, sizeof text, SPACE "  a: {%s}\n", body);
    sp_model *m = model_of(text);
    const sp_space_numbers *n = &m->numbers.space[1];
    expect_near(m->numbers.body[1].mass, b->mass, tolerance * b->mass);
    for (int d = 0; d < 3; d++) {
        expect_near(n->center[d], b->center[d], tolerance);
    }
    const double size = b->inertia[0] + b->inertia[1] + b->inertia[2];
    for (int k = 0; k < 6; k++) {
        expect_near(n->inertia[k], b->inertia[k], tolerance * size);
    }
    sp_model_free(m);
}

static bool in_cone(const double x[3]) /* tip down the y axis from the base at y = 0.5 */
{
    const double up = 0.5 - x[1]; /* along the cone's own z */
    return up >= 0.0 && up <= 1.2 && hypot(x[0] - 0.1, x[2]) <= 0.8 * (1.0 - up / 1.2);
}

static bool in_cylinder(const double x[3]) /* turned by 30 deg about x */
{
    const double z = 0.5 * x[1] * -1.0 + sqrt(0.75) * x[2], y = sqrt(0.75) * x[1] + 0.5 * x[2];
    return fabs(z) <= 0.6 && hypot(x[0], y) <= 0.3;
}

static bool in_pair(const double x[3]) /* a box and a ball beside it */
{
    const double ball = hypot(hypot(x[0] - 1.0, x[1]), x[2] - 0.5);
    return ball <= 0.4 || (fabs(x[0]) <= 0.25 && fabs(x[1]) <= 0.5 && fabs(x[2]) <= 0.75);
}

static void solids_have_the_mass_of_their_cells(void **ctx)
{
    (void)ctx;
    const double low[] = {-1.0, -1.0, -1.0}, high[] = {1.0, 1.0, 1.0};
    const double wide_low[] = {-0.5, -1.0, -1.0}, wide_high[] = {1.5, 1.0, 1.0};
    /* as many cells as let flat faces fall between them */
    const bulk cone = count_cells(in_cone, low, high, 100, 3.0);
    expect_bulk("density: 3 kg/m^3, shape: {cone: 0.8 m, length: 1.2 m, at: [0.1 m, 0.5 m, 0], "
                "turn: {x: 90 deg}}",
                &cone, 4e-3);
    const bulk cylinder = count_cells(in_cylinder, low, high, 100, 2.0);
    expect_bulk("density: 2 kg/m^3, shape: {cylinder: 0.3 m, length: 1.2 m, turn: {x: 30 deg}}",
                &cylinder, 4e-3);
    const bulk pair = count_cells(in_pair, wide_low, wide_high, 80, 1.0);
    expect_bulk("density: 1 kg/m^3, shape: [{box: [0.5 m, 1 m, 1.5 m]}, {sphere: 0.4 m, at: [1 m, "
                "0, 0.5 m]}]",
                &pair, 4e-3);
}

/* Closed forms to round-off. */
static void solids_have_their_closed_forms(void **ctx)
{
    (void)ctx;
    sp_model *m =
        model_of(SPACE "  a: {density: 6 kg/m^3, shape: {box: [1 m, 2 m, 3 m]}}\n"
                       "  b: {density: 3 kg/m^3, shape: {sphere: 2 m, at: [1 m, 0, 0]}}\n");
    expect_near(m->numbers.body[1].mass, 36.0, 1e-14);
    expect_near(m->numbers.space[1].inertia[0], 39.0, 1e-13);
    expect_near(m->numbers.space[1].inertia[1], 30.0, 1e-13);
    expect_near(m->numbers.space[1].inertia[2], 15.0, 1e-13);
    const double mass = 32.0 * acos(-1.0);
    expect_near(m->numbers.body[2].mass, mass, 1e-13);
    for (int k = 0; k < 3; k++) {
        expect_near(m->numbers.space[2].inertia[k], 1.6 * mass, 1e-12); /* the shift drops out */
        expect_near(m->numbers.space[2].inertia[3 + k], 0.0, 1e-12);
    }
    expect_near(m->numbers.space[2].center[0], 1.0, 1e-15);
    assert_int_equal(m->n_solid, 2);
    assert_int_equal(m->solid[1].kind, SP_SOLID_SPHERE);
    assert_int_equal(m->solid[1].body, 2);
    sp_model_free(m);
}

static void areas_of_the_plane_have_their_closed_forms(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of(
        TOP
        "bodies:\n"
        "  box: {density: 12 kg/m^2, contours: {b: {box: [2 m, 3 m], at: [5 m, 1 m], turn: 40 "
        "deg}}}\n"
        "  tri: {density: 2 kg/m^3, thickness: 50 cm, contours: {t: {polygon: [[3 m, 0], [0, 0], "
        "[0, 3 m]]}}}\n"
        "  ring: {density: 1 kg/m^2, contours: {o: {circle: 2 m, at: [1 m, 1 m]}, h: {circle: 1 m, "
        "at: [1 m, 1 m], inside: yes}, mark: {point: [9 m, 9 m]}}}\n");
    const sp_body_numbers *n = m->numbers.body;
    expect_near(n[1].mass, 72.0, 1e-12);
    expect_near(n[1].inertia, 72.0 * 13.0 / 12.0, 1e-10);
    expect_near(n[1].center[0], 5.0, 1e-13);
    expect_near(n[1].center[1], 1.0, 1e-13);
    expect_near(n[2].mass, 4.5, 1e-14); /* clockwise: turned round */
    expect_near(n[2].center[0], 1.0, 1e-14);
    expect_near(n[2].inertia, 4.5 * (9.0 + 9.0) / 18.0, 1e-13); /* m (a^2 + b^2)/18 */
    const double ring = 3.0 * acos(-1.0);
    expect_near(n[3].mass, ring, 1e-13);
    expect_near(n[3].inertia, ring * 2.5, 1e-12); /* m (R^2 + r^2)/2 */
    sp_model_free(m);
}

static void inertias_are_numbers_lists_or_principal(void **ctx)
{
    (void)ctx;
    sp_model *m =
        model_of(SPACE "  a: {mass: 1 kg, inertia: 2}\n  b: {mass: 1 kg, inertia: [1, 2, 3]}\n"
                       "  c: {mass: 1 kg, inertia: [3, 3, 3, 0.1, 0.2, -0.3]}\n"
                       "  d: {mass: 1 kg, inertia: {principal: [1, 2, 2.5], turn: {z: 30 deg}}}\n");
    const double want[][6] = {{2, 2, 2, 0, 0, 0},
                              {1, 2, 3, 0, 0, 0},
                              {3, 3, 3, 0.1, 0.2, -0.3},
                              /* c^2 1 + s^2 2, s^2 1 + c^2 2, off-diagonal (1 - 2) s c */
                              {1.25, 1.75, 2.5, -sqrt(3.0) / 4.0, 0, 0}};
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 6; k++) {
            expect_near(m->numbers.space[1 + i].inertia[k], want[i][k], 1e-15);
        }
    }
    sp_model_free(m);
}

/* A thin plate is at the very edge of what there is: J_z = J_x + J_y. */
static void the_triangle_inequality_has_a_little_room(void **ctx)
{
    (void)ctx;
    sp_model_free(model_of(SPACE "  a: {mass: 1 kg, inertia: [0.1, 0.2, 0.3]}\n"));
    sp_model_free(model_of(SPACE "  a: {mass: 1 kg, inertia: {principal: [0.1, 0.2, 0.3], turn: "
                                 "[{x: 33 deg}, {y: 71 deg}]}}\n"));
    expect_errors(SPACE "  a: {mass: 1 kg, inertia: {principal: [0.1, 0.2, 0.301], turn: [{x: 33 "
                        "deg}, {y: 71 deg}]}}\n",
                  "6:28: body 'a': inertia has the principal moments 0.1, 0.2, 0.301 kg*m^2, "
                  "expected none above the sum of the other two, as in every body\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solids_have_the_mass_of_their_cells),
        cmocka_unit_test(solids_have_their_closed_forms),
        cmocka_unit_test(areas_of_the_plane_have_their_closed_forms),
        cmocka_unit_test(inertias_are_numbers_lists_or_principal),
        cmocka_unit_test(the_triangle_inequality_has_a_little_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
