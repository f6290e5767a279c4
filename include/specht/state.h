/* specht/state.h - where a machine is and how it moves.
 *
 * Threads: a state belongs to one thread at a time; different states of one model do not disturb
 * each other. */
#ifndef SPECHT_STATE_H
#define SPECHT_STATE_H

#include "specht/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sp_state sp_state; /* t, q, u and contact memory: all a restart needs */

/* What a contact does. */
typedef enum sp_contact_state { SP_STATE_OPEN, SP_STATE_SLIP, SP_STATE_STICK } sp_contact_state;

/* A contact point as the last step left it. */
typedef struct sp_contact_info {
    double g_N;      /* gap, m; not yet known before the first step: 0            */
    double P_N, P_T; /* percussion over the last step, N s; over dt: mean force, N */
    sp_contact_state state;
} sp_contact_info;

/* The start state that the model describes, consistent: joints and bodies as given under 'start',
 * gaps checked.  On failure *state is NULL. */
SP_API sp_status sp_state_new(const sp_model *model, const sp_allocator *allocator,
                              sp_state **state, sp_error *err);
SP_API void sp_state_free(sp_state *state);

/* Time, s; coordinates, SP_ITEM_COORDINATE of them; velocities, SP_ITEM_VELOCITY of them; SI.  They
 * are those of the state now and change with it.  In space a free body has four coordinates of its
 * turning, a quaternion, and three velocities, so that u is not dq/dt there. */
SP_API double sp_state_time(const sp_state *state);
SP_API const double *sp_state_q(const sp_state *state);
SP_API const double *sp_state_u(const sp_state *state);

/* Contact i as the last step left it.  SP_E_INPUT if there is none. */
SP_API sp_status sp_state_contact(const sp_model *model, const sp_state *state, int i,
                                  sp_contact_info *info);

/* to <- from, both of this model, to the bit. */
SP_API void sp_state_copy(const sp_model *model, const sp_state *from, sp_state *to);

/* The whole state as sp_state_bytes bytes, and back to the bit, also in another process on the same
 * kind of machine.  SP_E_INPUT if the bytes are not those of a state of this model; it is then as
 * before. */
SP_API size_t sp_state_bytes(const sp_model *model);
SP_API void sp_state_pack(const sp_model *model, const sp_state *state, unsigned char *bytes);
SP_API sp_status sp_state_unpack(const sp_model *model, const unsigned char *bytes, size_t n,
                                 sp_state *state, sp_error *err);

/* Put the machine somewhere else: t, q and u are taken, the contacts forget their past. */
SP_API void sp_state_set(const sp_model *model, sp_state *state, double t, const double *q,
                         const double *u);

#ifdef __cplusplus
}
#endif
#endif
