#include "contact/shape_slot.h"

#include "contact/manifold_extruded.h"

/* Axes with z along a direction; x and y depend on it alone. */
static sp_rot3 axes_along(sp_vec3 z)
{
    const sp_vec3 other = fabs(z.x) <= 0.9 ? (sp_vec3){1.0, 0.0, 0.0} : (sp_vec3){0.0, 1.0, 0.0};
    const sp_vec3 flat = sp_axpy3(other, -sp_inner3(other, z), z);
    const sp_vec3 x = sp_scale3(1.0 / sp_length3(flat), flat);
    return (sp_rot3){x, sp_cross3(z, x), z};
}

/* The shape of a contour and where it is. */
static sp_shape3 shape_of(const sp_model *m, const sp_numbers *num, const sp_kin *kin, int contour,
                          sp_pose3 *pose)
{
    const sp_contour *c = &m->contour[contour];
    const sp_contour_numbers *n = &num->contour[contour];
    *pose = sp_mark_pose(kin, &n->mark);
    if (c->kind == SP_CONTOUR_HULL || c->kind == SP_CONTOUR_MESH) { /* corners are the body's */
        return *c->shape;
    }
    *pose = (sp_pose3){sp_pose3_place(pose, sp_vec3_of(n->mark.at)),
                       sp_rot3_mul(pose->R, axes_along(sp_vec3_of(n->axis)))};
    if (c->shape) {
        return *c->shape;
    }
    return (sp_shape3){.kind = c->kind == SP_CONTOUR_PLANE ? SP_SHAPE3_PLANE : SP_SHAPE3_BALL,
                       .radius = c->kind == SP_CONTOUR_SPHERE ? n->radius : 0.0};
}

/* An extruded surface as a shape, false of all other contours. */
static bool extruded_of(const sp_model *m, const sp_numbers *num, const sp_kin *kin, int contour,
                        double *work, sp_extruded *out)
{
    const sp_contour *c = &m->contour[contour];
    if (c->kind != SP_CONTOUR_EXTRUDED) {
        return false;
    }
    const sp_pose3 pose = sp_mark_pose(kin, &num->contour[contour].mark);
    *out = sp_extruded_of(m->surface[c->form - 1], pose.x, pose.R, work);
    return true;
}

sp_box3 sp_shape_slot_box(const sp_model *m, const sp_numbers *num, const sp_kin *kin, int contour)
{
    sp_pose3 pose;
    const sp_shape3 shape = shape_of(m, num, kin, contour, &pose);
    return sp_shape3_box(&shape, &pose);
}

int sp_shape_slot_touches(const sp_model *m, const sp_numbers *num, const sp_kin *kin, int a, int b,
                          double margin, double *work, sp_touch *touch)
{
    sp_pose3 pose_a, pose_b;
    sp_extruded rims;
    const sp_shape3 shape_b = shape_of(m, num, kin, b, &pose_b);
    if (extruded_of(m, num, kin, a, work, &rims)) {
        return sp_extruded_find(&rims, &pose_b, margin, SP_SHAPE_TOUCHES, touch);
    }
    const sp_shape3 shape_a = shape_of(m, num, kin, a, &pose_a);
    const int n =
        sp_manifold_find(&shape_a, &pose_a, &shape_b, &pose_b, margin, SP_SHAPE_TOUCHES, touch);
    for (int i = 1; i < n && i < SP_SHAPE_TOUCHES; i++) { /* few: by insertion */
        const sp_touch moved = touch[i];
        int k = i;
        for (; k > 0 && sp_shape_slot_feature(&touch[k - 1]) > sp_shape_slot_feature(&moved); k--) {
            touch[k] = touch[k - 1];
        }
        touch[k] = moved;
    }
    return n;
}

int sp_shape_slot_features(const sp_model *m, int contour)
{
    const sp_contour *c = &m->contour[contour];
    return c->kind == SP_CONTOUR_EXTRUDED ? sp_surface_on_plane(m->surface[c->form - 1])
                                          : sp_shape3_on_plane(c->shape);
}

bool sp_shape_slot_hold(const sp_model *m, const sp_numbers *num, const sp_kin *kin, int a, int b,
                        unsigned feature, double *work, sp_shape_held *held)
{
    sp_pose3 pose_a, pose_b;
    sp_extruded rims;
    const sp_shape3 shape_b = shape_of(m, num, kin, b, &pose_b);
    const int of_a = (int)(feature >> SP_SHAPE_B_BITS),
              of_b = (int)(feature & ((1u << SP_SHAPE_B_BITS) - 1u));
    if (extruded_of(m, num, kin, a, work, &rims)) {
        double reach = 0.0;
        const bool found = sp_extruded_hold(&rims, &pose_b, of_a, &held->touch, &reach);
        held->outside = -reach;
        held->tol = 0.0;
        return found;
    }
    const sp_shape3 shape_a = shape_of(m, num, kin, a, &pose_a);
    if (!sp_manifold_hold(&shape_a, &pose_a, &shape_b, &pose_b, of_a, of_b, &held->touch)) {
        return false;
    }
    held->outside =
        -sp_manifold_reach(&shape_a, &pose_a, &shape_b, &pose_b, &held->touch, &held->tol);
    return true;
}
