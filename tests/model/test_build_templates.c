/* Templates and their parts: names, values, tables, and the same machine written out by hand. */
#include "test_build.h"

#define LIMB                                                                                       \
    "templates:\n"                                                                                 \
    "  pad:\n"                                                                                     \
    "    parameters: {r: 10 mm}\n"                                                                 \
    "    bodies: {foot: {mass: 0.1 kg, joint: {prismatic: leg, axis: [0, 1]}, contours: {skin: "   \
    "{circle: r}}}}\n"                                                                             \
    "    laws: {rubber: {eps_N: e}, hard: {like: rubber, mu: 0.1}}\n"                              \
    "    contacts: {touch: {between: [foot.skin, ground.floor], law: hard}}\n"                     \
    "  limb:\n"                                                                                    \
    "    parameters: {x: required, m: 1 kg, k: 2*m*c, dir: up}\n"                                  \
    "    bodies: {leg: {mass: m, joint: {prismatic: trunk, at: [x, 0], axis: dir}}}\n"             \
    "    forces: {coil: {spring: leg.joint.s, stiffness: k}}\n"                                    \
    "    parts: {pad: {template: pad, with: {r: m/(1 kg)*3 mm}}}\n"                                \
    "    start: {leg.joint.s: x/10}\n"                                                             \
    "    outputs: {load: coil.force, twice: 2*load}\n"                                             \
    "parameters: {c: 5 N/m/(1 kg), e: 0.2, m: 9 kg, up: [0, 1]}\n"
#define TRUNK                                                                                      \
    "bodies: {ground: {contours: {floor: {line: [0, 1]}}}, trunk: {mass: 5 kg, joint: "            \
    "{prismatic: ground, at: [0, 1], axis: [0, 1]}}}\n"

static void parts_are_the_elements_of_their_template_by_path(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of(TOP LIMB TRUNK
                           "parts:\n"
                           "  left: {template: limb, with: {x: -0.3 m}}\n"
                           "  right: {template: limb, with: {x: 0.3 m, m: m/3}}\n"
                           "outputs: {sum: left.load + right.twice, v: trunk.vy + right.leg.vy}\n");
    static const char *const name[] = {"ground",    "trunk",         "left.leg",
                                       "right.leg", "left.pad.foot", "right.pad.foot"};
    assert_int_equal(m->n_body, 6);
    for (int i = 0; i < 6; i++) {
        assert_string_equal(m->body[i].name, name[i]);
    }
    /* `m` is the template's in the template, the model's where the part is given its values */
    assert_true(m->numbers.body[2].mass == 1.0 && m->numbers.body[3].mass == 3.0);
    assert_true(m->numbers.body[2].mark.at[0] == -0.3 && m->numbers.body[3].mark.at[0] == 0.3);
    assert_int_equal(m->body[4].parent, 2);
    assert_int_equal(m->body[5].parent, 3);
    assert_string_equal(m->force[1].name, "right.coil");
    assert_true(m->numbers.force[0].stiffness == 10.0 && m->numbers.force[1].stiffness == 30.0);
    assert_string_equal(m->slot[1].name, "right.pad.touch");
    assert_true(m->start[0].value == -0.03 && m->start[1].value == 0.03);
    assert_int_equal(m->n_output, 6);
    assert_string_equal(m->output[0].name, "sum");
    assert_string_equal(m->output[5].name, "right.twice");
    sp_model_free(m);
}

static void parts_of_a_table_are_made_element_by_element(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of(
        TOP "tables: {corners: {columns: [x, dir], units: [m, 1], rows: {front: [1, [0, 1]], "
            "back: [-1, [1, 0]]}}}\n"
            "templates: {limb: {parameters: [x, m, dir], bodies: {\n"
            "  leg: {count: 2, mass: m, joint: {prismatic: ground, at: [x, i * 1 m], axis: dir}},\n"
            "  foot: {mass: m, joint: {revolute: leg.2}, inertia: 1}}, outputs: {y: foot.y}}}\n"
            "bodies: {top: {mass: 1 kg, joint: {revolute: limb.(1+1).leg.1}, inertia: 1}}\n"
            "parts: {limb: {each: corners, template: limb, with: {m: i * 1 kg}}}\n"
            "outputs: {a: limb.back.foot.x, b: limb.2.foot.x, c: limb.1.y}\n");
    static const char *const name[] = {"limb.front.leg.1", "limb.front.leg.2", "limb.back.leg.1",
                                       "limb.back.leg.2"};
    int found = 0;
    assert_int_equal(m->n_body, 8);
    for (int i = 0; i < 8; i++) {
        for (int k = 0; k < 4; k++) {
            const sp_body_numbers *n = &m->numbers.body[i];
            if (strcmp(m->body[i].name, name[k]) == 0) {
                found++;
                assert_true(n->mass == 1.0 + k / 2);
                assert_true(n->mark.at[0] == 1.0 - 2 * (k / 2) && n->mark.at[1] == 1.0 + k % 2);
            }
        }
    }
    assert_int_equal(found, 4);
    assert_int_equal(m->output[0].func.signal[0].index, m->output[1].func.signal[0].index);
    sp_model_free(m);
}

static void a_machine_of_parts_is_the_machine_written_out(void **ctx)
{
    (void)ctx;
    sp_model *a = model_of(TOP LIMB TRUNK "parts: {one: {template: limb, with: {x: 0.5 m}}}\n");
    sp_model *b = model_of(
        TOP "bodies: {ground: {contours: {floor: {line: [0, 1]}}}, trunk: {mass: 5 kg, joint: "
            "{prismatic: ground, at: [0, 1], axis: [0, 1]}},\n"
            "  leg: {mass: 1 kg, joint: {prismatic: trunk, at: [0.5, 0], axis: [0, 1]}},\n"
            "  foot: {mass: 0.1 kg, joint: {prismatic: leg, axis: [0, 1]}, contours: {skin: "
            "{circle: 3 mm}}}}\n"
            "forces: {coil: {spring: leg.joint.s, stiffness: 10}}\n"
            "contacts: {touch: {between: [foot.skin, ground.floor], law: {eps_N: 0.2, mu: 0.1}}}\n"
            "start: {leg.joint.s: 0.05}\n");
    assert_int_equal(a->n_dof, b->n_dof);
    for (int i = 0; i < a->n_body; i++) {
        assert_memory_equal(&a->numbers.body[i], &b->numbers.body[i], sizeof a->numbers.body[i]);
    }
    assert_memory_equal(a->numbers.contour, b->numbers.contour,
                        (size_t)a->n_contour * sizeof *a->numbers.contour);
    assert_true(a->numbers.force[0].stiffness == b->numbers.force[0].stiffness);
    assert_true(a->start[0].value == b->start[0].value);
    sp_model_free(a);
    sp_model_free(b);
}

static void mistakes_of_parts_are_reported_where_they_are(void **ctx)
{
    (void)ctx;
    static const struct {
        const char *parts, *message;
    } row[] = {
        {"parts: {l: {template: limp}}\n",
         "20:23: part 'l': there is no template 'limp', did you mean 'limb'? (has: limb, pad)\n"},
        {"parts: {l: {template: limb, with: {y: 1 m}}}\n",
         "20:36: part 'l': with: template 'limb' has no parameter 'y'; has: dir, k, m, x\n"},
        {"parts: {l: {template: limb}}\n",
         "20:9: part 'l': template 'limb' needs the parameter 'x'; write 'with: {x: ...}'\n"},
        {"parts: {l: {count: 2, template: limb, with: {x: 1 s}}}\n",
         "13:60: body 'l.1.leg': joint: at = x is a time [s], expected a length [m]\n"
         "16:26: start: l.1.leg.joint.s = x/10 is a time [s], expected a length [m]\n"},
        {"parts: {trunk: {template: pad}}\n",
         "20:9: part 'trunk': the name is taken already, in line 19\n"},
        {"parts: {l: {template: limb, with: {x: 1 m}}}\noutputs: {a: l.loud}\n",
         "21:14: output 'a': unknown name 'l.loud', did you mean 'l.load'?\n"},
        {"parts: {l: {template: limb, with: {x: 1 m}}}\nstart: {l.lag.joint.s: 1 m}\n",
         "21:9: start: there is no body 'l.lag.joint.s'; has: ground, l.leg, l.pad.foot, trunk\n"},
    };
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        char text[3000];
        snprintf(text, sizeof text, TOP LIMB TRUNK "%s", row[k].parts);
        expect_errors(text, row[k].message);
    }
    expect_errors(TOP "templates:\n"
                      "  a: {parts: {b: {template: b}}}\n"
                      "  b: {parts: {a: {template: a}}}\n"
                      "bodies: {c: {mass: 1 kg, inertia: 1}}\n"
                      "parts: {a: {template: a}}\n",
                  "7:29: part 'a.b.a': template 'a' contains itself; take this part out of it\n");
    expect_errors(TOP
                  "templates:\n"
                  "  a: {bodies: {c: {mass: 1 kg}}, contacts: {c: {between: [c, d], law: {}}}}\n"
                  "  b: {bodies: {ground: {points: {p: [0, 0]}}}}\n"
                  "bodies: {c: {mass: 1 kg, inertia: 1}}\n"
                  "parts: {a: {template: a}}\n",
                  "6:45: template 'a': 'c' is there twice, also in line 6; rename one\n"
                  "7:16: template 'b': 'ground' is the model's; give it points and contours under "
                  "the 'bodies' of the model\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_the_elements_of_their_template_by_path),
        cmocka_unit_test(parts_of_a_table_are_made_element_by_element),
        cmocka_unit_test(a_machine_of_parts_is_the_machine_written_out),
        cmocka_unit_test(mistakes_of_parts_are_reported_where_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
