/* Whole machines, the public face, memory. */
#include "test_build.h"

#include <math.h>
#include <stdlib.h>

/* The slider-crank of Flores, Leine and Glocker (2010), all data of the paper. */
static const char slider_crank[] =
    "specht: 1\n"
    "name: Slider-crank with clearance in the guide\n"
    "space: planar\n"
    "gravity: 9.81 m/s^2\n"
    "parameters: {l1: 153 mm, l2: 306 mm, a: 50 mm, b: 25 mm, c: 1 mm, omega_0: 150 rad/s}\n"
    "bodies:\n"
    "  ground: {contours: {upper: {line: [0, -1], at: [0, b + c]}, lower: {line: [0, 1], at: [0, "
    "-b - c]}}}\n"
    "  crank:  {mass: 38 g, inertia: 7.4e-5 kg*m^2, center: [l1/2, 0], joint: {revolute: ground}}\n"
    "  rod:    {mass: 38 g, inertia: 5.9e-4 kg*m^2, center: [l2/2, 0], joint: {revolute: crank, "
    "at: "
    "[l1, 0]}}\n"
    "  slider: {mass: 76 g, inertia: 2.7e-6 kg*m^2, joint: {revolute: rod, at: [l2, 0]},\n"
    "           contours: {block: {polygon: [[-a, -b], [a, -b], [a, b], [-a, b]], names: [c3, c4, "
    "c2, c1]}}}\n"
    "contacts: {guide: {between: [slider.block, [ground.upper, ground.lower]], law: {mu: 0.01, "
    "eps_N: 0.4}}}\n"
    "start:    {crank.omega: omega_0, rod.omega: -omega_0/2, slider.omega: 0}\n"
    "outputs:  {turns: crank.phi/(1 rev), y1: slider.c1.y/c}\n"
    "plots:    {corners: {x: turns, y: [y1, slider.c2.y/c]}, speed: {y: [crank.omega, "
    "rod.omega]},\n"
    "           portrait: {x: rod.phi, y: rod.omega, title: The rod, equal: yes}}\n"
    "run:      {until: 0.2 s, method: moreau, step: 10 us, tolerance: 1e-9, output_step: 0.1 ms}\n";

static void slider_crank_has_the_bodies_of_the_paper(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of(slider_crank);
    assert_string_equal(sp_model_about(m)->name, "Slider-crank with clearance in the guide");
    assert_int_equal(sp_model_count(m, SP_ITEM_BODY), 4);
    assert_int_equal(sp_model_count(m, SP_ITEM_FREEDOM), 3);
    static const char *const name[] = {"ground", "crank", "rod", "slider"};
    static const double mass[] = {0.0, 0.038, 0.038, 0.076};
    static const double inertia[] = {0.0, 7.4e-5, 5.9e-4, 2.7e-6};
    static const double at[] = {0.0, 0.0, 0.153, 0.306}, center[] = {0.0, 0.0765, 0.153, 0.0};
    for (int i = 0; i < 4; i++) {
        const sp_body_numbers *n = &m->numbers.body[i];
        assert_string_equal(m->body[i].name, name[i]);
        assert_int_equal(m->body[i].parent, i - 1);
        assert_int_equal(m->body[i].n_dof, i > 0);
        assert_int_equal(m->body[i].last_dof, i - 1);
        expect_near(n->mass, mass[i], 1e-17);
        expect_near(n->inertia, inertia[i], 1e-19);
        expect_vector(n->mark.at, at[i], 0.0);
        expect_vector(n->center, center[i], 0.0);
    }
    expect_vector(m->numbers.gravity, 0.0, -9.81);
    sp_model_free(m);
}

static void slider_crank_packs_the_mass_matrix_by_ancestors(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of(slider_crank);
    static const char *const name[] = {"crank.joint.phi", "rod.joint.phi", "slider.joint.phi"};
    static const int row[] = {0, 1, 3};
    for (int i = 0; i < 3; i++) {
        assert_string_equal(sp_model_item(m, SP_ITEM_FREEDOM, i), name[i]);
        assert_int_equal(m->dof[i].parent, i - 1);
        assert_int_equal(m->dof[i].depth, i);
        assert_int_equal(m->dof[i].row, row[i]);
        assert_int_equal(m->dof[i].slide, SP_NONE);
        assert_string_equal(m->dof[i].unit, "rad");
        assert_string_equal(m->dof[i].rate_unit, "rad/s");
    }
    assert_string_equal(m->dof[1].rate_name, "rod.joint.omega");
    assert_int_equal(m->n_packed, 6);
    assert_null(sp_model_item(m, SP_ITEM_FREEDOM, 3));
    assert_null(sp_model_item(m, SP_ITEM_FREEDOM, -1));
    sp_model_free(m);
}

static void slider_crank_has_eight_contact_points(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of(slider_crank);
    static const char *const name[] = {"guide.c3.upper", "guide.c4.upper", "guide.c2.upper",
                                       "guide.c1.upper", "guide.c3.lower", "guide.c4.lower",
                                       "guide.c2.lower", "guide.c1.lower"};
    static const double corner[][2] = {
        {-0.05, -0.025}, {0.05, -0.025}, {0.05, 0.025}, {-0.05, 0.025}};
    assert_int_equal(sp_model_count(m, SP_ITEM_CONTACT), 8);
    for (int i = 0; i < 8; i++) {
        const sp_slot *s = &m->slot[i];
        assert_string_equal(sp_model_item(m, SP_ITEM_CONTACT, i), name[i]);
        assert_int_equal(s->kind, SP_SLOT_LINE);
        assert_int_equal(s->body_a, 3);
        assert_int_equal(s->body_b, SP_GROUND);
        expect_vector(m->numbers.vertex[s->vertex_a], corner[i % 4][0], corner[i % 4][1]);
        const sp_contour_numbers *line = &m->numbers.contour[s->contour_b];
        expect_vector(line->normal, 0.0, i < 4 ? -1.0 : 1.0);
        expect_vector(m->numbers.vertex[m->contour[s->contour_b].vertex], 0.0,
                      i < 4 ? 0.026 : -0.026);
        assert_true(s->sign_t == (i < 4 ? -1.0 : 1.0)); /* slip to the right on both */
        assert_true(m->numbers.law[s->law].mu == 0.01 && m->numbers.law[s->law].eps_N == 0.4);
    }
    assert_null(sp_model_item(m, SP_ITEM_CONTACT, 8));
    sp_model_free(m);
}

static void slider_crank_starts_and_runs_as_written(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of(slider_crank);
    static const double value[] = {150.0, -75.0, 0.0};
    assert_int_equal(m->n_start, 3);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(m->start[i].kind, SP_START_OMEGA);
        assert_int_equal(m->start[i].index, i + 1);
        assert_true(m->start[i].value == value[i]);
    }
    assert_string_equal(m->start[0].name, "crank.omega");
    assert_string_equal(m->start[0].place.file, "m.yaml");
    assert_int_equal(m->start[0].place.line, 13);
    assert_true(m->run.until == 0.2 && m->run.step == 1e-5 && m->run.output_step == 1e-4);
    assert_string_equal(m->run.method, "moreau");
    assert_true(m->run.tolerance == 1e-9 && !m->run.project_start);
    assert_string_equal(m->source_file, "m.yaml");
    assert_string_equal(m->source_text, slider_crank);
    sp_model_free(m);
}

static void bouncing_ball_is_one_point_on_a_floor(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of(TOP "bodies:\n"
                               "  ground: {contours: {floor: {line: [0, 1]}}}\n"
                               "  ball:   {mass: 1 kg, joint: {prismatic: ground, axis: [0, 1]}, "
                               "contours: {tip: {point: [0, 0]}}}\n"
                               "contacts: {bounce: {between: [ball, ground], law: {eps_N: 0.9}}}\n"
                               "start:    {ball.y: 1 m}\n"
                               "run:      {until: 10 s}\n");
    assert_int_equal(m->n_dof, 1);
    assert_string_equal(m->dof[0].name, "ball.joint.s");
    assert_string_equal(m->dof[0].rate_name, "ball.joint.v");
    assert_string_equal(m->dof[0].rate_unit, "m/s");
    expect_vector(m->numbers.body[1].axis[0], 0.0, 1.0);
    assert_int_equal(m->n_slot, 1);
    assert_string_equal(m->slot[0].name, "bounce");
    assert_int_equal(m->start[0].kind, SP_START_Y);
    assert_string_equal(m->run.method, "auto");
    assert_true(m->run.step == 0.0 && m->run.output_step == 0.0);
    sp_model_free(m);
}

static void woodpecker_sleeve_moves_only_up_and_round(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of(
        TOP
        "parameters: {r_O: 2.5 mm, r_M: 3.1 mm, h_M: 5.8 mm, l_M: 10 mm, l_G: 15 mm, h_S: 20 mm, "
        "l_S: 20.1 mm}\n"
        "bodies:\n"
        "  ground: {contours: {pole: {line: [1, 0], at: [r_O, 0]}}}\n"
        "  sleeve: {mass: 0.3 g, inertia: 5e-9 kg*m^2, joint: {free: ground, only: [phi, y]}, "
        "contours: {lower: {point: [r_M, -h_M]}, upper: {point: [r_M, h_M]}}}\n"
        "  bird:   {mass: 4.5 g, inertia: 7e-7 kg*m^2, center: [l_G, 0], contours: {beak: "
        "{point: [l_G - l_S, h_S]}},\n"
        "           joint: {revolute: sleeve, at: [l_M, 0], stiffness: 5.6e-3 N*m/rad}}\n"
        "laws: {wood: {mu: 0.3}, hard: {like: wood, eps_N: 0.5}}\n"
        "contacts:\n"
        "  beak:         {between: [bird.beak, ground.pole], law: hard}\n"
        "  sleeve_lower: {between: [sleeve.lower, ground.pole], law: wood}\n"
        "start: {sleeve.phi: -0.1036 rad, sleeve.joint.vy: -0.3411 m/s}\n"
        "run:   {until: 3 s, start: project}\n");
    static const char *const name[] = {"sleeve.joint.y", "sleeve.joint.phi", "bird.joint.phi"};
    assert_int_equal(m->n_dof, 3);
    for (int i = 0; i < 3; i++) {
        assert_string_equal(m->dof[i].name, name[i]); /* translations first, whatever the order */
    }
    assert_int_equal(m->body[1].n_slide, 1);
    assert_true(m->body[1].turns);
    expect_vector(m->numbers.body[1].axis[0], 0.0, 1.0);
    assert_true(m->dof[2].spring && !m->dof[1].spring);
    expect_near(m->numbers.dof[2].stiffness, 5.6e-3, 1e-18);
    assert_int_equal(m->n_slot, 2);
    assert_string_equal(m->slot[0].name, "beak");
    expect_vector(m->numbers.vertex[m->slot[0].vertex_a], -0.0051, 0.02);
    assert_string_equal(m->law_name[m->slot[0].law], "hard");
    assert_true(m->numbers.law[m->slot[0].law].mu == 0.3);
    assert_true(m->numbers.law[m->slot[0].law].eps_N == 0.5);
    assert_true(m->slot[1].sign_t == -1.0); /* normal (1, 0), tangent (0, -1): counted upwards */
    assert_int_equal(m->start[1].kind, SP_START_U);
    assert_int_equal(m->start[1].index, 0);
    assert_true(m->run.project_start);
    sp_model_free(m);
}

static void feeder_makes_as_many_parts_as_its_parameter_says(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of(
        TOP
        "parameters: {alpha: 3 deg, n_part: 3, a: 20 mm, b: 10 mm}\n"
        "laws: {part: {eps_N: 0.84, mu: 0.23}}\n"
        "bodies:\n"
        "  track: {joint: {prismatic: ground, axis: alpha + 15 deg}, mass: 1 kg, contours: {top: "
        "{line: alpha + 90 deg}}}\n"
        "  part:  {count: n_part, mass: 5.4 g, inertia: 1e-6 kg*m^2, contours: {hull: {box: [a, "
        "b]}},\n"
        "          joint: {free: ground, turn: alpha, at: [-1.5*i*a*cos(alpha), (n - i)*b]}}\n"
        "contacts: {feed: {between: [part, track], law: part}}\n"
        "start: {part.vx: 10 mm/s * i}\n");
    const double alpha = 3.0 * 3.14159265358979323846 / 180.0;
    assert_int_equal(m->n_body, 5);
    assert_int_equal(m->n_dof, 10);
    assert_int_equal(m->n_slot, 12);
    assert_string_equal(m->body[3].name, "part.2");
    assert_string_equal(m->dof[4].name, "part.2.joint.x");
    expect_vector(m->numbers.body[3].mark.at, -1.5 * 2.0 * 0.02 * cos(alpha), 0.01);
    expect_vector(m->numbers.body[3].axis[1], -sin(alpha), cos(alpha));
    expect_vector(m->numbers.body[1].axis[0], cos(6.0 * alpha), sin(6.0 * alpha));
    expect_vector(m->numbers.contour[0].normal, -sin(alpha), cos(alpha));
    assert_string_equal(m->slot[0].name, "feed.1.1");
    assert_string_equal(m->slot[11].name, "feed.3.4");
    assert_int_equal(m->n_start, 3);
    assert_string_equal(m->start[2].name, "part.3.vx");
    expect_near(m->start[2].value, 0.03, 1e-17);
    sp_model_free(m);
}

static void build_gives_the_first_error_with_its_place(void **ctx)
{
    (void)ctx;
    sp_spec *spec = spec_of(TOP "bodies:\n  a: {mass: -1 kg}\n  b: {mass: -2 kg}\n");
    sp_error err = {.status = SP_OK};
    sp_model *m;
    assert_int_equal(sp_model_build(spec, NULL, &m, &err), SP_E_INPUT);
    assert_null(m);
    assert_string_equal(err.text, "body 'a': mass = -1 kg, expected > 0");
    assert_string_equal(err.file, "m.yaml");
    assert_int_equal(err.line, 6);
    assert_int_equal(err.column, 13);
    sp_spec_free(spec);
}

static void a_model_can_be_said_from_c(void **ctx)
{
    (void)ctx;
    sp_spec *spec = sp_spec_new(NULL);
    sp_error err;
    static const char *const leaf[][2] = {{"specht", "1"},
                                          {"space", "planar"},
                                          {"gravity", "9.81 m/s^2"},
                                          {"bodies.ball.mass", "1 kg"},
                                          {"bodies.ball.joint.prismatic", "ground"},
                                          {"bodies.ball.joint.axis", "90 deg"}};
    for (size_t k = 0; k < sizeof leaf / sizeof *leaf; k++) {
        assert_int_equal(sp_spec_set(spec, leaf[k][0], leaf[k][1], &err), SP_OK);
    }
    sp_model *m;
    assert_int_equal(sp_model_build(spec, NULL, &m, &err), SP_OK);
    assert_int_equal(sp_model_count(m, SP_ITEM_FREEDOM), 1);
    assert_null(m->source_file);
    sp_model_free(m);
    assert_int_equal(sp_spec_set(spec, "bodies.ball.mass", "-1 kg", &err), SP_OK);
    assert_int_equal(sp_model_build(spec, NULL, &m, &err), SP_E_INPUT);
    assert_int_equal(err.line, 0);
    sp_spec_free(spec);
    sp_model_free(NULL);
}

static void overrides_are_kept_to_repeat_the_run(void **ctx)
{
    (void)ctx;
    sp_spec *spec = spec_of(slider_crank);
    sp_error err;
    assert_int_equal(sp_spec_override(spec, "c=2 mm", &err), SP_OK);
    sp_model *m;
    assert_int_equal(sp_model_build(spec, NULL, &m, &err), SP_OK);
    sp_spec_free(spec);
    assert_int_equal(m->n_override, 1);
    assert_string_equal(m->override_text[0], "c=2 mm");
    expect_vector(m->numbers.vertex[0], 0.0, 0.027);
    sp_model_free(m);
}

static void gravity_may_be_a_vector_or_the_name_of_one(void **ctx)
{
    (void)ctx;
    static const char *const value[] = {"[1, -2]", "g"};
    for (int k = 0; k < 2; k++) {
        char text[300];
        snprintf(text, sizeof text,
                 "specht: 1\nspace: planar\ngravity: %s\nparameters: {g: [1 m/s^2, -2 m/s^2]}\n"
                 "bodies: {a: {mass: 1 kg, inertia: 1}}\n",
                 value[k]);
        sp_model *m = model_of(text);
        expect_vector(m->numbers.gravity, 1.0, -2.0);
        sp_model_free(m);
    }
}

static void units_off_takes_any_dimension(void **ctx)
{
    (void)ctx;
    const char *body = "space: planar\ngravity: 1\nparameters: {l: 2, k: 3 N/m}\n"
                       "bodies: {a: {mass: l, inertia: l*k, center: [l, 0]}}\n"
                       "forces: {s: {spring: a.x*a.y, force: x + phi + v*omega}}\n"
                       "start: {a.vx: l}\nrun: {until: l}\n";
    char text[500];
    snprintf(text, sizeof text, "specht: 1\nunits: off\n%s", body);
    sp_model *m = model_of(text);
    assert_true(m->numbers.body[1].mass == 2.0 && m->numbers.body[1].inertia == 6.0);
    assert_int_equal(m->force[0].law[0].n_signal, 2); /* x and phi are one measure here */
    sp_model_free(m);
    snprintf(text, sizeof text, "specht: 1\nunits: check\n%s", body);
    char messages[MESSAGES_MAX];
    assert_null(compile(text, messages));
}

/* ---- memory ---- */

typedef struct failing {
    int left;  /* allocations that still succeed */
    int alive; /* blocks not given back          */
} failing;

static void *take(void *ctx, size_t bytes)
{
    failing *f = ctx;
    if (f->left-- <= 0) {
        return NULL;
    }
    f->alive++;
    return malloc(bytes);
}

static void give(void *ctx, void *block)
{
    failing *f = ctx;
    f->alive -= block != NULL;
    free(block);
}

static void every_failing_allocation_is_reported_and_nothing_leaks(void **ctx)
{
    (void)ctx;
    sp_spec *spec = spec_of(slider_crank);
    int n_failed = 0;
    for (int k = 0;; k++) {
        failing f = {.left = k};
        const sp_allocator allocator = {take, give, &f};
        sp_error err = {.status = SP_OK};
        sp_model *m;
        const sp_status status = sp_model_build(spec, &allocator, &m, &err);
        if (status == SP_OK) {
            sp_model_free(m);
            assert_int_equal(f.alive, 0);
            break;
        }
        assert_int_equal(status, SP_E_MEMORY);
        assert_null(m);
        assert_int_equal(f.alive, 0);
        n_failed++;
        assert_true(k < 10000);
    }
    assert_true(n_failed > 3);
    sp_spec_free(spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slider_crank_has_the_bodies_of_the_paper),
        cmocka_unit_test(slider_crank_packs_the_mass_matrix_by_ancestors),
        cmocka_unit_test(slider_crank_has_eight_contact_points),
        cmocka_unit_test(slider_crank_starts_and_runs_as_written),
        cmocka_unit_test(bouncing_ball_is_one_point_on_a_floor),
        cmocka_unit_test(woodpecker_sleeve_moves_only_up_and_round),
        cmocka_unit_test(feeder_makes_as_many_parts_as_its_parameter_says),
        cmocka_unit_test(build_gives_the_first_error_with_its_place),
        cmocka_unit_test(a_model_can_be_said_from_c),
        cmocka_unit_test(overrides_are_kept_to_repeat_the_run),
        cmocka_unit_test(gravity_may_be_a_vector_or_the_name_of_one),
        cmocka_unit_test(units_off_takes_any_dimension),
        cmocka_unit_test(every_failing_allocation_is_reported_and_nothing_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
