/* The structure of model files is checked by the table of keys. */
#include "grammar_fixture.h"

/* Check the model and want exactly these messages (n of them). */
static void expect(fixture *f, int n, const char *const *text)
{
    sp_grammar_check(f->spec->root, &f->diag);
    int k = 0;
    for (const sp_message *m = f->diag.first; m; m = m->next, k++) {
        if (k < n) {
            assert_string_equal(m->text, text[k]);
        } else {
            fail_msg("unexpected: %s", m->text);
        }
    }
    assert_int_equal(k, n);
    assert_int_equal(f->diag.n_error, n);
    close(f);
}

static void expect_one(fixture *f, const char *text)
{
    expect(f, 1, &text);
}

/* ---- keys ---------------------------------------------------------------------------------- */

static void a_good_model_has_no_errors(void **ctx)
{
    (void)ctx;
    fixture f;
    open_ball(&f);
    expect(&f, 0, NULL);
}

static void an_unknown_key_is_answered_with_the_nearest_one(void **ctx)
{
    (void)ctx;
    fixture f;
    open_ball(&f);
    set(&f, "bodies.ball.inertai", "7e-7");
    expect_one(&f, "body 'ball': unknown key 'inertai', did you mean 'inertia'?");
}

static void an_unknown_key_like_no_other_is_answered_with_all(void **ctx)
{
    (void)ctx;
    fixture f;
    open_ball(&f);
    set(&f, "plots.p.y", "ball.y");
    set(&f, "plots.p.marker", "dot");
    expect_one(&f, "plot 'p': unknown key 'marker', expected one of: x, y, title, equal, text");
}

static void a_key_of_the_top_is_sent_there(void **ctx)
{
    (void)ctx;
    fixture f;
    open_ball(&f);
    set(&f, "run.seed", "1");
    expect_one(&f, "run: unknown key 'seed', it belongs to the top of the file");
}

static void a_misspelt_needed_key_is_not_also_missing(void **ctx)
{
    (void)ctx;
    fixture f;
    open_ball(&f);
    set(&f, "forces.push.torque", "1 N*m");
    set(&f, "forces.push.onn", "ball");
    expect_one(&f, "force 'push': unknown key 'onn', did you mean 'on'?");
}

static void words_that_people_type_are_known(void **ctx)
{
    (void)ctx;
    static const char *const typed[][3] = {
        {"run.dt", "1 ms", "run: unknown key 'dt', did you mean 'step'?"},
        {"run.timestep", "1 ms", "run: unknown key 'timestep', did you mean 'step'?"}};
    for (size_t k = 0; k < sizeof typed / sizeof *typed; k++) {
        fixture f;
        open_ball(&f);
        set(&f, typed[k][0], typed[k][1]);
        expect_one(&f, typed[k][2]);
    }
}

static void missing_keys_are_told_one_by_one(void **ctx)
{
    (void)ctx;
    static const char *const text[] = {
        "force 'coil': missing one of: stiffness, force",
        "plot 'p': missing key 'y': One curve or a list of curves.",
        ("model: missing key 'gravity': Acceleration of free fall, downwards or as a vector, "
         "which may depend on time."),
    };
    fixture f;
    open_empty(&f);
    set(&f, "specht", "1");
    set(&f, "space", "planar");
    set(&f, "bodies.ball.mass", "1 kg");
    set(&f, "forces.coil.spring", "ball.y");
    set(&f, "plots.p.x", "t");
    expect(&f, 3, text);
}

static void gravity_and_space_are_needed_with_bodies_only(void **ctx)
{
    (void)ctx;
    fixture f;
    open_empty(&f);
    set(&f, "specht", "1");
    set(&f, "run.until", "1 s");
    expect_one(
        &f, "model: missing key 'bodies': The bodies of the machine; {} where all are in `parts`.");
}

static void a_spring_between_points_needs_its_length(void **ctx)
{
    (void)ctx;
    static const char *const ends[] = {"ball.tip", "ground.hook"};
    fixture f;
    open_ball(&f);
    set_list(&f, "forces.coil.spring", 2, ends);
    set(&f, "forces.coil.stiffness", "1 N/m");
    expect_one(&f, "force 'coil': missing key 'rest': Measure at which the spring is slack; needed "
                   "between two points.");
    open_ball(&f);
    set_list(&f, "forces.coil.spring", 2, ends);
    set(&f, "forces.coil.force", "1 N/m * x");
    expect(&f, 0, NULL);
}

/* ---- kinds --------------------------------------------------------------------------------- */

static void two_kinds_are_one_too_many(void **ctx)
{
    (void)ctx;
    fixture f;
    open_ball(&f);
    set(&f, "bodies.ball.joint.revolute", "ground");
    expect_one(&f, "body 'ball': joint: is of several kinds (revolute, prismatic), expected one");
}

static void a_kind_key_may_be_an_ordinary_key_of_another_kind(void **ctx)
{
    (void)ctx;
    fixture f;
    open_ball(&f);
    set(&f, "forces.coil.spring", "ball.y");
    set(&f, "forces.coil.force", "2 N/m * x");
    set(&f, "forces.motor.drive", "ball.joint");
    set(&f, "forces.motor.force", "1 N");
    expect(&f, 0, NULL);
}

static void an_element_must_say_its_kind(void **ctx)
{
    (void)ctx;
    fixture f;
    open_ball(&f);
    set(&f, "bodies.ball.contours.skin.turn", "0");
    expect_one(&f, "contour 'skin': has no kind, expected one of: point, line, segment, "
                   "circle, polygon, box, arc, curve, spline, sprocket, side, groove, rocker");
}

static void a_key_of_another_kind_is_refused(void **ctx)
{
    (void)ctx;
    fixture f;
    open_ball(&f);
    static const char *const only[] = {"y"};
    set_list(&f, "bodies.ball.joint.only", 1, only);
    expect_one(&f, "body 'ball': joint: 'only' does not go with 'prismatic'");
}

/* ---- values -------------------------------------------------------------------------------- */

static void vectors_have_two_entries_in_the_plane(void **ctx)
{
    (void)ctx;
    static const char *const three[] = {"0", "0", "1"};
    fixture f;
    open_ball(&f);
    set_list(&f, "bodies.ball.center", 3, three);
    expect_one(&f, "body 'ball': center has 3 entries, expected 2: a point [x, y] [m]");
}

static void vectors_have_as_many_entries_as_the_space_has_dimensions(void **ctx)
{
    (void)ctx;
    static const char *const three[] = {"0", "0", "1"};
    static const char *const space[] = {"planar", "spatial"};
    static const char *const text[] = {
        "body 'ball': center has 3 entries, expected 2: a point [x, y] [m]",
        "body 'ball': center has 2 entries, expected 3: a point [x, y, z] [m]",
    };
    for (int k = 0; k < 4; k++) {
        fixture f;
        open_empty(&f);
        set(&f, "specht", "1");
        set(&f, "space", space[k % 2]);
        set(&f, "gravity", "0");
        set_list(&f, "bodies.ball.center", k % 2 == k / 2 ? 3 - k % 2 : 2 + k % 2, three);
        if (k % 2 == k / 2) {
            expect_one(&f, text[k % 2]);
        } else {
            expect(&f, 0, NULL);
        }
    }
}

static void what_only_space_or_the_plane_has_is_said_to_be_there(void **ctx)
{
    (void)ctx;
    static const struct {
        const char *space, *path, *value, *text;
    } row[] = {
        {"planar", "bodies.ball.joint.spherical", "ground",
         "body 'ball': joint: 'spherical' exists only in space, with 'space: spatial'"},
        {"spatial", "bodies.ball.thickness", "1 mm",
         "body 'ball': 'thickness' exists only in the plane, with 'space: planar'"},
        {"spatial", "bodies.ball.contours.c.circle", "1 mm",
         "contour 'c': 'circle' exists only in the plane, with 'space: planar'"},
        {"planar", "bodies.ball.contours.c.sphere", "1 mm",
         "contour 'c': 'sphere' exists only in space, with 'space: spatial'"},
        {"spatial", "bodies.ball.joint.revolute", "ground",
         "body 'ball': joint: missing key 'axis': Axis of the hinge in the joint's frame on the "
         "parent."},
    };
    for (size_t k = 0; k < sizeof row / sizeof row[0]; k++) {
        fixture f;
        open_empty(&f);
        set(&f, "specht", "1");
        set(&f, "space", row[k].space);
        set(&f, "gravity", "0");
        set(&f, row[k].path, row[k].value);
        expect_one(&f, row[k].text);
    }
}

static void a_value_of_the_wrong_form_is_named_with_its_unit(void **ctx)
{
    (void)ctx;
    static const char *const text[] = {
        "body 'ball': mass is a map, expected a quantity [kg]",
        "body 'ball': center = 5 mm, expected a point [x, y] [m]",
        "body 'ball': joint = ground, expected a map such as {revolute: ground}",
    };
    fixture f;
    open_empty(&f);
    set(&f, "specht", "1");
    set(&f, "space", "planar");
    set(&f, "gravity", "0");
    set(&f, "bodies.ball.mass.value", "1 kg");
    set(&f, "bodies.ball.center", "5 mm");
    set(&f, "bodies.ball.joint", "ground");
    expect(&f, 3, text);
}

static void a_number_for_a_word_leads_to_its_key(void **ctx)
{
    (void)ctx;
    fixture f;
    open_ball(&f);
    set(&f, "laws.wood.friction", "0.2");
    expect_one(&f, "law 'wood': friction = 0.2, expected coulomb; a number is written 'mu: 0.2'");
}

static void words_are_checked_and_suggested(void **ctx)
{
    (void)ctx;
    static const char *const text[] = {
        "units = maybe, expected one of: check, off",
        "run: method = moreua, did you mean 'moreau'?",
    };
    fixture f;
    open_ball(&f);
    set(&f, "units", "maybe");
    set(&f, "run.method", "moreua");
    sp_grammar_check(f.spec->root, &f.diag);
    assert_int_equal(f.diag.n_error, 2);
    for (const sp_message *m = f.diag.first; m; m = m->next) {
        assert_true(strcmp(m->text, text[0]) == 0 || strcmp(m->text, text[1]) == 0);
    }
    close(&f);
}

static void an_expression_cut_by_commas_is_put_together_again(void **ctx)
{
    (void)ctx;
    static const char *const pieces[] = {"max(a", "b)", "0"};
    fixture f;
    open_ball(&f);
    set_list(&f, "bodies.ball.points.tip_2", 3, pieces);
    expect_one(&f, "point 'tip_2': unbalanced '(' in 'max(a'; inside [ ] and { } a comma ends the "
                   "item, write \"max(a, b)\" in quotes");
}

static void a_law_may_depend_on_speeds_and_impacts_are_a_word_or_a_map(void **ctx)
{
    (void)ctx;
    fixture f;
    open_ball(&f);
    set(&f, "contacts.bounce.law.mu", "0.1 + 0.2*exp(-v/v_0)");
    set(&f, "contacts.bounce.law.mu_0", "0.4");
    set(&f, "impact", "poisson");
    expect(&f, 0, NULL);
    open_ball(&f);
    set(&f, "impact.law", "newton");
    set(&f, "impact.gain", "scale");
    set(&f, "impact.prescribed", "no");
    expect(&f, 0, NULL);
    open_ball(&f);
    set(&f, "impact.law", "newton");
    set(&f, "impact.gains", "scale");
    expect_one(&f, "impact: unknown key 'gains', did you mean 'gain'?");
}

/* ---- names --------------------------------------------------------------------------------- */

static void names_references_and_functions_are_told_apart(void **ctx)
{
    (void)ctx;
    assert_true(sp_grammar_is_name("_a1"));
    assert_false(sp_grammar_is_name("1a"));
    assert_false(sp_grammar_is_name(""));
    assert_false(sp_grammar_is_name("l\xC3\xA4nge"));
    assert_true(sp_grammar_is_function("f(x, y)"));
    assert_true(sp_grammar_is_function("f( x )"));
    assert_false(sp_grammar_is_function("f()"));
    assert_false(sp_grammar_is_function("f(x,)"));
    assert_false(sp_grammar_is_function("f(x) "));
    assert_false(sp_grammar_is_function("f(x"));
    assert_true(sp_grammar_is_reference("link.(i mod n + 1).tip"));
    assert_true(sp_grammar_is_reference("link.3"));
    assert_true(sp_grammar_is_reference("link.((i))"));
    assert_true(sp_grammar_is_reference("phi_S'"));
    assert_false(sp_grammar_is_reference("link.(i"));
    assert_false(sp_grammar_is_reference("link."));
    assert_false(sp_grammar_is_reference("link.3x"));
    assert_false(sp_grammar_is_reference("a b"));
    assert_false(sp_grammar_is_reference("3.a"));
}

static void reserved_and_taken_names_are_refused(void **ctx)
{
    (void)ctx;
    fixture f;
    open_ball(&f);
    set(&f, "parameters.pi", "3");
    expect_one(&f, "parameter 'pi': the name 'pi' is reserved");
    open_ball(&f);
    set(&f, "forces.ball.torque", "1 N*m");
    set(&f, "forces.ball.on", "ball");
    expect_one(&f, "force 'ball': the name is taken already");
    open_ball(&f);
    set(&f, "laws.ball.mu", "0.3"); /* laws have names of their own */
    expect(&f, 0, NULL);
}

static void everything_expressions_reserve_is_reserved_here(void **ctx)
{
    (void)ctx;
    const sp_grammar_key *parameters = sp_grammar_find(&sp_grammar_model, NULL, "parameters");
    assert_non_null(parameters);
    int n = 0;
    const char *const *builtin = sp_expr_builtins(&n);
    assert_true(n > 10);
    for (int i = 0; i < n; i++) {
        bool found = false;
        for (const char *const *r = parameters->type->reserved; *r; r++) {
            found = found || strcmp(*r, builtin[i]) == 0;
        }
        if (found != sp_expr_reserved(builtin[i])) { /* step, ramp and pulse are free */
            fail_msg("'%s' is reserved in one place only", builtin[i]);
        }
    }
}

/* ---- anything ------------------------------------------------------------------------------ */

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* A random tree out of the words of the language goes through without a crash. */
static void random_trees_do_no_harm(void **ctx)
{
    (void)ctx;
    static const char *const word[] = {
        "bodies",  "ball",       "ground",  "joint",   "revolute", "prismatic", "contours",
        "point",   "polygon",    "forces",  "spring",  "force",    "torque",    "drive",
        "on",      "contacts",   "between", "law",     "laws",     "mu",        "run",
        "until",   "method",     "start",   "plots",   "y",        "x",         "functions",
        "f(x)",    "parameters", "value",   "count",   "first",    "specht",    "1",
        "planar",  "space",      "max(a",   "b)",      "",         "a:b",       "\xC3\xA4",
        "ball.(i", "couplings",  "sphere",  "gravity", "include",  "\x01"};
    const int n_word = (int)(sizeof word / sizeof word[0]);
    uint32_t state = 2024;
    int n_message = 0;
    for (int round = 0; round < 3000; round++) {
        fixture f;
        open_empty(&f);
        sp_node *node[40] = {f.spec->root};
        int n = 1;
        const sp_place place = {"r.yaml", 1, 1};
        while (n < 40) {
            sp_node *parent = node[next_random(&state) % (uint32_t)n];
            sp_node *child = sp_node_new(f.spec, (sp_node_kind)(next_random(&state) % 3), place);
            assert_non_null(child);
            const char *key = word[next_random(&state) % (uint32_t)n_word];
            if (parent->kind == SP_NODE_TEXT || (parent->kind == SP_NODE_MAP && !*key)) {
                continue;
            }
            if (parent->kind == SP_NODE_MAP) {
                if (sp_node_get(parent, key)) {
                    continue;
                }
                child->key = key;
                child->key_place = place;
            }
            if (child->kind == SP_NODE_TEXT) {
                child->text = word[next_random(&state) % (uint32_t)n_word];
            }
            child->parent = parent;
            assert_true(sp_node_append(f.spec, parent, child));
            node[n++] = child;
        }
        sp_grammar_check(f.spec->root, &f.diag);
        for (const sp_message *m = f.diag.first; m; m = m->next, n_message++) {
            assert_true(strlen(m->text) > 10);
        }
        close(&f);
    }
    assert_true(n_message > 3000); /* 'specht' is nearly always missing */
}

static void long_and_odd_texts_are_shown_shortened(void **ctx)
{
    (void)ctx;
    char longer[2000];
    memset(longer, 'a', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    for (size_t i = 1; i + 2 < sizeof longer; i += 2) { /* two bytes per letter */
        longer[i] = '\xC3';
        longer[i + 1] = '\xA4';
    }
    fixture f;
    open_ball(&f);
    set(&f, "run.method", longer);
    sp_grammar_check(f.spec->root, &f.diag);
    assert_int_equal(f.diag.n_error, 1);
    assert_true(strlen(f.diag.first->text) < 200);
    assert_non_null(strstr(f.diag.first->text, "\xA4..., expected"));
    close(&f);
    open_ball(&f);
    set(&f, "run.method", "a\x1B[31mb\nc");
    expect_one(&f, "run: method = a [31mb c, expected one of: auto, moreau, moreau-mean, smooth, "
                   "stiff, event, theta, rk2, rk4, adaptive");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_model_has_no_errors),
        cmocka_unit_test(an_unknown_key_is_answered_with_the_nearest_one),
        cmocka_unit_test(an_unknown_key_like_no_other_is_answered_with_all),
        cmocka_unit_test(a_key_of_the_top_is_sent_there),
        cmocka_unit_test(a_misspelt_needed_key_is_not_also_missing),
        cmocka_unit_test(words_that_people_type_are_known),
        cmocka_unit_test(missing_keys_are_told_one_by_one),
        cmocka_unit_test(gravity_and_space_are_needed_with_bodies_only),
        cmocka_unit_test(a_spring_between_points_needs_its_length),
        cmocka_unit_test(two_kinds_are_one_too_many),
        cmocka_unit_test(a_kind_key_may_be_an_ordinary_key_of_another_kind),
        cmocka_unit_test(an_element_must_say_its_kind),
        cmocka_unit_test(a_key_of_another_kind_is_refused),
        cmocka_unit_test(vectors_have_two_entries_in_the_plane),
        cmocka_unit_test(vectors_have_as_many_entries_as_the_space_has_dimensions),
        cmocka_unit_test(what_only_space_or_the_plane_has_is_said_to_be_there),
        cmocka_unit_test(a_value_of_the_wrong_form_is_named_with_its_unit),
        cmocka_unit_test(a_number_for_a_word_leads_to_its_key),
        cmocka_unit_test(words_are_checked_and_suggested),
        cmocka_unit_test(an_expression_cut_by_commas_is_put_together_again),
        cmocka_unit_test(a_law_may_depend_on_speeds_and_impacts_are_a_word_or_a_map),
        cmocka_unit_test(names_references_and_functions_are_told_apart),
        cmocka_unit_test(reserved_and_taken_names_are_refused),
        cmocka_unit_test(everything_expressions_reserve_is_reserved_here),
        cmocka_unit_test(random_trees_do_no_harm),
        cmocka_unit_test(long_and_odd_texts_are_shown_shortened),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
