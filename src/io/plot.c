#define _POSIX_C_SOURCE 200809L
#include "io/plot.h"

#include "io/plot_data.h"
#include "io/plot_text.h"
#include "io/result_read.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { TEXT_BYTES = 1024, NAME_BYTES = 1024, PATH_BYTES = 4096, POINTS_UP_TO = 3 };

sp_plot_options sp_plot_default(void)
{
    return (sp_plot_options){.width = 16.0, .height = 9.0, .program = "gnuplot"};
}

/* ---- what is drawn ------------------------------------------------------------------------- */

/* A curve with its names looked up. */
typedef struct trace {
    sp_result *result;
    int x, y;
    const char *unit;
    char name[NAME_BYTES];   /* of y, as shown                 */
    char legend[TEXT_BYTES]; /* for gnuplot                    */
    sp_plot_range range;
} trace;

/* The file's own name without its folder and its ending. */
static void base_name(const char *path, char *out, size_t size)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    const size_t n = dot && dot != base ? (size_t)(dot - base) : strlen(base);
    snprintf(out, size, "%.*s", (int)(n < size ? n : size - 1), base);
}

/* The part of a name behind its last dot; a number's point is no such dot. */
static const char *last_part(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && !(dot[1] >= '0' && dot[1] <= '9') ? dot + 1 : name;
}

/* Look up the channels of a curve and see where its points are. */
static sp_status make_trace(const sp_plot_curve *c, trace *t, sp_error *err)
{
    t->result = c->result;
    SP_TRY(sp_result_find(c->result, c->x ? c->x : "t", &t->x, err));
    SP_TRY(sp_result_find(c->result, c->y, &t->y, err));
    sp_result_channel_label(c->result, t->y, t->name, sizeof t->name);
    t->unit = sp_result_channel_unit(c->result, t->y);
    SP_TRY(sp_plot_look(c->result, t->x, t->y, &t->range, err));
    if (t->range.n == 0) {
        return SP_FAIL(err, SP_E_INPUT,
                       "result file '%.200s': nothing to draw, '%.80s' has no finite value",
                       sp_result_about(c->result)->path, c->y);
    }
    return SP_OK;
}

/* Do all traces have the same unit? */
static bool one_unit(int n, const trace *t)
{
    for (int k = 1; k < n; k++) {
        if (strcmp(t[k].unit, t[0].unit) != 0) {
            return false;
        }
    }
    return true;
}

/* The legend of a curve: its channel, with the file's name where there are several, and with its
 * unit where they differ. */
static void make_legend(const sp_plot_curve *c, bool files, bool units, trace *t)
{
    char file[NAME_BYTES] = "", plain[TEXT_BYTES] = "";
    if (c->legend) {
        sp_plot_text(c->legend, true, t->legend, sizeof t->legend);
        return;
    }
    if (files) {
        base_name(sp_result_about(c->result)->path, file, sizeof file);
        sp_plot_text(file, false, plain, sizeof plain);
    }
    char label[TEXT_BYTES / 2];
    sp_plot_label(t->name, units ? t->unit : "", label, sizeof label);
    snprintf(t->legend, sizeof t->legend, "%.500s%s%s", plain, files ? ": " : "", label);
}

/* The label of the y axis: the name if there is one, else what the names have in common. */
static void y_label(int n, const trace *t, char *out, size_t size)
{
    bool same_name = true, same_part = true;
    for (int k = 1; k < n; k++) {
        same_name = same_name && strcmp(t[k].name, t[0].name) == 0;
        same_part = same_part && strcmp(last_part(t[k].name), last_part(t[0].name)) == 0;
    }
    if (!one_unit(n, t)) {
        out[0] = '\0';
    } else {
        sp_plot_label(same_name   ? t[0].name
                      : same_part ? last_part(t[0].name)
                                  : "",
                      t[0].unit, out, size);
    }
}

/* ---- the script ---------------------------------------------------------------------------- */

/* Colours that the colour-blind can distinguish, too (Okabe and Ito), without the yellow. */
static const char *const colour[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                     "#E69F00", "#56B4E9", "#000000"};
enum { COLOURS = sizeof colour / sizeof colour[0], DASHES = 4 };

/* The terminal: paper size and letters. */
static void write_terminal(FILE *f, const char *format, const sp_plot_options *o)
{
    if (strcmp(format, "svg") == 0) {
        const double dot = 96.0 / 2.54; /* CSS dots in a centimetre */
        fprintf(f,
                "set terminal svg enhanced size %.0f,%.0f font 'Helvetica,Arial,sans-serif,12' "
                "linewidth 1.2 background rgb 'white'\n",
                o->width * dot, o->height * dot);
    } else if (strcmp(format, "pdf") == 0) {
        fprintf(f, "set terminal pdfcairo enhanced color size %gcm,%gcm font 'Helvetica,9'\n",
                o->width, o->height);
    } else {
        const double dot = 240.0 / 2.54;
        fprintf(f,
                "set terminal pngcairo enhanced size %.0f,%.0f font 'Helvetica,22' "
                "linewidth 2.5 pointscale 2.5 background rgb 'white'\n",
                o->width * dot, o->height * dot);
    }
}

/* Frame and grid. */
static void write_frame(FILE *f)
{
    fputs("set encoding utf8\nset minussign\n"
          "set border 3 lw 0.6 lc rgb '#404040'\nset tics nomirror out scale 0.6\n"
          "set grid lw 0.5 lt 1 lc rgb '#E0E0E0'\nset style data lines\n"
          "set offsets graph 0, graph 0, graph 0.04, graph 0.04\n",
          f);
}

/* Frame, grid, key, labels. */
static void write_style(FILE *f, const sp_plot_options *o, int n, const trace *t)
{
    char text[TEXT_BYTES], name[NAME_BYTES];
    write_frame(f);
    if (o->title && o->title[0]) {
        sp_plot_text(o->title, false, text, sizeof text);
        fprintf(f, "set %s '%s'\n", n > 1 ? "key title" : "title", text); /* above the key */
    }
    sp_result_channel_label(t[0].result, t[0].x, name, sizeof name);
    sp_plot_label(name, sp_result_channel_unit(t[0].result, t[0].x), text, sizeof text);
    if (o->x_label) {
        sp_plot_text(o->x_label, true, text, sizeof text);
    }
    fprintf(f, "set xlabel '%s'\n", text);
    y_label(n, t, text, sizeof text);
    if (o->y_label) {
        sp_plot_text(o->y_label, true, text, sizeof text);
    }
    fprintf(f, "set ylabel '%s'\n", text);
    fputs(n > 1 ? "set key above center horizontal Left reverse samplen 2.5 spacing 1.1\n"
                : "unset key\n",
          f);
}

/* The range of all curves, with a margin. */
static sp_plot_range whole_range(int n, const trace *t, double margin)
{
    sp_plot_range r = t[0].range;
    for (int k = 1; k < n; k++) {
        const sp_plot_range *s = &t[k].range;
        r.x_min = fmin(r.x_min, s->x_min);
        r.x_max = fmax(r.x_max, s->x_max);
        r.y_min = fmin(r.y_min, s->y_min);
        r.y_max = fmax(r.y_max, s->y_max);
        r.rising = r.rising && s->rising;
    }
    const double dx = margin * (r.x_max - r.x_min), dy = margin * (r.y_max - r.y_min);
    r.x_min -= dx;
    r.x_max += dx;
    r.y_min -= dy;
    r.y_max += dy;
    return r;
}

/* Widen [low, high] to at least span about its middle. */
static void widen(double *low, double *high, double span)
{
    const double middle = 0.5 * (*low + *high);
    if (*high - *low < span) {
        *low = middle - 0.5 * span;
        *high = middle + 0.5 * span;
    }
}

void sp_plot_tics(FILE *f, double x_min, double x_max)
{
    const double largest = fmax(fabs(x_min), fabs(x_max)), span = x_max - x_min;
    if (!(span > 0.0) || !isfinite(span) || (largest >= 0.01 && largest < 1e5)) {
        return;
    }
    const double rough = span / 4.0, power = pow(10.0, floor(log10(rough))), lead = rough / power;
    /* gnuplot's own rounds 2.5e-5; half of the last such number stands out to the right */
    fprintf(f, "set format x '%%h'\nset rmargin 5\nset xtics %.17g\n",
            (lead < 1.5   ? 1.0
             : lead < 3.5 ? 2.0
             : lead < 7.5 ? 5.0
                          : 10.0) *
                power);
}

/* Where x rises in all curves its axis ends where they do; else there is a margin.  Equal axes are
 * wide enough for their numbers: none is much shorter than the other. */
static void write_range(FILE *f, bool equal, int n, const trace *t)
{
    const sp_plot_range tight = whole_range(n, t, 0.0);
    sp_plot_range r = whole_range(n, t, 0.04);
    sp_plot_tics(f, tight.x_min, tight.x_max);
    if (equal) {
        widen(&r.x_min, &r.x_max, 0.8 * (r.y_max - r.y_min));
        widen(&r.y_min, &r.y_max, 0.8 * (r.x_max - r.x_min));
    }
    if (equal && r.x_max > r.x_min && r.y_max > r.y_min) {
        fprintf(f, "set size ratio -1\nset xrange [%.17g:%.17g]\nset yrange [%.17g:%.17g]\n",
                r.x_min, r.x_max, r.y_min, r.y_max);
    } else if (tight.rising && tight.x_max > tight.x_min) {
        fprintf(f, "set xrange [%.17g:%.17g]\n", tight.x_min, tight.x_max);
    } else {
        fputs("set offsets graph 0.04, graph 0.04, graph 0.04, graph 0.04\n", f);
    }
}

/* The whole script with the data in it. */
static sp_status write_script(FILE *f, const char *format, const sp_plot_options *o, int n,
                              trace *t, sp_error *err)
{
    write_terminal(f, format, o);
    write_style(f, o, n, t);
    write_range(f, o->equal, n, t);
    for (int k = 0; k < n; k++) {
        fprintf(f, "$curve%d << END\n", k);
        SP_TRY(sp_plot_points(t[k].result, t[k].x, t[k].y, &t[k].range, f, err));
        fputs("END\n", f);
    }
    fputs("plot ", f);
    for (int k = 0; k < n; k++) {
        fprintf(f, "%s$curve%d using 1:2 with %s lw 1.1 lc rgb '%s' dt %d title '%s'",
                k > 0 ? ", \\\n     " : "", k,
                t[k].range.n_drawn <= POINTS_UP_TO ? "linespoints pt 7 ps 0.5" : "lines",
                colour[k % COLOURS], 1 + k / COLOURS % DASHES, t[k].legend);
    }
    fputc('\n', f);
    return fflush(f) == 0 && !ferror(f)
               ? SP_OK
               : SP_FAIL(err, SP_E_IO, "cannot write the figure's data: %s", strerror(errno));
}

/* ---- gnuplot ------------------------------------------------------------------------------- */

/* The environment with a locale that knows Greek; free the list, not its texts. */
static char **make_environment(void)
{
    static char locale[] = "LC_ALL=C.UTF-8";
    size_t n = 0, used = 0;
    while (environ[n]) {
        n++;
    }
    char **list = calloc(n + 2, sizeof *list);
    for (size_t k = 0; list && k < n; k++) {
        if (strncmp(environ[k], "LC_", 3) != 0 && strncmp(environ[k], "LANG", 4) != 0 &&
            strncmp(environ[k], "GNUPLOT", 7) != 0 && strncmp(environ[k], "GNUTERM", 7) != 0) {
            list[used++] = environ[k];
        }
    }
    if (list) {
        list[used] = locale;
    }
    return list;
}

/* The first line of what gnuplot complained of. */
static void first_complaint(FILE *f, char *text, size_t size)
{
    char line[256];
    snprintf(text, size, "no reason given");
    rewind(f);
    while (fgets(line, sizeof line, f)) {
        const char *at = line + strspn(line, " \t\n^");
        if (*at != '\0' && strncmp(at, "gnuplot>", 8) != 0) {
            snprintf(text, size, "%.*s", (int)strcspn(at, "\n"), at);
            return;
        }
    }
}

/* Start the program with its input, output and complaints in open files. */
static int spawn(const char *program, int in, int out, int complaints, pid_t *child)
{
    char name[] = "gnuplot", plain[] = "-d";
    char *const argv[] = {name, plain, NULL};
    char **list = make_environment();
    posix_spawn_file_actions_t actions;
    if (!list) {
        return ENOMEM;
    }
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in, 0);
    posix_spawn_file_actions_adddup2(&actions, out, 1);
    posix_spawn_file_actions_adddup2(&actions, complaints, 2);
    const int failed = posix_spawnp(child, program, &actions, NULL, argv, list);
    posix_spawn_file_actions_destroy(&actions);
    free(list);
    return failed;
}

/* Run gnuplot on the script; out is the figure. */
static sp_status run_gnuplot(const char *program, FILE *script, int out, sp_error *err)
{
    char why[300];
    int how = 0;
    pid_t child;
    FILE *complaints = tmpfile();
    if (!complaints) {
        return SP_FAIL(err, SP_E_IO, "cannot make a temporary file: %s", strerror(errno));
    }
    lseek(fileno(script), 0, SEEK_SET);
    const int failed = spawn(program, fileno(script), out, fileno(complaints), &child);
    if (failed != 0) {
        fclose(complaints);
        return SP_FAIL(err, SP_E_IO,
                       "figures are drawn by gnuplot, and '%.200s' cannot be started: %s; install "
                       "gnuplot (Debian: package gnuplot-nox)",
                       program, strerror(failed));
    }
    while (waitpid(child, &how, 0) < 0 && errno == EINTR) {
    }
    first_complaint(complaints, why, sizeof why);
    fclose(complaints);
    if (!WIFEXITED(how) || WEXITSTATUS(how) == 127) {
        return SP_FAIL(err, SP_E_IO, "gnuplot did not end as it should: %s", why);
    }
    return WEXITSTATUS(how) == 0 ? SP_OK : SP_FAIL(err, SP_E_IO, "gnuplot failed: %s", why);
}

/* ---- the file ------------------------------------------------------------------------------ */

/* The format asked for, or that of the file's ending. */
static sp_status choose_format(const char *path, const char *asked, const char **format,
                               sp_error *err)
{
    static const char *const known[] = {"svg", "pdf", "png"};
    const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
    const char *word = asked ? asked : dot && (!slash || dot > slash) ? dot + 1 : "";
    for (int k = 0; k < 3; k++) {
        if (strcmp(word, known[k]) == 0) {
            *format = known[k];
            return SP_OK;
        }
    }
    return SP_FAIL(err, SP_E_INPUT, "figure '%.200s': format '%.40s', expected svg, pdf or png",
                   path, word);
}

/* Open the figure under a temporary name beside its own. */
static sp_status open_figure(const char *path, char *temporary, size_t size, int *fd, sp_error *err)
{
    struct stat info;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
        return SP_FAIL(err, SP_E_IO, "figure '%.200s': is %s, expected a plain file", path,
                       S_ISDIR(info.st_mode) ? "a folder" : "a device or pipe");
    }
    if (strlen(path) + 32 > size) {
        return SP_FAIL(err, SP_E_IO, "figure '%.200s...': name too long", path);
    }
    snprintf(temporary, size, "%s.part-%ld", path, (long)getpid());
    *fd = open(temporary, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    return *fd >= 0
               ? SP_OK
               : SP_FAIL(err, SP_E_IO, "figure '%.200s': cannot write: %s", path, strerror(errno));
}

/* Draw a script into a file. */
static sp_status draw_script(const char *path, const sp_plot_options *o, FILE *script,
                             sp_error *err)
{
    char temporary[PATH_BYTES];
    int fd = -1;
    sp_status status = open_figure(path, temporary, sizeof temporary, &fd, err);
    if (fd >= 0) {
        status = run_gnuplot(o->program ? o->program : "gnuplot", script, fd, err);
        struct stat info;
        if (status == SP_OK && (fstat(fd, &info) != 0 || info.st_size == 0)) {
            status = SP_FAIL(err, SP_E_IO, "figure '%.200s': gnuplot drew nothing", path);
        }
        if (close(fd) != 0 && status == SP_OK) {
            status = SP_FAIL(err, SP_E_IO, "figure '%.200s': %s", path, strerror(errno));
        }
        if (status == SP_OK && rename(temporary, path) != 0) {
            status = SP_FAIL(err, SP_E_IO, "figure '%.200s': %s", path, strerror(errno));
        }
        if (status != SP_OK) {
            unlink(temporary);
        }
    }
    return status;
}

/* Draw the traces into a file. */
static sp_status draw(const char *path, const char *format, const sp_plot_options *o, int n,
                      trace *t, sp_error *err)
{
    FILE *script = tmpfile();
    if (!script) {
        return SP_FAIL(err, SP_E_IO, "cannot make a temporary file: %s", strerror(errno));
    }
    sp_status status = write_script(script, format, o, n, t, err);
    status = status == SP_OK ? draw_script(path, o, script, err) : status;
    fclose(script);
    return status;
}

/* One label of an axis. */
static void write_axis_label(FILE *f, char axis, const char *label)
{
    char text[TEXT_BYTES];
    sp_plot_text(label ? label : "", true, text, sizeof text);
    fprintf(f, "set %clabel '%s'\n", axis, text);
}

sp_status sp_plot_draw(const char *path, const sp_plot_options *o,
                       sp_status (*write)(void *ctx, FILE *script, sp_error *err), void *ctx,
                       sp_error *err)
{
    const char *format = NULL;
    SP_TRY(choose_format(path, o->format, &format, err));
    FILE *script = tmpfile();
    if (!script) {
        return SP_FAIL(err, SP_E_IO, "cannot make a temporary file: %s", strerror(errno));
    }
    write_terminal(script, format, o);
    write_frame(script);
    write_axis_label(script, 'x', o->x_label);
    write_axis_label(script, 'y', o->y_label);
    sp_status status = write(ctx, script, err);
    if (status == SP_OK && (fflush(script) != 0 || ferror(script))) {
        status = SP_FAIL(err, SP_E_IO, "cannot write the figure's data: %s", strerror(errno));
    }
    status = status == SP_OK ? draw_script(path, o, script, err) : status;
    fclose(script);
    return status;
}

sp_status sp_plot_write(const char *path, const sp_plot_options *options, int n,
                        const sp_plot_curve *curve, sp_error *err)
{
    const char *format = NULL;
    SP_TRY(choose_format(path, options->format, &format, err));
    if (n < 1) {
        return SP_FAIL(err, SP_E_INPUT, "figure '%.200s': no curve to draw", path);
    }
    trace *t = calloc((size_t)n, sizeof *t);
    if (!t) {
        return SP_FAIL(err, SP_E_MEMORY, "out of memory for %d curves", n);
    }
    bool files = false;
    sp_status status = SP_OK;
    for (int k = 0; k < n && status == SP_OK; k++) {
        files = files || curve[k].result != curve[0].result;
        status = make_trace(&curve[k], &t[k], err);
    }
    for (int k = 0; k < n && status == SP_OK; k++) {
        make_legend(&curve[k], files, !one_unit(n, t), &t[k]);
    }
    if (status == SP_OK) {
        status = draw(path, format, options, n, t, err);
    }
    free(t);
    return status;
}

/* The preset of that name, NULL with a message if there is none. */
static const sp_plot_preset *find_preset(const sp_result *result, const char *name, sp_error *err)
{
    const sp_result_info *info = sp_result_about(result);
    const char **known = calloc((size_t)info->n_plot + 1, sizeof *known);
    for (int k = 0; k < info->n_plot; k++) {
        const sp_plot_preset *p = sp_result_plot(result, k);
        if (strcmp(p->name, name) == 0) {
            free(known);
            return p;
        }
        if (known) {
            known[k] = p->name;
        }
    }
    const char *nearest = known ? sp_nearest(name, known, info->n_plot) : NULL;
    SP_FAIL(err, SP_E_INPUT, "result file '%.200s': no plot '%.80s' in its model%s%.80s%s",
            info->path, name, nearest ? "; did you mean '" : "", nearest ? nearest : "",
            nearest ? "'?" : "");
    free(known);
    return NULL;
}

sp_status sp_plot_write_preset(const char *path, const sp_plot_options *options, const char *name,
                               int n_result, sp_result *const *result, sp_error *err)
{
    if (n_result < 1) {
        return SP_FAIL(err, SP_E_INPUT, "figure '%.200s': no result to draw", path);
    }
    const sp_plot_preset *p = find_preset(result[0], name, err);
    if (!p) {
        return SP_E_INPUT;
    }
    const size_t n = (size_t)n_result * (size_t)p->n_y;
    sp_plot_curve *curve = calloc(n + 1, sizeof *curve);
    if (!curve) {
        return SP_FAIL(err, SP_E_MEMORY, "out of memory for %zu curves", n);
    }
    for (size_t k = 0; k < n; k++) {
        curve[k].result = result[k / (size_t)p->n_y];
        curve[k].x = p->x;
        curve[k].y = p->y[k % (size_t)p->n_y];
    }
    sp_plot_options with = *options;
    with.title = options->title ? options->title : p->title;
    with.equal = options->equal || p->equal;
    const sp_status status = sp_plot_write(path, &with, (int)n, curve, err);
    free(curve);
    return status;
}
