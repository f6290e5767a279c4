/* io/result_read.h - what Specht's own programs read of a result beyond the public part. */
#ifndef SP_IO_RESULT_READ_H
#define SP_IO_RESULT_READ_H

#include "model/scene.h"
#include "record/record.h"
#include "specht/result.h"

/* Events first .. first + n - 1 of the table. */
sp_status sp_result_read_events(sp_result *result, size_t first, size_t n, sp_event *event,
                                sp_error *err);

/* The unit of a channel, NULL if there is none; names of contact and body i, "?" if there is none.
 */
const char *sp_result_channel_unit(const sp_result *result, int channel);
const char *sp_result_contact_name(const sp_result *result, int i);
const char *sp_result_body_name(const sp_result *result, int i);

/* What an event is of: the contact, or "force 'brake'" of what switches. */
const char *sp_result_event_name(const sp_result *result, const sp_event *e);

/* Whether the gap of contact i is an angle. */
bool sp_result_contact_turns(const sp_result *result, int i);

/* What a picture shows; NULL if the file does not say (an older one). */
const sp_scene *sp_result_scene(const sp_result *result);

/* An attribute of the file that is a number. */
double sp_result_number(const sp_result *result, const char *key, double otherwise);

/* ---- whole rows ---------------------------------------------------------------------------- */

/* The datasets of io/result_h5.h, those of the outputs behind them.  Numbers in a row, 0 if the
 * file does not have it (a scalar that it does not have is zero), and columns of each body or
 * contact in it. */
int sp_result_n_set(const sp_result *result);
size_t sp_result_width(const sp_result *result, int set);
size_t sp_result_columns(const sp_result *result, int set);

/* Rows first .. first + n - 1 of a dataset, value[row * width + column]. */
sp_status sp_result_read_set(sp_result *result, int set, size_t first, size_t n, double *value,
                             sp_error *err);

/* Where a channel stands. */
void sp_result_locate(const sp_result *result, int channel, int *set, size_t *column);

/* ---- plots --------------------------------------------------------------------------------- */

/* A plot that the model's author asked for. */
enum { SP_PRESET_NAME = 256 };
typedef struct sp_plot_preset {
    char name[SP_PRESET_NAME], title[SP_PRESET_NAME];
    char x[SP_PRESET_NAME]; /* channel                 */
    int n_y;
    char (*y)[SP_PRESET_NAME]; /* channels                */
    bool equal;                /* axes to the same scale  */
} sp_plot_preset;

/* Preset i, 0 <= i < info.n_plot; lives as long as the result. */
const sp_plot_preset *sp_result_plot(const sp_result *result, int i);

/* The expression behind an output ("slider.c1.y/c"), for other channels their name. */
void sp_result_channel_label(sp_result *result, int channel, char *label, size_t size);

/* What a killed writer leaves behind. */
bool sp_result_is_ragged(const sp_result *result); /* some columns have more frames than others */
bool sp_result_is_marked(const sp_result *result); /* as open for writing, or still 'running'   */

/* Frames that fit a sensible amount of memory when these channels are read in blocks. */
size_t sp_result_block_rows(const sp_result *result, int n_channel, const int *channel);

/* For programs, before anything else: HDF5 does not tidy up at exit, where it would complain at
 * length about damaged files.  All files of ours are closed by then. */
void sp_result_quiet_exit(void);

/* As sp_result_recover for a file without a living writer, in place and with the status given;
 * result_recover.c. */
sp_status sp_result_mend(const char *path, const char *status, sp_error *err);

#endif
