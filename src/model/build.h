/* model/build.h - the model compiler: a spec becomes the immutable sp_model. */
#ifndef SP_MODEL_BUILD_H
#define SP_MODEL_BUILD_H

#include "base/diag.h"
#include "model/model.h"
#include "model/spec.h"

enum {
    SP_BUILD_BODY_MAX = 1000000, /* bodies, forces, contacts of a model, each */
    SP_BUILD_SLOT_MAX = 1000000  /* contact points of a model                 */
};

/* Compile spec and put every error of it, structure and meaning, into diag.  SP_OK, or SP_E_INPUT
 * or SP_E_MEMORY with *model NULL.  The model owns all it points to; the places of messages point
 * to file names of the spec. */
sp_status sp_model_compile(const sp_spec *spec, const sp_allocator *allocator, sp_model **model,
                           sp_diag *diag);

#endif
