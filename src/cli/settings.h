/* cli/settings.h - settings that a run to go on with was begun with. */
#ifndef SP_CLI_SETTINGS_H
#define SP_CLI_SETTINGS_H

#include "cli/options.h"

/* The settings of the run that wrote `result` that `set` leaves out, those of section 'run' apart:
 * "mu=0.02", in `arena`; none where the result cannot be read.  false: no memory. */
bool sp_settings_kept(const char *result, const sp_texts *set, sp_arena *arena, sp_texts *kept);

#endif
