/* Gaps, contact frames, velocities and their rates of all pairs of contours in space, against the
 * same drawn with jets.   theory (18.1)-(18.8) */
#include "contact/pair3.h"
#include "support/space.h"

#include <string.h>

/* Places of some metres, spins to some rad/s; directions of differences of places are as good as
 * eps / distance, and distances below 1e-2 are left out. */
#define TOL_PLACE 1e-12
#define TOL_GAMMA 1e-11
#define TOL_BIAS  1e-9

typedef struct jet3 {
    jet c[3];
} jet3;

static jet3 jet3_sub(jet3 a, jet3 b)
{
    for (int k = 0; k < 3; k++) {
        a.c[k] = jet_sub(a.c[k], b.c[k]);
    }
    return a;
}

static jet jet3_dot(jet3 a, jet3 b)
{
    return jet_add(jet_add(jet_mul(a.c[0], b.c[0]), jet_mul(a.c[1], b.c[1])),
                   jet_mul(a.c[2], b.c[2]));
}

/* a + k b */
static jet3 jet3_axpy(jet3 a, jet k, jet3 b)
{
    for (int i = 0; i < 3; i++) {
        a.c[i] = jet_add(a.c[i], jet_mul(k, b.c[i]));
    }
    return a;
}

static jet3 jet3_scale(jet k, jet3 a)
{
    for (int i = 0; i < 3; i++) {
        a.c[i] = jet_mul(k, a.c[i]);
    }
    return a;
}

static jet3 jet3_cross(jet3 a, jet3 b)
{
    jet3 r;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        r.c[i] = jet_sub(jet_mul(a.c[j], b.c[k]), jet_mul(a.c[k], b.c[j]));
    }
    return r;
}

static jet3 jet3_unit(jet3 a)
{
    return jet3_scale(jet_div(jet_of(1.0, 0.0, 0.0), jet_sqrt(jet3_dot(a, a))), a);
}

/* A vector carried by a body. */
static jet3 carried(const pose3 *p, const double *e)
{
    jet3 r;
    for (int i = 0; i < 3; i++) {
        r.c[i] = jet_of(0.0, 0.0, 0.0);
        for (int j = 0; j < 3; j++) {
            r.c[i] = jet_add(r.c[i], jet_scale(e[j], p->R[i][j]));
        }
    }
    return r;
}

/* Velocity of the material point of a body at a place that moves as it likes. */
static jet3 velocity_at(const pose3 *p, jet3 x)
{
    jet3 omega, r, v;
    pose3_spin(p, omega.c);
    for (int i = 0; i < 3; i++) {
        r.c[i] = p->r[i];
        v.c[i] = jet_rate(p->r[i]);
    }
    return jet3_axpy(v, jet_of(1.0, 0.0, 0.0), jet3_cross(omega, jet3_sub(x, r)));
}

/* A contact as it is drawn: g, n, t1, t2, points, gamma, all over time. */
typedef struct drawing {
    jet g, gamma[3];
    jet3 n, t[2], point[2];
    double distance; /* of the centres, infinite on a plane */
} drawing;

static drawing draw(const sp_model *m, const pose3 *p, int a, int b)
{
    const sp_contour_numbers *n_a = &m->numbers.contour[a], *n_b = &m->numbers.contour[b];
    const pose3 *A = &p[m->contour[a].body], *B = &p[m->contour[b].body];
    const sp_contour_kind kind = m->contour[b].kind;
    const jet one = jet_of(1.0, 0.0, 0.0);
    const double sign = kind == SP_CONTOUR_HOLLOW_SPHERE || kind == SP_CONTOUR_BORE ? -1.0 : 1.0;
    drawing d = {.distance = INFINITY};
    jet3 center, foot;
    pose3_point(A, n_a->mark.at, center.c);
    pose3_point(B, n_b->mark.at, foot.c);
    const jet3 axis = carried(B, n_b->axis);
    jet3 way = jet3_sub(center, foot);
    if (kind == SP_CONTOUR_PLANE) {
        d.n = axis;
        d.g = jet_sub(jet3_dot(axis, way), jet_of(n_a->radius, 0.0, 0.0));
    } else {
        if (kind == SP_CONTOUR_CYLINDER || kind == SP_CONTOUR_BORE) {
            way = jet3_axpy(way, jet_scale(-1.0, jet3_dot(axis, way)), axis);
        }
        const jet length = jet_sqrt(jet3_dot(way, way));
        d.distance = length.c[0];
        d.n = jet3_scale(jet_of(sign, 0.0, 0.0), jet3_unit(way));
        d.g = jet_sub(jet_scale(sign, jet_sub(length, jet_of(n_b->radius, 0.0, 0.0))),
                      jet_of(n_a->radius, 0.0, 0.0));
    }
    d.point[0] = jet3_axpy(center, jet_of(-n_a->radius, 0.0, 0.0), d.n);
    d.point[1] = jet3_axpy(d.point[0], jet_scale(-1.0, d.g), d.n);

    /* t1 along the x axis of b's body, or its y axis */
    const double x[3] = {1.0, 0.0, 0.0}, y[3] = {0.0, 1.0, 0.0};
    jet3 carrier = carried(B, x);
    if (fabs(jet3_dot(d.n, carrier).c[0]) > 0.9) {
        carrier = carried(B, y);
    }
    d.t[0] = jet3_unit(jet3_axpy(carrier, jet_scale(-1.0, jet3_dot(d.n, carrier)), d.n));
    d.t[1] = jet3_cross(d.n, d.t[0]);
    const jet3 v =
        jet3_axpy(velocity_at(A, d.point[0]), jet_scale(-1.0, one), velocity_at(B, d.point[1]));
    d.gamma[0] = jet3_dot(d.n, v);
    d.gamma[1] = jet3_dot(d.t[0], v);
    d.gamma[2] = jet3_dot(d.t[1], v);
    return d;
}

static void compare_vector(sp_vec3 x, const jet3 *want, double scale, double tol)
{
    assert_near_scaled(x.x, want->c[0].c[0], scale, tol);
    assert_near_scaled(x.y, want->c[1].c[0], scale, tol);
    assert_near_scaled(x.z, want->c[2].c[0], scale, tol);
}

/* Frame, gamma and its rate of one pair in the motion that s->kin holds. */
static void compare(const space *s, const sp_contact_frame3 *f, const drawing *d)
{
    compare_vector(f->n, &d->n, 1.0, TOL_PLACE / fmin(d->distance, 1.0));
    compare_vector(f->t[0], &d->t[0], 1.0, TOL_PLACE / fmin(d->distance, 1.0));
    compare_vector(f->t[1], &d->t[1], 1.0, TOL_PLACE / fmin(d->distance, 1.0));
    compare_vector(f->point[0], &d->point[0], 10.0, TOL_PLACE);
    compare_vector(f->point[1], &d->point[1], 10.0, TOL_PLACE);
    assert_near_scaled(f->g_N, d->g.c[0], 10.0, TOL_PLACE);
    assert_near_scaled(d->gamma[0].c[0], d->g.c[1], 30.0, TOL_GAMMA); /* the oracle itself */
    double gamma[3], w_bar[3];
    sp_frame3_gamma(&s->kin, f, gamma);
    sp_frame3_bias(&s->kin, f, w_bar);
    for (int k = 0; k < 3; k++) {
        assert_near_scaled(gamma[k], d->gamma[k].c[0], 30.0, TOL_GAMMA);
        assert_near_scaled(w_bar[k], d->gamma[k].c[1], 300.0, TOL_BIAS);
    }
}

/* gamma = W^T u on the degrees of freedom that the rows name. */
static void compare_rows(const space *s, const sp_contact_frame3 *f)
{
    static int sup[SPACE_DOFS];
    static double row[3][SPACE_DOFS];
    double gamma[3];
    const sp_vec3 e[3] = {f->n, f->t[0], f->t[1]};
    const sp_spot on_a = sp_frame3_spot(&s->kin, f, 0), on_b = sp_frame3_spot(&s->kin, f, 1);
    const sp_spot_pair pair = {&on_a, &on_b, 3, 0, e};
    const int n = sp_pair_rows(&s->m, &s->kin, &pair, sup, row[0], SPACE_DOFS);
    sp_frame3_gamma(&s->kin, f, gamma);
    for (int k = 0; k < 3; k++) {
        double sum = 0.0;
        for (int i = 0; i < n; i++) {
            assert_true(i == 0 || sup[i] < sup[i - 1]);
            sum += row[k][i] * s->u[sup[i]];
        }
        assert_near_scaled(sum, gamma[k], 30.0, TOL_GAMMA);
    }
}

/* Two contours on two bodies of a random tree, or on a body and the ground. */
typedef struct pair {
    space s;
    sp_contour contour[2];
    sp_contour_numbers numbers[2];
    pose3 pose[SPACE_BODIES + 1];
} pair;

static void random_pair(pair *p, rng *r, sp_contour_kind a, sp_contour_kind b)
{
    const int n = 1 + rng_int(r, 5);
    space_random(&p->s, r, n, 0.5, -1);
    const int body_a = 1 + rng_int(r, n);
    int body_b = rng_int(r, n + 1);
    while (body_b == body_a) {
        body_b = rng_int(r, n + 1);
    }
    const sp_contour_kind kind[2] = {a, b};
    const int body[2] = {body_a, body_b};
    for (int k = 0; k < 2; k++) {
        sp_contour_numbers *num = &p->numbers[k];
        p->contour[k] = (sp_contour){.name = "c", .kind = kind[k], .body = body[k]};
        *num = (sp_contour_numbers){.mark.body = body[k],
                                    .radius =
                                        kind[k] >= SP_CONTOUR_SPHERE ? rng_in(r, 0.1, 3.0) : 0.0};
        for (int i = 0; i < 3; i++) {
            num->mark.at[i] = rng_in(r, -1.0, 1.0);
        }
        space_direction(r, num->axis);
    }
    p->s.m.contour = p->contour;
    p->s.m.numbers.contour = p->numbers;
    p->s.m.n_contour = 2;
}

static void every_pair_in_space_moves_as_it_is_drawn(void **ctx)
{
    (void)ctx;
    static const sp_contour_kind first[] = {SP_CONTOUR_POINT, SP_CONTOUR_SPHERE};
    static const sp_contour_kind second[] = {SP_CONTOUR_PLANE, SP_CONTOUR_SPHERE,
                                             SP_CONTOUR_HOLLOW_SPHERE, SP_CONTOUR_CYLINDER,
                                             SP_CONTOUR_BORE};
    static pair p;
    rng r = {18};
    for (int k = 0; k < 10; k++) {
        int open = 0, closed = 0;
        for (int n = 0; n < check_cases(150, 5000); n++) {
            random_pair(&p, &r, first[k / 5], second[k % 5]);
            space_move(&p.s, p.s.q, p.s.u);
            space_poses(&p.s, p.s.q, p.s.u, NULL, p.pose);
            const drawing d = draw(&p.s.m, p.pose, 0, 1);
            sp_contact_frame3 f;
            sp_pair3_frame(&p.s.m, &p.s.m.numbers, &p.s.kin, 0, 1, &f);
            assert_true(sp_pair3_gap(&p.s.m, &p.s.m.numbers, &p.s.kin, 0, 1) == f.g_N);
            if (d.distance > 1e-2) {
                compare(&p.s, &f, &d);
                compare_rows(&p.s, &f);
                open += f.g_N > 0.0;
                closed += f.g_N < 0.0;
            }
            space_free(&p.s);
        }
        assert_true(open > 10 && closed > 10);
    }
}

/* A ball in the middle of a hollow one has no direction: any will do, nothing is infinite. */
static void concentric_spheres_have_a_frame_of_finite_numbers(void **ctx)
{
    (void)ctx;
    static pair p;
    rng r = {3};
    for (int k = 0; k < 4; k++) {
        static const sp_contour_kind kind[] = {SP_CONTOUR_SPHERE, SP_CONTOUR_HOLLOW_SPHERE,
                                               SP_CONTOUR_CYLINDER, SP_CONTOUR_BORE};
        random_pair(&p, &r, SP_CONTOUR_SPHERE, kind[k]);
        p.contour[0].body = p.numbers[0].mark.body = 1;
        p.contour[1].body = p.numbers[1].mark.body = SP_GROUND;
        space_move(&p.s, p.s.q, p.s.u);
        const sp_vec3 x = point_place(&p.s.kin, 1, sp_vec3_of(p.numbers[0].mark.at));
        const double at[3] = {x.x, x.y, x.z};
        memcpy(p.numbers[1].mark.at, at, sizeof at);
        sp_contact_frame3 f;
        double w_bar[3];
        sp_pair3_frame(&p.s.m, &p.s.m.numbers, &p.s.kin, 0, 1, &f);
        sp_frame3_bias(&p.s.kin, &f, w_bar);
        assert_near(sp_length3(f.n), 1.0, 1e-15);
        assert_true(isfinite(w_bar[0] + w_bar[1] + w_bar[2]));
        space_free(&p.s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pair_in_space_moves_as_it_is_drawn),
        cmocka_unit_test(concentric_spheres_have_a_frame_of_finite_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
