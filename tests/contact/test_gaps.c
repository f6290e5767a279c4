/* Gaps, contact frames, relative velocities and their rates for every pair of contours.
 * theory (4.1)-(4.9) */
#include "support/scene.h"

#include <stdio.h>
#include <string.h>

/* Places of a few metres, a dozen operations on them: 100 eps. */
#define TOL_GAP 1e-13
/* Near a corner the direction is that of a difference of places: eps / distance, and distances
 * below 1e-3 are left out where directions are compared. */
#define TOL_DIRECTION 1e-12
/* Velocities to 10 m/s, spins to 5 rad/s. */
#define TOL_GAMMA 1e-12
/* Accelerations hold spin squared over the distance of the centres (1e-3 at least). */
#define TOL_BIAS 1e-11

/* Where the feature could as well be another one, or the two centres nearly coincide. */
static bool is_delicate(const touch *w, const sp_contact_frame *f)
{
    return w->doubt < 1e-6 || w->behind || (w->round && 1.0 / f->inv_distance < 1e-2);
}

/* Contact frame and gap of a slot against the oracle. */
static void compare_frame(const sp_con *con, int slot, const sp_contact_frame *f, const touch *w)
{
    assert_near_scaled(con->g[slot], w->g.c[0], 10.0, TOL_GAP);
    assert_near_scaled(f->g_N, w->g.c[0], 10.0, TOL_GAP);
    assert_near(f->n.x, w->n.x.c[0], TOL_DIRECTION);
    assert_near(f->n.y, w->n.y.c[0], TOL_DIRECTION);
    assert_near(f->t.x, w->t.x.c[0], TOL_DIRECTION);
    assert_near(f->t.y, w->t.y.c[0], TOL_DIRECTION);
    for (int k = 0; k < 2; k++) {
        assert_near_scaled(f->point[k].x, w->point[k].x.c[0], 10.0, TOL_DIRECTION);
        assert_near_scaled(f->point[k].y, w->point[k].y.c[0], 10.0, TOL_DIRECTION);
    }
    assert_int_equal(f->inv_distance == 0.0, !w->round);
}

/* Everything about one slot at the scene's motion; false if the place is delicate. */
static bool compare(scene *s, int slot)
{
    static pose p[TREE_BODIES + 1];
    scene_poses(s, s->q, s->u, NULL, p); /* u' = 0 */
    const touch w = scene_touch(s, p, slot);
    const sp_con *con = &s->c.w->con;
    const sp_contact_frame f = sp_con_frame(s->c.m, s->c.num, con, slot);
    if (is_delicate(&w, &f) || scene_elsewhere(s, &w, slot)) {
        return false;
    }
    compare_frame(con, slot, &f, &w);
    double gamma[2], bias[2];
    sp_con_gamma(&s->c.w->kin, &f, gamma);
    sp_con_bias(s->c.m, &s->c.w->kin, con, slot, &f, bias);
    assert_near_scaled(w.gamma[0].c[0], w.g.c[1], 10.0, TOL_GAMMA); /* the oracle itself */
    assert_near_scaled(w.gamma[0].c[1], 2.0 * w.g.c[2], 1e3, TOL_GAMMA);
    for (int k = 0; k < 2; k++) {
        assert_near_scaled(gamma[k], w.gamma[k].c[0], 10.0, TOL_GAMMA);
        assert_near_scaled(bias[k], w.gamma[k].c[1], 100.0, TOL_BIAS);
    }
    return true;
}

static void every_pair_has_the_gap_the_frame_and_the_rates_of_its_drawing(void **ctx)
{
    (void)ctx;
    rng r = {41};
    sp_contour_kind a, b;
    for (int pair = 0; scene_pair(pair, &a, &b); pair++) {
        const int cases = check_cases(40, 1000);
        int open = 0, deep = 0, left_out = 0;
        for (int n = 0; n < cases || (deep <= 5 && n < 5 * cases); n++) {
            static scene s;
            scene_random(&s, &r, a, b);
            for (int k = 0; k < 5 * s.c.m->n_slot; k++) {
                const int slot = k % s.c.m->n_slot;
                random_motion(&r, s.t.n_dof, s.q, s.u, NULL);
                machine_touch(&s.c, s.q, s.u, -INFINITY);
                if (!compare(&s, slot)) {
                    left_out++;
                } else if (s.c.w->con.g[slot] > 0.0) {
                    open++;
                } else {
                    deep++;
                }
            }
            scene_free(&s);
        }
        print_message("%-8s %-8s open %4d, penetrating %4d, delicate %3d, worst %.0e\n",
                      scene_kind_name(a), scene_kind_name(b), open, deep, left_out, check_worst());
        assert_true(open > 5 && deep > 5);
        assert_true(left_out < open + deep);
    }
}

static void every_pair_is_right_where_the_gap_is_closed(void **ctx)
{
    (void)ctx;
    rng r = {42};
    sp_contour_kind a, b;
    for (int pair = 0; scene_pair(pair, &a, &b); pair++) {
        const int cases = check_cases(20, 300);
        int closed = 0;
        for (int n = 0; n < cases || (closed < 5 && n < 5 * cases); n++) {
            static scene s;
            scene_random(&s, &r, a, b);
            const int slot = rng_int(&r, s.c.m->n_slot);
            if (scene_close(&s, &r, slot)) {
                machine_touch(&s.c, s.q, s.u, -INFINITY);
                assert_true(s.c.w->con.barred[slot] || s.c.w->con.g[slot] < 1e-11);
                closed += compare(&s, slot);
            }
            scene_free(&s);
        }
        assert_true(closed >= 5);
    }
    print_message("worst %.0e\n", check_worst());
}

/* ---- distances by sampling ---------------------------------------------------------------------
 */

/* Distance of x from the boundary of a polygon, from n points on every edge: too large by at most
 * (length / 2 n)^2 / (2 distance). */
static double sampled_distance(const shape *s, const double x[2], int n)
{
    double least = INFINITY;
    for (int i = 0; i < s->n; i++) {
        const double *v = s->v[i], *w = s->v[(i + 1) % s->n];
        for (int k = 0; k <= n; k++) {
            const double f = (double)k / n;
            least = fmin(least,
                         hypot(v[0] + f * (w[0] - v[0]) - x[0], v[1] + f * (w[1] - v[1]) - x[1]));
        }
    }
    return least;
}

/* Does the boundary go round x?  Sum of the angles under which the edges are seen. */
static bool is_inside(const shape *s, const double x[2])
{
    double sum = 0.0;
    for (int i = 0; i < s->n; i++) {
        const double *v = s->v[i], *w = s->v[(i + 1) % s->n];
        const double a[2] = {v[0] - x[0], v[1] - x[1]}, b[2] = {w[0] - x[0], w[1] - x[1]};
        sum += atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1]);
    }
    return sum > 3.0;
}

/* A point of a free body against a polygon of the ground. */
static void gaps_of_polygons_are_sampled_distances_with_the_sign_of_the_winding_number(void **ctx)
{
    (void)ctx;
    rng r = {43};
    int inside = 0, outside = 0;
    for (int n = 0; n < check_cases(30, 500); n++) {
        static scene s;
        const bool disc = rng_flip(&r);
        s.t = tree_random(&r, 1, 1.0);
        s.t.body[0].joint = TREE_FREE;
        s.t.body[0].has[0] = s.t.body[0].has[1] = s.t.body[0].has[2] = true;
        s.on[0] = 0;
        s.on[1] = -1;
        scene_compile(&s, &r, disc ? SP_CONTOUR_CIRCLE : SP_CONTOUR_POINT, SP_CONTOUR_POLYGON);
        for (int k = 0; k < 20; k++) {
            pose p[TREE_BODIES + 1];
            random_motion(&r, 3, s.q, s.u, NULL);
            machine_touch(&s.c, s.q, s.u, -INFINITY);
            scene_poses(&s, s.q, NULL, NULL, p);
            const jet2 x = pose_point(&p[0], s.shape[0].v[0][0], s.shape[0].v[0][1]);
            const double at[2] = {x.x.c[0], x.y.c[0]};
            const double far = sampled_distance(&s.shape[1], at, 4000);
            const double g = s.c.w->con.g[0] + s.shape[0].radius;
            assert_int_equal(g < 0.0, is_inside(&s.shape[1], at));
            assert_true(far - fabs(g) > -1e-12);
            assert_true(far - fabs(g) < 1e-7 / far); /* (2.4 / 8000)^2 / 2 */
            inside += g < 0.0;
            outside += g > 0.0;
        }
        scene_free(&s);
    }
    assert_true(inside > 20 && outside > 20);
}

/* In front of a segment: the distance.  In its strip: minus the depth.  Elsewhere: open. */
static void a_segment_is_the_face_of_a_strip_a_tenth_as_deep_as_it_is_long(void **ctx)
{
    (void)ctx;
    machine c = machine_of_text(
        "specht: 1\nname: test\nspace: planar\nunits: off\ngravity: 0\nbodies:\n"
        "  ground: {contours: {face: {segment: [[2, 0], [0, 0]]}}}\n"
        "  a: {mass: 1, joint: {free: ground, only: [x, y]}, contours: {tip: {point: [0, 0]}}}\n"
        "contacts: {c: {between: [a.tip, ground.face], law: {mu: 0.3}}}\n"
        "run: {until: 1, method: moreau, step: 0.1}\n");
    const double at[][3] = {/* x, y, gap; the normal is to the left of 2 -> 0: down */
                            {1.0, -0.5, 0.5},   {-3.0, -4.0, 5.0},    {5.0, -4.0, 5.0},
                            {1.0, 0.05, -0.05}, {0.001, 0.19, -0.19}, {1.999, 1e-9, -1e-9}};
    const double outside[][2] = {{1.0, 0.21}, {1.0, 50.0}, {-0.1, 0.1}, {2.1, 0.1}, {-0.001, 1e-9}};
    const double u[2] = {0.0, 0.0};
    for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
        machine_touch(&c, at[k], u, -INFINITY);
        assert_near(c.w->con.g[0], at[k][2], 1e-15);
    }
    for (size_t k = 0; k < sizeof outside / sizeof *outside; k++) {
        machine_touch(&c, outside[k], u, -INFINITY);
        assert_true(c.w->con.g[0] > 0.0);
    }
    machine_free(&c);
}

/* A signed distance grows by at most the way the point goes in b's frame, whatever features the way
 * leads across (round-off: 1e-13 of 10 m). */
static void gaps_are_continuous_across_all_features(void **ctx)
{
    (void)ctx;
    static const sp_contour_kind side_a[] = {SP_CONTOUR_POINT, SP_CONTOUR_CIRCLE,
                                             SP_CONTOUR_POLYGON};
    static const sp_contour_kind side_b[] = {SP_CONTOUR_LINE, SP_CONTOUR_CIRCLE, SP_CONTOUR_HOLLOW,
                                             SP_CONTOUR_POLYGON};
    rng r = {44};
    int changes = 0;
    for (int n = 0; n < check_cases(120, 600); n++) {
        static scene s;
        scene_random(&s, &r, side_a[n % 3], side_b[n / 3 % 4]);
        const bool edges = side_a[n % 3] == SP_CONTOUR_POLYGON &&
                           side_b[n / 3 % 4] == SP_CONTOUR_POLYGON; /* corners may be kept apart */
        for (int slot = 0; slot < s.c.m->n_slot && !edges; slot++) {
            double last_g = NAN, last[2] = {NAN, NAN};
            int last_feature = -1;
            for (int k = 0; k <= 400; k++) {
                double q[TREE_DOFS];
                pose p[TREE_BODIES + 1];
                for (int i = 0; i < s.t.n_dof; i++) {
                    q[i] = s.q[i] + (k - 200) * 0.02 * s.u[i];
                }
                scene_poses(&s, q, NULL, NULL, p);
                machine_touch(&s.c, q, s.u, -INFINITY);
                const sp_slot *m = &s.c.m->slot[slot];
                const sp_frame *f = &s.c.w->kin.frame[m->body_b];
                const sp_vec x = sp_kin_place(&s.c.w->kin.frame[m->body_a],
                                              sp_vec_of(s.c.num->vertex[m->vertex_a]));
                const sp_vec in_b = sp_rotate_back(f->R, sp_sub(x, f->x));
                const double g = s.c.w->con.g[slot];
                if (k > 0) {
                    const double way = hypot(in_b.x - last[0], in_b.y - last[1]);
                    assert_true(fabs(g - last_g) <= way + 1e-12);
                    changes += s.c.w->con.feature[slot] != last_feature;
                }
                last_g = g;
                last[0] = in_b.x;
                last[1] = in_b.y;
                last_feature = s.c.w->con.feature[slot];
            }
        }
        scene_free(&s);
    }
    print_message("%d changes of feature\n", changes);
    assert_true(changes > 100);
}

/* ---- quotients of the library's own values ------------------------------------------------------
 */

/* g, gamma_N, gamma_T of a slot at time dt of the scene's motion, and the feature. */
static int values_at(scene *s, int slot, double dt, double out[3])
{
    double q[TREE_DOFS], u[TREE_DOFS];
    for (int i = 0; i < s->t.n_dof; i++) {
        q[i] = s->q[i] + dt * (s->u[i] + 0.5 * dt * s->a[i]);
        u[i] = s->u[i] + dt * s->a[i];
    }
    machine_touch(&s->c, q, u, -INFINITY);
    const sp_contact_frame f = sp_con_frame(s->c.m, s->c.num, &s->c.w->con, slot);
    out[0] = s->c.w->con.g[slot];
    sp_con_gamma(&s->c.w->kin, &f, out + 1);
    return s->c.w->con.barred[slot] ? -1 : s->c.w->con.feature[slot];
}

/* W^T x of both rows of a slot at the scene's q, u, and gamma and w_bar. */
static bool rates_at(scene *s, int slot, double gamma[2], double gamma_dot[2])
{
    pose p[TREE_BODIES + 1];
    scene_poses(s, s->q, s->u, NULL, p);
    const touch w = scene_touch(s, p, slot);
    machine_touch(&s->c, s->q, s->u, INFINITY);
    sp_con *con = &s->c.w->con;
    const sp_contact_frame f = sp_con_frame(s->c.m, s->c.num, con, slot);
    if (is_delicate(&w, &f) || scene_elsewhere(s, &w, slot) || w.doubt < 0.1 ||
        (w.round && f.inv_distance > 5.0)) {
        return false; /* the feature must last over the longest step */
    }
    sp_con_gamma(&s->c.w->kin, &f, gamma);
    sp_con_bias(s->c.m, &s->c.w->kin, con, slot, &f, gamma_dot);
    for (int k = 0; k < 2; k++) { /* all slots are active: contact = slot */
        gamma_dot[k] += sp_con_dot(con, slot, con->row[slot] + k, s->a);
    }
    return true;
}

/* gamma_N = dg/dt and gamma' = W^T u' + w_bar, u' not zero, by central quotients.  Their error is
 * h^2/6 |f'''| + eps |f|/h; f and its derivatives grow like spin^n ~ 5^n/distance: at h = 1e-5 some
 * 1e-8 + 1e-10.  The order must be 2 above that. */
static void rates_are_limits_of_quotients_with_order_two(void **ctx)
{
    (void)ctx;
    enum { N = 4 };
    const double step[N + 1] = {1e-2, 3e-3, 1e-3, 3e-4, 1e-5};
    double error[3][N + 1] = {{0.0}};
    rng r = {45};
    sp_contour_kind a, b;
    int used = 0;
    for (int pair = 0; scene_pair(pair, &a, &b); pair++) {
        for (int n = 0; n < check_cases(10, 200); n++) {
            static scene s;
            scene_random(&s, &r, a, b);
            const int slot = rng_int(&r, s.c.m->n_slot);
            double gamma[2], gamma_dot[2];
            const bool closed = rng_flip(&r) && scene_close(&s, &r, slot);
            if ((closed || n % 3 != 0) && rates_at(&s, slot, gamma, gamma_dot)) {
                const double exact[3] = {gamma[0], gamma_dot[0], gamma_dot[1]};
                double trial[3][N + 1];
                bool same = true;
                for (int k = 0; k <= N; k++) {
                    double low[3], high[3];
                    same =
                        values_at(&s, slot, -step[k], low) == values_at(&s, slot, step[k], high) &&
                        same;
                    for (int i = 0; i < 3; i++) {
                        trial[i][k] = fabs((high[i] - low[i]) / (2.0 * step[k]) - exact[i]);
                    }
                }
                for (int i = 0; i < 3 && same; i++) {
                    for (int k = 0; k <= N; k++) {
                        error[i][k] = check_worse(error[i][k], trial[i][k]);
                    }
                }
                used += same;
            }
            scene_free(&s);
        }
    }
    for (int i = 0; i < 3; i++) {
        const double order = check_order(N, step, error[i]);
        print_message("%s: order %.3f, best error %.1e\n",
                      i == 0   ? "gamma_N"
                      : i == 1 ? "gamma_N'"
                               : "gamma_T'",
                      order, error[i][N]);
        assert_near(order, 2.0, 0.05);
        assert_true(error[i][N] < 1e-6);
    }
    print_message("%d cases\n", used);
    assert_true(used > 100);
}

/* ---- where geometry has no answer ---------------------------------------------------------------
 */

/* Everything a step asks for is a number, n and t are unit vectors at right angles to this. */
static void assert_usable(machine *c, const double *q, const double *u, double tol)
{
    machine_touch(c, q, u, INFINITY);
    for (int slot = 0; slot < c->m->n_slot; slot++) {
        const sp_contact_frame f = sp_con_frame(c->m, c->num, &c->w->con, slot);
        double gamma[2], bias[2];
        sp_con_gamma(&c->w->kin, &f, gamma);
        sp_con_bias(c->m, &c->w->kin, &c->w->con, slot, &f, bias);
        assert_near(f.n.x * f.n.x + f.n.y * f.n.y, 1.0, tol);
        assert_near(f.t.x * f.t.x + f.t.y * f.t.y, 1.0, tol);
        assert_near(f.n.x * f.t.x + f.n.y * f.t.y, 0.0, tol);
        assert_true(isfinite(f.g_N) && isfinite(gamma[0]) && isfinite(gamma[1]));
        assert_true(isfinite(bias[0]) && isfinite(bias[1]));
        assert_true(isfinite(f.point[0].x) && isfinite(f.point[1].y));
    }
    for (int k = 0; k < c->w->con.n_row * c->w->con.stride; k++) {
        assert_true(isfinite(c->w->con.W[k]));
    }
}

static machine degenerate(const char *shape_a, const char *shape_b)
{
    static text out;
    out.n = 0;
    text_add(&out,
             "specht: 1\nname: test\nspace: planar\nunits: off\ngravity: 0\nbodies:\n"
             "  a: {mass: 1, inertia: 1, joint: {free: ground}, contours: {c: {%s}}}\n"
             "  b: {mass: 1, inertia: 1, joint: {free: ground}, contours: {c: {%s}}}\n"
             "contacts: {c: {between: [a.c, b.c], law: {mu: 0.3}}}\n"
             "run: {until: 1, method: moreau, step: 0.1}\n",
             shape_a, shape_b);
    return machine_of_text(out.s);
}

static void coincident_centres_and_corners_give_numbers(void **ctx)
{
    (void)ctx;
    static const char *const pair[][2] = {
        {"circle: 0.5", "circle: 0.25"},
        {"circle: 0.5", "circle: 2, inside: yes"},
        {"point: [0, 0]", "circle: 2, inside: yes"},
        {"point: [0, 0]", "circle: 1"},
        {"point: [0, 0]", "polygon: [[0, 0], [1, 0], [0, 1]]"},
        {"circle: 0.5", "polygon: [[0, 0], [1, 0], [0, 1]]"},
        {"point: [0, 0]", "segment: [[0, 0], [1, 0]]"},
        {"circle: 0.5", "segment: [[1, 0], [0, 0]]"},
        {"polygon: [[0, 0], [1, 0], [0, 1]]", "polygon: [[0, 0], [1, 0], [0, 1]]"},
        {"segment: [[0, 0], [1, 0]]", "segment: [[1, 0], [0, 0]]"},
        {"point: [0, 0]", "line: [1, 0]"}};
    const double gap[] = {-0.75, 1.5, 2.0, -1.0, 0.0, -0.5, 0.0, -0.5, -sqrt(0.5), 0.0, 0.0};
    const double q[6] = {0.0}, u[6] = {1.0, 2.0, 3.0, -1.0, 0.5, -2.0};
    const double still[6] = {0.0};
    for (size_t k = 0; k < sizeof pair / sizeof *pair; k++) {
        machine c = degenerate(pair[k][0], pair[k][1]);
        assert_usable(&c, q, u, 1e-15);
        assert_usable(&c, q, still, 1e-15);
        assert_near(c.w->con.g[0], gap[k], 1e-15);
        double near[6] = {0.0};
        for (double d = 1e-8; d > 1e-320; d *= 1e-6) { /* nearly coincident, down to denormals */
            near[0] = d;
            near[1] = -d;
            assert_usable(&c, near, u, d > 1e-150 ? 1e-15 : 0.5); /* squares underflow */
        }
        machine_free(&c);
    }
}

/* A corner that turns by 1e-9 rad only: the edges beside it give one gap, whichever is chosen. */
static void nearly_parallel_edges_share_their_gap(void **ctx)
{
    (void)ctx;
    machine c =
        degenerate("point: [0, 0]", "polygon: [[-1, 0], [-1, -1], [1, -1], [1, 0], [0, 1e-9]]");
    double q[6] = {0.0};
    const double u[6] = {0.3, 0.2, 0.1, 0.0, 0.0, 1.0};
    for (int k = -100; k <= 100; k++) {
        q[0] = k * 1e-11;
        for (int side = -1; side <= 1; side += 2) {
            q[1] = 1e-9 + side * 1e-3;
            assert_usable(&c, q, u, 1e-15);
            assert_near_scaled(c.w->con.g[0], side * 1e-3, 1.0, 1e-15);
            const sp_contact_frame f = sp_con_frame(c.m, c.num, &c.w->con, 0);
            assert_near_scaled(f.n.x, 0.0, 1.0, 2e-9);
        }
    }
    machine_free(&c);
}

/* In the middle of a square four edges are as near; a hair from a corner two edges and the corner.
 */
static void ties_between_features_do_not_change_the_gap(void **ctx)
{
    (void)ctx;
    machine c = degenerate("point: [0, 0]", "box: [2, 2]");
    const double u[6] = {0.3, 0.2, 0.1, 0.0, 0.0, 1.0};
    const double at[][3] = {{0.0, 0.0, -1.0},       {0.5, 0.5, -0.5},
                            {-0.5, 0.5, -0.5},      {1.0, 1.0, 0.0},
                            {1.0, 0.0, 0.0},        {1.0 + 3e-9, 1.0 + 4e-9, 5e-9},
                            {1.0 - 1e-9, 1.0, 0.0}, {4.0, 5.0, 5.0},
                            {2.0, 1.0, 1.0},        {1.0 - 1e-9, 1.0 - 1e-9, -1e-9}};
    for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
        const double q[6] = {at[k][0], at[k][1], 0.0, 0.0, 0.0, 0.0};
        assert_usable(&c, q, u, 1e-15);
        assert_near_scaled(c.w->con.g[0], at[k][2], 1.0, 4e-16);
    }
    machine_free(&c);
}

/* Slip on every line is counted to the right (or up) in the frame of the line's body. */
static void slip_counts_in_the_same_sense_on_both_sides_of_a_guide(void **ctx)
{
    (void)ctx;
    static const double normal[][4] = {/* n, t */
                                       {0.0, 1.0, 1.0, 0.0},  {0.0, -1.0, 1.0, 0.0},
                                       {1.0, 0.0, 0.0, 1.0},  {-1.0, 0.0, 0.0, 1.0},
                                       {0.6, 0.8, 0.8, -0.6}, {-0.6, -0.8, 0.8, -0.6},
                                       {-0.6, 0.8, 0.8, 0.6}, {0.6, -0.8, 0.8, 0.6}};
    for (size_t k = 0; k < sizeof normal / sizeof *normal; k++) {
        char line[80];
        snprintf(line, sizeof line, "line: [%g, %g]", normal[k][0], normal[k][1]);
        machine c = degenerate("point: [0, 0]", line);
        const double turned = 2.5; /* of b: the frame of the line's body counts, not the world's */
        const double q[6] = {0.1, 0.2, 0.3, 0.0, 0.0, turned};
        const double u[6] = {0.0};
        machine_touch(&c, q, u, -INFINITY);
        const sp_contact_frame f = sp_con_frame(c.m, c.num, &c.w->con, 0);
        const double t_x = normal[k][2], t_y = normal[k][3];
        assert_near(f.t.x, cos(turned) * t_x - sin(turned) * t_y, 1e-15);
        assert_near(f.t.y, sin(turned) * t_x + cos(turned) * t_y, 1e-15);
        machine_free(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pair_has_the_gap_the_frame_and_the_rates_of_its_drawing),
        cmocka_unit_test(every_pair_is_right_where_the_gap_is_closed),
        cmocka_unit_test(
            gaps_of_polygons_are_sampled_distances_with_the_sign_of_the_winding_number),
        cmocka_unit_test(a_segment_is_the_face_of_a_strip_a_tenth_as_deep_as_it_is_long),
        cmocka_unit_test(gaps_are_continuous_across_all_features),
        cmocka_unit_test(rates_are_limits_of_quotients_with_order_two),
        cmocka_unit_test(coincident_centres_and_corners_give_numbers),
        cmocka_unit_test(nearly_parallel_edges_share_their_gap),
        cmocka_unit_test(ties_between_features_do_not_change_the_gap),
        cmocka_unit_test(slip_counts_in_the_same_sense_on_both_sides_of_a_guide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
