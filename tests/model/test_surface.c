/* Places, derivatives, normals and curvatures of every kind of surface; charts; bad numbers.
 * theory (20.3)-(20.7) */
#include "model/surface.h"

#include "support/surface.h"

#include <stdio.h>
#include <string.h>

static const double PI = 3.14159265358979323846;
static double work[SURFACE_WORK];

/* Central differences with h = 1e-4: h^2 in values of size 1 to 50. */
#define TOL_DIFFERENCE 2e-6

/* Whether a difference would reach over a knot of a spline, where third derivatives jump. */
static bool near_knot(int n, const double *knot, double x)
{
    for (int k = 0; k < n; k++) {
        if (fabs(x - knot[k]) < 2e-4) {
            return true;
        }
    }
    return false;
}

static bool delicate(const sp_surface *s, const sp_surface_at *at)
{
    if (s->kind == SP_SURFACE_GRID) {
        return near_knot(s->grid.n[0], s->grid.knot[0], at->u) ||
               near_knot(s->grid.n[1], s->grid.knot[1], at->v);
    }
    return s->curve &&
           near_knot(s->curve->n, s->curve->knot, s->kind == SP_SURFACE_EXTRUDED ? at->u : at->v);
}

static sp_surface_at random_place(const sp_surface *s, rng *r)
{
    const double lo[2] = {s->n_sample ? s->lo[0] : -2.0, s->n_sample ? s->lo[1] : -2.0};
    const double hi[2] = {s->n_sample ? s->hi[0] : 2.0, s->n_sample ? s->hi[1] : 2.0};
    const double a = rng_in(r, 0.05, 0.95), b = rng_in(r, 0.05, 0.95);
    return (sp_surface_at){0, lo[0] + a * (hi[0] - lo[0]), lo[1] + b * (hi[1] - lo[1])};
}

static void assert_vector(sp_vec3 a, sp_vec3 b, double scale, double tol)
{
    assert_near_scaled(a.x, b.x, scale, tol);
    assert_near_scaled(a.y, b.y, scale, tol);
    assert_near_scaled(a.z, b.z, scale, tol);
}

/* Difference of a vector of the patch along u or v. */
static sp_vec3 difference(const sp_surface *s, const sp_surface_at *at, bool v, size_t member)
{
    const double h = 1e-4;
    sp_vec3 x[2];
    for (int k = 0; k < 2; k++) {
        sp_surface_at near = *at;
        sp_surface_patch p;
        *(v ? &near.v : &near.u) += k == 0 ? -h : h;
        assert_true(sp_surface_eval(s, &near, work, &p));
        memcpy(&x[k], (char *)&p + member, sizeof x[k]);
    }
    return sp_scale3(0.5 / h, sp_sub3(x[1], x[0]));
}

/* dn along a direction of u, v against K. */
static void compare_bend(const sp_surface *s, const sp_surface_at *at, const sp_surface_patch *p)
{
    for (int k = 0; k < 2; k++) {
        const sp_vec3 dn = difference(s, at, k, offsetof(sp_surface_patch, n));
        const sp_vec3 dr = k == 0 ? p->r_u : p->r_v;
        const double xi[2] = {sp_inner3(p->e[0], dr), sp_inner3(p->e[1], dr)};
        assert_near_scaled(sp_inner3(dn, p->n), 0.0, 10.0, TOL_DIFFERENCE);
        assert_near_scaled(sp_inner3(dn, p->e[0]), p->K[0] * xi[0] + p->K[1] * xi[1], 10.0,
                           TOL_DIFFERENCE);
        assert_near_scaled(sp_inner3(dn, p->e[1]), p->K[1] * xi[0] + p->K[2] * xi[1], 10.0,
                           TOL_DIFFERENCE);
        double step[2];
        sp_surface_step(p, xi, step);
        assert_near(step[k], 1.0, 1e-12);
        assert_near(step[1 - k], 0.0, 1e-12);
    }
}

static void derivatives_normal_and_curvature_agree_with_differences(void **ctx)
{
    (void)ctx;
    rng r = {71};
    for (int kind = 0; kind < SURFACE_KINDS; kind++) {
        for (int n = 0; n < check_cases(8, 200); n++) {
            sp_arena a;
            sp_arena_init(&a, NULL, 0);
            sp_surface s = surface_random(&a, &r, kind);
            s.side = rng_flip(&r) ? 1.0 : -1.0;
            for (int k = 0; k < 10; k++) {
                const sp_surface_at at = random_place(&s, &r);
                sp_surface_patch p;
                if (delicate(&s, &at)) {
                    continue;
                }
                assert_true(sp_surface_eval(&s, &at, work, &p));
                assert_vector(p.r_u, difference(&s, &at, false, offsetof(sp_surface_patch, r)), 5.0,
                              TOL_DIFFERENCE);
                assert_vector(p.r_v, difference(&s, &at, true, offsetof(sp_surface_patch, r)), 5.0,
                              TOL_DIFFERENCE);
                assert_vector(p.r_uu, difference(&s, &at, false, offsetof(sp_surface_patch, r_u)),
                              10.0, TOL_DIFFERENCE);
                assert_vector(p.r_uv, difference(&s, &at, true, offsetof(sp_surface_patch, r_u)),
                              10.0, TOL_DIFFERENCE);
                assert_vector(p.r_vv, difference(&s, &at, true, offsetof(sp_surface_patch, r_v)),
                              10.0, TOL_DIFFERENCE);
                assert_near(sp_length3(p.n), 1.0, 1e-14);
                compare_bend(&s, &at, &p);
            }
            sp_arena_free(&a);
        }
    }
}

/* Gauss and mean curvature from the two forms against known surfaces. */
static void curvatures_are_those_of_the_textbook(void **ctx)
{
    (void)ctx;
    const sp_surface ball = sp_surface_of(SP_SURFACE_ELLIPSOID, (double[3]){2.0, 2.0, 2.0});
    const sp_surface ring = sp_surface_of(SP_SURFACE_TORUS, (double[3]){3.0, 0.5, 0.0});
    const sp_surface pipe = sp_surface_of(SP_SURFACE_CYLINDER, (double[3]){0.25, 0.0, 1.0});
    for (double v = -1.2; v < 1.3; v += 0.4) {
        const sp_surface_at at = {0, 0.7, v};
        sp_surface_patch p;
        assert_true(sp_surface_eval(&ball, &at, work, &p));
        assert_near(p.K[0], 0.5, 1e-14);
        assert_near(p.K[1], 0.0, 1e-14);
        assert_near(p.K[2], 0.5, 1e-14);
        assert_true(sp_surface_eval(&ring, &at, work, &p));
        const double gauss = (p.L * p.N - p.M * p.M) / (p.E * p.G - p.F * p.F);
        assert_near(gauss, cos(v) / (0.5 * (3.0 + 0.5 * cos(v))), 1e-13);
        assert_near(p.K[0] * p.K[2] - p.K[1] * p.K[1], gauss, 1e-13);
        assert_near(p.K[0] + p.K[2], 2.0 + cos(v) / (3.0 + 0.5 * cos(v)), 1e-13);
        assert_true(sp_surface_eval(&pipe, &at, work, &p));
        assert_near(p.K[0], 4.0, 1e-14);
        assert_near(p.K[2], 0.0, 1e-14);
    }
}

/* Two charts of one surface at the same point: place, normal and principal curvatures. */
static void compare_charts(const sp_surface *s, const sp_surface_at *one, const sp_surface_at *two)
{
    sp_surface_patch p, q;
    assert_true(sp_surface_eval(s, one, work, &p));
    assert_true(sp_surface_eval(s, two, work, &q));
    assert_vector(p.r, q.r, 1.0, 1e-12);
    assert_vector(p.n, q.n, 1.0, 1e-11);
    assert_near(p.K[0] + p.K[2], q.K[0] + q.K[2], 1e-8);
    assert_near(p.K[0] * p.K[2] - p.K[1] * p.K[1], q.K[0] * q.K[2] - q.K[1] * q.K[1], 1e-8);
}

static void another_chart_takes_over_near_a_pole(void **ctx)
{
    (void)ctx;
    rng r = {72};
    for (int n = 0; n < 200; n++) {
        sp_arena a;
        sp_arena_init(&a, NULL, 0);
        const bool egg = n % 2;
        const sp_surface s = surface_random(&a, &r, egg ? SURFACE_EGG : SURFACE_ELLIPSOID);
        const double near = rng_in(&r, 0.01, 0.25), half = 0.5 * PI, u = rng_in(&r, -3.0, 3.0);
        const bool low = rng_flip(&r);
        const double v = egg ? (low ? near : PI - near) : (low ? near - half : half - near);
        const sp_surface_at at = {0, u, v};
        sp_surface_at other = at;
        assert_true(sp_surface_wrap(&s, &other, work));
        assert_int_not_equal(other.chart, 0);
        compare_charts(&s, &at, &other);
        /* the pole itself, and far beyond it */
        sp_surface_at pole = {egg ? (low ? -1 : 1) : 1, egg ? 0.0 : PI / 2.0, 0.0};
        sp_surface_patch p;
        assert_true(sp_surface_eval(&s, &pole, work, &p));
        if (egg) {
            assert_near(p.K[0], p.K[2], 1e-12);
            sp_surface_at far = {other.chart, 0.9 * cos(u) * 0.5, 0.9 * sin(u) * 0.5};
            const sp_surface_at before = far;
            sp_surface_wrap(&s, &far, work);
            if (far.chart == 0) {
                compare_charts(&s, &before, &far);
            }
        }
        sp_arena_free(&a);
    }
}

static void leaving_a_chart_is_told_and_ends_on_its_border(void **ctx)
{
    (void)ctx;
    const sp_surface pipe = sp_surface_of(SP_SURFACE_CYLINDER, (double[3]){0.25, 0.0, 1.0});
    sp_surface_at at = {0, 7.0, 0.7};
    assert_false(sp_surface_wrap(&pipe, &at, work));
    assert_near(at.v, 0.5, 0.0);
    assert_near(at.u, 7.0 - 2.0 * PI, 1e-15);
    at.v = -0.4;
    assert_true(sp_surface_wrap(&pipe, &at, work));
}

/* The chart of an ellipsoid by expressions is closed in u and has two poles, found by itself. */
static void expressions_show_where_they_close(void **ctx)
{
    (void)ctx;
    sp_arena a;
    sp_arena_init(&a, NULL, 0);
    sp_surface s = surface_by_expressions(&a, (double[3]){1.0, 0.7, 0.5});
    assert_int_equal(sp_surface_finish(&a, &s, work, NULL), SP_OK);
    assert_true(s.closed[0] && !s.closed[1] && s.pole[0] && s.pole[1]);
    rng r = {3};
    const sp_surface sheet = surface_random(&a, &r, SURFACE_WAVE);
    assert_false(sheet.closed[0] || sheet.closed[1] || sheet.pole[0] || sheet.pole[1]);
    sp_arena_free(&a);
}

/* ---- bad numbers -------------------------------------------------------------------------------
 */

static void expect_refusal(sp_surface s, const char *words)
{
    sp_arena a;
    sp_error err = {0};
    sp_arena_init(&a, NULL, 0);
    assert_int_equal(sp_surface_finish(&a, &s, work, &err), SP_E_INPUT);
    if (!strstr(err.text, words)) {
        fail_msg("'%s' does not say '%s'", err.text, words);
    }
    sp_arena_free(&a);
}

static void degenerate_surfaces_are_refused_with_the_reason(void **ctx)
{
    (void)ctx;
    expect_refusal(sp_surface_of(SP_SURFACE_ELLIPSOID, (double[3]){1.0, 0.0, 1.0}), "half axis 2");
    expect_refusal(sp_surface_of(SP_SURFACE_ELLIPSOID, (double[3]){NAN, 1.0, 1.0}), "half axis 1");
    expect_refusal(sp_surface_of(SP_SURFACE_CYLINDER, (double[3]){0.0, 0.0, 1.0}), "radius 0");
    expect_refusal(sp_surface_of(SP_SURFACE_CONE, (double[3]){0.0, 0.0, 1.0}), "not both");
    expect_refusal(sp_surface_of(SP_SURFACE_TORUS, (double[3]){0.5, 0.6, 0.0}), "runs into itself");
}

/* A surface by three expressions over a square. */
static sp_surface by_text(sp_arena *a, const char *x, const char *y, const char *z, double size)
{
    sp_surface s = {.kind = SP_SURFACE_FORMULA,
                    .side = 1.0,
                    .lo = {-size, -size},
                    .hi = {size, size},
                    .turn = sp_rot3_one()};
    surface_program_of(a, x, 0, &s);
    surface_program_of(a, y, 1, &s);
    surface_program_of(a, z, 2, &s);
    return s;
}

static void expressions_that_make_no_surface_are_refused(void **ctx)
{
    (void)ctx;
    sp_arena a;
    sp_arena_init(&a, NULL, 0);
    expect_refusal(by_text(&a, "u", "u", "2*u", 1.0), "no normal");
    expect_refusal(by_text(&a, "u", "v", "1/(u*0)", 1.0), "not finite");
    expect_refusal(by_text(&a, "u", "v", "0", 0.0), "expected a range");
    /* Whitney's umbrella crosses itself along the z axis */
    expect_refusal(by_text(&a, "u*v", "u", "v^2", 1.0), "runs through itself");
    /* a tube that is wound twice round itself */
    expect_refusal(by_text(&a, "cos(3*u)", "sin(3*u)", "v + 0.05*u", 2.0), "itself");
    sp_arena_free(&a);
}

static void profiles_must_stay_off_their_axis(void **ctx)
{
    (void)ctx;
    sp_arena a;
    sp_arena_init(&a, NULL, 0);
    const struct {
        const char *x, *y, *words;
        double lo;
    } bad[] = {{"s - 0.5", "s", "from the axis", 0.0},
               {"s", "s", "at an angle", 0.0},
               {"1 + sin(2*s*pi)*cos(2*s*pi)", "sin(2*s*pi)", "crosses itself", -0.1}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        sp_curve c = {
            .kind = SP_CURVE_FORMULA, .lo = bad[k].lo, .hi = 0.9, .side = 1.0, .turn = {1.0, 0.0}};
        c.program[0] = surface_program(&a, bad[k].x);
        c.program[1] = surface_program(&a, bad[k].y);
        assert_int_equal(sp_curve_finish(&a, &c, work, NULL), SP_OK);
        sp_surface s = {.kind = SP_SURFACE_REVOLVED,
                        .side = 1.0,
                        .lo = {-PI, c.lo},
                        .hi = {PI, c.hi},
                        .closed = {true, false},
                        .turn = sp_rot3_one(),
                        .curve = &c};
        expect_refusal(s, bad[k].words);
    }
    sp_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_normal_and_curvature_agree_with_differences),
        cmocka_unit_test(curvatures_are_those_of_the_textbook),
        cmocka_unit_test(another_chart_takes_over_near_a_pole),
        cmocka_unit_test(leaving_a_chart_is_told_and_ends_on_its_border),
        cmocka_unit_test(expressions_show_where_they_close),
        cmocka_unit_test(degenerate_surfaces_are_refused_with_the_reason),
        cmocka_unit_test(expressions_that_make_no_surface_are_refused),
        cmocka_unit_test(profiles_must_stay_off_their_axis),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
