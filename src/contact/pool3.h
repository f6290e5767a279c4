/* contact/pool3.h - slots for very many pairs in space: assigned to the pairs that are near, taken
 * back when they are apart again.
 *
 * The key of a slot says what it is assigned to: the number of the pair in its pool, and a feature
 * where a pair touches in several points; 0: it is free.  A pair keeps its slot as long as it is
 * near or the state remembers something of it.   theory (18.9) */
#ifndef SP_CONTACT_POOL3_H
#define SP_CONTACT_POOL3_H

#include "contact/con.h"
#include "model/sides.h"

enum { SP_KEY_FEATURE_BITS = SP_SHAPE_A_BITS + SP_SHAPE_B_BITS };

static inline uint64_t sp_key_of(long long pair, unsigned feature)
{
    return ((uint64_t)pair + 1) << SP_KEY_FEATURE_BITS | feature;
}

/* Number of the pair, -1 of a free slot. */
static inline long long sp_key_pair(uint64_t key)
{
    return (long long)(key >> SP_KEY_FEATURE_BITS) - 1;
}

/* The body that a contour stands still with: the last one on its way to the ground that moves. */
int sp_owner_of(const sp_model *m, int contour);

/* Contours a (a point or a ball) and b of a key; false if it is 0. */
bool sp_pool3_contours(const sp_model *m, const sp_pool *pool, uint64_t key, int *a, int *b);

/* Whether a slot, of a pool with this key, is between two contours, either way round. */
bool sp_pool3_is_of(const sp_model *m, int slot, uint64_t key, int a, int b);

/* The name of a slot; of a pool with the bodies that it is assigned to: "c.pair.1 (coin, ground)".
 */
const char *sp_pool3_title(const sp_model *m, const sp_con *con, int slot, char *buf, size_t size);

/* Memory; false if there is none. */
bool sp_pool3_alloc(sp_arena *arena, const sp_model *m, sp_con *con);

/* Keys from the state, to it: the slots of pairs that are apart and of which there is nothing to
 * remember are taken back then, their gap is infinite. */
void sp_pool3_keep(const sp_model *m, const sp_con *con, double *g, sp_contact_memory *memory);
void sp_pool3_remember(const sp_model *m, const sp_contact_memory *memory, sp_con *con);

/* Set con->still and assign slots to all that is near at kin, all features of shapes over planes
 * among it; slots that are far and not in keep (n_slot) are taken back.  SP_E_CAPACITY if there are
 * too few.   theory (28.4) */
sp_status sp_pool3_assign(const sp_model *m, const sp_numbers *num, const sp_kin *kin,
                          const bool *keep, sp_con *con, sp_error *err);

/* How long nothing can come to touch that has no slot, if nothing is accelerated by more than a;
 * right after sp_pool3_assign, with velocities.   theory (28.5) */
double sp_pool3_clear(const sp_model *m, const sp_numbers *num, double a, const sp_con *con);

/* The contours of meeting number k of a pool where the last gaps were found: its boxes, half the
 * margin wider, met there.  False behind the last one; *a = SP_NONE if it is none of the pool. */
bool sp_pool3_meeting(const sp_model *m, const sp_con *con, int pool, int k, int *a, int *b);

/* Assign slots to the pairs that are near now and have none, and find the gaps of all of them,
 * those of free slots infinite; the smallest and `least`.  con->short_of counts the slots that
 * lack. */
double sp_pool3_gaps(const sp_model *m, const sp_numbers *num, double least, sp_con *con);

#endif
