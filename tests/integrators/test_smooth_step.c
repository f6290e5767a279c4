/* Steps of whoever integrates: an integrator from outside, and steps that are taken back. */
#include "integrators/seen.h"
#include "integrators/smooth.h"

#include <stdlib.h>
#include <string.h>

/* ---- integrators from outside ------------------------------------------------------------------
 */

/* The classical method of order 4 with steps of 1 ms, as a program might hand it in. */
enum { OUTSIDE_MAX = 64 };
typedef struct outside {
    const sp_stiff_system *system;
    double t_old, t, y_old[OUTSIDE_MAX], y[OUTSIDE_MAX];
    int n_project;
} outside;

static sp_status outside_begin(const sp_stiff_system *system, double t, const double *y,
                               void **self, sp_error *err)
{
    outside *o = calloc(1, sizeof *o);
    double weight[OUTSIDE_MAX];
    (void)err;
    assert_true(o && system->n <= OUTSIDE_MAX);
    o->system = system;
    o->t = t;
    memcpy(o->y, y, (size_t)system->n * sizeof(double));
    system->weights(system->ctx, y, weight);
    for (int i = 0; i < system->n; i++) {
        assert_true(weight[i] > 0.0 && isfinite(weight[i]));
    }
    *self = o;
    return SP_OK;
}

/* y <- y_old + the classical increment over dt. */
static sp_status outside_go(const outside *o, double dt, double *y, sp_error *err)
{
    const sp_stiff_system *s = o->system;
    const double node[4] = {0.0, 0.5, 0.5, 1.0}, share[4] = {1.0, 2.0, 2.0, 1.0};
    double k[OUTSIDE_MAX] = {0.0}, x[OUTSIDE_MAX], sum[OUTSIDE_MAX] = {0.0};
    for (int stage = 0; stage < 4; stage++) {
        for (int i = 0; i < s->n; i++) {
            x[i] = o->y_old[i] + node[stage] * dt * k[i];
        }
        SP_TRY(s->f(s->ctx, o->t_old + node[stage] * dt, x, k, err));
        for (int i = 0; i < s->n; i++) {
            sum[i] += share[stage] / 6.0 * dt * k[i];
        }
    }
    for (int i = 0; i < s->n; i++) {
        y[i] = o->y_old[i] + sum[i];
    }
    return SP_OK;
}

static sp_status outside_step(void *self, double t_stop, double *t, double *y, sp_error *err)
{
    outside *o = self;
    const size_t bytes = (size_t)o->system->n * sizeof(double);
    o->t_old = o->t;
    memcpy(o->y_old, o->y, bytes);
    o->t = fmin(o->t_old + 1e-3, t_stop);
    SP_TRY(outside_go(o, o->t - o->t_old, o->y, err));
    if (o->system->project) {
        SP_TRY(o->system->project(o->system->ctx, o->t, o->y, err));
    }
    *t = o->t;
    memcpy(y, o->y, bytes);
    return SP_OK;
}

static sp_status outside_dense(void *self, double t, double *y, sp_error *err)
{
    const outside *o = self;
    return outside_go(o, t - o->t_old, y, err);
}

static sp_status outside_restart(void *self, double t, const double *y, sp_error *err)
{
    outside *o = self;
    (void)err;
    o->t = o->t_old = t;
    memcpy(o->y, y, (size_t)o->system->n * sizeof(double));
    return SP_OK;
}

static const sp_stiff_driver driver = {.name = "classical",
                                       .begin = outside_begin,
                                       .step = outside_step,
                                       .dense = outside_dense,
                                       .restart = outside_restart,
                                       .end = free};

static void an_integrator_from_outside_serves_like_our_own(void **ctx)
{
    (void)ctx;
    rig a = rig_of_file("tests/data/good/four_bar_space.yaml", NULL);
    rig b = rig_of_file("tests/data/good/four_bar_space.yaml", NULL);
    seen s, t;
    sp_run_summary summary;
    sp_error err = {.status = SP_OK};
    sp_run_options options = {
        .method = SP_METHOD_STIFF, .until = 1.0, .output_step = 0.0123, .tolerance = 1e-9};
    const sp_observer observer = {.step = watch, .ctx = &s};
    s = (seen){.r = &a};
    assert_int_equal(sp_integrate(a.m, a.x, a.w, &options, &observer, 1, &summary, &err),
                     SP_E_INPUT);
    assert_non_null(strstr(err.text, "SUNDIALS"));
    options.stiff = &driver;
    s = (seen){.r = &a};
    assert_int_equal(sp_integrate(a.m, a.x, a.w, &options, &observer, 1, &summary, &err), SP_OK);
    run_to(&b, 1.0, 1e-10, 0.0123, &t);
    assert_int_equal(summary.steps, 1000);
    assert_int_equal(s.n_frame, t.n_frame);
    for (int k = 0; k < s.n_frame; k++) {
        assert_true(s.t[k] == t.t[k]);
        assert_near(s.q[k], t.q[k], 1e-7);
        assert_near(s.u[k], t.u[k], 1e-5);
    }
    assert_true(summary.worst.gap < 1e-13 && s.off < 1e-13 && summary.worst.momentum < 1e-12);
    assert_true(fabs(a.x->ledger.balance) < 1e-6);
    rig_free(&a);
    rig_free(&b);
}

/* A gap that is no number from x = 0.5 on is neither open nor closed; signs alone, which is what
 * events of such integrators are found by, do not tell it from an open one. */
static void a_gap_that_is_no_number_ends_the_run_of_an_integrator_from_outside(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text("specht: 1\nunits: off\n"
                        "formula: {coordinates: {x: m}, kinetic: 0.5*x'^2}\n"
                        "contacts: {window: {gap: \"1 + (0.5 - x)*sqrt(0.5 - x)\", law: {eps_N: "
                        "0.5}}}\n"
                        "start: {x: 0, x': 1}\n");
    const sp_run_options o = {.method = SP_METHOD_STIFF,
                              .until = 2.0,
                              .output_step = 2.0,
                              .tolerance = 1e-9,
                              .stiff = &driver};
    sp_run_summary summary;
    sp_error err = {.status = SP_OK};
    assert_int_equal(sp_integrate(r.m, r.x, r.w, &o, NULL, 0, &summary, &err), SP_E_NONFINITE);
    assert_non_null(strstr(err.text, "window"));
    assert_near(r.x->t, 0.5, 2e-3);
    rig_free(&r);
}

/* ---- steps that are not taken -------------------------------------------------------------------
 */

/* A step that was made and is not taken leaves the state where it began, to the bit; where none was
 * made since a jump of the velocities, the state behind the jump stays. */
static void a_step_taken_back_leaves_the_state_where_it_began(void **ctx)
{
    (void)ctx;
    for (int k = 0; k < 2; k++) {
        rig r = rig_of_text("specht: 1\nunits: off\nspace: planar\ngravity: 9.81\n"
                            "bodies: {rod: {mass: 2, inertia: 0.1, center: [0, -0.5], joint: "
                            "{revolute: ground}}}\nstart: {rod.joint.phi: 2}\n");
        sp_smooth *s;
        sp_error err = {.status = SP_OK};
        assert_int_equal(k == 0 ? sp_smooth_begin(r.m, r.x, r.w, 1e-9, &s, &err)
                                : sp_smooth_open(r.m, r.x, r.w,
                                                 &(sp_smooth_setup){1e-9, .driver = &driver}, &s,
                                                 &err),
                         SP_OK);
        for (int i = 0; i < 5; i++) {
            assert_int_equal(sp_smooth_step(s, r.x, INFINITY, &err), SP_OK);
        }
        assert_int_equal(sp_smooth_advance(s, INFINITY, &err), SP_OK);
        assert_true(s->t > r.x->t && s->t_old == r.x->t);
        assert_int_equal(sp_smooth_back(s, &err), SP_OK);
        assert_true(s->t == r.x->t && s->now[s->q] == r.x->q[0] && s->now[s->u] == r.x->u[0]);

        r.x->u[0] = -0.5; /* a jump */
        assert_int_equal(sp_smooth_restart(s, r.x, &err), SP_OK);
        assert_true(s->t_old == r.x->t);
        assert_int_equal(sp_smooth_back(s, &err), SP_OK);
        assert_true(s->t == r.x->t && s->now[s->q] == r.x->q[0] && s->now[s->u] == -0.5);
        sp_smooth_end(s);
        rig_free(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_integrator_from_outside_serves_like_our_own),
        cmocka_unit_test(a_gap_that_is_no_number_ends_the_run_of_an_integrator_from_outside),
        cmocka_unit_test(a_step_taken_back_leaves_the_state_where_it_began),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
