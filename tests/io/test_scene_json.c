/* Scenes as text and back. */
#define _POSIX_C_SOURCE 200809L
#include "support/check.h"

#include "io/scene_json.h"

#include <stdlib.h>
#include <string.h>

static const double corner[][3] = {{0.1, -0.2, 0.0}, {1.0 / 3.0, 0.0, 0.0}, {0.3, 0.7, 0.0}};
static const double ends[][3] = {{0.1, 0.2, 0.3}, {0.1, 1.2, -0.7}};

/* A scene with every kind of shape. */
static sp_scene example(bool spatial)
{
    static sp_shape shape[SP_SHAPE_N];
    static sp_scene_body body[2];
    static const sp_scene_spring spring = {
        .name = "s \"1\" </script>", .body = {1, 0}, .at = {{1, 2, 3}, {0.1, 0.2, 0.3}}};
    for (int k = 0; k < SP_SHAPE_N; k++) {
        const bool framed = k == SP_SHAPE_BOX || k == SP_SHAPE_CYLINDER || k == SP_SHAPE_CONE;
        const bool two = k == SP_SHAPE_CAPSULE || k == SP_SHAPE_SEGMENT || k == SP_SHAPE_CURVE;
        shape[k] = (sp_shape){.kind = (sp_shape_kind)k,
                              .name = "n",
                              .n_point = framed                  ? 0
                                         : k == SP_SHAPE_POLYGON ? 3
                                         : two                   ? 2
                                                                 : 1,
                              .point = two ? ends : corner,
                              .normal = {0.6, 0.8, 0.0},
                              .radius = 0.25,
                              .length = framed ? 0.7 : 0.0,
                              .size = {1.0, 2.0, 3.0},
                              .at = {0.5, 0.25, 0.125},
                              .turn = {0.5, 0.5, 0.5, -0.5}};
    }
    static const double x[3] = {0.0, 0.5, 1.0}, way[3] = {0.0, 0.1, 1.0 / 3.0},
                        turn[3] = {0, -1, 2};
    static const sp_scene_mode mode[2] = {
        {.q = 7, .along = 1, .about = 2, .way = way, .turn = turn},
        {.q = 8, .along = 0, .about = -1, .way = turn, .turn = way}};
    body[0] = (sp_scene_body){.name = "ground \xcf\x86"};
    body[1] = (sp_scene_body){.name = "b", .n_shape = SP_SHAPE_N, .shape = shape};
    body[1].flex = (sp_scene_flex){.n_station = 3, .n_mode = 2, .from = 0.25, .x = x, .mode = mode};
    return (sp_scene){
        .spatial = spatial, .n_body = 2, .n_spring = 1, .body = body, .spring = &spring};
}

/* A shape came back with what its kind uses. */
static void check_shape(const sp_shape *a, const sp_shape *b)
{
    assert_int_equal(a->kind, b->kind);
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->n_point, b->n_point);
    for (int k = 0; k < a->n_point; k++) {
        for (int i = 0; i < 3; i++) {
            assert_near(a->point[k][i], b->point[k][i], 1e-15);
        }
    }
    const bool framed = a->n_point == 0;
    for (int i = 0; framed && i < 3; i++) {
        assert_near(a->at[i], b->at[i], 1e-15);
        assert_near(a->turn[i], b->turn[i], 1e-15);
    }
    if (a->kind == SP_SHAPE_LINE || a->kind == SP_SHAPE_PLANE) {
        assert_near(b->normal[1], 0.8, 1e-15);
    }
    if (a->kind == SP_SHAPE_BOX) {
        assert_near(b->size[2], 3.0, 1e-15);
    }
    if (a->kind == SP_SHAPE_CYLINDER || a->kind == SP_SHAPE_CAPSULE) {
        assert_near(b->radius, 0.25, 1e-15);
    }
}

/* How a body deforms came back. */
static void check_flex(const sp_scene_flex *a, const sp_scene_flex *b)
{
    assert_int_equal(a->n_station, b->n_station);
    assert_int_equal(a->n_mode, b->n_mode);
    assert_near(a->from, b->from, 1e-15);
    for (int k = 0; k < a->n_mode; k++) {
        assert_int_equal(a->mode[k].q, b->mode[k].q);
        assert_int_equal(a->mode[k].along, b->mode[k].along);
        assert_int_equal(a->mode[k].about, b->mode[k].about);
        for (int s = 0; s < a->n_station; s++) {
            assert_near(a->x[s], b->x[s], 1e-15);
            assert_near(a->mode[k].way[s], b->mode[k].way[s], 1e-15);
            assert_near(a->mode[k].turn[s], b->mode[k].turn[s], 1e-15);
        }
    }
}

static void a_scene_comes_back_as_it_was(void **ctx)
{
    (void)ctx;
    for (int spatial = 0; spatial < 2; spatial++) {
        const sp_scene was = example(spatial);
        sp_scene is;
        sp_arena arena;
        sp_error err = {.status = SP_OK};
        char *text = sp_scene_text(&was);
        sp_arena_init(&arena, NULL, 0);
        assert_non_null(text);
        assert_int_equal(sp_scene_read(text, &arena, &is, &err), SP_OK);
        assert_int_equal(is.spatial, spatial);
        assert_int_equal(is.n_body, 2);
        assert_string_equal(is.body[0].name, "ground \xcf\x86");
        assert_int_equal(is.body[1].n_shape, SP_SHAPE_N);
        for (int k = 0; k < SP_SHAPE_N; k++) {
            check_shape(&was.body[1].shape[k], &is.body[1].shape[k]);
        }
        assert_int_equal(is.body[0].flex.n_station, 0);
        check_flex(&was.body[1].flex, &is.body[1].flex);
        assert_int_equal(is.n_spring, 1);
        assert_string_equal(is.spring[0].name, was.spring[0].name);
        assert_int_equal(is.spring[0].body[0], 1);
        assert_near(is.spring[0].at[1][2], 0.3, 1e-15);
        free(text);
        sp_arena_free(&arena);
    }
}

/* Read a text; what it is does not matter as long as nothing crashes. */
static sp_status read_any(const char *text, sp_scene *scene, sp_arena *arena)
{
    sp_error err = {.status = SP_OK};
    sp_arena_init(arena, NULL, 1 << 24);
    const sp_status status = sp_scene_read(text, arena, scene, &err);
    assert_true(status == SP_OK || scene->n_body == 0);
    return status;
}

static void a_text_cut_anywhere_is_refused(void **ctx)
{
    (void)ctx;
    const sp_scene was = example(true);
    char *text = sp_scene_text(&was);
    for (size_t n = strlen(text) - 1; n > 0; n--) {
        sp_scene scene;
        sp_arena arena;
        text[n] = '\0';
        assert_int_equal(read_any(text, &scene, &arena), SP_E_INPUT);
        sp_arena_free(&arena);
    }
    free(text);
}

static void damaged_texts_never_crash(void **ctx)
{
    (void)ctx;
    const sp_scene was = example(false);
    char *text = sp_scene_text(&was);
    const size_t n = strlen(text);
    rng r = {5};
    for (int k = 0; k < check_cases(3000, 100000); k++) {
        char *bad = strdup(text);
        sp_scene scene;
        sp_arena arena;
        for (int i = 0; i < 1 + k % 4; i++) {
            static const char sign[] = "[]{}:,\"0123456789-e.nt \x01\xff";
            bad[rng_int(&r, (int)n)] = sign[rng_int(&r, (int)sizeof sign - 1)];
        }
        (void)read_any(bad, &scene, &arena);
        for (int b = 0; b < scene.n_body; b++) {
            for (int s = 0; s < scene.body[b].n_shape; s++) {
                assert_true(scene.body[b].shape[s].kind < SP_SHAPE_N);
            }
        }
        for (int s = 0; s < scene.n_spring; s++) {
            assert_true(scene.spring[s].body[0] >= 0 && scene.spring[s].body[0] < scene.n_body);
        }
        sp_arena_free(&arena);
        free(bad);
    }
    free(text);
}

static void functions_whose_numbers_do_not_fit_are_left_out(void **ctx)
{
    (void)ctx;
    static const char *const mode[] = {
        "{\"q\": 1, \"along\": 1, \"about\": 2, \"way\": [0], \"turn\": [0, 1]}",
        "{\"q\": 1, \"along\": 3, \"about\": 2, \"way\": [0, 1], \"turn\": [0, 1]}",
        "{\"q\": -1, \"along\": 1, \"about\": 2, \"way\": [0, 1], \"turn\": [0, 1]}",
        "{\"along\": 1, \"about\": 2, \"way\": [0, 1], \"turn\": [0, 1]}"};
    for (size_t k = 0; k < sizeof mode / sizeof *mode; k++) {
        char text[512];
        sp_scene scene;
        sp_arena arena;
        (void)snprintf(text, sizeof text,
                       "{\"space\": \"planar\", \"bodies\": [{\"name\": \"b\", \"flex\": {\"x\": "
                       "[0, 1], \"modes\": [%s]}}]}",
                       mode[k]);
        assert_int_equal(read_any(text, &scene, &arena), SP_OK);
        assert_int_equal(scene.body[0].flex.n_mode, 0);
        sp_arena_free(&arena);
    }
}

static void what_is_unknown_is_left_out(void **ctx)
{
    (void)ctx;
    sp_scene scene;
    sp_arena arena;
    const char *text =
        "{\"format\": 1, \"new\": [1, {\"a\": 2}], \"bodies\": [{\"name\": \"a\", \"colour\": 3, "
        "\"shapes\": [{\"kind\": \"spline\"}, {\"kind\": \"segment\", \"points\": [[0, 0]]}, "
        "{\"kind\": \"point\", \"points\": [[1, 2]], \"more\": null}]}], \"springs\": "
        "[{\"bodies\": [0, 7]}, {\"bodies\": [0, -1]}, {\"bodies\": [0, 0], \"name\": \"ok\"}]}";
    assert_int_equal(read_any(text, &scene, &arena), SP_OK);
    assert_int_equal(scene.n_body, 1);
    assert_int_equal(scene.body[0].n_shape, 1);
    assert_near(scene.body[0].shape[0].point[0][1], 2.0, 1e-15);
    assert_int_equal(scene.n_spring, 1);
    assert_string_equal(scene.spring[0].name, "ok");
    sp_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scene_comes_back_as_it_was),
        cmocka_unit_test(a_text_cut_anywhere_is_refused),
        cmocka_unit_test(damaged_texts_never_crash),
        cmocka_unit_test(functions_whose_numbers_do_not_fit_are_left_out),
        cmocka_unit_test(what_is_unknown_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
