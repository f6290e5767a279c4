/* Belts and chains around circles: lengths by closed forms, stations, links that close, their
 * rates. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "model/path.h"

#define PI 3.14159265358979323846

enum { LINKS = 200 };

static void expect_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("%.17g, expected %.17g within %g", value, expected, tolerance);
    }
}

static double distance(sp_vec a, sp_vec b)
{
    return sp_length(sp_sub(a, b));
}

/* theory (70.1): open and crossed belts on two pulleys. */
static void lengths_are_those_of_closed_forms(void **ctx)
{
    (void)ctx;
    const double R = 0.07, r = 0.03, d = 0.2;
    sp_path_circle open[] = {{.at = {0, 0}, .radius = R}, {.at = {d, 0}, .radius = r}};
    sp_path_circle crossed[] = {{.at = {0, 0}, .radius = R}, {.at = {0, d}, .radius = -r}};
    sp_path p = {2, true, open, 0.0}, x = {2, true, crossed, 0.0};
    assert_int_equal(sp_path_lay(&p, NULL), SP_OK);
    const double alpha = asin((R - r) / d), beta = asin((R + r) / d);
    expect_near(p.length, 2 * d * cos(alpha) + PI * (R + r) + 2 * alpha * (R - r), 1e-15);
    assert_int_equal(sp_path_lay(&x, NULL), SP_OK);
    expect_near(x.length, 2 * d * cos(beta) + (R + r) * (PI + 2 * beta), 1e-15);
    expect_near(sp_path_station(&x, x.length).phi - sp_path_station(&x, 0.0).phi, 0.0, 1e-12);
    expect_near(sp_path_station(&p, p.length).phi - sp_path_station(&p, 0.0).phi, 2 * PI, 1e-12);
}

/* Along a path with circles on both sides and a corner: unit speed, direction, no jumps. */
static void stations_go_along_at_unit_speed(void **ctx)
{
    (void)ctx;
    for (int closed = 0; closed < 2; closed++) {
        sp_path_circle c[] = {{.at = {0, 0}, .radius = 0.05},
                              {.at = {0.3, -0.02}, .radius = 0.04},
                              {.at = {0.2, 0.1}, .radius = -0.02},
                              {.at = {0.1, 0.2}, .radius = 0.0},
                              {.at = {-0.1, 0.15}, .radius = 0.03}};
        sp_path p = {5, closed != 0, c, 0.0};
        assert_int_equal(sp_path_lay(&p, NULL), SP_OK);
        const double h = 1e-6;
        int kinks = 0;
        for (double s = -0.1; s < 2.2 * p.length; s += 0.000531) {
            const sp_path_at a = sp_path_station(&p, s - h), b = sp_path_station(&p, s + h);
            const sp_path_at at = sp_path_station(&p, s);
            const sp_vec d = sp_scale(0.5 / h, sp_sub(b.r, a.r));
            if (fabs(sp_length(d) - 1.0) > 1e-3 || fabs(b.phi - a.phi) > 1e-3) {
                kinks++; /* over the corner */
                continue;
            }
            expect_near(d.x, cos(at.phi), 1e-4);
            expect_near(d.y, sin(at.phi), 1e-4);
        }
        assert_true(kinks <= 3);
    }
}

/* Chains of every kind: all links have the pitch, all pins of arcs are on their circles. */
static void check_chain(const sp_path *p, const sp_chain *chain, const sp_path_at *link)
{
    int i = 0;
    for (int k = 0; k < chain->n; k++) {
        const sp_path_at *next = &link[(k + 1) % chain->n];
        expect_near(distance(link[k].r, next->r), chain->pitch, 1e-12);
        const sp_vec e = sp_sub(next->r, link[k].r), dv = sp_sub(next->v, link[k].v);
        expect_near(cos(link[k].phi) * e.y - sin(link[k].phi) * e.x, 0.0, 1e-12);
        if (chain->give == SP_PATH_CIRCLE) { /* links stay as long as they are */
            expect_near(sp_inner(e, dv) / chain->pitch, 0.0, 1e-11);
            expect_near(dv.x, -link[k].omega * e.y, 1e-11);
            expect_near(dv.y, link[k].omega * e.x, 1e-11);
        }
    }
    for (int k = 0; k < p->n; k++) {
        const sp_path_circle *c = &p->circle[(k + 1) % p->n];
        i += p->circle[k].n_strand;
        for (int m = 0; m <= c->n_arc; m++, i++) {
            expect_near(distance(link[i % chain->n].r, c->at), fabs(c->radius), 1e-12);
        }
        i--;
    }
    assert_int_equal(i, chain->n);
    for (int k = 0; k < p->n; k++) { /* no pin of a strand is in a circle */
        for (int m = 0; m < chain->n && p->circle[k].radius > 0.0; m++) {
            const double far = distance(link[m].r, p->circle[k].at);
            assert_true(far >= p->circle[k].radius - 1e-5);
        }
    }
}

static void chains_close_at_any_phase(void **ctx)
{
    (void)ctx;
    sp_path_at link[LINKS], before[LINKS], after[LINKS];
    int n_jump = 0;
    for (int kind = 0; kind < 4; kind++) {
        for (int k = 0; k < 40; k++) {
            const double p = 0.009525, step = 1e-5;
            sp_chain chain = {.n = kind == 3 ? 92 : 66,
                              .pitch = p,
                              .phase = (k - 20) / 40.0,
                              .speed = 3.0,
                              .give = kind == 1 ? SP_PATH_PITCH : SP_PATH_CIRCLE,
                              .circle = kind == 2 ? 0 : 1,
                              .along = {0.8, 0.6}};
            const double R = p / (2 * sin(PI / 19)), r = p / (2 * sin(PI / 38));
            double turned = 0.0; /* by circle 0 from `before` to `after` */
            int numbers[3][3] = {{0}}, other = 0;
            for (int side = -1; side < 2; side++) {
                sp_path_circle c[] = {{.at = {0, 0}, .radius = R},
                                      {.at = {0.15, 0.05}, .radius = kind == 3 ? r : R},
                                      {.at = {0.06, 0.09}, .radius = -0.03}};
                sp_path path = {kind == 2 ? 3 : 2, true, c, 0.0};
                sp_chain one = chain;
                one.phase += side * step;
                sp_error err = {.text = ""};
                assert_int_equal(sp_path_lay(&path, NULL), SP_OK);
                if (sp_path_link(&path, &one,
                                 side < 0   ? before
                                 : side > 0 ? after
                                            : link,
                                 &err) != SP_OK) {
                    fail_msg("kind %d, phase %g: %s", kind, one.phase, err.text);
                }
                const sp_vec arm = sp_sub((side < 0   ? before
                                           : side > 0 ? after
                                                      : link)[0]
                                              .r,
                                          c[0].at);
                turned -= side * atan2(arm.y, arm.x);
                for (int m = 0; m < path.n; m++) {
                    numbers[1 + side][m] = c[m].n_strand;
                    other += side > 0 && c[m].n_strand != numbers[0][m];
                }
                if (side == 0) {
                    check_chain(&path, &one, link);
                    chain.shift = one.shift;
                }
            }
            if (chain.give == SP_PATH_PITCH) {
                continue;
            }
            const double time = remainder(turned, 2 * PI) * R / chain.speed;
            n_jump += other != 0; /* other numbers of links on strands: velocities jump there */
            for (int i = 0; i < chain.n; i++) {
                const sp_vec v = sp_scale(1.0 / time, sp_sub(before[i].r, after[i].r));
                if (!other) {
                    expect_near(v.x, link[i].v.x, 2e-5);
                    expect_near(v.y, link[i].v.y, 2e-5);
                }
            }
        }
    }
    assert_true(n_jump < 12); /* of 120 */
}

/* The polygon effect of two equal sprockets a whole number of links apart: the strand runs parallel
 * and its speed varies by 1/cos(pi/z) while the second sprocket turns exactly as the first. */
static void strands_run_with_the_ripple_of_the_polygon(void **ctx)
{
    (void)ctx;
    static const int teeth[] = {12, 17, 20};
    sp_path_at link[LINKS];
    for (int c = 0; c < 3; c++) {
        const int z = teeth[c];
        const double p = 0.0127, R = p / (2 * sin(PI / z));
        double most = 0.0, least = INFINITY, up = 0.0, down = INFINITY;
        for (int k = 0; k <= 100; k++) {
            sp_path_circle circle[] = {{.at = {0, 0}, .radius = R},
                                       {.at = {10 * p, 0}, .radius = R}};
            sp_path path = {2, true, circle, 0.0};
            sp_chain chain = {.n = 20 + z, .pitch = p, .phase = (k - 50) / 100.0, .speed = 2.0};
            assert_int_equal(sp_path_lay(&path, NULL), SP_OK);
            assert_int_equal(sp_path_link(&path, &chain, link, NULL), SP_OK);
            assert_true(fabs(circle[1].omega - circle[0].omega) < 1e-11);
            most = fmax(most, link[3].v.x);
            least = fmin(least, link[3].v.x);
            up = fmax(up, -link[3].r.y);
            down = fmin(down, -link[3].r.y);
        }
        expect_near(most / least, 1 / cos(PI / z), 1e-12);
        expect_near(up - down, R * (1 - cos(PI / z)), 1e-14);
    }
}

static void chains_that_do_not_close_say_what_is_missing(void **ctx)
{
    (void)ctx;
    const double p = 0.01, R = p / (2 * sin(PI / 20)), miss[] = {2e-9, -4e-9, 0.011, -0.02};
    sp_path_at link[LINKS];
    for (int k = 0; k < 4; k++) { /* 20 links around, 20 in both strands: it closes at 10 p */
        sp_path_circle c[] = {{.at = {0, 0}, .radius = R},
                              {.at = {10 * p + 0.5 * miss[k], 0}, .radius = R}};
        sp_path path = {2, true, c, 0.0};
        sp_chain chain = {.n = 40, .pitch = p};
        sp_error err = {.text = ""};
        char text[80];
        assert_int_equal(sp_path_lay(&path, NULL), SP_OK);
        assert_int_equal(sp_path_link(&path, &chain, link, &err), SP_E_INPUT);
        snprintf(text, sizeof text, ": %.3g m are %s;", fabs(miss[k]),
                 miss[k] > 0 ? "missing" : "too much");
        if (!strstr(err.text, text)) {
            fail_msg("'%s' not in '%s'", text, err.text);
        }
        c[1].at.x = 10 * p + 3e-11;
        assert_int_equal(sp_path_lay(&path, NULL), SP_OK);
        assert_int_equal(sp_path_link(&path, &chain, link, &err), SP_OK);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths_are_those_of_closed_forms),
        cmocka_unit_test(stations_go_along_at_unit_speed),
        cmocka_unit_test(chains_close_at_any_phase),
        cmocka_unit_test(strands_run_with_the_ripple_of_the_polygon),
        cmocka_unit_test(chains_that_do_not_close_say_what_is_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
