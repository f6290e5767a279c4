/* io/schema.h - the table of the language (model/grammar.h) for editors and for readers. */
#ifndef SP_IO_SCHEMA_H
#define SP_IO_SCHEMA_H

#include <stdio.h>

/* Write a JSON Schema (draft 7) of model files: what a file must look like, with descriptions.
 * Quantities are strings or numbers, flags strings or booleans, as YAML readers see them.  Keys
 * that this version does not support are not in it. */
void sp_schema_json(FILE *out);

/* Write the reference of all keys as Markdown tables. */
void sp_schema_markdown(FILE *out);

/* Whether both went well is in ferror(out). */

#endif
