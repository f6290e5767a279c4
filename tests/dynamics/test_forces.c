/* Springs, dampers, applied forces, torques, drives: h against the virtual power of each, with
 * measures and velocities from places alone.   theory (3.8), (3.9), (3.11) */
#include "support/tree.h"

#include <stdio.h>
#include <string.h>

/* Forces of size 10 and moments to 100 N m over trees of 6 bodies, a few hundred round-offs. */
#define TOL 1e-12

/* Every body, and the ground, has a point p here. */
static const double p_x = 0.35, p_y = -0.2;

typedef struct fixture {
    tree t;
    machine c;
    double q[TREE_DOFS], u[TREE_DOFS];
} fixture;

static const char *name_of(const fixture *f, int i)
{
    return i < 0 ? "ground" : f->t.body[i].name;
}

/* A tree with at least one coordinate; sprung: every joint but the first has one coordinate with a
 * spring and a damper. */
static void grow(fixture *f, rng *r, bool sprung)
{
    f->t = tree_random(r, 2 + rng_int(r, 5), 0.6);
    f->t.body[0].joint = TREE_FREE;
    for (int i = 0; i < f->t.n; i++) {
        tree_body *b = &f->t.body[i];
        const int only = rng_int(r, 3);
        b->sprung = sprung && i > 0 && b->joint != TREE_WELD;
        for (int d = 0; d < 3; d++) {
            b->has[d] = !b->sprung || d == only;
        }
        for (int d = 0; d < 3; d++) {
            b->spring[d][0] = rng_in(r, 1.0, 9.0);
            b->spring[d][1] = rng_in(r, 0.1, 0.9);
            b->spring[d][2] = rng_in(r, -0.5, 0.5);
        }
    }
}

/* Compile the tree with a section 'forces' of one line. */
static void set_up(fixture *f, rng *r, const char *force)
{
    static text out;
    out.n = 0;
    tree_write_head(&f->t, &out);
    text_add(&out, "bodies:\n  ground: {points: {p: [%.17g, %.17g]}}\n", p_x, p_y);
    for (int i = 0; i < f->t.n; i++) {
        tree_write_body(&f->t, i, &out);
        text_add(&out, ", points: {p: [%.17g, %.17g]}}\n", p_x, p_y);
    }
    if (force) {
        text_add(&out, "forces: {%s}\n", force);
    }
    text_add(&out, "run: {until: 1, method: moreau, step: 0.1}\n");
    f->c = machine_of_text(out.s);
    tree_bind(&f->t, &f->c);
    random_motion(r, f->t.n_dof, f->q, f->u, NULL);
}

/* Two different bodies, the second may be the ground. */
static void choose_pair(const fixture *f, rng *r, int pair[2])
{
    pair[0] = rng_int(r, f->t.n);
    do {
        pair[1] = rng_int(r, f->t.n + 1) - 1;
    } while (pair[1] == pair[0]);
}

/* Place of the point p of body i, -1: the ground. */
static jet2 point_p(const fixture *f, const pose *p, int i)
{
    return pose_point(&p[i < 0 ? f->t.n : i], p_x, p_y);
}

typedef jet (*measure_of)(const fixture *f, const pose *p, const int *body);

static jet distance(const fixture *f, const pose *p, const int *body)
{
    return jet2_length(jet2_sub(point_p(f, p, body[0]), point_p(f, p, body[1])));
}

/* x_p(0) y_p(1) + sin(phi_0 - 2 phi_1) */
static jet expression(const fixture *f, const pose *p, const int *body)
{
    const jet phi_1 = p[body[1] < 0 ? f->t.n : body[1]].phi;
    jet s, c;
    jet_sincos(jet_sub(p[body[0]].phi, jet_scale(2.0, phi_1)), &s, &c);
    return jet_add(jet_mul(point_p(f, p, body[0]).x, point_p(f, p, body[1]).y), s);
}

/* Measure, its rate at u, and dx/dq_k for all k. */
static void take(const fixture *f, measure_of x, const int *body, double *value, double *rate,
                 double *grad)
{
    static pose p[TREE_BODIES + 1];
    tree_poses(&f->t, f->q, f->u, NULL, p);
    const jet now = x(f, p, body);
    *value = now.c[0];
    *rate = now.c[1];
    for (int k = 0; k < f->t.n_dof; k++) {
        double e[TREE_DOFS] = {0.0};
        e[k] = 1.0;
        tree_poses(&f->t, f->q, e, NULL, p);
        grad[k] = x(f, p, body).c[1];
    }
}

/* Points of bodies welded together may lie on each other: their distance then has no slope. */
static bool has_slope(const fixture *f, const int *body)
{
    static pose p[TREE_BODIES + 1];
    tree_poses(&f->t, f->q, NULL, NULL, p);
    const jet2 d = jet2_sub(point_p(f, p, body[0]), point_p(f, p, body[1]));
    return hypot(d.x.c[0], d.y.c[0]) > 1e-6;
}

/* One share of h, without what the tree itself has of it. */
static void share(fixture *f, double t, sp_share s, double *h)
{
    double own[TREE_DOFS];
    machine_share(&f->c, t, f->q, f->u, s, h);
    tree_forces(&f->t, f->q, f->u, true, own);
    for (int k = 0; k < f->t.n_dof && s == SP_CONSERVATIVE; k++) {
        h[k] -= own[k];
    }
}

/* h = factor * grad */
static void expect(const fixture *f, const double *h, double factor, const double *grad)
{
    for (int k = 0; k < f->t.n_dof; k++) {
        assert_near_scaled(h[k], factor * grad[k], 100.0, TOL);
    }
}

/* Springs between points and on expressions, both with stiffness and damping. */
static void check_linear_spring(rng *r, bool points)
{
    static fixture f;
    int body[2];
    char line[400], what[200];
    grow(&f, r, false);
    choose_pair(&f, r, body);
    const char *a = name_of(&f, body[0]), *b = name_of(&f, body[1]);
    if (points) {
        snprintf(what, sizeof what, "[%s.p, %s.p]", a, b);
    } else if (body[1] >= 0) {
        snprintf(what, sizeof what, "%s.p.x*%s.p.y + sin(%s.phi - 2*%s.phi)", a, b, a, b);
    } else {
        snprintf(what, sizeof what, "%s.p.x*(%.17g) + sin(%s.phi)", a, p_y, a);
    }
    snprintf(line, sizeof line, "s: {spring: %s, stiffness: 7.5, damping: 1.25, rest: 0.4}", what);
    set_up(&f, r, line);
    double x, rate, grad[TREE_DOFS], h[TREE_DOFS];
    if (points && !has_slope(&f, body)) {
        machine_free(&f.c);
        return;
    }
    take(&f, points ? distance : expression, body, &x, &rate, grad);
    share(&f, 0.0, SP_CONSERVATIVE, h);
    expect(&f, h, -7.5 * (x - 0.4), grad);
    share(&f, 0.0, SP_DAMPERS, h);
    expect(&f, h, -1.25 * rate, grad);
    double power = 0.0;
    for (int k = 0; k < f.t.n_dof; k++) {
        power += h[k] * f.u[k];
    }
    assert_near_scaled(power, -1.25 * rate * rate, 100.0, TOL);
    assert_true(power <= 1e-12);
    share(&f, 0.0, SP_APPLIED, h);
    expect(&f, h, 0.0, grad);
    const double V = tree_potential(&f.t, f.q) + 0.5 * 7.5 * (x - 0.4) * (x - 0.4);
    assert_near_scaled(machine_potential(&f.c, 0.0, f.q, f.u), V, 100.0, TOL);
    machine_free(&f.c);
}

static void a_spring_between_points_pulls_along_their_distance(void **ctx)
{
    (void)ctx;
    rng r = {31};
    for (int k = 0; k < check_cases(100, 2000); k++) {
        check_linear_spring(&r, true);
    }
    print_message("worst relative difference %.1e\n", check_worst());
}

static void a_spring_on_an_expression_pulls_along_its_gradient(void **ctx)
{
    (void)ctx;
    rng r = {32};
    for (int k = 0; k < check_cases(100, 2000); k++) {
        check_linear_spring(&r, false);
    }
    print_message("worst relative difference %.1e\n", check_worst());
}

/* f(x, v) = 3 (x - 0.2)^3 + 0.5 v + x v, and a damper of 0.75 beside it. */
static void a_spring_by_formula_is_an_applied_force_and_its_damper_a_damper(void **ctx)
{
    (void)ctx;
    rng r = {33};
    for (int n = 0; n < check_cases(100, 2000); n++) {
        static fixture f;
        int body[2];
        char line[400];
        grow(&f, &r, false);
        choose_pair(&f, &r, body);
        const bool points = body[1] < 0 || rng_flip(&r);
        const char *a = name_of(&f, body[0]), *b = name_of(&f, body[1]);
        if (points) {
            snprintf(line, sizeof line,
                     "s: {spring: [%s.p, %s.p], force: 3*(x - 0.2)^3 + 0.5*v + x*v, damping: 0.75}",
                     a, b);
        } else {
            snprintf(line, sizeof line,
                     "s: {spring: %s.p.x*%s.p.y + sin(%s.phi - 2*%s.phi), force: 3*(x - 0.2)^3 + "
                     "0.5*v + x*v, damping: 0.75}",
                     a, b, a, b);
        }
        set_up(&f, &r, line);
        double x, v, grad[TREE_DOFS], h[TREE_DOFS];
        if (points && !has_slope(&f, body)) {
            machine_free(&f.c);
            continue;
        }
        take(&f, points ? distance : expression, body, &x, &v, grad);
        const double pull = 3.0 * pow(x - 0.2, 3.0) + 0.5 * v + x * v;
        const double size = fmax(1.0, fabs(pull) / 10.0);
        share(&f, 0.0, SP_APPLIED, h);
        for (int k = 0; k < f.t.n_dof; k++) {
            assert_near_scaled(h[k], -pull * grad[k], 100.0 * size, TOL);
        }
        share(&f, 0.0, SP_DAMPERS, h);
        expect(&f, h, -0.75 * v, grad);
        share(&f, 0.0, SP_CONSERVATIVE, h);
        expect(&f, h, 0.0, grad);
        assert_near_scaled(machine_potential(&f.c, 0.0, f.q, f.u), tree_potential(&f.t, f.q), 100.0,
                           TOL);
        machine_free(&f.c);
    }
    print_message("worst relative difference %.1e\n", check_worst());
}

static void joint_springs_and_dampers_act_on_their_coordinate(void **ctx)
{
    (void)ctx;
    rng r = {34};
    for (int n = 0; n < check_cases(100, 2000); n++) {
        static fixture f;
        double h[TREE_DOFS], damp[TREE_DOFS] = {0.0}, own[TREE_DOFS];
        grow(&f, &r, true);
        set_up(&f, &r, NULL);
        for (int i = 0; i < f.t.n; i++) {
            for (int d = 0; d < 3; d++) {
                const int k = f.t.body[i].dof[d];
                if (k >= 0 && f.t.body[i].sprung) {
                    damp[k] = -f.t.body[i].spring[d][1] * f.u[k];
                }
            }
        }
        machine_share(&f.c, 0.0, f.q, f.u, SP_CONSERVATIVE, h);
        tree_forces(&f.t, f.q, f.u, true, own);
        for (int k = 0; k < f.t.n_dof; k++) {
            assert_near_scaled(h[k], own[k], 100.0, TOL);
        }
        machine_share(&f.c, 0.0, f.q, f.u, SP_DAMPERS, h);
        for (int k = 0; k < f.t.n_dof; k++) {
            assert_near(h[k], damp[k], 1e-15);
        }
        assert_near_scaled(machine_potential(&f.c, 0.0, f.q, f.u), tree_potential(&f.t, f.q), 100.0,
                           TOL);
        machine_free(&f.c);
    }
}

/* h = -dV/dq at rest, everything conservative at once; the quotient's error is h^2/6 V''' +
 * eps V/h: where terms of V and V''' reach 1e3 J, at h = 1e-5 some 2e-8 + 2e-8, also if V itself is
 * small because its terms cancel. */
static void conservative_forces_at_rest_are_the_slope_of_the_potential(void **ctx)
{
    (void)ctx;
    rng r = {35};
    double worst = 0.0;
    for (int n = 0; n < check_cases(30, 500); n++) {
        static fixture f;
        int body[2];
        char line[400];
        grow(&f, &r, true);
        do {
            choose_pair(&f, &r, body);
        } while (body[1] < 0);
        const char *a = name_of(&f, body[0]), *b = name_of(&f, body[1]);
        snprintf(line, sizeof line,
                 "s: {spring: [%s.p, %s.p], stiffness: 5, rest: 0.3}, m: {spring: %s.x*%s.phi + "
                 "%s.p.y, stiffness: 2, rest: 0.1}",
                 a, b, a, b, b);
        set_up(&f, &r, line);
        double h[TREE_DOFS], V[2];
        memset(f.u, 0, sizeof f.u);
        machine_share(&f.c, 0.0, f.q, f.u, SP_CONSERVATIVE, h);
        const double size = fmax(1.0, machine_potential(&f.c, 0.0, f.q, f.u));
        for (int k = 0; k < f.t.n_dof; k++) {
            const double q = f.q[k];
            for (int s = 0; s < 2; s++) {
                f.q[k] = q + (s ? 1e-5 : -1e-5);
                V[s] = machine_potential(&f.c, 0.0, f.q, f.u);
            }
            f.q[k] = q;
            const double error = fabs((V[1] - V[0]) / 2e-5 + h[k]) / size;
            assert_true(error < 1e-7);
            worst = check_worse(worst, error);
        }
        machine_free(&f.c);
    }
    print_message("slope of V: worst error %.1e of V\n", worst);
}

/* World and own axes, at a point and at the centre; F = (2 + t, -3 omega) of the body itself. */
static void applied_forces_do_power_at_their_point(void **ctx)
{
    (void)ctx;
    rng r = {36};
    for (int n = 0; n < check_cases(100, 2000); n++) {
        static fixture f;
        static pose p[TREE_BODIES + 1];
        char line[200];
        grow(&f, &r, false);
        const int i = rng_int(&r, f.t.n);
        const bool own = rng_flip(&r), center = rng_flip(&r);
        snprintf(line, sizeof line, "f: {force: [2 + t, -3*%s.omega], on: %s%s, frame: %s}",
                 name_of(&f, i), name_of(&f, i), center ? "" : ".p", own ? "own" : "world");
        set_up(&f, &r, line);
        tree_poses(&f.t, f.q, f.u, NULL, p);
        const double F[2] = {2.5, -3.0 * p[i].phi.c[1]};
        const double c = own ? p[i].c.c[0] : 1.0, s = own ? p[i].s.c[0] : 0.0;
        double h[TREE_DOFS];
        machine_share(&f.c, 0.5, f.q, f.u, SP_APPLIED, h);
        for (int k = 0; k < f.t.n_dof; k++) {
            double e[TREE_DOFS] = {0.0};
            e[k] = 1.0;
            tree_poses(&f.t, f.q, e, NULL, p);
            const double *at = f.t.body[i].center;
            const jet2 x = center ? pose_point(&p[i], at[0], at[1]) : point_p(&f, p, i);
            const double power =
                x.x.c[1] * (c * F[0] - s * F[1]) + x.y.c[1] * (s * F[0] + c * F[1]);
            assert_near_scaled(h[k], power, 100.0, TOL);
        }
        machine_free(&f.c);
    }
    print_message("worst relative difference %.1e\n", check_worst());
}

static void torques_do_power_on_the_spin_of_their_body(void **ctx)
{
    (void)ctx;
    rng r = {37};
    for (int n = 0; n < check_cases(50, 1000); n++) {
        static fixture f;
        static pose p[TREE_BODIES + 1];
        char line[200];
        grow(&f, &r, false);
        const int i = rng_int(&r, f.t.n);
        snprintf(line, sizeof line, "f: {torque: 4*cos(t) - %s.omega, on: %s}", name_of(&f, i),
                 name_of(&f, i));
        set_up(&f, &r, line);
        tree_poses(&f.t, f.q, f.u, NULL, p);
        const double torque = 4.0 * cos(0.5) - p[i].phi.c[1];
        double h[TREE_DOFS];
        machine_share(&f.c, 0.5, f.q, f.u, SP_APPLIED, h);
        for (int k = 0; k < f.t.n_dof; k++) {
            double e[TREE_DOFS] = {0.0};
            e[k] = 1.0;
            tree_poses(&f.t, f.q, e, NULL, p);
            assert_near_scaled(h[k], torque * p[i].phi.c[1], 100.0, TOL);
        }
        machine_free(&f.c);
    }
}

/* min(max(10 (2 - rate) - coordinate, -limit), limit) on the joint's own coordinate, no other. */
static void drives_act_on_their_coordinate_up_to_their_limit(void **ctx)
{
    (void)ctx;
    rng r = {38};
    int limited = 0, free_ones = 0;
    for (int n = 0; n < check_cases(100, 1000); n++) {
        static fixture f;
        char line[200];
        grow(&f, &r, false);
        f.t.body[1].joint = rng_flip(&r) ? TREE_REVOLUTE : TREE_PRISMATIC;
        const bool turns = f.t.body[1].joint == TREE_REVOLUTE, limit = rng_flip(&r);
        snprintf(line, sizeof line, "d: {drive: b1.joint, %s: 10*(2 - %s) - %s%s}",
                 turns ? "torque" : "force", turns ? "omega" : "v", turns ? "phi" : "s",
                 limit ? ", limit: 15" : "");
        set_up(&f, &r, line);
        const int j = f.t.body[1].dof[turns ? 2 : 0];
        f.u[j] = rng_in(&r, -4.0, 8.0);
        double h[TREE_DOFS], expected = 10.0 * (2.0 - f.u[j]) - f.q[j];
        if (limit && fabs(expected) > 15.0) {
            expected = expected > 0.0 ? 15.0 : -15.0;
            limited++;
        } else {
            free_ones++;
        }
        machine_share(&f.c, 0.0, f.q, f.u, SP_APPLIED, h);
        for (int k = 0; k < f.t.n_dof; k++) {
            assert_near_scaled(h[k], k == j ? expected : 0.0, 100.0, 1e-15);
        }
        machine_free(&f.c);
    }
    assert_true(limited > 10 && free_ones > 10);
}

/* x = s (1 + t) - t^2 moves by itself too: x' = v (1 + t) + s - 2 t, dx/dq = 1 + t. */
static void a_measure_that_depends_on_time_has_its_own_rate(void **ctx)
{
    (void)ctx;
    machine c = machine_of_text(
        "specht: 1\nname: test\nspace: planar\nunits: off\ngravity: 0\nbodies:\n"
        "  a: {mass: 1, joint: {prismatic: ground, axis: [1, 0]}}\n"
        "forces: {s: {spring: a.joint.s*(1 + t) - t^2, stiffness: 3, damping: 2, rest: 0.5}}\n"
        "run: {until: 1, method: moreau, step: 0.1}\n");
    const double q = 0.7, u = -0.4, t = 0.25, x = 0.7 * 1.25 - 0.0625;
    const double rate = -0.4 * 1.25 + 0.7 - 0.5;
    double h;
    /* its foot is moved by somebody: all its work is applied, it has no potential */
    machine_share(&c, t, &q, &u, SP_APPLIED, &h);
    assert_near(h, -(3.0 * (x - 0.5) + 2.0 * rate) * 1.25, 1e-15);
    machine_share(&c, t, &q, &u, SP_CONSERVATIVE, &h);
    assert_near(h, 0.0, 1e-15);
    assert_near(machine_potential(&c, t, &q, &u), 0.0, 1e-15);
    machine_free(&c);
}

/* Two points on top of each other have no direction: no force, no NaN, energy k/2 rest^2. */
static void a_spring_without_length_gives_no_number_that_is_none(void **ctx)
{
    (void)ctx;
    machine c = machine_of_text(
        "specht: 1\nname: test\nspace: planar\nunits: off\ngravity: 0\nbodies:\n"
        "  ground: {points: {p: [1, 2]}}\n"
        "  a: {mass: 1, inertia: 1, joint: {free: ground}, points: {p: [0, 0]}}\n"
        "forces: {s: {spring: [ground.p, a.p], stiffness: 3, damping: 2, rest: 0.5},\n"
        "         l: {spring: [ground.p, a.p], force: x + v}}\n"
        "run: {until: 1, method: moreau, step: 0.1}\n");
    const double q[3] = {1.0, 2.0, 0.3}, u[3] = {0.4, -0.1, 2.0};
    double h[3];
    machine_forces(&c, 0.0, q, u, h);
    for (int k = 0; k < 3; k++) {
        assert_true(isfinite(h[k]));
        assert_true(h[k] == 0.0);
    }
    assert_near(machine_potential(&c, 0.0, q, u), 0.5 * 3.0 * 0.25, 1e-15);
    machine_free(&c);
}

/* Shares are kept apart: with all kinds of forces at once h is the sum of what each gives alone. */
static void forces_of_several_elements_add_up(void **ctx)
{
    (void)ctx;
    static const char *const line[] = {
        "a: {spring: [b0.p, ground.p], stiffness: 7, damping: 2, rest: 0.4}",
        "b: {spring: b1.x - b0.phi*b1.y, stiffness: 3, damping: 1, rest: 0.1}",
        "c: {force: [1 + t, b1.vx], on: b1.p, frame: own}", "d: {torque: -0.3*b0.omega, on: b1}",
        "e: {spring: [b0.p, b1.p], force: x*v}"};
    rng r = {39};
    for (int n = 0; n < check_cases(20, 200); n++) {
        static fixture f;
        static text all;
        double sum[SP_SHARES][TREE_DOFS] = {{0.0}}, h[TREE_DOFS];
        grow(&f, &r, false);
        all.n = 0;
        const uint64_t seed = r.state;
        for (int i = 0; i < 5; i++) {
            r.state = seed; /* the same motion */
            set_up(&f, &r, line[i]);
            for (int s = 0; s < SP_SHARES; s++) {
                share(&f, 0.5, (sp_share)s, h);
                for (int k = 0; k < f.t.n_dof; k++) {
                    sum[s][k] += h[k];
                }
            }
            machine_free(&f.c);
            text_add(&all, "%s%s", i ? ", " : "", line[i]);
        }
        r.state = seed;
        set_up(&f, &r, all.s);
        for (int s = 0; s < SP_SHARES; s++) {
            share(&f, 0.5, (sp_share)s, h);
            for (int k = 0; k < f.t.n_dof; k++) {
                assert_near_scaled(h[k], sum[s][k], 100.0, TOL);
            }
        }
        machine_free(&f.c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spring_between_points_pulls_along_their_distance),
        cmocka_unit_test(a_spring_on_an_expression_pulls_along_its_gradient),
        cmocka_unit_test(a_spring_by_formula_is_an_applied_force_and_its_damper_a_damper),
        cmocka_unit_test(joint_springs_and_dampers_act_on_their_coordinate),
        cmocka_unit_test(conservative_forces_at_rest_are_the_slope_of_the_potential),
        cmocka_unit_test(applied_forces_do_power_at_their_point),
        cmocka_unit_test(torques_do_power_on_the_spin_of_their_body),
        cmocka_unit_test(drives_act_on_their_coordinate_up_to_their_limit),
        cmocka_unit_test(a_measure_that_depends_on_time_has_its_own_rate),
        cmocka_unit_test(a_spring_without_length_gives_no_number_that_is_none),
        cmocka_unit_test(forces_of_several_elements_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
