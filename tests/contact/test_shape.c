/* Boxes around shapes against all their points, and cores as they are numbered. */
#include "contact/shape.h"
#include "shapes.h"

/* Farthest point of a shape along a direction, by its definition. */
static double reach(const subject *s, sp_vec3 d)
{
    const sp_vec3 own = sp_rotate_back3(s->pose.R, d);
    const double r = s->shape.radius, middle = sp_inner3(s->pose.x, d);
    double most = -INFINITY;
    switch (s->shape.kind) {
    case SP_SHAPE3_BALL:
        return middle + r;
    case SP_SHAPE3_CAPSULE:
        return middle + r + s->shape.half * fabs(own.z);
    case SP_SHAPE3_DISC:
        return middle + r * hypot(own.x, own.y) + s->shape.half * fabs(own.z);
    default:
        for (int i = 0; i < s->hull.n_vertex; i++) {
            most = fmax(most, sp_inner3(own, s->hull.vertex[i]));
        }
        return middle + most;
    }
}

static void boxes_fit_closely_around_shapes(void **ctx)
{
    (void)ctx;
    rng r = {51};
    for (int k = 0; k < check_cases(500, 20000); k++) {
        subject s;
        if (rng_int(&r, 4) == 0) {
            make_round(&s, SP_SHAPE3_DISC, rng_in(&r, 0.1, 1.0), rng_in(&r, 0.0, 0.5));
            s.pose.R = any_turn(&r);
        } else {
            draw_core(&r, &s);
        }
        s.pose.x = any(&r, 3.0);
        const sp_box3 b = sp_shape3_box(&s.shape, &s.pose);
        assert_near(b.hi.x, reach(&s, (sp_vec3){1.0, 0.0, 0.0}), 1e-13);
        assert_near(b.hi.y, reach(&s, (sp_vec3){0.0, 1.0, 0.0}), 1e-13);
        assert_near(b.hi.z, reach(&s, (sp_vec3){0.0, 0.0, 1.0}), 1e-13);
        assert_near(b.lo.x, -reach(&s, (sp_vec3){-1.0, 0.0, 0.0}), 1e-13);
        assert_near(b.lo.y, -reach(&s, (sp_vec3){0.0, -1.0, 0.0}), 1e-13);
        assert_near(b.lo.z, -reach(&s, (sp_vec3){0.0, 0.0, -1.0}), 1e-13);
        drop(&s);
    }
}

static void planes_have_no_end(void **ctx)
{
    (void)ctx;
    subject s;
    make_round(&s, SP_SHAPE3_PLANE, 0.0, 0.0);
    const sp_box3 b = sp_shape3_box(&s.shape, &s.pose);
    assert_true(isinf(b.lo.x) && isinf(b.hi.z) && b.lo.y < 0.0 && b.hi.y > 0.0);
    drop(&s);
}

static void cores_number_corners_edges_and_faces(void **ctx)
{
    (void)ctx;
    subject s;
    sp_core_room room;
    sp_core core;
    make_box(&s, 1.0, 2.0, 3.0);
    assert_true(sp_shape3_core(&s.shape, &s.pose, &room, &core));
    assert_int_equal(sp_core_corner_side(&core, 7).feature, 7);
    assert_int_equal(sp_core_line_side(&core, 0).feature, 8);
    assert_int_equal(sp_core_face_side(&core, 5).feature, 8 + 12 + 5);
    drop(&s);
    make_round(&s, SP_SHAPE3_CAPSULE, 0.1, 0.0); /* without length: a ball */
    assert_true(sp_shape3_core(&s.shape, &s.pose, &room, &core));
    assert_int_equal(core.h->n_vertex, 1);
    drop(&s);
    make_round(&s, SP_SHAPE3_DISC, 0.1, 0.0);
    assert_false(sp_shape3_core(&s.shape, &s.pose, &room, &core));
    drop(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_fit_closely_around_shapes),
        cmocka_unit_test(planes_have_no_end),
        cmocka_unit_test(cores_number_corners_edges_and_faces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
