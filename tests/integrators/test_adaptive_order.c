/* The order of the adaptive method between events: the error of smooth motion with a contact that
 * lasts, on a curve, over the number of steps that tolerances of three decades take.
 * theory (17.33) */
#include "support/check.h"
#include "support/run.h"

enum { SIZES = 7 };
#define UNTIL 0.4
#define MU    0.2
#define G     10.0

/* Rate of the angle phi from the lowest point and of its speed w, of a point that slides on a
 * hollow circle of radius 1 m: l w' = -g sin phi - mu (g cos phi + l w^2) sign w. */
static void rates(const double *y, double mu, double *dy)
{
    dy[0] = y[1];
    dy[1] = -G * sin(y[0]) - mu * (G * cos(y[0]) + y[1] * y[1]) * (y[1] > 0.0 ? 1.0 : -1.0);
}

/* The angle at UNTIL by the classical method of order 4 with steps of 1e-5 s: exact to 1e-14. */
static double exact(double phi, double w, double mu)
{
    enum { PARTS = 40000 };
    const double dt = UNTIL / PARTS;
    double y[2] = {phi, w};
    for (int i = 0; i < PARTS; i++) {
        double k[4][2], at[2] = {y[0], y[1]};
        for (int j = 0; j < 4; j++) {
            rates(at, mu, k[j]);
            for (int n = 0; n < 2; n++) {
                at[n] = y[n] + (j < 2 ? 0.5 : 1.0) * dt * k[j][n];
            }
        }
        for (int n = 0; n < 2; n++) {
            y[n] += dt / 6.0 * (k[0][n] + 2.0 * k[1][n] + 2.0 * k[2][n] + k[3][n]);
        }
    }
    return y[0];
}

/* The order with friction mu: the error of the angle against the mean step, fitted. */
static double order_with(double mu)
{
    const double phi = -1.0, w = 2.0, right = exact(phi, w, mu);
    double dt[SIZES], off[SIZES];
    for (int k = 0; k < SIZES; k++) {
        rig r = rig_of_text("specht: 1\nunits: off\nspace: planar\ngravity: 10\nbodies:\n"
                            "  ground: {contours: {bowl: {circle: 1, inside: yes}}}\n"
                            "  a: {mass: 1, inertia: 0.1, contours: {tip: {point: [0, 0]}}}\n"
                            "contacts: {c: {between: [a, ground], law: {mu: %g}}}\n"
                            "start: {a.x: %.17g, a.y: %.17g, a.vx: %.17g, a.vy: %.17g}\n",
                            mu, sin(phi), -cos(phi), w * cos(phi), w * sin(phi));
        sp_run_summary summary;
        sp_error err = {.status = SP_OK};
        const sp_run_options o = {.method = SP_METHOD_ADAPTIVE,
                                  .until = UNTIL,
                                  .output_step = UNTIL,
                                  .tolerance = pow(10.0, -3.0 - 0.5 * k)};
        assert_int_equal(sp_integrate(r.m, r.x, r.w, &o, NULL, 0, &summary, &err), SP_OK);
        assert_int_equal(r.x->contact[0].state, SP_STATE_SLIP);
        dt[k] = UNTIL / (double)summary.steps;
        off[k] = fabs(atan2(r.x->q[0], -r.x->q[1]) - right);
        print_message("  mu %g, tolerance %.0e: %ld steps, %.2e rad\n", mu, o.tolerance,
                      summary.steps, off[k]);
        rig_free(&r);
    }
    return check_order(SIZES, dt, off);
}

static void lasting_contacts_keep_the_order(void **ctx)
{
    (void)ctx;
    const double smooth = order_with(0.0), rough = order_with(MU);
    print_message("  order %.2f, with friction %.2f\n", smooth, rough);
    assert_true(smooth >= 1.8 && rough >= 1.8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lasting_contacts_keep_the_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
