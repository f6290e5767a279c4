/* cli/study_figures.c - see study_figures.h; colours are those of Okabe and Ito (2008). */
#define _POSIX_C_SOURCE 200809L
#include "cli/study_figures.h"

#include "base/status.h"
#include "cli/talk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLOURS = 8, LINES_MAX = 1000, CURVES_MAX = 40 };
static const char *const colour[COLOURS] = {"0072B2", "E69F00", "009E73", "CC79A7",
                                            "56B4E9", "D55E00", "F0E442", "808080"};

/* ---- helpers ----------------------------------------------------------------------------------
 */

/* The first parameter of a point. */
static double first_of(const sp_table *t, uint64_t i)
{
    return t->parameter[i * (uint64_t)t->n_parameter];
}

static double measure_of(const sp_table *t, uint64_t i, int k)
{
    return t->measure[i * (uint64_t)t->n_measure + (uint64_t)k];
}

void sp_figure_label(const char *name, const char *unit, char *text, size_t size)
{
    snprintf(text, size, strcmp(unit, "1") == 0 ? "%s" : "%s [%s]", name, unit);
}

/* Where points come again with the first parameter in the opposite order, n_point: nowhere. */
static uint64_t turn_of(const sp_table *t)
{
    const uint64_t n = t->n_point, i = n / 2;
    const bool turns = t->n_parameter > 0 && n > 2 && n % 2 == 0 &&
                       first_of(t, i) == first_of(t, i - 1) &&
                       first_of(t, n - 1) == first_of(t, 0) && first_of(t, i) != first_of(t, 0);
    return turns ? i : n;
}

/* Whether a curve begins at a point: its parameters but for the first are others, or it is the
 * first on the way back. */
static bool is_other_curve(const sp_table *t, uint64_t i)
{
    const uint64_t n = (uint64_t)t->n_parameter;
    return i > 0 && (i == turn_of(t) ||
                     (n > 1 && memcmp(t->parameter + i * n + 1, t->parameter + (i - 1) * n + 1,
                                      (size_t)(n - 1) * sizeof *t->parameter) != 0));
}

/* How many points there are before they come again, as with repeats; all: they do not. */
static uint64_t points_once(const sp_table *t)
{
    const uint64_t n = (uint64_t)t->n_parameter;
    for (uint64_t p = 1; 2 * p <= t->n_point && n > 0; p++) {
        if (t->n_point % p == 0 &&
            memcmp(t->parameter, t->parameter + p * n,
                   (size_t)((t->n_point - p) * n) * sizeof *t->parameter) == 0) {
            return p;
        }
    }
    return t->n_point;
}

bool sp_figure_is_grid(const sp_table *t)
{
    uint64_t turns = 0, others = 0;
    const uint64_t n_point = points_once(t);
    for (uint64_t i = 2; i < n_point; i++) {
        const double a = first_of(t, i - 1) - first_of(t, i - 2),
                     b = first_of(t, i) - first_of(t, i - 1);
        turns += a * b < 0.0;
        others += is_other_curve(t, i);
    }
    const bool in_order = turns <= 2 * others + 1 && 2 * others < n_point;
    return in_order || 8 * turns < n_point;
}

/* ---- over the first parameter ------------------------------------------------------------------
 */

/* The other parameters of a point, of those that vary between the curves: "n = 2, F = 50". */
static void put_title(FILE *f, const sp_table *t, uint64_t i)
{
    const char *comma = "";
    for (int k = 1; k < t->n_parameter; k++) {
        const uint64_t n = (uint64_t)t->n_parameter, at = (uint64_t)k;
        bool varies = false;
        for (uint64_t j = 0; j < t->n_point; j++) {
            varies = varies || t->parameter[j * n + at] != t->parameter[at];
        }
        if (varies) {
            const char *unit = strcmp(t->unit[k], "1") == 0 ? "" : t->unit[k];
            fprintf(f, "%s%s = %.6g%s%s", comma, t->name[k], t->parameter[i * n + at],
                    *unit ? " " : "", unit);
            comma = ", ";
        }
    }
    if (turn_of(t) < t->n_point) {
        const bool back = i >= turn_of(t), up = first_of(t, turn_of(t)) > first_of(t, 0);
        fprintf(f, "%s%s", comma, back != up ? "up" : "down");
    }
}

/* "plot ..." of the blocks of $data: a colour and a title for each if they are few; of repeats a
 * line through their means. */
static void put_curves(FILE *f, const sp_table *t, uint64_t once, int n_curve)
{
    const char *const mean = once < t->n_point ? "smooth unique " : "";
    const bool lines = sp_figure_is_grid(t), few = lines && n_curve > 1 && n_curve <= COLOURS;
    if (!few) {
        fprintf(
            f,
            "unset key\nplot %s%s%s$data using 1:2:3 with points pt variable ps %s lc rgb '#%s'\n",
            lines ? "$data using 1:2 " : "", lines ? mean : "",
            lines ? "with lines lc rgb '#0072B2', " : "", lines ? "0.35" : "0.25", colour[0]);
        return;
    }
    fputs("set key above center horizontal Left reverse samplen 2.5 spacing 1.1 maxcols 4 "
          "noenhanced\nplot ",
          f);
    for (uint64_t i = 0, n = 0; i < once; i++) {
        if (i == 0 || is_other_curve(t, i)) {
            fprintf(f, "$data index %d using 1:2 %swith lines lw 1.5 lc rgb '#%s' title \"", (int)n,
                    mean, colour[n]);
            put_title(f, t, i);
            fprintf(f,
                    "\", $data index %d using 1:2:3 with points pt variable ps 0.35 lc rgb '#%s' "
                    "notitle%s",
                    (int)n, colour[n], (int)n + 1 < n_curve ? ", " : "\n");
            n++;
        }
    }
}

bool sp_figure_has_any(const sp_table *t, int column)
{
    for (uint64_t i = 0; i < t->n_point; i++) {
        if (isfinite(measure_of(t, i, column))) {
            return true;
        }
    }
    return false;
}

/* Two blank lines where the first parameter begins anew; points that did not settle are hollow. */
sp_status sp_figure_measure(void *figure, FILE *f, sp_error *err)
{
    const sp_figure *g = figure;
    const sp_table *t = g->t;
    const uint64_t once = points_once(t);
    int n_curve = 1;
    (void)err;
    fputs("$data << END\n", f);
    for (uint64_t i = 0; i < once; i++) {
        if (is_other_curve(t, i)) {
            fputs("\n\n", f);
            n_curve++;
        }
        for (uint64_t k = i; k < t->n_point; k += once) {
            const double value = measure_of(t, k, g->column);
            if (isfinite(value)) {
                fprintf(f, "%.12g %.12g %d\n", first_of(t, k), value,
                        t->status[k] == SP_POINT_UNSETTLED ? 6 : 7);
            } else {
                fprintf(f, "%.12g NaN 7\n", first_of(t, k)); /* parts the line, keeps the block */
            }
        }
    }
    fputs("END\n", f);
    put_curves(f, t, once, n_curve);
    return SP_OK;
}

/* Those on the way back in another colour. */
sp_status sp_figure_samples(void *figure, FILE *f, sp_error *err)
{
    const sp_figure *g = figure;
    const sp_table *t = g->t;
    const uint64_t turn = turn_of(t);
    (void)err;
    fputs("unset key\n$data << END\n", f);
    for (uint64_t i = 0; i < t->n_point; i++) {
        for (uint64_t k = t->offset[i]; k < t->offset[i + 1]; k++) {
            fprintf(f, "%.12g %.12g %s\n", first_of(t, i),
                    t->sample[k * (uint64_t)t->n_keep + (uint64_t)g->column],
                    i >= turn ? "0xD55E00" : "0x0072B2");
        }
    }
    fputs("END\nplot $data using 1:2:3 with points pt 7 ps 0.2 lc rgb variable\n", f);
    return SP_OK;
}

/* The best so far over generations. */
sp_status sp_figure_story(void *figure, FILE *f, sp_error *err)
{
    const sp_figure *g = figure;
    (void)err;
    fprintf(f, "unset key\n$data << END\n%sEND\nplot $data using 1:2 with lines lc rgb '#0072B2'\n",
            g->t->story);
    return SP_OK;
}

/* ---- sections and basins -----------------------------------------------------------------------
 */

sp_status sp_figure_section(void *figure, FILE *f, sp_error *err)
{
    const sp_figure *g = figure;
    const sp_table *t = g->t;
    const bool many = t->n_point > 1 && t->n_parameter > 0;
    (void)err;
    fputs("unset key\n$data << END\n", f);
    for (uint64_t i = 0; i < t->n_point; i++) {
        for (uint64_t k = t->offset[i]; k < t->offset[i + 1]; k++) {
            const double *x = t->sample + k * (uint64_t)t->n_keep;
            fprintf(f, "%.12g %.12g %.12g\n", x[0], x[1], many ? first_of(t, i) : 0.0);
        }
    }
    fputs("END\n", f);
    if (many) {
        fputs("set palette defined (0 '#0072B2', 0.5 '#CCCCCC', 1 '#D55E00')\nset cblabel ", f);
        sp_cli_put_quoted(f, t->name[0]);
        fputs(" noenhanced\n", f);
    }
    fprintf(f, "plot $data using 1:2%s with points pt 7 ps 0.2 lc %s\n", many ? ":3" : "",
            many ? "palette" : "rgb '#0072B2'");
    return SP_OK;
}

/* The legend: attractors with their periods and shares. */
static void put_attractors(const sp_table *t, FILE *f)
{
    for (int k = 0; k < t->n_part; k++) {
        const sp_table_part *p = &t->part[k];
        for (uint64_t i = 0; strcmp(p->name, "attractors") == 0 && i < p->n_row && i < COLOURS;
             i++) {
            const double *row = p->value + i * (uint64_t)p->n_column;
            char text[120];
            if (row[0] < 1.0) {
                snprintf(text, sizeof text, "none found: %.1f %%", 100.0 * row[3]);
            } else if (row[1] > 0.0) {
                snprintf(text, sizeof text, "%.0f: period %.0f, %.1f %%", row[0], row[1],
                         100.0 * row[3]);
            } else {
                snprintf(text, sizeof text, "%.0f: no period, %.1f %%", row[0], 100.0 * row[3]);
            }
            fprintf(f, ", keyentry with points pt 5 ps 1 lc rgb '#%s' title '%s'",
                    row[0] < 1.0 ? "FFFFFF" : colour[((int)row[0] - 1) % COLOURS], text);
        }
    }
    fputc('\n', f);
}

sp_status sp_figure_basin(void *figure, FILE *f, sp_error *err)
{
    const sp_figure *g = figure;
    const sp_table *t = g->t;
    const bool grid = sp_figure_is_grid(t);
    (void)err;
    fputs("$data << END\n", f);
    for (uint64_t i = 0; i < t->n_point; i++) {
        const double *x = t->parameter + i * (uint64_t)t->n_parameter;
        const double a = measure_of(t, i, 0);
        const int which = a >= 1.0 ? ((int)a - 1) % COLOURS : -1;
        const unsigned long rgb = which < 0 ? 0xFFFFFF : strtoul(colour[which], NULL, 16);
        fprintf(f, "%.12g %.12g %lu %lu %lu %lu\n", x[0], x[1], rgb >> 16, rgb >> 8 & 255,
                rgb & 255, rgb);
    }
    fputs("END\nset key outside right top vertical Left reverse samplen 1\nunset grid\n"
          "set offsets 0, 0, 0, 0\nset autoscale fix\n",
          f);
    fputs(grid ? "plot $data using 1:2:3:4:5 with rgbimage notitle"
               : "plot $data using 1:2:6 with points pt 5 ps 0.3 lc rgb variable notitle",
          f);
    put_attractors(t, f);
    return SP_OK;
}

/* ---- sensitivity -------------------------------------------------------------------------------
 */

/* The columns of a part that are bars; of the second kind with their errors behind them. */
static int bars_of(const sp_table_part *p, int bar[2], bool *errors)
{
    *errors = strcmp(p->column[0], "first_order") == 0;
    bar[0] = *errors ? 0 : 1;
    bar[1] = 2;
    return p->n_column > 2 ? 2 : 1;
}

sp_status sp_figure_bars(void *figure, FILE *f, sp_error *err)
{
    const sp_figure *g = figure;
    const sp_table_part *p = g->part;
    int bar[2];
    bool errors;
    const int n = bars_of(p, bar, &errors);
    (void)err;
    fputs("$data << END\n", f);
    for (uint64_t i = 0; i < p->n_row; i++) {
        for (int k = 0; k < n; k++) {
            const double *row = p->value + i * (uint64_t)p->n_column;
            fprintf(f, "%.12g %.12g %d ", row[bar[k]], errors ? row[bar[k] + 1] : 0.0, k);
        }
        fputc('\n', f);
    }
    fputs("END\nset xtics (", f);
    for (uint64_t i = 0; i < p->n_row; i++) {
        fputs(i > 0 ? ", " : "", f);
        sp_cli_put_quoted(f, p->row[i]);
        fprintf(f, " %llu", (unsigned long long)i);
    }
    fprintf(
        f,
        ") noenhanced\nunset xlabel\nset xrange [-0.6:%g]\nset xzeroaxis lw 0.6\nset style fill "
        "solid 0.85\nset key above noenhanced\nset errorbars small\nplot ",
        (double)p->n_row - 0.4);
    for (int k = 0; k < n; k++) {
        const double at = n == 1 ? 0.0 : k == 0 ? -0.2 : 0.2;
        fprintf(f, "%s$data using ($0%+g):%d:(0.36) with boxes lc rgb '#%s' title '%s'",
                k > 0 ? ", " : "", at, 3 * k + 1, colour[k], p->column[bar[k]]);
        if (errors) {
            fprintf(f,
                    ", $data using ($0%+g):(column(%d)-column(%d)):(0):(2*column(%d)) with vectors "
                    "nohead lw 2 lc rgb '#404040' notitle",
                    at, 3 * k + 1, 3 * k + 2, 3 * k + 2);
        }
    }
    fputc('\n', f);
    return SP_OK;
}

/* ---- all numbers of all points -----------------------------------------------------------------
 */

/* Number k of a point: parameters, then measures. */
static double number_of(const sp_table *t, uint64_t i, int k)
{
    return k < t->n_parameter ? t->parameter[i * (uint64_t)t->n_parameter + (uint64_t)k]
                              : measure_of(t, i, k - t->n_parameter);
}

/* Axes from 0 to 1 with the ends written at them. */
static void put_axes(const sp_table *t, int n, double (*range)[2], FILE *f)
{
    fputs("set xtics (", f);
    for (int k = 0; k < n; k++) {
        double *low = &range[k][0], *high = &range[k][1];
        *low = INFINITY;
        *high = -INFINITY;
        for (uint64_t i = 0; i < t->n_point; i++) {
            const double x = number_of(t, i, k);
            *low = x < *low ? x : *low;
            *high = x > *high ? x : *high;
        }
        char text[400];
        snprintf(text, sizeof text, "%.200s\n%.3g to\n%.3g", t->name[k], *low, *high);
        fputs(k > 0 ? ", " : "", f);
        fputc('"', f);
        for (const char *c = text; *c; c++) {
            fputs(*c == '\n' ? "\\n" : strchr("\"\\`", *c) ? "_" : (char[2]){*c, 0}, f);
        }
        fprintf(f, "\" %d", k);
    }
    fprintf(f,
            ") noenhanced\nunset xlabel\nunset ylabel\nunset ytics\nunset border\nset bmargin "
            "4.5\nset xrange "
            "[-0.3:%g]\n",
            n - 0.7);
}

sp_status sp_figure_parallel(void *figure, FILE *f, sp_error *err)
{
    const sp_figure *g = figure;
    const sp_table *t = g->t;
    const int n = t->n_parameter + t->n_measure;
    double(*range)[2] = calloc((size_t)n + 1, sizeof *range);
    if (!range) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory");
    }
    put_axes(t, n, range, f);
    const uint64_t step = t->n_point / LINES_MAX + 1;
    fputs("unset key\n$data << END\n", f);
    for (uint64_t i = 0; i < t->n_point; i += step) {
        for (int k = 0; k < n; k++) {
            const double size = range[k][1] - range[k][0], x = number_of(t, i, k);
            if (isfinite(x)) {
                fprintf(f, "%d %.6g %.12g\n", k, size > 0.0 ? (x - range[k][0]) / size : 0.5,
                        measure_of(t, i, 0));
            }
        }
        fputs("\n\n", f);
    }
    fputs("END\nset palette defined (0 '#0072B2', 0.5 '#CCCCCC', 1 '#D55E00')\nset cblabel ", f);
    sp_cli_put_quoted(f, t->name[t->n_parameter]);
    fputs(" noenhanced\nplot $data using 1:2:3 with lines lw 0.6 lc palette\n", f);
    free(range);
    return SP_OK;
}

/* ---- spectra -----------------------------------------------------------------------------------
 */

sp_status sp_figure_spectrum(void *figure, FILE *f, sp_error *err)
{
    const sp_figure *g = figure;
    const sp_table_part *p = g->part;
    const uint64_t cols = (uint64_t)p->n_column, step = g->t->n_point / CURVES_MAX + 1;
    const bool one = g->t->n_point < 2 || g->t->n_parameter < 1;
    (void)err;
    fputs("unset key\n$data << END\n", f);
    double before = -1.0;
    for (uint64_t i = 0; i < p->n_row; i++) {
        const double *row = p->value + i * cols;
        if ((uint64_t)row[0] % step != 0) {
            continue;
        }
        fputs(row[0] != before ? "\n\n" : "", f);
        before = row[0];
        fprintf(f, "%.12g %.12g %.12g\n", row[1], one ? 0.0 : first_of(g->t, (uint64_t)row[0]),
                row[g->column]);
    }
    fputs("END\n", f);
    if (one) {
        fputs("plot $data using 1:3 with lines lc rgb '#0072B2'\n", f);
        return SP_OK;
    }
    fputs("set ylabel ", f);
    sp_cli_put_quoted(f, g->t->name[0]);
    fputs(" noenhanced\nset zlabel ", f);
    sp_cli_put_quoted(f, p->column[g->column]);
    fputs(" noenhanced rotate parallel\nset view 55, 20\nset ticslevel 0\nset border 127+256+512\n"
          "splot $data using 1:2:3 with lines lw 0.7 lc rgb '#0072B2'\n",
          f);
    return SP_OK;
}

/* ---- orbits and branches ------------------------------------------------------------------------
 */

sp_status sp_figure_circle(void *figure, FILE *f, sp_error *err)
{
    const sp_figure *g = figure;
    (void)err;
    fputs("unset key\n$data << END\n", f);
    for (int k = 0; k < g->t->n_left; k++) {
        const sp_table_left *p = &g->t->left[k];
        const bool branch = strcmp(p->name, "orbits") == 0;
        const uint64_t re = branch ? SP_BRANCH_RE : 0;
        for (uint64_t i = 0; (branch || strcmp(p->name, "multipliers") == 0) && i < p->n_row; i++) {
            const double *row = p->value + i * p->n_column;
            const double over = branch                  ? row[SP_BRANCH_PARAMETER]
                                : g->t->n_parameter > 0 ? first_of(g->t, p->point)
                                                        : 0.0;
            fprintf(f, "%.12g %.12g %.12g\n", row[re], row[re + 1], over);
        }
    }
    fputs("END\nset size ratio -1\nset xtics 0.5\nset ytics 0.5\nset parametric\nset trange "
          "[0:2*pi]\nset samples 400\n"
          "set palette defined (0 '#0072B2', 0.5 '#CCCCCC', 1 '#D55E00')\nset cblabel ",
          f);
    sp_cli_put_quoted(f, g->t->n_parameter > 0 ? g->t->name[0] : "parameter");
    fputs(" noenhanced\nplot cos(t), sin(t) with lines lc rgb '#404040', $data using 1:2:3 with "
          "points "
          "pt 7 ps 0.5 lc palette\n",
          f);
    return SP_OK;
}

/* Orbits of a branch with the same stability as lines; special orbits, where it changes, belong to
 * both kinds. */
sp_status sp_figure_branches(void *figure, FILE *f, sp_error *err)
{
    const sp_figure *g = figure;
    (void)err;
    for (int unstable = 0; unstable < 2; unstable++) {
        fprintf(f, "$data%d << END\n", unstable);
        for (int k = 0; k < g->t->n_left; k++) {
            const sp_table_left *p = &g->t->left[k];
            const double *before = NULL; /* if it was drawn */
            for (uint64_t i = 0; strcmp(p->name, "orbits") == 0 && i < p->n_row; i++) {
                const double *row = p->value + i * p->n_column;
                const bool here = (row[SP_BRANCH_UNSTABLE] > 0.0) == (unstable == 1) ||
                                  row[SP_BRANCH_SPECIAL] > 0.0;
                const bool same = before && before[SP_BRANCH_NUMBER] == row[SP_BRANCH_NUMBER];
                fputs(same && here ? "" : "\n", f);
                if (here) {
                    fprintf(f, "%.12g %.12g\n", row[SP_BRANCH_PARAMETER], row[g->column]);
                }
                before = here ? row : NULL;
            }
            fputs("\n\n", f);
        }
        fputs("END\n", f);
    }
    fputs("$special << END\n", f);
    for (int k = 0; k < g->t->n_left; k++) {
        const sp_table_left *p = &g->t->left[k];
        for (uint64_t i = 0; strcmp(p->name, "orbits") == 0 && i < p->n_row; i++) {
            const double *row = p->value + i * p->n_column;
            if (row[SP_BRANCH_SPECIAL] > 0.0) {
                fprintf(f, "%.12g %.12g\n", row[SP_BRANCH_PARAMETER], row[g->column]);
            }
        }
    }
    fputs(
        "END\nset key above\nplot $data0 using 1:2 with lines lw 1.6 lc rgb '#0072B2' title "
        "'stable', "
        "$data1 using 1:2 with lines dt 2 lw 1.2 lc rgb '#D55E00' title 'unstable', $special using "
        "1:2 with points pt 7 ps 0.6 lc rgb '#404040' title 'special orbits'\n",
        f);
    return SP_OK;
}
