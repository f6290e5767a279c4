/* contact/rule.h - contacts, stops, dry friction and couplings given by expressions, and joints
 * that close loops: gap, directions, rheonomic and bias terms, as for contours.
 *
 *     x(s(q), t) with signals s:   x' = sum x_k s_k',   x'' = sum x_kl s_k' s_l' + sum x_k s_k'' */
#ifndef SP_CONTACT_RULE_H
#define SP_CONTACT_RULE_H

#include "contact/con.h"

/* Gap of a GAP slot, or what a BOND or LOOP slot is off by; at con->t, con->q and the frames of
 * con->kin.   theory (4.10), (4.14) */
double sp_rule_gap(const sp_model *m, const sp_numbers *num, const sp_con *con, int slot);

/* The measure of a rule alone, at con->t, con->q and the frames of con->kin. */
double sp_rule_measure(const sp_rule *r, const sp_con *con);

/* Degrees of freedom that move a slot by expressions, falling; how many. */
int sp_rule_support(const sp_model *m, int slot, const int **sup);

/* Rows of W on that support, stride apart (those of W_T only for slots with friction), and w_tilde.
 * Rules with slip velocities read con->u.   theory (4.11), (4.12), (4.15) */
void sp_rule_directions(const sp_model *m, const sp_numbers *num, const sp_con *con, int slot,
                        double *W, int stride, double w_tilde[3]);

/* The part of gamma' that is there for u' = 0, at con->u; velocities and bias of the frames must be
 * there.   theory (4.13), (4.16) */
void sp_rule_bias(const sp_model *m, const sp_numbers *num, const sp_con *con, int slot,
                  double w_bar[3]);

/* Largest force of a FRICTION slot. */
double sp_rule_limit(const sp_model *m, const sp_con *con, int slot);

/* Keep the places of slots by expressions where they are evaluated now; then SP_E_INPUT if one of
 * them has jumped since, by more than this share of its size or of that of gaps. */
void sp_rule_note(const sp_model *m, const sp_numbers *num, const sp_con *con);
sp_status sp_rule_check(const sp_model *m, const sp_numbers *num, const sp_con *con, double share,
                        sp_error *err);

/* The same from con->t to the time t. */
sp_status sp_rule_check_time(const sp_model *m, const sp_numbers *num, sp_con *con, double t,
                             double share, sp_error *err);

/* The indicators of all kinks of slots by expressions, at con->q, con->u and the frames and
 * velocities of con->kin. */
void sp_rule_look(const sp_model *m, const sp_con *con);

/* The sides of all kinks of the model at con->t, con->q, con->u, dyn->z; then the first kink that
 * is on other sides in a and b, SP_NONE: none is. */
void sp_rule_sides(const sp_model *m, const sp_numbers *num, sp_kin *kin, sp_dyn *dyn, sp_con *con,
                   sp_kink *kink);
int sp_rule_switched(const sp_model *m, const sp_kink *a, const sp_kink *b);

/* Velocities gamma_N and those of the slips at con->u, the frames' velocities being there. */
void sp_rule_gamma(const sp_model *m, const sp_numbers *num, const sp_con *con, int slot,
                   double gamma[3]);

/* Whether a slot is a stop without play: it gives nothing back.   theory (11.48) */
static inline bool sp_rule_no_play(const sp_model *m, int slot)
{
    const sp_slot *s = &m->slot[slot];
    return s->is.rule && !s->is.loop && m->rule[s->rule].no_play;
}

#endif
