#include "model/loop_rows.h"

enum { P = SP_NONE, X = 0, Y = 1, Z = 2 };

/* In space; z is the axis of the joint, of a universal joint the first one, x of B the second. */
static const sp_loop_rows in_space[] = {
    [SP_JOINT_WELD] = {6, {{X, P}, {Y, P}, {Z, P}, {X, Y}, {Y, Z}, {Z, X}}},
    [SP_JOINT_REVOLUTE] = {5, {{X, P}, {Y, P}, {Z, P}, {X, Z}, {Y, Z}}},
    [SP_JOINT_PRISMATIC] = {5, {{X, P}, {Y, P}, {X, Y}, {Y, Z}, {Z, X}}},
    [SP_JOINT_FREE] = {0, {{0, 0}}},
    [SP_JOINT_CYLINDRICAL] = {4, {{X, P}, {Y, P}, {X, Z}, {Y, Z}}},
    [SP_JOINT_UNIVERSAL] = {4, {{X, P}, {Y, P}, {Z, P}, {Z, X}}},
    [SP_JOINT_SPHERICAL] = {3, {{X, P}, {Y, P}, {Z, P}}},
    [SP_JOINT_PLANAR] = {3, {{Z, P}, {X, Z}, {Y, Z}}},
    [SP_JOINT_SCREW] = {0, {{0, 0}}},
};

/* In the plane; z of a hinge and of a weld points out of it, z of a slide lies in it and y points
 * out. */
static const sp_loop_rows in_plane[] = {
    [SP_JOINT_WELD] = {3, {{X, P}, {Y, P}, {X, Y}}},
    [SP_JOINT_REVOLUTE] = {2, {{X, P}, {Y, P}}},
    [SP_JOINT_PRISMATIC] = {2, {{X, P}, {X, Z}}},
};

const sp_loop_rows *sp_loop_rows_of(sp_joint_kind joint, int dim)
{
    static const sp_loop_rows none = {0, {{0, 0}}};
    if (dim == 3) {
        return (size_t)joint < sizeof in_space / sizeof *in_space ? &in_space[joint] : &none;
    }
    return (size_t)joint < sizeof in_plane / sizeof *in_plane ? &in_plane[joint] : &none;
}
