/* integrators/moreau.h - Moreau's midpoint time stepping, in the stages a step goes through. */
#ifndef SP_INTEGRATORS_MOREAU_H
#define SP_INTEGRATORS_MOREAU_H

#include "integrators/step_rule.h"

/* Bodies that penetrate deeper than this at the end of a step are moved apart, of m->extent.gap: a
 * thousand times the round-off of places that are sums of ten terms. */
#define SP_GAP_CORRECT SP_FINE

/* The same for bilateral rows [m, rad]: just above round-off. */
#define SP_BOND_CORRECT SP_EXACT

/* Energies and gaps of x, which the next step starts from, if they are not there yet. */
void sp_step_refresh(const sp_model *m, sp_state *x, sp_work *w);

/* First half: midpoint, contact problem, percussions P.  x stays as it is.   theory (7.1)-(7.5) */
sp_status sp_moreau_solve(const sp_model *m, const sp_state *x, sp_work *w,
                          const sp_step_rule *rule, double dt, sp_error *err);

/* Second half: end velocity and position from P, certificate, correction, ledger, events; x is
 * written on success only.   theory (7.6)-(7.9) */
sp_status sp_moreau_finish(const sp_model *m, sp_state *x, sp_work *w, const sp_step_rule *rule,
                           double dt, sp_error *err);

/* Both: a step of the methods moreau and moreau-mean, and a plain one of adaptive. */
sp_status sp_moreau_step(const sp_model *m, sp_state *x, sp_work *w, const sp_step_rule *rule,
                         double dt, sp_error *err);

/* Move the bodies at w->q out of penetration by the smallest mass-weighted change of position;
 * frames and gaps at w->q on entry and on return, energies (of u_E) after a change.  On entry the
 * factor of M is that of w->q or of a configuration nearby.
 * theory (7.9), (7.10) */
sp_status sp_project_positions(const sp_model *m, const sp_numbers *num, sp_effort effort,
                               sp_work *w, sp_error *err);

/* What the step did to contacts, as events and as memory of x.   theory section 9 */
void sp_step_events(const sp_model *m, sp_state *x, sp_work *w, const sp_step_rule *rule,
                    double dt);

/* Contacts of x that have passed a seam of their curve go on in the slot behind it, with all that
 * they remember.   theory (58.4) */
void sp_step_hand_over_seams(const sp_model *m, sp_state *x, sp_work *w);
static inline void sp_step_pass_seams(const sp_model *m, sp_state *x, sp_work *w)
{
    if (m->layout.seams && x->n_touched > 0) {
        sp_step_hand_over_seams(m, x, w);
    }
}

#endif
