/* Laws whose coefficients depend on speeds, and the law of impacts. */
#include "test_build.h"

#define BALL                                                                                       \
    "bodies:\n"                                                                                    \
    "  ground: {contours: {floor: {line: [0, 1]}}}\n"                                              \
    "  ball: {mass: 1 kg, inertia: 1, contours: {skin: {circle: 1 m}}}\n"

static void a_law_of_speed_keeps_its_expression_and_its_value_at_rest(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of(TOP BALL "parameters: {v_s: 5 cm/s, top: 0.1}\n"
                                    "functions: {f(x): exp(-x)}\n"
                                    "laws: {dry: {mu: 0.2 + top*f(v/v_s), mu_0: 0.35}, wet: {mu: "
                                    "0.2 + top*f(v/v_s), eps_N: 1/(1 + v_N/(1 m/s)), eps_T: 0.5}}\n"
                                    "contacts: {a: {between: [ball, ground], law: dry}, b: "
                                    "{between: [ball, ground], law: wet}}\n");
    const sp_law *dry = &m->law[m->slot[0].law], *wet = &m->law[m->slot[1].law];
    const sp_law_numbers *n = &m->numbers.law[m->slot[0].law], *o = &m->numbers.law[m->slot[1].law];
    assert_true(dry->by_speed && dry->mu.program && !dry->by_approach);
    assert_true(n->mu == 0.35 && fabs(n->mu_slip - 0.3) < 1e-15);
    assert_true(wet->by_speed && wet->by_approach && wet->eps_N.program && !wet->eps_T.program);
    assert_true(fabs(o->mu - 0.3) < 1e-15 && o->mu == o->mu_slip);
    assert_true(o->eps_N == 1.0 && o->eps_T == 0.5);
    double work[64], speed = 0.05;
    assert_true(fabs(sp_program_value(dry->mu.program, &speed, work) - 0.2 - 0.1 * exp(-1.0)) <
                1e-15);
    assert_true(m->layout.speeds);
    sp_model_free(m);
}

static void friction_at_rest_alone_makes_a_law_of_speed_too(void **ctx)
{
    (void)ctx;
    sp_model *m =
        model_of(TOP BALL "laws: {a: {mu: 0.2, mu_0: 0.3}, b: {like: a, mu: 0.25}, c: "
                          "{mu: 0.2, mu_0: 0.2}, d: {mu: v/(1 m/s)}, e: {like: d, mu: 1}}\n");
    assert_true(m->law[0].by_speed && m->numbers.law[0].mu == 0.3 &&
                m->numbers.law[0].mu_slip == 0.2);
    assert_true(m->law[1].by_speed && m->numbers.law[1].mu == 0.3 &&
                m->numbers.law[1].mu_slip == 0.25);
    assert_true(!m->law[2].by_speed && m->numbers.law[2].mu == 0.2);
    /* without friction at rest the tangential direction is still there */
    assert_true(m->law[3].by_speed && m->numbers.law[3].mu > 0.0 && m->numbers.law[3].mu < 1e-200);
    assert_true(!m->law[4].by_speed && !m->law[4].mu.program && m->numbers.law[4].mu == 1.0);
    sp_model_free(m);
}

static void a_model_without_such_laws_has_none(void **ctx)
{
    (void)ctx;
    sp_model *m =
        model_of(TOP BALL "contacts: {a: {between: [ball, ground], law: {mu: 0.3, eps_N: 0.5}}}\n");
    assert_true(!m->law[0].by_speed && !m->law[0].by_approach && !m->layout.speeds);
    assert_true(m->numbers.law[0].mu == 0.3 && m->numbers.law[0].mu_slip == 0.3);
    assert_true(!m->impact.poisson && m->impact.prescribed && !m->impact.scale_gain);
    sp_model_free(m);
}

static void the_law_of_impacts_is_a_word_or_a_map(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of(TOP BALL "impact: poisson\n");
    assert_true(m->impact.poisson && m->impact.prescribed && !m->impact.scale_gain);
    sp_model_free(m);
    m = model_of(TOP BALL "impact: {law: poisson, prescribed: no, gain: scale}\n");
    assert_true(m->impact.poisson && !m->impact.prescribed && m->impact.scale_gain);
    sp_model_free(m);
    m = model_of(TOP BALL "impact: {law: newton, gain: report}\n");
    assert_true(!m->impact.poisson && !m->impact.scale_gain);
    sp_model_free(m);
}

static void wrong_laws_of_speed_are_told_with_the_speed(void **ctx)
{
    (void)ctx;
    expect_errors(
        TOP BALL "laws:\n"
                 "  a: {mu: 0.3 - 0.01*v/(1 m/s)}\n"
                 "  b: {like: a}\n"
                 "  c: {eps_N: 1 + v_N/(1 m/s)}\n"
                 "  d: {mu: 0.2, mu_0: 0.1}\n"
                 "  e: {mu: log(v/(1 m/s))}\n"
                 "  f: {mu: v_N/(1 m/s)}\n"
                 "  g: {eps_T: t/(1 s)}\n"
                 "  h: {mu_0: v}\n"
                 "contacts: {x: {between: [ball, ground], law: b}}\n",
        "9:11: law 'a': mu = 0.3 - 0.01*v/(1 m/s) is -0.01622777 at v = 31.62 m/s, expected >= 0 "
        "at "
        "all speeds; cut it off with max(0, ...) or min(1, ...)\n"
        "11:14: law 'c': eps_N = 1 + v_N/(1 m/s) is 1.000001 at v_N = 1e-06 m/s, expected between "
        "0 and 1 "
        "at all speeds; cut it off with max(0, ...) or min(1, ...)\n"
        "12:22: law 'd': mu_0 = 0.1 at rest, expected at least the 0.2 of mu at the slowest "
        "sliding; friction that grows when sliding begins is not dry friction\n"
        "13:11: law 'e': mu = log(v/(1 m/s)) is -inf at v = 0 m/s, expected >= 0 at all speeds; "
        "cut it off with max(0, ...) or min(1, ...)\n"
        "14:11: law 'f': mu: unknown name 'v_N', expected parameters and 'v', the speed of "
        "sliding\n"
        "15:14: law 'g': eps_T must not depend on time 't', expected parameters only\n"
        "16:13: law 'h': mu_0: unknown name 'v'\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_law_of_speed_keeps_its_expression_and_its_value_at_rest),
        cmocka_unit_test(friction_at_rest_alone_makes_a_law_of_speed_too),
        cmocka_unit_test(a_model_without_such_laws_has_none),
        cmocka_unit_test(the_law_of_impacts_is_a_word_or_a_map),
        cmocka_unit_test(wrong_laws_of_speed_are_told_with_the_speed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
