/* studies/study.h - a study as it is read, and its points.
 *
 *     study_read.c  the file (read.h) points.c   values of each point
 *     engine.c      one point, run    crew.c     workers              manage.c  who runs what
 *     journal.c     what is done      table.c    the result file      optimize.c  CMA-ES
 *     basin.c, sensitivity.c, spectrum.c   what is concluded from all points (findings.h) */
#ifndef SP_STUDIES_STUDY_H
#define SP_STUDIES_STUDY_H

#include "base/arena.h"
#include "model/spec.h"
#include "specht/study.h"

typedef enum sp_study_kind_of {
    SP_SWEEP,
    SP_BIFURCATION,
    SP_RESPONSE,
    SP_OPTIMIZE,
    SP_BASIN,
    SP_SENSITIVITY,
    SP_RUNNER /* one of kind.h */
} sp_study_kind_of;

/* A parameter that is varied, or a start value that is drawn. */
typedef struct sp_axis {
    const char *name, *unit; /* unit "": a plain number, or a word             */
    sp_node *leaf;           /* of the model's spec                            */
    int n;                   /* values of a grid, 0: a range                   */
    const double *value;     /* n: as numbers; of words their number           */
    const char *const *text; /* n: as written; NULL: the numbers with the unit */
    double from, to, start;
    bool log, words; /* words: some values are words, not numbers */
} sp_axis;

/* Until measures do not change. */
typedef struct sp_settling {
    const char *block; /* expression, NULL: not asked for */
    double tolerance;
    int most;
} sp_settling;

typedef struct sp_goal sp_goal;               /* optimize.c    */
typedef struct sp_basin sp_basin;             /* basin.c       */
typedef struct sp_sensitivity sp_sensitivity; /* sensitivity.c */

typedef struct sp_study_runner sp_study_runner; /* kind.h     */
struct sp_orbit_wish;                           /* shoot.h    */
struct sp_branch_wish;                          /* continue.c */

/* Bytes that grow (journal.c). */
typedef struct sp_bytes {
    unsigned char *data;
    size_t n, room;
} sp_bytes;

/* Own measures of a basin, behind those of the model. */
enum { SP_BASIN_ATTRACTOR, SP_BASIN_PERIOD, SP_BASIN_TRANSIENT, SP_BASIN_OWN };

struct sp_study {
    sp_arena arena;
    sp_spec *spec, *model; /* of the study file, of the model file                       */
    const char *model_path;
    sp_study_kind_of kind;
    int n_axis;  /* columns                                                            */
    int n_drawn; /* the last of them, drawn for each start                              */
    sp_axis *axis;
    uint64_t n_row; /* points of a CSV file or of sampling: rows of given; 0: a grid */
    double *given;  /* n_row x (n_axis - n_drawn)                                    */
    int repeat, n_start;
    sp_node *seed_leaf;
    long long seed, model_seed;
    bool chained, both;        /* points begin where the one before ended; up and down         */
    uint64_t n_point, n_chain; /* points in all; in a chain                              */
    double limit;              /* s, 0: none                                             */
    sp_settling settling;
    int n_measure, n_keep;
    const char **measure, **measure_unit, **keep, **keep_unit;
    const char *along;   /* "Gamma [m]": what branches go along, NULL: there are none */
    const char *command; /* that runs a point, without its parameters */
    const char *data;    /* names and hashes of the CSV files, a line each; NULL: there are none */
    char *about;         /* all that the numbers depend on: sources, settings, version           */
    sp_goal *goal;
    sp_basin *basin;
    sp_sensitivity *sensitivity;
    const sp_study_runner *runner; /* of kinds whose points are more than a run, else NULL */
    struct sp_orbit_wish *orbit;
    struct sp_branch_wish *branch;
    struct sp_lyapunov_wish *lyapunov;
    const sp_node *spectrum; /* NULL: not asked for */
    int n_own;               /* the last measures, which are not the model's */
    const sp_stiff_driver *stiff;
};

/* ---- reading (read.h)
 * ---------------------------------------------------------------------------- */

/* Columns of a CSV file: numbers under a line of names. */
typedef struct sp_csv_columns {
    int n;
    size_t n_row;
    const char **name;
    double *value; /* n_row x n */
} sp_csv_columns;
sp_status sp_study_read_csv(sp_study *s, const sp_node *node, sp_csv_columns *out, sp_error *err);

const char *sp_study_word(const sp_study *s); /* "sweep", "basin", ... */

/* An error at a node of the study file. */
sp_status sp_study_fail_at(const sp_node *node, sp_error *err, const char *text);

/* The value of a text with its unit, which is "" of plain numbers; a whole number from 1 on. */
sp_status sp_study_number(sp_study *s, const sp_node *node, double *value, const char **unit,
                          sp_error *err);
/* Whether a number with this unit, "" if it has none, may stand for one in `own` ("1": a pure
 * number); without a unit it is in SI units. */
bool sp_study_unit_fits(const char *unit, const char *own);
/* The value in SI units of a text in `own` ("1": a pure number); of a node that is not there (NULL)
 * it stays as it is. */
sp_status sp_study_quantity(sp_study *s, const sp_node *node, const char *own, double *value,
                            sp_error *err);
/* "h [mm]" over a column: its name, and its unit ("": none).  False: no memory. */
bool sp_study_head(sp_study *s, const char *head, const char **name, const char **unit);
sp_status sp_study_whole(const sp_node *map, const char *key, long standard, long *value,
                         sp_error *err);

/* Let runs be n periods long, if the study has a period; with tolerance 1e-12 if nobody says
 * another one. */
sp_status sp_study_set_period(sp_study *s, int n, sp_error *err);

/* More axes, from a map of ranges whose names are those behind `before`; needs_n: a grid. */
sp_status sp_study_add_axes(sp_study *s, const sp_node *map, const char *before, bool needs_n,
                            sp_error *err);

/* ---- points.c -------------------------------------------------------------------------------- */

/* A number 0 <= x < 1 of the study's seed and of where it is wanted. */
double sp_study_random(long long seed, uint64_t point, uint64_t k);

/* Rows of sampling in [0, 1), n x d. */
sp_status sp_points_sampling(const char *method, long long seed, uint64_t n, int d, double *row,
                             sp_error *err);

/* Values of a point, n_axis of them, and its run of the repeats (0, ...).  Rows that are given
 * come from `row` if that is not NULL (optimisation). */
uint64_t sp_points_stride(const sp_study *s); /* from one repeat of a point to the next */
void sp_points_values(const sp_study *s, uint64_t i, const double *row, double *value, int *repeat);

/* Put a point into the model's spec; texts live in arena.  False: no memory. */
bool sp_points_put(sp_study *s, uint64_t i, const double *row, sp_arena *arena);

/* 0..1 along the range of an axis as its value, and back. */
double sp_axis_value(const sp_axis *a, double u);
double sp_axis_part(const sp_axis *a, double value);

/* The value of an axis as it is written into a model. */
char *sp_axis_text(const sp_axis *a, double value, sp_arena *arena);

/* ---- engine.c -------------------------------------------------------------------------------- */

/* What comes of a point. */
typedef struct sp_outcome {
    uint64_t point;
    int status;
    double worst; /* residual */
    char message[480];
    uint64_t n_sample, n_room;
    double *measure; /* n_measure               */
    double *sample;  /* n_sample x (1 + n_keep) */
    int n_carry, carry_room;
    double *carry;  /* state at the end, of chains */
    sp_bytes extra; /* tables (kind.h) */
} sp_outcome;

typedef struct sp_engine sp_engine;
sp_status sp_engine_new(sp_study *s, sp_engine **engine, sp_error *err);
void sp_engine_free(sp_engine *engine);

/* Run a point; the outcome lives until the next.  carry: from where, NULL: the model's start. */
const sp_outcome *sp_engine_run(sp_engine *e, uint64_t i, const double *row, int n_carry,
                                const double *carry);

/* Build the first point that can be built and learn names and units. */
sp_status sp_engine_learn(sp_study *s, sp_error *err);

/* ---- basin.c --------------------------------------------------------------------------------- */

/* Read the section; its sizes wait for the names of the samples (sp_basin_check). */
sp_status sp_basin_read(sp_study *s, const sp_node *node, sp_error *err);

/* ---- optimize.c ------------------------------------------------------------------------------ */

/* Read the section; s->axis are the parameters. */
sp_status sp_goal_read(sp_study *s, const sp_node *node, sp_error *err);

/* Rows of the next points, those before `n_known` being done; how many points are there then in
 * *n (s->given holds them); no more than before: the search has ended. */
typedef sp_status (*sp_measure_reader)(void *ctx, uint64_t point, int *status, double *measure,
                                       sp_error *err);
sp_status sp_goal_advance(sp_study *s, sp_measure_reader read, void *ctx, uint64_t *n,
                          sp_error *err);
double sp_goal_best(const sp_study *s);

/* The best candidate, a line for each number; "generation, best, width" for each generation. */
char *sp_goal_text(const sp_study *s, sp_arena *arena);
const char *sp_goal_story(sp_study *s);
void sp_goal_free(sp_goal *goal); /* NULL is allowed */

/* Whether the measures it names are there; when the model's names are known. */
sp_status sp_goal_check(sp_study *s, sp_error *err);

#endif
