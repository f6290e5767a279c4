/* Springs, applied forces, torques, drives. */
#include "test_build.h"

#include <math.h>

#define BODIES                                                                                     \
    "bodies:\n"                                                                                    \
    "  ground: {points: {hook: [1 m, 2 m]}}\n"                                                     \
    "  arm: {mass: 1 kg, inertia: 1, center: [3 m, 0], points: {tip: [4 m, 5 m]}, joint: "         \
    "{revolute: ground}}\n"                                                                        \
    "  cart: {mass: 1 kg, inertia: 1, joint: {prismatic: ground, axis: 0}}\n"                      \
    "  box: {count: 3, mass: 1 kg, inertia: 1}\n"                                                  \
    "  lid: {mass: 1 kg, joint: {weld: arm}}\n"

/* Value of an expression for given values of its signals, in the order of the list. */
static double value_of(const sp_model *m, const sp_func *f, const double *in)
{
    double work[64];
    assert_true(m->expr_work <= 64);
    return f->program ? sp_program_value(f->program, in, work) : f->constant;
}

static void springs_pull_between_points(void **ctx)
{
    (void)ctx;
    sp_model *m =
        model_of(TOP BODIES "forces: {s: {spring: [ground.hook, arm.tip], stiffness: 2 N/mm, "
                            "damping: 3 N*s/m, rest: 4 mm}, u: {spring: [arm.center, box.2], "
                            "force: 5 N/m * x + 1 N*s/m * v, rest: 0}}\n");
    const sp_force *s = &m->force[0], *u = &m->force[1];
    const sp_force_numbers *n = &m->numbers.force[0];
    assert_int_equal(m->n_force, 2);
    assert_string_equal(s->name, "s");
    assert_int_equal(s->kind, SP_FORCE_SPRING_POINTS);
    assert_int_equal(s->body[0], 0);
    assert_int_equal(s->body[1], 1);
    expect_vector(n->mark[0].at, 1.0, 2.0);
    expect_vector(n->mark[1].at, 4.0, 5.0);
    assert_true(n->stiffness == 2000.0 && n->damping == 3.0 && n->rest == 0.004 && !s->has_law);
    assert_int_equal(u->body[1], 4);
    expect_vector(m->numbers.force[1].mark[0].at, 3.0, 0.0);
    expect_vector(m->numbers.force[1].mark[1].at, 0.0, 0.0); /* a body alone: its origin */
    assert_true(u->has_law && m->numbers.force[1].stiffness == 0.0);
    assert_int_equal(u->law[0].n_signal, 2);
    assert_int_equal(u->law[0].signal[0].kind, SP_SIG_MEASURE);
    assert_int_equal(u->law[0].signal[1].kind, SP_SIG_RATE);
    const double in[] = {2.0, 7.0};
    assert_true(value_of(m, &u->law[0], in) == 17.0);
    sp_model_free(m);
}

static void springs_act_on_expressions_of_coordinates(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of(
        TOP BODIES "forces:\n"
                   "  a: {spring: arm.phi - box.1.phi, stiffness: 2 N*m/rad, rest: 180 deg}\n"
                   "  b: {spring: cart.x - 1 m * sin(t/(1 s)), force: \"1 N * if(x > 0, 1, 0)\"}\n"
                   "  c: {spring: arm.joint.phi, force: 1 N*m * phi + 1 N*m*s * omega}\n");
    const sp_force *a = &m->force[0], *b = &m->force[1], *c = &m->force[2];
    assert_int_equal(a->kind, SP_FORCE_SPRING_MEASURE);
    assert_int_equal(a->measure.n_signal, 2);
    assert_int_equal(a->measure.signal[0].kind, SP_SIG_PHI);
    assert_int_equal(a->measure.signal[1].index, 3);
    expect_near(m->numbers.force[0].rest, 3.14159265358979323846, 1e-15);
    assert_int_equal(b->measure.signal[0].kind, SP_SIG_X);
    assert_int_equal(b->measure.signal[1].kind, SP_SIG_TIME);
    assert_int_equal(b->law[0].signal[0].kind, SP_SIG_MEASURE);
    assert_int_equal(c->measure.signal[0].kind, SP_SIG_Q);
    assert_int_equal(c->law[0].n_signal, 2);
    sp_model_free(m);
}

static void forces_act_at_the_centre_or_at_a_point(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of(
        TOP BODIES "parameters: {F: 2 N}\nforces:\n"
                   "  a: {force: [F*sin(t/(1 s)), -F], on: arm}\n"
                   "  b: {force: [0, -1 N*s/m * arm.tip.vy], on: arm.tip, frame: own}\n"
                   "  c: {count: 3, torque: -1e-3 N*m*s * box.(i).omega * i, on: box.(i)}\n");
    assert_int_equal(m->n_force, 5);
    expect_vector(m->numbers.force[0].mark[0].at, 3.0, 0.0);
    assert_int_equal(m->force[0].law[0].signal[0].kind, SP_SIG_CLOCK); /* of time alone */
    assert_true(m->force[0].law[1].program == NULL && m->force[0].law[1].constant == -2.0);
    assert_true(!m->force[0].own_frame && m->force[1].own_frame);
    expect_vector(m->numbers.force[1].mark[0].at, 4.0, 5.0);
    const sp_signal *vy = &m->force[1].law[1].signal[0];
    assert_int_equal(vy->kind, SP_SIG_VY);
    assert_int_equal(vy->index, 1);
    expect_vector(vy->mark.at, 4.0, 5.0);
    const double omega = 2.0;
    for (int k = 0; k < 3; k++) {
        const sp_force *f = &m->force[2 + k];
        assert_int_equal(f->kind, SP_FORCE_TORQUE);
        assert_int_equal(f->body[0], 3 + k);
        assert_int_equal(f->law[0].signal[0].kind, SP_SIG_OMEGA);
        assert_int_equal(f->law[0].signal[0].index, 3 + k);
        expect_near(value_of(m, &f->law[0], &omega), -2e-3 * (k + 1), 1e-18);
    }
    assert_string_equal(m->force[4].name, "c.3");
    sp_model_free(m);
}

static void drives_use_coordinates_of_their_joint(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of(
        TOP BODIES
        "forces:\n"
        "  a: {drive: arm.joint, torque: 2 N*m * (1 - phi) - 1 N*m*s * omega, limit: 3 N*m}\n"
        "  b: {drive: cart.joint, force: -4 N/m * s - 1 N*s/m * v}\n"
        "  c: {count: 2, drive: box.(i).joint.y, first: box.3.joint.x, force: 1 N * i}\n");
    assert_int_equal(m->force[0].kind, SP_FORCE_DRIVE);
    assert_int_equal(m->force[0].dof, 0);
    assert_int_equal(m->force[0].law[0].signal[0].kind, SP_SIG_Q);
    assert_int_equal(m->force[0].law[0].signal[1].kind, SP_SIG_U);
    assert_true(m->numbers.force[0].limit == 3.0 && isinf(m->numbers.force[1].limit));
    const double in[] = {0.5, 0.25};
    assert_true(value_of(m, &m->force[0].law[0], in) == 0.75);
    assert_int_equal(m->force[1].dof, 1);
    assert_int_equal(m->force[1].law[0].signal[0].index, 1);
    assert_string_equal(m->dof[m->force[2].dof].name, "box.3.joint.x");
    assert_string_equal(m->dof[m->force[3].dof].name, "box.2.joint.y");
    sp_model_free(m);
}

static void mistakes_in_forces_are_told(void **ctx)
{
    (void)ctx;
    expect_errors(
        TOP BODIES "parameters: {x: 1 m}\nforces:\n"
                   "  a: {spring: [arm.tip, box], stiffness: 1, rest: 0}\n"
                   "  b: {spring: [arm.top, ground.hook], stiffness: 1 N, rest: 0}\n"
                   "  c: {spring: arm.omega, stiffness: 1}\n"
                   "  d: {spring: arm.x*arm.y, stiffness: 1}\n"
                   "  e: {spring: [arm.tip, ground.hook], force: 1 N/m * x, rest: 0}\n"
                   "  f: {spring: arm.phi, force: 1 N*m * v}\n"
                   "  g: {force: [1 N, 1 m], on: arm}\n"
                   "  h: {torque: 1 N*m, on: arm.tip}\n"
                   "  j: {drive: arm, torque: 1 N*m}\n"
                   "  k: {drive: arm.joint, force: 1 N}\n"
                   "  l: {drive: lid.joint, torque: 1 N*m}\n"
                   "  m: {drive: box.1.joint, torque: 1 N*m}\n"
                   "  o: {drive: cart.joint.phi, force: 1 N}\n"
                   "  p: {drive: cart.joint, force: 1 N, limit: -1 N}\n"
                   "  q: {torque: 1 N*m, on: amr}\n"
                   "  r: {torque: 1 J * armm.phi, on: arm}\n",
        "13:25: force 'a': 'box' has 3 elements, expected one; write box.1 or, with 'count', "
        "box.(i)\n"
        "14:16: force 'b': body 'arm' has no point 'top', did you mean 'tip'? (has: center, tip)\n"
        "15:15: force 'c': spring must not depend on the velocity 'arm.omega', expected "
        "coordinates "
        "and time only\n"
        "16:15: force 'd': spring = arm.x*arm.y is an area [m^2], expected a length [m] or an "
        "angle "
        "[rad]\n"
        "17:54: force 'e': force: 'x' is the element's own measure or rate here and also a "
        "parameter (m.yaml:11); rename the parameter\n"
        "18:39: force 'f': force: unknown name 'v'\n"
        "19:20: force 'g': force = 1 m is a length [m], expected a force [N]\n"
        "20:26: force 'h': a torque acts on a body, 'arm.tip' is none\n"
        "21:14: force 'j': drive = arm is no joint, expected 'arm.joint'\n"
        "22:25: force 'k': 'force' for the coordinate arm.joint.phi, expected 'torque'\n"
        "23:14: force 'l': the joint of body 'lid' has 0 degrees of freedom, expected one\n"
        "24:14: force 'm': the joint of body 'box.1' has 3 degrees of freedom, expected one; name "
        "it, "
        "as in 'body.joint.phi'\n"
        "25:14: force 'o': the joint of body 'cart' has no 'phi'; has: s, v\n"
        "26:45: force 'p': limit = -1 N, expected > 0\n"
        "27:26: force 'q': there is no body 'amr', did you mean 'arm'? (has: arm, box, cart, "
        "ground, "
        "lid)\n"
        "28:21: force 'r': torque: unknown name 'armm.phi', did you mean 'arm'?\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(springs_pull_between_points),
        cmocka_unit_test(springs_act_on_expressions_of_coordinates),
        cmocka_unit_test(forces_act_at_the_centre_or_at_a_point),
        cmocka_unit_test(drives_use_coordinates_of_their_joint),
        cmocka_unit_test(mistakes_in_forces_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
