/* chain.h - the chain in space that forward dynamics is timed on: links of one kind on hinges whose
 * axes stand across the link and point to y and to z in turn. */
#ifndef SP_BENCH_CHAIN_H
#define SP_BENCH_CHAIN_H

#include <math.h>

#define CHAIN_LENGTH  0.2 /* m      */
#define CHAIN_MASS    0.5 /* kg     */
#define CHAIN_JX      1e-3
#define CHAIN_JY      2e-3
#define CHAIN_JZ      2.5e-3 /* kg m^2, about the centre of mass, in the middle */
#define CHAIN_GRAVITY 9.81   /* m/s^2, along -z */

/* Angle and speed of hinge k = 0, 1, ...: an irregular curve. */
static inline double chain_q(int k)
{
    return 0.3 * sin(1.7 * k + 0.4);
}

static inline double chain_u(int k)
{
    return cos(0.7 * k * k + 0.1);
}

#endif
