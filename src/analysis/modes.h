/* analysis/modes.h - how a machine swings near one of its states.
 *
 *     y'' + D y' + K y = 0,  y = e^(s t) v      over the motions that held rows leave
 *
 * Coefficients are those of the state; where the machine moves on, the modes are those of that
 * instant.   theory (14.11), (14.12)
 * With closed contacts in space the equations are those of steady.h.   theory section 24 */
#ifndef SP_ANALYSIS_MODES_H
#define SP_ANALYSIS_MODES_H

#include "analysis/steady.h"
#include "math/eigen.h"
#include "specht/analysis.h"

typedef struct sp_modes {
    sp_arena arena; /* owns everything */
    int n_mode, n_unstable;
    sp_axes axes;   /* that they are seen from, where contacts in space are closed       */
    bool is_steady; /* seen from these axes the machine moves on as it does; there alone */
    sp_mode *mode;  /* what swings first, by rising frequency */
} sp_modes;

/* The modes of l, where sp_linear_look and sp_linear_accelerate or an equilibrium were there
 * before. sp_modes_free in any case. */
sp_status sp_modes_find(sp_linear *l, const sp_state *x, sp_modes *modes, sp_error *err);
void sp_modes_free(sp_modes *modes);

#endif
