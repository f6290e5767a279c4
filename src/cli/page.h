/* cli/page.h - results as a report page: where the template lies, how the page is written. */
#ifndef SP_CLI_PAGE_H
#define SP_CLI_PAGE_H

#include "specht/result.h"

enum { SP_CLI_PATH = 4096 };

/* Find and read the template of the page of runs, or of studies; free(*page) afterwards.  Returns
 * SP_EXIT_OK, or SP_EXIT_USAGE with the reason printed. */
int sp_cli_load_page(bool study, char **page);

/* Write the page of n results to path and say what is in it; quiet: say only what is wrong.
 * Returns the exit code. */
int sp_cli_write_page(const char *page, int n, sp_result *const *result, const char *path,
                      size_t frames, bool quiet);

/* The number of frames that an option of a command asks for, 0 if text is NULL.  False: it is no
 * number, and said so. */
bool sp_cli_read_frames(const char *command, const char *text, size_t *frames);

/* The name of a file with another ending, beside it or in this folder: "runs/a.h5" becomes
 * "runs/a.html" or "a.html".  False: it is too long, and said so. */
bool sp_cli_other_ending(const char *path, bool beside, const char *ending, char *name,
                         size_t size);

#endif
