/* solvers/watch.h - somebody who sees every contact problem that a run solves. */
#ifndef SP_SOLVERS_WATCH_H
#define SP_SOLVERS_WATCH_H

#include "solvers/fc.h"

/* What xi and P of a problem are. */
typedef enum sp_watch_level {
    SP_WATCH_STEP,        /* velocities and percussions of a time step */
    SP_WATCH_POSITION,    /* the correction of positions behind it     */
    SP_WATCH_IMPACT,      /* velocities and impulses of an impact      */
    SP_WATCH_ACCELERATION /* accelerations and forces of an instant    */
} sp_watch_level;

typedef struct sp_watch {
    void *self;
    /* Called after the solution: the problem as it was posed, dense or in blocks (the other one is
     * NULL), and what came of it.  It may keep copies, no pointers. */
    void (*see)(void *self, sp_watch_level level, const sp_problem *dense, const sp_fc *blocks,
                const sp_solution *s);
} sp_watch;

/* Show a problem, dense or in blocks, to w; NULL: nobody watches. */
static inline void sp_watch_show(const sp_watch *w, sp_watch_level level, const sp_problem *dense,
                                 const sp_fc *blocks, const sp_solution *s)
{
    if (w) {
        w->see(w->self, level, dense, blocks, s);
    }
}

#endif
