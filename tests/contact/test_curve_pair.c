/* Slots with arcs, splines and curves by expressions: gaps against many points of the curves, rates
 * of gap and velocities against differences.   theory (20.16)-(20.18) */
#include "contact/curve_pair.h"
#include "model/teeth.h"

#include "support/check.h"
#include "support/machine.h"

#include <string.h>

/* Two free bodies; the contours of the second are those of the ground as well, moved by it. */
static const char *const model =
    "specht: 1\n"
    "name: Curves\n"
    "space: planar\n"
    "gravity: 0\n"
    "parameters: {r: 0.5 m}\n"
    "bodies:\n"
    "  a:\n"
    "    mass: 1 kg\n"
    "    inertia: 1 kg*m^2\n"
    "    contours:\n"
    "      point: {point: [0.1 m, 0.2 m]}\n"
    "      disc: {circle: 0.3 m, at: [0.1 m, 0]}\n"
    "      oval: {spline: [[0.5 m, 0], [0, 0.3 m], [-0.5 m, 0], [0, -0.3 m]], closed: yes}\n"
    "      bow: {arc: 0.7 m, over: [-40 deg, 80 deg], turn: 20 deg, at: [0.1 m, -0.1 m]}\n"
    "      plate: {polygon: [[0.5 m, -0.1 m], [0.4 m, 0.3 m], [-0.3 m, 0.2 m], [-0.2 m, -0.2 m]]}\n"
    "      blade: {segment: [[-0.3 m, 0.1 m], [0.4 m, -0.1 m]]}\n"
    "  b:\n"
    "    mass: 1 kg\n"
    "    inertia: 1 kg*m^2\n"
    "    contours:\n"
    "      line: {line: [0.6, 0.8], at: [0.1 m, 0.2 m]}\n"
    "      bump: {arc: 0.8 m, over: [10 deg, 130 deg], at: [0.2 m, 0]}\n"
    "      round: {arc: 0.6 m}\n"
    "      dent: {arc: 2 m, over: [200 deg, 320 deg], inside: yes, at: [0, 1 m]}\n"
    "      cam: {curve: [(r + 0.1 m * cos(s))*cos(s), (r + 0.1 m * cos(s))*sin(s)], over: [0, "
    "2*pi]}\n"
    "      hill: {spline: [[-1 m, 0], [-0.4 m, 0.1 m], [0, 0.3 m], [0.5 m, 0.1 m], [1 m, 0]]}\n"
    "contacts:\n"
    "  discs: {between: [[a.point, a.disc], [b.bump, b.round, b.dent, b.cam, b.hill]], law: {mu: "
    "0.1}}\n"
    "  lines: {between: [[a.oval, a.bow], b.line], law: {mu: 0.1}}\n"
    "  curves: {between: [[a.oval, a.bow], [b.bump, b.round, b.cam]], law: {mu: 0.1}}\n"
    "  edges: {between: [[a.plate, a.blade], [b.bump, b.round, b.dent, b.cam, b.hill]], law: {mu: "
    "0.1}}\n"
    "run: {until: 1 s, method: moreau, step: 1 ms}\n";

enum { N_Q = 6 };
#define STEP 1e-4
/* Differences of fourth order: eps/STEP, and STEP^4 times the fifth derivative, which curvatures to
 * some 1/0.1 m make large; the knots of splines are left out. */
#define TOL_RATE 1e-8
#define TOL_BIAS 1e-6

static double slope(const double f[4])
{
    return (f[0] - 8.0 * f[1] + 8.0 * f[2] - f[3]) / (12.0 * STEP);
}

/* Gap, relative velocities and points of a slot at q + t u. */
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

/* Whether a spline has a knot within reach of a point of its body, given in the world. */
static bool near_knot(machine *c, int contour, sp_vec x)
{
    const sp_contour *k = &c->m->contour[contour];
    const sp_curve *s = k->kind == SP_CONTOUR_CURVE ? c->m->curve[k->form - 1] : NULL;
    for (int i = 0; s && s->teeth && i < s->n_sample; i++) { /* also of the arcs of a sprocket */
        const sp_vec at = sp_kin_place(&c->w->kin.frame[k->body], s->sample[i].r);
        if (i % 4 == 0 && sp_length(sp_sub(at, x)) < 0.003) {
            return true;
        }
    }
    if (!s || s->kind != SP_CURVE_SPLINE) {
        return false;
    }
    for (int i = 0; i < s->n; i++) {
        const sp_vec knot = sp_kin_place(&c->w->kin.frame[k->body], (sp_vec){s->x[i], s->y[i]});
        if (sp_length(sp_sub(knot, x)) < 0.01) {
            return true;
        }
    }
    return false;
}

/* Rates against differences; false where the contact jumps, runs fast or meets a knot. */
static bool compare_rates(machine *c, const double *q, const double *u, int slot)
{
    double g[4], gamma[2][4], now[2], x[2], w_bar[2], gap;
    sp_contact_frame f, near;
    bool jumps = false;
    look(c, q, u, 0.0, slot, &gap, now, &f);
    const int feature = c->w->con.feature[slot]; /* w_bar jumps where it changes */
    for (int k = 0; k < 4; k++) {
        look(c, q, u, STEP * (k < 2 ? k - 2 : k - 1), slot, &g[k], x, &near);
        gamma[0][k] = x[0];
        gamma[1][k] = x[1];
        jumps = jumps || !(sp_length(sp_sub(f.point[1], near.point[1])) <= 100.0 * STEP) ||
                feature != c->w->con.feature[slot] || (f.radius == 0.0) != (near.radius == 0.0);
    }
    look(c, q, u, 0.0, slot, &gap, now, &f);
    const sp_slot *s = &c->m->slot[slot];
    if (jumps || fabs(f.inv_distance) > 20.0 || fabs(f.radius) > 20.0 ||
        near_knot(c, s->contour_a, f.point[0]) || near_knot(c, s->contour_b, f.point[1])) {
        return false;
    }
    sp_con_bias(c->m, &c->w->kin, &c->w->con, slot, &f, w_bar);
    assert_near_scaled(f.g_N, gap, 1.0, 0.0);
    assert_near_scaled(slope(g), now[0], 20.0, TOL_RATE);
    assert_near_scaled(slope(gamma[0]), w_bar[0], 50.0, TOL_BIAS);
    assert_near_scaled(slope(gamma[1]), w_bar[1], 50.0, TOL_BIAS);
    return true;
}

/* The smallest distance of many points of a curve from a place of the world. */
static double search(machine *c, int contour, sp_vec x)
{
    const sp_contour *k = &c->m->contour[contour];
    const sp_curve *s = c->m->curve[k->form - 1];
    double least = INFINITY;
    for (int i = 0; i <= 4000; i++) {
        sp_curve_at p;
        assert_true(sp_curve_eval(s, s->lo + (s->hi - s->lo) * i / 4000.0, c->w->con.work, &p));
        const sp_vec at = sp_kin_place(&c->w->kin.frame[k->body], p.r);
        least = fmin(least, sp_length(sp_sub(at, x)));
    }
    return least;
}

/* The smallest distance of many points of the boundary of a polygon from many points of a curve. */
static double search_edges(machine *c, int edges, int curve)
{
    const sp_contour *k = &c->m->contour[edges];
    double least = INFINITY;
    for (int j = 0; j < k->n_vertex; j++) {
        const sp_vec from = c->w->con.vertex[k->vertex + j],
                     to = c->w->con.vertex[k->vertex + (j + 1) % k->n_vertex];
        for (int i = 0; i <= 50; i++) {
            const double d = search(c, curve, sp_axpy(from, i / 50.0, sp_sub(to, from)));
            least = fmin(least, d);
        }
    }
    return least;
}

/* The least gap of all slots of a pair that can touch. */
static double gap_of_pair(const machine *c, int slot)
{
    const sp_slot *s = &c->m->slot[slot];
    double least = s->n_part > 1 ? INFINITY : c->w->con.g[slot];
    for (int i = 0; i < s->n_part; i++) {
        const int k = slot - s->part + i;
        least = c->w->con.barred[k] ? least : fmin(least, c->w->con.g[k]);
    }
    return least;
}

/* An open gap is the smallest distance, here of a disc's centre or of the other curve's points. */
static void compare_search(machine *c, int slot, const sp_contact_frame *f)
{
    const sp_slot *s = &c->m->slot[slot];
    if (s->kind == SP_SLOT_CURVE) {
        assert_near_scaled(search(c, s->contour_b, f->center), f->g_N + f->radius, 1.0, 1e-5);
    } else if (s->kind == SP_SLOT_CURVE_EDGES &&
               c->m->contour[s->contour_b].kind == SP_CONTOUR_POLYGON &&
               gap_of_pair(c, slot) > 1e-3) {
        const double found = search_edges(c, s->contour_b, s->contour_a);
        const double g = gap_of_pair(c, slot);
        /* points are 14 mm apart: between two of them the distance is 7 mm^2/2g less at most */
        assert_true(g < found + 1e-6 && found < g + 3e-5 / g);
    } else if (s->kind == SP_SLOT_CURVES) {
        const sp_contour *k = &c->m->contour[s->contour_a];
        const sp_curve *a = c->m->curve[k->form - 1];
        for (int i = 0; i < a->n_sample; i++) {
            const sp_vec x = sp_kin_place(&c->w->kin.frame[k->body], a->sample[i].r);
            assert_true(search(c, s->contour_b, x) > f->g_N - 1e-9);
        }
    }
}

/* Two curves without ends. */
static bool both_closed(machine *c, int slot)
{
    const sp_slot *s = &c->m->slot[slot];
    return s->kind == SP_SLOT_CURVES && c->m->curve[c->m->contour[s->contour_a].form - 1]->closed &&
           c->m->curve[c->m->contour[s->contour_b].form - 1]->closed;
}

static void every_slot_has_the_gap_and_the_rates_of_its_motion(void **ctx)
{
    (void)ctx;
    machine c = machine_of_text(model);
    rng r = {88};
    int open = 0, closed = 0, left_out = 0, lost = 0;
    for (int n = 0; n < check_cases(30, 400); n++) {
        for (int slot = 0; slot < c.m->n_slot; slot++) {
            double q[N_Q], u[N_Q], gamma[2], g;
            sp_contact_frame f;
            for (int k = 0; k < N_Q; k++) {
                q[k] = rng_in(&r, -1.0, 1.0) * (k % 3 == 2 ? 3.0 : 1.0);
                u[k] = rng_in(&r, -1.0, 1.0);
            }
            look(&c, q, u, 0.0, slot, &g, gamma, &f);
            lost += g != g && both_closed(&c, slot) && hypot(q[3] - q[0], q[4] - q[1]) > 1.0;
            if (!(g > -0.1) || c.w->con.barred[slot]) {
                continue; /* deep inside: which point is nearest may change */
            }
            if (g > 1e-3 && n < 3) {
                compare_search(&c, slot, &f);
            }
            const bool good = compare_rates(&c, q, u, slot);
            left_out += !good;
            open += good && g > 0.0;
            closed += good && g <= 0.0;
        }
    }
    assert_true(open > 50 && closed > 10 && 2 * left_out < open + closed);
    assert_int_equal(lost, 0); /* but for deep overlap, nearest points are always found */
    machine_free(&c);
}

/* Rollers, corners and lines about a sprocket: gaps against many points, rates of their motion away
 * from the joints of arcs; rollers in the seats touch exactly, on the pitch circle. */
static void rollers_meet_a_sprocket(void **ctx)
{
    (void)ctx;
    machine c = machine_of_text("specht: 1\n"
                                "name: Sprocket\n"
                                "space: planar\n"
                                "gravity: 0\n"
                                "parameters: {z: 11, p: 0.3 m, d: 0.19 m}\n"
                                "bodies:\n"
                                "  a: {mass: 1 kg, inertia: 1 kg*m^2, contours: {pin: {circle: "
                                "d/2}, tip: {point: [0, 0]}}}\n"
                                "  b: {mass: 1 kg, inertia: 1 kg*m^2,\n"
                                "      contours: {teeth: {sprocket: z, pitch: p, roller: d, at: "
                                "[0.1 m, 0], turn: 20 deg}}}\n"
                                "contacts: {c: {between: [a, b], law: {mu: 0.1}}}\n"
                                "run: {until: 1 s, method: moreau, step: 1 ms}\n");
    const sp_teeth *t = c.m->curve[0]->teeth;
    rng r = {91};
    int good = 0, n_closed = 0;
    assert_int_equal(c.m->n_slot, 2); /* one place is enough for a roller */
    for (int n = 0; n < check_cases(400, 20000); n++) {
        double q[N_Q] = {0}, u[N_Q], gamma[2], g;
        sp_contact_frame f;
        const double angle = rng_in(&r, -3.2, 3.2), far = t->tip * rng_in(&r, 0.8, 1.6);
        const int slot = n % 2;
        q[0] = 0.1 + far * cos(angle);
        q[1] = far * sin(angle);
        for (int k = 0; k < N_Q; k++) {
            u[k] = rng_in(&r, -0.5, 0.5);
        }
        look(&c, q, u, 0.0, slot, &g, gamma, &f);
        if (!(g > -0.02)) {
            continue;
        }
        if (g > 0.1) { /* many points are 2 mm apart */
            compare_search(&c, slot, &f);
        }
        const bool done = compare_rates(&c, q, u, slot);
        good += done;
        n_closed += done && g <= 0.0;
    }
    assert_true(good > check_cases(150, 8000) && n_closed > check_cases(5, 300));
    for (int k = 0; k < 11; k++) {
        const double angle = 0.3490658503988659 + k * t->angle;
        double u[N_Q] = {0}, gamma[2], g;
        const double q[N_Q] = {0.1 + t->pitch_radius * cos(angle), t->pitch_radius * sin(angle)};
        sp_contact_frame f;
        look(&c, q, u, 0.0, 0, &g, gamma, &f);
        assert_near(g, 0.0, 1e-15);
        assert_near(f.n.x, cos(angle), 1e-11); /* round-off over the clearance of the seat */
        assert_near(f.n.y, sin(angle), 1e-11);
    }
    machine_free(&c);
}

/* A whole arc is the same as a circle or a hole. */
static void a_whole_arc_is_a_circle(void **ctx)
{
    (void)ctx;
    machine c = machine_of_text(
        "specht: 1\n"
        "name: Arcs\n"
        "space: planar\n"
        "gravity: 0\n"
        "bodies:\n"
        "  ground: {contours: {c: {circle: 0.4 m, at: [1 m, 0]}, h: {circle: 2 m, inside: yes},\n"
        "                      ca: {arc: 0.4 m, at: [1 m, 0]}, ha: {arc: 2 m, inside: yes}}}\n"
        "  a: {mass: 1 kg, inertia: 1 kg*m^2, contours: {d: {circle: 0.1 m, at: [0.2 m, 0]}}}\n"
        "contacts: {p: {between: [a.d, [ground.c, ground.h]], law: {mu: 0}},\n"
        "           q: {between: [a.d, [ground.ca, ground.ha]], law: {mu: 0}}}\n"
        "run: {until: 1 s, method: moreau, step: 1 ms}\n");
    rng r = {89};
    for (int n = 0; n < 100; n++) {
        double q[3], u[3];
        for (int k = 0; k < 3; k++) {
            q[k] = rng_in(&r, -1.5, 1.5);
            u[k] = rng_in(&r, -1.0, 1.0);
        }
        machine_touch(&c, q, u, -INFINITY);
        for (int slot = 0; slot < 2; slot++) {
            const sp_contact_frame f = sp_con_frame(c.m, c.num, &c.w->con, slot);
            const sp_contact_frame g = sp_con_frame(c.m, c.num, &c.w->con, slot + 2);
            double w[2], v[2];
            sp_con_bias(c.m, &c.w->kin, &c.w->con, slot, &f, w);
            sp_con_bias(c.m, &c.w->kin, &c.w->con, slot + 2, &g, v);
            assert_near(g.g_N, f.g_N, 1e-14);
            assert_near(g.n.x, f.n.x, 1e-13);
            assert_near(g.n.y, f.n.y, 1e-13);
            assert_near(v[0], w[0], 1e-10);
            assert_near(v[1], w[1], 1e-10);
        }
    }
    machine_free(&c);
}

/* An ellipse over a line: with h = sqrt(a^2 sin^2 + b^2 cos^2) of its angle, g_N = y - h and
 * w_bar_N = -h'' omega^2. */
static void an_ellipse_on_a_line_has_its_closed_form(void **ctx)
{
    (void)ctx;
    machine c = machine_of_text(
        "specht: 1\n"
        "name: Ellipse\n"
        "space: planar\n"
        "gravity: 0\n"
        "bodies:\n"
        "  ground: {contours: {floor: {line: [0, 1]}}}\n"
        "  a: {mass: 1 kg, inertia: 1 kg*m^2,\n"
        "      contours: {rim: {curve: [2 m * cos(s), 1 m * sin(s)], over: [-pi, pi]}}}\n"
        "contacts: {p: {between: [a.rim, ground.floor], law: {mu: 0}}}\n"
        "run: {until: 1 s, method: moreau, step: 1 ms}\n");
    rng r = {90};
    for (int n = 0; n < 200; n++) {
        const double q[3] = {rng_in(&r, -1.0, 1.0), rng_in(&r, 0.5, 3.0), rng_in(&r, -4.0, 4.0)};
        const double u[3] = {rng_in(&r, -1.0, 1.0), rng_in(&r, -1.0, 1.0), rng_in(&r, -3.0, 3.0)};
        const double s = sin(q[2]), k = cos(q[2]), h = sqrt(4.0 * s * s + k * k);
        const double h_1 = 3.0 * s * k / h, h_2 = 3.0 * (k * k - s * s) / h - h_1 * h_1 / h;
        double gamma[2], w_bar[2];
        machine_touch(&c, q, u, -INFINITY);
        const sp_contact_frame f = sp_con_frame(c.m, c.num, &c.w->con, 0);
        sp_con_gamma(&c.w->kin, &f, gamma);
        sp_con_bias(c.m, &c.w->kin, &c.w->con, 0, &f, w_bar);
        assert_near(f.g_N, q[1] - h, 1e-14);
        assert_near(gamma[0], u[1] - h_1 * u[2], 1e-12);
        assert_near_scaled(w_bar[0], -h_2 * u[2] * u[2], 30.0, 1e-12);
    }
    machine_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_slot_has_the_gap_and_the_rates_of_its_motion),
        cmocka_unit_test(rollers_meet_a_sprocket),
        cmocka_unit_test(a_whole_arc_is_a_circle),
        cmocka_unit_test(an_ellipse_on_a_line_has_its_closed_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
