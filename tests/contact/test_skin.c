/* Sides of beams as they are bent: gaps against the places of many points of the material, rates of
 * gap and velocities, and W, against differences in random motion.   theory section 98 */
#include "contact/curve_pair.h"
#include "contact/skin.h"

#include "support/check.h"
#include "support/machine.h"

#include <string.h>

static const char *const model =
    "specht: 1\n"
    "name: Sides\n"
    "space: planar\n"
    "gravity: 0\n"
    "units: off\n"
    "bodies:\n"
    "  beam:\n"
    "    beam: {length: 2, section: {area: 1, inertia: 1}, young: 1, density: 1}\n"
    "    elastic: {bending: 3, stretch: 1, ends: free-free}\n"
    "    joint: {free: ground}\n"
    "    contours: {up: {side: upper, height: 0.1}, down: {side: lower, height: 0.05}}\n"
    "  bow:\n"
    "    beam: {length: 1.5, section: {area: 1, inertia: 1}, young: 1, density: 1}\n"
    "    elastic: {bending: 2, ends: free-free}\n"
    "    joint: {free: ground}\n"
    "    contours: {down: {side: lower, height: 0.05}}\n"
    "  ball:\n"
    "    mass: 1\n"
    "    inertia: 1\n"
    "    contours: {point: {point: [0.1, 0.2]}, disc: {circle: 0.3, at: [0.1, 0]},\n"
    "               oval: {spline: [[0.5, 0], [0, 0.3], [-0.5, 0], [0, -0.3]], closed: yes},\n"
    "               line: {line: [0.6, 0.8], at: [0.1, 0.2]}}\n"
    "contacts:\n"
    "  discs: {between: [[ball.point, ball.disc], [beam.up, beam.down]], law: {mu: 0.1}}\n"
    "  lines: {between: [beam.down, ball.line], law: {mu: 0.1}}\n"
    "  curves: {between: [beam.up, [ball.oval, bow.down]], law: {mu: 0.1}}\n"
    "run: {until: 1, method: moreau, step: 1e-3}\n";

enum { N_Q = 15, BEAM = 0, BEAM_OWN = 3, N_OWN = 4 };
#define STEP 1e-4
/* Differences of fourth order: eps/STEP, and STEP^4 times the fifth derivative. */
#define TOL_RATE 1e-9
#define TOL_BIAS 1e-8

static double slope(const double f[4])
{
    return (f[0] - 8.0 * f[1] + 8.0 * f[2] - f[3]) / (12.0 * STEP);
}

static void look(machine *c, const double *q, const double *u, double t, int slot, double *g,
                 double gamma[2], sp_contact_frame *f)
{
    double moved[N_Q];
    for (int k = 0; k < N_Q; k++) {
        moved[k] = q[k] + t * u[k];
    }
    machine_move(c, moved, u);
    sp_con_gaps(c->m, c->num, &c->w->kin, &c->w->con);
    *f = sp_con_frame(c->m, c->num, &c->w->con, slot);
    *g = c->w->con.g[slot];
    sp_con_gamma(&c->w->kin, f, gamma);
}

/* Rates against differences; false where the contact jumps, goes around an end or runs fast. */
static bool compare_rates(machine *c, const double *q, const double *u, int slot)
{
    double g[4], gamma[2][4], now[2], x[2], w_bar[2], gap;
    sp_contact_frame f, near;
    bool jumps = false;
    look(c, q, u, 0.0, slot, &gap, now, &f);
    for (int k = 0; k < 4; k++) {
        look(c, q, u, STEP * (k < 2 ? k - 2 : k - 1), slot, &g[k], x, &near);
        gamma[0][k] = x[0];
        gamma[1][k] = x[1];
        jumps = jumps || !(sp_length(sp_sub(f.point[1], near.point[1])) <= 20.0 * STEP) ||
                !(sp_length(sp_sub(f.n, near.n)) <= 20.0 * STEP);
    }
    look(c, q, u, 0.0, slot, &gap, now, &f);
    if (jumps || fabs(f.inv_distance) > 5.0 || fabs(f.radius) > 5.0) {
        return false;
    }
    sp_con_bias(c->m, &c->w->kin, &c->w->con, slot, &f, w_bar);
    assert_near_scaled(slope(g), now[0], 20.0, TOL_RATE);
    assert_near_scaled(slope(gamma[0]), w_bar[0], 50.0, TOL_BIAS);
    assert_near_scaled(slope(gamma[1]), w_bar[1], 50.0, TOL_BIAS);
    return true;
}

/* gamma = W^T u, with W of the marks that the frame has. */
static void compare_columns(machine *c, const double *u, int slot)
{
    const sp_contact_frame f = sp_con_frame(c->m, c->num, &c->w->con, slot);
    const sp_vec e[2] = {f.n, f.t};
    int sup[N_Q];
    double W[2 * N_Q], gamma[2], sum[2] = {0.0, 0.0};
    const int n = sp_pair_rows2(c->m, &c->w->kin, f.mark, f.point, e, sup, W, N_Q);
    sp_con_gamma(&c->w->kin, &f, gamma);
    for (int k = 0; k < n; k++) {
        sum[0] += W[k] * u[sup[k]];
        sum[1] += W[N_Q + k] * u[sup[k]];
    }
    assert_near_scaled(sum[0], gamma[0], 20.0, 1e-14);
    assert_near_scaled(sum[1], gamma[1], 20.0, 1e-14);
}

/* Whether a disc sees a side from behind, where only the gap counts. */
static bool is_behind(machine *c, int slot, const sp_contact_frame *f)
{
    const sp_slot *s = &c->m->slot[slot];
    if (s->kind != SP_SLOT_CURVE) {
        return false;
    }
    const sp_curve *side = sp_skin_curve(c->m, &c->w->con, s->contour_b);
    sp_curve_at p;
    assert_true(sp_curve_eval(side, f->mark[1]->at[0], c->w->con.work, &p));
    const sp_pose2 pose = sp_skin_pose(&c->w->kin, s->body_b);
    return sp_inner(sp_rotate(pose.R, p.n), f->n) < 0.5 && f->mark[1]->at[0] > 0.0 &&
           f->mark[1]->at[0] < side->hi;
}

/* The least distance of a place from points of the material of a side, by the places of the kind.
 */
static double search(machine *c, int contour, double height, sp_vec x)
{
    const int body = c->m->contour[contour].body;
    double least = INFINITY;
    for (int i = 0; i <= 2000; i++) {
        const sp_vec3 at = {2.0 * i / 2000.0, height, 0.0};
        const sp_spot s = sp_spot_at(&c->w->kin, body, at);
        least = fmin(least, sp_length(sp_sub(sp_spot_flat(s.x), x)));
    }
    return least;
}

static void a_bent_side_has_the_gap_and_the_rates_of_its_motion(void **ctx)
{
    (void)ctx;
    machine c = machine_of_text(model);
    rng r = {23};
    int good = 0, left_out = 0;
    assert_int_equal(c.m->n_dof, N_Q);
    for (int n = 0; n < check_cases(30, 1000); n++) {
        for (int slot = 0; slot < c.m->n_slot; slot++) {
            double q[N_Q], u[N_Q], gamma[2], g;
            sp_contact_frame f;
            for (int k = 0; k < N_Q; k++) {
                const bool own = strncmp(c.m->dof[k].name, "beam.e", 6) == 0 ||
                                 strncmp(c.m->dof[k].name, "bow.e", 5) == 0;
                q[k] = rng_in(&r, -1.0, 1.0) * (own ? 0.1 : 1.0);
                u[k] = rng_in(&r, -1.0, 1.0) * (own ? 0.3 : 1.0);
            }
            look(&c, q, u, 0.0, slot, &g, gamma, &f);
            if (!(g > -0.05)) {
                continue; /* deep inside: which point is nearest may change */
            }
            compare_columns(&c, u, slot);
            if (c.m->slot[slot].kind == SP_SLOT_CURVE && n < 5) {
                const int side = c.m->slot[slot].contour_b;
                const double height = c.m->curve[c.m->contour[side].form - 1]->height;
                assert_near_scaled(search(&c, side, height, f.center), fabs(f.g_N + f.radius), 1.0,
                                   1e-5);
            }
            const bool counts = !is_behind(&c, slot, &f) && compare_rates(&c, q, u, slot);
            good += counts;
            left_out += !counts;
        }
    }
    assert_true(good > 60 && left_out < 2 * good);
    machine_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bent_side_has_the_gap_and_the_rates_of_its_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
