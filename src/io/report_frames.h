/* io/report_frames.h - which frames of a long run are shown, and their numbers.
 *
 * Up to three eighths of at most 'most' frames are those around events, up to a quarter the
 * extremes of the watched channels in equal parts of the run, up to an eighth the extremes of all
 * others over the whole run, the rest evenly spread.  Every frame shown is a frame recorded. */
#ifndef SP_IO_REPORT_FRAMES_H
#define SP_IO_REPORT_FRAMES_H

#include "io/result_read.h"

typedef struct sp_frames {
    size_t n;
    size_t *index; /* n, rising */
    bool all;      /* every frame that there is               */
    bool events;   /* with the frames around every event      */
} sp_frames;

/* Choose; of channels that are watched the first are the most important.  Free with
 * sp_frames_free. */
sp_status sp_frames_choose(sp_result *result, size_t most, int n_watched, const int *watched,
                           sp_frames *frames, sp_error *err);
void sp_frames_free(sp_frames *frames);

/* Columns of a dataset at the chosen frames, value[frame * n_column + k]. */
sp_status sp_frames_gather(sp_result *result, const sp_frames *frames, int set, size_t n_column,
                           const size_t *column, double *value, sp_error *err);

#endif
