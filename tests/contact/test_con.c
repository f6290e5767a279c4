/* Active contacts, force directions, rheonomic terms, the Delassus operator.
 * theory (4.5), (4.9), (5.1), (5.2) */
#include "base/status.h"
#include "support/scene.h"

#include <stdio.h>
#include <string.h>

/* Columns are lever arms of a few metres. */
#define TOL_W 1e-12
/* Velocities to 10 m/s; accelerations hold spin squared over the distance of the centres. */
#define TOL_GAMMA 1e-12
#define TOL_BIAS  1e-11

enum { N_ROW = 2 * 64 };

/* Where the feature could as well be another one, or the two centres nearly coincide. */
static bool is_delicate(const touch *w, const sp_contact_frame *f)
{
    return w->doubt < 1e-6 || w->behind || (w->round && 1.0 / f->inv_distance < 1e-2);
}

/* Row of W over all coordinates. */
static void dense_row(const sp_con *con, int contact, int row, int n, double *W)
{
    memset(W, 0, (size_t)n * sizeof *W);
    sp_con_add(con, contact, con->W + (size_t)row * (size_t)con->stride, 1.0, W);
}

/* W against the rates of gap and slip for one coordinate at a time. */
static void compare_columns(const scene *s, const tree *frozen, int slot, const double *W_N,
                            const double *W_T)
{
    for (int k = 0; k < s->t.n_dof; k++) {
        static pose p[TREE_BODIES + 1];
        double e[TREE_DOFS] = {0.0};
        e[k] = 1.0;
        tree_poses(frozen, s->q, e, NULL, p);
        const touch w = scene_touch(s, p, slot);
        assert_near_scaled(W_N[k], w.g.c[1], 10.0, TOL_W); /* dg/dq_k */
        assert_near_scaled(W_T[k], w.gamma[1].c[0], 10.0, TOL_W);
    }
}

/* W, w_tilde, w_bar of all slots (all are active); returns how many were compared. */
static int compare(scene *s)
{
    static pose p[TREE_BODIES + 1], p0[TREE_BODIES + 1], pa[TREE_BODIES + 1];
    const sp_con *con = &s->c.w->con;
    const int n = s->t.n_dof;
    const tree frozen = tree_frozen(&s->t);
    int compared = 0;
    scene_poses(s, s->q, s->u, NULL, p);
    scene_poses(s, s->q, NULL, NULL, p0);
    scene_poses(s, s->q, s->u, s->a, pa);
    assert_int_equal(con->n_active, s->c.m->n_slot);
    for (int slot = 0; slot < s->c.m->n_slot; slot++) {
        const touch w = scene_touch(s, p, slot), w0 = scene_touch(s, p0, slot);
        const touch wa = scene_touch(s, pa, slot);
        const sp_contact_frame *f = &con->frame[slot];
        if (is_delicate(&w, f) || scene_elsewhere(s, &w, slot)) {
            continue;
        }
        double W[2][TREE_DOFS], gamma[2], bias[2];
        sp_con_gamma(&s->c.w->kin, f, gamma);
        sp_con_bias(s->c.m, &s->c.w->kin, con, slot, f, bias);
        for (int k = 0; k < 2; k++) {
            const int row = con->row[slot] + k;
            dense_row(con, slot, row, n, W[k]);
            const double W_u = sp_con_dot(con, slot, row, s->u);
            const double W_a = sp_con_dot(con, slot, row, s->a);
            assert_near_scaled(con->w_tilde[row], w0.gamma[k].c[0], 10.0, TOL_GAMMA);
            assert_near_scaled(gamma[k], w.gamma[k].c[0], 10.0, TOL_GAMMA);
            assert_near_scaled(W_u + con->w_tilde[row], gamma[k], 10.0, TOL_GAMMA);
            assert_near_scaled(bias[k], w.gamma[k].c[1], 100.0, TOL_BIAS);
            assert_near_scaled(W_a + bias[k], wa.gamma[k].c[1], 100.0, TOL_BIAS);
        }
        compare_columns(s, &frozen, slot, W[0], W[1]);
        compared++;
    }
    return compared;
}

static void directions_of_every_pair_are_slopes_of_gap_and_slip(void **ctx)
{
    (void)ctx;
    rng r = {51};
    sp_contour_kind a, b;
    int compared = 0;
    for (int pair = 0; scene_pair(pair, &a, &b); pair++) {
        for (int n = 0; n < check_cases(30, 500); n++) {
            static scene s;
            scene_random(&s, &r, a, b);
            if (rng_flip(&r)) {
                scene_close(&s, &r, rng_int(&r, s.c.m->n_slot));
            }
            machine_touch(&s.c, s.q, s.u, INFINITY);
            for (int row = 0; row < s.c.w->con.n_row; row++) {
                assert_true(s.c.w->con.w_tilde[row] == 0.0); /* nothing is prescribed */
            }
            compared += compare(&s);
            scene_free(&s);
        }
    }
    print_message("%d contact points, worst %.0e\n", compared, check_worst());
    assert_true(compared > 1000);
}

/* Both bodies at the ends of one chain, and on two branches of one trunk. */
static void bodies_with_shared_ancestors_keep_the_same_laws(void **ctx)
{
    (void)ctx;
    rng r = {53};
    sp_contour_kind a, b;
    int compared = 0;
    for (int pair = 0; scene_pair(pair, &a, &b); pair++) {
        for (int n = 0; n < check_cases(20, 300); n++) {
            static scene s;
            const bool chain = rng_flip(&r);
            s.t = tree_random(&r, 5, 1.0);
            for (int i = 0; i < 5; i++) {
                s.t.body[i].joint = (tree_joint)(TREE_REVOLUTE + rng_int(&r, 3));
            }
            s.t.body[3].parent = chain ? 2 : 1; /* 0-1-2, then 3-4 on 2 or on 1 */
            const int swap = rng_flip(&r);
            s.on[swap] = chain ? rng_int(&r, 3) : 2;
            s.on[1 - swap] = 4;
            scene_compile(&s, &r, a, b);
            machine_touch(&s.c, s.q, s.u, INFINITY);
            compared += compare(&s);
            scene_free(&s);
        }
    }
    print_message("%d contact points, worst %.0e\n", compared, check_worst());
    assert_true(compared > 1000);
}

/* G by elimination on the mass matrix of the oracle; also each solver of the library's own factor.
 */
static void compare_delassus(scene *s)
{
    static double M[TREE_DOFS * TREE_DOFS], A[TREE_DOFS * TREE_DOFS], W[N_ROW][TREE_DOFS];
    sp_con *con = &s->c.w->con;
    const int n = s->t.n_dof, rows = con->n_row;
    sp_error err;
    machine_mass(&s->c, s->q, s->u, M);
    assert_int_equal(sp_dyn_factor(s->c.m, &s->c.w->dyn, &err), SP_OK);
    sp_con_delassus(s->c.m, &s->c.w->dyn, con);
    tree_mass(&s->t, s->q, M);
    assert_true(rows <= N_ROW);
    for (int c = 0; c < con->n_active; c++) {
        const int end = c + 1 < con->n_active ? con->row[c + 1] : rows;
        for (int row = con->row[c]; row < end; row++) {
            dense_row(con, c, row, n, W[row]);
        }
    }
    for (int j = 0; j < rows; j++) {
        double x[TREE_DOFS], size = 1e-300;
        memcpy(A, M, sizeof M);
        memcpy(x, W[j], sizeof x);
        dense_solve(n, A, x);
        for (int i = 0; i < rows; i++) {
            size = check_worse(size, con->G[i * rows + i]);
        }
        for (int i = 0; i < rows; i++) {
            double G = 0.0;
            for (int k = 0; k < n; k++) {
                G += W[i][k] * x[k];
            }
            /* M of 15 coordinates has a condition to 1e5: 1e5 eps, seen from its inverse */
            assert_near_scaled(con->G[i * rows + j], G, size, 1e-11);
            assert_true(con->G[i * rows + j] == con->G[j * rows + i]); /* to the bit */
        }
        assert_true(con->G[j * rows + j] >= 0.0);
    }
    for (int k = 0; k < n; k++) {
        assert_true(con->z[k] == 0.0); /* scratch left clean */
    }
}

static void the_delassus_operator_is_that_of_dense_algebra_and_symmetric_to_the_bit(void **ctx)
{
    (void)ctx;
    rng r = {54};
    sp_contour_kind a, b;
    for (int pair = 0; scene_pair(pair, &a, &b); pair++) {
        for (int n = 0; n < check_cases(10, 200); n++) {
            static scene s;
            scene_random(&s, &r, a, b);
            machine_touch(&s.c, s.q, s.u, INFINITY);
            compare_delassus(&s);
            scene_free(&s);
        }
    }
    print_message("G: worst difference %.1e of its largest entry\n", check_worst());
}

/* Contacts between several pairs of bodies of one tree, with and without friction, at once. */
static void contacts_of_different_bodies_couple_through_what_moves_both(void **ctx)
{
    (void)ctx;
    rng r = {55};
    for (int n = 0; n < check_cases(30, 500); n++) {
        static scene s;
        static text out;
        s.t = tree_random(&r, 6, 0.5);
        out.n = 0;
        tree_write_head(&s.t, &out);
        text_add(&out, "bodies:\n  ground: {contours: {f: {line: [0, 1]}, w: {circle: 1}}}\n");
        for (int i = 0; i < s.t.n; i++) {
            s.t.body[i].joint = (tree_joint)(TREE_REVOLUTE + rng_int(&r, 3));
            tree_write_body(&s.t, i, &out);
            text_add(&out, ", contours: {d: {circle: 0.3, at: [0.1, %d]}, p: {box: [1, 0.5]}}}\n",
                     i);
        }
        text_add(&out, "contacts:\n"
                       "  one: {between: [[b0.d, b3.p], [ground.f, ground.w]], law: {mu: 0.3}}\n"
                       "  two: {between: [b1.p, b4.d], law: {eps_N: 0.5}}\n"
                       "  three: {between: [b2.d, b5.p], law: {mu: 0.1, eps_N: 0.2, eps_T: 0.4}}\n"
                       "  four: {between: [b0.d, [b1.p, b2.p, b5.d]], law: {mu: 0.2}}\n"
                       "run: {until: 1, method: moreau, step: 0.1}\n");
        s.c = machine_of_text(out.s);
        tree_bind(&s.t, &s.c);
        random_motion(&r, s.t.n_dof, s.q, s.u, s.a);
        machine_touch(&s.c, s.q, s.u, INFINITY);
        compare_delassus(&s);
        scene_free(&s);
    }
    print_message("G: worst difference %.1e of its largest entry\n", check_worst());
}

/* A rack of n balls at heights 0, 1, 2, ... over a floor, each with a law of its own body. */
static machine rack(int n, const char *law)
{
    static text out;
    out.n = 0;
    text_add(&out,
             "specht: 1\nname: test\nspace: planar\nunits: off\ngravity: 0\nbodies:\n"
             "  ground: {contours: {floor: {line: [0, 1]}}}\n"
             "  ball: {count: %d, mass: 2, joint: {prismatic: ground, axis: [0, 1]}, contours: "
             "{tip: {point: [0, 0]}}}\n"
             "contacts: {c: {between: [ball, ground.floor], law: {%s}}}\n"
             "run: {until: 1, method: moreau, step: 0.1}\n",
             n, law);
    return machine_of_text(out.s);
}

static void contacts_up_to_the_margin_are_active_in_rising_order(void **ctx)
{
    (void)ctx;
    machine c = rack(5, "mu: 0.3, eps_N: 0.25, eps_T: 0.75");
    const double q[5] = {3e-11, -1.0, 1e-11, 0.0, NAN}, u[5] = {0.0};
    double at[5];
    memcpy(at, q, sizeof at);
    at[4] = 2.0;
    machine_touch(&c, at, u, SP_GAP_ACTIVE);
    const sp_con *con = &c.w->con;
    assert_int_equal(con->n_active, 3);
    assert_int_equal(con->active[0], 1);
    assert_int_equal(con->active[1], 2); /* equal to the margin */
    assert_int_equal(con->active[2], 3);
    assert_true(con->least == -1.0);
    assert_int_equal(con->n_row, 6);
    for (int a = 0; a < 3; a++) {
        assert_int_equal(con->row[a], 2 * a);
        assert_int_equal(con->set[a].kind, SP_SET_PLANAR);
        assert_true(con->set[a].mu == 0.3);
        assert_true(con->eps[2 * a] == 0.25 && con->eps[2 * a + 1] == 0.75);
    }
    sp_con_directions(c.m, c.num, &c.w->kin, false, &c.w->con); /* normal rows only */
    assert_int_equal(con->n_row, 3);
    for (int a = 0; a < 3; a++) {
        assert_int_equal(con->row[a], a);
        assert_int_equal(con->set[a].kind, SP_SET_HALF_LINE);
        assert_true(con->eps[a] == 0.25);
    }
    at[1] = 1.0;
    at[2] = at[3] = 1.0;
    machine_touch(&c, at, u, SP_GAP_ACTIVE);
    assert_int_equal(con->n_active, 0);
    assert_int_equal(con->n_row, 0);
    machine_free(&c);
}

/* G is formed while it is small enough; without it the problem is solved by factors. */
static void a_dense_matrix_is_formed_for_256_contacts_at_most(void **ctx)
{
    (void)ctx;
    enum { N = 300 };
    machine c = rack(N, "mu: 0.3");
    double q[N], u[N] = {0.0};
    for (int n = 255; n < 259; n++) {
        for (int k = 0; k < N; k++) {
            q[k] = k < n ? -1.0 : 1.0;
        }
        machine_move(&c, q, u);
        sp_con_gaps(c.m, c.num, &c.w->kin, &c.w->con);
        assert_int_equal(sp_con_activate(c.m, 0.0, NULL, &c.w->con, NULL), SP_OK);
        assert_int_equal(c.w->con.n_active, n);
        assert_int_equal(c.w->con.G != NULL, n <= 256);
    }
    machine_free(&c);
}

/* q <- q + W_N p: x += scale W_r adds to what is there, on the support alone. */
static void adding_a_row_leaves_other_coordinates_alone(void **ctx)
{
    (void)ctx;
    machine c = rack(4, "mu: 0.3");
    const double q[4] = {1.0, -1.0, 1.0, -2.0}, u[4] = {0.5, 0.25, 2.0, 4.0};
    double x[4] = {10.0, 20.0, 30.0, 40.0};
    machine_touch(&c, q, u, 0.0);
    const sp_con *con = &c.w->con;
    assert_int_equal(con->n_active, 2);
    assert_near(sp_con_dot(con, 1, con->row[1], u), 4.0, 1e-15);
    sp_con_add(con, 1, con->W + (size_t)con->row[1] * (size_t)con->stride, 2.0, x);
    assert_true(x[0] == 10.0 && x[1] == 20.0 && x[2] == 30.0);
    assert_near(x[3], 42.0, 1e-15);
    machine_free(&c);
}

/* Wiping the block between two configurations changes no bit: nothing is carried over. */
static void nothing_is_remembered_from_the_configuration_before(void **ctx)
{
    (void)ctx;
    rng r = {56};
    for (int n = 0; n < check_cases(20, 200); n++) {
        static scene s;
        static double W[2][N_ROW * TREE_DOFS], G[2][N_ROW * N_ROW];
        scene_random(&s, &r, SP_CONTOUR_POLYGON, SP_CONTOUR_POLYGON);
        sp_con *con = &s.c.w->con;
        sp_error err;
        int rows = 0;
        for (int k = 0; k < 2; k++) {
            if (k == 1) {
                double q[TREE_DOFS], u[TREE_DOFS];
                random_motion(&r, s.t.n_dof, q, u, NULL);
                machine_touch(&s.c, q, u, 0.0); /* elsewhere, with other contacts closed */
            }
            machine_touch(&s.c, s.q, s.u, 0.5);
            sp_dyn_mass(s.c.m, s.c.num, &s.c.w->kin, &s.c.w->dyn);
            assert_int_equal(sp_dyn_factor(s.c.m, &s.c.w->dyn, &err), SP_OK);
            sp_con_delassus(s.c.m, &s.c.w->dyn, con);
            rows = con->n_row;
            for (int a = 0; a < con->n_active; a++) {
                for (int d = 0; d < 2; d++) {
                    const int row = con->row[a] + d;
                    dense_row(con, a, row, s.t.n_dof, W[k] + row * s.t.n_dof);
                }
            }
            memcpy(G[k], con->G, (size_t)rows * (size_t)rows * sizeof(double));
        }
        assert_memory_equal(G[0], G[1], (size_t)rows * (size_t)rows * sizeof(double));
        assert_memory_equal(W[0], W[1], (size_t)rows * (size_t)s.t.n_dof * sizeof(double));
        scene_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(directions_of_every_pair_are_slopes_of_gap_and_slip),
        cmocka_unit_test(bodies_with_shared_ancestors_keep_the_same_laws),
        cmocka_unit_test(the_delassus_operator_is_that_of_dense_algebra_and_symmetric_to_the_bit),
        cmocka_unit_test(contacts_of_different_bodies_couple_through_what_moves_both),
        cmocka_unit_test(contacts_up_to_the_margin_are_active_in_rising_order),
        cmocka_unit_test(a_dense_matrix_is_formed_for_256_contacts_at_most),
        cmocka_unit_test(adding_a_row_leaves_other_coordinates_alone),
        cmocka_unit_test(nothing_is_remembered_from_the_configuration_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
