/* dynamics/tree_space.c - the tree in space. */
#include "dynamics/algebra_space.h"

#include "dynamics/tree.inc"
