/* io/problem_dump.h - the contact problems of a run as files that 'specht solve' reads. */
#ifndef SP_IO_PROBLEM_DUMP_H
#define SP_IO_PROBLEM_DUMP_H

#include "solvers/watch.h"

/* No more files than this. */
enum { SP_DUMP_MOST = 10000 };

typedef struct sp_problem_dump {
    const char *folder;         /* there                                                     */
    long every;                 /* every so manieth problem; 0: those that were hard to solve */
    long seen, wanted, written; /* problems of the run, to be written, written               */
    char reason[512];           /* why the first of the others was not                       */
} sp_problem_dump;

/* The watch that writes folder/problem_NNNNNN.hdf5 (FCLIB, with the solution), NNNNNN counting the
 * problems of the run from 1. */
sp_watch sp_problem_dump_watch(sp_problem_dump *d);

/* Whether a problem was hard: pivoting from scratch, many iterations, or no solution. */
int sp_problem_was_hard(const sp_solution *s);

#endif
