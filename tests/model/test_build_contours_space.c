/* Contours in space as files write them. */
#include "support/check.h"
#include "support/machine.h"

#include <string.h>

static int contour_of(const machine *c, const char *name)
{
    for (int i = 0; i < c->m->n_contour; i++) {
        if (strcmp(c->m->contour[i].name, name) == 0) {
            return i;
        }
    }
    fail_msg("no contour '%s'", name);
    return 0;
}

static void check_vector(const double *a, double x, double y, double z)
{
    assert_near(a[0], x, 1e-15);
    assert_near(a[1], y, 1e-15);
    assert_near(a[2], z, 1e-15);
}

static void places_directions_and_radii_are_in_the_frame_of_the_body(void **ctx)
{
    (void)ctx;
    machine c = machine_of_text(
        "specht: 1\nspace: spatial\ngravity: 0\n"
        "bodies:\n"
        "  ground:\n"
        "    contours:\n"
        "      wall: {plane: [0, 0, 2], at: [1, 2, 3], turn: {x: 90 deg}}\n"
        "      pipe: {cylinder: 20 cm, axis: [0, 3, 0], turn: {z: 90 deg}, inside: yes}\n"
        "      bowl: {sphere: 2 m, inside: yes}\n"
        "  part:\n"
        "    mass: 1 kg\n"
        "    inertia: 1\n"
        "    contours:\n"
        "      tip: {point: [1, 0, 0], at: [0, 0, 5], turn: {z: 90 deg}}\n"
        "      head: {sphere: 3 cm, at: [0, 1, 0]}\n"
        "      rod: {cylinder: 1 cm}\n"
        "outputs: {height: part.tip.z}\n"
        "run: {until: 1 s, method: smooth}\n");
    const sp_contour_numbers *n = c.num->contour;
    const int wall = contour_of(&c, "ground.wall"), tip = contour_of(&c, "part.tip");
    check_vector(n[wall].axis, 0.0, -1.0, 0.0);
    check_vector(n[wall].mark.at, 1.0, 2.0, 3.0);
    check_vector(n[tip].mark.at, 0.0, 1.0, 5.0);
    assert_true(n[tip].radius == 0.0);
    check_vector(n[contour_of(&c, "ground.pipe")].axis, -1.0, 0.0, 0.0);
    check_vector(n[contour_of(&c, "part.rod")].axis, 0.0, 0.0, 1.0);
    assert_near(n[contour_of(&c, "part.head")].radius, 0.03, 1e-15);
    const sp_contour *k = c.m->contour;
    assert_int_equal(k[contour_of(&c, "ground.pipe")].kind, SP_CONTOUR_BORE);
    assert_int_equal(k[contour_of(&c, "part.rod")].kind, SP_CONTOUR_CYLINDER);
    assert_int_equal(k[contour_of(&c, "ground.bowl")].kind, SP_CONTOUR_HOLLOW_SPHERE);
    assert_int_equal(k[contour_of(&c, "part.head")].kind, SP_CONTOUR_SPHERE);
    machine_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_directions_and_radii_are_in_the_frame_of_the_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
