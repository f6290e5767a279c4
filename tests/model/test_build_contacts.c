/* Laws and the sides of contacts. */
#include "test_build.h"

#define BODIES                                                                                     \
    "bodies:\n"                                                                                    \
    "  ground: {contours: {upper: {line: [0, -1]}, lower: {line: [0, 1]}}}\n"                      \
    "  slider: {mass: 1 kg, inertia: 1, contours: {c1: {point: [0, 0]}, c2: {point: [1 m, 0]}}}\n" \
    "  shelf: {joint: {weld: ground}, contours: {edge: {point: [0, 0]}}}\n"                        \
    "  cap: {joint: {weld: slider}, contours: {rim: {circle: 1 m}}}\n"                             \
    "  part: {count: 3, mass: 1 kg, inertia: 1, contours: {skin: {circle: 1 m}}}\n"                \
    "  bare: {mass: 1 kg, inertia: 1}\n"

static void laws_may_be_like_others(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of(
        TOP BODIES "laws: {c: b, b: {like: a, eps_T: 0.1}, a: {mu: 0.3, eps_N: 0.5, eps_T: 1}}\n"
                   "contacts: {x: {between: [slider.c1, ground.lower], law: c}, y: {between: "
                   "[slider.c1, ground.upper], law: {like: b, mu: 2}}}\n");
    assert_int_equal(m->n_law, 4);
    const sp_law_numbers *c = &m->numbers.law[m->slot[0].law], *y = &m->numbers.law[m->slot[1].law];
    assert_true(c->mu == 0.3 && c->eps_N == 0.5 && c->eps_T == 0.1);
    assert_true(y->mu == 2.0 && y->eps_N == 0.5 && y->eps_T == 0.1);
    assert_string_equal(m->law_name[m->slot[0].law], "c");
    assert_string_equal(m->law_name[m->slot[1].law], "y");
    sp_model_free(m);
}

static void laws_out_of_range_are_told_once_where_they_stand(void **ctx)
{
    (void)ctx;
    expect_errors(TOP BODIES
                  "laws: {a: {mu: -0.1}, b: {like: a}, c: {eps_N: 1.5}, d: {like: e}, e: "
                  "{like: d}, f: {like: woud}, g: {mu: 1 m}}\n"
                  "contacts: {x: {between: [slider, ground], law: b}, y: {between: [slider, "
                  "ground], law: aa}, z: {between: [slider, ground], law: {eps_T: 2}}}\n",
                  "12:16: law 'a': mu = -0.1, expected >= 0\n"
                  "12:48: law 'c': eps_N = 1.5, expected between 0 and 1\n"
                  "12:57: law 'd': 'like' leads back to itself\n"
                  "12:92: law 'f': there is no law 'woud'; has: a, b, c, d, e, f, g\n"
                  "12:107: law 'g': mu = 1 m is a length [m], expected a pure number\n"
                  "13:88: contact 'y': there is no law 'aa'; has: a, b, c, d, e, f, g\n"
                  "13:137: contact 'z': law: eps_T = 2, expected between 0 and 1\n");
}

static void contours_that_are_not_there_are_suggested(void **ctx)
{
    (void)ctx;
    expect_errors(
        "specht: 1\nspace: planar\ngravity: 0\nbodies: {ground: {contours: {upper: {line: "
        "[0, -1]}, lower: {line: [0, 1]}}},\n"
        "         slider: {mass: 1 kg, inertia: 1, contours: {p: {point: [0, 0]}}}}\n"
        "contacts:\n"
        "  guide: {between: [slider, ground.uper], law: {mu: 0}}\n",
        "7:29: contact 'guide': body 'ground' has no contour 'uper', did you mean 'upper'? "
        "(has: lower, upper)\n");
    expect_errors(
        TOP BODIES "contacts:\n"
                   "  a: {between: [bare, ground], law: {mu: 0}}\n"
                   "  b: {between: [part.hull, ground], law: {mu: 0}}\n"
                   "  c: {between: [slidr, ground], law: {mu: 0}}\n"
                   "  d: {between: [part.4, ground], law: {mu: 0}}\n",
        "13:17: contact 'a': body 'bare' has no contour\n"
        "14:17: contact 'b': body 'part.1' has no contour 'hull'; has: skin\n"
        "15:17: contact 'c': there is no body 'slidr', did you mean 'slider'? (has: bare, "
        "cap, ground, part, shelf, slider)\n"
        "16:17: contact 'd': 'part' has the elements 1 to 3, not 4\n");
}

static void sides_that_cannot_touch_are_refused(void **ctx)
{
    (void)ctx;
    expect_errors(
        TOP BODIES "contacts:\n"
                   "  a: {between: [slider.c1, slider.c2], law: {mu: 0}}\n"
                   "  b: {between: [ground.upper, ground.lower], law: {mu: 0}}\n"
                   "  c: {between: [shelf, ground], law: {mu: 0}}\n"
                   "  d: {between: [slider.c1, shelf.edge], law: {mu: 0}}\n"
                   "  e: {between: [cap, slider], law: {mu: 0}}\n",
        "13:16: contact 'a': both sides belong to the same body, expected two bodies\n"
        "14:16: contact 'b': both sides are fixed to the ground, expected one that moves\n"
        "15:16: contact 'c': both sides are fixed to the ground, expected one that moves\n"
        "16:16: contact 'd': a point ('slider.c1') and a point ('shelf.edge') cannot touch; "
        "a point touches a line, a segment, a circle, a hole, a polygon or a curve\n"
        "17:16: contact 'e': both sides belong to the same body, expected two bodies\n");
}

static void an_array_of_one_touches_none_of_its_own(void **ctx)
{
    (void)ctx;
    static const char text[] =
        "specht: 1\nspace: planar\ngravity: 0\nparameters: {number: 1}\n"
        "bodies: {part: {count: number, mass: 1 kg, inertia: 1, contours: {b: {box: [1, 1]}}}}\n"
        "contacts: {queue: {between: [part, part], law: {mu: 0}}}\n";
    sp_model *m = model_of(text);
    assert_int_equal(m->n_contact, 1);
    assert_int_equal(m->n_slot, 0);
    sp_model_free(m);
}

static void contacts_may_be_arrays(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of(TOP BODIES "contacts: {k: {count: 2, between: [part.(i), part.(i+1)], "
                                      "first: [part.1, ground], law: {mu: 0.1*i}}}\n");
    static const char *const name[] = {"k.1.upper", "k.1.lower", "k.2"};
    assert_int_equal(m->n_contact, 2);
    assert_int_equal(m->n_slot, 3);
    for (int k = 0; k < 3; k++) {
        assert_string_equal(m->slot[k].name, name[k]);
        assert_int_equal(m->slot[k].contact, k / 2);
    }
    assert_string_equal(m->contact[1].name, "k.2");
    assert_int_equal(m->contact[0].n_slot, 2);
    assert_int_equal(m->contact[1].slot, 2);
    expect_near(m->numbers.law[m->slot[2].law].mu, 0.2, 1e-17);
    sp_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laws_may_be_like_others),
        cmocka_unit_test(laws_out_of_range_are_told_once_where_they_stand),
        cmocka_unit_test(contours_that_are_not_there_are_suggested),
        cmocka_unit_test(sides_that_cannot_touch_are_refused),
        cmocka_unit_test(an_array_of_one_touches_none_of_its_own),
        cmocka_unit_test(contacts_may_be_arrays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
