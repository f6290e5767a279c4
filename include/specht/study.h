/* specht/study.h - many runs of one machine: sweeps, samples, basins, optimisation; on all cores,
 * resumable.
 *
 *     sp_study_load("gear.study.yaml", &study, &err);
 *     sp_study_options options = sp_study_options_default();
 *     options.result = "gear.h5";
 *     sp_study_run(study, &options, &outcome, &err);
 *     sp_table_open("gear.h5", &table, &err);             points, parameters, measures, samples
 *
 * What is done already stands in RESULT.journal, which survives every death of the program: the
 * same call goes on with it.  Every number of a result is the same for any number of workers,
 * shards and interruptions, but of points that 'limit' ended.
 *
 * A study belongs to one thread. */
#ifndef SPECHT_STUDY_H
#define SPECHT_STUDY_H

#include "specht/run.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sp_study sp_study; /* a study file and the model that it names */

/* How a point ended. */
typedef enum sp_point_status {
    SP_POINT_CLEAN,     /* "clean"                                                           */
    SP_POINT_DOUBTFUL,  /* "doubtful": at its end, with doubts                               */
    SP_POINT_UNSETTLED, /* "unsettled": measures still changed at the end                    */
    SP_POINT_FAILED,    /* "failed": the run ended early; the message says why               */
    SP_POINT_INVALID,   /* "invalid": the model cannot be built with these values            */
    SP_POINT_LIMIT,     /* "limit": it took too long                                         */
    SP_POINT_CRASHED,   /* "crashed": its worker died                                        */
    SP_POINT_N
} sp_point_status;

/* Read a study file and its model; a text instead of the file, named so in messages.  The model is
 * built once, for the first point, so that mistakes are found.  SP_E_INPUT, SP_E_IO. */
SP_API sp_status sp_study_load(const char *path, sp_study **study, sp_error *err);
SP_API sp_status sp_study_load_text(const char *name, const char *text, size_t n, sp_study **study,
                                    sp_error *err);
SP_API void sp_study_free(sp_study *study); /* NULL is allowed */

/* What a study is, before it is run.  Texts live as long as it does. */
typedef struct sp_study_info {
    const char *kind; /* "sweep", "bifurcation", "response", "basin", ... */
    uint64_t n_point; /* at most                                          */
    int n_measure;
    const char *const *measure;
} sp_study_info;

SP_API sp_study_info sp_study_about(const sp_study *study);

/* Where a study stands. */
typedef struct sp_study_progress {
    uint64_t n, done, resumed; /* points in all (of a shard: of it), done, of these found done   */
    uint64_t most;  /* points there may be; n, but of optimisation, whose n grows       */
    uint64_t bad;   /* of the done ones failed, invalid, ended by limit, crashed      */
    double seconds; /* since the call                                                 */
    double worst;   /* the worst residual of all runs                                 */
    double best;    /* of optimisation: the best objective so far, else not a number  */
} sp_study_progress;

typedef struct sp_study_options {
    size_t size;
    int jobs;           /* workers, 0: one for every core                                       */
    const char *result; /* file                                                                 */
    int shard, shards;  /* 1..shards; 0: all.  The result of a shard is a part for sp_study_merge */
    bool fresh;         /* begin anew, whatever is there                                        */
    bool retry;         /* points that were failed, ended by limit or crashed again             */
    const sp_stiff_driver *stiff;
    const struct sp_crew_kind *crew; /* who runs points, NULL: processes of this machine        */
    int (*stop)(void *ctx); /* asked ten times a second: not 0 ends the study; may be NULL      */
    void (*progress)(void *ctx, const sp_study_progress *progress); /* likewise                  */
    void *ctx;
} sp_study_options;

/* All cores, no shards, nobody who watches.  Thread-safe. */
SP_API sp_study_options sp_study_options_default(void);

/* Run what is not done yet, and write the result.  SP_E_INTERRUPTED if it was stopped: the same
 * call goes on.  SP_E_INPUT if the journal is of another study (the text says what differs). */
SP_API sp_status sp_study_run(sp_study *study, const sp_study_options *options,
                              sp_study_progress *outcome, sp_error *err);

/* The result of a study from the parts of all its shards. */
SP_API sp_status sp_study_merge(sp_study *study, int n, const char *const *part, const char *result,
                                sp_error *err);

/* ---- results --------------------------------------------------------------------------------- */

/* What was concluded from all points: a table of numbers, such as the attractors of a basin. */
typedef struct sp_table_part {
    const char *name;
    uint64_t n_row;
    int n_column;
    const char *const *column, *const *unit; /* n_column */
    const char *const *row;                  /* n_row names; NULL: they have none */
    const double *value;                     /* n_row x n_column */
} sp_table_part;

/* What one point left behind: "multipliers" of its orbit (real and imaginary parts), "orbits" of
 * its branches. */
typedef struct sp_table_left {
    uint64_t point;
    const char *name;
    uint64_t n_row, n_column;
    const double *value;
} sp_table_left;

/* A word that stands for a number among the values of a parameter. */
typedef struct sp_table_word {
    int parameter, value;
    const char *text;
} sp_table_word;

/* The result of a study in memory.  Rows are points; columns parameters, then measures. */
typedef struct sp_table {
    const char *kind, *study_text, *model_text, *version;
    uint64_t n_point;
    int n_parameter, n_measure, n_keep;
    const char *const *name, *const *unit; /* n_parameter + n_measure + n_keep */
    const unsigned char *status;           /* n_point: sp_point_status          */
    const char *const *status_word;        /* SP_POINT_N: "clean", ...          */
    const double *parameter;               /* n_point x n_parameter             */
    const double *measure;                 /* n_point x n_measure               */
    const uint64_t *offset;                /* n_point + 1: where the samples of a point begin */
    const double *t, *sample;              /* samples; x n_keep                 */
    const char *optimum; /* of optimisation: lines "name = value", else ""          */
    const char *story;   /* likewise: lines "generation best width"                */
    const char *along;   /* of branches: the parameter that they go along, "Gamma [m]", else "" */
    int n_part;
    const sp_table_part *part;
    int n_left;
    const sp_table_left *left;
    const char *command; /* that repeats a point as a full run, before "--set PARAMETER=VALUE"    */
    bool chained;        /* points begin where the one before ended, which it does not repeat     */
    int repeat;          /* point i has the model's seed `seed` + i / stride modulo repeat        */
    uint64_t stride;
    long long seed;
    int n_word;
    const sp_table_word *word;
    uint64_t n_message;
    const uint64_t *message_point; /* n_message */
    const char *const *message;
} sp_table;

/* SP_E_INPUT: the file is no result of a study; SP_E_IO: it is one, but damaged. */
SP_API sp_status sp_table_open(const char *path, const sp_table **table, sp_error *err);
SP_API void sp_table_free(const sp_table *table); /* NULL is allowed */

#ifdef __cplusplus
}
#endif
#endif
