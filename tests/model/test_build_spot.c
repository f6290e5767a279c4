/* The spot of Coulomb-Contensou friction, rolling and adhesion in model files; what is wrong with
 * them is in tests/data/bad. */
#include "test_build.h"

#define SPACE                                                                                      \
    "specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\n"                                             \
    "bodies:\n"                                                                                    \
    "  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"                                          \
    "  ball: {mass: 1 kg, inertia: 1, contours: {skin: {sphere: 1 m}}}\n"

static void a_law_reads_its_spot_in_si_units(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of(SPACE "parameters: {R: 2 mm}\n"
                                 "laws: {a: {mu: 0.3, friction: contensou, radius: R/4, pressure: "
                                 "hertz, rolling: 1 mm, adhesion: 2 kN}}\n");
    const sp_law_numbers *n = &m->numbers.law[0];
    assert_true(m->law[0].drills && n->mu == 0.3 && n->spot.pressure == SP_PRESSURE_HERTZ);
    assert_true(n->spot.radius == 5e-4 && n->spot.rolling == 1e-3 && n->spot.adhesion == 2000.0);
    assert_true(n->lever == 5e-4 && n->spot.hertz == 0.0);
    assert_int_equal(m->layout.contact_rows, 6);
    sp_model_free(m);
}

/* (3 r/(4 E))^(1/3), the lever is the radius under one newton. */
static void elastic_bodies_have_the_radius_of_hertz(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of(SPACE "laws: {a: {mu: 0.3, friction: contensou, hertz: {radius: 15 mm, "
                                 "modulus: 5 GPa}}}\n");
    const sp_law_numbers *n = &m->numbers.law[0];
    assert_true(fabs(n->spot.hertz / cbrt(3.0 * 0.015 / (4.0 * 5e9)) - 1.0) < 1e-15);
    assert_true(n->lever == n->spot.hertz && n->spot.pressure == SP_PRESSURE_UNIFORM);
    assert_int_equal(m->layout.contact_rows, 4);
    /* what the tippe-top's paper says of wood: about 5e-5 m under its weight of 6 g */
    assert_true(fabs(sp_contensou_radius(&n->spot, 6e-3 * 9.81) - 5e-5) < 1e-6);
    sp_model_free(m);
}

static void a_law_like_another_may_leave_its_spot(void **ctx)
{
    (void)ctx;
    sp_model *m =
        model_of(SPACE "laws: {a: {mu: 0.3, friction: contensou, radius: 1 mm}, b: {like: "
                       "a, friction: coulomb}, c: {like: a, mu: 0.5}, d: {like: b, "
                       "rolling: 1 mm}}\n");
    assert_true(m->law[0].drills && !m->law[1].drills && m->law[2].drills && !m->law[3].drills);
    assert_true(m->numbers.law[2].mu == 0.5 && m->numbers.law[2].spot.radius == 1e-3);
    assert_true(m->numbers.law[3].lever == 1e-3);
    assert_int_equal(m->layout.contact_rows, 5);
    sp_model_free(m);
}

static void laws_without_spots_have_three_rows(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of(SPACE "laws: {a: {mu: 0.3}, b: {mu: 0.2, adhesion: 1 N}}\n");
    assert_int_equal(m->layout.contact_rows, 3);
    assert_true(!m->law[0].drills && m->numbers.law[0].lever == 0.0);
    sp_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_law_reads_its_spot_in_si_units),
        cmocka_unit_test(elastic_bodies_have_the_radius_of_hertz),
        cmocka_unit_test(a_law_like_another_may_leave_its_spot),
        cmocka_unit_test(laws_without_spots_have_three_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
