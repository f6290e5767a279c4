/* Sizes by which gaps and coordinates are judged: closed forms of small machines, and that they
 * grow with the machine. */
#include "test_build.h"

#include "support/check.h"

/* A pendulum of length l with a disc at its end, above a line; the disc starts where it hangs. */
#define ARM                                                                                        \
    "bodies:\n"                                                                                    \
    "  ground: {contours: {floor: {line: [0, 1], at: [0, -3*l]}}}\n"                               \
    "  arm: {mass: 1 kg, inertia: l^2*(1 kg), joint: {revolute: ground, at: [l, 0]}}\n"            \
    "  hand: {mass: 1 kg, inertia: l^2*(1 kg), joint: {prismatic: arm, at: [0, -2*l], axis: "      \
    "[0, 1],\n"                                                                                    \
    "         range: [-0.25*l, 0.5*l]}, contours: {tip: {circle: 0.125*l}}}\n"                     \
    "contacts: {c: {between: [hand, ground], law: {mu: 0.3}}}\n"

static void a_slot_is_as_large_as_the_longest_on_the_way_to_its_parts(void **ctx)
{
    (void)ctx;
    static const char *const length[3] = {"1 m", "1 um", "10 km"};
    static const double l[3] = {1.0, 1e-6, 1e4};
    for (int k = 0; k < 3; k++) {
        char text[2048];
        snprintf(text, sizeof text, TOP "parameters: {l: %s}\n" ARM, length[k]);
        sp_model *m = model_of(text);
        const sp_extent *e = &m->extent;
        assert_near_scaled(e->length, 3.0 * l[k], l[k], 1e-14); /* the floor is the farthest */
        for (int i = 0; i < m->n_slot; i++) {
            const bool stop = m->slot[i].kind == SP_SLOT_GAP;
            assert_near_scaled(e->slot[i], stop ? 0.75 * l[k] : 3.0 * l[k], l[k], 1e-14);
        }
        assert_near(e->dof[0], 1.0, 0.0);                        /* rad */
        assert_near_scaled(e->dof[1], 0.75 * l[k], l[k], 1e-14); /* between its stops */
        sp_model_free(m);
    }
}

static void starts_are_lengths_where_there_are_no_others(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of(TOP "bodies:\n"
                               "  ground: {contours: {floor: {line: [0, 1]}}}\n"
                               "  ball: {mass: 1 kg, joint: {prismatic: ground, axis: [0, 1]},\n"
                               "         contours: {tip: {point: [0, 0]}}}\n"
                               "contacts: {c: {between: [ball, ground], law: {eps_N: 0.9}}}\n"
                               "start: {ball.y: 1e-10 m}\n");
    assert_near_scaled(m->extent.slot[0], 1e-10, 1e-10, 1e-14);
    assert_near_scaled(m->extent.dof[0], 1e-10, 1e-10, 1e-14);
    sp_model_free(m);
    m = model_of(TOP "bodies: {a: {mass: 1 kg, joint: {prismatic: ground, axis: [0, 1]}}}\n");
    assert_near(m->extent.length, 1.0, 0.0); /* nothing says how large it is */
    assert_near(m->extent.dof[0], 1.0, 0.0);
    sp_model_free(m);
}

static void play_of_an_angle_is_its_size_but_not_less_than_a_milliradian(void **ctx)
{
    (void)ctx;
    static const char *const range[3] = {"[-2 mrad, 3 mrad]", "[-1e-6, 1e-6]", "[none, 0.1]"};
    static const double size[3] = {5e-3, 1e-3, 1.0};
    for (int k = 0; k < 3; k++) {
        char text[512];
        snprintf(text, sizeof text,
                 TOP
                 "bodies: {a: {mass: 1 kg, inertia: 1, joint: {revolute: ground, range: %s}}}\n",
                 range[k]);
        sp_model *m = model_of(text);
        assert_near_scaled(m->extent.slot[0], size[k], size[k], 1e-14);
        assert_near_scaled(m->extent.dof[0], size[k], size[k], 1e-14);
        sp_model_free(m);
    }
}

static void parts_in_space_have_sizes_too(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of("specht: 1\nname: Test\nspace: spatial\ngravity: 9.81 m/s^2\nbodies:\n"
                           "  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
                           "  box: {density: 1000 kg/m^3, shape: {box: [2 mm, 4 mm, 4 mm]},\n"
                           "        contours: {skin: {box: [2 mm, 4 mm, 4 mm]}}}\n"
                           "  ball: {density: 1000 kg/m^3, shape: {sphere: 5 mm}, contours: {s: "
                           "{sphere: 5 mm}}}\n"
                           "contacts: {c: {between: [box, ground], law: {mu: 0.3}}, d: {between: "
                           "[ball, ground], law: {mu: 0.3}}}\n");
    assert_near_scaled(m->extent.length, 5e-3, 1e-3, 1e-13);
    for (int i = 0; i < m->n_slot; i++) {
        const double expected = m->slot[i].contact == 0 ? 3e-3 : 5e-3; /* half a diagonal, radius */
        assert_true(m->extent.slot[i] >= expected * (1.0 - 1e-13));
        assert_true(m->extent.slot[i] <= 5e-3 * (1.0 + 1e-13));
    }
    sp_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slot_is_as_large_as_the_longest_on_the_way_to_its_parts),
        cmocka_unit_test(starts_are_lengths_where_there_are_no_others),
        cmocka_unit_test(play_of_an_angle_is_its_size_but_not_less_than_a_milliradian),
        cmocka_unit_test(parts_in_space_have_sizes_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
