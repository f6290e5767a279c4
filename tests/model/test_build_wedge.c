/* Rockers and grooves: coordinates along the axis, names of their contacts, what is refused. */
#include "test_build.h"

#include "model/wedge.h"

#define GROOVE "groove: 11 deg, radius: 40 mm, half_width: 12 mm"
#define MODEL(pulley, link)                                                                        \
    TOP "bodies:\n"                                                                                \
        "  pulley: {mass: 4 kg, inertia: 1e-2, center: [1 mm, 2 mm], joint: {revolute: ground},\n" \
        "           contours: {vee: {" pulley "}}}\n"                                              \
        "  link: {mass: 1 kg, inertia: 1e-3, contours: {pin: {" link "}}}\n"                       \
        "contacts: {c: {between: [link, pulley], law: {mu: 0.1}}}\n"

static void a_pressed_groove_has_an_opening_and_tilts(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of(
        MODEL(GROOVE ", force: 20 kN, mass: 2 kg, damping: 3 N*s/m, tilt: [5 N*m, 7 N*m*s]",
              "rocker: 12 mm, stiffness: 1e8 N/m, mass: 6 g"));
    const char *const name[] = {"pulley.joint.phi", "pulley.opening", "pulley.tilt_x",
                                "pulley.tilt_y",    "link.joint.x",   "link.joint.y",
                                "link.joint.phi",   "link.stretch"};
    assert_int_equal(m->n_dof, 8);
    for (int k = 0; k < 8; k++) {
        assert_string_equal(m->dof[k].name, name[k]);
    }
    assert_string_equal(m->dof[1].unit, "m");
    assert_string_equal(m->dof[2].unit, "rad");
    const sp_wedge *g = m->body[1].form, *p = m->body[2].form;
    assert_ptr_equal(m->body[1].kind, &sp_wedge_kind);
    expect_near(g->mass, 4.0, 0.0);
    expect_near(g->inertia, 1e-2, 0.0);
    expect_vector(g->center, 1e-3, 2e-3);
    expect_near(g->force[0], 2e4, 1e-9);
    expect_near(g->m[0], 2.0, 0.0);
    expect_near(g->d[0], 3.0, 0.0);
    expect_near(g->k[1], 5.0, 0.0);
    expect_near(g->d[2], 7.0, 0.0);
    expect_near(g->m[1], 2.0 * 0.04 * 0.04 / 4.0, 1e-18);
    expect_near(p->k[0], 1e8, 1e-6);
    expect_near(p->m[0], 6e-3 / 12.0, 1e-18);
    assert_int_equal(m->layout.contact_rows, 3);
    sp_model_free(m);
}

static void rigid_ones_have_no_coordinates(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of(MODEL(GROOVE, "rocker: 12 mm"));
    assert_int_equal(m->n_dof, 4);
    assert_int_equal(m->n_slot, 1);
    assert_string_equal(m->slot[0].name, "c");
    assert_int_equal(m->slot[0].kind, SP_SLOT_GAP);
    assert_true(m->slot[0].is.two_slips);
    assert_int_equal(m->slot[0].body_a, 2);
    assert_null(m->body[1].kind);
    sp_model_free(m);
}

static void ends_in_space_touch_the_flank_of_their_side(void **ctx)
{
    (void)ctx;
    sp_model *m =
        model_of("specht: 1\nname: Test\nspace: spatial\ngravity: 0\nbodies:\n"
                 "  pulley: {mass: 1 kg, inertia: 1, contours: {vee: {" GROOVE "}}}\n"
                 "  sheave: {mass: 1 kg, inertia: 1, contours: {vee: {" GROOVE ", flank: upper}}}\n"
                 "  link: {mass: 1 kg, inertia: 1, contours: {pin: {rocker: 12 mm}}}\n"
                 "contacts: {c: {between: [link, [pulley, sheave]], law: {mu: 0.1}}}\n");
    assert_int_equal(m->n_slot, 3);
    assert_string_equal(m->slot[0].name, "c.pin.1.pulley.vee.1");
    assert_string_equal(m->slot[1].name, "c.pin.2.pulley.vee.2");
    assert_string_equal(m->slot[2].name, "c.pin.2.sheave.vee");
    sp_model_free(m);
}

static void what_makes_no_sense_is_refused(void **ctx)
{
    (void)ctx;
    expect_errors(MODEL(GROOVE ", mass: 2 kg", "rocker: 12 mm"),
                  "7:79: contour 'vee': mass is that of what moves along the axis, and nothing "
                  "does; give 'force' or 'tilt' too, or leave it out\n");
    expect_errors(MODEL(GROOVE ", force: 1 kN", "rocker: 12 mm"),
                  "7:23: contour 'vee': 'force' or 'tilt' needs the mass that moves along the "
                  "axis; give 'mass', that of the sheave that is pressed\n");
    expect_errors(MODEL(GROOVE ", force: -1 kN, mass: 2 kg", "rocker: 12 mm"),
                  "7:86: contour 'vee': force = -1 kN, expected > 0\n");
    expect_errors(MODEL("groove: 90 deg, radius: 40 mm, half_width: 12 mm", "rocker: 12 mm"),
                  "7:37: contour 'vee': groove = 1.5708 rad, expected the angle between a flank "
                  "and the middle plane, more than 0 and less than 90 deg\n");
    expect_errors(MODEL("groove: 11 deg, radius: 40 mm", "rocker: 12 mm"),
                  "7:28: contour 'vee': missing key 'half_width': Half of the width of the groove "
                  "at `radius`.\n");
    expect_errors(MODEL("groove: 11 deg", "rocker: 12 mm"),
                  "7:37: contour 'vee': groove = 11 deg says how steep the flanks are, not how far "
                  "apart; give 'radius' and 'half_width', half of the width there\n");
    expect_errors(MODEL("groove: [[4 mm, 1 mm], [5 mm, 0.5 mm]]", "rocker: 12 mm"),
                  "7:37: contour 'vee': groove: expected points [radius, half width] by rising "
                  "radius between which the groove becomes wider all the way\n");
    expect_errors(MODEL("groove: [[5 mm, 1 mm], [4 mm, 2 mm]]", "rocker: 12 mm"),
                  "7:37: contour 'vee': groove: expected points [radius, half width] by rising "
                  "radius between which the groove becomes wider all the way\n");
    expect_errors(MODEL("groove: [[4 mm, 1 mm], [5 mm, 2 mm]], radius: 4 mm, half_width: 1 mm",
                        "rocker: 12 mm"),
                  "7:67: contour 'vee': radius belongs to a groove by its angle, this one is given "
                  "by points; leave it out\n");
    expect_errors(MODEL(GROOVE, "rocker: 0 mm"),
                  "8:62: contour 'pin': rocker = 0 mm, expected > 0\n");
    expect_errors(MODEL(GROOVE, "rocker: 12 mm, damping: 1 N*s/m"),
                  "8:69: contour 'pin': damping is that of what moves along the axis, and nothing "
                  "does; give 'stiffness' too, or leave it out\n");
    expect_errors(MODEL(GROOVE, "rocker: 12 mm, flank: upper"),
                  "8:69: contour 'pin': 'flank' does not go with 'rocker'\n");
    expect_errors(MODEL(GROOVE, "circle: 12 mm"),
                  "9:25: contact 'c': a circle ('link.pin') and a groove ('pulley.vee') cannot "
                  "touch; a circle touches a point, a line, a segment, a circle, a hole, a polygon "
                  "or a curve; a groove touches a rocker\n");
    expect_errors(MODEL(GROOVE ", force: 1 kN, mass: 1 kg}, second: {" GROOVE
                               ", force: 1 kN, mass: 1 kg",
                        "rocker: 12 mm"),
                  "7:105: contour 'second': a body has one contour with a part that moves along "
                  "the axis and does not deform; give 'force' or 'tilt' to another body\n");
    expect_errors(TOP "bodies:\n"
                      "  ground: {contours: {vee: {" GROOVE ", force: 1 kN, mass: 1 kg}}}\n"
                      "  link: {mass: 1 kg, inertia: 1, contours: {pin: {rocker: 12 mm}}}\n"
                      "contacts: {c: {between: [link, ground], law: {mu: 0.1}}}\n",
                  "6:23: contour 'vee': the ground has nothing that moves along the axis; give "
                  "'force' or 'tilt' to a body\n");
    expect_errors(TOP
                  "bodies:\n"
                  "  pulley: {mass: 1 kg, inertia: 1, contours: {vee: {" GROOVE "}}}\n"
                  "  link: {mass: 1 kg, inertia: 1, contours: {pin: {rocker: 12 mm}}}\n"
                  "contacts: {c: {between: [link, pulley], law: {mu: \"0.1 + 0.1*v/(1 m/s)\"}}}\n",
                  "8:25: contact 'c': friction along two slips needs a 'mu' that is one number\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pressed_groove_has_an_opening_and_tilts),
        cmocka_unit_test(rigid_ones_have_no_coordinates),
        cmocka_unit_test(ends_in_space_touch_the_flank_of_their_side),
        cmocka_unit_test(what_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
