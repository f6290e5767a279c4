/* Cuts of curves in hollows that are too narrow: where they are, how many slots there are, and that
 * no gap ever jumps.   theory section 48 */
#include "model/places.h"

#include "support/check.h"
#include "support/machine.h"

#include <stdio.h>

#define PI 3.14159265358979323846

/* A disc that may touch one curve of the ground. */
static machine disc_on(const char *curve, double radius)
{
    char yaml[1000];
    snprintf(yaml, sizeof yaml,
             "specht: 1\nspace: planar\nunits: off\ngravity: 0\nbodies:\n"
             "  ground: {contours: {b: %s}}\n"
             "  a: {mass: 1, inertia: 1, contours: {d: {circle: %.17g}}}\n"
             "contacts: {c: {between: [a, ground], law: {mu: 0}}}\n",
             curve, radius);
    return machine_of_text(yaml);
}

static double gap_at(machine *c, int slot, double x, double y)
{
    const double q[3] = {x, y, 0.0}, u[3] = {0.0, 0.0, 0.0};
    machine_touch(c, q, u, 0.0);
    return c->w->con.g[slot];
}

/* The least distance from many points of the curve. */
static double search(const machine *c, double x, double y)
{
    const sp_curve *b = c->m->curve[0];
    double least = INFINITY;
    for (int i = 0; i <= 20000; i++) {
        sp_curve_at p;
        assert_true(sp_curve_eval(b, b->lo + (b->hi - b->lo) * i / 20000.0, c->w->con.work, &p));
        least = fmin(least, hypot(p.r.x - x, p.r.y - y));
    }
    return least;
}

#define WAVES  "{curve: [s, 0.1 * cos(2*pi*s)], over: [%g, %g]}"
#define OVAL   "{curve: [cos(s), 0.5 * sin(s)], over: [0, 2*pi], inside: yes}"
#define CLOVER "{curve: [(1 + 0.3*cos(%d*s))*cos(s), (1 + 0.3*cos(%d*s))*sin(s)], over: [0, 2*pi]}"

static const char *waves(double from, double to)
{
    static char curve[200];
    snprintf(curve, sizeof curve, WAVES, from, to);
    return curve;
}

static const char *clover(int n)
{
    static char curve[200];
    snprintf(curve, sizeof curve, CLOVER, n, n);
    return curve;
}

/* Curvature in the hollows of the waves: 0.1 (2 pi)^2 = 3.9478. */
static void hollows_are_cut_if_they_are_narrower_than_the_disc(void **ctx)
{
    (void)ctx;
    machine wide = disc_on(waves(-3.0, 3.0), 0.2533); /* 1/r = 3.9479 */
    machine narrow = disc_on(waves(-3.0, 3.0), 0.2534);
    assert_int_equal(wide.m->n_slot, 1);
    assert_null(wide.m->slot[0].places);
    assert_int_equal(narrow.m->n_slot, 4);
    const sp_places *p = narrow.m->slot[3].places;
    assert_int_equal(p->n_stretch, 7);
    for (int i = 0; i < 6; i++) { /* at -2.5, -1.5, ... */
        const sp_curve_stretch *s = &p->stretch[i];
        assert_near(s->sample[s->n - 1].s, -2.5 + i, 1e-4);
        assert_near(s->sample[s->n - 1].s, p->stretch[i + 1].sample[0].s, 0.0);
        assert_string_equal(narrow.m->slot[i % 4].name, i % 4 == 0   ? "c.1"
                                                        : i % 4 == 1 ? "c.2"
                                                        : i % 4 == 2 ? "c.3"
                                                                     : "c.4");
    }
    machine_free(&wide);
    machine_free(&narrow);
}

static void slots_are_as_many_as_stretches_or_few(void **ctx)
{
    (void)ctx;
    static const struct {
        int lobes, slots;
    } closed[] = {{2, 2}, {3, 3}, {5, 5}, {8, 8}, {9, 5}, {10, 5}, {11, 4}, {12, 4}, {17, 6}};
    for (size_t i = 0; i < sizeof closed / sizeof closed[0]; i++) {
        machine c = disc_on(clover(closed[i].lobes), 2.0);
        assert_int_equal(c.m->n_slot, closed[i].slots);
        assert_int_equal(c.m->slot[0].places->n_stretch, closed[i].lobes);
        machine_free(&c);
    }
    for (int n = 1; n <= 200; n = n < 6 ? n + 1 : n + 61) { /* waves, with ends on crests */
        machine c = disc_on(waves(0.0, n), 1.0);
        assert_int_equal(c.m->n_slot, n < 4 ? n + 1 : 4);
        assert_int_equal(c.m->slot[0].places->n_stretch, n + 1);
        machine_free(&c);
    }
}

/* Humps, straight lines and hollows that are wide enough are not cut; the spline has a curvature of
 * 5.8856 in its bottom. */
static void other_pairs_have_one_place(void **ctx)
{
    (void)ctx;
    static const struct {
        const char *curve;
        double radius;
        int slots;
    } c[] = {{OVAL, 0.24, 1},
             {OVAL, 0.26, 2},
             {"{curve: [cos(s), 0.5 * sin(s)], over: [0, 2*pi]}", 5.0, 1},
             {"{curve: [s, 2*s], over: [-1, 1]}", 5.0, 1},
             {"{arc: 1, over: [200 deg, 340 deg], inside: yes}", 0.9, 1},
             {"{arc: 1, over: [200 deg, 340 deg], inside: yes}", 1.1, 2},
             {"{arc: 1, inside: yes}", 1.1, 1},
             {"{arc: 1, over: [110 deg, 430 deg], inside: yes}", 0.34, 1}, /* opening 0.342 */
             {"{arc: 1, over: [110 deg, 430 deg], inside: yes}", 0.35, 3},
             {"{arc: 1, over: [110 deg, 430 deg]}", 0.35, 3},
             {"{arc: 1, over: [60 deg, 120 deg]}", 2.0, 1},
             {"{arc: 1, over: [-10 deg, 190 deg]}", 5.0, 3},
             {"{arc: 1, over: [10 deg, 170 deg]}", 5.0, 1},
             {"{spline: [[-2, 0], [-1, 0], [0, -1], [1, 0], [2, 0]]}", 0.169, 1},
             {"{spline: [[-2, 0], [-1, 0], [0, -1], [1, 0], [2, 0]]}", 0.171, 2}};
    for (size_t i = 0; i < sizeof c / sizeof c[0]; i++) {
        machine m = disc_on(c[i].curve, c[i].radius);
        assert_int_equal(m.m->n_slot, c[i].slots);
        machine_free(&m);
    }
}

/* Gaps are distances from sets: they change by no more than the disc moves, and the least of them
 * is that of the whole curve. */
static void no_gap_jumps(void **ctx)
{
    (void)ctx;
    static const struct {
        const char *curve;
        double radius, lo[2], hi[2];
    } c[] = {
        {"{curve: [s, 0.1 * cos(2*pi*s)], over: [-5, 5]}", 0.5, {-6, 0.1}, {6, 2}},
        {"{curve: [s, 0.03 * cos(2*pi*s)], over: [-26, 26]}", 3.0, {-9, 0.03}, {9, 5}},
        {OVAL, 0.4, {-0.7, -0.3}, {0.7, 0.3}},
        {"{arc: 1, over: [110 deg, 430 deg], inside: yes}", 0.5, {-0.5, -0.5}, {0.5, 0.5}},
        {"{arc: 1, over: [110 deg, 430 deg], inside: yes}", 0.5, {-0.3, 1}, {0.3, 2}},
        {"{spline: [[-2, 0], [-1, 0.2], [0, -1], [0.5, 0.1], [2, 0]]}", 0.8, {-2, 0.3}, {2, 2}}};
    rng r = {48};
    for (size_t i = 0; i < sizeof c / sizeof c[0]; i++) {
        machine m = disc_on(c[i].curve, c[i].radius);
        for (int n = 0; n < check_cases(20, 400); n++) {
            double a[2], b[2], before[8] = {0};
            for (int k = 0; k < 2; k++) {
                a[k] = rng_in(&r, c[i].lo[k], c[i].hi[k]);
                b[k] = rng_in(&r, c[i].lo[k], c[i].hi[k]);
            }
            const int steps = 200;
            const double way = hypot(b[0] - a[0], b[1] - a[1]) / steps;
            for (int k = 0; k <= steps; k++) {
                const double w = (double)k / steps, x = a[0] + w * (b[0] - a[0]),
                             y = a[1] + w * (b[1] - a[1]);
                double least = gap_at(&m, 0, x, y);
                for (int slot = 0; slot < m.m->n_slot; slot++) {
                    const double g = m.w->con.g[slot];
                    assert_true(k == 0 || fabs(g - before[slot]) <= way * (1.0 + 1e-9) + 1e-12);
                    before[slot] = g;
                    least = fmin(least, g);
                }
                if (k == 0) {
                    assert_near(least + c[i].radius, search(&m, x, y), 1e-5);
                }
            }
        }
        machine_free(&m);
    }
}

/* Rates of gaps are those of differences, also where the nearest place is at a cut. */
static void gaps_at_cuts_have_the_rates_of_corners(void **ctx)
{
    (void)ctx;
    machine m = disc_on(waves(-3.0, 3.0), 0.5);
    rng r = {49};
    int at_cut = 0;
    for (int n = 0; n < check_cases(200, 4000); n++) {
        const double x = rng_in(&r, -2.0, 2.0), y = rng_in(&r, 0.45, 1.0), step = 1e-5;
        const double vx = rng_in(&r, -1.0, 1.0), vy = rng_in(&r, -1.0, 1.0);
        for (int slot = 0; slot < m.m->n_slot; slot++) {
            const double q[3] = {x, y, 0.0}, u[3] = {vx, vy, 0.0};
            const double g_p = gap_at(&m, slot, x + step * vx, y + step * vy);
            const double g_m = gap_at(&m, slot, x - step * vx, y - step * vy);
            const double g = gap_at(&m, slot, x, y);
            if (fabs(g_p + g_m - 2.0 * g) > 1e-7) {
                continue; /* a kink between two minima */
            }
            machine_touch(&m, q, u, 0.0);
            double gamma[3];
            sp_con_slot_gamma(m.m, m.num, &m.w->con, slot, gamma);
            assert_near((g_p - g_m) / (2.0 * step), gamma[0], 1e-6);
            const sp_contact_frame f = sp_con_frame(m.m, m.num, &m.w->con, slot);
            at_cut += fabs(f.point[1].x - floor(f.point[1].x) - 0.5) < 1e-9;
        }
    }
    assert_true(at_cut > 50);
    machine_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hollows_are_cut_if_they_are_narrower_than_the_disc),
        cmocka_unit_test(slots_are_as_many_as_stretches_or_few),
        cmocka_unit_test(other_pairs_have_one_place),
        cmocka_unit_test(no_gap_jumps),
        cmocka_unit_test(gaps_at_cuts_have_the_rates_of_corners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
