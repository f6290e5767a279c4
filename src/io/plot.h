/* io/plot.h - figures of results, drawn by gnuplot.
 *
 * Time histories and phase portraits with any number of curves from any number of results, as SVG,
 * PDF or PNG.  gnuplot runs as a program of its own; names and titles are shown as they are, none
 * of their signs means anything to it. */
#ifndef SP_IO_PLOT_H
#define SP_IO_PLOT_H

#include "specht/result.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct sp_plot_curve {
    sp_result *result;
    const char *x, *y;  /* channels; x NULL: time                          */
    const char *legend; /* NULL: name of the channel, with the file's name
                           where several results are drawn                 */
} sp_plot_curve;

typedef struct sp_plot_options {
    const char *format;            /* "svg", "pdf", "png"; NULL: by the file's ending      */
    const char *title;             /* NULL: none                                           */
    const char *x_label, *y_label; /* NULL: from the names and units of the channels       */
    bool equal;                    /* axes to the same scale                               */
    double width, height;          /* cm                                                   */
    const char *program;           /* gnuplot, found in PATH unless it holds a '/'         */
} sp_plot_options;

sp_plot_options sp_plot_default(void);

/* Draw n curves into one figure.  An older file of that name is replaced only by a whole figure. */
sp_status sp_plot_write(const char *path, const sp_plot_options *options, int n,
                        const sp_plot_curve *curve, sp_error *err);

/* Draw what a function writes for gnuplot, "plot ..." with its data, behind terminal, frame and
 * labels. */
sp_status sp_plot_draw(const char *path, const sp_plot_options *options,
                       sp_status (*write)(void *ctx, FILE *script, sp_error *err), void *ctx,
                       sp_error *err);

/* Give numbers on the x axis that are long to write (0.00015, 2e-14) room: few of them, 1, 2 or 5
 * times a power of ten apart. */
void sp_plot_tics(FILE *f, double x_min, double x_max);

/* Draw a plot that the model asks for, by its name, with the curves of all results in one figure;
 * names come from the first result.  A title in the options goes before the preset's own. */
sp_status sp_plot_write_preset(const char *path, const sp_plot_options *options, const char *name,
                               int n_result, sp_result *const *result, sp_error *err);

#endif
