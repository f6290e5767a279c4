/* contact/broad.h - which of many boxes meet: candidates for contact, without trying all pairs.
 *
 * Boxes along the world's axes are put into grids whose cells double in size, each box by its
 * middle into the finest grid whose cells are larger than it.   theory (21.20)-(21.22) Boxes
 * without end (planes) are compared with all others.  The pairs come in rising order, whatever the
 * order of the cells. */
#ifndef SP_CONTACT_BROAD_H
#define SP_CONTACT_BROAD_H

#include "base/arena.h"
#include "base/status.h"
#include "math/box3.h"

#include <stdint.h>

/* Items with the same owner are never a pair: contours of one body, or of the ground. */
typedef struct sp_broad_item {
    sp_box3 box;
    int owner;
} sp_broad_item;

typedef struct sp_pair {
    int a, b; /* items, a < b */
} sp_pair;

/* A cell of a grid: its side is unit 2^level. */
typedef struct sp_broad_cell {
    int32_t x, y, z, level;
} sp_broad_cell;

/* An item as the grids store it. */
typedef struct sp_broad_entry {
    sp_box3 box;
    sp_broad_cell cell;
    int item, owner;
} sp_broad_entry;

typedef struct sp_broad {
    /* by sp_broad_find */
    int n_pair;
    sp_pair *pair; /* rising by a, then b */

    /* its room */
    int item_room, pair_room, n_bucket;
    double unit;           /* side of the cells of level 0 */
    int n_used;            /* buckets for the items that there are, a power of two */
    sp_broad_entry *entry; /* item_room, by bucket                       */
    sp_broad_cell *cell;   /* item_room, by item                         */
    int *bucket;           /* n_bucket + 1: where the entries begin      */
    int *count;            /* item_room + 1: for sorting                 */
    sp_pair *spare;        /* pair_room                                  */
} sp_broad;

/* Room for n_item items and n_pair pairs; SP_E_MEMORY if there is none.  Called again with larger
 * numbers it makes more room and forgets the pairs. */
sp_status sp_broad_reserve(sp_arena *arena, int n_item, int n_pair, sp_broad *broad, sp_error *err);

/* All pairs of items of different owners whose boxes meet.  SP_E_CAPACITY with the number needed in
 * n_pair if there is no room for them or for the items, SP_E_NONFINITE for a box with NaN or
 * hi < lo.  No memory is taken. */
sp_status sp_broad_find(int n, const sp_broad_item *item, sp_broad *broad, sp_error *err);

/* The box, wider to all sides. */
sp_box3 sp_box3_widened(sp_box3 box, double by);

#endif
