/* io/part_file.h - reduced parts in HDF5 files: `specht reduce` writes them, models read them.
 *
 * Plain datasets of numbers, named as in sp_part; lengths follow from theirs. */
#ifndef SP_IO_PART_FILE_H
#define SP_IO_PART_FILE_H

#include "base/status.h"
#include "model/part.h"

enum { SP_PART_FORMAT = 1 };

/* Whether the bytes are an HDF5 file; what is read of one lives in the arena.  SP_E_INPUT with what
 * is wrong: no such file, cut off, numbers that no body can have. */
sp_status sp_part_read(const char *name, const char *bytes, size_t n, sp_arena *arena,
                       const sp_part **part, sp_error *err);

/* Whether its numbers are those of a body: SP_E_INPUT and why not. */
sp_status sp_part_check(const sp_part *part, sp_arena *arena, sp_error *err);

/* Write beside the name and move it there when it is whole: an older file stays until then. */
sp_status sp_part_write(const char *path, const sp_part *part, sp_error *err);

#endif
