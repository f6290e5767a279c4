/* Round pegs in round bores: four rims, each against the other's side.   theory (116.1), (116.2) */
#include "contact/con3.h"

#include "support/check.h"
#include "support/machine.h"

#define R_PEG  0.01
#define R_BORE 0.0105

static const char *const model =
    "specht: 1\n"
    "name: Peg\n"
    "space: spatial\n"
    "gravity: 0\n"
    "bodies:\n"
    "  ground: {contours: {bore: {cylinder: 10.5 mm, inside: yes, length: 40 mm, at: [0, 0, -20 "
    "mm]}}}\n"
    "  peg:\n"
    "    mass: 1 kg\n"
    "    inertia: [1e-4 kg*m^2, 1e-4 kg*m^2, 1e-4 kg*m^2]\n"
    "    contours: {side: {cylinder: 10 mm, length: 50 mm, at: [0, 0, 25 mm]}}\n"
    "contacts: {c: {between: [peg.side, ground.bore], law: {mu: 0.2}}}\n"
    "run: {until: 1 s, method: moreau, step: 1 ms}\n";

/* The coordinates of the peg: its lower end at x, tilted by a about y, then all turned about z. */
static void place(double x, double z, double tilt, double turn, double *q)
{
    const double c = cos(0.5 * tilt), s = sin(0.5 * tilt), C = cos(0.5 * turn), S = sin(0.5 * turn);
    q[0] = x * cos(turn);
    q[1] = x * sin(turn);
    q[2] = z;
    q[3] = C * c;
    q[4] = -S * s;
    q[5] = C * s;
    q[6] = S * c;
}

/* In the plane of the tilt the rims are the corners of the peg and of the bore. */
static void rims_have_the_gaps_of_the_plane(void **ctx)
{
    (void)ctx;
    machine c = machine_of_text(model);
    const int low = machine_slot(&c, "c.low"), mouth = machine_slot(&c, "c.bore_high");
    rng r = {7};
    int n_both = 0;
    assert_int_equal(c.m->n_slot, 4);
    for (int n = 0; n < 200; n++) {
        const double tilt = rng_in(&r, 0.01, 0.1), turn = rng_in(&r, -3.0, 3.0),
                     z = rng_in(&r, -0.035, -0.005), x = rng_in(&r, -8e-4, 4e-4);
        double q[7], u[6] = {0};
        place(x, z, tilt, turn, q);
        machine_touch(&c, q, u, -INFINITY);
        /* the axis leans to +x as it rises: the lower rim touches at -x, the mouth at +x */
        const double to_axis = (R_BORE - x) * cos(tilt) + z * sin(tilt);
        const double s = sin(tilt), k = cos(tilt);
        if (-x > R_PEG * s * s / k) { /* else the rim is nearest beside the plane of the tilt */
            assert_near(c.w->con.g[low], R_BORE - R_PEG * cos(tilt) + x, 1e-13);
        }
        if (x >= 0.0 || to_axis < R_PEG) {
            assert_near(c.w->con.g[mouth], to_axis - R_PEG, 1e-12);
        }
        n_both += c.w->con.g[low] < 0.0 && c.w->con.g[mouth] < 0.0;
        assert_true(c.w->con.g[machine_slot(&c, "c.high")] > 0.0);
    }
    assert_true(n_both > 10);
    machine_free(&c);
}

/* In the plane of the tilt: rates of both gaps against differences. */
static void rims_have_the_rates_of_their_gaps(void **ctx)
{
    (void)ctx;
    machine c = machine_of_text(model);
    const int slot[2] = {machine_slot(&c, "c.low"), machine_slot(&c, "c.bore_high")};
    const double h = 1e-6;
    rng r = {8};
    for (int n = 0; n < 50; n++) {
        const double at[3] = {rng_in(&r, -8e-4, -6e-4), rng_in(&r, -0.035, -0.02),
                              rng_in(&r, 0.06, 0.09)};
        const double v[3] = {rng_in(&r, -1.0, 1.0), rng_in(&r, -1.0, 1.0), rng_in(&r, -1.0, 1.0)};
        double q[7], g[2][2], u[6] = {v[0], 0.0, v[1], 0.0, v[2], 0.0};
        for (int k = 0; k < 2; k++) {
            const double t = k == 0 ? -h : h;
            place(at[0] + t * v[0], at[1] + t * v[1], at[2] + t * v[2], 0.0, q);
            machine_touch(&c, q, u, -INFINITY);
            g[k][0] = c.w->con.g[slot[0]];
            g[k][1] = c.w->con.g[slot[1]];
        }
        place(at[0], at[1], at[2], 0.0, q);
        machine_touch(&c, q, u, -INFINITY);
        for (int i = 0; i < 2; i++) {
            double gamma[3];
            sp_con3_gamma(c.m, c.num, &c.w->con, slot[i], gamma);
            assert_near(gamma[0], (g[1][i] - g[0][i]) / (2.0 * h), 1e-8);
        }
    }
    machine_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rims_have_the_gaps_of_the_plane),
        cmocka_unit_test(rims_have_the_rates_of_their_gaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
