#define _POSIX_C_SOURCE 200809L
/* Models from files, states as bytes, equilibrium, modes and verify through the public functions.
 */
#include "api/machine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* A mass of 2 kg on a spring of 50 N/m with a damper of 4 N s/m: omega = 5 1/s, damping 0.2. */
static const char spring[] =
    "specht: 1\nspace: planar\ngravity: 10 m/s^2\n"
    "parameters: {d: 4 N*s/m}\n"
    "bodies: {b: {mass: 2 kg, joint: {prismatic: ground, axis: [0, 1], stiffness: 50 N/m, "
    "damping: d}}}\n"
    "start: {b.y: 0.1 m}\n"
    "run: {until: 1 s, method: auto}\n";

static void a_spring_rests_and_swings_as_it_should(void **ctx)
{
    (void)ctx;
    machine m = machine_make(spring, NULL);
    sp_error err = {.status = SP_OK};
    double M, D, K, shape[2];
    sp_mode_info mode;
    int n = 0;
    ASSERT_OK(sp_analysis_equilibrium(m.model, m.state, NULL, &err));
    assert_near(sp_state_q(m.state)[0], -0.4, 1e-10); /* m g / k */
    ASSERT_OK(sp_analysis_linearise(m.model, m.state, NULL, &M, &D, &K, &err));
    assert_near(M, 2.0, 1e-12);
    assert_near(D, 4.0, 1e-9);
    assert_near(K, 50.0, 1e-9);
    ASSERT_OK(sp_analysis_modes(m.model, m.state, NULL, 1, &mode, shape, &n, &err));
    assert_int_equal(n, 1);
    assert_near(mode.frequency_hz, 5.0 / 6.283185307179586, 1e-10);
    assert_near(mode.damping, 0.2, 1e-10);
    assert_near(mode.re, -1.0, 1e-9);
    assert_false(mode.unstable);
    assert_near(shape[0], 1.0, 1e-15);
    ASSERT_OK(sp_analysis_modes(m.model, m.state, NULL, 0, NULL, NULL, &n, &err)); /* count */
    assert_int_equal(n, 1);
    machine_free(&m);
}

static void methods_agree_about_a_bouncing_ball(void **ctx)
{
    (void)ctx;
    machine m = machine_make(ball, NULL);
    sp_error err = {.status = SP_OK};
    sp_run_options options;
    sp_verify_outcome v;
    ASSERT_OK(sp_run_options_default(m.model, &options, &err));
    ASSERT_OK(sp_analysis_verify(m.model, &options, &v, &err));
    assert_int_equal(v.verdict, SP_VERDICT_AGREEMENT);
    assert_int_equal(v.reference, SP_METHOD_EVENT);
    assert_near(v.agrees_until, 1.5, 1e-12);
    options.size = 3;
    assert_int_equal(sp_analysis_verify(m.model, &options, &v, &err), SP_E_INPUT);
    machine_free(&m);
}

static void a_model_is_read_from_its_file_with_assignments(void **ctx)
{
    (void)ctx;
    sp_error err = {.status = SP_OK};
    char path[] = "/tmp/specht_api_XXXXXX";
    const int file = mkstemp(path);
    const char *const good[] = {"d=0 N*s/m"}, *const bad[] = {"e=1"};
    sp_spec *spec;
    sp_model *model;
    assert_int_equal(write(file, spring, sizeof spring - 1), (long)sizeof spring - 1);
    close(file);
    ASSERT_OK(sp_model_load(path, 1, good, &spec, &model, &err));
    assert_true(sp_model_n_q(model) == 1 && sp_model_n_dof(model) == 1);
    assert_string_equal(sp_model_body_name(model, 1), "b");
    assert_null(sp_model_body_name(model, 2));
    assert_int_equal(sp_spec_n_override(spec), 1);
    sp_model_free(model);
    sp_spec_free(spec);
    ASSERT_OK(sp_model_load(path, 0, NULL, NULL, &model, &err));
    sp_model_free(model);
    assert_int_equal(sp_model_load(path, 1, bad, &spec, &model, &err), SP_E_INPUT);
    assert_true(model == NULL && spec == NULL);
    assert_int_equal(sp_model_load("/nowhere/at/all", 0, NULL, NULL, &model, &err), SP_E_IO);
    assert_int_equal(sp_model_load(NULL, 0, NULL, NULL, &model, &err), SP_E_INPUT);
    unlink(path);
}

/* A state that was copied, or packed and unpacked, steps to the same bits. */
static void states_are_copied_to_the_bit(void **ctx)
{
    (void)ctx;
    machine m = machine_make(ball, "h=0.2 m");
    sp_error err = {.status = SP_OK};
    sp_state *copy, *back;
    sp_contact_info info;
    ASSERT_OK(sp_state_new(m.model, NULL, &copy, &err));
    ASSERT_OK(sp_state_new(m.model, NULL, &back, &err));
    for (int i = 0; i < 300; i++) {
        ASSERT_OK(sp_step(m.model, m.state, m.work, SP_METHOD_MOREAU, 1e-3, NULL, &err));
    }
    unsigned char *bytes = malloc(sp_state_bytes(m.model));
    sp_state_pack(m.model, m.state, bytes);
    ASSERT_OK(sp_state_unpack(m.model, bytes, sp_state_bytes(m.model), back, &err));
    sp_state_copy(m.model, m.state, copy);
    for (int i = 0; i < 200; i++) {
        ASSERT_OK(sp_step(m.model, m.state, m.work, SP_METHOD_MOREAU, 1e-3, NULL, &err));
        ASSERT_OK(sp_step(m.model, copy, m.work, SP_METHOD_MOREAU, 1e-3, NULL, &err));
        ASSERT_OK(sp_step(m.model, back, m.work, SP_METHOD_MOREAU, 1e-3, NULL, &err));
    }
    assert_true(sp_state_q(copy)[0] == sp_state_q(m.state)[0]);
    assert_true(sp_state_u(back)[0] == sp_state_u(m.state)[0]);
    bytes[0] ^= 1;
    assert_int_equal(sp_state_unpack(m.model, bytes, 3, back, &err), SP_E_INPUT);
    ASSERT_OK(sp_state_contact(m.model, m.state, 0, &info));
    assert_int_equal(sp_state_contact(m.model, m.state, 1, &info), SP_E_INPUT);
    free(bytes);
    sp_state_free(copy);
    sp_state_free(back);
    machine_free(&m);
}

static void misuse_is_an_error_and_no_crash(void **ctx)
{
    (void)ctx;
    machine m = machine_make(ball, NULL);
    sp_error err = {.status = SP_OK};
    const char *const unknown[] = {"bounces"};
    sp_hold_options hold = sp_hold_options_default();
    int n;
    hold.n_closed = 1;
    assert_int_equal(sp_analysis_equilibrium(m.model, m.state, &hold, &err), SP_E_INPUT);
    hold.closed = unknown;
    assert_int_equal(sp_analysis_modes(m.model, m.state, &hold, 0, NULL, NULL, &n, &err),
                     SP_E_INPUT);
    assert_non_null(strstr(err.text, "no contact 'bounces'"));
    hold = (sp_hold_options){.n_closed = 0}; /* without its size */
    assert_int_equal(sp_analysis_linearise(m.model, m.state, &hold, NULL, NULL, NULL, &err),
                     SP_E_INPUT);
    assert_int_equal(sp_analysis_equilibrium(NULL, m.state, NULL, &err), SP_E_INPUT);
    assert_int_equal(sp_analysis_modes(m.model, m.state, NULL, 3, NULL, NULL, &n, &err),
                     SP_E_INPUT);
    assert_int_equal(sp_analysis_verify(m.model, NULL, NULL, &err), SP_E_INPUT);
    machine_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spring_rests_and_swings_as_it_should),
        cmocka_unit_test(methods_agree_about_a_bouncing_ball),
        cmocka_unit_test(a_model_is_read_from_its_file_with_assignments),
        cmocka_unit_test(states_are_copied_to_the_bit),
        cmocka_unit_test(misuse_is_an_error_and_no_crash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
