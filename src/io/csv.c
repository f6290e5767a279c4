#include "io/csv.h"

#include "io/result_read.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 8192 };

/* One cell of text; with quotes where the sign of a cell's end stands in it. */
static void write_cell(FILE *file, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, file);
        return;
    }
    fputc('"', file);
    for (const char *c = text; *c; c++) {
        if (*c == '"') {
            fputc('"', file);
        }
        fputc(*c, file);
    }
    fputc('"', file);
}

/* The first line. */
static void write_header(sp_result *result, FILE *file, int n, const int *channel)
{
    char name[NAME_BYTES], cell[NAME_BYTES + 256];
    for (int k = 0; k < n; k++) {
        const char *unit = sp_result_channel_name(result, channel[k], name, sizeof name);
        snprintf(cell, sizeof cell, "%s[%s]", name, unit);
        fputs(k > 0 ? "," : "", file);
        write_cell(file, cell);
    }
    fputc('\n', file);
}

/* Lines of numbers, block by block. */
static sp_status write_rows(sp_result *result, FILE *file, int n, const int *channel,
                            sp_csv_frames frames, sp_error *err)
{
    const size_t n_frame = frames.first + frames.n;
    const size_t block = sp_result_block_rows(result, n, channel);
    double *value = malloc(block * (size_t)n * sizeof *value);
    sp_status status = value ? SP_OK : SP_FAIL(err, SP_E_MEMORY, "out of memory for %d columns", n);
    for (size_t first = frames.first; status == SP_OK && first < n_frame; first += block) {
        const size_t rows = n_frame - first < block ? n_frame - first : block;
        status = sp_result_read(result, n, channel, first, rows, value, err);
        for (size_t i = 0; status == SP_OK && i < rows * (size_t)n; i++) {
            fprintf(file, "%.17g%c", value[i], (i + 1) % (size_t)n == 0 ? '\n' : ',');
        }
        if (status == SP_OK && ferror(file)) {
            status = SP_FAIL(err, SP_E_IO, "cannot write the values: %s", strerror(errno));
        }
    }
    free(value);
    return status;
}

/* Look the names up, the time first. */
static sp_status choose(sp_result *result, int n, const char *const *names, int *channel, int *used,
                        sp_error *err)
{
    channel[0] = 0;
    *used = 1;
    if (!names) {
        for (int k = 1; k < n; k++) {
            channel[k] = k;
        }
        *used = n;
        return SP_OK;
    }
    for (int k = 0; k < n; k++) {
        SP_TRY(sp_result_find(result, names[k], &channel[*used], err));
        *used += k > 0 || channel[*used] != 0; /* a 't' in front is there already */
    }
    return SP_OK;
}

sp_status sp_csv_frame_at(sp_result *result, double t, size_t *frame, sp_error *err)
{
    const size_t n = sp_result_about(result)->n_frame;
    double begin = NAN, end = NAN;
    if (n > 0) {
        SP_TRY(sp_result_read(result, 1, &(int){0}, 0, 1, &begin, err));
        SP_TRY(sp_result_read(result, 1, &(int){0}, n - 1, 1, &end, err));
    }
    if (!(t >= begin && t <= end)) {
        return SP_FAIL(err, SP_E_INPUT,
                       "no frame at t = %.9g s: the result goes from %.9g to %.9g s", t, begin,
                       end);
    }
    size_t low = 0, high = n - 1; /* times rise: t_low <= t <= t_high */
    double t_low = begin, t_high = end;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        double t_middle;
        SP_TRY(sp_result_read(result, 1, &(int){0}, middle, 1, &t_middle, err));
        low = t_middle <= t ? middle : low;
        t_low = t_middle <= t ? t_middle : t_low;
        high = t_middle <= t ? high : middle;
        t_high = t_middle <= t ? t_high : t_middle;
    }
    *frame = t - t_low <= t_high - t ? low : high;
    return SP_OK;
}

sp_status sp_csv_write(sp_result *result, FILE *file, int n, const char *const *names,
                       const sp_csv_frames *frames, sp_error *err)
{
    const sp_csv_frames all = {.n = sp_result_about(result)->n_frame};
    names = n > 0 ? names : NULL;
    const int most = names ? n : sp_result_about(result)->n_channel;
    int used = 0;
    int *channel = malloc(((size_t)most + 1) * sizeof *channel);
    if (!channel) {
        return SP_FAIL(err, SP_E_MEMORY, "out of memory for %d columns", most);
    }
    sp_status status = choose(result, most, names, channel, &used, err);
    if (status == SP_OK) {
        write_header(result, file, used, channel);
        status = write_rows(result, file, used, channel, frames ? *frames : all, err);
    }
    if (status == SP_OK && (fflush(file) != 0 || ferror(file))) {
        status = SP_FAIL(err, SP_E_IO, "cannot write the values: %s", strerror(errno));
    }
    free(channel);
    return status;
}
