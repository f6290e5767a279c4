/* cli/open.h - what all commands share that read results and write files. */
#ifndef SP_CLI_OPEN_H
#define SP_CLI_OPEN_H

#include "cli/options.h"
#include "specht/result.h"
#include "specht/study.h"

#include <stdbool.h>
#include <stdio.h>

/* Open a result and say on stderr in what way it is not whole.  NULL: the reason is printed. */
sp_result *sp_cli_open(const char *path);

/* Open the result of a study.  NULL: it is none, or (*damaged) one that is damaged, which is said
 * on stderr. */
const sp_table *sp_cli_open_study(const char *path, bool *damaged);

/* Print the error if there is one and return the exit code: a name that is none is the user's
 * mistake, a file that cannot be written is not. */
int sp_cli_finish(sp_status status, const sp_error *err);

/* ---- a text file that appears under its name only when it is whole -------------------------- */

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

/* Channels of a result as comma-separated values; no names: all; frames NULL: all. */
struct sp_csv_frames;
sp_status sp_cli_write_csv(sp_result *result, const char *path, const sp_texts *names,
                           const struct sp_csv_frames *frames, sp_error *err);

#endif
