/* model/snapshot.h - a whole state as bytes, and back to the bit. */
#ifndef SP_MODEL_SNAPSHOT_H
#define SP_MODEL_SNAPSHOT_H

#include "model/spec.h"
#include "model/state.h"

/* A number that identifies what a model is made of beside its main file: included texts, as far as
 * they describe the machine (model/source_lines.h), and the triangles of meshes. */
uint64_t sp_spec_fingerprint(const sp_spec *spec);

/* A number that identifies a model: structure, names, numbers, the text of the main file, as far as
 * it describes the machine, and all other files. */
uint64_t sp_model_fingerprint(const sp_model *m);

#endif
