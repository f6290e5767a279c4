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

/* What a listener heard. */
typedef struct hearing {
    int n;
    char text[512];
} hearing;

static void hear(void *ctx, const sp_message *message)
{
    hearing *h = ctx;
    h->n++;
    snprintf(h->text, sizeof h->text, "%s", message->text);
}

static void a_spring_rests_and_swings_as_it_should(void **ctx)
{
    (void)ctx;
    machine m = machine_make(spring, NULL);
    sp_error err = {.status = SP_OK};
    double M, D, K, h;
    sp_modes_report *r;
    ASSERT_OK(sp_analysis_equilibrium(m.model, m.state, NULL, &err));
    assert_near(sp_state_q(m.state)[0], -0.4, 1e-10); /* m g / k */
    ASSERT_OK(sp_analysis_linearise(m.model, m.state, NULL, &M, &D, &K, &err));
    assert_near(M, 2.0, 1e-12);
    assert_near(D, 4.0, 1e-9);
    assert_near(K, 50.0, 1e-9);
    ASSERT_OK(sp_mechanics_terms(m.model, m.state, &M, &h, &err));
    assert_near(M, 2.0, 1e-12);
    assert_near(h, 0.0, 1e-9); /* it rests */
    ASSERT_OK(sp_analysis_modes(m.model, m.state, NULL, NULL, &r, &err));
    assert_int_equal(r->n_mode, 1);
    assert_near(r->mode[0].frequency_hz, 5.0 / 6.283185307179586, 1e-10);
    assert_near(r->mode[0].damping, 0.2, 1e-10);
    assert_near(r->mode[0].s.re, -1.0, 1e-9);
    assert_false(r->mode[0].unstable);
    assert_near(r->mode[0].shape[0].re, 1.0, 1e-15);
    assert_true(r->at_equilibrium && r->n_held == 0 && r->n_force == 0);
    sp_modes_report_free(r);
    machine_free(&m);
}

static void methods_agree_about_a_bouncing_ball(void **ctx)
{
    (void)ctx;
    machine m = machine_make(ball, NULL);
    sp_error err = {.status = SP_OK};
    sp_verify_options options = sp_verify_options_default(m.model);
    sp_verify_report v;
    ASSERT_OK(sp_analysis_verify(m.model, &options, &v, &err));
    assert_int_equal(v.verdict, SP_VERDICT_AGREEMENT);
    assert_int_equal(v.reference.method, SP_METHOD_EVENT);
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
    const char *const option[] = {"--output-step=2 us", "--method=moreau", "--step=1 ms"};
    hearing heard = {.n = 0};
    const sp_listener ear = {.hear = hear, .ctx = &heard};
    sp_spec *spec;
    sp_model *model;
    assert_int_equal(write(file, spring, sizeof spring - 1), (long)sizeof spring - 1);
    close(file);
    sp_state *state;
    ASSERT_OK(sp_model_load(path, 1, good, NULL, &spec, &model, &state, &err));
    assert_true(sp_model_count(model, SP_ITEM_COORDINATE) == 1 && !sp_model_about(model)->spatial);
    assert_string_equal(sp_model_item(model, SP_ITEM_BODY, 1), "b");
    assert_null(sp_model_item(model, SP_ITEM_BODY, 2));
    assert_near(sp_state_q(state)[0], 0.1, 1e-15);
    sp_state_free(state);
    sp_model_free(model);
    sp_spec_free(spec);
    ASSERT_OK(sp_model_load(path, 0, NULL, NULL, NULL, &model, NULL, &err));
    sp_model_free(model);
    assert_int_equal(sp_model_load(path, 1, bad, &ear, &spec, &model, &state, &err), SP_E_INPUT);
    assert_true(model == NULL && spec == NULL && state == NULL && heard.n == 1);
    heard.n = 0;
    ASSERT_OK(sp_model_load(path, 3, option, &ear, &spec, &model, &state, &err));
    sp_run_options o;
    ASSERT_OK(sp_run_options_default(model, &o, &err));
    assert_near(o.output_step, 2e-6, 1e-18);
    ASSERT_OK(sp_run_check(model, state, &o, &ear, &err));
    assert_int_equal(heard.n, 1); /* more frames than steps */
    assert_non_null(strstr(heard.text, "output_step"));
    sp_state_free(state);
    sp_model_free(model);
    sp_spec_free(spec);
    assert_int_equal(sp_model_load("/nowhere/at/all", 0, NULL, NULL, NULL, &model, NULL, &err),
                     SP_E_IO);
    assert_int_equal(sp_model_load(NULL, 0, NULL, NULL, NULL, &model, NULL, &err), SP_E_INPUT);
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
    sp_modes_report *r;
    hold.n_closed = 1;
    assert_int_equal(sp_analysis_equilibrium(m.model, m.state, &hold, &err), SP_E_INPUT);
    hold.closed = unknown;
    assert_int_equal(sp_analysis_modes(m.model, m.state, &hold, NULL, &r, &err), SP_E_INPUT);
    assert_non_null(strstr(err.text, "'bounces' is no contact"));
    hold = (sp_hold_options){.n_closed = 0}; /* without its size */
    assert_int_equal(sp_analysis_linearise(m.model, m.state, &hold, NULL, NULL, NULL, &err),
                     SP_E_INPUT);
    assert_int_equal(sp_analysis_equilibrium(NULL, m.state, NULL, &err), SP_E_INPUT);
    assert_int_equal(sp_analysis_modes(m.model, m.state, NULL, NULL, NULL, &err), SP_E_INPUT);
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
