/* analysis/view.h - frames, gaps and forces of a state, without the scratch that stepping needs:
 * also for machines that are too large to be stepped here. */
#ifndef SP_ANALYSIS_VIEW_H
#define SP_ANALYSIS_VIEW_H

#include "base/diag.h"
#include "contact/con.h"
#include "model/state.h"
#include "specht/mechanics.h"

struct sp_view {
    sp_arena arena; /* owns everything */
    sp_kin kin;
    sp_con con; /* vertices, gaps and features only */
    sp_dyn dyn; /* forces only: no mass matrix               */
};

/* On failure *view is NULL. */
sp_status sp_view_new(const sp_model *m, const sp_allocator *allocator, sp_view **view,
                      sp_error *err);

/* Frames, velocities, bias accelerations and gaps at the state. */
void sp_view_look(const sp_model *m, const sp_state *x, sp_view *view);

/* M (n_dof x n_dof) from its packed form. */
void sp_view_unpack(const sp_model *m, const sp_dyn *dyn, double *M);

/* Mass matrix (n_dof x n_dof) and forces (n_dof) at x; either may be NULL.  SP_E_NONFINITE, naming
 * the coordinate, if M is not positive definite over what is not prescribed. */
sp_status sp_view_terms(const sp_model *m, const sp_state *x, double *M, double *h, sp_error *err);

/* Velocities that are free at x: those of the joints without prescribed ones, less the rank of the
 * bilateral rows there.  SP_NONE if that cannot be found.   theory (22.7) */
int sp_freedom(const sp_model *m, const sp_state *x, const sp_allocator *allocator);

/* Warn of springs whose two points coincide at x, where they have no direction and no force, and of
 * contacts whose gaps no coordinate moves.  The view is at x, and is so again afterwards.
 * SP_E_MEMORY: nothing was looked at.   theory (55.6) */
sp_status sp_idle_check(const sp_model *m, const sp_state *x, sp_view *view, sp_diag *diag);

/* Stops, one-way clutches and contacts in which everything that moves is prescribed must not be
 * violated up to the end of the run, 'until' [s]; looked at in a thousand places, from the start x
 * on.  The view is at x again afterwards. */
sp_status sp_prescribed_check(const sp_model *m, const sp_state *x, double until, sp_view *view,
                              sp_diag *diag);

#endif
