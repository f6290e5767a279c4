/* model/build_clearance.h - a joint with play on its way, in the plane and in space. */
#ifndef SP_MODEL_BUILD_CLEARANCE_H
#define SP_MODEL_BUILD_CLEARANCE_H

#include "model/build_parts.h"

/* The hole or guide is on body 0, the pin or block on body 1. */
typedef struct sp_clearance_plan {
    sp_scope *scope;
    const sp_node *node;
    const char *name; /* of the joint                                           */
    int plan[2];      /* bodies                                                 */
    double at[2][3];  /* place of the joint on them                             */
    double play;      /* to each side, m                                        */
    bool in_tree;     /* the axis is meant in the turned frame of the joint     */
    sp_side side[2];  /* contours of the pin or block, of the hole or guide     */
} sp_clearance_plan;

/* A contour "body.joint.part" on body 0 or 1 of the joint, for its contact; false: no memory. */
bool sp_build_clearance_contour(sp_build *b, sp_clearance_plan *p, int body, const char *part,
                                sp_contour contour, const sp_contour_numbers *numbers);

/* All contours of a joint in space; false after an error. */
bool sp_build_clearance_space(sp_build *b, sp_clearance_plan *p);

#endif
