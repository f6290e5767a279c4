/* specht/model.h - a machine, compiled from its description.
 *
 * Threads: a model does not change once it is built, and all functions that read it may be called
 * from any thread at once. */
#ifndef SPECHT_MODEL_H
#define SPECHT_MODEL_H

#include "specht/base.h"
#include "specht/spec.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sp_model sp_model; /* the machine: immutable once built, shared by all threads */

/* Compile spec.  On failure *model is NULL and err holds the first error. */
SP_API sp_status sp_model_build(const sp_spec *spec, const sp_allocator *allocator,
                                sp_model **model, sp_error *err);
/* Read a model file, apply n assignments "name=value" as `--set` does, and compile it.  *spec is
 * what it was read from, for sp_run_options.spec; spec may be NULL.  SP_E_IO, SP_E_INPUT with the
 * first error and its place; *model and *spec are NULL then. */
SP_API sp_status sp_model_load(const char *path, int n, const char *const *assignment,
                               sp_spec **spec, sp_model **model, sp_error *err);
SP_API void sp_model_free(sp_model *model); /* NULL is allowed */

/* Sizes and names; an index out of range gives NULL. */
SP_API const char *sp_model_name(const sp_model *model);
SP_API int sp_model_n_body(const sp_model *model); /* with the ground */
SP_API int sp_model_n_dof(const sp_model *model);  /* velocities */
SP_API int sp_model_n_q(const sp_model *model);    /* coordinates, in space more than velocities */
SP_API int sp_model_n_contact(const sp_model *model); /* contact points that may close */
SP_API const char *sp_model_body_name(const sp_model *model, int i);
SP_API const char *sp_model_dof_name(const sp_model *model, int i);
SP_API const char *sp_model_contact_name(const sp_model *model, int i);

#ifdef __cplusplus
}
#endif
#endif
