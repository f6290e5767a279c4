/* integrators/grips.h - friction of joints that grows with their own reactions.
 *
 *     |lambda_f| <= F + grip,   grip = mu (|N_1| + |N_2|) of a guide, mu r times that of a journal
 *
 * The reactions follow from all forces and accelerations, hence from lambda_f, too: a fixed point
 * of the contact problem over the grips.   theory (86.1)-(86.4) */
#ifndef SP_INTEGRATORS_GRIPS_H
#define SP_INTEGRATORS_GRIPS_H

#include "integrators/work.h"

typedef struct sp_grips sp_grips;

/* Room for them in the arena of w, if the model has any; false if there is none. */
bool sp_grips_room(const sp_model *m, sp_work *w);

/* The problem in w->con is new: no joint has a grip. */
void sp_grips_begin(const sp_model *m, sp_work *w);

/* du and P (by rows) are the solution of the problem in w->con with the grips so far, over its dt:
 * the sets get the grips of its reactions, or the next guess.  Whether it has to be solved again;
 * SP_E_NOT_CONVERGED: no grips are found. */
sp_status sp_grips_next(const sp_model *m, const sp_numbers *num, const double *du, const double *P,
                        sp_work *w, bool *again, sp_error *err);

/* n_dof numbers for a du of somebody who has none. */
double *sp_grips_du(const sp_work *w);

#endif
