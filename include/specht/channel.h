/* specht/channel.h - everything that a result names, from a machine as it runs.
 *
 * Channels have the names, units and numbers of specht/result.h: channel i of a model is channel i
 * of the result of its run. */
#ifndef SPECHT_CHANNEL_H
#define SPECHT_CHANNEL_H

#include "specht/run.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Write the name of a channel (cut off at size - 1 bytes); its unit ("m/s", "1" for a plain
 * number), NULL if there is no such channel.  Channels count from 0.  Thread-safe, as is find. */
SP_API const char *sp_channel_name(const sp_model *model, int channel, char *name, size_t size);

/* The number of the channel called name, or SP_E_INPUT with the nearest name. */
SP_API sp_status sp_channel_find(const sp_model *model, const char *name, int *channel,
                                 sp_error *err);

/* The value of a channel at a moment, in its unit; NaN for what is no channel. */
SP_API double sp_channel_read(const sp_sample *sample, int channel);

/* The moment that state is at, outside of a run: after sp_step, or before the first.  *sample lives
 * in work, up to the next step or sample.  Thread-safe if state and work are not shared. */
SP_API sp_status sp_sample_take(const sp_model *model, sp_state *state, sp_work *work,
                                const sp_sample **sample, sp_error *err);

#ifdef __cplusplus
}
#endif
#endif
