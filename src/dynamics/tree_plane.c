/* dynamics/tree_plane.c - the tree in the plane. */
#include "dynamics/algebra_plane.h"

#include "dynamics/tree.inc"
