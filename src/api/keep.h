/* api/keep.h - checkpoints of a run beside its result. */
#ifndef SP_API_KEEP_H
#define SP_API_KEEP_H

#include "io/result_write.h"
#include "run/run.h"

typedef struct sp_keep {
    const sp_model *model;
    const sp_state *state;
    const sp_run_options *options;
    char *file;               /* of the checkpoints, NULL: none wanted  */
    sp_result_writer *writer; /* of the frames, flushed before each     */
    sp_run_progress progress; /* where the run stands                   */
    unsigned char *room;      /* for a packed state                     */
    double saved;             /* wall clock of the last checkpoint, s   */
} sp_keep;

/* Keep checkpoints in RESULT.checkpoint; model, state and options are set. */
sp_status sp_keep_begin(sp_keep *k, sp_error *err);

/* Saves now and then, at frames. */
sp_observer sp_keep_observer(sp_keep *k);

/* The last checkpoint, where the run ended; nothing where none are kept. */
sp_status sp_keep_end(sp_keep *k, sp_error *err);
void sp_keep_free(sp_keep *k);

#endif
