/* ranks/ranks.h - studies on the ranks that mpirun starts: the first one manages, the others run
 * points.
 *
 * The program `specht` knows no MPI (none.c): started by mpirun it becomes the program
 * `specht-mpi`, which is the same but for mpi.c, and is built where MPI is. */
#ifndef SP_RANKS_RANKS_H
#define SP_RANKS_RANKS_H

#include "specht/study.h"

#include <stdbool.h>

/* At the begin of the program.  False: it was started by mpirun and cannot do what that asks for;
 * the reason is printed. */
bool sp_ranks_begin(int *argc, char ***argv);

/* At its end, with its exit code; the exit code. */
int sp_ranks_end(int code);

/* Who runs points; NULL: nothing but this process, which may make others. */
const struct sp_crew_kind *sp_ranks_crew(void);

/* Run points until the manager wants no more; false: this is the manager. */
bool sp_ranks_serve(sp_study *study, const sp_stiff_driver *stiff);

#endif
