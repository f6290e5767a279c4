/* studies/findings.h - what is concluded from all points when they are done: attractors of basins,
 * sensitivities, spectra.  They become the parts of the result file. */
#ifndef SP_STUDIES_FINDINGS_H
#define SP_STUDIES_FINDINGS_H

#include "studies/study.h"

/* How outcomes of points are read. */
typedef struct sp_outcomes {
    sp_status (*get)(void *ctx, uint64_t point, sp_outcome *o, sp_error *err);
    void *ctx;
} sp_outcomes;

typedef struct sp_findings {
    sp_arena arena;
    int n, room;
    sp_table_part *part;
    const int *attractor; /* of each point; NULL: none */
} sp_findings;

sp_status sp_findings_find(sp_study *s, const sp_outcomes *from, sp_findings *f, sp_error *err);
void sp_findings_free(sp_findings *f);

/* A part to be filled: column and unit have n_column texts, row n_row, value n_row x n_column. */
typedef struct sp_draft {
    const char **column, **unit, **row; /* units are "1" at first */
    double *value;
} sp_draft;

/* A new part; false: no memory.  named: its rows have names. */
bool sp_findings_add(sp_findings *f, const char *name, uint64_t n_row, int n_column, bool named,
                     sp_draft *draft);

/* ---- basin.c ---------------------------------------------------------------------------------
 */

/* Sizes of cells, when the names of the samples are known. */
sp_status sp_basin_check(sp_study *s, sp_error *err);
void sp_basin_free(sp_basin *b); /* NULL is allowed */

/* The samples of a run as they come; *found: enough of them are seen. */
typedef struct sp_basin_walk sp_basin_walk;
sp_basin_walk *sp_basin_walk_new(const sp_study *s);
void sp_basin_walk_free(sp_basin_walk *w); /* NULL is allowed */
void sp_basin_walk_begin(sp_basin_walk *w);
sp_status sp_basin_walk_step(sp_basin_walk *w, const double *value, bool *found, sp_error *err);

/* The last samples are those of the attractor: how many count, behind *first; the own measures. */
uint64_t sp_basin_walk_end(const sp_basin_walk *w, const double *sample, uint64_t n_sample,
                           uint64_t *first, double *own);

sp_status sp_basin_find(sp_study *s, const sp_outcomes *from, sp_findings *f, sp_error *err);

/* ---- sensitivity.c ---------------------------------------------------------------------------
 */

/* Points of the method in 0..1; s->axis are the parameters. */
sp_status sp_sensitivity_points(sp_study *s, const sp_node *node, sp_error *err);
sp_status sp_sensitivity_find(sp_study *s, const sp_outcomes *from, sp_findings *f, sp_error *err);

/* ---- spectrum.c ------------------------------------------------------------------------------
 */

sp_status sp_spectrum_find(sp_study *s, const sp_outcomes *from, sp_findings *f, sp_error *err);

#endif
