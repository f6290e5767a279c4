/* contact/loop.h - joints that close loops, as bilateral rows.
 *
 * Frames A and B of the joint on its two bodies, axes a and b, places p_A and p_B, z the axis of
 * the joint.  Two kinds of rows hold them together: place:      e = a_i.(p_B - p_A) direction:  e =
 * a_i.b_j                                                    theory (4.14) */
#ifndef SP_CONTACT_LOOP_H
#define SP_CONTACT_LOOP_H

#include "base/arena.h"
#include "kinematics/kin.h"

/* What is known of loops of models with bodies that deform, whose places are expensive. */
typedef struct sp_loop_memory sp_loop_memory;

/* A loop where it is; memory: of all loops, NULL: there is none. */
typedef struct sp_loop_at {
    const sp_model *m;
    const sp_numbers *num;
    const sp_kin *kin;
    sp_loop_memory *memory;
    int loop;
} sp_loop_at;

/* Memory of the loops of a model, NULL where they need none.  False: there is not enough. */
bool sp_loop_remember(sp_arena *arena, const sp_model *m, sp_loop_memory **to);

/* What the row is off by, its rate, its row of W on the loop's support, and the part of its second
 * derivative that is there for u' = 0.   theory (4.14)-(4.16) */
double sp_loop_error(const sp_loop_at *at, int row);
double sp_loop_rate(const sp_loop_at *at, int row);
void sp_loop_row(const sp_loop_at *at, int row, double *W);
double sp_loop_bias(const sp_loop_at *at, int row);

/* What a row is a velocity of: of body plus against body minus at x along e, or about e. */
typedef struct sp_loop_wrench {
    int plus, minus;
    sp_vec3 x, e;
    bool about;
} sp_loop_wrench;

sp_loop_wrench sp_loop_wrench_of(const sp_loop_at *at, int row);

#endif
