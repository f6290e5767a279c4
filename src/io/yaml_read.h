/* io/yaml_read.h - model files into a spec, with all their errors. */
#ifndef SP_IO_YAML_READ_H
#define SP_IO_YAML_READ_H

#include "base/diag.h"
#include "model/spec.h"
#include "specht/load.h"

/* Read one YAML text, without following its includes, into a tree that is not in the spec yet. text
 * and file must live as long as the spec.  SP_OK; SP_E_INPUT with errors in diag and, if reading
 * could go on behind them, the tree; else *tree is NULL. */
sp_status sp_yaml_tree(sp_spec *spec, const char *file, const char *text, size_t n, sp_diag *diag,
                       sp_node **tree);

/* Add a text of n bytes, or a file, and all it includes to the spec.  Sections are merged; a name
 * that is there already is an error with both places.  SP_E_INPUT: the errors are in diag (as is
 * that of SP_E_IO), their file names live in the spec; if spec->root got children, reading could go
 * on behind the errors and the model may be checked for more, else the spec is as it was. */
sp_status sp_yaml_read(sp_spec *spec, const char *file_name, const char *text, size_t n,
                       const sp_includer *includer, sp_diag *diag);
sp_status sp_yaml_read_file(sp_spec *spec, const char *path, sp_diag *diag);

#endif
