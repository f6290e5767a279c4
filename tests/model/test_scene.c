/* Pictures of machines: contours as they are, links between joints, masses by their inertia. */
#include "model/scene.h"

#include "test_build.h"

#include "support/check.h"

/* A model and its scene. */
typedef struct picture {
    sp_model *m;
    sp_arena arena;
    sp_scene scene;
} picture;

static picture picture_of(const char *text)
{
    picture p = {.m = model_of(text)};
    sp_error err = {.status = SP_OK};
    sp_arena_init(&p.arena, NULL, 0);
    if (sp_scene_of(p.m, &p.arena, &p.scene, &err) != SP_OK) {
        fail_msg("%s", err.text);
    }
    assert_int_equal(p.scene.n_body, p.m->n_body);
    return p;
}

static void picture_free(picture *p)
{
    sp_arena_free(&p->arena);
    sp_model_free(p->m);
}

/* The body called name. */
static const sp_scene_body *body(const picture *p, const char *name)
{
    for (int i = 0; i < p->scene.n_body; i++) {
        if (strcmp(p->scene.body[i].name, name) == 0) {
            return &p->scene.body[i];
        }
    }
    fail_msg("no body '%s'", name);
    return NULL;
}

/* The k-th shape of a body with this name, NULL if there is none. */
static const sp_shape *shape(const picture *p, const char *of, const char *name, int k)
{
    const sp_scene_body *b = body(p, of);
    for (int s = 0; s < b->n_shape; s++) {
        if (strcmp(b->shape[s].name, name) == 0 && k-- == 0) {
            return &b->shape[s];
        }
    }
    return NULL;
}

static void assert_point(const sp_shape *s, int k, double x, double y, double z)
{
    assert_true(k < s->n_point);
    assert_near(s->point[k][0], x, 1e-15);
    assert_near(s->point[k][1], y, 1e-15);
    assert_near(s->point[k][2], z, 1e-15);
}

static void every_contour_is_a_shape_with_its_numbers(void **ctx)
{
    (void)ctx;
    picture p = picture_of(
        TOP "bodies:\n  a:\n    mass: 1 kg\n    inertia: 1 kg*m^2\n    contours:\n"
            "      p: {point: [1 m, 2 m]}\n      l: {line: [3, 4], at: [1 m, 2 m]}\n"
            "      s: {segment: [[0, 0], [1 m, 0]]}\n      c: {circle: 5 mm, at: [1 m, 1 m]}\n"
            "      h: {circle: 2 m, inside: yes}\n      b: {box: [2 m, 4 m], at: [1 m, 0]}\n");
    assert_int_equal(body(&p, "a")->n_shape, 6);
    const sp_shape *s = shape(&p, "a", "a.p", 0);
    assert_int_equal(s->kind, SP_SHAPE_POINT);
    assert_point(s, 0, 1, 2, 0);
    s = shape(&p, "a", "a.l", 0);
    assert_int_equal(s->kind, SP_SHAPE_LINE);
    assert_near(s->normal[0], 0.6, 1e-15);
    assert_near(s->normal[1], 0.8, 1e-15);
    assert_int_equal(shape(&p, "a", "a.s", 0)->kind, SP_SHAPE_SEGMENT);
    s = shape(&p, "a", "a.c", 0);
    assert_int_equal(s->kind, SP_SHAPE_CIRCLE);
    assert_near(s->radius, 5e-3, 1e-15);
    assert_point(s, 0, 1, 1, 0);
    assert_int_equal(shape(&p, "a", "a.h", 0)->kind, SP_SHAPE_HOLLOW);
    s = shape(&p, "a", "a.b", 0);
    assert_int_equal(s->kind, SP_SHAPE_POLYGON);
    assert_int_equal(s->n_point, 4);
    assert_false(p.scene.spatial);
    picture_free(&p);
}

static void links_join_the_joints_of_a_body(void **ctx)
{
    (void)ctx;
    picture p = picture_of(
        TOP "bodies:\n  a: {mass: 1 kg, inertia: 1, joint: {revolute: ground, from: [-1 m, 0]}}\n"
            "  b: {mass: 1 kg, inertia: 1, joint: {revolute: a, at: [2 m, 0]}}\n"
            "  c: {mass: 1 kg, inertia: 1, joint: {revolute: a, at: [0, 3 m]}}\n");
    assert_int_equal(shape(&p, "ground", "joint", 0)->kind, SP_SHAPE_POINT);
    const sp_shape *first = shape(&p, "a", "link", 0), *second = shape(&p, "a", "link", 1);
    assert_int_equal(first->kind, SP_SHAPE_CAPSULE);
    assert_point(first, 0, -1, 0, 0);
    assert_point(first, 1, 2, 0, 0);
    assert_point(second, 0, -1, 0, 0);
    assert_point(second, 1, 0, 3, 0);
    assert_true(first->radius > 0.0 && first->radius < 0.5);
    assert_null(shape(&p, "a", "mass", 0)); /* one sees it already */
    picture_free(&p);
}

static void links_reach_joints_of_loops_and_named_points(void **ctx)
{
    (void)ctx;
    picture p = picture_of(
        TOP "bodies:\n  rod: {mass: 1 kg, inertia: 1, center: [2 m, 0], joint: {revolute: ground}, "
            "points: {eye: [2 m, 1 m], pen: [5 m, 0]}}\n  lever: {mass: 1 kg, inertia: 1, center: "
            "[1 m, 0], joint: {revolute: ground, at: [4 m, 0]}, points: {tip: [-2 m, 1 m]}}\n"
            "joints: {pin: {revolute: [rod.eye, lever.tip]}}\n");
    const sp_shape *loop = shape(&p, "rod", "link", 0), *pen = shape(&p, "rod", "link", 1);
    assert_point(loop, 0, 0, 0, 0);
    assert_point(loop, 1, 2, 1, 0);
    assert_point(pen, 1, 5, 0, 0);
    assert_null(shape(&p, "rod", "link", 2)); /* the eye is reached once */
    assert_null(shape(&p, "rod", "mass", 0));
    assert_point(shape(&p, "lever", "link", 0), 1, -2, 1, 0);
    assert_null(shape(&p, "lever", "mass", 0));
    assert_point(shape(&p, "rod", "joint", 0), 0, 2, 1, 0);
    picture_free(&p);
}

static void links_join_a_joint_and_an_outline_that_is_elsewhere(void **ctx)
{
    (void)ctx;
    picture p = picture_of(
        TOP "bodies:\n  bob: {mass: 1 kg, inertia: 1, joint: {revolute: ground}, contours: {disc: "
            "{circle: 0.1 m, at: [0, -2 m]}}}\n  block: {mass: 1 kg, inertia: 1, joint: {revolute: "
            "ground}, contours: {box: {box: [2 m, 1 m]}}}\n  arm: {mass: 1 kg, inertia: 1, joint: "
            "{revolute: block, at: [3 m, 0]}}\n");
    const sp_shape *link = shape(&p, "bob", "link", 0);
    assert_point(link, 0, 0, 0, 0);
    assert_point(link, 1, 0, -2, 0);
    assert_null(shape(&p, "bob", "mass", 0));
    assert_point(shape(&p, "block", "link", 0), 1, 3, 0, 0); /* a joint outside of the box */
    assert_null(shape(&p, "block", "link", 1));
    picture_free(&p);
}

static void a_body_with_nothing_else_is_a_disc_of_its_inertia(void **ctx)
{
    (void)ctx;
    picture p =
        picture_of(TOP "bodies:\n  a: {mass: 3 kg, inertia: 0.06 kg*m^2, center: [0.5 m, 0], "
                       "joint: {revolute: ground}}\n  b: {mass: 1 kg, joint: {prismatic: "
                       "ground, axis: [1, 0]}}\n");
    const sp_shape *link = shape(&p, "a", "link", 0), *mass = shape(&p, "a", "mass", 0);
    assert_point(link, 1, 0.5, 0, 0);
    assert_int_equal(mass->kind, SP_SHAPE_CIRCLE);
    assert_point(mass, 0, 0.5, 0, 0);
    assert_near(0.5 * 3.0 * mass->radius * mass->radius, 0.06, 1e-14);
    mass = shape(&p, "b", "mass", 0); /* without inertia of some size one can see */
    assert_true(mass->radius > 0.0);
    assert_null(shape(&p, "b", "link", 0));
    picture_free(&p);
}

static void springs_between_points_keep_bodies_and_places(void **ctx)
{
    (void)ctx;
    picture p =
        picture_of(TOP "bodies:\n  ground: {points: {hook: [0, 1 m]}}\n"
                       "  a: {mass: 1 kg, inertia: 1, points: {eye: [0.25 m, 0]}}\nforces:\n"
                       "  s: {spring: [ground.hook, a.eye], stiffness: 10 N/m, rest: 0.5 m}\n"
                       "  w: {force: [1 N, 0], on: a}\n");
    assert_int_equal(p.scene.n_spring, 1);
    const sp_scene_spring *s = &p.scene.spring[0];
    assert_string_equal(s->name, "s");
    assert_int_equal(s->body[0], 0);
    assert_int_equal(s->body[1], 1);
    assert_near(s->at[0][1], 1.0, 1e-15);
    assert_near(s->at[1][0], 0.25, 1e-15);
    assert_point(shape(&p, "a", "link", 0), 1, 0.25, 0, 0); /* to where the spring pulls */
    picture_free(&p);
}

static void the_kinds_have_words_and_the_words_kinds(void **ctx)
{
    (void)ctx;
    for (int k = 0; k < SP_SHAPE_N; k++) {
        assert_int_equal(sp_shape_find(sp_shape_name((sp_shape_kind)k)), k);
    }
    assert_int_equal(sp_shape_find("banana"), SP_SHAPE_N);
}

/* A model by hand: a body in space that is one turned solid. */
static void solids_in_space_keep_their_frames(void **ctx)
{
    (void)ctx;
    const double c = cos(0.7), s = sin(0.7);
    const sp_body bodies[] = {{.name = "ground", .parent = SP_NONE},
                              {.name = "a", .parent = 0, .joint = SP_JOINT_FREE},
                              {.name = "b", .parent = 0, .joint = SP_JOINT_SPHERICAL}};
    const sp_body_numbers numbers[] = {{0}, {.mass = 2.0}, {.mass = 2.0}};
    const sp_space_numbers space[] = {
        {.from = {0}}, {.from = {0}}, {.inertia = {0.1, 0.1, 0.04}, .center = {0.0, 0.0, 0.3}}};
    const sp_solid solid[] = {{.kind = SP_SOLID_CYLINDER,
                               .body = 1,
                               .radius = 0.1,
                               .length = 0.4,
                               .at = {1.0, 2.0, 3.0},
                               .turn = {1, 0, 0, 0, c, -s, 0, s, c}},
                              {.kind = SP_SOLID_SPHERE,
                               .body = 1,
                               .radius = 0.2,
                               .at = {0.0, 0.0, 1.0},
                               .turn = {-1, 0, 0, 0, -1, 0, 0, 0, 1}}};
    const sp_model m = {.dim = 3,
                        .n_body = 3,
                        .body = bodies,
                        .numbers = {.body = numbers, .space = space},
                        .n_solid = 2,
                        .solid = solid};
    picture p = {0};
    sp_arena_init(&p.arena, NULL, 0);
    assert_int_equal(sp_scene_of(&m, &p.arena, &p.scene, NULL), SP_OK);
    assert_true(p.scene.spatial);
    const sp_shape *tube = shape(&p, "a", "solid", 0), *ball = shape(&p, "a", "solid", 1);
    assert_int_equal(tube->kind, SP_SHAPE_CYLINDER);
    assert_near(tube->at[2], 3.0, 1e-15);
    assert_near(tube->turn[0], cos(0.35), 1e-15); /* about x by 0.7 */
    assert_near(tube->turn[1], sin(0.35), 1e-15);
    assert_near(tube->turn[2], 0.0, 1e-15);
    assert_int_equal(ball->kind, SP_SHAPE_SPHERE);
    assert_point(ball, 0, 0, 0, 1);
    assert_near(fabs(ball->turn[3]), 1.0, 1e-15); /* half a turn about z */
    const sp_shape *mass = shape(&p, "b", "mass", 0);
    assert_int_equal(mass->kind, SP_SHAPE_SPHERE);
    assert_near(1.2 * 2.0 * mass->radius * mass->radius, 0.24, 1e-14); /* trace of the inertia */
    assert_point(shape(&p, "b", "link", 0), 1, 0, 0, 0.3);
    sp_arena_free(&p.arena);
}

static void shapes_for_pictures_replace_what_a_body_has(void **ctx)
{
    (void)ctx;
    picture p = picture_of(
        TOP
        "bodies:\n  a:\n    mass: 1 kg\n    inertia: 1 kg*m^2\n    contours: {c: {circle: 5 mm}}\n"
        "    display:\n      - {polygon: [[0, 0], [2 m, 0], [0, 1 m]], at: [1 m, 0], turn: 90 deg, "
        "color: red}\n"
        "      - {circle: 3 m, at: [1 m, 2 m], color: '#0a0B0c'}\n"
        "      - {spline: [[1 m, 0], [0, 1 m], [-1 m, 0], [0, -1 m]]}\n"
        "  b: {mass: 1 kg, inertia: 2 kg*m^2}\n");
    assert_int_equal(body(&p, "a")->n_shape, 3);
    const sp_shape *s = shape(&p, "a", "display", 0);
    assert_int_equal(s->kind, SP_SHAPE_POLYGON);
    assert_string_equal(s->color, "#c0301f");
    assert_near(s->point[1][0], 1.0, 1e-15);
    assert_near(s->point[1][1], 2.0, 1e-15);
    s = shape(&p, "a", "display", 1);
    assert_int_equal(s->kind, SP_SHAPE_CIRCLE);
    assert_point(s, 0, 1, 2, 0);
    assert_true(s->radius == 3.0 && strcmp(s->color, "#0a0B0c") == 0);
    s = shape(&p, "a", "display", 2);
    assert_null(s->color);
    assert_int_equal(s->n_point, 32);
    assert_point(s, 8, 0, 1,
                 0); /* through its points, and between them as far out in all four parts */
    for (int k = 0; k < 8; k++) {
        assert_near(s->point[k + 8][0], -s->point[k][1], 1e-15);
        assert_near(s->point[k + 8][1], s->point[k][0], 1e-15);
        assert_in_range((long)(1e3 * hypot(s->point[k][0], s->point[k][1])), 850, 1000);
    }
    assert_non_null(shape(&p, "b", "mass", 0));
    picture_free(&p);
}

/* The functions of a picture are those of the beam: clamped at x = 0, sections normal to the axis,
 * coordinates behind those of the joint; and its outline is drawn. */
static void check_beam(const char *text, int n_mode, const int *along, sp_shape_kind kind)
{
    picture p = picture_of(text);
    const sp_scene_body *b = body(&p, "rod");
    const sp_scene_flex *f = &b->flex;
    const sp_shape *outline = shape(&p, "rod", "beam", 0);
    assert_non_null(outline);
    assert_int_equal(outline->kind, kind);
    assert_int_equal(body(&p, "ground")->flex.n_station, 0);
    assert_int_equal(f->n_mode, n_mode);
    assert_true(f->n_station > 8 * n_mode / 2);
    assert_near(f->x[0], 0.0, 0.0);
    assert_near(f->x[f->n_station - 1], 2.0, 1e-15);
    assert_near(f->from, 0.0, 0.0);
    for (int k = 0; k < n_mode; k++) {
        const sp_scene_mode *mode = &f->mode[k];
        assert_int_equal(mode->q, 1 + k);
        assert_int_equal(mode->along, along[k]);
        assert_int_equal(mode->about, along[k] == 1   ? 2
                                      : along[k] == 2 ? 1
                                      : along[k] == 0 ? -1
                                                      : 0);
        assert_near(mode->way[0], 0.0, 1e-10);
        assert_near(mode->turn[0], 0.0, 1e-10);
        double most = 0.0, off = 0.0;
        for (int s = 1; along[k] > 0 && s + 1 < f->n_station; s++) {
            const double slope =
                (mode->way[s + 1] - mode->way[s - 1]) / (f->x[s + 1] - f->x[s - 1]);
            const double angle = along[k] == 1 ? mode->turn[s] : -mode->turn[s];
            most = fmax(most, fabs(slope));
            off = fmax(off, fabs(slope - angle));
        }
        /* of a central difference, h^2/6 v''': for two functions of eight stations per half wave at
         * most (pi/8)^2/6 = 2.6 % */
        assert_true(off <= 0.026 * most);
        assert_true(along[k] <= 0 || most > 0.1);
    }
    picture_free(&p);
}

static void elastic_beams_have_their_outline_and_functions(void **ctx)
{
    (void)ctx;
    check_beam(TOP "bodies:\n  rod:\n    beam: {length: 2 m, section: {rectangle: [10 mm, 20 mm]}, "
                   "young: 200 GPa, density: 7870 kg/m^3}\n"
                   "    elastic: {bending: 2, stretch: 1, ends: clamped-free}\n"
                   "    joint: {revolute: ground}\n",
               3, (const int[]){1, 1, 0}, SP_SHAPE_POLYGON);
    check_beam("specht: 1\nname: Test\nspace: spatial\ngravity: 0\n"
               "bodies:\n  rod:\n    beam: {length: 2 m, section: {circle: 10 mm}, "
               "young: 200 GPa, density: 7870 kg/m^3}\n"
               "    elastic: {bending: 2, torsion: 1, ends: clamped-free}\n"
               "    joint: {revolute: ground, axis: [0, 0, 1]}\n",
               5, (const int[]){1, 1, 2, 2, -1}, SP_SHAPE_CYLINDER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_contour_is_a_shape_with_its_numbers),
        cmocka_unit_test(links_join_the_joints_of_a_body),
        cmocka_unit_test(links_reach_joints_of_loops_and_named_points),
        cmocka_unit_test(links_join_a_joint_and_an_outline_that_is_elsewhere),
        cmocka_unit_test(a_body_with_nothing_else_is_a_disc_of_its_inertia),
        cmocka_unit_test(springs_between_points_keep_bodies_and_places),
        cmocka_unit_test(the_kinds_have_words_and_the_words_kinds),
        cmocka_unit_test(solids_in_space_keep_their_frames),
        cmocka_unit_test(shapes_for_pictures_replace_what_a_body_has),
        cmocka_unit_test(elastic_beams_have_their_outline_and_functions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
