/* integrators/small.h - parts of a whole that the rules of this room are written in. */
#ifndef SP_INTEGRATORS_SMALL_H
#define SP_INTEGRATORS_SMALL_H

#define SP_EXACT   1e-14 /* 45 DBL_EPSILON: round-off of a number that was put where it is */
#define SP_NOISE   1e-13 /* ten times that: round-off of a sum whose terms cancel */
#define SP_TINY    1e-12 /* ten times that: what no result shows; a thousandth of SP_AT_REST */
#define SP_FINE    1e-10 /* a tenth of SP_AT_REST: distinct from it, and far above round-off */
#define SP_AT_REST 1e-9  /* the usual tolerance: less than what a motion is wrong by is zero */
#define SP_SMALL   1e-3  /* against the whole: what matters little */

#endif
