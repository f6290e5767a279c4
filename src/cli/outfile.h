/* cli/outfile.h - a text file that appears under its name only when it is whole. */
#ifndef SP_CLI_OUTFILE_H
#define SP_CLI_OUTFILE_H

#include "specht/base.h"

#include <stdbool.h>
#include <stdio.h>

enum { SP_OUTFILE_PATH = 4096 };
typedef struct sp_outfile {
    FILE *file;
    const char *path;                /* NULL: the standard output            */
    char part[SP_OUTFILE_PATH + 32]; /* name meanwhile, empty: path itself   */
} sp_outfile;

/* Begin to write path; NULL or "-": the standard output.  What has this name stays until the end;
 * devices and pipes are written to at once. */
sp_status sp_outfile_open(sp_outfile *out, const char *path, sp_error *err);

/* End: keep what was written, or (keep false) drop it. */
sp_status sp_outfile_close(sp_outfile *out, bool keep, sp_error *err);

#endif
