/* analysis/view.h - frames, gaps and forces of a state, without the scratch that stepping needs:
 * also for machines that are too large to be stepped here. */
#ifndef SP_ANALYSIS_VIEW_H
#define SP_ANALYSIS_VIEW_H

#include "contact/con.h"

typedef struct sp_view {
    sp_arena arena; /* owns everything */
    sp_kin kin;
    sp_con con; /* vertices, gaps and features only */
    sp_dyn dyn; /* forces only: no mass matrix               */
} sp_view;

/* On failure *view is NULL. */
sp_status sp_view_new(const sp_model *m, const sp_allocator *allocator, sp_view **view,
                      sp_error *err);
void sp_view_free(sp_view *view);

/* Frames, velocities, bias accelerations and gaps at the state. */
void sp_view_look(const sp_model *m, const sp_state *x, sp_view *view);

/* Whether the mass matrix at x can be used.  SP_E_NONFINITE, naming the coordinate, if it is not
 * positive definite. */
sp_status sp_view_mass(const sp_model *m, const sp_state *x, const sp_allocator *allocator,
                       sp_error *err);

#endif
