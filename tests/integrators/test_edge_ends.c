/* Contacts that come to the end of an edge: a box that slides off a table and over a seam, a disc
 * that goes round a corner.  All against closed forms.   theory (4.1b), (4.1c) */
#include "integrators/table_end.h"
#include "support/check.h"
#include "support/events.h"

#define G 9.81

static const char *const table[] = {"top: {segment: [[-1, 0], [0, 0]]}",
                                    "top: {box: [1, 0.2], at: [-0.5, -0.1]}"};

static void a_box_slides_over_the_end_of_a_table_and_tips_when_its_weight_is_beyond(void **ctx)
{
    (void)ctx;
    for (int k = 0; k < 2; k++) {
        rig r = box_on(table[k]);
        /* friction mu m g at the height h / 2 moves the resultant to x + mu h / 2 */
        const double tips = time_at(-0.1 * 0.05);
        events_go(&r, tips - 1e-3, 1e-11);
        assert_near(r.x->q[0], -0.5 + 2.0 * r.x->t - 0.05 * G * r.x->t * r.x->t, 1e-10);
        assert_near(r.x->q[1], 0.05, 1e-12);
        assert_true(fabs(r.x->q[2]) < 1e-12);
        events_go(&r, 0.5, 1e-11);
        const sp_event *front = rig_event(&r, SP_EVENT_OPEN, -1, 0);
        const sp_event *rear = rig_event(&r, SP_EVENT_OPEN, -1, 1);
        assert_true(front && rear);
        assert_near(front->t, time_at(-0.1), 2e-9); /* the corner is let go 2 nm beyond the end */
        assert_near(rear->t, tips, 1e-9);
        assert_int_equal(events_count(&r, SP_EVENT_IMPACT), 0);
        assert_int_equal(events_count(&r, SP_EVENT_HANDOVER), 0);
        assert_true(r.x->ledger.worst_balance < 1e-10);
        assert_true(r.x->q[2] < -0.1); /* it has tipped off */
        rig_free(&r);
    }
}

static void steps_take_the_same_way_over_the_end(void **ctx)
{
    (void)ctx;
    for (int k = 0; k < 2; k++) {
        rig r = box_on(table[k]), s = box_on(table[k]);
        events_go(&r, 0.5, 1e-10);
        rig_steps(&s, SP_METHOD_MOREAU, 1e-4, 5000);
        assert_near(s.x->q[0], r.x->q[0], 1e-4);
        assert_near(s.x->q[1], r.x->q[1], 1e-4);
        assert_near(s.x->q[2], r.x->q[2], 1e-3);
        assert_int_equal(rig_count(&s, SP_EVENT_IMPACT, -1), 0);
        rig_free(&r);
        rig_free(&s);
    }
}

static void a_seam_in_the_ground_is_no_wall(void **ctx)
{
    (void)ctx;
    static const char *const seam =
        "a: {segment: [[-1, 0], [-0.2, 0]]}, b: {segment: [[-0.2, 0], [1, 0]]}";
    const double x = -0.5 + 2.0 * 0.5 - 0.05 * G * 0.25, v = 2.0 - 0.1 * G * 0.5;
    rig r = box_on(seam);
    events_go(&r, 0.5, 1e-10);
    assert_near(r.x->q[0], x, 1e-9);
    assert_near(r.x->u[0], v, 1e-9);
    assert_int_equal(events_count(&r, SP_EVENT_IMPACT), 0);
    rig_free(&r);
    for (int k = 0; k < 2; k++) {
        rig s = box_on(seam);
        rig_steps(&s, k == 0 ? SP_METHOD_MOREAU : SP_METHOD_MOREAU_MEAN, 1e-4, 5000);
        assert_near(s.x->u[0], v, 1e-9);
        assert_near(s.x->q[0], x, 1e-4);
        assert_int_equal(rig_count(&s, SP_EVENT_IMPACT, -1), 0);
        rig_free(&s);
    }
}

/* Without friction the centre runs on a circle about the end until g cos(theta) = v^2 / R, that is
 * cos(theta) = (v_0^2 / (g R) + 2) / 3. */
static void a_disc_goes_round_the_end_of_a_table_before_it_leaves(void **ctx)
{
    (void)ctx;
    const double v_0 = 0.5, R = 0.1, g = 10.0, c = (v_0 * v_0 / (g * R) + 2.0) / 3.0;
    for (int k = 0; k < 2; k++) {
        rig r = rig_of_text("specht: 1\nspace: planar\nunits: off\ngravity: 10\nbodies:\n"
                            "  ground: {contours: {%s}}\n"
                            "  disc: {mass: 1, inertia: 5e-3, contours: {c: {circle: 0.1}}}\n"
                            "contacts: {c: {between: [disc, ground], law: {mu: 0, eps_N: 0}}}\n"
                            "start: {disc.x: -0.1, disc.y: 0.1, disc.vx: 0.5}\n",
                            table[k]);
        events_go(&r, 0.2 + 0.2, 1e-12);
        const double v = sqrt(v_0 * v_0 + 2.0 * g * R * (1.0 - c));
        const sp_event *open = rig_event(&r, SP_EVENT_OPEN, -1, 0);
        assert_true(open && open->t > 0.2);
        assert_int_equal(events_count(&r, SP_EVENT_OPEN), 1);
        assert_int_equal(events_count(&r, SP_EVENT_IMPACT), 0);
        assert_near(r.x->u[0], v * c, 1e-10);
        const double fly = r.x->t - open->t;
        assert_near(r.x->q[0], R * sqrt(1.0 - c * c) + v * c * fly, 1e-10);
        assert_near(r.x->q[1], R * c - v * sqrt(1.0 - c * c) * fly - 0.5 * g * fly * fly, 1e-10);
        rig_free(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_slides_over_the_end_of_a_table_and_tips_when_its_weight_is_beyond),
        cmocka_unit_test(steps_take_the_same_way_over_the_end),
        cmocka_unit_test(a_seam_in_the_ground_is_no_wall),
        cmocka_unit_test(a_disc_goes_round_the_end_of_a_table_before_it_leaves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
