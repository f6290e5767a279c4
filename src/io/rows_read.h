/* io/rows_read.h - tables of a model in files of comma-separated values. */
#ifndef SP_IO_ROWS_READ_H
#define SP_IO_ROWS_READ_H

#include "model/spec.h"

/* Put what n bytes of a file say under `columns`, `units` and `rows` of a table, as if they stood
 * in the model file; places point to the file, whose name must stay.  The first line has the names
 * of the columns, with units in brackets; cells are parted by commas, or by semicolons if there are
 * some in the first line; lines that are empty or begin with # are left out.  SP_E_MEMORY, or SP_OK
 * with what is wrong in diag. */
sp_status sp_rows_read(sp_spec *spec, sp_node *table, const char *file, const char *text, size_t n,
                       sp_diag *diag);

/* The same for a function of one argument: its `points` and `units`; names of columns are not kept.
 */
sp_status sp_points_read(sp_spec *spec, sp_node *function, const char *file, const char *text,
                         size_t n, sp_diag *diag);

#endif
