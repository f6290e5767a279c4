/* dynamics/terms.h - expressions of forces and states that may be narrow in places: whether a step
 * of smooth motion sees what they do along it.   theory (64.31) */
#ifndef SP_DYNAMICS_TERMS_H
#define SP_DYNAMICS_TERMS_H

#include "dynamics/dyn.h"
#include "math/rk8.h"

typedef struct sp_terms sp_terms;

/* Where the parts of a state y are. */
typedef struct sp_parts {
    int q, u, z, n;
} sp_parts;

/* Room for them; *terms is NULL if there are none.  False: no memory. */
bool sp_terms_room(sp_arena *a, const sp_model *m, sp_parts at, sp_terms **terms);

/* How far into the last step, whose polynomial is there, they are seen: its end, or earlier. */
double sp_terms_shown(sp_terms *terms, const sp_numbers *num, sp_rk8 *rk);

#endif
