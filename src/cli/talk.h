/* cli/talk.h - how the program speaks: messages to stderr, results to stdout. */
#ifndef SP_CLI_TALK_H
#define SP_CLI_TALK_H

#include "base/diag.h"

#include <stdbool.h>
#include <stdio.h>

/* "specht: ..." on stderr. */
void sp_cli_complain(const char *fmt, ...) SP_PRINTF(1, 2);

/* "specht: model.yaml:12:9: ..." on stderr. */
void sp_cli_print_error(const sp_error *err);

/* All messages of a list, and how many were left out; quiet: without notes. */
void sp_cli_print_messages(const sp_diag *diag, bool quiet);

/* "model.yaml:12:9: body 'bird': ..." */
void sp_cli_message_text(const sp_message *message, char *buffer, size_t size);
void sp_cli_error_text(const sp_error *err, char *buffer, size_t size);

/* Whether stdout is a pipe that nobody reads any more. */
bool sp_cli_reader_left(void);

/* Flush stdout; if what was printed did not arrive, say so and return SP_EXIT_FAILED, else code. */
int sp_cli_close_stdout(int code);

/* Whether the file is a terminal that understands control codes, and whether it may have colours.
 */
bool sp_cli_is_terminal(FILE *file);
bool sp_cli_has_colour(FILE *file);

/* Whether texts may go beyond ASCII. */
bool sp_cli_is_utf8(void);

/* An arrow for "what to do next". */
const char *sp_cli_arrow(void);

/* A text in single quotes, as YAML and gnuplot read them. */
void sp_cli_put_quoted(FILE *file, const char *text);

/* Where the program lies; "": not known. */
void sp_cli_program_folder(char *folder, size_t size);

#endif
