/* io/load_meshes.h - mesh files that the contours of a model name. */
#ifndef SP_IO_LOAD_MESHES_H
#define SP_IO_LOAD_MESHES_H

#include "model/spec.h"
#include "specht/load.h"

/* Read the files named by `polytope` and `mesh` of the contours, each once, into spec->first_mesh;
 * what is wrong is added to diag.  SP_OK, or SP_E_MEMORY, SP_E_INPUT after errors. */
sp_status sp_load_meshes(sp_spec *spec, const sp_includer *includer, sp_diag *diag);

#endif
