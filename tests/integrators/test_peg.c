/* A round peg goes over a chamfer into a round bore.   theory (116.1) */
#include "support/check.h"
#include "support/run.h"

/* A hand that is 0.4 mm beside the hole and tilted by 1 deg pushes a peg down through a soft grip:
 * the lower rim slides down the chamfer, then along the bore; nothing is penetrated. */
static void a_peg_slides_down_the_chamfer_into_the_bore(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(
        "specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\n"
        "parameters: {r: 10 mm, play: 0.05 mm, ch: 1.5 mm, offset: 0.4 mm}\nbodies:\n"
        "  ground:\n    contours:\n"
        "      bore: {cylinder: r + play, inside: yes, length: 40 mm, at: [offset, 0, -20 mm - "
        "ch]}\n"
        "      mouth: {cone: [r + play, r + play + ch], length: ch, inside: yes, at: [offset, 0, "
        "-ch]}\n"
        "  hand: {points: {flange: {at: [0, 0, 40 mm], turn: {y: 1 deg}}},\n"
        "         joint: {prismatic: ground, axis: [0, 0, 1], at: [0, 0, 2 mm], motion: -20 mm/s * "
        "t}}\n"
        "  peg: {mass: 0.8 kg, inertia: [1e-3 kg*m^2, 1e-3 kg*m^2, 1e-4 kg*m^2], center: [0, 0, 30 "
        "mm],\n"
        "        joint: {free: hand, turn: {y: 1 deg}}, points: {grip: [0, 0, 40 mm]},\n"
        "        contours: {side: {cylinder: r, length: 40 mm, at: [0, 0, 20 mm]}}}\n"
        "forces: {grip: {bushing: [hand.flange, peg.grip], stiffness: [4e4, 4e4, 2e5, 50, 50, "
        "50],\n"
        "                damping: [40, 40, 100, 0.1, 0.1, 0.1]}}\n"
        "contacts: {c: {between: [peg.side, [ground.bore, ground.mouth]], law: {mu: 0.2}}}\n");
    assert_int_equal(r.m->n_slot, 8);
    rig_steps(&r, SP_METHOD_MOREAU, 1e-3, 250);
    assert_true(rig_event(&r, SP_EVENT_CLOSE, rig_slot(&r, "c.low.mouth"), 0) != NULL);
    assert_true(rig_event(&r, SP_EVENT_CLOSE, rig_slot(&r, "c.low.bore"), 0) != NULL);
    assert_true(r.worst.complementarity < 1e-8 && r.worst.gap < 1e-5);
    rig_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_peg_slides_down_the_chamfer_into_the_bore),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
