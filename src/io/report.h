/* io/report.h - results as one page: a template with the numbers of the runs put into it.
 *
 * The page is one HTML file that draws what stands in its element 'specht-data', JSON of format 1:
 * runs with their channels, poses, contacts, events, energies and the model.  Numbers are base64 of
 * little-endian floats (doubles where a float would show steps). */
#ifndef SP_IO_REPORT_H
#define SP_IO_REPORT_H

#include "io/json.h"
#include "specht/result.h"

typedef struct sp_page_options {
    size_t frames; /* most frames of a run, 0: as many as fit, at most 4000 */
    size_t bytes;  /* that the data of all runs should take, 0: 4.1 MB      */
} sp_page_options;

/* What of a run is shown. */
enum { SP_PAGE_NOTE = 512 };
typedef struct sp_page_extent {
    size_t frames_in, frames;     /* in the file, on the page            */
    size_t channels_in, channels; /* likewise                            */
    char note[SP_PAGE_NOTE];      /* what was left out, empty if nothing */
} sp_page_extent;

/* Read the template.  SP_E_INPUT if it has no place for the data.  free(*page) afterwards. */
sp_status sp_page_read(const char *path, char **page, sp_error *err);

/* Write the page of n >= 1 results; extent (n, may be NULL) is filled.  SP_E_INPUT if a result has
 * no frame. */
sp_status sp_page_write(FILE *file, const char *page, int n, sp_result *const *result,
                        const sp_page_options *options, sp_page_extent *extent, sp_error *err);

/* Write the template with n bytes of JSON as its data. */
sp_status sp_page_fill(FILE *file, const char *page, const char *data, size_t n, sp_error *err);

/* One run as an object; report_run.c. */
sp_status sp_page_put_run(sp_json *j, sp_result *result, size_t frames, size_t bytes,
                          sp_page_extent *extent, sp_error *err);

#endif
