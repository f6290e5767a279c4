/* io/pose.h - rows of poses as result files hold them: x y phi, or x y z qw qx qy qz. */
#ifndef SP_IO_POSE_H
#define SP_IO_POSE_H

#include <stddef.h>

/* Place and quaternion (w x y z, of length 1) of a pose with 3 or 7 columns. */
void sp_pose_place(size_t columns, const double *pose, double at[3], double turn[4]);

/* v turned by a quaternion. */
void sp_pose_turn(const double turn[4], const double v[3], double out[3]);

/* The shortest rotation that turns the z axis to d; returns the length of d. */
double sp_pose_between(const double d[3], double turn[4]);

/* World place of a point that is given in the frame of a body. */
void sp_pose_point(size_t columns, const double *pose, const double local[3], double world[3]);

#endif
