#include "io/pose.h"

#include <math.h>

void sp_pose_place(size_t columns, const double *pose, double at[3], double turn[4])
{
    const int space = columns == 7;
    at[0] = pose[0];
    at[1] = pose[1];
    at[2] = space ? pose[2] : 0.0;
    turn[0] = space ? pose[3] : cos(0.5 * pose[2]);
    turn[1] = space ? pose[4] : 0.0;
    turn[2] = space ? pose[5] : 0.0;
    turn[3] = space ? pose[6] : sin(0.5 * pose[2]);
    const double length =
        sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2] + turn[3] * turn[3]);
    for (int k = 0; k < 4 && length > 0.0; k++) {
        turn[k] /= length;
    }
}

/* v + 2 w (r x v) + 2 r x (r x v) for the quaternion (w, r). */
void sp_pose_turn(const double turn[4], const double v[3], double out[3])
{
    const double w = turn[0], *r = turn + 1;
    const double c[3] = {r[1] * v[2] - r[2] * v[1], r[2] * v[0] - r[0] * v[2],
                         r[0] * v[1] - r[1] * v[0]};
    const double d[3] = {r[1] * c[2] - r[2] * c[1], r[2] * c[0] - r[0] * c[2],
                         r[0] * c[1] - r[1] * c[0]};
    for (int k = 0; k < 3; k++) {
        out[k] = v[k] + 2.0 * (w * c[k] + d[k]);
    }
}

/* Half way between z and d: w = 1 + cos, r = z x d; opposite to z half a turn about x. */
double sp_pose_between(const double d[3], double turn[4])
{
    const double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    const double q[4] = {1.0 + d[2] / length, -d[1] / length, d[0] / length, 0.0};
    const double size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
    for (int k = 0; k < 4; k++) {
        turn[k] = !(length > 0.0) ? k == 0 : size > 1e-8 ? q[k] / size : k == 1;
    }
    return length;
}

void sp_pose_point(size_t columns, const double *pose, const double local[3], double world[3])
{
    double at[3], turn[4];
    sp_pose_place(columns, pose, at, turn);
    sp_pose_turn(turn, local, world);
    for (int k = 0; k < 3; k++) {
        world[k] += at[k];
    }
}
