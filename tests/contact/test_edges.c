/* Corners against edges and corners: which of them can touch.   theory (4.1a)-(4.1c) */
#include "contact/edges.h"
#include "support/check.h"
#include "support/machine.h"

#include <string.h>

enum { CORNERS = 6 };

/* A convex polygon: corners on an ellipse, counter-clockwise. */
typedef struct figure {
    int n;
    double v[CORNERS][2];
} figure;

static figure random_figure(rng *r)
{
    figure f = {.n = 3 + rng_int(r, CORNERS - 2)};
    const double a = rng_in(r, 0.5, 2.0), b = rng_in(r, 0.5, 2.0), turn = rng_in(r, 0.0, 6.28);
    for (int i = 0; i < f.n; i++) {
        const double phi = turn + 6.283185307179586 * (i + rng_in(r, 0.0, 0.7)) / f.n;
        f.v[i][0] = a * cos(phi);
        f.v[i][1] = b * sin(phi);
    }
    return f;
}

static void write_figure(text *out, const char *name, const figure *f)
{
    text_add(out, "  %s: {mass: 1, inertia: 1, joint: {free: ground}, contours: {c: {polygon: [",
             name);
    for (int i = 0; i < f->n; i++) {
        text_add(out, "%s[%.17g, %.17g]", i > 0 ? ", " : "", f->v[i][0], f->v[i][1]);
    }
    text_add(out, "]}}}\n");
}

static machine machine_of(const figure *a, const figure *b)
{
    static text out;
    out.n = 0;
    text_add(&out, "specht: 1\nname: test\nspace: planar\nunits: off\ngravity: 0\nbodies:\n");
    write_figure(&out, "a", a);
    write_figure(&out, "b", b);
    text_add(&out, "contacts: {c: {between: [a.c, b.c], law: {mu: 0.3}}}\n"
                   "run: {until: 1, method: moreau, step: 0.1}\n");
    return machine_of_text(out.s);
}

/* The corners of a figure, turned by phi. */
static figure turned(const figure *f, double phi)
{
    figure g = *f;
    for (int i = 0; i < f->n; i++) {
        g.v[i][0] = cos(phi) * f->v[i][0] - sin(phi) * f->v[i][1];
        g.v[i][1] = sin(phi) * f->v[i][0] + cos(phi) * f->v[i][1];
    }
    return g;
}

/* How far b is in front of the edges of a, and the normal where that is most. */
static double in_front(const figure *a, const figure *b, double n[2])
{
    double most = -INFINITY;
    for (int i = 0; i < a->n; i++) {
        const double *v = a->v[i], *w = a->v[(i + 1) % a->n];
        const double length = hypot(w[0] - v[0], w[1] - v[1]);
        const double m[2] = {(w[1] - v[1]) / length, (v[0] - w[0]) / length};
        double least = INFINITY;
        for (int k = 0; k < b->n; k++) {
            least = fmin(least, m[0] * (b->v[k][0] - v[0]) + m[1] * (b->v[k][1] - v[1]));
        }
        if (least > most) {
            most = least;
            memcpy(n, m, sizeof m);
        }
    }
    return most;
}

/* q of two figures that overlap by depth (< 0: are apart) along their best separating axis; false
 * where the axis changes to and fro. */
static bool put_together(rng *r, const figure *a, const figure *b, double depth, double *q)
{
    const double phi[2] = {rng_in(r, 0.0, 6.28), rng_in(r, 0.0, 6.28)};
    const double way = rng_in(r, 0.0, 6.28);
    figure f = turned(a, phi[0]), g = turned(b, phi[1]);
    double n[2], m[2], x[2] = {5.0 * cos(way), 5.0 * sin(way)}, move = INFINITY;
    for (int pass = 0; pass < 60; pass++) { /* the axis may change as b comes nearer */
        figure h = g;
        for (int i = 0; i < h.n; i++) {
            h.v[i][0] += x[0];
            h.v[i][1] += x[1];
        }
        const double ab = in_front(&f, &h, n), ba = in_front(&h, &f, m);
        move = fmax(ab, ba) + depth;
        const double *axis = ab >= ba ? n : m, sign = ab >= ba ? -1.0 : 1.0;
        x[0] += sign * move * axis[0];
        x[1] += sign * move * axis[1];
    }
    const double all[6] = {0.0, 0.0, phi[0], x[0], x[1], phi[1]};
    memcpy(q, all, sizeof all);
    return fabs(move) < 1e-6 * fabs(depth);
}

/* Whether a corner of b is inside a. */
static bool has_corner_in(const figure *a, const figure *b)
{
    for (int k = 0; k < b->n; k++) {
        bool inside = true;
        for (int i = 0; i < a->n; i++) {
            const double *v = a->v[i], *w = a->v[(i + 1) % a->n];
            inside =
                inside && (w[0] - v[0]) * (b->v[k][1] - v[1]) > (w[1] - v[1]) * (b->v[k][0] - v[0]);
        }
        if (inside) {
            return true;
        }
    }
    return false;
}

/* The two figures at q. */
static bool are_corners_inside(const figure *a, const figure *b, const double *q)
{
    figure f = turned(a, q[2]), g = turned(b, q[5]);
    for (int i = 0; i < g.n; i++) {
        g.v[i][0] += q[3] - q[0];
        g.v[i][1] += q[4] - q[1];
    }
    return has_corner_in(&f, &g) || has_corner_in(&g, &f);
}

/* The smallest gap of two figures that overlap or are apart by so much, and whether a corner of one
 * is inside the other. */
static double least_gap(rng *r, double depth, bool *inside)
{
    const figure a = random_figure(r), b = random_figure(r);
    machine c = machine_of(&a, &b);
    const double u[6] = {0.0};
    double q[6], least = INFINITY;
    while (!put_together(r, &a, &b, depth, q)) {
    }
    machine_touch(&c, q, u, -INFINITY);
    for (int i = 0; i < c.m->n_slot; i++) {
        least = fmin(least, c.w->con.g[i]);
    }
    *inside = are_corners_inside(&a, &b, q);
    machine_free(&c);
    return least;
}

/* Only two tips that cross have no corner inside the other; bodies do not come there without one
 * having been inside before. */
static void two_polygons_that_overlap_have_a_corner_that_says_how_deep(void **ctx)
{
    (void)ctx;
    rng r = {431};
    int crossed = 0;
    for (int n = 0; n < check_cases(200, 20000); n++) {
        bool inside;
        const double depth = pow(10.0, rng_in(&r, -8.0, -3.0));
        const double gap = least_gap(&r, depth, &inside);
        crossed += !inside;
        if (inside) {
            assert_near_scaled(gap, -depth, depth, 1e-3);
        }
    }
    print_message("%d are tips that cross\n", crossed);
}

static void two_polygons_that_are_apart_have_no_closed_gap(void **ctx)
{
    (void)ctx;
    rng r = {432};
    for (int n = 0; n < check_cases(200, 20000); n++) {
        const double way = pow(10.0, rng_in(&r, -8.0, 0.0));
        bool inside;
        assert_true(least_gap(&r, -way, &inside) > 0.999 * way && !inside);
    }
}

/* Boxes of 2 x 2 at x, y: corners of a near the corner of b that it comes to level with the top. */
static void a_corner_does_not_see_the_end_of_what_it_glides_on(void **ctx)
{
    (void)ctx;
    const figure box = {4, {{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}}};
    machine c = machine_of(&box, &box);
    const double u[6] = {0.0};
    for (double x = -2.1; x < 2.1; x += 1e-3) { /* a on top of b, over one end and the other */
        const double q[6] = {x, 2.0, 0.0, 0.0, 0.0, 0.0};
        machine_touch(&c, q, u, -INFINITY);
        int closed = 0;
        for (int i = 0; i < c.m->n_slot; i++) {
            const sp_contact_frame f = sp_con_frame(c.m, c.num, &c.w->con, i);
            if (c.w->con.g[i] <= SP_GAP_ACTIVE) {
                closed++;
                assert_true(fabs(f.n.x) < 1e-12); /* it is carried, nothing stands in its way */
            }
        }
        assert_int_equal(closed, fabs(x) < 2.0 - 1e-6 ? (fabs(x) < 1e-9 ? 4 : 2) : 0);
    }
    machine_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_polygons_that_overlap_have_a_corner_that_says_how_deep),
        cmocka_unit_test(two_polygons_that_are_apart_have_no_closed_gap),
        cmocka_unit_test(a_corner_does_not_see_the_end_of_what_it_glides_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
