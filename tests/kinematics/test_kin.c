/* Kinematics of trees against homogeneous matrices and difference quotients.   theory (2.1)-(2.7)
 */
#include "support/points.h"
#include "support/tree.h"

#include <stdio.h>

/* Round-off of chains: an angle of the library is a sum of up to 30 terms of size 5, one of the
 * oracle's a product of up to 60 rotations; lengths grow to 30 m.  1e-13 leaves a factor 10. */
#define TOL_PLACE 1e-13
/* Velocities grow with the product of spin (to 30 rad/s) and length, accelerations with its square;
 * compared against the size of the largest term, as the sums cancel. */
#define TOL_RATE 1e-12

/* A tree with a motion, the oracle's answer, the library's. */
typedef struct fixture {
    tree t;
    machine c;
    double q[TREE_DOFS], u[TREE_DOFS], a[TREE_DOFS];
    pose p[TREE_BODIES + 1];
} fixture;

/* Case k: the first ones are single joints, then trees of up to 30 bodies. */
static void set_up(fixture *f, rng *r, int k)
{
    const int n = k < 40 ? 1 + k / 20 : 1 + rng_int(r, 30);
    f->t = tree_random(r, n, rng_in(r, 0.0, 1.0));
    f->c = tree_compile(&f->t, r);
    random_motion(r, f->t.n_dof, f->q, f->u, f->a);
    tree_poses(&f->t, f->q, f->u, NULL, f->p);
    machine_move(&f->c, f->q, f->u);
}

/* The largest size among the oracle's values, the t^k coefficient. */
static double scale_of(const fixture *f, int k)
{
    double s = 1.0;
    for (int i = 0; i < f->t.n; i++) {
        s = check_worse(s, fmax(fabs(f->p[i].r.x.c[k]), fabs(f->p[i].r.y.c[k])));
    }
    return s;
}

static void places_are_products_of_homogeneous_matrices(void **ctx)
{
    (void)ctx;
    rng r = {1};
    for (int k = 0; k < check_cases(200, 5000); k++) {
        static fixture f;
        set_up(&f, &r, k);
        for (int i = 0; i < f.t.n; i++) {
            const sp_frame *b = &f.c.w->kin.frame[f.t.body[i].body];
            const pose *p = &f.p[i];
            const double size = scale_of(&f, 0);
            assert_near_scaled(b->x.x, p->r.x.c[0], size, TOL_PLACE);
            assert_near_scaled(b->x.y, p->r.y.c[0], size, TOL_PLACE);
            assert_near(b->R.c, p->c.c[0], TOL_PLACE);
            assert_near(b->R.s, p->s.c[0], TOL_PLACE);
            assert_near(b->phi, p->phi.c[0], TOL_PLACE); /* counted on through full turns */
            const jet2 c = pose_point(p, f.t.body[i].center[0], f.t.body[i].center[1]);
            assert_near_scaled(b->x.x + b->c.x, c.x.c[0], size, TOL_PLACE);
            assert_near_scaled(b->x.y + b->c.y, c.y.c[0], size, TOL_PLACE);
            const jet2 x = pose_point(p, 0.3, -0.7);
            const sp_vec y = sp_kin_place(b, (sp_vec){0.3, -0.7});
            assert_near_scaled(y.x, x.x.c[0], size, TOL_PLACE);
            assert_near_scaled(y.y, x.y.c[0], size, TOL_PLACE);
        }
        machine_free(&f.c);
    }
    print_message("places: worst relative difference %.1e\n", check_worst());
}

static void velocities_are_the_rates_of_the_places(void **ctx)
{
    (void)ctx;
    rng r = {2};
    for (int k = 0; k < check_cases(200, 5000); k++) {
        static fixture f;
        set_up(&f, &r, k);
        for (int i = 0; i < f.t.n; i++) {
            const sp_frame *b = &f.c.w->kin.frame[f.t.body[i].body];
            const pose *p = &f.p[i];
            const double size = scale_of(&f, 1);
            assert_near_scaled(b->v.x, p->r.x.c[1], size, TOL_RATE);
            assert_near_scaled(b->v.y, p->r.y.c[1], size, TOL_RATE);
            assert_near(b->omega, p->phi.c[1], TOL_RATE);
            const jet2 x = pose_point(p, 0.3, -0.7);
            const sp_vec3 v =
                point_velocity(&f.c.w->kin, f.t.body[i].body, (sp_vec3){x.x.c[0], x.y.c[0], 0.0});
            assert_near_scaled(v.x, x.x.c[1], size, TOL_RATE);
            assert_near_scaled(v.y, x.y.c[1], size, TOL_RATE);
        }
        machine_free(&f.c);
    }
    print_message("velocities: worst relative difference %.1e\n", check_worst());
}

static void bias_accelerations_are_second_derivatives_at_constant_rates(void **ctx)
{
    (void)ctx;
    rng r = {3};
    for (int k = 0; k < check_cases(200, 5000); k++) {
        static fixture f;
        set_up(&f, &r, k);
        for (int i = 0; i < f.t.n; i++) {
            const sp_frame *b = &f.c.w->kin.frame[f.t.body[i].body];
            const pose *p = &f.p[i];
            const double size = 2.0 * scale_of(&f, 2);
            assert_near_scaled(b->a0.x, 2.0 * p->r.x.c[2], size, TOL_RATE);
            assert_near_scaled(b->a0.y, 2.0 * p->r.y.c[2], size, TOL_RATE);
            const jet2 x = pose_point(p, 0.3, -0.7);
            const sp_vec3 a =
                point_bias(&f.c.w->kin, f.t.body[i].body, (sp_vec3){x.x.c[0], x.y.c[0], 0.0});
            assert_near_scaled(a.x, 2.0 * x.x.c[2], size, TOL_RATE);
            assert_near_scaled(a.y, 2.0 * x.y.c[2], size, TOL_RATE);
        }
        machine_free(&f.c);
    }
    print_message("bias: worst relative difference %.1e\n", check_worst());
}

/* Is the coordinate between the body and the ground? */
static bool carries(const sp_model *m, int k, int body)
{
    for (int j = m->body[body].last_dof; j != SP_NONE; j = m->dof[j].parent) {
        if (j == k) {
            return true;
        }
    }
    return false;
}

/* The column of u[j] of the material point of a body that is at a place, by sp_spot_columns. */
static sp_vec3 column_of(const machine *c, int body, int j, sp_vec3 place)
{
    const sp_kin *kin = &c->w->kin;
    const sp_path *p = &kin->path[0];
    const sp_spot s = sp_spot_on(kin, body, place);
    const int n = sp_spot_columns(c->m, kin, &s, p->sup, p->v, p->w);
    for (int i = 0; i < n; i++) {
        if (p->sup[i] == j) {
            assert_near(p->w[i].z, c->m->layout.dof_turns[j] ? 1.0 : 0.0, 0.0);
            return p->v[i];
        }
    }
    return (sp_vec3){NAN, NAN, NAN};
}

static void jacobian_columns_are_velocities_per_unit_of_one_rate(void **ctx)
{
    (void)ctx;
    rng r = {4};
    for (int k = 0; k < check_cases(40, 1000); k++) {
        static fixture f;
        set_up(&f, &r, 30 + k);
        for (int j = 0; j < f.t.n_dof; j++) {
            double e[TREE_DOFS] = {0.0};
            static pose p[TREE_BODIES + 1];
            e[j] = 1.0;
            tree_poses(&f.t, f.q, e, NULL, p);
            for (int i = 0; i < f.t.n; i++) {
                const int body = f.t.body[i].body;
                const jet2 x = pose_point(&p[i], -0.4, 0.9);
                const sp_vec3 place = {x.x.c[0], x.y.c[0], 0.0};
                if (carries(f.c.m, j, body)) {
                    const sp_vec3 col = column_of(&f.c, body, j, place);
                    assert_near_scaled(col.x, x.x.c[1], scale_of(&f, 0), TOL_PLACE);
                    assert_near_scaled(col.y, x.y.c[1], scale_of(&f, 0), TOL_PLACE);
                } else { /* the list of ancestors leaves out nothing that moves the body */
                    assert_true(x.x.c[1] == 0.0 && x.y.c[1] == 0.0 && p[i].phi.c[1] == 0.0);
                }
            }
        }
        machine_free(&f.c);
    }
    print_message("columns: worst relative difference %.1e\n", check_worst());
}

/* Velocities and bias by quotients of the library's own places, over a range of steps.  The error
 * of the central quotient is h^2/6 |x'''| + eps |x|/h, of the second difference h^2/12 |x''''| + 4
 * eps |x|/h^2; with |x^(n)| ~ 5 (1.5)^n, |x| ~ 5 the best steps are near 1e-5 and 2e-4, the best
 * errors near 1e-10 and 1e-7.  The slopes above the best steps must be 2. */
static void difference_quotients_converge_to_velocity_and_bias_with_order_two(void **ctx)
{
    (void)ctx;
    enum { N = 5 };
    const double step[N] = {1e-1, 3e-2, 1e-2, 3e-3, 1e-3};
    double err_v[N + 1] = {0.0}, err_a[N + 1] = {0.0};
    rng r = {5};
    for (int k = 0; k < 20; k++) {
        static fixture f;
        set_up(&f, &r, 20 + k); /* two bodies */
        const int last = f.t.body[f.t.n - 1].body;
        const sp_frame now = f.c.w->kin.frame[last];
        const sp_vec local = {0.5, 0.25}, x = sp_kin_place(&now, local);
        const sp_vec r_x = sp_sub(x, now.x);
        const sp_vec v = sp_kin_velocity_off(&now, r_x), a = sp_kin_bias_off(&now, r_x);
        for (int s = 0; s <= N; s++) {
            const double h_v = s < N ? step[s] : 1e-5, h_a = s < N ? step[s] : 2e-4;
            sp_vec at[4];
            const double shift[4] = {-h_v, h_v, -h_a, h_a};
            for (int side = 0; side < 4; side++) {
                double q[TREE_DOFS];
                for (int j = 0; j < f.t.n_dof; j++) {
                    q[j] = f.q[j] + shift[side] * f.u[j];
                }
                sp_kin_positions(f.c.m, f.c.num, q, &f.c.w->kin);
                at[side] = sp_kin_place(&f.c.w->kin.frame[last], local);
            }
            const double d_x = (at[1].x - at[0].x) / (2.0 * h_v) - v.x;
            const double d_y = (at[1].y - at[0].y) / (2.0 * h_v) - v.y;
            const double e_x = (at[3].x - 2.0 * x.x + at[2].x) / (h_a * h_a) - a.x;
            const double e_y = (at[3].y - 2.0 * x.y + at[2].y) / (h_a * h_a) - a.y;
            err_v[s] = check_worse(err_v[s], hypot(d_x, d_y));
            err_a[s] = check_worse(err_a[s], hypot(e_x, e_y));
        }
        machine_free(&f.c);
    }
    print_message("quotients: orders %.3f and %.3f, best errors %.1e and %.1e\n",
                  check_order(N, step, err_v), check_order(N, step, err_a), err_v[N], err_a[N]);
    assert_near(check_order(N, step, err_v), 2.0, 0.02);
    assert_near(check_order(N, step, err_a), 2.0, 0.02);
    assert_true(err_v[N] < 1e-9);
    assert_true(err_a[N] < 1e-6);
}

static void one_body_at_a_time_gives_the_same_bits_as_all_at_once(void **ctx)
{
    (void)ctx;
    rng r = {6};
    for (int k = 0; k < check_cases(50, 500); k++) {
        static fixture f;
        set_up(&f, &r, 60 + k);
        static sp_frame all[TREE_BODIES + 1];
        sp_kin *kin = &f.c.w->kin;
        machine_move(&f.c, f.q, f.u);
        for (int i = 0; i < f.c.m->n_body; i++) {
            all[i] = kin->frame[i];
        }
        for (int i = 1; i < f.c.m->n_body; i++) {
            kin->frame[i].x = (sp_vec){NAN, NAN};
            kin->frame[i].v = (sp_vec){NAN, NAN};
            sp_kin_place_body(f.c.m, f.c.num, f.q, i, kin);
            sp_kin_move_body(f.c.m, f.u, i, kin);
            const sp_frame *b = &kin->frame[i];
            assert_true(b->x.x == all[i].x.x && b->x.y == all[i].x.y && b->phi == all[i].phi);
            assert_true(b->v.x == all[i].v.x && b->v.y == all[i].v.y && b->omega == all[i].omega);
        }
        machine_free(&f.c);
    }
}

static void the_ground_stays_where_it_is(void **ctx)
{
    (void)ctx;
    rng r = {7};
    static fixture f;
    set_up(&f, &r, 100);
    const sp_frame *g = &f.c.w->kin.frame[SP_GROUND];
    assert_true(g->x.x == 0.0 && g->x.y == 0.0 && g->R.c == 1.0 && g->R.s == 0.0 && g->phi == 0.0);
    assert_true(g->v.x == 0.0 && g->v.y == 0.0 && g->omega == 0.0);
    assert_true(g->a0.x == 0.0 && g->a0.y == 0.0);
    machine_free(&f.c);
}

/* By hand: prismatic along 30 degrees of a frame turned by 60 is along y; revolute at its end. */
static void a_slide_turned_twice_and_a_hinge_off_its_end_are_where_a_drawing_puts_them(void **ctx)
{
    (void)ctx;
    machine c = machine_of_text(
        "specht: 1\nname: test\nspace: planar\nunits: off\ngravity: 0\nbodies:\n"
        "  arm: {mass: 1, inertia: 1, joint: {revolute: cart, at: [0, 1], from: [2, 0]}}\n"
        "  cart: {mass: 1, joint: {prismatic: ground, axis: 30 deg, turn: 60 deg, at: [5, 7]}}\n"
        "run: {until: 1, method: moreau, step: 0.1}\n");
    double q[2], u[2];
    const int s = machine_dof(&c, "cart.joint.s"), phi = machine_dof(&c, "arm.joint.phi");
    q[s] = 3.0;
    q[phi] = acos(-1.0) / 6.0; /* with the turn of 60 degrees: 90 degrees in the world */
    u[s] = 2.0;
    u[phi] = 3.0;
    machine_move(&c, q, u);
    const sp_frame *cart = &c.w->kin.frame[machine_body(&c, "cart")];
    const sp_frame *arm = &c.w->kin.frame[machine_body(&c, "arm")];
    assert_near(cart->x.x, 5.0, 1e-15);
    assert_near(cart->x.y, 10.0, 1e-15);
    /* pivot at (5, 10) + R(60 deg) (0, 1); the arm's origin 2 below it, as its x axis points up */
    assert_near(arm->x.x, 5.0 - sqrt(0.75), 1e-15);
    assert_near(arm->x.y, 10.0 + 0.5 - 2.0, 1e-15);
    assert_near(arm->v.x, 6.0, 1e-15); /* 3 rad/s, 2 m below the pivot: to the right */
    assert_near(arm->v.y, 2.0, 1e-15);
    assert_near(arm->a0.x, 0.0, 1e-14);
    assert_near(arm->a0.y, 18.0, 1e-15); /* 9 * 2 towards the pivot */
    machine_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_are_products_of_homogeneous_matrices),
        cmocka_unit_test(velocities_are_the_rates_of_the_places),
        cmocka_unit_test(bias_accelerations_are_second_derivatives_at_constant_rates),
        cmocka_unit_test(jacobian_columns_are_velocities_per_unit_of_one_rate),
        cmocka_unit_test(difference_quotients_converge_to_velocity_and_bias_with_order_two),
        cmocka_unit_test(one_body_at_a_time_gives_the_same_bits_as_all_at_once),
        cmocka_unit_test(the_ground_stays_where_it_is),
        cmocka_unit_test(
            a_slide_turned_twice_and_a_hinge_off_its_end_are_where_a_drawing_puts_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
