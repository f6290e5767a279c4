/* studies/cells.c - open addressing with linear probing, at most half full. */
#include "studies/cells.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM_MIN = 256 };

void sp_cells_begin(sp_cells *c, int d)
{
    if (d != c->d) {
        sp_cells_free(c);
        c->d = d;
    }
    c->n = 0;
    for (size_t k = 0; k < c->room; k++) {
        c->number[k] = -1;
    }
}

void sp_cells_free(sp_cells *c)
{
    free(c->corner);
    free(c->number);
    *c = (sp_cells){.d = c->d};
}

/* Where a cell is, or the empty place where it would be. */
static size_t find(const sp_cells *c, const int64_t *corner)
{
    const size_t size = (size_t)c->d * sizeof *corner;
    uint64_t hash = sp_hash(SP_HASH_BEGIN, corner, size);
    size_t k = (size_t)(hash ^ (hash >> 32)) & (c->room - 1);
    while (c->number[k] >= 0 && memcmp(c->corner + k * (size_t)c->d, corner, size) != 0) {
        k = (k + 1) & (c->room - 1);
    }
    return k;
}

int sp_cells_get(const sp_cells *c, const int64_t *corner)
{
    return c->n > 0 ? c->number[find(c, corner)] : -1;
}

/* Put a cell into its place, which is empty. */
static void put(sp_cells *c, const int64_t *corner, int number)
{
    const size_t k = find(c, corner);
    memcpy(c->corner + k * (size_t)c->d, corner, (size_t)c->d * sizeof *corner);
    c->number[k] = number;
    c->n++;
}

/* Twice the room. */
static bool grow(sp_cells *c)
{
    sp_cells larger = {.d = c->d, .room = c->room > 0 ? 2 * c->room : ROOM_MIN};
    larger.corner = malloc(larger.room * (size_t)c->d * sizeof *larger.corner);
    larger.number = malloc(larger.room * sizeof *larger.number);
    if (!larger.corner || !larger.number) {
        sp_cells_free(&larger);
        return false;
    }
    sp_cells_begin(&larger, c->d);
    for (size_t k = 0; k < c->room; k++) {
        if (c->number[k] >= 0) {
            put(&larger, c->corner + k * (size_t)c->d, c->number[k]);
        }
    }
    sp_cells_free(c);
    *c = larger;
    return true;
}

bool sp_cells_add(sp_cells *c, const int64_t *corner, int number)
{
    if (2 * (c->n + 1) > c->room && !grow(c)) {
        return false;
    }
    put(c, corner, number);
    return true;
}
