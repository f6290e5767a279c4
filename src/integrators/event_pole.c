/* integrators/event_pole.c - where smooth motion ends because a force grows beyond all bounds,
 * which no step goes across.   theory (61.1)-(61.3) */
#include "integrators/event_parts.h"
#include "integrators/push.h"

#include <math.h>

#define NEARER 64.0 /* how much shorter the second step is                                   */
#define GROWS  16.0 /* by that much at least: as 1/s^p with p > 2/3, behind the pole         */
#define NOISE  1e-9 /* of the velocities: less than this in such a step is no force          */
#define RISES  4.0  /* and from there to where the motion has come                           */

/* The forces in the middle of a step of dt. */
static double push(sp_events *e, const sp_state *x, double dt)
{
    return sp_push(e->s->m, x, dt, e->s->kind, e->s->size.u, e->s->w);
}

bool sp_event_meets_pole(sp_events *e, const sp_state *x, double dt)
{
    const double here = push(e, x, 0.0), near = push(e, x, dt / NEARER), far = push(e, x, dt);
    if (!isfinite(here + near + far) || far * dt > 1.0) {
        return true;
    }
    return near * dt > NOISE && near >= GROWS * far && here >= RISES * near;
}
