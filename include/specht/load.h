/* specht/load.h - model files: into a spec, or all the way to a machine at its start.
 *
 * Threads: a spec belongs to one thread while it is filled; different specs do not disturb each
 * other. */
#ifndef SPECHT_LOAD_H
#define SPECHT_LOAD_H

#include "specht/state.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where included files come from.  open gives the text of `name` as written under `include:` in
 * from_file, and the name under which messages and further includes know it (NULL: name itself);
 * release gives both blocks back.  A failing open leaves both NULL and says why in err. */
typedef struct sp_includer {
    sp_status (*open)(void *ctx, const char *from_file, const char *name, char **text, size_t *n,
                      char **resolved_name, sp_error *err);
    void (*release)(void *ctx, char *block);
    void *ctx;
} sp_includer;

/* Add a model file, or a text of n bytes named file_name, and all it includes to the spec. includer
 * may be NULL: files, relative to the including file.  SP_E_IO if the file itself cannot be read,
 * SP_E_INPUT with the first error and its place in err. */
SP_API sp_status sp_spec_load_file(sp_spec *spec, const char *path, sp_error *err);
SP_API sp_status sp_spec_load_text(sp_spec *spec, const char *file_name, const char *text, size_t n,
                                   const sp_includer *includer, sp_error *err);

/* Read a model file, apply n assignments "name=value" as `--set` does ("--output-step=2 ms" is
 * run.output_step, named so in messages), compile it and find its start.  *spec is what it was read
 * from, for sp_run_options.spec; spec, state and listener may be NULL.  SP_E_IO, SP_E_INPUT with
 * the first error and its place; *model, *spec and *state are NULL then. */
SP_API sp_status sp_model_load(const char *path, int n, const char *const *assignment,
                               const sp_listener *listener, sp_spec **spec, sp_model **model,
                               sp_state **state, sp_error *err);

#ifdef __cplusplus
}
#endif
#endif
