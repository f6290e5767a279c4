/* kinematics/frames_plane.c - frames of bodies in the plane. */
#include "kinematics/algebra_plane.h"

#include "kinematics/frames.inc"
