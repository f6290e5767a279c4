/* specht/spec.h - the description of a machine before it is compiled: what a model file says.
 *
 * A spec is a tree of maps, lists and texts, filled from a model file (specht/load.h) or leaf by
 * leaf from C.  A path names a leaf by the keys above it, joined with dots:
 *
 *     sp_spec_set(spec, "bodies.crank.mass", "38 g", &err);
 *     sp_spec_set(spec, "start.crank.omega", "150 rad/s", &err);
 *
 * Items of a list count from 1 ("gravity.2"), and one past the last adds an item.  Keys of a map
 * may contain dots themselves: the longest key that is there wins, below `start` the rest of the
 * path is one key, and elsewhere such a key is put in double quotes ("a.\"b.c\".d"). */
#ifndef SPECHT_SPEC_H
#define SPECHT_SPEC_H

#include "specht/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sp_spec sp_spec; /* not to be shared between threads while it is written */

/* An empty spec; allocator may be NULL (malloc).  NULL if there is no memory. */
SP_API sp_spec *sp_spec_new(const sp_allocator *allocator);
SP_API void sp_spec_free(sp_spec *spec); /* NULL is allowed */

/* Set a leaf to a text, a list of texts or a number (17 significant digits); missing maps above it
 * are made, a text or list that is there is replaced, a map is not (SP_E_INPUT). */
SP_API sp_status sp_spec_set(sp_spec *spec, const char *path, const char *text, sp_error *err);
SP_API sp_status sp_spec_set_list(sp_spec *spec, const char *path, int n, const char *const *text,
                                  sp_error *err);
SP_API sp_status sp_spec_set_number(sp_spec *spec, const char *path, double value, sp_error *err);

/* Apply "name=value" as `--set` does, after all files are loaded.  A name without dots is a
 * parameter or a top-level leaf; a path must lead to a leaf, which may be new in a map that exists
 * (`run` and `start` need not).  A value in [ ] is a list.  SP_E_INPUT suggests near names. */
SP_API sp_status sp_spec_override(sp_spec *spec, const char *assignment, sp_error *err);

/* Text of a leaf, NULL if the path leads nowhere, to a map or to a list. */
SP_API const char *sp_spec_get(const sp_spec *spec, const char *path);

#ifdef __cplusplus
}
#endif
#endif
