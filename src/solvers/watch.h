/* solvers/watch.h - somebody who sees every contact problem that a run solves. */
#ifndef SP_SOLVERS_WATCH_H
#define SP_SOLVERS_WATCH_H

#include "solvers/fc.h"

typedef struct sp_watch {
    void *self;
    /* Called after the solution: the problem as it was posed, dense or in blocks (the other one is
     * NULL), and what came of it.  It may keep copies, no pointers. */
    void (*see)(void *self, const sp_problem *dense, const sp_fc *blocks, const sp_solution *s);
} sp_watch;

#endif
