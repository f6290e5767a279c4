/* contact/coefficient.h - coefficients of a contact law at a speed.   theory section 16
 *
 * Numbers of the law are in sp_law_numbers; where the model file has expressions, these say what
 * they come to.  At rest the coefficient of friction is mu of sp_law_numbers (mu_0). */
#ifndef SP_CONTACT_COEFFICIENT_H
#define SP_CONTACT_COEFFICIENT_H

#include "contact/con.h"

/* Whether friction of the slot depends on the speed of sliding, or is another one at rest. */
static inline bool sp_con_by_speed(const sp_model *m, int slot)
{
    const int law = m->slot[slot].law;
    return law != SP_NONE && m->law[law].by_speed;
}

/* Whether its restitution depends on the speed of approach. */
static inline bool sp_con_by_approach(const sp_model *m, int slot)
{
    const int law = m->slot[slot].law;
    return law != SP_NONE && m->law[law].by_approach;
}

/* Coefficient of friction of a law at the speed of sliding v >= 0 (v = 0: at the slowest sliding,
 * not at rest), never negative, and its slope d mu/dv [s/m], which may be NULL.  in and grad are
 * scratch of m->expr_input doubles, work of m->expr_work. */
double sp_law_mu(const sp_model *m, const sp_numbers *num, int law, double v, double *in,
                 double *grad, double *work, double *slope);

/* The same of a slot that has friction, with the scratch of con. */
double sp_con_mu(const sp_model *m, const sp_numbers *num, const sp_con *con, int slot, double v,
                 double *slope);

/* Normal and tangential restitution of a slot that is hit with the speed v_N >= 0, each within 0
 * to 1. */
void sp_con_restitution(const sp_model *m, const sp_numbers *num, const sp_con *con, int slot,
                        double v_N, double eps[2]);

#endif
