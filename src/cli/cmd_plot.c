#define _POSIX_C_SOURCE 200809L
#include "cli/open.h"
#include "cli/study_report.h"
#include "cli/talk.h"
#include "io/plot.h"
#include "io/result_read.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum { PATH_BYTES = 4096, NAME_BYTES = 1024, CURVE_MAX = 8 };

static const char *const format[] = {"svg", "pdf", "png"};
enum { N_FORMAT = 3 };

/* What is to be drawn, and where to. */
typedef struct drawing {
    sp_args args;
    sp_texts files;
    sp_result **result; /* one for each file                       */
    const char *output, *format, *preset, *x, *title;
    sp_texts y;
    bool quiet;
    char folder[PATH_BYTES]; /* with its '/', empty: here               */
    bool one_file;           /* output is the name of the one figure    */
    sp_plot_options options;
} drawing;

/* ---- where to ------------------------------------------------------------------------------ */

/* What a name ends with behind its last dot, NULL if there is none: "figures/v1.2/" is a folder,
 * ".figures" a name. */
static const char *extension(const char *name)
{
    const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
    const char *dot = strrchr(base, '.');
    return dot && dot > base ? dot + 1 : NULL;
}

/* The known format a name ends with, NULL if none. */
static const char *ending(const char *name)
{
    const char *end = extension(name);
    for (int i = 0; end && i < N_FORMAT; i++) {
        if (strcasecmp(end, format[i]) == 0) {
            return format[i];
        }
    }
    return NULL;
}

/* Settle the format; false: it is none. */
static bool choose_format(drawing *d)
{
    const char *wanted = d->format ? d->format : d->output ? ending(d->output) : NULL;
    for (int i = 0; i < N_FORMAT; i++) {
        if (!wanted || strcmp(wanted, format[i]) == 0) {
            d->options.format = format[i];
            return true;
        }
    }
    sp_cli_complain("plot: unknown format '%s', expected svg, pdf or png", wanted);
    return false;
}

/* Settle whether the output is a file or a folder, which is made if it is not there. */
static bool choose_place(drawing *d)
{
    struct stat info;
    if (!d->output) {
        return true;
    }
    const size_t n = strlen(d->output);
    const bool there = stat(d->output, &info) == 0, is_folder = there && S_ISDIR(info.st_mode);
    const char *end = extension(d->output);
    if (end && !ending(d->output) && !is_folder) {
        sp_cli_complain("plot: '%s': no figure ends with '.%s', expected .svg, .pdf or .png; for a "
                        "folder of this name write '%s/'",
                        d->output, end, d->output);
        return false;
    }
    d->one_file = there ? !is_folder : d->output[n - 1] != '/' && end;
    if (d->one_file) {
        return true;
    }
    const int used = snprintf(d->folder, sizeof d->folder, "%s%s", d->output,
                              d->output[n - 1] == '/' ? "" : "/");
    if (used >= (int)sizeof d->folder || (!there && mkdir(d->output, 0777) != 0)) {
        sp_cli_complain("plot: cannot make the folder '%s': %s", d->output,
                        used < (int)sizeof d->folder ? strerror(errno) : "name too long");
        return false;
    }
    return true;
}

/* The name of a result without folder and ending; its length into *n. */
static const char *stem_of(const char *file, int *n)
{
    const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
    const char *dot = strrchr(base, '.');
    *n = (int)(dot && dot > base ? (size_t)(dot - base) : strlen(base));
    return base;
}

/* "folder/result_name.svg", of several results "folder/first+second_name.svg" ("first+3_name.svg"
 * of more), or the file that was asked for; signs that file names should not hold become '_'. */
static sp_status figure_path(const drawing *d, const char *name, char *path, sp_error *err)
{
    int n_base, n_second = 0;
    char more[128] = "";
    const char *base = stem_of(d->files.item[0], &n_base);
    const char *second = d->files.n > 1 ? stem_of(d->files.item[1], &n_second) : "";
    if (d->files.n == 2) {
        snprintf(more, sizeof more, "+%.*s", n_second, second);
    } else if (d->files.n > 2) {
        snprintf(more, sizeof more, "+%d", d->files.n - 1);
    }
    const int n_folder = (int)strlen(d->folder);
    const int n = d->one_file ? snprintf(path, PATH_BYTES, "%s", d->output)
                              : snprintf(path, PATH_BYTES, "%s%.*s%s_%.200s.%s", d->folder, n_base,
                                         base, more, name, d->options.format);
    if (n >= PATH_BYTES) {
        return SP_FAIL(err, SP_E_IO, "plot: the name of the figure is too long");
    }
    for (char *c = path + n_folder + n_base; !d->one_file && *c; c++) {
        *c = isalnum((unsigned char)*c) || strchr("._-+", *c) ? *c : '_';
    }
    return SP_OK;
}

/* Name a figure that was drawn. */
static void print_written(const drawing *d, const char *path)
{
    if (!d->quiet) {
        printf("  %s\n", path);
    }
}

/* ---- figures ------------------------------------------------------------------------------- */

/* One figure with some channels of all results. */
static sp_status draw_channels(drawing *d, const char *name, const char *x, const sp_texts *y,
                               sp_error *err)
{
    char path[PATH_BYTES];
    const int n = d->files.n * y->n;
    sp_plot_curve *curve = SP_NEW(&d->args.arena, sp_plot_curve, n);
    if (!curve) {
        return SP_FAIL(err, SP_E_MEMORY, "out of memory");
    }
    for (int i = 0; i < d->files.n; i++) {
        for (int k = 0; k < y->n; k++) {
            curve[i * y->n + k] = (sp_plot_curve){.result = d->result[i], .x = x, .y = y->item[k]};
        }
    }
    SP_TRY(figure_path(d, name, path, err));
    SP_TRY(sp_plot_write(path, &d->options, n, curve, err));
    print_written(d, path);
    return SP_OK;
}

/* One figure as the model's author wanted it. */
static sp_status draw_preset(drawing *d, const char *name, sp_error *err)
{
    char path[PATH_BYTES];
    SP_TRY(figure_path(d, name, path, err));
    SP_TRY(sp_plot_write_preset(path, &d->options, name, d->files.n, d->result, err));
    print_written(d, path);
    return SP_OK;
}

/* Coordinates over time, for models that ask for nothing: the first few channels behind the time.
 */
static sp_status draw_coordinates(drawing *d, sp_error *err)
{
    const int n_dof = sp_result_about(d->result[0])->n_dof;
    const char *item[CURVE_MAX];
    char name[CURVE_MAX][NAME_BYTES];
    sp_texts y = {.n = 0, .item = item};
    for (; y.n < n_dof && y.n < CURVE_MAX; y.n++) {
        sp_result_channel_name(d->result[0], 1 + y.n, name[y.n], NAME_BYTES);
        item[y.n] = name[y.n];
    }
    if (y.n == 0) {
        return SP_FAIL(err, SP_E_INPUT, "plot: the machine has no coordinates; give --y");
    }
    return draw_channels(d, "coordinates", NULL, &y, err);
}

/* All figures that the model asks for. */
static sp_status draw_all(drawing *d, sp_error *err)
{
    const int n = sp_result_about(d->result[0])->n_plot;
    if (n == 0) {
        return draw_coordinates(d, err);
    }
    if (n > 1 && d->one_file) {
        return SP_FAIL(err, SP_E_INPUT,
                       "plot: the model asks for %d figures, '%s' is one file; choose one with "
                       "--plot or name a folder",
                       n, d->output);
    }
    for (int i = 0; i < n; i++) {
        SP_TRY(draw_preset(d, sp_result_plot(d->result[0], i)->name, err));
    }
    return SP_OK;
}

/* Whatever is asked for. */
static sp_status draw(drawing *d, sp_error *err)
{
    if (d->preset) {
        return draw_preset(d, d->preset, err);
    }
    if (d->y.n > 0) {
        return draw_channels(d, d->y.item[0], d->x, &d->y, err);
    }
    return draw_all(d, err);
}

/* ---- the command --------------------------------------------------------------------------- */

/* Open all results; false: the reason is printed. */
static bool open_all(drawing *d)
{
    d->files = d->args.word;
    d->result = SP_NEW(&d->args.arena, sp_result *, d->files.n);
    bool ok = d->result != NULL;
    for (int i = 0; ok && i < d->files.n; i++) {
        d->result[i] = sp_cli_open(d->files.item[i]);
        ok = d->result[i] != NULL;
    }
    return ok;
}

/* From the files to the figures. */
static int plot(drawing *d)
{
    sp_error err = {.status = SP_OK};
    int code = SP_EXIT_USAGE;
    if (choose_format(d) && open_all(d) && choose_place(d)) {
        code = sp_cli_finish(draw(d, &err), &err);
    }
    for (int i = 0; d->result && i < d->files.n; i++) {
        sp_result_free(d->result[i]);
    }
    return code;
}

/* specht plot */
static int plot_command(const sp_command *self, int argc, char **argv)
{
    drawing d = {.options = sp_plot_default()};
    const char *y = NULL;
    const sp_option option[] = {
        {"output", 'o', SP_OPTION_TEXT, "PLACE",
         "file of the figure (.svg, .pdf, .png), or folder for all (here)", &d.output},
        {"format", 0, SP_OPTION_TEXT, "FORMAT", "svg, pdf or png (by the file's name, or svg)",
         &d.format},
        {"plot", 0, SP_OPTION_TEXT, "NAME", "only this plot of the model", &d.preset},
        {"x", 0, SP_OPTION_TEXT, "CHANNEL", "channel to the right (time)", &d.x},
        {"y", 0, SP_OPTION_TEXT, "A,B,...", "channels upwards, all in one figure", &y},
        {"equal", 0, SP_OPTION_FLAG, NULL, "both axes to the same scale", &d.options.equal},
        {"title", 0, SP_OPTION_TEXT, "TEXT", "title of the figure", &d.title},
        {"quiet", 'q', SP_OPTION_FLAG, NULL, "do not print the names of the figures", &d.quiet},
    };
    int code;
    if (!sp_args_read(&d.args, self, &(sp_usage){option, sizeof option / sizeof *option, 1, 1000},
                      argc, argv, &code)) {
        return code;
    }
    d.options.title = d.title;
    code = SP_EXIT_USAGE;
    bool damaged = false;
    const sp_table *table =
        d.args.word.n == 1 ? sp_cli_open_study(d.args.word.item[0], &damaged) : NULL;
    if (table) {
        sp_error err = {.status = SP_OK};
        char stem[2 * PATH_BYTES];
        int n;
        d.files = d.args.word;
        const char *base = stem_of(d.files.item[0], &n);
        if (choose_format(&d) && choose_place(&d)) {
            snprintf(stem, sizeof stem, "%s%.*s", d.folder, n < PATH_BYTES ? n : 0, base);
            code = sp_cli_finish(sp_table_plot(table, stem, d.options.format, d.quiet, &err), &err);
        }
        sp_table_free(table);
    } else if (d.preset && (d.x || y)) {
        sp_cli_complain("plot: --plot and --x, --y exclude each other");
    } else if (d.x && !y) {
        sp_cli_complain("plot: --x needs --y");
    } else if (!damaged && (!y || sp_args_split(&d.args, y, &d.y))) {
        code = plot(&d);
    }
    sp_args_free(&d.args);
    return code;
}

const sp_command sp_cmd_plot = {
    .name = "plot",
    .purpose = "draw figures of results: those of the model, or any channels",
    .usage = "RESULT.h5 [MORE.h5 ...] [options]",
    .example = "specht plot slider_crank.h5\n"
               "specht plot slider_crank.h5 -o figures/ --format pdf\n"
               "specht plot coarse.h5 fine.h5 --y crank.omega,rod.omega -o compare.svg\n"
               "specht plot slider_crank.h5 --x rod.phi --y rod.omega --title 'Phase portrait'",
    .notes =
        "Without --plot and --y all figures under 'plots:' of the model are drawn, with the\n"
        "curves of all results together, as FIRST+SECOND_NAME.svg.  All channels are named by\n"
        "'specht csv RESULT.h5 --list'.  Figures are drawn by gnuplot.",
    .run = plot_command,
};
