/* model/loop_rows.h - which rows hold the two frames of a joint that closes a loop together.
 *
 * Frames A and B of the joint on its two bodies, axes a and b, places p_A and p_B, z the axis of
 * the joint: place:      e = a_i.(p_B - p_A) direction:  e = a_i.b_j theory (4.14) */
#ifndef SP_MODEL_LOOP_ROWS_H
#define SP_MODEL_LOOP_ROWS_H

#include "model/model.h"

/* One row: place along axis a, or direction a of A against b of B. */
typedef struct sp_row_kind {
    signed char a, b; /* axes 0, 1, 2; b = SP_NONE: a row of place */
} sp_row_kind;

enum { SP_LOOP_ROW_MAX = 6 };

typedef struct sp_loop_rows {
    int n; /* 0: such a joint cannot close a loop */
    sp_row_kind row[SP_LOOP_ROW_MAX];
} sp_loop_rows;

/* The rows of a joint of this kind in the plane (dim 2) and in space (3). */
const sp_loop_rows *sp_loop_rows_of(sp_joint_kind joint, int dim);

#endif
