/* integrators/table_end.h - a box that slides over the end of a table, x = 0, in the plane, and
 * when.
 */
#ifndef INTEGRATORS_TABLE_END_H
#define INTEGRATORS_TABLE_END_H

#include "support/run.h"

#include <math.h>

/* A box of 0.2 x 0.1 that slides to the right on what is under it. */
static inline rig box_on(const char *ground)
{
    return rig_of_text("specht: 1\nspace: planar\nunits: off\ngravity: 9.81\nbodies:\n"
                       "  ground: {contours: {%s}}\n"
                       "  box: {mass: 1, inertia: 4e-3, contours: {b: {box: [0.2, 0.1]}}}\n"
                       "contacts: {c: {between: [box, ground], law: {mu: 0.1, eps_N: 0.4}}}\n"
                       "start: {box.x: -0.5, box.y: 0.05, box.vx: 2}\n"
                       "run: {until: 0.5, method: moreau, step: 1e-4}\n",
                       ground);
}

/* When x = -0.5 + 2 t - mu g t^2 / 2 passes x. */
static inline double time_at(double x)
{
    const double a = 0.1 * 9.81;
    return (2.0 - sqrt(4.0 - 2.0 * a * (x + 0.5))) / a;
}

#endif
