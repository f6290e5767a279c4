/* io/csv.h - channels of a result as comma-separated values. */
#ifndef SP_IO_CSV_H
#define SP_IO_CSV_H

#include "specht/result.h"

#include <stdio.h>

/* Some of the frames of a result. */
typedef struct sp_csv_frames {
    size_t first, n;
} sp_csv_frames;

/* Write the header "t[s],name[unit],..." and one line per frame (NULL: all), numbers with 17
 * digits. names: n channels, none: all of them.  The time comes first, whether asked for or not. */
sp_status sp_csv_write(sp_result *result, FILE *file, int n, const char *const *names,
                       const sp_csv_frames *frames, sp_error *err);

/* The frame nearest to t.  SP_E_INPUT, with the times there are, if t is none of the run's. */
sp_status sp_csv_frame_at(sp_result *result, double t, size_t *frame, sp_error *err);

#endif
