/* A thousand contacts at once in the plane: in one island, and each alone. */
#include "support/check.h"
#include "support/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 1000, TEXT = 32000 };
#define CERTIFIED 1e-8 /* what a run is called certified by */

static void expect_certified(const rig *r)
{
    assert_true(r->worst.complementarity <= CERTIFIED);
    assert_true(r->worst.cone <= CERTIFIED);
    assert_true(r->worst.momentum <= CERTIFIED);
    assert_true(r->worst.gap <= 1e-12);
}

/* A block on 1000 feet slides: v = v_0 - mu g t, however the feet share its weight. */
static void a_block_slides_on_a_thousand_feet(void **ctx)
{
    (void)ctx;
    char *feet = (char *)malloc(TEXT);
    size_t n = 0;
    for (int k = 0; k < MANY; k++) {
        n += (size_t)snprintf(feet + n, TEXT - n, "p%d: {point: [%.3f, -0.1]}, ", k, 0.002 * k - 1);
    }
    rig r = rig_of_text("specht: 1\nspace: planar\ngravity: 10 m/s^2\n"
                        "bodies:\n  ground: {contours: {floor: {line: [0, 1]}}}\n"
                        "  block: {mass: 10 kg, inertia: 3.4 kg*m^2, contours: {%s}}\n"
                        "contacts: {c: {between: [block, ground.floor], law: {mu: 0.3}}}\n"
                        "start: {block.y: 0.1 m, block.vx: 1 m/s}\n",
                        feet);
    free(feet);
    assert_int_equal(r.m->n_slot, MANY);
    rig_steps(&r, SP_METHOD_MOREAU, 1e-3, 10);
    expect_certified(&r);
    assert_near(r.x->u[0], 1.0 - 0.3 * 10.0 * 0.01, 1e-12);
    rig_free(&r);
}

/* 500 rollers in a row are pushed against a wall; all stay: 1000 contacts in one island. */
static void a_row_of_rollers_is_one_island(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(
        "specht: 1\nspace: planar\ngravity: 10 m/s^2\nlaws: {dry: {mu: 0.3}}\n"
        "bodies:\n  ground: {contours: {floor: {line: [0, 1]}, wall: {line: [1, 0]}}}\n"
        "  b: {count: 500, mass: 1 kg, inertia: 5e-3 kg*m^2, contours: {o: {circle: 0.1 m}}}\n"
        "contacts:\n  w: {between: [b.1.o, ground.wall], law: dry}\n"
        "  f: {count: 500, between: [b.(i).o, ground.floor], law: dry}\n"
        "  n: {count: 499, between: [b.(i).o, b.(i+1).o], law: dry}\n"
        "forces: {push: {force: [-2000 N, 0 N], on: b.500}}\n"
        "start: {b.x: 0.1 m + (0.2 m)*(i - 1), b.y: 0.1 m}\n");
    rig_steps(&r, SP_METHOD_MOREAU, 1e-3, 10);
    expect_certified(&r);
    double most = 0.0;
    for (int k = 0; k < r.m->n_dof; k++) {
        most = fmax(most, fabs(r.x->u[k]));
    }
    assert_true(most < 1e-7); /* dt times 2000 N/kg is 2 m/s a step without the wall */
    rig_free(&r);
}

/* 1000 balls fall on the floor, ball i from i times 10 um: 1000 islands, each bounces with the law
 * of a ball that is alone. */
static void a_thousand_islands_are_a_thousand_balls(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(
        "specht: 1\nspace: planar\ngravity: 10 m/s^2\nlaws: {hard: {mu: 0.3, eps_N: 0.5}}\n"
        "bodies:\n  ground: {contours: {floor: {line: [0, 1]}}}\n"
        "  b: {count: 1000, mass: 1 kg, inertia: 5e-3 kg*m^2, contours: {o: {circle: 0.1 m}}}\n"
        "contacts: {f: {count: 1000, between: [b.(i).o, ground.floor], law: hard}}\n"
        "start: {b.x: (0.3 m)*i, b.y: 0.1 m + (10 um)*i, b.vx: 1 m/s}\n");
    rig one = rig_of_text(
        "specht: 1\nspace: planar\ngravity: 10 m/s^2\nlaws: {hard: {mu: 0.3, eps_N: 0.5}}\n"
        "bodies:\n  ground: {contours: {floor: {line: [0, 1]}}}\n"
        "  b: {mass: 1 kg, inertia: 5e-3 kg*m^2, contours: {o: {circle: 0.1 m}}}\n"
        "contacts: {f: {between: [b.o, ground.floor], law: hard}}\n"
        "start: {b.y: 0.1 m + (10 um)*400, b.vx: 1 m/s}\n");
    rig_steps(&r, SP_METHOD_MOREAU, 1e-3, 100);
    rig_steps(&one, SP_METHOD_MOREAU, 1e-3, 100);
    expect_certified(&r);
    for (int k = 0; k < 3; k++) {
        assert_near(r.x->u[3 * 399 + k], one.x->u[k], 1e-12);
    }
    rig_free(&one);
    rig_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_slides_on_a_thousand_feet),
        cmocka_unit_test(a_row_of_rollers_is_one_island),
        cmocka_unit_test(a_thousand_islands_are_a_thousand_balls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
