/* Boxes around what one sees of a body. */
#include "model/scene_box.h"

#include "support/check.h"

static const double origin[1][3] = {{0.0, 0.0, 0.0}};
static const double bar[2][3] = {{1.0, 0.0, 0.0}, {1.0, 4.0, 0.0}};

static void points_holes_and_endless_shapes_fill_nothing(void **ctx)
{
    (void)ctx;
    const sp_shape shape[] = {
        {.kind = SP_SHAPE_POINT, .n_point = 1, .point = origin},
        {.kind = SP_SHAPE_LINE, .n_point = 1, .point = origin},
        {.kind = SP_SHAPE_PLANE, .n_point = 1, .point = origin},
        {.kind = SP_SHAPE_HOLLOW, .n_point = 1, .point = origin, .radius = 1}};
    const sp_scene_body b = {.name = "b", .n_shape = 4, .shape = shape};
    const sp_scene_box box = sp_scene_outline(&b);
    assert_false(sp_scene_box_filled(&box));
    assert_false(sp_scene_box_holds(&box, origin[0], 1.0));
}

static void a_box_goes_around_points_and_frames(void **ctx)
{
    (void)ctx;
    const sp_shape shape[] = {
        {.kind = SP_SHAPE_CAPSULE, .n_point = 2, .point = bar, .radius = 0.5},
        {.kind = SP_SHAPE_CYLINDER, .at = {-2.0, 0.0, 0.0}, .radius = 3.0, .length = 8.0}};
    const sp_scene_body b = {.name = "b", .n_shape = 2, .shape = shape};
    const sp_scene_box box = sp_scene_outline(&b); /* the cylinder lies in a ball of radius 5 */
    assert_true(sp_scene_box_filled(&box));
    assert_near(box.low[0], -7.0, 1e-15);
    assert_near(box.high[0], 3.0, 1e-15);
    assert_near(box.high[1], 5.0, 1e-15);
    assert_near(box.low[2], -5.0, 1e-15);
    assert_true(sp_scene_box_holds(&box, bar[1], 0.0));
    const double outside[3] = {3.1, 0.0, 0.0};
    assert_false(sp_scene_box_holds(&box, outside, 0.05));
    assert_true(sp_scene_box_holds(&box, outside, 0.2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_holes_and_endless_shapes_fill_nothing),
        cmocka_unit_test(a_box_goes_around_points_and_frames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
