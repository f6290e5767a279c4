/* Sides of beams and faces of plates in space as they are deformed: gaps against the places of many
 * points of the material, rates of gap and velocities, and W, against differences in random motion.
 * theory (98.6)-(98.9) */
#include "contact/con3.h"
#include "contact/skin.h"

#include "support/check.h"
#include "support/machine.h"

#include <string.h>

static const char *const model =
    "specht: 1\n"
    "name: Faces\n"
    "space: spatial\n"
    "gravity: 0\n"
    "units: off\n"
    "bodies:\n"
    "  beam:\n"
    "    beam: {length: 2, section: {rectangle: [0.2, 0.3]}, young: 1, density: 1, shear: 0.8}\n"
    "    elastic: {bending: [3, 2], torsion: 2, stretch: 1, ends: clamped-free}\n"
    "    joint: {revolute: ground, axis: [0.2, 0.3, 1]}\n"
    "    contours: {up: {side: upper}, left: {side: left, height: 0.1, width: 0.25}}\n"
    "  disc:\n"
    "    plate: {radii: [0.3, 1], thickness: 0.1, young: 1, density: 1}\n"
    "    elastic: {functions: [(r - 0.3)^2, (r - 0.3)^2*cos(phi) + (r - 0.3)^3*sin(2*phi),\n"
    "      (r - 0.3)^2*exp(-r)*sin(phi), (r - 0.3)^3*cos(3*phi)]}\n"
    "    joint: {revolute: ground, axis: [0.1, 0.2, 1], at: [0.5, 0, 0]}\n"
    "    contours: {up: {side: upper, slope: -0.2}, down: {side: lower, slope: 0.1}}\n"
    "  ball:\n"
    "    mass: 1\n"
    "    inertia: 1\n"
    "    joint: {planar: ground, axis: [0.3, 1, 0.4], at: [0.8, 0, 0]}\n"
    "    contours: {point: {point: [0.1, 0.3, 0.1]}, skin: {sphere: 0.2, at: [0.1, 0.2, -0.1]}}\n"
    "contacts:\n"
    "  a: {between: [[ball.point, ball.skin], [beam.up, beam.left, disc.up, disc.down]],\n"
    "      law: {mu: 0.1}}\n"
    "run: {until: 1, method: moreau, step: 1e-3}\n";

enum { MOST_Q = 40 };
#define STEP 1e-4
/* Differences of fourth order: eps/STEP, and STEP^4 times the fifth derivative. */
#define TOL_RATE 1e-9
#define TOL_BIAS 1e-8

static double slope(const double f[4])
{
    return (f[0] - 8.0 * f[1] + 8.0 * f[2] - f[3]) / (12.0 * STEP);
}

static void look(machine *c, const double *q, const double *u, double t, int slot, double gamma[3],
                 sp_contact_frame3 *f)
{
    double moved[MOST_Q];
    for (int k = 0; k < c->m->n_q; k++) {
        moved[k] = q[k] + t * u[k];
    }
    machine_move(c, moved, u);
    sp_con_gaps(c->m, c->num, &c->w->kin, &c->w->con);
    sp_con3_frame(c->m, c->num, &c->w->con, slot, f);
    assert_near(f->g_N, c->w->con.g[slot], 0.0);
    sp_frame3_gamma(&c->w->kin, f, gamma);
}

/* Whether a contact is on the border of its face: bits of u, v. */
static int border_of(const machine *c, int slot, const sp_contact_frame3 *f)
{
    const sp_contour *on = &c->m->contour[c->m->slot[slot].contour_b];
    const sp_face *face = c->m->surface[on->form - 1]->face;
    const double *at = f->mark[1]->at;
    const double v = face->round ? hypot(at[0], at[1]) : at[3 - face->across];
    const double near = 1e-9; /* places of plates come from cosines */
    return (v <= face->lo[1] + near || v >= face->hi[1] - near ? 2 : 0) +
           (!face->round && (at[0] <= face->lo[0] || at[0] >= face->hi[0]) ? 1 : 0);
}

/* Rates against differences; false where the place jumps, comes to a border or runs fast. */
static bool compare_rates(machine *c, const double *q, const double *u, int slot)
{
    double g[4], gamma[3][4], now[3], x[3], w_bar[3];
    sp_contact_frame3 f, near;
    bool jumps = false;
    look(c, q, u, 0.0, slot, now, &f);
    const sp_vec3 at = f.point[1], n = f.n;
    const int border = border_of(c, slot, &f);
    for (int k = 0; k < 4; k++) {
        look(c, q, u, STEP * (k < 2 ? k - 2 : k - 1), slot, x, &near);
        g[k] = near.g_N;
        for (int i = 0; i < 3; i++) {
            gamma[i][k] = x[i];
        }
        jumps = jumps || border_of(c, slot, &near) != border ||
                !(sp_length3(sp_sub3(at, near.point[1])) <= 20.0 * STEP) ||
                !(sp_length3(sp_sub3(n, near.n)) <= 20.0 * STEP);
    }
    look(c, q, u, 0.0, slot, now, &f);
    sp_frame3_bias(&c->w->kin, &f, w_bar);
    const sp_frame3_rates r = sp_frame3_motion(&c->w->kin, &f);
    if (jumps || sp_length3(r.spin) > 4.0 || sp_length3(r.wander[1]) > 4.0) {
        return false;
    }
    assert_near_scaled(slope(g), now[0], 20.0, TOL_RATE);
    for (int i = 0; i < 3; i++) {
        assert_near_scaled(slope(gamma[i]), w_bar[i], 50.0, TOL_BIAS);
    }
    return true;
}

/* gamma = W^T u, with W of the marks that the frame has. */
static void compare_columns(machine *c, const double *u, int slot)
{
    sp_contact_frame3 f;
    sp_con3_frame(c->m, c->num, &c->w->con, slot, &f);
    const sp_spot a = sp_frame3_spot(&c->w->kin, &f, 0), b = sp_frame3_spot(&c->w->kin, &f, 1);
    const sp_vec3 e[3] = {f.n, f.t[0], f.t[1]};
    const sp_spot_pair pair = {&a, &b, 3, 0, e};
    int sup[MOST_Q];
    double W[3 * MOST_Q], gamma[3];
    const int n = sp_pair_rows(c->m, &c->w->kin, &pair, sup, W, MOST_Q);
    sp_frame3_gamma(&c->w->kin, &f, gamma);
    for (int i = 0; i < 3; i++) {
        double sum = 0.0;
        for (int k = 0; k < n; k++) {
            sum += W[i * MOST_Q + k] * u[sup[k]];
        }
        assert_near_scaled(sum, gamma[i], 20.0, 1e-14);
    }
}

/* The least distance of x from points of the material of a face, by the places of the kind. */
static double search(machine *c, int contour, sp_vec3 x)
{
    enum { U = 400, V = 60 };
    const sp_contour *on = &c->m->contour[contour];
    const sp_face *f = c->m->surface[on->form - 1]->face;
    double least = INFINITY;
    for (int i = 0; i < U * (V + 1); i++) {
        const double u = f->lo[0] + (f->hi[0] - f->lo[0]) * (i % U) / (U - 1.0);
        const double v = f->lo[1] + (f->hi[1] - f->lo[1]) * (i / U) / V;
        sp_vec3 rest[6];
        sp_face_at_rest(f, u, v, rest);
        const sp_spot s = sp_spot_at(&c->w->kin, on->body, rest[0]);
        least = fmin(least, sp_length3(sp_sub3(s.x, x)));
    }
    return least;
}

static void a_face_has_the_gap_and_the_rates_of_its_motion(void **ctx)
{
    (void)ctx;
    machine c = machine_of_text(model);
    rng r = {29};
    int good[8] = {0}, rim = 0;
    assert_true(c.m->n_q == c.m->n_dof && c.m->n_q <= MOST_Q);
    for (int n = 0; n < check_cases(60, 1000); n++) {
        for (int slot = 0; slot < c.m->n_slot; slot++) {
            double q[MOST_Q], u[MOST_Q], gamma[3];
            sp_contact_frame3 f;
            for (int k = 0; k < c.m->n_dof; k++) {
                const bool own = c.m->dof[k].move == SP_MOVE_SHAPE;
                q[k] = rng_in(&r, -1.0, 1.0) * (own ? 0.03 : 0.7);
                u[k] = rng_in(&r, -1.0, 1.0) * (own ? 0.3 : 1.0);
            }
            look(&c, q, u, 0.0, slot, gamma, &f);
            const int a = c.m->slot[slot].contour_a, b = c.m->slot[slot].contour_b;
            const double radius = c.num->contour[a].radius;
            if (!(f.g_N > -0.5 * radius)) {
                continue; /* deep inside: which point is nearest may change */
            }
            compare_columns(&c, u, slot);
            if (n < 5 && fabs(f.g_N) < 0.3) { /* else another place may be nearer */
                const sp_vec3 x = sp_axpy3(f.point[0], radius, f.n);
                assert_near(search(&c, b, x), fabs(f.g_N + radius), 5e-4);
            }
            rim += border_of(&c, slot, &f) != 0;
            good[slot] += compare_rates(&c, q, u, slot);
        }
    }
    for (int slot = 0; slot < c.m->n_slot; slot++) {
        assert_true(good[slot] > 15);
    }
    assert_true(rim > 10);
    machine_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_face_has_the_gap_and_the_rates_of_its_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
