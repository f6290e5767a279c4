/* cli/study_plot.c - figures of studies: measures over the first parameter, with a curve for each
 * combination of the others; samples as a bifurcation diagram, up and down in two colours; how an
 * optimisation converged. */
#include "base/status.h"
#include "cli/study_report.h"
#include "io/plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A figure: which column. */
typedef struct figure {
    const sp_table *t;
    int column; /* of the measures or samples */
    bool samples;
} figure;

/* The first parameter of a point. */
static double first_of(const sp_table *t, uint64_t i)
{
    return t->parameter[i * (uint64_t)t->n_parameter];
}

/* Values of a measure; a blank line where the first parameter begins anew. */
static sp_status write_measure(void *ctx, FILE *f, sp_error *err)
{
    const figure *g = ctx;
    const sp_table *t = g->t;
    (void)err;
    fputs("unset key\n$data << END\n", f);
    for (uint64_t i = 0; i < t->n_point; i++) {
        const double value = t->measure[i * (uint64_t)t->n_measure + (uint64_t)g->column];
        const bool other = i > 0 && t->n_parameter > 1 &&
                           memcmp(t->parameter + i * (uint64_t)t->n_parameter + 1,
                                  t->parameter + (i - 1) * (uint64_t)t->n_parameter + 1,
                                  (size_t)(t->n_parameter - 1) * sizeof *t->parameter) != 0;
        if (other || !isfinite(value)) {
            fputs("\n", f);
        }
        if (isfinite(value)) {
            fprintf(f, "%.12g %.12g\n", first_of(t, i), value);
        }
    }
    fputs("END\nplot $data using 1:2 with linespoints pt 7 ps 0.35 lc rgb '#0072B2'\n", f);
    return SP_OK;
}

/* Samples over the first parameter; those of points where it falls in another colour. */
static sp_status write_samples(void *ctx, FILE *f, sp_error *err)
{
    const figure *g = ctx;
    const sp_table *t = g->t;
    (void)err;
    fputs("unset key\n$data << END\n", f);
    for (uint64_t i = 0; i < t->n_point; i++) {
        const bool falls = i + 1 < t->n_point ? first_of(t, i + 1) < first_of(t, i)
                                              : i > 0 && first_of(t, i) < first_of(t, i - 1);
        for (uint64_t k = t->offset[i]; k < t->offset[i + 1]; k++) {
            fprintf(f, "%.12g %.12g %s\n", first_of(t, i),
                    t->sample[k * (uint64_t)t->n_keep + (uint64_t)g->column],
                    falls ? "0xD55E00" : "0x0072B2");
        }
    }
    fputs("END\nplot $data using 1:2:3 with points pt 7 ps 0.2 lc rgb variable\n", f);
    return SP_OK;
}

/* The best so far over generations. */
static sp_status write_story(void *ctx, FILE *f, sp_error *err)
{
    const figure *g = ctx;
    (void)err;
    fprintf(f, "unset key\n$data << END\n%sEND\nplot $data using 1:2 with lines lc rgb '#0072B2'\n",
            g->t->story);
    return SP_OK;
}

/* "name [unit]", of plain numbers the name alone. */
static void label_of(const sp_table *t, int column, char *text, size_t size)
{
    const bool plain = strcmp(t->unit[column], "1") == 0;
    snprintf(text, size, plain ? "%s" : "%s [%s]", t->name[column], t->unit[column]);
}

/* One figure in a file. */
static sp_status draw(const sp_table *t, const char *stem, const char *format, int column,
                      bool quiet, sp_error *err)
{
    char path[4200], x[300], y[300], name[200];
    const int measure = column - t->n_parameter, sample = measure - t->n_measure;
    const bool optimum = column < 0;
    figure g = {.t = t, .column = sample >= 0 ? sample : measure, .samples = sample >= 0};
    sp_plot_options o = sp_plot_default();
    snprintf(name, sizeof name, "%s", optimum ? "convergence" : t->name[column]);
    for (char *c = name; *c; c++) { /* what file names should not hold */
        *c = strchr("/'\\ *()^", *c) ? '_' : *c;
    }
    snprintf(path, sizeof path, "%s_%s.%s", stem, name, format);
    label_of(t, 0, x, sizeof x);
    label_of(t, optimum ? 0 : column, y, sizeof y);
    o.format = format;
    o.x_label = optimum ? "generation" : x;
    o.y_label = optimum ? "best" : y;
    SP_TRY(sp_plot_draw(path, &o,
                        optimum     ? write_story
                        : g.samples ? write_samples
                                    : write_measure,
                        &g, err));
    if (!quiet) {
        printf("%s\n", path);
    }
    return SP_OK;
}

sp_status sp_table_plot(const sp_table *t, const char *stem, const char *format, bool quiet,
                        sp_error *err)
{
    const int n = t->n_parameter + t->n_measure + t->n_keep;
    if (strcmp(t->kind, "optimize") == 0) {
        return draw(t, stem, format, -1, quiet, err);
    }
    if (t->n_parameter < 1) {
        return SP_FAIL(err, SP_E_INPUT, "the study varies nothing that could be drawn over");
    }
    for (int k = t->n_parameter; k < n; k++) {
        SP_TRY(draw(t, stem, format, k, quiet, err));
    }
    return SP_OK;
}
