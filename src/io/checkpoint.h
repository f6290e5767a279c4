/* io/checkpoint.h - files that a run can be resumed from: the state to the bit, and where the run
 * stands.  Written whole beside their name and renamed, so that a kill leaves the one before. */
#ifndef SP_IO_CHECKPOINT_H
#define SP_IO_CHECKPOINT_H

#include "model/snapshot.h"

/* about: what else the run needs, n bytes.  SP_E_IO with the reason. */
sp_status sp_checkpoint_write(const char *path, const sp_model *m, const sp_state *x,
                              const void *about, size_t n, sp_error *err);

/* State and about of a run.  SP_E_IO, or SP_E_INPUT if the file is no checkpoint of this model; x
 * and about are then as before. */
sp_status sp_checkpoint_read(const char *path, const sp_model *m, sp_state *x, void *about,
                             size_t n, sp_error *err);

#endif
