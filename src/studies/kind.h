/* studies/kind.h - kinds of studies whose points are more than a run: orbits, branches, exponents.
 * Each is a file with an sp_study_runner. */
#ifndef SP_STUDIES_KIND_H
#define SP_STUDIES_KIND_H

#include "studies/journal.h"
#include "studies/shoot.h"

/* A machine at its start. */
typedef struct sp_machine {
    sp_model *m;
    sp_state *x;
    sp_work *w;
    sp_run_options o;
} sp_machine;

struct sp_study_runner {
    const char *word;  /* of the study's kind, and of its section                    */
    const char *group; /* of the result file, for what points leave behind           */
    int n_own;         /* measures of its own, behind those of the model             */
    bool alone;        /* ... or in their place                                      */
    const char *const *name, *const *unit;
    sp_status (*read)(sp_study *s, sp_error *err);
    sp_status (*run)(sp_engine *e, sp_machine *c, sp_error *err);
};

extern const sp_study_runner sp_study_orbit, sp_study_continue, sp_study_lyapunov;

/* The runner of that word, NULL: it is another kind. */
const sp_study_runner *sp_study_runner_of(const char *word);

/* ---- engine.c -------------------------------------------------------------------------------- */

/* What is run, what comes of it, where the point's own measures are. */
sp_study *sp_engine_study(sp_engine *e);
sp_outcome *sp_engine_outcome(sp_engine *e);
double *sp_engine_own(sp_engine *e);

/* Build the model as its spec is now, in place of what was built before; texts of its leaves. */
sp_status sp_engine_build(sp_engine *e, sp_machine *c, sp_error *err);
sp_arena *sp_engine_texts(sp_engine *e);

/* Run c to the end of its options, with measures and samples. */
sp_status sp_engine_run_once(sp_engine *e, sp_machine *c, sp_error *err);

/* Whether the point takes too long; SP_E_INTERRUPTED then. */
sp_status sp_engine_is_late(sp_engine *e, double t, sp_error *err);

/* ---- orbit.c --------------------------------------------------------------------------------- */

/* The section `orbit`, or those keys of another section. */
sp_status sp_orbit_read(sp_study *s, const sp_node *map, sp_error *err);

/* Measures and samples of an orbit over one period. */
sp_status sp_orbit_measure(sp_engine *e, sp_machine *c, sp_shoot *shoot, sp_error *err);

/* ---- extra.c: tables that a point leaves behind -----------------------------------------------
 */

/* Add a table of rows x cols numbers to the outcome; cols 0: a list.  False: no memory. */
bool sp_extra_add(sp_outcome *o, const char *name, uint64_t rows, uint64_t cols,
                  const double *value);

/* One after the other: *at begins with 0; false: there are no more. */
typedef struct sp_extra {
    char name[32];
    uint64_t rows, cols;
} sp_extra;
bool sp_extra_next(const sp_bytes *bytes, size_t *at, sp_extra *head, const double **value);

#endif
