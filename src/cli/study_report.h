/* cli/study_report.h - what sweep, study and merge share: running a study, telling its result. */
#ifndef SP_CLI_STUDY_REPORT_H
#define SP_CLI_STUDY_REPORT_H

#include "cli/options.h"
#include "io/json.h"
#include "specht/study.h"

#include <stdio.h>

/* What the command line asks for. */
typedef struct sp_study_wishes {
    const char *output, *jobs, *shard, *csv, *retry;
    bool json, quiet, fresh, yes;
} sp_study_wishes;

/* The options of a study into list, which has room for 9; how many. */
int sp_study_option_list(sp_study_wishes *w, sp_option *list);

/* Run a study to its end, or to where it is stopped; name: of the result, unless asked for.  Frees
 * the study.  The exit code. */
int sp_cli_run_study(const char *command, sp_study *study, const sp_study_wishes *w,
                     const char *name);

/* Comma-separated values: of "points" (NULL: these), "samples", or a part; false: there is no such
 * thing.  The names of all these; a part as lines; everything as JSON.  study_table.c */
bool sp_table_print_csv(const sp_table *t, const char *what, FILE *file);
void sp_table_print_names(const sp_table *t, FILE *file);
void sp_table_print_part(const sp_table_part *p, uint64_t lines, FILE *file);
void sp_table_print_json(const sp_table *t, FILE *file);

/* Names and units of n columns; those of all columns of points and samples. */
void sp_table_json_columns(sp_json *j, const char *key, int n, const char *const *name,
                           const char *const *unit);
void sp_table_json_names(sp_json *j, const sp_table *t);

/* The report page: the template `page` with the study in it.  study_page.c */
sp_status sp_table_write_page(const sp_table *t, const char *file, const char *page, FILE *to,
                              sp_error *err);

/* Figures of the result of a study; stem: their names without "_NAME.svg". study_plot.c */
sp_status sp_table_plot(const sp_table *t, const char *stem, const char *format, bool quiet,
                        sp_error *err);

#endif
