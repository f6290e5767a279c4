/* Hulls against their definition: every point inside every face, every face flat, convex and
 * closed, and the corners those that a search over all planes finds. */
#include "math/hull.h"
#include "support/check.h"

#include <string.h>

enum { MOST = 5000 };

/* Memory and the hull in it. */
typedef struct fixture {
    sp_arena arena, scratch;
    sp_hull hull;
    sp_error err;
} fixture;

static sp_status build(fixture *f, int n, const sp_vec3 *x, double flat)
{
    sp_arena_init(&f->arena, NULL, 0);
    sp_arena_init(&f->scratch, NULL, 0);
    f->err.text[0] = '\0';
    return sp_hull_build(&f->arena, &f->scratch, n, x, flat, &f->hull, &f->err);
}

static void drop(fixture *f)
{
    sp_arena_free(&f->arena);
    sp_arena_free(&f->scratch);
}

static sp_vec3 any(rng *r, double size)
{
    const double x = rng_in(r, -size, size), y = rng_in(r, -size, size);
    return (sp_vec3){x, y, rng_in(r, -size, size)};
}

static sp_rot3 any_turn(rng *r)
{
    const double w = rng_in(r, -1.0, 1.0), x = rng_in(r, -1.0, 1.0), y = rng_in(r, -1.0, 1.0);
    return sp_rot3_of_quat((sp_quat){w, x, y, rng_in(r, -1.0, 1.0)});
}

/* All that a hull promises, to tol. */
static void assert_sound(const sp_hull *h, int n, const sp_vec3 *x, double tol)
{
    assert_int_equal(h->n_vertex - h->n_edge + h->n_face, 2);
    assert_int_equal(h->face[h->n_face], 2 * h->n_edge);
    for (int f = 0; f < h->n_face; f++) {
        const int m = h->face[f + 1] - h->face[f], *c = h->corner + h->face[f];
        assert_near(sp_length3(h->normal[f]), 1.0, 1e-14);
        for (int i = 0; i < n; i++) {
            assert_true(sp_inner3(h->normal[f], x[i]) <= h->offset[f] + tol);
        }
        for (int k = 0; k < m; k++) {
            const sp_vec3 a = h->vertex[c[k]], b = h->vertex[c[(k + 1) % m]],
                          d = h->vertex[c[(k + 2) % m]];
            const sp_vec3 turn = sp_cross3(sp_sub3(b, a), sp_sub3(d, b));
            assert_near_scaled(sp_inner3(h->normal[f], a), h->offset[f], 1.0, 2.0 * tol);
            assert_true(sp_inner3(turn, h->normal[f]) > 0.0);
            const int e = h->corner_edge[h->face[f] + k], side = c[k] < c[(k + 1) % m] ? 0 : 1;
            assert_int_equal(h->edge_face[e][side], f);
            assert_int_equal(h->edge[e][side], c[k]);
            assert_int_equal(h->edge[e][1 - side], c[(k + 1) % m]);
        }
    }
    for (int i = 0; i < h->n_vertex; i++) {
        assert_memory_equal(&h->vertex[i], &x[h->from[i]], sizeof h->vertex[i]);
        assert_true(i == 0 || h->from[i] > h->from[i - 1]);
    }
    assert_true(h->inner > 0.0);
}

/* A point is a corner if and only if a plane through it and two others has all points on one side;
 * points in general position. */
static void assert_corners(const sp_hull *h, int n, const sp_vec3 *x)
{
    for (int i = 0, at = 0; i < n; i++) {
        bool corner = false;
        for (int j = 0; j < n && !corner; j++) {
            for (int k = j + 1; k < n && !corner; k++) {
                int above = 0, below = 0;
                const sp_vec3 d = sp_cross3(sp_sub3(x[j], x[i]), sp_sub3(x[k], x[i]));
                for (int l = 0; l < n; l++) {
                    const double s = sp_inner3(d, sp_sub3(x[l], x[i]));
                    above += l != i && l != j && l != k && s > 0.0;
                    below += l != i && l != j && l != k && s < 0.0;
                }
                corner = j != i && k != i && (above == 0 || below == 0);
            }
        }
        const bool found = at < h->n_vertex && h->from[at] == i;
        assert_int_equal(found, corner);
        at += found;
    }
}

static void random_hulls_are_what_all_planes_say(void **ctx)
{
    (void)ctx;
    rng r = {1};
    sp_vec3 x[24];
    fixture f;
    for (int k = 0; k < check_cases(150, 5000); k++) {
        const int n = 4 + rng_int(&r, 20);
        const sp_vec3 off = any(&r, 10.0);
        for (int i = 0; i < n; i++) {
            x[i] = sp_add3(off, any(&r, 1.0));
        }
        assert_int_equal(build(&f, n, x, 1e-9), SP_OK);
        assert_sound(&f.hull, n, x, 1e-7);
        assert_corners(&f.hull, n, x);
        drop(&f);
    }
}

static void many_points_on_a_ball_are_all_corners(void **ctx)
{
    (void)ctx;
    static sp_vec3 x[MOST];
    rng r = {2};
    fixture f;
    int n = 0;
    while (n < 600) {
        const sp_vec3 p = any(&r, 1.0);
        const double l = sp_length3(p);
        if (l > 0.1 && l < 1.0) {
            x[n++] = sp_scale3(1.0 / l, p);
        }
    }
    while (n < MOST) {
        x[n++] = any(&r, 0.5);
    }
    assert_int_equal(build(&f, n, x, 1e-12), SP_OK);
    assert_int_equal(f.hull.n_vertex, 600);
    assert_int_equal(f.hull.n_face, 2 * 600 - 4);
    assert_sound(&f.hull, n, x, 1e-8);
    drop(&f);
}

/* Boxes anywhere, with points all over their faces, edges and inside, each several times. */
static void a_box_has_six_faces_however_its_points_are_given(void **ctx)
{
    (void)ctx;
    rng r = {3};
    static sp_vec3 x[MOST];
    fixture f;
    for (int k = 0; k < check_cases(150, 3000); k++) {
        const sp_rot3 R = any_turn(&r);
        const double scale = pow(10.0, rng_in(&r, -4.0, 4.0));
        const sp_vec3 off = any(&r, 5.0 * scale),
                      size = {scale * rng_in(&r, 0.1, 1.0), scale * rng_in(&r, 0.1, 1.0),
                              scale * rng_in(&r, 0.1, 1.0)};
        const int m = 1 + rng_int(&r, 6), copies = 1 + rng_int(&r, 3);
        int n = 0;
        for (int i = 0; i < copies * (m + 1) * (m + 1) * (m + 1); i++) {
            const int a = i % (m + 1), b = i / (m + 1) % (m + 1),
                      c = i / ((m + 1) * (m + 1)) % (m + 1);
            const sp_vec3 p = {size.x * a / m, size.y * b / m, size.z * c / m};
            x[n++] = sp_add3(off, sp_rotate3(R, p));
        }
        for (int i = n - 1; i > 0; i--) { /* in any order */
            const int j = rng_int(&r, i + 1);
            const sp_vec3 keep = x[i];
            x[i] = x[j];
            x[j] = keep;
        }
        assert_int_equal(build(&f, n, x, SP_HULL_FLAT), SP_OK);
        assert_int_equal(f.hull.n_face, 6);
        assert_int_equal(f.hull.n_vertex, 8);
        assert_int_equal(f.hull.n_edge, 12);
        assert_sound(&f.hull, n, x, 1e-7 * scale);
        drop(&f);
    }
}

/* Prisms with random sections: the faces are the two ends and one for each side. */
static void prisms_have_their_faces(void **ctx)
{
    (void)ctx;
    rng r = {4};
    sp_vec3 x[80];
    fixture f;
    for (int k = 0; k < check_cases(100, 3000); k++) {
        const int m = 3 + rng_int(&r, 37);
        const sp_rot3 R = any_turn(&r);
        for (int i = 0; i < m; i++) {
            const double a = 6.283185307179586 * i / m;
            x[i] = sp_rotate3(R, (sp_vec3){cos(a), 0.7 * sin(a), -0.3});
            x[m + i] = sp_rotate3(R, (sp_vec3){cos(a), 0.7 * sin(a), 0.4});
        }
        assert_int_equal(build(&f, 2 * m, x, SP_HULL_FLAT), SP_OK);
        assert_int_equal(f.hull.n_face, m + 2);
        assert_int_equal(f.hull.n_vertex, 2 * m);
        assert_sound(&f.hull, 2 * m, x, 1e-7);
        drop(&f);
    }
}

/* Points rounded to single precision, as in files. */
static void rounded_boxes_have_six_faces_with_the_tolerance_of_files(void **ctx)
{
    (void)ctx;
    rng r = {5};
    sp_vec3 x[64];
    fixture f;
    for (int k = 0; k < check_cases(200, 3000); k++) {
        const sp_rot3 R = any_turn(&r);
        for (int i = 0; i < 64; i++) {
            const sp_vec3 p = {0.3 * (i % 4), 0.5 * (i / 4 % 4), 0.4 * (i / 16)};
            const sp_vec3 y = sp_rotate3(R, p);
            x[i] = (sp_vec3){(float)y.x, (float)y.y, (float)y.z};
        }
        assert_int_equal(build(&f, 64, x, SP_HULL_FLAT_FLOAT), SP_OK);
        assert_int_equal(f.hull.n_face, 6);
        assert_int_equal(f.hull.n_vertex, 8);
        drop(&f);
    }
}

/* Noise of any size on the points of a box: the hull may have any faces, but it is one, or it is
 * refused with a text. */
static void nearly_flat_faces_never_tear_the_surface(void **ctx)
{
    (void)ctx;
    rng r = {6};
    sp_vec3 x[64];
    fixture f;
    int refused = 0;
    const int cases = check_cases(600, 100000);
    for (int k = 0; k < cases; k++) {
        const double noise = pow(10.0, rng_in(&r, -17.0, -1.0));
        for (int i = 0; i < 64; i++) {
            x[i] = sp_add3((sp_vec3){i % 4, i / 4 % 4, i / 16}, any(&r, noise));
        }
        if (build(&f, 64, x, SP_HULL_FLAT) == SP_OK) {
            assert_int_equal(f.hull.n_vertex - f.hull.n_edge + f.hull.n_face, 2);
            for (int i = 0; i < 64; i++) {
                for (int j = 0; j < f.hull.n_face; j++) {
                    const double off = sp_inner3(f.hull.normal[j], x[i]) - f.hull.offset[j];
                    assert_true(off < 3e-6); /* thin triangles go with a neighbour */
                }
            }
        } else {
            assert_true(strlen(f.err.text) > 20);
            refused++;
        }
        drop(&f);
    }
    assert_true(refused <= cases / 1000);
}

static void assert_refused(int n, const sp_vec3 *x, const char *why)
{
    fixture f;
    assert_int_equal(build(&f, n, x, SP_HULL_FLAT), SP_E_INPUT);
    assert_non_null(strstr(f.err.text, why));
    drop(&f);
}

static void points_without_volume_are_refused(void **ctx)
{
    (void)ctx;
    rng r = {7};
    sp_vec3 x[300];
    for (int i = 0; i < 300; i++) {
        x[i] = (sp_vec3){1.0, 2.0, 3.0};
    }
    assert_refused(3, x, "expected 4 to");
    assert_refused(10, x, "in one place");
    for (int i = 0; i < 30; i++) {
        x[i] = (sp_vec3){0.1 * i, 0.2 * i, -0.3 * i};
    }
    assert_refused(30, x, "span a volume");
    for (int i = 0; i < 30; i++) {
        x[i] = (sp_vec3){rng_in(&r, 0.0, 1.0), rng_in(&r, 0.0, 1.0), 5.0};
    }
    assert_refused(30, x, "in one plane");
    x[7].z = 5.0 + 2e-8;
    assert_refused(30, x, "thi");
    x[3].y = NAN;
    assert_refused(30, x, "finite");
    for (int i = 0; i < 300; i++) {
        const double a = 6.283185307179586 * i / 150;
        x[i] = (sp_vec3){cos(a), sin(a), i < 150};
    }
    assert_refused(300, x, "use a cylinder");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_hulls_are_what_all_planes_say),
        cmocka_unit_test(many_points_on_a_ball_are_all_corners),
        cmocka_unit_test(a_box_has_six_faces_however_its_points_are_given),
        cmocka_unit_test(prisms_have_their_faces),
        cmocka_unit_test(rounded_boxes_have_six_faces_with_the_tolerance_of_files),
        cmocka_unit_test(nearly_flat_faces_never_tear_the_surface),
        cmocka_unit_test(points_without_volume_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
