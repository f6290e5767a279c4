/* integrators/moreau_parts.h - what the stages of a stepping method share. */
#ifndef SP_INTEGRATORS_MOREAU_PARTS_H
#define SP_INTEGRATORS_MOREAU_PARTS_H

#include "integrators/step_rule.h"

#include <float.h>
#include <math.h>

/* Relative round-off, by what a number has gone through (2.2e-16 each):
 * some forty additions, as velocities of a fixed-point iteration that has ended; */
#define SP_FOUND SP_EXACT

/* a solved problem of some hundred rows with a condition of some ten; */
#define SP_ROUND_OFF SP_TINY

/* an iteration that stops at 1e-11 of the terms of its velocities, and some rows of them. */
#define SP_SLIP_NOISE SP_FINE

/* Slip of a planar contact that its status calls sliding, of the terms that it is a sum of. */
#define SP_SLIP_SURE (64.0 * DBL_EPSILON)

/* The larger of two numbers; one instruction, unlike fmax. */
static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

/* Whether a contact is loaded, by what it remembers: it pushes, or it is closed and pulls. */
static inline bool sp_contact_loaded(const sp_model *m, int slot, const sp_contact_memory *c)
{
    return c->P_N > 0.0 || (c->P_N < 0.0 && c->state != SP_STATE_OPEN && m->slot[slot].is.space);
}

#define SP_SUDDEN 3.0 /* times its percussion of the step before: more is not the same force */

/* Whether a contact of the problem bears nothing and goes away, for steps whose rows look at the
 * mean or the end. */
static inline bool sp_hit_leaves(const sp_work *w, const sp_hit *hit)
{
    const double noise = w->con.disc ? SP_SLIP_NOISE : SP_SLIP_SURE;
    return !hit->bears && !hit->dry && hit->xi_N > noise * w->sol.xi_scale;
}

/* Whether a contact of the problem lasts: it was closed before, or is dry friction, which has no
 * gap to open. */
static inline bool sp_step_lasts(const sp_model *m, const sp_state *x, int slot)
{
    return m->slot[slot].is.dry || x->contact[slot].state != SP_STATE_OPEN;
}

/* Work of contacts and forces in this step.   theory (8.2) */
typedef struct sp_step_work {
    double friction, impacts, contacts, dampers, applied, conservative, momentum;
    double driven;        /* by bilateral rows, prescribed motion and moving contacts */
    double slack;         /* work of bilateral rows that they should not do           */
    double explicit_time; /* part of applied that is not the work of a force          */
} sp_step_work;

/* q_M in w->q, frames and gaps there, and the contacts that may push in the step from x.
 * theory (7.1), (7.2) */
sp_status sp_step_choose(const sp_model *m, const sp_state *x, double dt, sp_work *w,
                         sp_error *err);

/* The factor of M or, where the step is implicit (rule NULL: as before), of A with forces at `at`,
 * over what is not prescribed.   theory (7.11), (7.12), (71.4)-(71.7) */
sp_status sp_step_operator(const sp_model *m, const sp_state *x, const sp_step_rule *rule,
                           const sp_at *at, double dt, sp_work *w, sp_error *err);

/* The first guess of the contact problem: what each contact did in the last step. */
void sp_step_warm_start(const sp_state *x, sp_work *w);

/* Percussions for the smooth forces at hand; W, G, factor of M in w.   theory (7.4), (7.5) */
sp_status sp_step_percussions(const sp_model *m, const sp_state *x, const sp_step_rule *rule,
                              double dt, sp_work *w, sp_error *err);

/* u_E = x->u + du with the percussions, and the certificate of that.   theory (7.6), (6.1)-(6.3) */
void sp_step_velocity(const sp_model *m, const sp_state *x, sp_work *w);

/* The step of dt ends at w->q, w->u_E: energies, gaps, correction of positions, ledger with the
 * works s, events; x is written on success only.   theory (7.9), (8.1) */
sp_status sp_step_end(const sp_model *m, sp_state *x, sp_work *w, const sp_step_rule *rule,
                      double dt, const sp_step_work *s, sp_error *err);

/* The events of a step by rising time; a handful, almost sorted. */
void sp_step_sort_events(sp_work *w);

/* Quaternions of unit length. */
void sp_step_normalise(const sp_model *m, double *q);

/* Percussions that closed contacts remember, times a factor: the step has another length. */
void sp_contacts_scale(const sp_model *m, double factor, sp_contact_memory *contact);

/* Keep what happened to each contact, before the rooms are used again. */
void sp_note_hits(const sp_model *m, const sp_state *x, const sp_step_rule *rule, double dt,
                  sp_work *w);

/* The works of the step from x to w->u_E with the percussions in w.   theory (8.2), (8.4) */
sp_step_work sp_step_works(const sp_model *m, const sp_state *x, double dt, const sp_work *w);

/* The same by element, with the actions in w->dyn and frames where they act in w->kin: w->book.
 * theory (22.6) */
void sp_step_book_elements(const sp_model *m, const sp_state *x, double dt, sp_work *w);

/* Book a step: energies at its end, before and after the correction of positions.
 * theory (8.1), (8.3) */
void sp_step_book(const sp_step_work *s, const sp_energy *end, const sp_energy *corrected,
                  sp_ledger *ledger);

/* How far contacts may be open at the midpoint of a step to be landed, 0 if none is: in space,
 * where no law has restitution.   theory (7.18) */
double sp_step_reach(const sp_model *m, const sp_numbers *num, double dt);

/* What the rows of the problem of a step of dt from x look at beside their velocities; frames are
 * those of the midpoint, reach: sp_step_reach if contacts are landed.   theory (7.17a), (7.18),
 * (17.41) */
void sp_step_rows(const sp_model *m, const sp_state *x, const sp_step_rule *rule, double reach,
                  double dt, sp_work *w);

#endif
