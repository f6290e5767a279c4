/* adaptive tells when dry friction of joints and couplings sticks and slips, against closed forms.
 * theory section 62 */
#include "support/check.h"
#include "support/events.h"
#include "support/mechanism.h"
#include "support/run.h"

/* Up to two events of a kind, of all slots. */
typedef struct times {
    sp_event_kind kind;
    int n;
    double t[4];
} times;

static sp_status note(void *ctx, const sp_model *m, const sp_step_record *r, sp_error *err)
{
    times *k = ctx;
    (void)m;
    (void)err;
    for (int i = 0; i < r->n_event; i++) {
        if (r->event[i].kind == k->kind && k->n < 4) {
            k->t[k->n++] = r->event[i].t;
        }
    }
    return SP_OK;
}

/* The times of two events of the machine, which has no others of this kind, are within 20
 * tolerances (and the round-off of long runs), at tolerances from 1e-5 to 1e-11; the second one may
 * be late. */
static void tells(const char *shafts, sp_event_kind kind, double until, double t_1, double t_2,
                  double late)
{
    for (int i = 0; i < 4; i++) {
        const double tolerance = pow(10.0, -5 - 2 * i);
        times k = {.kind = kind};
        sp_error err = {.text = ""};
        sp_run_summary summary;
        rig r = rig_of_text("specht: 1\nunits: off\nspace: planar\ngravity: 0\n%s", shafts);
        const sp_run_options o = {.method = SP_METHOD_ADAPTIVE,
                                  .until = until,
                                  .output_step = 0.037,
                                  .tolerance = tolerance};
        const sp_observer observer = {.ctx = &k, .step = note};
        assert_int_equal(sp_run(r.m, r.x, r.w, &o, &observer, 1, &summary, &err), SP_OK);
        assert_int_equal(k.n, 2);
        print_message("  %.0e: %.1e, %.1e s off\n", tolerance, k.t[0] - t_1, k.t[1] - t_2);
        assert_true(fabs(k.t[0] - t_1) < 20.0 * tolerance + 1e-12 * t_1);
        assert_true(t_2 - k.t[1] < 20.0 * tolerance + 1e-12 * t_2);
        assert_true(k.t[1] - t_2 < 20.0 * tolerance + 1e-12 * t_2 + late);
        rig_free(&r);
    }
}

/* A clutch of 3 N m takes along a load with 0.6 N m in its joint: the two shafts have the same
 * speed after 100/42 s, both rest after 50/3 s. */
static void a_clutch_takes_its_load_along_and_both_come_to_rest(void **ctx)
{
    (void)ctx;
    tells("bodies:\n  engine: {inertia: 0.1, joint: {revolute: ground}}\n"
          "  load: {inertia: 0.2, joint: {revolute: ground, friction: 0.6}}\n"
          "couplings: {clutch: {of: engine.phi - load.phi, friction: 3}}\n"
          "start: {engine.omega: 100}\n",
          SP_EVENT_STICK, 20.0, 100.0 / 42.0, 50.0 / 3.0, 0.0);
}

/* An engine whose torque grows by 1 N m/s: the joint of the load lets go at 0.6 N m, with the
 * clutch at rest, the clutch where the load takes 3 N m, at 0.6 + 12 0.3 N m, told when it is
 * faster than 1e-10 of its 22 rad/s: 10 rad/s^3 t^2/2 takes 2e-5 s.   theory (62.4) */
static void a_joint_lets_go_and_then_the_clutch(void **ctx)
{
    (void)ctx;
    tells("bodies:\n  engine: {inertia: 0.1, joint: {revolute: ground}}\n"
          "  load: {inertia: 0.2, joint: {revolute: ground, friction: 0.6}}\n"
          "couplings: {clutch: {of: engine.phi - load.phi, friction: 3}}\n"
          "forces: {drive: {torque: t, on: engine}}\n",
          SP_EVENT_SLIP, 5.0, 0.6, 4.2, 1e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clutch_takes_its_load_along_and_both_come_to_rest),
        cmocka_unit_test(a_joint_lets_go_and_then_the_clutch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
