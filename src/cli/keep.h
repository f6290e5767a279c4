/* cli/keep.h - checkpoints of a run beside its result, and going on from them. */
#ifndef SP_CLI_KEEP_H
#define SP_CLI_KEEP_H

#include "cli/machine.h"
#include "cli/options.h"
#include "io/result_write.h"

typedef struct sp_keep {
    const sp_machine *machine;
    sp_run_options *options;
    char *file;                      /* of the checkpoints, NULL: none wanted  */
    sp_result_writer *writer;        /* of the frames, flushed before each     */
    sp_run_progress progress, begin; /* where the run stands, and stood        */
    unsigned char *state;            /* room for a packed state                */
    unsigned char *memory;           /* of the run that is resumed             */
    double saved;                    /* wall clock of the last checkpoint, s   */
} sp_keep;

/* Keep checkpoints in RESULT.checkpoint. */
sp_status sp_keep_begin(sp_keep *k, const char *result, sp_error *err);

/* The settings of the run that wrote `result` that `set` leaves out, those of section 'run' apart:
 * "mu=0.02", in `arena`; none where the result cannot be read.  false: no memory. */
bool sp_keep_settings(const char *result, const sp_texts *set, sp_arena *arena, sp_texts *kept);

/* Go on from RESULT.checkpoint: state and options are made ready.  SP_E_IO or SP_E_INPUT with the
 * reason. */
sp_status sp_keep_resume(sp_keep *k, const char *result, sp_error *err);

/* Saves now and then, at frames. */
sp_observer sp_keep_observer(sp_keep *k);

/* The last checkpoint, where the run ended; nothing where none are kept. */
sp_status sp_keep_end(sp_keep *k, sp_error *err);
void sp_keep_free(sp_keep *k);

#endif
