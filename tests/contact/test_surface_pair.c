/* Nearest points of balls and surfaces in random motion: gap, directions and rates against
 * differences, against the parameter rates of the corrected equation of the paper, and against a
 * search over many points.   theory (20.8)-(20.15) */
#include "pairs.h"

#include <string.h>

/* Solve 4 equations by elimination with pivots. */
static void solve4(double A[4][5], double x[4])
{
    for (int k = 0; k < 4; k++) {
        int best = k;
        for (int i = k + 1; i < 4; i++) {
            best = fabs(A[i][k]) > fabs(A[best][k]) ? i : best;
        }
        for (int j = 0; j < 5; j++) {
            const double swap = A[k][j];
            A[k][j] = A[best][j];
            A[best][j] = swap;
        }
        for (int i = 0; i < 4; i++) {
            const double factor = i == k ? 0.0 : A[i][k] / A[k][k];
            for (int j = k; j < 5; j++) {
                A[i][j] -= factor * A[k][j];
            }
        }
    }
    for (int k = 0; k < 4; k++) {
        x[k] = A[k][4] / A[k][k];
    }
}

/* A patch with all vectors in the world. */
static sp_surface_patch world_patch(const sp_surface *s, const sp_surface_at *at,
                                    const sp_frame3 *f)
{
    sp_surface_patch p;
    assert_true(sp_surface_eval(s, at, work, &p));
    sp_vec3 *v[] = {&p.r_u, &p.r_v, &p.r_uu, &p.r_uv, &p.r_vv, &p.n};
    for (size_t k = 0; k < sizeof v / sizeof *v; k++) {
        *v[k] = sp_rotate3(f->R, *v[k]);
    }
    p.r = sp_add3(f->x, sp_rotate3(f->R, p.r));
    return p;
}

/* Rates of the parameters by the corrected equation (50) of the paper, body 1 = b, body 2 = a; with
 * them how n turns, against the frame's maps. */
static void compare_equation_50(const pair *p, const sp_frame3 frame[2],
                                const sp_surface_contact *c)
{
    const sp_surface_patch one = world_patch(p->b, &c->at[1], &frame[1]);
    const sp_surface_patch two = world_patch(p->a, &c->at[0], &frame[0]);
    const double det = one.E * one.G - one.F * one.F, g = c->g;
    /* Weingarten: n_s = alpha s + beta t */
    const sp_vec3 n_s = sp_axpy3(sp_scale3((one.F * one.M - one.G * one.L) / det, one.r_u),
                                 (one.F * one.L - one.E * one.M) / det, one.r_v);
    const sp_vec3 n_t = sp_axpy3(sp_scale3((one.F * one.N - one.G * one.M) / det, one.r_u),
                                 (one.F * one.M - one.E * one.N) / det, one.r_v);
    const sp_vec3 O1 = frame[1].omega, O2 = frame[0].omega, turn = sp_sub3(O2, O1);
    const sp_vec3 v1 = sp_add3(frame[1].v, sp_cross3(O1, sp_sub3(one.r, frame[1].x)));
    const sp_vec3 v2 = sp_add3(frame[0].v, sp_cross3(O2, sp_sub3(two.r, frame[0].x)));
    const sp_vec3 slip = sp_sub3(v1, v2), tangent[2] = {two.r_u, two.r_v};
    double A[4][5], rate[4];
    for (int i = 0; i < 2; i++) {
        const sp_vec3 s2 = tangent[i], cross = sp_cross3(s2, one.n);
        A[i][0] = -sp_inner3(s2, n_s);
        A[i][1] = -sp_inner3(s2, n_t);
        A[i][2] = i == 0 ? two.L : two.M;
        A[i][3] = i == 0 ? two.M : two.N;
        A[i][4] = sp_inner3(cross, turn);
        A[2 + i][0] = -sp_inner3(one.r_u, s2);
        A[2 + i][1] = -sp_inner3(one.r_v, s2);
        A[2 + i][2] = (i == 0 ? two.E : two.F) - g * A[i][2];
        A[2 + i][3] = (i == 0 ? two.F : two.G) - g * A[i][3];
        A[2 + i][4] = sp_inner3(s2, slip) - g * sp_inner3(cross, O2);
    }
    solve4(A, rate);
    const sp_vec3 by_paper = sp_axpy3(sp_scale3(rate[0], n_s), rate[1], n_t);
    const sp_contact_frame3 f = contact_frame(frame, c);
    const sp_vec3 turning = sp_cross3(turn, f.n);
    const sp_vec3 sliding =
        sp_sub3(sp_scale3(-1.0, slip), sp_scale3(g, sp_cross3(O1, f.n))); /* a against b */
    for (int i = 0; i < 2; i++) {
        const double *by_turn = i == 0 ? &f.n_by_turn.a11 : &f.n_by_turn.a21;
        const double *by_slip = i == 0 ? &f.n_by_slip.a11 : &f.n_by_slip.a21;
        const double by_maps =
            by_turn[0] * sp_inner3(f.t[0], turning) + by_turn[1] * sp_inner3(f.t[1], turning) +
            by_slip[0] * sp_inner3(f.t[0], sliding) + by_slip[1] * sp_inner3(f.t[1], sliding);
        assert_near_scaled(sp_inner3(f.t[i], by_paper), by_maps, 10.0, 1e-8);
    }
}

/* ---- the tests
 * ----------------------------------------------------------------------------------- */

/* Ends somewhere, so that the end may be nearer than anything inside. */
static bool has_border(int kind)
{
    return kind == SURFACE_CYLINDER || kind == SURFACE_CONE || kind == SURFACE_VASE ||
           kind == SURFACE_EXTRUDED || kind == SURFACE_WAVE || kind == SURFACE_GRID;
}

/* One random pair; kind_a < 0: a ball. */
static void try_pair(rng *r, int kind_a, int kind_b, tally *t)
{
    sp_arena arena;
    sp_arena_init(&arena, NULL, 0);
    sp_surface a, b = surface_random(&arena, r, kind_b);
    pair p = {.b = &b, .center = surface_random_vector(r, 0.5), .m = {random_motion(r)}};
    p.m[1] = random_motion(r);
    p.radius = rng_flip(r) ? rng_in(r, 0.05, 0.5) : 0.0;
    if (kind_a >= 0) {
        a = surface_random(&arena, r, kind_a);
        p.a = &a;
    }
    bring_together(r, rng_flip(r) ? rng_in(r, 0.0, 0.5) : rng_in(r, -0.03, 0.0), &p);
    sp_frame3 frame[2];
    const sp_surface_contact c = meet(&p, 0.0, NULL, frame);
    t->n++;
    t->past += c.fit == SP_FIT_PAST;
    t->flat += c.fit == SP_FIT_FLAT;
    t->lost += c.fit == SP_FIT_LOST;
    if (c.fit == SP_FIT_POINT) {
        compare_conditions(&p, frame, &c);
        if (c.g > 0.0 && !has_border(kind_b) && (kind_a < 0 || !has_border(kind_a))) {
            compare_search(&p, frame, c.g);
        }
        if (p.a) {
            compare_equation_50(&p, frame, &c);
        }
        t->open += c.g > 0.0;
        t->closed += c.g <= 0.0;
    }
    if (c.fit == SP_FIT_POINT || (c.fit == SP_FIT_RIM && p.a)) {
        const bool steady = compare_rates(&p, &c, 30.0);
        t->unsteady += !steady;
        t->rates[c.g <= 0.0] += steady;
    }
    sp_arena_free(&arena);
}

static void a_ball_on_every_surface_has_the_rates_of_its_motion(void **ctx)
{
    (void)ctx;
    rng r = {301};
    for (int b = 0; b < SURFACE_KINDS; b++) {
        tally t = {0};
        for (int n = 0; n < check_cases(20, 400); n++) {
            try_pair(&r, -1, b, &t);
        }
        show("ball", surface_word[b], &t);
        assert_true(t.lost == 0 && t.open > t.n / 5 && t.closed > t.n / 5);
        assert_true(t.rates[0] + t.rates[1] >= t.n - t.n / 10);
    }
}

/* Along a line: no single nearest point, and model files refuse such a contact. */
static bool is_ruled(int kind)
{
    return kind == SURFACE_CYLINDER || kind == SURFACE_CONE || kind == SURFACE_EXTRUDED;
}

enum { TRIES = 100 }; /* until a pair was compared often enough, open and closed */

static void two_surfaces_have_the_rates_of_their_motion(void **ctx)
{
    (void)ctx;
    rng r = {302};
    for (int a = SURFACE_SPHERE; a < SURFACE_KINDS; a++) {
        for (int b = 0; b < SURFACE_KINDS; b++) {
            tally t = {0};
            const int wanted = check_cases(1, 25);
            const bool line = is_ruled(a) && b == SURFACE_PLANE;
            for (int n = 0;
                 n < (line ? 4 : wanted * TRIES) && (t.rates[0] < wanted || t.rates[1] < wanted);
                 n++) {
                try_pair(&r, a, b, &t);
            }
            show(surface_word[a], surface_word[b], &t);
            assert_true(line ? t.flat == t.n : t.rates[0] >= wanted && t.rates[1] >= wanted);
            if (!has_border(a) && !has_border(b) && a != SURFACE_TORUS && b != SURFACE_TORUS) {
                assert_int_equal(t.open + t.closed, t.n); /* convex: always found */
            }
        }
    }
}

/* Inside a hollow ellipsoid, and near the ends of a short tube and the corners of a sheet. */
static void hollow_surfaces_and_their_ends_have_the_rates_too(void **ctx)
{
    (void)ctx;
    static const int kinds[] = {SURFACE_ELLIPSOID, SURFACE_CYLINDER, SURFACE_WAVE, SURFACE_CONE};
    rng r = {303};
    int rims = 0, insides = 0, compared = 0;
    for (int n = 0; n < check_cases(300, 10000); n++) {
        sp_arena arena;
        sp_arena_init(&arena, NULL, 0);
        sp_surface b = surface_random(&arena, &r, kinds[n % 4]);
        b.side = n % 4 == 0 ? -1.0 : 1.0;
        pair p = {.b = &b, .center = surface_random_vector(&r, 0.5), .m = {random_motion(&r)}};
        p.m[1] = random_motion(&r);
        p.radius = rng_flip(&r) ? 0.1 : 0.0;
        const double far = n % 4 == 0 ? 0.3 : 2.5;
        const sp_vec3 center = sp_add3(b.at, surface_random_vector(&r, far)); /* in b's frame */
        p.m[0].x = sp_sub3(sp_add3(p.m[1].x, sp_rotate3(p.m[1].R, center)),
                           sp_rotate3(p.m[0].R, p.center));
        sp_frame3 frame[2];
        const sp_surface_contact c = meet(&p, 0.0, NULL, frame);
        assert_int_not_equal(c.fit, SP_FIT_LOST);
        rims += c.fit == SP_FIT_RIM;
        insides += c.fit == SP_FIT_POINT;
        if (c.fit == SP_FIT_RIM) {
            compare_search(&p, frame, c.g);
        }
        if (c.fit != SP_FIT_FLAT && (c.fit == SP_FIT_POINT || c.g + p.radius > 0.1)) {
            compared += compare_rates(&p, &c, 30.0);
        }
        sp_arena_free(&arena);
    }
    assert_true(rims > 50 && insides > 50 && compared > 150);
}

/* Where closed forms are known. */
static void simple_pairs_have_their_closed_forms(void **ctx)
{
    (void)ctx;
    rng r = {304};
    sp_arena arena;
    sp_arena_init(&arena, NULL, 0);
    for (int n = 0; n < 100; n++) {
        sp_surface a = sp_surface_of(
            SP_SURFACE_ELLIPSOID,
            (double[3]){rng_in(&r, 0.5, 1.0), rng_in(&r, 0.5, 1.0), rng_in(&r, 0.5, 1.0)});
        sp_surface b = sp_surface_of(SP_SURFACE_PLANE, (double[3]){0.0, 0.0, 0.0});
        assert_int_equal(sp_surface_finish(&arena, &a, work, NULL), SP_OK);
        assert_int_equal(sp_surface_finish(&arena, &b, work, NULL), SP_OK);
        const sp_surface_side side_a = {&a, surface_random_vector(&r, 3.0),
                                        surface_random_turn(&r)};
        const sp_surface_side side_b = {&b, surface_random_vector(&r, 3.0),
                                        surface_random_turn(&r)};
        sp_surface_contact c;
        sp_surface_meet(&side_a, &side_b, NULL, work, &c);
        /* an ellipsoid reaches sqrt(a^2 e_x^2 + b^2 e_y^2 + c^2 e_z^2) in a direction e */
        const sp_vec3 n_b = side_b.R.z, e = sp_rotate_back3(side_a.R, n_b);
        const double reach =
            sqrt(pow(a.size[0] * e.x, 2.0) + pow(a.size[1] * e.y, 2.0) + pow(a.size[2] * e.z, 2.0));
        assert_int_equal(c.fit, SP_FIT_POINT);
        assert_near(c.g, sp_inner3(n_b, sp_sub3(side_a.x, side_b.x)) - reach, 1e-13);
        assert_true(c.n_newton <= 1);
    }
    sp_arena_free(&arena);
}

/* What a contact remembers brings it back to the same points with fewer steps. */
static void a_hint_leads_to_the_same_points(void **ctx)
{
    (void)ctx;
    rng r = {305};
    sp_arena arena;
    sp_arena_init(&arena, NULL, 0);
    const sp_surface a = surface_random(&arena, &r, SURFACE_FORMULA);
    const sp_surface b = surface_random(&arena, &r, SURFACE_EGG);
    for (int n = 0; n < 100; n++) {
        pair p = {.a = &a, .b = &b, .m = {random_motion(&r)}};
        p.m[1] = random_motion(&r);
        bring_together(&r, 0.01, &p);
        sp_frame3 frame[2];
        const sp_surface_contact c = meet(&p, 0.0, NULL, frame);
        const sp_surface_side side_a = {&a, frame[0].x, frame[0].R},
                              side_b = {&b, frame[1].x, frame[1].R};
        sp_surface_at at[2];
        const int hint = sp_surface_hint(&side_a, &side_b, &c);
        assert_true(hint > 0 && sp_surface_from_hint(&side_a, &side_b, hint, at));
        const sp_surface_contact again = meet(&p, 0.0, at, frame);
        assert_near(again.g, c.g, 1e-14);
        assert_near(sp_length3(sp_sub3(again.point[0], c.point[0])), 0.0, 1e-12);
        assert_true(again.n_newton < c.n_newton && again.n_newton <= 12);
        assert_false(sp_surface_from_hint(&side_a, &side_b, 1 << 30, at));
    }
    sp_arena_free(&arena);
}

/* Equal curvature: a ball in a hollow ball of its radius, a cylinder on a plane. */
static void surfaces_that_fit_each_other_are_told(void **ctx)
{
    (void)ctx;
    sp_arena arena;
    sp_arena_init(&arena, NULL, 0);
    sp_surface hollow = sp_surface_of(SP_SURFACE_ELLIPSOID, (double[3]){1.0, 1.0, 1.0});
    sp_surface pipe = sp_surface_of(SP_SURFACE_CYLINDER, (double[3]){0.5, 0.0, 1.0});
    sp_surface plane = sp_surface_of(SP_SURFACE_PLANE, (double[3]){0.0, 0.0, 0.0});
    hollow.side = -1.0;
    assert_int_equal(sp_surface_finish(&arena, &hollow, work, NULL), SP_OK);
    assert_int_equal(sp_surface_finish(&arena, &pipe, work, NULL), SP_OK);
    assert_int_equal(sp_surface_finish(&arena, &plane, work, NULL), SP_OK);
    const sp_surface_side in = {&hollow, {0.0, 0.0, 0.0}, sp_rot3_one()};
    sp_surface_contact c;
    sp_surface_meet_ball((sp_vec3){0.0, 0.0, 0.0}, 1.0, &in, work, &c);
    assert_int_equal(c.fit, SP_FIT_FLAT);
    assert_near(c.g, 0.0, 1e-15);
    const sp_surface_side ground = {&plane, {0.0, 0.0, 0.0}, sp_rot3_one()};
    const sp_surface_side lying = {
        &pipe, {0.0, 0.0, 0.6}, {{0.0, 0.0, -1.0}, {0.0, 1.0, 0.0}, {1.0, 0.0, 0.0}}};
    sp_surface_meet(&lying, &ground, NULL, work, &c);
    assert_int_equal(c.fit, SP_FIT_FLAT);
    assert_near(c.g, 0.1, 1e-13);
    const sp_surface_side standing = {&pipe, {0.0, 0.0, 0.6}, sp_rot3_one()};
    sp_surface_meet(&standing, &ground, NULL, work, &c);
    assert_int_equal(c.fit, SP_FIT_RIM); /* somewhere on its lower end, v = -1/2 */
    assert_near(c.g, 0.1, 1e-13);
    assert_near(c.at[0].v, -0.5, 0.0);
    sp_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_on_every_surface_has_the_rates_of_its_motion),
        cmocka_unit_test(two_surfaces_have_the_rates_of_their_motion),
        cmocka_unit_test(hollow_surfaces_and_their_ends_have_the_rates_too),
        cmocka_unit_test(simple_pairs_have_their_closed_forms),
        cmocka_unit_test(a_hint_leads_to_the_same_points),
        cmocka_unit_test(surfaces_that_fit_each_other_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
