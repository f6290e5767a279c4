#include "io/plot_data.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROWS = 4096,    /* frames read at once                                */
    ALL = 10000,    /* curves up to here are drawn as they are            */
    COLUMNS = 4000, /* raster of long curves over a rising x              */
    PORTRAIT = 4000 /* raster of other long curves                        */
};

/* Something that is done with every frame. */
typedef struct walker {
    void (*point)(struct walker *w, double x, double y);
    FILE *file;
    sp_plot_range *range;
    double last_x;
    bool pen; /* a line leads to the next point */
    /* raster */
    long column;
    int n; /* points of the column so far */
    struct {
        double x, y;
    } first, low, high, last;
} walker;

/* Call w->point for every frame of the two channels. */
static sp_status walk(sp_result *result, int x, int y, walker *w, sp_error *err)
{
    const int channel[2] = {x, y};
    const size_t n_frame = sp_result_about(result)->n_frame;
    double(*value)[2] = malloc(ROWS * sizeof *value);
    sp_status status = value ? SP_OK : SP_FAIL(err, SP_E_MEMORY, "out of memory");
    for (size_t first = 0; status == SP_OK && first < n_frame; first += ROWS) {
        const size_t n = n_frame - first < ROWS ? n_frame - first : ROWS;
        status = sp_result_read(result, 2, channel, first, n, &value[0][0], err);
        for (size_t i = 0; status == SP_OK && i < n; i++) {
            w->point(w, value[i][0], value[i][1]);
        }
    }
    free(value);
    return status;
}

/* Widen the range by a point. */
static void look_at(walker *w, double x, double y)
{
    sp_plot_range *r = w->range;
    if (!isfinite(x) || !isfinite(y)) {
        return;
    }
    r->x_min = r->n == 0 || x < r->x_min ? x : r->x_min;
    r->x_max = r->n == 0 || x > r->x_max ? x : r->x_max;
    r->y_min = r->n == 0 || y < r->y_min ? y : r->y_min;
    r->y_max = r->n == 0 || y > r->y_max ? y : r->y_max;
    r->rising = r->rising && (r->n == 0 || x >= w->last_x);
    w->last_x = x;
    r->n++;
}

sp_status sp_plot_look(sp_result *result, int x, int y, sp_plot_range *range, sp_error *err)
{
    memset(range, 0, sizeof *range);
    range->rising = true;
    walker w = {.point = look_at, .range = range};
    return walk(result, x, y, &w, err);
}

/* Write a point. */
static void write_point(walker *w, double x, double y)
{
    fprintf(w->file, "%.9g %.9g\n", x, y);
    w->range->n_drawn++;
    w->pen = true;
}

/* Break the line. */
static void lift(walker *w)
{
    if (w->pen) {
        fputc('\n', w->file);
    }
    w->pen = false;
}

/* Every point. */
static void write_each(walker *w, double x, double y)
{
    if (isfinite(x) && isfinite(y)) {
        write_point(w, x, y);
    } else {
        lift(w);
    }
}

/* Write the points that stand for a column, in the order of x. */
static void end_column(walker *w)
{
    if (w->n == 0) {
        return;
    }
    const bool low_first = w->low.x <= w->high.x;
    write_point(w, w->first.x, w->first.y);
    if (w->n > 1) {
        write_point(w, low_first ? w->low.x : w->high.x, low_first ? w->low.y : w->high.y);
        write_point(w, low_first ? w->high.x : w->low.x, low_first ? w->high.y : w->low.y);
        write_point(w, w->last.x, w->last.y);
    }
    w->n = 0;
}

/* First, lowest, highest and last of every column. */
static void write_column(walker *w, double x, double y)
{
    const sp_plot_range *r = w->range;
    if (!isfinite(x) || !isfinite(y)) {
        end_column(w);
        lift(w);
        return;
    }
    const long column = (long)(COLUMNS * ((x - r->x_min) / (r->x_max - r->x_min)));
    if (w->n > 0 && column != w->column) {
        end_column(w);
    }
    w->column = column;
    w->last.x = x;
    w->last.y = y;
    if (w->n == 0) {
        w->first = w->low = w->high = w->last;
    }
    if (y < w->low.y) {
        w->low = w->last;
    }
    if (y > w->high.y) {
        w->high = w->last;
    }
    w->n++;
}

/* Points that differ visibly from the one before. */
static void write_apart(walker *w, double x, double y)
{
    const sp_plot_range *r = w->range;
    if (!isfinite(x) || !isfinite(y)) {
        lift(w);
        w->n = 0;
        return;
    }
    const double dx = fabs(x - w->last.x) * PORTRAIT, dy = fabs(y - w->last.y) * PORTRAIT;
    if (w->n == 0 || dx > r->x_max - r->x_min || dy > r->y_max - r->y_min) {
        write_point(w, x, y);
        w->last.x = x;
        w->last.y = y;
        w->n = 1;
    }
}

sp_status sp_plot_points(sp_result *result, int x, int y, sp_plot_range *range, FILE *file,
                         sp_error *err)
{
    walker w = {.point = write_each, .file = file, .range = range};
    range->n_drawn = 0;
    if (range->n > ALL) {
        w.point = range->rising && range->x_max > range->x_min ? write_column : write_apart;
    }
    SP_TRY(walk(result, x, y, &w, err));
    if (w.point == write_column) {
        end_column(&w);
    }
    return SP_OK;
}
