/* Bodies at the borders of surfaces in random motion: which border is nearest against a search over
 * many of its points, rates against differences.   theory (42.1)-(42.3) */
#include "pairs.h"

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

enum { PLACES = 100 }; /* of each piece of a border */
#define RESOLVED                                                                                   \
    5e-3 /* the lowest of them is higher than the lowest of all by so much at most:                \
          * (6 m/200)^2/2 of curvatures up to 10 1/m */

/* The lowest of many points of the border of one side over the other, in the configuration of
 * frame. */
static double lowest_of_border(const pair *p, int side, const sp_frame3 frame[2])
{
    const sp_surface *edge = side == 0 ? p->a : p->b, *whole = side == 0 ? p->b : p->a;
    const sp_frame3 *f_edge = &frame[side], *f_face = &frame[1 - side];
    const sp_surface_side face = {whole, f_face->x, f_face->R};
    double least = INFINITY;
    for (int k = 0; k < 4 * PLACES; k++) {
        const int fixed = k / (2 * PLACES), end = k / PLACES % 2, run = 1 - fixed;
        if (edge->closed[fixed] || (fixed == 1 && edge->pole[end])) {
            continue;
        }
        const double at_end = end == 0 ? edge->lo[fixed] : edge->hi[fixed];
        const double part = (double)(k % PLACES) / (PLACES - 1);
        const double other = edge->lo[run] + part * (edge->hi[run] - edge->lo[run]);
        const sp_surface_at at =
            fixed == 0 ? (sp_surface_at){0, at_end, other} : (sp_surface_at){0, other, at_end};
        sp_surface_patch q;
        sp_surface_contact c;
        assert_true(sp_surface_eval(edge, &at, work, &q));
        sp_surface_meet_ball(sp_add3(f_edge->x, sp_rotate3(f_edge->R, q.r)), 0.0, &face, work, &c);
        least = c.g < least ? c.g : least;
    }
    return least;
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
    /* the border is nearest there, or at another of its places, which is lower */
    const double least = lowest_of_border(&p, first ? 0 : 1, frame);
    assert_int_equal(c.fit, SP_FIT_RIM);
    assert_int_equal(c.rim_of, first ? 0 : 1);
    assert_true(c.g <= g + 1e-12 && c.g <= least + 1e-12);
    assert_true(c.g >= fmin(g, least - RESOLVED) - 1e-12);
    t->past += c.g < g - 1e-9;
    if (compare_rates(&p, &c, 30.0)) {
        t->open += c.g > 0.0;
        t->closed += c.g <= 0.0;
    } else {
        t->unsteady++;
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
        assert_true(t.open >= t.n / 10 && t.closed >= t.n / 10 && t.past <= t.n / 5);
        assert_true(t.unsteady <= t.n / 5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_at_the_border_of_a_surface_has_the_rates_of_its_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
