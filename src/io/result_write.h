/* io/result_write.h - the file of a run while it is written.
 *
 * HDF5 in SWMR mode: frames and events are gathered in memory, written in whole blocks and flushed
 * by wall clock, so that a killed run leaves a file that is good up to its last flush.  The file
 * comes under its own name only with the first frame; a run that fails before leaves an older
 * result untouched. */
#ifndef SP_IO_RESULT_WRITE_H
#define SP_IO_RESULT_WRITE_H

#include "record/record.h"
#include "specht/spec.h"

typedef struct sp_result_writer sp_result_writer;

/* How the run is made, kept in the file.  Texts may be NULL. */
typedef struct sp_result_meta {
    const char *method;        /* "moreau"                                       */
    const char *asked;         /* "auto"; NULL: the same                         */
    const char *command;       /* command line as typed                          */
    double step, tolerance;    /* s, 1                                           */
    double until, output_step; /* s; they only guess the number of frames        */
    double flush_interval;     /* s of wall clock between flushes, 0: 0.2 s, < 0: every frame */
    const sp_spec *spec;       /* the files it was read from are kept; NULL: none are         */
} sp_result_meta;

/* Open path for writing, under a temporary name beside it until the first frame is there. */
sp_status sp_result_create(const char *path, const sp_model *m, const sp_result_meta *meta,
                           sp_result_writer **writer, sp_error *err);

/* Where the values of the measures are put before the file is closed: n_measure numbers. */
double *sp_result_measures(sp_result_writer *writer);

/* The observer that writes what it sees: sampled frames and all events. */
sp_observer sp_result_observer(sp_result_writer *writer);

/* Write what is left, note how the run ended and close; writer is freed in every case.  message:
 * why it failed, may be NULL; doubt: SP_DOUBT_N of them, NULL: none.  A writer without a single
 * frame leaves nothing behind. */
sp_status sp_result_close(sp_result_writer *writer, sp_status ended, const char *message,
                          const sp_doubt *doubt, sp_error *err);

/* Give all that was observed to the operating system now: a checkpoint must not be ahead of the
 * frames. */
sp_status sp_result_flush(sp_result_writer *writer, sp_error *err);

/* Frames and events that a kill could not take any more. */
size_t sp_result_flushed_frames(const sp_result_writer *writer);

#endif
