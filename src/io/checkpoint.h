/* io/checkpoint.h - files that a run can be resumed from: the state to the bit, and where the run
 * stands.  Written whole beside their name and renamed, so that a kill leaves the one before. */
#ifndef SP_IO_CHECKPOINT_H
#define SP_IO_CHECKPOINT_H

#include "model/state.h"

/* What a file holds: a packed state (sp_state_pack) and behind it what the method remembers; about,
 * what else the run needs. */
typedef struct sp_checkpoint {
    const unsigned char *memory;
    size_t n_memory; /* sp_state_bytes at least */
    const void *about;
    size_t n_about;
} sp_checkpoint;

/* SP_E_IO with the reason. */
sp_status sp_checkpoint_write(const char *path, const sp_checkpoint *c, sp_error *err);

/* State, memory and about (n_about bytes) of a run; the caller frees *memory.  SP_E_IO if the
 * file cannot be read or is no whole checkpoint, SP_E_INPUT if it is one of another model; x and
 * about are then as before and *memory is NULL. */
sp_status sp_checkpoint_read(const char *path, const sp_model *m, sp_state *x, void *about,
                             size_t n_about, unsigned char **memory, size_t *n_memory,
                             sp_error *err);

#endif
