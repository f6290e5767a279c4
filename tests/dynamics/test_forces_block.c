/* Force elements beyond springs, on one block in the plane; by hand. */
#include "support/tree.h"

/* A free block, 2 kg, 0.5 kg m^2, whose point e is at (1, 0); one force element. */
static machine block_with(const char *force)
{
    static text out;
    out.n = 0;
    text_add(&out,
             "specht: 1\nname: test\nspace: planar\nunits: off\ngravity: 0\n"
             "bodies: {block: {mass: 2, inertia: 0.5, points: {e: [1, 0]}}}\nforces: {f: {%s}}\n"
             "run: {until: 1, method: moreau, step: 0.1}\n",
             force);
    return machine_of_text(out.s);
}

/* Forces on x, y, phi of the block, by share, and the energy of the element. */
static void expect_block(const char *force, const double q[3], const double u[3], sp_share share,
                         const double expected[3], double energy)
{
    machine c = block_with(force);
    double h[3], power = 0.0, V;
    machine_share(&c, 0.0, q, u, share, h);
    for (int k = 0; k < 3; k++) {
        assert_near(h[k], expected[k], 1e-13);
        power += h[k] * u[k];
    }
    assert_near(c.w->dyn.element[0].power[share], power, 1e-13);
    V = sp_dyn_element_energy(c.m, c.num, &c.w->kin, 0.0, q, u, 0, &c.w->dyn);
    assert_near(V, energy, 1e-13);
    machine_free(&c);
}

static void elements_of_space_act_in_the_plane_too(void **ctx)
{
    (void)ctx;
    const double q[3] = {0.3, -0.2, 0.4}, u[3] = {2.0, 1.0, -0.5};
    const double c = cos(0.4), s = sin(0.4);
    /* displacement and angle against the ground, force at the block's origin */
    const char *bushing = "bushing: [ground, block], stiffness: [10, 20, 3], damping: [1, 2, 0.6]";
    expect_block(bushing, q, u, SP_CONSERVATIVE, (double[]){-3.0, 4.0, -1.2},
                 0.5 * (10.0 * 0.09 + 20.0 * 0.04 + 3.0 * 0.16));
    expect_block(bushing, q, u, SP_DAMPERS, (double[]){-2.0, -2.0, 0.3},
                 0.5 * (10.0 * 0.09 + 20.0 * 0.04 + 3.0 * 0.16));
    /* velocity of e: (2 + 0.5 s, 1 - 0.5 c) */
    const double v[2] = {2.0 + 0.5 * s, 1.0 - 0.5 * c}, speed = hypot(v[0], v[1]);
    const double F[2] = {-(0.5 + 0.25 * speed) * v[0], -(0.5 + 0.25 * speed) * v[1]};
    expect_block("drag: block.e, linear: 0.5, quadratic: 0.25", q, u, SP_DAMPERS,
                 (double[]){F[0], F[1], c * F[1] - s * F[0]}, 0.0);
    /* gas on the coordinate x: V = 2 - 0.5 x, isothermal */
    const double pressure = 6.0 / (1.0 - 0.25 * 0.3);
    expect_block("gas: block.joint.x, area: 0.5, pressure: 6, volume: 2, exponent: 1", q, u,
                 SP_CONSERVATIVE, (double[]){-0.5 * pressure, 0.0, 0.0},
                 -12.0 * log(1.0 - 0.25 * 0.3));
    expect_block("orifice: block.joint.x, compression: 3, rebound: 7", q, u, SP_DAMPERS,
                 (double[]){-12.0, 0.0, 0.0}, 0.0);
    const double back[3] = {-2.0, 1.0, -0.5};
    expect_block("orifice: block.joint.x, compression: 3, rebound: 7", q, back, SP_DAMPERS,
                 (double[]){28.0, 0.0, 0.0}, 0.0);
    machine m = block_with("torque: -1.5, on: block");
    double h[3];
    machine_share(&m, 0.0, q, u, SP_APPLIED, h);
    assert_near(m.w->dyn.element[0].moment, -1.5, 1e-15); /* in the plane with its sign */
    assert_near(h[2], -1.5, 1e-15);
    machine_free(&m);
}

/* A field that changes with time pulls at the centres of mass and is applied, not stored. */
static void gravity_by_expressions_acts_on_all_bodies_of_the_plane(void **ctx)
{
    (void)ctx;
    machine c = machine_of_text(
        "specht: 1\nname: test\nspace: planar\nunits: off\ngravity: [0, -10*(1 + t)]\nbodies:\n"
        "  block: {mass: 2, inertia: 0.5, center: [1, 0]}\n"
        "run: {until: 1, method: moreau, step: 0.1}\n");
    const double q[3] = {0.3, -0.2, 0.4}, u[3] = {0.0, 0.0, 0.0};
    double h[3];
    machine_share(&c, 0.5, q, u, SP_APPLIED, h);
    assert_near(h[0], 0.0, 1e-14);
    assert_near(h[1], -30.0, 1e-14);
    assert_near(h[2], -30.0 * cos(0.4), 1e-13);
    assert_near(machine_potential(&c, 0.5, q, u), 0.0, 0.0);
    machine_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_of_space_act_in_the_plane_too),
        cmocka_unit_test(gravity_by_expressions_acts_on_all_bodies_of_the_plane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
