/* studies/cells.h - a set of cells of a grid in a space of few dimensions, each with a number. */
#ifndef SP_STUDIES_CELLS_H
#define SP_STUDIES_CELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sp_cells {
    int d;
    size_t n, room;  /* room is a power of two */
    int64_t *corner; /* room x d               */
    int *number;     /* room; -1: empty        */
} sp_cells;

void sp_cells_begin(sp_cells *c, int d); /* empty; memory stays */
void sp_cells_free(sp_cells *c);

/* The number of a cell; -1: it is not there. */
int sp_cells_get(const sp_cells *c, const int64_t *corner);

/* Add a cell that is not there; false: no memory. */
bool sp_cells_add(sp_cells *c, const int64_t *corner, int number);

#endif
