/* Nearest points of balls and surfaces in random motion: gap, directions and rates against
 * differences, against the parameter rates of the corrected equation of the paper, and against a
 * search over many points.   theory (20.8)-(20.15) */
#include "contact/surface_pair.h"

#include "math/spline.h"

#include "motion.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double work[SURFACE_WORK];

/* ---- a pair ------------------------------------------------------------------------------------
 */

typedef struct pair {
    const sp_surface *a, *b; /* a: NULL for a ball */
    sp_vec3 center;          /* of the ball in its body */
    double radius;
    motion m[2];
} pair;

/* Nearest points at a time; frames into kin. */
static sp_surface_contact meet(const pair *p, double t, const sp_surface_at *from,
                               sp_frame3 frame[2])
{
    sp_surface_contact c;
    frame[0] = frame_at(&p->m[0], t);
    frame[1] = frame_at(&p->m[1], t);
    const sp_surface_side a = {p->a, frame[0].x, frame[0].R}, b = {p->b, frame[1].x, frame[1].R};
    if (p->a) {
        sp_surface_meet(&a, &b, from, work, &c);
    } else {
        const sp_vec3 center = sp_add3(a.x, sp_rotate3(a.R, p->center));
        sp_surface_meet_ball(center, p->radius, &b, work, &c);
    }
    return c;
}

static sp_contact_frame3 contact_frame(const sp_frame3 frame[2], const sp_surface_contact *c)
{
    const sp_kin kin = {.frame3 = (sp_frame3 *)frame};
    sp_contact_frame3 f = {.body = {0, 1}};
    sp_surface_frame(&kin, c, &f);
    return f;
}

/* ---- differences
 * --------------------------------------------------------------------------------- */

/* Points of contact go 4 (see delicate) times 6 m/s in two steps at most; more is another one. */
#define JUMP 2.5e-3

/* The surfaces nearly fit: the contact point runs away faster than differences can tell. */
static bool delicate(const sp_contact_frame3 *f)
{
    const sp_map2 *turn = &f->at_by_turn, *slip = &f->at_by_slip;
    return hypot(hypot(turn->a11, turn->a12), hypot(turn->a21, turn->a22)) > 4.0 ||
           hypot(hypot(slip->a11, slip->a12), hypot(slip->a21, slip->a22)) > 4.0;
}

/* Which piece of its splines a place is on, as one number. */
static int piece_of(const sp_surface *s, const sp_surface_at *at)
{
    sp_spline_weights u = {.piece = 0}, v = {.piece = 0};
    if (s && s->kind == SP_SURFACE_GRID) {
        sp_spline_weigh(s->grid.n[0], s->grid.knot[0], at->u, &u);
        sp_spline_weigh(s->grid.n[1], s->grid.knot[1], at->v, &v);
    } else if (s && s->curve && s->curve->kind == SP_CURVE_SPLINE) {
        sp_spline_weigh(s->curve->n, s->curve->knot, s->kind == SP_SURFACE_EXTRUDED ? at->u : at->v,
                        &u);
    }
    return 1000 * u.piece + v.piece;
}

/* Rates of gap and relative velocities against differences; false if the motion changes the kind of
 * contact or the carrier of the tangents on the way. */
static bool compare_rates(const pair *p, const sp_surface_contact *now, double size)
{
    sp_frame3 frame[2];
    double g[4], gamma[3][4], w_bar[3], gamma_now[3];
    const sp_surface_contact here = meet(p, 0.0, now->at, frame);
    const sp_contact_frame3 f = contact_frame(frame, &here);
    const sp_kin kin = {.frame3 = frame};
    if (delicate(&f)) {
        return false;
    }
    sp_frame3_gamma(&kin, &f, gamma_now);
    sp_frame3_bias(&kin, &f, w_bar);
    for (int k = 0; k < 4; k++) {
        const double t = STEP * (k < 2 ? k - 2 : k - 1);
        sp_frame3 moved[2];
        const sp_surface_contact c = meet(p, t, now->at, moved);
        const sp_contact_frame3 near = contact_frame(moved, &c);
        const sp_kin moved_kin = {.frame3 = moved};
        const bool corner = !(sp_length3(c.rim) > 0.0), at_corner = !(sp_length3(here.rim) > 0.0);
        if (c.fit != here.fit || corner != at_corner ||
            sp_length3(sp_sub3(c.point[1], here.point[1])) > JUMP ||
            sp_length3(sp_sub3(near.t[0], f.t[0])) > 2.0 * JUMP ||
            piece_of(p->a, &c.at[0]) != piece_of(p->a, &here.at[0]) ||
            piece_of(p->b, &c.at[1]) != piece_of(p->b, &here.at[1])) {
            return false;
        }
        double x[3];
        sp_frame3_gamma(&moved_kin, &near, x);
        g[k] = c.g;
        for (int i = 0; i < 3; i++) {
            gamma[i][k] = x[i];
        }
    }
    assert_near_scaled(slope(g, STEP), gamma_now[0], size, TOL_RATE);
    for (int i = 0; i < 3; i++) {
        assert_near_scaled(slope(gamma[i], STEP), w_bar[i], size, TOL_BIAS);
    }
    return true;
}

/* ---- where two surfaces are put
 * ------------------------------------------------------------------ */

static sp_surface_at random_place(const sp_surface *s, rng *r)
{
    if (s->n_sample == 0) {
        const double u = rng_in(r, -1.0, 1.0);
        return (sp_surface_at){0, u, rng_in(r, -1.0, 1.0)};
    }
    const double a = rng_in(r, 0.15, 0.85), b = rng_in(r, 0.15, 0.85);
    sp_surface_at at = {0, s->lo[0] + a * (s->hi[0] - s->lo[0]),
                        s->lo[1] + b * (s->hi[1] - s->lo[1])};
    sp_surface_wrap(s, &at, work);
    return at;
}

/* Turn and shift body a such that the normals at two random places are opposite and the gap between
 * them is g. */
static void bring_together(rng *r, double g, pair *p)
{
    sp_surface_patch a, b;
    const sp_surface_at at_b = random_place(p->b, r);
    assert_true(sp_surface_eval(p->b, &at_b, work, &b));
    const sp_rot3 R_b = p->m[1].R;
    const sp_vec3 n = sp_rotate3(R_b, b.n), r_b = sp_add3(p->m[1].x, sp_rotate3(R_b, b.r));
    if (!p->a) {
        const sp_vec3 center = sp_axpy3(r_b, g + p->radius, n);
        p->m[0].x = sp_sub3(center, sp_rotate3(p->m[0].R, p->center));
        return;
    }
    const sp_surface_at at_a = random_place(p->a, r);
    assert_true(sp_surface_eval(p->a, &at_a, work, &a));
    /* axes (e_1, e_2, n) of a onto (c e_1 + s e_2, ..., -n) of b */
    const double phi = rng_in(r, -3.0, 3.0);
    const sp_vec3 x =
        sp_axpy3(sp_scale3(cos(phi), sp_rotate3(R_b, b.e[0])), sin(phi), sp_rotate3(R_b, b.e[1]));
    const sp_vec3 z = sp_scale3(-1.0, n), y = sp_cross3(z, x);
    const sp_rot3 own = {a.e[0], a.e[1], a.n}, wanted = {x, y, z};
    const sp_rot3 back = {
        {own.x.x, own.y.x, own.z.x}, {own.x.y, own.y.y, own.z.y}, {own.x.z, own.y.z, own.z.z}};
    p->m[0].R = sp_rot3_mul(wanted, back);
    p->m[0].x = sp_sub3(sp_axpy3(r_b, g, n), sp_rotate3(p->m[0].R, a.r));
}

/* ---- checks of what was found
 * ---------------------------------------------------------------------- */

/* The two conditions of the paper, from the surfaces themselves. */
static void compare_conditions(const pair *p, const sp_frame3 frame[2], const sp_surface_contact *c)
{
    sp_surface_patch a, b;
    assert_true(sp_surface_eval(p->b, &c->at[1], work, &b));
    const sp_vec3 n_b = sp_rotate3(frame[1].R, b.n);
    const sp_vec3 r_b = sp_add3(frame[1].x, sp_rotate3(frame[1].R, b.r));
    sp_vec3 way;
    if (p->a) {
        assert_true(sp_surface_eval(p->a, &c->at[0], work, &a));
        const sp_vec3 n_a = sp_rotate3(frame[0].R, a.n);
        way = sp_sub3(sp_add3(frame[0].x, sp_rotate3(frame[0].R, a.r)), r_b);
        assert_near(sp_inner3(n_a, n_b), -1.0, 1e-12);
    } else {
        const sp_vec3 center = sp_add3(frame[0].x, sp_rotate3(frame[0].R, p->center));
        way = sp_axpy3(sp_sub3(center, r_b), -p->radius, n_b);
    }
    assert_near_scaled(sp_length3(sp_axpy3(way, -c->g, n_b)), 0.0, 1.0, 1e-10);
    assert_near_scaled(sp_length3(sp_sub3(c->n, n_b)), 0.0, 1.0, 1e-15);
    assert_near_scaled(sp_length3(sp_axpy3(sp_sub3(c->point[0], c->point[1]), -c->g, c->n)), 0.0,
                       1.0, 1e-14);
}

/* No two samples of the sides are nearer than an open gap. */
static void compare_search(const pair *p, const sp_frame3 frame[2], double g)
{
    for (int i = 0; i < (p->a ? p->a->n_sample : 1); i++) {
        const sp_vec3 own = p->a ? p->a->sample[i].r : p->center;
        const sp_vec3 x = sp_add3(frame[0].x, sp_rotate3(frame[0].R, own));
        const sp_vec3 in_b = sp_rotate_back3(frame[1].R, sp_sub3(x, frame[1].x));
        for (int j = 0; j < p->b->n_sample; j++) {
            const double d = sp_length3(sp_sub3(in_b, p->b->sample[j].r));
            assert_true(d - (p->a ? 0.0 : p->radius) > g - 1e-9);
        }
    }
}

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

typedef struct tally {
    int n, open, closed, past, flat, lost, unsteady;
    int rates[2]; /* compared with differences: open, closed */
} tally;

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

static void show(const char *a, const char *b, const tally *t)
{
    if (getenv("SPECHT_SHOW")) {
        print_message("%-10s %-10s %5d: open %d closed %d past %d flat %d lost %d unsteady %d, "
                      "rates %d open %d closed\n",
                      a, b, t->n, t->open, t->closed, t->past, t->flat, t->lost, t->unsteady,
                      t->rates[0], t->rates[1]);
    }
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

/* A random point of a border of a surface: its place, the unit tangent of the border there and the
 * direction out of the surface, in the body's frame. */
static sp_surface_patch border_place(const sp_surface *s, rng *r, sp_vec3 *along, sp_vec3 *out)
{
    int k = (int)rng_in(r, 0.0, 3.999);
    while (s->closed[k / 2] || (k / 2 == 1 && s->pole[k % 2])) {
        k = (k + 1) % 4;
    }
    const double part = rng_in(r, 0.1, 0.9), end = k % 2 == 0 ? s->lo[k / 2] : s->hi[k / 2];
    const int run = 1 - k / 2;
    const double other = s->lo[run] + part * (s->hi[run] - s->lo[run]);
    const sp_surface_at at =
        k / 2 == 0 ? (sp_surface_at){0, end, other} : (sp_surface_at){0, other, end};
    sp_surface_patch p;
    assert_true(sp_surface_eval(s, &at, work, &p));
    const sp_vec3 d = k / 2 == 0 ? p.r_v : p.r_u;
    const sp_vec3 leads = sp_scale3(k % 2 == 0 ? -1.0 : 1.0, k / 2 == 0 ? p.r_u : p.r_v);
    *along = sp_scale3(1.0 / sp_length3(d), d);
    *out = sp_cross3(*along, p.n);
    *out = sp_scale3(sp_inner3(*out, leads) > 0.0 ? 1.0 : -1.0, *out);
    return p;
}

/* Turn and shift body a such that its normal at a random place meets a border of b at an angle
 * between the surface's normal and the way out of it, with the gap g between them. */
static void bring_to_border(rng *r, double g, pair *p)
{
    sp_surface_patch a;
    sp_vec3 along, out;
    const sp_surface_patch b = border_place(p->b, r, &along, &out);
    const sp_surface_at at_a = random_place(p->a, r);
    assert_true(sp_surface_eval(p->a, &at_a, work, &a));
    const double lean = rng_in(r, 0.3, 1.2), phi = rng_in(r, -3.0, 3.0);
    const sp_vec3 n = sp_rotate3(p->m[1].R, sp_axpy3(sp_scale3(cos(lean), b.n), sin(lean), out));
    const sp_vec3 t = sp_rotate3(p->m[1].R, along), z = sp_scale3(-1.0, n);
    const sp_vec3 x = sp_axpy3(sp_scale3(cos(phi), t), sin(phi), sp_cross3(n, t));
    const sp_rot3 wanted = {x, sp_cross3(z, x), z};
    const sp_rot3 back = {
        {a.e[0].x, a.e[1].x, a.n.x}, {a.e[0].y, a.e[1].y, a.n.y}, {a.e[0].z, a.e[1].z, a.n.z}};
    const sp_vec3 r_b = sp_add3(p->m[1].x, sp_rotate3(p->m[1].R, b.r));
    p->m[0].R = sp_rot3_mul(wanted, back);
    p->m[0].x = sp_sub3(sp_axpy3(r_b, g, n), sp_rotate3(p->m[0].R, a.r));
}

/* The other side first: what was a is b, and n points the other way. */
static pair swapped(const pair *p)
{
    return (pair){.a = p->b, .b = p->a, .m = {p->m[1], p->m[0]}};
}

/* One body without ends at the border of one with ends, either of them first. */
static void try_border(rng *r, int kind_a, int kind_b, bool first, tally *t)
{
    sp_arena arena;
    sp_arena_init(&arena, NULL, 0);
    const sp_surface a = surface_random(&arena, r, kind_a), b = surface_random(&arena, r, kind_b);
    pair p = {.a = &a, .b = &b, .m = {random_motion(r)}};
    p.m[1] = random_motion(r);
    const double g = rng_flip(r) ? rng_in(r, 0.0, 0.1) : rng_in(r, -0.02, 0.0);
    bring_to_border(r, g, &p);
    p = first ? swapped(&p) : p;
    sp_frame3 frame[2];
    const sp_surface_contact c = meet(&p, 0.0, NULL, frame);
    t->n++;
    t->past += c.fit == SP_FIT_PAST;
    t->lost += c.fit == SP_FIT_LOST;
    t->flat += c.fit == SP_FIT_POINT || c.fit == SP_FIT_FLAT;
    if (c.fit == SP_FIT_RIM && fabs(c.g - g) < 1e-9) {
        assert_near(c.g, g, 1e-12);
        assert_int_equal(c.rim_of, first ? 0 : 1);
        if (compare_rates(&p, &c, 30.0)) {
            t->open += g > 0.0;
            t->closed += g <= 0.0;
        } else {
            t->unsteady++;
        }
    } else if (c.fit == SP_FIT_RIM && g > 0.0) {
        assert_true(c.g < g);
        compare_search(&p, frame, c.g);
    }
    sp_arena_free(&arena);
}

static void a_body_at_the_border_of_a_surface_has_the_rates_of_its_motion(void **ctx)
{
    (void)ctx;
    static const int whole[] = {SURFACE_ELLIPSOID, SURFACE_EGG, SURFACE_FORMULA};
    static const int ended[] = {SURFACE_WAVE, SURFACE_GRID, SURFACE_CYLINDER, SURFACE_CONE,
                                SURFACE_VASE};
    rng r = {306};
    for (int k = 0; k < 30; k++) {
        tally t = {0};
        const int a = whole[k % 3], b = ended[k / 3 % 5];
        for (int n = 0; n < check_cases(20, 200); n++) {
            try_border(&r, a, b, k >= 15, &t);
        }
        show(surface_word[a], surface_word[b], &t);
        assert_true(t.lost == 0 && t.open >= t.n / 10 && t.closed >= t.n / 10);
    }
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
        cmocka_unit_test(a_body_at_the_border_of_a_surface_has_the_rates_of_its_motion),
        cmocka_unit_test(simple_pairs_have_their_closed_forms),
        cmocka_unit_test(a_hint_leads_to_the_same_points),
        cmocka_unit_test(surfaces_that_fit_each_other_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
