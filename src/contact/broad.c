#include "contact/broad.h"

#include <float.h>
#include <limits.h>
#include <string.h>

/* Cells of boxes that are this much smaller than the largest one are as large as for this size, and
 * their numbers stay in 32 bits. */
enum { LEVELS = 40, CELL_BITS = 28, CELL_MAX = 1 << 30, EXPONENTS = 256, NO_LEVEL = INT_MAX };

/* Beside half a cell, for round-off in the middle of a box: relative to cell and place. */
#define CELL_MORE  1e-9
#define PLACE_MORE (8.0 * DBL_EPSILON)

sp_status sp_broad_reserve(sp_arena *arena, int n_item, int n_pair, sp_broad *broad, sp_error *err)
{
    sp_broad b = {.item_room = n_item, .pair_room = n_pair, .n_bucket = 16};
    while (b.n_bucket / 2 < n_item && b.n_bucket < 1 << 28) {
        b.n_bucket *= 2;
    }
    b.entry = SP_NEW(arena, sp_broad_entry, n_item);
    b.cell = SP_NEW(arena, sp_broad_cell, n_item);
    b.bucket = SP_NEW(arena, int, b.n_bucket + 1);
    b.count = SP_NEW(arena, int, n_item + 1);
    b.pair = SP_NEW(arena, sp_pair, n_pair);
    b.spare = SP_NEW(arena, sp_pair, n_pair);
    if (!b.entry || !b.cell || !b.bucket || !b.count || !b.pair || !b.spare) {
        return SP_FAIL(err, SP_E_MEMORY, "broad phase: no memory for %d items and %d pairs", n_item,
                       n_pair);
    }
    *broad = b;
    return SP_OK;
}

sp_box3 sp_box3_widened(sp_box3 box, double by)
{
    const sp_vec3 d = {by, by, by};
    return (sp_box3){sp_sub3(box.lo, d), sp_add3(box.hi, d)};
}

/* ---- cells --------------------------------------------------------------------------------- */

/* The longest side; infinite without end, NaN if anything is NaN or hi < lo. */
static double extent(const sp_box3 *b)
{
    const double d[3] = {b->hi.x - b->lo.x, b->hi.y - b->lo.y, b->hi.z - b->lo.z};
    double most = 0.0;
    for (int k = 0; k < 3; k++) {
        if (!(d[k] >= 0.0)) {
            return NAN;
        }
        most = d[k] > most ? d[k] : most;
    }
    return most;
}

/* Number of the cell of this side that x is in. */
static int32_t cell_of(double x, double side)
{
    const double c = floor(x / side);
    return c < -CELL_MAX ? -CELL_MAX : c > CELL_MAX ? CELL_MAX : (int32_t)c;
}

/* Neighbours along x stand in neighbouring buckets. */
static int bucket_of(const sp_broad *broad, sp_broad_cell c)
{
    const uint32_t h = (uint32_t)c.x + 73856093u * (uint32_t)c.y + 19349663u * (uint32_t)c.z +
                       83492791u * (uint32_t)c.level;
    return (int)(h & (uint32_t)(broad->n_used - 1));
}

static bool same_cell(sp_broad_cell a, sp_broad_cell b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z && a.level == b.level;
}

/* What the sizes of the items are like. */
typedef struct sizes {
    int count[EXPONENTS];   /* of items by the exponent of their size ...      */
    double most[EXPONENTS]; /* ... and the largest of them                   */
    double top, reach;      /* the largest size; how far from the origin it goes */
} sizes;

/* Exponent of a finite size, from 0 on. */
static int exponent_of(double size)
{
    int e = 0;
    (void)frexp(size, &e);
    e += EXPONENTS / 2;
    return e < 0 ? 0 : e >= EXPONENTS ? EXPONENTS - 1 : e;
}

/* Look at all sizes; false if a box is none. */
static bool measure(int n, const sp_broad_item *item, sizes *s)
{
    memset(s, 0, sizeof *s);
    for (int i = 0; i < n; i++) {
        const sp_box3 *b = &item[i].box;
        const double size = extent(b);
        if (size != size) {
            return false;
        }
        if (size < INFINITY) {
            const int e = exponent_of(size);
            s->count[e] += size > 0.0;
            s->most[e] = fmax(s->most[e], size);
            s->top = fmax(s->top, size);
            s->reach = fmax(s->reach, fmax(fmax(fabs(b->hi.x), fabs(b->hi.y)), fabs(b->hi.z)));
            s->reach = fmax(s->reach, fmax(fmax(fabs(b->lo.x), fabs(b->lo.y)), fabs(b->lo.z)));
        }
    }
    return true;
}

/* Side of the cells of level 0: the largest of those boxes whose size is the most frequent. */
static double unit_of(const sizes *s)
{
    int best = 0;
    for (int e = 1; e < EXPONENTS; e++) {
        best = s->count[e] > s->count[best] ? e : best;
    }
    return s->most[best] > 0.0 ? s->most[best] * (1.0 + CELL_MORE) : 1.0;
}

/* The level of every item, NO_LEVEL for those without end, such that it is smaller than its cell.
 * Very small boxes get cells that are not smaller than 2^-28 of the scene: their numbers stay
 * apart. */
static bool set_levels(int n, const sp_broad_item *item, sp_broad *broad)
{
    sizes s;
    int top = 0, bottom = 0;
    if (!measure(n, item, &s)) {
        return false;
    }
    broad->unit = unit_of(&s);
    (void)frexp(s.top / broad->unit, &top);
    (void)frexp(s.reach / broad->unit, &bottom);
    bottom -= CELL_BITS;
    bottom = top - LEVELS > bottom ? top - LEVELS : bottom;
    for (int i = 0; i < n; i++) {
        const double size = extent(&item[i].box);
        int level = NO_LEVEL;
        if (size < INFINITY) {
            (void)frexp(size / broad->unit, &level);
            level = size > 0.0 && level > bottom ? level : bottom;
        }
        broad->cell[i].level = level;
    }
    return true;
}

/* The cell that the middle of a box is in. */
static void set_cell(const sp_box3 *b, double unit, sp_broad_cell *cell)
{
    const double side = ldexp(unit, cell->level);
    cell->x = cell_of(0.5 * (b->lo.x + b->hi.x), side);
    cell->y = cell_of(0.5 * (b->lo.y + b->hi.y), side);
    cell->z = cell_of(0.5 * (b->lo.z + b->hi.z), side);
}

/* Entries into their buckets, by counting; those without end stand behind all.  Returns how many
 * are in buckets. */
static int fill_buckets(int n, const sp_broad_item *item, sp_broad *broad)
{
    sp_broad_cell *cell = broad->cell;
    int *begin = broad->bucket, n_grid = 0;
    broad->n_used = 16;
    while (broad->n_used / 2 < n && broad->n_used < broad->n_bucket) {
        broad->n_used *= 2;
    }
    memset(begin, 0, (size_t)(broad->n_used + 1) * sizeof *begin);
    for (int i = 0; i < n; i++) {
        if (cell[i].level != NO_LEVEL) {
            set_cell(&item[i].box, broad->unit, &cell[i]);
            begin[bucket_of(broad, cell[i]) + 1]++;
            n_grid++;
        }
    }
    for (int k = 0; k < broad->n_used; k++) {
        begin[k + 1] += begin[k];
    }
    int rest = n_grid;
    for (int i = 0; i < n; i++) {
        int *at = cell[i].level != NO_LEVEL ? &begin[bucket_of(broad, cell[i])] : &rest;
        broad->entry[(*at)++] = (sp_broad_entry){item[i].box, cell[i], i, item[i].owner};
    }
    memmove(begin + 1, begin, (size_t)broad->n_used * sizeof *begin); /* ends to beginnings */
    begin[0] = 0;
    return n_grid;
}

/* ---- pairs --------------------------------------------------------------------------------- */

static void add_pair(sp_broad *broad, int i, int j)
{
    if (broad->n_pair < broad->pair_room) {
        broad->pair[broad->n_pair] = i < j ? (sp_pair){i, j} : (sp_pair){j, i};
    }
    broad->n_pair += broad->n_pair < INT_MAX;
}

/* Pairs of entry k with the entries of one cell; of its own cell only those behind it. */
static void look_into_cell(sp_broad *broad, int k, sp_broad_cell cell)
{
    const sp_broad_entry *e = &broad->entry[k];
    const int bucket = bucket_of(broad, cell), end = broad->bucket[bucket + 1];
    for (int j = same_cell(cell, e->cell) ? k + 1 : broad->bucket[bucket]; j < end; j++) {
        const sp_broad_entry *o = &broad->entry[j];
        if (sp_box3_meets(&e->box, &o->box) && same_cell(cell, o->cell) && o->owner != e->owner) {
            add_pair(broad, e->item, o->item);
        }
    }
}

/* The cells whose boxes can reach from lo to hi. */
static void cell_range(double lo, double hi, double side, int32_t range[2])
{
    const double more = (0.5 + CELL_MORE) * side;
    range[0] = cell_of(lo - more - PLACE_MORE * fabs(lo), side);
    range[1] = cell_of(hi + more + PLACE_MORE * fabs(hi), side);
}

/* Pairs of entry k with entries of one level, its own or a coarser one: a box of that level meets
 * it only if its middle is within half a cell of it.   theory (21.22)
 * On its own level cells before its own are left out: from there the pair is found as well. */
static void look_into_level(sp_broad *broad, int k, int level)
{
    const sp_broad_entry *e = &broad->entry[k];
    const bool own = level == e->cell.level;
    const double side = ldexp(broad->unit, level);
    int32_t x[2], y[2], z[2];
    cell_range(e->box.lo.x, e->box.hi.x, side, x);
    cell_range(e->box.lo.y, e->box.hi.y, side, y);
    cell_range(e->box.lo.z, e->box.hi.z, side, z);
    sp_broad_cell c = {.level = level};
    for (c.z = own ? e->cell.z : z[0]; c.z <= z[1]; c.z++) {
        const bool first_z = own && c.z == e->cell.z;
        for (c.y = first_z ? e->cell.y : y[0]; c.y <= y[1]; c.y++) {
            const bool first_y = first_z && c.y == e->cell.y;
            for (c.x = first_y ? e->cell.x : x[0]; c.x <= x[1]; c.x++) {
                look_into_cell(broad, k, c);
            }
        }
    }
}

/* The levels that have entries, rising; returns how many. */
static int list_levels(const sp_broad *broad, int n_grid, int level[LEVELS + 1])
{
    int top = INT_MIN, n = 0;
    bool seen[LEVELS + 1] = {false};
    for (int k = 0; k < n_grid; k++) {
        top = broad->entry[k].cell.level > top ? broad->entry[k].cell.level : top;
    }
    for (int k = 0; k < n_grid; k++) {
        seen[top - broad->entry[k].cell.level] = true;
    }
    for (int d = LEVELS; d >= 0; d--) {
        if (seen[d]) {
            level[n++] = top - d;
        }
    }
    return n;
}

/* Pairs with the items without end, which stand from n_grid on. */
static void compare_endless(int n, int n_grid, sp_broad *broad)
{
    for (int k = n_grid; k < n; k++) {
        const sp_broad_entry *e = &broad->entry[k];
        for (int j = 0; j < k; j++) {
            const sp_broad_entry *o = &broad->entry[j];
            if (o->owner != e->owner && sp_box3_meets(&e->box, &o->box)) {
                add_pair(broad, e->item, o->item);
            }
        }
    }
}

/* Stable counting sort of the pairs by a or b. */
static void sort_pairs(int n, bool by_b, const sp_pair *from, sp_pair *to, sp_broad *broad)
{
    int *count = broad->count, sum = 0;
    memset(count, 0, (size_t)(n + 1) * sizeof *count);
    for (int k = 0; k < broad->n_pair; k++) {
        count[by_b ? from[k].b : from[k].a]++;
    }
    for (int i = 0; i < n; i++) {
        const int here = count[i];
        count[i] = sum;
        sum += here;
    }
    for (int k = 0; k < broad->n_pair; k++) {
        to[count[by_b ? from[k].b : from[k].a]++] = from[k];
    }
}

sp_status sp_broad_find(int n, const sp_broad_item *item, sp_broad *broad, sp_error *err)
{
    broad->n_pair = 0;
    if (n > broad->item_room) {
        return SP_FAIL(err, SP_E_CAPACITY, "broad phase: %d items, room for %d", n,
                       broad->item_room);
    }
    if (!set_levels(n, item, broad)) {
        return SP_FAIL(err, SP_E_NONFINITE, "broad phase: a box with NaN, or with hi < lo");
    }
    const int n_grid = fill_buckets(n, item, broad);
    int level[LEVELS + 1];
    const int n_level = list_levels(broad, n_grid, level);
    for (int k = 0; k < n_grid; k++) {
        for (int l = n_level - 1; l >= 0 && level[l] >= broad->entry[k].cell.level; l--) {
            look_into_level(broad, k, level[l]);
        }
    }
    compare_endless(n, n_grid, broad);
    if (broad->n_pair > broad->pair_room) {
        return SP_FAIL(err, SP_E_CAPACITY, "broad phase: %d pairs, room for %d", broad->n_pair,
                       broad->pair_room);
    }
    sort_pairs(n, true, broad->pair, broad->spare, broad);
    sort_pairs(n, false, broad->spare, broad->pair, broad);
    return SP_OK;
}
