/* io/plot_data.h - the points of a curve, as many of them as the eye can distinguish. */
#ifndef SP_IO_PLOT_DATA_H
#define SP_IO_PLOT_DATA_H

#include "specht/result.h"

#include <stdio.h>

typedef struct sp_plot_range {
    double x_min, x_max, y_min, y_max; /* of the finite points               */
    size_t n;                          /* finite points                      */
    size_t n_drawn;                    /* points written                     */
    bool rising;                       /* x never falls                      */
} sp_plot_range;

/* Look at a curve: channels x and y of a result. */
sp_status sp_plot_look(sp_result *result, int x, int y, sp_plot_range *range, sp_error *err);

/* Write its points, one per line, a blank line where it is broken by a number that is none.  Long
 * curves lose only what cannot be seen: where x rises, every column of a fine raster keeps its
 * first, lowest, highest and last point; else points are left out that lie within a fraction of a
 * dot of the one before. */
sp_status sp_plot_points(sp_result *result, int x, int y, sp_plot_range *range, FILE *file,
                         sp_error *err);

#endif
