/* Motions in space that move nothing. */
#include "test_build.h"

#define SPACE "specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\nbodies:\n"

/* Bodies, and the coordinate that is said to move nothing; NULL: all is well. */
static const struct {
    const char *bodies, *wrong;
} row[] = {
    {"  a: {mass: 1 kg, inertia: [1, 1, 1]}\n", NULL},
    {"  a: {mass: 1 kg}\n", "a.joint.omega_own_x"},
    {"  a: {mass: 1 kg, joint: {free: ground, only: [x, y, z]}}\n", NULL},
    {"  a: {inertia: 1, joint: {spherical: ground}}\n", NULL},
    {"  a: {inertia: 1}\n", "a.joint.x"},
    /* a point mass on a rod turns about two of three axes */
    {"  a: {mass: 1 kg, center: [0, 0, 1 m], joint: {spherical: ground}}\n", "a.joint.omega_own_z"},
    {"  a: {mass: 1 kg, center: [0, 0, 1 m], joint: {universal: ground, axis: [[1, 0, 0], [0, 1, "
     "0]]}}\n",
     NULL},
    {"  a: {mass: 1 kg, center: [0, 0, 1 m], joint: {universal: ground, axis: [[1, 0, 0], [0, 0, "
     "1]]}}\n",
     "a.joint.phi_2"},
    /* off the axis it has an arm */
    {"  a: {mass: 1 kg, joint: {revolute: ground, axis: [0, 0, 1], from: [1 m, 0, 0]}}\n", NULL},
    {"  a: {mass: 1 kg, joint: {revolute: ground, axis: [0, 0, 1], from: [0, 0, 1 m]}}\n",
     "a.joint.phi"},
    /* a screw moves mass as it turns */
    {"  a: {mass: 1 kg, joint: {screw: ground, axis: [0, 0, 1], pitch: 1 mm}}\n", NULL},
    {"  a: {mass: 1 kg, joint: {screw: ground, axis: [0, 0, 1], pitch: 0 m}}\n", "a.joint.phi"},
    /* inertia of a child carries its parent */
    {"  a: {joint: {revolute: ground, axis: [0, 0, 1]}}\n"
     "  b: {mass: 1 kg, joint: {prismatic: a, axis: [1, 0, 0]}}\n",
     NULL},
    {"  a: {joint: {revolute: ground, axis: [0, 0, 1]}}\n"
     "  b: {inertia: 1, joint: {revolute: a, axis: [0, 0, 1]}}\n",
     "a.joint.phi"},
    {"  a: {joint: {revolute: ground, axis: [0, 0, 1]}}\n"
     "  b: {inertia: 1, joint: {revolute: a, axis: [0, 1, 0]}}\n",
     NULL},
    {"  a: {joint: {planar: ground, axis: [0, 0, 1]}}\n"
     "  b: {mass: 1 kg, inertia: 1, joint: {weld: a, at: [0, 0, 1 m]}}\n",
     NULL},
    {"  a: {joint: {cylindrical: ground, axis: [0, 1, 1]}}\n"
     "  b: {mass: 1 kg, joint: {weld: a, at: [0, 1 m, 1 m]}}\n",
     "a.joint.phi"},
    /* a rod without thickness does not resist about its own axis */
    {"  a: {mass: 1 kg, inertia: {principal: [1, 1, 0], turn: {x: 40 deg}}, joint: {spherical: "
     "ground}}\n",
     "a.joint.omega_own"},
    {"  a: {mass: 1 kg, inertia: {principal: [1, 1, 0], turn: {x: 40 deg}}, joint: {spherical: "
     "ground, from: [1 m, 0, 0]}}\n",
     NULL},
};

static void motions_that_move_nothing_are_found(void **ctx)
{
    (void)ctx;
    for (size_t k = 0; k < sizeof row / sizeof row[0]; k++) {
        char text[800], messages[MESSAGES_MAX], want[120];
        snprintf(text, sizeof text, SPACE "%s", row[k].bodies);
        sp_model *m = compile(text, messages);
        snprintf(want, sizeof want, "moves with %s", row[k].wrong ? row[k].wrong : "");
        if (row[k].wrong ? !strstr(messages, want) : messages[0] != '\0') {
            fail_msg("%s: %s", row[k].bodies, messages);
        }
        sp_model_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(motions_that_move_nothing_are_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
