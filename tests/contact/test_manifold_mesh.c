/* Meshes: their neighbours, the tree against all triangles, and touches that do not see the seams
 * between triangles. */
#include "shapes.h"

enum { SIDE = 12, MESH_VERTEX = (SIDE + 1) * (SIDE + 1), MESH_TRI = 2 * SIDE * SIDE };

/* A mesh with its memory. */
typedef struct ground {
    sp_arena arena;
    sp_trimesh mesh;
    subject as;
    sp_error err;
} ground;

static sp_status build(ground *g, int n_vertex, const sp_vec3 *x, int n_tri, const int (*tri)[3])
{
    sp_arena scratch;
    memset(g, 0, sizeof *g);
    sp_arena_init(&g->arena, NULL, 0);
    sp_arena_init(&scratch, NULL, 0);
    const sp_status status =
        sp_trimesh_build(&g->arena, &scratch, n_vertex, x, n_tri, tri, &g->mesh, &g->err);
    sp_arena_free(&scratch);
    g->as.shape = (sp_shape3){.kind = SP_SHAPE3_MESH, .mesh = &g->mesh};
    g->as.pose.R = sp_rot3_one();
    return status;
}

/* A field of height h(x, y) from -1 to 1, in squares cut in two. */
static void build_field(ground *g, double (*height)(double, double))
{
    sp_vec3 x[MESH_VERTEX];
    int tri[MESH_TRI][3], n = 0;
    for (int i = 0; i < MESH_VERTEX; i++) {
        const double a = -1.0 + 2.0 * (i % (SIDE + 1)) / SIDE,
                     b = -1.0 + 2.0 * (i / (SIDE + 1)) / SIDE;
        x[i] = (sp_vec3){a, b, height(a, b)};
    }
    for (int i = 0; i < SIDE * SIDE; i++) {
        const int at = i / SIDE * (SIDE + 1) + i % SIDE;
        const int square[2][3] = {{at, at + 1, at + SIDE + 2}, {at, at + SIDE + 2, at + SIDE + 1}};
        memcpy(tri[n], square, sizeof square);
        n += 2;
    }
    assert_int_equal(build(g, MESH_VERTEX, x, n, (const int(*)[3])tri), SP_OK);
}

static double flat(double x, double y)
{
    return 0.0 * x * y;
}

static double wavy(double x, double y)
{
    return 0.2 * sin(3.0 * x) * cos(2.0 * y);
}

/* The triangles of a hull, every corner given anew, as files do. */
static void build_of_hull(ground *g, const sp_hull *h)
{
    sp_vec3 x[600];
    int tri[200][3], n = 0;
    for (int f = 0; f < h->n_face; f++) {
        for (int k = h->face[f] + 1; k + 1 < h->face[f + 1]; k++) {
            const int v[3] = {h->corner[h->face[f]], h->corner[k], h->corner[k + 1]};
            for (int j = 0; j < 3; j++) {
                x[3 * n + j] = h->vertex[v[j]];
                tri[n][j] = 3 * n + j;
            }
            n++;
        }
    }
    assert_int_equal(build(g, 3 * n, x, n, (const int(*)[3])tri), SP_OK);
}

static void a_closed_mesh_has_two_triangles_at_every_edge(void **ctx)
{
    (void)ctx;
    rng r = {31};
    for (int k = 0; k < check_cases(50, 1000); k++) {
        subject s;
        ground g;
        draw_core(&r, &s);
        if (s.shape.kind == SP_SHAPE3_HULL) {
            build_of_hull(&g, &s.hull);
            assert_int_equal(g.mesh.n_vertex, s.hull.n_vertex);
            assert_int_equal(g.mesh.n_vertex - g.mesh.n_edge + g.mesh.n_tri, 2);
            for (int e = 0; e < g.mesh.n_edge; e++) {
                assert_true(g.mesh.edge_tri[e][1] >= 0);
            }
            assert_int_equal(g.mesh.around[g.mesh.n_vertex], 2 * g.mesh.n_edge);
            sp_arena_free(&g.arena);
        }
        drop(&s);
    }
}

static void the_tree_finds_what_all_triangles_find(void **ctx)
{
    (void)ctx;
    rng r = {32};
    ground g;
    build_field(&g, wavy);
    for (int k = 0; k < check_cases(300, 10000); k++) {
        const sp_vec3 c = any(&r, 1.2), half = {rng_in(&r, 0.0, 0.5), rng_in(&r, 0.0, 0.5), 0.1};
        const sp_box3 box = {sp_sub3(c, half), sp_add3(c, half)};
        int seen[MESH_TRI] = {0}, t;
        sp_trimesh_walk walk;
        sp_trimesh_begin(&walk);
        while ((t = sp_trimesh_next(&g.mesh, &box, &walk)) >= 0) {
            seen[t]++;
        }
        for (t = 0; t < g.mesh.n_tri; t++) {
            sp_box3 own = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
            for (int j = 0; j < 3; j++) {
                const sp_vec3 x = g.mesh.vertex[g.mesh.tri[t][j]];
                own.lo = (sp_vec3){fmin(own.lo.x, x.x), fmin(own.lo.y, x.y), fmin(own.lo.z, x.z)};
                own.hi = (sp_vec3){fmax(own.hi.x, x.x), fmax(own.hi.y, x.y), fmax(own.hi.z, x.z)};
            }
            assert_int_equal(seen[t], sp_box3_meets(&own, &box));
        }
    }
    sp_arena_free(&g.arena);
}

/* A ball that rolls over a flat field feels one plane, however it is cut into triangles. */
static void a_ball_on_a_flat_field_touches_once(void **ctx)
{
    (void)ctx;
    rng r = {33};
    ground g;
    subject ball;
    sp_touch t[TOUCHES];
    build_field(&g, flat);
    for (int k = 0; k < check_cases(2000, 50000); k++) {
        const double radius = k % 5 == 0 ? 0.0 : 0.1; /* points too, a little behind the field */
        const double gap = rng_in(&r, radius > 0.0 ? -0.05 : -1e-3, 0.05);
        make_round(&ball, SP_SHAPE3_BALL, radius, 0.0);
        double x = rng_in(&r, -0.9, 0.9), y = rng_in(&r, -0.9, 0.9);
        x = k % 3 == 0 ? -1.0 + 2.0 * (1 + rng_int(&r, SIDE - 1)) / SIDE : x; /* on an edge */
        y = k % 4 == 0 ? -1.0 + 2.0 * (1 + rng_int(&r, SIDE - 1)) / SIDE : y;
        ball.pose.x = (sp_vec3){x, y, radius + gap};
        const int n = find(&ball, &g.as, 0.06, t);
        assert_int_equal(n, 1);
        assert_int_equal(t[0].side[1].feature, g.mesh.n_vertex + g.mesh.n_edge); /* one patch */
        assert_near(t[0].g_N, gap, 1e-13);
        assert_near(t[0].n.z, 1.0, 1e-13);
    }
    sp_arena_free(&g.arena);
}

/* A box on a flat field stands on its four corners, wherever the seams are. */
static void a_box_on_a_flat_field_stands_on_its_corners(void **ctx)
{
    (void)ctx;
    rng r = {34};
    ground g;
    subject box;
    sp_touch t[TOUCHES];
    build_field(&g, flat);
    make_box(&box, 0.5, 0.4, 0.2);
    for (int k = 0; k < check_cases(300, 5000); k++) {
        const double angle = rng_in(&r, 0.0, 6.3), gap = rng_in(&r, -0.01, 0.01);
        box.pose.R = sp_rot3_about((sp_vec3){0.0, 0.0, 1.0}, cos(angle), sin(angle));
        box.pose.x = (sp_vec3){rng_in(&r, -0.5, 0.5), rng_in(&r, -0.5, 0.5), 0.1 + gap};
        const int n = find(&box, &g.as, 0.02, t);
        assert_int_equal(n, 4);
        for (int i = 0; i < n; i++) {
            assert_near(t[i].g_N, gap, 1e-12);
            assert_near(t[i].n.z, 1.0, 1e-12);
            assert_int_equal(t[i].side[0].kind, SP_SIDE_CORNER);
        }
    }
    drop(&box);
    sp_arena_free(&g.arena);
}

/* A hull as a mesh and as a hull: the same smallest gap for what is outside. */
static void a_mesh_of_a_hull_is_as_near_as_the_hull(void **ctx)
{
    (void)ctx;
    rng r = {35};
    sp_touch t[TOUCHES];
    int cases = 0;
    for (int k = 0; k < check_cases(800, 20000); k++) {
        subject a, b;
        ground g;
        draw_core(&r, &a);
        draw_core(&r, &b);
        b.pose.x = any(&r, 5.0);
        a.pose.x = sp_add3(b.pose.x, any(&r, 1.5));
        const double d = core_distance(&a, &b), radius = a.shape.radius;
        if (b.shape.kind == SP_SHAPE3_HULL && d > 1e-3) {
            build_of_hull(&g, &b.hull);
            g.as.pose = b.pose;
            double least = INFINITY;
            const int n = find(&a, &g.as, 5.0, t);
            for (int i = 0; i < n; i++) {
                least = fmin(least, t[i].g_N);
            }
            /* a ball whose middle is outside may be deep in many triangles, but is told of the
             * nearest */
            assert_near_scaled(least, d - radius, 1.0, 1e-9 + 1.01e-3 * d);
            sp_arena_free(&g.arena);
            cases++;
        }
        drop(&a);
        drop(&b);
    }
    assert_true(cases > 100);
}

/* On a wavy field a ball is never nearer than its middle is to the nearest triangle. */
static void a_ball_on_a_wavy_field_has_the_nearest_distance(void **ctx)
{
    (void)ctx;
    rng r = {36};
    ground g;
    subject ball;
    sp_touch t[TOUCHES];
    build_field(&g, wavy);
    make_round(&ball, SP_SHAPE3_BALL, 0.1, 0.0);
    g.as.pose = (sp_pose3){any(&r, 3.0), any_turn(&r)};
    for (int k = 0; k < check_cases(500, 10000); k++) {
        const double x = rng_in(&r, -0.8, 0.8), y = rng_in(&r, -0.8, 0.8);
        const sp_vec3 own = {x, y, wavy(x, y) + rng_in(&r, 0.05, 0.15)};
        double d = INFINITY, least = INFINITY;
        for (int i = 0; i < g.mesh.n_tri; i++) {
            const int *v = g.mesh.tri[i];
            d = fmin(d, origin_to_triangle(sp_sub3(g.mesh.vertex[v[0]], own),
                                           sp_sub3(g.mesh.vertex[v[1]], own),
                                           sp_sub3(g.mesh.vertex[v[2]], own)));
        }
        ball.pose.x = sp_pose3_place(&g.as.pose, own);
        const int n = find(&ball, &g.as, 0.2, t);
        for (int i = 0; i < n; i++) {
            least = fmin(least, t[i].g_N);
        }
        assert_near(least, d - 0.1, 1e-9);
    }
    sp_arena_free(&g.arena);
}

static void broken_meshes_are_refused(void **ctx)
{
    (void)ctx;
    ground g;
    sp_vec3 x[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, -1, 0}};
    const int turned[2][3] = {{0, 1, 2}, {0, 1, 3}};
    const int three[3][3] = {{0, 1, 2}, {1, 0, 3}, {1, 0, 4}};
    const int line[1][3] = {{0, 1, 1}};
    assert_int_equal(build(&g, 5, x, 2, turned), SP_E_INPUT);
    assert_non_null(strstr(g.err.text, "face different ways"));
    sp_arena_free(&g.arena);
    assert_int_equal(build(&g, 5, x, 3, three), SP_E_INPUT);
    assert_non_null(strstr(g.err.text, "more than two"));
    sp_arena_free(&g.arena);
    assert_int_equal(build(&g, 5, x, 1, line), SP_E_INPUT);
    assert_non_null(strstr(g.err.text, "no triangle"));
    sp_arena_free(&g.arena);
    assert_int_equal(build(&g, 5, x, 0, line), SP_E_INPUT);
    sp_arena_free(&g.arena);
    x[2].y = INFINITY;
    assert_int_equal(build(&g, 5, x, 2, turned), SP_E_INPUT);
    assert_non_null(strstr(g.err.text, "not finite"));
    sp_arena_free(&g.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_closed_mesh_has_two_triangles_at_every_edge),
        cmocka_unit_test(the_tree_finds_what_all_triangles_find),
        cmocka_unit_test(a_ball_on_a_flat_field_touches_once),
        cmocka_unit_test(a_box_on_a_flat_field_stands_on_its_corners),
        cmocka_unit_test(a_mesh_of_a_hull_is_as_near_as_the_hull),
        cmocka_unit_test(a_ball_on_a_wavy_field_has_the_nearest_distance),
        cmocka_unit_test(broken_meshes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
