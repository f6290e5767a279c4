/* analysis/start_parts.h - what the files of the start state share; nobody else includes it. */
#ifndef SP_ANALYSIS_START_PARTS_H
#define SP_ANALYSIS_START_PARTS_H

#include "analysis/view.h"

/* Whether a degree of freedom is prescribed: its velocity, or its coordinate. */
static inline bool sp_start_holds(const sp_model *m, int dof, bool rate)
{
    const int motion = m->dof[dof].motion;
    return motion != SP_NONE && (rate || !m->motion[motion].speed);
}

/* Report a start value that no motion of its joint can give (v NULL: nothing is asked for). */
void sp_start_check(const sp_start_value *v, double is, sp_diag *diag);

/* q and u in space from the start values; those that are prescribed are in x already. */
sp_status sp_start_space(const sp_model *m, sp_state *x, sp_view *view, sp_diag *diag);

/* Move bodies out of penetration, and note by how much; x and what is looked at are those behind
 * it. */
sp_status sp_start_project(const sp_model *m, const sp_allocator *allocator, sp_state *x,
                           sp_view *view, sp_diag *diag);

/* Move the machine into the equilibrium near x, on contacts that touch and push there; velocities
 * are zero but those that are prescribed. */
sp_status sp_start_settle(const sp_model *m, const sp_allocator *allocator, sp_state *x,
                          sp_view *view, sp_diag *diag);

#endif
