/* A ball or a surface and a surface in motion: what is nearest, and rates of that against
 * differences.
 */
#ifndef CONTACT_PAIRS_H
#define CONTACT_PAIRS_H

#include "contact/surface_pair.h"
#include "math/spline.h"
#include "motion.h"

#include <stdlib.h>

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
static inline sp_surface_contact meet(const pair *p, double t, const sp_surface_at *from,
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

static inline sp_contact_frame3 contact_frame(const sp_frame3 frame[2], const sp_surface_contact *c)
{
    const sp_kin kin = {.frame3 = (sp_frame3 *)frame};
    static const sp_mark mark[2] = {{.body = 0}, {.body = 1}};
    sp_contact_frame3 f = {.mark = {&mark[0], &mark[1]}};
    sp_surface_frame(&kin, c, &f);
    return f;
}

/* ---- differences
 * --------------------------------------------------------------------------------- */

/* Points of contact go 4 (see delicate) times 6 m/s in two steps at most; more is another one. */
#define JUMP 2.5e-3

/* The surfaces nearly fit: the contact point runs away faster than differences can tell. */
static inline bool delicate(const sp_contact_frame3 *f)
{
    const sp_map2 *turn = &f->at_by_turn, *slip = &f->at_by_slip;
    return hypot(hypot(turn->a11, turn->a12), hypot(turn->a21, turn->a22)) > 4.0 ||
           hypot(hypot(slip->a11, slip->a12), hypot(slip->a21, slip->a22)) > 4.0;
}

/* Which piece of its splines a place is on, as one number. */
static inline int piece_of(const sp_surface *s, const sp_surface_at *at)
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
static inline bool compare_rates(const pair *p, const sp_surface_contact *now, double size)
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

static inline sp_surface_at random_place(const sp_surface *s, rng *r)
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
static inline void bring_together(rng *r, double g, pair *p)
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
static inline void compare_conditions(const pair *p, const sp_frame3 frame[2],
                                      const sp_surface_contact *c)
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
static inline void compare_search(const pair *p, const sp_frame3 frame[2], double g)
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

typedef struct tally {
    int n, open, closed, past, flat, lost, unsteady;
    int rates[2]; /* compared with differences: open, closed */
} tally;

static inline void show(const char *a, const char *b, const tally *t)
{
    if (getenv("SPECHT_SHOW")) {
        print_message("%-10s %-10s %5d: open %d closed %d past %d flat %d lost %d unsteady %d, "
                      "rates %d open %d closed\n",
                      a, b, t->n, t->open, t->closed, t->past, t->flat, t->lost, t->unsteady,
                      t->rates[0], t->rates[1]);
    }
}

#endif
