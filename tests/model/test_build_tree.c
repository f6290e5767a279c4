/* Joints, the order of bodies, degrees of freedom, arrays (build_families.c), references. */
#include "test_build.h"

static void parents_come_first_and_otherwise_the_order_of_the_file(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of(TOP "bodies:\n"
                               "  d: {mass: 1 kg, inertia: 1, joint: {revolute: b}}\n"
                               "  a: {mass: 1 kg, inertia: 1}\n"
                               "  c: {mass: 1 kg, joint: {weld: d}}\n"
                               "  b: {mass: 1 kg, joint: {prismatic: a, axis: [1, 0]}}\n"
                               "  e: {mass: 1 kg, joint: {weld: ground}}\n");
    static const char *const name[] = {"ground", "a", "b", "d", "c", "e"};
    static const int parent[] = {-1, 0, 1, 2, 3, 0}, last_dof[] = {-1, 2, 3, 4, 4, -1};
    assert_int_equal(m->n_body, 6);
    for (int i = 0; i < 6; i++) {
        assert_string_equal(m->body[i].name, name[i]);
        assert_int_equal(m->body[i].parent, parent[i]);
        assert_int_equal(m->body[i].last_dof, last_dof[i]);
    }
    assert_int_equal(m->n_dof, 5);
    static const int row[] = {0, 1, 3, 6, 10};
    for (int k = 0; k < 5; k++) {
        assert_int_equal(m->dof[k].depth, k);
        assert_int_equal(m->dof[k].row, row[k]);
    }
    assert_int_equal(m->n_packed, 15);
    assert_int_equal(m->dof[0].slide, 0);
    assert_int_equal(m->dof[1].slide, 1);
    assert_int_equal(m->dof[2].slide, SP_NONE);
    sp_model_free(m);
}

static void branches_share_only_their_common_ancestors(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of(TOP "bodies:\n"
                               "  base: {mass: 1 kg, joint: {prismatic: ground, axis: 0}}\n"
                               "  left: {inertia: 1, joint: {revolute: base}}\n"
                               "  right: {inertia: 1, joint: {revolute: base}}\n");
    assert_int_equal(m->dof[2].parent, 0);
    assert_int_equal(m->dof[2].depth, 1);
    assert_int_equal(m->dof[2].row, 3);
    assert_int_equal(m->n_packed, 5);
    sp_model_free(m);
}

static void rings_of_joints_are_told_from_the_first_body(void **ctx)
{
    (void)ctx;
    expect_errors(
        "specht: 1\nspace: planar\ngravity: 0\nbodies:\n  crank: {inertia: 1, joint: "
        "{revolute: ground}}\n"
        "  slider: {mass: 1 kg, joint: {weld: tip}}\n"
        "  rod: {mass: 38 g, joint: {revolute: slider}}\n"
        "  tip: {mass: 38 g, joint: {revolute: rod}}\n",
        "6:38: body 'slider': joints form a ring slider -> tip -> rod -> slider; hang one "
        "body elsewhere and close the ring under 'joints:'\n");
    expect_errors("specht: 1\nspace: planar\ngravity: 0\n\n\nbodies:\n"
                  "  rod: {mass: 38 g, joint: {revolute: slider}}\n"
                  "  slider: {mass: 1 kg, joint: {revolute: rod}}\n",
                  "7:39: body 'rod': joints form a ring rod -> slider -> rod; hang one body "
                  "elsewhere and close the ring under 'joints:'\n");
}

static void a_chain_hangs_on_its_first_link(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of(TOP "parameters: {l: 1 m}\nbodies:\n"
                               "  link: {count: 3, mass: 1 kg * i/n, inertia: 1, joint: {revolute: "
                               "link.(i-1), first: ground, at: [l, 0]}}\n"
                               "  end: {mass: 1 kg, joint: {weld: link.3}}\n");
    for (int i = 1; i < 5; i++) {
        assert_int_equal(m->body[i].parent, i - 1);
    }
    assert_string_equal(m->dof[2].name, "link.3.joint.phi");
    expect_near(m->numbers.body[2].mass, 2.0 / 3.0, 1e-15);
    sp_model_free(m);
}

static void arrays_may_have_two_and_three_indices(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of(
        TOP "parameters: {a: 2}\nbodies:\n"
            "  b: {count: [a, 3], mass: 1 kg, inertia: 1 kg*m^2 * n, joint: {free: ground, "
            "at: [1 m * i, 1 m * j]}}\n"
            "  c: {count: [2, 1, 2], mass: 1 kg * k, inertia: 1}\n"
            "start: {b.2.1.vx: 3, b.y: 1 m * j}\n");
    assert_int_equal(m->n_body, 11);
    assert_string_equal(m->body[4].name, "b.2.1");
    expect_vector(m->numbers.body[6].mark.at, 2.0, 3.0);
    assert_true(m->numbers.body[1].inertia == 6.0);
    assert_string_equal(m->body[10].name, "c.2.1.2");
    assert_true(m->numbers.body[10].mass == 2.0);
    assert_int_equal(m->start[0].index, 4);
    assert_int_equal(m->n_start, 7);
    assert_true(m->start[6].value == 3.0);
    sp_model_free(m);
}

static void references_that_lead_nowhere_say_what_there_is(void **ctx)
{
    (void)ctx;
    expect_errors(
        TOP "bodies:\n"
            "  crank: {inertia: 1, joint: {revolute: grund}}\n"
            "  link: {count: 3, inertia: 1, joint: {revolute: link.(i-1)}}\n"
            "  tip: {inertia: 1, joint: {revolute: link}}\n"
            "  end: {inertia: 1, joint: {revolute: link.4}}\n"
            "  nut: {inertia: 1, joint: {revolute: crank.2}}\n"
            "  pin: {inertia: 1, joint: {revolute: crank.center}}\n"
            "  bar: {inertia: 1, joint: {revolute: link.(k+1)}}\n",
        "6:41: body 'crank': there is no body 'grund', did you mean 'ground'? (has: bar, "
        "crank, end, ground, link, nut, pin, tip)\n"
        "7:50: body 'link.1': 'link' has the elements 1 to 3, not 0\n"
        "8:39: body 'tip': 'link' has 3 elements, expected one; write link.1 or, with "
        "'count', link.(i)\n"
        "9:39: body 'end': 'link' has the elements 1 to 3, not 4\n"
        "10:39: body 'nut': 'crank' is a single element, it has no number 2\n"
        "11:39: body 'pin': joint: 'crank.center' is not a body; place the joint with "
        "'at'\n"
        "12:39: body 'bar': unknown name 'k'; indices exist in elements with 'count' or 'each'\n");
}

/* A family of none has no bodies, forces and contacts; naming one of it is an error. */
static void a_count_of_zero_leaves_a_family_out(void **ctx)
{
    (void)ctx;
    const char *text = TOP "parameters: {k: 0}\nbodies:\n"
                           "  ground: {contours: {floor: {line: [0, 1]}}}\n"
                           "  a: {count: k, mass: 1 kg, inertia: 1, contours: {rim: {circle: 1}}}\n"
                           "  b: {mass: 1 kg, inertia: 1, contours: {rim: {circle: 1}}}\n"
                           "contacts:\n"
                           "  one: {between: [a, ground.floor], law: {mu: 0}}\n"
                           "  two: {between: [a, b], law: {mu: 0}}\n"
                           "  all: {between: [a, a], law: {mu: 0}}\n"
                           "  rest: {between: [b, ground.floor], law: {mu: 0}}\n"
                           "forces: {f: {count: k, spring: [a.(i), b], stiffness: 1, rest: 1}}\n"
                           "start: {b.y: 1 m}\n";
    sp_model *m = model_of(text);
    assert_int_equal(m->n_body, 2);
    assert_int_equal(m->n_force, 0);
    assert_int_equal(m->n_slot, 1);
    sp_model_free(m);
    expect_errors(TOP "bodies: {a: {count: 0, mass: 1 kg, inertia: 1}}\n"
                      "start: {a.1.x: 1 m}\n",
                  "6:9: start: 'a' has no elements, count is 0\n");
}

static void counts_are_whole_and_not_too_large(void **ctx)
{
    (void)ctx;
    expect_errors(TOP "parameters: {n_x: 2.5}\nbodies:\n"
                      "  a: {count: -2, mass: 1 kg, inertia: 1}\n"
                      "  b: {count: n_x, mass: 1 kg, inertia: 1}\n"
                      "  c: {count: [2, 1e6], mass: 1 kg, inertia: 1}\n"
                      "  d: {count: 2 m, mass: 1 kg, inertia: 1}\n"
                      "  e: {count: 1e6, mass: 1 kg, inertia: 1}\n"
                      "start: {a.x: 1 m, b.3.y: 2 m}\n", /* not told again */
                  "7:14: body 'a': count = -2, expected a whole number from 0 to 1000000\n"
                  "8:14: body 'b': count = n_x = 2.5, expected a whole number from 0 to 1000000\n"
                  "9:14: body 'c': count makes 2000000 elements, at most 1000000 are possible\n"
                  "10:14: body 'd': count = 2 m is a length [m], expected a pure number\n"
                  "11:3: 'e' brings the number of elements above 1000000\n");
}

static void an_error_in_an_array_is_told_once(void **ctx)
{
    (void)ctx;
    expect_errors(TOP "bodies:\n  a: {count: 1000, mass: 1 kg * (3 - i), inertia: 1}\n",
                  "6:26: body 'a.4': mass = 1 kg * (3 - i) = -1, expected > 0\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parents_come_first_and_otherwise_the_order_of_the_file),
        cmocka_unit_test(branches_share_only_their_common_ancestors),
        cmocka_unit_test(rings_of_joints_are_told_from_the_first_body),
        cmocka_unit_test(a_chain_hangs_on_its_first_link),
        cmocka_unit_test(arrays_may_have_two_and_three_indices),
        cmocka_unit_test(references_that_lead_nowhere_say_what_there_is),
        cmocka_unit_test(a_count_of_zero_leaves_a_family_out),
        cmocka_unit_test(counts_are_whole_and_not_too_large),
        cmocka_unit_test(an_error_in_an_array_is_told_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
