/* cli/study_figures.h - figures of studies for gnuplot: each writes "plot ..." with its data. */
#ifndef SP_CLI_STUDY_FIGURES_H
#define SP_CLI_STUDY_FIGURES_H

#include "specht/study.h"

#include <stdbool.h>
#include <stdio.h>

/* What is drawn. */
typedef struct sp_figure {
    const sp_table *t;
    const sp_table_part *part;
    int column; /* of measures, samples, or of the part */
} sp_figure;

/* Measures over the first parameter; samples over it; how an optimisation converged. */
sp_status sp_figure_measure(void *figure, FILE *f, sp_error *err);
sp_status sp_figure_samples(void *figure, FILE *f, sp_error *err);
sp_status sp_figure_story(void *figure, FILE *f, sp_error *err);

/* The first two sampled values as a section; the attractors over the first two parameters. */
sp_status sp_figure_section(void *figure, FILE *f, sp_error *err);
sp_status sp_figure_basin(void *figure, FILE *f, sp_error *err);

/* Bars of a sensitivity; a line for each point through all its numbers. */
sp_status sp_figure_bars(void *figure, FILE *f, sp_error *err);
sp_status sp_figure_parallel(void *figure, FILE *f, sp_error *err);

/* Multipliers of orbits and the unit circle; column `column` of branches over their parameter,
 * dashed where orbits are unstable. */
sp_status sp_figure_circle(void *figure, FILE *f, sp_error *err);
sp_status sp_figure_branches(void *figure, FILE *f, sp_error *err);

/* Columns of the orbits of branches before the measures. */
enum {
    SP_BRANCH_NUMBER,
    SP_BRANCH_SPECIAL,
    SP_BRANCH_PARAMETER,
    SP_BRANCH_PERIOD,
    SP_BRANCH_UNSTABLE,
    SP_BRANCH_SIZE,
    SP_BRANCH_RE,
    SP_BRANCH_IM,
    SP_BRANCH_MEASURES
};

/* The spectrum of one point, or spectra one behind the other. */
sp_status sp_figure_spectrum(void *figure, FILE *f, sp_error *err);

/* Whether points stand on a grid, so that they may be joined by lines. */
bool sp_figure_is_grid(const sp_table *t);

/* Whether any point has a finite number in a column of measures. */
bool sp_figure_has_any(const sp_table *t, int column);

/* "name [unit]", of plain numbers the name alone. */
void sp_figure_label(const char *name, const char *unit, char *text, size_t size);

#endif
