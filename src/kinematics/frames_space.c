/* kinematics/frames_space.c - frames of bodies in space. */
#include "kinematics/algebra_space.h"

#include "kinematics/frames.inc"
