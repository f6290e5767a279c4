/* cli/study_plot.c - which figures a study has: measures and samples over the first parameter,
 * sections, basins, sensitivities, spectra, how an optimisation converged. */
#include "base/status.h"
#include "cli/study_figures.h"
#include "cli/study_report.h"
#include "io/plot.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Where figures go. */
typedef struct album {
    const sp_table *t;
    const char *stem, *format;
    bool quiet;
} album;

typedef sp_status (*writer)(void *figure, FILE *f, sp_error *err);

/* One figure in a file. */
static sp_status draw(const album *a, const char *name, const char *x, const char *y, writer write,
                      const sp_figure *figure, sp_error *err)
{
    char path[4200], end[200];
    sp_figure g = *figure;
    sp_plot_options o = sp_plot_default();
    g.t = a->t;
    snprintf(end, sizeof end, "%s", name);
    for (char *c = end; *c; c++) { /* what file names should not hold */
        *c = isalnum((unsigned char)*c) || strchr("._-+", *c) ? *c : '_';
    }
    snprintf(path, sizeof path, "%s_%s.%s", a->stem, end, a->format);
    o.format = a->format;
    o.x_label = x;
    o.y_label = y;
    SP_TRY(sp_plot_draw(path, &o, write, &g, err));
    if (!a->quiet) {
        printf("%s\n", path);
    }
    return SP_OK;
}

/* Column k of points and samples as a label. */
static void label_of(const sp_table *t, int k, char *text, size_t size)
{
    sp_figure_label(t->name[k], t->unit[k], text, size);
}

/* Measures, then samples, each over the first parameter. */
static sp_status draw_columns(const album *a, sp_error *err)
{
    const sp_table *t = a->t;
    const int first = t->n_parameter, keep = first + t->n_measure;
    char x[300], y[300];
    label_of(t, 0, x, sizeof x);
    const int n_keep = t->offset[t->n_point] > 0 ? t->n_keep : 0;
    for (int k = first; k < keep + n_keep; k++) {
        const sp_figure g = {.column = k < keep ? k - first : k - keep};
        if (k < keep && !sp_figure_has_any(t, k - first)) {
            continue;
        }
        label_of(t, k, y, sizeof y);
        SP_TRY(
            draw(a, t->name[k], x, y, k < keep ? sp_figure_measure : sp_figure_samples, &g, err));
    }
    return SP_OK;
}

/* A section with room for the numbers below it. */
static sp_status write_section(void *figure, FILE *f, sp_error *err)
{
    const sp_table *t = ((const sp_figure *)figure)->t;
    double low = INFINITY, high = -INFINITY;
    for (uint64_t k = 0; k < t->offset[t->n_point]; k++) {
        low = fmin(low, t->sample[k * (uint64_t)t->n_keep]);
        high = fmax(high, t->sample[k * (uint64_t)t->n_keep]);
    }
    sp_plot_tics(f, low, high);
    return sp_figure_section(figure, f, err);
}

/* The first two sampled values. */
static sp_status draw_section(const album *a, sp_error *err)
{
    const sp_table *t = a->t;
    const int keep = t->n_parameter + t->n_measure;
    char x[300], y[300];
    if (t->n_keep < 2 || t->offset[t->n_point] == 0) {
        return SP_OK;
    }
    label_of(t, keep, x, sizeof x);
    label_of(t, keep + 1, y, sizeof y);
    return draw(a, "section", x, y, write_section, &(sp_figure){.column = 0}, err);
}

/* Attractors over the first two parameters. */
static sp_status draw_basin(const album *a, sp_error *err)
{
    char x[300], y[300];
    if (a->t->n_parameter < 2) {
        return draw_columns(a, err);
    }
    label_of(a->t, 0, x, sizeof x);
    label_of(a->t, 1, y, sizeof y);
    return draw(a, "basin", x, y, sp_figure_basin, &(sp_figure){.column = 0}, err);
}

/* What was concluded from all points. */
static sp_status draw_parts(const album *a, sp_error *err)
{
    char x[300], y[300];
    for (int k = 0; k < a->t->n_part; k++) {
        const sp_table_part *p = &a->t->part[k];
        if (strncmp(p->name, "sensitivity_", 12) == 0) {
            SP_TRY(
                draw(a, p->name, "", p->name + 12, sp_figure_bars, &(sp_figure){.part = p}, err));
        }
        for (int c = 2; strcmp(p->name, "spectrum") == 0 && c < p->n_column; c++) {
            char name[200];
            snprintf(name, sizeof name, "spectrum_%s", p->column[c]);
            sp_figure_label(p->column[1], p->unit[1], x, sizeof x);
            sp_figure_label(p->column[c], p->unit[c], y, sizeof y);
            SP_TRY(
                draw(a, name, x, y, sp_figure_spectrum, &(sp_figure){.part = p, .column = c}, err));
        }
    }
    return SP_OK;
}

/* Whether points left tables of that name. */
static const sp_table_left *find_left(const sp_table *t, const char *name)
{
    for (int k = 0; k < t->n_left; k++) {
        if (strcmp(t->left[k].name, name) == 0) {
            return &t->left[k];
        }
    }
    return NULL;
}

/* Orbits and branches. */
static sp_status draw_orbits(const album *a, sp_error *err)
{
    const sp_table *t = a->t;
    const sp_table_left *branch = find_left(t, "orbits");
    if (branch || find_left(t, "multipliers")) {
        SP_TRY(draw(a, "multipliers", "real part", "imaginary part", sp_figure_circle,
                    &(sp_figure){.column = 0}, err));
    }
    for (uint64_t c = 0; branch && c + SP_BRANCH_MEASURES < branch->n_column; c++) {
        char y[300], name[300];
        const int k = t->n_parameter + (int)c;
        label_of(t, k, y, sizeof y);
        snprintf(name, sizeof name, "branches_%.250s", t->name[k]);
        const sp_figure g = {.column = SP_BRANCH_MEASURES + (int)c};
        SP_TRY(draw(a, name, t->along, y, sp_figure_branches, &g, err));
    }
    return SP_OK;
}

sp_status sp_table_plot(const sp_table *t, const char *stem, const char *format, bool quiet,
                        sp_error *err)
{
    const album a = {.t = t, .stem = stem, .format = format, .quiet = quiet};
    const sp_figure none = {.column = 0};
    const bool basin = strcmp(t->kind, "basin") == 0, optimum = strcmp(t->kind, "optimize") == 0;
    const bool sensitivity = strcmp(t->kind, "sensitivity") == 0;
    const bool columns = !basin && !optimum && !sensitivity && t->n_parameter > 0;
    if (t->n_parameter < 1 && t->n_part == 0 && t->n_left == 0) {
        return SP_FAIL(err, SP_E_INPUT, "the study varies nothing that could be drawn over");
    }
    if (optimum) {
        SP_TRY(draw(&a, "convergence", "generation", "best", sp_figure_story, &none, err));
    }
    SP_TRY(basin ? draw_basin(&a, err) : SP_OK);
    SP_TRY(columns ? draw_columns(&a, err) : SP_OK);
    SP_TRY(draw_orbits(&a, err));
    SP_TRY(draw_section(&a, err));
    SP_TRY(draw_parts(&a, err));
    if (!basin && t->n_parameter > 1 && t->n_measure > 0 && t->n_parameter + t->n_measure > 2) {
        SP_TRY(draw(&a, "parallel", "", "", sp_figure_parallel, &none, err));
    }
    return SP_OK;
}
