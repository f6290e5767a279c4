/* studies/cmaes.h - the covariance matrix adaptation evolution strategy [Hansen2016]: candidates
 * from a normal distribution that learns from the better half of each generation.   theory
 * (80.8)-(80.10)
 *
 * Numbers only: coordinates are whatever the caller takes them for, about 0.3 wide at the start. */
#ifndef SP_STUDIES_CMAES_H
#define SP_STUDIES_CMAES_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct sp_cmaes {
    int d;
    long lambda, age;              /* candidates of a generation; generations learnt from       */
    double *x;                     /* lambda x d: the present generation                         */
    double *mean, *ps, *pc;        /* d: of the distribution; paths of the step size and of C    */
    double *C, *B, *D;             /* covariance over sigma^2 = B D^2 B^T                        */
    double *weight, mu_eff, sigma; /* lambda/2                                                   */
    double *room;
} sp_cmaes;

/* Begin at `mean` with lambda candidates in a generation.  False: no memory. */
bool sp_cmaes_begin(sp_arena *arena, int d, long lambda, const double *mean, sp_cmaes *c);

/* The candidates of a generation, by random numbers of (seed, generation). */
void sp_cmaes_draw(sp_cmaes *c, long long seed, uint64_t generation);

/* Learn from them, `order` having their numbers from the best on; how wide the distribution is then
 * along the widest coordinate. */
double sp_cmaes_learn(sp_cmaes *c, const long *order);

#endif
